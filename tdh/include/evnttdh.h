/* SPDX-License-Identifier: MIT */
/*
 * What libevnttdh has beyond Windows' functions: one walk over all of an event, and
 * manifests of which it is told what is wrong, or that a log tells of.
 */
#ifndef EVNTTDH_H
#define EVNTTDH_H

#include "tdh.h"

/* What a callback is told of */
typedef enum _EVNT_PROPERTY_KIND {
	EvntPropertyValue = 0,		/* a value, or an element of an array */
	EvntPropertyArrayBegin = 1,	/* its elements follow */
	EvntPropertyArrayEnd = 2,
	EvntPropertyStructBegin = 3,	/* its members follow */
	EvntPropertyStructEnd = 4
} EVNT_PROPERTY_KIND;

/*
 * Index: in EventPropertyInfoArray.  Data, DataLength: of a value, all that it
 * takes in the payload.  Length: its length, as TdhFormatProperty() wants it.
 * Count: of an array, its elements.
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

/* What it returns, unless ERROR_SUCCESS, ends the walk */
typedef ULONG (WINAPI *PEVNT_PROPERTY_CALLBACK)(const EVNT_PROPERTY *Property,
						PVOID Context);

/* What is wrong with a manifest; Line and Column count from 1, 0: of none */
typedef struct _EVNT_MANIFEST_PROBLEM {
	LPCSTR File;
	ULONG Line;
	ULONG Column;
	LPCSTR Text;
} EVNT_MANIFEST_PROBLEM, *PEVNT_MANIFEST_PROBLEM;

typedef VOID (WINAPI *PEVNT_MANIFEST_CALLBACK)(const EVNT_MANIFEST_PROBLEM *,
					       PVOID Context);

EVNT_BEGIN_DECLS

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
