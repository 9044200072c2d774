/* SPDX-License-Identifier: MIT */
/* Options that select events, of the verbs that enable providers */
#ifndef EVNT_FILTER_OPTIONS_H
#define EVNT_FILTER_OPTIONS_H

#include <evntrace.h>

#include "tools/common/options.h"
#include "tools/events/manifest_option.h"
#include "tools/session/provider_spec.h"

/**
 * struct id_list - event ids
 * @count: number of ids, up to MAX_EVENT_FILTER_EVENT_ID_COUNT
 * @given: the list was given, and may be empty
 * @in: select these ids; otherwise all others
 */
struct id_list {
	USHORT id[MAX_EVENT_FILTER_EVENT_ID_COUNT];
	unsigned int count;
	bool given;
	bool in;
};

/**
 * struct filter_options - events to record, the same for all providers of a
 * verb
 * @pids: process ids, @pid_count of them
 * @exe: names of executables, or NULL
 * @package: names of packages, or NULL
 * @app: names of applications, or NULL
 * @ids: event ids
 * @names: names of TraceLogging events, or NULL
 * @names_in: select these names; otherwise all others
 * @where: conditions on fields, or NULL
 * @stack: record events with their call stack
 * @stack_ids: events that get a call stack; not given: all
 * @no_names: do not record the names of processes
 */
struct filter_options {
	ULONG pids[MAX_EVENT_FILTER_PID_COUNT];
	unsigned int pid_count;
	const char *exe;
	const char *package;
	const char *app;
	struct id_list ids;
	const char *names;
	bool names_in;
	const char *where;
	bool stack;
	struct id_list stack_ids;
	bool no_names;
};

/* Options that fill a struct filter_options */
extern const struct option_row filter_rows[];

/* Return whether any of the options was given */
bool filter_is_given(const struct filter_options *options);

/* Return the properties that the options need of an enabled provider */
ULONG filter_properties(const struct filter_options *options);

/**
 * struct filters - parameters and filters of one provider
 * @parameters: argument of EnableTraceEx2(); the caller may set its SourceId
 */
struct filters {
	ENABLE_TRACE_PARAMETERS parameters;
	EVENT_FILTER_DESCRIPTOR descriptor[MAX_EVENT_FILTERS_COUNT];
};

/*
 * Build the filters of a provider. Return an exit code after reporting errors;
 * the caller must call filters_free() in any case.
 */
int filters_make(struct filters *filters, const struct filter_options *options,
		 const struct spec *spec);
void filters_free(struct filters *filters);

#endif /* EVNT_FILTER_OPTIONS_H */
