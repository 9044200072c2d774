/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The interface between the evntprov module and user space.
 *
 * DOC: two doors
 *
 * /dev/evntprov (mode 0666) is for whoever writes events.  An open file owns
 * provider registrations; they vanish with its last descriptor and mapping.
 * It offers ioctls, an enable page to map, and notifications to read.  As long as
 * sessions are being started that are to be there first, while the module is
 * loaded, open() fails with ENODEV.
 *
 * /dev/evntrace (mode 0660, group evntprov) is for whoever controls sessions.
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
 *	E2BIG	the structure is longer than the module's, and the rest not zero;
 *		or it is longer than a page
 *	EINVAL	the structure is too short; a flag is unknown; a reserved field
 *		is not zero
 *	ENOTTY	the ioctl is unknown, or belongs to the other door
 *	ENOMEM	the kernel has no memory left, or the caller's memory cgroup
 *	EACCES	the caller lacks a right: see "Rights"
 *	EINTR	the caller is killed while it waits for others; nothing is done
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
#define EVNTPROV_IOC_TRACE		_IO(EVNTPROV_IOC_TYPE, 0x05)
#define EVNTPROV_IOC_CLASSIC		_IO(EVNTPROV_IOC_TYPE, 0x06)
#define EVNTPROV_IOC_LOGGERS		_IO(EVNTPROV_IOC_TYPE, 0x08)
#define EVNTPROV_IOC_LOGGER		_IO(EVNTPROV_IOC_TYPE, 0x09)
#define EVNTPROV_IOC_LOGGER_ENABLED	_IO(EVNTPROV_IOC_TYPE, 0x0a)
#define EVNTPROV_IOC_LOGGER_REPORT	_IO(EVNTPROV_IOC_TYPE, 0x0b)
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
#define EVNTRACE_IOC_CONSUME		_IO(EVNTPROV_IOC_TYPE, 0x50)
#define EVNTRACE_IOC_NEXT		_IO(EVNTPROV_IOC_TYPE, 0x51)
#define EVNTRACE_IOC_RELEASE		_IO(EVNTPROV_IOC_TYPE, 0x52)
#define EVNTRACE_IOC_SNAPSHOT		_IO(EVNTPROV_IOC_TYPE, 0x53)
#define EVNTRACE_IOC_FILTERS		_IO(EVNTPROV_IOC_TYPE, 0x68)
#define EVNTPROV_IOC_FILTER_DATA	_IO(EVNTPROV_IOC_TYPE, 0x69)
#define EVNTRACE_IOC_ACCESS		_IO(EVNTPROV_IOC_TYPE, 0x58)
#define EVNTRACE_IOC_CAPTURE		_IO(EVNTPROV_IOC_TYPE, 0x59)
#define EVNTRACE_IOC_QUERY_CAPTURE	_IO(EVNTPROV_IOC_TYPE, 0x5a)
#define EVNTRACE_IOC_DISALLOW		_IO(EVNTPROV_IOC_TYPE, 0x5b)
#define EVNTRACE_IOC_QUERY_DISALLOW	_IO(EVNTPROV_IOC_TYPE, 0x5c)
#define EVNTRACE_IOC_INCREMENT		_IO(EVNTPROV_IOC_TYPE, 0x60)
#define EVNTRACE_IOC_QUERY_CPUS		_IO(EVNTPROV_IOC_TYPE, 0x61)

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

/* Bits of @enabled: at least one session has enabled the provider */
#define EVNTPROV_ENABLED_SESSION	0x1u
/* A private logger has; the owner has yet to ask by EVNTPROV_IOC_LOGGER */
#define EVNTPROV_ENABLED_NEWS		0x8u

/**
 * struct evntprov_enable - one registration's state in the enable area
 * @sequence: odd while the kernel changes the fields below
 * @enabled: EVNTPROV_ENABLED_*; the latter only where EVNTPROV_IOC_LOGGERS was
 *	called
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
/* This registration is a classic one: see "Classic providers" */
#define EVNTPROV_REGISTER_CLASSIC	0x2u

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
 * when the file owns EVNTPROV_MAX_REGISTRATIONS, EUSERS when the user, or the
 * machine, has as many registrations as it may: see "Limits".
 *
 * Who may call it: whoever has /dev/evntprov open, and EVNTRACE_RIGHT_REGISTER_GUIDS
 * for @provider: see "Rights".
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
 * to none of them: what it is that one of them cannot take, none gets.  Sessions
 * of EVNTRACE_MODE_INDEPENDENT stand for themselves: what such a one cannot take
 * goes to the others, and what others cannot, to it; the error is returned all
 * the same.  The kernel stamps time, process, thread and provider.
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

/*
 * Classic providers
 *
 * A registration with EVNTPROV_REGISTER_CLASSIC is enabled by one session at a
 * time: the one that has enabled it last.  The session that had it before does
 * not get it back when that one stops or disables it, unless it enables it
 * again; a registration that is made later is enabled by the session that was
 * the last of those that have its provider enabled by then.  It is no member of a
 * group.  It asks by EVNTPROV_IOC_CLASSIC who has enabled it and how, and writes
 * to that session by EVNTPROV_IOC_TRACE; or to one that has lost it and has its
 * provider enabled still, when it does not want to be taken over.  What sessions
 * filter events by such records do not have, so that they go by scope alone.  What
 * it writes by EVNTPROV_IOC_WRITE is an event like any other, for the session that
 * has enabled it.
 */

/**
 * struct evntprov_classic - argument of EVNTPROV_IOC_CLASSIC
 * @size: sizeof(struct evntprov_classic)
 * @flags: zero
 * @handle: the registration, a classic one
 * @session: in: a session, or 0; out: the session that has enabled it, or 0
 * @match_any: out: as that has set it: 0 is 0; or 0
 * @level: out: likewise
 * @still: out: 1 when it may write to the session that @session was; or 0
 * @reserved: zero
 *
 * Errors: ENOENT when the file has no classic registration with this handle.
 */
struct evntprov_classic {
	__u32 size;
	__u32 flags;
	__aligned_u64 handle;
	__aligned_u64 session;
	__aligned_u64 match_any;
	__u8 level;
	__u8 still;
	__u8 reserved[6];
};

#define EVNTPROV_TRACE_EVENT		0	/* what TraceEvent writes */
#define EVNTPROV_TRACE_INSTANCE		1	/* TraceEventInstance */
#define EVNTPROV_TRACE_MESSAGE		2	/* TraceMessage */

/*
 * What stands in front of a message's data, in the order of these values but for
 * the first: a sequence number, which starts at 1, in sessions of
 * EVNTRACE_MODE_LOCAL_SEQUENCE or _GLOBAL_SEQUENCE, and not in others
 */
#define EVNTPROV_MESSAGE_SEQUENCE	0x01u
/* @class_id; not with EVNTPROV_MESSAGE_COMPONENT */
#define EVNTPROV_MESSAGE_GUID		0x02u
/* The first four bytes of @class_id */
#define EVNTPROV_MESSAGE_COMPONENT	0x04u
/* When it was written */
#define EVNTPROV_MESSAGE_TIMESTAMP	0x08u
/* Thread and process */
#define EVNTPROV_MESSAGE_SYSTEMINFO	0x20u

/**
 * struct evntprov_trace - argument of EVNTPROV_IOC_TRACE
 * @size: sizeof(struct evntprov_trace)
 * @flags: zero
 * @handle: the registration, a classic one
 * @session: the session, which has enabled it, or has lost it
 * @kind: EVNTPROV_TRACE_*
 * @version: of the class; of a message: its number
 * @type: what happened; of a message: 0
 * @level: as the provider says; of a message: 0
 * @options: of a message: EVNTPROV_MESSAGE_*; of others: 0
 * @class_id: the class
 * @instance: of an instance: which one of its class
 * @parent_instance: of an instance: which one of @parent
 * @parent: of an instance: the class that it belongs to
 * @data: address of an array of struct evntprov_data; types are not read
 * @data_count: its elements, at most EVNTPROV_MAX_DATA
 *
 * Writes a record to the session.  The kernel stamps time, process and thread.
 *
 * Errors:
 *
 *	EACCES		the session is one of EVNTRACE_MODE_SECURE, and the
 *			registration lacks EVNTRACE_RIGHT_LOG_EVENT
 *	EAGAIN		the data's pages kept vanishing; the record is lost
 *	EFAULT		data, or the array, cannot be read
 *	EINVAL		@kind or an option is unknown; options exclude each other;
 *			a field is not of this kind; @data_count too large
 *	EMSGSIZE	the record does not fit the session's buffers
 *	ENOBUFS		the session had no free buffer; the record is lost
 *	ENOENT		the file has no classic registration with this handle
 *	EOVERFLOW	the record is longer than 65,535 bytes
 *	ESRCH		this session has not enabled it
 *
 * The session counts as lost what is said to be lost, and what is too long.
 */
struct evntprov_trace {
	__u32 size;
	__u32 flags;
	__aligned_u64 handle;
	__aligned_u64 session;
	__u16 kind;
	__u16 version;
	__u8 type;
	__u8 level;
	__u16 options;
	struct evntprov_guid class_id;
	__u32 instance;
	__u32 parent_instance;
	struct evntprov_guid parent;
	__aligned_u64 data;
	__aligned_u64 data_count;
};

#define EVNTPROV_INFO_BINARY_TRACK	0
#define EVNTPROV_INFO_TRAITS		2
#define EVNTPROV_INFO_DESCRIPTOR_TYPE	3
/* What EVENT_INFO_CLASS does not have */
#define EVNTPROV_INFO_MANIFEST		0x100

/* What a trait is: the id of a group */
#define EVNTPROV_TRAIT_GROUP		1

/* Longest provider traits, in bytes */
#define EVNTPROV_MAX_TRAITS		4096

/**
 * struct evntprov_set_information - argument of EVNTPROV_IOC_SET_INFORMATION
 * @size: sizeof(struct evntprov_set_information)
 * @flags: zero
 * @handle: the registration
 * @info_class: EVNTPROV_INFO_*, the values of EVENT_INFO_CLASS or one of our own
 * @len: length of the information in bytes
 * @info: its address
 *
 * EVNTPROV_INFO_TRAITS: a blob that starts with its own length in two bytes,
 * then holds a nul-terminated name and traits:  each has its length in two bytes,
 * these three included, then one that says what it is, and data.  It goes with
 * each event, and switches the use of types on.  It can be set once.  A trait
 * EVNTPROV_TRAIT_GROUP, of which there is one at most, is the id of a group, of
 * which the registration becomes a member: see "Groups".  When a session has
 * enabled that already, the slot says so on return, as for EVNTPROV_IOC_REGISTER.
 * EVNTPROV_INFO_DESCRIPTOR_TYPE: one byte, whether to use types.
 * EVNTPROV_INFO_BINARY_TRACK: no information; remembered.
 * EVNTPROV_INFO_MANIFEST: @info is an address at which the caller has mapped a file
 * that has the provider's manifest in it, @len is zero, and nothing is read there.
 * Sessions that have enabled the provider are told of the file: see struct
 * evntprov_manifest.  It can be set once.
 *
 * Errors: ENOENT when there is no such registration, EINVAL for a wrong length
 * or malformed traits, or traits of a classic one, EEXIST when traits, or the
 * manifest, are set already, EOPNOTSUPP for an unknown class; EACCES when the
 * caller may not join the group: then the traits are set nevertheless, and the
 * registration is no member; of EVNTPROV_INFO_MANIFEST: EFAULT when nothing is
 * mapped there, EINVAL when it is no regular file, ENAMETOOLONG when its name has
 * PATH_MAX bytes or more, ENOSPC when registrations of the provider name 64 other
 * files, EINTR when the caller is killed.
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
/* Of no registration, with all else zero: see "Private loggers" */
#define EVNTPROV_CONTROL_LOGGERS	3

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
 * When who made the file's first registration, or called EVNTPROV_IOC_LOGGERS
 * before, closes a descriptor of it, read() returns 0 from then on, and poll() says
 * EPOLLHUP.
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

/**
 * struct evntprov_filter_header - EVENT_FILTER_HEADER
 * @id: of a filter in the provider's manifest
 * @version: likewise
 * @reserved: zero
 * @session: zero from controllers; told to providers: the session's bit in
 *	@exclude of struct evntprov_write
 * @filter_len: of this and the data that follows, in bytes
 * @next_offset: zero from controllers; told to providers: bytes from here to the
 *	next session's, or zero
 */
struct evntprov_filter_header {
	__u16 id;
	__u8 version;
	__u8 reserved[5];
	__aligned_u64 session;
	__u32 filter_len;
	__u32 next_offset;
};

/* What came with EVNTPROV_CONTROL_CAPTURE_STATE */
#define EVNTPROV_FILTER_DATA_CAPTURE	0x1u

/**
 * struct evntprov_filter_data - argument of EVNTPROV_IOC_FILTER_DATA
 * @size: sizeof(struct evntprov_filter_data)
 * @flags: EVNTPROV_FILTER_DATA_CAPTURE, or zero
 * @handle: the registration
 * @buffer: address of room for the data
 * @len: its length in bytes; out: what the data takes, or 0 when there is none
 * @type: out: EVNTRACE_FILTER_SCHEMATIZED, or the provider's own
 *
 * What sessions that have enabled the provider want it to look at.  Of filters
 * with a struct evntprov_filter_header all sessions' are there, one behind the
 * other at multiples of 8 bytes; when there are none, that of the session that
 * enabled the provider first.  When it takes more than @len, nothing is filled
 * in.  With EVNTPROV_FILTER_DATA_CAPTURE it is what came with the request for its
 * state that was read last, if anything did.
 *
 * Errors: ENOENT when there is no such registration.
 */
struct evntprov_filter_data {
	__u32 size;
	__u32 flags;
	__aligned_u64 handle;
	__aligned_u64 buffer;
	__u32 len;
	__u32 type;
};

/*
 * Stop the session when the file that started it is closed, which waits for the log
 * up to five seconds
 */
#define EVNTRACE_START_BOUND		0x1u

/*
 * Clocks of sessions.  CLOCK_BOOTTIME, in ns, goes on in suspend, and no setting of
 * the system's clock changes it.  A FILETIME of CLOCK_REALTIME follows that when it
 * is set: then later events may have earlier times, and watermarks promise nothing
 * until they have caught up.
 */
#define EVNTRACE_CLOCK_QPC		1	/* CLOCK_BOOTTIME, in ns */
#define EVNTRACE_CLOCK_SYSTEM_TIME	2	/* FILETIME */

/* One of the first three; or none: there is no limit */
#define EVNTRACE_MODE_SEQUENTIAL	0x00000001u	/* ends at its limit */
#define EVNTRACE_MODE_CIRCULAR		0x00000002u	/* overwrites the oldest */
#define EVNTRACE_MODE_NEWFILE		0x00000008u	/* goes on in another */
/* The file is continued; with EVNTRACE_CLOCK_SYSTEM_TIME */
#define EVNTRACE_MODE_APPEND		0x00000004u
/* The file is as long as its limit from the beginning, and cut in the end */
#define EVNTRACE_MODE_PREALLOCATE	0x00000020u
/* Only who has EVNTRACE_RIGHT_LOG_EVENT gets events in; see "Rights" */
#define EVNTRACE_MODE_SECURE		0x00000080u
/* Finished buffers can be consumed at once, with a log file or without */
#define EVNTRACE_MODE_REAL_TIME		0x00000100u
/* Finished buffers stay in memory, the newest ones; there is no log file */
#define EVNTRACE_MODE_BUFFERING		0x00000400u
/* A private logger: see there; it has no buffers and no log file here */
#define EVNTRACE_MODE_PRIVATE		0x00000800u
#define EVNTRACE_MODE_USE_KBYTES	0x00002000u	/* unit of the limit */
/* What it cannot take, others get nevertheless, and the other way round */
#define EVNTRACE_MODE_INDEPENDENT	0x08000000u
/* All CPUs share a buffer: events are in the order of their time, and slow */
#define EVNTRACE_MODE_NO_PER_CPU	0x10000000u

/* One of these at most: messages are numbered, with those of other sessions */
#define EVNTRACE_MODE_GLOBAL_SEQUENCE	0x00004000u
/* Or on their own */
#define EVNTRACE_MODE_LOCAL_SEQUENCE	0x00008000u

/* These change nothing here; a query tells them, and the log's header does */
#define EVNTRACE_MODE_DELAY_OPEN_FILE	0x00000200u
#define EVNTRACE_MODE_ADD_HEADER	0x00001000u
/* No session outlives the system */
#define EVNTRACE_MODE_STOP_ON_HYBRID_SHUTDOWN	0x00400000u
/* Buffers are in memory that is always there */
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
 * @guid: the session's id; zero: the kernel makes one
 * @name: address of the session's name, UTF-16 without a nul
 * @log_name: address of the log file's name, likewise, for the log's header
 * @time_zone: address of EVNTRACE_TIME_ZONE_SIZE bytes for the log's header, or
 *	zero for UTC
 * @name_len: length of the name in UTF-16 units, 1 to EVNTRACE_MAX_NAME
 * @log_name_len: likewise, 0 to EVNTRACE_MAX_NAME
 * @log_fd: the log file: a regular file, empty, opened for writing, without
 *	O_APPEND; or -1 with BUFFERING, and with REAL_TIME and no mode of a file;
 *	with APPEND it need not be empty, and is opened for reading, too.  The
 *	module opens the file once more, with no other rights: flags that the
 *	descriptor gets later have no effect, and its locks last as long as the log
 * @log_file_mode: EVNTRACE_MODE_*
 * @clock_type: EVNTRACE_CLOCK_*; 0 is EVNTRACE_CLOCK_QPC
 * @buffer_size: bytes; rounded up to a multiple of 4096; 0: that of the file
 *	that is continued, else 64 KiB
 * @min_buffers: raised to two for each CPU, to four with REAL_TIME or BUFFERING
 * @max_buffers: raised to @min_buffers; 0: @min_buffers and 20 more; with
 *	BUFFERING it is @min_buffers
 * @flush_ms: write buffers that are not full after so many ms; 0: never, with
 *	REAL_TIME after 1000; not used with BUFFERING
 * @max_file_size: limit of the log file, in MiB, or in KiB with
 *	EVNTRACE_MODE_USE_KBYTES; it is rounded down to whole buffers; 0: none
 * @handle: out: the session
 * @series: with NEWFILE, address of a struct evntrace_series: what follows the
 *	log file; else zero
 * @filters: with PRIVATE, address of an array of struct evntrace_filter; else zero
 * @filter_count: its elements: 1 or 2 with PRIVATE; else zero
 * @reserved: zero
 *
 * When the log file has reached its limit, EVNTRACE_MODE_CIRCULAR overwrites
 * the oldest buffers, EVNTRACE_MODE_NEWFILE goes on in another file; otherwise
 * the session ends as by EVNTRACE_IOC_STOP.  With CIRCULAR, where the file has
 * room for four times @max_buffers and 16 buffers for each CPU, the oldest
 * sixteenth gives way at a time, and what is left has no gap: buffers that gave
 * way hold no records.  Else one buffer does, and a CPU that writes few events
 * may leave some that are older than all others in the file.
 *
 * With EVNTRACE_MODE_APPEND, a log file that is not empty is continued: a
 * whole, sequential one of a 64-bit session of the same buffer size, number of
 * CPUs and clock.  The numbers of its buffers go on, and what its header counts
 * does: it becomes that of this session, but for the time of its start, with
 * the first buffers that are written.  What follows the last whole buffer is
 * overwritten.
 *
 * All @max_buffers are allocated, and charged to the caller, at once: nothing
 * is allocated later but for consumers.
 *
 * With EVNTRACE_MODE_REAL_TIME or EVNTRACE_MODE_BUFFERING, finished buffers are
 * kept in memory until the oldest have to make room: a quarter of the buffers,
 * and at least two for each CPU, are free for what comes.
 *
 * Errors:
 *
 *	EBADF		@log_fd is no descriptor, or not open for writing, or,
 *			with APPEND, for reading
 *	EFBIG		the file that is to be continued has reached its limit;
 *			RLIMIT_FSIZE of the caller is lower than the log's header
 *			is long, or than what is preallocated
 *	EINTR		the caller is killed while such a file is looked through
 *	EEXIST		a session of that name or id exists; names that differ
 *			only in the case of ASCII letters are the same
 *	EINVAL		a field is out of its range; @log_fd is no regular file,
 *			not empty, or opened with O_APPEND; modes that exclude
 *			each other; CIRCULAR, NEWFILE or PREALLOCATE without a
 *			limit, or a limit of less than two buffers; NEWFILE
 *			without @series, or @series without NEWFILE; APPEND with
 *			CIRCULAR, NEWFILE or REAL_TIME, with another clock, or
 *			for a file that cannot be continued; BUFFERING
 *			with a log file, or a mode that says how to write one,
 *			or REAL_TIME
 *	EOPNOTSUPP	the mode is unknown; the file system does not preallocate
 *	ENOMEM		also when the user's sessions, or all, take as much memory
 *			as they may: see "Limits"
 *	EUSERS		EVNTRACE_MAX_SESSIONS exist, or the user has as many as it
 *			may, or the rest is left to privileged ones: see "Limits"
 *	ENOSPC, EIO...	what opening the log once more, or writing its header, gave
 *
 * Who may call it: whoever has /dev/evntrace open, and the rights that it takes:
 * see "Rights".  The same holds below.
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
	__u32 reserved;
};

/**
 * struct evntrace_series - log files that follow each other
 * @size: sizeof(struct evntrace_series)
 * @flags: zero
 * @file: address of what they are called in their directory: a pattern
 * @name: address of a pattern of their names, for headers and queries; UTF-16
 *	without a nul
 * @file_len: length of @file in bytes, without a nul: 1 to 255
 * @name_len: length of @name in UTF-16 units, to EVNTRACE_MAX_NAME - 10
 * @dir_fd: the directory
 * @reserved: zero
 *
 * A pattern has one "%d", for the number of the file, and no other '%'; @file
 * has no '/'.  The log file that is handed over with it has the number 1.
 * Whenever one has reached its limit, or EVNTRACE_IOC_INCREMENT says so, it is
 * completed, and the next buffer goes to one with the next number: the module
 * opens it in the directory, with the credentials of the caller, whatever
 * becomes of him, and the permissions of the first one, less what is not for
 * the group and for others to write.  It is created, or, if it is there,
 * overwritten; it is locked as by flock(2) as long as the session has it.  Each
 * of the files is whole by itself.
 *
 * No event is lost in between.  When the next file cannot be opened or begun,
 * the session goes on in the one that it has, beyond its limit, says why in
 * @log_errno of struct evntrace_session, and tries again with each buffer.
 *
 * Errors, besides those of EVNTRACE_IOC_START and _UPDATE:
 *
 *	EBADF		@dir_fd is no descriptor
 *	EINVAL		a pattern has not one "%d", or anything else is wrong
 *	ENOTDIR		@dir_fd is no directory
 */
struct evntrace_series {
	__u32 size;
	__u32 flags;
	__aligned_u64 file;
	__aligned_u64 name;
	__u32 file_len;
	__u32 name_len;
	__s32 dir_fd;
	__u32 reserved;
};

/**
 * struct evntrace_find - argument of EVNTRACE_IOC_FIND
 * @size: sizeof(struct evntrace_find)
 * @flags: zero
 * @name: address of a session's name, UTF-16 without a nul
 * @name_len: its length in UTF-16 units
 * @reserved: zero
 * @handle: out: the session
 * @filters: address of an array of struct evntrace_filter: a private logger with
 *	these is looked for; or zero
 * @filter_count: its elements; 0: a session is looked for
 * @reserved2: zero
 *
 * Errors: ESRCH when no session has that name; when no private logger has it, or
 * it has other filters; EACCES for a caller who may neither query, nor change, nor
 * consume it.
 */
struct evntrace_find {
	__u32 size;
	__u32 flags;
	__aligned_u64 name;
	__u32 name_len;
	__u32 reserved;
	__aligned_u64 handle;
	__aligned_u64 filters;
	__u32 filter_count;
	__u32 reserved2;
};

/* Out flags of struct evntrace_session */
#define EVNTRACE_SESSION_BOUND		0x1u	/* ends with a file */
#define EVNTRACE_SESSION_OWNED		0x2u	/* who started it still lives */

/* A session's handle holds its id, which is its bit in masks of sessions */
#define EVNTRACE_HANDLE_ID(handle)	((handle) & 0xffffu)

/**
 * struct evntrace_session - argument of EVNTRACE_IOC_QUERY, _FLUSH, _INCREMENT
 *	and _STOP
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
 * @owner_pid: out: process that started the session, alive or not, in the
 *	caller's pid namespace; 0 if it is in none of these
 * @owner_uid: out: its user
 * @log_errno: out: why writing this log file last failed, or zero; EFBIG when it
 *	would be longer than RLIMIT_FSIZE of the caller that handed it over
 * @events: out: events that were put into a buffer
 * @events_lost: out: all that were lost: the sum of those of each kind below
 * @buffers_written: out: written to its log files, with their headers
 * @buffers_lost: out: that could not be written to the log file
 * @bytes_written: out: length of the log file that it has now
 * @start_time: out: FILETIME
 * @max_file_size: out: as given
 * @consumers: out: how many there are in real time
 * @events_no_buffer: out: lost as no buffer was free
 * @events_too_large: out: lost as no buffer can hold so much, nor the format
 * @events_unreadable: out: lost as the pages of their data kept vanishing
 * @events_unwritten: out: lost of @events: they were in lost buffers
 * @real_time_buffers_lost: out: buffers that made room before each consumer had
 *	taken them; those that made room while there was none do not count
 * @filters: in: of a private logger: address of an array of struct
 *	evntrace_filter, those that it has; else zero
 * @filter_count: in: its elements; else zero
 * @processes: out: of a private logger: how many processes take part; else zero
 *
 * QUERY fills it in.  FLUSH first has every event that was accepted before the
 * call written to the log file.  INCREMENT, too; then it completes this file,
 * and goes on in the next one of its series.  STOP first ends the session: when
 * it returns, the log file is complete.  When its caller is killed while a file
 * system takes its time, the session goes on ending: until its log is closed, it
 * can be queried, and its name is taken.  Names are cut to their room and not
 * terminated.
 *
 * Errors: ESRCH when there is no such session (any more); EALREADY for STOP
 * when it is being stopped; EINTR for FLUSH, INCREMENT and STOP when the caller is
 * killed; EINVAL for INCREMENT without EVNTRACE_MODE_NEWFILE, and what opening
 * and beginning the next file gave: then the session goes on in the one that it
 * has.
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
	__u32 consumers;
	__aligned_u64 events_no_buffer;
	__aligned_u64 events_too_large;
	__aligned_u64 events_unreadable;
	__aligned_u64 events_unwritten;
	__aligned_u64 real_time_buffers_lost;
	__aligned_u64 filters;
	__u32 filter_count;
	__u32 processes;
};

/**
 * struct evntrace_cpu - what a session got and lost on a CPU
 * @events: events that were put into a buffer there
 * @events_lost: events that were lost there: those of @events_no_buffer,
 *	@events_too_large and @events_unreadable of struct evntrace_session
 */
struct evntrace_cpu {
	__aligned_u64 events;
	__aligned_u64 events_lost;
};

/**
 * struct evntrace_query_cpus - argument of EVNTRACE_IOC_QUERY_CPUS
 * @size: sizeof(struct evntrace_query_cpus)
 * @flags: zero
 * @handle: the session
 * @cpus: address of an array of struct evntrace_cpu, by the number of the CPU
 * @element_size: size of an element as the caller knows it
 * @count: in: elements of the array; out: how many CPUs there may be
 *
 * As many elements as there is room for are filled in, as by EVNTRACE_IOC_LIST.
 * Sums of all CPUs are those of EVNTRACE_IOC_QUERY.
 *
 * Errors: ESRCH when there is no such session (any more); EINVAL for an
 * @element_size that is too small, or too large.
 */
struct evntrace_query_cpus {
	__u32 size;
	__u32 flags;
	__aligned_u64 handle;
	__aligned_u64 cpus;
	__u32 element_size;
	__u32 count;
};

/* Go on in another log file, or without one */
#define EVNTRACE_UPDATE_LOG		0x1u
#define EVNTRACE_UPDATE_NO_LOG		0x2u
/* Switch real-time mode on or off */
#define EVNTRACE_UPDATE_REAL_TIME	0x4u
#define EVNTRACE_UPDATE_NO_REAL_TIME	0x8u

/**
 * struct evntrace_update - argument of EVNTRACE_IOC_UPDATE
 * @size: sizeof(struct evntrace_update)
 * @flags: EVNTRACE_UPDATE_*
 * @handle: the session
 * @flush_ms: its flush timer from now on; 0: as it is; of no effect with
 *	EVNTRACE_MODE_BUFFERING
 * @reserved: zero
 * @log_name: as for EVNTRACE_IOC_START, if there is EVNTRACE_UPDATE_LOG
 * @log_name_len: likewise
 * @log_fd: likewise
 * @series: likewise
 *
 * All that was accepted before the call is treated as before; then all flags
 * take effect at once.  The session's counters go on.  On failure nothing has
 * changed, and a new file is empty.
 *
 * With EVNTRACE_UPDATE_LOG or _NO_LOG, the log file that the session had is
 * complete, and not the session's any more, when the call returns.  The session's
 * modes and limit hold for the new one; without one, there are no modes of a file
 * any more.
 *
 * With EVNTRACE_UPDATE_REAL_TIME, consumers get what is accepted after the call,
 * and there is a flush timer of a second, unless there is another one.  With
 * EVNTRACE_UPDATE_NO_REAL_TIME they get what was accepted before, then its end.
 *
 * Errors: ESRCH when there is no such session (any more); EACCES without the
 * rights that it takes to change the session, or to start such a one; EPERM with
 * EVNTRACE_UPDATE_LOG where reading takes CAP_PERFMON: see "Readers";
 * ENAMETOOLONG when the log's header would not fit a buffer of the session with
 * that name; EINTR when the caller is killed meanwhile; ENOMEM; EINVAL for flags
 * that exclude each other, with EVNTRACE_MODE_BUFFERING, for real-time mode with
 * EVNTRACE_MODE_APPEND, when there would be neither log file nor real-time mode,
 * or when the new file is not empty; and what EVNTRACE_IOC_START says of the log
 * file.
 */
struct evntrace_update {
	__u32 size;
	__u32 flags;
	__aligned_u64 handle;
	__u32 flush_ms;
	__u32 reserved;
	__aligned_u64 log_name;
	__u32 log_name_len;
	__s32 log_fd;
	__aligned_u64 series;
};

/*
 * Private loggers
 *
 * A private logger, which EVNTRACE_IOC_START with EVNTRACE_MODE_PRIVATE makes, is
 * not a session, but the order to have one in each process of some: what is logged
 * there never comes here.  The module knows what it is to be, tells processes that
 * are to take part, and sums up what they report.  Each process has the buffers,
 * and a file of its own, which it opens with its own rights, by the logger's name
 * for it with '_' and the process's number behind.
 *
 * Those take part that register the provider whose id is the logger's, before or
 * later, that its filters have, EVNTRACE_FILTER_PID or _EXECUTABLE_NAME or both,
 * and that whoever started it might trace as well: all processes, if he has
 * CAP_SYS_PTRACE in the first user namespace; or else those whose user ids and
 * group ids are all his effective ones, that are of the same user namespace, and
 * have no capability that he has not.  What counts is who registers the provider.
 *
 * Its handle has EVNTRACE_LOGGER_HANDLE set, and stands for a session's in
 * EVNTRACE_IOC_QUERY, _FLUSH, _STOP, all of which want the very filters that it was
 * started with, _UPDATE and _ENABLE.  It is there until it is stopped, whoever
 * started it.  To stop, flush, update it and enable providers for it, one has to
 * have EVNTRACE_RIGHT_CREATE_ONDISK, as for other sessions with a log file, and to
 * be able to start one that reaches as far: EACCES says so.
 *
 * FLUSH, STOP and UPDATE wait until all processes that take part have reported, or
 * have ended, but not longer than half a minute: then they fail with ETIMEDOUT, or
 * with EINTR on a signal, and who is late does so later.
 */
#define EVNTRACE_LOGGER_HANDLE		0x2000000000000000ull
#define EVNTRACE_MAX_LOGGERS		64
/* How many providers a private logger may enable */
#define EVNTRACE_MAX_LOGGER_PROVIDERS	64
/* Room for the process's number behind the log file's name */
#define EVNTRACE_MAX_LOGGER_NAME	(EVNTRACE_MAX_NAME - 16)

/* The owner takes part when it asks, and is told nothing before */
#define EVNTPROV_LOGGERS_LATER		0x1u

/**
 * struct evntprov_loggers - argument of EVNTPROV_IOC_LOGGERS
 * @size: sizeof(struct evntprov_loggers)
 * @flags: EVNTPROV_LOGGERS_LATER, or zero
 *
 * The file's owner is one who takes part in private loggers: registrations that
 * are made through it from now on count.  It is told by a notification of
 * EVNTPROV_CONTROL_LOGGERS, and by EVNTPROV_ENABLED_NEWS in slots of providers that
 * a logger has enabled, that there is something new; both stay away when it is
 * told once, until it has asked by EVNTPROV_IOC_LOGGER.
 */
struct evntprov_loggers {
	__u32 size;
	__u32 flags;
};

/* Out flag: it is being stopped: finish the log, and report */
#define EVNTPROV_LOGGER_STOP		0x1u

/**
 * struct evntprov_logger - argument of EVNTPROV_IOC_LOGGER
 * @size: sizeof(struct evntprov_logger)
 * @flags: in: zero; out: EVNTPROV_LOGGER_*
 * @handle: in: 0, or a logger's that was told; out: the next one
 * @name: in: where its name goes, or zero
 * @log_name: in: where its log file's name goes, without the process's number, or
 *	zero
 * @name_len: in: room at @name in UTF-16 units; out: length of the name
 * @log_name_len: likewise
 * @guid: out: its id, which is that of a provider
 * @log_file_mode: out: EVNTRACE_MODE_*
 * @clock_type: out: EVNTRACE_CLOCK_*, or 0
 * @buffer_size: out: as given
 * @min_buffers: out: as given
 * @max_buffers: out: as given
 * @flush_ms: out: as it is now
 * @max_file_size: out: as given
 * @version: out: counts its changes
 * @log_version: out: that of its last change of the log file's name
 * @flushes: out: counts flushes
 * @enabled: out: how many providers it has enabled
 * @reserved: zero
 *
 * What the file's owner is to take part in, one at a time, in the order of their
 * handles; with @handle 0 the first, and all that is new counts as asked for.
 *
 * Errors: ENOENT when there is none behind it.
 */
struct evntprov_logger {
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
	__u32 flush_ms;
	__u32 max_file_size;
	__u32 version;
	__u32 log_version;
	__u32 flushes;
	__u32 enabled;
	__u32 reserved;
};

/**
 * struct evntprov_logger_enabled - argument of EVNTPROV_IOC_LOGGER_ENABLED
 * @size: sizeof(struct evntprov_logger_enabled)
 * @flags: zero
 * @handle: a logger that was told
 * @index: which of the providers that it has enabled
 * @version: out: counts how often it has changed them
 * @provider: out: the provider's id
 * @source: out: who caused it, as the controller said, or zero
 * @match_any: out: as set
 * @match_all: out: as set
 * @property: out: as set
 * @level: out: as set
 * @reserved: zero
 * @captures: out: counts requests for its state
 * @filter_count: out: how many filters there are
 * @buffer: address of room for the filters, as for EVNTRACE_IOC_FILTERS
 * @len: its length in bytes; out: what they take
 * @reserved2: zero
 *
 * Errors: ENOENT when it has not enabled so many, or the file's owner does not take
 * part.
 */
struct evntprov_logger_enabled {
	__u32 size;
	__u32 flags;
	__aligned_u64 handle;
	__u32 index;
	__u32 version;
	struct evntprov_guid provider;
	struct evntprov_guid source;
	__aligned_u64 match_any;
	__aligned_u64 match_all;
	__u32 property;
	__u8 level;
	__u8 reserved[3];
	__u32 captures;
	__u32 filter_count;
	__aligned_u64 buffer;
	__u32 len;
	__u32 reserved2;
};

/* The process's session has ended, and its log is complete */
#define EVNTPROV_LOGGER_DONE		0x1u

/**
 * struct evntprov_logger_report - argument of EVNTPROV_IOC_LOGGER_REPORT
 * @size: sizeof(struct evntprov_logger_report)
 * @flags: EVNTPROV_LOGGER_DONE, or zero
 * @handle: a logger that was told
 * @version: up to which of its changes the process has done what it is to do
 * @error: an errno: why it could not, or zero
 * @events: what the process's session has got so far, as in struct evntrace_session
 * @events_lost: likewise
 * @buffers_written: likewise
 * @buffers_lost: likewise
 * @buffers: likewise
 * @free_buffers: likewise
 *
 * With EVNTPROV_LOGGER_DONE the file's owner takes part no more.
 *
 * Errors: EINVAL for an @error that is none; ENOENT when the file's owner does not
 * take part.
 */
struct evntprov_logger_report {
	__u32 size;
	__u32 flags;
	__aligned_u64 handle;
	__u32 version;
	__u32 error;
	__aligned_u64 events;
	__aligned_u64 events_lost;
	__aligned_u64 buffers_written;
	__aligned_u64 buffers_lost;
	__u32 buffers;
	__u32 free_buffers;
};

/*
 * Consuming a session in real time
 *
 * An open file of /dev/evntrace that EVNTRACE_IOC_CONSUME has bound to a session
 * is a consumer.  It maps the session's memory, shared and read-only:  first the
 * header buffer, as it is in a log file, then the session's buffers, each at a
 * multiple of the stride.  EVNTRACE_IOC_NEXT says which buffer is finished; it
 * is read where it is, and stays as it is until EVNTRACE_IOC_RELEASE.  Memory of
 * buffers that the consumer does not hold may change at any time, or not be
 * there: then access to it raises SIGBUS.
 *
 * Each consumer gets each buffer, from the oldest that was in memory when it
 * came.  A consumer that is too slow misses the oldest, and is told how many,
 * and how many events.  Buffers come in the order in which they were finished;
 * within a batch in the order of their sequence numbers.
 *
 * With each buffer comes a watermark: all events that are older are in this
 * buffer, or in earlier ones, or were missed.  So who delivers only such events,
 * the oldest first, delivers all events of the session in the order of time.  A
 * consumer may hold as many buffers as that takes, unless a CPU is kept for long
 * from finishing an event that it has begun.
 *
 * poll() says EPOLLIN when EVNTRACE_IOC_NEXT has something to say.  The consumer
 * goes with the last descriptor of the file and the last mapping.  A session
 * that is stopped waits for none of them; they get what is there, then its end.
 */
#define EVNTRACE_MAX_CONSUMERS		8

/**
 * struct evntrace_consume - argument of EVNTRACE_IOC_CONSUME
 * @size: sizeof(struct evntrace_consume)
 * @flags: zero
 * @handle: the session
 * @map_size: out: bytes that can be mapped
 * @buffer_size: out: bytes of a buffer
 * @stride: out: bytes from one buffer to the next in the mapping
 * @max_held: out: how many buffers the consumer may hold
 * @reserved: zero
 *
 * The session gets @max_held buffers more, charged to the caller's memory cgroup, and
 * to the user that has started the session, unless an earlier consumer has left some.
 *
 * Errors: ESRCH when there is no such session (any more), EBUSY when the file is
 * a consumer already, EOPNOTSUPP when the session is not in real-time mode,
 * EUSERS when it has EVNTRACE_MAX_CONSUMERS, EACCES without
 * EVNTRACE_RIGHT_ACCESS_REALTIME, EPERM where reading takes CAP_PERFMON: see
 * "Readers".  When EFAULT says that the answer could not be
 * written, the file is a consumer nevertheless.
 */
struct evntrace_consume {
	__u32 size;
	__u32 flags;
	__aligned_u64 handle;
	__aligned_u64 map_size;
	__u32 buffer_size;
	__u32 stride;
	__u32 max_held;
	__u32 reserved;
};

/* Out flags of struct evntrace_next: there is a buffer; it was the last one */
#define EVNTRACE_NEXT_BUFFER		0x1u
#define EVNTRACE_NEXT_END		0x2u

/**
 * struct evntrace_next - argument of EVNTRACE_IOC_NEXT
 * @size: sizeof(struct evntrace_next)
 * @flags: in: zero; out: EVNTRACE_NEXT_*
 * @index: out: the buffer, with EVNTRACE_NEXT_BUFFER: it is at @index + 1 times
 *	the stride
 * @length: out: its bytes up to the end of the last event
 * @watermark: out: a time in the session's clock, signed
 * @buffers_missed: out: how many were missed before this one, since the last call
 * @events_missed: out: events in these
 *
 * Does not wait.  Without EVNTRACE_NEXT_BUFFER, it is the watermark, or what was
 * missed, or the end of the session that is new.
 *
 * Errors: EAGAIN when there is nothing new; EBUSY when the consumer holds as
 * many buffers as it may; EINVAL when the file is no consumer.
 */
struct evntrace_next {
	__u32 size;
	__u32 flags;
	__u32 index;
	__u32 length;
	__aligned_u64 watermark;
	__aligned_u64 buffers_missed;
	__aligned_u64 events_missed;
};

/**
 * struct evntrace_release - argument of EVNTRACE_IOC_RELEASE
 * @size: sizeof(struct evntrace_release)
 * @flags: zero
 * @index: a buffer that EVNTRACE_IOC_NEXT gave
 * @reserved: zero
 *
 * Errors: EINVAL when the consumer does not hold it, or the file is none.
 */
struct evntrace_release {
	__u32 size;
	__u32 flags;
	__u32 index;
	__u32 reserved;
};

/**
 * struct evntrace_snapshot - argument of EVNTRACE_IOC_SNAPSHOT
 * @size: sizeof(struct evntrace_snapshot)
 * @flags: zero
 * @handle: a session that keeps buffers: of EVNTRACE_MODE_BUFFERING or REAL_TIME
 * @log_name: address of the file's name, for its header, UTF-16 without a nul
 * @time_zone: as that of struct evntrace_start
 * @log_name_len: length of the name, 0 to EVNTRACE_MAX_NAME
 * @log_fd: a regular file, empty, opened for reading and writing, without O_APPEND
 * @buffers: out: how many were written, with the header
 * @events: out: how many events are in these
 *
 * Writes what is in memory to a file, which is as a log of the session that has
 * just ended, while the session goes on.
 *
 * The file holds all events that the session got between two instants.  The
 * second one is not before the call:  each event that was accepted before is not
 * too new.  The first is as early as can be: when the newest event was written
 * that is in memory no more.  Buffers that make room while the file is written
 * move it on, but not beyond half of what is kept: that much stays until it is
 * written.  With EVNTRACE_CLOCK_SYSTEM_TIME, which may go back, buffers are not cut
 * at the two instants: the file may have earlier and later events of some processors
 * and not of others.
 *
 * A snapshot that fails leaves an empty file.
 *
 * Errors: ESRCH when there is no such session (any more), EOPNOTSUPP when it does
 * not keep buffers, EBADF and EINVAL as of struct evntrace_start, ENAMETOOLONG when
 * the log's header would not fit a buffer of the session with that name, EINTR when
 * the caller is killed, EIO when somebody else writes to the file, EPERM where
 * reading takes CAP_PERFMON: see "Readers"; ENOSPC and others: what writing gave.
 *
 * Who may call it: as EVNTRACE_IOC_FLUSH.
 */
struct evntrace_snapshot {
	__u32 size;
	__u32 flags;
	__aligned_u64 handle;
	__aligned_u64 log_name;
	__aligned_u64 time_zone;
	__u32 log_name_len;
	__s32 log_fd;
	__aligned_u64 buffers;
	__aligned_u64 events;
};

/*
 * What a session wants besides: the values of EVENT_ENABLE_PROPERTY_*.  The
 * first few add an extended item to each event's record in this session.
 */
/* SID: the writer's effective user id UID, as S-1-22-1-UID */
#define EVNTRACE_PROPERTY_SID			0x1u
/* TS_ID: the number of the writer's login session, or 0 outside of any */
#define EVNTRACE_PROPERTY_TS_ID			0x2u
/*
 * STACK_TRACE64: the writer's call stack, as far as its frame pointers lead; up
 * to 192 frames.  Those in the kernel are there when all sessions that get the
 * event's stack were given it with CAP_PERFMON, before any reader without it was
 * admitted, and lockdown does not forbid it; see "Readers".  What the addresses are
 * in is told by
 * events of EVNTPROV_IMAGES_PROVIDER, see struct evntprov_image.
 */
#define EVNTRACE_PROPERTY_STACK_TRACE		0x4u
/*
 * PSM_KEY: the package of the process that registered the provider, as
 * EVNTRACE_FILTER_PACKAGE_ID has it, in UTF-16 with a nul; what is beyond ASCII is
 * a '?'.  It is what it was when a session first wished for it; a process of none
 * has no such item.
 */
#define EVNTRACE_PROPERTY_PSM_KEY		0x8u
/* What is enabled is a group: see "Groups" */
#define EVNTRACE_PROPERTY_PROVIDER_GROUP	0x20u
/* Events with keyword 0 are not for this session */
#define EVNTRACE_PROPERTY_IGNORE_KEYWORD_0	0x10u
/* They are, as without it; not with EVNTRACE_PROPERTY_IGNORE_KEYWORD_0 */
#define EVNTRACE_PROPERTY_ENABLE_KEYWORD_0	0x40u
/*
 * PROCESS_START_KEY: no other process has it until the next boot.  Its low 22
 * bits are the process id, the others the start time in clock ticks, as in
 * /proc/PID/stat.
 */
#define EVNTRACE_PROPERTY_PROCESS_START_KEY	0x80u
/* EVENT_KEY: no other event has it, and this one has it in each session */
#define EVNTRACE_PROPERTY_EVENT_KEY		0x100u
/* Events written with EVNTPROV_WRITE_INPRIVATE are not for this session */
#define EVNTRACE_PROPERTY_EXCLUDE_INPRIVATE	0x200u
/*
 * CONTAINER_ID: a GUID as text, without braces or nul.  It has the id of the
 * writer's cgroup in its last 16 digits, and zeroes before.  Either will do.
 */
#define EVNTRACE_PROPERTY_SILOS			0x400u
#define EVNTRACE_PROPERTY_CONTAINER		0x800u

/*
 * Groups
 *
 * A group is a set of registrations, of any providers, that are enabled
 * together: those whose traits name it.  It has an id of its own; there may be
 * a provider with the same, which has nothing to do with it.
 *
 * A session that enables a group, with EVNTRACE_PROPERTY_PROVIDER_GROUP, enables
 * each registration that is a member, or becomes one.  What it sets for the group
 * holds for each of them; of filters, all but those that look at what a certain
 * provider's events are: EVNTRACE_FILTER_EVENT_ID, _EVENT_NAME and _PAYLOAD.  It
 * takes the right to enable the group, not each provider: who joins it agrees.
 *
 * A session may enable a registration by its provider's id, too.  Both hold, each
 * with its level, keywords, properties and filters: an event goes to the session,
 * once, if either lets it through, and has the items with it that those want
 * which do.  Disabling the one leaves the other as it is.
 */

#define EVNTRACE_TIMEOUT_INFINITE	0xffffffffu

/*
 * The provider of the module's own events: the id that belongs to the name
 * Evntprov-Images.  They are of TraceLogging, with their fields described, and of
 * version 0; their opcode says what they are.  Later versions may have more fields
 * behind.  A session gets them whatever its filters, and whether it has enabled
 * the provider or not.
 */
#define EVNTPROV_IMAGES_PROVIDER {{					\
	0x36, 0xb7, 0x7c, 0x13, 0x26, 0xe9, 0xb2, 0x55,			\
	0xed, 0x8d, 0x46, 0xdd, 0x97, 0x6d, 0xfa, 0xda }}

#define EVNTPROV_IMAGE_OPCODE		3	/* Image; DC_START */
#define EVNTPROV_MANIFEST_OPCODE	0	/* Manifest */

/**
 * struct evntprov_image - how the data of an event Image begins
 * @base: address at which a part of a file is mapped, with the right to execute
 *	it, in the process that the event's header names
 * @size: how long that part is in bytes
 * @offset: where it begins in the file
 * @start_key: the process: what its EVNTRACE_PROPERTY_PROCESS_START_KEY is
 * @execs: how many programs it had run before: what an earlier one had mapped is
 *	not there any more
 *
 * Behind it are two nul-terminated strings: the file's build id, in hexadecimal,
 * which is empty when it has none, and its name as the process sees it.
 *
 * A session gets one for each image of a process before it gets the first event
 * with a call stack from that process, and for those that are new before a later
 * one.  That does not happen before an event that is written with
 * EVNTPROV_WRITE_NO_FAULTING.  An image for which there is no free buffer comes
 * before the next event.
 */
struct evntprov_image {
	__aligned_u64 base;
	__aligned_u64 size;
	__aligned_u64 offset;
	__aligned_u64 start_key;
	__aligned_u64 execs;
};

/**
 * struct evntprov_manifest - how the data of an event Manifest begins
 * @provider: whose events the manifest describes
 *
 * Behind it are two nul-terminated strings: the build id of the file that has the
 * manifest in it, in hexadecimal, which is empty when it has none, and its name as
 * the process sees it that has registered the provider, which the event's header
 * names.
 *
 * A session that has enabled a registration for which EVNTPROV_INFO_MANIFEST was
 * set gets one before the first event of it; one for all registrations of a
 * provider that name the same file.  It comes again when another log file was
 * begun, or a consumer has come, as often as it takes for a circular log, or one in
 * memory, to have it, and when the provider is asked for its state.
 */
struct evntprov_manifest {
	struct evntprov_guid provider;
};

/*
 * Filters
 *
 * Types have the values of EVENT_FILTER_TYPE_*, and what is at the address of a
 * filter has the layout of the structure that Windows has for it.  An event
 * goes to a session when level, keywords, and all filters let it through.
 *
 * TraceLogging events are those that come with a block of type
 * EVNTPROV_DATA_EVENT_METADATA, which has the event's name in it.
 */

/*
 * The first four say in which processes the provider is enabled at all: in
 * those that all of these filters have.  In others it is as if the session had
 * not enabled it.  A process is that which registered the provider.
 *
 * Ids of processes: __u32 each, up to EVNTRACE_MAX_FILTER_PIDS, as the caller
 * sees them.  These processes only: not those that get their ids later.
 */
#define EVNTRACE_FILTER_PID			0x80000004u
/*
 * Names in UTF-8 with semicolons between them; a nul may end them.  That of the
 * file that the process ran when it registered the provider, without its folder,
 * as it was then; letter case of ASCII does not matter.
 */
#define EVNTRACE_FILTER_EXECUTABLE_NAME		0x80000008u
/*
 * Likewise, the package: by the process's cgroup, the name of its snap; the id
 * of its flatpak application; or else the innermost systemd service or scope.
 * What counts is the cgroup when the provider is enabled, or registered later.
 */
#define EVNTRACE_FILTER_PACKAGE_ID		0x80000010u
/* Likewise, the application: of a snap SNAP.APP, or else as the package */
#define EVNTRACE_FILTER_PACKAGE_APP_ID		0x80000020u
/*
 * Ids of events: __u8 in, __u8 not read, __u16 count, __u16 id[count].  Only
 * these, or if @in is zero, all others.  Says nothing of TraceLogging events.
 */
#define EVNTRACE_FILTER_EVENT_ID		0x80000200u
/*
 * Names of TraceLogging events: __u64 match_any, __u64 match_all, __u8 level,
 * __u8 in, __u16 count, and as many nul-terminated names.  Only events up to
 * this level, with these keywords, and one of these names, or if @in is zero,
 * all others.  0 as level or match_any means all; match_all is not looked at
 * when match_any is 0.  Says nothing of other events.
 */
#define EVNTRACE_FILTER_EVENT_NAME		0x80000400u

/*
 * A program that looks at an event's data: struct evntrace_program.  Says
 * nothing of TraceLogging events.
 */
#define EVNTRACE_FILTER_PAYLOAD			0x80000100u

/*
 * With EVNTRACE_PROPERTY_STACK_TRACE: which of the session's events have their
 * stack with them.  All of these filters have to say so.  By id and by name, as
 * above; by level and keyword: __u64 match_any, __u64 match_all, __u8 level,
 * __u8 in, with the same meaning, for all events.
 */
#define EVNTRACE_FILTER_STACKWALK		0x80001000u
#define EVNTRACE_FILTER_STACKWALK_NAME		0x80002000u
#define EVNTRACE_FILTER_STACKWALK_LEVEL_KW	0x80004000u

/*
 * What the provider's callback is told, and looks at itself; the module does
 * not.  A session has at most one of these: a struct evntprov_filter_header
 * with data behind it, as the provider's manifest says; or, with a type that
 * has no EVNTRACE_FILTER_BUILT_IN and is not 0, whatever the provider knows.
 */
#define EVNTRACE_FILTER_SCHEMATIZED		0x80000000u
#define EVNTRACE_FILTER_BUILT_IN		0x80000000u

/*
 * With EVNTPROV_CONTROL_CAPTURE_STATE of EVNTRACE_SYSTEM_CONTROL: the handle of a
 * session, __u64: all is asked for its state that this session has enabled.
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
 * @ptr: address of what it is made of
 * @len: length of that in bytes, at most EVNTRACE_MAX_FILTER_SIZE; or for lists
 *	of names in UTF-8, EVNTRACE_MAX_FILTER_LIST_SIZE; for names of events,
 *	EVNTRACE_MAX_FILTER_NAMES_SIZE; for programs, EVNTRACE_MAX_PROGRAM_SIZE
 * @type: EVNTRACE_FILTER_*
 */
struct evntrace_filter {
	__aligned_u64 ptr;
	__u32 len;
	__u32 type;
};

/*
 * Programs that look at an event's data
 *
 * A program is a struct evntrace_program, followed by its instructions and the
 * texts that they compare with.  It starts with the first instruction, at
 * position 0 of the data, and with its registers, of which it has
 * EVNTRACE_REGISTERS, zero.  It ends with EVNTRACE_OP_END, which says whether
 * the event passes.  An instruction whose condition does not hold, or whose
 * field is not in the data, skips the next @jump instructions; so each is done
 * once at most.  After it has looked at EVNTRACE_MAX_CHARACTERS characters of
 * texts, those that are repeated counted as often, no condition on texts holds.
 *
 * All numbers are little-endian.  Texts are compared without regard to the case
 * of ASCII letters.
 */
#define EVNTRACE_MAX_PROGRAM_SIZE	4096
#define EVNTRACE_PROGRAM_VERSION	1
#define EVNTRACE_REGISTERS		8
#define EVNTRACE_MAX_CHARACTERS	65536

/* It ends: the event passes if @arg is 1, and does not if it is 0 */
#define EVNTRACE_OP_END			0
/* Skip @jump instructions */
#define EVNTRACE_OP_JUMP		1
/* Holds if the event's id and version are the low 16 and next 8 bits of @arg */
#define EVNTRACE_OP_EVENT		2
/* The position becomes @arg */
#define EVNTRACE_OP_AT			3
/* It moves on by @arg bytes */
#define EVNTRACE_OP_MOVE		4
/* It moves on by @arg bytes as often as register @how says */
#define EVNTRACE_OP_MOVE_BY		5
/* It moves on by @arg pointers, each 4 or 8 bytes as the writer has them */
#define EVNTRACE_OP_MOVE_POINTERS	6
/* It moves on by a text; @how, @arg: EVNTRACE_TEXT_* */
#define EVNTRACE_OP_MOVE_TEXT		7
/* It moves on by a SID */
#define EVNTRACE_OP_MOVE_SID		8
/* Register @value becomes the number @arg bytes on; @how: EVNTRACE_NUMBER_* */
#define EVNTRACE_OP_LOAD		9
/*
 * Holds if the number @arg bytes on has one of the relations to @value that
 * @how says, by EVNTRACE_IS_*, besides EVNTRACE_NUMBER_*
 */
#define EVNTRACE_OP_COMPARE		10
/* Holds if that number is a multiple of @value, which is not 0 */
#define EVNTRACE_OP_MULTIPLE		11
/*
 * Holds if the text at the position is, or contains, the one that is so many
 * bytes from the program's start on as the low half of @value says, and so many
 * bytes long as the high half; or if not, with EVNTRACE_TEXT_NOT.  @how, @arg:
 * EVNTRACE_TEXT_*
 */
#define EVNTRACE_OP_TEXT_IS		12
#define EVNTRACE_OP_TEXT_CONTAINS	13

#define EVNTRACE_IS_LESS		0x01
#define EVNTRACE_IS_EQUAL		0x02
#define EVNTRACE_IS_GREATER		0x04
#define EVNTRACE_NUMBER_SIGNED		0x08
#define EVNTRACE_NUMBER_1		0x00	/* of one byte, and so on */
#define EVNTRACE_NUMBER_2		0x10
#define EVNTRACE_NUMBER_4		0x20
#define EVNTRACE_NUMBER_8		0x30

#define EVNTRACE_TEXT_8			0x00	/* 8-bit characters */
#define EVNTRACE_TEXT_16		0x01	/* UTF-16 */
#define EVNTRACE_TEXT_NUL		0x00	/* up to a nul, or the end */
#define EVNTRACE_TEXT_COUNTED		0x02	/* behind its bytes in a __u16 */
/* @arg characters, or as many as register @arg says; compared up to a nul */
#define EVNTRACE_TEXT_FIXED		0x04
#define EVNTRACE_TEXT_REGISTER		0x06
#define EVNTRACE_TEXT_REST		0x08	/* up to the end */
#define EVNTRACE_TEXT_NOT		0x10

/**
 * struct evntrace_instruction - one step of a program
 * @op: EVNTRACE_OP_*
 * @how: as @op says; or zero
 * @jump: how many instructions to skip when it fails
 * @arg: as @op says; or zero
 * @value: as @op says; or zero
 */
struct evntrace_instruction {
	__u8 op;
	__u8 how;
	__u16 jump;
	__u32 arg;
	__aligned_u64 value;
};

/**
 * struct evntrace_program - what EVNTRACE_FILTER_PAYLOAD is made of
 * @size: of all, in bytes
 * @version: EVNTRACE_PROGRAM_VERSION
 * @count: number of instructions; the last one is EVNTRACE_OP_END
 * @instruction: the instructions; texts follow
 */
struct evntrace_program {
	__u32 size;
	__u16 version;
	__u16 count;
	struct evntrace_instruction instruction[];
};

/*
 * Change nothing: wait, as after a change.  Of the argument, the provider, whether
 * that is a group, and the time are looked at alone.  It is for who was interrupted
 * while waiting; without such a provider there is nothing to wait for.  With the
 * handle of a private logger, that takes the place of the provider.
 */
#define EVNTRACE_ENABLE_WAIT		0x1u

/**
 * struct evntrace_enable - argument of EVNTRACE_IOC_ENABLE
 * @size: sizeof(struct evntrace_enable)
 * @flags: zero, or EVNTRACE_ENABLE_WAIT
 * @handle: the session
 * @provider: the provider, registered or not
 * @source: handed to the providers with the notification
 * @match_any: events with one of these keywords; 0: all
 * @match_all: and with all of these
 * @control: EVNTPROV_CONTROL_*
 * @property: EVNTRACE_PROPERTY_*; with EVNTRACE_PROPERTY_PROVIDER_GROUP,
 *	@provider is a group, whatever @control is
 * @level: events up to this level; 0: all
 * @reserved: zero
 * @timeout_ms: how long to wait until each registration has dealt with the
 *	notification; 0: not at all
 * @filter_count: number of filters, at most EVNTRACE_MAX_FILTERS; not read for
 *	EVNTPROV_CONTROL_DISABLE
 * @reserved2: zero
 * @filters: address of an array of struct evntrace_filter
 *
 * Enabling again replaces all that was set before, filters too.  Disabling what
 * is not enabled succeeds.  With EVNTPROV_CONTROL_CAPTURE_STATE there may be what
 * the provider looks at itself, which is handed to it once; or
 * EVNTRACE_FILTER_TRACEHANDLE, whose registrations nobody waits for.
 *
 * Errors:
 *
 *	EINTR		a signal came while waiting: the change stays in force
 *	EINVAL		an unknown control code; too many filters, two of the
 *			same type, or one that is malformed or too long, or is
 *			not for groups, or not for @control, or not for
 *			@provider; properties that contradict each other
 *	EOPNOTSUPP	an unknown property or type of filter
 *	ESRCH		there is no such session, or none that a filter names
 *	ETIMEDOUT	the time ran out: the change stays in force
 *	EUSERS		sessions of the user that has started it have as many enabled
 *			as they may: see "Limits"
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

/**
 * struct evntrace_filter_info - a filter, as EVNTRACE_IOC_FILTERS shows it
 * @type: EVNTRACE_FILTER_*, or the provider's own
 * @len: what it is made of, in bytes, which stands behind this
 */
struct evntrace_filter_info {
	__u32 type;
	__u32 len;
};

/* @provider is a group */
#define EVNTRACE_FILTERS_GROUP		0x1u

/**
 * struct evntrace_filters - argument of EVNTRACE_IOC_FILTERS
 * @size: sizeof(struct evntrace_filters)
 * @flags: EVNTRACE_FILTERS_GROUP, or zero
 * @handle: the session
 * @provider: a provider, or group, that it has enabled
 * @buffer: address of room for the filters
 * @len: its length in bytes; out: what they take
 * @count: out: how many there are
 *
 * Shows the filters as they were set: each a struct evntrace_filter_info, and
 * what it is made of, padded with zeroes to a multiple of 8 bytes.  Ids of
 * processes are those of the caller's pid namespace: 0 stands for one that is not
 * there, or was not when it was set.  When they take more than @len, nothing is
 * filled in.
 *
 * Of a private logger, those are shown that it was started with: @flags and
 * @provider are zero then.
 *
 * Errors: ESRCH when there is no such session; EACCES without
 * EVNTRACE_RIGHT_QUERY; ENOENT when it has not enabled the provider; EINVAL when
 * @provider of a private logger is not zero.
 */
struct evntrace_filters {
	__u32 size;
	__u32 flags;
	__aligned_u64 handle;
	struct evntprov_guid provider;
	__aligned_u64 buffer;
	__u32 len;
	__u32 count;
};

#define EVNTRACE_MAX_CAPTURE		256	/* providers of one session */
#define EVNTRACE_MAX_CAPTURE_PERIOD	86400u	/* a day, in seconds */

/**
 * struct evntrace_capture - argument of EVNTRACE_IOC_CAPTURE, _QUERY_CAPTURE
 * @size: sizeof(struct evntrace_capture)
 * @flags: zero
 * @handle: the session
 * @providers: address of an array of struct evntprov_guid
 * @count: its elements, at most EVNTRACE_MAX_CAPTURE; out, of a query: how many
 *	there are
 * @period_s: how often to ask them, in seconds, at most
 *	EVNTRACE_MAX_CAPTURE_PERIOD; out, of a query: likewise
 *
 * As long as the session runs, each of the providers that it has enabled, by its
 * id or by a group, is asked for its state, as by EVNTPROV_CONTROL_CAPTURE_STATE,
 * every @period_s.  This is instead of what was set before; with @count and
 * @period_s 0 nobody is asked.  A query fills in as many elements as there is room
 * for.
 *
 * Errors: ESRCH when there is no such session (any more); EINVAL when @count or
 * @period_s is too large, or only one of them is 0.  It takes what stopping the
 * session takes, and EVNTRACE_RIGHT_GUID_ENABLE for each provider.
 */
struct evntrace_capture {
	__u32 size;
	__u32 flags;
	__aligned_u64 handle;
	__aligned_u64 providers;
	__u32 count;
	__u32 period_s;
};

#define EVNTRACE_MAX_DISALLOWED		256	/* providers of one session */

/**
 * struct evntrace_disallow - argument of EVNTRACE_IOC_DISALLOW, _QUERY_DISALLOW
 * @size: sizeof(struct evntrace_disallow)
 * @flags: zero
 * @handle: the session
 * @providers: address of an array of struct evntprov_guid
 * @count: its elements, at most EVNTRACE_MAX_DISALLOWED; out, of a query: how
 *	many there are
 * @reserved: zero
 *
 * The session enables these providers by no group, whatever their traits say.
 * This is instead of what was set before, and holds for groups that it has
 * enabled, at once, and for those that it will.  A query fills in as many
 * elements as there is room for.
 *
 * Errors: ESRCH when there is no such session (any more); EINVAL when @count is
 * too large.  It takes what stopping the session takes.
 */
struct evntrace_disallow {
	__u32 size;
	__u32 flags;
	__aligned_u64 handle;
	__aligned_u64 providers;
	__u32 count;
	__u32 reserved;
};

#define EVNTRACE_LIST_SESSIONS		0	/* __u64, handles */
#define EVNTRACE_LIST_REGISTRATIONS	1	/* struct evntrace_registration */
#define EVNTRACE_LIST_ENABLEMENTS	2	/* struct evntrace_enablement */
#define EVNTRACE_LIST_ACCESS		3	/* struct evntrace_access_entry */
#define EVNTRACE_LIST_LOGGERS		4	/* __u64, handles of private loggers */
#define EVNTRACE_LIST_USERS		5	/* struct evntrace_user */

/* Types of data blocks are read: EVNTPROV_INFO_TRAITS or _DESCRIPTOR_TYPE */
#define EVNTRACE_REGISTRATION_TYPES		0x100u
/* EVNTPROV_INFO_BINARY_TRACK was set */
#define EVNTRACE_REGISTRATION_BINARY_TRACK	0x200u
/* EVNTPROV_INFO_TRAITS was set */
#define EVNTRACE_REGISTRATION_TRAITS		0x400u
/* A module of the kernel has registered it */
#define EVNTRACE_REGISTRATION_KERNEL		0x800u

/**
 * struct evntrace_registration - an element of EVNTRACE_LIST_REGISTRATIONS
 * @provider: the provider's id
 * @pid: process that registered it; 0: the kernel did, see
 *	EVNTRACE_REGISTRATION_KERNEL, or one that is not in the caller's pid namespace
 * @flags: EVNTPROV_REGISTER_*, EVNTRACE_REGISTRATION_*
 * @sessions: sessions that have enabled it by its provider's id, a bit each
 * @name: its name as its traits say, UTF-8, cut, nul-padded; or empty
 * @group: the group that it is a member of, or zero
 * @group_sessions: sessions that have enabled it by its group, a bit each
 * @denied_sessions: those of these that do not take its events, as it lacks the right
 *	EVNTRACE_RIGHT_LOG_EVENT, which who has registered it is asked for
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
 * struct evntrace_enablement - an element of EVNTRACE_LIST_ENABLEMENTS
 * @provider: the id of the provider, or of the group, as @property says
 * @handle: the session
 * @match_any: as set
 * @match_all: as set
 * @property: as set
 * @level: as set
 * @order: 1 for the first session that has enabled the provider, more for later ones;
 *	enabling again counts; 0 from modules that do not know
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

/*
 * Ids of processes, threads and users
 *
 * What ioctls take and tell are ids of the caller's namespaces: 0 stands for a process
 * or thread that its pid namespace does not have, and the overflow id, 65534 unless it
 * was changed, for a user or group that its user namespace does not have.  An id that
 * was not there when it was set is nobody's.  Filters of private loggers alone are told
 * as they were set.
 *
 * What is in records is for readers of another time and another machine: the ids of
 * the first namespaces, in whatever namespace they were written.
 */

/*
 * Limits
 *
 * A user is charged for the files of /dev/evntprov that it has opened, for their
 * registrations, and for the sessions and private loggers that it has started, until
 * these are gone.  Opening one file more than it may have fails with EUSERS.  In a
 * user namespace, that user is the one that has made the outermost namespace; unless
 * that is root, when it is the user itself.  Parameters of the module say how much a
 * user may have, and how much all together: see evntprov(4).  Callers with
 * CAP_SYS_RESOURCE or CAP_SYS_ADMIN in the first user namespace are exempt from the
 * former.
 */

/**
 * struct evntrace_user - an element of EVNTRACE_LIST_USERS
 * @uid: the user, as the caller's user namespace has it
 * @reserved: zero
 * @registrations: its registrations
 * @notifications: those with EVNTPROV_REGISTER_NOTIFY
 * @files: its open files of /dev/evntprov
 * @sessions: its sessions and private loggers
 * @session_bytes: memory of the buffers of its sessions
 * @enablements: pairs of a session and what it has enabled
 *
 * The caller sees itself, if it is charged for anything; who is exempt from limits of
 * users, all.
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

/*
 * Rights
 *
 * Who may do what with a provider or a session goes by its GUID.  A GUID may
 * have a list of entries, each of which allows, or denies, rights to a user, to
 * a group, to the owner of the session, to callers with CAP_SYS_ADMIN, or to
 * everyone.  Who is denied a right by one entry does not have it; else who is
 * allowed it by one has it; nobody else has.  A GUID without a list goes by that
 * of EVNTRACE_ACCESS_DEFAULT; without that, too, by this one, as far as the doors
 * let callers in:
 *
 *	WHO_OWNER	EVNTRACE_RIGHTS_ALL
 *	WHO_ADMIN	EVNTRACE_RIGHTS_ALL
 *	WHO_EVERYONE	EVNTRACE_RIGHTS_DEFAULT
 *
 * So a caller may start sessions, of which it is the owner, and query all.  Others'
 * sessions it may neither change, stop, nor consume.
 *
 * A list that there is holds for root and the owner, too.  Lists are there until
 * they are removed, or the module is unloaded, whether anything has their GUID or
 * not.  Users and groups are compared as the kernel knows them, whatever user
 * namespace they are in.
 *
 * The values are those of Windows.  What an ioctl wants, it says with EACCES:
 *
 *	RIGHT_QUERY		to query the session, its CPUs and its filters, and
 *				to find it in lists
 *	RIGHT_CREATE_ONDISK	to start a session that logs to a file, or in
 *				EVNTRACE_MODE_BUFFERING; and to flush, update
 *				and stop it, and enable providers for it
 *	RIGHT_CREATE_REALTIME	likewise, of a session for real-time consumers
 *	RIGHT_GUID_ENABLE	to enable the provider or group, disable it, or
 *				ask it for its state
 *	RIGHT_LOG_EVENT		to write events to the session, if it is one of
 *				EVNTRACE_MODE_SECURE: what counts is who has
 *				registered the provider.  Others' events are not
 *				for the session; nobody is told.
 *	RIGHT_ACCESS_REALTIME	to consume the session's events as they come
 *	RIGHT_REGISTER_GUIDS	to register the provider
 *	RIGHT_JOIN_GROUP	to make a registration a member of the group
 *
 * Others can be set, and mean nothing.
 */
#define EVNTRACE_RIGHT_QUERY		0x0001u
#define EVNTRACE_RIGHT_CREATE_REALTIME	0x0020u
#define EVNTRACE_RIGHT_CREATE_ONDISK	0x0040u
#define EVNTRACE_RIGHT_GUID_ENABLE	0x0080u
#define EVNTRACE_RIGHT_LOG_EVENT	0x0200u
#define EVNTRACE_RIGHT_ACCESS_REALTIME	0x0400u
#define EVNTRACE_RIGHT_REGISTER_GUIDS	0x0800u
#define EVNTRACE_RIGHT_JOIN_GROUP	0x1000u
/* What everyone may do where there is no list */
#define EVNTRACE_RIGHTS_DEFAULT						\
	(EVNTRACE_RIGHT_QUERY | EVNTRACE_RIGHT_GUID_ENABLE |		\
	 EVNTRACE_RIGHT_LOG_EVENT | EVNTRACE_RIGHT_REGISTER_GUIDS |	\
	 EVNTRACE_RIGHT_JOIN_GROUP)
/* All bits that rights may have: those of events, and of all objects */
#define EVNTRACE_RIGHTS_ALL		0x001f1fffu

/*
 * Readers
 *
 * Call stacks reveal where the kernel and other users' processes are in memory.
 * So a session has either all of them, or readers without CAP_PERFMON, whatever
 * their rights: the first of these decides, until the session stops.  It is
 *
 *	a caller with CAP_PERFMON who enables EVNTRACE_PROPERTY_STACK_TRACE: from
 *	then on, reading takes CAP_PERFMON, and others get EPERM; or
 *
 *	a caller without CAP_PERFMON who reads.  No call stack that takes CAP_PERFMON
 *	is recorded from then on.
 *
 * A caller reads who starts the session with a log file, or gives it another one
 * with EVNTRACE_IOC_UPDATE, who consumes it, or takes a snapshot.
 */

/* 0811c1af-7a07-4a06-82ed-869455cdf713 */
#define EVNTRACE_ACCESS_DEFAULT						\
	{ { 0xaf, 0xc1, 0x11, 0x08, 0x07, 0x7a, 0x06, 0x4a,		\
	    0x82, 0xed, 0x86, 0x94, 0x55, 0xcd, 0xf7, 0x13 } }

#define EVNTRACE_ACCESS_ADD	0	/* add to what is in force */
#define EVNTRACE_ACCESS_SET	1	/* instead of all that there is */
#define EVNTRACE_ACCESS_REMOVE	2	/* all entries: back to the default */

#define EVNTRACE_WHO_EVERYONE	0
#define EVNTRACE_WHO_USER	1
#define EVNTRACE_WHO_GROUP	2
/* The effective user of the process that started the session */
#define EVNTRACE_WHO_OWNER	3
/* Callers with CAP_SYS_ADMIN in the first user namespace */
#define EVNTRACE_WHO_ADMIN	4

/* The entry denies its rights */
#define EVNTRACE_ACCESS_DENY		0x1u

#define EVNTRACE_MAX_ACCESS_LISTS	4096
#define EVNTRACE_MAX_ACCESS_ENTRIES	64	/* of one list */

/**
 * struct evntrace_access - argument of EVNTRACE_IOC_ACCESS
 * @size: sizeof(struct evntrace_access)
 * @flags: EVNTRACE_ACCESS_DENY, or zero
 * @guid: the provider or session; need not be there
 * @operation: EVNTRACE_ACCESS_ADD, _SET or _REMOVE
 * @who: EVNTRACE_WHO_*
 * @id: the user or group, as the caller's user namespace has it; or zero
 * @rights: EVNTRACE_RIGHT_*, at least one
 *
 * What is added to a list that allows, or denies, the same one something
 * already goes into that entry.  For EVNTRACE_ACCESS_REMOVE, all fields after
 * @operation are zero; removing what is not there succeeds.
 *
 * What has been started, enabled or registered stays so.  On return, no event
 * comes any more from whom RIGHT_LOG_EVENT was taken.
 *
 * Errors: EPERM without CAP_SYS_ADMIN; EINVAL for an unknown @operation, @who or
 * right, no right, or an @id that no user or group has; EUSERS when there are as
 * many lists, or entries in this one, as there may be.
 */
struct evntrace_access {
	__u32 size;
	__u32 flags;
	struct evntprov_guid guid;
	__u32 operation;
	__u32 who;
	__u32 id;
	__u32 rights;
};

/**
 * struct evntrace_access_entry - an element of EVNTRACE_LIST_ACCESS
 * @guid: whose list it is in
 * @who: EVNTRACE_WHO_*
 * @id: the user or group, as the caller's user namespace has it
 * @rights: EVNTRACE_RIGHT_*
 * @flags: EVNTRACE_ACCESS_DENY, or zero
 *
 * The entries of a list stand together, those that deny in front.
 */
struct evntrace_access_entry {
	struct evntprov_guid guid;
	__u32 who;
	__u32 id;
	__u32 rights;
	__u32 flags;
};

/* A part of a list; with a cursor that is zero, the first one */
#define EVNTRACE_LIST_PART		0x1u

/**
 * struct evntrace_cursor - how far a list has come, for the module alone to read
 * @id: a provider or a group
 * @position: an element of that
 * @until: the newest one that there was in the beginning
 */
struct evntrace_cursor {
	struct evntprov_guid id;
	__aligned_u64 position;
	__aligned_u64 until;
};

/**
 * struct evntrace_list - argument of EVNTRACE_IOC_LIST
 * @size: sizeof(struct evntrace_list)
 * @flags: EVNTRACE_LIST_PART, or zero
 * @what: EVNTRACE_LIST_*
 * @element_size: size of an element as the caller knows it
 * @elements: address of the array
 * @count: in: its elements; out: how many there are; with EVNTRACE_LIST_PART: how
 *	many are filled in, and 0 at the end of the list
 * @reserved: zero
 * @cursor: in: zero, or with EVNTRACE_LIST_PART what the part before gave; out, with
 *	it: for the next part
 *
 * As many elements as there is room for are filled in, but not more than 65,536, each
 * as the caller knows it: what the module's has behind that is cut, and what it does
 * not have is zero.
 *
 * EVNTRACE_LIST_PART is for registrations and enablements, of which there may be any
 * number.  An element that is there from the first part to the last is in one of
 * them; one that comes or goes meanwhile may be.  What comes meanwhile does not
 * prolong the list for ever.
 *
 * A session or private logger is left out, with its enablements and its bits, if the
 * caller does not have EVNTRACE_RIGHT_QUERY for it.
 *
 * Errors: EINVAL for an unknown @what, or an @element_size that is less than that
 * of the first version, or more than 4096, or EVNTRACE_LIST_PART with another @what
 * or a @count of 0.
 */
struct evntrace_list {
	__u32 size;
	__u32 flags;
	__u32 what;
	__u32 element_size;
	__aligned_u64 elements;
	__u32 count;
	__u32 reserved;
	struct evntrace_cursor cursor;
};

/**
 * struct evntrace_status - argument of EVNTRACE_IOC_STATUS
 * @size: sizeof(struct evntrace_status)
 * @flags: zero
 * @files: out: open files of /dev/evntprov
 * @registrations: out: registrations of all processes
 * @providers: out: provider ids that are registered, or enabled, or both, and
 *	groups that have members, or are enabled, or both
 * @enablements: out: pairs of session and provider, or group
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
