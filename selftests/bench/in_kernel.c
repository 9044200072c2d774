// SPDX-License-Identifier: MIT
/*
 * Cost of an event written in the kernel: a module writes in a loop, so that
 * the cost of calling it is negligible per event.
 */
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "bench.h"
#include "bench_kernel.h"
#include "sessions.h"

static int fd = -1;
static struct bench_kernel run;

static const char *begin_of(const struct bench_row *row, unsigned int what,
			    unsigned int id)
{
	const GUID provider = { id, 0, 0, { 0 } };

	fd = open("/dev/bench_kernel", O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return "the benchmark's module is not loaded";
	run.what = what;
	run.payload = row->payload;
	return bench_sessions_start(&provider, row->sessions, NULL);
}

static const char *begin_write(const struct bench_row *row)
{
	return begin_of(row, BENCH_KERNEL_WRITE, BENCH_KERNEL_PLAIN_ID);
}

static const char *begin_typed(const struct bench_row *row)
{
	return begin_of(row, BENCH_KERNEL_TYPED, BENCH_KERNEL_TYPED_ID);
}

/* Another provider is enabled: the function is called and finds nothing */
static const char *begin_other(const struct bench_row *row)
{
	return begin_of(row, BENCH_KERNEL_BARE, BENCH_KERNEL_TYPED_ID);
}

static void run_kernel(unsigned int n)
{
	run.times = n;
	ioctl(fd, BENCH_KERNEL_RUN, &run);
}

static const char *end(const struct bench_row *row, uint64_t done)
{
	(void)row;
	close(fd);
	return bench_sessions_stop(done);
}

static const char *end_other(const struct bench_row *row, uint64_t done)
{
	(void)done;
	return end(row, 0);
}

static const struct bench_case write_case = {
	.name = "kernel-etwwrite", .what = "EtwWrite in the kernel",
	.begin = begin_write, .run = run_kernel, .end = end,
};

static const struct bench_case typed_case = {
	.name = "kernel-tracelogging", .what = "TraceLoggingWrite in the kernel",
	.begin = begin_typed, .run = run_kernel, .end = end,
};

static const struct bench_case other_case = {
	.name = "kernel-other", .what = "EtwWrite, another provider is enabled",
	.begin = begin_other, .run = run_kernel, .end = end_other,
};

const struct bench_row bench_in_kernel[] = {
	{ &write_case, 64, 1, 0 },
	{ &write_case, 16, 1, 1 },
	{ &write_case, 64, 1, 1 },
	{ &write_case, 1024, 1, 1 },
	{ &write_case, 64, 1, 2 },
	{ &other_case, 64, 1, 1 },
	{ &typed_case, 64, 1, 0 },
	{ &typed_case, 16, 1, 1 },
	{ &typed_case, 64, 1, 1 },
	{ &typed_case, 1024, 1, 1 },
	{ 0 },
};
