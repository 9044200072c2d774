// SPDX-License-Identifier: MIT
/*
 * Manifests as others publish them: a problem removes what it concerns, is
 * reported once, and leaves the rest of the provider; compilers refuse the same
 * manifest.  Also the manifests of a system, which are parsed when an event
 * needs them, and compiled manifests given by their path.
 */
#define _GNU_SOURCE
#include <ftw.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "evnttdh.h"
#include "selftests/unit/common/tap.h"
#include "tdh/wevt.h"
#include "selftests/unit/tdh/tdh_text.h"

#define HEAD								\
	"<instrumentationManifest xmlns='http://schemas.microsoft.com/win/"	\
	"2004/08/events' xmlns:win='http://manifests.microsoft.com/win/2004/"	\
	"08/windows/events'>\n<instrumentation><events>\n"
#define PROVIDER							\
	"<provider name='P' guid='{11111111-2222-3333-4444-555566667777}'>\n"
#define END	"</provider></events></instrumentation>\n"
#define TAIL	END "</instrumentationManifest>\n"

static GUID provider_id = { 0x11111111, 0x2222, 0x3333,
			    { 0x44, 0x44, 0x55, 0x55, 0x66, 0x66, 0x77,
			      0x77 } };

/* Reported problems, a line each */
struct reported {
	char text[8192];
	size_t len;
	unsigned int count;
};

static void listen(const struct problem *p, void *context)
{
	struct reported *reported = context;

	reported->count++;
	if (reported->len > sizeof(reported->text) - 600)
		return;
	reported->len += snprintf(reported->text + reported->len,
				  sizeof(reported->text) - reported->len,
				  "%u:%u: %s\n", p->line, p->column, p->text);
}

static bool is_strictly_refused(const char *text)
{
	struct reported reported = { .len = 0 };
	struct manifest *m = manifest_parse("x.man", text, strlen(text),
					    listen, &reported);

	manifest_free(m);
	return !m && reported.count;
}

/* Read a manifest with problems, all of which are in @want, a line each */
static struct manifest *read_bad(const char *what, const char *text,
				 const char *want)
{
	struct reported reported = { .len = 0 };
	struct manifest *m = manifest_parse_lenient("x.man", text, strlen(text),
						    listen, &reported);

	CHECK(m && m->providers && !strcmp(reported.text, want),
	      "%s: reported: %s", what, reported.text);
	CHECK(is_strictly_refused(text), "%s: a compiler refuses it", what);
	if (!m)
		exit(tap_end());
	return m;
}

/* Return an event of the first provider, or exit */
static const struct event *event_of(const struct manifest *m, u16 id)
{
	const struct event *e = manifest_event(m, m->providers, id, 0);

	CHECK(e, "event %u remains", id);
	if (!e)
		exit(tap_end());
	return e;
}

static void test_tasks(void)
{
	const struct event *e;
	struct manifest *m;

	m = read_bad("a task 0", HEAD PROVIDER
		"<tasks><task name='task_0' value='0'>"
		"<opcodes><opcode name='Go' value='20'/></opcodes></task>\n"
		"<task name='T' value='5'/></tasks>"
		"<events><event value='1' task='task_0' opcode='Go'/>\n"
		"<event value='2' task='task_0'/><event value='3' task='T'/>"
		"</events>" TAIL,
		"4:28: the value of task 'task_0' has to be from 1 to 65535\n");
	e = event_of(m, 1);
	CHECK(!e->descriptor.Task && e->descriptor.Opcode == 20,
	      "task 0 is win:None, and its opcodes are known");
	CHECK(event_of(m, 3)->descriptor.Task == 5,
	      "the names of another task are not affected");
	manifest_free(m);
}

static void test_items(void)
{
	const struct event *e;
	struct manifest *m;

	m = read_bad("values and twins", HEAD PROVIDER
		"<levels><level name='Severe' value='2'/>\n"
		"<level value='30'/><level name='L' value='20'/></levels>\n"
		"<opcodes><opcode name='Receive' value='240'/>\n"
		"<opcode name='O' value='300'/></opcodes>\n"
		"<keywords><keyword name='K' mask='0x10'/>"
		"<keyword name='Same' mask='0x10'/>\n"
		"<keyword name='K' mask='0x20'/><keyword name='Two' mask='0x3'/>"
		"</keywords>\n"
		"<events><event value='1' level='Severe' opcode='Receive' "
		"keywords='Same Two'/>"
		"<event value='2' level='L' opcode='O' keywords='K Two'/>"
		"</events>" TAIL,
		"4:30: the value of level 'Severe' has to be from 16 to 255\n"
		"5:1: <level> lacks its attribute 'name'\n"
		"6:33: the value of opcode 'Receive' has to be from 10 to 239\n"
		"7:18: the value of opcode 'O' has to be from 10 to 239\n"
		"8:63: keywords 'K' and 'Same' have the same value\n"
		"9:10: there are two keywords 'K'\n"
		"9:52: the mask of keyword 'Two' has to be one bit, of the lower 48\n");
	e = event_of(m, 1);
	CHECK(e->descriptor.Level == 2 && e->descriptor.Opcode == 240 &&
	      e->descriptor.Keyword == 0x10,
	      "values of Windows are Windows' items, twins the first one");
	e = event_of(m, 2);
	CHECK(e->descriptor.Level == 20 && !e->opcode &&
	      e->descriptor.Keyword == 0x10, "a skipped item has no name");
	manifest_free(m);
}

static void test_references(void)
{
	const struct event *e;
	struct manifest *m;

	m = read_bad("names of nothing", HEAD PROVIDER
		"<keywords><keyword name='K' mask='0x10' message='$(string.n)'/>"
		"</keywords><templates><template tid='t'>"
		"<data name='a' inType='win:UInt8' map='M' outType='x:odd'/>"
		"</template></templates>\n"
		"<events><event value='1' level='win:Always' task='T' opcode='O' "
		"channel='C' keywords='K N' template='u' message='$(string.n)'/>\n"
		"<event value='2' level='win:Always' task='T' opcode='O' "
		"channel='C' keywords='N K' template='u' message='$(string.n)'/>\n"
		"<event value='3' template='t' symbol='a:b' attributes='odd'/>"
		"</events>" TAIL,
		"4:41: there is no string 'n' in a <stringTable>\n"
		"4:146: 'x:odd' is no way to show a field; xs:string and win:HexInt32 are\n"
		"4:138: there is no map 'M'\n"
		"5:92: there is no template 'u'\n"
		"5:65: there is no channel 'C'\n"
		"5:26: there is no level 'win:Always'\n"
		"5:45: there is no task 'T'\n"
		"5:54: there is no opcode 'O'\n"
		"5:77: there is no keyword 'N'\n"
		"7:44: 'odd' is no NAME=VALUE\n");
	e = event_of(m, 2);
	CHECK(!e->level && !e->template && e->descriptor.Keyword == 0x10,
	      "an event without what does not exist");
	e = event_of(m, 3);
	CHECK(e->template && e->template->count == 1 && !e->symbol &&
	      !e->attributes, "a field without its map");
	manifest_free(m);
}

static void test_twins(void)
{
	struct manifest *m;

	m = read_bad("two of a kind", HEAD PROVIDER
		"<maps><valueMap name='M'><map value='1' message='$(string.s)'/>"
		"<map value='1' message='$(string.s)'/>\n<map value='2'/>"
		"<map value='3' message='$(string.s)'/></valueMap>\n"
		"<valueMap name='M'/></maps>\n"
		"<templates><template tid='t'/><template tid='t'>"
		"<data name='a' inType='win:UInt8'/></template></templates>\n"
		"<filters><filter name='F' value='1'/>"
		"<filter name='G' value='1'/></filters>\n"
		"<events><event value='1' symbol='S'/><event value='1'/>\n"
		"<event/><event value='2' symbol='S' template='t'/></events>\n"
		END "<localization><resources culture='en-US'><stringTable>\n"
		"<string id='s' value='one'/><string id='s' value='two'/>"
		"<string id='s' value='three'/><string id='u'/>"
		"</stringTable></resources></localization>"
		"</instrumentationManifest>",
		"13:37: there are two strings 's'\n"
		"13:87: string 'u' lacks its attribute 'value'\n"
		"4:69: map 'M' has two entries for 1\n"
		"5:1: <map> lacks its attribute 'message'\n"
		"6:11: there are two maps 'M'\n"
		"7:41: there are two templates 't'\n"
		"8:55: there are two filters 1 of version 0\n"
		"9:45: there are two events 1 of version 0\n"
		"10:1: <event> lacks its attribute 'value'\n");
	CHECK(m->providers->maps->count == 2 && !m->providers->maps->next &&
	      !strcmp(m->providers->maps->entries->message->texts[0], "one"),
	      "the first map, entry and string count");
	CHECK(list_length(m->providers->events) == 2 &&
	      list_length(m->providers->filters) == 1 &&
	      !event_of(m, 2)->template->count, "the first event, and template");
	manifest_free(m);
}

static void test_providers(void)
{
	struct reported reported = { .len = 0 };
	const char *text;
	struct manifest *m;

	m = read_bad("providers", HEAD PROVIDER "</provider>\n"
		"<provider guid='{21111111-2222-3333-4444-555566667777}'/>\n"
		"<provider name='R' guid='{1}'/>\n"
		"<provider name='S' guid='{11111111-2222-3333-4444-555566667777}'/>\n"
		"<provider name='T' guid='{31111111-2222-3333-4444-555566667777}'>"
		TAIL, "5:1: <provider> lacks its attribute 'name'\n"
		"6:20: '{1}' is no GUID: write {xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx}\n"
		"7:20: two providers have this GUID\n");
	CHECK(m->provider_count == 2, "the other providers remain");
	manifest_free(m);
	text = HEAD "<provider name='S'>" TAIL;
	m = manifest_parse_lenient("x", text, strlen(text), listen, &reported);
	CHECK(!m && reported.count == 1,
	      "a file without a provider is no manifest");
}

/* Fields from a malformed one on have no known place in the payload */
static void test_fields(void)
{
	const struct template *t;
	struct manifest *m;

	m = read_bad("fields", HEAD PROVIDER "<templates><template tid='t'>"
		"<data name='n' inType='win:UInt16'/>\n"
		"<struct name='s' count='n'><data name='l' inType='win:UInt8'/>"
		"<data name='d' inType='win:Binary' length='l'/></struct>\n"
		"<data name='hash' inType='win:Binary'/>\n"
		"<data name='end' inType='win:UInt8'/>"
		"<struct name='u'><data name='x' inType='win:UInt8'/></struct>"
		"</template>\n<template tid='v'><data name='a' inType='win:31'/>"
		"</template>\n"
		"<template tid='w'><data name='SizeOfIt' inType='win:UInt8'/>"
		"<data name='b' inType='win:Binary' length='Size Of It'/>"
		"<struct name='s'><data name='x' inType='win:UInt8'/>"
		"<data inType='win:UInt8'/></struct></template></templates>\n"
		"<events><event value='1' template='t'/>"
		"<event value='2' template='v'/><event value='3' template='w'/>"
		"</events>" TAIL,
		"6:1: field 'hash' of win:Binary lacks its attribute 'length'\n"
		"8:34: 'win:31' is no type of fields; win:UInt32 and win:UnicodeString are\n"
		"9:169: <data> lacks its attribute 'name'\n");
	t = event_of(m, 1)->template;
	CHECK(t->top_level == 2 && t->count == 4 &&
	      t->properties[1].in == 2 && t->properties[1].out == 2 &&
	      !strcmp(t->properties[3].name, "d") &&
	      t->properties[3].length == 2, "the fields before it remain");
	CHECK(!event_of(m, 2)->template->count, "no field at all");
	t = event_of(m, 3)->template;
	CHECK(t->count == 2 && t->properties[1].flags & PropertyParamLength &&
	      !t->properties[1].length, "a name without its spaces");
	manifest_free(m);
}

/* A manifest of these strings, which has an error in the 14th line */
static const char broken[] = HEAD PROVIDER
	"<events>\n<event value='1' message='$(string.a)'/>\n"
	"<event value='2' message='$(string.b)'/>\n</events>\n" END
	"<localization><resources culture='en-US'><stringTable>\n"
	"   <string id='a' value='a file'/>\n"
	"   <string id='b' value='the file 'x' & <y>' />  " "\n"
	"   <string id='c' value='c'/>\n"
	"</stringTable></resources></localization>\n"
	"</instrumentationManifest>\n";

static void test_broken(void)
{
	struct reported reported = { .len = 0 };
	struct manifest *m;

	m = manifest_parse_lenient("x", broken, sizeof(broken) - 1, listen,
				   &reported);
	CHECK(m && reported.count == 2 && !strncmp(reported.text, "11:", 3) &&
	      strstr(reported.text, "6:18: there is no string 'b'"),
	      "a malformed element is removed: %s", reported.text);
	CHECK(is_strictly_refused(broken), "a compiler refuses it");
	if (m)
		CHECK(event_of(m, 1)->message && !event_of(m, 2)->message,
		      "the one in front of it remains");
	manifest_free(m);
	reported.count = 0;
	/* Truncated at the end of a line */
	m = manifest_parse_lenient("x", broken, strstr(broken, "   <string id='b'") -
				   broken, listen, &reported);
	CHECK(!m && reported.count == 1, "half a file is no manifest");
	manifest_free(m);
}

static void test_many(void)
{
	struct reported reported = { .len = 0 };
	struct bytes b = { 0 };
	struct manifest *m;
	char line[64];

	bytes_add(&b, HEAD PROVIDER "<events>\n", strlen(HEAD PROVIDER) + 9);
	for (int i = 0; i < 200; i++) {
		int len = snprintf(line, sizeof(line),
				   "<event value='%d' level='L%d'/>\n", i, i);

		bytes_add(&b, line, len);
	}
	bytes_add(&b, "</events>" TAIL, strlen("</events>" TAIL));
	m = manifest_parse_lenient("x", b.data, b.len, listen, &reported);
	CHECK(m && reported.count == 200 &&
	      list_length(m->providers->events) == 200,
	      "all of many problems are reported");
	manifest_free(m);
	bytes_free(&b);
}

/* Problems of a manifest that is loaded by its path */
static VOID WINAPI count_problem(const EVNT_MANIFEST_PROBLEM *problem,
				 PVOID context)
{
	*(unsigned int *)context += problem->Line != 0;
}

static void write_file(const char *path, const void *data, size_t len)
{
	FILE *file = fopen(path, "w");

	if (!file || fwrite(data, 1, len, file) != len)
		exit(1);
	fclose(file);
}

static bool is_known(u32 first)
{
	EVENT_DESCRIPTOR d = { .Id = 1 };
	GUID guid = provider_id;
	ULONG size = 0;

	guid.Data1 = first;
	return TdhGetManifestEventInformation(&guid, &d, NULL, &size) ==
	       ERROR_INSUFFICIENT_BUFFER;
}

static void test_load(const char *folder)
{
	static WCHAR wide[PATH_MAX];
	unsigned int problems = 0;
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/x", folder);
	write_file(path, broken, sizeof(broken) - 1);
	for (size_t i = 0; path[i]; i++)
		wide[i] = (unsigned char)path[i];
	CHECK(!EvntLoadManifest(path, count_problem, &problems) &&
	      problems == 2 && is_known(0x11111111),
	      "EvntLoadManifest() reports problems, and succeeds");
	CHECK(!TdhLoadManifest(wide) && !TdhUnloadManifest(wide) &&
	      !is_known(0x11111111), "TdhLoadManifest() skips the same");
	unlink(path);
}

static void test_compiled(const char *folder)
{
	static const char text[] = HEAD
		"<provider name='P' guid='{51111111-2222-3333-4444-555566667777}' "
		"symbol='P'><events><event value='1'/></events>" TAIL;
	struct manifest *m = manifest_parse("m", text, sizeof(text) - 1, NULL,
					    NULL);
	struct bytes b = { 0 };
	char path[PATH_MAX];

	if (!m)
		exit(1);
	manifest_number_messages(m);
	wevt_write(&b, m, 5);
	manifest_free(m);
	snprintf(path, sizeof(path), "%s/TEMP.BIN", folder);
	write_file(path, b.data, b.len);
	CHECK(!EvntLoadManifest(path, NULL, NULL) && is_known(0x51111111),
	      "EvntLoadManifest() takes a compiled manifest");
	write_file(path, b.data, b.len / 2);
	CHECK(EvntLoadManifest(path, NULL, NULL) == ERROR_FILE_CORRUPT,
	      "half of it is ERROR_FILE_CORRUPT");
	CHECK(EvntLoadManifest("/proc/self/exe", NULL, NULL) ==
	      ERROR_BAD_PATHNAME ||
	      EvntLoadManifest("/proc/self/exe", NULL, NULL) ==
	      ERROR_RESOURCE_TYPE_NOT_FOUND,
	      "a program without one is ERROR_RESOURCE_TYPE_NOT_FOUND");
	unlink(path);
	bytes_free(&b);
}

/* Write a manifest whose providers have these first digits, and this name */
static void write_system(const char *folder, const char *file, const char *name,
			 const char *digits, bool wide)
{
	struct bytes text = { 0 }, b = { 0 };
	char path[PATH_MAX], line[256];

	bytes_add(&text, HEAD, strlen(HEAD));
	for (; *digits; digits++) {
		int len = snprintf(line, sizeof(line),
			"<provider name='%s' guid='{%c1111111-2222-3333-4444-555566667777}'>"
			"<events><event value='1'/></events></provider>\n",
			name, *digits);

		bytes_add(&text, line, len);
	}
	bytes_add(&text, TAIL + 11, strlen(TAIL) - 11);
	bytes_add_u8(&text, 0);
	if (wide)
		bytes_add_u16(&b, 0xfeff);
	if (wide)
		bytes_add_wide(&b, (char *)text.data);
	else
		bytes_add(&b, text.data, text.len - 1);
	snprintf(path, sizeof(path), "%s/%s", folder, file);
	write_file(path, b.data, b.len);
	bytes_free(&b);
	bytes_free(&text);
}

static bool has_name(u32 first, const char *want)
{
	EVENT_RECORD event = {
		.EventHeader.ProviderId = provider_id,
		.EventHeader.EventDescriptor.Id = 1,
	};
	u8 buffer[1024] __attribute__((aligned(8)));
	TRACE_EVENT_INFO *info = (TRACE_EVENT_INFO *)(void *)buffer;
	ULONG size = sizeof(buffer);

	event.EventHeader.ProviderId.Data1 = first;
	return !TdhGetEventInformation(&event, 0, NULL, info, &size) &&
	       is_text(TEI_PROVIDER_NAME(info), want);
}

/* In a process of its own, as the system's manifests are looked for once */
static int look_for_system(const char *folder)
{
	char path[PATH_MAX];

	/* b.man is parsed for 2; a.man overrides it for 3 */
	if (!has_name(0x21111111, "b") || !has_name(0x31111111, "a"))
		return 1;
	if (!has_name(0x41111111, "wide"))
		return 2;
	/* Not parsed so far */
	snprintf(path, sizeof(path), "%s/d.man", folder);
	unlink(path);
	if (is_known(0x61111111) || is_known(0x71111111))
		return 3;
	return 0;
}

static void test_system(const char *folder)
{
	static const char *const files[] = { "a.man", "b.man", "c.man", "d.man" };
	char path[PATH_MAX];
	int status = -1;
	pid_t pid;

	write_system(folder, "a.man", "a", "38", false);
	write_system(folder, "b.man", "b", "23", false);
	write_system(folder, "c.man", "wide", "4", true);
	write_system(folder, "d.man", "d", "6", false);
	setenv("EVNTPROV_MANIFESTS", folder, 1);
	fflush(stdout);
	pid = fork();
	if (!pid)
		_exit(look_for_system(folder));
	waitpid(pid, &status, 0);
	CHECK(!status, "manifests of the system are parsed on demand, in order: %d",
	      status >> 8);
	for (size_t i = 0; i < EVNT_ARRAY_SIZE(files); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, files[i]);
		unlink(path);
	}
	setenv("EVNTPROV_MANIFESTS", "/nowhere", 1);
}

static unsigned int real_count, real_wrong, real_problems;

static void count_real(const struct problem *problem, void *context)
{
	(void)problem;
	(void)context;
	real_problems++;
}

/* Every file with a provider loads */
static int try_real(const char *path, const struct stat *st, int type,
		    struct FTW *ftw)
{
	const char *ending = strrchr(path, '.');
	struct manifest *m;
	char *data;
	FILE *file;

	(void)ftw;
	if (type != FTW_F || !ending ||
	    (strcmp(ending, ".man") != 0 && strcmp(ending, ".xml") != 0 &&
	     strcmp(ending, ".manifest") != 0))
		return 0;
	file = fopen(path, "r");
	data = malloc(st->st_size);
	if (!file || !data ||
	    fread(data, 1, st->st_size, file) != (size_t)st->st_size)
		exit(1);
	fclose(file);
	m = manifest_parse_lenient(path, data, st->st_size, count_real, NULL);
	real_count++;
	if (!m && memmem(data, st->st_size, "schemas.microsoft.com/win/2004/08/events", 40) &&
	    !memmem(data, st->st_size, "<counters", 9)) {
		real_wrong++;
		printf("# refused: %s\n", path);
	}
	manifest_free(m);
	free(data);
	return 0;
}

static void test_real(void)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/manifests", data_folder());
	nftw(path, try_real, 16, FTW_PHYS);
	if (!real_count)
		SKIP("no real manifests are here");
	else
		CHECK(!real_wrong, "%u real manifests, %u problems, %u refused",
		      real_count, real_problems, real_wrong);
}

int main(void)
{
	char folder[] = "/tmp/evnt-published-XXXXXX";

	setenv("LC_ALL", "C", 1);
	setenv("EVNTPROV_MANIFESTS", "/nowhere", 1);
	if (!mkdtemp(folder))
		return 1;
	test_tasks();
	test_items();
	test_references();
	test_twins();
	test_providers();
	test_fields();
	test_broken();
	test_many();
	test_system(folder);
	test_load(folder);
	test_compiled(folder);
	test_real();
	rmdir(folder);
	return tap_end();
}
