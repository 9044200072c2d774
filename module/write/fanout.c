// SPDX-License-Identifier: GPL-2.0
/*
 * Fan-out: the sessions that want an event, if there may be several.
 *
 * One time stamp per clock serves all of them.  The states of all their buffers
 * are loaded before it is read, and each reservation succeeds only if its
 * buffer has not changed since, as for a single session.  If it has, the record
 * of that session gets a later time stamp.
 */
#include <linux/bitops.h>
#include <linux/smp.h>
#include <linux/uaccess.h>

#include "module/write/event.h"
#include "module/write/fanout.h"

/*
 * Discard the reservations before @end, in reverse order, so that each is the last
 * in its buffer.  @sizes is the argument of evnt_fanout_reserve(); if it is NULL, all
 * have @size.
 */
noinline void evnt_fanout_discard(const struct evnt_fanout *t,
				  const struct evnt_reservation *end,
				  const u32 *sizes, u32 size)
{
	while (end > t->at) {
		end--;
		evnt_discard(end->buffer->owner,
			     evnt_fanout_size(t, end, sizes, size), end);
	}
}

/*
 * Reserve in a session whose clock is not the common one, or whose buffer has
 * changed since it was loaded.  @filetime is the time stamp of the other clock,
 * or 0 if nothing has read it yet.  If this fails, the sessions before it are left
 * without a reservation, too.
 */
noinline int evnt_fanout_reserve_one(struct evnt_fanout *t,
				     struct evnt_reservation *at,
				     const u32 *sizes, u32 size, s64 *filetime)
{
	const u32 len = ALIGN(evnt_fanout_size(t, at, sizes, size), ETL_ALIGN);
	struct evnt_buffers *b = at->buffer->owner;
	s64 time;
	int err;

	if (b->clock_type != EVNT_CLOCK_QPC) {
		/* Before the claim, as for each time stamp */
		if (!*filetime)
			*filetime = evnt_system_time();
		time = *filetime;
	}
	if (b->clock_type == EVNT_CLOCK_QPC || !evnt_claim(b, at, len)) {
		err = evnt_reserve_slowly(b, smp_processor_id(), len, at,
					  &time);
		if (err) {
			t->failed = at - t->at;
			evnt_fanout_discard(t, at, sizes, size);
			return err;
		}
	}
	*evnt_record_time(evnt_record(at)) = time;
	t->stamped |= BIT_ULL(at - t->at);
	return 0;
}

/**
 * evnt_fanout_reserve() - reserve in all sessions of an event, or in none
 * @t: filled in
 * @set: effective set of the registration
 * @chosen: bit mask of the sessions that want the event, by index in @set; not 0
 * @sizes: sizes of their records in bytes, without padding
 *
 * The caller must stay on its CPU until it has committed or discarded.
 *
 * Return: 0 or an error of evnt_reserve().
 */
int evnt_fanout_reserve(struct evnt_fanout *t,
			const struct evnt_enable_set *set, u64 chosen,
			const u32 *sizes)
{
	u32 cpu = smp_processor_id();

	t->end = t->at;
	for (; chosen; chosen &= chosen - 1)
		evnt_fanout_look(&set->e[__ffs64(chosen)].session->buffers, cpu, t->end++);
	return evnt_fanout_reserve_all(t, t->end, sizes, 0);
}

/*
 * Write the event to the sessions that were found.  @plain is a constant: the
 * event is plain data.  Returns 0 or an error.
 */
static __always_inline int write_all(struct evnt_fanout *t,
				     struct evnt_reservation *end,
				     const struct evnt_registration *r,
				     const struct evntprov_write *arg,
				     struct evnt_payload *p, bool plain)
{
	struct evnt_source s __uninitialized;
	int err;

	if (unlikely(!evnt_payload_is_valid(arg)))
		return -EINVAL;
	s.r = r;
	s.arg = arg;
	s.p = p;
	if (plain) {
		err = evnt_plain_measure(p->window, arg, &s.e.data_len);
		return likely(!err) ?
			evnt_fanout_put(t, end, sizeof(struct etl_event_header) +
					s.e.data_len, evnt_fill_plain, &s) : err;
	}
	err = evnt_measure_items(&s.e, r, arg, p);
	return likely(!err) ? evnt_fanout_put(t, end, evnt_record_len(&s.e),
					      evnt_fill_any, &s) : err;
}

static __always_inline int write_to_all(const struct evnt_enable_set *set,
					const struct evnt_registration *r,
					const struct evntprov_write *arg,
					struct evnt_payload *p, bool plain)
{
	struct evnt_fanout t __uninitialized;
	struct evnt_reservation *end = evnt_fanout_find(&t, set, r,
							&arg->descriptor,
							&arg->flags,
							arg->exclude);
	int err;

	if (unlikely(end == t.at))
		return 0;
	pagefault_disable();
	err = write_all(&t, end, r, arg, p, plain);
	pagefault_enable();
	return err;
}

static noinline int write_any(const struct evnt_enable_set *set,
			      const struct evnt_registration *r,
			      const struct evntprov_write *arg,
			      struct evnt_payload *p)
{
	return write_to_all(set, r, arg, p, false);
}

/**
 * evnt_fanout_write() - write identical records to all sessions, or to none
 * @set: effective set of the registration, without filters and items
 * @r: registration
 * @arg: event
 * @p: payload
 * @first: if the registration has plain data, so does the event
 *
 * This is only an attempt for the usual case.  On any failure nothing has been
 * written and no loss is counted: evnt_write_many() decides then.
 *
 * Context: Preemption is disabled.
 *
 * Return: 0 or a negative errno.
 */
int evnt_fanout_write(const struct evnt_enable_set *set,
		      const struct evnt_registration *r,
		      const struct evntprov_write *arg, struct evnt_payload *p,
		      bool first)
{
	if (first && evnt_is_plain(r))
		return write_to_all(set, r, arg, p, true);
	return write_any(set, r, arg, p);
}
