/* SPDX-License-Identifier: MIT */
/*
 * Functions and lines of a file, read by elfutils from its symbols and from
 * debug information, in the file or installed separately
 */
#ifndef EVNT_SYMBOLS_H
#define EVNT_SYMBOLS_H

#include <stdint.h>

struct symbols;

/* Build id of a file of which any build is used */
#define BUILD_UNKNOWN	"?"

/**
 * struct symbol - source location of an offset in a file
 * @function: name of the function in UTF-8, or NULL
 * @offset: offset from the start of the function
 * @file: name of the source file in UTF-8, or NULL
 * @line: line in the source file
 */
struct symbol {
	char *function;
	uint64_t offset;
	char *file;
	unsigned int line;
};

/*
 * Open a file that should have the build id @id, or any. Return NULL if it cannot be
 * used; a different build id is reported on stderr.
 */
struct symbols *symbols_open(const char *path, const char *id);

/* Look up an offset of the file. The result is cached until symbols_free(). */
const struct symbol *symbols_find(struct symbols *symbols, uint64_t offset);

void symbols_free(struct symbols *symbols);

#endif /* EVNT_SYMBOLS_H */
