// SPDX-License-Identifier: MIT
/* evnt snapshot: writes the events in memory of a session to a file */
#include <getopt.h>
#include <stddef.h>
#include <unistd.h>

#include "tools/common/options.h"
#include "tools/session/losses.h"
#include "tools/session/session_list.h"
#include "tools/session/session_options.h"
#include "tools/session/session_snapshot.h"

static const char about[] =
"Writes a session's events in memory to a log file, while the session goes on.\n"
"It must have been started with --buffering or --real-time.\n";

static const char notes[] =
"Examples:\n"
"  evnt start flight --buffering --buffers 256 -p '*My-Server'\n"
"  evnt snapshot flight -o crash.etl && evnt dump crash.etl\n";

/**
 * struct request - request of the user
 * @name: session name
 * @file: output file
 * @json: print JSON
 * @done: result of the snapshot
 */
struct request {
	const char *name;
	const char *file;
	bool json;
	struct evntrace_snapshot done;
};

static int snapshot(struct request *request, int device)
{
	const struct evntrace_snapshot *done = &request->done;
	struct dev_session session;
	json_object *object;
	int error = find_session(device, request->name, &session);

	if (!error)
		error = take_snapshot(device, &session, request->file,
				      &request->done);
	if (error)
		return error;
	/*
	 * Query the current state; if the session has just ended, keep the
	 * previous one
	 */
	dev_query(device, session.info.handle, &session);
	if (request->json) {
		object = json_object_new_object();
		json_add_text(object, "session", session.name);
		json_add_text(object, "file", request->file);
		json_add_number(object, "events", done->events);
		json_add_number(object, "buffers", done->buffers);
		json_add_number(object, "bytes", size_of(request->file));
		add_losses(object, &session);
		json_print(object);
	} else {
		report_snapshot(&session, request->file, done);
	}
	report_losses(&session);
	return end_output(EVNT_DONE);
}

static int run(int argc, char **argv)
{
	struct request request = { .file = "" };
	int device, exit_code;

	exit_code = parse_options(&snapshot_verb, argc, argv, &request);
	if (exit_code)
		return exit_code;
	if (optind == argc)
		return usage_error(&snapshot_verb,
				   "which session? write its name");
	if (argc - optind > 1)
		return usage_error(&snapshot_verb,
				   "one session at a time, but '%s'"
				   " follows",
				   argv[optind + 1]);
	request.name = argv[optind];
	exit_code = check_output(&snapshot_verb, request.file);
	if (exit_code)
		return exit_code;
	device = dev_open();
	if (device < 0)
		return EVNT_FAILED;
	exit_code = snapshot(&request, device);
	close(device);
	return exit_code;
}

#define AT(field)	offsetof(struct request, field)

static const struct option_row options[] = {
	OPTION_ROW("output", 'o', "FILE", "log file; an existing file is overwritten",
		   AT(file), .complete = "FILE.etl"),
	OPTION_ROW("json", 0, NULL, "print the result as JSON on stdout", AT(json)),
	HELP_ROW,
	{}
};

const struct verb snapshot_verb = {
	.name = "snapshot",
	.summary = "write the events in memory of a session to a file",
	.synopsis = "SESSION -o FILE.etl [--json]",
	.about = about,
	.options = options,
	.notes = notes,
	.arguments = { "SESSION" },
	.run = run,
};
