/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Enable notifications to the owners of registrations, and their completion.
 *
 * Memory is bounded: a registration has room for one notification of each kind,
 * and a later change overwrites an unread one.
 */
#ifndef EVNT_NOTIFY_H
#define EVNT_NOTIFY_H

#include "module/provider/provider.h"

void evnt_notify(struct evnt_registration *r, unsigned int pending,
		 const struct evntprov_guid *source);
void evnt_notify_join(struct evnt_registration *r, struct evnt_provider *group);
void evnt_notify_forget(struct evnt_registration *r);
void evnt_wake_settled(void);
int evnt_wait_settled(const atomic_t *unsettled, u32 timeout_ms);

#endif /* EVNT_NOTIFY_H */
