// SPDX-License-Identifier: MIT
/* Sessions with the given buffers and a log in memory, and events for them. */
#include <fcntl.h>
#include <unistd.h>

#include <evntprov.h>

#include "core/etl.h"
#include "logged.h"
#include "raw.h"

#define LOG	"/dev/shm/logged-%u.etl"

static_assert(sizeof(struct etl_event_header) + LOGGED_PAYLOAD == LOGGED_RECORD,
	      "a record's length");

static const GUID provider_id = {
	0x5d1c8a3e, 0x27b4, 0x4f0c,
	{ 0x8e, 0x61, 0x93, 0x0b, 0xd2, 0x7a, 0x14, 0xc5 },
};
static const EVENT_DESCRIPTOR event = { 1, 0, 0, 4, 0, 0, 0x1 };

static int device = -1;
static REGHANDLE provider;

bool logged_begin(void)
{
	device = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	return device >= 0 &&
	       !EventRegister(&provider_id, NULL, NULL, &provider);
}

bool logged_start(struct logged *l, unsigned int kib, unsigned int buffers,
		  unsigned int flush_ms)
{
	struct evntrace_start arg = {
		.buffer_size = kib * 1024, .max_buffers = buffers,
		.flush_ms = flush_ms,
	};
	static unsigned int started;

	snprintf(l->path, sizeof(l->path), LOG, started++);
	l->fd = open(l->path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	l->session = raw_start(device, l->path, l->fd, &arg);
	return l->session >= 0 &&
	       raw_enable(l->session, &provider_id,
			  &(struct evntrace_enable) { .level = 0 }) &&
	       logged_query(l);
}

bool logged_query(struct logged *l)
{
	return raw_control(l->session, 0, &l->info);
}

bool logged_stop(struct logged *l)
{
	bool ok = raw_control(l->session, EVNTRACE_CONTROL_STOP, &l->info);

	close(l->session);
	return ok;
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
