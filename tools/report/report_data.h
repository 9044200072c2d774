/* SPDX-License-Identifier: MIT */
/* Data of the page that evnt report writes */
#ifndef EVNT_REPORT_DATA_H
#define EVNT_REPORT_DATA_H

#include "tools/activities/activity.h"
#include "tools/events/logs.h"
#include "tools/report/fold.h"
#include "tools/report/report_schedule.h"

/**
 * struct report_event - an event
 * @time: time, as a FILETIME
 * @writer: index of its thread
 * @provider: number of its provider's name
 * @title: number of its name
 * @level: level
 * @detail: number of the text of its fields
 */
struct report_event {
	int64_t time;
	uint32_t writer;
	uint32_t provider;
	uint32_t title;
	uint32_t level;
	uint32_t detail;
};

/* A thread that has written events */
struct report_writer {
	uint32_t pid;
	uint32_t tid;
};

/* Number of the name of a process, from an event */
struct report_process {
	uint32_t pid;
	uint32_t name;
};

/**
 * struct report - state of writing a report
 * @out: output stream
 * @logs: log files
 * @events: events, in order of their reading
 * @writers: threads
 * @wanted: thread that is searched for in @writers
 * @writer_table: hash table of @writers
 * @processes: names of processes; the last one of a process is valid
 * @losses: times of the first events after a loss
 * @lost: number of losses found so far
 * @names: names of providers, events and processes
 * @details: texts of fields
 * @line: text under construction
 * @folds: call stacks
 * @stacks: number of call stacks
 * @activities: activities
 * @schedule: when threads ran
 */
struct report {
	FILE *out;
	const struct logs *logs;
	struct report_event *events;
	uint32_t count;
	uint32_t room;
	struct report_writer *writers;
	uint32_t writer_count;
	uint32_t writer_room;
	struct report_writer wanted;
	struct hash writer_table;
	struct report_process *processes;
	uint32_t process_count;
	uint32_t process_room;
	int64_t *losses;
	uint32_t loss_count;
	uint32_t loss_room;
	uint64_t lost;
	struct texts names;
	struct texts details;
	struct out line;
	struct folds folds;
	uint64_t stacks;
	struct activities activities;
	struct report_schedule schedule;
};

/* Append the data except for the events, as JSON */
void report_put_head(struct out *out, struct report *r);

#endif /* EVNT_REPORT_DATA_H */
