/* SPDX-License-Identifier: MIT */
/* Interface of the benchmark's own kernel module, /dev/bench_floor. */
#ifndef EVNT_BENCH_FLOOR_H
#define EVNT_BENCH_FLOOR_H

#include <linux/ioctl.h>
#include <linux/types.h>

/* A module may use 8 KiB of per-CPU memory */
#define BENCH_FLOOR_MAX		4096

/* At least the size of a write's argument */
struct bench_floor {
	__u64 data;
	__u32 len;
	__u32 reserved[13];
};

/* Does nothing */
#define BENCH_FLOOR_NULL	_IO('F', 0)
/* Copies argument and payload, and reads the clock */
#define BENCH_FLOOR_COPY	_IOW('F', 1, struct bench_floor)

#endif /* EVNT_BENCH_FLOOR_H */
