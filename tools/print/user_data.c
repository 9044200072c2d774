// SPDX-License-Identifier: MIT
/*
 * XML of an event by the UserData element of its template.
 *
 * TDH describes the element in the binary form of compiled manifests: tokens for
 * begin and end of elements, attributes and texts, and substitutions, which are
 * numbers of fields.  The form may come from a file of any program.
 */
#include <stdlib.h>
#include <string.h>

#include "decode/format.h"
#include "tools/evnt.h"
#include "tools/print/user_data.h"

enum token {
	END_FRAGMENT = 0x00,
	OPEN_ELEMENT = 0x01,
	CLOSE_START = 0x02,
	CLOSE_EMPTY = 0x03,
	END_ELEMENT = 0x04,
	TEXT = 0x05,
	ATTRIBUTE = 0x06,
	SUBSTITUTION = 0x0d,
	OPTIONAL_SUBSTITUTION = 0x0e,
	FRAGMENT_HEADER = 0x0f,
	MORE = 0x40,	/* flag: more items follow */
};

#define TYPE_STRING	1

/**
 * struct field_texts - values of a top-level field
 * @first: index of the first value in the offsets of all values
 * @count: number of values
 */
struct field_texts {
	size_t first;
	size_t count;
};

/**
 * struct user_data - state of writing an event
 * @w: output
 * @record: event
 * @schema: schema of the event
 * @at: next byte of the definition
 * @end: end of the definition
 * @fields: values of each top-level field
 * @text: latest text of the definition
 * @texts: all values, each with a nul
 * @offsets: size_t offsets of the values in @texts
 * @depth: nesting depth of structs, while values are collected
 * @seen: number of payload bytes consumed
 */
struct user_data {
	struct xml_writer *w;
	const EVENT_RECORD *record;
	const struct schema *schema;
	const uint8_t *at;
	const uint8_t *end;
	struct field_texts *fields;
	char *text;
	struct out texts;
	struct out offsets;
	unsigned int depth;
	size_t seen;
};

static void begin_value(struct user_data *u, ULONG index)
{
	struct field_texts *field = &u->fields[index];

	if (!field->count++)
		field->first = u->offsets.len / sizeof(size_t);
	out_bytes(&u->offsets, &u->texts.len, sizeof(u->texts.len));
}

static ULONG WINAPI collect(const EVNT_PROPERTY *property, PVOID context)
{
	struct user_data *u = context;
	enum field_kind kind;
	const char *text;

	switch (property->Kind) {
	case EvntPropertyValue:
		u->seen += property->DataLength;
		if (u->depth) {
			out_hex(&u->texts, property->Data,
				property->DataLength);
			break;
		}
		begin_value(u, property->Index);
		text = fields_value(u->schema, u->record, property, &kind);
		out_text(&u->texts, text ? text : "");
		out_char(&u->texts, '\0');
		break;
	case EvntPropertyStructBegin:
		if (!u->depth++)
			begin_value(u, property->Index);
		break;
	case EvntPropertyStructEnd:
		if (!--u->depth)
			out_char(&u->texts, '\0');
		break;
	case EvntPropertyArrayBegin:
	case EvntPropertyArrayEnd:
		break;
	}
	return ERROR_SUCCESS;
}

/* Take @len bytes of the definition; NULL if there are fewer */
static const uint8_t *take(struct user_data *u, size_t len)
{
	const uint8_t *at = u->at;

	if ((size_t)(u->end - at) < len)
		return NULL;
	u->at += len;
	return at;
}

static unsigned int number_at(const uint8_t *bytes)
{
	return bytes[0] | bytes[1] << 8;
}

/* Take a number of UTF-16 units, and the units as UTF-8, which is freed later */
static char *take_text(struct user_data *u)
{
	const uint8_t *head = take(u, 2), *units;
	WCHAR *wide;
	char *text;
	size_t len;

	if (!head)
		return NULL;
	len = number_at(head);
	units = take(u, 2 * len);
	if (!units)
		return NULL;
	/* The units of the definition may be unaligned */
	wide = must_have(malloc(2 * len + 2));
	memcpy(wide, units, 2 * len);
	text = must_have(malloc(UTF16_TEXT(len)));
	format_utf16(wide, len, text, UTF16_TEXT(len));
	free(wide);
	return text;
}

/* Take a hash, a name, and its nul */
static char *take_name(struct user_data *u)
{
	static const char marks[] = "!\"#$%&'()*+,/;<=>?@[\\]^`{|}~";
	char *name = take(u, 2) ? take_text(u) : NULL;
	bool good = name && take(u, 2) && *name && !strpbrk(name, marks) &&
		    !strchr("-.0123456789", *name);

	for (const char *p = name; good && *p; p++)
		good = (unsigned char)*p > ' ' && *p != 0x7f;
	if (good)
		return name;
	free(name);
	return NULL;
}

/*
 * Return the value of a substitution, "" if there is none; @repeat is the
 * number of the element that contains it, and the field's number of values is
 * the number of such elements
 */
static const char *substitute(struct user_data *u, unsigned int field,
			      size_t repeat, size_t *repeats)
{
	const struct field_texts *texts = &u->fields[field];
	size_t offset;

	if (field >= u->schema->info->TopLevelPropertyCount)
		return "";
	if (repeats && texts->count > *repeats)
		*repeats = texts->count;
	if (repeat >= texts->count)
		return "";
	memcpy(&offset, u->offsets.text + (texts->first + repeat) *
	       sizeof(offset), sizeof(offset));
	return u->texts.text + offset;
}

/*
 * Take the rest of a text or a substitution, and return its text, valid until
 * the next one; NULL if it is malformed
 */
static const char *take_value(struct user_data *u, uint8_t token, size_t repeat,
			      size_t *repeats)
{
	const uint8_t *bytes;

	switch (token & ~MORE) {
	case TEXT:
		bytes = take(u, 1);
		free(u->text);
		u->text = bytes && *bytes == TYPE_STRING ? take_text(u) : NULL;
		return u->text;
	case SUBSTITUTION:
	case OPTIONAL_SUBSTITUTION:
		bytes = take(u, 3);
		return bytes ? substitute(u, number_at(bytes), repeat,
					  repeats) : NULL;
	}
	return NULL;
}

static bool put_attributes(struct user_data *u)
{
	const uint8_t *token = take(u, 4);	/* the list's size */
	const char *value;
	bool more = true;
	char *name;

	while (token && more) {
		token = take(u, 1);
		if (!token || (*token & ~MORE) != ATTRIBUTE)
			return false;
		more = *token & MORE;
		name = take_name(u);
		token = name ? take(u, 1) : NULL;
		value = token ? take_value(u, *token, 0, NULL) : NULL;
		if (value)
			xml_attribute(u->w, name, value);
		else
			token = NULL;
		free(name);
	}
	return token;
}

static bool put_element(struct user_data *u, bool has_attributes,
			size_t repeat, size_t *repeats);

/*
 * Write an element as often as its text has values, or once if it contains
 * other elements, because repeated elements in each other could be any number
 */
static bool put_elements(struct user_data *u, bool has_attributes)
{
	const uint8_t *start = u->at;
	size_t repeats = 1;
	bool good = true;

	for (size_t i = 0; good && i < repeats; i++) {
		u->at = start;
		good = put_element(u, has_attributes, i, &repeats);
	}
	return good;
}

static bool put_content(struct user_data *u, size_t repeat, size_t *repeats)
{
	const uint8_t *token = take(u, 1);
	size_t ignored = 0;
	const char *text;

	for (; token && *token != END_ELEMENT; token = take(u, 1)) {
		if ((*token & ~MORE) == OPEN_ELEMENT) {
			*repeats = 1;
			repeats = &ignored;
			if (!put_elements(u, *token & MORE))
				return false;
			continue;
		}
		text = take_value(u, *token, repeat, repeats);
		if (!text)
			return false;
		if (*text)
			xml_text(u->w, text);
	}
	return token;
}

static bool put_element(struct user_data *u, bool has_attributes,
			size_t repeat, size_t *repeats)
{
	/* The element's dependency and its size */
	bool good = u->w->depth < XML_DEPTH && take(u, 6);
	char *name = good ? take_name(u) : NULL;
	const uint8_t *token;

	if (!name)
		return false;
	xml_begin(u->w, name);
	good = !has_attributes || put_attributes(u);
	token = good ? take(u, 1) : NULL;
	good = token && (*token == CLOSE_EMPTY ||
			 (*token == CLOSE_START &&
			  put_content(u, repeat, repeats)));
	xml_end(u->w);
	free(name);
	return good;
}

bool user_data_put(struct xml_writer *w, const EVENT_RECORD *record,
		   const struct schema *schema)
{
	const TRACE_EVENT_INFO *info = schema->info;
	struct user_data u = {
		.w = w,
		.record = record,
		.schema = schema,
		.at = (const uint8_t *)info + info->BinaryXMLOffset,
	};
	const uint8_t *token;
	ULONG code;
	bool good;

	u.end = u.at + info->BinaryXMLSize;
	u.fields = must_have(calloc(info->TopLevelPropertyCount + 1,
				    sizeof(*u.fields)));
	out_room(&u.texts, 1);
	code = EvntEnumerateProperties(record, info, collect, &u);
	if (u.depth)
		out_char(&u.texts, '\0');
	token = take(&u, 4);
	good = token && *token == FRAGMENT_HEADER;
	token = good ? take(&u, 1) : NULL;
	good = token && (*token & ~MORE) == OPEN_ELEMENT &&
	       put_elements(&u, *token & MORE) &&
	       !code && u.seen == record->UserDataLength;
	free(u.text);
	out_free(&u.texts);
	out_free(&u.offsets);
	free(u.fields);
	return good;
}
