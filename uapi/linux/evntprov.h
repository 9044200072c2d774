/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Interface between the evntprov module and event writers, by /dev/evntprov.
 * linux/evntrace.h is the interface of controllers and real-time consumers, by
 * /dev/evntrace.  evntprov(4) describes what the ioctls of both do, the rights that
 * they require, and their errors.
 *
 * DOC: rules for every ioctl
 *
 * The argument points to a structure.  Its first field, @size, is the size of
 * the structure in bytes as known to the caller; its second field, @flags, is
 * zero unless the structure's description names flags.  Fields with "reserved"
 * in their name are zero.  A structure may grow at its end: the module accepts a
 * shorter one and treats the missing part as zero, and accepts a longer one if
 * the part unknown to the module is zero.  Output is truncated to the size passed
 * by the caller.
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
 *	EACCES	the caller lacks a right: see evntprov(4)
 *	EINTR	the caller was killed while waiting for a lock; nothing changed
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
#define EVNTPROV_IOC_DRAIN		_IO(EVNTPROV_IOC_TYPE, 0x06)
#define EVNTPROV_IOC_RESCUE		_IO(EVNTPROV_IOC_TYPE, 0x07)

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

/* Bits of @enabled: at least one session has enabled the registration */
#define EVNTPROV_ENABLED_SESSION		0x1u
/* A private session has enabled it, and the owner has not queried the change */
#define EVNTPROV_ENABLED_PRIVATE_PENDING	0x8u
/* With EVNTPROV_ENABLED_SESSION: events may be written to a ring */
#define EVNTPROV_ENABLED_RING			0x10u
/* The same, for a registration that uses the types of data */
#define EVNTPROV_ENABLED_RING_TYPES		0x20u

/**
 * struct evntprov_enable - state of one registration in the enable area
 * @sequence: odd while the kernel changes the fields below
 * @enabled: EVNTPROV_ENABLED_*; EVNTPROV_ENABLED_PRIVATE_PENDING is set only in
 *	files that called EVNTPROV_IOC_PRIVATE, and EVNTPROV_ENABLED_RING or
 *	_RING_TYPES only for registrations with EVNTPROV_REGISTER_RING
 * @level: highest level that any session enabled; 255 if one enabled all levels
 * @set_level: level as set by @session: 0 stands for all levels
 * @set_any: 1 if @session set a match-any mask, which is @match_any then; 0 if
 *	it enabled all keywords by a mask of zero
 * @match_any: union of the sessions' match-any masks; all bits if a session
 *	enabled all keywords
 * @match_all: keyword bits that all sessions require
 * @session: handle of the session that has enabled a classic registration, or
 *	zero; zero for other registrations, as are @set_level and @set_any
 *
 * The first EVNTPROV_ENABLE_AREA_SIZE bytes of /dev/evntprov, mapped shared and
 * read-only, are an array of EVNTPROV_MAX_SLOTS such structures.
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
/* The registration is a classic one: see evntprov(4) */
#define EVNTPROV_REGISTER_CLASSIC	0x2u
/* The owner's threads may write its events to rings */
#define EVNTPROV_REGISTER_RING		0x4u

/**
 * struct evntprov_register - argument of EVNTPROV_IOC_REGISTER and _UNREGISTER
 * @size: sizeof(struct evntprov_register)
 * @flags: EVNTPROV_REGISTER_*; to unregister, zero
 * @provider: id of the provider; to unregister, zero
 * @handle: handle chosen by the caller; see "Handles and slots"
 */
struct evntprov_register {
	__u32 size;
	__u32 flags;
	struct evntprov_guid provider;
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

/* Fields that precede the data of a message, in this order */
#define EVNTPROV_MESSAGE_SEQUENCE	0x01u	/* number, in *_SEQUENCE modes */
#define EVNTPROV_MESSAGE_GUID		0x02u	/* class id, or COMPONENT: */
#define EVNTPROV_MESSAGE_COMPONENT	0x04u	/* first four bytes of it */
#define EVNTPROV_MESSAGE_TIMESTAMP	0x08u	/* time of the message */
#define EVNTPROV_MESSAGE_SYSTEMINFO	0x20u	/* ids of thread and process */

/**
 * struct evntprov_write - argument of EVNTPROV_IOC_WRITE
 * @size: sizeof(struct evntprov_write)
 * @flags: EVNTPROV_WRITE_*; for a record of a classic provider, EVNTPROV_TRACE_*
 *	and EVNTPROV_WRITE_ONE_BLOCK only
 * @handle: the registration
 * @descriptor: descriptor of the event; see below for a classic provider's
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
 * Write an event to the sessions that have enabled the provider for it, or a
 * record of a classic provider to @session.  Of the descriptor of such a record,
 * id is the version of the class, opcode the type, and level the level; of a
 * message, id is the number, and task is EVNTPROV_MESSAGE_*.  For
 * EVNTPROV_TRACE_INSTANCE, the low half of the keyword is the instance id within
 * the class, and the high half the instance id within the parent class.  All
 * other fields are zero.
 */
struct evntprov_write {
	__u32 size;
	__u32 flags;
	__aligned_u64 handle;
	struct evntprov_descriptor descriptor;
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

/* Classes of information: values of EVENT_INFO_CLASS */
#define EVNTPROV_INFO_BINARY_TRACK	0	/* no information */
#define EVNTPROV_INFO_TRAITS		2	/* provider traits */
#define EVNTPROV_INFO_DESCRIPTOR_TYPE	3	/* a byte: types are used */
/* Class of its own: an address in a mapping of the manifest's file; no length */
#define EVNTPROV_INFO_MANIFEST		0x100

#define EVNTPROV_TRAIT_GROUP		1	/* type of a trait: id of a group */
#define EVNTPROV_MAX_TRAITS		4096	/* length in bytes */

/*
 * Rings
 *
 * A thread may write events without a system call, into a ring that it maps,
 * shared and writable, at EVNTPROV_RING_OFFSET of the file: a page that starts
 * with struct evntprov_ring, then EVNTPROV_RING_SIZE bytes of data, and the same
 * data once more, so that no record is divided.  The mapping belongs to the
 * thread that made it; a child process does not inherit it.
 *
 * A record is an EVENT_HEADER and the data of an event, at most
 * EVNTPROV_RING_MAX_RECORD bytes, and starts at a multiple of 8.  The writer sets
 * Size, Flags, TimeStamp, EventDescriptor, ActivityId, and in place of the first
 * half of ProviderId the handle of a registration with EVNTPROV_ENABLED_RING or
 * _RING_TYPES.  TimeStamp is CLOCK_BOOTTIME in ns without EVNTPROV_RING_COUNTER.
 * With it, which @flags of the ring must have, it is the processor's counter, TSC
 * of x86 or cntvct_el0 of arm64; the module computes the time.  With
 * EVNTPROV_RING_ITEMS, extended items stand between header and data, as in a log:
 * the related activity, the traits of the provider, the event's metadata, each at
 * most once.  Traits as long as the registration's need not be written.
 *
 * The module sets the rest, and raises or lowers a time that is not within the
 * interval since the last drain.  It copies records before each change of an
 * enablement, at each flush, and when the mapping or the process ends.  If the
 * writer leaves anything but records, or if another process writes to the ring
 * after the first has ended or executed a program, all of it is dropped, and
 * counted once as lost.
 *
 * Whatever had them copied, @lost grows with each record that a session loses.
 *
 * EVNTPROV_IOC_DRAIN has all records copied; argument: @id.
 *	ENOENT	the ring with this id is not one of this file
 *	ENOBUFS	events of the ring were lost since the last call
 */
#define EVNTPROV_RING_OFFSET		0x100000
#define EVNTPROV_RING_SIZE		0x8000u
#define EVNTPROV_RING_MAX_RECORD	2048u
#define EVNTPROV_RING_COUNTER		0x1u
#define EVNTPROV_RING_ITEMS		0x2u

/**
 * struct evntprov_ring - state of a ring
 * @tail: number of bytes copied by the module so far
 * @id: number of the ring
 * @lost: number of events of the ring that a session has lost, modulo 2^32
 * @flags: EVNTPROV_RING_COUNTER while the clock is derived from it, or 0
 * @reserved: zero
 * @commit: number of bytes written by the thread so far
 */
struct evntprov_ring {
	__aligned_u64 tail;
	__u32 id;
	__u32 lost;
	__u32 flags;
	__u32 reserved[11];
	__aligned_u64 commit;
};

/**
 * struct evntprov_set_information - argument of EVNTPROV_IOC_SET_INFORMATION
 * @size: sizeof(struct evntprov_set_information)
 * @flags: zero
 * @handle: the registration
 * @info_class: EVNTPROV_INFO_*
 * @len: length of the information in bytes
 * @info: address of the information
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
/* Of no registration; only @size is also set: call EVNTPROV_IOC_PRIVATE */
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
 * The structure may grow at its end, before the filter data.
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
 * @log_version: out: version of the last change of the log file's name
 * @flushes: out: number of flushes requested so far
 *
 * Participate in private sessions.  Without flags, the call reports on a session
 * and returns the next one.  The description consists of a struct
 * evntrace_session, with the properties as set; of both names, one after the
 * other, zero-padded to a multiple of 8 bytes; and of a struct evntrace_enable
 * for each enabled provider, with its filters.
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
	__u32 log_version;
	__u32 flushes;
};

/* Number of logs of a file of /dev/evntprov that the module may complete */
#define EVNTPROV_MAX_RESCUES		8u
/* Behind the last buffer of the log follows the one behind its header */
#define EVNTPROV_RESCUE_CIRCULAR	0x1u

/**
 * struct evntprov_rescue - argument of EVNTPROV_IOC_RESCUE
 * @size: sizeof(struct evntprov_rescue)
 * @flags: EVNTPROV_RESCUE_CIRCULAR, or zero
 * @id: number of the log, below EVNTPROV_MAX_RESCUES; an earlier one of this
 *	number is forgotten
 * @log_fd: log file with a header, opened for reading and writing; -1: none
 * @buffer_size: size of a buffer in bytes, EVNTRACE_MIN_BUFFER_SIZE to
 *	EVNTRACE_MAX_BUFFER_SIZE, a multiple of the page size
 * @count: number of buffers in memory, at most EVNTRACE_MAX_BUFFERS
 * @slots: maximum number of buffers in the log, including the header; 0: no limit
 * @buffers: address of @count addresses of buffers, as __u64, ascending
 * @written: address of a __u64: number of buffers in the log, including the
 *	header, multiplied by 2^32, plus the sequence number of the buffer that was
 *	written last, modulo 2^32
 *
 * Complete the log of a session that the process runs itself, if the process ends
 * or executes another program before it has written all buffers.  The module
 * pins the memory, keeps the log open, and writes the buffers in the order of
 * their sequence numbers, when a descriptor of the file is closed, or its last
 * mapping ends, and the process is gone.  It forgets them when the file ends and
 * the process goes on, and leaves a log alone that has an end, or is another's by
 * now.
 *
 * Memory that does not begin with a header with @buffer_size, or has the
 * sequence number in @written, is no buffer.  Bytes of a buffer that were not
 * written yet are zero.  A record whose kind is zero is incomplete, and dropped.
 */
struct evntprov_rescue {
	__u32 size;
	__u32 flags;
	__u32 id;
	__s32 log_fd;
	__u32 buffer_size;
	__u32 count;
	__aligned_u64 slots;
	__aligned_u64 buffers;
	__aligned_u64 written;
};

#endif /* _UAPI_LINUX_EVNTPROV_H */
