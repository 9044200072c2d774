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
 * struct evnt_event - one event, the same for all sessions that get it
 * @descriptor: what it is
 * @provider: provider id
 * @activity: activity id
 * @related: related activity id; there is one if @has_related
 * @has_related: whether there is
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
 */
struct evnt_event {
	struct etl_descriptor descriptor;
	u8 provider[16];
	u8 activity[16];
	u8 related[16];
	bool has_related;
	u16 flags;
	u16 kind;
	u32 thread_id;
	u32 process_id;
	u32 kernel_time;
	u32 user_time;
	const void *traits;
	u32 traits_len;
	u32 metadata_len;
	u32 data_len;
};

/**
 * struct evnt_record_parts - where in a record the caller is to put things
 * @traits: traits_len bytes, or NULL when they are there already
 * @metadata: metadata_len bytes, or NULL when there are none
 * @data: data_len bytes
 */
struct evnt_record_parts {
	u8 *traits;
	u8 *metadata;
	u8 *data;
};

u64 evnt_record_size(const struct evnt_event *e);
void evnt_record_lay_out(u8 *record, const struct evnt_event *e, s64 time,
			 struct evnt_record_parts *parts);
void evnt_record_copy(u8 *record, const u8 *from, s64 time);

#endif /* EVNT_RECORD_H */
