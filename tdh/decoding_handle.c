// SPDX-License-Identifier: MIT
/*
 * Parameters for decoding that are kept between events, and what WPP's events are
 * asked for with them.
 *
 * What a WPP event means is in the program's debug information, or files made of
 * it, which nothing here reads: its message is never found.
 */
#include <stdlib.h>

#include "internal.h"

/**
 * struct decoding - what a TDH_HANDLE points to
 * @contexts: each parameter's value
 * @is_set: whether it has one
 */
struct decoding {
	TDH_CONTEXT contexts[TDH_CONTEXT_MAXIMUM];
	bool is_set[TDH_CONTEXT_MAXIMUM];
};

/**
 * TdhOpenDecodingHandle() - begin to decode
 * @Handle: receives what TdhCloseDecodingHandle() ends
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
 * TdhSetDecodingParameter() - a parameter for all events that follow
 * @Handle: of TdhOpenDecodingHandle()
 * @TdhContext: its type, and its value, which is kept as it is
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhsetdecodingparameter
 *
 * Return: ERROR_SUCCESS or ERROR_INVALID_PARAMETER, also for an unknown type.
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
 * TdhGetDecodingParameter() - a parameter that was set
 * @Handle: of TdhOpenDecodingHandle()
 * @TdhContext: its type; receives its value
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhgetdecodingparameter
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER; ERROR_NOT_FOUND when it was not
 * set.
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

/* Whether it is asked for something of a WPP event, rightly */
static ULONG ask_of_message(TDH_HANDLE handle, const EVENT_RECORD *event,
			    const ULONG *size)
{
	if (!handle || !event || !size ||
	    !(event->EventHeader.Flags & EVENT_HEADER_FLAG_TRACE_MESSAGE))
		return ERROR_INVALID_PARAMETER;
	return ERROR_NOT_FOUND;
}

/**
 * TdhGetWppProperty() - a property of a WPP event
 * @Handle: of TdhOpenDecodingHandle()
 * @EventRecord: the event
 * @PropertyName: which
 * @BufferSize: bytes of @Buffer
 * @Buffer: would receive it
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhgetwppproperty
 *
 * Return: ERROR_NOT_FOUND, or ERROR_INVALID_PARAMETER, also when it is no WPP
 * event.
 */
EVNT_PUBLIC TDHSTATUS TdhGetWppProperty(TDH_HANDLE Handle,
					PEVENT_RECORD EventRecord,
					PWSTR PropertyName, ULONG *BufferSize,
					PBYTE Buffer)
{
	(void)Buffer;
	return PropertyName ?
	       ask_of_message(Handle, EventRecord, BufferSize) :
	       ERROR_INVALID_PARAMETER;
}

/**
 * TdhGetWppMessage() - the message of a WPP event
 * @Handle: of TdhOpenDecodingHandle()
 * @EventRecord: the event
 * @BufferSize: bytes of @Buffer
 * @Buffer: would receive it
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhgetwppmessage
 *
 * Return: as TdhGetWppProperty().
 */
EVNT_PUBLIC TDHSTATUS TdhGetWppMessage(TDH_HANDLE Handle,
				       PEVENT_RECORD EventRecord,
				       ULONG *BufferSize, PBYTE Buffer)
{
	(void)Buffer;
	return ask_of_message(Handle, EventRecord, BufferSize);
}

/**
 * TdhCloseDecodingHandle() - end what TdhOpenDecodingHandle() began
 * @Handle: the handle, which is not valid any more
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
