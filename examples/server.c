// SPDX-License-Identifier: MIT
/*
 * A server, reduced to its events: it answers requests from memory or from
 * disk, a few of them slowly. doc/cookbook.md analyses its log.
 *
 *	evnt record -p '*Example-Server' -o server.etl -- ./server 100
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <TraceLoggingProvider.h>
#include <winmeta.h>

#define KEYWORD_REQUEST	0x1
#define KEYWORD_CACHE	0x2

/* The id is derived from the name: evnt record -p '*Example-Server' */
TRACELOGGING_DEFINE_PROVIDER(server, "Example-Server",
			     (0xecf716a0, 0x8a66, 0x5a1e, 0xb7, 0xd1, 0xe4,
			      0x68, 0x2b, 0x00, 0x67, 0x78));

static void work_for(unsigned int microseconds)
{
	const struct timespec t = { .tv_nsec = microseconds * 1000l };

	nanosleep(&t, NULL);
}

/*
 * Read from disk, in an activity caused by the request, whose id is the related
 * one
 */
static void read_from_disk(const GUID *request, const char *path,
			   unsigned int size)
{
	GUID activity;

	EventActivityIdControl(EVENT_ACTIVITY_CTRL_CREATE_ID, &activity);
	TraceLoggingWriteActivity(server, "Read", &activity, request,
				  TraceLoggingOpcode(WINEVENT_OPCODE_START),
				  TraceLoggingLevel(WINEVENT_LEVEL_INFO),
				  TraceLoggingKeyword(KEYWORD_REQUEST),
				  TraceLoggingUtf8String(path, "Path"));
	if (size > 60000) {
		TraceLoggingWriteActivity(server, "Slow disk", &activity, NULL,
					  TraceLoggingLevel(WINEVENT_LEVEL_WARNING),
					  TraceLoggingKeyword(KEYWORD_REQUEST),
					  TraceLoggingUtf8String(path, "Path"));
		work_for(20000);
	}
	work_for(size / 100);
	TraceLoggingWriteActivity(server, "Read", &activity, NULL,
				  TraceLoggingOpcode(WINEVENT_OPCODE_STOP),
				  TraceLoggingLevel(WINEVENT_LEVEL_INFO),
				  TraceLoggingKeyword(KEYWORD_REQUEST),
				  TraceLoggingUInt32(size, "Size"));
}

static void answer(unsigned int number)
{
	unsigned int page = rand() % 50, size = page * page * 27;
	char path[32];
	GUID activity;

	snprintf(path, sizeof(path), "/page/%u", page);
	EventActivityIdControl(EVENT_ACTIVITY_CTRL_CREATE_ID, &activity);
	TraceLoggingWriteActivity(server, "Request", &activity, NULL,
				  TraceLoggingOpcode(WINEVENT_OPCODE_START),
				  TraceLoggingLevel(WINEVENT_LEVEL_INFO),
				  TraceLoggingKeyword(KEYWORD_REQUEST),
				  TraceLoggingUInt32(number, "Number"),
				  TraceLoggingUtf8String(path, "Path"));
	TraceLoggingWriteActivity(server, "Lookup", &activity, NULL,
				  TraceLoggingLevel(WINEVENT_LEVEL_VERBOSE),
				  TraceLoggingKeyword(KEYWORD_CACHE),
				  TraceLoggingUtf8String(path, "Path"),
				  TraceLoggingBoolean(page < 25, "Hit"));
	if (page >= 25)
		read_from_disk(&activity, path, size);
	TraceLoggingWriteActivity(server, "Request", &activity, NULL,
				  TraceLoggingOpcode(WINEVENT_OPCODE_STOP),
				  TraceLoggingLevel(WINEVENT_LEVEL_INFO),
				  TraceLoggingKeyword(KEYWORD_REQUEST),
				  TraceLoggingUInt32(size, "Size"),
				  TraceLoggingInt32(200, "Status"));
}

int main(int argc, char **argv)
{
	const unsigned int requests = argc > 1 ? strtoul(argv[1], NULL, 0) : 100;

	TraceLoggingRegister(server);
	for (unsigned int i = 0; i < requests; i++)
		answer(i);
	TraceLoggingUnregister(server);
	return 0;
}
