// SPDX-License-Identifier: GPL-2.0
/*
 * Events of the kernel about page faults, by pages that only this program uses.
 */
#include <linux/fs.h>
#include <sys/stat.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/process.h"
#include "selftests/evntprov/system/disk.h"
#include "selftests/evntprov/common/hotplug.h"
#include "selftests/evntprov/system/system_log.h"
#include <evntsystem.h>

#define SYSTEM_MODE	EVENT_TRACE_SYSTEM_LOGGER_MODE
#define FLAG		EVENT_TRACE_FLAG_MEMORY_PAGE_FAULTS
#define PAGES		8

FIXTURE(faults) {
	TRACEHANDLE session;
	struct system_log *log;
	char *pages;
	long page;
};

FIXTURE_SETUP(faults)
{
	self->page = sysconf(_SC_PAGESIZE);
	self->pages = mmap(NULL, PAGES * self->page, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->pages);
	/* Fails on kernels without large pages */
	madvise(self->pages, PAGES * self->page, MADV_NOHUGEPAGE);
}

FIXTURE_TEARDOWN(faults)
{
	system_end(self->session, self->log);
	munmap(self->pages, PAGES * self->page);
}

/* The section contains nothing else */
__attribute__((noinline, section("fault_touch")))
static char touch(volatile char *at, bool write)
{
	if (write)
		*at = 1;
	return *at;
}

extern const char __start_fault_touch[], __stop_fault_touch[];

static bool is_in_touch(uint64_t address)
{
	return address >= (uintptr_t)__start_fault_touch &&
	       address < (uintptr_t)__stop_fault_touch;
}

/* The next fault at an address */
static const struct system_event *find_fault(const struct system_log *log,
					     uint8_t type, const void *address)
{
	const struct system_event *e = NULL;

	do {
		e = next_event(log, e, FAULT, type, 0, (uintptr_t)address);
	} while (e && field64(e, 0) != (uintptr_t)address);
	return e;
}

TEST_F(faults, the_first_access_to_a_page_is_a_fault)
{
	const struct system_event *e;
	unsigned int i;

	ASSERT_EQ(0, system_start(KERNEL_LOGGER_NAMEA, SYSTEM_LOG, 0, FLAG,
				  &self->session));
	for (i = 0; i < PAGES; i++)
		touch(self->pages + i * self->page + i, true);
	self->log = system_log_end(&self->session);
	ASSERT_NE(NULL, self->log);
	EXPECT_EQ(0, self->log->lost);
	for (i = 0; i < PAGES; i++) {
		e = find_fault(self->log, SOFT_FAULT,
			       self->pages + i * self->page + i);
		ASSERT_NE(NULL, e);
		EXPECT_EQ(16, e->len);
		EXPECT_EQ(2, e->version);
		EXPECT_EQ(~0u, e->tid);
		EXPECT_TRUE(is_in_touch(field64(e, 8)));
	}
}

TEST_F(faults, a_fault_that_waits_for_a_disk_is_a_hard_one)
{
	const struct system_event *e;
	struct disk disk;
	char *map;

	ASSERT_TRUE(disk_make(&disk));
	map = mmap(NULL, self->page, PROT_READ, MAP_SHARED, disk.fd, 0);
	ASSERT_NE(MAP_FAILED, map);
	ASSERT_EQ(0, ioctl(disk.fd, BLKFLSBUF));
	ASSERT_EQ(0, system_start("faults", SYSTEM_LOG, SYSTEM_MODE, FLAG,
				  &self->session));
	touch(map + 5, false);
	self->log = system_log_end(&self->session);
	munmap(map, self->page);
	disk_remove(&disk);
	ASSERT_NE(NULL, self->log);
	e = find_fault(self->log, HARD_FAULT, map + 5);
	ASSERT_NE(NULL, e);
	EXPECT_EQ(16, e->len);
	EXPECT_EQ(2, e->version);
	EXPECT_TRUE(is_in_touch(field64(e, 8)));
	EXPECT_EQ(NULL, find_fault(self->log, SOFT_FAULT, map + 5));
}

TEST_F(faults, a_hard_fault_has_its_begin_and_place)
{
	const struct system_event *e = NULL;
	const char *at;
	struct disk disk;
	struct stat st;
	char *map;

	ASSERT_TRUE(disk_make(&disk));
	ASSERT_EQ(0, fstat(disk.fd, &st));
	map = mmap(NULL, self->page, PROT_READ, MAP_SHARED, disk.fd,
		   3 * self->page);
	ASSERT_NE(MAP_FAILED, map);
	at = map + 77;
	ASSERT_EQ(0, ioctl(disk.fd, BLKFLSBUF));
	ASSERT_EQ(0, system_start("faults", SYSTEM_LOG, SYSTEM_MODE,
				  EVENT_TRACE_FLAG_MEMORY_HARD_FAULTS,
				  &self->session));
	touch((char *)at, false);
	/* Not a hard one */
	touch(self->pages, true);
	self->log = system_log_end(&self->session);
	munmap(map, self->page);
	disk_remove(&disk);
	ASSERT_NE(NULL, self->log);
	EXPECT_EQ(0, self->log->lost);
	EXPECT_EQ(NULL, next_event(self->log, NULL, FAULT, HARD_FAULT_READ, 16,
				   (uintptr_t)self->pages));
	do {
		e = next_event(self->log, e, FAULT, HARD_FAULT_READ, 16,
			       (uintptr_t)at);
	} while (e && field64(e, 16) != (uintptr_t)at);
	ASSERT_NE(NULL, e);
	EXPECT_EQ(40, e->len);
	EXPECT_EQ(2, e->version);
	EXPECT_EQ(~0u, e->tid);
	EXPECT_LT(self->log->e[0].time, (int64_t)field64(e, 0));
	EXPECT_GT(e->time, (int64_t)field64(e, 0));
	EXPECT_EQ(3 * self->page, field64(e, 8));
	EXPECT_EQ((uint64_t)st.st_dev << 32 | (uint32_t)st.st_ino,
		  field64(e, 24));
	EXPECT_EQ(gettid(), field(e, 32));
	EXPECT_EQ(self->page, field(e, 36));
}

/* Have the kernel write to a page; false on failure */
static bool read_to(void *page)
{
	int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	bool done = read(fd, page, 16) == 16;

	close(fd);
	return done;
}

TEST_F(faults, the_kernel_causes_faults_for_a_process)
{
	const struct system_event *e;

	ASSERT_EQ(0, system_start("faults", SYSTEM_LOG, SYSTEM_MODE, FLAG,
				  &self->session));
	ASSERT_TRUE(read_to(self->pages));
	self->log = system_log_end(&self->session);
	ASSERT_NE(NULL, self->log);
	e = find_fault(self->log, SOFT_FAULT, self->pages);
	ASSERT_NE(NULL, e);
	EXPECT_EQ(1, field64(e, 8) >> 63);
}

/* Record such a fault as a user with the right, but not CAP_PERFMON */
static int record_as_nobody(void *page)
{
	return AS_NOBODY(({
		TRACEHANDLE h;
		ULONG code_ = system_start("system-nobody",
					   "/tmp/system-nobody.etl",
					   SYSTEM_MODE, FLAG, &h);

		if (!code_) {
			code_ = read_to(page) ? 0 : 1;
			session_stop(h, NULL);
		}
		(int)code_;
	}));
}

TEST_F(faults, addresses_of_the_kernel_require_CAP_PERFMON)
{
	const struct system_event *e;
	struct kernel_right right;

	ASSERT_TRUE(kernel_right_add(&right));
	EXPECT_EQ(0, record_as_nobody(self->pages));
	EXPECT_TRUE(kernel_right_remove(&right));
	self->log = system_log_read("/tmp/system-nobody.etl");
	unlink("/tmp/system-nobody.etl");
	ASSERT_NE(NULL, self->log);
	e = find_fault(self->log, SOFT_FAULT, self->pages);
	ASSERT_NE(NULL, e);
	EXPECT_EQ(0, field64(e, 8));
}

TEST_F(faults, the_provider_of_memory_is_a_flag_by_keyword)
{
	const GUID provider = SystemMemoryProviderGuid;
	struct properties p = properties_for("");

	ASSERT_EQ(0, system_start("faults", SYSTEM_LOG, SYSTEM_MODE, 0,
				  &self->session));
	ASSERT_EQ(0, EnableTraceEx2(self->session, &provider,
				    EVENT_CONTROL_CODE_ENABLE_PROVIDER, 0,
				    SYSTEM_MEMORY_KW_ALL_FAULTS, 0, 0, NULL));
	ASSERT_EQ(0, QueryTraceA(self->session, NULL, &p.p));
	EXPECT_EQ(FLAG, p.p.EnableFlags);
	ASSERT_EQ(0, EnableTraceEx2(self->session, &provider,
				    EVENT_CONTROL_CODE_DISABLE_PROVIDER, 0, 0, 0,
				    0, NULL));
	touch(self->pages, true);
	self->log = system_log_end(&self->session);
	ASSERT_NE(NULL, self->log);
	EXPECT_EQ(NULL, find_fault(self->log, SOFT_FAULT, self->pages));
}

TEST_F(faults, a_processor_that_comes_back_has_its_faults_recorded)
{
	const struct system_event *e = NULL;
	unsigned int i;

	if (access("/sys/devices/system/cpu/cpu1/online", W_OK))
		SKIP(return, "there is no processor that can be stopped");
	ASSERT_EQ(0, system_start("faults", SYSTEM_LOG, SYSTEM_MODE, FLAG,
				  &self->session));
	ASSERT_TRUE(set_online(1, false));
	ASSERT_TRUE(set_online(1, true));
	stay_on(1);
	/* Soon after it is back */
	for (i = 0; i < 200; i++) {
		usleep(5000);
		madvise(self->pages, self->page, MADV_DONTNEED);
		touch(self->pages, true);
	}
	self->log = system_log_end(&self->session);
	ASSERT_NE(NULL, self->log);
	do {
		e = next_event(self->log, e, FAULT, SOFT_FAULT, 0,
			       (uintptr_t)self->pages);
	} while (e && (field64(e, 0) != (uintptr_t)self->pages || e->cpu != 1));
	EXPECT_NE(NULL, e);
}

TEST_F(faults, a_fault_may_have_a_call_stack)
{
	const CLASSIC_EVENT_ID id = { PageFaultGuid, SOFT_FAULT };
	const struct system_event *fault, *e;

	ASSERT_EQ(0, system_start("faults", SYSTEM_LOG, SYSTEM_MODE, FLAG,
				  &self->session));
	ASSERT_EQ(0, TraceSetInformation(self->session, TraceStackTracingInfo,
					 (PVOID)&id, sizeof(id)));
	touch(self->pages, true);
	self->log = system_log_end(&self->session);
	ASSERT_NE(NULL, self->log);
	fault = find_fault(self->log, SOFT_FAULT, self->pages);
	ASSERT_NE(NULL, fault);
	e = find_stack(self->log, fault->time, getpid());
	ASSERT_NE(NULL, e);
	EXPECT_EQ(getpid(), field(e, 8));
	EXPECT_TRUE(is_in_touch(field64(e, 16)));
}

TEST_HARNESS_MAIN
