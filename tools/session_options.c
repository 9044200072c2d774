// SPDX-License-Identifier: MIT
/* The options that say what a session is to be. */
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

#include <linux/evntprov.h>

#include "mode.h"
#include "number.h"
#include "session_options.h"

/* Options that take a number */
static const struct number_option {
	int option;
	const char *name;
	size_t field;
	ULONG least;
	ULONG most;
	const char *unit;
} numbers[] = {
	{ OPTION_BUFFER_SIZE, "--buffer-size",
	  offsetof(struct session_options, buffer_kb), 4, 16384, " KB" },
	{ OPTION_BUFFERS, "--buffers",
	  offsetof(struct session_options, max_buffers), 1, EVNTRACE_MAX_BUFFERS,
	  "" },
	{ OPTION_MIN_BUFFERS, "--min-buffers",
	  offsetof(struct session_options, min_buffers), 1, EVNTRACE_MAX_BUFFERS,
	  "" },
	{ OPTION_FLUSH, "--flush",
	  offsetof(struct session_options, flush), 1, 86400, " seconds" },
	{ OPTION_MAX_SIZE, "--max-size",
	  offsetof(struct session_options, max_mb), 1, 1000000, " MB" },
	{ OPTION_CIRCULAR, "--circular",
	  offsetof(struct session_options, max_mb), 1, 1000000, " MB" },
	{ OPTION_NEW_FILE, "--new-file",
	  offsetof(struct session_options, max_mb), 1, 1000000, " MB" },
};

/* Options that are a mode, or need one */
static const struct {
	int option;
	ULONG mode;
} modes[] = {
	{ OPTION_CIRCULAR, EVENT_TRACE_FILE_MODE_CIRCULAR },
	{ OPTION_NEW_FILE, EVENT_TRACE_FILE_MODE_NEWFILE },
	{ OPTION_APPEND, EVENT_TRACE_FILE_MODE_APPEND },
	{ OPTION_PREALLOCATE, EVENT_TRACE_FILE_MODE_PREALLOCATE },
	{ OPTION_REAL_TIME, EVENT_TRACE_REAL_TIME_MODE },
	{ OPTION_BUFFERING, EVENT_TRACE_BUFFERING_MODE },
};

static int take_number(const struct verb *verb, struct session_options *options,
		       const struct number_option *number)
{
	ULONG *field = (ULONG *)((char *)options + number->field);

	if (!parse_count(optarg, number->least, number->most, field))
		return misused(verb, "%s is %u to %u%s, not '%s'", number->name,
			       number->least, number->most, number->unit,
			       optarg);
	options->limits += field == &options->max_mb;
	return EVNT_DONE;
}

static int add_specs(const struct verb *verb, struct session_options *options)
{
	char why[512];

	if (spec_parse(&options->specs, optarg, why, sizeof(why)))
		return EVNT_DONE;
	return misused(verb, "in '%s': %s", optarg, why);
}

/* What takes a word, or nothing */
static int take_word(const struct verb *verb, struct session_options *options,
		     int option)
{
	switch (option) {
	case 'p':
		return add_specs(verb, options);
	case 'o':
		options->file = optarg;
		return EVNT_DONE;
	case OPTION_JSON:
		options->json = true;
		return EVNT_DONE;
	case OPTION_MODE:
		if (mode_parse(optarg, &options->mode))
			return EVNT_DONE;
		return misused(verb, "--mode '%s' is neither a number nor names"
			       " joined by commas; evnt-start(1) has them",
			       optarg);
	case OPTION_CLOCK:
		if (clock_parse(optarg, &options->clock))
			return EVNT_DONE;
		return misused(verb, "--clock is perf, system or cycle, not"
			       " '%s'", optarg);
	default:
		return filter_option(verb, &options->filters, option);
	}
}

int session_option(const struct verb *verb, struct session_options *options,
		   int option)
{
	bool is_mode = false;

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (modes[i].option != option)
			continue;
		options->mode |= modes[i].mode;
		is_mode = true;
	}
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (numbers[i].option == option)
			return take_number(verb, options, &numbers[i]);
	}
	return is_mode ? EVNT_DONE : take_word(verb, options, option);
}

static int check_modes(const struct verb *verb,
		       const struct session_options *options)
{
	static const ULONG bounded = EVENT_TRACE_FILE_MODE_CIRCULAR |
				     EVENT_TRACE_FILE_MODE_NEWFILE |
				     EVENT_TRACE_FILE_MODE_PREALLOCATE;
	static const ULONG not_append = EVENT_TRACE_FILE_MODE_CIRCULAR |
					EVENT_TRACE_FILE_MODE_NEWFILE |
					EVENT_TRACE_REAL_TIME_MODE;
	ULONG mode = options->mode;
	ULONGLONG kb = mode & EVENT_TRACE_USE_KBYTES_FOR_SIZE ? 1 : 1024;

	if (mode & EVENT_TRACE_BUFFERING_MODE &&
	    (options->file || mode & (bounded | not_append |
				      EVENT_TRACE_FILE_MODE_APPEND)))
		return misused(verb, "--buffering keeps events in memory, and"
			       " goes without -o, --real-time, and what is of"
			       " files; 'evnt snapshot' writes them to one");
	if (options->limits > 1)
		return misused(verb, "write one of --max-size, --circular and"
			       " --new-file: each says how large the file gets");
	if (mode & bounded && !options->max_mb)
		return misused(verb, "how large is the file to be? write"
			       " --max-size MB");
	if (options->max_mb && options->max_mb * kb < 2ull * options->buffer_kb)
		return misused(verb, "a file of %u %s has no room for two"
			       " buffers of %u KB", options->max_mb,
			       kb == 1 ? "KB" : "MB", options->buffer_kb);
	if (mode & EVENT_TRACE_FILE_MODE_APPEND && mode & not_append)
		return misused(verb, "--append goes with none of --circular,"
			       " --new-file and --real-time");
	if (mode & EVENT_TRACE_FILE_MODE_APPEND && options->clock == CLOCK_PERF)
		return misused(verb, "--append goes with --clock system alone:"
			       " times of another start of the system would be"
			       " wrong");
	if (mode & EVENT_TRACE_FILE_MODE_NEWFILE && options->file &&
	    !strstr(options->file, "%d"))
		return misused(verb, "where in the file's name is its number to"
			       " go? write %%d there");
	return EVNT_DONE;
}

/* Overwriting a log is what is meant; a device or directory never is */
int check_output(const struct verb *verb, const char *file)
{
	struct stat st;

	if (!file || !*file)
		return misused(verb, "into which file? write -o FILE");
	if (!stat(file, &st) && !S_ISREG(st.st_mode))
		return failed("'%s' exists and is no regular file: choose"
			      " another for -o", file);
	return EVNT_DONE;
}

static int check_file(const struct verb *verb,
		      const struct session_options *options)
{
	static const ULONG without = EVENT_TRACE_REAL_TIME_MODE |
				     EVENT_TRACE_BUFFERING_MODE;

	if (!options->file && options->mode & without)
		return EVNT_DONE;
	return check_output(verb, options->file);
}

int check_session_options(const struct verb *verb,
			  const struct session_options *options)
{
	int error = check_modes(verb, options);

	if (!error && options->max_buffers &&
	    options->max_buffers < options->min_buffers)
		error = misused(verb, "--buffers %u is less than --min-buffers"
				" %u", options->max_buffers,
				options->min_buffers);
	return error ? error : check_file(verb, options);
}

void free_session_options(struct session_options *options)
{
	spec_free(&options->specs);
}
