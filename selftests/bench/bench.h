/* SPDX-License-Identifier: MIT */
/*
 * What the parts of the benchmark share: rows, how they are measured and said.
 */
#ifndef EVNT_BENCH_H
#define EVNT_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BENCH_MAX_PAYLOAD	16384u
#define BENCH_MAX_DATA		128u
#define BENCH_MAX_SESSIONS	8u

#define BENCH_ARRAY_SIZE(a)	(sizeof(a) / sizeof(*(a)))

/* A loop's body does not move, and what it reads may have changed */
#define bench_barrier()		asm volatile("" ::: "memory")

struct bench_case;

/**
 * struct bench_row - one row of the table
 * @c: what is done
 * @payload: bytes that an event brings
 * @descriptors: blocks that they are in
 * @sessions: that want the event, or look at it
 */
struct bench_row {
	const struct bench_case *c;
	unsigned int payload;
	unsigned int descriptors;
	unsigned int sessions;
};

/**
 * struct bench_case - something whose cost is asked for
 * @name: as results say it
 * @what: as the table says it
 * @begin: everything that is done once; returns why it cannot be, or NULL
 * @run: does it so many times
 * @end: undoes @begin; is told how often @run did it, and returns what was
 *	wrong with that, or NULL
 *
 * Any of them may be missing, but a case without @run has a @begin that says
 * why.
 */
struct bench_case {
	const char *name;
	const char *what;
	const char *(*begin)(const struct bench_row *row);
	void (*run)(unsigned int n);
	const char *(*end)(const struct bench_row *row, uint64_t done);
};

/* bench.c: what all events are made of */
extern char bench_payload[BENCH_MAX_PAYLOAD];

/* Rows of a part, to a list that ends with a row without a case */
extern const struct bench_row bench_calls[];
extern const struct bench_row bench_events[];
extern const struct bench_row bench_in_kernel[];
extern const struct bench_row bench_peers[];

/* measure.c */
int bench_main(int argc, char **argv, const struct bench_row *const *lists,
	       bool forks);

#endif /* EVNT_BENCH_H */
