// SPDX-License-Identifier: MIT
/* evnt export: writes log files for other tools. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "decode.h"
#include "evnt.h"
#include "export.h"
#include "images.h"
#include "selection.h"
#include "stack.h"

/* What next_option() returns beside what others have */
#define OPTION_PERFETTO		0x100

static const char help[] =
"Usage: evnt export --perfetto [OPTION...] -o OUT FILE.etl...\n"
"Writes the events of log files, with their fields, in a format of other tools.\n\n"
"  --perfetto         for https://ui.perfetto.dev: activities are slices, other\n"
"                     events instants, flows connect them\n"
"  -o, --output FILE  the file to make, as OUT.pftrace; - is standard output\n"
"  --manifest FILE    read FILE, a manifest, to decode its provider's events\n"
"  --no-symbols       open no file to name functions of call stacks\n"
"  -h, --help         print this\n\n"
SELECTION_HELP "\n"
"Examples:\n"
"  evnt export --perfetto -o server.pftrace server.etl\n"
"  evnt export --perfetto -p My-Server --since +10 --until +20 -o - server.etl |\n"
"          gzip > server.pftrace.gz\n";

/**
 * struct export_run - what the user wants
 * @format: which format, or NULL
 * @output: where it goes
 * @temporary: the file that becomes @output when it is whole; or NULL
 * @out: what is written to
 * @writer: the format's
 * @selection: which events
 * @reading: likewise, as far as this reading is
 * @event: what is to be done with an event, in this reading
 * @events: how many were written
 * @logs: the files
 */
struct export_run {
	const struct export_format *format;
	const char *output;
	char *temporary;
	FILE *out;
	void *writer;
	struct selection selection;
	struct selection reading;
	void (*event)(void *writer, EVENT_RECORD *record);
	uint64_t events;
	struct logs logs;
};

/* What processes have mapped is no event of its own, but may be asked for first */
static bool is_wanted(struct export_run *run, const EVENT_RECORD *record)
{
	struct view view;

	if (is_of_module(record))
		return is_image(record) && run->event != run->format->event;
	if (!run->reading.given)
		return true;
	view_event(record, &view);
	return selection_takes(&run->reading, &view);
}

static VOID WINAPI on_event(PEVENT_RECORD record)
{
	const struct logs *logs = record->UserContext;
	struct export_run *run = logs->context;

	if (is_log_header(record))
		return;
	decode_unprinted(record);
	if (!is_wanted(run, record))
		return;
	run->event(run->writer, record);
	run->events++;
}

/* A full disk does not get better by writing on */
static bool has_all(void *context)
{
	const struct export_run *run = context;

	return ferror(run->out) || selection_is_over(&run->reading);
}

static int read_once(struct export_run *run, int argc, char **argv,
		     void (*event)(void *writer, EVENT_RECORD *record))
{
	const bool to_stdout = run->out == stdout;
	int exit_code;

	run->logs = (struct logs) {
		.context = run,
		.prints = to_stdout,
		.has_all = has_all,
	};
	run->reading = run->selection;
	run->event = event;
	run->events = 0;
	exit_code = logs_open(&run->logs, &export_verb, argc, argv, on_event);
	if (exit_code)
		return exit_code;
	if (!run->writer)
		run->writer = run->format->begin(run->out, &run->logs);
	return logs_read(&run->logs);
}

/* What was mapped when is found out anew */
static int read_all(struct export_run *run, int argc, char **argv)
{
	int first = optind, exit_code;

	if (run->format->survey) {
		exit_code = read_once(run, argc, argv, run->format->survey);
		logs_close(&run->logs);
		/* What can be read is read again; what is wrong is told then */
		if (!run->writer)
			return exit_code;
		images_free(symbols_free);
		optind = first;
	}
	exit_code = read_once(run, argc, argv, run->format->event);
	if (run->writer && run->logs.count)
		run->format->end(run->writer);
	selection_tell(&run->reading);
	logs_tell_losses(&run->logs);
	logs_close(&run->logs);
	return exit_code;
}

static int write_failed(const struct export_run *run)
{
	return failed("cannot write '%s': %s", run->output, strerror(errno));
}

/* One that is there keeps its mode */
static mode_t mode_for(const char *path)
{
	mode_t mask = umask(0);
	struct stat st;

	umask(mask);
	return stat(path, &st) ? 0666 & ~mask : st.st_mode & 0777;
}

/* What is read is not to be replaced */
static bool is_input(const struct stat *out, char **paths)
{
	struct stat in;

	for (; *paths; paths++) {
		if (!stat(*paths, &in) && in.st_dev == out->st_dev &&
		    in.st_ino == out->st_ino)
			return true;
	}
	return false;
}

static int check_output(const char *path, char **inputs)
{
	struct stat st;

	if (stat(path, &st))
		return EVNT_DONE;
	if (!S_ISREG(st.st_mode))
		return failed("'%s' is no regular file", path);
	if (is_input(&st, inputs))
		return failed("'%s' is one of the files to read: name"
			      " another one to write", path);
	return EVNT_DONE;
}

static const int ending_signals[] = { SIGHUP, SIGINT, SIGTERM };
#define ENDING_SIGNALS	(sizeof(ending_signals) / sizeof(*ending_signals))

/* File that is removed when a signal ends the program, or NULL */
static const char *volatile unfinished;

static void on_signal(int sig)
{
	if (unfinished)
		unlink(unfinished);
	signal(sig, SIG_DFL);
	raise(sig);
}

static void clean_up_on_signals(void)
{
	for (size_t i = 0; i < ENDING_SIGNALS; i++) {
		/* A program that must survive its terminal goes on */
		if (signal(ending_signals[i], on_signal) == SIG_IGN)
			signal(ending_signals[i], SIG_IGN);
	}
}

/* Create a file of that pattern; no signal comes before the handler knows it */
static int create_unfinished(char *pattern)
{
	sigset_t ending, before;
	int fd, err;

	sigemptyset(&ending);
	for (size_t i = 0; i < ENDING_SIGNALS; i++)
		sigaddset(&ending, ending_signals[i]);
	sigprocmask(SIG_BLOCK, &ending, &before);
	fd = mkostemp(pattern, O_CLOEXEC);
	err = errno;
	unfinished = fd < 0 ? NULL : pattern;
	sigprocmask(SIG_SETMASK, &before, NULL);
	errno = err;
	return fd;
}

/* A file beside what is to be made, so that this is there when it is whole */
static int open_temporary(struct export_run *run, char **inputs)
{
	int fd, exit_code = check_output(run->output, inputs);

	if (exit_code)
		return exit_code;
	if (asprintf(&run->temporary, "%s.XXXXXX", run->output) < 0)
		run->temporary = NULL;
	run->temporary = must_have(run->temporary);
	clean_up_on_signals();
	fd = create_unfinished(run->temporary);
	if (fd < 0) {
		free(run->temporary);
		run->temporary = NULL;
		return failed("cannot create '%s': %s", run->output,
			      strerror(errno));
	}
	fchmod(fd, mode_for(run->output));
	run->out = must_have(fdopen(fd, "w"));
	return EVNT_DONE;
}

static int open_output(struct export_run *run, char **inputs)
{
	if (strcmp(run->output, "-") != 0)
		return open_temporary(run, inputs);
	run->out = stdout;
	if (isatty(STDOUT_FILENO))
		return failed("the trace is no text: it is not written to a"
			      " terminal; write -o FILE");
	return EVNT_DONE;
}

/* Half of a trace is not what was asked for */
static int close_temporary(struct export_run *run, int exit_code)
{
	bool is_bad = ferror(run->out);

	if (fclose(run->out) || is_bad)
		exit_code = exit_code ? exit_code : write_failed(run);
	if (!exit_code && rename(run->temporary, run->output))
		exit_code = write_failed(run);
	if (exit_code)
		unlink(run->temporary);
	unfinished = NULL;
	if (!exit_code)
		printf("%" PRIu64 " events are in %s\n", run->events, run->output);
	free(run->temporary);
	return exit_code;
}

static int export(struct export_run *run, int argc, char **argv)
{
	int exit_code = open_output(run, argv + optind);

	if (exit_code)
		return exit_code;
	exit_code = read_all(run, argc, argv);
	if (run->writer)
		run->format->free(run->writer);
	return run->temporary ? close_temporary(run, exit_code) :
				end_output(exit_code);
}

static int take_option(struct export_run *run, int option)
{
	switch (option) {
	case OPTION_PERFETTO:
		run->format = &perfetto_format;
		return EVNT_DONE;
	case 'o':
		run->output = optarg;
		return EVNT_DONE;
	case OPTION_MANIFEST:
		return load_manifest(optarg);
	case OPTION_NO_SYMBOLS:
		stack_without_symbols();
		return EVNT_DONE;
	default:
		return is_selection_option(option) ?
		       selection_option(&export_verb, &run->selection,
					option) : EVNT_MISUSED;
	}
}

static bool parse_options(struct export_run *run, int argc, char **argv,
			  int *exit_code)
{
	static const struct option options[] = {
		{ "perfetto", no_argument, NULL, OPTION_PERFETTO },
		{ "output", required_argument, NULL, 'o' },
		MANIFEST_OPTION,
		{ "no-symbols", no_argument, NULL, OPTION_NO_SYMBOLS },
		SELECTION_OPTIONS,
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	*exit_code = EVNT_DONE;
	while ((c = next_option(&export_verb, argc, argv, "o:p:h",
				options)) != -1) {
		if (c == 'h') {
			*exit_code = print_help(&export_verb);
			return false;
		}
		*exit_code = take_option(run, c);
		if (*exit_code)
			return false;
	}
	if (!run->format)
		*exit_code = misused(&export_verb, "in which format? write"
				     " --perfetto");
	else if (!run->output)
		*exit_code = misused(&export_verb, "what to make? write -o"
				     " FILE");
	else if (optind == argc)
		*exit_code = misused(&export_verb, "which file? write its"
				     " name");
	return !*exit_code;
}

static int run(int argc, char **argv)
{
	struct export_run *run = must_have(calloc(1, sizeof(*run)));
	int exit_code;

	if (parse_options(run, argc, argv, &exit_code))
		exit_code = export(run, argc, argv);
	selection_free(&run->selection);
	decode_free();
	free(run);
	return exit_code;
}

const struct verb export_verb = {
	.name = "export",
	.summary = "write log files for other tools, as Perfetto",
	.help = help,
	.run = run,
};
