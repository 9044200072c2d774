// SPDX-License-Identifier: MIT
/* Registered providers: who has registered what, and what it is called. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "evnt.h"
#include "near.h"
#include "registered.h"
#include "trace_door.h"

int list_registrations(int door, struct evntrace_registration **registrations,
		       size_t *count)
{
	void *elements;
	int error = door_list(door, EVNTRACE_LIST_REGISTRATIONS,
			      sizeof(**registrations), &elements, count);

	*registrations = elements;
	return error;
}

/* Registered providers that have the name of @spec by their traits */
static bool has_name(const struct evntrace_registration *registration,
		     const struct spec *spec)
{
	/* Longer names are cut in the list */
	return registration->name[0] &&
	       !strncasecmp(registration->name, spec->name,
			    sizeof(registration->name) - 1);
}

char *registered_name(const struct evntrace_registration *registration)
{
	char text[sizeof(registration->name) * 3 + 1];

	format_utf8(registration->name, strnlen(registration->name,
						sizeof(registration->name)),
		    text, sizeof(text));
	return must_have(strdup(text));
}

/* Says that nobody has registered what is called so, and what to write instead */
static void explain_unknown(char **why, const struct spec *spec,
			    const struct evntrace_registration *registrations,
			    size_t count)
{
	struct near near;
	char *name;
	int len;

	near_begin(&near, spec->name);
	for (size_t i = 0; i < count; i++) {
		name = registered_name(&registrations[i]);
		if (*name)
			near_look_at(&near, name);
		free(name);
	}
	near_end(&near);
	if (near.found)
		len = asprintf(why, "no registered provider is called '%s': did"
			       " you mean %s?", spec->name, near.text);
	else
		len = asprintf(why, "no registered provider is called '%s':"
			       " write '*%s' if its id is the hash of its name,"
			       " or its GUID; 'evnt providers' lists what is"
			       " registered", spec->name, spec->name);
	free(near.text);
	if (len < 0)
		must_have(NULL);
}

bool look_up_in(struct spec *spec,
		const struct evntrace_registration *registrations,
		size_t count, char **why)
{
	const void *found = NULL;

	for (size_t i = 0; i < count; i++) {
		if (!has_name(&registrations[i], spec))
			continue;
		if (found && memcmp(found, registrations[i].provider.b, 16) != 0) {
			if (asprintf(why, "several registered providers are"
				     " called '%s': write the GUID of the one"
				     " that you want; 'evnt providers' shows"
				     " them", spec->name) < 0)
				must_have(NULL);
			return false;
		}
		found = registrations[i].provider.b;
	}
	if (found)
		memcpy(&spec->id, found, sizeof(spec->id));
	else
		explain_unknown(why, spec, registrations, count);
	return found;
}

static int look_up(struct spec *spec,
		   const struct evntrace_registration *registrations,
		   size_t count)
{
	char *why = NULL;
	int result = EVNT_DONE;

	if (!look_up_in(spec, registrations, count, &why))
		result = failed("%s", why);
	free(why);
	return result;
}

static bool any_lookup(const struct spec_list *specs)
{
	for (size_t i = 0; i < specs->count; i++) {
		if (specs->specs[i].lookup)
			return true;
	}
	return false;
}

int look_up_names(int door, struct spec_list *specs)
{
	struct evntrace_registration *registrations;
	int error, result = EVNT_DONE;
	size_t count;

	/* A module that cannot list them can do without */
	if (!any_lookup(specs))
		return EVNT_DONE;
	error = list_registrations(door, &registrations, &count);
	if (error)
		result = failed("cannot list the providers: %s",
				door_error(error));
	for (size_t i = 0; i < specs->count && !result; i++) {
		if (specs->specs[i].lookup)
			result = look_up(&specs->specs[i], registrations,
					 count);
	}
	free(registrations);
	return result;
}
