/* SPDX-License-Identifier: MIT */
/*
 * The sessions that the benchmark's events go to.
 */
#ifndef EVNT_BENCH_SESSIONS_H
#define EVNT_BENCH_SESSIONS_H

#include <stdint.h>

#include <evntprov.h>
#include <linux/evntprov.h>

/* What a session wants: all zero is everything */
struct bench_wish {
	uint8_t level;
	uint64_t match_any;
	const struct evntrace_filter *filter;	/* or NULL */
};

/* Sessions that log to memory; NULL, or why they cannot be started */
const char *bench_sessions_start(const GUID *provider, unsigned int count,
				 const struct bench_wish *wishes);
/* NULL, or what is wrong when each should have got so many events */
const char *bench_sessions_stop(uint64_t events);

#endif /* EVNT_BENCH_SESSIONS_H */
