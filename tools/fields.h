/* SPDX-License-Identifier: MIT */
/*
 * What an event's payload means, as far as its own description or a manifest
 * says: names and values, in UTF-8.
 */
#ifndef EVNT_FIELDS_H
#define EVNT_FIELDS_H

#include "schema.h"
#include "view.h"

/* How a value is to be written where there are types */
enum field_kind {
	FIELD_NUMBER,
	FIELD_BOOLEAN,
	FIELD_TEXT,	/* may be anything: is quoted */
	FIELD_SYMBOL,	/* a GUID, a time, a hexadecimal number... */
};

/* What describes @record, which is of @kind, or NULL; kept until fields_free() */
const struct schema *fields_schema(struct kind *kind,
				   const EVENT_RECORD *record);
/* Frees kinds, too */
void fields_free(void);

/* What was not described may be, now that there is another manifest */
void fields_forget_unknown(void);

/* The event's name, as it says itself or a manifest does; or NULL */
const char *event_name(const struct kind *kind, const struct schema *schema);
/* The provider's, likewise */
const char *provider_name(const struct kind *kind, const struct schema *schema);
/*
 * What to call an event where there is just one name: with its opcode, if that says
 * something; to be freed
 */
char *event_title(const struct view *view, const struct schema *schema);

/* A value as text, which is valid until the next call; NULL when it has none */
const char *fields_value(const struct schema *schema,
			 const EVENT_RECORD *record,
			 const EVNT_PROPERTY *property, enum field_kind *kind);

/* Likewise, the number that a map may have a name for */
const char *fields_unmapped(const struct schema *schema,
			    const EVENT_RECORD *record,
			    const EVNT_PROPERTY *property);

#endif /* EVNT_FIELDS_H */
