/* SPDX-License-Identifier: MIT */
/*
 * What is known of an event, wherever it comes from, and the structures of TDH
 * that say it.
 */
#ifndef TDH_EVENT_INFO_H
#define TDH_EVENT_INFO_H

#include "bytes.h"

/**
 * struct property - a field of an event
 * @name: in UTF-8
 * @map: the name of its map, or NULL
 * @flags: of enum _PROPERTY_FLAGS
 * @tags: of TraceLogging
 * @in: TDH_INTYPE_*; of a struct, the index of its first member
 * @out: TDH_OUTTYPE_*; of a struct, the number of its members
 * @count: a number, or with PropertyParamCount the index of the property
 * @length: likewise, with PropertyParamLength
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
 * @source: where this is known from
 * @template_flags: of TEMPLATE_FLAGS
 * @tags: of TraceLogging
 * @properties: the @top_level ones first, then the members of structs;
 *	@count of all
 * @keywords: their names, @keyword_count
 *
 * Texts are UTF-8, NULL where there is none.
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
};

/* As TRACE_EVENT_INFO, in @b, which is empty */
void event_info_build(struct bytes *b, const struct event_info *info);

/*
 * EVENT_PROPERTY_INFO of @count properties, in room that was reserved at @at;
 * their names go to the end.  Offsets are from @base.
 */
void event_info_properties(struct bytes *b, size_t base, size_t at,
			   const struct property *properties,
			   unsigned int count);

/* tlg.c: what the event says of itself; @buffer and @size as TDH's functions */
ULONG tlg_event_info(const EVENT_RECORD *event, struct bytes *b);
/* The event's description, if it has one */
const EVENT_HEADER_EXTENDED_DATA_ITEM *
tlg_schema(const EVENT_RECORD *event);

#endif /* TDH_EVENT_INFO_H */
