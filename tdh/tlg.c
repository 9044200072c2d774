// SPDX-License-Identifier: MIT
/*
 * TraceLogging: events that contain their description.
 *
 * The description, an extended item, is parsed into a tree of fields.  The tree
 * is then laid out as TDH requires: the members of each struct are adjacent,
 * after all fields of the level that contains the struct.  Data of the payload
 * without a field in the description becomes a property of its own, directly
 * before the field:  "NAME.Count" for the count of an array of variable length,
 * and "NAME.Length" for the size of binary data.
 *
 * Descriptions come from the writer of the event and are not trusted.
 */
#include <stdlib.h>

#include "tdh/event_info.h"

#define IN_TYPE		0x1f
#define IN_ARITY	0x60
#define IN_FIXED	0x20	/* number of elements in the description */
#define IN_VARIABLE	0x40	/* number of elements in the payload */
#define IN_CUSTOM	0x60
#define CHAIN		0x80	/* another byte of description follows */
#define IN_STRUCT	24
#define IN_MAX		25

/* Maximum depth of nested structs */
#define MAX_DEPTH	16

/**
 * struct tlg_node - a field
 * @property: the field as a property
 * @first: index of its first member, or 0
 * @next: index of its next sibling, or 0
 * @members: number of its members
 * @counted: a preceding field contains its number of elements
 * @sized: the preceding field contains its length
 */
struct tlg_node {
	struct property property;
	u32 first;
	u32 next;
	u32 members;
	bool counted;
	bool sized;
};

/* Description being parsed; node 0 is the event */
struct tlg_schema {
	const u8 *at;
	const u8 *end;
	struct tlg_node *nodes;
	u32 count;
	char *names;
};

const EVENT_HEADER_EXTENDED_DATA_ITEM *tlg_schema(const EVENT_RECORD *event)
{
	for (u16 i = 0; i < event->ExtendedDataCount; i++) {
		if (event->ExtendedData[i].ExtType ==
		    EVENT_HEADER_EXT_TYPE_EVENT_SCHEMA_TL)
			return &event->ExtendedData[i];
	}
	return NULL;
}

static bool get_byte(struct tlg_schema *s, u8 *byte)
{
	if (s->at == s->end)
		return false;
	*byte = *s->at++;
	return true;
}

static bool get_text(struct tlg_schema *s, const char **text)
{
	const u8 *nul = memchr(s->at, 0, s->end - s->at);

	if (!nul)
		return false;
	*text = (const char *)s->at;
	s->at = nul + 1;
	return true;
}

/* Read tags of 28 bits, seven per byte, most significant first */
static bool get_tags(struct tlg_schema *s, u32 *tags)
{
	int shift = 21;
	u8 byte;

	*tags = 0;
	do {
		if (!get_byte(s, &byte))
			return false;
		if (shift >= 0)
			*tags |= (u32)(byte & 0x7f) << shift;
		shift -= 7;
	} while (byte & CHAIN);
	return true;
}

/* Select an out type from a family with one type per width, in this order */
static u16 by_width(u16 in, u16 first)
{
	switch (in) {
	case TDH_INTYPE_INT8:
	case TDH_INTYPE_UINT8:
		return first;
	case TDH_INTYPE_INT16:
	case TDH_INTYPE_UINT16:
		return first + 1;
	case TDH_INTYPE_INT32:
	case TDH_INTYPE_UINT32:
	case TDH_INTYPE_HEXINT32:
		return first + 2;
	case TDH_INTYPE_INT64:
	case TDH_INTYPE_UINT64:
	case TDH_INTYPE_HEXINT64:
		return first + 3;
	default:
		return TDH_OUTTYPE_NULL;
	}
}

static u16 decimal_of(u16 in, bool is_unsigned)
{
	u16 type = by_width(in, 0);

	if (!type && in != TDH_INTYPE_INT8 && in != TDH_INTYPE_UINT8)
		return TDH_OUTTYPE_NULL;
	return TDH_OUTTYPE_BYTE + 2 * type + is_unsigned;
}

#define OUT_HEX		4
#define OUT_SIGNED	17
#define OUT_UNSIGNED	18

static u16 out_type(u16 in, u8 out)
{
	static const u16 types[] = {
		TDH_OUTTYPE_NULL, TDH_OUTTYPE_NOPRINT, TDH_OUTTYPE_STRING,
		TDH_OUTTYPE_BOOLEAN, 0, TDH_OUTTYPE_PID, TDH_OUTTYPE_TID,
		TDH_OUTTYPE_PORT, TDH_OUTTYPE_IPV4, TDH_OUTTYPE_IPV6,
		TDH_OUTTYPE_SOCKETADDRESS, TDH_OUTTYPE_XML, TDH_OUTTYPE_JSON,
		TDH_OUTTYPE_WIN32ERROR, TDH_OUTTYPE_NTSTATUS,
		TDH_OUTTYPE_HRESULT, TDH_OUTTYPE_DATETIME,
	};

	switch (out) {
	case OUT_HEX:
		return in == TDH_INTYPE_BINARY ||
		       in == TDH_INTYPE_MANIFEST_COUNTEDBINARY ?
		       TDH_OUTTYPE_HEXBINARY :
		       by_width(in, TDH_OUTTYPE_HEXINT8);
	case OUT_SIGNED:
	case OUT_UNSIGNED:
		return decimal_of(in, out == OUT_UNSIGNED);
	}
	if (out < EVNT_ARRAY_SIZE(types))
		return types[out];
	/* From this value on, TraceLogging and TDH have the same numbers */
	return out >= TDH_OUTTYPE_CULTURE_INSENSITIVE_DATETIME ? out :
	       TDH_OUTTYPE_NULL;
}

static u32 new_node(struct tlg_schema *s, u32 parent, u32 *last)
{
	u32 node = s->count++;

	if (*last)
		s->nodes[*last].next = node;
	else
		s->nodes[parent].first = node;
	*last = node;
	s->nodes[parent].members++;
	return node;
}

/* Add the property that precedes @name and contains its count or length */
static void add_size(struct tlg_schema *s, u32 parent, u32 *last,
		     const char *name, const char *suffix)
{
	struct property *property =
		&s->nodes[new_node(s, parent, last)].property;
	size_t len = strlen(name), suffix_size = strlen(suffix) + 1;

	property->name = s->names;
	property->in = TDH_INTYPE_UINT16;
	property->out = TDH_OUTTYPE_NULL;
	property->count = 1;
	memcpy(s->names, name, len);
	memcpy(s->names + len, suffix, suffix_size);
	s->names += len + suffix_size;
}

/* Parse the number of elements, and the packing of custom data */
static bool get_arity(struct tlg_schema *s, u8 in, struct tlg_node *node)
{
	struct property *property = &node->property;
	u16 size;

	property->count = 1;
	switch (in & IN_ARITY) {
	case IN_VARIABLE:
		node->counted = true;
		property->flags |= PropertyParamCount;
		return true;
	case IN_FIXED:
	case IN_CUSTOM:
		if (s->end - s->at < 2)
			return false;
		size = get_u16(s->at);
		s->at += 2;
		break;
	default:
		return true;
	}
	if ((in & IN_ARITY) == IN_FIXED) {
		property->flags |= PropertyParamFixedCount;
		property->count = size;
		return true;
	}
	/* Data of a custom encoding: treated as binary, preceded by its size */
	if (size > s->end - s->at)
		return false;
	s->at += size;
	property->in = TDH_INTYPE_BINARY;
	return true;
}

static bool parse_fields(struct tlg_schema *s, u32 parent, u32 limit,
			 u32 depth);

static bool parse_types(struct tlg_schema *s, struct tlg_node *node,
			u8 *members)
{
	u8 in, out = 0;

	if (!get_byte(s, &in) || (in & CHAIN && !get_byte(s, &out)))
		return false;
	if (out & CHAIN && !get_tags(s, &node->property.tags))
		return false;
	if ((in & IN_TYPE) > IN_MAX)
		return false;
	if (node->property.tags)
		node->property.flags |= PropertyHasTags;
	node->property.in = in & IN_TYPE;
	node->property.out = out_type(in & IN_TYPE, out & ~CHAIN);
	*members = (in & IN_TYPE) == IN_STRUCT ? out & ~CHAIN : 0;
	return get_arity(s, in, node);
}

static bool parse_field(struct tlg_schema *s, u32 parent, u32 *last, u32 depth)
{
	struct tlg_node node = { 0 };
	u8 members;
	u32 index;

	if (!get_text(s, &node.property.name) ||
	    !parse_types(s, &node, &members))
		return false;
	/* The payload contains a size before binary data */
	node.sized = node.property.in == TDH_INTYPE_BINARY;
	if (node.counted)
		add_size(s, parent, last, node.property.name, ".Count");
	if (node.sized) {
		node.property.flags |= PropertyParamLength;
		add_size(s, parent, last, node.property.name, ".Length");
	}
	index = new_node(s, parent, last);
	s->nodes[index] = node;
	if (node.property.in != IN_STRUCT)
		return true;
	if (!members || depth == MAX_DEPTH ||
	    !parse_fields(s, index, members, depth + 1))
		return false;
	if (s->nodes[index].members) {
		s->nodes[index].property.flags |= PropertyStruct;
	} else {
		s->nodes[index].property.in = TDH_INTYPE_NULL;
		s->nodes[index].property.out = TDH_OUTTYPE_NULL;
	}
	return true;
}

/*
 * Parse up to @limit fields.  Structs of EventSource and other writers may have
 * fewer members than they declare, if the description ends with them.
 */
static bool parse_fields(struct tlg_schema *s, u32 parent, u32 limit, u32 depth)
{
	u32 last = 0;

	for (u32 i = 0; i < limit; i++) {
		if (s->at == s->end)
			break;
		if (!parse_field(s, parent, &last, depth))
			return false;
	}
	return true;
}

/* Store the children of @parent as properties, then their children in turn */
static u32 lay_out(struct tlg_schema *s, u32 parent, struct property *out,
		   u32 at)
{
	u32 first = at, free = at + s->nodes[parent].members;

	for (u32 n = s->nodes[parent].first; n; n = s->nodes[n].next, at++) {
		struct tlg_node *node = &s->nodes[n];

		out[at] = node->property;
		if (node->counted)
			out[at].count = at - 1 - node->sized;
		if (node->sized)
			out[at].length = at - 1;
	}
	at = first;
	for (u32 n = s->nodes[parent].first; n; n = s->nodes[n].next, at++) {
		if (!s->nodes[n].members)
			continue;
		out[at].in = free;
		out[at].out = s->nodes[n].members;
		free = lay_out(s, n, out, free);
	}
	return free;
}

/* Return the name in the provider traits, which follows their two-byte size */
static const char *provider_name(const EVENT_RECORD *event)
{
	for (u16 i = 0; i < event->ExtendedDataCount; i++) {
		const EVENT_HEADER_EXTENDED_DATA_ITEM *item =
			&event->ExtendedData[i];
		const u8 *data = (const u8 *)(uintptr_t)item->DataPtr;

		if (item->ExtType == EVENT_HEADER_EXT_TYPE_PROV_TRAITS &&
		    item->DataSize > 2 && memchr(data + 2, 0,
						 item->DataSize - 2))
			return (const char *)data + 2;
	}
	return NULL;
}

static const char *const level_names[] = {
	NULL, "Critical", "Error", "Warning", "Information", "Verbose",
};

static const char *const opcode_names[] = {
	NULL, "Start", "Stop", "DC Start", "DC Stop", "Extension", "Reply",
	"Resume", "Suspend", "Send",
};

static ULONG build(struct tlg_schema *s, const EVENT_RECORD *event,
		   struct property *properties, struct bytes *b)
{
	struct event_info info = {
		.provider = event->EventHeader.ProviderId,
		.descriptor = event->EventHeader.EventDescriptor,
		.source = DecodingSourceTlg,
		.provider_name = provider_name(event),
		.properties = properties,
	};
	const EVENT_DESCRIPTOR *d = &info.descriptor;

	if (!get_tags(s, &info.tags) || !get_text(s, &info.name) ||
	    !parse_fields(s, 0, UINT32_MAX, 0))
		return ERROR_EVT_INVALID_EVENT_DATA;
	info.count = lay_out(s, 0, properties, 0);
	info.top_level = s->nodes[0].members;
	/* Indexes of properties have 16 bits */
	if (info.count > UINT16_MAX)
		return ERROR_EVT_INVALID_EVENT_DATA;
	if (d->Level < EVNT_ARRAY_SIZE(level_names))
		info.level_name = level_names[d->Level];
	if (d->Opcode < EVNT_ARRAY_SIZE(opcode_names))
		info.opcode_name = opcode_names[d->Opcode];
	else if (d->Opcode == 240)
		info.opcode_name = "Receive";
	event_info_build(b, &info);
	return ERROR_SUCCESS;
}

/*
 * A field occupies at least two bytes of the description.  It results in at
 * most three nodes and two names with suffix; its own name stays in the
 * description.
 */
ULONG tlg_event_info(const EVENT_RECORD *event, struct bytes *b)
{
	const EVENT_HEADER_EXTENDED_DATA_ITEM *item = tlg_schema(event);
	struct property *properties;
	struct tlg_schema s = { .count = 1 };
	ULONG code = ERROR_OUTOFMEMORY;
	char *names;
	u16 size;

	if (!item)
		return ERROR_NOT_FOUND;
	if (item->DataSize < 4)
		return ERROR_EVT_INVALID_EVENT_DATA;
	s.at = (const u8 *)(uintptr_t)item->DataPtr;
	size = get_u16(s.at);
	if (size < 4 || size > item->DataSize)
		return ERROR_EVT_INVALID_EVENT_DATA;
	s.end = s.at + size;
	s.at += 2;
	s.nodes = calloc(3 * (size / 2) + 1, sizeof(*s.nodes));
	properties = calloc(3 * (size / 2) + 1, sizeof(*properties));
	names = malloc(10 * (size_t)size);
	s.names = names;
	if (s.nodes && properties && names)
		code = build(&s, event, properties, b);
	free(s.nodes);
	free(properties);
	free(names);
	return code;
}
