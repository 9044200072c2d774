/* SPDX-License-Identifier: MIT */
/*
 * Interface of the modules with a provider in the kernel, /dev/bench_kernel,
 * and with LTTng's tracepoints, /dev/bench_lttng.
 */
#ifndef EVNT_BENCH_KERNEL_H
#define EVNT_BENCH_KERNEL_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define BENCH_KERNEL_MAX	4096

enum bench_kernel_what {
	BENCH_KERNEL_NOTHING,	/* the loop alone */
	BENCH_KERNEL_WRITE,	/* EtwWrite() */
	BENCH_KERNEL_BARE,	/* the function, without its branch */
	BENCH_KERNEL_TYPED,	/* TraceLoggingWrite() with one field */
	/* For /dev/bench_lttng */
	BENCH_KERNEL_SEQUENCE,	/* a tracepoint with a variable length */
	BENCH_KERNEL_ARRAY,	/* a tracepoint with 64 bytes */
};

/* A loop: operation, number of times, payload in bytes */
struct bench_kernel {
	__u32 what;
	__u32 times;
	__u32 payload;
	__u32 reserved;
};

#define BENCH_KERNEL_RUN	_IOW('F', 2, struct bench_kernel)

/* Data1 of the two providers' ids; the rest is zero */
#define BENCH_KERNEL_PLAIN_ID	0x62656e63
#define BENCH_KERNEL_TYPED_ID	0x62656e64

#endif /* EVNT_BENCH_KERNEL_H */
