// SPDX-License-Identifier: MIT
/*
 * A program as for Windows that relogs a file: it keeps events with an odd id and
 * those of the system, changes the level of the event with id 3, and adds one.
 *
 *	relogger IN.etl OUT.etl
 */
#include <windows.h>

#include <atlbase.h>
#include <evntcons.h>
#include <relogger.h>

/* As a program that does not use the library for these may define it */
DEFINE_GUID(IID_ITraceEventCallback, 0x3ed25501, 0x593f, 0x43e9, 0x8f, 0x38, 0x3a,
	    0xb4, 0x6f, 0x5a, 0x4a, 0x52);

class Callback final : public ITraceEventCallback
{
public:
	STDMETHODIMP QueryInterface(const IID &iid, void **object) override
	{
		if (iid == IID_IUnknown || iid == __uuidof(ITraceEventCallback)) {
			*object = static_cast<ITraceEventCallback *>(this);
			AddRef();
			return S_OK;
		}
		*object = NULL;
		return E_NOINTERFACE;
	}

	STDMETHODIMP_(ULONG) AddRef(void) override
	{
		return InterlockedIncrement(&count);
	}

	STDMETHODIMP_(ULONG) Release() override
	{
		ULONG left = InterlockedDecrement(&count);

		if (!left)
			delete this;
		return left;
	}

	HRESULT STDMETHODCALLTYPE OnBeginProcessTrace(ITraceEvent *header,
						      ITraceRelogger *) override
	{
		EVENT_RECORD *record;

		return header->GetEventRecord(&record);
	}

	STDMETHODIMP OnEvent(ITraceEvent *event, ITraceRelogger *relogger) override
	{
		EVENT_RECORD *record = nullptr;
		HRESULT hr = event->GetEventRecord(&record);

		if (FAILED(hr))
			return hr;
		EVENT_DESCRIPTOR descriptor = record->EventHeader.EventDescriptor;
		if (descriptor.Id % 2 == 0 &&
		    !(record->EventHeader.Flags & EVENT_HEADER_FLAG_CLASSIC_HEADER))
			return S_OK;
		if (descriptor.Id == 3) {
			descriptor.Level = 1;
			hr = event->SetEventDescriptor(&descriptor);
		}
		return FAILED(hr) ? hr : relogger->Inject(event);
	}

	STDMETHODIMP OnFinalizeProcessTrace(ITraceRelogger *relogger) override
	{
		static const GUID provider = { 0x1234, 0, 0, { 0 } };
		EVENT_DESCRIPTOR descriptor = {};
		ITraceEvent *event = nullptr;
		BYTE payload[] = { 'e', 'n', 'd', 0 };
		HRESULT hr = relogger->CreateEventInstance(trace, 0, &event);

		if (FAILED(hr))
			return hr;
		descriptor.Id = 77;
		if (event->SetEventDescriptor(&descriptor) != S_OK ||
		    event->SetProviderId(&provider) != S_OK ||
		    event->SetPayload(payload, sizeof(payload)) != S_OK ||
		    relogger->Inject(event) != S_OK)
			hr = E_FAIL;
		event->Release();
		return hr;
	}

	RELOGSTREAM_ID trace = 0;

private:
	LONG count = 1;
};

static HRESULT relog(LPCWSTR from, LPCWSTR to)
{
	CComPtr<ITraceRelogger> relogger, copy, &alias = copy;
	CComBSTR input(from), output;
	Callback *callback = new Callback;
	ITraceRelogger *same = nullptr;
	IUnknown *unknown = nullptr;
	HRESULT hr;

	hr = relogger.CoCreateInstance(CLSID_TraceRelogger, nullptr,
				       CLSCTX_INPROC_SERVER);
	if (SUCCEEDED(hr))
		hr = relogger->QueryInterface(IID_PPV_ARGS(&same));
	if (SUCCEEDED(hr))
		hr = same->QueryInterface(IID_PPV_ARGS(&unknown));
	if (FAILED(hr))
		return hr;
	copy = relogger;
	copy = alias;
	/* Of these four references, two are left */
	if (unknown->Release() != 3 || same->Release() != 2)
		return E_UNEXPECTED;
	copy.Release();
	output = CComBSTR(to);
	hr = relogger->AddLogfileTraceStream(input, nullptr, &callback->trace);
	if (SUCCEEDED(hr))
		hr = relogger->SetOutputFilename(output);
	if (SUCCEEDED(hr))
		hr = relogger->SetCompressionMode(FALSE);
	if (SUCCEEDED(hr))
		hr = relogger->RegisterCallback(callback);
	if (SUCCEEDED(hr))
		hr = relogger->ProcessTrace();
	callback->Release();
	return hr;
}

/* A program's own type has a GUID in compilers with such an operator */
static bool has_uuid()
{
#ifdef EVNT_HAS_UUIDOF
	struct __declspec(uuid("{00005678-0000-0000-0000-000000000000}")) Own;

	return __uuidof(Own).Data1 == 0x5678;
#else
	return true;
#endif
}

static bool strings_work()
{
	CComBSTR narrow("a\xe2\x82\xac"), part(2, L"abc"), copy(part), none;
	CComBSTR &alias = copy;

	copy = alias;
	return narrow.Length() == 2 && narrow.m_str[1] == 0x20ac && !none &&
	       copy.Length() == 2 && copy.m_str[1] == 'b' && !copy.m_str[2] &&
	       copy.m_str != part.m_str;
}

int wmain(int argc, wchar_t **argv)
{
	HRESULT hr;

	if (argc != 3 || FAILED(CoInitializeEx(nullptr, COINIT_MULTITHREADED)) ||
	    __uuidof(CTraceRelogger) != CLSID_TraceRelogger ||
	    !has_uuid() || !strings_work())
		return 2;
	hr = relog(argv[1], argv[2]);
	CoUninitialize();
	if (FAILED(hr))
		fprintf(stderr, "%08x\n", (unsigned int)hr);
	return FAILED(hr);
}
