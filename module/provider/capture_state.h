/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Capture state: requests to the registrations of a provider or group, or to
 * all that a session has enabled, to log their state; and the filter data that
 * such a request carries.
 */
#ifndef EVNT_CAPTURE_STATE_H
#define EVNT_CAPTURE_STATE_H

#include "module/common/module.h"

struct evnt_filters;
struct evnt_provider;
struct evnt_registration;
struct evnt_session;

int evnt_capture_state(struct evnt_provider *p, struct evnt_session *s,
		       const struct evntprov_guid *source,
		       struct evnt_filters *filters);
void evnt_capture_state_requeue(struct evnt_session *s,
				const struct evntprov_guid *provider);
void evnt_capture_state_requested(struct evnt_registration *r);
void evnt_capture_state_cancel(struct evnt_registration *r);
void evnt_capture_state_forget(struct evnt_registration *r,
			       const struct evnt_session *s);

#endif /* EVNT_CAPTURE_STATE_H */
