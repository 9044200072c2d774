// SPDX-License-Identifier: MIT
/*
 * In-memory model of a manifest: lookup, and numbering of messages.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tdh/model.h"

/* Each list element begins with the pointer to the next one */
unsigned int list_length(const void *list)
{
	unsigned int length = 0;

	for (; list; list = *(const void *const *)list)
		length++;
	return length;
}

struct item *item_by_value(struct item *list, u64 value)
{
	while (list && list->value != value)
		list = list->next;
	return list;
}

bool guid_parse(const char *text, GUID *guid)
{
	unsigned int d[11];
	int end = 0;

	if (sscanf(text, "{%8x-%4x-%4x-%2x%2x-%2x%2x%2x%2x%2x%2x}%n", &d[0],
		   &d[1], &d[2], &d[3], &d[4], &d[5], &d[6], &d[7], &d[8],
		   &d[9], &d[10], &end) != 11 || end != 38 || text[end])
		return false;
	guid->Data1 = d[0];
	guid->Data2 = d[1];
	guid->Data3 = d[2];
	for (int i = 0; i < 8; i++)
		guid->Data4[i] = d[3 + i];
	return true;
}

/* Kinds of keys in the manifest's index; events have their provider as scope */
enum manifest_key {
	KEY_PROVIDER,
	KEY_EVENT,
};

static struct index_key provider_key(const GUID *guid)
{
	return (struct index_key) {
		.kind = KEY_PROVIDER, .name = guid, .len = sizeof(*guid) };
}

struct provider *manifest_provider(const struct manifest *m, const GUID *guid)
{
	return index_find(&m->index, provider_key(guid));
}

void manifest_add_provider(struct manifest *m, struct provider *p)
{
	struct provider **last = m->last_provider ? &m->last_provider->next :
						    &m->providers;

	*last = p;
	m->last_provider = p;
	p->index = m->provider_count++;
	index_add(&m->index, &m->arena, provider_key(&p->guid), p);
}

static struct index_key event_key(const struct provider *p, u16 id, u8 version)
{
	return index_number(KEY_EVENT, p, (u32)version << 16 | id);
}

struct event *manifest_event(const struct manifest *m, const struct provider *p,
			     u16 id, u8 version)
{
	return index_find(&m->index, event_key(p, id, version));
}

void manifest_add_event(struct manifest *m, const struct provider *p,
			struct event *e)
{
	index_add(&m->index, &m->arena,
		  event_key(p, e->descriptor.Id, e->descriptor.Version), e);
}

/* Store the user's language as manifests spell it, such as de-DE */
static void user_culture(char *culture, size_t size)
{
	const char *lang = getenv("LC_ALL");
	size_t i;

	if (!lang || !*lang)
		lang = getenv("LC_MESSAGES");
	if (!lang || !*lang)
		lang = getenv("LANG");
	for (i = 0; lang && lang[i] && !strchr(".@", lang[i]) && i + 1 < size;
	     i++)
		culture[i] = lang[i] == '_' ? '-' : lang[i];
	culture[i] = '\0';
}

const char *message_text(const struct manifest *m,
			 const struct message *message)
{
	char culture[16];

	if (!message)
		return NULL;
	user_culture(culture, sizeof(culture));
	for (unsigned int i = 0; i < m->culture_count; i++) {
		if (message->texts[i] && !strcmp(m->cultures[i], culture))
			return message->texts[i];
	}
	for (unsigned int i = 0; i < m->culture_count; i++) {
		if (message->texts[i])
			return message->texts[i];
	}
	return NULL;
}

const char *item_text(const struct manifest *m, const struct item *item)
{
	const char *text = item ? message_text(m, item->message) : NULL;

	return text ? text : item ? item->name : NULL;
}

/* Kind of a message's object, in the upper four bits of its number */
#define OF_KEYWORD	0x1u
#define OF_OPCODE	0x3u
#define OF_LEVEL	0x5u
#define OF_TASK		0x7u
#define OF_PROVIDER	0x9u
#define OF_EVENT	0xbu
#define OF_VALUE_MAP	0xdu
#define OF_BIT_MAP	0xfu

/* Number a message, unless an earlier reference numbered it */
static void number(const struct provider *p, struct message *message,
		   u32 kind, u32 value)
{
	if (message && message->number == NO_MESSAGE)
		message->number = kind << 28 | (p->index & 0xf) << 24 |
				  (value & 0xffffff);
}

static u32 highest_bit(u64 mask)
{
	u32 bit = 0;

	for (; mask; mask >>= 1)
		bit++;
	return bit;
}

static void number_items(const struct provider *p)
{
	static const u32 kinds[] = {
		[ITEM_LEVEL] = OF_LEVEL, [ITEM_TASK] = OF_TASK,
		[ITEM_OPCODE] = OF_OPCODE, [ITEM_KEYWORD] = OF_KEYWORD,
	};

	for (enum item_kind kind = 0; kind < ITEM_CHANNEL; kind++) {
		for (struct item *i = p->items[kind]; i; i = i->next) {
			u32 value = i->value & 0xffff;

			if (kind == ITEM_OPCODE && i->task)
				value |= (i->task->value & 0xff) << 16;
			else if (kind == ITEM_KEYWORD)
				value = highest_bit(i->value);
			number(p, i->message, kinds[kind], value);
		}
	}
}

static void number_maps(const struct provider *p)
{
	u32 next[2] = { 1, 1 };

	for (struct map *map = p->maps; map; map = map->next) {
		for (struct map_entry *e = map->entries; e; e = e->next) {
			if (e->message && e->message->number == NO_MESSAGE)
				number(p, e->message,
				       map->bits ? OF_BIT_MAP : OF_VALUE_MAP,
				       next[map->bits]++);
		}
	}
}

/*
 * Check for global channels, whose events have their id as number of the message,
 * without a kind and a version, as classic event logs need it
 */
static bool is_global(const struct item *channel)
{
	return channel && channel->imported && channel->value >= 8 &&
	       channel->value <= 10;
}

static void number_events(const struct provider *p)
{
	for (struct event *e = p->events; e; e = e->next)
		number(p, e->message, is_global(e->channel) ? 0 : OF_EVENT,
		       (is_global(e->channel) ? 0 :
			(u32)e->descriptor.Version << 16) | e->descriptor.Id);
	for (struct filter *f = p->filters; f; f = f->next)
		number(p, f->message, OF_LEVEL,
		       0x800000 | (u32)f->version << 8 | f->value);
}

void manifest_number_messages(struct manifest *m)
{
	for (struct provider *p = m->providers; p; p = p->next) {
		u32 next = 1;

		if (p->message && p->message->number == NO_MESSAGE)
			number(p, p->message, OF_PROVIDER, next++);
		for (struct item *c = p->items[ITEM_CHANNEL]; c; c = c->next) {
			if (c->message && c->message->number == NO_MESSAGE)
				number(p, c->message, OF_PROVIDER, next++);
		}
		number_items(p);
		number_maps(p);
		number_events(p);
	}
}
