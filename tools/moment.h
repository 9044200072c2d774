/* SPDX-License-Identifier: MIT */
/*
 * Moments of a log as users write them, UTC:
 *
 *	2026-03-01T12:30:00.5Z	the parts from the seconds on may be left out, and
 *				so may be the Z; a space may stand for the T
 *	2026-03-01		the day's beginning
 *	12:30:00.5		of the day of the first event
 *	+1.5			so many seconds after the first event
 */
#ifndef EVNT_MOMENT_H
#define EVNT_MOMENT_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct moment - a moment
 * @kind: what @ticks count from
 * @ticks: of 100 ns
 */
struct moment {
	enum moment_kind {
		MOMENT_NONE,
		MOMENT_ABSOLUTE,	/* since 1601 */
		MOMENT_OF_DAY,
		MOMENT_AFTER_FIRST,
	} kind;
	uint64_t ticks;
};

#define MOMENT_FORMS	"2026-03-01T12:30:00.5, 2026-03-01, 12:30:00.5 or +1.5"

bool moment_parse(const char *text, struct moment *moment);

/* As FILETIME; @first: that of the first event */
uint64_t moment_filetime(const struct moment *moment, uint64_t first);

#endif /* EVNT_MOMENT_H */
