// SPDX-License-Identifier: GPL-2.0
/*
 * The sessions that want an event, where more than one may.
 *
 * One time stamp in each clock does for all of them: all their buffers are looked
 * into before it is taken, and each reservation succeeds only if nothing has changed
 * since, as it would for one session.  Where something has, that session's record
 * gets a later one.
 */
#include <linux/bitops.h>
#include <linux/smp.h>

#include "targets.h"

/* Look into the buffers of a target, where it is to be reserved for it */
static __always_inline void look(const struct evnt_buffers *b, u32 cpu,
				 struct evnt_reservation *at)
{
	if (!evnt_look(b, evnt_current(b, cpu), at))
		at->state = STATE_FULL;
}

/* Find who wants the event, and look into their buffers; the end of them */
static __always_inline struct evnt_reservation *
find_all(struct evnt_targets *t, const struct evnt_enable_set *set,
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
 * evnt_targets_choose() - the caller knows who wants an event
 * @t: filled in
 * @set: who has enabled its provider
 * @chosen: those who want it, a bit each, by their place in @set
 */
void evnt_targets_choose(struct evnt_targets *t,
			 const struct evnt_enable_set *set, u64 chosen)
{
	u32 cpu = smp_processor_id();

	t->end = t->at;
	for (; chosen; chosen &= chosen - 1)
		look(&set->e[__ffs64(chosen)].session->buffers, cpu, t->end++);
}

/**
 * evnt_targets_exist() - whether there is anybody to miss an event
 * @t: filled in, as far as evnt_targets_count_lost() needs it
 * @set: who has enabled its provider
 * @r: the registration that it is written for
 * @arg: the event
 */
bool evnt_targets_exist(struct evnt_targets *t,
			const struct evnt_enable_set *set,
			const struct evnt_registration *r,
			const struct evntprov_write *arg)
{
	return find_all(t, set, r, arg) > t->at;
}

/* The size of a target's record: its own, or that of all */
static __always_inline u32 size_at(const struct evnt_targets *t,
				   const struct evnt_reservation *at,
				   const u32 *sizes, u32 size)
{
	return sizes ? sizes[at - t->at] : size;
}

/* The other way round, so that each is the last in its buffer */
static void discard(const struct evnt_targets *t,
		    const struct evnt_reservation *end, const u32 *sizes,
		    u32 size)
{
	while (end > t->at) {
		end--;
		evnt_discard(end->buffer->owner,
			     size_at(t, end, sizes, size), end);
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
	if (err)
		return err;
	*evnt_record_time(evnt_record(at)) = time;
	t->stamped |= BIT_ULL(at - t->at);
	return 0;
}

/* Reserve in all of them that were looked into, or in none */
static __always_inline s64 reserve_all(struct evnt_targets *t,
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
		/* Before it is claimed, as each time stamp is read */
		if (unlikely(b->clock_type != EVNT_CLOCK_QPC) && !filetime)
			filetime = evnt_system_time();
		if (unlikely(!evnt_claim(b, at, len))) {
			err = reserve_again(t, at, len);
			if (err) {
				t->failed = at - t->at;
				discard(t, at, sizes, size);
				return err;
			}
		} else if (unlikely(b->clock_type != EVNT_CLOCK_QPC)) {
			*evnt_record_time(evnt_record(at)) = filetime;
			t->stamped |= BIT_ULL(at - t->at);
		}
	}
	if (unlikely(t->stamped))
		return evnt_targets_time(t, t->at);
	return likely(end > t->at) ? ns : 0;
}

/**
 * evnt_targets_reserve() - reserve for all who want an event, or for none
 * @t: filled in
 * @set: who has enabled its provider
 * @r: the registration that it is written for
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
			 const struct evnt_registration *r,
			 const struct evntprov_write *arg, u32 size)
{
	return reserve_all(t, find_all(t, set, r, arg), NULL, size);
}

/**
 * evnt_targets_reserve_chosen() - reserve for all who were chosen, or for none
 * @t: as evnt_targets_choose() left it
 * @sizes: of their records in bytes, without padding
 *
 * Likewise.
 */
s64 evnt_targets_reserve_chosen(struct evnt_targets *t, const u32 *sizes)
{
	return reserve_all(t, t->end, sizes, 0);
}

/**
 * evnt_targets_discard() - what was reserved will not be written
 * @t: the targets
 * @sizes: as they were reserved, or NULL when all are of
 * @size: this size
 */
void evnt_targets_discard(const struct evnt_targets *t, const u32 *sizes,
			  u32 size)
{
	discard(t, t->end, sizes, size);
}

/**
 * evnt_targets_count_lost() - all who want an event do not get it
 * @t: the targets
 * @cpu: the CPU that the caller runs on
 * @kind: why
 */
void evnt_targets_count_lost(const struct evnt_targets *t, u32 cpu,
			     enum evnt_loss kind)
{
	const struct evnt_reservation *at;

	for (at = t->at; at < t->end; at++)
		evnt_count_lost(at->buffer->owner, cpu, kind);
}
