/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The write path: from an event to one record in each session that enabled it.
 */
#ifndef EVNT_ROUTER_H
#define EVNT_ROUTER_H

#include "module/provider/provider.h"

long evnt_write(struct evnt_prov_file *pf,
		const struct evntprov_write __user *ptr);

int evnt_write_kernel_any(const struct evnt_enable_set *set,
			  const struct evnt_registration *r,
			  const struct evntprov_write *arg);

#endif /* EVNT_ROUTER_H */
