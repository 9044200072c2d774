// SPDX-License-Identifier: MIT
/* The options that say which of a log's events a verb is to take. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "evnt.h"
#include "fields.h"
#include "number.h"
#include "selection.h"
#include "where_match.h"

bool is_selection_option(int option)
{
	return option == 'p' ||
	       (option >= SELECT_LEVEL && option <= SELECT_LIMIT);
}

static int take_spec(const struct verb *verb, struct selection *s)
{
	char why[512];

	if (!spec_parse(&s->specs, optarg, why, sizeof(why)))
		return misused(verb, "--provider '%s': %s", optarg, why);
	for (size_t i = 0; i < s->specs.count; i++) {
		if (s->specs.specs[i].group)
			return misused(verb, "--provider '%s': events do not"
				       " say of what groups their providers"
				       " are; name the providers", optarg);
	}
	return EVNT_DONE;
}

static int take_level(const struct verb *verb, struct selection *s)
{
	if (spec_level(optarg, &s->level))
		return EVNT_DONE;
	return misused(verb, "--level '%s' is neither 0 to 255 nor Critical,"
		       " Error, Warning, Information or Verbose", optarg);
}

static int take_keyword(const struct verb *verb, struct selection *s)
{
	if (parse_number(optarg, strlen(optarg), &s->keywords))
		return EVNT_DONE;
	return misused(verb, "--keyword '%s' is no mask: 0x... or a decimal"
		       " number", optarg);
}

static int take_ranges(const struct verb *verb, struct ranges *ranges,
		       const char *option, ULONGLONG most)
{
	if (ranges_parse(ranges, optarg, most))
		return EVNT_DONE;
	return misused(verb, "%s '%s' is not up to %d numbers to %llu, or"
		       " ranges like 10-20, joined by commas", option, optarg,
		       MAX_RANGES, most);
}

static int take_ids(const struct verb *verb, struct selection *s, bool in)
{
	if (s->ids.count && s->ids_in != in)
		return misused(verb, "write --id or --not-id, not both");
	s->ids_in = in;
	return take_ranges(verb, &s->ids, in ? "--id" : "--not-id",
			   UINT16_MAX);
}

static int take_names(const struct verb *verb, struct selection *s, bool in)
{
	if (s->names)
		return misused(verb, "write one of --event and --not-event,"
			       " once");
	s->names = optarg;
	s->names_in = in;
	return EVNT_DONE;
}

static int take_where(const struct verb *verb, struct selection *s)
{
	if (s->where)
		return misused(verb, "write --where once, and join conditions"
			       " by 'and' or 'or'");
	s->where = must_have(calloc(1, sizeof(*s->where)));
	return where_read(verb, s->where, optarg);
}

static int take_moment(const struct verb *verb, struct moment *moment,
		       const char *option)
{
	if (moment_parse(optarg, moment))
		return EVNT_DONE;
	return misused(verb, "%s '%s' is no time like " MOMENT_FORMS, option,
		       optarg);
}

static int take_limit(const struct verb *verb, struct selection *s)
{
	if (parse_number(optarg, strlen(optarg), &s->limit) && s->limit)
		return EVNT_DONE;
	return misused(verb, "--limit '%s' is no number of events", optarg);
}

int selection_option(const struct verb *verb, struct selection *selection,
		     int option)
{
	selection->given = true;
	switch (option) {
	case 'p':
		return take_spec(verb, selection);
	case SELECT_LEVEL:
		return take_level(verb, selection);
	case SELECT_KEYWORD:
		return take_keyword(verb, selection);
	case SELECT_PID:
		return take_ranges(verb, &selection->pids, "--pid", UINT32_MAX);
	case SELECT_TID:
		return take_ranges(verb, &selection->tids, "--tid", UINT32_MAX);
	case SELECT_ID:
		return take_ids(verb, selection, true);
	case SELECT_NOT_ID:
		return take_ids(verb, selection, false);
	case SELECT_EVENT:
		return take_names(verb, selection, true);
	case SELECT_NOT_EVENT:
		return take_names(verb, selection, false);
	case SELECT_WHERE:
		return take_where(verb, selection);
	case SELECT_SINCE:
		return take_moment(verb, &selection->since, "--since");
	case SELECT_UNTIL:
		return take_moment(verb, &selection->until, "--until");
	case SELECT_LIMIT:
		return take_limit(verb, selection);
	}
	return EVNT_MISUSED;
}

static bool is_in_time(struct selection *s, uint64_t time)
{
	if (!s->begun)
		s->first = time;
	s->begun = true;
	s->past = s->until.kind && time >= moment_filetime(&s->until, s->first);
	return !s->past && (!s->since.kind ||
			    time >= moment_filetime(&s->since, s->first));
}

/* As sessions judge levels and keywords: 0 stands for all */
static bool passes(const EVENT_DESCRIPTOR *event, UCHAR level,
		   ULONGLONG keywords)
{
	return (!level || event->Level <= level) &&
	       (!keywords || !event->Keyword || event->Keyword & keywords);
}

static bool is_of(const struct spec *spec, const struct view *view,
		  const struct schema *schema)
{
	const EVENT_HEADER *header = &view->record->EventHeader;

	if (!passes(&header->EventDescriptor, spec->level, spec->keywords))
		return false;
	if (!memcmp(&spec->id, &header->ProviderId, sizeof(GUID)) &&
	    !spec->lookup)
		return true;
	if (!spec->name[0])
		return false;
	return !strcasecmp(spec->name, view->kind->provider) ||
	       (schema && schema->provider &&
		!strcasecmp(spec->name, schema->provider));
}

static bool is_of_any(const struct selection *s, const struct view *view)
{
	const struct schema *schema = fields_schema(view->kind, view->record);

	for (size_t i = 0; i < s->specs.count; i++) {
		if (is_of(&s->specs.specs[i], view, schema))
			return true;
	}
	return !s->specs.count;
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

static bool is_named(const struct selection *s, const struct view *view)
{
	const struct schema *schema = fields_schema(view->kind, view->record);

	return has_name(s->names, event_name(view->kind, schema)) ==
	       s->names_in;
}

static bool is_from(const struct selection *s, const EVENT_HEADER *header)
{
	const EVENT_DESCRIPTOR *event = &header->EventDescriptor;

	return (!s->pids.count || ranges_have(&s->pids, header->ProcessId)) &&
	       (!s->tids.count || ranges_have(&s->tids, header->ThreadId)) &&
	       (!s->ids.count ||
		ranges_have(&s->ids, event->Id) == s->ids_in) &&
	       passes(event, s->level, s->keywords);
}

bool selection_takes(struct selection *selection, const struct view *view)
{
	const EVENT_HEADER *header = &view->record->EventHeader;
	uint64_t time = header->TimeStamp.QuadPart;

	selection->seen++;
	if (selection_is_over(selection) || !is_in_time(selection, time) ||
	    !is_from(selection, header) || !is_of_any(selection, view) ||
	    (selection->names && !is_named(selection, view)) ||
	    (selection->where &&
	     !where_matches(selection->where,
			    fields_schema(view->kind, view->record),
			    view->record)))
		return false;
	selection->taken++;
	return true;
}

bool selection_is_over(const struct selection *selection)
{
	return selection->past ||
	       (selection->limit && selection->taken == selection->limit);
}

void selection_tell(const struct selection *selection)
{
	if (selection->given && selection->seen && !selection->taken)
		note("of %llu events, none is what was asked for",
		     selection->seen);
}

void selection_free(struct selection *selection)
{
	spec_free(&selection->specs);
	if (selection->where)
		where_free(selection->where);
	free(selection->where);
}
