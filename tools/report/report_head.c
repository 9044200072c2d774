// SPDX-License-Identifier: MIT
/* The head of a report's data: sums, names, activities and call stacks */
#include <stdlib.h>

#include "tools/evnt.h"
#include "tools/events/process_names.h"
#include "tools/print/json_out.h"
#include "tools/report/report_data.h"

/* Number of points in time of the rates */
#define BINS		240

/* Maximum number of activities, the longest ones, and of losses with a place */
#define MAX_ACTIVITIES	1000
#define MAX_LOSSES	1000

/* Frames below this part of all stacks are left out */
#define SMALLEST_FRAME	4000

static int64_t first_time(const struct report *r)
{
	int64_t first = r->count ? r->events[0].time : 0;

	for (uint32_t i = 1; i < r->count; i++) {
		if (r->events[i].time < first)
			first = r->events[i].time;
	}
	return first;
}

static int64_t last_time(const struct report *r)
{
	int64_t last = r->count ? r->events[0].time : 0;

	for (uint32_t i = 1; i < r->count; i++) {
		if (r->events[i].time > last)
			last = r->events[i].time;
	}
	return last;
}

static void next_unsigned(struct out *out, uint64_t number)
{
	json_next(out);
	json_put_unsigned(out, number);
}

static void put_key(struct out *out, const char *key, uint64_t number)
{
	json_key(out, key);
	json_put_unsigned(out, number);
}

static void put_losses(struct out *out, const struct report *r, int64_t first)
{
	uint64_t events = 0, buffers = 0;

	for (int i = 0; i < r->logs->count; i++) {
		events += r->logs->files[i].LogfileHeader.EventsLost;
		buffers += r->logs->files[i].LogfileHeader.BuffersLost;
	}
	put_key(out, "eventsLost", events);
	put_key(out, "buffersLost", buffers);
	put_key(out, "places", r->loss_count);
	json_plain_key(out, "losses");
	json_begin(out, '[');
	for (uint32_t i = 0; i < r->loss_count && i < MAX_LOSSES; i++)
		next_unsigned(out, r->losses[i] - first);
	json_end(out, ']');
}

/* Return the number of events of each name in each bin, for providers' names */
static uint32_t *count_bins(const struct report *r, int64_t first, int64_t span)
{
	uint32_t *bins = must_have(calloc(r->names.count + 1,
					  BINS * sizeof(*bins)));
	size_t bin;

	for (uint32_t i = 0; i < r->count; i++) {
		bin = (double)(r->events[i].time - first) / span * BINS;
		if (bin >= BINS)
			bin = BINS - 1;
		bins[(size_t)r->events[i].provider * BINS + bin]++;
	}
	return bins;
}

/* Put the bins of each provider: its name's number, then the counts */
static void put_rates(struct out *out, const struct report *r, int64_t first,
		      int64_t last)
{
	uint32_t *bins = count_bins(r, first, last > first ? last - first : 1);
	uint64_t sum;

	json_plain_key(out, "rates");
	json_begin(out, '[');
	for (uint32_t name = 0; name < r->names.count; name++) {
		const uint32_t *of = bins + (size_t)name * BINS;

		sum = 0;
		for (int i = 0; i < BINS; i++)
			sum += of[i];
		if (!sum)
			continue;
		json_begin(out, '[');
		next_unsigned(out, name);
		for (int i = 0; i < BINS; i++)
			next_unsigned(out, of[i]);
		json_end(out, ']');
	}
	json_end(out, ']');
	free(bins);
}

static void put_writers(struct out *out, const struct report *r)
{
	json_plain_key(out, "writers");
	json_begin(out, '[');
	for (uint32_t i = 0; i < r->writer_count; i++) {
		next_unsigned(out, r->writers[i].pid);
		next_unsigned(out, r->writers[i].tid);
	}
	json_end(out, ']');
}

/* Put the names of processes: from images, unless an event names them */
static void put_processes(struct out *out, const struct report *r)
{
	const char *name;

	json_plain_key(out, "processes");
	json_begin(out, '[');
	for (uint32_t i = 0; i < r->writer_count; i++) {
		name = process_names_shown(r->writers[i].pid);
		if (!name)
			continue;
		next_unsigned(out, r->writers[i].pid);
		json_next(out);
		json_put_text(out, name);
	}
	for (uint32_t i = 0; i < r->process_count; i++) {
		next_unsigned(out, r->processes[i].pid);
		json_next(out);
		json_put_text(out, text_at(&r->names, r->processes[i].name));
	}
	json_end(out, ']');
}

static int64_t activity_end(const struct activity *a, int64_t last)
{
	return a->started && !a->stopped ? last : a->stop;
}

/* Activities for longest_first(), which has no other argument */
static const struct activities *sorted;
static int64_t sorted_end;

static int longest_first(const void *left, const void *right)
{
	const struct activity *a = activity_at(sorted, *(uint32_t *)left);
	const struct activity *b = activity_at(sorted, *(uint32_t *)right);
	int64_t x = activity_end(a, sorted_end) - a->start;
	int64_t y = activity_end(b, sorted_end) - b->start;

	return x < y ? 1 : x > y ? -1 :
	       *(uint32_t *)left < *(uint32_t *)right ? -1 : 1;
}

/* Put an activity: number, parent, kind, pid, tid, start, duration, status */
static void put_activity(struct out *out, const struct report *r,
			 uint32_t number, int64_t first, int64_t last)
{
	const struct activity *a = activity_at(&r->activities, number);
	int64_t start = a->start > first ? a->start - first : 0;

	json_begin(out, '[');
	next_unsigned(out, number);
	next_unsigned(out, a->parent);
	json_next(out);
	json_put_text(out, a->kind == ACTIVITY_NONE ? "?" :
		      activity_kind(&r->activities, a)->name);
	next_unsigned(out, a->pid);
	next_unsigned(out, a->tid);
	next_unsigned(out, start);
	next_unsigned(out, activity_end(a, last) - a->start);
	next_unsigned(out, activity_status(a));
	json_end(out, ']');
}

static void put_activities(struct out *out, const struct report *r,
			   int64_t first, int64_t last)
{
	uint32_t *list = must_have(calloc(r->activities.count + 1,
					  sizeof(*list)));
	uint32_t count = 0;

	for (uint32_t i = 0; i < r->activities.count; i++) {
		if (activity_at(&r->activities, i)->started)
			list[count++] = i;
	}
	sorted = &r->activities;
	sorted_end = last;
	qsort(list, count, sizeof(*list), longest_first);
	put_key(out, "activityCount", count);
	json_plain_key(out, "activities");
	json_begin(out, '[');
	for (uint32_t i = 0; i < count && i < MAX_ACTIVITIES; i++)
		put_activity(out, r, list[i], first, last);
	json_end(out, ']');
	free(list);
}

/* Put the frames: number, parent plus one, name, number of stacks through it */
static void put_stacks(struct out *out, const char *key, const struct folds *folds,
		       const char *count_key, uint64_t count)
{
	uint64_t *sums = must_have(calloc(folds->count + 1, sizeof(*sums)));

	for (uint32_t i = folds->count; i--;) {
		sums[i] += folds->list[i].count;
		if (folds->list[i].parent != FOLD_NONE)
			sums[folds->list[i].parent] += sums[i];
	}
	put_key(out, count_key, count);
	json_key(out, key);
	json_begin(out, '[');
	for (uint32_t i = 0; i < folds->count; i++) {
		if (sums[i] * SMALLEST_FRAME < count)
			continue;
		json_begin(out, '[');
		next_unsigned(out, i);
		next_unsigned(out, (uint32_t)(folds->list[i].parent + 1));
		json_next(out);
		json_put_text(out, text_at(&folds->names, folds->list[i].name));
		next_unsigned(out, sums[i]);
		json_end(out, ']');
	}
	json_end(out, ']');
	free(sums);
}

void report_put_head(struct out *out, struct report *r)
{
	int64_t first = first_time(r), last = last_time(r);

	json_begin(out, '{');
	put_key(out, "count", r->count);
	json_plain_key(out, "start");
	out_char(out, '"');
	out_unsigned(out, first);
	out_char(out, '"');
	put_key(out, "span", last - first);
	put_key(out, "begin", r->count ? r->events[0].time - first : 0);
	json_plain_key(out, "files");
	json_begin(out, '[');
	for (int i = 0; i < r->logs->count; i++) {
		json_next(out);
		json_put_text(out, r->logs->files[i].LogFileName);
	}
	json_end(out, ']');
	json_plain_key(out, "names");
	json_begin(out, '[');
	for (uint32_t i = 0; i < r->names.count; i++) {
		json_next(out);
		json_put_text(out, text_at(&r->names, i));
	}
	json_end(out, ']');
	put_losses(out, r, first);
	put_rates(out, r, first, last);
	put_writers(out, r);
	put_processes(out, r);
	put_activities(out, r, first, last);
	put_stacks(out, "stacks", &r->folds, "stackCount", r->stacks);
	report_schedule_put(out, &r->schedule, first, last);
	put_stacks(out, "samples", &r->schedule.use.folds, "sampleCount",
		   r->schedule.use.samples);
	json_end(out, '}');
}
