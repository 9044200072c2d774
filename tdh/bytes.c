// SPDX-License-Identifier: MIT
/*
 * Growing byte buffer, and conversion of text.
 */
#include <stdlib.h>

#include "lib/base/utf.h"
#include "tdh/bytes.h"

size_t bytes_reserve(struct bytes *b, size_t len)
{
	size_t room = b->room ? b->room : 256, at = b->len;
	u8 *data;

	if (b->failed)
		return 0;
	if (len > BYTES_MAX - at)
		goto fail;
	while (room < at + len)
		room *= 2;
	if (room != b->room) {
		data = realloc(b->data, room);
		if (!data)
			goto fail;
		b->data = data;
		b->room = room;
	}
	memset(b->data + at, 0, len);
	b->len += len;
	return at;
fail:
	b->failed = true;
	return 0;
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

void bytes_add_wide(struct bytes *b, const char *text)
{
	const char *end = text + strlen(text);
	unsigned int used;
	WCHAR units[2];

	for (; text < end; text += used) {
		u32 c = evnt_utf8_get(text, end - text, &used);

		bytes_add(b, units, sizeof(WCHAR) *
			  evnt_utf16_put(evnt_utf_shown(c), units));
	}
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
	unsigned int used;
	char bytes[4];

	for (; count; count -= used, units += 2 * used) {
		u32 c = evnt_utf16_get(units, count, &used);

		bytes_add(b, bytes, evnt_utf8_put(evnt_utf_shown(c), bytes));
	}
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
