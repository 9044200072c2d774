// SPDX-License-Identifier: MIT
/* Values as text: GUIDs, times, names of numbers, strings. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "format.h"

#define TICKS_PER_SECOND	10000000ll
#define UNIX_EPOCH		116444736000000000ll	/* as FILETIME */
#define REPLACEMENT		0xfffdu

static const char hex_digits[] = "0123456789abcdef";

static char *put_hex_byte(char *at, unsigned char byte)
{
	*at++ = hex_digits[byte >> 4];
	*at++ = hex_digits[byte & 0xf];
	return at;
}

char *format_guid(const void *guid, char text[GUID_TEXT])
{
	/* In which order the bytes are shown; -1 is a dash */
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

/* Events come by time: many are of one second */
static size_t format_second(time_t second, char text[TIME_TEXT])
{
	static char last_text[TIME_TEXT];
	static size_t last_len;
	static time_t last;
	struct tm tm;

	if (!last_len || second != last) {
		if (!gmtime_r(&second, &tm))
			memset(&tm, 0, sizeof(tm));
		last_len = strftime(last_text, sizeof(last_text),
				    "%Y-%m-%dT%H:%M:%S", &tm);
		last = second;
	}
	memcpy(text, last_text, last_len);
	return last_len;
}

char *format_time(uint64_t filetime, char text[TIME_TEXT])
{
	time_t second = (long long)(filetime / TICKS_PER_SECOND) -
			UNIX_EPOCH / TICKS_PER_SECOND;
	unsigned int ticks = filetime % TICKS_PER_SECOND;
	size_t len = format_second(second, text);

	text[len] = '.';
	for (int i = 7; i; i--) {
		text[len + i] = '0' + ticks % 10;
		ticks /= 10;
	}
	text[len + 8] = 'Z';
	text[len + 9] = '\0';
	return text;
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

/* Appends @c at @at and returns where the text ends, or NULL without room */
static char *put_utf8(char *at, const char *limit, uint32_t c)
{
	int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
	static const unsigned char first[] = { 0x00, 0xc0, 0xe0, 0xf0 };

	if (limit - at < more + 1)
		return NULL;
	*at++ = first[more] | c >> 6 * more;
	while (more--)
		*at++ = 0x80 | (c >> 6 * more & 0x3f);
	return at;
}

static unsigned int utf16_unit(const unsigned char *units, size_t i)
{
	return units[2 * i] | units[2 * i + 1] << 8;
}

/* The character at *i of @count units, and *i behind it */
static uint32_t get_utf16(const unsigned char *units, size_t count, size_t *i)
{
	unsigned int low, c = utf16_unit(units, (*i)++);

	if (c < 0xd800 || c > 0xdfff)
		return c;
	if (c > 0xdbff || *i == count)
		return REPLACEMENT;
	low = utf16_unit(units, *i);
	if (low < 0xdc00 || low > 0xdfff)
		return REPLACEMENT;
	(*i)++;
	return 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
}

char *format_utf16(const void *units, size_t count, char *text, size_t size)
{
	const char *limit = text + size - 1;
	char *next, *at = text;
	size_t i = 0;

	while (i < count) {
		next = put_utf8(at, limit, get_utf16(units, count, &i));
		if (!next)
			break;
		at = next;
	}
	*at = '\0';
	return text;
}

/* How many bytes follow the first one of a character; -1: it begins none */
static int utf8_more(unsigned char first)
{
	if (first < 0x80)
		return 0;
	if (first < 0xc2 || first > 0xf4)
		return -1;
	return first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
}

/* The character at *i of @len bytes, and *i behind it */
static uint32_t get_utf8(const unsigned char *bytes, size_t len, size_t *i)
{
	static const uint32_t least[] = { 0, 0x80, 0x800, 0x10000 };
	unsigned char first = bytes[(*i)++];
	int more = utf8_more(first);
	size_t at = *i;
	uint32_t c;

	if (more < 0)
		return REPLACEMENT;
	c = first & (0x7f >> (more + (more > 0)));
	for (int k = 0; k < more; k++, at++) {
		if (at == len || (bytes[at] & 0xc0) != 0x80)
			return REPLACEMENT;
		c = c << 6 | (bytes[at] & 0x3f);
	}
	if (c < least[more] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return REPLACEMENT;
	*i = at;
	return c;
}

char *format_utf8(const void *bytes, size_t len, char *text, size_t size)
{
	const char *limit = text + size - 1;
	char *next, *at = text;
	size_t i = 0;

	while (i < len) {
		next = put_utf8(at, limit, get_utf8(bytes, len, &i));
		if (!next)
			break;
		at = next;
	}
	*at = '\0';
	return text;
}

char *format_utf8_copy(const char *text)
{
	/* What is none is a byte, which three take the place of */
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
