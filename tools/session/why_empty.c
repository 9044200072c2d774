// SPDX-License-Identifier: MIT
/* Explains why a session has recorded nothing */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <evntrace.h>

#include "core/self_layout.h"
#include "decode/process_record.h"
#include "tools/evnt.h"
#include "tools/common/process.h"
#include "tools/session/registered.h"
#include "tools/session/why_empty.h"

void why_empty_begin(struct why_empty *s, int device,
		     const struct spec_list *specs)
{
	*s = (struct why_empty) { .device = device, .specs = specs };
	s->seen = must_have(calloc(specs->count, sizeof(*s->seen)));
}

/* Return whether the session is enabled for a registration */
static bool is_enabled(const struct why_empty *s, const struct spec *spec,
		       const struct evntrace_registration *registration)
{
	uint64_t bit = 1ull << EVNTRACE_HANDLE_ID(s->handle) % 64;

	return bit & (spec->group ? registration->group_sessions :
				    registration->sessions);
}

static void see(const struct why_empty *s, size_t i,
		const struct evntrace_registration *registration)
{
	const struct spec *spec = &s->specs->specs[i];
	const __u8 *id = spec->group ? registration->group.b :
				       registration->provider.b;
	struct seen *seen = &s->seen[i];

	if (memcmp(&spec->id, id, sizeof(spec->id)) != 0 ||
	    (seen->is_seen && is_enabled(s, spec, &seen->registration) &&
	     !is_enabled(s, spec, registration)))
		return;
	/* Format the process' name now, as it may exit before the report */
	if (!seen->is_seen || seen->registration.pid != registration->pid)
		registrant_text(registration, seen->subject,
				sizeof(seen->subject));
	seen->is_seen = true;
	seen->registration = *registration;
}

void why_empty_look(struct why_empty *s)
{
	struct evntrace_registration *registrations;
	size_t count;

	if (list_registrations(s->device, &registrations, &count))
		count = 0;
	for (size_t i = 0; i < s->specs->count; i++) {
		for (size_t k = 0; k < count; k++)
			see(s, i, &registrations[k]);
	}
	free(registrations);
}

static void evaluate(struct why_empty *s, const struct enabled_list *list,
		     const struct dev_session *session, size_t i)
{
	const struct question any = QUESTION_ANY;
	const struct court court = { s->device, session, &any };
	const struct spec *spec = &s->specs->specs[i];
	struct seen *seen = &s->seen[i];

	for (size_t k = 0; k < list->count && !seen->is_evaluated; k++) {
		const struct evntrace_enablement *e = &list->enablements[k];

		if (is_group(e) != spec->group ||
		    memcmp(&e->provider, &spec->id, sizeof(spec->id)) != 0)
			continue;
		explain_make(&seen->selection, &court, &seen->registration, e);
		seen->is_evaluated = true;
	}
}

void why_empty_evaluate(struct why_empty *s)
{
	struct dev_session session;
	struct enabled_list list;

	if (dev_query(s->device, s->handle, &session) || session.info.events)
		return;
	if (list_enabled(s->device, s->handle, &list))
		list.count = 0;
	for (size_t i = 0; i < s->specs->count; i++) {
		if (s->seen[i].is_seen)
			evaluate(s, &list, &session, i);
	}
	free(list.enablements);
}

/* Return the text for a process that has registered @spec, after "has" */
static const char *deed(const struct spec *spec)
{
	return spec->group ? "registered a member" : "registered it";
}

/*
 * Report a registered provider: either its events were filtered, or it wrote
 * none
 */
static void report_seen(const struct spec *spec, const char *id,
			const struct seen *seen)
{
	const char *what = deed(spec);
	char *text;

	if (!seen->is_evaluated || seen->selection.what == EXPLAIN_ALL) {
		note("  %s %s: %s has %s, but wrote nothing", id, spec->name,
		     seen->subject, what);
		return;
	}
	text = explain_text(&seen->selection);
	if (seen->selection.what == EXPLAIN_NONE)
		note("  %s %s: %s has %s, but %s", id, spec->name,
		     seen->subject, what, text);
	else
		note("  %s %s: %s has %s; it wrote nothing, or nothing %s", id,
		     spec->name, seen->subject, what, text);
	free(text);
}

static VOID WINAPI take_name(PEVENT_RECORD record)
{
	const size_t fixed = sizeof(struct evntprov_process);
	char **name = record->UserContext, *text;

	if (*name || !is_process_name(record))
		return;
	text = must_have(strndup((const char *)record->UserData + fixed,
				 record->UserDataLength - fixed));
	*name = must_have(format_utf8_copy(text));
	free(text);
}

/* Return the first name of a process in a log, for the caller to free, or NULL */
static char *name_in(const char *path)
{
	char *name = NULL;
	EVENT_TRACE_LOGFILEA file = {
		.LogFileName = (char *)path,
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
		.EventRecordCallback = take_name,
		.Context = &name,
	};
	TRACEHANDLE handle;

	if (!path)
		return NULL;
	handle = OpenTraceA(&file);
	if (handle == INVALID_PROCESSTRACE_HANDLE)
		return NULL;
	ProcessTrace(&handle, 1, NULL, NULL);
	CloseTrace(handle);
	return name;
}

/*
 * Report a provider that no process was seen to register. @name: name of a
 * process in the log, or NULL. The counts are for all providers of the session.
 */
static void report_unseen(const struct why_empty *s, const struct spec *spec,
			  const char *id, const struct evntrace_session *end,
			  const char *name)
{
	const char *what = deed(spec);
	const bool is_alone = s->specs->count == 1;

	if (is_alone && end->registrations)
		note("  %s %s: %s%s%s has %s%s", id, spec->name,
		     name ? "process '" : "a process", name ? name : "",
		     name ? "'" : "", what, end->events_filtered ?
		     ", but its events were refused" :
		     spec->level || spec->keywords ?
		     ", but wrote nothing of the levels and keywords of -p" :
		     ", but wrote nothing");
	else if (is_alone && end->registrations_excluded)
		note("  %s %s: a process has %s, but the session does not record"
		     " this process: see --pid, --exe, --package and --app", id,
		     spec->name, what);
	else
		note("  %s %s: no process %s: did the program run, is the id"
		     " right ('evnt providers' lists registered ones), and may"
		     " the program open /dev/evntprov ('evnt doctor' checks"
		     " that)?", id, spec->name,
		     !end->registrations && !end->registrations_excluded ?
		     (spec->group ? "has registered a member" :
				    "has registered it") :
		     (spec->group ? "was seen to register a member" :
				    "was seen to register it"));
}

void why_empty_report(const struct why_empty *s,
		      const struct evntrace_session *end, const char *path)
{
	char *name = name_in(path);
	char id[GUID_TEXT];

	note("nothing was recorded:");
	for (size_t i = 0; i < s->specs->count; i++) {
		const struct spec *spec = &s->specs->specs[i];

		format_guid(&spec->id, id);
		if (s->seen[i].is_seen)
			report_seen(spec, id, &s->seen[i]);
		else
			report_unseen(s, spec, id, end, name);
	}
	if (end->events_filtered)
		note("  filters, such as --id, --event and --where, refused %"
		     PRIu64 " events", (uint64_t)end->events_filtered);
	free(name);
}

void why_empty_free(struct why_empty *s)
{
	for (size_t i = 0; s->seen && i < s->specs->count; i++)
		explain_free(&s->seen[i].selection);
	free(s->seen);
	s->seen = NULL;
}
