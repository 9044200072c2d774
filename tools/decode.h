/* SPDX-License-Identifier: MIT */
/*
 * Printing events, decoded as far as they are described: the options that say how,
 * of each verb that does, and an event's way through them.
 */
#ifndef EVNT_DECODE_H
#define EVNT_DECODE_H

#include <stdbool.h>

#include <evntcons.h>

#include "evnt.h"
#include "manifest_option.h"
#include "selection.h"

struct logs;
struct out;

/**
 * struct form - a form that events are printed in
 * @name: as the user writes it
 * @begin: what comes before all events, or NULL
 * @event: an event
 * @end: what comes behind, or NULL
 */
struct form {
	const char *name;
	void (*begin)(struct out *out);
	void (*event)(struct out *out, const struct view *view, bool full);
	void (*end)(struct out *out);
};

/**
 * struct decode - how events are printed
 * @form: of them; NULL: as text
 * @selection: which of them, or NULL
 * @header: print header events, too
 * @full: print payloads whole
 * @images: print the module's own events, too
 */
struct decode {
	const struct form *form;
	struct selection *selection;
	bool header;
	bool full;
	bool images;
};

/* What getopt_long() returns; no other option of a verb has these */
enum decode_option {
	OPTION_HEADER = 0x300,
	OPTION_FULL,
	OPTION_IMAGES,
	OPTION_NO_SYMBOLS,
	OPTION_FORMAT,
	OPTION_AS_JSON,
};

/* For the verb's array of options */
#define DECODE_OPTIONS							\
	MANIFEST_OPTION,						\
	{ "header", no_argument, NULL, OPTION_HEADER },			\
	{ "full", no_argument, NULL, OPTION_FULL },			\
	{ "images", no_argument, NULL, OPTION_IMAGES },			\
	{ "no-symbols", no_argument, NULL, OPTION_NO_SYMBOLS },		\
	{ "format", required_argument, NULL, OPTION_FORMAT },		\
	{ "json", no_argument, NULL, OPTION_AS_JSON }

/* Whether @option is one of these */
bool is_decode_option(int option);

/* Takes it, and optarg; returns an exit code, and the user was told */
int decode_option(const struct verb *verb, struct decode *decode, int option);

/* Print what comes before all events, and behind */
void decode_begin(const struct decode *decode);
void decode_end(const struct decode *decode);

/* Prints an event, unless it is one that is not asked for; whether it did */
bool decode_event(const struct decode *decode, PEVENT_RECORD record);

/* An event that is not to be printed, but may say something of others */
void decode_unprinted(PEVENT_RECORD record);

/* Takes note of the manifests that files may tell of behind what needs them */
void decode_peek(const struct logs *logs);

/* Frees what is known of all events */
void decode_free(void);

#endif /* EVNT_DECODE_H */
