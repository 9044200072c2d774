// SPDX-License-Identifier: MIT
/*
 * Cost of EVNTRACE_IOC_ENABLE for all of a provider's registrations, which the
 * caller that enables it pays.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "bench.h"
#include "raw.h"

#define REGISTRATIONS	100u

static const GUID provider_id = {
	0x8a1f0c52, 0x6b3d, 0x4e97,
	{ 0xa4, 0x0c, 0x5e, 0x21, 0xd8, 0x33, 0x7b, 0x96 },
};

static int writer = -1, session = -1;
static struct evntrace_filter filter;
static __u32 own_pid;

static bool register_all(void)
{
	struct evntprov_register arg = { .size = sizeof(arg) };
	unsigned int i;

	memcpy(&arg.provider, &provider_id, sizeof(arg.provider));
	for (i = 0; i < REGISTRATIONS; i++) {
		arg.handle = 1u << 16 | (i + 1u) << 5;
		if (ioctl(writer, EVNTPROV_IOC_REGISTER, &arg))
			return false;
	}
	return true;
}

static const char *begin(const struct bench_row *row)
{
	struct evntrace_start arg = { .buffer_size = 65536 };
	int device, log = open("/dev/shm/bench-enable.etl",
		       O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	(void)row;
	unlink("/dev/shm/bench-enable.etl");
	writer = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	if (writer < 0 || !register_all())
		return "the providers cannot be registered";
	device = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	session = raw_start(device, "enable", log, &arg);
	close(device);
	close(log);
	if (session < 0)
		return "the session does not start";
	return NULL;
}

static const char *begin_scoped(const struct bench_row *row)
{
	own_pid = getpid();
	filter = (struct evntrace_filter) {
		(uintptr_t)&own_pid, sizeof(own_pid), EVNTRACE_FILTER_PID,
	};
	return begin(row);
}

static bool failed;

/* Each call changes the level, so that the new state is published */
static void run(unsigned int n)
{
	struct evntrace_enable arg = {
		.filters = (uintptr_t)&filter,
		.filter_count = !!filter.ptr,
	};

	while (n--) {
		arg.level = 1 + n % 5;
		if (!raw_enable(session, &provider_id, &arg))
			failed = true;
	}
}

static const char *end(const struct bench_row *row, uint64_t done)
{
	(void)row;
	(void)done;
	close(writer);
	close(session);
	return failed ? "ENABLE failed" : NULL;
}

static const struct bench_case enable_case = {
	.name = "enable", .what = "ENABLE of 100 registrations",
	.begin = begin, .run = run, .end = end,
};

static const struct bench_case scoped_case = {
	.name = "enable-process", .what = "the same, of one process",
	.begin = begin_scoped, .run = run, .end = end,
};

const struct bench_row bench_enable[] = {
	{ &enable_case, 0, 0, 1 },
	{ &scoped_case, 0, 0, 1 },
	{ }
};
