// SPDX-License-Identifier: MIT
/* Starts a session from its options, and enables its providers */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <evntlinux.h>
#include <evntsystem.h>
#include <linux/evntrace.h>

#include "tools/session/mode.h"
#include "tools/session/session_start.h"
#include "tools/common/win32.h"

void put_file(char to[PROPERTIES_NAME], const char *file)
{
	const size_t size = PROPERTIES_NAME;
	char *cwd = NULL;

	if (file[0] != '/')
		cwd = getcwd(NULL, 0);
	if (!cwd || strlen(cwd) + strlen(file) + 1 > EVNTRACE_MAX_NAME)
		snprintf(to, size, "%s", file);
	else
		snprintf(to, size, "%s/%s", cwd, file);
	free(cwd);
}

void properties_init(struct properties *properties, const char *file)
{
	EVENT_TRACE_PROPERTIES *p = &properties->p;

	memset(properties, 0, sizeof(*properties));
	p->Wnode.BufferSize = sizeof(*properties);
	p->Wnode.Flags = WNODE_FLAG_TRACED_GUID;
	p->LoggerNameOffset = offsetof(struct properties, name);
	p->LogFileNameOffset = offsetof(struct properties, file);
	if (file)
		put_file(properties->file, file);
}

/*
 * Report changes by the module, which has a minimum number of buffers per
 * processor
 */
static void report_buffers(const struct session_options *options,
			   const char *name, const EVENT_TRACE_PROPERTIES *p)
{
	if (options->max_buffers && p->MaximumBuffers > options->max_buffers)
		note("session '%s' has %u buffers, not %u: the minimum for the"
		     " processors of this machine", name, p->MaximumBuffers,
		     options->max_buffers);
	else if (options->min_buffers &&
		 p->MinimumBuffers > options->min_buffers)
		note("session '%s' has at least %u buffers, not %u: the minimum"
		     " for the processors of this machine", name,
		     p->MinimumBuffers, options->min_buffers);
}

/* Properties of a private session */
struct logger_properties {
	EVENT_TRACE_PROPERTIES_V2 p;
	char name[PROPERTIES_NAME];
	char file[PROPERTIES_NAME];
};

static void fill_logger(struct logger_properties *to,
			const struct session_options *options,
			struct filters *reach)
{
	EVENT_TRACE_PROPERTIES_V2 *p = &to->p;

	memset(to, 0, sizeof(*to));
	p->Wnode.BufferSize = sizeof(*to);
	p->Wnode.Flags = WNODE_FLAG_TRACED_GUID |
			 WNODE_FLAG_VERSIONED_PROPERTIES;
	p->Wnode.Guid = options->specs.specs[0].id;
	p->Wnode.ClientContext = options->clock;
	p->VersionNumber = 2;
	p->FilterDesc = reach->descriptor;
	p->FilterDescCount = reach->parameters.FilterDescCount;
	p->LoggerNameOffset = offsetof(struct logger_properties, name);
	p->LogFileNameOffset = offsetof(struct logger_properties, file);
	p->BufferSize = options->buffer_kb;
	p->MinimumBuffers = options->min_buffers;
	p->MaximumBuffers = options->max_buffers;
	p->MaximumFileSize = options->max_mb;
	p->FlushTimer = options->flush;
	p->LogFileMode = options->mode;
	if (options->file)
		snprintf(to->file, sizeof(to->file), "%s", options->file);
}

/*
 * Return whether the options define a private session in the processes selected
 * by --pid and --exe; the other filters apply to events
 */
static bool is_logger(const struct session_options *options)
{
	return options->mode & EVENT_TRACE_PRIVATE_LOGGER_MODE &&
	       (options->filters.pid_count || options->filters.exe);
}

static ULONG start_logger(const struct session_options *options,
			  const char *name, TRACEHANDLE *handle)
{
	struct filter_options which = {
		.pid_count = options->filters.pid_count,
		.exe = options->filters.exe,
	};
	struct logger_properties properties;
	struct filters reach;
	ULONG code = ERROR_INVALID_PARAMETER;

	memcpy(which.pids, options->filters.pids, sizeof(which.pids));
	if (!options->specs.count)
		return code;
	if (!filters_make(&reach, &which, &options->specs.specs[0])) {
		fill_logger(&properties, options, &reach);
		code = StartTraceA(handle, name, (void *)&properties.p);
	}
	filters_free(&reach);
	return code;
}

/* Request call stacks of events of the kernel */
static ULONG request_stacks(TRACEHANDLE handle, ULONG flags)
{
	static const struct {
		const GUID *class;
		UCHAR type;
		ULONG flag;
	} events[] = {
		{ &PerfInfoGuid, 46, EVENT_TRACE_FLAG_PROFILE },
		{ &ThreadGuid, 36, EVENT_TRACE_FLAG_CSWITCH },
		{ &ThreadGuid, 50, EVENT_TRACE_FLAG_DISPATCHER },
		{ &PerfInfoGuid, 51, EVENT_TRACE_FLAG_SYSTEMCALL },
		{ &PageFaultGuid, 11, EVENT_TRACE_FLAG_MEMORY_PAGE_FAULTS },
		{ &PageFaultGuid, 32, EVENT_TRACE_FLAG_MEMORY_HARD_FAULTS },
		{ &DiskIoGuid, 12, EVENT_TRACE_FLAG_DISK_IO_INIT },
		{ &TcpIpGuid, 10, EVENT_TRACE_FLAG_NETWORK_TCPIP },
	};
	CLASSIC_EVENT_ID ids[sizeof(events) / sizeof(events[0])] = {};
	ULONG count = 0;

	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		if (!(events[i].flag & flags))
			continue;
		ids[count].EventGuid = *events[i].class;
		ids[count++].Type = events[i].type;
	}
	return TraceSetInformation(handle, TraceStackTracingInfo, ids,
				   count * sizeof(*ids));
}

/*
 * Record call stacks of samples by default, if the caller may.  On failure, stop
 * the session again.
 */
static ULONG start_stacks(const struct session_options *options,
			  TRACEHANDLE handle, int *bound)
{
	struct properties properties;
	ULONG flags = options->enable_flags & EVENT_TRACE_FLAG_PROFILE;
	ULONG code;

	if (options->has_stacks)
		flags = options->stack_flags;
	code = flags ? request_stacks(handle, flags) : ERROR_SUCCESS;
	if (!code || !options->has_stacks)
		return ERROR_SUCCESS;
	properties_init(&properties, NULL);
	StopTraceA(handle, NULL, &properties.p);
	if (bound)
		close(*bound);
	return code;
}

ULONG start_session(const struct session_options *options, const char *name,
		    TRACEHANDLE *handle, int *bound)
{
	static const ULONG not_sequential = EVENT_TRACE_FILE_MODE_CIRCULAR |
					    EVENT_TRACE_FILE_MODE_NEWFILE |
					    EVENT_TRACE_BUFFERING_MODE;
	struct properties properties;
	EVENT_TRACE_PROPERTIES *p = &properties.p;
	ULONG code;

	if (is_logger(options) && !bound)
		return start_logger(options, name, handle);
	/* The private session would be this process' own and end with it */
	if (options->mode & EVENT_TRACE_PRIVATE_LOGGER_MODE)
		return ERROR_NOT_SUPPORTED;
	properties_init(&properties, options->file);
	if (!options->file)
		p->LogFileNameOffset = 0;
	p->Wnode.ClientContext = options->clock;
	/* Append mode supports this clock only */
	if (options->mode & EVENT_TRACE_FILE_MODE_APPEND && !options->clock)
		p->Wnode.ClientContext = CLOCK_SYSTEM;
	p->BufferSize = options->buffer_kb;
	p->MinimumBuffers = options->min_buffers;
	/*
	 * A buffering session never uses more than the minimum number of
	 * buffers
	 */
	if (options->mode & EVENT_TRACE_BUFFERING_MODE && !options->min_buffers)
		p->MinimumBuffers = options->max_buffers;
	p->MaximumBuffers = options->max_buffers;
	p->MaximumFileSize = options->max_mb;
	p->FlushTimer = options->flush;
	p->LogFileMode = options->mode;
	p->EnableFlags = options->enable_flags;
	if (!options->all_or_none)
		p->LogFileMode |= EVENT_TRACE_INDEPENDENT_SESSION_MODE;
	if (options->file && !(options->mode & not_sequential))
		p->LogFileMode |= EVENT_TRACE_FILE_MODE_SEQUENTIAL;
	code = bound ? EvntStartTraceBoundA(handle, name, p, bound) :
		       StartTraceA(handle, name, p);
	if (!code)
		code = start_stacks(options, *handle, bound);
	if (!code)
		report_buffers(options, name, p);
	return code;
}

int explain_start(const struct session_options *options, const char *name,
		  ULONG code)
{
	const char *file = options->file ? options->file : "(no file)";
	char modes[MODE_TEXT];

	switch (code) {
	case ERROR_ALREADY_EXISTS:
		return failed("a session called '%s' runs already: choose"
			      " another name, or end it with 'evnt stop'",
			      name);
	case ERROR_ACCESS_DENIED:
		return failed("no permission to write '%s', or to start such a"
			      " session: 'evnt access list' shows the rights",
			      file);
	case ERROR_PATH_NOT_FOUND:
	case ERROR_BAD_PATHNAME:
		return failed("cannot create '%s': does its directory exist,"
			      " and does no other session write to it?", file);
	case ERROR_DISK_FULL:
		return failed("no space left for '%s': make room there, or"
			      " write elsewhere with -o", file);
	case ERROR_NOT_ENOUGH_MEMORY:
	case ERROR_OUTOFMEMORY:
		return failed("not enough memory, or more than max_user_session_kb"
			      " or max_session_kb of evntprov(4) allow: use"
			      " smaller --buffers or --buffer-size, or have root"
			      " raise these");
	case ERROR_NO_SYSTEM_RESOURCES:
		return failed("%u sessions run already, or as many as"
			      " max_user_sessions and reserved_sessions of"
			      " evntprov(4) leave to you: 'evnt sessions' lists"
			      " them, and 'evnt clean' the abandoned ones; root"
			      " may raise these limits", EVNTRACE_MAX_SESSIONS);
	case ERROR_LOG_FILE_FULL:
		return failed("'%s' has reached that size already: write to"
			      " another file, or with a larger --max-size",
			      file);
	case ERROR_INVALID_PARAMETER:
		if (options->mode & EVENT_TRACE_FILE_MODE_APPEND)
			return failed("cannot append to '%s': it is no log, or"
				      " is circular, or its buffer size, its"
				      " clock (which must be system) or its"
				      " number of processors differs; or a name"
				      " or size is wrong", file);
		return failed("the name of session or file is too long, or not"
			      " UTF-8, or modes exclude each other");
	case ERROR_NOT_SUPPORTED:
		if (options->mode & ~EVENT_TRACE_FILE_MODE_PREALLOCATE)
			return failed("this version does not support a session"
				      " of mode '%s'",
				      mode_text(options->mode, modes));
		return failed("the file system of '%s' cannot preallocate, or"
			      " this version does not support the session's"
			      " name", options->file);
	default:
		return failed("cannot start session '%s': %s (error %u)", name,
			      win32_text(code), code);
	}
}

ULONG enable_provider(TRACEHANDLE handle, const struct spec *spec,
		      ULONG code, ULONGLONG match_all, ULONG timeout,
		      ENABLE_TRACE_PARAMETERS *parameters)
{
	if (code != EVENT_CONTROL_CODE_ENABLE_PROVIDER)
		parameters->EnableProperty &= ~EVNT_ENABLE_PROPERTY_PROCESS_NAME;
	return EnableTraceEx2(handle, &spec->id, code, spec->level,
			      spec->keywords, match_all, timeout, parameters);
}

static int enable_spec(TRACEHANDLE handle, const struct spec *spec,
		       const struct filter_options *options)
{
	struct filters filters;
	char id[GUID_TEXT];
	ULONG error;
	int result;

	result = filters_make(&filters, options, spec);
	if (result)
		goto free_filters;
	error = enable_provider(handle, spec, EVENT_CONTROL_CODE_ENABLE_PROVIDER, 0,
				0, &filters.parameters);
	format_guid(&spec->id, id);
	if (error == ERROR_ACCESS_DENIED)
		result = failed("no permission to enable provider %s %s:"
				" 'evnt access list' shows the rights", id,
				spec->name);
	else if (error)
		result = failed("cannot enable provider %s %s: %s (error %u)",
				id, spec->name, win32_text(error), error);
free_filters:
	filters_free(&filters);
	return result;
}

int enable_specs(TRACEHANDLE handle, const struct session_options *options)
{
	const struct spec_list *specs = &options->specs;
	struct filter_options filters = options->filters;
	int error = EVNT_DONE;

	if (is_logger(options)) {
		filters.pid_count = 0;
		filters.exe = NULL;
	}
	for (size_t i = 0; i < specs->count && !error; i++)
		error = enable_spec(handle, &specs->specs[i], &filters);
	return error;
}
