/* SPDX-License-Identifier: MIT */
/* Simple properties of an event's header */
#ifndef EVNT_HEADER_H
#define EVNT_HEADER_H

#include <stdbool.h>
#include <string.h>

#include <evntcons.h>

static inline bool guid_is_zero(const GUID *guid)
{
	static const GUID zero;

	return !memcmp(guid, &zero, sizeof(zero));
}

/*
 * Return whether an event is EventTraceGuid's first, which describes a log file
 */
static inline bool is_log_header(const EVENT_RECORD *record)
{
	const EVENT_HEADER *header = &record->EventHeader;

	return !header->EventDescriptor.Opcode &&
	       !memcmp(&header->ProviderId, &EventTraceGuid,
		       sizeof(EventTraceGuid));
}

#endif /* EVNT_HEADER_H */
