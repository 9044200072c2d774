/* SPDX-License-Identifier: MIT */
/*
 * The first record of a log: what it says of the log.
 */
#ifndef EVNT_ETL_HEADER_H
#define EVNT_ETL_HEADER_H

#include "etl.h"
#include "evntcons.h"

/**
 * struct etl_header - what the first record says
 * @file: as a 64-bit system has it, whatever wrote it
 * @base: the record's time stamp, when it was file.start_time
 * @size: of the record that it stands in, up to the names
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

#endif /* EVNT_ETL_HEADER_H */
