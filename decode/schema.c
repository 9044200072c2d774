// SPDX-License-Identifier: MIT
/* Descriptions of kinds of events by TDH */
#include <stdlib.h>

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

void schema_free(struct schema *schema)
{
	ULONG count = schema && schema->info ? schema->info->PropertyCount : 0;

	if (!schema)
		return;
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
	schema->maps = calloc(info->PropertyCount + 1, sizeof(void *));
	schema->hidden = calloc(info->PropertyCount + 1, sizeof(bool));
	if (!schema->names || !schema->maps || !schema->hidden)
		goto free_schema;
	for (ULONG i = 0; i < info->PropertyCount; i++) {
		const EVENT_PROPERTY_INFO *property =
			&info->EventPropertyInfoArray[i];

		schema->names[i] = narrow(TEI_PROPERTY_NAME(info, property));
		schema->hidden[i] = only_counts(info, i);
		if (!(property->Flags & PropertyStruct))
			schema->maps[i] = get_map(event,
						  TEI_MAP_NAME(info, property));
	}
	schema->provider = narrow(TEI_PROVIDER_NAME(info));
	schema->name = narrow(evnt_tdh_text(info, info->EventNameOffset));
	schema->task = narrow(TEI_TASK_NAME(info));
	schema->opcode = narrow(TEI_OPCODE_NAME(info));
	schema->level = narrow(TEI_LEVEL_NAME(info));
	schema->channel = narrow(TEI_CHANNEL_NAME(info));
	schema->message = narrow(TEI_EVENT_MESSAGE(info));
	schema->keywords = narrow_list(TEI_KEYWORDS_NAME(info));
	return schema;
free_schema:
	schema_free(schema);
	return NULL;
}
