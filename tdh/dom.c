// SPDX-License-Identifier: MIT
/*
 * An XML document as a tree that knows its places.
 *
 * The parser of libxml2 says where it is when it has read a tag.  As the file is
 * in memory, in UTF-8, the tag's beginning is found from there, and its
 * attributes when a message wants one.  A manifest has no document type, so that
 * nothing is expanded or fetched.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "dom.h"
#include "xml.h"

#define MAX_DEPTH	64

/* Beyond that an element's own text is cut off */
#define MAX_NODE_TEXT	4096

/* What the parser's callbacks share */
struct builder {
	struct document *document;
	const struct xml_functions *xml;
	xmlParserCtxtPtr parser;
	struct node *stack[MAX_DEPTH];
	struct node **last[MAX_DEPTH];
	unsigned int depth;
	bool stopped;
};

static void place_of(const struct document *d, size_t at, unsigned int *line,
		     unsigned int *column)
{
	*line = 1;
	*column = 1;
	for (size_t i = 0; i < at && i < d->len; i++) {
		if (d->text[i] == '\n') {
			(*line)++;
			*column = 1;
		} else if ((d->text[i] & 0xc0) != 0x80) {
			(*column)++;
		}
	}
}

static void tell(struct document *d, unsigned int line, unsigned int column,
		 const char *text)
{
	struct problem problem = { d->file, line, column, text };

	if (d->problems++ < MAX_PROBLEMS && d->tell)
		d->tell(&problem, d->context);
}

static const char *skip_space(const char *p, const char *end)
{
	while (p < end && strchr(" \t\r\n", *p))
		p++;
	return p;
}

/* Where an attribute begins, in a tag that is well-formed */
static size_t attribute_place(const struct document *d,
			      const struct node *node, const char *name)
{
	const char *p = d->text + node->begin, *end = d->text + node->end;
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
	return node->begin;
}

void problem_at(struct document *d, const struct node *node,
		const char *attribute, const char *format, ...)
{
	size_t at = attribute ? attribute_place(d, node, attribute) :
				node->begin;
	unsigned int line, column;
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	place_of(d, at, &line, &column);
	tell(d, line, column, text);
}

void problem_of(struct document *d, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	tell(d, 0, 0, text);
}

static void stop(struct builder *b)
{
	b->stopped = true;
	b->xml->xmlStopParser(b->parser);
}

#define EVENTS_URI	"http://schemas.microsoft.com/win/2004/08/events"
#define ASSEMBLY_URI	"urn:schemas-microsoft-com:asm."

/* Manifests of Windows' components wrap theirs in an assembly */
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
	for (int i = 0; i < count; i++) {
		struct prefix *prefix = arena_alloc(b->document->arena,
						    sizeof(*prefix));

		if (!prefix)
			return;
		prefix->name = copy(b, ns[2 * i]);
		prefix->uri = copy(b, ns[2 * i + 1]);
		prefix->next = b->document->prefixes;
		b->document->prefixes = prefix;
	}
}

/* Five pointers each: name, prefix, URI, the value's begin and end */
static void add_attributes(struct builder *b, struct node *node, int count,
			   const xmlChar **from)
{
	struct attribute **last = &node->attributes;
	struct arena *arena = b->document->arena;

	for (int i = 0; i < count; i++, from += 5) {
		struct attribute *attribute;

		/* Of another namespace: it is none of ours */
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

/* An element of a template's own shows its namespaces, as any attribute */
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

static void find_tag(struct builder *b, struct node *node)
{
	const struct document *d = b->document;
	long at = b->xml->xmlByteConsumed(b->parser);

	if (at < 0 || (size_t)at > d->len)
		at = 0;
	node->end = at;
	while (at > 0 && d->text[at] != '<')
		at--;
	node->begin = at;
}

static void on_start(void *context, const xmlChar *name, const xmlChar *prefix,
		     const xmlChar *uri, int ns_count, const xmlChar **ns,
		     int attribute_count, int defaulted,
		     const xmlChar **attributes)
{
	struct builder *b = context;
	struct node *node = arena_alloc(b->document->arena, sizeof(*node));

	(void)defaulted;
	if (!node || b->depth == MAX_DEPTH) {
		if (node)
			problem_of(b->document, "elements are nested too deep");
		stop(b);
		return;
	}
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
}

static void on_end(void *context, const xmlChar *name, const xmlChar *prefix,
		   const xmlChar *uri)
{
	struct builder *b = context;

	(void)name;
	(void)prefix;
	(void)uri;
	if (b->depth)
		b->depth--;
}

static void on_text(void *context, const xmlChar *text, int len)
{
	struct builder *b = context;
	struct node *node = b->depth ? b->stack[b->depth - 1] : NULL;

	/* Only templates of one's own have any; it comes in pieces */
	if (node && (!node->text || strlen(node->text) < MAX_NODE_TEXT) &&
	    skip_space((const char *)text, (const char *)text + len) <
		    (const char *)text + len)
		node->text = arena_format(b->document->arena, "%s%.*s",
					  node->text ? node->text : "", len,
					  (const char *)text);
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

	if (b->stopped || error->level < XML_ERR_ERROR)
		return;
	snprintf(text, sizeof(text), "%s", error->message ? error->message :
		 "this is no XML");
	len = strlen(text);
	while (len && strchr("\r\n ", text[len - 1]))
		text[--len] = '\0';
	tell(b->document, error->line, error->int2, text);
}

static bool set_text(struct document *d, const u8 *data, size_t len)
{
	struct bytes b = { 0 };

	if (!bytes_add_file(&b, data, len)) {
		problem_of(d, "the file is in UTF-16 of the wrong byte order: write UTF-8");
		return false;
	}
	d->len = b.len;
	bytes_add_u8(&b, 0);
	d->text = (char *)b.data;
	return !b.failed;
}

/* What is more than a manifest ever has */
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
	b->xml = xml;
	b->parser = xml->xmlCreateMemoryParserCtxt(d->text, d->len);
	if (!b->parser)
		return;
	xml->xmlCtxtUseOptions(b->parser, XML_PARSE_NONET |
			       XML_PARSE_IGNORE_ENC | XML_PARSE_COMPACT |
			       XML_PARSE_BIG_LINES);
	memset(b->parser->sax, 0, sizeof(*b->parser->sax));
	b->parser->sax->initialized = XML_SAX2_MAGIC;
	b->parser->sax->startElementNs = on_start;
	b->parser->sax->endElementNs = on_end;
	b->parser->sax->characters = on_text;
	b->parser->sax->internalSubset = on_doctype;
	b->parser->sax->serror = on_error;
	b->parser->userData = b;
	xml->xmlParseDocument(b->parser);
	if (!b->parser->wellFormed && !d->problems && !b->stopped)
		problem_of(d, "this is no XML");
	xml->xmlFreeParserCtxt(b->parser);
}

bool document_parse(struct document *d, const void *data, size_t len)
{
	struct builder b = { .document = d };

	if (!len || len > MAX_TEXT) {
		problem_of(d, len ? "the file is too large for a manifest" :
				    "the file is empty");
		return false;
	}
	if (!set_text(d, data, len))
		return false;
	if (!d->len) {
		problem_of(d, "the file is empty");
		return false;
	}
	parse(d, &b);
	return d->root && !d->problems && !b.stopped && !d->arena->failed;
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
