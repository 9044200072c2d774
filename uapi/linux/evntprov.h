/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Interface between the evntprov module and user space.
 *
 * DOC: devices
 *
 * /dev/evntprov (mode 0666) is the device of event writers.  An open file owns
 * provider registrations, which are removed with its last descriptor and
 * mapping.  It supports ioctls, a read-only mapping of the enable area, and
 * read() and poll() for notifications.  open() fails with ENODEV until the
 * module has started the autologger sessions while it is being loaded, and with
 * EUSERS beyond the user's limit of open files: see evntprov(4).
 *
 * /dev/evntrace (mode 0660, group evntprov) is the device of controllers and
 * real-time consumers.  EVNTRACE_IOC_START and EVNTRACE_IOC_OPEN return a
 * close-on-exec descriptor of a session.  See evntprov(4).
 *
 * DOC: rules for every ioctl
 *
 * The argument points to a structure.  Its first field is the size of the
 * structure in bytes as known to the caller; its second field is a set of
 * flags.  A structure may grow at its end: the module accepts a shorter one
 * and treats the missing part as zero, and accepts a longer one if the part
 * unknown to the module is zero.  Output is truncated to the size passed by the
 * caller.
 *
 * All structures are naturally aligned, have no holes, and are identical for
 * 32-bit and 64-bit callers.  Pointers are passed as __u64.  A GUID is 16 bytes
 * in the memory layout of Windows: the first three fields are little-endian.
 *
 * Every ioctl may fail with one of these errors:
 *
 *	EFAULT	the argument, or memory it points to, cannot be accessed
 *	E2BIG	the structure is longer than the module's and the excess is not
 *		zero, or it is longer than a page
 *	EINVAL	the structure is shorter than in the first version of the ABI, a
 *		flag is unknown, or a reserved field is not zero
 *	ENOTTY	the ioctl is unknown, or belongs to the other device
 *	ENOMEM	the kernel, or the caller's memory cgroup, is out of memory
 *	EACCES	the caller lacks a right: see "Rights"
 *	EINTR	the caller was killed while waiting for a lock; nothing changed
 *
 * evntprov(4) describes sessions, groups, readers and ids, and the further
 * errors of the ioctls of controllers.  The comments on structures of providers
 * list the others.
 */
#ifndef _UAPI_LINUX_EVNTPROV_H
#define _UAPI_LINUX_EVNTPROV_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define EVNTPROV_IOC_TYPE	0xE7

/* Both devices */
#define EVNTPROV_IOC_VERSION		_IO(EVNTPROV_IOC_TYPE, 0x00)
/* /dev/evntprov */
#define EVNTPROV_IOC_REGISTER		_IO(EVNTPROV_IOC_TYPE, 0x01)
#define EVNTPROV_IOC_UNREGISTER		_IO(EVNTPROV_IOC_TYPE, 0x02)
#define EVNTPROV_IOC_WRITE		_IO(EVNTPROV_IOC_TYPE, 0x03)
#define EVNTPROV_IOC_SET_INFORMATION	_IO(EVNTPROV_IOC_TYPE, 0x04)
#define EVNTPROV_IOC_PRIVATE		_IO(EVNTPROV_IOC_TYPE, 0x05)
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

/**
 * struct evntprov_guid - a GUID as bytes
 * @b: Data1, Data2 and Data3, each little-endian, then Data4
 */
struct evntprov_guid {
	__u8 b[16];
};

/**
 * struct evntprov_version - argument of EVNTPROV_IOC_VERSION
 * @size: sizeof(struct evntprov_version)
 * @flags: zero
 * @features: out: a bit for each addition to the interface; none so far
 * @max_sessions: out: maximum number of sessions at a time
 * @reserved: zero
 *
 * Query the features of the module.  Both devices support this ioctl.
 *
 * Rights: none beyond an open file.
 */
struct evntprov_version {
	__u32 size;
	__u32 flags;
	__aligned_u64 features;
	__u32 max_sessions;
	__u32 reserved;
};

/*
 * Handles and slots
 *
 * A registration is identified by a handle chosen by its owner.  The bits
 * EVNTPROV_HANDLE_SLOT_MASK of the handle are its slot: the byte offset of its
 * struct evntprov_enable in the enable area of the file.  The owner may use the
 * other bits freely, for example for a generation; the module compares the
 * whole handle on each use.  Slot 0 is never used, so that the handle 0 is
 * always disabled.
 */
#define EVNTPROV_SLOT_SIZE		32
#define EVNTPROV_MAX_SLOTS		2048
#define EVNTPROV_ENABLE_AREA_SIZE	(EVNTPROV_SLOT_SIZE * EVNTPROV_MAX_SLOTS)
#define EVNTPROV_HANDLE_SLOT_MASK	0xffe0u
/* Maximum number of registrations owned by one open file */
#define EVNTPROV_MAX_REGISTRATIONS	1024

/* Bit of @enabled: at least one session has enabled the registration */
#define EVNTPROV_ENABLED_SESSION	0x1u
/*
 * Bit of @enabled: a private session has enabled the provider, and the owner
 * has not queried the change with EVNTPROV_IOC_PRIVATE yet
 */
#define EVNTPROV_ENABLED_PRIVATE_PENDING		0x8u

/**
 * struct evntprov_enable - state of one registration in the enable area
 * @sequence: odd while the kernel changes the fields below
 * @enabled: EVNTPROV_ENABLED_*; EVNTPROV_ENABLED_PRIVATE_PENDING is set only in
 *	files that called EVNTPROV_IOC_PRIVATE
 * @level: highest level that any session enabled; 255 if one enabled all levels
 * @set_level: level as set by @session: 0 stands for all levels
 * @set_any: 1 if @session set a match-any mask, which is @match_any then; 0 if
 *	it enabled all keywords by a mask of zero
 * @match_any: union of the sessions' match-any masks; all bits if a session
 *	enabled all keywords
 * @match_all: keyword bits that all sessions require
 * @session: handle of the session that has enabled a classic registration, or
 *	zero; zero for other registrations, as are @set_level and @set_any: see
 *	"Classic providers"
 *
 * The first EVNTPROV_ENABLE_AREA_SIZE bytes of /dev/evntprov, mapped shared and
 * read-only, are an array of EVNTPROV_MAX_SLOTS such structures.  mmap() fails
 * with EPERM for a writable or executable mapping, and with EINVAL beyond the
 * area.
 *
 * A reader that sees the same even @sequence before and after reading the other
 * fields has a consistent state.  Otherwise it may treat the event as enabled,
 * because the kernel checks again when the event is written.
 */
struct evntprov_enable {
	__u32 sequence;
	__u8 enabled;
	__u8 level;
	__u8 set_level;
	__u8 set_any;
	__aligned_u64 match_any;
	__aligned_u64 match_all;
	__aligned_u64 session;
};

/* The owner reads notifications of this registration */
#define EVNTPROV_REGISTER_NOTIFY	0x1u
/* The registration is a classic one: see "Classic providers" */
#define EVNTPROV_REGISTER_CLASSIC	0x2u

/**
 * struct evntprov_register - argument of EVNTPROV_IOC_REGISTER
 * @size: sizeof(struct evntprov_register)
 * @flags: EVNTPROV_REGISTER_*
 * @provider: id of the provider
 * @handle: handle chosen by the caller; see "Handles and slots"
 *
 * Register a provider.  If a session has already enabled @provider, the slot
 * shows it on return; only later changes are notified.
 *
 * Errors:
 *
 *	EBUSY	the slot is in use
 *	EINVAL	the handle has slot 0
 *	EMFILE	the file already owns EVNTPROV_MAX_REGISTRATIONS
 *	EUSERS	the user, or all users together, reached the maximum number of
 *		registrations: see evntprov(4)
 *
 * Rights: EVNTRACE_RIGHT_REGISTER_GUIDS for @provider.
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
 * Remove a registration.  After the ioctl returns, read() no longer returns
 * notifications of the registration.
 *
 * Errors: ENOENT if the file has no registration with this handle.
 */
struct evntprov_unregister {
	__u32 size;
	__u32 flags;
	__aligned_u64 handle;
};

/**
 * struct evntprov_descriptor - identity and class of an event: EVENT_DESCRIPTOR
 * @id: id
 * @version: version
 * @channel: channel
 * @level: level; 0 passes every level filter
 * @opcode: opcode
 * @task: task
 * @keyword: keyword bits; 0 passes every keyword filter, unless the session set
 *	EVNTRACE_PROPERTY_IGNORE_KEYWORD_0
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
 * @len: length of the block in bytes; may be 0
 * @type: EVNTPROV_DATA_*; ignored unless the registration uses types
 * @reserved: ignored
 */
struct evntprov_data {
	__aligned_u64 ptr;
	__u32 len;
	__u8 type;
	__u8 reserved[3];
};

/* Fail with EFAULT instead of reading the event's data into memory */
#define EVNTPROV_WRITE_NO_FAULTING	0x01u
/* Skip sessions that set EVNTRACE_PROPERTY_EXCLUDE_INPRIVATE */
#define EVNTPROV_WRITE_INPRIVATE	0x02u
/* The data is a single string, which needs no schema to be decoded */
#define EVNTPROV_WRITE_STRING		0x04u
/* @related contains the related activity id */
#define EVNTPROV_WRITE_RELATED		0x08u
/* The data is one block of EVNTPROV_DATA_NONE, at @data, of @data_count bytes */
#define EVNTPROV_WRITE_ONE_BLOCK	0x10u

/* Kinds of records of classic providers, and the mask of the kind */
#define EVNTPROV_TRACE_EVENT		0x100u	/* TraceEvent */
#define EVNTPROV_TRACE_INSTANCE		0x200u	/* TraceEventInstance */
#define EVNTPROV_TRACE_MESSAGE		0x300u	/* TraceMessage */
#define EVNTPROV_TRACE_KIND		0x300u

/*
 * Fields that precede the data of a message, in the order of these values.  The
 * sequence number, which starts at 1, is present only in sessions of
 * EVNTRACE_MODE_LOCAL_SEQUENCE or EVNTRACE_MODE_GLOBAL_SEQUENCE.
 */
#define EVNTPROV_MESSAGE_SEQUENCE	0x01u
/* The class id; excludes EVNTPROV_MESSAGE_COMPONENT */
#define EVNTPROV_MESSAGE_GUID		0x02u
/* First four bytes of the class id */
#define EVNTPROV_MESSAGE_COMPONENT	0x04u
/* Time at which the message was written */
#define EVNTPROV_MESSAGE_TIMESTAMP	0x08u
/* Ids of the writing thread and process */
#define EVNTPROV_MESSAGE_SYSTEMINFO	0x20u

/**
 * struct evntprov_classic - description of a classic provider's record
 * @version: version of the class; for a message, the message number
 * @type: event type; for a message, 0
 * @level: level of the event; for a message, 0
 * @options: for a message, EVNTPROV_MESSAGE_*; otherwise 0
 * @reserved: zero
 * @instance: for EVNTPROV_TRACE_INSTANCE, instance id within the class;
 *	otherwise 0
 * @parent_instance: for EVNTPROV_TRACE_INSTANCE, instance id within the parent
 *	class; otherwise 0
 */
struct evntprov_classic {
	__u16 version;
	__u8 type;
	__u8 level;
	__u16 options;
	__u16 reserved;
	__u32 instance;
	__u32 parent_instance;
};

/**
 * struct evntprov_write - argument of EVNTPROV_IOC_WRITE
 * @size: sizeof(struct evntprov_write)
 * @flags: EVNTPROV_WRITE_*; for a record of a classic provider, EVNTPROV_TRACE_*
 *	and EVNTPROV_WRITE_ONE_BLOCK only
 * @handle: the registration
 * @descriptor: descriptor of the event
 * @classic: description of a classic provider's record
 * @exclude: sessions that must not receive the event: bit (1 << id) of each
 * @session: handle of the session to write a classic provider's record to: one
 *	that has enabled the registration, or has been replaced
 * @activity: activity id, or zero
 * @class_id: id of the class of a classic provider's record
 * @data: address of an array of struct evntprov_data; with
 *	EVNTPROV_WRITE_ONE_BLOCK, address of the only block
 * @data_count: number of elements of @data, at most EVNTPROV_MAX_DATA; with
 *	EVNTPROV_WRITE_ONE_BLOCK, length of the block in bytes, at most U32_MAX
 * @related: related activity id; ignored without EVNTPROV_WRITE_RELATED
 * @parent: for EVNTPROV_TRACE_INSTANCE, id of the parent class; otherwise zero
 *
 * Write an event to the sessions that have enabled the provider for it.  The
 * event goes to all of these sessions or to none: if one of them cannot store
 * it, none does.  Sessions of EVNTRACE_MODE_INDEPENDENT are exempt: a failure
 * in one of them does not affect the others, and a failure in the others does
 * not affect it; the error is returned nevertheless.  The kernel stamps time,
 * process, thread and provider.
 *
 * The ioctl also returns 0 if no session wants the event.  The data is not
 * validated in this case.
 *
 * A record of a classic provider goes to @session only, and the types of its
 * blocks are ignored: see "Classic providers".
 *
 * Errors:
 *
 *	EACCES		classic: @session is of EVNTRACE_MODE_SECURE and the
 *			owner of the registration lacks EVNTRACE_RIGHT_LOG_EVENT
 *	EAGAIN		the pages of the data were repeatedly evicted while the
 *			event was written; the event is lost
 *	EFAULT		the array or the data cannot be read, or, with
 *			EVNTPROV_WRITE_NO_FAULTING, is not present in memory
 *	EINVAL		@data_count is too large; a block's type is unknown;
 *			classic: an option is unknown, options exclude each
 *			other, or a field does not apply to the kind
 *	EMSGSIZE	the event does not fit into a buffer of a session
 *	ENOBUFS		a session had no free buffer; the event is lost
 *	ENOENT		the file has no registration with this handle; classic:
 *			the registration is not a classic one
 *	EOPNOTSUPP	a block has type EVNTPROV_DATA_TIMESTAMP_OVERRIDE: only
 *			the kernel stamps the time
 *	EOVERFLOW	the event is longer than 65,535 bytes, including its
 *			header
 *	ESRCH		classic: @session has not enabled the registration
 *
 * On EAGAIN, EMSGSIZE, ENOBUFS and EOVERFLOW, each session that wanted the
 * event and did not receive it counts it as lost.
 */
struct evntprov_write {
	__u32 size;
	__u32 flags;
	__aligned_u64 handle;
	union {
		struct evntprov_descriptor descriptor;
		struct evntprov_classic classic;
	};
	union {
		__aligned_u64 exclude;
		__aligned_u64 session;
	};
	union {
		struct evntprov_guid activity;
		struct evntprov_guid class_id;
	};
	__aligned_u64 data;
	__aligned_u64 data_count;
	union {
		struct evntprov_guid related;
		struct evntprov_guid parent;
	};
};

/*
 * Classic providers
 *
 * A registration with EVNTPROV_REGISTER_CLASSIC is enabled by one session at a
 * time: the session that enabled its provider last.  When that session stops or
 * disables the provider, the registration does not return to the previous
 * session until the previous session enables the provider again.  A new
 * registration is enabled by the session that, of all sessions that have its
 * provider enabled at that time, was the last to enable it.  A classic
 * registration cannot join a group.
 *
 * The slot of the registration contains the session, level and keywords; the
 * owner writes records to that session with EVNTPROV_IOC_WRITE and a kind,
 * EVNTPROV_TRACE_*.  It may also write to a session that another session
 * replaced, as long as the replaced session still has the provider enabled.
 * Classic records have no attributes that event filters could match, so only
 * filters by process apply to them.
 *
 * Without a kind, EVNTPROV_IOC_WRITE writes an ordinary event to the session
 * that has enabled the registration.
 */

#define EVNTPROV_INFO_BINARY_TRACK	0
#define EVNTPROV_INFO_TRAITS		2
#define EVNTPROV_INFO_DESCRIPTOR_TYPE	3
/* Class that EVENT_INFO_CLASS does not have */
#define EVNTPROV_INFO_MANIFEST		0x100

/* Type of the provider trait that contains the id of a group */
#define EVNTPROV_TRAIT_GROUP		1

/* Maximum length of provider traits in bytes */
#define EVNTPROV_MAX_TRAITS		4096

/**
 * struct evntprov_set_information - argument of EVNTPROV_IOC_SET_INFORMATION
 * @size: sizeof(struct evntprov_set_information)
 * @flags: zero
 * @handle: the registration
 * @info_class: EVNTPROV_INFO_*: values of EVENT_INFO_CLASS, and own ones
 * @len: length of the information in bytes
 * @info: address of the information
 *
 * Set a property of a registration:
 *
 * EVNTPROV_INFO_TRAITS: provider traits of at most EVNTPROV_MAX_TRAITS bytes.
 * They begin with their own total length in two bytes and a nul-terminated
 * name, followed by traits.  Each trait begins with its length in two bytes,
 * which includes these three bytes, and its type in one byte.  The traits are
 * recorded with each event, and block types are used from then on.  They can be
 * set once.  At most one trait of type EVNTPROV_TRAIT_GROUP contains the id of
 * the group that the registration joins: see evntprov(4).  If a session has
 * already enabled the group, the slot shows it on return, as for
 * EVNTPROV_IOC_REGISTER.
 *
 * EVNTPROV_INFO_DESCRIPTOR_TYPE: one byte; nonzero if block types are used.
 *
 * EVNTPROV_INFO_BINARY_TRACK: no information, @len is zero; sets
 * EVNTRACE_REGISTRATION_BINARY_TRACK and has no other effect.
 *
 * EVNTPROV_INFO_MANIFEST: @info is an address in a mapping of the file that
 * contains the provider's manifest, and @len is zero; the memory is not read.
 * Sessions that have enabled the provider receive an event that names the file:
 * see struct evntprov_manifest.  It can be set once.
 *
 * Errors:
 *
 *	EACCES		the caller may not join the group; the traits are set,
 *			but the registration is not a member
 *	EEXIST		the traits, or the manifest, have already been set
 *	EINVAL		@len is wrong; the traits are malformed, or the
 *			registration is a classic one; the mapping of the
 *			manifest is not of a regular file
 *	EFAULT		no mapping contains the address of the manifest
 *	ENAMETOOLONG	the path of the manifest's file has PATH_MAX bytes or
 *			more
 *	ENOENT		the file has no registration with this handle
 *	ENOSPC		registrations of the provider already name 64 other
 *			files
 *	EOPNOTSUPP	@info_class is unknown
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
/* Of no registration, only @size is also set: see "Private sessions" */
#define EVNTPROV_CONTROL_PRIVATE	3

/* The registration was disabled since its last notification, if only briefly */
#define EVNTPROV_NOTIFICATION_WAS_DISABLED	0x1u

/* Size of a buffer that any notification fits into */
#define EVNTPROV_MAX_NOTIFICATION	131072u

/**
 * struct evntprov_notification - result of read() of /dev/evntprov
 * @size: length in bytes of this structure and the filter data
 * @flags: EVNTPROV_NOTIFICATION_*
 * @handle: the registration
 * @source: source id passed by the controller, or zero
 * @control: EVNTPROV_CONTROL_*: the state after the change
 * @level: level, as in struct evntprov_enable
 * @reserved: zero
 * @match_any: match-any mask, as in struct evntprov_enable
 * @match_all: match-all mask, as in struct evntprov_enable
 * @filter_type: EVNTRACE_FILTER_SCHEMATIZED, or a type of the provider
 * @filter_len: length of the filter data in bytes, or 0 if there is none
 * @filter_offset: offset of the filter data from the start of this structure
 * @reserved2: zero
 *
 * read() returns one notification.  Without pending notifications it blocks, or
 * fails with EAGAIN on a non-blocking file.  Changes of a registration that
 * occur before it is read are merged into one notification of the resulting
 * state.  The next read() acknowledges all notifications returned before;
 * controllers that enable with a timeout wait for this acknowledgment.
 *
 * The filter data is the data that sessions passed for the provider to
 * interpret.  If there are filters with a struct evntprov_filter_header, it
 * contains the filters of all sessions, each aligned to 8 bytes.  Otherwise it
 * is the filter of the session that was the first to enable the provider with
 * one.  With EVNTPROV_CONTROL_CAPTURE_STATE, it is the data of the requests or,
 * if they had none, the data with which the provider is enabled.
 *
 * pread() at the offset of a registration's slot returns the present state of
 * the registration in the same form.  It never blocks, and neither consumes nor
 * acknowledges a notification.
 *
 * The structure may grow at its end, before the filter data.
 *
 * The owner of the file is the process that first registered a provider, or
 * called EVNTPROV_IOC_PRIVATE, through it.  Once the owner closes a
 * descriptor of the file, read() returns 0 and poll() reports EPOLLHUP.
 *
 * Errors; the notification remains to be read:
 *
 *	EFAULT		the buffer cannot be written
 *	EINTR		a signal was delivered
 *	EINVAL		the buffer is shorter than this structure; the offset of
 *			pread() is not the offset of a slot
 *	EMSGSIZE	the buffer is too short for the filter data
 *	ENOENT		pread(): the slot has no registration
 *	ENOMEM		there is no memory for the filter data
 */
struct evntprov_notification {
	__u32 size;
	__u32 flags;
	__aligned_u64 handle;
	struct evntprov_guid source;
	__u32 control;
	__u8 level;
	__u8 reserved[3];
	__aligned_u64 match_any;
	__aligned_u64 match_all;
	__u32 filter_type;
	__u32 filter_len;
	__u32 filter_offset;
	__u32 reserved2;
};

/**
 * struct evntprov_filter_header - EVENT_FILTER_HEADER
 * @id: id of a filter in the provider's manifest
 * @version: version of the filter
 * @reserved: zero
 * @session: zero from controllers; for providers, the bit of the session in
 *	@exclude of struct evntprov_write
 * @filter_len: length of this header and its data in bytes
 * @next_offset: zero from controllers; for providers, offset in bytes from this
 *	header to the header of the next session, or zero
 */
struct evntprov_filter_header {
	__u16 id;
	__u8 version;
	__u8 reserved[5];
	__aligned_u64 session;
	__u32 filter_len;
	__u32 next_offset;
};

/*
 * Stop the session with the last descriptor and mapping of the file that
 * EVNTRACE_IOC_START returned.  close() waits at most five seconds for the log
 * to be completed.
 */
#define EVNTRACE_START_BOUND		0x1u

/*
 * Clocks of sessions.  CLOCK_BOOTTIME in ns continues during suspend and is not
 * affected by setting the system time.  A FILETIME follows CLOCK_REALTIME when
 * it is set: later events may then have earlier times, and watermarks
 * guarantee nothing until the clock has caught up.
 */
#define EVNTRACE_CLOCK_QPC		1	/* CLOCK_BOOTTIME, in ns */
#define EVNTRACE_CLOCK_SYSTEM_TIME	2	/* FILETIME */

/* At most one of these three; without any, and without APPEND, no limit */
#define EVNTRACE_MODE_SEQUENTIAL	0x00000001u	/* stop at the limit */
#define EVNTRACE_MODE_CIRCULAR		0x00000002u	/* overwrite oldest */
#define EVNTRACE_MODE_NEWFILE		0x00000008u	/* begin another file */
/* Continue an existing file; requires EVNTRACE_CLOCK_SYSTEM_TIME */
#define EVNTRACE_MODE_APPEND		0x00000004u
/* Allocate the file up to its limit at the start; truncate it at the end */
#define EVNTRACE_MODE_PREALLOCATE	0x00000020u
/* Accept only events of owners with EVNTRACE_RIGHT_LOG_EVENT; see "Rights" */
#define EVNTRACE_MODE_SECURE		0x00000080u
/* Pass finished buffers to consumers at once, with or without a log file */
#define EVNTRACE_MODE_REAL_TIME		0x00000100u
/* Keep the newest finished buffers in memory; excludes a log file */
#define EVNTRACE_MODE_BUFFERING		0x00000400u
/* Private session without buffers or log file in the kernel; see there */
#define EVNTRACE_MODE_PRIVATE		0x00000800u
#define EVNTRACE_MODE_USE_KBYTES	0x00002000u	/* unit of the limit */
/* Isolate write failures between this session and others */
#define EVNTRACE_MODE_INDEPENDENT	0x08000000u
/* Share one buffer among all CPUs: events are in order of time, but slower */
#define EVNTRACE_MODE_NO_PER_CPU	0x10000000u

/* At most one of these two.  Number messages across sessions of this mode */
#define EVNTRACE_MODE_GLOBAL_SEQUENCE	0x00004000u
/* Number the messages of the session separately */
#define EVNTRACE_MODE_LOCAL_SEQUENCE	0x00008000u

/* Modes without effect, only returned by queries and recorded in log headers */
#define EVNTRACE_MODE_DELAY_OPEN_FILE	0x00000200u
#define EVNTRACE_MODE_ADD_HEADER	0x00001000u
/* Always the case: sessions end when the system shuts down */
#define EVNTRACE_MODE_STOP_ON_HYBRID_SHUTDOWN	0x00400000u
/* Never the case: buffers are in memory that cannot be paged out */
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
 * @log_fd: descriptor of the log file: an empty regular file, opened for
 *	writing and without O_APPEND.  It is -1 with BUFFERING, and may be -1
 *	with REAL_TIME unless a file mode is set.  With APPEND the file may be
 *	nonempty and must also be opened for reading.  The module reopens the
 *	file with the same access rights: flags set on the descriptor later
 *	have no effect, and locks of the descriptor persist as long as the log
 * @log_file_mode: EVNTRACE_MODE_*
 * @clock_type: EVNTRACE_CLOCK_*; 0 selects EVNTRACE_CLOCK_QPC
 * @buffer_size: size of a buffer in bytes, EVNTRACE_MIN_BUFFER_SIZE to
 *	EVNTRACE_MAX_BUFFER_SIZE, rounded up to a multiple of 4096 and to fit
 *	the log header; 0 selects the buffer size of the continued file, or 64
 *	KiB
 * @min_buffers: minimum number of buffers, at most EVNTRACE_MAX_BUFFERS; raised
 *	to two per online CPU, or to four with REAL_TIME or BUFFERING
 * @max_buffers: maximum number of buffers, at most EVNTRACE_MAX_BUFFERS; raised
 *	to @min_buffers; 0 selects @min_buffers plus 20; always @min_buffers
 *	with BUFFERING
 * @flush_ms: period in ms after which partly filled buffers are written; 0
 *	disables the timer, but selects 1000 with REAL_TIME; ignored with
 *	BUFFERING
 * @max_file_size: limit of the log file in MiB, or in KiB with
 *	EVNTRACE_MODE_USE_KBYTES, rounded down to whole buffers; 0: no limit
 * @handle: out: handle of the session
 * @series: with NEWFILE, address of a struct evntrace_newfile that describes
 *	the files after the first; otherwise zero
 * @filters: with PRIVATE, address of an array of struct evntrace_filter;
 *	otherwise zero
 * @filter_count: number of elements of @filters, 1 or 2 with PRIVATE; otherwise
 *	zero
 * @granted: out: rights of the descriptor, of EVNTRACE_OPEN_RIGHTS
 *
 * Start a session, and return a descriptor with all rights of the caller to it.
 *
 * Rights: an open file of /dev/evntrace, as for all ioctls below, and
 * EVNTRACE_RIGHT_CREATE_ONDISK or EVNTRACE_RIGHT_CREATE_REALTIME, or both, for
 * the session's id: see "Rights".
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

/* Descriptors of sessions: see evntprov(4) */

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
 * Open a session, by exactly one of its id, handle and name, and return a
 * close-on-exec descriptor.  Names are compared without regard to the case of
 * ASCII letters.  A private session has no id of its own; its name is found
 * only with its filters, which may accompany its handle.
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
 * struct evntrace_session - argument of EVNTRACE_IOC_QUERY and _CONTROL
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
 * @events_lost: out: number of lost events: sum of the four kinds below
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
 * @reserved: zero
 *
 * QUERY returns the properties and counters of a session.  CONTROL returns them
 * after its operation:
 *
 * Rights: EVNTRACE_RIGHT_QUERY to query; the rights that starting the session
 * requires for all operations.
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
 *
 * Change a running session.  All flags take effect at once; events accepted
 * before the call are processed as before the change.  Counters of the session
 * continue.  On failure the session is unchanged, and a new log file is empty.
 *
 * Rights: the rights to change the session, and the rights to start a session
 * with the new log file or in real-time mode.
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

/*
 * Private sessions
 *
 * EVNTRACE_IOC_START with EVNTRACE_MODE_PRIVATE starts a private session: a
 * session inside each participating process.  Its events never pass through the
 * kernel.  The module stores the properties of the session, notifies the
 * participating processes, and sums up the counters that they report.  Each
 * process allocates its own buffers, and opens its own log file with its own
 * rights; the file name is the log file's name followed by '_' and the process
 * id.
 *
 * A process participates if it registers, before or after the start, the
 * provider whose id is the session's id; if it passes the session's filters, of
 * type EVNTRACE_FILTER_PID or EVNTRACE_FILTER_EXECUTABLE_NAME or both; and if
 * the creator of the session could trace it.  A creator with CAP_SYS_PTRACE in
 * the initial user namespace can trace all processes.  Any other creator can
 * trace dumpable processes of the same user namespace whose user ids and group
 * ids all equal its effective ones, and whose capabilities are a subset of its
 * own.  The process must meet these conditions with its credentials of the
 * registration, and with its credentials at the time of the check.
 *
 * The handle of a private session has the bit EVNTRACE_PRIVATE_HANDLE set.  Its
 * descriptor supports EVNTRACE_IOC_QUERY, EVNTRACE_IOC_CONTROL to flush and
 * stop it, EVNTRACE_IOC_UPDATE, _ENABLE, and _LIST of its filters.  A private
 * session exists until it is stopped, even after its creator has exited.
 *
 * Rights: EVNTRACE_RIGHT_QUERY to query.  Starting, stopping, flushing,
 * updating and enabling providers require EVNTRACE_RIGHT_CREATE_ONDISK, as for
 * other sessions with a log file.  EVNTRACE_IOC_OPEN grants this right only to
 * a caller that could trace at least the processes that the creator can.
 *
 * FLUSH, STOP and UPDATE wait until all participating processes have reported,
 * or ended.  They fail with ETIMEDOUT after 30 seconds, and with EINTR on a
 * signal; the remaining processes complete the operation later.
 *
 * Errors of EVNTRACE_IOC_START that differ from other sessions:
 *
 *	EEXIST	a private session with this name, or with this id and these
 *		filters, exists
 *	EINVAL	a mode or the type of a filter is not supported; @flags,
 *		@time_zone or @series is not zero; @guid is zero; @log_fd is not
 *		-1; the log file's name is not an absolute path or is longer
 *		than EVNTRACE_MAX_PRIVATE_NAME
 *	EUSERS	EVNTRACE_MAX_PRIVATE exist, or a limit is reached
 */
#define EVNTRACE_PRIVATE_HANDLE		0x2000000000000000ull
#define EVNTRACE_MAX_PRIVATE		64
/* Maximum number of providers that a private session may enable */
#define EVNTRACE_MAX_PRIVATE_PROVIDERS	64
/* Maximum length of the log file's name: the process id is appended to it */
#define EVNTRACE_MAX_PRIVATE_NAME	(EVNTRACE_MAX_NAME - 16)

/* Queue a notification now if there are changes that were not queried */
#define EVNTPROV_PRIVATE_NOTIFY		0x1u
/* Queue no notification before the next call with NOTIFY, or without flags */
#define EVNTPROV_PRIVATE_DEFER		0x2u
/* The session of the process has ended, and its log is complete */
#define EVNTPROV_PRIVATE_DONE		0x4u

/* Bit of @state: the session is being stopped; complete the log and report */
#define EVNTPROV_PRIVATE_STOPPING	0x1u

/**
 * struct evntprov_private - argument of EVNTPROV_IOC_PRIVATE
 * @size: sizeof(struct evntprov_private)
 * @flags: zero, or one of EVNTPROV_PRIVATE_*
 * @handle: in: the private session that is reported on, or 0; out: the next one
 * @version: in: version of the session up to which the process has applied
 *	changes; out: version of the next session, incremented by each change
 * @error: errno of the last change that failed in the process, at most 4095, or
 *	zero
 * @events: number of events stored, as in struct evntrace_session
 * @events_lost: number of events lost
 * @buffers_written: number of buffers written to the log file
 * @buffers_lost: number of buffers that could not be written
 * @buffers: number of allocated buffers
 * @free_buffers: number of unused buffers
 * @description: address of the buffer for the description of the next session
 * @len: in: size of the buffer in bytes; out: length of the description
 * @state: out: EVNTPROV_PRIVATE_STOPPING, or zero
 * @guid: out: id of the session and of its provider
 * @log_file_mode: out: EVNTRACE_MODE_*
 * @clock_type: out: EVNTRACE_CLOCK_*, or 0
 * @buffer_size: out: size of a buffer in bytes as set, or 0
 * @min_buffers: out: minimum number of buffers as set
 * @max_buffers: out: maximum number of buffers as set
 * @flush_ms: out: current period of the flush timer in ms
 * @max_file_size: out: limit of the log file as set
 * @log_version: out: version of the last change of the log file's name
 * @flushes: out: number of flushes requested so far
 * @name_len: out: length of the session's name in UTF-16 units
 * @log_name_len: out: length of the log file's name, without process id
 * @enabled: out: number of enabled providers
 *
 * Participate in private sessions: the first call makes the owner of the file a
 * participant, by registrations made through the file after this call.  On each
 * change of a private session, the module queues a notification of
 * EVNTPROV_CONTROL_PRIVATE, and sets EVNTPROV_ENABLED_PRIVATE_PENDING in the
 * slots of providers that the private session has enabled.  Changes before the
 * notification is read are merged.
 *
 * If @handle is not zero, @version to @free_buffers report the state of the
 * process's part of this session.  With EVNTPROV_PRIVATE_DONE, the owner of the
 * file no longer participates in it.  A report on a session in which the owner
 * does not participate is ignored.
 *
 * Without flags, the call then returns the session with the next higher handle.
 * With a @handle of 0, this is the first one, and all changes count as queried.
 * The description consists of both names, one after the other, zero-padded to a
 * multiple of 8 bytes, and of a struct evntprov_private_enable for each enabled
 * provider.  If it is longer than the buffer, none of it is copied, and nothing
 * counts as queried.
 *
 * Errors: EINVAL if @error is above 4095; ENOENT without flags if there is no
 * session after @handle.
 */
struct evntprov_private {
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
	__aligned_u64 description;
	__u32 len;
	__u32 state;
	struct evntprov_guid guid;
	__u32 log_file_mode;
	__u32 clock_type;
	__u32 buffer_size;
	__u32 min_buffers;
	__u32 max_buffers;
	__u32 flush_ms;
	__u32 max_file_size;
	__u32 log_version;
	__u32 flushes;
	__u32 name_len;
	__u32 log_name_len;
	__u32 enabled;
};

/**
 * struct evntprov_private_enable - provider that a private session has enabled
 * @provider: id of the provider
 * @source: source id passed by the controller, or zero
 * @match_any: match-any mask as set
 * @match_all: match-all mask as set
 * @property: EVNTRACE_PROPERTY_* as set
 * @level: level as set
 * @reserved: zero
 * @version: version of the session at which this provider was last enabled
 * @captures: number of capture-state requests so far
 * @filter_count: number of filters
 * @len: length of the filters in bytes
 *
 * The filters follow, in the format of EVNTRACE_LIST_FILTERS.
 */
struct evntprov_private_enable {
	struct evntprov_guid provider;
	struct evntprov_guid source;
	__aligned_u64 match_any;
	__aligned_u64 match_all;
	__u32 property;
	__u8 level;
	__u8 reserved[3];
	__u32 version;
	__u32 captures;
	__u32 filter_count;
	__u32 len;
};

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
 *
 * Attach the descriptor to its session as a consumer.  The session allocates
 * @max_held additional buffers, charged to the caller's memory cgroup and to
 * the user that started the session, unless an earlier consumer left enough of
 * them.
 *
 * Rights: EVNTRACE_RIGHT_ACCESS_REALTIME.
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
 * struct evntrace_next - argument of EVNTRACE_IOC_NEXT
 * @size: sizeof(struct evntrace_next)
 * @flags: zero
 * @state: out: EVNTRACE_NEXT_*
 * @index: out: with EVNTRACE_NEXT_BUFFER, index of the buffer, which is at
 *	offset (@index + 1) * stride in the mapping
 * @length: out: number of bytes of the buffer up to the end of the last event
 * @reserved: zero
 * @watermark: out: time in the session's clock, signed
 * @buffers_missed: out: number of buffers missed before this one, since the
 *	last call
 * @events_missed: out: number of events in the missed buffers
 *
 * Take the next finished buffer.  The ioctl does not wait.  Without
 * EVNTRACE_NEXT_BUFFER, it reports a new watermark, missed buffers, or the end
 * of the session.
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
 * struct evntrace_release - argument of EVNTRACE_IOC_RELEASE
 * @size: sizeof(struct evntrace_release)
 * @flags: zero
 * @index: index of a buffer returned by EVNTRACE_IOC_NEXT
 * @reserved: zero
 *
 * Return a buffer to the session.
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
 * @log_name: address of the file's name for its log header, UTF-16 without a
 *	nul
 * @time_zone: as for struct evntrace_start
 * @log_name_len: length of @log_name in UTF-16 units, 0 to EVNTRACE_MAX_NAME
 * @log_fd: descriptor of an empty regular file, opened for reading and writing,
 *	without O_APPEND
 * @buffers: out: number of buffers written, including the header
 * @events: out: number of events written
 *
 * Write the buffers in memory of a session of EVNTRACE_MODE_BUFFERING or
 * _REAL_TIME to a file while the session continues.  The file has the format of
 * a log whose session has just ended.
 *
 * Rights: the same as for EVNTRACE_IOC_CONTROL.
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

/*
 * Properties of an enablement: values of EVENT_ENABLE_PROPERTY_*.  SID, TS_ID,
 * STACK_TRACE, PSM_KEY, PROCESS_START_KEY, EVENT_KEY, SILOS and CONTAINER add
 * an extended item to the record of each event in this session.
 */
/* Item SID: S-1-22-1-UID with the writer's effective user id */
#define EVNTRACE_PROPERTY_SID			0x1u
/* Item TS_ID: number of the writer's login session, or 0 outside of any */
#define EVNTRACE_PROPERTY_TS_ID			0x2u
/*
 * Item STACK_TRACE64: call stack of the writer, as far as frame pointers lead,
 * up to 192 frames.  It includes kernel frames only if every session that
 * receives the stack enabled it with CAP_PERFMON, before the session admitted a
 * reader without CAP_PERFMON, and if lockdown permits; see evntprov(4).  Events
 * of EVNTPROV_IMAGES_PROVIDER describe the files that the addresses belong to:
 * see struct evntprov_image.
 */
#define EVNTRACE_PROPERTY_STACK_TRACE		0x4u
/*
 * Item PSM_KEY: package of the process that registered the provider, as matched
 * by EVNTRACE_FILTER_PACKAGE_ID, in UTF-16 with a nul; characters beyond ASCII
 * are replaced by '?'.  The package is determined when a session first enables
 * the registration with this property.  A process without package has no such
 * item.
 */
#define EVNTRACE_PROPERTY_PSM_KEY		0x8u
/* @provider of the enablement is a group: see evntprov(4) */
#define EVNTRACE_PROPERTY_PROVIDER_GROUP	0x20u
/* Exclude events with keyword 0 */
#define EVNTRACE_PROPERTY_IGNORE_KEYWORD_0	0x10u
/* Include events with keyword 0, as by default; not with IGNORE_KEYWORD_0 */
#define EVNTRACE_PROPERTY_ENABLE_KEYWORD_0	0x40u
/*
 * Item PROCESS_START_KEY: a number unique to the process until the next boot.
 * The low 22 bits are the process id; the remaining bits are the start time in
 * clock ticks, as in /proc/PID/stat.
 */
#define EVNTRACE_PROPERTY_PROCESS_START_KEY	0x80u
/* Item EVENT_KEY: a number unique to the event and equal in all sessions */
#define EVNTRACE_PROPERTY_EVENT_KEY		0x100u
/* Exclude events written with EVNTPROV_WRITE_INPRIVATE */
#define EVNTRACE_PROPERTY_EXCLUDE_INPRIVATE	0x200u
/*
 * Item CONTAINER_ID: a GUID as text, without braces or nul, whose last 16
 * digits are the id of the writer's cgroup and whose first digits are zero.
 * Each of the two properties adds it.
 */
#define EVNTRACE_PROPERTY_SILOS			0x400u
#define EVNTRACE_PROPERTY_CONTAINER		0x800u
/*
 * Records of struct evntprov_process name the processes that have registered
 * the provider.  The value is none of Windows.
 */
#define EVNTRACE_PROPERTY_PROCESS_NAME		0x01000000u

#define EVNTRACE_TIMEOUT_INFINITE	0xffffffffu

/*
 * Provider of the module's own events: the id derived from the name
 * Evntprov-Images.  The events are TraceLogging events, which describe their
 * own fields, of version 0, and are distinguished by their opcode.  Later
 * versions may append fields.  A session receives these events regardless of
 * its filters, and without enabling the provider.
 */
#define EVNTPROV_IMAGES_PROVIDER {{					\
	0x36, 0xb7, 0x7c, 0x13, 0x26, 0xe9, 0xb2, 0x55,			\
	0xed, 0x8d, 0x46, 0xdd, 0x97, 0x6d, 0xfa, 0xda }}

#define EVNTPROV_IMAGE_OPCODE		3	/* Image; DC_START */
#define EVNTPROV_MANIFEST_OPCODE	0	/* Manifest */

/**
 * struct evntprov_image - beginning of the data of an Image event
 * @base: address of an executable mapping of a file in the process named by the
 *	event header
 * @size: length of the mapping in bytes
 * @offset: offset of the mapping in the file, in bytes
 * @start_key: EVNTRACE_PROPERTY_PROCESS_START_KEY of the process
 * @execs: number of programs that the process executed before; mappings of an
 *	earlier program no longer exist
 *
 * Two nul-terminated strings follow: the build id of the file in hexadecimal,
 * empty if it has none, and the name of the file as seen by the process.
 *
 * A session receives an event for each image of a process before the first
 * event with a call stack of that process, and for each new image before a
 * later one.  Events written with EVNTPROV_WRITE_NO_FAULTING do not trigger
 * this.  If no buffer is free, an image is recorded before the next event.
 */
struct evntprov_image {
	__aligned_u64 base;
	__aligned_u64 size;
	__aligned_u64 offset;
	__aligned_u64 start_key;
	__aligned_u64 execs;
};

/**
 * struct evntprov_manifest - beginning of the data of a Manifest event
 * @provider: provider whose events the manifest describes
 *
 * Two nul-terminated strings follow: the build id of the file that contains the
 * manifest, in hexadecimal, empty if it has none, and the name of the file as
 * seen by the process that registered the provider.  The event header names
 * that process.
 *
 * A session that has enabled a registration with EVNTPROV_INFO_MANIFEST
 * receives this event before the first event of the registration, once for all
 * registrations of the provider that name the same file.  The event is repeated
 * when a log file begins, when a consumer attaches, as often as a circular log
 * or a log in memory needs to contain it, and when the provider's state is
 * captured.
 */
struct evntprov_manifest {
	struct evntprov_guid provider;
};

/* Bit of @flags that marks the record; none of Windows' kernel has it */
#define EVNTPROV_PROCESS_NAMED			0x80000000u

/**
 * struct evntprov_process - beginning of the data of a record that names a
 * process
 * @key: zero
 * @process_id: process id
 * @parent_id: zero
 * @session_id: zero
 * @exit_status: 0x103, STILL_ACTIVE
 * @page_table: zero
 * @flags: EVNTPROV_PROCESS_NAMED
 * @sid: zero: no SID follows
 *
 * The record is in the form of Windows' kernel: class Process, type DCStart,
 * version 4, in the short header without thread and process.  Four
 * nul-terminated strings follow: the name of the executable at the
 * registration, in bytes; command line, package and application in UTF-16,
 * which are empty.
 *
 * A session that has enabled a registration with EVNTRACE_PROPERTY_PROCESS_NAME
 * receives the record before the first event of the registration, once for all
 * registrations of an open file.  It is repeated on the same occasions as an
 * event of struct evntprov_manifest.  It is not counted as an event, but as a
 * lost one if the session has no room for it.  Providers in the kernel have
 * none.
 */
struct evntprov_process {
	__aligned_u64 key;
	__u32 process_id;
	__u32 parent_id;
	__u32 session_id;
	__s32 exit_status;
	__aligned_u64 page_table;
	__u32 flags;
	__u32 sid;
};

/*
 * Filters
 *
 * Types have the values of EVENT_FILTER_TYPE_*, and filters have the layout of
 * the corresponding structures of Windows.  A session receives an event that
 * passes its level, its keywords, and all of its filters.
 *
 * TraceLogging events are events with a block of type
 * EVNTPROV_DATA_EVENT_METADATA, which contains the name of the event.
 */

/*
 * Filters by process, the first four types, determine the processes in which
 * the provider is enabled at all: the processes that match all of these
 * filters.  Other processes behave as if the session had not enabled the
 * provider.  A registration belongs to the process that made it.
 *
 * EVNTRACE_FILTER_PID: process ids, __u32 each, in the caller's pid namespace,
 * up to EVNTRACE_MAX_FILTER_PIDS.  Processes that reuse the ids later do not
 * match.
 */
#define EVNTRACE_FILTER_PID			0x80000004u
/*
 * Executable names in UTF-8, separated by semicolons, with an optional final
 * nul.  They match the name, without directory, of the executable file that the
 * process was running when it registered the provider.  The case of ASCII
 * letters is ignored.
 */
#define EVNTRACE_FILTER_EXECUTABLE_NAME		0x80000008u
/*
 * Package names, in the same format.  The package is derived from the cgroup of
 * the process: the name of its snap, the id of its flatpak application, or
 * otherwise its innermost systemd service or scope.  The cgroup is evaluated
 * when the provider is enabled, or when it is registered later.
 */
#define EVNTRACE_FILTER_PACKAGE_ID		0x80000010u
/* Application names, in the same format: SNAP.APP for a snap, or the package */
#define EVNTRACE_FILTER_PACKAGE_APP_ID		0x80000020u
/*
 * Event ids: __u8 in, __u8 reserved, __u16 count, __u16 id[count], at most
 * EVNTRACE_MAX_FILTER_IDS.  Events with these ids pass, or all others if @in is
 * zero.  TraceLogging events are not filtered.
 */
#define EVNTRACE_FILTER_EVENT_ID		0x80000200u
/*
 * Names of TraceLogging events: __u64 match_any, __u64 match_all, __u8 level,
 * __u8 in, __u16 count, and @count nul-terminated names.  Events up to this
 * level, with these keywords and one of these names pass, or all others if @in
 * is zero.  A @level or @match_any of 0 matches all; @match_all is ignored if
 * @match_any is 0.  Other events are not filtered.
 */
#define EVNTRACE_FILTER_EVENT_NAME		0x80000400u

/*
 * Program that examines the data of an event: struct evntrace_program.
 * TraceLogging events are not filtered.
 */
#define EVNTRACE_FILTER_PAYLOAD			0x80000100u

/*
 * Filters of call stacks, for EVNTRACE_PROPERTY_STACK_TRACE: an event of the
 * session is recorded with its stack if it matches all of these filters.
 * Filters by id and by name have the formats above.  A filter by level and
 * keyword, which applies to all events, is __u64 match_any, __u64 match_all,
 * __u8 level, __u8 in, with the same meaning.
 */
#define EVNTRACE_FILTER_STACKWALK		0x80001000u
#define EVNTRACE_FILTER_STACKWALK_NAME		0x80002000u
#define EVNTRACE_FILTER_STACKWALK_LEVEL_KW	0x80004000u

/*
 * Filter data for the provider, which the module passes on without interpreting
 * it; at most one per session.  It is a struct evntprov_filter_header followed
 * by data in the format of the provider's manifest, or, with a nonzero type
 * without EVNTRACE_FILTER_BUILT_IN, data in any format known to the provider.
 */
#define EVNTRACE_FILTER_SCHEMATIZED		0x80000000u
#define EVNTRACE_FILTER_BUILT_IN		0x80000000u

/*
 * Handle of a session, __u64, for EVNTPROV_CONTROL_CAPTURE_STATE of
 * EVNTRACE_SYSTEM_CONTROL: request the state of all providers that this session
 * has enabled.
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
 * @ptr: address of the filter
 * @len: length of the filter in bytes, at most EVNTRACE_MAX_FILTER_SIZE, or
 *	EVNTRACE_MAX_FILTER_LIST_SIZE for lists of names in UTF-8,
 *	EVNTRACE_MAX_FILTER_NAMES_SIZE for names of events, and
 *	EVNTRACE_MAX_PROGRAM_SIZE for programs
 * @type: EVNTRACE_FILTER_*
 */
struct evntrace_filter {
	__aligned_u64 ptr;
	__u32 len;
	__u32 type;
};

/*
 * Programs of EVNTRACE_FILTER_PAYLOAD
 *
 * A program is a struct evntrace_program, followed by its instructions and by
 * the texts that they compare with.  Its state is a position in the data and
 * EVNTRACE_REGISTERS registers, all initially zero.  Execution starts at the
 * first instruction and ends at EVNTRACE_OP_END, which determines whether the
 * event passes.  An instruction whose condition is false, or whose field is not
 * in the data, skips the next @jump instructions; therefore each instruction is
 * executed at most once.  After EVNTRACE_MAX_CHARACTERS characters of texts
 * have been examined, counting repetitions, every condition on a text is false.
 *
 * All numbers are little-endian.  Texts are compared without regard to the case
 * of ASCII letters.
 */
#define EVNTRACE_MAX_PROGRAM_SIZE	4096
#define EVNTRACE_PROGRAM_VERSION	1
#define EVNTRACE_REGISTERS		8
#define EVNTRACE_MAX_CHARACTERS	65536

/* End: the event passes if @arg is 1, and does not pass if it is 0 */
#define EVNTRACE_OP_END			0
/* Skip @jump instructions */
#define EVNTRACE_OP_JUMP		1
/* True if @arg equals the event's id | version << 16 */
#define EVNTRACE_OP_EVENT		2
/* Set the position to @arg */
#define EVNTRACE_OP_AT			3
/* Advance the position by @arg bytes */
#define EVNTRACE_OP_MOVE		4
/* Advance the position by @arg bytes times register @how */
#define EVNTRACE_OP_MOVE_BY		5
/* Advance the position by @arg pointers of the writer, 4 or 8 bytes each */
#define EVNTRACE_OP_MOVE_POINTERS	6
/* Advance the position past a text; @how, @arg: EVNTRACE_TEXT_* */
#define EVNTRACE_OP_MOVE_TEXT		7
/* Advance the position past a SID */
#define EVNTRACE_OP_MOVE_SID		8
/*
 * Load register @value with the unsigned number @arg bytes after the position;
 * @how: EVNTRACE_NUMBER_*
 */
#define EVNTRACE_OP_LOAD		9
/*
 * True if the number @arg bytes after the position compares to @value as one of
 * the EVNTRACE_CMP_* in @how; @how also contains EVNTRACE_NUMBER_*
 */
#define EVNTRACE_OP_COMPARE		10
/* True if the number @arg bytes after the position is a multiple of @value */
#define EVNTRACE_OP_MULTIPLE		11
/*
 * True if the text at the position equals, or contains, the text of the
 * program; inverted by EVNTRACE_TEXT_NOT.  The low half of @value is the offset
 * of the text of the program from the program's start, and the high half is its
 * length, both in bytes.  @how, @arg: EVNTRACE_TEXT_*
 */
#define EVNTRACE_OP_TEXT_IS		12
#define EVNTRACE_OP_TEXT_CONTAINS	13

#define EVNTRACE_CMP_LT		0x01
#define EVNTRACE_CMP_EQ		0x02
#define EVNTRACE_CMP_GT		0x04
#define EVNTRACE_NUMBER_SIGNED		0x08
#define EVNTRACE_NUMBER_1		0x00	/* width: 1, 2, 4 or 8 bytes */
#define EVNTRACE_NUMBER_2		0x10
#define EVNTRACE_NUMBER_4		0x20
#define EVNTRACE_NUMBER_8		0x30

#define EVNTRACE_TEXT_8			0x00	/* 8-bit characters */
#define EVNTRACE_TEXT_16		0x01	/* UTF-16 */
#define EVNTRACE_TEXT_NUL		0x00	/* up to a nul or the end */
/* preceded by its length in bytes, a __u16 */
#define EVNTRACE_TEXT_COUNTED		0x02
/* @arg characters, or as many as in register @arg; compared up to a nul */
#define EVNTRACE_TEXT_FIXED		0x04
#define EVNTRACE_TEXT_REGISTER		0x06
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

/*
 * Change nothing, and wait as after a change.  Only @provider, the property
 * EVNTRACE_PROPERTY_PROVIDER_GROUP and @timeout_ms are used, or, for a private
 * session, only @timeout_ms.  A caller that was interrupted while waiting may
 * resume with this flag.  The ioctl returns 0 at once if the provider, or the
 * private session, does not exist.
 */
#define EVNTRACE_ENABLE_WAIT		0x1u

/**
 * struct evntrace_enable - argument of EVNTRACE_IOC_ENABLE
 * @size: sizeof(struct evntrace_enable)
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
 * @filters: address of an array of struct evntrace_filter
 *
 * Enable or disable a provider for a session, or request the provider's state.
 * Enabling again replaces all previous settings, including filters.  Disabling
 * a provider that is not enabled succeeds.  EVNTPROV_CONTROL_CAPTURE_STATE
 * accepts filter data for the provider, which is passed on once, or
 * EVNTRACE_FILTER_TRACEHANDLE, for which the ioctl does not wait.
 *
 * Rights: the rights to change the session, and EVNTRACE_RIGHT_GUID_ENABLE for
 * @provider.
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
};

/**
 * struct evntrace_filter_info - header of a filter in EVNTRACE_LIST_FILTERS
 * @type: EVNTRACE_FILTER_*, or a type of the provider
 * @len: length in bytes of the filter, which follows this header
 *
 * The list contains the filters of an enablement as they were set, each padded
 * with zeroes to a multiple of 8 bytes.  Process ids are translated to the
 * caller's pid namespace; 0 replaces a process that the namespace does not
 * contain, or that did not exist when the filter was set.  The list of a
 * private session contains the filters that it was started with, unchanged.
 */
struct evntrace_filter_info {
	__u32 type;
	__u32 len;
};

#define EVNTRACE_MAX_CAPTURE		256	/* providers per session */
#define EVNTRACE_MAX_CAPTURE_PERIOD	86400u	/* in seconds: one day */
#define EVNTRACE_MAX_DISALLOWED		256	/* providers per session */

#define EVNTRACE_LIST_SESSIONS		0	/* __u64, handles */
#define EVNTRACE_LIST_REGISTRATIONS	1	/* struct evntrace_registration */
#define EVNTRACE_LIST_ENABLEMENTS	2	/* struct evntrace_enablement */
#define EVNTRACE_LIST_ACCESS		3	/* struct evntrace_access_entry */
#define EVNTRACE_LIST_USERS		4	/* struct evntrace_user */
/* Lists of a session */
#define EVNTRACE_LIST_CPUS		5	/* struct evntrace_cpu */
#define EVNTRACE_LIST_FILTERS		6	/* __u64: evntrace_filter_info */
#define EVNTRACE_LIST_CAPTURE_STATE	7	/* struct evntprov_guid */
#define EVNTRACE_LIST_DISALLOWED	8	/* struct evntprov_guid */
#define EVNTRACE_LIST_PRIVATE		9	/* __u64, of private sessions */

/**
 * struct evntrace_cpu - element of EVNTRACE_LIST_CPUS
 * @events: number of events stored in buffers
 * @events_lost: number of events lost: @events_no_buffer, @events_too_large and
 *	@events_unreadable of struct evntrace_session
 *
 * Elements are in the order of CPU numbers.  Their sums are the counters of
 * EVNTRACE_IOC_QUERY.
 */
struct evntrace_cpu {
	__aligned_u64 events;
	__aligned_u64 events_lost;
};

/*
 * Block types are used: by EVNTPROV_INFO_TRAITS or
 * EVNTPROV_INFO_DESCRIPTOR_TYPE
 */
#define EVNTRACE_REGISTRATION_TYPES		0x100u
/* EVNTPROV_INFO_BINARY_TRACK was set */
#define EVNTRACE_REGISTRATION_BINARY_TRACK	0x200u
/* EVNTPROV_INFO_TRAITS was set */
#define EVNTRACE_REGISTRATION_TRAITS		0x400u
/* A kernel module registered the provider */
#define EVNTRACE_REGISTRATION_KERNEL		0x800u

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
 *
 * The list contains the user that the caller is charged as, if it is charged
 * for anything.  Callers exempt from the limits of a user receive all users.
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
 * Access to providers and sessions is controlled per GUID.  A GUID may have an
 * access list.  Each entry allows or denies rights to a user, to a group, to
 * the owner of the session, to callers with CAP_SYS_ADMIN, or to everyone.  A
 * caller lacks a right that any matching entry denies; otherwise it has a right
 * that a matching entry allows; otherwise it lacks the right.  A GUID without a
 * list uses the list of EVNTRACE_ACCESS_DEFAULT, and without that the following
 * one, within the permissions of the two devices:
 *
 *	SUBJECT_OWNER	EVNTRACE_RIGHTS_ALL
 *	SUBJECT_ADMIN	EVNTRACE_RIGHTS_ALL
 *	SUBJECT_EVERYONE	EVNTRACE_RIGHTS_DEFAULT
 *
 * By default, a caller may therefore start sessions, which it owns, and query
 * all sessions.  It may not change, stop or consume the sessions of other
 * users.
 *
 * An explicit list also restricts root and the owner.  A list persists until it
 * is removed or the module is unloaded, whether or not a provider or session
 * with the GUID exists.  Users and groups are compared as kernel ids,
 * independent of user namespaces.
 *
 * Rights have the values of Windows.  An ioctl fails with EACCES without the
 * rights that it requires:
 *
 *	RIGHT_QUERY		query the session, its CPUs and its filters, and
 *				find it in lists
 *	RIGHT_CREATE_ONDISK	start, flush, update and stop a session with a
 *				log file or of EVNTRACE_MODE_BUFFERING, and
 *				enable providers for it
 *	RIGHT_CREATE_REALTIME	the same for a session of
 *				EVNTRACE_MODE_REAL_TIME
 *	RIGHT_GUID_ENABLE	enable or disable the provider or group, or
 *				request its state
 *	RIGHT_LOG_EVENT		write events to a session of
 *				EVNTRACE_MODE_SECURE.  The right is checked for
 *				the process that made the registration.  Events
 *				without it skip the session without an error.
 *	RIGHT_ACCESS_REALTIME	consume the session in real time
 *	RIGHT_REGISTER_GUIDS	register the provider
 *	RIGHT_JOIN_GROUP	make a registration a member of the group
 *
 * Other rights can be set, but have no effect.
 */
#define EVNTRACE_RIGHT_QUERY		0x0001u
#define EVNTRACE_RIGHT_CREATE_REALTIME	0x0020u
#define EVNTRACE_RIGHT_CREATE_ONDISK	0x0040u
#define EVNTRACE_RIGHT_GUID_ENABLE	0x0080u
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
/* Effective user of the process that started the session */
#define EVNTRACE_SUBJECT_OWNER	3
/* Callers with CAP_SYS_ADMIN in the initial user namespace */
#define EVNTRACE_SUBJECT_ADMIN	4

/* Deny the rights of the entry */
#define EVNTRACE_ACCESS_DENY		0x1u

#define EVNTRACE_MAX_ACCESS_LISTS	4096
#define EVNTRACE_MAX_ACCESS_ENTRIES	64	/* per list */

/**
 * struct evntrace_access - argument of EVNTRACE_IOC_SET_ACCESS
 * @size: sizeof(struct evntrace_access)
 * @flags: EVNTRACE_ACCESS_DENY, or zero
 * @guid: id of a provider, group or session, which need not exist
 * @operation: EVNTRACE_ACCESS_ADD, _SET or _REMOVE
 * @subject: EVNTRACE_SUBJECT_*
 * @id: id of the user or group in the caller's user namespace; otherwise zero
 * @rights: EVNTRACE_RIGHT_*, at least one
 *
 * Change the access list of a GUID.  EVNTRACE_ACCESS_ADD starts from the list
 * in force, and merges the rights into an existing entry that allows, or
 * denies, for the same subject.  EVNTRACE_ACCESS_SET makes the entry the only
 * one.  EVNTRACE_ACCESS_REMOVE removes the list, and succeeds without one; all
 * fields after @operation, and @flags, must be zero.
 *
 * Existing sessions, their descriptors, enablements and registrations are not
 * affected.  When the ioctl returns, a registration that lost RIGHT_LOG_EVENT no
 * longer writes events to the session.
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

/**
 * struct evntrace_access_entry - element of EVNTRACE_LIST_ACCESS
 * @guid: GUID of the list that contains the entry
 * @subject: EVNTRACE_SUBJECT_*
 * @id: id of the user or group in the caller's user namespace
 * @rights: EVNTRACE_RIGHT_*
 * @flags: EVNTRACE_ACCESS_DENY, or zero
 *
 * The entries of a list are adjacent; entries that deny precede the others.
 */
struct evntrace_access_entry {
	struct evntprov_guid guid;
	__u32 subject;
	__u32 id;
	__u32 rights;
	__u32 flags;
};

/* Query a part of a list; a cursor of zero selects the first part */
#define EVNTRACE_LIST_PART		0x1u
/* EVNTRACE_LIST_FILTERS: @provider is the id of a group */
#define EVNTRACE_LIST_GROUP		0x2u

/**
 * struct evntrace_cursor - position in a list, opaque to callers
 * @id: id of a provider or group
 * @position: position of an element within it
 * @until: newest provider or registration that existed at the first part
 */
struct evntrace_cursor {
	struct evntprov_guid id;
	__aligned_u64 position;
	__aligned_u64 until;
};

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
 * @cursor: in: zero, or with EVNTRACE_LIST_PART the cursor returned with the
 *	previous part; out: with EVNTRACE_LIST_PART, cursor of the next part
 *
 * List objects of the module, by /dev/evntrace; or list objects of a session,
 * or replace a list, by a descriptor of the session.
 *
 * Rights: EVNTRACE_RIGHT_QUERY for a list of a session.  Elsewhere, a session
 * without it is omitted, including its enablements and its bits in masks.  To
 * set, the rights to change the session, and for EVNTRACE_LIST_CAPTURE_STATE,
 * EVNTRACE_RIGHT_GUID_ENABLE for each provider.
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
	struct evntrace_cursor cursor;
};

#endif /* _UAPI_LINUX_EVNTPROV_H */
