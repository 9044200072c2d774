// SPDX-License-Identifier: MIT
/* Texts that are stored once */
#include <stdlib.h>
#include <string.h>

#include "tools/evnt.h"
#include "tools/report/texts.h"

#define FIRST_ROOM	64

/**
 * struct search - a text to find
 * @texts: texts
 * @text: text
 */
struct search {
	const struct texts *texts;
	const char *text;
};

static bool is_text(const void *context, uint32_t number)
{
	const struct search *search = context;

	return !strcmp(text_at(search->texts, number), search->text);
}

void *list_room(void *list, uint32_t count, uint32_t *room, size_t size)
{
	if (count < *room)
		return list;
	*room = *room ? 2 * *room : FIRST_ROOM;
	return must_have(reallocarray(list, *room, size));
}

const char *text_at(const struct texts *texts, uint32_t number)
{
	return texts->bytes.text + texts->at[number];
}

uint32_t text_number(struct texts *texts, const char *text)
{
	size_t len = strlen(text);
	uint64_t hash = hash_bytes(HASH_BEGIN, text, len);
	struct search search = { texts, text };
	uint32_t number = hash_find(&texts->table, hash, is_text, &search);

	if (number != HASH_NONE)
		return number;
	texts->at = list_room(texts->at, texts->count, &texts->room,
			      sizeof(*texts->at));
	texts->at[texts->count] = texts->bytes.len;
	out_bytes(&texts->bytes, text, len + 1);
	hash_add(&texts->table, hash, texts->count);
	return texts->count++;
}

void texts_free(struct texts *texts)
{
	out_free(&texts->bytes);
	free(texts->at);
	hash_free(&texts->table);
}
