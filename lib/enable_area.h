/* SPDX-License-Identifier: MIT */
/*
 * What sessions want of each registration, as the module says it in memory that
 * it shares.
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
 * With one slot behind it that is never mapped over: what evntinline.h reads is
 * inside, whatever a program takes for a handle.
 */
extern const volatile struct evntprov_enable
	evnt_enable_area[EVNTPROV_MAX_SLOTS + 1] EVNT_HIDDEN;

static inline const volatile struct evntprov_enable *
evnt_slot_at(REGHANDLE handle)
{
	return (const volatile void *)((const volatile char *)evnt_enable_area +
				       (handle & EVNTPROV_HANDLE_SLOT_MASK));
}

/* Whether any session has enabled it: one load from one cache line */
static inline bool evnt_is_enabled(REGHANDLE handle)
{
	return evnt_slot_at(handle)->enabled;
}

/*
 * A consistent copy of a registration's state; false when it has just changed.
 * The fence pairs with (M), the acquire with (N) in the module's slot_update().
 */
static inline bool evnt_state_try(REGHANDLE handle, struct evnt_state *to)
{
	const volatile struct evntprov_enable *slot = evnt_slot_at(handle);
	ULONG before;

	before = __atomic_load_n(&slot->sequence, __ATOMIC_ACQUIRE);
	to->enabled = slot->enabled;
	to->interest.level = slot->level;
	to->interest.match_any = slot->match_any;
	to->interest.match_all = slot->match_all;
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return slot->sequence == before && !(before & 1);
}

/* The same, tried again; false, with @to as it was, when it kept changing */
bool evnt_state_read(REGHANDLE handle, struct evnt_state *to);

/* The same; all is wanted when it keeps changing, as the kernel looks again */
struct evnt_state evnt_state_of(REGHANDLE handle);

#endif /* EVNT_ENABLE_AREA_H */
