// SPDX-License-Identifier: MIT
/* evnt record: records events of some providers for a while */
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/options.h"
#include "tools/filter/idle_filters.h"
#include "tools/session/child.h"
#include "tools/common/json.h"
#include "tools/session/late_where.h"
#include "tools/session/losses.h"
#include "tools/session/registered.h"
#include "tools/session/session_show.h"
#include "tools/session/session_start.h"
#include "tools/session/trigger.h"
#include "tools/session/why_empty.h"
#include "tools/session/control.h"

static const char about[] =
"Records events into a log file while COMMAND runs, or until Ctrl-C.\n";

static const char notes[] =
"The exit status is COMMAND's, if given. --duration ends COMMAND by SIGTERM;\n"
"if it ends so, the exit status is 0.\n\n"
"Examples:\n"
"  evnt record -p '*Evntprov-Sample' -o sample.etl -- evnt-sample\n"
"  evnt record -p '*My-Server:0x3:Warning+*My-Library' -o log.etl\n"
"  evnt record -p '*My-Server' --duration 10 -o log.etl\n";

/**
 * struct recording - a run of the verb
 * @options: options of the session
 * @selection: the part of its filters that is evaluated at the end
 * @why_empty: observations that explain an empty recording
 * @name: session name
 * @command: command to record, or NULL
 * @in_process: each process of the command records itself
 * @limits: limits of the recording
 * @trigger: events that end the recording or start an action
 * @device: descriptor of /dev/evntrace, for queries
 * @bound: descriptor whose closing ends the session
 * @handle: session handle
 * @child: running command
 * @end: properties of the session when it was stopped
 * @stop_error: errno of stopping the session
 */
struct recording {
	struct session_options options;
	struct selection selection;
	struct why_empty why_empty;
	const char *name;
	char **command;
	bool in_process;
	struct record_limits limits;
	struct trigger trigger;
	int device;
	int bound;
	TRACEHANDLE handle;
	struct child child;
	struct dev_session end;
	int stop_error;
};

static bool goes_on(struct recording *recording)
{
	struct child *child = &recording->child;

	trigger_act(&recording->trigger, recording->device, recording->handle);
	if (trigger_ends(&recording->trigger) && !child->is_ended)
		child_end(child);

	/*
	 * The first Ctrl-C gives the command time to end; the second ends the
	 * recording
	 */
	if (recording->command)
		return child->pid && child->interrupted < 2;
	/* Another program may have stopped the session */
	return !child->interrupted &&
	       !dev_query(recording->device, recording->handle,
			  &recording->end);
}

/* Return an exit code if there was nothing to record */
static int run_recording(struct recording *recording)
{
	struct child *child = &recording->child;

	if (!recording->command)
		note("recording into '%s' as session '%s'; Ctrl-C ends it",
		     recording->end.log_name, recording->name);
	else if (!child_start(child, recording->command))
		return child->status ? child->status : EVNT_FAILED;
	child_limit(child, recording->limits.seconds);
	/* Poll often at first, to notice a short command's end */
	for (int ms = 5; goes_on(recording); ms = ms < 200 ? ms + 5 : ms) {
		why_empty_look(&recording->why_empty);
		trigger_flush(&recording->trigger, recording->device);
		child_wait(child, ms);
	}
	why_empty_look(&recording->why_empty);
	why_empty_evaluate(&recording->why_empty);
	return EVNT_DONE;
}

static void stop_session(struct recording *recording)
{
	int error;

	error = dev_stop(recording->device, recording->handle, &recording->end);
	if (error == EALREADY) {
		/* Another program stops it: wait until its log is complete */
		do {
			child_wait(&recording->child, 5);
			error = dev_query(recording->device, recording->handle,
					  &recording->end);
		} while (!error);
	}
	recording->stop_error = error;
	close(recording->bound);
}

static json_object *providers_array(const struct recording *recording)
{
	const struct spec_list *specs = &recording->options.specs;
	json_object *array = json_object_new_array();

	for (size_t i = 0; i < specs->count; i++) {
		const struct spec *spec = &specs->specs[i];
		json_object *object = json_object_new_object();
		bool seen = recording->why_empty.seen[i].is_seen;

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
	add_losses(object, &recording->end);
	json_add_number(object, "bytes", end->bytes_written);
	json_add_number(object, "registrations", end->registrations);
	json_add_number(object, "registrations_excluded",
			end->registrations_excluded);
	json_add_number(object, "events_filtered", end->events_filtered);
	if (recording->command)
		json_add_number(object, "exit_status",
				recording->child.status);
	json_object_object_add(object, "providers",
			       providers_array(recording));
	json_print(object);
}

/*
 * Have conditions on fields evaluated at the end if no manifest describes the
 * events of a provider
 */
static int take_late_where(struct recording *recording)
{
	if (!recording->options.filters.where ||
	    !late_where_is_possible(&recording->options))
		return EVNT_DONE;
	return late_where_take(&record_verb, &recording->options,
			       &recording->selection,
			       "at the end of the recording");
}

static int select_late(struct recording *recording)
{
	struct evntrace_session *end = &recording->end.info;
	unsigned long long size = end->bytes_written;
	int error;

	if (!recording->selection.where || !end->events)
		return EVNT_DONE;
	error = late_where_select(recording->options.file,
				  &recording->selection, &size);
	if (!error) {
		end->events = recording->selection.taken;
		end->bytes_written = size;
	}
	return error;
}

/*
 * Return whether the session has ended because its file reached the maximum
 * size
 */
static bool ended_by_itself(const struct recording *recording)
{
	static const ULONG goes_on = EVENT_TRACE_FILE_MODE_CIRCULAR |
				     EVENT_TRACE_FILE_MODE_NEWFILE;

	return recording->stop_error == ESRCH && recording->options.max_mb &&
	       !(recording->options.mode & goes_on);
}

/* The command's exit status takes precedence over errors of the recording */
static int exit_code(const struct recording *recording)
{
	if (recording->child.status)
		return recording->child.status;
	/* The command goes on running unrecorded */
	if (recording->child.pid)
		return 130;
	if (ended_by_itself(recording))
		return EVNT_DONE;
	if (recording->stop_error || recording->end.info.log_errno)
		return EVNT_FAILED;
	return recording->end.info.events || !recording->limits.needs_events ?
	       EVNT_DONE : record_is_empty();
}

static int report(const struct recording *recording)
{
	if (ended_by_itself(recording)) {
		note("'%s' has reached its size, and the session has ended",
		     recording->options.file);
	} else if (recording->stop_error == ESRCH) {
		failed("another process stopped the session; its log file has"
		       " the events until then");
	} else if (recording->stop_error) {
		failed("cannot stop the session: %s",
		       dev_error(recording->stop_error));
	} else if (recording->options.json) {
		print_outcome(recording);
		report_losses(&recording->end);
	} else {
		report_recorded(&recording->end);
		idle_filters_report(&recording->options.filters,
				    recording->options.file);
		if (!recording->end.info.events && !recording->selection.seen)
			why_empty_report(&recording->why_empty,
					 &recording->end.info,
					 recording->options.file);
	}
	return end_output(exit_code(recording));
}

/* Complete the arguments with defaults, and check them */
static int check_arguments(struct recording *recording, int argc, char **argv)
{
	struct session_options *options = &recording->options;
	const struct spec_list *specs = &options->specs;
	static char name[32];
	int error;

	if (optind < argc)
		recording->command = argv + optind;
	if (!specs->count && !options->enable_flags)
		return usage_error(&record_verb, "which provider? write -p SPEC,"
				   " or --system for events of the kernel");
	snprintf(name, sizeof(name), "evnt-%d", getpid());
	if (!recording->name || !*recording->name)
		recording->name = name;
	error = trigger_check(&record_verb, &recording->trigger);
	if (error)
		return error;
	if (recording->in_process && trigger_is_given(&recording->trigger))
		return usage_error(&record_verb, "--until and --on need the module:"
				   " they exclude --in-process");
	if (recording->trigger.snapshot &&
	    !(options->mode & EVENT_TRACE_REAL_TIME_MODE)) {
		if (options->file)
			return usage_error(&record_verb, "--snapshot writes events"
					   " that are kept in memory, not in a"
					   " file: leave out -o");
		options->mode |= EVENT_TRACE_BUFFERING_MODE;
	}
	return check_session_options(&record_verb, options);
}

/* Record with a session of the module */
static int record_with_module(struct recording *recording)
{
	struct session_options *options = &recording->options;
	ULONG code;
	int error, late;

	recording->device = dev_open();
	why_empty_begin(&recording->why_empty, recording->device,
			&options->specs);
	if (recording->device < 0)
		return EVNT_FAILED;
	child_block_signals();
	error = look_up_names(recording->device, &options->specs);
	if (!error)
		error = take_late_where(recording);
	if (error)
		goto close_device;
	code = start_session(options, recording->name, &recording->handle,
			     &recording->bound);
	if (code) {
		error = explain_start(options, recording->name, code);
		goto close_device;
	}
	/* Query the session's names; an error is harmless */
	dev_query(recording->device, recording->handle, &recording->end);
	recording->why_empty.handle = recording->handle;
	error = enable_specs(recording->handle, options);
	if (!error)
		error = trigger_begin(&recording->trigger, options,
				      recording->name);
	if (!error)
		error = run_recording(recording);
	trigger_end(&recording->trigger, recording->device, recording->handle,
		    error);
	stop_session(recording);
	if (!error) {
		late = select_late(recording);
		error = report(recording);
		error = error ? error : late;
	}
close_device:
	close(recording->device);
	return error;
}

static int run(int argc, char **argv)
{
	struct recording *recording = must_have(calloc(1, sizeof(*recording)));
	int result;

	recording->trigger.bound = -1;
	result = parse_options(&record_verb, argc, argv, recording);
	if (!result)
		result = check_arguments(recording, argc, argv);
	if (!result && recording->in_process)
		result = record_in_process(&record_verb, &recording->options,
					   recording->command,
					   &recording->limits);
	else if (!result)
		result = record_with_module(recording);
	why_empty_free(&recording->why_empty);
	free_session_options(&recording->options);
	selection_free(&recording->selection);
	free(recording);
	return result;
}

#define AT(field)	offsetof(struct recording, field)

static const struct option_row options[] = {
	OPTION_ROW("provider", 'p', "SPEC",
		   "provider and events to record; may be repeated",
		   AT(options.specs), take_specs),
	OPTION_ROW("output", 'o', "FILE", "log file; an existing file is overwritten",
		   AT(options.file), .complete = "FILE.etl"),
	OPTION_ROW("name", 'n', "NAME", "session name; default: evnt-PID", AT(name)),
	OPTION_ROW("in-process", 0, NULL,
		   "do not use the module: each process of COMMAND records itself,"
		   " children into FILE.etl_PID", AT(in_process)),
	OPTION_ROW("duration", 0, "SECONDS", "end the recording after this time",
		   AT(limits.seconds), take_count, .least = 1,
		   .most = 4294967, .unit = " seconds"),
	OPTION_ROW("require-events", 0, NULL,
		   "fail if no event was recorded: exit status 3",
		   AT(limits.needs_events)),
	INCLUDE_ROWS(trigger_rows, AT(trigger)),
	INCLUDE_ROWS(trigger_snapshot_rows, AT(trigger)),
	INCLUDE_ROWS(session_rows, AT(options)),
	OPTION_ROW("json", 0, NULL, "print the result as JSON on stdout",
		   AT(options.json)),
	HELP_ROW,
	INCLUDE_ROWS(filter_rows, AT(options.filters)),
	INCLUDE_ROWS(record_manifest_rows, 0),
	INCLUDE_ROWS(spec_rows, 0),
	{}
};

const struct verb record_verb = {
	.name = "record",
	.summary = "record events of some providers into a log file",
	.synopsis = "-p SPEC... -o FILE.etl [OPTION...] [-- COMMAND...]",
	.about = about,
	.options = options,
	.notes = notes,
	.runs_command = true,
	.run = run,
};
