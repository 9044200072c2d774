// SPDX-License-Identifier: MIT
/* evnt sessions: lists the running sessions */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/options.h"
#include "tools/session/losses.h"
#include "tools/session/session_list.h"
#include "tools/session/session_show.h"
#include "tools/common/table.h"

static const char about[] =
"Lists the running sessions: the processes that started them and whether these\n"
"still run, and the numbers of recorded and lost events.\n";

static const char notes[] =
"Examples:\n"
"  evnt sessions\n"
"  evnt sessions --json | jq 'select(.events_lost > 0).name'\n";

static void add_row(struct table *table, const struct dev_session *session)
{
	const struct evntrace_session *info = &session->info;
	char id[32], owner[OWNER_TEXT], buffers[64], events[32];
	char lost[LOSSES_TEXT];

	snprintf(id, sizeof(id), "%" PRIu64,
		 (uint64_t)EVNTRACE_HANDLE_ID(info->handle));
	snprintf(buffers, sizeof(buffers), "%u/%u x %u KB",
		 info->buffers - info->free_buffers, info->buffers,
		 info->buffer_size / 1024);
	snprintf(events, sizeof(events), "%" PRIu64, (uint64_t)info->events);
	table_add(table, (const char *[]){
		id, session->name, owner_text(info, owner), buffers, events,
		losses_text(info, lost), session->log_name
	});
}

static void add_heading(struct table *table)
{
	table_add(table, (const char *[]){
		"ID", "NAME", "OWNER", "BUFFERS", "EVENTS", "LOST", "FILE"
	});
}

static void print_table(const struct session_list *list)
{
	struct table table = { .columns = 7 };

	add_heading(&table);
	for (size_t i = 0; i < list->count; i++)
		add_row(&table, &list->sessions[i]);
	table_print(&table);
}

static void print_sessions(const struct session_list *list, bool json)
{
	if (!json)
		print_table(list);
	for (size_t i = 0; i < list->count; i++) {
		if (json)
			json_print(session_object(&list->sessions[i]));
		report_losses(&list->sessions[i]);
	}
}

static int run(int argc, char **argv)
{
	struct session_list list;
	bool json = false;
	int device, exit_code;

	exit_code = parse_json_only(&sessions_verb, argc, argv, &json);
	if (exit_code)
		return exit_code;
	device = dev_open();
	if (device < 0)
		return EVNT_FAILED;
	exit_code = list_all_sessions(device, &list);
	if (!exit_code)
		print_sessions(&list, json);
	free_sessions(&list);
	close(device);
	return end_output(exit_code);
}

static const struct option_row options[] = {
	OPTION_ROW("json", 0, NULL,
		   "print a JSON object per line; see evnt-sessions(1) for its keys"),
	HELP_ROW,
	{}
};

const struct verb sessions_verb = {
	.name = "sessions",
	.summary = "list the running sessions",
	.synopsis = "[--json]",
	.about = about,
	.options = options,
	.notes = notes,
	.run = run,
};
