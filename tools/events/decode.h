/* SPDX-License-Identifier: MIT */
/*
 * Prints decoded events: the options of the verbs that print events, and the
 * path of an event through them
 */
#ifndef EVNT_DECODE_H
#define EVNT_DECODE_H

#include <stdbool.h>

#include <evntcons.h>

#include "tools/evnt.h"
#include "tools/events/manifest_option.h"
#include "tools/events/selection.h"

struct logs;
struct out;

/**
 * struct form - an output format
 * @name: name on the command line
 * @begin: prints the text before all events, or NULL
 * @event: prints an event
 * @end: prints the text after all events, or NULL
 */
struct form {
	const char *name;
	void (*begin)(struct out *out);
	void (*event)(struct out *out, const struct view *view, bool full);
	void (*end)(struct out *out);
};

/**
 * struct decode - options for printing events
 * @form: output format; NULL: text
 * @selection: events to print; NULL: all
 * @header: print header events, too
 * @full: print payloads without truncation, and extended items in JSON
 * @images: print the module's own events, too
 */
struct decode {
	const struct form *form;
	struct selection *selection;
	bool header;
	bool full;
	bool images;
};

/* Options that fill a struct decode */
extern const struct option_row decode_rows[];
/* The option --no-symbols */
extern const struct option_row symbol_rows[];

/* Print the text before and after all events */
void decode_begin(const struct decode *decode);
void decode_end(const struct decode *decode);

/* Print an event if it is selected; return whether it did */
bool decode_event(const struct decode *decode, PEVENT_RECORD record);

/* Take the metadata of an event; return whether it is one of the module */
bool decode_unprinted(PEVENT_RECORD record);

/*
 * Read manifest events ahead, as files may contain them behind the events that
 * need them
 */
void decode_peek(const struct logs *logs);

/* Free all metadata of events */
void decode_free(void);

#endif /* EVNT_DECODE_H */
