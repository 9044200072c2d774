// SPDX-License-Identifier: MIT
/* Numbers and ranges as users write them. */
#include <string.h>

#include "number.h"
#include "ranges.h"

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
