// SPDX-License-Identifier: MIT
/* evnt sessions: lists the sessions that run. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "evnt.h"
#include "json.h"
#include "process.h"
#include "table.h"
#include "trace_door.h"

static const char help[] =
"Usage: evnt sessions [--json]\n"
"Lists the sessions that run, with what they have recorded and lost.\n\n"
"  --json     one object of JSON a line; see evnt-sessions(1) for its keys\n"
"  -h, --help print this\n\n"
"Examples:\n"
"  evnt sessions\n"
"  evnt sessions --json | jq 'select(.events_lost > 0).name'\n";

static void add_row(struct table *table, const struct door_session *session)
{
	const struct evntrace_session *info = &session->info;
	char id[32], owner[64], user[32], buffers[64], events[32], lost[64];

	snprintf(id, sizeof(id), "%" PRIu64,
		 (uint64_t)EVNTRACE_HANDLE_ID(info->handle));
	snprintf(owner, sizeof(owner), "%u %s%s", info->owner_pid,
		 user_name(info->owner_uid, user, sizeof(user)),
		 info->flags & EVNTRACE_SESSION_BOUND ? " (bound)" : "");
	snprintf(buffers, sizeof(buffers), "%u/%u x %u KB",
		 info->buffers - info->free_buffers, info->buffers,
		 info->buffer_size / 1024);
	snprintf(events, sizeof(events), "%" PRIu64, (uint64_t)info->events);
	snprintf(lost, sizeof(lost), "%" PRIu64, (uint64_t)info->events_lost);
	if (info->buffers_lost)
		snprintf(lost + strlen(lost), sizeof(lost) - strlen(lost),
			 " and %" PRIu64 " buffers",
			 (uint64_t)info->buffers_lost);
	table_add(table, (const char *[]){
		id, session->name, owner, buffers, events, lost,
		session->log_name
	});
}

static void add_log_error(json_object *object, int error)
{
	if (error)
		json_add_text(object, "log_error", strerror(error));
}

static void print_object(const struct door_session *session)
{
	const struct evntrace_session *info = &session->info;
	json_object *object = json_object_new_object();
	bool is_bound = info->flags & EVNTRACE_SESSION_BOUND;
	char text[TIME_TEXT], user[32];

	json_add_number(object, "id", EVNTRACE_HANDLE_ID(info->handle));
	json_add_text(object, "name", session->name);
	json_add_guid(object, "guid", info->guid.b);
	json_add_number(object, "pid", info->owner_pid);
	json_add_number(object, "uid", info->owner_uid);
	json_add_text(object, "user",
		      user_name(info->owner_uid, user, sizeof(user)));
	json_object_object_add(object, "bound",
			       json_object_new_boolean(is_bound));
	json_add_text(object, "file", session->log_name);
	json_add_text(object, "start_time",
		      format_time(info->start_time, text));
	json_add_number(object, "buffer_size", info->buffer_size);
	json_add_number(object, "min_buffers", info->min_buffers);
	json_add_number(object, "max_buffers", info->max_buffers);
	json_add_number(object, "buffers", info->buffers);
	json_add_number(object, "free_buffers", info->free_buffers);
	json_add_number(object, "flush_ms", info->flush_ms);
	json_add_number(object, "events", info->events);
	json_add_number(object, "events_lost", info->events_lost);
	json_add_number(object, "buffers_written", info->buffers_written);
	json_add_number(object, "buffers_lost", info->buffers_lost);
	json_add_number(object, "bytes_written", info->bytes_written);
	add_log_error(object, info->log_errno);
	json_print(object);
}

/* A log file that cannot be written is worth more than a number */
static void tell_log_error(const struct door_session *session)
{
	if (session->info.log_errno)
		note("session '%s' cannot write '%s': %s", session->name,
		     session->log_name, strerror(session->info.log_errno));
}

static void add_heading(struct table *table)
{
	table_add(table, (const char *[]){
		"ID", "NAME", "OWNER", "BUFFERS", "EVENTS", "LOST", "FILE"
	});
}

static int list_sessions(int door, const __u64 *handles, size_t count,
			 bool json)
{
	struct table table = { .columns = 7 };
	struct door_session session;
	int error;

	if (!json)
		add_heading(&table);
	for (size_t i = 0; i < count; i++) {
		error = door_query(door, handles[i], &session);
		if (error == ESRCH)	/* it ended meanwhile */
			continue;
		if (error)
			return failed("cannot query a session: %s",
				      strerror(error));
		if (json)
			print_object(&session);
		else
			add_row(&table, &session);
		tell_log_error(&session);
	}
	table_print(&table);
	return end_output(EVNT_DONE);
}

static int run(int argc, char **argv)
{
	bool json = false;
	size_t count;
	void *handles;
	int door, error, exit_code;

	if (!list_options(&sessions_verb, argc, argv, &json, &exit_code))
		return exit_code;
	door = door_open();
	if (door < 0)
		return EVNT_FAILED;
	error = door_list(door, EVNTRACE_LIST_SESSIONS, sizeof(__u64),
			  &handles, &count);
	if (error)
		exit_code = failed("cannot list the sessions: %s",
				   strerror(error));
	else
		exit_code = list_sessions(door, handles, count, json);
	free(handles);
	close(door);
	return exit_code;
}

const struct verb sessions_verb = {
	.name = "sessions",
	.summary = "list the sessions that run",
	.help = help,
	.run = run,
};
