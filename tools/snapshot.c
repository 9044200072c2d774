// SPDX-License-Identifier: MIT
/* evnt snapshot: writes what a session keeps in memory to a file. */
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "losses.h"
#include "properties.h"
#include "session_list.h"
#include "session_options.h"
#include "trace_snapshot.h"
#include "win32.h"

static const char help[] =
"Usage: evnt snapshot SESSION -o FILE.etl [--json]\n"
"Writes the events that a session keeps in memory to a log file, while it goes\n"
"on: one that was started with --buffering, or --real-time.\n\n"
"  -o, --output FILE  the log file; one that exists is overwritten\n"
"      --json         print the outcome as JSON to stdout\n"
"  -h, --help         print this\n\n"
"Examples:\n"
"  evnt start flight --buffering --buffers 256 -p '*My-Server'\n"
"  evnt snapshot flight -o crash.etl && evnt dump crash.etl\n";

/**
 * struct request - what the user wants
 * @name: the session
 * @file: where to
 * @json: print JSON
 * @done: what was written
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
			      " has others write their file", name);
	case ERROR_WMI_INSTANCE_NOT_FOUND:
		return failed("session '%s' has ended meanwhile", name);
	case ERROR_ACCESS_DENIED:
		return failed("no permission to write '%s', or for session"
			      " '%s': its owner may, root, and those that 'evnt"
			      " access list' shows; where call stacks are in it,"
			      " with CAP_PERFMON alone", file, name);
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

static int take(struct request *request, int door,
		const struct door_session *session)
{
	static const ULONG keeps = EVENT_TRACE_BUFFERING_MODE |
				   EVENT_TRACE_REAL_TIME_MODE;
	WCHAR *file = NULL;
	ULONG code;

	/* Before the file is touched */
	if (!(session->info.log_file_mode & keeps))
		return explain(request, ERROR_NOT_SUPPORTED);
	code = evnt_name_get(&file, request->file, false);
	if (!code)
		code = evnt_trace_snapshot(door, session->info.handle, file,
					   &request->done);
	free(file);
	return code ? explain(request, code) : EVNT_DONE;
}

static uint64_t size_of(const char *file)
{
	struct stat st;

	return stat(file, &st) ? 0 : st.st_size;
}

static void print_outcome(const struct request *request,
			  const struct door_session *session)
{
	json_object *object = json_object_new_object();

	json_add_text(object, "session", session->name);
	json_add_text(object, "file", request->file);
	json_add_number(object, "events", request->done.events);
	json_add_number(object, "buffers", request->done.buffers);
	json_add_number(object, "bytes", size_of(request->file));
	add_losses(object, &session->info);
	json_print(object);
}

/* None may be what was wanted, or a mistake */
static void tell_outcome(const struct request *request)
{
	note("%" PRIu64 " events kept; '%s' has %" PRIu64 " bytes",
	     (uint64_t)request->done.events, request->file,
	     size_of(request->file));
	if (!request->done.events)
		note("session '%s' had no event in memory: has it a provider"
		     " enabled? 'evnt query %s' shows which", request->name,
		     request->name);
}

static int snapshot(struct request *request, int door)
{
	struct door_session session;
	int error = find_session(door, request->name, &session);

	if (!error)
		error = take(request, door, &session);
	if (error)
		return error;
	/* As it is now, unless it has just ended */
	door_query(door, session.info.handle, &session);
	if (request->json)
		print_outcome(request, &session);
	else
		tell_outcome(request);
	tell_losses(&session);
	return end_output(EVNT_DONE);
}

static int check_arguments(struct request *request, int argc, char **argv)
{
	if (optind == argc)
		return misused(&snapshot_verb, "which session? write its name");
	if (argc - optind > 1)
		return misused(&snapshot_verb, "one session at a time, but '%s'"
			       " follows", argv[optind + 1]);
	request->name = argv[optind];
	return check_output(&snapshot_verb, request->file);
}

static int parse_arguments(struct request *request, int argc, char **argv)
{
	static const struct option options[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = next_option(&snapshot_verb, argc, argv, "o:h",
				options)) != -1) {
		if (c == 'h')
			exit(print_help(&snapshot_verb));
		if (c == 'o')
			request->file = optarg;
		else if (c == 'j')
			request->json = true;
		else
			return EVNT_MISUSED;
	}
	return check_arguments(request, argc, argv);
}

static int run(int argc, char **argv)
{
	struct request request = { .file = "" };
	int door, exit_code;

	exit_code = parse_arguments(&request, argc, argv);
	if (exit_code)
		return exit_code;
	door = door_open();
	if (door < 0)
		return EVNT_FAILED;
	exit_code = snapshot(&request, door);
	close(door);
	return exit_code;
}

const struct verb snapshot_verb = {
	.name = "snapshot",
	.summary = "write what a session keeps in memory to a file",
	.help = help,
	.run = run,
};
