// SPDX-License-Identifier: MIT
/*
 * PresentMon's session and consumer on a log with three frames of
 * Microsoft-Windows-DXGI, which a private session records of this process.  The
 * parts of PresentMon's library for its own log do nothing here.
 */
#include <PresentData/PresentMonTraceConsumer.hpp>
#include <PresentData/PresentMonTraceSession.hpp>
#include <PresentData/ETW/Microsoft_Windows_DXGI.h>
#include <unistd.h>

namespace pmon::util {

Exception::Exception(std::string note) noexcept : note_(std::move(note)) {}
const char *Exception::what() const noexcept { return note_.c_str(); }
PM_STATUS Exception::GeneratePmStatus() const noexcept { return PM_STATUS_FAILURE; }
bool Exception::HasPmStatus() const noexcept { return false; }
std::string Exception::ComposeWhatString_() const noexcept { return note_; }
void DoCapture_(Exception &) {}
std::pair<std::string, std::optional<PM_STATUS>>
ReportException(std::string note, std::exception_ptr) noexcept
{
	return { note, {} };
}

win::Handle::Handle() {}
win::Handle::~Handle() {}
PrecisionWaiter::PrecisionWaiter(double) noexcept {}
double PrecisionWaiter::Wait(double, bool) noexcept { return 0; }

namespace log {

EntryBuilder::EntryBuilder(Level, const char *, const char *, int) noexcept {}
EntryBuilder::~EntryBuilder() {}
EntryBuilder &EntryBuilder::note(std::string note) noexcept
{
	fprintf(stderr, "%s\n", note.c_str());
	return *this;
}
EntryBuilder &EntryBuilder::to(std::shared_ptr<IEntrySink>) noexcept { return *this; }
EntryBuilder &EntryBuilder::subsys(Subsystem) noexcept { return *this; }
EntryBuilder &EntryBuilder::hr() noexcept { return *this; }
EntryBuilder &EntryBuilder::hr(uint32_t) noexcept { return *this; }
EntryBuilder &EntryBuilder::first(int) noexcept { return *this; }
std::shared_ptr<IChannel> GetDefaultChannel() noexcept { return {}; }

} // namespace log
} // namespace pmon::util

static const ULONG frames = 3;
static const ULONGLONG chain = 0x22448890;

template <typename Event, typename... Values>
static void write(REGHANDLE provider, Values... values)
{
	const EVENT_DESCRIPTOR event = {
		Event::Id, Event::Version, Event::Channel, Event::Level,
		Event::Opcode, Event::Task, (ULONGLONG)Event::Keyword,
	};
	EVENT_DATA_DESCRIPTOR data[sizeof...(values)], *to = data;

	(EventDataDescCreate(to++, &values, sizeof(values)), ...);
	EventWrite(provider, &event, sizeof...(values), data);
}

static ULONG record(const wchar_t *log)
{
	const GUID id = Microsoft_Windows_DXGI::GUID;
	struct {
		EVENT_TRACE_PROPERTIES p;
		wchar_t log[MAX_PATH];
		wchar_t name[MAX_PATH];
	} session = {};
	TRACEHANDLE handle;
	REGHANDLE provider;
	ULONG status;

	session.p.Wnode.BufferSize = sizeof(session);
	session.p.Wnode.Flags = WNODE_FLAG_TRACED_GUID;
	session.p.Wnode.Guid = id;
	session.p.Wnode.ClientContext = PMTraceSession::TIMESTAMP_TYPE_QPC;
	session.p.LogFileMode = EVENT_TRACE_FILE_MODE_SEQUENTIAL |
		EVENT_TRACE_PRIVATE_LOGGER_MODE | EVENT_TRACE_PRIVATE_IN_PROC;
	session.p.LogFileNameOffset = offsetof(decltype(session), log);
	session.p.LoggerNameOffset = offsetof(decltype(session), name);
	wcscpy_s(session.log, MAX_PATH, log);
	status = EventRegister(&id, nullptr, nullptr, &provider);
	if (!status)
		status = StartTraceW(&handle, L"frames", &session.p);
	if (!status)
		status = EnableTraceEx2(handle, &id,
					EVENT_CONTROL_CODE_ENABLE_PROVIDER, 5, 0, 0,
					0, nullptr);
	if (status)
		return status;
	for (ULONG i = 0; i < frames; i++) {
		write<Microsoft_Windows_DXGI::Present_Start>(
			provider, chain, (UINT32)0, (INT32)i);
		write<Microsoft_Windows_DXGI::Present_Stop>(
			provider, (UINT32)S_OK);
	}
	status = ControlTraceW(handle, nullptr, &session.p, EVENT_TRACE_CONTROL_STOP);
	EventUnregister(provider);
	return status;
}

int wmain(int, wchar_t **)
{
	std::vector<std::shared_ptr<PresentEvent>> presents;
	wchar_t log[] = L"/tmp/port-presentmon.etl", manifest[] = PORT_MANIFEST;
	PMTraceConsumer consumer;
	PMTraceSession session;
	int good = 0;
	ULONG status = record(log);

	consumer.mTrackDisplay = false;
	session.mPMConsumer = &consumer;
	if (!status)
		status = TdhLoadManifest(manifest);
	if (!status)
		status = session.Start(log, L"frames");
	if (!status)
		status = ProcessTrace(&session.mTraceHandle, 1, nullptr, nullptr);
	session.Stop();
	_wremove(log);
	consumer.DequeuePresentEvents(presents);
	for (const auto &p : presents) {
		printf("process %u, chain 0x%llx, interval %d, %.4f ms\n", p->ProcessId,
		       (ULONGLONG)p->SwapChainAddress, p->SyncInterval,
		       session.TimestampDeltaToMilliSeconds(p->TimeInPresent));
		good += p->ProcessId == (ULONG)getpid() &&
			p->SwapChainAddress == chain && p->SyncInterval == good &&
			p->Runtime == Runtime::DXGI && p->TimeInPresent;
	}
	if (status)
		printf("error %u\n", status);
	return status || good != frames || presents.size() != frames;
}
