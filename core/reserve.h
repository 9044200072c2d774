/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Fast path of a session's buffers: reserve and commit, inline.
 *
 * buffer.c describes the algorithm, and contains the slow path: closing a full
 * buffer, and finding a free one.
 */
#ifndef EVNT_RESERVE_H
#define EVNT_RESERVE_H

#include "core/buffer.h"

#define STATE_OFFSET		((1ULL << 25) - 1)
#define STATE_REF		BIT_ULL(25)
#define STATE_REFS		(((1ULL << 14) - 1) << 25)
#define STATE_CLOSED		BIT_ULL(39)
#define STATE_GEN_SHIFT		40
#define STATE_GEN_MASK		((1ULL << 18) - 1)
#define STATE_UNDONE		BIT_ULL(58)

/* State in which every reservation fails for lack of room */
#define STATE_FULL		((s64)STATE_OFFSET)

/*
 * Name of a CPU's current buffer initially: buffer 0 in a generation beyond
 * STATE_GEN_MASK, which no buffer ever has.  Or-ed to a name, it makes the name
 * invalid.
 */
#define NO_BUFFER		((s64)(STATE_GEN_MASK + 1) << 33)

static inline u32 state_offset(u64 state)
{
	return state & STATE_OFFSET;
}

static inline u64 state_generation(u64 state)
{
	return (state >> STATE_GEN_SHIFT) & STATE_GEN_MASK;
}

/* Name of a buffer as a CPU's current one; see evnt_is_current() */
static inline s64 evnt_name(u64 generation, u32 index)
{
	return generation << 33 | index;
}

/* Return the name of a CPU's current buffer, or a NO_BUFFER name */
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
 * Return whether the buffer with this state still has this name, and is open.
 * The upper half of a name equals the state of an open buffer from STATE_CLOSED
 * upwards, without STATE_UNDONE.
 */
static inline bool evnt_is_current(u64 state, s64 name)
{
	u64 open = state & (STATE_GEN_MASK << STATE_GEN_SHIFT | STATE_CLOSED);

	static_assert(STATE_CLOSED == BIT_ULL(STATE_GEN_SHIFT - 1));
	return open >> (STATE_GEN_SHIFT - 1) == (u64)name >> 32;
}

void evnt_buffer_retire(struct evnt_buffers *b, struct evnt_buffer *buf);
int evnt_reserve_slowly(struct evnt_buffers *b, u32 cpu, u32 len,
			struct evnt_reservation *r, s64 *time);

/* Return the address of a reserved record */
static inline u8 *evnt_record(const struct evnt_reservation *r)
{
	return r->buffer->data + state_offset(r->state);
}

/*
 * Load the state of the buffer with this name.  Returns false if the buffer is
 * closed, or was closed and is in use elsewhere because this CPU has found no
 * free buffer to replace it.
 */
static __always_inline bool evnt_look(const struct evnt_buffers *b, s64 name,
				      struct evnt_reservation *r)
{
	r->buffer = evnt_current_buffer(b, name);
	/* Acquire: the clock must not be read before the state */
	r->state = atomic64_read_acquire(&r->buffer->state);
	return likely(evnt_is_current(r->state, name));
}

/*
 * Reserve room in the buffer loaded by evnt_look().  Returns false if there is
 * not enough room, or the state has changed since.  On success, a time stamp
 * read between the two calls is valid for the record.
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
 * evnt_reserve() - reserve a record in the current buffer of a CPU
 * @b: buffers of the session
 * @cpu: current CPU
 * @size: size of the record in bytes, without padding
 * @r: filled in
 * @time: set to the time stamp of the record, in the session's clock
 *
 * The caller must stay on the CPU until evnt_commit() or evnt_discard(), and
 * must also write the padding.  Any context.  An error is not counted as a loss
 * here.
 *
 * Return: 0, -EMSGSIZE if no buffer can hold the record, or -ENOBUFS if no
 * buffer is free.
 */
static __always_inline int evnt_reserve(struct evnt_buffers *b, u32 cpu,
					u32 size, struct evnt_reservation *r,
					s64 *time)
{
	u32 len = ALIGN(size, ETL_ALIGN);
	/* Separate variables, so that @r and @time can stay in registers */
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
	/* Not set on error: NOLINTNEXTLINE(clang-analyzer-*) */
	*time = slow_time;
	return err;
}

/* As evnt_reserve(), for records of a lane: they have their time stamps */
static __always_inline int evnt_reserve_untimed(struct evnt_buffers *b,
						u32 cpu, u32 size,
						struct evnt_reservation *r)
{
	s64 time;

	if (likely(evnt_look(b, evnt_current(b, cpu), r) &&
		   evnt_claim(b, r, ALIGN(size, ETL_ALIGN))))
		return 0;
	return evnt_reserve_slowly(b, cpu, ALIGN(size, ETL_ALIGN), r, &time);
}

static __always_inline void evnt_buffer_unref(struct evnt_buffers *b,
					      struct evnt_buffer *buf)
{
	u64 before = atomic64_fetch_sub(STATE_REF, &buf->state);	/* (A) */

	if (unlikely(before & STATE_CLOSED) &&
	    (before & STATE_REFS) == STATE_REF)
		evnt_buffer_retire(b, buf);
}

/**
 * evnt_commit() - complete a reserved record
 * @b: buffers of the session
 * @cpu: CPU that it was reserved on
 * @r: reservation; the record must not be accessed afterwards
 */
static __always_inline void evnt_commit(struct evnt_buffers *b, u32 cpu,
					const struct evnt_reservation *r)
{
	local64_inc(&b->cpus[cpu].events);
	evnt_buffer_unref(b, r->buffer);
}

/**
 * evnt_write_record() - reserve, fill and commit a record
 * @b: buffers of the session
 * @cpu: current CPU
 * @size: size of the record in bytes, without padding
 * @fill: writes the record and its padding; returns 0 or a negative errno, on
 *	which the record is discarded.  A constant, so that it is inlined.
 * @source: last argument of @fill
 *
 * The caller must stay on the CPU.  Any context.  An error is not counted as a
 * loss here.
 *
 * Return: 0, an error of evnt_reserve() or of @fill, or -EOVERFLOW if @size
 * exceeds the limit of the format.
 */
static __always_inline int
evnt_write_record(struct evnt_buffers *b, u32 cpu, u64 size,
		  int (*fill)(u8 *record, u32 size, s64 time, void *source),
		  void *source)
{
	struct evnt_reservation at __uninitialized;
	/* Constant, but the compiler would load @cpus again to count the event */
	struct evnt_cpu *const c = &b->cpus[cpu];
	s64 time;
	int err;

	if (unlikely(size > ETL_MAX_RECORD))
		return -EOVERFLOW;
	err = evnt_reserve(b, cpu, size, &at, &time);
	if (unlikely(err))
		return err;
	err = fill(evnt_record(&at), size, time, source);
	if (unlikely(err)) {
		evnt_discard(b, size, &at);
		return err;
	}
	local64_inc(&c->events);
	evnt_buffer_unref(b, at.buffer);
	return 0;
}

#endif /* EVNT_RESERVE_H */
