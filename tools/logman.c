// SPDX-License-Identifier: MIT
/* logman: commands, errors and help */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "decode/format.h"
#include "tools/logman/logman.h"
#include "tools/session/complete.h"

static const char about[] =
"Usage: logman create trace NAME [OPTION...]\n"
"       logman start|stop|delete [trace] NAME [-ets]\n"
"       logman start [trace] NAME [OPTION...] -ets\n"
"       logman update [trace] NAME [OPTION...] [-ets]\n"
"       logman query [[trace] NAME] [-ets]\n"
"       logman query providers [NAME]\n"
"Accepts the command lines of Windows' logman.  Without -ets, it manages data\n"
"collector sets, which are stored until they are deleted.\n\n";

static const char notes[] =
"\nExamples:\n"
"  logman create trace server -p '*My-Server' 0x3 5 -o server.etl -ow\n"
"  logman start server\n"
"  logman stop server\n"
"  logman start quick -p '{12345678-90ab-cdef-1234-567890abcdef}' -ets\n";

static const struct {
	ULONG code;
	const char *text;
} texts[] = {
	{ LOGMAN_SET_NOT_FOUND, "Data Collector Set was not found." },
	{ LOGMAN_SET_IN_USE, "The Data Collector Set or one of its"
			     " dependencies is already in use." },
	{ LOGMAN_SET_EXISTS, "Data Collector Set already exists." },
	{ LOGMAN_SET_NOT_RUNNING, "The Data Collector Set is not running." },
	{ LOGMAN_NO_ELEMENT, "Element not found." },
	{ LOGMAN_BAD_ARGUMENT, "The parameter is incorrect." },
	{ LOGMAN_WIN32(ERROR_FILE_NOT_FOUND),
	  "The system cannot find the file specified." },
	{ LOGMAN_WIN32(ERROR_PATH_NOT_FOUND),
	  "The system cannot find the path specified." },
	{ LOGMAN_WIN32(ERROR_ACCESS_DENIED), "Access is denied." },
	{ LOGMAN_WIN32(ERROR_NOT_ENOUGH_MEMORY),
	  "Not enough memory is available to process this command." },
	{ LOGMAN_WIN32(ERROR_NOT_SUPPORTED), "The request is not supported." },
	{ LOGMAN_WIN32(ERROR_DISK_FULL),
	  "There is not enough space on the disk." },
	{ LOGMAN_WIN32(ERROR_BAD_PATHNAME), "The specified path is invalid." },
	{ LOGMAN_WIN32(ERROR_ALREADY_EXISTS),
	  "Cannot create a file when that file already exists." },
	{ LOGMAN_WIN32(ERROR_NO_SYSTEM_RESOURCES),
	  "Insufficient system resources exist to complete the requested"
	  " service." },
};

static const char *error_text(ULONG code)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (texts[i].code == code)
			return texts[i].text;
	}
	return "The command failed.";
}

int logman_error(ULONG code, const char *format, ...)
{
	va_list args;
	char *text;
	int len;

	fflush(stdout);
	fprintf(stderr, "\nError:\n%s\n", error_text(code));
	va_start(args, format);
	len = vasprintf(&text, format, args);
	va_end(args);
	if (len > 0)
		fprintf(stderr, "%s\n", make_printable(text));
	if (len >= 0)
		free(text);
	return code & 0xff ? (int)(code & 0xff) : EVNT_FAILED;
}

int logman_done(void)
{
	puts("\nThe command completed successfully.");
	return end_output(EVNT_DONE);
}

static const struct {
	const char *name;
	int (*run)(char **argv);
} commands[] = {
	{ "create", logman_create },
	{ "start", logman_start },
	{ "stop", logman_stop },
	{ "delete", logman_delete },
	{ "update", logman_update },
	{ "query", logman_query },
};

#define COMMANDS	(sizeof(commands) / sizeof(commands[0]))

static bool requests_help(char **argv)
{
	for (; *argv; argv++) {
		if (!strcmp(*argv, "-?") || !strcmp(*argv, "/?") ||
		    !strcmp(*argv, "--help") || !strcmp(*argv, "-h"))
			return true;
	}
	return false;
}

static int print_usage(void)
{
	fputs(about, stdout);
	logman_print_options();
	fputs(notes, stdout);
	return end_output(EVNT_DONE);
}

static bool complete_set(const struct collector *set, void *data)
{
	(void)data;
	complete_word(set->name, NULL);
	return true;
}

/* Complete the last of @words */
static int complete(int count, char **words)
{
	if (count == 1) {
		for (size_t i = 0; i < COMMANDS; i++)
			complete_word(commands[i].name, NULL);
	} else if (logman_complete_value(words[count - 2])) {
		;
	} else if (*words[count - 1] == '-') {
		logman_complete_options();
	} else {
		complete_word("trace", NULL);
		if (!strcasecmp(words[0], "query"))
			complete_word("providers", NULL);
		collector_list(complete_set, NULL);
		complete_value("SESSION");
	}
	return end_output(EVNT_DONE);
}

int main(int argc, char **argv)
{
	start_program();
	if (argc > 2 && !strcmp(argv[1], "--complete"))
		return complete(argc - 2, argv + 2);
	if (argc < 2 || requests_help(argv + 1))
		return print_usage();
	for (size_t i = 0; i < COMMANDS; i++) {
		if (!strcasecmp(argv[1], commands[i].name))
			return commands[i].run(argv + 2);
	}
	return logman_error(LOGMAN_BAD_ARGUMENT, "there is no command '%s':"
			    " 'logman -?' lists them", argv[1]);
}
