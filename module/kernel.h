/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Providers in the kernel: registrations of a file that nobody has opened.
 */
#ifndef EVNT_KERNEL_H
#define EVNT_KERNEL_H

/* What it exports, by these names */
#define ETW_CALLS_ONLY
#include <linux/etw.h>

#include "provider.h"

/**
 * struct evnt_kernel_side - what a registration of the kernel has besides
 * @callback: who is told of changes, or NULL; constant
 * @context: for @callback; constant
 * @state: where its owner wants to find what sessions want, or NULL; constant;
 *	what is there is written under evnt_lock
 * @is_held: it is not complete yet: no branch is switched; evnt_lock
 * @is_on: sessions have enabled it, and branches are switched so; evnt_lock
 */
struct evnt_kernel_side {
	etw_enable_callback callback;
	void *context;
	struct etw_state *state;
	bool is_held;
	bool is_on;
};

/* The file that owns them */
extern struct evnt_prov_file *evnt_kernel_file;

int evnt_kernel_init(void);
void evnt_kernel_exit(void);
void evnt_kernel_switch(struct evnt_registration *r,
			const struct evnt_composite *c);

extern u32 evnt_kernel_activity_count;
struct evntprov_guid evnt_kernel_activity_look_up(void);
void evnt_kernel_activity_init(void);
void evnt_kernel_activity_exit(void);

/* What an event belongs to that names no activity; any context */
static __always_inline struct evntprov_guid evnt_kernel_activity(void)
{
	if (likely(!READ_ONCE(evnt_kernel_activity_count)))
		return (struct evntprov_guid) {};
	return evnt_kernel_activity_look_up();
}

#endif /* EVNT_KERNEL_H */
