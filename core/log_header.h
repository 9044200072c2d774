/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Construction of the header of a log file, which is its first buffer.
 *
 * Owns its layout.  Depends on neither sessions nor the destination of the
 * header.
 */
#ifndef EVNT_LOG_HEADER_H
#define EVNT_LOG_HEADER_H

#include "core/etl.h"

/**
 * struct evnt_log_header - contents of the header of a new log file
 * @buffer_size: size of all buffers in bytes
 * @processors: number of processors of the machine, which is above the number
 *	of each one
 * @max_file_size: limit as set by the controller
 * @mode: LogFileMode
 * @cpu_mhz: processor speed in MHz
 * @thread_id: thread that starts the log
 * @process_id: process that starts the log
 * @logger_id: id of the session
 * @clock_type: EVNT_CLOCK_*
 * @now: current time in the session's clock
 * @real_ns: system time at @now, in ns since 1970
 * @boot_ns: time since boot at @now, in ns
 * @time_zone: ETL_TIME_ZONE_SIZE bytes
 * @name: name of the session, in UTF-16
 * @log_name: name of the file, in UTF-16
 * @name_len: length of @name in UTF-16 units
 * @log_name_len: length of @log_name in UTF-16 units
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

/* Return the minimum size of the header buffer in bytes */
static inline u32 evnt_log_header_size(u32 name_len, u32 log_name_len)
{
	return ETL_BUFFER_HEADER_SIZE + sizeof(struct etl_system_header) +
	       sizeof(struct etl_logfile_header) + ETL_ALIGN +
	       (name_len + log_name_len + 2) * sizeof(u16);
}

void evnt_log_header_cover(u8 *header, u32 cpu);
u32 evnt_log_header_put(u8 *buffer, const struct evnt_log_header *h);

#endif /* EVNT_LOG_HEADER_H */
