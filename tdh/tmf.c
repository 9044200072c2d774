// SPDX-License-Identifier: MIT
/* Reader of trace message format files: the fields and messages of WPP events. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "tdh/bytes.h"
#include "tdh/tmf.h"

#define GUID_TEXT	36	/* length of a GUID without braces */
#define FIRST_ARGUMENT	10	/* number of the first argument in messages */
#define MAX_ARGUMENTS	256

/**
 * struct tmf - a file being read
 * @manifest: providers and events so far
 * @file: name of the file
 * @line: number of the current line
 * @provider: provider of the current events, or NULL
 * @event: event whose arguments follow, or NULL
 * @properties: arguments of @event, of struct property
 * @maps: map of each argument
 * @map_count: number of maps in the file
 * @stopped: an argument of an unknown type has ended the fields
 */
struct tmf {
	struct manifest *manifest;
	const char *file;
	unsigned int line;
	struct provider *provider;
	struct event *event;
	struct property properties[MAX_ARGUMENTS];
	struct map *maps[MAX_ARGUMENTS];
	unsigned int count;
	unsigned int map_count;
	bool stopped;
	problem_fn report;
	void *context;
};

/* Allocate an object in the arena of the manifest */
#define ALLOC(tmf, type)						\
	((type *)arena_alloc(&(tmf)->manifest->arena, sizeof(type)))

static char *copy(struct tmf *tmf, const char *text, size_t len)
{
	return arena_text(&tmf->manifest->arena, text, len);
}

__attribute__((format(printf, 2, 3)))
static void refuse(struct tmf *tmf, const char *format, ...)
{
	char text[200];
	struct problem problem = {
		.file = tmf->file,
		.line = tmf->line,
		.column = 1,
		.text = text,
	};
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (tmf->report)
		tmf->report(&problem, tmf->context);
}

/* Read the GUID at the beginning of a line, with or without braces */
static bool read_guid(const char *text, GUID *guid)
{
	char braced[GUID_TEXT + 3] = "{";
	size_t len = strspn(text, "0123456789abcdefABCDEF-{}");

	if (*text == '{')
		return len == GUID_TEXT + 2 &&
		       guid_parse(memcpy(braced, text, len), guid);
	memcpy(braced + 1, text, len < GUID_TEXT ? len : GUID_TEXT);
	braced[GUID_TEXT + 1] = '}';
	return len == GUID_TEXT && guid_parse(braced, guid);
}

static struct message *new_message(struct tmf *tmf, const char *text)
{
	struct message *message = ALLOC(tmf, struct message);
	const char **texts = ALLOC(tmf, const char *);

	if (!message || !texts)
		return NULL;
	*texts = text;
	message->texts = texts;
	message->number = NO_MESSAGE;
	return message;
}

/* A line "GUID NAME // ..." precedes the messages of a source file */
static void begin_provider(struct tmf *tmf, const GUID *guid, const char *line)
{
	const char *name = strchr(line, ' ');
	struct provider *p = manifest_provider(tmf->manifest, guid);

	if (!p) {
		p = ALLOC(tmf, struct provider);
		if (!p)
			return;
		name = name ? name + strspn(name, " \t") : "";
		p->guid = *guid;
		p->is_wpp = true;
		p->name = copy(tmf, name, strcspn(name, " \t/"));
		manifest_add_provider(tmf->manifest, p);
	}
	tmf->provider = p;
}

/* Return the value of KEY= in a comment, and its length, or NULL */
static const char *find_value(const char *comment, const char *key, size_t *len)
{
	const char *at = comment ? strstr(comment, key) : NULL;

	if (!at)
		return NULL;
	at += strlen(key);
	*len = strcspn(at, " \t");
	return *len ? at : NULL;
}

static struct item *new_level(struct tmf *tmf, const char *comment)
{
	size_t len;
	const char *name = find_value(comment, "LEVEL=", &len);
	struct item *level = name ? ALLOC(tmf, struct item) : NULL;

	if (level)
		level->name = copy(tmf, name, len);
	return level;
}

/* The flags that enable a message, as a keyword */
static struct keyword_list *new_flags(struct tmf *tmf, const char *comment)
{
	size_t len;
	const char *name = find_value(comment, "FLAGS=", &len);
	struct keyword_list *list = name ? ALLOC(tmf, struct keyword_list) :
					   NULL;

	if (!list)
		return NULL;
	list->keyword = ALLOC(tmf, struct item);
	if (!list->keyword)
		return NULL;
	list->keyword->name = copy(tmf, name, len);
	return list;
}

/*
 * Append the standard insert of a message: names are known from the file, other
 * values are in the record's header, which is printed with each event
 */
static void add_standard(struct bytes *b, const struct tmf *tmf,
			 unsigned int number)
{
	const char *text = number == 1 ? tmf->provider->name :
			   number == 2 ? tmf->event->symbol : "";

	bytes_add(b, text, strlen(text));
}

/*
 * Convert %10!s! to %1!s! and %!FUNC! to the function; %0 at the beginning
 * stands for a prefix that each event has anyway
 */
static void add_text(struct bytes *b, const struct tmf *tmf, const char *text,
		     const char *end, const char *comment)
{
	unsigned long number;
	const char *value;
	char insert[24];
	char *after;
	size_t len;

	for (; text < end; text++) {
		if (*text != '%') {
			bytes_add_u8(b, *text);
		} else if (!strncmp(text, "%!FUNC!", 7)) {
			value = find_value(comment, "FUNC=", &len);
			bytes_add(b, value, value ? len : 0);
			text += 6;
		} else if (!isdigit((unsigned char)text[1])) {
			bytes_add_u8(b, '%');
			if (++text < end)
				bytes_add_u8(b, *text);
		} else {
			number = strtoul(text + 1, &after, 10);
			if (number < FIRST_ARGUMENT) {
				add_standard(b, tmf, number);
				if (*after == '!' && strchr(after + 1, '!'))
					after = strchr(after + 1, '!') + 1;
			} else {
				snprintf(insert, sizeof(insert), "%%%lu",
					 number - FIRST_ARGUMENT + 1);
				bytes_add(b, insert, strlen(insert));
			}
			text = after - 1;
		}
	}
}

static struct message *read_message(struct tmf *tmf, const char *begin,
				    const char *end, const char *comment)
{
	struct bytes b = { 0 };
	struct message *message = NULL;

	add_text(&b, tmf, begin, end, comment);
	if (!b.failed)
		message = new_message(tmf, copy(tmf, (char *)b.data, b.len));
	bytes_free(&b);
	return message;
}

/* Return the quote that ends a message: the last one before the comment */
static const char *find_end(const char *text, const char **comment)
{
	const char *end = NULL, *at = text;

	*comment = NULL;
	for (; (at = strchr(at, '"')); at++) {
		const char *after = at + 1 + strspn(at + 1, " \t");

		if (*comment && strncmp(after, "//", 2) != 0)
			continue;
		end = at;
		*comment = !strncmp(after, "//", 2) ? after + 2 : NULL;
	}
	return end;
}

/* A line #typev NAME NUMBER "MESSAGE" // KEY=VALUE... begins an event */
static void begin_event(struct tmf *tmf, const char *line)
{
	const char *name = line + strcspn(line, " \t"), *comment, *text, *end;
	struct event *e;
	unsigned long id;
	size_t len;
	char *after;

	name += strspn(name, " \t");
	len = strcspn(name, " \t");
	id = strtoul(name + len, &after, 10);
	text = strchr(after, '"');
	end = text ? find_end(text + 1, &comment) : NULL;
	if (!tmf->provider || !end || id > 0xffff) {
		refuse(tmf, "a message needs a GUID before it, a name, a number and a text");
		return;
	}
	if (manifest_event(tmf->manifest, tmf->provider, id, 0))
		return;
	e = ALLOC(tmf, struct event);
	if (!e)
		return;
	tmf->event = e;
	e->line = tmf->line;
	e->descriptor.Id = id;
	e->symbol = copy(tmf, name, len);
	name = find_value(comment, "FUNC=", &len);
	e->name = name ? copy(tmf, name, len) : e->symbol;
	e->level = new_level(tmf, comment);
	e->keywords = new_flags(tmf, comment);
	e->message = read_message(tmf, text + 1, end, comment);
	if (tmf->provider->last_event)
		tmf->provider->last_event->next = e;
	else
		tmf->provider->events = e;
	tmf->provider->last_event = e;
	manifest_add_event(tmf->manifest, tmf->provider, e);
}

/* Names in a list, numbered from 0 or from NAME=NUMBER, or bits of a set */
static struct map *read_map(struct tmf *tmf, const char *list, bool bits)
{
	struct map *map = ALLOC(tmf, struct map);
	struct map_entry **last;
	u32 value = 0;
	char name[24];
	size_t len;

	if (!map)
		return NULL;
	snprintf(name, sizeof(name), "List%u", ++tmf->map_count);
	map->name = copy(tmf, name, strlen(name));
	map->symbol = map->name;
	map->bits = bits;
	last = &map->entries;
	for (; *list && *list != ')'; list += len) {
		struct map_entry *entry = ALLOC(tmf, struct map_entry);

		list += strspn(list, " \t,");
		len = strcspn(list, ",=) \t");
		if (!entry || !len)
			break;
		entry->message = new_message(tmf, copy(tmf, list, len));
		list += len;
		if (*list == '=')
			value = strtoul(list + 1, NULL, 0);
		len = strcspn(list, ",)");
		entry->value = bits ? value < 32 ? 1u << value : 0 : value;
		value++;
		*last = entry;
		last = &entry->next;
		map->count++;
	}
	map->next = tmf->provider->maps;
	tmf->provider->maps = map;
	return map;
}

/* Types of arguments; an integer's also depends on the format in the message */
static const struct type {
	const char *name;
	u16 in;
	u16 out;
} types[] = {
	{ "ItemString", TDH_INTYPE_ANSISTRING, TDH_OUTTYPE_NULL },
	{ "ItemRString", TDH_INTYPE_ANSISTRING, TDH_OUTTYPE_NULL },
	{ "ItemMLString", TDH_INTYPE_ANSISTRING, TDH_OUTTYPE_NULL },
	{ "ItemWString", TDH_INTYPE_UNICODESTRING, TDH_OUTTYPE_NULL },
	{ "ItemRWString", TDH_INTYPE_UNICODESTRING, TDH_OUTTYPE_NULL },
	{ "ItemPString", TDH_INTYPE_MANIFEST_COUNTEDANSISTRING, TDH_OUTTYPE_NULL },
	{ "ItemPWString", TDH_INTYPE_MANIFEST_COUNTEDSTRING, TDH_OUTTYPE_NULL },
	{ "ItemHEXDump", TDH_INTYPE_MANIFEST_COUNTEDBINARY, TDH_OUTTYPE_HEXBINARY },
	{ "ItemChar", TDH_INTYPE_ANSICHAR, TDH_OUTTYPE_NULL },
	{ "ItemUChar", TDH_INTYPE_UINT8, TDH_OUTTYPE_NULL },
	{ "ItemWChar", TDH_INTYPE_UNICODECHAR, TDH_OUTTYPE_NULL },
	{ "ItemShort", TDH_INTYPE_INT16, TDH_OUTTYPE_NULL },
	{ "ItemLong", TDH_INTYPE_INT32, TDH_OUTTYPE_NULL },
	{ "ItemULong", TDH_INTYPE_UINT32, TDH_OUTTYPE_NULL },
	{ "ItemLongLong", TDH_INTYPE_INT64, TDH_OUTTYPE_NULL },
	{ "ItemULongLong", TDH_INTYPE_UINT64, TDH_OUTTYPE_NULL },
	{ "ItemLongLongX", TDH_INTYPE_HEXINT64, TDH_OUTTYPE_NULL },
	{ "ItemLongLongXX", TDH_INTYPE_HEXINT64, TDH_OUTTYPE_NULL },
	{ "ItemPtr", TDH_INTYPE_POINTER, TDH_OUTTYPE_NULL },
	{ "ItemFloat", TDH_INTYPE_FLOAT, TDH_OUTTYPE_NULL },
	{ "ItemDouble", TDH_INTYPE_DOUBLE, TDH_OUTTYPE_NULL },
	{ "ItemGuid", TDH_INTYPE_GUID, TDH_OUTTYPE_NULL },
	{ "ItemSid", TDH_INTYPE_SID, TDH_OUTTYPE_NULL },
	{ "ItemTimestamp", TDH_INTYPE_FILETIME, TDH_OUTTYPE_NULL },
	{ "ItemTimeDelta", TDH_INTYPE_INT64, TDH_OUTTYPE_NULL },
	{ "ItemWaitTime", TDH_INTYPE_INT64, TDH_OUTTYPE_NULL },
	{ "ItemDueTime", TDH_INTYPE_INT64, TDH_OUTTYPE_NULL },
	{ "ItemIPAddr", TDH_INTYPE_UINT32, TDH_OUTTYPE_IPV4 },
	{ "ItemPort", TDH_INTYPE_UINT16, TDH_OUTTYPE_PORT },
	{ "ItemNTSTATUS", TDH_INTYPE_UINT32, TDH_OUTTYPE_NTSTATUS },
	{ "ItemHRESULT", TDH_INTYPE_INT32, TDH_OUTTYPE_HRESULT },
	{ "ItemWINERROR", TDH_INTYPE_UINT32, TDH_OUTTYPE_WIN32ERROR },
	{ "ItemEnum", TDH_INTYPE_INT32, TDH_OUTTYPE_NULL },
	{ "ItemFlagsEnum", TDH_INTYPE_HEXINT32, TDH_OUTTYPE_NULL },
	{ "ItemListLong", TDH_INTYPE_UINT32, TDH_OUTTYPE_NULL },
	{ "ItemListShort", TDH_INTYPE_UINT16, TDH_OUTTYPE_NULL },
	{ "ItemListByte", TDH_INTYPE_UINT8, TDH_OUTTYPE_NULL },
	{ "ItemSetLong", TDH_INTYPE_UINT32, TDH_OUTTYPE_NULL },
	{ "ItemSetShort", TDH_INTYPE_UINT16, TDH_OUTTYPE_NULL },
	{ "ItemSetByte", TDH_INTYPE_UINT8, TDH_OUTTYPE_NULL },
};

static const struct type *find_type(const char *name, size_t len)
{
	for (size_t i = 0; i < EVNT_ARRAY_SIZE(types); i++) {
		if (strlen(types[i].name) == len &&
		    !memcmp(types[i].name, name, len))
			return &types[i];
	}
	return NULL;
}

/* Return the last letter of the format of an argument in the message, or 0 */
static char format_letter(const char *message, unsigned int number)
{
	char insert[16];
	const char *at, *end;

	snprintf(insert, sizeof(insert), "%%%u!", number);
	at = message ? strstr(message, insert) : NULL;
	end = at ? strchr(at + strlen(insert), '!') : NULL;
	return end ? end[-1] : 0;
}

/* Choose between the signed, the unsigned and the hexadecimal type of a size */
static void adapt_integer(struct property *p, char letter)
{
	bool hex = letter == 'x' || letter == 'X';

	if (p->out || (!hex && letter != 'u' && letter != 'd'))
		return;
	switch (p->in) {
	case TDH_INTYPE_ANSICHAR:
	case TDH_INTYPE_UINT8:
		p->in = letter == 'd' ? TDH_INTYPE_INT8 : TDH_INTYPE_UINT8;
		p->out = hex ? TDH_OUTTYPE_HEXINT8 : TDH_OUTTYPE_NULL;
		break;
	case TDH_INTYPE_INT16:
		p->in = letter == 'd' ? TDH_INTYPE_INT16 : TDH_INTYPE_UINT16;
		p->out = hex ? TDH_OUTTYPE_HEXINT16 : TDH_OUTTYPE_NULL;
		break;
	case TDH_INTYPE_INT32:
	case TDH_INTYPE_UINT32:
		p->in = hex ? TDH_INTYPE_HEXINT32 : letter == 'u' ?
			TDH_INTYPE_UINT32 : TDH_INTYPE_INT32;
		break;
	case TDH_INTYPE_INT64:
	case TDH_INTYPE_UINT64:
		p->in = hex ? TDH_INTYPE_HEXINT64 : letter == 'u' ?
			TDH_INTYPE_UINT64 : TDH_INTYPE_INT64;
		break;
	}
}

/*
 * Name an argument: public debug information has Arg for each expression, and an
 * expression may occur twice
 */
static const char *argument_name(struct tmf *tmf, const char *name, size_t len,
				 unsigned int number)
{
	bool is_own = len && (len != 3 || memcmp(name, "Arg", 3) != 0);

	for (unsigned int i = 0; is_own && i < tmf->count; i++)
		is_own = strlen(tmf->properties[i].name) != len ||
			 memcmp(tmf->properties[i].name, name, len) != 0;
	if (is_own)
		return copy(tmf, name, len);
	return arena_format(&tmf->manifest->arena, "%.*s%u",
			    len ? (int)len : 3, len ? name : "Arg",
			    number - FIRST_ARGUMENT + 1);
}

static void end_event(struct tmf *tmf)
{
	struct event *e = tmf->event;
	struct template *t;
	size_t size = tmf->count * sizeof(*tmf->properties);

	tmf->event = NULL;
	tmf->stopped = false;
	if (!e || !tmf->count)
		return;
	t = ALLOC(tmf, struct template);
	if (!t)
		return;
	t->properties = arena_alloc(&tmf->manifest->arena, size);
	t->maps = arena_alloc(&tmf->manifest->arena,
			      tmf->count * sizeof(*t->maps));
	if (!t->properties || !t->maps)
		return;
	memcpy(t->properties, tmf->properties, size);
	memcpy(t->maps, tmf->maps, tmf->count * sizeof(*t->maps));
	t->count = tmf->count;
	t->top_level = tmf->count;
	e->template = t;
	tmf->count = 0;
}

/* A line NAME, TYPE -- NUMBER, or NAME, TYPE(NAMES) -- NUMBER */
static void read_argument(struct tmf *tmf, const char *line)
{
	const char *item = strstr(line, ", Item"), *next, *number, *list;
	struct property *p = &tmf->properties[tmf->count];
	const struct type *type;
	const char *message;
	size_t len;

	/* An expression may contain the same words as a type */
	while (item && (next = strstr(item + 1, ", Item")))
		item = next;
	number = item ? strstr(item, "-- ") : NULL;
	if (!number || tmf->stopped || tmf->count == MAX_ARGUMENTS)
		return;
	item += 2;
	len = strcspn(item, "( \t");
	type = find_type(item, len);
	if (!type) {
		refuse(tmf, "the type %.*s is unknown: this field and those after it are left out",
		       (int)(len < 40 ? len : 40), item);
		tmf->stopped = true;
		return;
	}
	*p = (struct property){ .in = type->in, .out = type->out, .count = 1 };
	p->name = argument_name(tmf, line, item - 2 - line,
				strtoul(number + 3, NULL, 10));
	tmf->maps[tmf->count] = NULL;
	list = item[len] == '(' ? item + len + 1 : NULL;
	if (list && !strncmp(item, "ItemList", 8))
		tmf->maps[tmf->count] = read_map(tmf, list, false);
	else if (list && !strncmp(item, "ItemSet", 7))
		tmf->maps[tmf->count] = read_map(tmf, list, true);
	if (tmf->maps[tmf->count])
		p->map = tmf->maps[tmf->count]->name;
	message = tmf->event->message ? tmf->event->message->texts[0] : NULL;
	if (!p->map)
		adapt_integer(p, format_letter(message, tmf->count + 1));
	if (p->name)
		tmf->count++;
}

static void read_line(struct tmf *tmf, const char *line)
{
	GUID guid;

	if (read_guid(line, &guid)) {
		end_event(tmf);
		begin_provider(tmf, &guid, line);
	} else if (!strncmp(line, "#type", 5)) {
		end_event(tmf);
		begin_event(tmf, line);
	} else if (*line == '}') {
		end_event(tmf);
	} else if (tmf->event) {
		read_argument(tmf, line);
	}
}

/* Return the next line without its indentation and end, or NULL */
static char *next_line(char **text)
{
	char *line = *text + strspn(*text, " \t"), *end;

	if (!**text)
		return NULL;
	end = line + strcspn(line, "\r\n");
	*text = end + (*end ? 1 + (*end == '\r' && end[1] == '\n') : 0);
	*end = '\0';
	return line;
}

bool is_tmf(const u8 *data, size_t len)
{
	struct bytes b = { 0 };
	char *next, *line;
	bool is = false;
	GUID guid;

	if (!bytes_add_file(&b, data, len < 4096 ? len : 4096))
		return false;
	bytes_add_u8(&b, 0);
	next = b.failed ? NULL : (char *)b.data;
	/* Comments may precede the first GUID */
	while (next && (line = next_line(&next))) {
		is = read_guid(line, &guid);
		if (is || (*line && strncmp(line, "//", 2) != 0))
			break;
	}
	bytes_free(&b);
	return is;
}

static void read_lines(struct tmf *tmf, struct bytes *b)
{
	char *next, *line;

	bytes_add_u8(b, 0);
	next = b->failed ? NULL : (char *)b->data;
	while (next && (line = next_line(&next))) {
		tmf->line++;
		read_line(tmf, line);
	}
	end_event(tmf);
	if (b->failed || tmf->manifest->arena.failed)
		refuse(tmf, "the messages need too much memory: split the file");
	else if (!tmf->manifest->providers)
		refuse(tmf, "no line begins with the GUID of messages: the file or the debug information is damaged");
}

struct manifest *tmf_parse(const char *file, const void *data, size_t len,
			   problem_fn report, void *context)
{
	struct tmf *tmf = calloc(1, sizeof(*tmf));
	struct manifest *m = calloc(1, sizeof(*m));
	struct bytes b = { 0 };

	if (tmf && m) {
		tmf->manifest = m;
		tmf->file = file;
		tmf->report = report;
		tmf->context = context;
		m->cultures[m->culture_count++] = "en-US";
		if (!bytes_add_file(&b, data, len))
			refuse(tmf, "the file is UTF-16 in big-endian order: convert it to UTF-8");
		else
			read_lines(tmf, &b);
	}
	bytes_free(&b);
	free(tmf);
	if (m && m->providers && !m->arena.failed)
		return m;
	if (m)
		manifest_free(m);
	return NULL;
}

void tmf_guids(const char *text, void (*each)(const GUID *guid, void *context),
	       void *context)
{
	GUID guid;

	while (*text) {
		text += strspn(text, " \t\r\n");
		if (read_guid(text, &guid))
			each(&guid, context);
		text += strcspn(text, "\r\n");
	}
}
