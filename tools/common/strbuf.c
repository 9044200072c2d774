// SPDX-License-Identifier: MIT
/* Text buffer for output */
#include <stdlib.h>

#include "tools/evnt.h"
#include "decode/format.h"
#include "tools/common/strbuf.h"

#define FIRST_ROOM	4096

void out_grow(struct out *out, size_t more)
{
	size_t room = out->room ? out->room : FIRST_ROOM;

	while (room - out->len < more)
		room *= 2;
	out->text = must_have(realloc(out->text, room));
	out->room = room;
}

static void out_hex_escape(struct out *out, unsigned char c)
{
	out_text(out, "\\x");
	out_hex(out, &c, 1);
}

/* Return the length of the prefix that needs no escapes */
static size_t safe_len(const char *text)
{
	size_t len = 0;

	for (;; len++) {
		unsigned char c = text[len];

		if (c < 0x20 || c == '"' || c == '\\' || c == 0x7f || c == 0xc2)
			return len;
	}
}

/* Append the character that may need an escape; return the rest */
static const char *out_unsafe(struct out *out, const char *text)
{
	unsigned char c = *text, next = text[1];

	if (c == '\\' || c == '"') {
		out_char(out, '\\');
		out_char(out, c);
	} else if (c == '\n') {
		out_text(out, "\\n");
	} else if (c < 0x20 || c == 0x7f) {
		out_hex_escape(out, c);
	} else if (next < 0xa0) {	/* U+0080 to U+009F */
		out_hex_escape(out, next);
		text += next != '\0';
	} else {
		out_char(out, c);
	}
	return text + 1;
}

void out_safely(struct out *out, const char *text)
{
	size_t len;

	while (len = safe_len(text), text[len]) {
		out_bytes(out, text, len);
		text = out_unsafe(out, text + len);
	}
	out_bytes(out, text, len);
}

void out_unsigned(struct out *out, uint64_t number)
{
	char digits[NUMBER_TEXT], *at = digits + sizeof(digits);

	do
		*--at = '0' + number % 10;
	while (number /= 10);
	out_bytes(out, at, digits + sizeof(digits) - at);
}

void out_mask(struct out *out, uint64_t number)
{
	char digits[NUMBER_TEXT], *at = digits + sizeof(digits);

	do
		*--at = "0123456789abcdef"[number & 0xf];
	while (number >>= 4);
	*--at = 'x';
	*--at = '0';
	out_bytes(out, at, digits + sizeof(digits) - at);
}

void out_hex(struct out *out, const void *bytes, size_t len)
{
	format_hex(bytes, len, out_room(out, 2 * len + 1));
	out->len += 2 * len;
}

void out_guid(struct out *out, const void *guid)
{
	format_guid(guid, out_room(out, GUID_TEXT));
	out->len += GUID_TEXT - 1;
}

void out_time(struct out *out, uint64_t filetime)
{
	out->len += strlen(format_time(filetime, out_room(out, TIME_TEXT)));
}

const char *out_string(struct out *out)
{
	*out_room(out, 1) = '\0';
	return out->text;
}

void out_print(struct out *out, FILE *file)
{
	if (out->len)
		fwrite(out->text, 1, out->len, file);
	out->len = 0;
}

void out_free(struct out *out)
{
	free(out->text);
	memset(out, 0, sizeof(*out));
}
