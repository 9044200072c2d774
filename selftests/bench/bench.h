/* SPDX-License-Identifier: MIT */
/* Shared by the parts of the benchmark: rows, their measurement and output. */
#ifndef EVNT_BENCH_H
#define EVNT_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BENCH_MAX_PAYLOAD	16384u
#define BENCH_MAX_DATA		128u
#define BENCH_MAX_SESSIONS	8u

#define BENCH_ARRAY_SIZE(a)	(sizeof(a) / sizeof(*(a)))

/* Keep the loop's body in place, and assume that memory has changed */
#define bench_barrier()		asm volatile("" ::: "memory")

struct bench_case;

/**
 * struct bench_row - one row of the table
 * @c: measured operation
 * @payload: payload of an event in bytes
 * @descriptors: number of blocks that contain it
 * @sessions: number of sessions that want the event, or filter it
 */
struct bench_row {
	const struct bench_case *c;
	unsigned int payload;
	unsigned int descriptors;
	unsigned int sessions;
};

/**
 * struct bench_case - a measured operation
 * @name: name in results
 * @what: name in the table
 * @begin: set up once; returns the reason of a failure, or NULL
 * @run: perform the operation the given number of times
 * @end: undo @begin; gets the number of events that must have been recorded,
 *	and returns an error text or NULL
 * @events: number of events of an operation; 0 stands for one
 * @is_added: the events accompany something that costs as well without them:
 *	what it costs before @begin is subtracted
 * @is_timed: they occur in intervals of time, so that the mean is the result
 *
 * Any function may be missing, but a case without @run has a @begin that
 * returns the reason.
 */
struct bench_case {
	const char *name;
	const char *what;
	const char *(*begin)(const struct bench_row *row);
	void (*run)(unsigned int n);
	const char *(*end)(const struct bench_row *row, uint64_t done);
	unsigned int events;
	bool is_added;
	bool is_timed;
};

/* bench.c: payload of all events */
extern char bench_payload[BENCH_MAX_PAYLOAD];

/* Rows of a part; each list ends with a row without a case */
extern const struct bench_row bench_calls[];
extern const struct bench_row bench_events[];
extern const struct bench_row bench_enable[];
extern const struct bench_row bench_in_kernel[];
extern const struct bench_row bench_system[];
extern const struct bench_row bench_peers[];

/* measure.c */
int bench_main(int argc, char **argv, const struct bench_row *const *lists,
	       bool forks);

#endif /* EVNT_BENCH_H */
