/* SPDX-License-Identifier: MIT */
/*
 * What the benchmark asks of its own kernel module: /dev/bench_floor.
 */
#ifndef EVNT_BENCH_FLOOR_H
#define EVNT_BENCH_FLOOR_H

#include <linux/ioctl.h>
#include <linux/types.h>

/* A module has 8 KiB of such memory for each CPU */
#define BENCH_FLOOR_MAX		4096

/* As large as the argument of a write would at least be */
struct bench_floor {
	__u64 data;
	__u32 len;
	__u32 reserved[13];
};

/* Does nothing */
#define BENCH_FLOOR_NULL	_IO('F', 0)
/* Copies argument and payload, and takes a time stamp */
#define BENCH_FLOOR_COPY	_IOW('F', 1, struct bench_floor)

#endif /* EVNT_BENCH_FLOOR_H */
