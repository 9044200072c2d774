// SPDX-License-Identifier: GPL-2.0
/*
 * Extended items of events that threads write to rings: related activities,
 * provider traits, metadata of TraceLogging.
 */
#include <stddef.h>

#include "core/etl.h"
#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/consumer.h"
#include "selftests/evntprov/common/device.h"
#include "selftests/evntprov/ring/ring_raw.h"

#define TRAITS		EVENT_DATA_DESCRIPTOR_TYPE_PROVIDER_METADATA
#define METADATA	EVENT_DATA_DESCRIPTOR_TYPE_EVENT_METADATA
#define CASES		8u

static const GUID related = { 0x1234, 5, 6, { 7, 8 } };
static const char traits[] = "\x10\0Test.Provider";
static const char metadata[] = "\x0c\0\0Event\0ab";
static const char others[] = "\x0e\0Test.Others";

/* Records by descriptor id: written to a ring, and by ioctl */
static struct {
	uint8_t record[2][1024];
	uint16_t size[2];
	unsigned int count[2];
} kept[CASES];

static void keep(const struct etl_event *e, void *context)
{
	const GUID id = provider_id(PROVIDER);
	const unsigned int by = e->cpu < processors;

	(void)context;
	if (memcmp(e->provider, &id, sizeof(id)) || e->id >= CASES ||
	    e->size > sizeof(kept[0].record[0]))
		return;
	memcpy(kept[e->id].record[by], e->record, e->size);
	kept[e->id].size[by] = e->size;
	kept[e->id].count[by]++;
}

/* Compare two records, except for their times */
static bool is_same(unsigned int n)
{
	const uint8_t *a = kept[n].record[0], *b = kept[n].record[1];
	const size_t time = offsetof(struct etl_event_header, time_stamp);
	const size_t provider = offsetof(struct etl_event_header, provider);
	const size_t times = offsetof(struct etl_event_header, kernel_time);
	const size_t activity = offsetof(struct etl_event_header, activity);

	return kept[n].count[0] == 1 && kept[n].count[1] == 1 &&
	       kept[n].size[0] == kept[n].size[1] && !memcmp(a, b, time) &&
	       !memcmp(a + provider, b + provider, times - provider) &&
	       !memcmp(a + activity, b + activity, kept[n].size[0] - activity);
}

static void describe(EVENT_DATA_DESCRIPTOR *data, const void *from, ULONG len,
		     UCHAR type)
{
	EventDataDescCreate(data, from, len);
	data->Type = type;
}

/* Write an event to the ring if it can be, then by ioctl */
static ULONG write_both(unsigned int n, LPCGUID to, ULONG count,
			EVENT_DATA_DESCRIPTOR *data)
{
	const EVENT_DESCRIPTOR d = { .Id = n, .Level = 3, .Keyword = 0x10 };

	return EventWriteTransfer(handle, &d, NULL, to, count, data) |
	       EventWriteEx(handle, &d, 0, EVENT_WRITE_FLAG_INPRIVATE, NULL, to,
			    count, data);
}

static bool read_log(const char *path)
{
	struct etl_scan scan;

	memset(kept, 0, sizeof(kept));
	return etl_scan(path, &scan, keep, NULL) && !unlink(path);
}

TEST_F(rings, related_activities_are_recorded_as_by_ioctl)
{
	TRACEHANDLE session = start("ring_related", 4096);
	EVENT_DATA_DESCRIPTOR data[2];
	unsigned int n;

	ASSERT_NE(0, session);
	ASSERT_TRUE(provider_register());
	describe(&data[0], "abcde", 5, 0);
	describe(&data[1], "fghijklm", 8, 0);
	EXPECT_EQ(0, write_both(0, &related, 0, NULL));
	EXPECT_EQ(0, write_both(1, &related, 1, data));
	EXPECT_EQ(0, write_both(2, &related, 2, data));
	ASSERT_EQ(0, session_stop(session, NULL));
	ASSERT_TRUE(read_log("/tmp/ring_related.etl"));
	for (n = 0; n < 3; n++) {
		EXPECT_TRUE(is_same(n))
			TH_LOG("event %u", n);
	}
	EXPECT_EQ(0x50 + 24 + 13, kept[2].size[0]);
}

/* Events as TraceLogging writes them: traits, metadata, data */
static ULONG write_typed(void)
{
	EVENT_DATA_DESCRIPTOR data[5];
	ULONG code;

	describe(&data[0], traits, sizeof(traits), TRAITS);
	describe(&data[1], metadata, sizeof(metadata) - 1, METADATA);
	describe(&data[2], "abc", 3, 0);
	describe(&data[3], NULL, 0, 0);
	describe(&data[4], "defgh", 5, 0);
	code = write_both(0, NULL, 5, data);
	code |= write_both(1, &related, 5, data);
	code |= write_both(2, NULL, 2, data);
	code |= write_both(3, NULL, 1, data);
	/* In pieces, and in another order */
	describe(&data[0], "abc", 3, 0);
	describe(&data[1], metadata, 4, METADATA);
	describe(&data[2], metadata + 4, sizeof(metadata) - 5, METADATA);
	describe(&data[3], traits, sizeof(traits), TRAITS);
	return code | write_both(4, NULL, 5, data);
}

TEST_F(rings, events_of_tracelogging_are_recorded_as_by_ioctl)
{
	TRACEHANDLE session = start("ring_traits", 4096);
	unsigned int n;

	ASSERT_NE(0, session);
	ASSERT_TRUE(provider_register());
	ASSERT_EQ(0, EventSetInformation(handle, EventProviderSetTraits,
					 (void *)traits, sizeof(traits)));
	EXPECT_EQ(0, write_typed());
	ASSERT_EQ(0, session_stop(session, NULL));
	ASSERT_TRUE(read_log("/tmp/ring_traits.etl"));
	for (n = 0; n < 5; n++) {
		EXPECT_TRUE(is_same(n))
			TH_LOG("event %u", n);
	}
	EXPECT_EQ(0x50 + 24 + 24 + 8, kept[0].size[0]);
}

TEST_F(rings, types_of_data_count_without_traits_too)
{
	TRACEHANDLE session = start("ring_types", 4096);
	unsigned int n;
	BYTE yes = 1;

	ASSERT_NE(0, session);
	ASSERT_TRUE(provider_register());
	ASSERT_EQ(0, EventSetInformation(handle, EventProviderUseDescriptorType,
					 &yes, sizeof(yes)));
	EXPECT_EQ(0, write_typed());
	ASSERT_EQ(0, session_stop(session, NULL));
	ASSERT_TRUE(read_log("/tmp/ring_types.etl"));
	for (n = 0; n < 5; n++) {
		EXPECT_TRUE(is_same(n))
			TH_LOG("event %u", n);
	}
}

/* The module knows the traits of a registration, and an event may lack them */
TEST_F(rings, traits_of_the_registration_are_recorded)
{
	const uint8_t *item = kept[0].record[0] + sizeof(struct etl_event_header);
	TRACEHANDLE session = start("ring_others", 4096);
	EVENT_DATA_DESCRIPTOR data[2];
	char same[sizeof(traits)];

	ASSERT_NE(0, session);
	ASSERT_TRUE(provider_register());
	ASSERT_EQ(0, EventSetInformation(handle, EventProviderSetTraits,
					 (void *)traits, sizeof(traits)));
	memset(same, 'x', sizeof(same));
	describe(&data[0], same, sizeof(same), TRAITS);
	describe(&data[1], "abc", 3, 0);
	EXPECT_EQ(0, write_both(0, NULL, 2, data));
	describe(&data[0], others, sizeof(others), TRAITS);
	EXPECT_EQ(0, write_both(1, NULL, 2, data));
	EXPECT_EQ(0, write_both(2, NULL, 1, &data[1]));
	ASSERT_EQ(0, session_stop(session, NULL));
	ASSERT_TRUE(read_log("/tmp/ring_others.etl"));
	EXPECT_TRUE(is_same(0));
	EXPECT_EQ(0, memcmp(item + sizeof(struct etl_ext_item), traits,
			    sizeof(traits)));
	/* The others have no room for the registration's in a ring */
	for (unsigned int n = 1; n < 3; n++) {
		EXPECT_EQ(0, kept[n].count[0]);
		EXPECT_EQ(2, kept[n].count[1]);
	}
}

/*
 * A registration without types ignores the types of blocks; in one with types,
 * unknown types are errors
 */
TEST_F(rings, unknown_types_are_left_to_the_ioctl)
{
	TRACEHANDLE session = start("ring_unknown", 4096);
	EVENT_DATA_DESCRIPTOR data[2];

	ASSERT_NE(0, session);
	ASSERT_TRUE(provider_register());
	describe(&data[0], traits, sizeof(traits), TRAITS);
	EXPECT_EQ(0, write_both(0, &related, 1, data));
	ASSERT_EQ(0, EventSetInformation(handle, EventProviderSetTraits,
					 (void *)traits, sizeof(traits)));
	describe(&data[1], "abc", 3, 4);
	EXPECT_EQ(ERROR_INVALID_PARAMETER, write_both(1, NULL, 2, data));
	EXPECT_EQ(ERROR_INVALID_PARAMETER, write_both(2, NULL, 2, NULL));
	ASSERT_EQ(0, session_stop(session, NULL));
	ASSERT_TRUE(read_log("/tmp/ring_unknown.etl"));
	EXPECT_EQ(0, kept[0].count[0]);
	EXPECT_EQ(2, kept[0].count[1]);
	EXPECT_EQ(0, kept[1].count[1]);
	EXPECT_EQ(0, kept[2].count[1]);
}

/* An item, and what is changed of it: a process may write anything */
struct attempt {
	const char *what;
	struct etl_ext_item item;
	uint32_t len;
	bool is_good;
};

static const struct attempt attempts[] = {
	{ "a related activity", { 24, ETL_EXT_RELATED_ACTIVITY, 0, 16 }, 32, true },
	{ "no size", { 0, ETL_EXT_RELATED_ACTIVITY, 0, 16 }, 32, false },
	{ "a short size", { 16, ETL_EXT_RELATED_ACTIVITY, 0, 16 }, 32, false },
	{ "a long size", { 32, ETL_EXT_RELATED_ACTIVITY, 0, 16 }, 32, false },
	{ "less than an id", { 16, ETL_EXT_RELATED_ACTIVITY, 0, 8 }, 32, false },
	{ "metadata", { 24, ETL_EXT_SCHEMA_TL, 0, 12 }, 32, true },
	{ "traits", { 24, ETL_EXT_PROV_TRAITS, 0, 11 }, 32, true },
	{ "a user's id", { 24, ETL_EXT_SID, 0, 12 }, 32, false },
	{ "a call stack", { 24, ETL_EXT_STACK_TRACE64, 0, 16 }, 32, false },
	{ "a type of 16 bits", { 24, 0x800b, 0, 12 }, 32, false },
	{ "another item, of no size", { 24, ETL_EXT_SCHEMA_TL, 1, 12 }, 32, false },
	{ "another item beyond the end", { 24, ETL_EXT_SCHEMA_TL, 1, 12 }, 24,
	  false },
	{ "an item beyond the end", { 24, ETL_EXT_SCHEMA_TL, 0, 12 }, 16, false },
	{ "half a header", { 24, ETL_EXT_SCHEMA_TL, 0, 12 }, 4, false },
	{ "no item", { 24, ETL_EXT_SCHEMA_TL, 0, 12 }, 0, false },
};

/* Put a record into a ring, and have it copied; returns an errno */
static int put_items(struct raw *raw, const struct etl_ext_item *items,
		     uint32_t count, uint32_t len)
{
	struct etl_event_header h = raw_header(sizeof(h) + len);
	uint8_t *at = raw_at(raw, raw->state->commit);
	uint32_t i;

	h.flags = EVNTPROV_RING_ITEMS;
	memset(at, 0, sizeof(h) + 256);
	memcpy(at, &h, sizeof(h));
	for (at += sizeof(h), i = 0; i < count; at += items[i++].size)
		memcpy(at, &items[i], sizeof(*items));
	raw_commit(raw, (h.size + 7) & ~7u);
	return raw_drain(raw, raw->id);
}

static void check_chain(const struct etl_event *e, void *context)
{
	const GUID id = provider_id(OTHER_PROVIDER);
	unsigned int *count = context;

	if (memcmp(e->provider, &id, sizeof(id)))
		return;
	count[0]++;
	if (e->flags == ETL_EVENT_FLAG_EXTENDED && e->ext && e->data)
		count[1]++;
}

TEST_F(rings, a_process_may_write_certain_items_only)
{
	static const struct etl_ext_item three[] = {
		{ 24, ETL_EXT_RELATED_ACTIVITY, 0xffff, 16 },
		{ 16, ETL_EXT_PROV_TRAITS, 2, 8 },
		{ 16, ETL_EXT_SCHEMA_TL, 0, 7 },
	}, twice[] = {
		{ 16, ETL_EXT_SCHEMA_TL, 1, 8 },
		{ 16, ETL_EXT_SCHEMA_TL, 0, 8 },
	};
	TRACEHANDLE session = start_for("ring_items", 4096, OTHER_PROVIDER);
	unsigned int i, good = 1, bad = 1, count[2] = {};
	struct properties out;
	struct etl_scan scan;
	struct raw raw;

	ASSERT_NE(0, session);
	ASSERT_TRUE(raw_open(&raw));
	for (i = 0; i < sizeof(attempts) / sizeof(*attempts); i++) {
		const struct attempt *a = &attempts[i];

		EXPECT_EQ(a->is_good ? 0 : ENOBUFS,
			  put_items(&raw, &a->item, 1, a->len))
			TH_LOG("%s", a->what);
		good += a->is_good;
		bad += !a->is_good;
	}
	EXPECT_EQ(0, put_items(&raw, three, 3, 64));
	EXPECT_EQ(ENOBUFS, put_items(&raw, twice, 2, 64));
	ASSERT_EQ(0, session_stop(session, &out));
	EXPECT_EQ(bad, out.p.EventsLost);
	EXPECT_TRUE(etl_scan("/tmp/ring_items.etl", &scan, check_chain, count))
		TH_LOG("%s", scan.error);
	unlink("/tmp/ring_items.etl");
	EXPECT_EQ(good, count[0]);
	EXPECT_EQ(good, count[1]);
}

/* The item after traits of the size of the registration's, and both their size */
static const struct attempt second[] = {
	{ "metadata", { 24, ETL_EXT_SCHEMA_TL, 0, 12 }, 64, true },
	{ "metadata at the end", { 24, ETL_EXT_SCHEMA_TL, 0, 16 }, 48, true },
	{ "metadata of no size", { 0, ETL_EXT_SCHEMA_TL, 0, 12 }, 64, false },
	{ "metadata of a long size", { 24, ETL_EXT_SCHEMA_TL, 0, 17 }, 64, false },
	{ "metadata beyond the end", { 24, ETL_EXT_SCHEMA_TL, 0, 12 }, 40, false },
	{ "half a header", { 24, ETL_EXT_SCHEMA_TL, 0, 12 }, 28, false },
	{ "no item", { 24, ETL_EXT_SCHEMA_TL, 0, 12 }, 24, false },
	{ "half of the traits", { 24, ETL_EXT_SCHEMA_TL, 0, 12 }, 16, false },
	{ "other traits", { 24, ETL_EXT_PROV_TRAITS, 0, 12 }, 64, false },
	{ "a user's id", { 24, ETL_EXT_SID, 0, 12 }, 64, false },
	{ "a third item, of no size", { 24, ETL_EXT_SCHEMA_TL, 1, 12 }, 64, false },
};

static void check_traits(const struct etl_event *e, void *context)
{
	const GUID id = provider_id(OTHER_PROVIDER);
	unsigned int *count = context;
	const uint8_t *item;
	uint16_t len = 0;

	if (memcmp(e->provider, &id, sizeof(id)))
		return;
	item = etl_ext(e, ETL_EXT_PROV_TRAITS, &len);
	*count += item && len == sizeof(traits) && !memcmp(item, traits, len) &&
		  etl_ext(e, ETL_EXT_SCHEMA_TL, &len);
}

TEST_F(rings, items_after_traits_are_checked_too)
{
	TRACEHANDLE session = start_for("ring_second", 4096, OTHER_PROVIDER);
	unsigned int i, good = 0, bad = 0, count = 0;
	struct properties out;
	struct etl_scan scan;
	struct raw raw;

	ASSERT_NE(0, session);
	ASSERT_TRUE(raw_open(&raw));
	ASSERT_EQ(0, dev_set_info(raw.fd, OWN, EVNTPROV_INFO_TRAITS, traits,
				  sizeof(traits)));
	for (i = 0; i < sizeof(second) / sizeof(*second); i++) {
		const struct etl_ext_item pair[] = {
			{ 24, ETL_EXT_PROV_TRAITS, 1, sizeof(traits) },
			second[i].item,
		};

		EXPECT_EQ(second[i].is_good ? 0 : ENOBUFS,
			  put_items(&raw, pair, 2, second[i].len))
			TH_LOG("%s", second[i].what);
		good += second[i].is_good;
		bad += !second[i].is_good;
	}
	ASSERT_EQ(0, session_stop(session, &out));
	EXPECT_EQ(bad, out.p.EventsLost);
	EXPECT_TRUE(etl_scan("/tmp/ring_second.etl", &scan, check_traits, &count))
		TH_LOG("%s", scan.error);
	unlink("/tmp/ring_second.etl");
	EXPECT_EQ(good, count);
}

TEST_HARNESS_MAIN
