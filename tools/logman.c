// SPDX-License-Identifier: MIT
/* evnt logman: commands, errors and help of the applet. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "format.h"
#include "logman.h"

const char logman_help[] =
"Usage: logman create trace NAME [OPTION...]\n"
"       logman start|stop|delete NAME [-ets]\n"
"       logman start NAME [OPTION...] -ets\n"
"       logman update [trace] NAME [OPTION...] [-ets]\n"
"       logman query [NAME] [-ets]\n"
"       logman query providers [NAME]\n"
"Understands what scripts write for Windows' logman.  Without -ets it is about\n"
"data collector sets, which are kept until they are started and deleted.\n\n"
"  -n NAME                 the name, if it does not come first\n"
"  -ets                    about sessions themselves: nothing is kept\n"
"  -p PROVIDER [KEYWORDS [LEVEL]]  a provider: GUID, *NAME, or the name that it\n"
"                          registered with; --p: not this one\n"
"  -pf FILE                a file of such lines\n"
"  -o FILE                 the log file; .etl is appended if need be\n"
"  -f bin|bincirc          a file that grows, or goes round at -max\n"
"  -max MB                 its size\n"
"  -cnf                    another file whenever one has that size\n"
"  -a, -ow                 append to, or overwrite, a file that exists\n"
"  -mode NAME,...          logging modes, by name or number\n"
"  -rt                     real-time mode\n"
"  -bs KB                  size of a buffer\n"
"  -nb MIN MAX             number of buffers\n"
"  -ft [[HH:]MM:]SS        flush timer\n"
"  -fd                     update: write what is in the buffers\n"
"  -ct perf|system|cycle   clock\n"
"  -ln NAME                the session's name, if it is not the set's\n"
"  -y, -as                 say nothing here\n"
"  -?, --help              print this\n\n"
"Examples:\n"
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

static bool asks_for_help(char **argv)
{
	for (; *argv; argv++) {
		if (!strcmp(*argv, "-?") || !strcmp(*argv, "/?") ||
		    !strcmp(*argv, "--help") || !strcmp(*argv, "-h"))
			return true;
	}
	return false;
}

static int run(int argc, char **argv)
{
	if (argc < 2 || asks_for_help(argv + 1))
		return print_help(&logman_verb);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (!strcasecmp(argv[1], commands[i].name))
			return commands[i].run(argv + 2);
	}
	return logman_error(LOGMAN_BAD_ARGUMENT, "there is no command '%s':"
			    " 'logman -?' lists them", argv[1]);
}

const struct verb logman_verb = {
	.name = "logman",
	.summary = "understand what scripts write for logman",
	.help = logman_help,
	.run = run,
};
