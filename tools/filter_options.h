/* SPDX-License-Identifier: MIT */
/* The options that say which events pass: of each verb that enables providers. */
#ifndef EVNT_FILTER_OPTIONS_H
#define EVNT_FILTER_OPTIONS_H

#include <getopt.h>

#include <evntrace.h>

#include "evnt.h"
#include "manifest_option.h"
#include "spec.h"

/**
 * struct id_list - ids of events
 * @count: of them, to MAX_EVENT_FILTER_EVENT_ID_COUNT
 * @given: there is a list, which may be empty
 * @in: these, or all others
 */
struct id_list {
	USHORT id[MAX_EVENT_FILTER_EVENT_ID_COUNT];
	unsigned int count;
	bool given;
	bool in;
};

/**
 * struct filter_options - which events are to pass, of all providers of a verb
 * @given: there are some
 * @pids: processes, @pid_count of them
 * @exe: names of executables, or NULL
 * @package: names of packages, or NULL
 * @app: names of applications, or NULL
 * @ids: ids of events
 * @names: names of TraceLogging events, or NULL
 * @names_in: these, or all others
 * @where: conditions on fields, or NULL
 * @stack: events come with their call stack
 * @stack_ids: those of these ids
 */
struct filter_options {
	bool given;
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
};

/* What getopt_long() returns for them */
enum filter_option {
	OPTION_PID = 0x200,
	OPTION_EXE,
	OPTION_PACKAGE,
	OPTION_APP,
	OPTION_ID,
	OPTION_NOT_ID,
	OPTION_EVENT,
	OPTION_NOT_EVENT,
	OPTION_WHERE,
	OPTION_STACK,
};

/* For the verb's array of options, besides MANIFEST_OPTION */
#define FILTER_OPTIONS							\
	{ "pid", required_argument, NULL, OPTION_PID },			\
	{ "exe", required_argument, NULL, OPTION_EXE },			\
	{ "package", required_argument, NULL, OPTION_PACKAGE },		\
	{ "app", required_argument, NULL, OPTION_APP },			\
	{ "id", required_argument, NULL, OPTION_ID },			\
	{ "not-id", required_argument, NULL, OPTION_NOT_ID },		\
	{ "event", required_argument, NULL, OPTION_EVENT },		\
	{ "not-event", required_argument, NULL, OPTION_NOT_EVENT },	\
	{ "where", required_argument, NULL, OPTION_WHERE },		\
	{ "stack", optional_argument, NULL, OPTION_STACK }

/* For the verb's help, the latter where it does not say it already */
#define FILTER_OPTIONS_HELP						\
"Of each provider, only events that pass all of these:\n"		\
"      --pid PID,...        of processes that run now\n"		\
"      --exe NAME[;...]     of processes that run these files\n"	\
"      --package NAME[;...] of snaps, flatpak applications, systemd units\n" \
"      --app NAME[;...]     likewise, of a snap's application\n"	\
"      --id ID,FIRST-LAST,...  with these ids\n"			\
"      --not-id ID,...      with others\n"				\
"      --event NAME,...     TraceLogging events of these names\n"	\
"      --not-event NAME,... of others\n"				\
"      --where CONDITIONS   by their fields: 'Size > 4096 and Name contains log'\n" \
"      --stack[=ID,...]     events, or those of these ids, come with call stacks\n" \
"evnt-enable(1) says how conditions are written.\n"
#define MANIFEST_HELP							\
"      --manifest FILE      says which fields there are; those of the system's\n" \
"                           folders are read without\n"

/*
 * Takes what getopt_long() returned, and optarg; returns an exit code, and the
 * user was told what is wrong.
 */
int filter_option(const struct verb *verb, struct filter_options *options,
		  int option);

/**
 * struct filters - what one provider is enabled with
 * @parameters: for EnableTraceEx2(); its source may be set
 */
struct filters {
	ENABLE_TRACE_PARAMETERS parameters;
	EVENT_FILTER_DESCRIPTOR descriptor[MAX_EVENT_FILTERS_COUNT];
};

/*
 * Makes the filters of a provider; filters_free() whatever is returned, an exit
 * code.  The user was told.
 */
int filters_make(struct filters *filters, const struct filter_options *options,
		 const struct spec *spec);
void filters_free(struct filters *filters);

#endif /* EVNT_FILTER_OPTIONS_H */
