/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A session's buffers: reserve and commit, inline as far as nothing is in the
 * way.
 *
 * buffer.c says how it works, and has what is left: closing a full buffer, and
 * finding a free one.
 */
#ifndef EVNT_RESERVE_H
#define EVNT_RESERVE_H

#include "buffer.h"

#define STATE_OFFSET		((1ULL << 25) - 1)
#define STATE_REF		BIT_ULL(25)
#define STATE_REFS		(((1ULL << 14) - 1) << 25)
#define STATE_CLOSED		BIT_ULL(39)
#define STATE_GEN_SHIFT		40
#define STATE_GEN_MASK		((1ULL << 18) - 1)
#define STATE_UNDONE		BIT_ULL(58)

/* A state that nothing can be reserved in */
#define STATE_FULL		((s64)STATE_OFFSET)

/*
 * A CPU's buffer at first, and after a cut: the first one, in a generation that
 * never comes, of which there are some.
 */
#define NO_BUFFER		((s64)(STATE_GEN_MASK + 1) << 33)
#define NO_BUFFER_CUT(n)	((s64)((u64)NO_BUFFER | (u64)(n) << 52))

static inline u32 state_offset(u64 state)
{
	return state & STATE_OFFSET;
}

static inline u64 state_generation(u64 state)
{
	return (state >> STATE_GEN_SHIFT) & STATE_GEN_MASK;
}

/* The name of a buffer that is a CPU's current one; see evnt_is_current() */
static inline s64 evnt_name(u64 generation, u32 index)
{
	return generation << 33 | index;
}

/* The name of a CPU's current buffer, or a NO_BUFFER */
static inline s64 evnt_current(const struct evnt_buffers *b, u32 cpu)
{
	return atomic64_read_acquire(&b->cpus[cpu].current_buffer);	/* (B) */
}

static inline struct evnt_buffer *
evnt_current_buffer(const struct evnt_buffers *b, s64 name)
{
	return &b->buffers[(u32)name];
}

/*
 * Whether the buffer of this state still is what @name says, and open.  The
 * upper half of a name is the part of the state from STATE_CLOSED on, without
 * what was undone, as it is in an open buffer.
 */
static inline bool evnt_is_current(u64 state, s64 name)
{
	u64 open = state & (STATE_GEN_MASK << STATE_GEN_SHIFT | STATE_CLOSED);

	static_assert(STATE_CLOSED == BIT_ULL(STATE_GEN_SHIFT - 1));
	return open >> (STATE_GEN_SHIFT - 1) == (u64)name >> 32;
}

void evnt_hand_on(struct evnt_buffers *b, struct evnt_buffer *buf);
int evnt_reserve_slowly(struct evnt_buffers *b, u32 cpu, u32 len,
			struct evnt_reservation *r, s64 *time);

/* Where a reserved record goes */
static inline u8 *evnt_record(const struct evnt_reservation *r)
{
	return r->buffer->data + state_offset(r->state);
}

/*
 * Look into the buffer of this name.  False when it is closed; or was closed,
 * and is in use elsewhere since, while this CPU found no free one to follow it.
 */
static __always_inline bool evnt_look(const struct evnt_buffers *b, s64 name,
				      struct evnt_reservation *r)
{
	r->buffer = evnt_current_buffer(b, name);
	/* An acquire, for the clock is read after it */
	r->state = atomic64_read_acquire(&r->buffer->state);
	return likely(evnt_is_current(r->state, name));
}

/*
 * Reserve in the buffer that evnt_look() has found.  False when it has not the
 * room, or has changed since.  A time stamp that was read in between is the
 * record's.
 */
static __always_inline bool evnt_claim(const struct evnt_buffers *b,
				       const struct evnt_reservation *r,
				       u32 len)
{
	s64 state = r->state;

	return likely(state_offset(state) + len <= b->buffer_size &&
		      atomic64_try_cmpxchg(&r->buffer->state, &state,
					   state + len + STATE_REF));
}

/**
 * evnt_reserve() - find room for a record in the current buffer of a CPU
 * @b: the session's buffers
 * @cpu: the CPU that the caller runs on
 * @size: the record's size in bytes, without padding
 * @r: filled in
 * @time: filled in: the record's time stamp, in the session's clock
 *
 * The caller stays on its CPU until evnt_commit() or evnt_discard(), and writes
 * the padding, too.  Any context.
 *
 * Return: 0, -EMSGSIZE when no buffer can hold the record, or -ENOBUFS when
 * none is free.  Nothing is counted.
 */
static __always_inline int evnt_reserve(struct evnt_buffers *b, u32 cpu,
					u32 size, struct evnt_reservation *r,
					s64 *time)
{
	u32 len = ALIGN(size, ETL_ALIGN);
	/* Others, so that registers do for @r and @time */
	struct evnt_reservation slow __uninitialized;
	s64 slow_time __uninitialized;
	int err;

	if (likely(evnt_look(b, evnt_current(b, cpu), r))) {
		*time = evnt_clock(b);
		if (likely(evnt_claim(b, r, len)))
			return 0;
	}
	err = evnt_reserve_slowly(b, cpu, len, &slow, &slow_time);
	*r = slow;
	/* No time with an error: NOLINTNEXTLINE(clang-analyzer-*) */
	*time = slow_time;
	return err;
}

static __always_inline void evnt_leave(struct evnt_buffers *b,
				       struct evnt_buffer *buf)
{
	u64 before = atomic64_fetch_sub(STATE_REF, &buf->state);	/* (A) */

	if (unlikely(before & STATE_CLOSED) &&
	    (before & STATE_REFS) == STATE_REF)
		evnt_hand_on(b, buf);
}

/**
 * evnt_commit() - a reserved record is complete
 * @b: the session's buffers
 * @cpu: the CPU that it was reserved on
 * @r: what evnt_reserve() filled in; the record is not touched any more
 */
static __always_inline void evnt_commit(struct evnt_buffers *b, u32 cpu,
					const struct evnt_reservation *r)
{
	local64_inc(&b->cpus[cpu].events);
	evnt_leave(b, r->buffer);
}

#endif /* EVNT_RESERVE_H */
