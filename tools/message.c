// SPDX-License-Identifier: MIT
/* What a manifest says of an event to people. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

/* A message has so many inserts at most */
#define MAX_INSERTS	100

/**
 * struct inserts - the fields of an event as texts
 * @schema: the event's
 * @record: the event
 * @depth: of structs and arrays that the walk is in
 * @current: the field that is of the event itself
 * @texts: of each; of an array or struct, all values with commas
 */
struct inserts {
	const struct schema *schema;
	const EVENT_RECORD *record;
	unsigned int depth;
	ULONG current;
	char *texts[MAX_INSERTS];
};

/* @old, which is freed, and @text behind it */
static char *joined(char *old, const char *text)
{
	char *more;

	if (asprintf(&more, "%s%s%s", old ? old : "", old ? ", " : "",
		     text) < 0)
		return old;
	free(old);
	return more;
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
			inserts->texts[inserts->current] =
				joined(inserts->texts[inserts->current], text);
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
static const char *put_insert(FILE *out, const struct inserts *inserts,
			      const char *p)
{
	unsigned int number = 0;
	const char *end;

	while (isdigit((unsigned char)*p) && number < 1000)
		number = 10 * number + *p++ - '0';
	if (number && number <= MAX_INSERTS && inserts->texts[number - 1])
		fputs(inserts->texts[number - 1], out);
	else
		fprintf(out, "%%%u", number);
	end = *p == '!' ? strchr(p + 1, '!') : NULL;
	return end ? end + 1 : p;
}

/* What stands behind a % */
static const char *put_escape(FILE *out, const struct inserts *inserts,
			      const char *p)
{
	static const char letters[] = "nrtb", meant[] = "\n\r\t ";
	const char *letter;

	if (isdigit((unsigned char)*p) && *p != '0')
		return put_insert(out, inserts, p);
	if (!*p)
		return p;
	letter = strchr(letters, *p);
	fputc(letter ? meant[letter - letters] : *p, out);
	return p + 1;
}

static void put_message(FILE *out, const struct inserts *inserts)
{
	const char *p = inserts->schema->message;

	while (*p) {
		if (*p != '%') {
			fputc(*p++, out);
			continue;
		}
		/* Nothing is behind it, not even the end of the line */
		if (p[1] == '0')
			return;
		p = put_escape(out, inserts, p + 1);
	}
}

char *message_text(const struct schema *schema, const EVENT_RECORD *record)
{
	struct inserts inserts = { .schema = schema, .record = record };
	char *text = NULL;
	size_t len;
	FILE *out;

	if (!schema->message || !*schema->message)
		return NULL;
	out = open_memstream(&text, &len);
	if (!out)
		return NULL;
	EvntEnumerateProperties(record, schema->info, take, &inserts);
	put_message(out, &inserts);
	fclose(out);
	for (size_t i = 0; i < MAX_INSERTS; i++)
		free(inserts.texts[i]);
	while (text && len && isspace((unsigned char)text[len - 1]))
		text[--len] = '\0';
	return text;
}
