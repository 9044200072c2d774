// SPDX-License-Identifier: MIT
/* evnt merge: makes one log file of many. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "etl_file.h"
#include "evnt.h"
#include "internal.h"
#include "json.h"
#include "logs.h"
#include "merge_logs.h"

static const char help[] =
"Usage: evnt merge [--json] -o OUT.etl FILE.etl...\n"
"Makes one log file of many: it has the events of all, by time, and says of losses\n"
"what they say together.\n\n"
"  -o, --output FILE  the file to make; one that exists is overwritten\n"
"  --json             print the outcome as an object of JSON\n"
"  -h, --help         print this\n\n"
"Examples:\n"
"  evnt merge -o all.etl monday.etl tuesday.etl\n";

/**
 * struct merge_run - what the user wants
 * @json: print JSON
 * @output: the file to make
 * @inputs: names of those that there are, as many as are open
 * @merging: the work
 */
struct merge_run {
	bool json;
	const char *output;
	char **inputs;
	struct merging merging;
};

/* Whether a file may be overwritten: no device, and none of those to be read */
static int check_output(const struct merge_run *run, int fd)
{
	struct stat out, in;

	if (fstat(fd, &out) || !S_ISREG(out.st_mode))
		return failed("'%s' is no regular file", run->output);
	for (u32 i = 0; i < run->merging.in.source_count; i++) {
		if (!stat(run->inputs[i], &in) && in.st_dev == out.st_dev &&
		    in.st_ino == out.st_ino)
			return failed("'%s' is one of the files to read: name"
				      " another one to write", run->output);
	}
	return EVNT_DONE;
}

static int open_inputs(struct merge_run *run, char **paths, int count)
{
	struct trace_merge *in = &run->merging.in;
	ULONG error;

	run->inputs = paths;
	for (int i = 0; i < count; i++) {
		error = etl_file_open(&in->sources[i], paths[i]);
		if (error)
			return logs_explain_open(paths[i], error);
		in->source_count++;
	}
	return EVNT_DONE;
}

static void close_inputs(struct merge_run *run)
{
	struct trace_merge *in = &run->merging.in;

	for (u32 i = 0; i < in->source_count; i++)
		in->sources[i]->ops->close(in->sources[i]);
}

static int explain_merge(const struct merge_run *run, int error)
{
	if (error)
		return failed("cannot write '%s': %s", run->output,
			      strerror(error));
	return logs_explain_read(run->merging.read_error);
}

static void print_outcome(const struct merge_run *run)
{
	const struct etl_logfile_header *h = &run->merging.out.header;
	const struct relog *out = &run->merging.out;
	json_object *object;

	if (!run->json) {
		printf("%" PRIu64 " events of %u file%s are in %s\n",
		       out->records, run->merging.in.source_count,
		       run->merging.in.source_count == 1 ? "" : "s",
		       run->output);
		return;
	}
	object = json_object_new_object();
	json_add_text(object, "file", run->output);
	json_add_number(object, "files", run->merging.in.source_count);
	json_add_number(object, "events", out->records);
	json_add_number(object, "bytes", out->written);
	json_add_number(object, "events_lost", h->events_lost);
	json_add_number(object, "buffers_lost", h->buffers_lost);
	json_add_number(object, "not_understood", run->merging.unread);
	json_print(object);
}

static void tell_losses(const struct merge_run *run)
{
	const struct etl_logfile_header *h = &run->merging.out.header;

	if (h->events_lost || h->buffers_lost)
		note("%u events and %u buffers were lost in recording",
		     h->events_lost, h->buffers_lost);
	if (run->merging.unread)
		note("%" PRIu64 " bytes were not understood and left out; 'evnt"
		     " stat' says more", run->merging.unread);
}

static int merge_into(struct merge_run *run, int fd)
{
	WCHAR *name = evnt_utf16(run->output);
	int exit_code;

	if (!name)
		return failed("'%s' is no name in UTF-8", run->output);
	run->merging.out.fd = fd;
	exit_code = explain_merge(run, merge_logs(&run->merging, name));
	free(name);
	if (!exit_code) {
		print_outcome(run);
		exit_code = end_output(EVNT_DONE);
	}
	tell_losses(run);
	return exit_code;
}

static int merge_files(struct merge_run *run)
{
	int fd, exit_code;

	if (!merge_have_same_units(&run->merging.in))
		return failed("the files count processor time in different"
			      " units: merge those apart that differ");
	fd = open(run->output, O_RDWR | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0644);
	if (fd < 0)
		return failed("cannot create '%s': %s", run->output,
			      strerror(errno));
	exit_code = check_output(run, fd);
	if (exit_code) {
		close(fd);
		return exit_code;
	}
	exit_code = merge_into(run, fd);
	if (close(fd) && !exit_code)
		exit_code = failed("cannot write '%s': %s", run->output,
				   strerror(errno));
	/* Half of a log is not what was asked for */
	if (exit_code)
		unlink(run->output);
	return exit_code;
}

static bool parse_options(struct merge_run *run, int argc, char **argv,
			  int *exit_code)
{
	static const struct option options[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	*exit_code = EVNT_MISUSED;
	while ((c = next_option(&merge_verb, argc, argv, "o:h",
				options)) != -1) {
		switch (c) {
		case 'o':
			run->output = optarg;
			break;
		case 'j':
			run->json = true;
			break;
		case 'h':
			*exit_code = print_help(&merge_verb);
			return false;
		default:
			return false;
		}
	}
	if (!run->output)
		misused(&merge_verb, "what to make? write -o FILE");
	else if (optind == argc)
		misused(&merge_verb, "which files? write their names");
	else if (argc - optind > TRACE_MERGE_SOURCES)
		misused(&merge_verb, "at most %d files at a time",
			TRACE_MERGE_SOURCES);
	else
		return true;
	return false;
}

static int run(int argc, char **argv)
{
	struct merge_run *run = calloc(1, sizeof(*run));
	int exit_code;

	if (!run)
		return failed("out of memory");
	if (parse_options(run, argc, argv, &exit_code)) {
		exit_code = open_inputs(run, argv + optind, argc - optind);
		if (!exit_code)
			exit_code = merge_files(run);
		close_inputs(run);
	}
	free(run);
	return exit_code;
}

const struct verb merge_verb = {
	.name = "merge",
	.summary = "make one log file of many",
	.help = help,
	.run = run,
};
