// SPDX-License-Identifier: MIT
/*
 * One record of an .etl file, as an EVENT_RECORD.
 */
#define INITGUID
#include "etl_record.h"

#define KIND_FULL32		0xc00au
#define KIND_INSTANCE32		0xc00bu
#define KIND_FULL64		0xc014u
#define KIND_INSTANCE64		0xc015u
#define KIND_MESSAGE		0x9000u
#define KIND_FLAG		0x8000u	/* each record's; padding has it not */
#define KIND_NONE		0xffffu	/* what an unused tail is filled with */

#define MESSAGE_SEQUENCE	0x01u
#define MESSAGE_GUID		0x02u
#define MESSAGE_COMPONENT	0x04u
#define MESSAGE_TIME		0x08u
#define MESSAGE_SYSTEM_INFO	0x20u
#define MESSAGE_POINTER32	0x40u

static const struct layout {
	u16 kind;
	u16 header;	/* bytes in front of the data */
	u16 time;	/* where the time stamp is, or 0 */
	bool wide;	/* written by a 64-bit process */
} layouts[] = {
	{ ETL_RECORD_EVENT64, 0x50, 0x10, true },
	{ ETL_RECORD_EVENT32, 0x50, 0x10, false },
	{ KIND_FULL64, 0x30, 0x10, true },
	{ KIND_FULL32, 0x30, 0x10, false },
	{ KIND_INSTANCE64, 0x48, 0x10, true },
	{ KIND_INSTANCE32, 0x48, 0x10, false },
	{ ETL_RECORD_SYSTEM64, 0x20, 0x10, true },
	{ ETL_RECORD_SYSTEM32, 0x20, 0x10, false },
	{ ETL_RECORD_COMPACT64, 0x18, 0x10, true },
	{ ETL_RECORD_COMPACT32, 0x18, 0x10, false },
	{ ETL_RECORD_PERFINFO64, 0x10, 0x08, true },
	{ ETL_RECORD_PERFINFO32, 0x10, 0x08, false },
	{ KIND_MESSAGE, 0x08, 0, true },
};

/* Of kinds that nobody has documented: they are stepped over */
static const struct layout unknown = { 0, 4, 0, true };

static const struct layout *layout_of(u16 kind)
{
	size_t i;

	for (i = 0; i < sizeof(layouts) / sizeof(*layouts); i++) {
		if (layouts[i].kind == kind)
			return &layouts[i];
	}
	return &unknown;
}

static s64 get_s64(const u8 *p)
{
	s64 value;

	memcpy(&value, p, sizeof(value));
	return value;
}

/* Bytes of the optional fields in front of @flag's in a message */
static u32 message_offset(u16 flags, u16 flag)
{
	u32 at = 0x08;

	if (flag > MESSAGE_SEQUENCE && flags & MESSAGE_SEQUENCE)
		at += 4;
	if (flag > MESSAGE_COMPONENT) {
		if (flags & MESSAGE_COMPONENT)
			at += 4;
		else if (flags & MESSAGE_GUID)
			at += 16;
	}
	if (flag > MESSAGE_TIME && flags & MESSAGE_TIME)
		at += 8;
	if (flag > MESSAGE_SYSTEM_INFO && flags & MESSAGE_SYSTEM_INFO)
		at += 8;
	return at;
}

static u16 message_flags(const u8 *p)
{
	return ((const u16 *)p)[3];
}

static s64 message_time(const u8 *p, u32 size)
{
	u16 flags = message_flags(p);
	u32 at = message_offset(flags, MESSAGE_TIME);

	if (!(flags & MESSAGE_TIME) || at + 8 > size)
		return ETL_NO_TIME;
	return get_s64(p + at);
}

/**
 * etl_record_check() - look at what may be a record
 * @p: where; at a multiple of ETL_ALIGN
 * @room: bytes there
 * @time: out: its time stamp in the file's clock, or ETL_NO_TIME
 *
 * Return: its size, which is at least its header's and at most @room, or 0
 * when it is none.
 */
u32 etl_record_check(const u8 *p, u32 room, s64 *time)
{
	const struct layout *l;
	u32 size;
	u16 kind;

	if (room < 8)
		return 0;
	kind = ((const u16 *)p)[1];
	size = etl_record_size(p);
	l = layout_of(kind);
	if (!(kind & KIND_FLAG) || kind == KIND_NONE || size < l->header ||
	    size > room)
		return 0;
	if (kind == KIND_MESSAGE)
		*time = message_time(p, size);
	else
		*time = l->time ? get_s64(p + l->time) : ETL_NO_TIME;
	return size;
}

static void add_item(struct etl_view *v, u16 type, u16 len, const u8 *data)
{
	EVENT_HEADER_EXTENDED_DATA_ITEM *item;

	if (v->record.ExtendedDataCount == ETL_MAX_ITEMS)
		return;
	item = &v->items[v->record.ExtendedDataCount++];
	memset(item, 0, sizeof(*item));
	item->ExtType = type;
	item->DataSize = len;
	item->DataPtr = (uintptr_t)data;
	if (item > v->items)
		item[-1].Linkage = 1;
}

/* The chain of items at @at; returns where it ends, @size if it is broken */
static u32 view_items(const u8 *p, u32 at, u32 size, struct etl_view *v)
{
	struct etl_ext_item item;
	bool more = true;

	while (more) {
		if (size - at < sizeof(item))
			return size;
		memcpy(&item, p + at, sizeof(item));
		if (item.size < sizeof(item) || item.size > size - at ||
		    item.data_size > item.size - sizeof(item))
			return size;
		add_item(v, item.type, item.data_size, p + at + sizeof(item));
		more = item.linkage & 1;
		at += item.size;
	}
	return at;
}

static u32 view_event(const u8 *p, u32 size, struct etl_view *v)
{
	EVENT_HEADER *h = &v->record.EventHeader;

	memcpy(h, p, sizeof(*h));
	if (!(h->Flags & EVENT_HEADER_FLAG_EXTENDED_INFO))
		return sizeof(*h);
	return view_items(p, sizeof(*h), size, v);
}

static u32 view_classic(const u8 *p, u32 header, struct etl_view *v)
{
	EVENT_HEADER *h = &v->record.EventHeader;
	EVENT_TRACE_HEADER from;

	memcpy(&from, p, sizeof(from));
	h->EventDescriptor.Opcode = from.Class.Type;
	h->EventDescriptor.Level = from.Class.Level;
	h->EventDescriptor.Version = from.Class.Version;
	h->ThreadId = from.ThreadId;
	h->ProcessId = from.ProcessId;
	h->ProviderId = from.Guid;
	h->ProcessorTime = from.ProcessorTime;
	h->Flags = EVENT_HEADER_FLAG_CLASSIC_HEADER;
	/* The ids of an instance lie as in the item */
	if (header > sizeof(from))
		add_item(v, EVENT_HEADER_EXT_TYPE_INSTANCE_INFO,
			 header - sizeof(from), p + sizeof(from));
	return header;
}

/* What the system itself logs: known by a group and a type */
static u32 view_system(const u8 *p, u32 header, struct etl_view *v)
{
	EVENT_HEADER *h = &v->record.EventHeader;
	struct etl_system_header from = {};

	/* Shorter forms lack processor times, then thread and process */
	memcpy(&from, p, header);
	h->EventDescriptor.Version = from.version;
	h->EventDescriptor.Opcode = from.hook & 0xff;
	h->Flags = EVENT_HEADER_FLAG_CLASSIC_HEADER;
	if (!(from.hook >> 8))
		h->ProviderId = EventTraceGuid;
	if (header > 0x10) {
		h->ThreadId = from.thread_id;
		h->ProcessId = from.process_id;
		h->KernelTime = from.kernel_time;
		h->UserTime = from.user_time;
	}
	return header;
}

static u32 view_message(const u8 *p, u32 size, struct etl_view *v)
{
	EVENT_HEADER *h = &v->record.EventHeader;
	u16 flags = message_flags(p);
	u32 end = message_offset(flags, 0xffff);
	u32 at;

	h->Flags = EVENT_HEADER_FLAG_TRACE_MESSAGE;
	if (end > size)
		return size;
	h->EventDescriptor.Id = ((const u16 *)p)[2];
	at = message_offset(flags, MESSAGE_COMPONENT);
	if (flags & MESSAGE_GUID && !(flags & MESSAGE_COMPONENT))
		memcpy(&h->ProviderId, p + at, sizeof(h->ProviderId));
	at = message_offset(flags, MESSAGE_SYSTEM_INFO);
	if (flags & MESSAGE_SYSTEM_INFO) {
		memcpy(&h->ThreadId, p + at, 4);
		memcpy(&h->ProcessId, p + at + 4, 4);
	}
	return end;
}

static u32 view_kind(const u8 *p, u32 size, const struct layout *l,
		     struct etl_view *v)
{
	switch (l->kind) {
	case ETL_RECORD_EVENT32:
	case ETL_RECORD_EVENT64:
		return view_event(p, size, v);
	case KIND_FULL32:
	case KIND_FULL64:
	case KIND_INSTANCE32:
	case KIND_INSTANCE64:
		return view_classic(p, l->header, v);
	case KIND_MESSAGE:
		return view_message(p, size, v);
	case 0:
		return l->header;
	}
	return view_system(p, l->header, v);
}

static bool is_wide(const u8 *p, const struct layout *l)
{
	return l->kind == KIND_MESSAGE ?
	       !(message_flags(p) & MESSAGE_POINTER32) : l->wide;
}

/**
 * etl_record_view() - show a record as a callback is to see it
 * @p: the record, which etl_record_check() has accepted
 * @size: as that returned
 * @view: filled in, but for time stamp, processor and context
 */
void etl_record_view(const u8 *p, u32 size, struct etl_view *view)
{
	const struct layout *l = layout_of(((const u16 *)p)[1]);
	EVENT_RECORD *r = &view->record;
	u32 data;

	memset(r, 0, sizeof(*r));
	data = view_kind(p, size, l, view);
	/* What the record says of itself counts only if its items are whole */
	r->EventHeader.Flags &= ~EVENT_HEADER_FLAG_EXTENDED_INFO;
	r->EventHeader.Size = size;
	r->EventHeader.HeaderType = 0;
	r->EventHeader.Flags |= is_wide(p, l) ?
				EVENT_HEADER_FLAG_64_BIT_HEADER :
				EVENT_HEADER_FLAG_32_BIT_HEADER;
	if (r->ExtendedDataCount) {
		r->EventHeader.Flags |= EVENT_HEADER_FLAG_EXTENDED_INFO;
		r->ExtendedData = view->items;
	}
	r->UserData = (PVOID)(p + data);
	r->UserDataLength = size - data;
}
