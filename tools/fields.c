// SPDX-License-Identifier: MIT
/* What an event's payload means: what TDH says, kept for each kind of events. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evnt.h"
#include "fields.h"
#include "format.h"

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
	free(schema);
}

const struct schema *fields_schema(struct kind *kind,
				   const EVENT_RECORD *record)
{
	struct schema *schema;

	if (kind->looked)
		return kind->schema;
	kind->looked = true;
	schema = must_have(calloc(1, sizeof(*schema)));
	if (make_schema((EVENT_RECORD *)record, schema))
		kind->schema = schema;
	else
		free_schema(schema);
	return kind->schema;
}

const char *event_name(const struct kind *kind, const struct schema *schema)
{
	return kind->name[0] ? kind->name : schema ? schema->name : NULL;
}

const char *provider_name(const struct kind *kind, const struct schema *schema)
{
	return kind->provider[0] ? kind->provider :
				   schema ? schema->provider : NULL;
}

char *event_title(const struct view *view, const struct schema *schema)
{
	const EVENT_DESCRIPTOR *d = &view->record->EventHeader.EventDescriptor;
	const char *name = event_name(view->kind, schema);
	char number[NUMBER_TEXT], *text;
	const char *opcode;
	int len;

	format_opcode(d->Opcode, number);
	opcode = schema && schema->opcode && *schema->opcode ?
		 schema->opcode : number;
	if ((!name || !*name) && schema && schema->task)
		name = schema->task;
	if (!name || !*name)
		len = asprintf(&text, "event %u (%s)", d->Id, opcode);
	else if (d->Opcode)
		len = asprintf(&text, "%s (%s)", name, opcode);
	else
		len = asprintf(&text, "%s", name);
	return must_have(len < 0 ? NULL : text);
}

static void look_again(struct kind *kind)
{
	kind->looked = kind->schema;
}

void fields_forget_unknown(void)
{
	kinds_each(look_again);
}

static struct {
	char *text;
	ULONG size;
} value;

static void forget(struct kind *kind)
{
	if (kind->schema)
		free_schema(kind->schema);
}

void fields_free(void)
{
	kinds_each(forget);
	kinds_free();
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
static enum field_kind kind_of_value(const EVENT_PROPERTY_INFO *property,
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

static ULONG try_format(const struct schema *schema,
			const EVENT_RECORD *record,
			const EVNT_PROPERTY *property,
			const EVENT_MAP_INFO *map, ULONG *size)
{
	bool narrow_pointers = record->EventHeader.Flags &
			       EVENT_HEADER_FLAG_32_BIT_HEADER;

	*size = value.size;
	return EvntFormatProperty(schema->info, map, narrow_pointers ? 4 : 8,
				  property, size, value.text);
}

static const char *format_value(const struct schema *schema,
				const EVENT_RECORD *record,
				const EVNT_PROPERTY *property,
				const EVENT_MAP_INFO *map)
{
	ULONG size, code = try_format(schema, record, property, map, &size);

	if (code == ERROR_INSUFFICIENT_BUFFER) {
		free(value.text);
		value.text = must_have(malloc(size));
		value.size = size;
		code = try_format(schema, record, property, map, &size);
	}
	return code ? NULL : value.text;
}

const char *fields_value(const struct schema *schema,
			 const EVENT_RECORD *record,
			 const EVNT_PROPERTY *property, enum field_kind *kind)
{
	const EVENT_MAP_INFO *map = schema->maps[property->Index];
	const char *text = format_value(schema, record, property, map);

	if (text)
		*kind = kind_of_value(&schema->info->EventPropertyInfoArray[property->Index],
				      text, map);
	return text;
}

const char *fields_unmapped(const struct schema *schema,
			    const EVENT_RECORD *record,
			    const EVNT_PROPERTY *property)
{
	return format_value(schema, record, property, NULL);
}
