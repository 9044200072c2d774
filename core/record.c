// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Layout of an event in a buffer: header, extended items, data.
 */
#include "core/record.h"

#define RELATED_SIZE	16u

/**
 * evnt_record_size() - compute the size of an event's record
 * @e: event
 *
 * Return: the size in bytes without padding, which may exceed ETL_MAX_RECORD,
 * the limit of the format.
 */
u64 evnt_record_size(const struct evnt_event *e)
{
	u64 size = sizeof(struct etl_event_header) + e->data_len;
	u32 i;

	if (e->related)
		size += etl_ext_size(RELATED_SIZE);
	/* The optional items that the current session requests */
	for (i = 0; i < e->item_count; i++) {
		if (e->items[i].ext_item & e->ext_items)
			size += etl_ext_size(e->items[i].len);
	}
	if (e->traits_len)
		size += etl_ext_size(e->traits_len);
	if (e->metadata_len)
		size += etl_ext_size(e->metadata_len);
	return size;
}

/* Position of the next item, and the previous item, or NULL */
struct chain {
	u8 *end;
	struct etl_ext_item *last;
};

/* Write the header of an item; returns the address of its data */
static u8 *put_item(struct chain *c, u16 type, u32 len)
{
	struct etl_ext_item *item = (struct etl_ext_item *)c->end;
	u32 size = etl_ext_size(len);

	evnt_record_put_item(c->end, type, len, size);
	if (c->last)
		c->last->linkage = true;
	c->last = item;
	c->end += size;
	return (u8 *)(item + 1);
}

/* Write the extended items, in the same order as Windows does */
static struct evnt_record_parts put_items(struct chain *c,
					  const struct evnt_event *e)
{
	struct evnt_record_parts parts = {};
	const struct evnt_item *item;
	u32 i;

	if (e->related)
		memcpy(put_item(c, ETL_EXT_RELATED_ACTIVITY, RELATED_SIZE),
		       e->related, RELATED_SIZE);
	for (i = 0; i < e->item_count; i++) {
		item = &e->items[i];
		if (item->ext_item & e->ext_items)
			memcpy(put_item(c, item->type, item->len), item->data,
			       item->len);
	}
	if (e->traits_len)
		parts.traits = put_item(c, ETL_EXT_PROV_TRAITS, e->traits_len);
	if (e->traits_len && e->traits) {
		memcpy(parts.traits, e->traits, e->traits_len);
		parts.traits = NULL;
	}
	if (e->metadata_len)
		parts.metadata = put_item(c, ETL_EXT_SCHEMA_TL,
					  e->metadata_len);
	parts.data = c->end;
	return parts;
}

/**
 * evnt_record_lay_out() - write a record, except for the caller's parts
 * @record: evnt_record_size() bytes and padding, aligned to ETL_ALIGN
 * @size: size of the record in bytes
 * @e: event
 * @time: time stamp
 *
 * Return: the addresses of the parts that the caller must copy.
 */
struct evnt_record_parts evnt_record_lay_out(u8 *record, u32 size,
					     const struct evnt_event *e,
					     s64 time)
{
	struct chain c = {
		.end = evnt_record_put_header(record, size, e, time),
	};
	struct evnt_record_parts parts = put_items(&c, e);

	if (c.last)
		((struct etl_event_header *)record)->flags |=
			ETL_EVENT_FLAG_EXTENDED;
	return parts;
}
