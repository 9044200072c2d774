/* SPDX-License-Identifier: MIT */
/*
 * The reader: real log files, and mutated ones.
 *
 * Real files are those in $EVNT_DATA/etl, where there are any.
 */
#include <stdlib.h>
#include <unistd.h>

#include "evntcons.h"
#include "tap.h"

#define MUTANTS	3000

struct seen {
	unsigned long events;
	unsigned long items;
	unsigned long long sum;
	LONGLONG last;
	unsigned long disorder;
	unsigned long buffers;
};

/* Touch all that an event points to: the sanitizer sees what is out of bounds */
static void WINAPI see(PEVENT_RECORD r)
{
	struct seen *s = r->UserContext;
	const BYTE *p;
	ULONG i, n;

	s->events++;
	s->disorder += r->EventHeader.TimeStamp.QuadPart < s->last;
	s->last = r->EventHeader.TimeStamp.QuadPart;
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
	{ "image_data_32_v2.etl", 27, 0 },
	{ "process_data_32_v3.etl", 9, 0 },
	/* An item that the record's own header has, beside those of its chain */
	{ "synthetic-alltypes32.etl", 10, 15 },
	{ "synthetic-alltypes64.etl", 10, 15 },
	{ "synthetic-mini.etl", 3, 4 },
	{ "synthetic-wpp.etl", 4, 3 },
};

static const char *data_folder(void)
{
	const char *folder = getenv("EVNT_DATA");

	return folder ? folder : "../../../shared/data";
}

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
	}
}

/* A file of our own: header, and one event with an item, byte by byte */
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
	      "its header is told");
	CHECK(!ProcessTrace(&h, 1, NULL, NULL), "it is read");
	CloseTrace(h);
	CHECK(last.EventHeader.EventDescriptor.Id == 77 &&
	      last.EventHeader.ThreadId == 11 &&
	      last.EventHeader.ProcessId == 22, "the event is the one in it");
	CHECK(last.EventHeader.TimeStamp.QuadPart == 133000000000000000 + 20,
	      "its time is converted");
	CHECK(last.ExtendedDataCount == 1 && last.UserDataLength == 3 &&
	      !memcmp(last_data, "abc", 3), "so are item and data");
	write_file(path, f, 2 * SIZE - 1);
	CHECK(!read_file(path, &(struct seen) {}), "a cut file is read so far");
	write_file(path, f, 40);
	CHECK(read_file(path, &(struct seen) {}) == ERROR_FILE_CORRUPT,
	      "a stump is none");
}

static void mutate(BYTE *f, size_t len)
{
	static const BYTE values[] = { 0, 1, 0x7f, 0x80, 0xff };
	int n = 1 + rand() % 8;

	while (n--)
		f[rand() % len] = rand() & 1 ? rand() : values[rand() % 5];
}

static void test_mutants(char *path)
{
	unsigned long codes = 0, events = 0;
	BYTE f[2 * SIZE];
	struct seen s;
	int i;

	srand(1);
	for (i = 0; i < MUTANTS; i++) {
		make_file(f);
		/* Where it matters: headers, and the first records */
		mutate(f + (rand() & 1 ? SIZE : 0), 0x200);
		write_file(path, f, rand() % 8 ? sizeof(f) : rand() % sizeof(f));
		codes += !read_file(path, &s);
		events += s.events;
	}
	CHECK(codes && events, "%d mutants: %lu readable, %lu events", MUTANTS,
	      codes, events);
}

int main(void)
{
	char path[] = "/tmp/test_etl_reader.XXXXXX";
	int fd = mkstemp(path);

	test_samples();
	test_own_file(path);
	test_mutants(path);
	close(fd);
	unlink(path);
	return tap_end();
}
