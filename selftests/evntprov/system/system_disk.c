// SPDX-License-Identifier: GPL-2.0
/*
 * Events of the kernel about requests to disks, by requests whose place and size
 * are known.
 */
#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/process.h"
#include "selftests/evntprov/system/disk.h"
#include "selftests/evntprov/system/system_log.h"
#include <evntsystem.h>

#define FLAGS		(EVENT_TRACE_FLAG_DISK_IO | EVENT_TRACE_FLAG_DISK_IO_INIT)
#define SYSTEM_MODE	EVENT_TRACE_SYSTEM_LOGGER_MODE

#define WRITE_AT	65536
#define WRITE_SIZE	8192
#define READ_AT		524288
#define READ_SIZE	4096

FIXTURE(disk) {
	struct disk disk;
	TRACEHANDLE session;
	struct system_log *log;
};

FIXTURE_SETUP(disk)
{
	ASSERT_TRUE(disk_make(&self->disk));
}

FIXTURE_TEARDOWN(disk)
{
	system_end(self->session, self->log);
	disk_remove(&self->disk);
}

/* Write, flush and read; false on failure */
static bool use(struct disk *d)
{
	memset(d->buffer, 1, WRITE_SIZE);
	return pwrite(d->fd, d->buffer, WRITE_SIZE, WRITE_AT) == WRITE_SIZE &&
	       !fsync(d->fd) &&
	       pread(d->fd, d->buffer, READ_SIZE, READ_AT) == READ_SIZE;
}

/* The event at the end of a request of the test's disk */
static const struct system_event *
find_end(FIXTURE_DATA(disk) *self, const struct system_log *log, uint8_t type)
{
	return next_event(log, NULL, DISK, type, 0,
			  DISK_MAJOR << 8 | self->disk.number);
}

static const struct system_event *
find_begin(const struct system_log *log, uint8_t type, uint64_t request)
{
	const struct system_event *e = NULL;

	do {
		e = next_event(log, e, DISK, type, 0, request);
	} while (e && field64(e, 0) != request);
	return e;
}

TEST_F(disk, a_request_has_an_event_at_its_begin_and_end)
{
	const struct {
		uint8_t type;
		uint8_t begin;
		uint32_t size;
		uint64_t offset;
	} want[] = {
		{ DISK_WRITE, DISK_WRITE_BEGIN, WRITE_SIZE, WRITE_AT },
		{ DISK_READ, DISK_READ_BEGIN, READ_SIZE, READ_AT },
	};
	const struct system_event *begin, *end;
	unsigned int i;
	int64_t took;

	ASSERT_EQ(0, system_start(KERNEL_LOGGER_NAMEA, SYSTEM_LOG, 0, FLAGS,
				  &self->session));
	took = -boot_ns();
	ASSERT_TRUE(use(&self->disk));
	took += boot_ns();
	self->log = system_log_end(&self->session);
	ASSERT_NE(NULL, self->log);
	EXPECT_EQ(0, self->log->lost);
	for (i = 0; i < 2; i++) {
		end = find_end(self, self->log, want[i].type);
		ASSERT_NE(NULL, end);
		EXPECT_EQ(3, end->version);
		EXPECT_EQ(52, end->len);
		EXPECT_EQ(want[i].size, field(end, 8));
		EXPECT_EQ(want[i].offset, field64(end, 16));
		EXPECT_EQ(0, field64(end, 24));
		begin = find_begin(self->log, want[i].begin, field64(end, 32));
		ASSERT_NE(NULL, begin);
		EXPECT_EQ(3, begin->version);
		EXPECT_EQ(12, begin->len);
		EXPECT_EQ(begin->tid, field(begin, 8));
		EXPECT_EQ(begin->tid, field(end, 48));
		EXPECT_NE(0, begin->tid);
		EXPECT_LE(begin->time, end->time);
		EXPECT_LT(0, (int64_t)field64(end, 40));
		EXPECT_GT(took, (int64_t)field64(end, 40));
	}
}

TEST_F(disk, a_flush_has_events_of_its_own)
{
	const struct system_event *begin, *end;

	ASSERT_EQ(0, system_start(KERNEL_LOGGER_NAMEA, SYSTEM_LOG, 0, FLAGS,
				  &self->session));
	ASSERT_TRUE(use(&self->disk));
	self->log = system_log_end(&self->session);
	ASSERT_NE(NULL, self->log);
	end = find_end(self, self->log, DISK_FLUSH);
	ASSERT_NE(NULL, end);
	EXPECT_EQ(3, end->version);
	EXPECT_EQ(28, end->len);
	EXPECT_LT(0, field64(end, 8));
	begin = find_begin(self->log, DISK_FLUSH_BEGIN, field64(end, 16));
	ASSERT_NE(NULL, begin);
	EXPECT_EQ(begin->tid, field(end, 24));
}

TEST_F(disk, each_flag_has_its_events)
{
	static const ULONG flags[] = { EVENT_TRACE_FLAG_DISK_IO,
				       EVENT_TRACE_FLAG_DISK_IO_INIT };
	unsigned int i;

	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, system_start("disk", SYSTEM_LOG, SYSTEM_MODE,
					  flags[i], &self->session));
		ASSERT_TRUE(use(&self->disk));
		self->log = system_log_end(&self->session);
		ASSERT_NE(NULL, self->log);
		EXPECT_EQ(!i, !!find_end(self, self->log, DISK_WRITE));
		EXPECT_EQ(i, !!next_event(self->log, NULL, DISK,
					  DISK_WRITE_BEGIN, 12, 0));
		system_log_free(self->log);
		self->log = NULL;
	}
}

TEST_F(disk, the_time_of_a_request_is_in_units_of_the_session)
{
	const char *path = "/tmp/system-time.etl";
	struct properties p = properties_for(path);
	const struct system_event *by_qpc, *by_time;
	struct system_log *log;
	TRACEHANDLE other;

	p.p.LogFileMode = SYSTEM_MODE;
	p.p.EnableFlags = FLAGS;
	p.p.Wnode.ClientContext = 2;	/* the time of day */
	ASSERT_EQ(0, StartTraceA(&other, "disk-time", &p.p));
	ASSERT_EQ(0, system_start("disk", SYSTEM_LOG, SYSTEM_MODE, FLAGS,
				  &self->session));
	ASSERT_TRUE(use(&self->disk));
	ASSERT_EQ(0, session_stop(other, NULL));
	self->log = system_log_end(&self->session);
	ASSERT_NE(NULL, self->log);
	log = system_log_read(path);
	unlink(path);
	ASSERT_NE(NULL, log);
	by_qpc = find_end(self, self->log, DISK_READ);
	ASSERT_NE(NULL, by_qpc);
	by_time = find_end(self, log, DISK_READ);
	ASSERT_NE(NULL, by_time);
	EXPECT_EQ(field64(by_qpc, 32), field64(by_time, 32));
	EXPECT_EQ(field64(by_qpc, 40) / 100, field64(by_time, 40));
	by_qpc = find_end(self, self->log, DISK_FLUSH);
	ASSERT_NE(NULL, by_qpc);
	by_time = find_end(self, log, DISK_FLUSH);
	ASSERT_NE(NULL, by_time);
	EXPECT_EQ(field64(by_qpc, 8) / 100, field64(by_time, 8));
	system_log_free(log);
}

TEST_F(disk, the_provider_of_disks_is_flags_by_keyword)
{
	const GUID io = SystemIoProviderGuid;
	struct properties p = properties_for("");

	ASSERT_EQ(0, system_start("disk", SYSTEM_LOG, SYSTEM_MODE, 0,
				  &self->session));
	ASSERT_EQ(0, EnableTraceEx2(self->session, &io,
				    EVENT_CONTROL_CODE_ENABLE_PROVIDER, 0,
				    SYSTEM_IO_KW_DISK_INIT, 0, 0, NULL));
	ASSERT_EQ(0, QueryTraceA(self->session, NULL, &p.p));
	EXPECT_EQ(EVENT_TRACE_FLAG_DISK_IO_INIT, p.p.EnableFlags);
	ASSERT_EQ(0, EnableTraceEx2(self->session, &io,
				    EVENT_CONTROL_CODE_ENABLE_PROVIDER, 0,
				    SYSTEM_IO_KW_DISK, 0, 0, NULL));
	ASSERT_EQ(0, QueryTraceA(self->session, NULL, &p.p));
	EXPECT_EQ(EVENT_TRACE_FLAG_DISK_IO, p.p.EnableFlags);
	ASSERT_TRUE(use(&self->disk));
	self->log = system_log_end(&self->session);
	ASSERT_NE(NULL, self->log);
	EXPECT_NE(NULL, find_end(self, self->log, DISK_READ));
}

/* An event that describes the test's disk, or NULL */
static const struct system_event *
find_name(FIXTURE_DATA(disk) *self, const struct system_log *log)
{
	return next_event(log, NULL, CONFIG, PHYSICAL_DISK, 0,
			  DISK_MAJOR << 8 | self->disk.number);
}

TEST_F(disk, a_disk_has_a_name_before_its_first_request)
{
	const struct system_event *e, *begin;
	char name[32];

	snprintf(name, sizeof(name), "loop%d", self->disk.number);
	ASSERT_EQ(0, system_start("disk", SYSTEM_LOG, SYSTEM_MODE, FLAGS,
				  &self->session));
	ASSERT_TRUE(use(&self->disk));
	self->log = system_log_end(&self->session);
	ASSERT_NE(NULL, self->log);
	e = find_name(self, self->log);
	ASSERT_NE(NULL, e);
	EXPECT_EQ(2, e->version);
	EXPECT_EQ(568, e->len);
	EXPECT_TRUE(is_text16(e, 40, name));
	/* Sectors of one size, one a track, one a cylinder */
	EXPECT_EQ(512, field(e, 4));
	EXPECT_EQ(1, field(e, 8));
	EXPECT_EQ(1, field(e, 12));
	EXPECT_EQ(DISK_SIZE / 512, field64(e, 16));
	begin = find_end(self, self->log, DISK_WRITE);
	ASSERT_NE(NULL, begin);
	begin = find_begin(self->log, DISK_WRITE_BEGIN, field64(begin, 32));
	ASSERT_NE(NULL, begin);
	EXPECT_LE(e->time, begin->time);
}

TEST_F(disk, a_session_names_the_disks_from_before_it)
{
	ASSERT_EQ(0, system_start("disk", SYSTEM_LOG, SYSTEM_MODE, FLAGS,
				  &self->session));
	ASSERT_TRUE(use(&self->disk));
	system_end(self->session, NULL);
	ASSERT_EQ(0, system_start("disk", SYSTEM_LOG, SYSTEM_MODE, FLAGS,
				  &self->session));
	self->log = system_log_end(&self->session);
	ASSERT_NE(NULL, self->log);
	EXPECT_NE(NULL, find_name(self, self->log));
}

TEST_F(disk, another_disk_with_the_number_has_its_own_name)
{
	const int number = self->disk.number;
	const struct system_event *e, *end;
	int64_t between;

	ASSERT_EQ(0, system_start("disk", SYSTEM_LOG, SYSTEM_MODE, FLAGS,
				  &self->session));
	ASSERT_TRUE(use(&self->disk));
	do {
		disk_remove(&self->disk);
		ASSERT_TRUE(disk_make(&self->disk));
	} while (self->disk.number != number);
	between = boot_ns();
	ASSERT_TRUE(use(&self->disk));
	self->log = system_log_end(&self->session);
	ASSERT_NE(NULL, self->log);
	e = nearest(self->log, true, between, CONFIG, PHYSICAL_DISK, 0,
		    DISK_MAJOR << 8 | number);
	ASSERT_NE(NULL, e);
	end = nearest(self->log, true, between, DISK, DISK_WRITE, 0,
		      DISK_MAJOR << 8 | number);
	ASSERT_NE(NULL, end);
	EXPECT_LT(e->time, end->time);
}

TEST_F(disk, only_a_session_with_requests_names_disks)
{
	ASSERT_EQ(0, system_start("disk", SYSTEM_LOG, SYSTEM_MODE,
				  EVENT_TRACE_FLAG_DISK_IO_INIT,
				  &self->session));
	ASSERT_TRUE(use(&self->disk));
	self->log = system_log_end(&self->session);
	ASSERT_NE(NULL, self->log);
	EXPECT_EQ(NULL, find_name(self, self->log));
}

TEST_F(disk, an_issued_request_may_have_a_call_stack)
{
	const CLASSIC_EVENT_ID id = { DiskIoGuid, DISK_READ_BEGIN };
	const struct system_event *begin, *end, *e;

	ASSERT_EQ(0, system_start("disk", SYSTEM_LOG, SYSTEM_MODE, FLAGS,
				  &self->session));
	ASSERT_EQ(0, TraceSetInformation(self->session, TraceStackTracingInfo,
					 (PVOID)&id, sizeof(id)));
	ASSERT_TRUE(use(&self->disk));
	self->log = system_log_end(&self->session);
	ASSERT_NE(NULL, self->log);
	end = find_end(self, self->log, DISK_READ);
	ASSERT_NE(NULL, end);
	begin = find_begin(self->log, DISK_READ_BEGIN, field64(end, 32));
	ASSERT_NE(NULL, begin);
	e = find_stack(self->log, begin->time, begin->tid);
	ASSERT_NE(NULL, e);
	EXPECT_EQ(begin->pid, field(e, 8));
	EXPECT_LT(16, e->len);
}

TEST_HARNESS_MAIN
