/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What tests ask of the module that calls the functions for providers in the
 * kernel: which one, with what, and in which context.
 */
#ifndef EVNT_TEST_KERNEL_CALLS_H
#define EVNT_TEST_KERNEL_CALLS_H

#include <linux/evntprov.h>
#include <linux/ioctl.h>
#include <linux/types.h>

#define CALLS_DEVICE	"/dev/evntprov-calls"

/* Providers that there may be at a time */
#define CALLS_MAX	32
/* Bytes of data that there may be */
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
	/* The provider of TraceLogging that there is */
	CALLS_TYPED_REGISTER,
	CALLS_TYPED_UNREGISTER,
	CALLS_TYPED_WRITE,
	CALLS_TYPED_ENABLED,
};

enum calls_context {
	CALLS_PROCESS,
	CALLS_SOFTIRQ,
	CALLS_INTERRUPT,
	CALLS_NO_PREEMPTION,	/* process context with preemption disabled */
	CALLS_NO_INTERRUPTS,	/* likewise, interrupts */
	CALLS_NMI,
	CALLS_CONTEXTS,
	/* The idle loop, where RCU does not wait for the processor */
	CALLS_IDLE = CALLS_CONTEXTS
};

/* With CALLS_REGISTER: with a callback; with a branch of its own */
#define CALLS_CALLBACK	0x1u
#define CALLS_KEY	0x2u
/* No provider, no place for the handle */
#define CALLS_NO_ID	0x4u
#define CALLS_NO_HANDLE	0x8u
/* What its callback does: waits until CALLS_RELEASE, unregisters it */
#define CALLS_STALL	0x10u
#define CALLS_SUICIDE	0x20u
/* With CALLS_REGISTER: @data are its traits */
#define CALLS_TRAITS	0x40u
/* With those that write: @activity, @related are not NULL */
#define CALLS_ACTIVITY	0x100u
#define CALLS_RELATED	0x200u
/* The function itself, without the branch before it */
#define CALLS_BARE	0x400u
/* @data is NULL */
#define CALLS_NULL	0x800u

/**
 * struct calls_call - a call
 * @function: CALLS_*
 * @context: CALLS_*
 * @options: CALLS_*
 * @slot: the place of the provider, less than CALLS_MAX
 * @handle: is used instead of the one in that place, if it is not zero
 * @provider: for CALLS_REGISTER
 * @descriptor: of the event
 * @activity: of the event; in and out for CALLS_ACTIVITY_CONTROL
 * @related: of the event
 * @exclude: sessions, a bit each
 * @flags: EVNTPROV_WRITE_*; for CALLS_ACTIVITY_CONTROL, CALLS_SET_INFORMATION:
 *	what; for CALLS_TYPED_WRITE: the number that is written
 * @data: address of the data
 * @len: its length in bytes
 * @count: blocks that it is cut into, all but the last of equal length
 * @types: of the first blocks, a byte each
 * @result: out: negative is an error
 * @new_handle: out: the handle in the place
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
 * struct calls_told - what a callback was told
 * @slot: of which provider
 * @times: out: how often it was called
 * @control: out: the last time, as are those that follow
 * @level: out
 * @process: out: that it was in process context
 * @match_any: out
 * @match_all: out
 * @source: out
 * @filter_type: out
 * @filter_len: out
 * @filter: out: as much as there is room for
 * @result: out: of what the callback did
 * @key: out: whether the provider's branch is switched on
 */
struct calls_told {
	__u32 slot;
	__u32 times;
	__u32 control;
	__u8 level;
	__u8 process;
	__u16 reserved;
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
/* Events that follow each other without a pause */
#define CALLS_BURST	32

/* Who writes in a storm: on each processor, its timer, and NMIs */
enum calls_stream {
	CALLS_BY_TIMER,
	CALLS_BY_NMI,
	CALLS_STREAMS
};

/* The first four bytes of what it writes; the next are its number */
#define CALLS_WRITER(stream, cpu)	(0x80000000u | (stream) << 8 | (cpu))
/* How long the event of a number is */
#define CALLS_LEN(number)		(8 + (number) % 65)

/**
 * struct calls_storm - all processors write events at once
 * @slot: of which provider
 * @timer: how many each writes in timer interrupts
 * @nmi: how many each writes in NMIs
 * @cpus: out: how many there are
 * @strange: out: what was neither written nor lost
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
#define CALLS_IOC_TOLD		_IOWR(0xE8, 1, struct calls_told)
#define CALLS_IOC_RELEASE	_IO(0xE8, 2)
#define CALLS_IOC_STORM		_IOWR(0xE8, 3, struct calls_storm)
/* ENODEV where no NMI can be had */
#define CALLS_IOC_HAS_NMI	_IO(0xE8, 4)
/* As if the machine had slept for so many seconds; ENOENT where it cannot be had */
#define CALLS_IOC_SLEEP		_IO(0xE8, 5)

#endif /* EVNT_TEST_KERNEL_CALLS_H */
