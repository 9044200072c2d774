/* SPDX-License-Identifier: MIT */
/*
 * Classes of events.
 *
 * Events of a kind have one class, or a few: those with an activity id have
 * another than those without, which have no such field, and so on.
 */
#ifndef EVNT_BABELTRACE_CLASSES_H
#define EVNT_BABELTRACE_CLASSES_H

#include "header.h"
#include "schema.h"
#include "source.h"

/* What stands in an event's common context, in this order */
enum common_field {
	COMMON_PROVIDER,
	COMMON_ID,
	COMMON_VERSION,
	COMMON_CHANNEL,
	COMMON_LEVEL,
	COMMON_OPCODE,
	COMMON_TASK,
	COMMON_KEYWORD,
	COMMON_PID,
	COMMON_TID,
	COMMON_FIELDS,
};

/*
 * What an event may have besides: its specific context, in this order; the last
 * ones are arrays, which end its payload: what reads CTF fails on those in contexts,
 * up to babeltrace2's version 2.0.4.
 */
enum context_field {
	CONTEXT_ACTIVITY,
	CONTEXT_RELATED,
	CONTEXT_SID,
	CONTEXT_SESSION,
	CONTEXT_INSTANCE,
	CONTEXT_PARENT_INSTANCE,
	CONTEXT_EVENT_KEY,
	CONTEXT_PROCESS_START_KEY,
	CONTEXT_COUNTERS,
	CONTEXT_STACK,
	CONTEXT_FIELDS,
	CONTEXT_FIRST_ARRAY = CONTEXT_COUNTERS,
};

/* As bits: those that are no arrays */
#define CONTEXT_SINGLE	((1u << CONTEXT_FIRST_ARRAY) - 1)

/* What its payload is */
enum payload {
	PAYLOAD_FIELDS,		/* just what is described; or nothing at all */
	PAYLOAD_MORE,		/* and more: also all of it, as bytes */
	PAYLOAD_BYTES,		/* all of it, as bytes */
	PAYLOAD_TEXT,		/* a string */
};

/* How a field is stored */
enum field_type {
	FIELD_HIDDEN,		/* it is not */
	FIELD_UNSIGNED,
	FIELD_SIGNED,
	FIELD_BOOL,
	FIELD_PORT,		/* of a network, big-endian */
	FIELD_SINGLE,
	FIELD_DOUBLE,
	FIELD_WIDE,		/* text of UTF-16 */
	FIELD_NARROW,		/* text of bytes */
	FIELD_FORMATTED,	/* something else that is text here */
	FIELD_BYTES,
	FIELD_STRUCT,
};

/*
 * The library makes all fields of an event, or of an array, at once; a description
 * may promise any number of them, which the payload does not have.  More than TDH
 * would visit need not be made.
 */
#define MAX_FIELDS	(4 * 65536)

/**
 * struct field - a property of a kind
 * @type: how it is stored, or its elements are
 * @slot: which member of its structure it is
 * @weight: how many fields are made with it, or with an element
 */
struct field {
	u8 type;
	u16 slot;
	u32 weight;
};

/**
 * struct shape - which class of its kind an event has
 * @context: bits of enum context_field
 * @payload: enum payload
 */
struct shape {
	u16 context;
	u16 payload;
};

struct event_class {
	struct event_class *next;
	struct shape shape;
	bt_event_class *class;
};

/**
 * struct classes - what a kind keeps
 * @name: of its classes
 * @provider: its provider's
 * @level: of its events
 * @is_stale: nothing described the kind, but there is another manifest now
 * @fields: of its properties; NULL: these are not known, or too many
 * @list: its classes
 */
struct classes {
	char *name;
	char *provider;
	u8 level;
	bool is_stale;
	struct field *fields;
	struct event_class *list;
};

/* What @record's kind keeps, or NULL when there is no memory */
struct classes *classes_of(struct kind *kind, const EVENT_RECORD *record);

/* Frees what the kind keeps, and its schema */
void classes_free(struct kind *kind);

/* What was not described may be, now that there is another manifest */
void classes_forget_unknown(struct kind *kind);

/* One of its classes, which is made when it is asked for, or NULL likewise */
bt_event_class *class_of(struct component *c, struct kind *kind,
			 struct shape shape);

bool classes_set_common_context(struct component *c);

/* plan.c: how properties are stored, NULL if they cannot be; the class for that */
struct field *fields_plan(const struct schema *schema);
bt_field_class *fields_class(struct component *c, const struct schema *schema,
			     const struct field *fields);

/* Adds a member, and lets go of @member; false: no memory, or no @member */
bool add_member(bt_field_class *structure, const char *name,
		bt_field_class *member);

/* A name that CTF takes, and that no member has yet.  To be freed */
char *member_name(const bt_field_class *structure, const char *name);

bt_field_class *bytes_class(struct component *c);
bt_field_class *unsigned_class(struct component *c, unsigned int bits,
			       bool hexadecimal);

#endif /* EVNT_BABELTRACE_CLASSES_H */
