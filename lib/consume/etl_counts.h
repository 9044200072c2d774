/* SPDX-License-Identifier: MIT */
/*
 * Counts of what a log contains, including what was not understood: nothing is
 * skipped without being counted.
 */
#ifndef EVNT_ETL_COUNTS_H
#define EVNT_ETL_COUNTS_H

#include "core/etl.h"

/* Kinds of records: the third byte, or ETL_KIND_OTHER for other markers */
#define ETL_KIND_MESSAGE	0x0fu
#define ETL_KIND_OTHER		0x100u
#define ETL_KINDS		0x101u

/* Types of extended items; ETL_ITEM_OTHER counts all larger types */
#define ETL_ITEM_OTHER		0x40u
#define ETL_ITEMS		0x41u

/**
 * enum etl_unread - reasons why bytes are not delivered
 * @ETL_UNREAD_RECORD: records of an unknown kind
 * @ETL_UNREAD_BUFFER_REST: rest of a buffer after something that is not a
 *	record
 * @ETL_UNREAD_HIDDEN: bytes between the two ends in a buffer's header
 * @ETL_UNREAD_ITEMS: rest of a record after an invalid extended item
 * @ETL_UNREAD_CUT: buffer whose events or header are cut off by the end of the
 *	file; bytes only of a header
 * @ETL_UNREAD_JUNK: other data in place of a buffer
 * @ETL_UNREAD_PACKED: buffers that are damaged or packed by an unknown method
 * @ETL_UNREAD_CHANGED: buffers overwritten or cut off after the file was opened
 * @ETL_UNREADS: number of reasons
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

struct etl_event_counts {
	u64 count;
	u64 bytes;
};

/**
 * struct etl_counts - counts of what a log contains
 * @records: by kind; bytes without padding
 * @padding: bytes between records
 * @items: extended items by type; bytes of their data
 * @unread: by enum etl_unread
 * @buffers: buffers read; bytes as unpacked in memory
 * @packed: buffers that were packed; bytes as in the file
 * @events_lost: buffers flagged as following lost events
 * @buffers_lost: buffers flagged as following a lost buffer
 * @unused: unused ends of buffers, and unused buffers
 */
struct etl_counts {
	struct etl_event_counts records[ETL_KINDS];
	u64 padding;
	struct etl_event_counts items[ETL_ITEMS];
	struct etl_event_counts unread[ETL_UNREADS];
	struct etl_event_counts buffers;
	struct etl_event_counts packed;
	u64 events_lost;
	u64 buffers_lost;
	struct etl_event_counts unused;
};

static inline void etl_event_counts(struct etl_event_counts *t, u64 bytes)
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
