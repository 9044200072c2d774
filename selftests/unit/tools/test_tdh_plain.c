// SPDX-License-Identifier: MIT
/*
 * Values that evnt formats without TDH: for each pair of types, they have the
 * text that TDH gives them, and are quoted in the same way.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <unistd.h>

#include "selftests/unit/common/tap.h"

void *must_have(void *memory)
{
	if (!memory)
		abort();
	return memory;
}

/* Names of providers are not printed here */
#include "decode/known_providers.h"

const char *known_provider(const GUID *id)
{
	(void)id;
	return NULL;
}

#include "decode/event_types.c"
#include "decode/format.c"
#include "decode/schema.c"
#include "tools/common/strbuf.c"
#include "tools/events/event_view.c"
#include "tools/events/fields.c"
#include "tools/events/kind_text.c"

/* Above all TDH_INTYPE_* and TDH_OUTTYPE_* */
#define TYPES	310

/* Payloads of all kinds: numbers with all signs, texts with all ends */
static const struct {
	const char *bytes;
	size_t len;
} payloads[] = {
#define PAYLOAD(bytes)	{ bytes, sizeof(bytes) - 1 }
	PAYLOAD(""),
	PAYLOAD("\0"),
	PAYLOAD("\x7f\0\0\0\0\0\0\0"),
	PAYLOAD("\x80\0\0\0\0\0\0\0"),
	PAYLOAD("\xff\xff\xff\xff\xff\xff\xff\xff"),
	PAYLOAD("\0\x80\0\0\0\0\0\0"),
	PAYLOAD("\0\0\0\x80\0\0\0\0"),
	PAYLOAD("\0\0\0\0\0\0\0\x80"),
	PAYLOAD("\xff\xff\xff\xff\xff\xff\x1f\0"),
	PAYLOAD("\0\0\0\0\0\0\x20\0"),
	PAYLOAD("plain\0 rest"),
	PAYLOAD("no end"),
	PAYLOAD("a long text\0"),
	PAYLOAD("a long \xc3\xa4 text\0"),
	PAYLOAD("a long text\n of lines\0"),
	PAYLOAD("a\"b\\c\0"),
	PAYLOAD("a\nb\0"),
	PAYLOAD("\xc3\xa4\xc2\x80\0"),
	PAYLOAD("\xe4\0"),
	PAYLOAD("w\0i\0d\0e\0\0\0r\0"),
	PAYLOAD("o\0d\0d\0\0"),
	PAYLOAD("a\0l\0o\0n\0g\0 \0t\0e\0x\0t\0\0\0"),
	PAYLOAD("e\0i\0g\0h\0t\0\0\0o\0f\0"),
	PAYLOAD("e\0i\0g\0h\0t\0\"\0o\0f\0"),
	PAYLOAD("e\0i\0g\0h\0t\0\x7f\1o\0f\0"),
	PAYLOAD("q\0\"\0\0\0"),
	PAYLOAD("\xe4\0\0\0"),
	PAYLOAD("\x41\x01\x42\0\0\0"),
	PAYLOAD("\x3d\xd8\0\xde\0\0"),
};

/* The structure contains the first property */
static TRACE_EVENT_INFO described;

/**
 * struct compared - values of a pair of types
 * @schema: schema of an event with one property of these types
 * @record: event
 * @same: TDH's texts equalled all that were formatted without it
 * @plain: number of values that were formatted without TDH
 */
struct compared {
	const struct schema *schema;
	const EVENT_RECORD *record;
	bool same;
	unsigned int plain;
};

static enum field_kind kind_of_format(enum plain_format format)
{
	if (format == PLAIN_HEX)
		return FIELD_SYMBOL;
	return format <= PLAIN_SIGNED ? FIELD_NUMBER : FIELD_TEXT;
}

static ULONG WINAPI compare(const EVNT_PROPERTY *property, PVOID context)
{
	struct compared *c = context;
	enum field_kind kind = FIELD_NUMBER;
	struct out out = {};
	const char *text;

	if (fields_put_plain(&out, c->schema, property)) {
		c->plain++;
		text = fields_value(c->schema, c->record, property, &kind);
		if (!text || strcmp(text, out_string(&out)) != 0 ||
		    kind != kind_of_format(c->schema->plain[0])) {
			printf("# %s, not %s, kind %d\n", out_string(&out),
			       text ? text : "(none)", kind);
			c->same = false;
		}
	}
	out_free(&out);
	return ERROR_SUCCESS;
}

/* Compare all payloads, in 32 and 64 bits */
static void compare_types(struct compared *c)
{
	for (size_t i = 0; i < sizeof(payloads) / sizeof(*payloads); i++) {
		void *data = malloc(payloads[i].len + 1);
		EVENT_RECORD record = {
			.UserData = data,
			.UserDataLength = payloads[i].len,
		};

		memcpy(data, payloads[i].bytes, payloads[i].len);
		c->record = &record;
		EvntEnumerateProperties(&record, c->schema->info, compare, c);
		record.EventHeader.Flags = EVENT_HEADER_FLAG_32_BIT_HEADER;
		EvntEnumerateProperties(&record, c->schema->info, compare, c);
		free(data);
	}
}

static void test_types(void)
{
	EVENT_PROPERTY_INFO *property = described.EventPropertyInfoArray;
	EVENT_MAP_INFO *map = NULL;
	unsigned char format;
	struct schema schema = {
		.info = &described,
		.plain = &format,
		.maps = &map,
	};
	struct compared c = { .schema = &schema, .same = true };
	unsigned int formats = 0, pairs = 0;

	described.PropertyCount = 1;
	described.TopLevelPropertyCount = 1;
	for (unsigned int types = 0; types < TYPES * TYPES; types++) {
		property->nonStructType.InType = types / TYPES;
		property->nonStructType.OutType = types % TYPES;
		format = plain_format(property);
		if (format == PLAIN_NONE)
			continue;
		formats |= 1 << format;
		pairs++;
		compare_types(&c);
	}
	CHECK(c.same, "%u values of %u pairs of types have TDH's text", c.plain,
	      pairs);
	CHECK(formats == (1 << PLAIN_UNSIGNED | 1 << PLAIN_SIGNED |
			  1 << PLAIN_HEX | 1 << PLAIN_WIDE |
			  1 << PLAIN_NARROW) && c.plain > 10 * pairs,
	      "each format occurs");
	property->nonStructType.InType = TDH_INTYPE_UINT32;
	property->nonStructType.OutType = TDH_OUTTYPE_NULL;
	property->nonStructType.MapNameOffset = 1;
	CHECK(plain_format(property) == PLAIN_NONE, "a map needs TDH");
	property->nonStructType.MapNameOffset = 0;
	property->Flags = PropertyStruct;
	CHECK(plain_format(property) == PLAIN_NONE, "a struct has no format");
	property->Flags = 0;
}

#define HEAD								\
	"<instrumentationManifest xmlns='http://schemas.microsoft.com/win/"	\
	"2004/08/events' xmlns:win='http://manifests.microsoft.com/win/2004/"	\
	"08/windows/events'><instrumentation><events>"

static const char manifest[] = HEAD
	"<provider name='P' symbol='P' resourceFileName='a' messageFileName='a' "
	"guid='{11111111-2222-3333-4444-555566667777}'><maps>"
	"<valueMap name='V'><map value='1' message='$(string.One)'/>"
	"<map value='2' message='$(string.Quote)'/>"
	"<map value='3' message='$(string.Digits)'/>"
	"<map value='0xffffffff' message='$(string.Last)'/></valueMap>"
	"<bitMap name='B'><map value='1' message='$(string.One)'/></bitMap>"
	"</maps><templates><template tid='t'>"
	"<data name='a_1' inType='win:UInt32' map='V'/>"
	"<data name='b 2' inType='win:UInt32' map='B'/>"
	"</template></templates><events>"
	"<event value='1' symbol='E' template='t'/></events></provider>"
	"</events></instrumentation><localization><resources culture='en-US'>"
	"<stringTable><string id='One' value='One'/>"
	"<string id='Quote' value='say &quot;2&quot;'/>"
	"<string id='Digits' value='33'/><string id='Last' value='Last'/>"
	"</stringTable></resources></localization></instrumentationManifest>";

/* Return the number of mapped values printed without TDH, all as TDH does */
static unsigned int compare_maps(const struct schema *schema)
{
	struct compared c = { .schema = schema, .same = true };
	static const uint32_t values[] = { 0, 1, 2, 3, 4, UINT32_MAX };

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		uint32_t data[] = { values[i], 1 };
		EVENT_RECORD record = {
			.UserData = data,
			.UserDataLength = sizeof(data),
		};

		c.record = &record;
		EvntEnumerateProperties(&record, schema->info, compare, &c);
	}
	return c.same ? c.plain : 0;
}

static void test_maps(void)
{
	EVENT_RECORD record = { .EventHeader.ProviderId = {
		0x11111111, 0x2222, 0x3333,
		{ 0x44, 0x44, 0x55, 0x55, 0x66, 0x66, 0x77, 0x77 } } };
	char path[] = "/tmp/evnt-plain-XXXXXX";
	struct schema *schema;
	FILE *file;

	file = fdopen(mkstemp(path), "w");
	if (!file)
		exit(1);
	fputs(manifest, file);
	fclose(file);
	record.EventHeader.EventDescriptor.Id = 1;
	CHECK(!EvntLoadManifest(path, NULL, NULL), "the manifest is loaded");
	unlink(path);
	schema = schema_make(&record);
	if (!schema) {
		CHECK(false, "the event has a schema");
		return;
	}
	CHECK(schema->plain[0] == PLAIN_NAME && schema->plain[1] == PLAIN_NONE,
	      "names of a value map are known in advance, of a bitmap not");
	CHECK(compare_maps(schema) == 2,
	      "a name without escapes that is no number is printed as it is");
	CHECK(schema->simple[0] == 3 && !schema->simple[1],
	      "a simple name consists of letters, digits and underscores");
	schema_free(schema);
}

/* Compare words with each byte at each place */
static void test_words(void)
{
	bool same = true;

	for (unsigned int i = 0; i < 8 * 256; i++) {
		uint64_t word = OUT_EACH('a') & ~(0xffull << i % 8 * 8);
		unsigned int byte = i / 8;

		same &= out_all_plain(word | (uint64_t)byte << i % 8 * 8) ==
			(byte < 0x80 && out_is_plain(byte));
	}
	CHECK(same, "words are plain if all of their bytes are");
}

/* Numbers of each length */
static void test_numbers(void)
{
	char text[4 * NUMBER_TEXT], *at;
	struct out out = {};
	bool same = true;

	for (unsigned int i = 0; i < 64; i++) {
		for (int more = -1; more < 2; more++) {
			uint64_t number = (1ull << i) + more;

			out.len = 0;
			out_mask(&out, number);
			out_char(&out, ' ');
			at = out_room(&out, NUMBER_TEXT);
			out.len = out_write_hex(at, number) - out.text;
			snprintf(text, sizeof(text), "0x%llx 0x%llX",
				 (unsigned long long)number,
				 (unsigned long long)number);
			same &= !strcmp(out_string(&out), text);
		}
	}
	CHECK(same, "hexadecimal numbers have all of their digits");
	out_free(&out);
}

static void test_empty(void)
{
	struct out out = {};

	out_text(&out, "");
	CHECK(out.text && !out.len, "an empty text has memory");
	out_free(&out);
}

int main(void)
{
	test_types();
	test_empty();
	test_words();
	test_numbers();
	test_maps();
	free(value.text);
	return tap_end();
}
