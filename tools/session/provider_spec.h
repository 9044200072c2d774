/* SPDX-License-Identifier: MIT */
/*
 * Specification of providers and events to record:
 *
 * 	PROVIDER[:KEYWORDS[:LEVEL]][+...]
 *
 * PROVIDER is a GUID, with or without braces or a leading #; a name after *,
 * whose hash is the GUID, as for TraceLogging; or a name alone, which the
 * caller must look up among the registered providers. After "group:", a GUID or
 * a name after * denotes a provider group.
 */
#ifndef EVNT_PROVIDER_SPEC_H
#define EVNT_PROVIDER_SPEC_H

#include <stdbool.h>
#include <stddef.h>

#include <evntprov.h>

#include "tools/common/options.h"

#define SPEC_ALL_KEYWORDS	0xffffffffffffffffull
#define SPEC_ALL_LEVELS		255
#define SPEC_MAX_NAME		256
/* Names of levels, for completion */
#define SPEC_LEVELS		"Critical Error Warning Information Verbose"

/* The part of a verb's help that describes a SPEC */
extern const struct option_row spec_rows[];

/**
 * struct spec - a provider or group, and the events to record of it
 * @id: id of the provider or group, unless @lookup
 * @group: @id is a group
 * @lookup: @name is a registered provider's name that must be looked up to find
 *   @id
 * @level: maximum level
 * @keywords: keywords, any of which an event must have
 * @name: name as written, without the *; empty for a GUID
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
 * Parse @text and append to @list. On an error, return false with a message in
 * @why; the list keeps what precedes the error.
 */
bool spec_parse(struct spec_list *list, const char *text, char *why,
		size_t why_size);
/* Parse a single provider, in which : and + have no special meaning */
bool spec_provider(const char *text, struct spec *spec, char *why,
		   size_t why_size);

/* Parse a number up to 255, or a name, which may be abbreviated */
bool spec_level(const char *text, UCHAR *level);

/* Append a copy; return false if out of memory */
bool spec_add(struct spec_list *list, const struct spec *spec);
/*
 * Remove the specs of the same provider as @spec, as far as possible without
 * looking up names
 */
void spec_remove(struct spec_list *list, const struct spec *spec);

/* Parse a GUID, with or without braces or a leading # */
bool spec_guid(const char *text, GUID *guid);

void spec_free(struct spec_list *list);

#endif /* EVNT_PROVIDER_SPEC_H */
