// SPDX-License-Identifier: MIT
/*
 * The sessions that the benchmark's events go to.
 *
 * They are so large that all events of a row fit the buffers: none can be
 * lost, and no log is written while a batch runs.  What they have got is
 * compared with what was written, so that a failure is not taken for a fast
 * write.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/evntprov.h>

#include "bench.h"
#include "sessions.h"

#define BUFFER_SIZE	(8u * 1024 * 1024)
#define BUFFERS		4u
#define LOG		"/dev/shm/bench-%u.etl"

static int door = -1;
static __u64 sessions[BENCH_MAX_SESSIONS];
static unsigned int started;

static __u32 widen(const char *text, __u16 *name)
{
	__u32 len = 0;

	while (text[len]) {
		name[len] = text[len];
		len++;
	}
	return len;
}

static bool start(unsigned int i)
{
	struct evntrace_start arg = {
		.size = sizeof(arg), .flags = EVNTRACE_START_BOUND,
		.buffer_size = BUFFER_SIZE, .max_buffers = BUFFERS,
	};
	__u16 name[sizeof(LOG) + 16];
	char path[sizeof(LOG) + 16];
	int err;

	snprintf(path, sizeof(path), LOG, i);
	arg.log_fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	unlink(path);
	arg.name = (uintptr_t)name;
	arg.name_len = widen(path, name);
	err = ioctl(door, EVNTRACE_IOC_START, &arg);
	close(arg.log_fd);
	sessions[i] = arg.handle;
	return !err;
}

static bool enable(unsigned int i, const GUID *provider,
		   const struct bench_wish *wish)
{
	struct evntrace_enable arg = {
		.size = sizeof(arg), .handle = sessions[i],
		.control = EVNTPROV_CONTROL_ENABLE,
		.level = wish->level, .match_any = wish->match_any,
	};

	memcpy(&arg.provider, provider, sizeof(arg.provider));
	return !ioctl(door, EVNTRACE_IOC_ENABLE, &arg);
}

const char *bench_sessions_start(const GUID *provider, unsigned int count,
				 const struct bench_wish *wishes)
{
	static const struct bench_wish all;
	unsigned int i;

	door = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	if (door < 0)
		return "the module is not loaded";
	for (i = 0; i < count; i++) {
		if (!start(i))
			return "a session does not start";
		started++;
		if (!enable(i, provider, wishes ? &wishes[i] : &all))
			return "the provider cannot be enabled";
	}
	return NULL;
}

static const char *finish(unsigned int i, uint64_t events)
{
	struct evntrace_session arg = {
		.size = sizeof(arg), .handle = sessions[i],
	};

	if (ioctl(door, EVNTRACE_IOC_STOP, &arg))
		return "a session does not stop";
	if (arg.events_lost || arg.buffers_lost)
		return "events were lost";
	return arg.events != events ? "events did not arrive" : NULL;
}

const char *bench_sessions_stop(uint64_t events)
{
	const char *wrong, *first = NULL;

	while (started) {
		wrong = finish(--started, events);
		first = first ? first : wrong;
	}
	close(door);
	door = -1;
	return first;
}
