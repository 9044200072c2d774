/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The finished buffers that a session keeps in memory: what consumers read in
 * real time, and what a snapshot is made of.
 *
 * Owns these buffers from when they are finished until they are free again.
 * Knows nothing of who reads them, or of files.
 */
#ifndef EVNT_BACKLOG_H
#define EVNT_BACKLOG_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

#include "buffer.h"

/**
 * struct evnt_kept - one buffer that is kept
 * @index: which
 * @extent: what is in it
 * @records_before: records in all buffers before it, kept or not
 * @until: time stamp of the newest record in all buffers before it
 * @mark: no record in any buffer behind it is older
 */
struct evnt_kept {
	u32 index;
	struct evnt_extent extent;
	u64 records_before;
	s64 until;
	s64 mark;
};

/**
 * struct evnt_cursor - how far somebody has read
 * @node: in @cursors of the backlog
 * @at: position of the next buffer
 * @records: records in all buffers before it
 * @end: position behind the last one that is for him; U64_MAX: there is no end
 * @end_records: records in all buffers before that
 */
struct evnt_cursor {
	struct list_head node;
	u64 at;
	u64 records;
	u64 end;
	u64 end_records;
};

/**
 * struct evnt_backlog - a ring of buffers, in the order of their coming
 * @buffers: whose they are; constant
 * @capacity: elements of @ring and @holds; constant
 * @reserve: how many buffers are to be free; constant
 * @is_open: buffers are kept; the writer thread's
 * @lock: guards all below; taken by the session's writer thread and by readers,
 *	by writers of events only when no buffer is free, who must not sleep
 * @ring: the buffer of position p is at p % @capacity
 * @holds: for each buffer: by how many it is held, the backlog included
 * @tail: position of the oldest
 * @head: position that comes next
 * @records: in all buffers so far
 * @until: time stamp of the newest of these, and of those in buffers that were not
 *	kept
 * @mark: all records that are older are in buffers before @head
 * @cursors: those who read
 * @missed: buffers that went before somebody had read them
 * @has_ended: nothing will come any more, for anybody
 * @pin: who waits for the newest to be held for him, or NULL
 * @wait: for something to come
 */
struct evnt_backlog {
	struct evnt_buffers *buffers;
	u32 capacity;
	u32 reserve;
	bool is_open;
	raw_spinlock_t lock;	/* guards what follows */
	struct evnt_kept *ring;
	u16 *holds;
	u64 tail;
	u64 head;
	u64 records;
	s64 until;
	s64 mark;
	struct list_head cursors;
	u64 missed;
	bool has_ended;
	struct evnt_pin *pin;
	wait_queue_head_t wait;
};

/**
 * struct evnt_news - what there is for a reader
 * @has_buffer: @kept is filled in; it is held
 * @has_ended: there will be no more
 * @kept: the next buffer
 * @mark: all records that are older are in buffers that the reader has got
 * @buffers_missed: that went before he came
 * @records_missed: in these
 */
struct evnt_news {
	bool has_buffer;
	bool has_ended;
	struct evnt_kept kept;
	s64 mark;
	u64 buffers_missed;
	u64 records_missed;
};

/**
 * struct evnt_pin - the newest buffers, held for who has asked for them
 * @kept: they, the oldest first
 * @room: elements of @kept
 * @count: how many are held
 * @is_begun: holding them has begun; the backlog's lock, until it has settled
 * @head: position behind them
 * @mark: all records that are older are in buffers before @head
 */
struct evnt_pin {
	struct evnt_kept *kept;
	u32 room;
	u32 count;
	bool is_begun;
	u64 head;
	s64 mark;
};

int evnt_backlog_init(struct evnt_backlog *bl, struct evnt_buffers *b,
		      u32 reserve);
void evnt_backlog_destroy(struct evnt_backlog *bl);

/* The writer thread's */
void evnt_backlog_open(struct evnt_backlog *bl);
void evnt_backlog_close(struct evnt_backlog *bl);
void evnt_backlog_push(struct evnt_backlog *bl, struct evnt_buffer *buf,
		       const struct evnt_extent *extent, s64 mark);
void evnt_backlog_pass(struct evnt_backlog *bl,
		       const struct evnt_extent *extent);
void evnt_backlog_publish(struct evnt_backlog *bl, s64 mark, bool asked);
void evnt_backlog_end(struct evnt_backlog *bl);

/* Writers' of events, when no buffer is free */
bool evnt_backlog_reclaim(struct evnt_backlog *bl);

/* Readers' */
void evnt_backlog_attach(struct evnt_backlog *bl, struct evnt_cursor *c);
void evnt_backlog_detach(struct evnt_backlog *bl, struct evnt_cursor *c);
void evnt_backlog_next(struct evnt_backlog *bl, struct evnt_cursor *c,
		       struct evnt_news *news);
void evnt_backlog_set_back(struct evnt_backlog *bl, struct evnt_cursor *c,
			   const struct evnt_cursor *to);
bool evnt_backlog_has_news(struct evnt_backlog *bl,
			   const struct evnt_cursor *c, s64 mark);
void evnt_backlog_ask(struct evnt_backlog *bl, struct evnt_pin *pin);
bool evnt_backlog_settle(struct evnt_backlog *bl, struct evnt_pin *pin);
u64 evnt_backlog_tail(struct evnt_backlog *bl);
bool evnt_backlog_hold(struct evnt_backlog *bl, u64 at,
		       struct evnt_kept *kept);
void evnt_backlog_release(struct evnt_backlog *bl, u32 index);

/* Whether somebody waits for buffers to be held, and so for a mark */
static inline bool evnt_backlog_is_asked(const struct evnt_backlog *bl)
{
	return READ_ONCE(bl->pin);
}

#endif /* EVNT_BACKLOG_H */
