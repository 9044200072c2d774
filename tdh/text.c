// SPDX-License-Identifier: MIT
/* Text output in UTF-16 or UTF-8 to a buffer of the caller. */
#include "lib/base/utf.h"
#include "tdh/bytes.h"
#include "tdh/text.h"

static void put_units(struct text *t, const WCHAR *units, unsigned int count)
{
	WCHAR *out = t->out;

	for (unsigned int i = 0; i < count; i++, t->len++) {
		if (t->len < t->room)
			out[t->len] = units[i];
	}
}

static void put_bytes(struct text *t, const char *bytes, size_t count)
{
	size_t room = t->len < t->room ? t->room - t->len : 0;

	if (room)
		memcpy((char *)t->out + t->len, bytes,
		       count < room ? count : room);
	t->len += count;
}

static void put_ascii_bytes(struct text *t, const char *ascii, size_t count)
{
	if (!t->wide) {
		put_bytes(t, ascii, count);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		WCHAR unit = (unsigned char)ascii[i];

		put_units(t, &unit, 1);
	}
}

void put_ascii(struct text *t, const char *ascii)
{
	put_ascii_bytes(t, ascii, strlen(ascii));
}

void put_char(struct text *t, char ascii)
{
	put_ascii_bytes(t, &ascii, 1);
}

void put_nul(struct text *t)
{
	put_char(t, '\0');
}

/* Room for the longest number: 20 digits and a sign */
#define NUMBER_ROOM	24

void put_padded(struct text *t, u64 number, unsigned int digits)
{
	char ascii[NUMBER_ROOM], *at = ascii + sizeof(ascii);

	for (; digits || number; number /= 10) {
		*--at = '0' + number % 10;
		digits -= digits > 0;
	}
	put_ascii_bytes(t, at, ascii + sizeof(ascii) - at);
}

void put_unsigned(struct text *t, u64 number)
{
	put_padded(t, number, 1);
}

void put_signed(struct text *t, int64_t number)
{
	if (number < 0)
		put_char(t, '-');
	put_unsigned(t, number < 0 ? -(u64)number : (u64)number);
}

static const char hex_digits[] = "0123456789ABCDEF";

void put_hex(struct text *t, u64 number)
{
	char digits[NUMBER_ROOM], *at = digits + sizeof(digits);

	do
		*--at = hex_digits[number & 0xf];
	while (number >>= 4);
	*--at = 'x';
	*--at = '0';
	put_ascii_bytes(t, at, digits + sizeof(digits) - at);
}

void put_hex_byte(struct text *t, u8 byte)
{
	const char two[] = { hex_digits[byte >> 4], hex_digits[byte & 0xf] };

	put_ascii_bytes(t, two, sizeof(two));
}

void put_hex_bytes(struct text *t, const u8 *data, u32 len)
{
	put_ascii(t, "0x");
	for (u32 i = 0; i < len; i++)
		put_hex_byte(t, data[i]);
}

void put_character(struct text *t, u32 c)
{
	WCHAR units[2];
	char bytes[4];

	if (t->wide)
		put_units(t, units, evnt_utf16_put(c, units));
	else
		put_bytes(t, bytes, evnt_utf8_put(c, bytes));
}

/* Append the leading ASCII of @data as far as it fits; return its length */
static u32 put_ascii_run(struct text *t, const u8 *data, const u8 *end)
{
	char run[64];
	u32 n;

	for (n = 0; n < sizeof(run) && data + 2 * n < end; n++) {
		WCHAR unit = get_u16(data + 2 * n);

		if (unit >= 0x80)
			break;
		run[n] = unit;
	}
	put_bytes(t, run, n);
	return 2 * n;
}

void put_utf16(struct text *t, const u8 *data, u32 len)
{
	const u8 *end = data + (len & ~1u);
	unsigned int used;

	while (data < end) {
		WCHAR unit = get_u16(data);

		if (t->wide) {
			put_units(t, &unit, 1);
			data += 2;
		} else if (unit < 0x80) {
			data += put_ascii_run(t, data, end);
		} else {
			u32 c = evnt_utf16_get(data, (end - data) / 2, &used);

			put_character(t, evnt_utf_shown(c));
			data += 2 * used;
		}
	}
}

void put_utf8(struct text *t, const char *data, u32 len)
{
	const char *end = data + len;
	unsigned int used;

	while (data < end) {
		const char *begin = data;
		u32 c;

		while (data < end && !(*data & 0x80))
			data++;
		put_ascii_bytes(t, begin, data - begin);
		if (data == end)
			break;
		c = evnt_utf8_get(data, end - data, &used);
		put_character(t, evnt_utf_shown(c));
		data += used;
	}
}
