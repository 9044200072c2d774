/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Log files that follow each other: what they are called, where they are, and
 * with whose rights they are opened.
 */
#ifndef EVNT_SERIES_H
#define EVNT_SERIES_H

#include <linux/types.h>

struct evnt_log;
struct evnt_series;

struct evnt_series *evnt_series_create(u64 arg, const struct evnt_log *first);
int evnt_series_open(struct evnt_series *series, struct evnt_log *log);
void evnt_series_opened(struct evnt_series *series);
void evnt_series_destroy(struct evnt_series *series);

#endif /* EVNT_SERIES_H */
