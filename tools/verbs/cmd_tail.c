// SPDX-License-Identifier: MIT
/* evnt tail: prints events as they come */
#include <stddef.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tools/common/options.h"
#include "tools/events/selection.h"
#include "tools/session/child.h"
#include "tools/session/in_process.h"
#include "tools/session/late_where.h"
#include "tools/session/registered.h"
#include "tools/session/session_list.h"
#include "tools/session/session_start.h"
#include "tools/session/watch.h"

/* Interval of polling for the end of the sessions */
#define LOOK_MS		100

static const char about[] =
"Prints events as they come, until Ctrl-C or the end of the sessions: events of\n"
"sessions in real-time mode, or of its own session, which ends with it.\n";

static const char notes[] =
"Events that were lost, or overwritten before they could be printed, are\n"
"reported on stderr when that happens, and at the end.\n\n"
"Examples:\n"
"  evnt tail -p '*My-Server::Warning'\n"
"  evnt tail server | grep timeout\n"
"  evnt tail --json server | jq --unbuffered .name\n"
"  evnt tail --in-process -p '*Evntprov-Sample' -- evnt-sample\n";

/**
 * struct tail - options and state of the verb
 * @watch: sessions being read
 * @options: options of our own session
 * @selection: the part of its filters that is evaluated here
 * @name: name of our own session
 * @in_process: each process of the command records itself
 * @seconds: time after which printing ends, or 0
 * @bound: descriptor whose closing ends our own session; -1: there is none
 * @handle: handle of our own session
 */
struct tail {
	struct watch watch;
	struct session_options options;
	struct selection selection;
	const char *name;
	bool in_process;
	ULONG seconds;
	int bound;
	TRACEHANDLE handle;
};

/*
 * Apply the filters by id and name here, too: the module applies ids only to
 * events that are not of TraceLogging, and names only to those that are
 */
static int select_events(struct tail *tail)
{
	const struct filter_options *f = &tail->options.filters;
	struct selection *s = &tail->selection;

	_Static_assert(MAX_EVENT_FILTER_EVENT_ID_COUNT <= MAX_RANGES,
		       "the ids of a filter are ranges");
	for (unsigned int i = 0; i < f->ids.count; i++)
		s->ids.at[s->ids.count++] = (typeof(s->ids.at[0])) {
			f->ids.id[i], f->ids.id[i]
		};
	s->ids_in = f->ids.in;
	s->names = f->names;
	s->names_in = f->names_in;
	return late_where_take(&tail_verb, &tail->options, s,
			       "after they were recorded");
}

/* Start a session that ends with this process */
static int start_own(struct tail *tail)
{
	struct dev_session session;
	ULONG code;

	code = start_session(&tail->options, tail->name, &tail->handle,
			     &tail->bound);
	if (code)
		return explain_start(&tail->options, tail->name, code);
	if (dev_query(tail->watch.device, tail->handle, &session))
		return failed("session '%s' has ended already", tail->name);
	return watch_add(&tail->watch, &session);
}

static int add_named(struct tail *tail, char **names)
{
	struct dev_session session;
	int error = EVNT_DONE;

	tail->watch.specs = tail->options.specs;
	tail->options.specs = (struct spec_list) { NULL, 0 };
	for (; *names && !error; names++) {
		error = find_session(tail->watch.device, *names, &session);
		if (!error)
			error = watch_add(&tail->watch, &session);
	}
	return error;
}

static int watch(struct tail *tail)
{
	struct watch *w = &tail->watch;
	struct dev_session last = { .name = "" };
	struct child signals = { .pid = 0 };
	bool is_stopped = false;
	int error, exit_code;

	decode_begin(&w->decode);
	error = watch_begin(w);
	child_limit(&signals, tail->seconds);
	while (!error && !watch_is_over(w)) {
		child_wait(&signals, LOOK_MS);
		trigger_act(&w->trigger, w->device, tail->handle);
		if (signals.interrupted || trigger_ends(&w->trigger))
			break;
	}
	/*
	 * From here on, another Ctrl-C ends the program without printing the
	 * rest
	 */
	child_unblock_signals();
	/*
	 * Stop our own session and read it to its end; detach from other
	 * sessions
	 */
	if (tail->bound < 0 || output_is_closed())
		watch_close(w);
	if (tail->bound >= 0)
		is_stopped = !dev_stop(w->device, tail->handle, &last);
	watch_wait(w);
	if (is_stopped)
		w->sessions->session = last;
	decode_end(&w->decode);
	exit_code = watch_report(w);
	if (selection_report(&tail->selection) && !exit_code)
		exit_code = EVNT_FAILED;
	trigger_end(&w->trigger, w->device, tail->handle, error);
	return error ? error : exit_code;
}

static int run_tail(struct tail *tail, char **names)
{
	struct watch *w = &tail->watch;
	int error;

	child_block_signals();
	/*
	 * Detect a closed pipe by its error, so that losses are still reported
	 */
	signal(SIGPIPE, SIG_IGN);
	error = look_up_names(w->device, &tail->options.specs);
	if (!error && !*names)
		error = select_events(tail);
	if (selection_is_given(&tail->selection))
		w->decode.selection = &tail->selection;
	if (!error)
		error = *names ? add_named(tail, names) : start_own(tail);
	if (!error && !*names) {
		error = enable_specs(tail->handle, &tail->options);
		if (!error)
			note("printing events as session '%s'; Ctrl-C ends it",
			     tail->name);
	}
	if (!error)
		error = watch(tail);
	if (tail->bound >= 0)
		close(tail->bound);
	return output_is_closed() ? error : end_output(error);
}

/*
 * Return whether there are options for a session of our own, which cannot apply
 * to a running one
 */
static bool wants_own(const struct tail *tail)
{
	const struct session_options *options = &tail->options;

	return tail->name || options->file || options->mode || options->clock ||
	       options->buffer_kb || options->min_buffers ||
	       options->max_buffers || options->flush || options->max_mb ||
	       filter_is_given(&options->filters);
}

static int check_arguments(struct tail *tail, int argc)
{
	size_t room = optind < argc ? argc - optind : 1;
	static char name[32];
	int error;

	tail->watch.sessions = must_have(calloc(room,
						sizeof(*tail->watch.sessions)));
	error = trigger_check(&tail_verb, &tail->watch.trigger);
	if (error)
		return error;
	if (tail->in_process)
		return tail->options.specs.count ? EVNT_DONE :
		       usage_error(&tail_verb, "which provider? write -p SPEC");
	if (optind != argc && wants_own(tail))
		return usage_error(&tail_verb, "a running session already has its"
				   " name, buffers, modes, file and filters: write"
				   " a SESSION, or options for a new one");
	if (optind != argc)
		return EVNT_DONE;
	if (!tail->options.specs.count)
		return usage_error(&tail_verb,
				   "which events? write a SESSION, or"
				   " -p SPEC");
	snprintf(name, sizeof(name), "evnt-tail-%d", getpid());
	if (!tail->name || !*tail->name)
		tail->name = name;
	tail->options.mode |= EVENT_TRACE_REAL_TIME_MODE;
	return check_session_options(&tail_verb, &tail->options);
}

static int run(int argc, char **argv)
{
	struct tail tail = { .watch.trigger.bound = -1, .bound = -1 };
	int exit_code = parse_options(&tail_verb, argc, argv, &tail);

	if (!exit_code)
		exit_code = check_arguments(&tail, argc);
	if (!exit_code && tail.in_process) {
		exit_code = tail_in_process(&tail_verb, &tail.options,
					    &tail.watch.decode,
					    &tail.watch.trigger,
					    optind < argc ? argv + optind : NULL,
					    tail.seconds);
		free_session_options(&tail.options);
		free(tail.watch.sessions);
		return exit_code;
	}
	if (!exit_code) {
		tail.watch.device = dev_open();
		exit_code = tail.watch.device < 0 ? EVNT_FAILED :
						  run_tail(&tail, argv + optind);
		close(tail.watch.device);
	}
	free_session_options(&tail.options);
	selection_free(&tail.selection);
	watch_free(&tail.watch);
	return exit_code;
}

#define AT(field)	offsetof(struct tail, field)

static const struct option_row options[] = {
	OPTION_ROW("provider", 'p', "SPEC",
		   "provider and events to print; may be repeated.  With SESSION: print"
		   " only these", AT(options.specs), take_specs),
	OPTION_ROW("in-process", 0, NULL,
		   "do not use the module: each process of COMMAND records itself",
		   AT(in_process)),
	OPTION_ROW("duration", 0, "SECONDS", "end after this time",
		   AT(seconds), take_count, .least = 1, .most = 4294967,
		   .unit = " seconds"),
	INCLUDE_ROWS(trigger_rows, AT(watch.trigger)),
	INCLUDE_ROWS(decode_rows, AT(watch.decode)),
	TEXT_ROW("\nOptions for its own session, without SESSION:\n\n"),
	OPTION_ROW("name", 'n', "NAME", "session name; default: evnt-tail-PID",
		   AT(name)),
	OPTION_ROW("output", 'o', "FILE", "also write the events to this log file",
		   AT(options.file), .complete = "FILE.etl"),
	INCLUDE_ROWS(session_rows, AT(options)),
	HELP_ROW,
	INCLUDE_ROWS(filter_rows, AT(options.filters)),
	INCLUDE_ROWS(spec_rows, 0),
	{}
};

const struct verb tail_verb = {
	.name = "tail",
	.summary = "print events as they come",
	.synopsis = "SESSION... [-p SPEC...] [OPTION...]\n"
		    "-p SPEC... [OPTION...]\n"
		    "--in-process -p SPEC... [OPTION...] -- COMMAND...",
	.about = about,
	.options = options,
	.notes = notes,
	.arguments = { "SESSION" },
	.run = run,
};
