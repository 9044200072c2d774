/* SPDX-License-Identifier: MIT */
/*
 * Points in time of a log, in local time, or in UTC with a Z at the end, in one
 * of these forms:
 *
 *	2026-03-01T12:30:00.5	seconds are optional; a space may replace the T
 *	2026-03-01		beginning of the day
 *	12:30:00.5		on the day of the first event
 *	+1.5			seconds after the first event
 */
#ifndef EVNT_TIME_ARG_H
#define EVNT_TIME_ARG_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct time_arg - a point in time
 * @kind: reference of @ticks
 * @ticks: time in units of 100 ns
 * @utc: the time of day is in UTC
 */
struct time_arg {
	enum time_arg_kind {
		TIME_ARG_NONE,
		TIME_ARG_ABSOLUTE,	/* since 1601 */
		TIME_ARG_OF_DAY,
		TIME_ARG_AFTER_FIRST,
	} kind;
	uint64_t ticks;
	bool utc;
};

#define TIME_ARG_FORMS	"2026-03-01T12:30:00.5, 2026-03-01, 12:30:00.5 or +1.5"

bool time_arg_parse(const char *text, struct time_arg *time_arg);

/*
 * Make a given time absolute, so that @ticks is a FILETIME. @first: time of the
 * first event
 */
void time_arg_resolve(struct time_arg *time_arg, uint64_t first);

#endif /* EVNT_TIME_ARG_H */
