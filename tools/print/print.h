/* SPDX-License-Identifier: MIT */
/* Output formats of events */
#ifndef EVNT_PRINT_H
#define EVNT_PRINT_H

#include <stdbool.h>

#include "tools/events/fields.h"
#include "tools/common/strbuf.h"

/*
 * Append an event as a line of text for people, a line with all of its header,
 * a JSON object, a row of comma-separated values, or an XML element. @full: the
 * line contains all of a long payload, and JSON the raw extended items.
 */
void print_text(struct out *out, const struct view *view, bool full);
void print_full(struct out *out, const struct view *view, bool full);
void print_json(struct out *out, const struct view *view, bool full);
void print_csv(struct out *out, const struct view *view, bool full);
void print_xml(struct out *out, const struct view *view, bool full);

/* Append the text before or after all events */
void print_text_begin(struct out *out);
void print_csv_begin(struct out *out);
void print_xml_begin(struct out *out);
void print_xml_end(struct out *out);

/*
 * Append an event's fields as text; return whether they cover all of the
 * payload. @skipped: bitmask of the first 64 fields, to omit these
 */
bool text_put_fields(struct out *out, const struct fields *fields,
		     uint64_t skipped);
/* Append a process's name, or NULL, and id; records of a kernel may have none */
void text_put_process(struct out *out, const char *name, uint32_t pid);
/* Append a line for each frame of the call stack, if there is one */
void text_put_stack(struct out *out, const EVENT_RECORD *record);

/*
 * Append an event's fields as a JSON object; return whether they cover all of
 * the payload
 */
bool json_put_fields(struct out *out, const struct fields *fields);

#endif /* EVNT_PRINT_H */
