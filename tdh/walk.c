// SPDX-License-Identifier: MIT
/*
 * Enumeration of the properties in an event's payload.
 *
 * The length of a value may depend on a preceding one, so the walk stores where
 * the last value of each property is.  The data comes from the writer of
 * the event and is not trusted: the number of visited elements is limited,
 * because a large count of structs without content would otherwise take too
 * long.
 */
#include <stdlib.h>

#include "evnttdh.h"
#include "tdh/value.h"

/* Above any real event: 64 KiB of single bytes, and structs around them */
#define MAX_VISITS	(4 * 65536)

struct walk {
	const TRACE_EVENT_INFO *info;
	const u8 *at;
	const u8 *end;
	u8 pointer_size;
	u32 visits;
	const u8 **values;
	PEVNT_PROPERTY_CALLBACK callback;
	PVOID context;
};

/* Keep rare cases out of the loop, which then needs fewer registers */
#define NOINLINE	__attribute__((noinline))

/* Number of properties up to which no memory is allocated for their values */
#define FEW	64

u8 pointer_size_of(const EVENT_RECORD *event)
{
	return event->EventHeader.Flags & EVENT_HEADER_FLAG_32_BIT_HEADER ?
	       4 : 8;
}

static const EVENT_PROPERTY_INFO *property_of(const struct walk *w, u32 index)
{
	return &w->info->EventPropertyInfoArray[index];
}

/* Return the last value of a property as a count or length for others */
static u32 number_of(const struct walk *w, u32 index)
{
	const u8 *data = w->values[index];

	if (!data)
		return 0;
	switch (property_of(w, index)->nonStructType.InType) {
	case TDH_INTYPE_INT8:
	case TDH_INTYPE_UINT8:
		return data[0];
	case TDH_INTYPE_INT16:
	case TDH_INTYPE_UINT16:
		return get_u16(data);
	case TDH_INTYPE_INT32:
	case TDH_INTYPE_UINT32:
	case TDH_INTYPE_HEXINT32:
	case TDH_INTYPE_INT64:
	case TDH_INTYPE_UINT64:
	case TDH_INTYPE_HEXINT64:
		return get_u32(data);
	}
	return 0;
}

static ULONG report(struct walk *w, EVNT_PROPERTY_KIND kind, u32 index,
		    u32 count)
{
	EVNT_PROPERTY property = {
		.Kind = kind,
		.Index = index,
		.Count = count,
	};

	return w->callback(&property, w->context);
}

/* Store the value of the property with this index */
static NOINLINE bool resolve(const struct walk *w, u16 index, u16 *number)
{
	u32 value;

	if (index >= w->info->PropertyCount)
		return false;
	value = number_of(w, index);
	*number = value;
	return value <= UINT16_MAX;
}

/* Store the size of a value that depends on its contents or length */
static NOINLINE bool find_size(const struct walk *w,
			       const EVENT_PROPERTY_INFO *info,
			       EVNT_PROPERTY *property)
{
	const struct value_type type = {
		.in = info->nonStructType.InType,
		.out = info->nonStructType.OutType,
		.length = property->Length,
		.has_length = property->Length ||
			      info->Flags & (PropertyParamLength |
					     PropertyParamFixedLength),
		.pointer_size = w->pointer_size,
	};
	struct value value;

	if (!value_find(&type, w->at, w->end - w->at, &value))
		return false;
	property->DataLength = value.consumed;
	return true;
}

/* Count a visit; return whether it is one above the maximum */
static bool is_too_much(struct walk *w)
{
	return ++w->visits > MAX_VISITS;
}

static inline ULONG visit_value(struct walk *w, u32 index)
{
	const EVENT_PROPERTY_INFO *info = property_of(w, index);
	EVNT_PROPERTY property = {
		.Kind = EvntPropertyValue,
		.Index = index,
		.Data = (PBYTE)w->at,
		.DataLength = value_fixed_size(info->nonStructType.InType,
					       w->pointer_size),
		.Length = info->length,
	};

	if (is_too_much(w))
		return ERROR_EVT_INVALID_EVENT_DATA;
	if (info->Flags & PropertyParamLength &&
	    !resolve(w, info->length, &property.Length))
		return ERROR_EVT_INVALID_EVENT_DATA;
	if (property.DataLength ? property.DataLength > w->end - w->at :
				  !find_size(w, info, &property))
		return ERROR_EVT_INVALID_EVENT_DATA;
	w->values[index] = w->at;
	w->at += property.DataLength;
	return w->callback(&property, w->context);
}

static ULONG visit_members(struct walk *w, u32 first, u32 count);

static ULONG visit_struct(struct walk *w, u32 index)
{
	const EVENT_PROPERTY_INFO *info = property_of(w, index);
	u32 first = info->structType.StructStartIndex;
	u32 count = info->structType.NumOfStructMembers;
	ULONG code;

	if (is_too_much(w))
		return ERROR_EVT_INVALID_EVENT_DATA;
	/* Members must follow their struct, which bounds the recursion */
	if (first <= index || first + count > w->info->PropertyCount)
		return ERROR_EVT_INVALID_EVENT_DATA;
	code = report(w, EvntPropertyStructBegin, index, 0);
	if (!code)
		code = visit_members(w, first, count);
	return code ? code : report(w, EvntPropertyStructEnd, index, 0);
}

static ULONG visit_element(struct walk *w, u32 index)
{
	if (property_of(w, index)->Flags & PropertyStruct)
		return visit_struct(w, index);
	return visit_value(w, index);
}

/*
 * Determine the number of elements of an array.  A property that contains its
 * own count is an array that extends to the end of the payload.
 */
static bool count_elements(const struct walk *w, u32 index, u16 *count)
{
	const EVENT_PROPERTY_INFO *info = property_of(w, index);
	u32 size;

	*count = info->count;
	if (!(info->Flags & PropertyParamCount))
		return true;
	size = value_fixed_size(info->nonStructType.InType, w->pointer_size);
	if (info->count != index || info->Flags & PropertyStruct || !size)
		return resolve(w, info->count, count);
	*count = (w->end - w->at) / size;
	return true;
}

static bool is_array(const EVENT_PROPERTY_INFO *info)
{
	return info->count > 1 ||
	       info->Flags & (PropertyParamCount | PropertyParamFixedCount);
}

static ULONG visit_array(struct walk *w, u32 index)
{
	ULONG code;
	u16 count;

	if (!count_elements(w, index, &count))
		return ERROR_EVT_INVALID_EVENT_DATA;
	code = report(w, EvntPropertyArrayBegin, index, count);
	for (u16 i = 0; i < count && !code; i++)
		code = visit_element(w, index);
	return code ? code : report(w, EvntPropertyArrayEnd, index, count);
}

static ULONG visit_members(struct walk *w, u32 first, u32 count)
{
	ULONG code = ERROR_SUCCESS;

	for (u32 i = first; i < first + count && !code; i++) {
		const EVENT_PROPERTY_INFO *info = property_of(w, i);

		if (is_array(info))
			code = visit_array(w, i);
		else if (info->Flags & PropertyStruct)
			code = visit_struct(w, i);
		else
			code = visit_value(w, i);
	}
	return code;
}

/**
 * EvntEnumerateProperties() - enumerate the properties of an event
 * @Event: the event
 * @EventInfo: description of the event from TdhGetEventInformation()
 * @Callback: called for each value, and at the start and end of arrays and
 *	structs
 * @Context: argument of the callback
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER for NULL;
 * ERROR_EVT_INVALID_EVENT_DATA if the payload is too short or does not match
 * @EventInfo, after the callbacks for the valid part; ERROR_OUTOFMEMORY; or the
 * code that the callback returned.
 */
EVNT_PUBLIC TDHSTATUS EvntEnumerateProperties(PCEVENT_RECORD Event,
					      const TRACE_EVENT_INFO *EventInfo,
					      PEVNT_PROPERTY_CALLBACK Callback,
					      PVOID Context)
{
	const u8 *few[FEW];
	struct walk w = {
		.info = EventInfo,
		.values = few,
		.callback = Callback,
		.context = Context,
	};
	ULONG code;

	if (!Event || !EventInfo || !Callback)
		return ERROR_INVALID_PARAMETER;
	if (EventInfo->TopLevelPropertyCount > EventInfo->PropertyCount)
		return ERROR_INVALID_PARAMETER;
	if (EventInfo->PropertyCount > FEW)
		w.values = calloc(EventInfo->PropertyCount,
				  sizeof(*w.values));
	else
		memset(few, 0, EventInfo->PropertyCount * sizeof(*few));
	if (!w.values)
		return ERROR_OUTOFMEMORY;
	w.at = Event->UserData;
	w.end = w.at + Event->UserDataLength;
	w.pointer_size = pointer_size_of(Event);
	code = visit_members(&w, 0, EventInfo->TopLevelPropertyCount);
	if (w.values != few)
		free(w.values);
	return code;
}
