// SPDX-License-Identifier: MIT
/*
 * Writer of the compiled form of a manifest, identical to the output of
 * Windows' compiler byte for byte.
 */
#include <stdlib.h>

#include "tdh/wevt.h"

/* Number of lists for which version 3 reserves space */
#define SLOTS_V3	11

static u32 number_of(const struct message *message)
{
	return message ? message->number : NO_MESSAGE;
}

/* Append the total size, the units, a nul, and padding to a multiple of four */
static void add_name(struct bytes *b, const char *name)
{
	size_t at = bytes_reserve(b, 4);

	bytes_add_string(b, name);
	while ((b->len - at) % 4 && !b->failed)
		bytes_add_u8(b, 0);
	bytes_put_u32(b, at, b->len - at);
}

/* Begin a list with its tag, and space for its size and number of entries */
static size_t begin_list(struct bytes *b, const char *tag)
{
	size_t at = bytes_add(b, tag, 4);

	bytes_reserve(b, 8);
	return at;
}

static void end_list(struct bytes *b, size_t at, u32 count, bool empty_size)
{
	bytes_put_u32(b, at + 4, count || empty_size ? b->len - at : 0);
	bytes_put_u32(b, at + 8, count);
}

/* Element of a stable sort: by @key, then by original order */
struct sorted {
	u64 key;
	unsigned int order;
	void *what;
};

static int compare(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static u64 item_key(enum item_kind kind, const struct item *item)
{
	switch (kind) {
	case ITEM_OPCODE:
		return item->value << 16 | (item->task ? item->task->value : 0);
	case ITEM_LEVEL:
	case ITEM_KEYWORD:
		return item->value;
	default:
		return 0;
	}
}

static struct sorted *sort_items(struct bytes *b, const struct provider *p,
				 enum item_kind kind, unsigned int *count)
{
	struct sorted *sorted;
	unsigned int i = 0;

	*count = list_length(p->items[kind]);
	sorted = calloc(*count + 1, sizeof(*sorted));
	if (!sorted) {
		b->failed = true;
		*count = 0;
		return NULL;
	}
	for (struct item *item = p->items[kind]; item; item = item->next, i++) {
		sorted[i].key = item_key(kind, item);
		sorted[i].order = i;
		sorted[i].what = item;
	}
	qsort(sorted, *count, sizeof(*sorted), compare);
	return sorted;
}

/*
 * Append an entry up to the offset of its name, which ends it except for
 * channels
 */
static void add_item(struct bytes *b, enum item_kind kind,
		     const struct item *item)
{
	switch (kind) {
	case ITEM_CHANNEL:
		bytes_add_u32(b, item->imported ? WEVT_IMPORTED : 0);
		bytes_add_u32(b, 0);
		bytes_add_u32(b, item->value);
		bytes_add_u32(b, number_of(item->message));
		return;
	case ITEM_KEYWORD:
		bytes_add(b, &item->value, 8);
		break;
	case ITEM_OPCODE:
		bytes_add_u16(b, item->task ? item->task->value : 0);
		bytes_add_u16(b, item->value);
		break;
	default:
		bytes_add_u32(b, item->value);
	}
	bytes_add_u32(b, number_of(item->message));
	if (kind == ITEM_TASK)
		bytes_add(b, &item->guid, sizeof(item->guid));
	bytes_add_u32(b, 0);
}

/* Write entries, followed by the names that they refer to */
static void write_items(struct bytes *b, const struct provider *p,
			enum item_kind kind, const char *tag)
{
	size_t at = begin_list(b, tag), size;
	unsigned int count;
	struct sorted *sorted = sort_items(b, p, kind, &count);

	for (unsigned int i = 0; i < count; i++) {
		struct item *item = sorted[i].what;

		item->offset = b->len;
		add_item(b, kind, item);
	}
	size = count ? (b->len - at - 12) / count : 0;
	for (unsigned int i = 0; i < count; i++) {
		struct item *item = sorted[i].what;

		bytes_put_u32(b, item->offset + (kind == ITEM_CHANNEL ? 4 :
						 size - 4), b->len);
		add_name(b, item->name);
	}
	end_list(b, at, count, false);
	free(sorted);
}

/* Append a map with its entries sorted by value */
static void add_map(struct bytes *b, struct map *map)
{
	struct sorted *sorted = calloc(map->count + 1, sizeof(*sorted));
	unsigned int i = 0;

	if (!sorted) {
		b->failed = true;
		return;
	}
	for (struct map_entry *e = map->entries; e; e = e->next, i++) {
		sorted[i].key = e->value;
		sorted[i].order = i;
		sorted[i].what = e;
	}
	qsort(sorted, map->count, sizeof(*sorted), compare);
	map->offset = b->len;
	bytes_add(b, map->bits ? "BMAP" : "VMAP", 4);
	bytes_add_u32(b, 20 + 8 * map->count);
	bytes_add_u32(b, 0);
	bytes_add_u32(b, map->bits);
	bytes_add_u32(b, map->count);
	for (i = 0; i < map->count; i++) {
		const struct map_entry *e = sorted[i].what;

		bytes_add_u32(b, e->value);
		bytes_add_u32(b, number_of(e->message));
	}
	free(sorted);
}

static int compare_maps(const void *a, const void *b)
{
	const struct map * const *x = a;
	const struct map * const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

/*
 * Write maps in the order of the manifest, their offsets and names sorted by
 * name
 */
static void write_maps(struct bytes *b, const struct provider *p)
{
	size_t at = begin_list(b, "MAPS");
	u32 count = list_length(p->maps), i = 0;
	size_t offsets = bytes_reserve(b, 4 * count);
	struct map **sorted = calloc(count, sizeof(*sorted));

	if (!sorted) {
		b->failed = true;
		return;
	}
	for (struct map *map = p->maps; map; map = map->next) {
		add_map(b, map);
		sorted[i++] = map;
	}
	qsort(sorted, count, sizeof(*sorted), compare_maps);
	for (i = 0; i < count; i++) {
		bytes_put_u32(b, offsets + 4 * i, sorted[i]->offset);
		bytes_put_u32(b, sorted[i]->offset + 8, b->len);
		add_name(b, sorted[i]->name);
	}
	end_list(b, at, count, true);
	free(sorted);
}

/*
 * Write the names that a pattern map refers to.  Its size extends to the last
 * one, across other pattern maps, as in the output of Windows' compiler.
 */
static void add_query_names(struct bytes *b, const struct query *query)
{
	size_t at = query->offset;

	bytes_put_u32(b, at + 8, b->len);
	add_name(b, query->name);
	bytes_put_u32(b, at + 12, b->len);
	add_name(b, query->format);
	for (const struct query_entry *e = query->entries; e; e = e->next) {
		bytes_put_u32(b, at + 20, b->len);
		add_name(b, e->name);
		bytes_put_u32(b, at + 24, b->len);
		add_name(b, e->value);
		at += 8;
	}
	bytes_put_u32(b, query->offset + 4, b->len - query->offset);
}

static void write_queries(struct bytes *b, const struct provider *p)
{
	size_t at = begin_list(b, "QTAB"), offset;
	u32 count = list_length(p->queries);

	offset = bytes_reserve(b, 4 * count);
	for (struct query *q = p->queries; q; q = q->next, offset += 4) {
		bytes_put_u32(b, offset, b->len);
		q->offset = b->len;
		bytes_add(b, "QUER", 4);
		bytes_reserve(b, 12);
		bytes_add_u32(b, q->count);
		bytes_reserve(b, 8 * q->count);
	}
	for (const struct query *q = p->queries; q; q = q->next)
		add_query_names(b, q);
	end_list(b, at, count, false);
}

static u32 property_flags(const struct property *property)
{
	static const struct {
		u32 ours;
		u32 theirs;
	} flags[] = {
		{ PropertyStruct, WEVT_STRUCT },
		{ PropertyParamFixedLength, WEVT_FIXED_LENGTH },
		{ PropertyParamLength, WEVT_FIELD_LENGTH },
		{ PropertyParamFixedCount, WEVT_FIXED_COUNT },
		{ PropertyParamCount, WEVT_FIELD_COUNT },
	};
	u32 result = 0;

	for (size_t i = 0; i < EVNT_ARRAY_SIZE(flags); i++) {
		if (property->flags & flags[i].ours)
			result |= flags[i].theirs;
	}
	if (property->in == TDH_INTYPE_SID &&
	    !(property->flags & PropertyStruct))
		result &= ~(u32)WEVT_FIXED_LENGTH;
	return result;
}

#define PROPERTY_SIZE	20

static void add_property(struct bytes *b, const struct template *t,
			 unsigned int i)
{
	const struct property *property = &t->properties[i];
	bool counted = property->flags & (PropertyParamCount |
					  PropertyParamFixedCount);

	bytes_add_u32(b, property_flags(property));
	if (property->flags & PropertyStruct) {
		bytes_add_u16(b, property->in);
		bytes_add_u16(b, property->out);
		bytes_add_u32(b, 0);
	} else {
		bytes_add_u8(b, property->in);
		bytes_add_u8(b, property->out);
		bytes_add_u16(b, 0);
		bytes_add_u32(b, t->maps[i] ? t->maps[i]->offset : 0);
	}
	bytes_add_u16(b, counted ? property->count : 0);
	bytes_add_u16(b, property->length);
	bytes_add_u32(b, 0);
}

static void write_template(struct bytes *b, struct template *t)
{
	size_t properties;
	GUID id;

	t->offset = b->len;
	binxml_template_id(t, &id);
	bytes_add(b, "TEMP", 4);
	bytes_add_u32(b, 0);
	bytes_add_u32(b, t->top_level);
	bytes_add_u32(b, t->count);
	bytes_add_u32(b, 0);
	bytes_add_u32(b, t->has_user_data ? TEMPLATE_USER_DATA :
					    TEMPLATE_EVENT_DATA);
	bytes_add(b, &id, sizeof(id));
	binxml_write(b, t);
	properties = b->len;
	bytes_put_u32(b, t->offset + 16, properties);
	for (unsigned int i = 0; i < t->count; i++)
		add_property(b, t, i);
	for (unsigned int i = 0; i < t->count; i++) {
		bytes_put_u32(b, properties + (i + 1) * PROPERTY_SIZE - 4,
			      b->len);
		add_name(b, t->properties[i].name);
	}
	bytes_put_u32(b, t->offset + 4, b->len - t->offset);
}

static void write_templates(struct bytes *b, const struct provider *p)
{
	size_t at = begin_list(b, "TTBL");

	for (struct template *t = p->templates; t; t = t->next)
		write_template(b, t);
	end_list(b, at, list_length(p->templates), true);
}

#define EVENT_SIZE	48

/* Append the offsets of the event's keywords, sorted by mask */
static void add_keywords(struct bytes *b, const struct event *e)
{
	struct sorted sorted[64] = { 0 };
	unsigned int count = 0;

	for (struct keyword_list *k = e->keywords; k && count < 64;
	     k = k->next) {
		sorted[count].key = k->keyword->value;
		sorted[count].order = count;
		sorted[count++].what = k->keyword;
	}
	qsort(sorted, count, sizeof(*sorted), compare);
	for (unsigned int i = 0; i < count; i++)
		bytes_add_u32(b, ((struct item *)sorted[i].what)->offset);
}

static u32 offset_of(const struct item *item)
{
	return item ? item->offset : 0;
}

static struct sorted *sort_events(struct bytes *b, const struct provider *p,
				  bool versions, unsigned int *count)
{
	struct sorted *sorted;
	unsigned int i = 0;

	*count = list_length(p->events);
	sorted = calloc(*count + 1, sizeof(*sorted));
	if (!sorted) {
		b->failed = true;
		*count = 0;
		return NULL;
	}
	for (struct event *e = p->events; e; e = e->next, i++) {
		sorted[i].key = (u32)e->descriptor.Id << 8 |
				(versions ? e->descriptor.Version : 0);
		sorted[i].order = i;
		sorted[i].what = e;
	}
	qsort(sorted, *count, sizeof(*sorted), compare);
	return sorted;
}

static void write_events(struct bytes *b, const struct provider *p)
{
	size_t at = begin_list(b, "EVNT"), first;
	unsigned int count;
	struct sorted *sorted = sort_events(b, p, false, &count);

	bytes_add_u32(b, 0);
	first = b->len;
	for (unsigned int i = 0; i < count; i++) {
		const struct event *e = sorted[i].what;
		u32 keywords = list_length(e->keywords);

		bytes_add(b, &e->descriptor, sizeof(e->descriptor));
		bytes_add_u32(b, number_of(e->message));
		bytes_add_u32(b, e->template ? e->template->offset : 0);
		bytes_add_u32(b, offset_of(e->opcode));
		bytes_add_u32(b, offset_of(e->level));
		bytes_add_u32(b, offset_of(e->task));
		bytes_add_u32(b, keywords < 64 ? keywords : 64);
		bytes_add_u32(b, 0);
		bytes_add_u32(b, offset_of(e->channel));
	}
	for (unsigned int i = 0; i < count; i++) {
		const struct event *e = sorted[i].what;

		if (!e->keywords)
			continue;
		bytes_put_u32(b, first + i * EVENT_SIZE + 40, b->len);
		add_keywords(b, e);
	}
	end_list(b, at, count, true);
	free(sorted);
}

static void write_filters(struct bytes *b, const struct provider *p)
{
	size_t at = begin_list(b, "FLTR"), first;
	const struct filter *last = NULL;
	unsigned int i = 0;

	bytes_add_u32(b, 0);
	first = b->len;
	for (const struct filter *f = p->filters; f; f = f->next) {
		bytes_add_u8(b, f->value);
		bytes_add_u8(b, f->version);
		bytes_add_u16(b, 0);
		bytes_add_u32(b, number_of(f->message));
		bytes_add_u32(b, 0);
		bytes_add_u32(b, f->template ? f->template->offset : 0);
		last = f;
	}
	for (const struct filter *f = p->filters; f; f = f->next, i++) {
		bytes_put_u32(b, first + 16 * i + 8, b->len);
		add_name(b, f->name);
	}
	end_list(b, at, i, true);
	/* Windows' compiler leaves the template of the last filter here */
	bytes_put_u32(b, at + 12, last && last->template ?
		      last->template->offset : 0);
}

static void align_list(struct bytes *b, size_t at)
{
	while ((b->len - at) % 4 && !b->failed)
		bytes_add_u8(b, 0);
}

static void add_attribute_guid(struct bytes *b, size_t entry, const GUID *guid)
{
	bytes_align(b, 4);
	bytes_put_u32(b, entry + 4, b->len);
	bytes_add(b, guid, sizeof(*guid));
}

static void write_provider_attributes(struct bytes *b,
				      const struct provider *p)
{
	u32 count = 1 + p->has_control_guid + p->has_group_guid;
	size_t at = begin_list(b, "PRVA");
	size_t entry = bytes_reserve(b, 8 * count);

	bytes_put_u32(b, entry, WEVT_PROVIDER_NAME);
	bytes_put_u32(b, entry + 4, b->len);
	bytes_add_string(b, p->name);
	if (p->has_control_guid) {
		entry += 8;
		bytes_put_u32(b, entry, WEVT_CONTROL_GUID);
		add_attribute_guid(b, entry, &p->control_guid);
	}
	if (p->has_group_guid) {
		entry += 8;
		bytes_put_u32(b, entry, WEVT_GROUP_GUID);
		add_attribute_guid(b, entry, &p->group_guid);
	}
	align_list(b, at);
	end_list(b, at, count, true);
}

static u32 count_attributes(const struct provider *p)
{
	u32 count = 0;

	for (const struct event *e = p->events; e; e = e->next)
		count += !!e->name + list_length(e->attributes);
	return count;
}

/* Text of an event attribute, and its offset in the output */
struct wevt_text {
	const char *text;
	u32 offset;
};

static int compare_texts(const void *a, const void *b)
{
	return strcmp(((const struct wevt_text *)a)->text,
		      ((const struct wevt_text *)b)->text);
}

static u32 offset_of_text(const struct wevt_text *texts, u32 count,
			  const char *text)
{
	struct wevt_text key = { .text = text };
	const struct wevt_text *found =
		bsearch(&key, texts, count, sizeof(*texts), compare_texts);

	return found ? found->offset : 0;
}

static void add_event_attribute(struct bytes *b, const struct event *e,
				u8 kind, u32 offset)
{
	bytes_add_u8(b, kind);
	bytes_add_u8(b, e->descriptor.Version);
	bytes_add_u16(b, e->descriptor.Id);
	bytes_add_u32(b, offset);
}

static void add_texts(struct bytes *b, const struct provider *p,
		      struct wevt_text *texts, u32 count, size_t at)
{
	u32 i = 0;

	for (const struct event *e = p->events; e; e = e->next) {
		if (e->name)
			texts[i++].text = e->name;
		for (struct attribute_list *a = e->attributes; a; a = a->next)
			texts[i++].text = a->text;
	}
	qsort(texts, count, sizeof(*texts), compare_texts);
	for (i = 0; i < count; i++) {
		bool again = i && !strcmp(texts[i].text, texts[i - 1].text);

		texts[i].offset = again ? texts[i - 1].offset : b->len;
		if (!again)
			bytes_add_string(b, texts[i].text);
	}
	align_list(b, at);
}

static void write_event_attributes(struct bytes *b, const struct provider *p)
{
	u32 count = count_attributes(p);
	size_t at = begin_list(b, "EVTA"), entries = b->len;
	struct wevt_text *texts = calloc(count + 1, sizeof(*texts));
	unsigned int events;
	struct sorted *sorted = sort_events(b, p, true, &events);
	struct bytes list = { 0 };

	if (!texts || !sorted) {
		b->failed = true;
		goto out;
	}
	bytes_reserve(b, 8 * count);
	add_texts(b, p, texts, count, at);
	for (unsigned int i = 0; i < events; i++) {
		const struct event *e = sorted[i].what;

		if (e->name)
			add_event_attribute(&list, e, WEVT_EVENT_NAME,
					    offset_of_text(texts, count,
							   e->name));
		for (struct attribute_list *a = e->attributes; a; a = a->next)
			add_event_attribute(&list, e, WEVT_EVENT_ATTRIBUTE,
					    offset_of_text(texts, count,
							   a->text));
	}
	if (list.failed)
		b->failed = true;
	if (!b->failed && list.len)
		memcpy(b->data + entries, list.data, list.len);
	end_list(b, at, count, true);
out:
	bytes_free(&list);
	free(texts);
	free(sorted);
}

/* Position in the table of lists while the lists are written */
struct lists {
	size_t at;
	u32 count;
};

static void add_list(struct bytes *b, struct lists *lists,
		     enum wevt_list kind)
{
	if (kind == WEVT_EVENTS)
		bytes_align(b, 8);
	bytes_put_u32(b, lists->at, kind);
	bytes_put_u32(b, lists->at + 4, b->len);
	lists->at += 8;
	lists->count++;
}

static u32 count_lists(const struct provider *p, unsigned int version)
{
	if (version < 5)
		return SLOTS_V3;
	return 5 + !!p->items[ITEM_CHANNEL] + !!p->maps + !!p->queries +
	       !!p->templates + !!p->events + !!count_attributes(p) +
	       !!p->filters;
}

static void write_provider(struct bytes *b, const struct provider *p,
			   unsigned int version)
{
	size_t at = bytes_add(b, "WEVT", 4);
	struct lists lists = { .at = at + 16 };

	bytes_reserve(b, 12 + 8 * count_lists(p, version));
	if (p->items[ITEM_CHANNEL]) {
		add_list(b, &lists, WEVT_CHANNELS);
		write_items(b, p, ITEM_CHANNEL, "CHAN");
	}
	if (p->maps) {
		add_list(b, &lists, WEVT_MAPS);
		write_maps(b, p);
	}
	if (p->queries) {
		add_list(b, &lists, WEVT_QUERIES);
		write_queries(b, p);
	}
	if (p->templates) {
		add_list(b, &lists, WEVT_TEMPLATES);
		write_templates(b, p);
	}
	if (version >= 5) {
		add_list(b, &lists, WEVT_PROVIDER_ATTRIBUTES);
		write_provider_attributes(b, p);
	}
	add_list(b, &lists, WEVT_OPCODES);
	write_items(b, p, ITEM_OPCODE, "OPCO");
	add_list(b, &lists, WEVT_LEVELS);
	write_items(b, p, ITEM_LEVEL, "LEVL");
	add_list(b, &lists, WEVT_TASKS);
	write_items(b, p, ITEM_TASK, "TASK");
	add_list(b, &lists, WEVT_KEYWORDS);
	write_items(b, p, ITEM_KEYWORD, "KEYW");
	if (p->events) {
		add_list(b, &lists, WEVT_EVENTS);
		write_events(b, p);
	}
	if (version >= 5 && count_attributes(p)) {
		add_list(b, &lists, WEVT_EVENT_ATTRIBUTES);
		write_event_attributes(b, p);
	}
	if (p->filters) {
		add_list(b, &lists, WEVT_FILTERS);
		write_filters(b, p);
	}
	bytes_put_u32(b, at + 4, b->len - at);
	bytes_put_u32(b, at + 8, number_of(p->message));
	bytes_put_u32(b, at + 12, lists.count);
}

#define HEAD_SIZE	16
#define ENTRY_SIZE	20

void wevt_write(struct bytes *b, struct manifest *m, unsigned int version)
{
	u32 count = list_length(m->providers);
	size_t entry = HEAD_SIZE;

	bytes_add(b, "CRIM", 4);
	bytes_reserve(b, HEAD_SIZE - 4 + ENTRY_SIZE * count);
	for (struct provider *p = m->providers; p; p = p->next) {
		bytes_put_u32(b, entry + 16, b->len);
		if (!b->failed)
			memcpy(b->data + entry, &p->guid, sizeof(p->guid));
		entry += ENTRY_SIZE;
		write_provider(b, p, version);
	}
	bytes_put_u32(b, 4, b->len);
	bytes_put_u16(b, 8, version);
	bytes_put_u16(b, 10, 1);
	bytes_put_u32(b, 12, count);
	/* Trailing bytes of Windows' compiler, not included in the size */
	bytes_add_u16(b, 0);
}
