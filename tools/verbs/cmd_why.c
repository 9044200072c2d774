// SPDX-License-Identifier: MIT
/* evnt why: explains where the time of activities went */
#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/options.h"
#include "tools/events/decode.h"
#include "tools/events/images.h"
#include "tools/events/kernel_symbols.h"
#include "tools/evnt.h"
#include "tools/why/why.h"

static const char about[] =
"Explains where the time of the longest activities went: when their threads ran,\n"
"waited for a processor, or were blocked, on what, and which thread woke them.\n"
"Record that with\n"
"'evnt record --system cpu,disk --system-stack profile,switch,ready'.\n";

static const char notes[] =
"Examples:\n"
"  sudo evnt why slow.etl\n"
"  sudo evnt why --name Request --top 3 --json slow.etl | jq .causes\n";

/**
 * struct why_run - options and state of the verb
 * @json: print JSON
 * @id: activity to explain, if @has_id
 * @has_id: --activity was given
 * @name: name of the activities to explain, or NULL
 * @top: number of activities to explain
 * @rows: maximum number of waits
 * @is_last: the current pass is the last one
 * @why: state
 */
struct why_run {
	bool json;
	GUID id;
	bool has_id;
	const char *name;
	ULONG top;
	ULONG rows;
	bool is_last;
	struct why why;
};

static VOID WINAPI on_event(PEVENT_RECORD record)
{
	const struct logs *logs = record->UserContext;
	struct why_run *run = logs->context;
	struct why *why = &run->why;
	enum activity_role role;
	struct view view;

	if (is_log_header(record))
		return;
	if (decode_unprinted(record))
		return;
	if (run->is_last) {
		why_take(why, record);
		return;
	}
	cpu_take_end(&why->use, record);
	if (record->EventHeader.TimeStamp.QuadPart > why->last)
		why->last = record->EventHeader.TimeStamp.QuadPart;
	view_event(record, &view);
	activities_take(&why->activities, &view, &role);
}

static bool is_wanted(const struct why_run *run, const struct activity *a)
{
	if (!a->started)
		return false;
	if (run->has_id && memcmp(&a->id, &run->id, sizeof(a->id)) != 0)
		return false;
	if (run->name)
		return !strcmp(activity_kind(&run->why.activities, a)->name,
			       run->name);
	return run->has_id || a->parent == ACTIVITY_NONE;
}

static int64_t duration_of(const struct why *why, uint32_t number)
{
	return why_duration(why, activity_at(&why->activities, number));
}

static int by_duration(const void *a, const void *b, void *context)
{
	const struct why_activity *x = a, *y = b;
	const int64_t m = duration_of(context, x->number);
	const int64_t n = duration_of(context, y->number);

	if (m != n)
		return m < n ? 1 : -1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* Select the activities after the first pass */
static void select_wanted(struct why_run *run)
{
	struct why *why = &run->why;
	const uint32_t all = why->activities.count;
	const struct activity *a;
	uint32_t n = 0;

	why->wanted = must_have(calloc(all + 1, sizeof(*why->wanted)));
	for (uint32_t i = 0; i < all; i++) {
		a = activity_at(&why->activities, i);
		if (is_wanted(run, a))
			why->wanted[n++] = (struct why_activity) {
				.number = i, .id = a->id, .start = a->start,
			};
	}
	qsort_r(why->wanted, n, sizeof(*why->wanted), by_duration, why);
	why->wanted_count = n < run->top ? n : run->top;
	activities_free(&why->activities);
}

/* The log may change between two passes */
static bool is_unchanged(const struct why *why, const struct why_activity *w)
{
	const struct activity *a;

	if (w->number >= why->activities.count)
		return false;
	a = activity_at(&why->activities, w->number);
	return a->started && a->start == w->start &&
	       !memcmp(&a->id, &w->id, sizeof(a->id));
}

static int read_once(struct why_run *run, int argc, char **argv, bool is_last)
{
	struct logs logs = { .context = run };
	int exit_code;

	run->is_last = is_last;
	run->why.logs = &logs;
	exit_code = logs_open(&logs, &why_verb, argc, argv, on_event);
	if (!exit_code) {
		kernel_symbols_use(logs.files->LogfileHeader.BootTime.QuadPart);
		if (!is_last)
			decode_peek(&logs);
		exit_code = logs_read(&logs);
	}
	if (is_last)
		logs_report_losses(&logs);
	logs_close(&logs);
	run->why.logs = NULL;
	return exit_code;
}

static int print(const struct why_run *run)
{
	const struct why *why = &run->why;
	bool is_printed = false;

	if (!why->wanted_count)
		return failed("the log has no such activity: 'evnt activities'"
			      " lists them");
	if (!why->use.switches)
		return failed("no context switches: 'evnt record --system cpu"
			      " --system-stack profile,switch,ready' records"
			      " them");
	for (uint32_t i = 0; i < why->wanted_count; i++) {
		if (!is_unchanged(why, &why->wanted[i]))
			continue;
		if (run->json) {
			why_print_json(why, &why->wanted[i]);
			continue;
		}
		if (is_printed)
			putchar('\n');
		why_print_text(why, &why->wanted[i], run->rows);
		is_printed = true;
	}
	return end_output(EVNT_DONE);
}

static int run(int argc, char **argv)
{
	struct why_run *run = must_have(calloc(1, sizeof(*run)));
	int exit_code, first;

	run->top = 1;
	run->rows = 10;
	exit_code = parse_options(&why_verb, argc, argv, run);
	if (exit_code)
		goto free_run;
	first = optind;
	/* The activities are selected, and the names of a circular log are read */
	exit_code = read_once(run, argc, argv, false);
	select_wanted(run);
	optind = first;
	if (!exit_code)
		exit_code = read_once(run, argc, argv, true);
	why_finish(&run->why);
	if (!exit_code)
		exit_code = print(run);
	why_free(&run->why);
	kernel_symbols_free();
	decode_free();
free_run:
	free(run);
	return exit_code;
}

static int take_activity(const struct option_value *v)
{
	struct why_run *run = v->field;

	run->has_id = spec_guid(v->text, &run->id);
	return run->has_id ? EVNT_DONE :
	       usage_error(v->verb, "'%s' is no GUID", v->text);
}

#define AT(field)	offsetof(struct why_run, field)

static const struct option_row options[] = {
	OPTION_ROW("json", 0, NULL,
		   "print a JSON object per line; see evnt-why(1)", AT(json)),
	OPTION_ROW("activity", 0, "GUID", "only activities with this id", 0,
		   take_activity),
	OPTION_ROW("name", 0, "NAME",
		   "only activities of this name; default: those that no other one"
		   " has caused", AT(name)),
	OPTION_ROW("top", 0, "N", "number of activities, the longest first; default:"
		   " 1", AT(top), take_count, .least = 1, .most = 1000),
	OPTION_ROW("rows", 'n', "N", "maximum number of waits; default: 10",
		   AT(rows), take_count, .least = 1, .most = 1000000),
	INCLUDE_ROWS(symbol_rows, 0),
	INCLUDE_ROWS(manifest_rows, 0),
	HELP_ROW,
	{}
};

const struct verb why_verb = {
	.name = "why",
	.summary = "explain where the time of slow activities went",
	.synopsis = "[OPTION...] FILE.etl...",
	.about = about,
	.options = options,
	.notes = notes,
	.arguments = { "FILE.etl" },
	.run = run,
};
