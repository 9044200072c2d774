/* SPDX-License-Identifier: MIT */
/*
 * In-memory model of a manifest, read from XML or from its compiled form.  All
 * objects are allocated from the manifest's arena.  Texts are UTF-8, or NULL if
 * there is none.
 */
#ifndef TDH_MODEL_H
#define TDH_MODEL_H

#include "tdh/arena.h"
#include "tdh/event_info.h"
#include "tdh/index.h"

struct mof_class;

#define NO_MESSAGE	0xffffffffu

/**
 * struct message - a localized string
 * @next: next message in the order of the manifest
 * @line: line of its first text in the manifest, or 0
 * @id: name in the string table, or NULL
 * @number: number in the message table, or NO_MESSAGE
 * @texts: text in each language of the manifest, or NULL
 */
struct message {
	struct message *next;
	unsigned int line;
	const char *id;
	u32 number;
	const char **texts;
};

enum item_kind {
	ITEM_LEVEL,
	ITEM_TASK,
	ITEM_OPCODE,
	ITEM_KEYWORD,
	ITEM_CHANNEL,
	ITEM_KINDS,
};

/**
 * struct item - a level, task, opcode, keyword or channel
 * @next: next item of the kind
 * @name: name with its prefix, such as win:
 * @symbol: name in C
 * @value: number; for a keyword, its mask
 * @message: localized name
 * @imported: the item is not declared by this provider
 * @has_value: @value is known; a channel may have its value assigned later
 * @has_guid: @guid is valid
 * @guid: for a task, GUID of its events as classic events
 * @task: for an opcode, the only task that it applies to, or NULL
 * @chid: for a channel, id for references
 * @bit: for a channel, keyword bit of its events
 * @offset: offset in the compiled form
 */
struct item {
	struct item *next;
	const char *name;
	const char *symbol;
	u64 value;
	struct message *message;
	bool imported;
	bool has_value;
	bool has_guid;
	GUID guid;
	struct item *task;
	const char *chid;
	u64 bit;
	u32 offset;
};

/**
 * struct map_entry - a number and its name
 */
struct map_entry {
	struct map_entry *next;
	u32 value;
	const char *symbol;
	struct message *message;
};

/**
 * struct map - names of numbers
 * @next: next map of the provider
 * @name: name of the map
 * @symbol: name in C
 * @bits: entries name bits rather than numbers
 * @wbem: for a MOF class, EVENTMAP_INFO_FLAG_WBEM_*; otherwise 0
 * @entries: entries in order
 * @count: number of entries
 * @offset: offset in the compiled form
 */
struct map {
	struct map *next;
	const char *name;
	const char *symbol;
	bool bits;
	u32 wbem;
	struct map_entry *entries;
	unsigned int count;
	u32 offset;
};

/**
 * struct template - fields of an event or of a filter
 * @next: next template of the provider
 * @tid: id for references
 * @name: name of the data in the event's XML
 * @properties: top-level properties, followed by members of structs
 * @maps: map of each property, or NULL
 * @count: number of @properties
 * @top_level: number of top-level properties
 * @user_data: element of the document that defines the XML of events
 * @has_user_data: the template has a UserData element
 * @xml: binary XML of that element
 * @xml_len: length of @xml in bytes
 * @offset: offset in the compiled form
 */
struct template {
	struct template *next;
	const char *tid;
	const char *name;
	struct property *properties;
	struct map **maps;
	unsigned int count;
	unsigned int top_level;
	const struct node *user_data;
	bool has_user_data;
	const void *xml;
	size_t xml_len;
	u32 offset;
};

struct keyword_list {
	struct keyword_list *next;
	struct item *keyword;
};

/**
 * struct query - a pattern map among a provider's named queries
 * @next: next query of the provider
 * @name: name of the pattern map
 * @format: name of the language of its patterns
 * @entries: patterns in order
 * @count: number of entries
 * @offset: offset in the compiled form
 */
struct query {
	struct query *next;
	const char *name;
	const char *format;
	struct query_entry *entries;
	unsigned int count;
	u32 offset;
};

struct query_entry {
	struct query_entry *next;
	const char *name;
	const char *value;
};

struct attribute_list {
	struct attribute_list *next;
	const char *text;	/* NAME=VALUE */
};

/**
 * struct event - an event
 * @line: line in the manifest, or 0
 * @column: column in the line
 */
struct event {
	struct event *next;
	unsigned int line;
	unsigned int column;
	EVENT_DESCRIPTOR descriptor;
	const char *symbol;
	const char *name;
	struct item *level;
	struct item *task;
	struct item *opcode;
	struct item *channel;
	struct keyword_list *keywords;
	struct template *template;
	struct message *message;
	struct attribute_list *attributes;
	bool not_logged;
};

struct filter {
	struct filter *next;
	const char *name;
	const char *symbol;
	u8 value;
	u8 version;
	struct template *template;
	struct message *message;
};

struct source;

/**
 * struct provider - a provider and its events
 * @index: index among the providers of the manifest
 * @control_guid: GUID that enables the provider, if @has_control_guid
 * @group_guid: GUID of its group, if @has_group_guid
 * @name_in_traits: the traits recorded with events include the name
 * @is_mof: the provider is a class of the Managed Object Format
 * @is_wpp: the provider is the GUID of messages of WPP
 * @last_event: for a reader that returns to a provider, last of @events
 * @source: loaded source that contains the provider, or NULL
 * @behind: next loaded provider with this GUID, which this one overrides
 */
struct provider {
	struct provider *next;
	unsigned int index;
	const char *name;
	const char *symbol;
	GUID guid;
	GUID control_guid;
	GUID group_guid;
	bool has_control_guid;
	bool has_group_guid;
	bool name_in_traits;
	bool is_mof;
	bool is_wpp;
	const char *resource_file;
	const char *message_file;
	const char *parameter_file;
	struct message *message;
	struct item *items[ITEM_KINDS];
	struct map *maps;
	struct query *queries;
	struct template *templates;
	struct event *events;
	struct event *last_event;
	struct filter *filters;
	struct source *source;
	struct provider *behind;
};

#define MAX_CULTURES	64

/**
 * struct manifest - a manifest
 * @arena: arena of all objects
 * @index: index of providers and their events
 * @providers: providers in order
 * @last_provider: last of @providers
 * @provider_count: number of @providers
 * @messages: messages in order
 * @classes: classes of events, for a file in the Managed Object Format
 * @cultures: languages, such as en-US
 * @culture_count: number of @cultures
 */
struct manifest {
	struct arena arena;
	struct index index;
	struct provider *providers;
	struct provider *last_provider;
	unsigned int provider_count;
	struct message *messages;
	struct mof_class *classes;
	const char *cultures[MAX_CULTURES];
	unsigned int culture_count;
};

/**
 * struct problem - a problem of a manifest
 * @file: name of the file as passed by the caller
 * @line: line number from 1, or 0 if unknown
 * @column: column in characters from 1
 * @text: description of the problem
 */
struct problem {
	const char *file;
	unsigned int line;
	unsigned int column;
	const char *text;
};

typedef void (*problem_fn)(const struct problem *problem, void *context);

/*
 * Read a manifest in XML, reporting each problem to @report, which may be NULL.
 * Return NULL after a problem or if memory is exhausted.
 */
struct manifest *manifest_parse(const char *file, const void *data, size_t len,
				problem_fn report, void *context);

/*
 * Read a manifest as published by others: a problem is reported and removes
 * only what it concerns, such as an event, or the fields of an event from a
 * malformed one on.  A missing name is reported once, however often it is
 * referred to.  Return NULL if the file is no manifest or has no valid provider.
 */
struct manifest *manifest_parse_lenient(const char *file, const void *data,
					size_t len, problem_fn report,
					void *context);
void manifest_free(struct manifest *m);

/* model.c: lookup */
#define LAST_OF(list) ({						\
	__typeof__(list) *end_ = &(list);				\
	while (*end_)							\
		end_ = &(*end_)->next;					\
	end_;								\
})

unsigned int list_length(const void *list);
struct item *item_by_value(struct item *list, u64 value);
/* {xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx} */
bool guid_parse(const char *text, GUID *guid);
struct provider *manifest_provider(const struct manifest *m, const GUID *guid);

/* Append a provider, whose GUID must be set, and assign its index */
void manifest_add_provider(struct manifest *m, struct provider *p);

/*
 * Find the first event with an id and a version.  manifest_add_event() only
 * adds an event to the index, not to the provider's list.
 */
struct event *manifest_event(const struct manifest *m, const struct provider *p,
			     u16 id, u8 version);
void manifest_add_event(struct manifest *m, const struct provider *p,
			struct event *e);

/* Return the text in the user's language, the first text, or NULL */
const char *message_text(const struct manifest *m,
			 const struct message *message);

/* Return the display name of an item: its message, or else its name */
const char *item_text(const struct manifest *m, const struct item *item);

/* Number all referenced messages in the same way as Windows' compiler */
void manifest_number_messages(struct manifest *m);

#endif /* TDH_MODEL_H */
