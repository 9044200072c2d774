/* SPDX-License-Identifier: MIT */
/*
 * Text that all events of a kind have in common, such as the names of provider
 * and event.  It is made once for each kind, in the form of the output.
 */
#ifndef EVNT_KIND_TEXT_H
#define EVNT_KIND_TEXT_H

#include "tools/common/strbuf.h"
#include "tools/events/fields.h"

/* Append the text kept for the event's kind; return false if there is none */
bool kind_text_put(struct out *out, const struct view *view,
		   const struct schema *schema);
/* Keep the text from @begin to the end of @out for the event's kind */
void kind_text_keep(const struct out *out, size_t begin,
		    const struct view *view, const struct schema *schema);
void kind_text_free(struct kind *kind);

#endif /* EVNT_KIND_TEXT_H */
