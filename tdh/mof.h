/* SPDX-License-Identifier: MIT */
/*
 * Descriptions of classic events, in the Managed Object Format.
 *
 * A provider is a class with a GUID, of the base class EventTrace.  Derived from it
 * are its classes of events, whose GUIDs events carry, each version a class of its
 * own; and from these the classes of event types, which have the fields:
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

#include "model.h"

/**
 * struct mof_value - of a qualifier
 * @text: if it is one, else NULL
 * @number: if it is none
 */
struct mof_value {
	struct mof_value *next;
	const char *text;
	long long number;
};

/* Without values it is there, and that is all */
struct mof_qualifier {
	struct mof_qualifier *next;
	const char *name;
	struct mof_value *values;
};

/* Where something is in the file, from 1 */
struct mof_place {
	unsigned int line;
	unsigned int column;
};

/**
 * struct mof_field - a property of a class
 * @is_array: it is one, of
 * @elements: so many, or 0 if that is not said
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
 * @base_name: of what it is derived, or NULL
 * @base: that class, if it is in the file
 * @guid: if @has_guid
 * @provider: that it is of, or NULL
 * @template: its fields, if it is of event types
 * @maps: theirs
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
 * struct mof - a file that is read
 * @manifest: what it becomes
 * @file: its name
 * @next: what is still to be read, up to a nul
 * @at: where that is
 * @tell: is told what is wrong, with @context
 * @failed: something was
 */
struct mof {
	struct manifest *manifest;
	const char *file;
	const char *next;
	struct mof_place at;
	problem_fn tell;
	void *context;
	bool failed;
};

/* Tells what is wrong and where; returns false */
bool mof_refuse(struct mof *mof, const struct mof_place *place,
		const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * struct mof_token - a word of the language
 * @kind: END, NAME, TEXT, NUMBER, or the character that it is
 * @text: of a name or text
 * @number: or that
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

/* The next one; false if there is none of the language, and that was told */
bool mof_token(struct mof *mof, struct mof_token *token);

/* Reads all classes into the manifest, as they are written */
bool mof_classes(struct mof *mof);

/* A text that is shown to people, in the one language that there is */
struct message *mof_message(struct mof *mof, const char *text);

/* Gives event types their fields */
bool mof_template(struct mof *mof, struct mof_class *class);

/* Names are the same in any case */
bool mof_is(const char *name, const char *other);
const struct mof_qualifier *
mof_qualifier(const struct mof_qualifier *list, const char *name);
/* The text of one, or NULL; and whether it has that text */
const char *mof_text(const struct mof_qualifier *list, const char *name);
bool mof_says(const struct mof_qualifier *list, const char *name,
	      const char *text);

/* Whether a file is of this language rather than XML, by how it begins */
bool is_mof(const u8 *data, size_t len);

/* As manifest_parse() */
struct manifest *mof_parse(const char *file, const void *data, size_t len,
			   problem_fn tell, void *context);

/* mof_info.c: what the classes say of an event; ERROR_NOT_FOUND: nothing */
ULONG mof_event_info(const EVENT_RECORD *event, struct bytes *b);

/* The map of one of the event's fields; under store_lock() */
const struct map *mof_map(const EVENT_RECORD *event, const WCHAR *name,
			  const struct manifest **manifest);

#endif /* TDH_MOF_H */
