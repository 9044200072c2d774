// SPDX-License-Identifier: MIT
/* Prints CPU time as tables, or as a JSON object */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/common/json.h"
#include "tools/common/table.h"
#include "tools/cpu/cpu.h"
#include "tools/evnt.h"

#define TICKS_PER_MS		1e4
#define TICKS_PER_SECOND	1e7
#define CELL			32

static int by_time(const void *a, const void *b)
{
	const struct cpu_thread *const *x = a, *const *y = b;

	if ((*x)->time != (*y)->time)
		return (*x)->time < (*y)->time ? 1 : -1;
	return (*x)->tid < (*y)->tid ? -1 : (*x)->tid > (*y)->tid;
}

static int by_process_time(const void *a, const void *b)
{
	const struct cpu_process *const *x = a, *const *y = b;

	if ((*x)->time != (*y)->time)
		return (*x)->time < (*y)->time ? 1 : -1;
	return *x < *y ? -1 : *x > *y;
}

/* Return the processes that ran, by their time, for the caller to free */
static const struct cpu_process **processes(const struct cpu_use *use,
					    uint32_t *count)
{
	const struct cpu_process **list =
		must_have(calloc(use->process_count + 1, sizeof(*list)));
	uint32_t i, n = 0;

	for (i = 0; i < use->process_count; i++) {
		if (use->processes[i].time || use->processes[i].samples)
			list[n++] = &use->processes[i];
	}
	qsort(list, n, sizeof(*list), by_process_time);
	*count = n;
	return list;
}

/* The same for the threads of a process */
static const struct cpu_thread **threads(const struct cpu_use *use,
					 const struct cpu_process *p,
					 uint32_t *count)
{
	const struct cpu_thread **list =
		must_have(calloc(p->thread_count + 1, sizeof(*list)));
	const struct cpu_thread *t;
	uint32_t i, n = 0;

	for (i = p->last_thread; i != CPU_NONE; i = t->previous) {
		t = &use->threads[i];
		if (t->time || t->samples)
			list[n++] = t;
	}
	qsort(list, n, sizeof(*list), by_time);
	*count = n;
	return list;
}

static uint64_t used(const struct cpu_use *use)
{
	uint64_t time = 0;

	for (uint32_t i = 0; i < use->process_count; i++)
		time += use->processes[i].time;
	return time;
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * part / whole : 0;
}

static const char *percent_text(uint64_t part, uint64_t whole, char text[CELL])
{
	snprintf(text, CELL, "%.1f", percent(part, whole));
	return text;
}

static const char *ms_text(uint64_t ticks, char text[CELL])
{
	snprintf(text, CELL, "%.1f", ticks / TICKS_PER_MS);
	return text;
}

static const char *number_text(uint64_t number, char text[CELL])
{
	snprintf(text, CELL, "%" PRIu64, number);
	return text;
}

static const char *name_of(const struct cpu_process *p)
{
	return p->name ? p->name : "unknown";
}

static void print_summary(const struct cpu_use *use)
{
	const double seconds = (use->last - use->first) / TICKS_PER_SECOND;
	const double available = seconds * use->processor_count;
	const double busy = used(use) / TICKS_PER_SECOND;

	printf("%.3f s on %u processor%s, used for %.3f s (%.1f %%)", seconds,
	       use->processor_count, use->processor_count == 1 ? "" : "s", busy,
	       available > 0 ? 100 * busy / available : 0);
	if (use->switches)
		printf(", %" PRIu64 " context switches", use->switches);
	if (use->samples)
		printf(", %" PRIu64 " samples, one every %.3g ms", use->samples,
		       use->interval / TICKS_PER_MS);
	puts("\n");
}

static void add_row(struct table *table, const char *name, const char *thread,
		    uint64_t time, uint64_t all, uint64_t samples)
{
	char ms[CELL], share[CELL], count[CELL];

	table_add(table, (const char *[]){
		name, thread, ms_text(time, ms),
		percent_text(time, all, share), number_text(samples, count)
	});
}

/* Print how many rows are missing, if the table has no limit of lines */
static void print_more(uint32_t count, uint32_t rows, uint32_t lines)
{
	if (count > rows && lines == UINT32_MAX)
		printf("and %u more: --rows prints them\n", count - rows);
}

static void print_processes(const struct cpu_use *use, uint32_t rows,
			    uint32_t lines)
{
	struct table table = { .columns = 5, .text_columns = 1 };
	const struct cpu_process **list;
	const struct cpu_thread **of;
	uint32_t i, j, count, thread_count;
	char name[300], tid[CELL];
	const uint64_t all = used(use);

	list = processes(use, &count);
	table_add(&table, (const char *[]){
		"PROCESS", "THREAD", "CPU, MS", "%", "SAMPLES"
	});
	for (i = 0; i < count && i < rows && table.count < lines; i++) {
		const struct cpu_process *p = list[i];

		of = threads(use, p, &thread_count);
		if (p->pid == UINT32_MAX)
			snprintf(name, sizeof(name), "unknown");
		else
			snprintf(name, sizeof(name), "%s %u", name_of(p), p->pid);
		add_row(&table, name, thread_count == 1 ?
			number_text(of[0]->tid, tid) : "all", p->time, all,
			p->samples);
		for (j = 0; j < thread_count && thread_count > 1 && j < rows &&
		     table.count < lines; j++)
			add_row(&table, "", number_text(of[j]->tid, tid),
				of[j]->time, all, of[j]->samples);
		free(of);
	}
	free(list);
	table_print(&table);
	print_more(count, rows, lines);
}

static void print_functions(const struct cpu_use *use, uint32_t rows,
			    uint32_t lines)
{
	struct table table = { .columns = 4, .text_columns = 1 };
	struct cpu_function *list;
	char self[CELL], total[CELL], samples[CELL];
	uint32_t i, count;

	list = cpu_functions(use, &count);
	if (count) {
		putchar('\n');
		table_add(&table, (const char *[]){
			"FUNCTION", "SELF, %", "TOTAL, %", "SAMPLES"
		});
	}
	for (i = 0; i < count && i < rows && table.count < lines; i++)
		table_add(&table, (const char *[]){
			text_at(&use->folds.names, list[i].name),
			percent_text(list[i].self, use->samples, self),
			percent_text(list[i].total, use->samples, total),
			number_text(list[i].self, samples)
		});
	free(list);
	table_print(&table);
	print_more(count, rows, lines);
}

void cpu_print_text(const struct cpu_use *use, uint32_t rows, uint32_t lines)
{
	/* Two for the summary, one between the tables; functions get a third */
	const uint32_t room = !lines ? UINT32_MAX : lines > 9 ? lines - 3 : 6;
	const uint32_t functions = !lines ? room : use->samples ? room / 3 : 0;

	print_summary(use);
	print_processes(use, rows, lines ? room - functions : room);
	if (functions)
		print_functions(use, rows, functions);
}

static void add_ms(json_object *object, const char *key, uint64_t ticks)
{
	char text[CELL];

	snprintf(text, sizeof(text), "%.4f", ticks / TICKS_PER_MS);
	json_object_object_add(object, key,
			       json_object_new_double_s(ticks / TICKS_PER_MS,
							text));
}

static json_object *thread_object(const struct cpu_thread *t)
{
	json_object *object = json_object_new_object();

	json_add_number(object, "tid", t->tid);
	add_ms(object, "cpu_ms", t->time);
	json_add_number(object, "switches", t->switches);
	json_add_number(object, "samples", t->samples);
	return object;
}

static json_object *process_object(const struct cpu_use *use,
				   const struct cpu_process *p)
{
	json_object *object = json_object_new_object();
	json_object *list = json_object_new_array();
	const struct cpu_thread **of;
	uint32_t i, count;

	if (p->pid != UINT32_MAX)
		json_add_number(object, "pid", p->pid);
	if (p->name)
		json_add_text(object, "name", p->name);
	add_ms(object, "cpu_ms", p->time);
	json_add_number(object, "samples", p->samples);
	of = threads(use, p, &count);
	for (i = 0; i < count; i++)
		json_object_array_add(list, thread_object(of[i]));
	free(of);
	json_object_object_add(object, "threads", list);
	return object;
}

void cpu_print_json(const struct cpu_use *use)
{
	json_object *object = json_object_new_object();
	json_object *list = json_object_new_array();
	const struct cpu_process **all;
	struct cpu_function *functions;
	uint32_t i, count;

	add_ms(object, "duration_ms", use->last - use->first);
	json_add_number(object, "processors", use->processor_count);
	add_ms(object, "cpu_ms", used(use));
	json_add_number(object, "switches", use->switches);
	json_add_number(object, "samples", use->samples);
	add_ms(object, "interval_ms", use->interval);
	all = processes(use, &count);
	for (i = 0; i < count; i++)
		json_object_array_add(list, process_object(use, all[i]));
	free(all);
	json_object_object_add(object, "processes", list);
	list = json_object_new_array();
	functions = cpu_functions(use, &count);
	for (i = 0; i < count; i++) {
		json_object *function = json_object_new_object();

		json_add_text(function, "name",
			      text_at(&use->folds.names, functions[i].name));
		json_add_number(function, "self", functions[i].self);
		json_add_number(function, "total", functions[i].total);
		json_object_array_add(list, function);
	}
	free(functions);
	json_object_object_add(object, "functions", list);
	json_print(object);
}
