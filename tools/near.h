/* SPDX-License-Identifier: MIT */
/* What somebody may have meant who wrote a name that there is not. */
#ifndef EVNT_NEAR_H
#define EVNT_NEAR_H

#include <stddef.h>
#include <stdio.h>

/**
 * struct near - names that are near to what was written
 * @wrote: that
 * @found: how many there are
 * @text: after near_end() these names, quoted, with "or" between them; to be freed
 * @size: of @text
 * @to: where they are collected
 */
struct near {
	const char *wrote;
	size_t found;
	char *text;
	size_t size;
	FILE *to;
};

void near_begin(struct near *near, const char *wrote);
/* A name that there is; one that comes again is told once */
void near_look_at(struct near *near, const char *name);
void near_end(struct near *near);

#endif /* EVNT_NEAR_H */
