/* SPDX-License-Identifier: MIT */
/*
 * Merging of the records of several sources by time, oldest first.
 */
#ifndef EVNT_TRACE_MERGE_H
#define EVNT_TRACE_MERGE_H

#include "lib/consume/etl_record.h"
#include "lib/consume/trace_source.h"

/* Position reached by trace_merge_next() */
enum trace_step {
	TRACE_STEP_RECORD,
	TRACE_STEP_BUFFER,	/* end of a buffer, after its last record */
	TRACE_STEP_END,
};

/**
 * struct trace_entry - a stream in the heap
 * @time: time of the current record
 * @order: order among records of the same time
 * @source: index of the source
 * @stream: the stream
 */
struct trace_entry {
	s64 time;
	u32 order;
	u32 source;
	struct trace_stream *stream;
};

/**
 * struct trace_merge - merge of several sources
 * @sources: the sources, in memory of the caller
 * @source_count: number of sources
 * @heap: streams that have a record; the oldest is on top
 * @count: number of streams in the heap
 * @room: capacity of the heap
 * @round: number of sources whose first round has begun; the first rounds,
 *	which contain the headers, are read one source at a time
 * @step: result of the last trace_merge_next()
 */
struct trace_merge {
	struct trace_source **sources;
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

/* Return the stream of the current record or buffer, and its source's index */
static inline const struct trace_entry *
trace_merge_top(const struct trace_merge *m)
{
	return &m->heap[0];
}

/* Conversion of the current record of a stream */
void trace_view(const struct trace_stream *s, const u8 *record, u32 size,
		s64 time, struct etl_view *view);
void trace_count_items(struct etl_counts *counts, const struct etl_view *view);

#endif /* EVNT_TRACE_MERGE_H */
