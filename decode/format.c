// SPDX-License-Identifier: MIT
/* Values as text: GUIDs, times, names of numbers, strings. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "decode/format.h"
#include "lib/base/utf.h"

#define TICKS_PER_SECOND	10000000ll
#define UNIX_EPOCH		116444736000000000ll	/* as FILETIME */

static const char hex_digits[] = "0123456789abcdef";

static char *put_hex_byte(char *at, unsigned char byte)
{
	*at++ = hex_digits[byte >> 4];
	*at++ = hex_digits[byte & 0xf];
	return at;
}

char *format_guid(const void *guid, char text[GUID_TEXT])
{
	/* Order in which the bytes are printed; -1 is a dash */
	static const signed char order[] = {
		3, 2, 1, 0, -1, 5, 4, -1, 7, 6, -1, 8, 9, -1,
		10, 11, 12, 13, 14, 15,
	};
	const unsigned char *bytes = guid;
	char *at = text;

	for (size_t i = 0; i < sizeof(order); i++) {
		if (order[i] < 0)
			*at++ = '-';
		else
			at = put_hex_byte(at, bytes[order[i]]);
	}
	*at = '\0';
	return text;
}

char *format_time(uint64_t filetime, char text[TIME_TEXT])
{
	/* Text of the last second, since consecutive events often share it */
	static char last_text[TIME_TEXT];
	static size_t last_len;
	static time_t last;
	time_t second = (long long)(filetime / TICKS_PER_SECOND) -
			UNIX_EPOCH / TICKS_PER_SECOND;
	unsigned int ticks = filetime % TICKS_PER_SECOND;
	struct tm tm;

	if (!last_len || second != last) {
		if (!gmtime_r(&second, &tm))
			memset(&tm, 0, sizeof(tm));
		last_len = strftime(last_text, sizeof(last_text),
				    "%Y-%m-%dT%H:%M:%S", &tm);
		last = second;
	}
	memcpy(text, last_text, last_len);
	text += last_len;
	*text = '.';
	for (int i = 7; i; i--) {
		text[i] = '0' + ticks % 10;
		ticks /= 10;
	}
	text[8] = 'Z';
	text[9] = '\0';
	return text - last_len;
}

char *format_level(uint8_t level, char text[NUMBER_TEXT])
{
	static const char *const names[] = {
		"Always", "Critical", "Error", "Warning", "Information",
		"Verbose",
	};

	if (level < sizeof(names) / sizeof(names[0]))
		snprintf(text, NUMBER_TEXT, "%s", names[level]);
	else
		snprintf(text, NUMBER_TEXT, "%u", level);
	return text;
}

char *format_opcode(uint8_t opcode, char text[NUMBER_TEXT])
{
	static const char *const names[] = {
		"Info", "Start", "Stop", "DCStart", "DCStop", "Extension",
		"Reply", "Resume", "Suspend", "Send",
	};

	if (opcode < sizeof(names) / sizeof(names[0]))
		snprintf(text, NUMBER_TEXT, "%s", names[opcode]);
	else if (opcode == 0xf0)
		snprintf(text, NUMBER_TEXT, "Receive");
	else
		snprintf(text, NUMBER_TEXT, "%u", opcode);
	return text;
}

/*
 * Append a character, or U+FFFD for EVNT_UTF_BAD, at @at.  Return the new end of
 * the text, or NULL if it does not fit.
 */
static char *put_character(char *at, const char *limit, uint32_t c)
{
	char bytes[4];
	unsigned int len = evnt_utf8_put(evnt_utf_shown(c), bytes);

	if ((size_t)(limit - at) < len)
		return NULL;
	memcpy(at, bytes, len);
	return at + len;
}

char *format_utf16(const void *units, size_t count, char *text, size_t size)
{
	const char *limit = text + size - 1, *from = units;
	char *next, *at = text;
	unsigned int used;
	uint32_t c;

	for (; count; count -= used, from += 2 * used) {
		c = evnt_utf16_get(from, count, &used);
		next = put_character(at, limit, c);
		if (!next)
			break;
		at = next;
	}
	*at = '\0';
	return text;
}

char *format_utf8(const void *bytes, size_t len, char *text, size_t size)
{
	const char *limit = text + size - 1, *from = bytes;
	char *next, *at = text;
	unsigned int used;
	uint32_t c;

	for (; len; len -= used, from += used) {
		c = evnt_utf8_get(from, len, &used);
		next = put_character(at, limit, c);
		if (!next)
			break;
		at = next;
	}
	*at = '\0';
	return text;
}

char *format_utf8_copy(const char *text)
{
	/* An invalid byte becomes U+FFFD, which takes three bytes */
	size_t size = 3 * strlen(text) + 1;
	char *copy = malloc(size);

	return copy ? format_utf8(text, strlen(text), copy, size) : NULL;
}

char *format_text(const char *format, va_list args)
{
	char *text;

	return vasprintf(&text, format, args) < 0 ? NULL : text;
}

char *make_printable(char *text)
{
	for (unsigned char *c = (unsigned char *)text; *c; c++) {
		if (*c < 0x20 || *c == 0x7f || (*c == 0xc2 && c[1] < 0xa0))
			*c = '?';
	}
	return text;
}

char *format_hex(const void *bytes, size_t len, char *text)
{
	const unsigned char *b = bytes;
	char *at = text;

	for (size_t i = 0; i < len; i++)
		at = put_hex_byte(at, b[i]);
	*at = '\0';
	return text;
}
