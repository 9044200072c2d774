// SPDX-License-Identifier: MIT
/*
 * Bytes that grow, and text in them.
 */
#include <stdlib.h>

#include "bytes.h"

static bool make_room(struct bytes *b, size_t len)
{
	size_t room = b->room ? b->room : 256;
	u8 *data;

	if (b->failed)
		return false;
	if (len > BYTES_MAX - b->len)
		goto fail;
	while (room < b->len + len)
		room *= 2;
	if (room == b->room)
		return true;
	data = realloc(b->data, room);
	if (!data)
		goto fail;
	b->data = data;
	b->room = room;
	return true;
fail:
	b->failed = true;
	return false;
}

size_t bytes_reserve(struct bytes *b, size_t len)
{
	size_t at = b->len;

	if (!make_room(b, len))
		return 0;
	memset(b->data + at, 0, len);
	b->len += len;
	return at;
}

size_t bytes_add(struct bytes *b, const void *data, size_t len)
{
	size_t at = bytes_reserve(b, len);

	if (len && !b->failed)
		memcpy(b->data + at, data, len);
	return at;
}

void bytes_add_u8(struct bytes *b, u8 value)
{
	bytes_add(b, &value, sizeof(value));
}

void bytes_add_u16(struct bytes *b, u16 value)
{
	bytes_add(b, &value, sizeof(value));
}

void bytes_add_u32(struct bytes *b, u32 value)
{
	bytes_add(b, &value, sizeof(value));
}

void bytes_align(struct bytes *b, size_t multiple)
{
	size_t over = b->len % multiple;

	if (over)
		bytes_reserve(b, multiple - over);
}

static void put(struct bytes *b, size_t at, const void *data, size_t len)
{
	if (!b->failed && at <= b->len && len <= b->len - at)
		memcpy(b->data + at, data, len);
}

void bytes_put_u16(struct bytes *b, size_t at, u16 value)
{
	put(b, at, &value, sizeof(value));
}

void bytes_put_u32(struct bytes *b, size_t at, u32 value)
{
	put(b, at, &value, sizeof(value));
}

/* How many bytes follow the first one of a character; -1: it begins none */
static int utf8_more(u8 first)
{
	if (first < 0x80)
		return 0;
	if (first < 0xc2 || first > 0xf4)
		return -1;
	return first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
}

static bool is_surrogate(u32 c)
{
	return c >= 0xd800 && c <= 0xdfff;
}

u32 utf8_next(const char **p, const char *end)
{
	static const u32 least[] = { 0, 0x80, 0x800, 0x10000 };
	u8 first = *(*p)++;
	int more = utf8_more(first);
	const char *at = *p;
	u32 c;

	if (more < 0)
		return REPLACEMENT;
	c = more ? first & (0x3f >> more) : first;
	for (int i = 0; i < more; i++, at++) {
		if (at == end || (*at & 0xc0) != 0x80)
			return REPLACEMENT;
		c = c << 6 | (*at & 0x3f);
	}
	if (c < least[more] || c > 0x10ffff || is_surrogate(c))
		return REPLACEMENT;
	*p = at;
	return c;
}

u32 utf16_next(const u8 **p, const u8 *end)
{
	u32 low, c = get_u16(*p);

	*p += 2;
	if (!is_surrogate(c))
		return c;
	if (c > 0xdbff || *p == end)
		return REPLACEMENT;
	low = get_u16(*p);
	if (low < 0xdc00 || low > 0xdfff)
		return REPLACEMENT;
	*p += 2;
	return 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
}

unsigned int utf8_put(u32 c, char out[4])
{
	static const u8 first[] = { 0x00, 0xc0, 0xe0, 0xf0 };
	unsigned int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;

	*out++ = first[more] | c >> 6 * more;
	for (unsigned int i = more; i; i--)
		*out++ = 0x80 | (c >> 6 * (i - 1) & 0x3f);
	return more + 1;
}

unsigned int utf16_put(u32 c, WCHAR out[2])
{
	if (c < 0x10000) {
		out[0] = c;
		return 1;
	}
	out[0] = 0xd7c0 + (c >> 10);
	out[1] = 0xdc00 | (c & 0x3ff);
	return 2;
}

void bytes_add_wide(struct bytes *b, const char *text)
{
	const char *end = text + strlen(text);
	WCHAR units[2];

	while (text < end)
		bytes_add(b, units, sizeof(WCHAR) *
			  utf16_put(utf8_next(&text, end), units));
}

size_t bytes_add_string(struct bytes *b, const char *text)
{
	size_t at = b->len;

	if (!text)
		return 0;
	bytes_add_wide(b, text);
	bytes_add_u16(b, 0);
	return b->failed ? 0 : at;
}

void bytes_add_utf8(struct bytes *b, const u8 *units, size_t count)
{
	const u8 *end = units + 2 * count;
	char bytes[4];

	while (units < end)
		bytes_add(b, bytes, utf8_put(utf16_next(&units, end), bytes));
}

bool bytes_add_file(struct bytes *b, const u8 *data, size_t len)
{
	if (len >= 2 && data[0] == 0xfe && data[1] == 0xff)
		return false;
	if (len >= 2 && data[0] == 0xff && data[1] == 0xfe)
		bytes_add_utf8(b, data + 2, len / 2 - 1);
	else if (len >= 4 && data[0] && !data[1] && data[2] && !data[3])
		bytes_add_utf8(b, data, len / 2);
	else if (len >= 3 && !memcmp(data, "\xef\xbb\xbf", 3))
		bytes_add(b, data + 3, len - 3);
	else
		bytes_add(b, data, len);
	return true;
}

bool same_text(const WCHAR *wide, const char *narrow)
{
	struct bytes b = { 0 };
	bool same;

	bytes_add_string(&b, narrow);
	same = narrow && !b.failed;
	for (size_t i = 0; same; i++) {
		same = wide[i] == get_u16(b.data + 2 * i);
		if (!wide[i])
			break;
	}
	bytes_free(&b);
	return same;
}

void bytes_free(struct bytes *b)
{
	free(b->data);
	memset(b, 0, sizeof(*b));
}

ULONG bytes_hand_over(struct bytes *b, void *buffer, ULONG *size)
{
	ULONG code = ERROR_SUCCESS;

	if (b->failed)
		code = ERROR_OUTOFMEMORY;
	else if (*size < b->len)
		code = ERROR_INSUFFICIENT_BUFFER;
	else if (!buffer)
		code = ERROR_INVALID_PARAMETER;
	else
		memcpy(buffer, b->data, b->len);
	if (!b->failed && code != ERROR_INVALID_PARAMETER)
		*size = b->len;
	bytes_free(b);
	return code;
}
