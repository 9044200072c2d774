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
 * @key: the branch before its events, or NULL; constant
 * @is_on: sessions have enabled it, and branches are switched so; evnt_lock
 */
struct evnt_kernel_side {
	etw_enable_callback callback;
	void *context;
	struct static_key_false *key;
	bool is_on;
};

/* The file that owns them */
extern struct evnt_prov_file *evnt_kernel_file;

int evnt_kernel_init(void);
void evnt_kernel_exit(void);
void evnt_kernel_switch(struct evnt_registration *r, bool on);

#endif /* EVNT_KERNEL_H */
