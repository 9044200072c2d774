// SPDX-License-Identifier: MIT
/*
 * Merging of the records of several sources by time, oldest first.
 *
 * Streams that have a record are kept in a heap by time.  While the top stream
 * stays the oldest, as it does for most of a buffer, a record costs two
 * comparisons.
 */
#include <stdlib.h>

#include "lib/consume/etl_record.h"
#include "lib/consume/trace_merge.h"

/* A FILETIME has units of 100 ns, and most clocks are finer */
static bool comes_first(const struct trace_entry *a,
			const struct trace_entry *b)
{
	if (a->time != b->time)
		return a->time < b->time;
	if (a->stream->clock == b->stream->clock &&
	    a->stream->exact != b->stream->exact)
		return a->stream->exact < b->stream->exact;
	return a->order < b->order;
}

static void sift_down(struct trace_merge *m, u32 i)
{
	struct trace_entry moved = m->heap[i];
	u32 child;

	while ((child = 2 * i + 1) < m->count) {
		if (child + 1 < m->count &&
		    comes_first(&m->heap[child + 1], &m->heap[child]))
			child++;
		if (!comes_first(&m->heap[child], &moved))
			break;
		m->heap[i] = m->heap[child];
		i = child;
	}
	m->heap[i] = moved;
}

/* Skip the rest of the buffer, and count it in @t */
static void give_up(struct trace_stream *s, struct etl_event_counts *t)
{
	etl_event_counts(t, s->end - s->at);
	s->at = s->end;
}

/* Return the distance to the next record; the last one may lack its padding */
static u32 step_size(const struct trace_stream *s, u32 size)
{
	u32 step = ALIGN(size, ETL_ALIGN), left = s->end - s->at;

	return step < left ? step : left;
}

static void count_record(struct etl_counts *counts,
			 const struct trace_stream *s,
			 const struct etl_record *r)
{
	etl_event_counts(&counts->records[r->kind], r->size);
	counts->padding += step_size(s, r->size) - r->size;
}

/* Find the next record of a known type at or after @s->at; false at the end */
static bool find_record(struct etl_counts *counts, struct trace_stream *s)
{
	struct etl_record r;

	while (s->at < s->end) {
		switch (etl_record_check(s->buffer + s->at, s->end - s->at,
					 &r)) {
		case ETL_FOUND_RECORD:
			count_record(counts, s, &r);
			s->size = r.size;
			s->kind = r.kind;
			s->raw = r.time;
			if (r.time == ETL_NO_TIME)
				return true;
			s->exact = r.time;
			s->time = etl_clock_time(s->clock, r.time);
			return true;
		case ETL_FOUND_UNKNOWN:
			count_record(counts, s, &r);
			etl_event_counts(&counts->unread[ETL_UNREAD_RECORD],
					 r.size);
			s->at += step_size(s, r.size);
			break;
		case ETL_FOUND_END:
			give_up(s, &counts->unused);
			break;
		case ETL_FOUND_NONE:
			give_up(s, &counts->unread[ETL_UNREAD_BUFFER_REST]);
			break;
		}
	}
	return false;
}

/* Advance a stream to the next buffer that contains a record */
static ULONG next_buffer(struct trace_source *src, struct trace_stream *s)
{
	ULONG code;

	do {
		code = src->ops->next_buffer(src, s);
		s->at = s->begin ? s->begin : ETL_BUFFER_HEADER_SIZE;
	} while (!code && s->buffer && !find_record(&src->counts, s));
	return code;
}

static ULONG add_stream(struct trace_merge *m, u32 source,
			struct trace_stream *s)
{
	struct trace_entry *more;
	u32 room;

	if (m->count == m->room) {
		room = m->room ? 2 * m->room : 16;
		more = realloc(m->heap, room * sizeof(*more));
		if (!more)
			return ERROR_NOT_ENOUGH_MEMORY;
		m->heap = more;
		m->room = room;
	}
	m->heap[m->count] = (struct trace_entry) {
		.time = s->time,
		.order = m->count,
		.source = source,
		.stream = s,
	};
	m->count++;
	return ERROR_SUCCESS;
}

static ULONG begin_round(struct trace_merge *m, u32 source, bool *more)
{
	struct trace_source *src = m->sources[source];
	ULONG code = src->ops->begin_round(src);
	u32 i;

	*more |= !code && src->stream_count;
	for (i = 0; !code && i < src->stream_count; i++) {
		code = next_buffer(src, &src->streams[i]);
		if (!code && src->streams[i].buffer)
			code = add_stream(m, source, &src->streams[i]);
	}
	return code;
}

/* Begin rounds until one contains a record, or all sources are at their end */
static ULONG begin_rounds(struct trace_merge *m)
{
	ULONG code = ERROR_SUCCESS;
	bool more = true;
	u32 i;

	while (!code && !m->count && m->round < m->source_count)
		code = begin_round(m, m->round++, &more);
	while (!code && !m->count && more) {
		more = false;
		for (i = 0; !code && i < m->source_count; i++)
			code = begin_round(m, i, &more);
	}
	for (i = m->count / 2; i--;)
		sift_down(m, i);
	return code;
}

/* Advance the top stream to its next record; false at the buffer's end */
static bool advance(struct trace_merge *m)
{
	struct trace_entry *top = &m->heap[0];
	struct trace_stream *s = top->stream;

	s->at += step_size(s, s->size);
	if (!find_record(&m->sources[top->source]->counts, s))
		return false;
	top->time = s->time;
	sift_down(m, 0);
	return true;
}

/* Advance the top stream to its next buffer, or begin the next round */
static ULONG leave_buffer(struct trace_merge *m)
{
	struct trace_entry *top = &m->heap[0];
	ULONG code;

	code = next_buffer(m->sources[top->source], top->stream);
	if (code)
		return code;
	if (top->stream->buffer)
		top->time = top->stream->time;
	else
		m->heap[0] = m->heap[--m->count];
	sift_down(m, 0);
	return m->count ? ERROR_SUCCESS : begin_rounds(m);
}

/**
 * trace_merge_start() - start reading
 * @m: zeroed, with @sources and @source_count set
 *
 * The caller must call trace_merge_end() afterwards, even on failure.
 *
 * Return: ERROR_SUCCESS, or the error of a source.
 */
ULONG trace_merge_start(struct trace_merge *m)
{
	ULONG code = ERROR_SUCCESS;
	u32 i;

	for (i = 0; !code && i < m->source_count; i++)
		code = m->sources[i]->ops->start(m->sources[i]);
	m->step = TRACE_STEP_BUFFER;
	return code;
}

/**
 * trace_merge_next() - advance to the next record, or to the end of a buffer
 * @m: out: @step; trace_merge_top() returns the stream unless that is
 *	TRACE_STEP_END
 *
 * Return: ERROR_SUCCESS, the error of a source, or ERROR_NOT_ENOUGH_MEMORY;
 * reading cannot be continued after an error.
 */
ULONG trace_merge_next(struct trace_merge *m)
{
	ULONG code;

	if (likely(m->step == TRACE_STEP_RECORD)) {
		if (!advance(m))
			m->step = TRACE_STEP_BUFFER;
		return ERROR_SUCCESS;
	}
	code = m->count ? leave_buffer(m) : begin_rounds(m);
	m->step = !code && m->count ? TRACE_STEP_RECORD : TRACE_STEP_END;
	return code;
}

/* End reading; the sources stay open */
void trace_merge_end(struct trace_merge *m)
{
	free(m->heap);
	m->heap = NULL;
}

/**
 * trace_view() - convert a record to an EVENT_RECORD
 * @s: stream of the record
 * @record: the record, in the stream's buffer
 * @size: size of the record, without padding
 * @time: time stamp to report
 * @view: filled in, except for UserContext
 *
 * No memory is allocated, and only headers are copied.
 */
void trace_view(const struct trace_stream *s, const u8 *record, u32 size,
		s64 time, struct etl_view *view)
{
	const struct etl_buffer_header *h = (const void *)s->buffer;
	EVENT_RECORD *r = &view->record;

	etl_record_view(record, size, view);
	r->EventHeader.TimeStamp.QuadPart = time;
	r->BufferContext.ProcessorIndex = h->cpu;
	r->BufferContext.LoggerId = h->logger_id;
	if (h->flag & ETL_FLAG_PROC_INDEX)
		r->EventHeader.Flags |= EVENT_HEADER_FLAG_PROCESSOR_INDEX;
}

/* Count the extended data items of an event */
void trace_count_items(struct etl_counts *counts, const struct etl_view *view)
{
	u32 i, type;

	for (i = 0; i < view->chained; i++) {
		type = view->items[i].ExtType;
		if (type >= ETL_ITEM_OTHER)
			type = ETL_ITEM_OTHER;
		etl_event_counts(&counts->items[type], view->items[i].DataSize);
	}
	if (view->unread)
		etl_event_counts(&counts->unread[ETL_UNREAD_ITEMS],
				 view->unread);
}
