/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fan-out: the sessions that want an event, if there may be several.
 *
 * Reserves a record in all of them, or in none, and writes the same record to
 * all.
 */
#ifndef EVNT_FANOUT_H
#define EVNT_FANOUT_H

#include "module/provider/enable.h"
#include "core/record.h"
#include "core/reserve.h"

/**
 * struct evnt_fanout - fan-out of one event
 * @end: end of the reservations in @at
 * @failed: index in @at of the session in which the reservation failed
 * @stamped: bit mask of the records that have a time stamp of their own, by
 *	index in @at
 * @time: time stamp of all other records
 * @at: reservations of the sessions that want the event
 */
struct evnt_fanout {
	struct evnt_reservation *end;
	u32 failed;
	u64 stamped;
	s64 time;
	struct evnt_reservation at[EVNTRACE_MAX_SESSIONS];
};

bool evnt_fanout_exist(struct evnt_fanout *t,
		       const struct evnt_enable_set *set,
		       const struct evnt_registration *r,
		       const struct evntprov_write *arg);
s64 evnt_fanout_reserve(struct evnt_fanout *t,
			const struct evnt_enable_set *set,
			const struct evnt_registration *r,
			const struct evntprov_write *arg, u32 size);
void evnt_fanout_choose(struct evnt_fanout *t,
			const struct evnt_enable_set *set, u64 chosen);
s64 evnt_fanout_reserve_chosen(struct evnt_fanout *t, const u32 *sizes);
void evnt_fanout_discard(const struct evnt_fanout *t, const u32 *sizes,
			 u32 size);
void evnt_fanout_count_lost(const struct evnt_fanout *t, u32 cpu,
			    enum evnt_loss kind);

/* Return the time stamp of a record, before anything else is written to it */
static __always_inline s64
evnt_fanout_time(const struct evnt_fanout *t,
		 const struct evnt_reservation *at)
{
	if (t->stamped & BIT_ULL(at - t->at))
		return *evnt_record_time(evnt_record(at));
	return t->time;
}

/**
 * evnt_fanout_commit_others() - copy the first record, and commit the copies
 * @t: fan-out, with a complete first record
 * @cpu: CPU that the records were reserved on
 * @size: size of the record in bytes, without padding
 */
static __always_inline void
evnt_fanout_commit_others(const struct evnt_fanout *t, u32 cpu, u32 size)
{
	const u8 *first = evnt_record(t->at);
	const struct evnt_reservation *at;
	const u32 len = ALIGN(size, ETL_ALIGN);
	s64 time = t->time;
	u8 *record;

	for (at = t->at + 1; at < t->end; at++) {
		if (unlikely(t->stamped))
			time = evnt_fanout_time(t, at);
		record = evnt_record(at);
		memcpy(record, first, len);
		*evnt_record_time(record) = time;
		evnt_commit(at->buffer->owner, cpu, at);
	}
}

#endif /* EVNT_FANOUT_H */
