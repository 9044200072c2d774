// SPDX-License-Identifier: MIT
/* Reports which events of a provider sessions record */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/doctor/doctor.h"
#include "tools/common/process.h"
#include "tools/session/registered.h"
#include "tools/session/session_list.h"
#include "tools/doctor/explain.h"

#define PROVIDER	"provider"
#define EVENTS		"events"
#define SESSION		"session"

/**
 * struct case_of - state of the examination of a provider
 * @d: doctor run
 * @device: descriptor of /dev/evntrace
 * @question: events to examine
 * @spec: provider to examine
 * @registrations: all registrations in the module
 * @count: number of registrations
 * @enablements: all enablements in the module
 * @enabled: number of enablements
 * @pairs: number of pairs of a registration and a session examined
 * @recorded: number of pairs that are recorded, at least in part
 */
struct case_of {
	struct doctor *d;
	int device;
	const struct question *question;
	struct spec spec;
	struct evntrace_registration *registrations;
	size_t count;
	struct evntrace_enablement *enablements;
	size_t enabled;
	size_t pairs;
	size_t recorded;
};

static bool is_registration(const struct case_of *c,
			    const struct evntrace_registration *r)
{
	return !memcmp(&c->spec.id, &r->provider, sizeof(r->provider));
}

/* Report that the provider is not registered, by its name if one was given */
static void not_registered(struct case_of *c, const char *id)
{
	const char *name = c->spec.name;
	char *similar = *name ? similar_registered(name, c->registrations,
						   c->count) : NULL;

	found(&c->d->f, FINDING_PROBLEM, PROVIDER,
	      "no process has registered %s%s%s", id,
	      *name ? ", the id of the name " : "", name);
	if (similar)
		advise(&c->d->f, "the name is similar to that of a registered"
		       " provider: did you mean %s?", similar);
	else
		advise(&c->d->f, "start its program; if that runs, and its id is"
		       " this one ('evnt providers' lists them), it was started"
		       " before the module was loaded: start it again");
	free(similar);
}

/* Report whether the provider is registered */
static void check_registered(struct case_of *c)
{
	char id[GUID_TEXT], *name = NULL;
	size_t count = 0;

	/* Take the first name: registrations may be without one */
	for (size_t i = 0; i < c->count; i++) {
		if (!is_registration(c, &c->registrations[i]))
			continue;
		count++;
		if (!name || !*name) {
			free(name);
			name = registered_name(&c->registrations[i]);
		}
	}
	format_guid(&c->spec.id, id);
	if (count) {
		found(&c->d->f, FINDING_OK, PROVIDER, "%s%s%s has %zu %s", id,
		      *name ? " " : "", name, count,
		      count == 1 ? "registration" : "registrations");
	} else {
		not_registered(c, id);
	}
	free(name);
}

static const char *const recorded_keys[] = {
	[EXPLAIN_ALL] = "all",
	[EXPLAIN_SOME] = "some",
	[EXPLAIN_NONE] = "none",
};

static void add_keys(struct case_of *c, const struct explanation *v,
		     const struct evntrace_registration *r,
		     const struct evntrace_enablement *e,
		     const struct dev_session *session)
{
	json_object *object = finding_object(&c->d->f), *array;

	if (!object)
		return;
	array = json_object_new_array();
	json_add_guid(object, "provider", &c->spec.id);
	json_add_text(object, "session", session->name);
	if (r)
		json_add_number(object, "pid", r->pid);
	if (is_group(e))
		json_add_guid(object, "group", e->provider.b);
	json_add_text(object, "recorded", recorded_keys[v->what]);
	for (size_t i = 0; i < v->count; i++) {
		json_object *reason = json_object_new_string(v->reasons[i]);

		json_object_array_add(array, reason);
	}
	json_object_object_add(object, "reasons", array);
}

/* Return whether the request restricts the events */
static bool is_about_one(const struct question *q)
{
	return q->id >= 0 || q->level >= 0 || q->has_keyword || q->name;
}

/* Return the text that precedes the reasons */
static const char *recorded_text(const struct case_of *c,
				 const struct explanation *v)
{
	const struct question *q = c->question;
	const bool is_one = is_about_one(q);

	switch (v->what) {
	case EXPLAIN_ALL:
		return is_one ? "the event is recorded" :
				"all events are recorded";
	case EXPLAIN_SOME:
		return is_one ? "the event is recorded if it is one of those "
			      : "records only events ";
	default:
		return is_one ? "the event is NOT recorded: " :
				"NOTHING is recorded: ";
	}
}

static void evaluate(struct case_of *c, const struct evntrace_registration *r,
		     const struct evntrace_enablement *e,
		     const struct dev_session *session)
{
	const struct court court = { c->device, session, c->question };
	char process[64] = "processes to come", *text;
	struct explanation v;

	explain_make(&v, &court, r, e);
	if (r)
		registrant_text(r, process, sizeof(process));
	text = explain_text(&v);
	found(&c->d->f, v.what == EXPLAIN_NONE ? FINDING_NOTE : FINDING_OK,
	      EVENTS, "%s, session '%s'%s: %s%s", process, session->name,
	      is_group(e) ? " by its group" : "", recorded_text(c, &v), text);
	if (v.what == EXPLAIN_NONE && v.advice)
		advise(&c->d->f, "%s", v.advice);
	add_keys(c, &v, r, e, session);
	c->pairs++;
	c->recorded += v.what != EXPLAIN_NONE;
	free(text);
	explain_free(&v);
}

/* Examine an enablement for each of the provider's registrations */
static void evaluate_enablement(struct case_of *c,
				const struct evntrace_enablement *e,
				const struct dev_session *session)
{
	const struct evntrace_registration *r = c->registrations;
	const size_t before = c->pairs;

	for (size_t i = 0; i < c->count; i++) {
		const void *id = is_group(e) ? &r[i].group : &r[i].provider;

		if (is_registration(c, &r[i]) &&
		    !memcmp(&e->provider, id, sizeof(e->provider)))
			evaluate(c, &r[i], e, session);
	}
	if (c->pairs == before && !is_group(e) &&
	    !memcmp(&e->provider, &c->spec.id, sizeof(e->provider)))
		evaluate(c, NULL, e, session);
}

/*
 * Examine a session's enablements of the provider; return the number of pairs
 */
static size_t evaluate_session(struct case_of *c,
			       const struct dev_session *session)
{
	const size_t before = c->pairs;

	for (size_t i = 0; i < c->enabled; i++) {
		if (c->enablements[i].handle == session->info.handle)
			evaluate_enablement(c, &c->enablements[i], session);
	}
	return c->pairs - before;
}

static void report_not_enabled(struct case_of *c, const char *session)
{
	char id[GUID_TEXT];

	format_guid(&c->spec.id, id);
	if (session) {
		found(&c->d->f, FINDING_PROBLEM, SESSION, "'%s' has not"
		      " enabled it", session);
		advise(&c->d->f, "run 'evnt enable %s %s'", session, id);
	} else {
		found(&c->d->f, FINDING_PROBLEM, SESSION, "no session has"
		      " enabled it");
		advise(&c->d->f, "run 'evnt record -p %s -o FILE.etl', or 'evnt"
		       " enable SESSION %s'", id, id);
	}
}

static void evaluate_all(struct case_of *c, const char *only)
{
	const struct dev_session *session;
	struct session_list list;

	if (list_sessions(c->device, &list)) {
		found(&c->d->f, FINDING_PROBLEM, SESSION, "the sessions cannot"
		      " be listed");
	} else if (only) {
		session = find_in_list(&list, only);
		if (!session)
			c->d->f.problems++;
		else if (!evaluate_session(c, session))
			report_not_enabled(c, session->name);
	} else {
		for (size_t i = 0; i < list.count; i++)
			evaluate_session(c, &list.sessions[i]);
		if (!c->pairs)
			report_not_enabled(c, NULL);
	}
	free_sessions(&list);
	if (c->pairs && !c->recorded)
		found(&c->d->f, FINDING_PROBLEM, EVENTS, "no session records %s",
		      is_about_one(c->question) ? "such an event" :
						  "any of its events");
}

void doctor_provider(struct doctor *d, int device, const struct spec *spec,
		     const char *session, const struct question *question)
{
	struct case_of c = {
		.d = d, .device = device, .question = question, .spec = *spec,
	};
	char *why = NULL;
	void *elements;
	int error;

	error = list_registrations(device, &c.registrations, &c.count);
	if (!error) {
		error = dev_list(device, EVNTRACE_LIST_ENABLEMENTS,
				 sizeof(*c.enablements), &elements, &c.enabled);
		c.enablements = elements;
	}
	if (error) {
		found(&d->f, FINDING_PROBLEM, PROVIDER, "the providers cannot"
		      " be listed: %s", dev_error(error));
		goto free_lists;
	}
	if (c.spec.lookup &&
	    !look_up_in(&c.spec, c.registrations, c.count, &why)) {
		found(&d->f, FINDING_PROBLEM, PROVIDER, "%s", why);
		goto free_lists;
	}
	check_registered(&c);
	evaluate_all(&c, session);
free_lists:
	free(why);
	free(c.registrations);
	free(c.enablements);
}
