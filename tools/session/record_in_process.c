// SPDX-License-Identifier: MIT
/*
 * evnt record --in-process: each process of a command records itself. The
 * library takes the options from its environment, which this file sets. In the
 * end, this file reports the results.
 */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <evntcons.h>

#include "tools/session/child.h"
#include "decode/format.h"
#include "tools/events/images.h"
#include "tools/common/json.h"
#include "tools/session/in_process.h"

#define TEXT	4096

/**
 * struct log - log file of a process
 * @path: path of the file
 * @events: number of recorded events
 * @lost: number of lost events
 * @named: the process has registered a provider of the session
 * @ended: the file was completed by its session
 */
struct log {
	const char *path;
	unsigned long long events;
	unsigned long long lost;
	bool named;
	bool ended;
};

/* Modes that a process's own session supports */
static const ULONG known_modes = EVENT_TRACE_FILE_MODE_CIRCULAR;

static int check(const struct verb *verb, const struct session_options *options,
		 char **command)
{
	const struct spec_list *specs = &options->specs;
	const struct filter_options *f = &options->filters;

	if (!command)
		return usage_error(verb, "--in-process needs a command: running"
				   " processes cannot be recorded this way");
	if (options->mode & ~known_modes || !options->file)
		return usage_error(verb,
				   "of the modes, --circular alone goes with"
				   " --in-process; and it needs -o FILE");
	if (options->all_or_none)
		return usage_error(verb, "--all-or-none is about several"
				   " sessions: --in-process starts one in each"
				   " process");
	if (f->pid_count || f->exe || f->package || f->app || f->ids.count ||
	    f->names || f->where || f->stack_ids.count)
		return usage_error(verb, "the only filter for --in-process is"
				   " --stack, for all events; 'evnt dump' can select"
				   " events later");
	for (size_t i = 0; i < specs->count; i++) {
		if (specs->specs[i].group || specs->specs[i].lookup)
			return usage_error(verb, "which provider is '%s'? write"
					   " *NAME or GUID with --in-process",
					   specs->specs[i].name);
	}
	return EVNT_DONE;
}

/* Append to a text of TEXT bytes; return false if it does not fit */
static bool add(char *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static bool add(char *text, const char *format, ...)
{
	size_t len = strlen(text);
	va_list list;
	int n;

	va_start(list, format);
	n = vsnprintf(text + len, TEXT - len, format, list);
	va_end(list);
	return n >= 0 && (size_t)n < TEXT - len;
}

static void put_options(char *text, const struct session_options *options)
{
	const bool circular = options->mode & EVENT_TRACE_FILE_MODE_CIRCULAR;
	const struct {
		const char *name;
		ULONG value;
	} all[] = {
		{ "buffer-size", options->buffer_kb },
		{ "min-buffers", options->min_buffers },
		{ "buffers", options->max_buffers },
		{ "flush", options->flush },
		{ "clock", options->clock },
		{ circular ? "circular" : "max-size", options->max_mb },
	};

	*text = 0;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (all[i].value)
			add(text, "%s%s=%u", *text ? "," : "", all[i].name,
			    all[i].value);
	}
}

/* Set the environment variables of the library, which the command inherits */
static int set_environment(const struct session_options *options)
{
	const struct spec_list *specs = &options->specs;
	const ULONG property = filter_properties(&options->filters);
	char text[TEXT], path[PATH_MAX], id[GUID_TEXT];
	const char *file = options->file;
	char *cwd = file[0] == '/' ? NULL : getcwd(NULL, 0);

	snprintf(path, sizeof(path), "%s%s%s", cwd ? cwd : "", cwd ? "/" : "",
		 file);
	free(cwd);
	setenv("EVNTPROV_LOG", path, true);
	*text = 0;
	for (size_t i = 0; i < specs->count; i++) {
		const struct spec *spec = &specs->specs[i];

		if (!add(text, "%s%s:0x%llx:%u:%u", i ? "+" : "",
			 format_guid(&spec->id, id), spec->keywords,
			 spec->level, property))
			return failed("too many providers");
	}
	setenv("EVNTPROV_PROVIDERS", text, true);
	put_options(text, options);
	setenv("EVNTPROV_LOG_OPTIONS", text, true);
	return EVNT_DONE;
}

static VOID WINAPI count_event(PEVENT_RECORD record)
{
	struct log *log = record->UserContext;

	log->events += !is_of_module(record);
	log->named |= is_process_name(record);
}

/* Count a file's events; its header and image records are none */
static bool read_log(struct log *log)
{
	EVENT_TRACE_LOGFILEA file = {
		.LogFileName = (char *)log->path,
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
		.EventRecordCallback = count_event,
		.Context = log,
	};
	TRACEHANDLE handle = OpenTraceA(&file);

	if (handle == INVALID_PROCESSTRACE_HANDLE)
		return false;
	ProcessTrace(&handle, 1, NULL, NULL);
	CloseTrace(handle);
	log->events -= !!log->events;
	log->lost = file.LogfileHeader.EventsLost;
	log->ended = file.LogfileHeader.EndTime.QuadPart;
	return true;
}

bool in_process_is_new(const char *path, const struct timespec *since)
{
	struct stat st;

	return !stat(path, &st) &&
	       (st.st_mtim.tv_sec > since->tv_sec ||
		(st.st_mtim.tv_sec == since->tv_sec &&
		 st.st_mtim.tv_nsec >= since->tv_nsec));
}

void in_process_logs(const char *file, glob_t *found)
{
	char *escaped = must_have(malloc(2 * strlen(file) + 16)), *to = escaped;

	glob(file, GLOB_NOCHECK | GLOB_NOESCAPE, NULL, found);
	for (; *file; *to++ = *file++) {
		if (strchr("*?[\\", *file))
			*to++ = '\\';
	}
	memcpy(to, "_[0-9]*", sizeof("_[0-9]*"));
	glob(escaped, GLOB_APPEND, NULL, found);
	free(escaped);
}

/*
 * Report each file, or add it to @files if that is not NULL. Count the events in
 * all files, and set *@registered if a process has registered a provider of the
 * session; return the number of files.
 */
static unsigned int report_logs(const char *file, const struct timespec *since,
				json_object *files, unsigned long long *events,
				bool *registered)
{
	unsigned int count = 0;
	json_object *object;
	glob_t found = {};

	in_process_logs(file, &found);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct log log = { .path = found.gl_pathv[i] };

		if (!in_process_is_new(log.path, since) || !read_log(&log))
			continue;
		count++;
		*events += log.events;
		*registered |= log.named;
		if (!files) {
			note("%llu event%s in '%s'%s%s", log.events,
			     log.events == 1 ? "" : "s", log.path,
			     log.lost ? ", and some were lost" : "", log.ended ?
			     "" : ", which was not ended: more may be lost");
			continue;
		}
		object = json_object_new_object();
		json_add_text(object, "file", log.path);
		json_add_number(object, "events", log.events);
		json_add_number(object, "events_lost", log.lost);
		json_object_object_add(object, "ended",
				       json_object_new_boolean(log.ended));
		json_object_array_add(files, object);
	}
	globfree(&found);
	return count;
}

/*
 * Report why all files are empty. A process that registers a provider of the
 * session records its name first, whatever the level and keywords are.
 */
static void explain_empty(const struct session_options *options,
			  bool registered)
{
	const struct spec_list *specs = &options->specs;
	const bool is_one = specs->count == 1;
	bool is_limited = false;

	for (size_t i = 0; i < specs->count; i++)
		is_limited |= specs->specs[i].level ||
			      specs->specs[i].keywords;
	if (options->filters.no_names)
		note("nothing was recorded: no process has registered %s, or"
		     " wrote an event that -p selects",
		     is_one ? "the provider" : "one of the providers");
	else if (!registered)
		note("nothing was recorded: no process has registered %s: is"
		     " the id right, which names after '*' determine by their"
		     " spelling?", is_one ? "the provider" :
		     "one of the providers");
	else
		note("nothing was recorded: a process has registered %s, but"
		     " wrote nothing%s", is_one ? "the provider" :
		     "one of the providers", is_limited ?
		     " of the levels and keywords of -p" : "");
}

int record_is_empty(void)
{
	failed("no event was recorded, and --require-events needs one");
	return EVNT_EMPTY;
}

int in_process_begin(const struct verb *verb,
		     const struct session_options *options, char **command,
		     struct timespec *since)
{
	int error = check(verb, options, command);

	if (!error)
		error = set_environment(options);
	if (error)
		return error;
	/* The user has requested to overwrite the file */
	unlink(options->file);
	clock_gettime(CLOCK_REALTIME_COARSE, since);
	return EVNT_DONE;
}

int record_in_process(const struct verb *verb,
		      const struct session_options *options, char **command,
		      const struct record_limits *limits)
{
	json_object *object, *files = NULL;
	struct child child = {};
	struct timespec since;
	unsigned long long events = 0;
	bool registered = false;
	unsigned int count;
	int error;

	error = in_process_begin(verb, options, command, &since);
	if (error)
		return error;
	child_block_signals();
	if (!child_start(&child, command))
		return child.status ? child.status : EVNT_FAILED;
	child_limit(&child, limits->seconds);
	while (child.pid && child.interrupted < 2)
		child_wait(&child, 1000);
	if (options->json)
		files = json_object_new_array();
	count = report_logs(options->file, &since, files, &events, &registered);
	if (options->json) {
		object = json_object_new_object();
		json_object_object_add(object, "files", files);
		json_add_number(object, "exit_status", child.status);
		json_print(object);
	}
	if (!count)
		note("nothing was recorded: no process has registered a provider"
		     " with libevntprov");
	else if (!events && !options->json)
		explain_empty(options, registered);
	if (child.pid || child.status)
		return end_output(child.pid ? 130 : child.status);
	return end_output(events || !limits->needs_events ? EVNT_DONE :
			  record_is_empty());
}
