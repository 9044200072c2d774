// SPDX-License-Identifier: MIT
/* Which providers a session has enabled, and what of them. */
#include <string.h>

#include "enabled.h"
#include "evnt.h"
#include "filter_text.h"

int list_enabled(int door, __u64 handle, struct enabled_list *list)
{
	void *elements;
	size_t count;
	int error;

	error = door_list(door, EVNTRACE_LIST_ENABLEMENTS,
			  sizeof(*list->enablements), &elements, &count);
	list->enablements = elements;
	list->count = 0;
	if (error)
		return failed("cannot list the providers: %s",
			      door_error(error));
	for (size_t i = 0; i < count; i++) {
		if (list->enablements[i].handle == handle)
			list->enablements[list->count++] =
				list->enablements[i];
	}
	return EVNT_DONE;
}

json_object *enabled_object(int door,
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
			       filters_array(door, enablement));
	return object;
}
