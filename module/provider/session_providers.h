/* SPDX-License-Identifier: GPL-2.0 */
/*
 * State that the provider layer keeps for each session, and the sequence of
 * steps that stops a session with its enablements.
 */
#ifndef EVNT_SESSION_PROVIDERS_H
#define EVNT_SESSION_PROVIDERS_H

#include <linux/workqueue.h>

#include "module/provider/capture_periodic.h"
#include "module/provider/group.h"
#include "module/session/session.h"

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

#endif /* EVNT_SESSION_PROVIDERS_H */
