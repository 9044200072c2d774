// SPDX-License-Identifier: MIT
/*
 * Reports filters that do not apply to the events that were recorded: the module
 * applies ids only to events that are not of TraceLogging, and names only to
 * those that are
 */
#include <evntrace.h>

#include "decode/header.h"
#include "tools/evnt.h"
#include "tools/events/images.h"
#include "tools/filter/idle_filters.h"

/* Number of buffers at the beginning of a log that are read */
#define MAX_BUFFERS	64

/**
 * struct found - events found in a log
 * @tracelogging: there are events of TraceLogging
 * @others: there are other events
 * @buffers: number of buffers read
 */
struct found {
	bool tracelogging;
	bool others;
	unsigned int buffers;
};

static bool is_tracelogging(const EVENT_RECORD *record)
{
	for (int i = 0; i < record->ExtendedDataCount; i++) {
		if (record->ExtendedData[i].ExtType ==
		    EVENT_HEADER_EXT_TYPE_EVENT_SCHEMA_TL)
			return true;
	}
	return false;
}

static VOID WINAPI on_event(PEVENT_RECORD record)
{
	struct found *found = record->UserContext;

	if (is_log_header(record) || is_of_module(record))
		return;
	if (is_tracelogging(record))
		found->tracelogging = true;
	else
		found->others = true;
}

static ULONG WINAPI on_buffer(PEVENT_TRACE_LOGFILEA file)
{
	struct found *found = file->Context;

	return ++found->buffers < MAX_BUFFERS;
}

void idle_filters_report(const struct filter_options *options,
			 const char *path)
{
	struct found found = { .buffers = 0 };
	EVENT_TRACE_LOGFILEA file = {
		.LogFileName = (char *)path,
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
		.EventRecordCallback = on_event,
		.BufferCallback = on_buffer,
		.Context = &found,
	};
	TRACEHANDLE handle;

	if (!path || !(options->ids.given || options->names))
		return;
	handle = OpenTraceA(&file);
	if (handle == INVALID_PROCESSTRACE_HANDLE)
		return;
	ProcessTrace(&handle, 1, NULL, NULL);
	CloseTrace(handle);
	if (options->ids.given && found.tracelogging)
		note("events of TraceLogging have no ids: --id and --not-id kept"
		     " all of them; select them by --event");
	if (options->names && found.others)
		note("--event and --not-event kept all events that are not of"
		     " TraceLogging: select these by --id");
}
