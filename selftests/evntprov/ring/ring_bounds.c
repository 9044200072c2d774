// SPDX-License-Identifier: GPL-2.0
/*
 * Anything that a process may leave in its ring, one thing at a time: positions,
 * sizes, handles, and fields that are the module's.
 */
#include <sys/syscall.h>

#include "core/etl.h"
#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/ring/ring_raw.h"

/*
 * Size of records, unless it is tested: long, so that they are copied directly, until
 * one of them keeps the module from that for some time
 */
#define SIZE	256u

/* Records are numbered by their descriptor's id */
static struct {
	uint16_t next;
	uint16_t wanted[4096];
	unsigned int count;
	unsigned int found;
	unsigned int wrong;
} records;

/* Put records into @len bytes, from the ring's position plus @from */
static void fill(const struct raw *raw, uint64_t from, uint32_t len)
{
	struct etl_event_header h = raw_header(SIZE);

	for (from += raw->state->commit; len >= SIZE; from += SIZE, len -= SIZE) {
		h.descriptor.id = records.next++;
		memcpy(raw_at(raw, from), &h, sizeof(h));
	}
}

/* As fill(), with records that must be in the log */
static void fill_wanted(const struct raw *raw, uint64_t from, uint32_t len)
{
	for (unsigned int i = 0; i < len / SIZE; i++)
		records.wanted[records.count++] = records.next + i;
	fill(raw, from, len);
}

/* The log has the wanted records, in their order, and no others */
static void check_record(const struct etl_event *e, void *context)
{
	const GUID id = provider_id(OTHER_PROVIDER);

	(void)context;
	if (memcmp(e->provider, &id, sizeof(id)))
		return;
	records.wrong += records.found >= records.count ||
			 e->id != records.wanted[records.found];
	records.found++;
}

/* Stop a session, whose log has the wanted records, with @lost events lost */
static void expect_log(struct __test_metadata *const _metadata,
		       TRACEHANDLE session, unsigned int lost)
{
	struct properties out;
	struct etl_scan scan;

	ASSERT_EQ(0, session_stop(session, &out));
	EXPECT_EQ(lost, out.p.EventsLost);
	EXPECT_TRUE(etl_scan("/tmp/ring_bounds.etl", &scan, check_record, NULL))
		TH_LOG("%s", scan.error);
	unlink("/tmp/ring_bounds.etl");
	EXPECT_EQ(records.count, records.found);
	EXPECT_EQ(0, records.wrong);
}

/* Whatever is beyond the ring, or before what was copied, it is full of records */
TEST_F(rings, a_position_beyond_the_ring_is_refused)
{
	static const uint64_t steps[] = {
		EVNTPROV_RING_SIZE + 8, EVNTPROV_RING_SIZE + SIZE,
		2 * EVNTPROV_RING_SIZE, 1ull << 32, (1ull << 32) + SIZE,
		1ull << 63, -8ull, -(uint64_t)SIZE,
	};
	const unsigned int count = sizeof(steps) / sizeof(*steps);
	TRACEHANDLE session = start_for("ring_bounds", 4096, OTHER_PROVIDER);
	struct raw raw;

	ASSERT_NE(0, session);
	ASSERT_TRUE(raw_open(&raw));
	for (unsigned int i = 0; i < count; i++) {
		fill_wanted(&raw, 0, SIZE);
		raw_commit(&raw, SIZE);
		EXPECT_EQ(0, raw_drain(&raw, raw.id));
		fill(&raw, 0, EVNTPROV_RING_SIZE);
		raw_commit(&raw, steps[i]);
		EXPECT_EQ(ENOBUFS, raw_drain(&raw, raw.id))
			TH_LOG("%#llx", (unsigned long long)steps[i]);
		EXPECT_EQ(raw.state->commit, raw.state->tail);
		EXPECT_EQ(i + 1, raw.state->lost);
	}
	/* A full ring is none of these */
	fill_wanted(&raw, 0, EVNTPROV_RING_SIZE);
	raw_commit(&raw, EVNTPROV_RING_SIZE);
	EXPECT_EQ(0, raw_drain(&raw, raw.id));
	EXPECT_EQ(raw.state->commit, raw.state->tail);
	raw_close(&raw);
	expect_log(_metadata, session, count);
}

/* A size, and how many bytes from the record on are claimed to be records */
static const struct attempt {
	uint16_t size;
	uint32_t claimed;
	bool is_good;
} attempts[] = {
	{ 80, 80, true }, { 81, 88, true }, { 144, 144, true },
	{ 2047, 2048, true }, { 2048, 2048, true },
	{ 0, 80 }, { 0, 16384 }, { 1, 8 }, { 8, 8 }, { 79, 80 }, { 79, 16384 },
	{ 2049, 2056 }, { 2056, 2056 }, { 4096, 4096 }, { 8192, 16384 },
	{ 0x8000, 16384 }, { 0xffff, 16384 },
	/* The end of the record is missing */
	{ 144, 80 }, { 144, 136 }, { 2048, 8 },
};

/* Records before one of another size are recorded, and those behind are lost */
TEST_F(rings, a_record_has_a_header_and_a_limited_size)
{
	TRACEHANDLE session = start_for("ring_bounds", 4096, OTHER_PROVIDER);
	unsigned int i, bad = 0;
	struct raw raw;

	ASSERT_NE(0, session);
	ASSERT_TRUE(raw_open(&raw));
	for (i = 0; i < sizeof(attempts) / sizeof(*attempts); i++) {
		const struct attempt *a = &attempts[i];
		struct etl_event_header h = raw_header(a->size);

		fill_wanted(&raw, 0, SIZE);
		fill(&raw, SIZE, a->claimed);
		h.descriptor.id = records.next++;
		if (a->is_good)
			records.wanted[records.count++] = h.descriptor.id;
		memcpy(raw_at(&raw, raw.state->commit + SIZE), &h, sizeof(h));
		raw_commit(&raw, SIZE + a->claimed);
		EXPECT_EQ(a->is_good ? 0 : ENOBUFS, raw_drain(&raw, raw.id))
			TH_LOG("%u of %u", a->size, a->claimed);
		EXPECT_EQ(raw.state->commit, raw.state->tail);
		bad += !a->is_good;
	}
	raw_close(&raw);
	expect_log(_metadata, session, bad);
}

/* Records without a registration of the ring's file are dropped, and not lost */
TEST_F(rings, a_handle_is_one_of_the_same_file)
{
	static const uint64_t handles[] = {
		0, 1, OWN | 1, OWN | 1ull << 32, 2 * OWN,
		EVNTPROV_MAX_SLOTS * EVNTPROV_SLOT_SIZE, UINT64_MAX,
	};
	TRACEHANDLE session = start_for("ring_bounds", 4096, OTHER_PROVIDER);
	struct raw raw, other;

	ASSERT_NE(0, session);
	ASSERT_TRUE(raw_open(&raw));
	ASSERT_TRUE(raw_open(&other));
	ASSERT_TRUE(raw_register(other.fd, 2 * OWN));
	for (unsigned int i = 0; i < sizeof(handles) / sizeof(*handles); i++) {
		struct etl_event_header h = raw_header(SIZE);

		memcpy(h.provider, &handles[i], sizeof(handles[i]));
		memcpy(raw_at(&raw, raw.state->commit), &h, sizeof(h));
		fill_wanted(&raw, SIZE, SIZE);
		raw_commit(&raw, 2 * SIZE);
		EXPECT_EQ(0, raw_drain(&raw, raw.id));
	}
	raw_close(&raw);
	raw_close(&other);
	expect_log(_metadata, session, 0);
}

/* Only the ring's own file has it copied, and gets to know what was lost */
TEST_F(rings, a_ring_is_drained_by_its_own_file)
{
	TRACEHANDLE session = start_for("ring_bounds", 4096, OTHER_PROVIDER);
	struct raw raw, other;

	ASSERT_NE(0, session);
	ASSERT_TRUE(raw_open(&raw));
	ASSERT_TRUE(raw_open(&other));
	fill_wanted(&raw, 0, SIZE);
	raw_commit(&raw, SIZE + 8);
	EXPECT_EQ(ENOENT, raw_drain(&other, raw.id));
	EXPECT_EQ(ENOBUFS, raw_drain(&raw, raw.id));
	EXPECT_EQ(0, raw_drain(&raw, raw.id));
	raw_commit(&raw, 8);
	EXPECT_EQ(ENOENT, raw_drain(&other, raw.id));
	EXPECT_EQ(ENOBUFS, raw_drain(&raw, raw.id));
	raw_close(&raw);
	raw_close(&other);
	expect_log(_metadata, session, 2);
}

/* An event whose header and padding had nothing but ones */
static struct {
	unsigned int count;
	int64_t time;
	pid_t pid, tid;
	uint16_t size, kind, flags;
	uint8_t record[88];
} ones;

static void keep_ones(const struct etl_event *e, void *context)
{
	const GUID id = provider_id(OTHER_PROVIDER);

	(void)context;
	if (memcmp(e->provider, &id, sizeof(id)))
		return;
	ones.count++;
	ones.time = e->time;
	ones.pid = e->pid;
	ones.tid = e->tid;
	ones.size = e->size;
	ones.kind = e->kind;
	ones.flags = e->flags;
	memcpy(ones.record, e->record, sizeof(ones.record));
}

TEST_F(rings, the_module_sets_the_fields_that_are_its_own)
{
	TRACEHANDLE session = start_for("ring_bounds", 4096, OTHER_PROVIDER);
	const uint64_t registration = OWN;
	struct etl_event_header h;
	const uint8_t zero[7] = { 0 };
	struct etl_scan scan;
	int64_t before;
	struct raw raw;
	uint8_t *at;

	ASSERT_NE(0, session);
	before = boot_ns();
	ASSERT_TRUE(raw_open(&raw));
	memset(&h, 0xff, sizeof(h));
	h.size = sizeof(h) + 1;
	h.flags = (uint16_t)~(EVNTPROV_RING_COUNTER | EVNTPROV_RING_ITEMS);
	memcpy(h.provider, &registration, sizeof(registration));
	at = raw_at(&raw, 0);
	memset(at, 0xff, SIZE);
	memcpy(at, &h, sizeof(h));
	raw_commit(&raw, 88);
	EXPECT_EQ(0, raw_drain(&raw, raw.id));
	raw_close(&raw);
	ASSERT_EQ(0, session_stop(session, NULL));
	ASSERT_TRUE(etl_scan("/tmp/ring_bounds.etl", &scan, keep_ones, NULL))
		TH_LOG("%s", scan.error);
	unlink("/tmp/ring_bounds.etl");
	EXPECT_EQ(1, ones.count);
	EXPECT_EQ(getpid(), ones.pid);
	EXPECT_EQ(syscall(SYS_gettid), ones.tid);
	EXPECT_EQ(sizeof(h) + 1, ones.size);
	EXPECT_EQ(0xc013, ones.kind);
	EXPECT_EQ(0, ones.flags);
	EXPECT_EQ(0, etl_u16(ones.record + 6));
	EXPECT_LE(before, ones.time);
	EXPECT_GE(boot_ns(), ones.time);
	/* The event's descriptor, the processor times, the activity, the data */
	EXPECT_EQ(0, memcmp(ones.record + 0x28, &h.descriptor, 16));
	EXPECT_NE(UINT32_MAX, etl_u32(ones.record + 0x38));
	EXPECT_NE(UINT32_MAX, etl_u32(ones.record + 0x3c));
	EXPECT_EQ(0, memcmp(ones.record + 0x40, h.activity, 16));
	EXPECT_EQ(0xff, ones.record[0x50]);
	EXPECT_EQ(0, memcmp(ones.record + 0x51, zero, sizeof(zero)));
}

TEST_HARNESS_MAIN
