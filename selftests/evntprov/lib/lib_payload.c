// SPDX-License-Identifier: GPL-2.0
/*
 * Payload filters from conditions to the log: TdhCreatePayloadFilter() and
 * TdhAggregatePayloadFilters() for EnableTraceEx2(), and which events are
 * recorded.
 */
#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/lib.h"
#include <tdh.h>

#define PROVIDER	"{65766e74-1234-5678-0102-030405060701}"

static const char manifest[] =
	"<instrumentationManifest xmlns='http://schemas.microsoft.com/win/"
	"2004/08/events' xmlns:win='http://manifests.microsoft.com/win/2004/"
	"08/windows/events'><instrumentation><events>"
	"<provider name='Payload' symbol='P' guid='" PROVIDER "'><templates>"
	"<template tid='t'>"
	"<data name='Name' inType='win:UnicodeString'/>"
	"<data name='Size' inType='win:UInt32'/>"
	"</template></templates><events>"
	"<event value='1' symbol='One' template='t'/>"
	"<event value='2' symbol='Two' template='t'/>"
	"</events></provider></events></instrumentation>"
	"</instrumentationManifest>";

#define EVENTS	1000

/* Number of times each event was found, by its Size */
struct seen {
	unsigned int count[EVENTS];
	unsigned int wrong;
};

FIXTURE(payload) {
	TRACEHANDLE session[2];
	REGHANDLE handle;
	GUID id;
	struct seen seen[2];
};

static const char *const names[2] = { "payload0", "payload1" };

FIXTURE_SETUP(payload)
{
	unsigned int i;

	self->id = provider_id(1);
	for (i = 0; i < 2; i++) {
		self->session[i] = session_start(names[i]);
		ASSERT_NE(0, self->session[i]);
	}
	ASSERT_EQ(0, TdhLoadManifestFromMemory(manifest,
					       sizeof(manifest) - 1));
	ASSERT_EQ(0, EventRegister(&self->id, NULL, NULL, &self->handle));
}

FIXTURE_TEARDOWN(payload)
{
	unsigned int i;
	char path[64];

	EXPECT_EQ(0, EventUnregister(self->handle));
	for (i = 0; i < 2; i++) {
		if (self->session[i])
			session_stop(self->session[i], NULL);
		sprintf(path, "/tmp/%s.etl", names[i]);
		unlink(path);
	}
	EXPECT_EQ(0, TdhUnloadManifestFromMemory(manifest,
						 sizeof(manifest) - 1));
}

static void note(const struct etl_event *e, void *context)
{
	const GUID id = provider_id(1);
	struct seen *seen = context;
	uint32_t size;

	if (memcmp(e->provider, &id, sizeof(id)) != 0)
		return;
	memcpy(&size, e->data + e->data_len - sizeof(size), sizeof(size));
	if (size < EVENTS)
		seen->count[size]++;
	else
		seen->wrong++;
}

/* Stop session @i, and count the events in its log */
static bool read_log(TRACEHANDLE *session, unsigned int i, struct seen *seen)
{
	struct properties p;
	struct etl_scan scan;
	char path[64];

	sprintf(path, "/tmp/%s.etl", names[i]);
	memset(seen, 0, sizeof(*seen));
	if (session_stop(*session, &p) || p.p.EventsLost)
		return false;
	*session = 0;
	return etl_scan(path, &scan, note, seen) && !seen->wrong;
}

/* Every third event is Two; every fifth has a name with "log" */
static USHORT id_of(uint32_t size)
{
	return size % 3 ? 1 : 2;
}

static bool is_log(uint32_t size)
{
	return size % 5 == 0;
}

static ULONG write_event(REGHANDLE handle, uint32_t size)
{
	static const WCHAR log[] = u"sys.Log", other[] = u"other";
	EVENT_DESCRIPTOR event = { .Id = id_of(size), .Level = 4 };
	EVENT_DATA_DESCRIPTOR data[2];

	if (is_log(size))
		EventDataDescCreate(&data[0], log, sizeof(log));
	else
		EventDataDescCreate(&data[0], other, sizeof(other));
	EventDataDescCreate(&data[1], &size, sizeof(size));
	return EventWrite(handle, &event, 2, data);
}

static PAYLOAD_FILTER_PREDICATE predicate(const WCHAR *field, USHORT op,
					  const WCHAR *value)
{
	PAYLOAD_FILTER_PREDICATE p = { (LPWSTR)field, op, (LPWSTR)value };

	return p;
}

static ULONG enable(TRACEHANDLE session, const GUID *id,
		    EVENT_FILTER_DESCRIPTOR *filters, ULONG count)
{
	ENABLE_TRACE_PARAMETERS p = {
		.Version = ENABLE_TRACE_PARAMETERS_VERSION_2,
		.EnableFilterDesc = filters,
		.FilterDescCount = count,
	};

	return EnableTraceEx2(session, id, EVENT_CONTROL_CODE_ENABLE_PROVIDER,
			      0, 0, 0, 0, &p);
}

/* Filter events One with Size > 400 and a Name with "LOG" */
static ULONG large_logs(const GUID *id, EVENT_FILTER_DESCRIPTOR *d)
{
	EVENT_DESCRIPTOR one = { .Id = 1 };
	PAYLOAD_FILTER_PREDICATE p[] = {
		predicate(u"Size", PAYLOADFIELD_GT, u"400"),
		predicate(u"Name", PAYLOADFIELD_CONTAINS, u"LOG"),
	};
	PVOID filter;
	ULONG code = TdhCreatePayloadFilter(id, &one, FALSE, 2, p, &filter);

	if (!code)
		code = TdhAggregatePayloadFilters(1, &filter, NULL, d);
	TdhDeletePayloadFilter(&filter);
	return code;
}

TEST_F(payload, a_filter_passes_only_matching_events)
{
	EVENT_FILTER_DESCRIPTOR d;
	uint32_t i;

	ASSERT_EQ(0, large_logs(&self->id, &d));
	EXPECT_EQ(0, enable(self->session[0], &self->id, &d, 1));
	EXPECT_EQ(0, TdhCleanupPayloadEventFilterDescriptor(&d));
	EXPECT_EQ(0, enable(self->session[1], &self->id, NULL, 0));
	for (i = 0; i < EVENTS; i++)
		EXPECT_EQ(0, write_event(self->handle, i));
	for (i = 0; i < 2; i++)
		ASSERT_TRUE(read_log(&self->session[i], i, &self->seen[i]));
	for (i = 0; i < EVENTS; i++) {
		EXPECT_EQ(id_of(i) != 1 || (i > 400 && is_log(i)),
			  self->seen[0].count[i]);
		EXPECT_EQ(1, self->seen[1].count[i]);
	}
}

TEST_F(payload, enabling_again_without_a_filter_passes_all_events)
{
	EVENT_FILTER_DESCRIPTOR d;
	uint32_t i;

	ASSERT_EQ(0, large_logs(&self->id, &d));
	EXPECT_EQ(0, enable(self->session[0], &self->id, &d, 1));
	EXPECT_EQ(0, TdhCleanupPayloadEventFilterDescriptor(&d));
	EXPECT_EQ(0, write_event(self->handle, 1));
	EXPECT_EQ(0, enable(self->session[0], &self->id, NULL, 0));
	EXPECT_EQ(0, write_event(self->handle, 2));
	ASSERT_TRUE(read_log(&self->session[0], 0, &self->seen[0]));
	for (i = 0; i < EVENTS; i++)
		EXPECT_EQ(i == 2, self->seen[0].count[i]);
}

/* Two filters of One, both of which must match, and one of Two */
TEST_F(payload, aggregated_filters_apply_to_two_events)
{
	EVENT_DESCRIPTOR one = { .Id = 1 }, two = { .Id = 2 };
	PAYLOAD_FILTER_PREDICATE p[] = {
		predicate(u"Size", PAYLOADFIELD_BETWEEN, u"100,200"),
		predicate(u"Name", PAYLOADFIELD_ISNOT, u"SYS.LOG"),
		predicate(u"Size", PAYLOADFIELD_MODULO, u"6"),
	};
	BOOLEAN all[] = { TRUE, TRUE, FALSE };
	EVENT_FILTER_DESCRIPTOR d;
	PVOID filters[3];
	uint32_t i;

	for (i = 0; i < 3; i++)
		ASSERT_EQ(0, TdhCreatePayloadFilter(&self->id,
						    i < 2 ? &one : &two, TRUE,
						    1, &p[i], &filters[i]));
	ASSERT_EQ(0, TdhAggregatePayloadFilters(3, filters, all, &d));
	EXPECT_EQ(0, enable(self->session[0], &self->id, &d, 1));
	for (i = 0; i < EVENTS; i++)
		EXPECT_EQ(0, write_event(self->handle, i));
	ASSERT_TRUE(read_log(&self->session[0], 0, &self->seen[0]));
	for (i = 0; i < EVENTS; i++)
		EXPECT_EQ(id_of(i) == 2 ? i % 6 == 0 :
			  i >= 100 && i <= 200 && !is_log(i),
			  self->seen[0].count[i]);
	for (i = 0; i < 3; i++)
		EXPECT_EQ(0, TdhDeletePayloadFilter(&filters[i]));
	EXPECT_EQ(0, TdhCleanupPayloadEventFilterDescriptor(&d));
}

TEST_F(payload, EnableTraceEx2_accepts_only_one_complete_filter)
{
	EVENT_FILTER_DESCRIPTOR d, twice[2], cut;

	ASSERT_EQ(0, large_logs(&self->id, &d));
	twice[0] = d;
	twice[1] = d;
	EXPECT_EQ(ERROR_INVALID_PARAMETER,
		  enable(self->session[0], &self->id, twice, 2));
	cut = d;
	cut.Size--;
	EXPECT_EQ(ERROR_INVALID_PARAMETER,
		  enable(self->session[0], &self->id, &cut, 1));
	cut.Size = MAX_EVENT_FILTER_PAYLOAD_SIZE + 1;
	EXPECT_EQ(ERROR_INVALID_PARAMETER,
		  enable(self->session[0], &self->id, &cut, 1));
	EXPECT_EQ(0, TdhCleanupPayloadEventFilterDescriptor(&d));
	EXPECT_EQ(ERROR_INVALID_PARAMETER,
		  TdhCleanupPayloadEventFilterDescriptor(&d));
}

TEST_HARNESS_MAIN
