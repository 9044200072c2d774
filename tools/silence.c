// SPDX-License-Identifier: MIT
/* Why a session has recorded nothing. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "evnt.h"
#include "process.h"
#include "registered.h"
#include "silence.h"

void silence_begin(struct silence *s, int door, const struct spec_list *specs)
{
	*s = (struct silence) { .door = door, .specs = specs };
	s->seen = must_have(calloc(specs->count, sizeof(*s->seen)));
}

/* Whether a registration is of a provider, or a member of a group */
static bool is_of(const struct evntrace_registration *registration,
		  const struct spec *spec)
{
	return !memcmp(&spec->id, spec->group ? registration->group.b :
						registration->provider.b, 16);
}

/* Whether the session has enabled it for this registration */
static bool is_enabled(const struct silence *s, const struct spec *spec,
		       const struct evntrace_registration *registration)
{
	uint64_t bit = 1ull << EVNTRACE_HANDLE_ID(s->handle) % 64;

	return bit & (spec->group ? registration->group_sessions :
				    registration->sessions);
}

static void see(const struct silence *s, size_t i,
		const struct evntrace_registration *registration)
{
	const struct spec *spec = &s->specs->specs[i];
	struct seen *seen = &s->seen[i];

	if (!is_of(registration, spec) ||
	    (seen->is_seen && is_enabled(s, spec, &seen->registration) &&
	     !is_enabled(s, spec, registration)))
		return;
	/* In the end it may have gone */
	if (!seen->is_seen || seen->registration.pid != registration->pid)
		registrant_text(registration, seen->who,
				sizeof(seen->who));
	seen->is_seen = true;
	seen->registration = *registration;
}

void silence_look(struct silence *s)
{
	struct evntrace_registration *registrations;
	size_t count;

	if (list_registrations(s->door, &registrations, &count))
		count = 0;
	for (size_t i = 0; i < s->specs->count; i++) {
		for (size_t k = 0; k < count; k++)
			see(s, i, &registrations[k]);
	}
	free(registrations);
}

static void judge(struct silence *s, const struct enabled_list *list,
		  const struct door_session *session, size_t i)
{
	const struct question any = QUESTION_ANY;
	const struct court court = { s->door, session, &any };
	const struct spec *spec = &s->specs->specs[i];
	struct seen *seen = &s->seen[i];

	for (size_t k = 0; k < list->count && !seen->is_judged; k++) {
		const struct evntrace_enablement *e = &list->enablements[k];

		if (is_group(e) != spec->group ||
		    memcmp(&e->provider, &spec->id, sizeof(spec->id)) != 0)
			continue;
		verdict_make(&seen->verdict, &court, &seen->registration, e);
		seen->is_judged = true;
	}
}

void silence_judge(struct silence *s)
{
	struct door_session session;
	struct enabled_list list;

	if (door_query(s->door, s->handle, &session) || session.info.events)
		return;
	if (list_enabled(s->door, s->handle, &list))
		list.count = 0;
	for (size_t i = 0; i < s->specs->count; i++) {
		if (s->seen[i].is_seen)
			judge(s, &list, &session, i);
	}
	free(list.enablements);
}

static void tell_unseen(const struct spec *spec, const char *id)
{
	if (spec->group)
		note("  group %s: no process was seen to register a member",
		     id);
	else
		note("  %s %s: no process was seen to register it: did the"
		     " program run (one that ends at once may not be seen),"
		     " is the id right ('evnt providers' lists"
		     " those that are registered), and may the program open"
		     " /dev/evntprov ('evnt doctor' says so)?", id, spec->name);
}

/* A process has it: what it wrote is not let through, or it wrote nothing */
static void tell_seen(const struct spec *spec, const char *id,
		      const struct seen *seen)
{
	const char *what = spec->group ? "registered a member" :
					 "registered it";
	char *text;

	if (!seen->is_judged || seen->verdict.what == VERDICT_ALL) {
		note("  %s %s: %s has %s, but wrote nothing", id, spec->name,
		     seen->who, what);
		return;
	}
	text = verdict_text(&seen->verdict);
	if (seen->verdict.what == VERDICT_NONE)
		note("  %s %s: %s has %s, but %s", id, spec->name, seen->who,
		     what, text);
	else
		note("  %s %s: %s has %s; it wrote nothing, or nothing %s", id,
		     spec->name, seen->who, what, text);
	free(text);
}

void silence_tell(const struct silence *s)
{
	char id[GUID_TEXT];

	note("nothing was recorded:");
	for (size_t i = 0; i < s->specs->count; i++) {
		format_guid(&s->specs->specs[i].id, id);
		if (s->seen[i].is_seen)
			tell_seen(&s->specs->specs[i], id, &s->seen[i]);
		else
			tell_unseen(&s->specs->specs[i], id);
	}
}

void silence_free(struct silence *s)
{
	for (size_t i = 0; s->seen && i < s->specs->count; i++)
		verdict_free(&s->seen[i].verdict);
	free(s->seen);
	s->seen = NULL;
}
