// SPDX-License-Identifier: MIT
/*
 * First record of a log, which describes the log.
 */
#include <stdlib.h>

#include "lib/consume/etl_record.h"

/* In the header of a 32-bit system, two pointers have four bytes */
#define HEADER32_SIZE	0x110u
#define TIME_ZONE_32	0x40u
#define TIME_ZONE_64	offsetof(struct etl_logfile_header, time_zone)
#define TIMES_32	0xf0u
#define TIMES_64	offsetof(struct etl_logfile_header, boot_time)

static void widen(struct etl_logfile_header *h, const u8 *p)
{
	u8 *to = (u8 *)h;

	memset(h, 0, sizeof(*h));
	memcpy(h, p, offsetof(struct etl_logfile_header, logger_name));
	memcpy(to + TIME_ZONE_64, p + TIME_ZONE_32, ETL_TIME_ZONE_SIZE);
	memcpy(to + TIMES_64, p + TIMES_32, sizeof(*h) - TIMES_64);
}

/**
 * etl_header_parse() - read the header from a log's first record
 * @h: out: the header
 * @record: the record
 * @size: its size
 *
 * Return: ERROR_SUCCESS, or ERROR_FILE_CORRUPT if the record is not a header.
 */
ULONG etl_header_parse(struct etl_header *h, const u8 *record, u32 size)
{
	u16 kind = ((const u16 *)record)[1];
	bool wide = kind == ETL_RECORD_SYSTEM64;
	const u8 *p = record + sizeof(struct etl_system_header);

	h->size = sizeof(struct etl_system_header) +
		  (wide ? (u32)sizeof(h->file) : HEADER32_SIZE);
	if ((!wide && kind != ETL_RECORD_SYSTEM32) || size < h->size)
		return ERROR_FILE_CORRUPT;
	h->base = ((const struct etl_system_header *)record)->time_stamp;
	if (wide)
		memcpy(&h->file, p, sizeof(h->file));
	else
		widen(&h->file, p);
	return ERROR_SUCCESS;
}

/* Convert the header to the form for programs, without names */
void etl_header_show(const struct etl_header *h, TRACE_LOGFILE_HEADER *to)
{
	const struct etl_logfile_header *f = &h->file;

	_Static_assert(sizeof(to->TimeZone) == ETL_TIME_ZONE_SIZE, "as there");
	memset(to, 0, sizeof(*to));
	/* Both have the same layout up to the names */
	memcpy(to, f, offsetof(struct etl_logfile_header, logger_name));
	memcpy(&to->TimeZone, f->time_zone, ETL_TIME_ZONE_SIZE);
	to->BootTime.QuadPart = f->boot_time;
	to->PerfFreq.QuadPart = f->frequency;
	to->StartTime.QuadPart = f->start_time;
	to->ReservedFlags = f->clock_type;
	to->BuffersLost = f->buffers_lost;
}

/* Copy the text at *@at, and move *@at behind its nul or to the end */
static WCHAR *copy_name(const u8 *record, u32 size, u32 *at)
{
	const WCHAR *from = (const WCHAR *)(record + *at);
	size_t i, room = (size - *at) / sizeof(WCHAR);
	WCHAR *name = calloc(room + 1, sizeof(WCHAR));

	if (!name)
		return NULL;
	for (i = 0; i < room && from[i]; i++)
		name[i] = from[i];
	*at += (i < room ? i + 1 : room) * sizeof(WCHAR);
	return name;
}

/**
 * etl_header_names() - copy the names behind the header
 * @h: header from the same record
 * @record: the record
 * @size: its size
 * @names: out: names of the session and of the file, freed by the caller; empty
 *	if the record has none
 *
 * Return: ERROR_SUCCESS, or ERROR_NOT_ENOUGH_MEMORY without names.
 */
ULONG etl_header_names(const struct etl_header *h, const u8 *record, u32 size,
		       WCHAR *names[2])
{
	u32 at = h->size;

	names[0] = copy_name(record, size, &at);
	names[1] = names[0] ? copy_name(record, size, &at) : NULL;
	if (names[1])
		return ERROR_SUCCESS;
	free(names[0]);
	names[0] = NULL;
	return ERROR_NOT_ENOUGH_MEMORY;
}
