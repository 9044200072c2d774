/* SPDX-License-Identifier: MIT */
/*
 * Printing events, decoded as far as they are described: the options that say how,
 * of each verb that does, and an event's way through them.
 */
#ifndef EVNT_DECODE_H
#define EVNT_DECODE_H

#include <stdbool.h>

#include <evntcons.h>

#include "manifest_option.h"

/**
 * struct decode - how events are printed
 * @json: as JSON
 * @header: print header events, too
 * @full: print payloads whole
 * @images: print the events that tell of images, too
 */
struct decode {
	bool json;
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
};

/* For the verb's array of options */
#define DECODE_OPTIONS							\
	MANIFEST_OPTION,						\
	{ "header", no_argument, NULL, OPTION_HEADER },			\
	{ "full", no_argument, NULL, OPTION_FULL },			\
	{ "images", no_argument, NULL, OPTION_IMAGES },			\
	{ "no-symbols", no_argument, NULL, OPTION_NO_SYMBOLS }

/* Whether @option is one of these */
bool is_decode_option(int option);

/* Takes it, and optarg; returns an exit code, and the user was told */
int decode_option(struct decode *decode, int option);

/* Prints an event, unless it is one that is not asked for; whether it did */
bool decode_event(const struct decode *decode, PEVENT_RECORD record);

/* An event that is not to be printed, but may say something of others */
void decode_unprinted(PEVENT_RECORD record);

/* Frees what is known of all events */
void decode_free(void);

#endif /* EVNT_DECODE_H */
