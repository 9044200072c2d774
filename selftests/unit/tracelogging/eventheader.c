// SPDX-License-Identifier: MIT
/*
 * TraceLogging as sources for Linux have it: what the header of compat/ changes
 * in the macros, byte by byte.  Built as C and as C++ by test_tracelogging.sh.
 */
#include "hooks.h"

#include <eventheader/TraceLoggingProvider.h>

#define E	"00 4500 "

static const unsigned char bytes[16] = {
	1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
};
static const GUID guid = {
	0x01020304, 0x0506, 0x0708, { 9, 10, 11, 12, 13, 14, 15, 16 }
};

static void test_types(void)
{
	static const long longs[] = { -1, 2 };

	CASE(E "6600 09", "feffffffffffffff", "E f=-2",
	     TraceLoggingLong(-2, "f"));
	CASE(E "6600 0a", "0200000001000000", "E f=4294967298",
	     TraceLoggingULong(0x100000002, "f"));
	CASE(E "6600 15", "0200000001000000", "E f=0x100000002",
	     TraceLoggingHexLong(0x100000002, "f"));
	CASE(E "6600 15", "0300000000000000", "E f=0x3",
	     TraceLoggingHexULong(3, "f"));
	CASE(E "6600 49", "0200 ffffffffffffffff0200000000000000",
	     "E f=[-1,2]", TraceLoggingLongArray(longs, 2, "f"));
	CASE(E "6600 0f", "0403020106050807090a0b0c0d0e0f10",
	     "E f=01020304-0506-0708-090a-0b0c0d0e0f10",
	     TraceLoggingGuid(bytes, "f"));
#if __SIZEOF_WCHAR_T__ == 4
	CASE(E "6600 14", "61000000", "E f=0x61",
	     TraceLoggingWChar(L'a', "f"));
	CASE(E "6600 54", "0200 6100000062000000", "E f=[0x61,0x62]",
	     TraceLoggingWideString(L"ab", "f"));
	CASE(E "6600 54", "0100 61000000", "E f=[0x61]",
	     TraceLoggingCountedWideString(L"ab", 1, "f"));
#else
	CASE(E "6600 8602", "6100", "E f/2=97", TraceLoggingWChar(L'a', "f"));
	CASE(E "6600 01", "61006200 0000", "E f=\"ab\"",
	     TraceLoggingWideString(L"ab", "f"));
#endif
}

/* A field of the bytes with this encoding and format */
#define PACKED(size, encoding, format) \
	TraceLoggingPackedFieldEx(bytes, size, event_field_encoding_##encoding, \
				  event_field_format_##format, "f")

static void test_numbers(void)
{
	CASE(E "6600 04", "01", "E f=1",
	     TraceLoggingPackedField(bytes, 1, event_field_encoding_value8,
				     "f"));
	CASE(E "6600 06", "0102", "E f=513", PACKED(2, value16, unsigned_int));
	CASE(E "6600 07", "01020304", "E f=67305985",
	     PACKED(4, value32, signed_int));
	CASE(E "6600 09", "0102030405060708", "E f=578437695752307201",
	     PACKED(8, value64, time));
	CASE(E "6600 07", "01020304", "E f=67305985", PACKED(4, value32, errno));
	CASE(E "6600 8804", "01020304", "E f/4=67305985",
	     PACKED(4, value32, hex_int));
	CASE(E "6600 8604", "0102", "E f/4=513", PACKED(2, value16, hex_bytes));
	CASE(E "6600 8805", "01020304", "E f/5=67305985",
	     PACKED(4, value32, pid));
	CASE(E "6600 8603", "0102", "E f/3=513", PACKED(2, value16, boolean));
	CASE(E "6600 8402", "01", "E f/2=1", PACKED(1, value8, string8));
	CASE(E "6600 8602", "0102", "E f/2=513",
	     PACKED(2, value16, string_utf));
	CASE(E "6600 8607", "0102", "E f/7=513", PACKED(2, value16, port));
	CASE(E "6600 8808", "01020304", "E f/8=67305985",
	     PACKED(4, value32, ip_address));
	CASE(E "6600 0b", "01020304", "E f=1.53999e-36",
	     PACKED(4, value32, float));
	CASE(E "6600 0c", "0102030405060708", "E f=5.4476e-270",
	     PACKED(8, value64, float));
	CASE(E "6600 0f", "0102030405060708090a0b0c0d0e0f10",
	     "E f=04030201-0605-0807-090a-0b0c0d0e0f10",
	     PACKED(16, value128, uuid));
}

static void test_strings(void)
{
	static const unsigned short counted[] = { 2, 'a', 'b', 0 };
	static const unsigned int wide[] = { 'a', 'b', 0 };

	CASE(E "6600 8223", "616200", "E f/35=\"ab\"",
	     TraceLoggingPackedField("ab", 3,
				     event_field_encoding_zstring_char8, "f"));
	CASE(E "6600 820b", "616200", "E f/11=\"ab\"",
	     TraceLoggingPackedFieldEx("ab", 3,
				       event_field_encoding_zstring_char8,
				       event_field_format_string_xml, "f"));
	CASE(E "6600 01", "61006200 0000", "E f=\"ab\"",
	     TraceLoggingPackedField(counted + 1, 6,
				     event_field_encoding_zstring_char16, "f"));
	CASE(E "6600 810c", "61006200 0000", "E f/12=\"ab\"",
	     TraceLoggingPackedFieldEx(counted + 1, 6,
				       event_field_encoding_zstring_char16,
				       event_field_format_string_json, "f"));
	CASE(E "6600 54", "0300 610000006200000000000000",
	     "E f=[0x61,0x62,0x0]",
	     TraceLoggingPackedField(wide, sizeof(wide),
				     event_field_encoding_zstring_char32, "f"));
	CASE(E "6600 9723", "0200 6162", "E f/35=\"ab\"",
	     TraceLoggingPackedField("\2\0ab", 4,
				     event_field_encoding_string_length16_char8,
				     "f"));
	CASE(E "6600 c602", "0200 61006200", "E f/2=[97,98]",
	     TraceLoggingPackedField(counted, 6,
				     event_field_encoding_string_length16_char16,
				     "f"));
	CASE(E "6600 54", "0100 61000000", "E f=[0x61]",
	     TraceLoggingPackedField("\1\0a\0\0\0", 6,
				     event_field_encoding_string_length16_char32,
				     "f"));
	CASE(E "6600 19", "0200 6162", "E f=<6162>",
	     TraceLoggingPackedField("\2\0ab", 4,
				     event_field_encoding_binary_length16_char8,
				     "f"));
	CASE(E "6600 c8847f", "0200 0100000002000000", "E f/4#fe00000=[1,2]",
	     TraceLoggingPackedMetadataEx(event_field_encoding_value32 |
					  event_field_encoding_varray_flag,
					  event_field_format_hex_int, "f",
					  "text", 0xfe00000),
	     TraceLoggingPackedData("\2\0\1\0\0\0\2\0\0\0", 10));
}

static void test_ids(void)
{
	TraceLoggingWriteActivity(provider, "E", bytes, NULL,
				  TraceLoggingLevel(event_level_warning),
				  TraceLoggingOpcode(event_opcode_reply));
	CHECK(written.has_activity && !written.has_related &&
	      !memcmp(&written.activity, &guid, sizeof(guid)) &&
	      written.descriptor.Level == 3 && written.descriptor.Opcode == 6,
	      "an activity is 16 bytes, in the order of RFC 4122");
	TraceLoggingWriteActivity(provider, "E", NULL, bytes);
	CHECK(!written.has_activity && written.has_related &&
	      !memcmp(&written.related, &guid, sizeof(guid)),
	      "and so is a related activity");
	written.count = 0;
}

int main(void)
{
	test_provider();
	callback(NULL, 1, 0, ~0ull, 0);
	test_types();
	test_numbers();
	test_strings();
	test_ids();
	test_unregister();
	return tap_end();
}
