/* SPDX-License-Identifier: MIT */
/*
 * Filters of an EnableTraceEx2(), as the module takes them.
 */
#ifndef EVNT_FILTERS_H
#define EVNT_FILTERS_H

#include <linux/evntprov.h>

#include "internal.h"

/**
 * struct evnt_filters - filters for EVNTRACE_IOC_ENABLE
 * @count: how many
 * @filter: the filters
 * @text: for each, what it points to if that was converted, or NULL
 */
struct evnt_filters {
	ULONG count;
	struct evntrace_filter filter[MAX_EVENT_FILTERS_COUNT];
	char *text[MAX_EVENT_FILTERS_COUNT];
};

ULONG evnt_filters_from(struct evnt_filters *f,
			const EVENT_FILTER_DESCRIPTOR *from, ULONG count);
void evnt_filters_free(struct evnt_filters *f);

#endif /* EVNT_FILTERS_H */
