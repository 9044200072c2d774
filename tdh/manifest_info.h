/* SPDX-License-Identifier: MIT */
/*
 * Information about events from loaded manifests.
 */
#ifndef TDH_MANIFEST_INFO_H
#define TDH_MANIFEST_INFO_H

#include "tdh/store.h"

/* Append a TRACE_EVENT_INFO; ERROR_NOT_FOUND without a manifest */
ULONG manifest_event_info(const EVENT_RECORD *event, struct bytes *b);

/* Return the GUID of the provider whose manifest describes the event */
const GUID *decode_guid(const EVENT_RECORD *event, GUID *guid);

const struct event *find_event(const struct found *found,
			       const EVENT_DESCRIPTOR *descriptor);
void build_manifest_event(struct bytes *b, const struct found *found,
			  const struct event *event,
			  const EVENT_DESCRIPTOR *descriptor);

#endif /* TDH_MANIFEST_INFO_H */
