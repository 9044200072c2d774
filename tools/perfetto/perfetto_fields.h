/* SPDX-License-Identifier: MIT */
/* Converts an event's fields to annotations in Perfetto's format */
#ifndef EVNT_PERFETTO_FIELDS_H
#define EVNT_PERFETTO_FIELDS_H

#include "tools/perfetto/perfetto_write.h"
#include "tools/events/event_view.h"

/**
 * struct annotations - a list of annotations
 * @list: annotations
 * @count: number of annotations
 * @room: number of annotations that memory is allocated for
 */
struct annotations {
	Perfetto__DebugAnnotation **list;
	size_t count;
	size_t room;
};

/* Add an annotation; the caller sets its value. @name may be NULL. */
Perfetto__DebugAnnotation *annotation_add(struct packets *packets,
					  struct annotations *list,
					  const char *name);

void annotation_text(struct packets *packets, struct annotations *list,
		     const char *name, const char *text);
void annotation_number(struct packets *packets, struct annotations *list,
		       const char *name, uint64_t number);
void annotation_mask(struct packets *packets, struct annotations *list,
		     const char *name, uint64_t mask);
void annotation_dict(struct packets *packets, struct annotations *list,
		     const char *name, const struct annotations *entries);

/*
 * Add the fields of an event's payload with their types. If the schema does not
 * cover all of the payload, add its bytes in hexadecimal.
 */
void annotate_fields(struct packets *packets, struct annotations *list,
		     const struct view *view);

#endif /* EVNT_PERFETTO_FIELDS_H */
