// SPDX-License-Identifier: MIT
/*
 * Write functions as optimized programs have them: inline down to one load from
 * the registration's own slot.
 *
 * A private session enables a provider whose slot is far from the first.
 */
#include <stdlib.h>

/* First, as it enables the inline functions, which the library does without */
#include "evntprov.h"

#include "selftests/unit/common/private_session.h"

#include "selftests/unit/common/tap.h"

#ifdef EVNT_INLINE
#define HAS_INLINE	1
#else
#define HAS_INLINE	0
#endif

/* Number of registrations: more than fit in one byte of a handle */
#define COUNT	300

static REGHANDLE handles[COUNT];

static const EVENT_DESCRIPTOR descriptor = { .Id = 1, .Level = 4 };

static bool register_all(unsigned int wanted)
{
	const GUID other = { .Data1 = 1 };
	unsigned int i;

	for (i = 0; i < COUNT; i++) {
		if (EventRegister(i == wanted ? &provider : &other, NULL, NULL,
				  &handles[i]))
			return false;
	}
	return true;
}

static void unregister_all(void)
{
	unsigned int i;

	for (i = 0; i < COUNT; i++)
		EventUnregister(handles[i]);
}

static bool is_enabled(REGHANDLE h)
{
	return EventEnabled(h, &descriptor) && EventProviderEnabled(h, 4, 1);
}

static bool is_disabled(REGHANDLE h)
{
	return !EventEnabled(h, &descriptor) && !EventProviderEnabled(h, 4, 1);
}

/* Call all write functions: four events, if the registration is enabled */
static bool write_all(REGHANDLE h)
{
	return !EventWrite(h, &descriptor, 0, NULL) &&
	       !EventWriteTransfer(h, &descriptor, NULL, NULL, 0, NULL) &&
	       !EventWriteEx(h, &descriptor, 0, 0, NULL, NULL, 0, NULL) &&
	       !EventWriteString(h, 4, 0, u"text");
}

static void test_place(unsigned int wanted)
{
	struct private_properties p;
	unsigned int i, right = 0, written = 0;
	TRACEHANDLE h;

	if (!register_all(wanted) || private_start(&p, "inline", &h))
		abort();
	for (i = 0; i < COUNT; i++)
		right += is_disabled(handles[i]);
	CHECK(right == COUNT, "no registration is enabled at first");
	private_enable(h, 0, NULL, 0);
	CHECK(is_enabled(handles[wanted]),
	      "registration %u is seen as enabled", wanted);
	for (i = 0, right = 0; i < COUNT; i++)
		right += i != wanted && is_disabled(handles[i]);
	CHECK(right == COUNT - 1, "no other one is");
	for (i = 0; i < COUNT; i++)
		written += write_all(handles[i]);
	CHECK(written == COUNT && !private_stop(&p, h) &&
	      private_count(private_path("inline")) == 4,
	      "each function writes its event for registration %u only",
	      wanted);
	unregister_all();
}

int main(void)
{
	CHECK(HAS_INLINE, "functions that write are inline here");
	test_place(0);
	test_place(8);
	test_place(COUNT - 1);
	private_clean();
	return tap_end();
}
