/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The library, as the tests use it: sessions with names and files of their own.
 */
#ifndef EVNT_TEST_LIB_H
#define EVNT_TEST_LIB_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define INITGUID
#include <evntcons.h>
#include <evntlinux.h>

#include "selftests/evntprov/common/etl_scan.h"

/* Properties with room for two names */
struct properties {
	EVENT_TRACE_PROPERTIES p;
	char session[1100];
	char log[1100];
};

/* Time as sessions record it by default */
static inline int64_t boot_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static inline GUID provider_id(unsigned int n)
{
	GUID id = { 0x65766e74, 0x1234, 0x5678, { 1, 2, 3, 4, 5, 6, 7, n } };

	return id;
}

static inline struct properties properties_for(const char *path)
{
	struct properties p;

	memset(&p, 0, sizeof(p));
	p.p.Wnode.BufferSize = sizeof(p);
	p.p.Wnode.Flags = WNODE_FLAG_TRACED_GUID;
	p.p.LoggerNameOffset = offsetof(struct properties, session);
	p.p.LogFileNameOffset = offsetof(struct properties, log);
	snprintf(p.log, sizeof(p.log), "%s", path);
	return p;
}

/* Start a session that logs to /tmp/NAME.etl; returns 0 on failure */
static inline TRACEHANDLE session_start(const char *name)
{
	struct properties p;
	TRACEHANDLE handle;
	char path[64];

	snprintf(path, sizeof(path), "/tmp/%s.etl", name);
	p = properties_for(path);
	return StartTraceA(&handle, name, &p.p) ? 0 : handle;
}

static inline ULONG session_stop(TRACEHANDLE handle, struct properties *out)
{
	struct properties p = properties_for("");
	ULONG code = ControlTraceA(handle, NULL, &p.p,
				   EVENT_TRACE_CONTROL_STOP);

	if (out)
		*out = p;
	return code;
}

static inline ULONG session_enable(TRACEHANDLE handle, unsigned int provider)
{
	GUID id = provider_id(provider);

	return EnableTraceEx2(handle, &id, EVENT_CONTROL_CODE_ENABLE_PROVIDER,
			      0, 0, 0, 0, NULL);
}

static inline ULONG session_disable(TRACEHANDLE handle, unsigned int provider)
{
	GUID id = provider_id(provider);

	return EnableTraceEx2(handle, &id, EVENT_CONTROL_CODE_DISABLE_PROVIDER,
			      0, 0, 0, 0, NULL);
}

/* Open a log and process all of it; its header is in @l then */
static inline ULONG log_process(EVENT_TRACE_LOGFILEA *l)
{
	TRACEHANDLE h = OpenTraceA(l);
	ULONG code;

	if (h == INVALID_PROCESSTRACE_HANDLE)
		return GetLastError();
	code = ProcessTrace(&h, 1, NULL, NULL);
	CloseTrace(h);
	return code;
}

/* The length of a file, or -1 */
static inline off_t size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? -1 : st.st_size;
}

/* Wait up to a minute for a condition: test machines may be busy */
#define EVENTUALLY(condition) ({					\
	unsigned int tries_ = 0;					\
	while (!(condition) && tries_++ < 6000)				\
		usleep(10000);						\
	(condition); })

/* Evaluate @code in an unprivileged child process */
#define AS_NOBODY(code) ({						\
	int status_;							\
	pid_t child_ = fork();						\
	if (!child_)							\
		_exit(setgid(65534) || setuid(65534) ? 99 : (code));	\
	waitpid(child_, &status_, 0);					\
	WIFEXITED(status_) ? WEXITSTATUS(status_) : -1; })

#endif /* EVNT_TEST_LIB_H */
