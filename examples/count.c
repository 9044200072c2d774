// SPDX-License-Identifier: MIT
/*
 * A consumer that reads a log file and counts the occurrences of each event.
 *
 *	./count server.etl
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <evntcons.h>
#include <evntrace.h>
#include <tdh.h>

struct count {
	struct count *next;
	unsigned long long events;
	char *name;
};

static struct count *counts;

static void count(const char *name)
{
	struct count *c = counts;

	while (c && strcmp(c->name, name))
		c = c->next;
	if (!c) {
		c = calloc(1, sizeof(*c));
		c->name = strdup(name);
		c->next = counts;
		counts = c;
	}
	c->events++;
}

/* Convert UTF-16 to ASCII, which suffices for the names here */
static void narrow(char *to, size_t size, const WCHAR *from)
{
	size_t i;

	for (i = 0; from[i] && i + 1 < size; i++)
		to[i] = from[i] < 0x80 ? from[i] : '?';
	to[i] = '\0';
}

static VOID WINAPI on_event(PEVENT_RECORD record)
{
	TRACE_EVENT_INFO *info = NULL;
	ULONG size = 0;
	char name[128];

	snprintf(name, sizeof(name), "id %u",
		 record->EventHeader.EventDescriptor.Id);
	if (TdhGetEventInformation(record, 0, NULL, NULL, &size) ==
	    ERROR_INSUFFICIENT_BUFFER)
		info = malloc(size);
	if (info &&
	    !TdhGetEventInformation(record, 0, NULL, info, &size) &&
	    info->EventNameOffset)
		narrow(name, sizeof(name),
		       (WCHAR *)((BYTE *)info + info->EventNameOffset));
	free(info);
	count(name);
}

int main(int argc, char **argv)
{
	EVENT_TRACE_LOGFILEA log = {
		.LogFileName = argc > 1 ? argv[1] : NULL,
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
		.EventRecordCallback = on_event,
	};
	PROCESSTRACE_HANDLE handle;
	ULONG error;

	if (argc != 2) {
		fprintf(stderr, "Usage: %s FILE\n", argv[0]);
		return 2;
	}
	handle = OpenTraceA(&log);
	if (handle == INVALID_PROCESSTRACE_HANDLE) {
		fprintf(stderr, "%s: %s is no log file, or cannot be read\n",
			argv[0], argv[1]);
		return 1;
	}
	error = ProcessTrace(&handle, 1, NULL, NULL);
	CloseTrace(handle);
	if (error)
		fprintf(stderr, "%s: %s: error %u\n", argv[0], argv[1], error);
	for (const struct count *c = counts; c; c = c->next)
		printf("%8llu %s\n", c->events, c->name);
	return !!error;
}
