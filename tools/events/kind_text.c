// SPDX-License-Identifier: MIT
/* Keeps text that all events of a kind have in common */
#include <stdlib.h>

#include "tools/evnt.h"
#include "tools/events/kind_text.h"

/**
 * struct kind_text - text of a kind
 * @schema: schema from which the text was made; a manifest that is loaded
 *   later may provide another one
 * @flags: flags of the event's header, which are no part of the kind's key
 * @property: property of the event's header, as for @flags
 * @len: length of @text in bytes
 * @text: the text, not nul-terminated
 */
struct kind_text {
	const struct schema *schema;
	USHORT flags;
	USHORT property;
	size_t len;
	char text[];
};

bool kind_text_put(struct out *out, const struct view *view,
		   const struct schema *schema)
{
	const EVENT_HEADER *header = &view->record->EventHeader;
	const struct kind_text *kept = view->kind->data;

	if (!kept || kept->schema != schema || kept->flags != header->Flags ||
	    kept->property != header->EventProperty)
		return false;
	out_bytes(out, kept->text, kept->len);
	return true;
}

void kind_text_keep(const struct out *out, size_t begin,
		    const struct view *view, const struct schema *schema)
{
	const EVENT_HEADER *header = &view->record->EventHeader;
	size_t len = out->len - begin;
	struct kind_text *kept = must_have(malloc(sizeof(*kept) + len));

	*kept = (struct kind_text) {
		.schema = schema,
		.flags = header->Flags,
		.property = header->EventProperty,
		.len = len,
	};
	memcpy(kept->text, out->text + begin, len);
	free(view->kind->data);
	view->kind->data = kept;
}

void kind_text_free(struct kind *kind)
{
	free(kind->data);
	kind->data = NULL;
}
