/* SPDX-License-Identifier: MIT */
/*
 * Writes records into a new log file like a session: in per-processor buffers,
 * behind a header that describes the file
 */
#ifndef EVNT_RELOG_H
#define EVNT_RELOG_H

#include "lib/consume/trace_source.h"
#include "lib/relog/pack.h"

/* Size of a buffer, sufficient for the largest record */
#define RELOG_BUFFER_SIZE	0x20000u
#define RELOG_CPUS		0x10000u

/* Size of the first buffer in packed files, which is not packed itself */
#define RELOG_FRONT_SIZE	0x4000u

/**
 * struct relog - a log file being written
 * @fd: descriptor of the file
 * @method: method by which buffers are packed, or PACK_NONE
 * @packer: memory for packing, or NULL
 * @header: header of the file
 * @base: header.start_time in the file's clock
 * @keep_time: keep time stamps of the inputs unchanged, as all have the same clock
 * @names: session name and file name in UTF-16, each nul-terminated
 * @name_bytes: number of bytes used in @names
 * @front: first buffer, for the header event and the records that accompany it
 * @front_used: number of bytes used in @front
 * @buffers: current buffer of each processor, or NULL
 * @used: number of bytes used in each buffer
 * @sequence: sequence number of the next buffer
 * @written: number of bytes in the file
 * @records: number of records added
 */
struct relog {
	int fd;
	enum pack_method method;
	struct packer *packer;
	struct etl_logfile_header header;
	s64 base;
	bool keep_time;
	WCHAR names[2048];
	u32 name_bytes;
	u8 *front;
	u32 front_used;
	u8 *buffers[RELOG_CPUS];
	u32 used[RELOG_CPUS];
	s64 sequence;
	u64 written;
	u64 records;
};

/**
 * struct relog_record - a record for a log file
 * @data: the record
 * @size: its size in bytes, without padding
 * @cpu: number of the processor that wrote it
 * @is_front: whether readers must get it first, regardless of its time
 * @raw: its time stamp in the clock of its input, or ETL_NO_TIME to use @time
 * @time: its time as a FILETIME
 */
struct relog_record {
	const u8 *data;
	u32 size;
	u16 cpu;
	bool is_front;
	s64 raw;
	s64 time;
};

/*
 * Functions that return an int return 0 or an errno.  The caller sets @fd and
 * @method before relog_begin().
 */

/*
 * Begin a log of the records of these inputs. @name is the file name that the
 * header contains after the first input's session name.
 */
int relog_begin(struct relog *r, struct trace_source *const *from, u32 count,
		const WCHAR *name);
/* Get the current record of a stream of an input */
struct relog_record relog_record_of(const struct trace_source *from,
				    const struct trace_stream *s);
/* Return whether a record is the header of a log, which a new log has itself */
bool relog_is_header(const u8 *record);
/*
 * Add a record of an input. Records of a processor must come in order of time.
 */
int relog_add(struct relog *r, const struct trace_source *from,
	      const struct relog_record *record);
/* End the log, with the losses of its inputs */
int relog_end(struct relog *r, struct trace_source *const *from, u32 count);

/* Free the memory; the file stays open */
void relog_free(struct relog *r);

/*
 * Return whether the inputs count processor time in ticks of the same length,
 * within 1 %. Otherwise one log cannot have the records of all.
 */
bool relog_have_same_units(struct trace_source *const *from, u32 count);

/* relog_header.c: set the header, the clock and the names */
void relog_describe(struct relog *r, struct trace_source *const *from, u32 count,
		    const WCHAR *name);
/* Convert the time of a record to the clock of the log */
s64 relog_time(const struct relog *r, const struct trace_source *from,
	       const struct relog_record *record);
/* Sum up the losses */
void relog_set_losses(struct relog *r, struct trace_source *const *from,
		      u32 count);

#endif /* EVNT_RELOG_H */
