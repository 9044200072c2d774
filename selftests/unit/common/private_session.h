/* SPDX-License-Identifier: MIT */
/* Private sessions for tests: start them, and read what they wrote. */
#ifndef EVNT_TEST_PRIVATE_H
#define EVNT_TEST_PRIVATE_H

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* First, as it disables inline functions that race with writers here */
#include "lib/base/internal.h"

#include "core/self_layout.h"
#include "evntcons.h"
#include "evntrace.h"

#define IN_PROC	(EVENT_TRACE_PRIVATE_LOGGER_MODE | EVENT_TRACE_PRIVATE_IN_PROC)

static const GUID provider = { .Data1 = 0x11223344 };

struct private_properties {
	EVENT_TRACE_PROPERTIES p;
	char name[64];
	char log[128];
};

/* Files are in a folder of this process; each session has its own */
static char private_folder[64];

static const char *private_path(const char *name)
{
	static __thread char path[128];

	if (!*private_folder) {
		strcpy(private_folder, "/tmp/evnt_private_XXXXXX");
		if (!mkdtemp(private_folder))
			strcpy(private_folder, "/tmp");
	}
	snprintf(path, sizeof(path), "%s/%s.etl", private_folder, name);
	return path;
}

static void private_init(struct private_properties *p, ULONG mode,
			 const char *name)
{
	memset(p, 0, sizeof(*p));
	p->p.Wnode.BufferSize = sizeof(*p);
	p->p.Wnode.Flags = WNODE_FLAG_TRACED_GUID;
	p->p.LogFileMode = mode;
	p->p.LoggerNameOffset = offsetof(struct private_properties, name);
	p->p.LogFileNameOffset = offsetof(struct private_properties, log);
	if (name)
		strcpy(p->log, private_path(name));
}

/* Start an in-process session that logs to NAME.etl */
static inline ULONG private_start(struct private_properties *p,
				  const char *name, TRACEHANDLE *handle)
{
	private_init(p, IN_PROC, name);
	return StartTraceA(handle, name, &p->p);
}

static inline ULONG
private_enable(TRACEHANDLE h, ULONG property, EVENT_FILTER_DESCRIPTOR *filter,
	       ULONG count)
{
	ENABLE_TRACE_PARAMETERS p = {
		.Version = ENABLE_TRACE_PARAMETERS_VERSION_2,
		.EnableProperty = property,
		.EnableFilterDesc = filter,
		.FilterDescCount = count,
	};

	return EnableTraceEx2(h, &provider, EVENT_CONTROL_CODE_ENABLE_PROVIDER,
			      0, 0, 0, 0, &p);
}

static inline ULONG private_stop(struct private_properties *p, TRACEHANDLE handle)
{
	return StopTraceA(handle, NULL, &p->p);
}

/**
 * struct private_losses - losses that the files describe which a thread has read
 * @events: number of lost events
 * @reports: number of events about losses
 * @last: the last of these, without its strings
 * @reason: reason of @last
 */
static __thread struct private_losses {
	uint64_t events;
	unsigned int reports;
	struct evntprov_loss last;
	char reason[16];
} private_losses;

static __thread PEVENT_RECORD_CALLBACK private_call;

/* Pass an event on, but count one about losses, which few tests expect */
static VOID WINAPI private_pass(PEVENT_RECORD r)
{
	static const struct evntprov_guid losses = EVNTPROV_LOSSES_PROVIDER;
	struct private_losses *l = &private_losses;
	const char *text = r->UserData;

	if (memcmp(&r->EventHeader.ProviderId, &losses, sizeof(losses)) != 0) {
		private_call(r);
		return;
	}
	memcpy(&l->last, text, sizeof(l->last));
	l->events += l->last.count;
	l->reports++;
	/* A private session is never blocked by another one: no name */
	snprintf(l->reason, sizeof(l->reason), "%s", text + sizeof(l->last) +
		 sizeof(USHORT));
}

static ULONG private_read(const char *path, PEVENT_RECORD_CALLBACK call,
			  void *context, TRACE_LOGFILE_HEADER *header)
{
	EVENT_TRACE_LOGFILEA l = {
		.LogFileName = (char *)path,
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD |
				    PROCESS_TRACE_MODE_RAW_TIMESTAMP,
		.EventRecordCallback = private_pass,
		.Context = context,
	};
	TRACEHANDLE h = OpenTraceA(&l);
	ULONG code;

	if (h == INVALID_PROCESSTRACE_HANDLE)
		return GetLastError();
	if (header)
		*header = l.LogfileHeader;
	private_call = call;
	code = ProcessTrace(&h, 1, NULL, NULL);
	CloseTrace(h);
	return code;
}

/* Write an event whose data is its id */
static inline ULONG private_write(REGHANDLE r, USHORT id)
{
	EVENT_DESCRIPTOR d = { .Id = id, .Level = 4 };
	EVENT_DATA_DESCRIPTOR data;

	EventDataDescCreate(&data, &id, sizeof(id));
	return EventWrite(r, &d, 1, &data);
}

static inline ULONG private_flush(TRACEHANDLE h)
{
	struct private_properties p;

	private_init(&p, IN_PROC, NULL);
	return FlushTraceA(h, NULL, &p.p);
}

/* Find the descriptor by which this process has a file open, or -1 */
static inline int private_fd(const char *path)
{
	struct stat file, st;
	int fd;

	if (stat(path, &file))
		return -1;
	for (fd = 0; fd < 1024; fd++) {
		if (!fstat(fd, &st) && st.st_dev == file.st_dev &&
		    st.st_ino == file.st_ino)
			return fd;
	}
	return -1;
}

/* Test whether no session has a file locked */
static inline bool private_is_left(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool left = fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB);

	close(fd);
	return left;
}

/* Test for the header, which is the first record of a file */
static inline bool private_is_header(const EVENT_RECORD *r)
{
	return r->EventHeader.ProviderId.Data1 == 0x68fdd900;
}

static VOID WINAPI private_count_one(PEVENT_RECORD r)
{
	*(unsigned int *)r->UserContext += !private_is_header(r);
}

static inline unsigned int private_count(const char *path)
{
	unsigned int count = 0;

	if (private_read(path, private_count_one, &count, NULL))
		return -1;
	return count;
}

#define PRIVATE_MAX_IDS	65536

struct private_ids {
	unsigned int count;
	USHORT id[PRIVATE_MAX_IDS];
};

static VOID WINAPI private_take_id(PEVENT_RECORD r)
{
	struct private_ids *ids = r->UserContext;

	if (private_is_header(r))
		return;
	if (ids->count < PRIVATE_MAX_IDS)
		ids->id[ids->count] = r->EventHeader.EventDescriptor.Id;
	ids->count++;
}

/* Test whether a file has events of exactly these ids, in this order */
static inline bool private_has(const char *path, const USHORT *ids,
			       unsigned int count, TRACE_LOGFILE_HEADER *header)
{
	static struct private_ids found;

	found.count = 0;
	return !private_read(path, private_take_id, &found, header) &&
	       found.count == count &&
	       !memcmp(found.id, ids, count * sizeof(*ids));
}

/* The same, with ids as arguments; @header is filled in unless NULL */
#define PRIVATE_HAS(path, header, ...)					\
	private_has(path, (const USHORT []) { __VA_ARGS__ },		\
		    sizeof((const USHORT []) { __VA_ARGS__ }) /		\
		    sizeof(USHORT), header)

/* Longer than any child takes on any machine */
#define PRIVATE_CHILD_SECONDS	60

/* Start a child that calls @run, whose result is its exit status */
static inline int private_start_child(int (*run)(void))
{
	int pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		alarm(PRIVATE_CHILD_SECONDS);
		_exit(run());
	}
	return pid;
}

/* Call @run in a child; returns its exit status, or -1 if a signal killed it */
static inline int private_in_child(int (*run)(void))
{
	int status, pid = private_start_child(run);

	if (waitpid(pid, &status, 0) == pid && WIFEXITED(status))
		return WEXITSTATUS(status);
	printf("# status %#x\n", status);
	return -1;
}

static void private_clean(void)
{
	char command[128];

	if (!strncmp(private_folder, "/tmp/evnt_private_", 18)) {
		snprintf(command, sizeof(command), "rm -r %s", private_folder);
		if (system(command))
			perror(command);
	}
}

#endif /* EVNT_TEST_PRIVATE_H */
