/* SPDX-License-Identifier: MIT */
/*
 * Interfaces shared by the verbs of evnt(1): descriptions, exit codes and
 * messages
 */
#ifndef EVNT_EVNT_H
#define EVNT_EVNT_H

#include <stdbool.h>

enum evnt_exit {
	EVNT_DONE = 0,
	EVNT_FAILED = 1,
	EVNT_USAGE = 2,
	EVNT_EMPTY = 3,		/* nothing was recorded, and events are required */
};

struct option_row;

/**
 * struct verb - a verb of evnt
 * @name: name on the command line
 * @summary: half a line for the list of verbs
 * @synopsis: arguments, for the first lines of the help
 * @about: text of the help before the options
 * @options: options
 * @notes: text of the help after the options
 * @arguments: kinds of the arguments, for complete_value(); the last is repeated
 * @runs_command: the arguments are a command, with options of its own
 * @run: runs the verb; argv[0] is "evnt NAME" for messages; returns an exit
 *   code
 */
struct verb {
	const char *name;
	const char *summary;
	const char *synopsis;
	const char *about;
	const struct option_row *options;
	const char *notes;
	const char *arguments[2];
	bool runs_command;
	int (*run)(int argc, char **argv);
};

extern const struct verb record_verb;
extern const struct verb start_verb;
extern const struct verb stop_verb;
extern const struct verb query_verb;
extern const struct verb update_verb;
extern const struct verb flush_verb;
extern const struct verb snapshot_verb;
extern const struct verb enable_verb;
extern const struct verb disable_verb;
extern const struct verb capture_state_verb;
extern const struct verb sessions_verb;
extern const struct verb clean_verb;
extern const struct verb providers_verb;
extern const struct verb access_verb;
extern const struct verb autologger_verb;
extern const struct verb tail_verb;
extern const struct verb dump_verb;
extern const struct verb stat_verb;
extern const struct verb cpu_verb;
extern const struct verb why_verb;
extern const struct verb activities_verb;
extern const struct verb export_verb;
extern const struct verb report_verb;
extern const struct verb merge_verb;
extern const struct verb top_verb;
extern const struct verb doctor_verb;

/* Set the locale, and let a closed pipe end the program */
void start_program(void);

/* Print an error message; return EVNT_FAILED */
int failed(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Print an error in the arguments; return EVNT_USAGE */
int usage_error(const struct verb *verb, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Point to --help after an error; return EVNT_USAGE */
int point_to_help(const struct verb *verb);

/* Print a message that is not an error to stderr */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Return @memory; exit the program if it is NULL */
void *must_have(void *memory);

/* Flush stdout and report an error, such as a full disk */
int end_output(int exit_code);

/* Return whether the program was called as evnt-autologger */
bool autologger_is_helper(const char *program);

/* Start all sessions whose description has Start = 1; return an exit code */
int autologger_help_out(void);

#endif /* EVNT_EVNT_H */
