/* SPDX-License-Identifier: MIT */
/*
 * What the headers that evntmc(1) generates share: the context of a provider, its
 * callback, and what registers and writes.  The names are those of Windows'
 * message compiler, and so are the macros that replace what is called; code of
 * both can be in one program, even in one file.
 */
#ifndef EVNTMCGEN_H
#define EVNTMCGEN_H

#include "evntprov.h"
#include "evntrace.h"

/* Replacements for what is called */
#ifndef MCGEN_EVENTREGISTER
#define MCGEN_EVENTREGISTER		EventRegister
#endif
#ifndef MCGEN_EVENTUNREGISTER
#define MCGEN_EVENTUNREGISTER		EventUnregister
#endif
#ifndef MCGEN_EVENTSETINFORMATION
#define MCGEN_EVENTSETINFORMATION	EventSetInformation
#endif
#ifndef MCGEN_EVENTWRITETRANSFER
#define MCGEN_EVENTWRITETRANSFER	EventWriteTransfer
#endif
#ifndef MCGEN_PENABLECALLBACK
#define MCGEN_PENABLECALLBACK		PENABLECALLBACK
#endif
#ifndef MCGEN_EVENT_ENABLED
#define MCGEN_EVENT_ENABLED(EventName)	EventEnabled##EventName()
#endif
#ifndef MCGEN_EVENT_BIT_SET
#define MCGEN_EVENT_BIT_SET(EnableBits, BitPosition) \
	(((EnableBits)[(BitPosition) >> 5] & (1u << ((BitPosition) & 31))) != 0)
#endif
#ifndef MCGEN_ENABLE_CHECK
#define MCGEN_ENABLE_CHECK(Context, Descriptor) \
	((Context).IsEnabled && McGenEventEnabled(&(Context), &(Descriptor)))
#endif
/* Set, for the length of a SID, by programs that have a function of their own */
#ifndef MCGEN_GETLENGTHSID
#define MCGEN_GETLENGTHSID(p)		EvntMcSidLength(p)
#endif

/* Logger points to the provider's traits; level and keyword of each bit follow */
#ifndef MCGEN_TRACE_CONTEXT_DEF
#define MCGEN_TRACE_CONTEXT_DEF
typedef struct _MCGEN_TRACE_CONTEXT {
	TRACEHANDLE RegistrationHandle;
	TRACEHANDLE Logger;
	ULONGLONG MatchAnyKeyword;
	ULONGLONG MatchAllKeyword;
	ULONG Flags;
	ULONG IsEnabled;
	UCHAR Level;
	UCHAR Reserve;
	USHORT EnableBitsCount;
	PULONG EnableBitMask;
	const ULONGLONG *EnableKeyWords;
	const UCHAR *EnableLevel;
} MCGEN_TRACE_CONTEXT, *PMCGEN_TRACE_CONTEXT;
#endif

/* A definition that may stand in a header: all of a program share one */
#define EVNT_MC_SHARED	__attribute__((weak))

/* What a SID takes: the count of its parts is in its second byte */
static inline ULONG EvntMcSidLength(const void *Sid)
{
	return 8u + 4u * ((const UCHAR *)Sid)[1];
}

static inline ULONG EvntMcWideLength(const WCHAR *Text)
{
	ULONG Length = 0;

	while (Text[Length])
		Length++;
	return Length;
}

/* The text with its nul; NULL is written as that word */
static inline void EvntMcDescWide(PEVENT_DATA_DESCRIPTOR Descriptor,
				  const WCHAR *Text)
{
	static const WCHAR Nothing[] = { 'N', 'U', 'L', 'L', 0 };

	if (!Text)
		Text = Nothing;
	EventDataDescCreate(Descriptor, Text, (ULONG)sizeof(WCHAR) *
			    (EvntMcWideLength(Text) + 1));
}

static inline void EvntMcDescNarrow(PEVENT_DATA_DESCRIPTOR Descriptor,
				    const char *Text)
{
	if (!Text)
		Text = "NULL";
	EventDataDescCreate(Descriptor, Text, (ULONG)strlen(Text) + 1);
}

static inline void EvntMcDescSid(PEVENT_DATA_DESCRIPTOR Descriptor,
				 const void *Sid)
{
	static const UCHAR Nothing[8] = { 0 };

	EventDataDescCreate(Descriptor, Sid ? Sid : Nothing,
			    Sid ? MCGEN_GETLENGTHSID(Sid) :
				  (ULONG)sizeof(Nothing));
}

#ifndef MCGEN_LEVEL_KEYWORD_ENABLED_DEF
#define MCGEN_LEVEL_KEYWORD_ENABLED_DEF
static inline BOOLEAN McGenLevelKeywordEnabled(PMCGEN_TRACE_CONTEXT EnableInfo,
					       UCHAR Level, ULONGLONG Keyword)
{
	if (Level > EnableInfo->Level && EnableInfo->Level)
		return FALSE;
	return !Keyword || ((Keyword & EnableInfo->MatchAnyKeyword) &&
			    (Keyword & EnableInfo->MatchAllKeyword) ==
				    EnableInfo->MatchAllKeyword);
}
#endif

#ifndef MCGEN_EVENT_ENABLED_DEF
#define MCGEN_EVENT_ENABLED_DEF
static inline BOOLEAN McGenEventEnabled(PMCGEN_TRACE_CONTEXT EnableInfo,
					PCEVENT_DESCRIPTOR EventDescriptor)
{
	return McGenLevelKeywordEnabled(EnableInfo, EventDescriptor->Level,
					EventDescriptor->Keyword);
}
#endif

#ifndef MCGEN_CONTROL_CALLBACK
#define MCGEN_CONTROL_CALLBACK
/* Keeps what is enabled; other bits of the masks are those of other events */
static inline VOID NTAPI McGenControlCallbackV2(LPCGUID SourceId,
						ULONG ControlCode, UCHAR Level,
						ULONGLONG MatchAnyKeyword,
						ULONGLONG MatchAllKeyword,
						PEVENT_FILTER_DESCRIPTOR Filter,
						PVOID CallbackContext)
{
	PMCGEN_TRACE_CONTEXT Context = (PMCGEN_TRACE_CONTEXT)CallbackContext;
	ULONG Bit;

	if (!Context)
		return;
	switch (ControlCode) {
	case EVENT_CONTROL_CODE_ENABLE_PROVIDER:
		Context->MatchAnyKeyword = MatchAnyKeyword;
		Context->MatchAllKeyword = MatchAllKeyword;
		Context->Level = Level;
		for (Bit = 0; Bit < Context->EnableBitsCount; Bit++) {
			PULONG Word = &Context->EnableBitMask[Bit >> 5];

			if (McGenLevelKeywordEnabled(Context,
						     Context->EnableLevel[Bit],
						     Context->EnableKeyWords[Bit]))
				*Word |= 1u << (Bit & 31);
			else
				*Word &= ~(1u << (Bit & 31));
		}
		Context->IsEnabled = ControlCode;
		break;
	case EVENT_CONTROL_CODE_DISABLE_PROVIDER:
		Context->IsEnabled = ControlCode;
		Context->Level = 0;
		Context->MatchAnyKeyword = 0;
		Context->MatchAllKeyword = 0;
		for (Bit = 0; Bit < (Context->EnableBitsCount + 31u) / 32; Bit++)
			Context->EnableBitMask[Bit] = 0;
		break;
	default:
		break;
	}
#ifdef MCGEN_PRIVATE_ENABLE_CALLBACK_V2
	MCGEN_PRIVATE_ENABLE_CALLBACK_V2(SourceId, ControlCode, Level,
					 MatchAnyKeyword, MatchAllKeyword,
					 Filter, CallbackContext);
#else
	(void)SourceId;
	(void)Filter;
#endif
}
#endif

#ifndef _mcgen_PENABLECALLBACK_def
#define _mcgen_PENABLECALLBACK_def
typedef VOID (NTAPI *_mcgen_PENABLECALLBACK)(LPCGUID, ULONG, UCHAR, ULONGLONG,
					     ULONGLONG,
					     PEVENT_FILTER_DESCRIPTOR, PVOID);
#endif

#ifndef McGenEventWrite_def
#define McGenEventWrite_def
/* The first of @EventData is for the traits */
static inline ULONG McGenEventWrite(PMCGEN_TRACE_CONTEXT Context,
				    PCEVENT_DESCRIPTOR Descriptor,
				    LPCGUID ActivityId, ULONG EventDataCount,
				    EVENT_DATA_DESCRIPTOR *EventData)
{
	const void *Traits = (const void *)(ULONG_PTR)Context->Logger;
	USHORT Size = 0;

	if (Traits)
		memcpy(&Size, Traits, sizeof(Size));
	EventData[0].Ptr = (ULONG_PTR)Traits;
	EventData[0].Size = Size;
	EventData[0].Reserved = Traits ?
				EVENT_DATA_DESCRIPTOR_TYPE_PROVIDER_METADATA :
				0;
	return MCGEN_EVENTWRITETRANSFER(Context->RegistrationHandle, Descriptor,
					ActivityId, NULL, EventDataCount,
					EventData);
}
#endif

#ifndef McGenEventRegisterContext_def
#define McGenEventRegisterContext_def
/* Not for a provider that is registered: ERROR_INVALID_PARAMETER */
static inline ULONG McGenEventRegisterContext(LPCGUID ProviderId,
					      MCGEN_PENABLECALLBACK Callback,
					      PVOID CallbackContext,
					      PMCGEN_TRACE_CONTEXT Context)
{
	USHORT Size;
	ULONG Error;

	if (Context->RegistrationHandle)
		return ERROR_INVALID_PARAMETER;
	Error = MCGEN_EVENTREGISTER(ProviderId, Callback, CallbackContext,
				    &Context->RegistrationHandle);
	if (Error || !Context->Logger)
		return Error;
	memcpy(&Size, (const void *)(ULONG_PTR)Context->Logger, sizeof(Size));
	(void)MCGEN_EVENTSETINFORMATION(Context->RegistrationHandle,
					EventProviderSetTraits,
					(PVOID)(ULONG_PTR)Context->Logger,
					Size);
	return Error;
}
#endif

#ifndef McGenEventRegisterUnregister
#define McGenEventRegisterUnregister
/* Of a provider that is registered nothing is changed */
static inline ULONG McGenEventRegister(LPCGUID ProviderId,
				       MCGEN_PENABLECALLBACK EnableCallback,
				       PVOID CallbackContext,
				       PREGHANDLE RegHandle)
{
	if (*RegHandle)
		return ERROR_SUCCESS;
	return MCGEN_EVENTREGISTER(ProviderId, EnableCallback, CallbackContext,
				   RegHandle);
}

static inline ULONG McGenEventUnregister(PREGHANDLE RegHandle)
{
	ULONG Error;

	if (!*RegHandle)
		return ERROR_SUCCESS;
	Error = MCGEN_EVENTUNREGISTER(*RegHandle);
	*RegHandle = 0;
	return Error;
}
#endif

#endif /* EVNTMCGEN_H */
