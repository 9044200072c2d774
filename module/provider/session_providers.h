/* SPDX-License-Identifier: GPL-2.0 */
/*
 * State that the provider layer keeps for each session, and the sequence of
 * steps that stops a session with its enablements.
 */
#ifndef EVNT_SESSION_PROVIDERS_H
#define EVNT_SESSION_PROVIDERS_H

#include <linux/workqueue.h>

#include "module/provider/group.h"
#include "module/session/session.h"

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

/**
 * struct evnt_session_providers - state of the provider layer for a session
 * @session: the session, which owns this; constant
 * @capture: periodic capture-state requests
 * @disallowed: providers that it does not enable through groups
 * @manifests: work item that reports manifest files and processes again
 * @names: it has enabled providers with EVNTRACE_PROPERTY_PROCESS_NAME; set
 *	once under evnt_lock
 */
struct evnt_session_providers {
	struct evnt_session *session;
	struct evnt_capture capture;
	struct evnt_disallowed disallowed;
	struct work_struct manifests;
	bool names;
};

extern const struct evnt_session_ops evnt_session_provider_ops;

int evnt_providers_stop_session(struct evnt_session *s);
void evnt_providers_end_session(struct evnt_session *s, bool abandon,
				long timeout);

/* capture_periodic.c */
void evnt_capture_init(struct evnt_capture *c);
int evnt_capture_set(struct evnt_session *s, const struct evntrace_list *arg);
void evnt_capture_stop(struct evnt_session *s);

#endif /* EVNT_SESSION_PROVIDERS_H */
