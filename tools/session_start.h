/* SPDX-License-Identifier: MIT */
/* Starting a session as its options say, and enabling providers for it. */
#ifndef EVNT_SESSION_START_H
#define EVNT_SESSION_START_H

#include "format.h"
#include "session_options.h"

#define PROPERTIES_NAME	UTF16_TEXT(1024)

/* Properties with room for the longest names */
struct properties {
	EVENT_TRACE_PROPERTIES p;
	char name[PROPERTIES_NAME];
	char file[PROPERTIES_NAME];
};

/* The whole path of a file: whoever lists sessions is elsewhere */
void put_file(char to[PROPERTIES_NAME], const char *file);

/* Empty properties; @file, if there is one, is made a whole path */
void properties_init(struct properties *properties, const char *file);

/**
 * start_session() - start a session
 * @options: what it is to be
 * @name: its name
 * @handle: out
 * @bound: NULL, or out: a descriptor that it ends with
 *
 * Returns a Win32 code; the user is not told.
 */
ULONG start_session(const struct session_options *options, const char *name,
		    TRACEHANDLE *handle, int *bound);

/* Tells the user why, and returns EVNT_FAILED */
int explain_start(const struct session_options *options, const char *name,
		  ULONG code);

/* Returns an exit code; the user was told */
int enable_specs(TRACEHANDLE handle, const struct session_options *options);

#endif /* EVNT_SESSION_START_H */
