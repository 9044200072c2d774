/* SPDX-License-Identifier: GPL-2.0 */
/* A real-time consumer for tests: bare ioctls and a mapping. */
#ifndef EVNT_TEST_CONSUMER_H
#define EVNT_TEST_CONSUMER_H

#include <poll.h>

#include "selftests/evntprov/common/device.h"
#include "selftests/evntprov/common/etl_scan.h"

struct consumer {
	int fd;
	uint8_t *map;
	struct evntrace_open_consumer info;
	struct etl_scan scan;		/* header of the stream */
	uint64_t buffers;
	uint64_t buffers_missed;
	uint64_t events_missed;
};

/* @fd: descriptor of a session */
static inline int consumer_bind(int fd, struct evntrace_open_consumer *arg)
{
	*arg = (struct evntrace_open_consumer) { .size = sizeof(*arg) };
	return do_ioctl(fd, EVNTRACE_IOC_OPEN_CONSUMER, arg);
}

static inline int consumer_open(struct consumer *c, __u64 session)
{
	int device = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	int err;

	memset(c, 0, sizeof(*c));
	c->fd = dev_open_session(device, session, EVNTRACE_RIGHT_ACCESS_REALTIME);
	close(device);
	if (c->fd < 0)
		return -c->fd;
	err = consumer_bind(c->fd, &c->info);
	if (err) {
		close(c->fd);
		return err;
	}
	c->map = mmap(NULL, c->info.map_size, PROT_READ, MAP_SHARED, c->fd, 0);
	if (c->map == MAP_FAILED)
		return errno;
	return etl_scan_header(c->map, c->info.buffer_size, &c->scan) ?
	       EBADMSG : 0;
}

static inline void consumer_close(struct consumer *c)
{
	munmap(c->map, c->info.map_size);
	close(c->fd);
}

static inline const uint8_t *consumer_buffer(const struct consumer *c,
					     uint32_t index)
{
	return c->map + (index + 1ull) * c->info.stride;
}

/* Get the next buffer or state; waits for up to @ms */
static inline int consumer_next(struct consumer *c, struct evntrace_next *next,
				int ms)
{
	struct pollfd p = { .fd = c->fd, .events = POLLIN };
	int err;

	for (;;) {
		*next = (struct evntrace_next) { .size = sizeof(*next) };
		err = do_ioctl(c->fd, EVNTRACE_IOC_NEXT, next);
		if (err != EAGAIN || poll(&p, 1, ms) <= 0)
			break;
	}
	if (err)
		return err;
	c->buffers += next->state & EVNTRACE_NEXT_BUFFER;
	c->buffers_missed += next->buffers_missed;
	c->events_missed += next->events_missed;
	return 0;
}

static inline int consumer_release(const struct consumer *c, uint32_t index)
{
	struct evntrace_next arg = { .size = sizeof(arg), .index = index };

	return do_ioctl(c->fd, EVNTRACE_IOC_RELEASE, &arg);
}

/* Call @fn for all events of a buffer; returns an error text or NULL */
static inline const char *consumer_scan(struct consumer *c, uint32_t index,
					etl_event_fn fn, void *context)
{
	return etl_scan_buffer(consumer_buffer(c, index), &c->scan, fn, context);
}

/*
 * Read buffers until the session ends, or for @ms without a new one; returns an
 * error text or NULL.
 */
static inline const char *consumer_drain(struct consumer *c, int ms,
					 etl_event_fn fn, void *context)
{
	const char *error = NULL;
	struct evntrace_next next = {};

	while (!error && !(next.state & EVNTRACE_NEXT_END)) {
		if (consumer_next(c, &next, ms))
			break;
		if (!(next.state & EVNTRACE_NEXT_BUFFER))
			continue;
		error = consumer_scan(c, next.index, fn, context);
		if (consumer_release(c, next.index))
			error = "a buffer cannot be released";
	}
	return error;
}

#endif /* EVNT_TEST_CONSUMER_H */
