// SPDX-License-Identifier: MIT
/*
 * Reader of instrumentation manifests: the file as a whole, strings, providers.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "tdh/manifest_reader.h"

void *reader_find(const struct reader *r, struct index_key key)
{
	return index_find(&r->index, key);
}

void reader_add(struct reader *r, struct index_key key, const void *thing)
{
	index_add(&r->index, &r->scratch, key, (void *)thing);
}

bool reader_reports(struct reader *r, struct index_key key)
{
	if (!r->document.lenient)
		return true;
	if (reader_find(r, key))
		return false;
	reader_add(r, key, r);
	return true;
}

bool read_number(struct reader *r, const struct node *node, const char *name,
		 bool required, u64 max, u64 *value)
{
	const char *text = node_attribute(node, name);
	unsigned long long number;
	bool hex;
	char *end;

	if (!text) {
		if (required)
			problem_at(&r->document, node, NULL,
				   "<%s> lacks its attribute '%s'", node->name,
				   name);
		return !required;
	}
	hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	errno = 0;
	number = strtoull(text, &end, hex ? 16 : 10);
	if (*text < '0' || *text > '9' || *end || errno) {
		problem_at(&r->document, node, name, "'%s' is no number: write decimal, or 0x and hexadecimal digits",
			   text);
		return false;
	}
	if (number > max) {
		problem_at(&r->document, node, name, "%s is too large: '%s' is at most %llu",
			   text, name, (unsigned long long)max);
		return false;
	}
	*value = number;
	return true;
}

bool read_guid(struct reader *r, const struct node *node, const char *name,
	       bool required, GUID *guid, bool *has_guid)
{
	static const GUID zero;
	const char *text = node_attribute(node, name);

	if (!text) {
		if (required)
			problem_at(&r->document, node, NULL,
				   "<%s> lacks its attribute '%s'", node->name,
				   name);
		return !required;
	}
	if (!guid_parse(text, guid)) {
		problem_at(&r->document, node, name, "'%s' is no GUID: write {xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx}",
			   text);
		return false;
	}
	if (has_guid)
		*has_guid = !same_guid(guid, &zero);
	return true;
}

bool read_boolean(struct reader *r, const struct node *node, const char *name,
		  bool *value)
{
	const char *text = node_attribute(node, name);

	if (!text)
		return true;
	if (!strcmp(text, "true") || !strcmp(text, "1")) {
		*value = true;
	} else if (!strcmp(text, "false") || !strcmp(text, "0")) {
		*value = false;
	} else {
		problem_at(&r->document, node, name, "'%s' is neither true nor false",
			   text);
		return false;
	}
	return true;
}

const char *read_text(struct reader *r, const struct node *node,
		      const char *name)
{
	const char *text = node_attribute(node, name);

	if (text && *text)
		return text;
	problem_at(&r->document, node, text ? name : NULL,
		   text ? "<%s>: '%s' is empty" :
			  "<%s> lacks its attribute '%s'", node->name, name);
	return NULL;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_symbol(const char *text)
{
	if (!is_letter(*text))
		return false;
	while (is_letter(*text) || (*text >= '0' && *text <= '9'))
		text++;
	return !*text;
}

const char *read_symbol(struct reader *r, const struct node *node)
{
	const char *given = node_attribute(node, "symbol");
	char *text;

	if (!given || !*given)
		return NULL;
	text = arena_text(&r->manifest->arena, given, strlen(given));
	/* .NET writes names of classes, which contain dots */
	for (char *p = text; p && *p; p++)
		*p = *p == '.' ? '_' : *p;
	if (!text || is_symbol(text))
		return text;
	if (r->document.lenient)
		return NULL;
	problem_at(&r->document, node, "symbol", "'%s' is no identifier of C",
		   text);
	return NULL;
}

/* Replace the manifest's prefix of the namespace of Windows by win: */
const char *read_name(struct reader *r, const char *text)
{
	const char *colon = strchr(text, ':');
	size_t len = colon ? (size_t)(colon - text) : 0;
	struct index_key key = { KEY_PREFIX, NULL, 0, text, len };

	if (!colon || (len == 3 && !strncmp(text, "win", 3)))
		return text;
	return reader_find(r, key) ?
	       arena_format(&r->manifest->arena, "win:%s", colon + 1) : text;
}

static struct message *new_message(struct reader *r, const char *id,
				   unsigned int line)
{
	struct message *message = ALLOC(r, struct message);
	const char **texts = arena_alloc(&r->manifest->arena,
					 MAX_CULTURES * sizeof(*texts));

	if (!message || !texts)
		return NULL;
	message->id = id;
	message->line = line;
	message->number = NO_MESSAGE;
	message->texts = texts;
	APPEND(r->last_message, message);
	reader_add(r, index_name(KEY_MESSAGE, NULL, id), message);
	return message;
}

static struct message *message_by_id(struct reader *r, const char *id,
				     size_t len)
{
	return reader_find(r, (struct index_key) {
		.kind = KEY_MESSAGE, .name = id, .len = len });
}

struct message *read_message(struct reader *r, const struct node *node)
{
	static const char begin[] = "$(string.", mc[] = "$(mc.";
	const char *text = node_attribute(node, "message");
	struct index_key reported = { .kind = KEY_REPORTED_STRING };
	size_t front = sizeof(begin) - 1, len;
	struct message *message;

	if (!text || !*text)
		return NULL;
	if (!strncmp(text, mc, sizeof(mc) - 1))
		front = sizeof(mc) - 1;
	len = strlen(text);
	if ((front == sizeof(begin) - 1 && strncmp(text, begin, front) != 0) ||
	    len <= front || text[len - 1] != ')') {
		problem_at(&r->document, node, "message", "'%s' is no reference to a string: write $(string.NAME)",
			   text);
		return NULL;
	}
	message = message_by_id(r, text + front, len - front - 1);
	reported.name = text + front;
	reported.len = len - front - 1;
	if (!message && reader_reports(r, reported))
		problem_at(&r->document, node, "message", "there is no string '%.*s' in a <stringTable>",
			   (int)(len - front - 1), text + front);
	return message;
}

static void read_strings(struct reader *r, const struct node *table,
			 unsigned int culture)
{
	struct node *node;

	for_each_child(node, table, "string") {
		const char *id = read_text(r, node, "id");
		const char *value = node_attribute(node, "value");
		struct message *message;

		if (!id)
			continue;
		if (!value) {
			problem_at(&r->document, node, NULL, "string '%s' lacks its attribute 'value'",
				   id);
			continue;
		}
		message = message_by_id(r, id, strlen(id));
		if (message && message->texts[culture]) {
			if (reader_reports(r, index_name(KEY_REPORTED_TWIN,
							 NULL, id)))
				problem_at(&r->document, node, "id", "there are two strings '%s'",
					   id);
			continue;
		}
		if (!message)
			message = new_message(r, id, node->begin.line);
		if (message)
			message->texts[culture] = value;
	}
}

/* Read messages with explicit numbers, identified by their symbols */
static void read_message_table(struct reader *r, const struct node *table)
{
	struct node *node;

	for_each_child(node, table, "message") {
		const char *symbol = read_text(r, node, "symbol");
		const char *text = node_attribute(node, "message");
		struct message *message;
		u64 number = NO_MESSAGE;

		if (!symbol || !read_number(r, node, "value", true, UINT32_MAX,
					    &number))
			continue;
		message = text ? read_message(r, node) : NULL;
		if (!message)
			continue;
		message->number = number;
	}
}

static bool add_culture(struct reader *r, const struct node *node)
{
	struct manifest *m = r->manifest;
	const char *culture = read_text(r, node, "culture");

	if (!culture)
		return false;
	if (m->culture_count == MAX_CULTURES) {
		problem_at(&r->document, node, NULL, "more than %d languages",
			   MAX_CULTURES);
		return false;
	}
	m->cultures[m->culture_count++] = culture;
	return true;
}

static void read_localization(struct reader *r, const struct node *root)
{
	struct node *localization, *resources, *table;

	for_each_child(localization, root, "localization") {
		for_each_child(resources, localization, "resources") {
			if (!add_culture(r, resources))
				continue;
			for_each_child(table, resources, "stringTable")
				read_strings(r, table,
					     r->manifest->culture_count - 1);
			for_each_child(table, resources, "messageTable")
				read_message_table(r, table);
		}
	}
	/* Language of the built-in texts */
	if (!r->manifest->culture_count)
		r->manifest->cultures[r->manifest->culture_count++] = "en-US";
}

static void begin_lists(struct reader *r, struct provider *p)
{
	for (enum item_kind kind = 0; kind < ITEM_KINDS; kind++)
		r->last_item[kind] = &p->items[kind];
	r->last_map = &p->maps;
	r->last_query = &p->queries;
	r->last_template = &p->templates;
	r->last_event = &p->events;
	r->last_filter = &p->filters;
}

/*
 * Read a provider; objects are read before those that may refer to them.
 * Returns false if its name or GUID is missing.
 */
static bool read_provider(struct reader *r, const struct node *node,
			  struct provider *p)
{
	struct node *traits = node_child(node, "traits");
	bool good;

	begin_lists(r, p);
	p->name = read_text(r, node, "name");
	if (p->name && strlen(p->name) > 255)
		problem_at(&r->document, node, "name", "the name is longer than 255 characters");
	else if (p->name && strpbrk(p->name, "><&\"|\\:`?*"))
		problem_at(&r->document, node, "name", "a provider's name has none of > < & \" | \\ : ` ? *");
	good = read_guid(r, node, "guid", true, &p->guid, NULL) && p->name;
	if (!good && r->document.lenient)
		return false;
	read_guid(r, node, "controlGuid", false, &p->control_guid,
		  &p->has_control_guid);
	p->symbol = read_symbol(r, node);
	if (!p->symbol && !node_attribute(node, "symbol") &&
	    !r->document.lenient)
		problem_at(&r->document, node, NULL, "<provider> lacks its attribute 'symbol'");
	p->message = read_message(r, node);
	p->resource_file = node_attribute(node, "resourceFileName");
	p->message_file = node_attribute(node, "messageFileName");
	p->parameter_file = node_attribute(node, "parameterFileName");
	if (traits) {
		read_guid(r, traits, "groupGuid", false, &p->group_guid,
			  &p->has_group_guid);
		read_boolean(r, traits, "includeName", &p->name_in_traits);
	}
	read_items(r, node, p);
	read_maps(r, node, p);
	read_queries(r, node, p);
	read_templates(r, node, p);
	read_filters(r, node, p);
	read_events(r, node, p);
	return good;
}

static void read_providers(struct reader *r, const struct node *events)
{
	struct manifest *m = r->manifest;
	struct node *node;

	for_each_child(node, events, "provider") {
		struct provider *p = ALLOC(r, struct provider);

		if (!p)
			return;
		if (!read_provider(r, node, p) && r->document.lenient)
			continue;
		if (manifest_provider(m, &p->guid)) {
			problem_at(&r->document, node, "guid", "two providers have this GUID");
			if (r->document.lenient)
				continue;
		}
		manifest_add_provider(m, p);
	}
}

static void read_manifest(struct reader *r)
{
	const struct node *root = r->document.root;
	struct node *instrumentation, *events;
	bool counters = false;

	if (root->foreign || (strcmp(root->name, "instrumentationManifest") != 0 &&
			      strcmp(root->name, "assembly") != 0)) {
		problem_at(&r->document, root, NULL, "<%s> is no <instrumentationManifest> of the namespace of events",
			   root->name);
		return;
	}
	if (!node_child(root, "instrumentation"))
		problem_at(&r->document, root, NULL, "the manifest has no <instrumentation>: it declares no events");
	read_localization(r, root);
	for_each_child(instrumentation, root, "instrumentation") {
		for_each_child(events, instrumentation, "events")
			read_providers(r, events);
		/* Counters in any namespace */
		for (struct node *n = instrumentation->children; n; n = n->next)
			counters = counters || !strcmp(n->name, "counters");
	}
	if (!r->manifest->providers && counters)
		problem_at(&r->document, root, NULL, "the manifest has performance counters alone, and no provider of events");
}

static struct manifest *parse(const char *file, const void *data, size_t len,
			      bool lenient, problem_fn report, void *context)
{
	struct manifest *m = calloc(1, sizeof(*m));
	struct reader r = {
		.manifest = m,
		.document = { .lenient = lenient,
			      .file = file,
			      .report = report,
			      .context = context },
	};
	bool good;

	if (!m)
		return NULL;
	r.document.arena = &m->arena;
	r.document.index = &r.index;
	r.document.index_arena = &r.scratch;
	r.last_message = &m->messages;
	if (document_parse(&r.document, data, len))
		read_manifest(&r);
	good = r.document.root && !r.document.refused && !m->arena.failed &&
	       !r.scratch.failed;
	/* Without a provider, a lenient reader has found nothing of use */
	if (r.document.problems)
		good = good && lenient && m->providers;
	index_free(&r.index);
	arena_free(&r.scratch);
	document_free(&r.document);
	if (good)
		return m;
	if (!r.document.problems)
		problem_of(&r.document, "there is not enough memory");
	manifest_free(m);
	return NULL;
}

struct manifest *manifest_parse(const char *file, const void *data, size_t len,
				problem_fn report, void *context)
{
	return parse(file, data, len, false, report, context);
}

struct manifest *manifest_parse_lenient(const char *file, const void *data,
					size_t len, problem_fn report,
					void *context)
{
	return parse(file, data, len, true, report, context);
}

void manifest_free(struct manifest *m)
{
	if (!m)
		return;
	index_free(&m->index);
	arena_free(&m->arena);
	free(m);
}
