// SPDX-License-Identifier: GPL-2.0
/*
 * The example program of the manual pages: a server whose requests may be slow,
 * or fail.
 *
 *	my-server		serves a few requests, and exits
 *	my-server --serve	serves until it is killed
 */
#include <string.h>
#include <time.h>

#include <TraceLoggingProvider.h>

/* The id is the hash of the name: '*My-Server' */
TRACELOGGING_DEFINE_PROVIDER(server, "My-Server",
			     (0xd6549c39, 0xab98, 0x5156,
			      0xeb, 0x4a, 0x1c, 0xad, 0xdb, 0xbb, 0xe1, 0x2c));

static void request(int number)
{
	struct timespec slow = { 0, 150000000 };
	GUID activity = { 0 };

	EventActivityIdControl(EVENT_ACTIVITY_CTRL_CREATE_ID, &activity);
	TraceLoggingWriteActivity(server, "Request", &activity, NULL,
				  TraceLoggingOpcode(WINEVENT_OPCODE_START),
				  TraceLoggingLevel(WINEVENT_LEVEL_INFO),
				  TraceLoggingKeyword(1),
				  TraceLoggingInt32(number, "Number"));
	nanosleep(&slow, NULL);
	TraceLoggingWriteActivity(server, "Request timeout", &activity, NULL,
				  TraceLoggingLevel(WINEVENT_LEVEL_WARNING),
				  TraceLoggingKeyword(2),
				  TraceLoggingString("access.log", "Name"),
				  TraceLoggingInt32(5, "Status"),
				  TraceLoggingUInt32(2000000, "Size"));
	TraceLoggingWriteActivity(server, "Request", &activity, NULL,
				  TraceLoggingOpcode(WINEVENT_OPCODE_STOP),
				  TraceLoggingLevel(WINEVENT_LEVEL_INFO),
				  TraceLoggingKeyword(1));
}

int main(int argc, char **argv)
{
	int serve = argc > 1 && !strcmp(argv[1], "--serve");

	TraceLoggingRegister(server);
	for (int i = 0; serve || i < 3; i++)
		request(i);
	TraceLoggingUnregister(server);
	return 0;
}
