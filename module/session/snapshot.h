/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Snapshots: writing the buffers that a session keeps to a file while it runs.
 */
#ifndef EVNT_SNAPSHOT_H
#define EVNT_SNAPSHOT_H

#include "module/session/session.h"

int evnt_snapshot(struct evnt_session *s, struct evntrace_snapshot *arg);

#endif /* EVNT_SNAPSHOT_H */
