// SPDX-License-Identifier: MIT
/* How the verbs speak to the user, and the arguments that all of them have. */
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evnt.h"
#include "format.h"

static void say(const char *format, va_list args)
{
	char *text;

	if (vasprintf(&text, format, args) < 0)
		return;
	fflush(stdout);
	fprintf(stderr, "evnt: %s\n", make_printable(text));
	free(text);
}

int failed(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args);
	va_end(args);
	return EVNT_FAILED;
}

void note(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args);
	va_end(args);
}

static void say_where_help_is(const struct verb *verb)
{
	fprintf(stderr, "Try 'evnt %s --help'.\n", verb->name);
}

int misused(const struct verb *verb, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args);
	va_end(args);
	say_where_help_is(verb);
	return EVNT_MISUSED;
}

int next_option(const struct verb *verb, int argc, char **argv,
		const char *letters, const struct option *known)
{
	int c = getopt_long(argc, argv, letters, known, NULL);

	/* What is wrong was said */
	if (c == '?')
		say_where_help_is(verb);
	return c;
}

void *must_have(void *memory)
{
	if (memory)
		return memory;
	exit(failed("out of memory"));
}

int print_help(const struct verb *verb)
{
	fputs(verb->help, stdout);
	return end_output(EVNT_DONE);
}

bool json_options(const struct verb *verb, int argc, char **argv, bool *json,
		  int *exit_code)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	*exit_code = EVNT_DONE;
	while ((c = next_option(verb, argc, argv, "h", options)) != -1) {
		if (c == 'j')
			*json = true;
		else if (c == 'h')
			*exit_code = print_help(verb);
		else
			*exit_code = EVNT_MISUSED;
		if (c != 'j')
			return false;
	}
	return true;
}

bool list_options(const struct verb *verb, int argc, char **argv, bool *json,
		  int *exit_code)
{
	if (!json_options(verb, argc, argv, json, exit_code))
		return false;
	if (optind < argc)
		*exit_code = misused(verb, "%s takes no argument '%s'",
				     verb->name, argv[optind]);
	return optind == argc;
}

int end_output(int exit_code)
{
	/* Whoever closes a pipe early has seen enough */
	if ((fflush(stdout) || ferror(stdout)) && errno != EPIPE)
		return failed("cannot write the output: %s", strerror(errno));
	return exit_code;
}
