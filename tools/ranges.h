/* SPDX-License-Identifier: MIT */
/* Numbers and ranges as users write them: 1,2,10-20 */
#ifndef EVNT_RANGES_H
#define EVNT_RANGES_H

#include <stdbool.h>

#include <evntbase.h>

#define MAX_RANGES	64

/**
 * struct ranges - numbers
 * @at: from the first to the last of each, @count of them
 */
struct ranges {
	struct {
		ULONGLONG first;
		ULONGLONG last;
	} at[MAX_RANGES];
	unsigned int count;
};

/* Adds what @text says; false if it is none, too much, or above @most */
bool ranges_parse(struct ranges *ranges, const char *text, ULONGLONG most);
bool ranges_have(const struct ranges *ranges, ULONGLONG number);

#endif /* EVNT_RANGES_H */
