/* SPDX-License-Identifier: MIT */
/* Folder of descriptions of sessions that start with the module */
#ifndef EVNT_AUTOLOGGER_LIST_H
#define EVNT_AUTOLOGGER_LIST_H

#include "tools/autologger/autologger_conf.h"

#define AUTOLOGGER_FOLDER	"/etc/evntprov/autologger.d"

/* List of descriptions; must be zeroed initially and freed by the caller */
struct autologger_list {
	struct autologger *all;
	size_t count;
};

/*
 * Add a file's description and report its errors. Return false if out of
 * memory.
 */
bool autologger_list_add(struct autologger_list *list, const char *path);

/*
 * Read all descriptions of a folder in the order of their names; none if the
 * folder does not exist. Return false after reporting a read error.
 */
bool autologger_list_read(struct autologger_list *list, const char *folder);

/* Return the number of errors in all descriptions */
size_t autologger_list_errors(const struct autologger_list *list);

void autologger_list_free(struct autologger_list *list);

#endif /* EVNT_AUTOLOGGER_LIST_H */
