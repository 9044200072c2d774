// SPDX-License-Identifier: MIT
/*
 * WPP events described by trace message format files: each type of argument,
 * messages, lists of names; and which errors are reported where.
 */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "evnttdh.h"
#include "tdh/tmf.h"
#include "selftests/unit/common/tap.h"
#include "selftests/unit/tdh/tdh_show.h"
#include "selftests/unit/tdh/tdh_text.h"

#define HEAD								\
	"// PDB: c:\\server.pdb\r\n"					\
	"11111111-2222-3333-4444-555566667777 server // SRC=queue.c MJ= MN=\r\n"
#define EVENT(message)							\
	"#typev queue_c12 11 \"%0" message "\" //   LEVEL=TRACE_LEVEL_ERROR"	\
	" FLAGS=ALL FUNC=Queue::Run\n{\n"

#define HEAD2(guid, id)							\
	guid "-2222-3333-4444-555566667777 server // SRC=a.c MJ= MN=\n"	\
	"#typev a_c1 " id " \"%0text\" // FUNC=f\n{\n}\n"

static const GUID provider = {
	0x11111111, 0x2222, 0x3333,
	{ 0x44, 0x44, 0x55, 0x55, 0x66, 0x66, 0x77, 0x77 },
};

static EVENT_RECORD event_of(const void *data, size_t len)
{
	EVENT_RECORD event = {
		.EventHeader = {
			.ProviderId = provider,
			.Flags = EVENT_HEADER_FLAG_TRACE_MESSAGE |
				 EVENT_HEADER_FLAG_64_BIT_HEADER,
			.EventDescriptor.Id = 11,
		},
		.UserData = (void *)data,
		.UserDataLength = len,
	};

	return event;
}

/* Check that bytes of an event with a message and arguments have this text */
static void check_fields(const char *file, const void *data, size_t len,
			 const char *want)
{
	EVENT_RECORD event = event_of(data, len);
	struct shown shown;

	CHECK(!TdhLoadManifestFromMemory(file, strlen(file)), "%s is read", want);
	show_event(&event, &shown);
	CHECK(!strcmp(shown.text, want), "%s", want);
	if (strcmp(shown.text, want) != 0)
		printf("# '%s'\n", shown.text);
	TdhUnloadManifestFromMemory(file, strlen(file));
}

#define FIELDS(message, arguments, bytes, want)				\
	check_fields(HEAD EVENT(message) arguments "}\n", bytes,	\
		     sizeof(bytes) - 1, want)

static void test_numbers(void)
{
	FIELDS("%10!c! %11!d! %12!u! %13!x!",
	       "a, ItemChar -- 10\nb, ItemChar -- 11\nc, ItemUChar -- 12\n"
	       "d, ItemUChar -- 13\n", "A\xff\xff\x1f", "a=A b=-1 c=255 d=0x1F");
	FIELDS("%10!hd! %11!hu! %12!hX!",
	       "a, ItemShort -- 10\nb, ItemShort -- 11\nc, ItemShort -- 12\n",
	       "\xfe\xff\xfe\xff\x2f\0", "a=-2 b=65534 c=0x2F");
	FIELDS("%10!d! %11!u! %12!08x! %13!s!",
	       "a, ItemLong -- 10\nb, ItemLong -- 11\nc, ItemLong -- 12\n"
	       "d, ItemULong -- 13\n",
	       "\xfd\xff\xff\xff\xfd\xff\xff\xff\x3f\0\0\0\x01\0\0\0",
	       "a=-3 b=4294967293 c=0x3F d=1");
	FIELDS("%10!I64d! %11!I64x! %12!s!",
	       "a, ItemLongLong -- 10\nb, ItemLongLong -- 11\n"
	       "c, ItemLongLongX -- 12\n",
	       "\xfc\xff\xff\xff\xff\xff\xff\xff\x02\0\0\0\0\0\0\0\x03\0\0\0\0\0\0\0",
	       "a=-4 b=0x2 c=0x3");
	FIELDS("%10!p! %11!s!", "a, ItemPtr -- 10\nb, ItemDouble -- 11\n",
	       "\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\x04\x40", "a=0x1 b=2.5");
}

static void test_strings(void)
{
	FIELDS("%10!s! %11!S! %12!s! %13!s!",
	       "a, ItemString -- 10\nb, ItemWString -- 11\n"
	       "c, ItemPString -- 12\nd, ItemPWString -- 13\n",
	       "ab\0c\0\0\0\x02\0de\x04\0f\0g\0", "a=ab b=c c=de d=fg");
	FIELDS("%10!s!", "a, ItemHEXDump -- 10\n", "\x02\0\xab\xcd", "a=0xABCD");
}

static void test_values(void)
{
	FIELDS("%10!s! %11!s!", "a, ItemGuid -- 10\nb, ItemIPAddr -- 11\n",
	       "\x11\x11\x11\x11\x22\x22\x33\x33\x44\x44\x55\x55\x66\x66\x77\x77"
	       "\x7f\0\0\x01",
	       "a={11111111-2222-3333-4444-555566667777} b=127.0.0.1");
	FIELDS("%10!s! %11!s! %12!s!",
	       "a, ItemNTSTATUS -- 10\nb, ItemHRESULT -- 11\nc, ItemPort -- 12\n",
	       "\x34\0\0\xc0\x05\0\x07\x80\x1f\x90",
	       "a=0xC0000034 b=0x80070005 c=8080");
	FIELDS("%10!s!", "a, ItemSid -- 10\n", "\x01\x01\0\0\0\0\0\x05\x12\0\0\0",
	       "a=S-1-5-18");
}

static void test_lists(void)
{
	FIELDS("%10!s! %11!s! %12!s!",
	       "a, ItemListLong(false,true) -- 10\n"
	       "b, ItemListByte(None=0x4, Some) -- 11\n"
	       "c, ItemListShort(X) -- 12\n",
	       "\x01\0\0\0\x05\x07\0", "a=true b=Some c=7");
	FIELDS("%10!s!", "a, ItemSetLong(Read,Write,Run) -- 10\n",
	       "\x0d\0\0\0", "a=Read|Run|0x8");
	FIELDS("%10!s!", "a, ItemEnum(_STATE) -- 10\n", "\x02\0\0\0", "a=2");
}

static void test_names(void)
{
	FIELDS("%10!d! %11!d! %12!d! %13!d!",
	       "Arg, ItemLong -- 10\n, ItemLong -- 11\n"
	       "f(x, Item y), ItemLong -- 12\nf(x, Item y), ItemLong -- 13\n",
	       "\x01\0\0\0\x02\0\0\0\x03\0\0\0\x04\0\0\0",
	       "Arg1=1 Arg2=2 f(x, Item y)=3 f(x, Item y)4=4");
}

static const WCHAR *name_of(const TRACE_EVENT_INFO *info)
{
	return info->EventNameOffset ?
	       (const WCHAR *)((const BYTE *)info + info->EventNameOffset) : NULL;
}

static void test_message(void)
{
	static const char file[] = HEAD
		"#typev queue_c12 11 \"%0%!FUNC! in %2!s!: \"%10!s!\" %3!d!is 5%%\""
		" //   LEVEL=TRACE_LEVEL_ERROR FUNC=Queue::Run\n"
		"{\npath, ItemString -- 10\n}\n"
		"#typev queue_c13 12 \"%0again\"\n"
		"22222222-2222-3333-4444-555566667777 client\n"
		"#typev main_c1 11 \"%0client\" // FUNC=main\n"
		"11111111-2222-3333-4444-555566667777 server // SRC=list.c\n"
		"#typev list_c1 11 \"%0the first one is used\"\n"
		"#typev list_c2 13 \"%0list\"\n";
	EVENT_RECORD event = event_of("a", 2);
	TRACE_EVENT_INFO *info;

	CHECK(!TdhLoadManifestFromMemory(file, sizeof(file) - 1),
	      "a file of several sources is read");
	info = info_of(&event);
	CHECK(info && info->DecodingSource == DecodingSourceWPP &&
	      is_text(TEI_PROVIDER_NAME(info), "server") &&
	      is_text(TEI_LEVEL_NAME(info), "TRACE_LEVEL_ERROR") &&
	      is_text(name_of(info), "Queue::Run"),
	      "an event has the names of its program, level and function");
	CHECK(info && is_text(TEI_EVENT_MESSAGE(info),
			      "Queue::Run in queue_c12: \"%1!s!\" is 5%%"),
	      "the message names fields from 1 on");
	free(info);
	event.EventHeader.EventDescriptor.Id = 12;
	info = info_of(&event);
	CHECK(info && is_text(name_of(info), "queue_c13") &&
	      is_text(TEI_EVENT_MESSAGE(info), "again") &&
	      !info->PropertyCount,
	      "an event without a comment or fields has its line as name");
	free(info);
	event.EventHeader.EventDescriptor.Id = 13;
	info = info_of(&event);
	CHECK(info && is_text(TEI_EVENT_MESSAGE(info), "list"),
	      "a GUID may occur again");
	free(info);
	TdhUnloadManifestFromMemory(file, sizeof(file) - 1);
}

#define WPP								\
	HEAD "#typev queue_c12 11 \"%0%!FUNC!: %10!s! has %11!d!%%, %12!s!\""	\
	" //   LEVEL=TRACE_LEVEL_ERROR FLAGS=ALL FUNC=Queue::Run\n"	\
	"{\npath, ItemWString -- 10\nn, ItemLong -- 11\n"		\
	"state, ItemListByte(Off,On) -- 12\n}\n"			\
	"#typev queue_c13 12 \"%0bare%n\"\n"
#define WPP_DATA	"\xe4\0\0\0\x05\0\0\0\x01"

/* Check a property, whatever the size of the buffer is */
static bool has_text(TDH_HANDLE handle, EVENT_RECORD *event, PWSTR name,
		     const char *want)
{
	WCHAR text[64];
	ULONG size = 0, code;

	code = TdhGetWppProperty(handle, event, name, &size, NULL);
	if (code != ERROR_INSUFFICIENT_BUFFER || size > sizeof(text))
		return code == ERROR_NOT_FOUND && !want;
	size--;
	if (TdhGetWppProperty(handle, event, name, &size, (PBYTE)text) !=
	    ERROR_INSUFFICIENT_BUFFER)
		return false;
	return !TdhGetWppProperty(handle, event, name, &size, (PBYTE)text) &&
	       size == 2 * (wide_len(text) + 1) && is_text(text, want);
}

static void test_properties(void)
{
	EVENT_RECORD event = event_of(WPP_DATA, sizeof(WPP_DATA) - 1);
	TDH_CONTEXT utc = { .ParameterType = TDH_CONTEXT_WPP_GMT,
			    .ParameterValue = 1 };
	static const u16 time[] = { 2022, 6, 6, 18, 4, 26, 40, 123 };
	u16 got[8] = { 0 };
	ULONG size = sizeof(got);
	TDH_HANDLE handle = NULL;
	WCHAR text[64];
	LONGLONG raw;
	GUID guid;

	event.EventHeader.TimeStamp.QuadPart = 133000000000000000 + 1234567;
	TdhOpenDecodingHandle(&handle);
	CHECK(has_text(handle, &event, (PWSTR)u"FormattedString", NULL),
	      "an event without a file has no message");
	CHECK(!TdhLoadManifestFromMemory(WPP, sizeof(WPP) - 1),
	      "a file with flags is read");
	CHECK(has_text(handle, &event, (PWSTR)u"FormattedString",
		       "Queue::Run: \u00e4 has 5%, On"), "the message");
	CHECK(has_text(handle, &event, (PWSTR)u"FunctionName", "Queue::Run") &&
	      has_text(handle, &event, (PWSTR)u"GuidName", "server") &&
	      has_text(handle, &event, (PWSTR)u"GuidTypeName", "queue_c12") &&
	      has_text(handle, &event, (PWSTR)u"LevelName",
		       "TRACE_LEVEL_ERROR") &&
	      has_text(handle, &event, (PWSTR)u"FlagsName", "ALL") &&
	      has_text(handle, &event, (PWSTR)u"path", NULL),
	      "names of an event of WPP");
	TdhSetDecodingParameter(handle, &utc);
	CHECK(!TdhGetWppProperty(handle, &event, (PWSTR)u"SystemTime", &size,
				 (PBYTE)got) && size == sizeof(got) &&
	      !memcmp(got, time, sizeof(got)), "time of an event of WPP");
	size = sizeof(raw);
	CHECK(!TdhGetWppProperty(handle, &event, (PWSTR)u"RawSystemTime", &size,
				 (PBYTE)&raw) && size == sizeof(raw) &&
	      raw == event.EventHeader.TimeStamp.QuadPart,
	      "time of an event of WPP as a FILETIME");
	size = sizeof(guid);
	CHECK(!TdhGetWppProperty(handle, &event, (PWSTR)u"TraceGuid", &size,
				 (PBYTE)&guid) && size == sizeof(guid) &&
	      same_guid(&guid, &provider), "GUID of an event of WPP");
	size = sizeof(text);
	event.UserDataLength = 4;
	CHECK(!TdhGetWppMessage(handle, &event, &size, (PBYTE)text) &&
	      is_text(text, "Queue::Run: \u00e4 has %2%, %3"),
	      "a message of a payload that ends too early");
	event.EventHeader.EventDescriptor.Id = 12;
	CHECK(has_text(handle, &event, (PWSTR)u"FormattedString", "bare\n") &&
	      has_text(handle, &event, (PWSTR)u"FunctionName", NULL) &&
	      has_text(handle, &event, (PWSTR)u"LevelName", NULL) &&
	      has_text(handle, &event, (PWSTR)u"FlagsName", NULL),
	      "an event without a comment has no names");
	TdhUnloadManifestFromMemory(WPP, sizeof(WPP) - 1);
	TdhCloseDecodingHandle(handle);
}

/* The file that a parameter names is loaded when an event needs it */
static void test_file(void)
{
	EVENT_RECORD event = event_of(WPP_DATA, sizeof(WPP_DATA) - 1);
	PROPERTY_DATA_DESCRIPTOR message = {
		.PropertyName = (ULONGLONG)(uintptr_t)u"FormattedString",
		.ArrayIndex = UINT32_MAX,
	}, field = {
		.PropertyName = (ULONGLONG)(uintptr_t)u"n",
		.ArrayIndex = UINT32_MAX,
	};
	char name[] = "/tmp/evnt-tmf-XXXXXX";
	WCHAR wide[64], text[64];
	TDH_CONTEXT file = { .ParameterType = TDH_CONTEXT_WPP_TMFFILE,
			     .ParameterValue = (uintptr_t)wide };
	int fd = mkstemp(name);
	ULONG size = 0, n = 0;
	TDH_HANDLE handle;
	size_t i;

	for (i = 0; name[i]; i++)
		wide[i] = (unsigned char)name[i];
	wide[i] = 0;
	CHECK(write(fd, WPP, sizeof(WPP) - 1) == (ssize_t)sizeof(WPP) - 1 &&
	      TdhGetPropertySize(&event, 0, NULL, 1, &message, &size) ==
	      ERROR_NOT_FOUND, "an event without a file has no property");
	CHECK(!TdhGetPropertySize(&event, 1, &file, 1, &message, &size) &&
	      size == sizeof(u"Queue::Run: \u00e4 has 5%, On") &&
	      TdhGetProperty(&event, 1, &file, 1, &message, size - 1,
			     (PBYTE)text) == ERROR_INSUFFICIENT_BUFFER &&
	      !TdhGetProperty(&event, 1, &file, 1, &message, size,
			      (PBYTE)text) &&
	      is_text(text, "Queue::Run: \u00e4 has 5%, On"),
	      "the message by a file");
	CHECK(!TdhGetProperty(&event, 1, &file, 1, &field, sizeof(n),
			      (PBYTE)&n) && n == 5, "a field by a file");
	CHECK(!TdhUnloadManifest(wide), "the file was loaded once");
	size = 0;
	CHECK(TdhGetEventInformation(&event, 1, &file, NULL, &size) ==
	      ERROR_INSUFFICIENT_BUFFER && !TdhUnloadManifest(wide),
	      "a description by a file");
	TdhOpenDecodingHandle(&handle);
	TdhSetDecodingParameter(handle, &file);
	CHECK(has_text(handle, &event, (PWSTR)u"LevelName",
		       "TRACE_LEVEL_ERROR") && !TdhUnloadManifest(wide),
	      "a property by a file of the handle");
	TdhCloseDecodingHandle(handle);
	close(fd);
	unlink(name);
}

/* Write a file of the same size and times, so that it seems to be the same */
static void rewrite(int fd, const char *text, time_t modified)
{
	const struct timespec times[2] = {
		{ .tv_sec = modified }, { .tv_sec = modified },
	};

	CHECK(pwrite(fd, text, strlen(text), 0) == (ssize_t)strlen(text) &&
	      !futimens(fd, times), "a file of time %ld", (long)modified);
}

static bool is_described(u16 id, TDH_CONTEXT *file)
{
	EVENT_RECORD event = event_of(WPP_DATA, sizeof(WPP_DATA) - 1);
	ULONG size = 0;

	event.EventHeader.EventDescriptor.Id = id;
	return TdhGetEventInformation(&event, 1, file, NULL, &size) ==
	       ERROR_INSUFFICIENT_BUFFER;
}

/*
 * A file is parsed once for all events that it does not describe.  Content that
 * is never seen shows that it was not parsed again.
 */
static void test_once(void)
{
	static const char wrong[] = HEAD2("xxxxxxxx", "13");
	static const char first[] = HEAD2("11111111", "13");
	static const char second[] = HEAD2("11111111", "14");
	char name[] = "/tmp/evnt-tmf-XXXXXX";
	WCHAR wide[64];
	TDH_CONTEXT file = { .ParameterType = TDH_CONTEXT_WPP_TMFFILE,
			     .ParameterValue = (uintptr_t)wide };
	int fd = mkstemp(name);
	size_t i;

	for (i = 0; name[i]; i++)
		wide[i] = (unsigned char)name[i];
	wide[i] = 0;
	rewrite(fd, wrong, 1000);
	CHECK(!is_described(13, &file), "a file without a GUID is refused");
	rewrite(fd, first, 1000);
	CHECK(!is_described(13, &file), "a refused file is not parsed again");
	CHECK(TdhUnloadManifest(wide) == ERROR_FILE_NOT_FOUND,
	      "a refused file is not loaded");
	CHECK(is_described(13, &file) && !is_described(14, &file),
	      "a file describes one of two events");
	rewrite(fd, second, 1000);
	CHECK(!is_described(14, &file), "a loaded file is not parsed again");
	rewrite(fd, wrong, 2000);
	CHECK(is_described(13, &file) && !is_described(14, &file),
	      "a version that is refused leaves the one that is loaded");
	rewrite(fd, second, 2000);
	CHECK(!is_described(14, &file),
	      "a refused version is not parsed again");
	rewrite(fd, second, 3000);
	CHECK(is_described(14, &file) && !TdhUnloadManifest(wide),
	      "a file that was written again is parsed again");
	close(fd);
	unlink(name);
}

static void listen(const struct problem *p, void *context)
{
	snprintf(context, 600, "%s:%u: %s", p->file, p->line, p->text);
}

static void test_wrong(void)
{
	static const char unknown[] =
		HEAD EVENT("%10!d! %11!d!") "a, ItemLong -- 10\nb, ItemNew -- 11\n"
		"c, ItemLong -- 12\n}\n";
	static const char bare[] = HEAD "#typev queue_c1 11 no text\n"
		"#typev queue_c2 70000 \"large\"\n";
	char reported[600] = "";
	struct manifest *m;

	CHECK(!is_tmf((const u8 *)"// only a comment", 17) &&
	      !is_tmf((const u8 *)"11111111-2222-3333-4444-55556666777", 35) &&
	      !is_tmf((const u8 *)"<xml/>", 6), "other files are no TMF");
	CHECK(is_tmf((const u8 *)HEAD, strlen(HEAD)), "a TMF has a GUID");
	m = tmf_parse("x.tmf", unknown, sizeof(unknown) - 1, listen, reported);
	CHECK(m && strstr(reported, "x.tmf:6: the type ItemNew is unknown"),
	      "an unknown type is reported");
	CHECK(m && m->providers->events->template->count == 1,
	      "fields before it are used");
	manifest_free(m);
	m = tmf_parse("x.tmf", bare, sizeof(bare) - 1, listen, reported);
	CHECK(m && !m->providers->events &&
	      strstr(reported, "x.tmf:4: a message needs a GUID"),
	      "a message without text or with a large number is reported");
	manifest_free(m);
	CHECK(!tmf_parse("x.tmf", "", 0, NULL, NULL), "an empty file is none");
	CHECK(!tmf_parse("x.tmf", "a\nb", 3, listen, reported) &&
	      strstr(reported, "x.tmf:2: no line begins with the GUID"),
	      "a file without a GUID is reported");
	CHECK(!tmf_parse("x.tmf", "\xfe\xff\0a", 4, listen, reported) &&
	      strstr(reported, "x.tmf:0: the file is UTF-16 in big-endian order"),
	      "a file in big-endian order is reported");
}

static void count(const GUID *guid, void *context)
{
	*(unsigned int *)context += same_guid(guid, &provider);
}

static void test_guids(void)
{
	unsigned int found = 0;

	tmf_guids(HEAD "22222222-2222-3333-4444-555566667777 x\n" HEAD, count,
		  &found);
	CHECK(found == 2, "GUIDs of messages are found");
}

int main(void)
{
	setenv("EVNTPROV_MANIFESTS", "/nowhere", 1);
	test_numbers();
	test_strings();
	test_values();
	test_lists();
	test_names();
	test_message();
	test_properties();
	test_file();
	test_once();
	test_wrong();
	test_guids();
	return tap_end();
}
