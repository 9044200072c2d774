/* SPDX-License-Identifier: MIT */
/*
 * The event that LTTng-UST records: a block of bytes like an event's payload.
 * LTTng includes this file several times.
 */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER bench

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./lttng_events.h"

#if !defined(EVNT_BENCH_LTTNG_EVENTS_H) || \
	defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define EVNT_BENCH_LTTNG_EVENTS_H

#include <lttng/tracepoint.h>

#define BENCH_ARGS	LTTNG_UST_TP_ARGS(const char *, data, unsigned int, len)
#define BENCH_FIELDS	LTTNG_UST_TP_FIELDS(				\
	lttng_ust_field_sequence_hex(uint8_t, data, data, unsigned int, len))

LTTNG_UST_TRACEPOINT_EVENT(bench, payload, BENCH_ARGS, BENCH_FIELDS)

#endif /* EVNT_BENCH_LTTNG_EVENTS_H */

#include <lttng/tracepoint-event.h>
