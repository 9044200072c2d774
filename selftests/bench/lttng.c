// SPDX-License-Identifier: MIT
/*
 * Cost of an event in LTTng-UST; its daemon must be running.  This is a program
 * of its own, because the library adds threads to each program linked with it.
 * One row is measured at a time, as remains of a session could be mistaken for
 * the next one.
 */
#include <unistd.h>

#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "lttng_events.h"

#include "bench.h"
#include "lttng_session.h"

char bench_payload[BENCH_MAX_PAYLOAD];

static unsigned int length;

static const char *begin(const struct bench_row *row, const char *mode)
{
	unsigned int tries = 5000;

	length = row->payload;
	if (!bench_lttng_start("userspace", mode, "bench:payload"))
		return "the session does not start";
	while (!lttng_ust_tracepoint_enabled(bench, payload) && --tries)
		usleep(1000);
	/* The library's thread enables the event first, then the session */
	usleep(200000);
	return tries ? NULL : "the event is not enabled";
}

static const char *begin_discard(const struct bench_row *row)
{
	return begin(row, "discard");
}

static const char *begin_overwrite(const struct bench_row *row)
{
	return begin(row, "overwrite");
}

static void run_write(unsigned int n)
{
	while (n--)
		lttng_ust_tracepoint(bench, payload, bench_payload, length);
}

static const char *end(const struct bench_row *row, uint64_t done)
{
	(void)row;
	return bench_lttng_stop(done);
}

static const struct bench_case discard_case = {
	.name = "lttng-ust-discard", .what = "LTTng-UST, discard mode",
	.begin = begin_discard, .run = run_write, .end = end,
};

static const struct bench_case overwrite_case = {
	.name = "lttng-ust-overwrite", .what = "LTTng-UST, overwrite mode",
	.begin = begin_overwrite, .run = run_write, .end = end,
};

static const struct bench_case disabled_case = {
	.name = "lttng-ust-disabled", .what = "LTTng-UST, no session",
	.run = run_write,
};

static const struct bench_row bench_lttng[] = {
	{ &disabled_case, 64, 1, 0 },
	{ &discard_case, 16, 1, 1 },
	{ &discard_case, 64, 1, 1 },
	{ &discard_case, 1024, 1, 1 },
	{ &overwrite_case, 16, 1, 1 },
	{ &overwrite_case, 64, 1, 1 },
	{ &overwrite_case, 1024, 1, 1 },
	{ }
};

int main(int argc, char **argv)
{
	static const struct bench_row *const lists[] = { bench_lttng, NULL };

	return bench_main(argc, argv, lists, false);
}
