/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The interface between the evntprov module and user space.
 *
 * DOC: two doors
 *
 * /dev/evntprov (mode 0666) is for whoever writes events.  An open file owns
 * provider registrations; they vanish with its last descriptor and mapping.
 * It offers ioctls, an enable page to map, and notifications to read.
 *
 * /dev/evntrace (mode 0660, group tracing) is for whoever controls sessions.
 * It offers ioctls only.  A session outlives the file that started it, unless
 * it was started with EVNTRACE_START_BOUND.
 *
 * DOC: rules for every ioctl
 *
 * The argument points to a structure whose first field is its size in bytes as
 * the caller knows it, and whose second is a set of flags.  A structure may
 * grow at its end:  the module takes a shorter one as if the rest was zero, and
 * a longer one if the part that it does not know is zero.  What it fills in is
 * cut to the size that the caller gave.
 *
 * All structures are naturally aligned, without holes, and the same for 32-
 * and 64-bit callers.  Pointers travel as __u64.  All GUIDs are 16 bytes as
 * they lie in memory on Windows: the first three fields little-endian.
 *
 * Errors that every ioctl has:
 *
 *	EFAULT	the argument, or memory that it points to, cannot be accessed
 *	E2BIG	the structure is longer than the module's, and the rest not zero
 *	EINVAL	the structure is too short; a flag is unknown; a reserved field
 *		is not zero
 *	ENOTTY	the ioctl is unknown, or belongs to the other door
 *	ENOMEM	the kernel has no memory left, or the caller's memory cgroup
 */
#ifndef _UAPI_LINUX_EVNTPROV_H
#define _UAPI_LINUX_EVNTPROV_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define EVNTPROV_ABI_VERSION	1

#define EVNTPROV_IOC_TYPE	0xE7

/* Both doors */
#define EVNTPROV_IOC_VERSION		_IO(EVNTPROV_IOC_TYPE, 0x00)
/* /dev/evntprov */
#define EVNTPROV_IOC_REGISTER		_IO(EVNTPROV_IOC_TYPE, 0x01)
#define EVNTPROV_IOC_UNREGISTER		_IO(EVNTPROV_IOC_TYPE, 0x02)
#define EVNTPROV_IOC_WRITE		_IO(EVNTPROV_IOC_TYPE, 0x03)
#define EVNTPROV_IOC_SET_INFORMATION	_IO(EVNTPROV_IOC_TYPE, 0x04)
/* /dev/evntrace */
#define EVNTRACE_IOC_START		_IO(EVNTPROV_IOC_TYPE, 0x40)
#define EVNTRACE_IOC_FIND		_IO(EVNTPROV_IOC_TYPE, 0x41)
#define EVNTRACE_IOC_QUERY		_IO(EVNTPROV_IOC_TYPE, 0x42)
#define EVNTRACE_IOC_FLUSH		_IO(EVNTPROV_IOC_TYPE, 0x43)
#define EVNTRACE_IOC_STOP		_IO(EVNTPROV_IOC_TYPE, 0x44)
#define EVNTRACE_IOC_ENABLE		_IO(EVNTPROV_IOC_TYPE, 0x45)
#define EVNTRACE_IOC_LIST		_IO(EVNTPROV_IOC_TYPE, 0x46)
#define EVNTRACE_IOC_STATUS		_IO(EVNTPROV_IOC_TYPE, 0x47)
#define EVNTRACE_IOC_UPDATE		_IO(EVNTPROV_IOC_TYPE, 0x48)

/**
 * struct evntprov_guid - a GUID, byte by byte
 * @b: Data1, Data2 and Data3 little-endian, then Data4
 */
struct evntprov_guid {
	__u8 b[16];
};

/**
 * struct evntprov_version - argument of EVNTPROV_IOC_VERSION
 * @size: sizeof(struct evntprov_version)
 * @flags: zero
 * @abi_version: out: EVNTPROV_ABI_VERSION of the module
 * @max_sessions: out: how many sessions may exist at a time
 * @features: out: a bit for each addition to version 1; none so far
 *
 * Who may call it: whoever has either door open.
 */
struct evntprov_version {
	__u32 size;
	__u32 flags;
	__u32 abi_version;
	__u32 max_sessions;
	__aligned_u64 features;
};

/*
 * Handles and slots
 *
 * A registration is known by a handle that its owner chooses.  Its slot is the
 * bits EVNTPROV_HANDLE_SLOT_MASK, which are the byte offset of its struct
 * evntprov_enable in the file's enable area; the other bits are the owner's
 * own, say a generation, and are compared as a whole on each use.  Slot 0 is
 * never used, so that the handle 0 is always disabled.
 */
#define EVNTPROV_SLOT_SIZE		32
#define EVNTPROV_MAX_SLOTS		2048
#define EVNTPROV_ENABLE_AREA_SIZE	(EVNTPROV_SLOT_SIZE * EVNTPROV_MAX_SLOTS)
#define EVNTPROV_HANDLE_SLOT_MASK	0xffe0u
/* How many registrations one open file may own */
#define EVNTPROV_MAX_REGISTRATIONS	1024

/**
 * struct evntprov_enable - one registration's state in the enable area
 * @sequence: odd while the kernel changes the fields below
 * @enabled: 1 when at least one session has enabled the provider, else 0
 * @level: the highest level that any session wants
 * @reserved: zero
 * @match_any: the keywords that any session wants
 * @match_all: the keywords that all sessions demand
 *
 * The first EVNTPROV_ENABLE_AREA_SIZE bytes of /dev/evntprov, mapped shared
 * and read-only, are EVNTPROV_MAX_SLOTS of these.  A reader that sees an even
 * @sequence before and the same after reading has a consistent state; one that
 * does not may take the event as enabled, as the kernel decides again.
 */
struct evntprov_enable {
	__u32 sequence;
	__u8 enabled;
	__u8 level;
	__u16 reserved;
	__aligned_u64 match_any;
	__aligned_u64 match_all;
	__aligned_u64 reserved2;
};

/* This registration wants notifications */
#define EVNTPROV_REGISTER_NOTIFY	0x1u

/**
 * struct evntprov_register - argument of EVNTPROV_IOC_REGISTER
 * @size: sizeof(struct evntprov_register)
 * @flags: EVNTPROV_REGISTER_*
 * @provider: the provider's id
 * @handle: the handle that the caller chose; see "Handles and slots"
 *
 * When a session has enabled @provider already, the slot says so on return.
 * That state is not notified; later changes are.
 *
 * Errors: EINVAL for a handle in slot 0, EBUSY when the slot is in use, EMFILE
 * when the file owns EVNTPROV_MAX_REGISTRATIONS.
 *
 * Who may call it: whoever has /dev/evntprov open.
 */
struct evntprov_register {
	__u32 size;
	__u32 flags;
	struct evntprov_guid provider;
	__aligned_u64 handle;
};

/**
 * struct evntprov_unregister - argument of EVNTPROV_IOC_UNREGISTER
 * @size: sizeof(struct evntprov_unregister)
 * @flags: zero
 * @handle: the registration
 *
 * No notification of the registration is read after this has returned.
 *
 * Errors: ENOENT when the file has no registration with this handle.
 */
struct evntprov_unregister {
	__u32 size;
	__u32 flags;
	__aligned_u64 handle;
};

/**
 * struct evntprov_descriptor - what an event is: EVENT_DESCRIPTOR
 * @id: id
 * @version: version
 * @channel: channel
 * @level: 0 is always wanted
 * @opcode: opcode
 * @task: task
 * @keyword: 0 is always wanted
 */
struct evntprov_descriptor {
	__u16 id;
	__u8 version;
	__u8 channel;
	__u8 level;
	__u8 opcode;
	__u16 task;
	__aligned_u64 keyword;
};

#define EVNTPROV_DATA_NONE			0
#define EVNTPROV_DATA_EVENT_METADATA		1
#define EVNTPROV_DATA_PROVIDER_METADATA		2
#define EVNTPROV_DATA_TIMESTAMP_OVERRIDE	3

#define EVNTPROV_MAX_DATA			128

/**
 * struct evntprov_data - one block of an event's data: EVENT_DATA_DESCRIPTOR
 * @ptr: address of the block
 * @len: its length in bytes; may be 0
 * @type: EVNTPROV_DATA_*; read only when the registration uses types
 * @reserved: not read
 */
struct evntprov_data {
	__aligned_u64 ptr;
	__u32 len;
	__u8 type;
	__u8 reserved[3];
};

/* The event must not page-fault: fail rather than read memory in */
#define EVNTPROV_WRITE_NO_FAULTING	0x01u
/* Not for sessions that exclude such events */
#define EVNTPROV_WRITE_INPRIVATE	0x02u
/* The data is one string: readers need no description of it */
#define EVNTPROV_WRITE_STRING		0x04u
/* @related is set */
#define EVNTPROV_WRITE_RELATED		0x08u

/**
 * struct evntprov_write - argument of EVNTPROV_IOC_WRITE
 * @size: sizeof(struct evntprov_write)
 * @flags: EVNTPROV_WRITE_*
 * @handle: the registration
 * @descriptor: what the event is
 * @exclude: sessions that must not get it, a bit (1 << id) each
 * @activity: activity id, or zero
 * @data: address of an array of struct evntprov_data
 * @data_count: its elements, at most EVNTPROV_MAX_DATA
 * @related: related activity id; not read without EVNTPROV_WRITE_RELATED
 *
 * Writes the event to each session that has enabled the provider for it, or
 * to none of them.  The kernel stamps time, process, thread and provider.
 * Returns 0 also when no session wants the event; then its data is nobody's
 * concern, and may be anything.
 *
 * Errors:
 *
 *	EAGAIN		the data's pages kept vanishing; the event is lost
 *	EFAULT		data, or the array, cannot be read
 *	EINVAL		@data_count too large; a block's type is unknown
 *	EMSGSIZE	the event does not fit the buffers of a session
 *	ENOBUFS		a session had no free buffer; the event is lost
 *	ENOENT		the file has no registration with this handle
 *	EOPNOTSUPP	a block of type EVNTPROV_DATA_TIMESTAMP_OVERRIDE: time
 *			is the kernel's to say
 *	EOVERFLOW	the event, header and all, is longer than 65,535 bytes
 *
 * Each session that wanted an event that it did not get counts it as lost.
 */
struct evntprov_write {
	__u32 size;
	__u32 flags;
	__aligned_u64 handle;
	struct evntprov_descriptor descriptor;
	__aligned_u64 exclude;
	struct evntprov_guid activity;
	__aligned_u64 data;
	__aligned_u64 data_count;
	struct evntprov_guid related;
};

#define EVNTPROV_INFO_BINARY_TRACK	0
#define EVNTPROV_INFO_TRAITS		2
#define EVNTPROV_INFO_DESCRIPTOR_TYPE	3

/* Longest provider traits, in bytes */
#define EVNTPROV_MAX_TRAITS		4096

/**
 * struct evntprov_set_information - argument of EVNTPROV_IOC_SET_INFORMATION
 * @size: sizeof(struct evntprov_set_information)
 * @flags: zero
 * @handle: the registration
 * @info_class: EVNTPROV_INFO_*, the values of EVENT_INFO_CLASS
 * @len: length of the information in bytes
 * @info: its address
 *
 * EVNTPROV_INFO_TRAITS: a blob that starts with its own length in two bytes,
 * then holds a nul-terminated name and traits.  It goes with each event, and
 * switches the use of types on.  It can be set once.
 * EVNTPROV_INFO_DESCRIPTOR_TYPE: one byte, whether to use types.
 * EVNTPROV_INFO_BINARY_TRACK: no information; remembered.
 *
 * Errors: ENOENT when there is no such registration, EINVAL for a wrong length
 * or malformed traits, EEXIST when traits are set already, EOPNOTSUPP for an
 * unknown class.
 */
struct evntprov_set_information {
	__u32 size;
	__u32 flags;
	__aligned_u64 handle;
	__u32 info_class;
	__u32 len;
	__aligned_u64 info;
};

#define EVNTPROV_CONTROL_DISABLE	0
#define EVNTPROV_CONTROL_ENABLE		1
#define EVNTPROV_CONTROL_CAPTURE_STATE	2

/**
 * struct evntprov_notification - what read() of /dev/evntprov returns
 * @handle: the registration that it is for
 * @source: who caused it, as the controller said, or zero
 * @control: EVNTPROV_CONTROL_*: the state after the change
 * @level: as in the slot
 * @reserved: zero
 * @match_any: as in the slot
 * @match_all: as in the slot
 *
 * read() returns as many whole notifications as fit; it blocks while there are
 * none, or fails with EAGAIN on a non-blocking file.  Changes that come faster
 * than they are read are told as one, by their result.  Coming back for more
 * says that the earlier ones have been dealt with: that is what a controller
 * with a timeout waits for.
 *
 * When the descriptor through which the file's first registration was made is
 * closed, read() returns 0 from then on, and poll() says EPOLLHUP.
 *
 * Errors: EINVAL when the buffer is too small for one.
 */
struct evntprov_notification {
	__aligned_u64 handle;
	struct evntprov_guid source;
	__u32 control;
	__u8 level;
	__u8 reserved[3];
	__aligned_u64 match_any;
	__aligned_u64 match_all;
};

/* Stop the session when the file that started it is closed */
#define EVNTRACE_START_BOUND		0x1u

#define EVNTRACE_CLOCK_QPC		1	/* CLOCK_MONOTONIC, in ns */
#define EVNTRACE_CLOCK_SYSTEM_TIME	2	/* FILETIME */

/* One of the first two; or neither: there is no limit */
#define EVNTRACE_MODE_SEQUENTIAL	0x00000001u	/* ends at its limit */
#define EVNTRACE_MODE_CIRCULAR		0x00000002u	/* overwrites the oldest */
/* The file is as long as its limit from the beginning, and cut in the end */
#define EVNTRACE_MODE_PREALLOCATE	0x00000020u
#define EVNTRACE_MODE_USE_KBYTES	0x00002000u	/* unit of the limit */

#define EVNTRACE_MAX_SESSIONS		64
#define EVNTRACE_MAX_NAME		1024	/* UTF-16 units */
#define EVNTRACE_TIME_ZONE_SIZE		172	/* TIME_ZONE_INFORMATION */
#define EVNTRACE_MIN_BUFFER_SIZE	4096u
#define EVNTRACE_MAX_BUFFER_SIZE	(16384u * 1024)

/**
 * struct evntrace_start - argument of EVNTRACE_IOC_START
 * @size: sizeof(struct evntrace_start)
 * @flags: EVNTRACE_START_*
 * @guid: the session's id; zero: the kernel makes one
 * @name: address of the session's name, UTF-16 without a nul
 * @log_name: address of the log file's name, likewise, for the log's header
 * @time_zone: address of EVNTRACE_TIME_ZONE_SIZE bytes for the log's header, or
 *	zero for UTC
 * @name_len: length of the name in UTF-16 units, 1 to EVNTRACE_MAX_NAME
 * @log_name_len: likewise, 0 to EVNTRACE_MAX_NAME
 * @log_fd: the log file: a regular file, empty, opened for writing, without
 *	O_APPEND
 * @log_file_mode: EVNTRACE_MODE_*
 * @clock_type: EVNTRACE_CLOCK_*; 0 is EVNTRACE_CLOCK_QPC
 * @buffer_size: bytes; rounded up to a multiple of 4096; 0: 64 KiB
 * @min_buffers: raised to two for each CPU
 * @max_buffers: raised to @min_buffers; 0: @min_buffers and 20 more
 * @flush_ms: write buffers that are not full after so many ms; 0: never
 * @max_file_size: limit of the log file, in MiB, or in KiB with
 *	EVNTRACE_MODE_USE_KBYTES; it is rounded down to whole buffers; 0: none
 * @handle: out: the session
 *
 * When the log file has reached its limit, EVNTRACE_MODE_CIRCULAR overwrites
 * the oldest buffers; otherwise the session ends as by EVNTRACE_IOC_STOP.
 *
 * All @max_buffers are allocated, and charged to the caller, at once: nothing
 * is allocated later.
 *
 * Errors:
 *
 *	EBADF		@log_fd is no descriptor, or not open for writing
 *	EEXIST		a session of that name or id exists; names that differ
 *			only in the case of ASCII letters are the same
 *	EINVAL		a field is out of its range; @log_fd is no regular file,
 *			not empty, or opened with O_APPEND; modes that exclude
 *			each other; CIRCULAR or PREALLOCATE without a limit, or
 *			a limit of less than two buffers
 *	EOPNOTSUPP	the mode is unknown; the file system does not preallocate
 *	EUSERS		EVNTRACE_MAX_SESSIONS exist
 *	ENOSPC, EIO...	what writing the log's header gave
 *
 * Who may call it: whoever has /dev/evntrace open.  The same holds below.
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
};

/**
 * struct evntrace_find - argument of EVNTRACE_IOC_FIND
 * @size: sizeof(struct evntrace_find)
 * @flags: zero
 * @name: address of a session's name, UTF-16 without a nul
 * @name_len: its length in UTF-16 units
 * @reserved: zero
 * @handle: out: the session
 *
 * Errors: ESRCH when no session has that name.
 */
struct evntrace_find {
	__u32 size;
	__u32 flags;
	__aligned_u64 name;
	__u32 name_len;
	__u32 reserved;
	__aligned_u64 handle;
};

/* Out flags of struct evntrace_session */
#define EVNTRACE_SESSION_BOUND		0x1u

/* A session's handle holds its id, which is its bit in masks of sessions */
#define EVNTRACE_HANDLE_ID(handle)	((handle) & 0xffffu)

/**
 * struct evntrace_session - argument of EVNTRACE_IOC_QUERY, _FLUSH and _STOP
 * @size: sizeof(struct evntrace_session)
 * @flags: in: zero; out: EVNTRACE_SESSION_*
 * @handle: in: the session
 * @name: in: where its name goes, or zero
 * @log_name: in: where its log file's name goes, or zero
 * @name_len: in: room at @name in UTF-16 units; out: length of the name
 * @log_name_len: likewise
 * @guid: out: the session's id
 * @log_file_mode: out: EVNTRACE_MODE_*
 * @clock_type: out: EVNTRACE_CLOCK_*
 * @buffer_size: out: bytes
 * @min_buffers: out: as adjusted
 * @max_buffers: out: as adjusted
 * @buffers: out: how many exist
 * @free_buffers: out: how many of them are unused
 * @flush_ms: out: as it is now
 * @writer_tid: out: thread that writes the log file
 * @owner_pid: out: process that started the session
 * @owner_uid: out: its user
 * @log_errno: out: why writing the log file last failed, or zero
 * @events: out: events that were put into a buffer
 * @events_lost: out: events that found no room, and those, of @events, that
 *	were in lost buffers
 * @buffers_written: out: written to the log file, with its header
 * @buffers_lost: out: that could not be written to the log file
 * @bytes_written: out: length of the log file
 * @start_time: out: FILETIME
 * @max_file_size: out: as given
 * @reserved: out: zero
 *
 * QUERY fills it in.  FLUSH first has every event that was accepted before the
 * call written to the log file.  STOP first ends the session: when it returns,
 * the log file is complete.  Names are cut to their room and not terminated.
 *
 * Errors: ESRCH when there is no such session (any more); EALREADY for STOP
 * when it is being stopped; EINTR for FLUSH when the caller is killed.
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
	__u32 reserved;
};

/**
 * struct evntrace_update - argument of EVNTRACE_IOC_UPDATE
 * @size: sizeof(struct evntrace_update)
 * @flags: zero
 * @handle: the session
 * @flush_ms: its flush timer from now on; 0: as it is
 * @reserved: zero
 *
 * Errors: ESRCH when there is no such session (any more).
 */
struct evntrace_update {
	__u32 size;
	__u32 flags;
	__aligned_u64 handle;
	__u32 flush_ms;
	__u32 reserved;
};

/* Events with keyword 0 are not for this session */
#define EVNTRACE_PROPERTY_IGNORE_KEYWORD_0	0x10u
/* Events written with EVNTPROV_WRITE_INPRIVATE are not for this session */
#define EVNTRACE_PROPERTY_EXCLUDE_INPRIVATE	0x200u

#define EVNTRACE_TIMEOUT_INFINITE	0xffffffffu

/**
 * struct evntrace_enable - argument of EVNTRACE_IOC_ENABLE
 * @size: sizeof(struct evntrace_enable)
 * @flags: zero
 * @handle: the session
 * @provider: the provider, registered or not
 * @source: handed to the providers with the notification
 * @match_any: events with one of these keywords; 0: all
 * @match_all: and with all of these
 * @control: EVNTPROV_CONTROL_*
 * @property: EVNTRACE_PROPERTY_*
 * @level: events up to this level; 0: all
 * @reserved: zero
 * @timeout_ms: how long to wait until each registration has dealt with the
 *	notification; 0: not at all
 * @filter_count: zero
 * @reserved2: zero
 * @filters: zero
 *
 * Enabling again replaces all that was set before.  Disabling what is not
 * enabled succeeds.
 *
 * Errors: ESRCH when there is no such session, EINVAL for an unknown control
 * code, EOPNOTSUPP for an unknown property, ETIMEDOUT when the time ran out:
 * the change stays in force; EINTR when a signal came meanwhile: likewise.
 */
struct evntrace_enable {
	__u32 size;
	__u32 flags;
	__aligned_u64 handle;
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
};

#define EVNTRACE_LIST_SESSIONS		0	/* __u64, handles */
#define EVNTRACE_LIST_REGISTRATIONS	1	/* struct evntrace_registration */
#define EVNTRACE_LIST_ENABLEMENTS	2	/* struct evntrace_enablement */

/* Types of data blocks are read: EVNTPROV_INFO_TRAITS or _DESCRIPTOR_TYPE */
#define EVNTRACE_REGISTRATION_TYPES		0x100u
/* EVNTPROV_INFO_BINARY_TRACK was set */
#define EVNTRACE_REGISTRATION_BINARY_TRACK	0x200u
/* EVNTPROV_INFO_TRAITS was set */
#define EVNTRACE_REGISTRATION_TRAITS		0x400u

/**
 * struct evntrace_registration - an element of EVNTRACE_LIST_REGISTRATIONS
 * @provider: the provider's id
 * @pid: process that registered it
 * @flags: EVNTPROV_REGISTER_*, EVNTRACE_REGISTRATION_*
 * @sessions: sessions that have enabled it, a bit each
 * @name: its name as its traits say, UTF-8, cut, nul-padded; or empty
 */
struct evntrace_registration {
	struct evntprov_guid provider;
	__u32 pid;
	__u32 flags;
	__aligned_u64 sessions;
	char name[64];
};

/**
 * struct evntrace_enablement - an element of EVNTRACE_LIST_ENABLEMENTS
 * @provider: the provider's id
 * @handle: the session
 * @match_any: as set
 * @match_all: as set
 * @property: as set
 * @level: as set
 * @reserved: zero
 */
struct evntrace_enablement {
	struct evntprov_guid provider;
	__aligned_u64 handle;
	__aligned_u64 match_any;
	__aligned_u64 match_all;
	__u32 property;
	__u8 level;
	__u8 reserved[3];
};

/**
 * struct evntrace_list - argument of EVNTRACE_IOC_LIST
 * @size: sizeof(struct evntrace_list)
 * @flags: zero
 * @what: EVNTRACE_LIST_*
 * @element_size: size of an element as the caller knows it
 * @elements: address of the array
 * @count: in: its elements; out: how many there are
 * @reserved: zero
 *
 * As many elements as there is room for are filled in.
 *
 * Errors: EINVAL for an unknown @what, or an @element_size not the module's.
 */
struct evntrace_list {
	__u32 size;
	__u32 flags;
	__u32 what;
	__u32 element_size;
	__aligned_u64 elements;
	__u32 count;
	__u32 reserved;
};

/**
 * struct evntrace_status - argument of EVNTRACE_IOC_STATUS
 * @size: sizeof(struct evntrace_status)
 * @flags: zero
 * @files: out: open files of /dev/evntprov
 * @registrations: out: registrations of all processes
 * @providers: out: provider ids that are registered, or enabled, or both
 * @enablements: out: pairs of session and provider
 * @sessions: out: sessions
 * @buffers: out: buffers of all sessions
 * @buffer_bytes: out: their memory
 *
 * What the module holds, for tests and for people in doubt.
 */
struct evntrace_status {
	__u32 size;
	__u32 flags;
	__aligned_u64 files;
	__aligned_u64 registrations;
	__aligned_u64 providers;
	__aligned_u64 enablements;
	__aligned_u64 sessions;
	__aligned_u64 buffers;
	__aligned_u64 buffer_bytes;
};

#endif /* _UAPI_LINUX_EVNTPROV_H */
