// SPDX-License-Identifier: MIT
/* evnt record: records events of some providers for a while. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "json.h"
#include "losses.h"
#include "record_in_process.h"
#include "registered.h"
#include "session_show.h"
#include "session_start.h"
#include "silence.h"
#include "trace_door.h"

static const char help[] =
"Usage: evnt record -p SPEC... -o FILE.etl [OPTION...] [-- COMMAND...]\n"
"Records events into a log file while COMMAND runs, or until Ctrl-C.\n\n"
"  -p, --provider SPEC   which provider, and what of it; may be repeated\n"
"  -o, --output FILE     the log file; one that exists is overwritten\n"
"  -n, --name NAME       the session's name; default: evnt-PID\n"
"      --in-process      without the module: each process of COMMAND records\n"
"                        itself, children into FILE.etl_PID\n"
SESSION_OPTIONS_HELP
"      --json            print the outcome as JSON to stdout\n"
"  -h, --help            print this\n\n"
FILTER_OPTIONS_HELP
MANIFEST_HELP "\n"
SPEC_HELP
"\nThe exit status is COMMAND's, if it is run.\n\n"
"Examples:\n"
"  evnt record -p '*Evntprov-Sample' -o sample.etl -- evnt-sample\n"
"  evnt record -p '*My-Server:0x3:Warning+*My-Library' -o log.etl\n";

#define OPTION_IN_PROCESS	OPTION_OWN

/**
 * struct recording - one run
 * @options: what the session is to be
 * @silence: why nothing came, if that is so
 * @name: session's name
 * @command: what to run, or NULL
 * @in_process: each process of it records itself
 * @door: /dev/evntrace, to look on
 * @bound: the session ends when this is closed
 * @handle: the session
 * @child: the command, as it runs
 * @end: what the session had recorded when it was stopped
 * @stop_error: why it could not be stopped, an errno
 */
struct recording {
	struct session_options options;
	struct silence silence;
	const char *name;
	char **command;
	bool in_process;
	int door;
	int bound;
	TRACEHANDLE handle;
	struct child child;
	struct door_session end;
	int stop_error;
};

/* Another program may stop our session */
static bool session_runs(struct recording *recording)
{
	return !door_query(recording->door, recording->handle,
			   &recording->end);
}

static bool goes_on(struct recording *recording)
{
	struct child *child = &recording->child;

	/* The first Ctrl-C is the command's; by the second it had its time */
	if (recording->command)
		return child->pid && child->interrupted < 2;
	return !child->interrupted && session_runs(recording);
}

static void wait_for_end(struct recording *recording)
{
	/* Short at first, to see a command that ends soon */
	for (int ms = 5; goes_on(recording); ms = ms < 200 ? ms + 5 : ms) {
		silence_look(&recording->silence);
		child_wait(&recording->child, ms);
	}
	silence_look(&recording->silence);
	silence_judge(&recording->silence);
}

/* Returns an exit code if there was nothing to record */
static int run_recording(struct recording *recording)
{
	struct child *child = &recording->child;

	if (!recording->command)
		note("recording into '%s' as session '%s'; Ctrl-C ends it",
		     recording->end.log_name, recording->name);
	else if (!child_start(child, recording->command))
		return child->status ? child->status : EVNT_FAILED;
	wait_for_end(recording);
	return EVNT_DONE;
}

/* It is being stopped by others: its log is complete when it is gone */
static int await_end(struct recording *recording)
{
	int error;

	do {
		child_wait(&recording->child, 5);
		error = door_query(recording->door, recording->handle,
				   &recording->end);
	} while (!error);
	return error;
}

static void stop_session(struct recording *recording)
{
	recording->stop_error = door_stop(recording->door, recording->handle,
					  &recording->end);
	if (recording->stop_error == EALREADY)
		recording->stop_error = await_end(recording);
	close(recording->bound);
}

static void tell_outcome(const struct recording *recording)
{
	tell_recorded(&recording->end);
	if (!recording->end.info.events)
		silence_tell(&recording->silence);
}

static json_object *providers_array(const struct recording *recording)
{
	const struct spec_list *specs = &recording->options.specs;
	json_object *array = json_object_new_array();

	for (size_t i = 0; i < specs->count; i++) {
		const struct spec *spec = &specs->specs[i];
		json_object *object = json_object_new_object();
		bool seen = recording->silence.seen[i].is_seen;

		json_add_guid(object, "id", &spec->id);
		json_object_object_add(object, "group",
				       json_object_new_boolean(spec->group));
		if (spec->name[0])
			json_add_text(object, "name", spec->name);
		json_add_number(object, "level", spec->level);
		json_add_mask(object, "keywords", spec->keywords);
		json_object_object_add(object, "seen_registered",
				       json_object_new_boolean(seen));
		json_object_array_add(array, object);
	}
	return array;
}

static void print_outcome(const struct recording *recording)
{
	const struct evntrace_session *end = &recording->end.info;
	json_object *object = json_object_new_object();

	if (recording->options.file)
		json_add_text(object, "file", recording->options.file);
	json_add_text(object, "session", recording->name);
	json_add_number(object, "events", end->events);
	add_losses(object, end);
	json_add_number(object, "bytes", end->bytes_written);
	if (recording->command)
		json_add_number(object, "exit_status",
				recording->child.status);
	json_object_object_add(object, "providers",
			       providers_array(recording));
	json_print(object);
}

/* As one does whose file is limited, and does not go round */
static bool ended_by_itself(const struct recording *recording)
{
	static const ULONG goes_on = EVENT_TRACE_FILE_MODE_CIRCULAR |
				     EVENT_TRACE_FILE_MODE_NEWFILE;

	return recording->stop_error == ESRCH && recording->options.max_mb &&
	       !(recording->options.mode & goes_on);
}

/* The command's failure is the user's business first, then ours */
static int exit_code(const struct recording *recording)
{
	if (recording->child.status)
		return recording->child.status;
	/* The command lives on, unrecorded */
	if (recording->child.pid)
		return 130;
	if (ended_by_itself(recording))
		return EVNT_DONE;
	return recording->stop_error || recording->end.info.log_errno ?
	       EVNT_FAILED : EVNT_DONE;
}

static int report(const struct recording *recording)
{
	if (ended_by_itself(recording))
		note("'%s' has reached its size, and the session has ended",
		     recording->options.file);
	else if (recording->stop_error == ESRCH)
		failed("somebody else stopped the session; its log file holds"
		       " what came until then");
	else if (recording->stop_error)
		failed("cannot stop the session: %s",
		       door_error(recording->stop_error));
	else if (recording->options.json)
		print_outcome(recording);
	else
		tell_outcome(recording);
	if (!recording->stop_error && recording->options.json)
		tell_losses(&recording->end);
	return end_output(exit_code(recording));
}

static int start(struct recording *recording)
{
	ULONG error;

	error = start_session(&recording->options, recording->name,
			      &recording->handle, &recording->bound);
	if (error)
		return explain_start(&recording->options, recording->name,
				     error);
	/* For its names, whatever becomes of it */
	door_query(recording->door, recording->handle, &recording->end);
	return EVNT_DONE;
}

static int record(struct recording *recording)
{
	int error;

	child_block_signals();
	error = look_up_names(recording->door, &recording->options.specs);
	if (!error)
		error = start(recording);
	if (error)
		return error;
	recording->silence.handle = recording->handle;
	error = enable_specs(recording->handle, &recording->options);
	if (!error)
		error = run_recording(recording);
	stop_session(recording);
	return error ? error : report(recording);
}

/* What the arguments leave open */
static int check_arguments(struct recording *recording, int argc, char **argv)
{
	const struct spec_list *specs = &recording->options.specs;
	static char name[32];

	if (optind < argc)
		recording->command = argv + optind;
	if (!specs->count)
		return misused(&record_verb, "which provider? write -p SPEC");
	snprintf(name, sizeof(name), "evnt-%d", getpid());
	if (!recording->name || !*recording->name)
		recording->name = name;
	return check_session_options(&record_verb, &recording->options);
}

static int parse_arguments(struct recording *recording, int argc, char **argv)
{
	static const struct option options[] = {
		SESSION_OPTIONS,
		MANIFEST_OPTION,
		{ "name", required_argument, NULL, 'n' },
		{ "in-process", no_argument, NULL, OPTION_IN_PROCESS },
		{ NULL, 0, NULL, 0 },
	};
	int c, error = EVNT_DONE;

	/* +: options after the command are the command's */
	while ((c = next_option(&record_verb, argc, argv, "+p:o:n:h",
				options)) != -1) {
		if (c == 'h')
			exit(print_help(&record_verb));
		if (c == 'n')
			recording->name = optarg;
		else if (c == OPTION_IN_PROCESS)
			recording->in_process = true;
		else
			error = session_option(&record_verb,
					       &recording->options, c);
		if (error)
			return error;
	}
	return check_arguments(recording, argc, argv);
}

/* Into a session of the module */
static int record_with_module(struct recording *recording)
{
	int result;

	recording->door = door_open();
	silence_begin(&recording->silence, recording->door,
		      &recording->options.specs);
	if (recording->door < 0)
		return EVNT_FAILED;
	result = record(recording);
	close(recording->door);
	return result;
}

static int run(int argc, char **argv)
{
	struct recording *recording = must_have(calloc(1, sizeof(*recording)));
	int result = parse_arguments(recording, argc, argv);

	if (!result && recording->in_process)
		result = record_in_process(&record_verb, &recording->options,
					   recording->command);
	else if (!result)
		result = record_with_module(recording);
	silence_free(&recording->silence);
	free_session_options(&recording->options);
	free(recording);
	return result;
}

const struct verb record_verb = {
	.name = "record",
	.summary = "record events of some providers into a log file",
	.help = help,
	.run = run,
};
