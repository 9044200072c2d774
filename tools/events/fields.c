// SPDX-License-Identifier: MIT
/* Decodes the payload of each kind of event */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/evnt.h"
#include "tools/common/json.h"
#include "tools/events/fields.h"
#include "tools/events/kind_text.h"
#include "decode/format.h"
#include "decode/known_providers.h"

/*
 * Generation of the loaded manifests; a kind records when it was last looked up
 */
static unsigned int known = 1;

const struct schema *fields_schema(struct kind *kind,
				   const EVENT_RECORD *record)
{
	if (!kind->schema && kind->looked != known)
		kind->schema = schema_make(record);
	kind->looked = known;
	return kind->schema;
}

const char *event_name(const struct kind *kind, const struct schema *schema)
{
	return kind->name[0] ? kind->name : schema ? schema->name : NULL;
}

const char *provider_name(const struct kind *kind, const struct schema *schema)
{
	if (kind->provider[0])
		return kind->provider;
	if (schema && schema->provider)
		return schema->provider;
	/* The key begins with the provider's id */
	return known_provider((const void *)kind->key);
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

void fields_forget_unknown(void)
{
	known++;
}

static struct {
	char *text;
	ULONG size;
} value;

/* Fields of the current event, and the room of their list */
static struct fields fields;
static size_t fields_room;

static void forget(struct kind *kind)
{
	schema_free(kind->schema);
	kind_text_free(kind);
}

void fields_free(void)
{
	kinds_each(view_kinds(), forget);
	kinds_free(view_kinds());
	free(value.text);
	memset(&value, 0, sizeof(value));
	free(fields.list);
	fields = (struct fields) {};
	fields_room = 0;
}

static ULONG WINAPI keep_field(const EVNT_PROPERTY *property, PVOID context)
{
	size_t *seen = context;

	if (fields.count == fields_room) {
		fields_room = fields_room ? 2 * fields_room : 64;
		fields.list = must_have(realloc(fields.list, fields_room *
						sizeof(*fields.list)));
	}
	fields.list[fields.count++] = *property;
	*seen += property->DataLength;
	return ERROR_SUCCESS;
}

const struct fields *fields_read(const struct schema *schema,
				 const EVENT_RECORD *record)
{
	size_t seen = 0;

	if (!schema)
		return NULL;
	fields.schema = schema;
	fields.record = record;
	fields.count = 0;
	fields.cover = !EvntEnumerateProperties(record, schema->info, keep_field,
						&seen) &&
		       seen == record->UserDataLength;
	return &fields;
}

/* Classify TDH's text as a number, a boolean or other text */
static enum field_kind kind_of_value(const EVENT_PROPERTY_INFO *property,
				     const char *text, bool mapped)
{
	USHORT in = property->nonStructType.InType;
	USHORT out = property->nonStructType.OutType;
	const char *digits = text + (*text == '-');

	switch (in) {
	case TDH_INTYPE_UNICODESTRING:
	case TDH_INTYPE_ANSISTRING:
	case TDH_INTYPE_MANIFEST_COUNTEDSTRING:
	case TDH_INTYPE_MANIFEST_COUNTEDANSISTRING:
		return FIELD_TEXT;
	}
	if ((in >= TDH_INTYPE_COUNTEDSTRING && in <= TDH_INTYPE_ANSICHAR) ||
	    (out == TDH_OUTTYPE_STRING && in != TDH_INTYPE_SID))
		return FIELD_TEXT;
	if (in == TDH_INTYPE_FLOAT || in == TDH_INTYPE_DOUBLE)
		return strpbrk(text, "0123456789") ? FIELD_NUMBER :
						     FIELD_SYMBOL;
	if (*digits && !digits[strspn(digits, "0123456789")])
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

/* Return the integer in a value, extended from its size by its sign or zeros */
static uint64_t number_of(const EVNT_PROPERTY *property, bool has_sign)
{
	uint64_t number = 0;
	int shift = 64 - 8 * property->DataLength;

	switch (property->DataLength) {
	case 1:
		memcpy(&number, property->Data, 1);
		break;
	case 2:
		memcpy(&number, property->Data, 2);
		break;
	case 4:
		memcpy(&number, property->Data, 4);
		break;
	case 8:
		memcpy(&number, property->Data, 8);
		break;
	}
	return has_sign ? (uint64_t)((int64_t)(number << shift) >> shift) :
			  number;
}

static char *put_number(char *at, const EVNT_PROPERTY *property,
			enum plain_format format)
{
	uint64_t number = number_of(property, format == PLAIN_SIGNED);

	if (format == PLAIN_HEX)
		return out_write_hex(at, number);
	if (format == PLAIN_SIGNED && (int64_t)number < 0) {
		*at++ = '-';
		number = -number;
	}
	return number <= JSON_EXACT_LIMIT ? out_write_unsigned(at, number) : NULL;
}

/* Narrow four units of UTF-16 to bytes */
static uint64_t narrow_units(uint64_t units)
{
	units = (units | units >> 8) & 0x0000ffff0000ffffull;
	return (units | units >> 16) & UINT32_MAX;
}

/* Write UTF-16 up to a nul; return NULL if it has another than plain ASCII */
static char *put_wide(char *at, const unsigned char *data, size_t count)
{
	uint64_t units[2], bytes;
	uint16_t unit;

	for (; count >= 8; count -= 8) {
		memcpy(units, data, sizeof(units));
		bytes = narrow_units(units[0]) | narrow_units(units[1]) << 32;
		if ((units[0] | units[1]) & 0xff80ff80ff80ff80ull ||
		    !out_all_plain(bytes))
			break;
		memcpy(at, &bytes, sizeof(bytes));
		at += sizeof(bytes);
		data += sizeof(units);
	}
	for (; count; count--) {
		memcpy(&unit, data, sizeof(unit));
		if (unit >= 0x80 || !out_is_plain(unit))
			return unit ? NULL : at;
		*at++ = unit;
		data += sizeof(unit);
	}
	return at;
}

/* The same for bytes */
static char *put_narrow(char *at, const unsigned char *data, size_t count)
{
	uint64_t bytes;

	for (; count >= sizeof(bytes); count -= sizeof(bytes)) {
		memcpy(&bytes, data, sizeof(bytes));
		if (!out_all_plain(bytes))
			break;
		memcpy(at, &bytes, sizeof(bytes));
		at += sizeof(bytes);
		data += sizeof(bytes);
	}
	for (; count; count--, data++) {
		if (*data >= 0x80 || !out_is_plain(*data))
			return *data ? NULL : at;
		*at++ = *data;
	}
	return at;
}

static char *put_name(char *at, const struct schema *schema,
		      const EVNT_PROPERTY *property)
{
	const struct value_name *names = schema->value_names[property->Index];
	ULONG count = schema->maps[property->Index]->EntryCount;
	uint64_t number = number_of(property, false);

	for (ULONG i = 0; i < count; i++) {
		if (names[i].value == number)
			return names[i].text ?
			       mempcpy(at, names[i].text, names[i].len) : NULL;
	}
	return NULL;
}

/* Room for a value in a plain format, and quotes */
static size_t plain_room(const EVNT_PROPERTY *property)
{
	return property->DataLength + NAME_TEXT + 2;
}

/* Write a value at @at; return its end, or NULL if it has no plain format */
static inline char *put_plain(char *at, const struct schema *schema,
			      const EVNT_PROPERTY *property)
{
	enum plain_format format = schema->plain[property->Index];

	switch (format) {
	case PLAIN_NONE:
		return NULL;
	case PLAIN_UNSIGNED:
	case PLAIN_SIGNED:
	case PLAIN_HEX:
		return put_number(at, property, format);
	case PLAIN_WIDE:
		return put_wide(at, property->Data, property->DataLength / 2);
	case PLAIN_NARROW:
		return put_narrow(at, property->Data, property->DataLength);
	case PLAIN_NAME:
		return put_name(at, schema, property);
	}
	return NULL;
}

bool fields_put_plain(struct out *out, const struct schema *schema,
		      const EVNT_PROPERTY *property)
{
	char *at = out_room(out, plain_room(property));
	char *end = put_plain(at, schema, property);

	if (!end)
		return false;
	out->len += end - at;
	return true;
}

bool fields_put_quoted(struct out *out, const struct schema *schema,
		       const EVNT_PROPERTY *property, enum plain_format first)
{
	const bool quoted = schema->plain[property->Index] >= first;
	char *at = out_room(out, plain_room(property)), *end;

	*at = '"';
	end = put_plain(at + quoted, schema, property);
	if (!end)
		return false;
	*end = '"';
	out->len += end + quoted - at;
	return true;
}

const char *fields_unmapped(const struct schema *schema,
			    const EVENT_RECORD *record,
			    const EVNT_PROPERTY *property)
{
	return format_value(schema, record, property, NULL);
}
