/* SPDX-License-Identifier: MIT */
/*
 * Records of streams as events.
 */
#ifndef EVNT_TRACE_VIEW_H
#define EVNT_TRACE_VIEW_H

#include "etl_record.h"
#include "trace_source.h"

void trace_view(const struct trace_stream *s, const u8 *record, u32 size,
		s64 time, struct etl_view *view);
void trace_count_items(struct etl_counts *counts, const struct etl_view *view);

#endif /* EVNT_TRACE_VIEW_H */
