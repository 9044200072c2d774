// SPDX-License-Identifier: MIT
/* Lists the running sessions, and finds sessions by name */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "tools/common/options.h"
#include "tools/common/suggest.h"
#include "tools/session/session_list.h"

/* Append the sessions that EVNTRACE_LIST_* @what lists; return an errno */
static int add_sessions(int device, __u32 what, struct session_list *list)
{
	const __u64 *handles;
	void *elements;
	size_t count;
	int error;

	error = dev_list(device, what, sizeof(*handles), &elements, &count);
	if (error)
		return error;
	handles = elements;
	list->sessions = must_have(realloc(list->sessions,
					   (list->count + count + 1) *
					   sizeof(*list->sessions)));
	for (size_t i = 0; i < count && !error; i++) {
		error = dev_query(device, handles[i],
				  &list->sessions[list->count]);
		if (!error)
			list->count++;
		/*
		 * Skip a session that has ended, or that this user may not
		 * query
		 */
		else if (error == ESRCH || error == EACCES)
			error = 0;
	}
	free(elements);
	return error;
}

static int explain_list(int error)
{
	return error ? failed("cannot list the sessions: %s",
			      dev_error(error)) : EVNT_DONE;
}

int list_sessions(int device, struct session_list *list)
{
	*list = (struct session_list) { NULL, 0 };
	return explain_list(add_sessions(device, EVNTRACE_LIST_SESSIONS, list));
}

int list_all_sessions(int device, struct session_list *list)
{
	int error = list_sessions(device, list);

	if (error)
		return error;
	error = add_sessions(device, EVNTRACE_LIST_PRIVATE, list);
	/* An older module has no private sessions */
	return explain_list(error == EINVAL ? 0 : error);
}

void free_sessions(struct session_list *list)
{
	free(list->sessions);
	list->sessions = NULL;
	list->count = 0;
}

const struct dev_session *find_in_list(const struct session_list *list,
				       const char *name)
{
	struct suggest suggest;

	for (size_t i = 0; i < list->count; i++) {
		if (!strcasecmp(list->sessions[i].name, name))
			return &list->sessions[i];
	}
	suggest_begin(&suggest, name);
	for (size_t i = 0; i < list->count; i++)
		suggest_look_at(&suggest, list->sessions[i].name);
	suggest_end(&suggest);
	if (suggest.found)
		failed("there is no session '%s': did you mean %s?", name,
		       suggest.text);
	else if (list->count)
		failed("there is no session '%s': 'evnt sessions' lists those"
		       " that run", name);
	else
		failed("there is no session '%s': none runs", name);
	free(suggest.text);
	return NULL;
}

int find_session(int device, const char *name, struct dev_session *session)
{
	const struct dev_session *found;
	struct session_list list;
	int error = list_all_sessions(device, &list);

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
	struct dev_session session;
	bool json = false;
	int device, error, exit_code;

	exit_code = parse_options(verb, argc, argv, &json);
	if (exit_code)
		return exit_code;
	if (optind == argc)
		return usage_error(verb, "which session? write its name");
	device = dev_open();
	if (device < 0)
		return EVNT_FAILED;
	exit_code = EVNT_DONE;
	for (int i = optind; i < argc; i++) {
		error = find_session(device, argv[i], &session);
		if (!error)
			error = act(device, &session, json);
		if (error)
			exit_code = error;
	}
	close(device);
	return end_output(exit_code);
}
