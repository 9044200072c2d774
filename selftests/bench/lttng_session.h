/* SPDX-License-Identifier: MIT */
/*
 * A session of LTTng, whose daemon must be running.  There is only one at a
 * time.
 */
#ifndef EVNT_BENCH_LTTNG_SESSION_H
#define EVNT_BENCH_LTTNG_SESSION_H

#include <stdbool.h>
#include <stdint.h>

bool bench_lttng_start(const char *domain, const char *mode, const char *event);
const char *bench_lttng_stop(uint64_t done);

#endif /* EVNT_BENCH_LTTNG_SESSION_H */
