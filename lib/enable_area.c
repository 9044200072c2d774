// SPDX-License-Identifier: MIT
/*
 * What sessions want of each registration, in memory at an address that never
 * changes.
 *
 * It is memory of the library that is all zero, so that nothing is enabled, until
 * the module's is mapped over it in place; and again when the door is closed.
 * There is no moment in which reading it could fault.
 *
 * Who writes events takes no lock: he sees one or the other.  So, before ours
 * takes the place of the module's, the latter is at its second place, and stays
 * there: who has seen the former finds the latter.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/mman.h>

#include "enable_area.h"
#include "logger.h"

#if defined(__x86_64__) || defined(__i386__) || defined(__s390x__)
#define AREA_ALIGN	4096
#else
#define AREA_ALIGN	65536
#endif

const volatile struct evntprov_enable evnt_enable_area[EVNTPROV_MAX_SLOTS + 1]
	__attribute__((aligned(AREA_ALIGN), section(".bss.evntprov_enable")));

const volatile struct evntprov_enable evnt_module_area[EVNTPROV_MAX_SLOTS + 1]
	__attribute__((aligned(AREA_ALIGN), section(".bss.evntprov_enable")));

EVNT_PUBLIC const UCHAR *const evnt_enabled_bytes =
	(const UCHAR *)&evnt_enable_area->enabled;

/* How often a state that changes while it is read is read again */
#define MAX_READS	100

/* Which area the library has in its hands, and what is in the module's place */
static bool is_ours, has_second;
static int mapped_fd = -1;

static bool read_slot(const volatile struct evntprov_enable *slot,
		      UCHAR *enabled, struct evnt_interest *to)
{
	int reads;

	for (reads = 0; reads < MAX_READS; reads++) {
		if (evnt_slot_try_read(slot, enabled, to))
			return true;
	}
	return false;
}

/* What the module's sessions want, added to what private ones do */
static bool add_module(REGHANDLE handle, struct evnt_state *s)
{
	struct evnt_interest module;
	UCHAR enabled;

	if (!read_slot(evnt_slot_in(evnt_module_area, handle), &enabled,
		       &module))
		return false;
	enabled &= EVNT_AREA_MODULE;
	if (enabled && s->enabled)
		s->interest = evnt_interest_wider(&s->interest, &module);
	else if (enabled)
		*s = (struct evnt_state) { true, module };
	return true;
}

bool evnt_state_read(REGHANDLE handle, struct evnt_state *to)
{
	struct evnt_state s = {};
	UCHAR enabled;

	if (!read_slot(evnt_slot_at(handle), &enabled, &s.interest))
		return false;
	if (unlikely(enabled & (EVNT_AREA_NEWS | EVNT_AREA_OURS)) &&
	    evnt_area_has_news(handle)) {
		evnt_loggers_catch_up();
		if (!read_slot(evnt_slot_at(handle), &enabled, &s.interest))
			return false;
	}
	s.enabled = enabled & (EVNT_AREA_MODULE | EVNT_AREA_PRIVATE);
	if (enabled & EVNT_AREA_OURS && !add_module(handle, &s))
		return false;
	*to = s;
	return true;
}

struct evnt_state evnt_state_of(REGHANDLE handle)
{
	struct evnt_state s;

	if (!evnt_state_read(handle, &s))
		s = (struct evnt_state) {
			true, { EVNT_KEYWORD_ALL, 0, EVNT_LEVEL_ALL },
		};
	return s;
}

/* As evnt_area_has_news(), for the sanitizer */
__attribute__((no_sanitize("thread")))
bool evnt_module_wants(REGHANDLE handle, UCHAR level, ULONGLONG keyword)
{
	const volatile struct evntprov_enable *slot =
		evnt_slot_in(evnt_module_area, handle);
	struct evnt_interest interest;
	UCHAR enabled;

	if (!__atomic_load_n(&slot->enabled, __ATOMIC_RELAXED))
		return false;
	if (!read_slot(slot, &enabled, &interest))
		return true;
	return enabled & EVNT_AREA_MODULE &&
	       evnt_wanted(&interest, level, keyword);
}

/* If this fails the old one stays: nothing is enabled, or no more */
static void map_over(const volatile struct evntprov_enable *area, int fd)
{
	int flags = MAP_FIXED | (fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS :
					  MAP_SHARED);

	(void)mmap((void *)(uintptr_t)area, EVNTPROV_ENABLE_AREA_SIZE,
		   PROT_READ, flags, fd, 0);
}

void evnt_area_map(int fd)
{
	mapped_fd = fd;
	if (has_second)
		map_over(evnt_module_area, fd);
	if (!is_ours)
		map_over(evnt_enable_area, fd);
}

bool evnt_area_has_module(void)
{
	return mapped_fd >= 0;
}

/*
 * Put memory of the library in the area's place, a copy of what is there.  False
 * without memory, and nothing has changed.
 */
static bool put_ours(void)
{
	const size_t size = EVNTPROV_ENABLE_AREA_SIZE;
	void *ours;

	ours = mmap(NULL, size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (ours == MAP_FAILED)
		return false;
	memcpy(ours, (const void *)(uintptr_t)evnt_enable_area, size);
	if (mremap(ours, size, size, MREMAP_MAYMOVE | MREMAP_FIXED,
		   (void *)(uintptr_t)evnt_enable_area) != MAP_FAILED)
		return true;
	munmap(ours, size);
	return false;
}

/* False without memory, and nothing has changed */
bool evnt_area_take(void)
{
	if (is_ours)
		return true;
	if (mapped_fd >= 0 || has_second)
		map_over(evnt_module_area, mapped_fd);
	has_second = true;
	/* For this moment all goes as the module says: the caller puts each slot */
	is_ours = put_ours();
	return is_ours;
}

/* The caller has put zeros, where there is no module */
void evnt_area_give_back(void)
{
	if (!is_ours)
		return;
	is_ours = false;
	if (mapped_fd >= 0)
		map_over(evnt_enable_area, mapped_fd);
}

/*
 * As the module's slot_update() does it: the sequence is odd meanwhile.
 *
 * (N) What is odd is seen before what is in between, as these are releases;
 * (M) and that before what is even again: likewise.
 */
void evnt_area_put(REGHANDLE handle, UCHAR enabled,
		   const struct evnt_interest *interest)
{
	struct evntprov_enable *slot = (void *)(uintptr_t)evnt_slot_at(handle);
	ULONG sequence = slot->sequence & ~1u;

	__atomic_store_n(&slot->sequence, sequence + 1, __ATOMIC_RELAXED);
	__atomic_store_n(&slot->level, interest->level, __ATOMIC_RELEASE);
	__atomic_store_n(&slot->match_any, interest->match_any,
			 __ATOMIC_RELEASE);
	__atomic_store_n(&slot->match_all, interest->match_all,
			 __ATOMIC_RELEASE);
	__atomic_store_n(&slot->enabled, enabled, __ATOMIC_RELEASE);
	__atomic_store_n(&slot->sequence, sequence + 2, __ATOMIC_RELEASE);
}
