// SPDX-License-Identifier: MIT
/* What a manifest says of an event to people. */
#include <ctype.h>

#include "message.h"
#include "out.h"

/* A message has so many inserts at most */
#define MAX_INSERTS	100

/**
 * struct inserts - the fields of an event as texts
 * @schema: the event's
 * @record: the event
 * @depth: of structs and arrays that the walk is in
 * @current: the field that is of the event itself
 * @texts: of all, each with a nul behind it; of an array or struct, all values
 *	with commas
 * @at: where in @texts the text of each is, plus one; 0: it has none
 */
struct inserts {
	const struct schema *schema;
	const EVENT_RECORD *record;
	unsigned int depth;
	ULONG current;
	struct out *texts;
	size_t at[MAX_INSERTS];
};

/* The field that is of the event comes first in all that is told of it */
static void take_text(struct inserts *inserts, const char *text)
{
	size_t *at = &inserts->at[inserts->current];

	if (*at) {
		inserts->texts->len--;
		out_text(inserts->texts, ", ");
	} else {
		*at = inserts->texts->len + 1;
	}
	out_bytes(inserts->texts, text, strlen(text) + 1);
}

static ULONG WINAPI take(const EVNT_PROPERTY *property, PVOID context)
{
	struct inserts *inserts = context;
	enum field_kind kind;
	const char *text;

	if (!inserts->depth)
		inserts->current = property->Index;
	switch (property->Kind) {
	case EvntPropertyValue:
		text = fields_value(inserts->schema, inserts->record, property,
				    &kind);
		if (text && inserts->current < MAX_INSERTS)
			take_text(inserts, text);
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

/* %N, or %N!FORMAT!, whose format is of another world; returns what is behind */
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

/* What stands behind a % */
static const char *put_escape(struct out *out, const struct inserts *inserts,
			      const char *p)
{
	static const char letters[] = "nrtb", meant[] = "\n\r\t ";
	const char *letter;

	if (isdigit((unsigned char)*p) && *p != '0')
		return put_insert(out, inserts, p);
	if (!*p)
		return p;
	letter = strchr(letters, *p);
	out_char(out, letter ? meant[letter - letters] : *p);
	return p + 1;
}

static void put_message(struct out *out, const struct inserts *inserts)
{
	const char *p = inserts->schema->message;

	for (;;) {
		size_t len = strcspn(p, "%");

		out_bytes(out, p, len);
		p += len;
		if (!*p)
			return;
		/* Nothing is behind it, not even the end of the line */
		if (p[1] == '0')
			return;
		p = put_escape(out, inserts, p + 1);
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

void message_free(void)
{
	out_free(&message);
	out_free(&texts);
}
