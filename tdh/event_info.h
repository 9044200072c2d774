/* SPDX-License-Identifier: MIT */
/*
 * Description of an event, independent of its source, and the TDH structures
 * built from it.
 */
#ifndef TDH_EVENT_INFO_H
#define TDH_EVENT_INFO_H

#include "tdh/bytes.h"

/**
 * struct property - a field of an event
 * @name: name in UTF-8
 * @map: name of its map, or NULL
 * @flags: flags of enum _PROPERTY_FLAGS
 * @tags: tags of TraceLogging
 * @in: TDH_INTYPE_*; for a struct, index of its first member
 * @out: TDH_OUTTYPE_*; for a struct, number of its members
 * @count: number of elements, or with PropertyParamCount, index of the property
 *	that contains it
 * @length: length, or with PropertyParamLength, index of the property that
 *	contains it
 */
struct property {
	const char *name;
	const char *map;
	u32 flags;
	u32 tags;
	u16 in;
	u16 out;
	u16 count;
	u16 length;
};

/**
 * struct event_info - an event
 * @provider: id of the provider
 * @event_guid: id of the class of a classic event, or control GUID of the
 *	provider
 * @descriptor: descriptor of the event
 * @source: kind of source of the description
 * @template_flags: TEMPLATE_FLAGS
 * @tags: tags of TraceLogging
 * @keywords: names of the event's keywords
 * @keyword_count: number of @keywords
 * @properties: top-level properties, followed by members of structs
 * @count: number of @properties
 * @top_level: number of top-level properties
 * @xml: binary XML of the template's UserData element, or NULL
 * @xml_len: length of @xml in bytes
 *
 * Texts are UTF-8, or NULL if there is none.
 */
struct event_info {
	GUID provider;
	GUID event_guid;
	EVENT_DESCRIPTOR descriptor;
	DECODING_SOURCE source;
	u32 template_flags;
	u32 tags;
	const char *provider_name;
	const char *level_name;
	const char *channel_name;
	const char *keywords[64];
	unsigned int keyword_count;
	const char *task_name;
	const char *opcode_name;
	const char *message;
	const char *provider_message;
	const char *name;
	const char *attributes;
	const struct property *properties;
	unsigned int count;
	unsigned int top_level;
	const void *xml;
	size_t xml_len;
};

/* Append a TRACE_EVENT_INFO to @b, which must be empty */
void event_info_build(struct bytes *b, const struct event_info *info);

/*
 * Write EVENT_PROPERTY_INFO of @count properties to space reserved at @at, and
 * append their names.  Offsets are relative to @base.
 */
void event_info_properties(struct bytes *b, size_t base, size_t at,
			   const struct property *properties,
			   unsigned int count);

/* tlg.c: append the TRACE_EVENT_INFO of an event that describes itself */
ULONG tlg_event_info(const EVENT_RECORD *event, struct bytes *b);
/* Return the event's description, or NULL */
const EVENT_HEADER_EXTENDED_DATA_ITEM *
tlg_schema(const EVENT_RECORD *event);

#endif /* TDH_EVENT_INFO_H */
