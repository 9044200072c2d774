// SPDX-License-Identifier: MIT
/* The sessions that run, and finding one by its name. */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "session_list.h"

int list_sessions(int door, struct session_list *list)
{
	const __u64 *handles;
	void *elements;
	size_t count;
	int error;

	*list = (struct session_list) { NULL, 0 };
	error = door_list(door, EVNTRACE_LIST_SESSIONS, sizeof(*handles),
			  &elements, &count);
	handles = elements;
	if (!error)
		list->sessions = must_have(calloc(count + 1,
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
	return error ? failed("cannot list the sessions: %s", strerror(error)) :
		       EVNT_DONE;
}

void free_sessions(struct session_list *list)
{
	free(list->sessions);
	list->sessions = NULL;
	list->count = 0;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* How many letters are to be put in, left out or changed to make @a @b */
static size_t distance(const char *a, const char *b)
{
	size_t columns = strlen(b) + 1, result;
	size_t *row = must_have(calloc(columns, sizeof(*row)));

	for (size_t i = 0; i < columns; i++)
		row[i] = i;
	for (; *a; a++) {
		size_t diagonal = row[0]++;

		for (size_t i = 1; i < columns; i++) {
			bool differ = tolower((unsigned char)*a) !=
				      tolower((unsigned char)b[i - 1]);
			size_t changed = diagonal + differ;

			diagonal = row[i];
			row[i] = least(changed,
				       least(row[i], row[i - 1]) + 1);
		}
	}
	result = row[columns - 1];
	free(row);
	return result;
}

/* What somebody who wrote @wrote may have meant */
static bool is_near(const char *name, const char *wrote)
{
	return strcasestr(name, wrote) || strcasestr(wrote, name) ||
	       distance(wrote, name) <= 1 + strlen(name) / 4;
}

static void tell_missing(const struct session_list *list, const char *name)
{
	char *near = NULL;
	size_t size, found = 0;
	FILE *to = must_have(open_memstream(&near, &size));

	for (size_t i = 0; i < list->count; i++) {
		if (is_near(list->sessions[i].name, name))
			fprintf(to, "%s'%s'", found++ ? " or " : "",
				list->sessions[i].name);
	}
	fclose(to);
	if (found)
		failed("there is no session '%s': did you mean %s?", name,
		       near);
	else if (list->count)
		failed("there is no session '%s': 'evnt sessions' lists those"
		       " that run", name);
	else
		failed("there is no session '%s': none runs", name);
	free(near);
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
	int error = list_sessions(door, &list);

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
