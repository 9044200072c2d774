/* SPDX-License-Identifier: MIT */
/*
 * What a user writes to say which events of which providers to record:
 *
 *	PROVIDER[:KEYWORDS[:LEVEL]][+...]
 *
 * PROVIDER is a GUID, with or without braces or a leading #; a name after *,
 * whose hash is the GUID, as for TraceLogging; or a name alone, which somebody
 * has to look up among the registered providers.
 */
#ifndef EVNT_SPEC_H
#define EVNT_SPEC_H

#include <stdbool.h>
#include <stddef.h>

#include <evntprov.h>

#define SPEC_ALL_KEYWORDS	0xffffffffffffffffull
#define SPEC_ALL_LEVELS		255
#define SPEC_MAX_NAME		256

/**
 * struct spec - one provider and what to take of it
 * @id: the provider, unless @lookup
 * @lookup: @name is a registered provider's, and @id is not known yet
 * @level: up to this level
 * @keywords: any of these
 * @name: as written, without the *; empty for a GUID
 */
struct spec {
	GUID id;
	bool lookup;
	UCHAR level;
	ULONGLONG keywords;
	char name[SPEC_MAX_NAME];
};

struct spec_list {
	struct spec *specs;
	size_t count;
};

/*
 * Adds what @text says to @list.  Returns false for an error, which @why then
 * tells; the list holds what came before it.
 */
bool spec_parse(struct spec_list *list, const char *text, char *why,
		size_t why_size);
void spec_free(struct spec_list *list);

#endif /* EVNT_SPEC_H */
