/* SPDX-License-Identifier: MIT */
/*
 * Images of processes, as the module's events tell them: what is mapped at which
 * addresses.
 *
 * What an event says may be anything.  Of images that lie over each other the
 * later one counts; a process keeps its images until it runs another program, or
 * another process has its id.
 */
#ifndef EVNT_TOOLS_IMAGES_H
#define EVNT_TOOLS_IMAGES_H

#include <stdbool.h>
#include <stdint.h>

#include <evntcons.h>

struct symbols;

/* More of a process are left out */
#define IMAGES_MAX	16384

/**
 * struct module - a file that images are parts of
 * @next: in its chain
 * @path: its name, as it was recorded
 * @shown: likewise, in UTF-8
 * @name: the last part of that
 * @id: its build id, in hexadecimal, or ""
 * @symbols: symbols.c's, when it was asked for; or NULL
 * @tried: it was asked for
 */
struct module {
	struct module *next;
	char *path;
	char *shown;
	const char *name;
	char *id;
	struct symbols *symbols;
	bool tried;
};

/**
 * struct image - a part of a file, in the memory of a process
 * @base: where
 * @size: how long it is; never 0, nor beyond the end of all addresses
 * @offset: where it begins in the file
 * @module: the file
 */
struct image {
	uint64_t base;
	uint64_t size;
	uint64_t offset;
	struct module *module;
};

/* Whether an event is one of the module's own, which say something of others */
bool is_of_module(const EVENT_RECORD *record);

/* Whether it tells of an image */
bool is_image(const EVENT_RECORD *record);

/* Takes note of what is_image() */
void images_take(const EVENT_RECORD *record);

/* What is at an address of a process, or NULL */
const struct image *images_find(uint32_t pid, uint64_t address);

/* The one at the lowest address of a process: its program, as a rule; or NULL */
const struct image *images_lowest(uint32_t pid);

/* Calls @free_symbols for those there are */
void images_free(void (*free_symbols)(struct symbols *symbols));

#endif /* EVNT_TOOLS_IMAGES_H */
