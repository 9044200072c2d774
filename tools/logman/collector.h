/* SPDX-License-Identifier: MIT */
/*
 * Data collector sets of logman(1): options of a session, stored in a file
 * until the session is started by name
 */
#ifndef EVNT_COLLECTOR_H
#define EVNT_COLLECTOR_H

#include "tools/session/session_options.h"

#define COLLECTOR_NAME	256

/**
 * struct collector - a data collector set
 * @name: name of the set
 * @request: name of its session; empty: same as @name
 * @file: buffer that @options.file points to
 * @overwrite: an existing log file may be overwritten
 * @options: options of the session
 */
struct collector {
	char name[COLLECTOR_NAME];
	char request[COLLECTOR_NAME];
	char *file;
	bool overwrite;
	struct session_options options;
};

/* Set the log file to a copy of @file; NULL: none */
void collector_set_file(struct collector *collector, const char *file);
const char *collector_logger(const struct collector *collector);
void collector_free(struct collector *collector);

/*
 * Sets are stored in $XDG_STATE_HOME/evntprov/collectors; without that variable
 * in /var/lib/evntprov/collectors for root, otherwise in
 * ~/.local/state/evntprov/collectors. These functions return an errno, EBADMSG
 * for a damaged file.
 */
int collector_save(const struct collector *collector, bool must_be_new);
int collector_load(const char *name, struct collector *collector);
int collector_delete(const char *name);

/* Call @each for each set, in any order, until it returns false */
int collector_list(bool (*each)(const struct collector *collector, void *data),
		   void *data);

#endif /* EVNT_COLLECTOR_H */
