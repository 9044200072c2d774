// SPDX-License-Identifier: MIT
/*
 * Cost of a system call by itself, and the minimum cost of a write, both called
 * as in the library.
 */
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "bench.h"
#include "bench_floor.h"
#include "lib/base/fast_ioctl.h"

static int fd = -1;
static struct bench_floor floor_arg;

static void run_getppid(unsigned int n)
{
	while (n--)
		getppid();
}

static const char *begin_ioctl(const struct bench_row *row)
{
	floor_arg.data = (uintptr_t)bench_payload;
	floor_arg.len = row->payload;
	fd = open("/dev/bench_floor", O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return "the benchmark's module is not loaded";
	if (ioctl(fd, BENCH_FLOOR_NULL) ||
	    ioctl(fd, BENCH_FLOOR_COPY, &floor_arg))
		return "the benchmark's module refuses";
	return NULL;
}

static void run_null(unsigned int n)
{
	while (n--)
		evnt_ioctl(fd, BENCH_FLOOR_NULL, NULL);
}

static void run_floor(unsigned int n)
{
	while (n--)
		evnt_ioctl(fd, BENCH_FLOOR_COPY, &floor_arg);
}

static const char *end_ioctl(const struct bench_row *row, uint64_t done)
{
	(void)row;
	(void)done;
	close(fd);
	return NULL;
}

static const struct bench_case getppid_case = {
	.name = "getppid", .what = "getppid()", .run = run_getppid,
};

static const struct bench_case null_case = {
	.name = "null-ioctl", .what = "an ioctl that does nothing",
	.begin = begin_ioctl, .run = run_null, .end = end_ioctl,
};

static const struct bench_case floor_case = {
	.name = "floor-ioctl", .what = "an ioctl that copies, and stamps time",
	.begin = begin_ioctl, .run = run_floor, .end = end_ioctl,
};

const struct bench_row bench_calls[] = {
	{ &getppid_case, 0, 0, 0 },
	{ &null_case, 0, 0, 0 },
	{ &floor_case, 0, 1, 0 },
	{ &floor_case, 16, 1, 0 },
	{ &floor_case, 64, 1, 0 },
	{ &floor_case, 256, 1, 0 },
	{ &floor_case, 1024, 1, 0 },
	{ &floor_case, 4096, 1, 0 },
	{ }
};
