// SPDX-License-Identifier: MIT
/*
 * What an event's payload means.
 *
 * Events of one kind come in great numbers: what TDH says of a kind is kept,
 * found by what tells kinds apart: the description that the event carries, or
 * its provider, and its descriptor.
 */
#include <stdlib.h>
#include <string.h>

#include "fields.h"
#include "format.h"

/**
 * struct entry - a kind of events
 * @next: in its chain
 * @hash: of its key
 * @len: bytes of its key
 * @known: something describes it
 * @schema: if @known
 * @key: what tells it apart
 */
struct entry {
	struct entry *next;
	uint32_t hash;
	size_t len;
	bool known;
	struct schema schema;
	unsigned char key[];
};

#define CHAINS	4096

static struct entry *chains[CHAINS];

/**
 * struct key - what tells kinds of events apart
 * @data: pieces that are hashed and compared one after the other
 * @len: bytes of each
 * @hash: of all
 */
struct key {
	const void *data[4];
	size_t len[4];
	int count;
	uint32_t hash;
};

static void key_add(struct key *key, const void *data, size_t len)
{
	const unsigned char *bytes = data;

	key->data[key->count] = data;
	key->len[key->count++] = len;
	for (size_t i = 0; i < len; i++)
		key->hash = (key->hash ^ bytes[i]) * 16777619u;
}

static void make_key(const EVENT_RECORD *record, struct key *key)
{
	const EVENT_HEADER *header = &record->EventHeader;

	memset(key, 0, sizeof(*key));
	key->hash = 2166136261u;
	key_add(key, &header->ProviderId, sizeof(GUID));
	key_add(key, &header->EventDescriptor, sizeof(EVENT_DESCRIPTOR));
	for (int i = 0; i < record->ExtendedDataCount; i++) {
		const EVENT_HEADER_EXTENDED_DATA_ITEM *item =
			&record->ExtendedData[i];

		if ((item->ExtType == EVENT_HEADER_EXT_TYPE_EVENT_SCHEMA_TL ||
		     item->ExtType == EVENT_HEADER_EXT_TYPE_PROV_TRAITS) &&
		    key->count < 4)
			key_add(key, (void *)(uintptr_t)item->DataPtr,
				item->DataSize);
	}
}

static size_t key_len(const struct key *key)
{
	size_t len = 0;

	for (int i = 0; i < key->count; i++)
		len += key->len[i];
	return len;
}

static bool has_key(const struct entry *entry, const struct key *key)
{
	size_t at = 0;

	if (entry->hash != key->hash || entry->len != key_len(key))
		return false;
	for (int i = 0; i < key->count; i++) {
		if (memcmp(entry->key + at, key->data[i], key->len[i]) != 0)
			return false;
		at += key->len[i];
	}
	return true;
}

static struct entry *new_entry(const struct key *key)
{
	struct entry *entry = calloc(1, sizeof(*entry) + key_len(key));
	size_t at = 0;

	if (!entry)
		return NULL;
	entry->hash = key->hash;
	entry->len = key_len(key);
	for (int i = 0; i < key->count; i++) {
		memcpy(entry->key + at, key->data[i], key->len[i]);
		at += key->len[i];
	}
	entry->next = chains[key->hash % CHAINS];
	chains[key->hash % CHAINS] = entry;
	return entry;
}

static size_t wide_len(const WCHAR *text)
{
	size_t len = 0;

	while (text[len])
		len++;
	return len;
}

/* To be freed; NULL for NULL */
static char *narrow(const WCHAR *text)
{
	size_t len, size;
	char *out;

	if (!text)
		return NULL;
	len = wide_len(text);
	size = UTF16_TEXT(len);
	out = malloc(size);
	return out ? format_utf16(text, len, out, size) : NULL;
}

static TRACE_EVENT_INFO *get_info(EVENT_RECORD *record)
{
	TRACE_EVENT_INFO *info;
	ULONG size = 0;

	if (TdhGetEventInformation(record, 0, NULL, NULL, &size) !=
	    ERROR_INSUFFICIENT_BUFFER)
		return NULL;
	info = malloc(size);
	if (info && TdhGetEventInformation(record, 0, NULL, info, &size)) {
		free(info);
		return NULL;
	}
	return info;
}

/* Says how much there is of a property of TraceLogging: it needs no line */
static bool only_counts(const TRACE_EVENT_INFO *info, ULONG i)
{
	const EVENT_PROPERTY_INFO *next, *end;

	if (info->DecodingSource != DecodingSourceTlg)
		return false;
	end = info->EventPropertyInfoArray + info->PropertyCount;
	for (next = &info->EventPropertyInfoArray[i] + 1;
	     next < end && next <= &info->EventPropertyInfoArray[i] + 2;
	     next++) {
		if ((next->Flags & PropertyParamCount &&
		     next->countPropertyIndex == i) ||
		    (next->Flags & PropertyParamLength &&
		     next->lengthPropertyIndex == i))
			return true;
	}
	return false;
}

static char **narrow_list(const WCHAR *texts)
{
	size_t count = 0;
	char **list;

	if (!texts)
		return NULL;
	for (const WCHAR *t = texts; *t; t += wide_len(t) + 1)
		count++;
	list = calloc(count + 1, sizeof(*list));
	for (size_t i = 0; list && i < count; i++) {
		list[i] = narrow(texts);
		texts += wide_len(texts) + 1;
	}
	return list;
}

static EVENT_MAP_INFO *get_map(EVENT_RECORD *record, PWSTR name)
{
	EVENT_MAP_INFO *map;
	ULONG size = 0;

	if (!name || TdhGetEventMapInformation(record, name, NULL, &size) !=
		     ERROR_INSUFFICIENT_BUFFER)
		return NULL;
	map = malloc(size);
	if (map && TdhGetEventMapInformation(record, name, map, &size)) {
		free(map);
		return NULL;
	}
	return map;
}

static void name_properties(EVENT_RECORD *record, struct schema *schema)
{
	TRACE_EVENT_INFO *info = schema->info;

	for (ULONG i = 0; i < info->PropertyCount; i++) {
		const EVENT_PROPERTY_INFO *property =
			&info->EventPropertyInfoArray[i];

		schema->names[i] = narrow(TEI_PROPERTY_NAME(info, property));
		schema->hidden[i] = only_counts(info, i);
		if (!(property->Flags & PropertyStruct))
			schema->maps[i] = get_map(record,
						  TEI_MAP_NAME(info, property));
	}
}

static bool make_schema(EVENT_RECORD *record, struct schema *schema)
{
	TRACE_EVENT_INFO *info = get_info(record);

	if (!info)
		return false;
	schema->info = info;
	schema->names = calloc(info->PropertyCount + 1, sizeof(char *));
	schema->maps = calloc(info->PropertyCount + 1, sizeof(void *));
	schema->hidden = calloc(info->PropertyCount + 1, sizeof(bool));
	if (!schema->names || !schema->maps || !schema->hidden)
		return false;
	name_properties(record, schema);
	schema->provider = narrow(TEI_PROVIDER_NAME(info));
	schema->name = narrow(evnt_tdh_text(info, info->EventNameOffset));
	schema->task = narrow(TEI_TASK_NAME(info));
	schema->opcode = narrow(TEI_OPCODE_NAME(info));
	schema->level = narrow(TEI_LEVEL_NAME(info));
	schema->channel = narrow(TEI_CHANNEL_NAME(info));
	schema->message = narrow(TEI_EVENT_MESSAGE(info));
	schema->keywords = narrow_list(TEI_KEYWORDS_NAME(info));
	return true;
}

const struct schema *fields_schema(const EVENT_RECORD *record)
{
	struct entry *entry;
	struct key key;

	make_key(record, &key);
	for (entry = chains[key.hash % CHAINS]; entry; entry = entry->next) {
		if (has_key(entry, &key))
			return entry->known ? &entry->schema : NULL;
	}
	entry = new_entry(&key);
	if (!entry)
		return NULL;
	entry->known = make_schema((EVENT_RECORD *)record, &entry->schema);
	return entry->known ? &entry->schema : NULL;
}

const char *event_name(const struct view *view, const struct schema *schema)
{
	return view->name[0] ? view->name : schema ? schema->name : NULL;
}

static void free_schema(struct schema *schema)
{
	ULONG count = schema->info ? schema->info->PropertyCount : 0;

	for (ULONG i = 0; i < count; i++) {
		if (schema->names)
			free(schema->names[i]);
		if (schema->maps)
			free(schema->maps[i]);
	}
	for (size_t i = 0; schema->keywords && schema->keywords[i]; i++)
		free(schema->keywords[i]);
	free(schema->names);
	free(schema->maps);
	free(schema->hidden);
	free(schema->provider);
	free(schema->name);
	free(schema->task);
	free(schema->opcode);
	free(schema->level);
	free(schema->channel);
	free(schema->message);
	free(schema->keywords);
	free(schema->info);
}

void fields_forget_unknown(void)
{
	for (size_t i = 0; i < CHAINS; i++) {
		struct entry **at = &chains[i], *entry;

		while ((entry = *at)) {
			if (entry->known) {
				at = &entry->next;
				continue;
			}
			*at = entry->next;
			free_schema(&entry->schema);
			free(entry);
		}
	}
}

static struct {
	WCHAR *wide;
	ULONG wide_size;
	char *text;
	size_t text_size;
} value;

void fields_free(void)
{
	for (size_t i = 0; i < CHAINS; i++) {
		while (chains[i]) {
			struct entry *entry = chains[i];

			chains[i] = entry->next;
			free_schema(&entry->schema);
			free(entry);
		}
	}
	free(value.wide);
	free(value.text);
	memset(&value, 0, sizeof(value));
}

static bool is_text(USHORT in)
{
	switch (in) {
	case TDH_INTYPE_UNICODESTRING:
	case TDH_INTYPE_ANSISTRING:
	case TDH_INTYPE_MANIFEST_COUNTEDSTRING:
	case TDH_INTYPE_MANIFEST_COUNTEDANSISTRING:
		return true;
	}
	return in >= TDH_INTYPE_COUNTEDSTRING && in <= TDH_INTYPE_ANSICHAR;
}

static bool is_decimal(const char *text)
{
	text += *text == '-';
	return *text && !text[strspn(text, "0123456789")];
}

/* Of TDH's text, what can stand as a number, or true and false */
static enum field_kind kind_of(const EVENT_PROPERTY_INFO *property,
			       const char *text, bool mapped)
{
	USHORT in = property->nonStructType.InType;
	USHORT out = property->nonStructType.OutType;

	if (is_text(in) ||
	    (out == TDH_OUTTYPE_STRING && in != TDH_INTYPE_SID))
		return FIELD_TEXT;
	if (in == TDH_INTYPE_FLOAT || in == TDH_INTYPE_DOUBLE)
		return strpbrk(text, "0123456789") ? FIELD_NUMBER :
						     FIELD_SYMBOL;
	if (is_decimal(text))
		return FIELD_NUMBER;
	if (mapped)
		return FIELD_TEXT;
	return !strcmp(text, "true") || !strcmp(text, "false") ?
	       FIELD_BOOLEAN : FIELD_SYMBOL;
}

static bool make_room(size_t wide_size, size_t text_size)
{
	if (wide_size > value.wide_size) {
		WCHAR *wide = realloc(value.wide, wide_size);

		if (!wide)
			return false;
		value.wide = wide;
		value.wide_size = wide_size;
	}
	if (text_size > value.text_size) {
		char *text = realloc(value.text, text_size);

		if (!text)
			return false;
		value.text = text;
		value.text_size = text_size;
	}
	return true;
}

static ULONG format_value(const struct schema *schema,
			  const EVENT_RECORD *record,
			  const EVNT_PROPERTY *property, ULONG *size)
{
	const EVENT_PROPERTY_INFO *info =
		&schema->info->EventPropertyInfoArray[property->Index];
	bool narrow_pointers = record->EventHeader.Flags &
			       EVENT_HEADER_FLAG_32_BIT_HEADER;
	USHORT consumed;

	return TdhFormatProperty(schema->info, schema->maps[property->Index],
				 narrow_pointers ? 4 : 8,
				 info->nonStructType.InType,
				 info->nonStructType.OutType, property->Length,
				 property->DataLength, property->Data, size,
				 value.wide, &consumed);
}

const char *fields_value(const struct schema *schema,
			 const EVENT_RECORD *record,
			 const EVNT_PROPERTY *property, enum field_kind *kind)
{
	ULONG size = value.wide_size;
	ULONG code = format_value(schema, record, property, &size);

	if (code == ERROR_INSUFFICIENT_BUFFER) {
		if (!make_room(size, 0))
			return NULL;
		code = format_value(schema, record, property, &size);
	}
	if (code || !make_room(0, UTF16_TEXT(size / sizeof(WCHAR))))
		return NULL;
	format_utf16(value.wide, size / sizeof(WCHAR) - 1, value.text,
		     value.text_size);
	*kind = kind_of(&schema->info->EventPropertyInfoArray[property->Index],
			value.text, schema->maps[property->Index]);
	return value.text;
}
