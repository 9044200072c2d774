/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A session's buffers: reserve, commit, switch, pool, loss counters.
 *
 * Owns the memory that records are written to.  Depends on neither the contents
 * of records, nor providers, nor the destination of finished buffers: @notify
 * is called when there are some.  The algorithm is described in buffer.c.
 */
#ifndef EVNT_BUFFER_H
#define EVNT_BUFFER_H

#include "core/etl.h"

#define EVNT_CLOCK_QPC		1u
#define EVNT_CLOCK_SYSTEM_TIME	2u

/**
 * struct evnt_buffer - state of one buffer
 * @state: offset, refs, closed bit and generation; see buffer.c
 * @data: the buffer in its file format
 * @owner: the session's buffers; constant
 * @since: time of acquisition in the session's clock, or of a lane earlier; no
 *	record in this buffer, or in a CPU's with a higher sequence number, is
 *	older
 * @sequence: number of the acquisition, as in the header of @data
 * @pending: equal to @since from acquisition until the buffer is taken,
 *	otherwise S64_MAX
 * @next: 1 + index of the buffer that was finished before this one, or 0;
 *	written by the context that hands the buffer on, read by the task that
 *	takes it
 * @copied: offset up to which evnt_buffer_copy() has copied it
 * @place: 1 + number of its copy in a circular log, or 0; written by the task
 *	that takes buffers
 * @holes: the buffer contains discarded reservations; set by their writers
 */
struct evnt_buffer {
	atomic64_t state;
	u8 *data;
	struct evnt_buffers *owner;
	s64 since;
	s64 sequence;
	s64 pending;
	u32 next;
	u32 copied;
	u64 place;
	bool holes;
} ____cacheline_aligned;

/* Reasons for the loss of an event that a session wanted */
enum evnt_loss {
	EVNT_LOST_NO_BUFFER,	/* no buffer was free */
	EVNT_LOST_TOO_LARGE,	/* larger than a buffer or the format permits */
	EVNT_LOST_UNREADABLE,	/* payload pages kept disappearing */
	EVNT_LOST_BLOCKED,	/* another session could not take it */
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
 * struct evnt_lost - events lost on one CPU for one reason
 * @count: number of events
 * @first: boot time in ns of the first loss after @reported, or 0
 * @last: boot time in ns of the last loss, or 0
 * @reported: number of events that were reported; belongs to the task that takes
 *	buffers
 */
struct evnt_lost {
	local64_t count;
	s64 first;
	s64 last;
	u64 reported;
};

/**
 * struct evnt_gap - losses of a struct evnt_lost that were not reported
 * @count: number of events
 * @first: boot time in ns of the first loss
 * @last: boot time in ns of the last loss
 */
struct evnt_gap {
	u64 count;
	s64 first;
	s64 last;
};

/**
 * struct evnt_cpu - data of one CPU, rarely written by other CPUs
 * @current_buffer: generation and index of the current buffer
 * @events: number of committed events
 * @filtered: number of events that filters refused
 * @near: index of the first buffer that is near to the CPU; constant
 * @since: for a lane, no record that is written from now on is older; written by
 *	its writer
 * @blocker: handle of the session that last kept this one from taking an event,
 *	or 0
 * @lost: lost events, by reason
 * @events_alone: number of committed events that are not in @events, of writers
 *	that exclude each other
 */
struct evnt_cpu {
	atomic64_t current_buffer;
	local64_t events;
	local64_t filtered;
	u32 near;
	s64 since;
	u64 blocker;
	struct evnt_lost lost[EVNT_LOSSES];
	u64 events_alone;
} ____cacheline_aligned;

/**
 * struct evnt_buffers - all buffers of a session
 * @cpus: one struct evnt_cpu for each CPU
 * @buffers: array of buffers
 * @free_map: one bit for each buffer, set if the buffer is free
 * @nr_cpus: number of elements of @cpus
 * @nr_lanes: number of lanes, the last elements of @cpus; see buffer.c
 * @nr_buffers: number of elements of @buffers that have memory; only grows
 * @capacity: number of elements of @buffers
 * @buffer_size: bytes, a multiple of ETL_ALIGN
 * @logger_id: id of the session in the buffer headers
 * @is_shared: all CPUs share one current buffer
 * @clock_type: EVNT_CLOCK_*
 * @notify: called in any context when the stack of finished buffers becomes
 *	non-empty
 * @reclaim: called in any context when no buffer is free; frees a buffer or
 *	returns false; may be NULL
 * @sequence: last sequence number used
 * @full: 1 + index of the buffer finished last, which heads a stack, or 0
 *
 * All members up to @reclaim are constant after evnt_buffers_init(), except for
 * what evnt_buffers_grow() adds.
 */
struct evnt_buffers {
	struct evnt_cpu *cpus;
	struct evnt_buffer *buffers;
	unsigned long *free_map;
	u32 nr_cpus;
	u32 nr_lanes;
	u32 nr_buffers;
	u32 capacity;
	u32 buffer_size;
	bool is_shared;
	u16 logger_id;
	u16 clock_type;
	void (*notify)(struct evnt_buffers *b);
	bool (*reclaim)(struct evnt_buffers *b);

	atomic64_t sequence ____cacheline_aligned;
	atomic_t full;
};

/**
 * struct evnt_reservation - space reserved for one record
 * @buffer: buffer that contains the space
 * @state: state of the buffer before the reservation; its offset is the
 *	record's
 */
struct evnt_reservation {
	struct evnt_buffer *buffer;
	s64 state;
};

/**
 * struct evnt_extent - contents of a finished buffer
 * @records: number of records, without those about processes and losses
 * @first: time stamp of the first record
 * @last: time stamp of the last record
 */
struct evnt_extent {
	u32 records;
	s64 first;
	s64 last;
};

int evnt_buffers_init(struct evnt_buffers *b);
int evnt_buffers_grow(struct evnt_buffers *b, u32 count);
void evnt_buffers_destroy(struct evnt_buffers *b);

/* The rest of the writer's interface is in reserve.h */
void evnt_discard(struct evnt_buffers *b, u32 size,
		  const struct evnt_reservation *r);
void evnt_shorten(struct evnt_buffers *b, u32 size, u32 kept,
		  const struct evnt_reservation *r);

void evnt_buffers_close(struct evnt_buffers *b);
void evnt_buffers_close_older(struct evnt_buffers *b, u32 distance);
s64 evnt_buffers_watermark(const struct evnt_buffers *b);
struct evnt_buffer *evnt_buffers_take_more(struct evnt_buffers *b,
					   struct evnt_buffer *list);
bool evnt_buffers_part(struct evnt_buffers *b, s64 last,
		       struct evnt_buffer **list);
void evnt_buffers_bound(struct evnt_buffers *b, struct evnt_buffer *list,
			s64 mark);
struct evnt_buffer *evnt_buffer_next(struct evnt_buffers *b,
				     const struct evnt_buffer *buf);
struct evnt_buffer *evnt_buffer_copy(struct evnt_buffers *b, u32 cpu, u8 *copy);
bool evnt_buffer_finish(struct evnt_buffers *b, struct evnt_buffer *buf,
			u16 flag);
bool evnt_buffer_recover(u8 *data, u32 size);
void evnt_buffer_free(struct evnt_buffers *b, struct evnt_buffer *buf);

struct evnt_extent evnt_buffer_extent(const u8 *data);
bool evnt_buffer_is_sound(const u8 *data, u32 size);
u32 evnt_buffer_cut(u8 *data, s64 after, s64 until);
u32 evnt_buffers_free_count(const struct evnt_buffers *b);
u64 evnt_buffers_events(const struct evnt_buffers *b);
u64 evnt_buffers_filtered(const struct evnt_buffers *b);
u64 evnt_buffers_lost_by(const struct evnt_buffers *b, enum evnt_loss kind);
u64 evnt_buffers_lost(const struct evnt_buffers *b);
u64 evnt_buffers_blocker(const struct evnt_buffers *b);
void evnt_count_lost(struct evnt_buffers *b, u32 cpu, enum evnt_loss kind);
bool evnt_gap_take(struct evnt_lost *lost, bool all, struct evnt_gap *gap);
void evnt_gap_return(struct evnt_lost *lost, const struct evnt_gap *gap);
void evnt_gaps_report(struct evnt_buffers *b, bool all,
		      int (*report)(void *data, u32 cpu, enum evnt_loss kind,
				    const struct evnt_gap *gap),
		      void *data);
void evnt_count_blocked(struct evnt_buffers *b, u32 cpu, u64 blocker);

/*
 * Read the system time as a FILETIME, in any context.  Setting the clock may
 * make it go back.
 */
static inline s64 evnt_system_time(void)
{
	return evnt_filetime(evnt_real_ns());
}

/* Read the session's clock, in any context */
static inline s64 evnt_clock(const struct evnt_buffers *b)
{
	if (likely(b->clock_type == EVNT_CLOCK_QPC))
		return evnt_boot_ns();
	return evnt_system_time();
}

static inline struct evnt_buffer *evnt_buffers_take(struct evnt_buffers *b)
{
	return evnt_buffers_take_more(b, NULL);
}

#endif /* EVNT_BUFFER_H */
