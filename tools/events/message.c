// SPDX-License-Identifier: MIT
/* Formats the message that a manifest defines for an event */
#include <ctype.h>
#include <stdlib.h>

#include "tools/events/message.h"
#include "tools/common/strbuf.h"

/* Maximum number of inserts in a message */
#define MAX_INSERTS	100

/**
 * struct inserts - top-level fields of an event
 * @fields: fields of the event
 * @first: indexes in the list of @fields where each of them begins
 * @count: number of elements of @first
 */
struct inserts {
	const struct fields *fields;
	uint32_t first[MAX_INSERTS];
	unsigned int count;
};

/* Return the change of the depth of structs and arrays by an element */
static int nesting(const EVNT_PROPERTY *property)
{
	if (property->Kind == EvntPropertyValue)
		return 0;
	return property->Kind == EvntPropertyArrayBegin ||
	       property->Kind == EvntPropertyStructBegin ? 1 : -1;
}

static void find_inserts(const struct fields *fields, struct inserts *inserts)
{
	unsigned int depth = 0;

	inserts->fields = fields;
	inserts->count = 0;
	for (uint32_t i = 0; i < fields->count; i++) {
		int change = nesting(&fields->list[i]);

		if (!depth && inserts->count < MAX_INSERTS)
			inserts->first[inserts->count++] = i;
		depth += change;
	}
}

/* Append a value; return false if it has no text */
static bool put_value(struct out *out, const struct fields *fields,
		      const EVNT_PROPERTY *property)
{
	enum field_kind kind;
	const char *text;

	if (fields_put_plain(out, fields->schema, property))
		return true;
	text = fields_value(fields->schema, fields->record, property, &kind);
	if (text)
		out_text(out, text);
	return text;
}

/*
 * Append the values of a top-level field, separated by commas; return false if
 * it has none
 */
static bool put_field(struct out *out, const struct fields *fields, size_t i)
{
	bool has_text = false;
	int depth = 0;
	size_t begin;

	do {
		const EVNT_PROPERTY *property = &fields->list[i];

		depth += nesting(property);
		if (property->Kind != EvntPropertyValue)
			continue;
		begin = out->len;
		if (has_text)
			out_text(out, ", ");
		if (put_value(out, fields, property))
			has_text = true;
		else
			out->len = begin;
	} while (depth && ++i < fields->count);
	return has_text;
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
	if (!number || number > inserts->count ||
	    !put_field(out, inserts->fields, inserts->first[number - 1])) {
		out_char(out, '%');
		out_unsigned(out, number);
	}
	end = *p == '!' ? strchr(p + 1, '!') : NULL;
	return end ? end + 1 : p;
}

static void put_message(struct out *out, const struct inserts *inserts)
{
	static const char letters[] = "nrtb", meant[] = "\n\r\t ";
	const char *p = inserts->fields->schema->message, *letter;

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

static struct out message;

const char *message_text(const struct fields *fields)
{
	struct inserts inserts;

	if (!fields->schema->message || !*fields->schema->message)
		return NULL;
	message.len = 0;
	find_inserts(fields, &inserts);
	put_message(&message, &inserts);
	while (message.len && isspace((unsigned char)message.text[message.len - 1]))
		message.len--;
	return out_string(&message);
}

void message_free(void)
{
	out_free(&message);
}
