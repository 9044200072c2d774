/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The header of a log file: the first buffer, as it is in the file.
 *
 * Owns its layout.  Knows nothing of sessions, nor of who writes it where.
 */
#ifndef EVNT_LOG_HEADER_H
#define EVNT_LOG_HEADER_H

#include "etl.h"

/**
 * struct evnt_log_header - what a header says when a log is begun
 * @buffer_size: of all buffers in bytes
 * @processors: how many have buffers
 * @max_file_size: as the controller gave it
 * @mode: LogFileMode
 * @cpu_mhz: the processor's speed
 * @thread_id: who begins it
 * @process_id: likewise
 * @logger_id: the session's id
 * @clock_type: EVNT_CLOCK_*
 * @now: what the session's clock shows
 * @real_ns: what the system's time was then, in ns since 1970
 * @boot_ns: how long ago the system was started, likewise
 * @time_zone: ETL_TIME_ZONE_SIZE bytes
 * @name: the session's name, in UTF-16
 * @log_name: the file's
 * @name_len: characters of @name
 * @log_name_len: characters of @log_name
 */
struct evnt_log_header {
	u32 buffer_size;
	u32 processors;
	u32 max_file_size;
	u32 mode;
	u32 cpu_mhz;
	u32 thread_id;
	u32 process_id;
	u16 logger_id;
	u16 clock_type;
	s64 now;
	s64 real_ns;
	s64 boot_ns;
	const u8 *time_zone;
	const u16 *name;
	const u16 *log_name;
	u32 name_len;
	u32 log_name_len;
};

static inline struct etl_system_header *evnt_log_header_record(u8 *buffer)
{
	return (struct etl_system_header *)(buffer + ETL_BUFFER_HEADER_SIZE);
}

static inline struct etl_logfile_header *evnt_log_header_info(u8 *buffer)
{
	return (struct etl_logfile_header *)(evnt_log_header_record(buffer) + 1);
}

/* What the header buffer must have room for, in bytes */
static inline u32 evnt_log_header_size(u32 name_len, u32 log_name_len)
{
	return ETL_BUFFER_HEADER_SIZE + sizeof(struct etl_system_header) +
	       sizeof(struct etl_logfile_header) + ETL_ALIGN +
	       (name_len + log_name_len + 2) * sizeof(u16);
}

s64 evnt_filetime(s64 real_ns);
u32 evnt_log_header_put(u8 *buffer, const struct evnt_log_header *h);

#endif /* EVNT_LOG_HEADER_H */
