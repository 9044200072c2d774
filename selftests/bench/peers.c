// SPDX-License-Identifier: MIT
/*
 * Cost of an event in the kernel's own tracing: trace_marker, user_events, a
 * uprobe.  The trace buffer's statistics show that each event arrives.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <linux/types.h>

#include "bench.h"

#define TRACING		"/sys/kernel/tracing/"

static int fd = -1;
static size_t length;

static bool put(const char *path, const char *text)
{
	int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	bool done = file >= 0 &&
		    write(file, text, strlen(text)) == (ssize_t)strlen(text);

	if (file >= 0)
		close(file);
	return done;
}

/* Number of events since the buffer was emptied, including overwritten ones */
static uint64_t arrived(void)
{
	FILE *f = fopen(TRACING "per_cpu/cpu0/stats", "r");
	unsigned long long n, sum = 0;
	char line[128];

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "entries: %llu", &n) == 1 ||
		    sscanf(line, "overrun: %llu", &n) == 1)
			sum += n;
	}
	if (f)
		fclose(f);
	return sum;
}

static const char *begin_tracing(void)
{
	/* The size that it gets on first use anyway */
	if (!put(TRACING "buffer_size_kb", "4096") ||
	    !put(TRACING "tracing_on", "1"))
		return "the kernel has no tracefs";
	close(open(TRACING "trace", O_WRONLY | O_TRUNC | O_CLOEXEC));
	return NULL;
}

static const char *end_tracing(uint64_t done)
{
	return arrived() < done ? "events did not arrive" : NULL;
}

static const char *begin_marker(const struct bench_row *row, const char *path)
{
	const char *reason = begin_tracing();

	length = row->payload;
	if (reason)
		return reason;
	fd = open(path, O_WRONLY | O_CLOEXEC);
	return fd < 0 ? "the kernel has no such file" : NULL;
}

static const char *begin_text(const struct bench_row *row)
{
	return begin_marker(row, TRACING "trace_marker");
}

static const char *begin_raw(const struct bench_row *row)
{
	return begin_marker(row, TRACING "trace_marker_raw");
}

static void run_marker(unsigned int n)
{
	while (n--)
		(void)!write(fd, bench_payload, length);
}

static const char *end_fd(const struct bench_row *row, uint64_t done)
{
	const char *wrong = end_tracing(done);

	(void)row;
	close(fd);
	return wrong;
}

static const struct bench_case text_case = {
	.name = "trace-marker", .what = "write to trace_marker",
	.begin = begin_text, .run = run_marker, .end = end_fd,
};

static const struct bench_case raw_case = {
	.name = "trace-marker-raw", .what = "write to trace_marker_raw",
	.begin = begin_raw, .run = run_marker, .end = end_fd,
};

/* From linux/user_events.h, which Debian 12 lacks */
struct user_reg {
	__u32 size;
	__u8 enable_bit;
	__u8 enable_size;
	__u16 flags;
	__u64 enable_addr;
	__u64 name_args;
	__u32 write_index;
} __attribute__((packed));

#define DIAG_IOCSREG	_IOWR('*', 0, struct user_reg *)

static volatile __u32 user_enabled;
static struct iovec user_event[2];
static __u32 user_index;

static bool register_user_event(char *definition)
{
	struct user_reg reg = {
		.size = sizeof(reg), .enable_size = sizeof(user_enabled),
		.enable_addr = (uintptr_t)&user_enabled,
		.name_args = (uintptr_t)definition,
	};

	if (ioctl(fd, DIAG_IOCSREG, &reg))
		return false;
	user_index = reg.write_index;
	return true;
}

static const char *begin_user(const struct bench_row *row)
{
	const char *reason = begin_tracing();
	char text[128];

	if (reason)
		return reason;
	fd = open(TRACING "user_events_data", O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return "no CONFIG_USER_EVENTS; KERNELS=user-events has it";
	snprintf(text, sizeof(text), "bench_%u char[%u] data", row->payload,
		 row->payload);
	if (!register_user_event(text))
		return "the event cannot be registered";
	snprintf(text, sizeof(text),
		 TRACING "events/user_events/bench_%u/enable", row->payload);
	if (!put(text, "1") || !user_enabled)
		return "the event cannot be enabled";
	user_event[0] = (struct iovec) { &user_index, sizeof(user_index) };
	user_event[1] = (struct iovec) { bench_payload, row->payload };
	return NULL;
}

static void run_user(unsigned int n)
{
	while (n--)
		if (user_enabled)
			(void)!writev(fd, user_event, 2);
}

static const struct bench_case user_case = {
	.name = "user-events", .what = "user_events",
	.begin = begin_user, .run = run_user, .end = end_fd,
};

static const char *begin_eventheader(const struct bench_row *row)
{
	(void)row;
	return "Debian has no package of LinuxTracepoints";
}

static const struct bench_case eventheader_case = {
	.name = "eventheader", .what = "eventheader over user_events",
	.begin = begin_eventheader,
};

/*
 * The probed function.  Its first instruction is one that the kernel emulates,
 * like most first instructions of functions: others cost a second trap.
 */
static __attribute__((noipa)) void probed(const void *p)
{
	asm volatile("nop" : : "r" (p) : "memory");
}

/* Find the file and offset of the function, in tracefs's form */
static bool locate(const void *p, char *text, size_t room)
{
	unsigned long start, end, offset, address = (uintptr_t)p;
	FILE *f = fopen("/proc/self/maps", "r");
	char line[4096], path[4096];
	bool found = false;

	while (f && !found && fgets(line, sizeof(line), f)) {
		found = sscanf(line, "%lx-%lx %*s %lx %*s %*s %4095s", &start,
			       &end, &offset, path) == 4 &&
			address >= start && address < end;
	}
	if (f)
		fclose(f);
	snprintf(text, room, "%s:0x%lx", path, address - start + offset);
	return found;
}

static const char *begin_uprobe(const struct bench_row *row)
{
	const char *reason = begin_tracing();
	char place[4096 + 32], text[8192];
	unsigned int i;
	int len;

	if (reason)
		return reason;
	if (!locate(probed, place, sizeof(place)))
		return "the probed function is nowhere";
	len = snprintf(text, sizeof(text), "p:bench/probe %s", place);
	for (i = 0; i < row->payload / 8; i++)
		len += snprintf(text + len, sizeof(text) - len,
				" d%u=+%u(%%di):u64", i, 8 * i);
	if (!put(TRACING "uprobe_events", text))
		return "the kernel takes no such uprobe";
	if (!put(TRACING "events/bench/probe/enable", "1"))
		return "the uprobe cannot be enabled";
	return NULL;
}

static void run_probed(unsigned int n)
{
	while (n--)
		probed(bench_payload);
}

static const char *end_uprobe(const struct bench_row *row, uint64_t done)
{
	/* Removing an event empties the buffer */
	const char *wrong = end_tracing(done);

	(void)row;
	put(TRACING "events/bench/probe/enable", "0");
	put(TRACING "uprobe_events", "-:bench/probe");
	return wrong;
}

static const struct bench_case uprobe_case = {
	.name = "uprobe", .what = "a uprobe that fetches words",
	.begin = begin_uprobe, .run = run_probed, .end = end_uprobe,
};

const struct bench_row bench_peers[] = {
	{ &text_case, 16, 1, 1 },
	{ &text_case, 64, 1, 1 },
	{ &text_case, 1024, 1, 1 },
	{ &raw_case, 16, 1, 1 },
	{ &raw_case, 64, 1, 1 },
	{ &raw_case, 1024, 1, 1 },
	{ &user_case, 16, 1, 1 },
	{ &user_case, 64, 1, 1 },
	{ &user_case, 1024, 1, 1 },
	{ &eventheader_case, 64, 1, 1 },
	{ &uprobe_case, 16, 2, 1 },
	{ &uprobe_case, 64, 8, 1 },
	{ }
};
