// SPDX-License-Identifier: MIT
/* Reads descriptions of sessions that start with the module */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools/autologger/autologger_conf.h"
#include "tools/evnt.h"
#include "tools/session/mode.h"
#include "tools/common/number.h"
#include "tools/session/provider_spec.h"

#define LOGS		"/var/log/evntprov"
#define SUFFIX		".conf"

/* Default value in the registry, in MB */
#define MAX_FILE_SIZE	100

/* Position in the file being read */
struct conf_reader {
	struct autologger *a;
	unsigned int line;
};

static void wrong(struct conf_reader *r, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void wrong(struct conf_reader *r, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (r->line)
		failed("%s:%u: %s", r->a->path, r->line, text);
	else
		failed("%s: %s", r->a->path, text);
	r->a->errors++;
}

/* Parse a single GUID or, if @named is set, *NAME */
static bool parse_id(const char *text, bool named, GUID *id)
{
	struct spec_list specs = { NULL, 0 };
	char why[256];
	bool done;

	if (strpbrk(text, ":+"))
		return false;
	done = spec_parse(&specs, text, why, sizeof(why)) && specs.count == 1 &&
	       !specs.specs->lookup && (named || !*specs.specs->name);
	if (done)
		*id = specs.specs->id;
	spec_free(&specs);
	return done;
}

enum key_kind { NUMBER, MASK, MODE, ID, TEXT, REFUSED };

/**
 * struct conf_key - a known key
 * @name: name of the value in the registry
 * @kind: type of the value; REFUSED: a key of Windows that is not supported
 * @offset: offset of the member that receives the value
 * @max: maximum of a number
 */
struct conf_key {
	const char *name;
	enum key_kind kind;
	size_t offset;
	ULONGLONG max;
};

#define SESSION(name, kind, member, max) \
	{ name, kind, offsetof(struct autologger, member), max }
#define PROVIDER(name, kind, member, max) \
	{ name, kind, offsetof(struct autologger_provider, member), max }

static const struct conf_key session_keys[] = {
	SESSION("Guid", ID, id, 0),
	SESSION("Start", NUMBER, start, 1),
	SESSION("FileName", TEXT, log, 0),
	SESSION("FileMax", NUMBER, file_max, AUTOLOGGER_MAX_FILES),
	SESSION("LogFileMode", MODE, mode, 0),
	SESSION("BufferSize", NUMBER, buffer_size, 16384),
	SESSION("MinimumBuffers", NUMBER, min_buffers, 65536),
	SESSION("MaximumBuffers", NUMBER, max_buffers, 65536),
	SESSION("FlushTimer", NUMBER, flush_timer, UINT32_MAX / 1000),
	SESSION("MaxFileSize", NUMBER, max_file_size, UINT32_MAX),
	SESSION("ClockType", NUMBER, clock, 3),
	{ "Boot", REFUSED, 0, 0 },
	{ "DisableRealtimePersistence", REFUSED, 0, 0 },
	{ "FileCounter", REFUSED, 0, 0 },
	{ "Status", REFUSED, 0, 0 },
};

static const struct conf_key provider_keys[] = {
	PROVIDER("Enabled", NUMBER, enabled, 1),
	PROVIDER("EnableLevel", NUMBER, level, UINT8_MAX),
	PROVIDER("EnableProperty", NUMBER, property, UINT32_MAX),
	PROVIDER("MatchAnyKeyword", MASK, match_any, UINT64_MAX),
	PROVIDER("EnableFlags", MASK, match_any, UINT32_MAX),
	PROVIDER("MatchAllKeyword", MASK, match_all, UINT64_MAX),
};

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/*
 * Store a value in the member of @base that @key describes, or report that it
 * is not valid
 */
static void put_value(struct conf_reader *r, const struct conf_key *key,
		      const char *value, char *base)
{
	char *to = base + key->offset;
	ULONGLONG n;

	switch (key->kind) {
	case ID:
		if (!parse_id(value, false, (GUID *)to))
			wrong(r, "%s: '%s' is no GUID", key->name, value);
		return;
	case TEXT:
		snprintf(to, AUTOLOGGER_MAX_TEXT + 1, "%s", value);
		if (*value != '/' || strlen(value) > AUTOLOGGER_MAX_TEXT)
			wrong(r, "%s: '%s' is no path from /, or longer than %u"
			      " characters", key->name, value,
			      AUTOLOGGER_MAX_TEXT);
		return;
	case MODE:
		if (!mode_parse(value, (ULONG *)to))
			wrong(r, "%s: '%s' is no mode, nor a number", key->name,
			      value);
		return;
	case REFUSED:
		wrong(r, "%s is not supported here", key->name);
		return;
	default:
		break;
	}
	if (!parse_number(value, strlen(value), &n) || n > key->max)
		wrong(r, "%s: '%s' is no number from 0 to %llu", key->name,
		      value, key->max);
	else if (key->kind == MASK)
		*(ULONGLONG *)to = n;
	else
		*(ULONG *)to = n;
}

static void take_key(struct conf_reader *r, const struct conf_key *keys,
		     size_t count, const char *name, const char *value,
		     unsigned int *seen, char *base)
{
	size_t i = 0;

	while (i < count && strcasecmp(keys[i].name, name) != 0)
		i++;
	if (i == count) {
		wrong(r, "there is no key '%s' here", name);
		return;
	}
	if (*seen & 1u << i)
		wrong(r, "%s was given before", keys[i].name);
	*seen |= 1u << i;
	put_value(r, &keys[i], value, base);
}

/* Strip blanks from both ends of a text */
static char *trim(char *text)
{
	char *end;

	while (isspace((unsigned char)*text))
		text++;
	end = text + strlen(text);
	while (end > text && isspace((unsigned char)end[-1]))
		end--;
	*end = '\0';
	return text;
}

static void take_pair(struct conf_reader *r, char *text)
{
	struct autologger *a = r->a;
	char *value = strchr(text, '=');
	struct autologger_provider *p;
	const char *name;

	if (!value) {
		wrong(r, "'%s' is neither 'Key = value' nor '[provider]'", text);
		return;
	}
	*value++ = '\0';
	name = trim(text);
	value = trim(value);
	if (!a->count) {
		take_key(r, session_keys, COUNT(session_keys), name, value,
			 &a->seen, (char *)a);
		return;
	}
	p = &a->providers[a->count - 1];
	take_key(r, provider_keys, COUNT(provider_keys), name, value, &p->seen,
		 (char *)p);
}

static void take_section(struct conf_reader *r, char *text)
{
	struct autologger *a = r->a;
	struct autologger_provider *p;
	size_t len = strlen(text);
	void *grown;

	grown = realloc(a->providers, (a->count + 1) * sizeof(*a->providers));
	if (!grown) {
		wrong(r, "there is no memory");
		return;
	}
	a->providers = grown;
	p = &a->providers[a->count++];
	*p = (struct autologger_provider) { .line = r->line };
	if (text[len - 1] != ']') {
		wrong(r, "']' is missing after '%s'", text);
		return;
	}
	text[len - 1] = '\0';
	text = trim(text + 1);
	if (!parse_id(text, true, &p->id)) {
		wrong(r, "'%s' is neither a GUID nor *NAME", text);
		return;
	}
	for (size_t i = 0; i + 1 < a->count; i++) {
		if (!memcmp(&a->providers[i].id, &p->id, sizeof(p->id)))
			wrong(r, "this provider has a section already, in line"
			      " %u", a->providers[i].line);
	}
}

static bool has_key(const struct autologger *a, const char *name)
{
	for (size_t i = 0; i < COUNT(session_keys); i++) {
		if (!strcmp(session_keys[i].name, name))
			return a->seen & 1u << i;
	}
	return false;
}

bool autologger_has_file(const struct autologger *a)
{
	return has_key(a, "FileName") ||
	       !(a->mode & (EVENT_TRACE_REAL_TIME_MODE |
			    EVENT_TRACE_BUFFERING_MODE));
}

/* Check the rules that involve several keys, once all lines have been read */
static void check_whole(struct conf_reader *r)
{
	struct autologger *a = r->a;

	r->line = 0;
	if (!has_key(a, "Guid"))
		wrong(r, "Guid is missing");
	if (!has_key(a, "Start"))
		wrong(r, "Start is missing: 1 starts the session, 0 does not");
	if (a->mode & EVENT_TRACE_FILE_MODE_NEWFILE)
		wrong(r, "LogFileMode: such sessions have no"
		      " EVENT_TRACE_FILE_MODE_NEWFILE");
	if (a->mode & EVENT_TRACE_NONSTOPPABLE_MODE)
		wrong(r, "LogFileMode: EVENT_TRACE_NONSTOPPABLE_MODE is not"
		      " supported: the module could never be unloaded");
	if (a->mode & EVENT_TRACE_FILE_MODE_APPEND && !has_key(a, "BufferSize"))
		wrong(r, "BufferSize is missing: EVENT_TRACE_FILE_MODE_APPEND"
		      " needs the buffer size of the file");
	if (a->max_buffers && a->max_buffers < a->min_buffers)
		wrong(r, "MaximumBuffers is less than MinimumBuffers");
}

/* Name the session and its log after the file */
static void set_names(struct conf_reader *r, const char *path)
{
	struct autologger *a = r->a;
	const char *base = strrchr(path, '/');
	size_t len;

	base = base ? base + 1 : path;
	len = strlen(base);
	if (len > strlen(SUFFIX) &&
	    !strcmp(base + len - strlen(SUFFIX), SUFFIX))
		len -= strlen(SUFFIX);
	if (strlen(path) > AUTOLOGGER_MAX_TEXT)
		wrong(r, "the path is longer than %u characters",
		      AUTOLOGGER_MAX_TEXT);
	snprintf(a->path, sizeof(a->path), "%s", path);
	snprintf(a->name, sizeof(a->name), "%.*s", (int)len, base);
	snprintf(a->log, sizeof(a->log), LOGS "/%.*s.etl", (int)len, base);
}

void autologger_read(struct autologger *a, const char *path)
{
	struct conf_reader r = { .a = a };
	char *line = NULL, *text;
	size_t size = 0;
	FILE *file;

	*a = (struct autologger) { .max_file_size = MAX_FILE_SIZE };
	set_names(&r, path);
	file = fopen(path, "re");
	if (!file) {
		wrong(&r, "cannot open: %s", strerror(errno));
		return;
	}
	while (getline(&line, &size, file) >= 0) {
		r.line++;
		text = trim(line);
		if (!*text || *text == '#' || *text == ';')
			continue;
		if (*text == '[')
			take_section(&r, text);
		else
			take_pair(&r, text);
	}
	r.line = 0;
	if (ferror(file))
		wrong(&r, "cannot read: %s", strerror(errno));
	free(line);
	fclose(file);
	check_whole(&r);
}

void autologger_free(struct autologger *a)
{
	free(a->providers);
}
