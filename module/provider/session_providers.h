/* SPDX-License-Identifier: GPL-2.0 */
/*
 * State that the provider layer keeps for each session, and the sequence of
 * steps that stops a session with its enablements.
 */
#ifndef EVNT_SESSION_PROVIDERS_H
#define EVNT_SESSION_PROVIDERS_H

#include <linux/workqueue.h>

#include "module/provider/enable.h"
#include "module/session/session.h"

/**
 * struct evnt_session_providers - state of the provider layer for a session
 * @session: the session, which owns this; constant
 * @capture: work item that requests @captured to log their state, and requeues
 *	itself
 * @manifests: work item that reports manifest files and processes again
 * @period_s: interval of @capture in seconds
 * @captured: providers with periodic capture-state requests
 * @disallowed: providers that the session does not enable through groups
 * @names: it has enabled providers with EVNTRACE_PROPERTY_PROCESS_NAME; set
 *	once under evnt_lock
 */
struct evnt_session_providers {
	struct evnt_session *session;
	struct delayed_work capture;
	struct work_struct manifests;

	/* The following fields are protected by evnt_lock. */
	u32 period_s;
	struct evnt_provider_list captured;
	struct evnt_provider_list disallowed;

	bool names;
};

extern const struct evnt_session_ops evnt_session_provider_ops;

int evnt_providers_set_list(struct evnt_session *s,
			    const struct evntrace_list *arg);
int evnt_providers_stop_session(struct evnt_session *s);
void evnt_providers_end_session(u64 handle, bool abandon, long timeout);

#endif /* EVNT_SESSION_PROVIDERS_H */
