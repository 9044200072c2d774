/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the parts of the torture: chance, actors, measurements. */
#ifndef EVNT_TORTURE_H
#define EVNT_TORTURE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "selftests/evntprov/common/device.h"
#include "selftests/evntprov/common/hotplug.h"

/* Logs of sessions that come and go; the small disk is often full */
#define BIG_DIR		"/tmp/torture"
#define SMALL_DIR	"/tmp/torture/small"
#define SMALL_SIZE	"8m"

/* Providers: the measured ones, and the first one for disturbances */
#define MEASURED_PROVIDER	1
#define MEASURED_CLASSIC	2
#define MEASURED_RING		3
#define CHAOS_PROVIDER		100
#define CHAOS_PROVIDERS		8

/* Repeatable choices; each actor has its own */
struct chance {
	uint64_t state;
};

static inline void chance_init(struct chance *c, uint64_t seed)
{
	c->state = seed * 0x9e3779b97f4a7c15ull + 0x2545f4914f6cdd1dull;
}

static inline uint64_t chance_next(struct chance *c)
{
	c->state ^= c->state << 13;
	c->state ^= c->state >> 7;
	c->state ^= c->state << 17;
	return c->state;
}

/* 0 to @n - 1 */
static inline uint32_t chance_of(struct chance *c, uint32_t n)
{
	return (chance_next(c) >> 11) % n;
}

/* Counts of events and actions, updated by all processes */
struct totals {
	uint64_t written;	/* by the measured writers */
	uint64_t kept;
	uint64_t lost;
	uint64_t kernel_events;
	uint64_t chaos_writes;
	uint64_t controls;
	uint64_t reads;
	uint64_t kills;
	uint64_t hotplugs;
	uint64_t refused_unloads;
	uint64_t loads;
	uint64_t consumed;	/* by the readers of running sessions */
	uint64_t missed;
	uint64_t snapshots;
};

extern struct totals *totals;

static inline void count(uint64_t *what)
{
	__atomic_fetch_add(what, 1, __ATOMIC_RELAXED);
}

/* chaos.c */
void chaos_begin(uint64_t seed);
void chaos_end(void);

/* measured.c */
void measured_setup(void);
bool measured_begin(uint64_t seed);
bool measured_end(void);
/* Whether a session's file has runs of all writers' events without a gap */
bool measured_is_run(const char *log);

/* system.c */
bool system_begin(void);
bool system_end(void);

/* live.c */
void live_setup(void);
void live_begin(__u64 handle, uint64_t seed);
void live_stop(void);
bool live_end(const char *log);

#endif /* EVNT_TORTURE_H */
