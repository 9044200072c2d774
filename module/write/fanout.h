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
#include "module/write/payload.h"
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

s64 evnt_fanout_reserve(struct evnt_fanout *t,
			const struct evnt_enable_set *set, u64 chosen,
			const u32 *sizes);
void evnt_fanout_discard(const struct evnt_fanout *t, const u32 *sizes);
int evnt_fanout_write(const struct evnt_enable_set *set,
		      const struct evnt_registration *r,
		      const struct evntprov_write *arg,
		      struct evnt_payload *p, bool first);

/* Return the time stamp of a record, before anything else is written to it */
static __always_inline s64
evnt_fanout_time(const struct evnt_fanout *t,
		 const struct evnt_reservation *at)
{
	if (t->stamped & BIT_ULL(at - t->at))
		return *evnt_record_time(evnt_record(at));
	return t->time;
}

#endif /* EVNT_FANOUT_H */
