// SPDX-License-Identifier: MIT
/* Log files read by a verb */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/evnt.h"
#include "tools/events/logs.h"
#include "decode/open_error.h"
#include "tools/common/win32.h"
#include "lib/consume/trace.h"

/* Callback of ProcessTrace(); return whether to continue */
static ULONG WINAPI on_buffer(PEVENT_TRACE_LOGFILEA file)
{
	struct logs *logs = file->Context;

	progress_step(&logs->progress);
	if (logs->has_all && logs->has_all(logs->context))
		return false;
	/* Stop after a write error on stdout */
	return !ferror(stdout);
}

int logs_explain_open(const char *path, unsigned int error)
{
	char text[OPEN_PROBLEM_TEXT];

	return failed("%s", open_problem(path, error, text));
}

int logs_check(const struct verb *verb, int count)
{
	if (!count)
		return usage_error(verb, "which file? write its name");
	if (count > MAX_LOGS)
		return usage_error(verb, "at most %d files at a time:"
				   " 'evnt merge' makes one of several",
				   MAX_LOGS);
	return EVNT_DONE;
}

int logs_open(struct logs *logs, const struct verb *verb, int argc, char **argv,
	      PEVENT_RECORD_CALLBACK on_event)
{
	const int room = argc - optind;
	int exit_code = logs_check(verb, room);

	if (exit_code)
		return exit_code;
	logs->files = must_have(calloc(room, sizeof(*logs->files)));
	logs->handles = must_have(calloc(room, sizeof(*logs->handles)));
	logs->counts = must_have(calloc(room, sizeof(*logs->counts)));
	while (optind < argc) {
		EVENT_TRACE_LOGFILEA *file = &logs->files[logs->count];
		TRACEHANDLE handle;

		file->LogFileName = argv[optind++];
		file->ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD;
		file->EventRecordCallback = on_event;
		file->BufferCallback = on_buffer;
		file->Context = logs;
		handle = OpenTraceA(file);
		if (handle == INVALID_PROCESSTRACE_HANDLE)
			return logs_explain_open(file->LogFileName,
						 GetLastError());
		logs->counts[logs->count] = trace_counts(handle);
		logs->handles[logs->count++] = handle;
		logs->progress.total += file->LogfileHeader.BuffersWritten;
	}
	return EVNT_DONE;
}

void logs_close(struct logs *logs)
{
	for (int i = 0; i < logs->count; i++)
		CloseTrace(logs->handles[i]);
	free(logs->files);
	free(logs->handles);
	free(logs->counts);
	logs->files = NULL;
	logs->handles = NULL;
	logs->counts = NULL;
	logs->count = 0;
}

/* Modes of logs whose beginning may lack events that are recorded only once */
#define TOLD_LATE	(EVENT_TRACE_FILE_MODE_CIRCULAR |		\
			 EVENT_TRACE_FILE_MODE_NEWFILE |		\
			 EVENT_TRACE_BUFFERING_MODE)

void logs_peek(const struct logs *logs, PEVENT_RECORD_CALLBACK on_event)
{
	for (int i = 0; i < logs->count; i++) {
		EVENT_TRACE_LOGFILEA file = {
			.LogFileName = logs->files[i].LogFileName,
			.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
			.EventRecordCallback = on_event,
		};
		TRACEHANDLE handle;

		if (!(logs->files[i].LogfileHeader.LogFileMode & TOLD_LATE))
			continue;
		handle = OpenTraceA(&file);
		if (handle == INVALID_PROCESSTRACE_HANDLE)
			continue;
		ProcessTrace(&handle, 1, NULL, NULL);
		CloseTrace(handle);
	}
}

int logs_explain_read(unsigned int error)
{
	switch (error) {
	case ERROR_SUCCESS:
	case ERROR_CANCELLED:
		return EVNT_DONE;
	case ERROR_NOT_ENOUGH_MEMORY:
	case ERROR_OUTOFMEMORY:
		return failed("not enough memory to read on");
	default:
		return failed("reading stopped: %s (error %u)",
			      win32_text(error), error);
	}
}

int logs_read(struct logs *logs)
{
	ULONG error;

	progress_begin(&logs->progress, logs->prints);
	error = trace_process(logs->handles, logs->count, NULL, NULL);
	progress_end(&logs->progress);
	return logs_explain_read(error);
}

void logs_report_losses(const struct logs *logs)
{
	for (int i = 0; i < logs->count; i++) {
		const EVENT_TRACE_LOGFILEA *file = &logs->files[i];
		const TRACE_LOGFILE_HEADER *header = &file->LogfileHeader;
		uint64_t unread = etl_unread_bytes(logs->counts[i]);

		if (header->EventsLost || header->BuffersLost)
			note("%s: %u events and %u buffers were lost in"
			     " recording", file->LogFileName,
			     header->EventsLost, header->BuffersLost);
		if (logs->counts[i]->unread[ETL_UNREAD_CUT].count)
			note("%s: the file ends inside a buffer, whose last"
			     " events are missing", file->LogFileName);
		if (unread)
			note("%s: %" PRIu64 " bytes were not understood;"
			     " 'evnt stat' shows details", file->LogFileName,
			     unread);
	}
}

bool logs_is_at(const struct logs *logs, uint64_t stamp, int64_t time)
{
	for (int i = 0; i < logs->count; i++) {
		if (trace_time(logs->handles[i], (int64_t)stamp) == time)
			return true;
	}
	return false;
}

int64_t logs_ticks(const struct logs *logs, uint64_t duration)
{
	const TRACEHANDLE first = logs->handles[0];

	return trace_time(first, (int64_t)duration) - trace_time(first, 0);
}

uint64_t logs_losses_found(const struct logs *logs)
{
	uint64_t lost = 0;

	for (int i = 0; i < logs->count; i++)
		lost += logs->counts[i]->events_lost +
			logs->counts[i]->buffers_lost;
	return lost;
}
