/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Extended items that a session requests by its EVNTRACE_PROPERTY_*: identity
 * of the writer and of the event.
 */
#ifndef EVNT_EXT_ITEMS_H
#define EVNT_EXT_ITEMS_H

#include "module/common/module.h"
#include "core/record.h"

#define EVNT_MAX_ITEMS		7

struct evnt_registration;

/* S-1-22-1-UID in the SID layout of Windows */
struct evnt_sid {
	u8 revision;
	u8 count;
	u8 authority[6];
	__le32 sub[2];
};

/**
 * struct evnt_items - extended items of an event
 * @count: number of elements of @item
 * @item: items, whose data is in the members below
 * @sid: effective user of the writer
 * @ts_id: login session of the writer
 * @event_key: unique number of the event
 * @start_key: unique number of the process
 * @container: cgroup of the writer, a GUID as text
 */
struct evnt_items {
	u32 count;
	struct evnt_item item[EVNT_MAX_ITEMS];
	struct evnt_sid sid;
	u32 ts_id;
	u64 event_key;
	u64 start_key;
	char container[37];
};

u64 evnt_start_key(void);
void evnt_items_collect(struct evnt_items *items, u32 ext_items,
			const struct evnt_registration *r);
void evnt_items_add(struct evnt_items *items, u32 ext_item, u16 type,
		    const void *data, u16 len);

#endif /* EVNT_EXT_ITEMS_H */
