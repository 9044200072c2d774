/* SPDX-License-Identifier: MIT */
/* Options that define a session, of the verbs that start one */
#ifndef EVNT_SESSION_OPTIONS_H
#define EVNT_SESSION_OPTIONS_H

#include <evntrace.h>

#include "tools/evnt.h"
#include "tools/filter/filter_options.h"
#include "tools/session/provider_spec.h"

/**
 * struct session_options - definition of a session
 * @specs: providers to enable
 * @filters: events of these providers to record
 * @file: log file, or NULL
 * @mode: EVENT_TRACE_*_MODE
 * @enable_flags: events of the kernel: EVENT_TRACE_FLAG_*
 * @stack_flags: flags whose events have call stacks, if @has_stacks
 * @clock: Wnode.ClientContext, or 0
 * @buffer_kb: size of a buffer in KB, or 0
 * @min_buffers: minimum number of buffers, or 0
 * @max_buffers: maximum number of buffers, or 0
 * @flush: flush timer in seconds, or 0
 * @max_mb: maximum size of the file in MB, or 0
 * @all_or_none: do not record events that another session cannot record, and
 *   the reverse, as sessions do on Windows
 * @has_stacks: @stack_flags was given
 * @limits: number of options that set @max_mb
 * @json: print JSON
 */
struct session_options {
	struct spec_list specs;
	struct filter_options filters;
	const char *file;
	ULONG mode;
	ULONG enable_flags;
	ULONG stack_flags;
	ULONG clock;
	ULONG buffer_kb;
	ULONG min_buffers;
	ULONG max_buffers;
	ULONG flush;
	ULONG max_mb;
	bool all_or_none;
	bool has_stacks;
	int limits;
	bool json;
};

/* Options that fill a struct session_options, without -p, -o and --json */
extern const struct option_row session_rows[];

/* Take a SPEC into a struct spec_list */
int take_specs(const struct option_value *v);

/*
 * Check that the options can be combined. Return an exit code after reporting
 * errors.
 */
int check_session_options(const struct verb *verb,
			  const struct session_options *options);

/*
 * Check that a log may be written to @file. Return an exit code after reporting
 * errors.
 */
int check_output(const struct verb *verb, const char *file);

void free_session_options(struct session_options *options);

#endif /* EVNT_SESSION_OPTIONS_H */
