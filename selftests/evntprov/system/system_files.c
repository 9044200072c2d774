// SPDX-License-Identifier: GPL-2.0
/*
 * Files of a session with events of the kernel: each of them has a rundown,
 * so that each names the processes and threads of its events.
 */
#include <pthread.h>
#include <signal.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/process.h"
#include "selftests/evntprov/system/system_log.h"

#define ALL		(EVENT_TRACE_FLAG_PROCESS | EVENT_TRACE_FLAG_THREAD | \
			 EVENT_TRACE_FLAG_IMAGE_LOAD)
#define SYSTEM_MODE	EVENT_TRACE_SYSTEM_LOGGER_MODE
#define SERIES		"/tmp/system-%d.etl"
#define KIB		1024u

FIXTURE(files) {
	TRACEHANDLE session;
	struct system_log *log;
	pid_t child;
	char exe[256];
};

/* Start a process that does nothing */
static pid_t start_idle(void)
{
	pid_t child = fork();

	while (!child)
		pause();
	return child > 0 && comes_to(child, "S", 6000) ? child : -1;
}

static void end(pid_t child)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

FIXTURE_SETUP(files)
{
	self->child = start_idle();
	ASSERT_LT(0, self->child);
	ASSERT_LT(0, readlink("/proc/self/exe", self->exe,
			      sizeof(self->exe) - 1));
}

FIXTURE_TEARDOWN(files)
{
	system_end(self->session, self->log);
	end(self->child);
	EXPECT_EQ(0, system("rm -f /tmp/system-*.etl"));
}

/* Start a session in a mode; @size: of its buffers in KiB, and 16 of them */
static ULONG start(FIXTURE_DATA(files) *self, const char *path, ULONG mode,
		   ULONG size, ULONG max_file_size)
{
	struct properties p = properties_for(path);

	p.p.LogFileMode = SYSTEM_MODE | mode;
	p.p.EnableFlags = ALL;
	p.p.BufferSize = size;
	p.p.MinimumBuffers = 16;
	p.p.MaximumFileSize = max_file_size;
	return StartTraceA(&self->session, "system-files", &p.p);
}

static ULONG control(TRACEHANDLE session, const char *path, ULONG code)
{
	struct properties p = properties_for(path);

	p.p.EnableFlags = ALL;
	return ControlTraceA(session, NULL, &p.p, code);
}

static bool read_log(FIXTURE_DATA(files) *self, const char *path)
{
	system_log_free(self->log);
	self->log = system_log_read(path);
	return self->log;
}

static bool take_snapshot(FIXTURE_DATA(files) *self)
{
	return !control(self->session, SYSTEM_LOG, EVENT_TRACE_CONTROL_FLUSH) &&
	       read_log(self, SYSTEM_LOG);
}

static bool read_file(FIXTURE_DATA(files) *self, unsigned int number)
{
	char path[64];

	snprintf(path, sizeof(path), SERIES, number);
	return read_log(self, path);
}

static off_t size_of_file(unsigned int number)
{
	char path[64];

	snprintf(path, sizeof(path), SERIES, number);
	return size_of(path);
}

static void fork_often(unsigned int count)
{
	pid_t child;

	while (count--) {
		child = fork();
		if (!child)
			_exit(0);
		waitpid(child, NULL, 0);
	}
}

/* Check for a rundown of a type, with all of a process and of the kernel's */
static void check_rundown(struct __test_metadata *_metadata,
			  const FIXTURE_DATA(files) *self, uint8_t type)
{
	const struct system_log *log = self->log;
	const struct system_event *e = find_process(log, type, self->child);

	ASSERT_NE(NULL, e);
	EXPECT_EQ(4, e->version);
	EXPECT_EQ(getpid(), field(e, 12));
	EXPECT_EQ(0, strcmp("system_files", exe_of(e)));
	EXPECT_EQ(~0u, e->tid);
	e = find_thread(log, type, self->child);
	ASSERT_NE(NULL, e);
	EXPECT_EQ(self->child, field(e, 0));
	EXPECT_NE(NULL, find_image(log, type, self->child, self->exe));
	e = find_process(log, type, 2);
	ASSERT_NE(NULL, e);
	EXPECT_EQ(0, strcmp("kthreadd", exe_of(e)));
}

static bool is_of_rundown(const struct system_event *e, uint8_t type)
{
	return e->type == type && (e->class == PROCESS ||
				   e->class == THREAD || e->class == IMAGE);
}

/* The history has wrapped: the rundown at the start is no longer in memory */
TEST_F(files, a_snapshot_ends_with_a_rundown)
{
	const struct system_event *e, *last;
	unsigned int i = 0;

	ASSERT_EQ(0, start(self, "", EVENT_TRACE_BUFFERING_MODE, 16, 0));
	do {
		fork_often(100);
		ASSERT_TRUE(take_snapshot(self));
	} while (find_process(self->log, DCSTART, self->child) && ++i < 100);
	EXPECT_EQ(NULL, find_process(self->log, DCSTART, self->child));
	EXPECT_EQ(NULL, find_process(self->log, START, self->child));
	check_rundown(_metadata, self, DCEND);
	/* It has one time, and no event is later */
	last = &self->log->e[self->log->count - 1];
	EXPECT_TRUE(is_of_rundown(last, DCEND));
	for (e = self->log->e; e < last; e++) {
		if (e->time > last->time ||
		    (is_of_rundown(e, DCEND) && e->time != last->time))
			break;
	}
	EXPECT_EQ(last, e);
	/* The session itself does not have it */
	EXPECT_EQ(0, control(self->session, "/tmp/system-2.etl",
			     EVENT_TRACE_CONTROL_FLUSH));
	ASSERT_TRUE(read_log(self, "/tmp/system-2.etl"));
	e = find_process(self->log, DCEND, self->child);
	ASSERT_NE(NULL, e);
	EXPECT_EQ(NULL, next_event(self->log, e, PROCESS, DCEND, 8,
				   self->child));
}

static void *end_in_a_moment(void *context)
{
	usleep(rand() % 3000);
	end(*(pid_t *)context);
	return NULL;
}

/* Whenever a process ends during a snapshot, either event names it */
TEST_F(files, a_snapshot_names_processes_that_end_meanwhile)
{
	unsigned int i;
	pthread_t thread;
	pid_t child;

	ASSERT_EQ(0, start(self, "", EVENT_TRACE_BUFFERING_MODE, 64, 0));
	for (i = 0; i < many(40); i++) {
		child = start_idle();
		ASSERT_LT(0, child);
		ASSERT_EQ(0, pthread_create(&thread, NULL, end_in_a_moment,
					    &child));
		EXPECT_TRUE(take_snapshot(self));
		pthread_join(thread, NULL);
		ASSERT_NE(NULL, self->log);
		EXPECT_TRUE(find_process(self->log, END, child) ||
			    find_process(self->log, DCEND, child));
		EXPECT_TRUE(find_thread(self->log, END, child) ||
			    find_thread(self->log, DCEND, child));
	}
}

/* Check that a file begins with a rundown of one time, and has none other */
static void check_beginning(struct __test_metadata *_metadata,
			    const FIXTURE_DATA(files) *self)
{
	/* Behind the event about the log itself */
	const struct system_event *first = self->log->e + 1, *e = first;
	const struct system_event *behind = self->log->e + self->log->count;

	check_rundown(_metadata, self, DCSTART);
	while (e < behind && is_of_rundown(e, DCSTART) &&
	       e->time == first->time)
		e++;
	EXPECT_LT(first, e);
	for (; e < behind; e++) {
		if (is_of_rundown(e, DCSTART))
			break;
	}
	EXPECT_EQ(behind, e);
	EXPECT_EQ(0, self->log->lost);
}

TEST_F(files, each_file_of_a_series_begins_with_a_rundown)
{
	unsigned int i, count = 4;

	ASSERT_EQ(0, start(self, SERIES, EVENT_TRACE_FILE_MODE_NEWFILE |
			   EVENT_TRACE_USE_KBYTES_FOR_SIZE, 16, 256));
	ASSERT_EQ(0, control(self->session, "",
			     EVENT_TRACE_CONTROL_INCREMENT_FILE));
	for (i = 0; i < 1000 && size_of_file(count) < 0; i++)
		fork_often(50);
	ASSERT_EQ(0, session_stop(self->session, NULL));
	self->session = 0;
	ASSERT_TRUE(read_file(self, 1));
	check_rundown(_metadata, self, DCSTART);
	for (i = 2; i <= count; i++) {
		ASSERT_TRUE(read_file(self, i));
		check_beginning(_metadata, self);
		EXPECT_GE(256 * KIB, size_of_file(i));
		if (i < count)
			EXPECT_EQ(NULL, find_process(self->log, DCEND,
						     self->child));
	}
	check_rundown(_metadata, self, DCEND);
	EXPECT_EQ(-1, size_of_file(count + 1));
}

TEST_F(files, another_log_file_begins_with_a_rundown)
{
	ASSERT_EQ(0, start(self, "/tmp/system-1.etl", 0, 64, 0));
	ASSERT_EQ(0, control(self->session, "/tmp/system-2.etl",
			     EVENT_TRACE_CONTROL_UPDATE));
	ASSERT_EQ(0, session_stop(self->session, NULL));
	self->session = 0;
	ASSERT_TRUE(read_file(self, 1));
	check_rundown(_metadata, self, DCSTART);
	EXPECT_EQ(NULL, find_process(self->log, DCEND, self->child));
	ASSERT_TRUE(read_file(self, 2));
	check_beginning(_metadata, self);
	check_rundown(_metadata, self, DCEND);
}

/* The rest of it is lost in this file */
TEST_F(files, a_rundown_takes_at_most_half_of_a_file)
{
	const struct system_event *e;
	unsigned int i, size;

	ASSERT_EQ(0, start(self, SERIES, EVENT_TRACE_FILE_MODE_NEWFILE |
			   EVENT_TRACE_USE_KBYTES_FOR_SIZE, 4, 32));
	ASSERT_EQ(0, control(self->session, "",
			     EVENT_TRACE_CONTROL_INCREMENT_FILE));
	ASSERT_EQ(0, session_stop(self->session, NULL));
	self->session = 0;
	for (i = 2; size_of_file(i) >= 0; i++) {
		EXPECT_GE(32 * KIB, size_of_file(i));
		ASSERT_TRUE(read_file(self, i));
		ASSERT_LT(1, self->log->count);
		EXPECT_LT(0, self->log->lost);
		size = 0;
		for (e = self->log->e + 1;
		     e < self->log->e + self->log->count; e++) {
			if (e->time == self->log->e[1].time)
				size += 16 + e->len;
		}
		/* Header and seven buffers, three of them for the rundown */
		EXPECT_GE(3 * 4 * KIB, size);
		EXPECT_LT(2 * 4 * KIB, size);
	}
	EXPECT_LT(2, i);
}

TEST_HARNESS_MAIN
