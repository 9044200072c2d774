/* SPDX-License-Identifier: MIT */
/* Lists the running sessions, and finds sessions by name */
#ifndef EVNT_SESSION_LIST_H
#define EVNT_SESSION_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/evnt.h"
#include "tools/session/control.h"

struct session_list {
	struct dev_session *sessions;
	size_t count;
};

/*
 * List the sessions. Return an exit code after reporting errors; the caller
 * must free the list even then.
 */
int list_sessions(int device, struct session_list *list);
/*
 * Like list_sessions(), but include private sessions, which run in other
 * processes
 */
int list_all_sessions(int device, struct session_list *list);
void free_sessions(struct session_list *list);

/*
 * Find a session by name, ignoring case. Return NULL after reporting that there
 * is none.
 */
const struct dev_session *find_in_list(const struct session_list *list,
				       const char *name);

/* Find a session among all running ones; return an exit code */
int find_session(int device, const char *name, struct dev_session *session);

/* Action of a verb on a session; returns an exit code */
typedef int (*session_act)(int device, struct dev_session *session,
			   bool json);

/*
 * Run a verb whose arguments are names of sessions, --json and --help: call
 * @act for each session, continuing after errors. Return an exit code.
 */
int act_on_named(const struct verb *verb, int argc, char **argv,
		 session_act act);

#endif /* EVNT_SESSION_LIST_H */
