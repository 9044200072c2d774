/* SPDX-License-Identifier: MIT */
/* Names of log file modes, events of the kernel, and clocks */
#ifndef EVNT_MODE_H
#define EVNT_MODE_H

#include <stdbool.h>
#include <stddef.h>

#include <evntrace.h>

#define MODE_TEXT	512

/* Parse flags: names or numbers, separated by commas or + */
bool mode_parse(const char *text, ULONG *mode);

/* Parse events of the kernel in the same way, into EnableFlags */
bool system_parse(const char *text, ULONG *flags);

/* Format the names of the flags in @mode, separated by commas; return @text */
char *mode_text(ULONG mode, char text[MODE_TEXT]);

/* Return the name of a mode, or NULL after the last */
const char *mode_name(size_t index);

/* Values of Wnode.ClientContext */
enum { CLOCK_PERF = 1, CLOCK_SYSTEM = 2 };

/* Parse a clock into Wnode.ClientContext: perf (or qpc), system, cycle */
bool clock_parse(const char *text, ULONG *clock);
const char *clock_text(ULONG clock);

#endif /* EVNT_MODE_H */
