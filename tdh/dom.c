// SPDX-License-Identifier: MIT
/*
 * XML document as a tree with positions.
 *
 * The libxml2 parser reports its position after reading a tag.  Because the
 * file is in memory in UTF-8, the start of the tag is found from there, and the
 * positions of attributes are searched when a problem needs one.  A manifest
 * has no document type, so nothing is expanded or fetched.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "tdh/manifest_reader.h"
#include "tdh/xml.h"

#define MAX_DEPTH	64

/*
 * Limits that no real manifest reaches.  libxml2 compares each attribute
 * with all other attributes of its element, and each prefix with all prefixes
 * in scope, which takes quadratic time.
 */
#define MAX_ATTRIBUTES	256
#define MAX_NAMESPACES	256

/* Maximum number of distinct names; no real manifest reaches it */
#define MAX_WORDS	8192

/* Maximum length in bytes of an element's own text; the rest is dropped */
#define MAX_NODE_TEXT	4096

/*
 * State shared by parser callbacks; if @failed, the next callback stops the
 * parser
 */
struct builder {
	struct document *document;
	const struct xml_functions *xml;
	xmlParserCtxtPtr parser;
	struct node *stack[MAX_DEPTH];
	struct node **last[MAX_DEPTH];
	unsigned int namespaces[MAX_DEPTH];
	unsigned int depth;
	unsigned int known_namespaces;
	struct place place;
	bool stopped;
	bool failed;
	int error;		/* of libxml2, if @failed */
	unsigned int error_line;
};

/* Advance to offset @at; all elements take one pass through the file */
static void advance(const struct document *d, struct place *place, size_t at)
{
	for (; place->at < at && place->at < d->len; place->at++) {
		if (d->text[place->at] == '\n') {
			place->line++;
			place->column = 1;
		} else if ((d->text[place->at] & 0xc0) != 0x80) {
			place->column++;
		}
	}
}

static void report(struct document *d, unsigned int line, unsigned int column,
		   const char *text)
{
	struct problem problem = { d->file, line, column, text };

	if ((d->problems++ < MAX_PROBLEMS || d->lenient) && d->report)
		d->report(&problem, d->context);
}

static const char *skip_space(const char *p, const char *end)
{
	while (p < end && strchr(" \t\r\n", *p))
		p++;
	return p;
}

/* Find the offset of an attribute in a well-formed tag */
static size_t attribute_place(const struct document *d,
			      const struct node *node, const char *name)
{
	const char *p = d->text + node->begin.at, *end = d->text + node->end;
	size_t len = strlen(name);

	while (p < end && !strchr(" \t\r\n", *p))
		p++;
	while ((p = skip_space(p, end)) < end) {
		const char *equals = memchr(p, '=', end - p), *quote;

		if (!equals)
			break;
		if (!strncmp(p, name, len) && strchr(" \t\r\n=", p[len]))
			return p - d->text;
		quote = skip_space(equals + 1, end);
		p = quote < end ? memchr(quote + 1, *quote, end - quote - 1) :
				  NULL;
		if (!p)
			break;
		p++;
	}
	return node->begin.at;
}

void problem_at(struct document *d, const struct node *node,
		const char *attribute, const char *format, ...)
{
	struct place place = node->begin;
	char text[512];
	va_list args;

	if (d->problems >= MAX_PROBLEMS) {
		/* Finding the place takes time that grows with the tag */
		attribute = NULL;
		if (!d->lenient) {
			d->problems++;
			return;
		}
	}
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (attribute)
		advance(d, &place, attribute_place(d, node, attribute));
	report(d, place.line, place.column, text);
}

void problem_of(struct document *d, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	d->refused = true;
	report(d, 0, 0, text);
}

static void stop(struct builder *b)
{
	b->stopped = true;
	b->xml->xmlStopParser(b->parser);
}

#define EVENTS_URI	"http://schemas.microsoft.com/win/2004/08/events"
#define ASSEMBLY_URI	"urn:schemas-microsoft-com:asm."

/* Manifests of Windows components are contained in an assembly */
static bool is_foreign(const char *uri)
{
	return uri && strcmp(uri, EVENTS_URI) != 0 &&
	       strncmp(uri, ASSEMBLY_URI, sizeof(ASSEMBLY_URI) - 1) != 0;
}

static const char *copy(struct builder *b, const xmlChar *text)
{
	return text ? arena_text(b->document->arena, (const char *)text,
				 strlen((const char *)text)) : NULL;
}

static void add_prefixes(struct builder *b, int count, const xmlChar **ns)
{
	struct document *d = b->document;

	for (int i = 0; i < count; i++) {
		const char *name = copy(b, ns[2 * i]);

		if (name && !strcmp((const char *)ns[2 * i + 1], WIN_URI))
			index_add(d->index, d->index_arena,
				  index_name(KEY_PREFIX, NULL, name),
				  (char *)name);
	}
}

/*
 * Each attribute is five pointers: name, prefix, URI, begin and end of the
 * value
 */
static void add_attributes(struct builder *b, struct node *node, int count,
			   const xmlChar **from)
{
	struct attribute **last = &node->attributes;
	struct arena *arena = b->document->arena;

	for (int i = 0; i < count; i++, from += 5) {
		struct attribute *attribute;

		/* Ignore attributes of other namespaces */
		if (from[2])
			continue;
		attribute = arena_alloc(arena, sizeof(*attribute));
		if (!attribute)
			return;
		attribute->name = copy(b, from[0]);
		attribute->value = arena_text(arena, (const char *)from[3],
					      from[4] - from[3]);
		*last = attribute;
		last = &attribute->next;
	}
}

/* Keep namespace declarations of a template's own element as attributes */
static void add_namespaces(struct builder *b, struct node *node, int count,
			   const xmlChar **ns)
{
	struct arena *arena = b->document->arena;
	struct attribute **last = &node->attributes;

	for (int i = 0; i < count; i++) {
		struct attribute *attribute = arena_alloc(arena,
							  sizeof(*attribute));

		if (!attribute)
			return;
		attribute->name = ns[2 * i] ?
			arena_format(arena, "xmlns:%s",
				     (const char *)ns[2 * i]) : "xmlns";
		attribute->value = copy(b, ns[2 * i + 1]);
		attribute->next = *last;
		*last = attribute;
		last = &attribute->next;
	}
}

/* Find the start of a tag, which is after the start of the previous one */
static void find_tag(struct builder *b, struct node *node)
{
	const struct document *d = b->document;
	long consumed = b->xml->xmlByteConsumed(b->parser);
	size_t at = consumed;

	if (consumed < 0 || at > d->len || at < b->place.at)
		at = b->place.at;
	node->end = at;
	while (at > b->place.at && d->text[at] != '<')
		at--;
	advance(d, &b->place, at);
	node->begin = b->place;
}

static void on_start(void *context, const xmlChar *name, const xmlChar *prefix,
		     const xmlChar *uri, int ns_count, const xmlChar **ns,
		     int attribute_count, int defaulted,
		     const xmlChar **attributes)
{
	struct builder *b = context;
	struct node *node = arena_alloc(b->document->arena, sizeof(*node));

	(void)defaulted;
	if (b->failed)
		goto stop_parser;
	if (!node || b->depth == MAX_DEPTH) {
		if (node)
			problem_of(b->document, "elements are nested too deep");
		goto stop_parser;
	}
	if ((unsigned int)ns_count > MAX_NAMESPACES - b->known_namespaces) {
		problem_of(b->document, "more than %d namespaces are known at one place",
			   MAX_NAMESPACES);
		goto stop_parser;
	}
	b->namespaces[b->depth] = ns_count;
	b->known_namespaces += ns_count;
	node->name = copy(b, name);
	node->prefix = copy(b, prefix);
	node->foreign = is_foreign((const char *)uri);
	find_tag(b, node);
	add_prefixes(b, ns_count, ns);
	add_attributes(b, node, attribute_count, attributes);
	if (node->foreign)
		add_namespaces(b, node, ns_count, ns);
	if (b->depth) {
		*b->last[b->depth - 1] = node;
		b->last[b->depth - 1] = &node->next;
	} else {
		b->document->root = node;
	}
	b->stack[b->depth] = node;
	b->last[b->depth++] = &node->children;
	return;
stop_parser:
	stop(b);
}

static void on_end(void *context, const xmlChar *name, const xmlChar *prefix,
		   const xmlChar *uri)
{
	struct builder *b = context;

	(void)name;
	(void)prefix;
	(void)uri;
	if (b->depth)
		b->known_namespaces -= b->namespaces[--b->depth];
}

static void on_text(void *context, const xmlChar *text, int len)
{
	struct builder *b = context;
	struct node *node = b->depth ? b->stack[b->depth - 1] : NULL;
	const char *piece = (const char *)text;
	size_t room;
	char *more;

	if (b->failed) {
		stop(b);
		return;
	}
	/*
	 * Only elements of templates contain text, which may come in several
	 * pieces
	 */
	if (!node || node->text_len >= MAX_NODE_TEXT ||
	    skip_space(piece, piece + len) >= piece + len)
		return;
	/* The room doubles, as pieces may be short */
	room = node->text_room ? node->text_room : 32;
	while (room < node->text_len + len)
		room *= 2;
	more = node->text;
	if (room > node->text_room)
		more = arena_alloc(b->document->arena, room + 1);
	if (!more)
		return;
	if (more != node->text && node->text_len)
		memcpy(more, node->text, node->text_len);
	memcpy(more + node->text_len, text, len);
	node->text = more;
	node->text_len += len;
	node->text_room = room;
	node->text[node->text_len] = '\0';
}

static void on_doctype(void *context, const xmlChar *name,
		       const xmlChar *external, const xmlChar *system)
{
	struct builder *b = context;

	(void)name;
	(void)external;
	(void)system;
	problem_of(b->document, "a manifest has no document type: leave out <!DOCTYPE>");
	stop(b);
}

static void on_error(void *context, xmlErrorPtr error)
{
	struct builder *b = context;
	char text[256];
	size_t len;

	if (b->stopped || error->level < XML_ERR_ERROR ||
	    (b->failed && b->document->lenient))
		return;
	b->error = error->code;
	b->error_line = error->line;
	snprintf(text, sizeof(text), "%s", error->message ? error->message :
		 "this is no XML");
	len = strlen(text);
	while (len && strchr("\r\n ", text[len - 1]))
		text[--len] = '\0';
	report(b->document, error->line, error->int2, text);
	b->failed = true;
}

/* Count a name, or several names, of the file once each */
static void add_word(struct document *d, const char *from, const char *to)
{
	static const char around[] = " \t\r\n/=";
	struct index_key key = { .kind = KEY_WORD };

	while (from < to && strchr(around, *from))
		from++;
	while (from < to && strchr(around, to[-1]))
		to--;
	key.name = from;
	key.len = to - from;
	if (!key.len || index_find(d->index, key))
		return;
	index_add(d->index, d->index_arena, key, d);
	d->words++;
}

static void add_entities(struct document *d, const char *from, const char *to)
{
	while ((from = memchr(from, '&', to - from))) {
		size_t len = strcspn(from, ";<");

		if (len > (size_t)(to - from))
			len = to - from;
		add_word(d, from, from + len);
		from += len;
	}
}

/* Return the end of the first @end at or after @p, or NULL */
static const char *skip_to(const struct document *d, const char *p,
			   const char *end)
{
	const char *found = memmem(p, d->text + d->len - p, end, strlen(end));

	return found ? found + strlen(end) : NULL;
}

/* Skip the tag at @p, counting quotes as attributes; NULL if malformed */
static const char *skip_tag(struct document *d, const char *p)
{
	static const char ends[] = "\"'<>";
	const char *name = p, *value;
	unsigned int attributes = 0;
	bool is_namespace;

	for (p += strcspn(p, ends); *p == '"' || *p == '\'';
	     p += strcspn(p, ends)) {
		const char quote[] = { *p, '\0' };

		add_word(d, name, p);
		is_namespace = memmem(name, p - name, "xmlns", 5);
		value = p + 1;
		p = skip_to(d, value, quote);
		if (!p || ++attributes > MAX_ATTRIBUTES) {
			d->is_bad |= !!p;
			return NULL;
		}
		add_entities(d, value, p);
		if (is_namespace)
			add_word(d, value, p);
		name = p;
	}
	add_word(d, name, p);
	return p;
}

/*
 * Check that libxml2 reads the file in time bounded by its length.  Its table
 * of names is only fast for some thousands of names.
 */
static bool check_names(struct document *d)
{
	const char *p = d->text, *next;

	while (p && (next = strchr(p, '<')) && d->words <= MAX_WORDS) {
		add_entities(d, p, next);
		p = next;
		if (!strncmp(p, "<!--", 4)) {
			p = skip_to(d, p + 4, "-->");
		} else if (!strncmp(p, "<![CDATA[", 9)) {
			p = skip_to(d, p + 9, "]]>");
		} else if (p[1] == '?') {
			add_word(d, p, p + strcspn(p, " \t\r\n>"));
			p = skip_to(d, p + 2, "?>");
		} else {
			p = skip_tag(d, p + 1);
		}
	}
	if (p)
		add_entities(d, p, d->text + d->len);
	if (d->is_bad)
		problem_of(d, "an element has more than %d attributes",
			   MAX_ATTRIBUTES);
	else if (d->words > MAX_WORDS)
		problem_of(d, "there are more than %d names of elements, attributes, namespaces and entities",
			   MAX_WORDS);
	return !d->refused;
}

/* Maximum length of a file in bytes; no real manifest reaches it */
#define MAX_TEXT	(16u << 20)

static void parse(struct document *d, struct builder *b)
{
	const struct xml_functions *xml;
	const char *problem;

	xml = xml_load(&problem);
	if (!xml) {
		problem_of(d, "%s", problem);
		return;
	}
	/*
	 * After an error the parser continues until a callback stops it, which
	 * is safe there.  Otherwise it would read the rest of the file without
	 * callbacks.
	 */
	b->xml = xml;
	b->parser = xml->xmlCreateMemoryParserCtxt(d->text, d->len);
	if (!b->parser)
		return;
	/*
	 * Without XML_PARSE_NOENT, "&" in attributes would be "&#38;".  There
	 * are only XML's own entities, because document types are refused.
	 */
	xml->xmlCtxtUseOptions(b->parser, XML_PARSE_NONET | XML_PARSE_NOENT |
			       XML_PARSE_IGNORE_ENC | XML_PARSE_COMPACT |
			       XML_PARSE_BIG_LINES | XML_PARSE_RECOVER);
	memset(b->parser->sax, 0, sizeof(*b->parser->sax));
	b->parser->sax->initialized = XML_SAX2_MAGIC;
	b->parser->sax->startElementNs = on_start;
	b->parser->sax->endElementNs = on_end;
	b->parser->sax->characters = on_text;
	b->parser->sax->internalSubset = on_doctype;
	b->parser->sax->serror = on_error;
	b->parser->userData = b;
	xml->xmlParseDocument(b->parser);
	if (!b->parser->wellFormed && !b->failed && !b->stopped)
		problem_of(d, "this is no XML");
	xml->xmlFreeParserCtxt(b->parser);
}

/* Maximum number of elements removed because they are malformed */
#define MAX_REMOVED	16

/* Check for errors within a tag, which do not affect other elements */
static bool is_in_tag(int error)
{
	switch (error) {
	case XML_ERR_ATTRIBUTE_NOT_STARTED:
	case XML_ERR_ATTRIBUTE_NOT_FINISHED:
	case XML_ERR_ATTRIBUTE_WITHOUT_VALUE:
	case XML_ERR_ATTRIBUTE_REDEFINED:
	case XML_ERR_LT_IN_ATTRIBUTE:
	case XML_ERR_SPACE_REQUIRED:
	case XML_ERR_NAME_REQUIRED:
	case XML_ERR_ENTITYREF_SEMICOL_MISSING:
	case XML_ERR_UNDECLARED_ENTITY:
	case XML_ERR_INVALID_CHAR:
	case XML_ERR_INVALID_CHARREF:
		return true;
	}
	return false;
}

/*
 * Overwrite the malformed element with spaces, if it is an empty one on a line
 * of its own.  Published manifests have such elements, because their authors'
 * programs did not escape quotation marks.
 */
static bool remove_element(struct document *d, const struct builder *b)
{
	char *begin = d->text, *end;

	for (unsigned int line = 1; begin && line < b->error_line; line++) {
		begin = strchr(begin, '\n');
		begin += !!begin;
	}
	if (!is_in_tag(b->error) || !begin)
		return false;
	begin += strspn(begin, " \t");
	end = begin + strcspn(begin, "\r\n");
	while (end > begin && strchr(" \t", end[-1]))
		end--;
	if (end - begin < 4 || *begin != '<' || strchr("!?/", begin[1]) ||
	    strncmp(end - 2, "/>", 2) != 0)
		return false;
	memset(begin, ' ', end - begin);
	return true;
}

/* Read the document; a lenient reader retries without malformed elements */
static bool parse_elements(struct document *d)
{
	for (unsigned int removed = 0;; removed++) {
		struct builder b = { .document = d, .place = { 0, 1, 1 } };

		d->root = NULL;
		if (!check_names(d))
			return false;
		parse(d, &b);
		if (!b.failed)
			return d->root && !b.stopped && !d->refused;
		if (!d->lenient || removed == MAX_REMOVED ||
		    !remove_element(d, &b)) {
			d->refused = true;
			return false;
		}
	}
}

bool document_parse(struct document *d, const void *data, size_t len)
{
	struct bytes b = { 0 };

	if (!len || len > MAX_TEXT) {
		problem_of(d, len ? "the file is too large for a manifest" :
				    "the file is empty");
		return false;
	}
	if (!bytes_add_file(&b, data, len)) {
		problem_of(d, "the file is in UTF-16 of the wrong byte order: write UTF-8");
		return false;
	}
	d->len = b.len;
	bytes_add_u8(&b, 0);
	d->text = (char *)b.data;
	if (b.failed)
		return false;
	if (!d->len) {
		problem_of(d, "the file is empty");
		return false;
	}
	if (strlen(d->text) < d->len) {
		problem_of(d, "there is a character U+0000 in the file");
		return false;
	}
	return parse_elements(d) && !d->arena->failed;
}

void document_free(struct document *d)
{
	free(d->text);
	d->text = NULL;
}

const char *node_attribute(const struct node *node, const char *name)
{
	for (struct attribute *a = node->attributes; a; a = a->next) {
		if (!strcmp(a->name, name))
			return a->value;
	}
	return NULL;
}

static struct node *from(struct node *node, const char *name)
{
	while (node && (node->foreign || (name && strcmp(node->name, name) != 0)))
		node = node->next;
	return node;
}

struct node *node_child(const struct node *node, const char *name)
{
	return node ? from(node->children, name) : NULL;
}

struct node *node_next(const struct node *node, const char *name)
{
	return from(node->next, name);
}
