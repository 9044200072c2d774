// SPDX-License-Identifier: GPL-2.0
/*
 * The sessions that want an event, where more than one may.
 *
 * One time stamp does for all of them: all their buffers are looked into before
 * it is taken, and each reservation succeeds only if nothing has changed since,
 * as it would for one session.  Where something has, that session's record gets
 * a later one.
 */
#include <linux/bitops.h>
#include <linux/smp.h>

#include "targets.h"

/* Find who wants the event, and look into their buffers; the end of them */
static __always_inline struct evnt_reservation *
find_all(struct evnt_targets *t, const struct evnt_enable_set *set,
	 const struct evntprov_write *arg)
{
	const struct evnt_enablement *e = set->e, *end = e + set->count;
	struct evnt_reservation *at = t->at;
	const struct evnt_buffers *b;
	u32 cpu = smp_processor_id();

	for (; e < end; e++) {
		if (!evnt_wants(e, arg))
			continue;
		b = &e->session->buffers;
		if (!evnt_look(b, evnt_current(b, cpu), at))
			at->state = STATE_FULL;
		at++;
	}
	t->end = at;
	return at;
}

/**
 * evnt_targets_exist() - whether there is anybody to miss an event
 * @t: filled in, as far as evnt_targets_count_lost() needs it
 * @set: who has enabled its provider
 * @arg: the event
 */
bool evnt_targets_exist(struct evnt_targets *t,
			const struct evnt_enable_set *set,
			const struct evntprov_write *arg)
{
	return find_all(t, set, arg) > t->at;
}

/* The other way round, so that each is the last in its buffer */
static void discard(const struct evnt_targets *t,
		    const struct evnt_reservation *end, u32 size)
{
	while (end > t->at) {
		end--;
		evnt_discard(end->buffer->owner, size, end);
	}
}

/* Reserve for a target as if nobody had looked */
static noinline int reserve_again(struct evnt_targets *t,
				  struct evnt_reservation *at, u32 len)
{
	s64 time;
	int err;

	err = evnt_reserve_slowly(at->buffer->owner, smp_processor_id(), len,
				  at, &time);
	if (err) {
		discard(t, at, len);
		return err;
	}
	*evnt_record_time(evnt_record(at)) = time;
	t->stamped |= BIT_ULL(at - t->at);
	return 0;
}

/**
 * evnt_targets_reserve() - reserve for all who want an event, or for none
 * @t: filled in
 * @set: who has enabled its provider
 * @arg: the event
 * @size: of the record in bytes, without padding
 *
 * The caller stays on its CPU until it has committed or discarded.
 *
 * Return: the time stamp of the first; 0 when nobody wants the event, or what
 * evnt_reserve() returns.
 */
s64 evnt_targets_reserve(struct evnt_targets *t,
			 const struct evnt_enable_set *set,
			 const struct evntprov_write *arg, u32 size)
{
	const u32 len = ALIGN(size, ETL_ALIGN);
	struct evnt_reservation *at, *end;
	const struct evnt_buffers *b;
	int err;
	s64 ns;

	static_assert(EVNTRACE_MAX_SESSIONS <= 64);
	end = find_all(t, set, arg);
	ns = evnt_monotonic_ns();
	t->time = ns;
	t->stamped = 0;
	for (at = t->at; at < end; at++) {
		b = at->buffer->owner;
		if (unlikely(!evnt_claim(b, at, len))) {
			err = reserve_again(t, at, len);
			if (err)
				return err;
		} else if (unlikely(b->clock_type != EVNT_CLOCK_QPC)) {
			*evnt_record_time(evnt_record(at)) =
				evnt_clock_at(b, ns);
			t->stamped |= BIT_ULL(at - t->at);
		}
	}
	if (unlikely(t->stamped))
		return evnt_targets_time(t, t->at);
	return likely(end > t->at) ? ns : 0;
}

/**
 * evnt_targets_discard() - what was reserved will not be written
 * @t: the targets
 * @size: as it was reserved
 */
void evnt_targets_discard(const struct evnt_targets *t, u32 size)
{
	discard(t, t->end, size);
}

/**
 * evnt_targets_count_lost() - all who want an event do not get it
 * @t: the targets
 * @cpu: the CPU that the caller runs on
 */
void evnt_targets_count_lost(const struct evnt_targets *t, u32 cpu)
{
	const struct evnt_reservation *at;

	for (at = t->at; at < t->end; at++)
		evnt_count_lost(at->buffer->owner, cpu);
}
