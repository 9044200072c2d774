// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Construction of the header of a log file, which is its first buffer.
 */
#include "core/buffer.h"
#include "core/log_header.h"

#define NS_PER_S	1000000000LL
#define MANY_CPUS	256u
#define LARGE_BUFFER	(1024u * 1024)

static void set_processors(struct etl_logfile_header *info, u32 count)
{
	info->processors = count;
	info->version = info->buffer_size > LARGE_BUFFER || count > MANY_CPUS ?
			ETL_LAYOUT_2_0 : ETL_LAYOUT_1_5;
}

/**
 * evnt_log_header_cover() - keep the number of processors above each buffer's
 * @header: header buffer
 * @cpu: processor of a buffer in the file; it may have been added since the
 *	start, or have written in an earlier session
 */
void evnt_log_header_cover(u8 *header, u32 cpu)
{
	struct etl_logfile_header *info = evnt_log_header_info(header);

	if (cpu >= info->processors)
		set_processors(info, cpu + 1);
}

static void put_info(struct etl_logfile_header *info,
		     const struct evnt_log_header *h)
{
	const bool is_qpc = h->clock_type == EVNT_CLOCK_QPC;

	*info = (struct etl_logfile_header) {
		.buffer_size = h->buffer_size,
		.provider_version = ETL_PROVIDER_VERSION,
		.timer_resolution = ETL_TIMER_RESOLUTION,
		.maximum_file_size = h->max_file_size,
		.log_file_mode = h->mode,
		.buffers_written = 1,
		.start_buffers = 1,
		.pointer_size = sizeof(u64),
		.cpu_mhz = h->cpu_mhz,
		.boot_time = evnt_filetime(h->real_ns - h->boot_ns),
		.frequency = is_qpc ? NS_PER_S : NS_PER_S / 100,
		.start_time = is_qpc ? evnt_filetime(h->real_ns) : h->now,
		.clock_type = h->clock_type,
	};
	set_processors(info, h->processors);
	memcpy(info->time_zone, h->time_zone, sizeof(info->time_zone));
}

static u8 *put_name(u8 *p, const u16 *name, u32 len)
{
	memcpy(p, name, len * sizeof(*name));
	return p + (len + 1) * sizeof(*name);
}

/**
 * evnt_log_header_put() - construct the header buffer of a log file
 * @buffer: zeroed buffer of at least evnt_log_header_size() bytes
 * @h: contents
 *
 * Return: number of valid bytes; the rest is padding.
 */
u32 evnt_log_header_put(u8 *buffer, const struct evnt_log_header *h)
{
	struct etl_system_header *record = evnt_log_header_record(buffer);
	struct etl_logfile_header *info = evnt_log_header_info(buffer);
	u32 len;
	u8 *end;

	*record = (struct etl_system_header) {
		.version = 2,
		.kind = ETL_RECORD_SYSTEM64,
		.thread_id = h->thread_id,
		.process_id = h->process_id,
		.time_stamp = h->now,
	};
	put_info(info, h);
	end = put_name((u8 *)(info + 1), h->name, h->name_len);
	end = put_name(end, h->log_name, h->log_name_len);
	record->size = end - (u8 *)record;
	len = ALIGN(end - buffer, ETL_ALIGN);
	*(struct etl_buffer_header *)buffer = (struct etl_buffer_header) {
		.buffer_size = h->buffer_size,
		.saved_offset = len,
		.current_offset = len,
		.logger_id = h->logger_id,
		.state = ETL_STATE_FLUSH,
		.offset = len,
		.flag = ETL_FLAG_PROC_INDEX | ETL_FLAG_FLUSH_MARKER,
		.type = ETL_TYPE_HEADER,
	};
	memset(buffer + len, 0xff, h->buffer_size - len);
	return len;
}
