// SPDX-License-Identifier: MIT
/* Options that define a session */
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

#include <linux/evntrace.h>

#include "tools/session/mode.h"
#include "tools/session/session_options.h"

int take_specs(const struct option_value *v)
{
	char why[512];

	if (spec_parse(v->field, v->text, why, sizeof(why)))
		return EVNT_DONE;
	return usage_error(v->verb, "in '%s': %s", v->text, why);
}

/* Set a mode without a value */
static int take_flag(const struct option_value *v)
{
	struct session_options *options = v->field;

	options->mode |= v->row->flag;
	return EVNT_DONE;
}

/* Take the maximum size of the file, and the mode that it is for */
static int take_size(const struct option_value *v)
{
	struct session_options *options = v->field;
	struct option_value size = *v;

	size.field = &options->max_mb;
	options->limits++;
	options->mode |= v->row->flag;
	return take_count(&size);
}

static int take_mode(const struct option_value *v)
{
	if (mode_parse(v->text, v->field))
		return EVNT_DONE;
	return usage_error(v->verb, "--mode '%s' is neither a number nor names"
			   " joined by commas; see evnt-start(1)", v->text);
}

/* Take events of the kernel, and the mode that they need */
static int take_system(const struct option_value *v)
{
	struct session_options *options = v->field;

	options->mode |= EVENT_TRACE_SYSTEM_LOGGER_MODE;
	if (system_parse(v->text, &options->enable_flags))
		return EVNT_DONE;
	return usage_error(v->verb, "--system '%s' is neither a number nor names"
			   " joined by commas: process, thread, image, switch,"
			   " ready, profile, or cpu for these; disk-io,"
			   " disk-init, or disk for both; interrupt, dpc,"
			   " syscall, fault, hard-fault, net", v->text);
}

/* Take events of the kernel whose call stacks are recorded */
static int take_system_stack(const struct option_value *v)
{
	struct session_options *options = v->field;

	options->has_stacks = true;
	if (system_parse(v->text, &options->stack_flags))
		return EVNT_DONE;
	return usage_error(v->verb, "--system-stack '%s' is neither a number nor"
			   " names joined by commas: profile, switch, ready,"
			   " disk-init, syscall, fault, hard-fault, or none",
			   v->text);
}

static int take_clock(const struct option_value *v)
{
	if (clock_parse(v->text, v->field))
		return EVNT_DONE;
	return usage_error(v->verb,
			   "--clock is perf, system or cycle, not '%s'",
			   v->text);
}

#define AT(field)	offsetof(struct session_options, field)
#define SIZE		.take = take_size, .least = 1, .most = 1000000, \
			.unit = " MB"

const struct option_row session_rows[] = {
	OPTION_ROW("buffer-size", 0, "KB", "size of a buffer, 4 to 16384; default: 64",
		   AT(buffer_kb), take_count, .least = 4, .most = 16384, .unit = " KB"),
	OPTION_ROW("buffers", 0, "N",
		   "maximum number; default: 20 more than the minimum",
		   AT(max_buffers), take_count, .least = 1,
		   .most = EVNTRACE_MAX_BUFFERS),
	OPTION_ROW("min-buffers", 0, "N", "minimum number; at least 2 per CPU",
		   AT(min_buffers), take_count, .least = 1,
		   .most = EVNTRACE_MAX_BUFFERS),
	OPTION_ROW("flush", 0, "SECONDS", "interval of writing partly filled buffers",
		   AT(flush), take_count, .least = 1, .most = 86400,
		   .unit = " seconds"),
	OPTION_ROW("max-size", 0, "MB", "end the session when the file has this size",
		   SIZE),
	OPTION_ROW("circular", 0, "MB",
		   "keep only the newest events, in a file of this size", SIZE,
		   .flag = EVENT_TRACE_FILE_MODE_CIRCULAR),
	OPTION_ROW("new-file", 0, "MB",
		   "begin a new file at this size; %d in the name becomes its number",
		   SIZE, .flag = EVENT_TRACE_FILE_MODE_NEWFILE),
	OPTION_ROW("append", 0, NULL, "append to an existing file", 0, take_flag,
		   .flag = EVENT_TRACE_FILE_MODE_APPEND),
	OPTION_ROW("preallocate", 0, NULL,
		   "allocate the file's whole size at the start", 0, take_flag,
		   .flag = EVENT_TRACE_FILE_MODE_PREALLOCATE),
	OPTION_ROW("real-time", 0, NULL,
		   "deliver events to consumers; -o is optional", 0, take_flag,
		   .flag = EVENT_TRACE_REAL_TIME_MODE),
	OPTION_ROW("buffering", 0, NULL,
		   "keep the newest events in memory, without a file, for 'evnt"
		   " snapshot'", 0, take_flag, .flag = EVENT_TRACE_BUFFERING_MODE),
	OPTION_ROW("all-or-none", 0, NULL,
		   "do not record events that another session cannot record, and"
		   " the reverse, as on Windows", AT(all_or_none)),
	OPTION_ROW("system", 0, "NAME,...",
		   "record events of the kernel: process, thread, image, switch,"
		   " ready, profile, or cpu for these; disk-io, disk-init, or"
		   " disk for both; interrupt, dpc, syscall, fault, hard-fault,"
		   " net", 0, take_system,
		   "process thread image switch ready profile cpu disk-io"
		   " disk-init disk interrupt dpc syscall fault hard-fault net"),
	OPTION_ROW("system-stack", 0, "NAME,...",
		   "record call stacks of profile, switch, ready, disk-init,"
		   " syscall, fault, hard-fault, net, or none; default: profile",
		   0, take_system_stack,
		   "profile switch ready disk-init syscall fault hard-fault net none"),
	OPTION_ROW("mode", 0, "NAME,...", "further logging modes, by name or number",
		   AT(mode), take_mode, "MODE"),
	OPTION_ROW("clock", 0, "CLOCK", "perf, system or cycle; default: perf",
		   AT(clock), take_clock, "perf system cycle"),
	{}
};

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
		return usage_error(verb, "--buffering keeps events in memory, and"
				   " excludes -o, --real-time and options of files;"
				   " 'evnt snapshot' writes the events to a file");
	if (options->all_or_none && mode & EVENT_TRACE_INDEPENDENT_SESSION_MODE)
		return usage_error(verb, "--all-or-none excludes the mode"
				   " independent");
	if (options->limits > 1)
		return usage_error(verb, "write only one of --max-size, --circular"
				   " and --new-file: each sets the file's size");
	if (mode & bounded && !options->max_mb)
		return usage_error(verb, "how large should the file be? write"
				   " --max-size MB");
	if (options->max_mb && options->max_mb * kb < 2ull * options->buffer_kb)
		return usage_error(verb, "a file of %u %s has no room for two"
				   " buffers of %u KB", options->max_mb,
				   kb == 1 ? "KB" : "MB", options->buffer_kb);
	if (mode & EVENT_TRACE_FILE_MODE_APPEND && mode & not_append)
		return usage_error(verb,
				   "--append excludes --circular, --new-file"
				   " and --real-time");
	if (mode & EVENT_TRACE_FILE_MODE_APPEND && options->clock == CLOCK_PERF)
		return usage_error(verb, "--append needs --clock system: times of"
				   " another boot of the system would be wrong");
	if (mode & EVENT_TRACE_FILE_MODE_NEWFILE && options->file &&
	    !strstr(options->file, "%d"))
		return usage_error(verb, "where in the file's name should its"
				   " number go? write %%d there");
	return EVNT_DONE;
}

/*
 * Check the output: log files may be overwritten, devices and directories may
 * not
 */
int check_output(const struct verb *verb, const char *file)
{
	struct stat st;

	if (!file || !*file)
		return usage_error(verb, "into which file? write -o FILE");
	if (!stat(file, &st) && !S_ISREG(st.st_mode))
		return failed("'%s' exists and is no regular file: choose"
			      " another for -o", file);
	return EVNT_DONE;
}

int check_session_options(const struct verb *verb,
			  const struct session_options *options)
{
	static const ULONG without_file = EVENT_TRACE_REAL_TIME_MODE |
					  EVENT_TRACE_BUFFERING_MODE;
	int error = check_modes(verb, options);

	if (error)
		return error;
	if (options->max_buffers && options->max_buffers < options->min_buffers)
		return usage_error(verb,
				   "--buffers %u is less than --min-buffers"
				   " %u",
				   options->max_buffers, options->min_buffers);
	if (!options->file && options->mode & without_file)
		return EVNT_DONE;
	return check_output(verb, options->file);
}

void free_session_options(struct session_options *options)
{
	spec_free(&options->specs);
}
