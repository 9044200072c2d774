// SPDX-License-Identifier: MIT
/*
 * Activities of TraceLoggingActivity.h: each ends with its scope, and those
 * started inside it have it as the related activity.
 *
 *	evnt record -p '*Example-Requests' -o requests.etl -- ./requests
 *	evnt activities requests.etl
 */
#include <string>
#include <vector>

#include <TraceLoggingActivity.h>
#include <TraceLoggingProvider.h>

TRACELOGGING_DEFINE_PROVIDER(requests, "Example-Requests",
			     (0xd41bb325, 0x8fa2, 0x5fd6, 0xed, 0xa4, 0x67,
			      0x67, 0xa2, 0x30, 0x62, 0xcc));

/* Activities of a thread: the inner one is caused by the outer one */
using Activity = TraceLoggingThreadActivity<requests>;

static void fetch(const std::string &name)
{
	Activity activity;

	TraceLoggingWriteStart(activity, "Fetch",
			       TraceLoggingUtf8String(name.c_str(), "Name"));
	TraceLoggingWriteTagged(activity, "Found",
				TraceLoggingUInt64(name.size(), "Length"));
	TraceLoggingWriteStop(activity, "Fetch");
}

int main()
{
	const std::vector<std::string> names = { "one", "two", "three" };

	TraceLoggingRegister(requests);
	{
		Activity activity;

		TraceLoggingWriteStart(activity, "Request");
		for (const auto &name : names)
			fetch(name);
		TraceLoggingWriteStop(activity, "Request",
				      TraceLoggingHResult(S_OK, "Result"));
	}
	TraceLoggingUnregister(requests);
	return 0;
}
