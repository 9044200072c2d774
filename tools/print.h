/* SPDX-License-Identifier: MIT */
/* How events are printed, in each of the forms that there are. */
#ifndef EVNT_PRINT_H
#define EVNT_PRINT_H

#include <stdbool.h>

#include "fields.h"
#include "out.h"

/*
 * A line for people; an object of JSON; a row of comma-separated values; an element
 * of XML.  @full: a line shows all of a long payload, not just how it begins.
 */
void print_text(struct out *out, const struct view *view, bool full);
void print_json(struct out *out, const struct view *view, bool full);
void print_csv(struct out *out, const struct view *view, bool full);
void print_xml(struct out *out, const struct view *view, bool full);

/* What comes before all events, and behind */
void print_csv_begin(struct out *out);
void print_xml_begin(struct out *out);
void print_xml_end(struct out *out);

/* An event's fields as an object; returns whether they are all that there is */
bool json_put_fields(struct out *out, const EVENT_RECORD *record,
		     const struct schema *schema);

#endif /* EVNT_PRINT_H */
