// SPDX-License-Identifier: MIT
/*
 * TdhFormatProperty(): formatting of values as text.
 *
 * value_shown_as() defines the valid combinations of in types and out types;
 * any other combination uses the default of the in type.  Output that depends
 * on the user's language on Windows is always the same here: times are in ISO
 * 8601, numbers have no separators, and error codes are hexadecimal.
 */
#include <arpa/inet.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

#include "lib/base/utf.h"
#include "tdh/bytes.h"
#include "evnttdh.h"
#include "tdh/text.h"
#include "tdh/value.h"

#define TICKS_PER_SECOND	10000000ull
#define UNIX_EPOCH		116444736000000000ull

/* Characters 0x80 to 0x9f of Windows-1252; the others equal Latin-1 */
static const u16 cp1252[32] = {
	0x20ac, 0x81, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021,
	0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8d, 0x017d, 0x8f,
	0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
	0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x9d, 0x017e, 0x0178,
};

static bool is_utf8(const char *text, const char *end)
{
	unsigned int used;

	for (; text < end; text += used) {
		if (evnt_utf8_get(text, end - text, &used) == EVNT_UTF_BAD)
			return false;
	}
	return true;
}

/*
 * Valid UTF-8 is treated as UTF-8, as Linux programs write it.  Other bytes are
 * treated as Windows-1252, the most frequent code page of Windows programs.
 */
static void put_narrow(struct text *t, const u8 *data, u32 len, u16 out)
{
	const char *text = (const char *)data, *end = text + len;

	if (out == TDH_OUTTYPE_UTF8 || out == TDH_OUTTYPE_XML ||
	    out == TDH_OUTTYPE_JSON || is_utf8(text, end)) {
		put_utf8(t, text, len);
		return;
	}
	for (u32 i = 0; i < len; i++)
		put_character(t, data[i] >= 0x80 && data[i] < 0xa0 ?
			      cp1252[data[i] - 0x80] : data[i]);
}

static void put_guid(struct text *t, const u8 *g)
{
	/* Order of the bytes; -1 is a dash */
	static const signed char order[] = {
		3, 2, 1, 0, -1, 5, 4, -1, 7, 6, -1, 8, 9, -1,
		10, 11, 12, 13, 14, 15,
	};

	put_char(t, '{');
	for (u32 i = 0; i < sizeof(order); i++) {
		if (order[i] < 0)
			put_char(t, '-');
		else
			put_hex_byte(t, g[order[i]]);
	}
	put_char(t, '}');
}

/* Append a time up to its seconds; @parts: from the month on */
static void put_time(struct text *t, u32 year, const u32 parts[5])
{
	static const char separators[] = "--T::";

	put_padded(t, year, 4);
	for (u32 i = 0; i < 5; i++) {
		put_char(t, separators[i]);
		put_padded(t, parts[i], 2);
	}
	put_char(t, '.');
}

static void put_filetime(struct text *t, u64 filetime)
{
	time_t seconds = (time_t)(filetime / TICKS_PER_SECOND) -
			 (time_t)(UNIX_EPOCH / TICKS_PER_SECOND);
	struct tm tm;

	if (!gmtime_r(&seconds, &tm)) {
		put_unsigned(t, filetime);
		return;
	}
	put_time(t, tm.tm_year + 1900, (const u32[]) {
		tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec,
	});
	put_padded(t, filetime % TICKS_PER_SECOND, 7);
	put_char(t, 'Z');
}

/* The time zone is unknown, unless the manifest specifies UTC */
static void put_systemtime(struct text *t, const u8 *p, u16 out)
{
	put_time(t, get_u16(p), (const u32[]) {
		get_u16(p + 2), get_u16(p + 6), get_u16(p + 8), get_u16(p + 10),
		get_u16(p + 12),
	});
	put_padded(t, get_u16(p + 14), 3);
	if (out == TDH_OUTTYPE_DATETIME_UTC)
		put_char(t, 'Z');
}

/* A SID: revision, count, big-endian authority of 6 bytes, and @count u32 */
static void put_sid(struct text *t, const struct value *v)
{
	const u8 *sid = v->data;
	u64 authority = 0;

	/* A token may have no SID */
	if (!v->len)
		return;

	for (int i = 2; i < 8; i++)
		authority = authority << 8 | sid[i];
	put_ascii(t, "S-");
	put_unsigned(t, sid[0]);
	put_char(t, '-');
	if (authority >> 32)
		put_hex(t, authority);
	else
		put_unsigned(t, authority);
	for (int i = 0; i < sid[1]; i++) {
		put_char(t, '-');
		put_unsigned(t, get_u32(sid + 8 + 4 * i));
	}
}

static void put_ip(struct text *t, int family, const u8 *address)
{
	char ascii[INET6_ADDRSTRLEN] = "";

	inet_ntop(family, address, ascii, sizeof(ascii));
	put_ascii(t, ascii);
}

/* Address families and sizes of Windows */
#define SOCKADDR_INET		2
#define SOCKADDR_INET6		23
#define SOCKADDR_INET_SIZE	8
#define SOCKADDR_INET6_SIZE	28

static bool put_socket_address(struct text *t, const u8 *data, u32 len)
{
	u16 family = len >= 2 ? get_u16(data) : 0;

	if (family == SOCKADDR_INET && len >= SOCKADDR_INET_SIZE) {
		put_ip(t, AF_INET, data + 4);
		put_char(t, ':');
		put_unsigned(t, data[2] << 8 | data[3]);
		return true;
	}
	if ((family == SOCKADDR_INET6 || family == AF_INET6) &&
	    len >= SOCKADDR_INET6_SIZE - 4) {
		put_char(t, '[');
		put_ip(t, AF_INET6, data + 8);
		if (len >= SOCKADDR_INET6_SIZE && get_u32(data + 24)) {
			put_char(t, '%');
			put_unsigned(t, get_u32(data + 24));
		}
		put_ascii(t, "]:");
		put_unsigned(t, data[2] << 8 | data[3]);
		return true;
	}
	return false;
}

static void put_binary(struct text *t, const struct value *v, u16 out)
{
	if (out == TDH_OUTTYPE_IPV6 && v->len == 16)
		put_ip(t, AF_INET6, v->data);
	else if (out == TDH_OUTTYPE_IPV4 && v->len == 4)
		put_ip(t, AF_INET, v->data);
	else if (out != TDH_OUTTYPE_SOCKETADDRESS ||
		 !put_socket_address(t, v->data, v->len))
		put_hex_bytes(t, v->data, v->len);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static locale_t plain;

static void make_plain(void)
{
	plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
}

static void put_float(struct text *t, const struct value *v)
{
	bool single = v->len == sizeof(float);
	int digits = single ? 6 : 15, most = digits + 3;
	locale_t old = (locale_t)0;
	char ascii[64];
	double d, again;
	float f;

	if (single)
		memcpy(&f, v->data, sizeof(f));
	else
		memcpy(&d, v->data, sizeof(d));
	if (single)
		d = f;
	if (isnan(d)) {
		put_ascii(t, "nan");
		return;
	}
	/* The locale of the program may have another decimal point */
	pthread_once(&once, make_plain);
	if (plain)
		old = uselocale(plain);
	/* Print the fewest digits that convert back to the number */
	do {
		snprintf(ascii, sizeof(ascii), "%.*g", digits, d);
		again = single ? (double)strtof(ascii, NULL) :
				 strtod(ascii, NULL);
	} while (again != d && ++digits <= most);
	put_ascii(t, ascii);
	if (plain)
		uselocale(old);
}

static u64 integer_of(const struct value *v)
{
	u64 number = 0;

	memcpy(&number, v->data, v->len < 8 ? v->len : 8);
	return number;
}

static void put_integer(struct text *t, u16 in, u16 out, const struct value *v)
{
	u64 number = integer_of(v);
	int shift = 64 - 8 * (int)v->len;

	switch (value_shown_as(in, out, v->len)) {
	case TDH_OUTTYPE_STRING:
		if (number && v->len == 2)
			put_utf16(t, v->data, 2);
		else if (number)
			put_character(t, number);
		break;
	case TDH_OUTTYPE_BOOLEAN:
		put_ascii(t, number ? "true" : "false");
		break;
	case TDH_OUTTYPE_BYTE:
	case TDH_OUTTYPE_SHORT:
	case TDH_OUTTYPE_INT:
	case TDH_OUTTYPE_LONG:
		put_signed(t, (int64_t)(number << shift) >> shift);
		break;
	case TDH_OUTTYPE_PORT:
		put_unsigned(t, v->data[0] << 8 | v->data[1]);
		break;
	case TDH_OUTTYPE_IPV4:
		put_ip(t, AF_INET, v->data);
		break;
	case TDH_OUTTYPE_DATETIME:
	case TDH_OUTTYPE_CIMDATETIME:
	case TDH_OUTTYPE_CULTURE_INSENSITIVE_DATETIME:
	case TDH_OUTTYPE_DATETIME_UTC:
		put_filetime(t, number);
		break;
	case TDH_OUTTYPE_HEXINT8 ... TDH_OUTTYPE_HEXINT64:
	case TDH_OUTTYPE_ERRORCODE ... TDH_OUTTYPE_HRESULT:
	case TDH_OUTTYPE_CODE_POINTER:
		put_hex(t, number);
		break;
	default:
		put_unsigned(t, number);
	}
}

static void put_value(struct text *t, u16 in, u16 out, const struct value *v)
{
	if (out == TDH_OUTTYPE_NOPRINT || in == TDH_INTYPE_NULL)
		return;
	if (value_is_integer(in))
		put_integer(t, in, out, v);
	else if (value_is_wide(in))
		put_utf16(t, v->data, v->len);
	else if (value_is_narrow(in))
		put_narrow(t, v->data, v->len, out);
	else if (in == TDH_INTYPE_FLOAT || in == TDH_INTYPE_DOUBLE)
		put_float(t, v);
	else if (in == TDH_INTYPE_GUID)
		put_guid(t, v->data);
	else if (in == TDH_INTYPE_FILETIME)
		put_filetime(t, get_u64(v->data));
	else if (in == TDH_INTYPE_SYSTEMTIME)
		put_systemtime(t, v->data, out);
	else if (in == TDH_INTYPE_SID || in == TDH_INTYPE_WBEMSID)
		put_sid(t, v);
	else
		put_binary(t, v, out);
}

/* Append the name of a map entry, without the trailing space of Windows */
static void put_map_name(struct text *t, const EVENT_MAP_INFO *map,
			 const EVENT_MAP_ENTRY *entry)
{
	const u8 *name = (const u8 *)map + entry->OutputOffset;
	u32 len = 0;

	while (get_u16(name + len))
		len += 2;
	while (len && (get_u16(name + len - 2) == ' ' ||
		       get_u16(name + len - 2) == '\n' ||
		       get_u16(name + len - 2) == '\r'))
		len -= 2;
	put_utf16(t, name, len);
}

/* Append the names of the set bits, then the remaining bits in hexadecimal */
static bool put_bits(struct text *t, const EVENT_MAP_INFO *map, u32 number)
{
	bool any = false;

	for (ULONG i = 0; i < map->EntryCount; i++) {
		u32 mask = value_mapped(map, &map->MapEntryArray[i]);

		if (!mask || (number & mask) != mask)
			continue;
		if (any)
			put_char(t, '|');
		put_map_name(t, map, &map->MapEntryArray[i]);
		number &= ~mask;
		any = true;
	}
	if (any && number) {
		put_char(t, '|');
		put_hex(t, number);
	}
	return any;
}

static bool put_mapped(struct text *t, const EVENT_MAP_INFO *map, u16 in,
		       const struct value *v)
{
	u32 number;

	if (!map || !value_is_integer(in) || v->len > 4)
		return false;
	number = integer_of(v);
	if (map->Flag & (EVENTMAP_INFO_FLAG_MANIFEST_BITMAP |
			 EVENTMAP_INFO_FLAG_WBEM_BITMAP |
			 EVENTMAP_INFO_FLAG_WBEM_FLAG) &&
	    put_bits(t, map, number))
		return true;
	if (!(map->Flag & (EVENTMAP_INFO_FLAG_MANIFEST_VALUEMAP |
			   EVENTMAP_INFO_FLAG_MANIFEST_BITMAP |
			   EVENTMAP_INFO_FLAG_WBEM_VALUEMAP)))
		return false;
	for (ULONG i = 0; i < map->EntryCount; i++) {
		if (map->MapEntryArray[i].Value != number)
			continue;
		put_map_name(t, map, &map->MapEntryArray[i]);
		return true;
	}
	return false;
}

static void put_text(struct text *t, const EVENT_MAP_INFO *map,
		     const struct value_type *type, const struct value *v)
{
	if (!put_mapped(t, map, type->in, v))
		put_value(t, type->in, type->out, v);
	put_nul(t);
}

/**
 * TdhFormatProperty() - format a value as text
 * @EventInfo: description of the event from TdhGetEventInformation()
 * @MapInfo: map of the property from TdhGetEventMapInformation(), or NULL
 * @PointerSize: size of a pointer in the process that wrote the event, 4 or 8
 * @PropertyInType: TDH_INTYPE_*
 * @PropertyOutType: TDH_OUTTYPE_*
 * @PropertyLength: length of a string in characters, of binary data in bytes; 0
 *	for a string that ends at a nul
 * @UserDataLength: number of bytes in the payload from @UserData on
 * @UserData: address of the value
 * @BufferSize: in: size of @Buffer in bytes; out: size of the text, including
 *	its nul
 * @Buffer: receives the text; may be NULL to query the size
 * @UserDataConsumed: out: number of bytes of the payload that the value
 *	occupies
 *
 * The function formats one element of an array at a time.
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhformatproperty
 *
 * Return: ERROR_SUCCESS; ERROR_INSUFFICIENT_BUFFER; ERROR_INVALID_PARAMETER;
 * ERROR_EVT_INVALID_EVENT_DATA if the payload is shorter than the value.
 */
EVNT_PUBLIC TDHSTATUS TdhFormatProperty(PTRACE_EVENT_INFO EventInfo,
					PEVENT_MAP_INFO MapInfo,
					ULONG PointerSize,
					USHORT PropertyInType,
					USHORT PropertyOutType,
					USHORT PropertyLength,
					USHORT UserDataLength, PBYTE UserData,
					PULONG BufferSize, PWCHAR Buffer,
					PUSHORT UserDataConsumed)
{
	struct value_type type = {
		.in = PropertyInType,
		.out = PropertyOutType,
		.length = PropertyLength,
		.has_length = PropertyLength,
		.pointer_size = PointerSize,
	};
	struct text text = { .out = Buffer, .wide = true };
	struct value value;

	if (!EventInfo || !BufferSize || !UserDataConsumed ||
	    (!UserData && UserDataLength) ||
	    (PointerSize != 4 && PointerSize != 8))
		return ERROR_INVALID_PARAMETER;
	if (!value_find(&type, UserData, UserDataLength, &value))
		return ERROR_EVT_INVALID_EVENT_DATA;
	text.room = Buffer ? *BufferSize / sizeof(WCHAR) : 0;
	put_text(&text, MapInfo, &type, &value);
	*BufferSize = text.len * sizeof(WCHAR);
	if (text.len > text.room)
		return ERROR_INSUFFICIENT_BUFFER;
	*UserDataConsumed = value.consumed;
	return ERROR_SUCCESS;
}

/**
 * EvntFormatProperty() - format a value as text in UTF-8
 * @EventInfo: description of the event from TdhGetEventInformation()
 * @MapInfo: map of the property from TdhGetEventMapInformation(), or NULL
 * @PointerSize: size of a pointer in the process that wrote the event, 4 or 8
 * @Property: value from EvntEnumerateProperties()
 * @BufferSize: in: size of @Buffer in bytes; out: size of the text, including
 *	its nul
 * @Buffer: receives the text; may be NULL to query the size
 *
 * The text equals the text of TdhFormatProperty(), except that an unpaired
 * surrogate becomes U+FFFD.
 *
 * Return: the codes of TdhFormatProperty().
 */
EVNT_PUBLIC TDHSTATUS EvntFormatProperty(const TRACE_EVENT_INFO *EventInfo,
					 const EVENT_MAP_INFO *MapInfo,
					 ULONG PointerSize,
					 const EVNT_PROPERTY *Property,
					 PULONG BufferSize, LPSTR Buffer)
{
	struct value_type type = { .pointer_size = PointerSize };
	const EVENT_PROPERTY_INFO *info;
	struct text text = { .out = Buffer };
	struct value value;

	if (!EventInfo || !Property || !BufferSize ||
	    Property->Kind != EvntPropertyValue ||
	    Property->Index >= EventInfo->PropertyCount ||
	    (PointerSize != 4 && PointerSize != 8))
		return ERROR_INVALID_PARAMETER;
	info = &EventInfo->EventPropertyInfoArray[Property->Index];
	type.in = info->nonStructType.InType;
	type.out = info->nonStructType.OutType;
	type.length = Property->Length;
	type.has_length = Property->Length;
	if (!value_find(&type, Property->Data, Property->DataLength, &value))
		return ERROR_EVT_INVALID_EVENT_DATA;
	text.room = Buffer ? *BufferSize : 0;
	put_text(&text, MapInfo, &type, &value);
	*BufferSize = text.len;
	return text.len > text.room ? ERROR_INSUFFICIENT_BUFFER : ERROR_SUCCESS;
}
