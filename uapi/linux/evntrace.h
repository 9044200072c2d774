/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Interface between the evntprov module and controllers and real-time consumers, by
 * /dev/evntrace.  linux/evntprov.h, the interface of event writers, has the rules for
 * every ioctl.
 */
#ifndef _UAPI_LINUX_EVNTRACE_H
#define _UAPI_LINUX_EVNTRACE_H

#include <linux/evntprov.h>

/* /dev/evntrace */
#define EVNTRACE_IOC_START		_IO(EVNTPROV_IOC_TYPE, 0x40)
#define EVNTRACE_IOC_OPEN		_IO(EVNTPROV_IOC_TYPE, 0x41)
#define EVNTRACE_IOC_SET_ACCESS		_IO(EVNTPROV_IOC_TYPE, 0x42)
/* /dev/evntrace, and descriptors of sessions */
#define EVNTRACE_IOC_LIST		_IO(EVNTPROV_IOC_TYPE, 0x43)
/* Descriptors of sessions */
#define EVNTRACE_IOC_QUERY		_IO(EVNTPROV_IOC_TYPE, 0x44)
#define EVNTRACE_IOC_CONTROL		_IO(EVNTPROV_IOC_TYPE, 0x45)
#define EVNTRACE_IOC_UPDATE		_IO(EVNTPROV_IOC_TYPE, 0x46)
#define EVNTRACE_IOC_ENABLE		_IO(EVNTPROV_IOC_TYPE, 0x47)
#define EVNTRACE_IOC_SET		_IO(EVNTPROV_IOC_TYPE, 0x48)
#define EVNTRACE_IOC_SNAPSHOT		_IO(EVNTPROV_IOC_TYPE, 0x49)
#define EVNTRACE_IOC_OPEN_CONSUMER	_IO(EVNTPROV_IOC_TYPE, 0x4a)
#define EVNTRACE_IOC_NEXT		_IO(EVNTPROV_IOC_TYPE, 0x4b)
#define EVNTRACE_IOC_RELEASE		_IO(EVNTPROV_IOC_TYPE, 0x4c)

/* Stop the session with the last descriptor and mapping of the returned file */
#define EVNTRACE_START_BOUND		0x1u

#define EVNTRACE_CLOCK_QPC		1	/* CLOCK_BOOTTIME, in ns */
#define EVNTRACE_CLOCK_SYSTEM_TIME	2	/* CLOCK_REALTIME as a FILETIME */

/* At most one of these three; without any, and without APPEND, no limit */
#define EVNTRACE_MODE_SEQUENTIAL	0x00000001u	/* stop at the limit */
#define EVNTRACE_MODE_CIRCULAR		0x00000002u	/* overwrite oldest */
#define EVNTRACE_MODE_NEWFILE		0x00000008u	/* begin another file */
#define EVNTRACE_MODE_APPEND		0x00000004u	/* continue a file */
#define EVNTRACE_MODE_PREALLOCATE	0x00000020u	/* allocate the limit */
/* Accept only events of owners with EVNTRACE_RIGHT_LOG_EVENT */
#define EVNTRACE_MODE_SECURE		0x00000080u
/* Pass finished buffers to consumers at once, with or without a log file */
#define EVNTRACE_MODE_REAL_TIME		0x00000100u
/* Keep the newest finished buffers in memory; excludes a log file */
#define EVNTRACE_MODE_BUFFERING		0x00000400u
/* Session inside each participating process, without buffers in the kernel */
#define EVNTRACE_MODE_PRIVATE		0x00000800u
#define EVNTRACE_MODE_USE_KBYTES	0x00002000u	/* unit of the limit */
/* At most one of these two: number messages across sessions, or in this one */
#define EVNTRACE_MODE_GLOBAL_SEQUENCE	0x00004000u
#define EVNTRACE_MODE_LOCAL_SEQUENCE	0x00008000u
/* Record events of the kernel itself: see evntprov(4) */
#define EVNTRACE_MODE_SYSTEM_LOGGER	0x02000000u
/* Isolate write failures between this session and others */
#define EVNTRACE_MODE_INDEPENDENT	0x08000000u
/* Share one buffer among all CPUs: events are in order of time, but slower */
#define EVNTRACE_MODE_NO_PER_CPU	0x10000000u
/* Modes without effect, only returned by queries and recorded in log headers */
#define EVNTRACE_MODE_DELAY_OPEN_FILE	0x00000200u
#define EVNTRACE_MODE_ADD_HEADER	0x00001000u
#define EVNTRACE_MODE_STOP_ON_HYBRID_SHUTDOWN	0x00400000u
#define EVNTRACE_MODE_USE_PAGED_MEMORY	0x01000000u

#define EVNTRACE_MAX_SESSIONS		64
#define EVNTRACE_MAX_NAME		1024	/* UTF-16 units */
#define EVNTRACE_TIME_ZONE_SIZE		172	/* TIME_ZONE_INFORMATION */
#define EVNTRACE_MIN_BUFFER_SIZE	4096u
#define EVNTRACE_MAX_BUFFER_SIZE	(16384u * 1024)
#define EVNTRACE_MAX_BUFFERS		65536u

/**
 * struct evntrace_start - argument of EVNTRACE_IOC_START
 * @size: sizeof(struct evntrace_start)
 * @flags: EVNTRACE_START_*
 * @guid: id of the session; if zero, the kernel generates one
 * @name: address of the session's name, UTF-16 without a nul
 * @log_name: address of the log file's name for the log header, UTF-16 without
 *	a nul
 * @time_zone: address of EVNTRACE_TIME_ZONE_SIZE bytes for the log header, or
 *	zero for UTC
 * @name_len: length of @name in UTF-16 units, 1 to EVNTRACE_MAX_NAME
 * @log_name_len: length of @log_name in UTF-16 units, 0 to EVNTRACE_MAX_NAME
 * @log_fd: descriptor of the log file, an empty regular file, opened for writing
 *	and without O_APPEND; or -1
 * @log_file_mode: EVNTRACE_MODE_*
 * @clock_type: EVNTRACE_CLOCK_*; 0 selects EVNTRACE_CLOCK_QPC
 * @buffer_size: size of a buffer in bytes, EVNTRACE_MIN_BUFFER_SIZE to
 *	EVNTRACE_MAX_BUFFER_SIZE; 0 selects a default
 * @min_buffers: minimum number of buffers, at most EVNTRACE_MAX_BUFFERS
 * @max_buffers: maximum number of buffers, at most EVNTRACE_MAX_BUFFERS; 0
 *	selects a default
 * @flush_ms: period in ms after which partly filled buffers are written
 * @max_file_size: limit of the log file in MiB, or in KiB with
 *	EVNTRACE_MODE_USE_KBYTES; 0: no limit
 * @handle: out: handle of the session
 * @series: with NEWFILE, address of a struct evntrace_newfile that describes
 *	the files after the first; otherwise zero
 * @filters: with PRIVATE, address of an array of struct evntrace_filter;
 *	otherwise zero
 * @filter_count: number of elements of @filters, 1 or 2 with PRIVATE; otherwise
 *	zero
 * @granted: out: rights of the returned descriptor: all of EVNTRACE_OPEN_RIGHTS
 *	that the caller has
 */
struct evntrace_start {
	__u32 size;
	__u32 flags;
	struct evntprov_guid guid;
	__aligned_u64 name;
	__aligned_u64 log_name;
	__aligned_u64 time_zone;
	__u32 name_len;
	__u32 log_name_len;
	__s32 log_fd;
	__u32 log_file_mode;
	__u32 clock_type;
	__u32 buffer_size;
	__u32 min_buffers;
	__u32 max_buffers;
	__u32 flush_ms;
	__u32 max_file_size;
	__aligned_u64 handle;
	__aligned_u64 series;
	__aligned_u64 filters;
	__u32 filter_count;
	__u32 granted;
};

/**
 * struct evntrace_newfile - sequence of log files of EVNTRACE_MODE_NEWFILE
 * @size: sizeof(struct evntrace_newfile)
 * @flags: zero
 * @file: address of the pattern of the file names in the directory, in bytes
 * @name: address of the pattern of the log file names in headers and queries,
 *	UTF-16 without a nul
 * @file_len: length of @file in bytes, without a nul, 1 to 255
 * @name_len: length of @name in UTF-16 units, at most EVNTRACE_MAX_NAME - 10
 * @dir_fd: descriptor of the directory
 * @reserved: zero
 */
struct evntrace_newfile {
	__u32 size;
	__u32 flags;
	__aligned_u64 file;
	__aligned_u64 name;
	__u32 file_len;
	__u32 name_len;
	__s32 dir_fd;
	__u32 reserved;
};

/* Grant all rights that the caller has; at least one */
#define EVNTRACE_OPEN_MAXIMUM		0x1u

/* Rights that a descriptor can have */
#define EVNTRACE_OPEN_RIGHTS						\
	(EVNTRACE_RIGHT_QUERY | EVNTRACE_RIGHT_CREATE_REALTIME |	\
	 EVNTRACE_RIGHT_CREATE_ONDISK | EVNTRACE_RIGHT_ACCESS_REALTIME)

/**
 * struct evntrace_open - argument of EVNTRACE_IOC_OPEN
 * @size: sizeof(struct evntrace_open)
 * @flags: EVNTRACE_OPEN_MAXIMUM, or zero
 * @guid: in: id of the session, or zero
 * @handle: in: handle of the session, or zero; out: handle of the session
 * @name: in: address of the session's name, UTF-16 without a nul, or zero
 * @name_len: in: length of @name in UTF-16 units, or zero
 * @rights: in: wanted rights, of EVNTRACE_OPEN_RIGHTS; zero with
 *	EVNTRACE_OPEN_MAXIMUM
 * @filters: in: address of an array of struct evntrace_filter, or zero: the
 *	filters of a private session
 * @filter_count: in: number of elements of @filters
 * @granted: out: rights of the descriptor
 *
 * Exactly one of id, handle and name is given.  The descriptor is close-on-exec.
 */
struct evntrace_open {
	__u32 size;
	__u32 flags;
	struct evntprov_guid guid;
	__aligned_u64 handle;
	__aligned_u64 name;
	__u32 name_len;
	__u32 rights;
	__aligned_u64 filters;
	__u32 filter_count;
	__u32 granted;
};

/* Operations of EVNTRACE_IOC_CONTROL */
#define EVNTRACE_CONTROL_STOP		1
#define EVNTRACE_CONTROL_FLUSH		2
#define EVNTRACE_CONTROL_INCREMENT	3

/* Bits of @state in struct evntrace_session */
#define EVNTRACE_SESSION_BOUND		0x1u	/* stops with a file */
#define EVNTRACE_SESSION_OWNED		0x2u	/* its creator still exists */

/* Id of a session within its handle: its bit number in masks of sessions */
#define EVNTRACE_HANDLE_ID(handle)	((handle) & 0xffffu)

/**
 * struct evntrace_session - argument of EVNTRACE_IOC_QUERY, and of _CONTROL, which
 * returns it after its operation
 * @size: sizeof(struct evntrace_session)
 * @flags: zero
 * @handle: out: handle of the session
 * @name: in: address of the buffer for the session's name, or zero
 * @log_name: in: address of the buffer for the log file's name, or zero
 * @name_len: in: size of @name in UTF-16 units; out: length of the name
 * @log_name_len: in: size of @log_name in UTF-16 units; out: length of the name
 * @guid: out: id of the session
 * @control: in: operation of EVNTRACE_IOC_CONTROL; zero to query
 * @state: out: EVNTRACE_SESSION_*
 * @log_file_mode: out: EVNTRACE_MODE_*
 * @clock_type: out: EVNTRACE_CLOCK_*
 * @buffer_size: out: size of a buffer in bytes
 * @min_buffers: out: effective minimum number of buffers
 * @max_buffers: out: effective maximum number of buffers
 * @buffers: out: number of allocated buffers
 * @free_buffers: out: number of unused buffers
 * @flush_ms: out: current period of the flush timer in ms
 * @writer_tid: out: id of the kernel thread that writes the log file; 0 outside
 *	the initial pid namespace
 * @owner_pid: out: id, in the caller's pid namespace, of the process that
 *	started the session, which may have exited; 0 if the namespace does not
 *	contain it
 * @owner_uid: out: effective user of that process
 * @log_errno: out: errno of the last failed write to the current log file, or
 *	zero; EFBIG beyond the RLIMIT_FSIZE of the caller that passed the file
 * @events: out: number of events stored in buffers
 * @events_lost: out: number of lost events: sum of the five kinds below
 * @buffers_written: out: number of buffers written to all log files of the
 *	session, including headers
 * @buffers_lost: out: number of buffers that could not be written
 * @bytes_written: out: length of the current log file in bytes
 * @start_time: out: start of the session as a FILETIME
 * @max_file_size: out: limit of the log file as set
 * @consumers: out: number of real-time consumers
 * @events_no_buffer: out: number of events lost because no buffer was free
 * @events_too_large: out: number of events lost because they exceeded the
 *	buffer size or the record format
 * @events_unreadable: out: number of events lost because the pages of their
 *	data were repeatedly evicted
 * @events_unwritten: out: number of events, counted in @events, that were in
 *	lost buffers
 * @real_time_buffers_lost: out: number of buffers reused before each consumer
 *	had read them; buffers reused without any consumer are not counted
 * @processes: out: for a private session, number of participating processes;
 *	otherwise zero
 * @enable_flags: out: EVNTRACE_SYSTEM_* as set
 * @events_blocked: out: number of events lost because another session, of which
 *	this one is not independent, could not take them
 * @blocker: out: handle of the session that caused the last of these losses,
 *	which may have ended; or zero
 * @registrations: out: number of registrations that were made while the session
 *	had enabled their provider or group, and that it records
 * @registrations_excluded: out: number of registrations as @registrations that
 *	it does not record, as the enablement applies to other processes
 * @events_filtered: out: number of times that filters of the session have
 *	refused an event, whose level and keywords it takes
 * @stack_flags: out: EVNTRACE_SYSTEM_* of the events of the kernel with call
 *	stacks, as set
 * @reserved: out: zero
 *
 * For a private session, @registrations and all that follows is zero.
 */
struct evntrace_session {
	__u32 size;
	__u32 flags;
	__aligned_u64 handle;
	__aligned_u64 name;
	__aligned_u64 log_name;
	__u32 name_len;
	__u32 log_name_len;
	struct evntprov_guid guid;
	__u32 control;
	__u32 state;
	__u32 log_file_mode;
	__u32 clock_type;
	__u32 buffer_size;
	__u32 min_buffers;
	__u32 max_buffers;
	__u32 buffers;
	__u32 free_buffers;
	__u32 flush_ms;
	__u32 writer_tid;
	__u32 owner_pid;
	__u32 owner_uid;
	__s32 log_errno;
	__aligned_u64 events;
	__aligned_u64 events_lost;
	__aligned_u64 buffers_written;
	__aligned_u64 buffers_lost;
	__aligned_u64 bytes_written;
	__aligned_u64 start_time;
	__u32 max_file_size;
	__u32 consumers;
	__aligned_u64 events_no_buffer;
	__aligned_u64 events_too_large;
	__aligned_u64 events_unreadable;
	__aligned_u64 events_unwritten;
	__aligned_u64 real_time_buffers_lost;
	__u32 processes;
	__u32 enable_flags;
	__aligned_u64 events_blocked;
	__aligned_u64 blocker;
	__u32 registrations;
	__u32 registrations_excluded;
	__aligned_u64 events_filtered;
	__u32 stack_flags;
	__u32 reserved;
};

/* Continue in another log file, or without a log file */
#define EVNTRACE_UPDATE_LOG		0x1u
#define EVNTRACE_UPDATE_NO_LOG		0x2u
/* Enable or disable real-time mode */
#define EVNTRACE_UPDATE_REAL_TIME	0x4u
#define EVNTRACE_UPDATE_NO_REAL_TIME	0x8u

/**
 * struct evntrace_update - argument of EVNTRACE_IOC_UPDATE
 * @size: sizeof(struct evntrace_update)
 * @flags: EVNTRACE_UPDATE_*
 * @flush_ms: new period of the flush timer in ms; 0 keeps the current one;
 *	ignored with EVNTRACE_MODE_BUFFERING
 * @reserved: zero
 * @log_name: with EVNTRACE_UPDATE_LOG, as for EVNTRACE_IOC_START
 * @log_name_len: with EVNTRACE_UPDATE_LOG, as for EVNTRACE_IOC_START
 * @log_fd: with EVNTRACE_UPDATE_LOG, as for EVNTRACE_IOC_START; the file must
 *	be empty even with EVNTRACE_MODE_APPEND
 * @series: with EVNTRACE_UPDATE_LOG, as for EVNTRACE_IOC_START
 */
struct evntrace_update {
	__u32 size;
	__u32 flags;
	__u32 flush_ms;
	__u32 reserved;
	__aligned_u64 log_name;
	__u32 log_name_len;
	__s32 log_fd;
	__aligned_u64 series;
};

/* Private sessions: see evntprov(4).  A bit of their handles */
#define EVNTRACE_PRIVATE_HANDLE		0x2000000000000000ull
#define EVNTRACE_MAX_PRIVATE		64	/* private sessions */
#define EVNTRACE_MAX_PRIVATE_PROVIDERS	64	/* per private session */
/* Maximum length of the log file's name: the process id is appended to it */
#define EVNTRACE_MAX_PRIVATE_NAME	(EVNTRACE_MAX_NAME - 16)

/* Consuming a session in real time: see evntprov(4) */
#define EVNTRACE_MAX_CONSUMERS		8

/**
 * struct evntrace_open_consumer - argument of EVNTRACE_IOC_OPEN_CONSUMER
 * @size: sizeof(struct evntrace_open_consumer)
 * @flags: zero
 * @map_size: out: size of the mapping in bytes
 * @buffer_size: out: size of a buffer in bytes
 * @stride: out: distance of two buffers in the mapping in bytes
 * @max_held: out: maximum number of buffers that the consumer may hold
 * @reserved: zero
 */
struct evntrace_open_consumer {
	__u32 size;
	__u32 flags;
	__aligned_u64 map_size;
	__u32 buffer_size;
	__u32 stride;
	__u32 max_held;
	__u32 reserved;
};

/* Bits of @state in struct evntrace_next: buffer returned; end of session */
#define EVNTRACE_NEXT_BUFFER		0x1u
#define EVNTRACE_NEXT_END		0x2u

/**
 * struct evntrace_next - argument of EVNTRACE_IOC_NEXT and _RELEASE
 * @size: sizeof(struct evntrace_next)
 * @flags: zero
 * @state: out: EVNTRACE_NEXT_*
 * @index: NEXT: out: with EVNTRACE_NEXT_BUFFER, index of the buffer, which is at
 *	offset (@index + 1) * stride in the mapping; RELEASE: in: this index
 * @length: out: number of bytes of the buffer up to the end of the last event
 * @reserved: zero
 * @watermark: out: time in the session's clock, signed
 * @buffers_missed: out: number of buffers missed before this one, since the
 *	last call
 * @events_missed: out: number of events in the missed buffers
 *
 * NEXT takes the next finished buffer.  It does not wait.  Without
 * EVNTRACE_NEXT_BUFFER, it reports a new watermark, missed buffers, or the end
 * of the session.  RELEASE returns a buffer to the session, and ignores @state
 * and the fields after @index.
 */
struct evntrace_next {
	__u32 size;
	__u32 flags;
	__u32 state;
	__u32 index;
	__u32 length;
	__u32 reserved;
	__aligned_u64 watermark;
	__aligned_u64 buffers_missed;
	__aligned_u64 events_missed;
};

/**
 * struct evntrace_snapshot - argument of EVNTRACE_IOC_SNAPSHOT
 * @size: sizeof(struct evntrace_snapshot)
 * @flags: zero
 * @log_name: address of the file's name for its log header, UTF-16 without a
 *	nul
 * @time_zone: as for struct evntrace_start
 * @log_name_len: length of @log_name in UTF-16 units, 0 to EVNTRACE_MAX_NAME
 * @log_fd: descriptor of an empty regular file, opened for reading and writing,
 *	without O_APPEND
 * @buffers: out: number of buffers written, including the header
 * @events: out: number of events written
 *
 * The file has the format of a log whose session has just ended.
 */
struct evntrace_snapshot {
	__u32 size;
	__u32 flags;
	__aligned_u64 log_name;
	__aligned_u64 time_zone;
	__u32 log_name_len;
	__s32 log_fd;
	__aligned_u64 buffers;
	__aligned_u64 events;
};

/* Properties of an enablement: values of EVENT_ENABLE_PROPERTY_* */
#define EVNTRACE_PROPERTY_SID			0x1u
#define EVNTRACE_PROPERTY_TS_ID			0x2u
#define EVNTRACE_PROPERTY_STACK_TRACE		0x4u
#define EVNTRACE_PROPERTY_PSM_KEY		0x8u
/* Exclude events with keyword 0 */
#define EVNTRACE_PROPERTY_IGNORE_KEYWORD_0	0x10u
/* @provider of the enablement is a group */
#define EVNTRACE_PROPERTY_PROVIDER_GROUP	0x20u
/* Include events with keyword 0, as by default; not with IGNORE_KEYWORD_0 */
#define EVNTRACE_PROPERTY_ENABLE_KEYWORD_0	0x40u
#define EVNTRACE_PROPERTY_PROCESS_START_KEY	0x80u
#define EVNTRACE_PROPERTY_EVENT_KEY		0x100u
/* Exclude events written with EVNTPROV_WRITE_INPRIVATE */
#define EVNTRACE_PROPERTY_EXCLUDE_INPRIVATE	0x200u
#define EVNTRACE_PROPERTY_SILOS			0x400u
#define EVNTRACE_PROPERTY_CONTAINER		0x800u
/* Name processes by records in the form of Windows' kernel; not of Windows */
#define EVNTRACE_PROPERTY_PROCESS_NAME		0x01000000u

#define EVNTRACE_TIMEOUT_INFINITE	0xffffffffu

/*
 * Filters: values of EVENT_FILTER_TYPE_*.  Filters have the layout of the
 * corresponding structures of Windows; evntprov(4) describes them.
 *
 * Filters by process: process ids, __u32 each, in the caller's pid namespace; or
 * names in UTF-8, separated by semicolons, with an optional final nul
 */
#define EVNTRACE_FILTER_PID			0x80000004u
#define EVNTRACE_FILTER_EXECUTABLE_NAME		0x80000008u
#define EVNTRACE_FILTER_PACKAGE_ID		0x80000010u
#define EVNTRACE_FILTER_PACKAGE_APP_ID		0x80000020u
/* Data of an event: struct evntrace_program */
#define EVNTRACE_FILTER_PAYLOAD			0x80000100u
/* Event ids: __u8 in, __u8 reserved, __u16 count, __u16 id[count] */
#define EVNTRACE_FILTER_EVENT_ID		0x80000200u
/*
 * Names of TraceLogging events: __u64 match_any, __u64 match_all, __u8 level,
 * __u8 in, __u16 count, and @count nul-terminated names
 */
#define EVNTRACE_FILTER_EVENT_NAME		0x80000400u
/*
 * Filters of call stacks: in the formats of EVENT_ID and of EVENT_NAME; and
 * __u64 match_any, __u64 match_all, __u8 level, __u8 in
 */
#define EVNTRACE_FILTER_STACKWALK		0x80001000u
#define EVNTRACE_FILTER_STACKWALK_NAME		0x80002000u
#define EVNTRACE_FILTER_STACKWALK_LEVEL_KW	0x80004000u
/*
 * Data for the provider: struct evntprov_filter_header and data, or with a
 * nonzero type without EVNTRACE_FILTER_BUILT_IN, data in any format
 */
#define EVNTRACE_FILTER_SCHEMATIZED		0x80000000u
#define EVNTRACE_FILTER_BUILT_IN		0x80000000u
/*
 * Handle of a session, __u64, for EVNTPROV_CONTROL_CAPTURE_STATE of
 * EVNTRACE_SYSTEM_CONTROL: request the state of all providers that this session
 * has enabled
 */
#define EVNTRACE_FILTER_TRACEHANDLE		0x80000002u

/* SystemTraceControlGuid: 9e814aad-3204-11d2-9a82-006008a86939 */
#define EVNTRACE_SYSTEM_CONTROL						\
	{ { 0xad, 0x4a, 0x81, 0x9e, 0x04, 0x32, 0xd2, 0x11,		\
	    0x9a, 0x82, 0x00, 0x60, 0x08, 0xa8, 0x69, 0x39 } }

#define EVNTRACE_MAX_FILTERS			13
#define EVNTRACE_MAX_FILTER_PIDS		8
#define EVNTRACE_MAX_FILTER_IDS			64
#define EVNTRACE_MAX_FILTER_SIZE		1024
#define EVNTRACE_MAX_FILTER_LIST_SIZE		1536
#define EVNTRACE_MAX_FILTER_NAMES_SIZE		4096

/**
 * struct evntrace_filter - one filter: EVENT_FILTER_DESCRIPTOR
 * @ptr: address of the filter; zero in a list, where the filter follows
 * @len: length of the filter in bytes, at most EVNTRACE_MAX_FILTER_SIZE, or
 *	EVNTRACE_MAX_FILTER_LIST_SIZE for lists of names in UTF-8,
 *	EVNTRACE_MAX_FILTER_NAMES_SIZE for names of events, and
 *	EVNTRACE_MAX_PROGRAM_SIZE for programs
 * @type: EVNTRACE_FILTER_*, or a type of the provider
 *
 * EVNTRACE_LIST_FILTERS contains filters as they were set, each padded with
 * zeroes to a multiple of 8 bytes.
 */
struct evntrace_filter {
	__aligned_u64 ptr;
	__u32 len;
	__u32 type;
};

/* Programs of EVNTRACE_FILTER_PAYLOAD: see evntprov(4) */
#define EVNTRACE_MAX_PROGRAM_SIZE	4096
#define EVNTRACE_PROGRAM_VERSION	1
#define EVNTRACE_REGISTERS		8
#define EVNTRACE_MAX_CHARACTERS		65536

#define EVNTRACE_OP_END			0
#define EVNTRACE_OP_JUMP		1
#define EVNTRACE_OP_EVENT		2
#define EVNTRACE_OP_AT			3
#define EVNTRACE_OP_MOVE		4
#define EVNTRACE_OP_MOVE_BY		5
#define EVNTRACE_OP_MOVE_POINTERS	6
#define EVNTRACE_OP_MOVE_TEXT		7
#define EVNTRACE_OP_MOVE_SID		8
#define EVNTRACE_OP_LOAD		9
#define EVNTRACE_OP_COMPARE		10
#define EVNTRACE_OP_MULTIPLE		11
#define EVNTRACE_OP_TEXT_IS		12
#define EVNTRACE_OP_TEXT_CONTAINS	13

#define EVNTRACE_CMP_LT			0x01
#define EVNTRACE_CMP_EQ			0x02
#define EVNTRACE_CMP_GT			0x04
#define EVNTRACE_NUMBER_SIGNED		0x08
#define EVNTRACE_NUMBER_1		0x00	/* width: 1, 2, 4 or 8 bytes */
#define EVNTRACE_NUMBER_2		0x10
#define EVNTRACE_NUMBER_4		0x20
#define EVNTRACE_NUMBER_8		0x30

#define EVNTRACE_TEXT_8			0x00	/* 8-bit characters */
#define EVNTRACE_TEXT_16		0x01	/* UTF-16 */
#define EVNTRACE_TEXT_NUL		0x00	/* up to a nul or the end */
#define EVNTRACE_TEXT_COUNTED		0x02	/* after its length, a __u16 */
#define EVNTRACE_TEXT_FIXED		0x04	/* @arg characters */
#define EVNTRACE_TEXT_REGISTER		0x06	/* as many as in register @arg */
#define EVNTRACE_TEXT_REST		0x08	/* up to the end */
#define EVNTRACE_TEXT_NOT		0x10

/**
 * struct evntrace_instruction - one instruction of a program
 * @op: EVNTRACE_OP_*
 * @how: operand of @op, or zero
 * @jump: number of instructions to skip if the condition is false
 * @arg: operand of @op, or zero
 * @value: operand of @op, or zero; for EVNTRACE_OP_MULTIPLE, not zero
 */
struct evntrace_instruction {
	__u8 op;
	__u8 how;
	__u16 jump;
	__u32 arg;
	__aligned_u64 value;
};

/**
 * struct evntrace_program - filter of EVNTRACE_FILTER_PAYLOAD
 * @size: size of the whole program, including texts, in bytes
 * @version: EVNTRACE_PROGRAM_VERSION
 * @count: number of instructions, the last of which is EVNTRACE_OP_END
 * @instruction: the instructions; texts follow, each at an even offset
 */
struct evntrace_program {
	__u32 size;
	__u16 version;
	__u16 count;
	struct evntrace_instruction instruction[];
};

/* Change nothing, and wait as after a change: see evntprov(4) */
#define EVNTRACE_ENABLE_WAIT		0x1u

/**
 * struct evntrace_enable - argument of EVNTRACE_IOC_ENABLE, and part of the
 * description of a private session
 * @size: sizeof(struct evntrace_enable); in a description, with the filters,
 *	which follow in the format of EVNTRACE_LIST_FILTERS
 * @flags: zero, or EVNTRACE_ENABLE_WAIT
 * @provider: id of the provider, which need not be registered
 * @source: source id, passed to providers with the notification
 * @match_any: require at least one of these keywords; 0: all events match
 * @match_all: also require all of these keywords
 * @control: EVNTPROV_CONTROL_DISABLE, _ENABLE or _CAPTURE_STATE
 * @property: EVNTRACE_PROPERTY_*; with EVNTRACE_PROPERTY_PROVIDER_GROUP,
 *	@provider is the id of a group, for each @control
 * @level: highest level of events; 0: all levels
 * @reserved: zero
 * @timeout_ms: time in ms to wait until each registration has acknowledged the
 *	notification; 0: do not wait; EVNTRACE_TIMEOUT_INFINITE: no limit
 * @filter_count: number of elements of @filters, at most EVNTRACE_MAX_FILTERS;
 *	ignored for EVNTPROV_CONTROL_DISABLE
 * @reserved2: zero
 * @filters: address of an array of struct evntrace_filter; zero in a description
 * @version: zero; in a description, version of the session at which the provider
 *	was last enabled
 * @captures: zero; in a description, number of capture-state requests so far
 */
struct evntrace_enable {
	__u32 size;
	__u32 flags;
	struct evntprov_guid provider;
	struct evntprov_guid source;
	__aligned_u64 match_any;
	__aligned_u64 match_all;
	__u32 control;
	__u32 property;
	__u8 level;
	__u8 reserved[3];
	__u32 timeout_ms;
	__u32 filter_count;
	__u32 reserved2;
	__aligned_u64 filters;
	__u32 version;
	__u32 captures;
};

#define EVNTRACE_MAX_CAPTURE		256	/* providers per session */
#define EVNTRACE_MAX_CAPTURE_PERIOD	86400u	/* in seconds: one day */
#define EVNTRACE_MAX_DISALLOWED		256	/* providers per session */

#define EVNTRACE_LIST_SESSIONS		0	/* __u64, handles */
#define EVNTRACE_LIST_REGISTRATIONS	1	/* struct evntrace_registration */
#define EVNTRACE_LIST_ENABLEMENTS	2	/* struct evntrace_enablement */
#define EVNTRACE_LIST_ACCESS		3	/* struct evntrace_access */
#define EVNTRACE_LIST_USERS		4	/* struct evntrace_user */
/* Lists of a session */
#define EVNTRACE_LIST_CPUS		5	/* struct evntrace_cpu */
#define EVNTRACE_LIST_FILTERS		6	/* __u64: struct evntrace_filter */
#define EVNTRACE_LIST_CAPTURE_STATE	7	/* struct evntprov_guid */
#define EVNTRACE_LIST_DISALLOWED	8	/* struct evntprov_guid */
#define EVNTRACE_LIST_PRIVATE		9	/* __u64, of private sessions */
/* Only set, of sessions with EVNTRACE_MODE_SYSTEM_LOGGER: a __u32 */
#define EVNTRACE_LIST_SYSTEM_FLAGS	10	/* EVNTRACE_SYSTEM_* */
#define EVNTRACE_LIST_SYSTEM_STACKS	11	/* the same, with call stacks */
/* Also set by /dev/evntrace: a __u32, interval of EVNTRACE_SYSTEM_PROFILE */
#define EVNTRACE_LIST_PROFILE_INTERVAL	12	/* in units of 100 ns */

/* Events of the kernel: values of EVENT_TRACE_FLAG_*; others cause no events */
#define EVNTRACE_SYSTEM_PROCESS		0x00000001u
#define EVNTRACE_SYSTEM_THREAD		0x00000002u
#define EVNTRACE_SYSTEM_IMAGE_LOAD	0x00000004u
#define EVNTRACE_SYSTEM_CSWITCH		0x00000010u
#define EVNTRACE_SYSTEM_DPC		0x00000020u
#define EVNTRACE_SYSTEM_INTERRUPT	0x00000040u
#define EVNTRACE_SYSTEM_SYSTEMCALL	0x00000080u
#define EVNTRACE_SYSTEM_DISK_IO		0x00000100u
#define EVNTRACE_SYSTEM_DISK_IO_INIT	0x00000400u
#define EVNTRACE_SYSTEM_DISPATCHER	0x00000800u
#define EVNTRACE_SYSTEM_PAGE_FAULTS	0x00001000u
#define EVNTRACE_SYSTEM_HARD_FAULTS	0x00002000u
#define EVNTRACE_SYSTEM_NETWORK		0x00010000u
#define EVNTRACE_SYSTEM_PROFILE		0x01000000u
/* Limits of EVNTRACE_LIST_PROFILE_INTERVAL: 100 us and 1 s */
#define EVNTRACE_MIN_PROFILE_INTERVAL	1000u
#define EVNTRACE_MAX_PROFILE_INTERVAL	10000000u
/* Number of sessions with EVNTRACE_MODE_SYSTEM_LOGGER at a time */
#define EVNTRACE_MAX_SYSTEM		8

/**
 * struct evntrace_cpu - element of EVNTRACE_LIST_CPUS
 * @events: number of events stored in buffers
 * @events_lost: number of events lost: @events_no_buffer, @events_too_large,
 *	@events_unreadable and @events_blocked of struct evntrace_session
 *
 * Elements are in the order of CPU numbers.
 */
struct evntrace_cpu {
	__aligned_u64 events;
	__aligned_u64 events_lost;
};

#define EVNTRACE_REGISTRATION_TYPES		0x100u	/* uses block types */
/* EVNTPROV_INFO_BINARY_TRACK, or EVNTPROV_INFO_TRAITS, was set */
#define EVNTRACE_REGISTRATION_BINARY_TRACK	0x200u
#define EVNTRACE_REGISTRATION_TRAITS		0x400u
#define EVNTRACE_REGISTRATION_KERNEL		0x800u	/* of a kernel module */

/**
 * struct evntrace_registration - element of EVNTRACE_LIST_REGISTRATIONS
 * @provider: id of the provider
 * @pid: process that made the registration; 0 for the kernel, see
 *	EVNTRACE_REGISTRATION_KERNEL, and for a process outside the caller's pid
 *	namespace
 * @flags: EVNTPROV_REGISTER_*, EVNTRACE_REGISTRATION_*
 * @sessions: sessions that enabled it by its provider's id, a bit each
 * @name: name in the provider traits, UTF-8, truncated, nul-padded; or empty
 * @group: id of the group that it is a member of, or zero
 * @group_sessions: sessions that enabled it by its group, a bit each
 * @denied_sessions: sessions of @sessions and @group_sessions that do not
 *	accept its events, because the process that made the registration lacks
 *	EVNTRACE_RIGHT_LOG_EVENT
 */
struct evntrace_registration {
	struct evntprov_guid provider;
	__u32 pid;
	__u32 flags;
	__aligned_u64 sessions;
	char name[64];
	struct evntprov_guid group;
	__aligned_u64 group_sessions;
	__aligned_u64 denied_sessions;
};

/**
 * struct evntrace_enablement - element of EVNTRACE_LIST_ENABLEMENTS
 * @provider: id of the provider, or of the group if @property contains
 *	EVNTRACE_PROPERTY_PROVIDER_GROUP
 * @handle: handle of the session
 * @match_any: match-any mask as set
 * @match_all: match-all mask as set
 * @property: EVNTRACE_PROPERTY_* as set
 * @level: level as set
 * @order: position, from 1, in the order in which the listed sessions enabled
 *	the provider most recently; 0 from modules that do not record the order
 * @reserved: zero
 */
struct evntrace_enablement {
	struct evntprov_guid provider;
	__aligned_u64 handle;
	__aligned_u64 match_any;
	__aligned_u64 match_all;
	__u32 property;
	__u8 level;
	__u8 order;
	__u8 reserved[2];
};

/**
 * struct evntrace_user - element of EVNTRACE_LIST_USERS
 * @uid: user id in the caller's user namespace
 * @reserved: zero
 * @registrations: number of registrations
 * @notifications: number of registrations with EVNTPROV_REGISTER_NOTIFY
 * @files: number of open files of /dev/evntprov
 * @sessions: number of sessions and private sessions
 * @session_bytes: memory of the buffers of its sessions in bytes
 * @enablements: number of pairs of a session and an enabled provider or group
 */
struct evntrace_user {
	__u32 uid;
	__u32 reserved;
	__aligned_u64 registrations;
	__aligned_u64 notifications;
	__aligned_u64 files;
	__aligned_u64 sessions;
	__aligned_u64 session_bytes;
	__aligned_u64 enablements;
};

/* Rights, with the values of Windows: see evntprov(4) */
#define EVNTRACE_RIGHT_QUERY		0x0001u
#define EVNTRACE_RIGHT_CREATE_REALTIME	0x0020u
#define EVNTRACE_RIGHT_CREATE_ONDISK	0x0040u
#define EVNTRACE_RIGHT_GUID_ENABLE	0x0080u
#define EVNTRACE_RIGHT_KERNEL_LOGGER	0x0100u
#define EVNTRACE_RIGHT_LOG_EVENT	0x0200u
#define EVNTRACE_RIGHT_ACCESS_REALTIME	0x0400u
#define EVNTRACE_RIGHT_REGISTER_GUIDS	0x0800u
#define EVNTRACE_RIGHT_JOIN_GROUP	0x1000u
/* Rights of everyone without any list */
#define EVNTRACE_RIGHTS_DEFAULT						\
	(EVNTRACE_RIGHT_QUERY | EVNTRACE_RIGHT_GUID_ENABLE |		\
	 EVNTRACE_RIGHT_LOG_EVENT | EVNTRACE_RIGHT_REGISTER_GUIDS |	\
	 EVNTRACE_RIGHT_JOIN_GROUP)
/* All valid bits: rights of tracing, and standard rights of objects */
#define EVNTRACE_RIGHTS_ALL		0x001f1fffu

/* 0811c1af-7a07-4a06-82ed-869455cdf713 */
#define EVNTRACE_ACCESS_DEFAULT						\
	{ { 0xaf, 0xc1, 0x11, 0x08, 0x07, 0x7a, 0x06, 0x4a,		\
	    0x82, 0xed, 0x86, 0x94, 0x55, 0xcd, 0xf7, 0x13 } }

#define EVNTRACE_ACCESS_ADD	0	/* add to the list in force */
#define EVNTRACE_ACCESS_SET	1	/* replace all entries */
#define EVNTRACE_ACCESS_REMOVE	2	/* remove the list */

#define EVNTRACE_SUBJECT_EVERYONE	0
#define EVNTRACE_SUBJECT_USER	1
#define EVNTRACE_SUBJECT_GROUP	2
#define EVNTRACE_SUBJECT_OWNER	3	/* user that started the session */
#define EVNTRACE_SUBJECT_ADMIN	4	/* callers with CAP_SYS_ADMIN */

#define EVNTRACE_ACCESS_DENY		0x1u	/* deny the rights */

#define EVNTRACE_MAX_ACCESS_LISTS	4096
#define EVNTRACE_MAX_ACCESS_ENTRIES	64	/* per list */

/**
 * struct evntrace_access - argument of EVNTRACE_IOC_SET_ACCESS, and element of
 * EVNTRACE_LIST_ACCESS
 * @size: sizeof(struct evntrace_access)
 * @flags: EVNTRACE_ACCESS_DENY, or zero
 * @guid: id of a provider, group or session, which need not exist
 * @operation: EVNTRACE_ACCESS_ADD, _SET or _REMOVE; zero in a list
 * @subject: EVNTRACE_SUBJECT_*
 * @id: id of the user or group in the caller's user namespace; otherwise zero
 * @rights: EVNTRACE_RIGHT_*, at least one
 *
 * EVNTRACE_LIST_ACCESS has the entries of each list next to each other; entries
 * that deny precede the others.
 */
struct evntrace_access {
	__u32 size;
	__u32 flags;
	struct evntprov_guid guid;
	__u32 operation;
	__u32 subject;
	__u32 id;
	__u32 rights;
};

/* Query a part of a list; a cursor of zero selects the first part */
#define EVNTRACE_LIST_PART		0x1u
/* EVNTRACE_LIST_FILTERS: @provider is the id of a group */
#define EVNTRACE_LIST_GROUP		0x2u

/**
 * struct evntrace_list - argument of EVNTRACE_IOC_LIST and EVNTRACE_IOC_SET
 * @size: sizeof(struct evntrace_list)
 * @flags: EVNTRACE_LIST_PART or EVNTRACE_LIST_GROUP, or zero
 * @kind: EVNTRACE_LIST_*
 * @element_size: size of an element in bytes as known to the caller
 * @elements: address of the array
 * @count: in: number of elements of the array; out: number of elements of the
 *	list, or with EVNTRACE_LIST_PART, number of elements filled in, which is
 *	0 at the end of the list
 * @period_s: of EVNTRACE_LIST_CAPTURE_STATE, period in seconds: in, to set, at
 *	most EVNTRACE_MAX_CAPTURE_PERIOD; out, of a query; otherwise zero
 * @provider: of EVNTRACE_LIST_FILTERS, id of a provider, or of a group, that
 *	the session has enabled; otherwise zero
 * @cursor: in: zero, or with EVNTRACE_LIST_PART the opaque cursor returned with
 *	the previous part; out: with EVNTRACE_LIST_PART, cursor of the next part
 */
struct evntrace_list {
	__u32 size;
	__u32 flags;
	__u32 kind;
	__u32 element_size;
	__aligned_u64 elements;
	__u32 count;
	__u32 period_s;
	struct evntprov_guid provider;
	__aligned_u64 cursor[4];
};

#endif /* _UAPI_LINUX_EVNTRACE_H */
