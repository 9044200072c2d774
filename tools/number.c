// SPDX-License-Identifier: MIT
/* Numbers as users write them: neither sign nor space. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "number.h"

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
