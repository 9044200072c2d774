// SPDX-License-Identifier: MIT
/*
 * The reader of log files: real and hostile ones.
 *
 * Real files are those in $EVNT_DATA/etl, if any.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "evntcons.h"
#include "selftests/unit/common/tap.h"

struct seen {
	unsigned long events;
	unsigned long items;
	unsigned long long sum;
	LONGLONG last;
	unsigned long disorder;
	unsigned long buffers;
};

/* Touch all memory of an event: the sanitizer detects bad bounds */
static void WINAPI see(PEVENT_RECORD r)
{
	struct seen *s = r->UserContext;
	const BYTE *p;
	ULONG i, n;

	/* The header comes first, whatever times the events have */
	if (s->events++) {
		s->disorder += r->EventHeader.TimeStamp.QuadPart < s->last;
		s->last = r->EventHeader.TimeStamp.QuadPart;
	}
	for (n = 0; n < r->ExtendedDataCount; n++) {
		s->items++;
		p = (const BYTE *)(uintptr_t)r->ExtendedData[n].DataPtr;
		for (i = 0; i < r->ExtendedData[n].DataSize; i++)
			s->sum += p[i];
	}
	p = r->UserData;
	for (i = 0; i < r->UserDataLength; i++)
		s->sum += p[i];
}

static ULONG WINAPI buffer(PEVENT_TRACE_LOGFILEA l)
{
	((struct seen *)l->Context)->buffers++;
	return TRUE;
}

static ULONG read_file(char *path, struct seen *s)
{
	EVENT_TRACE_LOGFILEA l = {
		.LogFileName = path,
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
		.EventRecordCallback = see,
		.BufferCallback = buffer,
		.Context = s,
	};
	TRACEHANDLE h;
	ULONG code;

	memset(s, 0, sizeof(*s));
	h = OpenTraceA(&l);
	if (h == INVALID_PROCESSTRACE_HANDLE)
		return GetLastError();
	code = ProcessTrace(&h, 1, NULL, NULL);
	CloseTrace(h);
	return code;
}

static const struct {
	const char *name;
	unsigned long events;
	unsigned long items;
} samples[] = {
	{ "HTTP_Server.etl", 2042, 291 },
	{ "AMSITrace.etl", 21, 38 },
	{ "lxcore_kernel.etl", 4, 4 },
	{ "powershell.etl", 114, 0 },
	{ "PerfViewData.clrRundown.etl", 112, 0 },
	{ "PerfViewData.etl", 71, 0 },
	{ "primitive-types.etl", 7, 10 },
	{ "SelfDescribingSingleEvent.etl", 22, 2 },
	{ "net.4.5.2.x86.etl", 168298, 1073 },
	{ "image_data_32_v2.etl", 27, 0 },
	{ "process_data_32_v3.etl", 9, 0 },
	/* Counts include an item in the record's own header */
	{ "synthetic-alltypes32.etl", 10, 15 },
	{ "synthetic-alltypes64.etl", 10, 15 },
	{ "synthetic-mini.etl", 3, 4 },
	{ "synthetic-wpp.etl", 4, 3 },
};

static void test_samples(void)
{
	char path[4096];
	struct seen s;
	ULONG code;
	size_t i;

	for (i = 0; i < sizeof(samples) / sizeof(*samples); i++) {
		snprintf(path, sizeof(path), "%s/etl/%s", data_folder(),
			 samples[i].name);
		if (access(path, R_OK)) {
			SKIP("%s is not here", samples[i].name);
			continue;
		}
		code = read_file(path, &s);
		CHECK(!code && s.events == samples[i].events &&
		      s.items == samples[i].items && s.buffers,
		      "%s: code %u, %lu events, %lu items", samples[i].name,
		      code, s.events, s.items);
		CHECK(!s.disorder, "%s: oldest first", samples[i].name);
	}
}

/* Counts of records by what a consumer sees of them */
struct kinds {
	unsigned int modern, classic, message, with_items, headers;
	unsigned int wide, narrow, related, instance;
};

static void count_kind(PEVENT_RECORD r)
{
	struct kinds *k = r->UserContext;
	USHORT flags = r->EventHeader.Flags;

	k->classic += !!(flags & EVENT_HEADER_FLAG_CLASSIC_HEADER);
	k->message += !!(flags & EVENT_HEADER_FLAG_TRACE_MESSAGE);
	k->modern += !(flags & (EVENT_HEADER_FLAG_CLASSIC_HEADER |
				EVENT_HEADER_FLAG_TRACE_MESSAGE));
	k->with_items += !!(flags & EVENT_HEADER_FLAG_EXTENDED_INFO);
	k->wide += !!(flags & EVENT_HEADER_FLAG_64_BIT_HEADER);
	k->narrow += !!(flags & EVENT_HEADER_FLAG_32_BIT_HEADER);
	k->headers += r->EventHeader.ProviderId.Data1 == 0x68fdd900 &&
		      !r->EventHeader.EventDescriptor.Opcode;
}

static void WINAPI see_kind(PEVENT_RECORD r)
{
	struct kinds *k = r->UserContext;
	USHORT i;

	count_kind(r);
	for (i = 0; i < r->ExtendedDataCount; i++) {
		k->related += r->ExtendedData[i].ExtType ==
			      EVENT_HEADER_EXT_TYPE_RELATED_ACTIVITYID;
		k->instance += r->ExtendedData[i].ExtType ==
			       EVENT_HEADER_EXT_TYPE_INSTANCE_INFO;
	}
}

static void test_kinds(const char *name, bool wide)
{
	struct kinds k = {};
	char path[4096];
	EVENT_TRACE_LOGFILEA l = {
		.LogFileName = path,
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
		.EventRecordCallback = see_kind,
		.Context = &k,
	};
	TRACEHANDLE h;

	snprintf(path, sizeof(path), "%s/etl/%s", data_folder(), name);
	if (access(path, R_OK)) {
		SKIP("%s is not here", name);
		return;
	}
	h = OpenTraceA(&l);
	CHECK(!ProcessTrace(&h, 1, NULL, NULL), "%s is read", name);
	CloseTrace(h);
	CHECK(k.modern == 3 && k.classic == 6 && k.message == 1,
	      "%s: each record has its kind", name);
	CHECK(k.headers == 1 && k.related == 1 && k.instance == 2,
	      "%s: one header, and the items by type", name);
	/* A message has flags for its pointer size; this one lacks them */
	CHECK(wide ? k.wide == 10 : k.narrow == 9 && k.wide == 1,
	      "%s: size of pointers", name);
}

/* A generated file: the header and one event with an item, byte by byte */
#define SIZE	4096

static void put(BYTE *p, unsigned long long value, int bytes)
{
	while (bytes--) {
		*p++ = value;
		value >>= 8;
	}
}

static void put_buffer(BYTE *b, unsigned int used, int type, int sequence)
{
	put(b, SIZE, 4);
	put(b + 4, used, 4);
	put(b + 8, used, 4);
	put(b + 0x18, sequence, 8);
	put(b + 0x2c, 3, 4);
	put(b + 0x30, used, 4);
	put(b + 0x34, 0x20, 2);
	put(b + 0x36, type, 2);
	memset(b + used, 0xff, SIZE - used);
}

static void make_file(BYTE f[2 * SIZE])
{
	BYTE *e = f + SIZE + 0x48;
	BYTE *h = f + 0x68;

	memset(f, 0, 2 * SIZE);
	put(f + 0x48, 0xc0020002, 4);
	put(f + 0x4c, 0x20 + 0x118 + 8, 2);
	put(f + 0x58, 1000, 8);			/* base */
	put(h, SIZE, 4);
	put(h + 0xc, 1, 4);
	put(h + 0x24, 2, 4);
	put(h + 0x2c, 8, 4);
	put(h + 0x100, 1000000000, 8);		/* ns */
	put(h + 0x108, 133000000000000000, 8);
	put(h + 0x110, 1, 4);
	put(h + 0x118, 'S', 2);
	put(h + 0x11c, 'F', 2);
	put_buffer(f, 0x48 + 0x20 + 0x118 + 8, 4, 0);

	put(e, 0x50 + 24 + 3, 2);
	put(e + 2, 0xc013, 2);
	put(e + 4, 1, 2);
	put(e + 8, 11, 4);
	put(e + 12, 22, 4);
	put(e + 16, 1000 + 2000, 8);		/* 20 ticks of 100 ns */
	put(e + 0x28, 77, 2);
	put(e + 0x50, 24, 2);
	put(e + 0x52, 1, 2);
	put(e + 0x56, 16, 2);
	memset(e + 0x58, 0x5a, 16);
	memcpy(e + 0x68, "abc", 3);
	put_buffer(f + SIZE, 0x48 + 0x70, 0, 1);
}

static void write_file(const char *path, const BYTE *f, size_t len)
{
	FILE *file = fopen(path, "wb");

	if (file) {
		fwrite(f, 1, len, file);
		fclose(file);
	}
}

static EVENT_RECORD last;
static char last_data[4];

static void WINAPI keep(PEVENT_RECORD r)
{
	last = *r;
	memcpy(last_data, r->UserData,
	       r->UserDataLength < 3 ? r->UserDataLength : 3);
}

static void test_own_file(char *path)
{
	EVENT_TRACE_LOGFILEA l = {
		.LogFileName = path,
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
		.EventRecordCallback = keep,
	};
	BYTE f[2 * SIZE];
	TRACEHANDLE h;

	make_file(f);
	write_file(path, f, sizeof(f));
	h = OpenTraceA(&l);
	CHECK(h != INVALID_PROCESSTRACE_HANDLE, "a file of two buffers opens");
	CHECK(l.LogfileHeader.BuffersWritten == 2 &&
	      l.LogfileHeader.PerfFreq.QuadPart == 1000000000,
	      "OpenTrace returns the header");
	CHECK(!ProcessTrace(&h, 1, NULL, NULL), "ProcessTrace reads the file");
	CloseTrace(h);
	CHECK(last.EventHeader.EventDescriptor.Id == 77 &&
	      last.EventHeader.ThreadId == 11 &&
	      last.EventHeader.ProcessId == 22, "the event is the one in it");
	CHECK(last.EventHeader.TimeStamp.QuadPart == 133000000000000000 + 20,
	      "the time of an event is converted");
	CHECK(last.ExtendedDataCount == 1 && last.UserDataLength == 3 &&
	      !memcmp(last_data, "abc", 3),
	      "items and data of an event are delivered");
	write_file(path, f, 2 * SIZE - 1);
	CHECK(!read_file(path, &(struct seen) {}), "a cut file is read so far");
	write_file(path, f, 40);
	CHECK(read_file(path, &(struct seen) {}) == ERROR_FILE_CORRUPT,
	      "a stump is none");
}

/* Two files of one event each, and handles on them */
struct pair {
	char paths[2][64];
	TRACEHANDLE handles[2];
};

static LONGLONG times[8];
static unsigned int time_count;

static void WINAPI keep_time(PEVENT_RECORD r)
{
	if (time_count < 8)
		times[time_count++] = r->EventHeader.TimeStamp.QuadPart;
}

static TRACEHANDLE open_with(char *path, ULONG mode,
			     PEVENT_RECORD_CALLBACK callback)
{
	EVENT_TRACE_LOGFILEA l = {
		.LogFileName = path,
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD | mode,
		.EventRecordCallback = callback,
	};

	time_count = 0;
	return OpenTraceA(&l);
}

static void pair_open(struct pair *p, const char *path)
{
	BYTE f[2 * SIZE];
	int i;

	for (i = 0; i < 2; i++) {
		snprintf(p->paths[i], sizeof(p->paths[i]), "%s.%d", path, i);
		make_file(f);
		/* The first one given is the later one */
		put(f + SIZE + 0x58, 1000 + (i ? 2000 : 5000), 8);
		write_file(p->paths[i], f, sizeof(f));
		p->handles[i] = open_with(p->paths[i], 0, keep_time);
	}
}

static void pair_close(struct pair *p)
{
	int i;

	for (i = 0; i < 2; i++) {
		CloseTrace(p->handles[i]);
		unlink(p->paths[i]);
	}
}

#define START	133000000000000000LL

static FILETIME file_time(LONGLONG t)
{
	return (FILETIME) { (DWORD)t, (DWORD)(t >> 32) };
}

static void test_merge(const char *path)
{
	FILETIME from = file_time(START + 21), to = file_time(START + 50);
	FILETIME before = file_time(START + 49);
	struct pair p;

	pair_open(&p, path);
	CHECK(!ProcessTrace(p.handles, 2, NULL, NULL) && time_count == 4,
	      "two files are read at once");
	CHECK(times[2] == START + 20 && times[3] == START + 50,
	      "events of two files are in order of time");
	time_count = 0;
	CHECK(!ProcessTrace(p.handles, 2, &from, &to) && time_count == 1 &&
	      times[0] == START + 50, "a span of time, its ends included");
	time_count = 0;
	CHECK(!ProcessTrace(p.handles, 2, &from, &before) && !time_count,
	      "a span without an event");
	CHECK(ProcessTrace(p.handles, 2, &to, &from) == ERROR_INVALID_TIME,
	      "a span that ends before it starts");
	pair_close(&p);
}

static void test_raw(char *path)
{
	TRACEHANDLE h = open_with(path, PROCESS_TRACE_MODE_RAW_TIMESTAMP,
				  keep_time);

	CHECK(!ProcessTrace(&h, 1, NULL, NULL) && time_count == 2 &&
	      times[0] == 1000 && times[1] == 3000,
	      "times as they are in the file");
	CloseTrace(h);
}

/* Events of two processors at a time of 100 ns, the later one first in the file */
static void test_fine_times(char *path)
{
	BYTE f[3 * SIZE];
	TRACEHANDLE h;

	make_file(f);
	memcpy(f + 2 * SIZE, f + SIZE, SIZE);
	put(f + SIZE + 0x58, 3060, 8);
	put(f + 2 * SIZE + 0x58, 3050, 8);
	put(f + 2 * SIZE + 0x28, 1, 2);
	put(f + 0x68 + 0xc, 2, 4);
	put(f + 0x68 + 0x24, 3, 4);
	write_file(path, f, sizeof(f));
	h = open_with(path, PROCESS_TRACE_MODE_RAW_TIMESTAMP, keep_time);
	CHECK(!ProcessTrace(&h, 1, NULL, NULL) && time_count == 3 &&
	      times[1] == 3050 && times[2] == 3060,
	      "events are in order of times that are finer than 100 ns");
	CloseTrace(h);
}

static TRACEHANDLE to_close;
static ULONG close_codes[2];

static void WINAPI close_it(PEVENT_RECORD r)
{
	(void)r;
	time_count++;
	close_codes[0] = CloseTrace(to_close);
	close_codes[1] = CloseTrace(to_close);
}

static void test_close(char *path)
{
	CHECK(CloseTrace(0) == ERROR_INVALID_HANDLE &&
	      CloseTrace(INVALID_PROCESSTRACE_HANDLE) == ERROR_INVALID_HANDLE,
	      "CloseTrace: no handle");
	to_close = open_with(path, 0, close_it);
	CHECK(!ProcessTrace(&to_close, 1, NULL, NULL) && time_count == 1,
	      "a callback that closes is the last");
	CHECK(close_codes[0] == ERROR_CTX_CLOSE_PENDING &&
	      close_codes[1] == ERROR_INVALID_HANDLE,
	      "CloseTrace: pending, then no handle");
	CHECK(CloseTrace(to_close) == ERROR_INVALID_HANDLE &&
	      ProcessTrace(&to_close, 1, NULL, NULL) == ERROR_INVALID_HANDLE,
	      "the trace is closed after that");
}

static ULONG WINAPI no_more(PEVENT_TRACE_LOGFILEA l)
{
	time_count += 100 * l->BuffersRead;
	return FALSE;
}

static void test_cancel(char *path)
{
	EVENT_TRACE_LOGFILEA l = {
		.LogFileName = path,
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
		.EventRecordCallback = keep_time,
		.BufferCallback = no_more,
	};
	TRACEHANDLE h = OpenTraceA(&l);

	time_count = 0;
	CHECK(ProcessTrace(&h, 1, NULL, NULL) == ERROR_CANCELLED &&
	      time_count == 101, "BufferCallback ends it after a buffer");
	CHECK(!CloseTrace(h), "a cancelled trace can be closed");
}

static void test_arguments(char *path)
{
	TRACEHANDLE h = open_with(path, 0, keep_time);
	TRACEHANDLE many[65], stale = 12345;
	int i;

	for (i = 0; i < 65; i++)
		many[i] = h;
	CHECK(ProcessTrace(NULL, 1, NULL, NULL) == ERROR_INVALID_PARAMETER,
	      "ProcessTrace: NULL");
	CHECK(ProcessTrace(&h, 0, NULL, NULL) == ERROR_BAD_LENGTH &&
	      ProcessTrace(many, 65, NULL, NULL) == ERROR_BAD_LENGTH,
	      "ProcessTrace: 0 and 65 handles");
	CHECK(ProcessTrace(&stale, 1, NULL, NULL) == ERROR_INVALID_HANDLE,
	      "ProcessTrace: a handle that is none");
	CHECK(ProcessTrace(many, 2, NULL, NULL) == ERROR_BUSY && !time_count,
	      "ProcessTrace: the same handle twice");
	CHECK(!ProcessTrace(&h, 1, NULL, NULL) && time_count == 2,
	      "the trace can be read after the errors");
	CloseTrace(h);
}

/* Read a file whose second buffer is hostile */
static void read_hostile(const char *what, char *path, const BYTE *f,
			 size_t len, unsigned long events)
{
	struct seen s;
	ULONG code;

	write_file(path, f, len);
	code = read_file(path, &s);
	CHECK(!code && s.events == events, "%s: code %u, %lu events", what,
	      code, s.events);
}

/* Records that end before they start have no room, not almost 4 GiB */
static void test_ends(char *path)
{
	static const unsigned int ends[] = { 0, 1, 0x40, 0x47, 0x48 };
	BYTE f[2 * SIZE];
	char what[64];
	size_t i;

	for (i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		make_file(f);
		put(f + SIZE + 4, ends[i], 4);
		put(f + SIZE + 0x30, ends[i], 4);
		put(f + SIZE + 0x48, 0xff00, 2);
		snprintf(what, sizeof(what), "records end at %#x", ends[i]);
		read_hostile(what, path, f, sizeof(f), 1);
		/* The same with nothing after the buffer's header */
		put(f + SIZE, 0x48, 4);
		read_hostile(what, path, f, SIZE + 0x48, 1);
	}
}

static void test_far_times(char *path)
{
	BYTE f[2 * SIZE];

	make_file(f);
	put(f + SIZE + 0x58, INT64_MAX, 8);
	put(f + 0x168, 10000000, 8);
	put(f + 0x170, INT64_MAX, 8);
	read_hostile("times beyond what a FILETIME holds", path, f, sizeof(f),
		     2);
	put(f + 0x168, 1, 8);
	read_hostile("a clock that is too slow", path, f, sizeof(f), 2);
	put(f + 0x168, 0, 8);
	read_hostile("a clock that stands", path, f, sizeof(f), 2);
}

static void WINAPI see_chain(PEVENT_RECORD r)
{
	time_count += r->EventHeader.EventDescriptor.Id == 77 &&
		      !(r->EventHeader.Flags &
			EVENT_HEADER_FLAG_EXTENDED_INFO) &&
		      !r->ExtendedDataCount && !r->UserDataLength;
}

/* Items of an invalid size: neither they nor later ones are returned */
static void test_chains(char *path)
{
	static const unsigned int sizes[] = { 0, 7, 23, 0x28, 0xffff };
	BYTE f[2 * SIZE];
	TRACEHANDLE h;
	size_t i;

	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		make_file(f);
		put(f + SIZE + 0x98, sizes[i], 2);
		write_file(path, f, sizeof(f));
		h = open_with(path, 0, see_chain);
		CHECK(!ProcessTrace(&h, 1, NULL, NULL) && time_count == 1,
		      "an item of %u bytes", sizes[i]);
		CloseTrace(h);
	}
}

/* An unused tail without an end mark is no event */
static void test_tail(char *path)
{
	enum { BIG = 0x20000 };
	BYTE *f = malloc(SIZE + BIG);

	if (!f)
		return;
	make_file(f);
	memset(f + 2 * SIZE, 0xff, BIG - SIZE);
	put(f + SIZE, BIG, 4);
	put(f + SIZE + 4, BIG, 4);
	put(f + SIZE + 0x30, BIG, 4);
	read_hostile("a tail of ones", path, f, SIZE + BIG, 2);
	free(f);
}

int main(void)
{
	char path[] = "/tmp/test_etl_reader.XXXXXX";
	int fd = mkstemp(path);

	BYTE f[2 * SIZE];

	test_samples();
	test_kinds("synthetic-alltypes64.etl", true);
	test_kinds("synthetic-alltypes32.etl", false);
	test_own_file(path);
	make_file(f);
	write_file(path, f, sizeof(f));
	test_merge(path);
	test_raw(path);
	test_close(path);
	test_cancel(path);
	test_arguments(path);
	test_fine_times(path);
	test_ends(path);
	test_far_times(path);
	test_chains(path);
	test_tail(path);
	close(fd);
	unlink(path);
	return tap_end();
}
