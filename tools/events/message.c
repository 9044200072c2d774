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
 * @at: offset of each field's text in @texts plus one; 0: the field has no text
 */
struct inserts {
	const struct schema *schema;
	const EVENT_RECORD *record;
	unsigned int depth;
	ULONG current;
	struct out *texts;
	size_t at[MAX_INSERTS];
};

/* Append a value to the text of its top-level field */
static ULONG WINAPI take(const EVNT_PROPERTY *property, PVOID context)
{
	struct inserts *inserts = context;
	enum field_kind kind;
	const char *text;
	size_t *at;

	if (!inserts->depth)
		inserts->current = property->Index;
	switch (property->Kind) {
	case EvntPropertyValue:
		text = fields_value(inserts->schema, inserts->record, property,
				    &kind);
		if (!text || inserts->current >= MAX_INSERTS)
			break;
		at = &inserts->at[inserts->current];
		if (*at) {
			inserts->texts->len--;
			out_text(inserts->texts, ", ");
		} else {
			*at = inserts->texts->len + 1;
		}
		out_bytes(inserts->texts, text, strlen(text) + 1);
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
		size_t len = strcspn(p, "%");

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

const char *message_text(const struct schema *schema,
			 const EVENT_RECORD *record)
{
	struct inserts inserts = {
		.schema = schema,
		.record = record,
		.texts = &texts,
	};

	if (!schema->message || !*schema->message)
		return NULL;
	message.len = 0;
	texts.len = 0;
	if (strchr(schema->message, '%'))
		EvntEnumerateProperties(record, schema->info, take, &inserts);
	put_message(&message, &inserts);
	while (message.len && isspace((unsigned char)message.text[message.len - 1]))
		message.len--;
	return out_string(&message);
}

uint64_t message_fields(const struct schema *schema)
{
	const char *at = schema->message ? schema->message : "";
	uint64_t fields = 0;
	unsigned long number;

	while (*at) {
		if (*at++ != '%')
			continue;
		if (*at == '0')	/* the message's end, as in put_message() */
			break;
		number = isdigit((unsigned char)*at) ? strtoul(at, NULL, 10) : 0;
		if (number && number <= 64)
			fields |= 1ull << (number - 1);
		else if (*at)	/* an escaped character, as %% */
			at++;
	}
	return fields;
}

void message_free(void)
{
	out_free(&message);
	out_free(&texts);
}
