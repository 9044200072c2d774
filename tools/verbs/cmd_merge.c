// SPDX-License-Identifier: MIT
/* evnt merge: merges log files into one */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/consume/trace_source.h"
#include "tools/common/options.h"
#include "lib/base/internal.h"
#include "tools/common/json.h"
#include "tools/events/logs.h"
#include "tools/merge/merge_logs.h"

static const char about[] =
"Merges log files into one with the events of all, by time, and the sum of their\n"
"losses.\n";

static const char notes[] =
"Examples:\n"
"  evnt merge -o all.etl monday.etl tuesday.etl\n"
"  evnt merge --pack huffman -o small.etl monday.etl\n";

/**
 * struct merge_run - options and state of the verb
 * @json: print JSON
 * @output: path of the output
 * @inputs: paths of the open inputs
 * @merging: state of the merge
 */
struct merge_run {
	bool json;
	const char *output;
	char **inputs;
	struct merging merging;
};

/* Check that the output is a regular file and none of the inputs */
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

static int merge_into(struct merge_run *run, int fd)
{
	const struct etl_logfile_header *h = &run->merging.out.header;
	WCHAR *name = evnt_utf16(run->output);
	int error, exit_code;

	if (!name)
		return failed("'%s' is no name in UTF-8", run->output);
	run->merging.out.fd = fd;
	error = merge_logs(&run->merging, name);
	if (error)
		exit_code = failed("cannot write '%s': %s", run->output,
				   strerror(error));
	else
		exit_code = logs_explain_read(run->merging.read_error);
	free(name);
	if (!exit_code) {
		print_outcome(run);
		exit_code = end_output(EVNT_DONE);
	}
	if (h->events_lost || h->buffers_lost)
		note("%u events and %u buffers were lost in recording",
		     h->events_lost, h->buffers_lost);
	if (run->merging.unread)
		note("%" PRIu64 " bytes were not understood and left out;"
		     " 'evnt stat' shows details", run->merging.unread);
	return exit_code;
}

static int merge_files(struct merge_run *run)
{
	int fd, exit_code;

	if (!relog_have_same_units(run->merging.in.sources,
				   run->merging.in.source_count))
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
	/* Remove an incomplete log */
	if (exit_code)
		unlink(run->output);
	return exit_code;
}

static int parse_arguments(struct merge_run *run, int argc, char **argv)
{
	int error = parse_options(&merge_verb, argc, argv, run);

	if (error)
		return error;
	if (!run->output)
		return usage_error(&merge_verb,
				   "which output file? write -o FILE");
	return logs_check(&merge_verb, argc - optind);
}

static int run(int argc, char **argv)
{
	struct merge_run *run = calloc(1, sizeof(*run));
	struct trace_merge *in;
	int exit_code;
	ULONG error;

	if (!run)
		return failed("out of memory");
	in = &run->merging.in;
	exit_code = parse_arguments(run, argc, argv);
	if (exit_code)
		goto free_run;
	run->inputs = argv + optind;
	in->sources = must_have(calloc(argc - optind, sizeof(*in->sources)));
	for (char **path = run->inputs; path < argv + argc; path++) {
		error = etl_file_open(&in->sources[in->source_count], *path);
		if (error) {
			exit_code = logs_explain_open(*path, error);
			goto close_inputs;
		}
		in->source_count++;
	}
	exit_code = merge_files(run);
close_inputs:
	for (u32 i = 0; i < in->source_count; i++)
		in->sources[i]->ops->close(in->sources[i]);
	free(in->sources);
free_run:
	free(run);
	return exit_code;
}

/* --pack: sets the method by its name */
static int take_method(const struct option_value *v)
{
	static const struct {
		const char *name;
		enum pack_method method;
	} methods[] = {
		{ "xpress", PACK_XPRESS },
		{ "huffman", PACK_HUFFMAN },
		{ "lznt1", PACK_LZNT1 },
	};
	enum pack_method *method = v->field;

	for (size_t i = 0; i < EVNT_ARRAY_SIZE(methods); i++) {
		if (!strcmp(v->text, methods[i].name)) {
			*method = methods[i].method;
			return EVNT_DONE;
		}
	}
	return usage_error(&merge_verb, "there is no method '%s': xpress,"
			   " huffman and lznt1 are", v->text);
}

#define AT(field)	offsetof(struct merge_run, field)

static const struct option_row options[] = {
	OPTION_ROW("output", 'o', "FILE",
		   "output file; an existing file is overwritten", AT(output),
		   .complete = "FILE.etl"),
	OPTION_ROW("pack", 0, "METHOD",
		   "pack the output, as Windows can: xpress, huffman, which gives"
		   " smaller files, or lznt1", AT(merging.out.method), take_method,
		   .complete = "xpress huffman lznt1"),
	OPTION_ROW("json", 0, NULL, "print the result as a JSON object", AT(json)),
	HELP_ROW,
	{}
};

const struct verb merge_verb = {
	.name = "merge",
	.summary = "merge log files into one",
	.synopsis = "[--json] [--pack METHOD] -o OUT.etl FILE.etl...",
	.about = about,
	.options = options,
	.notes = notes,
	.arguments = { "FILE.etl" },
	.run = run,
};
