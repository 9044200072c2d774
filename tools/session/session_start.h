/* SPDX-License-Identifier: MIT */
/* Starts a session from its options, and enables its providers */
#ifndef EVNT_SESSION_START_H
#define EVNT_SESSION_START_H

#include "decode/format.h"
#include "tools/session/session_options.h"

#define PROPERTIES_NAME	UTF16_TEXT(1024)

/* Properties with room for names of maximum length */
struct properties {
	EVENT_TRACE_PROPERTIES p;
	char name[PROPERTIES_NAME];
	char file[PROPERTIES_NAME];
};

/*
 * Store the absolute path of a file, as programs that list sessions run in
 * other folders
 */
void put_file(char to[PROPERTIES_NAME], const char *file);

/* Initialize properties, with the absolute path of @file unless it is NULL */
void properties_init(struct properties *properties, const char *file);

/**
 * start_session() - start a session
 * @options: definition of the session
 * @name: session name
 * @handle: set to the handle of the session
 * @bound: NULL, or set to a descriptor whose closing ends the session
 *
 * Return a Win32 code, without reporting errors.
 */
ULONG start_session(const struct session_options *options, const char *name,
		    TRACEHANDLE *handle, int *bound);

/* Report why a session could not be started; return EVNT_FAILED */
int explain_start(const struct session_options *options, const char *name,
		  ULONG code);

/*
 * Control a provider, with names of processes only if it is enabled; return the
 * code of EnableTraceEx2()
 */
ULONG enable_provider(TRACEHANDLE handle, const struct spec *spec,
		      ULONG code, ULONGLONG match_all, ULONG timeout,
		      ENABLE_TRACE_PARAMETERS *parameters);

/* Enable the providers. Return an exit code after reporting errors. */
int enable_specs(TRACEHANDLE handle, const struct session_options *options);

/**
 * struct record_limits - limits of a recording
 * @seconds: time after which it ends, or 0
 * @needs_events: it fails without an event
 */
struct record_limits {
	ULONG seconds;
	bool needs_events;
};

/* Report that no event was recorded, and return the exit code */
int record_is_empty(void);

/*
 * Record a command without the module: each of its processes records itself.
 * Return an exit code after reporting errors.
 */
int record_in_process(const struct verb *verb,
		      const struct session_options *options, char **command,
		      const struct record_limits *limits);

#endif /* EVNT_SESSION_START_H */
