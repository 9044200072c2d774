/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A session's buffers: reserve, commit, switch, pool, loss counters.
 *
 * Owns the memory that records are written to.  Knows nothing of what a record
 * says, of providers, or of where finished buffers go: it calls @notify when
 * there are some.  See buffer.c for how it works.
 */
#ifndef EVNT_BUFFER_H
#define EVNT_BUFFER_H

#include "etl.h"

#define EVNT_CLOCK_QPC		1u
#define EVNT_CLOCK_SYSTEM_TIME	2u

/**
 * struct evnt_buffer - what is known of one buffer beside its memory
 * @state: offset, writers inside, closed or not, generation; see buffer.c
 * @data: the buffer as it will lie in the file
 * @owner: whose it is; constant
 * @since: when it was acquired, in the session's clock: no record in it, or in
 *	one with a higher sequence number, is older
 * @pending: the same, from when it is acquired until it is taken; else S64_MAX
 * @next: 1 + index of the buffer that was finished before this one, or 0;
 *	written by who finishes the buffer, read by who takes it
 * @holes: has reservations that were given up; set by a writer inside
 */
struct evnt_buffer {
	atomic64_t state;
	u8 *data;
	struct evnt_buffers *owner;
	s64 since;
	s64 pending;
	u32 next;
	bool holes;
} ____cacheline_aligned;

/* Why an event that was wanted is given up */
enum evnt_loss {
	EVNT_LOST_NO_BUFFER,	/* none was free */
	EVNT_LOST_TOO_LARGE,	/* for any buffer, or for the format */
	EVNT_LOST_UNREADABLE,	/* its pages kept vanishing */
	EVNT_LOSSES
};

static inline enum evnt_loss evnt_loss_of(int err)
{
	switch (err) {
	case -ENOBUFS:
		return EVNT_LOST_NO_BUFFER;
	case -EFAULT:
		return EVNT_LOST_UNREADABLE;
	default:
		return EVNT_LOST_TOO_LARGE;
	}
}

/**
 * struct evnt_cpu - one CPU's share; no other CPU writes it in common cases
 * @current_buffer: generation and index of the buffer that records go to
 * @events: events committed
 * @lost: events given up, by kind
 * @near: the first of the buffers that are near to it; constant
 */
struct evnt_cpu {
	atomic64_t current_buffer;
	local64_t events;
	local64_t lost[EVNT_LOSSES];
	u32 near;
} ____cacheline_aligned;

/**
 * struct evnt_buffers - all buffers of a session
 * @cpus: a struct evnt_cpu for each CPU
 * @buffers: the buffers
 * @free_map: a bit for each buffer: set when it is free
 * @nr_cpus: elements of @cpus
 * @nr_buffers: those of @buffers that have memory, the first ones; grows
 * @capacity: elements of @buffers
 * @buffer_size: bytes, a multiple of ETL_ALIGN
 * @logger_id: the session's id, as the buffers' headers say it
 * @is_shared: all CPUs have one current buffer
 * @clock_type: EVNT_CLOCK_*
 * @notify: called, in any context, when the first finished buffer waits
 * @reclaim: called, in any context, when no buffer is free: makes one free, or
 *	returns false; or NULL
 * @cuts: how often evnt_buffers_cut() was called; its caller's
 * @sequence: last sequence number that was given out
 * @full: 1 + index of the buffer finished last, the head of a stack; or 0
 *
 * All up to @reclaim is constant once evnt_buffers_init() has returned, but for
 * what evnt_buffers_grow() adds.
 */
struct evnt_buffers {
	struct evnt_cpu *cpus;
	struct evnt_buffer *buffers;
	unsigned long *free_map;
	u32 nr_cpus;
	u32 nr_buffers;
	u32 capacity;
	u32 buffer_size;
	bool is_shared;
	u16 logger_id;
	u16 clock_type;
	void (*notify)(struct evnt_buffers *b);
	bool (*reclaim)(struct evnt_buffers *b);
	u64 cuts;

	atomic64_t sequence ____cacheline_aligned;
	atomic_t full;
};

/**
 * struct evnt_reservation - room for one record
 * @buffer: the buffer that it is in
 * @state: that of the buffer before: its offset is where the record goes
 */
struct evnt_reservation {
	struct evnt_buffer *buffer;
	s64 state;
};

/**
 * struct evnt_extent - what is in a finished buffer
 * @records: how many records
 * @first: time stamp of the first one
 * @last: time stamp of the last one
 */
struct evnt_extent {
	u32 records;
	s64 first;
	s64 last;
};

int evnt_buffers_init(struct evnt_buffers *b);
int evnt_buffers_grow(struct evnt_buffers *b, u32 count);
void evnt_buffers_destroy(struct evnt_buffers *b);

/* What writers of records need is in reserve.h; but for this */
void evnt_discard(struct evnt_buffers *b, u32 size,
		  const struct evnt_reservation *r);

void evnt_buffers_close(struct evnt_buffers *b);
s64 evnt_buffers_cut(struct evnt_buffers *b);
void evnt_buffers_close_older(struct evnt_buffers *b, u32 distance);
s64 evnt_buffers_watermark(const struct evnt_buffers *b);
struct evnt_buffer *evnt_buffers_take(struct evnt_buffers *b);
struct evnt_buffer *evnt_buffers_split(struct evnt_buffers *b,
				       struct evnt_buffer *buf, s64 last,
				       struct evnt_buffer **newer);
struct evnt_buffer *evnt_buffer_next(struct evnt_buffers *b,
				     const struct evnt_buffer *buf);
bool evnt_buffer_finish(struct evnt_buffers *b, struct evnt_buffer *buf,
			u16 flag);
void evnt_buffer_free(struct evnt_buffers *b, struct evnt_buffer *buf);

struct evnt_extent evnt_buffer_extent(const u8 *data);
bool evnt_buffer_is_sound(const u8 *data, u32 size);
u32 evnt_buffer_cut(u8 *data, s64 after, s64 until);
u32 evnt_buffers_free_count(const struct evnt_buffers *b);
u64 evnt_buffers_events(const struct evnt_buffers *b);
u64 evnt_buffers_lost_by(const struct evnt_buffers *b, enum evnt_loss kind);
u64 evnt_buffers_lost(const struct evnt_buffers *b);

/* The system's time as a FILETIME, in any context; when it is set, it may go back */
static inline s64 evnt_system_time(void)
{
	return evnt_real_ns() / 100 + ETL_FILETIME_EPOCH;
}

/* The session's clock, in any context */
static inline s64 evnt_clock(const struct evnt_buffers *b)
{
	if (likely(b->clock_type == EVNT_CLOCK_QPC))
		return evnt_boot_ns();
	return evnt_system_time();
}

/* An event that was wanted is given up; any context */
static inline void evnt_count_lost(struct evnt_buffers *b, u32 cpu,
				   enum evnt_loss kind)
{
	local64_inc(&b->cpus[cpu].lost[kind]);
}

#endif /* EVNT_BUFFER_H */
