// SPDX-License-Identifier: MIT
/* evnt dump: prints the events of log files */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tools/events/decode.h"
#include "tools/common/options.h"
#include "tools/events/logs.h"

static const char about[] =
"Prints the events of log files, one per line, by time, with their fields as far\n"
"as their format is known.\n";

static const char notes[] =
"Losses of events and buffers, and data that could not be parsed, are reported\n"
"on stderr.\n\n"
"Examples:\n"
"  evnt dump sample.etl | less\n"
"  evnt dump -p My-Server::Warning --where 'Status != 0' --since +10 sample.etl\n"
"  evnt dump --json sample.etl | jq 'select(.level <= 2)'\n";

/**
 * struct dump - options and state of the verb
 * @decode: options for printing events
 * @selection: events to print
 * @logs: log files
 */
/* stdio's own 4 KiB are a few events, and a write costs as much as these */
static char output[1 << 16];

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

static int run(int argc, char **argv)
{
	struct dump *dump = calloc(1, sizeof(*dump));
	int exit_code;

	if (!dump)
		return failed("out of memory");
	exit_code = parse_options(&dump_verb, argc, argv, dump);
	if (exit_code)
		goto out;
	if (selection_is_given(&dump->selection))
		dump->decode.selection = &dump->selection;
	/* A terminal shows each line at once */
	if (!isatty(STDOUT_FILENO))
		setvbuf(stdout, output, _IOFBF, sizeof(output));
	dump->logs.context = dump;
	dump->logs.prints = true;
	exit_code = logs_open(&dump->logs, &dump_verb, argc, argv, on_event);
	if (exit_code)
		goto close_logs;
	dump->logs.has_all = has_all;
	decode_peek(&dump->logs);
	decode_begin(&dump->decode);
	exit_code = logs_read(&dump->logs);
	decode_end(&dump->decode);
	exit_code = end_output(exit_code);
	if (selection_report(&dump->selection) && !exit_code)
		exit_code = EVNT_FAILED;
	logs_report_losses(&dump->logs);
close_logs:
	logs_close(&dump->logs);
	decode_free();
out:
	selection_free(&dump->selection);
	free(dump);
	return exit_code;
}

#define AT(field)	offsetof(struct dump, field)

static const struct option_row options[] = {
	INCLUDE_ROWS(decode_rows, AT(decode)),
	HELP_ROW,
	INCLUDE_ROWS(selection_rows, AT(selection)),
	{}
};

const struct verb dump_verb = {
	.name = "dump",
	.summary = "print the events of log files",
	.synopsis = "[OPTION...] FILE.etl...",
	.about = about,
	.options = options,
	.notes = notes,
	.arguments = { "FILE.etl" },
	.run = run,
};
