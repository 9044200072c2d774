/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface of the test module that calls the functions for providers in the
 * kernel: the function, its arguments, and the context to call it in.
 */
#ifndef EVNT_TEST_KERNEL_CALLS_H
#define EVNT_TEST_KERNEL_CALLS_H

#include <linux/evntprov.h>
#include <linux/ioctl.h>
#include <linux/types.h>

#define CALLS_DEVICE	"/dev/evntprov-calls"

/* Maximum number of providers */
#define CALLS_MAX	32
/* Maximum length of data in bytes */
#define CALLS_DATA	70000

enum calls_function {
	CALLS_REGISTER,
	CALLS_UNREGISTER,
	CALLS_WRITE,
	CALLS_WRITE_TRANSFER,
	CALLS_WRITE_EX,
	CALLS_WRITE_STRING,
	CALLS_EVENT_ENABLED,
	CALLS_PROVIDER_ENABLED,
	CALLS_ACTIVITY_CONTROL,
	CALLS_SET_INFORMATION,
	/* The module's TraceLogging provider */
	CALLS_TYPED_REGISTER,
	CALLS_TYPED_UNREGISTER,
	CALLS_TYPED_WRITE,
	CALLS_TYPED_ENABLED,
};

enum calls_context {
	CALLS_PROCESS,
	CALLS_SOFTIRQ,
	CALLS_INTERRUPT,
	CALLS_NO_PREEMPTION,	/* process context, preemption disabled */
	CALLS_NO_INTERRUPTS,	/* process context, interrupts disabled */
	CALLS_NMI,
	CALLS_CONTEXTS,
	/* The idle loop, where RCU does not watch the processor */
	CALLS_IDLE = CALLS_CONTEXTS
};

/* For CALLS_REGISTER: with a callback; with a static branch of its own */
#define CALLS_CALLBACK	0x1u
#define CALLS_KEY	0x2u
/* Pass NULL as the id, or as the place for the handle */
#define CALLS_NO_ID	0x4u
#define CALLS_NO_HANDLE	0x8u
/* The callback waits until CALLS_RELEASE, or unregisters the provider */
#define CALLS_STALL	0x10u
#define CALLS_SUICIDE	0x20u
/* For CALLS_REGISTER: @data contains the traits */
#define CALLS_TRAITS	0x40u
/* For write functions: pass @activity, @related instead of NULL */
#define CALLS_ACTIVITY	0x100u
#define CALLS_RELATED	0x200u
/* Call the function itself, without testing the static branch */
#define CALLS_BARE	0x400u
/* Pass NULL as data */
#define CALLS_NULL	0x800u

/**
 * struct calls_call - a call
 * @function: CALLS_*
 * @context: CALLS_*
 * @options: CALLS_*
 * @slot: slot of the provider, less than CALLS_MAX
 * @handle: overrides the handle in the slot unless 0
 * @provider: for CALLS_REGISTER
 * @descriptor: event descriptor
 * @activity: activity id; in and out for CALLS_ACTIVITY_CONTROL
 * @related: related activity id
 * @exclude: sessions to exclude, a bit each
 * @flags: EVNTPROV_WRITE_*; for CALLS_ACTIVITY_CONTROL and
 *	CALLS_SET_INFORMATION the operation; for CALLS_TYPED_WRITE the number
 *	to write
 * @data: address of the data
 * @len: length of the data in bytes
 * @count: number of blocks to split the data into; all but the last have
 *	equal length
 * @types: types of the first blocks, a byte each
 * @result: out: negative errno on failure
 * @new_handle: out: the handle in the slot
 */
struct calls_call {
	__u32 function;
	__u32 context;
	__u32 options;
	__u32 slot;
	__aligned_u64 handle;
	struct evntprov_guid provider;
	struct evntprov_descriptor descriptor;
	struct evntprov_guid activity;
	struct evntprov_guid related;
	__aligned_u64 exclude;
	__u32 flags;
	__u32 len;
	__aligned_u64 data;
	__u32 count;
	__s32 result;
	__u8 types[8];
	__aligned_u64 new_handle;
};

/**
 * struct calls_reported - the last call of a callback
 * @slot: slot of the provider
 * @times: out: number of calls
 * @control: out: control code; this and the following are from the last
 *	call
 * @level: out
 * @process: out: whether it ran in process context
 * @begun: out: number of calls that have begun
 * @match_any: out
 * @match_all: out
 * @source: out
 * @filter_type: out
 * @filter_len: out
 * @filter: out: truncated to the room here
 * @result: out: result of the callback's own call
 * @key: out: whether the provider's static branch is enabled
 */
struct calls_reported {
	__u32 slot;
	__u32 times;
	__u32 control;
	__u8 level;
	__u8 process;
	__u16 begun;
	__aligned_u64 match_any;
	__aligned_u64 match_all;
	struct evntprov_guid source;
	__u32 filter_type;
	__u32 filter_len;
	__u8 filter[64];
	__s32 result;
	__u32 key;
};

#define CALLS_MAX_CPUS	16
/* Number of events written back to back */
#define CALLS_BURST	32

/* Writers in a storm: on each processor, its timer and NMIs */
enum calls_stream {
	CALLS_BY_TIMER,
	CALLS_BY_NMI,
	CALLS_STREAMS
};

/* Writer in an event's data */
#define CALLS_WRITER(stream, cpu)	(0x80000000u | (stream) << 8 | (cpu))
/* Length in bytes of the data of the event with this number */
#define CALLS_LEN(number)		(8 + (number) % 65)

/**
 * struct calls_payload - data of an event in a storm, CALLS_LEN() bytes of it
 * @writer: CALLS_WRITER(), or the index of a thread
 * @number: number of the event, counted for each writer
 * @fill: the lowest byte of @number
 */
struct calls_payload {
	__u32 writer;
	__u32 number;
	__u8 fill[64];
};

/**
 * struct calls_storm - write events on all processors at once
 * @slot: slot of the provider
 * @timer: number of events from timer interrupts, per processor
 * @nmi: number of events from NMIs, per processor
 * @cpus: out: number of processors
 * @strange: out: number of writes with an unexpected result
 * @accepted: out
 * @lost: out
 */
struct calls_storm {
	__u32 slot;
	__u32 timer;
	__u32 nmi;
	__u32 cpus;
	__u32 strange;
	__u32 reserved;
	__u32 accepted[CALLS_STREAMS][CALLS_MAX_CPUS];
	__u32 lost[CALLS_STREAMS][CALLS_MAX_CPUS];
};

#define CALLS_IOC_CALL		_IOWR(0xE8, 0, struct calls_call)
#define CALLS_IOC_REPORTED	_IOWR(0xE8, 1, struct calls_reported)
#define CALLS_IOC_RELEASE	_IO(0xE8, 2)
#define CALLS_IOC_STORM		_IOWR(0xE8, 3, struct calls_storm)
/* Fails with ENODEV if NMIs cannot be raised */
#define CALLS_IOC_HAS_NMI	_IO(0xE8, 4)
/* Simulate a sleep of the machine, in seconds; ENOENT if not supported */
#define CALLS_IOC_SLEEP		_IO(0xE8, 5)

#endif /* EVNT_TEST_KERNEL_CALLS_H */
