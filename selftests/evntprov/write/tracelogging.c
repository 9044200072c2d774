// SPDX-License-Identifier: GPL-2.0
/*
 * TraceLogging, from its macros to the log file and back: every macro,
 * activities, and events as other languages' libraries write them, whose
 * metadata is built at run time.
 */
#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/lib.h"

#include <TraceLoggingProvider.h>

#include "selftests/unit/tracelogging/decode.h"

TRACELOGGING_DEFINE_PROVIDER(provider, "Evntprov.Test",
			     (0x65766e74, 0x1234, 0x5678,
			      1, 2, 3, 4, 5, 6, 7, 0xa1));
TRACELOGGING_DEFINE_PROVIDER(member, "Evntprov.Member",
			     (0x65766e74, 0x1234, 0x5678,
			      1, 2, 3, 4, 5, 6, 7, 0xa2),
			     TraceLoggingOptionGroup(1, 2, 3, 4, 5, 6, 7, 8,
						     9, 10, 11));

/* Expected events, in order */
static const char *expected[400];
static unsigned int expected_count;

#define CASE(schema, data, text, ...) do { \
	TraceLoggingWrite(provider, "E", __VA_ARGS__); \
	expected[expected_count++] = (text); \
} while (0)
#include "selftests/unit/tracelogging/cases.h"

/* Counts of a file's events and errors, and its first wrong event */
struct reading {
	unsigned int events;
	unsigned int wrong;
	struct etl_event first;
	char text[4096];
	uint8_t traits[64];
	uint16_t traits_len;
	uint8_t related[16];
	uint16_t related_len;
};

static bool decode(const struct etl_event *e, struct tlg_decoder *d)
{
	const uint8_t *schema;
	uint16_t len;

	schema = etl_ext(e, 11, &len);
	/* The data may end with padding, as it extends to the record's end */
	return schema && tlg_decode(d, schema, len, e->data, e->data_len);
}

static void read_case(const struct etl_event *e, void *context)
{
	static struct tlg_decoder d;
	struct reading *r = context;

	if (!decode(e, &d) || r->events >= expected_count ||
	    strcmp(d.text, expected[r->events])) {
		if (!r->wrong++)
			printf("# event %u: %s\n# wanted: %s\n", r->events,
			       d.text, r->events < expected_count ?
			       expected[r->events] : "none");
	}
	r->events++;
}

static void read_one(const struct etl_event *e, void *context)
{
	static struct tlg_decoder d;
	struct reading *r = context;
	const uint8_t *p;

	if (r->events++)
		return;
	r->first = *e;
	r->wrong += !decode(e, &d);
	memcpy(r->text, d.text, sizeof(r->text));
	p = etl_ext(e, 12, &r->traits_len);
	if (p && r->traits_len <= sizeof(r->traits))
		memcpy(r->traits, p, r->traits_len);
	p = etl_ext(e, 1, &r->related_len);
	if (p)
		memcpy(r->related, p, sizeof(r->related));
}

FIXTURE(recording) {
	TRACEHANDLE session;
	struct reading reading;
};

FIXTURE_SETUP(recording)
{
	stay_on(0);
	self->session = session_start("tracelogging");
	ASSERT_NE(0, self->session);
	ASSERT_EQ(0, session_enable(self->session, 0xa1));
	ASSERT_EQ(0, session_enable(self->session, 0xa2));
	memset(&self->reading, 0, sizeof(self->reading));
}

FIXTURE_TEARDOWN(recording)
{
	unlink("/tmp/tracelogging.etl");
}

/* Stop the session, and read its file */
static bool stop_and_read(FIXTURE_DATA(recording) *self, etl_event_fn fn)
{
	struct etl_scan scan;

	return !session_stop(self->session, NULL) &&
	       etl_scan("/tmp/tracelogging.etl", &scan, fn, &self->reading);
}

TEST_F(recording, every_macro_writes_its_fields)
{
	expected_count = 0;
	ASSERT_EQ(S_OK, TraceLoggingRegister(provider));
	write_cases();
	TraceLoggingUnregister(provider);
	ASSERT_TRUE(stop_and_read(self, read_case));
	EXPECT_EQ(expected_count, self->reading.events);
	EXPECT_LT(200, expected_count);
	EXPECT_EQ(0, self->reading.wrong);
}

TEST_F(recording, events_have_descriptor_and_traits)
{
	static const char traits[] = "\x25\0Evntprov.Member\0\x13\0\1"
		"\1\0\0\0\2\0\3\0\4\5\6\7\x08\x09\x0a\x0b";
	static const GUID activity = { 1, 2, 3, { 4 } };
	static const GUID related = { 5, 6, 7, { 8 } };
	struct etl_event *e = &self->reading.first;

	ASSERT_EQ(S_OK, TraceLoggingRegister(member));
	TraceLoggingWriteActivity(member, "Name", &activity, &related,
				  TraceLoggingLevel(3),
				  TraceLoggingKeyword(0x800000000001),
				  TraceLoggingOpcode(1),
				  TraceLoggingEventTag(0x200000));
	TraceLoggingUnregister(member);
	ASSERT_TRUE(stop_and_read(self, read_one));
	EXPECT_EQ(1, self->reading.events);
	EXPECT_EQ(0, self->reading.wrong);
	EXPECT_STREQ("Name#200000", self->reading.text);
	EXPECT_EQ(11, e->channel);
	EXPECT_EQ(3, e->level);
	EXPECT_EQ(1, e->opcode);
	EXPECT_EQ(0x800000000001, e->keyword);
	EXPECT_EQ(sizeof(traits) - 1, self->reading.traits_len);
	EXPECT_EQ(0, memcmp(traits, self->reading.traits, sizeof(traits) - 1));
	EXPECT_EQ(16, self->reading.related_len);
	EXPECT_EQ(0, memcmp(&related, self->reading.related, 16));
}

/* A provider writes only what the session's level and keywords match */
TEST_F(recording, level_and_keyword_select_events)
{
	GUID id = provider_id(0xa1);

	ASSERT_EQ(S_OK, TraceLoggingRegister(provider));
	EXPECT_TRUE(TraceLoggingProviderEnabled(provider, 255, 1));
	ASSERT_EQ(0, EnableTraceEx2(self->session, &id,
				    EVENT_CONTROL_CODE_ENABLE_PROVIDER, 3, 0x6,
				    0x2, 0, NULL));
	EXPECT_TRUE(EVENTUALLY(!TraceLoggingProviderEnabled(provider, 4, 0)));
	EXPECT_TRUE(TraceLoggingProviderEnabled(provider, 3, 0));
	EXPECT_FALSE(TraceLoggingProviderEnabled(provider, 3, 4));
	EXPECT_TRUE(TraceLoggingProviderEnabled(provider, 3, 2));
	TraceLoggingWrite(provider, "Not", TraceLoggingKeyword(2));
	TraceLoggingWrite(provider, "Nor", TraceLoggingLevel(3),
			  TraceLoggingKeyword(4));
	TraceLoggingWrite(provider, "But", TraceLoggingLevel(3),
			  TraceLoggingKeyword(2));
	ASSERT_EQ(0, session_disable(self->session, 0xa1));
	EXPECT_TRUE(EVENTUALLY(!TraceLoggingProviderEnabled(provider, 0, 0)));
	TraceLoggingUnregister(provider);
	ASSERT_TRUE(stop_and_read(self, read_one));
	EXPECT_EQ(1, self->reading.events);
	EXPECT_STREQ("But", self->reading.text);
}

static VOID NTAPI write_when_enabled(LPCGUID source, ULONG control, UCHAR level,
				     ULONGLONG any, ULONGLONG all,
				     PEVENT_FILTER_DESCRIPTOR filter,
				     PVOID context)
{
	TraceLoggingWrite(provider, "Callback", TraceLoggingUInt32(control));
}

/* The first callback runs before TraceLoggingRegisterEx() returns */
TEST_F(recording, a_callback_can_write_events)
{
	ASSERT_EQ(S_OK, TraceLoggingRegisterEx(provider, write_when_enabled,
					       NULL));
	TraceLoggingUnregister(provider);
	ASSERT_TRUE(stop_and_read(self, read_one));
	EXPECT_EQ(1, self->reading.events);
	EXPECT_EQ(0, self->reading.wrong);
	EXPECT_STREQ("Callback control=1", self->reading.text);
}

/* Build metadata of an event with this name and field at run time */
static size_t make_schema(uint8_t *to, const char *name, const char *field)
{
	size_t n = 3;

	to[2] = 0;
	n += stpcpy((char *)to + n, name) + 1 - ((char *)to + n);
	n += stpcpy((char *)to + n, field) + 1 - ((char *)to + n);
	to[n++] = 8;
	to[0] = n;
	to[1] = n >> 8;
	return n;
}

static ULONG write_dynamic(REGHANDLE handle, const char *name, UINT32 value,
			   bool with_traits)
{
	static const EVENT_DESCRIPTOR descriptor = { .Channel = 11, .Level = 4 };
	static const uint8_t traits[] = "\x0a\0Dynamic";
	EVENT_DATA_DESCRIPTOR data[3];
	uint8_t schema[64];

	EventDataDescCreate(&data[0], traits, with_traits ? sizeof(traits) : 0);
	data[0].Type = EVENT_DATA_DESCRIPTOR_TYPE_PROVIDER_METADATA;
	EventDataDescCreate(&data[1], schema,
			    make_schema(schema, name, "value"));
	data[1].Type = EVENT_DATA_DESCRIPTOR_TYPE_EVENT_METADATA;
	EventDataDescCreate(&data[2], &value, sizeof(value));
	return EventWriteEx(handle, &descriptor, 0, 0, NULL, NULL,
			    with_traits ? 3 : 2, &data[with_traits ? 0 : 1]);
}

/* Traits in each event; descriptor types are enabled implicitly */
TEST_F(recording, metadata_can_be_built_at_run_time)
{
	GUID id = provider_id(0xa1);
	BOOLEAN yes = TRUE;
	REGHANDLE h;

	ASSERT_EQ(0, EventRegister(&id, NULL, NULL, &h));
	ASSERT_EQ(0, EventSetInformation(h, EventProviderUseDescriptorType,
					 &yes, sizeof(yes)));
	EXPECT_EQ(0, write_dynamic(h, "Made", 42, true));
	EventUnregister(h);
	ASSERT_TRUE(stop_and_read(self, read_one));
	EXPECT_EQ(0, self->reading.wrong);
	EXPECT_STREQ("Made value=42", self->reading.text);
	EXPECT_EQ(10, self->reading.traits_len);
	EXPECT_EQ(0, memcmp("\x0a\0Dynamic", self->reading.traits, 10));
}

/* Traits of the registration */
TEST_F(recording, metadata_at_run_time_works_with_set_traits)
{
	uint8_t traits[] = "\x06\0Set";
	GUID id = provider_id(0xa1);
	REGHANDLE h;

	ASSERT_EQ(0, EventRegister(&id, NULL, NULL, &h));
	ASSERT_EQ(0, EventSetInformation(h, EventProviderSetTraits, traits,
					 sizeof(traits)));
	EXPECT_EQ(0, write_dynamic(h, "Made", 43, false));
	EventUnregister(h);
	ASSERT_TRUE(stop_and_read(self, read_one));
	EXPECT_EQ(0, self->reading.wrong);
	EXPECT_STREQ("Made value=43", self->reading.text);
	EXPECT_EQ(6, self->reading.traits_len);
	EXPECT_EQ(0, memcmp(traits, self->reading.traits, 6));
}

TEST_HARNESS_MAIN
