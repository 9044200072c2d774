// SPDX-License-Identifier: MIT
/*
 * The id that TraceLogging and EventSource derive from a provider's name.
 */
#include <stdlib.h>

#include "evntlinux.h"
#include "internal.h"
#include "sha1.h"

/* What the hash starts with: the name space of such ids */
static const BYTE name_space[16] = {
	0x48, 0x2c, 0x2d, 0xb2, 0xc3, 0x90, 0x47, 0xc8,
	0x87, 0xf8, 0x1a, 0x15, 0xbf, 0xc1, 0x30, 0xfb,
};

/* Upper case of Latin letters; other scripts are taken as they are */
static WCHAR upper(WCHAR c)
{
	if ((c >= 'a' && c <= 'z') || (c >= 0xe0 && c <= 0xfe && c != 0xf7))
		return c - 0x20;
	return c == 0xff ? 0x178 : c;
}

EVNT_PUBLIC ULONG EvntProviderIdFromName(LPCSTR Name, GUID *ProviderId)
{
	BYTE digest[20], *text;
	size_t len, i;
	WCHAR *name;

	if (!Name || !ProviderId)
		return ERROR_INVALID_PARAMETER;
	name = evnt_utf16(Name);
	if (!name)
		return ERROR_INVALID_PARAMETER;
	len = evnt_wcslen(name);
	text = malloc(sizeof(name_space) + 2 * len);
	if (text) {
		memcpy(text, name_space, sizeof(name_space));
		for (i = 0; i < len; i++) {
			text[16 + 2 * i] = upper(name[i]) >> 8;
			text[17 + 2 * i] = upper(name[i]) & 0xff;
		}
		evnt_sha1(text, sizeof(name_space) + 2 * len, digest);
		digest[7] = (digest[7] & 0x0f) | 0x50;
		memcpy(ProviderId, digest, sizeof(*ProviderId));
	}
	free(name);
	free(text);
	return text ? ERROR_SUCCESS : ERROR_NOT_ENOUGH_MEMORY;
}
