// SPDX-License-Identifier: MIT
/* Sums where the time of an activity went */
#include <stdlib.h>
#include <string.h>

#include "tools/evnt.h"
#include "tools/report/texts.h"
#include "tools/why/why.h"

/* Ticks of a stretch between two times */
static int64_t overlap(const struct why_stretch *s, int64_t from, int64_t to)
{
	if (s->from > from)
		from = s->from;
	if (s->to < to)
		to = s->to;
	return to > from ? to - from : 0;
}

/* Return the first stretch of a thread that ends after a time */
static uint32_t stretch_after(const struct why_thread *t, int64_t time)
{
	uint32_t low = 0, high = t->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (t->list[middle].to <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int64_t why_time(const struct why *why, uint32_t thread, enum why_state state,
		 int64_t from, int64_t to)
{
	const struct why_thread *t = &why->threads[thread];
	int64_t time = 0;
	uint32_t i;

	for (i = stretch_after(t, from); i < t->count && t->list[i].from < to;
	     i++) {
		if (t->list[i].state == state)
			time += overlap(&t->list[i], from, to);
	}
	return time;
}

const struct why_stretch *why_longest(const struct why *why, uint32_t thread,
				      int64_t from, int64_t to)
{
	const struct why_thread *t = &why->threads[thread];
	const struct why_stretch *longest = NULL, *s;
	uint32_t i;

	for (i = stretch_after(t, from); i < t->count && t->list[i].from < to;
	     i++) {
		s = &t->list[i];
		if (s->state == WHY_BLOCKED &&
		    (!longest || overlap(s, from, to) >
				 overlap(longest, from, to)))
			longest = s;
	}
	return longest;
}

/* Return the place of a name in a list by name */
static uint32_t place_of(const struct why_counts *counts, const char *name)
{
	uint32_t low = 0, high = counts->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (strcmp(counts->list[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void count(struct why_counts *counts, const char *name, int64_t time)
{
	const uint32_t i = place_of(counts, name);
	struct why_count *c;

	if (i == counts->count || strcmp(counts->list[i].name, name) != 0) {
		counts->list = list_room(counts->list, counts->count,
					 &counts->room, sizeof(*c));
		c = &counts->list[i];
		memmove(c + 1, c, (counts->count++ - i) * sizeof(*c));
		*c = (struct why_count) { .name = must_have(strdup(name)) };
	}
	counts->list[i].count++;
	counts->list[i].time += time;
}

static void add_wait(const struct why *why, struct why_sum *sum,
		     const struct why_part *part, const struct why_stretch *s)
{
	const struct why_wait wait = {
		.stretch = s,
		.thread = part->thread,
		.from = s->from > part->from ? s->from : part->from,
		.to = s->to < part->to ? s->to : part->to,
	};
	struct why_wait *last;

	sum->waits = list_room(sum->waits, sum->wait_count, &sum->wait_room,
			       sizeof(*sum->waits));
	last = &sum->waits[sum->wait_count++];
	*last = wait;
	last->cause = why_cause(why, part->thread, s, &last->function);
	count(&sum->causes, last->cause, wait.to - wait.from);
	if (why_is_disk(last->cause))
		why_add_disks(why, part->thread, s, wait.from, wait.to,
			      &sum->disks);
}

/* Return the first sample of a thread that is not before a time */
static uint32_t sample_from(const struct why_thread *t, int64_t time)
{
	uint32_t low = 0, high = t->sample_count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (t->samples[middle].time < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void add_samples(const struct why *why, struct why_sum *sum,
			const struct why_part *part)
{
	const struct why_thread *t = &why->threads[part->thread];
	char *name;
	uint32_t i;

	for (i = sample_from(t, part->from);
	     i < t->sample_count && t->samples[i].time < part->to; i++) {
		name = why_frame(why, part->thread, &t->samples[i].stack, 0);
		count(&sum->functions, name, 0);
		free(name);
		sum->samples++;
	}
}

static void add_part(const struct why *why, struct why_sum *sum,
		     const struct why_part *part)
{
	const struct why_thread *t = &why->threads[part->thread];
	const struct why_stretch *s;
	uint32_t i;

	for (i = stretch_after(t, part->from);
	     i < t->count && t->list[i].from < part->to; i++) {
		s = &t->list[i];
		sum->time[s->state] += overlap(s, part->from, part->to);
		if (s->state == WHY_BLOCKED && overlap(s, part->from, part->to))
			add_wait(why, sum, part, s);
	}
	add_samples(why, sum, part);
}

static int by_length(const void *a, const void *b)
{
	const struct why_wait *x = a, *y = b;
	const int64_t m = x->to - x->from, n = y->to - y->from;

	if (m != n)
		return m < n ? 1 : -1;
	return x->from < y->from ? -1 : x->from > y->from;
}

static int by_count(const void *a, const void *b)
{
	const struct why_count *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? 1 : -1;
	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return strcmp(x->name, y->name);
}

static void sort_counts(struct why_counts *counts)
{
	if (counts->count)
		qsort(counts->list, counts->count, sizeof(*counts->list),
		      by_count);
}

void why_sum(const struct why *why, const struct why_activity *activity,
	     struct why_sum *sum)
{
	*sum = (struct why_sum) {};
	for (uint32_t i = 0; i < activity->count; i++)
		add_part(why, sum, &activity->parts[i]);
	if (sum->wait_count)
		qsort(sum->waits, sum->wait_count, sizeof(*sum->waits),
		      by_length);
	sort_counts(&sum->causes);
	sort_counts(&sum->functions);
}

static void free_counts(struct why_counts *counts)
{
	while (counts->count)
		free(counts->list[--counts->count].name);
	free(counts->list);
}

void why_sum_free(struct why_sum *sum)
{
	while (sum->wait_count)
		free(sum->waits[--sum->wait_count].function);
	free(sum->waits);
	free(sum->disks.list);
	free_counts(&sum->causes);
	free_counts(&sum->functions);
}
