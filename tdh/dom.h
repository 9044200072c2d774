/* SPDX-License-Identifier: MIT */
/*
 * An XML document as a tree, where each element and attribute knows its place in
 * the file.
 */
#ifndef TDH_DOM_H
#define TDH_DOM_H

#include "index.h"
#include "model.h"

#define WIN_URI	"http://manifests.microsoft.com/win/2004/08/windows/events"

struct attribute {
	struct attribute *next;
	const char *name;	/* without prefix */
	const char *value;
};

/**
 * struct place - a place in the file
 * @at: its offset
 * @line: from 1
 * @column: from 1, in characters
 */
struct place {
	size_t at;
	unsigned int line;
	unsigned int column;
};

/**
 * struct node - an element
 * @next: beside it
 * @children: the first of its elements
 * @attributes: in order
 * @name: without prefix
 * @prefix: or NULL
 * @foreign: it is of another namespace than manifests are
 * @text: all that stands directly in it, @text_len bytes with room for
 *	@text_room and a nul, or NULL
 * @begin: where its tag begins in the file
 * @end: where its tag ends
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
 * struct document - a file that is read
 * @text: the file in UTF-8, @len bytes
 * @index: the reader's; prefixes of namespaces are added, wherever they were
 *	declared; its entries lie in @index_arena
 * @problems: that were found
 * @words: different names that are in it
 * @is_bad: an element has too many attributes
 */
struct document {
	struct arena *arena;
	const char *file;
	char *text;
	size_t len;
	struct node *root;
	struct index *index;
	struct arena *index_arena;
	problem_fn tell;
	void *context;
	unsigned int problems;
	unsigned int words;
	bool is_bad;
};

#define MAX_PROBLEMS	50

bool document_parse(struct document *d, const void *data, size_t len);
void document_free(struct document *d);

/* Tells what is wrong, at an element, or at one of its attributes */
void problem_at(struct document *d, const struct node *node,
		const char *attribute, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* ... or of all of it */
void problem_of(struct document *d, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

const char *node_attribute(const struct node *node, const char *name);
struct node *node_child(const struct node *node, const char *name);

#define for_each_child(child, node, wanted)				\
	for ((child) = node_child(node, wanted); child;			\
	     (child) = node_next(child, wanted))
struct node *node_next(const struct node *node, const char *name);

#endif /* TDH_DOM_H */
