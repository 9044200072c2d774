/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Asking registrations for their state: those of a provider or group, or all that
 * a session has enabled; and what is handed to them with that.
 */
#ifndef EVNT_RUNDOWN_H
#define EVNT_RUNDOWN_H

#include "module.h"

struct evnt_filters;
struct evnt_provider;
struct evnt_registration;
struct evnt_session;

int evnt_ask_provider(struct evnt_provider *p, struct evnt_session *s,
		      const struct evntprov_guid *source,
		      struct evnt_filters *filters);
int evnt_ask_all(struct evnt_session *s, const struct evntprov_guid *source,
		 struct evnt_filters *filters);
void evnt_ask_again(struct evnt_session *s,
		    const struct evntprov_guid *provider);
void evnt_asked(struct evnt_registration *r);
void evnt_not_asked(struct evnt_registration *r);
void evnt_ask_forget(struct evnt_registration *r, const struct evnt_session *s);

#endif /* EVNT_RUNDOWN_H */
