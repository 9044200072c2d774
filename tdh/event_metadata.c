// SPDX-License-Identifier: MIT
/*
 * Descriptions of events that a log itself contains.
 *
 * An event of the provider Microsoft-Windows-EventMetadata contains the
 * TRACE_EVENT_INFO that TDH returned where the log was merged, or a provider's
 * GUID and an EVENT_MAP_INFO.  All offsets in them come from the log: those that
 * point outside the structure, or are odd, are cleared.  Zeros behind the copy
 * end each text.
 *
 * These descriptions are kept for the life of the process and used for events
 * that no manifest describes.  The first description of an event counts.
 */
#include <search.h>
#include <stddef.h>
#include <stdlib.h>

#include "evnttdh.h"
#include "tdh/event_metadata.h"
#include "tdh/store.h"

#define OPCODE_EVENT	32
#define OPCODE_MAP	33

/*
 * Number of zeros that end a list of texts, and make room for the first element
 * of an empty array, which the structures contain
 */
#define PADDING		32

/* Upper bound of all descriptions, in bytes */
#define MAX_METADATA	(64u << 20)

/**
 * struct metadata - a description
 * @guid: GUID of the provider; for a classic event, of its class
 * @key: id and version of the event, or for a classic one, type and version; for
 *	a map, the address of its name in @data
 * @len: size of @data in bytes, without its padding
 * @data: TRACE_EVENT_INFO or EVENT_MAP_INFO
 */
struct metadata {
	GUID guid;
	uintptr_t key;
	size_t len;
	u8 data[];
};

/* Trees of tsearch() of events and maps, and their size; under store_lock() */
static void *events, *maps;
static size_t total;

bool is_metadata(const EVENT_RECORD *event)
{
	static const GUID id = EVENT_METADATA_PROVIDER;

	return !memcmp(&event->EventHeader.ProviderId, &id, sizeof(id));
}

static uintptr_t key_of(const EVENT_DESCRIPTOR *d, bool classic)
{
	uintptr_t type = classic ? 0x10000u | d->Opcode : d->Id;

	return type << 8 | d->Version;
}

static int compare_events(const void *a, const void *b)
{
	const struct metadata *one = a, *other = b;
	int order = memcmp(&one->guid, &other->guid, sizeof(GUID));

	if (order)
		return order;
	return one->key < other->key ? -1 : one->key > other->key;
}

static int compare_maps(const void *a, const void *b)
{
	const struct metadata *one = a, *other = b;
	int order = memcmp(&one->guid, &other->guid, sizeof(GUID));
	const WCHAR *left = (const WCHAR *)one->key;
	const WCHAR *right = (const WCHAR *)other->key;

	if (order)
		return order;
	while (*left && *left == *right) {
		left++;
		right++;
	}
	return *left - *right;
}

/* Clear an offset of a text that is not in the structure behind its @head bytes */
static void bound(ULONG *offset, size_t head, size_t len)
{
	if (*offset < head || *offset >= len || *offset % sizeof(WCHAR))
		*offset = 0;
}

/* Make the offsets of a TRACE_EVENT_INFO valid */
static bool check_event(TRACE_EVENT_INFO *info, size_t len)
{
	size_t head = offsetof(TRACE_EVENT_INFO, EventPropertyInfoArray);
	ULONG *texts[] = {
		&info->ProviderNameOffset, &info->LevelNameOffset,
		&info->ChannelNameOffset, &info->KeywordsNameOffset,
		&info->TaskNameOffset, &info->OpcodeNameOffset,
		&info->EventMessageOffset, &info->ProviderMessageOffset,
		&info->EventNameOffset, &info->EventAttributesOffset,
	};

	if (len < head ||
	    info->PropertyCount > (len - head) / sizeof(EVENT_PROPERTY_INFO) ||
	    info->TopLevelPropertyCount > info->PropertyCount)
		return false;
	head += info->PropertyCount * sizeof(EVENT_PROPERTY_INFO);
	for (size_t i = 0; i < EVNT_ARRAY_SIZE(texts); i++)
		bound(texts[i], head, len);
	info->BinaryXMLOffset = 0;
	info->BinaryXMLSize = 0;
	for (ULONG i = 0; i < info->PropertyCount; i++) {
		EVENT_PROPERTY_INFO *p = &info->EventPropertyInfoArray[i];

		bound(&p->NameOffset, head, len);
		if (p->Flags & PropertyStruct)
			continue;
		bound(&p->nonStructType.MapNameOffset, head, len);
		/* Only TDH of Windows knows the schemas of custom types */
		if (p->Flags & PropertyHasCustomSchema)
			p->nonStructType.MapNameOffset = 0;
	}
	return true;
}

/* Make the offsets of an EVENT_MAP_INFO valid */
static bool check_map(EVENT_MAP_INFO *map, size_t len)
{
	size_t head = offsetof(EVENT_MAP_INFO, MapEntryArray);

	if (len < head ||
	    map->Flag & EVENTMAP_INFO_FLAG_MANIFEST_PATTERNMAP ||
	    map->EntryCount > (len - head) / sizeof(EVENT_MAP_ENTRY))
		return false;
	head += map->EntryCount * sizeof(EVENT_MAP_ENTRY);
	bound(&map->NameOffset, head, len);
	for (ULONG i = 0; i < map->EntryCount; i++) {
		EVENT_MAP_ENTRY *entry = &map->MapEntryArray[i];

		bound(&entry->OutputOffset, head, len);
		/* An empty name: the zeros behind the structure */
		if (!entry->OutputOffset)
			entry->OutputOffset = len + len % 2;
		if (map->MapEntryValueType != EVENTMAP_ENTRY_VALUETYPE_ULONG)
			bound(&entry->InputOffset, head, len);
	}
	return map->NameOffset;
}

static struct metadata *copy(const u8 *data, size_t len)
{
	struct metadata *m = calloc(1, sizeof(*m) + len + PADDING);

	if (m) {
		memcpy(m->data, data, len);
		m->len = len;
	}
	return m;
}

/* Add to a tree, unless it has a description with this key; frees @m then */
static ULONG add(void **tree, struct metadata *m,
		 int (*compare)(const void *a, const void *b))
{
	struct metadata **at;
	size_t size = sizeof(*m) + m->len + PADDING;

	store_lock();
	at = total + size <= MAX_METADATA ? tsearch(m, tree, compare) : NULL;
	if (at && *at == m)
		total += size;
	store_unlock();
	if (!at || *at != m)
		free(m);
	return at ? ERROR_SUCCESS : ERROR_OUTOFMEMORY;
}

static ULONG load_event(const u8 *data, size_t len)
{
	struct metadata *m = copy(data, len);
	TRACE_EVENT_INFO *info;
	bool classic;

	if (!m)
		return ERROR_OUTOFMEMORY;
	info = (TRACE_EVENT_INFO *)m->data;
	if (!check_event(info, len)) {
		free(m);
		return ERROR_EVT_INVALID_EVENT_DATA;
	}
	classic = info->DecodingSource == DecodingSourceWbem;
	m->guid = classic ? info->EventGuid : info->ProviderGuid;
	m->key = key_of(&info->EventDescriptor, classic);
	return add(&events, m, compare_events);
}

static ULONG load_map(const u8 *data, size_t len)
{
	struct metadata *m;
	EVENT_MAP_INFO *map;

	if (len < sizeof(GUID))
		return ERROR_EVT_INVALID_EVENT_DATA;
	m = copy(data + sizeof(GUID), len - sizeof(GUID));
	if (!m)
		return ERROR_OUTOFMEMORY;
	memcpy(&m->guid, data, sizeof(m->guid));
	map = (EVENT_MAP_INFO *)m->data;
	if (!check_map(map, m->len)) {
		free(m);
		return ERROR_EVT_INVALID_EVENT_DATA;
	}
	m->key = (uintptr_t)(m->data + map->NameOffset);
	return add(&maps, m, compare_maps);
}

ULONG metadata_load(const EVENT_RECORD *event)
{
	switch (event->EventHeader.EventDescriptor.Opcode) {
	case OPCODE_EVENT:
		return load_event(event->UserData, event->UserDataLength);
	case OPCODE_MAP:
		return load_map(event->UserData, event->UserDataLength);
	}
	return ERROR_NOT_FOUND;
}

/* Append the description with a key, if the tree has one */
static ULONG find(struct bytes *b, void *const *tree,
		  const struct metadata *key,
		  int (*compare)(const void *a, const void *b))
{
	struct metadata **at;

	store_lock();
	at = tfind(key, tree, compare);
	if (at)
		bytes_add(b, (*at)->data, (*at)->len + PADDING);
	store_unlock();
	return at ? ERROR_SUCCESS : ERROR_NOT_FOUND;
}

ULONG metadata_event_info(const EVENT_RECORD *event, struct bytes *b)
{
	const EVENT_HEADER *h = &event->EventHeader;
	struct metadata key = {
		.guid = h->ProviderId,
		.key = key_of(&h->EventDescriptor,
			      h->Flags & EVENT_HEADER_FLAG_CLASSIC_HEADER),
	};

	return find(b, &events, &key, compare_events);
}

ULONG metadata_map(const EVENT_RECORD *event, const WCHAR *name,
		   struct bytes *b)
{
	struct metadata key = {
		.guid = event->EventHeader.ProviderId,
		.key = (uintptr_t)name,
	};

	return find(b, &maps, &key, compare_maps);
}
