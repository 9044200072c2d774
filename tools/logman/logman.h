/* SPDX-License-Identifier: MIT */
/* logman, which accepts the command lines of Windows' logman */
#ifndef EVNT_LOGMAN_H
#define EVNT_LOGMAN_H

#include "tools/logman/collector.h"
#include "tools/session/control.h"

/* Exit codes of logman on Windows; the exit status is their lowest byte */
#define LOGMAN_SET_NOT_FOUND	0x80300002u
#define LOGMAN_SET_IN_USE	0x803000aau
#define LOGMAN_SET_EXISTS	0x803000b7u
#define LOGMAN_SET_NOT_RUNNING	0x80300104u
#define LOGMAN_WIN32(code)	(0x80070000u | (code))
#define LOGMAN_NO_ELEMENT	LOGMAN_WIN32(1168)
#define LOGMAN_BAD_ARGUMENT	LOGMAN_WIN32(ERROR_INVALID_PARAMETER)

/**
 * struct logman - a parsed command line
 * @set: name and options of the data collector set
 * @removed: providers after --p
 * @ets: apply to the session itself instead of a set
 * @flush: flush the buffers
 * @has_flush_timer: -ft was given
 * @has_file: -o was given
 * @has_real_time: -rt or --rt was given
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
 * Parse arguments on top of the values already in *logman. Return an exit code
 * after reporting errors.
 */
int logman_arguments(struct logman *logman, char **argv);

/*
 * Print an error in logman's format, followed by our own explanation; return an
 * exit status
 */
int logman_error(ULONG code, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Print "The command completed successfully." */
int logman_done(void);

/* Run a command. @argv: its arguments */
int logman_create(char **argv);
int logman_start(char **argv);
int logman_stop(char **argv);
int logman_delete(char **argv);
int logman_update(char **argv);
int logman_query(char **argv);

/* Load the set of this name. Return an exit code after reporting errors. */
int logman_load(const char *name, struct collector *set);
/*
 * Return whether a session of this name runs, without reporting errors.
 * @session may be NULL.
 */
bool logman_runs(int device, const char *name, struct dev_session *session);

/* Print the help of the options */
void logman_print_options(void);
/* Complete the value of an option; return false if it takes none */
bool logman_complete_value(const char *option);
void logman_complete_options(void);

#endif /* EVNT_LOGMAN_H */
