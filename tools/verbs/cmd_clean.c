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
"Ends sessions whose owner, the process that started them, has exited: the\n"
"named ones, or all.  They include sessions of 'evnt start', which exits at once.\n"
"On a terminal, the sessions are shown first and must be confirmed.\n";

static const char notes[] =
"Examples:\n"
"  evnt clean --dry-run\n"
"  evnt clean --yes server\n";

/**
 * struct clean - options and state of the verb
 * @names: sessions to end, @count of them; empty: all abandoned ones
 * @list: running sessions
 * @dry: only show the sessions
 * @yes: do not prompt
 * @json: print JSON
 */
struct clean {
	char **names;
	int count;
	struct session_list list;
	bool dry;
	bool yes;
	bool json;
};

static bool is_abandoned(const struct dev_session *session)
{
	static const __u32 held = EVNTRACE_SESSION_OWNED |
				  EVNTRACE_SESSION_BOUND;

	return !(session->info.flags & held);
}

/* Keep only the sessions that @wanted accepts */
static void keep(struct session_list *list,
		 bool (*wanted)(const struct dev_session *session))
{
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++) {
		if (wanted(&list->sessions[i]))
			list->sessions[kept++] = list->sessions[i];
	}
	list->count = kept;
}

/*
 * Check all named sessions before any is ended: each must exist and be
 * abandoned
 */
static int choose_named(struct clean *clean)
{
	const struct dev_session *session;
	struct session_list chosen = { NULL, 0 };
	int error = EVNT_DONE;
	char owner[OWNER_TEXT];

	chosen.sessions = must_have(calloc(clean->count,
					   sizeof(*chosen.sessions)));
	for (int i = 0; i < clean->count; i++) {
		session = find_in_list(&clean->list, clean->names[i]);
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
	free_sessions(&clean->list);
	clean->list = chosen;
	return error;
}

static int choose(struct clean *clean)
{
	if (clean->count)
		return choose_named(clean);
	keep(&clean->list, is_abandoned);
	return EVNT_DONE;
}

static void show_table(const struct session_list *list)
{
	struct table table = { .columns = 3 };
	char owner[OWNER_TEXT];

	table_add(&table, (const char *[]){ "NAME", "OWNER", "FILE" });
	for (size_t i = 0; i < list->count; i++) {
		const struct dev_session *session = &list->sessions[i];

		table_add(&table, (const char *[]){
			session->name, owner_text(&session->info, owner),
			session->log_name
		});
	}
	table_print(&table);
}

static void show(const struct clean *clean)
{
	if (!clean->json && clean->list.count)
		show_table(&clean->list);
	for (size_t i = 0; i < clean->list.count && clean->json; i++)
		json_print(session_object(&clean->list.sessions[i]));
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

static int end_session(const struct clean *clean, int device,
		       struct dev_session *session)
{
	int error = dev_stop(device, session->info.handle, session);

	/* The session has been stopped by another process */
	if (error == ESRCH || error == EALREADY)
		return EVNT_DONE;
	if (error)
		return explain_act(session, "stop", error);
	if (clean->json) {
		json_print(session_object(session));
		report_losses(session);
	} else {
		note("session '%s' ended", session->name);
		report_recorded(session);
	}
	return EVNT_DONE;
}

static int end_all(struct clean *clean, int device)
{
	int error, exit_code = EVNT_DONE;

	if (!is_agreed(clean)) {
		note("nothing was ended");
		return EVNT_FAILED;
	}
	for (size_t i = 0; i < clean->list.count; i++) {
		error = end_session(clean, device, &clean->list.sessions[i]);
		if (error)
			exit_code = error;
	}
	return exit_code;
}

static int clean_up(struct clean *clean, int device)
{
	int error = list_all_sessions(device, &clean->list);

	if (!error)
		error = choose(clean);
	if (!error && clean->dry)
		show(clean);
	else if (!error)
		error = end_all(clean, device);
	if (!error && !clean->list.count && !clean->json)
		note("no session is abandoned");
	free_sessions(&clean->list);
	return end_output(error);
}

static int run(int argc, char **argv)
{
	struct clean clean = { .names = NULL };
	int device, exit_code;

	exit_code = parse_options(&clean_verb, argc, argv, &clean);
	if (exit_code)
		return exit_code;
	clean.names = argv + optind;
	clean.count = argc - optind;
	device = dev_open();
	if (device < 0)
		return EVNT_FAILED;
	exit_code = clean_up(&clean, device);
	close(device);
	return exit_code;
}

#define AT(field)	offsetof(struct clean, field)

static const struct option_row options[] = {
	OPTION_ROW("dry-run", 'n', NULL, "only show the sessions", AT(dry)),
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
