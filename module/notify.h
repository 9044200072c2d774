/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Enable notifications: what the owner of a registration is told, and when it
 * has dealt with it.
 *
 * Memory is bounded: a registration has one place for what it is to be told,
 * and later changes overwrite it.
 */
#ifndef EVNT_NOTIFY_H
#define EVNT_NOTIFY_H

#include "provider.h"

void evnt_notify(struct evnt_registration *r, unsigned int pending,
		 const struct evntprov_guid *source);
void evnt_notify_join(struct evnt_registration *r, struct evnt_provider *group);
void evnt_notify_forget(struct evnt_registration *r);

#endif /* EVNT_NOTIFY_H */
