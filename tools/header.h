/* SPDX-License-Identifier: MIT */
/* What an event's header says at a glance. */
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

/* Whether it is the event that describes a log file: EventTraceGuid's first */
static inline bool is_log_header(const EVENT_RECORD *record)
{
	static const GUID trace = {
		0x68fdd900, 0x4a3e, 0x11d1,
		{ 0x84, 0xf4, 0x00, 0x00, 0xf8, 0x04, 0x64, 0xe3 }
	};
	const EVENT_HEADER *header = &record->EventHeader;

	return !header->EventDescriptor.Opcode &&
	       !memcmp(&header->ProviderId, &trace, sizeof(trace));
}

#endif /* EVNT_HEADER_H */
