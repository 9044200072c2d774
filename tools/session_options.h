/* SPDX-License-Identifier: MIT */
/* The options that say what a session is to be: of each verb that starts one. */
#ifndef EVNT_SESSION_OPTIONS_H
#define EVNT_SESSION_OPTIONS_H

#include <getopt.h>

#include <evntrace.h>

#include "evnt.h"
#include "filter_options.h"
#include "spec.h"

/**
 * struct session_options - what a session is to be
 * @specs: what it records
 * @filters: and which events of that
 * @file: log file, or NULL
 * @mode: EVENT_TRACE_*_MODE
 * @clock: Wnode.ClientContext, or 0
 * @buffer_kb: size of a buffer, or 0
 * @min_buffers: or 0
 * @max_buffers: or 0
 * @flush: flush timer in seconds, or 0
 * @max_mb: what the file may grow to, or 0
 * @limits: how many options said that
 * @json: print JSON
 */
struct session_options {
	struct spec_list specs;
	struct filter_options filters;
	const char *file;
	ULONG mode;
	ULONG clock;
	ULONG buffer_kb;
	ULONG min_buffers;
	ULONG max_buffers;
	ULONG flush;
	ULONG max_mb;
	int limits;
	bool json;
};

/* What getopt_long() returns for the options that have no letter */
enum session_option {
	OPTION_BUFFER_SIZE = 0x100,
	OPTION_BUFFERS,
	OPTION_MIN_BUFFERS,
	OPTION_FLUSH,
	OPTION_MAX_SIZE,
	OPTION_CIRCULAR,
	OPTION_NEW_FILE,
	OPTION_APPEND,
	OPTION_PREALLOCATE,
	OPTION_REAL_TIME,
	OPTION_BUFFERING,
	OPTION_MODE,
	OPTION_CLOCK,
	OPTION_JSON,
	OPTION_OWN,	/* a verb's own options begin here */
};

/* For the verb's array of options */
#define SESSION_OPTIONS							\
	{ "provider", required_argument, NULL, 'p' },			\
	{ "output", required_argument, NULL, 'o' },			\
	{ "buffer-size", required_argument, NULL, OPTION_BUFFER_SIZE },	\
	{ "buffers", required_argument, NULL, OPTION_BUFFERS },		\
	{ "min-buffers", required_argument, NULL, OPTION_MIN_BUFFERS },	\
	{ "flush", required_argument, NULL, OPTION_FLUSH },		\
	{ "max-size", required_argument, NULL, OPTION_MAX_SIZE },	\
	{ "circular", required_argument, NULL, OPTION_CIRCULAR },	\
	{ "new-file", required_argument, NULL, OPTION_NEW_FILE },	\
	{ "append", no_argument, NULL, OPTION_APPEND },			\
	{ "preallocate", no_argument, NULL, OPTION_PREALLOCATE },	\
	{ "real-time", no_argument, NULL, OPTION_REAL_TIME },		\
	{ "buffering", no_argument, NULL, OPTION_BUFFERING },		\
	{ "mode", required_argument, NULL, OPTION_MODE },		\
	{ "clock", required_argument, NULL, OPTION_CLOCK },		\
	{ "json", no_argument, NULL, OPTION_JSON },			\
	FILTER_OPTIONS,							\
	{ "help", no_argument, NULL, 'h' }

/* For the verb's help */
#define SESSION_OPTIONS_HELP						\
"      --buffer-size KB  size of a buffer, 4 to 16384; default: 64\n"	\
"      --buffers N       how many at most; default: 20 more than at least\n" \
"      --min-buffers N   how many at least; never less than 2 a CPU\n"	\
"      --flush SECONDS   write buffers that are not full, too, so often\n" \
"      --max-size MB     the session ends when the file has this size\n" \
"      --circular MB     keep the newest events only, in a file of this size\n" \
"      --new-file MB     begin another file whenever one has this size; a %d\n" \
"                        in its name becomes its number\n"		\
"      --append          write behind what the file holds already\n"	\
"      --preallocate     take the file's whole size from the beginning\n" \
"      --real-time       for consumers that read as it runs; -o is optional\n" \
"      --buffering       keep the newest events in memory, without a file,\n" \
"                        until they are asked for\n"			\
"      --mode NAME,...   further logging modes, by name or number\n"	\
"      --clock CLOCK     perf, system or cycle; default: perf\n"

/*
 * Takes what getopt_long() returned and optarg; returns an exit code, and the
 * user was told what is wrong.
 */
int session_option(const struct verb *verb, struct session_options *options,
		   int option);

/* Whether they go together, likewise */
int check_session_options(const struct verb *verb,
			  const struct session_options *options);

/* Whether a log may be written to @file, as -o says, likewise */
int check_output(const struct verb *verb, const char *file);

void free_session_options(struct session_options *options);

#endif /* EVNT_SESSION_OPTIONS_H */
