// SPDX-License-Identifier: MIT
/* Options that select events of a log */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools/evnt.h"
#include "tools/events/fields.h"
#include "tools/common/number.h"
#include "tools/events/selection.h"
#include "tools/filter/where.h"

static int take_spec(const struct option_value *v)
{
	struct selection *s = v->field;
	char why[512];

	if (!spec_parse(&s->specs, v->text, why, sizeof(why)))
		return usage_error(v->verb, "--provider '%s': %s", v->text,
				   why);
	for (size_t i = 0; i < s->specs.count; i++) {
		if (s->specs.specs[i].group)
			return usage_error(v->verb,
					   "--provider '%s': events do not"
					   " contain the groups of their"
					   " providers; name the providers",
					   v->text);
	}
	return EVNT_DONE;
}

static int take_level(const struct option_value *v)
{
	struct selection *s = v->field;

	if (spec_level(v->text, &s->level))
		return EVNT_DONE;
	return usage_error(v->verb,
			   "--level '%s' is neither 0 to 255 nor Critical,"
			   " Error, Warning, Information or Verbose",
			   v->text);
}

static int take_keyword(const struct option_value *v)
{
	struct selection *s = v->field;

	if (parse_number(v->text, strlen(v->text), &s->keywords))
		return EVNT_DONE;
	return usage_error(v->verb,
			   "--keyword '%s' is no mask: 0x... or a decimal"
			   " number",
			   v->text);
}

static int take_ids(const struct option_value *v)
{
	struct selection *s = v->field;
	struct option_value ids = *v;

	if (s->ids.count && s->ids_in != v->row->flag)
		return usage_error(v->verb, "write --id or --not-id, not both");
	s->ids_in = v->row->flag;
	ids.field = &s->ids;
	return take_ranges(&ids);
}

static int take_names(const struct option_value *v)
{
	struct selection *s = v->field;

	if (s->names)
		return usage_error(v->verb,
				   "write one of --event and --not-event,"
				   " once");
	s->names = v->text;
	s->names_in = v->row->flag;
	return EVNT_DONE;
}

static int take_where(const struct option_value *v)
{
	struct selection *s = v->field;

	if (s->where)
		return usage_error(v->verb, "write --where once, and join"
				   " conditions by 'and' or 'or'");
	s->where = must_have(calloc(1, sizeof(*s->where)));
	return where_read(v->verb, s->where, v->text);
}

static int take_time_arg(const struct option_value *v)
{
	if (time_arg_parse(v->text, v->field))
		return EVNT_DONE;
	return usage_error(v->verb, "--%s '%s' is no time like " TIME_ARG_FORMS,
			   v->row->name, v->text);
}

static int take_limit(const struct option_value *v)
{
	struct selection *s = v->field;

	if (parse_number(v->text, strlen(v->text), &s->limit) && s->limit)
		return EVNT_DONE;
	return usage_error(v->verb, "--limit '%s' is no number of events",
			   v->text);
}

#define AT(field)	offsetof(struct selection, field)

const struct option_row selection_rows[] = {
	TEXT_ROW("\nSelect only events that match all of these options:\n"),
	OPTION_ROW("provider", 'p', "SPEC",
		   "of this provider: NAME, *NAME or GUID, optionally with"
		   " :KEYWORDS[:LEVEL]; may be repeated to match any of several",
		   0, take_spec),
	OPTION_ROW("level", 0, "LEVEL",
		   "up to this level: 1 to 255, or Critical, Error, Warning, ...",
		   0, take_level, SPEC_LEVELS),
	OPTION_ROW("keyword", 0, "MASK",
		   "with any of these keywords, or without keywords", 0,
		   take_keyword),
	OPTION_ROW("pid", 0, "PID,...", "of these processes", AT(pids),
		   take_ranges, .most = UINT32_MAX),
	OPTION_ROW("tid", 0, "TID,...", "of these threads", AT(tids),
		   take_ranges, .most = UINT32_MAX),
	OPTION_ROW("id", 0, "ID,FIRST-LAST,...", "with these ids", 0, take_ids,
		   .most = UINT16_MAX, .flag = true),
	OPTION_ROW("not-id", 0, "ID,...", "with other ids", 0, take_ids,
		   .most = UINT16_MAX),
	OPTION_ROW("event", 0, "NAME,...", "with these names", 0, take_names,
		   .flag = true),
	OPTION_ROW("not-event", 0, "NAME,...", "with other names", 0,
		   take_names),
	OPTION_ROW("where", 0, "CONDITIONS",
		   "by their fields: 'Size > 4096 and Name contains log'", 0,
		   take_where),
	OPTION_ROW("since", 0, "TIME",
		   "from this time on: local, with a Z in UTC, or seconds after the first"
		   " event: "
		   TIME_ARG_FORMS, AT(since), take_time_arg),
	OPTION_ROW("until", 0, "TIME", "before this time", AT(until),
		   take_time_arg),
	OPTION_ROW("limit", 0, "COUNT", "the first COUNT of these", 0,
		   take_limit),
	{}
};

bool selection_is_given(const struct selection *s)
{
	return s->specs.count || s->level || s->keywords || s->pids.count ||
	       s->tids.count || s->ids.count || s->names || s->where ||
	       s->since.kind || s->until.kind || s->limit;
}

/* Match levels and keywords like a session: 0 matches all */
static bool passes(const EVENT_DESCRIPTOR *event, UCHAR level,
		   ULONGLONG keywords)
{
	return (!level || event->Level <= level) &&
	       (!keywords || !event->Keyword || event->Keyword & keywords);
}

/* Compare with the provider's name as printed, and with a manifest's name */
static bool has_provider_name(const char *name, const struct view *view,
			      const struct schema *schema)
{
	const char *printed = provider_name(view->kind, schema);

	return (printed && !strcasecmp(name, printed)) ||
	       (schema && schema->provider &&
		!strcasecmp(name, schema->provider));
}

static bool is_of_any(const struct spec_list *specs, const struct view *view,
		      const struct schema *schema)
{
	const EVENT_HEADER *header = &view->record->EventHeader;

	for (size_t i = 0; i < specs->count; i++) {
		const struct spec *spec = &specs->specs[i];

		if (!passes(&header->EventDescriptor, spec->level,
			    spec->keywords))
			continue;
		if (!memcmp(&spec->id, &header->ProviderId, sizeof(GUID)) &&
		    !spec->lookup)
			return true;
		if (!spec->name[0])
			continue;
		if (has_provider_name(spec->name, view, schema))
			return true;
	}
	return !specs->count;
}

static bool has_name(const char *names, const char *name)
{
	size_t len;

	for (;;) {
		len = strcspn(names, ",");
		if (name && strlen(name) == len &&
		    !strncasecmp(name, names, len))
			return true;
		if (!names[len])
			return false;
		names += len + 1;
	}
}

bool selection_takes(struct selection *s, const struct view *view)
{
	const EVENT_HEADER *header = &view->record->EventHeader;
	const EVENT_DESCRIPTOR *event = &header->EventDescriptor;
	uint64_t time = header->TimeStamp.QuadPart;
	const struct schema *schema;

	s->seen++;
	if (selection_is_over(s))
		return false;
	if (!s->begun) {
		time_arg_resolve(&s->since, time);
		time_arg_resolve(&s->until, time);
	}
	s->begun = true;
	s->past = s->until.kind && time >= s->until.ticks;
	if (s->past || (s->since.kind && time < s->since.ticks))
		return false;
	if ((s->pids.count && !ranges_have(&s->pids, header->ProcessId)) ||
	    (s->tids.count && !ranges_have(&s->tids, header->ThreadId)) ||
	    (s->ids.count && ranges_have(&s->ids, event->Id) != s->ids_in) ||
	    !passes(event, s->level, s->keywords))
		return false;
	schema = fields_schema(view->kind, view->record);
	if (!is_of_any(&s->specs, view, schema))
		return false;
	if (s->names &&
	    has_name(s->names, event_name(view->kind, schema)) != s->names_in)
		return false;
	if (s->where && !where_matches(s->where, schema, view->record))
		return false;
	s->taken++;
	return true;
}

bool selection_is_over(const struct selection *selection)
{
	return selection->past ||
	       (selection->limit && selection->taken == selection->limit);
}

int selection_report(const struct selection *selection)
{
	if (!selection_is_given(selection) || !selection->seen ||
	    selection->taken)
		return EVNT_DONE;
	if (selection->where && where_report_unknown(selection->where))
		return EVNT_FAILED;
	note("none of %llu events matches the options", selection->seen);
	return EVNT_DONE;
}

void selection_free(struct selection *selection)
{
	spec_free(&selection->specs);
	if (selection->where)
		where_free(selection->where);
	free(selection->where);
}
