// SPDX-License-Identifier: MIT
/*
 * Conversion of a record of an .etl file to an EVENT_RECORD.
 */
#include "lib/consume/etl_record.h"
#include "lib/base/internal.h"

#define KIND_FLAG		0x8000u	/* set in records, not in padding */
#define KIND_NONE		0xffffu	/* fills an unused tail */

/* Bits of the version of a PERFINFO record */
#define PERFINFO_SIZE		0x10u
#define PERFINFO_COUNTER	0x0100u
#define PERFINFO_COUNTERS	0x0700u
#define PERFINFO_PEBS		0x8000u

/* Thread and process of a PERFINFO record, which contains neither */
#define ID_UNKNOWN		0xffffffffu

/**
 * struct layout - layout of a kind of record
 * @header: number of bytes in front of the data; 0: unknown kind
 * @time: offset of the time stamp, or 0
 * @wide: whether a 64-bit process has written it
 */
struct layout {
	u8 header;
	u8 time;
	bool wide;
};

/* Indexed by the third byte of a record */
static const struct layout layouts[] = {
	[ETL_RECORD_SYSTEM32 & 0xff] = { 0x20, 0x10, false },
	[ETL_RECORD_SYSTEM64 & 0xff] = { 0x20, 0x10, true },
	[ETL_RECORD_COMPACT32 & 0xff] = { 0x18, 0x10, false },
	[ETL_RECORD_COMPACT64 & 0xff] = { 0x18, 0x10, true },
	[ETL_RECORD_FULL32 & 0xff] = { 0x30, 0x10, false },
	[ETL_RECORD_INSTANCE32 & 0xff] = { 0x48, 0x10, false },
	[ETL_KIND_MESSAGE] = { 0x08, 0, true },
	[ETL_RECORD_PERFINFO32 & 0xff] = { PERFINFO_SIZE, 0x08, false },
	[ETL_RECORD_PERFINFO64 & 0xff] = { PERFINFO_SIZE, 0x08, true },
	[ETL_RECORD_EVENT32 & 0xff] = { 0x50, 0x10, false },
	[ETL_RECORD_EVENT64 & 0xff] = { 0x50, 0x10, true },
	[ETL_RECORD_FULL64 & 0xff] = { 0x30, 0x10, true },
	[ETL_RECORD_INSTANCE64 & 0xff] = { 0x48, 0x10, true },
};

/* Return a record's index in the counts from its second word */
static u32 kind_of(u16 word)
{
	if (word >> 8 == 0xc0 && word != (0xc000 | ETL_KIND_MESSAGE))
		return word & 0xff;
	return word == ETL_RECORD_MESSAGE ? ETL_KIND_MESSAGE : ETL_KIND_OTHER;
}

static const struct layout *layout_of(u32 kind)
{
	static const struct layout unknown;

	return kind < EVNT_ARRAY_SIZE(layouts) ? &layouts[kind] : &unknown;
}

static u16 message_flags(const u8 *p)
{
	return ((const u16 *)p)[3];
}

/* Return the offset of a record's time stamp, or 0 */
static u32 time_at(const u8 *p, u32 size, const struct layout *l)
{
	u16 flags;
	u32 at;

	if (l->time)
		return l->time;
	/* Only messages have a time stamp that is optional */
	flags = message_flags(p);
	at = etl_message_offset(flags, ETL_MESSAGE_TIME);
	return flags & ETL_MESSAGE_TIME && at + sizeof(s64) <= size ? at : 0;
}

/**
 * etl_record_time_at() - return the offset of a record's time stamp
 * @p: record that etl_record_check() has accepted
 * @size: size from etl_record_check()
 *
 * Return: its offset, which need not be aligned, or 0 if there is none.
 */
u32 etl_record_time_at(const u8 *p, u32 size)
{
	return time_at(p, size, layout_of(kind_of(((const u16 *)p)[1])));
}

/**
 * etl_record_check() - examine a possible record
 * @p: its place, a multiple of ETL_ALIGN
 * @room: number of bytes there
 * @r: out: kind, size and time, if it is a record, known or not
 *
 * A record of a known kind has at least the size of its header.
 */
enum etl_found etl_record_check(const u8 *p, u32 room, struct etl_record *r)
{
	const struct layout *l;
	u32 at;
	u16 word;

	if (room < 8)
		return ETL_FOUND_NONE;
	word = ((const u16 *)p)[1];
	r->size = etl_record_size(p);
	r->kind = kind_of(word);
	r->time = ETL_NO_TIME;
	l = layout_of(r->kind);
	if (word == KIND_NONE)
		return ETL_FOUND_END;
	if (!(word & KIND_FLAG) || r->size < 8 || r->size > room)
		return ETL_FOUND_NONE;
	if (!l->header)
		return ETL_FOUND_UNKNOWN;
	if (r->size < l->header)
		return ETL_FOUND_NONE;
	at = time_at(p, r->size, l);
	if (at)
		memcpy(&r->time, p + at, sizeof(r->time));
	return ETL_FOUND_RECORD;
}

static void add_item(struct etl_view *v, u16 type, u16 len, const u8 *data)
{
	EVENT_HEADER_EXTENDED_DATA_ITEM *item =
		&v->items[v->record.ExtendedDataCount++];

	memset(item, 0, sizeof(*item));
	item->ExtType = type;
	item->DataSize = len;
	item->DataPtr = (uintptr_t)data;
	if (item > v->items)
		item[-1].Linkage = 1;
}

/* View an event; return the end of its items, @size if their chain is broken */
static u32 view_event(const u8 *p, u32 size, struct etl_view *v)
{
	EVENT_HEADER *h = &v->record.EventHeader;
	struct etl_ext_item item;
	u32 at = sizeof(*h);
	bool more;

	memcpy(h, p, sizeof(*h));
	v->version = h->EventDescriptor.Version;
	more = h->Flags & EVENT_HEADER_FLAG_EXTENDED_INFO;
	while (more) {
		if (size - at < sizeof(item))
			break;
		memcpy(&item, p + at, sizeof(item));
		if (item.size < sizeof(item) || item.size > size - at ||
		    item.data_size > item.size - sizeof(item))
			break;
		add_item(v, item.type, item.data_size, p + at + sizeof(item));
		v->chained++;
		more = item.linkage & 1;
		at += item.size;
	}
	if (!more)
		return at;
	v->unread = size - at;
	return size;
}

static u32 view_classic(const u8 *p, u32 header, struct etl_view *v)
{
	EVENT_HEADER *h = &v->record.EventHeader;
	EVENT_TRACE_HEADER from;

	memcpy(&from, p, sizeof(from));
	h->EventDescriptor.Opcode = from.Class.Type;
	h->EventDescriptor.Level = from.Class.Level;
	h->EventDescriptor.Version = from.Class.Version;
	v->version = from.Class.Version;
	h->ThreadId = from.ThreadId;
	h->ProcessId = from.ProcessId;
	h->ProviderId = from.Guid;
	h->ProcessorTime = from.ProcessorTime;
	h->Flags = EVENT_HEADER_FLAG_CLASSIC_HEADER;
	/* Ids of an instance have the layout of the extended item */
	if (header > sizeof(from))
		add_item(v, EVENT_HEADER_EXT_TYPE_INSTANCE_INFO,
			 header - sizeof(from), p + sizeof(from));
	return header;
}

/* Collect counters, which may follow the header, as the version shows */
static u32 view_counters(const u8 *p, u32 size, u16 version, u32 at,
			 struct etl_view *v)
{
	u32 counters = (version & PERFINFO_COUNTERS) / PERFINFO_COUNTER * 8;
	u32 index = version & PERFINFO_PEBS ? 8 : 0;

	if (index + counters > size - at)
		return at;
	if (index)
		add_item(v, EVENT_HEADER_EXT_TYPE_PEBS_INDEX, index, p + at);
	if (counters)
		add_item(v, EVENT_HEADER_EXT_TYPE_PMC_COUNTERS, counters,
			 p + at + index);
	return at + index + counters;
}

/* View a record of the system itself, which has a group and a type */
static u32 view_system(const u8 *p, u32 size, u32 header, struct etl_view *v)
{
	EVENT_HEADER *h = &v->record.EventHeader;
	struct etl_system_header from = {};

	/* Shorter forms lack the processor times, then thread and process */
	memcpy(&from, p, header);
	h->EventDescriptor.Version = from.version;
	v->version = h->EventDescriptor.Version;
	h->EventDescriptor.Opcode = from.hook & 0xff;
	h->Flags = EVENT_HEADER_FLAG_CLASSIC_HEADER;
	h->ProviderId = *etl_class(from.hook);
	if (header == PERFINFO_SIZE) {
		h->ThreadId = ID_UNKNOWN;
		h->ProcessId = ID_UNKNOWN;
		return view_counters(p, size, from.version, header, v);
	}
	h->ThreadId = from.thread_id;
	h->ProcessId = from.process_id;
	h->KernelTime = from.kernel_time;
	h->UserTime = from.user_time;
	return header;
}

static u32 view_message(const u8 *p, u32 size, struct etl_view *v)
{
	EVENT_HEADER *h = &v->record.EventHeader;
	u16 flags = message_flags(p);
	u32 end = etl_message_offset(flags, ETL_MESSAGE_ALL);
	u32 at;

	h->Flags = EVENT_HEADER_FLAG_TRACE_MESSAGE;
	if (end > size)
		return size;
	h->EventDescriptor.Id = ((const u16 *)p)[2];
	at = etl_message_offset(flags, ETL_MESSAGE_COMPONENT);
	if (flags & ETL_MESSAGE_GUID && !(flags & ETL_MESSAGE_COMPONENT))
		memcpy(&h->ProviderId, p + at, sizeof(h->ProviderId));
	at = etl_message_offset(flags, ETL_MESSAGE_SYSTEM_INFO);
	if (flags & ETL_MESSAGE_SYSTEM_INFO) {
		memcpy(&h->ThreadId, p + at, 4);
		memcpy(&h->ProcessId, p + at + 4, 4);
	}
	return end;
}

static u32 view_kind(const u8 *p, u32 size, u16 word, u32 header,
		     struct etl_view *v)
{
	switch (word) {
	case ETL_RECORD_EVENT32:
	case ETL_RECORD_EVENT64:
		return view_event(p, size, v);
	case ETL_RECORD_FULL32:
	case ETL_RECORD_FULL64:
	case ETL_RECORD_INSTANCE32:
	case ETL_RECORD_INSTANCE64:
		return view_classic(p, header, v);
	case ETL_RECORD_MESSAGE:
		return view_message(p, size, v);
	}
	return view_system(p, size, header, v);
}

/**
 * etl_record_view() - convert a record to an event for a callback
 * @p: record that etl_record_check() has accepted
 * @size: size from etl_record_check()
 * @view: filled in, except time stamp, processor and context
 */
void etl_record_view(const u8 *p, u32 size, struct etl_view *view)
{
	u16 word = ((const u16 *)p)[1];
	const struct layout *l = layout_of(kind_of(word));
	EVENT_RECORD *r = &view->record;
	bool wide;
	u32 data;

	memset(r, 0, sizeof(*r));
	view->chained = 0;
	view->unread = 0;
	view->version = 0;
	data = view_kind(p, size, word, l->header, view);
	/* The record's flag for items counts only if its items are complete */
	r->EventHeader.Flags &= ~EVENT_HEADER_FLAG_EXTENDED_INFO;
	r->EventHeader.Size = size;
	r->EventHeader.HeaderType = 0;
	wide = word == ETL_RECORD_MESSAGE ?
	       !(message_flags(p) & ETL_MESSAGE_POINTER32) : l->wide;
	r->EventHeader.Flags |= wide ? EVENT_HEADER_FLAG_64_BIT_HEADER :
				       EVENT_HEADER_FLAG_32_BIT_HEADER;
	if (r->ExtendedDataCount) {
		r->EventHeader.Flags |= EVENT_HEADER_FLAG_EXTENDED_INFO;
		r->ExtendedData = view->items;
	}
	r->UserData = (PVOID)(p + data);
	r->UserDataLength = size - data;
}
