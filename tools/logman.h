/* SPDX-License-Identifier: MIT */
/* The applet that understands what scripts write for Windows' logman. */
#ifndef EVNT_LOGMAN_H
#define EVNT_LOGMAN_H

#include "collector.h"
#include "trace_door.h"

/* What logman ends with on Windows: an exit status is the lowest byte */
#define LOGMAN_SET_NOT_FOUND	0x80300002u
#define LOGMAN_SET_IN_USE	0x803000aau
#define LOGMAN_SET_EXISTS	0x803000b7u
#define LOGMAN_SET_NOT_RUNNING	0x80300104u
#define LOGMAN_WIN32(code)	(0x80070000u | (code))
#define LOGMAN_NO_ELEMENT	LOGMAN_WIN32(1168)
#define LOGMAN_BAD_ARGUMENT	LOGMAN_WIN32(ERROR_INVALID_PARAMETER)

/**
 * struct logman - a command line, read
 * @set: the name, and what is to be
 * @removed: providers after --p
 * @ets: of the session itself, not of a set
 * @flush: write what is in the buffers
 * @has_flush_timer: -ft was there
 * @has_file: -o was there
 * @has_real_time: -rt or --rt was there
 */
struct logman {
	struct collector set;
	struct spec_list removed;
	bool ets;
	bool flush;
	bool has_flush_timer;
	bool has_file;
	bool has_real_time;
};

/*
 * Reads arguments over what *logman is already; returns an exit code, and the
 * user was told what is wrong.
 */
int logman_arguments(struct logman *logman, char **argv);

/* Prints an error as logman does, with a line of our own; returns a status */
int logman_error(ULONG code, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* "The command completed successfully." */
int logman_done(void);

/* The commands.  @argv: their arguments */
int logman_create(char **argv);
int logman_start(char **argv);
int logman_stop(char **argv);
int logman_delete(char **argv);
int logman_update(char **argv);
int logman_query(char **argv);

/* The set of this name; returns an exit code, and the user was told */
int logman_load(const char *name, struct collector *set);
/* Whether a session of this name runs; quiet.  @session may be NULL */
bool logman_runs(int door, const char *name, struct door_session *session);

extern const char logman_help[];

#endif /* EVNT_LOGMAN_H */
