// SPDX-License-Identifier: MIT
/* Output of evnt activities */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/activities/activity_tree.h"
#include "tools/evnt.h"
#include "decode/format.h"
#include "tools/common/json.h"
#include "tools/events/fields.h"
#include "tools/print/print.h"

#define TICKS_PER_SECOND	INT64_C(10000000)
#define TICKS_PER_MS		10000
#define NS_PER_TICK		100

/* Deeper activities are not indented any further */
#define MAX_INDENT	32

/* Maximum length of the fields shown, in bytes */
#define SHORT_FIELDS	120

static const char *status_text(enum activity_status status)
{
	static const char *const texts[] = {
		[ACTIVITY_DONE] = "done",
		[ACTIVITY_UNFINISHED] = "unfinished",
		[ACTIVITY_NO_START] = "stopped without start",
		[ACTIVITY_NO_START_STOP] = "no start, no stop",
		[ACTIVITY_LOST] = "lost",
	};

	return texts[status];
}

/* Format a duration in a suitable unit */
static char *duration_text(int64_t ticks, char text[NUMBER_TEXT])
{
	double ms = (double)ticks / TICKS_PER_MS;

	if (ticks < TICKS_PER_MS)
		snprintf(text, NUMBER_TEXT, "%.1f us", ms * 1000);
	else if (ticks < TICKS_PER_SECOND)
		snprintf(text, NUMBER_TEXT, "%.3f ms", ms);
	else if (ticks < 60 * TICKS_PER_SECOND)
		snprintf(text, NUMBER_TEXT, "%.3f s", ms / 1000);
	else
		snprintf(text, NUMBER_TEXT, "%" PRId64 " min %.1f s",
			 ticks / (60 * TICKS_PER_SECOND),
			 (double)(ticks % (60 * TICKS_PER_SECOND)) /
			 TICKS_PER_SECOND);
	return text;
}

static void print_safely(const char *text)
{
	char *copy = must_have(strdup(text));

	fputs(make_printable(copy), stdout);
	free(copy);
}

char *activity_fields(const struct view *view)
{
	const struct schema *schema = fields_schema(view->kind, view->record);
	struct out out = {};

	if (!schema)
		return NULL;
	json_put_fields(&out, fields_read(schema, view->record));
	out_string(&out);
	if (strcmp(out.text, "{}") != 0)
		return out.text;
	out_free(&out);
	return NULL;
}

void activity_put_fields(struct out *out, const char *json)
{
	json_object *fields = json ? json_tokener_parse(json) : NULL;
	struct json_object_iterator it, end;
	const size_t begin = out->len;
	size_t len = SHORT_FIELDS - 3;

	if (!fields)
		return;
	it = json_object_iter_begin(fields);
	end = json_object_iter_end(fields);
	for (; !json_object_iter_equal(&it, &end); json_object_iter_next(&it)) {
		out_char(out, ' ');
		out_text(out, json_object_iter_peek_name(&it));
		out_char(out, '=');
		out_text(out, json_text(json_object_iter_peek_value(&it)));
	}
	/* Truncate at a character boundary */
	if (out->len - begin > SHORT_FIELDS) {
		while (len && (out->text[begin + len] & 0xc0) == 0x80)
			len--;
		out->len = begin + len;
		out_text(out, "...");
	}
	json_object_put(fields);
}

static void print_fields(const char *json)
{
	struct out out = {};

	activity_put_fields(&out, json);
	print_safely(out_string(&out));
	out_free(&out);
}

static void print_indent(unsigned int depth)
{
	if (depth > MAX_INDENT)
		printf("%*s[%u] ", 2 * MAX_INDENT, "", depth);
	else
		printf("%*s", (int)(2 * depth), "");
}

/* Print the provider unless the parent activity has the same one */
static void print_provider(const struct activity_tree *tree,
			   const struct activity *activity)
{
	const struct activity_kind *above = NULL, *kind;
	char guid[GUID_TEXT];

	kind = activity_kind(&tree->all, activity);
	if (activity->parent != ACTIVITY_NONE)
		above = activity_kind(&tree->all,
				      activity_at(&tree->all,
						  activity->parent));
	if (!kind || (above && !memcmp(&above->provider, &kind->provider,
				       sizeof(GUID))))
		return;
	fputs(" provider=", stdout);
	if (kind->provider_name[0])
		print_safely(kind->provider_name);
	else
		fputs(format_guid(&kind->provider, guid), stdout);
}

static void print_events(const struct activity_tree *tree, uint32_t number,
			 unsigned int depth)
{
	const struct activity *activity = activity_at(&tree->all, number);
	const struct activity_event *event;
	char text[NUMBER_TEXT];
	int64_t ticks;

	for (event = tree->details[number].events; event; event = event->next) {
		printf("%-28s %14s  ", "", "");
		print_indent(depth + 1);
		ticks = activity_ticks(activity->start, event->time);
		printf("+%s ", duration_text(ticks, text));
		print_safely(event->name);
		if (event->tid != activity->tid || event->pid != activity->pid)
			printf(" pid=%u tid=%u", event->pid, event->tid);
		print_fields(event->fields);
		putchar('\n');
	}
}

bool activity_print_text(const struct activity_tree *tree, uint32_t number,
			 unsigned int depth)
{
	const struct activity *activity = activity_at(&tree->all, number);
	const struct activity_kind *kind = activity_kind(&tree->all, activity);
	const struct activity_detail *detail = &tree->details[number];
	enum activity_status status = activity_status(activity);
	char time[TIME_TEXT], duration[NUMBER_TEXT] = "";
	char text[NUMBER_TEXT + 1] = "", guid[GUID_TEXT];
	char buffer[ACTIVITY_PATH];
	const char *path;

	if (status != ACTIVITY_LOST)
		duration_text(activity_tree_duration(tree, activity),
			      duration);
	snprintf(text, sizeof(text), "%s%s",
		 status == ACTIVITY_UNFINISHED ? ">" : "", duration);
	printf("%-28s %14s  ", status == ACTIVITY_LOST ? "" :
	       format_time(activity->start, time), text);
	print_indent(depth);
	print_safely(kind ? kind->name : "?");
	print_provider(tree, activity);
	if (status != ACTIVITY_LOST)
		printf(" pid=%u tid=%u events=%" PRIu64, activity->pid,
		       activity->tid, activity->events);
	if (status != ACTIVITY_DONE)
		printf(" status=\"%s\"", status_text(status));
	if (detail->result) {
		fputs(" result=", stdout);
		print_safely(detail->result);
	}
	if (!guid_is_zero(&activity->id))
		printf(" activity=%s", format_guid(&activity->id, guid));
	path = activity_path(&activity->id, activity->pid, buffer);
	if (path)
		printf(" path=%s", path);
	print_fields(detail->fields);
	putchar('\n');
	print_events(tree, number, depth);
	return !ferror(stdout);
}

static void add_parsed(json_object *object, const char *key, const char *text)
{
	json_object *value = text ? json_tokener_parse(text) : NULL;

	if (value)
		json_object_object_add(object, key, value);
}

static void add_time(json_object *object, const char *key, int64_t time)
{
	char text[TIME_TEXT];

	json_add_text(object, key, format_time(time, text));
}

static void add_where(json_object *object, const struct activity_tree *tree,
		      const struct activity *activity)
{
	enum activity_status status = activity_status(activity);

	json_add_text(object, "status", status_text(status));
	if (status == ACTIVITY_LOST)
		return;
	json_add_number(object, "pid", activity->pid);
	json_add_number(object, "tid", activity->tid);
	add_time(object, "start", activity->start);
	json_add_number(object, "duration_ns", NS_PER_TICK *
			activity_tree_duration(tree, activity));
	json_add_number(object, "events", activity->events);
	if (!activity->stopped)
		return;
	add_time(object, "stop", activity->stop);
	json_add_number(object, "stop_pid", activity->stop_pid);
	json_add_number(object, "stop_tid", activity->stop_tid);
}

static void add_events(json_object *object,
		       const struct activity_event *event)
{
	json_object *list, *one;

	if (!event)
		return;
	list = json_object_new_array();
	for (; event; event = event->next) {
		one = json_object_new_object();
		add_time(one, "time", event->time);
		json_add_text(one, "name", event->name);
		json_add_number(one, "pid", event->pid);
		json_add_number(one, "tid", event->tid);
		add_parsed(one, "fields", event->fields);
		json_object_array_add(list, one);
	}
	json_object_object_add(object, "event_list", list);
}

bool activity_print_json(const struct activity_tree *tree, uint32_t number,
			 unsigned int depth)
{
	const struct activity *activity = activity_at(&tree->all, number);
	const struct activity_kind *kind = activity_kind(&tree->all, activity);
	const struct activity_detail *detail = &tree->details[number];
	json_object *object = json_object_new_object();
	char text[ACTIVITY_PATH];
	const char *path;

	json_add_number(object, "number", number + 1ull);
	if (activity->parent != ACTIVITY_NONE)
		json_add_number(object, "parent", activity->parent + 1ull);
	json_add_number(object, "depth", depth);
	path = activity_path(&activity->id, activity->pid, text);
	if (!guid_is_zero(&activity->id))
		json_add_guid(object, "activity", &activity->id);
	if (path)
		json_add_text(object, "path", path);
	if (kind) {
		json_add_guid(object, "provider", &kind->provider);
		if (kind->provider_name[0])
			json_add_text(object, "provider_name",
				      kind->provider_name);
		json_add_text(object, "name", kind->name);
	}
	add_where(object, tree, activity);
	add_parsed(object, "result", detail->result);
	add_parsed(object, "fields", detail->fields);
	add_events(object, detail->events);
	json_print(object);
	return !ferror(stdout);
}
