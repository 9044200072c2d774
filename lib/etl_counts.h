/* SPDX-License-Identifier: MIT */
/*
 * What was found in a log, and what was not understood: nothing is skipped
 * without being counted here.
 */
#ifndef EVNT_ETL_COUNTS_H
#define EVNT_ETL_COUNTS_H

#include "etl.h"

/* Kinds of records: the third byte, or one for all that are marked otherwise */
#define ETL_KIND_MESSAGE	0x0fu
#define ETL_KIND_OTHER		0x100u
#define ETL_KINDS		0x101u

/* Types of extended items; the last stands for all beyond */
#define ETL_ITEM_OTHER		0x40u
#define ETL_ITEMS		0x41u

/**
 * enum etl_unread - bytes that nobody is shown, and why
 * @ETL_UNREAD_RECORD: records of a kind that is not known
 * @ETL_UNREAD_BUFFER_REST: rests of buffers, behind something that is no record
 * @ETL_UNREAD_HIDDEN: between the ends that a buffer says, where its two differ
 * @ETL_UNREAD_ITEMS: rests of records, behind an extended item that is none
 * @ETL_UNREAD_CUT: a buffer that the file ends in
 * @ETL_UNREAD_JUNK: what stands where a buffer should be
 * @ETL_UNREAD_PACKED: buffers that cannot be unpacked: by an unknown method, or
 *	damaged
 * @ETL_UNREAD_CHANGED: buffers that were overwritten, or cut off, meanwhile
 * @ETL_UNREADS: how many there are
 */
enum etl_unread {
	ETL_UNREAD_RECORD,
	ETL_UNREAD_BUFFER_REST,
	ETL_UNREAD_HIDDEN,
	ETL_UNREAD_ITEMS,
	ETL_UNREAD_CUT,
	ETL_UNREAD_JUNK,
	ETL_UNREAD_PACKED,
	ETL_UNREAD_CHANGED,
	ETL_UNREADS,
};

struct etl_tally {
	u64 count;
	u64 bytes;
};

/**
 * struct etl_counts - what was found
 * @records: by kind; bytes without padding
 * @padding: bytes between records
 * @items: extended items by type; bytes of their data
 * @unread: by enum etl_unread
 * @buffers: that were read; bytes as they are in memory, not packed
 * @packed: those among them that were packed; bytes as they are in the file
 * @events_lost: buffers that say that events were lost before
 * @buffers_lost: buffers that say that a buffer was lost before
 * @unused: ends of buffers, and whole ones, that are known to hold nothing
 */
struct etl_counts {
	struct etl_tally records[ETL_KINDS];
	u64 padding;
	struct etl_tally items[ETL_ITEMS];
	struct etl_tally unread[ETL_UNREADS];
	struct etl_tally buffers;
	struct etl_tally packed;
	u64 events_lost;
	u64 buffers_lost;
	struct etl_tally unused;
};

static inline void etl_tally(struct etl_tally *t, u64 bytes)
{
	t->count++;
	t->bytes += bytes;
}

static inline u64 etl_unread_bytes(const struct etl_counts *counts)
{
	u64 bytes = 0;
	int i;

	for (i = 0; i < ETL_UNREADS; i++)
		bytes += counts->unread[i].bytes;
	return bytes;
}

#endif /* EVNT_ETL_COUNTS_H */
