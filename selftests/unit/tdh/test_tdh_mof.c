// SPDX-License-Identifier: MIT
/*
 * Classic events described in the Managed Object Format: each type of field
 * with each qualifier, versions, maps, arrays; and which errors are reported
 * where.
 */
#include "evnttdh.h"
#include "tdh/mof.h"
#include "selftests/unit/common/tap.h"
#include "selftests/unit/tdh/tdh_show.h"
#include "selftests/unit/tdh/tdh_text.h"

#define PROVIDER							\
	"[Dynamic, Guid(\"{11111111-2222-3333-4444-555566667777}\") : amended]\n" \
	"class Server : EventTrace {};\n"
#define EVENTS								\
	"[Guid(\"{22222222-2222-3333-4444-555566667777}\"),"		\
	" DisplayName(\"Request\"), EventVersion(1)]\n"			\
	"class Request : Server {};\n"
#define TYPE								\
	"[EventType{1, 2}, EventTypeName{\"Start\", \"End\"}]\n"	\
	"class Request_Type : Request {\n"
#define HEAD	PROVIDER EVENTS TYPE

static const GUID provider = {
	0x11111111, 0x2222, 0x3333,
	{ 0x44, 0x44, 0x55, 0x55, 0x66, 0x66, 0x77, 0x77 },
};
static const GUID class = {
	0x22222222, 0x2222, 0x3333,
	{ 0x44, 0x44, 0x55, 0x55, 0x66, 0x66, 0x77, 0x77 },
};

static void listen(const struct problem *p, void *context)
{
	snprintf(context, 600, "%s:%u:%u: %s", p->file, p->line, p->column,
		 p->text);
}

static void check_wrong(const char *text, const char *want)
{
	char reported[600] = "";
	struct manifest *m = mof_parse("x.mof", text, strlen(text), listen,
				       reported);

	CHECK(!m && strstr(reported, want), "%s", want);
	if (!strstr(reported, want))
		printf("# %s\n", reported);
	manifest_free(m);
}

/* The field is in a class of event types whose first property is in line 7 */
#define WRONG(field, want)	check_wrong(HEAD field "};", want)

static void test_wrong(void)
{
	check_wrong("", "x.mof:1:1: there is no class in this file");
	check_wrong("// nothing", "there is no class");
	check_wrong("/* no end", "x.mof:1:1: the comment is not closed");
	check_wrong("[A(\"no end)]", "x.mof:1:4: the quote is not closed");
	check_wrong("klass X {};", "x.mof:1:1: this is neither a class");
	check_wrong("class {};", "x.mof:1:7: a class's name is missing here");
	check_wrong("class X : {};", "a class's name is missing");
	check_wrong("class X", "x.mof:1:8: '{' is missing here, to begin");
	check_wrong("class X { uint8 a; }", "';' is missing here, to end a class");
	check_wrong("[A class X {};", "']' is missing here");
	check_wrong("[A(] class X {};", "a value is missing here");
	check_wrong("instance of X { a = 1;", "the file ends in a declaration");
	check_wrong("[Guid(\"{1}\")]\nclass X {};", "x.mof:2:1: '{1}' is no GUID");
	check_wrong("[EventType(1)]\nclass X {};",
		    "x.mof:2:1: class 'X' has an EventType, but neither");
	check_wrong("class A : B {}; class B : A {};", "derived from itself");
	check_wrong("class A : A {};", "derived from itself");
	WRONG("[WmiDataId(1)] thing a;", "x.mof:7:16: 'thing' is no type");
	WRONG("[WmiDataId(1)] object a;", "an object needs the qualifier");
	WRONG("[WmiDataId(1)] uint8;", "a property's name is missing");
	WRONG("[WmiDataId(1)] uint8 a[0];", "an array has 1 to 65535");
	WRONG("[WmiDataId(1)] uint8 a[3;", "to end an array's size");
	WRONG("[WmiDataId(1)] uint8 a[];", "how many elements 'a' has");
	WRONG("[WmiDataId(12x)] uint8 a;", "x.mof:7:12: this is no number");
	WRONG("[WmiDataId(99999999999999999999)] uint8 a;", "no number");
	check_wrong("\xfe\xff\0[", "");
}

/* Parse @count times @each between @begin and @end; %u is the number */
static bool accepts(const char *begin, const char *each, const char *end,
		    unsigned int count, char reported[600])
{
	struct bytes b = { 0 };
	struct manifest *m;
	char one[64];

	bytes_add(&b, begin, strlen(begin));
	for (unsigned int i = 1; i <= count; i++) {
		snprintf(one, sizeof(one), each, i, i);
		bytes_add(&b, one, strlen(one));
	}
	bytes_add(&b, end, strlen(end));
	m = mof_parse("x.mof", b.data, b.len, listen, reported);
	manifest_free(m);
	bytes_free(&b);
	return m;
}

static void test_limits(void)
{
	char reported[600] = "";

	CHECK(accepts(HEAD, "[WmiDataId(%u)] uint8 f%u;", "};", 1024, reported),
	      "a class of 1024 properties is accepted");
	CHECK(!accepts(HEAD, "[WmiDataId(%u)] uint8 f%u;", "};", 1025,
		       reported) &&
	      strstr(reported, "more than 1024 properties"),
	      "a class of 1025 properties is refused");
	CHECK(accepts("", "class C%u {};", "", 8192, reported),
	      "8192 classes are accepted");
	CHECK(!accepts("", "class C%u {};", "", 8193, reported) &&
	      strstr(reported, "more than 8192 classes"),
	      "8193 classes are refused");
	CHECK(!accepts(HEAD, "%-32u", "};", 1 << 19, reported) &&
	      strstr(reported, "the file is too large"),
	      "a file of more than 16 MiB is refused");
}

static bool load(const char *text)
{
	return !TdhLoadManifestFromMemory(text, strlen(text));
}

/* An event of the class, of type 2 */
static EVENT_RECORD event_of(const void *data, size_t len)
{
	EVENT_RECORD event = {
		.EventHeader = {
			.ProviderId = class,
			.Flags = EVENT_HEADER_FLAG_CLASSIC_HEADER |
				 EVENT_HEADER_FLAG_64_BIT_HEADER,
			.EventDescriptor = { .Version = 1, .Opcode = 2,
					     .Level = 3 },
		},
		.UserData = (void *)data,
		.UserDataLength = len,
	};

	return event;
}

/* Check that the bytes of a class with these fields have this text */
static void check_fields(const char *fields, const void *data, size_t len,
			 const char *want)
{
	EVENT_RECORD event = event_of(data, len);
	struct shown shown = { .text = "" };
	char text[2048];
	bool done;

	snprintf(text, sizeof(text), HEAD "%s\n};\n", fields);
	done = load(text);
	if (done)
		show_event(&event, &shown);
	CHECK(done && !strcmp(shown.text, want), "%s", want);
	if (strcmp(shown.text, want) != 0)
		printf("# '%s'\n", shown.text);
	TdhUnloadManifestFromMemory(text, strlen(text));
}

#define FIELDS(fields, bytes, want) \
	check_fields(fields, bytes, sizeof(bytes) - 1, want)

static void test_numbers(void)
{
	FIELDS("[WmiDataId(1)] sint8 a; [WmiDataId(2)] uint8 b;", "\xff\xff",
	       "a=-1 b=255");
	FIELDS("[WmiDataId(1)] sint16 a; [WmiDataId(2)] uint16 b;",
	       "\xfe\xff\xfe\xff", "a=-2 b=65534");
	FIELDS("[WmiDataId(1)] sint32 a; [WmiDataId(2)] uint32 b;",
	       "\xfd\xff\xff\xff\x01\0\0\0", "a=-3 b=1");
	FIELDS("[WmiDataId(1)] sint64 a; [WmiDataId(2)] uint64 b;",
	       "\xfc\xff\xff\xff\xff\xff\xff\xff\x02\0\0\0\0\0\0\x80",
	       "a=-4 b=9223372036854775810");
	FIELDS("[WmiDataId(1), Format(\"x\")] uint8 a;"
	       "[WmiDataId(2), format(\"X\")] uint16 b;"
	       "[WmiDataId(3), Format(\"x\")] sint32 c;"
	       "[WmiDataId(4), Format(\"x\")] uint64 d;",
	       "\x1f\x2f\0\xff\xff\xff\xff\x3f\0\0\0\0\0\0\0",
	       "a=0x1F b=0x2F c=0xFFFFFFFF d=0x3F");
	FIELDS("[WmiDataId(1)] real32 a; [WmiDataId(2)] real64 b;",
	       "\0\0\x20\x40\0\0\0\0\0\0\x04\x40", "a=2.5 b=2.5");
	FIELDS("[WmiDataId(1)] boolean a; [WmiDataId(2)] boolean b;",
	       "\x01\0\0\0\0\0\0\0", "a=true b=false");
	FIELDS("[WmiDataId(1), Format(\"c\")] uint8 a; [WmiDataId(2)] char16 b;",
	       "A\xe9\0", "a=A b=\xc3\xa9");
	FIELDS("[WmiDataId(1), Pointer] uint32 a; [WmiDataId(2), PointerType] object b;",
	       "\x01\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0", "a=0x1 b=0x2");
}

static void test_strings(void)
{
	FIELDS("[WmiDataId(1)] string a;"
	       "[WmiDataId(2), Format(\"w\")] string b; [WmiDataId(3)] uint8 c;",
	       "ab\0c\0d\0\0\0\x07", "a=ab b=cd c=7");
	FIELDS("[WmiDataId(1), StringTermination(\"NullTerminated\")] string a;"
	       "[WmiDataId(2), StringTermination(\"Counted\")] string b;",
	       "x\0\x02\0yz", "a=x b=yz");
	FIELDS("[WmiDataId(1), StringTermination(\"Counted\"), Format(\"w\")] string a;"
	       "[WmiDataId(2), StringTermination(\"ReverseCounted\")] string b;",
	       "\x04\0y\0z\0\0\x01q", "a=yz b=q");
	FIELDS("[WmiDataId(1), StringTermination(\"ReverseCounted\"), Format(\"w\")] string a;"
	       "[WmiDataId(2), StringTermination(\"NotCounted\")] string b;",
	       "\0\x02y\0rest", "a=y b=rest");
	FIELDS("[WmiDataId(1), StringTermination(\"NotCounted\"), Format(\"w\")] string a;",
	       "r\0e\0", "a=re");
	FIELDS("[WmiDataId(1), Format(\"s\")] uint8 a[4];"
	       "[WmiDataId(2), Format(\"s\")] char16 b[3];",
	       "ab\0\0c\0\0\0\0\0", "a=ab b=c");
}

static void test_extensions(void)
{
	FIELDS("[WmiDataId(1), Extension(\"Guid\")] object a;",
	       "\x11\x11\x11\x11\x22\x22\x33\x33\x44\x44\x55\x55\x66\x66\x77\x77",
	       "a={11111111-2222-3333-4444-555566667777}");
	FIELDS("[WmiDataId(1), Extension(\"IPAddr\")] object a;"
	       "[WmiDataId(2), extension(\"ipaddrv4\")] object b;"
	       "[WmiDataId(3), Extension(\"Port\")] object c;",
	       "\x7f\0\0\x01\x0a\0\0\x02\x1f\x90", "a=127.0.0.1 b=10.0.0.2 c=8080");
	FIELDS("[WmiDataId(1), Extension(\"IPAddrV6\")] object a;",
	       "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01", "a=::1");
	FIELDS("[WmiDataId(1), Extension(\"SizeT\")] object a;"
	       "[WmiDataId(2), Extension(\"Variant\")] object b;",
	       "\x10\0\0\0\0\0\0\0\x02\0\0\0\xab\xcd", "a=0x10 b=0xABCD");
	FIELDS("[WmiDataId(1), Extension(\"RString\")] object a;"
	       "[WmiDataId(2), Extension(\"RWString\")] object b;",
	       "ab\0c\0\0\0", "a=ab b=c");
	FIELDS("[WmiDataId(1), Extension(\"WmiTime\")] object a;"
	       "[WmiDataId(2), Extension(\"NoPrint\")] uint8 b;",
	       "\x05\0\0\0\0\0\0\0\x01", "a=5 b=");
	/* A token of two pointers, then the SID; or four zeros */
	FIELDS("[WmiDataId(1), Extension(\"Sid\")] object a; [WmiDataId(2)] uint8 b;",
	       "\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x01\0\0\0\0\0\x05\x12\0\0\0\x07",
	       "a=S-1-5-18 b=7");
	FIELDS("[WmiDataId(1), Extension(\"Sid\")] object a; [WmiDataId(2)] uint8 b;",
	       "\0\0\0\0\x07", "a= b=7");
	FIELDS("[WmiDataId(1), Extension(\"Sid\")] object a; [WmiDataId(2)] uint8 b;",
	       "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x01\0\0\0\0\0\x05\x12\0\0\0\x07",
	       "a=S-1-5-18 b=7");
}

static void test_arrays(void)
{
	FIELDS("[WmiDataId(1)] uint8 a[2]; [WmiDataId(2)] uint8 b;",
	       "\x01\x02\x03", "a=1 a=2 b=3");
	FIELDS("[WmiDataId(1)] uint16 n;"
	       "[WmiDataId(2), WmiSizeIs(\"n\")] uint16 a[]; [WmiDataId(3)] uint8 b;",
	       "\x02\0\x05\0\x06\0\x07", "n=2 a=5 a=6 b=7");
}

static void test_maps(void)
{
	FIELDS("[WmiDataId(1), ValueMap{\"1\", \"0x2\"}, Values{\"One\", \"Two\"}] uint32 a;"
	       "[WmiDataId(2), Values{\"None\", \"Some\"}] uint8 b;"
	       "[WmiDataId(3), Values{\"None\"}] uint8 c;",
	       "\x02\0\0\0\x01\x01", "a=Two b=Some c=1");
	FIELDS("[WmiDataId(1), ValueType(\"flag\"), ValueMap{\"0x01\", \"0x04\"},"
	       " Values{\"Read\", \"Write\"}] uint32 a;",
	       "\x0d\0\0\0", "a=Read|Write|0x8");
	/* The lower half of 4294967297 is 1 */
	FIELDS("[WmiDataId(1), ValueMap{\"4294967297\", \"2\"},"
	       " Values{\"Large\", \"Two\"}] uint32 a;"
	       "[WmiDataId(2), ValueMap{\"4294967295\"}, Values{\"Most\"}] uint32 b;",
	       "\x01\0\0\0\xff\xff\xff\xff", "a=1 b=Most");
	FIELDS("[WmiDataId(1), BitMap{\"0\", \"3\"}, BitValues{\"Low\", \"High\"}] uint8 a;"
	       "[WmiDataId(2), BitValues{\"First\", \"Second\"}] uint8 b;",
	       "\x09\x02", "a=Low|High b=Second");
}

static void test_language(void)
{
	FIELDS("  // a comment\n[read, WmiDataId(2)] uint8 second; /* another\n */"
	       "[WmiDataId(1), Description(\"a \" \"b\\\"c\") : amended ToSubclass]\n"
	       "UINT8 First = 0x7; uint8 no_data; string method([in] uint8 x);",
	       "\x01\x02", "First=1 second=2");
	FIELDS("};\n#pragma autorecover\ninstance of X { A = {1, 2}; };\n"
	       "qualifier Y : boolean = false, scope(any);\n"
	       "class Declared;\n[Guid{\"{33333333-2222-3333-4444-555566667777}\"}]\n"
	       "class Z { sint32 v = -5; real64 f = 1.5e3; X ref x;", "", "");
}

/* Qualifiers are inherited from the base class */
static void test_inherited(void)
{
	static const char text[] =
		PROVIDER
		"[Guid(\"{22222222-2222-3333-4444-555566667777}\"), EventVersion(1)]\n"
		"class Request : Server {};\n"
		"class Base : Request { [WmiDataId(1)] uint8 a; };\n"
		"[EventType(2)] class T : Base {};\n";
	EVENT_RECORD event = event_of("\x05", 1);
	struct shown shown;

	CHECK(load(text), "a class without a display name");
	show_event(&event, &shown);
	CHECK(!strcmp(shown.text, "a=5"), "fields of a base class");
	TdhUnloadManifestFromMemory(text, sizeof(text) - 1);
}

/* A property without WmiDataId has no data, and is not a field */
static void test_inherited_without_data(void)
{
	static const char text[] =
		PROVIDER
		"[Guid(\"{22222222-2222-3333-4444-555566667777}\"), EventVersion(1)]\n"
		"class Request : Server {};\n"
		"class Base : Request { [WmiDataId(1)] uint8 a; };\n"
		"[EventType(2)] class T : Base { uint8 b; };\n";
	EVENT_RECORD event = event_of("\x05", 1);
	struct shown shown;

	CHECK(load(text), "a class with a property without data");
	show_event(&event, &shown);
	CHECK(!strcmp(shown.text, "a=5"),
	      "fields of a base class, beside properties without data");
	TdhUnloadManifestFromMemory(text, sizeof(text) - 1);
}

static void test_xml(void)
{
	static const char text[] = HEAD "[WmiDataId(1), XMLFragment] string a;"
				   "[WmiDataId(2)] string b; };";
	EVENT_RECORD event = event_of("<a/>\0b", 7);
	TRACE_EVENT_INFO *info;

	CHECK(load(text), "a class with XML");
	info = info_of(&event);
	CHECK(info && info->PropertyCount == 2 &&
	      info->EventPropertyInfoArray[0].Flags ==
	      PropertyWBEMXmlFragment &&
	      !info->EventPropertyInfoArray[1].Flags,
	      "XMLFragment is a flag of its property");
	free(info);
	TdhUnloadManifestFromMemory(text, sizeof(text) - 1);
}

static void test_names(void)
{
	static const char text[] = HEAD "[WmiDataId(1)] uint8 a; };";
	EVENT_RECORD event = event_of("\x05", 1);
	TRACE_EVENT_INFO *info;

	load(text);
	info = info_of(&event);
	CHECK(info && info->DecodingSource == DecodingSourceWbem,
	      "a class is decoded by MOF");
	CHECK(info && same_guid(&info->ProviderGuid, &provider) &&
	      same_guid(&info->EventGuid, &class),
	      "an event has its provider and its class");
	CHECK(info && is_text(TEI_PROVIDER_NAME(info), "Server"),
	      "the provider's name");
	CHECK(info && is_text(TEI_TASK_NAME(info), "Request"),
	      "the display name is the task's");
	CHECK(info && is_text(TEI_OPCODE_NAME(info), "End"),
	      "the type's name is the opcode's");
	CHECK(info && is_text(TEI_LEVEL_NAME(info), "Warning"),
	      "the level's name");
	free(info);
	event.EventHeader.EventDescriptor.Opcode = 3;
	CHECK(!info_of(&event), "a type that no class has");
	event = event_of("\x05", 1);
	event.EventHeader.EventDescriptor.Version = 2;
	CHECK(!info_of(&event), "a version that no class has");
	event = event_of("\x05", 1);
	event.EventHeader.Flags = EVENT_HEADER_FLAG_64_BIT_HEADER;
	CHECK(!info_of(&event), "an event that is not classic");
	TdhUnloadManifestFromMemory(text, sizeof(text) - 1);
	event = event_of("\x05", 1);
	CHECK(!info_of(&event), "unloaded, it is unknown");
}

/* The class without a version applies to versions without a class */
static void test_versions(void)
{
	static const char text[] = PROVIDER
		"[Guid(\"{22222222-2222-3333-4444-555566667777}\")]\n"
		"class Latest : Server {};\n"
		"[EventType(2)] class LT : Latest { [WmiDataId(1)] uint8 latest; };\n"
		"[Guid(\"{22222222-2222-3333-4444-555566667777}\"), EventVersion(1)]\n"
		"class V1 : Server {};\n"
		"[EventType(2)] class T1 : V1 { [WmiDataId(1)] uint8 first; };\n";
	EVENT_RECORD event = event_of("\x05", 1);
	struct shown shown;

	load(text);
	show_event(&event, &shown);
	CHECK(!strcmp(shown.text, "first=5"), "the class of the version");
	event.EventHeader.EventDescriptor.Version = 2;
	show_event(&event, &shown);
	CHECK(!strcmp(shown.text, "latest=5"), "the class of no version");
	TdhUnloadManifestFromMemory(text, sizeof(text) - 1);
}

/* Files are usually in UTF-16 */
static void test_encodings(void)
{
	static const char text[] = HEAD "[WmiDataId(1)] uint8 a; };";
	WCHAR wide[sizeof(text)];
	EVENT_RECORD event = event_of("\x05", 1);
	struct shown shown;

	wide[0] = 0xfeff;
	for (size_t i = 0; i < sizeof(text) - 1; i++)
		wide[i + 1] = (unsigned char)text[i];
	CHECK(!TdhLoadManifestFromMemory(wide, sizeof(wide)),
	      "a description in UTF-16 is loaded");
	show_event(&event, &shown);
	CHECK(!strcmp(shown.text, "a=5"), "a description in UTF-16 is used");
	TdhUnloadManifestFromMemory(wide, sizeof(wide));
	CHECK(!TdhLoadManifestFromMemory(wide + 1, sizeof(wide) - 2),
	      "UTF-16 without a mark loads");
	TdhUnloadManifestFromMemory(wide + 1, sizeof(wide) - 2);
}

static void test_provider(void)
{
	static const char text[] =
		"[Guid(\"{11111111-2222-3333-4444-555566667777}\")]\n"
		"class Server : EventTrace {\n"
		"[Values{\"Io\", \"Net\"}, ValueMap{\"0x1\", \"0x10\"}, ValueType(\"flag\"),"
		" ValueDescriptions{\"Input and output\", \"Network\"}] uint32 Flags;\n"
		"[Values{\"Bad\"}, ValueMap{\"2\"}] uint32 Level; };\n";
	PROVIDER_FIELD_INFOARRAY *fields;
	PROVIDER_ENUMERATION_INFO *all;
	BYTE buffer[4096];
	ULONG size = sizeof(buffer);
	GUID id = provider;

	load(text);
	all = (void *)buffer;
	CHECK(!TdhEnumerateProviders(all, &size) && all->NumberOfProviders == 1 &&
	      all->TraceProviderInfoArray[0].SchemaSource == 1,
	      "TdhEnumerateProviders: the schema is a class");
	fields = (void *)buffer;
	size = sizeof(buffer);
	CHECK(!TdhEnumerateProviderFieldInformation(&id, EventKeywordInformation,
						    fields, &size) &&
	      fields->NumberOfElements == 2 &&
	      fields->FieldInfoArray[1].Value == 0x10 &&
	      is_text(evnt_tdh_text(fields, fields->FieldInfoArray[1].NameOffset),
		      "Net"),
	      "TdhEnumerateProviderFieldInformation: Flags are keywords");
	size = sizeof(buffer);
	CHECK(!TdhEnumerateProviderFieldInformation(&id, EventLevelInformation,
						    fields, &size) &&
	      fields->NumberOfElements >= 1,
	      "TdhEnumerateProviderFieldInformation returns levels");
	TdhUnloadManifestFromMemory(text, sizeof(text) - 1);
}

int main(void)
{
	setenv("EVNTPROV_MANIFESTS", "/nowhere", 1);
	test_wrong();
	test_limits();
	test_numbers();
	test_strings();
	test_extensions();
	test_arrays();
	test_maps();
	test_language();
	test_inherited();
	test_inherited_without_data();
	test_xml();
	test_names();
	test_versions();
	test_encodings();
	test_provider();
	return tap_end();
}
