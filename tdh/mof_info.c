// SPDX-License-Identifier: MIT
/* Information about events from classes in the Managed Object Format. */
#include <stdlib.h>

#include "tdh/mof.h"
#include "tdh/store.h"
#include "tdh/winmeta.h"

/* Version of a class without EventVersion, used for versions without a class */
#define ANY_VERSION	(-1)

static long long version_of(const struct mof_class *class)
{
	const struct mof_qualifier *q = mof_qualifier(class->qualifiers,
						      "EventVersion");

	return q && q->values ? q->values->number : ANY_VERSION;
}

/* Return the class of events that a class is, or is derived from */
static const struct mof_class *class_of_events(const struct mof_class *class)
{
	while (class && !class->has_guid)
		class = class->base;
	return class;
}

/* Return the index of an event type among the types of a class, or -1 */
static int type_index(const struct mof_class *class, u8 type)
{
	const struct mof_qualifier *q = mof_qualifier(class->qualifiers,
						      "EventType");
	const struct mof_value *value = q ? q->values : NULL;
	int index = 0;

	for (; value; value = value->next, index++) {
		if (!value->text && value->number == type)
			return index;
	}
	return -1;
}

static const char *type_name(const struct mof_class *class, int index)
{
	const struct mof_qualifier *q = mof_qualifier(class->qualifiers,
						      "EventTypeName");
	const struct mof_value *value = q ? q->values : NULL;

	while (value && index--)
		value = value->next;
	return value ? value->text : NULL;
}

/**
 * struct mof_search - search for the class of an event
 * @guid: GUID of the class of events
 * @version: version of the event
 * @type: type of the event
 * @found: best match so far
 * @found_version: version of @found
 * @manifest: manifest that contains @found
 */
struct mof_search {
	GUID guid;
	u8 version;
	u8 type;
	const struct mof_class *found;
	long long found_version;
	const struct manifest *manifest;
};

/* Accept only the exact version, or else a class without version */
static bool is_better(const struct mof_search *s, long long version)
{
	if (s->found && s->found_version == s->version)
		return false;
	return version == s->version || (!s->found && version == ANY_VERSION);
}

static bool look(const struct manifest *m, void *context)
{
	struct mof_search *s = context;

	for (const struct mof_class *class = m->classes; class;
	     class = class->next) {
		const struct mof_class *events = class_of_events(class);

		if (!events || !same_guid(&events->guid, &s->guid) ||
		    type_index(class, s->type) < 0 ||
		    !is_better(s, version_of(events)))
			continue;
		s->found = class;
		s->found_version = version_of(events);
		s->manifest = m;
	}
	return true;
}

static bool find_class(const EVENT_RECORD *event, struct mof_search *s)
{
	const EVENT_HEADER *header = &event->EventHeader;

	if (!(header->Flags & EVENT_HEADER_FLAG_CLASSIC_HEADER))
		return false;
	*s = (struct mof_search) {
		.guid = header->ProviderId,
		.version = header->EventDescriptor.Version,
		.type = header->EventDescriptor.Opcode,
	};
	store_each_mof(&s->guid, look, s);
	return s->found;
}

static void build(struct bytes *b, const struct mof_search *s,
		  const EVENT_DESCRIPTOR *descriptor)
{
	const struct mof_class *class = s->found;
	const struct mof_class *events = class_of_events(class);
	const char *display = mof_text(events->qualifiers, "DisplayName");
	int index = type_index(class, s->type);
	struct event_info info = {
		.provider = class->provider->guid,
		.event_guid = events->guid,
		.descriptor = *descriptor,
		.source = DecodingSourceWbem,
		.provider_name = class->provider->name,
		.level_name = winmeta_level_text(descriptor->Level),
		.task_name = display ? display : events->name,
		.opcode_name = type_name(class, index),
		.properties = class->template.properties,
		.count = class->template.count,
		.top_level = class->template.top_level,
	};

	if (!descriptor->Level)
		info.level_name = NULL;
	event_info_build(b, &info);
}

ULONG mof_event_info(const EVENT_RECORD *event, struct bytes *b)
{
	struct mof_search s;
	bool found;

	store_lock();
	found = find_class(event, &s);
	if (found)
		build(b, &s, &event->EventHeader.EventDescriptor);
	store_unlock();
	return found ? ERROR_SUCCESS : ERROR_NOT_FOUND;
}

const struct map *mof_map(const EVENT_RECORD *event, const WCHAR *name,
			  const struct manifest **manifest)
{
	const struct map *map;
	struct mof_search s;

	if (!find_class(event, &s))
		return NULL;
	*manifest = s.manifest;
	map = s.found->maps;
	while (map && !same_text(name, map->name))
		map = map->next;
	return map;
}
