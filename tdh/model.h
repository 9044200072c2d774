/* SPDX-License-Identifier: MIT */
/*
 * A manifest in memory, whether it was read as XML or as what a compiler made of
 * that.  All of it lies in the manifest's arena; texts are UTF-8, and NULL where
 * there is none.
 */
#ifndef TDH_MODEL_H
#define TDH_MODEL_H

#include "arena.h"
#include "event_info.h"
#include "index.h"

struct mof_class;

#define NO_MESSAGE	0xffffffffu

/**
 * struct message - a string that is shown to people
 * @next: in the order of the manifest
 * @id: its name in the string table; NULL if it has none
 * @number: what it has in a table of messages, or NO_MESSAGE
 * @texts: one of each language of the manifest, NULL where it has none
 */
struct message {
	struct message *next;
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
 * @next: the next one of its kind
 * @name: with its prefix, such as win:
 * @symbol: in C
 * @value: its number; of a keyword, its bits
 * @message: shown for it
 * @imported: it was not declared by this provider
 * @has_value: its number is known; that of a channel may have to be found
 * @guid: of a task, for its events as classic ones
 * @has_guid: there is one
 * @task: which alone an opcode is for
 * @chid: what a channel is referred to by
 * @bit: of a channel, that its events have among their keywords
 * @offset: where the writer has put it
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
 * struct map_entry - a number and what it is called
 */
struct map_entry {
	struct map_entry *next;
	u32 value;
	const char *symbol;
	struct message *message;
};

/**
 * struct map - names of numbers
 * @bits: of single bits, not of numbers
 * @wbem: of a class, EVENTMAP_INFO_FLAG_WBEM_*; else 0
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
 * struct template - fields of an event, or of a filter
 * @tid: what it is referred to by
 * @name: what it is called, in XML
 * @properties: @top_level of them, then the members of structs: @count
 * @maps: that of each property
 * @user_data: how its events are to look in XML, as an element of the document
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
	u32 offset;
};

struct keyword_list {
	struct keyword_list *next;
	struct item *keyword;
};

struct attribute_list {
	struct attribute_list *next;
	const char *text;	/* NAME=VALUE */
};

struct event {
	struct event *next;
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
 * @index: of the manifest's providers
 * @control_guid: that it is enabled by, if @has_control_guid
 * @group_guid: that it belongs to, if @has_group_guid
 * @name_in_traits: its events carry its name
 * @is_mof: it is a class of the Managed Object Format
 * @source: what was loaded that it is in, or NULL
 * @behind: the next one of this GUID that is loaded, which does not count
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
	const char *resource_file;
	const char *message_file;
	const char *parameter_file;
	struct message *message;
	struct item *items[ITEM_KINDS];
	struct map *maps;
	struct template *templates;
	struct event *events;
	struct filter *filters;
	struct source *source;
	struct provider *behind;
};

#define MAX_CULTURES	64

/**
 * struct manifest - all of a manifest
 * @index: of its providers and their events
 * @last_provider: the last one of @providers, @provider_count of them
 * @classes: of events, if it is in the Managed Object Format
 * @cultures: languages, such as en-US, @culture_count of them
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
 * struct problem - what is wrong with a manifest
 * @file: as it was given
 * @line: from 1, 0: of none
 * @column: from 1, in characters
 */
struct problem {
	const char *file;
	unsigned int line;
	unsigned int column;
	const char *text;
};

typedef void (*problem_fn)(const struct problem *problem, void *context);

/*
 * Reads a manifest as XML.  Whatever is wrong is told to @tell, which may be
 * NULL; then, or when there is no memory, NULL is returned.
 */
struct manifest *manifest_parse(const char *file, const void *data, size_t len,
				problem_fn tell, void *context);
void manifest_free(struct manifest *m);

/* model.c: looking things up */
#define LAST_OF(list) ({						\
	__typeof__(list) *end_ = &(list);				\
	while (*end_)							\
		end_ = &(*end_)->next;					\
	end_;								\
})

unsigned int list_length(const void *list);
struct item *item_by_name(struct item *list, const char *name);
struct item *item_by_value(struct item *list, u64 value);
/* {xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx} */
bool guid_parse(const char *text, GUID *guid);
struct provider *manifest_provider(const struct manifest *m, const GUID *guid);

/* The provider's number is that of those in front of it; its GUID is there */
void manifest_add_provider(struct manifest *m, struct provider *p);

/*
 * The first event of an id and a version.  manifest_add_event() does not add it to
 * the provider's list.
 */
struct event *manifest_event(const struct manifest *m, const struct provider *p,
			     u16 id, u8 version);
void manifest_add_event(struct manifest *m, const struct provider *p,
			struct event *e);

/* The text in the user's language, or the first that there is; or NULL */
const char *message_text(const struct manifest *m,
			 const struct message *message);

/* What an item is called: its message, or its name */
const char *item_text(const struct manifest *m, const struct item *item);

/* Gives each message that is used its number, as Windows' compiler does */
void manifest_number_messages(struct manifest *m);

#endif /* TDH_MODEL_H */
