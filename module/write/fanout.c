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
 * Load the state of a session's current buffer; without one, have evnt_claim()
 * fail
 */
static __always_inline void look(const struct evnt_buffers *b, u32 cpu,
				 struct evnt_reservation *at)
{
	if (!evnt_look(b, evnt_current(b, cpu), at))
		at->state = STATE_FULL;
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
	return unlikely(t->stamped) ? evnt_fanout_time(t, t->at) : ns;
}

/**
 * evnt_fanout_reserve() - reserve in all sessions of an event, or in none
 * @t: filled in
 * @set: effective set of the registration
 * @chosen: bit mask of the sessions that want the event, by index in @set
 * @sizes: sizes of their records in bytes, without padding
 *
 * The caller must stay on its CPU until it has committed or discarded.
 *
 * Return: the time stamp of the first record, or an error of evnt_reserve().
 */
s64 evnt_fanout_reserve(struct evnt_fanout *t,
			const struct evnt_enable_set *set, u64 chosen,
			const u32 *sizes)
{
	u32 cpu = smp_processor_id();

	t->end = t->at;
	for (; chosen; chosen &= chosen - 1)
		look(&set->e[__ffs64(chosen)].session->buffers, cpu, t->end++);
	return reserve_all(t, t->end, sizes, 0);
}

/**
 * evnt_fanout_discard() - discard all reservations of a fan-out
 * @t: fan-out
 * @sizes: sizes passed to evnt_fanout_reserve()
 */
void evnt_fanout_discard(const struct evnt_fanout *t, const u32 *sizes)
{
	discard(t, t->end, sizes, 0);
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
	return at;
}

/* Copy the first record to the others, and commit all */
static __always_inline void commit_all(const struct evnt_fanout *t,
				       const struct evnt_reservation *end,
				       u32 size)
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
	struct evnt_event e __uninitialized;
	u64 size;
	u8 *first;
	s64 err;

	if (unlikely(!evnt_payload_is_valid(arg)))
		return -EINVAL;
	err = plain ? evnt_plain_measure(p->window, arg, &e.data_len) :
		      evnt_measure_items(&e, r, arg, p);
	if (unlikely(err))
		return err;
	size = plain ? sizeof(struct etl_event_header) + e.data_len :
		       evnt_record_len(&e);
	if (unlikely(size > ETL_MAX_RECORD))
		return -EOVERFLOW;
	err = reserve_all(t, end, NULL, size);
	if (unlikely(err < 0))
		return err;
	first = evnt_record(t->at);
	if (plain) {
		evnt_describe(&e, r, arg);
		err = evnt_plain_copy(p->window, arg,
				      evnt_record_put_header(first, size, &e,
							     err), e.data_len);
	} else {
		evnt_describe_any(&e, r, arg);
		err = evnt_payload_copy(p, &e, evnt_record_put(first, size, &e,
							       err));
	}
	if (likely(!err))
		commit_all(t, end, size);
	else
		discard(t, end, NULL, size);
	return err;
}

static __always_inline int write_to_all(const struct evnt_enable_set *set,
					const struct evnt_registration *r,
					const struct evntprov_write *arg,
					struct evnt_payload *p, bool plain)
{
	struct evnt_fanout t __uninitialized;
	struct evnt_reservation *end = find_all(&t, set, r, arg);
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
