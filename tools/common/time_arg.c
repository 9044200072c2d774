// SPDX-License-Identifier: MIT
/* Parses points in time of a log */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "tools/common/time_arg.h"

#define TICKS_PER_SECOND	10000000ull
#define TICKS_PER_DAY		(86400 * TICKS_PER_SECOND)
#define UNIX_EPOCH		11644473600ll	/* seconds since 1601 */

/* Parse seconds with a fraction, to 100 ns; return the rest, or NULL */
static const char *parse_seconds(const char *text, uint64_t *ticks)
{
	uint64_t unit = TICKS_PER_SECOND;
	int digits = 0;

	for (*ticks = 0; isdigit((unsigned char)*text); text++) {
		if (++digits > 12)
			return NULL;
		*ticks = 10 * *ticks + (*text - '0') * TICKS_PER_SECOND;
	}
	if (!digits)
		return NULL;
	if (*text != '.')
		return text;
	for (text++; isdigit((unsigned char)*text); text++)
		*ticks += (*text - '0') * (unit /= 10);
	return text;
}

static const char *parse_two(const char *text, unsigned int most,
			     unsigned int *number)
{
	if (!isdigit((unsigned char)text[0]) ||
	    !isdigit((unsigned char)text[1]))
		return NULL;
	*number = 10 * (text[0] - '0') + text[1] - '0';
	return *number <= most ? text + 2 : NULL;
}

/* Parse HH:MM or HH:MM:SS.F; return the rest, or NULL */
static const char *parse_time(const char *text, uint64_t *ticks)
{
	unsigned int hour, minute;
	uint64_t seconds = 0;

	text = parse_two(text, 23, &hour);
	if (!text || *text != ':')
		return NULL;
	text = parse_two(text + 1, 59, &minute);
	if (!text)
		return NULL;
	if (*text == ':')
		text = parse_seconds(text + 1, &seconds);
	if (seconds >= 61 * TICKS_PER_SECOND)
		return NULL;
	*ticks = (60 * hour + minute) * 60 * TICKS_PER_SECOND + seconds;
	return text;
}

/* Parse YYYY-MM-DD; return the rest, or NULL */
static const char *parse_date(const char *text, uint64_t *ticks)
{
	unsigned int century, year, month, day;
	struct tm tm = { 0 }, same;
	time_t seconds;

	text = parse_two(text, 99, &century);
	text = text ? parse_two(text, 99, &year) : NULL;
	if (!text || *text++ != '-')
		return NULL;
	text = parse_two(text, 12, &month);
	if (!text || *text++ != '-')
		return NULL;
	text = parse_two(text, 31, &day);
	if (!text)
		return NULL;
	tm.tm_year = 100 * century + year - 1900;
	tm.tm_mon = month - 1;
	tm.tm_mday = day;
	seconds = timegm(&tm);
	/* Reject dates such as the 30th of February */
	if (!gmtime_r(&seconds, &same) ||
	    same.tm_mday != (int)day || seconds < -UNIX_EPOCH)
		return NULL;
	*ticks = (uint64_t)(seconds + UNIX_EPOCH) * TICKS_PER_SECOND;
	return text;
}

/* Skip the Z of a time in UTC */
static const char *parse_zone(const char *text, bool *utc)
{
	*utc = text && *text == 'Z';
	return *utc ? text + 1 : text;
}

/* Convert to a FILETIME; times before the first one become it */
static uint64_t to_ticks(time_t seconds, uint64_t fraction)
{
	if (seconds < -UNIX_EPOCH)
		return 0;
	return (uint64_t)(seconds + UNIX_EPOCH) * TICKS_PER_SECOND + fraction;
}

/* Convert the time on local clocks to a FILETIME */
static uint64_t from_local(uint64_t ticks)
{
	time_t seconds = (time_t)(ticks / TICKS_PER_SECOND) - UNIX_EPOCH;
	struct tm tm;

	if (!gmtime_r(&seconds, &tm))
		return ticks;
	tm.tm_isdst = -1;
	return to_ticks(mktime(&tm), ticks % TICKS_PER_SECOND);
}

/* Convert a FILETIME to the time on local clocks */
static uint64_t to_local(uint64_t ticks)
{
	time_t seconds = (time_t)(ticks / TICKS_PER_SECOND) - UNIX_EPOCH;
	struct tm tm;

	if (!localtime_r(&seconds, &tm))
		return ticks;
	return to_ticks(timegm(&tm), ticks % TICKS_PER_SECOND);
}

static const char *parse_absolute(const char *text, struct time_arg *time_arg)
{
	uint64_t of_day = 0;

	text = parse_date(text, &time_arg->ticks);
	if (text && (*text == 'T' || *text == ' '))
		text = parse_time(text + 1, &of_day);
	text = parse_zone(text, &time_arg->utc);
	if (!text)
		return NULL;
	time_arg->ticks += of_day;
	if (!time_arg->utc)
		time_arg->ticks = from_local(time_arg->ticks);
	return text;
}

bool time_arg_parse(const char *text, struct time_arg *time_arg)
{
	const char *end;

	if (*text == '+') {
		time_arg->kind = TIME_ARG_AFTER_FIRST;
		end = parse_seconds(text + 1, &time_arg->ticks);
		end = end && *end == 's' ? end + 1 : end;
	} else if (strchr(text, '-')) {
		time_arg->kind = TIME_ARG_ABSOLUTE;
		end = parse_absolute(text, time_arg);
	} else {
		time_arg->kind = TIME_ARG_OF_DAY;
		end = parse_zone(parse_time(text, &time_arg->ticks),
				 &time_arg->utc);
	}
	return end && !*end;
}

static uint64_t on_day(uint64_t first, uint64_t of_day)
{
	return first - first % TICKS_PER_DAY + of_day;
}

void time_arg_resolve(struct time_arg *time_arg, uint64_t first)
{
	switch (time_arg->kind) {
	case TIME_ARG_NONE:
	case TIME_ARG_ABSOLUTE:
		return;
	case TIME_ARG_OF_DAY:
		time_arg->ticks = time_arg->utc ?
			on_day(first, time_arg->ticks) :
			from_local(on_day(to_local(first), time_arg->ticks));
		break;
	case TIME_ARG_AFTER_FIRST:
		time_arg->ticks += first;
		break;
	}
	time_arg->kind = TIME_ARG_ABSOLUTE;
}
