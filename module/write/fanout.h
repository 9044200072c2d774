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

int evnt_fanout_reserve(struct evnt_fanout *t,
			const struct evnt_enable_set *set, u64 chosen,
			const u32 *sizes);
int evnt_fanout_reserve_one(struct evnt_fanout *t, struct evnt_reservation *at,
			    const u32 *sizes, u32 size, s64 *filetime);
void evnt_fanout_discard(const struct evnt_fanout *t,
			 const struct evnt_reservation *end, const u32 *sizes,
			 u32 size);
int evnt_fanout_write(const struct evnt_enable_set *set,
		      const struct evnt_registration *r,
		      const struct evntprov_write *arg,
		      struct evnt_payload *p, bool first);

/* Return the time stamp of a record, before anything else is written to it */
static __always_inline s64
evnt_fanout_time(const struct evnt_fanout *t,
		 const struct evnt_reservation *at)
{
	if (unlikely(t->stamped & BIT_ULL(at - t->at)))
		return *evnt_record_time(evnt_record(at));
	return t->time;
}

/*
 * Load the state of a session's current buffer; without one, have evnt_claim()
 * fail
 */
static __always_inline void
evnt_fanout_look(const struct evnt_buffers *b, u32 cpu,
		 struct evnt_reservation *at)
{
	if (!evnt_look(b, evnt_current(b, cpu), at))
		at->state = STATE_FULL;
}

/*
 * Find the sessions that want an event of this descriptor and @flags, without the
 * bits in @exclude, and load their buffers' states.  Returns the end of the list.
 */
static __always_inline struct evnt_reservation *
evnt_fanout_find(struct evnt_fanout *t, const struct evnt_enable_set *set,
		 const struct evnt_registration *r,
		 const struct evntprov_descriptor *d, const u32 *flags,
		 u64 exclude)
{
	const struct evnt_enablement *e = set->e, *end = e + set->count;
	struct evnt_reservation *at = t->at;
	u32 cpu = smp_processor_id();

	for (; e < end; e++) {
		if (!evnt_wants_kind(e, r, d, flags) ||
		    (unlikely(exclude) &&
		     exclude & BIT_ULL(evnt_session_id(e->session))))
			continue;
		evnt_fanout_look(&e->session->buffers, cpu, at);
		at++;
	}
	return at;
}

/* Return the size of a session's record: its own, or the common one */
static __always_inline u32
evnt_fanout_size(const struct evnt_fanout *t, const struct evnt_reservation *at,
		 const u32 *sizes, u32 size)
{
	return sizes ? sizes[at - t->at] : size;
}

/*
 * Reserve in all sessions whose buffers were loaded, one or more, or in none.
 * Returns 0 or an error.
 */
static __always_inline int
evnt_fanout_reserve_all(struct evnt_fanout *t, struct evnt_reservation *end,
			const u32 *sizes, u32 size)
{
	struct evnt_reservation *at = t->at;
	const struct evnt_buffers *b;
	s64 filetime = 0;
	u32 len;
	int err;

	static_assert(EVNTRACE_MAX_SESSIONS <= 64);
	t->time = evnt_boot_ns();
	t->stamped = 0;
	do {
		b = at->buffer->owner;
		len = ALIGN(evnt_fanout_size(t, at, sizes, size), ETL_ALIGN);
		if (likely(b->clock_type == EVNT_CLOCK_QPC &&
			   evnt_claim(b, at, len)))
			continue;
		err = evnt_fanout_reserve_one(t, at, sizes, size, &filetime);
		if (err)
			return err;
	} while (++at < end);
	return 0;
}

/* Copy the first record to the others, and commit all */
static __always_inline void
evnt_fanout_commit(const struct evnt_fanout *t,
		   const struct evnt_reservation *end, u32 size)
{
	const u8 *first = evnt_record(t->at);
	const struct evnt_reservation *at;
	const u32 len = ALIGN(size, ETL_ALIGN);
	u32 cpu = smp_processor_id();
	s64 time = t->time;
	u8 *record;

	for (at = t->at + 1; at < end; at++) {
		if (unlikely(t->stamped))
			time = evnt_fanout_time(t, at);
		record = evnt_record(at);
		memcpy(record, first, len);
		*evnt_record_time(record) = time;
		evnt_commit(at->buffer->owner, cpu, at);
	}
	evnt_commit(t->at->buffer->owner, cpu, t->at);
}

/**
 * evnt_fanout_put() - write the same record to all sessions, or to none
 * @t: fan-out
 * @end: end of the reservations that evnt_fanout_look() has loaded
 * @size: size of the record in bytes, without padding
 * @fill: as for evnt_write_record()
 * @source: last argument of @fill
 *
 * Return: 0, an error of evnt_reserve() or of @fill, or -EOVERFLOW if @size
 * exceeds the limit of the format.
 */
static __always_inline int
evnt_fanout_put(struct evnt_fanout *t, struct evnt_reservation *end, u64 size,
		int (*fill)(u8 *record, u32 size, s64 time, void *source),
		void *source)
{
	int err;

	if (unlikely(size > ETL_MAX_RECORD))
		return -EOVERFLOW;
	err = evnt_fanout_reserve_all(t, end, NULL, size);
	if (unlikely(err))
		return err;
	err = fill(evnt_record(t->at), size, evnt_fanout_time(t, t->at), source);
	if (likely(!err))
		evnt_fanout_commit(t, end, size);
	else
		evnt_fanout_discard(t, end, NULL, size);
	return err;
}

#endif /* EVNT_FANOUT_H */
