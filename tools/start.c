// SPDX-License-Identifier: MIT
/* evnt start: starts a session that lives until somebody stops it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "losses.h"
#include "registered.h"
#include "session_show.h"
#include "session_start.h"
#include "trace_door.h"

static const char help[] =
"Usage: evnt start NAME -o FILE.etl [-p SPEC...] [OPTION...]\n"
"Starts a session that runs until 'evnt stop NAME', whoever started it.\n\n"
"  -o, --output FILE     the log file; one that exists is overwritten\n"
"  -p, --provider SPEC   which provider, and what of it; may be repeated, and\n"
"                        'evnt enable' adds more\n"
SESSION_OPTIONS_HELP
"      --json            print the session as JSON; see evnt-sessions(1)\n"
"  -h, --help            print this\n\n"
FILTER_OPTIONS_HELP
MANIFEST_HELP "\n"
SPEC_HELP
"\nExamples:\n"
"  evnt start server -o server.etl -p '*My-Server' --circular 64 --flush 1\n"
"  evnt stop server\n";

static int show(int door, TRACEHANDLE handle, bool json)
{
	struct door_session session;
	int error = door_query(door, handle, &session);

	if (error)
		return failed("the session has ended already: %s",
			      door_error(error));
	if (json)
		json_print(session_object(&session));
	else if (session.log_name[0])
		note("session '%s' runs, and writes '%s'", session.name,
		     session.log_name);
	else
		note("session '%s' runs", session.name);
	tell_losses(&session);
	return end_output(EVNT_DONE);
}

/* As if it had not been */
static void undo(int door, TRACEHANDLE handle)
{
	struct door_session session;

	door_stop(door, handle, &session);
}

static int start(int door, struct session_options *options, const char *name)
{
	TRACEHANDLE handle;
	ULONG code;
	int error;

	error = look_up_names(door, &options->specs);
	if (error)
		return error;
	code = start_session(options, name, &handle, NULL);
	if (code)
		return explain_start(options, name, code);
	error = enable_specs(handle, options);
	if (error)
		undo(door, handle);
	return error ? error : show(door, handle, options->json);
}

/* Finds the name among the options */
static int parse_arguments(struct session_options *options, int argc,
			   char **argv, const char **name)
{
	static const struct option long_options[] = {
		SESSION_OPTIONS,
		MANIFEST_OPTION,
		{ NULL, 0, NULL, 0 },
	};
	int c, error;

	while ((c = next_option(&start_verb, argc, argv, "p:o:h",
				long_options)) != -1) {
		if (c == 'h')
			exit(print_help(&start_verb));
		error = session_option(&start_verb, options, c);
		if (error)
			return error;
	}
	if (optind == argc || !argv[optind][0])
		return misused(&start_verb, "which name is the session to"
			       " have?");
	if (argc - optind > 1)
		return misused(&start_verb, "one name is enough, but '%s'"
			       " follows", argv[optind + 1]);
	*name = argv[optind];
	return check_session_options(&start_verb, options);
}

static int run(int argc, char **argv)
{
	struct session_options options = { .file = NULL };
	const char *name = NULL;
	int door, exit_code;

	exit_code = parse_arguments(&options, argc, argv, &name);
	if (!exit_code) {
		door = door_open();
		exit_code = door < 0 ? EVNT_FAILED :
				       start(door, &options, name);
		close(door);
	}
	free_session_options(&options);
	return exit_code;
}

const struct verb start_verb = {
	.name = "start",
	.summary = "start a session that runs until it is stopped",
	.help = help,
	.run = run,
};
