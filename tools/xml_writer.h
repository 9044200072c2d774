/* SPDX-License-Identifier: MIT */
/* Elements of XML, one in another, indented by tabs. */
#ifndef EVNT_XML_WRITER_H
#define EVNT_XML_WRITER_H

#include <stdbool.h>

#include "out.h"

/* Elements within one another that a writer can have */
#define XML_DEPTH	16

/**
 * struct xml_writer - elements that have begun; zeroed in the beginning
 * @out: the text of them
 * @names: their names, from the outermost to the innermost one; the caller's
 * @depth: number of them
 * @in_tag: the innermost one may still get attributes
 * @has_text: it has text, so that its end is not indented
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
 * Text may have any characters: those that no document of XML may have become
 * U+FFFD.
 */
void xml_attribute(struct xml_writer *w, const char *name, const char *text);
void xml_text(struct xml_writer *w, const char *text);

#endif /* EVNT_XML_WRITER_H */
