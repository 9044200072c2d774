/* SPDX-License-Identifier: MIT */
/* Descriptions of sessions that are to start with the module: a folder of them. */
#ifndef EVNT_AUTOLOGGER_LIST_H
#define EVNT_AUTOLOGGER_LIST_H

#include "autologger_conf.h"

#define AUTOLOGGER_FOLDER	"/etc/evntprov/autologger.d"

/* Descriptions that were read; zeroed in the beginning, to be freed */
struct autologger_list {
	struct autologger *all;
	size_t count;
};

/* Reads a file more; what is wrong with it is told.  false: there is no memory */
bool autologger_list_add(struct autologger_list *list, const char *path);

/*
 * All of a folder, in the order of their names; none if it is not there.  false:
 * it cannot be read, and the user was told.
 */
bool autologger_list_read(struct autologger_list *list, const char *folder);

/* How much is wrong with all of them */
size_t autologger_list_errors(const struct autologger_list *list);

void autologger_list_free(struct autologger_list *list);

#endif /* EVNT_AUTOLOGGER_LIST_H */
