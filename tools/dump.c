// SPDX-License-Identifier: MIT
/* evnt dump: prints the events of log files. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define INITGUID
#include <evntcons.h>

#include "evnt.h"
#include "print.h"

static const char help[] =
"Usage: evnt dump [OPTION...] FILE.etl...\n"
"Prints the events of log files, one a line, by time.\n\n"
"  --json     one object of JSON a line; see evnt-dump(1) for its keys\n"
"  --header   print the event that describes a log file, too\n"
"  --full     print long payloads whole (--json always does)\n"
"  -h, --help print this\n\n"
"Events and buffers that a file says were lost are told on stderr.\n\n"
"Examples:\n"
"  evnt dump sample.etl | less\n"
"  evnt dump --json sample.etl | jq 'select(.level <= 2)'\n";

/* The library opens so many at once */
#define MAX_FILES	64

/**
 * struct dump - what the user wants, and how far we are
 * @json: print JSON
 * @header: print header events
 * @full: print payloads whole
 * @progress: say on the terminal how far we are
 * @buffers_total: of all files
 * @buffers_read: of all files
 * @told: when the progress was told last
 * @files: what is open, @count of them
 * @handles: theirs, INVALID_PROCESSTRACE_HANDLE for none
 */
struct dump {
	bool json;
	bool header;
	bool full;
	bool progress;
	unsigned long long buffers_total;
	unsigned long long buffers_read;
	time_t told;
	int count;
	EVENT_TRACE_LOGFILEA files[MAX_FILES];
	TRACEHANDLE handles[MAX_FILES];
};

static bool is_header(const EVENT_RECORD *record)
{
	const EVENT_HEADER *header = &record->EventHeader;

	return !header->EventDescriptor.Opcode &&
	       !memcmp(&header->ProviderId, &EventTraceGuid, sizeof(GUID));
}

static VOID WINAPI on_event(PEVENT_RECORD record)
{
	const struct dump *dump = record->UserContext;
	struct view view;

	if (is_header(record) && !dump->header)
		return;
	view_event(record, &view);
	if (dump->json)
		print_json(&view);
	else
		print_text(&view, dump->full);
}

static void tell_progress(struct dump *dump)
{
	time_t now = time(NULL);

	if (now == dump->told)
		return;
	dump->told = now;
	fprintf(stderr, "\r%llu of %llu buffers", dump->buffers_read,
		dump->buffers_total);
}

/* Returns whether to go on */
static ULONG WINAPI on_buffer(PEVENT_TRACE_LOGFILEA file)
{
	struct dump *dump = file->Context;

	dump->buffers_read++;
	if (dump->progress)
		tell_progress(dump);
	/* A full disk does not get better by printing on */
	return !ferror(stdout);
}

static const char *open_error_text(DWORD error)
{
	switch (error) {
	case ERROR_NOT_SUPPORTED:
		return "is compressed, which cannot be read so far";
	case ERROR_NOT_ENOUGH_MEMORY:
	case ERROR_OUTOFMEMORY:
		return "is too large for this machine's memory";
	default:
		return "is no event trace log, or its beginning is damaged";
	}
}

/* Why the library may have refused @path, in words */
static int explain_open(const char *path, DWORD error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return failed("cannot open '%s': %s", path, strerror(errno));
	if (!fstat(fd, &st) && !S_ISREG(st.st_mode))
		failed("'%s' is no regular file", path);
	else if (!st.st_size)
		failed("'%s' is empty: no session has written to it", path);
	else
		failed("'%s' %s", path, open_error_text(error));
	close(fd);
	return EVNT_FAILED;
}

static int open_file(struct dump *dump, char *path)
{
	EVENT_TRACE_LOGFILEA *file = &dump->files[dump->count];
	TRACEHANDLE handle;

	file->LogFileName = path;
	file->ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD;
	file->EventRecordCallback = on_event;
	file->BufferCallback = on_buffer;
	file->Context = dump;
	handle = OpenTraceA(file);
	if (handle == INVALID_PROCESSTRACE_HANDLE)
		return explain_open(path, GetLastError());
	dump->handles[dump->count++] = handle;
	dump->buffers_total += file->LogfileHeader.BuffersWritten;
	return EVNT_DONE;
}

static int open_files(struct dump *dump, char **paths, int count)
{
	int error = EVNT_DONE;

	for (int i = 0; i < count && !error; i++)
		error = open_file(dump, paths[i]);
	return error;
}

static void close_files(struct dump *dump)
{
	for (int i = 0; i < dump->count; i++)
		CloseTrace(dump->handles[i]);
}

static int explain_process(ULONG error)
{
	switch (error) {
	case ERROR_SUCCESS:
	case ERROR_CANCELLED:
		return EVNT_DONE;
	case ERROR_NOT_ENOUGH_MEMORY:
	case ERROR_OUTOFMEMORY:
		return failed("not enough memory to read on");
	case ERROR_FILE_CORRUPT:
		return failed("the log is damaged: what could be read of it was"
			      " printed");
	default:
		return failed("reading stopped with error %u", error);
	}
}

/* Losses are told unasked */
static void tell_losses(const EVENT_TRACE_LOGFILEA *file)
{
	const TRACE_LOGFILE_HEADER *header = &file->LogfileHeader;

	if (header->EventsLost || header->BuffersLost)
		note("%s: %u events and %u buffers were lost in recording",
		     file->LogFileName, header->EventsLost,
		     header->BuffersLost);
}

static bool wants_progress(void)
{
	struct stat st;

	/* On a screen or in a pager it would be in the way of the events */
	return isatty(STDERR_FILENO) && !fstat(STDOUT_FILENO, &st) &&
	       S_ISREG(st.st_mode);
}

static int dump_files(struct dump *dump)
{
	int exit_code;
	ULONG error;

	dump->progress = wants_progress();
	dump->told = time(NULL);
	error = ProcessTrace(dump->handles, dump->count, NULL, NULL);
	if (dump->progress)
		fputs("\r\033[K", stderr);
	exit_code = end_output(explain_process(error));
	for (int i = 0; i < dump->count; i++)
		tell_losses(&dump->files[i]);
	return exit_code;
}

static bool parse_options(struct dump *dump, int argc, char **argv,
			  int *exit_code)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "header", no_argument, NULL, 'H' },
		{ "full", no_argument, NULL, 'f' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	*exit_code = EVNT_MISUSED;
	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		switch (c) {
		case 'j':
			dump->json = true;
			break;
		case 'H':
			dump->header = true;
			break;
		case 'f':
			dump->full = true;
			break;
		case 'h':
			*exit_code = print_help(&dump_verb);
			return false;
		default:
			return false;
		}
	}
	return true;
}

static int run(int argc, char **argv)
{
	struct dump *dump = calloc(1, sizeof(*dump));
	int exit_code;

	if (!dump)
		return failed("out of memory");
	if (!parse_options(dump, argc, argv, &exit_code))
		goto out;
	exit_code = EVNT_MISUSED;
	if (optind == argc)
		misused(&dump_verb, "which file? write its name");
	else if (argc - optind > MAX_FILES)
		misused(&dump_verb, "at most %d files at a time", MAX_FILES);
	else
		exit_code = open_files(dump, argv + optind, argc - optind);
	if (!exit_code)
		exit_code = dump_files(dump);
	close_files(dump);
out:
	free(dump);
	return exit_code;
}

const struct verb dump_verb = {
	.name = "dump",
	.summary = "print the events of log files",
	.help = help,
	.run = run,
};
