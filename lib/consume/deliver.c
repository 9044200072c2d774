// SPDX-License-Identifier: MIT
/*
 * Conversion of records and buffers to what callbacks receive.
 */
#include <stdlib.h>

#include "lib/consume/trace.h"
#include "lib/consume/trace_merge.h"

static bool has_mode(const struct trace *t, ULONG mode)
{
	return t->logfile.ProcessTraceMode & mode;
}

static void view_record(const struct trace *t, const struct trace_stream *s,
			const u8 *record, u32 size, s64 time,
			struct etl_view *view)
{
	trace_view(s, record, size, time, view);
	view->record.UserContext = t->logfile.Context;
}

/* Convert an event to the classic form, EVENT_TRACE */
static void view_classic(const struct etl_view *view, EVENT_TRACE *event)
{
	const EVENT_RECORD *r = &view->record;
	const EVENT_HEADER *h = &r->EventHeader;
	const EVENT_HEADER_EXTENDED_DATA_ITEM *item = r->ExtendedData;
	EVENT_EXTENDED_ITEM_INSTANCE instance;

	memset(event, 0, sizeof(*event));
	event->Header.Size = h->Size;
	event->Header.Class.Type = h->EventDescriptor.Opcode;
	event->Header.Class.Level = h->EventDescriptor.Level;
	event->Header.Class.Version = view->version;
	event->Header.ThreadId = h->ThreadId;
	event->Header.ProcessId = h->ProcessId;
	event->Header.TimeStamp = h->TimeStamp;
	event->Header.Guid = h->ProviderId;
	event->Header.ProcessorTime = h->ProcessorTime;
	event->BufferContext = r->BufferContext;
	/* Programs free a copy if it is not NULL */
	event->MofData = r->UserDataLength ? r->UserData : NULL;
	event->MofLength = r->UserDataLength;
	/* Only events of TraceEventInstance() have an instance and its parent */
	if (!r->ExtendedDataCount || item->DataSize < sizeof(instance) ||
	    item->ExtType != EVENT_HEADER_EXT_TYPE_INSTANCE_INFO)
		return;
	memcpy(&instance, (void *)(uintptr_t)item->DataPtr, sizeof(instance));
	event->InstanceId = instance.InstanceId;
	event->ParentInstanceId = instance.ParentInstanceId;
	event->ParentGuid = instance.ParentGuid;
}

/**
 * trace_show_record() - call back for the current record of a stream
 * @t: trace of the record
 * @s: stream of the record
 * @view: memory for the converted record
 */
void trace_show_record(struct trace *t, const struct trace_stream *s,
		       struct etl_view *view)
{
	bool raw = has_mode(t, PROCESS_TRACE_MODE_RAW_TIMESTAMP) &&
		   s->raw != ETL_NO_TIME;
	const u8 *record = s->buffer + s->at;
	EVENT_TRACE event;

	t->last = record;
	t->last_size = s->size;
	t->last_time = s->time;
	view_record(t, s, record, s->size, raw ? s->raw : s->time, view);
	trace_count_items(&t->source->counts, view);
	if (has_mode(t, PROCESS_TRACE_MODE_EVENT_RECORD)) {
		if (t->logfile.EventRecordCallback)
			t->logfile.EventRecordCallback(&view->record);
		return;
	}
	view_classic(view, &event);
	if (t->logfile.EventCallback)
		t->logfile.EventCallback(&event);
	if (view->record.EventHeader.Flags & (EVENT_HEADER_FLAG_CLASSIC_HEADER |
					      EVENT_HEADER_FLAG_TRACE_MESSAGE))
		trace_call_class(&event);
}

/*
 * Call the callback for raw buffers.  If the source has read only the bytes that
 * were ever written, the callback gets a copy of the whole buffer.
 */
static bool call_raw(const struct trace *t, const struct trace_stream *s)
{
	ETW_BUFFER_CALLBACK_INFORMATION info = {
		.TraceHandle = t->handle,
		.LogfileHeader = &t->source->header,
		.BuffersRead = t->logfile.BuffersRead,
	};
	u32 size = ((const struct etl_buffer_header *)s->buffer)->buffer_size;
	u8 *copy = NULL;
	bool goes_on;

	if (s->room < size) {
		copy = calloc(1, size);
		if (!copy)
			return false;
		memcpy(copy, s->buffer, s->room);
	}
	goes_on = t->buffer_call((PETW_BUFFER_HEADER)(copy ? copy : s->buffer),
				 size, &info, t->buffer_context);
	free(copy);
	return goes_on;
}

/**
 * trace_show_buffer() - call back for a buffer after all of its records
 * @t: trace of the buffer
 * @s: stream of the buffer
 * @view: memory for a converted record
 *
 * Return: false if the consumer cancels processing.
 */
bool trace_show_buffer(struct trace *t, const struct trace_stream *s,
		       struct etl_view *view)
{
	EVENT_TRACE_LOGFILEW *l = &t->logfile;
	const u8 *last = t->last;

	/* The record's buffer may be unmapped at the next call */
	t->last = NULL;
	l->BuffersRead++;
	if (t->buffer_call)
		return call_raw(t, s);
	if (!l->BufferCallback)
		return true;
	l->Filled = s->end;
	l->CurrentTime = t->last_time;
	l->LogfileHeader = t->source->header;
	if (t->source->live)
		l->EventsLost = l->LogfileHeader.EventsLost;
	if (last >= s->buffer && last < s->buffer + s->end) {
		view_record(t, s, last, t->last_size, t->last_time, view);
		view_classic(view, &l->CurrentEvent);
	}
	return l->BufferCallback(l);
}
