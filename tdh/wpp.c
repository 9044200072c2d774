// SPDX-License-Identifier: MIT
/*
 * WPP events: the formatted message, and names from trace message format files.
 *
 * The fields of the payload are decoded as in other events.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "evnttdh.h"
#include "tdh/manifest_info.h"
#include "tdh/value.h"
#include "tdh/wpp.h"

#define TICKS_PER_SECOND	10000000ull
#define UNIX_EPOCH		116444736000000000ull

/* Maximum number of arguments of a message, as in the files */
#define MAX_INSERTS	256

static bool is_wpp(const EVENT_RECORD *event)
{
	return event->EventHeader.Flags & EVENT_HEADER_FLAG_TRACE_MESSAGE;
}

/* Return the value of a parameter, 0 if it is not given */
static u64 parameter(ULONG count, const TDH_CONTEXT *contexts,
		     TDH_CONTEXT_TYPE type)
{
	for (ULONG i = 0; i < count; i++) {
		if (contexts[i].ParameterType == type)
			return contexts[i].ParameterValue;
	}
	return 0;
}

/* Find the description of an event from a file; locked */
static const struct event *describe(const EVENT_RECORD *event,
				    struct found *found)
{
	const EVENT_HEADER *h = &event->EventHeader;

	if (!store_provider(&h->ProviderId, found) || !found->provider->is_wpp)
		return NULL;
	return find_event(found, &h->EventDescriptor);
}

bool wpp_load(const EVENT_RECORD *event, ULONG count,
	      const TDH_CONTEXT *contexts)
{
	u64 file = parameter(count, contexts, TDH_CONTEXT_WPP_TMFFILE);
	struct found found;
	bool known;

	if (!file)
		file = parameter(count, contexts, TDH_CONTEXT_PDB_PATH);
	if (!is_wpp(event) || !file)
		return false;
	store_lock();
	known = describe(event, &found);
	store_unlock();
	return !known && store_load_once((const WCHAR *)(uintptr_t)file);
}

/**
 * struct inserts - fields of an event as texts
 * @event: event
 * @info: its description
 * @texts: texts in UTF-8, each with a nul
 * @at: offset of the text of each field in @texts plus one; 0: none
 */
struct inserts {
	const EVENT_RECORD *event;
	const TRACE_EVENT_INFO *info;
	struct bytes texts;
	size_t at[MAX_INSERTS];
};

static EVENT_MAP_INFO *get_map(const struct inserts *inserts, ULONG index)
{
	PEVENT_RECORD event = (PEVENT_RECORD)inserts->event;
	PWSTR name = TEI_MAP_NAME(inserts->info,
				  &inserts->info->EventPropertyInfoArray[index]);
	EVENT_MAP_INFO *map;
	ULONG size = 0;

	if (!name || TdhGetEventMapInformation(event, name, NULL, &size) !=
		     ERROR_INSUFFICIENT_BUFFER)
		return NULL;
	map = malloc(size);
	if (map && !TdhGetEventMapInformation(event, name, map, &size))
		return map;
	free(map);
	return NULL;
}

static ULONG WINAPI take(const EVNT_PROPERTY *property, PVOID context)
{
	struct inserts *inserts = context;
	struct bytes *texts = &inserts->texts;
	u8 pointer_size = pointer_size_of(inserts->event);
	EVENT_MAP_INFO *map;
	ULONG size = 0;
	size_t at;

	if (property->Kind != EvntPropertyValue ||
	    property->Index >= MAX_INSERTS)
		return ERROR_SUCCESS;
	map = get_map(inserts, property->Index);
	EvntFormatProperty(inserts->info, map, pointer_size, property, &size,
			   NULL);
	if (size) {
		at = bytes_reserve(texts, size);
		if (!texts->failed &&
		    !EvntFormatProperty(inserts->info, map, pointer_size,
					property, &size,
					(LPSTR)texts->data + at))
			inserts->at[property->Index] = at + 1;
	}
	free(map);
	return ERROR_SUCCESS;
}

/*
 * Append the text of %N, or of %N!FORMAT! ignoring the format, by which the field
 * got its type; returns the rest of the message
 */
static const WCHAR *add_insert(struct bytes *b, const struct inserts *inserts,
			       const WCHAR *p)
{
	unsigned int number = 0;
	const WCHAR *end;
	char text[16];

	while (*p >= '0' && *p <= '9' && number < 1000)
		number = 10 * number + *p++ - '0';
	if (number && number <= MAX_INSERTS && inserts->at[number - 1]) {
		bytes_add_wide(b, (const char *)inserts->texts.data +
			       inserts->at[number - 1] - 1);
	} else {
		snprintf(text, sizeof(text), "%%%u", number);
		bytes_add_wide(b, text);
	}
	end = *p == '!' ? p + 1 : NULL;
	while (end && *end && *end != '!')
		end++;
	return end && *end ? end + 1 : p;
}

static void add_message(struct bytes *b, const struct inserts *inserts)
{
	const WCHAR *p = TEI_EVENT_MESSAGE(inserts->info);

	while (p && *p) {
		if (*p != '%') {
			bytes_add_u16(b, *p++);
			continue;
		}
		p++;
		if (*p >= '0' && *p <= '9') {
			p = add_insert(b, inserts, p);
		} else if (*p) {
			bytes_add_u16(b, *p == 'n' ? '\n' : *p);
			p++;
		}
	}
	bytes_add_u16(b, 0);
}

static ULONG format_message(const EVENT_RECORD *event, struct bytes *info,
			    struct bytes *b)
{
	struct inserts inserts = {
		.event = event,
		.info = (const TRACE_EVENT_INFO *)info->data,
	};

	if (info->failed)
		return ERROR_OUTOFMEMORY;
	/* A message of a payload that ends too early has what there is */
	EvntEnumerateProperties(event, inserts.info, take, &inserts);
	add_message(b, &inserts);
	b->failed |= inserts.texts.failed;
	bytes_free(&inserts.texts);
	return ERROR_SUCCESS;
}

/* Append a SYSTEMTIME, in the local time zone unless @utc */
static ULONG add_system_time(struct bytes *b, u64 filetime, bool utc)
{
	time_t seconds = (time_t)(filetime / TICKS_PER_SECOND) -
			 (time_t)(UNIX_EPOCH / TICKS_PER_SECOND);
	struct tm tm;

	if (!(utc ? gmtime_r(&seconds, &tm) : localtime_r(&seconds, &tm)))
		return ERROR_NOT_FOUND;
	bytes_add_u16(b, tm.tm_year + 1900);
	bytes_add_u16(b, tm.tm_mon + 1);
	bytes_add_u16(b, tm.tm_wday);
	bytes_add_u16(b, tm.tm_mday);
	bytes_add_u16(b, tm.tm_hour);
	bytes_add_u16(b, tm.tm_min);
	bytes_add_u16(b, tm.tm_sec);
	bytes_add_u16(b, filetime % TICKS_PER_SECOND / 10000);
	return ERROR_SUCCESS;
}

static ULONG add_text(struct bytes *b, const char *text)
{
	if (!text)
		return ERROR_NOT_FOUND;
	bytes_add_string(b, text);
	return ERROR_SUCCESS;
}

/*
 * Append a property that needs no formatting, or the description of the event
 * to @info; locked
 */
static ULONG find(const EVENT_RECORD *event, const WCHAR *name, bool utc,
		  struct bytes *info, struct bytes *b)
{
	const EVENT_HEADER *h = &event->EventHeader;
	struct found found;
	const struct event *known = describe(event, &found);

	if (!known)
		return ERROR_NOT_FOUND;
	if (same_text(name, "FormattedString")) {
		build_manifest_event(info, &found, known, &h->EventDescriptor);
		return ERROR_SUCCESS;
	}
	if (same_text(name, "TraceGuid")) {
		bytes_add(b, &h->ProviderId, sizeof(h->ProviderId));
		return ERROR_SUCCESS;
	}
	if (same_text(name, "RawSystemTime")) {
		bytes_add(b, &h->TimeStamp, sizeof(h->TimeStamp));
		return ERROR_SUCCESS;
	}
	if (same_text(name, "SystemTime"))
		return add_system_time(b, h->TimeStamp.QuadPart, utc);
	if (same_text(name, "FunctionName"))
		return add_text(b, known->name != known->symbol ? known->name :
								  NULL);
	if (same_text(name, "GuidName"))
		return add_text(b, found.provider->name);
	if (same_text(name, "GuidTypeName"))
		return add_text(b, known->symbol);
	if (same_text(name, "LevelName"))
		return add_text(b, known->level ? known->level->name : NULL);
	if (same_text(name, "FlagsName"))
		return add_text(b, known->keywords ?
				known->keywords->keyword->name : NULL);
	return ERROR_NOT_FOUND;
}

ULONG wpp_property(const EVENT_RECORD *event, ULONG count,
		   const TDH_CONTEXT *contexts, const WCHAR *name,
		   struct bytes *b)
{
	bool utc = parameter(count, contexts, TDH_CONTEXT_WPP_GMT);
	struct bytes info = { 0 };
	ULONG code;

	if (!is_wpp(event))
		return ERROR_NOT_FOUND;
	store_lock();
	code = find(event, name, utc, &info, b);
	store_unlock();
	if (!code && (info.len || info.failed))
		code = format_message(event, &info, b);
	bytes_free(&info);
	return code;
}
