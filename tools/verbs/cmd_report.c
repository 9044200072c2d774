// SPDX-License-Identifier: MIT
/* evnt report: writes log files as a page for a browser */
#include <stddef.h>
#include <stdlib.h>

#include "tools/common/options.h"
#include "tools/events/decode.h"
#include "tools/perfetto/export.h"

static const char about[] =
"Writes log files as one HTML page that needs no network: rates and losses over\n"
"time, activities, writers, call stacks, and a table of events to search.\n";

static const char notes[] =
"Examples:\n"
"  evnt report -o server.html server.etl\n"
"  evnt report --level Warning --since +10 -o server.html server.etl\n";

static int run(int argc, char **argv)
{
	struct export_run *run = must_have(calloc(1, sizeof(*run)));
	int exit_code = parse_options(&report_verb, argc, argv, run);

	run->verb = &report_verb;
	run->format = &report_format;
	if (!exit_code)
		exit_code = export_check(run, argc);
	if (!exit_code)
		exit_code = export_files(run, argc, argv);
	else
		selection_free(&run->selection);
	free(run);
	return exit_code;
}

#define AT(field)	offsetof(struct export_run, field)

static const struct option_row options[] = {
	OPTION_ROW("output", 'o', "FILE",
		   "output file, such as OUT.html; - is standard output",
		   AT(output)),
	INCLUDE_ROWS(manifest_rows, 0),
	INCLUDE_ROWS(symbol_rows, 0),
	HELP_ROW,
	INCLUDE_ROWS(selection_rows, AT(selection)),
	{}
};

const struct verb report_verb = {
	.name = "report",
	.summary = "write log files as a page for a browser",
	.synopsis = "[OPTION...] -o OUT.html FILE.etl...",
	.about = about,
	.options = options,
	.notes = notes,
	.arguments = { "FILE.etl" },
	.run = run,
};
