/* SPDX-License-Identifier: MIT */
/*
 * Data collector sets of logman(1): what a session is to be, kept in a file
 * until it is started by its name.
 */
#ifndef EVNT_COLLECTOR_H
#define EVNT_COLLECTOR_H

#include "session_options.h"

#define COLLECTOR_NAME	256

/**
 * struct collector - a data collector set
 * @name: its name
 * @logger: that of its session, or empty: the same
 * @file: owns what @options.file points to
 * @overwrite: a log file that exists may be overwritten
 * @options: what the session is to be
 */
struct collector {
	char name[COLLECTOR_NAME];
	char logger[COLLECTOR_NAME];
	char *file;
	bool overwrite;
	struct session_options options;
};

/* A copy of @file, or none when it is NULL */
void collector_set_file(struct collector *collector, const char *file);
const char *collector_logger(const struct collector *collector);
void collector_free(struct collector *collector);

/*
 * The folder of the sets: $XDG_STATE_HOME/evntprov/collectors; without that
 * variable /var/lib/evntprov/collectors for root, else
 * ~/.local/state/evntprov/collectors.  Functions return an errno; EBADMSG for a
 * file that is damaged.
 */
int collector_save(const struct collector *collector, bool must_be_new);
int collector_load(const char *name, struct collector *collector);
int collector_delete(const char *name);

/* Calls @each for each set, in any order, until it returns false */
int collector_list(bool (*each)(const struct collector *collector, void *data),
		   void *data);

#endif /* EVNT_COLLECTOR_H */
