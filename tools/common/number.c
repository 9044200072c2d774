// SPDX-License-Identifier: MIT
/* Parses numbers without a sign or blanks, and ranges of them */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools/common/number.h"

bool parse_number(const char *text, size_t len, ULONGLONG *value)
{
	int base = len > 2 && !strncasecmp(text, "0x", 2) ? 16 : 10;
	const char *digits = text + (base == 16 ? 2 : 0);
	char *end;

	if (!len || !isxdigit((unsigned char)*digits))
		return false;
	errno = 0;
	*value = strtoull(digits, &end, base);
	return !errno && end == text + len;
}

bool parse_count(const char *text, ULONG least, ULONG most, ULONG *value)
{
	ULONGLONG number;

	if (!isdigit((unsigned char)*text) || strpbrk(text, "xX") ||
	    !parse_number(text, strlen(text), &number) || number < least ||
	    number > most)
		return false;
	*value = number;
	return true;
}

static bool parse_range(const char *text, size_t len, ULONGLONG *first,
			ULONGLONG *last)
{
	const char *dash = memchr(text, '-', len);
	size_t head = dash ? (size_t)(dash - text) : len;

	if (!parse_number(text, head, first))
		return false;
	*last = *first;
	return !dash || parse_number(dash + 1, len - head - 1, last);
}

bool ranges_parse(struct ranges *ranges, const char *text, ULONGLONG most)
{
	for (;;) {
		size_t len = strcspn(text, ",");
		ULONGLONG first, last;

		if (ranges->count == MAX_RANGES ||
		    !parse_range(text, len, &first, &last) || first > last ||
		    last > most)
			return false;
		ranges->at[ranges->count].first = first;
		ranges->at[ranges->count++].last = last;
		if (!text[len])
			return true;
		text += len + 1;
	}
}

bool ranges_have(const struct ranges *ranges, ULONGLONG number)
{
	for (unsigned int i = 0; i < ranges->count; i++) {
		if (number >= ranges->at[i].first &&
		    number <= ranges->at[i].last)
			return true;
	}
	return false;
}
