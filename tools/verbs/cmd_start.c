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

static int start(int device, struct session_options *options, const char *name)
{
	struct dev_session session;
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
	if (error) {
		dev_stop(device, handle, &session);
		return error;
	}
	error = dev_query(device, handle, &session);
	if (error)
		return failed("the session has ended already: %s",
			      dev_error(error));
	if (options->json)
		json_print(session_object(&session));
	else if (session.log_name[0])
		note("session '%s' runs, and writes '%s'", session.name,
		     session.log_name);
	else
		note("session '%s' runs", session.name);
	report_losses(&session);
	return end_output(EVNT_DONE);
}

static int run(int argc, char **argv)
{
	struct session_options options = { .file = NULL };
	int device, exit_code;

	exit_code = parse_options(&start_verb, argc, argv, &options);
	if (exit_code)
		goto free_options;
	if (optind == argc || !argv[optind][0])
		exit_code = usage_error(&start_verb, "which name should the"
					" session have?");
	else if (argc - optind > 1)
		exit_code = usage_error(&start_verb, "one name is enough, but"
					" '%s' follows", argv[optind + 1]);
	else
		exit_code = check_session_options(&start_verb, &options);
	if (exit_code)
		goto free_options;
	device = dev_open();
	exit_code = device < 0 ? EVNT_FAILED :
			       start(device, &options, argv[optind]);
	close(device);
free_options:
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
