/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Data of the events of EVNTPROV_IMAGES_PROVIDER and EVNTPROV_LOSSES_PROVIDER,
 * and of the records that name processes.  The module and the library write
 * them; tools and TDH read them.
 */
#ifndef EVNT_SELF_LAYOUT_H
#define EVNT_SELF_LAYOUT_H

#include <linux/evntrace.h>

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

/*
 * Provider of events about lost events: the id derived from the name
 * Evntprov-Losses.  As EVNTPROV_IMAGES_PROVIDER otherwise, but these records are
 * not counted as events.
 */
#define EVNTPROV_LOSSES_PROVIDER {{					\
	0xf7, 0x25, 0x82, 0x9a, 0x01, 0xdb, 0x8b, 0x59,			\
	0xec, 0x49, 0x79, 0xdc, 0xdd, 0x2f, 0xa6, 0x39 }}

#define EVNTPROV_LOST_OPCODE		0	/* Lost */

/**
 * struct evntprov_loss - beginning of the data of a Lost event
 * @count: number of events lost on a CPU for one reason, since the last such
 *	event
 * @first: time of the first of these losses as a FILETIME
 * @last: time of the last one
 * @cpu: number of the CPU
 * @buffer_size: size of a buffer, in bytes, of the session that had no room
 * @mode: EVNTRACE_MODE_* of that session
 * @consumers: number of consumers of that session
 *
 * Two nul-terminated strings follow: in UTF-16 the name of the session that had
 * no room, at most 127 units of it; then in ASCII the reason: "no buffer", "too
 * large", "unreadable" or "blocked", as counted in struct evntrace_session.  The
 * name is empty if the reason is not "blocked", if that session has ended, or if
 * the owner of the session may not query it; then the values before it describe
 * the session itself.
 *
 * The session records a loss that lasts once a second, when it is over, and when
 * it is flushed or stops.
 */
struct evntprov_loss {
	__aligned_u64 count;
	__aligned_u64 first;
	__aligned_u64 last;
	__u32 cpu;
	__u32 buffer_size;
	__u32 mode;
	__u32 consumers;
};

/* Group Process, type DCStart */
#define EVNTPROV_PROCESS_HOOK			0x0303u
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
 * registration, in bytes; command line, package and application in UTF-16.
 * The package is the one that EVNTRACE_PROPERTY_PSM_KEY adds to events, or
 * empty; the other two are empty.
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

#endif /* EVNT_SELF_LAYOUT_H */
