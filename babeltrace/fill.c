// SPDX-License-Identifier: MIT
/*
 * Fills messages with the data of events.
 *
 * A payload is first assumed to match its description. If it turns out shorter
 * or longer, the message is created again with another class.
 */
#include <stdlib.h>
#include <string.h>

#include "decode/addresses.h"
#include "babeltrace/field.h"
#include "babeltrace/classes.h"
#include "decode/format.h"
#include "tdh/value.h"

#define EVENT	bt_message_event_create_with_packet_and_default_clock_snapshot

/* Maximum nesting of structures and arrays, above the limit of plan.c */
#define MAX_NESTING	64

/**
 * struct fill_found - extended items of an event that become fields
 * @items: items by enum context_field
 * @present: bits of enum context_field
 */
struct fill_found {
	const EVENT_HEADER_EXTENDED_DATA_ITEM *items[CONTEXT_FIELDS];
	u16 present;
};

/**
 * struct level - a structure or array being filled
 * @field: the structure or array
 * @is_array: @field is an array
 * @next: index of the next array element
 */
struct level {
	bt_field *field;
	bool is_array;
	u64 next;
};

/**
 * struct fill - state of filling an event
 * @c: component
 * @schema: schema of the event
 * @fields: storage of its properties
 * @record: event
 * @seen: number of payload bytes consumed
 * @room: number of fields that may still be created
 * @depth: nesting depth
 * @nest: structures and arrays being filled; the innermost is at @depth
 */
struct fill {
	struct component *c;
	const struct schema *schema;
	const struct field *fields;
	const EVENT_RECORD *record;
	size_t seen;
	u64 room;
	int depth;
	struct level nest[MAX_NESTING];
};

/* Make room for @size bytes; the previous contents are lost */
static bool reserve(struct memory *m, size_t size)
{
	if (size <= m->size)
		return true;
	free(m->data);
	m->data = malloc(size);
	m->size = m->data ? size : 0;
	return m->data;
}

static bool set_wide(struct component *c, bt_field *field, const void *units,
		     size_t count)
{
	if (!reserve(&c->text, UTF16_TEXT(count)))
		return false;
	format_utf16(units, count, c->text.data, UTF16_TEXT(count));
	return !bt_field_string_set_value(field, c->text.data);
}

/* Set a text formatted by TDH */
static bool set_formatted(struct component *c, bt_field *field,
			  const TRACE_EVENT_INFO *info, u8 pointer_size,
			  const EVNT_PROPERTY *p)
{
	ULONG size = c->text.size, code;

	code = EvntFormatProperty(info, NULL, pointer_size, p, &size,
				  c->text.data);
	if (code == ERROR_INSUFFICIENT_BUFFER && reserve(&c->text, size))
		code = EvntFormatProperty(info, NULL, pointer_size, p, &size,
					  c->text.data);
	return !code && !bt_field_string_set_value(field, c->text.data);
}

/*
 * Set a text of bytes. TDH converts text that is not pure ASCII from its code
 * page.
 */
static bool set_narrow(const struct fill *f, bt_field *field,
		       const EVNT_PROPERTY *p, const struct value_type *type,
		       const struct value *value)
{
	const char *text = (const char *)value->data;
	const u8 *data = value->data;
	u32 i;

	for (i = 0; i < value->len && data[i] && data[i] < 0x80; i++)
		;
	if (i < value->len && data[i])
		return set_formatted(f->c, field, f->schema->info,
				     type->pointer_size, p);
	bt_field_string_clear(field);
	return !bt_field_string_append_with_length(field, text,
						   strnlen(text, value->len));
}

static bool set_bytes(bt_field *field, const u8 *data, u64 len)
{
	u64 i;

	if (bt_field_array_dynamic_set_length(field, len))
		return false;
	for (i = 0; i < len; i++)
		field_set(field_element(field, i), data[i]);
	return true;
}

static u64 unsigned_of(const struct value *v)
{
	u64 number = 0;

	memcpy(&number, v->data, v->len < sizeof(number) ? v->len :
							   sizeof(number));
	return number;
}

static bool set_real(bt_field *field, const struct value *v)
{
	double d;
	float f;

	if (v->len == sizeof(f)) {
		memcpy(&f, v->data, sizeof(f));
		bt_field_real_single_precision_set_value(field, f);
	} else {
		memcpy(&d, v->data, sizeof(d));
		bt_field_real_double_precision_set_value(field, d);
	}
	return true;
}

static bool set_value(const struct fill *f, bt_field *field,
		      enum field_type field_type, const EVNT_PROPERTY *p,
		      const struct value_type *type, const struct value *v)
{
	unsigned int shift = 64 - 8 * v->len;
	s64 number;

	switch (field_type) {
	case FIELD_UNSIGNED:
		field_set(field, unsigned_of(v));
		return true;
	case FIELD_SIGNED:
		number = (s64)(unsigned_of(v) << shift) >> shift;
		bt_field_integer_signed_set_value(field, number);
		return true;
	case FIELD_BOOL:
		bt_field_bool_set_value(field, unsigned_of(v) != 0);
		return true;
	case FIELD_PORT:
		field_set(field, __builtin_bswap16(unsigned_of(v)));
		return true;
	case FIELD_SINGLE:
	case FIELD_DOUBLE:
		return set_real(field, v);
	case FIELD_WIDE:
		return set_wide(f->c, field, v->data, v->len / sizeof(WCHAR));
	case FIELD_NARROW:
		return set_narrow(f, field, p, type, v);
	case FIELD_BYTES:
		return set_bytes(field, v->data, v->len);
	default:
		return set_formatted(f->c, field, f->schema->info,
				     type->pointer_size, p);
	}
}

/* Return the next field: a member, or an array element */
static bt_field *borrow_next(struct fill *f, ULONG index)
{
	struct level *l = &f->nest[f->depth];

	if (l->is_array)
		return field_element(l->field, l->next++);
	return field_member(l->field, f->fields[index].slot);
}

static ULONG push(struct fill *f, bt_field *field, bool is_array)
{
	if (f->depth + 1 == MAX_NESTING)
		return ERROR_NOT_SUPPORTED;
	f->nest[++f->depth] = (struct level) {
		.field = field,
		.is_array = is_array,
	};
	return ERROR_SUCCESS;
}

static ULONG begin_array(struct fill *f, const EVNT_PROPERTY *p)
{
	u64 need = (u64)p->Count * f->fields[p->Index].weight;
	bt_field *field = borrow_next(f, p->Index);

	if (bt_field_get_class_type(field) ==
	    BT_FIELD_CLASS_TYPE_STATIC_ARRAY) {
		if (bt_field_array_get_length(field) != p->Count)
			return ERROR_EVT_INVALID_EVENT_DATA;
		return push(f, field, true);
	}
	if (need > f->room)
		return ERROR_OUTOFMEMORY;
	f->room -= need;
	if (bt_field_array_dynamic_set_length(field, p->Count))
		return ERROR_OUTOFMEMORY;
	return push(f, field, true);
}

static ULONG take_value(struct fill *f, const EVNT_PROPERTY *p)
{
	const EVENT_PROPERTY_INFO *info =
		&f->schema->info->EventPropertyInfoArray[p->Index];
	struct value_type type = {
		.in = info->nonStructType.InType,
		.out = info->nonStructType.OutType,
		.length = p->Length,
		.has_length = p->Length || info->Flags & PropertyParamLength ||
			      info->Flags & PropertyParamFixedLength,
		.pointer_size = f->record->EventHeader.Flags &
				EVENT_HEADER_FLAG_32_BIT_HEADER ? 4 : 8,
	};
	enum field_type field_type = f->fields[p->Index].type;
	bt_field *field = borrow_next(f, p->Index);
	struct value value;

	/* Bytes that are an array element are wrapped in a structure */
	if (field_type == FIELD_BYTES && f->nest[f->depth].is_array)
		field = field_member(field, 0);
	if (!value_find(&type, p->Data, p->DataLength, &value) ||
	    !set_value(f, field, field_type, p, &type, &value))
		return ERROR_EVT_INVALID_EVENT_DATA;
	return ERROR_SUCCESS;
}

static ULONG WINAPI take(const EVNT_PROPERTY *p, PVOID context)
{
	struct fill *f = context;

	if (p->Kind == EvntPropertyValue)
		f->seen += p->DataLength;
	if (f->fields[p->Index].type == FIELD_HIDDEN)
		return ERROR_SUCCESS;
	switch (p->Kind) {
	case EvntPropertyValue:
		return take_value(f, p);
	case EvntPropertyArrayBegin:
		return begin_array(f, p);
	case EvntPropertyStructBegin:
		return push(f, borrow_next(f, p->Index), false);
	default:
		f->depth--;
		return ERROR_SUCCESS;
	}
}

/* Fill the fields; return what the payload turns out to contain */
static enum payload fill_fields(struct component *c, const struct kind *kind,
				const EVENT_RECORD *record, bt_field *payload)
{
	const struct classes *classes = kind->data;
	struct fill f = {
		.c = c,
		.schema = kind->schema,
		.fields = classes->fields,
		.record = record,
		.room = MAX_FIELDS,
	};

	f.nest[0].field = payload;
	f.nest[0].is_array = false;
	if (EvntEnumerateProperties(record, kind->schema->info, take, &f))
		return PAYLOAD_BYTES;
	return f.seen == record->UserDataLength ? PAYLOAD_FIELDS : PAYLOAD_MORE;
}

/* Return a structure's member, counted from the end; 0 is the last */
static bt_field *borrow_last(bt_field *s, unsigned int back)
{
	const bt_field_class *class = bt_field_borrow_class_const(s);
	u64 count = bt_field_class_structure_get_member_count(class);

	return field_member(s, count - 1 - back);
}

static void set_number(bt_field *structure, unsigned int member, u64 number)
{
	field_set(field_member(structure, member), number);
}

static bool fill_common(const struct classes *classes, const EVENT_HEADER *h,
			const char *process, bt_field *s)
{
	const EVENT_DESCRIPTOR *d = &h->EventDescriptor;

	set_number(s, COMMON_ID, d->Id);
	set_number(s, COMMON_VERSION, d->Version);
	set_number(s, COMMON_CHANNEL, d->Channel);
	set_number(s, COMMON_LEVEL, d->Level);
	set_number(s, COMMON_OPCODE, d->Opcode);
	set_number(s, COMMON_TASK, d->Task);
	set_number(s, COMMON_KEYWORD, d->Keyword);
	set_number(s, COMMON_PID, h->ProcessId);
	set_number(s, COMMON_TID, h->ThreadId);
	return !bt_field_string_set_value(field_member(s, COMMON_PROVIDER),
					  classes->provider) &&
	       !bt_field_string_set_value(field_member(s, COMMON_PROCNAME),
					  process ? process : "");
}

/**
 * struct fill_item - an extended item that becomes a field
 * @type: type of the item
 * @field: field it becomes
 * @size: minimum size
 */
struct fill_item {
	u16 type;
	u16 field;
	u16 size;
};

/* Record the items that become a field and are long enough */
static void find_items(struct fill_found *found, const EVENT_RECORD *record)
{
	static const struct fill_item items[] = {
		{ EVENT_HEADER_EXT_TYPE_RELATED_ACTIVITYID, CONTEXT_RELATED,
		  16 },
		{ EVENT_HEADER_EXT_TYPE_SID, CONTEXT_SID, 8 },
		{ EVENT_HEADER_EXT_TYPE_TS_ID, CONTEXT_SESSION, 4 },
		{ EVENT_HEADER_EXT_TYPE_INSTANCE_INFO, CONTEXT_INSTANCE, 24 },
		{ EVENT_HEADER_EXT_TYPE_INSTANCE_INFO, CONTEXT_PARENT_INSTANCE,
		  24 },
		{ EVENT_HEADER_EXT_TYPE_EVENT_KEY, CONTEXT_EVENT_KEY, 8 },
		{ EVENT_HEADER_EXT_TYPE_PROCESS_START_KEY,
		  CONTEXT_PROCESS_START_KEY, 8 },
		{ EVENT_HEADER_EXT_TYPE_PMC_COUNTERS, CONTEXT_COUNTERS, 8 },
		{ EVENT_HEADER_EXT_TYPE_STACK_TRACE64, CONTEXT_STACK, 8 },
		{ EVENT_HEADER_EXT_TYPE_STACK_TRACE32, CONTEXT_STACK, 8 },
	};
	const EVENT_HEADER_EXTENDED_DATA_ITEM *item;

	found->present = guid_is_zero(&record->EventHeader.ActivityId) ?
			 0 : 1u << CONTEXT_ACTIVITY;
	for (int n = 0; n < record->ExtendedDataCount; n++) {
		item = &record->ExtendedData[n];
		for (size_t i = 0; i < sizeof(items) / sizeof(*items); i++) {
			if (items[i].type != item->ExtType ||
			    item->DataSize < items[i].size ||
			    found->present & 1u << items[i].field)
				continue;
			found->items[items[i].field] = item;
			found->present |= 1u << items[i].field;
		}
	}
}

static bool set_guid(bt_field *field, const void *guid)
{
	char text[GUID_TEXT];

	return !bt_field_string_set_value(field, format_guid(guid, text));
}

static bool fill_item(struct component *c, enum context_field which,
		      const EVENT_HEADER_EXTENDED_DATA_ITEM *item,
		      bt_field *field)
{
	static const TRACE_EVENT_INFO sid_info = {
		.PropertyCount = 1,
		.EventPropertyInfoArray[0].nonStructType.InType =
			TDH_INTYPE_SID,
	};
	u8 *data = (u8 *)(uintptr_t)item->DataPtr;
	const EVNT_PROPERTY p = { .Data = data, .DataLength = item->DataSize };

	switch (which) {
	case CONTEXT_RELATED:
		return set_guid(field, data);
	case CONTEXT_SID:
		/* Formatted as if it were a property; empty if invalid */
		return set_formatted(c, field, &sid_info, sizeof(u64), &p) ||
		       !bt_field_string_set_value(field, "");
	case CONTEXT_PARENT_INSTANCE:
		field_set(field, get_u32(data + 4));
		return true;
	case CONTEXT_EVENT_KEY:
	case CONTEXT_PROCESS_START_KEY:
		field_set(field, get_u64(data));
		return true;
	default:
		field_set(field, get_u32(data));
		return true;
	}
}

static bool fill_context(struct component *c, const struct fill_found *found,
			 const EVENT_RECORD *record, bt_field *s)
{
	unsigned int member = 0;
	bool ok = true;

	if (found->present & 1u << CONTEXT_ACTIVITY)
		ok = set_guid(field_member(s, member++),
			      &record->EventHeader.ActivityId);
	for (int i = CONTEXT_RELATED; ok && i < CONTEXT_FIRST_ARRAY; i++) {
		if (found->items[i])
			ok = fill_item(c, i, found->items[i],
				       field_member(s, member++));
	}
	return ok;
}

/*
 * Fill the arrays at the end of a payload, last one first. With @is_bytes, the
 * payload's bytes precede them.
 */
static bool fill_arrays(const struct fill_found *found,
			const EVENT_RECORD *record, bt_field *payload,
			bool is_bytes)
{
	const EVENT_HEADER_EXTENDED_DATA_ITEM *stack, *counters;
	unsigned int back = 0;
	const u8 *data;
	bt_field *field;
	size_t count;

	stack = found->items[CONTEXT_STACK];
	counters = found->items[CONTEXT_COUNTERS];
	if (stack) {
		field = borrow_last(payload, back++);
		count = stack_depth(stack);
		if (bt_field_array_dynamic_set_length(field, count))
			return false;
		for (size_t i = 0; i < count; i++)
			field_set(field_element(field, i),
				  stack_address(stack, i));
	}
	if (counters) {
		field = borrow_last(payload, back++);
		data = (const u8 *)(uintptr_t)counters->DataPtr;
		count = counters->DataSize / sizeof(u64);
		if (bt_field_array_dynamic_set_length(field, count))
			return false;
		for (size_t i = 0; i < count; i++)
			field_set(field_element(field, i),
				  get_u64(data + 8 * i));
	}
	return !is_bytes || set_bytes(borrow_last(payload, back),
				      record->UserData, record->UserDataLength);
}

/**
 * struct fill_state - state of creating a message
 * @c: component
 * @self: message iterator
 * @kind: kind of the event
 * @record: event
 * @found: extended items of the event
 * @process: name of the writing process, or NULL
 * @tasks: processes and threads so far
 * @packet: packet of the message
 * @time: time of the message
 */
struct fill_state {
	struct component *c;
	bt_self_message_iterator *self;
	struct kind *kind;
	const EVENT_RECORD *record;
	struct fill_found found;
	const char *process;
	const struct linux_tasks *tasks;
	const bt_packet *packet;
	s64 time;
};

/*
 * Fill a payload; return what it turns out to contain. The payload is only
 * complete if that equals @as.
 */
static enum payload fill_payload(const struct fill_state *f, enum payload as,
				 bt_field *payload, bool *ok)
{
	const struct classes *classes = f->kind->data;
	enum payload is = as;

	if (as <= PAYLOAD_MORE && classes->fields)
		is = fill_fields(f->c, f->kind, f->record, payload);
	if (is != as)
		return is;
	*ok = as != PAYLOAD_TEXT ||
	      set_wide(f->c, field_member(payload, 0), f->record->UserData,
		       f->record->UserDataLength / sizeof(WCHAR));
	if (*ok && classes->kernel)
		*ok = classes->kernel->fill(f->tasks, f->record, payload);
	*ok = *ok && fill_arrays(&f->found, f->record, payload,
				 as == PAYLOAD_MORE || as == PAYLOAD_BYTES);
	return is;
}

/*
 * Try to create a message. Return NULL if out of memory, or if the payload does
 * not match @as, which is then set to what the payload contains.
 */
static bt_message *try_message(struct fill_state *f, enum payload *as)
{
	struct shape shape = { f->found.present, *as };
	const bt_event_class *class = class_of(f->c, f->kind, shape);
	enum payload is = *as;
	bt_message *message;
	bt_event *event;
	bool ok = true;

	message = class ? EVENT(f->self, class, f->packet, f->time) : NULL;
	if (!message)
		return NULL;
	event = bt_message_event_borrow_event(message);
	if (!fill_common(f->kind->data, &f->record->EventHeader, f->process,
			 bt_event_borrow_common_context_field(event)))
		ok = false;
	if (ok && shape.context & CONTEXT_SINGLE)
		ok = fill_context(f->c, &f->found, f->record,
				  bt_event_borrow_specific_context_field(event));
	if (ok)
		is = fill_payload(f, *as, bt_event_borrow_payload_field(event),
				  &ok);
	if (ok && is == *as)
		return message;
	bt_message_put_ref(message);
	*as = is;
	return NULL;
}

bt_message *fill_message(struct component *c, bt_self_message_iterator *self,
			 const EVENT_RECORD *record, const char *process,
			 const struct linux_tasks *tasks,
			 const bt_packet *packet, s64 time)
{
	struct fill_state f = {
		.c = c,
		.self = self,
		.record = record,
		.process = process,
		.tasks = tasks,
		.packet = packet,
		.time = time,
	};
	const struct classes *classes;
	enum payload as, before;
	bt_message *message;

	f.kind = kinds_find(&c->kinds, record);
	classes = f.kind ? classes_of(f.kind, record) : NULL;
	if (!classes)
		return NULL;
	find_items(&f.found, record);
	/* The initial assumption on the payload */
	if (record->EventHeader.Flags & EVENT_HEADER_FLAG_STRING_ONLY)
		as = PAYLOAD_TEXT;
	else if (classes->fields || !record->UserDataLength)
		as = PAYLOAD_FIELDS;
	else
		as = PAYLOAD_BYTES;
	do {
		before = as;
		message = try_message(&f, &as);
	} while (!message && as != before);
	return message;
}
