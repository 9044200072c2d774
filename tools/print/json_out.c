// SPDX-License-Identifier: MIT
/* Streaming JSON output */
#include <errno.h>
#include <stdlib.h>

#include "tools/common/json.h"
#include "tools/print/json_out.h"

void json_begin(struct out *out, char bracket)
{
	json_next(out);
	out_char(out, bracket);
}

void json_end(struct out *out, char bracket)
{
	out_char(out, bracket);
}

void json_key(struct out *out, const char *key)
{
	json_next(out);
	json_put_text(out, key);
	out_char(out, ':');
}

/*
 * Escape a character of one byte or, for U+0080 to U+009F, of two; return its
 * end
 */
static const char *put_escaped(struct out *out, const char *text)
{
	static const char letters[] = "\"\\\b\f\n\r\t", escapes[] = "\"\\bfnrt";
	const unsigned char c = *text == '\xc2' ? text[1] : text[0];
	const char *letter = strchr(letters, c);

	out_char(out, '\\');
	if (letter && c) {
		out_char(out, escapes[letter - letters]);
	} else {
		out_text(out, "u00");
		out_hex(out, &c, 1);
	}
	return text + (*text == '\xc2');
}

/*
 * Escape all control characters, including those that JSON allows, since
 * terminals obey them
 */
void json_put_text(struct out *out, const char *text)
{
	const char *begin = text, *end = text + strlen(text);

	out_char(out, '"');
	while (text += out_plain_len(text, end), text < end) {
		/* U+0080 to U+009F are control characters, U+00A0 is none */
		if (*text == '\xc2' && (unsigned char)text[1] - 0x80u >= 0x20) {
			text++;
			continue;
		}
		out_bytes(out, begin, text - begin);
		text = put_escaped(out, text) + 1;
		begin = text;
	}
	out_bytes(out, begin, text - begin);
	out_char(out, '"');
}

void json_put_unsigned(struct out *out, uint64_t number)
{
	bool exact = number <= JSON_EXACT_LIMIT;

	if (!exact)
		out_char(out, '"');
	out_unsigned(out, number);
	if (!exact)
		out_char(out, '"');
}

/* Maximum length of numbers that are always exact */
#define SURE_DIGITS	15

static bool is_exact(const char *number, size_t len)
{
	const char *digits = number + (*number == '-');
	unsigned long long value;

	if (len <= SURE_DIGITS || digits[strspn(digits, "0123456789")])
		return true;
	errno = 0;
	value = strtoull(digits, NULL, 10);
	return !errno && value <= JSON_EXACT_LIMIT;
}

void json_put_number(struct out *out, const char *number)
{
	size_t len = strlen(number);

	if (is_exact(number, len)) {
		out_bytes(out, number, len);
		return;
	}
	out_char(out, '"');
	out_bytes(out, number, len);
	out_char(out, '"');
}

void json_put_mask(struct out *out, uint64_t number)
{
	out_char(out, '"');
	out_mask(out, number);
	out_char(out, '"');
}

void json_put_hex(struct out *out, const void *bytes, size_t len)
{
	out_char(out, '"');
	out_hex(out, bytes, len);
	out_char(out, '"');
}

void json_put_guid(struct out *out, const void *guid)
{
	out_char(out, '"');
	out_guid(out, guid);
	out_char(out, '"');
}
