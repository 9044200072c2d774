/* SPDX-License-Identifier: MIT */
/* What a session's log file modes and clocks are called. */
#ifndef EVNT_MODE_H
#define EVNT_MODE_H

#include <stdbool.h>
#include <stddef.h>

#include <evntrace.h>

#define MODE_TEXT	512

/* The flags of @text: names, or numbers, joined by commas or + */
bool mode_parse(const char *text, ULONG *mode);

/* The names of what is set in @mode, joined by commas; returns @text */
char *mode_text(ULONG mode, char text[MODE_TEXT]);

/* Wnode.ClientContext */
enum { CLOCK_PERF = 1, CLOCK_SYSTEM = 2 };

/* Wnode.ClientContext of a clock: perf (or qpc), system, cycle */
bool clock_parse(const char *text, ULONG *clock);
const char *clock_text(ULONG clock);

#endif /* EVNT_MODE_H */
