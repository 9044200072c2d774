// SPDX-License-Identifier: MIT
/* evnt stat: prints statistics of log files */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/common/options.h"
#include "tools/events/images.h"
#include "tools/events/process_names.h"
#include "tools/events/logs.h"
#include "tools/events/manifest_events.h"
#include "tools/events/loss.h"
#include "tools/stat/stat.h"
#include "lib/consume/trace.h"
#include "tools/events/fields.h"

#define TICKS_PER_SECOND	1e7

static const char about[] =
"Prints statistics of log files: count, size, rate and times of each provider's\n"
"events, and of each process's; the number of records and extended items of\n"
"each type; losses of the recording; and data that could not be parsed, to the\n"
"last byte.\n";

static const char notes[] =
"Examples:\n"
"  evnt stat sample.etl\n"
"  evnt stat --json sample.etl | jq '.records, .lost'\n";

/* Maximum number of lines about losses */
#define MAX_LOSSES	20u

/**
 * struct stat_run - state of the verb
 * @logs: log files
 * @tallies: counts of events
 * @processes: counts of processes
 * @losses: lines about losses, the first MAX_LOSSES of @loss_count
 * @loss_count: number of events about losses
 */
struct stat_run {
	struct logs logs;
	struct tallies tallies;
	struct processes processes;
	struct out losses;
	uint64_t loss_count;
};

const struct event_counts *stat_provider(const struct event_counts *from,
					 const struct event_counts *end,
					 struct tally *sum)
{
	const GUID *provider = &from->provider;

	*sum = (struct tally) {};
	while (from < end && !memcmp(&from->provider, provider, sizeof(GUID)))
		counts_merge(sum, &from++->tally);
	return from;
}

double stat_seconds(const struct tally *tally)
{
	return ((double)tally->last - (double)tally->first) /
	       TICKS_PER_SECOND;
}

double stat_rate(const struct tally *tally, const struct tally *span)
{
	double seconds = stat_seconds(span);

	return seconds > 0 ? tally->count / seconds : 0;
}

static VOID WINAPI on_event(PEVENT_RECORD record)
{
	const struct logs *logs = record->UserContext;
	struct stat_run *run = logs->context;

	struct view view;

	if (is_process_name(record)) {
		process_names_take_record(record);
		return;
	}
	if (is_loss(record) && run->loss_count++ < MAX_LOSSES)
		loss_put(&run->losses, record);
	description_take(record);
	view_event(record, &view);
	process_names_take(&view);
	tallies_add(&run->tallies, &view);
	processes_add(&run->processes, record);
}

static void add_tallies(struct etl_event_counts *to,
			const struct etl_event_counts *from, size_t n)
{
	while (n--) {
		to->count += from->count;
		to++->bytes += from++->bytes;
	}
}

static void add_file(struct stat_sums *sums, const struct logs *logs, int i)
{
	const TRACE_LOGFILE_HEADER *header = &logs->files[i].LogfileHeader;
	const struct etl_counts *from = logs->counts[i];
	struct etl_counts *to = &sums->counts;

	add_tallies(to->records, from->records, ETL_KINDS);
	add_tallies(to->items, from->items, ETL_ITEMS);
	add_tallies(to->unread, from->unread, ETL_UNREADS);
	add_tallies(&to->buffers, &from->buffers, 1);
	add_tallies(&to->packed, &from->packed, 1);
	add_tallies(&to->unused, &from->unused, 1);
	to->padding += from->padding;
	to->events_lost += from->events_lost;
	to->buffers_lost += from->buffers_lost;
	sums->losses.events += header->EventsLost;
	sums->losses.buffers += header->BuffersLost;
}

static int print(struct stat_run *run, bool json)
{
	struct tallies *tallies = &run->tallies;
	struct stat_sums sums = {
		.files = run->logs.count,
		.events = tallies->events,
		.end = tallies->events + tallies->count,
		.all = tallies->all,
		.processes = &run->processes,
	};

	tallies_sort(tallies);
	processes_sort(&run->processes);
	for (int i = 0; i < run->logs.count; i++)
		add_file(&sums, &run->logs, i);
	sums.losses.after_events = sums.counts.events_lost;
	sums.losses.after_buffers = sums.counts.buffers_lost;
	if (json)
		stat_print_json(&sums);
	else
		stat_print_text(&sums);
	if (!json && run->loss_count) {
		printf("\n%s", out_string(&run->losses));
		if (run->loss_count > MAX_LOSSES)
			printf("and %" PRIu64 " more: 'evnt dump' prints all\n",
			       run->loss_count - MAX_LOSSES);
	}
	return end_output(EVNT_DONE);
}

static int run(int argc, char **argv)
{
	struct stat_run *run;
	bool json = false;
	int exit_code, printed;

	exit_code = parse_options(&stat_verb, argc, argv, &json);
	if (exit_code)
		return exit_code;
	run = calloc(1, sizeof(*run));
	if (!run)
		return failed("out of memory");
	run->logs.context = run;
	exit_code = logs_open(&run->logs, &stat_verb, argc, argv, on_event);
	if (exit_code)
		goto close_logs;
	exit_code = logs_read(&run->logs);
	/* A read error does not invalidate the statistics so far */
	printed = print(run, json);
	if (!exit_code)
		exit_code = printed;
close_logs:
	logs_close(&run->logs);
	tallies_free(&run->tallies);
	processes_free(&run->processes);
	process_names_free();
	fields_free();
	out_free(&run->losses);
	free(run);
	return exit_code;
}

static const struct option_row options[] = {
	OPTION_ROW("json", 0, NULL,
		   "print a JSON object for all files; see evnt-stat(1) for its keys"),
	HELP_ROW,
	{}
};

const struct verb stat_verb = {
	.name = "stat",
	.summary = "print statistics of log files",
	.synopsis = "[--json] FILE.etl...",
	.about = about,
	.options = options,
	.notes = notes,
	.arguments = { "FILE.etl" },
	.run = run,
};
