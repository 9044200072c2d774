// SPDX-License-Identifier: MIT
/*
 * Index of an .etl file: its buffers in the order of reading.
 *
 * Nothing in a file is trusted; data that is not a buffer is counted.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/consume/etl_index.h"
#include "lib/base/internal.h"

/* Read @len bytes, or up to the end of the file; @done: number of bytes read */
ULONG etl_read_at(int fd, void *to, size_t len, u64 offset, size_t *done)
{
	ssize_t n;

	for (*done = 0; *done < len; *done += n) {
		n = pread(fd, (u8 *)to + *done, len - *done, offset + *done);
		if (n < 0 && errno == EINTR)
			n = 0;
		else if (n < 0)
			return evnt_win32(errno);
		else if (!n)
			break;
	}
	return ERROR_SUCCESS;
}

/* Return the first offset from @offset on that was written, at most @end */
static u64 next_data(int fd, u64 offset, u64 end)
{
	off_t data = lseek(fd, offset, SEEK_DATA);

	/*
	 * On a file system without this information, everything counts as
	 * written
	 */
	if (data < 0)
		return errno == ENXIO ? end : offset;
	return (u64)data < end ? (u64)data : end;
}

/* Larger than any record: no record contains a hole of this size */
#define HOLE	(64u * 1024)

/**
 * etl_written_len() - return how much of a buffer was ever written
 * @fd: the file
 * @offset: offset of the buffer
 * @size: size of the buffer in bytes
 *
 * A large file may contain nothing: reading it must not take memory.
 *
 * Return: number of bytes behind which no record begins.
 */
u32 etl_written_len(int fd, u64 offset, u32 size)
{
	const u64 end = offset + size;
	u64 at = offset, hole;
	off_t found;

	while (at < end) {
		found = lseek(fd, at, SEEK_HOLE);
		if (found < 0 || (u64)found >= end)
			return size;
		hole = found;
		at = next_data(fd, hole, end);
		if (at - hole >= HOLE)
			return hole + HOLE - offset;
	}
	return size;
}

u16 etl_buffer_cpu(const struct etl_buffer_header *h)
{
	return h->flag & ETL_FLAG_PROC_INDEX ? h->cpu : h->cpu & 0xff;
}

static ULONG add_ref(struct etl_index *x, const struct etl_ref *ref)
{
	struct etl_ref *more;
	u32 room;

	if (x->count == x->room) {
		room = x->room ? 2 * x->room : 64;
		more = realloc(x->refs, room * sizeof(*more));
		if (!more)
			return ERROR_NOT_ENOUGH_MEMORY;
		x->refs = more;
		x->room = room;
	}
	x->refs[x->count++] = *ref;
	return ERROR_SUCCESS;
}

static bool is_zero(const struct etl_buffer_header *h)
{
	static const struct etl_buffer_header zero;

	return !memcmp(h, &zero, sizeof(zero));
}

/*
 * Skip data in place of a buffer.  Zeros are room for later buffers, or a
 * buffer that never reached the disk; others may follow.  Buffers that are not
 * packed have one size, so their offsets are known.  Return the number of bytes
 * to skip.
 */
static u64 skip(struct etl_index *x, int fd, const struct etl_buffer_header *h,
		u64 offset, u64 left)
{
	u64 step = x->count ? x->refs[0].size : left;

	if (x->found.packed.count || step > left)
		step = left;
	/* Skip a hole, where nothing was ever written, at once */
	if (is_zero(h))
		step *= max((next_data(fd, offset, offset + left) - offset) /
			    step, 1ull);
	x->lost = true;
	if (is_zero(h))
		etl_event_counts(&x->found.unused, step);
	else if (h->buffer_size > left && h->buffer_size <= ETL_MAX_BUFFER)
		etl_event_counts(&x->found.unread[ETL_UNREAD_CUT], step);
	else
		etl_event_counts(&x->found.unread[ETL_UNREAD_JUNK], step);
	return step;
}

static bool is_buffer(const struct etl_index *x,
		      const struct etl_buffer_header *h, u64 left)
{
	return h->buffer_size >= sizeof(*h) && h->buffer_size <= ETL_MAX_BUFFER &&
	       h->buffer_size <= left &&
	       (!x->lost || h->buffer_size == x->refs[0].size);
}

/* The file ends in a buffer, whose complete records can be read */
static bool is_cut(const struct etl_index *x, const struct etl_buffer_header *h,
		   u64 left)
{
	return x->count && !x->found.packed.count &&
	       !(h->flag & ETL_FLAG_PACKED) && h->buffer_size > left &&
	       h->buffer_size == x->refs[0].size;
}

/* Index one buffer, and move @offset behind it */
static ULONG index_buffer(struct etl_index *x, int fd, u64 *offset, u64 left)
{
	struct etl_buffer_header h = {};
	struct etl_ref ref;
	size_t done;
	u32 present;
	ULONG code;

	code = etl_read_at(fd, &h, sizeof(h), *offset, &done);
	if (code)
		return code;
	if (done < sizeof(h) ||
	    !(is_buffer(x, &h, left) || is_cut(x, &h, left))) {
		*offset += skip(x, fd, &h, *offset, left);
		return ERROR_SUCCESS;
	}
	if (!x->count)
		x->format = h.state;
	if (!x->count || h.time_stamp > x->last)
		x->last = h.time_stamp;
	if (h.flag & ETL_FLAG_PACKED)
		etl_event_counts(&x->found.packed, h.buffer_size);
	/* The bytes that there are will be counted when they are read */
	if (h.buffer_size > left && h.offset > left)
		etl_event_counts(&x->found.unread[ETL_UNREAD_CUT], 0);
	present = left < h.buffer_size ? left : h.buffer_size;
	ref = (struct etl_ref) {
		.offset = *offset,
		.size = h.buffer_size,
		.present = present,
		.sequence = h.sequence,
		.cpu = etl_buffer_cpu(&h),
		.packed = h.flag & ETL_FLAG_PACKED,
		.order = x->count,
	};
	*offset += present;
	return add_ref(x, &ref);
}

static int by_cpu_and_sequence(const void *a, const void *b)
{
	const struct etl_ref *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	if (x->sequence != y->sequence)
		return x->sequence < y->sequence ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

/**
 * etl_index_make() - find the buffers of a file
 * @x: zeroed; out: the buffers, which the caller frees, also after a failure
 * @fd: the file
 *
 * Return: ERROR_SUCCESS; ERROR_FILE_CORRUPT if the file does not begin with a
 * buffer; ERROR_NOT_ENOUGH_MEMORY; the error of reading.
 */
ULONG etl_index_make(struct etl_index *x, int fd)
{
	ULONG code = ERROR_SUCCESS;
	struct stat st;
	u64 offset = 0;

	if (fstat(fd, &st))
		return evnt_win32(errno);
	while (!code && offset < (u64)st.st_size)
		code = index_buffer(x, fd, &offset, st.st_size - offset);
	if (code)
		return code;
	if (!x->refs || x->refs[0].offset)
		return ERROR_FILE_CORRUPT;
	qsort(x->refs + 1, x->count - 1, sizeof(*x->refs),
	      by_cpu_and_sequence);
	return ERROR_SUCCESS;
}
