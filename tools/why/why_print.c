// SPDX-License-Identifier: MIT
/* Prints where the time of an activity went, as text or as a JSON object */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "decode/format.h"
#include "tools/common/json.h"
#include "tools/common/strbuf.h"
#include "tools/common/table.h"
#include "tools/evnt.h"
#include "tools/events/disks.h"
#include "tools/why/why.h"

#define TICKS_PER_MS	1e4
#define NS_PER_TICK	100
#define COLUMNS		100
#define CELL		32
#define NAME		300
/* Causes that the first sentence lists */
#define CAUSES		3

static void add(struct out *out, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void add(struct out *out, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = must_have(format_text(format, args));
	va_end(args);
	out_text(out, text);
	free(text);
}

/* Print sentences in lines of at most COLUMNS characters, and empty them */
static void print_filled(struct out *out)
{
	char *text = must_have(strdup(out_string(out)));
	char *word, *state = NULL;
	size_t column = 0, len;

	for (word = strtok_r(make_printable(text), " ", &state); word;
	     word = strtok_r(NULL, " ", &state)) {
		len = strlen(word);
		if (column && column + 1 + len > COLUMNS) {
			putchar('\n');
			column = 0;
		}
		printf("%s%s", column ? " " : "", word);
		column += (column ? 1 : 0) + len;
	}
	putchar('\n');
	out->len = 0;
	free(text);
}

static double ms(int64_t ticks)
{
	return ticks / TICKS_PER_MS;
}

/* More digits for a short time */
static void add_ms(struct out *out, int64_t ticks)
{
	add(out, !ticks ? "%.0f ms" : ms(ticks) < 1 ? "%.3f ms" : "%.1f ms",
	    ms(ticks));
}

static const struct cpu_process *process_of(const struct why *why,
					    uint32_t thread)
{
	return &why->use.processes[why->use.threads[thread].process];
}

/* Name a thread; @separator is between the process and the thread */
static const char *thread_name(const struct why *why, uint32_t thread,
			       const char *separator, char text[NAME])
{
	const struct cpu_process *p = process_of(why, thread);
	const uint32_t tid = why->use.threads[thread].tid;

	if (p->pid == UINT32_MAX)
		snprintf(text, NAME, "unknown%s%u", separator, tid);
	else if (p->pid == tid)
		snprintf(text, NAME, "%s %u", p->name ? p->name : "process",
			 tid);
	else
		snprintf(text, NAME, "%s %u%s%u", p->name ? p->name : "process",
			 p->pid, separator, tid);
	return text;
}

static void add_states(struct out *out, const struct why *why,
		       const struct why_sum *sum)
{
	const uint32_t causes = sum->causes.count < CAUSES ? sum->causes.count :
							    CAUSES;

	add(out, "it was blocked for ");
	add_ms(out, sum->time[WHY_BLOCKED]);
	for (uint32_t i = 0; i < causes; i++) {
		add(out, "%s%s ", i ? ", " : " (", sum->causes.list[i].name);
		add_ms(out, sum->causes.list[i].time);
	}
	add(out, "%s, ran for ", causes ? ")" : "");
	add_ms(out, sum->time[WHY_RUNNING]);
	add(out, ", and could run, but got no processor, for ");
	add_ms(out, sum->time[WHY_RUNNABLE]);
	add(out, ".%s", why->wake_ups ? "" :
	    " Without wake-ups in the log, the latter belongs to the former.");
}

/* Put requests in words */
static void add_disks(struct out *out, const struct why_disks *disks)
{
	char name[DISK_TEXT];

	for (uint32_t i = 0; i < disks->count; i++) {
		const struct why_disk *d = &disks->list[i];

		add(out, "%s%u request%s", i ? ", and " : "", d->requests,
		    d->requests == 1 ? "" : "s");
		if (d->bytes)
			add(out, " of %.1f KB", d->bytes / 1024.0);
		add(out, " to disk %s, under way for ",
		    disk_text(d->disk, name));
		add_ms(out, d->time);
	}
}

/* Put the longest wait of the thread that ended a wait, and the cause of it */
static void add_waker_wait(struct out *out, const struct why *why,
			   uint32_t waker, const struct why_stretch *longest,
			   const struct why_wait *wait)
{
	struct why_disks disks = {};
	const char *cause;
	char *function;

	add(out, ", and was blocked for ");
	add_ms(out, why_time(why, waker, WHY_BLOCKED, wait->from, wait->to));
	cause = why_cause(why, waker, longest, &function);
	add(out, ": %s", cause);
	free(function);
	if (why_is_disk(cause))
		why_add_disks(why, waker, longest, longest->from, longest->to,
			      &disks);
	if (disks.count) {
		add(out, " (");
		add_disks(out, &disks);
		add(out, ")");
	}
	free(disks.list);
}

static void add_waker(struct out *out, const struct why *why,
		      const struct why_wait *wait)
{
	const struct why_stretch *s = wait->stretch, *longest;
	const uint32_t waker = s->waker;
	char name[NAME], *function;

	if (!s->is_woken)
		return;
	if (s->is_interrupt) {
		add(out, ", ended by an interrupt: %s", why_interrupt(why, s));
		return;
	}
	if (waker == CPU_NONE)
		return;
	add(out, ", until %s woke it", thread_name(why, waker, ", thread ",
						   name));
	function = why_function(why, waker, &s->waker_stack);
	if (function)
		add(out, " in %s", function);
	free(function);
	add(out, ". Meanwhile, that thread ran for ");
	add_ms(out, why_time(why, waker, WHY_RUNNING, wait->from, wait->to));
	longest = why_longest(why, waker, wait->from, wait->to);
	if (longest)
		add_waker_wait(out, why, waker, longest, wait);
}

/* Name the requests that all waits for disks were for */
static void add_requests(struct out *out, const struct why_sum *sum)
{
	if (!sum->disks.count)
		return;
	add(out, "It waited for ");
	add_disks(out, &sum->disks);
	add(out, ".");
	print_filled(out);
}

/* Explain the longest wait */
static void add_longest(struct out *out, const struct why *why,
			const struct why_sum *sum)
{
	const struct why_wait *wait = sum->waits;

	if (!sum->wait_count)
		return;
	add(out, sum->wait_count == 1 ? "The wait: " :
					"The longest of %u waits: ",
	    sum->wait_count);
	add(out, "%s", wait->cause);
	if (wait->function)
		add(out, " (%s)", wait->function);
	add(out, ", ");
	add_ms(out, wait->to - wait->from);
	add_waker(out, why, wait);
	add(out, ".");
	print_filled(out);
}

static void add_function(struct out *out, const struct why_sum *sum)
{
	if (!sum->samples)
		return;
	add(out, "Of %u samples, %.0f %% were in %s.", sum->samples,
	    100.0 * sum->functions.list[0].count / sum->samples,
	    sum->functions.list[0].name);
	print_filled(out);
}

static void print_sentences(const struct why *why,
			    const struct why_activity *activity,
			    const struct why_sum *sum)
{
	const struct activity *a = activity_at(&why->activities,
					       activity->number);
	char name[NAME];
	struct out out = {};

	add(&out, "%s", activity_kind(&why->activities, a)->name);
	activity_put_fields(&out, activity->fields);
	add(&out, a->stopped ? " took " : " has not ended after ");
	add_ms(&out, why_duration(why, a));
	if (activity->count)
		add(&out, " in %s", thread_name(why, activity->parts[0].thread,
						", thread ", name));
	if (activity->count > 1)
		add(&out, " and others");
	add(&out, ": ");
	add_states(&out, why, sum);
	print_filled(&out);
	add_requests(&out, sum);
	if (sum->time[WHY_BLOCKED] >= sum->time[WHY_RUNNING]) {
		add_longest(&out, why, sum);
		add_function(&out, sum);
	} else {
		add_function(&out, sum);
		add_longest(&out, why, sum);
	}
	out_free(&out);
}

static void put_waker(const struct why *why, const struct why_stretch *s,
		      char text[NAME])
{
	text[0] = '\0';
	if (!s->is_woken)
		return;
	if (s->is_interrupt)
		snprintf(text, NAME, "interrupt: %s", why_interrupt(why, s));
	else if (s->waker != CPU_NONE)
		thread_name(why, s->waker, "/", text);
}

/* Cut a text behind a number of characters */
static char *cut(char *text, unsigned int characters)
{
	char *c = text;

	while (*c && characters) {
		c++;
		if ((*c & 0xc0) != 0x80)
			characters--;
	}
	*c = '\0';
	return text;
}

static void print_wait(struct table *table, const struct why *why,
		       const struct activity *a, const struct why_wait *wait)
{
	const struct why_stretch *s = wait->stretch;
	char on[NAME], waker[NAME], ran[CELL] = "", at[CELL], length[CELL];

	snprintf(on, sizeof(on), wait->function ? "%s (%s)" : "%s", wait->cause,
		 wait->function);
	put_waker(why, s, waker);
	if (s->is_woken && !s->is_interrupt && s->waker != CPU_NONE)
		snprintf(ran, sizeof(ran), "%.3f",
			 ms(why_time(why, s->waker, WHY_RUNNING, wait->from,
				     wait->to)));
	snprintf(at, sizeof(at), "%.3f", ms(wait->from - a->start));
	snprintf(length, sizeof(length), "%.3f", ms(wait->to - wait->from));
	table_add(table, (const char *[]){
		cut(on, 32), cut(waker, 28), ran, at, length
	});
}

void why_print_text(const struct why *why, const struct why_activity *activity,
		    uint32_t rows)
{
	const struct activity *a = activity_at(&why->activities,
					       activity->number);
	struct table table = { .columns = 5, .text_columns = 2 };
	struct why_sum sum;

	why_sum(why, activity, &sum);
	print_sentences(why, activity, &sum);
	if (sum.wait_count) {
		putchar('\n');
		table_add(&table, (const char *[]){
			"BLOCKED ON", "WOKEN BY", "RAN, MS", "AT, MS", "MS"
		});
	}
	for (uint32_t i = 0; i < sum.wait_count && i < rows; i++)
		print_wait(&table, why, a, &sum.waits[i]);
	table_print(&table);
	if (sum.wait_count > rows)
		printf("and %u more: --rows prints them\n",
		       sum.wait_count - rows);
	why_sum_free(&sum);
}

static void add_ns(json_object *object, const char *key, int64_t ticks)
{
	json_add_number(object, key, (uint64_t)ticks * NS_PER_TICK);
}

static void add_thread(json_object *object, const struct why *why,
		       uint32_t thread)
{
	const struct cpu_process *p = process_of(why, thread);

	if (p->pid != UINT32_MAX)
		json_add_number(object, "pid", p->pid);
	json_add_number(object, "tid", why->use.threads[thread].tid);
	if (p->name)
		json_add_text(object, "process", p->name);
}

static void add_stack(json_object *object, const char *key,
		      const struct why *why, uint32_t thread,
		      const struct why_frames *stack)
{
	json_object *list;
	char *name;

	if (!stack->depth)
		return;
	list = json_object_new_array();
	for (uint32_t i = 0; i < stack->depth; i++) {
		name = why_frame(why, thread, stack, i);
		json_object_array_add(list, json_object_new_string(name));
		free(name);
	}
	json_object_object_add(object, key, list);
}

/* Add an array of disks, unless it is empty */
static void put_disks(json_object *object, const struct why_disks *disks)
{
	json_object *array, *one;
	char number[DISK_NUMBER];
	const char *name;

	if (!disks->count)
		return;
	array = json_object_new_array();
	for (uint32_t i = 0; i < disks->count; i++) {
		one = json_object_new_object();
		json_add_text(one, "disk", disk_number(disks->list[i].disk,
						       number));
		name = disk_name(disks->list[i].disk);
		if (name)
			json_add_text(one, "name", name);
		json_add_number(one, "requests", disks->list[i].requests);
		json_add_number(one, "bytes", disks->list[i].bytes);
		add_ns(one, "duration_ns", disks->list[i].time);
		json_object_array_add(array, one);
	}
	json_object_object_add(object, "disks", array);
}

/* Add the cause of a wait, and the requests that it was for between two times */
static void add_cause(json_object *object, const struct why *why,
		      uint32_t thread, const struct why_stretch *s,
		      int64_t from, int64_t to)
{
	struct why_disks disks = {};
	char *function;
	const char *cause = why_cause(why, thread, s, &function);

	json_add_text(object, "cause", cause);
	if (function)
		json_add_text(object, "function", function);
	free(function);
	if (why_is_disk(cause))
		why_add_disks(why, thread, s, from, to, &disks);
	put_disks(object, &disks);
	free(disks.list);
}

static json_object *waker_object(const struct why *why,
				 const struct why_wait *wait)
{
	const struct why_stretch *s = wait->stretch, *longest;
	json_object *object = json_object_new_object();

	if (s->is_interrupt) {
		json_add_text(object, "interrupt", why_interrupt(why, s));
	} else if (s->waker != CPU_NONE) {
		add_thread(object, why, s->waker);
		add_ns(object, "running_ns",
		       why_time(why, s->waker, WHY_RUNNING, wait->from,
				wait->to));
		add_ns(object, "blocked_ns",
		       why_time(why, s->waker, WHY_BLOCKED, wait->from,
				wait->to));
		longest = why_longest(why, s->waker, wait->from, wait->to);
		if (longest)
			add_cause(object, why, s->waker, longest,
				  longest->from, longest->to);
	}
	add_stack(object, "stack", why, s->waker, &s->waker_stack);
	return object;
}

static json_object *wait_object(const struct why *why,
				const struct activity *a,
				const struct why_wait *wait)
{
	json_object *object = json_object_new_object();

	add_ns(object, "at_ns", wait->from - a->start);
	add_ns(object, "duration_ns", wait->to - wait->from);
	add_cause(object, why, wait->thread, wait->stretch, wait->from,
		  wait->to);
	json_add_number(object, "reason", wait->stretch->reason);
	json_add_number(object, "tid", why->use.threads[wait->thread].tid);
	add_stack(object, "stack", why, wait->thread, &wait->stretch->stack);
	if (wait->stretch->is_woken)
		json_object_object_add(object, "woken_by",
				       waker_object(why, wait));
	return object;
}

static void add_counts(json_object *object, const char *key,
		       const struct why_counts *counts, bool timed)
{
	json_object *array = json_object_new_array(), *one;

	for (uint32_t i = 0; i < counts->count; i++) {
		one = json_object_new_object();
		json_add_text(one, "name", counts->list[i].name);
		json_add_number(one, "count", counts->list[i].count);
		if (timed)
			add_ns(one, "duration_ns", counts->list[i].time);
		json_object_array_add(array, one);
	}
	json_object_object_add(object, key, array);
}

void why_print_json(const struct why *why, const struct why_activity *activity)
{
	const struct activity *a = activity_at(&why->activities,
					       activity->number);
	json_object *object = json_object_new_object(), *list, *fields;
	struct why_sum sum;

	why_sum(why, activity, &sum);
	json_add_number(object, "number", activity->number + 1ull);
	if (!guid_is_zero(&a->id))
		json_add_guid(object, "activity", &a->id);
	json_add_text(object, "name", activity_kind(&why->activities, a)->name);
	fields = activity->fields ? json_tokener_parse(activity->fields) : NULL;
	if (fields)
		json_object_object_add(object, "fields", fields);
	if (activity->count)
		add_thread(object, why, activity->parts[0].thread);
	add_ns(object, "duration_ns", why_duration(why, a));
	add_ns(object, "running_ns", sum.time[WHY_RUNNING]);
	add_ns(object, "runnable_ns", sum.time[WHY_RUNNABLE]);
	add_ns(object, "blocked_ns", sum.time[WHY_BLOCKED]);
	add_counts(object, "causes", &sum.causes, true);
	put_disks(object, &sum.disks);
	add_counts(object, "functions", &sum.functions, false);
	list = json_object_new_array();
	for (uint32_t i = 0; i < sum.wait_count; i++)
		json_object_array_add(list, wait_object(why, a, &sum.waits[i]));
	json_object_object_add(object, "waits", list);
	json_print(object);
	why_sum_free(&sum);
}
