// SPDX-License-Identifier: MIT
/* evnt logman: commands that change sessions and data collector sets */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "tools/logman/logman.h"
#include "tools/session/losses.h"
#include "tools/session/registered.h"
#include "tools/session/session_list.h"
#include "tools/session/session_start.h"
#include "tools/common/win32.h"

bool logman_runs(int device, const char *name, struct dev_session *session)
{
	struct session_list list;
	bool found = false;

	if (!list_sessions(device, &list)) {
		for (size_t i = 0; i < list.count && !found; i++) {
			found = !strcasecmp(list.sessions[i].name, name);
			if (found && session)
				*session = list.sessions[i];
		}
	}
	free_sessions(&list);
	return found;
}

int logman_load(const char *name, struct collector *set)
{
	int error = collector_load(name, set);

	if (!error)
		return EVNT_DONE;
	if (error == ENOENT)
		return logman_error(LOGMAN_SET_NOT_FOUND, "there is no set"
				    " '%s': 'logman query' lists them; for a"
				    " session write -ets", name);
	if (error == EACCES)
		return logman_error(LOGMAN_WIN32(ERROR_ACCESS_DENIED),
				    "set '%s': %s", name, strerror(error));
	return logman_error(LOGMAN_WIN32(13), "the file of set '%s' is damaged"
			    " (%s): delete the set", name, strerror(error));
}

static int save(const struct collector *set, bool must_be_new)
{
	int error = collector_save(set, must_be_new);

	if (!error)
		return logman_done();
	if (error == EEXIST)
		return logman_error(LOGMAN_SET_EXISTS, "choose another name"
				    " than '%s', or 'logman delete' it",
				    set->name);
	return logman_error(LOGMAN_WIN32(error == EACCES || error == EROFS ?
					 ERROR_ACCESS_DENIED :
					 ERROR_PATH_NOT_FOUND),
			    "cannot keep set '%s': %s", set->name,
			    strerror(error));
}

/* Parse the arguments and require a name */
static int read_arguments(struct logman *logman, char **argv)
{
	int error = logman_arguments(logman, argv);

	if (!error && !logman->set.name[0])
		error = logman_error(LOGMAN_BAD_ARGUMENT, "which name? write it"
				     " behind the command");
	return error;
}

static void free_logman(struct logman *logman)
{
	collector_free(&logman->set);
	spec_free(&logman->removed);
}

/* Check a set before saving it, so that starting it will not fail later */
static int check_set(const struct collector *set)
{
	static const ULONG sized = EVENT_TRACE_FILE_MODE_CIRCULAR |
				   EVENT_TRACE_FILE_MODE_NEWFILE |
				   EVENT_TRACE_FILE_MODE_PREALLOCATE;
	ULONG mode = set->options.mode;

	if (mode & sized && !set->options.max_mb)
		return logman_error(LOGMAN_BAD_ARGUMENT, "how large should the"
				    " file be? write -max MB");
	if (mode & EVENT_TRACE_FILE_MODE_CIRCULAR &&
	    mode & EVENT_TRACE_FILE_MODE_NEWFILE)
		return logman_error(LOGMAN_BAD_ARGUMENT, "-f bincirc and -cnf"
				    " exclude each other");
	if (mode & EVENT_TRACE_FILE_MODE_NEWFILE && set->file &&
	    !strstr(set->file, "%d"))
		return logman_error(LOGMAN_BAD_ARGUMENT, "where in the file's"
				    " name should its number go? write %%d");
	return EVNT_DONE;
}

/* Choose a log file in the current folder, unless the mode needs none */
static void choose_file(struct collector *set)
{
	static const ULONG without = EVENT_TRACE_REAL_TIME_MODE |
				     EVENT_TRACE_BUFFERING_MODE;
	char file[COLLECTOR_NAME + 8];

	if (set->file || set->options.mode & without)
		return;
	snprintf(file, sizeof(file), "%s.etl", set->name);
	collector_set_file(set, file);
}

/*
 * Make the log file's path absolute, as the set may be started from any folder
 */
static void make_whole(struct collector *set)
{
	struct properties properties;

	if (!set->file)
		return;
	properties_init(&properties, set->file);
	collector_set_file(set, properties.file);
}

static ULONG error_of(ULONG win32)
{
	switch (win32) {
	case ERROR_ALREADY_EXISTS:
		return LOGMAN_SET_EXISTS;
	case ERROR_WMI_INSTANCE_NOT_FOUND:
		return LOGMAN_SET_NOT_FOUND;
	default:
		return LOGMAN_WIN32(win32);
	}
}

static int start_set(int device, struct collector *set)
{
	struct dev_session session;
	TRACEHANDLE handle;
	ULONG code;
	int error;

	if (look_up_names(device, &set->options.specs))
		return logman_error(LOGMAN_NO_ELEMENT, "session '%s' was not"
				    " started", collector_logger(set));
	set->options.all_or_none = true;
	code = start_session(&set->options, collector_logger(set), &handle,
			     NULL);
	if (code)
		return logman_error(error_of(code), "session '%s', file '%s':"
				    " %s", collector_logger(set),
				    set->file ? set->file : "none",
				    win32_text(code));
	if (enable_specs(handle, &set->options)) {
		error = logman_error(LOGMAN_NO_ELEMENT, "session '%s' was not"
				     " started", collector_logger(set));
		dev_stop(device, handle, &session);
		return error;
	}
	return logman_done();
}

static int start_now(struct logman *logman)
{
	int device, error = check_set(&logman->set);

	if (error)
		return error;
	choose_file(&logman->set);
	device = dev_open();
	if (device < 0)
		return EVNT_FAILED;
	error = start_set(device, &logman->set);
	close(device);
	return error;
}

/* Refuse to overwrite a log file without the user's permission */
static int check_file(const struct collector *set)
{
	if (!set->file || set->overwrite || access(set->file, F_OK) ||
	    set->options.mode & EVENT_TRACE_FILE_MODE_APPEND)
		return EVNT_DONE;
	return logman_error(LOGMAN_WIN32(ERROR_ALREADY_EXISTS), "'%s' already"
			    " exists: write -ow or -a when the set is created,"
			    " or move the file", set->file);
}

static int start_stored(const char *name)
{
	struct collector set;
	int device, error = logman_load(name, &set);

	if (error)
		goto out;
	device = dev_open();
	error = device < 0 ? EVNT_FAILED : EVNT_DONE;
	if (!error && logman_runs(device, collector_logger(&set), NULL))
		error = logman_error(LOGMAN_SET_IN_USE, "set '%s' runs"
				     " already", name);
	if (!error)
		error = check_file(&set);
	if (!error)
		error = start_set(device, &set);
	close(device);
out:
	collector_free(&set);
	return error;
}

int logman_start(char **argv)
{
	struct logman logman = { .ets = false };
	int error = read_arguments(&logman, argv);

	if (!error)
		error = logman.ets ? start_now(&logman) :
				     start_stored(logman.set.name);
	free_logman(&logman);
	return error;
}

static int create_stored(struct collector *set)
{
	int error = check_set(set);

	if (error)
		return error;
	choose_file(set);
	make_whole(set);
	return save(set, true);
}

int logman_create(char **argv)
{
	struct logman logman = { .ets = false };
	int error;

	if (!*argv || strcasecmp(*argv, "trace") != 0)
		return logman_error(LOGMAN_WIN32(ERROR_NOT_SUPPORTED),
				    "create '%s': 'trace' is the only kind of"
				    " collector here", *argv ? *argv : "");
	error = read_arguments(&logman, argv + 1);
	if (!error && logman.ets)
		error = start_now(&logman);
	else if (!error)
		error = create_stored(&logman.set);
	free_logman(&logman);
	return error;
}

static int stop_named(int device, const char *name, ULONG missing)
{
	struct dev_session session;
	int error;

	if (!logman_runs(device, name, &session))
		return logman_error(missing, "no session '%s' runs: 'logman"
				    " query -ets' lists those that do", name);
	error = dev_stop(device, session.info.handle, &session);
	if (error && error != ESRCH)
		return logman_error(error == EACCES ?
				    LOGMAN_WIN32(ERROR_ACCESS_DENIED) :
				    LOGMAN_SET_IN_USE, "session '%s': %s", name,
				    strerror(error));
	report_losses(&session);
	return logman_done();
}

static int with_device(int (*act)(int device, const char *name, ULONG code),
		       const char *name, ULONG code)
{
	int device = dev_open(), error;

	if (device < 0)
		return EVNT_FAILED;
	error = act(device, name, code);
	close(device);
	return error;
}

static int stop_stored(const char *name)
{
	struct collector set;
	int error = logman_load(name, &set);

	if (!error)
		error = with_device(stop_named, collector_logger(&set),
				    LOGMAN_SET_NOT_RUNNING);
	collector_free(&set);
	return error;
}

int logman_stop(char **argv)
{
	struct logman logman = { .ets = false };
	int error = read_arguments(&logman, argv);

	if (!error && logman.ets)
		error = with_device(stop_named, logman.set.name,
				    LOGMAN_SET_NOT_FOUND);
	else if (!error)
		error = stop_stored(logman.set.name);
	free_logman(&logman);
	return error;
}

static int check_idle(int device, const char *name, ULONG code)
{
	if (!logman_runs(device, name, NULL))
		return EVNT_DONE;
	return logman_error(code, "session '%s' runs: 'logman stop' it first",
			    name);
}

static int delete_stored(const char *name)
{
	struct collector set;
	int error;

	/* A set with a damaged file can be deleted, too */
	error = collector_load(name, &set);
	if (error && error != EBADMSG) {
		collector_free(&set);
		return logman_load(name, &set);
	}
	/* Without access to the device, assume that no session runs */
	if (!error && !access("/dev/evntrace", R_OK | W_OK))
		error = with_device(check_idle, collector_logger(&set),
				    LOGMAN_SET_IN_USE);
	else
		error = EVNT_DONE;
	collector_free(&set);
	if (error)
		return error;
	error = collector_delete(name);
	if (error)
		return logman_error(LOGMAN_WIN32(ERROR_ACCESS_DENIED),
				    "set '%s': %s", name, strerror(error));
	return logman_done();
}

int logman_delete(char **argv)
{
	struct logman logman = { .ets = false };
	int error = read_arguments(&logman, argv);

	if (!error && logman.ets)
		error = with_device(stop_named, logman.set.name,
				    LOGMAN_SET_NOT_FOUND);
	else if (!error)
		error = delete_stored(logman.set.name);
	free_logman(&logman);
	return error;
}

static ULONG disable_all(TRACEHANDLE handle, const struct spec_list *specs)
{
	ULONG error = ERROR_SUCCESS;

	for (size_t i = 0; i < specs->count && !error; i++)
		error = EnableTraceEx2(handle, &specs->specs[i].id,
				       EVENT_CONTROL_CODE_DISABLE_PROVIDER, 0,
				       0, 0, 0, NULL);
	return error;
}

/* Change only the properties given on the command line */
static ULONG change_session(const struct logman *logman,
			    const struct dev_session *session)
{
	struct properties properties;
	EVENT_TRACE_PROPERTIES *p = &properties.p;

	properties_init(&properties, logman->has_file ? logman->set.file : NULL);
	if (!logman->has_file)
		p->LogFileNameOffset = 0;
	p->FlushTimer = logman->set.options.flush;
	p->MaximumBuffers = logman->set.options.max_buffers;
	p->LogFileMode = (logman->has_real_time ? logman->set.options.mode :
			  session->info.log_file_mode) &
			 EVENT_TRACE_REAL_TIME_MODE;
	return UpdateTraceA(session->info.handle, NULL, p);
}

static int update_running(struct logman *logman, int device)
{
	const char *name = logman->set.name;
	struct dev_session session;
	ULONG code = ERROR_SUCCESS;

	if (!logman_runs(device, name, &session))
		return logman_error(LOGMAN_SET_NOT_FOUND, "no session '%s'"
				    " runs: 'logman query -ets' lists those"
				    " that do", name);
	if (look_up_names(device, &logman->set.options.specs) ||
	    look_up_names(device, &logman->removed))
		return logman_error(LOGMAN_NO_ELEMENT, "session '%s' is as it"
				    " was", name);
	if (logman->has_flush_timer || logman->has_file ||
	    logman->has_real_time || logman->set.options.max_buffers)
		code = change_session(logman, &session);
	if (!code)
		code = disable_all(session.info.handle, &logman->removed);
	if (code)
		return logman_error(error_of(code), "session '%s': %s", name,
				    win32_text(code));
	if (enable_specs(session.info.handle, &logman->set.options))
		return logman_error(LOGMAN_NO_ELEMENT, "session '%s'", name);
	if (logman->flush)
		dev_flush(device, session.info.handle, &session);
	report_losses(&session);
	return logman_done();
}

static int update_now(struct logman *logman)
{
	int device = dev_open(), error;

	if (device < 0)
		return EVNT_FAILED;
	error = update_running(logman, device);
	close(device);
	return error;
}

/* Change a stored set; takes effect at its next start */
static int update_stored(const char *name, char **argv)
{
	struct logman logman = { .ets = false };
	int error = logman_load(name, &logman.set);

	if (!error)
		error = logman_arguments(&logman, argv);
	if (!error)
		error = check_set(&logman.set);
	if (!error) {
		make_whole(&logman.set);
		error = save(&logman.set, false);
	}
	free_logman(&logman);
	return error;
}

int logman_update(char **argv)
{
	struct logman logman = { .ets = false };
	int error = read_arguments(&logman, argv);

	if (!error)
		error = logman.ets ? update_now(&logman) :
				     update_stored(logman.set.name, argv);
	free_logman(&logman);
	return error;
}
