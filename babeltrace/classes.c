// SPDX-License-Identifier: MIT
/* Classes of events: their names, contexts and payloads */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "babeltrace/classes.h"
#include "babeltrace/field.h"
#include "decode/format.h"
#include "decode/known_providers.h"

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

	for (i = COMMON_ID; ok && i < COMMON_FIRST_TEXT; i++)
		ok = add_member(s, numbers[i].name,
				unsigned_class(c, numbers[i].bits,
					       i == COMMON_KEYWORD));
	ok = ok && add_member(s, "procname",
			      bt_field_class_string_create(c->trace_class));
	if (ok && bt_stream_class_set_event_common_context_field_class(c->events,
								       s))
		ok = false;
	bt_field_class_put_ref(s);
	return ok;
}

static bool set_context(struct component *c, bt_event_class *class,
			unsigned int context)
{
	/*
	 * Names, and sizes of numbers.  Numbers of 64 bits are keys, which are
	 * shown in hexadecimal.  Fields without a size are text.
	 */
	static const struct {
		const char *name;
		unsigned int bits;
	} fields[] = {
		[CONTEXT_ACTIVITY] = { "activity", 0 },
		[CONTEXT_RELATED] = { "related", 0 },
		[CONTEXT_SID] = { "sid", 0 },
		[CONTEXT_SESSION] = { "session", 32 },
		[CONTEXT_INSTANCE] = { "instance", 32 },
		[CONTEXT_PARENT_INSTANCE] = { "parent_instance", 32 },
		[CONTEXT_EVENT_KEY] = { "event_key", 64 },
		[CONTEXT_PROCESS_START_KEY] = { "process_start_key", 64 },
	};
	bt_field_class *s = bt_field_class_structure_create(c->trace_class);
	bt_field_class *member;
	bool ok = s;
	int i;

	for (i = 0; ok && i < CONTEXT_FIRST_ARRAY; i++) {
		unsigned int bits = fields[i].bits;

		if (!(context & 1u << i))
			continue;
		member = bits ? unsigned_class(c, bits, bits == 64) :
				bt_field_class_string_create(c->trace_class);
		ok = add_member(s, fields[i].name, member);
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

/* Set the payload; an event without fields has none */
static bool set_payload(struct component *c, bt_event_class *class,
			const struct kind *kind, struct shape shape)
{
	const struct classes *classes = kind->data;
	bt_field_class *s;
	bool ok;

	s = shape.payload <= PAYLOAD_MORE && classes->fields ?
	    fields_class(c, kind->schema, classes->fields) :
	    bt_field_class_structure_create(c->trace_class);
	ok = s;
	if (ok && shape.payload == PAYLOAD_TEXT)
		ok = add_member(s, "text",
				bt_field_class_string_create(c->trace_class));
	if (ok && classes->kernel)
		ok = linux_event_add(c, classes->kernel, s);
	if (ok && (shape.payload == PAYLOAD_MORE ||
		   shape.payload == PAYLOAD_BYTES))
		ok = add_array(c, s, "payload", 8);
	if (ok && shape.context & 1u << CONTEXT_COUNTERS)
		ok = add_array(c, s, "counters", 64);
	if (ok && shape.context & 1u << CONTEXT_STACK)
		ok = add_array(c, s, "stack", 64);
	if (ok && bt_field_class_structure_get_member_count(s))
		ok = !bt_event_class_set_payload_field_class(class, s);
	bt_field_class_put_ref(s);
	return ok;
}

static struct event_class *add_class(struct component *c, struct kind *kind,
				     struct shape shape)
{
	static const bt_event_class_log_level levels[] = {
		[1] = BT_EVENT_CLASS_LOG_LEVEL_CRITICAL,
		[2] = BT_EVENT_CLASS_LOG_LEVEL_ERROR,
		[3] = BT_EVENT_CLASS_LOG_LEVEL_WARNING,
		[4] = BT_EVENT_CLASS_LOG_LEVEL_INFO,
		[5] = BT_EVENT_CLASS_LOG_LEVEL_DEBUG,
	};
	struct event_class *e = calloc(1, sizeof(*e));
	struct classes *classes = kind->data;
	unsigned int level = classes->level;

	if (!e)
		return NULL;
	e->shape = shape;
	e->class = bt_event_class_create(c->events);
	if (!e->class)
		goto free_class;
	if (level && level < sizeof(levels) / sizeof(*levels))
		bt_event_class_set_log_level(e->class, levels[level]);
	if (bt_event_class_set_name(e->class, classes->name))
		goto put_class;
	if (shape.context & CONTEXT_SINGLE &&
	    !set_context(c, e->class, shape.context))
		goto put_class;
	if (!set_payload(c, e->class, kind, shape))
		goto put_class;
	e->next = classes->list;
	classes->list = e;
	return e;
put_class:
	bt_event_class_put_ref(e->class);
free_class:
	free(e);
	return NULL;
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

/*
 * Return the event's part of the name. An event without a name gets one in the
 * style of Windows' tools.
 */
static char *event_part(const struct kind *kind, const EVENT_RECORD *record)
{
	const EVENT_HEADER *h = &record->EventHeader;
	bool is_classic = h->Flags & EVENT_HEADER_FLAG_CLASSIC_HEADER;
	const struct schema *schema = kind->schema;
	char *name;

	if (is_there(kind->name))
		return strdup(kind->name);
	if (schema && is_there(schema->name))
		return strdup(schema->name);
	if (schema && is_there(schema->task)) {
		if (!is_there(schema->opcode))
			return strdup(schema->task);
		return asprintf(&name, "%s/%s", schema->task,
				schema->opcode) < 0 ? NULL : name;
	}
	return asprintf(&name, "%s%u", is_classic ? "opcode" : "",
			is_classic ? h->EventDescriptor.Opcode :
				     h->EventDescriptor.Id) < 0 ? NULL : name;
}

static struct classes *make_classes(struct kind *kind,
				    const EVENT_RECORD *record)
{
	struct classes *classes = calloc(1, sizeof(*classes));
	const char *provider = kind->provider;
	char guid[GUID_TEXT], *part;

	kind->data = classes;
	if (!classes)
		goto free_classes;
	part = event_part(kind, record);
	if (!is_there(provider) && kind->schema)
		provider = kind->schema->provider;
	if (!is_there(provider))
		provider = known_provider(&record->EventHeader.ProviderId);
	if (!provider)
		provider = format_guid(&record->EventHeader.ProviderId, guid);
	classes->provider = strdup(provider);
	if (!part || !classes->provider ||
	    asprintf(&classes->name, "%s:%s", classes->provider, part) < 0)
		classes->name = NULL;
	free(part);
	classes->kernel = linux_event_of(record);
	if (classes->name && classes->kernel) {
		free(classes->name);
		classes->name = strdup(classes->kernel->name);
	}
	if (!classes->name)
		goto free_classes;
	make_printable(classes->name);
	classes->level = record->EventHeader.EventDescriptor.Level;
	if (kind->schema)
		classes->fields = fields_plan(kind->schema);
	return classes;
free_classes:
	classes_free(kind);
	return NULL;
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
