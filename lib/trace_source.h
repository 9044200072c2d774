/* SPDX-License-Identifier: MIT */
/*
 * Where ProcessTrace() gets its buffers from: a log file, or a session.
 *
 * A source hands out whole buffers, as they are in a file: a struct
 * etl_buffer_header, then records.  What is in a buffer, how the buffers of
 * several sources are merged, and what a callback is shown, is none of its
 * business: trace_merge.c walks the buffers, process_trace.c calls back.
 *
 * A source gives its buffers in rounds.  A round is a set of streams, which are
 * read side by side and merged by time; a stream is buffers one after the other,
 * oldest first.  An event of a round is shown before any of the next.
 *
 *	file		first its header buffer, alone; then all others, a stream
 *			for each processor; then no more
 *	session		first its header buffer, alone; then what is complete up
 *			to some time, a stream for each buffer that has some of
 *			it, as often as there is something, until the session ends
 *
 * The calls: ->start(), then ->begin_round() until it gives no stream, in each
 * round ->next_buffer() for each stream until it gives no buffer.  Reading may
 * end at any point, and start anew later; ->close() is last.  One thread at a
 * time calls a source, but for ->interrupt(), which may come from any, even
 * between ->start() and ->begin_round(), and has to be remembered.
 *
 * Between ->next_buffer() and the next call for the same stream, or one that is
 * not for a stream, the buffer stays where it is and is not written to: callbacks
 * are given pointers into it.  A source may map it rather than copy it.
 */
#ifndef EVNT_TRACE_SOURCE_H
#define EVNT_TRACE_SOURCE_H

#include "etl_clock.h"
#include "etl_counts.h"
#include "evntcons.h"

/**
 * struct trace_stream - buffers that follow each other
 * @buffer: the source's: the one to be read now; NULL: there is none left in this
 *	round
 * @end: the source's: offset in @buffer behind the last record; at least
 *	ETL_BUFFER_HEADER_SIZE
 * @clock: the source's: of the records in @buffer
 * @begin: the source's: offset of the first record that is wanted; 0: right
 *	behind the header
 * @is_part: the source's: the rest of @buffer comes in a later round
 * @at: the reader's: offset of the current record
 * @size: the reader's: its size, without padding
 * @kind: the reader's: index into etl_counts.records
 * @raw: the reader's: its time stamp, or ETL_NO_TIME
 * @time: the reader's: its time as a FILETIME; without a time stamp, that of the
 *	record before
 */
struct trace_stream {
	const u8 *buffer;
	u32 end;
	const struct etl_clock *clock;
	u32 begin;
	bool is_part;

	u32 at;
	u32 size;
	u32 kind;
	s64 raw;
	s64 time;
};

struct trace_source;

/**
 * struct trace_source_ops - what a source can do
 * @start: go to the beginning, or to where reading is to begin
 * @begin_round: set @streams and @stream_count; 0 streams: there is no more to
 *	come.  May wait, until ->interrupt(); then it gives what it has got, and
 *	next 0 streams.  What the round before gave out is done with
 * @next_buffer: the next buffer of a stream, which sets @buffer, @end, @clock;
 *	the one before is done with.  It never waits for a session
 * @interrupt: no more than what it has got is wanted; ends waiting, this or the
 *	next; NULL: it never waits
 * @close: releases all, and the source itself
 *
 * Those with a result return a Win32 code, which ProcessTrace() returns.
 */
struct trace_source_ops {
	ULONG (*start)(struct trace_source *src);
	ULONG (*begin_round)(struct trace_source *src);
	ULONG (*next_buffer)(struct trace_source *src, struct trace_stream *s);
	void (*interrupt)(struct trace_source *src);
	void (*close)(struct trace_source *src);
};

/**
 * struct trace_source - something that is read; sources embed it
 * @ops: what it can do
 * @live: it is a session: ProcessTrace() takes one, and no file beside it
 * @header: set when it is opened; its losses may grow while it is read.  The
 *	names are NULL, or the source's until it is closed
 * @clock: what most buffers' streams point to
 * @streams: of this round
 * @stream_count: how many
 * @counts: the reader adds what it finds, a source what it cannot give
 */
struct trace_source {
	const struct trace_source_ops *ops;
	bool live;
	TRACE_LOGFILE_HEADER header;
	struct etl_clock clock;
	struct trace_stream *streams;
	u32 stream_count;
	struct etl_counts counts;
};

#endif /* EVNT_TRACE_SOURCE_H */
