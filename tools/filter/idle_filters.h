/* SPDX-License-Identifier: MIT */
/* Filters that do not apply to the events that were recorded */
#ifndef EVNT_IDLE_FILTERS_H
#define EVNT_IDLE_FILTERS_H

#include "tools/filter/filter_options.h"

/*
 * Report filters by id or name that kept events to which they do not apply.
 * @path: log file, of which the beginning is read; or NULL
 */
void idle_filters_report(const struct filter_options *options,
			 const char *path);

#endif /* EVNT_IDLE_FILTERS_H */
