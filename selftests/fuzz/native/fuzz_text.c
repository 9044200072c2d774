// SPDX-License-Identifier: MIT
/*
 * Text from users and programs: well-formed text survives the conversion to
 * UTF-16 and back, other text is refused; names and provider specs.
 */
#include <stdint.h>

#include "tools/common/number.c"
#include "tools/session/provider_spec.c"
#include "fuzz.h"
#include "lib/base/internal.h"

static void narrow(const char *text)
{
	WCHAR *wide = evnt_utf16(text);
	char *again;

	if (!wide)
		return;
	again = evnt_utf8(wide);
	check(again && !strcmp(text, again));
	free(again);
	free(wide);
}

/* UTF-16 of a program may be malformed, but the result may not */
static void widen(const WCHAR *text)
{
	char *narrow = evnt_utf8(text);
	WCHAR *again;

	if (!narrow)
		return;
	again = evnt_utf16(narrow);
	check(again && evnt_wcslen(again) == evnt_wcslen(text));
	free(again);
	free(narrow);
}

static void name(const char *text)
{
	GUID id;

	if (!EvntProviderIdFromName(text, &id))
		check((id.Data3 & 0xf000) == 0x5000);
}

static void spec(const char *text)
{
	struct spec_list list = { NULL, 0 };
	char why[128] = "";

	if (!spec_parse(&list, text, why, sizeof(why)))
		check(*why);
	spec_free(&list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = calloc(1, size + sizeof(WCHAR));

	if (!text)
		return 0;
	memcpy(text, data, size);
	if (!(size & 1))
		widen((const WCHAR *)text);
	narrow(text);
	name(text);
	spec(text);
	free(text);
	return 0;
}
