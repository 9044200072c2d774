/* SPDX-License-Identifier: MIT */
/*
 * Conversion of a record of an .etl file to an EVENT_RECORD.
 */
#ifndef EVNT_ETL_RECORD_H
#define EVNT_ETL_RECORD_H

#include "lib/consume/etl_clock.h"
#include "lib/consume/etl_counts.h"
#include "evntcons.h"

/* Time of a record without a time stamp in struct etl_record */
#define ETL_NO_TIME	INT64_MIN

/* Maximum number of extended items of a record, by the room for them */
#define ETL_MAX_ITEMS	(ETL_MAX_RECORD / 8)

/* Result of etl_record_check() */
enum etl_found {
	ETL_FOUND_RECORD,
	ETL_FOUND_UNKNOWN,	/* record of an unknown kind */
	ETL_FOUND_END,		/* mark of an unused end */
	ETL_FOUND_NONE,		/* something else */
};

/**
 * struct etl_record - result of etl_record_check()
 * @kind: index into etl_counts.records
 * @size: size without padding, at most the room
 * @time: time stamp in the log's clock, or ETL_NO_TIME
 */
struct etl_record {
	u32 kind;
	u32 size;
	s64 time;
};

/**
 * struct etl_view - an event for a callback, and the memory that it points to
 * @record: the event
 * @chained: number of items that follow the header in the record; others are
 *	made from the header
 * @unread: number of bytes behind an invalid extended item
 * @version: event version, which has more bits for a class than in a descriptor
 * @items: extended items
 */
struct etl_view {
	EVENT_RECORD record;
	u32 chained;
	u32 unread;
	u16 version;
	EVENT_HEADER_EXTENDED_DATA_ITEM items[ETL_MAX_ITEMS];
};

/* Mark of a buffer of a real-time session's backup */
#define ETL_FLAG_BACKUP	0x10u

/* Clamp the end of records to the buffer; not below the header's end */
static inline u32 etl_clamp_end(u32 end, u32 size)
{
	if (end < ETL_BUFFER_HEADER_SIZE)
		return ETL_BUFFER_HEADER_SIZE;
	return end < size ? end : size;
}

/**
 * etl_buffer_end() - return the end of a buffer's records
 * @h: header of the buffer
 * @len: number of bytes of the buffer, including the header
 *
 * The header contains the end twice.  Old headers have only the offset.  In
 * merged files, records beyond the saved offset have been moved elsewhere.
 */
static inline u32 etl_buffer_end(const struct etl_buffer_header *h, u32 len)
{
	u32 end = etl_clamp_end(h->saved_offset > ETL_BUFFER_HEADER_SIZE ?
				h->saved_offset : h->offset, h->buffer_size);

	return end < len ? end : len;
}

/**
 * etl_buffer_clock() - return the clock of a buffer's records
 * @h: header of the buffer
 * @log: clock of the log
 * @own: memory for a clock of the buffer's own
 *
 * A buffer in the backup of a real-time session has its own time reference.
 */
static inline const struct etl_clock *
etl_buffer_clock(const struct etl_buffer_header *h, const struct etl_clock *log,
		 struct etl_clock *own)
{
	if (!(h->flag & ETL_FLAG_BACKUP) || !h->reference_time[0])
		return log;
	*own = *log;
	etl_clock_move(own, h->reference_time[1], h->reference_time[0]);
	return own;
}

enum etl_found etl_record_check(const u8 *p, u32 room, struct etl_record *r);
u32 etl_record_time_at(const u8 *p, u32 size);
void etl_record_view(const u8 *p, u32 size, struct etl_view *view);

/* etl_class.c: classes of the Windows kernel logger */
const GUID *etl_class(USHORT hook);

/**
 * struct etl_header - contents of a log's first record
 * @file: header in the layout of a 64-bit system
 * @base: time stamp of the record, taken at file.start_time
 * @size: size of the record in bytes, up to the names
 */
struct etl_header {
	struct etl_logfile_header file;
	s64 base;
	u32 size;
};

ULONG etl_header_parse(struct etl_header *h, const u8 *record, u32 size);
void etl_header_show(const struct etl_header *h, TRACE_LOGFILE_HEADER *to);
ULONG etl_header_names(const struct etl_header *h, const u8 *record, u32 size,
		       WCHAR *names[2]);

#endif /* EVNT_ETL_RECORD_H */
