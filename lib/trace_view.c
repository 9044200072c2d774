// SPDX-License-Identifier: MIT
/*
 * Records of streams as events.
 */
#include "trace_view.h"

/**
 * trace_view() - a record as a callback is to see it
 * @s: its stream
 * @record: the record, in the stream's buffer
 * @size: of it, without padding
 * @time: of it, as it is to be seen
 * @view: filled in, but for the context
 *
 * Nothing is allocated, and nothing copied but headers.
 */
void trace_view(const struct trace_stream *s, const u8 *record, u32 size,
		s64 time, struct etl_view *view)
{
	const struct etl_buffer_header *h = (const void *)s->buffer;
	EVENT_RECORD *r = &view->record;

	etl_record_view(record, size, view);
	r->EventHeader.TimeStamp.QuadPart = time;
	r->BufferContext.ProcessorIndex = h->cpu;
	r->BufferContext.LoggerId = h->logger_id;
	if (h->flag & ETL_FLAG_PROC_INDEX)
		r->EventHeader.Flags |= EVENT_HEADER_FLAG_PROCESSOR_INDEX;
}

/* What an event's extended items add to what was found */
void trace_count_items(struct etl_counts *counts, const struct etl_view *view)
{
	u32 i, type;

	for (i = 0; i < view->chained; i++) {
		type = view->items[i].ExtType;
		if (type >= ETL_ITEM_OTHER)
			type = ETL_ITEM_OTHER;
		etl_tally(&counts->items[type], view->items[i].DataSize);
	}
	if (view->unread)
		etl_tally(&counts->unread[ETL_UNREAD_ITEMS], view->unread);
}
