// SPDX-License-Identifier: GPL-2.0
/*
 * KCOV: the kernel lists the places in the module that a thread has executed.
 * An edge from one place to the next counts as new, by its hash.
 */
#include <fcntl.h>
#include <linux/kcov.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

#define TRACE_WORDS	(1u << 16)

static unsigned long *trace;

/* Set up the calling thread; false if the kernel has no KCOV */
bool coverage_setup(void)
{
	int fd = open("/sys/kernel/debug/kcov", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return false;
	if (ioctl(fd, KCOV_INIT_TRACE, TRACE_WORDS)) {
		close(fd);
		return false;
	}
	trace = mmap(NULL, TRACE_WORDS * sizeof(*trace),
		     PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	/* The file stays open, as closing it would end the coverage */
	if (trace == MAP_FAILED || ioctl(fd, KCOV_ENABLE, KCOV_TRACE_PC)) {
		trace = NULL;
		return false;
	}
	return true;
}

void coverage_begin(void)
{
	if (trace)
		__atomic_store_n(&trace[0], 0, __ATOMIC_RELAXED);
}

static uint32_t hash(uint64_t v)
{
	v *= 0x9e3779b97f4a7c15ull;
	return v >> 40 & (COVERAGE_BITS - 1);
}

static bool set_bit(uint8_t *bits, uint32_t bit)
{
	uint8_t mask = 1 << bit % 8;

	if (bits[bit / 8] & mask)
		return false;
	__atomic_fetch_or(&bits[bit / 8], mask, __ATOMIC_RELAXED);
	return true;
}

/* Whether the program reached an edge new in @mine; all workers share @all */
bool coverage_end(struct coverage *mine, struct coverage *all)
{
	unsigned long i, n, last = 0, pc;
	bool is_new = false;

	if (!trace)
		return false;
	n = __atomic_load_n(&trace[0], __ATOMIC_RELAXED);
	for (i = 1; i <= n && i < TRACE_WORDS; i++) {
		pc = trace[i];
		is_new |= set_bit(mine->edges, hash(pc ^ last << 1));
		set_bit(all->points, hash(pc));
		last = pc;
	}
	return is_new;
}

uint32_t coverage_points(const struct coverage *c)
{
	uint32_t i, n = 0;

	for (i = 0; i < sizeof(c->points); i++)
		n += __builtin_popcount(c->points[i]);
	return n;
}
