// SPDX-License-Identifier: MIT
/*
 * Sessions with buffers as they are asked for and a log in memory, and the
 * events that are written to them.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <evntprov.h>

#include "etl.h"
#include "logged.h"

#define LOG	"/dev/shm/logged-%u.etl"

static_assert(sizeof(struct etl_event_header) + LOGGED_PAYLOAD == LOGGED_RECORD,
	      "a record's length");

static const GUID provider_id = {
	0x5d1c8a3e, 0x27b4, 0x4f0c,
	{ 0x8e, 0x61, 0x93, 0x0b, 0xd2, 0x7a, 0x14, 0xc5 },
};
static const EVENT_DESCRIPTOR event = { 1, 0, 0, 4, 0, 0, 0x1 };

static int door = -1;
static REGHANDLE provider;

bool logged_begin(void)
{
	door = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	return door >= 0 &&
	       !EventRegister(&provider_id, NULL, NULL, &provider);
}

static bool enable(const struct logged *l)
{
	struct evntrace_enable arg = {
		.size = sizeof(arg), .handle = l->handle,
		.control = EVNTPROV_CONTROL_ENABLE,
	};

	memcpy(&arg.provider, &provider_id, sizeof(arg.provider));
	return !ioctl(door, EVNTRACE_IOC_ENABLE, &arg);
}

bool logged_start(struct logged *l, unsigned int kib, unsigned int buffers,
		  unsigned int flush_ms)
{
	struct evntrace_start arg = {
		.size = sizeof(arg), .flags = EVNTRACE_START_BOUND,
		.buffer_size = kib * 1024, .max_buffers = buffers,
		.flush_ms = flush_ms,
	};
	static unsigned int started;
	__u16 name[sizeof(l->path)];

	snprintf(l->path, sizeof(l->path), LOG, started++);
	l->fd = open(l->path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	while (l->path[arg.name_len]) {
		name[arg.name_len] = l->path[arg.name_len];
		arg.name_len++;
	}
	arg.name = (uintptr_t)name;
	arg.log_fd = l->fd;
	if (ioctl(door, EVNTRACE_IOC_START, &arg))
		return false;
	l->handle = arg.handle;
	return enable(l) && logged_query(l);
}

static bool control(struct logged *l, unsigned long cmd)
{
	l->info = (struct evntrace_session) {
		.size = sizeof(l->info), .handle = l->handle,
	};
	return !ioctl(door, cmd, &l->info);
}

bool logged_query(struct logged *l)
{
	return control(l, EVNTRACE_IOC_QUERY);
}

bool logged_stop(struct logged *l)
{
	return control(l, EVNTRACE_IOC_STOP);
}

void logged_close(struct logged *l)
{
	close(l->fd);
	unlink(l->path);
}

unsigned int logged_write(unsigned int events)
{
	static const char payload[LOGGED_PAYLOAD];
	EVENT_DATA_DESCRIPTOR data;
	unsigned int failed = 0;

	EventDataDescCreate(&data, payload, sizeof(payload));
	while (events--)
		failed += EventWrite(provider, &event, 1, &data) != 0;
	return failed;
}

void logged_pin(unsigned int cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	pthread_setaffinity_np(pthread_self(), sizeof(cpus), &cpus);
}
