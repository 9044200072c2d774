// SPDX-License-Identifier: MIT
/* Writes nested XML elements, indented by tabs */
#include <stdlib.h>

#include "tools/print/xml_writer.h"

#define REPLACED	"\xef\xbf\xbd"

/*
 * Return the length of the first character if XML does not allow it, otherwise
 * 0
 */
static size_t forbidden(const char *text)
{
	unsigned char c = *text;

	if (c < 0x20)
		return c != '\t' && c != '\n' && c != '\r';
	/* U+FFFE and U+FFFF */
	if (c == 0xef && (!strncmp(text, "\xef\xbf\xbe", 3) ||
			  !strncmp(text, "\xef\xbf\xbf", 3)))
		return 3;
	return 0;
}

/*
 * White space in attributes is escaped, as parsers would convert it to blanks;
 * \r is always escaped, as parsers would convert it to \n
 */
static const char *entity(char c, bool in_attribute)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\r':
		return "&#13;";
	case '\t':
		return in_attribute ? "&#9;" : NULL;
	case '\n':
		return in_attribute ? "&#10;" : NULL;
	default:
		return NULL;
	}
}

static void put_escaped(struct out *out, const char *text, bool in_attribute)
{
	while (*text) {
		size_t len = forbidden(text);
		const char *instead = len ? REPLACED :
					    entity(*text, in_attribute);

		if (instead)
			out_text(out, instead);
		else
			out_char(out, *text);
		text += len ? len : 1;
	}
}

static void indent(struct xml_writer *w)
{
	for (unsigned int i = 0; i < w->depth; i++)
		out_char(w->out, '\t');
}

void xml_begin(struct xml_writer *w, const char *name)
{
	if (w->depth == XML_DEPTH)
		abort();
	if (w->in_tag)
		out_text(w->out, ">\n");
	indent(w);
	out_char(w->out, '<');
	out_text(w->out, name);
	w->names[w->depth++] = name;
	w->in_tag = true;
	w->has_text = false;
}

void xml_end(struct xml_writer *w)
{
	const char *name = w->names[--w->depth];

	if (w->in_tag) {
		out_text(w->out, "/>\n");
	} else {
		if (!w->has_text)
			indent(w);
		out_text(w->out, "</");
		out_text(w->out, name);
		out_text(w->out, ">\n");
	}
	w->in_tag = false;
	w->has_text = false;
}

void xml_attribute(struct xml_writer *w, const char *name, const char *text)
{
	out_char(w->out, ' ');
	out_text(w->out, name);
	out_text(w->out, "=\"");
	put_escaped(w->out, text, true);
	out_char(w->out, '"');
}

void xml_text(struct xml_writer *w, const char *text)
{
	if (w->in_tag)
		out_char(w->out, '>');
	w->in_tag = false;
	w->has_text = true;
	put_escaped(w->out, text, false);
}
