/* SPDX-License-Identifier: MIT */
/* Texts that are stored once and numbered in order of their first use */
#ifndef EVNT_TEXTS_H
#define EVNT_TEXTS_H

#include "tools/common/hash.h"
#include "tools/common/strbuf.h"

/**
 * struct texts - a set of texts; must be zeroed initially
 * @bytes: texts, each terminated by nul
 * @at: offset of each text in @bytes
 * @count: number of texts
 * @room: number of texts that memory is allocated for
 * @table: hash table of the texts
 */
struct texts {
	struct out bytes;
	size_t *at;
	uint32_t count;
	uint32_t room;
	struct hash table;
};

/* Return the number of a text */
uint32_t text_number(struct texts *texts, const char *text);

/* Return the text with a number, valid until another text is added */
const char *text_at(const struct texts *texts, uint32_t number);

void texts_free(struct texts *texts);

/* Return @list with room for item @count; *room is the number that it holds */
void *list_room(void *list, uint32_t count, uint32_t *room, size_t size);

#endif /* EVNT_TEXTS_H */
