// SPDX-License-Identifier: MIT
/* evnt cpu: prints the CPU time of processes, threads and functions */
#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/common/options.h"
#include "tools/cpu/cpu.h"
#include "tools/events/decode.h"
#include "tools/events/kernel_symbols.h"
#include "tools/events/logs.h"
#include "tools/evnt.h"

static const char about[] =
"Prints the CPU time of processes, threads and functions, from the events of the\n"
"kernel that 'evnt record --system cpu' records, or Windows' kernel logger.\n";

static const char notes[] =
"Examples:\n"
"  sudo evnt record --system cpu -o run.etl -- sleep 1\n"
"  sudo evnt cpu run.etl\n"
"  sudo evnt cpu --flame run.etl > run.folded\n";

/**
 * struct cpu_run - options and state of the verb
 * @json: print JSON
 * @flame: print folded stacks
 * @rows: maximum number of lines of a table
 * @take: callback for events in the current pass
 * @use: sums
 */
struct cpu_run {
	bool json;
	bool flame;
	ULONG rows;
	void (*take)(struct cpu_use *use, const EVENT_RECORD *record);
	struct cpu_use use;
};

static VOID WINAPI on_event(PEVENT_RECORD record)
{
	const struct logs *logs = record->UserContext;
	struct cpu_run *run = logs->context;

	run->take(&run->use, record);
}

static int read_once(struct cpu_run *run, int argc, char **argv, bool is_last)
{
	struct logs logs = { .context = run };
	int exit_code;

	run->take = is_last ? cpu_take : cpu_take_end;
	exit_code = logs_open(&logs, &cpu_verb, argc, argv, on_event);
	if (!exit_code) {
		kernel_symbols_use(logs.files->LogfileHeader.BootTime.QuadPart);
		exit_code = logs_read(&logs);
	}
	if (is_last)
		logs_report_losses(&logs);
	logs_close(&logs);
	return exit_code;
}

static int print(struct cpu_run *run)
{
	cpu_finish(&run->use);
	if (!cpu_is_known(&run->use))
		return failed("no context switches and no samples: 'evnt record"
			      " --system cpu' records them");
	if (run->flame)
		folds_write(&run->use.folds, stdout);
	else if (run->json)
		cpu_print_json(&run->use);
	else
		cpu_print_text(&run->use, run->rows, 0);
	return end_output(EVNT_DONE);
}

static int run(int argc, char **argv)
{
	struct cpu_run *run = must_have(calloc(1, sizeof(*run)));
	int exit_code, printed, first;

	run->rows = 20;
	exit_code = parse_options(&cpu_verb, argc, argv, run);
	if (!exit_code && run->flame && run->json)
		exit_code = usage_error(&cpu_verb, "--flame excludes --json");
	if (exit_code)
		goto free_run;
	first = optind;
	/* The names of a circular log are at its end */
	exit_code = read_once(run, argc, argv, false);
	optind = first;
	if (!exit_code)
		exit_code = read_once(run, argc, argv, true);
	if (!exit_code || cpu_is_known(&run->use)) {
		/* A read error does not invalidate the sums so far */
		printed = print(run);
		exit_code = exit_code ? exit_code : printed;
	}
	cpu_free(&run->use);
	kernel_symbols_free();
	decode_free();
free_run:
	free(run);
	return exit_code;
}

#define AT(field)	offsetof(struct cpu_run, field)

static const struct option_row options[] = {
	OPTION_ROW("json", 0, NULL,
		   "print a JSON object; see evnt-cpu(1) for its keys", AT(json)),
	OPTION_ROW("flame", 0, NULL,
		   "print the stacks of samples for flame graph tools: lines"
		   " \"process;outer;inner COUNT\"", AT(flame)),
	OPTION_ROW("rows", 'n', "N",
		   "maximum number of processes, of threads of each, and of"
		   " functions; default: 20", AT(rows), take_count, .least = 1,
		   .most = 1000000),
	INCLUDE_ROWS(symbol_rows, 0),
	HELP_ROW,
	{}
};

const struct verb cpu_verb = {
	.name = "cpu",
	.summary = "print the CPU time of processes, threads and functions",
	.synopsis = "[OPTION...] FILE.etl...",
	.about = about,
	.options = options,
	.notes = notes,
	.arguments = { "FILE.etl" },
	.run = run,
};
