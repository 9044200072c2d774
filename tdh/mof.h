/* SPDX-License-Identifier: MIT */
/*
 * Descriptions of classic events in the Managed Object Format.
 *
 * A provider is a class with a GUID, derived from the class EventTrace.  Its
 * classes of events are derived from it; each version is a class of its own,
 * and its GUID is the GUID of the events.  Classes of event types, which
 * contain the fields, are derived from these:
 *
 *	[Guid("{...}")] class Server : EventTrace {};
 *	[Guid("{...}"), EventVersion(1), DisplayName("Request")]
 *	class Request : Server {};
 *	[EventType{1, 2}, EventTypeName{"Start", "End"}]
 *	class Request_TypeGroup1 : Request
 *	{
 *		[WmiDataId(1), Format("x")] uint32 Id;
 *		[WmiDataId(2), StringTermination("NullTerminated")] string Url;
 *	};
 *
 * https://learn.microsoft.com/windows/win32/etw/event-tracing-mof-qualifiers
 */
#ifndef TDH_MOF_H
#define TDH_MOF_H

#include "tdh/model.h"

/**
 * struct mof_value - value of a qualifier
 * @next: next value
 * @text: text, or NULL for a number
 * @number: number, if @text is NULL
 */
struct mof_value {
	struct mof_value *next;
	const char *text;
	long long number;
};

/* Qualifier; @values is NULL for a flag */
struct mof_qualifier {
	struct mof_qualifier *next;
	const char *name;
	struct mof_value *values;
};

/* Position in the file, from 1 */
struct mof_place {
	unsigned int line;
	unsigned int column;
};

/**
 * struct mof_field - a property of a class
 * @next: next property
 * @name: name of the property
 * @type: name of its type
 * @is_array: the property is an array
 * @elements: number of elements of the array, or 0 if not specified
 * @qualifiers: qualifiers of the property
 * @place: position in the file
 */
struct mof_field {
	struct mof_field *next;
	const char *name;
	const char *type;
	bool is_array;
	u32 elements;
	struct mof_qualifier *qualifiers;
	struct mof_place place;
};

/**
 * struct mof_class - a class
 * @next: next class
 * @name: name of the class
 * @base_name: name of the base class, or NULL
 * @base: base class, or NULL if the file does not contain it
 * @qualifiers: qualifiers of the class
 * @fields: properties of the class
 * @place: position in the file
 * @guid: GUID, if @has_guid
 * @provider: provider that the class belongs to, or NULL
 * @template: fields, for a class of event types
 * @maps: maps of the fields
 */
struct mof_class {
	struct mof_class *next;
	const char *name;
	const char *base_name;
	struct mof_class *base;
	struct mof_qualifier *qualifiers;
	struct mof_field *fields;
	struct mof_place place;
	GUID guid;
	bool has_guid;
	struct provider *provider;
	struct template template;
	struct map *maps;
};

/**
 * struct mof - a file being read
 * @manifest: model being built
 * @file: name of the file
 * @next: remaining content, nul-terminated
 * @at: position of @next
 * @report: callback for problems, or NULL
 * @context: argument of @report
 * @failed: a problem was found
 */
struct mof {
	struct manifest *manifest;
	const char *file;
	const char *next;
	struct mof_place at;
	problem_fn report;
	void *context;
	bool failed;
};

/* Report a problem at a position; returns false */
bool mof_refuse(struct mof *mof, const struct mof_place *place,
		const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * struct mof_token - a token
 * @kind: kind of token, or the character that forms it
 * @text: text of a name or string
 * @number: value of a number
 * @place: position in the file
 */
struct mof_token {
	enum {
		MOF_END = 256,
		MOF_NAME,
		MOF_TEXT,
		MOF_NUMBER,
	} kind;
	const char *text;
	long long number;
	struct mof_place place;
};

/* Read the next token; report an invalid one and return false */
bool mof_token(struct mof *mof, struct mof_token *token);

/* Read all classes into the manifest without linking them */
bool mof_classes(struct mof *mof);

/* Create a localized string in the only language of the file */
struct message *mof_message(struct mof *mof, const char *text);

/* Fill in the template of a class of event types */
bool mof_template(struct mof *mof, struct mof_class *class);

/* Compare names, which are case-insensitive */
bool mof_is(const char *name, const char *other);
const struct mof_qualifier *
mof_qualifier(const struct mof_qualifier *list, const char *name);
/* Return the text of a qualifier, or NULL; compare it with @text */
const char *mof_text(const struct mof_qualifier *list, const char *name);
bool mof_says(const struct mof_qualifier *list, const char *name,
	      const char *text);

/* Check by its beginning whether a file is in this language, not XML */
bool is_mof(const u8 *data, size_t len);

/* Read a file in the same way as manifest_parse() */
struct manifest *mof_parse(const char *file, const void *data, size_t len,
			   problem_fn report, void *context);

/* mof_info.c: append a TRACE_EVENT_INFO, or return ERROR_NOT_FOUND */
ULONG mof_event_info(const EVENT_RECORD *event, struct bytes *b);

/* Find the map of one of the event's fields; the caller holds store_lock() */
const struct map *mof_map(const EVENT_RECORD *event, const WCHAR *name,
			  const struct manifest **manifest);

#endif /* TDH_MOF_H */
