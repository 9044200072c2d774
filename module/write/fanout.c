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

#include "module/write/fanout.h"

/*
 * Load the state of a session's current buffer; without one, have evnt_claim()
 * fail
 */
static __always_inline void look(const struct evnt_buffers *b, u32 cpu,
				 struct evnt_reservation *at)
{
	if (!evnt_look(b, evnt_current(b, cpu), at))
		at->state = STATE_FULL;
}

/*
 * Find the sessions that want the event, and load their buffers' states.
 * Returns the end of the list.
 */
static __always_inline struct evnt_reservation *
find_all(struct evnt_fanout *t, const struct evnt_enable_set *set,
	 const struct evnt_registration *r, const struct evntprov_write *arg)
{
	const struct evnt_enablement *e = set->e, *end = e + set->count;
	struct evnt_reservation *at = t->at;
	u32 cpu = smp_processor_id();

	for (; e < end; e++) {
		if (!evnt_wants(e, r, arg))
			continue;
		look(&e->session->buffers, cpu, at);
		at++;
	}
	t->end = at;
	return at;
}

/**
 * evnt_fanout_choose() - initialise a fan-out with given sessions
 * @t: filled in
 * @set: effective set of the registration
 * @chosen: bit mask of the sessions that want the event, by index in @set
 */
void evnt_fanout_choose(struct evnt_fanout *t,
			const struct evnt_enable_set *set, u64 chosen)
{
	u32 cpu = smp_processor_id();

	t->end = t->at;
	for (; chosen; chosen &= chosen - 1)
		look(&set->e[__ffs64(chosen)].session->buffers, cpu, t->end++);
}

/**
 * evnt_fanout_exist() - check whether any session would lose an event
 * @t: filled in as far as evnt_fanout_count_lost() needs it
 * @set: effective set of the registration
 * @r: registration
 * @arg: event
 *
 * Return: whether a session wants the event.
 */
bool evnt_fanout_exist(struct evnt_fanout *t,
		       const struct evnt_enable_set *set,
		       const struct evnt_registration *r,
		       const struct evntprov_write *arg)
{
	return find_all(t, set, r, arg) > t->at;
}

/* Return the size of a session's record: its own, or the common one */
static __always_inline u32 size_at(const struct evnt_fanout *t,
				   const struct evnt_reservation *at,
				   const u32 *sizes, u32 size)
{
	return sizes ? sizes[at - t->at] : size;
}

/* Discard in reverse order, so that each is the last in its buffer */
static void discard(const struct evnt_fanout *t,
		    const struct evnt_reservation *end, const u32 *sizes,
		    u32 size)
{
	while (end > t->at) {
		end--;
		evnt_discard(end->buffer->owner,
			     size_at(t, end, sizes, size), end);
	}
}

/*
 * Reserve in a session whose clock is not the common one, or whose buffer has
 * changed since it was loaded.  @filetime is the time stamp of the other clock,
 * or 0 if nothing has read it yet.
 */
static noinline int reserve_separately(struct evnt_fanout *t,
				       struct evnt_reservation *at, u32 len,
				       s64 *filetime)
{
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
		if (err)
			return err;
	}
	*evnt_record_time(evnt_record(at)) = time;
	t->stamped |= BIT_ULL(at - t->at);
	return 0;
}

/* Reserve in all sessions whose buffers were loaded, or in none */
static __always_inline s64 reserve_all(struct evnt_fanout *t,
				       struct evnt_reservation *end,
				       const u32 *sizes, u32 size)
{
	struct evnt_reservation *at;
	const struct evnt_buffers *b;
	s64 ns = evnt_boot_ns(), filetime = 0;
	u32 len;
	int err;

	static_assert(EVNTRACE_MAX_SESSIONS <= 64);
	t->time = ns;
	t->stamped = 0;
	for (at = t->at; at < end; at++) {
		b = at->buffer->owner;
		len = ALIGN(size_at(t, at, sizes, size), ETL_ALIGN);
		if (likely(b->clock_type == EVNT_CLOCK_QPC &&
			   evnt_claim(b, at, len)))
			continue;
		err = reserve_separately(t, at, len, &filetime);
		if (err) {
			t->failed = at - t->at;
			discard(t, at, sizes, size);
			return err;
		}
	}
	if (unlikely(t->stamped))
		return evnt_fanout_time(t, t->at);
	return likely(end > t->at) ? ns : 0;
}

/**
 * evnt_fanout_reserve() - reserve in all sessions of an event, or in none
 * @t: filled in
 * @set: effective set of the registration
 * @r: registration
 * @arg: event
 * @size: size of the record in bytes, without padding
 *
 * The caller must stay on its CPU until it has committed or discarded.
 *
 * Return: the time stamp of the first record; 0 if no session wants the event;
 * or an error of evnt_reserve().
 */
s64 evnt_fanout_reserve(struct evnt_fanout *t,
			const struct evnt_enable_set *set,
			const struct evnt_registration *r,
			const struct evntprov_write *arg, u32 size)
{
	return reserve_all(t, find_all(t, set, r, arg), NULL, size);
}

/**
 * evnt_fanout_reserve_chosen() - reserve in all chosen sessions, or in none
 * @t: fan-out from evnt_fanout_choose()
 * @sizes: sizes of their records in bytes, without padding
 *
 * The caller must stay on its CPU until it has committed or discarded.
 *
 * Return: as evnt_fanout_reserve().
 */
s64 evnt_fanout_reserve_chosen(struct evnt_fanout *t, const u32 *sizes)
{
	return reserve_all(t, t->end, sizes, 0);
}

/**
 * evnt_fanout_discard() - discard all reservations of a fan-out
 * @t: fan-out
 * @sizes: sizes passed to evnt_fanout_reserve_chosen(), or NULL
 * @size: common size, if @sizes is NULL
 */
void evnt_fanout_discard(const struct evnt_fanout *t, const u32 *sizes,
			 u32 size)
{
	discard(t, t->end, sizes, size);
}

/**
 * evnt_fanout_count_lost() - count an event as lost in a whole fan-out
 * @t: fan-out
 * @cpu: current CPU
 * @kind: cause of the loss
 */
void evnt_fanout_count_lost(const struct evnt_fanout *t, u32 cpu,
			    enum evnt_loss kind)
{
	const struct evnt_reservation *at;

	for (at = t->at; at < t->end; at++)
		evnt_count_lost(at->buffer->owner, cpu, kind);
}
