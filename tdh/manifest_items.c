// SPDX-License-Identifier: MIT
/*
 * Reader of instrumentation manifests: levels, tasks, opcodes, keywords,
 * channels, maps.
 */
#include <stdio.h>

#include "tdh/manifest_reader.h"
#include "tdh/winmeta.h"

/**
 * struct item_form - XML form of a kind of item
 * @list: name of the list element
 * @element: name of an element of the list
 * @number: name of the attribute that contains the value
 * @least: minimum value that a provider may declare; Windows declares lower
 *	ones
 * @most: maximum value
 */
static const struct item_form {
	const char *list;
	const char *element;
	const char *number;
	u64 least;
	u64 most;
} kinds[] = {
	[ITEM_LEVEL] = { "levels", "level", "value", 16, 255 },
	[ITEM_TASK] = { "tasks", "task", "value", 1, 65535 },
	[ITEM_OPCODE] = { "opcodes", "opcode", "value", 10, 239 },
	[ITEM_KEYWORD] = { "keywords", "keyword", "mask", 1, UINT64_MAX },
	[ITEM_CHANNEL] = { "channels", "channel", "value", 16, 255 },
};

static bool is_keyword(u64 mask)
{
	return mask && !(mask & (mask - 1)) && mask < 1ull << 48;
}

/*
 * Accept redeclarations of winmeta's items, which occur in Windows' own
 * manifests.  Returns false for an invalid value.
 */
static bool check_value(struct reader *r, const struct node *node,
			enum item_kind kind, const struct item *item)
{
	const struct item_form *k = &kinds[kind];
	const struct builtin *builtin = winmeta_item(kind, item->name);

	if (builtin && builtin->value == item->value)
		return true;
	if (kind == ITEM_KEYWORD ? is_keyword(item->value) :
	    item->value >= k->least && item->value <= k->most)
		return true;
	if (kind == ITEM_KEYWORD)
		problem_at(&r->document, node, k->number, "the mask of keyword '%s' has to be one bit, of the lower 48",
			   item->name);
	else
		problem_at(&r->document, node, k->number, "the value of %s '%s' has to be from %llu to %llu",
			   k->element, item->name, (unsigned long long)k->least,
			   (unsigned long long)k->most);
	return false;
}

/* Scope of unique names and values: the item's task, or the provider */
static const void *scope_of(const struct provider *p, const struct item *task)
{
	return task ? (const void *)task : p;
}

/*
 * Report an item whose name or value another item has.  Returns true for a
 * unique one; *@twin is the item with the same value but another name, or NULL.
 */
static bool check_unique(struct reader *r, const struct node *node,
			 const struct provider *p, enum item_kind kind,
			 const struct item *item, struct item **twin)
{
	const void *scope = scope_of(p, item->task);

	*twin = NULL;
	if (reader_find(r, index_name(KEY_ITEM_NAME + kind, scope,
				      item->name))) {
		problem_at(&r->document, node, "name", "there are two %ss '%s'",
			   kinds[kind].element, item->name);
		return false;
	}
	if (item->has_value)
		*twin = reader_find(r, index_number(KEY_ITEM_VALUE + kind,
						    scope, item->value));
	if (*twin)
		problem_at(&r->document, node, kinds[kind].number, "%ss '%s' and '%s' have the same value",
			   kinds[kind].element, (*twin)->name, item->name);
	return !*twin;
}

static void add_reference(struct reader *r, const struct provider *p,
			  enum item_kind kind, struct item *item,
			  const char *name)
{
	if (name)
		reader_add(r, index_name(KEY_ITEM_REFERENCE + kind,
					 scope_of(p, item->task), name), item);
}

/* Append an item to its list and to the index */
static void add_item(struct reader *r, const struct provider *p,
		     enum item_kind kind, struct item *item)
{
	const void *scope = scope_of(p, item->task);

	APPEND(r->last_item[kind], item);
	reader_add(r, index_name(KEY_ITEM_NAME + kind, scope, item->name),
		   item);
	add_reference(r, p, kind, item, item->name);
	add_reference(r, p, kind, item, item->chid);
	if (item->has_value)
		reader_add(r, index_number(KEY_ITEM_VALUE + kind, scope,
					   item->value), item);
}

/* Check an item; a lenient reader skips it after a problem */
static bool is_valid(struct reader *r, const struct node *node,
		     struct provider *p, enum item_kind kind, struct item *item)
{
	const struct builtin *builtin;
	struct item *other = NULL;
	bool good = !item->has_value || check_value(r, node, kind, item);

	if (!good && r->document.lenient) {
		builtin = winmeta_item_by_value(kind, item->value);
		if (builtin)
			other = find_item(r, p, kind, builtin->name);
	} else {
		good &= check_unique(r, node, p, kind, item, &other);
	}
	if (good || !r->document.lenient)
		return true;
	/* References to it take the item with its value, or nothing */
	if (other)
		reader_add(r, index_name(KEY_ITEM_REFERENCE + kind,
					 scope_of(p, item->task), item->name),
			   other);
	else
		reader_reports(r, index_name(KEY_REPORTED_ITEM + kind, p,
					     item->name));
	return false;
}

static struct item *read_item(struct reader *r, const struct node *node,
			      struct provider *p, enum item_kind kind,
			      struct item *task)
{
	struct item *item = ALLOC(r, struct item);
	const char *name = read_text(r, node, "name");

	if (!item || !name)
		return NULL;
	item->name = read_name(r, name);
	item->symbol = read_symbol(r, node);
	item->message = read_message(r, node);
	item->task = task;
	item->has_value = node_attribute(node, kinds[kind].number);
	if (!read_number(r, node, kinds[kind].number, kind != ITEM_CHANNEL,
			 kind == ITEM_KEYWORD ? UINT64_MAX : UINT16_MAX,
			 &item->value)) {
		reader_reports(r, index_name(KEY_REPORTED_ITEM + kind, p,
					     item->name));
		return NULL;
	}
	if (!is_valid(r, node, p, kind, item))
		return NULL;
	if (kind == ITEM_CHANNEL)
		item->chid = node_attribute(node, "chid");
	add_item(r, p, kind, item);
	return item;
}

static void read_list(struct reader *r, const struct node *parent,
		      struct provider *p, enum item_kind kind,
		      struct item *task)
{
	struct node *list, *node;

	for_each_child(list, parent, kinds[kind].list) {
		for_each_child(node, list, kinds[kind].element)
			read_item(r, node, p, kind, task);
	}
}

/* Return the item that replaces a skipped task, or NULL */
static struct item *task_of(struct reader *r, const struct node *node,
			    const struct provider *p)
{
	const char *name = node_attribute(node, "name");

	return name ? reader_find(r, index_name(KEY_ITEM_REFERENCE + ITEM_TASK,
						p, read_name(r, name))) : NULL;
}

static void read_tasks(struct reader *r, const struct node *parent,
		       struct provider *p)
{
	struct node *list, *node;

	for_each_child(list, parent, "tasks") {
		for_each_child(node, list, "task") {
			struct item *task = read_item(r, node, p, ITEM_TASK,
						      NULL);

			if (!task) {
				/* Its opcodes may be used by its events */
				if (r->document.lenient)
					read_list(r, node, p, ITEM_OPCODE,
						  task_of(r, node, p));
				continue;
			}
			read_guid(r, node, "eventGUID", false, &task->guid,
				  &task->has_guid);
			read_list(r, node, p, ITEM_OPCODE, task);
		}
	}
}

static void check_channel_type(struct reader *r, const struct node *node)
{
	static const char * const types[] = {
		"Admin", "Operational", "Analytic", "Debug",
	};
	const char *type = read_text(r, node, "type");

	for (size_t i = 0; type && i < EVNT_ARRAY_SIZE(types); i++) {
		if (!strcmp(type, types[i]))
			return;
	}
	if (type)
		problem_at(&r->document, node, "type", "the type of a channel is Admin, Operational, Analytic or Debug");
}

/*
 * Return the string of the manifest that replaces the text of a winmeta item,
 * or NULL: level.Error for win:Error, opcode.DCStart for win:DC_Start
 */
static struct message *own_message(struct reader *r,
				   const struct builtin *builtin)
{
	const char *name = strchr(builtin->name, ':');
	struct message *message;
	char id[64];
	size_t len;

	name = name ? name + 1 : builtin->name;
	if (!strcmp(name, "EventlogClassic"))
		name = "Classic";
	len = snprintf(id, sizeof(id), "%s.", kinds[builtin->kind].element);
	for (; *name && len + 1 < sizeof(id); name++) {
		if (*name != '_')
			id[len++] = *name;
	}
	id[len] = '\0';
	message = reader_find(r, index_name(KEY_MESSAGE, NULL, id));
	for (unsigned int i = 0; message && i < MAX_CULTURES; i++) {
		if (!message->texts[i])
			message->texts[i] = builtin->text;
	}
	return message;
}

/* Message of a winmeta item: the English text in every language */
static struct message *builtin_message(struct reader *r,
				       const struct builtin *builtin)
{
	struct manifest *m = r->manifest;
	const char *text = builtin->text;
	struct message *message;

	if (!text)
		return NULL;
	message = own_message(r, builtin);
	if (message)
		return message;
	message = reader_find(r, index_name(KEY_BUILTIN_MESSAGE, NULL, text));
	if (message)
		return message;
	message = ALLOC(r, struct message);
	if (!message)
		return NULL;
	message->number = NO_MESSAGE;
	message->texts = arena_alloc(&m->arena,
				     MAX_CULTURES * sizeof(*message->texts));
	if (!message->texts)
		return NULL;
	for (unsigned int i = 0; i < MAX_CULTURES; i++)
		message->texts[i] = text;
	APPEND(r->last_message, message);
	reader_add(r, index_name(KEY_BUILTIN_MESSAGE, NULL, text), message);
	return message;
}

/* Import a channel; values are assigned later, except for Windows' own */
static void read_import(struct reader *r, const struct node *node,
			struct provider *p)
{
	struct item *item = ALLOC(r, struct item);
	const char *name = read_text(r, node, "name");
	const struct builtin *builtin;

	if (!item || !name)
		return;
	item->name = name;
	item->chid = node_attribute(node, "chid");
	item->symbol = read_symbol(r, node);
	item->imported = true;
	builtin = winmeta_item(ITEM_CHANNEL, name);
	item->has_value = builtin;
	if (builtin) {
		item->value = builtin->value;
		item->message = builtin_message(r, builtin);
	}
	add_item(r, p, ITEM_CHANNEL, item);
}

static void finish_channels(struct reader *r, const struct node *node,
			    struct provider *p)
{
	unsigned int index = 0;
	u64 value = 16;

	for (struct item *c = p->items[ITEM_CHANNEL]; c; c = c->next, index++) {
		while (!c->has_value &&
		       reader_find(r, index_number(KEY_ITEM_VALUE +
						   ITEM_CHANNEL, p, value)))
			value++;
		if (!c->has_value)
			c->value = value++;
		c->has_value = true;
		if (c->value > 255 || index == 64)
			problem_at(&r->document, node, NULL, "the provider has too many channels");
		/* Pseudo channels that select a decoder have no keyword bit */
		if (c->value != 11 && c->value != 12 && index < 64)
			c->bit = 1ull << (63 - index);
	}
}

static void read_channels(struct reader *r, const struct node *parent,
			  struct provider *p)
{
	struct node *list, *node;

	for_each_child(list, parent, "channels") {
		for (node = node_child(list, NULL); node;
		     node = node_next(node, NULL)) {
			if (!strcmp(node->name, "importChannel"))
				read_import(r, node, p);
			if (strcmp(node->name, "channel") != 0)
				continue;
			read_item(r, node, p, ITEM_CHANNEL, NULL);
			check_channel_type(r, node);
		}
	}
	finish_channels(r, parent, p);
}

void read_items(struct reader *r, const struct node *node, struct provider *p)
{
	read_channels(r, node, p);
	read_list(r, node, p, ITEM_LEVEL, NULL);
	read_list(r, node, p, ITEM_OPCODE, NULL);
	read_tasks(r, node, p);
	read_list(r, node, p, ITEM_KEYWORD, NULL);
}

struct item *find_item(struct reader *r, struct provider *p,
		       enum item_kind kind, const char *name)
{
	struct item *item = reader_find(r, index_name(KEY_ITEM_REFERENCE + kind,
						      p, name));
	const struct builtin *builtin;

	if (item)
		return item;
	builtin = winmeta_item(kind, name);
	item = builtin ? ALLOC(r, struct item) : NULL;
	if (!item)
		return NULL;
	item->name = builtin->name;
	item->value = builtin->value;
	item->has_value = true;
	item->imported = true;
	item->message = builtin_message(r, builtin);
	add_item(r, p, kind, item);
	return item;
}

struct item *find_opcode(struct reader *r, struct provider *p,
			 const struct item *task, const char *name)
{
	struct item *item = NULL;

	if (task)
		item = reader_find(r, index_name(KEY_ITEM_REFERENCE +
						 ITEM_OPCODE, task, name));
	return item ? item : find_item(r, p, ITEM_OPCODE, name);
}

/* Read an entry; returns the new end of the list */
static struct map_entry **read_map_entry(struct reader *r,
					 const struct node *node,
					 struct map *map,
					 struct map_entry **last)
{
	struct map_entry *entry = ALLOC(r, struct map_entry);
	u64 value = 0;

	if (!entry || !read_number(r, node, "value", true, UINT32_MAX, &value))
		return last;
	if (reader_find(r, index_number(KEY_MAP_ENTRY, map, value))) {
		problem_at(&r->document, node, "value", "map '%s' has two entries for %llu",
			   map->name, (unsigned long long)value);
		if (r->document.lenient)
			return last;
	}
	reader_add(r, index_number(KEY_MAP_ENTRY, map, value), entry);
	entry->value = value;
	entry->symbol = read_symbol(r, node);
	entry->message = read_message(r, node);
	if (!entry->message && !node_attribute(node, "message"))
		problem_at(&r->document, node, NULL, "<map> lacks its attribute 'message'");
	if (!entry->message && r->document.lenient)
		return last;
	APPEND(last, entry);
	map->count++;
	return last;
}

static void read_map(struct reader *r, const struct node *node,
		     struct provider *p, bool bits)
{
	struct map *map = ALLOC(r, struct map);
	const char *name = read_text(r, node, "name");
	struct map_entry **last;
	struct node *child;

	if (!map || !name)
		return;
	map->name = name;
	map->bits = bits;
	map->symbol = read_symbol(r, node);
	if (reader_find(r, index_name(KEY_MAP, p, name))) {
		problem_at(&r->document, node, "name", "there are two maps '%s'",
			   name);
		if (r->document.lenient)
			return;
	}
	reader_add(r, index_name(KEY_MAP, p, name), map);
	last = &map->entries;
	for_each_child(child, node, "map")
		last = read_map_entry(r, child, map, last);
	APPEND(r->last_map, map);
}

static void read_query(struct reader *r, const struct node *node,
		       const struct provider *p)
{
	struct query *query = ALLOC(r, struct query);
	const char *name = read_text(r, node, "name");
	const char *format = read_text(r, node, "format");
	struct query_entry **last_entry;
	struct node *child;

	if (!query || !name || !format)
		return;
	if (reader_find(r, index_name(KEY_QUERY, p, name))) {
		problem_at(&r->document, node, "name", "there are two pattern maps '%s'",
			   name);
		return;
	}
	reader_add(r, index_name(KEY_QUERY, p, name), query);
	read_symbol(r, node);
	query->name = name;
	query->format = format;
	last_entry = &query->entries;
	for_each_child(child, node, "map") {
		struct query_entry *entry = ALLOC(r, struct query_entry);
		const char *entry_name = read_text(r, child, "name");
		const char *value = read_text(r, child, "value");

		if (!entry || !entry_name || !value)
			continue;
		entry->name = entry_name;
		entry->value = value;
		APPEND(last_entry, entry);
		query->count++;
	}
	APPEND(r->last_query, query);
}

void read_maps(struct reader *r, const struct node *node, struct provider *p)
{
	struct node *maps, *child;

	for_each_child(child, node, "valueMap")
		problem_at(&r->document, child, NULL, "a <valueMap> stands in <maps>");
	for_each_child(child, node, "bitMap")
		problem_at(&r->document, child, NULL, "a <bitMap> stands in <maps>");
	for_each_child(maps, node, "maps") {
		for (child = node_child(maps, NULL); child;
		     child = node_next(child, NULL)) {
			if (!strcmp(child->name, "valueMap"))
				read_map(r, child, p, false);
			else if (!strcmp(child->name, "bitMap"))
				read_map(r, child, p, true);
			else if (!strcmp(child->name, "patternMap"))
				read_query(r, child, p);
			else
				problem_at(&r->document, child, NULL, "<%s> is no <valueMap> or <bitMap>",
					   child->name);
		}
	}
}

void read_queries(struct reader *r, const struct node *node,
		  const struct provider *p)
{
	struct node *queries, *maps, *child;

	for_each_child(queries, node, "namedQueries") {
		for_each_child(maps, queries, "patternMaps") {
			for_each_child(child, maps, "patternMap")
				read_query(r, child, p);
		}
	}
}
