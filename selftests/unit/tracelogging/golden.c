// SPDX-License-Identifier: MIT
/*
 * Arguments of the functions that TraceLogging's macros call, byte by byte,
 * without a library: the functions are in this program.  Built as C and as C++
 * by test_tracelogging.sh.
 */
#include "hooks.h"

#include "cases.h"

static void expect_descriptor(const char *what, UCHAR channel, UCHAR level,
			      UCHAR opcode, ULONGLONG keyword)
{
	const EVENT_DESCRIPTOR *d = &written.descriptor;

	CHECK(written.count == 1 && !d->Id && !d->Version && !d->Task &&
	      d->Channel == channel && d->Level == level &&
	      d->Opcode == opcode && d->Keyword == keyword, "%s", what);
	written.count = 0;
}

static void test_descriptors(void)
{
	TraceLoggingWrite(provider, "E");
	expect_descriptor("defaults", 11, 5, 0, 0);
	TraceLoggingWrite(provider, "E", TraceLoggingLevel(2),
			  TraceLoggingUInt8(1, "f"), TraceLoggingLevel(3));
	expect_descriptor("the last level counts", 11, 3, 0, 0);
	TraceLoggingWrite(provider, "E", TraceLoggingKeyword(1),
			  TraceLoggingKeyword(0x8000000000000000));
	expect_descriptor("all keywords count", 11, 5, 0, 0x8000000000000001);
	TraceLoggingWrite(provider, "E", TraceLoggingOpcode(9),
			  TraceLoggingOpcode(WINEVENT_OPCODE_STOP),
			  TraceLoggingChannel(8), TraceLoggingChannel(16));
	expect_descriptor("the last opcode and channel", 16, 5, 2, 0);
	TraceLoggingWrite(provider, "E", TraceLoggingIdVersion(1, 2),
			  TraceLoggingLevel(3),
			  TraceLoggingIdVersion(65535, 255));
	CHECK(written.descriptor.Id == 65535 &&
	      written.descriptor.Version == 255 &&
	      written.descriptor.Level == 3,
	      "the last ID and version of an event count");
	written.count = 0;
}

static void test_activities(void)
{
	int calls = 0;

	TraceLoggingWrite(provider, "E");
	CHECK(!written.has_activity && !written.has_related,
	      "an event without ids has none");
	TraceLoggingWriteActivity(provider, "E", &g[0], NULL);
	CHECK(written.has_activity && !written.has_related &&
	      !memcmp(&written.activity, &g[0], 16),
	      "an event has its activity");
	TraceLoggingWriteActivity(provider, "E", (calls++, &g[1]), &g[0],
				  TraceLoggingUInt8(1, "f"));
	CHECK(written.has_activity && written.has_related && calls == 1 &&
	      !memcmp(&written.activity, &g[1], 16) &&
	      !memcmp(&written.related, &g[0], 16), "an event has both ids");
	written.count = 0;
}

/* Arguments of a disabled event are not evaluated, of an enabled one once */
static void test_evaluation(void)
{
	int calls = 0;

	callback(NULL, 0, 0, 0, 0);
	TraceLoggingWrite(provider, "E", TraceLoggingInt32(calls++),
			  TraceLoggingGuid(g[calls++]),
			  TraceLoggingBinary((calls++, "x"), calls++),
			  TraceLoggingValue(calls++));
	CHECK(!written.count && !calls, "disabled: nothing happens");
	callback(NULL, 1, 0, 0, 0);
	TraceLoggingWrite(provider, "E", TraceLoggingInt32(calls++),
			  TraceLoggingString((calls++, "x")),
			  TraceLoggingBinary((calls++, "x"), (calls++, 1)),
			  TraceLoggingInt32Array((calls++, &i32[0]),
						 (calls++, 1)),
			  TraceLoggingInt32FixedArray((calls++, &i32[0]), 1),
			  TraceLoggingSid((calls++, &administrators.sid)),
			  TraceLoggingPackedData((calls++, "x"), 1),
			  TraceLoggingValue((calls++, 5)),
			  TraceLoggingValue((calls++, "x")),
			  TraceLoggingCountedString16((calls++, &c16[0]),
						      (calls++, 1)));
	CHECK(written.count == 1 && calls == 13,
	      "the arguments of an enabled event are evaluated once");
	written.count = 0;
	if (calls)
		TraceLoggingWrite(provider, "E");
	else
		CHECK(0, "TraceLoggingWrite may precede else");
	CHECK(written.count == 1, "TraceLoggingWrite is one statement");
	written.count = 0;
}

/* Levels and keywords against the arguments of the enable callback */
static void test_enabled(void)
{
	static const struct {
		UCHAR level;
		ULONGLONG any, all;
		UCHAR event_level;
		ULONGLONG event_keyword;
		int want;
	} cases[] = {
		{ 4, ~0ull, 0, 4, 0, 1 }, { 4, ~0ull, 0, 5, 0, 0 },
		{ 4, ~0ull, 0, 0, 0, 1 }, { 0, ~0ull, 0, 255, 0, 1 },
		{ 255, ~0ull, 0, 255, 1, 1 }, { 254, ~0ull, 0, 255, 1, 0 },
		{ 5, 2, 0, 5, 1, 0 }, { 5, 2, 0, 5, 3, 1 },
		{ 5, 2, 0, 5, 0, 1 }, { 5, 3, 3, 5, 1, 0 },
		{ 5, 3, 3, 5, 7, 1 }, { 5, 3, 3, 5, 0, 1 },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		callback(NULL, 1, cases[i].level, cases[i].any, cases[i].all);
		CHECK(!!TraceLoggingProviderEnabled(provider,
						    cases[i].event_level,
						    cases[i].event_keyword) ==
		      cases[i].want, "level and keyword, %d", (int)i);
	}
	callback(NULL, 2, 1, 0, 0);
	CHECK(TraceLoggingProviderEnabled(provider, 5, 3),
	      "capture state changes nothing");
	callback(NULL, 1, 3, ~0ull, 0);
	TraceLoggingWrite(provider, "E");
	CHECK(!written.count, "5, the default level, is above 3");
	TraceLoggingWrite(provider, "E", TraceLoggingLevel(3));
	CHECK(written.count == 1, "3 is not");
	written.count = 0;
	callback(NULL, 1, 0, ~0ull, 0);
}

#define BYTE_10(n) \
	TraceLoggingUInt8((n) + 0), TraceLoggingUInt8((n) + 1), \
	TraceLoggingUInt8((n) + 2), TraceLoggingUInt8((n) + 3), \
	TraceLoggingUInt8((n) + 4), TraceLoggingUInt8((n) + 5), \
	TraceLoggingUInt8((n) + 6), TraceLoggingUInt8((n) + 7), \
	TraceLoggingUInt8((n) + 8), TraceLoggingUInt8((n) + 9)

/* The maximum number of fields, partly by macros that make several */
static void test_99_fields(void)
{
	unsigned int i;
	int right = 1;

	TraceLoggingWrite(provider, "E", BYTE_10(0), BYTE_10(10), BYTE_10(20),
			  BYTE_10(30), BYTE_10(40), BYTE_10(50), BYTE_10(60),
			  BYTE_10(70), BYTE_10(80), TraceLoggingUInt8(90),
			  TraceLoggingUInt8(91), TraceLoggingUInt8(92),
			  TraceLoggingUInt8(93), TraceLoggingUInt8(94),
			  TraceLoggingUInt8(95), TraceLoggingUInt8(96),
			  TraceLoggingUInt8(97), TraceLoggingUInt8(98));
	for (i = 0; i < 99; i++)
		right &= written.data[i] == i;
	CHECK(right && written.size == 99 &&
	      tlg_decode(&decoder, written.schema, written.schema_size,
			 written.data, written.size) &&
	      !!strstr(decoder.text, " (80) + 9=89 90=90"),
	      "an event may have 99 fields");
	written.count = 0;
}

/* Lengths beyond 16 bits are too much for an event, and writing fails */
static void test_too_much(void)
{
	static char much[70000];

	TraceLoggingWrite(provider, "E",
			  TraceLoggingCountedString(much, sizeof(much), "f"));
	CHECK(written.size == 2 + 0xffff, "a string is not truncated");
	TraceLoggingWrite(provider, "E",
			  TraceLoggingCountedString16((char16_t *)much, 35000,
						      "f"));
	CHECK(written.size == 2 + 0xfffe,
	      "a string of units is not truncated");
	TraceLoggingWrite(provider, "E",
			  TraceLoggingInt8Array(much, sizeof(much), "f"));
	CHECK(written.size == 2 + 0xffff,
	      "an array is not truncated");
	written.count = 0;
}

/* Metadata built at run time, as by libraries for other languages */
static void test_described_at_run_time(void)
{
	static const UCHAR event[] = {
		11, 3, 1, 5, 0, 0, 0, 0, 0, 0, 0x80,
		11, 0, 0x80, 0, 'E', 0, 's', 0, 2, 'w', 0, 1,
	};
	UCHAR bytes[sizeof(event)];
	EVENT_DATA_DESCRIPTOR data[4];

	memcpy(bytes, event, sizeof(event));
	bytes[11] = sizeof(event) - 11;
	_tlgCreate1Sz_char(&data[2], "text");
	_tlgCreate1Sz_wchar_t(&data[3], wide);
	_tlgWriteTransfer_EventWriteTransfer(provider, bytes, &g[0], NULL, 4,
					     data);
	CHECK(tlg_decode(&decoder, written.schema, written.schema_size,
			 written.data, written.size) &&
	      !strcmp(decoder.text, "E s=\"text\" w=\"abc\"") &&
	      !memcmp(&written.activity, &g[0], 16), "made at run time");
	expect_descriptor("its descriptor", 11, 3, 1, 0x8000000000000005);
}

int main(void)
{
	test_provider();
	callback(NULL, 1, 0, ~0ull, 0);
	write_cases();
	test_descriptors();
	test_activities();
	test_evaluation();
	test_enabled();
	test_99_fields();
	test_too_much();
	test_described_at_run_time();
	test_unregister();
	return tap_end();
}
