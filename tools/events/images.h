/* SPDX-License-Identifier: MIT */
/*
 * Images mapped by processes, as reported by the module's events.
 *
 * Events are not trusted. An image replaces earlier ones that it overlaps. A
 * process keeps its images until it executes another program, or its id is
 * reused by another process.
 */
#ifndef EVNT_IMAGES_H
#define EVNT_IMAGES_H

#include <stdbool.h>
#include <stdint.h>

#include <evntcons.h>

#include "decode/process_record.h"

struct symbols;

/* Maximum number of images per process; further ones are ignored */
#define IMAGES_MAX	16384

/**
 * struct module - a file that images are mapped from
 * @next: next module in the hash chain
 * @path: path as recorded
 * @shown: path in UTF-8, printable
 * @name: last component of @shown
 * @id: build id in hexadecimal, "", or BUILD_UNKNOWN
 * @symbols: symbol table, loaded on demand by symbols.c; or NULL
 * @tried: loading of @symbols was attempted
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
 * struct image - a mapping of a file by a process
 * @base: first address
 * @size: size in bytes; never 0, and never wraps around
 * @offset: offset in the file
 * @module: mapped file
 * @is_kept: images_map() has recorded it
 */
struct image {
	uint64_t base;
	uint64_t size;
	uint64_t offset;
	struct module *module;
	bool is_kept;
};

/*
 * Return whether an event is one of the module's own, which carry metadata
 * about other events
 */
bool is_of_module(const EVENT_RECORD *record);

/* Return whether an event describes a loss of the session: see loss.h */
bool is_loss(const EVENT_RECORD *record);

/* Return whether an event describes an image */
bool is_image(const EVENT_RECORD *record);

/* Record the image of an event that is_image() has accepted */
void images_take(const EVENT_RECORD *record);

/*
 * Record an image of which no event has the build id. @base is the address of the
 * beginning of the file.
 */
void images_map(uint32_t pid, uint64_t base, uint64_t size, const char *path);

/* Forget the images of a process: the id belongs to another program */
void images_forget(uint32_t pid);

/*
 * Forget the images of events that is_image() has accepted, as the same files are
 * read again: these apply to the events that follow them only
 */
void images_restart(void);

/* Return the image at an address of a process, or NULL */
const struct image *images_find(uint32_t pid, uint64_t address);

/*
 * Return the image at the lowest address of a process, normally its program; or
 * NULL
 */
const struct image *images_lowest(uint32_t pid);

/* Free all images; call @free_symbols for each loaded symbol table */
void images_free(void (*free_symbols)(struct symbols *symbols));

#endif /* EVNT_IMAGES_H */
