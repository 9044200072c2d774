/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The module's own events: see own_record.h.
 *
 * They go to the session that they are for, whatever it has enabled.
 */
#ifndef EVNT_OWN_EVENT_H
#define EVNT_OWN_EVENT_H

#include "own_record.h"
#include "session.h"

int evnt_own_write(struct evnt_session *s, const struct evnt_own_event *own,
		   const struct evnt_event *e, const void *data);

#endif /* EVNT_OWN_EVENT_H */
