/* SPDX-License-Identifier: MIT */
/*
 * XML document as a tree whose elements and attributes have positions in the
 * file.
 */
#ifndef TDH_DOM_H
#define TDH_DOM_H

#include "tdh/index.h"
#include "tdh/model.h"

#define WIN_URI	"http://manifests.microsoft.com/win/2004/08/windows/events"

struct attribute {
	struct attribute *next;
	const char *name;	/* without prefix */
	const char *value;
};

/**
 * struct place - position in a file
 * @at: offset in bytes
 * @line: line number, from 1
 * @column: column in characters, from 1
 */
struct place {
	size_t at;
	unsigned int line;
	unsigned int column;
};

/**
 * struct node - an element
 * @next: next sibling
 * @children: first child element
 * @attributes: attributes in order
 * @name: name without prefix
 * @prefix: prefix, or NULL
 * @foreign: the element is not in a namespace of manifests
 * @text: text directly inside of the element, nul-terminated, or NULL
 * @text_len: length of @text in bytes
 * @text_room: allocated size of @text in bytes, without the nul
 * @begin: position of its start tag
 * @end: offset of the end of its start tag
 */
struct node {
	struct node *next;
	struct node *children;
	struct attribute *attributes;
	const char *name;
	const char *prefix;
	bool foreign;
	char *text;
	size_t text_len;
	size_t text_room;
	struct place begin;
	size_t end;
};

/**
 * struct document - an XML document being read
 * @lenient: read as much as possible: a problem removes what it concerns, and
 *	only a problem of the whole file refuses the document
 * @arena: arena of the tree
 * @file: name of the file, for problems
 * @text: content in UTF-8
 * @len: length of @text in bytes
 * @root: root element
 * @index: index of the reader; receives prefixes of Windows' namespace,
 *	regardless of where they are declared
 * @index_arena: arena of the entries of @index
 * @report: callback for problems
 * @context: argument of @report
 * @problems: number of problems found
 * @words: number of distinct names in the document
 * @is_bad: an element has too many attributes
 * @refused: a problem of the whole file was found
 */
struct document {
	bool lenient;
	struct arena *arena;
	const char *file;
	char *text;
	size_t len;
	struct node *root;
	struct index *index;
	struct arena *index_arena;
	problem_fn report;
	void *context;
	unsigned int problems;
	unsigned int words;
	bool is_bad;
	bool refused;
};

/* Maximum number of problems reported; a lenient reader reports all */
#define MAX_PROBLEMS	50

bool document_parse(struct document *d, const void *data, size_t len);
void document_free(struct document *d);

/* Report a problem at an element, or at one of its attributes */
void problem_at(struct document *d, const struct node *node,
		const char *attribute, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* Report a problem of the whole file, and refuse the document */
void problem_of(struct document *d, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

const char *node_attribute(const struct node *node, const char *name);
struct node *node_child(const struct node *node, const char *name);

#define for_each_child(child, node, wanted)				\
	for ((child) = node_child(node, wanted); child;			\
	     (child) = node_next(child, wanted))
struct node *node_next(const struct node *node, const char *name);

#endif /* TDH_DOM_H */
