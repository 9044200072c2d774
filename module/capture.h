/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Asking providers for their state again and again, for a session.
 */
#ifndef EVNT_CAPTURE_H
#define EVNT_CAPTURE_H

#include <linux/workqueue.h>

#include "module.h"

struct evnt_session;

/**
 * struct evnt_capture - which providers a session asks, and how often
 * @work: asks them, and queues itself again
 * @list: NULL, or whom to ask; evnt_lock
 * @count: how many they are; evnt_lock
 * @period_s: seconds; evnt_lock
 */
struct evnt_capture {
	struct delayed_work work;
	struct evntprov_guid *list;
	u32 count;
	u32 period_s;
};

void evnt_capture_init(struct evnt_capture *c);
int evnt_capture_set(const struct evntrace_capture *arg);
int evnt_capture_query(struct evntrace_capture *arg);
void evnt_capture_stop(struct evnt_session *s);

#endif /* EVNT_CAPTURE_H */
