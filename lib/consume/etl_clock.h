/* SPDX-License-Identifier: MIT */
/*
 * Conversion from the clock of a log file to FILETIME.
 */
#ifndef EVNT_ETL_CLOCK_H
#define EVNT_ETL_CLOCK_H

#include "core/etl.h"

/**
 * struct etl_clock - conversion of time stamps to FILETIME or nanoseconds
 * @base: reference time in ticks of the clock
 * @start: reference time as a FILETIME, or in nanoseconds since 1970 if
 *	@unix_ns
 * @num: ticks of FILETIME, or nanoseconds, in @den ticks of the clock
 * @den: ticks of the clock
 * @limit: largest number of ticks whose product with @num fits an s64
 * @reciprocal: inverse of @den in units of 2^-64, rounded down
 * @unix_ns: whether it yields nanoseconds since 1970 instead of FILETIME
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

/* Clock types in a log file's header */
#define ETL_CLOCK_SYSTEM	2u
#define ETL_CLOCK_CYCLES	3u

void etl_clock_set(struct etl_clock *c, const struct etl_logfile_header *h,
		   s64 base);
void etl_clock_move(struct etl_clock *c, s64 base, s64 start);
void etl_clock_to_unix(struct etl_clock *c);
s64 etl_clock_far(const struct etl_clock *c, s64 raw);

/*
 * Divide by @c->den; the product with the reciprocal is at most one too small
 */
static inline u64 etl_clock_divide(const struct etl_clock *c, u64 x)
{
	u64 q = (__uint128_t)x * c->reciprocal >> 64;

	return q + (x - q * c->den >= c->den);
}

/* Convert a FILETIME to nanoseconds since 1970, saturated */
static inline s64 etl_clock_unix(s64 filetime)
{
	s64 time;

	if (__builtin_sub_overflow(filetime, ETL_FILETIME_EPOCH, &time) ||
	    __builtin_mul_overflow(time, 100, &time))
		return filetime < ETL_FILETIME_EPOCH ? INT64_MIN : INT64_MAX;
	return time;
}

/* Convert a time stamp to FILETIME, saturated */
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
