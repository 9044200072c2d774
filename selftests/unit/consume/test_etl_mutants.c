// SPDX-License-Identifier: MIT
/*
 * Ten thousand damaged log files: each one is an error or a result, in bounded
 * time and memory, with each byte accounted for; the sanitizers detect the
 * rest.
 *
 * The mutants are made from generated files, and from real ones in
 * $EVNT_DATA/etl, if any.  EVNT_SEED sets the random seed.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <glob.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "selftests/unit/common/etl_adds_up.h"
#include "selftests/unit/common/etl_make.h"
#include "evntcons.h"
#include "selftests/unit/common/tap.h"
#include "lib/consume/trace.h"

#define MUTANTS		10000u
#define MAX_BASES	64u
#define MAX_BASE	(1024 * 1024)
#define MAX_SECONDS	5
#define MAX_MIB		256

/* No quarantine of freed memory, as memory is measured */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "quarantine_size_mb=8";
}

struct base {
	const char *name;
	uint8_t *data;
	size_t len;
};

static struct base bases[MAX_BASES];
static unsigned int base_count;
static char path[32];
static int file;	/* in memory */
static uint64_t random_state;
static unsigned long long events, sum;

/* Random numbers that are the same on all systems */
static uint32_t number(uint32_t below)
{
	random_state = random_state * 6364136223846793005ull +
		       1442695040888963407ull;
	return (random_state >> 33) % below;
}

static void add_base(const char *name, uint8_t *data, size_t len)
{
	if (base_count == MAX_BASES)
		abort();
	bases[base_count++] = (struct base) { name, data, len };
}

static void add_made(const char *name, struct etl_make *m)
{
	add_base(name, m->data, m->len);
}

static void make_item(uint8_t *p, unsigned int type, unsigned int more)
{
	make_put(p, 24, 2);
	make_put(p + 2, type, 2);
	make_put(p + 4, more, 2);
	make_put(p + 6, 16, 2);
}

/* Append a record of each kind */
static void make_kinds(struct etl_make *m, bool wide, int64_t time)
{
	static const enum make_kind kinds[] = {
		MAKE_SYSTEM32, MAKE_COMPACT32, MAKE_FULL32, MAKE_INSTANCE32,
		MAKE_PERFINFO32, MAKE_EVENT32, MAKE_SYSTEM64, MAKE_COMPACT64,
		MAKE_FULL64, MAKE_INSTANCE64, MAKE_PERFINFO64, MAKE_EVENT64,
	};
	unsigned int i;
	uint8_t *p;

	for (i = 0; i < 6; i++)
		make_record(m, kinds[i + (wide ? 6 : 0)], time + i, 13);
	p = make_record(m, MAKE_EVENT64, time + 7, 60);
	p[-0x4c] = 1;
	make_item(p, EVENT_HEADER_EXT_TYPE_RELATED_ACTIVITYID, 1);
	make_item(p + 24, EVENT_HEADER_EXT_TYPE_STACK_TRACE64, 0);
	p = make_room(m, 60);
	make_put(p, 0x90000000 | 60, 4);
	make_put(p + 6, 0x2b, 2);
	make_put(p + 0x1c, time + 8, 8);
}

static void make_plain(const char *name, bool wide, int flags)
{
	struct etl_make m;
	unsigned int i;

	make_begin(&m, 1024, wide, "Session");
	for (i = 0; i < 6; i++) {
		make_put(make_buffer(&m, i % 3, (i + 3) % 6 + 1) + 0x34,
			 0x20 | flags, 2);
		make_put(make_head(&m) + 0x38, MAKE_START + i, 8);
		make_kinds(&m, wide, 2000 + 100 * i);
		make_buffer_end(&m);
	}
	add_made(name, &m);
}

static void make_packed(const char *name, uint8_t method)
{
	struct etl_make m;
	unsigned int i;

	make_begin(&m, 0x10000, true, "Session");
	m.len = 0x200;
	make_put(m.data, 0x200, 4);
	m.data[0x2c] = method;
	for (i = 0; i < 6; i++) {
		make_buffer(&m, i % 3, i + 1);
		make_kinds(&m, true, 2000 + 100 * i);
		make_kinds(&m, false, 2010 + 100 * i);
		make_buffer_end_packed(&m);
	}
	add_made(name, &m);
}

static void read_base(const char *from)
{
	uint8_t *data = malloc(MAX_BASE);
	FILE *f = fopen(from, "rb");

	if (!f || !data)
		abort();
	add_base(strdup(strrchr(from, '/') + 1), data,
		 fread(data, 1, MAX_BASE, f));
	fclose(f);
}

static void read_bases(void)
{
	char pattern[4096];
	glob_t found;
	size_t i;

	snprintf(pattern, sizeof(pattern), "%s/etl/*.etl", data_folder());
	if (glob(pattern, 0, NULL, &found)) {
		SKIP("there are no real log files");
		return;
	}
	for (i = 0; i < found.gl_pathc; i++)
		read_base(found.gl_pathv[i]);
	globfree(&found);
}

/* Touch all memory of an event: the sanitizer detects bad bounds */
static void touch(const void *data, size_t len)
{
	const uint8_t *p = data;

	while (len--)
		sum += *p++;
}

static VOID WINAPI on_record(PEVENT_RECORD r)
{
	USHORT i;

	events++;
	for (i = 0; i < r->ExtendedDataCount; i++)
		touch((const void *)(uintptr_t)r->ExtendedData[i].DataPtr,
		      r->ExtendedData[i].DataSize);
	touch(r->UserData, r->UserDataLength);
}

static VOID WINAPI on_event(PEVENT_TRACE e)
{
	events++;
	touch(e->MofData, e->MofLength);
}

static ULONG WINAPI on_buffer(PEVENT_TRACE_LOGFILEA l)
{
	sum += l->Filled + l->CurrentEvent.Header.Size;
	touch(l->LogfileHeader.LoggerName, 2);
	return TRUE;
}

/* Read the file; returns whether its counts add up */
static bool read_mutant(bool classic, size_t len)
{
	EVENT_TRACE_LOGFILEA l = {
		.LogFileName = path,
		.BufferCallback = on_buffer,
	};
	const struct etl_counts *c;
	bool ok = true;
	TRACEHANDLE h;

	if (classic) {
		l.EventCallback = on_event;
	} else {
		l.EventRecordCallback = on_record;
		l.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD;
	}
	h = OpenTraceA(&l);
	if (h == INVALID_PROCESSTRACE_HANDLE)
		return GetLastError() != ERROR_SUCCESS;
	c = trace_counts(h);
	if (!ProcessTrace(&h, 1, NULL, NULL) && !c->packed.count)
		ok = etl_adds_up(c, len);
	CloseTrace(h);
	return ok;
}

/* Prefer headers: of the file, of a buffer, of a record */
static size_t place(size_t len)
{
	switch (number(4)) {
	case 0:
		return number(len);
	case 1:
		return number(len < 0x200 ? len : 0x200);
	default:
		return ((uint64_t)number(len) & ~0x1ff) + number(0x100);
	}
}

static void overwrite(uint8_t *p, size_t len)
{
	static const uint64_t values[] = {
		0, 1, 7, 8, 0x47, 0x48, 0x7f, 0x80, 0xff, 0x7fff, 0x8000,
		0xffff, 0x7fffffff, 0x80000000, 0xffffffff, INT64_MAX,
		(uint64_t)INT64_MIN, UINT64_MAX,
	};
	int bytes = 1 << number(4);
	size_t at = place(len);

	if (number(2))
		at -= at % bytes;
	if (at + bytes > len)
		return;
	make_put(p + at, number(2) ? values[number(18)] : number(0x7fffffff),
		 bytes);
}

static void move(uint8_t *p, size_t len)
{
	size_t n = 1 + number(len < 4096 ? len : 4096);
	size_t from = number(len - n + 1), to = number(len - n + 1);

	if (number(2)) {
		from -= from % 8;
		to -= to % 8;
	}
	if (number(4))
		memmove(p + to, p + from, n);
	else
		memset(p + to, number(3) ? 0 : 0xff, n);
}

static size_t mutate(uint8_t *p, size_t len)
{
	unsigned int n = 1 + number(12);

	while (n--) {
		if (number(8))
			overwrite(p, len);
		else
			move(p, len);
	}
	return number(8) ? len : 1 + number(len);
}

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static long peak_mib(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss / 1024;
}

/* Prefer small files, where more of the bytes matter */
static const struct base *pick(void)
{
	const struct base *base;

	do {
		base = &bases[number(base_count)];
	} while (base->len > 0x10000 && number(8));
	return base;
}

static void write_mutant(const struct base *mutant)
{
	if (ftruncate(file, 0) || pwrite(file, mutant->data, mutant->len, 0) !=
	    (ssize_t)mutant->len)
		abort();
}

static bool try_mutant(struct base *mutant)
{
	const struct base *base = pick();
	double start;

	memcpy(mutant->data, base->data, base->len);
	mutant->name = base->name;
	mutant->len = mutate(mutant->data, base->len);
	write_mutant(mutant);
	start = cpu_seconds();
	if (!read_mutant(number(3) == 0, mutant->len))
		return false;
	return cpu_seconds() - start < MAX_SECONDS && peak_mib() < MAX_MIB;
}

/* Keep the mutant for inspection */
static void keep(const struct base *mutant)
{
	char name[] = "/tmp/test_etl_mutants.XXXXXX";
	int fd = mkstemp(name);

	if (fd >= 0 && write(fd, mutant->data, mutant->len) > 0)
		printf("# it is left as %s\n", name);
	close(fd);
}

static void try_all(void)
{
	struct base mutant = { .data = malloc(MAX_BASE) };
	unsigned int i = 0;
	bool ok = true;

	while (ok && i < MUTANTS) {
		ok = try_mutant(&mutant);
		i++;
	}
	CHECK(ok, "%u mutants of %u files, %llu events, %ld MiB (%s)", i,
	      base_count, events, peak_mib(), mutant.name);
	if (!ok)
		keep(&mutant);
	free(mutant.data);
}

int main(void)
{
	const char *seed = getenv("EVNT_SEED");

	file = memfd_create("mutant", MFD_CLOEXEC);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	random_state = seed ? strtoull(seed, NULL, 0) : 1;
	make_plain("64-bit", true, 0);
	make_plain("32-bit", false, 0);
	make_plain("backup", true, 0x10);
	make_packed("packed by LZNT1", 2);
	make_packed("packed", 3);
	make_packed("packed by Huffman codes", 4);
	read_bases();
	try_all();
	CHECK(events > MUTANTS, "mutants are mostly readable");
	return tap_end();
}
