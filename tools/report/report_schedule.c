// SPDX-License-Identifier: MIT
/* Tracks of processors and threads, from context switches */
#include <stdio.h>
#include <stdlib.h>

#include "tools/evnt.h"
#include "tools/print/json_out.h"
#include "tools/report/report_schedule.h"

/* Maximum number of threads, those that ran longest */
#define MAX_THREADS	24
#define NAME		300

static void add_run(struct report_schedule *schedule, int64_t from, int64_t to,
		    uint32_t processor, uint32_t thread)
{
	schedule->runs = list_room(schedule->runs, schedule->count,
				   &schedule->room, sizeof(*schedule->runs));
	schedule->runs[schedule->count++] = (struct report_run) {
		from, to, processor, thread
	};
}

static void on_switch(void *context, const struct cpu_switch *s)
{
	if (s->from != CPU_NONE && s->time > s->since)
		add_run(context, s->since, s->time, s->processor, s->from);
}

void report_schedule_take(struct report_schedule *schedule,
			  const EVENT_RECORD *record)
{
	static const struct cpu_watch watch = {
		.on_switch = on_switch, .is_folding = true,
	};

	schedule->use.watch = &watch;
	schedule->use.context = schedule;
	cpu_take(&schedule->use, record);
}

/* Threads run on at the end */
static void end_runs(struct report_schedule *schedule)
{
	struct cpu_use *use = &schedule->use;
	const struct cpu_processor *c;

	for (uint32_t i = 0; i < use->processor_count; i++) {
		c = &use->processors[i];
		if (c->has_switched && c->tid && use->last > c->since)
			add_run(schedule, c->since, use->last, i,
				cpu_thread(use, UINT32_MAX, c->tid));
	}
	cpu_finish(use);
}

/* Add the ticks of a run to the bins that it is in */
static void fill(uint64_t bins[SCHEDULE_BINS], const struct report_run *run,
		 int64_t first, double width)
{
	int64_t begin, end;
	int i = (run->from - first) / width;

	for (i = i < 0 ? 0 : i; i < SCHEDULE_BINS; i++) {
		begin = first + (int64_t)(i * width);
		end = first + (int64_t)((i + 1) * width);
		if (run->to <= begin)
			return;
		if (run->from > begin)
			begin = run->from;
		if (run->to < end)
			end = run->to;
		bins[i] += end > begin ? end - begin : 0;
	}
}

static void put_track(struct out *out, const char *name, uint64_t time,
		      const uint64_t bins[SCHEDULE_BINS], double width)
{
	json_begin(out, '[');
	json_next(out);
	json_put_text(out, name);
	json_next(out);
	json_put_unsigned(out, time);
	/* Half a percent more, for rounding */
	for (int i = 0; i < SCHEDULE_BINS; i++) {
		json_next(out);
		json_put_unsigned(out, (200 * bins[i] + width) / (2 * width));
	}
	json_end(out, ']');
}

/* Put the track of the runs that @is_of selects by @number */
static void put_runs(struct out *out, const struct report_schedule *schedule,
		     bool (*is_of)(const struct report_run *run, uint32_t number),
		     uint32_t number, const char *name, int64_t first,
		     double width)
{
	uint64_t bins[SCHEDULE_BINS] = {}, time = 0;
	const struct report_run *run;

	for (run = schedule->runs; run < schedule->runs + schedule->count;
	     run++) {
		if (!is_of(run, number))
			continue;
		time += run->to - run->from;
		fill(bins, run, first, width);
	}
	put_track(out, name, time, bins, width);
}

static bool is_of_processor(const struct report_run *run, uint32_t number)
{
	return run->processor == number;
}

static bool is_of_thread(const struct report_run *run, uint32_t number)
{
	return run->thread == number;
}

/* Return the thread that ran longest of those not yet listed, or CPU_NONE */
static uint32_t next_thread(const struct cpu_use *use, const bool *is_listed)
{
	uint32_t longest = CPU_NONE;

	for (uint32_t i = 0; i < use->thread_count; i++) {
		if (!is_listed[i] && use->threads[i].time &&
		    (longest == CPU_NONE ||
		     use->threads[i].time > use->threads[longest].time))
			longest = i;
	}
	return longest;
}

static void put_threads(struct out *out, const struct report_schedule *schedule,
			int64_t first, double width)
{
	const struct cpu_use *use = &schedule->use;
	bool *is_listed = must_have(calloc(use->thread_count + 1, 1));
	const struct cpu_process *p;
	char name[NAME];
	uint32_t thread;

	for (int n = 0; n < MAX_THREADS; n++) {
		thread = next_thread(use, is_listed);
		if (thread == CPU_NONE)
			break;
		is_listed[thread] = true;
		p = &use->processes[use->threads[thread].process];
		if (p->pid == UINT32_MAX)
			snprintf(name, sizeof(name), "unknown / %u",
				 use->threads[thread].tid);
		else
			snprintf(name, sizeof(name), "%s %u / %u",
				 p->name ? p->name : "process", p->pid,
				 use->threads[thread].tid);
		put_runs(out, schedule, is_of_thread, thread, name, first,
			 width);
	}
	free(is_listed);
}

void report_schedule_put(struct out *out, struct report_schedule *schedule,
			 int64_t first, int64_t last)
{
	const double width = (last > first ? last - first : 1) /
			     (double)SCHEDULE_BINS;
	char name[NAME];

	end_runs(schedule);
	json_plain_key(out, "schedule");
	json_begin(out, '[');
	for (uint32_t i = 0; schedule->count &&
	     i < schedule->use.processor_count; i++) {
		snprintf(name, sizeof(name), "processor %u", i);
		put_runs(out, schedule, is_of_processor, i, name, first, width);
	}
	if (schedule->count)
		put_threads(out, schedule, first, width);
	json_end(out, ']');
}

void report_schedule_free(struct report_schedule *schedule)
{
	cpu_free(&schedule->use);
	free(schedule->runs);
}
