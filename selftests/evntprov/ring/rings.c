// SPDX-License-Identifier: GPL-2.0
/*
 * Rings: events that threads write without a system call.  They are recorded as
 * they were written, or counted as lost.
 */
#include <grp.h>
#include <sched.h>
#include <sys/syscall.h>

#include "core/etl.h"
#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/consumer.h"
#include "selftests/evntprov/ring/ring_raw.h"
#include "selftests/evntprov/sessions/stall.h"

TEST_F(rings, events_are_recorded_as_they_were_written)
{
	TRACEHANDLE session = start("ring_plain", 8192);
	struct properties out;
	struct found f;

	ASSERT_NE(0, session);
	ASSERT_TRUE(provider_register());
	for (unsigned int n = 0; n < 5000; n++)
		ASSERT_EQ(0, write_mark(0, n, n % 1900));
	EXPECT_EQ(1, count_of("rings") - self->before);
	ASSERT_EQ(0, session_stop(session, &out));
	EXPECT_EQ(0, out.p.EventsLost);
	scan("ring_plain", getpid(), &f);
	EXPECT_EQ(NULL, f.wrong) TH_LOG("%s", f.wrong);
	EXPECT_EQ(5000, f.total);
	EXPECT_EQ(5000, f.of_rings);
	EXPECT_EQ(0, f.gaps);
	/* The ring is the first one */
	EXPECT_EQ(processors + 1 + self->before, f.processors);
}

/* Number of events between two looks for a ring, which may take long */
#define BURST	16

TEST_F(rings, a_thread_gets_a_ring_after_some_writes)
{
	TRACEHANDLE session;
	unsigned int n, i;
	struct found f;

	unsetenv("EVNTPROV_RINGS");
	session = start("ring_auto", 4096);
	ASSERT_NE(0, session);
	ASSERT_TRUE(provider_register());
	/* A thread that writes fewer in a second begins to count again */
	for (n = 0; n < 10000 && count_of("rings") == self->before;) {
		for (i = 0; i < BURST; i++)
			ASSERT_EQ(0, write_mark(0, n++, 10));
	}
	EXPECT_LE(64, n);
	for (i = 0; i < 10; i++)
		ASSERT_EQ(0, write_mark(0, n + i, 10));
	ASSERT_EQ(0, session_stop(session, NULL));
	scan("ring_auto", getpid(), &f);
	EXPECT_EQ(NULL, f.wrong) TH_LOG("%s", f.wrong);
	EXPECT_EQ(n + 10, f.total);
	EXPECT_LT(10, f.of_rings);
	EXPECT_GE(10 + BURST, f.of_rings);
}

TEST_F(rings, rings_can_be_switched_off)
{
	TRACEHANDLE session;
	struct found f;

	setenv("EVNTPROV_RINGS", "off", 1);
	session = start("ring_off", 4096);
	ASSERT_NE(0, session);
	ASSERT_TRUE(provider_register());
	for (unsigned int n = 0; n < 200; n++)
		ASSERT_EQ(0, write_mark(0, n, 10));
	ASSERT_EQ(0, session_stop(session, NULL));
	scan("ring_off", getpid(), &f);
	EXPECT_EQ(200, f.total);
	EXPECT_EQ(0, f.of_rings);
}

TEST_F(rings, a_flush_records_what_is_in_rings)
{
	TRACEHANDLE session = start("ring_flush", 4096);
	struct properties p = properties_for("");
	struct found f;

	ASSERT_NE(0, session);
	ASSERT_TRUE(provider_register());
	ASSERT_EQ(0, write_mark(0, 0, 0));
	ASSERT_EQ(0, ControlTraceA(session, NULL, &p.p,
				   EVENT_TRACE_CONTROL_FLUSH));
	scan("ring_flush", getpid(), &f);
	EXPECT_EQ(1, f.of_rings);
	EXPECT_EQ(0, session_stop(session, NULL));
}

/*
 * Write until an event is refused, and then often enough that all were, if the
 * first one was not an accident; returns how many were written
 */
static unsigned int write_until_refused(unsigned int more)
{
	unsigned int n = 0, refused = 0;

	while (n < MOST && refused < more) {
		if (write_mark(0, n++, 1000))
			refused++;
		else if (refused)
			return MOST;
	}
	return n;
}

/*
 * Write until it succeeds, which it does when the log has been written to;
 * returns the number of writes, or 0
 */
static unsigned int write_until_recorded(void)
{
	for (unsigned int tries = 1; tries < 6000; tries++) {
		if (!write_mark(1, 0, 0))
			return tries;
		usleep(10000);
	}
	return 0;
}

/*
 * A session without a free buffer loses what a ring contains, and then each
 * write fails, until there is room again.  After a flush, there is room for a
 * ring, too, which needs a buffer of its own.
 */
TEST_F(rings, each_event_is_recorded_or_counted_as_lost)
{
	const unsigned int refused = 50;
	TRACEHANDLE session = start("ring_loss", 2048);
	struct properties out, p = properties_for("");
	struct stall stall;
	unsigned int n, tries, i;
	struct found f;

	ASSERT_NE(0, session);
	ASSERT_TRUE(provider_register());
	ASSERT_EQ(0, stall_begin(&stall, "/tmp/ring_loss.etl"));
	n = write_until_refused(refused);
	EXPECT_TRUE(stall_end(&stall));
	ASSERT_GT(MOST, n);
	tries = write_until_recorded();
	ASSERT_NE(0, tries);
	ASSERT_EQ(0, ControlTraceA(session, NULL, &p.p,
				   EVENT_TRACE_CONTROL_FLUSH));
	for (i = 0; i < 10; i++)
		ASSERT_EQ(0, write_mark(2, i, 0));
	ASSERT_EQ(0, session_stop(session, &out));
	scan("ring_loss", getpid(), &f);
	EXPECT_EQ(NULL, f.wrong) TH_LOG("%s", f.wrong);
	EXPECT_EQ(10, f.count[2]);
	EXPECT_EQ(f.count[0] + 10, f.of_rings);
	EXPECT_EQ(n + tries + 10, f.total + out.p.EventsLost);
	EXPECT_LE(refused, n - f.count[0]);
	EXPECT_GE(refused + EVNTPROV_RING_SIZE / 1080, n - f.count[0]);
}

/* Copies at the request of others leave the ring empty, but lose events, too */
TEST_F(rings, a_thread_whose_ring_is_never_full_gets_errors_for_losses)
{
	TRACEHANDLE session = start("ring_query", 2048);
	struct properties p = properties_for("");
	struct stall stall;
	unsigned int n = 0;
	ULONG code = 0;
	struct found f;

	ASSERT_NE(0, session);
	ASSERT_TRUE(provider_register());
	ASSERT_EQ(0, stall_begin(&stall, "/tmp/ring_query.etl"));
	/* Three times as many as there is room for */
	while (!code && n < 6000) {
		code = write_mark(0, n++, 1000);
		EXPECT_EQ(0, ControlTraceA(session, NULL, &p.p,
					   EVENT_TRACE_CONTROL_QUERY));
	}
	EXPECT_TRUE(stall_end(&stall));
	EXPECT_EQ(ERROR_NOT_ENOUGH_MEMORY, code);
	ASSERT_EQ(0, session_stop(session, &p));
	scan("ring_query", getpid(), &f);
	EXPECT_EQ(NULL, f.wrong) TH_LOG("%s", f.wrong);
	EXPECT_LT(0, f.of_rings);
	EXPECT_EQ(n, f.total + p.p.EventsLost);
}

/* Buffers that a consumer has received and must keep, by their last event */
struct kept {
	int64_t last[2048];
	unsigned int count;
	unsigned int most;
};

static void find_last(const struct etl_event *e, void *context)
{
	int64_t *last = context;

	if (e->time > *last)
		*last = e->time;
}

/* Add a buffer; then drop those below the mark */
static void keep_buffer(struct kept *kept, int64_t last, int64_t mark)
{
	unsigned int i, count = 0;

	kept->last[kept->count++] = last;
	for (i = 0; i < kept->count; i++) {
		if (kept->last[i] >= mark)
			kept->last[count++] = kept->last[i];
	}
	kept->count = count;
	if (kept->most < count)
		kept->most = count;
}

/* Read all buffers of a session that has ended; returns whether that succeeded */
static bool read_buffers(struct consumer *c, struct kept *kept)
{
	struct evntrace_next next = {};
	int64_t last;

	while (!(next.state & EVNTRACE_NEXT_END)) {
		if (consumer_next(c, &next, 60000))
			return false;
		if (!(next.state & EVNTRACE_NEXT_BUFFER))
			continue;
		last = INT64_MIN;
		if (consumer_scan(c, next.index, find_last, &last) ||
		    consumer_release(c, next.index) || kept->count >= 2048)
			return false;
		keep_buffer(kept, last, next.watermark);
	}
	return true;
}

/*
 * The buffers of a ring are the oldest of many that are written at once, as the
 * log was stalled.  A consumer waits for them, but not for the many after them.
 */
TEST_F(rings, a_consumer_holds_few_buffers_for_the_order_with_those_of_rings)
{
	struct properties p = properties_for("/tmp/ring_order.etl");
	struct kept kept = { .count = 0 };
	TRACEHANDLE session;
	struct consumer c;
	struct stall stall;
	unsigned int n = 0, i;

	p.p.BufferSize = 4;
	p.p.MinimumBuffers = 2048;
	p.p.MaximumBuffers = 2048;
	p.p.LogFileMode |= EVENT_TRACE_REAL_TIME_MODE;
	ASSERT_EQ(0, StartTraceA(&session, "ring_order", &p.p));
	ASSERT_EQ(0, session_enable(session, PROVIDER));
	ASSERT_EQ(0, consumer_open(&c, session));
	/* Its header was written before there was a ring */
	c.scan.processors = STREAMS;
	ASSERT_TRUE(provider_register());
	ASSERT_EQ(0, stall_begin(&stall, "/tmp/ring_order.etl"));
	/* Too long for a ring, and one fills a buffer: the log is stalled by it */
	for (i = 0; i < 3; i++)
		ASSERT_EQ(0, write_mark(0, n++, 1990));
	for (i = 0; i < 8; i++)
		ASSERT_EQ(0, write_mark(0, n++, 1000));
	ASSERT_EQ(0, ControlTraceA(session, NULL, &p.p,
				   EVENT_TRACE_CONTROL_QUERY));
	for (i = 0; i < c.info.max_held + 100; i++)
		ASSERT_EQ(0, write_mark(0, n++, 1990));
	EXPECT_TRUE(stall_end(&stall));
	ASSERT_EQ(0, session_stop(session, NULL));
	EXPECT_TRUE(read_buffers(&c, &kept));
	EXPECT_LE(c.info.max_held + 100, c.buffers);
	EXPECT_EQ(0, c.buffers_missed);
	EXPECT_GE(c.info.max_held, kept.most);
	consumer_close(&c);
	unlink("/tmp/ring_order.etl");
}

TEST_F(rings, forked_children_write_events_of_their_own)
{
	TRACEHANDLE session = start("ring_fork", 4096);
	unsigned int round, n;
	struct found f;
	pid_t child;
	int status;

	ASSERT_NE(0, session);
	ASSERT_TRUE(provider_register());
	for (round = 0; round < 20; round++) {
		ASSERT_EQ(0, write_mark(0, round, 0));
		child = round % 2 ? fork() : syscall(SYS_clone, SIGCHLD, 0, 0,
						    0, 0);
		if (!child) {
			for (n = 0; n < 100; n++) {
				if (write_mark(1, n, 0))
					_exit(1);
			}
			_exit(0);
		}
		waitpid(child, &status, 0);
		ASSERT_EQ(0, status);
	}
	ASSERT_EQ(0, session_stop(session, NULL));
	scan("ring_fork", 0, &f);
	EXPECT_EQ(NULL, f.wrong) TH_LOG("%s", f.wrong);
	EXPECT_EQ(20, f.count[0]);
	EXPECT_EQ(2000, f.count[1]);
	EXPECT_EQ(2020, f.of_rings);
}

/* Run @fn in a process with the same memory */
static pid_t share_memory(int (*fn)(void *arg), int flags, void *arg)
{
	static char stack[65536] __attribute__((aligned(16)));

	return clone(fn, stack + sizeof(stack), CLONE_VM | SIGCHLD | flags, arg);
}

static int write_first(void *arg)
{
	shared->codes |= write_mark(1, 0, 0);
	return 0;
}

/* The thread of a parent does not go on with a ring of its child */
TEST_F(rings, a_child_of_vfork_gets_no_ring)
{
	TRACEHANDLE session = start("ring_vfork", 4096);
	struct found f;
	pid_t child;

	ASSERT_NE(0, session);
	ASSERT_TRUE(provider_register());
	child = share_memory(write_first, CLONE_VFORK, NULL);
	ASSERT_LT(0, child);
	ASSERT_EQ(child, waitpid(child, NULL, 0));
	EXPECT_EQ(0, count_of("rings") - self->before);
	for (unsigned int n = 0; n < 10; n++)
		ASSERT_EQ(0, write_mark(0, n, 0));
	EXPECT_EQ(0, shared->codes);
	ASSERT_EQ(0, session_stop(session, NULL));
	scan("ring_vfork", getpid(), &f);
	EXPECT_EQ(NULL, f.wrong) TH_LOG("%s", f.wrong);
	EXPECT_EQ(10, f.total);
}

/* More than a ring has room for, so that the child has it copied */
static int write_many(void *arg)
{
	for (unsigned int n = 0; n < 100; n++)
		shared->codes |= write_mark(1, n, 1000);
	return 0;
}

/* A child has the thread's memory, and so its ring, until it ends */
TEST_F(rings, a_child_of_vfork_writes_to_the_ring_of_its_parent)
{
	TRACEHANDLE session = start("ring_parent", 4096);
	unsigned int n = 0;
	struct found f;
	pid_t child;

	ASSERT_NE(0, session);
	ASSERT_TRUE(provider_register());
	for (; n < 10; n++)
		ASSERT_EQ(0, write_mark(0, n, 0));
	child = share_memory(write_many, CLONE_VFORK, NULL);
	ASSERT_LT(0, child);
	ASSERT_EQ(child, waitpid(child, NULL, 0));
	EXPECT_EQ(0, shared->codes);
	EXPECT_EQ(1, count_of("rings") - self->before);
	for (; n < 100; n++)
		ASSERT_EQ(0, write_mark(0, n, 1000));
	ASSERT_EQ(0, session_stop(session, NULL));
	scan("ring_parent", getpid(), &f);
	EXPECT_EQ(NULL, f.wrong) TH_LOG("%s", f.wrong);
	EXPECT_EQ(100, f.count[0]);
	EXPECT_EQ(100, f.count[1]);
	EXPECT_EQ(0, f.gaps);
	EXPECT_EQ(200, f.of_rings);
}

/* A process whose ring another one shares, and a pipe for what it executes */
struct sharing {
	struct raw raw;
	int pipe[2];
};

/* Handle of a registration that tests add */
#define NEXT_HANDLE	(2 * OWN)

/* Put a record into a ring: a number, and @more bytes, a multiple of 8 */
static void put_raw(const struct raw *raw, struct etl_event_header h,
		    uint64_t handle, unsigned int number, unsigned int more)
{
	struct mark mark = { .number = number };
	uint8_t *at = raw_at(raw, raw->state->commit);

	h.size = sizeof(h) + sizeof(mark) + more;
	h.descriptor.id = 7;
	memcpy(h.provider, &handle, sizeof(handle));
	memcpy(at, &h, sizeof(h));
	memcpy(at + sizeof(h), &mark, sizeof(mark));
	raw_commit(raw, h.size);
}

/* Write an event of any length to a ring, and drain it; returns an errno */
static int write_raw(const struct raw *raw, unsigned int more)
{
	put_raw(raw, (struct etl_event_header) { .descriptor.level = 3 },
		OWN, 0, more);
	return raw_drain(raw, raw->id);
}

/* Bytes of an event that may be copied without the stage */
#define LONG_EVENT	400

/* Wait until the other process has executed its program, then write */
static int write_after_exec(void *arg)
{
	struct sharing *s = arg;
	char byte;

	if (read(s->pipe[0], &byte, 1) != 1)
		return 1;
	return write_raw(&s->raw, LONG_EVENT) == ENOBUFS &&
	       write_raw(&s->raw, 0) == ENOBUFS ? 0 : 2;
}

/* Write an event, leave the ring to a child of the test, and execute a program */
static int write_and_exec(struct sharing *s)
{
	if (!raw_open(&s->raw) || write_raw(&s->raw, LONG_EVENT))
		return 1;
	shared->returned[0] = share_memory(write_after_exec, CLONE_PARENT, s);
	dup2(s->pipe[1], STDOUT_FILENO);
	execl("/bin/sh", "sh", "-c", "echo; exec sleep 1000", NULL);
	return 2;
}

static void count_process(const struct etl_event *e, void *context)
{
	unsigned int *count = context;
	const GUID id = provider_id(OTHER_PROVIDER);

	if (!memcmp(e->provider, &id, sizeof(id)))
		count[e->pid == count[1] ? 0 : 2]++;
}

/* The events of another process do not get the id of the executed program */
TEST_F(rings, a_process_that_shares_a_ring_cannot_write_as_an_executed_program)
{
	TRACEHANDLE session = start_for("ring_exec", 4096, OTHER_PROVIDER);
	unsigned int count[3] = { 0 };
	struct properties out;
	struct sharing s;
	struct etl_scan scan;
	pid_t child;
	int status;

	ASSERT_NE(0, session);
	ASSERT_EQ(0, pipe2(s.pipe, O_CLOEXEC));
	child = fork();
	if (!child)
		_exit(write_and_exec(&s));
	close(s.pipe[1]);
	while (!shared->returned[0])
		usleep(1000);
	EXPECT_EQ(shared->returned[0], waitpid(shared->returned[0], &status, 0));
	EXPECT_EQ(0, status);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	close(s.pipe[0]);
	EXPECT_EQ(self->before, count_of("rings"));
	ASSERT_EQ(0, session_stop(session, &out));
	EXPECT_EQ(2, out.p.EventsLost);
	count[1] = child;
	EXPECT_TRUE(etl_scan("/tmp/ring_exec.etl", &scan, count_process, count));
	EXPECT_EQ(1, count[0]);
	EXPECT_EQ(0, count[2]);
	unlink("/tmp/ring_exec.etl");
}

static pid_t writer;

static void *write_some(void *arg)
{
	const unsigned int first = (uintptr_t)arg * 100;

	writer = syscall(SYS_gettid);
	for (unsigned int n = 0; n < 100; n++)
		shared->codes |= write_mark(2, first + n, 0);
	return arg;
}

TEST_F(rings, rings_of_ended_threads_are_used_again)
{
	TRACEHANDLE session = start("ring_threads", 4096);
	pthread_t thread;
	struct found f;

	ASSERT_NE(0, session);
	ASSERT_TRUE(provider_register());
	for (unsigned int n = 0; n < 100; n++) {
		pthread_create(&thread, NULL, write_some,
			       (void *)(uintptr_t)n);
		pthread_join(thread, NULL);
		/* Until the kernel has removed it, the thread seems to run */
		while (!syscall(SYS_tgkill, getpid(), writer, 0))
			usleep(100);
	}
	EXPECT_EQ(1, count_of("rings") - self->before);
	ASSERT_EQ(0, session_stop(session, NULL));
	scan("ring_threads", getpid(), &f);
	EXPECT_EQ(NULL, f.wrong) TH_LOG("%s", f.wrong);
	EXPECT_EQ(0, shared->codes);
	EXPECT_EQ(10000, f.of_rings);
}

TEST_F(rings, a_registration_with_another_descriptor_has_its_events_recorded)
{
	TRACEHANDLE session = start("ring_closed", 4096);
	struct found f;

	ASSERT_NE(0, session);
	ASSERT_TRUE(provider_register());
	for (unsigned int n = 0; n < 10; n++)
		ASSERT_EQ(0, write_mark(0, n, 10));
	EXPECT_EQ(1, count_of("rings") - self->before);
	closefrom(3);
	/* The registration after that is not known to the ring's descriptor */
	ASSERT_TRUE(provider_register());
	for (unsigned int n = 10; n < 20; n++)
		ASSERT_EQ(0, write_mark(0, n, 10));
	EXPECT_EQ(1, count_of("rings") - self->before);
	ASSERT_EQ(0, session_stop(session, NULL));
	scan("ring_closed", getpid(), &f);
	EXPECT_EQ(NULL, f.wrong) TH_LOG("%s", f.wrong);
	EXPECT_EQ(20, f.total);
	EXPECT_LE(19, f.of_rings);
}

TEST_F(rings, a_mapping_that_is_no_ring_is_refused)
{
	const size_t size = MAP_SIZE;
	struct raw raw;
	void *moved;
	unsigned int n;

	ASSERT_TRUE(raw_open(&raw));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, 4096, PROT_READ, MAP_SHARED, raw.fd,
				   EVNTPROV_RING_OFFSET));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(MAP_FAILED, mmap(NULL, size, PROT_READ, MAP_PRIVATE, raw.fd,
				   EVNTPROV_RING_OFFSET));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, munmap((char *)raw.state + 4096, 4096));
	EXPECT_EQ(0, raw_drain(&raw, raw.id));
	EXPECT_EQ(ENOENT, raw_drain(&raw, 1000));
	EXPECT_EQ(-1, madvise(raw.state, size, MADV_DOFORK));
	EXPECT_EQ(EINVAL, errno);
	/* A ring that was moved is one no longer, and its memory is still there */
	moved = mremap(raw.state, size, size, MREMAP_MAYMOVE | MREMAP_FIXED,
		       mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0));
	ASSERT_NE(MAP_FAILED, moved);
	EXPECT_EQ(0, count_of("rings") - self->before);
	memset(moved, 1, size);
	munmap(moved, size);
	for (n = 0; n < 100; n++) {
		if (mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, raw.fd,
			 EVNTPROV_RING_OFFSET) == MAP_FAILED)
			break;
	}
	EXPECT_EQ(EMFILE, errno);
	EXPECT_GE(32, n);
	set_rings('N');
	EXPECT_EQ(MAP_FAILED, mmap(NULL, size, PROT_READ, MAP_SHARED, raw.fd,
				   EVNTPROV_RING_OFFSET));
	EXPECT_EQ(EOPNOTSUPP, errno);
}

/* Map rings until that fails; returns how many */
static unsigned int map_rings(void)
{
	const int fd = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	unsigned int n = 0;

	while (n < 100 && mmap(NULL, MAP_SIZE, PROT_READ | PROT_WRITE,
			       MAP_SHARED, fd,
			       EVNTPROV_RING_OFFSET) != MAP_FAILED)
		n++;
	return n;
}

/* As a user without privileges, have as many rings as possible */
static int have_rings_of_a_user(void)
{
	unsigned int n;
	int status;
	pid_t child;

	if (setgroups(0, NULL) || setgid(65534) || setuid(65534))
		return 1;
	n = map_rings();
	if (!n || n > 32 || errno != EMFILE)
		return 2;
	child = fork();
	if (!child)
		_exit(map_rings() || errno != EMFILE);
	waitpid(child, &status, 0);
	return status ? 3 : 0;
}

TEST_F(rings, a_user_has_half_of_the_rings)
{
	pid_t child;
	int status;

	/* The second time, the rings of the first are free again */
	for (unsigned int round = 0; round < 2; round++) {
		child = fork();
		if (!child)
			_exit(have_rings_of_a_user());
		waitpid(child, &status, 0);
		EXPECT_EQ(0, status);
	}
	EXPECT_EQ(self->before, count_of("rings"));
}

/* Whether the kernel derives its clock from the processor's counter */
static bool clock_is_counter(void)
{
	static const char path[] = "/sys/devices/system/clocksource/"
				   "clocksource0/current_clocksource";
	char name[32] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len = read(fd, name, sizeof(name) - 1);

	close(fd);
	return len > 0 && (!strcmp(name, "tsc\n") ||
			   !strcmp(name, "arch_sys_counter\n"));
}

/* Clock before and after each write, and how many times are not between */
static struct {
	int64_t before[1000];
	int64_t after[1000];
	unsigned int seen;
	unsigned int wrong;
} readings;

static void check_time(const struct etl_event *e, void *context)
{
	const GUID id = provider_id(PROVIDER);
	const unsigned int n = etl_u32(e->data + 4);

	if (memcmp(e->provider, &id, sizeof(id)) || n >= 1000)
		return;
	readings.seen++;
	/* The clock itself is steered by some ns from one tick to the next */
	readings.wrong += e->time < readings.before[n] - 1000 ||
			  e->time > readings.after[n] + 1000;
}

/* Write events, with a flush now and then; returns whether all are on time */
static bool times_are_exact(const char *name)
{
	TRACEHANDLE session = start(name, 8192);
	struct properties p = properties_for("");
	struct etl_scan s;
	unsigned int n;
	char path[64];

	memset(&readings, 0, sizeof(readings));
	for (n = 0; n < 1000; n++) {
		readings.before[n] = boot_ns();
		if (write_mark(0, n, n % 100))
			return false;
		readings.after[n] = boot_ns();
		if (n % 97 == 13)
			ControlTraceA(session, NULL, &p.p,
				      EVENT_TRACE_CONTROL_FLUSH);
		if (n % 300 == 200)
			usleep(50000);
	}
	if (session_stop(session, NULL))
		return false;
	snprintf(path, sizeof(path), "/tmp/%s.etl", name);
	return etl_scan(path, &s, check_time, NULL) && !unlink(path) &&
	       readings.seen == 1000 && !readings.wrong;
}

TEST_F(rings, times_are_those_of_the_clock)
{
	ASSERT_TRUE(set_rings_counter('N'));
	ASSERT_TRUE(provider_register());
	EXPECT_TRUE(times_are_exact("ring_clock"));
}

TEST_F(rings, times_by_the_counter_are_those_of_the_clock)
{
	if (!clock_is_counter())
		SKIP(return, "the clock source is not the counter");
	ASSERT_TRUE(provider_register());
	EXPECT_TRUE(times_are_exact("ring_counter"))
		TH_LOG("%u of %u are wrong", readings.wrong, readings.seen);
}

TEST_F(rings, a_ring_tells_whether_times_may_be_of_the_counter)
{
	struct raw raw;

	ASSERT_TRUE(set_rings_counter('N'));
	ASSERT_TRUE(raw_open(&raw));
	EXPECT_EQ(0, raw.state->flags);
	raw_close(&raw);
	if (!clock_is_counter())
		SKIP(return, "the clock source is not the counter");
	ASSERT_TRUE(set_rings_counter('Y'));
	ASSERT_TRUE(raw_open(&raw));
	EXPECT_EQ(EVNTPROV_RING_COUNTER, raw.state->flags);
	raw_close(&raw);
}

static void check_bounds(const struct etl_event *e, void *context)
{
	const GUID id = provider_id(OTHER_PROVIDER);

	if (memcmp(e->provider, &id, sizeof(id)))
		return;
	readings.seen++;
	readings.wrong += e->time < readings.before[0] ||
			  e->time > readings.after[0];
}

/* Whatever the clock source is: the process need not ask */
TEST_F(rings, a_counter_may_have_any_value)
{
	static const int64_t values[] = {
		0, -1, 1, INT64_MIN, INT64_MAX, 1ll << 62, INT64_MIN / 2, 12345678,
	};
	TRACEHANDLE session = start_for("ring_values", 8192, OTHER_PROVIDER);
	unsigned int i, n, count = 0;
	struct etl_scan s;
	struct raw raw;

	ASSERT_NE(0, session);
	memset(&readings, 0, sizeof(readings));
	readings.before[0] = boot_ns();
	for (n = 0; n < 2; n++) {
		ASSERT_TRUE(set_rings_counter(n ? 'N' : 'Y'));
		ASSERT_TRUE(raw_open(&raw));
		for (i = 0; i < 64; i++) {
			put_raw(&raw, (struct etl_event_header) {
				.flags = EVNTPROV_RING_COUNTER,
				.time_stamp = values[i % 8] + i / 8,
			}, OWN, count++, 0);
			if (i % 5 == 0)
				raw_drain(&raw, raw.id);
		}
		raw_close(&raw);
	}
	readings.after[0] = boot_ns();
	ASSERT_EQ(0, session_stop(session, NULL));
	ASSERT_TRUE(etl_scan("/tmp/ring_values.etl", &s, check_bounds, NULL));
	unlink("/tmp/ring_values.etl");
	EXPECT_EQ(count, readings.seen);
	EXPECT_EQ(0, readings.wrong);
}

#define WANTED		3u
#define UNWANTED	5u

/*
 * The records of the test below, in blocks of ten: of one registration; of two
 * alternately, in the second half; with an unwanted one at the end, in the middle,
 * at the begin
 */
static bool is_of_next(unsigned int n)
{
	return n >= 500 && n / 10 % 5 == 1 && n % 2;
}

static bool is_unwanted(unsigned int n)
{
	static const unsigned int at[] = { 10, 10, 9, 4, 0 };

	return n % 10 == at[n / 10 % 5];
}

/* Records found, and the number of the next one */
static struct {
	unsigned int seen;
	unsigned int wrong;
	unsigned int next;
} sorted;

static void check_sorted(const struct etl_event *e, void *context)
{
	const GUID ids[] = { provider_id(OTHER_PROVIDER), provider_id(PROVIDER) };

	if (memcmp(e->provider, &ids[0], sizeof(GUID)) &&
	    memcmp(e->provider, &ids[1], sizeof(GUID)))
		return;
	while (is_unwanted(sorted.next))
		sorted.next++;
	sorted.seen++;
	sorted.wrong += etl_u32(e->data + 4) != sorted.next ||
			e->level != WANTED || (pid_t)e->pid != getpid() ||
			memcmp(e->provider, &ids[is_of_next(sorted.next)],
			       sizeof(GUID));
	sorted.next++;
}

/*
 * The session wants a part of the records, however they are copied together, and
 * whether they are short or long
 */
TEST_F(rings, a_process_may_mix_records_that_a_session_wants_with_others)
{
	TRACEHANDLE session = start_for("ring_mixed", 8192, OTHER_PROVIDER);
	const GUID id = provider_id(PROVIDER), first = provider_id(OTHER_PROVIDER);
	struct evntprov_register arg = {
		.size = sizeof(arg), .flags = EVNTPROV_REGISTER_RING,
		.handle = NEXT_HANDLE,
	};
	unsigned int n, wanted = 0;
	struct properties out;
	struct etl_scan s;
	struct raw raw = {};

	memset(&sorted, 0, sizeof(sorted));
	ASSERT_NE(0, session);
	ASSERT_EQ(0, EnableTraceEx2(session, &first,
				    EVENT_CONTROL_CODE_ENABLE_PROVIDER, WANTED,
				    0, 0, 0, NULL));
	ASSERT_EQ(0, EnableTraceEx2(session, &id,
				    EVENT_CONTROL_CODE_ENABLE_PROVIDER, WANTED,
				    0, 0, 0, NULL));
	ASSERT_TRUE(raw_open(&raw));
	memcpy(&arg.provider, &id, sizeof(id));
	ASSERT_EQ(0, ioctl(raw.fd, EVNTPROV_IOC_REGISTER, &arg));
	for (n = 0; n < 1000; n++) {
		put_raw(&raw, (struct etl_event_header) {
			.time_stamp = boot_ns(),
			.descriptor.level = is_unwanted(n) ? UNWANTED : WANTED,
		}, is_of_next(n) ? NEXT_HANDLE : OWN, n,
			n / 100 % 2 * 240);
		wanted += !is_unwanted(n);
		/* At the end of a block, or in one */
		if (n % 14 == 0 || n % 90 == 89)
			ASSERT_EQ(0, ioctl(raw.fd, EVNTPROV_IOC_DRAIN,
					   raw.state->id));
	}
	munmap(raw.state, MAP_SIZE);
	close(raw.fd);
	ASSERT_EQ(0, session_stop(session, &out));
	EXPECT_EQ(0, out.p.EventsLost);
	ASSERT_TRUE(etl_scan("/tmp/ring_mixed.etl", &s, check_sorted, NULL));
	unlink("/tmp/ring_mixed.etl");
	EXPECT_EQ(wanted, sorted.seen);
	EXPECT_EQ(0, sorted.wrong);
}

TEST_HARNESS_MAIN
