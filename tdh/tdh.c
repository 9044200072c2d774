// SPDX-License-Identifier: MIT
/*
 * Information about an event and its properties: TdhGetEventInformation(),
 * TdhGetPropertySize() and TdhGetProperty().
 */
#include "evnttdh.h"
#include "tdh/event_metadata.h"
#include "tdh/kernel_classes.h"
#include "tdh/manifest_info.h"
#include "tdh/mof.h"
#include "tdh/value.h"
#include "tdh/wpp.h"

static ULONG build_info(const EVENT_RECORD *event, struct bytes *b)
{
	if (tlg_schema(event))
		return tlg_event_info(event, b);
	if (!mof_event_info(event, b) || !kernel_event_info(event, b))
		return ERROR_SUCCESS;
	if (!manifest_event_info(event, b))
		return ERROR_SUCCESS;
	return metadata_event_info(event, b);
}

/* Contexts apply to WPP events only */
static bool bad_contexts(ULONG count, const TDH_CONTEXT *contexts)
{
	return count && !contexts;
}

/**
 * TdhGetEventInformation() - describe an event
 * @Event: the event
 * @TdhContextCount: number of elements of @TdhContext
 * @TdhContext: decoding parameters of WPP events
 * @Buffer: receives a TRACE_EVENT_INFO
 * @BufferSize: in: size of @Buffer in bytes; out: required size
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhgeteventinformation
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER; ERROR_INSUFFICIENT_BUFFER;
 * ERROR_NOT_FOUND if no description of the event is found;
 * ERROR_EVT_INVALID_EVENT_DATA if the event's own description is malformed;
 * ERROR_OUTOFMEMORY.
 */
EVNT_PUBLIC TDHSTATUS TdhGetEventInformation(PEVENT_RECORD Event,
					     ULONG TdhContextCount,
					     PTDH_CONTEXT TdhContext,
					     PTRACE_EVENT_INFO Buffer,
					     ULONG *BufferSize)
{
	struct bytes b = { 0 };
	ULONG code;

	if (!Event || !BufferSize || (*BufferSize && !Buffer) ||
	    bad_contexts(TdhContextCount, TdhContext))
		return ERROR_INVALID_PARAMETER;
	code = build_info(Event, &b);
	if (code && wpp_load(Event, TdhContextCount, TdhContext))
		code = build_info(Event, &b);
	if (!code)
		return bytes_hand_over(&b, Buffer, BufferSize);
	bytes_free(&b);
	return code;
}

/**
 * struct search - search for the data of one property
 * @info: description of the event
 * @wanted: path of the property: its name, or the names of a struct and its
 *	member
 * @count: number of elements of @wanted
 * @level: number of structs that enclose the current property
 * @matched: number of these, from the outermost, that match @wanted
 * @element: for each level, index of the next element of the wanted array
 * @found: the property has been found
 * @begin: start of its data
 * @end: end of its data
 */
struct search {
	const TRACE_EVENT_INFO *info;
	const PROPERTY_DATA_DESCRIPTOR *wanted;
	ULONG count;
	ULONG level;
	ULONG matched;
	ULONG element[2];
	bool found;
	const u8 *begin;
	const u8 *end;
};

static bool is_on_path(struct search *s, ULONG index)
{
	const EVENT_PROPERTY_INFO *property =
		&s->info->EventPropertyInfoArray[index];
	const WCHAR *name, *wanted;

	if (s->level >= s->count || s->matched != s->level)
		return false;
	name = evnt_tdh_text(s->info, property->NameOffset);
	wanted = (const WCHAR *)(uintptr_t)s->wanted[s->level].PropertyName;
	if (!name)
		return false;
	while (*name && *name == *wanted) {
		name++;
		wanted++;
	}
	return *name == *wanted;
}

#define WHOLE	0xffffffffu

/* Check whether the current element, or the only one, is requested */
static bool takes_element(struct search *s)
{
	ULONG requested = s->wanted[s->level].ArrayIndex;
	ULONG element = s->element[s->level]++;

	return requested == WHOLE || requested == element;
}

static ULONG WINAPI see(const EVNT_PROPERTY *property, PVOID context)
{
	struct search *s = context;

	switch (property->Kind) {
	case EvntPropertyValue:
		/* Every member of a wanted struct belongs to the data */
		if (s->matched != s->count &&
		    (s->level + 1 != s->count ||
		     !is_on_path(s, property->Index) || !takes_element(s)))
			break;
		if (!s->found || !s->begin)
			s->begin = property->Data;
		s->found = true;
		s->end = property->Data + property->DataLength;
		break;
	case EvntPropertyStructBegin:
		if (is_on_path(s, property->Index) && takes_element(s))
			s->matched++;
		s->level++;
		if (s->level < s->count)
			s->element[s->level] = 0;
		break;
	case EvntPropertyStructEnd:
		s->level--;
		if (s->matched > s->level)
			s->matched = s->level;
		break;
	case EvntPropertyArrayBegin:
		if (is_on_path(s, property->Index)) {
			s->element[s->level] = 0;
			/* An empty array counts as found */
			s->found = s->found || (!property->Count &&
						s->level + 1 == s->count &&
						s->wanted[s->level].ArrayIndex
						== WHOLE);
		}
		break;
	case EvntPropertyArrayEnd:
		break;
	}
	return ERROR_SUCCESS;
}

static ULONG find_property(const EVENT_RECORD *event, struct search *s)
{
	struct bytes b = { 0 };
	ULONG code = build_info(event, &b);

	if (!code && b.failed)
		code = ERROR_OUTOFMEMORY;
	if (code) {
		bytes_free(&b);
		return code;
	}
	s->info = (TRACE_EVENT_INFO *)b.data;
	code = EvntEnumerateProperties(event, s->info, see, s);
	bytes_free(&b);
	if (s->found && code == ERROR_EVT_INVALID_EVENT_DATA)
		code = ERROR_SUCCESS;	/* precedes the invalid data */
	if (!code && !s->found)
		code = ERROR_NOT_FOUND;
	return code;
}

static bool bad_request(const EVENT_RECORD *event, ULONG contexts,
			const TDH_CONTEXT *context, ULONG count,
			const PROPERTY_DATA_DESCRIPTOR *wanted)
{
	if (!event || bad_contexts(contexts, context) || !wanted || !count ||
	    count > 2)
		return true;
	for (ULONG i = 0; i < count; i++) {
		if (!wanted[i].PropertyName)
			return true;
	}
	return false;
}

/* Append a property of a WPP event that is not in its payload */
static ULONG get_wpp(const EVENT_RECORD *event, ULONG contexts,
		     const TDH_CONTEXT *context, ULONG count,
		     const PROPERTY_DATA_DESCRIPTOR *wanted, struct bytes *b)
{
	const WCHAR *name = (const WCHAR *)(uintptr_t)wanted->PropertyName;
	ULONG code = ERROR_NOT_FOUND;

	if (count == 1)
		code = wpp_property(event, contexts, context, name, b);
	if (code && count == 1 && wpp_load(event, contexts, context))
		code = wpp_property(event, contexts, context, name, b);
	return code;
}

/**
 * TdhGetPropertySize() - query the size of a property's data
 * @Event: the event
 * @TdhContextCount: number of elements of @TdhContext
 * @TdhContext: decoding parameters of WPP events
 * @PropertyDataCount: number of elements of @PropertyData: 1, or 2 for a member
 *	of a struct
 * @PropertyData: name of the property; for a member, name of the struct first
 * @PropertySize: out: size in bytes
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhgetpropertysize
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER; ERROR_NOT_FOUND if no
 * description of the event is found, or it has no such property or element;
 * ERROR_EVT_INVALID_EVENT_DATA if the payload ends before the property.
 */
EVNT_PUBLIC TDHSTATUS TdhGetPropertySize(PEVENT_RECORD Event,
					 ULONG TdhContextCount,
					 PTDH_CONTEXT TdhContext,
					 ULONG PropertyDataCount,
					 PPROPERTY_DATA_DESCRIPTOR PropertyData,
					 ULONG *PropertySize)
{
	struct search s = { .wanted = PropertyData, .count = PropertyDataCount };
	struct bytes b = { 0 };
	ULONG code;

	if (bad_request(Event, TdhContextCount, TdhContext, PropertyDataCount,
			PropertyData) || !PropertySize)
		return ERROR_INVALID_PARAMETER;
	if (!get_wpp(Event, TdhContextCount, TdhContext, PropertyDataCount,
		     PropertyData, &b)) {
		*PropertySize = b.len;
		code = b.failed ? ERROR_OUTOFMEMORY : ERROR_SUCCESS;
		bytes_free(&b);
		return code;
	}
	code = find_property(Event, &s);
	if (!code)
		*PropertySize = s.end - s.begin;
	return code;
}

/**
 * TdhGetProperty() - query the data of a property
 * @Event: the event
 * @TdhContextCount: number of elements of @TdhContext
 * @TdhContext: decoding parameters of WPP events
 * @PropertyDataCount: number of elements of @PropertyData: 1, or 2 for a member
 *	of a struct
 * @PropertyData: name of the property; for a member, name of the struct first
 * @BufferSize: size of @Buffer in bytes
 * @Buffer: receives the data in the format of the payload
 *
 * An ArrayIndex of ULONG_MAX requests all elements of an array, which are
 * adjacent.  For a member of an array of structs, the ArrayIndex of the struct
 * selects one struct; with ULONG_MAX, the data extends from the member of the
 * first struct to the member of the last one, including everything in between.
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhgetproperty
 *
 * Return: the codes of TdhGetPropertySize(), or ERROR_INSUFFICIENT_BUFFER.
 */
EVNT_PUBLIC TDHSTATUS TdhGetProperty(PEVENT_RECORD Event,
				     ULONG TdhContextCount,
				     PTDH_CONTEXT TdhContext,
				     ULONG PropertyDataCount,
				     PPROPERTY_DATA_DESCRIPTOR PropertyData,
				     ULONG BufferSize, PBYTE Buffer)
{
	struct search s = { .wanted = PropertyData, .count = PropertyDataCount };
	struct bytes b = { 0 };
	ULONG code;

	if (bad_request(Event, TdhContextCount, TdhContext, PropertyDataCount,
			PropertyData) || !Buffer)
		return ERROR_INVALID_PARAMETER;
	if (!get_wpp(Event, TdhContextCount, TdhContext, PropertyDataCount,
		     PropertyData, &b))
		return bytes_hand_over(&b, Buffer, &BufferSize);
	code = find_property(Event, &s);
	if (code)
		return code;
	if (s.end - s.begin > (ptrdiff_t)BufferSize)
		return ERROR_INSUFFICIENT_BUFFER;
	if (s.end != s.begin)
		memcpy(Buffer, s.begin, s.end - s.begin);
	return ERROR_SUCCESS;
}
