/* SPDX-License-Identifier: MIT */
/*
 * Decoded payloads, by the event's own metadata or a manifest: names and values
 * in UTF-8
 */
#ifndef EVNT_FIELDS_H
#define EVNT_FIELDS_H

#include "decode/schema.h"
#include "tools/common/strbuf.h"
#include "tools/events/event_view.h"

/* Type of a value, for output formats that have types */
enum field_kind {
	FIELD_NUMBER,
	FIELD_BOOLEAN,
	FIELD_TEXT,	/* any text, must be quoted */
	FIELD_SYMBOL,	/* a GUID, a time, a hexadecimal number... */
};

/*
 * Return the schema of @record, which is of @kind, or NULL. The schema stays
 * valid until fields_free().
 */
const struct schema *fields_schema(struct kind *kind,
				   const EVENT_RECORD *record);
/* Free all schemas and kinds */
void fields_free(void);

/* Look up kinds without a schema again, after a manifest was loaded */
void fields_forget_unknown(void);

/* Return the event's name from its metadata or a manifest, or NULL */
const char *event_name(const struct kind *kind, const struct schema *schema);
/*
 * Return the provider's name from the event's metadata, its description or the
 * table of known providers, or NULL
 */
const char *provider_name(const struct kind *kind, const struct schema *schema);
/*
 * Return a title for outputs with a single name: the event's name, and its
 * opcode if that is significant. The caller frees it.
 */
char *event_title(const struct view *view, const struct schema *schema);

/**
 * struct fields - fields of an event
 * @schema: schema of the event
 * @record: event
 * @list: values, begins and ends of arrays and structs, in the payload's order
 * @count: number of elements of @list
 * @cover: the values cover all of the payload
 */
struct fields {
	const struct schema *schema;
	const EVENT_RECORD *record;
	EVNT_PROPERTY *list;
	size_t count;
	bool cover;
};

/* Return the fields of an event, valid until the next call; NULL for no schema */
const struct fields *fields_read(const struct schema *schema,
				 const EVENT_RECORD *record);

/* Return a value as text, valid until the next call; NULL if it has no value */
const char *fields_value(const struct schema *schema,
			 const EVENT_RECORD *record,
			 const EVNT_PROPERTY *property, enum field_kind *kind);

/*
 * Append a value whose format is plain, without quotes; return false if it has
 * another format, or if it contains characters to escape or a number that is not
 * exact in JSON.
 */
bool fields_put_plain(struct out *out, const struct schema *schema,
		      const EVNT_PROPERTY *property);

/* The same with quotes for @first and the formats behind it */
bool fields_put_quoted(struct out *out, const struct schema *schema,
		       const EVNT_PROPERTY *property, enum plain_format first);

/*
 * Like fields_value(), but return the number itself where a map has a name for
 * it
 */
const char *fields_unmapped(const struct schema *schema,
			    const EVENT_RECORD *record,
			    const EVNT_PROPERTY *property);

#endif /* EVNT_FIELDS_H */
