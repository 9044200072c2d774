// SPDX-License-Identifier: MIT
/* Options that select events, and the filters built from them */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <evntlinux.h>

#include "tools/filter/filter_options.h"
#include "decode/format.h"
#include "lib/base/internal.h"
#include "tools/common/number.h"
#include "tools/filter/where.h"

static bool parse_pids(struct filter_options *options, const char *text)
{
	struct ranges ranges = { .count = 0 };

	if (!ranges_parse(&ranges, text, INT32_MAX))
		return false;
	for (unsigned int i = 0; i < ranges.count; i++) {
		ULONGLONG pid = ranges.at[i].first;

		for (; pid <= ranges.at[i].last; pid++) {
			if (!pid ||
			    options->pid_count == MAX_EVENT_FILTER_PID_COUNT)
				return false;
			options->pids[options->pid_count++] = pid;
		}
	}
	return true;
}

static bool parse_ids(struct id_list *list, const char *text, bool in)
{
	struct ranges ranges = { .count = 0 };

	list->given = true;
	list->in = in;
	if (!ranges_parse(&ranges, text, UINT16_MAX))
		return false;
	for (unsigned int i = 0; i < ranges.count; i++) {
		ULONGLONG id = ranges.at[i].first;

		for (; id <= ranges.at[i].last; id++) {
			if (list->count == MAX_EVENT_FILTER_EVENT_ID_COUNT)
				return false;
			list->id[list->count++] = id;
		}
	}
	return true;
}

static int take_pids(const struct option_value *v)
{
	if (parse_pids(v->field, v->text))
		return EVNT_DONE;
	return usage_error(v->verb, "--pid '%s' is not 1 to %d numbers of"
			   " processes, joined by commas", v->text,
			   MAX_EVENT_FILTER_PID_COUNT);
}

static int take_ids(const struct option_value *v)
{
	struct id_list *list = v->field;

	if (list->given && list->in != v->row->flag)
		return usage_error(v->verb, "write --id or --not-id, not both");
	if (parse_ids(list, v->text, v->row->flag))
		return EVNT_DONE;
	return usage_error(v->verb,
			   "--%s '%s' is not up to %d numbers to 65535 or"
			   " ranges like 10-20, joined by commas",
			   v->row->name, v->text,
			   MAX_EVENT_FILTER_EVENT_ID_COUNT);
}

static int take_stack(const struct option_value *v)
{
	struct filter_options *options = v->field;
	struct option_value ids = *v;

	ids.field = &options->stack_ids;
	options->stack = true;
	return v->text ? take_ids(&ids) : EVNT_DONE;
}

/* Return whether a list of names has no empty element */
static bool are_names(const char *text)
{
	return *text && *text != ',' && text[strlen(text) - 1] != ',' &&
	       !strstr(text, ",,");
}

static int take_names(const struct option_value *v)
{
	struct filter_options *options = v->field;

	if (options->names)
		return usage_error(v->verb,
				   "write one of --event and --not-event,"
				   " once");
	if (!are_names(v->text))
		return usage_error(v->verb, "'%s' is not names of TraceLogging"
				   " events, joined by commas", v->text);
	options->names = v->text;
	options->names_in = v->row->flag;
	return EVNT_DONE;
}

static int take_where(const struct option_value *v)
{
	struct filter_options *options = v->field;
	struct where where;
	int error;

	if (options->where)
		return usage_error(v->verb, "write --where once, and join"
				   " conditions by 'and' or 'or'");
	error = where_read(v->verb, &where, v->text);
	where_free(&where);
	options->where = v->text;
	return error;
}

/* Take a list of names, which the module will split */
static int take_text(const struct option_value *v)
{
	const char **text = v->field;

	if (*text)
		return usage_error(v->verb, "write it once: several names are"
				   " joined by ';', as '%s;%s'", *text, v->text);
	if (!v->text[strspn(v->text, ";")])
		return usage_error(v->verb, "'%s' has no name in it", v->text);
	*text = v->text;
	return EVNT_DONE;
}

#define AT(field)	offsetof(struct filter_options, field)

const struct option_row filter_rows[] = {
	TEXT_ROW("\nRecord only events that match all of these options, of each"
		 " provider:\n"),
	OPTION_ROW("pid", 0, "PID,...", "of running processes", 0, take_pids),
	OPTION_ROW("exe", 0, "NAME[;...]", "of processes that execute these files",
		   AT(exe), take_text),
	OPTION_ROW("package", 0, "NAME[;...]",
		   "of snaps, flatpak applications, systemd units", AT(package),
		   take_text),
	OPTION_ROW("app", 0, "NAME[;...]", "of a snap's applications", AT(app),
		   take_text),
	OPTION_ROW("id", 0, "ID,FIRST-LAST,...", "with these ids", AT(ids), take_ids,
		   .flag = true),
	OPTION_ROW("not-id", 0, "ID,...", "with other ids", AT(ids), take_ids),
	OPTION_ROW("event", 0, "NAME,...", "TraceLogging events with these names", 0,
		   take_names, .flag = true),
	OPTION_ROW("not-event", 0, "NAME,...", "TraceLogging events with other names",
		   0, take_names),
	OPTION_ROW("where", 0, "CONDITIONS",
		   "by their fields: 'Size > 4096 and Name contains log'", 0,
		   take_where),
	OPTION_ROW("stack", 0, "[=ID,...]",
		   "record call stacks, of all events or of these ids", 0, take_stack,
		   .flag = true),
	OPTION_ROW("no-process-names", 0, NULL,
		   "do not record the names of processes", AT(no_names)),
	TEXT_ROW("evnt-enable(1) describes the conditions.\n"),
	{}
};

bool filter_is_given(const struct filter_options *options)
{
	return options->pid_count || options->exe || options->package ||
	       options->app || options->ids.given || options->names ||
	       options->where || options->stack || options->no_names;
}

static EVENT_FILTER_DESCRIPTOR *add(struct filters *filters, ULONG type,
				    void *data, size_t size)
{
	EVENT_FILTER_DESCRIPTOR *d =
		&filters->descriptor[filters->parameters.FilterDescCount++];

	d->Ptr = (uintptr_t)data;
	d->Size = size;
	d->Type = type;
	return d;
}

static int add_text(struct filters *filters, ULONG type, const char *text)
{
	WCHAR *wide;

	if (!text)
		return EVNT_DONE;
	wide = evnt_utf16(text);
	if (!wide)
		return failed("'%s' is no text in UTF-8", text);
	add(filters, type, wide, (evnt_wcslen(wide) + 1) * sizeof(*wide));
	return EVNT_DONE;
}

static void add_id_list(struct filters *filters, ULONG type,
			const struct id_list *list)
{
	size_t size = offsetof(EVENT_FILTER_EVENT_ID, Events) +
		      list->count * sizeof(*list->id);
	EVENT_FILTER_EVENT_ID *ids;

	if (!list->given)
		return;
	ids = must_have(calloc(1, size + sizeof(*ids)));
	ids->FilterIn = list->in;
	ids->Count = list->count;
	memcpy(ids->Events, list->id, list->count * sizeof(*list->id));
	add(filters, type, ids, size);
}

/* Add the filter of event names; the commas between names become nuls */
static void add_names(struct filters *filters,
		      const struct filter_options *options)
{
	const char *text = options->names;
	EVENT_FILTER_EVENT_NAME *names;
	size_t size;

	if (!text)
		return;
	size = offsetof(EVENT_FILTER_EVENT_NAME, Names) + strlen(text) + 1;
	names = must_have(calloc(1, size + sizeof(*names)));
	names->FilterIn = options->names_in;
	names->NameCount = 1;
	for (size_t i = 0; text[i]; i++) {
		names->NameCount += text[i] == ',';
		names->Names[i] = text[i] == ',' ? 0 : text[i];
	}
	add(filters, EVENT_FILTER_TYPE_EVENT_NAME, names, size);
}

/* Return whether events of an id are selected */
static bool takes_id(USHORT id, const void *context)
{
	const struct id_list *list = context;

	for (unsigned int i = 0; i < list->count; i++) {
		if (list->id[i] == id)
			return list->in;
	}
	return !list->given || !list->in;
}

/* Add the payload filter, and limit the ids to events with its fields */
static int add_where(struct filters *filters,
		     const struct filter_options *options,
		     const struct spec *spec)
{
	struct where *where = must_have(malloc(sizeof(*where)));
	struct id_list having = { .given = true, .in = true };
	EVENT_FILTER_DESCRIPTOR payload;
	struct where_problem problem;
	struct where_ids ids;
	int error = EVNT_DONE;
	char id[GUID_TEXT];

	if (where_parse(where, options->where, &problem) &&
	    where_compile(where, &spec->id, takes_id, &options->ids, &payload,
			  &ids, &problem)) {
		filters->descriptor[filters->parameters.FilterDescCount++] =
			payload;
		having.count = ids.count;
		memcpy(having.id, ids.id, sizeof(having.id));
		add_id_list(filters, EVENT_FILTER_TYPE_EVENT_ID, &having);
	} else {
		error = failed("in --where, for provider %s, column %d: %s",
			       spec->name[0] ? spec->name :
			       format_guid(&spec->id, id),
			       where_column(options->where, &problem),
			       problem.why);
		where_point_at(options->where, &problem);
	}
	where_free(where);
	free(where);
	return error;
}

static int add_scope(struct filters *filters,
		     const struct filter_options *options)
{
	size_t size = options->pid_count * sizeof(*options->pids);
	void *pids;
	int error;

	if (size) {
		pids = must_have(malloc(size));
		memcpy(pids, options->pids, size);
		add(filters, EVENT_FILTER_TYPE_PID, pids, size);
	}
	error = add_text(filters, EVENT_FILTER_TYPE_EXECUTABLE_NAME,
			 options->exe);
	if (!error)
		error = add_text(filters, EVENT_FILTER_TYPE_PACKAGE_ID,
				 options->package);
	if (!error)
		error = add_text(filters, EVENT_FILTER_TYPE_PACKAGE_APP_ID,
				 options->app);
	return error;
}

ULONG filter_properties(const struct filter_options *options)
{
	return (options->stack ? EVENT_ENABLE_PROPERTY_STACK_TRACE : 0) |
	       (options->no_names ? 0 : EVNT_ENABLE_PROPERTY_PROCESS_NAME);
}

int filters_make(struct filters *filters, const struct filter_options *options,
		 const struct spec *spec)
{
	int error;

	memset(filters, 0, sizeof(*filters));
	filters->parameters.Version = ENABLE_TRACE_PARAMETERS_VERSION_2;
	filters->parameters.EnableFilterDesc = filters->descriptor;
	filters->parameters.EnableProperty = filter_properties(options);
	if (spec->group) {
		filters->parameters.EnableProperty |=
			EVENT_ENABLE_PROPERTY_PROVIDER_GROUP;
		if (options->where || options->names || options->ids.given)
			return failed("ids, names and fields belong to a single"
				      " provider: no --id, --not-id, --event,"
				      " --not-event or --where for a group");
	}
	error = add_scope(filters, options);
	add_names(filters, options);
	add_id_list(filters, EVENT_FILTER_TYPE_STACKWALK, &options->stack_ids);
	if (error)
		return error;
	if (options->where)
		return add_where(filters, options, spec);
	add_id_list(filters, EVENT_FILTER_TYPE_EVENT_ID, &options->ids);
	return EVNT_DONE;
}

void filters_free(struct filters *filters)
{
	for (ULONG i = 0; i < filters->parameters.FilterDescCount; i++)
		free((void *)(uintptr_t)filters->descriptor[i].Ptr);
	filters->parameters.FilterDescCount = 0;
}
