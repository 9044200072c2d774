// SPDX-License-Identifier: MIT
/* Descriptions of kinds of events by TDH */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "decode/format.h"
#include "decode/schema.h"

static size_t wide_len(const WCHAR *text)
{
	size_t len = 0;

	while (text[len])
		len++;
	return len;
}

/* Convert to UTF-8; the caller frees the result. NULL stays NULL. */
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

/*
 * Return whether a TraceLogging property is only the count or length of another
 * one, which output leaves out
 */
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

/* Return the length of a name of letters, digits and underscores, otherwise 0 */
static size_t simple_len(const char *name)
{
	static const char simple[] = "abcdefghijklmnopqrstuvwxyz"
				     "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
	size_t len = name ? strspn(name, simple) : 0;

	return len && !name[len] ? len : 0;
}

static bool is_among(USHORT type, USHORT first, USHORT last)
{
	return type >= first && type <= last;
}

/*
 * Return the format of a property's values, as far as TDH would give the same
 * text: a map or another output type needs TDH.
 */
static enum plain_format plain_format(const EVENT_PROPERTY_INFO *property)
{
	USHORT in = property->nonStructType.InType;
	USHORT out = property->nonStructType.OutType;

	if (property->Flags & PropertyStruct ||
	    property->nonStructType.MapNameOffset)
		return PLAIN_NONE;
	switch (in) {
	case TDH_INTYPE_UNICODESTRING:
		return out == TDH_OUTTYPE_NOPRINT ? PLAIN_NONE : PLAIN_WIDE;
	case TDH_INTYPE_ANSISTRING:
		return out == TDH_OUTTYPE_NOPRINT ? PLAIN_NONE : PLAIN_NARROW;
	case TDH_INTYPE_INT8:
	case TDH_INTYPE_INT16:
	case TDH_INTYPE_INT32:
	case TDH_INTYPE_INT64:
		return out == TDH_OUTTYPE_NULL || out == TDH_OUTTYPE_BYTE ||
		       out == TDH_OUTTYPE_SHORT || out == TDH_OUTTYPE_INT ||
		       out == TDH_OUTTYPE_LONG ? PLAIN_SIGNED : PLAIN_NONE;
	case TDH_INTYPE_UINT8:
	case TDH_INTYPE_UINT16:
	case TDH_INTYPE_UINT32:
	case TDH_INTYPE_UINT64:
		if (is_among(out, TDH_OUTTYPE_HEXINT8, TDH_OUTTYPE_HEXINT64))
			return PLAIN_HEX;
		return out == TDH_OUTTYPE_NULL ||
		       out == TDH_OUTTYPE_UNSIGNEDBYTE ||
		       out == TDH_OUTTYPE_UNSIGNEDSHORT ||
		       out == TDH_OUTTYPE_UNSIGNEDINT ||
		       out == TDH_OUTTYPE_UNSIGNEDLONG ||
		       is_among(out, TDH_OUTTYPE_PID, TDH_OUTTYPE_TID) ?
		       PLAIN_UNSIGNED : PLAIN_NONE;
	case TDH_INTYPE_HEXINT32:
	case TDH_INTYPE_HEXINT64:
	case TDH_INTYPE_POINTER:
	case TDH_INTYPE_SIZET:
		return out == TDH_OUTTYPE_NULL ||
		       is_among(out, TDH_OUTTYPE_HEXINT8,
				TDH_OUTTYPE_HEXINT64) ?
		       PLAIN_HEX : PLAIN_NONE;
	}
	return PLAIN_NONE;
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

/* Convert the name of an entry, without the space that Windows adds to it */
static char *entry_name(const EVENT_MAP_INFO *map, ULONG index)
{
	char *name = narrow(EMI_MAP_OUTPUT(map, &map->MapEntryArray[index]));
	size_t len = name ? strlen(name) : 0;

	while (len && strchr("\n\r ", name[len - 1]))
		name[--len] = '\0';
	for (size_t i = 0; i < len; i++) {
		if (name[i] < 0x20 || name[i] > 0x7e || name[i] == '"' ||
		    name[i] == '\\')
			len = 0;
	}
	if (!len || len > NAME_TEXT || !name[strspn(name, "-0123456789")]) {
		free(name);
		return NULL;
	}
	return name;
}

/*
 * Make the names of a value map's entries, if values of the property are
 * integers that the map may contain; otherwise return NULL
 */
static struct value_name *name_values(const EVENT_PROPERTY_INFO *property,
				      const EVENT_MAP_INFO *map)
{
	USHORT in = property->nonStructType.InType;
	struct value_name *names;

	if (!map || map->Flag != EVENTMAP_INFO_FLAG_MANIFEST_VALUEMAP ||
	    property->nonStructType.OutType == TDH_OUTTYPE_NOPRINT ||
	    !(is_among(in, TDH_INTYPE_INT8, TDH_INTYPE_UINT32) ||
	      in == TDH_INTYPE_HEXINT32))
		return NULL;
	names = calloc(map->EntryCount + 1, sizeof(*names));
	for (ULONG i = 0; names && i < map->EntryCount; i++) {
		names[i].value = map->MapEntryArray[i].Value;
		names[i].text = entry_name(map, i);
		names[i].len = names[i].text ? strlen(names[i].text) : 0;
	}
	return names;
}

/* Return a bitmask of the first 64 fields, which a message contains */
static uint64_t find_inserts(const char *message)
{
	const char *at = message ? message : "";
	uint64_t fields = 0;
	unsigned long number;

	while (*at) {
		if (*at++ != '%')
			continue;
		if (*at == '0')	/* the message's end */
			break;
		number = isdigit((unsigned char)*at) ? strtoul(at, NULL, 10) : 0;
		if (number && number <= 64)
			fields |= 1ull << (number - 1);
		else if (*at)	/* an escaped character, as %% */
			at++;
	}
	return fields;
}

static void free_names(struct value_name *names, ULONG count)
{
	for (ULONG i = 0; i < count; i++)
		free(names[i].text);
	free(names);
}

void schema_free(struct schema *schema)
{
	ULONG count = schema && schema->info ? schema->info->PropertyCount : 0;

	if (!schema)
		return;
	for (ULONG i = 0; i < count; i++) {
		if (schema->names)
			free(schema->names[i]);
		if (schema->value_names && schema->value_names[i])
			free_names(schema->value_names[i],
				   schema->maps[i]->EntryCount);
		if (schema->maps)
			free(schema->maps[i]);
	}
	for (size_t i = 0; schema->keywords && schema->keywords[i]; i++)
		free(schema->keywords[i]);
	free(schema->names);
	free(schema->maps);
	free(schema->simple);
	free(schema->plain);
	free(schema->value_names);
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
	free(schema);
}

struct schema *schema_make(const EVENT_RECORD *record)
{
	EVENT_RECORD *event = (EVENT_RECORD *)record;
	struct schema *schema = calloc(1, sizeof(*schema));
	TRACE_EVENT_INFO *info;

	if (!schema)
		return NULL;
	info = get_info(event);
	if (!info)
		goto free_schema;
	schema->info = info;
	schema->names = calloc(info->PropertyCount + 1, sizeof(char *));
	schema->simple = calloc(info->PropertyCount + 1, sizeof(size_t));
	schema->maps = calloc(info->PropertyCount + 1, sizeof(void *));
	schema->plain = calloc(info->PropertyCount + 1, 1);
	schema->value_names = calloc(info->PropertyCount + 1, sizeof(void *));
	schema->hidden = calloc(info->PropertyCount + 1, sizeof(bool));
	if (!schema->names || !schema->simple || !schema->maps ||
	    !schema->plain || !schema->value_names || !schema->hidden)
		goto free_schema;
	for (ULONG i = 0; i < info->PropertyCount; i++) {
		const EVENT_PROPERTY_INFO *property =
			&info->EventPropertyInfoArray[i];

		schema->names[i] = narrow(TEI_PROPERTY_NAME(info, property));
		schema->simple[i] = simple_len(schema->names[i]);
		schema->plain[i] = plain_format(property);
		schema->hidden[i] = only_counts(info, i);
		if (property->Flags & PropertyStruct)
			continue;
		schema->maps[i] = get_map(event, TEI_MAP_NAME(info, property));
		schema->value_names[i] = name_values(property, schema->maps[i]);
		if (schema->value_names[i])
			schema->plain[i] = PLAIN_NAME;
	}
	schema->provider = narrow(TEI_PROVIDER_NAME(info));
	schema->name = narrow(evnt_tdh_text(info, info->EventNameOffset));
	schema->task = narrow(TEI_TASK_NAME(info));
	schema->opcode = narrow(TEI_OPCODE_NAME(info));
	schema->level = narrow(TEI_LEVEL_NAME(info));
	schema->channel = narrow(TEI_CHANNEL_NAME(info));
	schema->message = narrow(TEI_EVENT_MESSAGE(info));
	schema->inserts = find_inserts(schema->message);
	schema->keywords = narrow_list(TEI_KEYWORDS_NAME(info));
	return schema;
free_schema:
	schema_free(schema);
	return NULL;
}
