// SPDX-License-Identifier: MIT
/* Records as the core lays them out, compared byte by byte with the format. */
#include "core/level_keyword.h"
#include "core/record.h"
#include "core/self_record.h"
#include "selftests/unit/common/tap.h"

static const u8 traits[] = { 7, 0, 'N', 'a', 'm', 'e', 0 };

#define ID(byte)	{ [0 ... 15] = (byte) }

static const u8 provider[] = ID(0x33), activity[] = ID(0x44),
		related[] = ID(0x55);
static const struct etl_descriptor descriptor = {
	0x1234, 5, 6, 7, 8, 0x9abc, 0x1122334455667788
};

static struct evnt_event event(void)
{
	return (struct evnt_event) {
		.descriptor = &descriptor,
		.provider = provider,
		.activity = activity,
		.kind = ETL_RECORD_EVENT64,
		.thread_id = 0x11111111,
		.process_id = 0x22222222,
		.data_len = 5,
	};
}

static struct evnt_record_parts lay_out(u8 *r, const struct evnt_event *e,
					s64 time)
{
	return evnt_record_lay_out(r, evnt_record_size(e), e, time);
}

static u16 u16_at(const u8 *p)
{
	return p[0] | p[1] << 8;
}

static void test_plain(void)
{
	struct evnt_event e = event();
	struct evnt_record_parts parts;
	u8 r[256] __attribute__((aligned(8)));

	memset(r, 0xa5, sizeof(r));
	parts = lay_out(r, &e, 0x0102030405060708);
	CHECK(evnt_record_size(&e) == 0x55, "size is not padded");
	CHECK(u16_at(r) == 0x55 && u16_at(r + 2) == 0xc013 &&
	      u16_at(r + 4) == 0 && u16_at(r + 6) == 0, "marker and flags");
	CHECK(r[8] == 0x11 && r[12] == 0x22, "thread before process");
	CHECK(r[16] == 8 && r[23] == 1, "a record contains the time stamp");
	CHECK(r[0x18] == 0x33 && r[0x27] == 0x33,
	      "a record contains the provider");
	CHECK(u16_at(r + 0x28) == 0x1234 && r[0x2a] == 5 && r[0x2b] == 6 &&
	      r[0x2c] == 7 && r[0x2d] == 8 && u16_at(r + 0x2e) == 0x9abc &&
	      r[0x30] == 0x88 && r[0x37] == 0x11,
	      "a record contains the descriptor");
	CHECK(r[0x40] == 0x44 && r[0x4f] == 0x44,
	      "a record contains the activity");
	CHECK(parts.data == r + 0x50 && !parts.traits && !parts.metadata,
	      "data behind the header");
	e.kind = ETL_RECORD_EVENT32;
	lay_out(r, &e, 0);
	CHECK(u16_at(r + 2) == 0xc012, "a 32-bit writer's marker");
}

static void test_items(void)
{
	struct evnt_event e = event();
	struct evnt_record_parts parts;
	u8 r[256] __attribute__((aligned(8)));

	e.related = related;
	e.traits = traits;
	e.traits_len = sizeof(traits);
	e.metadata_len = 8;
	memset(r, 0xa5, sizeof(r));
	parts = lay_out(r, &e, 1);
	CHECK(evnt_record_size(&e) == 0x50 + 24 + 16 + 16 + 5,
	      "items count with header and padding");
	CHECK(u16_at(r + 4) == 1, "the flag of extended items is set");
	CHECK(u16_at(r + 0x50) == 24 && u16_at(r + 0x52) == 1 &&
	      u16_at(r + 0x54) == 1 && u16_at(r + 0x56) == 16 &&
	      r[0x58] == 0x55, "related activity first, linked");
	CHECK(u16_at(r + 0x68) == 16 && u16_at(r + 0x6a) == 12 &&
	      u16_at(r + 0x6c) == 1 && u16_at(r + 0x6e) == 7 &&
	      !memcmp(r + 0x70, traits, 7) && r[0x77] == 0,
	      "traits are padded with zeros");
	CHECK(u16_at(r + 0x78) == 16 && u16_at(r + 0x7a) == 11 &&
	      u16_at(r + 0x7c) == 0 && u16_at(r + 0x7e) == 8,
	      "metadata last, not linked");
	CHECK(parts.metadata == r + 0x80 && parts.data == r + 0x88 &&
	      !parts.traits, "the caller's metadata and data have their place");
	e.traits = NULL;
	parts = lay_out(r, &e, 1);
	CHECK(parts.traits == r + 0x70, "traits of the event are the caller's");
}

static void test_too_long(void)
{
	struct evnt_event e = event();

	e.data_len = 0xffff;
	CHECK(evnt_record_size(&e) == 0x1004f,
	      "the size of a large record is calculated");
	e.data_len = 0xffffffff;
	e.traits_len = 0xffffffff;
	e.metadata_len = 0xffffffff;
	CHECK(evnt_record_size(&e) > 3 * 0xffffffffull,
	      "the size of a record does not overflow");
}

/* The memory of a buffer that is used again is not zero */
static void test_self(void)
{
	const struct evnt_self_event *own = &evnt_manifest_event;
	u8 r[512] __attribute__((aligned(8)));
	u8 data[sizeof(struct evntprov_manifest) + 9];
	const u8 *schema = r + 0x50 + 32;
	struct evnt_event e;
	u32 size;

	memset(r, 0xa5, sizeof(r));
	memset(data, 0x5a, sizeof(data));
	evnt_self_describe(&e, own, sizeof(data));
	size = evnt_record_size(&e);
	evnt_self_put(r, size, own, &e, 1, data);
	CHECK(!memcmp(r + size - sizeof(data), data, sizeof(data)),
	      "an event of the module's own has all its data");
	CHECK(u16_at(schema + 2) == ETL_EXT_SCHEMA_TL &&
	      u16_at(schema + 6) == own->len + 2 &&
	      u16_at(schema + 8) == own->len + 2 &&
	      !memcmp(schema + 10, own->text, own->len),
	      "an event of the module's own has its whole schema");
	CHECK(r[size] == (size % 8 ? 0 : 0xa5) && r[size + 8] == 0xa5,
	      "it is padded, and ends there");
}

/* The rule from the documentation of EVENT_DESCRIPTOR */
static bool documented(u8 level, u64 any, u64 all, u8 event_level, u64 keyword)
{
	if (event_level && level && event_level > level)
		return false;
	if (!keyword)
		return true;
	return (!any || (keyword & any)) && (keyword & all) == all;
}

static void test_rule(void)
{
	u32 level, event_level, any, all, keyword;
	unsigned long wrong = 0, count = 0;

	for (level = 0; level < 256; level++)
	for (event_level = 0; event_level < 256; event_level++)
	for (any = 0; any < 8; any++)
	for (all = 0; all < 8; all++)
	for (keyword = 0; keyword < 8; keyword++, count++)
		wrong += documented(level, any, all, event_level, keyword) !=
			 evnt_wanted(&(struct evnt_level_keyword) {
				.match_any = evnt_effective_any(any),
				.match_all = all,
				.level = evnt_effective_level(level),
			 }, event_level, keyword);
	CHECK(!wrong, "level and keyword rule, %lu combinations", count);
}

int main(void)
{
	test_plain();
	test_items();
	test_too_long();
	test_self();
	test_rule();
	return tap_end();
}
