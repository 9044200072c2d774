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

static void print_table(const struct session_list *list)
{
	char id[32], owner[OWNER_TEXT], buffers[64], events[32];
	char lost[LOSSES_TEXT];
	struct table table = { .columns = 7 };

	table_add(&table, (const char *[]){
		"ID", "NAME", "OWNER", "BUFFERS", "EVENTS", "LOST", "FILE"
	});
	for (size_t i = 0; i < list->count; i++) {
		const struct dev_session *session = &list->sessions[i];
		const struct evntrace_session *info = &session->info;

		snprintf(id, sizeof(id), "%" PRIu64,
			 (uint64_t)EVNTRACE_HANDLE_ID(info->handle));
		snprintf(buffers, sizeof(buffers), "%u/%u x %u KB",
			 info->buffers - info->free_buffers, info->buffers,
			 info->buffer_size / 1024);
		snprintf(events, sizeof(events), "%" PRIu64,
			 (uint64_t)info->events);
		table_add(&table, (const char *[]){
			id, session->name, owner_text(info, owner), buffers,
			events, losses_text(info, lost), session->log_name
		});
	}
	table_print(&table);
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
	if (exit_code)
		goto free_list;
	if (!json)
		print_table(&list);
	for (size_t i = 0; i < list.count; i++) {
		if (json)
			json_print(session_object(&list.sessions[i]));
		report_losses(&list.sessions[i]);
	}
free_list:
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
