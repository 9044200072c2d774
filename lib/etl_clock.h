/* SPDX-License-Identifier: MIT */
/*
 * From the clock of a log file to FILETIME.
 */
#ifndef EVNT_ETL_CLOCK_H
#define EVNT_ETL_CLOCK_H

#include "etl.h"

/**
 * struct etl_clock - how a time stamp becomes a FILETIME, or what else is asked for
 * @base: a moment in the clock
 * @start: the same moment as a FILETIME; as nanoseconds since 1970, if @unix_ns
 * @num: for so many of FILETIME's ticks, or nanoseconds
 * @den: so many of the clock's
 * @limit: of ticks that times @num are no more than an s64 holds
 * @reciprocal: of @den, in units of 2^-64, rounded down
 * @unix_ns: it gives nanoseconds since 1970, not FILETIME
 */
struct etl_clock {
	s64 base;
	s64 start;
	u64 num;
	u64 den;
	u64 limit;
	u64 reciprocal;
	bool unix_ns;
};

/* Clock types, as a log file's header says them */
#define ETL_CLOCK_SYSTEM	2u
#define ETL_CLOCK_CYCLES	3u

void etl_clock_set(struct etl_clock *c, const struct etl_logfile_header *h,
		   s64 base);
void etl_clock_move(struct etl_clock *c, s64 base, s64 start);
void etl_clock_to_unix(struct etl_clock *c);
s64 etl_clock_far(const struct etl_clock *c, s64 raw);

/* x / @c->den; the reciprocal makes it one too little at most */
static inline u64 etl_clock_divide(const struct etl_clock *c, u64 x)
{
	u64 q = (__uint128_t)x * c->reciprocal >> 64;

	return q + (x - q * c->den >= c->den);
}

/* A FILETIME in nanoseconds since 1970, as far as these hold it */
static inline s64 etl_clock_unix(s64 filetime)
{
	s64 time;

	if (__builtin_sub_overflow(filetime, ETL_FILETIME_EPOCH, &time) ||
	    __builtin_mul_overflow(time, 100, &time))
		return filetime < ETL_FILETIME_EPOCH ? INT64_MIN : INT64_MAX;
	return time;
}

/* A FILETIME from a time stamp, as far as it can be one */
static inline s64 etl_clock_time(const struct etl_clock *c, s64 raw)
{
	u64 ticks = (u64)raw - (u64)c->base;
	s64 time, since;

	if (unlikely(ticks > c->limit || raw < c->base))
		return etl_clock_far(c, raw);
	since = etl_clock_divide(c, ticks * c->num);
	if (unlikely(__builtin_add_overflow(c->start, since, &time)))
		return etl_clock_far(c, raw);
	return time;
}

#endif /* EVNT_ETL_CLOCK_H */
