/* SPDX-License-Identifier: MIT */
/*
 * What the benchmark asks of the module that has a provider in the kernel,
 * /dev/bench_kernel, and of the one that LTTng traces, /dev/bench_lttng.
 */
#ifndef EVNT_BENCH_KERNEL_H
#define EVNT_BENCH_KERNEL_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define BENCH_KERNEL_MAX	4096

enum bench_kernel_what {
	BENCH_KERNEL_NOTHING,	/* the loop alone */
	BENCH_KERNEL_WRITE,	/* EtwWrite() */
	BENCH_KERNEL_BARE,	/* the function itself, without its branch */
	BENCH_KERNEL_TYPED,	/* TraceLoggingWrite() with one field */
	/* Of /dev/bench_lttng */
	BENCH_KERNEL_SEQUENCE,	/* a tracepoint with so many bytes */
	BENCH_KERNEL_ARRAY,	/* likewise, with 64, whatever is asked for */
};

/* A loop: which, how often, with so many bytes */
struct bench_kernel {
	__u32 what;
	__u32 times;
	__u32 payload;
	__u32 reserved;
};

#define BENCH_KERNEL_RUN	_IOW('F', 2, struct bench_kernel)

/* Data1 of the two providers' ids, of which the rest is zero */
#define BENCH_KERNEL_PLAIN_ID	0x62656e63
#define BENCH_KERNEL_TYPED_ID	0x62656e64

#endif /* EVNT_BENCH_KERNEL_H */
