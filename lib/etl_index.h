/* SPDX-License-Identifier: MIT */
/*
 * The buffers of an .etl file: where they are, in the order of reading.
 */
#ifndef EVNT_ETL_INDEX_H
#define EVNT_ETL_INDEX_H

#include "etl_counts.h"
#include "evntbase.h"

#define ETL_MAX_BUFFER	(64u * 1024 * 1024)
#define ETL_FLAG_PACKED	0x40u

/**
 * struct etl_ref - a buffer in the file
 * @offset: where it is
 * @sequence: its sequence number
 * @order: how many came before it in the file
 * @size: of the whole buffer in bytes
 * @cpu: whose it is
 * @packed: it is, with what etl_unpack() unpacks
 */
struct etl_ref {
	u64 offset;
	s64 sequence;
	u32 order;
	u32 size;
	u16 cpu;
	bool packed;
};

/**
 * struct etl_index - all buffers of a file
 * @refs: the header's; then the others, by processor, the oldest first
 * @count: how many
 * @room: how many there is memory for
 * @format: how packed ones are packed
 * @last: the latest time that a buffer was handed to the log, in its clock
 * @lost: something was no buffer: what follows has to be as the first one
 * @found: what was found that is no buffer, and which are packed
 */
struct etl_index {
	struct etl_ref *refs;
	u32 count;
	u32 room;
	u16 format;
	s64 last;
	bool lost;
	struct etl_counts found;
};

ULONG etl_index_make(struct etl_index *x, int fd);
u16 etl_buffer_cpu(const struct etl_buffer_header *h);
ULONG etl_read_at(int fd, void *to, size_t len, u64 offset, size_t *done);
u32 etl_written_len(int fd, u64 offset, u32 size);

/* Whether a buffer begins another stream than the one before */
static inline bool etl_index_begins(const struct etl_index *x, u32 i)
{
	return i < 2 || x->refs[i].cpu != x->refs[i - 1].cpu;
}

#endif /* EVNT_ETL_INDEX_H */
