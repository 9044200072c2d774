// SPDX-License-Identifier: MIT
/*
 * Decoding parameters kept between events, and the queries of WPP events that
 * use them.
 */
#include <stdlib.h>

#include "tdh/wpp.h"

/**
 * struct decoding - object of a TDH_HANDLE
 * @contexts: parameters by type
 * @is_set: parameters that have been set
 */
struct decoding {
	TDH_CONTEXT contexts[TDH_CONTEXT_MAXIMUM];
	bool is_set[TDH_CONTEXT_MAXIMUM];
};

/**
 * TdhOpenDecodingHandle() - open a decoding handle
 * @Handle: receives the handle, to be closed with TdhCloseDecodingHandle()
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhopendecodinghandle
 *
 * Return: ERROR_SUCCESS, ERROR_INVALID_PARAMETER or ERROR_NOT_ENOUGH_MEMORY.
 */
EVNT_PUBLIC TDHSTATUS TdhOpenDecodingHandle(PTDH_HANDLE Handle)
{
	struct decoding *decoding;

	if (!Handle)
		return ERROR_INVALID_PARAMETER;
	decoding = calloc(1, sizeof(*decoding));
	if (!decoding)
		return ERROR_NOT_ENOUGH_MEMORY;
	*Handle = decoding;
	return ERROR_SUCCESS;
}

/**
 * TdhSetDecodingParameter() - set a parameter for all following events
 * @Handle: handle of TdhOpenDecodingHandle()
 * @TdhContext: type and value of the parameter; the value is stored unchanged
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhsetdecodingparameter
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER for NULL or an unknown type.
 */
EVNT_PUBLIC TDHSTATUS TdhSetDecodingParameter(TDH_HANDLE Handle,
					      PTDH_CONTEXT TdhContext)
{
	struct decoding *decoding = Handle;
	ULONG type;

	if (!decoding || !TdhContext)
		return ERROR_INVALID_PARAMETER;
	type = TdhContext->ParameterType;
	if (type >= TDH_CONTEXT_MAXIMUM)
		return ERROR_INVALID_PARAMETER;
	decoding->contexts[type] = *TdhContext;
	decoding->is_set[type] = true;
	return ERROR_SUCCESS;
}

/**
 * TdhGetDecodingParameter() - query a parameter
 * @Handle: handle of TdhOpenDecodingHandle()
 * @TdhContext: in: type of the parameter; out: its value
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhgetdecodingparameter
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER; ERROR_NOT_FOUND if the
 * parameter has not been set.
 */
EVNT_PUBLIC TDHSTATUS TdhGetDecodingParameter(TDH_HANDLE Handle,
					      PTDH_CONTEXT TdhContext)
{
	const struct decoding *decoding = Handle;
	ULONG type;

	if (!decoding || !TdhContext)
		return ERROR_INVALID_PARAMETER;
	type = TdhContext->ParameterType;
	if (type >= TDH_CONTEXT_MAXIMUM)
		return ERROR_INVALID_PARAMETER;
	if (!decoding->is_set[type])
		return ERROR_NOT_FOUND;
	*TdhContext = decoding->contexts[type];
	return ERROR_SUCCESS;
}

static ULONG get_property(const struct decoding *decoding,
			  const EVENT_RECORD *event, const WCHAR *name,
			  ULONG *size, PBYTE buffer)
{
	TDH_CONTEXT contexts[TDH_CONTEXT_MAXIMUM];
	struct bytes b = { 0 };
	ULONG count = 0, code;

	if (!decoding || !event || !name || !size || (*size && !buffer) ||
	    !(event->EventHeader.Flags & EVENT_HEADER_FLAG_TRACE_MESSAGE))
		return ERROR_INVALID_PARAMETER;
	for (int i = 0; i < TDH_CONTEXT_MAXIMUM; i++) {
		if (decoding->is_set[i])
			contexts[count++] = decoding->contexts[i];
	}
	code = wpp_property(event, count, contexts, name, &b);
	if (code && wpp_load(event, count, contexts))
		code = wpp_property(event, count, contexts, name, &b);
	if (!code)
		return bytes_hand_over(&b, buffer, size);
	bytes_free(&b);
	return code;
}

/**
 * TdhGetWppProperty() - query a property of a WPP event
 * @Handle: handle of TdhOpenDecodingHandle()
 * @EventRecord: the event
 * @PropertyName: FormattedString, FunctionName, GuidName, GuidTypeName,
 *	LevelName, FlagsName, TraceGuid, SystemTime or RawSystemTime
 * @BufferSize: in: size of @Buffer in bytes; out: required size
 * @Buffer: receives the property: a text in UTF-16 with its nul, a GUID, a
 *	SYSTEMTIME or a FILETIME
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhgetwppproperty
 *
 * Return: ERROR_SUCCESS; ERROR_INSUFFICIENT_BUFFER; ERROR_NOT_FOUND if no file
 * describes the event, or it has no such property; ERROR_INVALID_PARAMETER for
 * NULL or an event that is not a WPP event; ERROR_OUTOFMEMORY.
 */
EVNT_PUBLIC TDHSTATUS TdhGetWppProperty(TDH_HANDLE Handle,
					PEVENT_RECORD EventRecord,
					PWSTR PropertyName, ULONG *BufferSize,
					PBYTE Buffer)
{
	return get_property(Handle, EventRecord, PropertyName, BufferSize,
			    Buffer);
}

/**
 * TdhGetWppMessage() - query the message of a WPP event
 * @Handle: handle of TdhOpenDecodingHandle()
 * @EventRecord: the event
 * @BufferSize: in: size of @Buffer in bytes; out: required size
 * @Buffer: receives the message with its fields, in UTF-16 with a nul
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhgetwppmessage
 *
 * Return: the codes of TdhGetWppProperty().
 */
EVNT_PUBLIC TDHSTATUS TdhGetWppMessage(TDH_HANDLE Handle,
				       PEVENT_RECORD EventRecord,
				       ULONG *BufferSize, PBYTE Buffer)
{
	static const WCHAR name[] = u"FormattedString";

	return get_property(Handle, EventRecord, name, BufferSize, Buffer);
}

/**
 * TdhCloseDecodingHandle() - close a decoding handle
 * @Handle: handle of TdhOpenDecodingHandle(), invalid on return
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhclosedecodinghandle
 *
 * Return: ERROR_SUCCESS or ERROR_INVALID_PARAMETER.
 */
EVNT_PUBLIC TDHSTATUS TdhCloseDecodingHandle(TDH_HANDLE Handle)
{
	if (!Handle)
		return ERROR_INVALID_PARAMETER;
	free(Handle);
	return ERROR_SUCCESS;
}
