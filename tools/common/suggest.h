/* SPDX-License-Identifier: MIT */
/* Suggests known names close to a mistyped one */
#ifndef EVNT_SUGGEST_H
#define EVNT_SUGGEST_H

#include <stddef.h>
#include <stdio.h>

/**
 * struct suggest - known names close to a mistyped one
 * @wrote: mistyped name
 * @found: number of names found
 * @text: after suggest_end(), the names quoted and joined by "or"; the caller
 *   frees it
 * @size: size of @text
 * @to: stream that writes @text
 */
struct suggest {
	const char *wrote;
	size_t found;
	char *text;
	size_t size;
	FILE *to;
};

void suggest_begin(struct suggest *suggest, const char *wrote);
/* Add a known name if it is close. Duplicates are ignored. */
void suggest_look_at(struct suggest *suggest, const char *name);
void suggest_end(struct suggest *suggest);

#endif /* EVNT_SUGGEST_H */
