// SPDX-License-Identifier: MIT
/*
 * Cost of an event in LTTng's tracer in the kernel, whose daemon must be
 * running: a module hits a tracepoint in a loop, like the one that calls
 * EtwWrite() for in_kernel.c.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "bench.h"
#include "bench_kernel.h"
#include "lttng_session.h"
#include "kernel_work.h"

static int fd = -1;
static struct bench_kernel run;

/* The caller that failed to build the module passes the reason */
static const char *begin_run(const struct bench_row *row, unsigned int what)
{
	const char *reason = getenv("BENCH_NO_LTTNG");

	fd = open("/dev/bench_lttng", O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return reason ?: "the benchmark's module is not loaded";
	run.what = what;
	run.payload = row->payload;
	return NULL;
}

static const char *begin(const struct bench_row *row, unsigned int what,
			 const char *mode, const char *event)
{
	const char *reason = begin_run(row, what);

	if (reason)
		return reason;
	return bench_lttng_start("kernel", mode, event) ?
		NULL : "the session does not start";
}

static const char *begin_disabled(const struct bench_row *row)
{
	return begin_run(row, BENCH_KERNEL_SEQUENCE);
}

static const char *begin_discard(const struct bench_row *row)
{
	return begin(row, BENCH_KERNEL_SEQUENCE, "discard", "bench_sequence");
}

static const char *begin_overwrite(const struct bench_row *row)
{
	return begin(row, BENCH_KERNEL_SEQUENCE, "overwrite", "bench_sequence");
}

static const char *begin_array(const struct bench_row *row)
{
	return begin(row, BENCH_KERNEL_ARRAY, "discard", "bench_array");
}

static void run_kernel(unsigned int n)
{
	run.times = n;
	ioctl(fd, BENCH_KERNEL_RUN, &run);
}

static const char *end_disabled(const struct bench_row *row, uint64_t done)
{
	(void)row;
	(void)done;
	close(fd);
	return NULL;
}

static const char *end(const struct bench_row *row, uint64_t done)
{
	(void)row;
	close(fd);
	return bench_lttng_stop(done);
}

static const struct bench_case disabled_case = {
	.name = "lttng-kernel-disabled",
	.what = "LTTng in the kernel, no session",
	.begin = begin_disabled, .run = run_kernel, .end = end_disabled,
};

static const struct bench_case discard_case = {
	.name = "lttng-kernel-discard", .what = "LTTng in the kernel, discard",
	.begin = begin_discard, .run = run_kernel, .end = end,
};

static const struct bench_case overwrite_case = {
	.name = "lttng-kernel-overwrite",
	.what = "LTTng in the kernel, overwrite",
	.begin = begin_overwrite, .run = run_kernel, .end = end,
};

/* The event's length is known when the probe is compiled */
static const struct bench_case array_case = {
	.name = "lttng-kernel-array",
	.what = "LTTng in the kernel, fixed length",
	.begin = begin_array, .run = run_kernel, .end = end,
};

/* Events of the kernel itself: system.c measures the same here and in perf */
static const char *begin_event(const char *event)
{
	const char *reason = getenv("BENCH_NO_LTTNG");

	if (reason)
		return reason;
	return bench_lttng_start("kernel", "discard", event) ?
		NULL : "the session does not start";
}

static const char *begin_switch(const struct bench_row *row)
{
	(void)row;
	return begin_event("sched_switch");
}

static const char *begin_wake(const struct bench_row *row)
{
	(void)row;
	return begin_event("sched_waking");
}

static const char *begin_call(const struct bench_row *row)
{
	(void)row;
	return begin_event("--syscall getppid");
}

static const char *begin_fault(const struct bench_row *row)
{
	(void)row;
	return begin_event("x86_exceptions_page_fault_user");
}

static const char *end_event(const struct bench_row *row, uint64_t done)
{
	(void)row;
	return bench_lttng_stop(done);
}

static const struct bench_case switch_case = {
	.name = "lttng-kernel-switch", .what = "LTTng: a context switch, added",
	.begin = begin_switch, .run = bench_switches, .end = end_event,
	.events = BENCH_SWITCHES, .is_added = true,
};

static const struct bench_case wake_case = {
	.name = "lttng-kernel-wake", .what = "LTTng: a wake-up, added",
	.begin = begin_wake, .run = bench_switches, .end = end_event,
	.events = BENCH_SWITCHES, .is_added = true,
};

static const struct bench_case call_case = {
	.name = "lttng-kernel-call",
	.what = "LTTng: begin or end of a system call, added",
	.begin = begin_call, .run = bench_system_calls, .end = end_event,
	.events = BENCH_CALL_EVENTS, .is_added = true,
};

static const struct bench_case fault_case = {
	.name = "lttng-kernel-fault", .what = "LTTng: a page fault, added",
	.begin = begin_fault, .run = bench_faults, .end = end_event,
	.is_added = true,
};

static const struct bench_row bench_lttng_kernel[] = {
	{ &disabled_case, 64, 1, 0 },
	{ &discard_case, 16, 1, 1 },
	{ &discard_case, 64, 1, 1 },
	{ &discard_case, 1024, 1, 1 },
	{ &overwrite_case, 64, 1, 1 },
	{ &array_case, 64, 1, 1 },
	{ &switch_case, 0, 0, 1 },
	{ &wake_case, 0, 0, 1 },
	{ &call_case, 0, 0, 1 },
	{ &fault_case, 0, 0, 1 },
	{ }
};

int main(int argc, char **argv)
{
	static const struct bench_row *const lists[] = {
		bench_lttng_kernel, NULL
	};

	return bench_main(argc, argv, lists, false);
}
