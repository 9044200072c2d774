/* SPDX-License-Identifier: MIT */
/* Sessions for the benchmark's events. */
#ifndef EVNT_BENCH_SESSIONS_H
#define EVNT_BENCH_SESSIONS_H

#include <stdint.h>

#include <evntprov.h>
#include <linux/evntrace.h>

/*
 * A session's mode and number of buffers, and its enablement; all zero enables
 * everything
 */
struct bench_wish {
	uint32_t mode;
	uint32_t buffers;
	uint8_t level;
	uint64_t match_any;
	const struct evntrace_filter *filter;	/* or NULL */
};

/* Start sessions that log to memory; returns NULL, or the reason of failure */
const char *bench_sessions_start(const GUID *provider, unsigned int count,
				 const struct bench_wish *ext_items);
/* Stop them; returns NULL, or an error if one did not get @events events */
const char *bench_sessions_stop(uint64_t events);

#endif /* EVNT_BENCH_SESSIONS_H */
