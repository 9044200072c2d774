// SPDX-License-Identifier: MIT
/*
 * EVENT_TRACE_PROPERTIES: checking of sizes and offsets, the names stored
 * behind it, and filling it in.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#define INITGUID
#include "lib/base/properties.h"

static size_t char_size(bool wide)
{
	return wide ? sizeof(WCHAR) : sizeof(CHAR);
}

static size_t name_len(const void *name, bool wide)
{
	return wide ? evnt_wcslen(name) : strlen(name);
}

static bool is_version_2(const EVENT_TRACE_PROPERTIES *p)
{
	return p->Wnode.Flags & WNODE_FLAG_VERSIONED_PROPERTIES;
}

static size_t size_of(const EVENT_TRACE_PROPERTIES *p)
{
	return is_version_2(p) ? sizeof(EVENT_TRACE_PROPERTIES_V2) : sizeof(*p);
}

static bool offset_is_valid(const EVENT_TRACE_PROPERTIES *p, ULONG offset)
{
	return !offset || (offset >= size_of(p) && offset < p->Wnode.BufferSize);
}

/* Test that each filter's type is supported and occurs once */
static bool filters_are_valid(const EVENT_TRACE_PROPERTIES_V2 *p)
{
	ULONG i, seen = 0;

	if (p->FilterDescCount > MAX_EVENT_FILTERS_COUNT || !p->FilterDesc)
		return false;
	for (i = 0; i < p->FilterDescCount; i++) {
		ULONG type = p->FilterDesc[i].Type;

		if ((type != EVENT_FILTER_TYPE_PID &&
		     type != EVENT_FILTER_TYPE_EXECUTABLE_NAME) ||
		    type & seen & 0xffff)
			return false;
		seen |= type;
	}
	return true;
}

/*
 * Check the fields added by version 2.  Filters are supported for system-wide
 * private sessions only.  The option Wow may not be set by callers.
 * LargeMdlPages is a hint, and kernel stacks are never recorded, so both have
 * no effect; QpcDeltaTracking is refused, as it promises events on the clock
 * offset of containers.
 */
static ULONG check_version_2(const EVENT_TRACE_PROPERTIES_V2 *p)
{
	EVENT_TRACE_PROPERTIES_V2 known = { .LargeMdlPages = 1,
					    .ExcludeKernelStack = 1,
					    .QpcDeltaTracking = 1 };
	ULONG private = p->LogFileMode & (EVENT_TRACE_PRIVATE_LOGGER_MODE |
					  EVENT_TRACE_PRIVATE_IN_PROC);

	if (p->V2Control != 2 || p->V2Options & ~known.V2Options)
		return ERROR_INVALID_PARAMETER;
	if (p->FilterDescCount && (private != EVENT_TRACE_PRIVATE_LOGGER_MODE ||
				   !filters_are_valid(p)))
		return ERROR_INVALID_PARAMETER;
	return p->QpcDeltaTracking ? ERROR_NOT_SUPPORTED : ERROR_SUCCESS;
}

/* Return properties of version 2 that have filters, or NULL */
const EVENT_TRACE_PROPERTIES_V2 *
evnt_properties_filters(const EVENT_TRACE_PROPERTIES *p)
{
	const EVENT_TRACE_PROPERTIES_V2 *v2 = (const void *)p;

	return is_version_2(p) && v2->FilterDescCount ? v2 : NULL;
}

/* Check the rules shared by all functions that take properties */
ULONG evnt_properties_check_offsets(const EVENT_TRACE_PROPERTIES *p)
{
	if (!p)
		return ERROR_INVALID_PARAMETER;
	/* The version is in the fixed part, so check the size of that first */
	if (p->Wnode.BufferSize < sizeof(*p) ||
	    p->Wnode.BufferSize < size_of(p))
		return ERROR_BAD_LENGTH;
	if (!offset_is_valid(p, p->LoggerNameOffset) ||
	    !offset_is_valid(p, p->LogFileNameOffset))
		return ERROR_INVALID_PARAMETER;
	return is_version_2(p) ? check_version_2((const void *)p) :
				 ERROR_SUCCESS;
}

/* Test for the name of the kernel logger */
static bool is_kernel_name(const void *name, bool wide)
{
	static const WCHAR wide_name[] = KERNEL_LOGGER_NAMEW;

	return wide ?
		name_len(name, true) == EVNT_ARRAY_SIZE(wide_name) - 1 &&
		!memcmp(name, wide_name, sizeof(wide_name)) :
		!strcmp(name, KERNEL_LOGGER_NAMEA);
}

bool evnt_is_kernel_logger(const WCHAR *name)
{
	return is_kernel_name(name, true);
}

/* Check the id of the kernel logger, which no other session may have */
static ULONG check_kernel_id(const EVENT_TRACE_PROPERTIES *p, const void *name,
			     bool wide)
{
	return !memcmp(&p->Wnode.Guid, &SystemTraceControlGuid, sizeof(GUID)) &&
	       !is_kernel_name(name, wide) ? ERROR_INVALID_PARAMETER :
					     ERROR_SUCCESS;
}

/* Check the rules of ControlTrace() */
ULONG evnt_properties_check_control(const EVENT_TRACE_PROPERTIES *p,
				    const void *name, bool wide)
{
	ULONG code = evnt_properties_check_offsets(p);

	return code || !name ? code : check_kernel_id(p, name, wide);
}

/* Check the rules of StartTrace() */
ULONG evnt_properties_check(const EVENT_TRACE_PROPERTIES *p, const void *name,
			    bool wide)
{
	ULONG code = evnt_properties_check_offsets(p);
	size_t room;

	if (code)
		return code;
	if (!name || !name_len(name, wide) || !p->LoggerNameOffset ||
	    name_len(name, wide) > EVNTRACE_MAX_NAME ||
	    !(p->Wnode.Flags & WNODE_FLAG_TRACED_GUID))
		return ERROR_INVALID_PARAMETER;
	room = (p->Wnode.BufferSize - p->LoggerNameOffset) / char_size(wide);
	if (name_len(name, wide) + 1 > room)
		return ERROR_BAD_LENGTH;
	return check_kernel_id(p, name, wide);
}

ULONG evnt_name_get(WCHAR **to, const void *name, bool wide)
{
	size_t size;

	if (!wide) {
		*to = evnt_utf16(name);
		if (*to)
			return ERROR_SUCCESS;
		return errno == ENOMEM ? ERROR_NOT_ENOUGH_MEMORY :
					 ERROR_INVALID_PARAMETER;
	}
	size = (evnt_wcslen(name) + 1) * sizeof(WCHAR);
	*to = malloc(size);
	if (!*to)
		return ERROR_NOT_ENOUGH_MEMORY;
	memcpy(*to, name, size);
	return ERROR_SUCCESS;
}

/* Return the size in bytes of a name with its nul; 0 if it is not terminated */
static size_t name_size(const EVENT_TRACE_PROPERTIES *p, ULONG offset,
			bool wide)
{
	const char *name = (const char *)p + offset;
	size_t room = p->Wnode.BufferSize - offset;
	size_t step = char_size(wide), size;
	static const WCHAR nul;

	for (size = step; size <= room; size += step) {
		if (!memcmp(name + size - step, &nul, step))
			return size;
	}
	return 0;
}

/* Copy the log file's name; *to is unchanged if there is none */
ULONG evnt_log_name_get(WCHAR **to, const EVENT_TRACE_PROPERTIES *p, bool wide)
{
	const char *name = (const char *)p + p->LogFileNameOffset;
	size_t size;

	if (!p->LogFileNameOffset)
		return ERROR_SUCCESS;
	size = name_size(p, p->LogFileNameOffset, wide);
	if (!size)
		return ERROR_INVALID_PARAMETER;
	/* An empty name means no file */
	if (size == char_size(wide))
		return ERROR_SUCCESS;
	if (!wide)
		return evnt_name_get(to, name, wide);
	/* The name need not be aligned */
	*to = malloc(size);
	if (!*to)
		return ERROR_NOT_ENOUGH_MEMORY;
	memcpy(*to, name, size);
	return ERROR_SUCCESS;
}

/* Copy both names; evnt_names_free() is needed even after a failure */
ULONG evnt_names_get(struct evnt_session_names *names, const EVENT_TRACE_PROPERTIES *p,
		     const void *session, bool wide)
{
	ULONG code;

	*names = (struct evnt_session_names) { .session = NULL };
	code = evnt_name_get(&names->session, session, wide);
	return code ? code : evnt_log_name_get(&names->log, p, wide);
}

void evnt_names_free(struct evnt_session_names *names)
{
	free(names->session);
	free(names->log);
}

static ULONG clamp(unsigned long long value)
{
	return value < UINT32_MAX ? value : UINT32_MAX;
}

void evnt_properties_fill(EVENT_TRACE_PROPERTIES *p,
			  const struct evntrace_session *info)
{
	p->Wnode.HistoricalContext = info->handle;
	memcpy(&p->Wnode.Guid, &info->guid, sizeof(GUID));
	p->Wnode.ClientContext = info->clock_type;
	p->BufferSize = info->buffer_size / 1024;
	p->MinimumBuffers = info->min_buffers;
	p->MaximumBuffers = info->max_buffers;
	p->MaximumFileSize = info->max_file_size;
	p->LogFileMode = info->log_file_mode;
	if (info->log_file_mode & EVNTRACE_MODE_SYSTEM_LOGGER)
		p->EnableFlags = info->enable_flags;
	p->FlushTimer = info->flush_ms / 1000;
	p->NumberOfBuffers = info->buffers;
	p->FreeBuffers = info->free_buffers;
	p->EventsLost = clamp(info->events_lost);
	p->BuffersWritten = clamp(info->buffers_written);
	p->LogBuffersLost = clamp(info->buffers_lost);
	p->RealTimeBuffersLost = clamp(info->real_time_buffers_lost);
	p->LoggerThreadId = (HANDLE)(uintptr_t)info->writer_tid;
}

/**
 * evnt_properties_put_name() - store a name behind the properties
 * @p: the properties
 * @offset: offset of the name; 0: do not store it
 * @name: the name
 * @wide: store it in UTF-16; otherwise in UTF-8
 *
 * Return: ERROR_SUCCESS; ERROR_MORE_DATA if the name does not fit;
 * ERROR_NOT_ENOUGH_MEMORY.
 */
ULONG evnt_properties_put_name(EVENT_TRACE_PROPERTIES *p, ULONG offset,
			       const WCHAR *name, bool wide)
{
	char *narrow = NULL;
	const void *text = name;
	size_t size;

	if (!offset)
		return ERROR_SUCCESS;
	if (!wide) {
		narrow = evnt_utf8_shown(name);
		text = narrow;
		if (!narrow)
			return ERROR_NOT_ENOUGH_MEMORY;
	}
	size = (name_len(text, wide) + 1) * char_size(wide);
	if (size <= p->Wnode.BufferSize - offset)
		memcpy((char *)p + offset, text, size);
	free(narrow);
	return size <= p->Wnode.BufferSize - offset ? ERROR_SUCCESS :
						      ERROR_MORE_DATA;
}

static void put_zone_name(WCHAR *to, const char *name)
{
	size_t i;

	for (i = 0; i < 31 && name[i]; i++)
		to[i] = (unsigned char)name[i];
}

/* Return the process's time zone for the log's header: bias and names */
TIME_ZONE_INFORMATION evnt_time_zone(void)
{
	TIME_ZONE_INFORMATION zone;

	memset(&zone, 0, sizeof(zone));
	tzset();
	zone.Bias = timezone / 60;
	put_zone_name(zone.StandardName, tzname[0]);
	put_zone_name(zone.DaylightName, tzname[1]);
	return zone;
}
