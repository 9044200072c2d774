// SPDX-License-Identifier: MIT
/* Several log files merged into one: clocks, processors, losses. */
#include <fcntl.h>
#include <unistd.h>

#include "lib/base/internal.h"
#include "tools/merge/merge_logs.c"
#include "tools/common/progress.c"
#include "lib/consume/trace_source.h"
#include "selftests/unit/common/etl_make.h"
#include "selftests/unit/common/tap.h"

#define EVENTS	16

static enum pack_method packing;

static char paths[3][64];

static struct seen {
	unsigned int count;
	LONGLONG times[EVENTS];
	USHORT ids[EVENTS];
	ULONG cpus[EVENTS];
	TRACE_LOGFILE_HEADER header;
	char session;
} seen;

static VOID WINAPI on_event(PEVENT_RECORD r)
{
	if (seen.count == EVENTS)
		return;
	seen.times[seen.count] = r->EventHeader.TimeStamp.QuadPart;
	seen.ids[seen.count] = r->EventHeader.EventDescriptor.Id;
	seen.cpus[seen.count++] = GetEventProcessorIndex(r);
}

static void read_merged(ULONG mode)
{
	EVENT_TRACE_LOGFILEA l = {
		.LogFileName = paths[2],
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD | mode,
		.EventRecordCallback = on_event,
	};
	TRACEHANDLE h = OpenTraceA(&l);

	memset(&seen, 0, sizeof(seen));
	seen.header = l.LogfileHeader;
	seen.session = l.LogfileHeader.LoggerName[0];
	if (ProcessTrace(&h, 1, NULL, NULL) || CloseTrace(h))
		abort();
}

static void event(struct etl_make *m, unsigned int cpu, unsigned int id,
		  int64_t time)
{
	uint8_t *data;

	make_buffer(m, cpu, id);
	data = make_record(m, MAKE_EVENT64, time, 8);
	make_put(data - 0x28, id, 2);
	make_buffer_end(m);
}

/* Two files of a second each; the later one comes first */
static void make_two(struct etl_make m[2])
{
	make_begin(&m[0], 4096, true, "Late");
	event(&m[0], 5, 2, 3000);
	event(&m[0], 6, 4, 5000);
	make_put(make_header(&m[0]) + 0x30, 7, 4);
	make_put(make_header(&m[0]) + 0xf8 + 0x1c, 2, 4);
	make_put(make_header(&m[0]) + 0x0c, 8, 4);
	make_put(make_header(&m[0]) + 0x10, MAKE_START + 9000, 8);
	make_begin(&m[1], 4096, false, "Early");
	event(&m[1], 1, 1, 2000);
	event(&m[1], 1, 3, 4000);
	make_put(make_header(&m[1]) + 0x30, 5, 4);
}

static int merge(struct etl_make m[2])
{
	static const WCHAR name[] = { 'o', 'u', 't', 0 };
	struct merging *merging = calloc(1, sizeof(*merging));
	struct trace_source *sources[2];
	unsigned int i;
	int error;

	merging->in.sources = sources;
	for (i = 0; i < 2; i++) {
		make_write(&m[i], paths[i]);
		make_free(&m[i]);
		if (etl_file_open(&sources[i], paths[i]))
			abort();
	}
	merging->in.source_count = 2;
	merging->out.method = packing;
	merging->out.fd = open(paths[2], O_RDWR | O_CREAT | O_TRUNC, 0600);
	error = relog_have_same_units(sources, 2) ?
		merge_logs(merging, name) : -1;
	for (i = 0; i < 2; i++)
		sources[i]->ops->close(sources[i]);
	close(merging->out.fd);
	free(merging);
	return error;
}

/* The header's event, then ids 1 to 4, from these processors */
static bool in_order(void)
{
	static const ULONG cpus[] = { 0, 1, 5, 1, 6 };
	unsigned int i;

	for (i = 0; i < 5; i++) {
		if (seen.ids[i] != i || seen.cpus[i] != cpus[i])
			return false;
	}
	return seen.count == 5;
}

/* Processors that differ in more than eleven bits */
static void test_many_processors(void)
{
	/* Static: clang-tidy takes a merged file for one that is lost */
	static struct etl_make m[2];

	make_begin(&m[0], 4096, true, "Many");
	event(&m[0], 5, 1, 3000);
	event(&m[0], 5 + 2048, 2, 2000);
	event(&m[0], UINT16_MAX - 1, 3, 4000);
	make_begin(&m[1], 4096, true, "Few");
	CHECK(!merge(m), "a file of many processors is merged");
	read_merged(PROCESS_TRACE_MODE_RAW_TIMESTAMP);
	CHECK(seen.count == 4 && seen.ids[1] == 2 && seen.ids[2] == 1 &&
	      seen.ids[3] == 3,
	      "each of many processors has a stream of its own");
	CHECK(seen.cpus[1] == 5 + 2048 && seen.cpus[2] == 5 &&
	      seen.cpus[3] == UINT16_MAX - 1 &&
	      seen.header.NumberOfProcessors == UINT16_MAX,
	      "processor numbers of 16 bits are kept");
}

static void test_same_clock(void)
{
	struct etl_make m[2];

	make_two(m);
	CHECK(!merge(m), "files of one clock are merged");
	read_merged(PROCESS_TRACE_MODE_RAW_TIMESTAMP);
	CHECK(in_order() && seen.times[0] == MAKE_BASE &&
	      seen.times[1] == 2000 && seen.times[4] == 5000,
	      "time stamps stay as they were");
	CHECK(seen.header.EventsLost == 12 && seen.header.BuffersLost == 2,
	      "losses are summed");
	CHECK(seen.header.NumberOfProcessors == 8 &&
	      seen.header.PointerSize == 8,
	      "the merged header has the maximum number of processors");
	CHECK(seen.header.StartTime.QuadPart == MAKE_START &&
	      seen.header.EndTime.QuadPart == MAKE_START + 9000,
	      "the merged header covers all times");
	CHECK(seen.header.LogFileMode == (EVENT_TRACE_FILE_MODE_SEQUENTIAL |
					  EVENT_TRACE_RELOG_MODE) &&
	      seen.header.BuffersWritten == 4 && seen.session == 'L',
	      "the other members of the merged header are correct");
	read_merged(0);
	CHECK(in_order() && seen.times[1] == MAKE_START + 1000,
	      "the times of day are not changed");
}

static void test_clocks(void)
{
	struct etl_make m[2];

	make_two(m);
	/* 1 GHz, set half a second earlier; its tick 2000 is 1900 ns later */
	make_clock(&m[1], 1, 1000000000);
	make_put(make_header(&m[1]) + 0xf0 + 0x10, MAKE_START - 5000000, 8);
	make_put(m[1].data + 0x48 + 0x10, 100, 8);
	CHECK(!merge(m), "files of two clocks are merged");
	read_merged(0);
	CHECK(seen.count == 5 && seen.times[1] == MAKE_START - 5000000 + 19 &&
	      seen.ids[1] == 1 && seen.ids[2] == 3 &&
	      seen.times[2] == MAKE_START - 5000000 + 39 &&
	      seen.times[3] == MAKE_START + 2000 && seen.ids[4] == 4,
	      "times of day are what they were");
	CHECK(seen.header.ReservedFlags == 2 && seen.session == 'E' &&
	      seen.header.StartTime.QuadPart == MAKE_START - 5000000,
	      "the clock is one of times of day, from the first on");
}

static void test_system_time(void)
{
	struct etl_make m[2];
	unsigned int i;

	make_two(m);
	for (i = 0; i < 2; i++)
		make_clock(&m[i], 2, 10000000);
	CHECK(!merge(m), "files that count times of day are merged");
	read_merged(0);
	CHECK(in_order() && seen.times[1] == 2000 && seen.times[4] == 5000,
	      "times are not changed");
}

static void test_own_reference(void)
{
	struct etl_make m[2];
	uint8_t *h;

	make_two(m);
	h = m[1].data + 2 * 4096;
	h[0x34] |= 0x10;
	make_put(h + 0x38, MAKE_START + 50000, 8);
	make_put(h + 0x40, 3000, 8);
	CHECK(!merge(m), "a file with a reference of its own is merged");
	read_merged(0);
	CHECK(seen.count == 5 && seen.ids[4] == 3 &&
	      seen.times[4] == MAKE_START + 51000,
	      "times are converted by the log's own reference");
	read_merged(PROCESS_TRACE_MODE_RAW_TIMESTAMP);
	CHECK(seen.times[4] == MAKE_BASE + 51000, "into the clock of all");
}

static void test_units(void)
{
	struct etl_make m[2];

	make_two(m);
	make_put(make_header(&m[0]) + 0x18, 156250, 4);
	make_put(make_header(&m[1]) + 0x18, 156001, 4);
	CHECK(!merge(m), "processor time: ticks that are as good as equal");
	make_two(m);
	make_put(make_header(&m[0]) + 0x18, 156250, 4);
	make_put(make_header(&m[1]) + 0x18, 100000, 4);
	CHECK(merge(m) == -1, "processor time: other ticks");
}

static void test_packed(void)
{
	static const enum pack_method methods[] = {
		PACK_XPRESS, PACK_LZNT1, PACK_HUFFMAN,
	};
	static struct etl_make m[2];

	for (size_t i = 0; i < EVNT_ARRAY_SIZE(methods); i++) {
		packing = methods[i];
		make_two(m);
		CHECK(!merge(m), "packed by method %u", packing);
		read_merged(0);
		CHECK(in_order(), "method %u: events are in order", packing);
		CHECK(seen.header.LogFileMode & EVENT_TRACE_COMPRESSED_MODE &&
		      seen.header.BuffersWritten == 4,
		      "method %u: the header states it", packing);
	}
	packing = PACK_NONE;
}

int main(void)
{
	char folder[] = "/tmp/test_merge.XXXXXX";
	unsigned int i;

	if (!mkdtemp(folder))
		return 1;
	for (i = 0; i < 3; i++)
		snprintf(paths[i], sizeof(paths[i]), "%s/%u.etl", folder, i);
	test_many_processors();
	test_same_clock();
	test_clocks();
	test_system_time();
	test_own_reference();
	test_units();
	test_packed();
	for (i = 0; i < 3; i++)
		unlink(paths[i]);
	rmdir(folder);
	return tap_end();
}
