// SPDX-License-Identifier: GPL-2.0
/*
 * Extended items that a session requests by its EVNTRACE_PROPERTY_*: identity
 * of the writer and of the event.
 */
#include <linux/audit.h>
#include <linux/cgroup.h>
#include <linux/cred.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/time64.h>
#include <linux/uidgid.h>

#include "module/compat/compat.h"
#include "module/write/ext_items.h"
#include "module/provider/enable.h"

#define PID_BITS	22

static_assert(sizeof(struct evnt_sid) == 16);

/* Add an item.  @data must stay valid until the records are written. */
void evnt_items_add(struct evnt_items *items, u32 ext_item, u16 type,
		    const void *data, u16 len)
{
	items->item[items->count++] = (struct evnt_item) {
		.ext_item = ext_item, .type = type, .len = len, .data = data,
	};
}

static struct evnt_sid current_sid(void)
{
	return (struct evnt_sid) {
		.revision = 1,
		.count = 2,
		.authority = { [5] = 22 },
		.sub[0] = cpu_to_le32(1),
		.sub[1] = cpu_to_le32(from_kuid(&init_user_ns,
						current_euid())),
	};
}

/* Return a key of the current process that is not reused until the next boot */
u64 evnt_start_key(void)
{
	const struct task_struct *p = current->group_leader;

	static_assert(PID_MAX_LIMIT <= 1 << PID_BITS);
	return div_u64(p->start_boottime, NSEC_PER_SEC / USER_HZ) << PID_BITS |
	       task_tgid_nr(current);
}

static DEFINE_PER_CPU(u64, keys);

/* Add the package that the registration's process belongs to, if any */
static void add_package(struct evnt_items *items,
			const struct evnt_registration *r)
{
	const struct evnt_package_key *key = rcu_dereference_sched(r->package);

	if (key && key->len)
		evnt_items_add(items, EVNTRACE_PROPERTY_PSM_KEY,
			       ETL_EXT_PSM_KEY, key->text, key->len);
}

/**
 * evnt_items_collect() - collect the items of an event of the current task
 * @items: filled in
 * @ext_items: EVNTRACE_PROPERTY_* of all sessions that get the event
 * @r: registration of the writer
 *
 * Does not include call stacks.
 *
 * Context: Preemption is disabled.
 */
void evnt_items_collect(struct evnt_items *items, u32 ext_items,
			const struct evnt_registration *r)
{
	u64 cgroup;

	items->count = 0;
	if (ext_items & EVNTRACE_PROPERTY_SID) {
		items->sid = current_sid();
		evnt_items_add(items, EVNTRACE_PROPERTY_SID, ETL_EXT_SID,
			       &items->sid, sizeof(items->sid));
	}
	if (ext_items & EVNTRACE_PROPERTY_TS_ID) {
		items->ts_id = audit_get_sessionid(current);
		/* Without a login: 0, the session of services on Windows */
		if (items->ts_id == AUDIT_SID_UNSET)
			items->ts_id = 0;
		evnt_items_add(items, EVNTRACE_PROPERTY_TS_ID, ETL_EXT_TS_ID,
			       &items->ts_id, sizeof(items->ts_id));
	}
	if (ext_items & EVNTRACE_PROPERTY_PSM_KEY)
		add_package(items, r);
	if (ext_items & EVNTRACE_PROPERTY_EVENT_KEY) {
		/* A unique number, of which each CPU has every nr_cpu_ids-th */
		items->event_key = this_cpu_inc_return(keys) * nr_cpu_ids +
				   smp_processor_id();
		evnt_items_add(items, EVNTRACE_PROPERTY_EVENT_KEY, ETL_EXT_EVENT_KEY,
			       &items->event_key, sizeof(items->event_key));
	}
	if (ext_items & EVNTRACE_PROPERTY_PROCESS_START_KEY) {
		items->start_key = evnt_start_key();
		evnt_items_add(items, EVNTRACE_PROPERTY_PROCESS_START_KEY,
			       ETL_EXT_PROCESS_START_KEY, &items->start_key,
			       sizeof(items->start_key));
	}
	if (ext_items & EVNT_PROPERTY_CONTAINER_ITEM) {
		cgroup = evnt_cgroup_id(current);
		snprintf(items->container, sizeof(items->container),
			 "00000000-0000-0000-%04x-%012llx",
			 (u32)(cgroup >> 48), cgroup & (BIT_ULL(48) - 1));
		evnt_items_add(items, EVNT_PROPERTY_CONTAINER_ITEM,
			       ETL_EXT_CONTAINER_ID, items->container,
			       sizeof(items->container) - 1);
	}
}
