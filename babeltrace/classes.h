/* SPDX-License-Identifier: MIT */
/*
 * Classes of events.
 *
 * A kind of events has one or more classes, depending on optional fields: for
 * example, only events with an activity id have a field for it.
 */
#ifndef EVNT_CLASSES_H
#define EVNT_CLASSES_H

#include "decode/header.h"
#include "decode/schema.h"
#include "babeltrace/source.h"

/* Fields of the common context, in this order */
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
	COMMON_FIRST_TEXT,
	COMMON_PROCNAME = COMMON_FIRST_TEXT,
};

/*
 * Optional fields of an event, in this order: the specific context, followed by
 * the arrays at the end of the payload. Arrays are not in the context because
 * babeltrace2's CTF reader fails on that up to version 2.0.4.
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

/* Bits of the fields that are not arrays */
#define CONTEXT_SINGLE	((1u << CONTEXT_FIRST_ARRAY) - 1)

/* Contents of the payload */
enum payload {
	PAYLOAD_FIELDS,		/* the described fields only, possibly none */
	PAYLOAD_MORE,		/* these, and all of the payload as bytes */
	PAYLOAD_BYTES,		/* all of the payload as bytes */
	PAYLOAD_TEXT,		/* a string */
};

/* Storage of a field */
enum field_type {
	FIELD_HIDDEN,		/* not stored */
	FIELD_UNSIGNED,
	FIELD_SIGNED,
	FIELD_BOOL,
	FIELD_PORT,		/* network port, big-endian */
	FIELD_SINGLE,
	FIELD_DOUBLE,
	FIELD_WIDE,		/* UTF-16 text */
	FIELD_NARROW,		/* text of bytes */
	FIELD_FORMATTED,	/* another type, formatted as text */
	FIELD_BYTES,
	FIELD_STRUCT,
};

/*
 * Maximum number of fields of an event, well above what TDH enumerates.
 * babeltrace2 allocates all fields of an event or array at once, but a
 * malformed description may define far more fields than the payload contains.
 */
#define MAX_FIELDS	(4 * 65536)

/**
 * struct field - storage of a property
 * @type: storage of the property, or of its elements
 * @slot: index of the member in its structure
 * @weight: number of fields that are created with it, or with each element
 */
struct field {
	u8 type;
	u16 slot;
	u32 weight;
};

/**
 * struct shape - selects a class of a kind
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

#define LINUX_CHAINS	1024

/* Processes and threads of a log by their ids; must be zeroed initially */
struct linux_tasks {
	struct linux_task *processes[LINUX_CHAINS];
	struct linux_task *threads[LINUX_CHAINS];
};

/**
 * struct linux_event - an event of the kernel that Linux' tools know
 * @class: first field of the GUID of its class
 * @type: its type
 * @name: name of Linux' tracepoint
 * @fields: names of additional fields, which follow the fields of Windows;
 *	NULL-terminated
 * @fill: sets them; returns false if out of memory
 */
struct linux_event {
	u32 class;
	UCHAR type;
	const char *name;
	const char *const *fields;
	bool (*fill)(const struct linux_tasks *tasks,
		     const EVENT_RECORD *record, bt_field *payload);
};

/**
 * struct classes - classes of a kind
 * @kernel: the events in the form that Linux' tools know, or NULL
 * @name: name of the classes
 * @provider: provider name
 * @level: level of the events
 * @is_stale: the kind had no schema, but a manifest was loaded since
 * @fields: storage of the properties; NULL if unknown or too many
 * @list: classes created so far
 */
struct classes {
	const struct linux_event *kernel;
	char *name;
	char *provider;
	u8 level;
	bool is_stale;
	struct field *fields;
	struct event_class *list;
};

/* Return the classes of @record's kind, or NULL if out of memory */
struct classes *classes_of(struct kind *kind, const EVENT_RECORD *record);

/* Free a kind's classes and its schema */
void classes_free(struct kind *kind);

/*
 * Mark a kind without a schema to be looked up again after a manifest was
 * loaded
 */
void classes_forget_unknown(struct kind *kind);

/* Return a class of a kind, created on demand; NULL if out of memory */
bt_event_class *class_of(struct component *c, struct kind *kind,
			 struct shape shape);

bool classes_set_common_context(struct component *c);

/*
 * plan.c: return the storage of a schema's properties, or NULL if they cannot
 * be stored; and create the class of their structure
 */
struct field *fields_plan(const struct schema *schema);
bt_field_class *fields_class(struct component *c, const struct schema *schema,
			     const struct field *fields);

/*
 * Add a member and drop the reference to @member. Return false if out of
 * memory, or if @member is NULL.
 */
bool add_member(bt_field_class *structure, const char *name,
		bt_field_class *member);

/*
 * Return a name that is valid in CTF and unique in the structure; the caller
 * frees it
 */
char *member_name(const bt_field_class *structure, const char *name);

bt_field_class *bytes_class(struct component *c);
bt_field_class *unsigned_class(struct component *c, unsigned int bits,
			       bool hexadecimal);

/* linux_events.c: take what an event states about processes and threads */
bool linux_tasks_take(struct linux_tasks *tasks, const EVENT_RECORD *record);
void linux_tasks_free(struct linux_tasks *tasks);

/* linux_events.c: return the event that Linux' tools know, or NULL */
const struct linux_event *linux_event_of(const EVENT_RECORD *record);
/* linux_events.c: add its fields; return false if out of memory */
bool linux_event_add(struct component *c, const struct linux_event *e,
		     bt_field_class *payload);

/*
 * Create the message of an event with time @time in @packet, written by the
 * process of that name, or NULL; return NULL if out of memory
 */
bt_message *fill_message(struct component *c, bt_self_message_iterator *self,
			 const EVENT_RECORD *record, const char *process,
			 const struct linux_tasks *tasks,
			 const bt_packet *packet, s64 time);

#endif /* EVNT_CLASSES_H */
