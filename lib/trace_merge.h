/* SPDX-License-Identifier: MIT */
/*
 * The records of several sources, oldest first.
 */
#ifndef EVNT_TRACE_MERGE_H
#define EVNT_TRACE_MERGE_H

#include "trace_source.h"

#define TRACE_MERGE_SOURCES	64

/* What trace_merge_next() has come to */
enum trace_step {
	TRACE_STEP_RECORD,
	TRACE_STEP_BUFFER,	/* all records of a buffer were there */
	TRACE_STEP_END,
};

/**
 * struct trace_entry - a stream in the heap
 * @time: of its record
 * @order: decides where times are the same
 * @source: which of the sources it is of
 * @stream: the stream
 */
struct trace_entry {
	s64 time;
	u32 order;
	u32 source;
	struct trace_stream *stream;
};

/**
 * struct trace_merge - sources that are read
 * @sources: they
 * @source_count: how many
 * @heap: streams that have a record; the oldest is on top
 * @count: how many
 * @room: how many there is memory for
 * @round: sources whose round has begun; below @source_count while the first
 *	rounds are read, one source at a time
 * @step: what trace_merge_next() gave last
 */
struct trace_merge {
	struct trace_source *sources[TRACE_MERGE_SOURCES];
	u32 source_count;
	struct trace_entry *heap;
	u32 count;
	u32 room;
	u32 round;
	enum trace_step step;
};

ULONG trace_merge_start(struct trace_merge *m);
ULONG trace_merge_next(struct trace_merge *m);
void trace_merge_end(struct trace_merge *m);

/* The stream that a record or a buffer is of, and its source's number */
static inline const struct trace_entry *
trace_merge_top(const struct trace_merge *m)
{
	return &m->heap[0];
}

#endif /* EVNT_TRACE_MERGE_H */
