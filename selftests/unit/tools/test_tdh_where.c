// SPDX-License-Identifier: MIT
/*
 * evnt's conditions on fields: which are accepted, which filters they become
 * for which events, and where errors are reported.
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/program.h"
#include "selftests/unit/common/tap.h"

/* Fail like evnt when there is no memory */
void *must_have(void *memory)
{
	if (!memory)
		abort();
	return memory;
}

#include "tools/common/win32.c"
#define refuse parse_refuse
#include "tools/common/suggest.c"
#include "tools/filter/where_parse.c"
#undef refuse
#include "tools/filter/where_compile.c"

static const unsigned char *memory;

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
	"<template tid='a'>"
	"<data name='Size' inType='win:UInt32'/>"
	"<data name='Kind' inType='win:Int32'/>"
	"<data name='Name' inType='win:AnsiString'/></template>"
	"<template tid='b'><data name='Size' inType='win:UInt32'/>"
	"<data name='Ratio' inType='win:Double'/>"
	"<data name='Odd one' inType='win:UInt8'/>"
	"<data name='List' inType='win:UInt8' count='2'/>"
	"<data name='Is' inType='win:Boolean'/>"
	"<data name='Id' inType='win:GUID'/>"
	"<struct name='S'><data name='M' inType='win:UInt16'/></struct>"
	"</template></templates><events>"
	"<event value='1' symbol='E1' template='a'/>"
	"<event value='2' symbol='E2' template='b'/>"
	"<event value='3' symbol='E3'/></events></provider>"
	"</events></instrumentation></instrumentationManifest>";

static const GUID id = { 0x11111111, 0x2222, 0x3333,
			 { 0x44, 0x44, 0x55, 0x55, 0x66, 0x66, 0x77, 0x77 } };
static const GUID unknown = { 1, 2, 3, { 4 } };

/* Print each alternative as its conditions' fields: "ab|c" */
static void print_alternatives(const struct where *w, char *to)
{
	const struct where_alternative *a = w->alternatives;

	for (unsigned int i = 0; i < w->alternative_count; i++, a++) {
		if (i)
			*to++ = '|';
		for (unsigned int k = 0; k < a->count; k++)
			*to++ = *w->conditions[a->condition[k]].field.text;
	}
	*to = 0;
}

static void test_alternatives(void)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{ "a=1", "a" },
		{ "a = 1 and b = 2", "ab" },
		{ "a=1 or b=2", "a|b" },
		{ "a=1 or b=2 and c=3", "a|bc" },
		{ "a=1 and b=2 or c=3", "ab|c" },
		{ "(a=1 or b=2) and c=3", "ac|bc" },
		{ "a=1 AND (b=2 OR c=3)", "ab|ac" },
		{ "(a=1 or b=2) and (c=3 or d=4)", "ac|ad|bc|bd" },
		{ "((a=1))", "a" },
		{ "a between 1 and 2 and b not between 3 and 4", "ab" },
		{ "a is not b or b is 'or'", "a|b" },
	};
	struct where_problem problem;
	struct where w;
	char seen[256];
	bool good;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		good = where_parse(&w, cases[i].text, &problem);
		print_alternatives(&w, seen);
		CHECK(good && !strcmp(seen, cases[i].want),
		      "%s: %s", cases[i].text, good ? seen : problem.why);
		where_free(&w);
	}
}

static void test_syntax_errors(void)
{
	static const struct {
		const char *text, *why;
		int column;
	} cases[] = {
		{ "", "field's name is missing", 0 },
		{ "a", "relation is missing", 1 },
		{ "a ~ 1", "relation is missing", 2 },
		{ "a =", "value is missing", 3 },
		{ "a = )", "value is missing", 4 },
		{ "a = 1 b = 2", "'and' or 'or' is missing", 6 },
		{ "a = 1 and", "field's name is missing", 9 },
		{ "a = 1)", "'and' or 'or' is missing", 5 },
		{ "(a = 1", "parenthesis is not closed", 0 },
		{ "a = 'x", "quote is not closed", 4 },
		{ "a not 1", "contains or between", 6 },
		{ "a multiple 3", "relation is missing", 2 },
		{ "a between 1 or 2", "'and' is missing", 12 },
		{ "a between 1 and", "upper end is missing", 15 },
		{ "((((((((((((((((((a=1))))))))))))))))))", "parentheses",
		  16 },
		{ "(a=1 or b=1 or c=1 or d=1) and (e=1 or f=1 or g=1) and"
		  " (h=1 or i=1 or j=1)", "too much", 51 },
		{ "a=1 and b=1 and c=1 and d=1 and e=1 and f=1 and g=1 and h=1"
		  " and i=1", "too much", 60 },
	};
	struct where_problem problem;
	struct where w;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		bool good = where_parse(&w, cases[i].text, &problem);

		CHECK(!good && strstr(problem.why, cases[i].why) &&
		      problem.column == cases[i].column, "%s: %d: %s",
		      cases[i].text, problem.column,
		      good ? "no error" : problem.why);
		where_free(&w);
	}
}

static bool takes_up_to(USHORT event, const void *context)
{
	return event <= *(const USHORT *)context;
}

/* Compile a text for events up to id @most */
static bool try_text(const char *text, const GUID *provider, USHORT most,
		     EVENT_FILTER_DESCRIPTOR *d, struct where_ids *ids,
		     struct where_problem *problem)
{
	struct where w;
	bool good = where_parse(&w, text, problem) &&
		    where_compile(&w, provider, takes_up_to, &most, d, ids,
				  problem);

	where_free(&w);
	return good;
}

static void test_field_errors(void)
{
	static const struct {
		const char *text, *why;
		int column;
		USHORT most;
	} cases[] = {
		{ "size = 1", "has a field 'size'", 0, 9 },
		{ "Size = 1 and Sise = 2", "has a field 'Sise'", 13, 9 },
		{ "Kind = 1 and Is = 1", "has all of these", 0, 9 },
		{ "Is = 1", "has a field 'Is'", 0, 1 },
		{ "Size contains 1", "a number and has the relations", 5, 9 },
		{ "Name < 1", "a text and has the relations", 5, 9 },
		{ "Ratio = 1", "cannot be compared", 6, 9 },
		{ "S = 1", "cannot be compared", 2, 9 },
		{ "Is < 1", "true or false", 3, 9 },
		{ "Size = 1 or Size = 4294967296", "no value for field 'Size'",
		  19, 9 },
		{ "Kind between 1 and x", "no value for field 'Kind'", 13, 9 },
		{ "Id = 5", "no value for field 'Id'", 5, 9 },
		{ "List = 5", "is an array", 0, 9 },
	};
	EVENT_FILTER_DESCRIPTOR d;
	struct where_problem problem;
	struct where_ids ids;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		bool good = try_text(cases[i].text, &id, cases[i].most, &d,
				     &ids, &problem);

		CHECK(!good && strstr(problem.why, cases[i].why) &&
		      problem.column == cases[i].column, "%s: %d: %s",
		      cases[i].text, problem.column,
		      good ? "no error" : problem.why);
	}
	CHECK(!try_text("Size = 1", &unknown, 9, &d, &ids, &problem) &&
	      strstr(problem.why, "--manifest"), "no manifest: %s",
	      problem.why);
}

/* Whether event 1 of this Size, Kind and Name passes */
static int passes(const EVENT_FILTER_DESCRIPTOR *d, ULONG size, LONG kind,
		  const char *name)
{
	const struct evnt_program_event event = { 1, 8 };
	struct evntrace_program *program;
	unsigned char data[256];
	struct evnt_reader r;
	int pass;

	if (evnt_program_create(&program, (void *)(uintptr_t)d->Ptr, d->Size))
		return -1;
	memcpy(data, &size, 4);
	memcpy(data + 4, &kind, 4);
	memcpy(data + 8, name, strlen(name) + 1);
	memory = data;
	evnt_reader_init(&r, 8 + strlen(name) + 1);
	pass = evnt_program_run(program, &event, &r);
	evnt_free(program);
	return pass;
}

static void test_what_passes(void)
{
	static const struct {
		const char *text;
		ULONG size;
		LONG kind;
		const char *name;
		bool pass;
	} cases[] = {
		{ "Size > 4096", 4097, 0, "", true },
		{ "Size > 4096", 4096, 0, "", false },
		{ "Size >= 0x1000", 4096, 0, "", true },
		{ "Size<1 or Size<=2", 2, 0, "", true },
		{ "Kind = -3", 0, -3, "", true },
		{ "Kind != -3", 0, -3, "", false },
		{ "Kind <> -3", 0, 3, "", true },
		{ "Kind between -3 and 3", 0, 3, "", true },
		{ "Kind not between -3 and 3", 0, 3, "", false },
		{ "Size multiple of 3", 9, 0, "", true },
		{ "Size multiple of 3", 10, 0, "", false },
		{ "Name contains 'log'", 0, 0, "a.LOG", true },
		{ "Name not contains log", 0, 0, "a.LOG", false },
		{ "Name is \"a log\"", 0, 0, "A log", true },
		{ "Name == 'a'", 0, 0, "ab", false },
		{ "Name is not a", 0, 0, "ab", true },
		{ "'Size' > 1 and (Name contains x or Kind = 2)", 2, 2, "",
		  true },
		{ "Size > 1 and (Name contains x or Kind = 2)", 1, 2, "x",
		  false },
		{ "Size > 1 and (Name contains x or Kind = 2)", 2, 3, "y",
		  false },
		/* The event lacks the fields of one alternative */
		{ "Is = true or Kind = 1", 0, 1, "", true },
		{ "Is = true or Kind = 1", 0, 2, "", false },
	};
	EVENT_FILTER_DESCRIPTOR d;
	struct where_problem problem;
	struct where_ids ids;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		bool good = try_text(cases[i].text, &id, 9, &d, &ids, &problem);

		CHECK(good && passes(&d, cases[i].size, cases[i].kind,
				     cases[i].name) == cases[i].pass,
		      "%s: %u, %d, %s: %s", cases[i].text, cases[i].size,
		      cases[i].kind, cases[i].name,
		      good ? cases[i].pass ? "passes" : "does not" :
		      problem.why);
		if (good)
			TdhCleanupPayloadEventFilterDescriptor(&d);
	}
}

/* Events that get filters; others are excluded by id */
static void test_events(void)
{
	static const struct {
		const char *text;
		USHORT most;
		const char *want;
	} cases[] = {
		{ "Size = 1", 9, "1 2 " },
		{ "Size = 1", 1, "1 " },
		{ "Kind = 1", 9, "1 " },
		{ "Kind = 1 or Is = 1", 9, "1 2 " },
		{ "Size = 1 and Is = 1", 9, "2 " },
		{ "'Odd one' = 1 or S.M = 2", 9, "2 " },
		{ "Id = {11111111-2222-3333-4444-555566667777}", 9, "2 " },
	};
	EVENT_FILTER_DESCRIPTOR d;
	struct where_problem problem;
	struct where_ids ids;
	char seen[64];
	bool good;
	size_t i;
	int n;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		good = try_text(cases[i].text, &id, cases[i].most, &d, &ids,
				&problem);
		n = 0;
		seen[n] = 0;
		for (unsigned int k = 0; good && k < ids.count; k++)
			n += sprintf(seen + n, "%u ", ids.id[k]);
		CHECK(good && !strcmp(seen, cases[i].want),
		      "%s: events %s%s", cases[i].text, seen,
		      good ? "" : problem.why);
		if (good)
			TdhCleanupPayloadEventFilterDescriptor(&d);
	}
}

int main(void)
{
	CHECK(!TdhLoadManifestFromMemory(manifest, sizeof(manifest) - 1),
	      "the manifest is loaded");
	test_alternatives();
	test_syntax_errors();
	test_field_errors();
	test_what_passes();
	test_events();
	TdhUnloadManifestFromMemory(manifest, sizeof(manifest) - 1);
	return tap_end();
}
