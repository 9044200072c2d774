// SPDX-License-Identifier: MIT
/*
 * Writes an event of each kind that wil's TraceLogging has: of a provider class
 * with telemetry, of activities, on threads, and of failures, in an activity and
 * without one.  scripts/port --link builds it.
 */
#include <thread>

#include <wil/Tracelogging.h>

class PortProvider : public wil::TraceLoggingProvider {
	IMPLEMENT_TRACELOGGING_CLASS_WITH_MICROSOFT_TELEMETRY(PortProvider,
		"Evntprov.Port.Wil",
		(0x047c8ee6, 0x6987, 0x5049, 0x27, 0x7d, 0x1e, 0xb9, 0xc7, 0xea, 0x2a, 0xa8));

public:
	DEFINE_TRACELOGGING_EVENT_PARAM2(Plain, int, number, PCWSTR, text);
	DEFINE_COMPLIANT_TELEMETRY_EVENT_PARAM1(Compliant,
						PDT_ProductAndServiceUsage,
						bool, used);
	DEFINE_COMPLIANT_MEASURES_EVENT_STRING(Measured,
					       PDT_ProductAndServiceUsage,
					       name);

	BEGIN_CUSTOM_ACTIVITY_CLASS(Copy, wil::ActivityOptions::None, 0x10,
				    WINEVENT_LEVEL_INFO)
	DEFINE_ACTIVITY_START(PCWSTR file)
	{
		TraceLoggingClassWriteStart(Copy,
			TraceLoggingWideString(file, "file"));
	}
	DEFINE_TAGGED_TRACELOGGING_EVENT_UINT32(Block, size);
	END_ACTIVITY_CLASS();

	DEFINE_TRACELOGGING_THREAD_ACTIVITY(OfThread);
	DEFINE_CALLCONTEXT_ACTIVITY(Context);
};

DECLARE_TRACELOGGING_CLASS(OtherProvider, "Evntprov.Port.Wil.Other",
	(0x93ead701, 0x5c1a, 0x5290, 0x65, 0xea, 0x35, 0x05, 0x6b, 0x1d, 0xd1, 0x73));

static HRESULT fail()
{
	RETURN_HR_MSG(E_INVALIDARG, "argument %d", 5);
}

int main()
{
	wil::SetResultTelemetryFallback(
		&PortProvider::FallbackTelemetryCallback);
	PortProvider::SetErrorReportingType(
		wil::ErrorReportingType::TraceLogging);

	PortProvider::Plain(-7, L"text");
	PortProvider::Compliant(true);
	PortProvider::Measured(L"measure");
	PortProvider::TraceLoggingInfo("info %d", 3);
	TraceLoggingProviderWrite(OtherProvider, "Other",
				  TraceLoggingInt32(9, "nine"));
	{
		auto copy = PortProvider::Copy::Start(L"file");

		copy.Block(4096u);
		std::thread([&] {
			auto part = copy.Split();

			part.Stop();
		}).join();
		copy.Stop(S_OK);
	}
	{
		auto activity = PortProvider::OfThread::Start();

		PortProvider::Plain(1, L"in the thread's activity");
		activity.Stop(S_FALSE);
	}
	{
		auto failing = PortProvider::Context::Start();

		failing.Stop(fail());
	}
	/* Failures: of the activity that watches the thread, then of none */
	{
		auto unstopped = PortProvider::Copy::Start(L"unstopped");

		LOG_IF_FAILED(fail());
	}
	LOG_HR(E_ACCESSDENIED);
	return 0;
}
