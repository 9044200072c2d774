// SPDX-License-Identifier: MIT
/*
 * Construction of TRACE_EVENT_INFO.
 */
#include "tdh/event_info.h"
#include "tdh/value.h"

static void add_text(struct bytes *b, size_t base, size_t field,
		     const char *text)
{
	size_t at = bytes_add_string(b, text);

	bytes_put_u32(b, field, at ? at - base : 0);
}

#define FIELD(type, member)	offsetof(type, member)

/* A length that the description lacks follows from the type, except pointers' */
static u16 length_of(const struct property *p)
{
	if (p->length || p->flags & (PropertyStruct | PropertyParamLength))
		return p->length;
	return value_fixed_size(p->in, 0);
}

void event_info_properties(struct bytes *b, size_t base, size_t at,
			   const struct property *properties,
			   unsigned int count)
{
	const struct property *p = properties;

	for (; count; count--, p++, at += sizeof(EVENT_PROPERTY_INFO)) {
		bytes_put_u32(b, at + FIELD(EVENT_PROPERTY_INFO, Flags),
			      p->flags);
		bytes_put_u16(b, at + FIELD(EVENT_PROPERTY_INFO,
					    nonStructType.InType), p->in);
		bytes_put_u16(b, at + FIELD(EVENT_PROPERTY_INFO,
					    nonStructType.OutType), p->out);
		bytes_put_u16(b, at + FIELD(EVENT_PROPERTY_INFO, count),
			      p->count);
		bytes_put_u16(b, at + FIELD(EVENT_PROPERTY_INFO, length),
			      length_of(p));
		bytes_put_u32(b, at + FIELD(EVENT_PROPERTY_INFO, Reserved),
			      p->tags);
		add_text(b, base, at + FIELD(EVENT_PROPERTY_INFO, NameOffset),
			 p->name);
		if (p->map)
			add_text(b, base, at + FIELD(EVENT_PROPERTY_INFO,
						     nonStructType.MapNameOffset),
				 p->map);
	}
}

/* Append the names as consecutive strings, ended by an empty one */
static void add_keywords(struct bytes *b, const struct event_info *info)
{
	size_t at = b->len;

	if (!info->keyword_count)
		return;
	for (unsigned int i = 0; i < info->keyword_count; i++)
		bytes_add_string(b, info->keywords[i]);
	bytes_add_u16(b, 0);
	bytes_put_u32(b, FIELD(TRACE_EVENT_INFO, KeywordsNameOffset), at);
}

void event_info_build(struct bytes *b, const struct event_info *info)
{
	TRACE_EVENT_INFO head = {
		.ProviderGuid = info->provider,
		.EventGuid = info->event_guid,
		.EventDescriptor = info->descriptor,
		.DecodingSource = info->source,
		.PropertyCount = info->count,
		.TopLevelPropertyCount = info->top_level,
	};
	const struct {
		size_t field;
		const char *text;
	} texts[] = {
		{ FIELD(TRACE_EVENT_INFO, ProviderNameOffset),
		  info->provider_name },
		{ FIELD(TRACE_EVENT_INFO, LevelNameOffset), info->level_name },
		{ FIELD(TRACE_EVENT_INFO, ChannelNameOffset),
		  info->channel_name },
		{ FIELD(TRACE_EVENT_INFO, TaskNameOffset), info->task_name },
		{ FIELD(TRACE_EVENT_INFO, OpcodeNameOffset),
		  info->opcode_name },
		{ FIELD(TRACE_EVENT_INFO, EventMessageOffset), info->message },
		{ FIELD(TRACE_EVENT_INFO, ProviderMessageOffset),
		  info->provider_message },
		{ FIELD(TRACE_EVENT_INFO, EventNameOffset), info->name },
		{ FIELD(TRACE_EVENT_INFO, EventAttributesOffset),
		  info->attributes },
	};
	size_t array = FIELD(TRACE_EVENT_INFO, EventPropertyInfoArray);

	head.Flags = (TEMPLATE_FLAGS)info->template_flags;
	head.Tags = info->tags;
	bytes_add(b, &head, array);
	/*
	 * At least one element, so that copies of the whole structure stay in
	 * bounds
	 */
	bytes_reserve(b, (info->count ? info->count : 1) *
		      sizeof(EVENT_PROPERTY_INFO));
	for (size_t i = 0; i < EVNT_ARRAY_SIZE(texts); i++)
		add_text(b, 0, texts[i].field, texts[i].text);
	add_keywords(b, info);
	event_info_properties(b, 0, array, info->properties, info->count);
	if (info->xml_len) {
		bytes_put_u32(b, FIELD(TRACE_EVENT_INFO, BinaryXMLOffset),
			      bytes_add(b, info->xml, info->xml_len));
		bytes_put_u32(b, FIELD(TRACE_EVENT_INFO, BinaryXMLSize),
			      info->xml_len);
	}
	bytes_align(b, 8);
}
