// SPDX-License-Identifier: MIT
/*
 * Conversion between UTF-8 and UTF-16.
 *
 * Unpaired surrogates are an error in names used to look something up, as no
 * file has such a name.  For display they are replaced by U+FFFD.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/base/internal.h"
#include "lib/base/utf.h"

size_t evnt_wcslen(const WCHAR *text)
{
	size_t n = 0;

	while (text[n])
		n++;
	return n;
}

bool evnt_same_text(const WCHAR *a, const WCHAR *b)
{
	size_t len = evnt_wcslen(a);

	return len == evnt_wcslen(b) && !memcmp(a, b, len * sizeof(*a));
}

WCHAR evnt_lower(WCHAR c)
{
	return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

static bool put_utf8(char *out, const WCHAR *text, bool replace)
{
	unsigned int units;
	uint32_t c;

	for (; *text; out += evnt_utf8_put(c, out)) {
		/* The nul at the end is no second unit */
		c = evnt_utf16_get(text, 2, &units);
		text += units;
		if (c == EVNT_UTF_BAD && !replace) {
			errno = EILSEQ;
			return false;
		}
		c = evnt_utf_shown(c);
	}
	*out = '\0';
	return true;
}

/* Convert into @out, which has room for 3 bytes a unit and a nul */
bool evnt_utf8_into(char *out, const WCHAR *text)
{
	return put_utf8(out, text, false);
}

static char *to_utf8(const WCHAR *text, bool replace)
{
	char *result = malloc(3 * evnt_wcslen(text) + 1);

	if (result && !put_utf8(result, text, replace)) {
		free(result);
		return NULL;
	}
	return result;
}

char *evnt_utf8(const WCHAR *text)
{
	return to_utf8(text, false);
}

char *evnt_utf8_shown(const WCHAR *text)
{
	return to_utf8(text, true);
}

/* Convert into @out, which has room for a unit for each byte and the nul */
bool evnt_utf16_into(WCHAR *out, const char *text)
{
	const char *end = text + strlen(text);
	unsigned int bytes;
	uint32_t c;

	for (; text < end; text += bytes) {
		c = evnt_utf8_get(text, end - text, &bytes);
		if (c == EVNT_UTF_BAD) {
			errno = EILSEQ;
			return false;
		}
		out += evnt_utf16_put(c, out);
	}
	*out = 0;
	return true;
}

WCHAR *evnt_utf16(const char *text)
{
	WCHAR *result = malloc((strlen(text) + 1) * sizeof(WCHAR));

	if (result && !evnt_utf16_into(result, text)) {
		free(result);
		return NULL;
	}
	return result;
}
