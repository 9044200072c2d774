/* SPDX-License-Identifier: MIT */
/*
 * What a loaded manifest says of an event.
 */
#ifndef TDH_MANIFEST_INFO_H
#define TDH_MANIFEST_INFO_H

#include "store.h"

/* As TRACE_EVENT_INFO, in @b; ERROR_NOT_FOUND when no manifest has the event */
ULONG manifest_event_info(const EVENT_RECORD *event, struct bytes *b);

/* The provider that the event is decoded by */
const GUID *decode_guid(const EVENT_RECORD *event, GUID *guid);

const struct event *find_event(const struct found *found,
			       const EVENT_DESCRIPTOR *descriptor);
void build_manifest_event(struct bytes *b, const struct found *found,
			  const struct event *event,
			  const EVENT_DESCRIPTOR *descriptor);

#endif /* TDH_MANIFEST_INFO_H */
