// SPDX-License-Identifier: MIT
/* Registered providers: who has registered what, and what it is called. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "evnt.h"
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

static int look_up(struct spec *spec,
		   const struct evntrace_registration *registrations,
		   size_t count)
{
	const void *found = NULL;

	for (size_t i = 0; i < count; i++) {
		if (!has_name(&registrations[i], spec))
			continue;
		if (found && memcmp(found, registrations[i].provider.b, 16) != 0)
			return failed("several registered providers are called"
				      " '%s': write the GUID of the one that"
				      " you want; 'evnt providers' shows them",
				      spec->name);
		found = registrations[i].provider.b;
	}
	if (!found)
		return failed("no registered provider is called '%s': write"
			      " '*%s' if its id is the hash of its name, or"
			      " its GUID", spec->name, spec->name);
	memcpy(&spec->id, found, sizeof(spec->id));
	return EVNT_DONE;
}

int look_up_names(int door, struct spec_list *specs)
{
	struct evntrace_registration *registrations;
	int error, result = EVNT_DONE;
	size_t count;

	error = list_registrations(door, &registrations, &count);
	if (error)
		result = failed("cannot list the providers: %s",
				strerror(error));
	for (size_t i = 0; i < specs->count && !result; i++) {
		if (specs->specs[i].lookup)
			result = look_up(&specs->specs[i], registrations,
					 count);
	}
	free(registrations);
	return result;
}
