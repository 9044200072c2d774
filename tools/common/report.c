// SPDX-License-Identifier: MIT
/* Messages to the user */
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/evnt.h"
#include "decode/format.h"

void start_program(void)
{
	setlocale(LC_CTYPE, "");
	/* A closed pipe ends the program quietly, even if it was ignored */
	signal(SIGPIPE, SIG_DFL);
}

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

int point_to_help(const struct verb *verb)
{
	fprintf(stderr, "Try 'evnt %s --help'.\n", verb->name);
	return EVNT_USAGE;
}

int usage_error(const struct verb *verb, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args);
	va_end(args);
	return point_to_help(verb);
}

void *must_have(void *memory)
{
	if (memory)
		return memory;
	exit(failed("out of memory"));
}

int end_output(int exit_code)
{
	/* A reader that closes the pipe early is no error */
	if ((fflush(stdout) || ferror(stdout)) && errno != EPIPE)
		return failed("cannot write the output: %s", strerror(errno));
	return exit_code;
}
