// SPDX-License-Identifier: MIT
/* Registered and enabled providers */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools/evnt.h"
#include "tools/common/suggest.h"
#include "tools/session/registered.h"
#include "tools/session/control.h"
#include "tools/filter/filter_text.h"

int list_registrations(int device, struct evntrace_registration **registrations,
		       size_t *count)
{
	void *elements;
	int error = dev_list(device, EVNTRACE_LIST_REGISTRATIONS,
			     sizeof(**registrations), &elements, count);

	*registrations = elements;
	return error;
}

char *registered_name(const struct evntrace_registration *registration)
{
	char text[sizeof(registration->name) * 3 + 1];

	format_utf8(registration->name, strnlen(registration->name,
						sizeof(registration->name)),
		    text, sizeof(text));
	return must_have(strdup(text));
}

char *similar_registered(const char *wrote,
			 const struct evntrace_registration *registrations,
			 size_t count)
{
	struct suggest suggest;
	char *name;

	suggest_begin(&suggest, wrote);
	for (size_t i = 0; i < count; i++) {
		name = registered_name(&registrations[i]);
		if (*name)
			suggest_look_at(&suggest, name);
		free(name);
	}
	suggest_end(&suggest);
	if (suggest.found)
		return suggest.text;
	free(suggest.text);
	return NULL;
}

/* Explain that no registered provider has this name, and suggest others */
static void explain_unknown(char **why, const struct spec *spec,
			    const struct evntrace_registration *registrations,
			    size_t count)
{
	char *similar = similar_registered(spec->name, registrations, count);
	int len;

	if (similar)
		len = asprintf(why, "no registered provider is called '%s': did"
			       " you mean %s?", spec->name, similar);
	else
		len = asprintf(why, "no registered provider is called '%s':"
			       " write '*%s' if its id is the hash of its name,"
			       " or its GUID; 'evnt providers' lists registered"
			       " ones", spec->name, spec->name);
	free(similar);
	if (len < 0)
		must_have(NULL);
}

bool look_up_in(struct spec *spec,
		const struct evntrace_registration *registrations,
		size_t count, char **why)
{
	const void *found = NULL;

	for (size_t i = 0; i < count; i++) {
		const struct evntrace_registration *r = &registrations[i];

		/* Longer names are truncated in the list */
		if (!r->name[0] ||
		    strncasecmp(r->name, spec->name, sizeof(r->name) - 1) != 0)
			continue;
		if (found && memcmp(found, r->provider.b, 16) != 0) {
			if (asprintf(why, "several registered providers are"
				     " called '%s': write the GUID of the one"
				     " that you want; 'evnt providers' shows"
				     " them", spec->name) < 0)
				must_have(NULL);
			return false;
		}
		found = r->provider.b;
	}
	if (found)
		memcpy(&spec->id, found, sizeof(spec->id));
	else
		explain_unknown(why, spec, registrations, count);
	return found;
}

int look_up_names(int device, struct spec_list *specs)
{
	struct evntrace_registration *registrations;
	int error, result = EVNT_DONE;
	bool has_lookup = false;
	char *why = NULL;
	size_t count;

	/*
	 * Without names to look up, a module that cannot list providers is
	 * sufficient
	 */
	for (size_t i = 0; i < specs->count; i++)
		has_lookup |= specs->specs[i].lookup;
	if (!has_lookup)
		return EVNT_DONE;
	error = list_registrations(device, &registrations, &count);
	if (error)
		result = failed("cannot list the providers: %s",
				dev_error(error));
	for (size_t i = 0; i < specs->count && !result; i++) {
		if (specs->specs[i].lookup &&
		    !look_up_in(&specs->specs[i], registrations, count, &why))
			result = failed("%s", why);
	}
	free(why);
	free(registrations);
	return result;
}

int list_enabled(int device, __u64 handle, struct enabled_list *list)
{
	void *elements;
	size_t count;
	int error;

	error = dev_list(device, EVNTRACE_LIST_ENABLEMENTS,
			 sizeof(*list->enablements), &elements, &count);
	list->enablements = elements;
	list->count = 0;
	if (error)
		return failed("cannot list the providers: %s",
			      dev_error(error));
	for (size_t i = 0; i < count; i++) {
		if (list->enablements[i].handle == handle)
			list->enablements[list->count++] =
				list->enablements[i];
	}
	return EVNT_DONE;
}

json_object *enabled_object(int device,
			    const struct evntrace_enablement *enablement)
{
	json_object *object = json_object_new_object();

	json_add_guid(object, "id", enablement->provider.b);
	json_object_object_add(object, "group",
			       json_object_new_boolean(is_group(enablement)));
	json_add_number(object, "level", enablement->level);
	json_add_mask(object, "match_any", enablement->match_any);
	json_add_mask(object, "match_all", enablement->match_all);
	json_add_mask(object, "property", enablement->property);
	json_object_object_add(object, "filters",
			       filters_array(device, enablement));
	return object;
}
