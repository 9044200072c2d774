/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The module's own events: see self_record.h.
 *
 * Each is written to the session that needs it, whatever the session has
 * enabled.
 */
#ifndef EVNT_SELF_EVENT_H
#define EVNT_SELF_EVENT_H

#include "core/self_record.h"
#include "module/session/session.h"

void evnt_self_losses(struct evnt_session *s, bool all);
int evnt_self_name(struct evnt_session *s, const char *name,
		   const void *package, u32 package_len, u32 process_id);
int evnt_self_write(struct evnt_session *s, const struct evnt_self_event *own,
		    const struct evnt_event *e, const void *data);

#endif /* EVNT_SELF_EVENT_H */
