// SPDX-License-Identifier: MIT
/*
 * Information from loaded manifests: TRACE_EVENT_INFO and EVENT_MAP_INFO.
 */
#include <stdlib.h>

#include "tdh/event_metadata.h"
#include "tdh/manifest_info.h"
#include "tdh/mof.h"
#include "tdh/wevt.h"
#include "tdh/winmeta.h"

#define TRAIT_DECODE_GUID	2

/*
 * A provider may be enabled by a GUID that differs from the GUID of its
 * manifest.  Its traits then contain the latter.  Traits are their total size,
 * a name, and traits of size, type and data.
 */
const GUID *decode_guid(const EVENT_RECORD *event, GUID *guid)
{
	const u8 *p = NULL, *end = NULL;

	for (u16 i = 0; i < event->ExtendedDataCount; i++) {
		if (event->ExtendedData[i].ExtType !=
		    EVENT_HEADER_EXT_TYPE_PROV_TRAITS)
			continue;
		p = (const u8 *)(uintptr_t)event->ExtendedData[i].DataPtr;
		end = p + event->ExtendedData[i].DataSize;
	}
	*guid = event->EventHeader.ProviderId;
	if (!p || end - p < 3)
		return guid;
	p = memchr(p + 2, 0, end - p - 2);
	if (!p)
		return guid;
	p++;
	while (end - p >= 3 && get_u16(p) >= 3 && get_u16(p) <= end - p) {
		if (p[2] == TRAIT_DECODE_GUID &&
		    get_u16(p) == 3 + sizeof(GUID))
			memcpy(guid, p + 3, sizeof(GUID));
		p += get_u16(p);
	}
	return guid;
}

const struct event *find_event(const struct found *found,
			       const EVENT_DESCRIPTOR *descriptor)
{
	return manifest_event(found->manifest, found->provider, descriptor->Id,
			      descriptor->Version);
}

/* Join all attributes of an event into a string that the caller frees */
static char *join_attributes(const struct event *event)
{
	struct bytes b = { 0 };

	for (struct attribute_list *a = event->attributes; a; a = a->next) {
		if (b.len)
			bytes_add_u8(&b, ';');
		bytes_add(&b, a->text, strlen(a->text));
	}
	if (b.len)
		bytes_add_u8(&b, 0);
	if (b.failed)
		bytes_free(&b);
	return (char *)b.data;
}

static void set_names(struct event_info *info, const struct found *found,
		      const struct event *event)
{
	const struct manifest *m = found->manifest;
	const struct provider *p = found->provider;
	const struct item *keyword = p->items[ITEM_KEYWORD];
	u64 mask = info->descriptor.Keyword;

	info->provider_name = p->name;
	info->provider_message = message_text(m, p->message);
	info->level_name = event->level ? item_text(m, event->level) :
			   winmeta_level_text(info->descriptor.Level);
	info->opcode_name = event->opcode ? item_text(m, event->opcode) :
			    winmeta_opcode_text(info->descriptor.Opcode);
	info->task_name = event->task && event->task->value ?
			  item_text(m, event->task) : NULL;
	info->channel_name = event->channel ? event->channel->name : NULL;
	info->message = message_text(m, event->message);
	info->name = event->name;
	for (; keyword && info->keyword_count < 64; keyword = keyword->next) {
		if (!keyword->value ||
		    (mask & keyword->value) != keyword->value)
			continue;
		info->keywords[info->keyword_count++] = item_text(m, keyword);
	}
}

void build_manifest_event(struct bytes *b, const struct found *found,
			  const struct event *event,
			  const EVENT_DESCRIPTOR *descriptor)
{
	const struct provider *p = found->provider;
	struct event_info info = {
		.provider = p->guid,
		.descriptor = *descriptor,
		.source = p->is_wpp ? DecodingSourceWPP : DecodingSourceXMLFile,
		.template_flags = TEMPLATE_EVENT_DATA,
	};
	const struct template *t = event->template;
	char *attributes = join_attributes(event);

	if (t && t->has_user_data) {
		info.template_flags = TEMPLATE_USER_DATA;
		info.xml = t->xml;
		info.xml_len = t->xml_len;
	}
	if (p->has_control_guid) {
		info.template_flags |= TEMPLATE_CONTROL_GUID;
		info.event_guid = p->control_guid;
	}
	if (t) {
		info.properties = t->properties;
		info.count = t->count;
		info.top_level = t->top_level;
	}
	info.attributes = attributes;
	set_names(&info, found, event);
	event_info_build(b, &info);
	free(attributes);
}

ULONG manifest_event_info(const EVENT_RECORD *event, struct bytes *b)
{
	const EVENT_DESCRIPTOR *d = &event->EventHeader.EventDescriptor;
	const struct event *known = NULL;
	struct found found;
	GUID guid;

	store_lock();
	if (store_provider(decode_guid(event, &guid), &found))
		known = find_event(&found, d);
	if (known)
		build_manifest_event(b, &found, known, d);
	store_unlock();
	return known ? ERROR_SUCCESS : ERROR_NOT_FOUND;
}

static void build_map(struct bytes *b, const struct manifest *m,
		      const struct map *map)
{
	EVENT_MAP_INFO head = {
		.Flag = map->wbem ? (MAP_FLAGS)map->wbem :
			map->bits ? EVENTMAP_INFO_FLAG_MANIFEST_BITMAP :
				    EVENTMAP_INFO_FLAG_MANIFEST_VALUEMAP,
		.EntryCount = map->count,
		.MapEntryValueType = EVENTMAP_ENTRY_VALUETYPE_ULONG,
	};
	size_t at = offsetof(EVENT_MAP_INFO, MapEntryArray), text;

	bytes_add(b, &head, at);
	bytes_reserve(b, (map->count ? map->count : 1) *
		      sizeof(EVENT_MAP_ENTRY));
	bytes_put_u32(b, offsetof(EVENT_MAP_INFO, NameOffset),
		      bytes_add_string(b, map->name));
	for (struct map_entry *e = map->entries; e; e = e->next) {
		const char *name = message_text(m, e->message);

		text = bytes_add_string(b, name ? name : "");
		bytes_put_u32(b, at, text);
		bytes_put_u32(b, at + 4, e->value);
		at += sizeof(EVENT_MAP_ENTRY);
	}
	bytes_align(b, 8);
}

static void build_query(struct bytes *b, const struct query *query)
{
	EVENT_MAP_INFO head = {
		.Flag = EVENTMAP_INFO_FLAG_MANIFEST_PATTERNMAP,
		.EntryCount = query->count,
	};
	size_t at = offsetof(EVENT_MAP_INFO, MapEntryArray), text;

	bytes_add(b, &head, at);
	bytes_reserve(b, (query->count ? query->count : 1) *
		      sizeof(EVENT_MAP_ENTRY));
	text = bytes_add_string(b, query->name);
	bytes_put_u32(b, offsetof(EVENT_MAP_INFO, NameOffset), text);
	text = bytes_add_string(b, query->format);
	bytes_put_u32(b, offsetof(EVENT_MAP_INFO, FormatStringOffset), text);
	for (struct query_entry *e = query->entries; e; e = e->next) {
		text = bytes_add_string(b, e->value);
		bytes_put_u32(b, at, text);
		text = bytes_add_string(b, e->name);
		bytes_put_u32(b, at + 4, text);
		at += sizeof(EVENT_MAP_ENTRY);
	}
	bytes_align(b, 8);
}

/* Build the provider's map of this name; returns false if there is none */
static bool provider_map(struct bytes *b, const struct found *found,
			 const WCHAR *name)
{
	for (struct map *m = found->provider->maps; m; m = m->next) {
		if (!same_text(name, m->name))
			continue;
		build_map(b, found->manifest, m);
		return true;
	}
	for (struct query *q = found->provider->queries; q; q = q->next) {
		if (!same_text(name, q->name))
			continue;
		build_query(b, q);
		return true;
	}
	return false;
}

/**
 * TdhGetEventMapInformation() - query the names of a property's values
 * @Event: the event
 * @MapName: name of the map, from TRACE_EVENT_INFO
 * @Buffer: receives an EVENT_MAP_INFO
 * @BufferSize: in: size of @Buffer in bytes; out: required size
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhgeteventmapinformation
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER; ERROR_INSUFFICIENT_BUFFER;
 * ERROR_NOT_FOUND if no manifest describes the provider, or it has no such map;
 * ERROR_OUTOFMEMORY.
 */
EVNT_PUBLIC TDHSTATUS TdhGetEventMapInformation(PEVENT_RECORD Event,
						LPWSTR MapName,
						PEVENT_MAP_INFO Buffer,
						ULONG *BufferSize)
{
	const struct manifest *manifest;
	const struct map *map;
	struct bytes b = { 0 };
	struct found found;
	bool known;
	GUID guid;

	if (!Event || !MapName || !BufferSize || (*BufferSize && !Buffer))
		return ERROR_INVALID_PARAMETER;
	store_lock();
	map = mof_map(Event, MapName, &manifest);
	if (map)
		build_map(&b, manifest, map);
	known = map || (store_provider(decode_guid(Event, &guid), &found) &&
			provider_map(&b, &found, MapName));
	store_unlock();
	if (!known && metadata_map(Event, MapName, &b))
		return ERROR_NOT_FOUND;
	return bytes_hand_over(&b, Buffer, BufferSize);
}
