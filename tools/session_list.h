/* SPDX-License-Identifier: MIT */
/* The sessions that run, and finding one by its name. */
#ifndef EVNT_SESSION_LIST_H
#define EVNT_SESSION_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "evnt.h"
#include "trace_door.h"

struct session_list {
	struct door_session *sessions;
	size_t count;
};

/* Returns an exit code; the user was told.  To be freed also after a failure */
int list_sessions(int door, struct session_list *list);
/* With private loggers, which run in other processes */
int list_all_sessions(int door, struct session_list *list);
void free_sessions(struct session_list *list);

/* Case does not matter.  NULL, and the user was told, if there is none */
const struct door_session *find_in_list(const struct session_list *list,
					const char *name);

/* Likewise of all; returns an exit code */
int find_session(int door, const char *name, struct door_session *session);

/* What a verb does to a session; returns an exit code */
typedef int (*session_act)(int door, struct door_session *session,
			   bool json);

/*
 * A verb whose arguments are names of sessions, with --json and --help: does
 * @act to each, also if it failed for one.  Returns an exit code.
 */
int act_on_named(const struct verb *verb, int argc, char **argv,
		 session_act act);

#endif /* EVNT_SESSION_LIST_H */
