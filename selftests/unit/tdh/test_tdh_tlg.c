// SPDX-License-Identifier: MIT
/*
 * Self-describing events: TDH's information about them, and the properties
 * found in their payload.  Real events are in $EVNT_DATA/etl.
 */
#include <limits.h>
#include <unistd.h>

#include "evnttdh.h"
#include "selftests/unit/common/tap.h"
#include "selftests/unit/tdh/tdh_text.h"

/* An event with its description: a name and fields, without the leading size */
struct event {
	EVENT_RECORD record;
	EVENT_HEADER_EXTENDED_DATA_ITEM items[2];
	u8 schema[512];
};

#define TRAITS	"\x0b\x00" "My-Prov\0"

static void set_event(struct event *e, const char *schema, size_t schema_len,
		      const void *payload, size_t len)
{
	memset(e, 0, sizeof(*e));
	e->record.EventHeader.Flags = EVENT_HEADER_FLAG_64_BIT_HEADER;
	e->record.EventHeader.EventDescriptor.Level = 4;
	e->record.EventHeader.EventDescriptor.Opcode = 1;
	e->record.ExtendedData = e->items;
	e->record.ExtendedDataCount = 2;
	e->schema[0] = schema_len + 2;
	e->schema[1] = (schema_len + 2) >> 8;
	memcpy(e->schema + 2, schema, schema_len);
	e->items[0].ExtType = EVENT_HEADER_EXT_TYPE_PROV_TRAITS;
	e->items[0].DataPtr = (uintptr_t)TRAITS;
	e->items[0].DataSize = sizeof(TRAITS) - 1;
	e->items[1].ExtType = EVENT_HEADER_EXT_TYPE_EVENT_SCHEMA_TL;
	e->items[1].DataPtr = (uintptr_t)e->schema;
	e->items[1].DataSize = schema_len + 2;
	e->record.UserData = (PVOID)payload;
	e->record.UserDataLength = len;
}

#define SET(e, schema, payload) \
	set_event(e, schema, sizeof(schema) - 1, payload, sizeof(payload) - 1)

static TRACE_EVENT_INFO *get_info(struct event *e)
{
	TRACE_EVENT_INFO *info;
	ULONG size = 0;

	if (TdhGetEventInformation(&e->record, 0, NULL, NULL, &size) !=
	    ERROR_INSUFFICIENT_BUFFER)
		return NULL;
	info = malloc(size);
	if (TdhGetEventInformation(&e->record, 0, NULL, info, &size)) {
		free(info);
		return NULL;
	}
	return info;
}

/* Fields of all kinds: nested structs, arrays */
#define ALL_SCHEMA				\
	"\x81\x20" "Event\0"			\
	"num\0" "\x88\x04"			\
	"txt\0" "\x01"				\
	"bin\0" "\x0e"				\
	"fix\0" "\x26\x02\x00"			\
	"var\0" "\x44"				\
	"st\0" "\x98\x82\x81\x00"		\
	"a\0" "\x06"				\
	"in\0" "\xd8\x01"			\
	"b\0" "\x04"

#define ALL_PAYLOAD				\
	"\x2a\x00\x00\x00"			\
	"h\0i\0\0\0"				\
	"\x03\x00" "xyz"			\
	"\x01\x00\x02\x00"			\
	"\x03\x00" "\x07\x08\x09"		\
	"\x0b\x00" "\x02\x00" "\x15\x16"

static void check_property(TRACE_EVENT_INFO *info, ULONG i, const char *name,
			   ULONG flags, USHORT in, USHORT out, USHORT count,
			   USHORT length)
{
	const EVENT_PROPERTY_INFO *p = &info->EventPropertyInfoArray[i];

	CHECK(is_text(TEI_PROPERTY_NAME(info, p), name) &&
	      (ULONG)p->Flags == flags && p->nonStructType.InType == in &&
	      p->nonStructType.OutType == out && p->count == count &&
	      p->length == length,
	      "property %u is %s: flags 0x%x, in %u, out %u, %u of %u", i, name,
	      p->Flags, p->nonStructType.InType, p->nonStructType.OutType,
	      p->count, p->length);
}

static void test_description(void)
{
	TRACE_EVENT_INFO *info;
	struct event e;

	SET(&e, ALL_SCHEMA, ALL_PAYLOAD);
	info = get_info(&e);
	CHECK(info, "TdhGetEventInformation describes it");
	if (!info)
		return;
	CHECK(info->DecodingSource == DecodingSourceTlg &&
	      info->TopLevelPropertyCount == 8 && info->PropertyCount == 12 &&
	      info->Tags == (1 << 21 | 0x20 << 14) &&
	      info->EventDescriptor.Opcode == 1,
	      "the description has %u of %u properties, tags 0x%x",
	      info->TopLevelPropertyCount, info->PropertyCount, info->Tags);
	CHECK(is_text(TEI_PROVIDER_NAME(info), "My-Prov") &&
	      is_text(evnt_tdh_text(info, info->EventNameOffset), "Event") &&
	      is_text(TEI_LEVEL_NAME(info), "Information") &&
	      is_text(TEI_OPCODE_NAME(info), "Start") && !TEI_TASK_NAME(info),
	      "the description has all names");
	check_property(info, 0, "num", 0, 8, TDH_OUTTYPE_HEXINT32, 1, 4);
	check_property(info, 1, "txt", 0, 1, 0, 1, 0);
	check_property(info, 2, "bin.Length", 0, 6, 0, 1, 2);
	check_property(info, 3, "bin", PropertyParamLength, 14, 0, 1, 2);
	check_property(info, 4, "fix", PropertyParamFixedCount, 6, 0, 2, 2);
	check_property(info, 5, "var.Count", 0, 6, 0, 1, 2);
	check_property(info, 6, "var", PropertyParamCount, 4, 0, 5, 1);
	check_property(info, 7, "st", PropertyStruct | PropertyHasTags, 8,
		       3, 1, 0);
	check_property(info, 8, "a", 0, 6, 0, 1, 2);
	check_property(info, 9, "in.Count", 0, 6, 0, 1, 2);
	check_property(info, 10, "in", PropertyStruct | PropertyParamCount, 11,
		       1, 9, 0);
	check_property(info, 11, "b", 0, 4, 0, 1, 1);
	free(info);
}

static ULONG info_code(struct event *e)
{
	ULONG size = 0;

	return TdhGetEventInformation(&e->record, 0, NULL, NULL, &size);
}

/* Output formats with a type for each width, signed and unsigned */
static void test_signs(void)
{
	TRACE_EVENT_INFO *info;
	struct event e;

	SET(&e, "\0E\0" "a\0" "\x83\x11" "b\0" "\x83\x12" "c\0" "\x86\x12"
	    "d\0" "\x88\x11" "e\0" "\x88\x12" "f\0" "\x8a\x12", "");
	info = get_info(&e);
	CHECK(info, "signs are described");
	if (!info)
		return;
	check_property(info, 0, "a", 0, 3, TDH_OUTTYPE_BYTE, 1, 1);
	check_property(info, 1, "b", 0, 3, TDH_OUTTYPE_UNSIGNEDBYTE, 1, 1);
	check_property(info, 2, "c", 0, 6, TDH_OUTTYPE_UNSIGNEDSHORT, 1, 2);
	check_property(info, 3, "d", 0, 8, TDH_OUTTYPE_INT, 1, 4);
	check_property(info, 4, "e", 0, 8, TDH_OUTTYPE_UNSIGNEDINT, 1, 4);
	check_property(info, 5, "f", 0, 10, TDH_OUTTYPE_UNSIGNEDLONG, 1, 8);
	free(info);
}

/* Structs that declare more members than the description has */
static void test_fewer_members(void)
{
	TRACE_EVENT_INFO *info;
	struct event e;

	SET(&e, "\0E\0" "n\0" "\x04" "st\0" "\x98\x05" "a\0" "\x04"
	    "in\0" "\x98\x03" "b\0" "\x06", "\x01\x02\x03\x04");
	info = get_info(&e);
	CHECK(info && info->TopLevelPropertyCount == 2 &&
	      info->PropertyCount == 5, "the available members are described");
	if (!info)
		return;
	check_property(info, 1, "st", PropertyStruct, 2, 2, 1, 0);
	check_property(info, 3, "in", PropertyStruct, 4, 1, 1, 0);
	check_property(info, 4, "b", 0, 6, 0, 1, 2);
	free(info);
	SET(&e, "\0E\0" "n\0" "\x04" "st\0" "\x98\x05", "\x01");
	info = get_info(&e);
	CHECK(info && info->TopLevelPropertyCount == 2,
	      "a struct without any is described");
	if (!info)
		return;
	check_property(info, 1, "st", 0, TDH_INTYPE_NULL, 0, 1, 0);
	free(info);
	SET(&e, "\0E\0" "st\0" "\x98\x05" "a\0", "\x01");
	CHECK(info_code(&e) == ERROR_EVT_INVALID_EVENT_DATA,
	      "ERROR_EVT_INVALID_EVENT_DATA: a member without its type");
}

/* Nest structs to @depth, with a number in the innermost */
static void nest(struct event *e, unsigned int depth)
{
	char schema[256] = "\0E";
	size_t len = 3;

	for (; depth; depth--, len += 4)
		memcpy(schema + len, "s\0\x98\x01", 4);
	memcpy(schema + len, "x\0\x04", 3);
	set_event(e, schema, len + 3, "\x07", 1);
}

static void test_depth(void)
{
	TRACE_EVENT_INFO *info;
	struct event e;

	nest(&e, 16);
	info = get_info(&e);
	CHECK(info && info->PropertyCount == 17 &&
	      info->TopLevelPropertyCount == 1, "structs 16 deep are described");
	free(info);
	nest(&e, 17);
	CHECK(info_code(&e) == ERROR_EVT_INVALID_EVENT_DATA,
	      "ERROR_EVT_INVALID_EVENT_DATA: structs 17 deep");
}

/*
 * Arrays of binary data, each with three properties, and numbers; the caller
 * frees the result.  A description has room for more properties than an index
 * can count.
 */
static u8 *set_many(struct event *e, u32 arrays, u32 numbers)
{
	u32 len = 4 + 2 * (arrays + numbers), i;
	u8 *schema = calloc(1, len);

	schema[0] = len;
	schema[1] = len >> 8;
	for (i = 0; i < arrays + numbers; i++)
		schema[4 + 2 * i + 1] = i < arrays ? 0x4e : 0x04;
	SET(e, "\0E\0", "");
	e->items[1].DataPtr = (uintptr_t)schema;
	e->items[1].DataSize = len;
	return schema;
}

static void test_many(void)
{
	TRACE_EVENT_INFO *info;
	struct event e;
	u8 *schema;

	schema = set_many(&e, 21845, 0);
	info = get_info(&e);
	CHECK(info && info->PropertyCount == 65535,
	      "65,535 properties are described");
	free(info);
	free(schema);
	schema = set_many(&e, 21845, 1);
	CHECK(info_code(&e) == ERROR_EVT_INVALID_EVENT_DATA,
	      "ERROR_EVT_INVALID_EVENT_DATA: 65,536 properties");
	free(schema);
}

#define SEEN	1024

/* Print what a walk returns, in short form */
static ULONG WINAPI note(const EVNT_PROPERTY *p, PVOID context)
{
	static const char kinds[] = "=[]{}";
	char *seen = context;
	size_t len = strlen(seen);

	if (len > SEEN - 100)
		return ERROR_CANCELLED;
	if (p->Kind == EvntPropertyValue)
		snprintf(seen + len, SEEN - len, "=%u:%u ", p->Index,
			 p->DataLength);
	else
		snprintf(seen + len, SEEN - len, "%c%u ", kinds[p->Kind],
			 p->Index);
	return ERROR_SUCCESS;
}

static void test_walk(void)
{
	char seen[SEEN] = "";
	TRACE_EVENT_INFO *info;
	struct event e;
	ULONG code;

	SET(&e, ALL_SCHEMA, ALL_PAYLOAD);
	info = get_info(&e);
	code = EvntEnumerateProperties(&e.record, info, note, seen);
	CHECK(!code && !strcmp(seen, "=0:4 =1:6 =2:2 =3:3 [4 =4:2 =4:2 ]4 =5:2 "
			       "[6 =6:1 =6:1 =6:1 ]6 {7 =8:2 =9:2 [10 {10 "
			       "=11:1 }10 {10 =11:1 }10 ]10 }7 "),
	      "a walk sees all: %u %s", code, seen);
	for (unsigned int len = 0; len < sizeof(ALL_PAYLOAD) - 1; len++) {
		/* A string cut off by the payload's end is valid */
		e.record.UserDataLength = len;
		*seen = 0;
		CHECK(EvntEnumerateProperties(&e.record, info, note, seen) ==
		      ERROR_EVT_INVALID_EVENT_DATA,
		      "ERROR_EVT_INVALID_EVENT_DATA: only %u bytes",
		      len);
	}
	CHECK(EvntEnumerateProperties(NULL, info, note, seen) ==
	      ERROR_INVALID_PARAMETER &&
	      EvntEnumerateProperties(&e.record, NULL, note, seen) ==
	      ERROR_INVALID_PARAMETER &&
	      EvntEnumerateProperties(&e.record, info, NULL, seen) ==
	      ERROR_INVALID_PARAMETER,
	      "ERROR_INVALID_PARAMETER: a parameter is NULL");
	memset(seen, ' ', SEEN - 50);
	seen[SEEN - 50] = 0;
	e.record.UserDataLength = 4;
	CHECK(EvntEnumerateProperties(&e.record, info, note, seen) ==
	      ERROR_CANCELLED, "a callback's code ends the walk");
	free(info);
}

/* Count and length precede the array, the count first */
static void test_binary_array(void)
{
	char seen[SEEN] = "";
	TRACE_EVENT_INFO *info;
	struct event e;

	SET(&e, "\0E\0" "v\0" "\x4e", "\x02\0" "\x03\0" "abcdef");
	info = get_info(&e);
	CHECK(info && info->PropertyCount == 3, "an array of binary data");
	if (!info)
		return;
	check_property(info, 0, "v.Count", 0, 6, 0, 1, 2);
	check_property(info, 1, "v.Length", 0, 6, 0, 1, 2);
	check_property(info, 2, "v", PropertyParamCount | PropertyParamLength,
		       14, 0, 0, 1);
	CHECK(!EvntEnumerateProperties(&e.record, info, note, seen) &&
	      !strcmp(seen, "=0:2 =1:2 [2 =2:3 =2:3 ]2 "),
	      "the elements of a binary array have one length: %s", seen);
	free(info);
}

/* A number of 32 bits, and a property with that count or length */
static void check_number(const char *what, ULONG flag, USHORT in)
{
	EVENT_RECORD record = {
		.UserData = (PVOID)"\x01\0\x01\0x",
		.UserDataLength = 5,
	};
	EVENT_PROPERTY_INFO *p;
	TRACE_EVENT_INFO *info;
	char seen[SEEN] = "";

	info = calloc(1, sizeof(*info) + sizeof(*p));
	info->PropertyCount = 2;
	info->TopLevelPropertyCount = 2;
	p = info->EventPropertyInfoArray;
	p[0].nonStructType.InType = TDH_INTYPE_UINT32;
	p[0].count = 1;
	p[1].Flags = flag;
	p[1].nonStructType.InType = in;
	p[1].count = flag != PropertyParamCount;
	CHECK(EvntEnumerateProperties(&record, info, note, seen) ==
	      ERROR_EVT_INVALID_EVENT_DATA && !strcmp(seen, "=0:4 "),
	      "ERROR_EVT_INVALID_EVENT_DATA: a %s of 65,537: %s", what, seen);
	free(info);
}

#define MAX_VISITS	(4 * 65536)

static ULONG WINAPI count_visit(const EVNT_PROPERTY *p, PVOID context)
{
	unsigned int *visits = context;

	*visits += p->Kind == EvntPropertyValue ||
		   p->Kind == EvntPropertyStructBegin;
	return *visits > 2 * MAX_VISITS ? ERROR_CANCELLED : ERROR_SUCCESS;
}

/* As many elements as a payload has bytes, which is allowed */
static void test_longest(void)
{
	u8 *payload = calloc(1, 65535);
	unsigned int visits = 0;
	TRACE_EVENT_INFO *info;
	struct event e;

	payload[0] = 65533 & 0xff;
	payload[1] = 65533 >> 8;
	set_event(&e, "\0E\0v\0\x44", 6, payload, 65535);
	info = get_info(&e);
	CHECK(info && !EvntEnumerateProperties(&e.record, info, count_visit,
					       &visits) && visits == 65534,
	      "a payload of single bytes is shown: %u values", visits);
	free(info);
	free(payload);
}

/* Structs of nothing but structs of nothing: 65535 times 65535 */
static void test_bomb(void)
{
	unsigned int visits = 0;
	char seen[SEEN] = "";
	TRACE_EVENT_INFO *info;
	struct event e;
	ULONG code;

	SET(&e, "\0E\0" "a\0" "\xb8\x01\xff\xff" "b\0" "\xb8\x01\xff\xff"
	    "c\0" "\x20\x00\x00", "");
	info = get_info(&e);
	CHECK(info, "a bomb is described");
	if (!info)
		return;
	CHECK(EvntEnumerateProperties(&e.record, info, note, seen) ==
	      ERROR_CANCELLED, "a bomb is seen");
	code = EvntEnumerateProperties(&e.record, info, count_visit, &visits);
	CHECK(code == ERROR_EVT_INVALID_EVENT_DATA && visits <= MAX_VISITS,
	      "ERROR_EVT_INVALID_EVENT_DATA: a bomb: %u after %u elements",
	      code, visits);
	free(info);
}

static void check_data(struct event *e, const char *what, ULONG count,
		       const WCHAR *name, ULONG index, const WCHAR *member,
		       ULONG member_index, const void *want, ULONG len)
{
	PROPERTY_DATA_DESCRIPTOR wanted[2] = {
		{ (uintptr_t)name, index, 0 },
		{ (uintptr_t)member, member_index, 0 },
	};
	u8 data[64] = { 0 };
	ULONG size = 99, code;

	code = TdhGetPropertySize(&e->record, 0, NULL, count, wanted, &size);
	CHECK(!code && size == len, "TdhGetPropertySize: %s: %u, %u bytes",
	      what, code, size);
	code = TdhGetProperty(&e->record, 0, NULL, count, wanted, sizeof(data),
			      data);
	CHECK(!code && !memcmp(data, want, len), "TdhGetProperty: %s: %u", what,
	      code);
	if (len)
		CHECK(TdhGetProperty(&e->record, 0, NULL, count, wanted,
				     len - 1, data) ==
		      ERROR_INSUFFICIENT_BUFFER,
		      "ERROR_INSUFFICIENT_BUFFER: %s", what);
}

static void test_data(void)
{
	struct event e;

	SET(&e, ALL_SCHEMA, ALL_PAYLOAD);
	check_data(&e, "a number", 1, u"num", 0, NULL, 0, "\x2a\0\0\0", 4);
	check_data(&e, "a string", 1, u"txt", 0xffffffff, NULL, 0,
		   "h\0i\0\0\0", 6);
	check_data(&e, "binary data", 1, u"bin", 0xffffffff, NULL, 0, "xyz",
		   3);
	check_data(&e, "an array", 1, u"var", 0xffffffff, NULL, 0,
		   "\x07\x08\x09", 3);
	check_data(&e, "an element", 1, u"var", 1, NULL, 0, "\x08", 1);
	check_data(&e, "a fixed array", 1, u"fix", 0xffffffff, NULL, 0,
		   "\x01\0\x02\0", 4);
	check_data(&e, "a struct", 1, u"st", 0, NULL, 0,
		   "\x0b\x00\x02\x00\x15\x16", 6);
	check_data(&e, "a member", 2, u"st", 0, u"a", 0, "\x0b\0", 2);
	check_data(&e, "a struct in it", 2, u"st", 0, u"in", 1, "\x16", 1);
}

static void test_struct_array(void)
{
	struct event e;

	SET(&e, "\0E\0" "s\0" "\xd8\x02" "x\0" "\x04" "y\0" "\x46" "z\0" "\x04",
	    "\x02\0" "\x01" "\x02\0\x10\0\x11\0" "\x02" "\x01\0\x20\0" "\x99");
	check_data(&e, "a member of the first", 2, u"s", 0, u"x", 0, "\x01", 1);
	check_data(&e, "a member of the second", 2, u"s", 1, u"x", 0, "\x02",
		   1);
	check_data(&e, "an array in the first", 2, u"s", 0, u"y", 0xffffffff,
		   "\x10\0\x11\0", 4);
	check_data(&e, "an element of it", 2, u"s", 0, u"y", 1, "\x11\0", 2);
	check_data(&e, "an array in the second", 2, u"s", 1, u"y", 0xffffffff,
		   "\x20\0", 2);
	check_data(&e, "what is behind", 1, u"z", 0, NULL, 0, "\x99", 1);
}

static ULONG property_code(struct event *e, const WCHAR *name, ULONG index)
{
	PROPERTY_DATA_DESCRIPTOR wanted = { (uintptr_t)name, index, 0 };
	ULONG size;

	return TdhGetPropertySize(&e->record, 0, NULL, 1, &wanted, &size);
}

static void test_property_errors(void)
{
	PROPERTY_DATA_DESCRIPTOR wanted[3] = { { (uintptr_t)u"num", 0, 0 } };
	struct event e;
	ULONG size;
	u8 data[4];

	SET(&e, ALL_SCHEMA, ALL_PAYLOAD);
	CHECK(property_code(&e, u"none", 0) == ERROR_NOT_FOUND,
	      "ERROR_NOT_FOUND: no such property");
	CHECK(property_code(&e, u"nu", 0) == ERROR_NOT_FOUND,
	      "ERROR_NOT_FOUND: half a name");
	CHECK(property_code(&e, u"var", 3) == ERROR_NOT_FOUND,
	      "ERROR_NOT_FOUND: no such element");
	e.record.UserDataLength = 5;
	CHECK(!property_code(&e, u"num", 0) &&
	      property_code(&e, u"fix", 0) == ERROR_EVT_INVALID_EVENT_DATA,
	      "ERROR_EVT_INVALID_EVENT_DATA: behind the end");
	CHECK(TdhGetPropertySize(NULL, 0, NULL, 1, wanted, &size) ==
	      ERROR_INVALID_PARAMETER &&
	      TdhGetPropertySize(&e.record, 1, NULL, 1, wanted, &size) ==
	      ERROR_INVALID_PARAMETER &&
	      TdhGetPropertySize(&e.record, 0, NULL, 0, wanted, &size) ==
	      ERROR_INVALID_PARAMETER &&
	      TdhGetPropertySize(&e.record, 0, NULL, 3, wanted, &size) ==
	      ERROR_INVALID_PARAMETER &&
	      TdhGetPropertySize(&e.record, 0, NULL, 2, wanted, &size) ==
	      ERROR_INVALID_PARAMETER &&
	      TdhGetPropertySize(&e.record, 0, NULL, 1, NULL, &size) ==
	      ERROR_INVALID_PARAMETER &&
	      TdhGetPropertySize(&e.record, 0, NULL, 1, wanted, NULL) ==
	      ERROR_INVALID_PARAMETER,
	      "TdhGetPropertySize: ERROR_INVALID_PARAMETER");
	CHECK(TdhGetProperty(NULL, 0, NULL, 1, wanted, 4, data) ==
	      ERROR_INVALID_PARAMETER &&
	      TdhGetProperty(&e.record, 0, NULL, 1, wanted, 4, NULL) ==
	      ERROR_INVALID_PARAMETER,
	      "TdhGetProperty: ERROR_INVALID_PARAMETER");
}

static void test_info_errors(void)
{
	struct event e;
	ULONG size = 0, needed;
	u8 *buffer;

	SET(&e, ALL_SCHEMA, ALL_PAYLOAD);
	CHECK(TdhGetEventInformation(NULL, 0, NULL, NULL, &size) ==
	      ERROR_INVALID_PARAMETER &&
	      TdhGetEventInformation(&e.record, 0, NULL, NULL, NULL) ==
	      ERROR_INVALID_PARAMETER &&
	      TdhGetEventInformation(&e.record, 2, NULL, NULL, &size) ==
	      ERROR_INVALID_PARAMETER,
	      "TdhGetEventInformation: ERROR_INVALID_PARAMETER");
	size = 10;
	CHECK(TdhGetEventInformation(&e.record, 0, NULL, NULL, &size) ==
	      ERROR_INVALID_PARAMETER, "ERROR_INVALID_PARAMETER: no buffer");
	TdhGetEventInformation(&e.record, 0, NULL, (void *)&e, &size);
	needed = size;
	buffer = malloc(needed);
	size--;
	CHECK(TdhGetEventInformation(&e.record, 0, NULL, (void *)buffer,
				     &size) == ERROR_INSUFFICIENT_BUFFER &&
	      size == needed,
	      "ERROR_INSUFFICIENT_BUFFER: the size is returned");
	CHECK(!TdhGetEventInformation(&e.record, 0, NULL, (void *)buffer,
				      &size) && size == needed,
	      "a buffer of the exact size is sufficient");
	free(buffer);
	e.record.ExtendedDataCount = 1;
	size = 0;
	CHECK(TdhGetEventInformation(&e.record, 0, NULL, NULL, &size) ==
	      ERROR_NOT_FOUND, "ERROR_NOT_FOUND: nothing describes the event");
}

/* Each prefix of a description, and each byte of it changed */
static void test_malformed(void)
{
	unsigned int wrong = 0, right = 0;
	char seen[SEEN];
	struct event e;
	size_t i;

	for (i = 0; i < sizeof(ALL_SCHEMA) - 1; i++) {
		set_event(&e, ALL_SCHEMA, i, ALL_PAYLOAD, 0);
		free(get_info(&e));
		e.schema[0]++;
		CHECK(!get_info(&e), "a description longer than its item");
	}
	for (i = 0; i < (sizeof(ALL_SCHEMA) - 1) * 256; i++) {
		TRACE_EVENT_INFO *info;

		SET(&e, ALL_SCHEMA, ALL_PAYLOAD);
		e.schema[i / 256] = i;
		info = get_info(&e);
		*seen = 0;
		if (info && !EvntEnumerateProperties(&e.record, info, note,
						     seen))
			right++;
		else
			wrong++;
		free(info);
	}
	CHECK(wrong && right, "descriptions with a byte changed: %u, %u wrong",
	      right, wrong);
}

/**
 * struct sample - expected properties of an event in a file
 * @file: in $EVNT_DATA/etl
 * @index: index among the self-describing events
 * @name: its name
 * @values: values of its properties, separated by commas
 */
struct sample {
	const char *file;
	int index;
	const char *name;
	const char *values;
};

static const struct sample samples[] = {
	{ "primitive-types.etl", 0, "PrimitiveTypesTest",
	  "Mercury,false,M,-51,-102,51,102,18446744073709551412,204,"
	  "{0AD614C4-0EF4-4225-8013-F44F37CB0397},"
	  "2021-09-09T14:59:35.7990000Z,2021-09-09T14:59:35.799," },
	{ "primitive-types.etl", 4, "PrimitiveTypesTest",
	  "Jupiter,true,J,-69,-138,69,138,18446744073709551340,276,"
	  "{BB11B97B-1110-4EB6-BC33-FD71219D322E},"
	  "2021-09-09T14:59:37.4840000Z,2021-09-09T14:59:37.484," },
	{ "lxcore_kernel.etl", 0, "BreakPoint",
	  "2,{00000000-0000-0000-0000-000000000000},-1,-1,0,,"
	  "LxpDrvFsTypeMount,10528,"
	  "Failed to open volume C:\\WINDOWS\\system32\\lxss\\tools, "
	  "result -2\n," },
	{ "AMSITrace.etl", 1, "AmsiScript",
	  "PowerShell_C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\"
	  "powershell.exe_10.0.18362.1,Get-Alias,9,G,e,t,-,A,l,i,a,s," },
	{ "synthetic-mini.etl", 0, "Hello", "42,hi there," },
};

struct look {
	const struct sample *sample;
	TRACE_EVENT_INFO *info;
	int seen;
	bool done;
	char values[4096];
};

static ULONG WINAPI add_value(const EVNT_PROPERTY *p, PVOID context)
{
	struct look *look = context;
	const EVENT_PROPERTY_INFO *info =
		&look->info->EventPropertyInfoArray[p->Index];
	USHORT consumed;
	WCHAR text[1024];
	ULONG size = sizeof(text);
	char *value;
	size_t len;

	if (p->Kind != EvntPropertyValue)
		return ERROR_SUCCESS;
	if (TdhFormatProperty(look->info, NULL, 8, info->nonStructType.InType,
			      info->nonStructType.OutType, p->Length,
			      p->DataLength, p->Data, &size, text, &consumed))
		return ERROR_BAD_LENGTH;
	value = narrow(text);
	len = strlen(look->values);
	snprintf(look->values + len, sizeof(look->values) - len, "%s,", value);
	free(value);
	return ERROR_SUCCESS;
}

static VOID WINAPI see(PEVENT_RECORD record)
{
	struct look *look = record->UserContext;
	struct event e = { .record = *record };

	if (record->EventHeader.EventDescriptor.Channel != 11)
		return;
	if (look->seen++ != look->sample->index)
		return;
	look->info = get_info(&e);
	if (!look->info)
		return;
	look->done = is_text(evnt_tdh_text(look->info,
					   look->info->EventNameOffset),
			     look->sample->name) &&
		     !EvntEnumerateProperties(record, look->info, add_value,
					      look) &&
		     !strcmp(look->values, look->sample->values);
	free(look->info);
}

static void test_sample(const struct sample *sample)
{
	struct look look = { .sample = sample };
	EVENT_TRACE_LOGFILEA file = {
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
		.EventRecordCallback = see,
		.Context = &look,
	};
	char path[PATH_MAX];
	TRACEHANDLE handle;

	snprintf(path, sizeof(path), "%s/etl/%s", data_folder(), sample->file);
	if (access(path, R_OK)) {
		SKIP("%s is not here", sample->file);
		return;
	}
	file.LogFileName = path;
	handle = OpenTraceA(&file);
	ProcessTrace(&handle, 1, NULL, NULL);
	CloseTrace(handle);
	CHECK(look.done, "%s: %s", sample->file, look.values);
}

int main(void)
{
	test_description();
	test_signs();
	test_depth();
	test_many();
	test_walk();
	test_binary_array();
	check_number("count", PropertyParamCount, TDH_INTYPE_UINT8);
	check_number("length", PropertyParamLength, TDH_INTYPE_BINARY);
	test_longest();
	test_bomb();
	test_data();
	test_fewer_members();
	test_struct_array();
	test_property_errors();
	test_info_errors();
	test_malformed();
	for (size_t i = 0; i < EVNT_ARRAY_SIZE(samples); i++)
		test_sample(&samples[i]);
	return tap_end();
}
