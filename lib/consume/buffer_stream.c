// SPDX-License-Identifier: MIT
/*
 * A stream of buffers as a source: the caller of
 * ProcessTraceAddBufferToBufferStream() supplies them, and gets each back by a
 * callback when it is read.
 *
 * A round delivers all buffers that were added until it begins, merged by time,
 * with a stream for each buffer.  The buffers of one processor are added in
 * their order; events of different processors are in order within a round.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "lib/base/cancel.h"
#include "lib/base/internal.h"
#include "lib/consume/etl_index.h"
#include "lib/consume/etl_record.h"
#include "lib/consume/trace_source.h"

/**
 * struct added - a buffer that was added
 * @next: next one, or NULL
 * @buffer: the buffer, which belongs to the caller
 * @size: size of @buffer in bytes
 * @clock: clock of a buffer that has its own time reference
 */
struct added {
	struct added *next;
	const ETW_BUFFER_HEADER *buffer;
	u32 size;
	struct etl_clock clock;
};

/**
 * struct buffer_stream - a stream of buffers
 * @source: interface for the reader; first member
 * @complete: callback for buffers that are read, or NULL
 * @context: context of @complete
 * @wake: eventfd that is written to when @added or @is_interrupted changes
 * @is_interrupted: deliver the buffers that were added, then end
 * @has_header: the first buffer was added; guarded by the lock of the traces
 * @added: stack of buffers, the last one on top, which are added under that
 *	lock and removed by the reader without it
 * @has_begun: the first buffer was delivered
 * @first: buffers to deliver, in their order
 * @last: place of the next one
 * @round: buffers of the current round, one for each stream; NULL: returned
 */
struct buffer_stream {
	struct trace_source source;
	PETW_BUFFER_COMPLETION_CALLBACK complete;
	PVOID context;
	int wake;
	bool is_interrupted;
	bool has_header;
	struct added *added;

	/* For the reader only */
	bool has_begun;
	struct added *first;
	struct added **last;
	struct added **round;
};

/* The source is the first member */
static struct buffer_stream *to_stream(struct trace_source *src)
{
	return (struct buffer_stream *)src;
}

/* Return a buffer to its owner, once, even if the callback ends the thread */
static void give_back(struct buffer_stream *b, struct added **place)
{
	const ETW_BUFFER_HEADER *buffer;

	if (!*place)
		return;
	buffer = (*place)->buffer;
	free(*place);
	*place = NULL;
	if (b->complete)
		b->complete(buffer, b->context);
}

/* Return the buffers of the last round that were not read to their ends */
static void end_round(struct buffer_stream *b)
{
	u32 i;

	for (i = 0; i < b->source.stream_count; i++)
		give_back(b, &b->round[i]);
	free(b->source.streams);
	free(b->round);
	b->source.streams = NULL;
	b->source.stream_count = 0;
	b->round = NULL;
}

static ULONG stream_start(struct trace_source *src)
{
	end_round(to_stream(src));
	return ERROR_SUCCESS;
}

/* Move the buffers that were added to the reader's list, in their order */
static void collect(struct buffer_stream *b)
{
	struct added *a, *next, *list = NULL, **last = b->last;

	a = __atomic_exchange_n(&b->added, NULL, __ATOMIC_ACQUIRE);
	if (a)
		b->last = &a->next;
	for (; a; a = next) {
		next = a->next;
		a->next = list;
		list = a;
	}
	*last = list;
}

/* Remove the buffers of a round: first the header alone, then all; count them */
static struct added *take(struct buffer_stream *b, u32 *count)
{
	struct added *first = b->first, **end = &b->first;

	*count = 0;
	while (*end && (!*count || b->has_begun)) {
		end = &(*end)->next;
		++*count;
	}
	if (!*count)
		return NULL;
	b->first = *end;
	*end = NULL;
	if (!b->first)
		b->last = &b->first;
	return first;
}

/* Make a stream of each buffer; on failure return the buffers to the owner */
static ULONG make_streams(struct buffer_stream *b, struct added *first,
			  u32 count)
{
	struct trace_source *src = &b->source;
	struct added *next;
	u32 i;

	b->round = calloc(count, sizeof(*b->round));
	src->streams = calloc(count, sizeof(*src->streams));
	for (i = 0; i < count; i++, first = next) {
		next = first->next;
		if (b->round && src->streams)
			b->round[i] = first;
		else
			give_back(b, &first);
	}
	if (!b->round || !src->streams)
		return ERROR_NOT_ENOUGH_MEMORY;
	src->stream_count = count;
	b->has_begun = true;
	return ERROR_SUCCESS;
}

/* Wait until a buffer is added, or for an interrupt */
static void wait_for_news(const struct buffer_stream *b)
{
	struct pollfd p = { .fd = b->wake, .events = POLLIN };
	eventfd_t count;

	while (poll(&p, 1, -1) < 0 && errno == EINTR)
		;
	eventfd_read(b->wake, &count);
}

static ULONG stream_begin_round(struct trace_source *src)
{
	struct buffer_stream *b = to_stream(src);
	struct added *first;
	bool is_last;
	u32 count;

	end_round(b);
	for (;;) {
		/* First: an interrupt comes after the buffers added before */
		is_last = __atomic_load_n(&b->is_interrupted, __ATOMIC_ACQUIRE);
		collect(b);
		first = take(b, &count);
		if (count)
			return make_streams(b, first, count);
		if (is_last)
			return ERROR_SUCCESS;
		wait_for_news(b);
	}
}

/* A stream consists of one buffer */
static ULONG stream_next_buffer(struct trace_source *src,
				struct trace_stream *s)
{
	struct buffer_stream *b = to_stream(src);
	struct added **a = &b->round[s - src->streams];
	const struct etl_buffer_header *h;

	if (s->buffer) {
		give_back(b, a);
		s->buffer = NULL;
		return ERROR_SUCCESS;
	}
	h = (const void *)(*a)->buffer;
	s->buffer = (const u8 *)h;
	s->room = (*a)->size;
	s->end = etl_buffer_end(h, (*a)->size);
	s->clock = etl_buffer_clock(h, &src->clock, &(*a)->clock);
	etl_event_counts(&src->counts.buffers, h->buffer_size);
	return ERROR_SUCCESS;
}

static void stream_interrupt(struct trace_source *src)
{
	struct buffer_stream *b = to_stream(src);

	__atomic_store_n(&b->is_interrupted, true, __ATOMIC_RELEASE);
	eventfd_write(b->wake, 1);
}

static void stream_close(struct trace_source *src)
{
	struct buffer_stream *b = to_stream(src);
	struct added *a;

	end_round(b);
	collect(b);
	while (b->first) {
		a = b->first;
		b->first = a->next;
		give_back(b, &a);
	}
	free(src->header.LoggerName);
	free(src->header.LogFileName);
	close(b->wake);
	free(b);
}

static const struct trace_source_ops stream_ops = {
	.start = stream_start,
	.begin_round = stream_begin_round,
	.next_buffer = stream_next_buffer,
	.interrupt = stream_interrupt,
	.close = stream_close,
};

/* Take the header of the log from the first buffer */
static ULONG take_header(struct buffer_stream *b,
			 const struct etl_buffer_header *h, u32 size)
{
	const u8 *record = (const u8 *)(h + 1);
	TRACE_LOGFILE_HEADER *to = &b->source.header;
	struct etl_header header;
	struct etl_record r;
	WCHAR *names[2];
	ULONG code;

	if (etl_record_check(record, etl_buffer_end(h, size) - sizeof(*h),
			     &r) != ETL_FOUND_RECORD)
		return ERROR_FILE_CORRUPT;
	code = etl_header_parse(&header, record, r.size);
	if (!code)
		code = etl_header_names(&header, record, r.size, names);
	if (code)
		return code;
	etl_header_show(&header, to);
	to->LoggerName = names[0];
	to->LogFileName = names[1];
	etl_clock_set(&b->source.clock, &header.file, header.base);
	b->has_header = true;
	return ERROR_SUCCESS;
}

/**
 * buffer_stream_add() - add a buffer to a stream
 * @src: source from buffer_stream_open()
 * @buffer: the buffer, which the source reads in place until it returns it
 * @size: size of @buffer in bytes
 *
 * The caller has the lock of the traces.
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_HANDLE if @src is another source;
 * ERROR_INVALID_PARAMETER for something that is no unpacked buffer;
 * ERROR_FILE_CORRUPT if the first
 * buffer does not begin with the header of a log; ERROR_NOT_ENOUGH_MEMORY.
 */
ULONG buffer_stream_add(struct trace_source *src,
			const ETW_BUFFER_HEADER *buffer, u32 size)
{
	const struct etl_buffer_header *h = (const void *)buffer;
	struct buffer_stream *b = to_stream(src);
	struct added *a;
	ULONG code;

	if (src->ops != &stream_ops)
		return ERROR_INVALID_HANDLE;
	if ((uintptr_t)h % ETL_ALIGN || size < sizeof(*h) || size > ETL_MAX_BUFFER ||
	    h->buffer_size < sizeof(*h) || h->buffer_size > size ||
	    h->flag & ETL_FLAG_PACKED)
		return ERROR_INVALID_PARAMETER;
	code = b->has_header ? ERROR_SUCCESS : take_header(b, h, size);
	if (code)
		return code;
	a = malloc(sizeof(*a));
	if (!a)
		return ERROR_NOT_ENOUGH_MEMORY;
	a->buffer = buffer;
	a->size = size;
	a->next = __atomic_load_n(&b->added, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&b->added, &a->next, a, true,
					    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
	eventfd_write(b->wake, 1);
	return ERROR_SUCCESS;
}

/**
 * buffer_stream_open() - open a stream of buffers
 * @complete: callback for each buffer that the source no longer needs, or NULL
 * @context: context of @complete
 *
 * Return: the source; NULL with errno set.
 */
struct trace_source *buffer_stream_open(PETW_BUFFER_COMPLETION_CALLBACK complete,
					PVOID context)
{
	struct buffer_stream *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	b->source.ops = &stream_ops;
	b->source.live = true;
	b->complete = complete;
	b->context = context;
	b->last = &b->first;
	b->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (b->wake >= 0)
		return (struct trace_source *)b;
	free(b);
	return NULL;
}
