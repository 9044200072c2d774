/* SPDX-License-Identifier: MIT */
/*
 * TraceLogging: events that describe themselves.
 *
 *	TRACELOGGING_DEFINE_PROVIDER(g_provider, "MyCompany.MyComponent",
 *		(0xce5fa4ea, 0xab00, 0x5402,
 *		 0x8b, 0x76, 0x9f, 0x76, 0xac, 0x85, 0x8f, 0xb5));
 *
 *	TraceLoggingRegister(g_provider);
 *	TraceLoggingWrite(g_provider, "Opened",
 *			  TraceLoggingLevel(WINEVENT_LEVEL_INFO),
 *			  TraceLoggingKeyword(0x1),
 *			  TraceLoggingUtf8String(path),
 *			  TraceLoggingInt32(fd, "descriptor"));
 *	TraceLoggingUnregister(g_provider);
 *
 * Names and types are stored in the program's read-only data.  An event that no
 * session wants costs a load, a comparison and a branch, and its arguments are
 * not evaluated; otherwise each argument is evaluated once.  Requires C11 or
 * C++11 with gcc or clang.
 *
 * See TraceLoggingWrite(3), TraceLoggingRegister(3), and
 * https://learn.microsoft.com/windows/win32/tracelogging/tracelogging-wrapper-macros
 */
#ifndef TRACELOGGINGPROVIDER_H
#define TRACELOGGINGPROVIDER_H

#include "evntprov.h"
#ifndef __KERNEL__
#include "evntrace.h"
#endif
#include "winmeta.h"

/* Functions called by the macros; a program may define its own beforehand */
#ifndef TLG_EVENT_REGISTER
#define TLG_EVENT_REGISTER		EventRegister
#endif
#ifndef TLG_EVENT_UNREGISTER
#define TLG_EVENT_UNREGISTER		EventUnregister
#endif
#ifndef TLG_EVENT_SET_INFORMATION
#define TLG_EVENT_SET_INFORMATION	EventSetInformation
#endif
#ifndef TLG_EVENT_WRITE_TRANSFER
#define TLG_EVENT_WRITE_TRANSFER	EventWriteTransfer
#endif

/* Layout of a field's value */
enum TlgIn_t {
	TlgInNULL,
	TlgInUNICODESTRING,		/* nul-terminated */
	TlgInANSISTRING,		/* nul-terminated */
	TlgInINT8,
	TlgInUINT8,
	TlgInINT16,
	TlgInUINT16,
	TlgInINT32,
	TlgInUINT32,
	TlgInINT64,
	TlgInUINT64,
	TlgInFLOAT,
	TlgInDOUBLE,
	TlgInBOOL32,
	TlgInBINARY,			/* 16-bit size, bytes */
	TlgInGUID,
	_TlgInPOINTER_unsupported,
	TlgInFILETIME,
	TlgInSYSTEMTIME,
	TlgInSID,
	TlgInHEXINT32,
	TlgInHEXINT64,
	TlgInCOUNTEDSTRING,		/* 16-bit size in bytes, UTF-16 */
	TlgInCOUNTEDANSISTRING,		/* 16-bit size, bytes */
	_TlgInSTRUCT,			/* no value: fields follow */
	TlgInCOUNTEDBINARY,		/* like TlgInBINARY, also in arrays */
	_TlgInMax,
	_TlgInTypeMask = 0x1f,
	_TlgInCcount = 0x20,		/* array, its length in the schema */
	_TlgInVcount = 0x40,		/* 16-bit length, array */
	_TlgInCustom = 0x60,		/* 16-bit size, bytes */
	_TlgInCountMask = 0x60,
	_TlgInChain = 0x80,
	TlgInINTPTR = sizeof(void *) == 8 ? TlgInINT64 : TlgInINT32,
	TlgInUINTPTR = sizeof(void *) == 8 ? TlgInUINT64 : TlgInUINT32,
	TlgInPOINTER = sizeof(void *) == 8 ? TlgInHEXINT64 : TlgInHEXINT32,
	TlgInHEXINTPTR = TlgInPOINTER
};

/* Format in which consumers show a field */
enum TlgOut_t {
	TlgOutNULL,
	TlgOutNOPRINT,
	TlgOutSTRING,
	TlgOutBOOLEAN,
	TlgOutHEX,
	TlgOutPID,
	TlgOutTID,
	TlgOutPORT,
	TlgOutIPV4,
	TlgOutIPV6,
	TlgOutSOCKETADDRESS,
	TlgOutXML,
	TlgOutJSON,
	TlgOutWIN32ERROR,
	TlgOutNTSTATUS,
	TlgOutHRESULT,
	TlgOutFILETIME,
	TlgOutSIGNED,
	TlgOutUNSIGNED,
	TlgOutCULTURE_INSENSITIVE_DATETIME = 33,
	TlgOutUTF8 = 35,
	TlgOutPKCS7_WITH_TYPE_INFO = 36,
	TlgOutCODE_POINTER = 37,
	TlgOutDATETIME_UTC = 38,
	_TlgOutMax,
	_TlgOutTypeMask = 0x7f,
	_TlgOutChain = 0x80
};

/* Providers of kernel modules are defined by <linux/tracelogging.h> */
#ifndef __KERNEL__
/*
 * A provider.  LevelPlus1 is the sessions' level + 1, or 0 if no session has
 * enabled the provider.  The enable callback writes it and the keywords;
 * writers of events read them.
 */
struct _tlgProvider_t {
	UINT32 LevelPlus1;
	const VOID *ProviderMetadataPtr;	/* traits, size first */
	const GUID *ProviderIdPtr;
	UINT64 KeywordAny;
	UINT64 KeywordAll;
	REGHANDLE RegHandle;
	PENABLECALLBACK EnableCallback;
	PVOID CallbackContext;
};
typedef const struct _tlgProvider_t *TraceLoggingHProvider;
#endif

#include "evnttlg.h"
#include "evntany.h"
#include "evnttlgreg.h"

/*
 * TRACELOGGING_DECLARE_PROVIDER(handle) - declare a provider defined elsewhere
 * TRACELOGGING_DEFINE_PROVIDER(handle, "name", (id)[, TraceLoggingOptionGroup])
 *
 * The handle is a constant that is visible in one executable or library only.
 */
#ifndef __KERNEL__
#define TRACELOGGING_DECLARE_PROVIDER(handleVariable) \
	extern const TraceLoggingHProvider handleVariable EVNT_TLG_HIDDEN
#define TRACELOGGING_DEFINE_PROVIDER(handleVariable, providerName, ...) \
	TRACELOGGING_DEFINE_PROVIDER_STORAGE(handleVariable##_Storage_, \
					     providerName, __VA_ARGS__); \
	TRACELOGGING_DECLARE_PROVIDER(handleVariable); \
	const TraceLoggingHProvider handleVariable = &handleVariable##_Storage_
#define TRACELOGGING_DEFINE_PROVIDER_STORAGE(storageVariable, providerName, ...) \
	EVNT_TLG_DEFINE(storageVariable, providerName, __VA_ARGS__)
#endif

/* Provider group, by whose ID sessions can enable the provider, too */
#define TraceLoggingOptionGroup(l, w1, w2, b1, b2, b3, b4, b5, b6, b7, b8) \
	(l, w1, w2, b1, b2, b3, b4, b5, b6, b7, b8)

/*
 * TraceLoggingWrite(provider, "name", ...) - write an event
 * TraceLoggingWriteActivity(provider, "name", id, related id, ...)
 *
 * "..." are up to 99 of the macros below.
 */
#define TraceLoggingWrite(hProvider, ...) \
	EVNT_TLG_WRITE(hProvider, NULL, NULL, EVNT_FIRST(__VA_ARGS__), \
		       __VA_ARGS__)
#define TraceLoggingWriteActivity(hProvider, eventName, pActivityId, ...) \
	EVNT_TLG_WRITE(hProvider, pActivityId, EVNT_FIRST(__VA_ARGS__), \
		       eventName, __VA_ARGS__)

/* Event attributes; several keywords or tags are combined */
#define TraceLoggingLevel(eventLevel) \
	EVNT_TLG_CONFIG(*0 + (eventLevel), , , , )
#define TraceLoggingKeyword(eventKeyword) \
	EVNT_TLG_CONFIG(, | (eventKeyword), , , )
#define TraceLoggingOpcode(eventOpcode) \
	EVNT_TLG_CONFIG(, , *0 + (eventOpcode), , )
#define TraceLoggingChannel(eventChannel) \
	EVNT_TLG_CONFIG(, , , *0 + (eventChannel), )
#define TraceLoggingEventTag(eventTag) \
	EVNT_TLG_CONFIG(, , , , | (eventTag))

/* Documentation in the program's source, not recorded in the event */
#define TraceLoggingDescription(description) \
	EVNT_TLG_CONFIG(, , , , )
#define TraceLoggingCustomAttribute(key, value) \
	EVNT_TLG_CONFIG(, , , , )

/*
 * Fields.  The value may be followed by a name, a description and a tag of 28
 * bits, in this order.  The name defaults to the text of the value's
 * expression.  Names, tags and numbers that go into the schema must be
 * constant.  The description documents the source only.
 */

/* Types of fields: C type, layout, format */
#define EVNT_TLG_Int8 INT8, TlgInINT8, TlgOutNULL
#define EVNT_TLG_UInt8 UINT8, TlgInUINT8, TlgOutNULL
#define EVNT_TLG_Int16 INT16, TlgInINT16, TlgOutNULL
#define EVNT_TLG_UInt16 UINT16, TlgInUINT16, TlgOutNULL
#define EVNT_TLG_Int32 INT32, TlgInINT32, TlgOutNULL
#define EVNT_TLG_UInt32 UINT32, TlgInUINT32, TlgOutNULL
#define EVNT_TLG_Int64 INT64, TlgInINT64, TlgOutNULL
#define EVNT_TLG_UInt64 UINT64, TlgInUINT64, TlgOutNULL
#define EVNT_TLG_IntPtr INT_PTR, TlgInINTPTR, TlgOutNULL
#define EVNT_TLG_UIntPtr UINT_PTR, TlgInUINTPTR, TlgOutNULL
#define EVNT_TLG_Long LONG, TlgInINT32, TlgOutNULL
#define EVNT_TLG_ULong ULONG, TlgInUINT32, TlgOutNULL
#define EVNT_TLG_HexInt8 INT8, TlgInUINT8, TlgOutHEX
#define EVNT_TLG_HexUInt8 UINT8, TlgInUINT8, TlgOutHEX
#define EVNT_TLG_HexInt16 INT16, TlgInUINT16, TlgOutHEX
#define EVNT_TLG_HexUInt16 UINT16, TlgInUINT16, TlgOutHEX
#define EVNT_TLG_HexInt32 INT32, TlgInHEXINT32, TlgOutNULL
#define EVNT_TLG_HexUInt32 UINT32, TlgInHEXINT32, TlgOutNULL
#define EVNT_TLG_HexInt64 INT64, TlgInHEXINT64, TlgOutNULL
#define EVNT_TLG_HexUInt64 UINT64, TlgInHEXINT64, TlgOutNULL
#define EVNT_TLG_HexIntPtr INT_PTR, TlgInPOINTER, TlgOutNULL
#define EVNT_TLG_HexUIntPtr UINT_PTR, TlgInPOINTER, TlgOutNULL
#define EVNT_TLG_HexLong LONG, TlgInHEXINT32, TlgOutNULL
#define EVNT_TLG_HexULong ULONG, TlgInHEXINT32, TlgOutNULL
#define EVNT_TLG_Float32 FLOAT, TlgInFLOAT, TlgOutNULL
#define EVNT_TLG_Float64 double, TlgInDOUBLE, TlgOutNULL
#define EVNT_TLG_Boolean BOOLEAN, TlgInUINT8, TlgOutBOOLEAN
#define EVNT_TLG_Bool BOOL, TlgInBOOL32, TlgOutNULL
#define EVNT_TLG_Char char, TlgInUINT8, TlgOutSTRING
#define EVNT_TLG_Char16 char16_t, TlgInUINT16, TlgOutSTRING
#define EVNT_TLG_WChar WCHAR, TlgInUINT16, TlgOutSTRING
#define EVNT_TLG_Pointer LPCVOID, TlgInPOINTER, TlgOutNULL
#define EVNT_TLG_CodePointer LPCVOID, TlgInPOINTER, TlgOutCODE_POINTER
#define EVNT_TLG_Pid UINT32, TlgInUINT32, TlgOutPID
#define EVNT_TLG_Tid UINT32, TlgInUINT32, TlgOutTID
#define EVNT_TLG_IPv4Address UINT32, TlgInUINT32, TlgOutIPV4
#define EVNT_TLG_Port UINT16, TlgInUINT16, TlgOutPORT
#define EVNT_TLG_WinError UINT32, TlgInUINT32, TlgOutWIN32ERROR
#define EVNT_TLG_NTStatus LONG, TlgInUINT32, TlgOutNTSTATUS
#define EVNT_TLG_HResult HRESULT, TlgInINT32, TlgOutHRESULT
#define EVNT_TLG_FileTime FILETIME, TlgInFILETIME, TlgOutNULL
#define EVNT_TLG_FileTimeUtc FILETIME, TlgInFILETIME, TlgOutDATETIME_UTC
#define EVNT_TLG_SystemTime SYSTEMTIME, TlgInSYSTEMTIME, TlgOutNULL
#define EVNT_TLG_SystemTimeUtc SYSTEMTIME, TlgInSYSTEMTIME, TlgOutDATETIME_UTC
#define EVNT_TLG_Guid GUID, TlgInGUID, TlgOutNULL

#define TraceLoggingInt8(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_Int8, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingUInt8(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_UInt8, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingInt16(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_Int16, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingUInt16(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_UInt16, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingInt32(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_Int32, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingUInt32(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_UInt32, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingInt64(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_Int64, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingUInt64(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_UInt64, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingIntPtr(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_IntPtr, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingUIntPtr(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_UIntPtr, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingLong(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_Long, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingULong(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_ULong, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingHexInt8(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_HexInt8, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingHexUInt8(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_HexUInt8, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingHexInt16(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_HexInt16, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingHexUInt16(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_HexUInt16, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingHexInt32(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_HexInt32, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingHexUInt32(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_HexUInt32, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingHexInt64(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_HexInt64, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingHexUInt64(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_HexUInt64, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingHexIntPtr(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_HexIntPtr, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingHexUIntPtr(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_HexUIntPtr, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingHexLong(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_HexLong, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingHexULong(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_HexULong, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingFloat32(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_Float32, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingFloat64(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_Float64, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingBoolean(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_Boolean, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingBool(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_Bool, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingChar(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_Char, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingChar16(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_Char16, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingWChar(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_WChar, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingPointer(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_Pointer, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingCodePointer(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_CodePointer, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingPid(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_Pid, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingTid(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_Tid, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingIPv4Address(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_IPv4Address, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingPort(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_Port, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingWinError(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_WinError, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingNTStatus(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_NTStatus, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingHResult(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_HResult, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingFileTime(...) \
	EVNT_TLG_ONE(evnt_object, EVNT_TLG_FileTime, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingFileTimeUtc(...) \
	EVNT_TLG_ONE(evnt_object, EVNT_TLG_FileTimeUtc, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingSystemTime(...) \
	EVNT_TLG_ONE(evnt_object, EVNT_TLG_SystemTime, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingSystemTimeUtc(...) \
	EVNT_TLG_ONE(evnt_object, EVNT_TLG_SystemTimeUtc, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingGuid(...) \
	EVNT_TLG_ONE(evnt_object, EVNT_TLG_Guid, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingWchar	TraceLoggingWChar

/* A field with the type of its value, in C as in C++ */
#define TraceLoggingValue(...) \
	EVNT_TLG_ONE(evnt_any, EVNT_TLG_Any(EVNT_FIRST(__VA_ARGS__)), \
		     #__VA_ARGS__, __VA_ARGS__)
#define EVNT_TLG_Any(value) \
	0, EVNT_TLG_ANY_IN(value), EVNT_TLG_ANY_OUT(value)

/* Nul-terminated strings; NULL is written as an empty string */
#define TraceLoggingString(...) \
	EVNT_TLG_ONE(evnt_string8, EVNT_TLG_String, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingUtf8String(...) \
	EVNT_TLG_ONE(evnt_string8, EVNT_TLG_Utf8String, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingString16(...) \
	EVNT_TLG_ONE(evnt_string16, EVNT_TLG_String16, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingWideString(...) \
	EVNT_TLG_ONE(evnt_string16, EVNT_TLG_WideString, #__VA_ARGS__, __VA_ARGS__)
#define EVNT_TLG_String		char, TlgInANSISTRING, TlgOutNULL
#define EVNT_TLG_Utf8String	char, TlgInANSISTRING, TlgOutUTF8
#define EVNT_TLG_String16	char16_t, TlgInUNICODESTRING, TlgOutNULL
#define EVNT_TLG_WideString	WCHAR, TlgInUNICODESTRING, TlgOutNULL

/* Strings with a length in characters */
#define TraceLoggingCountedString(pchValue, ...) \
	EVNT_TLG_TWO(evnt_counted, EVNT_TLG_CountedString, #pchValue, \
		     pchValue, __VA_ARGS__)
#define TraceLoggingCountedUtf8String(pchValue, ...) \
	EVNT_TLG_TWO(evnt_counted, EVNT_TLG_CountedUtf8String, #pchValue, \
		     pchValue, __VA_ARGS__)
#define TraceLoggingCountedString16(pchValue, ...) \
	EVNT_TLG_TWO(evnt_counted, EVNT_TLG_CountedString16, #pchValue, \
		     pchValue, __VA_ARGS__)
#define TraceLoggingCountedWideString(pchValue, ...) \
	EVNT_TLG_TWO(evnt_counted, EVNT_TLG_CountedString16, #pchValue, \
		     pchValue, __VA_ARGS__)
#define EVNT_TLG_CountedString		char, TlgInCOUNTEDANSISTRING, TlgOutNULL
#define EVNT_TLG_CountedUtf8String	char, TlgInCOUNTEDANSISTRING, TlgOutUTF8
#define EVNT_TLG_CountedString16	char16_t, TlgInCOUNTEDSTRING, TlgOutNULL

/* Strings and binary data in a structure with a Length in bytes and a Buffer */
#define TraceLoggingAnsiString(...) \
	EVNT_TLG_ONE(evnt_buffer, \
		     EVNT_TLG_AnsiString(EVNT_FIRST(__VA_ARGS__)), \
		     #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingUnicodeString(...) \
	EVNT_TLG_ONE(evnt_buffer, \
		     EVNT_TLG_UnicodeString(EVNT_FIRST(__VA_ARGS__)), \
		     #__VA_ARGS__, __VA_ARGS__)
#define EVNT_TLG_AnsiString(value) \
	__typeof__(*(value)), TlgInCOUNTEDANSISTRING, TlgOutNULL
#define EVNT_TLG_UnicodeString(value) \
	__typeof__(*(value)), TlgInCOUNTEDSTRING, TlgOutNULL
#define TraceLoggingBinaryBuffer(pValue, ...) \
	EVNT_TLG_BUFFER(EVNT_FIRST(__VA_ARGS__), TlgOutNULL, #pValue, \
			pValue, __VA_ARGS__)
#define TraceLoggingBinaryBufferEx(pValue, StructType, ...) \
	EVNT_TLG_BUFFER(StructType, EVNT_FIRST(__VA_ARGS__), #pValue, \
			pValue, __VA_ARGS__)

/* Binary data */
#define TraceLoggingBinary(pValue, ...) \
	EVNT_TLG_TWO(evnt_binary, EVNT_TLG_Binary, #pValue, \
		     pValue, __VA_ARGS__)
#define TraceLoggingBinaryEx(pValue, cbValue, ...) \
	EVNT_TLG_BINARY_EX(EVNT_FIRST(__VA_ARGS__), #pValue, pValue, cbValue, \
			   __VA_ARGS__)
#define TraceLoggingIPv6Address(...) \
	EVNT_TLG_ONE(evnt_ipv6, EVNT_TLG_IPv6Address, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingSocketAddress(pValue, ...) \
	EVNT_TLG_TWO(evnt_binary, EVNT_TLG_SocketAddress, #pValue, \
		     pValue, __VA_ARGS__)
#define TraceLoggingSid(...) \
	EVNT_TLG_ONE(evnt_sid, EVNT_TLG_Sid, #__VA_ARGS__, __VA_ARGS__)
#define EVNT_TLG_Binary		void, TlgInBINARY, TlgOutNULL
#define EVNT_TLG_IPv6Address	void, TlgInBINARY, TlgOutIPV6
#define EVNT_TLG_SocketAddress	void, TlgInBINARY, TlgOutSOCKETADDRESS
#define EVNT_TLG_Sid		void, TlgInSID, TlgOutNULL

/*
 * TraceLoggingCustom(p, size, protocol, (schema), size of schema, ...) - bytes
 * in a format defined by a protocol; protocols 5 to 31 are available for
 * programs
 */
#define TraceLoggingCustom(pbValue, cbValue, protocol, bSchema, ...) \
	EVNT_TLG_CUSTOM(#pbValue, pbValue, cbValue, protocol, bSchema, \
			__VA_ARGS__)

/* Make the next fieldCount fields, 1 to 127, members of this one */
#define TraceLoggingStruct(fieldCount, ...) \
	EVNT_TLG_STRUCT(fieldCount, _TlgInSTRUCT, __VA_ARGS__)

/* Arrays; their length is in the data, or constant and in the schema */
#define TraceLoggingInt8Array(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_Int8, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingInt8FixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_Int8, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingUInt8Array(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_UInt8, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingUInt8FixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_UInt8, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingInt16Array(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_Int16, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingInt16FixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_Int16, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingUInt16Array(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_UInt16, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingUInt16FixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_UInt16, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingInt32Array(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_Int32, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingInt32FixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_Int32, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingUInt32Array(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_UInt32, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingUInt32FixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_UInt32, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingInt64Array(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_Int64, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingInt64FixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_Int64, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingUInt64Array(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_UInt64, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingUInt64FixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_UInt64, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingIntPtrArray(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_IntPtr, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingIntPtrFixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_IntPtr, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingUIntPtrArray(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_UIntPtr, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingUIntPtrFixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_UIntPtr, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingLongArray(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_Long, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingLongFixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_Long, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingULongArray(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_ULong, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingULongFixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_ULong, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexInt8Array(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_HexInt8, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexInt8FixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_HexInt8, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexUInt8Array(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_HexUInt8, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexUInt8FixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_HexUInt8, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexInt16Array(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_HexInt16, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexInt16FixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_HexInt16, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexUInt16Array(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_HexUInt16, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexUInt16FixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_HexUInt16, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexInt32Array(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_HexInt32, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexInt32FixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_HexInt32, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexUInt32Array(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_HexUInt32, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexUInt32FixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_HexUInt32, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexInt64Array(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_HexInt64, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexInt64FixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_HexInt64, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexUInt64Array(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_HexUInt64, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexUInt64FixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_HexUInt64, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexIntPtrArray(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_HexIntPtr, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexIntPtrFixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_HexIntPtr, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexUIntPtrArray(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_HexUIntPtr, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexUIntPtrFixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_HexUIntPtr, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexLongArray(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_HexLong, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexLongFixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_HexLong, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexULongArray(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_HexULong, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingHexULongFixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_HexULong, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingFloat32Array(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_Float32, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingFloat32FixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_Float32, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingFloat64Array(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_Float64, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingFloat64FixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_Float64, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingBooleanArray(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_Boolean, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingBooleanFixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_Boolean, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingBoolArray(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_Bool, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingBoolFixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_Bool, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingCharArray(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_Char, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingCharFixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_Char, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingChar16Array(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_Char16, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingChar16FixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_Char16, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingWCharArray(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_WChar, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingWCharFixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_WChar, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingPointerArray(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_Pointer, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingPointerFixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_Pointer, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingCodePointerArray(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_CodePointer, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingCodePointerFixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_CodePointer, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingFileTimeArray(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_FileTime, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingFileTimeFixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_FileTime, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingFileTimeUtcArray(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_FileTimeUtc, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingFileTimeUtcFixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_FileTimeUtc, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingSystemTimeArray(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_SystemTime, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingSystemTimeFixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_SystemTime, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingSystemTimeUtcArray(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_SystemTimeUtc, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingSystemTimeUtcFixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_SystemTimeUtc, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingGuidArray(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_Guid, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingGuidFixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_Guid, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingWcharArray		TraceLoggingWCharArray
#define TraceLoggingWcharFixedArray	TraceLoggingWCharFixedArray

/*
 * Schema of fields, and data of fields, separately: for arrays of structures
 * and strings, and for data that is in memory in the format of an event.
 */
#define TraceLoggingPackedField(pValue, cbValue, ...) \
	EVNT_TLG_PACKED_FIELD(EVNT_FIRST(__VA_ARGS__), #pValue, pValue, \
			      cbValue, __VA_ARGS__)
#define TraceLoggingPackedFieldEx(pValue, cbValue, inType, ...) \
	EVNT_TLG_PACKED_FIELD_EX(inType, EVNT_FIRST(__VA_ARGS__), #pValue, \
				 pValue, cbValue, __VA_ARGS__)
#define TraceLoggingPackedMetadata(inType, ...) \
	EVNT_TLG_SCHEMA(EVNT_FIRST(__VA_ARGS__), inType, TlgOutNULL, \
			EVNT_TLG_TAG(0, __VA_ARGS__))
#define TraceLoggingPackedMetadataEx(inType, outType, ...) \
	EVNT_TLG_SCHEMA(EVNT_FIRST(__VA_ARGS__), inType, outType, \
			EVNT_TLG_TAG(0, __VA_ARGS__))
#define TraceLoggingPackedStruct(fieldCount, ...) \
	EVNT_TLG_STRUCT(fieldCount, _TlgInSTRUCT, __VA_ARGS__)
#define TraceLoggingPackedStructArray(fieldCount, ...) \
	EVNT_TLG_STRUCT(fieldCount, _TlgInSTRUCT | _TlgInVcount, __VA_ARGS__)
#define TraceLoggingPackedData(pValue, cbValue) \
	EVNT_TLG_BLOCK(pValue, cbValue, EVENT_DATA_DESCRIPTOR_TYPE_NONE)
#define TraceLoggingPackedDataEx(pValue, cbValue, dataDescType) \
	EVNT_TLG_BLOCK(pValue, cbValue, dataDescType)

/*
 * Extensions: macros that Microsoft's TraceLogging for Linux has and ETW's
 * does not.  A program that includes <eventheader/TraceLoggingProvider.h>
 * compiles with the header of this name in compat/.
 */

/* ID and version of the event, which are 0 by default */
#define TraceLoggingIdVersion(eventId, eventVersion) \
	EVNT_TLG_CONFIG_ID(*0 + (eventId), *0 + (eventVersion))

/* Name of a group; recorded as a trait of the provider's own, type 128 */
#define TraceLoggingOptionGroupName(groupName) \
	(groupName)

/* An error of the system, as a number */
#define EVNT_TLG_Errno INT32, TlgInINT32, TlgOutNULL
#define TraceLoggingErrno(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_Errno, #__VA_ARGS__, __VA_ARGS__)

/* Seconds since 1970, recorded as a FILETIME; arrays are numbers */
#define EVNT_TLG_Time INT64, TlgInFILETIME, TlgOutDATETIME_UTC
#define TraceLoggingTime32(...) \
	EVNT_TLG_ONE(evnt_time, EVNT_TLG_Time, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingTime64(...) \
	EVNT_TLG_ONE(evnt_time, EVNT_TLG_Time, #__VA_ARGS__, __VA_ARGS__)

/* Code points, as hexadecimal numbers; a string is an array of them */
#ifdef __cplusplus
#define EVNT_TLG_Char32 char32_t, TlgInHEXINT32, TlgOutNULL
#define EVNT_TLG_String32 \
	char32_t, TlgInHEXINT32 | _TlgInVcount, TlgOutNULL
#else
#define EVNT_TLG_Char32 UINT32, TlgInHEXINT32, TlgOutNULL
#define EVNT_TLG_String32 \
	UINT32, TlgInHEXINT32 | _TlgInVcount, TlgOutNULL
#endif
#define TraceLoggingChar32(...) \
	EVNT_TLG_ONE(evnt_value, EVNT_TLG_Char32, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingString32(...) \
	EVNT_TLG_ONE(evnt_string32, EVNT_TLG_String32, #__VA_ARGS__, __VA_ARGS__)
#define TraceLoggingCountedString32(pchValue, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_Char32, #pchValue, pchValue, __VA_ARGS__)

#define TraceLoggingChar32Array(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_Char32, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingChar32FixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_Char32, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingPidArray(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_Pid, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingPidFixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_Pid, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingPortArray(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_Port, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingPortFixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_Port, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingErrnoArray(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_Errno, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingErrnoFixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_Errno, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingTime32Array(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_Int32, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingTime32FixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_Int32, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingTime64Array(pValues, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_Int64, #pValues, pValues, __VA_ARGS__)
#define TraceLoggingTime64FixedArray(pValues, ...) \
	EVNT_TLG_FIXED(EVNT_TLG_Int64, #pValues, pValues, __VA_ARGS__)

#endif /* TRACELOGGINGPROVIDER_H */
