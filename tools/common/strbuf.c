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

const bool out_plain[256] = {
	[0x20 ... 0x21] = true, [0x23 ... 0x5b] = true, [0x5d ... 0x7e] = true,
	[0x80 ... 0xc1] = true, [0xc3 ... 0xff] = true,
};

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

	while (len = out_plain_len(text), text[len]) {
		out_bytes(out, text, len);
		text = out_unsafe(out, text + len);
	}
	out_bytes(out, text, len);
}

/* All numbers of two digits */
static const char two_digits[] =
	"0001020304050607080910111213141516171819"
	"2021222324252627282930313233343536373839"
	"4041424344454647484950515253545556575859"
	"6061626364656667686970717273747576777879"
	"8081828384858687888990919293949596979899";

void out_unsigned(struct out *out, uint64_t number)
{
	char digits[NUMBER_TEXT], *at = digits + sizeof(digits);

	if (number < 10) {
		out_char(out, '0' + number);
		return;
	}
	for (; number >= 10; number /= 100) {
		at -= 2;
		memcpy(at, two_digits + 2 * (number % 100), 2);
	}
	if (number)
		*--at = '0' + number;
	out_bytes(out, at, digits + sizeof(digits) - at);
}

static void put_hex(struct out *out, uint64_t number, const char *hex_digits)
{
	char digits[NUMBER_TEXT], *at = digits + sizeof(digits);

	do
		*--at = hex_digits[number & 0xf];
	while (number >>= 4);
	*--at = 'x';
	*--at = '0';
	out_bytes(out, at, digits + sizeof(digits) - at);
}

void out_mask(struct out *out, uint64_t number)
{
	put_hex(out, number, "0123456789abcdef");
}

void out_hex_number(struct out *out, uint64_t number)
{
	put_hex(out, number, "0123456789ABCDEF");
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
		fwrite_unlocked(out->text, 1, out->len, file);
	out->len = 0;
}

void out_free(struct out *out)
{
	free(out->text);
	memset(out, 0, sizeof(*out));
}
