// SPDX-License-Identifier: MIT
/*
 * evnt logman query: lists sessions and sets in the layout of Windows' logman
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "tools/logman/logman.h"
#include "tools/session/losses.h"
#include "tools/session/registered.h"
#include "tools/session/session_list.h"

static const char rule[] =
"-------------------------------------------------------------------------------";

/*
 * Print a row. Names come from other users and must not control the terminal.
 */
static void row(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void row(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = format_text(format, args);
	va_end(args);
	if (!text)
		return;
	puts(make_printable(text));
	free(text);
}

static char *format_braces(const void *guid, char text[GUID_TEXT + 2])
{
	char bare[GUID_TEXT];

	format_guid(guid, bare);
	snprintf(text, GUID_TEXT + 2, "{%s}", bare);
	for (char *c = text; *c; c++)
		*c = toupper((unsigned char)*c);
	return text;
}

static const char *on_off(ULONG set)
{
	return set ? "On" : "Off";
}

static void print_list_heading(void)
{
	putchar('\n');
	row("%-40s%-30s%s", "Data Collector Set", "Type", "Status");
	puts(rule);
}

static void print_list_row(const char *name, bool runs)
{
	row("%-40s%-30s%s", name, "Trace", runs ? "Running" : "Stopped");
}

static int list_running(int device)
{
	struct session_list list;
	int error = list_sessions(device, &list);

	if (!error) {
		print_list_heading();
		for (size_t i = 0; i < list.count; i++)
			print_list_row(list.sessions[i].name, true);
	}
	for (size_t i = 0; i < list.count; i++)
		report_losses(&list.sessions[i]);
	free_sessions(&list);
	return error ? error : logman_done();
}

/* Return whether a session runs; false without access to the device */
static bool is_running(int device, const char *request,
		       struct dev_session *session)
{
	return device >= 0 && logman_runs(device, request, session);
}

static int quiet_device(void)
{
	return access("/dev/evntrace", R_OK | W_OK) ? -1 : dev_open();
}

static bool list_stored_one(const struct collector *set, void *data)
{
	int *device = data;

	print_list_row(set->name, is_running(*device, collector_logger(set),
					     NULL));
	return true;
}

static int list_stored(void)
{
	int device = quiet_device(), error;

	print_list_heading();
	error = collector_list(list_stored_one, &device);
	if (device >= 0)
		close(device);
	if (error)
		return logman_error(LOGMAN_WIN32(ERROR_ACCESS_DENIED),
				    "cannot list the sets: %s",
				    strerror(error));
	return logman_done();
}

/**
 * struct shown_set - data shown of a set or a session
 * @name: name
 * @file: log file, or empty
 * @mode: log file mode, EVENT_TRACE_*
 * @overwrite: -ow was given
 * @buffer_kb: size of a buffer in KB
 * @flush: flush timer in seconds
 * @clock: Wnode.ClientContext
 * @max_mb: maximum size of the file in MB
 * @session: running session, or NULL
 */
struct shown_set {
	const char *name;
	const char *file;
	ULONG mode;
	bool overwrite;
	ULONG buffer_kb;
	ULONG flush;
	ULONG clock;
	ULONG max_mb;
	const struct dev_session *session;
};

static void print_head(const struct shown_set *shown)
{
	const char *slash = strrchr(shown->file, '/');

	fputs("\n\n", stdout);
	row("%-22s%s", "Name:", shown->name);
	row("%-22s%s", "Status:", shown->session ? "Running" : "Stopped");
	row("%-22s%.*s", "Root Path:",
	    slash ? (int)(slash - shown->file) + (slash == shown->file) : 0,
	    shown->file);
	row("%-22s%s", "Segment:",
	    on_off(shown->mode & EVENT_TRACE_FILE_MODE_NEWFILE));
	row("%-22s%s", "Schedules:", "Off");
	if (shown->max_mb)
		row("%-22s%u MB", "Segment Max Size:", shown->max_mb);
}

static void print_counters(const struct dev_session *session)
{
	const struct evntrace_session *info = &session->info;
	char lost[LOSSES_TEXT];

	row("%-22s%" PRIu64, "Buffers Lost:", (uint64_t)info->buffers_lost);
	row("%-22s%" PRIu64, "Buffers Written:",
	    (uint64_t)info->buffers_written);
	row("%-22s%s", "Events Lost:", losses_text(info, lost));
}

static void print_collector(const struct shown_set *shown)
{
	static const char *const clocks[] = { "Performance", "Performance",
					      "System", "Cycle" };
	bool real_time = shown->mode & EVENT_TRACE_REAL_TIME_MODE;

	putchar('\n');
	row("%-22s%s\\%s", "Name:", shown->name, shown->name);
	row("%-22s%s", "Type:", "Trace");
	if (shown->file[0])
		row("%-22s%s", "Output Location:", shown->file);
	row("%-22s%s", "Append:",
	    on_off(shown->mode & EVENT_TRACE_FILE_MODE_APPEND));
	row("%-22s%s", "Circular:",
	    on_off(shown->mode & EVENT_TRACE_FILE_MODE_CIRCULAR));
	row("%-22s%s", "Overwrite:", on_off(shown->overwrite));
	row("%-22s%u", "Buffer Size:", shown->buffer_kb);
	if (shown->session)
		print_counters(shown->session);
	row("%-22s%u", "Buffer Flush Timer:", shown->flush);
	row("%-22s%s", "Clock Type:",
	    clocks[shown->clock < 4 ? shown->clock : 1]);
	row("%-22s%s%s%s", "File Mode:", real_time ? "Real-time" : "",
	    real_time && shown->file[0] ? ", " : "",
	    shown->file[0] ? "File" : "");
}

static void print_provider(const char *name, const void *guid, ULONG level,
			   uint64_t any, uint64_t all, ULONG property)
{
	char id[GUID_TEXT + 2];

	format_braces(guid, id);
	puts("\nProvider:");
	row("%-22s%s", "Name:", name[0] ? name : id);
	row("%-22s%s", "Provider Guid:", id);
	row("%-22s%u", "Level:", level);
	row("%-22s0x%" PRIx64, "KeywordsAll:", all);
	row("%-22s0x%" PRIx64, "KeywordsAny:", any);
	row("%-22s%u", "Properties:", property);
	row("%-22s%s", "Filter Type:", "0");
}

/* Return a provider's name from its registrations, or an empty one */
static void name_of(const struct evntrace_registration *registrations,
		    size_t count, const struct evntprov_guid *id, char name[65])
{
	name[0] = '\0';
	for (size_t i = 0; i < count && !name[0]; i++) {
		if (!memcmp(&registrations[i].provider, id, sizeof(*id)))
			snprintf(name, 65, "%.64s", registrations[i].name);
	}
}

static void print_enabled(int device, const struct enabled_list *list)
{
	struct evntrace_registration *registrations;
	char name[65];
	size_t count;

	if (list_registrations(device, &registrations, &count))
		count = 0;
	for (size_t i = 0; i < list->count; i++) {
		const struct evntrace_enablement *e = &list->enablements[i];

		name_of(registrations, count, &e->provider, name);
		print_provider(name, e->provider.b, e->level, e->match_any,
			       e->match_all,
			       e->property & ~EVNTRACE_PROPERTY_PROCESS_NAME);
	}
	free(registrations);
}

static void show_running(const struct dev_session *session)
{
	const struct evntrace_session *info = &session->info;
	struct shown_set shown = {
		.name = session->name,
		.file = session->log_name,
		.mode = info->log_file_mode,
		.buffer_kb = info->buffer_size / 1024,
		.flush = info->flush_ms / 1000,
		.clock = info->clock_type,
		.max_mb = info->max_file_size,
		.session = session,
	};

	print_head(&shown);
	print_collector(&shown);
}

static int show_session(int device, const char *name)
{
	struct dev_session session;
	struct enabled_list list;
	int error;

	if (!logman_runs(device, name, &session))
		return logman_error(LOGMAN_SET_NOT_FOUND, "no session '%s'"
				    " runs: 'logman query -ets' lists those"
				    " that do", name);
	show_running(&session);
	error = list_enabled(device, session.info.handle, &list);
	if (!error)
		print_enabled(device, &list);
	free(list.enablements);
	report_losses(&session);
	return error ? error : logman_done();
}

static void show_set(const struct collector *set,
		     const struct dev_session *session)
{
	const struct session_options *options = &set->options;
	struct shown_set shown = {
		.name = set->name,
		.file = set->file ? set->file : "",
		.mode = options->mode,
		.overwrite = set->overwrite,
		.buffer_kb = options->buffer_kb ? options->buffer_kb : 64,
		.flush = options->flush,
		.clock = options->clock,
		.max_mb = options->max_mb,
		.session = session,
	};

	print_head(&shown);
	print_collector(&shown);
	for (size_t i = 0; i < options->specs.count; i++) {
		const struct spec *spec = &options->specs.specs[i];

		print_provider(spec->name, &spec->id, spec->level,
			       spec->keywords, 0, 0);
	}
}

static int show_stored(const char *name)
{
	struct dev_session session;
	struct collector set;
	int device, error = logman_load(name, &set);
	bool runs;

	if (!error) {
		device = quiet_device();
		runs = is_running(device, collector_logger(&set), &session);
		show_set(&set, runs ? &session : NULL);
		if (runs)
			report_losses(&session);
		if (device >= 0)
			close(device);
	}
	collector_free(&set);
	return error ? error : logman_done();
}

static int compare_providers(const void *a, const void *b)
{
	const struct evntrace_registration *x = a, *y = b;
	int order = strcasecmp(x->name, y->name);

	return order ? order : memcmp(&x->provider, &y->provider, 16);
}

static void print_process(const struct evntrace_registration *registration)
{
	char link[64], image[4096] = "";

	snprintf(link, sizeof(link), "/proc/%u/exe", registration->pid);
	if (readlink(link, image, sizeof(image) - 1) < 0)
		snprintf(image, sizeof(image), "?");
	row("0x%08x          %s", registration->pid, image);
}

/*
 * Print all providers, or @wanted only, with the processes that have registered
 * them
 */
static size_t print_providers(const struct evntrace_registration *all,
			      size_t count, const struct spec *wanted)
{
	size_t shown = 0;
	char id[GUID_TEXT + 2];

	putchar('\n');
	row("%-41s%s", "Provider", "GUID");
	puts(rule);
	for (size_t i = 0; i < count; i++) {
		if (wanted && memcmp(&wanted->id, &all[i].provider, 16) != 0)
			continue;
		if (shown && !compare_providers(&all[i], &all[i - 1]))
			continue;
		format_braces(all[i].provider.b, id);
		row("%-41.64s%s", all[i].name[0] ? all[i].name : id, id);
		shown++;
	}
	if (!wanted || !shown)
		return shown;
	putchar('\n');
	row("%-20s%s", "PID", "Image");
	puts(rule);
	for (size_t i = 0; i < count; i++) {
		if (!memcmp(&wanted->id, &all[i].provider, 16))
			print_process(&all[i]);
	}
	return shown;
}

static int find_wanted(int device, const char *name, struct spec_list *wanted)
{
	struct spec spec = { .level = 0 };
	char why[512];

	if (!spec_provider(name, &spec, why, sizeof(why)))
		return logman_error(LOGMAN_BAD_ARGUMENT, "%s", why);
	if (!spec_add(wanted, &spec) || look_up_names(device, wanted))
		return logman_error(LOGMAN_NO_ELEMENT, "provider '%s'", name);
	return EVNT_DONE;
}

static int list_providers(int device, const char *name)
{
	struct evntrace_registration *all = NULL;
	struct spec_list wanted = { NULL, 0 };
	size_t count = 0, shown;
	int error = EVNT_DONE;

	if (name)
		error = find_wanted(device, name, &wanted);
	if (!error && list_registrations(device, &all, &count))
		error = logman_error(LOGMAN_WIN32(ERROR_ACCESS_DENIED),
				     "cannot list the providers");
	if (!error) {
		qsort(all, count, sizeof(*all), compare_providers);
		shown = print_providers(all, count, wanted.specs);
		if (name && !shown)
			error = logman_error(LOGMAN_NO_ELEMENT, "no process"
					     " has registered '%s'", name);
	}
	free(all);
	spec_free(&wanted);
	return error ? error : logman_done();
}

static int query_device(const struct logman *logman)
{
	int device = dev_open(), error;

	if (device < 0)
		return EVNT_FAILED;
	if (logman->set.name[0])
		error = show_session(device, logman->set.name);
	else
		error = list_running(device);
	close(device);
	return error;
}

static int query_providers(const char *name)
{
	int device = dev_open(), error;

	if (device < 0)
		return EVNT_FAILED;
	error = list_providers(device, name);
	close(device);
	return error;
}

int logman_query(char **argv)
{
	struct logman logman = { .ets = false };
	int error;

	if (*argv && !strcasecmp(*argv, "providers"))
		return query_providers(argv[1]);
	error = logman_arguments(&logman, argv);
	if (!error && logman.ets)
		error = query_device(&logman);
	else if (!error && logman.set.name[0])
		error = show_stored(logman.set.name);
	else if (!error)
		error = list_stored();
	collector_free(&logman.set);
	spec_free(&logman.removed);
	return error;
}
