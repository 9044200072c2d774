/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Layouts of an .etl file: buffers, records, extended items.
 *
 * A buffer has the same layout in memory and in the file: a struct
 * etl_buffer_header, followed by records, each aligned to ETL_ALIGN.  Shared by
 * the module, the library and the tests.  Contains no code except for computing
 * positions within a record.
 */
#ifndef EVNT_ETL_H
#define EVNT_ETL_H

#include "core/port/port.h"

#define ETL_ALIGN		8u
#define ETL_MAX_RECORD		0xffffu
#define ETL_FILETIME_EPOCH	116444736000000000LL	/* 1970 in FILETIME */

/* Convert nanoseconds since 1970 to a FILETIME */
static inline s64 evnt_filetime(s64 real_ns)
{
	return real_ns / 100 + ETL_FILETIME_EPOCH;
}

#define ETL_STATE_LOGGING	1u
#define ETL_STATE_FLUSH		3u	/* state of all buffers in a file */

#define ETL_FLAG_FLUSH_MARKER	0x01u	/* last of a batch of flushed buffers */
#define ETL_FLAG_PROC_INDEX	0x20u	/* cpu is 16 bits wide */

#define ETL_TYPE_GENERIC	0u
#define ETL_TYPE_HEADER		4u

/**
 * struct etl_buffer_header - WMI_BUFFER_HEADER, at the start of each buffer
 * @buffer_size: distance to the next buffer in bytes
 * @saved_offset: number of valid bytes, including this header
 * @current_offset: unused, set to @saved_offset
 * @reference_count: unused, zero
 * @time_stamp: time in the session's clock at which the buffer was finished
 * @sequence: number of the buffer in the session, in the order of acquisition
 * @frequency: zero
 * @cpu: processor that wrote the records
 * @logger_id: id of the session
 * @state: ETL_STATE_*
 * @offset: equal to @saved_offset
 * @flag: ETL_FLAG_*
 * @type: ETL_TYPE_*
 * @reference_time: zero
 */
struct etl_buffer_header {
	u32 buffer_size;
	u32 saved_offset;
	u32 current_offset;
	s32 reference_count;
	s64 time_stamp;
	s64 sequence;
	u64 frequency;
	u16 cpu;
	u16 logger_id;
	u32 state;
	u32 offset;
	u16 flag;
	u16 type;
	u64 reference_time[2];
};

#define ETL_BUFFER_HEADER_SIZE	((u32)sizeof(struct etl_buffer_header))

/* The third byte of a record is its kind, the fourth contains flags */
#define ETL_RECORD_SYSTEM32	0xc001u
#define ETL_RECORD_SYSTEM64	0xc002u
#define ETL_RECORD_COMPACT32	0xc003u
#define ETL_RECORD_COMPACT64	0xc004u
#define ETL_RECORD_FULL32	0xc00au
#define ETL_RECORD_INSTANCE32	0xc00bu
#define ETL_RECORD_PERFINFO32	0xc010u
#define ETL_RECORD_PERFINFO64	0xc011u
#define ETL_RECORD_EVENT32	0xc012u
#define ETL_RECORD_EVENT64	0xc013u
#define ETL_RECORD_FULL64	0xc014u
#define ETL_RECORD_INSTANCE64	0xc015u
#define ETL_RECORD_MESSAGE	0x9000u

/* Kinds with a version in the first u16 and the size in the third */
static inline bool etl_size_is_third(u16 kind)
{
	return (kind >= ETL_RECORD_SYSTEM32 && kind <= ETL_RECORD_COMPACT64) ||
	       kind == ETL_RECORD_PERFINFO32 || kind == ETL_RECORD_PERFINFO64;
}

/* Return the size of a record without padding, as stored in its header */
static inline u32 etl_record_size(const void *record)
{
	const u16 *word = record;

	return etl_size_is_third(word[1]) ? word[2] : word[0];
}

/*
 * Optional fields in front of a message's data, in this order and not aligned.
 * Component and class are alternatives, and their flags are in the opposite
 * order; if both flags are set, only the component is present.
 */
#define ETL_MESSAGE_SEQUENCE	0x01u
#define ETL_MESSAGE_GUID	0x02u
#define ETL_MESSAGE_COMPONENT	0x04u
#define ETL_MESSAGE_TIME	0x08u
#define ETL_MESSAGE_SYSTEM_INFO	0x20u
#define ETL_MESSAGE_POINTER32	0x40u
#define ETL_MESSAGE_POINTER64	0x80u
#define ETL_MESSAGE_ALL		0xffffu

/*
 * Return the offset of field @flag; ETL_MESSAGE_ALL is the offset of the data
 */
static inline u32 etl_message_offset(u16 flags, u16 flag)
{
	u32 at = 0x08;

	if (flag > ETL_MESSAGE_SEQUENCE && flags & ETL_MESSAGE_SEQUENCE)
		at += 4;
	if (flag > ETL_MESSAGE_COMPONENT) {
		if (flags & ETL_MESSAGE_COMPONENT)
			at += 4;
		else if (flags & ETL_MESSAGE_GUID)
			at += 16;
	}
	if (flag > ETL_MESSAGE_TIME && flags & ETL_MESSAGE_TIME)
		at += 8;
	if (flag > ETL_MESSAGE_SYSTEM_INFO && flags & ETL_MESSAGE_SYSTEM_INFO)
		at += 8;
	return at;
}

/**
 * struct etl_message_header - header of a TraceMessage record
 * @size: header, optional fields and data, without padding
 * @kind: ETL_RECORD_MESSAGE
 * @number: message number
 * @flags: ETL_MESSAGE_*
 */
struct etl_message_header {
	u16 size;
	u16 kind;
	u16 number;
	u16 flags;
};

/**
 * struct etl_class_header - EVENT_TRACE_HEADER, header of a TraceEvent record
 * @size: header and data, without padding
 * @kind: ETL_RECORD_FULL32 or _FULL64, ETL_RECORD_INSTANCE32 or _INSTANCE64
 * @type: event type
 * @level: level
 * @version: version of the class
 * @thread_id: thread that wrote the event
 * @process_id: process that wrote the event
 * @time_stamp: time in the session's clock
 * @class: class of the event
 * @kernel_time: kernel time of the thread, in units of TimerResolution
 * @user_time: user time of the thread, in units of TimerResolution
 */
struct etl_class_header {
	u16 size;
	u16 kind;
	u8 type;
	u8 level;
	u16 version;
	u32 thread_id;
	u32 process_id;
	s64 time_stamp;
	u8 class[16];
	u32 kernel_time;
	u32 user_time;
};

/**
 * struct etl_instance_header - header of a TraceEventInstance record
 * @event: header of a TraceEvent record
 * @instance: id of the instance within its class
 * @parent_instance: id of the parent instance within @parent, or 0
 * @parent: class of the parent instance, or zero
 */
struct etl_instance_header {
	struct etl_class_header event;
	u32 instance;
	u32 parent_instance;
	u8 parent[16];
};

struct etl_descriptor {
	u16 id;
	u8 version;
	u8 channel;
	u8 level;
	u8 opcode;
	u16 task;
	u64 keyword;
};

#define ETL_EVENT_FLAG_EXTENDED	0x0001u
#define ETL_EVENT_FLAG_PRIVATE	0x0002u
#define ETL_EVENT_FLAG_STRING	0x0004u

/**
 * struct etl_event_header - EVENT_HEADER, header of an EventWrite record
 * @size: header, extended items and data, without padding
 * @kind: ETL_RECORD_EVENT32 or ETL_RECORD_EVENT64
 * @flags: ETL_EVENT_FLAG_*
 * @property: zero
 * @thread_id: thread that wrote the event
 * @process_id: process that wrote the event
 * @time_stamp: time in the session's clock
 * @provider: provider id
 * @descriptor: event descriptor
 * @kernel_time: kernel time of the thread, in units of TimerResolution; with
 *	ETL_EVENT_FLAG_PRIVATE, the lower half of ProcessorTime
 * @user_time: user time of the thread, in units of TimerResolution; with
 *	ETL_EVENT_FLAG_PRIVATE, the upper half of ProcessorTime
 * @activity: activity id
 */
struct etl_event_header {
	u16 size;
	u16 kind;
	u16 flags;
	u16 property;
	u32 thread_id;
	u32 process_id;
	s64 time_stamp;
	u8 provider[16];
	struct etl_descriptor descriptor;
	u32 kernel_time;
	u32 user_time;
	u8 activity[16];
};

/*
 * Return the offset of a record's time stamp, or 0 if it has none.  Only for
 * kinds that this project writes.
 */
static inline u32 etl_time_offset(const void *record)
{
	const u16 *word = record;

	if (word[1] == ETL_RECORD_PERFINFO64)
		return sizeof(u64);
	if (word[1] != ETL_RECORD_MESSAGE)
		return offsetof(struct etl_event_header, time_stamp);
	return word[3] & ETL_MESSAGE_TIME ?
	       etl_message_offset(word[3], ETL_MESSAGE_TIME) : 0;
}

#define ETL_EXT_RELATED_ACTIVITY	1u
#define ETL_EXT_SID			2u
#define ETL_EXT_TS_ID			3u
#define ETL_EXT_STACK_TRACE64		6u
#define ETL_EXT_PSM_KEY			9u
#define ETL_EXT_EVENT_KEY		10u
#define ETL_EXT_SCHEMA_TL		11u
#define ETL_EXT_PROV_TRAITS		12u
#define ETL_EXT_PROCESS_START_KEY	13u
#define ETL_EXT_CONTAINER_ID		16u

/**
 * struct etl_ext_item - header of an extended item in a file
 * @size: size of this header, the data and padding to a multiple of eight
 * @type: ETL_EXT_*
 * @linkage: 1 if another item follows
 * @data_size: size of the data without padding
 */
struct etl_ext_item {
	u16 size;
	u16 type;
	u16 linkage;
	u16 data_size;
};

/* Return the size of an extended item with @len bytes of data */
static inline u64 etl_ext_size(u64 len)
{
	return ALIGN(sizeof(struct etl_ext_item) + len, (u64)ETL_ALIGN);
}

/*
 * Header of records that the Windows kernel writes, such as the log file header
 */
struct etl_system_header {
	u16 version;
	u16 kind;
	u16 size;
	u16 hook;
	u32 thread_id;
	u32 process_id;
	s64 time_stamp;
	u32 kernel_time;
	u32 user_time;
};

/* Short form of the same, without thread and process */
struct etl_perf_header {
	u16 version;
	u16 kind;
	u16 size;
	u16 hook;
	s64 time_stamp;
};

#define ETL_LAYOUT_1_5		0x0501000au	/* version 10.0, layout 1.5 */
#define ETL_LAYOUT_2_0		0x0002000au	/* buffers over 1 MiB */
#define ETL_PROVIDER_VERSION	19045u		/* a build that readers know */
#define ETL_TIMER_RESOLUTION	156250u		/* processor times, in 100 ns */
#define ETL_TIME_ZONE_SIZE	172u

/**
 * struct etl_logfile_header - TRACE_LOGFILE_HEADER of a 64-bit session
 *
 * Windows documents the fields.  The names of the session and of the file
 * follow, each as NUL-terminated UTF-16.
 */
struct etl_logfile_header {
	u32 buffer_size;
	u32 version;
	u32 provider_version;
	u32 processors;
	s64 end_time;
	u32 timer_resolution;
	u32 maximum_file_size;
	u32 log_file_mode;
	u32 buffers_written;
	u32 start_buffers;
	u32 pointer_size;
	u32 events_lost;
	u32 cpu_mhz;
	u64 logger_name;
	u64 log_file_name;
	u8 time_zone[ETL_TIME_ZONE_SIZE];
	u32 padding;
	s64 boot_time;
	s64 frequency;
	s64 start_time;
	u32 clock_type;
	u32 buffers_lost;
};

static_assert(sizeof(struct etl_buffer_header) == 0x48, "layout");
static_assert(sizeof(struct etl_event_header) == 0x50, "layout");
static_assert(sizeof(struct etl_message_header) == 8, "layout");
static_assert(sizeof(struct etl_class_header) == 0x30, "layout");
static_assert(sizeof(struct etl_instance_header) == 0x48, "layout");
static_assert(sizeof(struct etl_ext_item) == 8, "layout");
static_assert(sizeof(struct etl_system_header) == 0x20, "layout");
static_assert(sizeof(struct etl_logfile_header) == 0x118, "layout");

#endif /* EVNT_ETL_H */
