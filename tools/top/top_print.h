/* SPDX-License-Identifier: MIT */
/* Output of evnt top: tables, or JSON objects */
#ifndef EVNT_TOP_PRINT_H
#define EVNT_TOP_PRINT_H

#include "tools/top/top_sample.h"

#define TOP_HISTORY	60

/**
 * struct top_history - events per second of the latest intervals
 * @events: rate of interval N at N % TOP_HISTORY
 * @count: number of intervals so far
 */
struct top_history {
	double events[TOP_HISTORY];
	size_t count;
};

/**
 * struct top_view - data of an interval
 * @before: counters at its beginning
 * @now: counters at its end
 * @providers: counters of providers in the interval, most events first,
 *   followed by the counters of processes
 * @provider_count: number of providers
 * @process_count: number of processes
 * @unread: sessions whose providers are not counted, with the reasons; or ""
 * @rows: number of lines available; 0: unlimited
 * @columns: width of a line of the terminal
 * @history: earlier intervals, to which this one is added; or NULL
 */
struct top_view {
	const struct sample *before;
	const struct sample *now;
	const struct event_count *providers;
	size_t provider_count;
	size_t process_count;
	const char *unread;
	size_t rows;
	size_t columns;
	struct top_history *history;
};

/* Print the CPU time of the interval instead */
void top_print_cpu(const struct top_view *view, const struct cpu_use *use);
void top_print_text(const struct top_view *view);
void top_print_json(const struct top_view *view);

#endif /* EVNT_TOP_PRINT_H */
