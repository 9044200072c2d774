/* SPDX-License-Identifier: MIT */
/*
 * Interface to the sources of ProcessTrace(): log files and sessions.
 *
 * A source supplies whole buffers as they are stored in a file: a struct
 * etl_buffer_header, then records.  It does not interpret them: trace_merge.c
 * finds the records and merges several sources; process_trace.c calls back.
 *
 * Buffers are supplied in rounds.  A round is a set of streams, which are read
 * in parallel and merged by time; a stream is a sequence of buffers, oldest
 * first.  All events of a round are reported before any of the next.
 *
 *	file		first round: the header buffer; second round: all other
 *			buffers, with a stream for each processor
 *	session		first round: the header buffer; following rounds, until
 *			the session ends: events complete up to some time, with
 *			a stream for each buffer that contains some of them
 *	stream		first round: the header buffer; following rounds, until
 *			the consumer closes it: all buffers that it has added,
 *			with a stream for each
 *
 * Order of calls: ->start(); ->begin_round() until it returns no stream; in
 * each round ->next_buffer() for each stream until it returns no buffer.
 * Reading may stop at any point and start again later; ->close() is last.  A
 * source is called by one thread at a time, except for ->interrupt(), which any
 * thread may call.  An interrupt between ->start() and ->begin_round() must be
 * remembered.
 *
 * A buffer must stay in place unmodified until ->next_buffer() is called again
 * for its stream, or any of the other operations is called: callbacks receive
 * pointers into it.  A source may therefore map a buffer instead of copying it.
 */
#ifndef EVNT_TRACE_SOURCE_H
#define EVNT_TRACE_SOURCE_H

#include "lib/consume/etl_clock.h"
#include "lib/consume/etl_counts.h"
#include "evntcons.h"

/**
 * struct trace_stream - a sequence of buffers
 * @buffer: set by the source: current buffer; NULL: none left in this round
 * @end: set by the source: offset in @buffer behind the last record; at least
 *	ETL_BUFFER_HEADER_SIZE
 * @room: set by the source: number of bytes at @buffer, at least @end
 * @clock: set by the source: clock of the records in @buffer
 * @begin: set by the source: offset of the first record to read; 0: directly
 *	behind the header
 * @is_part: set by the source: the rest of @buffer comes in a later round
 * @at: set by the reader: offset of the current record
 * @size: set by the reader: size of the record, without padding
 * @kind: set by the reader: index of the record's type in etl_counts.records
 * @raw: set by the reader: time stamp of the record, or ETL_NO_TIME
 * @exact: set by the reader: time stamp of the record, or of the previous record
 *	if it has none
 * @time: set by the reader: @exact as a FILETIME
 */
struct trace_stream {
	const u8 *buffer;
	u32 end;
	u32 room;
	const struct etl_clock *clock;
	u32 begin;
	bool is_part;

	u32 at;
	u32 size;
	u32 kind;
	s64 raw;
	s64 exact;
	s64 time;
};

struct trace_source;

/**
 * struct trace_source_ops - operations of a source
 * @start: go to the beginning of the source
 * @begin_round: set @streams and @stream_count; 0 streams mean the end.  Ends
 *	the use of all buffers of the previous round.  May wait for a session
 *	until ->interrupt(); then it returns the data received so far, and 0
 *	streams the next time
 * @next_buffer: go to the next buffer of a stream, setting its @buffer, @end
 *	and @clock.  Ends the use of the previous buffer.  Must not wait for a
 *	session
 * @interrupt: end the current or next wait, and read no further than the data
 *	received so far; NULL if the source never waits
 * @close: free the source and all of its resources
 *
 * Operations with a result return a Win32 code, which ProcessTrace() returns.
 */
struct trace_source_ops {
	ULONG (*start)(struct trace_source *src);
	ULONG (*begin_round)(struct trace_source *src);
	ULONG (*next_buffer)(struct trace_source *src, struct trace_stream *s);
	void (*interrupt)(struct trace_source *src);
	void (*close)(struct trace_source *src);
};

/**
 * struct trace_source - base of a source, embedded by its implementation
 * @ops: operations
 * @live: the source waits for events, so it must be processed alone
 * @header: set on opening; the loss counts may grow during reading.  The names
 *	are NULL, or owned by the source until it is closed
 * @clock: clock used by most streams
 * @streams: streams of the current round
 * @stream_count: number of streams
 * @counts: counts of data read, added by the reader, and of unreadable data,
 *	added by the source
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

/* etl_file.c: log files */
ULONG etl_file_open(struct trace_source **src, const char *path);
s64 etl_file_written(const struct trace_source *src);

/* realtime.c: real-time sessions */
ULONG live_open(struct trace_source **src, const WCHAR *name);

/* buffer_stream.c: buffers that the consumer supplies */
struct trace_source *buffer_stream_open(PETW_BUFFER_COMPLETION_CALLBACK complete,
					PVOID context);
ULONG buffer_stream_add(struct trace_source *src,
			const ETW_BUFFER_HEADER *buffer, u32 size);

#endif /* EVNT_TRACE_SOURCE_H */
