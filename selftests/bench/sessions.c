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
#include <unistd.h>

#include "bench.h"
#include "raw.h"
#include "sessions.h"

#define BUFFER_SIZE	(8u * 1024 * 1024)
#define BUFFERS		4u
#define LOG		"/dev/shm/bench-%u.etl"

static int door = -1;
static __u64 sessions[BENCH_MAX_SESSIONS];
static unsigned int started;

static bool start(unsigned int i)
{
	struct evntrace_start arg = {
		.buffer_size = BUFFER_SIZE, .max_buffers = BUFFERS,
	};
	char path[sizeof(LOG) + 16];
	int log;
	bool ok;

	snprintf(path, sizeof(path), LOG, i);
	log = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	unlink(path);
	ok = raw_start(door, path, log, &arg);
	close(log);
	sessions[i] = arg.handle;
	return ok;
}

static bool enable(unsigned int i, const GUID *provider,
		   const struct bench_wish *wish)
{
	return raw_enable(door, provider, &(struct evntrace_enable) {
				  .handle = sessions[i],
				  .level = wish->level,
				  .match_any = wish->match_any,
				  .filters = (uintptr_t)wish->filter,
				  .filter_count = !!wish->filter,
			  });
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
	struct evntrace_session arg;

	if (!raw_control(door, EVNTRACE_IOC_STOP, sessions[i], &arg))
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
