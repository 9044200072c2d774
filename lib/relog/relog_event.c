// SPDX-License-Identifier: MIT
/*
 * Events of a relogger: ITraceEvent.
 *
 * An event is written as the record that it was read as, unless it is changed: then
 * a record is made of the event as the program sees it.  So events of the system
 * keep their own kinds of records, in which they have no other place for what a
 * program may set.
 */
#include <stdlib.h>

#include "lib/consume/etl_record.h"
#include "lib/relog/relog_objects.h"

/* The interface is the first member */
static struct relog_event *to_event(ITraceEvent *com)
{
	return (struct relog_event *)com;
}

static bool has_flag(const struct relog_event *e, USHORT flag)
{
	return e->record.EventHeader.Flags & flag;
}

static HRESULT query_interface(ITraceEvent *com, REFIID id, void **object)
{
	return relog_query((IUnknown *)com, id, &IID_ITraceEvent, object);
}

static ULONG add_ref(ITraceEvent *com)
{
	return __atomic_add_fetch(&to_event(com)->references, 1,
				  __ATOMIC_RELAXED);
}

static ULONG release(ITraceEvent *com)
{
	struct relog_event *e = to_event(com);
	ULONG left = __atomic_sub_fetch(&e->references, 1, __ATOMIC_ACQ_REL);

	if (!left) {
		e->owner->com.lpVtbl->Release(&e->owner->com);
		free(e->payload);
		free(e);
	}
	return left;
}

static HRESULT set_payload(ITraceEvent *com, BYTE *payload, ULONG size);

static HRESULT clone_event(ITraceEvent *com, ITraceEvent **copy)
{
	struct relog_event *e = to_event(com), *made;
	HRESULT result = S_OK;

	if (!copy)
		return E_POINTER;
	made = relog_event_new(e->owner, e->stream, &e->record, e->version,
			       &e->from);
	if (!made)
		return E_OUTOFMEMORY;
	made->is_changed = e->is_changed;
	if (e->payload)
		result = set_payload(&made->com, e->payload,
				     e->record.UserDataLength);
	if (result != S_OK) {
		release(&made->com);
		return result;
	}
	*copy = &made->com;
	return S_OK;
}

static HRESULT get_user_context(ITraceEvent *com, void **context)
{
	if (!context)
		return E_POINTER;
	*context = to_event(com)->record.UserContext;
	return S_OK;
}

static HRESULT get_event_record(ITraceEvent *com, PEVENT_RECORD *record)
{
	if (!record)
		return E_POINTER;
	*record = &to_event(com)->record;
	return S_OK;
}

/*
 * Mark an event as changed.  A message contains only the members that its provider
 * has chosen.
 */
static HRESULT change(struct relog_event *e)
{
	if (has_flag(e, EVENT_HEADER_FLAG_TRACE_MESSAGE))
		return E_NOTIMPL;
	e->is_changed = true;
	return S_OK;
}

/* Return the instance ids of a classic event, or NULL */
static const EVENT_HEADER_EXTENDED_DATA_ITEM *
instance_of(const struct relog_event *e)
{
	const EVENT_HEADER_EXTENDED_DATA_ITEM *item = e->items;

	return e->record.ExtendedDataCount &&
	       item->ExtType == EVENT_HEADER_EXT_TYPE_INSTANCE_INFO ?
	       item : NULL;
}

/* Return the number of bytes in front of the data of a record that is made */
static u32 header_size(const struct relog_event *e)
{
	u32 size = sizeof(struct etl_event_header), i;

	if (has_flag(e, EVENT_HEADER_FLAG_CLASSIC_HEADER))
		return instance_of(e) ? sizeof(struct etl_instance_header) :
					sizeof(struct etl_class_header);
	for (i = 0; i < e->record.ExtendedDataCount; i++)
		size += etl_ext_size(e->items[i].DataSize);
	return size;
}

static HRESULT set_payload(ITraceEvent *com, BYTE *payload, ULONG size)
{
	struct relog_event *e = to_event(com);
	HRESULT result;
	u8 *copy;

	if (size && !payload)
		return E_INVALIDARG;
	if (size > ETL_MAX_RECORD || header_size(e) + size > ETL_MAX_RECORD)
		return HRESULT_FROM_WIN32(ERROR_ARITHMETIC_OVERFLOW);
	result = change(e);
	if (result != S_OK)
		return result;
	/* One byte more, as NULL stands for the data that was read */
	copy = malloc(size + 1);
	if (!copy)
		return E_OUTOFMEMORY;
	if (size)
		memcpy(copy, payload, size);
	free(e->payload);
	e->payload = copy;
	e->record.UserData = copy;
	e->record.UserDataLength = size;
	return S_OK;
}

static HRESULT set_event_descriptor(ITraceEvent *com, PCEVENT_DESCRIPTOR from)
{
	struct relog_event *e = to_event(com);
	HRESULT result;

	if (!from)
		return E_INVALIDARG;
	result = change(e);
	if (result != S_OK)
		return result;
	/* Classic events have no place for these members */
	if (from->Id || from->Channel || from->Task || from->Keyword)
		e->record.EventHeader.Flags &= ~EVENT_HEADER_FLAG_CLASSIC_HEADER;
	e->record.EventHeader.EventDescriptor = *from;
	e->version = from->Version;
	return S_OK;
}

static HRESULT set_process_id(ITraceEvent *com, ULONG id)
{
	HRESULT result = change(to_event(com));

	if (result == S_OK)
		to_event(com)->record.EventHeader.ProcessId = id;
	return result;
}

static HRESULT set_processor_index(ITraceEvent *com, ULONG index)
{
	struct relog_event *e = to_event(com);

	if (index > UINT16_MAX)
		return E_INVALIDARG;
	e->record.EventHeader.Flags |= EVENT_HEADER_FLAG_PROCESSOR_INDEX;
	e->record.BufferContext.ProcessorIndex = index;
	e->from.cpu = index;
	return S_OK;
}

static HRESULT set_thread_id(ITraceEvent *com, ULONG id)
{
	HRESULT result = change(to_event(com));

	if (result == S_OK)
		to_event(com)->record.EventHeader.ThreadId = id;
	return result;
}

/* The arguments are in units of 100 ns, the members in units of the log */
static HRESULT set_thread_times(ITraceEvent *com, ULONG kernel, ULONG user)
{
	struct relog_event *e = to_event(com);
	EVENT_HEADER *h = &e->record.EventHeader;
	ULONG unit = e->owner->in.sources[e->stream]->header.TimerResolution;
	HRESULT result = change(e);

	if (result != S_OK)
		return result;
	h->KernelTime = unit ? kernel / unit : kernel;
	h->UserTime = unit ? user / unit : user;
	h->Flags &= ~(EVENT_HEADER_FLAG_NO_CPUTIME |
		      EVENT_HEADER_FLAG_PRIVATE_SESSION);
	return S_OK;
}

static HRESULT set_activity_id(ITraceEvent *com, LPCGUID id)
{
	struct relog_event *e = to_event(com);
	HRESULT result;

	if (!id)
		return E_INVALIDARG;
	if (has_flag(e, EVENT_HEADER_FLAG_CLASSIC_HEADER))
		return E_NOTIMPL;
	result = change(e);
	if (result == S_OK)
		e->record.EventHeader.ActivityId = *id;
	return result;
}

/* Each record has a place for its time, which the writer of the log fills in */
static HRESULT set_time_stamp(ITraceEvent *com, LARGE_INTEGER *time)
{
	struct relog_event *e = to_event(com);

	if (!time)
		return E_INVALIDARG;
	e->record.EventHeader.TimeStamp = *time;
	e->from.time = time->QuadPart;
	e->from.raw = ETL_NO_TIME;
	return S_OK;
}

static HRESULT set_provider_id(ITraceEvent *com, LPCGUID id)
{
	struct relog_event *e = to_event(com);
	HRESULT result;

	if (!id)
		return E_INVALIDARG;
	result = change(e);
	if (result == S_OK)
		e->record.EventHeader.ProviderId = *id;
	return result;
}

static const ITraceEventVtbl methods = {
	.QueryInterface = query_interface,
	.AddRef = add_ref,
	.Release = release,
	.Clone = clone_event,
	.GetUserContext = get_user_context,
	.GetEventRecord = get_event_record,
	.SetPayload = set_payload,
	.SetEventDescriptor = set_event_descriptor,
	.SetProcessId = set_process_id,
	.SetProcessorIndex = set_processor_index,
	.SetThreadId = set_thread_id,
	.SetThreadTimes = set_thread_times,
	.SetActivityId = set_activity_id,
	.SetTimeStamp = set_time_stamp,
	.SetProviderId = set_provider_id,
};

struct relog_event *relog_event_new(struct relogger *owner, u32 stream,
				    const EVENT_RECORD *record, u16 version,
				    const struct relog_record *from)
{
	u32 count = record->ExtendedDataCount, i;
	struct relog_event *e;
	uintptr_t moved;
	u8 *data;

	e = calloc(1, sizeof(*e) + count * sizeof(*e->items) + from->size);
	if (!e)
		return NULL;
	*e = (struct relog_event) {
		.com.lpVtbl = &methods,
		.references = 1,
		.owner = owner,
		.stream = stream,
		.from = *from,
		.version = version,
		.record = *record,
	};
	owner->com.lpVtbl->AddRef(&owner->com);
	if (!from->data)
		return e;
	data = (u8 *)(e->items + count);
	memcpy(data, from->data, from->size);
	e->from.data = data;
	/* Items and data are in the record */
	moved = (uintptr_t)data - (uintptr_t)from->data;
	for (i = 0; i < count; i++) {
		e->items[i] = record->ExtendedData[i];
		e->items[i].DataPtr += moved;
	}
	e->record.ExtendedData = count ? e->items : NULL;
	e->record.UserData = (void *)((uintptr_t)e->record.UserData + moved);
	return e;
}

/* Make the header of an event that is not classic, and its items */
static void put_event(const struct relog_event *e, u8 *to)
{
	EVENT_HEADER h = e->record.EventHeader;
	u32 count = e->record.ExtendedDataCount, i;
	struct etl_ext_item item;

	h.Size = header_size(e) + e->record.UserDataLength;
	h.HeaderType = has_flag(e, EVENT_HEADER_FLAG_32_BIT_HEADER) ?
		       ETL_RECORD_EVENT32 : ETL_RECORD_EVENT64;
	h.Flags &= EVENT_HEADER_FLAG_PRIVATE_SESSION |
		   EVENT_HEADER_FLAG_STRING_ONLY | EVENT_HEADER_FLAG_NO_CPUTIME |
		   EVENT_HEADER_FLAG_DECODE_GUID;
	if (count)
		h.Flags |= EVENT_HEADER_FLAG_EXTENDED_INFO;
	memcpy(to, &h, sizeof(h));
	to += sizeof(h);
	for (i = 0; i < count; i++) {
		item = (struct etl_ext_item) {
			.size = etl_ext_size(e->items[i].DataSize),
			.type = e->items[i].ExtType,
			.linkage = i + 1 < count,
			.data_size = e->items[i].DataSize,
		};
		memset(to, 0, item.size);
		memcpy(to, &item, sizeof(item));
		memcpy(to + sizeof(item),
		       (void *)(uintptr_t)e->items[i].DataPtr, item.data_size);
		to += item.size;
	}
}

/* Make the header of a classic event; no other items than ids have a place */
static void put_classic(const struct relog_event *e, u8 *to)
{
	const EVENT_HEADER_EXTENDED_DATA_ITEM *ids = instance_of(e);
	bool narrow = has_flag(e, EVENT_HEADER_FLAG_32_BIT_HEADER);
	const EVENT_HEADER *from = &e->record.EventHeader;
	struct etl_class_header h = {
		.size = header_size(e) + e->record.UserDataLength,
		.kind = ids ? narrow ? ETL_RECORD_INSTANCE32 :
				       ETL_RECORD_INSTANCE64 :
			      narrow ? ETL_RECORD_FULL32 : ETL_RECORD_FULL64,
		.type = from->EventDescriptor.Opcode,
		.level = from->EventDescriptor.Level,
		.version = e->version,
		.thread_id = from->ThreadId,
		.process_id = from->ProcessId,
		.kernel_time = from->KernelTime,
		.user_time = from->UserTime,
	};

	memcpy(h.class, &from->ProviderId, sizeof(h.class));
	memcpy(to, &h, sizeof(h));
	if (ids)
		memcpy(to + sizeof(h), (void *)(uintptr_t)ids->DataPtr,
		       ids->DataSize);
}

bool relog_event_record(const struct relog_event *e, u8 *room,
			struct relog_record *record)
{
	u32 header = header_size(e), data = e->record.UserDataLength;

	*record = e->from;
	if (!e->is_changed)
		return true;
	if (header + data > ETL_MAX_RECORD)
		return false;
	if (has_flag(e, EVENT_HEADER_FLAG_CLASSIC_HEADER))
		put_classic(e, room);
	else
		put_event(e, room);
	if (data)
		memcpy(room + header, e->record.UserData, data);
	record->data = room;
	record->size = header + data;
	return true;
}
