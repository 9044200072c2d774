// SPDX-License-Identifier: MIT
/*
 * Events that no session of the module wants are refused by one read of the
 * enable area, without a system call; events that may be wanted reach the
 * kernel.
 *
 * There is no device here, so that an event that reaches the kernel fails, and
 * a refused one succeeds.
 */
#include <evntprov.h>

#include "lib/provider/enable_area.h"
#include "selftests/unit/common/tap.h"

#define HANDLE		((REGHANDLE)(1u << 16 | 1u << 5))
#define KEYWORD		0x6ull
#define LEVEL		4

static const struct evnt_level_keyword ext_item = {
	.match_any = KEYWORD, .match_all = 0x2, .level = LEVEL,
};

static void set(UCHAR enabled)
{
	evnt_area_put(HANDLE, enabled, &ext_item);
}

static bool is_refused_here(UCHAR level, ULONGLONG keyword)
{
	EVENT_DESCRIPTOR event = { .Level = level, .Keyword = keyword };

	return EventWrite(HANDLE, &event, 0, NULL) == ERROR_SUCCESS &&
	       EventWriteTransfer(HANDLE, &event, NULL, NULL, 0, NULL) ==
		       ERROR_SUCCESS &&
	       EventWriteEx(HANDLE, &event, 0, 0, NULL, NULL, 0, NULL) ==
		       ERROR_SUCCESS;
}

static bool reaches_the_kernel(UCHAR level, ULONGLONG keyword)
{
	EVENT_DESCRIPTOR event = { .Level = level, .Keyword = keyword };

	return EventWrite(HANDLE, &event, 0, NULL) != ERROR_SUCCESS &&
	       EventWriteTransfer(HANDLE, &event, NULL, NULL, 0, NULL) !=
		       ERROR_SUCCESS &&
	       EventWriteEx(HANDLE, &event, 0, 0, NULL, NULL, 0, NULL) !=
		       ERROR_SUCCESS;
}

static void test_rule(void)
{
	set(EVNT_AREA_MODULE);
	CHECK(is_refused_here(LEVEL + 1, KEYWORD),
	      "an event above the level is refused");
	CHECK(is_refused_here(LEVEL, 0x8),
	      "an event without a wanted keyword is refused");
	CHECK(is_refused_here(LEVEL, 0x4),
	      "an event without each keyword of match_all is refused");
	CHECK(reaches_the_kernel(LEVEL, KEYWORD),
	      "an event of the level and the keywords reaches the kernel");
	CHECK(reaches_the_kernel(LEVEL, 0),
	      "an event without keywords reaches the kernel");
	set(0);
	CHECK(is_refused_here(LEVEL, KEYWORD),
	      "an event of a disabled provider is refused");
}

/* If reads stay inconsistent, the kernel must decide */
static void test_inconsistent(void)
{
	struct evntprov_enable *slot = (void *)(uintptr_t)evnt_slot_at(HANDLE);

	set(EVNT_AREA_MODULE);
	slot->sequence++;
	CHECK(reaches_the_kernel(LEVEL + 1, KEYWORD),
	      "a state that keeps changing refuses no event");
	slot->sequence++;
	CHECK(is_refused_here(LEVEL + 1, KEYWORD),
	      "the state refuses again when it is consistent");
}

/* One read decides nothing if another area has an enablement too */
static void test_one_reading(void)
{
	set(EVNT_AREA_MODULE);
	CHECK(!evnt_is_refused(HANDLE, LEVEL, KEYWORD),
	      "one reading refuses no wanted event");
	CHECK(evnt_is_refused(HANDLE, LEVEL + 1, KEYWORD),
	      "one reading refuses events that no session wants");
	for (UCHAR more = EVNT_AREA_OURS; more <= EVNT_AREA_NEWS; more <<= 1) {
		set(EVNT_AREA_MODULE | more);
		CHECK(!evnt_is_refused(HANDLE, LEVEL + 1, KEYWORD),
		      "one reading refuses nothing except bit %#x", more);
	}
	set(0);
}

int main(void)
{
	if (!evnt_area_take())
		return 1;
	test_rule();
	test_inconsistent();
	test_one_reading();
	return tap_end();
}
