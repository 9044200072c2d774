/* SPDX-License-Identifier: MIT */
/* Check that each byte of a log file is accounted for. */
#ifndef EVNT_TEST_ETL_ADDS_UP_H
#define EVNT_TEST_ETL_ADDS_UP_H

#include "lib/consume/etl_counts.h"

static inline u64 sum_bytes(const struct etl_event_counts *t, unsigned int n)
{
	u64 bytes = 0;

	while (n--)
		bytes += t[n].bytes;
	return bytes;
}

/* Bytes outside of buffers that consumers do not get */
static inline u64 outside_bytes(const struct etl_counts *c)
{
	return c->unread[ETL_UNREAD_CUT].bytes +
	       c->unread[ETL_UNREAD_JUNK].bytes +
	       c->unread[ETL_UNREAD_PACKED].bytes +
	       c->unread[ETL_UNREAD_CHANGED].bytes;
}

/*
 * Whether the counts add up to the file's @size.  The file must not be packed,
 * as packed buffers take less room than their records.  The rests of records
 * count as records.
 */
static inline bool etl_adds_up(const struct etl_counts *c, u64 size)
{
	return size == outside_bytes(c) +
	       c->buffers.count * ETL_BUFFER_HEADER_SIZE +
	       sum_bytes(c->records, ETL_KINDS) + c->padding +
	       c->unread[ETL_UNREAD_BUFFER_REST].bytes +
	       c->unread[ETL_UNREAD_HIDDEN].bytes + c->unused.bytes;
}

#endif /* EVNT_TEST_ETL_ADDS_UP_H */
