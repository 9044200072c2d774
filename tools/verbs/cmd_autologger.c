// SPDX-License-Identifier: MIT
/*
 * evnt autologger: sessions that start with the module.
 *
 * The module runs this program as evnt-autologger while it is being loaded.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <evntrace.h>

#include "tools/evnt.h"
#include "tools/autologger/autologger_list.h"
#include "tools/common/options.h"
#include "tools/common/json.h"
#include "tools/common/table.h"
#include "tools/common/win32.h"

static const char about[] =
"Lists, checks and starts the sessions that start when the module is loaded,\n"
"before any program writes events.  Each is described by a file NAME.conf in a\n"
"folder: see evnt-autologger(5).\n";

static const char notes[] =
"'start' starts the named sessions, or all whose description has Start = 1.\n\n"
"Examples:\n"
"  evnt autologger check\n"
"  evnt autologger start boot\n";

/**
 * struct options - options of the verb
 * @folder: folder of the session descriptions
 * @json: print JSON
 * @names: file names or session names, NULL-terminated
 */
struct options {
	const char *folder;
	bool json;
	char **names;
};

/* Properties with room for both names */
struct autologger_properties {
	EVENT_TRACE_PROPERTIES p;
	char session[AUTOLOGGER_MAX_TEXT + 1];
	char log[AUTOLOGGER_MAX_TEXT + 8];
};

static void properties_init(struct autologger_properties *p)
{
	memset(p, 0, sizeof(*p));
	p->p.Wnode.BufferSize = sizeof(*p);
	p->p.Wnode.Flags = WNODE_FLAG_TRACED_GUID;
	p->p.LoggerNameOffset = offsetof(struct autologger_properties, session);
	p->p.LogFileNameOffset = offsetof(struct autologger_properties, log);
}

/*
 * Return the state of a session: "running", "stopped", or "unknown" if it
 * cannot be queried
 */
static const char *state_of(const char *name)
{
	struct autologger_properties p;

	properties_init(&p);
	switch (QueryTraceA(0, name, &p.p)) {
	case ERROR_SUCCESS:
	case ERROR_MORE_DATA:
		return "running";
	case ERROR_WMI_INSTANCE_NOT_FOUND:
		return "stopped";
	}
	return "unknown";
}

static void print_object(const struct autologger *a)
{
	json_object *object = json_object_new_object();

	json_add_text(object, "name", a->name);
	json_add_text(object, "path", a->path);
	json_add_guid(object, "guid", &a->id);
	json_add_number(object, "start", a->start);
	json_add_text(object, "state", state_of(a->name));
	json_add_text(object, "file", autologger_has_file(a) ? a->log : "");
	json_add_number(object, "providers", a->count);
	json_add_number(object, "errors", a->errors);
	json_print(object);
}

static int list_sessions(const struct options *options)
{
	struct table table = { .columns = 4 };
	struct autologger_list list = { NULL, 0 };
	int exit_code = EVNT_FAILED;

	if (!autologger_list_read(&list, options->folder))
		goto free_list;
	if (!options->json)
		table_add(&table, (const char *[]){
			"NAME", "START", "STATE", "FILE"
		});
	for (size_t i = 0; i < list.count; i++) {
		const struct autologger *a = &list.all[i];

		if (options->json)
			print_object(a);
		else
			table_add(&table, (const char *[]){
				a->name,
				a->errors ? "wrong" : a->start ? "yes" : "no",
				state_of(a->name),
				autologger_has_file(a) ? a->log : "-"
			});
	}
	table_print(&table);
	exit_code = end_output(EVNT_DONE);
free_list:
	autologger_list_free(&list);
	return exit_code;
}

static int check(const struct options *options)
{
	struct autologger_list list = { NULL, 0 };
	char **file = options->names;
	bool done = true;
	int exit_code;

	if (!*file)
		done = autologger_list_read(&list, options->folder);
	while (done && *file)
		done = autologger_list_add(&list, *file++);
	exit_code = done && !autologger_list_errors(&list) ? EVNT_DONE : EVNT_FAILED;
	if (exit_code == EVNT_DONE)
		printf("%zu descriptions, nothing wrong\n", list.count);
	autologger_list_free(&list);
	return end_output(exit_code);
}

/*
 * Choose the log file of a session with FileMax: the lowest number that does
 * not exist, otherwise the oldest file
 */
static void number_log(const struct autologger *a, char *path, size_t size)
{
	struct timespec oldest = { 0, 0 };
	unsigned int best = 1;
	struct stat st;

	for (unsigned int i = 1; i <= a->file_max; i++) {
		snprintf(path, size, "%s.%04u", a->log, i);
		if (stat(path, &st)) {
			best = i;
			break;
		}
		if (i == 1 || st.st_mtim.tv_sec < oldest.tv_sec ||
		    (st.st_mtim.tv_sec == oldest.tv_sec &&
		     st.st_mtim.tv_nsec < oldest.tv_nsec)) {
			oldest = st.st_mtim;
			best = i;
		}
	}
	snprintf(path, size, "%s.%04u", a->log, best);
}

static void fill_properties(const struct autologger *a,
			    struct autologger_properties *p)
{
	properties_init(p);
	p->p.Wnode.Guid = a->id;
	p->p.Wnode.ClientContext = a->clock;
	p->p.BufferSize = a->buffer_size;
	p->p.MinimumBuffers = a->min_buffers;
	p->p.MaximumBuffers = a->max_buffers;
	p->p.MaximumFileSize = a->max_file_size;
	p->p.LogFileMode = a->mode;
	p->p.FlushTimer = a->flush_timer;
	if (!autologger_has_file(a)) {
		p->p.LogFileNameOffset = 0;
		p->p.MaximumFileSize = 0;
	} else if (a->file_max) {
		number_log(a, p->log, sizeof(p->log));
	} else {
		snprintf(p->log, sizeof(p->log), "%s", a->log);
	}
}

static unsigned int enable_all(const struct autologger *a, TRACEHANDLE handle)
{
	unsigned int errors = 0;
	ULONG code;

	for (size_t i = 0; i < a->count; i++) {
		const struct autologger_provider *p = &a->providers[i];
		ENABLE_TRACE_PARAMETERS parameters = {
			.Version = ENABLE_TRACE_PARAMETERS_VERSION_2,
			.EnableProperty = p->property,
		};

		if (!p->enabled)
			continue;
		code = EnableTraceEx2(handle, &p->id,
				      EVENT_CONTROL_CODE_ENABLE_PROVIDER,
				      p->level, p->match_any, p->match_all, 0,
				      &parameters);
		if (!code)
			continue;
		failed("%s:%u: cannot enable this provider: %s", a->path,
		       p->line, win32_text(code));
		errors++;
	}
	return errors;
}

/* Start a session; return whether it runs, with all its providers enabled */
static bool start_one(const struct autologger *a)
{
	static const char folder[] = "/var/log/evntprov";
	struct autologger_properties p;
	TRACEHANDLE handle;
	ULONG code;

	if (a->errors)
		return false;
	/* Create the default log folder. Any other folder must exist. */
	if (!strncmp(a->log, folder, strlen(folder)))
		mkdir(folder, 0750);
	fill_properties(a, &p);
	code = StartTraceA(&handle, a->name, &p.p);
	if (code == ERROR_ALREADY_EXISTS) {
		note("%s: a session of this name or Guid runs already", a->path);
		return true;
	}
	if (code) {
		failed("%s: cannot start the session: %s", a->path,
		       win32_text(code));
		return false;
	}
	return !enable_all(a, handle);
}

/* Read the descriptions named in the options, or all of the folder */
static bool list_wanted(struct autologger_list *list,
			const struct options *options)
{
	char **name = options->names;
	bool done = true;
	char *path;

	if (!*name)
		return autologger_list_read(list, options->folder);
	for (; *name && done; name++) {
		if (asprintf(&path, "%s/%s.conf", options->folder, *name) < 0)
			return false;
		done = autologger_list_add(list, path);
		free(path);
	}
	return done;
}

static int start(const struct options *options)
{
	struct autologger_list list = { NULL, 0 };
	bool done = list_wanted(&list, options);

	for (size_t i = 0; i < list.count; i++) {
		const struct autologger *a = &list.all[i];

		if (*options->names || a->start || a->errors)
			done &= start_one(a);
	}
	autologger_list_free(&list);
	return done ? EVNT_DONE : EVNT_FAILED;
}

static int run(int argc, char **argv)
{
	struct options options = { .folder = AUTOLOGGER_FOLDER };
	const char *command;
	int exit_code;

	exit_code = parse_options(&autologger_verb, argc, argv, &options);
	if (exit_code)
		return exit_code;
	command = argv[optind];
	if (!command)
		return usage_error(&autologger_verb, "list, check or start?");
	options.names = argv + optind + 1;
	if (!strcmp(command, "list")) {
		if (*options.names)
			return usage_error(&autologger_verb,
					   "list takes no argument '%s'",
					   *options.names);
		return list_sessions(&options);
	}
	if (!strcmp(command, "check"))
		return check(&options);
	if (!strcmp(command, "start"))
		return start(&options);
	return usage_error(&autologger_verb, "autologger takes list, check or"
			   " start, not '%s'", command);
}

#define AT(field)	offsetof(struct options, field)

static const struct option_row rows[] = {
	OPTION_ROW("folder", 0, "DIR", "use this folder instead of " AUTOLOGGER_FOLDER,
		   AT(folder)),
	OPTION_ROW("json", 0, NULL,
		   "print a JSON object per line; see evnt-autologger(1) for keys",
		   AT(json)),
	HELP_ROW,
	{}
};

const struct verb autologger_verb = {
	.name = "autologger",
	.summary = "manage sessions that start with the module",
	.synopsis = "list [--folder DIR] [--json]\n"
		    "check [--folder DIR] [FILE...]\n"
		    "start [--folder DIR] [NAME...]",
	.about = about,
	.options = rows,
	.notes = notes,
	.arguments = { "list check start", "FILE" },
	.run = run,
};

bool autologger_is_helper(const char *program)
{
	const char *base = strrchr(program, '/');

	return !strcmp(base ? base + 1 : program, "evnt-autologger");
}

int autologger_help_out(void)
{
	struct options options = {
		.folder = AUTOLOGGER_FOLDER,
		.names = (char *[]){ NULL },
	};
	int fd;

	/*
	 * The kernel starts programs without open files, so the next files
	 * opened, such as logs, would be taken for standard output and error.
	 * Messages go to the kernel log, one line at a time.
	 */
	if (fcntl(STDERR_FILENO, F_GETFD) < 0) {
		do {
			fd = open("/dev/null", O_RDWR);
		} while (fd >= 0 && fd < STDERR_FILENO);
		fd = open("/dev/kmsg", O_WRONLY | O_CLOEXEC);
		if (fd >= 0 && dup2(fd, STDERR_FILENO) >= 0)
			setvbuf(stderr, NULL, _IOLBF, BUFSIZ);
	}
	return start(&options);
}
