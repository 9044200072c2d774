// SPDX-License-Identifier: MIT
/*
 * Filters of EnableTraceEx2() in the module's format: most are unchanged, texts
 * are in UTF-8.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/control/trace_control.h"

/* The module has the same values as Windows */
_Static_assert(EVNTRACE_FILTER_PID == EVENT_FILTER_TYPE_PID &&
	       EVNTRACE_FILTER_EXECUTABLE_NAME ==
	       EVENT_FILTER_TYPE_EXECUTABLE_NAME &&
	       EVNTRACE_FILTER_PACKAGE_ID == EVENT_FILTER_TYPE_PACKAGE_ID &&
	       EVNTRACE_FILTER_PACKAGE_APP_ID ==
	       EVENT_FILTER_TYPE_PACKAGE_APP_ID &&
	       EVNTRACE_FILTER_EVENT_ID == EVENT_FILTER_TYPE_EVENT_ID &&
	       EVNTRACE_FILTER_EVENT_NAME == EVENT_FILTER_TYPE_EVENT_NAME &&
	       EVNTRACE_FILTER_PAYLOAD == EVENT_FILTER_TYPE_PAYLOAD &&
	       EVNTRACE_FILTER_STACKWALK == EVENT_FILTER_TYPE_STACKWALK &&
	       EVNTRACE_FILTER_STACKWALK_NAME ==
	       EVENT_FILTER_TYPE_STACKWALK_NAME &&
	       EVNTRACE_FILTER_STACKWALK_LEVEL_KW ==
	       EVENT_FILTER_TYPE_STACKWALK_LEVEL_KW &&
	       EVNTRACE_FILTER_TRACEHANDLE == EVENT_FILTER_TYPE_TRACEHANDLE &&
	       EVNTRACE_MAX_FILTERS == MAX_EVENT_FILTERS_COUNT &&
	       EVNTRACE_MAX_FILTER_SIZE == MAX_EVENT_FILTER_DATA_SIZE,
	       "types and limits of filters");

static bool is_text(ULONG type)
{
	return type == EVENT_FILTER_TYPE_EXECUTABLE_NAME ||
	       type == EVENT_FILTER_TYPE_PACKAGE_ID ||
	       type == EVENT_FILTER_TYPE_PACKAGE_APP_ID;
}

/* Convert the text, whose length may or may not include a nul, to UTF-8 */
static ULONG convert(struct evntrace_filter *to, char **text,
		     const EVENT_FILTER_DESCRIPTOR *from)
{
	WCHAR wide[MAX_EVENT_FILTER_DATA_SIZE / sizeof(WCHAR) + 1] = {};

	if (!from->Ptr || !from->Size || from->Size % sizeof(WCHAR) ||
	    from->Size > MAX_EVENT_FILTER_DATA_SIZE)
		return ERROR_INVALID_PARAMETER;
	memcpy(wide, (const void *)(uintptr_t)from->Ptr, from->Size);
	*text = evnt_utf8(wide);
	if (!*text)
		return errno == ENOMEM ? ERROR_NOT_ENOUGH_MEMORY :
					 ERROR_INVALID_PARAMETER;
	to->ptr = (uintptr_t)*text;
	to->len = strlen(*text);
	return ERROR_SUCCESS;
}

/**
 * evnt_filters_from() - convert filters for EVNTRACE_IOC_ENABLE
 * @f: zeroed; out: filters, which need evnt_filters_free(), also after a
 *	failure
 * @from: filters of a controller
 * @count: number of filters
 *
 * Data that needs no conversion is not copied, and remains the controller's.
 * Filters of type NONE are skipped.
 *
 * Return: ERROR_SUCCESS, ERROR_INVALID_PARAMETER or ERROR_NOT_ENOUGH_MEMORY.
 */
ULONG evnt_filters_from(struct evnt_filter_list *f,
			const EVENT_FILTER_DESCRIPTOR *from, ULONG count)
{
	ULONG i, n, code = ERROR_SUCCESS;

	if (count > MAX_EVENT_FILTERS_COUNT || (count && !from))
		return ERROR_INVALID_PARAMETER;
	for (i = 0; i < count && !code; i++) {
		if (from[i].Type == EVENT_FILTER_TYPE_NONE)
			continue;
		n = f->count++;
		f->filter[n] = (struct evntrace_filter) {
			.ptr = from[i].Ptr,
			.len = from[i].Size,
			.type = from[i].Type,
		};
		if (is_text(from[i].Type))
			code = convert(&f->filter[n], &f->text[n], &from[i]);
	}
	return code;
}

void evnt_filters_free(struct evnt_filter_list *f)
{
	ULONG i;

	for (i = 0; i < f->count; i++)
		free(f->text[i]);
}
