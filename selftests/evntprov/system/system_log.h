/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sessions that record events of the kernel, and their events as consumers get
 * them.  Offsets of fields are written out from the format.
 */
#ifndef EVNT_TEST_SYSTEM_LOG_H
#define EVNT_TEST_SYSTEM_LOG_H

#include "selftests/evntprov/common/lib.h"

#include <sddl.h>

#define SYSTEM_LOG	"/tmp/system.etl"

/* Classes, by the first field of their GUIDs */
#define PROCESS		0x3d6fa8d0u
#define THREAD		0x3d6fa8d1u
#define IMAGE		0x2cb15d1du
#define PERFINFO	0xce1dbfb4u
#define STACKWALK	0xdef2fe46u
#define DISK		0x3d6fa8d4u
#define CONFIG		0x01853a65u
#define FAULT		0x3d6fa8d3u
#define TCP		0x9a280ac0u
#define UDP		0xbf3a50c5u

/* Types */
#define START		1
#define END		2
#define DCSTART		3
#define DCEND		4
#define LOAD		10
/* Of threads */
#define CSWITCH		36
#define READY		50
/* Of the profile */
#define SAMPLE		46
#define INTERVAL	72
#define COLLECTION	73
/* Of page faults */
#define SOFT_FAULT	11
#define HARD_FAULT	14
#define HARD_FAULT_READ	32
/* Of interrupts */
#define THREADED_DPC	66
#define ISR		67
#define DPC		68
#define TIMER_DPC	69
/* Of system calls */
#define CALL_ENTER	51
#define CALL_EXIT	52
/* Of TCP and UDP over IPv4 */
#define NET_SEND	10
#define NET_RECEIVE	11
#define NET_CONNECT	12
#define NET_DISCONNECT	13
#define NET_RETRANSMIT	14
#define NET_ACCEPT	15
/* Of disks */
#define DISK_READ	10
#define DISK_WRITE	11
#define DISK_READ_BEGIN	12
#define DISK_WRITE_BEGIN	13
#define DISK_FLUSH	14
#define DISK_FLUSH_BEGIN	15
/* Of the configuration */
#define PHYSICAL_DISK	11
/* Of stacks */
#define STACK		32

#define MAX_EVENTS	200000

/* An event; numbers of its data are read by field() */
struct system_event {
	uint32_t class;
	uint8_t type;
	uint8_t version;
	uint16_t cpu;
	uint32_t tid;
	uint32_t pid;
	int64_t time;
	uint32_t len;
	const uint8_t *data;
};

struct system_log {
	uint32_t count;
	uint32_t lost;
	struct system_event e[MAX_EVENTS];
};

static inline uint32_t field(const struct system_event *e, uint32_t at)
{
	uint32_t value = 0;

	if (at + sizeof(value) <= e->len)
		memcpy(&value, e->data + at, sizeof(value));
	return value;
}

static inline uint64_t field64(const struct system_event *e, uint32_t at)
{
	return field(e, at) | (uint64_t)field(e, at + 4) << 32;
}

/* Compare a string in UTF-16 with one in ASCII */
static inline bool is_text16(const struct system_event *e, uint32_t at,
			     const char *text)
{
	uint32_t i;

	for (i = 0; at + 2 * i + 1 < e->len; i++) {
		if (e->data[at + 2 * i] != (uint8_t)text[i] ||
		    e->data[at + 2 * i + 1])
			return false;
		if (!text[i])
			return true;
	}
	return false;
}

/* Name of the executable of an event about a process */
static inline const char *exe_of(const struct system_event *e)
{
	return e->len > 68 ? (const char *)e->data + 68 : "";
}

static inline bool has_command(const struct system_event *e, const char *text)
{
	return is_text16(e, 68 + strlen(exe_of(e)) + 1, text);
}

static inline void WINAPI system_log_add(EVENT_RECORD *r)
{
	struct system_log *log = r->UserContext;
	struct system_event *e;
	uint8_t *data;

	if (log->count == MAX_EVENTS ||
	    !(r->EventHeader.Flags & EVENT_HEADER_FLAG_CLASSIC_HEADER))
		return;
	data = malloc(r->UserDataLength + 1);
	memcpy(data, r->UserData, r->UserDataLength);
	e = &log->e[log->count++];
	*e = (struct system_event) {
		.class = r->EventHeader.ProviderId.Data1,
		.type = r->EventHeader.EventDescriptor.Opcode,
		.version = r->EventHeader.EventDescriptor.Version,
		.cpu = GetEventProcessorIndex(r),
		.tid = r->EventHeader.ThreadId,
		.pid = r->EventHeader.ProcessId,
		.time = r->EventHeader.TimeStamp.QuadPart,
		.len = r->UserDataLength,
		.data = data,
	};
}

static inline void system_log_free(struct system_log *log)
{
	uint32_t i;

	for (i = 0; log && i < log->count; i++)
		free((void *)log->e[i].data);
	free(log);
}

/* Read a log; returns NULL on failure */
static inline struct system_log *system_log_read(const char *path)
{
	struct system_log *log = calloc(1, sizeof(*log));
	EVENT_TRACE_LOGFILEA l = {
		.LogFileName = (char *)path,
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD |
				    PROCESS_TRACE_MODE_RAW_TIMESTAMP,
		.EventRecordCallback = system_log_add,
		.Context = log,
	};

	if (log && !log_process(&l)) {
		log->lost = l.LogfileHeader.EventsLost;
		return log;
	}
	system_log_free(log);
	return NULL;
}

/* Stop a session and read the log; returns NULL on failure */
static inline struct system_log *system_log_end(TRACEHANDLE *session)
{
	if (session_stop(*session, NULL))
		return NULL;
	*session = 0;
	return system_log_read(SYSTEM_LOG);
}

/* The next event of a class and type whose number at @at is @value, or NULL */
static inline const struct system_event *
next_event(const struct system_log *log, const struct system_event *after,
	   uint32_t class, uint8_t type, uint32_t at, uint32_t value)
{
	const struct system_event *e = after ? after + 1 : log->e;

	for (; e < log->e + log->count; e++) {
		if (e->class == class && e->type == type &&
		    field(e, at) == value)
			return e;
	}
	return NULL;
}

static inline const struct system_event *
find_process(const struct system_log *log, uint8_t type, uint32_t pid)
{
	return next_event(log, NULL, PROCESS, type, 8, pid);
}

static inline const struct system_event *
find_thread(const struct system_log *log, uint8_t type, uint32_t tid)
{
	return next_event(log, NULL, THREAD, type, 4, tid);
}

/* The call stack of the event of a thread at a time, or NULL */
static inline const struct system_event *
find_stack(const struct system_log *log, int64_t time, uint32_t tid)
{
	const struct system_event *e = NULL;

	do {
		e = next_event(log, e, STACKWALK, STACK, 12, tid);
	} while (e && (int64_t)field64(e, 0) != time);
	return e;
}

/* The image with this path in a process */
static inline const struct system_event *
find_image(const struct system_log *log, uint8_t type, uint32_t pid,
	   const char *path)
{
	const struct system_event *e = NULL;

	do {
		e = next_event(log, e, IMAGE, type, 16, pid);
	} while (e && !is_text16(e, 56, path));
	return e;
}

/*
 * The event, of a class and type with @value at @at, that is nearest to @time:
 * the first one after it, or the last one before it
 */
static inline const struct system_event *
nearest(const struct system_log *log, bool after, int64_t time, uint32_t class,
	uint8_t type, uint32_t at, uint32_t value)
{
	const struct system_event *e = NULL, *found = NULL;

	while ((e = next_event(log, e, class, type, at, value))) {
		if (after ? e->time > time : e->time < time)
			found = !found || (after ? e->time < found->time :
						   e->time > found->time) ?
				e : found;
	}
	return found;
}

/* Thread that runs on a processor at the time of an event there, or -1 */
static inline uint32_t running_at(const struct system_log *log,
				  const struct system_event *at)
{
	const struct system_event *e, *found = NULL;

	for (e = log->e; e < log->e + log->count; e++) {
		if (e->class == THREAD && e->type == CSWITCH &&
		    e->cpu == at->cpu && e->time < at->time &&
		    (!found || e->time > found->time))
			found = e;
	}
	return found ? field(found, 0) : ~0u;
}

static inline ULONG system_start(const char *name, const char *path,
				 ULONG mode, ULONG flags, TRACEHANDLE *handle)
{
	struct properties p = properties_for(path);

	p.p.LogFileMode = mode;
	p.p.EnableFlags = flags;
	return StartTraceA(handle, name, &p.p);
}

/* End what a test has left: its session, if there is one, and its log */
static inline void system_end(TRACEHANDLE session, struct system_log *log)
{
	if (session)
		session_stop(session, NULL);
	system_log_free(log);
	unlink(SYSTEM_LOG);
}

/* A user's right to record events of the kernel, without CAP_PERFMON */
struct kernel_right {
	mode_t mode;
	PSID nobody;
};

/* Give the right to the user of AS_NOBODY(); false on failure */
static inline bool kernel_right_add(struct kernel_right *right)
{
	GUID id = SystemTraceControlGuid;
	struct stat st;

	if (stat("/dev/evntrace", &st) || chmod("/dev/evntrace", 0666) ||
	    !ConvertStringSidToSidA("S-1-22-1-65534", &right->nobody))
		return false;
	right->mode = st.st_mode & 07777;
	return !EventAccessControl(&id, EventSecurityAddDACL, right->nobody,
				   TRACELOG_ACCESS_KERNEL_LOGGER, TRUE);
}

static inline bool kernel_right_remove(struct kernel_right *right)
{
	GUID id = SystemTraceControlGuid;
	const bool removed = !EventAccessRemove(&id);

	LocalFree(right->nobody);
	return !chmod("/dev/evntrace", right->mode) && removed;
}

#endif /* EVNT_TEST_SYSTEM_LOG_H */
