/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events that LTTng's tracer in the kernel records: a block of bytes like
 * an event's payload, with a variable length, or one known at compile time.
 * LTTng includes this file several times.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM bench

#if !defined(EVNT_BENCH_EVENTS_H) || defined(TRACE_HEADER_MULTI_READ)
#define EVNT_BENCH_EVENTS_H

#include <lttng/tracepoint-event.h>
#include <linux/types.h>

LTTNG_TRACEPOINT_EVENT(bench_sequence,
		       TP_PROTO(const u8 *data, unsigned int len),
		       TP_ARGS(data, len),
		       TP_FIELDS(ctf_sequence_hex(u8, data, data, unsigned int,
						  len)))

LTTNG_TRACEPOINT_EVENT(bench_array,
		       TP_PROTO(const u8 *data),
		       TP_ARGS(data),
		       TP_FIELDS(ctf_array_hex(u8, data, data, 64)))

#endif /* EVNT_BENCH_EVENTS_H */

#include <lttng/define_trace.h>
