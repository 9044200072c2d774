// SPDX-License-Identifier: MIT
/*
 * Conversion from the clock of a log file to FILETIME.
 *
 * A file contains the frequency of its clock, and the value at which the file
 * began; in a hostile file they are arbitrary.  The ratio is reduced once, so
 * that converting a time stamp takes one or two multiplications.
 */
#include "lib/consume/etl_clock.h"

#define FILETIME_HZ	10000000u
#define FILETIME_NS	100u

static u64 common_divisor(u64 a, u64 b)
{
	u64 rest;

	while (b) {
		rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

static void set_ratio(struct etl_clock *c, u64 num, u64 den)
{
	u64 divisor;

	/* Clock that does not advance */
	if (!den) {
		num = 0;
		den = 1;
	}
	divisor = common_divisor(den, num);
	c->num = num / divisor;
	c->den = den / divisor;
	c->limit = c->num ? INT64_MAX / c->num : INT64_MAX;
	/* Not zero, as divided by a divisor: NOLINTNEXTLINE(clang-analyzer-*) */
	c->reciprocal = UINT64_MAX / c->den;
}

/**
 * etl_clock_set() - initialize the clock of a log file
 * @c: clock to fill in
 * @h: the file's header
 * @base: time stamp of the record that contains the header
 */
void etl_clock_set(struct etl_clock *c, const struct etl_logfile_header *h,
		   s64 base)
{
	c->unix_ns = false;
	etl_clock_move(c, base, h->start_time);
	switch (h->clock_type) {
	case ETL_CLOCK_SYSTEM:
		etl_clock_move(c, 0, 0);
		set_ratio(c, 1, 1);
		break;
	case ETL_CLOCK_CYCLES:
		set_ratio(c, 10, h->cpu_mhz);
		break;
	default:
		set_ratio(c, FILETIME_HZ, h->frequency > 0 ? h->frequency : 0);
	}
}

/* Set another reference time, as some buffers have; @start: a FILETIME */
void etl_clock_move(struct etl_clock *c, s64 base, s64 start)
{
	c->base = base;
	c->start = c->unix_ns ? etl_clock_unix(start) : start;
}

/**
 * etl_clock_to_unix() - make a clock yield nanoseconds since 1970
 * @c: clock set by etl_clock_set()
 *
 * A clock that counts nanoseconds loses no precision.
 */
void etl_clock_to_unix(struct etl_clock *c)
{
	/*
	 * 1601 is out of range for nanoseconds: move the reference of a
	 * FILETIME clock
	 */
	if (!c->base && !c->start && c->num == c->den)
		etl_clock_move(c, ETL_FILETIME_EPOCH, ETL_FILETIME_EPOCH);
	set_ratio(c, c->num * FILETIME_NS, c->den);
	c->unix_ns = true;
	etl_clock_move(c, c->base, c->start);
}

/* Convert time stamps before the base, and very distant ones */
s64 etl_clock_far(const struct etl_clock *c, s64 raw)
{
	__int128 time = (__int128)raw - c->base;

	time = time * (__int128)c->num / (__int128)c->den + c->start;
	if (time > INT64_MAX)
		return INT64_MAX;
	return time < INT64_MIN ? INT64_MIN : (s64)time;
}
