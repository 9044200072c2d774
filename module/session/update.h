/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Changes to a running session: its log file, real-time mode, its flush timer.
 */
#ifndef EVNT_UPDATE_H
#define EVNT_UPDATE_H

#include "module/session/session.h"

int evnt_update_rights(const struct evntrace_update *arg);
int evnt_update(struct evnt_session *s, const struct evntrace_update *arg);
int evnt_update_follow_log(struct evnt_session *s);

#endif /* EVNT_UPDATE_H */
