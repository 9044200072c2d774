// SPDX-License-Identifier: MIT
/*
 * GUIDs: creation and conversion from and to text.
 */
#include <sys/random.h>

#include "compat.h"

/* https://learn.microsoft.com/windows/win32/api/combaseapi/nf-combaseapi-cocreateguid */
HRESULT CoCreateGuid(GUID *to)
{
	if (!to)
		return E_INVALIDARG;
	if (getrandom(to, sizeof(*to), 0) != sizeof(*to))
		return E_FAIL;
	/* Make it a random (version 4) GUID of RFC 4122 */
	to->Data3 = (to->Data3 & 0x0fff) | 0x4000;
	to->Data4[0] = (to->Data4[0] & 0x3f) | 0x80;
	return S_OK;
}

RPC_STATUS UuidCreate(UUID *to)
{
	return CoCreateGuid(to) == S_OK ? RPC_S_OK : RPC_S_UUID_LOCAL_ONLY;
}

/* https://learn.microsoft.com/windows/win32/api/combaseapi/nf-combaseapi-stringfromguid2 */
int StringFromGUID2(REFGUID from, LPWSTR to, int size)
{
	char text[39];
	int i;

	if (!from || !to || size < 39)
		return 0;
	sprintf(text, "{%08X-%04X-%04X-%02X%02X-%02X%02X%02X%02X%02X%02X}",
		from->Data1, from->Data2, from->Data3, from->Data4[0],
		from->Data4[1], from->Data4[2], from->Data4[3], from->Data4[4],
		from->Data4[5], from->Data4[6], from->Data4[7]);
	for (i = 0; i < 39; i++)
		to[i] = (unsigned char)text[i];
	return 39;
}

HRESULT StringFromCLSID(REFCLSID from, LPWSTR *to)
{
	*to = CoTaskMemAlloc(39 * sizeof(WCHAR));
	if (!*to)
		return E_OUTOFMEMORY;
	StringFromGUID2(from, *to, 39);
	return S_OK;
}

static int hex_value(WCHAR c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Read @digits hexadecimal digits, advancing *@from; false for others */
static bool read_hex(LPCWSTR *from, int digits, ULONG *value)
{
	int digit;

	for (*value = 0; digits; digits--) {
		digit = hex_value(*(*from)++);
		if (digit < 0)
			return false;
		*value = *value << 4 | digit;
	}
	return true;
}

static bool read_guid(LPCWSTR from, GUID *to)
{
	ULONG parts[3], byte;
	int i;

	if (*from++ != '{' || !read_hex(&from, 8, &parts[0]) ||
	    *from++ != '-' || !read_hex(&from, 4, &parts[1]) ||
	    *from++ != '-' || !read_hex(&from, 4, &parts[2]) || *from++ != '-')
		return false;
	to->Data1 = parts[0];
	to->Data2 = parts[1];
	to->Data3 = parts[2];
	for (i = 0; i < 8; i++) {
		if (!read_hex(&from, 2, &byte) || (i == 1 && *from++ != '-'))
			return false;
		to->Data4[i] = byte;
	}
	return from[0] == '}' && !from[1];
}

/* https://learn.microsoft.com/windows/win32/api/combaseapi/nf-combaseapi-clsidfromstring */
HRESULT CLSIDFromString(LPCWSTR from, CLSID *to)
{
	memset(to, 0, sizeof(*to));
	return !from || read_guid(from, to) ? S_OK : CO_E_CLASSSTRING;
}

/* https://learn.microsoft.com/windows/win32/api/combaseapi/nf-combaseapi-iidfromstring */
HRESULT IIDFromString(LPCWSTR from, IID *to)
{
	return CLSIDFromString(from, to) == S_OK ? S_OK : E_INVALIDARG;
}
