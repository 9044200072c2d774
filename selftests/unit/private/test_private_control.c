// SPDX-License-Identifier: MIT
/*
 * Controlling private sessions: refused updates, which change nothing; the
 * switch to another file, in circular mode and near a limit; and the end at a
 * limit, which leaves no thread, stack, descriptor or name behind.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <sched.h>
#include <stdlib.h>

#include <time.h>

#include "selftests/unit/common/private_session.h"

#include "selftests/unit/common/tap.h"

#define BUFFER	4096u	/* bytes: the smallest */
#define ROUNDS	16

static REGHANDLE r;

static TRACEHANDLE start(struct private_properties *p, ULONG mode, ULONG size,
			 const char *name)
{
	TRACEHANDLE h;

	private_init(p, IN_PROC | mode, name);
	p->p.BufferSize = BUFFER / 1024;
	p->p.MaximumFileSize = size;
	p->p.MaximumBuffers = 4;
	if (StartTraceA(&h, name, &p->p) || private_enable(h, 0, NULL, 0))
		return 0;
	return h;
}

/* Write one event, in a buffer of its own */
static void write_buffer(TRACEHANDLE h, USHORT id)
{
	private_write(r, id);
	private_flush(h);
}

static ULONG query(TRACEHANDLE h, struct private_properties *p)
{
	private_init(p, IN_PROC, NULL);
	return ControlTraceA(h, NULL, &p->p, EVENT_TRACE_CONTROL_QUERY);
}

static off_t size_of(const char *name)
{
	struct stat st;

	return stat(private_path(name), &st) ? -1 : st.st_size;
}

/* Update with a new file and timer, and with something that makes it fail */
static ULONG refused(TRACEHANDLE h, ULONG mode, ULONG flags, ULONG buffers)
{
	struct private_properties p;

	private_init(&p, IN_PROC | mode, "refused2");
	p.p.EnableFlags = flags;
	p.p.MaximumBuffers = buffers;
	p.p.FlushTimer = 7;
	return UpdateTraceA(h, NULL, &p.p);
}

static void test_refused_updates(void)
{
	struct private_properties p, q;
	TRACEHANDLE h;
	ULONG most;

	h = start(&p, 0, 0, "refused");
	most = p.p.MaximumBuffers;
	CHECK(refused(h, 0, 0, most + 1) == ERROR_NOT_SUPPORTED,
	      "NOT_SUPPORTED: more buffers than before");
	CHECK(refused(h, 0, 1, 0) == ERROR_NOT_SUPPORTED,
	      "NOT_SUPPORTED: flags of the NT Kernel Logger");
	CHECK(refused(h, EVENT_TRACE_REAL_TIME_MODE, 0, 0) ==
	      ERROR_INVALID_PARAMETER, "INVALID_PARAMETER: real time");
	private_write(r, 1);
	CHECK(!query(h, &q) && !q.p.FlushTimer &&
	      q.p.MaximumBuffers == most &&
	      !strcmp(q.log, private_path("refused")) &&
	      access(private_path("refused2"), F_OK),
	      "a refusal changes neither file nor timer");
	private_init(&q, IN_PROC, "refused2");
	q.p.MaximumBuffers = most;
	q.p.FlushTimer = 7;
	CHECK(!UpdateTraceA(h, NULL, &q.p) && q.p.FlushTimer == 7 &&
	      q.p.MaximumBuffers == most &&
	      !strcmp(q.log, private_path("refused2")),
	      "an update to the present number of buffers is accepted");
	private_write(r, 2);
	CHECK(!private_stop(&p, h) &&
	      PRIVATE_HAS(private_path("refused"), NULL, 1) &&
	      PRIVATE_HAS(private_path("refused2"), NULL, 2),
	      "the logs contain the events of their time");
}

static ULONG update(TRACEHANDLE h, const char *name)
{
	struct private_properties p;

	private_init(&p, IN_PROC, name);
	p.p.FlushTimer = 7;
	return UpdateTraceA(h, NULL, &p.p);
}

/* A file in use by another session, or no file, is refused */
static void test_next_file_is_in_use(void)
{
	struct private_properties p, q;
	TRACEHANDLE h, second;
	char link_of[128];

	h = start(&p, 0, 0, "mine");
	second = start(&q, 0, 0, "theirs");
	write_buffer(second, 1);
	write_buffer(h, 2);
	CHECK(update(h, "theirs") == ERROR_BAD_PATHNAME,
	      "BAD_PATHNAME: UPDATE to the file of another session");
	/* A hard link must be recognized before the file is truncated */
	snprintf(link_of, sizeof(link_of), "%s", private_path("theirs"));
	CHECK(!link(link_of, private_path("linked")) &&
	      update(h, "linked") == ERROR_BAD_PATHNAME,
	      "BAD_PATHNAME: UPDATE to a hard link to it");
	snprintf(link_of, sizeof(link_of), "%s", private_path("mine"));
	CHECK(!symlink(link_of, private_path("pointer")) &&
	      update(h, "pointer") == ERROR_BAD_PATHNAME,
	      "BAD_PATHNAME: UPDATE to the session's own file by a link");
	private_init(&q, IN_PROC, NULL);
	strcpy(q.log, "/nowhere/x.etl");
	CHECK(UpdateTraceA(h, NULL, &q.p) == ERROR_PATH_NOT_FOUND,
	      "PATH_NOT_FOUND: UPDATE to a folder that is not there");
	CHECK(!query(h, &q) && !q.p.FlushTimer &&
	      !strcmp(q.log, private_path("mine")),
	      "a failed update changes neither file nor timer");
	private_write(r, 3);
	CHECK(!private_stop(&p, h) && !private_stop(&q, second) &&
	      PRIVATE_HAS(private_path("mine"), NULL, 1, 2, 3) &&
	      PRIVATE_HAS(private_path("theirs"), NULL, 1, 2, 3),
	      "both logs contain all of their events");
}

static ULONG write_too_long(void)
{
	static BYTE block[2 * BUFFER];
	EVENT_DESCRIPTOR d = { .Id = 1 };
	EVENT_DATA_DESCRIPTOR data;

	EventDataDescCreate(&data, block, sizeof(block));
	return EventWrite(r, &d, 1, &data);
}

static void test_losses_before_the_next_file(void)
{
	TRACE_LOGFILE_HEADER first = {}, second = {};
	struct private_properties p, q;
	TRACEHANDLE h;

	h = start(&p, 0, 0, "losses");
	private_write(r, 1);
	CHECK(write_too_long() == ERROR_MORE_DATA, "an event is lost");
	private_init(&q, IN_PROC, "losses2");
	UpdateTraceA(h, NULL, &q.p);
	CHECK(write_too_long() == ERROR_MORE_DATA &&
	      write_too_long() == ERROR_MORE_DATA && !private_write(r, 2),
	      "two more are lost in the next file");
	CHECK(!private_stop(&p, h) && p.p.EventsLost == 3 &&
	      PRIVATE_HAS(private_path("losses"), &first, 1) &&
	      PRIVATE_HAS(private_path("losses2"), &second, 2) &&
	      first.EventsLost == 1 && second.EventsLost == 2,
	      "each header has the losses of its file, the session has all");
}

static ULONGLONG filetime(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (now.tv_sec + 11644473600ull) * 10000000 + now.tv_nsec / 100;
}

/* In each mode of a file: sequential, circular, limited */
static void test_losses_are_dated(ULONG mode, ULONG mb, const char *name)
{
	const struct evntprov_loss *last = &private_losses.last;
	struct private_properties p;
	ULONGLONG from, to;
	TRACEHANDLE h;

	memset(&private_losses, 0, sizeof(private_losses));
	h = start(&p, mode, mb, name);
	private_write(r, 1);
	/*
	 * The two clocks are read one after the other, and the thread may stand
	 * still in between: allow for 10 s
	 */
	from = filetime() - 100000000;
	write_too_long();
	write_too_long();
	to = filetime() + 100000000;
	CHECK(!private_stop(&p, h) && p.p.EventsLost == 2 &&
	      PRIVATE_HAS(private_path(name), NULL, 1),
	      "%s: two events are lost", name);
	CHECK(private_losses.events == 2 && private_losses.reports == 1,
	      "%s: the log describes the loss once", name);
	CHECK(!strcmp(private_losses.reason, "too large") &&
	      last->first >= from && last->first <= last->last &&
	      last->last <= to && last->buffer_size == p.p.BufferSize * 1024 &&
	      last->cpu < 4096, "%s: the loss has its time and cause", name);
}

/* Check that ids in a file have no gap up to @last; returns the first, or 0 */
static USHORT first_id(const char *name, USHORT last)
{
	static struct private_ids ids;
	unsigned int i;

	ids.count = 0;
	if (private_read(private_path(name), private_take_id, &ids, NULL) ||
	    !ids.count || ids.count > PRIVATE_MAX_IDS)
		return 0;
	for (i = 1; i < ids.count; i++) {
		if (ids.id[i] != ids.id[i - 1] + 1)
			return 0;
	}
	return ids.id[ids.count - 1] == last ? ids.id[0] : 0;
}

#define CIRCLE	(1024 * 1024 / BUFFER - 1)

/* A wrapped circular file is followed by another one, initially empty */
static void test_next_circle(void)
{
	struct private_properties p, q;
	USHORT first, id = 0;
	TRACEHANDLE h;

	h = start(&p, EVENT_TRACE_FILE_MODE_CIRCULAR, 1, "circle");
	while (id < CIRCLE + 50)
		write_buffer(h, ++id);
	private_init(&q, IN_PROC, "circle2");
	CHECK(!UpdateTraceA(h, NULL, &q.p), "a circle that is full is left");
	first = first_id("circle", id);
	CHECK(first > 1 && first <= 300 && size_of("circle") == 1 << 20,
	      "a circular file keeps the newest events");
	write_buffer(h, ++id);
	CHECK(size_of("circle2") == 2 * BUFFER &&
	      first_id("circle2", id) == id, "the next one begins empty");
	while (id < 2 * CIRCLE + 150)
		write_buffer(h, ++id);
	CHECK(!private_stop(&p, h) && !p.p.EventsLost &&
	      first_id("circle", CIRCLE + 50) == first &&
	      first_id("circle2", id) > CIRCLE + 51 &&
	      size_of("circle2") == 1 << 20,
	      "the next circular file wraps and does not change the first one");
}

#define LARGE_MB	16u
#define LARGE_CIRCLE	(LARGE_MB * 1024 * 1024 / BUFFER - 1)

/* Test whether the number of dropped buffers is possible for one epoch */
static bool is_epoch(unsigned int gone)
{
	const unsigned int least = LARGE_CIRCLE / 16;

	return gone >= least && gone <= 3 * least;
}

/* A sixteenth of the file is dropped at once, and leaves as much room */
static void test_epochs_give_way(void)
{
	struct private_properties p;
	unsigned int gone, more;
	USHORT id = 0;
	TRACEHANDLE h;

	h = start(&p, EVENT_TRACE_FILE_MODE_CIRCULAR, LARGE_MB, "epochs");
	/*
	 * An epoch has at least one buffer per buffer in memory, and four per
	 * CPU
	 */
	if (p.p.NumberOfBuffers > LARGE_CIRCLE / 16 ||
	    sysconf(_SC_NPROCESSORS_CONF) > LARGE_CIRCLE / 64) {
		SKIP("too many processors for epochs of %u buffers",
		     LARGE_CIRCLE / 16);
		private_stop(&p, h);
		return;
	}
	while (id < LARGE_CIRCLE)
		write_buffer(h, ++id);
	CHECK(first_id("epochs", id) == 1, "a circle is full");
	write_buffer(h, ++id);
	gone = first_id("epochs", id) - 1;
	CHECK(is_epoch(gone), "the first epoch gives way to a buffer");
	while (id < LARGE_CIRCLE + gone)
		write_buffer(h, ++id);
	CHECK(first_id("epochs", id) == gone + 1,
	      "the place of a removed epoch is reused");
	write_buffer(h, ++id);
	more = first_id("epochs", id) - 1 - gone;
	CHECK(!private_stop(&p, h) && is_epoch(more),
	      "the second epoch is removed next");
}

/* With so many buffers, an epoch would be more than a quarter of the file */
static void test_small_circle(void)
{
	struct private_properties p;
	USHORT id = 0;
	TRACEHANDLE h;

	private_init(&p, IN_PROC | EVENT_TRACE_FILE_MODE_CIRCULAR, "small");
	p.p.BufferSize = BUFFER / 1024;
	p.p.MaximumFileSize = 1;
	p.p.MinimumBuffers = CIRCLE / 4 + 1;
	p.p.MaximumBuffers = CIRCLE / 4 + 1;
	StartTraceA(&h, "small", &p.p);
	private_enable(h, 0, NULL, 0);
	while (id < CIRCLE + 1)
		write_buffer(h, ++id);
	CHECK(!private_stop(&p, h) && first_id("small", id) == 2,
	      "a circular file that is too small for epochs loses one buffer");
}

/* Wait until a session has ended by itself */
static bool await_end(TRACEHANDLE h)
{
	struct private_properties p;
	unsigned int i;

	for (i = 0; i < 60000; i++) {
		if (query(h, &p) == ERROR_WMI_INSTANCE_NOT_FOUND)
			return true;
		usleep(1000);
	}
	return false;
}

#define LIMITED		(EVENT_TRACE_FILE_MODE_SEQUENTIAL | \
			 EVENT_TRACE_USE_KBYTES_FOR_SIZE)

static void test_limit_of_the_next_file(void)
{
	struct private_properties p, q;
	TRACEHANDLE h;

	h = start(&p, LIMITED, 3 * BUFFER / 1024, "limit");
	write_buffer(h, 1);
	private_init(&q, IN_PROC, "limit2");
	CHECK(!UpdateTraceA(h, NULL, &q.p), "a file with room for one more");
	write_buffer(h, 2);
	CHECK(!query(h, &q) && q.p.BuffersWritten == 4 &&
	      EventProviderEnabled(r, 0, 0),
	      "the limit is the next file's, not that of both");
	private_write(r, 3);
	private_init(&q, IN_PROC, NULL);
	FlushTraceA(h, NULL, &q.p);
	CHECK(await_end(h) && size_of("limit") == 2 * BUFFER &&
	      size_of("limit2") == 3 * BUFFER &&
	      PRIVATE_HAS(private_path("limit2"), NULL, 2, 3) &&
	      !EventProviderEnabled(r, 0, 0),
	      "the session ends when the next file has reached it");
	CHECK(private_fd(private_path("limit2")) < 0 &&
	      private_is_left(private_path("limit2")) &&
	      private_stop(&q, h) == ERROR_WMI_INSTANCE_NOT_FOUND,
	      "nothing is left of a session that ended at its limit");
}

static unsigned int count_threads(void)
{
	DIR *dir = opendir("/proc/self/task");
	unsigned int count = 0;
	struct dirent *e;

	while (dir && (e = readdir(dir)))
		count += e->d_name[0] != '.';
	if (dir)
		closedir(dir);
	return count;
}

static unsigned int count_maps(void)
{
	FILE *f = fopen("/proc/self/maps", "re");
	unsigned int count = 0;
	int c;

	while (f && (c = getc(f)) != EOF)
		count += c == '\n';
	if (f)
		fclose(f);
	return count;
}

/* Let a session end at its limit, and wait until only @threads are left */
static bool run_to_the_limit(unsigned int threads)
{
	struct private_properties p;
	TRACEHANDLE h = start(&p, LIMITED, 2 * BUFFER / 1024, "round");
	unsigned int i;

	private_write(r, 1);
	private_flush(h);
	if (!h || !await_end(h))
		return false;
	for (i = 0; i < 60000 && count_threads() != threads; i++)
		usleep(1000);
	return i < 60000 &&
	       PRIVATE_HAS(private_path("round"), NULL, 1);
}

/*
 * A leaked stack is at least one mapping each time.  The C library caches some
 * stacks, and sanitizers have their own, so the first rounds do not count.
 */
static void test_many_limits(unsigned int threads)
{
	unsigned int i, before, good = 0;

	for (i = 0; i < ROUNDS; i++)
		good += run_to_the_limit(threads);
	before = count_maps();
	for (i = 0; i < ROUNDS; i++)
		good += run_to_the_limit(threads);
	CHECK(good == 2 * ROUNDS,
	      "the end at a limit releases name, place and file");
	CHECK(before && count_maps() < before + ROUNDS / 2,
	      "threads that end at a limit leave no stack behind");
}

/* A name that is not valid UTF-16 does not hide the session */
static void test_lone_surrogate(void)
{
	static const WCHAR name[] = { 's', 0xd800, 0 };
	struct {
		EVENT_TRACE_PROPERTIES p;
		WCHAR name[8];
		WCHAR log[128];
	} wide = {
		.p.Wnode.BufferSize = sizeof(wide),
		.p.Wnode.Flags = WNODE_FLAG_TRACED_GUID,
		.p.LogFileMode = IN_PROC,
		.p.LoggerNameOffset = (char *)wide.name - (char *)&wide,
		.p.LogFileNameOffset = (char *)wide.log - (char *)&wide,
	};
	const char *log = private_path("surrogate");
	struct private_properties p;
	TRACEHANDLE h;
	size_t i;

	for (i = 0; log[i]; i++)
		wide.log[i] = (unsigned char)log[i];
	CHECK(!StartTraceW(&h, name, &wide.p) && !query(h, &p) &&
	      !strcmp(p.name, "s\xef\xbf\xbd") && !private_stop(&p, h),
	      "ControlTraceA: half of a character in a name is U+FFFD");
}

/* Pin the thread, so that all events are in one buffer */
static void stay_here(void)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(sched_getcpu(), &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
}

int main(void)
{
	const unsigned int threads = count_threads();

	if (!access("/dev/evntprov", F_OK)) {
		SKIP("the module is loaded here");
		return tap_end();
	}
	private_path("");
	stay_here();
	EventRegister(&provider, NULL, NULL, &r);
	test_refused_updates();
	test_next_file_is_in_use();
	test_losses_before_the_next_file();
	test_losses_are_dated(0, 0, "dated");
	test_losses_are_dated(EVENT_TRACE_FILE_MODE_CIRCULAR, 1, "circle");
	test_losses_are_dated(EVENT_TRACE_FILE_MODE_SEQUENTIAL, 1, "limit");
	test_next_circle();
	test_epochs_give_way();
	test_small_circle();
	test_limit_of_the_next_file();
	test_many_limits(threads);
	test_lone_surrogate();
	EventUnregister(r);
	private_clean();
	return tap_end();
}
