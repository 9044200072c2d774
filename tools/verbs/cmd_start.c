// SPDX-License-Identifier: MIT
/* evnt start: starts a session that runs until it is stopped */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/options.h"
#include "tools/session/losses.h"
#include "tools/session/registered.h"
#include "tools/session/session_show.h"
#include "tools/session/session_start.h"
#include "tools/session/control.h"

static const char about[] =
"Starts a session that runs until 'evnt stop NAME', even if its creator exits.\n";

static const char notes[] =
"Examples:\n"
"  evnt start server -o server.etl -p '*My-Server' --circular 64 --flush 1\n"
"  evnt stop server\n";

static int show(int device, TRACEHANDLE handle, bool json)
{
	struct dev_session session;
	int error = dev_query(device, handle, &session);

	if (error)
		return failed("the session has ended already: %s",
			      dev_error(error));
	if (json)
		json_print(session_object(&session));
	else if (session.log_name[0])
		note("session '%s' runs, and writes '%s'", session.name,
		     session.log_name);
	else
		note("session '%s' runs", session.name);
	report_losses(&session);
	return end_output(EVNT_DONE);
}

/* Stop a session whose providers could not be enabled */
static void undo(int device, TRACEHANDLE handle)
{
	struct dev_session session;

	dev_stop(device, handle, &session);
}

static int start(int device, struct session_options *options, const char *name)
{
	TRACEHANDLE handle;
	ULONG code;
	int error;

	error = look_up_names(device, &options->specs);
	if (error)
		return error;
	code = start_session(options, name, &handle, NULL);
	if (code)
		return explain_start(options, name, code);
	error = enable_specs(handle, options);
	if (error)
		undo(device, handle);
	return error ? error : show(device, handle, options->json);
}

/* Parse the arguments, with the session name anywhere among the options */
static int parse_arguments(struct session_options *options, int argc,
			   char **argv, const char **name)
{
	int error = parse_options(&start_verb, argc, argv, options);

	if (error)
		return error;
	if (optind == argc || !argv[optind][0])
		return usage_error(&start_verb, "which name should the session"
				   " have?");
	if (argc - optind > 1)
		return usage_error(&start_verb, "one name is enough, but '%s'"
				   " follows", argv[optind + 1]);
	*name = argv[optind];
	return check_session_options(&start_verb, options);
}

static int run(int argc, char **argv)
{
	struct session_options options = { .file = NULL };
	const char *name = NULL;
	int device, exit_code;

	exit_code = parse_arguments(&options, argc, argv, &name);
	if (!exit_code) {
		device = dev_open();
		exit_code = device < 0 ? EVNT_FAILED :
				       start(device, &options, name);
		close(device);
	}
	free_session_options(&options);
	return exit_code;
}

#define AT(field)	offsetof(struct session_options, field)

static const struct option_row options[] = {
	OPTION_ROW("output", 'o', "FILE", "log file; an existing file is overwritten",
		   AT(file), .complete = "FILE.etl"),
	OPTION_ROW("provider", 'p', "SPEC",
		   "provider and events to record; may be repeated, and 'evnt enable'"
		   " adds more", AT(specs), take_specs),
	INCLUDE_ROWS(session_rows, 0),
	OPTION_ROW("json", 0, NULL, "print the session as JSON; see evnt-sessions(1)",
		   AT(json)),
	HELP_ROW,
	INCLUDE_ROWS(filter_rows, AT(filters)),
	INCLUDE_ROWS(record_manifest_rows, 0),
	INCLUDE_ROWS(spec_rows, 0),
	{}
};

const struct verb start_verb = {
	.name = "start",
	.summary = "start a session that runs until it is stopped",
	.synopsis = "NAME -o FILE.etl [-p SPEC...] [OPTION...]",
	.about = about,
	.options = options,
	.notes = notes,
	.run = run,
};
