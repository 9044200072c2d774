/* SPDX-License-Identifier: MIT */
/*
 * Writes records into a new log file like a session: in per-processor buffers,
 * behind a header that describes the file
 */
#ifndef EVNT_RELOG_H
#define EVNT_RELOG_H

#include "tools/merge/pack.h"

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
 * @names: session name and file name in UTF-16, each nul-terminated
 * @name_bytes: size of @names in bytes
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
	const void *names;
	u32 name_bytes;
	u8 *front;
	u32 front_used;
	u8 *buffers[RELOG_CPUS];
	u32 used[RELOG_CPUS];
	s64 sequence;
	u64 written;
	u64 records;
};

/*
 * These functions return 0 or an errno. The caller sets @fd and the names
 * before relog_begin(), and @header and @base before relog_end().
 */
int relog_begin(struct relog *r);
/*
 * Add a record that readers must get first, regardless of its time; return
 * ENOSPC if it does not fit
 */
int relog_add_front(struct relog *r, const u8 *record, u32 size, s64 time);
/* Add a record. Records of a processor must come in order of time. */
int relog_add(struct relog *r, u16 cpu, const u8 *record, u32 size, s64 time);
int relog_end(struct relog *r);

/* Free the memory; the file stays open */
void relog_free(struct relog *r);

#endif /* EVNT_RELOG_H */
