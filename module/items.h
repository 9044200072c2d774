/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Extended items that a session asks for by its EVNTRACE_PROPERTY_*: who writes
 * an event, and which it is.
 */
#ifndef EVNT_ITEMS_H
#define EVNT_ITEMS_H

#include "module.h"
#include "record.h"

/* The properties that are such wishes */
#define EVNT_WISH_CONTAINER						\
	(EVNTRACE_PROPERTY_CONTAINER | EVNTRACE_PROPERTY_SILOS)
#define EVNT_WISHES							\
	(EVNTRACE_PROPERTY_SID | EVNTRACE_PROPERTY_TS_ID |		\
	 EVNTRACE_PROPERTY_STACK_TRACE | EVNTRACE_PROPERTY_PSM_KEY |	\
	 EVNTRACE_PROPERTY_PROCESS_START_KEY |				\
	 EVNTRACE_PROPERTY_EVENT_KEY | EVNT_WISH_CONTAINER)

#define EVNT_MAX_ITEMS		7

struct evnt_registration;

/* S-1-22-1-UID, as Windows lays it out */
struct evnt_sid {
	u8 revision;
	u8 count;
	u8 authority[6];
	__le32 sub[2];
};

/**
 * struct evnt_items - the items of one event
 * @count: how many
 * @item: what they are; the data is below
 * @sid: the writer
 * @ts_id: the writer's login session
 * @event_key: the event's own number
 * @start_key: the writing process's own number
 * @container: the writer's cgroup, a GUID as text
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
void evnt_items_collect(struct evnt_items *items, u32 wishes,
			const struct evnt_registration *r);
void evnt_items_add(struct evnt_items *items, u32 wish, u16 type,
		    const void *data, u16 len);

#endif /* EVNT_ITEMS_H */
