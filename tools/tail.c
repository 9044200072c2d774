// SPDX-License-Identifier: MIT
/* evnt tail: prints events as they come. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "child.h"
#include "registered.h"
#include "session_list.h"
#include "session_start.h"
#include "watch.h"

/* How soon the end of what is watched is seen */
#define LOOK_MS		100

static const char help[] =
"Usage: evnt tail SESSION... [-p SPEC...] [OPTION...]\n"
"       evnt tail -p SPEC... [OPTION...]\n"
"Prints events as they come, until Ctrl-C or the end of the sessions: those of\n"
"sessions in real-time mode, or of one of its own, which ends with it.\n\n"
"  -p, --provider SPEC   which provider, and what of it; may be repeated.  With\n"
"                        SESSION: print nothing else\n"
"      --format FORM     text; json: an object a line, see evnt-dump(1) for its keys;\n"
"                        csv; or xml, in the shape of Windows' Event schema\n"
"      --json            the same as --format json\n"
"      --manifest FILE   read FILE, a manifest, to decode its provider's events\n"
"      --header          print the event that describes a session, too\n"
"      --full            print long payloads whole (--json always does)\n"
"      --images          print the events that say what processes have mapped, too\n"
"      --no-symbols      open no file to name functions of call stacks\n\n"
"Without SESSION also, for the session that is started:\n\n"
"  -n, --name NAME       its name; default: evnt-tail-PID\n"
"  -o, --output FILE     a log file, into which the events go besides\n"
SESSION_OPTIONS_HELP
"  -h, --help            print this\n\n"
FILTER_OPTIONS_HELP "\n"
SPEC_HELP
"\nEvents that were lost, or gone before they could be printed, are told on\n"
"stderr when that happens, and in the end.\n\n"
"Examples:\n"
"  evnt tail -p '*My-Server::Warning'\n"
"  evnt tail server | grep timeout\n"
"  evnt tail --json server | jq --unbuffered .name\n";

/**
 * struct tail - what the user wants
 * @watch: the sessions that are watched
 * @options: what the session of our own is to be
 * @name: its name
 * @bound: it ends when this is closed; -1: there is none
 * @handle: of it
 */
struct tail {
	struct watch watch;
	struct session_options options;
	const char *name;
	int bound;
	TRACEHANDLE handle;
};

/* A session that runs only as long as we do */
static int start_own(struct tail *tail)
{
	struct door_session session;
	ULONG code;

	code = start_session(&tail->options, tail->name, &tail->handle,
			     &tail->bound);
	if (code)
		return explain_start(&tail->options, tail->name, code);
	if (door_query(tail->watch.door, tail->handle, &session))
		return failed("session '%s' has ended already", tail->name);
	return watch_add(&tail->watch, &session);
}

static int enable_own(struct tail *tail)
{
	int error = enable_specs(tail->handle, &tail->options);

	if (!error)
		note("printing events as session '%s'; Ctrl-C ends it",
		     tail->name);
	return error;
}

static int add_named(struct tail *tail, char **names)
{
	struct door_session session;
	int error = EVNT_DONE;

	tail->watch.specs = tail->options.specs;
	tail->options.specs = (struct spec_list) { NULL, 0 };
	for (; *names && !error; names++) {
		error = find_session(tail->watch.door, *names, &session);
		if (!error)
			error = watch_add(&tail->watch, &session);
	}
	return error;
}

static bool is_interrupted(struct child *signals)
{
	child_wait(signals, LOOK_MS);
	return signals->interrupted;
}

/* Our own session is stopped, and read to its end; of others we take leave */
static void end(struct tail *tail)
{
	struct watched *own = tail->watch.sessions;
	struct door_session last = { .name = "" };
	bool is_stopped = false;

	if (tail->bound < 0 || output_is_closed())
		watch_close(&tail->watch);
	if (tail->bound >= 0)
		is_stopped = !door_stop(tail->watch.door, tail->handle, &last);
	watch_wait(&tail->watch);
	if (is_stopped)
		own->session = last;
}

static int watch(struct tail *tail)
{
	struct child signals = { .pid = 0 };
	int error, exit_code;

	decode_begin(&tail->watch.decode);
	error = watch_begin(&tail->watch);
	while (!error && !watch_is_over(&tail->watch) &&
	       !is_interrupted(&signals))
		;
	/* Whoever cannot wait for what is still to be printed asks again */
	child_unblock_signals();
	end(tail);
	decode_end(&tail->watch.decode);
	exit_code = watch_tell(&tail->watch);
	return error ? error : exit_code;
}

static int run_tail(struct tail *tail, char **names)
{
	struct watch *w = &tail->watch;
	int error;

	child_block_signals();
	/* A reader that goes away is seen, and the losses are told */
	signal(SIGPIPE, SIG_IGN);
	error = look_up_names(w->door, &tail->options.specs);
	if (!error)
		error = *names ? add_named(tail, names) : start_own(tail);
	if (!error && !*names)
		error = enable_own(tail);
	if (!error)
		error = watch(tail);
	if (tail->bound >= 0)
		close(tail->bound);
	return output_is_closed() ? error : end_output(error);
}

/* A session that runs is what it is */
static bool wants_own(const struct tail *tail)
{
	const struct session_options *options = &tail->options;

	return tail->name || options->file || options->mode || options->clock ||
	       options->buffer_kb || options->min_buffers ||
	       options->max_buffers || options->flush || options->max_mb ||
	       options->filters.given;
}

static int check_own(struct tail *tail)
{
	static char name[32];

	if (!tail->options.specs.count)
		return misused(&tail_verb, "what is to be printed? write a"
			       " SESSION, or -p SPEC");
	snprintf(name, sizeof(name), "evnt-tail-%d", getpid());
	if (!tail->name || !*tail->name)
		tail->name = name;
	tail->options.mode |= EVENT_TRACE_REAL_TIME_MODE;
	return check_session_options(&tail_verb, &tail->options);
}

static int check_arguments(struct tail *tail, int argc)
{
	size_t room = optind < argc ? argc - optind : 1;

	if (tail->options.json)
		decode_option(&tail_verb, &tail->watch.decode, OPTION_AS_JSON);
	tail->watch.sessions = must_have(calloc(room,
						sizeof(*tail->watch.sessions)));
	if (optind == argc)
		return check_own(tail);
	if (wants_own(tail))
		return misused(&tail_verb, "a session that runs has its name,"
			       " buffers, modes, file and filters: write a SESSION, or"
			       " options for a new one");
	return EVNT_DONE;
}

static int parse_arguments(struct tail *tail, int argc, char **argv)
{
	static const struct option options[] = {
		SESSION_OPTIONS,
		DECODE_OPTIONS,
		{ "name", required_argument, NULL, 'n' },
		{ NULL, 0, NULL, 0 },
	};
	int c, error = EVNT_DONE;

	while ((c = next_option(&tail_verb, argc, argv, "p:o:n:h",
				options)) != -1) {
		if (c == 'h')
			exit(print_help(&tail_verb));
		if (c == 'n')
			tail->name = optarg;
		else if (is_decode_option(c))
			error = decode_option(&tail_verb,
					      &tail->watch.decode, c);
		else
			error = session_option(&tail_verb, &tail->options, c);
		if (error)
			return error;
	}
	return check_arguments(tail, argc);
}

static int run(int argc, char **argv)
{
	struct tail tail = { .bound = -1 };
	int exit_code = parse_arguments(&tail, argc, argv);

	if (!exit_code) {
		tail.watch.door = door_open();
		exit_code = tail.watch.door < 0 ? EVNT_FAILED :
						  run_tail(&tail, argv + optind);
		close(tail.watch.door);
	}
	free_session_options(&tail.options);
	watch_free(&tail.watch);
	return exit_code;
}

const struct verb tail_verb = {
	.name = "tail",
	.summary = "print events as they come",
	.help = help,
	.run = run,
};
