/* SPDX-License-Identifier: MIT */
/*
 * Writes records into a new log file, as a session would: in buffers of each
 * processor, behind a header that says of the whole what it is.
 */
#ifndef EVNT_RELOG_H
#define EVNT_RELOG_H

#include "etl.h"

/* Room for the largest record */
#define RELOG_BUFFER_SIZE	0x20000u
#define RELOG_CPUS		0x800u

/**
 * struct relog - a log file that is being written
 * @fd: the file
 * @header: what it will say in front
 * @base: header.start_time in the file's clock
 * @names: the session's name and the file's, each with its nul, in UTF-16
 * @name_bytes: bytes there
 * @front: the first buffer: room for the header's event, and what goes with it
 * @front_used: bytes in it
 * @buffers: the one of each processor, or NULL
 * @used: bytes in it
 * @sequence: of the next buffer that is begun
 * @written: bytes in the file
 * @records: that were added
 */
struct relog {
	int fd;
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
 * Each returns 0, or an error number.  relog_begin() needs @fd and the names; @header
 * and @base are to be there for relog_end().
 */
int relog_begin(struct relog *r);
/*
 * A record that readers are to see first, whenever it was; ENOSPC when there is no
 * room for it
 */
int relog_add_front(struct relog *r, const u8 *record, u32 size, s64 time);
/* Records of one processor come in the order of time */
int relog_add(struct relog *r, u16 cpu, const u8 *record, u32 size, s64 time);
int relog_end(struct relog *r);

/* What is in memory; the file stays open */
void relog_free(struct relog *r);

#endif /* EVNT_RELOG_H */
