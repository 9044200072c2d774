// SPDX-License-Identifier: MIT
/* evnt dump: prints the events of log files. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "decode.h"
#include "evnt.h"
#include "logs.h"

static const char help[] =
"Usage: evnt dump [OPTION...] FILE.etl...\n"
"Prints the events of log files, one a line, by time, with their fields as far\n"
"as these are described.\n\n"
"  --format FORM   text; json: an object a line, see evnt-dump(1) for its keys;\n"
"                  csv; or xml, in the shape of Windows' Event schema\n"
"  --json          the same as --format json\n"
"  --manifest FILE read FILE, a manifest or MOF classes, to decode events; those\n"
"                  of /etc/evntprov/manifests and /usr/share/evntprov/manifests\n"
"                  are read without, and those in programs that a log tells of\n"
"  --header        print the event that describes a log file, too\n"
"  --full          print long payloads whole (--json always does)\n"
"  --images        print the events that say what processes have mapped, too\n"
"  --no-symbols    open no file to name functions of call stacks\n"
"  -h, --help      print this\n\n"
SELECTION_HELP "\n"
"Events and buffers that a file says were lost, and what was not understood, are\n"
"told on stderr.\n\n"
"Examples:\n"
"  evnt dump sample.etl | less\n"
"  evnt dump -p My-Server::Warning --where 'Status != 0' --since +10 sample.etl\n"
"  evnt dump --json sample.etl | jq 'select(.level <= 2)'\n";

/**
 * struct dump - what the user wants
 * @decode: how events are printed
 * @selection: which of them
 * @logs: the files
 */
struct dump {
	struct decode decode;
	struct selection selection;
	struct logs logs;
};

static VOID WINAPI on_event(PEVENT_RECORD record)
{
	const struct logs *logs = record->UserContext;
	const struct dump *dump = logs->context;

	decode_event(&dump->decode, record);
}

static bool has_all(void *context)
{
	const struct dump *dump = context;

	return selection_is_over(&dump->selection);
}

static int dump_files(struct dump *dump)
{
	int exit_code;

	dump->logs.has_all = has_all;
	decode_peek(&dump->logs);
	decode_begin(&dump->decode);
	exit_code = logs_read(&dump->logs);
	decode_end(&dump->decode);
	exit_code = end_output(exit_code);
	selection_tell(&dump->selection);
	logs_tell_losses(&dump->logs);
	return exit_code;
}

static bool parse_options(struct dump *dump, int argc, char **argv,
			  int *exit_code)
{
	static const struct option options[] = {
		DECODE_OPTIONS,
		SELECTION_OPTIONS,
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	*exit_code = EVNT_DONE;
	while ((c = next_option(&dump_verb, argc, argv, "p:h",
				options)) != -1) {
		if (c == 'h') {
			*exit_code = print_help(&dump_verb);
			return false;
		}
		if (is_selection_option(c))
			*exit_code = selection_option(&dump_verb,
						      &dump->selection, c);
		else
			*exit_code = decode_option(&dump_verb, &dump->decode,
						   c);
		if (*exit_code)
			return false;
	}
	return true;
}

static int run(int argc, char **argv)
{
	struct dump *dump = calloc(1, sizeof(*dump));
	int exit_code;

	if (!dump)
		return failed("out of memory");
	if (!parse_options(dump, argc, argv, &exit_code))
		goto out;
	if (dump->selection.given)
		dump->decode.selection = &dump->selection;
	dump->logs.context = dump;
	dump->logs.prints = true;
	exit_code = logs_open(&dump->logs, &dump_verb, argc, argv, on_event);
	if (!exit_code)
		exit_code = dump_files(dump);
	logs_close(&dump->logs);
	decode_free();
out:
	selection_free(&dump->selection);
	free(dump);
	return exit_code;
}

const struct verb dump_verb = {
	.name = "dump",
	.summary = "print the events of log files",
	.help = help,
	.run = run,
};
