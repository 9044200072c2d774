// SPDX-License-Identifier: MIT
/* evnt clean: ends sessions whose owner has exited */
#include <errno.h>
#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/options.h"
#include "tools/session/losses.h"
#include "tools/session/session_list.h"
#include "tools/session/session_show.h"
#include "tools/common/table.h"

static const char about[] =
"Shows sessions whose owner, the process that started them, has exited, and ends\n"
"the named ones, or all.  They include sessions of 'evnt start', which exits at\n"
"once.  On a terminal, the sessions to end must be confirmed.\n";

static const char notes[] =
"Examples:\n"
"  evnt clean\n"
"  evnt clean --yes server\n";

/**
 * struct clean - options and state of the verb
 * @names: sessions to end, @count of them
 * @list: running sessions
 * @all: end all abandoned sessions
 * @yes: do not prompt
 * @json: print JSON
 */
struct clean {
	char **names;
	int count;
	struct session_list list;
	bool all;
	bool yes;
	bool json;
};

static bool is_abandoned(const struct dev_session *session)
{
	static const __u32 held = EVNTRACE_SESSION_OWNED |
				  EVNTRACE_SESSION_BOUND;

	return !(session->info.state & held);
}

/*
 * Choose the abandoned sessions, or the named ones. Check all named sessions
 * before any is ended: each must exist and be abandoned.
 */
static int choose(struct clean *clean)
{
	const struct dev_session *session;
	struct session_list chosen = { NULL, 0 };
	struct session_list *list = &clean->list;
	size_t kept = 0;
	int error = EVNT_DONE;
	char owner[OWNER_TEXT];

	if (!clean->count) {
		for (size_t i = 0; i < list->count; i++) {
			if (is_abandoned(&list->sessions[i]))
				list->sessions[kept++] = list->sessions[i];
		}
		list->count = kept;
		return EVNT_DONE;
	}
	chosen.sessions = must_have(calloc(clean->count,
					   sizeof(*chosen.sessions)));
	for (int i = 0; i < clean->count; i++) {
		session = find_in_list(list, clean->names[i]);
		if (!session)
			error = EVNT_FAILED;
		else if (!is_abandoned(session))
			error = failed("session '%s' is not abandoned: its"
				       " owner is process %s; 'evnt stop' ends"
				       " it", session->name,
				       owner_text(&session->info, owner));
		else
			chosen.sessions[chosen.count++] = *session;
	}
	free_sessions(list);
	*list = chosen;
	return error;
}

static void show(const struct clean *clean)
{
	struct table table = { .columns = 3 };
	char owner[OWNER_TEXT];

	if (!clean->json && clean->list.count)
		table_add(&table, (const char *[]){ "NAME", "OWNER", "FILE" });
	for (size_t i = 0; i < clean->list.count; i++) {
		const struct dev_session *session = &clean->list.sessions[i];

		if (clean->json)
			json_print(session_object(session));
		else
			table_add(&table, (const char *[]){
				session->name,
				owner_text(&session->info, owner),
				session->log_name
			});
	}
	table_print(&table);
}

/* Ask for confirmation on a terminal only, never in a script */
static bool is_agreed(const struct clean *clean)
{
	char answer[16];

	if (clean->yes || !clean->list.count || !isatty(STDIN_FILENO) ||
	    !isatty(STDERR_FILENO))
		return true;
	if (!clean->json)
		show(clean);
	fflush(stdout);
	fprintf(stderr, "End %zu sessions? [y/N] ", clean->list.count);
	return fgets(answer, sizeof(answer), stdin) &&
	       strchr("yY", answer[0]) && answer[0];
}

static int end_all(struct clean *clean, int device)
{
	int error, exit_code = EVNT_DONE;

	if (!is_agreed(clean)) {
		note("nothing was ended");
		return EVNT_FAILED;
	}
	for (size_t i = 0; i < clean->list.count; i++) {
		struct dev_session *session = &clean->list.sessions[i];

		error = dev_stop(device, session->info.handle, session);
		/* The session has been stopped by another process */
		if (error == ESRCH || error == EALREADY)
			continue;
		if (error) {
			exit_code = explain_act(session, "stop", error);
		} else if (clean->json) {
			json_print(session_object(session));
			report_losses(session);
		} else {
			note("session '%s' ended", session->name);
			report_recorded(session);
		}
	}
	return exit_code;
}

static int run(int argc, char **argv)
{
	struct clean clean = { .names = NULL };
	int device, error;

	error = parse_options(&clean_verb, argc, argv, &clean);
	if (error)
		return error;
	clean.names = argv + optind;
	clean.count = argc - optind;
	if (clean.all && clean.count)
		return usage_error(&clean_verb, "write names, or --all");
	device = dev_open();
	if (device < 0)
		return EVNT_FAILED;
	error = list_all_sessions(device, &clean.list);
	if (!error)
		error = choose(&clean);
	if (!error && (clean.all || clean.count))
		error = end_all(&clean, device);
	else if (!error)
		show(&clean);
	if (!error && !clean.json && !clean.list.count)
		note("no session is abandoned");
	else if (!error && !clean.json && !clean.all && !clean.count)
		note("to end them, write their names, or --all");
	free_sessions(&clean.list);
	error = end_output(error);
	close(device);
	return error;
}

#define AT(field)	offsetof(struct clean, field)

static const struct option_row options[] = {
	OPTION_ROW("all", 'a', NULL, "end all of these sessions", AT(all)),
	OPTION_ROW("yes", 'y', NULL, "do not prompt for confirmation", AT(yes)),
	OPTION_ROW("json", 0, NULL,
		   "print a JSON object per session; see evnt-sessions(1)", AT(json)),
	HELP_ROW,
	{}
};

const struct verb clean_verb = {
	.name = "clean",
	.summary = "end sessions whose owner has exited",
	.synopsis = "[OPTION...] [NAME...]",
	.about = about,
	.options = options,
	.notes = notes,
	.arguments = { "SESSION" },
	.run = run,
};
