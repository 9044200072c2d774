// SPDX-License-Identifier: MIT
/*
 * From the clock of a log file to FILETIME.
 *
 * A file says how fast its clock is, and what it was when the file began; a
 * hostile one says anything.  The ratio is reduced once, so that an event's time
 * takes a multiplication or two.
 */
#include "etl_clock.h"

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

	/* A clock that stands */
	if (!den) {
		num = 0;
		den = 1;
	}
	divisor = common_divisor(den, num);
	c->num = num / divisor;
	c->den = den / divisor;
	c->limit = c->num ? INT64_MAX / c->num : INT64_MAX;
	/* What divides it leaves something: NOLINTNEXTLINE(clang-analyzer-*) */
	c->reciprocal = UINT64_MAX / c->den;
}

/**
 * etl_clock_set() - the clock of a log file
 * @c: filled in
 * @h: the file's header
 * @base: time stamp of the record that the header is in
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

/* Another moment of the same clock, as some buffers have it; @start: a FILETIME */
void etl_clock_move(struct etl_clock *c, s64 base, s64 start)
{
	c->base = base;
	c->start = c->unix_ns ? etl_clock_unix(start) : start;
}

/**
 * etl_clock_to_unix() - have a clock give nanoseconds since 1970
 * @c: the clock, as etl_clock_set() left it
 *
 * A clock that counts nanoseconds then loses none of them.
 */
void etl_clock_to_unix(struct etl_clock *c)
{
	/* Of a clock that is FILETIME itself 1601 is too far away to be told */
	if (!c->base && !c->start && c->num == c->den)
		etl_clock_move(c, ETL_FILETIME_EPOCH, ETL_FILETIME_EPOCH);
	set_ratio(c, c->num * FILETIME_NS, c->den);
	c->unix_ns = true;
	etl_clock_move(c, c->base, c->start);
}

/* What etl_clock_time() leaves: times before the base, and very far ones */
s64 etl_clock_far(const struct etl_clock *c, s64 raw)
{
	__int128 time = (__int128)raw - c->base;

	time = time * (__int128)c->num / (__int128)c->den + c->start;
	if (time > INT64_MAX)
		return INT64_MAX;
	return time < INT64_MIN ? INT64_MIN : (s64)time;
}
