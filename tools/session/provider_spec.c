// SPDX-License-Identifier: MIT
/* Parses specifications of providers, keywords and levels */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <evntlinux.h>

#include "tools/common/number.h"
#include "tools/session/provider_spec.h"

/* Part of the text, not nul-terminated */
struct spec_part {
	const char *start;
	int len;
};

/* Remaining text, and buffer for an error message */
struct parser {
	const char *next;
	char *why;
	size_t why_size;
};

static bool refuse(struct parser *parser, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static bool refuse(struct parser *parser, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(parser->why, parser->why_size, format, args);
	va_end(args);
	return false;
}

/* Take the text up to one of the characters in @ends */
static struct spec_part take_part(struct parser *parser, const char *ends)
{
	struct spec_part part = {
		.start = parser->next,
		.len = strcspn(parser->next, ends),
	};

	parser->next += part.len;
	return part;
}

/* Take the next character if it is @c */
static bool take_char(struct parser *parser, char c)
{
	if (*parser->next != c)
		return false;
	parser->next++;
	return true;
}

static bool is_guid(const char *text, int len)
{
	if (len != 36)
		return false;
	for (int i = 0; i < 36; i++) {
		bool dash = i == 8 || i == 13 || i == 18 || i == 23;

		if (dash ? text[i] != '-' : !isxdigit((unsigned char)text[i]))
			return false;
	}
	return true;
}

static unsigned int hex_value(const char *text, int digits)
{
	char copy[9] = "";

	memcpy(copy, text, digits);
	return strtoul(copy, NULL, 16);
}

static void read_guid(const char *text, GUID *guid)
{
	guid->Data1 = hex_value(text, 8);
	guid->Data2 = hex_value(text + 9, 4);
	guid->Data3 = hex_value(text + 14, 4);
	for (int i = 0; i < 8; i++)
		guid->Data4[i] = hex_value(text + 19 + 2 * i + (i > 1), 2);
}

/* Strip the leading # and the braces of a GUID */
static struct spec_part strip_guid(struct spec_part part)
{
	if (part.len && part.start[0] == '#') {
		part.start++;
		part.len--;
	}
	if (part.len > 1 && part.start[0] == '{' &&
	    part.start[part.len - 1] == '}') {
		part.start++;
		part.len -= 2;
	}
	return part;
}

bool spec_guid(const char *text, GUID *guid)
{
	struct spec_part part = { .start = text, .len = strlen(text) };

	part = strip_guid(part);
	if (!is_guid(part.start, part.len))
		return false;
	read_guid(part.start, guid);
	return true;
}

static bool parse_provider(struct parser *parser, struct spec_part part,
			   struct spec *spec)
{
	struct spec_part bare = strip_guid(part);
	bool hashed;
	ULONG error;

	if (!part.len)
		return refuse(parser, "a provider is missing: write a name,"
			      " *name or GUID");
	if (is_guid(bare.start, bare.len)) {
		read_guid(bare.start, &spec->id);
		return true;
	}
	if (strchr("#{", part.start[0]))
		return refuse(parser, "'%.*s' is no GUID: one looks like"
			      " 12345678-90ab-cdef-1234-567890abcdef",
			      part.len, part.start);
	hashed = part.start[0] == '*';
	part.start += hashed;
	part.len -= hashed;
	if (!part.len)
		return refuse(parser, "a provider's name is missing after '*'");
	if (part.len >= SPEC_MAX_NAME)
		return refuse(parser, "the provider's name is longer than %d"
			      " bytes", SPEC_MAX_NAME - 1);
	memcpy(spec->name, part.start, part.len);
	spec->lookup = !hashed;
	if (!hashed)
		return true;
	error = EvntProviderIdFromName(spec->name, &spec->id);
	return !error || refuse(parser, "'%s' is no name in UTF-8", spec->name);
}

/*
 * Take "group:" if a GUID or *NAME follows; otherwise it may be part of a name
 */
static bool take_group(struct parser *parser)
{
	static const char prefix[] = "group:";
	struct parser ahead = *parser;
	struct spec_part part;

	if (strncmp(ahead.next, prefix, strlen(prefix)) != 0)
		return false;
	ahead.next += strlen(prefix);
	part = take_part(&ahead, ":+");
	if (!is_guid(part.start, part.len) &&
	    !(part.len && strchr("#{*", part.start[0])))
		return false;
	parser->next = part.start;
	return true;
}

/* Parse a level's name, which may be abbreviated */
static bool parse_level_name(struct spec_part part, UCHAR *level)
{
	static const struct {
		const char *name;
		UCHAR level;
	} names[] = {
		{ "critical", 1 },
		{ "error", 2 },
		{ "warning", 3 },
		{ "informational", 4 },
		{ "information", 4 },
		{ "verbose", 5 },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strncasecmp(names[i].name, part.start, part.len)) {
			*level = names[i].level;
			return true;
		}
	}
	return false;
}

static bool parse_one(struct parser *parser, struct spec *spec)
{
	struct spec_part part;
	ULONGLONG number;

	spec->keywords = SPEC_ALL_KEYWORDS;
	spec->level = SPEC_ALL_LEVELS;
	spec->group = take_group(parser);
	if (!parse_provider(parser, take_part(parser, ":+"), spec))
		return false;
	if (!take_char(parser, ':'))
		return true;
	part = take_part(parser, ":+");
	if (part.len &&
	    !parse_number(part.start, part.len, &spec->keywords)) {
		if (!strcmp(spec->name, "group"))
			return refuse(parser, "'%.*s' is no group: write"
				      " group:*NAME or group:GUID", part.len,
				      part.start);
		return refuse(parser, "keywords '%.*s' are no number of 64"
			      " bits: write 0x and hexadecimal digits, or a"
			      " decimal number", part.len, part.start);
	}
	if (!take_char(parser, ':'))
		return true;
	part = take_part(parser, ":+");
	if (part.len && !parse_level_name(part, &spec->level)) {
		if (!parse_number(part.start, part.len, &number) ||
		    number > 255)
			return refuse(parser, "level '%.*s' is neither 0 to 255"
				      " nor Critical, Error, Warning,"
				      " Information or Verbose", part.len,
				      part.start);
		spec->level = number;
	}
	if (*parser->next == ':')
		return refuse(parser, "nothing may follow the level, but '%s'"
			      " does", parser->next);
	return true;
}

static struct spec *add_spec(struct spec_list *list)
{
	struct spec *grown;

	grown = realloc(list->specs, (list->count + 1) * sizeof(*grown));
	if (!grown)
		return NULL;
	list->specs = grown;
	grown += list->count++;
	memset(grown, 0, sizeof(*grown));
	return grown;
}

bool spec_add(struct spec_list *list, const struct spec *spec)
{
	struct spec *added = add_spec(list);

	if (added)
		*added = *spec;
	return added;
}

bool spec_parse(struct spec_list *list, const char *text, char *why,
		size_t why_size)
{
	struct parser parser = {
		.next = text,
		.why = why,
		.why_size = why_size,
	};

	do {
		struct spec *spec = add_spec(list);

		if (!spec)
			return refuse(&parser, "out of memory");
		if (!parse_one(&parser, spec)) {
			list->count--;
			return false;
		}
	} while (take_char(&parser, '+'));
	return true;
}

bool spec_provider(const char *text, struct spec *spec, char *why,
		   size_t why_size)
{
	struct spec_part part = { .start = text, .len = strlen(text) };
	struct parser parser = {
		.next = text,
		.why = why,
		.why_size = why_size,
	};

	return parse_provider(&parser, part, spec);
}

bool spec_level(const char *text, UCHAR *level)
{
	struct spec_part part = { .start = text, .len = strlen(text) };
	ULONGLONG number;

	if (!part.len)
		return false;
	/* Name of levels on Windows have this prefix */
	if (!strncasecmp(text, "win:", 4)) {
		part.start += 4;
		part.len -= 4;
	}
	if (part.len && parse_level_name(part, level))
		return true;
	if (!parse_number(part.start, part.len, &number) || number > 255)
		return false;
	*level = number;
	return true;
}

static bool same_provider(const struct spec *a, const struct spec *b)
{
	if (a->group != b->group)
		return false;
	if (a->lookup || b->lookup)
		return !strcasecmp(a->name, b->name);
	return !memcmp(&a->id, &b->id, sizeof(a->id));
}

void spec_remove(struct spec_list *list, const struct spec *spec)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++) {
		if (!same_provider(&list->specs[i], spec))
			list->specs[kept++] = list->specs[i];
	}
	list->count = kept;
}

void spec_free(struct spec_list *list)
{
	free(list->specs);
	list->specs = NULL;
	list->count = 0;
}

const struct option_row spec_rows[] = {
	TEXT_ROW("\nSPEC is PROVIDER[:KEYWORDS[:LEVEL]], several joined by '+'."
		 "  PROVIDER is\n"),
	{ .value = "*NAME",
	  .text = "the id that TraceLogging derives from a name" },
	{ .value = "GUID", .text = "an id, with or without braces" },
	{ .value = "NAME",
	  .text = "the name of a provider that is already registered" },
	{ .value = "group:GUID, group:*NAME",
	  .text = "all providers that are members of a group" },
	TEXT_ROW("KEYWORDS: any of these bits, 0x... or decimal; default: all."
		 "  LEVEL: 1 to\n255, or Critical, Error, Warning, Information,"
		 " Verbose; 0 or none: all.\n"),
	{}
};
