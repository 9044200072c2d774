// SPDX-License-Identifier: MIT
/*
 * Sessions for the benchmark's events.
 *
 * They are large enough for all events of a row: none can be lost, and no log
 * is written during a batch.  Their counts are compared with the number of
 * writes, so that a failure is not taken for a fast write.
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

static int device = -1;
static int sessions[BENCH_MAX_SESSIONS];
static unsigned int started;

static bool start(unsigned int i, const struct bench_wish *wish)
{
	const uint32_t count = wish->buffers ? wish->buffers : BUFFERS;
	struct evntrace_start arg = {
		.log_file_mode = wish->mode,
		.buffer_size = BUFFERS * BUFFER_SIZE / count,
		.max_buffers = count,
	};
	char path[sizeof(LOG) + 16];
	int log;

	snprintf(path, sizeof(path), LOG, i);
	log = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	unlink(path);
	sessions[i] = raw_start(device, path, log, &arg);
	close(log);
	return sessions[i] >= 0;
}

static bool enable(unsigned int i, const GUID *provider,
		   const struct bench_wish *ext_item)
{
	return raw_enable(sessions[i], provider, &(struct evntrace_enable) {
				  .level = ext_item->level,
				  .match_any = ext_item->match_any,
				  .filters = (uintptr_t)ext_item->filter,
				  .filter_count = !!ext_item->filter,
			  });
}

const char *bench_sessions_start(const GUID *provider, unsigned int count,
				 const struct bench_wish *ext_items)
{
	static const struct bench_wish all;
	const struct bench_wish *wish = &all;
	unsigned int i;

	device = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	if (device < 0)
		return "the module is not loaded";
	for (i = 0; i < count; i++) {
		if (ext_items)
			wish = &ext_items[i];
		if (!start(i, wish))
			return "a session does not start";
		started++;
		if (!enable(i, provider, wish))
			return "the provider cannot be enabled";
	}
	return NULL;
}

static const char *finish(unsigned int i, uint64_t events)
{
	struct evntrace_session arg;
	bool ok = raw_control(sessions[i], EVNTRACE_CONTROL_STOP, &arg);

	close(sessions[i]);
	if (!ok)
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
	close(device);
	device = -1;
	return first;
}
