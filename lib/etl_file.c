// SPDX-License-Identifier: MIT
/*
 * An .etl file as a reader sees it: buffers, and the streams they form.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "etl_file.h"
#include "etl_record.h"
#include "internal.h"

#define MAX_BUFFER	(64u * 1024 * 1024)
#define CPU_MASK	0x07ffu
#define FLAG_COMPRESSED	0x40u

static ULONG read_at(int fd, void *to, size_t len, u64 offset)
{
	ssize_t n;

	while (len) {
		n = pread(fd, to, len, offset);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? evnt_win32(errno) : ERROR_FILE_CORRUPT;
		to = (u8 *)to + n;
		offset += n;
		len -= n;
	}
	return ERROR_SUCCESS;
}

static u16 buffer_cpu(const struct etl_buffer_header *h)
{
	return h->flag & ETL_FLAG_PROC_INDEX ? h->cpu & CPU_MASK :
					       h->cpu & 0xff;
}

/*
 * Where a buffer's records end: what old and merged files say differs.  Never
 * in front of where they start, so that what is between is a length.
 */
static u32 buffer_end(const struct etl_buffer_header *h, u32 size)
{
	/* NOLINTNEXTLINE(clang-analyzer-*): the whole header was read */
	u32 end = h->offset > ETL_BUFFER_HEADER_SIZE ? h->offset :
						       h->saved_offset;

	if (end < ETL_BUFFER_HEADER_SIZE)
		return ETL_BUFFER_HEADER_SIZE;
	return end < size ? end : size;
}

static ULONG add_ref(struct etl_file *f, u32 *room,
		     const struct etl_buffer_ref *ref)
{
	struct etl_buffer_ref *more;

	if (f->ref_count == *room) {
		*room = *room ? 2 * *room : 64;
		more = realloc(f->refs, *room * sizeof(*more));
		if (!more)
			return ERROR_NOT_ENOUGH_MEMORY;
		f->refs = more;
	}
	f->refs[f->ref_count++] = *ref;
	return ERROR_SUCCESS;
}

/* Note one buffer; @offset moves behind it, or to the end of what is there */
static ULONG index_buffer(struct etl_file *f, u32 *room, u64 *offset, u64 len)
{
	struct etl_buffer_header h;
	struct etl_buffer_ref ref;
	ULONG code;

	code = read_at(f->fd, &h, sizeof(h), *offset);
	if (code)
		return code;
	/* Zeros are room for buffers to come; a cut buffer is not read */
	if (h.buffer_size < sizeof(h) || h.buffer_size > MAX_BUFFER ||
	    h.buffer_size > len - *offset) {
		*offset = len;
		return ERROR_SUCCESS;
	}
	if (h.flag & FLAG_COMPRESSED)
		return ERROR_NOT_SUPPORTED;
	ref = (struct etl_buffer_ref) {
		.offset = *offset,
		.size = h.buffer_size,
		.sequence = h.sequence,
		.cpu = buffer_cpu(&h),
		.order = f->ref_count,
	};
	*offset += h.buffer_size;
	return add_ref(f, room, &ref);
}

static ULONG index_buffers(struct etl_file *f)
{
	ULONG code = ERROR_SUCCESS;
	struct stat st;
	u64 offset = 0;
	u32 room = 0;

	if (fstat(f->fd, &st))
		return evnt_win32(errno);
	while (!code && offset + ETL_BUFFER_HEADER_SIZE <= (u64)st.st_size)
		code = index_buffer(f, &room, &offset, st.st_size);
	if (!code && !f->ref_count)
		return ERROR_FILE_CORRUPT;
	return code;
}

static int by_cpu_and_sequence(const void *a, const void *b)
{
	const struct etl_buffer_ref *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	if (x->sequence != y->sequence)
		return x->sequence < y->sequence ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

/* The header buffer is a stream of its own; the others go by processor */
static ULONG make_streams(struct etl_file *f)
{
	struct etl_stream *s;
	u32 i;

	qsort(f->refs + 1, f->ref_count - 1, sizeof(*f->refs),
	      by_cpu_and_sequence);
	for (i = 0; i < f->ref_count; i++)
		f->stream_count += i < 2 || f->refs[i].cpu != f->refs[i - 1].cpu;
	f->streams = calloc(f->stream_count, sizeof(*f->streams));
	if (!f->streams)
		return ERROR_NOT_ENOUGH_MEMORY;
	for (i = 0, s = f->streams - 1; i < f->ref_count; i++) {
		if (i < 2 || f->refs[i].cpu != f->refs[i - 1].cpu)
			(++s)->refs = &f->refs[i];
		s->count++;
	}
	return ERROR_SUCCESS;
}

static s64 clamp_time(__int128 time)
{
	if (time > INT64_MAX)
		return INT64_MAX;
	return time < INT64_MIN ? INT64_MIN : (s64)time;
}

/* A FILETIME from the file's clock, as far as it can be one */
s64 etl_file_time(const struct etl_file *f, s64 raw)
{
	const TRACE_LOGFILE_HEADER *h = &f->header;
	__int128 ticks = (__int128)raw - f->base;

	if (h->ReservedFlags == 2)
		return raw;
	if (h->ReservedFlags == 3)
		ticks = h->CpuSpeedInMHz ? ticks * 10 / h->CpuSpeedInMHz : 0;
	else
		ticks = h->PerfFreq.QuadPart > 0 ?
			ticks * 10000000 / h->PerfFreq.QuadPart : 0;
	return clamp_time(h->StartTime.QuadPart + ticks);
}

bool etl_stream_ended(const struct etl_stream *s)
{
	return !s->data;
}

static void stream_end(struct etl_stream *s)
{
	free(s->data);
	s->data = NULL;
}

/* Look at the record at s->at: false when there is none */
static bool stream_look(struct etl_file *f, struct etl_stream *s)
{
	s64 raw;

	s->size = etl_record_check(s->data + s->at, s->end - s->at, &raw);
	if (!s->size)
		return false;
	if (raw != ETL_NO_TIME)
		s->time = etl_file_time(f, raw);
	return true;
}

static ULONG load_buffer(struct etl_file *f, struct etl_stream *s)
{
	const struct etl_buffer_ref *ref = &s->refs[s->next++];
	u8 *data = s->data;
	ULONG code;

	if (ref->size > s->capacity || !data) {
		/* NOLINTNEXTLINE(clang-analyzer-*): at least a header's */
		data = realloc(s->data, ref->size);
		if (!data)
			return ERROR_NOT_ENOUGH_MEMORY;
		s->data = data;
		s->capacity = ref->size;
	}
	code = read_at(f->fd, data, ref->size, ref->offset);
	if (code)
		return code;
	s->at = ETL_BUFFER_HEADER_SIZE;
	s->end = buffer_end((struct etl_buffer_header *)data, ref->size);
	return ERROR_SUCCESS;
}

/* Load buffers until there is one with a record, or the stream ends */
static ULONG next_buffer(struct etl_file *f, struct etl_stream *s)
{
	ULONG code;

	while (s->next < s->count) {
		code = load_buffer(f, s);
		if (code)
			return code;
		if (stream_look(f, s))
			return ERROR_SUCCESS;
	}
	stream_end(s);
	return ERROR_SUCCESS;
}

/**
 * etl_stream_start() - go to the first record of a stream
 * @f: the file
 * @s: the stream
 */
ULONG etl_stream_start(struct etl_file *f, struct etl_stream *s)
{
	s->next = 0;
	return next_buffer(f, s);
}

/**
 * etl_stream_next() - go to the next record
 * @f: the file
 * @s: the stream, which has not ended
 * @new_buffer: out: the record before was the last of its buffer
 */
ULONG etl_stream_next(struct etl_file *f, struct etl_stream *s,
		      bool *new_buffer)
{
	u32 step = ALIGN(s->size, ETL_ALIGN);

	*new_buffer = false;
	if (step < s->end - s->at) {
		s->at += step;
		if (stream_look(f, s))
			return ERROR_SUCCESS;
	}
	*new_buffer = true;
	return next_buffer(f, s);
}

/* The header as a 32-bit system wrote it: two shorter pointers in it */
static void widen_header(TRACE_LOGFILE_HEADER *to, const u8 *p)
{
	memcpy(to, p, 0x38);
	to->LoggerName = NULL;
	to->LogFileName = NULL;
	memcpy(&to->TimeZone, p + 0x40, ETL_TIME_ZONE_SIZE);
	memcpy(&to->BootTime, p + 0xf0, 0x20);
}

#define HEADER32_SIZE	0x110u
#define HEADER64_SIZE	0x118u

static ULONG parse_header(struct etl_file *f, const u8 *record, u32 size)
{
	u16 kind = ((const u16 *)record)[1];
	u32 fixed = kind == ETL_RECORD_SYSTEM32 ? HEADER32_SIZE : HEADER64_SIZE;
	const u8 *p = record + sizeof(struct etl_system_header);

	if ((kind != ETL_RECORD_SYSTEM32 && kind != ETL_RECORD_SYSTEM64) ||
	    size < sizeof(struct etl_system_header) + fixed)
		return ERROR_FILE_CORRUPT;
	f->base = ((const struct etl_system_header *)record)->time_stamp;
	if (kind == ETL_RECORD_SYSTEM32)
		widen_header(&f->header, p);
	else
		memcpy(&f->header, p, fixed);
	f->header.LoggerName = NULL;
	f->header.LogFileName = NULL;
	return ERROR_SUCCESS;
}

static ULONG read_header(struct etl_file *f)
{
	struct etl_stream s = { .refs = f->refs, .count = 1 };
	ULONG code = etl_stream_start(f, &s);

	if (!code)
		code = etl_stream_ended(&s) ? ERROR_FILE_CORRUPT :
			parse_header(f, s.data + s.at, s.size);
	stream_end(&s);
	return code;
}

/**
 * etl_file_open() - open a file, and find out what is in it
 * @f: filled in
 * @path: its name
 *
 * Return: ERROR_SUCCESS; what opening and reading gave; ERROR_FILE_CORRUPT when
 * it is no log file; ERROR_NOT_SUPPORTED when it is compressed.
 */
ULONG etl_file_open(struct etl_file *f, const char *path)
{
	ULONG code;

	memset(f, 0, sizeof(*f));
	/* Not to wait for whoever writes to a pipe of that name */
	f->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (f->fd < 0)
		return evnt_win32_open(errno);
	code = index_buffers(f);
	if (!code)
		code = read_header(f);
	if (!code)
		code = make_streams(f);
	if (code)
		etl_file_close(f);
	return code;
}

void etl_file_close(struct etl_file *f)
{
	u32 i;

	for (i = 0; i < f->stream_count && f->streams; i++)
		stream_end(&f->streams[i]);
	free(f->streams);
	free(f->refs);
	close(f->fd);
}
