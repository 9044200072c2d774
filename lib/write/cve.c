// SPDX-License-Identifier: MIT
/*
 * CveEventWrite(): events of Windows' provider of attempted exploits.
 *
 * The provider is registered for the time of the call only, so a program that
 * never detects an exploit has no such registration.
 */
#include "lib/base/internal.h"
#include "securitybaseapi.h"

/* Microsoft-Windows-Audit-CVE */
static const GUID audit_cve = {
	0x85a62a0d, 0x7e17, 0x485f,
	{ 0x9d, 0x4f, 0x74, 0x9a, 0x28, 0x71, 0x93, 0xa6 }
};

/* Descriptor as on Windows: a warning in the channel Application */
static const EVENT_DESCRIPTOR possible_cve = {
	.Id = 1, .Channel = 9, .Level = 3, .Keyword = 1ull << 63,
};

/* Describe a string with its nul; return false if no event has room for it */
static bool describe(EVENT_DATA_DESCRIPTOR *data, PCWSTR text)
{
	const size_t len = (evnt_wcslen(text) + 1) * sizeof(WCHAR);

	EventDataDescCreate(data, text, len);
	return len <= UINT16_MAX;
}

/**
 * CveEventWrite() - report an attempt to exploit a vulnerability
 * @CveId: CVE id of the vulnerability
 * @AdditionalDetails: details for readers of the event, or NULL
 *
 * Writes an event of the provider Microsoft-Windows-Audit-CVE to the sessions
 * that have enabled it: both strings, of which the second may be empty.
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER if @CveId is NULL;
 * ERROR_ARITHMETIC_OVERFLOW if the event is longer than 64 KB; the errors of
 * EventRegister() and EventWrite().
 *
 * https://learn.microsoft.com/windows/win32/api/securitybaseapi/nf-securitybaseapi-cveeventwrite
 */
EVNT_PUBLIC LONG WINAPI CveEventWrite(PCWSTR CveId, PCWSTR AdditionalDetails)
{
	static const WCHAR nothing[] = { 0 };
	EVENT_DATA_DESCRIPTOR data[2];
	REGHANDLE handle;
	ULONG code;

	if (!CveId)
		return ERROR_INVALID_PARAMETER;
	if (!describe(&data[0], CveId) ||
	    !describe(&data[1], AdditionalDetails ? AdditionalDetails : nothing))
		return ERROR_ARITHMETIC_OVERFLOW;
	code = EventRegister(&audit_cve, NULL, NULL, &handle);
	if (code)
		return code;
	code = EventWrite(handle, &possible_cve, 2, data);
	EventUnregister(handle);
	return code;
}
