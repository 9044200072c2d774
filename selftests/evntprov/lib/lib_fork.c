// SPDX-License-Identifier: GPL-2.0
/*
 * Processes that fork, daemonize, exec, or exit while threads write: parent and
 * child go on, and each event has the id of the process that wrote it.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/lib.h"

#define LOG	"/tmp/fork.etl"

/* Memory shared by all processes of a test */
struct shared {
	atomic_uint calls[8];	/* number of callbacks, by who() */
	atomic_uint wrong_pid;
	atomic_uint events;
	atomic_uint failed;
	atomic_uint last[8];	/* control code of the last one */
	atomic_bool is_ready;	/* the child is ready */
};

static struct shared *shared;
static atomic_uint subject;
static REGHANDLE handle;

static void callback(LPCGUID source, ULONG control, UCHAR level, ULONGLONG any,
		     ULONGLONG all, PEVENT_FILTER_DESCRIPTOR filter,
		     PVOID context)
{
	atomic_store(&shared->last[subject], control);
	atomic_fetch_add(&shared->calls[subject], 1);
}

/* Write an event with this process's pid as data */
static ULONG write_pid(void)
{
	static const EVENT_DESCRIPTOR descriptor = { .Id = 1, .Level = 4 };
	EVENT_DATA_DESCRIPTOR data;
	pid_t pid = getpid();
	ULONG code;

	EventDataDescCreate(&data, &pid, sizeof(pid));
	code = EventWrite(handle, &descriptor, 1, &data);
	/* In a flood there may be no free buffer; the loss is counted */
	if (code == ERROR_NOT_ENOUGH_MEMORY)
		return ERROR_SUCCESS;
	if (code)
		atomic_fetch_add(&shared->failed, 1);
	return code;
}

static void check_pid(const struct etl_event *e, void *context)
{
	struct shared *s = context;

	atomic_fetch_add(&s->events, 1);
	if (e->data_len != 4 || etl_u32(e->data) != e->pid)
		atomic_fetch_add(&s->wrong_pid, 1);
}

FIXTURE(fork) {
	TRACEHANDLE session;
	GUID id;
};

FIXTURE_SETUP(fork)
{
	self->id = provider_id(1);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	self->session = session_start("fork");
	ASSERT_NE(0, self->session);
	ASSERT_EQ(0, session_enable(self->session, 1));
	ASSERT_EQ(0, EventRegister(&self->id, callback, NULL, &handle));
}

FIXTURE_TEARDOWN(fork)
{
	struct etl_scan scan;

	EXPECT_EQ(0, EventUnregister(handle));
	EXPECT_EQ(0, session_stop(self->session, NULL));
	EXPECT_TRUE(etl_scan(LOG, &scan, check_pid, shared));
	EXPECT_EQ(0, shared->wrong_pid);
	EXPECT_EQ(0, shared->failed);
	munmap(shared, sizeof(*shared));
	unlink(LOG);
}

static void expect_exit(struct __test_metadata *_metadata, pid_t pid)
{
	int status;

	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_TRUE(WIFEXITED(status));
	EXPECT_EQ(0, WEXITSTATUS(status));
}

static unsigned int events_in_file(TRACEHANDLE session)
{
	struct properties p = properties_for("");
	struct etl_scan scan;

	FlushTraceA(session, NULL, &p.p);
	etl_scan(LOG, &scan, NULL, NULL);
	return scan.events;
}

TEST_F(fork, parent_and_child_write_events)
{
	pid_t pid;

	EXPECT_EQ(0, write_pid());
	pid = fork();
	if (!pid) {
		write_pid();
		_exit(EventUnregister(handle) || write_pid());
	}
	EXPECT_EQ(0, write_pid());
	expect_exit(_metadata, pid);
	EXPECT_EQ(0, write_pid());
	EXPECT_EQ(4, events_in_file(self->session));
}

TEST_F(fork, a_childs_callback_is_called_too)
{
	pid_t pid;

	EXPECT_EQ(1, shared->calls[0]);
	pid = fork();
	if (!pid) {
		subject = 1;
		shared->is_ready = true;
		/* The parent's session disables, and enables again */
		_exit(!EVENTUALLY(shared->calls[1] >= 2) ||
		      !EventProviderEnabled(handle, 4, 0));
	}
	ASSERT_TRUE(EVENTUALLY(shared->is_ready));
	ASSERT_EQ(0, session_disable(self->session, 1));
	/* Wait for the callbacks of both processes before enabling again */
	ASSERT_TRUE(EVENTUALLY(shared->calls[1] == 1));
	ASSERT_TRUE(EVENTUALLY(shared->calls[0] == 2));
	ASSERT_EQ(0, session_enable(self->session, 1));
	expect_exit(_metadata, pid);
	EXPECT_TRUE(EVENTUALLY(shared->calls[0] == 3));
}

TEST_F(fork, a_grandchild_writes_events)
{
	int ends[2], ok = 0;
	pid_t pid;

	ASSERT_EQ(0, pipe(ends));
	pid = fork();
	if (!pid) {
		if (fork())
			_exit(write_pid());
		setsid();
		ok = !write_pid();
		_exit(write(ends[1], &ok, sizeof(ok)) != sizeof(ok));
	}
	expect_exit(_metadata, pid);
	ASSERT_EQ(sizeof(ok), read(ends[0], &ok, sizeof(ok)));
	EXPECT_EQ(1, ok);
	EXPECT_EQ(0, write_pid());
	EXPECT_EQ(3, events_in_file(self->session));
}

/* Like daemons: fork, close all descriptors, open /dev/null three times */
TEST_F(fork, daemonize_closes_all_descriptors)
{
	pid_t pid = fork();
	int fd;

	if (!pid) {
		subject = 1;
		for (fd = 0; fd < 1024; fd++)
			close(fd);
		open("/dev/null", O_RDWR);
		dup(0);
		dup(0);
		if (write_pid() + write_pid())
			_exit(1);
		shared->is_ready = true;
		_exit(!EVENTUALLY(shared->calls[1] >= 1));
	}
	ASSERT_TRUE(EVENTUALLY(shared->is_ready));
	ASSERT_EQ(0, session_disable(self->session, 1));
	expect_exit(_metadata, pid);
	EXPECT_EQ(2, events_in_file(self->session));
}

/* The same without fork() and without a callback */
TEST_F(fork, events_are_recorded_after_the_librarys_descriptor_is_closed)
{
	int fd;

	for (fd = 60; fd < 1024; fd++)
		close(fd);
	EXPECT_EQ(0, write_pid());
	ASSERT_EQ(0, session_disable(self->session, 1));
	EXPECT_TRUE(EVENTUALLY(shared->last[0] == 0));
	ASSERT_EQ(0, session_enable(self->session, 1));
	EXPECT_TRUE(EVENTUALLY(shared->last[0] == 1));
	/* Other files take the number */
	for (fd = 60; fd < 1024; fd++)
		close(fd);
	for (fd = 0; fd < 200; fd++)
		open("/dev/null", O_RDWR);
	EXPECT_EQ(0, write_pid());
	EXPECT_EQ(2, events_in_file(self->session));
}

/* Without a callback there is no thread that could notice first */
TEST_F(fork, registering_works_after_the_librarys_descriptor_is_closed)
{
	static BYTE traits[] = { 4, 0, 'x', 0 };
	GUID id = provider_id(1);
	REGHANDLE second, third;
	int fd;

	EXPECT_EQ(0, EventUnregister(handle));
	ASSERT_EQ(0, EventRegister(&id, NULL, NULL, &handle));
	for (fd = 60; fd < 1024; fd++)
		close(fd);
	EXPECT_EQ(0, EventRegister(&id, NULL, NULL, &second));
	EXPECT_TRUE(EventProviderEnabled(second, 4, 0));
	for (fd = 60; fd < 1024; fd++)
		close(fd);
	EXPECT_EQ(0, EventSetInformation(second, EventProviderSetTraits,
					 traits, sizeof(traits)));
	/* Other files take the number */
	for (fd = 60; fd < 200; fd++)
		dup2(1, fd);
	EXPECT_EQ(0, EventRegister(&id, callback, NULL, &third));
	EXPECT_EQ(0, write_pid());
	EXPECT_EQ(0, EventUnregister(third));
	EXPECT_EQ(0, EventUnregister(second));
	EXPECT_EQ(1, events_in_file(self->session));
}

/* Traits enable block types; the child keeps that they were disabled again */
TEST_F(fork, a_child_keeps_the_providers_settings)
{
	static const EVENT_DESCRIPTOR descriptor = { .Id = 1, .Level = 4 };
	static BYTE traits[] = { 4, 0, 'x', 0 }, off;
	EVENT_DATA_DESCRIPTOR data;
	pid_t pid;

	ASSERT_EQ(0, EventSetInformation(handle, EventProviderSetTraits,
					 traits, sizeof(traits)));
	ASSERT_EQ(0, EventSetInformation(handle, EventProviderUseDescriptorType,
					 &off, 1));
	pid = fork();
	if (!pid) {
		pid = getpid();
		EventDataDescCreate(&data, &pid, sizeof(pid));
		data.Type = 99;		/* unknown, if examined */
		_exit(EventWrite(handle, &descriptor, 1, &data));
	}
	expect_exit(_metadata, pid);
}

TEST_F(fork, exec_inherits_no_descriptor_of_the_library)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		execl("/bin/sh", "sh", "-c",
		      "ls -l /proc/self/fd | grep -q evntprov", NULL);
		_exit(99);
	}
	waitpid(pid, &status, 0);
	EXPECT_EQ(1, WEXITSTATUS(status));	/* grep found none */
	EXPECT_EQ(0, write_pid());
}

static atomic_bool stop;

static void *write_all_the_time(void *p)
{
	while (!stop)
		write_pid();
	return NULL;
}

TEST_F_TIMEOUT(fork, a_process_can_fork_while_threads_write, 300)
{
	pthread_t threads[4];
	unsigned int i;
	pid_t pid;

	stop = false;
	for (i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, write_all_the_time, NULL);
	for (i = 0; i < many(50); i++) {
		pid = fork();
		if (!pid)
			_exit(write_pid() || EventUnregister(handle));
		expect_exit(_metadata, pid);
	}
	stop = true;
	for (i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

TEST_F_TIMEOUT(fork, a_process_can_exit_while_threads_write, 300)
{
	pthread_t thread;
	unsigned int i, n;
	pid_t pid;

	for (i = 0; i < many(50); i++) {
		pid = fork();
		if (!pid) {
			stop = false;
			for (n = 0; n < 3; n++)
				pthread_create(&thread, NULL,
					       write_all_the_time, NULL);
			usleep(i * 200);
			exit(0);
		}
		expect_exit(_metadata, pid);
	}
}

/* Fork in a callback: the child has only a copy of the library's thread */
static void forking_callback(LPCGUID source, ULONG control, UCHAR level,
			     ULONGLONG any, ULONGLONG all,
			     PEVENT_FILTER_DESCRIPTOR filter, PVOID context)
{
	pid_t pid = fork();
	int status;

	if (!pid)
		_exit(write_pid());
	waitpid(pid, &status, 0);
	atomic_fetch_add(&shared->calls[2],
			 WIFEXITED(status) && !WEXITSTATUS(status));
}

TEST_F(fork, a_callback_can_fork)
{
	GUID id = provider_id(2);
	REGHANDLE second;

	ASSERT_EQ(0, EventRegister(&id, forking_callback, NULL, &second));
	ASSERT_EQ(0, session_enable(self->session, 2));
	EXPECT_TRUE(EVENTUALLY(shared->calls[2] == 1));
	EXPECT_EQ(0, EventUnregister(second));
}

static void returning_callback(LPCGUID source, ULONG control, UCHAR level,
			       ULONGLONG any, ULONGLONG all,
			       PEVENT_FILTER_DESCRIPTOR filter, PVOID context)
{
	pid_t pid;

	if (atomic_fetch_add(&shared->calls[3], 1))
		return;
	pid = fork();
	if (!pid)
		return;
	/* The child has a thread of its own, and has not crashed */
	usleep(500000);
	atomic_fetch_add(&shared->calls[2], !waitpid(pid, NULL, WNOHANG));
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* In the child, the callback returns into the library, which goes on */
TEST_F(fork, a_child_can_return_from_the_callback_that_forked)
{
	GUID id = provider_id(2);
	REGHANDLE second;

	ASSERT_EQ(0, EventRegister(&id, returning_callback, NULL, &second));
	ASSERT_EQ(0, session_enable(self->session, 2));
	EXPECT_TRUE(EVENTUALLY(shared->calls[2] == 1));
	EXPECT_EQ(0, EventUnregister(second));
}

TEST_HARNESS_MAIN
