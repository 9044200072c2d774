// SPDX-License-Identifier: MIT
/* evnt clean: ends sessions whose owner has ended. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "losses.h"
#include "session_list.h"
#include "session_show.h"
#include "table.h"

static const char help[] =
"Usage: evnt clean [OPTION...] [NAME...]\n"
"Ends sessions whose owner, the process that started them, has ended: those\n"
"named, or all.  Sessions of 'evnt start' are among them, as 'evnt start' ends\n"
"at once.  On a terminal it shows them, and asks.\n\n"
"  -n, --dry-run  show them only\n"
"  -y, --yes      do not ask\n"
"      --json     one object of JSON for each; see evnt-sessions(1)\n"
"  -h, --help     print this\n\n"
"Examples:\n"
"  evnt clean --dry-run\n"
"  evnt clean --yes server\n";

/**
 * struct clean - what is to be done
 * @names: sessions, @count of them; none: all
 * @list: those that run
 * @dry: show them only
 * @yes: do not ask
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

static bool is_abandoned(const struct door_session *session)
{
	static const __u32 held = EVNTRACE_SESSION_OWNED |
				  EVNTRACE_SESSION_BOUND;

	return !(session->info.flags & held);
}

/* Keeps those of the list that are to be ended */
static void keep(struct session_list *list,
		 bool (*wanted)(const struct door_session *session))
{
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++) {
		if (wanted(&list->sessions[i]))
			list->sessions[kept++] = list->sessions[i];
	}
	list->count = kept;
}

/* What is named has to be there, and to be nobody's, before anything is ended */
static int choose_named(struct clean *clean)
{
	const struct door_session *session;
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
		const struct door_session *session = &list->sessions[i];

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

/* A script has decided; a person may have not */
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

static int end_session(const struct clean *clean, int door,
		       struct door_session *session)
{
	int error = door_stop(door, session->info.handle, session);

	/* Somebody else was quicker */
	if (error == ESRCH || error == EALREADY)
		return EVNT_DONE;
	if (error)
		return explain_act(session, "stop", error);
	if (clean->json) {
		json_print(session_object(session));
		tell_losses(session);
	} else {
		note("session '%s' ended", session->name);
		tell_recorded(session);
	}
	return EVNT_DONE;
}

static int end_all(struct clean *clean, int door)
{
	int error, exit_code = EVNT_DONE;

	if (!is_agreed(clean)) {
		note("nothing was ended");
		return EVNT_FAILED;
	}
	for (size_t i = 0; i < clean->list.count; i++) {
		error = end_session(clean, door, &clean->list.sessions[i]);
		if (error)
			exit_code = error;
	}
	return exit_code;
}

static int clean_up(struct clean *clean, int door)
{
	int error = list_all_sessions(door, &clean->list);

	if (!error)
		error = choose(clean);
	if (!error && clean->dry)
		show(clean);
	else if (!error)
		error = end_all(clean, door);
	if (!error && !clean->list.count && !clean->json)
		note("no session is abandoned");
	free_sessions(&clean->list);
	return end_output(error);
}

static bool parse_options(struct clean *clean, int argc, char **argv,
			  int *exit_code)
{
	static const struct option options[] = {
		{ "dry-run", no_argument, NULL, 'n' },
		{ "yes", no_argument, NULL, 'y' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	*exit_code = EVNT_MISUSED;
	while ((c = next_option(&clean_verb, argc, argv, "nyh",
				options)) != -1) {
		if (c == 'n')
			clean->dry = true;
		else if (c == 'y')
			clean->yes = true;
		else if (c == 'j')
			clean->json = true;
		else if (c == 'h')
			*exit_code = print_help(&clean_verb);
		if (c == 'h' || c == '?')
			return false;
	}
	clean->names = argv + optind;
	clean->count = argc - optind;
	return true;
}

static int run(int argc, char **argv)
{
	struct clean clean = { .names = NULL };
	int door, exit_code;

	if (!parse_options(&clean, argc, argv, &exit_code))
		return exit_code;
	door = door_open();
	if (door < 0)
		return EVNT_FAILED;
	exit_code = clean_up(&clean, door);
	close(door);
	return exit_code;
}

const struct verb clean_verb = {
	.name = "clean",
	.summary = "end the sessions whose owner has ended",
	.help = help,
	.run = run,
};
