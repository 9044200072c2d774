// SPDX-License-Identifier: MIT
/*
 * Reads log files and writes them in another format to a file that appears only
 * when it is complete
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stddef.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/events/decode.h"
#include "tools/common/options.h"
#include "tools/perfetto/export.h"
#include "tools/events/images.h"
#include "tools/events/selection.h"
#include "tools/events/stack.h"

/*
 * Events about images and processes are never exported themselves, but the
 * survey may need them
 */
static bool is_wanted(struct export_run *run, const EVENT_RECORD *record)
{
	struct view view;

	if (is_of_module(record))
		return (is_image(record) || is_process_name(record)) &&
		       run->event != run->format->event;
	if (!selection_is_given(&run->reading))
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

/* Stop reading after a write error or at the end of the selection */
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
	exit_code = logs_open(&run->logs, run->verb, argc, argv, on_event);
	if (exit_code)
		return exit_code;
	if (!run->writer)
		run->writer = run->format->begin(run->out, &run->logs);
	/* A single pass needs metadata that follows the events */
	if (!run->format->survey)
		decode_peek(&run->logs);
	return logs_read(&run->logs);
}

/*
 * Read the logs once or twice. The module's events about images count again the
 * second time, while images that the kernel's rundown at the end names are kept.
 */
static int read_all(struct export_run *run, int argc, char **argv)
{
	int first = optind, exit_code;

	if (run->format->survey) {
		exit_code = read_once(run, argc, argv, run->format->survey);
		logs_close(&run->logs);
		/*
		 * The second pass reads what is readable, and reports the
		 * errors
		 */
		if (!run->writer)
			return exit_code;
		images_restart();
		optind = first;
	}
	exit_code = read_once(run, argc, argv, run->format->event);
	if (run->writer && run->logs.count)
		run->format->end(run->writer);
	if (selection_report(&run->reading) && !exit_code)
		exit_code = EVNT_FAILED;
	logs_report_losses(&run->logs);
	logs_close(&run->logs);
	return exit_code;
}

static int write_failed(const struct export_run *run)
{
	return failed("cannot write '%s': %s", run->output, strerror(errno));
}

/* An existing file keeps its mode */
static mode_t mode_for(const char *path)
{
	mode_t mask = umask(0);
	struct stat st;

	umask(mask);
	return stat(path, &st) ? 0666 & ~mask : st.st_mode & 0777;
}

static int check_output(const char *path, char **inputs)
{
	struct stat out, in;

	if (stat(path, &out))
		return EVNT_DONE;
	if (S_ISDIR(out.st_mode))
		return failed("'%s' is a folder: name a file in it", path);
	/* The output must not replace an input */
	for (; *inputs; inputs++) {
		if (!stat(*inputs, &in) && in.st_dev == out.st_dev &&
		    in.st_ino == out.st_ino)
			return failed("'%s' is one of the files to read: name"
				      " another one to write", path);
	}
	return EVNT_DONE;
}

static const int ending_signals[] = { SIGHUP, SIGINT, SIGTERM };
#define ENDING_SIGNALS	(sizeof(ending_signals) / sizeof(*ending_signals))

/* Path of the file that a signal handler must remove, or NULL */
static const char *volatile unfinished;

static void remove_unfinished(void)
{
	if (unfinished)
		unlink(unfinished);
}

static void on_signal(int sig)
{
	remove_unfinished();
	signal(sig, SIG_DFL);
	raise(sig);
}

/*
 * Create a file from a template, with signals blocked until the handler knows
 * the file
 */
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

/* Return whether the output is a device or a pipe, which no file can replace */
static bool is_device(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

/*
 * Create a temporary file next to the output, which appears only when complete
 */
static int open_temporary(struct export_run *run)
{
	int fd;

	/* Without memory, the program exits from within */
	atexit(remove_unfinished);
	if (asprintf(&run->temporary, "%s.XXXXXX", run->output) < 0)
		run->temporary = NULL;
	run->temporary = must_have(run->temporary);
	for (size_t i = 0; i < ENDING_SIGNALS; i++) {
		/* Keep ignored signals ignored, as nohup(1) needs */
		if (signal(ending_signals[i], on_signal) == SIG_IGN)
			signal(ending_signals[i], SIG_IGN);
	}
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
	int exit_code = EVNT_DONE;

	if (!strcmp(run->output, "-")) {
		run->out = stdout;
	} else {
		exit_code = check_output(run->output, inputs);
		if (!exit_code && !is_device(run->output))
			return open_temporary(run);
		if (!exit_code)
			run->out = fopen(run->output, "we");
		if (!exit_code && !run->out)
			exit_code = write_failed(run);
	}
	if (!exit_code && !run->format->is_text &&
	    isatty(fileno(run->out)))
		exit_code = failed("the trace is no text: it is not written to"
				   " a terminal; write -o FILE");
	return exit_code;
}

/* Rename the complete file to the output, or remove an incomplete one */
static int close_output(struct export_run *run, int exit_code)
{
	bool is_bad = ferror(run->out);

	if (run->out == stdout)
		return end_output(exit_code);
	if (fclose(run->out) || is_bad)
		exit_code = exit_code ? exit_code : write_failed(run);
	if (!exit_code && run->temporary &&
	    rename(run->temporary, run->output))
		exit_code = write_failed(run);
	if (exit_code)
		remove_unfinished();
	unfinished = NULL;
	if (!exit_code)
		printf("%" PRIu64 " events are in %s\n", run->events, run->output);
	free(run->temporary);
	return exit_code;
}

int export_check(const struct export_run *run, int argc)
{
	if (!run->output)
		return usage_error(run->verb, "which output file? write -o"
				   " FILE");
	if (optind == argc)
		return usage_error(run->verb, "which file? write its name");
	return EVNT_DONE;
}

int export_files(struct export_run *run, int argc, char **argv)
{
	int exit_code = open_output(run, argv + optind);

	if (exit_code)
		goto free_selection;
	exit_code = read_all(run, argc, argv);
	if (run->writer)
		run->format->free(run->writer);
	exit_code = close_output(run, exit_code);
free_selection:
	selection_free(&run->selection);
	decode_free();
	return exit_code;
}
