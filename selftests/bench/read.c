// SPDX-License-Identifier: MIT
/*
 * Reading a log: the cost of ProcessTrace() per event, with a callback that
 * does nothing.  Also writes the same events in the Common Trace Format for
 * other readers: scripts/bench times babeltrace2.
 *
 * usage: read FOLDER PAYLOAD
 *
 * Writes FOLDER/log.etl and FOLDER/ctf/, and prints the cost of reading the log
 * as JSON.  PAYLOAD is a multiple of 8.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "selftests/unit/common/etl_make.h"
#include "evntcons.h"

#define EVENTS		1000000u
#define CPUS		4u
#define BUFFER_SIZE	0x10000u
#define RUNS		7
#define TICKS		13	/* from one event to the next */

static uint64_t seen;

static VOID WINAPI on_event(PEVENT_RECORD event)
{
	(void)event;
	seen++;
}

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* Number of events that fit in a buffer */
static uint32_t per_buffer(uint32_t payload)
{
	return (BUFFER_SIZE - 0x48) / (0x50 + payload);
}

/*
 * Processors take turns.  Each fills a buffer in its turn, but begins a bit
 * before the processor before it has ended, so that they interleave.
 */
static int64_t event_time(uint32_t n, uint32_t in_turn)
{
	uint32_t turn = n / in_turn, i = n % in_turn;

	return MAKE_BASE + ((int64_t)turn * in_turn * 3 / 4 + i) * TICKS;
}

static void make_log(const char *path, uint32_t payload)
{
	uint32_t n, in_turn = per_buffer(payload);
	struct etl_make m;
	uint8_t *data;

	make_begin(&m, BUFFER_SIZE, true, "bench");
	make_put(make_header(&m) + 0x10, MAKE_START + 1, 8);
	for (n = 0; n < EVENTS; n++) {
		if (n % in_turn == 0)
			make_buffer(&m, n / in_turn % CPUS, n / in_turn + 1);
		data = make_record(&m, MAKE_EVENT64, event_time(n, in_turn),
				   payload);
		make_put(data - 0x28, n % 50, 2);
		make_put(data - 0x48, n % 7, 4);
		memset(data, n, payload);
		if (n % in_turn == in_turn - 1 || n == EVENTS - 1)
			make_buffer_end(&m);
	}
	make_write(&m, path);
	make_free(&m);
}

static void read_log(char *path)
{
	EVENT_TRACE_LOGFILEA l = {
		.LogFileName = path,
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
		.EventRecordCallback = on_event,
	};
	TRACEHANDLE h = OpenTraceA(&l);

	seen = 0;
	if (h == INVALID_PROCESSTRACE_HANDLE ||
	    ProcessTrace(&h, 1, NULL, NULL) || CloseTrace(h) ||
	    seen != EVENTS + 1) {
		fprintf(stderr, "read: not all events are there\n");
		exit(1);
	}
}

static double least_time(char *path)
{
	double start, took, least = 1e9;
	int i;

	for (i = 0; i < RUNS; i++) {
		start = seconds();
		read_log(path);
		took = seconds() - start;
		if (took < least)
			least = took;
	}
	return least;
}

/* Like a trace of a Linux tracer: a stream for each processor, in packets */
static const char metadata[] =
"/* CTF 1.8 */\n"
"typealias integer { size = 16; align = 8; signed = false; } := u16;\n"
"typealias integer { size = 32; align = 8; signed = false; } := u32;\n"
"typealias integer { size = 64; align = 8; signed = false; } := u64;\n"
"trace {\n"
"	major = 1; minor = 8; byte_order = le;\n"
"	packet.header := struct { u32 magic; };\n"
"};\n"
"clock { name = c; freq = 10000000; };\n"
"typealias integer { size = 64; align = 8; map = clock.c.value; } := time_t;\n"
"stream {\n"
"	packet.context := struct {\n"
"		time_t timestamp_begin; time_t timestamp_end;\n"
"		u64 content_size; u64 packet_size; u32 cpu_id;\n"
"	};\n"
"	event.header := struct { u16 id; time_t timestamp; };\n"
"	event.context := struct { u32 tid; u32 pid; };\n"
"};\n";

static void write_metadata(const char *folder, uint32_t payload)
{
	char path[4096];
	uint32_t i;
	FILE *f;

	snprintf(path, sizeof(path), "%s/ctf", folder);
	if (mkdir(path, 0777) && errno != EEXIST)
		fail(path);
	strcat(path, "/metadata");
	f = fopen(path, "w");
	if (!f)
		fail(path);
	fputs(metadata, f);
	for (i = 0; i < 50; i++)
		fprintf(f, "event { name = event_%u; id = %u; fields := struct "
			"{ u64 data[%u]; }; };\n", i, i, payload / 8);
	if (fclose(f))
		fail(path);
}

#define PACKET_HEADER	40u

static void put_event(uint8_t *p, uint32_t n, int64_t time, uint32_t payload)
{
	make_put(p, n % 50, 2);
	make_put(p + 2, time, 8);
	make_put(p + 10, n % 7, 4);
	make_put(p + 14, 1, 4);
	memset(p + 18, n, payload);
}

static void write_packet(FILE *f, uint32_t from, uint32_t to, uint32_t payload)
{
	static uint8_t packet[BUFFER_SIZE];
	uint32_t n, size = 18 + payload, in_turn = per_buffer(payload);
	uint8_t *p = packet + PACKET_HEADER;

	for (n = from; n < to; n++, p += size)
		put_event(p, n, event_time(n, in_turn), payload);
	make_put(packet, 0xc1fc1fc1, 4);
	make_put(packet + 4, event_time(from, in_turn), 8);
	make_put(packet + 12, event_time(to - 1, in_turn), 8);
	make_put(packet + 20, 8 * (p - packet), 8);
	make_put(packet + 28, 8 * (p - packet), 8);
	make_put(packet + 36, from / in_turn % CPUS, 4);
	if (fwrite(packet, 1, p - packet, f) != (size_t)(p - packet))
		fail("packet");
}

static void make_ctf(const char *folder, uint32_t payload)
{
	uint32_t n, next, in_turn = per_buffer(payload);
	char path[4096];
	FILE *f[CPUS];

	write_metadata(folder, payload);
	for (n = 0; n < CPUS; n++) {
		snprintf(path, sizeof(path), "%s/ctf/stream_%u", folder, n);
		f[n] = fopen(path, "w");
		if (!f[n])
			fail(path);
	}
	for (n = 0; n < EVENTS; n = next) {
		next = n + in_turn < EVENTS ? n + in_turn : EVENTS;
		write_packet(f[n / in_turn % CPUS], n, next, payload);
	}
	for (n = 0; n < CPUS; n++) {
		if (fclose(f[n]))
			fail(folder);
	}
}

static uint64_t size_of(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		fail(path);
	return st.st_size;
}

int main(int argc, char **argv)
{
	uint32_t payload = argc == 3 ? atoi(argv[2]) : 0;
	char path[4096];
	double least;

	if (argc != 3 || payload % 8 || payload > 1024) {
		fprintf(stderr, "usage: read FOLDER PAYLOAD\n");
		return 2;
	}
	snprintf(path, sizeof(path), "%s/log.etl", argv[1]);
	make_log(path, payload);
	make_ctf(argv[1], payload);
	least = least_time(path);
	printf("{\"payload\":%u,\"events\":%u,\"bytes\":%llu,"
	       "\"seconds\":%.4f}\n", payload, EVENTS,
	       (unsigned long long)size_of(path), least);
	return 0;
}
