// SPDX-License-Identifier: MIT
/*
 * Recording a process from outside, without the module: the environment says into
 * which file, and what, and the library starts a private session for that with the
 * first registration.
 *
 * A child of a fork has its own session, which is started when an event of it might
 * be wanted: most children just run another program, and have no use for a file.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "evntlinux.h"
#include "in_process.h"
#include "private.h"

#define LOG		"EVNTPROV_LOG"
#define PROVIDERS	"EVNTPROV_PROVIDERS"
#define OPTIONS		"EVNTPROV_LOG_OPTIONS"

/* Files of one process, as one may follow another under the same process id */
#define MAX_FILES	1000
#define MAX_PATH_LEN	1024
#define MAX_TEXT	4096
#define FLUSH_SECONDS	1

/* Written under the lock */
static enum {
	UNKNOWN,	/* nobody has registered yet */
	OFF,		/* it is not asked for, or failed */
	ON,
	DUE,		/* in a child, when an event might be wanted */
} state;

static void complain(const char *about, const char *what)
{
	fprintf(stderr, "evntprov: %s: %s\n", about, what);
}

/* Make a file that is not there yet, by this name or one like it */
static bool reserve(char *path, const char *base)
{
	int n, fd = -1;

	for (n = 0; n < MAX_FILES && fd < 0; n++) {
		if (!n)
			snprintf(path, MAX_PATH_LEN, "%s", base);
		else if (n == 1)
			snprintf(path, MAX_PATH_LEN, "%s_%d", base, getpid());
		else
			snprintf(path, MAX_PATH_LEN, "%s_%d_%d", base, getpid(),
				 n);
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
		if (fd < 0 && errno != EEXIST)
			return false;
	}
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

enum { BUFFER_SIZE, BUFFERS, MIN_BUFFERS, FLUSH, CLOCK, MAX_SIZE, CIRCULAR };

static void limit_file(EVENT_TRACE_PROPERTIES *p, ULONG mode, ULONG size)
{
	p->MaximumFileSize = size;
	p->LogFileMode = EVENT_TRACE_PRIVATE_LOGGER_MODE | mode;
}

static void set_option(EVENT_TRACE_PROPERTIES *p, int option, ULONG value)
{
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
}

/* NULL, or what is wrong with it */
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
	set_option(p, option, value);
	return NULL;
}

/* Likewise; @text may be NULL: there are none */
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

/* The next number of a list, or 0 when there is none; false when it is no number */
static bool take_number(char **rest, unsigned long long *number)
{
	char *text = strsep(rest, ":"), *end;

	*number = 0;
	if (!text)
		return true;
	*number = strtoull(text, &end, 0);
	return end != text && !*end;
}

/* PROVIDER[:KEYWORDS[:LEVEL[:PROPERTY]]]; @text is taken apart */
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

static void enable_providers(TRACEHANDLE handle, const char *text)
{
	char *copy = strdup(text), *at = copy, *one;
	struct evntrace_enable arg;

	while (copy && (one = strsep(&at, "+"))) {
		if (!parse_provider(one, &arg)) {
			complain(PROVIDERS, "not GUID or "
				 "*NAME[:KEYWORDS[:LEVEL[:PROPERTY]]]");
			continue;
		}
		arg.handle = handle;
		if (evnt_private_enable_locked(&arg))
			complain(PROVIDERS, "cannot be enabled so");
	}
	free(copy);
}

static ULONG start_session(TRACEHANDLE *handle, const char *path,
			   const EVENT_TRACE_PROPERTIES *p)
{
	struct evnt_session_names names = {
		.session = evnt_utf16("evntprov"),
		.log = evnt_utf16(path),
	};
	ULONG code = names.session && names.log ?
		     evnt_private_start_locked(handle, &names, p) :
		     ERROR_NOT_ENOUGH_MEMORY;

	evnt_names_free(&names);
	return code;
}

static bool record_into(const char *log)
{
	const char *providers = secure_getenv(PROVIDERS);
	EVENT_TRACE_PROPERTIES p = {
		.FlushTimer = FLUSH_SECONDS,
		.LogFileMode = EVENT_TRACE_PRIVATE_LOGGER_MODE,
	};
	const char *wrong = take_options(&p, secure_getenv(OPTIONS));
	char path[MAX_PATH_LEN];
	TRACEHANDLE handle;

	if (wrong) {
		complain(OPTIONS, wrong);
		return false;
	}
	if (strlen(log) > MAX_PATH_LEN - 64 || !reserve(path, log)) {
		complain(log, strerror(errno));
		return false;
	}
	if (start_session(&handle, path, &p)) {
		complain(path, "cannot start a session");
		unlink(path);
		return false;
	}
	enable_providers(handle, providers ? providers : "");
	return true;
}

/* There is a registration, or there might be an event.  Locked. */
void evnt_in_process_begin(void)
{
	const char *log;

	if (state != UNKNOWN && state != DUE)
		return;
	log = secure_getenv(LOG);
	/* At once, as starting looks at registrations, too */
	__atomic_store_n(&state, OFF, __ATOMIC_RELAXED);
	if (log && *log && record_into(log))
		__atomic_store_n(&state, ON, __ATOMIC_RELAXED);
}

bool evnt_in_process_is_due(void)
{
	return __atomic_load_n(&state, __ATOMIC_RELAXED) == DUE;
}

/* Without the lock, or with it: then it stays due */
void evnt_in_process_catch_up(void)
{
	int saved = errno;

	if (pthread_mutex_trylock(&evnt_lib_lock))
		return;
	if (evnt_in_process_is_due())
		evnt_in_process_begin();
	pthread_mutex_unlock(&evnt_lib_lock);
	errno = saved;
}

/* In the child; before the parent's sessions are forgotten */
void evnt_in_process_forked(void)
{
	if (state == ON)
		state = DUE;
}
