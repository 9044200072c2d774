// SPDX-License-Identifier: MIT
/*
 * A session in real time, as a source of buffers.
 *
 * Finished buffers are read where they are, in the module's memory.  With each
 * comes a watermark: all events that are older have come.  A round is what is
 * older of all buffers that are held, a stream for each; the rest of a buffer
 * comes in a later one.  So all events come in the order of time.
 *
 * There is one exception.  A processor that is kept in the midst of writing an
 * event, as when a hypervisor takes it away, keeps the watermark where it was.
 * When others have filled as many buffers meanwhile as may be held, the one that
 * ends first is given out whole.  What the processor wrote into its buffer comes
 * after that, late; the events of each processor are in order even so.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/evntprov.h>

#include "cancel.h"
#include "etl_header.h"
#include "etl_record.h"
#include "live.h"
#include "trace_door.h"

/**
 * struct live_buffer - a buffer that is held
 * @index: which
 * @at: what comes before has been given out
 * @end: offset behind the last record
 */
struct live_buffer {
	u32 index;
	u32 at;
	u32 end;
};

/**
 * struct live - a session
 * @source: what others see of it
 * @name: its name
 * @fd: the consumer, or -1: there was no such session
 * @wake: an eventfd: ->interrupt() was called
 * @is_interrupted: likewise; what is held is the last that is given out
 * @map: the session's memory
 * @map_size: its length
 * @stride: from one buffer to the next
 * @held: buffers that are held, in the order of their coming
 * @held_count: how many
 * @max_held: how many may be
 * @mark: all events that are older have come
 * @given: what has been given out of the streams of this round, a bit each
 * @has_begun: the header has been given out
 * @has_ended: there will be no more buffers
 */
struct live {
	struct trace_source source;
	WCHAR *name;
	int fd;
	int wake;
	bool is_interrupted;
	u8 *map;
	size_t map_size;
	u32 stride;
	struct live_buffer *held;
	u32 held_count;
	u32 max_held;
	s64 mark;
	bool *given;
	bool has_begun;
	bool has_ended;
};

/* It begins with the source */
static struct live *to_live(struct trace_source *src)
{
	return (struct live *)src;
}

static const u8 *data_of(const struct live *l, const struct live_buffer *b)
{
	return l->map + (b->index + (size_t)1) * l->stride;
}

/* Be a consumer; a session that is not in real-time mode is as good as none */
static ULONG consume(struct live *l)
{
	struct evntrace_consume c = { .size = sizeof(c) };
	TRACEHANDLE handle;
	ULONG code = evnt_trace_find(l->fd, l->name, &handle);

	if (code)
		return code;
	c.handle = handle;
	if (ioctl(l->fd, EVNTRACE_IOC_CONSUME, &c))
		return errno == EOPNOTSUPP ? ERROR_WMI_INSTANCE_NOT_FOUND :
					     evnt_win32(errno);
	l->map_size = c.map_size;
	l->stride = c.stride;
	l->max_held = c.max_held;
	l->map = mmap(NULL, l->map_size, PROT_READ, MAP_SHARED, l->fd, 0);
	if (l->map == MAP_FAILED) {
		l->map = NULL;
		return evnt_win32(errno);
	}
	return ERROR_SUCCESS;
}

static u32 buffer_end(const u8 *data)
{
	/* What is mapped: NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
	return ((const struct etl_buffer_header *)data)->saved_offset;
}

static ULONG take_header(struct live *l)
{
	const u8 *record = l->map + ETL_BUFFER_HEADER_SIZE;
	u32 size = buffer_end(l->map) - ETL_BUFFER_HEADER_SIZE;
	struct etl_header h;
	WCHAR *names[2];
	ULONG code;

	code = etl_header_parse(&h, record, size);
	if (!code)
		code = etl_header_names(&h, record, size, names);
	if (code)
		return code;
	etl_header_show(&h, &l->source.header);
	l->source.header.LoggerName = names[0];
	l->source.header.LogFileName = names[1];
	etl_clock_set(&l->source.clock, &h.file, h.base);
	return ERROR_SUCCESS;
}

static ULONG alloc_held(struct live *l)
{
	l->held = calloc(l->max_held, sizeof(*l->held));
	l->given = calloc(l->max_held, sizeof(*l->given));
	l->source.streams = calloc(l->max_held, sizeof(*l->source.streams));
	return l->held && l->given && l->source.streams ?
	       ERROR_SUCCESS : ERROR_NOT_ENOUGH_MEMORY;
}

static void disconnect(struct live *l)
{
	TRACE_LOGFILE_HEADER *h = &l->source.header;

	if (l->map)
		munmap(l->map, l->map_size);
	if (l->fd >= 0)
		close(l->fd);
	free(h->LoggerName);
	free(h->LogFileName);
	free(l->source.streams);
	free(l->held);
	free(l->given);
	l->map = NULL;
	l->fd = -1;
	h->LoggerName = NULL;
	h->LogFileName = NULL;
	l->source.streams = NULL;
	l->held = NULL;
	l->given = NULL;
}

static ULONG connect_live(struct live *l)
{
	ULONG code = evnt_trace_door_open(&l->fd);

	if (!code)
		code = consume(l);
	if (!code)
		code = take_header(l);
	if (!code)
		code = alloc_held(l);
	if (code)
		disconnect(l);
	return code;
}

/* Tried again here, where it was not there when it was opened */
static ULONG live_start(struct trace_source *src)
{
	EVNT_UNCANCELLED;
	struct live *l = to_live(src);

	l->has_begun = false;
	return l->fd < 0 ? connect_live(l) : ERROR_SUCCESS;
}

static void release(struct live *l, u32 i)
{
	struct evntrace_release arg = {
		.size = sizeof(arg), .index = l->held[i].index,
	};

	ioctl(l->fd, EVNTRACE_IOC_RELEASE, &arg);
}

/* The round is over: let go of what was read to its end */
static void end_round(struct live *l)
{
	u32 i, kept = 0;

	for (i = 0; i < l->held_count; i++) {
		if (l->held[i].at < l->held[i].end)
			l->held[kept++] = l->held[i];
		else
			release(l, i);
	}
	l->held_count = kept;
	l->source.stream_count = 0;
}

static ULONG clamp_add(ULONG a, u64 b)
{
	return b < UINT32_MAX - a ? a + (ULONG)b : UINT32_MAX;
}

static void take_news(struct live *l, const struct evntrace_next *next)
{
	TRACE_LOGFILE_HEADER *h = &l->source.header;

	l->mark = next->watermark;
	l->has_ended = next->flags & EVNTRACE_NEXT_END;
	h->EventsLost = clamp_add(h->EventsLost, next->events_missed);
	h->BuffersLost = clamp_add(h->BuffersLost, next->buffers_missed);
	if (next->flags & EVNTRACE_NEXT_BUFFER)
		l->held[l->held_count++] = (struct live_buffer) {
			.index = next->index,
			.at = ETL_BUFFER_HEADER_SIZE,
			.end = next->length,
		};
}

/* All that there is, as far as it may be held; 0 or an errno */
static int take_all(struct live *l)
{
	struct evntrace_next next;

	while (!l->has_ended && l->held_count < l->max_held) {
		next = (struct evntrace_next) { .size = sizeof(next) };
		if (ioctl(l->fd, EVNTRACE_IOC_NEXT, &next))
			return errno == EAGAIN || errno == EINTR ? 0 : errno;
		take_news(l, &next);
	}
	return 0;
}

/* Offset of the first record of a buffer that is not older than a time */
static u32 find_time(const u8 *data, u32 at, u32 end, s64 time)
{
	const struct etl_buffer_header *h = (const void *)data;
	struct etl_record r;

	/* When it was finished */
	if (h->time_stamp < time)
		return end;
	while (at < end && etl_record_check(data + at, end - at, &r) ==
			   ETL_FOUND_RECORD &&
	       (r.time == ETL_NO_TIME || r.time < time))
		at += ALIGN(r.size, ETL_ALIGN);
	return at < end ? at : end;
}

/* A stream for what is older than @time in each buffer */
static void make_streams(struct live *l, s64 time)
{
	struct trace_stream *s;
	struct live_buffer *b;
	u32 i, end;

	for (i = 0; i < l->held_count; i++) {
		b = &l->held[i];
		end = find_time(data_of(l, b), b->at, b->end, time);
		if (end == b->at)
			continue;
		l->given[l->source.stream_count] = false;
		s = &l->source.streams[l->source.stream_count++];
		*s = (struct trace_stream) {
			.buffer = data_of(l, b),
			.begin = b->at,
			.end = end,
			.is_part = end < b->end,
			.clock = &l->source.clock,
		};
		b->at = end;
	}
}

/* When the first of the buffers was finished: what it holds is older */
static s64 first_finished(const struct live *l)
{
	const struct etl_buffer_header *h;
	s64 first = INT64_MAX;
	u32 i;

	for (i = 0; i < l->held_count; i++) {
		h = (const void *)data_of(l, &l->held[i]);
		if (h->time_stamp < first)
			first = h->time_stamp;
	}
	return first + (first < INT64_MAX);
}

/* Or until it is interrupted */
static void wait_for_news(const struct live *l)
{
	struct pollfd p[2] = {
		{ .fd = l->fd, .events = POLLIN },
		{ .fd = l->wake, .events = POLLIN },
	};

	while (poll(p, 2, -1) < 0 && errno == EINTR)
		;
}

static bool is_interrupted(const struct live *l)
{
	return __atomic_load_n(&l->is_interrupted, __ATOMIC_RELAXED);
}

static void give_header(struct live *l)
{
	l->has_begun = true;
	l->given[0] = false;
	l->source.stream_count = 1;
	l->source.streams[0] = (struct trace_stream) {
		.buffer = l->map,
		.end = buffer_end(l->map),
		.clock = &l->source.clock,
	};
}

static ULONG live_begin_round(struct trace_source *src)
{
	struct live *l = to_live(src);
	int err;

	if (!l->has_begun) {
		give_header(l);
		return ERROR_SUCCESS;
	}
	end_round(l);
	while (!is_interrupted(l)) {
		err = take_all(l);
		if (err)
			return evnt_win32(err);
		make_streams(l, l->has_ended ? INT64_MAX : l->mark);
		if (!src->stream_count && l->held_count == l->max_held)
			make_streams(l, first_finished(l));
		if (src->stream_count || l->has_ended)
			return ERROR_SUCCESS;
		wait_for_news(l);
	}
	make_streams(l, INT64_MAX);
	return ERROR_SUCCESS;
}

/* Each stream is one buffer, or a part of one */
static ULONG live_next_buffer(struct trace_source *src, struct trace_stream *s)
{
	bool *given = &to_live(src)->given[s - src->streams];

	if (*given)
		s->buffer = NULL;
	*given = true;
	return ERROR_SUCCESS;
}

static void live_interrupt(struct trace_source *src)
{
	struct live *l = to_live(src);

	__atomic_store_n(&l->is_interrupted, true, __ATOMIC_RELAXED);
	eventfd_write(l->wake, 1);
}

static void live_close(struct trace_source *src)
{
	struct live *l = to_live(src);

	disconnect(l);
	if (l->wake >= 0)
		close(l->wake);
	free(l->name);
	free(l);
}

static const struct trace_source_ops live_ops = {
	.start = live_start,
	.begin_round = live_begin_round,
	.next_buffer = live_next_buffer,
	.interrupt = live_interrupt,
	.close = live_close,
};

static WCHAR *copy_name(const WCHAR *name)
{
	size_t size = (evnt_wcslen(name) + 1) * sizeof(*name);
	WCHAR *copy = malloc(size);

	return copy ? memcpy(copy, name, size) : NULL;
}

/**
 * live_open() - open a session
 * @src: out
 * @name: its name
 *
 * A session that is not there, or not in real-time mode, is looked for again
 * when it is read; then ERROR_WMI_INSTANCE_NOT_FOUND is returned.
 *
 * Return: ERROR_SUCCESS; ERROR_ACCESS_DENIED; ERROR_NO_SYSTEM_RESOURCES when it
 * has too many consumers; ERROR_NOT_SUPPORTED when the module is not loaded.
 */
ULONG live_open(struct trace_source **src, const WCHAR *name)
{
	struct live *l = calloc(1, sizeof(*l));
	ULONG code;

	if (!l)
		return ERROR_NOT_ENOUGH_MEMORY;
	l->source.ops = &live_ops;
	l->source.live = true;
	l->fd = -1;
	l->mark = INT64_MIN;
	l->name = copy_name(name);
	l->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (!l->name || l->wake < 0)
		code = l->name ? evnt_win32(errno) : ERROR_NOT_ENOUGH_MEMORY;
	else
		code = connect_live(l);
	if (code && code != ERROR_WMI_INSTANCE_NOT_FOUND)
		live_close(&l->source);
	else
		*src = &l->source;
	return code == ERROR_WMI_INSTANCE_NOT_FOUND ? ERROR_SUCCESS : code;
}
