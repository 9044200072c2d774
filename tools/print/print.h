/* SPDX-License-Identifier: MIT */
/* Output formats of events */
#ifndef EVNT_PRINT_H
#define EVNT_PRINT_H

#include <stdbool.h>

#include "tools/events/fields.h"
#include "tools/common/strbuf.h"

/*
 * Append an event as a line of text, a JSON object, a row of comma-separated
 * values, or an XML element. @full: the line contains all of a long payload.
 */
void print_text(struct out *out, const struct view *view, bool full);
void print_json(struct out *out, const struct view *view, bool full);
void print_csv(struct out *out, const struct view *view, bool full);
void print_xml(struct out *out, const struct view *view, bool full);

/* Append the text before or after all events */
void print_csv_begin(struct out *out);
void print_xml_begin(struct out *out);
void print_xml_end(struct out *out);

/*
 * Append an event's fields as a JSON object; return whether they cover all of
 * the payload
 */
bool json_put_fields(struct out *out, const EVENT_RECORD *record,
		     const struct schema *schema);

#endif /* EVNT_PRINT_H */
