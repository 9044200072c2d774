// SPDX-License-Identifier: MIT
/* A session of LTTng in memory, with more room than a row's events need. */
#include <stdio.h>
#include <stdlib.h>

#include "lttng_session.h"

#define START	"lttng create bench --output=/dev/shm/bench-lttng && "	\
		"lttng enable-channel bench --%s --%s "			\
		"--subbuf-size=4M --num-subbuf=4 && "			\
		"lttng enable-event %s --%s --channel=bench && lttng start"
#define STOP	"lttng stop && lttng destroy"
#define COUNT	"babeltrace2 /dev/shm/bench-lttng 2>/dev/null | wc -l"

static bool run(const char *command)
{
	char text[1024];

	snprintf(text, sizeof(text), "{ %s; } > /dev/shm/lttng.log 2>&1",
		 command);
	return !system(text);
}

/**
 * bench_lttng_start() - start a session that records an event
 * @domain: domain of the event: userspace or kernel
 * @mode: behaviour when there is no room: discard or overwrite
 * @event: the event's name
 *
 * Return: false on failure; /dev/shm/lttng.log contains the reason.
 */
bool bench_lttng_start(const char *domain, const char *mode, const char *event)
{
	char text[512];

	snprintf(text, sizeof(text), START, domain, mode, event, domain);
	return run("rm -rf /dev/shm/bench-lttng") && run(text);
}

static uint64_t recorded(void)
{
	FILE *f = popen(COUNT, "r");
	unsigned long long n = 0;

	if (f && fscanf(f, "%llu", &n) != 1)
		n = 0;
	if (f)
		pclose(f);
	return n;
}

/**
 * bench_lttng_stop() - stop the session, and check that events have arrived
 * @done: minimum number of events
 *
 * Return: an error text, or NULL.
 */
const char *bench_lttng_stop(uint64_t done)
{
	if (!run(STOP))
		return "the session does not stop";
	return recorded() < done ? "events did not arrive" : NULL;
}
