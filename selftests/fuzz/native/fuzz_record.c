// SPDX-License-Identifier: MIT
/* Any event, as laid out by the core, is the same to the reader. */
#include <stdint.h>
#include <stdlib.h>

#include "lib/consume/etl_record.h"
#include "fuzz.h"
#include "core/record.h"

/* Read a length from two bytes, at most 1,023 */
static u32 length(const uint8_t *p)
{
	return p[0] | (p[1] & 3) << 8;
}

static void check_item(const EVENT_RECORD *r, u32 *at, u16 type, u32 len,
		       u8 fill)
{
	const EVENT_HEADER_EXTENDED_DATA_ITEM *item;
	const u8 *p;

	if (!len)
		return;
	check(*at < r->ExtendedDataCount);
	item = &r->ExtendedData[*at];
	check(item->ExtType == type && item->DataSize == len);
	for (p = (const u8 *)(uintptr_t)item->DataPtr; len--; p++)
		check(*p == fill);
	++*at;
}

/* The parts of @e are filled with 1 to 4 */
static void check_view(const EVENT_RECORD *r, const struct evnt_event *e)
{
	u32 i, at = 0;

	check(r->EventHeader.ThreadId == e->thread_id);
	check(r->EventHeader.ProcessId == e->process_id);
	check(!memcmp(&r->EventHeader.EventDescriptor, e->descriptor,
		      sizeof(*e->descriptor)));
	check(!memcmp(&r->EventHeader.ProviderId, e->provider, 16));
	check(!memcmp(&r->EventHeader.ActivityId, e->activity, 16));
	check_item(r, &at, EVENT_HEADER_EXT_TYPE_RELATED_ACTIVITYID,
		   e->related ? 16 : 0, 4);
	check_item(r, &at, EVENT_HEADER_EXT_TYPE_PROV_TRAITS, e->traits_len, 1);
	check_item(r, &at, EVENT_HEADER_EXT_TYPE_EVENT_SCHEMA_TL,
		   e->metadata_len, 2);
	check(at == r->ExtendedDataCount);
	check(r->UserDataLength == e->data_len);
	for (i = 0; i < e->data_len; i++)
		check(((const u8 *)r->UserData)[i] == 3);
}

static void lay_out(u8 *record, u32 size, const struct evnt_event *e, s64 time)
{
	struct evnt_record_parts parts = evnt_record_lay_out(record, size, e,
							     time);

	if (parts.traits)
		memset(parts.traits, 1, e->traits_len);
	if (parts.metadata)
		memset(parts.metadata, 2, e->metadata_len);
	memset(parts.data, 3, e->data_len);
}

static void try_event(const struct evnt_event *e)
{
	u32 size = evnt_record_size(e), len = ALIGN(size, ETL_ALIGN);
	u8 *record = malloc(len), *copy = malloc(len);
	static struct etl_view view;
	struct etl_record r;

	check(record && copy);
	lay_out(record, size, e, 1);
	memcpy(copy, record, len);
	*evnt_record_time(copy) = 0x123456789;
	check(etl_record_check(copy, size, &r) == ETL_FOUND_RECORD);
	check(r.size == size && r.kind == (e->kind & 0xff));
	check(r.time == 0x123456789);
	etl_record_view(copy, size, &view);
	check_view(&view.record, e);
	free(record);
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const u8 traits[1024] = { [0 ... 1023] = 1 };
	static const u8 related[16] = { [0 ... 15] = 4 };
	struct etl_descriptor descriptor;
	u8 provider[16], activity[16];
	struct evnt_event e = {
		.descriptor = &descriptor,
		.provider = provider,
		.activity = activity,
		.kind = ETL_RECORD_EVENT64,
	};

	if (size < 24)
		return 0;
	e.related = data[0] & 1 ? related : NULL;
	e.traits = data[0] & 2 ? traits : NULL;
	if (data[0] & 4)
		e.kind = ETL_RECORD_EVENT32;
	e.traits_len = length(data + 1);
	e.metadata_len = length(data + 3);
	e.data_len = length(data + 5);
	memcpy(&descriptor, data + 7, sizeof(descriptor));
	memset(provider, data[23], sizeof(provider));
	memset(activity, data[22], sizeof(activity));
	e.thread_id = data[21];
	e.process_id = data[20];
	try_event(&e);
	return 0;
}
