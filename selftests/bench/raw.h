/* SPDX-License-Identifier: MIT */
/* Sessions by bare ioctls: a benchmark leaves nothing to defaults. */
#ifndef EVNT_BENCH_RAW_H
#define EVNT_BENCH_RAW_H

#include <stdbool.h>

#include <evntprov.h>
#include <linux/evntrace.h>

/* Start a session named like its log; return the descriptor it is bound to */
int raw_start(int device, const char *path, int log,
	      struct evntrace_start *arg);
bool raw_enable(int session, const GUID *provider,
		const struct evntrace_enable *ext_item);
/* Query or stop a session */
bool raw_control(int session, __u32 control, struct evntrace_session *info);

#endif /* EVNT_BENCH_RAW_H */
