/* SPDX-License-Identifier: MIT */
/*
 * What sessions want of each registration.
 *
 * Mostly it is the module that says so, in memory that it shares.  While there
 * are private sessions, it is the library, in memory of its own at the same place,
 * and the module's is beside it: see EVNT_AREA_OURS.
 *
 * Reading is inline: it is all that an event costs which nobody wants.
 */
#ifndef EVNT_ENABLE_AREA_H
#define EVNT_ENABLE_AREA_H

#include <linux/evntprov.h>

#include "filter.h"
#include "internal.h"

/* What sessions want of a provider */
struct evnt_state {
	bool enabled;
	struct evnt_interest interest;
};

/*
 * What struct evntprov_enable's enabled is: what the module says, or, where it is
 * the library who says something, that, and whether a private session wants the
 * provider.  The module's sessions may want it, too, then: its own area tells.
 */
#define EVNT_AREA_MODULE	0x1u
#define EVNT_AREA_OURS		0x2u
#define EVNT_AREA_PRIVATE	0x4u
/* Beside either, and of the module: see logger.h */
#define EVNT_AREA_NEWS		EVNTPROV_ENABLED_NEWS

/*
 * With one slot behind it that is never mapped over: what evntinline.h reads is
 * inside, whatever a program takes for a handle.
 */
extern const volatile struct evntprov_enable
	evnt_enable_area[EVNTPROV_MAX_SLOTS + 1] EVNT_HIDDEN;

/* The module's, once there was a private session; zeros before, or without it */
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

/* EVNT_AREA_*: 0 when no session has enabled it: one load from one cache line */
static inline UCHAR evnt_enabled_by(REGHANDLE handle)
{
	return __atomic_load_n(&evnt_slot_at(handle)->enabled,
			       __ATOMIC_RELAXED);
}

/*
 * Whether the module has something new of private loggers for a registration.  The
 * area may be mapped over meanwhile, which the sanitizer takes for a plain write.
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
 * Read a slot once; false when it has just changed.  The fence pairs with (M), the
 * acquire with (N) in the module's slot_update(), or in evnt_area_put().
 */
static inline bool
evnt_slot_try_read(const volatile struct evntprov_enable *slot, UCHAR *enabled,
		   struct evnt_interest *to)
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
 * Whether the module's sessions alone have enabled a registration, and want no such
 * event.  One reading decides: false where it is inconsistent, or where private
 * sessions or news of loggers matter, too.  Then evnt_state_of() decides.
 */
static inline bool evnt_is_refused(REGHANDLE handle, UCHAR level,
				   ULONGLONG keyword)
{
	struct evnt_interest interest;
	UCHAR enabled;

	return evnt_slot_try_read(evnt_slot_at(handle), &enabled, &interest) &&
	       enabled == EVNT_AREA_MODULE &&
	       !evnt_wanted(&interest, level, keyword);
}

/* A consistent copy of a registration's state; false when it kept changing */
bool evnt_state_read(REGHANDLE handle, struct evnt_state *to);

/* The same; all is wanted when it keeps changing, as the kernel looks again */
struct evnt_state evnt_state_of(REGHANDLE handle);

/* The same, of what the module's sessions want, while there are private ones */
bool evnt_module_wants(REGHANDLE handle, UCHAR level, ULONGLONG keyword);

/* Map the module's area through a door, or -1: there is none.  Locked. */
void evnt_area_map(int fd);
bool evnt_area_has_module(void);

/*
 * For private sessions: have the area in the library's hands, and give it back.
 * Locked.
 */
bool evnt_area_take(void);
void evnt_area_give_back(void);
void evnt_area_put(REGHANDLE handle, UCHAR enabled,
		   const struct evnt_interest *interest);

#endif /* EVNT_ENABLE_AREA_H */
