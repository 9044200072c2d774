/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The finished buffers that a session keeps in memory, for real-time consumers
 * and snapshots.
 *
 * Owns these buffers from the time they are finished until they are free again.
 * Depends on neither the readers nor files.
 */
#ifndef EVNT_BACKLOG_H
#define EVNT_BACKLOG_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

#include "core/buffer.h"

/**
 * struct evnt_kept - one buffer of a backlog
 * @index: index of the buffer in the pool
 * @extent: records in the buffer
 * @records_before: number of records in all earlier buffers, kept or not
 * @until: time stamp of the newest record in all earlier buffers
 * @mark: time stamp; no record in a later buffer is older
 */
struct evnt_kept {
	u32 index;
	struct evnt_extent extent;
	u64 records_before;
	s64 until;
	s64 mark;
};

/**
 * struct evnt_cursor - position of a reader
 * @node: in @cursors of the backlog
 * @at: position of the next buffer
 * @records: number of records in all buffers before @at
 * @end: position at which the reader must stop, or U64_MAX
 * @end_records: number of records in all buffers before @end
 */
struct evnt_cursor {
	struct list_head node;
	u64 at;
	u64 records;
	u64 end;
	u64 end_records;
};

/**
 * struct evnt_backlog - ring of finished buffers, oldest first
 * @buffers: pool of buffers; constant
 * @capacity: number of elements of @ring and @holds; constant
 * @reserve: number of buffers to keep free; constant
 * @is_open: buffers are kept; written by the writer thread under @lock
 * @lock: protects the following members; taken by the writer thread and by
 *	readers, and by writers of events if no buffer is free, so holders must
 *	not sleep
 * @ring: kept buffers; the one at position p is in slot p % @capacity
 * @holds: hold count of each buffer, including the hold of the backlog
 * @tail: position of the oldest buffer
 * @head: position of the next buffer to be pushed
 * @records: number of records in all buffers pushed so far
 * @until: time stamp of the newest record seen so far, in buffers that were
 *	kept or not
 * @mark: all older records are in buffers before @head; S64_MAX: no further
 *	buffer will be pushed
 * @cursors: attached readers
 * @missed: number of buffers evicted before some reader had read them
 * @wait: readers waiting for buffers or for a later @mark
 */
struct evnt_backlog {
	struct evnt_buffers *buffers;
	u32 capacity;
	u32 reserve;
	bool is_open;
	raw_spinlock_t lock;	/* protects the members below */
	struct evnt_kept *ring;
	u16 *holds;
	u64 tail;
	u64 head;
	u64 records;
	s64 until;
	s64 mark;
	struct list_head cursors;
	u64 missed;
	wait_queue_head_t wait;
};

/**
 * struct evnt_news - result of evnt_backlog_next()
 * @has_buffer: @kept is valid and held
 * @kept: next buffer
 * @mark: all older records are in buffers that the reader has received;
 *	S64_MAX: there are no further buffers
 * @buffers_missed: number of buffers evicted before the reader reached them
 * @records_missed: number of records in these buffers
 */
struct evnt_news {
	bool has_buffer;
	struct evnt_kept kept;
	s64 mark;
	u64 buffers_missed;
	u64 records_missed;
};

int evnt_backlog_init(struct evnt_backlog *bl, struct evnt_buffers *b,
		      u32 reserve);
void evnt_backlog_destroy(struct evnt_backlog *bl);

/* Called by the writer thread */
void evnt_backlog_open(struct evnt_backlog *bl);
void evnt_backlog_close(struct evnt_backlog *bl);
void evnt_backlog_push(struct evnt_backlog *bl, struct evnt_buffer *buf,
		       const struct evnt_extent *extent, s64 mark);
void evnt_backlog_pass(struct evnt_backlog *bl,
		       const struct evnt_extent *extent);
void evnt_backlog_publish(struct evnt_backlog *bl, s64 mark);

/* Called by writers of events if no buffer is free */
bool evnt_backlog_reclaim(struct evnt_backlog *bl);

/* Called by readers */
void evnt_backlog_attach(struct evnt_backlog *bl, struct evnt_cursor *c);
void evnt_backlog_detach(struct evnt_backlog *bl, struct evnt_cursor *c);
void evnt_backlog_next(struct evnt_backlog *bl, struct evnt_cursor *c,
		       struct evnt_news *news);
void evnt_backlog_set_back(struct evnt_backlog *bl, struct evnt_cursor *c,
			   u64 at, u64 records);
bool evnt_backlog_has_news(struct evnt_backlog *bl,
			   const struct evnt_cursor *c, s64 mark);
u64 evnt_backlog_head(struct evnt_backlog *bl, s64 *mark);
bool evnt_backlog_hold(struct evnt_backlog *bl, u64 at,
		       struct evnt_kept *kept);
void evnt_backlog_release(struct evnt_backlog *bl, u32 index);

#endif /* EVNT_BACKLOG_H */
