/* SPDX-License-Identifier: MIT */
/* Writes nested XML elements, indented by tabs */
#ifndef EVNT_XML_WRITER_H
#define EVNT_XML_WRITER_H

#include <stdbool.h>

#include "tools/common/strbuf.h"

/* Maximum nesting of elements */
#define XML_DEPTH	16

/**
 * struct xml_writer - open elements; must be zeroed initially
 * @out: output
 * @names: names of the open elements, outermost first; owned by the caller
 * @depth: number of open elements
 * @in_tag: the start tag of the innermost element can still get attributes
 * @has_text: the innermost element has text, so its end tag is not indented
 */
struct xml_writer {
	struct out *out;
	const char *names[XML_DEPTH];
	unsigned int depth;
	bool in_tag;
	bool has_text;
};

void xml_begin(struct xml_writer *w, const char *name);
void xml_end(struct xml_writer *w);

/*
 * Write text. Characters that XML does not allow become U+FFFD.
 */
void xml_attribute(struct xml_writer *w, const char *name, const char *text);
void xml_text(struct xml_writer *w, const char *text);

#endif /* EVNT_XML_WRITER_H */
