// SPDX-License-Identifier: MIT
/*
 * A real-time session as a source of buffers.
 *
 * Finished buffers are read in place, in the module's memory.  Each comes with
 * a watermark: all older events have arrived.  A round delivers the older
 * events of all held buffers, as a stream for each buffer; the rest of a buffer
 * is delivered in a later round.  So all events are delivered in the order of
 * time.
 *
 * There is one exception.  A processor that is stopped while it writes an
 * event, as by a hypervisor, holds back the watermark.  When other processors
 * have filled as many buffers as may be held, the buffer that was finished
 * first is delivered as a whole.  Events that the stopped processor has written
 * to its buffer come late; the events of each processor remain in order.
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

#include <linux/evntrace.h>

#include "lib/base/cancel.h"
#include "lib/consume/etl_record.h"
#include "lib/consume/trace_source.h"
#include "lib/control/trace_control.h"

/**
 * struct live_buffer - a buffer that is held
 * @index: index of the buffer
 * @at: offset of the first record that was not yet delivered
 * @end: offset behind the last record
 */
struct live_buffer {
	u32 index;
	u32 at;
	u32 end;
};

/**
 * struct live - a real-time session
 * @source: interface for the reader; first member
 * @name: name of the session
 * @fd: descriptor of the consumer, or -1 if there was no such session
 * @wake: eventfd that ->interrupt() writes to
 * @is_interrupted: ->interrupt() was called: deliver what is held, then end
 * @map: memory of the session
 * @map_size: size of @map in bytes
 * @stride: distance of buffers in bytes
 * @held: buffers that are held, in the order of arrival
 * @held_count: number of @held
 * @max_held: maximum number of @held
 * @mark: watermark: all older events have arrived
 * @given: whether each stream of this round has been delivered
 * @has_begun: whether the header has been delivered
 * @has_ended: whether the session has ended, after its last buffer
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

/* The source is the first member */
static struct live *to_live(struct trace_source *src)
{
	return (struct live *)src;
}

static const u8 *data_of(const struct live *l, const struct live_buffer *b)
{
	return l->map + (b->index + (size_t)1) * l->stride;
}

/* Open the session to consume it */
static ULONG open_session(struct live *l)
{
	struct evntrace_open arg = {
		.size = sizeof(arg),
		.name = (uintptr_t)l->name,
		.name_len = evnt_wcslen(l->name),
		.rights = EVNTRACE_RIGHT_ACCESS_REALTIME,
	};
	int device;
	ULONG code = evnt_control_device_open(&device);

	if (code)
		return code;
	code = evnt_trace_open(device, EVNTRACE_IOC_OPEN, &arg, &l->fd);
	close(device);
	return code;
}

/* Become a consumer; a session without real-time mode counts as missing */
static ULONG consume(struct live *l)
{
	struct evntrace_open_consumer c = { .size = sizeof(c) };

	if (ioctl(l->fd, EVNTRACE_IOC_OPEN_CONSUMER, &c))
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
	/* It is mapped: NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
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
	ULONG code = open_session(l);

	if (!code)
		code = consume(l);
	if (!code)
		code = take_header(l);
	if (code)
		goto undo;
	l->held = calloc(l->max_held, sizeof(*l->held));
	l->given = calloc(l->max_held, sizeof(*l->given));
	l->source.streams = calloc(l->max_held, sizeof(*l->source.streams));
	if (l->held && l->given && l->source.streams)
		return ERROR_SUCCESS;
	code = ERROR_NOT_ENOUGH_MEMORY;
undo:
	disconnect(l);
	return code;
}

/* Connect now if the session did not exist when it was opened */
static ULONG live_start(struct trace_source *src)
{
	EVNT_UNCANCELLED;
	struct live *l = to_live(src);

	l->has_begun = false;
	return l->fd < 0 ? connect_live(l) : ERROR_SUCCESS;
}

/* End a round: release the buffers that were read to their ends */
static void end_round(struct live *l)
{
	struct evntrace_next arg;
	u32 i, kept = 0;

	for (i = 0; i < l->held_count; i++) {
		if (l->held[i].at < l->held[i].end) {
			l->held[kept++] = l->held[i];
			continue;
		}
		arg = (struct evntrace_next) {
			.size = sizeof(arg),
			.index = l->held[i].index,
		};
		ioctl(l->fd, EVNTRACE_IOC_RELEASE, &arg);
	}
	l->held_count = kept;
	l->source.stream_count = 0;
}

static ULONG clamp_add(ULONG a, u64 b)
{
	return b < UINT32_MAX - a ? a + (ULONG)b : UINT32_MAX;
}

/* Take all buffers that are ready, up to the limit; return 0 or an errno */
static int take_all(struct live *l)
{
	TRACE_LOGFILE_HEADER *h = &l->source.header;
	struct evntrace_next next;

	while (!l->has_ended && l->held_count < l->max_held) {
		next = (struct evntrace_next) { .size = sizeof(next) };
		if (ioctl(l->fd, EVNTRACE_IOC_NEXT, &next))
			return errno == EAGAIN || errno == EINTR ? 0 : errno;
		l->mark = next.watermark;
		l->has_ended = next.state & EVNTRACE_NEXT_END;
		h->EventsLost = clamp_add(h->EventsLost, next.events_missed);
		h->BuffersLost = clamp_add(h->BuffersLost, next.buffers_missed);
		if (!(next.state & EVNTRACE_NEXT_BUFFER))
			continue;
		l->held[l->held_count++] = (struct live_buffer) {
			.index = next.index,
			.at = ETL_BUFFER_HEADER_SIZE,
			.end = next.length,
		};
	}
	return 0;
}

/* Return the offset of a buffer's first record that is not older than a time */
static u32 find_time(const u8 *data, u32 at, u32 end, s64 time)
{
	const struct etl_buffer_header *h = (const void *)data;
	struct etl_record r;

	/* The buffer was finished before @time, so its records are older */
	if (h->time_stamp < time)
		return end;
	while (at < end && etl_record_check(data + at, end - at, &r) ==
			   ETL_FOUND_RECORD &&
	       (r.time == ETL_NO_TIME || r.time < time))
		at += ALIGN(r.size, ETL_ALIGN);
	return at < end ? at : end;
}

/* Make a stream of the records older than @time for each buffer */
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
			.room = l->stride,
			.is_part = end < b->end,
			.clock = &l->source.clock,
		};
		b->at = end;
	}
}

/* Return a time later than all records of the buffer that was finished first */
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

/* Wait for a buffer, or for an interrupt */
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

static ULONG live_begin_round(struct trace_source *src)
{
	struct live *l = to_live(src);
	int err;

	/* The first round delivers the header */
	if (!l->has_begun) {
		l->has_begun = true;
		l->given[0] = false;
		src->stream_count = 1;
		src->streams[0] = (struct trace_stream) {
			.buffer = l->map,
			.end = buffer_end(l->map),
			.room = l->stride,
			.clock = &src->clock,
		};
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

/* A stream consists of one buffer, or a part of it */
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

/**
 * live_open() - open a real-time session
 * @src: out: the source
 * @name: name of the session
 *
 * A session that does not exist, or is not in real-time mode, is looked up
 * again when it is read; reading then fails with ERROR_WMI_INSTANCE_NOT_FOUND.
 *
 * Return: ERROR_SUCCESS; ERROR_ACCESS_DENIED; ERROR_NO_SYSTEM_RESOURCES if it
 * has too many consumers; ERROR_NOT_SUPPORTED if the module is not loaded.
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
	code = evnt_name_get(&l->name, name, true);
	l->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (!code && l->wake < 0)
		code = evnt_win32(errno);
	if (!code)
		code = connect_live(l);
	if (code && code != ERROR_WMI_INSTANCE_NOT_FOUND)
		live_close(&l->source);
	else
		*src = &l->source;
	return code == ERROR_WMI_INSTANCE_NOT_FOUND ? ERROR_SUCCESS : code;
}
