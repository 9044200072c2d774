/* SPDX-License-Identifier: MIT */
/*
 * One record of an .etl file, as an EVENT_RECORD.
 */
#ifndef EVNT_ETL_RECORD_H
#define EVNT_ETL_RECORD_H

#include "etl.h"
#include "evntcons.h"

/* What etl_record_check() says of a record without a time stamp */
#define ETL_NO_TIME	INT64_MIN

/* Extended items that are handed on; what a record has beyond is left out */
#define ETL_MAX_ITEMS	64

/* An event for a callback, and the memory that it points to */
struct etl_view {
	EVENT_RECORD record;
	EVENT_HEADER_EXTENDED_DATA_ITEM items[ETL_MAX_ITEMS];
};

u32 etl_record_check(const u8 *p, u32 room, s64 *time);
void etl_record_view(const u8 *p, u32 size, struct etl_view *view);

#endif /* EVNT_ETL_RECORD_H */
