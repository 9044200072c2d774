// SPDX-License-Identifier: MIT
/*
 * Unusual log files: packed, wrapped, damaged, in use.  Skipped contents are
 * counted, by kind, to the last byte.
 */
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "selftests/unit/common/etl_adds_up.h"
#include "lib/consume/trace_source.h"
#include "selftests/unit/common/etl_make.h"
#include "evntcons.h"
#include "selftests/unit/common/tap.h"
#include "lib/consume/trace.h"

#define SIZE	4096
#define EVENTS	64

static char path[32] = "/tmp/test_etl_files.XXXXXX";

static struct seen {
	ULONG code;
	unsigned int count;
	USHORT ids[EVENTS];
	LONGLONG times[EVENTS];
	EVENT_RECORD last;
	EVENT_HEADER_EXTENDED_DATA_ITEM items[4];
	uint64_t values[4];
	struct etl_counts counts;
	void (*meddle)(void);
} seen;

static void keep_items(const EVENT_RECORD *r)
{
	unsigned int i;

	for (i = 0; i < r->ExtendedDataCount && i < 4; i++) {
		seen.items[i] = r->ExtendedData[i];
		memcpy(&seen.values[i],
		       (void *)(uintptr_t)r->ExtendedData[i].DataPtr, 8);
	}
}

static VOID WINAPI on_event(PEVENT_RECORD r)
{
	if (seen.count < EVENTS) {
		seen.ids[seen.count] = r->EventHeader.EventDescriptor.Id;
		seen.times[seen.count] = r->EventHeader.TimeStamp.QuadPart;
	}
	seen.last = *r;
	keep_items(r);
	if (seen.count++ == 0 && seen.meddle)
		seen.meddle();
}

static void read_path(void (*meddle)(void))
{
	EVENT_TRACE_LOGFILEA l = {
		.LogFileName = path,
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
		.EventRecordCallback = on_event,
	};
	TRACEHANDLE h;

	memset(&seen, 0, sizeof(seen));
	seen.meddle = meddle;
	h = OpenTraceA(&l);
	if (h == INVALID_PROCESSTRACE_HANDLE) {
		seen.code = GetLastError();
		return;
	}
	seen.code = ProcessTrace(&h, 1, NULL, NULL);
	seen.counts = *trace_counts(h);
	CloseTrace(h);
}

static void read_made(struct etl_make *m)
{
	make_write(m, path);
	read_path(NULL);
}

/* Append an event with an id and a time */
static uint8_t *event(struct etl_make *m, unsigned int id, int64_t time)
{
	uint8_t *data = make_record(m, MAKE_EVENT64, time, 24);

	make_put(data - 0x28, id, 2);
	memset(data, id, 24);
	return data;
}

static void buffer(struct etl_make *m, unsigned int cpu, int sequence,
		   unsigned int id)
{
	make_buffer(m, cpu, sequence);
	event(m, id, 1000 * id);
	event(m, id + 1, 1000 * id + 1000);
	make_buffer_end(m);
}

/* Four buffers of one processor, two events in each: ids 1 to 8 */
static void make_four(struct etl_make *m)
{
	unsigned int i;

	make_begin(m, SIZE, true, "Session");
	for (i = 0; i < 4; i++)
		buffer(m, 0, i + 1, 2 * i + 1);
}

/* Whether exactly these ids followed the header, in this order */
static bool saw(const char *ids)
{
	unsigned int i;

	for (i = 0; ids[i]; i++) {
		if (seen.ids[i + 1] != ids[i] - '0')
			return false;
	}
	return !seen.code && seen.count == i + 1;
}

static bool adds_up(void)
{
	struct stat st;

	return !stat(path, &st) && etl_adds_up(&seen.counts, st.st_size);
}

static bool unread(enum etl_unread kind, uint64_t count, uint64_t bytes)
{
	const struct etl_event_counts *t = &seen.counts.unread[kind];

	return t->count == count && t->bytes == bytes;
}

static bool all_read(void)
{
	return !sum_bytes(seen.counts.unread, ETL_UNREADS) && adds_up();
}

static void test_whole(void)
{
	struct etl_make m;

	make_four(&m);
	read_made(&m);
	CHECK(saw("12345678") && all_read(), "a whole file");
	CHECK(seen.counts.records[0x13].count == 8 &&
	      seen.counts.records[0x02].count == 1,
	      "records are counted by kind");
	CHECK(seen.counts.buffers.count == 5 &&
	      seen.counts.buffers.bytes == 5 * SIZE, "buffers are counted");
	make_free(&m);
}

/* A circular file that has wrapped: the first buffers are the newest */
static void test_wrapped(void)
{
	struct etl_make m;

	make_begin(&m, SIZE, true, "Session");
	buffer(&m, 0, 103, 5);
	buffer(&m, 1, 104, 7);
	buffer(&m, 0, 101, 1);
	buffer(&m, 1, 102, 3);
	make_put(make_header(&m) + 0x20, EVENT_TRACE_FILE_MODE_CIRCULAR, 4);
	read_made(&m);
	CHECK(saw("12345678") && all_read(), "wrapped: oldest first");
	make_free(&m);
}

static void test_incomplete(void)
{
	struct etl_make m;

	make_four(&m);
	m.len -= 100;
	read_made(&m);
	CHECK(saw("12345678") && unread(ETL_UNREAD_CUT, 0, 0) && all_read(),
	      "cut behind the events of a buffer");
	m.len -= SIZE - 100 - ETL_BUFFER_HEADER_SIZE - 0x68 - 8;
	read_made(&m);
	CHECK(saw("1234567") && unread(ETL_UNREAD_CUT, 1, 0) &&
	      unread(ETL_UNREAD_BUFFER_REST, 1, 8) && adds_up(),
	      "cut in an event: up to the last whole event");
	m.len -= 8;
	read_made(&m);
	CHECK(saw("1234567") && unread(ETL_UNREAD_CUT, 1, 0) && all_read(),
	      "cut between events");
	m.len -= ETL_BUFFER_HEADER_SIZE + 0x68 - 40;
	read_made(&m);
	CHECK(saw("123456") && unread(ETL_UNREAD_CUT, 1, 40) && adds_up(),
	      "cut in a buffer's header");
	m.len -= 40;
	make_bytes(&m, 10 * SIZE + 10);
	read_made(&m);
	CHECK(saw("123456") && !sum_bytes(seen.counts.unread, ETL_UNREADS) &&
	      adds_up(), "preallocated: the zeroes are known to be unused");
	make_free(&m);
}

static void test_holes(void)
{
	struct etl_make m;

	make_four(&m);
	memset(m.data + 2 * SIZE, 0, SIZE);
	read_made(&m);
	CHECK(saw("125678") && adds_up() && seen.counts.unused.count == 5,
	      "a buffer that did not reach the disk");
	memset(m.data + 2 * SIZE, 0x5a, SIZE);
	read_made(&m);
	CHECK(saw("125678") && unread(ETL_UNREAD_JUNK, 1, SIZE) && adds_up(),
	      "junk in place of a buffer");
	memset(m.data, 0, SIZE);
	read_made(&m);
	CHECK(seen.code == ERROR_FILE_CORRUPT, "no header buffer");
	make_free(&m);
}

static void test_lost(void)
{
	struct etl_make m;

	make_four(&m);
	m.data[2 * SIZE + 0x34] |= 0x02;
	m.data[3 * SIZE + 0x34] |= 0x06;
	read_made(&m);
	CHECK(saw("12345678") && seen.counts.events_lost == 2 &&
	      seen.counts.buffers_lost == 1,
	      "losses recorded in buffers are summed");
	make_free(&m);
}

/* A processor index has eleven bits; without its flag, eight */
static void test_processors(void)
{
	struct etl_make m;

	make_begin(&m, SIZE, true, "Session");
	buffer(&m, 0x101, 1, 3);
	buffer(&m, 1, 2, 1);
	read_made(&m);
	CHECK(saw("1234") && seen.last.BufferContext.ProcessorIndex == 0x101,
	      "processors 1 and 257 are two streams");
	make_put(m.data + SIZE + 0x34, 0, 2);
	read_made(&m);
	CHECK(saw("3412") && seen.last.BufferContext.ProcessorIndex == 1,
	      "without the index flag a processor number has one byte");
	make_free(&m);
}

/* The latest time is in the third buffer of five */
static void test_written(void)
{
	static const int64_t times[] = { 2000, 5000, 9000, 7000, 3000 };
	struct trace_source *src = NULL;
	struct etl_make m;
	unsigned int i;

	make_four(&m);
	for (i = 0; i < 5; i++)
		make_put(m.data + i * SIZE + 0x10, times[i], 8);
	make_write(&m, path);
	CHECK(!etl_file_open(&src, path) &&
	      etl_file_written(src) == MAKE_START + 9000 - MAKE_BASE,
	      "a file was written last when its latest buffer was");
	if (src)
		src->ops->close(src);
	make_free(&m);
}

/* The end of the records is stored twice; either copy may be missing */
static void test_two_ends(void)
{
	struct etl_make m;
	uint8_t *b;

	make_four(&m);
	b = m.data + 4 * SIZE;
	make_put(b + 0x30, 0, 4);
	read_made(&m);
	CHECK(saw("12345678") && all_read(), "a buffer without Offset is read");
	make_put(b + 0x30, 0x48 + 2 * 0x68, 4);
	make_put(b + 0x04, 0, 4);
	read_made(&m);
	CHECK(saw("12345678") && all_read(),
	      "a buffer without SavedOffset is read");
	make_put(b + 0x04, 0x48 + 0x68, 4);
	read_made(&m);
	CHECK(saw("1234567") && unread(ETL_UNREAD_HIDDEN, 1, 0x68) &&
	      adds_up(), "SavedOffset counts, and what it hides is counted");
	make_free(&m);
}

/* The padding of the last record is missing, completely or in part */
static void test_cut_padding(void)
{
	struct etl_make m;
	unsigned int cut;

	for (cut = 1; cut <= 3; cut++) {
		make_begin(&m, SIZE, true, "Session");
		make_buffer(&m, 0, 1);
		event(&m, 1, 2000);
		make_record(&m, MAKE_EVENT64, 3000, 21)[-0x28] = 2;
		make_buffer_end(&m);
		make_put(make_head(&m) + 0x04, 0x48 + 0x68 + 0x68 - cut, 4);
		make_put(make_head(&m) + 0x08, 0x48 + 0x68 + 0x68 - cut, 4);
		make_put(make_head(&m) + 0x30, 0x48 + 0x68 + 0x68 - cut, 4);
		read_made(&m);
		CHECK(saw("12") && all_read(),
		      "padding without its last bytes is counted: %u", cut);
		make_free(&m);
	}
}

/*
 * Each of three processors has two events of the same time; their buffers are
 * in another order in the file.
 */
static void test_same_time(void)
{
	static const unsigned int cpus[] = { 2, 0, 1 };
	struct etl_make m;
	unsigned int i;

	make_begin(&m, SIZE, true, "Session");
	for (i = 0; i < 3; i++) {
		make_buffer(&m, cpus[i], 1);
		event(&m, 2 * cpus[i] + 1, 2000);
		event(&m, 2 * cpus[i] + 2, 2000);
		make_buffer_end(&m);
	}
	read_made(&m);
	CHECK(saw("123456"),
	      "events of one time are in the order of their processors");
	make_free(&m);
}

static void test_records(void)
{
	struct etl_make m;

	make_begin(&m, SIZE, true, "Session");
	make_buffer(&m, 0, 1);
	event(&m, 1, 2000);
	make_put(make_room(&m, 20), 0xc00d0000 | 20, 4);
	make_put(make_room(&m, 16), 0xb0000000 | 16, 4);
	event(&m, 2, 3000);
	make_put(make_room(&m, 64), 0x12340000 | 64, 4);
	make_buffer_end(&m);
	read_made(&m);
	CHECK(saw("12") && unread(ETL_UNREAD_RECORD, 2, 36) &&
	      seen.counts.records[0x0d].count == 1 &&
	      seen.counts.records[ETL_KIND_OTHER].count == 1,
	      "records of unknown kinds are stepped over");
	CHECK(unread(ETL_UNREAD_BUFFER_REST, 1, 64) && adds_up(),
	      "an invalid record ends its buffer");
	make_free(&m);
}

/* Put an item's header before its data */
static void item(uint8_t *p, unsigned int size, unsigned int type,
		 unsigned int more, unsigned int len)
{
	make_put(p, size, 2);
	make_put(p + 2, type, 2);
	make_put(p + 4, more, 2);
	make_put(p + 6, len, 2);
}

static void test_items(void)
{
	struct etl_make m;
	uint8_t *p;

	make_begin(&m, SIZE, true, "Session");
	make_buffer(&m, 0, 1);
	p = make_record(&m, MAKE_EVENT64, 2000, 80);
	p[-0x4c] = 1;
	item(p, 16, EVENT_HEADER_EXT_TYPE_EVENT_KEY, 1, 8);
	item(p + 16, 16, 0x99, 1, 5);
	item(p + 32, 200, EVENT_HEADER_EXT_TYPE_SID, 0, 100);
	make_buffer_end(&m);
	read_made(&m);
	CHECK(seen.last.ExtendedDataCount == 2 && !seen.last.UserDataLength &&
	      seen.items[0].ExtType == EVENT_HEADER_EXT_TYPE_EVENT_KEY &&
	      seen.items[0].Linkage && !seen.items[1].Linkage,
	      "items up to the one that is none");
	CHECK(seen.counts.items[EVENT_HEADER_EXT_TYPE_EVENT_KEY].count == 1 &&
	      seen.counts.items[ETL_ITEM_OTHER].bytes == 5 &&
	      unread(ETL_UNREAD_ITEMS, 1, 48), "all items are counted");
	make_free(&m);
}

/* As many items as fit in a record */
static void test_many_items(void)
{
	enum { MANY = 8100 };
	struct etl_make m;
	unsigned int i;
	uint8_t *p;

	make_begin(&m, 0x20000, true, "Session");
	make_buffer(&m, 0, 1);
	p = make_record(&m, MAKE_EVENT64, 2000, 8 * MANY);
	p[-0x4c] = 1;
	for (i = 0; i < MANY; i++)
		item(p + 8 * i, 8, 1, i < MANY - 1, 0);
	make_buffer_end(&m);
	read_made(&m);
	CHECK(seen.last.ExtendedDataCount == MANY &&
	      seen.counts.items[1].count == MANY, "%u items are shown", MANY);
	make_free(&m);
}

static void test_kernel(void)
{
	struct etl_make m;
	uint8_t *p;

	make_begin(&m, SIZE, true, "Session");
	make_buffer(&m, 0, 1);
	p = make_record(&m, MAKE_PERFINFO64, 2000, 40);
	make_put(p - 0x10, 0x8202, 2);
	make_put(p - 0x0a, 0x0f33, 2);
	make_put(p, 111, 8);
	make_put(p + 8, 222, 8);
	make_buffer_end(&m);
	read_made(&m);
	CHECK(seen.last.EventHeader.ProviderId.Data1 == 0xce1dbfb4 &&
	      seen.last.EventHeader.EventDescriptor.Opcode == 0x33 &&
	      seen.last.EventHeader.EventDescriptor.Version == 2,
	      "PERFINFO: the class of its group");
	CHECK(seen.last.ExtendedDataCount == 2 &&
	      seen.last.UserDataLength == 16 && seen.values[0] == 111 &&
	      seen.items[0].ExtType == EVENT_HEADER_EXT_TYPE_PEBS_INDEX &&
	      seen.items[1].ExtType == EVENT_HEADER_EXT_TYPE_PMC_COUNTERS &&
	      seen.items[1].DataSize == 16 && seen.values[1] == 222,
	      "PERFINFO: counters in front of its data");
	CHECK(seen.last.EventHeader.ThreadId == UINT32_MAX &&
	      seen.last.EventHeader.ProcessId == UINT32_MAX,
	      "PERFINFO: the thread and the process are unknown, not idle");
	make_free(&m);
	make_begin(&m, SIZE, false, "Session");
	make_buffer(&m, 0, 1);
	p = make_record(&m, MAKE_SYSTEM32, 2000, 4);
	make_put(p - 0x20, 3, 2);
	make_put(p - 0x1a, 0x030a, 2);
	make_put(p - 0x18, 11, 4);
	make_buffer_end(&m);
	read_made(&m);
	CHECK(seen.last.EventHeader.ProviderId.Data1 == 0x2cb15d1d &&
	      seen.last.EventHeader.ThreadId == 11 &&
	      seen.last.EventHeader.Flags & EVENT_HEADER_FLAG_32_BIT_HEADER,
	      "SYSTEM32: an old image load");
	make_free(&m);
}

static bool is_classic(size_t header)
{
	const EVENT_HEADER *h = &seen.last.EventHeader;
	bool has_ids = header > 0x30;

	return h->ThreadId == 11 && h->ProcessId == 22 &&
	       h->ProviderId.Data1 == 0x77 && h->EventDescriptor.Opcode == 5 &&
	       h->EventDescriptor.Level == 4 &&
	       h->EventDescriptor.Version == 3 && h->KernelTime == 33 &&
	       h->UserTime == 44 && seen.last.UserDataLength == 4 &&
	       seen.last.ExtendedDataCount == has_ids;
}

/* All numbers in the header differ */
static void test_classic(void)
{
	static const struct {
		const char *what;
		enum make_kind kind;
		size_t header;
	} kinds[] = {
		{ "FULL32", MAKE_FULL32, 0x30 },
		{ "FULL64", MAKE_FULL64, 0x30 },
		{ "INSTANCE32", MAKE_INSTANCE32, 0x48 },
		{ "INSTANCE64", MAKE_INSTANCE64, 0x48 },
	};
	struct etl_make m;
	uint8_t *p;
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		make_begin(&m, SIZE, true, "Session");
		make_buffer(&m, 0, 1);
		p = make_record(&m, kinds[i].kind, 2000, 4);
		make_class(p, kinds[i].header, 0x77, 5, 4, 3);
		make_buffer_end(&m);
		read_made(&m);
		CHECK(!seen.code && seen.count == 2 &&
		      is_classic(kinds[i].header),
		      "%s: thread, process, class and times", kinds[i].what);
		make_free(&m);
	}
}

/* A message with each optional field, and the fields of its EVENT_RECORD */
static void test_message(void)
{
	struct etl_make m;
	uint8_t *p;

	make_begin(&m, SIZE, true, "Session");
	make_buffer(&m, 0, 1);
	p = make_room(&m, 8 + 4 + 16 + 8 + 8 + 5);
	make_put(p, 0x90000000 | (8 + 4 + 16 + 8 + 8 + 5), 4);
	make_put(p + 4, 77, 2);
	make_put(p + 6, 0x6b, 2);
	make_put(p + 12, 0x1234, 4);
	make_put(p + 28, 5000, 8);
	make_put(p + 36, 11, 4);
	make_put(p + 40, 22, 4);
	make_buffer_end(&m);
	read_made(&m);
	CHECK(seen.last.EventHeader.EventDescriptor.Id == 77 &&
	      seen.last.EventHeader.ProviderId.Data1 == 0x1234 &&
	      seen.last.EventHeader.ThreadId == 11 &&
	      seen.last.EventHeader.ProcessId == 22 &&
	      seen.last.EventHeader.TimeStamp.QuadPart == MAKE_START + 4000 &&
	      seen.last.EventHeader.Flags ==
	      (EVENT_HEADER_FLAG_TRACE_MESSAGE |
	       EVENT_HEADER_FLAG_32_BIT_HEADER |
	       EVENT_HEADER_FLAG_PROCESSOR_INDEX) &&
	      seen.last.UserDataLength == 5, "MESSAGE: all of its fields");
	make_free(&m);
}

/* Both flags are set, but the four bytes are a component and not a GUID */
static void test_message_of_component(void)
{
	static const GUID none;
	struct etl_make m;
	uint8_t *p;

	make_begin(&m, SIZE, true, "Session");
	make_buffer(&m, 0, 1);
	p = make_room(&m, 8 + 4 + 4 + 8 + 8 + 5);
	make_put(p, 0x90000000 | (8 + 4 + 4 + 8 + 8 + 5), 4);
	make_put(p + 4, 77, 2);
	make_put(p + 6, 0x6f, 2);
	make_put(p + 12, 0x1234, 4);
	make_put(p + 16, 5000, 8);
	make_put(p + 24, 11, 4);
	make_put(p + 28, 22, 4);
	make_buffer_end(&m);
	read_made(&m);
	CHECK(seen.last.EventHeader.EventDescriptor.Id == 77 &&
	      !memcmp(&seen.last.EventHeader.ProviderId, &none, sizeof(none)) &&
	      seen.last.EventHeader.ThreadId == 11 &&
	      seen.last.EventHeader.ProcessId == 22 &&
	      seen.last.EventHeader.TimeStamp.QuadPart == MAKE_START + 4000 &&
	      seen.last.UserDataLength == 5,
	      "MESSAGE: a component takes the place of the GUID");
	make_free(&m);
}

/* The backup file of a real-time session */
static void test_backup(void)
{
	struct etl_make m;
	uint8_t *h;

	make_four(&m);
	h = m.data + 3 * SIZE;
	h[0x28] = 1;
	h[0x34] |= 0x10;
	make_put(h + 0x38, MAKE_START + 50000, 8);
	make_put(h + 0x40, 5000, 8);
	read_made(&m);
	CHECK(saw("12347856") && seen.times[7] == MAKE_START + 50000 &&
	      seen.times[8] == MAKE_START + 51000,
	      "a buffer with its own reference of time");
	make_free(&m);
}

static void make_packed(struct etl_make *m, uint8_t method)
{
	unsigned int i;

	make_begin(m, 0x10000, true, "Session");
	make_put(make_header(m) + 0x20, EVENT_TRACE_COMPRESSED_MODE, 4);
	m->len = 0x200;
	make_put(m->data, 0x200, 4);
	m->data[0x2c] = method;
	for (i = 0; i < 4; i++) {
		make_buffer(m, i % 2, i + 1);
		event(m, 2 * i + 1, 2000 * i + 2000);
		event(m, 2 * i + 2, 2000 * i + 3000);
		make_buffer_end_packed(m);
	}
}

static size_t packed_size(const uint8_t *p)
{
	return p[0] | p[1] << 8;
}

static void test_packed(void)
{
	struct etl_make m;
	uint8_t *b;

	for (uint8_t method = 2; method <= 4; method++) {
		make_packed(&m, method);
		read_made(&m);
		CHECK(saw("12345678") && seen.counts.packed.count == 4 &&
		      !seen.counts.unread[ETL_UNREAD_PACKED].count,
		      "buffers packed by method %u", method);
		make_free(&m);
	}
	make_packed(&m, 3);
	read_made(&m);
	CHECK(saw("12345678") && seen.counts.packed.count == 4 &&
	      seen.counts.packed.bytes == m.len - 0x200,
	      "packed buffers among others");
	CHECK(seen.last.UserDataLength == 24 && seen.counts.buffers.bytes ==
	      0x200 + 4 * (0x48 + 2 * 0x68),
	      "packed records are read like others");
	m.data[0x2c] = 5;
	read_made(&m);
	CHECK(saw("") && unread(ETL_UNREAD_PACKED, 4, m.len - 0x200),
	      "packed by another method");
	m.data[0x2c] = 3;
	b = m.data + 0x200;
	memset(b + 0x48, 0xff, 8);
	read_made(&m);
	CHECK(saw("345678") && unread(ETL_UNREAD_PACKED, 1, packed_size(b)),
	      "packed, and damaged");
	make_free(&m);
}

/* Reference: the same without a reciprocal */
static s64 slow_time(const struct etl_logfile_header *h, s64 base, s64 raw)
{
	__int128 time = (__int128)raw - base;

	if (h->clock_type == ETL_CLOCK_CYCLES)
		time = h->cpu_mhz ? time * 10 / h->cpu_mhz : 0;
	else
		time = h->frequency > 0 ? time * 10000000 / h->frequency : 0;
	time += h->start_time;
	if (time > INT64_MAX)
		return INT64_MAX;
	return time < INT64_MIN ? INT64_MIN : (s64)time;
}

static s64 any_number(void)
{
	static const s64 values[] = {
		0, 1, -1, 3, 10, 1000, 3000, 10000000, 1000000000, 1818300,
		INT64_MAX, INT64_MIN, INT64_MAX - 1, MAKE_START,
	};
	s64 number = values[rand() % 14];

	if (rand() % 2)
		number = ((s64)rand() << 32 | rand()) >> rand() % 48;
	return rand() % 2 ? number : (s64)((u64)number + rand() % 100);
}

static void test_clocks(void)
{
	struct etl_logfile_header h = {};
	unsigned int i, wrong = 0;
	struct etl_clock c;
	s64 base, raw;

	srand(1);
	for (i = 0; i < 1000000; i++) {
		h.clock_type = rand() % 2 ? 1 : ETL_CLOCK_CYCLES;
		h.cpu_mhz = any_number();
		h.frequency = any_number();
		h.start_time = any_number();
		base = any_number();
		raw = any_number();
		etl_clock_set(&c, &h, base);
		wrong += etl_clock_time(&c, raw) != slow_time(&h, base, raw);
	}
	CHECK(!wrong, "a million time stamps of all clocks: %u wrong", wrong);
	h.clock_type = ETL_CLOCK_SYSTEM;
	etl_clock_set(&c, &h, 1234);
	CHECK(etl_clock_time(&c, MAKE_START) == MAKE_START &&
	      etl_clock_time(&c, INT64_MIN) == INT64_MIN &&
	      etl_clock_time(&c, INT64_MAX) == INT64_MAX,
	      "a clock of times of day");
}

/* Reference: slow_time() in nanoseconds since 1970 */
static s64 slow_unix(const struct etl_logfile_header *h, s64 base, s64 raw)
{
	__int128 time = (__int128)raw - base;

	time = time * 1000000000 / h->frequency;
	return time + (h->start_time - ETL_FILETIME_EPOCH) * 100;
}

static void test_unix_clocks(void)
{
	static const s64 frequencies[] = { 10000000, 1000000000, 1818300 };
	struct etl_logfile_header h = { .start_time = MAKE_START };
	unsigned int i, wrong = 0;
	struct etl_clock c;
	s64 raw;

	for (i = 0; i < 30000; i++) {
		h.clock_type = 1;
		h.frequency = frequencies[i % 3];
		raw = (s64)rand() * (rand() % 1000);
		etl_clock_set(&c, &h, 5000);
		etl_clock_to_unix(&c);
		wrong += etl_clock_time(&c, raw) != slow_unix(&h, 5000, raw);
	}
	CHECK(!wrong, "clocks in nanoseconds since 1970: %u wrong", wrong);
	etl_clock_move(&c, 7000, MAKE_START + 3);
	CHECK(etl_clock_time(&c, 7000) ==
	      (MAKE_START + 3 - ETL_FILETIME_EPOCH) * 100,
	      "other times of the clock are converted");
	h.clock_type = ETL_CLOCK_SYSTEM;
	etl_clock_set(&c, &h, 1234);
	etl_clock_to_unix(&c);
	CHECK(etl_clock_time(&c, MAKE_START) ==
	      (MAKE_START - ETL_FILETIME_EPOCH) * 100 &&
	      etl_clock_time(&c, INT64_MIN) == INT64_MIN &&
	      etl_clock_time(&c, INT64_MAX) == INT64_MAX,
	      "a clock of times of day in nanoseconds");
}

static long peak_kib(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

/* Small packed buffers that claim a large size */
static void test_bombs(void)
{
	static const uint8_t bomb[] = {
		0, 0, 0, 0x40, 'a', 7, 0, 15, 255, 0, 0, 0, 0, 0, 0x04,
	};
	long before = peak_kib();
	struct etl_make m;
	unsigned int i;
	uint8_t *h;

	make_packed(&m, 3);
	for (i = 0; i < 2000; i++) {
		h = make_buffer(&m, i, i + 10);
		h[0x34] |= 0x40;
		make_put(h, 0x48 + sizeof(bomb), 4);
		make_put(h + 4, 60 * 1024 * 1024, 4);
		memcpy(make_bytes(&m, sizeof(bomb)), bomb, sizeof(bomb));
	}
	read_made(&m);
	CHECK(saw("12345678") && unread(ETL_UNREAD_PACKED, 2000,
					2000 * (0x48 + sizeof(bomb))),
	      "impossibly compressed buffers are refused");
	CHECK(peak_kib() - before < 64 * 1024, "memory is bounded");
	make_free(&m);
}

#define LARGEST		(64u * 1024 * 1024)
#define SPARSE		40u

/* Write only the beginnings of buffers, each of another processor */
static bool write_sparse(void)
{
	int fd = open(path, O_RDWR | O_TRUNC);
	struct etl_make m;
	unsigned int i;
	bool ok;

	make_begin(&m, SIZE, true, "Session");
	ok = write(fd, m.data, m.len) == (ssize_t)m.len;
	for (i = 0; i < SPARSE; i++) {
		size_t begin = m.len;

		make_buffer(&m, i, 1);
		event(&m, i, 2000 + i);
		make_buffer_end(&m);
		make_put(m.data + begin, LARGEST, 4);
		ok = ok && pwrite(fd, m.data + begin, SIZE,
				  SIZE + (off_t)i * LARGEST) == SIZE;
	}
	ok = ok && !ftruncate(fd, SIZE + (off_t)SPARSE * LARGEST);
	make_free(&m);
	close(fd);
	return ok;
}

static void test_sparse(void)
{
	long before = peak_kib();

	if (!write_sparse()) {
		SKIP("a large file cannot be made here: %s", strerror(errno));
		return;
	}
	read_path(NULL);
	CHECK(!seen.code && seen.count == 1 + SPARSE,
	      "a file of %u MiB, of which little was written", SPARSE * 64);
	CHECK(peak_kib() - before < 64 * 1024,
	      "memory is bounded by what was written: %ld KiB",
	      peak_kib() - before);
}

/* Minimal buffers, followed by a hole in the file */
static void test_large_hole(void)
{
	struct etl_make m;

	make_begin(&m, 0x10000, true, "Session");
	m.len = 0x200;
	make_put(m.data, 0x200, 4);
	make_write(&m, path);
	make_free(&m);
	if (truncate(path, 1ll << 42)) {
		SKIP("a file of 4 TiB cannot be made here: %s",
		     strerror(errno));
		return;
	}
	read_path(NULL);
	CHECK(!seen.code && seen.count == 1,
	      "the end of a file of 4 TiB is reached");
}

#define LARGEST_PACKED	(LARGEST / 4096)

/*
 * Two buffers of a processor: the first has the maximum size and is damaged,
 * the second has an event.  The memory of both stays allocated but hardly used.
 */
static void make_large(struct etl_make *m, unsigned int cpu)
{
	uint8_t *h = make_buffer(m, cpu, 1);

	h[0x34] |= 0x40;
	make_put(h, LARGEST_PACKED, 4);
	make_put(h + 4, LARGEST, 4);
	memset(make_bytes(m, LARGEST_PACKED - 0x48), 0xff,
	       LARGEST_PACKED - 0x48);
	make_buffer(m, cpu, 2);
	event(m, 1, 2000 + cpu);
	make_buffer_end_packed(m);
}

/* Sixteen times 64 MiB is a GiB, which is the limit */
static void test_memory(void)
{
	struct etl_make m;
	unsigned int i;

	make_begin(&m, 0x10000, true, "Session");
	m.len = 0x200;
	make_put(m.data, 0x200, 4);
	for (i = 0; i < 16; i++)
		make_large(&m, i);
	read_made(&m);
	CHECK(!seen.code && seen.count == 1 + 16 &&
	      unread(ETL_UNREAD_PACKED, 16, 16 * LARGEST_PACKED),
	      "packed buffers of 1 GiB are read at once");
	make_large(&m, 16);
	read_made(&m);
	CHECK(seen.code == ERROR_NOT_ENOUGH_MEMORY,
	      "ERROR_NOT_ENOUGH_MEMORY: packed buffers of more than 1 GiB");
	make_free(&m);
}

/* Called once, when the buffer at 3 * SIZE has been read */
static void (*after_read)(void);

/* Replaces the C library's function, as the reader has no other hook */
ssize_t pread(int fd, void *to, size_t len, off_t at)
{
	ssize_t done = syscall(SYS_pread64, fd, to, len, at);
	void (*meddle)(void) = after_read;

	if (meddle && len == SIZE && at == 3 * SIZE) {
		after_read = NULL;
		meddle();
	}
	return done;
}

static void overwrite(void)
{
	uint8_t h[0x48] = { 0 };
	int fd = open(path, O_RDWR);

	make_put(h, SIZE, 4);
	make_put(h + 0x18, 99, 8);
	if (pwrite(fd, h, sizeof(h), 3 * SIZE) < 0)
		abort();
	close(fd);
}

static void cut(void)
{
	if (truncate(path, 3 * SIZE + 10))
		abort();
}

static void empty(void)
{
	if (truncate(path, 0))
		abort();
}

/* Changes of a file while it is read, after its header was delivered */
static void test_in_use(void)
{
	struct etl_make m;

	make_four(&m);
	make_write(&m, path);
	read_path(overwrite);
	CHECK(saw("123478") && unread(ETL_UNREAD_CHANGED, 1, SIZE),
	      "a buffer that is overwritten meanwhile");
	make_write(&m, path);
	after_read = overwrite;
	read_path(NULL);
	CHECK(!after_read && saw("123478") &&
	      unread(ETL_UNREAD_CHANGED, 1, SIZE),
	      "a buffer that is overwritten right after it was read");
	make_write(&m, path);
	read_path(cut);
	CHECK(saw("1234") && unread(ETL_UNREAD_CHANGED, 2, 2 * SIZE),
	      "a file that is cut off meanwhile");
	make_write(&m, path);
	read_path(empty);
	/* The first buffer after the header may have been read already */
	CHECK(!seen.code && seen.count <= 3 &&
	      seen.counts.unread[ETL_UNREAD_CHANGED].count >= 3,
	      "a file that is emptied meanwhile");
	make_free(&m);
}

int main(void)
{
	int fd = mkstemp(path);

	test_whole();
	test_wrapped();
	test_incomplete();
	test_holes();
	test_lost();
	test_processors();
	test_written();
	test_two_ends();
	test_cut_padding();
	test_same_time();
	test_records();
	test_items();
	test_many_items();
	test_kernel();
	test_classic();
	test_message();
	test_message_of_component();
	test_backup();
	test_packed();
	test_sparse();
	test_large_hole();
	test_bombs();
	test_memory();
	test_clocks();
	test_unix_clocks();
	test_in_use();
	close(fd);
	unlink(path);
	return tap_end();
}
