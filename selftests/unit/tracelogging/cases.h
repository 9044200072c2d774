/* SPDX-License-Identifier: MIT */
/*
 * An event for each macro of TraceLoggingProvider.h, and its expected contents.
 *
 *	CASE(schema, data, text, fields...)
 *
 * writes an event "E" with these fields. schema contains the bytes of its
 * metadata after the first two, which are its size; data contains its payload;
 * text is tlg_decode()'s result for both.  All three were written from the
 * format's description.  In C and C++.
 */
#ifndef EVNT_TEST_TLG_CASES_H
#define EVNT_TEST_TLG_CASES_H

#include <uchar.h>

/* No tag, the event's name */
#define E	"00 4500 "

#ifdef __cplusplus
#define WIDE_CHAR	((WCHAR)67)
#else
#define WIDE_CHAR	67
#endif

struct test_buffer {
	USHORT Length;
	USHORT MaximumLength;
	char *Buffer;
};

static const INT8 i8[] = { -1, 2, 3 };
static const UINT8 u8[] = { 1, 2, 255 };
static const INT16 i16[] = { -1, 2, 3 };
static const UINT16 u16[] = { 1, 2, 65535 };
static const INT32 i32[] = { -1, 2, 3 };
static const UINT32 u32[] = { 1, 2, 0xffffffff };
static const int64_t i64[] = { -1, 2, 3 };
static const uint64_t u64[] = { 1, 2, 0xffffffffffffffff };
static const INT_PTR ip[] = { -1, 2, 3 };
static const UINT_PTR up[] = { 1, 2, ~(UINT_PTR)0 };
static const FLOAT f32[] = { 1.5f, -2, 0.25f };
static const double f64[] = { 1.5, -2, 0.25 };
static const char c8[] = { 'a', 'b', 'c', 0 };
static const char16_t c16[] = { 'a', 'b', 'c', 0 };
static const char32_t c32[] = { 'a', 0x1f600, 0 };
static const WCHAR wide[] = { 'a', 'b', 'c', 0 };
static const FILETIME ft[] = { { 2, 1 }, { 3, 0 } };
static const SYSTEMTIME st[] = {
	{ 2024, 2, 4, 29, 12, 13, 14, 15 }, { 1601, 1, 1, 1, 0, 0, 0, 0 },
};
static const GUID g[] = {
	{ 0x04030201, 0x0605, 0x0807, { 9, 10, 11, 12, 13, 14, 15, 16 } },
	{ 0xffffffff, 0xffff, 0xffff,
	  { 255, 255, 255, 255, 255, 255, 255, 255 } },
};
/* S-1-5-32-544 */
static const struct {
	SID sid;
	DWORD more;
} administrators = { { 1, 2, { { 0, 0, 0, 0, 0, 5 } }, { 32 } }, 544 };

static void test_scalars(void)
{
	CASE(E "6600 03", "fb", "E f=-5",
	     TraceLoggingInt8(-5, "f"));
	CASE(E "6600 04", "c8", "E f=200",
	     TraceLoggingUInt8(200, "f"));
	CASE(E "6600 05", "d4fe", "E f=-300",
	     TraceLoggingInt16(-300, "f"));
	CASE(E "6600 06", "60ea", "E f=60000",
	     TraceLoggingUInt16(60000, "f"));
	CASE(E "6600 07", "90eefeff", "E f=-70000",
	     TraceLoggingInt32(-70000, "f"));
	CASE(E "6600 08", "00286bee", "E f=4000000000",
	     TraceLoggingUInt32(4000000000u, "f"));
	CASE(E "6600 09", "000efad5feffffff", "E f=-5000000000",
	     TraceLoggingInt64(-5000000000, "f"));
	CASE(E "6600 0a", "0100000000000080", "E f=9223372036854775809",
	     TraceLoggingUInt64(0x8000000000000001ull, "f"));
	CASE(E "6600 09", "faffffffffffffff", "E f=-6",
	     TraceLoggingIntPtr(-6, "f"));
	CASE(E "6600 0a", "0600000000000000", "E f=6",
	     TraceLoggingUIntPtr(6, "f"));
	CASE(E "6600 07", "f9ffffff", "E f=-7",
	     TraceLoggingLong(-7, "f"));
	CASE(E "6600 08", "07000000", "E f=7",
	     TraceLoggingULong(7, "f"));
	CASE(E "6600 8404", "ff", "E f/4=255",
	     TraceLoggingHexInt8(-1, "f"));
	CASE(E "6600 8404", "ff", "E f/4=255",
	     TraceLoggingHexUInt8(255, "f"));
	CASE(E "6600 8604", "ffff", "E f/4=65535",
	     TraceLoggingHexInt16(-1, "f"));
	CASE(E "6600 8604", "cdab", "E f/4=43981",
	     TraceLoggingHexUInt16(0xabcd, "f"));
	CASE(E "6600 14", "ffffffff", "E f=0xffffffff",
	     TraceLoggingHexInt32(-1, "f"));
	CASE(E "6600 14", "efbeadde", "E f=0xdeadbeef",
	     TraceLoggingHexUInt32(0xdeadbeef, "f"));
	CASE(E "6600 15", "feffffffffffffff", "E f=0xfffffffffffffffe",
	     TraceLoggingHexInt64(-2, "f"));
	CASE(E "6600 15", "f0debc9a78563412", "E f=0x123456789abcdef0",
	     TraceLoggingHexUInt64(0x123456789abcdef0ull, "f"));
	CASE(E "6600 15", "fdffffffffffffff", "E f=0xfffffffffffffffd",
	     TraceLoggingHexIntPtr(-3, "f"));
	CASE(E "6600 15", "0300000000000000", "E f=0x3",
	     TraceLoggingHexUIntPtr(3, "f"));
	CASE(E "6600 14", "fcffffff", "E f=0xfffffffc",
	     TraceLoggingHexLong(-4, "f"));
	CASE(E "6600 14", "04000000", "E f=0x4",
	     TraceLoggingHexULong(4, "f"));
	CASE(E "6600 0b", "0000c03f", "E f=1.5",
	     TraceLoggingFloat32(1.5f, "f"));
	CASE(E "6600 0c", "00000000000002c0", "E f=-2.25",
	     TraceLoggingFloat64(-2.25, "f"));
	CASE(E "6600 8403", "01", "E f/3=1",
	     TraceLoggingBoolean(1, "f"));
	CASE(E "6600 0d", "01000000", "E f=true",
	     TraceLoggingBool(TRUE, "f"));
	CASE(E "6600 8402", "41", "E f/2=65",
	     TraceLoggingChar('A', "f"));
	CASE(E "6600 8602", "4200", "E f/2=66",
	     TraceLoggingChar16(u'B', "f"));
	CASE(E "6600 8602", "4300", "E f/2=67",
	     TraceLoggingWChar(WIDE_CHAR, "f"));
	CASE(E "6600 8805", "e1100000", "E f/5=4321",
	     TraceLoggingPid(4321, "f"));
	CASE(E "6600 8806", "e2100000", "E f/6=4322",
	     TraceLoggingTid(4322, "f"));
	CASE(E "6600 8808", "7f000001", "E f/8=16777343",
	     TraceLoggingIPv4Address(0x0100007f, "f"));
	CASE(E "6600 8607", "0050", "E f/7=20480",
	     TraceLoggingPort(0x5000, "f"));
	CASE(E "6600 880d", "05000000", "E f/13=5",
	     TraceLoggingWinError(5, "f"));
	CASE(E "6600 880e", "050000c0", "E f/14=3221225477",
	     TraceLoggingNTStatus((LONG)0xc0000005, "f"));
	CASE(E "6600 870f", "05000780", "E f/15=-2147024891",
	     TraceLoggingHResult((HRESULT)0x80070005, "f"));
	CASE(E "6600 15", "3412000000000000", "E f=0x1234",
	     TraceLoggingPointer((void *)0x1234, "f"));
	CASE(E "6600 9525", "7856000000000000", "E f/37=0x5678",
	     TraceLoggingCodePointer((void *)0x5678, "f"));
	CASE(E "6600 11", "0200000001000000", "E f=4294967298",
	     TraceLoggingFileTime(ft[0], "f"));
	CASE(E "6600 9126", "0200000001000000", "E f/38=4294967298",
	     TraceLoggingFileTimeUtc(ft[0], "f"));
	CASE(E "6600 12", "e807 0200 0400 1d00 0c00 0d00 0e00 0f00",
	     "E f=2024:2:4:29:12:13:14:15", TraceLoggingSystemTime(st[0], "f"));
	CASE(E "6600 9226", "e807 0200 0400 1d00 0c00 0d00 0e00 0f00",
	     "E f/38=2024:2:4:29:12:13:14:15",
	     TraceLoggingSystemTimeUtc(st[0], "f"));
	CASE(E "6600 0f", "0102030405060708090a0b0c0d0e0f10",
	     "E f=04030201-0605-0807-090a-0b0c0d0e0f10",
	     TraceLoggingGuid(g[0], "f"));
	CASE(E "6600 13", "01 02 000000000005 20000000 20020000",
	     "E f=S-1-5-32-544", TraceLoggingSid(&administrators.sid, "f"));
}

static void test_strings(void)
{
	struct test_buffer buffer = { 2, 3, (char *)c8 };

	CASE(E "6600 02", "61626300", "E f=\"abc\"",
	     TraceLoggingString("abc", "f"));
	CASE(E "6600 02", "00", "E f=\"\"", TraceLoggingString(NULL, "f"));
	CASE(E "6600 8223", "c3a400", "E f/35=\"<c3><a4>\"",
	     TraceLoggingUtf8String("\303\244", "f"));
	CASE(E "6600 8223", "00", "E f/35=\"\"",
	     TraceLoggingUtf8String(NULL, "f"));
	CASE(E "6600 01", "610062000000", "E f=\"ab\"",
	     TraceLoggingString16(u"ab", "f"));
	CASE(E "6600 01", "0000", "E f=\"\"", TraceLoggingString16(NULL, "f"));
	CASE(E "6600 01", "6100620063000000", "E f=\"abc\"",
	     TraceLoggingWideString(wide, "f"));
	CASE(E "6600 01", "0000", "E f=\"\"",
	     TraceLoggingWideString(NULL, "f"));
	CASE(E "6600 17", "0200 6162", "E f=\"ab\"",
	     TraceLoggingCountedString(c8, 2, "f"));
	CASE(E "6600 9723", "0200 6162", "E f/35=\"ab\"",
	     TraceLoggingCountedUtf8String(c8, 2, "f"));
	CASE(E "6600 16", "0400 61006200", "E f=\"ab\"",
	     TraceLoggingCountedString16(c16, 2, "f"));
	CASE(E "6600 16", "0400 61006200", "E f=\"ab\"",
	     TraceLoggingCountedWideString(wide, 2, "f"));
	CASE(E "6600 17", "0000", "E f=\"\"",
	     TraceLoggingCountedString((char *)NULL, 0, "f"));
	CASE(E "6600 17", "0000", "E f=\"\"",
	     TraceLoggingCountedString(NULL, 0, "f"));
	CASE(E "6600 16", "0000", "E f=\"\"",
	     TraceLoggingCountedString16(NULL, 0, "f"));
	CASE(E "6600 17", "0200 6162", "E f=\"ab\"",
	     TraceLoggingAnsiString(&buffer, "f"));
	CASE(E "6600 16", "0200 6162", "E f=\"<6261>\"",
	     TraceLoggingUnicodeString(&buffer, "f"));
	CASE(E "6600 0e", "0200 6162", "E f=<6162>",
	     TraceLoggingBinaryBuffer(&buffer, struct test_buffer, "f"));
	CASE(E "6600 8e24", "0200 6162", "E f/36=<6162>",
	     TraceLoggingBinaryBufferEx(&buffer, struct test_buffer,
					TlgOutPKCS7_WITH_TYPE_INFO, "f"));
}

/* Macros that TraceLogging for Linux has and Windows does not */
static void test_linux(void)
{
	CASE(E "6600 07", "0d000000", "E f=13", TraceLoggingErrno(13, "f"));
	CASE(E "6600 9126", "00803ed5deb19d01",
	     "E f/38=116444736000000000", TraceLoggingTime32(0, "f"));
	CASE(E "6600 9126", "80e9a5d4deb19d01",
	     "E f/38=116444735990000000", TraceLoggingTime32(-1, "f"));
	CASE(E "6600 9126", "8096980000000000",
	     "E f/38=10000000", TraceLoggingTime64(-11644473599, "f"));
	CASE(E "6600 9126", "0000000000000000",
	     "E f/38=0", TraceLoggingTime64(-11644473601, "f"));
	CASE(E "6600 9126", "8020b7ffffffff7f",
	     "E f/38=9223372036850000000",
	     TraceLoggingTime64(910692730085, "f"));
	CASE(E "6600 9126", "ffffffffffffff7f",
	     "E f/38=9223372036854775807",
	     TraceLoggingTime64(910692730086, "f"));
	CASE(E "6600 14", "00f60100", "E f=0x1f600",
	     TraceLoggingChar32(U'\U0001f600', "f"));
	CASE(E "6600 54", "0200 6100000000f60100", "E f=[0x61,0x1f600]",
	     TraceLoggingString32(c32, "f"));
	CASE(E "6600 54", "0000", "E f=[]", TraceLoggingString32(NULL, "f"));
	CASE(E "6600 54", "0100 61000000", "E f=[0x61]",
	     TraceLoggingCountedString32(c32, 1, "f"));
	CASE(E "6600 54", "0100 61000000", "E f=[0x61]",
	     TraceLoggingChar32Array(c32, 1, "f"));
	CASE(E "6600 34 0200", "6100000000f60100", "E f=[0x61,0x1f600]",
	     TraceLoggingChar32FixedArray(c32, 2, "f"));
	CASE(E "6600 c805", "0200 0100000002000000", "E f/5=[1,2]",
	     TraceLoggingPidArray(u32, 2, "f"));
	CASE(E "6600 a805 0200", "0100000002000000", "E f/5=[1,2]",
	     TraceLoggingPidFixedArray(u32, 2, "f"));
	CASE(E "6600 c607", "0200 01000200", "E f/7=[1,2]",
	     TraceLoggingPortArray(u16, 2, "f"));
	CASE(E "6600 a607 0200", "01000200", "E f/7=[1,2]",
	     TraceLoggingPortFixedArray(u16, 2, "f"));
	CASE(E "6600 47", "0200 ffffffff02000000", "E f=[-1,2]",
	     TraceLoggingErrnoArray(i32, 2, "f"));
	CASE(E "6600 27 0200", "ffffffff02000000", "E f=[-1,2]",
	     TraceLoggingErrnoFixedArray(i32, 2, "f"));
	CASE(E "6600 47", "0200 ffffffff02000000", "E f=[-1,2]",
	     TraceLoggingTime32Array(i32, 2, "f"));
	CASE(E "6600 27 0200", "ffffffff02000000", "E f=[-1,2]",
	     TraceLoggingTime32FixedArray(i32, 2, "f"));
	CASE(E "6600 49", "0100 ffffffffffffffff", "E f=[-1]",
	     TraceLoggingTime64Array(i64, 1, "f"));
	CASE(E "6600 29 0100", "ffffffffffffffff", "E f=[-1]",
	     TraceLoggingTime64FixedArray(i64, 1, "f"));
#ifdef __cplusplus
	CASE(E "6600 14", "61000000", "E f=0x61",
	     TraceLoggingValue(U'a', "f"));
	CASE(E "6600 54 6700 07", "0200 6100000000f60100 05000000",
	     "E f=[0x61,0x1f600] g=5", TraceLoggingValue(c32, "f"),
	     TraceLoggingValue(5, "g"));
	CASE(E "6600 54", "0000", "E f=[]",
	     TraceLoggingValue((const char32_t *)NULL, "f"));
#endif
}

static void test_binary(void)
{
	CASE(E "6600 0e", "0300 010203", "E f=<010203>",
	     TraceLoggingBinary("\1\2\3", 3, "f"));
	CASE(E "6600 0e", "0000", "E f=<>", TraceLoggingBinary(NULL, 0, "f"));
	CASE(E "6600 8e24", "0200 0102", "E f/36=<0102>",
	     TraceLoggingBinaryEx("\1\2", 2, TlgOutPKCS7_WITH_TYPE_INFO, "f"));
	CASE(E "6600 8e09", "1000 0102030405060708090a0b0c0d0e0f10",
	     "E f/9=<0102030405060708090a0b0c0d0e0f10>",
	     TraceLoggingIPv6Address(&g[0], "f"));
	CASE(E "6600 8e0a", "0800 0200 0050 7f000001",
	     "E f/10=<020000507f000001>",
	     TraceLoggingSocketAddress("\2\0\0\120\177\0\0\1", 8, "f"));
	CASE(E "6600 65 0300 0a0b0c", "0200 6162",
	     "E f=protocol5(3)0a0b0c<6162>",
	     TraceLoggingCustom(c8, 2, 5, (10, 11, 12), 3, "f"));
	CASE(E "6600 e5 80 01 0300 0a0b0c", "0200 6162",
	     "E f#200000=protocol5(3)0a0b0c<6162>",
	     TraceLoggingCustom(c8, 2, 5, (10, 11, 12), 3, "f", "it",
				0x200000));
}

static void test_arrays(void)
{
	/* Numbers, as pointers */
	static void *const p[] = { (void *)0x1234, NULL, (void *)0x5678 };

	CASE(E "6600 43", "0300 ff0203",
	     "E f=[-1,2,3]",
	     TraceLoggingInt8Array(i8, 3, "f"));
	CASE(E "6600 23 0300", "ff0203",
	     "E f=[-1,2,3]",
	     TraceLoggingInt8FixedArray(i8, 3, "f"));
	CASE(E "6600 44", "0300 0102ff",
	     "E f=[1,2,255]",
	     TraceLoggingUInt8Array(u8, 3, "f"));
	CASE(E "6600 24 0300", "0102ff",
	     "E f=[1,2,255]",
	     TraceLoggingUInt8FixedArray(u8, 3, "f"));
	CASE(E "6600 45", "0300 ffff02000300",
	     "E f=[-1,2,3]",
	     TraceLoggingInt16Array(i16, 3, "f"));
	CASE(E "6600 25 0300", "ffff02000300",
	     "E f=[-1,2,3]",
	     TraceLoggingInt16FixedArray(i16, 3, "f"));
	CASE(E "6600 46", "0300 01000200ffff",
	     "E f=[1,2,65535]",
	     TraceLoggingUInt16Array(u16, 3, "f"));
	CASE(E "6600 26 0300", "01000200ffff",
	     "E f=[1,2,65535]",
	     TraceLoggingUInt16FixedArray(u16, 3, "f"));
	CASE(E "6600 47", "0300 ffffffff0200000003000000",
	     "E f=[-1,2,3]",
	     TraceLoggingInt32Array(i32, 3, "f"));
	CASE(E "6600 27 0300", "ffffffff0200000003000000",
	     "E f=[-1,2,3]",
	     TraceLoggingInt32FixedArray(i32, 3, "f"));
	CASE(E "6600 48", "0300 0100000002000000ffffffff",
	     "E f=[1,2,4294967295]",
	     TraceLoggingUInt32Array(u32, 3, "f"));
	CASE(E "6600 28 0300", "0100000002000000ffffffff",
	     "E f=[1,2,4294967295]",
	     TraceLoggingUInt32FixedArray(u32, 3, "f"));
	CASE(E "6600 49", "0300 ffffffffffffffff02000000000000000300000000000000",
	     "E f=[-1,2,3]",
	     TraceLoggingInt64Array(i64, 3, "f"));
	CASE(E "6600 29 0300", "ffffffffffffffff02000000000000000300000000000000",
	     "E f=[-1,2,3]",
	     TraceLoggingInt64FixedArray(i64, 3, "f"));
	CASE(E "6600 4a", "0300 01000000000000000200000000000000ffffffffffffffff",
	     "E f=[1,2,18446744073709551615]",
	     TraceLoggingUInt64Array(u64, 3, "f"));
	CASE(E "6600 2a 0300", "01000000000000000200000000000000ffffffffffffffff",
	     "E f=[1,2,18446744073709551615]",
	     TraceLoggingUInt64FixedArray(u64, 3, "f"));
	CASE(E "6600 49", "0300 ffffffffffffffff02000000000000000300000000000000",
	     "E f=[-1,2,3]",
	     TraceLoggingIntPtrArray(ip, 3, "f"));
	CASE(E "6600 29 0300", "ffffffffffffffff02000000000000000300000000000000",
	     "E f=[-1,2,3]",
	     TraceLoggingIntPtrFixedArray(ip, 3, "f"));
	CASE(E "6600 4a", "0300 01000000000000000200000000000000ffffffffffffffff",
	     "E f=[1,2,18446744073709551615]",
	     TraceLoggingUIntPtrArray(up, 3, "f"));
	CASE(E "6600 2a 0300", "01000000000000000200000000000000ffffffffffffffff",
	     "E f=[1,2,18446744073709551615]",
	     TraceLoggingUIntPtrFixedArray(up, 3, "f"));
	CASE(E "6600 47", "0300 ffffffff0200000003000000",
	     "E f=[-1,2,3]",
	     TraceLoggingLongArray(i32, 3, "f"));
	CASE(E "6600 27 0300", "ffffffff0200000003000000",
	     "E f=[-1,2,3]",
	     TraceLoggingLongFixedArray(i32, 3, "f"));
	CASE(E "6600 48", "0300 0100000002000000ffffffff",
	     "E f=[1,2,4294967295]",
	     TraceLoggingULongArray(u32, 3, "f"));
	CASE(E "6600 28 0300", "0100000002000000ffffffff",
	     "E f=[1,2,4294967295]",
	     TraceLoggingULongFixedArray(u32, 3, "f"));
	CASE(E "6600 c404", "0300 ff0203",
	     "E f/4=[255,2,3]",
	     TraceLoggingHexInt8Array(i8, 3, "f"));
	CASE(E "6600 a404 0300", "ff0203",
	     "E f/4=[255,2,3]",
	     TraceLoggingHexInt8FixedArray(i8, 3, "f"));
	CASE(E "6600 c404", "0300 0102ff",
	     "E f/4=[1,2,255]",
	     TraceLoggingHexUInt8Array(u8, 3, "f"));
	CASE(E "6600 a404 0300", "0102ff",
	     "E f/4=[1,2,255]",
	     TraceLoggingHexUInt8FixedArray(u8, 3, "f"));
	CASE(E "6600 c604", "0300 ffff02000300",
	     "E f/4=[65535,2,3]",
	     TraceLoggingHexInt16Array(i16, 3, "f"));
	CASE(E "6600 a604 0300", "ffff02000300",
	     "E f/4=[65535,2,3]",
	     TraceLoggingHexInt16FixedArray(i16, 3, "f"));
	CASE(E "6600 c604", "0300 01000200ffff",
	     "E f/4=[1,2,65535]",
	     TraceLoggingHexUInt16Array(u16, 3, "f"));
	CASE(E "6600 a604 0300", "01000200ffff",
	     "E f/4=[1,2,65535]",
	     TraceLoggingHexUInt16FixedArray(u16, 3, "f"));
	CASE(E "6600 54", "0300 ffffffff0200000003000000",
	     "E f=[0xffffffff,0x2,0x3]",
	     TraceLoggingHexInt32Array(i32, 3, "f"));
	CASE(E "6600 34 0300", "ffffffff0200000003000000",
	     "E f=[0xffffffff,0x2,0x3]",
	     TraceLoggingHexInt32FixedArray(i32, 3, "f"));
	CASE(E "6600 54", "0300 0100000002000000ffffffff",
	     "E f=[0x1,0x2,0xffffffff]",
	     TraceLoggingHexUInt32Array(u32, 3, "f"));
	CASE(E "6600 34 0300", "0100000002000000ffffffff",
	     "E f=[0x1,0x2,0xffffffff]",
	     TraceLoggingHexUInt32FixedArray(u32, 3, "f"));
	CASE(E "6600 55", "0300 ffffffffffffffff02000000000000000300000000000000",
	     "E f=[0xffffffffffffffff,0x2,0x3]",
	     TraceLoggingHexInt64Array(i64, 3, "f"));
	CASE(E "6600 35 0300", "ffffffffffffffff02000000000000000300000000000000",
	     "E f=[0xffffffffffffffff,0x2,0x3]",
	     TraceLoggingHexInt64FixedArray(i64, 3, "f"));
	CASE(E "6600 55", "0300 01000000000000000200000000000000ffffffffffffffff",
	     "E f=[0x1,0x2,0xffffffffffffffff]",
	     TraceLoggingHexUInt64Array(u64, 3, "f"));
	CASE(E "6600 35 0300", "01000000000000000200000000000000ffffffffffffffff",
	     "E f=[0x1,0x2,0xffffffffffffffff]",
	     TraceLoggingHexUInt64FixedArray(u64, 3, "f"));
	CASE(E "6600 55", "0300 ffffffffffffffff02000000000000000300000000000000",
	     "E f=[0xffffffffffffffff,0x2,0x3]",
	     TraceLoggingHexIntPtrArray(ip, 3, "f"));
	CASE(E "6600 35 0300", "ffffffffffffffff02000000000000000300000000000000",
	     "E f=[0xffffffffffffffff,0x2,0x3]",
	     TraceLoggingHexIntPtrFixedArray(ip, 3, "f"));
	CASE(E "6600 55", "0300 01000000000000000200000000000000ffffffffffffffff",
	     "E f=[0x1,0x2,0xffffffffffffffff]",
	     TraceLoggingHexUIntPtrArray(up, 3, "f"));
	CASE(E "6600 35 0300", "01000000000000000200000000000000ffffffffffffffff",
	     "E f=[0x1,0x2,0xffffffffffffffff]",
	     TraceLoggingHexUIntPtrFixedArray(up, 3, "f"));
	CASE(E "6600 54", "0300 ffffffff0200000003000000",
	     "E f=[0xffffffff,0x2,0x3]",
	     TraceLoggingHexLongArray(i32, 3, "f"));
	CASE(E "6600 34 0300", "ffffffff0200000003000000",
	     "E f=[0xffffffff,0x2,0x3]",
	     TraceLoggingHexLongFixedArray(i32, 3, "f"));
	CASE(E "6600 54", "0300 0100000002000000ffffffff",
	     "E f=[0x1,0x2,0xffffffff]",
	     TraceLoggingHexULongArray(u32, 3, "f"));
	CASE(E "6600 34 0300", "0100000002000000ffffffff",
	     "E f=[0x1,0x2,0xffffffff]",
	     TraceLoggingHexULongFixedArray(u32, 3, "f"));
	CASE(E "6600 4b", "0300 0000c03f000000c00000803e",
	     "E f=[1.5,-2,0.25]",
	     TraceLoggingFloat32Array(f32, 3, "f"));
	CASE(E "6600 2b 0300", "0000c03f000000c00000803e",
	     "E f=[1.5,-2,0.25]",
	     TraceLoggingFloat32FixedArray(f32, 3, "f"));
	CASE(E "6600 4c", "0300 000000000000f83f00000000000000c0000000000000d03f",
	     "E f=[1.5,-2,0.25]",
	     TraceLoggingFloat64Array(f64, 3, "f"));
	CASE(E "6600 2c 0300", "000000000000f83f00000000000000c0000000000000d03f",
	     "E f=[1.5,-2,0.25]",
	     TraceLoggingFloat64FixedArray(f64, 3, "f"));
	CASE(E "6600 c403", "0300 0102ff",
	     "E f/3=[1,2,255]",
	     TraceLoggingBooleanArray(u8, 3, "f"));
	CASE(E "6600 a403 0300", "0102ff",
	     "E f/3=[1,2,255]",
	     TraceLoggingBooleanFixedArray(u8, 3, "f"));
	CASE(E "6600 4d", "0300 ffffffff0200000003000000",
	     "E f=[true,true,true]",
	     TraceLoggingBoolArray(i32, 3, "f"));
	CASE(E "6600 2d 0300", "ffffffff0200000003000000",
	     "E f=[true,true,true]",
	     TraceLoggingBoolFixedArray(i32, 3, "f"));
	CASE(E "6600 c402", "0300 616263",
	     "E f/2=[97,98,99]",
	     TraceLoggingCharArray(c8, 3, "f"));
	CASE(E "6600 a402 0300", "616263",
	     "E f/2=[97,98,99]",
	     TraceLoggingCharFixedArray(c8, 3, "f"));
	CASE(E "6600 c602", "0300 610062006300",
	     "E f/2=[97,98,99]",
	     TraceLoggingChar16Array(c16, 3, "f"));
	CASE(E "6600 a602 0300", "610062006300",
	     "E f/2=[97,98,99]",
	     TraceLoggingChar16FixedArray(c16, 3, "f"));
	CASE(E "6600 c602", "0300 610062006300",
	     "E f/2=[97,98,99]",
	     TraceLoggingWCharArray(wide, 3, "f"));
	CASE(E "6600 a602 0300", "610062006300",
	     "E f/2=[97,98,99]",
	     TraceLoggingWCharFixedArray(wide, 3, "f"));
	CASE(E "6600 55", "0300 341200000000000000000000000000007856000000000000",
	     "E f=[0x1234,0x0,0x5678]",
	     TraceLoggingPointerArray(p, 3, "f"));
	CASE(E "6600 35 0300", "341200000000000000000000000000007856000000000000",
	     "E f=[0x1234,0x0,0x5678]",
	     TraceLoggingPointerFixedArray(p, 3, "f"));
	CASE(E "6600 d525", "0300 341200000000000000000000000000007856000000000000",
	     "E f/37=[0x1234,0x0,0x5678]",
	     TraceLoggingCodePointerArray(p, 3, "f"));
	CASE(E "6600 b525 0300", "341200000000000000000000000000007856000000000000",
	     "E f/37=[0x1234,0x0,0x5678]",
	     TraceLoggingCodePointerFixedArray(p, 3, "f"));
	CASE(E "6600 51", "0200 02000000010000000300000000000000",
	     "E f=[4294967298,3]",
	     TraceLoggingFileTimeArray(ft, 2, "f"));
	CASE(E "6600 31 0200", "02000000010000000300000000000000",
	     "E f=[4294967298,3]",
	     TraceLoggingFileTimeFixedArray(ft, 2, "f"));
	CASE(E "6600 d126", "0200 02000000010000000300000000000000",
	     "E f/38=[4294967298,3]",
	     TraceLoggingFileTimeUtcArray(ft, 2, "f"));
	CASE(E "6600 b126 0200", "02000000010000000300000000000000",
	     "E f/38=[4294967298,3]",
	     TraceLoggingFileTimeUtcFixedArray(ft, 2, "f"));
	CASE(E "6600 52", "0200 e807020004001d000c000d000e000f0041060100010001000000000000000000",
	     "E f=[2024:2:4:29:12:13:14:15,1601:1:1:1:0:0:0:0]",
	     TraceLoggingSystemTimeArray(st, 2, "f"));
	CASE(E "6600 32 0200", "e807020004001d000c000d000e000f0041060100010001000000000000000000",
	     "E f=[2024:2:4:29:12:13:14:15,1601:1:1:1:0:0:0:0]",
	     TraceLoggingSystemTimeFixedArray(st, 2, "f"));
	CASE(E "6600 d226", "0200 e807020004001d000c000d000e000f0041060100010001000000000000000000",
	     "E f/38=[2024:2:4:29:12:13:14:15,1601:1:1:1:0:0:0:0]",
	     TraceLoggingSystemTimeUtcArray(st, 2, "f"));
	CASE(E "6600 b226 0200", "e807020004001d000c000d000e000f0041060100010001000000000000000000",
	     "E f/38=[2024:2:4:29:12:13:14:15,1601:1:1:1:0:0:0:0]",
	     TraceLoggingSystemTimeUtcFixedArray(st, 2, "f"));
	CASE(E "6600 4f", "0200 0102030405060708090a0b0c0d0e0f10ffffffffffffffffffffffffffffffff",
	     "E f=[04030201-0605-0807-090a-0b0c0d0e0f10,ffffffff-ffff-ffff-ffff-ffffffffffff]",
	     TraceLoggingGuidArray(g, 2, "f"));
	CASE(E "6600 2f 0200", "0102030405060708090a0b0c0d0e0f10ffffffffffffffffffffffffffffffff",
	     "E f=[04030201-0605-0807-090a-0b0c0d0e0f10,ffffffff-ffff-ffff-ffff-ffffffffffff]",
	     TraceLoggingGuidFixedArray(g, 2, "f"));
	CASE(E "6600 47", "0000", "E f=[]",
	     TraceLoggingInt32Array((INT32 *)NULL, 0, "f"));
	CASE(E "6600 47", "0000", "E f=[]",
	     TraceLoggingInt32Array(NULL, 0, "f"));
}

static void test_structures(void)
{
	/* Two elements: a string and a number */
	static const char packed[] = "\2\0one\0\1two\0\2";

	CASE(E "7300 9802 6100 04 6200 02 6300 04",
	     "01 7800 02", "E s={a=1 b=\"x\"} c=2",
	     TraceLoggingStruct(2, "s"), TraceLoggingUInt8(1, "a"),
	     TraceLoggingString("x", "b"), TraceLoggingUInt8(2, "c"));
	CASE(E "7300 9802 7400 9801 6100 04 6200 04", "01 02",
	     "E s={t={a=1} b=2}",
	     TraceLoggingStruct(2, "s", "outside"),
	     TraceLoggingStruct(1, "t", "inside"), TraceLoggingUInt8(1, "a"),
	     TraceLoggingUInt8(2, "b"));
	CASE(E "7300 9881 01 6100 04",
	     "01", "E s#200000={a=1}",
	     TraceLoggingStruct(1, "s", "", 0x200000),
	     TraceLoggingUInt8(1, "a"));
	CASE(E "7300 d802 6100 02 6200 04", "0200 6f6e6500 01 74776f00 02",
	     "E s=[{a=\"one\" b=1},{a=\"two\" b=2}]",
	     TraceLoggingPackedStructArray(2, "s"),
	     TraceLoggingPackedMetadata(TlgInANSISTRING, "a"),
	     TraceLoggingPackedMetadata(TlgInUINT8, "b"),
	     TraceLoggingPackedData(packed, sizeof(packed) - 1));
	CASE(E "7300 9802 6100 8402 6200 04", "41 42", "E s={a/2=65 b=66}",
	     TraceLoggingPackedStruct(2, "s"),
	     TraceLoggingPackedMetadataEx(TlgInUINT8, TlgOutSTRING, "a"),
	     TraceLoggingPackedMetadata(TlgInUINT8, "b"),
	     TraceLoggingPackedData("A", 1), TraceLoggingPackedData("B", 1));
	CASE(E "6600 02", "7800", "E f=\"x\"",
	     TraceLoggingPackedField("x", 2, TlgInANSISTRING, "f"));
	CASE(E "6600 42", "0200 610062 00", "E f=[\"a\",\"b\"]",
	     TraceLoggingPackedField("\2\0a\0b", 6,
				     TlgInANSISTRING | _TlgInVcount, "f"));
	CASE(E "6600 8404", "78", "E f/4=120",
	     TraceLoggingPackedFieldEx("x", 1, TlgInUINT8, TlgOutHEX, "f"));
	CASE(E "6600 04", "78", "E f=120",
	     TraceLoggingPackedMetadata(TlgInUINT8, "f"),
	     TraceLoggingPackedDataEx("x", 1, EVENT_DATA_DESCRIPTOR_TYPE_NONE));
}

/* Names, descriptions and tags, with each number of them */
static void test_options(void)
{
	const INT32 value = 1;
	const char *text = "x";

	CASE(E "76616c756500 07", "01000000", "E value=1",
	     TraceLoggingInt32(value));
	CASE(E "76616c7565202b203100 07", "02000000", "E value + 1=2",
	     TraceLoggingInt32(value + 1));
	CASE(E "6600 07", "01000000", "E f=1",
	     TraceLoggingInt32(value, "f", "described"));
	CASE(E "6600 07", "01000000", "E f=1",
	     TraceLoggingInt32(value, "f", "", 0));
	CASE(E "6600 87 80 01", "01000000", "E f#200000=1",
	     TraceLoggingInt32(value, "f", "", 0x200000));
	CASE(E "6600 87 80 80 01", "01000000", "E f#4000=1",
	     TraceLoggingInt32(value, "f", "", 0x4000));
	CASE(E "6600 87 80 80 80 01", "01000000", "E f#80=1",
	     TraceLoggingInt32(value, "f", "", 0x80));
	CASE(E "6600 87 80 80 80 80 01", "01000000", "E f#1=1",
	     TraceLoggingInt32(value, "f", "", 1));
	CASE(E "6600 87 80 ff ff ff 7f", "01000000", "E f#fffffff=1",
	     TraceLoggingInt32(value, "f", "", 0x0fffffff));
	CASE(E "6600 87 80 81 01", "01000000", "E f#204000=1",
	     TraceLoggingInt32(value, "f", "", 0x204000));
	CASE(E "6600 88 85 01", "01000000", "E f/5#200000=1",
	     TraceLoggingPid(1, "f", "", 0x200000));
	CASE(E "7465787400 17", "0100 78", "E text=\"x\"",
	     TraceLoggingCountedString(text, 1));
	CASE(E "6600 97 80 01", "0100 78", "E f#200000=\"x\"",
	     TraceLoggingCountedString(text, 1, "f", "", 0x200000));
	CASE(E "753800 c4 80 01", "0200 0102",
	     "E u8#200000=[1,2]",
	     TraceLoggingUInt8Array(u8, 2, "u8", "", 0x200000));
	CASE(E "753800 44", "0200 0102", "E u8=[1,2]",
	     TraceLoggingUInt8Array(u8, 2));
	CASE(E "753800 24 0200", "0102", "E u8=[1,2]",
	     TraceLoggingUInt8FixedArray(u8, 2));
	CASE(E "6600 a4 80 01 0200", "0102", "E f#200000=[1,2]",
	     TraceLoggingUInt8FixedArray(u8, 2, "f", "", 0x200000));
	CASE(E "7465787400 0e", "0100 78", "E text=<78>",
	     TraceLoggingBinary(text, 1));
	CASE(E "7465787400 8e24", "0100 78", "E text/36=<78>",
	     TraceLoggingBinaryEx(text, 1, TlgOutPKCS7_WITH_TYPE_INFO));
	CASE(E "7465787400 02", "7800", "E text=\"x\"",
	     TraceLoggingPackedField(text, 2, TlgInANSISTRING));
	CASE(E "7465787400 8223", "7800", "E text/35=\"x\"",
	     TraceLoggingPackedFieldEx(text, 2, TlgInANSISTRING, TlgOutUTF8));
	CASE(E "6600 82 80 01", "7800", "E f#200000=\"x\"",
	     TraceLoggingPackedField(text, 2, TlgInANSISTRING, "f", "",
				     0x200000));
	CASE(E "6600 82 80 01", "7800", "E f#200000=\"x\"",
	     TraceLoggingPackedMetadata(TlgInANSISTRING, "f", "", 0x200000),
	     TraceLoggingPackedData(text, 2));
	CASE(E "7465787400 65 0100 09", "0100 78",
	     "E text=protocol5(1)09<78>",
	     TraceLoggingCustom(text, 1, 5, (9), 1));
	CASE("01 4500", "", "E#200000", TraceLoggingEventTag(0x200000));
	CASE("81 01 4500", "", "E#204000", TraceLoggingEventTag(0x200000),
	     TraceLoggingEventTag(0x4000));
	CASE("ff ff ff 7f 4500 6600 04", "01", "E#fffffff f=1",
	     TraceLoggingUInt8(1, "f"), TraceLoggingEventTag(0x0fffffff));
	CASE(E, "", "E", TraceLoggingDescription("about it"),
	     TraceLoggingCustomAttribute("key", "value"));
}

/* Types of fields that follow from the type of a value */
static void test_values(void)
{
	char letters[] = "ab";
	signed char s8 = -1;
	unsigned char n8 = 1;
	short s16 = -1;
	unsigned short n16 = 1;
	long slong = -1;
	unsigned long nlong = 1;
	char letter = 'A';
	SID sid = administrators.sid;
#ifdef __cplusplus
	bool yes = true;
#else
	_Bool yes = 1;
#endif
	const void *pointer = (const void *)0x1234;

	sid.SubAuthorityCount = 1;
	CASE(E "79657300 8403", "01", "E yes/3=1", TraceLoggingValue(yes));
	CASE(E "6600 8402", "41", "E f/2=65", TraceLoggingValue(letter, "f"));
	CASE(E "6600 03", "ff", "E f=-1", TraceLoggingValue(s8, "f"));
	CASE(E "6600 04", "01", "E f=1", TraceLoggingValue(n8, "f"));
	CASE(E "6600 05", "ffff", "E f=-1", TraceLoggingValue(s16, "f"));
	CASE(E "6600 06", "0100", "E f=1", TraceLoggingValue(n16, "f"));
	CASE(E "6600 07", "05000000", "E f=5", TraceLoggingValue(2 + 3, "f"));
	CASE(E "6600 08", "05000000", "E f=5", TraceLoggingValue(5u, "f"));
	CASE(E "6600 09", "ffffffffffffffff", "E f=-1",
	     TraceLoggingValue(slong, "f"));
	CASE(E "6600 0a", "0100000000000000", "E f=1",
	     TraceLoggingValue(nlong, "f"));
	CASE(E "6600 09", "ffffffffffffffff", "E f=-1",
	     TraceLoggingValue(-1ll, "f"));
	CASE(E "6600 0a", "0100000000000000", "E f=1",
	     TraceLoggingValue(1ull, "f"));
	CASE(E "6600 0b", "0000c03f", "E f=1.5", TraceLoggingValue(1.5f, "f"));
	CASE(E "6600 0c", "000000000000f83f", "E f=1.5",
	     TraceLoggingValue(1.5, "f"));
	CASE(E "6600 02", "616200", "E f=\"ab\"", TraceLoggingValue("ab", "f"));
	CASE(E "6600 02", "616200", "E f=\"ab\"",
	     TraceLoggingValue(letters, "f"));
	CASE(E "6600 02", "6200", "E f=\"b\"",
	     TraceLoggingValue(letters + 1, "f"));
	CASE(E "6600 02", "00", "E f=\"\"",
	     TraceLoggingValue((const char *)NULL, "f"));
	CASE(E "6600 01", "6100620063000000", "E f=\"abc\"",
	     TraceLoggingValue(wide, "f"));
	CASE(E "6600 01", "61000000", "E f=\"a\"",
	     TraceLoggingValue(u"a", "f"));
	CASE(E "6600 0f", "0102030405060708090a0b0c0d0e0f10",
	     "E f=04030201-0605-0807-090a-0b0c0d0e0f10",
	     TraceLoggingValue(g[0], "f"));
	CASE(E "6600 11", "0200000001000000", "E f=4294967298",
	     TraceLoggingValue(ft[0], "f"));
	CASE(E "6600 12", "e807 0200 0400 1d00 0c00 0d00 0e00 0f00",
	     "E f=2024:2:4:29:12:13:14:15", TraceLoggingValue(st[0], "f"));
	CASE(E "6600 13", "01 01 000000000005 20000000", "E f=S-1-5-32",
	     TraceLoggingValue(&sid, "f"));
	CASE(E "6600 15", "3412000000000000", "E f=0x1234",
	     TraceLoggingValue(pointer, "f"));
	CASE(E "6600 15", "3412000000000000", "E f=0x1234",
	     TraceLoggingValue((double *)0x1234, "f"));
	CASE(E "6600 87 80 01", "05000000", "E f#200000=5",
	     TraceLoggingValue(5, "f", "described", 0x200000));
#ifdef __cplusplus
	CASE(E "6600 8403", "01", "E f/3=1", TraceLoggingValue(true, "f"));
	CASE(E "6600 8402", "41", "E f/2=65", TraceLoggingValue('A', "f"));
	CASE(E "6600 8602", "4100", "E f/2=65", TraceLoggingValue(u'A', "f"));
#endif
}

static void write_cases(void)
{
	test_scalars();
	test_strings();
	test_linux();
	test_binary();
	test_arrays();
	test_structures();
	test_options();
	test_values();
}

#endif /* EVNT_TEST_TLG_CASES_H */
