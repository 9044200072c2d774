// SPDX-License-Identifier: MIT
/*
 * TdhFormatProperty: each type that a payload may have, with each output type.
 */
#include <stdio.h>

#include "evnttdh.h"
#include "selftests/unit/common/tap.h"
#include "selftests/unit/tdh/tdh_text.h"
#include "selftests/unit/tdh/tdh_golden.h"

static TRACE_EVENT_INFO event_info;

static ULONG format(USHORT in, USHORT out, USHORT length, ULONG pointer,
		    const void *data, USHORT len, WCHAR *text, ULONG *size,
		    USHORT *consumed)
{
	return TdhFormatProperty(&event_info, NULL, pointer, in, out, length,
				 len, (PBYTE)data, size, text, consumed);
}

static USHORT from_hex(const char *hex, u8 *bytes)
{
	USHORT len = 0;
	unsigned int byte;

	for (; sscanf(hex, "%2x", &byte) == 1; hex += 2)
		bytes[len++] = byte;
	return len;
}

static const char *wanted(const struct golden *g, USHORT out)
{
	size_t i;

	if (out == TDH_OUTTYPE_NOPRINT)
		return "";
	for (i = 0; i < EVNT_ARRAY_SIZE(g->other) && g->other[i].text; i++) {
		if (g->other[i].out == out)
			return g->other[i].text;
	}
	return g->text;
}

/* The library's own UTF-8 function returns the same text */
static void test_utf8(const struct golden *g, USHORT out, const u8 *bytes,
		      USHORT len, const char *want)
{
	EVNT_PROPERTY property = {
		.Data = (PBYTE)bytes,
		.DataLength = len,
		.Length = g->length,
	};
	TRACE_EVENT_INFO info = { .PropertyCount = 1 };
	char text[256];
	ULONG size = sizeof(text), needed = 0, code;

	info.EventPropertyInfoArray[0].nonStructType.InType = g->in;
	info.EventPropertyInfoArray[0].nonStructType.OutType = out;
	code = EvntFormatProperty(&info, NULL, 8, &property, &size, text);
	if (g->code) {
		CHECK(code == g->code,
		      "in %u, out %u: a wrong value is an error in UTF-8",
		      g->in, out);
		return;
	}
	CHECK(!code && !strcmp(text, want) && size == strlen(want) + 1,
	      "in %u, out %u: the text is the same in UTF-8", g->in, out);
	code = EvntFormatProperty(&info, NULL, 8, &property, &needed, NULL);
	CHECK(code == ERROR_INSUFFICIENT_BUFFER && needed == size,
	      "in %u, out %u: the size is returned in UTF-8", g->in, out);
}

static void test_pair(const struct golden *g, USHORT out)
{
	u8 bytes[64];
	USHORT len = from_hex(g->bytes, bytes), consumed = 0;
	WCHAR text[128];
	ULONG size = sizeof(text);
	ULONG code = format(g->in, out, g->length, 8, bytes, len, text, &size,
			    &consumed);

	test_utf8(g, out, bytes, len, wanted(g, out));
	if (g->code)
		CHECK(code == g->code,
		      "in %u, out %u: a wrong value is an error", g->in, out);
	else
		CHECK(!code && is_text(text, wanted(g, out)) && consumed <= len,
		      "in %u, out %u", g->in, out);
}

static void test_golden(void)
{
	size_t i;
	int out;

	for (i = 0; i < EVNT_ARRAY_SIZE(golden); i++) {
		for (out = 0; out <= TDH_OUTTYPE_DATETIME_UTC; out++)
			test_pair(&golden[i], out);
		test_pair(&golden[i], TDH_OUTTYPE_REDUCEDSTRING);
		test_pair(&golden[i], TDH_OUTTYPE_NOPRINT);
	}
}

/* A value needs all of its bytes: one less is invalid, except for strings */
static void test_short(void)
{
	WCHAR text[128];
	u8 bytes[64];
	size_t i;

	for (i = 0; i < EVNT_ARRAY_SIZE(golden); i++) {
		const struct golden *g = &golden[i];
		USHORT len = from_hex(g->bytes, bytes), consumed = 0;
		ULONG size = sizeof(text);

		if (!len || g->code)
			continue;
		if (g->in == TDH_INTYPE_UNICODESTRING ||
		    g->in == TDH_INTYPE_ANSISTRING ||
		    g->in == TDH_INTYPE_NONNULLTERMINATEDSTRING ||
		    g->in == TDH_INTYPE_NONNULLTERMINATEDANSISTRING)
			continue;
		/* Learn from @consumed how many bytes the value has */
		format(g->in, 0, g->length, 8, bytes, len, text, &size,
		       &consumed);
		size = sizeof(text);
		CHECK(format(g->in, 0, g->length, 8, bytes, consumed - 1, text,
			     &size, &consumed) == ERROR_EVT_INVALID_EVENT_DATA,
		      "in %u without its last byte", g->in);
	}
}

static void check_text(const char *what, USHORT in, USHORT out, USHORT length,
		       ULONG pointer, const void *data, USHORT len,
		       const char *want, USHORT takes)
{
	USHORT consumed = 0xffff;
	WCHAR text[128];
	ULONG size = sizeof(text);
	ULONG code = format(in, out, length, pointer, data, len, text, &size,
			    &consumed);

	CHECK(!code && is_text(text, want) && consumed == takes &&
	      size == (wide_len(text) + 1) * sizeof(WCHAR),
	      "%s: code %u, takes %u", what, code, consumed);
}

static void test_strings(void)
{
	check_text("ended by nul", TDH_INTYPE_UNICODESTRING, 0, 0, 8,
		   u"ab\0cd", 12, "ab", 6);
	check_text("cut short by the payload", TDH_INTYPE_UNICODESTRING, 0, 0,
		   8, u"ab", 4, "ab", 4);
	check_text("an odd byte at the end", TDH_INTYPE_UNICODESTRING, 0, 0, 8,
		   u"ab", 3, "a", 3);
	check_text("nothing is an empty string", TDH_INTYPE_ANSISTRING, 0, 0,
		   8, "", 0, "", 0);
	check_text("of fixed length", TDH_INTYPE_UNICODESTRING, 0, 3, 8,
		   u"abcd", 8, "abc", 6);
	check_text("of fixed length, filled up", TDH_INTYPE_ANSISTRING, 0, 5,
		   8, "ab\0zz", 5, "ab", 5);
	check_text("UTF-8", TDH_INTYPE_ANSISTRING, 0, 0, 8, "\xe2\x82\xac", 4,
		   "\xe2\x82\xac", 4);
	check_text("Windows-1252", TDH_INTYPE_ANSISTRING, 0, 0, 8, "\x80\x9f",
		   3, "\xe2\x82\xac\xc5\xb8", 3);
	check_text("beyond the BMP", TDH_INTYPE_UNICODESTRING, 0, 0, 8,
		   u"\xd83d\xde00", 6, "\xf0\x9f\x98\x80", 6);
	check_text("a character that is nul", TDH_INTYPE_UINT8,
		   TDH_OUTTYPE_STRING, 0, 8, "", 1, "", 1);
}

static void test_numbers(void)
{
	static const float third = 1.0f / 3, big = 1e30f;
	static const double exact = 1.0 / 3;
	static const u32 zero = 0, nan = 0x7fc00000, infinity = 0xff800000;

	check_text("a pointer of 4 bytes", TDH_INTYPE_POINTER, 0, 0, 4,
		   "\x78\x56\x34\x12", 8, "0x12345678", 4);
	check_text("as few digits as identify it", TDH_INTYPE_FLOAT, 0, 0, 8,
		   &third, 4, "0.33333334", 4);
	check_text("with exponent", TDH_INTYPE_FLOAT, 0, 0, 8, &big, 4, "1e+30",
		   4);
	check_text("a double", TDH_INTYPE_DOUBLE, 0, 0, 8, &exact, 8,
		   "0.3333333333333333", 8);
	check_text("no number", TDH_INTYPE_FLOAT, 0, 0, 8, &nan, 4, "nan", 4);
	check_text("infinity", TDH_INTYPE_FLOAT, 0, 0, 8, &infinity, 4, "-inf",
		   4);
	check_text("false", TDH_INTYPE_BOOLEAN, 0, 0, 8, &zero, 4, "false", 4);
}

/* A SID has at most 15 subauthorities, however many bytes there are */
static void test_long_sid(void)
{
	u8 sid[8 + 4 * 16] = { 1, 15 };
	USHORT consumed;
	WCHAR text[64];
	ULONG size = sizeof(text);

	check_text("a SID of 15 subauthorities", TDH_INTYPE_SID, 0, 0, 8, sid,
		   sizeof(sid), "S-1-0-0-0-0-0-0-0-0-0-0-0-0-0-0-0-0", 68);
	sid[1] = 16;
	CHECK(format(TDH_INTYPE_SID, 0, 0, 8, sid, sizeof(sid), text, &size,
		     &consumed) == ERROR_EVT_INVALID_EVENT_DATA,
	      "a SID of 16 subauthorities is no value");
}

static void test_addresses(void)
{
	static const u8 v6[28] = { 23, 0, 0x1f, 0x90, [8] = 0xfe, 0x80,
				   [23] = 1, 5 };

	check_text("an IPv6 address without its length", TDH_INTYPE_BINARY,
		   TDH_OUTTYPE_IPV6, 0, 8, v6 + 8, 16, "fe80::1", 16);
	check_text("a socket address of IPv6", TDH_INTYPE_BINARY,
		   TDH_OUTTYPE_SOCKETADDRESS, 28, 8, v6, 28,
		   "[fe80::1%5]:8080", 28);
	/* The scope follows the address, and is not part of it */
	check_text("a socket address of IPv6 without a scope",
		   TDH_INTYPE_BINARY, TDH_OUTTYPE_SOCKETADDRESS, 24, 8, v6, 28,
		   "[fe80::1]:8080", 24);
	check_text("too short for a socket address", TDH_INTYPE_BINARY,
		   TDH_OUTTYPE_SOCKETADDRESS, 3, 8, v6, 3, "0x17001F", 3);
	check_text("a SID of a large authority", TDH_INTYPE_SID, 0, 0, 8,
		   "\x01\x01\x01\x00\x00\x00\x00\x05\x07\x00\x00\x00", 12,
		   "S-1-0x10000000005-7", 12);
}

/* A map of two values */
static struct {
	EVENT_MAP_INFO info;
	EVENT_MAP_ENTRY more[2];
	WCHAR names[3][8];
} map = {
	.info = { .EntryCount = 3 },
	.names = { u"One ", u"Two\r\n", u"Eight" },
};

static void check_map(MAP_FLAGS flag, u32 number, const char *want)
{
	static const u32 values[] = { 1, 2, 8 };
	WCHAR text[64];
	ULONG size = sizeof(text);
	USHORT consumed;
	ULONG i, code;

	map.info.Flag = flag;
	for (i = 0; i < 3; i++) {
		EVENT_MAP_ENTRY *entry = (EVENT_MAP_ENTRY *)
			((u8 *)&map + offsetof(EVENT_MAP_INFO, MapEntryArray)) +
			i;

		entry->OutputOffset = (u8 *)map.names[i] - (u8 *)&map;
		entry->Value = values[i];
	}
	code = TdhFormatProperty(&event_info, &map.info, 8, TDH_INTYPE_UINT32,
				 TDH_OUTTYPE_UNSIGNEDINT, 0, 4, (PBYTE)&number,
				 &size, text, &consumed);
	CHECK(!code && is_text(text, want) && consumed == 4,
	      "map %d of %u", (int)flag, number);
}

static void test_maps(void)
{
	check_map(EVENTMAP_INFO_FLAG_MANIFEST_VALUEMAP, 1, "One");
	check_map(EVENTMAP_INFO_FLAG_MANIFEST_VALUEMAP, 2, "Two");
	check_map(EVENTMAP_INFO_FLAG_MANIFEST_VALUEMAP, 3, "3");
	check_map(EVENTMAP_INFO_FLAG_WBEM_VALUEMAP, 8, "Eight");
	check_map(EVENTMAP_INFO_FLAG_MANIFEST_BITMAP, 3, "One|Two");
	check_map(EVENTMAP_INFO_FLAG_MANIFEST_BITMAP, 0x1a, "Two|Eight|0x10");
	check_map(EVENTMAP_INFO_FLAG_MANIFEST_BITMAP, 0, "0");
	check_map(EVENTMAP_INFO_FLAG_MANIFEST_BITMAP, 0x40, "64");
	check_map(EVENTMAP_INFO_FLAG_MANIFEST_PATTERNMAP, 1, "1");
}

static void test_errors(void)
{
	static u8 data[4] = { 42 };
	TRACE_EVENT_INFO *info = &event_info;
	USHORT consumed = 7;
	WCHAR text[8] = u"xxxxxxx";
	ULONG size = sizeof(text);

	CHECK(TdhFormatProperty(NULL, NULL, 8, 8, 0, 0, 4, data, &size, text,
				&consumed) == ERROR_INVALID_PARAMETER,
	      "ERROR_INVALID_PARAMETER: no EventInfo");
	CHECK(TdhFormatProperty(info, NULL, 8, 8, 0, 0, 4, NULL, &size, text,
				&consumed) == ERROR_INVALID_PARAMETER,
	      "ERROR_INVALID_PARAMETER: no UserData");
	CHECK(TdhFormatProperty(info, NULL, 8, 8, 0, 0, 4, data, NULL, text,
				&consumed) == ERROR_INVALID_PARAMETER,
	      "ERROR_INVALID_PARAMETER: no BufferSize");
	CHECK(TdhFormatProperty(info, NULL, 8, 8, 0, 0, 4, data, &size, text,
				NULL) == ERROR_INVALID_PARAMETER,
	      "ERROR_INVALID_PARAMETER: no UserDataConsumed");
	CHECK(TdhFormatProperty(info, NULL, 5, 8, 0, 0, 4, data, &size, text,
				&consumed) == ERROR_INVALID_PARAMETER,
	      "ERROR_INVALID_PARAMETER: pointers of 5 bytes");
	CHECK(TdhFormatProperty(info, NULL, 8, 999, 0, 0, 4, data, &size, text,
				&consumed) == ERROR_EVT_INVALID_EVENT_DATA,
	      "ERROR_EVT_INVALID_EVENT_DATA: no such type");
	size = 4;
	CHECK(TdhFormatProperty(info, NULL, 8, 8, 0, 0, 4, data, &size, text,
				&consumed) == ERROR_INSUFFICIENT_BUFFER &&
	      size == 6 && text[2] == u'x' && consumed == 7,
	      "ERROR_INSUFFICIENT_BUFFER: the size is returned");
	size = 100;
	CHECK(TdhFormatProperty(info, NULL, 8, 8, 0, 0, 4, data, &size, NULL,
				&consumed) == ERROR_INSUFFICIENT_BUFFER &&
	      size == 6, "ERROR_INSUFFICIENT_BUFFER: NULL requests the size");
	CHECK(!TdhFormatProperty(info, NULL, 8, 8, 0, 0, 4, data, &size, text,
				 &consumed) && is_text(text, "42") &&
	      consumed == 4, "a buffer of the exact size is sufficient");
}

static ULONG format_utf8(const TRACE_EVENT_INFO *info, ULONG pointer,
			 const EVNT_PROPERTY *property, ULONG *size)
{
	char text[16];

	return EvntFormatProperty(info, NULL, pointer, property, size, text);
}

static void test_errors_in_utf8(void)
{
	TRACE_EVENT_INFO info = { .PropertyCount = 1 };
	EVNT_PROPERTY property = {
		.Data = (PBYTE)"\x2a\0\0\0",
		.DataLength = 4,
	};
	ULONG size = 16;

	info.EventPropertyInfoArray[0].nonStructType.InType =
		TDH_INTYPE_UINT32;
	CHECK(!format_utf8(&info, 8, &property, &size) && size == 3,
	      "a number in UTF-8");
	size = 2;
	CHECK(format_utf8(&info, 8, &property, &size) ==
	      ERROR_INSUFFICIENT_BUFFER && size == 3,
	      "UTF-8: a buffer without space for the nul is refused");
	CHECK(format_utf8(NULL, 8, &property, &size) ==
	      ERROR_INVALID_PARAMETER,
	      "UTF-8: a missing description is refused");
	CHECK(format_utf8(&info, 8, NULL, &size) == ERROR_INVALID_PARAMETER,
	      "UTF-8: a missing value is refused");
	CHECK(format_utf8(&info, 8, &property, NULL) ==
	      ERROR_INVALID_PARAMETER, "UTF-8: a missing size is refused");
	CHECK(format_utf8(&info, 5, &property, &size) ==
	      ERROR_INVALID_PARAMETER,
	      "UTF-8: pointers of 5 bytes are refused");
	property.DataLength = 3;
	CHECK(format_utf8(&info, 8, &property, &size) ==
	      ERROR_EVT_INVALID_EVENT_DATA,
	      "UTF-8: data that is too short is refused");
	property.Index = 1;
	CHECK(format_utf8(&info, 8, &property, &size) ==
	      ERROR_INVALID_PARAMETER,
	      "UTF-8: a property of no event is refused");
	property.Index = 0;
	property.Kind = EvntPropertyStructBegin;
	CHECK(format_utf8(&info, 8, &property, &size) ==
	      ERROR_INVALID_PARAMETER,
	      "UTF-8: a property without a value is refused");
}

int main(void)
{
	test_golden();
	test_short();
	test_strings();
	test_numbers();
	test_long_sid();
	test_addresses();
	test_maps();
	test_errors();
	test_errors_in_utf8();
	return tap_end();
}
