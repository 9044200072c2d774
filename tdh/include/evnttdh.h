/* SPDX-License-Identifier: MIT */
/*
 * Functions of libevnttdh that Windows does not have: enumeration of all
 * properties of an event, and manifests loaded with diagnostics, or as named by
 * an event.
 */
#ifndef EVNTTDH_H
#define EVNTTDH_H

#include "tdh.h"

/* Kinds of callbacks */
typedef enum _EVNT_PROPERTY_KIND {
	EvntPropertyValue = 0,		/* a value, or an element of an array */
	EvntPropertyArrayBegin = 1,	/* its elements follow */
	EvntPropertyArrayEnd = 2,
	EvntPropertyStructBegin = 3,	/* its members follow */
	EvntPropertyStructEnd = 4
} EVNT_PROPERTY_KIND;

/*
 * Index: index of the property in EventPropertyInfoArray.
 * Data, DataLength: for a value, its bytes in the payload, including any count.
 * Length: for a value, its length as TdhFormatProperty() expects it.
 * Count: for an array, the number of its elements.
 */
typedef struct _EVNT_PROPERTY {
	EVNT_PROPERTY_KIND Kind;
	ULONG Index;
	PBYTE Data;
	USHORT DataLength;
	USHORT Length;
	USHORT Count;
	USHORT Reserved;
} EVNT_PROPERTY, *PEVNT_PROPERTY;

/* Return anything but ERROR_SUCCESS to end the enumeration */
typedef ULONG (WINAPI *PEVNT_PROPERTY_CALLBACK)(const EVNT_PROPERTY *Property,
						PVOID Context);

/* Problem of a manifest; Line and Column count from 1, and are 0 if unknown */
typedef struct _EVNT_MANIFEST_PROBLEM {
	LPCSTR File;
	ULONG Line;
	ULONG Column;
	LPCSTR Text;
} EVNT_MANIFEST_PROBLEM, *PEVNT_MANIFEST_PROBLEM;

typedef VOID (WINAPI *PEVNT_MANIFEST_CALLBACK)(const EVNT_MANIFEST_PROBLEM *,
					       PVOID Context);

EVNT_BEGIN_DECLS

/* A function of Windows that its headers do not declare */
TDHSTATUS TdhGetAllEventsInformation(PEVENT_RECORD Event, PVOID WbemService,
				     ULONG *Index, ULONG *Count,
				     PTRACE_EVENT_INFO *Buffer,
				     ULONG *BufferSize);
TDHSTATUS EvntLoadManifest(LPCSTR Path, PEVNT_MANIFEST_CALLBACK Callback,
			   PVOID Context);
TDHSTATUS EvntLoadManifestFromEvent(PCEVENT_RECORD Event);
TDHSTATUS EvntEnumerateProperties(PCEVENT_RECORD Event,
				  const TRACE_EVENT_INFO *EventInfo,
				  PEVNT_PROPERTY_CALLBACK Callback,
				  PVOID Context);
TDHSTATUS EvntFormatProperty(const TRACE_EVENT_INFO *EventInfo,
			     const EVENT_MAP_INFO *MapInfo, ULONG PointerSize,
			     const EVNT_PROPERTY *Property, PULONG BufferSize,
			     LPSTR Buffer);

EVNT_END_DECLS

#endif /* EVNTTDH_H */
