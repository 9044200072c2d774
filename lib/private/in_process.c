// SPDX-License-Identifier: MIT
/*
 * Recording a process from outside, without the module: environment variables
 * contain the log file and the providers.  The library starts a private session
 * for them at the first registration.
 *
 * A child of a fork has a session of its own.  The fork handler starts it, as
 * the first event may be written in a signal handler, where starting is not
 * possible.  The session's thread creates the file when there are events: most
 * children just execute another program and need no file.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "evntlinux.h"
#include "lib/private/private.h"

#define LOG		"EVNTPROV_LOG"
#define PROVIDERS	"EVNTPROV_PROVIDERS"
#define OPTIONS		"EVNTPROV_LOG_OPTIONS"

/* Limit of files for one process id, as the system reuses process ids */
#define MAX_FILES	1000
#define MAX_PATH_LEN	1024
#define MAX_TEXT	4096
#define FLUSH_SECONDS	1

/* Guarded by evnt_lib_lock */
static enum {
	UNKNOWN,	/* there was no registration yet */
	OFF,		/* not requested, or failed */
	ON,
} state;

/* Environment at the first registration: a child may have changed its own */
static char *log_name, *providers;
/* Zone of the logs: a child's thread must not take the C library's lock of it */
static TIME_ZONE_INFORMATION zone;
static EVENT_TRACE_PROPERTIES properties = {
	.FlushTimer = FLUSH_SECONDS,
	.LogFileMode = EVENT_TRACE_PRIVATE_LOGGER_MODE,
};

static void complain(const char *about, const char *what)
{
	fprintf(stderr, "evntprov: %s: %s\n", about, what);
}

/* Refuse devices and directories: no file is created beside them */
static bool may_be_log(void)
{
	struct stat st;

	if (strlen(log_name) > MAX_PATH_LEN - 64) {
		errno = ENAMETOOLONG;
		return false;
	}
	if (stat(log_name, &st) || S_ISREG(st.st_mode))
		return true;
	errno = S_ISDIR(st.st_mode) ? EISDIR : ENOTSUP;
	return false;
}

/* Put the name of the log or, if there are @n of them, one with numbers */
static void put_name(char *path, int n)
{
	if (!n)
		snprintf(path, MAX_PATH_LEN, "%s", log_name);
	else if (n == 1)
		snprintf(path, MAX_PATH_LEN, "%s_%d", log_name, getpid());
	else
		snprintf(path, MAX_PATH_LEN, "%s_%d_%d", log_name, getpid(), n);
}

enum { BUFFER_SIZE, BUFFERS, MIN_BUFFERS, FLUSH, CLOCK, MAX_SIZE, CIRCULAR };

static void limit_file(EVENT_TRACE_PROPERTIES *p, ULONG mode, ULONG size)
{
	p->MaximumFileSize = size;
	p->LogFileMode = EVENT_TRACE_PRIVATE_LOGGER_MODE | mode;
}

/* Apply an option; return NULL, or the reason of a failure */
static const char *take_option(EVENT_TRACE_PROPERTIES *p, int option,
			       const char *text)
{
	unsigned long value;
	char *end = NULL;

	errno = 0;
	value = text ? strtoul(text, &end, 10) : 0;
	if (option < 0 || end == text || *end)
		return "not NAME=NUMBER[,...]";
	if (errno || value > UINT32_MAX)
		return "a number is too large";
	if (option == CIRCULAR && !value)
		return "circular needs a size";
	switch (option) {
	case BUFFER_SIZE:
		p->BufferSize = value;
		break;
	case BUFFERS:
		p->MaximumBuffers = value;
		break;
	case MIN_BUFFERS:
		p->MinimumBuffers = value;
		break;
	case FLUSH:
		p->FlushTimer = value;
		break;
	case CLOCK:
		p->Wnode.ClientContext = value;
		break;
	case MAX_SIZE:
		limit_file(p, EVENT_TRACE_FILE_MODE_SEQUENTIAL, value);
		break;
	case CIRCULAR:
		limit_file(p, EVENT_TRACE_FILE_MODE_CIRCULAR, value);
		break;
	}
	return NULL;
}

/* Apply the options in @text or NULL; return NULL or the reason of a failure */
static const char *take_options(EVENT_TRACE_PROPERTIES *p, const char *text)
{
	static char *const names[] = {
		[BUFFER_SIZE] = "buffer-size", [BUFFERS] = "buffers",
		[MIN_BUFFERS] = "min-buffers", [FLUSH] = "flush",
		[CLOCK] = "clock", [MAX_SIZE] = "max-size",
		[CIRCULAR] = "circular", NULL,
	};
	char *copy = strdup(text ? text : ""), *at = copy, *value;
	const char *wrong = copy ? NULL : "no memory";
	int option;

	while (!wrong && *at) {
		option = getsubopt(&at, names, &value);
		wrong = take_option(p, option, value);
	}
	free(copy);
	return wrong;
}

static bool parse_guid(const char *text, GUID *id)
{
	unsigned int a, b, c, d[8], i;
	int end = 0;

	if (sscanf(text, "%8x-%4x-%4x-%2x%2x-%2x%2x%2x%2x%2x%2x%n", &a, &b, &c,
		   &d[0], &d[1], &d[2], &d[3], &d[4], &d[5], &d[6], &d[7],
		   &end) != 11 || text[end])
		return false;
	*id = (GUID) { .Data1 = a, .Data2 = b, .Data3 = c };
	for (i = 0; i < 8; i++)
		id->Data4[i] = d[i];
	return true;
}

/* Take the next number of a list, 0 at its end; false if it is malformed */
static bool take_number(char **rest, unsigned long long *number)
{
	char *text = strsep(rest, ":"), *end;

	*number = 0;
	if (!text)
		return true;
	*number = strtoull(text, &end, 0);
	return end != text && !*end;
}

/* Parse PROVIDER[:KEYWORDS[:LEVEL[:PROPERTY]]]; @text is modified */
static bool parse_provider(char *text, struct evntrace_enable *arg)
{
	unsigned long long any, level, property;
	const char *provider = strsep(&text, ":");
	GUID id;

	if (*provider == '*' ? EvntProviderIdFromName(provider + 1, &id) != 0 :
			       !parse_guid(provider, &id))
		return false;
	if (!take_number(&text, &any) || !take_number(&text, &level) ||
	    !take_number(&text, &property) || text)
		return false;
	*arg = (struct evntrace_enable) {
		.control = EVENT_CONTROL_CODE_ENABLE_PROVIDER,
		.match_any = any,
		.level = level,
		.property = property,
	};
	memcpy(&arg->provider, &id, sizeof(id));
	return true;
}

static void enable_providers(TRACEHANDLE handle)
{
	char *copy = strdup(providers), *at = copy, *one;
	struct evntrace_enable arg;

	while (copy && (one = strsep(&at, "+"))) {
		if (!parse_provider(one, &arg)) {
			complain(PROVIDERS, "not GUID or "
				 "*NAME[:KEYWORDS[:LEVEL[:PROPERTY]]]");
			continue;
		}
		if (evnt_private_enable_locked(handle, &arg))
			complain(PROVIDERS, "cannot be enabled so");
	}
	free(copy);
}

/* @path: path of the new log, or NULL if it is created later */
static ULONG start_session(void *handle, const char *path)
{
	struct evnt_session_names names = {
		.session = evnt_utf16("evntprov"),
		.log = path ? evnt_utf16(path) : NULL,
		.is_new = true,
		.zone = &zone,
	};
	ULONG code = names.session && !names.log == !path ?
		     evnt_private_start_locked(handle, &names, &properties) :
		     ERROR_NOT_ENOUGH_MEMORY;

	evnt_names_free(&names);
	return code;
}

static ULONG open_log(void *session, const char *path)
{
	WCHAR name[MAX_PATH_LEN];

	return evnt_utf16_into(name, path) ?
	       evnt_private_open(session, name, true) :
	       ERROR_INVALID_PARAMETER;
}

/* Report the failure to create a log */
static void complain_of(const char *path, const char *what, ULONG code)
{
	static const struct {
		ULONG code;
		const char *why;
	} reasons[] = {
		{ ERROR_DISK_FULL, "the disk is full" },
		{ ERROR_LOG_FILE_FULL, "the file may not be so large" },
		{ ERROR_ACCESS_DENIED, "it is not allowed" },
		{ ERROR_FILE_NOT_FOUND, "there is no such folder" },
		{ ERROR_PATH_NOT_FOUND, "there is no such folder" },
		{ ERROR_NOT_ENOUGH_MEMORY, "no memory, or no thread" },
		{ ERROR_NO_SYSTEM_RESOURCES, "there are too many" },
		{ ERROR_INVALID_PARAMETER, "an option, or the name, is not valid" },
	};
	char text[128];
	size_t i = 0;

	while (i < EVNT_ARRAY_SIZE(reasons) && reasons[i].code != code)
		i++;
	if (i < EVNT_ARRAY_SIZE(reasons))
		snprintf(text, sizeof(text), "%s: %s", what, reasons[i].why);
	else
		snprintf(text, sizeof(text), "%s: error %u", what, code);
	complain(path, text);
}

/*
 * Create a log by @create, under the first name for which that does not return
 * ERROR_ALREADY_EXISTS; report a failure as @what
 */
static bool make_log(ULONG (*create)(void *context, const char *path),
		     void *context, const char *what)
{
	ULONG code = ERROR_ALREADY_EXISTS;
	char path[MAX_PATH_LEN];
	struct stat st;
	int n;

	if (!may_be_log()) {
		complain(log_name, strerror(errno));
		return false;
	}
	for (n = 0; n < MAX_FILES && code == ERROR_ALREADY_EXISTS; n++) {
		put_name(path, n);
		if (lstat(path, &st))
			code = create(context, path);
	}
	if (code)
		complain_of(path, what, code);
	return !code;
}

static bool record(void)
{
	const char *wrong = take_options(&properties, secure_getenv(OPTIONS));
	TRACEHANDLE handle;

	if (wrong) {
		complain(OPTIONS, wrong);
		return false;
	}
	zone = evnt_time_zone();
	if (!make_log(start_session, &handle, "cannot start a session"))
		return false;
	enable_providers(handle);
	return true;
}

static char *copy_of(const char *text)
{
	return strdup(text ? text : "");
}

/* Start recording at the first registration.  Called with evnt_lib_lock. */
void evnt_in_process_begin(void)
{
	const char *log;

	if (state != UNKNOWN)
		return;
	/* Set first, as starting a session looks at registrations, too */
	state = OFF;
	log = secure_getenv(LOG);
	if (!log || !*log)
		return;
	log_name = copy_of(log);
	providers = copy_of(secure_getenv(PROVIDERS));
	if (log_name && providers && record())
		state = ON;
}

/**
 * evnt_in_process_open() - create the log of a child's session when there are
 * events
 * @s: the session, whose thread calls this without evnt_lib_lock
 *
 * Return: whether there is a log now.
 */
bool evnt_in_process_open(struct evnt_private *s)
{
	return make_log(open_log, s, "cannot be written to");
}

/*
 * In the child of a fork: start a session for it, while the parent keeps its
 * own.  Callbacks are left to the session's thread.  Called with evnt_lib_lock.
 */
void evnt_in_process_forked(void)
{
	TRACEHANDLE handle;

	if (state != ON)
		return;
	evnt_callback_defer(true);
	if (start_session(&handle, NULL)) {
		state = OFF;
	} else {
		enable_providers(handle);
		evnt_private_started_late(handle);
	}
	evnt_callback_defer(false);
}
