// SPDX-License-Identifier: GPL-2.0
/*
 * Log files in append mode: old events stay, new ones follow in order; a file
 * that is no log, or another kind of log, is refused and stays unchanged.
 */
#include <sys/wait.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/etl_scan.h"
#include "selftests/evntprov/common/lib.h"

#include "selftests/evntprov/common/device.h"

#define DIR		"/tmp/append"
#define LOG		DIR "/log.etl"
#define SIZE		8192u
#define H		HANDLE(1, 1)

/* Offsets in the file's header buffer */
#define RECORD		0x48
#define INFO		0x68

FIXTURE(file) {
	int prov;
	int trace;
	__u64 session;
	struct evntrace_start arg;
	__u16 name[16];
	uint32_t written;
};

FIXTURE_SETUP(file)
{
	ASSERT_EQ(0, system("rm -rf " DIR "; mkdir " DIR));
	self->session = 0;
	self->written = 0;
	self->prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
	self->arg = start_arg(self->name, "append", -1);
	self->arg.log_file_mode = EVNTRACE_MODE_APPEND |
				  EVNTRACE_MODE_USE_KBYTES;
	self->arg.clock_type = EVNTRACE_CLOCK_SYSTEM_TIME;
	self->arg.buffer_size = SIZE;
}

FIXTURE_TEARDOWN(file)
{
	if (self->session)
		dev_stop(self->trace, self->session, NULL);
	close(self->prov);
	close(self->trace);
	EXPECT_EQ(0, system("rm -rf " DIR));
}

static int start_on(FIXTURE_DATA(file) *self, int fd)
{
	int err;

	self->arg.log_fd = fd;
	err = do_ioctl(self->trace, EVNTRACE_IOC_START, &self->arg);
	close(fd);
	if (err)
		return err;
	self->session = self->arg.handle;
	return dev_enable(self->trace, self->session, 1);
}

static int start(FIXTURE_DATA(file) *self)
{
	return start_on(self, open(LOG, O_RDWR | O_CREAT | O_CLOEXEC, 0644));
}

/* Write numbered events; a flush puts them into one buffer per processor */
static void write_events(FIXTURE_DATA(file) *self, unsigned int count)
{
	while (count--) {
		dev_write(self->prov, H, &self->written,
			  sizeof(self->written));
		self->written++;
	}
	dev_control(self->trace, EVNTRACE_CONTROL_FLUSH, self->session, NULL);
}

static struct evntrace_session stop(FIXTURE_DATA(file) *self)
{
	struct evntrace_session q = {};

	dev_stop(self->trace, self->session, &q);
	self->session = 0;
	return q;
}

static bool contents(const char *path, uint8_t *to, size_t len)
{
	int fd = open(path, O_RDONLY);
	bool ok = pread(fd, to, len, 0) == len;

	close(fd);
	return ok;
}

/* Event numbers in the order of ProcessTrace() */
static struct {
	uint32_t next;
	uint32_t wrong;
} seen;

static VOID WINAPI see(PEVENT_RECORD r)
{
	uint32_t number;

	if (r->UserDataLength != sizeof(number))
		return;
	memcpy(&number, r->UserData, sizeof(number));
	seen.wrong += number != seen.next++;
}

static ULONG process(void)
{
	EVENT_TRACE_LOGFILEA l = {
		.LogFileName = (char *)LOG,
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
		.EventRecordCallback = see,
	};

	memset(&seen, 0, sizeof(seen));
	return log_process(&l);
}

/* Whether the buffers' sequence numbers rise on each processor */
static bool sequences_rise(const char *path)
{
	uint64_t last[1024] = {}, at, sequence;
	static uint8_t f[8 << 20];
	int fd = open(path, O_RDONLY);
	ssize_t len = read(fd, f, sizeof(f));

	close(fd);
	for (at = SIZE; at + SIZE <= len; at += SIZE) {
		sequence = etl_u64(f + at + 0x18);
		if (sequence <= last[etl_u16(f + at + 0x28) % 1024])
			return false;
		last[etl_u16(f + at + 0x28) % 1024] = sequence;
	}
	return len > 0;
}

/* Check that the log holds all events so far, during a session and after it */
static void check_log(struct __test_metadata *_metadata,
		      const FIXTURE_DATA(file) *self, struct etl_scan *scan)
{
	EXPECT_TRUE(etl_scan(LOG, scan, NULL, NULL)) {
		TH_LOG("%s", scan->error);
	}
	EXPECT_EQ(self->written, scan->events);
	EXPECT_EQ(!self->session, scan->end_time != 0);
}

TEST_F(file, a_file_is_continued_by_successive_sessions)
{
	struct etl_scan scan, first = {};
	int64_t last = 0;
	struct evntrace_session q;
	unsigned int n;

	for (n = 0; n < 4; n++) {
		ASSERT_EQ(0, start(self));
		write_events(self, 300);
		check_log(_metadata, self, &scan);
		write_events(self, 200);
		q = stop(self);
		check_log(_metadata, self, &scan);
		EXPECT_EQ(500, q.events);
		EXPECT_EQ(scan.buffers_written, q.buffers_written);
		EXPECT_EQ((uint64_t)scan.buffers_written * SIZE,
			  q.bytes_written);
		if (!n)
			first = scan;
		EXPECT_EQ(first.start_time, scan.start_time);
		EXPECT_EQ(first.base, scan.base);
		EXPECT_EQ(first.processors, scan.processors);
		/* The query has the start of the session, not of the file */
		EXPECT_LE(last, (int64_t)q.start_time);
		last = scan.end_time;
	}
	EXPECT_TRUE(sequences_rise(LOG));
	EXPECT_EQ(0, process());
	EXPECT_EQ(2000, seen.next);
	EXPECT_EQ(0, seen.wrong);
}

/* A machine has gained a processor, or one wrote that the header lacks */
TEST_F(file, a_file_of_fewer_processors_is_continued)
{
	static const uint32_t one = 1;
	struct etl_scan scan, first = {};
	int fd;

	ASSERT_EQ(0, start(self));
	write_events(self, 10);
	stop(self);
	check_log(_metadata, self, &first);
	fd = open(LOG, O_RDWR | O_CLOEXEC);
	ASSERT_EQ(4, pwrite(fd, &one, 4, INFO + 0x0c));
	close(fd);
	ASSERT_EQ(0, start(self));
	write_events(self, 10);
	stop(self);
	check_log(_metadata, self, &scan);
	EXPECT_EQ(first.processors, scan.processors);
}

/* The loss counters of the old part are kept */
TEST_F(file, counters_continue_from_the_file)
{
	uint32_t lost[2] = { 7, 3 };
	struct etl_scan scan;
	int fd;

	ASSERT_EQ(0, start(self));
	write_events(self, 10);
	stop(self);
	fd = open(LOG, O_WRONLY);
	pwrite(fd, &lost[0], 4, INFO + 0x30);
	pwrite(fd, &lost[1], 4, INFO + 0x114);
	close(fd);
	ASSERT_EQ(0, start(self));
	write_events(self, 10);
	EXPECT_EQ(0, stop(self).events_lost);
	check_log(_metadata, self, &scan);
	EXPECT_EQ(7, scan.events_lost);
	EXPECT_EQ(3, scan.buffers_lost);
}

/* Simulate a crash: the last buffer is incomplete */
TEST_F(file, bytes_after_the_last_whole_buffer_are_overwritten)
{
	struct etl_scan scan;

	ASSERT_EQ(0, start(self));
	write_events(self, 10);
	stop(self);
	ASSERT_EQ(0, system("head -c 5000 " LOG " >> " LOG));
	ASSERT_EQ(0, start(self));
	write_events(self, 10);
	check_log(_metadata, self, &scan);
	stop(self);
	check_log(_metadata, self, &scan);
	ASSERT_EQ(0, system("head -c 5000 " LOG " >> " LOG));
	ASSERT_EQ(0, start(self));
	stop(self);
	check_log(_metadata, self, &scan);
}

/* The header is older than the buffers, and zeros precede them */
TEST_F(file, buffers_that_the_header_does_not_count_are_kept)
{
	struct etl_scan scan;

	ASSERT_EQ(0, start(self));
	write_events(self, 10);
	ASSERT_EQ(0, system("head -c 8192 " LOG " > " DIR "/header"));
	write_events(self, 10);
	stop(self);
	ASSERT_EQ(0, system("dd conv=notrunc status=none if=" DIR "/header of="
			    LOG));
	ASSERT_EQ(0, start(self));
	write_events(self, 10);
	stop(self);
	check_log(_metadata, self, &scan);
}

TEST_F(file, PREALLOCATE_extends_the_file_to_its_limit)
{
	struct etl_scan scan;

	ASSERT_EQ(0, start(self));
	write_events(self, 10);
	stop(self);
	self->arg.log_file_mode |= EVNTRACE_MODE_PREALLOCATE;
	self->arg.max_file_size = 256;
	ASSERT_EQ(0, start(self));
	EXPECT_EQ(256 * 1024, size_of(LOG));
	write_events(self, 10);
	stop(self);
	check_log(_metadata, self, &scan);
	EXPECT_GT(256 * 1024, size_of(LOG));
}

TEST_F(file, the_size_limit_includes_old_events)
{
	off_t size;

	ASSERT_EQ(0, start(self));
	write_events(self, 300);
	write_events(self, 300);
	stop(self);
	size = size_of(LOG);
	self->arg.max_file_size = size / 1024;
	EXPECT_EQ(EFBIG, start(self));
	EXPECT_EQ(size, size_of(LOG));
	self->arg.max_file_size = size / 1024 + SIZE / 1024;
	EXPECT_EQ(0, start(self));
	write_events(self, 1);
	EXPECT_TRUE(EVENTUALLY(dev_control(self->trace, DEV_QUERY,
					   self->session, NULL) == ESRCH));
	self->session = 0;
	EXPECT_EQ(size + SIZE, size_of(LOG));
}

/* Without a buffer size in the arguments, the file's is used */
TEST_F(file, the_buffer_size_must_match_the_file)
{
	struct evntrace_session q;

	self->arg.buffer_size = 3 * SIZE;
	ASSERT_EQ(0, start(self));
	stop(self);
	self->arg.buffer_size = 0;
	ASSERT_EQ(0, start(self));
	q = stop(self);
	EXPECT_EQ(3 * SIZE, q.buffer_size);
	self->arg.buffer_size = SIZE;
	EXPECT_EQ(EINVAL, start(self));
}

/* Check that a file with one changed field is refused and left unchanged */
static void refuses(struct __test_metadata *_metadata,
		    FIXTURE_DATA(file) *self, off_t at, const void *with,
		    size_t len)
{
	struct dev_status status = dev_status();
	uint8_t was[16], before[8 * SIZE], after[8 * SIZE];
	int fd = open(LOG, O_RDWR);
	off_t size = size_of(LOG);

	ASSERT_EQ(len, pread(fd, was, len, at));
	ASSERT_EQ(len, pwrite(fd, with, len, at));
	contents(LOG, before, sizeof(before));
	EXPECT_EQ(EINVAL, start(self)) {
		TH_LOG("at %#lx", (long)at);
	}
	contents(LOG, after, sizeof(after));
	EXPECT_EQ(0, memcmp(before, after, size < sizeof(after) ? size :
						sizeof(after)));
	EXPECT_EQ(size, size_of(LOG));
	EXPECT_TRUE(dev_status_is(&status));
	ASSERT_EQ(len, pwrite(fd, was, len, at));
	close(fd);
}

TEST_F(file, hostile_headers_are_rejected)
{
	static const uint32_t sizes[] = { 0, 1, 71, 0xffffffff, 1u << 30 };
	static const uint64_t sequences[] = { INT64_MAX, 1ull << 63, -1ull };
	static const uint16_t wrong = 0x7777;
	static const uint32_t modes[] = { 2, 0x04000000 };
	size_t i;

	ASSERT_EQ(0, start(self));
	write_events(self, 10);
	stop(self);
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		refuses(_metadata, self, 0, &sizes[i], 4);
		refuses(_metadata, self, 4, &sizes[i], 4);
		refuses(_metadata, self, INFO, &sizes[i], 4);
		refuses(_metadata, self, SIZE, &sizes[i], 4);
		refuses(_metadata, self, SIZE + 4, &sizes[i], 4);
	}
	for (i = 0; i < ARRAY_SIZE(sequences); i++)
		refuses(_metadata, self, SIZE + 0x18, &sequences[i], 8);
	for (i = 0; i < ARRAY_SIZE(modes); i++)
		refuses(_metadata, self, INFO + 0x20, &modes[i], 4);
	refuses(_metadata, self, 0x36, &wrong, 2);
	refuses(_metadata, self, RECORD, &wrong, 2);
	refuses(_metadata, self, RECORD + 2, &wrong, 2);
	refuses(_metadata, self, INFO + 0x04, &wrong, 2);	/* version */
	refuses(_metadata, self, INFO + 0x0c, &wrong, 2);	/* processors */
	refuses(_metadata, self, INFO + 0x2c, &wrong, 2);	/* pointers */
	refuses(_metadata, self, INFO + 0x110, &wrong, 2);	/* clock */
	refuses(_metadata, self, SIZE + 0x28, &wrong, 2);	/* its cpu */
	ASSERT_EQ(0, start(self));
}

/*
 * Random bytes: the result is an error or a session.  Kernel memory checkers
 * watch for the rest.
 */
TEST_F_TIMEOUT(file, random_headers_do_no_harm, 300)
{
	uint8_t good[2 * SIZE], bad[2 * SIZE];
	unsigned int i, k, taken = 0;
	int fd;

	srand(1);
	ASSERT_EQ(0, start(self));
	write_events(self, 10);
	stop(self);
	ASSERT_TRUE(contents(LOG, good, sizeof(good)));
	for (i = 0; i < 100; i++) {
		memcpy(bad, good, sizeof(bad));
		for (k = 0; k < 1 + i % 4; k++)
			bad[rand() % (i % 2 ? 0x180 : sizeof(bad))] = rand();
		fd = open(LOG, O_WRONLY | O_TRUNC);
		ASSERT_LT(0, write(fd, bad, rand() % 8 ? sizeof(bad) :
						rand() % sizeof(bad)));
		close(fd);
		if (start(self))
			continue;
		write_events(self, 1);
		stop(self);
		taken++;
	}
	EXPECT_LT(0, taken);
	EXPECT_LT(taken, i);
}

TEST_F(file, modes_that_exclude_APPEND_are_EINVAL)
{
	static const __u32 modes[] = {
		EVNTRACE_MODE_CIRCULAR, EVNTRACE_MODE_NEWFILE,
		EVNTRACE_MODE_REAL_TIME, EVNTRACE_MODE_BUFFERING,
	};
	size_t i;

	self->arg.max_file_size = 1000;
	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		self->arg.log_file_mode = EVNTRACE_MODE_APPEND | modes[i];
		EXPECT_EQ(EINVAL, start(self));
	}
	self->arg.log_file_mode = EVNTRACE_MODE_APPEND;
	self->arg.clock_type = EVNTRACE_CLOCK_QPC;
	EXPECT_EQ(EINVAL, start(self));
	self->arg.clock_type = 0;
	EXPECT_EQ(EINVAL, start(self));
	self->arg.clock_type = EVNTRACE_CLOCK_SYSTEM_TIME;
	EXPECT_EQ(EBADF, start_on(self, open(LOG, O_WRONLY)));
	EXPECT_EQ(EBADF, start_on(self, open(LOG, O_RDONLY)));
	EXPECT_EQ(0, size_of(LOG));
	/* Without append mode, a file that is not empty is refused */
	ASSERT_EQ(0, start(self));
	stop(self);
	self->arg.log_file_mode = 0;
	EXPECT_EQ(EINVAL, start(self));
}

TEST_F(file, UPDATE_to_a_file_with_content_is_EINVAL)
{
	struct evntrace_update arg = {
		.size = sizeof(arg), .flags = EVNTRACE_UPDATE_LOG,
		.log_name = (uintptr_t)self->name, .log_name_len = 1,
	};

	ASSERT_EQ(0, start(self));
	stop(self);
	ASSERT_EQ(0, rename(LOG, DIR "/old.etl"));
	ASSERT_EQ(0, start(self));
	arg.log_fd = open(DIR "/old.etl", O_RDWR);
	EXPECT_EQ(EINVAL, dev_ioctl(self->trace, self->session,
				    EVNTRACE_IOC_UPDATE, &arg));
	EXPECT_EQ(SIZE, size_of(DIR "/old.etl"));
	close(arg.log_fd);
	arg.log_fd = new_log(DIR "/new.etl");
	EXPECT_EQ(0, dev_ioctl(self->trace, self->session, EVNTRACE_IOC_UPDATE,
			       &arg));
	close(arg.log_fd);
}

TEST_F(file, a_failed_START_adds_nothing)
{
	struct etl_scan scan;
	off_t size;

	ASSERT_EQ(0, start(self));
	write_events(self, 10);
	stop(self);
	size = size_of(LOG);
	self->arg.time_zone = 1;
	EXPECT_EQ(EFAULT, start(self));
	EXPECT_EQ(size, size_of(LOG));
	check_log(_metadata, self, &scan);
}

/* Like StartTrace() with LogFileMode as documented */

static ULONG start_trace(struct properties *p, TRACEHANDLE *session)
{
	return StartTraceA(session, "append", &p->p);
}

static struct properties append_properties(void)
{
	struct properties p = properties_for(LOG);

	p.p.LogFileMode = EVENT_TRACE_FILE_MODE_APPEND;
	p.p.Wnode.ClientContext = 2;
	p.p.BufferSize = SIZE / 1024;
	return p;
}

TEST_F(file, StartTrace_creates_or_continues_the_file)
{
	struct properties p;
	struct etl_scan scan;
	TRACEHANDLE session;
	unsigned int n;

	for (n = 0; n < 3; n++) {
		p = append_properties();
		ASSERT_EQ(0, start_trace(&p, &session));
		EXPECT_EQ(EVENT_TRACE_FILE_MODE_APPEND, p.p.LogFileMode);
		ASSERT_EQ(0, dev_enable(self->trace, session, 1));
		self->session = session;
		write_events(self, 10);
		EXPECT_EQ(0, session_stop(session, NULL));
		self->session = 0;
		check_log(_metadata, self, &scan);
	}
}

TEST_F(file, StartTrace_with_another_clock_is_ERROR_INVALID_PARAMETER)
{
	struct properties p = append_properties();
	TRACEHANDLE session;

	p.p.Wnode.ClientContext = 0;
	EXPECT_EQ(87, start_trace(&p, &session));
	p.p.Wnode.ClientContext = 1;
	EXPECT_EQ(87, start_trace(&p, &session));
	EXPECT_EQ(-1, size_of(LOG));
}

TEST_F(file, StartTrace_with_another_BufferSize_is_ERROR_INVALID_PARAMETER)
{
	struct properties p = append_properties();
	TRACEHANDLE session;

	ASSERT_EQ(0, start_trace(&p, &session));
	EXPECT_EQ(0, session_stop(session, NULL));
	p = append_properties();
	p.p.BufferSize *= 2;
	EXPECT_EQ(87, start_trace(&p, &session));
	EXPECT_EQ(SIZE, size_of(LOG));
}

TEST_F(file, StartTrace_on_a_file_that_is_no_log_is_ERROR_INVALID_PARAMETER)
{
	struct properties p = append_properties();
	TRACEHANDLE session;

	ASSERT_EQ(0, system("seq 100000 > " LOG));
	EXPECT_EQ(87, start_trace(&p, &session));
	EXPECT_EQ(588895, size_of(LOG));
	p = append_properties();
	p.p.LogFileNameOffset = 0;
	EXPECT_EQ(161, start_trace(&p, &session));
}

TEST_F(file, StartTrace_on_the_log_of_another_session_is_ERROR_BAD_PATHNAME)
{
	struct properties p = append_properties();
	TRACEHANDLE session, other;

	ASSERT_EQ(0, start_trace(&p, &session));
	p = append_properties();
	EXPECT_EQ(161, StartTraceA(&other, "other", &p.p));
	EXPECT_EQ(0, session_stop(session, NULL));
}

TEST_F(file, StartTrace_on_a_file_beyond_its_limit_is_ERROR_LOG_FILE_FULL)
{
	struct properties p = append_properties();
	TRACEHANDLE session;

	ASSERT_EQ(0, start(self));
	write_events(self, 10);
	write_events(self, 10);
	stop(self);
	p.p.LogFileMode |= EVENT_TRACE_FILE_MODE_SEQUENTIAL |
			   EVENT_TRACE_USE_KBYTES_FOR_SIZE;
	p.p.MaximumFileSize = 2 * SIZE / 1024;
	EXPECT_EQ(1502, start_trace(&p, &session));
}

TEST_HARNESS_MAIN
