/* SPDX-License-Identifier: MIT */
/* What an event has, as annotations of Perfetto's. */
#ifndef EVNT_TOOLS_PERFETTO_FIELDS_H
#define EVNT_TOOLS_PERFETTO_FIELDS_H

#include "perfetto_write.h"
#include "view.h"

/**
 * struct annotations - a list in the making
 * @list: it
 * @count: how many
 * @room: for how many there is memory
 */
struct annotations {
	Perfetto__DebugAnnotation **list;
	size_t count;
	size_t room;
};

/* An annotation more; its value is to be filled in.  @name may be NULL */
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
 * The fields of an event's payload, with their types; or where these do not say all
 * of it, its bytes in hexadecimal
 */
void annotate_fields(struct packets *packets, struct annotations *list,
		     const struct view *view);

#endif /* EVNT_TOOLS_PERFETTO_FIELDS_H */
