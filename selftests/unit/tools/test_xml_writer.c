// SPDX-License-Identifier: MIT
/* evnt's XML output: elements on their lines, and any text. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "decode/format.c"
#include "tools/common/strbuf.c"
#include "tools/print/xml_writer.c"
#include "selftests/unit/common/tap.h"

static struct out out;

void *must_have(void *memory)
{
	if (!memory)
		abort();
	return memory;
}

static bool out_is(const char *wanted)
{
	const char *got = out_string(&out);
	bool same = !strcmp(got, wanted);

	if (!same)
		printf("# '%s' is not '%s'\n", got, wanted);
	out.len = 0;
	return same;
}

static bool text_is(const char *text, const char *wanted)
{
	struct xml_writer w = { .out = &out };
	char all[256];

	xml_begin(&w, "a");
	xml_text(&w, text);
	xml_end(&w);
	snprintf(all, sizeof(all), "<a>%s</a>\n", wanted);
	return out_is(all);
}

static bool attribute_is(const char *text, const char *wanted)
{
	struct xml_writer w = { .out = &out };
	char all[256];

	xml_begin(&w, "a");
	xml_attribute(&w, "b", text);
	xml_end(&w);
	snprintf(all, sizeof(all), "<a b=\"%s\"/>\n", wanted);
	return out_is(all);
}

static void test_elements(void)
{
	struct xml_writer w = { .out = &out };

	xml_begin(&w, "a");
	xml_begin(&w, "b");
	xml_attribute(&w, "c", "1");
	xml_attribute(&w, "d", "");
	xml_begin(&w, "e");
	xml_text(&w, "x");
	xml_text(&w, "y");
	xml_end(&w);
	xml_begin(&w, "f");
	xml_end(&w);
	xml_end(&w);
	xml_begin(&w, "g");
	xml_text(&w, "");
	xml_end(&w);
	xml_end(&w);
	xml_begin(&w, "h");
	xml_end(&w);
	CHECK(out_is("<a>\n\t<b c=\"1\" d=\"\">\n\t\t<e>xy</e>\n\t\t<f/>\n\t</b>\n"
		 "\t<g></g>\n</a>\n<h/>\n"),
	      "each element without text is in lines of its own");
}

static void test_markup(void)
{
	CHECK(text_is("a<b>&\"c'", "a&lt;b&gt;&amp;&quot;c'"),
	      "markup in text is escaped");
	CHECK(attribute_is("a<b>&\"c'", "a&lt;b&gt;&amp;&quot;c'"),
	      "markup in an attribute is escaped");
	CHECK(text_is("a\tb\nc\rd", "a\tb\nc&#13;d"),
	      "a carriage return in text is escaped");
	CHECK(attribute_is("a\tb\nc\rd", "a&#9;b&#10;c&#13;d"),
	      "white space in an attribute is escaped");
	CHECK(text_is("\u00fc\u20ac\U0001f600", "\u00fc\u20ac\U0001f600"),
	      "letters beyond ASCII are kept in text");
	CHECK(attribute_is("\u00fc", "\u00fc"),
	      "letters beyond ASCII are kept in an attribute");
}

static void test_forbidden(void)
{
	char text[] = "a?b";
	int c;

	for (c = 1; c < 0x20; c++) {
		if (strchr("\t\n\r", c))
			continue;
		text[1] = c;
		CHECK(text_is(text, "a" REPLACED "b"),
		      "control character %#x is replaced", c);
	}
	CHECK(attribute_is("\x1f", REPLACED),
	      "a control character in an attribute is replaced");
	CHECK(text_is("\x20\x7f", "\x20\x7f"), "blank and delete are kept");
	CHECK(text_is("a\xef\xbf\xbe\xef\xbf\xbf" "b",
		      "a" REPLACED REPLACED "b"),
	      "U+FFFE and U+FFFF are replaced");
	CHECK(text_is("\xef\xbf\xbd\xef\xbb\xbf", "\xef\xbf\xbd\xef\xbb\xbf"),
	      "neighbours of forbidden characters are kept");
	CHECK(text_is("a\xef", "a\xef"), "a cut character ends with the text");
}

int main(void)
{
	test_elements();
	test_markup();
	test_forbidden();
	out_free(&out);
	return tap_end();
}
