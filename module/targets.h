/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The sessions that want an event, where more than one may.
 *
 * Reserves a record in all of them, or in none; and makes it the same in all.
 */
#ifndef EVNT_TARGETS_H
#define EVNT_TARGETS_H

#include "enable.h"
#include "record.h"
#include "reserve.h"

/**
 * struct evnt_targets - where an event goes
 * @end: of those in @at
 * @failed: of those in @at, the one that reserving failed for
 * @stamped: those whose record has its own time stamp already, a bit each
 * @time: that of all others
 * @at: where in their buffers the record goes
 */
struct evnt_targets {
	struct evnt_reservation *end;
	u32 failed;
	u64 stamped;
	s64 time;
	struct evnt_reservation at[EVNTRACE_MAX_SESSIONS];
};

bool evnt_targets_exist(struct evnt_targets *t,
			const struct evnt_enable_set *set,
			const struct evnt_registration *r,
			const struct evntprov_write *arg);
s64 evnt_targets_reserve(struct evnt_targets *t,
			 const struct evnt_enable_set *set,
			 const struct evnt_registration *r,
			 const struct evntprov_write *arg, u32 size);
void evnt_targets_choose(struct evnt_targets *t,
			 const struct evnt_enable_set *set, u64 chosen);
s64 evnt_targets_reserve_chosen(struct evnt_targets *t, const u32 *sizes);
void evnt_targets_discard(const struct evnt_targets *t, const u32 *sizes,
			  u32 size);
void evnt_targets_count_lost(const struct evnt_targets *t, u32 cpu,
			     enum evnt_loss kind);

/* The time stamp of a record that has nothing else yet */
static __always_inline s64
evnt_targets_time(const struct evnt_targets *t,
		  const struct evnt_reservation *at)
{
	if (t->stamped & BIT_ULL(at - t->at))
		return *evnt_record_time(evnt_record(at));
	return t->time;
}

/**
 * evnt_targets_commit_others() - commit all records but the first
 * @t: the targets; the record is complete in the first
 * @cpu: the CPU that they were reserved on
 * @size: of the record in bytes, without padding
 *
 * It is laid out once, and copied.
 */
static __always_inline void
evnt_targets_commit_others(const struct evnt_targets *t, u32 cpu, u32 size)
{
	const u8 *first = evnt_record(t->at);
	const struct evnt_reservation *at;
	const u32 len = ALIGN(size, ETL_ALIGN);
	s64 time = t->time;
	u8 *record;

	for (at = t->at + 1; at < t->end; at++) {
		if (unlikely(t->stamped))
			time = evnt_targets_time(t, at);
		record = evnt_record(at);
		memcpy(record, first, len);
		*evnt_record_time(record) = time;
		evnt_commit(at->buffer->owner, cpu, at);
	}
}

#endif /* EVNT_TARGETS_H */
