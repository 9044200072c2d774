// SPDX-License-Identifier: MIT
/* evnt export: writes log files in the formats of other tools */
#include <stddef.h>
#include <stdlib.h>

#include "tools/common/options.h"
#include "tools/events/decode.h"
#include "tools/perfetto/export.h"

static const char about[] =
"Writes the events of log files, with fields, in the format of other tools.\n";

static const char notes[] =
"Examples:\n"
"  evnt export --perfetto -o server.pftrace server.etl\n"
"  evnt export --perfetto -p My-Server --since +10 --until +20 -o - server.etl |\n"
"          gzip > server.pftrace.gz\n"
"  evnt export --folded -o server.folded server.etl\n";

static int take_perfetto(const struct option_value *v)
{
	const struct export_format **format = v->field;

	*format = &perfetto_format;
	return EVNT_DONE;
}

static int take_folded(const struct option_value *v)
{
	const struct export_format **format = v->field;

	*format = &folded_format;
	return EVNT_DONE;
}

static int run(int argc, char **argv)
{
	struct export_run *run = must_have(calloc(1, sizeof(*run)));
	int exit_code = parse_options(&export_verb, argc, argv, run);

	run->verb = &export_verb;
	if (!exit_code && !run->format)
		exit_code = usage_error(&export_verb, "in which format? write"
					" --perfetto or --folded");
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
	OPTION_ROW("perfetto", 0, NULL,
		   "for https://ui.perfetto.dev: activities become slices, other events"
		   " instants, connected by flows", AT(format), take_perfetto),
	OPTION_ROW("folded", 0, NULL,
		   "call stacks for flame graph tools: lines \"outer;inner COUNT\"",
		   AT(format), take_folded),
	OPTION_ROW("output", 'o', "FILE",
		   "output file, such as OUT.pftrace; - is standard output",
		   AT(output)),
	INCLUDE_ROWS(manifest_rows, 0),
	INCLUDE_ROWS(symbol_rows, 0),
	HELP_ROW,
	INCLUDE_ROWS(selection_rows, AT(selection)),
	{}
};

const struct verb export_verb = {
	.name = "export",
	.summary = "convert log files for other tools, such as Perfetto",
	.synopsis = "--perfetto|--folded [OPTION...] -o OUT FILE.etl...",
	.about = about,
	.options = options,
	.notes = notes,
	.arguments = { "FILE.etl" },
	.run = run,
};
