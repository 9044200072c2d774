// SPDX-License-Identifier: MIT
/* evnt activities: which work there was, how long it took, and what it was part of. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "activity_tree.h"
#include "decode.h"
#include "evnt.h"
#include "format.h"
#include "images.h"
#include "json.h"
#include "logs.h"
#include "number.h"
#include "print.h"

static const char help[] =
"Usage: evnt activities [OPTION...] FILE.etl...\n"
"Shows the activities of log files as a tree: what was begun by an event with the\n"
"opcode Start and ended by one with Stop, with its duration, below the activity\n"
"that has caused it.\n\n"
"  --json              one object of JSON a line; see evnt-activities(1)\n"
"  --activity GUID     this activity alone, and those below it\n"
"  -p, --provider PROVIDER  that a provider has begun: NAME, *NAME or GUID\n"
"  --pid PID,...       that these processes have begun\n"
"  --min-duration TIME that took so long, or longer: 10ms, 1.5s, 200us, 2min\n"
"                      (what is selected is shown with all that is above it)\n"
"  --sort KEY          start: by time (default); duration: the longest first\n"
"  --limit N           so many at the top of the tree, with those below them\n"
"  --top N             the same as --sort duration --limit N\n"
"  --events            show the events of each activity\n"
"  --manifest FILE     read FILE, a manifest, to decode its provider's events\n"
"  -h, --help          print this\n\n"
"Examples:\n"
"  evnt activities --top 10 server.etl\n"
"  evnt activities --json server.etl | jq 'select(.status == \"unfinished\")'\n";

#define TICKS_PER_SECOND	1e7

/**
 * struct activities_run - what the user wants
 * @json: print JSON
 * @events: show the events
 * @filter: of what
 * @logs: the files
 * @tree: what is in them
 */
struct activities_run {
	bool json;
	bool events;
	struct activity_filter filter;
	struct logs logs;
	struct activity_tree tree;
};

/* The fields as an object of JSON, to be freed; NULL when there are none */
static char *fields_text(const struct view *view)
{
	const struct schema *schema = fields_schema(view->kind, view->record);
	struct out out = {};

	if (!schema)
		return NULL;
	json_put_fields(&out, view->record, schema);
	out_string(&out);
	if (strcmp(out.text, "{}") != 0)
		return out.text;
	out_free(&out);
	return NULL;
}

/* A field by its name, however that is written; or NULL */
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

/* The field that programs call so, the first that there is; to be freed */
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
	fields = fields_text(view);
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
	decode_unprinted(record);
	if (is_of_module(record))
		return;
	if (record->EventHeader.TimeStamp.QuadPart > run->tree.end)
		run->tree.end = record->EventHeader.TimeStamp.QuadPart;
	view_event(record, &view);
	number = activities_take(&run->tree.all, &view, &role);
	if (number != ACTIVITY_NONE)
		add_detail(run, number, role, &view);
}

static int show(struct activities_run *run)
{
	int read, printed;

	decode_peek(&run->logs);
	read = logs_read(&run->logs);
	/* What could be read is worth knowing in any case */
	activity_tree_make(&run->tree, &run->filter);
	if (!run->json)
		printf("%-28s %14s  ACTIVITY\n", "START", "DURATION");
	activity_tree_walk(&run->tree, run->json ? activity_print_json :
						   activity_print_text);
	printed = end_output(EVNT_DONE);
	logs_tell_losses(&run->logs);
	return read ? read : printed;
}

/* A number with a unit of time */
static bool parse_duration(const char *text, int64_t *ticks)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = {
		{ "ns", 1e-9 }, { "us", 1e-6 }, { "ms", 1e-3 }, { "s", 1 },
		{ "min", 60 }, { "h", 3600 },
	};
	char *unit;
	double number;

	if (!strchr("0123456789.", *text) || strpbrk(text, "xXpP"))
		return false;
	number = strtod(text, &unit);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (unit == text || strcmp(unit, units[i].name) != 0)
			continue;
		number *= units[i].seconds * TICKS_PER_SECOND;
		if (number > INT64_MAX / 2)
			return false;
		*ticks = number;
		return true;
	}
	return false;
}

enum {
	OPTION_ACTIVITY = 0x100,
	OPTION_PID,
	OPTION_MIN_DURATION,
	OPTION_SORT,
	OPTION_LIMIT,
	OPTION_TOP,
};

static int take_provider(struct activity_filter *filter)
{
	char why[256];

	filter->has_provider = true;
	if (spec_provider(optarg, &filter->provider, why, sizeof(why)))
		return EVNT_DONE;
	return misused(&activities_verb, "%s", why);
}

static int take_sort(struct activity_filter *filter)
{
	filter->by_duration = !strcmp(optarg, "duration");
	if (filter->by_duration || !strcmp(optarg, "start"))
		return EVNT_DONE;
	return misused(&activities_verb, "--sort is 'start' or 'duration', not"
		       " '%s'", optarg);
}

static int take_number(const char *option, uint32_t *number)
{
	ULONG value;

	if (!parse_count(optarg, 1, UINT32_MAX, &value))
		return misused(&activities_verb, "%s '%s' is no number above 0",
			       option, optarg);
	*number = value;
	return EVNT_DONE;
}

static int take_pids(struct activity_filter *filter)
{
	if (ranges_parse(&filter->pids, optarg, UINT32_MAX))
		return EVNT_DONE;
	return misused(&activities_verb, "--pid '%s' is not up to %d numbers,"
		       " or ranges like 10-20, joined by commas", optarg,
		       MAX_RANGES);
}

static int take_filter(struct activity_filter *filter, int option)
{
	switch (option) {
	case OPTION_ACTIVITY:
		filter->has_id = spec_guid(optarg, &filter->id);
		return filter->has_id ? EVNT_DONE :
		       misused(&activities_verb, "'%s' is no GUID", optarg);
	case 'p':
		return take_provider(filter);
	case OPTION_PID:
		return take_pids(filter);
	case OPTION_MIN_DURATION:
		return parse_duration(optarg, &filter->min_duration) ?
		       EVNT_DONE : misused(&activities_verb, "'%s' is no time:"
					   " write 10ms, 1.5s, 200us, 2min",
					   optarg);
	case OPTION_SORT:
		return take_sort(filter);
	case OPTION_TOP:
		filter->by_duration = true;
		return take_number("--top", &filter->limit);
	case OPTION_LIMIT:
		return take_number("--limit", &filter->limit);
	default:
		return EVNT_MISUSED;
	}
}

static int take_option(struct activities_run *run, int option)
{
	switch (option) {
	case 'j':
		run->json = true;
		return EVNT_DONE;
	case 'e':
		run->events = true;
		return EVNT_DONE;
	case OPTION_MANIFEST:
		return load_manifest(optarg);
	default:
		return take_filter(&run->filter, option);
	}
}

static bool parse_options(struct activities_run *run, int argc, char **argv,
			  int *exit_code)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "activity", required_argument, NULL, OPTION_ACTIVITY },
		{ "provider", required_argument, NULL, 'p' },
		{ "pid", required_argument, NULL, OPTION_PID },
		{ "min-duration", required_argument, NULL,
		  OPTION_MIN_DURATION },
		{ "sort", required_argument, NULL, OPTION_SORT },
		{ "limit", required_argument, NULL, OPTION_LIMIT },
		{ "top", required_argument, NULL, OPTION_TOP },
		{ "events", no_argument, NULL, 'e' },
		MANIFEST_OPTION,
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	*exit_code = EVNT_DONE;
	while ((c = next_option(&activities_verb, argc, argv, "p:h",
				options)) != -1) {
		if (c == 'h') {
			*exit_code = print_help(&activities_verb);
			return false;
		}
		*exit_code = take_option(run, c);
		if (*exit_code)
			return false;
	}
	return true;
}

static int run(int argc, char **argv)
{
	struct activities_run *run = must_have(calloc(1, sizeof(*run)));
	int exit_code;

	if (!parse_options(run, argc, argv, &exit_code))
		goto out;
	run->logs.context = run;
	exit_code = logs_open(&run->logs, &activities_verb, argc, argv,
			      on_event);
	if (!exit_code)
		exit_code = show(run);
	logs_close(&run->logs);
	activity_tree_free(&run->tree);
	decode_free();
out:
	free(run);
	return exit_code;
}

const struct verb activities_verb = {
	.name = "activities",
	.summary = "show activities of log files, and how long they took",
	.help = help,
	.run = run,
};
