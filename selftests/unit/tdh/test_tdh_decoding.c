// SPDX-License-Identifier: MIT
/* Decoding handles, which keep parameters. */
#include <tdh.h>

#include "selftests/unit/common/tap.h"

static void test_parameters(void)
{
	TDH_CONTEXT size = { 8, TDH_CONTEXT_POINTERSIZE, 0 };
	TDH_CONTEXT got = { 0, TDH_CONTEXT_POINTERSIZE, 0 };
	TDH_CONTEXT unknown = { 0, TDH_CONTEXT_MAXIMUM, 0 };
	TDH_HANDLE handle = NULL;

	CHECK(TdhOpenDecodingHandle(NULL) == ERROR_INVALID_PARAMETER &&
	      !TdhOpenDecodingHandle(&handle) && handle,
	      "TdhOpenDecodingHandle returns a handle");
	CHECK(TdhGetDecodingParameter(handle, &got) == ERROR_NOT_FOUND,
	      "a parameter that was not set");
	CHECK(!TdhSetDecodingParameter(handle, &size) &&
	      !TdhGetDecodingParameter(handle, &got) &&
	      got.ParameterValue == 8, "a parameter that was set is returned");
	size.ParameterValue = 4;
	CHECK(!TdhSetDecodingParameter(handle, &size) &&
	      !TdhGetDecodingParameter(handle, &got) &&
	      got.ParameterValue == 4, "a parameter can be set again");
	CHECK(TdhSetDecodingParameter(handle, NULL) == ERROR_INVALID_PARAMETER &&
	      TdhSetDecodingParameter(NULL, &size) == ERROR_INVALID_PARAMETER &&
	      TdhSetDecodingParameter(handle, &unknown) ==
	      ERROR_INVALID_PARAMETER &&
	      TdhGetDecodingParameter(handle, &unknown) ==
	      ERROR_INVALID_PARAMETER, "an unknown one");
	CHECK(!TdhCloseDecodingHandle(handle) &&
	      TdhCloseDecodingHandle(NULL) == ERROR_INVALID_PARAMETER,
	      "TdhCloseDecodingHandle closes a handle");
}

static void test_messages(void)
{
	static WCHAR name[] = { 'F', 0 };
	EVENT_RECORD event = { 0 };
	TDH_HANDLE handle = NULL;
	ULONG size = 0;

	TdhOpenDecodingHandle(&handle);
	CHECK(TdhGetWppMessage(handle, &event, &size, NULL) ==
	      ERROR_INVALID_PARAMETER, "an event that is none of WPP");
	event.EventHeader.Flags = EVENT_HEADER_FLAG_TRACE_MESSAGE;
	CHECK(TdhGetWppMessage(handle, &event, &size, NULL) ==
	      ERROR_NOT_FOUND &&
	      TdhGetWppProperty(handle, &event, name, &size, NULL) ==
	      ERROR_NOT_FOUND, "an event that is not of WPP has no message");
	CHECK(TdhGetWppProperty(handle, &event, NULL, &size, NULL) ==
	      ERROR_INVALID_PARAMETER &&
	      TdhGetWppMessage(NULL, &event, &size, NULL) ==
	      ERROR_INVALID_PARAMETER &&
	      TdhGetWppMessage(handle, NULL, &size, NULL) ==
	      ERROR_INVALID_PARAMETER &&
	      TdhGetWppMessage(handle, &event, NULL, NULL) ==
	      ERROR_INVALID_PARAMETER, "wrong parameters are refused");
	TdhCloseDecodingHandle(handle);
}

int main(void)
{
	test_parameters();
	test_messages();
	return tap_end();
}
