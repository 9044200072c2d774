/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Providers in the kernel, whose registrations belong to an internal file.
 */
#ifndef EVNT_KERNEL_PROVIDER_H
#define EVNT_KERNEL_PROVIDER_H

/* Interface exported to other modules */
#define ETW_CALLS_ONLY
#include <linux/etw.h>

#include "module/provider/provider.h"

/**
 * struct evnt_kernel_side - data of a registration by a kernel provider
 * @callback: enable callback, or NULL; constant
 * @context: argument of @callback; constant
 * @state: level, keywords and static key of the owner, or NULL; constant; the
 *	contents are written under evnt_lock
 * @is_on: sessions have enabled it, and the keys are switched on; evnt_lock
 */
struct evnt_kernel_side {
	etw_enable_callback callback;
	void *context;
	struct etw_state *state;
	bool is_on;
};

/* Internal file that all kernel registrations belong to */
extern struct evnt_prov_file *evnt_kernel_file;

int evnt_kernel_init(void);
void evnt_kernel_exit(void);

extern u32 evnt_kernel_activity_count;
struct evntprov_guid evnt_kernel_activity_look_up(void);
void evnt_kernel_activity_init(void);
void evnt_kernel_activity_exit(void);

/* Return the activity id for events that specify none; any context */
static __always_inline struct evntprov_guid evnt_kernel_activity(void)
{
	if (likely(!READ_ONCE(evnt_kernel_activity_count)))
		return (struct evntprov_guid) {};
	return evnt_kernel_activity_look_up();
}

#endif /* EVNT_KERNEL_PROVIDER_H */
