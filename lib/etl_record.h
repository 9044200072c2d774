/* SPDX-License-Identifier: MIT */
/*
 * One record of an .etl file, as an EVENT_RECORD.
 */
#ifndef EVNT_ETL_RECORD_H
#define EVNT_ETL_RECORD_H

#include "etl_counts.h"
#include "evntcons.h"

/* What etl_record_check() says of a record without a time stamp */
#define ETL_NO_TIME	INT64_MIN

/* Extended items of a record at most: as many as it has room for */
#define ETL_MAX_ITEMS	(ETL_MAX_RECORD / 8)

/* What may stand at the place of a record */
enum etl_found {
	ETL_FOUND_RECORD,
	ETL_FOUND_UNKNOWN,	/* a record, of a kind that is not known */
	ETL_FOUND_END,		/* the mark of an unused end */
	ETL_FOUND_NONE,		/* something else */
};

/**
 * struct etl_record - what etl_record_check() finds
 * @kind: index into etl_counts.records
 * @size: of the record, without padding; at most the room that there is
 * @time: its time stamp in the log's clock, or ETL_NO_TIME
 */
struct etl_record {
	u32 kind;
	u32 size;
	s64 time;
};

/**
 * struct etl_view - an event for a callback, and the memory that it points to
 * @record: the event
 * @chained: how many of its items follow its header, in the record; others are
 *	made of the header
 * @unread: bytes of it behind an extended item that is none
 * @version: its version, for which a class has more bits than a descriptor
 * @items: its extended items
 */
struct etl_view {
	EVENT_RECORD record;
	u32 chained;
	u32 unread;
	u16 version;
	EVENT_HEADER_EXTENDED_DATA_ITEM items[ETL_MAX_ITEMS];
};

enum etl_found etl_record_check(const u8 *p, u32 room, struct etl_record *r);
u32 etl_record_time_at(const u8 *p, u32 size);
void etl_record_view(const u8 *p, u32 size, struct etl_view *view);

#endif /* EVNT_ETL_RECORD_H */
