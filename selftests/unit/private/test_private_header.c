// SPDX-License-Identifier: MIT
/*
 * Headers of private sessions' files, compared with the system's own values:
 * boot time, clocks, time zone, and the layout of the file.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/sysinfo.h>
#include <time.h>

#include "core/etl.h"

#include "selftests/unit/common/private_session.h"

#include "selftests/unit/common/tap.h"

#define UNITS		10000000LL	/* FILETIME units per second */
#define INSTANT		(UNITS / 1000)	/* between two clock reads */
#define QPC		1u
#define SYSTEM_TIME	2u

static LONGLONG units(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * UNITS + t.tv_nsec / 100;
}

static LONGLONG filetime(void)
{
	return units(CLOCK_REALTIME) + ETL_FILETIME_EPOCH;
}

/* Boot time as a FILETIME */
static LONGLONG boot_time(void)
{
	return filetime() - units(CLOCK_BOOTTIME);
}

static bool is_between(LONGLONG value, LONGLONG low, LONGLONG high)
{
	return value >= low - INSTANT && value <= high + INSTANT;
}

static LONGLONG stamp;

static VOID WINAPI on_event(PEVENT_RECORD r)
{
	if (!private_is_header(r))
		stamp = r->EventHeader.TimeStamp.QuadPart;
}

static void test_times(ULONG clock, const char *name)
{
	LONGLONG boot = boot_time(), start, event, before, after, end, stop;
	struct private_properties p;
	TRACE_LOGFILE_HEADER h = {};
	TRACEHANDLE session;
	REGHANDLE r;

	private_init(&p, IN_PROC, name);
	p.p.Wnode.ClientContext = clock;
	EventRegister(&provider, NULL, NULL, &r);
	before = filetime();
	StartTraceA(&session, name, &p.p);
	start = filetime();
	private_enable(session, 0, NULL, 0);
	event = clock == QPC ? units(CLOCK_BOOTTIME) : filetime();
	private_write(r, 1);
	after = clock == QPC ? units(CLOCK_BOOTTIME) : filetime();
	end = filetime();
	private_stop(&p, session);
	stop = filetime();
	EventUnregister(r);
	CHECK(!private_read(private_path(name), on_event, NULL, &h) &&
	      h.ReservedFlags == clock, "%s: the header has the clock", name);
	CHECK(is_between(h.BootTime.QuadPart, boot, boot_time()),
	      "%s: the system's start", name);
	CHECK(is_between(h.StartTime.QuadPart, before, start),
	      "%s: the session's start", name);
	CHECK(is_between(h.EndTime.QuadPart, end, stop),
	      "%s: the session's end", name);
	CHECK(h.PerfFreq.QuadPart == (clock == QPC ? 100 * UNITS : UNITS) &&
	      is_between(stamp / (h.PerfFreq.QuadPart / UNITS), event, after),
	      "%s: a frequency by which a time stamp is the clock's", name);
}

static void start_and_stop(const char *name, ULONG kb, TRACE_LOGFILE_HEADER *h)
{
	struct private_properties p;
	TRACEHANDLE session;

	private_init(&p, IN_PROC | EVENT_TRACE_FILE_MODE_SEQUENTIAL, name);
	p.p.BufferSize = kb;
	p.p.MaximumFileSize = 77;
	memset(h, 0, sizeof(*h));
	if (!StartTraceA(&session, name, &p.p))
		private_stop(&p, session);
	private_read(private_path(name), private_count_one,
		     &(unsigned int) { 0 }, h);
}

/* Test whether a wide name of up to 32 characters equals @text, with its nul */
static bool same_name(const WCHAR *wide, const char *text)
{
	size_t i;

	for (i = 0; i < 31 && text[i]; i++) {
		if (wide[i] != (WCHAR)text[i])
			return false;
	}
	return !wide[i];
}

#define LONG_ZONE	"Abcdefghijklmnopqrstuvwxyzabcdefghijkl"

static void test_time_zones(void)
{
	static const struct {
		const char *tz;
		LONG bias;
		const char *standard;
		const char *daylight;
	} zones[] = {
		{ "UTC0", 0, "UTC", NULL },
		{ "ABC-5:30", -330, "ABC", NULL },
		{ "NST3:30NDT,M3.2.0,M11.1.0", 210, "NST", "NDT" },
		{ "PST8PDT,M3.2.0,M11.1.0", 480, "PST", "PDT" },
		{ "<" LONG_ZONE ">-1", -60, LONG_ZONE, NULL },
	};
	const char *before = getenv("TZ");
	TRACE_LOGFILE_HEADER h;
	unsigned int i;
	struct tm tm;
	time_t now;
	LONG bias;

	before = before ? strdup(before) : NULL;
	for (i = 0; i < EVNT_ARRAY_SIZE(zones); i++) {
		setenv("TZ", zones[i].tz, 1);
		start_and_stop("zone", 0, &h);
		/* In winter, in these zones */
		now = 0;
		localtime_r(&now, &tm);
		bias = -tm.tm_gmtoff / 60;
		CHECK(h.TimeZone.Bias == zones[i].bias &&
		      h.TimeZone.Bias == bias,
		      "%.12s: minutes to the west", zones[i].tz);
		CHECK(same_name(h.TimeZone.StandardName, zones[i].standard) &&
		      (!zones[i].daylight ||
		       same_name(h.TimeZone.DaylightName, zones[i].daylight)),
		      "%.12s: names of at most 31 characters", zones[i].tz);
	}
	if (before)
		setenv("TZ", before, 1);
	else
		unsetenv("TZ");
	tzset();
	free((void *)before);
}

/* Test whether a frequency in MHz is plausible for one of the processors */
static bool is_a_speed(ULONG mhz)
{
	FILE *f = fopen("/proc/cpuinfo", "re");
	bool any = false, found = false;
	char line[256];
	double speed;

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "cpu MHz : %lf", &speed) != 1)
			continue;
		any = true;
		/* Frequencies change at any time */
		found |= mhz >= speed / 10 && mhz <= speed * 10;
	}
	if (f)
		fclose(f);
	return any ? found : mhz == 1;
}

static struct etl_buffer_header first_buffer(const char *name)
{
	struct etl_buffer_header b = {};
	int fd = open(private_path(name), O_RDONLY | O_CLOEXEC);

	if (read(fd, &b, sizeof(b)) != sizeof(b))
		b.buffer_size = 0;
	close(fd);
	return b;
}

static void test_layout(void)
{
	static const struct {
		ULONG kb;
		ULONG version;
	} cases[] = {
		{ 4, ETL_LAYOUT_1_5 }, { 1024, ETL_LAYOUT_1_5 },
		{ 1028, ETL_LAYOUT_2_0 }, { 2048, ETL_LAYOUT_2_0 },
	};
	TRACE_LOGFILE_HEADER h;
	struct etl_buffer_header b;
	bool many = get_nprocs() > 256;
	unsigned int i;

	for (i = 0; i < EVNT_ARRAY_SIZE(cases); i++) {
		start_and_stop("layout", cases[i].kb, &h);
		b = first_buffer("layout");
		CHECK(h.BufferSize == cases[i].kb * 1024 &&
		      b.buffer_size == h.BufferSize &&
		      h.Version == (many ? ETL_LAYOUT_2_0 : cases[i].version),
		      "buffers of %u KB: version of the layout", cases[i].kb);
	}
	CHECK(h.NumberOfProcessors == (ULONG)get_nprocs() &&
	      h.PointerSize == sizeof(void *) && is_a_speed(h.CpuSpeedInMHz),
	      "the system's processors");
	CHECK(h.MaximumFileSize == 77 && h.BuffersWritten == 1 &&
	      h.StartBuffers == 1 &&
	      h.LogFileMode == (IN_PROC | EVENT_TRACE_FILE_MODE_SEQUENTIAL) &&
	      !h.EventsLost && !h.BuffersLost, "the session's properties");
	CHECK(b.state == ETL_STATE_FLUSH && b.saved_offset == b.offset &&
	      b.flag == (ETL_FLAG_PROC_INDEX | ETL_FLAG_FLUSH_MARKER) &&
	      b.type == ETL_TYPE_HEADER,
	      "a header is a batch of one buffer");
}

int main(void)
{
	if (!access("/dev/evntprov", F_OK)) {
		SKIP("the module is loaded here");
		return tap_end();
	}
	private_path("");
	test_times(QPC, "qpc");
	test_times(SYSTEM_TIME, "system_time");
	test_time_zones();
	test_layout();
	private_clean();
	return tap_end();
}
