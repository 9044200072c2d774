// SPDX-License-Identifier: MIT
/*
 * Measure the cost that recording adds to a context switch, a wake-up, an
 * interrupt of a timer, a system call and a page fault: in a session, and in
 * perf's buffer.
 */
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bench.h"
#include "raw.h"
#include "kernel_work.h"

/* Samples of one operation, one per millisecond */
#define SAMPLES		10
#define MS		1000000u	/* in ns, and in instructions */

/* Room for all events of a row, as no log is written during a batch */
#define BUFFER_SIZE	(8u * 1024 * 1024)
#define BUFFERS		4u
#define LOG		"/dev/shm/bench-system.etl"

static int session = -1;

/* Set a list of the session to a set of flags */
static bool set_flags(uint32_t kind, uint32_t flags)
{
	struct evntrace_list set = {
		.size = sizeof(set), .kind = kind,
		.element_size = sizeof(flags), .count = 1,
		.elements = (uintptr_t)&flags,
	};

	return !ioctl(session, EVNTRACE_IOC_SET, &set);
}

static const char *begin(uint32_t flags, uint32_t stacks)
{
	struct evntrace_start start = {
		.log_file_mode = EVNTRACE_MODE_SYSTEM_LOGGER,
		.buffer_size = BUFFER_SIZE, .max_buffers = BUFFERS,
	};
	int device = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	int log = open(LOG, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	unlink(LOG);
	session = raw_start(device, "bench-system", log, &start);
	close(log);
	close(device);
	if (session < 0)
		return "the session does not start";
	return set_flags(EVNTRACE_LIST_SYSTEM_STACKS, stacks) &&
	       set_flags(EVNTRACE_LIST_SYSTEM_FLAGS, flags) ?
		NULL : "the session cannot record events of the kernel";
}

static const char *end(const struct bench_row *row, uint64_t done)
{
	struct evntrace_session info;
	bool ok = raw_control(session, EVNTRACE_CONTROL_STOP, &info);

	(void)row;
	close(session);
	if (!ok)
		return "the session does not stop";
	if (info.events_lost || info.buffers_lost)
		return "events were lost";
	return info.events < done ? "events did not arrive" : NULL;
}

static const char *begin_switch(const struct bench_row *row)
{
	(void)row;
	return begin(EVNTRACE_SYSTEM_CSWITCH, 0);
}

static const char *begin_wake(const struct bench_row *row)
{
	(void)row;
	return begin(EVNTRACE_SYSTEM_DISPATCHER, 0);
}

static const char *begin_sample(const struct bench_row *row)
{
	(void)row;
	return begin(EVNTRACE_SYSTEM_PROFILE, 0);
}

static const char *begin_stack(const struct bench_row *row)
{
	(void)row;
	return begin(EVNTRACE_SYSTEM_PROFILE, EVNTRACE_SYSTEM_PROFILE);
}

static const char *begin_call(const struct bench_row *row)
{
	(void)row;
	return begin(EVNTRACE_SYSTEM_SYSTEMCALL, 0);
}

static const char *begin_fault(const struct bench_row *row)
{
	(void)row;
	return begin(EVNTRACE_SYSTEM_PAGE_FAULTS, 0);
}

/* Use the processor, in user space, for SAMPLES milliseconds */
static void run_busy(unsigned int n)
{
	unsigned long i;

	/* Two instructions a turn */
	for (i = (unsigned long)n * SAMPLES * MS / 2; i; i--)
		asm volatile("");
}

static const struct bench_case switch_case = {
	.name = "system-switch", .what = "a context switch, recorded: added",
	.begin = begin_switch, .run = bench_switches, .end = end,
	.events = BENCH_SWITCHES, .is_added = true,
};

static const struct bench_case wake_case = {
	.name = "system-wake", .what = "a wake-up, recorded: added",
	.begin = begin_wake, .run = bench_switches, .end = end,
	.events = BENCH_SWITCHES, .is_added = true,
};

static const struct bench_case sample_case = {
	.name = "system-sample", .what = "a sample, with its interrupt",
	.begin = begin_sample, .run = run_busy, .end = end,
	.events = SAMPLES, .is_added = true, .is_timed = true,
};

/* A sample and its stack are two events */
static const struct bench_case stack_case = {
	.name = "system-stack", .what = "a sample with its stack",
	.begin = begin_stack, .run = run_busy, .end = end,
	.events = SAMPLES, .is_added = true, .is_timed = true,
};

/* The begin and the end of a call are two events */
static const struct bench_case call_case = {
	.name = "system-call", .what = "begin or end of a system call: added",
	.begin = begin_call, .run = bench_system_calls, .end = end,
	.events = BENCH_CALL_EVENTS, .is_added = true,
};

static const struct bench_case fault_case = {
	.name = "system-fault", .what = "a page fault, recorded: added",
	.begin = begin_fault, .run = bench_faults, .end = end,
	.is_added = true,
};

/* perf's buffer of events of this processor, which overwrites the oldest */
#define PERF_SIZE	(8u * 1024 * 1024)

static int perf = -1;
static struct perf_event_mmap_page *perf_page;

static const char *begin_perf(struct perf_event_attr *attr)
{
	const size_t page = sysconf(_SC_PAGESIZE);

	attr->size = sizeof(*attr);
	attr->sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			    PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
			    PERF_SAMPLE_RAW;
	/* Wake no reader */
	attr->watermark = 1;
	attr->wakeup_watermark = PERF_SIZE - 1;
	perf = syscall(SYS_perf_event_open, attr, -1, 0, -1,
		       PERF_FLAG_FD_CLOEXEC);
	if (perf < 0)
		return "the kernel has no such event of perf";
	perf_page = mmap(NULL, page + PERF_SIZE, PROT_READ | PROT_WRITE,
			 MAP_SHARED, perf, 0);
	return perf_page == MAP_FAILED ? "perf has no buffer" : NULL;
}

static const char *begin_perf_tracepoint(const char *name)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT, .sample_period = 1,
	};
	char path[128];
	FILE *f;
	int ok;

	snprintf(path, sizeof(path), "/sys/kernel/tracing/events/%s/id", name);
	f = fopen(path, "r");
	ok = f && fscanf(f, "%llu", &attr.config) == 1;
	if (f)
		fclose(f);
	return ok ? begin_perf(&attr) : "the kernel has no tracefs";
}

static const char *begin_perf_switch(const struct bench_row *row)
{
	(void)row;
	return begin_perf_tracepoint("sched/sched_switch");
}

static const char *begin_perf_wake(const struct bench_row *row)
{
	(void)row;
	return begin_perf_tracepoint("sched/sched_waking");
}

static const char *begin_perf_sample(const struct bench_row *row)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = MS,
	};

	(void)row;
	return begin_perf(&attr);
}

/* The end of a call is another event, which costs as much */
static const char *begin_perf_call(const struct bench_row *row)
{
	(void)row;
	return begin_perf_tracepoint("raw_syscalls/sys_enter");
}

static const char *begin_perf_fault(const struct bench_row *row)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_PAGE_FAULTS,
		.sample_period = 1,
	};

	(void)row;
	return begin_perf(&attr);
}

/* An event takes at least its header and time */
static const char *end_perf(const struct bench_row *row, uint64_t done)
{
	const uint64_t bytes = perf_page->data_head;

	(void)row;
	munmap(perf_page, sysconf(_SC_PAGESIZE) + PERF_SIZE);
	close(perf);
	return bytes < done * 16 ? "events did not arrive" : NULL;
}

static const struct bench_case perf_switch_case = {
	.name = "perf-switch", .what = "perf: a context switch, added",
	.begin = begin_perf_switch, .run = bench_switches, .end = end_perf,
	.events = BENCH_SWITCHES, .is_added = true,
};

static const struct bench_case perf_wake_case = {
	.name = "perf-wake", .what = "perf: a wake-up, added",
	.begin = begin_perf_wake, .run = bench_switches, .end = end_perf,
	.events = BENCH_SWITCHES, .is_added = true,
};

static const struct bench_case perf_sample_case = {
	.name = "perf-sample", .what = "perf: a sample, with its interrupt",
	.begin = begin_perf_sample, .run = run_busy, .end = end_perf,
	.events = SAMPLES, .is_added = true, .is_timed = true,
};

static const struct bench_case perf_call_case = {
	.name = "perf-call", .what = "perf: begin of a system call, added",
	.begin = begin_perf_call, .run = bench_system_calls, .end = end_perf,
	.is_added = true,
};

static const struct bench_case perf_fault_case = {
	.name = "perf-fault", .what = "perf: a page fault, added",
	.begin = begin_perf_fault, .run = bench_faults, .end = end_perf,
	.is_added = true,
};

const struct bench_row bench_system[] = {
	{ &switch_case, 0, 0, 1 },
	{ &wake_case, 0, 0, 1 },
	{ &sample_case, 0, 0, 1 },
	{ &stack_case, 0, 0, 1 },
	{ &call_case, 0, 0, 1 },
	{ &fault_case, 0, 0, 1 },
	{ &perf_switch_case, 0, 0, 1 },
	{ &perf_wake_case, 0, 0, 1 },
	{ &perf_sample_case, 0, 0, 1 },
	{ &perf_call_case, 0, 0, 1 },
	{ &perf_fault_case, 0, 0, 1 },
	{ }
};
