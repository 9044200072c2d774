// SPDX-License-Identifier: MIT
/* evnt's table of published names of providers. */
#define _GNU_SOURCE
#include "selftests/unit/common/tap.h"
#include "decode/format.c"
#include "decode/known_providers.c"

static bool is_guid(const char *text)
{
	static const char form[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
	size_t len = strlen(text);

	for (size_t i = 0; i < len; i++) {
		if (form[i] == 'x' ? !strchr("0123456789abcdef", text[i]) :
				     form[i] != text[i])
			return false;
	}
	return len == strlen(form);
}

static bool is_name(const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < len; i++) {
		if (name[i] < 0x20 || name[i] > 0x7e)
			return false;
	}
	return len > 0;
}

int main(void)
{
	static const GUID runtime = {
		0xe13c0d23, 0xccbc, 0x4e12,
		{ 0x93, 0x1b, 0xd9, 0xcc, 0x2e, 0xee, 0x27, 0xe4 }
	}, none = { 0 }, last = { 0xffffffff, 0xffff, 0xffff, { 0xff } };
	const size_t count = sizeof(known) / sizeof(*known);
	const char *name = known_provider(&runtime);
	bool good = true;

	for (size_t i = 0; i < count; i++) {
		if (is_guid(known[i].id) && is_name(known[i].name) &&
		    (!i || strcmp(known[i - 1].id, known[i].id) < 0))
			continue;
		printf("# entry %zu, %s\n", i, known[i].id);
		good = false;
	}
	CHECK(good, "all %zu entries are GUIDs, in order, with names", count);
	CHECK(name && !strcmp(name, "Microsoft-Windows-DotNETRuntime"),
	      "a provider has its published name");
	CHECK(!known_provider(&none) && !known_provider(&last),
	      "an unknown provider has no name");
	return tap_end();
}
