/* SPDX-License-Identifier: MIT */
/* Parses numbers given by the user, and ranges: 1,2,10-20 */
#ifndef EVNT_NUMBER_H
#define EVNT_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

#include <evntbase.h>

/* Parse @text as a decimal number from @least to @most */
bool parse_count(const char *text, ULONG least, ULONG most, ULONG *value);

/*
 * Parse the first @len bytes of @text: hexadecimal after 0x, otherwise decimal
 */
bool parse_number(const char *text, size_t len, ULONGLONG *value);

#define MAX_RANGES	64

/**
 * struct ranges - a set of numbers
 * @at: ranges with both limits included, @count of them
 */
struct ranges {
	struct {
		ULONGLONG first;
		ULONGLONG last;
	} at[MAX_RANGES];
	unsigned int count;
};

/*
 * Add the ranges in @text; return false if they are invalid, too many, or
 * exceed @most
 */
bool ranges_parse(struct ranges *ranges, const char *text, ULONGLONG most);
bool ranges_have(const struct ranges *ranges, ULONGLONG number);

#endif /* EVNT_NUMBER_H */
