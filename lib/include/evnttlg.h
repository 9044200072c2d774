/* SPDX-License-Identifier: MIT */
/*
 * Implementation of the macros of TraceLoggingProvider.h, which includes this
 * file and contains the part used by programs.
 *
 * TraceLoggingWrite() receives a list of arguments, each of which has been
 * expanded to
 *
 *	((level, keyword, opcode, channel, tag, id, version),
 *	 schema, (...), data, (...))
 *
 * Of the first seven, those not set by the argument are empty.  schema selects
 * how the argument describes itself in the event's schema, and data how it adds
 * to the event's data, each with arguments of its own; evnt_none adds nothing.
 * The list is expanded several times: for the event's descriptor, for the
 * members of a packed structure and their values, which form the schema in
 * read-only data, and for the statements that collect the data if a session
 * wants the event.
 */
#ifndef EVNTTLG_H
#define EVNTTLG_H

#include "evnteach.h"
#include "evntprov.h"

#ifdef __cplusplus
#define EVNT_STATIC_ASSERT(condition, text)	static_assert(condition, text)
extern "C++" {
#else
#define EVNT_STATIC_ASSERT(condition, text)	_Static_assert(condition, text)
#endif

#define EVNT_PACKED		__attribute__((__packed__))
#define EVNT_FIRST(...)		EVNT_FIRST_(__VA_ARGS__, 0)
#define EVNT_FIRST_(first, ...)	first

/*
 * Name and tag of a field: its value may be followed by up to three arguments,
 * a name, a description and a tag.
 */
#define EVNT_TLG_COUNT_4(...)	EVNT_TLG_FIFTH(__VA_ARGS__, 4, 3, 2, 1, 0)
#define EVNT_TLG_FIFTH(a, b, c, d, e, ...) e

#define EVNT_TLG_NAME(text, ...) \
	EVNT_CAT(EVNT_TLG_NAME_, EVNT_TLG_COUNT_4(__VA_ARGS__))(text, __VA_ARGS__)
#define EVNT_TLG_NAME_1(text, value) text
#define EVNT_TLG_NAME_2(text, value, name) name
#define EVNT_TLG_NAME_3(text, value, name, description) name
#define EVNT_TLG_NAME_4(text, value, name, description, tag) name

#define EVNT_TLG_TAG(...) \
	EVNT_CAT(EVNT_TLG_TAG_, EVNT_TLG_COUNT_4(__VA_ARGS__))(__VA_ARGS__)
#define EVNT_TLG_TAG_1(value) 0
#define EVNT_TLG_TAG_2(value, name) 0
#define EVNT_TLG_TAG_3(value, name, description) 0
#define EVNT_TLG_TAG_4(value, name, description, tag) (tag)

/* Arguments that set attributes of the event, and arguments that are fields */
#define EVNT_TLG_CONFIG(level, keyword, opcode, channel, tag) \
	((level, keyword, opcode, channel, tag, , ), \
	 evnt_none, (0), evnt_none, (0))
#define EVNT_TLG_CONFIG_ID(id, version) \
	((, , , , , id, version), evnt_none, (0), evnt_none, (0))
#define EVNT_TLG_FIELD(schema, schema_args, data, data_args) \
	((, , , , , , ), schema, schema_args, data, data_args)

/*
 * Kinds of fields.  type consists of a C type and its layout (in) and format
 * (out) in the schema.  __VA_ARGS__ are the value, or the second part of it,
 * and optionally name, description and tag; text is the default name.
 */
#define EVNT_TLG_ONE(data, type, text, ...) \
	EVNT_TLG_ONE_(data, type, text, __VA_ARGS__)
#define EVNT_TLG_ONE_(data, type, in, out, text, ...) \
	EVNT_TLG_FIELD(evnt_field, \
		       (EVNT_TLG_NAME(text, __VA_ARGS__), in, out, \
			EVNT_TLG_TAG(__VA_ARGS__)), \
		       data, (type, EVNT_FIRST(__VA_ARGS__)))

/* Fields with two values: a pointer, and a count or size */
#define EVNT_TLG_TWO(data, type, text, pointer, ...) \
	EVNT_TLG_TWO_(data, type, text, pointer, __VA_ARGS__)
#define EVNT_TLG_TWO_(data, type, in, out, text, pointer, ...) \
	EVNT_TLG_FIELD(evnt_field, \
		       (EVNT_TLG_NAME(text, __VA_ARGS__), in, out, \
			EVNT_TLG_TAG(__VA_ARGS__)), \
		       data, (type, pointer, EVNT_FIRST(__VA_ARGS__)))

#define EVNT_TLG_ARRAY(type, text, pointer, ...) \
	EVNT_TLG_ARRAY_(type, text, pointer, __VA_ARGS__)
#define EVNT_TLG_ARRAY_(type, in, out, text, pointer, ...) \
	EVNT_TLG_TWO_(evnt_array, type, (in) | _TlgInVcount, out, text, \
		      pointer, __VA_ARGS__)

#define EVNT_TLG_FIXED(type, text, pointer, ...) \
	EVNT_TLG_FIXED_(type, text, pointer, __VA_ARGS__)
#define EVNT_TLG_FIXED_(type, in, out, text, pointer, ...) \
	EVNT_TLG_FIELD(evnt_fixed, \
		       (EVNT_TLG_NAME(text, __VA_ARGS__), in, out, \
			EVNT_TLG_TAG(__VA_ARGS__), EVNT_FIRST(__VA_ARGS__)), \
		       evnt_fixed, (type, pointer, EVNT_FIRST(__VA_ARGS__)))

#define EVNT_TLG_BUFFER(type, out, text, pointer, ...) \
	EVNT_TLG_FIELD(evnt_field, \
		       (EVNT_TLG_NAME(text, __VA_ARGS__), TlgInBINARY, out, \
			EVNT_TLG_TAG(__VA_ARGS__)), \
		       evnt_buffer, (type, pointer))

/* Fields whose layout or format is an argument, which precedes the name */
#define EVNT_TLG_BINARY_EX(out, text, pointer, size, ...) \
	EVNT_TLG_FIELD(evnt_field, \
		       (EVNT_TLG_NAME(text, __VA_ARGS__), TlgInBINARY, out, \
			EVNT_TLG_TAG(__VA_ARGS__)), \
		       evnt_binary, (void, pointer, size))
#define EVNT_TLG_PACKED_FIELD(in, text, pointer, size, ...) \
	EVNT_TLG_PACKED_FIELD_EX(in, TlgOutNULL, text, pointer, size, \
				 __VA_ARGS__)
#define EVNT_TLG_PACKED_FIELD_EX(in, out, text, pointer, size, ...) \
	EVNT_TLG_FIELD(evnt_field, \
		       (EVNT_TLG_NAME(text, __VA_ARGS__), in, out, \
			EVNT_TLG_TAG(__VA_ARGS__)), \
		       evnt_block, (EVENT_DATA_DESCRIPTOR_TYPE_NONE, \
				    pointer, size))
#define EVNT_TLG_CUSTOM(text, pointer, size, protocol, schema, ...) \
	EVNT_TLG_FIELD(evnt_custom, \
		       (EVNT_TLG_NAME(text, __VA_ARGS__), protocol, \
			EVNT_TLG_TAG(__VA_ARGS__), schema, \
			EVNT_FIRST(__VA_ARGS__)), \
		       evnt_binary, (void, pointer, size))

/* Fields without data, and data without a field */
#define EVNT_TLG_SCHEMA(name, in, out, tag) \
	EVNT_TLG_FIELD(evnt_field, (name, in, out, tag), evnt_none, (0))
#define EVNT_TLG_BLOCK(pointer, size, type) \
	EVNT_TLG_FIELD(evnt_none, (0), evnt_block, (type, pointer, size))

#define EVNT_TLG_STRUCT(count, in, ...) \
	EVNT_TLG_FIELD(evnt_struct, \
		       (EVNT_FIRST(__VA_ARGS__), count, in, \
			EVNT_TLG_TAG(0, __VA_ARGS__)), \
		       evnt_none, (0))

/*
 * Encoding of tags: 7 bits per byte, most significant first; the top bit of a
 * byte is set if another byte follows.  The bytes are combined in an integer,
 * in memory order.
 */
#define EVNT_TLG_TAG_SIZE(tag) \
	(((tag) & 0x7f) != 0 ? 4 : ((tag) & 0x3f80) != 0 ? 3 : \
	 ((tag) & 0x1fc000) != 0 ? 2 : \
	 (tag) != 0 ? 1 : 0)
#define EVNT_TLG_TAG_BITS(tag) \
	(EVNT_TLG_TAG_BYTE(tag, 0) | EVNT_TLG_TAG_BYTE(tag, 1) << 8 | \
	 EVNT_TLG_TAG_BYTE(tag, 2) << 16 | EVNT_TLG_TAG_BYTE(tag, 3) << 24)
#define EVNT_TLG_TAG_BYTE(tag, n) \
	(((ULONGLONG)(tag) >> (21 - 7 * (n)) & 0x7f) | \
	 (EVNT_TLG_TAG_SIZE(tag) > (n) + 1 ? 0x80u : 0))
#define EVNT_TLG_TAG_IS_VALID(tag)	(((tag) & ~0x0fffffff) == 0)

/* Encoding of the types of a field, followed by its tag if it has one */
#define EVNT_TLG_TYPE_SIZE(out, tag) \
	((out) != 0 || (tag) != 0 ? 2 + EVNT_TLG_TAG_SIZE(tag) : 1)
#define EVNT_TLG_TYPE_BITS(in, out, tag) \
	((ULONGLONG)((in) & 0x7f) | ((out) != 0 || (tag) != 0 ? 0x80u : 0) | \
	 (ULONGLONG)((out) & 0x7f) << 8 | ((tag) != 0 ? 0x8000u : 0) | \
	 EVNT_TLG_TAG_BITS(tag) << 16)

/* Event attributes: the last one counts, but keywords and tags are combined */
#define EVNT_TLG_PART(select, argument)		EVNT_TLG_PART_(select, argument)
#define EVNT_TLG_PART_(select, argument)	select argument
#define EVNT_TLG_CONFIG_OF(config, ...)		config
#define EVNT_TLG_LEVEL(n, a) \
	EVNT_TLG_PART(EVNT_TLG_LEVEL_, EVNT_TLG_CONFIG_OF a)
#define EVNT_TLG_KEYWORD(n, a) \
	EVNT_TLG_PART(EVNT_TLG_KEYWORD_, EVNT_TLG_CONFIG_OF a)
#define EVNT_TLG_OPCODE(n, a) \
	EVNT_TLG_PART(EVNT_TLG_OPCODE_, EVNT_TLG_CONFIG_OF a)
#define EVNT_TLG_CHANNEL(n, a) \
	EVNT_TLG_PART(EVNT_TLG_CHANNEL_, EVNT_TLG_CONFIG_OF a)
#define EVNT_TLG_EVENT_TAG(n, a) \
	EVNT_TLG_PART(EVNT_TLG_EVENT_TAG_, EVNT_TLG_CONFIG_OF a)
#define EVNT_TLG_ID(n, a) \
	EVNT_TLG_PART(EVNT_TLG_ID_, EVNT_TLG_CONFIG_OF a)
#define EVNT_TLG_VERSION(n, a) \
	EVNT_TLG_PART(EVNT_TLG_VERSION_, EVNT_TLG_CONFIG_OF a)
#define EVNT_TLG_LEVEL_(l, k, o, c, t, i, v)	l
#define EVNT_TLG_KEYWORD_(l, k, o, c, t, i, v)	k
#define EVNT_TLG_OPCODE_(l, k, o, c, t, i, v)	o
#define EVNT_TLG_CHANNEL_(l, k, o, c, t, i, v)	c
#define EVNT_TLG_EVENT_TAG_(l, k, o, c, t, i, v)	t
#define EVNT_TLG_ID_(l, k, o, c, t, i, v)	i
#define EVNT_TLG_VERSION_(l, k, o, c, t, i, v)	v

/* Expand the macro that an argument selects for a pass */
#define EVNT_TLG_CALL(macro, ...)	EVNT_TLG_CALL_(macro, __VA_ARGS__)
#define EVNT_TLG_CALL_(macro, ...)	macro(__VA_ARGS__)
#define EVNT_TLG_BARE(...)		__VA_ARGS__

/* Members of the schema */
#define EVNT_TLG_MEMBERS(n, a)		EVNT_TLG_MEMBERS_(n, EVNT_TLG_BARE a)
#define EVNT_TLG_MEMBERS_(n, ...)	EVNT_TLG_MEMBERS__(n, __VA_ARGS__)
#define EVNT_TLG_MEMBERS__(n, config, schema, args, data, data_args) \
	EVNT_TLG_CALL(EVNT_TLG_MEMBERS_##schema, n, EVNT_TLG_BARE args)
#define EVNT_TLG_MEMBERS_evnt_none(n, nothing)
#define EVNT_TLG_MEMBERS_evnt_field(n, name, in, out, tag) \
	char Name##n[sizeof(name)]; \
	ULONGLONG Type##n : EVNT_TLG_TAG_IS_VALID(tag) ? \
		8 * EVNT_TLG_TYPE_SIZE(out, tag) : -1;
#define EVNT_TLG_MEMBERS_evnt_fixed(n, name, in, out, tag, count) \
	EVNT_TLG_MEMBERS_evnt_field(n, name, in, out, tag) \
	USHORT Count##n;
#define EVNT_TLG_MEMBERS_evnt_struct(n, name, count, in, tag) \
	EVNT_TLG_MEMBERS_evnt_field(n, name, in, \
				    1 / ((count) > 0 && (count) < 128), tag)
#define EVNT_TLG_MEMBERS_evnt_custom(n, name, protocol, tag, schema, size) \
	EVNT_TLG_MEMBERS_evnt_field(n, name, protocol, 0, tag) \
	USHORT Size##n; \
	UCHAR Schema##n[size];

/* Values of the schema's members */
#define EVNT_TLG_VALUES(n, a)		EVNT_TLG_VALUES_(n, EVNT_TLG_BARE a)
#define EVNT_TLG_VALUES_(n, ...)	EVNT_TLG_VALUES__(n, __VA_ARGS__)
#define EVNT_TLG_VALUES__(n, config, schema, args, data, data_args) \
	EVNT_TLG_CALL(EVNT_TLG_VALUES_##schema, n, EVNT_TLG_BARE args)
#define EVNT_TLG_VALUES_evnt_none(n, nothing)
#define EVNT_TLG_VALUES_evnt_field(n, name, in, out, tag) \
	, name, EVNT_TLG_TYPE_BITS(in, out, tag)
#define EVNT_TLG_VALUES_evnt_fixed(n, name, in, out, tag, count) \
	, name, EVNT_TLG_TYPE_BITS((in) | _TlgInCcount, out, tag), count
#define EVNT_TLG_VALUES_evnt_struct(n, name, count, in, tag) \
	, name, EVNT_TLG_TYPE_BITS(in, count, tag)
#define EVNT_TLG_VALUES_evnt_custom(n, name, protocol, tag, schema, size) \
	, name, EVNT_TLG_TYPE_BITS((protocol) | _TlgInCustom, 0, tag), \
	size, { EVNT_TLG_BARE schema }

/* Number of data blocks of each argument */
#define EVNT_TLG_BLOCKS(n, a)		EVNT_TLG_BLOCKS_(EVNT_TLG_BARE a)
#define EVNT_TLG_BLOCKS_(...)		EVNT_TLG_BLOCKS__(__VA_ARGS__)
#define EVNT_TLG_BLOCKS__(config, schema, args, data, data_args) \
	EVNT_TLG_BLOCKS_##data data_args
#define EVNT_TLG_BLOCKS_evnt_none(...)
#define EVNT_TLG_BLOCKS_evnt_value(...)	+ 1
#define EVNT_TLG_BLOCKS_evnt_object(...)	+ 1
#define EVNT_TLG_BLOCKS_evnt_string8(...)	+ 1
#define EVNT_TLG_BLOCKS_evnt_string16(...)	+ 1
#define EVNT_TLG_BLOCKS_evnt_counted(...)	+ 2
#define EVNT_TLG_BLOCKS_evnt_array(...)	+ 2
#define EVNT_TLG_BLOCKS_evnt_fixed(...)	+ 1
#define EVNT_TLG_BLOCKS_evnt_binary(...)	+ 2
#define EVNT_TLG_BLOCKS_evnt_ipv6(...)	+ 2
#define EVNT_TLG_BLOCKS_evnt_buffer(...)	+ 2
#define EVNT_TLG_BLOCKS_evnt_sid(...)	+ 1
#define EVNT_TLG_BLOCKS_evnt_block(...)	+ 1
#define EVNT_TLG_BLOCKS_evnt_any(type, any)	+ EVNT_TLG_ANY_BLOCKS(any)
#define EVNT_TLG_BLOCKS_evnt_time(...)	+ 1
#define EVNT_TLG_BLOCKS_evnt_string32(...)	+ 2

/* Statements that collect the data of each argument */
#define EVNT_TLG_DATA(n, a)		EVNT_TLG_DATA_(n, EVNT_TLG_BARE a)
#define EVNT_TLG_DATA_(n, ...)		EVNT_TLG_DATA__(n, __VA_ARGS__)
#define EVNT_TLG_DATA__(n, config, schema, args, data, data_args) \
	EVNT_TLG_CALL(EVNT_TLG_DATA_##data, n, EVNT_TLG_BARE data_args)
#define EVNT_TLG_DATA_evnt_none(n, nothing)
#define EVNT_TLG_DATA_evnt_value(n, type, value) \
	const type tlg_value_##n = (value); \
	evnt_tlg_put(&tlg_next_, &tlg_value_##n, sizeof(tlg_value_##n));
#ifdef __cplusplus
#define EVNT_TLG_DATA_evnt_object(n, type, value) \
	const type &tlg_value_##n = (value); \
	evnt_tlg_put(&tlg_next_, &tlg_value_##n, sizeof(tlg_value_##n));
#else
#define EVNT_TLG_DATA_evnt_object(n, type, value) \
	const type *const tlg_value_##n = &(value); \
	evnt_tlg_put(&tlg_next_, tlg_value_##n, sizeof(*tlg_value_##n));
#endif
#define EVNT_TLG_DATA_evnt_string8(n, type, value) \
	const type *const tlg_value_##n = (value); \
	evnt_tlg_put_string8(&tlg_next_, tlg_value_##n);
#define EVNT_TLG_DATA_evnt_string16(n, type, value) \
	const type *const tlg_value_##n = (value); \
	evnt_tlg_put_string16(&tlg_next_, tlg_value_##n);
#define EVNT_TLG_DATA_evnt_string32(n, type, value) \
	const type *const tlg_value_##n = (value); \
	const USHORT tlg_count_##n = evnt_tlg_count32(tlg_value_##n); \
	evnt_tlg_put(&tlg_next_, &tlg_count_##n, sizeof(tlg_count_##n)); \
	evnt_tlg_put(&tlg_next_, tlg_value_##n, tlg_count_##n * 4u);
#define EVNT_TLG_DATA_evnt_time(n, type, value) \
	const FILETIME tlg_value_##n = evnt_tlg_time(value); \
	evnt_tlg_put(&tlg_next_, &tlg_value_##n, sizeof(tlg_value_##n));
#define EVNT_TLG_DATA_evnt_counted(n, type, pointer, count) \
	EVNT_TLG_SAME_SIZE(pointer, type); \
	const USHORT tlg_count_##n = evnt_tlg_bytes(count, sizeof(type)); \
	evnt_tlg_put(&tlg_next_, &tlg_count_##n, sizeof(tlg_count_##n)); \
	evnt_tlg_put(&tlg_next_, (pointer), tlg_count_##n);
#define EVNT_TLG_DATA_evnt_array(n, type, pointer, count) \
	EVNT_TLG_SAME_SIZE(pointer, type); \
	const USHORT tlg_count_##n = evnt_tlg_bytes(count, 1); \
	evnt_tlg_put(&tlg_next_, &tlg_count_##n, sizeof(tlg_count_##n)); \
	evnt_tlg_put(&tlg_next_, (pointer), tlg_count_##n * (ULONG)sizeof(type));
#define EVNT_TLG_DATA_evnt_fixed(n, type, pointer, count) \
	EVNT_TLG_SAME_SIZE(pointer, type); \
	EVNT_STATIC_ASSERT((ULONGLONG)(count) <= 0xffff, \
			   "TraceLogging: so many elements need constants"); \
	evnt_tlg_put(&tlg_next_, (pointer), (ULONG)((count) * sizeof(type)));
#define EVNT_TLG_DATA_evnt_binary(n, type, pointer, size) \
	const USHORT tlg_count_##n = evnt_tlg_bytes(size, 1); \
	evnt_tlg_put(&tlg_next_, &tlg_count_##n, sizeof(tlg_count_##n)); \
	evnt_tlg_put(&tlg_next_, (pointer), tlg_count_##n);
#define EVNT_TLG_DATA_evnt_ipv6(n, type, pointer) \
	EVNT_TLG_DATA_evnt_binary(n, type, pointer, 16)
#define EVNT_TLG_DATA_evnt_buffer(n, type, pointer) \
	const type *const tlg_value_##n = (pointer); \
	EVNT_TLG_DATA_evnt_binary(n, type, tlg_value_##n->Buffer, \
				  tlg_value_##n->Length)
#define EVNT_TLG_DATA_evnt_sid(n, type, pointer) \
	evnt_tlg_put_sid(&tlg_next_, (pointer));
#define EVNT_TLG_DATA_evnt_block(n, type, pointer, size) \
	evnt_tlg_put(&tlg_next_, (pointer), (ULONG)(size)); \
	tlg_next_[-1].Type = (type);
#define EVNT_TLG_SAME_SIZE(pointer, type) \
	EVNT_STATIC_ASSERT(sizeof(EVNT_TLG_ELEMENT(pointer, type)) == \
				   sizeof(type), \
			   "TraceLogging: elements of another size")

/* An element of the array at @pointer, for sizeof; @type for a void pointer */
#ifdef __cplusplus
template <class type, class of> of evnt_tlg_element(const of *);
template <class type> type evnt_tlg_element(...);
#define EVNT_TLG_ELEMENT(pointer, type)	evnt_tlg_element<type>(pointer)
#else
#define EVNT_TLG_ELEMENT(pointer, type) \
	*__builtin_choose_expr( \
		__builtin_types_compatible_p(__typeof__(pointer), void *), \
		(const type *)0, (pointer))
#endif

static inline void evnt_tlg_put(PEVENT_DATA_DESCRIPTOR *to, const void *data,
				ULONG size)
{
	EventDataDescCreate((*to)++, data, size);
}

static inline void evnt_tlg_put_string8(PEVENT_DATA_DESCRIPTOR *to,
					const char *text)
{
	if (!text)
		text = "";
	evnt_tlg_put(to, text, (ULONG)(strlen(text) + 1));
}

/* Add a UTF-16 string, of either character type */
static inline void evnt_tlg_put_string16(PEVENT_DATA_DESCRIPTOR *to,
					 const void *text)
{
	static const USHORT empty = 0;
	const char *p;
	USHORT unit;

	if (!text)
		text = &empty;
	p = (const char *)text;
	do {
		memcpy(&unit, p, sizeof(unit));
		p += sizeof(unit);
	} while (unit);
	evnt_tlg_put(to, text, (ULONG)(p - (const char *)text));
}

static inline void evnt_tlg_put_sid(PEVENT_DATA_DESCRIPTOR *to, const void *sid)
{
	const UCHAR *p = (const UCHAR *)sid;

	evnt_tlg_put(to, p, 8 + 4 * p[1]);
}

/*
 * Return a size in bytes for the 16-bit count in front of data.  A count that
 * does not fit is limited: the event is then too long, and refused rather than
 * misread.
 */
static inline USHORT evnt_tlg_bytes(SIZE_T count, SIZE_T size)
{
	return (USHORT)(count > 0xffff / size ? 0xffff / size * size :
			count * size);
}

/* Count the units of 32 bits in front of the nul; NULL has none */
static inline USHORT evnt_tlg_count32(const void *text)
{
	const char *p = (const char *)text;
	SIZE_T count = 0;
	UINT32 unit;

	for (; p; count++, p += sizeof(unit)) {
		memcpy(&unit, p, sizeof(unit));
		if (!unit)
			break;
	}
	return evnt_tlg_bytes(count, 1);
}

/*
 * Convert seconds since 1970 to units of 100 ns since 1601.  Times that have no
 * such number of 63 bits become the first or the last one that does.
 */
static inline FILETIME evnt_tlg_time(INT64 seconds)
{
	const INT64 from_1601_to_1970 = 11644473600;
	const INT64 most = 0x7fffffffffffffff;
	FILETIME time;
	INT64 ticks;

	if (seconds < -from_1601_to_1970)
		ticks = 0;
	else if (seconds > most / 10000000 - from_1601_to_1970)
		ticks = most;
	else
		ticks = (seconds + from_1601_to_1970) * 10000000;
	time.dwLowDateTime = (DWORD)ticks;
	time.dwHighDateTime = (DWORD)(ticks >> 32);
	return time;
}

#ifndef __KERNEL__
/* Test level and keywords, which the callback may update concurrently */
static inline int evnt_tlg_enabled(TraceLoggingHProvider provider, UCHAR level,
				   ULONGLONG keyword)
{
	ULONGLONG any, all;

	if (__builtin_expect(level >= __atomic_load_n(&provider->LevelPlus1,
						      __ATOMIC_RELAXED), 1))
		return 0;
	if (!keyword)
		return 1;
	any = __atomic_load_n(&provider->KeywordAny, __ATOMIC_RELAXED);
	all = __atomic_load_n(&provider->KeywordAll, __ATOMIC_RELAXED);
	return (keyword & any) && (keyword & all) == all;
}
#endif

/* Describe a block of metadata, which begins with its size in 16 bits */
static inline void evnt_tlg_put_metadata(PEVENT_DATA_DESCRIPTOR to,
					 const void *metadata, UCHAR type)
{
	USHORT size;

	memcpy(&size, metadata, sizeof(size));
	EventDataDescCreate(to, metadata, size);
	to->Type = type;
}

#ifndef __KERNEL__
/* Write an event; not inline, to keep rarely executed code out of the way */
static __attribute__((__noinline__, __unused__)) ULONG
evnt_tlg_write(TraceLoggingHProvider provider, PCEVENT_DESCRIPTOR event,
	       const void *schema, LPCGUID activity, LPCGUID related,
	       ULONG count, PEVENT_DATA_DESCRIPTOR data)
{
	evnt_tlg_put_metadata(&data[0], provider->ProviderMetadataPtr,
			      EVENT_DATA_DESCRIPTOR_TYPE_PROVIDER_METADATA);
	evnt_tlg_put_metadata(&data[1], schema,
			      EVENT_DATA_DESCRIPTOR_TYPE_EVENT_METADATA);
	return TLG_EVENT_WRITE_TRANSFER(provider->RegHandle, event, activity,
					related, count, data);
}

/*
 * Internal names of Microsoft's header that libraries for events described at
 * run time use nevertheless: a string, and an event with packed channel, level,
 * opcode and keyword in front of its schema.
 */
enum { _TlgBlobEvent4 = 6 };

static inline void _tlgCreate1Sz_char(PEVENT_DATA_DESCRIPTOR to,
				      const char *text)
{
	evnt_tlg_put_string8(&to, text);
}

static inline void _tlgCreate1Sz_wchar_t(PEVENT_DATA_DESCRIPTOR to,
					 const WCHAR *text)
{
	evnt_tlg_put_string16(&to, text);
}

static inline ULONG
_tlgWriteTransfer_EventWriteTransfer(TraceLoggingHProvider provider,
				     const void *event, LPCGUID activity,
				     LPCGUID related, ULONG count,
				     PEVENT_DATA_DESCRIPTOR data)
{
	const UCHAR *p = (const UCHAR *)event;
	EVENT_DESCRIPTOR descriptor;

	EventDescCreate(&descriptor, 0, 0, p[0], p[1], 0, p[2], 0);
	memcpy(&descriptor.Keyword, p + 3, sizeof(descriptor.Keyword));
	return evnt_tlg_write(provider, &descriptor, p + 11, activity, related,
			      count, data);
}
#endif /* __KERNEL__ */

/* The constant part of an event, tlg_event_ */
#define EVNT_TLG_EVENT(member, name, ...) \
	struct tlg_event_type_ { \
		EVENT_DESCRIPTOR Descriptor; \
		struct { \
			USHORT Size; \
			ULONGLONG Tags : EVNT_TLG_TAG_IS_VALID( \
				EVNT_TLG_ALL_TAGS(__VA_ARGS__)) ? \
				8 * EVNT_TLG_EVENT_TAG_SIZE( \
					EVNT_TLG_ALL_TAGS(__VA_ARGS__)) : -1; \
			member; \
			EVNT_EACH(EVNT_TLG_MEMBERS, __VA_ARGS__) \
		} EVNT_PACKED Schema; \
	}; \
	static const struct tlg_event_type_ tlg_event_ = { \
		{ 0 EVNT_EACH(EVNT_TLG_ID, __VA_ARGS__), \
		  0 EVNT_EACH(EVNT_TLG_VERSION, __VA_ARGS__), \
		  WINEVENT_CHANNEL_TRACELOGGING \
			EVNT_EACH(EVNT_TLG_CHANNEL, __VA_ARGS__), \
		  WINEVENT_LEVEL_VERBOSE \
			EVNT_EACH(EVNT_TLG_LEVEL, __VA_ARGS__), \
		  WINEVENT_OPCODE_INFO \
			EVNT_EACH(EVNT_TLG_OPCODE, __VA_ARGS__), \
		  0, 0 EVNT_EACH(EVNT_TLG_KEYWORD, __VA_ARGS__) }, \
		{ sizeof(((struct tlg_event_type_ *)0)->Schema), \
		  EVNT_TLG_TAG_BITS(EVNT_TLG_ALL_TAGS(__VA_ARGS__)), \
		  name EVNT_EACH(EVNT_TLG_VALUES, __VA_ARGS__) } \
	}; \
	EVNT_STATIC_ASSERT(sizeof(tlg_event_.Schema) < 0x8000, \
			   "TraceLogging: names of fields are too long")
#define EVNT_TLG_ALL_TAGS(...) \
	(0 EVNT_EACH(EVNT_TLG_EVENT_TAG, __VA_ARGS__))
#define EVNT_TLG_EVENT_TAG_SIZE(tag) ((tag) != 0 ? EVNT_TLG_TAG_SIZE(tag) : 1)

/* Allow declarations after statements, about which the kernel's flags warn */
#ifdef __KERNEL__
#define EVNT_TLG_MIXED \
	_Pragma("GCC diagnostic push") \
	_Pragma("GCC diagnostic ignored \"-Wdeclaration-after-statement\"")
#define EVNT_TLG_MIXED_END	_Pragma("GCC diagnostic pop")
/* Suppress the compiler's initialization of blocks that are all filled in */
#define EVNT_TLG_RAW		__uninitialized
#else
#define EVNT_TLG_MIXED
#define EVNT_TLG_MIXED_END
#define EVNT_TLG_RAW
#endif

/* Write an event; __VA_ARGS__ are its fields, and any arguments behind them */
#define EVNT_TLG_WRITE(hProvider, pActivityId, pRelatedActivityId, name, ...) \
	EVNT_TLG_WRITE_OF(hProvider, pActivityId, pRelatedActivityId, \
			  char Name[sizeof(name)], name, __VA_ARGS__)

/* Write an event; @member: the name's member in the schema, @name: its value */
#define EVNT_TLG_WRITE_OF(hProvider, pActivityId, pRelatedActivityId, member, \
			  name, ...) \
do { \
	EVNT_TLG_MIXED \
	const TraceLoggingHProvider tlg_provider_ = (hProvider); \
	EVNT_TLG_EVENT(member, name, __VA_ARGS__); \
	if (evnt_tlg_enabled(tlg_provider_, tlg_event_.Descriptor.Level, \
			     tlg_event_.Descriptor.Keyword)) { \
		EVENT_DATA_DESCRIPTOR \
			tlg_data_[2 EVNT_EACH(EVNT_TLG_BLOCKS, __VA_ARGS__)] \
			EVNT_TLG_RAW; \
		PEVENT_DATA_DESCRIPTOR tlg_next_ = tlg_data_ + 2; \
		\
		EVNT_STATIC_ASSERT(sizeof(tlg_data_) / sizeof(tlg_data_[0]) <= \
				   MAX_EVENT_DATA_DESCRIPTORS, \
				   "TraceLogging: too many fields"); \
		EVNT_EACH(EVNT_TLG_DATA, __VA_ARGS__) \
		evnt_tlg_write(tlg_provider_, &tlg_event_.Descriptor, \
			       &tlg_event_.Schema, (pActivityId), \
			       (pRelatedActivityId), \
			       (ULONG)(tlg_next_ - tlg_data_), tlg_data_); \
	} \
	EVNT_TLG_MIXED_END \
} while (0)

#ifdef __cplusplus
}
#endif

#endif /* EVNTTLG_H */
