/* SPDX-License-Identifier: MIT */
/* When threads ran, on which processor, for the page of evnt report */
#ifndef EVNT_REPORT_SCHEDULE_H
#define EVNT_REPORT_SCHEDULE_H

#include "tools/common/strbuf.h"
#include "tools/cpu/cpu.h"

/* Number of points in time of a track */
#define SCHEDULE_BINS	240

/**
 * struct report_run - time that a processor ran a thread
 * @from: its begin
 * @to: its end
 * @processor: number of the processor
 * @thread: index of the thread
 */
struct report_run {
	int64_t from;
	int64_t to;
	uint32_t processor;
	uint32_t thread;
};

/**
 * struct report_schedule - all of them; must be zeroed initially
 * @use: threads and processes, and the stacks of their samples
 * @runs: runs in the order of their ends
 * @count: number of runs
 * @room: number of runs that memory is allocated for
 */
struct report_schedule {
	struct cpu_use use;
	struct report_run *runs;
	uint32_t count;
	uint32_t room;
};

void report_schedule_take(struct report_schedule *schedule,
			  const EVENT_RECORD *record);

/*
 * Append the key "schedule": an array of tracks, first of processors, then of the
 * threads that ran longest: their name, how long they ran, and the percentage of
 * each bin
 */
void report_schedule_put(struct out *out, struct report_schedule *schedule,
			 int64_t first, int64_t last);

void report_schedule_free(struct report_schedule *schedule);

#endif /* EVNT_REPORT_SCHEDULE_H */
