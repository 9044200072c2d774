// SPDX-License-Identifier: MIT
/*
 * Message tables in the format of a program's resource: blocks of consecutive
 * numbers, followed by texts, each preceded by its size.
 */
#include <stdlib.h>

#include "tdh/wevt.h"

#define BLOCK_SIZE	12
#define ENTRY_HEAD	4
#define UNICODE		1

static int compare(const void *a, const void *b)
{
	const struct message * const *x = a;
	const struct message * const *y = b;

	return (*x)->number < (*y)->number ? -1 :
	       (*x)->number > (*y)->number;
}

/* Append a text with newline, nul, and padding */
static void add_text(struct bytes *b, const char *text)
{
	size_t at = bytes_reserve(b, ENTRY_HEAD);

	bytes_add_wide(b, text);
	bytes_add_wide(b, "\r\n");
	bytes_add_u16(b, 0);
	while ((b->len - at) % 4 && !b->failed)
		bytes_add_u8(b, 0);
	if (b->len - at > UINT16_MAX)
		b->failed = true;
	bytes_put_u16(b, at, b->len - at);
	bytes_put_u16(b, at + 2, UNICODE);
}

static bool begins_block(const struct message **sorted, u32 i)
{
	return !i || sorted[i]->number != sorted[i - 1]->number + 1;
}

void messages_write(struct bytes *b, const struct manifest *m,
		    unsigned int culture)
{
	const struct message **sorted =
		calloc(list_length(m->messages) + 1, sizeof(*sorted));
	u32 count = 0, blocks = 0;
	size_t block;

	if (!sorted) {
		b->failed = true;
		return;
	}
	for (struct message *i = m->messages; i; i = i->next) {
		if (i->number != NO_MESSAGE && i->texts[culture])
			sorted[count++] = i;
	}
	qsort(sorted, count, sizeof(*sorted), compare);
	for (u32 i = 0; i < count; i++)
		blocks += begins_block(sorted, i);
	bytes_add_u32(b, blocks);
	block = bytes_reserve(b, BLOCK_SIZE * blocks) - BLOCK_SIZE;
	for (u32 i = 0; i < count; i++) {
		if (begins_block(sorted, i)) {
			block += BLOCK_SIZE;
			bytes_put_u32(b, block, sorted[i]->number);
			bytes_put_u32(b, block + 8, b->len);
		}
		bytes_put_u32(b, block + 4, sorted[i]->number);
		add_text(b, sorted[i]->texts[culture]);
	}
	free(sorted);
}

static bool is_end(u16 c)
{
	return !c || c == '\r' || c == '\n';
}

/* Read a text without its final newline */
static const char *read_text(struct manifest *m, const u8 *data, size_t len,
			     bool unicode)
{
	size_t unit = unicode ? 2 : 1, count = len / unit;
	struct bytes b = { 0 };
	const char *text;

	while (count && is_end(unicode ? get_u16(data + 2 * count - 2) :
					 data[count - 1]))
		count--;
	if (unicode)
		bytes_add_utf8(&b, data, count);
	else
		bytes_add(&b, data, count);
	text = b.failed ? NULL : arena_text(&m->arena, (const char *)b.data,
					    b.len);
	bytes_free(&b);
	return text;
}

/* Limit of messages read, because blocks may overlap */
#define MAX_MESSAGES	(1u << 20)

/* Read the messages of a block; false if it is truncated */
static bool read_block(struct manifest *m, struct message **sorted, u32 count,
		       const u8 *data, size_t len, const u8 *block, u32 *read)
{
	u32 number = get_u32(block), last = get_u32(block + 4);
	size_t at = get_u32(block + 8);

	for (; number <= last; number++) {
		struct message key = { .number = number };
		struct message *wanted = &key, **found;
		u16 size;

		if (at > len || len - at < ENTRY_HEAD ||
		    ++*read > MAX_MESSAGES)
			return false;
		size = get_u16(data + at);
		if (size < ENTRY_HEAD || size > len - at)
			return false;
		found = bsearch(&wanted, sorted, count, sizeof(*sorted),
				compare);
		if (found)
			(*found)->texts[m->culture_count] =
				read_text(m, data + at + ENTRY_HEAD,
					  size - ENTRY_HEAD,
					  get_u16(data + at + 2) & UNICODE);
		at += size;
		if (number == UINT32_MAX)
			break;
	}
	return true;
}

bool messages_read(struct manifest *m, const char *culture, const void *data,
		   size_t len)
{
	u32 blocks = len >= 4 ? get_u32(data) : 0, count = 0, read = 0;
	struct message **sorted;
	bool good = true;

	if (len < 4 || blocks > (len - 4) / BLOCK_SIZE ||
	    m->culture_count == MAX_CULTURES)
		return false;
	sorted = calloc(list_length(m->messages) + 1, sizeof(*sorted));
	if (!sorted)
		return false;
	for (struct message *i = m->messages; i; i = i->next)
		sorted[count++] = i;
	qsort(sorted, count, sizeof(*sorted), compare);
	for (u32 i = 0; i < blocks && good; i++)
		good = read_block(m, sorted, count, data, len,
				  (const u8 *)data + 4 +
				  (size_t)BLOCK_SIZE * i, &read);
	free(sorted);
	m->cultures[m->culture_count++] = arena_text(&m->arena, culture,
						     strlen(culture));
	return good;
}
