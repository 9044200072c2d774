// SPDX-License-Identifier: MIT
/*
 * Control of sessions: StartTrace, ControlTrace and its short forms,
 * QueryAllTraces.
 *
 * The A forms take UTF-8.  Names that come from or go into
 * EVENT_TRACE_PROPERTIES are handled in properties.c.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <linux/evntrace.h>

#include "lib/base/cancel.h"
#include "evntcons.h"
#include "evntlinux.h"
#include "lib/base/log_file.h"
#include "lib/control/trace_control.h"
#include "lib/private/private.h"
#include "lib/base/properties.h"
#include "lib/control/trace_snapshot.h"

#define KB		1024u
#define MIN_BUFFER_KB	4u
#define MAX_BUFFER_KB	16384u

/*
 * Supported modes, including those without effect here: obsolete modes, and
 * modes that turn off a default of Windows.  All other modes are not supported.
 */
#define MODES		(EVENT_TRACE_FILE_MODE_SEQUENTIAL |	\
			 EVENT_TRACE_FILE_MODE_CIRCULAR |	\
			 EVENT_TRACE_FILE_MODE_APPEND |		\
			 EVENT_TRACE_FILE_MODE_NEWFILE |	\
			 EVENT_TRACE_FILE_MODE_PREALLOCATE |	\
			 EVENT_TRACE_SECURE_MODE |		\
			 EVENT_TRACE_REAL_TIME_MODE |		\
			 EVENT_TRACE_BUFFERING_MODE |		\
			 EVENT_TRACE_USE_KBYTES_FOR_SIZE |	\
			 EVENT_TRACE_INDEPENDENT_SESSION_MODE |	\
			 EVENT_TRACE_NO_PER_PROCESSOR_BUFFERING |	\
			 EVENT_TRACE_DELAY_OPEN_FILE_MODE |	\
			 EVENT_TRACE_ADD_HEADER_MODE |		\
			 EVENT_TRACE_USE_GLOBAL_SEQUENCE |	\
			 EVENT_TRACE_USE_LOCAL_SEQUENCE |	\
			 EVENT_TRACE_STOP_ON_HYBRID_SHUTDOWN |	\
			 EVENT_TRACE_SYSTEM_LOGGER_MODE |	\
			 EVENT_TRACE_USE_PAGED_MEMORY)

/* Modes that private sessions do not support */
#define NOT_PRIVATE	(EVENT_TRACE_SECURE_MODE | EVENT_TRACE_BUFFERING_MODE | \
			 EVENT_TRACE_SYSTEM_LOGGER_MODE)

/* Modes that exclude each other, according to LogFileMode's documentation */
static const struct {
	ULONG mode;
	ULONG excludes;
} exclusive[] = {
	{ EVENT_TRACE_FILE_MODE_SEQUENTIAL,
	  EVENT_TRACE_FILE_MODE_CIRCULAR | EVENT_TRACE_FILE_MODE_NEWFILE },
	{ EVENT_TRACE_FILE_MODE_CIRCULAR, EVENT_TRACE_FILE_MODE_NEWFILE },
	{ EVENT_TRACE_FILE_MODE_APPEND,
	  EVENT_TRACE_FILE_MODE_CIRCULAR | EVENT_TRACE_FILE_MODE_NEWFILE |
	  EVENT_TRACE_REAL_TIME_MODE | EVENT_TRACE_PRIVATE_LOGGER_MODE },
	{ EVENT_TRACE_BUFFERING_MODE,
	  EVENT_TRACE_FILE_MODE_SEQUENTIAL | EVENT_TRACE_FILE_MODE_CIRCULAR |
	  EVENT_TRACE_FILE_MODE_APPEND | EVENT_TRACE_FILE_MODE_NEWFILE |
	  EVENT_TRACE_FILE_MODE_PREALLOCATE | EVENT_TRACE_REAL_TIME_MODE },
	{ EVENT_TRACE_PRIVATE_LOGGER_MODE,
	  EVENT_TRACE_REAL_TIME_MODE | EVENT_TRACE_FILE_MODE_PREALLOCATE |
	  EVENT_TRACE_FILE_MODE_NEWFILE |
	  EVENT_TRACE_INDEPENDENT_SESSION_MODE },
	{ EVENT_TRACE_USE_GLOBAL_SEQUENCE, EVENT_TRACE_USE_LOCAL_SEQUENCE },
	{ EVENT_TRACE_USE_PAGED_MEMORY, EVENT_TRACE_SYSTEM_LOGGER_MODE },
};

static bool modes_agree(ULONG mode)
{
	size_t i;

	for (i = 0; i < EVNT_ARRAY_SIZE(exclusive); i++) {
		if (mode & exclusive[i].mode && mode & exclusive[i].excludes)
			return false;
	}
	/* This mode only qualifies another one */
	return !(mode & EVENT_TRACE_PRIVATE_IN_PROC) ||
	       mode & EVENT_TRACE_PRIVATE_LOGGER_MODE;
}

static ULONG clock_of(ULONG client_context)
{
	/* Processor cycles fall back to system time, as documented */
	return client_context <= EVNTRACE_CLOCK_QPC ?
	       EVNTRACE_CLOCK_QPC : EVNTRACE_CLOCK_SYSTEM_TIME;
}

static ULONG check_mode(const EVENT_TRACE_PROPERTIES *p, const WCHAR *log)
{
	const ULONG bounded = EVENT_TRACE_FILE_MODE_CIRCULAR |
			      EVENT_TRACE_FILE_MODE_NEWFILE |
			      EVENT_TRACE_FILE_MODE_PREALLOCATE;
	const ULONG of_a_file = EVENT_TRACE_FILE_MODE_SEQUENTIAL | bounded;
	ULONG mode = p->LogFileMode;

	if (!modes_agree(mode) || (mode & bounded && !p->MaximumFileSize))
		return ERROR_INVALID_PARAMETER;
	if (mode & EVENT_TRACE_FILE_MODE_APPEND &&
	    clock_of(p->Wnode.ClientContext) != EVNTRACE_CLOCK_SYSTEM_TIME)
		return ERROR_INVALID_PARAMETER;
	if (mode & ~MODES)
		return ERROR_NOT_SUPPORTED;
	/* Sessions in memory or for consumers need no file */
	if (mode & EVENT_TRACE_BUFFERING_MODE ||
	    (mode & EVENT_TRACE_REAL_TIME_MODE && !(mode & of_a_file)))
		return ERROR_SUCCESS;
	if (!log)
		return ERROR_BAD_PATHNAME;
	return mode & EVENT_TRACE_FILE_MODE_NEWFILE &&
	       !evnt_log_name_is_pattern(log) ? ERROR_INVALID_PARAMETER :
						ERROR_SUCCESS;
}

/*
 * Check a private session, whose GUID is the provider's unless it is in-process
 */
ULONG evnt_check_private(const EVENT_TRACE_PROPERTIES *p, const WCHAR *log)
{
	static const GUID none;
	ULONG mode = p->LogFileMode & ~(EVENT_TRACE_PRIVATE_LOGGER_MODE |
					EVENT_TRACE_PRIVATE_IN_PROC);

	if (!modes_agree(p->LogFileMode) ||
	    (mode & EVENT_TRACE_FILE_MODE_CIRCULAR && !p->MaximumFileSize))
		return ERROR_INVALID_PARAMETER;
	if (!(p->LogFileMode & EVENT_TRACE_PRIVATE_IN_PROC) &&
	    !memcmp(&p->Wnode.Guid, &none, sizeof(none)))
		return ERROR_INVALID_PARAMETER;
	if (mode & (~MODES | NOT_PRIVATE))
		return ERROR_NOT_SUPPORTED;
	return log ? ERROR_SUCCESS : ERROR_BAD_PATHNAME;
}

static ULONG buffer_bytes(ULONG kb)
{
	if (kb && kb < MIN_BUFFER_KB)
		kb = MIN_BUFFER_KB;
	return (kb < MAX_BUFFER_KB ? kb : MAX_BUFFER_KB) * KB;
}

/* A number above the limit is not an error */
static ULONG buffer_count(ULONG count)
{
	return count < EVNTRACE_MAX_BUFFERS ? count : EVNTRACE_MAX_BUFFERS;
}

ULONG evnt_flush_ms(ULONG seconds)
{
	return seconds < UINT32_MAX / 1000 ? seconds * 1000 : UINT32_MAX;
}

/* Convert the properties that all kinds of sessions have in common */
struct evntrace_start evnt_start_arg(const WCHAR *name,
				     const EVENT_TRACE_PROPERTIES *p)
{
	struct evntrace_start arg = {
		.size = sizeof(arg),
		.name = (uintptr_t)name,
		.name_len = evnt_wcslen(name),
		.log_fd = -1,
		.log_file_mode = p->LogFileMode,
		.clock_type = clock_of(p->Wnode.ClientContext),
		.buffer_size = buffer_bytes(p->BufferSize),
		.min_buffers = buffer_count(p->MinimumBuffers),
		.max_buffers = buffer_count(p->MaximumBuffers),
		.flush_ms = evnt_flush_ms(p->FlushTimer),
		.max_file_size = p->MaximumFileSize,
	};

	memcpy(&arg.guid, &p->Wnode.Guid, sizeof(arg.guid));
	return arg;
}

/*
 * Fill in the properties of a session that was just started.  A caller that may
 * start and stop a session need not be allowed to query it.
 */
ULONG evnt_fill_started(int session, TRACEHANDLE handle,
			EVENT_TRACE_PROPERTIES *p)
{
	struct evntrace_session info = { .size = sizeof(info) };
	ULONG code = evnt_trace_call(session, EVNTRACE_IOC_QUERY, &info);

	p->Wnode.HistoricalContext = handle;
	if (!code)
		evnt_properties_fill(p, &info);
	return code == ERROR_ACCESS_DENIED ? ERROR_SUCCESS : code;
}

/* Test for a session that records events of the kernel */
static bool is_system(const struct evnt_session_names *names,
		      const EVENT_TRACE_PROPERTIES *p)
{
	return evnt_is_kernel_logger(names->session) ||
	       p->LogFileMode & EVENT_TRACE_SYSTEM_LOGGER_MODE;
}

ULONG evnt_set_system_flags(int session, __u32 kind, ULONG flags)
{
	struct evntrace_list arg = {
		.size = sizeof(arg),
		.kind = kind,
		.element_size = sizeof(flags),
		.elements = (uintptr_t)&flags,
		.count = 1,
	};

	return evnt_trace_call(session, EVNTRACE_IOC_SET, &arg);
}

/* Request events of the kernel; flags without a source have no effect */
ULONG evnt_set_enable_flags(int session, ULONG flags)
{
	return evnt_set_system_flags(session, EVNTRACE_LIST_SYSTEM_FLAGS,
				     flags);
}

/* Request the events of a session that was just started, or stop it again */
static ULONG start_system(int session, ULONG flags)
{
	struct evntrace_session info = { .size = sizeof(info),
					 .control = EVNTRACE_CONTROL_STOP };
	ULONG code = evnt_set_enable_flags(session, flags);

	if (!code)
		return ERROR_SUCCESS;
	evnt_trace_call(session, EVNTRACE_IOC_CONTROL, &info);
	close(session);
	return code;
}

/* @session: out: descriptor of the session, to which it may be bound */
static ULONG start_with_device(int device,
			       const struct evnt_session_names *names,
			       ULONG flags, EVENT_TRACE_PROPERTIES *p,
			       TRACEHANDLE *handle, int *session)
{
	struct evnt_log_file log = evnt_log_file_none();
	TIME_ZONE_INFORMATION zone;
	struct evntrace_start arg;
	ULONG code = ERROR_SUCCESS;

	/* Fail before the file is touched */
	if (!evnt_session_open(device, 0, names->session, NULL, session)) {
		close(*session);
		return ERROR_ALREADY_EXISTS;
	}
	/* A session that buffers only remembers the name */
	if (names->log && p->LogFileMode & EVENT_TRACE_BUFFERING_MODE)
		code = evnt_name_get(&log.name, names->log, true);
	else if (names->log)
		code = evnt_log_file_open(&log, names->log, p->LogFileMode);
	if (code)
		goto close_log;
	zone = evnt_time_zone();
	arg = evnt_start_arg(names->session, p);
	arg.flags = flags;
	arg.log_name = evnt_log_file_name(&log);
	arg.log_name_len = evnt_log_file_name_len(&log);
	arg.time_zone = (uintptr_t)&zone;
	arg.log_fd = log.fd;
	arg.series = evnt_log_file_series(&log);
	if (evnt_is_kernel_logger(names->session)) {
		arg.log_file_mode |= EVNTRACE_MODE_SYSTEM_LOGGER;
		memcpy(&arg.guid, &SystemTraceControlGuid, sizeof(arg.guid));
	}
	code = evnt_trace_open(device, EVNTRACE_IOC_START, &arg, session);
	*handle = arg.handle;
	if (!code && arg.log_file_mode & EVNTRACE_MODE_SYSTEM_LOGGER)
		code = start_system(*session, p->EnableFlags);
close_log:
	evnt_log_file_close(&log);
	if (code)
		return code;
	code = evnt_fill_started(*session, *handle, p);
	if (code)
		close(*session);
	return code;
}

/* Start a private session: system-wide with filters, otherwise in the process */
static ULONG start_private(TRACEHANDLE *handle,
			   const struct evnt_session_names *names,
			   EVENT_TRACE_PROPERTIES *p)
{
	const EVENT_TRACE_PROPERTIES_V2 *v2 = evnt_properties_filters(p);
	ULONG code;

	if (v2)
		return evnt_private_request_start(handle, names, v2, p);
	code = evnt_check_private(p, names->log);
	if (!code)
		code = evnt_private_start(handle, names, p);
	if (code)
		return code;
	evnt_private_fill(*handle, p);
	return ERROR_SUCCESS;
}

/* @descriptor: NULL, or out: descriptor that the session is bound to */
static ULONG start_named(TRACEHANDLE *handle,
			 const struct evnt_session_names *names,
			 EVENT_TRACE_PROPERTIES *p, int *descriptor)
{
	int device, session;
	ULONG code;

	if (evnt_is_kernel_logger(names->session) &&
	    p->LogFileMode & EVENT_TRACE_PRIVATE_LOGGER_MODE)
		return ERROR_INVALID_PARAMETER;
	/* Private sessions cannot be bound: they end with their process */
	if (p->LogFileMode & EVENT_TRACE_PRIVATE_LOGGER_MODE)
		return descriptor ? ERROR_INVALID_PARAMETER :
				    start_private(handle, names, p);
	code = check_mode(p, names->log);
	if (code)
		return code;
	if (is_system(names, p) && p->EnableFlags & EVENT_TRACE_FLAG_EXTENSION)
		return ERROR_NOT_SUPPORTED;
	code = evnt_control_device_open(&device);
	if (code)
		return code;
	code = start_with_device(device, names,
				 descriptor ? EVNTRACE_START_BOUND : 0, p,
				 handle, &session);
	close(device);
	if (code)
		return code;
	if (descriptor)
		*descriptor = session;
	else
		close(session);
	return ERROR_SUCCESS;
}

static ULONG start(TRACEHANDLE *handle, const void *name,
		   EVENT_TRACE_PROPERTIES *p, bool wide, int *descriptor)
{
	EVNT_UNCANCELLED;
	struct evnt_session_names names;
	ULONG code;

	if (!handle)
		return ERROR_INVALID_PARAMETER;
	*handle = 0;
	code = evnt_properties_check(p, name, wide);
	if (code)
		return code;
	code = evnt_names_get(&names, p, name, wide);
	if (!code)
		code = start_named(handle, &names, p, descriptor);
	if (!code)
		evnt_properties_put_name(p, p->LoggerNameOffset, names.session,
					 wide);
	evnt_names_free(&names);
	return code;
}

/**
 * StartTraceW() - start a session
 * @TraceHandle: out: handle of the session; 0 on failure
 * @InstanceName: name of the session
 * @Properties: requested properties; out: actual properties
 *
 * The session lives until it is stopped, even if its creator exits.
 *
 * With EVENT_TRACE_PRIVATE_LOGGER_MODE it is a private session, which records
 * events of this process only, needs neither the module nor any right, and ends
 * with the process at the latest.  Wnode.Guid is the provider's then or, with
 * EVENT_TRACE_PRIVATE_IN_PROC, arbitrary.  A process may have eight private
 * sessions, three of them with that mode.  Without that mode, the process id is
 * appended to the name of the log file if another session has the file.
 *
 * With filters, by EVENT_TRACE_PROPERTIES_V2, the private session is
 * system-wide: one is started in each process, now or later, that matches the
 * filters, registers the provider whose id is Wnode.Guid, and may be traced by
 * the caller.  The process id is appended to the names of all their files.
 *
 * Return: ERROR_SUCCESS; ERROR_BAD_LENGTH if Wnode.BufferSize is wrong or
 * leaves no room for the name; ERROR_INVALID_PARAMETER for NULL, wrong offsets
 * and contradictory modes; ERROR_NOT_SUPPORTED for unsupported modes, or if the
 * module is not loaded; ERROR_ALREADY_EXISTS for a name or id that is in use;
 * ERROR_BAD_PATHNAME without a log file, or if another session has it;
 * ERROR_DISK_FULL; ERROR_ACCESS_DENIED; ERROR_NO_SYSTEM_RESOURCES if there are
 * already 64 sessions, 64 system-wide private sessions, as many as the user may
 * have, or as many private sessions as the process may have;
 * ERROR_NOT_ENOUGH_MEMORY, also beyond the user's limit.
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-starttracew
 */
EVNT_PUBLIC ULONG WMIAPI StartTraceW(PTRACEHANDLE TraceHandle,
				     LPCWSTR InstanceName,
				     PEVENT_TRACE_PROPERTIES Properties)
{
	return start(TraceHandle, InstanceName, Properties, true, NULL);
}

/* StartTraceA() - StartTraceW() with names in UTF-8 */
EVNT_PUBLIC ULONG WMIAPI StartTraceA(PTRACEHANDLE TraceHandle,
				     LPCSTR InstanceName,
				     PEVENT_TRACE_PROPERTIES Properties)
{
	return start(TraceHandle, InstanceName, Properties, false, NULL);
}

EVNT_PUBLIC ULONG EvntStartTraceBoundW(PTRACEHANDLE TraceHandle,
				       LPCWSTR InstanceName,
				       PEVENT_TRACE_PROPERTIES Properties,
				       int *Descriptor)
{
	if (!Descriptor)
		return ERROR_INVALID_PARAMETER;
	return start(TraceHandle, InstanceName, Properties, true, Descriptor);
}

EVNT_PUBLIC ULONG EvntStartTraceBoundA(PTRACEHANDLE TraceHandle,
				       LPCSTR InstanceName,
				       PEVENT_TRACE_PROPERTIES Properties,
				       int *Descriptor)
{
	if (!Descriptor)
		return ERROR_INVALID_PARAMETER;
	return start(TraceHandle, InstanceName, Properties, false, Descriptor);
}

/* Query a session, or perform an operation and query it, with its names */
ULONG evnt_session_call(int session, __u32 control,
			struct evnt_session_bump_generation *s)
{
	ULONG code;

	s->info = (struct evntrace_session) {
		.size = sizeof(s->info),
		.name = (uintptr_t)s->name,
		.log_name = (uintptr_t)s->log,
		.name_len = EVNTRACE_MAX_NAME,
		.log_name_len = EVNTRACE_MAX_NAME,
		.control = control,
	};
	code = evnt_trace_call(session, control ? EVNTRACE_IOC_CONTROL :
					EVNTRACE_IOC_QUERY, &s->info);
	if (code)
		return code;
	s->name[s->info.name_len] = 0;
	s->log[s->info.log_name_len] = 0;
	return ERROR_SUCCESS;
}

/* The same, and fill in properties */
ULONG evnt_session_control(int session, __u32 control,
			   EVENT_TRACE_PROPERTIES *p, bool wide)
{
	struct evnt_session_bump_generation s;
	ULONG code = evnt_session_call(session, control, &s);
	ULONG more;

	if (code)
		return code;
	evnt_properties_fill(p, &s.info);
	code = evnt_properties_put_name(p, p->LoggerNameOffset, s.name, wide);
	more = evnt_properties_put_name(p, p->LogFileNameOffset, s.log, wide);
	return code ? code : more;
}

/*
 * Determine the changes of an update.  LogFileMode contains the new real-time
 * mode.  Without a log file, however, 0 means no change, as events would go
 * nowhere; in other fields it always means no change.
 */
static ULONG check_update(int session, const EVENT_TRACE_PROPERTIES *p,
			  const WCHAR *log, __u32 *flags, ULONG *mode)
{
	struct evnt_session_bump_generation s;
	ULONG is_real_time, records_kernel;
	ULONG code = evnt_session_call(session, 0, &s);

	if (code)
		return code;
	if (log && evnt_same_text(log, s.log))
		return ERROR_INVALID_PARAMETER;
	records_kernel = s.info.log_file_mode & EVNTRACE_MODE_SYSTEM_LOGGER;
	if (p->MaximumBuffers > s.info.max_buffers ||
	    (p->EnableFlags && !records_kernel) ||
	    p->EnableFlags & EVENT_TRACE_FLAG_EXTENSION)
		return ERROR_NOT_SUPPORTED;
	is_real_time = s.info.log_file_mode & EVNTRACE_MODE_REAL_TIME;
	if (p->LogFileMode & EVENT_TRACE_REAL_TIME_MODE)
		*flags = is_real_time ? 0 : EVNTRACE_UPDATE_REAL_TIME;
	else
		*flags = is_real_time && (log || *s.log) ?
			 EVNTRACE_UPDATE_NO_REAL_TIME : 0;
	*mode = s.info.log_file_mode;
	return ERROR_SUCCESS;
}

static ULONG update(int session, const EVENT_TRACE_PROPERTIES *p, bool wide)
{
	struct evntrace_update arg = {
		.size = sizeof(arg),
		.flush_ms = evnt_flush_ms(p->FlushTimer),
		.log_fd = -1,
	};
	struct evnt_log_file file = evnt_log_file_none();
	WCHAR *log = NULL;
	ULONG code = evnt_log_name_get(&log, p, wide), mode;

	if (!code)
		code = check_update(session, p, log, &arg.flags, &mode);
	if (!code && log) {
		code = evnt_log_file_open(&file, log, mode);
		arg.flags |= EVNTRACE_UPDATE_LOG;
		arg.log_name = evnt_log_file_name(&file);
		arg.log_name_len = evnt_log_file_name_len(&file);
		arg.log_fd = file.fd;
		arg.series = evnt_log_file_series(&file);
	}
	if (!code)
		code = evnt_trace_call(session, EVNTRACE_IOC_UPDATE, &arg);
	if (!code && p->EnableFlags)
		code = evnt_set_enable_flags(session, p->EnableFlags);
	evnt_log_file_close(&file);
	free(log);
	return code;
}

/* Convert a session to real-time mode, without its log file */
static ULONG convert(int session)
{
	struct evntrace_update arg = {
		.size = sizeof(arg),
		.flags = EVNTRACE_UPDATE_NO_LOG | EVNTRACE_UPDATE_REAL_TIME,
		.log_fd = -1,
	};

	return evnt_trace_call(session, EVNTRACE_IOC_UPDATE, &arg);
}

/**
 * evnt_trace_snapshot() - write what a session has in memory to a file
 * @session: descriptor of the session
 * @file: name of the file
 * @done: NULL, or out: counts of what was written
 *
 * Return: the errors of StartTrace() for a log file; ERROR_NOT_SUPPORTED if the
 * session keeps nothing in memory; the errors of EVNTRACE_IOC_SNAPSHOT.
 */
ULONG evnt_trace_snapshot(int session, const WCHAR *file,
			  struct evntrace_snapshot *done)
{
	TIME_ZONE_INFORMATION zone = evnt_time_zone();
	struct evnt_log_file log;
	ULONG code = evnt_log_file_open(&log, file, 0);
	struct evntrace_snapshot arg = {
		.size = sizeof(arg),
		.log_name = evnt_log_file_name(&log),
		.time_zone = (uintptr_t)&zone,
		.log_name_len = evnt_log_file_name_len(&log),
		.log_fd = log.fd,
	};

	if (!code)
		code = evnt_trace_call(session, EVNTRACE_IOC_SNAPSHOT, &arg);
	evnt_log_file_close(&log);
	if (done)
		*done = arg;
	return code;
}

/* Flush a session that buffers to the file named in the properties */
static ULONG flush_to(int session, const EVENT_TRACE_PROPERTIES *p, bool wide)
{
	struct evnt_session_bump_generation s;
	ULONG code = evnt_session_call(session, 0, &s);
	WCHAR *log = NULL;

	if (code == ERROR_ACCESS_DENIED)
		return ERROR_SUCCESS;	/* flushing takes no right to query */
	if (code || !(s.info.log_file_mode & EVNTRACE_MODE_BUFFERING))
		return code;
	code = evnt_log_name_get(&log, p, wide);
	if (!code && log)
		code = evnt_trace_snapshot(session, log, NULL);
	free(log);
	return code;
}

/* Last operation of each control code; 0: query the session's state */
const __u32 evnt_control_operations[] = {
	[EVENT_TRACE_CONTROL_QUERY] = 0,
	[EVENT_TRACE_CONTROL_STOP] = EVNTRACE_CONTROL_STOP,
	[EVENT_TRACE_CONTROL_UPDATE] = 0,
	[EVENT_TRACE_CONTROL_FLUSH] = EVNTRACE_CONTROL_FLUSH,
	[EVENT_TRACE_CONTROL_INCREMENT_FILE] = EVNTRACE_CONTROL_INCREMENT,
	[EVENT_TRACE_CONTROL_CONVERT_TO_REALTIME] = 0,
};

static ULONG control_module(TRACEHANDLE handle, const WCHAR *name,
			    ULONG control_code, EVENT_TRACE_PROPERTIES *p,
			    bool wide)
{
	int device, session;
	ULONG code;

	/* System-wide private sessions require their filters */
	if (!name && handle & EVNTRACE_PRIVATE_HANDLE)
		return ERROR_WMI_INSTANCE_NOT_FOUND;
	code = evnt_control_device_open(&device);
	if (code)
		return code;
	/* The name takes precedence over the handle */
	code = evnt_session_open(device, handle, name, NULL, &session);
	close(device);
	if (code)
		return code;
	switch (control_code) {
	case EVENT_TRACE_CONTROL_UPDATE:
		code = update(session, p, wide);
		break;
	case EVENT_TRACE_CONTROL_FLUSH:
		code = flush_to(session, p, wide);
		break;
	case EVENT_TRACE_CONTROL_CONVERT_TO_REALTIME:
		code = convert(session);
		break;
	}
	if (!code)
		code = evnt_session_control(session,
					    evnt_control_operations[control_code],
					    p, wide);
	close(session);
	return code;
}

static ULONG control_any(TRACEHANDLE handle, const WCHAR *name,
			 EVENT_TRACE_PROPERTIES *p, ULONG control_code,
			 bool wide)
{
	const EVENT_TRACE_PROPERTIES_V2 *v2 = evnt_properties_filters(p);
	ULONG code = ERROR_SUCCESS;

	if (v2)
		return evnt_private_request_control(handle, name, v2,
						    control_code, p, wide);
	/* A name means a private session only if the mode requests it */
	if (!evnt_is_private(handle) &&
	    !(name && p->LogFileMode & EVENT_TRACE_PRIVATE_LOGGER_MODE))
		return control_module(handle, name, control_code, p, wide);
	if (name)
		code = evnt_private_find(name, &handle);
	return code ? code : evnt_private_control(handle, control_code, p,
						  wide);
}

static ULONG control(TRACEHANDLE handle, const void *name,
		     EVENT_TRACE_PROPERTIES *p, ULONG control_code, bool wide)
{
	EVNT_UNCANCELLED;
	WCHAR *session = NULL;
	ULONG code;

	code = evnt_properties_check_control(p, name, wide);
	if (!code && ((!name && !handle) ||
		      control_code >= EVNT_ARRAY_SIZE(evnt_control_operations)))
		code = ERROR_INVALID_PARAMETER;
	if (!code && name)
		code = evnt_name_get(&session, name, wide);
	if (!code)
		code = control_any(handle, session, p, control_code, wide);
	free(session);
	return code;
}

/**
 * ControlTraceW() - query, update, flush or stop a session
 * @TraceHandle: the session, if @InstanceName is NULL
 * @InstanceName: name of the session, or NULL
 * @Properties: with room for the names; out: properties and counts of the
 *	session
 * @ControlCode: EVENT_TRACE_CONTROL_*
 *
 * EVENT_TRACE_CONTROL_UPDATE changes the flush timer, the log file, and
 * real-time mode, which is off afterwards unless LogFileMode requests it or
 * there is no log file.  Events that were written before go to the previous log
 * file.  EVENT_TRACE_CONTROL_INCREMENT_FILE makes a session of
 * EVENT_TRACE_FILE_MODE_NEWFILE continue in its next file.
 * EVENT_TRACE_CONTROL_CONVERT_TO_REALTIME makes a session continue in real-time
 * mode, without its log file.
 *
 * Private sessions are identified by their handle, or by their name with
 * EVENT_TRACE_PRIVATE_LOGGER_MODE in LogFileMode.  Only their flush timer and
 * log file can be updated.  System-wide ones require the filters that they were
 * started with, and their counts are the sums of what processes have reported.
 *
 * Return: ERROR_SUCCESS; ERROR_BAD_LENGTH if Wnode.BufferSize is wrong;
 * ERROR_INVALID_PARAMETER for NULL, no session, wrong offsets, an update to the
 * log file that the session has, EVENT_TRACE_CONTROL_INCREMENT_FILE in another
 * mode, and real-time mode if other modes exclude it; ERROR_BAD_PATHNAME for
 * the log file of another session; the errors of StartTrace() for a log file;
 * ERROR_MORE_DATA if there is no room for the names, although the request was
 * carried out; ERROR_WMI_INSTANCE_NOT_FOUND if there is no such session;
 * ERROR_ACTIVE_CONNECTIONS if it is being stopped; ERROR_ACCESS_DENIED;
 * ERROR_TIMEOUT if a process does not respond; ERROR_NOT_SUPPORTED for updates
 * of anything else.
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-controltracew
 */
EVNT_PUBLIC ULONG WMIAPI ControlTraceW(TRACEHANDLE TraceHandle,
				       LPCWSTR InstanceName,
				       PEVENT_TRACE_PROPERTIES Properties,
				       ULONG ControlCode)
{
	return control(TraceHandle, InstanceName, Properties, ControlCode,
		       true);
}

/* ControlTraceA() - ControlTraceW() with names in UTF-8 */
EVNT_PUBLIC ULONG WMIAPI ControlTraceA(TRACEHANDLE TraceHandle,
				       LPCSTR InstanceName,
				       PEVENT_TRACE_PROPERTIES Properties,
				       ULONG ControlCode)
{
	return control(TraceHandle, InstanceName, Properties, ControlCode,
		       false);
}

/* Short forms of ControlTrace(), whose names contain the control code */
#define SHORT_FORM(name, code)						\
EVNT_PUBLIC ULONG WMIAPI name##W(TRACEHANDLE TraceHandle,		\
				 LPCWSTR InstanceName,			\
				 PEVENT_TRACE_PROPERTIES Properties)	\
{									\
	return control(TraceHandle, InstanceName, Properties, code, true); \
}									\
EVNT_PUBLIC ULONG WMIAPI name##A(TRACEHANDLE TraceHandle,		\
				 LPCSTR InstanceName,			\
				 PEVENT_TRACE_PROPERTIES Properties)	\
{									\
	return control(TraceHandle, InstanceName, Properties, code, false); \
}

SHORT_FORM(QueryTrace, EVENT_TRACE_CONTROL_QUERY)
SHORT_FORM(StopTrace, EVENT_TRACE_CONTROL_STOP)
SHORT_FORM(FlushTrace, EVENT_TRACE_CONTROL_FLUSH)
SHORT_FORM(UpdateTrace, EVENT_TRACE_CONTROL_UPDATE)

/* Fill in the properties of those sessions in @handles that can be queried */
static ULONG query_each(int device, const __u64 *handles, ULONG count,
			PEVENT_TRACE_PROPERTIES *array, ULONG room, bool wide,
			ULONG *found)
{
	ULONG i, code;
	int session;

	*found = 0;
	for (i = 0; i < count; i++) {
		if (*found == room)
			return ERROR_MORE_DATA;
		code = evnt_session_open(device, handles[i], NULL, NULL,
					 &session);
		if (!code) {
			code = evnt_session_control(session, 0, array[*found],
						    wide);
			close(session);
		}
		/* The session has ended, or the caller may not query it */
		if (code == ERROR_WMI_INSTANCE_NOT_FOUND ||
		    code == ERROR_ACCESS_DENIED)
			continue;
		if (code)
			return code;
		++*found;
	}
	return ERROR_SUCCESS;
}

static ULONG query_all(PEVENT_TRACE_PROPERTIES *array, ULONG room, bool wide,
		       ULONG *total)
{
	EVNT_UNCANCELLED;
	__u64 handles[EVNTRACE_MAX_SESSIONS];
	struct evntrace_list list = {
		.size = sizeof(list),
		.kind = EVNTRACE_LIST_SESSIONS,
		.element_size = sizeof(*handles),
		.count = EVNTRACE_MAX_SESSIONS,
		.elements = (uintptr_t)handles,
	};
	ULONG i, code, found;
	int device;

	if (!array || !total || !room || room > EVNTRACE_MAX_SESSIONS)
		return ERROR_INVALID_PARAMETER;
	*total = 0;
	for (i = 0; i < room; i++) {
		code = evnt_properties_check_offsets(array[i]);
		if (code)
			return code;
	}
	code = evnt_control_device_open(&device);
	if (code)
		return code;
	code = evnt_trace_call(device, EVNTRACE_IOC_LIST, &list);
	if (!code)
		code = query_each(device, handles, list.count, array, room,
				  wide, &found);
	close(device);
	if (!code)
		*total = found;
	else if (code == ERROR_MORE_DATA)
		*total = list.count;
	return code;
}

/**
 * QueryAllTracesW() - query all sessions
 * @PropertyArray: properties, each with room for the names
 * @PropertyArrayCount: number of elements, at most 64
 * @SessionCount: out: number of elements filled in, or number of sessions if
 *	there are more
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER for NULL, 0, more than 64, and
 * wrong offsets; ERROR_BAD_LENGTH if a Wnode.BufferSize is wrong;
 * ERROR_MORE_DATA if there are more sessions than elements, all of which are
 * filled in, or if there is no room for a name; ERROR_ACCESS_DENIED;
 * ERROR_NOT_SUPPORTED if the module is not loaded.
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-queryalltracesw
 */
EVNT_PUBLIC ULONG WMIAPI QueryAllTracesW(PEVENT_TRACE_PROPERTIES *PropertyArray,
					 ULONG PropertyArrayCount,
					 PULONG SessionCount)
{
	return query_all(PropertyArray, PropertyArrayCount, true, SessionCount);
}

/* QueryAllTracesA() - QueryAllTracesW() with names in UTF-8 */
EVNT_PUBLIC ULONG WMIAPI QueryAllTracesA(PEVENT_TRACE_PROPERTIES *PropertyArray,
					 ULONG PropertyArrayCount,
					 PULONG SessionCount)
{
	return query_all(PropertyArray, PropertyArrayCount, false,
			 SessionCount);
}
