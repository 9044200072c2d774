/* SPDX-License-Identifier: MIT */
/*
 * Context switches and wake-ups, as events of Linux' ftrace: readers make a track of
 * each processor and of each thread's states of them, and arrows of wake-ups
 */
#ifndef EVNT_PERFETTO_SCHEDULE_H
#define EVNT_PERFETTO_SCHEDULE_H

#include "tools/cpu/cpu.h"
#include "tools/perfetto/perfetto_tracks.h"

/**
 * struct schedule - state of writing them; must be zeroed initially
 * @use: threads and processes
 * @packets: packet writer
 * @tracks: tracks of the trace
 * @boot: start of the system as a FILETIME, or 0 if it is not known
 */
struct schedule {
	struct cpu_use use;
	struct packets *packets;
	struct tracks *tracks;
	int64_t boot;
};

/* Take an event; return whether it has been written */
bool schedule_take(struct schedule *schedule, const EVENT_RECORD *record);

#endif /* EVNT_PERFETTO_SCHEDULE_H */
