// SPDX-License-Identifier: MIT
/* The sessions that run, and finding one by its name. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "near.h"
#include "session_list.h"

/* Those that @what names, behind those that are there; 0 or an errno */
static int add_sessions(int door, __u32 what, struct session_list *list)
{
	const __u64 *handles;
	void *elements;
	size_t count;
	int error;

	error = door_list(door, what, sizeof(*handles), &elements, &count);
	if (error)
		return error;
	handles = elements;
	list->sessions = must_have(realloc(list->sessions,
					   (list->count + count + 1) *
					   sizeof(*list->sessions)));
	for (size_t i = 0; i < count && !error; i++) {
		error = door_query(door, handles[i],
				   &list->sessions[list->count]);
		if (!error)
			list->count++;
		/* It ended meanwhile, or is nothing for this user */
		else if (error == ESRCH || error == EACCES)
			error = 0;
	}
	free(elements);
	return error;
}

static int explain_list(int error)
{
	return error ? failed("cannot list the sessions: %s",
			      door_error(error)) : EVNT_DONE;
}

int list_sessions(int door, struct session_list *list)
{
	*list = (struct session_list) { NULL, 0 };
	return explain_list(add_sessions(door, EVNTRACE_LIST_SESSIONS, list));
}

int list_all_sessions(int door, struct session_list *list)
{
	int error = list_sessions(door, list);

	if (error)
		return error;
	error = add_sessions(door, EVNTRACE_LIST_LOGGERS, list);
	/* A module that is older has none */
	return explain_list(error == EINVAL ? 0 : error);
}

void free_sessions(struct session_list *list)
{
	free(list->sessions);
	list->sessions = NULL;
	list->count = 0;
}

static void tell_missing(const struct session_list *list, const char *name)
{
	struct near near;

	near_begin(&near, name);
	for (size_t i = 0; i < list->count; i++)
		near_look_at(&near, list->sessions[i].name);
	near_end(&near);
	if (near.found)
		failed("there is no session '%s': did you mean %s?", name,
		       near.text);
	else if (list->count)
		failed("there is no session '%s': 'evnt sessions' lists those"
		       " that run", name);
	else
		failed("there is no session '%s': none runs", name);
	free(near.text);
}

const struct door_session *find_in_list(const struct session_list *list,
					const char *name)
{
	for (size_t i = 0; i < list->count; i++) {
		if (!strcasecmp(list->sessions[i].name, name))
			return &list->sessions[i];
	}
	tell_missing(list, name);
	return NULL;
}

int find_session(int door, const char *name, struct door_session *session)
{
	const struct door_session *found;
	struct session_list list;
	int error = list_all_sessions(door, &list);

	if (!error) {
		found = find_in_list(&list, name);
		if (found)
			*session = *found;
		else
			error = EVNT_FAILED;
	}
	free_sessions(&list);
	return error;
}

int act_on_named(const struct verb *verb, int argc, char **argv,
		 session_act act)
{
	struct door_session session;
	bool json = false;
	int door, error, exit_code;

	if (!json_options(verb, argc, argv, &json, &exit_code))
		return exit_code;
	if (optind == argc)
		return misused(verb, "which session? write its name");
	door = door_open();
	if (door < 0)
		return EVNT_FAILED;
	exit_code = EVNT_DONE;
	for (int i = optind; i < argc; i++) {
		error = find_session(door, argv[i], &session);
		if (!error)
			error = act(door, &session, json);
		if (error)
			exit_code = error;
	}
	close(door);
	return end_output(exit_code);
}
