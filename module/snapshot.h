/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writing what a session keeps in memory to a file, while it goes on.
 */
#ifndef EVNT_SNAPSHOT_H
#define EVNT_SNAPSHOT_H

#include "session.h"

int evnt_snapshot(struct evnt_session *s, struct evntrace_snapshot *arg);

#endif /* EVNT_SNAPSHOT_H */
