// SPDX-License-Identifier: GPL-2.0
/*
 * Write TraceLogging events with fields; evnt_live.sh filters them.  The field
 * Size follows a text, so that it has no fixed place.
 */
#include <TraceLoggingProvider.h>
#include <winmeta.h>

#define FIELDS_ID							\
	(0x53cfafc1, 0x8470, 0x59d6,					\
	 0x43, 0x81, 0xb9, 0x35, 0x3e, 0x54, 0xf5, 0x21)
TRACELOGGING_DEFINE_PROVIDER(fields_provider, "Evntprov-Fields", FIELDS_ID);

int main(void)
{
	static const char * const paths[] = { "/a", "/long/path", "/b" };
	unsigned int i;

	if (TraceLoggingRegister(fields_provider))
		return 1;
	for (i = 0; i < 3; i++) {
		TraceLoggingWrite(fields_provider, "Read",
				  TraceLoggingLevel(WINEVENT_LEVEL_INFO),
				  TraceLoggingString(paths[i], "Path"),
				  TraceLoggingUInt32(4000 * (i + 1), "Size"));
		TraceLoggingWrite(fields_provider, "Closed",
				  TraceLoggingLevel(WINEVENT_LEVEL_INFO),
				  TraceLoggingString(paths[i], "Path"));
	}
	TraceLoggingUnregister(fields_provider);
	return 0;
}
