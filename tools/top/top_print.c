// SPDX-License-Identifier: MIT
/* Output of evnt top */
#include <inttypes.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/etl.h"
#include "tools/common/json.h"
#include "tools/common/strbuf.h"
#include "tools/session/losses.h"
#include "tools/session/rings.h"
#include "tools/common/table.h"
#include "tools/print/print.h"
#include "tools/top/top_print.h"

#define RATE_TEXT	32

/* Columns for the highest rate beside the history */
#define RATE_COLUMNS	30
/* Processes, threads of each and functions in an update */
#define PIPE_ROWS	20

/* Rates per second */
struct rates {
	double events;
	double by_rings;
	double bytes;
	double lost;
};

/* Index of the column of rings in the table of sessions */
#define RING_COLUMN	2

static struct rates rates_of(const struct top_view *view,
			     const struct session_sample *s)
{
	static const struct evntrace_session none;
	const struct evntrace_session *is = &s->session.info, *was = &none;
	const struct session_sample *old;

	old = sample_find(view->before, is->handle);
	if (old)
		was = &old->session.info;
	return (struct rates) {
		.events = sample_rate(view->before, view->now, was->events,
				      is->events),
		.by_rings = sample_rate(view->before, view->now,
					old ? sample_ring_events(old) : 0,
					sample_ring_events(s)),
		/* The length of a full circular file does not grow */
		.bytes = is->buffer_size *
			 sample_rate(view->before, view->now,
				     was->buffers_written, is->buffers_written),
		.lost = sample_rate(view->before, view->now, was->events_lost,
				    is->events_lost),
	};
}

static char *rate_text(double rate, char text[RATE_TEXT])
{
	snprintf(text, RATE_TEXT, rate && rate < 9.95 ? "%.1f" : "%.0f", rate);
	return text;
}

/* Add a row, without the column of rings if there are none */
static void add_session(struct table *table, bool has_rings,
			const char *cells[TABLE_COLUMNS])
{
	for (int i = RING_COLUMN; !has_rings && i < TABLE_COLUMNS - 1; i++)
		cells[i] = cells[i + 1];
	table->columns = TABLE_COLUMNS - !has_rings;
	table_add(table, cells);
}

static void print_sessions(const struct top_view *view)
{
	const bool has_rings = sample_has_rings(view->now);
	char events[RATE_TEXT], bytes[RATE_TEXT], lost[RATE_TEXT], free[48];
	char all_lost[LOSSES_TEXT], by_rings[RATE_TEXT];
	struct table table = {};

	add_session(&table, has_rings, (const char *[TABLE_COLUMNS]){
		"SESSION", "EVENTS/S", "BY RINGS/S", "WRITTEN KB/S", "LOST/S",
		"LOST", "FREE BUFFERS", "FILE"
	});
	for (size_t i = 0; i < view->now->count; i++) {
		const struct dev_session *s = &view->now->sessions[i].session;
		const struct rates r = rates_of(view, &view->now->sessions[i]);

		snprintf(free, sizeof(free), "%u of %u", s->info.free_buffers,
			 s->info.buffers);
		add_session(&table, has_rings, (const char *[TABLE_COLUMNS]){
			s->name, rate_text(r.events, events),
			rate_text(r.by_rings, by_rings),
			rate_text(r.bytes / 1024, bytes),
			rate_text(r.lost, lost),
			losses_text(&s->info, all_lost), free,
			s->log_name[0] ? s->log_name : "-"
		});
	}
	table_print(&table);
}

/* Return how many of @count rows fit, and subtract them from *rows */
static size_t take_rows(const struct top_view *view, size_t *rows, size_t count)
{
	if (!view->rows)
		return count;
	if (*rows < 3)
		return 0;
	*rows -= 2;	/* an empty line, the heading */
	if (count > *rows)
		count = *rows;
	*rows -= count;
	return count;
}

static void print_cpus(const struct top_view *view, size_t *rows)
{
	struct table table = { .columns = 3 };
	const unsigned int first_ring = ring_first_cpu();
	char cpu[24], events[RATE_TEXT], lost[RATE_TEXT];
	struct cpu_rate *rates;
	size_t count;

	rates = sample_cpus(view->before, view->now, &count);
	/* Keep half of the remaining lines for providers */
	if (view->rows && count > *rows / 2)
		count = *rows / 2;
	count = take_rows(view, rows, count);
	if (count)
		table_add(&table, (const char *[]){
			"CPU", "EVENTS/S", "LOST/S"
		});
	for (size_t i = 0; i < count; i++) {
		if (rates[i].cpu < first_ring)
			snprintf(cpu, sizeof(cpu), "%u", rates[i].cpu);
		else
			snprintf(cpu, sizeof(cpu), "ring %u",
				 rates[i].cpu - first_ring);
		table_add(&table, (const char *[]){
			cpu, rate_text(rates[i].events, events),
			rate_text(rates[i].lost, lost)
		});
	}
	if (count)
		putchar('\n');
	table_print(&table);
	free(rates);
}

static const char *session_of(const struct top_view *view, __u64 handle)
{
	const struct session_sample *s = sample_find(view->now, handle);

	if (!s)
		s = sample_find(view->before, handle);
	return s ? s->session.name : "?";
}

/* Name of the sources, as text and in JSON */
static const struct {
	const char *text;
	const char *key;
} sources[] = {
	[COUNT_LIVE] = { "real time", "real-time" },
	[COUNT_FILE] = { "file", "file" },
	[COUNT_MEMORY] = { "memory", "memory" },
};

static const char *process_text(const struct event_count *c, struct out *out)
{
	out->len = 0;
	text_put_process(out, c->name, c->pid);
	return out_string(out);
}

/* Print counters of providers or of processes */
static void print_counts(const struct top_view *view, const char *heading,
			 const struct event_count *c, size_t count)
{
	char id[GUID_TEXT], events[RATE_TEXT], bytes[RATE_TEXT];
	/* Processes have rings, providers have none */
	const bool has_rings = count && c->pid != NO_PROCESS &&
			       sample_has_rings(view->now);
	struct table table = { .columns = 5 + has_rings };
	struct out process = {};
	char rings[16] = "";
	const char *name;
	double kb;

	if (!count)
		return;
	table_add(&table, (const char *[]){
		heading, "SESSION", "EVENTS/S", "KB/S", "FROM", "RINGS"
	});
	for (; count; count--, c++) {
		kb = sample_rate(view->before, view->now, 0, c->bytes) / 1024;
		if (c->pid != NO_PROCESS)
			name = process_text(c, &process);
		else
			name = c->name ? c->name : format_guid(&c->id, id);
		if (has_rings)
			snprintf(rings, sizeof(rings), "%u",
				 rings_of_process(c->pid));
		table_add(&table, (const char *[]){
			name, session_of(view, c->session),
			rate_text(sample_rate(view->before, view->now, 0,
					      c->events), events),
			rate_text(kb, bytes), sources[c->source].text, rings
		});
	}
	out_free(&process);
	putchar('\n');
	table_print(&table);
}

static void print_providers(const struct top_view *view, size_t *rows)
{
	size_t count = view->provider_count;

	/* Keep a part of the remaining lines for processes */
	if (view->rows && count > *rows / 2)
		count = *rows / 2;
	print_counts(view, "PROVIDER", view->providers,
		     take_rows(view, rows, count));
	print_counts(view, "PROCESS", view->providers + view->provider_count,
		     take_rows(view, rows, view->process_count));
}

/*
 * Print a column for each of the latest intervals, as high as its rate, which
 * fit into a line with the highest rate
 */
static void print_history(const struct top_history *history, size_t width)
{
	static const char *const blocks[] = {
		"\u2581", "\u2582", "\u2583", "\u2584",
		"\u2585", "\u2586", "\u2587", "\u2588",
	}, *const ascii[] = { "_", ".", ":", "-", "=", "+", "*", "#" };
	const char *const *columns =
		strcmp(nl_langinfo(CODESET), "UTF-8") ? ascii : blocks;
	const size_t room = width > RATE_COLUMNS ? width - RATE_COLUMNS : 0;
	const size_t shown = room < TOP_HISTORY ? room : TOP_HISTORY;
	const size_t first = history->count > shown ?
			     history->count - shown : 0;
	double most = 0, rate;

	for (size_t i = first; i < history->count; i++) {
		rate = history->events[i % TOP_HISTORY];
		most = rate > most ? rate : most;
	}
	for (size_t i = first; i < history->count; i++) {
		rate = history->events[i % TOP_HISTORY];
		fputs(columns[most ? (int)(rate / most * 7) : 0], stdout);
	}
	printf("  at most %.0f events/s\n\n", most);
}

static const char *time_now(char text[32])
{
	const time_t now = time(NULL);
	struct tm local;

	localtime_r(&now, &local);
	strftime(text, 32, "%Y-%m-%d %H:%M:%S", &local);
	return text;
}

void top_print_cpu(const struct top_view *view, const struct cpu_use *use)
{
	const uint32_t used = 1 + (*view->unread ? 2 : 0);
	char text[32];

	printf("%s  ", time_now(text));
	cpu_print_text(use, PIPE_ROWS, view->rows > used ? view->rows - used :
							   2 * PIPE_ROWS);
	if (*view->unread)
		printf("\n%s\n", view->unread);
}

void top_print_text(const struct top_view *view)
{
	const size_t used = view->now->count + 4 + !!*view->unread +
			    (view->history ? 2 : 0);
	struct top_history *history = view->history;
	size_t rows = view->rows > used ? view->rows - used : 0;
	struct rates all = { 0 };
	char text[32];

	for (size_t i = 0; i < view->now->count; i++) {
		struct rates r = rates_of(view, &view->now->sessions[i]);

		all.events += r.events;
		all.bytes += r.bytes;
		all.lost += r.lost;
	}
	printf("%s  %zu %s, %.0f events/s, %.0f KB/s written, %.0f lost/s\n\n",
	       time_now(text), view->now->count,
	       view->now->count == 1 ? "session" : "sessions",
	       all.events, all.bytes / 1024, all.lost);
	if (history) {
		history->events[history->count++ % TOP_HISTORY] = all.events;
		print_history(history, view->columns);
	}
	print_sessions(view);
	print_cpus(view, &rows);
	print_providers(view, &rows);
	if (*view->unread)
		printf("\n%s\n", view->unread);
}

/* Add a rate rounded to a tenth */
static void add_rate(json_object *object, const char *key, double rate)
{
	char text[RATE_TEXT];

	snprintf(text, sizeof(text), "%.1f", rate);
	json_object_object_add(object, key,
			       json_object_new_double_s(rate, text));
}

static json_object *sessions_array(const struct top_view *view)
{
	json_object *array = json_object_new_array();

	for (size_t i = 0; i < view->now->count; i++) {
		const struct dev_session *s = &view->now->sessions[i].session;
		const struct rates r = rates_of(view, &view->now->sessions[i]);
		json_object *object = json_object_new_object();

		json_add_text(object, "name", s->name);
		add_rate(object, "events_per_second", r.events);
		add_rate(object, "ring_events_per_second", r.by_rings);
		add_rate(object, "bytes_per_second", r.bytes);
		add_rate(object, "lost_per_second", r.lost);
		json_add_number(object, "events", s->info.events);
		json_add_number(object, "ring_events",
				sample_ring_events(&view->now->sessions[i]));
		add_losses(object, s);
		json_add_number(object, "bytes_written", s->info.bytes_written);
		json_add_number(object, "buffers", s->info.buffers);
		json_add_number(object, "free_buffers", s->info.free_buffers);
		json_add_number(object, "consumers", s->info.consumers);
		json_object_array_add(array, object);
	}
	return array;
}

static json_object *cpus_array(const struct top_view *view)
{
	json_object *array = json_object_new_array();
	struct cpu_rate *rates;
	size_t count;

	rates = sample_cpus(view->before, view->now, &count);
	for (size_t i = 0; i < count; i++) {
		json_object *object = json_object_new_object();

		json_add_number(object, "cpu", rates[i].cpu);
		if (rates[i].cpu >= ring_first_cpu())
			json_add_number(object, "ring",
					rates[i].cpu - ring_first_cpu());
		add_rate(object, "events_per_second", rates[i].events);
		add_rate(object, "lost_per_second", rates[i].lost);
		json_object_array_add(array, object);
	}
	free(rates);
	return array;
}

static json_object *counts_array(const struct top_view *view,
				 const struct event_count *c, size_t count)
{
	json_object *array = json_object_new_array();

	for (; count; count--, c++) {
		json_object *object = json_object_new_object();

		if (c->pid != NO_PROCESS)
			json_add_number(object, "pid", c->pid);
		else
			json_add_guid(object, "id", &c->id);
		if (c->name)
			json_add_text(object, c->pid != NO_PROCESS ? "process" :
				      "name", c->name);
		json_add_text(object, "session", session_of(view, c->session));
		add_rate(object, "events_per_second",
			 sample_rate(view->before, view->now, 0, c->events));
		add_rate(object, "bytes_per_second",
			 sample_rate(view->before, view->now, 0, c->bytes));
		json_add_number(object, "events", c->events);
		json_add_text(object, "from", sources[c->source].key);
		if (c->pid != NO_PROCESS && sample_has_rings(view->now))
			json_add_number(object, "rings",
					rings_of_process(c->pid));
		json_object_array_add(array, object);
	}
	return array;
}

void top_print_json(const struct top_view *view)
{
	json_object *object = json_object_new_object();
	const double seconds = view->now->seconds - view->before->seconds;
	struct timespec now;
	char text[TIME_TEXT];

	clock_gettime(CLOCK_REALTIME, &now);
	json_add_text(object, "time",
		      format_time(ETL_FILETIME_EPOCH + now.tv_sec * 10000000ull +
				  now.tv_nsec / 100, text));
	snprintf(text, sizeof(text), "%.6f", seconds);
	json_object_object_add(object, "seconds",
			       json_object_new_double_s(seconds, text));
	json_object_object_add(object, "sessions", sessions_array(view));
	json_object_object_add(object, "cpus", cpus_array(view));
	json_object_object_add(object, "providers",
			       counts_array(view, view->providers,
					    view->provider_count));
	json_object_object_add(object, "processes",
			       counts_array(view, view->providers +
						  view->provider_count,
					    view->process_count));
	json_print(object);
}
