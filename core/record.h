/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Layout of an event in a buffer: header, extended items, data.
 *
 * Owns the layout of records of EventWrite() events.  Knows nothing of buffers,
 * nor of the memory that holds an event's data: it returns the addresses to
 * which the caller copies the data.
 */
#ifndef EVNT_RECORD_H
#define EVNT_RECORD_H

#include "core/etl.h"

#define ETL_RELATED_SIZE	16u

/**
 * struct evnt_item - an extended item that only some sessions request
 * @ext_item: EVNTRACE_PROPERTY_* bits, each of which requests it
 * @type: ETL_EXT_*
 * @len: length of the data in bytes
 * @data: data of the item
 */
struct evnt_item {
	u32 ext_item;
	u16 type;
	u16 len;
	const void *data;
};

/**
 * struct evnt_event - one event; only @ext_items differs between sessions
 * @descriptor: event descriptor
 * @provider: provider id
 * @activity: activity id
 * @related: related activity id, or NULL
 * @flags: ETL_EVENT_FLAG_*, except ETL_EVENT_FLAG_EXTENDED
 * @kind: ETL_RECORD_EVENT32 or ETL_RECORD_EVENT64
 * @thread_id: thread of the writer
 * @process_id: process of the writer
 * @kernel_time: the thread's kernel time, in ticks of ETL_TIMER_RESOLUTION
 * @user_time: the thread's user time, in ticks of ETL_TIMER_RESOLUTION
 * @traits: provider traits, or NULL if there are none or the caller copies them
 * @traits_len: length of the traits in bytes, or 0
 * @metadata_len: length of the TraceLogging metadata in bytes, or 0
 * @data_len: length of the data in bytes
 * @items: optional extended items, in their order in the record
 * @item_count: number of @items
 * @ext_items: mask of @items' bits that the current session requests
 */
struct evnt_event {
	const struct etl_descriptor *descriptor;
	const u8 *provider;
	const u8 *activity;
	const u8 *related;
	u16 flags;
	u16 kind;
	u32 thread_id;
	u32 process_id;
	u32 kernel_time;
	u32 user_time;
	const void *traits;
	u64 traits_len;
	u64 metadata_len;
	u64 data_len;
	const struct evnt_item *items;
	u32 item_count;
	u32 ext_items;
};

/**
 * struct evnt_record_parts - parts of a record that the caller must copy
 * @data: destination of data_len bytes
 * @metadata: destination of metadata_len bytes, or NULL if there are none
 * @traits: destination of traits_len bytes, or NULL if there are none left to
 *	copy
 */
struct evnt_record_parts {
	u8 *data;
	u8 *metadata;
	u8 *traits;
};

u64 evnt_record_size(const struct evnt_event *e);
struct evnt_record_parts evnt_record_lay_out(u8 *record, u32 size,
					     const struct evnt_event *e,
					     s64 time);

/**
 * evnt_record_put_header() - write the header and padding of a record
 * @record: @size bytes and padding, aligned to ETL_ALIGN
 * @size: size of the record in bytes
 * @e: event
 * @time: time stamp
 *
 * Return: the address of the extended items, or of the data if there are none.
 */
static __always_inline u8 *evnt_record_put_header(u8 *record, u32 size,
						  const struct evnt_event *e,
						  s64 time)
{
	struct etl_event_header *h = (struct etl_event_header *)record;

	/* Clear the padding, together with bytes that are overwritten later */
	*(u64 *)(record + ALIGN(size, ETL_ALIGN) - ETL_ALIGN) = 0;
	h->size = size;
	h->kind = e->kind;
	h->flags = e->flags;
	h->property = 0;
	h->thread_id = e->thread_id;
	h->process_id = e->process_id;
	h->time_stamp = time;
	memcpy(h->provider, e->provider, sizeof(h->provider));
	h->descriptor = *e->descriptor;
	h->kernel_time = e->kernel_time;
	h->user_time = e->user_time;
	memcpy(h->activity, e->activity, sizeof(h->activity));
	return record + sizeof(*h);
}

/* Return the address of a record's time stamp */
static inline s64 *evnt_record_time(u8 *record)
{
	return &((struct etl_event_header *)record)->time_stamp;
}

/**
 * evnt_record_len() - compute the size of an event's record, inline
 * @e: event
 *
 * Return: the size in bytes without padding, which may exceed ETL_MAX_RECORD,
 * the limit of the format.
 */
static __always_inline u64 evnt_record_len(const struct evnt_event *e)
{
	u64 size = sizeof(struct etl_event_header) + e->data_len;
	u32 i;

	if (e->related)
		size += etl_ext_size(ETL_RELATED_SIZE);
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
struct evnt_item_chain {
	u8 *end;
	struct etl_ext_item *last;
};

/* Write header and padding of an item; returns the address of its data */
static __always_inline u8 *evnt_item_append(struct evnt_item_chain *c, u16 type,
					    u32 len)
{
	struct etl_ext_item *item = (struct etl_ext_item *)c->end;
	u32 size = etl_ext_size(len);

	/* The padding, if any, is within the last eight bytes */
	memset(c->end + size - ETL_ALIGN, 0, ETL_ALIGN);
	*item = (struct etl_ext_item) {
		.size = size,
		.type = type,
		.data_size = len,
	};
	if (c->last)
		c->last->linkage = true;
	c->last = item;
	c->end += size;
	return (u8 *)(item + 1);
}

/* Write the extended items, in the same order as Windows does */
static __always_inline struct evnt_record_parts
evnt_items_put(struct evnt_item_chain *c, const struct evnt_event *e)
{
	struct evnt_record_parts parts = {};
	const struct evnt_item *item;
	u32 i;

	if (e->related)
		memcpy(evnt_item_append(c, ETL_EXT_RELATED_ACTIVITY,
					ETL_RELATED_SIZE),
		       e->related, ETL_RELATED_SIZE);
	for (i = 0; i < e->item_count; i++) {
		item = &e->items[i];
		if (item->ext_item & e->ext_items)
			memcpy(evnt_item_append(c, item->type, item->len),
			       item->data, item->len);
	}
	if (e->traits_len)
		parts.traits = evnt_item_append(c, ETL_EXT_PROV_TRAITS,
						e->traits_len);
	if (e->traits_len && e->traits) {
		memcpy(parts.traits, e->traits, e->traits_len);
		parts.traits = NULL;
	}
	if (e->metadata_len)
		parts.metadata = evnt_item_append(c, ETL_EXT_SCHEMA_TL,
						  e->metadata_len);
	parts.data = c->end;
	return parts;
}

/**
 * evnt_record_put() - write a record inline, except for the caller's parts
 * @record: evnt_record_size() bytes and padding, aligned to ETL_ALIGN
 * @size: size of the record in bytes
 * @e: event
 * @time: time stamp
 *
 * Return: the addresses of the parts that the caller must copy.
 */
static __always_inline struct evnt_record_parts
evnt_record_put(u8 *record, u32 size, const struct evnt_event *e, s64 time)
{
	struct evnt_item_chain c = {
		.end = evnt_record_put_header(record, size, e, time),
	};
	struct evnt_record_parts parts = evnt_items_put(&c, e);

	if (c.last)
		((struct etl_event_header *)record)->flags |=
			ETL_EVENT_FLAG_EXTENDED;
	return parts;
}

#endif /* EVNT_RECORD_H */
