/* SPDX-License-Identifier: MIT */
/* Sessions by bare ioctls: a benchmark leaves nothing to defaults. */
#ifndef EVNT_BENCH_RAW_H
#define EVNT_BENCH_RAW_H

#include <stdbool.h>

#include <evntprov.h>
#include <linux/evntprov.h>

/* Start a session named like its log, bound to @device; sets arg->handle */
bool raw_start(int device, const char *path, int log,
	       struct evntrace_start *arg);
bool raw_enable(int device, const GUID *provider,
		const struct evntrace_enable *ext_item);
/* Query or stop @handle */
bool raw_control(int device, __u32 control, __u64 handle,
		 struct evntrace_session *info);

#endif /* EVNT_BENCH_RAW_H */
