// SPDX-License-Identifier: MIT
/*
 * Reader of instrumentation manifests: templates with their fields, events,
 * filters.
 */
#include <stdlib.h>

#include "tdh/manifest_reader.h"
#include "tdh/value.h"
#include "tdh/wevt.h"
#include "tdh/winmeta.h"

/* Template being read */
struct event_fields {
	struct template *template;
	unsigned int members;	/* index of the next struct member */
};

static unsigned int count_children(const struct node *node, bool structs)
{
	unsigned int count = 0;
	struct node *child;

	for (child = node_child(node, NULL); child;
	     child = node_next(child, NULL))
		count += !strcmp(child->name, "data") ||
			 (structs && !strcmp(child->name, "struct"));
	return count;
}

static bool is_integer(u16 in)
{
	return (in >= TDH_INTYPE_INT8 && in <= TDH_INTYPE_UINT64) ||
	       in == TDH_INTYPE_HEXINT32 || in == TDH_INTYPE_HEXINT64;
}

/*
 * Find a preceding field in the template or struct that begins at @first, or
 * NULL
 */
static struct property *find_field(const struct reader *r,
				   const struct template *t, unsigned int first,
				   const char *name)
{
	return reader_find(r, index_name(KEY_FIELD, &t->properties[first],
					 name));
}

/*
 * Find a preceding field like find_field().  Published manifests have spaces in
 * references to fields whose own names have lost theirs, which a lenient reader
 * skips.
 */
static struct property *find_counter(const struct reader *r,
				     const struct template *t,
				     unsigned int first, const char *name)
{
	struct property *found = find_field(r, t, first, name);
	char squeezed[256];
	size_t len = 0;

	if (found || !r->document.lenient || strlen(name) >= sizeof(squeezed))
		return found;
	for (; *name; name++) {
		if (*name != ' ')
			squeezed[len++] = *name;
	}
	squeezed[len] = '\0';
	return find_field(r, t, first, squeezed);
}

/*
 * Read a count or length: a number, or the name of a preceding field in the
 * same template or struct.  Returns false after a problem.
 */
static bool read_size(struct reader *r, const struct node *node,
		      const char *name, const struct event_fields *fields,
		      unsigned int first, unsigned int index, u32 by_field,
		      u32 fixed, u16 *size)
{
	const char *text = node_attribute(node, name);
	struct template *t = fields->template;
	struct property *other;
	u64 number = 0;

	if (!text)
		return true;
	if (*text >= '0' && *text <= '9') {
		if (!read_number(r, node, name, false, UINT16_MAX, &number))
			return false;
		/* Zero counts as missing, as in Windows' compiler */
		if (!number)
			return true;
		*size = number;
		t->properties[index].flags |= fixed;
		return true;
	}
	other = find_counter(r, t, first, text);
	/* The field itself is in the index, but does not precede itself */
	if (other == &t->properties[index])
		other = NULL;
	if (!other)
		problem_at(&r->document, node, name, "there is no field '%s' in front of this one: a %s is a number, or the name of an earlier field",
			   text, name);
	else if (other->flags & PropertyStruct || !is_integer(other->in))
		problem_at(&r->document, node, name, "field '%s' is no integer: it cannot say the %s of another",
			   text, name);
	*size = other ? other - t->properties : 0;
	t->properties[index].flags |= by_field;
	return other && !(other->flags & PropertyStruct) &&
	       is_integer(other->in);
}

/* Read the types of a field; returns false if its in type is unknown */
static bool read_types(struct reader *r, const struct node *node,
		       struct property *property)
{
	const char *in = read_text(r, node, "inType");
	const char *out = node_attribute(node, "outType");
	const struct field_type *type = in ? winmeta_in_type(in) : NULL;

	if (in && !type)
		problem_at(&r->document, node, "inType", "'%s' is no type of fields; win:UInt32 and win:UnicodeString are",
			   in);
	if (!type)
		return false;
	property->in = type->value;
	property->out = type->out;
	type = out ? winmeta_out_type(out) : NULL;
	if (type)
		property->out = type->value;
	else if (out && reader_reports(r, index_name(KEY_REPORTED_TYPE, NULL,
						     out)))
		problem_at(&r->document, node, "outType", "'%s' is no way to show a field; xs:string and win:HexInt32 are",
			   out);
	return true;
}

/* Integers have a map of values or bits, texts one of patterns */
static void read_map_of(struct reader *r, const struct node *node,
			const struct provider *p, struct template *t,
			unsigned int index)
{
	const char *name = node_attribute(node, "map");
	struct property *property = &t->properties[index];
	struct query *query;
	struct map *map;

	if (!name)
		return;
	map = reader_find(r, index_name(KEY_MAP, p, name));
	query = reader_find(r, index_name(KEY_QUERY, p, name));
	if (query && (value_is_wide(property->in) ||
		      value_is_narrow(property->in))) {
		property->map = query->name;
		return;
	}
	if (!map) {
		if (reader_reports(r, index_name(KEY_REPORTED_MAP, p, name)))
			problem_at(&r->document, node, "map", query ?
				   "only fields of text have the pattern map '%s'" :
				   "there is no map '%s'", name);
	} else if (!is_integer(property->in)) {
		problem_at(&r->document, node, "map", "only fields of integers have a map");
		if (r->document.lenient)
			map = NULL;
	}
	t->maps[index] = map;
	property->map = map ? map->name : NULL;
}

static void read_field_name(struct reader *r, const struct node *node,
			    struct template *t, unsigned int first,
			    unsigned int index)
{
	const char *name = read_text(r, node, "name");

	if (name && find_field(r, t, first, name))
		problem_at(&r->document, node, "name", "there are two fields '%s'",
			   name);
	if (name)
		reader_add(r, index_name(KEY_FIELD, &t->properties[first],
					 name), &t->properties[index]);
	t->properties[index].name = name;
	t->properties[index].count = 1;
}

/*
 * Read a field.  Returns false after a problem that leaves its name or its size
 * in the payload unknown.
 */
static bool read_field(struct reader *r, const struct node *node,
		       const struct provider *p,
		       const struct event_fields *fields, unsigned int first,
		       unsigned int index)
{
	struct property *property = &fields->template->properties[index];
	bool good;

	read_field_name(r, node, fields->template, first, index);
	good = read_types(r, node, property) && property->name;
	good &= read_size(r, node, "count", fields, first, index,
			  PropertyParamCount, PropertyParamFixedCount,
			  &property->count);
	good &= read_size(r, node, "length", fields, first, index,
			  PropertyParamLength, PropertyParamFixedLength,
			  &property->length);
	if (!good && r->document.lenient)
		return false;
	if (property->in == TDH_INTYPE_BINARY &&
	    property->out != TDH_OUTTYPE_IPV6 &&
	    !(property->flags & (PropertyParamLength |
				 PropertyParamFixedLength))) {
		good = false;
		problem_at(&r->document, node, NULL, "field '%s' of win:Binary lacks its attribute 'length'",
			   property->name ? property->name : "");
	}
	read_map_of(r, node, p, fields->template, index);
	return good;
}

/* Read a struct; returns false like read_field() */
static bool read_struct(struct reader *r, const struct node *node,
			const struct provider *p, struct event_fields *fields,
			unsigned int index)
{
	struct property *property = &fields->template->properties[index];
	unsigned int first = fields->members;
	struct node *child;
	bool good;

	read_field_name(r, node, fields->template, 0, index);
	good = read_size(r, node, "count", fields, 0, index, PropertyParamCount,
			 PropertyParamFixedCount, &property->count);
	good &= !!property->name;
	for (child = node_child(node, "data");
	     child && (good || !r->document.lenient);
	     child = node_next(child, "data"))
		good &= read_field(r, child, p, fields, first,
				   fields->members++);
	if (node_child(node, "struct")) {
		good = false;
		problem_at(&r->document, node_child(node, "struct"), NULL, "a struct in a struct: there is none");
	}
	if (fields->members == first) {
		good = false;
		problem_at(&r->document, node, NULL, "the struct has no <data>");
	}
	if (!good && r->document.lenient) {
		fields->members = first;
		return false;
	}
	property->flags |= PropertyStruct;
	property->in = first;
	property->out = fields->members - first;
	return good;
}

/*
 * Drop the top-level fields from @index on, whose places in a payload are
 * unknown, and close the gap in front of the members of structs
 */
static void drop_fields(struct event_fields *fields, unsigned int index)
{
	struct template *t = fields->template;
	unsigned int gap = t->top_level - index;

	for (unsigned int i = 0; i < index; i++) {
		if (t->properties[i].flags & PropertyStruct)
			t->properties[i].in -= gap;
	}
	for (unsigned int i = t->top_level; i < fields->members; i++) {
		struct property *member = &t->properties[i];

		/* Counters of a member are members of the same struct */
		if (member->flags & PropertyParamCount)
			member->count -= gap;
		if (member->flags & PropertyParamLength)
			member->length -= gap;
		t->properties[i - gap] = *member;
		t->maps[i - gap] = t->maps[i];
	}
	t->top_level = index;
	t->count = fields->members - gap;
}

/* Maximum number of fields and struct members, above the limit of an event */
#define MAX_FIELDS	4096

static void read_fields(struct reader *r, const struct node *node,
			const struct provider *p, struct template *t)
{
	struct event_fields fields = { .template = t };
	unsigned int index = 0;
	struct node *child;
	bool good = true;

	t->top_level = count_children(node, true);
	t->count = t->top_level;
	for_each_child(child, node, "struct")
		t->count += count_children(child, false);
	if (t->count > MAX_FIELDS) {
		problem_at(&r->document, node, NULL, "the template has more than %d fields",
			   MAX_FIELDS);
		t->count = 0;
		t->top_level = 0;
		return;
	}
	t->properties = arena_alloc(&r->manifest->arena,
				    t->count * sizeof(*t->properties));
	t->maps = arena_alloc(&r->manifest->arena,
			      t->count * sizeof(struct map *));
	if (!t->properties || !t->maps)
		return;
	fields.members = t->top_level;
	for (child = node_child(node, NULL);
	     child && (good || !r->document.lenient);
	     child = node_next(child, NULL)) {
		if (!strcmp(child->name, "data"))
			good = read_field(r, child, p, &fields, 0, index++);
		else if (!strcmp(child->name, "struct"))
			good = read_struct(r, child, p, &fields, index++);
		else if (strcmp(child->name, "UserData") != 0)
			problem_at(&r->document, child, NULL, "<%s> is no <data>, <struct> or <UserData>",
				   child->name);
	}
	if (!good && r->document.lenient)
		drop_fields(&fields, index - 1);
}

static struct template *find_template(const struct reader *r,
				      const struct provider *p,
				      const char *tid)
{
	return reader_find(r, index_name(KEY_TEMPLATE, p, tid));
}

/* Write the XML of events once, as events are looked up much more often */
static void read_user_data(struct reader *r, const struct node *node,
			   struct template *t)
{
	struct bytes xml = { 0 };

	t->user_data = node->children;
	if (!t->user_data || t->user_data->next)
		problem_at(&r->document, node, NULL, "<UserData> has one element in it");
	if (!t->user_data)
		return;
	binxml_write(&xml, t);
	t->has_user_data = xml.len <= USER_DATA_MAX;
	if (xml.failed) {
		r->manifest->arena.failed = true;
	} else if (t->has_user_data) {
		t->xml = arena_text(&r->manifest->arena, (char *)xml.data,
				    xml.len);
		t->xml_len = xml.len;
	} else {
		t->user_data = NULL;
		problem_at(&r->document, node, NULL, "<UserData> is too large: %zu bytes in binary form, of at most %u",
			   xml.len, USER_DATA_MAX);
	}
	bytes_free(&xml);
}

static void read_template(struct reader *r, const struct node *node,
			  struct provider *p)
{
	struct template *t = ALLOC(r, struct template);
	const char *tid = read_text(r, node, "tid");
	struct node *user_data = node_child(node, "UserData");

	if (!t || !tid)
		return;
	if (find_template(r, p, tid)) {
		problem_at(&r->document, node, "tid", "there are two templates '%s'",
			   tid);
		if (r->document.lenient)
			return;
	}
	t->tid = tid;
	t->name = node_attribute(node, "name");
	read_fields(r, node, p, t);
	if (user_data)
		read_user_data(r, user_data, t);
	APPEND(r->last_template, t);
	reader_add(r, index_name(KEY_TEMPLATE, p, tid), t);
}

void read_templates(struct reader *r, const struct node *node,
		    struct provider *p)
{
	struct node *list, *child;

	for_each_child(list, node, "templates") {
		for_each_child(child, list, "template")
			read_template(r, child, p);
	}
}

static struct template *read_template_of(struct reader *r,
					 const struct node *node,
					 const struct provider *p,
					 const char *attribute)
{
	const char *tid = node_attribute(node, attribute);
	struct template *t = tid && *tid ? find_template(r, p, tid) :
					     NULL;

	if (tid && *tid && !t &&
	    reader_reports(r, index_name(KEY_REPORTED_TEMPLATE, p, tid)))
		problem_at(&r->document, node, attribute, "there is no template '%s'",
			   tid);
	return t;
}

static struct item *read_item_of(struct reader *r, const struct node *node,
				 struct provider *p, enum item_kind kind,
				 const char *attribute,
				 const struct item *task)
{
	const char *text = node_attribute(node, attribute);
	struct item *item;

	if (!text || !*text)
		return NULL;
	text = read_name(r, text);
	item = kind == ITEM_OPCODE ? find_opcode(r, p, task, text) :
				     find_item(r, p, kind, text);
	if (!item &&
	    reader_reports(r, index_name(KEY_REPORTED_ITEM + kind, p, text)))
		problem_at(&r->document, node, attribute, "there is no %s '%s'",
			   attribute, text);
	return item;
}

static void read_keywords(struct reader *r, const struct node *node,
			  struct provider *p, struct event *event)
{
	struct keyword_list **last = &event->keywords, *entry;
	const char *text = node_attribute(node, "keywords");
	static const char space[] = " \t\r\n";
	const char *known;
	struct item *item;

	while (text && *(text += strspn(text, space))) {
		size_t len = strcspn(text, space);
		char *name = arena_text(&r->manifest->arena, text, len);

		text += len;
		if (!name)
			continue;
		known = read_name(r, name);
		item = find_item(r, p, ITEM_KEYWORD, known);
		entry = ALLOC(r, struct keyword_list);
		if (!item &&
		    reader_reports(r, index_name(KEY_REPORTED_ITEM +
						 ITEM_KEYWORD, p, known)))
			problem_at(&r->document, node, "keywords", "there is no keyword '%s'",
				   name);
		if (!item || !entry)
			continue;
		entry->keyword = item;
		APPEND(last, entry);
		event->descriptor.Keyword |= item->value;
	}
}

static void read_attributes(struct reader *r, const struct node *node,
			    struct event *event)
{
	struct attribute_list **last = &event->attributes;
	const char *text = node_attribute(node, "attributes");

	while (text && *text) {
		struct attribute_list *entry = ALLOC(r, struct attribute_list);
		bool quoted = false;
		size_t len;

		/* NAME=VALUE or NAME="VALUE", up to an unquoted semicolon */
		for (len = 0; text[len] && (quoted || text[len] != ';'); len++)
			quoted ^= text[len] == '"';
		if (!entry)
			return;
		entry->text = arena_text(&r->manifest->arena, text, len);
		if (entry->text && (!strchr(entry->text, '=') ||
				    *entry->text == '=')) {
			problem_at(&r->document, node, "attributes", "'%s' is no NAME=VALUE",
				   entry->text);
			if (r->document.lenient)
				entry = NULL;
		}
		if (entry)
			APPEND(last, entry);
		text += len + (text[len] == ';');
	}
}

/* Returns false for an event that a lenient reader skips */
static bool check_event(struct reader *r, const struct node *node,
			const struct provider *p, struct event *event)
{
	const EVENT_DESCRIPTOR *d = &event->descriptor;
	bool good = !manifest_event(r->manifest, p, d->Id, d->Version);

	if (!good)
		problem_at(&r->document, node, "value", "there are two events %u of version %u",
			   d->Id, d->Version);
	if (!event->symbol ||
	    !reader_find(r, index_name(KEY_SYMBOL, p, event->symbol)))
		return good;
	if (r->document.lenient)
		event->symbol = NULL;
	else
		problem_at(&r->document, node, "symbol", "there are two events '%s'",
			   event->symbol);
	return good;
}

static void read_event(struct reader *r, const struct node *node,
		       struct provider *p)
{
	struct event *event = ALLOC(r, struct event);
	EVENT_DESCRIPTOR *d;
	u64 id = 0, version = 0;

	if (!event || !read_number(r, node, "value", true, UINT16_MAX, &id) ||
	    !read_number(r, node, "version", false, UINT8_MAX, &version))
		return;
	event->line = node->begin.line;
	event->column = node->begin.column;
	d = &event->descriptor;
	d->Id = id;
	d->Version = version;
	event->symbol = read_symbol(r, node);
	event->name = node_attribute(node, "name");
	read_boolean(r, node, "notLogged", &event->not_logged);
	event->message = read_message(r, node);
	event->template = read_template_of(r, node, p, "template");
	event->channel = read_item_of(r, node, p, ITEM_CHANNEL, "channel",
				      NULL);
	event->level = read_item_of(r, node, p, ITEM_LEVEL, "level", NULL);
	event->task = read_item_of(r, node, p, ITEM_TASK, "task", NULL);
	event->opcode = read_item_of(r, node, p, ITEM_OPCODE, "opcode",
				     event->task);
	d->Channel = event->channel ? event->channel->value : 0;
	d->Level = event->level ? event->level->value : 0;
	d->Task = event->task ? event->task->value : 0;
	d->Opcode = event->opcode ? event->opcode->value : 0;
	read_keywords(r, node, p, event);
	if (event->channel)
		d->Keyword |= event->channel->bit;
	read_attributes(r, node, event);
	if (!check_event(r, node, p, event) && r->document.lenient)
		return;
	APPEND(r->last_event, event);
	manifest_add_event(r->manifest, p, event);
	if (event->symbol)
		reader_add(r, index_name(KEY_SYMBOL, p, event->symbol), event);
}

void read_events(struct reader *r, const struct node *node, struct provider *p)
{
	struct node *list, *child;

	for_each_child(list, node, "events") {
		for_each_child(child, list, "event")
			read_event(r, child, p);
	}
}

static void read_filter(struct reader *r, const struct node *node,
			struct provider *p)
{
	struct filter *filter = ALLOC(r, struct filter);
	const char *name = read_text(r, node, "name");
	u64 value = 0, version = 0;

	if (!filter || !name ||
	    !read_number(r, node, "value", true, UINT8_MAX, &value) ||
	    !read_number(r, node, "version", false, UINT8_MAX, &version))
		return;
	filter->name = read_name(r, name);
	filter->value = value;
	filter->version = version;
	filter->symbol = read_symbol(r, node);
	filter->message = read_message(r, node);
	filter->template = read_template_of(r, node, p, "tid");
	if (reader_find(r, index_number(KEY_FILTER, p, version << 8 | value))) {
		problem_at(&r->document, node, "value", "there are two filters %u of version %u",
			   filter->value, filter->version);
		if (r->document.lenient)
			return;
	}
	reader_add(r, index_number(KEY_FILTER, p, version << 8 | value), filter);
	APPEND(r->last_filter, filter);
}

void read_filters(struct reader *r, const struct node *node,
		  struct provider *p)
{
	struct node *list, *child;

	for_each_child(list, node, "filters") {
		for_each_child(child, list, "filter")
			read_filter(r, child, p);
	}
}
