// SPDX-License-Identifier: MIT
/*
 * TdhCreatePayloadFilter and related functions: operators by type of field,
 * each documented error, and which events aggregated filters pass.
 */
#include <stdlib.h>

#include "tdh/bytes.h"
#include "core/program.h"
#include "selftests/unit/common/tap.h"

static const u8 *memory;

int evnt_reader_fill(struct evnt_reader *r)
{
	memcpy(r->bytes, memory + r->start, r->len);
	return 0;
}

static const char manifest[] =
	"<instrumentationManifest xmlns='http://schemas.microsoft.com/win/"
	"2004/08/events' xmlns:win='http://manifests.microsoft.com/win/2004/"
	"08/windows/events'><instrumentation><events>"
	"<provider name='P' symbol='P' "
	"guid='{11111111-2222-3333-4444-555566667777}'><templates>"
	"<template tid='all'>"
	"<data name='Int8' inType='win:Int8'/>"
	"<data name='UInt8' inType='win:UInt8'/>"
	"<data name='Int16' inType='win:Int16'/>"
	"<data name='UInt16' inType='win:UInt16'/>"
	"<data name='Int32' inType='win:Int32'/>"
	"<data name='UInt32' inType='win:UInt32'/>"
	"<data name='Int64' inType='win:Int64'/>"
	"<data name='UInt64' inType='win:UInt64'/>"
	"<data name='Float' inType='win:Float'/>"
	"<data name='Double' inType='win:Double'/>"
	"<data name='Boolean' inType='win:Boolean'/>"
	"<data name='Binary' inType='win:Binary' length='4'/>"
	"<data name='GUID' inType='win:GUID'/>"
	"<data name='FILETIME' inType='win:FILETIME'/>"
	"<data name='SYSTEMTIME' inType='win:SYSTEMTIME'/>"
	"<data name='HexInt32' inType='win:HexInt32'/>"
	"<data name='HexInt64' inType='win:HexInt64'/>"
	"<data name='UnicodeString' inType='win:UnicodeString'/>"
	"<data name='AnsiString' inType='win:AnsiString'/>"
	"<data name='CountedUnicodeString' inType='win:CountedUnicodeString'/>"
	"<data name='CountedAnsiString' inType='win:CountedAnsiString'/>"
	"<data name='CountedBinary' inType='win:CountedBinary'/>"
	"<data name='Pointer' inType='win:Pointer'/>"
	"<data name='SID' inType='win:SID'/>"
	"<data name='Array' inType='win:UInt8' count='3'/>"
	"</template>"
	"<template tid='some'>"
	"<data name='Size' inType='win:UInt32'/>"
	"<data name='Name' inType='win:UnicodeString'/>"
	"</template></templates><events>"
	"<event value='1' symbol='E1' version='2' template='all'/>"
	"<event value='2' symbol='E2' template='some'/>"
	"<event value='3' symbol='E3' template='some'/>"
	"<event value='4' symbol='E4'/></events></provider>"
	"<provider name='Q' symbol='Q' "
	"guid='{11111111-2222-3333-4444-555566668888}'><templates>"
	"<template tid='t'><data name='Size' inType='win:UInt32'/></template>"
	"</templates><events><event value='2' symbol='Q2' template='t'/></events>"
	"</provider></events></instrumentation></instrumentationManifest>";

static const GUID p_id = { 0x11111111, 0x2222, 0x3333,
			   { 0x44, 0x44, 0x55, 0x55, 0x66, 0x66, 0x77, 0x77 } };
static const GUID q_id = { 0x11111111, 0x2222, 0x3333,
			   { 0x44, 0x44, 0x55, 0x55, 0x66, 0x66, 0x88, 0x88 } };
static const GUID unknown_id = { 1, 2, 3, { 4 } };

static const EVENT_DESCRIPTOR e1 = { .Id = 1, .Version = 2 };
static const EVENT_DESCRIPTOR e2 = { .Id = 2 };
static const EVENT_DESCRIPTOR e3 = { .Id = 3 };
static const EVENT_DESCRIPTOR e4 = { .Id = 4 };

/* Convert to UTF-16; the caller frees the result */
static WCHAR *wide(const char *text)
{
	struct bytes b = { 0 };

	bytes_add_string(&b, text);
	return (WCHAR *)b.data;
}

struct condition {
	const char *field;
	USHORT op;
	const char *value;
};

static ULONG create(const GUID *provider, const EVENT_DESCRIPTOR *event,
		    bool any, const struct condition *c, ULONG count,
		    PVOID *filter)
{
	PAYLOAD_FILTER_PREDICATE p[16] = { 0 };
	ULONG i, code;

	for (i = 0; i < count; i++) {
		p[i].FieldName = c[i].field ? wide(c[i].field) : NULL;
		p[i].CompareOp = c[i].op;
		p[i].Value = c[i].value ? wide(c[i].value) : NULL;
	}
	code = TdhCreatePayloadFilter(provider, event, any, count, p, filter);
	for (i = 0; i < count; i++) {
		free(p[i].FieldName);
		free(p[i].Value);
	}
	return code;
}

/* Create a filter of one condition, and free it; returns the error */
static ULONG try_one(const GUID *provider, const EVENT_DESCRIPTOR *event,
		     const char *field, USHORT op, const char *value)
{
	const struct condition c = { field, op, value };
	PVOID filter = (PVOID)&c;
	ULONG code = create(provider, event, false, &c, 1, &filter);

	CHECK(!filter == !!code, "a filter, or NULL: %u", code);
	if (!code)
		TdhDeletePayloadFilter(&filter);
	return code;
}

#define INTEGER	"5"
#define RANGE	"5,6"
#define GUID_TEXT "{11111111-2222-3333-4444-555566667777}"

/* Classes of fields, each with its own operators */
enum class { INTEGERS, BOOLEANS, GUIDS, TEXTS, OTHERS };

static bool has_operator(enum class class, USHORT op)
{
	switch (class) {
	case INTEGERS:
		return op <= PAYLOADFIELD_MODULO;
	case BOOLEANS:
		return op <= PAYLOADFIELD_NE || op == PAYLOADFIELD_IS ||
		       op == PAYLOADFIELD_ISNOT;
	case GUIDS:
		return op == PAYLOADFIELD_IS || op == PAYLOADFIELD_ISNOT;
	case TEXTS:
		return op == PAYLOADFIELD_IS || op == PAYLOADFIELD_ISNOT ||
		       op == PAYLOADFIELD_CONTAINS ||
		       op == PAYLOADFIELD_DOESNTCONTAIN;
	case OTHERS:
		break;
	}
	return false;
}

static void test_operators_of_types(void)
{
	static const struct {
		const char *field;
		enum class class;
	} fields[] = {
		{ "Int8", INTEGERS }, { "UInt8", INTEGERS },
		{ "Int16", INTEGERS }, { "UInt16", INTEGERS },
		{ "Int32", INTEGERS }, { "UInt32", INTEGERS },
		{ "Int64", INTEGERS }, { "UInt64", INTEGERS },
		{ "Float", OTHERS }, { "Double", OTHERS },
		{ "Boolean", BOOLEANS }, { "Binary", OTHERS },
		{ "GUID", GUIDS }, { "FILETIME", INTEGERS },
		{ "SYSTEMTIME", OTHERS }, { "HexInt32", INTEGERS },
		{ "HexInt64", INTEGERS }, { "UnicodeString", TEXTS },
		{ "AnsiString", TEXTS }, { "CountedUnicodeString", TEXTS },
		{ "CountedAnsiString", TEXTS }, { "CountedBinary", OTHERS },
		{ "Pointer", OTHERS }, { "SID", OTHERS },
	};
	const char *value;
	ULONG op;
	size_t i;

	for (i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		for (op = 0; op <= PAYLOADFIELD_INVALID; op++) {
			value = op == PAYLOADFIELD_BETWEEN ||
				op == PAYLOADFIELD_NOTBETWEEN ? RANGE :
				fields[i].class == GUIDS ? GUID_TEXT : INTEGER;
			CHECK(try_one(&p_id, &e1, fields[i].field, op, value) ==
			      (has_operator(fields[i].class, op) ?
			       ERROR_SUCCESS : ERROR_INVALID_PARAMETER),
			      "operator %u on %s", op, fields[i].field);
		}
	}
}

/* Errors as in the documentation */
static void test_create_errors(void)
{
	const struct condition one = { "Size", PAYLOADFIELD_EQ, "1" };
	PAYLOAD_FILTER_PREDICATE p[9] = { 0 };
	PVOID filter;
	char text[3000];
	ULONG i;

	CHECK(try_one(&unknown_id, &e2, "Size", 0, "1") == ERROR_FILE_NOT_FOUND,
	      "ERROR_FILE_NOT_FOUND: no manifest of the provider");
	CHECK(try_one(&p_id, &(EVENT_DESCRIPTOR) { .Id = 9 }, "Size", 0, "1") ==
	      ERROR_NOT_FOUND, "ERROR_NOT_FOUND: no such event");
	CHECK(try_one(&p_id, &(EVENT_DESCRIPTOR) { .Id = 2, .Version = 1 },
		      "Size", 0, "1") == ERROR_NOT_FOUND,
	      "ERROR_NOT_FOUND: no such version");
	CHECK(try_one(&p_id, &e2, "size", 0, "1") == ERROR_NOT_FOUND,
	      "ERROR_NOT_FOUND: no such field");
	CHECK(try_one(&p_id, &e4, "Size", 0, "1") == ERROR_NOT_FOUND,
	      "ERROR_NOT_FOUND: no fields");
	CHECK(try_one(&p_id, &e1, "Array", 0, "1") == ERROR_NOT_SUPPORTED,
	      "ERROR_NOT_SUPPORTED: an array");
	CHECK(create(NULL, &e2, false, &one, 1, &filter) == 87 && !filter,
	      "ERROR_INVALID_PARAMETER: no provider");
	CHECK(create(&p_id, NULL, false, &one, 1, &filter) == 87,
	      "ERROR_INVALID_PARAMETER: no event");
	CHECK(create(&p_id, &e2, false, &one, 1, NULL) == 87,
	      "ERROR_INVALID_PARAMETER: nowhere to put it");
	CHECK(TdhCreatePayloadFilter(&p_id, &e2, FALSE, 1, NULL, &filter) == 87,
	      "ERROR_INVALID_PARAMETER: NULL for conditions");
	CHECK(create(&p_id, &e2, false, &one, 0, &filter) == 87,
	      "ERROR_INVALID_PARAMETER: no conditions");
	for (i = 0; i < 9; i++)
		p[i] = (PAYLOAD_FILTER_PREDICATE) { wide("Size"), 0,
						    wide("1") };
	CHECK(TdhCreatePayloadFilter(&p_id, &e2, FALSE, 9, p, &filter) == 87,
	      "ERROR_INVALID_PARAMETER: nine conditions");
	CHECK(!TdhCreatePayloadFilter(&p_id, &e2, FALSE, 8, p, &filter),
	      "a filter may have eight conditions");
	TdhDeletePayloadFilter(&filter);
	for (i = 0; i < 9; i++) {
		free(p[i].FieldName);
		free(p[i].Value);
	}
	CHECK(try_one(&p_id, &e2, NULL, 0, "1") == 87,
	      "ERROR_INVALID_PARAMETER: no name");
	CHECK(try_one(&p_id, &e2, "Size", 0, NULL) == 87,
	      "ERROR_INVALID_PARAMETER: no value");
	CHECK(try_one(&p_id, &e2, "Size", 0, "one") == 87,
	      "ERROR_INVALID_PARAMETER: no number");
	CHECK(try_one(&p_id, &e1, "UInt8", 0, "256") == 87,
	      "ERROR_INVALID_PARAMETER: a number that the type has not");
	CHECK(try_one(&p_id, &e1, "GUID", PAYLOADFIELD_IS,
		      "11111111-2222-3333-4444-555566667777") == 87,
	      "ERROR_INVALID_PARAMETER: a GUID without braces");
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = 0;
	CHECK(try_one(&p_id, &e2, "Name", PAYLOADFIELD_IS, text) ==
	      ERROR_INSUFFICIENT_BUFFER,
	      "ERROR_INSUFFICIENT_BUFFER: a text that is too long");
}

static PVOID filter_of(const GUID *provider, const EVENT_DESCRIPTOR *event,
		       const char *field, USHORT op, const char *value)
{
	const struct condition c = { field, op, value };
	PVOID filter;
	ULONG code = create(provider, event, false, &c, 1, &filter);

	CHECK(!code, "a filter of %s: %u", field, code);
	return filter;
}

static void test_aggregate_errors(void)
{
	EVENT_FILTER_DESCRIPTOR d = { 1, 2, 3 };
	PVOID f[8] = { filter_of(&p_id, &e2, "Size", 0, "1"), NULL };
	char text[601];
	ULONG i;

	CHECK(TdhAggregatePayloadFilters(0, f, NULL, &d) == 87,
	      "ERROR_INVALID_PARAMETER: no filters");
	CHECK(TdhAggregatePayloadFilters(1, NULL, NULL, &d) == 87,
	      "ERROR_INVALID_PARAMETER: NULL for filters");
	CHECK(TdhAggregatePayloadFilters(1, f, NULL, NULL) == 87,
	      "ERROR_INVALID_PARAMETER: nowhere to put them");
	CHECK(TdhAggregatePayloadFilters(2, f, NULL, &d) == 87,
	      "ERROR_INVALID_PARAMETER: one is NULL");
	f[1] = filter_of(&q_id, &e2, "Size", 0, "1");
	CHECK(TdhAggregatePayloadFilters(2, f, NULL, &d) == 87,
	      "ERROR_INVALID_PARAMETER: of two providers");
	CHECK(d.Ptr == 1 && d.Size == 2 && d.Type == 3,
	      "a failed call stores nothing");
	TdhDeletePayloadFilter(&f[0]);
	TdhDeletePayloadFilter(&f[1]);

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = 0;
	for (i = 0; i < 8; i++)
		f[i] = filter_of(&p_id, &e2, "Name", PAYLOADFIELD_IS, text);
	CHECK(!TdhAggregatePayloadFilters(3, f, NULL, &d), "three long ones");
	TdhCleanupPayloadEventFilterDescriptor(&d);
	CHECK(TdhAggregatePayloadFilters(8, f, NULL, &d) ==
	      ERROR_INSUFFICIENT_BUFFER,
	      "ERROR_INSUFFICIENT_BUFFER: eight filters");
	for (i = 0; i < 8; i++)
		TdhDeletePayloadFilter(&f[i]);
}

static void test_free_errors(void)
{
	EVENT_FILTER_DESCRIPTOR d = { 0 };
	PVOID f = filter_of(&p_id, &e2, "Size", 0, "1");

	CHECK(!TdhAggregatePayloadFilters(1, &f, NULL, &d),
	      "one filter is aggregated");
	CHECK(d.Type == EVENT_FILTER_TYPE_PAYLOAD && d.Size && d.Ptr,
	      "a descriptor for EnableTraceEx2()");
	CHECK(TdhDeletePayloadFilter(NULL) == 87,
	      "TdhDeletePayloadFilter refuses NULL");
	CHECK(!TdhDeletePayloadFilter(&f) && !f,
	      "TdhDeletePayloadFilter deletes a filter");
	CHECK(TdhDeletePayloadFilter(&f) == 87,
	      "TdhDeletePayloadFilter: deleted already");
	CHECK(TdhCleanupPayloadEventFilterDescriptor(NULL) == 87,
	      "TdhCleanupPayloadEventFilterDescriptor refuses NULL");
	d.Type = EVENT_FILTER_TYPE_PID;
	CHECK(TdhCleanupPayloadEventFilterDescriptor(&d) == 87,
	      "TdhCleanupPayloadEventFilterDescriptor: another type");
	d.Type = EVENT_FILTER_TYPE_PAYLOAD;
	CHECK(!TdhCleanupPayloadEventFilterDescriptor(&d) && !d.Ptr &&
	      !d.Size && !d.Type, "cleaned up, and reinitialized");
	d.Type = EVENT_FILTER_TYPE_PAYLOAD;
	CHECK(TdhCleanupPayloadEventFilterDescriptor(&d) == 87,
	      "TdhCleanupPayloadEventFilterDescriptor: cleaned up already");
}

/* Whether an event of this Size and Name passes; -1: the module would refuse */
static int passes(const EVENT_FILTER_DESCRIPTOR *d, const EVENT_DESCRIPTOR *e,
		  u32 size, const char *name)
{
	const struct evnt_program_event event = { e->Id | e->Version << 16, 8 };
	struct evntrace_program *program;
	struct bytes b = { 0 };
	struct evnt_reader r;
	int pass;

	if (evnt_program_create(&program, (void *)(uintptr_t)d->Ptr, d->Size))
		return -1;
	bytes_add_u32(&b, size);
	bytes_add_string(&b, name);
	memory = b.data;
	evnt_reader_init(&r, b.len);
	pass = evnt_program_run(program, &event, &r);
	evnt_free(program);
	bytes_free(&b);
	return pass;
}

/* Size from 10 on is "large", a Name with "log" is "named" */
static void test_any_and_all(bool any)
{
	const struct condition c[] = {
		{ "Size", PAYLOADFIELD_GE, "10" },
		{ "Name", PAYLOADFIELD_CONTAINS, "LOG" },
	};
	EVENT_FILTER_DESCRIPTOR d;
	PVOID f;

	CHECK(!create(&p_id, &e2, any, c, 2, &f),
	      "a filter of two conditions is created");
	CHECK(!TdhAggregatePayloadFilters(1, &f, NULL, &d),
	      "a filter of two conditions is aggregated");
	TdhDeletePayloadFilter(&f);
	CHECK(passes(&d, &e2, 10, "a.Log") == 1,
	      "an event passes if both conditions hold");
	CHECK(passes(&d, &e2, 10, "a") == any,
	      "the first condition holds, any: %d", any);
	CHECK(passes(&d, &e2, 9, "log") == any,
	      "the second condition holds, any: %d", any);
	CHECK(passes(&d, &e2, 9, "a") == 0,
	      "an event does not pass if no condition holds");
	CHECK(passes(&d, &e3, 9, "a") == 1, "an event without a filter");
	TdhCleanupPayloadEventFilterDescriptor(&d);
}

/*
 * Three filters of one event, and one of another, for each combination of
 * flags: all flagged filters must pass, and one of the others.
 */
static void test_match_all_flags(void)
{
	PVOID f[4] = { filter_of(&p_id, &e2, "Size", PAYLOADFIELD_GE, "10"),
		       filter_of(&p_id, &e2, "Size", PAYLOADFIELD_LT, "20"),
		       filter_of(&p_id, &e2, "Name", PAYLOADFIELD_IS, "log"),
		       filter_of(&p_id, &e3, "Size", PAYLOADFIELD_EQ, "7") };
	EVENT_FILTER_DESCRIPTOR d;
	unsigned int flags, i, wrong = 0;
	u32 size;

	for (flags = 0; flags < 9; flags++) {
		BOOLEAN all[4] = { flags & 1, flags & 2, flags & 4, FALSE };

		wrong += !!TdhAggregatePayloadFilters(4, f, flags == 8 ? NULL :
						      all, &d);
		for (i = 0; i < 6; i++) {
			const char *name = i % 2 ? "log" : "other";
			bool holds[3], must = true, some = flags == 7, has;

			size = 5 + i / 2 * 10;
			holds[0] = size >= 10;
			holds[1] = size < 20;
			holds[2] = i % 2;
			for (int k = 0; k < 3; k++) {
				has = flags < 8 && all[k];
				must &= !has || holds[k];
				some |= !has && holds[k];
			}
			wrong += passes(&d, &e2, size, name) != (must && some);
		}
		wrong += passes(&d, &e3, 7, "x") != 1;
		wrong += passes(&d, &e3, 8, "x") != 0;
		wrong += passes(&d, &e4, 8, "x") != 1;
		TdhCleanupPayloadEventFilterDescriptor(&d);
	}
	CHECK(!wrong, "EventMatchALLFlags: %u wrong", wrong);
	for (i = 0; i < 4; i++)
		TdhDeletePayloadFilter(&f[i]);
}

int main(void)
{
	CHECK(!TdhLoadManifestFromMemory(manifest, sizeof(manifest) - 1),
	      "the manifest is loaded");
	test_operators_of_types();
	test_create_errors();
	test_aggregate_errors();
	test_free_errors();
	test_any_and_all(true);
	test_any_and_all(false);
	test_match_all_flags();
	TdhUnloadManifestFromMemory(manifest, sizeof(manifest) - 1);
	return tap_end();
}
