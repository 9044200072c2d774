/* SPDX-License-Identifier: MIT */
/*
 * Enable state of each registration, for all sessions.
 *
 * The module usually provides it, in memory that it shares.  While there are
 * private sessions, the library provides it in its own memory at the same
 * address, and the module's area is mapped at another one: see EVNT_AREA_OURS.
 *
 * Reading is inline: it is the whole cost of an event that no session wants.
 */
#ifndef EVNT_ENABLE_AREA_H
#define EVNT_ENABLE_AREA_H

#include <linux/evntprov.h>

#include "core/level_keyword.h"
#include "lib/base/internal.h"

/* Enable state of a provider for all sessions */
struct evnt_state {
	bool enabled;
	struct evnt_level_keyword interest;
};

/*
 * Bits of enabled in struct evntprov_enable.  With EVNT_AREA_OURS the library
 * has set it, and EVNT_AREA_PRIVATE means a private session; the module's
 * sessions may have enabled the provider as well, as its own area shows.  With
 * EVNT_AREA_PLAIN in addition, private_plain.h may write the event.
 */
#define EVNT_AREA_MODULE	0x1u
#define EVNT_AREA_OURS		0x2u
#define EVNT_AREA_PRIVATE	0x4u
#define EVNT_AREA_PLAIN		0x40u
/* Set by the module in addition: events may be written to a ring */
#define EVNT_AREA_RING		EVNTPROV_ENABLED_RING
/* The same, for a registration that uses the types of data */
#define EVNT_AREA_RING_TYPES	EVNTPROV_ENABLED_RING_TYPES
/* Set by the module in addition: see private_sync.c */
#define EVNT_AREA_NEWS		EVNTPROV_ENABLED_PRIVATE_PENDING

/*
 * One more slot is never mapped over: evntinline.h reads inside the array,
 * whatever a program uses as a handle.
 */
extern const volatile struct evntprov_enable
	evnt_enable_area[EVNTPROV_MAX_SLOTS + 1] EVNT_HIDDEN;

/* Module's area since the first private session; zeros without a module */
extern const volatile struct evntprov_enable
	evnt_module_area[EVNTPROV_MAX_SLOTS + 1] EVNT_HIDDEN;

static inline const volatile struct evntprov_enable *
evnt_slot_in(const volatile struct evntprov_enable *area, REGHANDLE handle)
{
	return (const volatile void *)((const volatile char *)area +
				       (handle & EVNTPROV_HANDLE_SLOT_MASK));
}

static inline const volatile struct evntprov_enable *
evnt_slot_at(REGHANDLE handle)
{
	return evnt_slot_in(evnt_enable_area, handle);
}

/* Return EVNT_AREA_*, 0 if not enabled, with one load from one cache line */
static inline UCHAR evnt_enabled_by(REGHANDLE handle)
{
	return __atomic_load_n(&evnt_slot_at(handle)->enabled,
			       __ATOMIC_RELAXED);
}

/*
 * Test for sessions of the module that have enabled a registration, or news from
 * it.  For the sanitizer see evnt_area_has_news().
 */
static inline __attribute__((no_sanitize("thread"))) bool
evnt_area_module_has(REGHANDLE handle)
{
	return __atomic_load_n(&evnt_slot_in(evnt_module_area, handle)->enabled,
			       __ATOMIC_RELAXED);
}

/*
 * Test for news from the module about system-wide private sessions.  The area
 * may be mapped over at the same time, which the sanitizer takes for a plain
 * write.
 */
static inline __attribute__((no_sanitize("thread"))) bool
evnt_area_has_news(REGHANDLE handle)
{
	UCHAR both;

	both = __atomic_load_n(&evnt_slot_at(handle)->enabled,
			       __ATOMIC_RELAXED) |
	       __atomic_load_n(&evnt_slot_in(evnt_module_area,
					     handle)->enabled,
			       __ATOMIC_RELAXED);
	return both & EVNT_AREA_NEWS;
}

/*
 * Read a slot once; false if it has just changed.  The fence pairs with (M),
 * the acquire with (N) in the module's slot_update() or in evnt_area_put().
 */
static inline bool
evnt_slot_try_read(const volatile struct evntprov_enable *slot, UCHAR *enabled,
		   struct evnt_level_keyword *to)
{
	ULONG before;

	before = __atomic_load_n(&slot->sequence, __ATOMIC_ACQUIRE);
	*enabled = __atomic_load_n(&slot->enabled, __ATOMIC_RELAXED);
	to->level = __atomic_load_n(&slot->level, __ATOMIC_RELAXED);
	to->match_any = __atomic_load_n(&slot->match_any, __ATOMIC_RELAXED);
	to->match_all = __atomic_load_n(&slot->match_all, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return __atomic_load_n(&slot->sequence, __ATOMIC_RELAXED) == before &&
	       !(before & 1);
}

/*
 * Test whether only the module's sessions have enabled a registration and none
 * wants the event.  Reads once: returns false if the state is inconsistent, or
 * if private sessions or news matter as well.  Then evnt_state_of() decides.
 */
static inline bool evnt_is_refused(REGHANDLE handle, UCHAR level,
				   ULONGLONG keyword)
{
	struct evnt_level_keyword interest;
	UCHAR enabled;

	return evnt_slot_try_read(evnt_slot_at(handle), &enabled, &interest) &&
	       (enabled & ~(EVNT_AREA_RING | EVNT_AREA_RING_TYPES)) ==
			EVNT_AREA_MODULE &&
	       !evnt_wanted(&interest, level, keyword);
}

/* Get a consistent copy of a registration's state; false if it kept changing */
bool evnt_state_read(REGHANDLE handle, struct evnt_state *to);

/* Like evnt_state_read(); enables all events if the state kept changing */
struct evnt_state evnt_state_of(REGHANDLE handle);

/* Test what the module's sessions want, while there are private sessions */
bool evnt_module_wants(REGHANDLE handle, UCHAR level, ULONGLONG keyword);

/* Get a consistent copy of a registration's slot in the module's area; locked */
struct evntprov_enable evnt_module_slot(REGHANDLE handle);

/* Map the module's area by descriptor, or unmap it with -1; locked */
void evnt_area_map(int fd);
bool evnt_area_has_module(void);

/*
 * Take over the area for private sessions, and give it back.  Called with
 * evnt_lib_lock.
 */
bool evnt_area_take(void);
void evnt_area_give_back(void);
void evnt_area_put(REGHANDLE handle, UCHAR enabled,
		   const struct evnt_level_keyword *interest);

#endif /* EVNT_ENABLE_AREA_H */
