/* SPDX-License-Identifier: MIT */
/*
 * Relogging: a program reads the events of log files or of a session and writes
 * those that it selects, changes or creates to a new log file.
 *
 * CoCreateInstance(CLSID_TraceRelogger) creates a relogger; the program implements
 * ITraceEventCallback.  See ITraceRelogger(3).
 *
 * https://learn.microsoft.com/windows/win32/api/relogger/
 */
#ifndef RELOGGER_H
#define RELOGGER_H

#include "evntcom.h"
#include "evntcons.h"

typedef struct ITraceEvent ITraceEvent;
typedef struct ITraceEventCallback ITraceEventCallback;
typedef struct ITraceRelogger ITraceRelogger;

/* Id of an input of a relogger */
typedef ULONG64 RELOGSTREAM_ID;

#undef INTERFACE
#define INTERFACE ITraceEvent
DECLARE_INTERFACE_(ITraceEvent, IUnknown)
{
	EVNT_UNKNOWN_METHODS
	STDMETHOD(Clone)(THIS_ ITraceEvent **NewEvent) PURE;
	STDMETHOD(GetUserContext)(THIS_ void **UserContext) PURE;
	STDMETHOD(GetEventRecord)(THIS_ PEVENT_RECORD *EventRecord) PURE;
	STDMETHOD(SetPayload)(THIS_ BYTE *Payload, ULONG PayloadSize) PURE;
	STDMETHOD(SetEventDescriptor)(THIS_ PCEVENT_DESCRIPTOR EventDescriptor)
		PURE;
	STDMETHOD(SetProcessId)(THIS_ ULONG ProcessId) PURE;
	STDMETHOD(SetProcessorIndex)(THIS_ ULONG ProcessorIndex) PURE;
	STDMETHOD(SetThreadId)(THIS_ ULONG ThreadId) PURE;
	STDMETHOD(SetThreadTimes)(THIS_ ULONG KernelTime, ULONG UserTime) PURE;
	STDMETHOD(SetActivityId)(THIS_ LPCGUID ActivityId) PURE;
	STDMETHOD(SetTimeStamp)(THIS_ LARGE_INTEGER *TimeStamp) PURE;
	STDMETHOD(SetProviderId)(THIS_ LPCGUID ProviderId) PURE;
};

#undef INTERFACE
#define INTERFACE ITraceEventCallback
DECLARE_INTERFACE_(ITraceEventCallback, IUnknown)
{
	EVNT_UNKNOWN_METHODS
	STDMETHOD(OnBeginProcessTrace)(THIS_ ITraceEvent *HeaderEvent,
				       ITraceRelogger *Relogger) PURE;
	STDMETHOD(OnFinalizeProcessTrace)(THIS_ ITraceRelogger *Relogger) PURE;
	STDMETHOD(OnEvent)(THIS_ ITraceEvent *Event, ITraceRelogger *Relogger)
		PURE;
};

#undef INTERFACE
#define INTERFACE ITraceRelogger
DECLARE_INTERFACE_(ITraceRelogger, IUnknown)
{
	EVNT_UNKNOWN_METHODS
	STDMETHOD(AddLogfileTraceStream)(THIS_ BSTR LogfileName,
					 void *UserContext,
					 RELOGSTREAM_ID *TraceStreamId) PURE;
	STDMETHOD(AddRealtimeTraceStream)(THIS_ BSTR LoggerName,
					  void *UserContext,
					  RELOGSTREAM_ID *TraceStreamId) PURE;
	STDMETHOD(RegisterCallback)(THIS_ ITraceEventCallback *Callback) PURE;
	STDMETHOD(Inject)(THIS_ ITraceEvent *Event) PURE;
	STDMETHOD(CreateEventInstance)(THIS_ RELOGSTREAM_ID TraceStreamId,
				       ULONG Flags, ITraceEvent **Event) PURE;
	STDMETHOD(ProcessTrace)(THIS) PURE;
	STDMETHOD(SetOutputFilename)(THIS_ BSTR LogfileName) PURE;
	STDMETHOD(SetCompressionMode)(THIS_ BOOLEAN CompressionMode) PURE;
	STDMETHOD(Cancel)(THIS) PURE;
};
#undef INTERFACE

EVNT_UUID(ITraceEvent, IID_ITraceEvent, 0x8cc97f40, 0x9028, 0x4ff3,
	  0x9b, 0x62, 0x7d, 0x1f, 0x79, 0xca, 0x7b, 0xcb);
EVNT_UUID(ITraceEventCallback, IID_ITraceEventCallback,
	  0x3ed25501, 0x593f, 0x43e9,
	  0x8f, 0x38, 0x3a, 0xb4, 0x6f, 0x5a, 0x4a, 0x52);
EVNT_UUID(ITraceRelogger, IID_ITraceRelogger, 0xf754ad43, 0x3bcc, 0x4286,
	  0x80, 0x09, 0x9c, 0x5d, 0xa2, 0x14, 0xe8, 0x4e);
/* The class of reloggers, which evntcons.h also names CLSID_TraceRelogger */
#ifdef __cplusplus
class CTraceRelogger;
#endif
EVNT_UUID(CTraceRelogger, CLSID_CTraceRelogger, 0x7b40792d, 0x05ff, 0x44c4,
	  0x90, 0x58, 0xf4, 0x40, 0xc7, 0x1f, 0x17, 0xd4);

#if !defined(__cplusplus) && defined(COBJMACROS)

#define ITraceEvent_QueryInterface(This, riid, object) \
	(This)->lpVtbl->QueryInterface(This, riid, object)
#define ITraceEvent_AddRef(This)	(This)->lpVtbl->AddRef(This)
#define ITraceEvent_Release(This)	(This)->lpVtbl->Release(This)
#define ITraceEvent_Clone(This, event)	(This)->lpVtbl->Clone(This, event)
#define ITraceEvent_GetUserContext(This, context) \
	(This)->lpVtbl->GetUserContext(This, context)
#define ITraceEvent_GetEventRecord(This, record) \
	(This)->lpVtbl->GetEventRecord(This, record)
#define ITraceEvent_SetPayload(This, payload, size) \
	(This)->lpVtbl->SetPayload(This, payload, size)
#define ITraceEvent_SetEventDescriptor(This, descriptor) \
	(This)->lpVtbl->SetEventDescriptor(This, descriptor)
#define ITraceEvent_SetProcessId(This, id) \
	(This)->lpVtbl->SetProcessId(This, id)
#define ITraceEvent_SetProcessorIndex(This, index) \
	(This)->lpVtbl->SetProcessorIndex(This, index)
#define ITraceEvent_SetThreadId(This, id) \
	(This)->lpVtbl->SetThreadId(This, id)
#define ITraceEvent_SetThreadTimes(This, kernel, user) \
	(This)->lpVtbl->SetThreadTimes(This, kernel, user)
#define ITraceEvent_SetActivityId(This, id) \
	(This)->lpVtbl->SetActivityId(This, id)
#define ITraceEvent_SetTimeStamp(This, time) \
	(This)->lpVtbl->SetTimeStamp(This, time)
#define ITraceEvent_SetProviderId(This, id) \
	(This)->lpVtbl->SetProviderId(This, id)

#define ITraceEventCallback_QueryInterface(This, riid, object) \
	(This)->lpVtbl->QueryInterface(This, riid, object)
#define ITraceEventCallback_AddRef(This)	(This)->lpVtbl->AddRef(This)
#define ITraceEventCallback_Release(This)	(This)->lpVtbl->Release(This)
#define ITraceEventCallback_OnBeginProcessTrace(This, event, relogger) \
	(This)->lpVtbl->OnBeginProcessTrace(This, event, relogger)
#define ITraceEventCallback_OnFinalizeProcessTrace(This, relogger) \
	(This)->lpVtbl->OnFinalizeProcessTrace(This, relogger)
#define ITraceEventCallback_OnEvent(This, event, relogger) \
	(This)->lpVtbl->OnEvent(This, event, relogger)

#define ITraceRelogger_QueryInterface(This, riid, object) \
	(This)->lpVtbl->QueryInterface(This, riid, object)
#define ITraceRelogger_AddRef(This)	(This)->lpVtbl->AddRef(This)
#define ITraceRelogger_Release(This)	(This)->lpVtbl->Release(This)
#define ITraceRelogger_AddLogfileTraceStream(This, name, context, id) \
	(This)->lpVtbl->AddLogfileTraceStream(This, name, context, id)
#define ITraceRelogger_AddRealtimeTraceStream(This, name, context, id) \
	(This)->lpVtbl->AddRealtimeTraceStream(This, name, context, id)
#define ITraceRelogger_RegisterCallback(This, callback) \
	(This)->lpVtbl->RegisterCallback(This, callback)
#define ITraceRelogger_Inject(This, event) \
	(This)->lpVtbl->Inject(This, event)
#define ITraceRelogger_CreateEventInstance(This, id, flags, event) \
	(This)->lpVtbl->CreateEventInstance(This, id, flags, event)
#define ITraceRelogger_ProcessTrace(This) \
	(This)->lpVtbl->ProcessTrace(This)
#define ITraceRelogger_SetOutputFilename(This, name) \
	(This)->lpVtbl->SetOutputFilename(This, name)
#define ITraceRelogger_SetCompressionMode(This, mode) \
	(This)->lpVtbl->SetCompressionMode(This, mode)
#define ITraceRelogger_Cancel(This)	(This)->lpVtbl->Cancel(This)

#endif /* COBJMACROS */

#endif /* RELOGGER_H */
