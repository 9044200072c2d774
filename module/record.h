/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * What an event looks like in a buffer: header, extended items, data.
 *
 * Owns the layout of records that EventWrite causes.  Knows nothing of buffers
 * or of whose memory the event's data comes from: it says where to put it.
 */
#ifndef EVNT_RECORD_H
#define EVNT_RECORD_H

#include "etl.h"

/**
 * struct evnt_item - an extended item that some sessions want
 * @wish: the bit by which they ask for it
 * @type: ETL_EXT_*
 * @len: length of the data in bytes
 * @data: the data
 */
struct evnt_item {
	u32 wish;
	u16 type;
	u16 len;
	const void *data;
};

/**
 * struct evnt_event - one event, the same for all sessions that get it
 * @descriptor: what it is
 * @provider: provider id
 * @activity: activity id
 * @related: related activity id, or NULL
 * @flags: ETL_EVENT_FLAG_* but ETL_EVENT_FLAG_EXTENDED
 * @kind: ETL_RECORD_EVENT32 or ETL_RECORD_EVENT64
 * @thread_id: who writes it
 * @process_id: who writes it
 * @kernel_time: processor time, in ticks of ETL_TIMER_RESOLUTION
 * @user_time: likewise
 * @traits: provider traits, or NULL when they come with the data, or not at all
 * @traits_len: their length in bytes, or 0
 * @metadata_len: length of the TraceLogging metadata in bytes, or 0
 * @data_len: length of the data in bytes
 * @items: extended items besides, in the order in which they stand
 * @item_count: how many
 * @wishes: of the session at hand: it gets the items of these bits
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
	u32 wishes;
};

/**
 * struct evnt_record_parts - where in a record the caller is to put things
 * @data: data_len bytes
 * @metadata: metadata_len bytes, or NULL when there are none
 * @traits: traits_len bytes, or NULL when they are there already, or none
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
 * evnt_record_put_header() - write what all records begin and end with
 * @record: @size bytes and padding, at a multiple of ETL_ALIGN
 * @size: of the record in bytes
 * @e: the event
 * @time: its time stamp
 *
 * Return: where extended items go, or the data, if there are none.
 */
static __always_inline u8 *evnt_record_put_header(u8 *record, u32 size,
						  const struct evnt_event *e,
						  s64 time)
{
	struct etl_event_header *h = (struct etl_event_header *)record;

	/* The padding, with what is written over */
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

/* Put the header of an extended item of etl_ext_size(@len), and its padding */
static __always_inline void evnt_record_put_item(u8 *at, u16 type, u32 len,
						 u32 size)
{
	/* Its last eight bytes hold the padding, if there is any */
	memset(at + size - ETL_ALIGN, 0, ETL_ALIGN);
	*(struct etl_ext_item *)at = (struct etl_ext_item) {
		.size = size,
		.type = type,
		.data_size = len,
	};
}

/* Where a record has its time stamp */
static inline s64 *evnt_record_time(u8 *record)
{
	return &((struct etl_event_header *)record)->time_stamp;
}

#endif /* EVNT_RECORD_H */
