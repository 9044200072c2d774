// SPDX-License-Identifier: MIT
/*
 * Enable state of each registration, in memory at a fixed address.
 *
 * This is zeroed memory of the library, in which nothing is enabled, until the
 * module's area is mapped over it in place, and again after the device is
 * closed.  Reading it never faults.
 *
 * Writers of events take no lock and see either mapping.  Therefore the
 * module's area is mapped at a second place, and stays there, before the
 * library's area replaces it: a writer that has seen the library's area finds
 * the module's.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/mman.h>
#include <time.h>

#include "lib/provider/enable_area.h"
#include "lib/provider/hooks.h"

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

/* Number of attempts to read a slot that changes while it is read */
#define MAX_READS	100

/* Whether the library's area is in place, and the module's at a second one */
static bool is_ours, has_second;
static int mapped_fd = -1;

static bool read_slot(const volatile struct evntprov_enable *slot,
		      UCHAR *enabled, struct evnt_level_keyword *to)
{
	int reads;

	for (reads = 0; reads < MAX_READS; reads++) {
		if (evnt_slot_try_read(slot, enabled, to))
			return true;
	}
	return false;
}

/* Add the module's sessions to the private ones; false if they kept changing */
static bool add_module(REGHANDLE handle, struct evnt_state *s)
{
	struct evnt_level_keyword module;
	UCHAR enabled;

	if (!read_slot(evnt_slot_in(evnt_module_area, handle), &enabled,
		       &module))
		return false;
	enabled &= EVNT_AREA_MODULE;
	if (enabled && s->enabled)
		s->interest = evnt_level_keyword_union(&s->interest, &module);
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
		evnt_hooks->news();
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

/*
 * The fence and the acquire are as in evnt_slot_try_read().  Callers wait for
 * the module, as no default state would be right.
 */
struct evntprov_enable evnt_module_slot(REGHANDLE handle)
{
	const volatile struct evntprov_enable *slot =
		evnt_slot_in(has_second ? evnt_module_area : evnt_enable_area,
			     handle);
	const struct timespec nap = { .tv_nsec = 1000 };
	struct evntprov_enable copy;

	for (;;) {
		copy.sequence = __atomic_load_n(&slot->sequence,
						__ATOMIC_ACQUIRE);
		copy.enabled = slot->enabled;
		copy.level = slot->level;
		copy.set_level = slot->set_level;
		copy.set_any = slot->set_any;
		copy.match_any = slot->match_any;
		copy.match_all = slot->match_all;
		copy.session = slot->session;
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (__atomic_load_n(&slot->sequence, __ATOMIC_RELAXED) ==
		    copy.sequence && !(copy.sequence & 1))
			return copy;
		nanosleep(&nap, NULL);
	}
}

/* See evnt_area_has_news() for the sanitizer */
__attribute__((no_sanitize("thread")))
bool evnt_module_wants(REGHANDLE handle, UCHAR level, ULONGLONG keyword)
{
	const volatile struct evntprov_enable *slot =
		evnt_slot_in(evnt_module_area, handle);
	struct evnt_level_keyword interest;
	UCHAR enabled;

	if (!__atomic_load_n(&slot->enabled, __ATOMIC_RELAXED))
		return false;
	if (!read_slot(slot, &enabled, &interest))
		return true;
	return enabled & EVNT_AREA_MODULE &&
	       evnt_wanted(&interest, level, keyword);
}

/* On failure the old mapping stays: nothing is enabled in it, or no longer */
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
 * Put memory of the library in the area's place, as a copy.  Without memory,
 * return false and change nothing.
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

/* Without memory, return false and change nothing */
bool evnt_area_take(void)
{
	if (is_ours)
		return true;
	if (mapped_fd >= 0 || has_second)
		map_over(evnt_module_area, mapped_fd);
	has_second = true;
	/* Until the caller puts each slot, the copy shows the module's state */
	is_ours = put_ours();
	return is_ours;
}

/* Return the area to the module; without one, all slots are zero already */
void evnt_area_give_back(void)
{
	if (!is_ours)
		return;
	is_ours = false;
	if (mapped_fd >= 0)
		map_over(evnt_enable_area, mapped_fd);
}

/*
 * Like the module's slot_update(), keep the sequence odd during the update.
 *
 * (M) A reader that sees a new field sees the odd sequence, or a later one, as
 * fields are stored with release: pairs with the fence in evnt_slot_try_read().
 *
 * (N) A reader that sees the new even sequence sees all new fields: pairs with
 * the acquire in evnt_slot_try_read().
 */
void evnt_area_put(REGHANDLE handle, UCHAR enabled,
		   const struct evnt_level_keyword *interest)
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
