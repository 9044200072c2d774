/* SPDX-License-Identifier: MIT */
/*
 * What the verbs of evnt(1) share: how one is described, how it ends, and how
 * it speaks.
 */
#ifndef EVNT_H
#define EVNT_H

#include <stdbool.h>

enum evnt_exit {
	EVNT_DONE = 0,
	EVNT_FAILED = 1,
	EVNT_MISUSED = 2,
};

/**
 * struct verb - one thing that evnt does
 * @name: what the user types
 * @summary: half a line for the list of verbs
 * @help: all of --help
 * @run: argv[0] is "evnt NAME", for messages; returns an exit code
 */
struct verb {
	const char *name;
	const char *summary;
	const char *help;
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
extern const struct verb activities_verb;
extern const struct verb export_verb;
extern const struct verb merge_verb;
extern const struct verb top_verb;
extern const struct verb doctor_verb;
extern const struct verb logman_verb;

/* Prints what went wrong and returns EVNT_FAILED */
int failed(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints what is wrong with the arguments and returns EVNT_MISUSED */
int misused(const struct verb *verb, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

struct option;

/* As getopt_long(), which says what is wrong; says where help is, too */
int next_option(const struct verb *verb, int argc, char **argv,
		const char *letters, const struct option *known);

/* Tells the user something on stderr that is no error */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns @memory; ends the program when it is NULL */
void *must_have(void *memory);

int print_help(const struct verb *verb);

/*
 * Parses the options of a verb that knows --json and --help only; its other
 * arguments begin at optind.  Returns whether to go on; if not, *exit_code says
 * how it ended.
 */
bool json_options(const struct verb *verb, int argc, char **argv, bool *json,
		  int *exit_code);

/* Likewise, of a verb that takes no arguments beside them */
bool list_options(const struct verb *verb, int argc, char **argv, bool *json,
		  int *exit_code);

/* Writes out stdout and says so if that fails, as on a full disk */
int end_output(int exit_code);

#endif /* EVNT_H */
