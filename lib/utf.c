// SPDX-License-Identifier: MIT
/*
 * Between UTF-8 and UTF-16.
 *
 * Unpaired surrogates are refused where something is to be found by its name: no file
 * is named by them.  In a name that is shown each is U+FFFD.
 */
#include <errno.h>
#include <stdlib.h>

#include "internal.h"

#define BAD	0xffffffffu

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

static bool is_surrogate(ULONG c)
{
	return c >= 0xd800 && c <= 0xdfff;
}

/* The code point at *@p, which moves behind it; BAD if there is none */
static ULONG utf16_next(const WCHAR **p)
{
	ULONG c = *(*p)++;

	if (!is_surrogate(c))
		return c;
	if (c >= 0xdc00 || **p < 0xdc00 || **p > 0xdfff)
		return BAD;
	return 0x10000 + ((c & 0x3ff) << 10) + (*(*p)++ & 0x3ff);
}

static char *put_utf8(char *out, ULONG c)
{
	if (c < 0x80) {
		*out++ = c;
		return out;
	}
	if (c < 0x800) {
		*out++ = 0xc0 | c >> 6;
	} else if (c < 0x10000) {
		*out++ = 0xe0 | c >> 12;
		*out++ = 0x80 | (c >> 6 & 0x3f);
	} else {
		*out++ = 0xf0 | c >> 18;
		*out++ = 0x80 | (c >> 12 & 0x3f);
		*out++ = 0x80 | (c >> 6 & 0x3f);
	}
	*out++ = 0x80 | (c & 0x3f);
	return out;
}

#define REPLACEMENT	0xfffdu

static char *to_utf8(const WCHAR *text, bool replace)
{
	char *out, *result = malloc(3 * evnt_wcslen(text) + 1);
	ULONG c;

	if (!result)
		return NULL;
	for (out = result; *text; out = put_utf8(out, c)) {
		c = utf16_next(&text);
		if (c == BAD && replace)
			c = REPLACEMENT;
		if (c == BAD) {
			free(result);
			errno = EILSEQ;
			return NULL;
		}
	}
	*out = '\0';
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

/* How many bytes follow a first byte, or -1 when it is none */
static int utf8_more(unsigned char c)
{
	if (c < 0x80)
		return 0;
	if (c >= 0xc2 && c <= 0xdf)
		return 1;
	if (c >= 0xe0 && c <= 0xef)
		return 2;
	return c >= 0xf0 && c <= 0xf4 ? 3 : -1;
}

static ULONG utf8_next(const char **p)
{
	static const ULONG least[] = { 0, 0x80, 0x800, 0x10000 };
	unsigned char first = *(*p)++;
	int more = utf8_more(first), n;
	ULONG c = more > 0 ? first & (0x3f >> more) : first;

	if (more < 0)
		return BAD;
	for (n = more; n; n--) {
		if ((**p & 0xc0) != 0x80)
			return BAD;
		c = c << 6 | (*(*p)++ & 0x3f);
	}
	return c < least[more] || c > 0x10ffff || is_surrogate(c) ? BAD : c;
}

WCHAR *evnt_utf16(const char *text)
{
	WCHAR *out, *result = malloc((strlen(text) + 1) * sizeof(WCHAR));
	ULONG c;

	if (!result)
		return NULL;
	for (out = result; *text;) {
		c = utf8_next(&text);
		if (c == BAD) {
			free(result);
			errno = EILSEQ;
			return NULL;
		}
		if (c >= 0x10000) {
			*out++ = 0xd7c0 + (c >> 10);
			c = 0xdc00 | (c & 0x3ff);
		}
		*out++ = c;
	}
	*out = 0;
	return result;
}
