/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Periodic capture-state requests of a session to a list of providers.
 */
#ifndef EVNT_CAPTURE_PERIODIC_H
#define EVNT_CAPTURE_PERIODIC_H

#include <linux/workqueue.h>

#include "module/common/module.h"

struct evnt_session;

/**
 * struct evnt_capture - periodic capture-state requests of a session
 * @work: sends the requests and requeues itself
 * @list: providers, or NULL; protected by evnt_lock
 * @count: number of providers; protected by evnt_lock
 * @period_s: interval in seconds; protected by evnt_lock
 */
struct evnt_capture {
	struct delayed_work work;
	struct evntprov_guid *list;
	u32 count;
	u32 period_s;
};

void evnt_capture_init(struct evnt_capture *c);
int evnt_capture_set(struct evnt_session *s, const struct evntrace_list *arg);
void evnt_capture_stop(struct evnt_session *s);

#endif /* EVNT_CAPTURE_PERIODIC_H */
