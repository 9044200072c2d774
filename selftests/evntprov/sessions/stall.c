// SPDX-License-Identifier: GPL-2.0
/*
 * Races that need something else to be slow, here for as long as the test
 * wants: a log that cannot be written, a page that is not available.
 */
#include <signal.h>
#include <sys/wait.h>

#include "selftests/evntprov/common/harness.h"

#include <evntrace.h>

#include "selftests/evntprov/common/device.h"
#include "selftests/evntprov/common/etl_scan.h"
#include "selftests/evntprov/sessions/stall.h"

#define LOG	"/tmp/stall.etl"
#define H	HANDLE(1, 1)
#define CLASSIC	HANDLE(2, 1)

FIXTURE(stalled) {
	int prov;
	int trace;
	__u64 session;
	struct stall stall;
	struct dev_status before;
};

FIXTURE_SETUP(stalled)
{
	struct evntrace_start small = { .buffer_size = 4096, .max_buffers = 1 };

	self->prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	self->before = dev_status();
	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
	ASSERT_EQ(0, dev_start(self->trace, "stalled", LOG, &small,
			       &self->session));
	ASSERT_EQ(0, dev_enable(self->trace, self->session, 1));
	ASSERT_EQ(0, stall_begin(&self->stall, LOG));
}

FIXTURE_TEARDOWN(stalled)
{
	dev_unregister(self->prov, H);
	EXPECT_TRUE(dev_status_is(&self->before));
	close(self->prov);
	close(self->trace);
	unlink(LOG);
}

static void *stop_session(void *p)
{
	FIXTURE_DATA(stalled) *self = p;

	return (void *)(long)dev_stop(self->trace, self->session, NULL);
}

/* StopTrace */
static ULONG library_stop(TRACEHANDLE handle)
{
	EVENT_TRACE_PROPERTIES p = { .Wnode.BufferSize = sizeof(p) };

	return StopTraceA(handle, NULL, &p);
}

TEST_F(stalled, STOP_during_another_STOP_is_EALREADY)
{
	struct evntrace_session q;
	pthread_t thread;
	void *err;

	ASSERT_EQ(0, pthread_create(&thread, NULL, stop_session, self));
	/* Enabling fails once the other stop is in progress */
	while (!dev_enable(self->trace, self->session, 1))
		usleep(1000);
	EXPECT_EQ(EALREADY, dev_stop(self->trace, self->session, NULL));
	EXPECT_EQ(ERROR_ACTIVE_CONNECTIONS, library_stop(self->session));
	EXPECT_EQ(0, dev_control(self->trace, DEV_QUERY,
				 self->session, &q));
	EXPECT_TRUE(stall_end(&self->stall));
	pthread_join(thread, &err);
	EXPECT_EQ(NULL, err);
	EXPECT_EQ(ESRCH, dev_stop(self->trace, self->session, NULL));
}

/* Whether a process is in an ioctl */
static bool in_ioctl(pid_t pid)
{
	char path[64], text[16] = "";
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/syscall", pid);
	fd = open(path, O_RDONLY);
	if (fd >= 0 && read(fd, text, sizeof(text) - 1) < 0)
		text[0] = '\0';
	close(fd);
	return strtol(text, NULL, 10) == SYS_ioctl;
}

TEST_F(stalled, a_flush_ends_when_its_caller_is_killed)
{
	int status;
	pid_t pid;

	EXPECT_EQ(0, dev_write(self->prov, H, "", 1));
	pid = fork();
	if (!pid)
		_exit(dev_control(self->trace, EVNTRACE_CONTROL_FLUSH,
				  self->session, NULL));
	while (!in_ioctl(pid))
		usleep(1000);
	usleep(10000);
	EXPECT_TRUE(in_ioctl(pid));
	kill(pid, SIGKILL);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status));
	EXPECT_TRUE(stall_end(&self->stall));
	EXPECT_EQ(0, dev_stop(self->trace, self->session, NULL));
}

TEST_F(stalled, a_write_without_a_free_buffer_is_ENOBUFS)
{
	static const char payload[3000];
	unsigned int i, accepted = 0, lost = 0;
	struct evntrace_session q;
	struct etl_scan scan;
	int err;

	/* More events than buffers, each of which takes a buffer */
	for (i = 0; i < 1000; i++) {
		err = dev_write(self->prov, H, payload, sizeof(payload));
		accepted += !err;
		lost += err == ENOBUFS;
	}
	EXPECT_EQ(1000, accepted + lost);
	EXPECT_EQ(0, dev_control(self->trace, DEV_QUERY,
				 self->session, &q));
	EXPECT_EQ(accepted, q.buffers);
	EXPECT_EQ(accepted, q.events);
	EXPECT_EQ(lost, q.events_lost);
	EXPECT_EQ(lost, q.events_no_buffer);
	EXPECT_EQ(0, q.free_buffers);
	EXPECT_TRUE(stall_end(&self->stall));
	EXPECT_EQ(0, dev_stop(self->trace, self->session, NULL));
	EXPECT_TRUE(etl_scan(LOG, &scan, NULL, NULL));
	EXPECT_EQ(accepted, scan.events);
	EXPECT_EQ(lost, scan.events_lost);
}

static ULONG WINAPI on_control(WMIDPREQUESTCODE code, PVOID context,
			       ULONG *size, PVOID buffer)
{
	*(TRACEHANDLE *)context = GetTraceLoggerHandle(buffer);
	return ERROR_SUCCESS;
}

/* TraceEvent, TraceEventInstance, TraceMessage */
TEST_F(stalled, TraceEvent_without_a_free_buffer_is_NOT_ENOUGH_MEMORY)
{
	struct {
		EVENT_TRACE_HEADER h;
		char data[3000];
	} e = { .h = { .Size = sizeof(e), .Flags = WNODE_FLAG_TRACED_GUID } };
	struct evntprov_guid id = guid_of(1);
	static const char data[3000];
	struct {
		EVENT_INSTANCE_HEADER h;
		char data[3000];
	} n = { .h = { .Size = sizeof(n), .Flags = WNODE_FLAG_TRACED_GUID } };
	TRACE_GUID_REGISTRATION class = { .Guid = &e.h.Guid };
	unsigned int i, accepted = 0, lost[3] = { 0 };
	TRACEHANDLE registration, session = 0;
	EVENT_INSTANCE_INFO instance;
	struct evntrace_session q;
	GUID control;
	ULONG code;

	memcpy(&control, &id, sizeof(control));
	ASSERT_EQ(0, RegisterTraceGuids(on_control, &session, &control, 1,
					&class, NULL, NULL, &registration));
	EXPECT_EQ(self->session, session);
	ASSERT_EQ(0, CreateTraceInstanceId(class.RegHandle, &instance));
	for (i = 0; i < 999; i++) {
		if (i % 3 == 0)
			code = TraceEvent(session, &e.h);
		else if (i % 3 == 1)
			code = TraceEventInstance(session, &n.h, &instance,
						  NULL);
		else
			code = TraceMessage(session, 0, NULL, 1, data,
					    sizeof(data), NULL, (size_t)0);
		accepted += !code;
		lost[i % 3] += code == ERROR_NOT_ENOUGH_MEMORY;
	}
	EXPECT_EQ(999, accepted + lost[0] + lost[1] + lost[2]);
	for (i = 0; i < 3; i++)
		EXPECT_LT(0, lost[i]);
	EXPECT_EQ(0, UnregisterTraceGuids(registration));
	EXPECT_TRUE(stall_end(&self->stall));
	EXPECT_EQ(0, dev_stop(self->trace, self->session, &q));
	EXPECT_EQ(accepted, q.events);
	EXPECT_EQ(lost[0] + lost[1] + lost[2], q.events_lost);
}

/* Pages that are absent when an event is written */

FIXTURE(absent) {
	int prov;
	int trace;
	__u64 session;
	struct absent absent;
	pthread_t thread;
};

FIXTURE_SETUP(absent)
{
	self->prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
	ASSERT_EQ(0, dev_start(self->trace, "absent", LOG, NULL,
			       &self->session));
	ASSERT_EQ(0, dev_enable(self->trace, self->session, 1));
	ASSERT_EQ(0, absent_open(&self->absent, EVNTPROV_MAX_DATA));
}

FIXTURE_TEARDOWN(absent)
{
	pthread_cancel(self->thread);
	pthread_join(self->thread, NULL);
	absent_close(&self->absent);
	close(self->prov);
	close(self->trace);
	unlink(LOG);
}

/* Provide each requested page, and remove all others */
static void *one_at_a_time(void *p)
{
	struct absent *a = p;
	long page;

	while ((page = absent_wanted(a)) >= 0) {
		madvise(a->pages, a->len, MADV_DONTNEED);
		absent_fill(a, page);
	}
	return NULL;
}

static void *all_that_is_wanted(void *p)
{
	struct absent *a = p;
	long page;

	while ((page = absent_wanted(a)) >= 0)
		absent_fill(a, page);
	return NULL;
}

/* Place a block in each of the first pages */
static void use_pages(const struct absent *a, unsigned int count,
		      struct evntprov_data *data)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		data[i] = (struct evntprov_data) {
			(uintptr_t)a->pages + i * STALL_PAGE, 4,
		};
}

static int write_pages(int fd, struct absent *a, unsigned int count)
{
	struct evntprov_data data[EVNTPROV_MAX_DATA];
	struct evntprov_write arg = write_arg(H, data, count);

	use_pages(a, count, data);
	return do_ioctl(fd, EVNTPROV_IOC_WRITE, &arg);
}

/* The same as a classic provider */
static int trace_pages(int fd, __u64 session, struct absent *a,
		       unsigned int count)
{
	struct evntprov_data data[EVNTPROV_MAX_DATA];
	struct evntprov_write arg = {
		.size = sizeof(arg), .flags = EVNTPROV_TRACE_EVENT,
		.handle = CLASSIC, .session = session,
		.data = (uintptr_t)data, .data_count = count,
	};

	use_pages(a, count, data);
	return dev_register(fd, CLASSIC, 1, EVNTPROV_REGISTER_CLASSIC) ?:
	       do_ioctl(fd, EVNTPROV_IOC_WRITE, &arg);
}

TEST_F(absent, a_write_whose_pages_keep_vanishing_is_EAGAIN_and_counted)
{
	struct evntrace_session q;

	ASSERT_EQ(0, pthread_create(&self->thread, NULL, one_at_a_time,
				    &self->absent));
	EXPECT_EQ(EAGAIN, write_pages(self->prov, &self->absent, 2));
	EXPECT_EQ(0, dev_stop(self->trace, self->session, &q));
	EXPECT_EQ(0, q.events);
	EXPECT_EQ(1, q.events_lost);
}

TEST_F(absent, a_classic_record_whose_pages_keep_vanishing_is_EAGAIN_and_counted)
{
	struct evntrace_session q;

	ASSERT_EQ(0, pthread_create(&self->thread, NULL, one_at_a_time,
				    &self->absent));
	EXPECT_EQ(EAGAIN, trace_pages(self->prov, self->session, &self->absent,
				      2));
	EXPECT_EQ(0, dev_stop(self->trace, self->session, &q));
	EXPECT_EQ(0, q.events);
	EXPECT_EQ(1, q.events_lost);
}

TEST_F(absent, each_page_of_a_classic_record_is_faulted_in)
{
	struct evntrace_session q;

	ASSERT_EQ(0, pthread_create(&self->thread, NULL, all_that_is_wanted,
				    &self->absent));
	EXPECT_EQ(0, trace_pages(self->prov, self->session, &self->absent,
				 EVNTPROV_MAX_DATA));
	EXPECT_EQ(0, dev_stop(self->trace, self->session, &q));
	EXPECT_EQ(1, q.events);
	EXPECT_EQ(0, q.events_lost);
}

TEST_F(absent, a_page_for_each_block_is_faulted_in)
{
	struct evntrace_session q;

	ASSERT_EQ(0, pthread_create(&self->thread, NULL, all_that_is_wanted,
				    &self->absent));
	EXPECT_EQ(0, write_pages(self->prov, &self->absent, EVNTPROV_MAX_DATA));
	EXPECT_EQ(0, dev_stop(self->trace, self->session, &q));
	EXPECT_EQ(1, q.events);
	EXPECT_EQ(0, q.events_lost);
}

TEST_HARNESS_MAIN
