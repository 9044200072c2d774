// SPDX-License-Identifier: GPL-2.0
/*
 * LogFileMode and MaximumFileSize: sequential files that end at their limit,
 * circular files, newfile mode, and preallocated files.
 */
#include <pthread.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/lib.h"

#define LOG		"/tmp/logmode.etl"
#define KB		1024u
#define LIMIT_KB	256u
#define BUFFER_KB	16u

static const EVENT_DESCRIPTOR descriptor = { .Id = 1, .Level = 4 };

/* Event numbers, in the order in which they were read */
static struct {
	ULONG count;
	ULONG first;
	ULONG last;
	ULONG gaps;
	ULONG buffers;
} got;

static VOID WINAPI see(PEVENT_RECORD r)
{
	ULONG number;

	if (r->UserDataLength != 200)
		return;
	memcpy(&number, r->UserData, sizeof(number));
	if (!got.count++)
		got.first = number;
	else
		got.gaps += number != got.last + 1;
	got.last = number;
}

static ULONG WINAPI count_buffer(PEVENT_TRACE_LOGFILEA l)
{
	got.buffers = l->BuffersRead;
	return TRUE;
}

/* Read another file; its numbers must continue those read before */
static ULONG read_more(const char *path)
{
	EVENT_TRACE_LOGFILEA l = {
		.LogFileName = (char *)path,
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
		.EventRecordCallback = see,
		.BufferCallback = count_buffer,
	};

	return log_process(&l);
}

static ULONG read_log(void)
{
	memset(&got, 0, sizeof(got));
	return read_more(LOG);
}

FIXTURE(mode) {
	TRACEHANDLE session;
	REGHANDLE handle;
	struct properties p;
	ULONG written;
	ULONG accepted;
};

FIXTURE_SETUP(mode)
{
	GUID id = provider_id(1);

	self->session = 0;
	self->written = 0;
	self->accepted = 0;
	self->p = properties_for(LOG);
	self->p.p.BufferSize = BUFFER_KB;
	self->p.p.MaximumFileSize = LIMIT_KB;
	/*
	 * A processor that no longer writes keeps its last events in a buffer,
	 * which reaches the file late.  Avoid that by staying on one processor.
	 */
	stay_on(0);
	/* An event in a ring is lost after its write has returned */
	setenv("EVNTPROV_RINGS", "off", 1);
	ASSERT_EQ(0, EventRegister(&id, NULL, NULL, &self->handle));
}

FIXTURE_TEARDOWN(mode)
{
	EXPECT_EQ(0, EventUnregister(self->handle));
	if (self->session)
		EXPECT_EQ(0, session_stop(self->session, NULL));
	unlink(LOG);
}

static ULONG start(FIXTURE_DATA(mode) *self, ULONG mode)
{
	ULONG code;

	self->p.p.LogFileMode = mode | EVENT_TRACE_USE_KBYTES_FOR_SIZE;
	code = StartTraceA(&self->session, "logmode", &self->p.p);
	return code ? code : session_enable(self->session, 1);
}

/* Write numbered events of 280 bytes each; retry when there is no room */
static void write_events(FIXTURE_DATA(mode) *self, ULONG count)
{
	struct properties p;
	char payload[200] = "";
	EVENT_DATA_DESCRIPTOR d;
	ULONG code;

	EventDataDescCreate(&d, payload, sizeof(payload));
	while (count--) {
		memcpy(payload, &self->written, sizeof(self->written));
		while ((code = EventWrite(self->handle, &descriptor, 1, &d)) ==
		       ERROR_NOT_ENOUGH_MEMORY) {
			p = properties_for("");
			FlushTraceA(self->session, NULL, &p.p);
		}
		self->written++;
		self->accepted += !code;
	}
}

/* Write 50 times the file's length: the newest events stay, in order */
TEST_F(mode, CIRCULAR_overwrites_the_oldest)
{
	const ULONG per_buffer = (BUFFER_KB * KB - 72) / 280;
	const ULONG slots = LIMIT_KB / BUFFER_KB;
	struct properties q;
	ULONG i;

	ASSERT_EQ(0, start(self, EVENT_TRACE_FILE_MODE_CIRCULAR));
	for (i = 0; i < 50; i++) {
		write_events(self, slots * per_buffer);
		EXPECT_GE(LIMIT_KB * KB, size_of(LOG));
	}
	EXPECT_EQ(0, session_stop(self->session, &q));
	self->session = 0;
	EXPECT_EQ(self->written, self->accepted);
	EXPECT_EQ(LIMIT_KB * KB, size_of(LOG));
	EXPECT_EQ(LIMIT_KB, q.p.MaximumFileSize);
	EXPECT_LT(50 * (slots - 1), q.p.BuffersWritten);

	ASSERT_EQ(0, read_log());
	EXPECT_EQ(0, got.gaps);
	EXPECT_EQ(self->written - 1, got.last);
	EXPECT_EQ(got.last - got.first + 1, got.count);
	EXPECT_EQ(slots, got.buffers);
}

/* The file can be read while it is overwritten */
TEST_F(mode, CIRCULAR_can_be_read_at_any_time)
{
	struct properties q;
	ULONG i;

	ASSERT_EQ(0, start(self, EVENT_TRACE_FILE_MODE_CIRCULAR));
	for (i = 0; i < 30; i++) {
		write_events(self, 300);
		q = properties_for("");
		ASSERT_EQ(0, FlushTraceA(self->session, NULL, &q.p));
		ASSERT_EQ(0, read_log());
		EXPECT_EQ(self->written - 1, got.last);
		EXPECT_EQ(0, got.gaps);
	}
}

static bool has_ended(TRACEHANDLE session)
{
	struct properties p = properties_for("");

	return QueryTraceA(session, NULL, &p.p) == ERROR_WMI_INSTANCE_NOT_FOUND;
}

/* The session ends at the limit, with a complete file of all counted events */
TEST_F(mode, SEQUENTIAL_ends_at_its_limit)
{
	ULONG i, code;

	ASSERT_EQ(0, start(self, EVENT_TRACE_FILE_MODE_SEQUENTIAL));
	for (i = 0; i < 1000 && !has_ended(self->session); i++) {
		write_events(self, 100);
		usleep(1000);
	}
	ASSERT_TRUE(EVENTUALLY(has_ended(self->session)));
	self->session = 0;
	EXPECT_EQ(LIMIT_KB * KB, size_of(LOG));
	EXPECT_TRUE(EVENTUALLY(!EventProviderEnabled(self->handle, 0, 0)));
	ASSERT_EQ(0, read_log());
	EXPECT_EQ(0, got.first);
	EXPECT_LT(0, got.count);
	EXPECT_EQ(LIMIT_KB / BUFFER_KB, got.buffers);
	/* The name is free at once, the file when the kernel has closed it */
	do {
		usleep(10000);
		code = start(self, EVENT_TRACE_FILE_MODE_SEQUENTIAL);
	} while (code == ERROR_BAD_PATHNAME && ++i < 7000);
	EXPECT_EQ(0, code);
}

TEST_F(mode, NONE_has_no_limit)
{
	ASSERT_EQ(0, start(self, EVENT_TRACE_FILE_MODE_NONE));
	write_events(self, 2 * LIMIT_KB * KB / 280);
	EXPECT_EQ(0, session_stop(self->session, NULL));
	self->session = 0;
	EXPECT_LT(LIMIT_KB * KB, size_of(LOG));
	ASSERT_EQ(0, read_log());
	EXPECT_EQ(self->written, got.count);
}

TEST_F(mode, PREALLOCATE_sets_the_files_length_at_the_start)
{
	ASSERT_EQ(0, start(self, EVENT_TRACE_FILE_MODE_SEQUENTIAL |
				 EVENT_TRACE_FILE_MODE_PREALLOCATE));
	EXPECT_EQ(LIMIT_KB * KB, size_of(LOG));
	write_events(self, 10);
	EXPECT_EQ(0, session_stop(self->session, NULL));
	self->session = 0;
	EXPECT_EQ(2 * BUFFER_KB * KB, size_of(LOG));
	ASSERT_EQ(0, read_log());
	EXPECT_EQ(10, got.count);
}

#define SERIES		"/tmp/logmode-%d.etl"
#define NEWFILE		EVENT_TRACE_FILE_MODE_NEWFILE

static ULONG start_series(FIXTURE_DATA(mode) *self, const char *pattern,
			  ULONG mode)
{
	strcpy(self->p.log, pattern);
	return start(self, mode | NEWFILE);
}

static ULONG increment(TRACEHANDLE session, struct properties *out)
{
	*out = properties_for("");
	return ControlTraceA(session, NULL, &out->p,
			     EVENT_TRACE_CONTROL_INCREMENT_FILE);
}

/* Read all files of a series in order; returns their number */
static unsigned int read_series(void)
{
	char path[64];
	unsigned int n;

	memset(&got, 0, sizeof(got));
	for (n = 1; sprintf(path, SERIES, n), size_of(path) >= 0; n++) {
		if (size_of(path) > LIMIT_KB * KB || read_more(path))
			return 0;
		unlink(path);
	}
	return n - 1;
}

/* Numbers begin with 1; a query returns the name of the current file */
TEST_F(mode, NEWFILE_continues_in_another_file)
{
	struct properties q = properties_for("");

	ASSERT_EQ(0, start_series(self, SERIES, 0));
	ASSERT_EQ(0, QueryTraceA(self->session, NULL, &q.p));
	EXPECT_STREQ("/tmp/logmode-1.etl", q.log);
	write_events(self, 5 * LIMIT_KB * KB / 280);
	/* Before the flush, the last buffer may be incomplete */
	ASSERT_EQ(0, FlushTraceA(self->session, NULL, &q.p));
	EXPECT_STRNE("/tmp/logmode-1.etl", q.log);
	EXPECT_EQ(0, size_of(q.log) % (BUFFER_KB * KB));
	EXPECT_EQ(0, session_stop(self->session, &q));
	self->session = 0;
	EXPECT_EQ(NEWFILE | EVENT_TRACE_USE_KBYTES_FOR_SIZE, q.p.LogFileMode);
	EXPECT_EQ(0, q.p.LogBuffersLost);
	EXPECT_LE(5, read_series());
	EXPECT_EQ(self->written, self->accepted);
	EXPECT_EQ(self->written, got.count);
	EXPECT_EQ(0, got.first);
	EXPECT_EQ(0, got.gaps);
}

/* With real-time mode, and with a second file that exists already */
TEST_F(mode, NEWFILE_overwrites_existing_files)
{
	ASSERT_EQ(0, system("head -c 999999 /dev/zero > /tmp/logmode-2.etl"));
	ASSERT_EQ(0, start_series(self, SERIES, EVENT_TRACE_REAL_TIME_MODE));
	write_events(self, 2 * LIMIT_KB * KB / 280);
	EXPECT_EQ(0, session_stop(self->session, NULL));
	self->session = 0;
	EXPECT_LE(2, read_series());
	EXPECT_EQ(self->written, got.count);
	EXPECT_EQ(0, got.gaps);
}

TEST_F(mode, NEWFILE_without_a_limit_is_ERROR_INVALID_PARAMETER)
{
	self->p.p.MaximumFileSize = 0;
	EXPECT_EQ(87, start_series(self, SERIES, 0));
	EXPECT_EQ(-1, size_of("/tmp/logmode-1.etl"));
}

/* The name must contain exactly one %d, in its last component */
TEST_F(mode, NEWFILE_without_a_placeholder_is_ERROR_INVALID_PARAMETER)
{
	static const char * const names[] = {
		LOG, "/tmp/logmode-%s.etl", "/tmp/logmode-%d-%d.etl",
		"/tmp/logmode-%d%%.etl", "/tmp/100%-%d.etl", "/tmp/%d/1.etl",
		"/tmp/logmode-%", "/tmp/logmode-%D.etl",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		EXPECT_EQ(87, start_series(self, names[i], 0)) {
			TH_LOG("%s", names[i]);
		}
	}
	strcpy(self->p.log, "");
	EXPECT_EQ(161, start(self, NEWFILE));
	EXPECT_EQ(-1, size_of(LOG));
}

TEST_F(mode, NEWFILE_on_a_file_of_another_session_is_ERROR_BAD_PATHNAME)
{
	struct properties p;
	TRACEHANDLE other;

	ASSERT_EQ(0, start_series(self, SERIES, 0));
	write_events(self, LIMIT_KB * KB / 280);
	p = properties_for("");
	EXPECT_EQ(0, FlushTraceA(self->session, NULL, &p.p));
	EXPECT_STREQ("/tmp/logmode-2.etl", p.log);
	p = properties_for("/tmp/logmode-2.etl");
	if (!StartTraceA(&other, "other", &p.p)) {
		session_stop(other, NULL);
		ASSERT_TRUE(false);
	}
	EXPECT_EQ(161, StartTraceA(&other, "other", &p.p));
	EXPECT_LT(0, size_of("/tmp/logmode-2.etl"));
	EXPECT_EQ(0, session_stop(self->session, NULL));
	self->session = 0;
	EXPECT_EQ(2, read_series());
	EXPECT_EQ(self->written, got.count);
}

TEST_F(mode, INCREMENT_FILE_switches_to_the_next_file_at_once)
{
	struct properties q;
	ULONG i;

	ASSERT_EQ(0, start_series(self, SERIES, 0));
	for (i = 0; i < 12; i++) {
		write_events(self, 10);
		ASSERT_EQ(0, increment(self->session, &q));
	}
	EXPECT_STREQ("/tmp/logmode-13.etl", q.log);
	ASSERT_EQ(0, session_stop(self->session, NULL));
	self->session = 0;
	EXPECT_EQ(13, read_series());
	EXPECT_EQ(120, got.count);
	EXPECT_EQ(0, got.gaps);
}

TEST_F(mode, INCREMENT_FILE_without_NEWFILE_is_ERROR_INVALID_PARAMETER)
{
	struct properties q;

	ASSERT_EQ(0, start(self, EVENT_TRACE_FILE_MODE_SEQUENTIAL));
	EXPECT_EQ(87, increment(self->session, &q));
}

TEST_F(mode, INCREMENT_FILE_of_an_unknown_session_is_ERROR_WMI_INSTANCE_NOT_FOUND)
{
	struct properties q = properties_for("");

	EXPECT_EQ(4201, ControlTraceA(0, "nobody", &q.p,
				      EVENT_TRACE_CONTROL_INCREMENT_FILE));
}

/* The session continues in its current file */
TEST_F(mode, a_failed_INCREMENT_FILE_returns_the_reason)
{
	struct properties q;

	ASSERT_EQ(0, mkdir("/tmp/logmode-2.etl", 0755));
	ASSERT_EQ(0, start_series(self, SERIES, 0));
	write_events(self, 10);
	EXPECT_EQ(161, increment(self->session, &q));
	write_events(self, 10);
	rmdir("/tmp/logmode-2.etl");
	EXPECT_EQ(0, increment(self->session, &q));
	EXPECT_EQ(0, session_stop(self->session, NULL));
	self->session = 0;
	EXPECT_EQ(2, read_series());
	EXPECT_EQ(20, got.count);
}

TEST_F(mode, UpdateTrace_starts_another_series)
{
	struct properties q = properties_for("/tmp/logmode-other-%d.etl");

	ASSERT_EQ(0, start_series(self, SERIES, 0));
	write_events(self, 10);
	ASSERT_EQ(0, UpdateTraceA(self->session, NULL, &q.p));
	EXPECT_STREQ("/tmp/logmode-other-1.etl", q.log);
	q = properties_for(LOG);
	EXPECT_EQ(87, UpdateTraceA(self->session, NULL, &q.p));
	EXPECT_EQ(-1, size_of(LOG));
	write_events(self, 10);
	EXPECT_EQ(0, session_stop(self->session, NULL));
	self->session = 0;
	EXPECT_EQ(1, read_series());
	EXPECT_EQ(10, got.count);
	EXPECT_EQ(0, read_more("/tmp/logmode-other-1.etl"));
	EXPECT_EQ(20, got.count);
	unlink("/tmp/logmode-other-1.etl");
}

TEST_F(mode, MaximumFileSize_is_in_MB_without_USE_KBYTES)
{
	self->p.p.MaximumFileSize = 1;
	self->p.p.LogFileMode = EVENT_TRACE_FILE_MODE_SEQUENTIAL |
				EVENT_TRACE_FILE_MODE_PREALLOCATE;
	ASSERT_EQ(0, StartTraceA(&self->session, "logmode", &self->p.p));
	EXPECT_EQ(1024 * KB, size_of(LOG));
}

struct processor {
	pthread_t thread;
	REGHANDLE handle;
	int number;
};

static void *write_there(void *arg)
{
	const struct processor *p = arg;
	EVENT_DATA_DESCRIPTOR d;
	ULONG i;

	stay_on(p->number);
	EventDataDescCreate(&d, "there", 5);
	for (i = 0; i < 3000; i++)
		EventWrite(p->handle, &descriptor, 1, &d);
	return NULL;
}

/* Order of events in a file */
struct in_order {
	int64_t last;
	ULONG older;
	ULONG elsewhere;
	ULONG count;
};

static void look_at(const struct etl_event *e, void *context)
{
	struct in_order *o = context;

	o->count++;
	o->older += e->time < o->last;
	o->last = e->time;
	o->elsewhere += e->cpu != 0;
}

/* Write on each of up to four processors; returns their number */
static int write_everywhere(REGHANDLE handle)
{
	int i, count = sysconf(_SC_NPROCESSORS_ONLN);
	struct processor p[4];

	count = count < 4 ? count : 4;
	for (i = 0; i < count; i++) {
		p[i] = (struct processor) { 0, handle, i };
		pthread_create(&p[i].thread, NULL, write_there, &p[i]);
	}
	for (i = 0; i < count; i++)
		pthread_join(p[i].thread, NULL);
	return count;
}

/*
 * Writers on all processors share one buffer, so events are in order in the
 * file, except for buffers that were still being written when the next one was
 * full; readers sort those.  There are more of these, by chance, on a host that
 * often stops a processor during a write.
 */
TEST_F(mode, NO_PER_PROCESSOR_BUFFERING_shares_one_buffer)
{
	unsigned int rounds = 0, written;
	struct in_order o;
	struct properties q;
	struct etl_scan scan;

	self->p.p.MaximumBuffers = 400;
	do {
		ASSERT_EQ(0, start(self, EVENT_TRACE_NO_PER_PROCESSOR_BUFFERING));
		written = 3000 * write_everywhere(self->handle);
		EXPECT_EQ(0, session_stop(self->session, &q));
		self->session = 0;
		EXPECT_EQ(EVENT_TRACE_NO_PER_PROCESSOR_BUFFERING |
			  EVENT_TRACE_USE_KBYTES_FOR_SIZE, q.p.LogFileMode);
		memset(&o, 0, sizeof(o));
		ASSERT_TRUE(etl_scan(LOG, &scan, look_at, &o)) {
			TH_LOG("%s", scan.error);
		}
		EXPECT_EQ(written - q.p.EventsLost, o.count);
		EXPECT_EQ(0, o.elsewhere);
		/* Buffers are full, instead of half full for each processor */
		EXPECT_GE(o.count * 88 / (BUFFER_KB * KB - 72 - 88) + 2,
			  scan.buffers);
	} while (o.older > o.count / 1000 && ++rounds < 20);
	EXPECT_GT(20, rounds);
}

#define CIRCULAR	EVENT_TRACE_FILE_MODE_CIRCULAR
#define PREALLOCATE	EVENT_TRACE_FILE_MODE_PREALLOCATE
#define SEQUENTIAL	EVENT_TRACE_FILE_MODE_SEQUENTIAL
#define PRIVATE		(EVENT_TRACE_PRIVATE_LOGGER_MODE | \
			 EVENT_TRACE_PRIVATE_IN_PROC)

TEST_F(mode, contradictory_modes_are_ERROR_INVALID_PARAMETER)
{
	EXPECT_EQ(87, start(self, SEQUENTIAL | CIRCULAR));
	EXPECT_EQ(87, start(self, CIRCULAR | NEWFILE));
	EXPECT_EQ(87, start(self, SEQUENTIAL | NEWFILE));
	self->p.p.MaximumFileSize = 0;
	EXPECT_EQ(87, start(self, CIRCULAR));
	EXPECT_EQ(87, start(self, PREALLOCATE));
	/* Room for the header, but for no buffer of events */
	self->p.p.MaximumFileSize = 2 * BUFFER_KB - 1;
	EXPECT_EQ(87, start(self, CIRCULAR));
	EXPECT_EQ(87, start(self, SEQUENTIAL));
	EXPECT_EQ(0, self->session);
}

/* Documented pairs that exclude each other, supported or not */
TEST_F(mode, modes_that_exclude_each_other_are_ERROR_INVALID_PARAMETER)
{
	static const ULONG pairs[][2] = {
		{ EVENT_TRACE_FILE_MODE_APPEND, CIRCULAR },
		{ EVENT_TRACE_FILE_MODE_APPEND, NEWFILE },
		{ EVENT_TRACE_FILE_MODE_APPEND, EVENT_TRACE_REAL_TIME_MODE },
		{ EVENT_TRACE_FILE_MODE_APPEND,
		  EVENT_TRACE_PRIVATE_LOGGER_MODE },
		{ EVENT_TRACE_BUFFERING_MODE, SEQUENTIAL },
		{ EVENT_TRACE_BUFFERING_MODE, CIRCULAR },
		{ EVENT_TRACE_BUFFERING_MODE, EVENT_TRACE_FILE_MODE_APPEND },
		{ EVENT_TRACE_BUFFERING_MODE, NEWFILE },
		{ EVENT_TRACE_BUFFERING_MODE, EVENT_TRACE_REAL_TIME_MODE },
		{ EVENT_TRACE_PRIVATE_LOGGER_MODE, EVENT_TRACE_REAL_TIME_MODE },
		{ EVENT_TRACE_PRIVATE_LOGGER_MODE, PREALLOCATE },
		{ EVENT_TRACE_PRIVATE_LOGGER_MODE, NEWFILE },
		{ EVENT_TRACE_PRIVATE_LOGGER_MODE,
		  EVENT_TRACE_INDEPENDENT_SESSION_MODE },
		{ EVENT_TRACE_USE_GLOBAL_SEQUENCE,
		  EVENT_TRACE_USE_LOCAL_SEQUENCE },
		{ EVENT_TRACE_USE_PAGED_MEMORY,
		  EVENT_TRACE_SYSTEM_LOGGER_MODE },
		/* Requires EVENT_TRACE_PRIVATE_LOGGER_MODE */
		{ EVENT_TRACE_PRIVATE_IN_PROC, 0 },
	};
	size_t i;

	for (i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		EXPECT_EQ(87, start(self, pairs[i][0] | pairs[i][1])) {
			TH_LOG("%#x", pairs[i][0] | pairs[i][1]);
		}
	}
	EXPECT_EQ(0, self->session);
}

TEST_F(mode, unsupported_modes_are_ERROR_NOT_SUPPORTED)
{
	static const ULONG modes[] = {
		EVENT_TRACE_NONSTOPPABLE_MODE,
		PRIVATE | EVENT_TRACE_BUFFERING_MODE,
		PRIVATE | EVENT_TRACE_SECURE_MODE,
		EVENT_TRACE_RELOG_MODE,
		EVENT_TRACE_MODE_RESERVED,
		EVENT_TRACE_PERSIST_ON_HYBRID_SHUTDOWN,
		EVENT_TRACE_COMPRESSED_MODE,
		EVENT_TRACE_ADDTO_TRIAGE_DUMP,
		0x10u, 0x40000u, 0x80000u, 0x200000u, 0x20000000u, 0x40000000u,
	};
	size_t i;

	for (i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		EXPECT_EQ(50, start(self, modes[i])) {
			TH_LOG("%#x", modes[i]);
		}
	}
	EXPECT_EQ(0, self->session);
	/* No failed start has touched the file */
	EXPECT_EQ(-1, size_of(LOG));
}

/* Modes from a query and from the log's header */
TEST_F(mode, modes_without_effect_are_accepted_and_returned)
{
	static const ULONG modes[] = {
		EVENT_TRACE_DELAY_OPEN_FILE_MODE,
		EVENT_TRACE_ADD_HEADER_MODE,
		EVENT_TRACE_USE_GLOBAL_SEQUENCE,
		EVENT_TRACE_USE_LOCAL_SEQUENCE,
		EVENT_TRACE_STOP_ON_HYBRID_SHUTDOWN,
		EVENT_TRACE_USE_PAGED_MEMORY,
	};
	EVENT_TRACE_LOGFILEA l;
	struct properties q;
	TRACEHANDLE h;
	size_t i;

	for (i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		ASSERT_EQ(0, start(self, modes[i])) {
			TH_LOG("%#x", modes[i]);
		}
		write_events(self, 10);
		EXPECT_EQ(0, session_stop(self->session, &q));
		self->session = 0;
		EXPECT_EQ(modes[i] | EVENT_TRACE_USE_KBYTES_FOR_SIZE,
			  q.p.LogFileMode);
		ASSERT_EQ(0, read_log());
		EXPECT_EQ(10, got.count);
		l = (EVENT_TRACE_LOGFILEA) { .LogFileName = (char *)LOG };
		h = OpenTraceA(&l);
		EXPECT_EQ(q.p.LogFileMode, l.LogfileHeader.LogFileMode);
		CloseTrace(h);
	}
}

TEST_HARNESS_MAIN
