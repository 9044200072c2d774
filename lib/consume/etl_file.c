// SPDX-License-Identifier: MIT
/*
 * An .etl file as a source of buffers.
 *
 * Opening a file locates its buffers.  They are read when they are needed, one
 * of each processor at a time.  Nothing in a file is trusted: each size is
 * checked before it is used, and memory is bounded by a multiple of the bytes
 * ever written to the file, or by MAX_UNPACKED.  Files may be written to or
 * truncated at any time, so they are read, not mapped: a truncated mapping
 * would end the program.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/base/cancel.h"
#include "lib/consume/trace_source.h"
#include "lib/consume/etl_index.h"
#include "lib/consume/etl_record.h"
#include "lib/base/internal.h"

/* Limits of packed buffers: expansion of one, and bytes of all read at once */
#define MAX_RATIO	4096u
#define MAX_UNPACKED	(1024u * 1024 * 1024)

/* Buffers up to this size are read as a whole, even if they have holes */
#define FEW	(128u * 1024)

/* Attempts to read a buffer that changes */
#define MAX_TRIES	8u

#define FLAG_EVENTS_LOST	0x02u
#define FLAG_BUFFER_LOST	0x04u

/* Packing methods, found in the state of the first buffer */
static bool (*const unpackers[])(u8 *to, u32 room, const u8 *from, u32 len) = {
	[2] = etl_unpack_lznt1,
	[3] = etl_unpack,
	[4] = etl_unpack_huffman,
};

/**
 * struct file_stream - buffers of a stream
 * @refs: its buffers, in the order of reading
 * @count: number of @refs
 * @next: index of the next buffer
 * @data: memory for one buffer, or NULL
 * @capacity: size of @data in bytes
 * @clock: clock of a buffer that has its own time reference
 */
struct file_stream {
	const struct etl_ref *refs;
	u32 count;
	u32 next;
	u8 *data;
	u32 capacity;
	struct etl_clock clock;
};

/**
 * struct etl_file - an open file
 * @source: interface for the reader; first member
 * @fd: its descriptor
 * @index: its buffers
 * @streams: stream of the header, then one for each processor that has buffers
 * @file_streams: private part of @streams
 * @stream_count: number of streams
 * @packed: memory for a packed buffer
 * @packed_capacity: size of @packed in bytes
 * @memory: bytes of all streams' memory
 * @round: next round: 0: header; 1: all other streams; 2: none
 */
struct etl_file {
	struct trace_source source;
	int fd;
	struct etl_index index;
	struct trace_stream *streams;
	struct file_stream *file_streams;
	u32 stream_count;
	u8 *packed;
	u32 packed_capacity;
	u64 memory;
	u32 round;
};

/* The source is the first member */
static struct etl_file *to_file(struct trace_source *src)
{
	return (struct etl_file *)src;
}

/* Make a stream for the header buffer, and one for each processor */
static ULONG make_streams(struct etl_file *f)
{
	struct file_stream *s;
	u32 i;

	for (i = 0; i < f->index.count; i++)
		f->stream_count += etl_index_begins(&f->index, i);
	f->streams = calloc(f->stream_count, sizeof(*f->streams));
	f->file_streams = calloc(f->stream_count, sizeof(*f->file_streams));
	if (!f->streams || !f->file_streams)
		return ERROR_NOT_ENOUGH_MEMORY;
	for (i = 0, s = f->file_streams - 1; i < f->index.count; i++) {
		if (etl_index_begins(&f->index, i))
			(++s)->refs = &f->index.refs[i];
		s->count++;
	}
	return ERROR_SUCCESS;
}

/* Reserve memory; the previous contents are lost */
static bool reserve(u8 **data, u32 *capacity, u32 size)
{
	if (*data && size <= *capacity)
		return true;
	free(*data);
	*data = malloc(size);
	*capacity = *data ? size : 0;
	return *data;
}

/* Test that no overwriting has begun: writers write a buffer's header first */
static bool is_still(const struct etl_file *f, const struct etl_ref *ref,
		     const u8 *data)
{
	struct etl_buffer_header now;
	size_t done;

	/* A complete file is no longer written to */
	if (f->source.header.EndTime.QuadPart)
		return true;
	return !etl_read_at(f->fd, &now, sizeof(now), ref->offset, &done) &&
	       done == sizeof(now) && memcmp(&now, data, sizeof(now)) == 0;
}

/*
 * Read @len bytes of a buffer, and report in @there whether it is still the one
 * indexed.  A session may add events to a buffer of a circular file during that.
 */
static ULONG read_buffer(const struct etl_file *f, const struct etl_ref *ref,
			 u8 *to, u32 len, bool *there)
{
	const struct etl_buffer_header *h = (const void *)to;
	u32 tries = 0;
	size_t done;
	bool is_same;
	ULONG code;

	do {
		code = etl_read_at(f->fd, to, len, ref->offset, &done);
		is_same = !code && done == len && h->buffer_size == ref->size &&
			  h->sequence == ref->sequence &&
			  etl_buffer_cpu(h) == ref->cpu;
		*there = is_same && is_still(f, ref, to);
	} while (is_same && !*there && ++tries < MAX_TRIES);
	return code;
}

static bool reserve_stream(struct etl_file *f, struct file_stream *s, u32 size)
{
	f->memory -= s->capacity;
	reserve(&s->data, &s->capacity, size);
	f->memory += s->capacity;
	return s->data;
}

/* Unpack @f->packed to @s->data, as if it had never been packed */
static ULONG unpack(struct etl_file *f, struct file_stream *s, bool *done)
{
	const struct etl_buffer_header *packed = (void *)f->packed;
	u32 size = packed->saved_offset;
	u16 format = f->index.format;
	struct etl_buffer_header *h;

	*done = false;
	/* The method must be known, and the unpacked size plausible */
	if (format >= EVNT_ARRAY_SIZE(unpackers) || !unpackers[format] ||
	    size < ETL_BUFFER_HEADER_SIZE ||
	    size > ETL_MAX_BUFFER || size / MAX_RATIO > packed->buffer_size)
		return ERROR_SUCCESS;
	/* Bound the memory for a hostile file, however well it is packed */
	if (f->memory - s->capacity + size > MAX_UNPACKED ||
	    !reserve_stream(f, s, size))
		return ERROR_NOT_ENOUGH_MEMORY;
	h = (struct etl_buffer_header *)s->data;
	*h = *packed;
	h->buffer_size = size;
	h->offset = size;
	h->flag &= ~ETL_FLAG_PACKED;
	*done = unpackers[format]((u8 *)(h + 1), size - sizeof(*h),
				  (const u8 *)(packed + 1),
				  packed->buffer_size - sizeof(*h));
	return ERROR_SUCCESS;
}

/* Count a buffer of which there are @size bytes, with records up to @end */
static void count_buffer(struct etl_counts *c,
			 const struct etl_buffer_header *h, u32 size, u32 end)
{
	u32 filled = etl_clamp_end(h->offset, size);

	etl_event_counts(&c->buffers, size);
	if (filled > end)
		etl_event_counts(&c->unread[ETL_UNREAD_HIDDEN], filled - end);
	else
		filled = end;
	if (size > filled)
		etl_event_counts(&c->unused, size - filled);
	if (h->flag & FLAG_EVENTS_LOST)
		c->events_lost++;
	if (h->flag & FLAG_BUFFER_LOST)
		c->buffers_lost++;
}

/*
 * Present a buffer to the stream's reader; @len: bytes of it that were read;
 * @size: bytes that there are
 */
static void show_buffer(struct etl_file *f, struct trace_stream *s,
			struct file_stream *from, u32 len, u32 size)
{
	const struct etl_buffer_header *h = (const void *)from->data;

	s->buffer = from->data;
	s->end = etl_buffer_end(h, len);
	s->room = len;
	s->clock = etl_buffer_clock(h, &f->source.clock, &from->clock);
	count_buffer(&f->source.counts, h, size, s->end);
}

static ULONG load_packed(struct etl_file *f, struct file_stream *from,
			 const struct etl_ref *ref, enum etl_unread *why)
{
	bool there, unpacked;
	ULONG code;

	if (!reserve(&f->packed, &f->packed_capacity, ref->size))
		return ERROR_NOT_ENOUGH_MEMORY;
	code = read_buffer(f, ref, f->packed, ref->size, &there);
	if (code || !there)
		return code;
	code = unpack(f, from, &unpacked);
	*why = unpacked ? ETL_UNREADS : ETL_UNREAD_PACKED;
	return code;
}

static ULONG load_plain(struct etl_file *f, struct file_stream *from,
			const struct etl_ref *ref, u32 len,
			enum etl_unread *why)
{
	bool there;
	ULONG code;

	if (!reserve_stream(f, from, len))
		return ERROR_NOT_ENOUGH_MEMORY;
	code = read_buffer(f, ref, from->data, len, &there);
	if (there)
		*why = ETL_UNREADS;
	return code;
}

/*
 * Test whether the writer could write a part of a buffer only: it counts all of
 * the buffer's events as lost, and does not count the buffer
 */
static bool is_given_up(const struct etl_file *f, const struct etl_ref *ref)
{
	const TRACE_LOGFILE_HEADER *header = &f->source.header;

	return ref->present < ref->size && header->BuffersLost &&
	       ref->order >= header->BuffersWritten;
}

/* Present the next buffer, or count why it cannot be presented */
static ULONG load_buffer(struct etl_file *f, struct trace_stream *s,
			 struct file_stream *from)
{
	const struct etl_ref *ref = &from->refs[from->next++];
	enum etl_unread why = ETL_UNREAD_CHANGED;
	const struct etl_buffer_header *h;
	u32 len = ref->present;
	ULONG code;

	if (len > FEW && !ref->packed)
		len = etl_written_len(f->fd, ref->offset, len);
	code = ref->packed ? load_packed(f, from, ref, &why) :
			     load_plain(f, from, ref, len, &why);
	if (code)
		return code;
	h = (const void *)from->data;
	if (why == ETL_UNREADS && is_given_up(f, ref)) {
		why = ETL_UNREAD_CUT;
		/* The index has counted it if its events are cut off */
		f->source.counts.unread[why].count -= h->offset > ref->present;
	}
	if (why != ETL_UNREADS)
		etl_event_counts(&f->source.counts.unread[why], ref->present);
	else if (ref->packed)
		show_buffer(f, s, from, from->capacity, h->buffer_size);
	else
		show_buffer(f, s, from, len, ref->present);
	return ERROR_SUCCESS;
}

static ULONG file_next_buffer(struct trace_source *src, struct trace_stream *s)
{
	EVNT_UNCANCELLED;
	struct etl_file *f = to_file(src);
	struct file_stream *from = &f->file_streams[s - f->streams];
	ULONG code = ERROR_SUCCESS;

	s->buffer = NULL;
	while (!code && !s->buffer && from->next < from->count)
		code = load_buffer(f, s, from);
	if (s->buffer)
		return code;
	/* Only streams being read need memory */
	f->memory -= from->capacity;
	free(from->data);
	from->data = NULL;
	from->capacity = 0;
	return code;
}

static ULONG file_start(struct trace_source *src)
{
	EVNT_UNCANCELLED;
	struct etl_file *f = to_file(src);
	u32 i;

	for (i = 0; i < f->stream_count; i++) {
		f->file_streams[i].next = 0;
		f->streams[i].time = 0;
	}
	f->round = 0;
	src->counts = f->index.found;
	return ERROR_SUCCESS;
}

static ULONG file_begin_round(struct trace_source *src)
{
	EVNT_UNCANCELLED;
	struct etl_file *f = to_file(src);

	src->streams = f->streams + (f->round > 0);
	src->stream_count = f->round == 0 ? 1 :
			    f->round == 1 ? f->stream_count - 1 : 0;
	f->round++;
	return ERROR_SUCCESS;
}

static void file_close(struct trace_source *src)
{
	struct etl_file *f = to_file(src);
	u32 i;

	for (i = 0; i < f->stream_count && f->file_streams; i++)
		free(f->file_streams[i].data);
	free(src->header.LoggerName);
	free(src->header.LogFileName);
	free(f->packed);
	free(f->file_streams);
	free(f->streams);
	free(f->index.refs);
	close(f->fd);
	free(f);
}

static const struct trace_source_ops file_ops = {
	.start = file_start,
	.begin_round = file_begin_round,
	.next_buffer = file_next_buffer,
	.close = file_close,
};

static ULONG read_header(struct etl_file *f)
{
	TRACE_LOGFILE_HEADER *to = &f->source.header;
	struct trace_stream *s = f->streams;
	struct etl_header h;
	struct etl_record r;
	const u8 *record;
	WCHAR *names[2];
	ULONG code;

	code = file_next_buffer(&f->source, s);
	if (code)
		return code;
	if (!s->buffer)
		return ERROR_FILE_CORRUPT;
	record = s->buffer + ETL_BUFFER_HEADER_SIZE;
	if (etl_record_check(record, s->end - ETL_BUFFER_HEADER_SIZE, &r) !=
	    ETL_FOUND_RECORD)
		return ERROR_FILE_CORRUPT;
	code = etl_header_parse(&h, record, r.size);
	if (!code)
		code = etl_header_names(&h, record, r.size, names);
	if (code)
		return code;
	etl_header_show(&h, to);
	to->LoggerName = names[0];
	to->LogFileName = names[1];
	etl_clock_set(&f->source.clock, &h.file, h.base);
	return ERROR_SUCCESS;
}

/**
 * etl_file_open() - open a log file and find its buffers
 * @src: out: the source
 * @path: path of the file
 *
 * Return: ERROR_SUCCESS; the error of opening or reading; ERROR_FILE_CORRUPT if
 * it is not a log file.
 */
ULONG etl_file_open(struct trace_source **src, const char *path)
{
	struct etl_file *f = calloc(1, sizeof(*f));
	ULONG code;

	if (!f)
		return ERROR_NOT_ENOUGH_MEMORY;
	f->source.ops = &file_ops;
	/* Do not wait for the writer of a pipe */
	f->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (f->fd < 0) {
		code = evnt_win32_open(errno);
		free(f);
		return code;
	}
	code = etl_index_make(&f->index, f->fd);
	if (!code)
		code = make_streams(f);
	if (!code)
		code = read_header(f);
	if (code)
		file_close(&f->source);
	else
		*src = &f->source;
	return code;
}

/**
 * etl_file_written() - return the time when a file was last written to
 * @src: source from etl_file_open()
 *
 * The time is taken from the buffers.  A file that was not closed properly has
 * no other end.
 *
 * Return: a time of the source's clock.
 */
s64 etl_file_written(const struct trace_source *src)
{
	const struct etl_file *f = (const struct etl_file *)src;

	return etl_clock_time(&src->clock, f->index.last);
}
