/* SPDX-License-Identifier: MIT */
/*
 * Descriptions of events that a log itself contains: tools of Windows that
 * merge logs add them, as events of the provider Microsoft-Windows-EventMetadata.
 */
#ifndef TDH_EVENT_METADATA_H
#define TDH_EVENT_METADATA_H

#include "tdh/bytes.h"

/* Microsoft-Windows-EventMetadata */
#define EVENT_METADATA_PROVIDER						\
	{ 0xbbccf6c1, 0x6cd1, 0x48c4,					\
	  { 0x80, 0xff, 0x83, 0x94, 0x82, 0xe3, 0x76, 0x71 } }

bool is_metadata(const EVENT_RECORD *event);

/*
 * Keep the description of events, or the map, that an event of is_metadata()
 * contains.  Return ERROR_NOT_FOUND for another event of that provider, or
 * ERROR_EVT_INVALID_EVENT_DATA.
 */
ULONG metadata_load(const EVENT_RECORD *event);

/* Append the TRACE_EVENT_INFO of an event, or return ERROR_NOT_FOUND */
ULONG metadata_event_info(const EVENT_RECORD *event, struct bytes *b);
/* Append the EVENT_MAP_INFO of a map, or return ERROR_NOT_FOUND */
ULONG metadata_map(const EVENT_RECORD *event, const WCHAR *name,
		   struct bytes *b);

#endif /* TDH_EVENT_METADATA_H */
