/* SPDX-License-Identifier: MIT */
/*
 * An .etl file as a reader sees it: buffers, and the streams they form.
 *
 * Nothing in a file is trusted: each size is checked before it is used, and
 * memory is bounded by what the file really holds.
 */
#ifndef EVNT_ETL_FILE_H
#define EVNT_ETL_FILE_H

#include "etl.h"
#include "evntcons.h"

/**
 * struct etl_buffer_ref - a buffer in the file
 * @offset: where it is
 * @size: of the whole buffer in bytes
 * @sequence: its sequence number
 * @cpu: whose it is
 * @order: how many came before it in the file
 */
struct etl_buffer_ref {
	u64 offset;
	u32 size;
	s64 sequence;
	u16 cpu;
	u32 order;
};

/**
 * struct etl_stream - the buffers of one processor, oldest first
 * @refs: they
 * @count: how many
 * @next: which is loaded next
 * @data: the one that is loaded, or NULL
 * @capacity: bytes at @data
 * @at: offset of the current record there
 * @end: offset of what follows the last
 * @size: the current record's
 * @time: its time as a FILETIME
 */
struct etl_stream {
	const struct etl_buffer_ref *refs;
	u32 count;
	u32 next;
	u8 *data;
	u32 capacity;
	u32 at;
	u32 end;
	u32 size;
	s64 time;
};

/**
 * struct etl_file - an open file
 * @fd: its descriptor
 * @refs: all buffers, by processor
 * @ref_count: how many
 * @streams: one for each processor that has buffers, and the header's first
 * @stream_count: how many
 * @header: as the file says, for the architecture that we run on
 * @base: when @header.StartTime was, in the file's clock
 */
struct etl_file {
	int fd;
	struct etl_buffer_ref *refs;
	u32 ref_count;
	struct etl_stream *streams;
	u32 stream_count;
	TRACE_LOGFILE_HEADER header;
	s64 base;
};

ULONG etl_file_open(struct etl_file *f, const char *path);
void etl_file_close(struct etl_file *f);
ULONG etl_stream_start(struct etl_file *f, struct etl_stream *s);
ULONG etl_stream_next(struct etl_file *f, struct etl_stream *s,
		      bool *new_buffer);
bool etl_stream_ended(const struct etl_stream *s);
s64 etl_file_time(const struct etl_file *f, s64 raw);

#endif /* EVNT_ETL_FILE_H */
