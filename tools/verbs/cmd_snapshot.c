// SPDX-License-Identifier: MIT
/* evnt snapshot: writes the events in memory of a session to a file */
#include <getopt.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/common/options.h"
#include "tools/session/losses.h"
#include "lib/base/properties.h"
#include "tools/session/session_list.h"
#include "tools/session/session_options.h"
#include "lib/control/trace_snapshot.h"
#include "tools/common/win32.h"

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

static int explain(const struct request *request, ULONG code)
{
	const char *name = request->name, *file = request->file;

	switch (code) {
	case ERROR_NOT_SUPPORTED:
		return failed("session '%s' keeps no events in memory: start it"
			      " with --buffering or --real-time; 'evnt flush'"
			      " makes other sessions write their file", name);
	case ERROR_WMI_INSTANCE_NOT_FOUND:
		return failed("session '%s' has already ended", name);
	case ERROR_ACCESS_DENIED:
		return failed("no permission to write '%s', or for session"
			      " '%s': its owner and root have it, and users that"
			      " 'evnt access list' shows; call stacks need"
			      " CAP_PERFMON", file, name);
	case ERROR_PATH_NOT_FOUND:
	case ERROR_BAD_PATHNAME:
		return failed("cannot create '%s': does its directory exist,"
			      " and does no session write to it?", file);
	case ERROR_DISK_FULL:
		return failed("no space left for '%s', which is empty now",
			      file);
	default:
		return failed("cannot write session '%s' to '%s': %s (error"
			      " %u)", name, file, win32_text(code), code);
	}
}

static int take(struct request *request, int device,
		const struct dev_session *session)
{
	static const ULONG keeps = EVENT_TRACE_BUFFERING_MODE |
				   EVENT_TRACE_REAL_TIME_MODE;
	WCHAR *file = NULL;
	int error, fd;
	ULONG code;

	/* Refuse before the file is created or truncated */
	if (!(session->info.log_file_mode & keeps))
		return explain(request, ERROR_NOT_SUPPORTED);
	code = evnt_name_get(&file, request->file, false);
	if (code)
		return explain(request, code);
	error = dev_open_session(device, session->info.handle, &fd);
	if (error) {
		code = evnt_win32(error);
	} else {
		code = evnt_trace_snapshot(fd, file, &request->done);
		close(fd);
	}
	free(file);
	return code ? explain(request, code) : EVNT_DONE;
}

static uint64_t size_of(const char *file)
{
	struct stat st;

	return stat(file, &st) ? 0 : st.st_size;
}

static int snapshot(struct request *request, int device)
{
	const struct evntrace_snapshot *done = &request->done;
	struct dev_session session;
	json_object *object;
	int error = find_session(device, request->name, &session);

	if (!error)
		error = take(request, device, &session);
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
		note("%" PRIu64 " events kept; '%s' has %" PRIu64 " bytes",
		     (uint64_t)done->events, request->file,
		     size_of(request->file));
		/* This may be a mistake, so suggest a check */
		if (!done->events)
			note("session '%s' had no event in memory: is a"
			     " provider enabled? 'evnt query %s' lists them",
			     request->name, request->name);
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
