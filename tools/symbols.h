/* SPDX-License-Identifier: MIT */
/*
 * Functions and lines of a file, by elfutils: from its symbols, and debug
 * information that is in it or installed beside.
 */
#ifndef EVNT_TOOLS_SYMBOLS_H
#define EVNT_TOOLS_SYMBOLS_H

#include <stdint.h>

struct symbols;

/**
 * struct symbol - what is at an offset of a file
 * @function: its name in UTF-8, or NULL
 * @offset: how far from the function's start
 * @file: name of the source, likewise
 * @line: the line in it
 */
struct symbol {
	char *function;
	uint64_t offset;
	char *file;
	unsigned int line;
};

/*
 * Opens a file whose build id is to be @id; NULL when it cannot be used.  That it
 * has another build id is told on stderr.
 */
struct symbols *symbols_open(const char *path, const char *id);

/* What is at an offset of the file: it is remembered until symbols_free() */
const struct symbol *symbols_find(struct symbols *symbols, uint64_t offset);

void symbols_free(struct symbols *symbols);

#endif /* EVNT_TOOLS_SYMBOLS_H */
