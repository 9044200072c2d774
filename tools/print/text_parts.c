// SPDX-License-Identifier: MIT
/* Fields, processes and call stacks, as both forms of text contain them */
#include <string.h>

#include "tools/events/disks.h"
#include "tools/events/fields.h"
#include "tools/events/stack.h"
#include "tools/print/print.h"

/* State of printing the fields */
struct text_fields {
	struct out *out;
	const struct schema *schema;
	const EVENT_RECORD *record;
	uint64_t skipped;	/* bitmask of the fields to omit */
	uint64_t brackets;	/* bit 0 for the innermost level: an array */
	bool first;		/* first field on this level */
	bool is_disk;		/* the first field is @disk */
	uint32_t disk;		/* number of a disk */
};

static void print_label(struct text_fields *fields, ULONG index)
{
	const char *name = fields->schema->names[index];
	size_t len = fields->schema->simple[index];
	struct out *out = fields->out;
	char *at;

	if (!fields->first)
		out_char(out, ' ');
	fields->first = false;
	if (fields->brackets & 1)
		return;
	if (!len) {
		if (name)
			out_safely(out, name);
		out_char(out, '=');
		return;
	}
	at = mempcpy(out_room(out, len + 1), name, len);
	*at = '=';
	out->len += len + 1;
}

static void print_value(struct text_fields *fields,
			const EVNT_PROPERTY *property)
{
	struct out *out = fields->out;
	enum field_kind kind;
	const char *text;

	if (fields_put_quoted(out, fields->schema, property, PLAIN_WIDE))
		return;
	text = fields_value(fields->schema, fields->record, property, &kind);
	if (text && kind == FIELD_TEXT) {
		out_char(out, '"');
		out_safely(out, text);
		out_char(out, '"');
	} else {
		out_safely(out, text ? text : "?");
	}
}

/* Append a disk's name, if it is known, and on Linux the numbers of its device */
static void print_disk(struct out *out, uint32_t number)
{
	const char *name = disk_name(number);
	char digits[DISK_NUMBER];
	const bool is_device = strchr(disk_number(number, digits), ':');

	if (!name && !is_device)
		return;
	out_text(out, " (");
	if (name)
		out_safely(out, name);
	if (name && is_device)
		out_char(out, ' ');
	if (is_device)
		out_text(out, digits);
	out_char(out, ')');
}

/* Check for a field to omit; a struct's members have indexes of their own */
static bool is_skipped(const struct text_fields *fields, ULONG index)
{
	const EVENT_PROPERTY_INFO *info =
		&fields->schema->info->EventPropertyInfoArray[index];

	return fields->schema->hidden[index] ||
	       (index < 64 && fields->skipped >> index & 1 &&
		index < fields->schema->info->TopLevelPropertyCount &&
		!(info->Flags & PropertyStruct));
}

static void print_field(struct text_fields *fields,
			const EVNT_PROPERTY *property)
{
	if (is_skipped(fields, property->Index))
		return;
	if (property->Kind == EvntPropertyArrayEnd ||
	    property->Kind == EvntPropertyStructEnd) {
		out_char(fields->out, fields->brackets & 1 ? ']' : '}');
		fields->first = false;
		fields->brackets >>= 1;
		return;
	}
	print_label(fields, property->Index);
	if (property->Kind == EvntPropertyValue) {
		print_value(fields, property);
		if (fields->is_disk && !property->Index)
			print_disk(fields->out, fields->disk);
		return;
	}
	fields->brackets <<= 1;
	fields->brackets |= property->Kind == EvntPropertyArrayBegin;
	out_char(fields->out, fields->brackets & 1 ? '[' : '{');
	fields->first = true;
}

bool text_put_fields(struct out *out, const struct fields *fields,
		     uint64_t skipped)
{
	struct text_fields text = {
		.out = out,
		.skipped = skipped,
		.schema = fields->schema,
		.record = fields->record,
	};

	text.is_disk = disk_of_event(fields->record, &text.disk);
	for (size_t i = 0; i < fields->count; i++)
		print_field(&text, &fields->list[i]);
	return fields->cover;
}

/* Append the function with an offset, otherwise the file with an offset */
static void print_place(struct out *out, const struct frame *frame)
{
	const struct symbol *symbol = &frame->symbol;
	const char *module = frame->image->module->name;

	out_safely(out, symbol->function ? symbol->function : module);
	out_char(out, '+');
	out_mask(out, symbol->function ? symbol->offset : frame->offset);
	if (!symbol->file && !symbol->function)
		return;
	out_text(out, " (");
	out_safely(out, symbol->file ? symbol->file : module);
	if (symbol->file) {
		out_char(out, ':');
		out_unsigned(out, symbol->line);
	}
	out_char(out, ')');
}

void text_put_stack(struct out *out, const EVENT_RECORD *record)
{
	const EVENT_HEADER_EXTENDED_DATA_ITEM *stack = stack_of(record);
	size_t i, depth = stack ? stack_depth(stack) : 0;
	struct frame frame;

	for (i = 0; i < depth; i++) {
		stack_frame(record, stack, i, &frame);
		out_char(out, '\t');
		if (frame.image)
			print_place(out, &frame);
		else
			out_mask(out, frame.address);
		out_char(out, '\n');
	}
}

void text_put_process(struct out *out, const char *name, uint32_t pid)
{
	if (pid == UINT32_MAX) {
		out_char(out, '-');
		return;
	}
	if (name)
		out_safely(out, name);
	out_char(out, '[');
	out_unsigned(out, pid);
	out_char(out, ']');
}
