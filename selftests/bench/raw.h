/* SPDX-License-Identifier: MIT */
/*
 * Sessions by the ioctls themselves: a benchmark leaves nothing to defaults.
 */
#ifndef EVNT_BENCH_RAW_H
#define EVNT_BENCH_RAW_H

#include <stdbool.h>

#include <evntprov.h>
#include <linux/evntprov.h>

/* Start one that is named as its log is, and ends with @door; into arg->handle */
bool raw_start(int door, const char *path, int log, struct evntrace_start *arg);
bool raw_enable(int door, const GUID *provider,
		const struct evntrace_enable *wish);
/* Query or stop @handle */
bool raw_control(int door, unsigned long cmd, __u64 handle,
		 struct evntrace_session *info);

#endif /* EVNT_BENCH_RAW_H */
