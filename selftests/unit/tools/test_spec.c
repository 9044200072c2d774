// SPDX-License-Identifier: MIT
/* Names that users may write for providers, keywords and levels. */
#include <stdio.h>
#include <string.h>

#include "tools/common/number.c"
#include "tools/session/provider_spec.c"

static int tests, failures;

static void check(bool good, const char *what, const char *text)
{
	failures += !good;
	printf("%sok %d - %s: '%s'\n", good ? "" : "not ", ++tests, what, text);
}

/* The id of "MyCompany.MyComponent.MyProvider" */
static const GUID hashed = { 0xd5b90669, 0x1aad, 0x5db8, { 0x16, 0xc9, 0x62,
			     0x86, 0xa7, 0xfc, 0xfe, 0x33 } };

#define GUID_TEXT	"d5b90669-1aad-5db8-16c9-6286a7fcfe33"

/* A valid spec, and its meaning */
struct good {
	const char *text;
	bool lookup;
	const char *name;
	ULONGLONG keywords;
	UCHAR level;
};

static const struct good good[] = {
	/* A provider with such a name, whose keywords are no GUID */
	{ "group", true, "group", SPEC_ALL_KEYWORDS, 255 },
	{ "group:0x3:w", true, "group", 3, 3 },
	{ "Server", true, "Server", SPEC_ALL_KEYWORDS, 255 },
	{ "Server:", true, "Server", SPEC_ALL_KEYWORDS, 255 },
	{ "Server::", true, "Server", SPEC_ALL_KEYWORDS, 255 },
	{ "Server:0x3", true, "Server", 3, 255 },
	{ "Server:0XfF", true, "Server", 255, 255 },
	{ "Server:10", true, "Server", 10, 255 },
	{ "Server:0", true, "Server", 0, 255 },
	{ "Server:010", true, "Server", 10, 255 },
	{ "Server:0xffffffffffffffff", true, "Server", ~0ull, 255 },
	{ "Server:18446744073709551615", true, "Server", ~0ull, 255 },
	{ "Server::4", true, "Server", SPEC_ALL_KEYWORDS, 4 },
	{ "Server::0", true, "Server", SPEC_ALL_KEYWORDS, 0 },
	{ "Server::255", true, "Server", SPEC_ALL_KEYWORDS, 255 },
	{ "Server::0x10", true, "Server", SPEC_ALL_KEYWORDS, 16 },
	{ "Server::Critical", true, "Server", SPEC_ALL_KEYWORDS, 1 },
	{ "Server::error", true, "Server", SPEC_ALL_KEYWORDS, 2 },
	{ "Server::WARNING", true, "Server", SPEC_ALL_KEYWORDS, 3 },
	{ "Server::Information", true, "Server", SPEC_ALL_KEYWORDS, 4 },
	{ "Server::Informational", true, "Server", SPEC_ALL_KEYWORDS, 4 },
	{ "Server::Verbose", true, "Server", SPEC_ALL_KEYWORDS, 5 },
	{ "Server::c", true, "Server", SPEC_ALL_KEYWORDS, 1 },
	{ "Server::e", true, "Server", SPEC_ALL_KEYWORDS, 2 },
	{ "Server::w", true, "Server", SPEC_ALL_KEYWORDS, 3 },
	{ "Server::i", true, "Server", SPEC_ALL_KEYWORDS, 4 },
	{ "Server::v", true, "Server", SPEC_ALL_KEYWORDS, 5 },
	{ "Server::info", true, "Server", SPEC_ALL_KEYWORDS, 4 },
	{ "Microsoft-Windows-Thing/Sub, one:0x1:w", true,
	  "Microsoft-Windows-Thing/Sub, one", 1, 3 },
	{ GUID_TEXT, false, "", SPEC_ALL_KEYWORDS, 255 },
	{ "{" GUID_TEXT "}", false, "", SPEC_ALL_KEYWORDS, 255 },
	{ "#" GUID_TEXT, false, "", SPEC_ALL_KEYWORDS, 255 },
	{ "D5B90669-1AAD-5DB8-16C9-6286A7FCFE33:7:v", false, "", 7, 5 },
	{ "*MyCompany.MyComponent.MyProvider", false,
	  "MyCompany.MyComponent.MyProvider", SPEC_ALL_KEYWORDS, 255 },
	{ "*mycompany.MYCOMPONENT.myprovider:0x10:e", false,
	  "mycompany.MYCOMPONENT.myprovider", 16, 2 },
};

/* Invalid specs, and a word of the reason */
static const struct {
	const char *text;
	const char *why;
} bad[] = {
	{ "", "missing" },
	{ ":0x1", "missing" },
	{ "+Server", "missing" },
	{ "Server+", "missing" },
	{ "Server++Other", "missing" },
	{ "*", "missing" },
	{ "{Server}", "no GUID" },
	{ "#Server", "no GUID" },
	{ "{d5b90669-1aad-5db8-16c9-6286a7fcfe3}", "no GUID" },
	{ "{d5b90669-1aad-5db8-16c9-6286a7fcfe33", "no GUID" },
	{ "{g5b90669-1aad-5db8-16c9-6286a7fcfe33}", "no GUID" },
	{ "Server:ff", "keywords" },
	{ "Server:0x", "keywords" },
	{ "Server:-1", "keywords" },
	{ "Server: 1", "keywords" },
	{ "Server:0x10000000000000000", "keywords" },
	{ "Server:18446744073709551616", "keywords" },
	{ "Server:0x1g", "keywords" },
	{ "Server::256", "level" },
	{ "group:Server", "is no group" },
	{ "group:*", "missing" },
	{ "group:#12", "no GUID" },
	{ "Server::-1", "level" },
	{ "Server::loud", "level" },
	{ "Server::Errors", "level" },
	{ "Server:0x1:5:stack", "follow" },
	{ "*\xff", "UTF-8" },
};

static bool matches(const struct spec *spec, const struct good *want)
{
	return spec->lookup == want->lookup &&
	       !strcmp(spec->name, want->name) &&
	       spec->keywords == want->keywords && spec->level == want->level &&
	       (want->lookup || !memcmp(&spec->id, &hashed, sizeof(hashed)));
}

static void test_good(const struct good *want)
{
	struct spec_list list = { 0 };
	char why[512] = "";
	bool parsed = spec_parse(&list, want->text, why, sizeof(why));

	check(parsed && list.count == 1 && matches(&list.specs[0], want),
	      "is understood", want->text);
	spec_free(&list);
}

static void test_groups(void)
{
	static const char text[] =
		"group:" GUID_TEXT ":7:v+" GUID_TEXT "+group:{" GUID_TEXT "}"
		"+group:*MyCompany.MyComponent.MyProvider:1";
	struct spec_list list = { 0 };
	struct spec provider = { 0 };
	char why[512] = "";
	bool right = spec_parse(&list, text, why, sizeof(why)) &&
		     list.count == 4;

	for (size_t i = 0; right && i < 4; i++)
		right = list.specs[i].group == (i != 1) &&
			!memcmp(&list.specs[i].id, &hashed, sizeof(hashed));
	check(right && list.specs[0].keywords == 7 && list.specs[0].level == 5,
	      "are groups, but for one", text);
	if (right)
		provider = list.specs[1];
	spec_remove(&list, &provider);
	check(list.count == 3, "a provider is no group, nor its group", text);
	spec_free(&list);
}

static void test_bad(const char *text, const char *reason)
{
	struct spec_list list = { 0 };
	char why[512] = "";
	bool parsed = spec_parse(&list, text, why, sizeof(why));

	check(!parsed && strstr(why, reason), "is refused", text);
	spec_free(&list);
}

static void test_long_name(size_t len, bool good)
{
	struct spec_list list = { 0 };
	char why[512] = "", name[SPEC_MAX_NAME + 1] = "";

	memset(name, 'n', len);
	check(spec_parse(&list, name, why, sizeof(why)) == good,
	      good ? "a long name" : "too long a name", name + len - 1);
	spec_free(&list);
}

static void test_several(void)
{
	struct spec_list list = { 0 };
	char why[512] = "";
	bool parsed;

	parsed = spec_parse(&list, "A:1:c+{" GUID_TEXT "}::v", why,
			    sizeof(why)) &&
		 spec_parse(&list, "B", why, sizeof(why));
	check(parsed && list.count == 3 && list.specs[0].level == 1 &&
	      list.specs[1].level == 5 && !list.specs[1].lookup &&
	      !strcmp(list.specs[2].name, "B"), "several", "A+GUID, B");
	check(!spec_parse(&list, "C+:", why, sizeof(why)) && list.count == 4,
	      "what came before an error stays", "C+:");
	spec_free(&list);
	check(!list.specs && !list.count, "a freed list is empty", "");
}

int main(void)
{
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		test_good(&good[i]);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		test_bad(bad[i].text, bad[i].why);
	test_groups();
	test_long_name(SPEC_MAX_NAME - 1, true);
	test_long_name(SPEC_MAX_NAME, false);
	test_several();
	printf("1..%d\n", tests);
	return failures != 0;
}
