// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * What an event looks like in a buffer: header, extended items, data.
 */
#include "record.h"

#define RELATED_SIZE	16u

/* Room for an extended item of @len bytes, with its header and padding */
static u64 item_size(u64 len)
{
	return ALIGN(sizeof(struct etl_ext_item) + len, (u64)ETL_ALIGN);
}

/**
 * evnt_record_size() - the size of an event's record in bytes
 * @e: the event
 *
 * Without padding.  May be more than ETL_MAX_RECORD, which no record can be.
 */
u64 evnt_record_size(const struct evnt_event *e)
{
	u64 size = sizeof(struct etl_event_header) + e->data_len;

	if (e->related)
		size += item_size(RELATED_SIZE);
	if (e->traits_len)
		size += item_size(e->traits_len);
	if (e->metadata_len)
		size += item_size(e->metadata_len);
	return size;
}

/* Put the header of an item at @p; returns where its data goes */
static u8 *put_item(u8 **p, u16 type, u32 len, bool more)
{
	u32 size = item_size(len);
	u8 *data = *p + sizeof(struct etl_ext_item);

	/* Its last eight bytes hold the padding, if there is any */
	memset(*p + size - ETL_ALIGN, 0, ETL_ALIGN);
	*(struct etl_ext_item *)*p = (struct etl_ext_item) {
		.size = size,
		.type = type,
		.linkage = more,
		.data_size = len,
	};
	*p += size;
	return data;
}

/* Extended items in the order in which Windows has them */
static struct evnt_record_parts put_items(u8 *p, const struct evnt_event *e)
{
	struct evnt_record_parts parts = {};

	if (e->related)
		memcpy(put_item(&p, ETL_EXT_RELATED_ACTIVITY, RELATED_SIZE,
				e->traits_len || e->metadata_len),
		       e->related, RELATED_SIZE);
	if (e->traits_len)
		parts.traits = put_item(&p, ETL_EXT_PROV_TRAITS, e->traits_len,
					e->metadata_len);
	if (e->traits_len && e->traits) {
		memcpy(parts.traits, e->traits, e->traits_len);
		parts.traits = NULL;
	}
	if (e->metadata_len)
		parts.metadata = put_item(&p, ETL_EXT_SCHEMA_TL,
					  e->metadata_len, false);
	parts.data = p;
	return parts;
}

/**
 * evnt_record_lay_out() - write a record but for what the caller brings
 * @record: evnt_record_size() bytes and padding, at a multiple of ETL_ALIGN
 * @size: of the record in bytes
 * @e: the event
 * @time: its time stamp
 *
 * Return: where the rest goes.
 */
struct evnt_record_parts evnt_record_lay_out(u8 *record, u32 size,
					     const struct evnt_event *e,
					     s64 time)
{
	u8 *p = evnt_record_put_header(record, size, e, time);

	if (e->related || e->traits_len || e->metadata_len)
		((struct etl_event_header *)record)->flags |=
			ETL_EVENT_FLAG_EXTENDED;
	return put_items(p, e);
}
