// SPDX-License-Identifier: MIT
/* Formats the message that a manifest defines for an event */
#include <ctype.h>
#include <stdlib.h>

#include "tools/events/message.h"
#include "tools/common/strbuf.h"

/* Maximum number of inserts in a message */
#define MAX_INSERTS	100

/**
 * struct inserts - fields of an event as texts
 * @schema: schema of the event
 * @record: event
 * @depth: nesting depth of structs and arrays during the walk
 * @current: index of the top-level field
 * @texts: nul-terminated texts of the fields; the values of an array or struct
 *   are separated by commas
 * @at: offsets of the texts of MAX_INSERTS fields in @texts plus one; 0: the field
 *   has no text
 */
struct inserts {
	const struct schema *schema;
	const EVENT_RECORD *record;
	unsigned int depth;
	ULONG current;
	struct out *texts;
	uint32_t *at;
};

/* Offsets of struct inserts, all zero between messages */
static uint32_t offsets[MAX_INSERTS];

/* Append a value and a nul; return false if it has no text */
static bool put_value(const struct inserts *inserts,
		      const EVNT_PROPERTY *property)
{
	struct out *texts = inserts->texts;
	size_t begin = texts->len;
	enum field_kind kind;
	const char *text;

	if (!fields_put_plain(texts, inserts->schema, property)) {
		texts->len = begin;
		text = fields_value(inserts->schema, inserts->record, property,
				    &kind);
		if (!text)
			return false;
		out_text(texts, text);
	}
	out_char(texts, '\0');
	return true;
}

/* Append a value to the text of its top-level field */
static void take_value(struct inserts *inserts, const EVNT_PROPERTY *property)
{
	uint32_t *at = &inserts->at[inserts->current];
	struct out *texts = inserts->texts;
	size_t end = texts->len;

	/* A comma replaces the nul of the value before */
	if (*at) {
		texts->len--;
		out_text(texts, ", ");
	}
	if (!put_value(inserts, property)) {
		texts->len = end;
		if (*at)
			texts->text[end - 1] = '\0';
	} else if (!*at) {
		*at = end + 1;
	}
}

/* Check whether the message may contain the current field */
static bool is_needed(const struct inserts *inserts)
{
	ULONG field = inserts->current;

	return field < MAX_INSERTS &&
	       (field >= 64 || inserts->schema->inserts >> field & 1);
}

static ULONG WINAPI take(const EVNT_PROPERTY *property, PVOID context)
{
	struct inserts *inserts = context;

	if (!inserts->depth)
		inserts->current = property->Index;
	switch (property->Kind) {
	case EvntPropertyValue:
		if (is_needed(inserts))
			take_value(inserts, property);
		break;
	case EvntPropertyArrayBegin:
	case EvntPropertyStructBegin:
		inserts->depth++;
		break;
	case EvntPropertyArrayEnd:
	case EvntPropertyStructEnd:
		inserts->depth--;
		break;
	}
	return ERROR_SUCCESS;
}

/*
 * Expand %N, or %N!FORMAT! ignoring the format, which is Windows' own. Return
 * the rest.
 */
static const char *put_insert(struct out *out, const struct inserts *inserts,
			      const char *p)
{
	unsigned int number = 0;
	const char *end;

	while (isdigit((unsigned char)*p) && number < 1000)
		number = 10 * number + *p++ - '0';
	if (number && number <= MAX_INSERTS && inserts->at[number - 1]) {
		out_text(out, inserts->texts->text + inserts->at[number - 1] - 1);
	} else {
		out_char(out, '%');
		out_unsigned(out, number);
	}
	end = *p == '!' ? strchr(p + 1, '!') : NULL;
	return end ? end + 1 : p;
}

static void put_message(struct out *out, const struct inserts *inserts)
{
	static const char letters[] = "nrtb", meant[] = "\n\r\t ";
	const char *p = inserts->schema->message, *letter;

	for (;;) {
		size_t len = strchrnul(p, '%') - p;

		out_bytes(out, p, len);
		p += len;
		/* %0 ends the message without a newline */
		if (!*p || p[1] == '0')
			return;
		p++;
		if (isdigit((unsigned char)*p)) {
			p = put_insert(out, inserts, p);
		} else if (*p) {
			letter = strchr(letters, *p);
			out_char(out, letter ? meant[letter - letters] : *p);
			p++;
		}
	}
}

static struct out message, texts;

static const char *format_message(const struct schema *schema,
				  const EVENT_RECORD *record)
{
	struct inserts inserts = {
		.schema = schema,
		.record = record,
		.texts = &texts,
		.at = offsets,
	};
	ULONG count = schema->info->TopLevelPropertyCount;

	message.len = 0;
	texts.len = 0;
	if (schema->inserts || strchr(schema->message, '%'))
		EvntEnumerateProperties(record, schema->info, take, &inserts);
	put_message(&message, &inserts);
	memset(offsets, 0, sizeof(*offsets) *
	       (count < MAX_INSERTS ? count : MAX_INSERTS));
	while (message.len && isspace((unsigned char)message.text[message.len - 1]))
		message.len--;
	return out_string(&message);
}

const char *message_text(const struct schema *schema,
			 const EVENT_RECORD *record)
{
	if (!schema->message || !*schema->message)
		return NULL;
	return format_message(schema, record);
}

void message_free(void)
{
	out_free(&message);
	out_free(&texts);
}
