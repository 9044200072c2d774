/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A ring that is used without the library: a process may write anything to it.
 */
#ifndef EVNT_TEST_RING_RAW_H
#define EVNT_TEST_RING_RAW_H

#include "core/etl.h"
#include "selftests/evntprov/ring/ring_log.h"

#define OWN	0x20u	/* handle of the registration: see raw_open() */

/* A ring of a program that does not use the library */
struct raw {
	int fd;
	struct evntprov_ring *state;
	uint8_t *data;
	unsigned int id;	/* state->id before anything was written there */
};

/* Register a provider for events in rings; returns whether that succeeded */
static inline bool raw_register(int fd, uint64_t registration)
{
	GUID id = provider_id(OTHER_PROVIDER);
	struct evntprov_register arg = {
		.size = sizeof(arg), .flags = EVNTPROV_REGISTER_RING,
		.handle = registration,
	};

	memcpy(&arg.provider, &id, sizeof(id));
	return !ioctl(fd, EVNTPROV_IOC_REGISTER, &arg);
}

static inline bool raw_open(struct raw *raw)
{
	void *map;

	raw->fd = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	if (!raw_register(raw->fd, OWN))
		return false;
	map = mmap(NULL, MAP_SIZE, PROT_READ | PROT_WRITE,
		   MAP_SHARED, raw->fd, EVNTPROV_RING_OFFSET);
	if (map == MAP_FAILED)
		return false;
	raw->state = map;
	raw->data = (uint8_t *)map + 4096;
	raw->id = raw->state->id;
	return true;
}

/* Have a ring copied; returns an errno */
static inline int raw_drain(const struct raw *raw, unsigned int id)
{
	return ioctl(raw->fd, EVNTPROV_IOC_DRAIN, (long)id) ? errno : 0;
}

static inline void raw_close(const struct raw *raw)
{
	munmap(raw->state, MAP_SIZE);
	close(raw->fd);
}

/* Header of a record that the module records */
static inline struct etl_event_header raw_header(uint16_t size)
{
	const uint64_t registration = OWN;
	struct etl_event_header h = {
		.size = size, .descriptor.id = 7, .descriptor.level = 3,
	};

	memcpy(h.provider, &registration, sizeof(registration));
	return h;
}

/* Address of the byte at a position, and of those behind it */
static inline void *raw_at(const struct raw *raw, uint64_t position)
{
	return raw->data + position % EVNTPROV_RING_SIZE;
}

/* Claim that the next @len bytes are records */
static inline void raw_commit(const struct raw *raw, uint64_t len)
{
	__atomic_store_n(&raw->state->commit, raw->state->commit + len,
			 __ATOMIC_RELEASE);
}

#endif /* EVNT_TEST_RING_RAW_H */
