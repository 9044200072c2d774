// SPDX-License-Identifier: MIT
/* evnt activities: lists activities with their duration and their parents */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "tools/activities/activity_tree.h"
#include "tools/events/decode.h"
#include "tools/common/options.h"
#include "decode/format.h"
#include "tools/events/images.h"
#include "tools/common/json.h"
#include "tools/events/logs.h"
#include "tools/common/number.h"
#include "tools/print/print.h"

static const char about[] =
"Shows the activities of log files as a tree: each begins with an event with the\n"
"opcode Start, ends with one with the opcode Stop, and is shown with its duration\n"
"below the activity that has caused it.\n";

static const char notes[] =
"Examples:\n"
"  evnt activities --top 10 server.etl\n"
"  evnt activities --json server.etl | jq 'select(.status == \"unfinished\")'\n";

#define TICKS_PER_SECOND	1e7

/**
 * struct activities_run - options and state of the verb
 * @json: print JSON
 * @events: show the events of each activity
 * @filter: selects the activities to show
 * @logs: log files
 * @tree: activities of the log files
 */
struct activities_run {
	bool json;
	bool events;
	struct activity_filter filter;
	struct logs logs;
	struct activity_tree tree;
};

/* Find a field by name, ignoring case, or return NULL */
static json_object *find_field(json_object *fields, const char *name)
{
	struct json_object_iterator it = json_object_iter_begin(fields);
	struct json_object_iterator end = json_object_iter_end(fields);

	for (; !json_object_iter_equal(&it, &end); json_object_iter_next(&it)) {
		if (!strcasecmp(json_object_iter_peek_name(&it), name))
			return json_object_iter_peek_value(&it);
	}
	return NULL;
}

/*
 * Return the first field whose name usually denotes a result, as JSON. The
 * caller frees it.
 */
static char *result_text(const char *text)
{
	static const char *const names[] = {
		"result", "hresult", "hr", "status", "statuscode", "error",
		"errorcode", "returncode", "returnvalue", "exitcode",
	};
	json_object *fields = text ? json_tokener_parse(text) : NULL;
	json_object *value = NULL;
	char *result = NULL;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names) && fields &&
	     !value; i++)
		value = find_field(fields, names[i]);
	if (value)
		result = must_have(strdup(json_text(value)));
	json_object_put(fields);
	return result;
}

static void add_event(struct activity_detail *detail, const struct view *view,
		      const char *fields)
{
	const EVENT_HEADER *h = &view->record->EventHeader;
	struct activity_event *event = must_have(calloc(1, sizeof(*event)));

	event->time = h->TimeStamp.QuadPart;
	event->pid = h->ProcessId;
	event->tid = h->ThreadId;
	event->name = event_title(view, fields_schema(view->kind,
						      view->record));
	event->fields = fields ? must_have(strdup(fields)) : NULL;
	if (detail->last_event)
		detail->last_event->next = event;
	else
		detail->events = event;
	detail->last_event = event;
}

static void add_detail(struct activities_run *run, uint32_t number,
		       enum activity_role role, const struct view *view)
{
	struct activity_detail *detail = activity_tree_detail(&run->tree,
							      number);
	char *fields;

	if (role == ACTIVITY_EVENT && !run->events)
		return;
	fields = activity_fields(view);
	if (run->events)
		add_event(detail, view, fields);
	if (role == ACTIVITY_STOP && !detail->result)
		detail->result = result_text(fields);
	if (role == ACTIVITY_START && !detail->fields)
		detail->fields = fields;
	else
		free(fields);
}

static VOID WINAPI on_event(PEVENT_RECORD record)
{
	const struct logs *logs = record->UserContext;
	struct activities_run *run = logs->context;
	enum activity_role role;
	struct view view;
	uint32_t number;

	if (is_log_header(record))
		return;
	if (decode_unprinted(record))
		return;
	if (record->EventHeader.TimeStamp.QuadPart > run->tree.end)
		run->tree.end = record->EventHeader.TimeStamp.QuadPart;
	view_event(record, &view);
	number = activities_take(&run->tree.all, &view, &role);
	if (number != ACTIVITY_NONE)
		add_detail(run, number, role, &view);
}

static int take_activity(const struct option_value *v)
{
	struct activity_filter *filter = v->field;

	filter->has_id = spec_guid(v->text, &filter->id);
	return filter->has_id ? EVNT_DONE :
	       usage_error(v->verb, "'%s' is no GUID", v->text);
}

static int take_provider(const struct option_value *v)
{
	struct activity_filter *filter = v->field;
	char why[256];

	filter->has_provider = true;
	if (spec_provider(v->text, &filter->provider, why, sizeof(why)))
		return EVNT_DONE;
	return usage_error(v->verb, "%s", why);
}

/* Convert a number and its unit of time into FILETIME ticks */
static int take_duration(const struct option_value *v)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = {
		{ "ns", 1e-9 }, { "us", 1e-6 }, { "ms", 1e-3 }, { "s", 1 },
		{ "min", 60 }, { "h", 3600 },
	};
	int64_t *ticks = v->field;
	double number;
	char *unit;

	if (!strchr("0123456789.", *v->text) || strpbrk(v->text, "xXpP"))
		goto refuse;
	number = strtod(v->text, &unit);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (unit == v->text || strcmp(unit, units[i].name) != 0)
			continue;
		number *= units[i].seconds * TICKS_PER_SECOND;
		if (number > INT64_MAX / 2)
			goto refuse;
		*ticks = number;
		return EVNT_DONE;
	}
refuse:
	return usage_error(v->verb, "'%s' is no time: write 10ms, 1.5s, 200us,"
			   " 2min", v->text);
}

static int take_sort(const struct option_value *v)
{
	struct activity_filter *filter = v->field;

	filter->by_duration = !strcmp(v->text, "duration");
	if (filter->by_duration || !strcmp(v->text, "start"))
		return EVNT_DONE;
	return usage_error(v->verb, "--sort is 'start' or 'duration', not '%s'",
			   v->text);
}

/* --limit, and --top, which also sorts by duration */
static int take_limit(const struct option_value *v)
{
	struct activity_filter *filter = v->field;
	ULONG value;

	if (!parse_count(v->text, 1, UINT32_MAX, &value))
		return usage_error(v->verb, "--%s '%s' is no number above 0",
				   v->row->name, v->text);
	filter->limit = value;
	filter->by_duration |= v->row->flag;
	return EVNT_DONE;
}

static int run(int argc, char **argv)
{
	struct activities_run *run = must_have(calloc(1, sizeof(*run)));
	int exit_code = parse_options(&activities_verb, argc, argv, run);
	int printed;

	if (exit_code)
		goto out;
	run->logs.context = run;
	exit_code = logs_open(&run->logs, &activities_verb, argc, argv,
			      on_event);
	if (exit_code)
		goto close_logs;
	decode_peek(&run->logs);
	exit_code = logs_read(&run->logs);
	/* A read error does not invalidate the activities read so far */
	activity_tree_make(&run->tree, &run->filter);
	if (!run->json)
		printf("%-28s %14s  ACTIVITY\n", "START", "DURATION");
	activity_tree_walk(&run->tree, run->json ? activity_print_json :
						   activity_print_text);
	printed = end_output(EVNT_DONE);
	logs_report_losses(&run->logs);
	if (!exit_code)
		exit_code = printed;
close_logs:
	logs_close(&run->logs);
	activity_tree_free(&run->tree);
	decode_free();
out:
	free(run);
	return exit_code;
}

#define AT(field)	offsetof(struct activities_run, field)

static const struct option_row options[] = {
	OPTION_ROW("json", 0, NULL,
		   "print a JSON object per line; see evnt-activities(1)", AT(json)),
	OPTION_ROW("activity", 0, "GUID", "only this activity and those below it",
		   AT(filter), take_activity),
	OPTION_ROW("provider", 'p', "PROVIDER",
		   "only activities of a provider: NAME, *NAME or GUID", AT(filter),
		   take_provider),
	OPTION_ROW("pid", 0, "PID,...", "only activities started by these processes",
		   AT(filter.pids), take_ranges, .most = UINT32_MAX),
	OPTION_ROW("min-duration", 0, "TIME",
		   "only activities of this duration: 10ms, 1.5s, 200us, 2min (selected"
		   " activities are shown with all those above)",
		   AT(filter.min_duration), take_duration),
	OPTION_ROW("sort", 0, "KEY",
		   "start: by time (default); duration: longest first",
		   AT(filter), take_sort, "start duration"),
	OPTION_ROW("limit", 0, "N", "only N activities at the top of the tree",
		   AT(filter), take_limit),
	OPTION_ROW("top", 0, "N", "the same as --sort duration --limit N", AT(filter),
		   take_limit, .flag = true),
	OPTION_ROW("events", 0, NULL, "show the events of each activity", AT(events)),
	INCLUDE_ROWS(manifest_rows, 0),
	HELP_ROW,
	{}
};

const struct verb activities_verb = {
	.name = "activities",
	.summary = "show activities of log files with their durations",
	.synopsis = "[OPTION...] FILE.etl...",
	.about = about,
	.options = options,
	.notes = notes,
	.arguments = { "FILE.etl" },
	.run = run,
};
