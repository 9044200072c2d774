// SPDX-License-Identifier: MIT
/* Classes of events: their names, contexts and payloads */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "babeltrace/classes.h"
#include "babeltrace/field.h"
#include "decode/format.h"

bt_field_class *unsigned_class(struct component *c, unsigned int bits,
			       bool hexadecimal)
{
	bt_field_class *fc =
		bt_field_class_integer_unsigned_create(c->trace_class);

	if (!fc)
		return NULL;
	bt_field_class_integer_set_field_value_range(fc, bits);
	if (hexadecimal)
		field_class_set_hex(fc);
	return fc;
}

static bt_field_class *array_class(struct component *c, unsigned int bits)
{
	bt_field_class *element = unsigned_class(c, bits, true);
	bt_field_class *fc = NULL;

	if (element)
		fc = protocol_array_class(c, element);
	bt_field_class_put_ref(element);
	return fc;
}

bt_field_class *bytes_class(struct component *c)
{
	return array_class(c, 8);
}

bool add_member(bt_field_class *structure, const char *name,
		bt_field_class *member)
{
	bool ok = member &&
		  !bt_field_class_structure_append_member(structure, name,
							  member);

	bt_field_class_put_ref(member);
	return ok;
}

bool classes_set_common_context(struct component *c)
{
	static const struct {
		const char *name;
		unsigned int bits;
	} numbers[] = {
		[COMMON_ID] = { "id", 16 },
		[COMMON_VERSION] = { "version", 8 },
		[COMMON_CHANNEL] = { "channel", 8 },
		[COMMON_LEVEL] = { "level", 8 },
		[COMMON_OPCODE] = { "opcode", 8 },
		[COMMON_TASK] = { "task", 16 },
		[COMMON_KEYWORD] = { "keyword", 64 },
		[COMMON_PID] = { "pid", 32 },
		[COMMON_TID] = { "tid", 32 },
	};
	bt_field_class *s = bt_field_class_structure_create(c->trace_class);
	bool ok = s && add_member(s, "provider",
				  bt_field_class_string_create(c->trace_class));
	size_t i;

	for (i = COMMON_ID; ok && i < COMMON_FIELDS; i++)
		ok = add_member(s, numbers[i].name,
				unsigned_class(c, numbers[i].bits,
					       i == COMMON_KEYWORD));
	if (ok && bt_stream_class_set_event_common_context_field_class(c->events,
								       s))
		ok = false;
	bt_field_class_put_ref(s);
	return ok;
}

static bt_field_class *context_field_class(struct component *c,
					   enum context_field field)
{
	switch (field) {
	case CONTEXT_ACTIVITY:
	case CONTEXT_RELATED:
	case CONTEXT_SID:
		return bt_field_class_string_create(c->trace_class);
	case CONTEXT_SESSION:
	case CONTEXT_INSTANCE:
	case CONTEXT_PARENT_INSTANCE:
		return unsigned_class(c, 32, false);
	default:
		return unsigned_class(c, 64, true);
	}
}

static bool set_context(struct component *c, bt_event_class *class,
			unsigned int context)
{
	static const char *const names[] = {
		[CONTEXT_ACTIVITY] = "activity",
		[CONTEXT_RELATED] = "related",
		[CONTEXT_SID] = "sid",
		[CONTEXT_SESSION] = "session",
		[CONTEXT_INSTANCE] = "instance",
		[CONTEXT_PARENT_INSTANCE] = "parent_instance",
		[CONTEXT_EVENT_KEY] = "event_key",
		[CONTEXT_PROCESS_START_KEY] = "process_start_key",
	};
	bt_field_class *s = bt_field_class_structure_create(c->trace_class);
	bool ok = s;
	int i;

	for (i = 0; ok && i < CONTEXT_FIRST_ARRAY; i++) {
		if (context & 1u << i)
			ok = add_member(s, names[i],
					context_field_class(c, i));
	}
	ok = ok && !bt_event_class_set_specific_context_field_class(class, s);
	bt_field_class_put_ref(s);
	return ok;
}

/*
 * Add an array behind the described members, with a name that none of them has
 */
static bool add_array(struct component *c, bt_field_class *s, const char *name,
		      unsigned int bits)
{
	char *unique = member_name(s, name);
	bool ok = unique && add_member(s, unique, array_class(c, bits));

	free(unique);
	return ok;
}

static bt_field_class *described_class(struct component *c,
				       const struct kind *kind,
				       enum payload payload)
{
	const struct classes *classes = kind->data;

	if (payload <= PAYLOAD_MORE && classes->fields)
		return fields_class(c, kind->schema, classes->fields);
	return bt_field_class_structure_create(c->trace_class);
}

static bt_field_class *payload_class(struct component *c,
				     const struct kind *kind,
				     struct shape shape)
{
	bt_field_class *s = described_class(c, kind, shape.payload);
	bool ok = s;

	if (ok && shape.payload == PAYLOAD_TEXT)
		ok = add_member(s, "text",
				bt_field_class_string_create(c->trace_class));
	if (ok && (shape.payload == PAYLOAD_MORE ||
		   shape.payload == PAYLOAD_BYTES))
		ok = add_array(c, s, "payload", 8);
	if (ok && shape.context & 1u << CONTEXT_COUNTERS)
		ok = add_array(c, s, "counters", 64);
	if (ok && shape.context & 1u << CONTEXT_STACK)
		ok = add_array(c, s, "stack", 64);
	if (ok)
		return s;
	bt_field_class_put_ref(s);
	return NULL;
}

/* Set the payload; an event without fields has none */
static bool set_payload(struct component *c, bt_event_class *class,
			const struct kind *kind, struct shape shape)
{
	bt_field_class *s = payload_class(c, kind, shape);
	bool ok = s && (!bt_field_class_structure_get_member_count(s) ||
			!bt_event_class_set_payload_field_class(class, s));

	bt_field_class_put_ref(s);
	return ok;
}

static void set_level(bt_event_class *class, unsigned int level)
{
	static const bt_event_class_log_level levels[] = {
		[1] = BT_EVENT_CLASS_LOG_LEVEL_CRITICAL,
		[2] = BT_EVENT_CLASS_LOG_LEVEL_ERROR,
		[3] = BT_EVENT_CLASS_LOG_LEVEL_WARNING,
		[4] = BT_EVENT_CLASS_LOG_LEVEL_INFO,
		[5] = BT_EVENT_CLASS_LOG_LEVEL_DEBUG,
	};

	if (level && level < sizeof(levels) / sizeof(*levels))
		bt_event_class_set_log_level(class, levels[level]);
}

static bt_event_class *make_class(struct component *c, const struct kind *kind,
				  struct shape shape)
{
	const struct classes *classes = kind->data;
	bt_event_class *class = bt_event_class_create(c->events);

	if (!class)
		return NULL;
	set_level(class, classes->level);
	if (bt_event_class_set_name(class, classes->name) ||
	    (shape.context & CONTEXT_SINGLE &&
	     !set_context(c, class, shape.context)) ||
	    !set_payload(c, class, kind, shape)) {
		bt_event_class_put_ref(class);
		return NULL;
	}
	return class;
}

static struct event_class *add_class(struct component *c, struct kind *kind,
				     struct shape shape)
{
	struct event_class *e = calloc(1, sizeof(*e));
	struct classes *classes = kind->data;

	if (!e)
		return NULL;
	e->shape = shape;
	e->class = make_class(c, kind, shape);
	if (!e->class) {
		free(e);
		return NULL;
	}
	e->next = classes->list;
	classes->list = e;
	return e;
}

bt_event_class *class_of(struct component *c, struct kind *kind,
			 struct shape shape)
{
	const struct classes *classes = kind->data;
	struct event_class *e;

	for (e = classes->list; e; e = e->next) {
		if (e->shape.context == shape.context &&
		    e->shape.payload == shape.payload)
			return e->class;
	}
	e = add_class(c, kind, shape);
	return e ? e->class : NULL;
}

static bool is_there(const char *text)
{
	return text && *text;
}

static char *provider_name(const struct kind *kind, const EVENT_RECORD *record)
{
	char guid[GUID_TEXT];

	if (is_there(kind->provider))
		return strdup(kind->provider);
	if (kind->schema && is_there(kind->schema->provider))
		return strdup(kind->schema->provider);
	return strdup(format_guid(&record->EventHeader.ProviderId, guid));
}

/* Return a name for an event without one, in the style of Windows' tools */
static char *described_name(const struct schema *schema)
{
	char *name;

	if (is_there(schema->name))
		return strdup(schema->name);
	if (!is_there(schema->opcode))
		return strdup(schema->task);
	return asprintf(&name, "%s/%s", schema->task, schema->opcode) < 0 ?
	       NULL : name;
}

static char *numbered_name(const EVENT_HEADER *h)
{
	bool is_classic = h->Flags & EVENT_HEADER_FLAG_CLASSIC_HEADER;
	char *name;

	return asprintf(&name, "%s%u", is_classic ? "opcode" : "",
			is_classic ? h->EventDescriptor.Opcode :
				     h->EventDescriptor.Id) < 0 ? NULL : name;
}

static char *event_part(const struct kind *kind, const EVENT_RECORD *record)
{
	const struct schema *schema = kind->schema;

	if (is_there(kind->name))
		return strdup(kind->name);
	if (schema && (is_there(schema->name) || is_there(schema->task)))
		return described_name(schema);
	return numbered_name(&record->EventHeader);
}

static bool set_names(struct classes *classes, const struct kind *kind,
		      const EVENT_RECORD *record)
{
	char *part = event_part(kind, record);

	classes->provider = provider_name(kind, record);
	if (!part || !classes->provider ||
	    asprintf(&classes->name, "%s:%s", classes->provider, part) < 0)
		classes->name = NULL;
	free(part);
	return classes->name && make_printable(classes->name);
}

static struct classes *make_classes(struct kind *kind,
				    const EVENT_RECORD *record)
{
	struct classes *classes = calloc(1, sizeof(*classes));

	kind->data = classes;
	if (!classes || !set_names(classes, kind, record)) {
		classes_free(kind);
		return NULL;
	}
	classes->level = record->EventHeader.EventDescriptor.Level;
	if (kind->schema)
		classes->fields = fields_plan(kind->schema);
	return classes;
}

/*
 * Look up the kind's schema again, and keep the classes if there is still none
 */
static struct classes *look_again(struct kind *kind, const EVENT_RECORD *record)
{
	struct classes *classes = kind->data;
	struct schema *schema = schema_make(record);

	classes->is_stale = false;
	if (!schema)
		return classes;
	classes_free(kind);
	kind->schema = schema;
	return make_classes(kind, record);
}

struct classes *classes_of(struct kind *kind, const EVENT_RECORD *record)
{
	struct classes *classes = kind->data;

	if (classes)
		return classes->is_stale ? look_again(kind, record) : classes;
	kind->schema = schema_make(record);
	return make_classes(kind, record);
}

void classes_free(struct kind *kind)
{
	struct classes *classes = kind->data;

	schema_free(kind->schema);
	kind->schema = NULL;
	kind->data = NULL;
	while (classes && classes->list) {
		struct event_class *e = classes->list;

		classes->list = e->next;
		bt_event_class_put_ref(e->class);
		free(e);
	}
	if (!classes)
		return;
	free(classes->fields);
	free(classes->provider);
	free(classes->name);
	free(classes);
}

void classes_forget_unknown(struct kind *kind)
{
	struct classes *classes = kind->data;

	if (classes)
		classes->is_stale = !kind->schema;
}
