// SPDX-License-Identifier: MIT
/* Information about events of Windows' kernel from the table of its classes. */
#include <stdlib.h>

#include "tdh/arena.h"
#include "tdh/event_info.h"
#include "tdh/kernel_classes.h"
#include "tdh/winmeta.h"

/* Provider of the classes, as Windows names it */
static const GUID system_trace = {
	0x9e814aad, 0x3204, 0x11d2,
	{ 0x9a, 0x82, 0x00, 0x60, 0x08, 0xa8, 0x69, 0x39 },
};

#define SYSTEM_TRACE	"MSNT_SystemTrace"

/**
 * struct letter - type of a field in the table
 * @in: TDH_INTYPE_*
 * @out: TDH_OUTTYPE_*, or 0
 * @length: length in bytes if the type does not determine it, or 0
 */
struct letter {
	u16 in;
	u16 out;
	u16 length;
};

static const struct letter letters[128] = {
	['4'] = { TDH_INTYPE_UINT32, TDH_OUTTYPE_IPV4, 0 },
	['6'] = { TDH_INTYPE_BINARY, TDH_OUTTYPE_IPV6, 16 },
	['X'] = { TDH_INTYPE_HEXINT64, 0, 0 },
	['S'] = { TDH_INTYPE_WBEMSID, 0, 0 },
	['b'] = { TDH_INTYPE_UINT8, 0, 0 },
	['c'] = { TDH_INTYPE_INT8, 0, 0 },
	['f'] = { TDH_INTYPE_FILETIME, 0, 0 },
	['g'] = { TDH_INTYPE_GUID, 0, 0 },
	['h'] = { TDH_INTYPE_UINT16, 0, 0 },
	['i'] = { TDH_INTYPE_INT32, 0, 0 },
	['j'] = { TDH_INTYPE_INT64, 0, 0 },
	['k'] = { TDH_INTYPE_INT16, 0, 0 },
	['n'] = { TDH_INTYPE_UINT8, TDH_OUTTYPE_NOPRINT, 0 },
	['o'] = { TDH_INTYPE_UINT16, TDH_OUTTYPE_PORT, 0 },
	['p'] = { TDH_INTYPE_POINTER, 0, 0 },
	['q'] = { TDH_INTYPE_UINT64, 0, 0 },
	['s'] = { TDH_INTYPE_ANSISTRING, 0, 0 },
	['t'] = { TDH_INTYPE_UINT64, TDH_OUTTYPE_ETWTIME, 0 },
	['u'] = { TDH_INTYPE_UINT32, 0, 0 },
	['w'] = { TDH_INTYPE_UNICODESTRING, 0, 0 },
	['x'] = { TDH_INTYPE_HEXINT32, 0, 0 },
	['y'] = { TDH_INTYPE_UINT16, TDH_OUTTYPE_HEXINT16, 0 },
	['z'] = { TDH_INTYPE_SIZET, 0, 0 },
};

/* Find the name of a type; it ends at a comma or the end of the text */
static const char *find_type(const char *types, u8 type)
{
	while (types) {
		char *name;

		if (strtoul(types, &name, 10) == type)
			return name + 1;
		types = strchr(name, ',');
		types = types ? types + 1 : NULL;
	}
	return NULL;
}

static const struct kernel_layout *find_layout(const EVENT_RECORD *event,
					       const char **type)
{
	const EVENT_HEADER *h = &event->EventHeader;
	const struct kernel_layout *layout = kernel_layouts;
	unsigned int class = 0;

	if (!(h->Flags & EVENT_HEADER_FLAG_CLASSIC_HEADER))
		return NULL;
	while (class < kernel_class_count &&
	       memcmp(&kernel_classes[class].guid, &h->ProviderId,
		      sizeof(GUID)) != 0)
		class++;
	if (class == kernel_class_count)
		return NULL;
	for (; layout < kernel_layouts + kernel_layout_count; layout++) {
		if (layout->class != class ||
		    h->EventDescriptor.Version < layout->first ||
		    h->EventDescriptor.Version > layout->last)
			continue;
		*type = find_type(layout->types, h->EventDescriptor.Opcode);
		if (*type)
			return layout;
	}
	return NULL;
}

/* Set the number of elements or characters that [] contains */
static void set_size(struct property *list, unsigned int index, char *size)
{
	struct property *p = &list[index];
	unsigned int by = 0;

	if (*size >= '0' && *size <= '9') {
		bool is_string = p->in == TDH_INTYPE_UNICODESTRING ||
				 p->in == TDH_INTYPE_ANSISTRING;

		p->flags = is_string ? PropertyParamFixedLength :
				       PropertyParamFixedCount;
		*(is_string ? &p->length : &p->count) = strtoul(size, NULL, 10);
		return;
	}
	size[strcspn(size, "]")] = '\0';
	/* A count in the field itself is an array up to the end */
	while (by < index && strcmp(list[by].name, size) != 0)
		by++;
	p->flags = PropertyParamCount;
	p->count = by;
}

/* Read the fields of a layout; @text is changed, and must outlive @list */
static unsigned int read_fields(char *text, struct property *list)
{
	unsigned int count = 0;
	char *state, *field;

	for (field = strtok_r(text, " ", &state); field;
	     field = strtok_r(NULL, " ", &state), count++) {
		struct property *p = &list[count];
		char *colon = field + strcspn(field, ":");
		const struct letter *letter = &letters[(u8)colon[1]];

		*colon = '\0';
		p->name = field;
		p->in = letter->in;
		p->out = letter->out;
		p->count = 1;
		p->length = letter->length;
		p->flags = letter->length ? PropertyParamFixedLength : 0;
		if (colon[2] == '[')
			set_size(list, count, colon + 3);
	}
	return count;
}

static void build(struct bytes *b, const EVENT_RECORD *event,
		  const struct kernel_layout *layout, const char *type,
		  struct arena *arena)
{
	const struct kernel_class *class = &kernel_classes[layout->class];
	size_t len = strlen(layout->fields);
	char *fields = arena_text(arena, layout->fields, len);
	/* Each field has a name, a colon, a letter, and a space behind it */
	struct property *list = arena_alloc(arena, (len / 4 + 1) *
						   sizeof(*list));
	const EVENT_DESCRIPTOR *descriptor =
		&event->EventHeader.EventDescriptor;
	struct event_info info = {
		.provider = class->provider ? class->guid : system_trace,
		.event_guid = class->guid,
		.descriptor = *descriptor,
		.source = DecodingSourceWbem,
		.provider_name = class->provider ? class->provider :
						   SYSTEM_TRACE,
		.task_name = class->name,
		.opcode_name = arena_text(arena, type, strcspn(type, ",")),
		.properties = list,
	};

	if (arena->failed) {
		b->failed = true;
		return;
	}
	if (descriptor->Level)
		info.level_name = winmeta_level_text(descriptor->Level);
	info.count = read_fields(fields, list);
	info.top_level = info.count;
	event_info_build(b, &info);
}

ULONG kernel_event_info(const EVENT_RECORD *event, struct bytes *b)
{
	const struct kernel_layout *layout;
	struct arena arena = { 0 };
	const char *type;

	layout = find_layout(event, &type);
	if (!layout)
		return ERROR_NOT_FOUND;
	build(b, event, layout, type, &arena);
	arena_free(&arena);
	return ERROR_SUCCESS;
}
