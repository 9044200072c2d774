// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * What an event looks like in a buffer: header, extended items, data.
 */
#include "record.h"

/* Room for an extended item of @len bytes, with its header and padding */
static u64 item_size(u64 len)
{
	return ALIGN(sizeof(struct etl_ext_item) + len, (u64)ETL_ALIGN);
}

static bool has_items(const struct evnt_event *e)
{
	return e->has_related || e->traits_len || e->metadata_len;
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

	if (e->has_related)
		size += item_size(sizeof(e->related));
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
static u8 *put_items(u8 *p, const struct evnt_event *e,
		     struct evnt_record_parts *parts)
{
	if (e->has_related)
		memcpy(put_item(&p, ETL_EXT_RELATED_ACTIVITY,
				sizeof(e->related),
				e->traits_len || e->metadata_len),
		       e->related, sizeof(e->related));
	if (e->traits_len)
		parts->traits = put_item(&p, ETL_EXT_PROV_TRAITS,
					 e->traits_len, e->metadata_len);
	if (e->traits_len && e->traits) {
		memcpy(parts->traits, e->traits, e->traits_len);
		parts->traits = NULL;
	}
	if (e->metadata_len)
		parts->metadata = put_item(&p, ETL_EXT_SCHEMA_TL,
					   e->metadata_len, false);
	return p;
}

/**
 * evnt_record_lay_out() - write a record but for what the caller brings
 * @record: evnt_record_size() bytes, at a multiple of ETL_ALIGN
 * @e: the event
 * @time: its time stamp
 * @parts: filled in: where the rest goes
 */
void evnt_record_lay_out(u8 *record, const struct evnt_event *e, s64 time,
			 struct evnt_record_parts *parts)
{
	struct etl_event_header *h = (struct etl_event_header *)record;

	h->size = evnt_record_size(e);
	h->kind = e->kind;
	h->flags = e->flags;
	h->property = 0;
	h->thread_id = e->thread_id;
	h->process_id = e->process_id;
	h->time_stamp = time;
	memcpy(h->provider, e->provider, sizeof(h->provider));
	h->descriptor = e->descriptor;
	h->kernel_time = e->kernel_time;
	h->user_time = e->user_time;
	memcpy(h->activity, e->activity, sizeof(h->activity));

	parts->traits = NULL;
	parts->metadata = NULL;
	parts->data = record + sizeof(*h);
	if (has_items(e)) {
		h->flags |= ETL_EVENT_FLAG_EXTENDED;
		parts->data = put_items(parts->data, e, parts);
	}
}

/**
 * evnt_record_copy() - the same event for another session
 * @record: where
 * @from: a complete record of it
 * @time: its time stamp there
 */
void evnt_record_copy(u8 *record, const u8 *from, s64 time)
{
	memcpy(record, from, ((const struct etl_event_header *)from)->size);
	((struct etl_event_header *)record)->time_stamp = time;
}
