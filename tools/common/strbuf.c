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

	while (room - out->len <= more)
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
	const char *end = text + strlen(text);
	size_t len;

	while (len = out_plain_len(text, end), text + len < end) {
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

char *out_write_unsigned(char *at, uint64_t number)
{
	/* The copy of a fixed size needs no call, but takes bytes behind them */
	char digits[2 * NUMBER_TEXT], *const end = digits + NUMBER_TEXT;
	char *first = end;

	for (; number >= 10; number /= 100) {
		first -= 2;
		memcpy(first, two_digits + 2 * (number % 100), 2);
	}
	if (number || first == end)
		*--first = '0' + number;
	memcpy(at, first, NUMBER_TEXT);
	return at + (end - first);
}

void out_write_digits(char *at, uint32_t number, unsigned int count)
{
	for (; count >= 2; count -= 2, number /= 100)
		memcpy(at + count - 2, two_digits + 2 * (number % 100), 2);
	if (count)
		*at = '0' + number % 10;
}

void out_unsigned(struct out *out, uint64_t number)
{
	char *at = out_room(out, NUMBER_TEXT);

	out->len += out_write_unsigned(at, number) - at;
}

/*
 * Return the hexadecimal digits of a number, the first in the lowest byte.
 * @letter: distance of the digit 10 from the digit 9
 */
static uint64_t eight_digits(uint32_t number, unsigned int letter)
{
	uint64_t digits = number;

	digits = (digits | digits << 16) & 0x0000ffff0000ffffull;
	digits = (digits | digits << 8) & 0x00ff00ff00ff00ffull;
	digits = __builtin_bswap64((digits | digits << 4) & OUT_EACH(0x0f));
	return digits + OUT_EACH('0') +
	       ((digits + OUT_EACH(6)) >> 4 & OUT_EACH(1)) * (letter - 1);
}

static inline char *put_hex(char *at, uint64_t number, unsigned int letter)
{
	unsigned int zeros = __builtin_clzll(number | 1) / 4;
	uint64_t digits[2];

	number <<= 4 * zeros;
	digits[0] = eight_digits(number >> 32, letter);
	digits[1] = eight_digits(number, letter);
	memcpy(at, "0x", 2);
	memcpy(at + 2, digits, sizeof(digits));
	return at + 2 + sizeof(digits) - zeros;
}

char *out_write_hex(char *at, uint64_t number)
{
	return put_hex(at, number, 'A' - '9');
}

void out_mask(struct out *out, uint64_t number)
{
	char *at = out_room(out, NUMBER_TEXT);

	out->len += put_hex(at, number, 'a' - '9') - at;
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
