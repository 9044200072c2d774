/* SPDX-License-Identifier: MIT */
/*
 * What a user writes to say which events of which providers to record:
 *
 *	PROVIDER[:KEYWORDS[:LEVEL]][+...]
 *
 * PROVIDER is a GUID, with or without braces or a leading #; a name after *,
 * whose hash is the GUID, as for TraceLogging; or a name alone, which somebody
 * has to look up among the registered providers.  After "group:", a GUID or a
 * name after * is that of a group.
 */
#ifndef EVNT_SPEC_H
#define EVNT_SPEC_H

#include <stdbool.h>
#include <stddef.h>

#include <evntprov.h>

#define SPEC_ALL_KEYWORDS	0xffffffffffffffffull
#define SPEC_ALL_LEVELS		255
#define SPEC_MAX_NAME		256

/* For a verb's help */
#define SPEC_HELP							\
"SPEC is PROVIDER[:KEYWORDS[:LEVEL]], several joined by '+'.  PROVIDER is\n" \
"  *NAME      the id that TraceLogging derives from a name\n"		\
"  GUID       an id, with or without braces\n"				\
"  NAME       what a provider calls itself that is registered already\n" \
"  group:GUID, group:*NAME  all providers that are members of a group\n" \
"KEYWORDS: any of these bits, 0x... or decimal; default: all.  LEVEL: 1 to\n" \
"255 or Critical, Error, Warning, Information, Verbose; 0, default: all.\n"

/**
 * struct spec - one provider, or group, and what to take of it
 * @id: the provider, unless @lookup
 * @group: it is a group
 * @lookup: @name is a registered provider's, and @id is not known yet
 * @level: up to this level
 * @keywords: any of these
 * @name: as written, without the *; empty for a GUID
 */
struct spec {
	GUID id;
	bool group;
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
/* One provider by itself, in which : and + are letters as others */
bool spec_provider(const char *text, struct spec *spec, char *why,
		   size_t why_size);

/* A number to 255, or the beginning of a name */
bool spec_level(const char *text, UCHAR *level);

/* Adds a copy; false when there is no memory */
bool spec_add(struct spec_list *list, const struct spec *spec);
/* Leaves out what is the same provider as @spec, as far as one can see */
void spec_remove(struct spec_list *list, const struct spec *spec);

/* A GUID, with or without braces or a leading # */
bool spec_guid(const char *text, GUID *guid);

void spec_free(struct spec_list *list);

#endif /* EVNT_SPEC_H */
