/* SPDX-License-Identifier: MIT */
/*
 * Index of an .etl file: its buffers in the order of reading.
 */
#ifndef EVNT_ETL_INDEX_H
#define EVNT_ETL_INDEX_H

#include "lib/consume/etl_counts.h"
#include "evntbase.h"

#define ETL_MAX_BUFFER	(64u * 1024 * 1024)
#define ETL_FLAG_PACKED	0x40u

/**
 * struct etl_ref - a buffer in the file
 * @offset: offset in the file
 * @sequence: its sequence number
 * @order: number of buffers in front of it in the file
 * @size: size of the whole buffer in bytes
 * @present: number of bytes in the file, less than @size if the file ends in it
 * @cpu: number of its processor
 * @packed: whether it must be unpacked by etl_unpack()
 */
struct etl_ref {
	u64 offset;
	s64 sequence;
	u32 order;
	u32 size;
	u32 present;
	u16 cpu;
	bool packed;
};

/**
 * struct etl_index - all buffers of a file
 * @refs: the header's buffer, then the others by processor, oldest first
 * @count: number of @refs
 * @room: number of @refs that there is memory for
 * @format: method of packing
 * @last: latest time, in the log's clock, at which a buffer was flushed
 * @lost: data was not a buffer: further buffers must have the size of the first
 * @found: counts of data that is not a buffer, and of packed buffers
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

/* Test whether a buffer begins another stream than the one before it */
static inline bool etl_index_begins(const struct etl_index *x, u32 i)
{
	return i < 2 || x->refs[i].cpu != x->refs[i - 1].cpu;
}

/* Unpacking of packed buffers, each method in a file of its name */
bool etl_unpack(u8 *to, u32 room, const u8 *from, u32 len);
bool etl_unpack_lznt1(u8 *to, u32 room, const u8 *from, u32 len);
bool etl_unpack_huffman(u8 *to, u32 room, const u8 *from, u32 len);

#endif /* EVNT_ETL_INDEX_H */
