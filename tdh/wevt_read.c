// SPDX-License-Identifier: MIT
/*
 * Reader of the compiled form of a manifest.
 *
 * The resource may come from any program.  Each offset and count is checked,
 * and the total work is limited, because lists may overlap.
 */
#include <stdlib.h>

#include "tdh/wevt.h"

#define MAX_WORK	(8u << 20)
#define CHAINS		1024

/**
 * struct resource - a resource being read
 * @data: content of the resource
 * @len: length of @data in bytes
 * @manifest: model being built
 * @work: work done so far, in objects examined
 * @bad: the resource is invalid
 * @chains: hash table of messages by their numbers
 */
struct resource {
	const u8 *data;
	size_t len;
	struct manifest *manifest;
	u32 work;
	bool bad;
	struct known *chains[CHAINS];
};

struct known {
	struct known *next;
	struct message *message;
};

#define ALLOC(r, type)	((type *)arena_alloc(&(r)->manifest->arena, sizeof(type)))

/*
 * Return the address of @len bytes at @offset; NULL, and set @bad, if out of
 * range
 */
static const u8 *at(struct resource *r, u64 offset, u64 len)
{
	if (++r->work > MAX_WORK || offset > r->len || len > r->len - offset)
		r->bad = true;
	return r->bad ? NULL : r->data + offset;
}

/* Read a text that ends at a nul or after @max bytes */
static const char *text_at(struct resource *r, u64 offset, u64 max)
{
	const u8 *p = at(r, offset, 2);
	struct bytes b = { 0 };
	const char *text;
	size_t count = 0;

	if (!p)
		return NULL;
	if (max > r->len - offset)
		max = r->len - offset;
	while (2 * count + 1 < max && get_u16(p + 2 * count))
		count++;
	r->work += count / 16;
	bytes_add_utf8(&b, p, count);
	text = b.failed ? NULL : arena_text(&r->manifest->arena,
					    (const char *)b.data, b.len);
	bytes_free(&b);
	return text;
}

/* Read a name, which is preceded by its total size */
static const char *name_at(struct resource *r, u32 offset)
{
	const u8 *p = at(r, offset, 4);

	if (!p || get_u32(p) < 4) {
		r->bad = true;
		return NULL;
	}
	return text_at(r, (u64)offset + 4, get_u32(p) - 4);
}

static struct message *message_of(struct resource *r, u32 number)
{
	struct known **chain = &r->chains[number * 2654435761u >> 22];
	struct known *known;

	if (number == NO_MESSAGE)
		return NULL;
	for (known = *chain; known; known = known->next) {
		r->work++;
		if (known->message->number == number)
			return known->message;
	}
	known = ALLOC(r, struct known);
	if (!known)
		return NULL;
	known->message = ALLOC(r, struct message);
	if (!known->message)
		return NULL;
	known->message->number = number;
	known->message->texts = arena_alloc(&r->manifest->arena,
					    MAX_CULTURES * sizeof(char *));
	if (!known->message->texts)
		return NULL;
	known->next = *chain;
	*chain = known;
	known->message->next = r->manifest->messages;
	r->manifest->messages = known->message;
	return known->message;
}

/*
 * Return the number of entries of a list, all in range, and the first in
 * *@first
 */
static u32 list_at(struct resource *r, u32 offset, u32 head, u32 entry,
		   u64 *first)
{
	const u8 *p = at(r, offset, head);
	u32 count = p ? get_u32(p + 8) : 0;

	*first = (u64)offset + head;
	return at(r, *first, (u64)count * entry) ? count : 0;
}

static void read_item(struct resource *r, enum item_kind kind, const u8 *p,
		      struct item *item)
{
	u32 message, name;

	switch (kind) {
	case ITEM_CHANNEL:
		item->imported = get_u32(p) & WEVT_IMPORTED;
		item->value = get_u32(p + 8);
		message = get_u32(p + 12);
		name = get_u32(p + 4);
		break;
	case ITEM_KEYWORD:
		item->value = get_u64(p);
		message = get_u32(p + 8);
		name = get_u32(p + 12);
		break;
	case ITEM_TASK:
		item->value = get_u32(p);
		message = get_u32(p + 4);
		memcpy(&item->guid, p + 8, sizeof(item->guid));
		name = get_u32(p + 24);
		break;
	case ITEM_OPCODE:
		item->value = get_u16(p + 2);
		message = get_u32(p + 4);
		name = get_u32(p + 8);
		break;
	default:
		item->value = get_u32(p);
		message = get_u32(p + 4);
		name = get_u32(p + 8);
	}
	item->has_value = true;
	item->message = message_of(r, message);
	item->name = name_at(r, name);
}

static void read_items(struct resource *r, struct provider *p,
		       enum item_kind kind, u32 offset)
{
	static const u32 sizes[] = {
		[ITEM_LEVEL] = 12, [ITEM_TASK] = 28, [ITEM_OPCODE] = 12,
		[ITEM_KEYWORD] = 16, [ITEM_CHANNEL] = 16,
	};
	struct item **last = LAST_OF(p->items[kind]);
	u64 first;
	u32 count = list_at(r, offset, 12, sizes[kind], &first);

	for (u32 i = 0; i < count && !r->bad; i++) {
		u64 entry = first + (u64)i * sizes[kind];
		const u8 *bytes = at(r, entry, sizes[kind]);
		struct item *item = bytes ? ALLOC(r, struct item) : NULL;

		if (!item)
			return;
		item->offset = entry;
		/*
		 * Number of the opcode's task, until read_provider() resolves
		 * it
		 */
		item->bit = kind == ITEM_OPCODE ? get_u16(bytes) : 0;
		read_item(r, kind, bytes, item);
		if (!item->name)
			return;
		*last = item;
		last = &item->next;
	}
}

static void read_map(struct resource *r, struct provider *p, u32 offset)
{
	const u8 *head = at(r, offset, 20);
	struct map *map = head ? ALLOC(r, struct map) : NULL;
	struct map_entry **last;
	u32 count;

	if (!map)
		return;
	last = &map->entries;
	map->offset = offset;
	map->bits = get_u32(head + 12) & 1;
	map->name = name_at(r, get_u32(head + 8));
	count = get_u32(head + 16);
	if (!map->name || !at(r, (u64)offset + 20, 8ull * count))
		return;
	for (u32 i = 0; i < count && !r->bad; i++) {
		const u8 *entry = at(r, (u64)offset + 20 + 8ull * i, 8);
		struct map_entry *e = entry ? ALLOC(r, struct map_entry) :
					      NULL;

		if (!e)
			return;
		e->value = get_u32(entry);
		e->message = message_of(r, get_u32(entry + 4));
		*last = e;
		last = &e->next;
		map->count++;
	}
	map->next = p->maps;
	p->maps = map;
}

static void read_maps(struct resource *r, struct provider *p, u32 offset)
{
	u64 first;
	u32 count = list_at(r, offset, 12, 4, &first);

	for (u32 i = 0; i < count && !r->bad; i++) {
		const u8 *entry = at(r, first + 4ull * i, 4);

		if (entry)
			read_map(r, p, get_u32(entry));
	}
}

static struct map *map_at(struct resource *r, const struct provider *p,
			  u32 offset)
{
	struct map *map = offset ? p->maps : NULL;

	while (map && map->offset != offset) {
		r->work++;
		map = map->next;
	}
	return map;
}

static u32 property_flags(u32 theirs)
{
	u32 ours = 0;

	if (theirs & WEVT_STRUCT)
		ours |= PropertyStruct;
	if (theirs & WEVT_FIXED_LENGTH)
		ours |= PropertyParamFixedLength;
	if (theirs & WEVT_FIELD_LENGTH)
		ours |= PropertyParamLength;
	if (theirs & WEVT_FIXED_COUNT)
		ours |= PropertyParamFixedCount;
	if (theirs & WEVT_FIELD_COUNT)
		ours |= PropertyParamCount;
	return ours;
}

/*
 * Check that indexes are in range, and that members of structs follow the top
 * level
 */
static bool good_indexes(const struct template *t, unsigned int i)
{
	const struct property *p = &t->properties[i];

	if (p->flags & PropertyParamCount && p->count >= t->count)
		return false;
	if (p->flags & PropertyParamLength && p->length >= t->count)
		return false;
	if (!(p->flags & PropertyStruct))
		return true;
	return i < t->top_level && p->in >= t->top_level &&
	       (u32)p->in + p->out <= t->count;
}

static void read_property(struct resource *r, const struct provider *p,
			  struct template *t, unsigned int i, const u8 *bytes)
{
	struct property *property = &t->properties[i];

	property->flags = property_flags(get_u32(bytes));
	property->count = get_u16(bytes + 12);
	property->length = get_u16(bytes + 14);
	if (!(property->flags & (PropertyParamCount |
				 PropertyParamFixedCount)))
		property->count = 1;
	property->name = name_at(r, get_u32(bytes + 16));
	if (property->flags & PropertyStruct) {
		property->in = get_u16(bytes + 4);
		property->out = get_u16(bytes + 6);
	} else {
		property->in = bytes[4];
		property->out = bytes[5];
		/* Windows' compiler omits the flag for a SID */
		if (property->in == TDH_INTYPE_SID && property->length &&
		    !(property->flags & PropertyParamLength))
			property->flags |= PropertyParamFixedLength;
		t->maps[i] = map_at(r, p, get_u32(bytes + 8));
		property->map = t->maps[i] ? t->maps[i]->name : NULL;
	}
	if (!good_indexes(t, i) || !property->name)
		r->bad = true;
}

static void read_properties(struct resource *r, const struct provider *p,
			    struct template *t, u32 offset)
{
	const u8 *bytes = at(r, offset, 20ull * t->count);

	if (!bytes || t->top_level > t->count || t->count > UINT16_MAX) {
		r->bad = true;
		return;
	}
	t->properties = arena_alloc(&r->manifest->arena,
				    t->count * sizeof(*t->properties));
	t->maps = arena_alloc(&r->manifest->arena,
			      t->count * sizeof(struct map *));
	if (!t->properties || !t->maps)
		return;
	for (unsigned int i = 0; i < t->count && !r->bad; i++)
		read_property(r, p, t, i, bytes + (size_t)20 * i);
}

/* Read the binary XML between a template's head and its properties */
static void read_xml(struct resource *r, struct template *t, u64 offset,
		     u32 size, u32 properties)
{
	const u8 *bytes = at(r, offset, size);

	if (!bytes || properties < offset || properties - offset > size)
		return;
	if (properties - offset > USER_DATA_MAX)
		return;
	t->xml_len = properties - offset;
	/* Lists may share a template */
	r->work += t->xml_len / 16;
	t->xml = arena_text(&r->manifest->arena, (const char *)bytes,
			    t->xml_len);
}

/* Read templates, which are adjacent and each contain their size */
static void read_templates(struct resource *r, struct provider *p, u32 offset)
{
	struct template **last = LAST_OF(p->templates);
	u64 next;
	u32 count = list_at(r, offset, 12, 0, &next);

	for (u32 i = 0; i < count && !r->bad; i++) {
		const u8 *head = at(r, next, 40);
		struct template *t = head ? ALLOC(r, struct template) : NULL;

		if (!t || get_u32(head + 4) < 40) {
			r->bad = true;
			return;
		}
		t->offset = next;
		t->top_level = get_u32(head + 8);
		t->count = get_u32(head + 12);
		t->has_user_data = get_u32(head + 20) & TEMPLATE_USER_DATA;
		if (t->has_user_data)
			read_xml(r, t, next + 40, get_u32(head + 4) - 40,
				 get_u32(head + 16));
		t->tid = "";
		read_properties(r, p, t, get_u32(head + 16));
		next += get_u32(head + 4);
		*last = t;
		last = &t->next;
	}
}

static struct template *template_at(struct resource *r,
				    const struct provider *p, u32 offset)
{
	struct template *t = offset ? p->templates : NULL;

	while (t && t->offset != offset) {
		r->work++;
		t = t->next;
	}
	return t;
}

static struct item *item_at(struct resource *r, struct item *list, u32 offset)
{
	if (!offset)
		return NULL;
	while (list && list->offset != offset) {
		r->work++;
		list = list->next;
	}
	return list;
}

static void read_event_keywords(struct resource *r, struct provider *p,
				struct event *e, u32 count, u32 offset)
{
	struct keyword_list **last = &e->keywords;
	const u8 *offsets = at(r, offset, 4ull * count);

	for (u32 i = 0; offsets && i < count && i < 64; i++) {
		struct item *item = item_at(r, p->items[ITEM_KEYWORD],
					    get_u32(offsets + (size_t)4 * i));
		struct keyword_list *k = item ? ALLOC(r, struct keyword_list) :
						NULL;

		if (!k)
			continue;
		k->keyword = item;
		*last = k;
		last = &k->next;
	}
}

#define EVENT_SIZE	48

static void read_events(struct resource *r, struct provider *p, u32 offset)
{
	struct event **last = LAST_OF(p->events);
	u64 first;
	u32 count = list_at(r, offset, 16, EVENT_SIZE, &first);

	for (u32 i = 0; i < count && !r->bad; i++) {
		const u8 *b = at(r, first + (u64)i * EVENT_SIZE, EVENT_SIZE);
		struct event *e = b ? ALLOC(r, struct event) : NULL;

		if (!e)
			return;
		memcpy(&e->descriptor, b, sizeof(e->descriptor));
		e->message = message_of(r, get_u32(b + 16));
		e->template = template_at(r, p, get_u32(b + 20));
		e->opcode = item_at(r, p->items[ITEM_OPCODE], get_u32(b + 24));
		e->level = item_at(r, p->items[ITEM_LEVEL], get_u32(b + 28));
		e->task = item_at(r, p->items[ITEM_TASK], get_u32(b + 32));
		e->channel = item_at(r, p->items[ITEM_CHANNEL],
				     get_u32(b + 44));
		read_event_keywords(r, p, e, get_u32(b + 36), get_u32(b + 40));
		*last = e;
		last = &e->next;
		manifest_add_event(r->manifest, p, e);
	}
}

static struct query *read_query(struct resource *r, u32 offset)
{
	const u8 *head = at(r, offset, 20);
	struct query *query = head ? ALLOC(r, struct query) : NULL;
	struct query_entry **last;
	u32 count;

	if (!query)
		return NULL;
	last = &query->entries;
	query->name = name_at(r, get_u32(head + 8));
	query->format = name_at(r, get_u32(head + 12));
	count = get_u32(head + 16);
	for (u32 i = 0; i < count && !r->bad; i++) {
		const u8 *b = at(r, (u64)offset + 20 + 8ull * i, 8);
		struct query_entry *e = b ? ALLOC(r, struct query_entry) : NULL;

		if (!e)
			return NULL;
		e->name = name_at(r, get_u32(b));
		e->value = name_at(r, get_u32(b + 4));
		*last = e;
		last = &e->next;
		query->count++;
	}
	return r->bad ? NULL : query;
}

static void read_queries(struct resource *r, struct provider *p, u32 offset)
{
	struct query **last = LAST_OF(p->queries);
	u64 first;
	u32 count = list_at(r, offset, 12, 4, &first);

	for (u32 i = 0; i < count && !r->bad; i++) {
		const u8 *b = at(r, first + 4ull * i, 4);
		struct query *query = b ? read_query(r, get_u32(b)) : NULL;

		if (!query)
			return;
		*last = query;
		last = &query->next;
	}
}

static void read_filters(struct resource *r, struct provider *p, u32 offset)
{
	struct filter **last = LAST_OF(p->filters);
	u64 first;
	u32 count = list_at(r, offset, 16, 16, &first);

	for (u32 i = 0; i < count && !r->bad; i++) {
		const u8 *b = at(r, first + 16ull * i, 16);
		struct filter *f = b ? ALLOC(r, struct filter) : NULL;

		if (!f)
			return;
		f->value = b[0];
		f->version = b[1];
		f->message = message_of(r, get_u32(b + 4));
		f->name = name_at(r, get_u32(b + 8));
		f->template = template_at(r, p, get_u32(b + 12));
		*last = f;
		last = &f->next;
	}
}

static void read_guid(struct resource *r, u32 offset, GUID *guid, bool *has)
{
	const u8 *p = at(r, offset, sizeof(*guid));

	if (!p)
		return;
	memcpy(guid, p, sizeof(*guid));
	*has = true;
}

static void read_provider_attributes(struct resource *r, struct provider *p,
				     u32 offset)
{
	u64 first;
	u32 count = list_at(r, offset, 12, 8, &first);

	for (u32 i = 0; i < count && !r->bad; i++) {
		const u8 *b = at(r, first + 8ull * i, 8);

		if (!b)
			return;
		switch (get_u32(b)) {
		case WEVT_PROVIDER_NAME:
			p->name = text_at(r, get_u32(b + 4), UINT16_MAX);
			break;
		case WEVT_CONTROL_GUID:
			read_guid(r, get_u32(b + 4), &p->control_guid,
				  &p->has_control_guid);
			break;
		case WEVT_GROUP_GUID:
			read_guid(r, get_u32(b + 4), &p->group_guid,
				  &p->has_group_guid);
			break;
		}
	}
}

static void read_event_attributes(struct resource *r, struct provider *p,
				  u32 offset)
{
	u64 first;
	u32 count = list_at(r, offset, 12, 8, &first);

	for (u32 i = 0; i < count && !r->bad; i++) {
		const u8 *b = at(r, first + 8ull * i, 8);
		struct event *e = b ? manifest_event(r->manifest, p,
						     get_u16(b + 2), b[1]) :
				      NULL;
		struct attribute_list *a, **last;
		const char *text;

		if (!e)
			continue;
		text = text_at(r, get_u32(b + 4), UINT16_MAX);
		if (b[0] == WEVT_EVENT_NAME)
			e->name = text;
		a = b[0] == WEVT_EVENT_ATTRIBUTE && text ?
		    ALLOC(r, struct attribute_list) : NULL;
		if (!a)
			continue;
		a->text = text;
		last = &e->attributes;
		while (*last) {
			r->work++;
			last = &(*last)->next;
		}
		*last = a;
	}
}

static void read_list(struct resource *r, struct provider *p, u32 kind,
		      u32 offset)
{
	switch (kind) {
	case WEVT_LEVELS:
		read_items(r, p, ITEM_LEVEL, offset);
		break;
	case WEVT_TASKS:
		read_items(r, p, ITEM_TASK, offset);
		break;
	case WEVT_OPCODES:
		read_items(r, p, ITEM_OPCODE, offset);
		break;
	case WEVT_KEYWORDS:
		read_items(r, p, ITEM_KEYWORD, offset);
		break;
	case WEVT_CHANNELS:
		read_items(r, p, ITEM_CHANNEL, offset);
		break;
	case WEVT_MAPS:
		read_maps(r, p, offset);
		break;
	case WEVT_QUERIES:
		read_queries(r, p, offset);
		break;
	case WEVT_TEMPLATES:
		read_templates(r, p, offset);
		break;
	case WEVT_EVENTS:
		read_events(r, p, offset);
		break;
	case WEVT_FILTERS:
		read_filters(r, p, offset);
		break;
	case WEVT_PROVIDER_ATTRIBUTES:
		read_provider_attributes(r, p, offset);
		break;
	case WEVT_EVENT_ATTRIBUTES:
		read_event_attributes(r, p, offset);
		break;
	}
}

/* Lists in the order of reading: objects precede those that refer to them */
static const enum wevt_list order[] = {
	WEVT_CHANNELS, WEVT_LEVELS, WEVT_TASKS, WEVT_OPCODES, WEVT_KEYWORDS,
	WEVT_MAPS, WEVT_QUERIES, WEVT_TEMPLATES, WEVT_EVENTS, WEVT_FILTERS,
	WEVT_PROVIDER_ATTRIBUTES, WEVT_EVENT_ATTRIBUTES,
};

#define MAX_LISTS	32

static void read_lists(struct resource *r, struct provider *p, u32 offset,
		       u32 count)
{
	const u8 *lists = at(r, (u64)offset + 16, 8ull * count);

	if (!lists || count > MAX_LISTS) {
		r->bad = true;
		return;
	}
	for (size_t k = 0; k < EVNT_ARRAY_SIZE(order); k++) {
		for (u32 i = 0; i < count && !r->bad; i++) {
			const u8 *list = lists + (size_t)8 * i;

			if (get_u32(list) == order[k])
				read_list(r, p, order[k], get_u32(list + 4));
		}
	}
}

static void read_provider(struct resource *r, const u8 *entry)
{
	u32 offset = get_u32(entry + 16);
	const u8 *head = at(r, offset, 16);
	struct provider *p = head ? ALLOC(r, struct provider) : NULL;
	const GUID *g;

	if (!p || get_u32(head) != TAG_WEVT) {
		r->bad = true;
		return;
	}
	memcpy(&p->guid, entry, sizeof(p->guid));
	p->message = message_of(r, get_u32(head + 8));
	read_lists(r, p, offset, get_u32(head + 12));
	for (struct item *i = p->items[ITEM_OPCODE]; i; i = i->next) {
		i->task = i->bit ? item_by_value(p->items[ITEM_TASK], i->bit) :
				   NULL;
		i->bit = 0;
	}
	/* Use the GUID as a name if there is none, as in version 3 */
	g = &p->guid;
	if (!p->name)
		p->name = arena_format(&r->manifest->arena,
				       "{%08x-%04x-%04x-%02x%02x-%02x%02x%02x%02x%02x%02x}",
				       g->Data1, g->Data2, g->Data3,
				       g->Data4[0], g->Data4[1], g->Data4[2],
				       g->Data4[3], g->Data4[4], g->Data4[5],
				       g->Data4[6], g->Data4[7]);
	manifest_add_provider(r->manifest, p);
}

#define MAX_PROVIDERS	1024

static void read_providers(struct resource *r)
{
	const u8 *head = at(r, 0, 16);
	u32 count = head ? get_u32(head + 12) : 0;

	if (!head || get_u32(head) != TAG_CRIM || get_u32(head + 4) > r->len ||
	    count > MAX_PROVIDERS || !at(r, 16, 20ull * count)) {
		r->bad = true;
		return;
	}
	for (u32 i = 0; i < count && !r->bad; i++)
		read_provider(r, r->data + 16 + (size_t)20 * i);
}

struct manifest *wevt_read(const void *data, size_t len)
{
	struct resource *r = calloc(1, sizeof(*r));
	struct manifest *m = calloc(1, sizeof(*m));

	if (r && m) {
		r->data = data;
		r->len = len;
		r->manifest = m;
		read_providers(r);
	}
	if (!r || !m || r->bad || m->arena.failed) {
		manifest_free(m);
		m = NULL;
	}
	free(r);
	return m;
}
