// SPDX-License-Identifier: GPL-2.0
/*
 * Call stacks of samples, context switches and wake-ups: records that name their
 * event by its time stamp, from the innermost frame outwards.  The program has
 * frame pointers, and its functions are in sections of their own.
 */
#include <pthread.h>
#include <sys/syscall.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/system/system_log.h"
#include <evntsystem.h>

#define SYSTEM_MODE	EVENT_TRACE_SYSTEM_LOGGER_MODE

/* A function in the section of this name, which no other one calls inline */
#define IN(name)	__attribute__((noinline, section(name)))
#define IS_IN(name, address) ({						\
	extern const char __start_##name[], __stop_##name[];		\
	(address) >= (uintptr_t)__start_##name &&			\
	(address) < (uintptr_t)__stop_##name; })

FIXTURE(stack) {
	TRACEHANDLE session;
	struct system_log *log;
};

FIXTURE_SETUP(stack)
{
}

FIXTURE_TEARDOWN(stack)
{
	system_end(self->session, self->log);
}

static ULONG set_stacks(TRACEHANDLE session, const GUID *class, UCHAR type)
{
	CLASSIC_EVENT_ID id = { *class, type };

	return TraceSetInformation(session, TraceStackTracingInfo, &id,
				   sizeof(id));
}

/* Record events with call stacks while @run runs; false on failure */
static bool record(FIXTURE_DATA(stack) *self, ULONG flag, const GUID *class,
		   UCHAR type, void (*run)(void *context), void *context)
{
	ULONG masks[8] = { flag };

	if (system_start("system-stack", SYSTEM_LOG, SYSTEM_MODE, 0,
			 &self->session) ||
	    set_stacks(self->session, class, type) ||
	    TraceSetInformation(self->session, TraceSystemTraceEnableFlagsInfo,
				masks, sizeof(masks)))
		return false;
	run(context);
	self->log = system_log_end(&self->session);
	return self->log;
}

static uint32_t frames(const struct system_event *e)
{
	return e->len / 8 - 2;
}

static uint64_t frame(const struct system_event *e, uint32_t i)
{
	return field64(e, 16 + 8 * i);
}

/* Number of frames of the kernel, which come first; -1 if others follow */
static int kernel_frames(const struct system_event *e)
{
	uint32_t i, n = 0;

	while (n < frames(e) && frame(e, n) >> 63)
		n++;
	for (i = n; i < frames(e); i++) {
		if (frame(e, i) >> 63)
			return -1;
	}
	return n;
}

IN("stack_inner") static void inner(clock_t until)
{
	volatile unsigned int i;

	for (i = 0; i < 20000000; i++) {
		if (i % 100000 == 0 && clock() > until)
			break;
	}
}

/* Do something after the call, so that it is no jump */
IN("stack_outer") static void outer(void *context)
{
	inner(clock() + 3 * CLOCKS_PER_SEC / 10);
	asm volatile("");
}

/* Number of samples in inner(), and of those with outer() as its caller */
struct samples {
	unsigned int own;
	unsigned int good;
};

static void check_samples(struct __test_metadata *_metadata,
			  const struct system_log *log, struct samples *n)
{
	const struct system_event *e = NULL, *s;
	uint64_t at;

	while ((e = next_event(log, e, PERFINFO, SAMPLE, 8, getpid()))) {
		at = field64(e, 0);
		s = find_stack(log, e->time, getpid());
		ASSERT_NE(NULL, s);
		EXPECT_EQ(2, s->version);
		EXPECT_EQ(e->cpu, s->cpu);
		EXPECT_LE(e, s);
		EXPECT_EQ(~0u, s->tid);
		EXPECT_EQ(getpid(), field(s, 8));
		/* The first frame is the interrupted instruction */
		EXPECT_EQ(at, frame(s, 0));
		EXPECT_EQ(at >> 63, kernel_frames(s) > 0);
		if (!IS_IN(stack_inner, at))
			continue;
		n->own++;
		/* Not yet in the frame of the function's first instructions */
		n->good += frames(s) > 2 && IS_IN(stack_outer, frame(s, 1));
	}
}

TEST_F(stack, a_sample_has_the_stack_of_what_it_interrupted)
{
	struct samples n = {};
	unsigned int rounds;

	/* Emulated processors lose ticks, on a busy host most of them */
	for (rounds = 0; rounds < 40 && n.own < 30; rounds++) {
		system_log_free(self->log);
		ASSERT_TRUE(record(self, EVENT_TRACE_FLAG_PROFILE,
				   &PerfInfoGuid, SAMPLE, outer, NULL));
		EXPECT_EQ(0, self->log->lost);
		check_samples(_metadata, self->log, &n);
	}
	EXPECT_LE(30, n.own);
	EXPECT_LE(n.own * 9 / 10, n.good);
}

/*
 * A thread that reads bytes until the end of a pipe, and a writer of them.
 * syscall() has no frame, so the stack lacks its caller: the next one is in a
 * section.
 */
struct reader {
	int pipe[2];
	pid_t thread;
};

#define BYTES	10

__attribute__((noinline)) static bool read_byte(int fd)
{
	char byte;
	const bool is_read = syscall(SYS_read, fd, &byte, 1) == 1;

	asm volatile("");
	return is_read;
}

__attribute__((noinline)) static void write_byte(int fd)
{
	const long written = syscall(SYS_write, fd, "", 1);

	if (written != 1)
		_exit(1);
}

IN("stack_read") static void *read_bytes(void *context)
{
	struct reader *r = context;

	__atomic_store_n(&r->thread, syscall(SYS_gettid), __ATOMIC_RELEASE);
	while (read_byte(r->pipe[0]))
		asm volatile("");
	return NULL;
}

static bool is_asleep(pid_t thread)
{
	char path[64], state = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", thread);
	f = fopen(path, "r");
	if (f && fscanf(f, "%*d %*s %c", &state) != 1)
		state = 0;
	if (f)
		fclose(f);
	return state == 'S';
}

IN("stack_write") static void write_bytes(struct reader *r)
{
	unsigned int i;

	for (i = 0; i < BYTES; i++) {
		EVENTUALLY(is_asleep(r->thread));
		write_byte(r->pipe[1]);
	}
}

static void pass_bytes(void *context)
{
	struct reader *r = context;
	pthread_t thread;

	if (pipe(r->pipe) || pthread_create(&thread, NULL, read_bytes, r))
		return;
	while (!__atomic_load_n(&r->thread, __ATOMIC_ACQUIRE))
		usleep(1000);
	write_bytes(r);
	close(r->pipe[1]);
	pthread_join(thread, NULL);
	close(r->pipe[0]);
}

/* Test whether the caller of the function that has entered the kernel is in it */
#define ENTERED_BY(section, e, kernel)					\
	((int)frames(e) > (kernel) + 1 &&				\
	 IS_IN(section, frame(e, (kernel) + 1)))

TEST_F(stack, a_context_switch_has_the_stack_of_the_new_thread)
{
	const struct system_event *e = NULL, *s;
	unsigned int good = 0;
	struct reader r = {};
	int kernel;

	ASSERT_TRUE(record(self, EVENT_TRACE_FLAG_CSWITCH, &ThreadGuid, CSWITCH,
			   pass_bytes, &r));
	EXPECT_EQ(0, self->log->lost);
	while ((e = next_event(self->log, e, THREAD, CSWITCH, 0, r.thread))) {
		s = find_stack(self->log, e->time, r.thread);
		ASSERT_NE(NULL, s);
		EXPECT_EQ(e->cpu, s->cpu);
		EXPECT_LE(e, s);
		EXPECT_EQ(getpid(), field(s, 8));
		kernel = kernel_frames(s);
		EXPECT_LT(0, kernel);
		good += ENTERED_BY(stack_read, s, kernel);
	}
	/* It may have been woken before it had ceased to run */
	EXPECT_LE(BYTES / 2, good);
	/* Idle threads have none */
	EXPECT_EQ(NULL, next_event(self->log, NULL, STACKWALK, STACK, 12, 0));
}

TEST_F(stack, a_wake_up_has_the_stack_of_the_thread_that_caused_it)
{
	const struct system_event *e = NULL, *s;
	unsigned int good = 0;
	struct reader r = {};
	int kernel;

	ASSERT_TRUE(record(self, EVENT_TRACE_FLAG_DISPATCHER, &ThreadGuid,
			   READY, pass_bytes, &r));
	EXPECT_EQ(0, self->log->lost);
	while ((e = next_event(self->log, e, THREAD, READY, 0, r.thread))) {
		s = find_stack(self->log, e->time, getpid());
		if (!s)
			continue;
		EXPECT_EQ(e->cpu, s->cpu);
		kernel = kernel_frames(s);
		EXPECT_LT(0, kernel);
		good += ENTERED_BY(stack_write, s, kernel);
	}
	EXPECT_LE(BYTES / 2, good);
}

TEST_F(stack, events_with_stacks_are_set_and_queried)
{
	CLASSIC_EVENT_ID ids[3] = {
		{ ThreadGuid, READY }, { PerfInfoGuid, SAMPLE },
		/* No stacks of it: ignored */
		{ ThreadGuid, END },
	}, got[3];
	static CLASSIC_EVENT_ID many[257];
	const int class = TraceStackTracingInfo;
	TRACEHANDLE other;
	ULONG len = 0;

	ASSERT_EQ(0, system_start("system-stack", SYSTEM_LOG, SYSTEM_MODE, 0,
				  &self->session));
	EXPECT_EQ(0, TraceQueryInformation(self->session, class, got,
					   sizeof(got), &len));
	EXPECT_EQ(0, len);
	EXPECT_EQ(0, TraceSetInformation(self->session, class, ids,
					 sizeof(ids)));
	EXPECT_EQ(0, TraceQueryInformation(self->session, class, got,
					   sizeof(got), &len));
	EXPECT_EQ(2 * sizeof(*ids), len);
	EXPECT_EQ(0, memcmp(&got[0], &ids[1], sizeof(*ids)));
	EXPECT_EQ(0, memcmp(&got[1], &ids[0], sizeof(*ids)));
	EXPECT_EQ(87, TraceSetInformation(self->session, class, many,
					  sizeof(many)));
	EXPECT_EQ(ERROR_BAD_LENGTH, TraceSetInformation(self->session, class,
							many, 23));
	EXPECT_EQ(0, TraceSetInformation(self->session, class, NULL, 0));
	EXPECT_EQ(0, TraceQueryInformation(self->session, class, got,
					   sizeof(got), &len));
	EXPECT_EQ(0, len);
	/* A session without events of the kernel has none */
	other = session_start("system-other");
	ASSERT_NE(0, other);
	EXPECT_EQ(ERROR_NOT_SUPPORTED, TraceSetInformation(other, class, ids,
							   sizeof(ids)));
	EXPECT_EQ(0, session_stop(other, NULL));
	unlink("/tmp/system-other.etl");
}

/* Start a session as a user with the right, but not CAP_PERFMON */
static int start_as_nobody(void)
{
	return AS_NOBODY(({
		TRACEHANDLE h;
		ULONG code_ = system_start("system-nobody", SYSTEM_LOG,
					   SYSTEM_MODE, 0, &h);

		(int)(code_ ? code_ + 100 : set_stacks(h, &ThreadGuid, READY));
	}));
}

TEST_F(stack, stacks_require_CAP_PERFMON_and_no_reader_without_it)
{
	struct properties p = properties_for("");
	struct kernel_right right;

	ASSERT_TRUE(kernel_right_add(&right));
	EXPECT_EQ(ERROR_ACCESS_DENIED, start_as_nobody());
	EXPECT_TRUE(kernel_right_remove(&right));
	/* The user that started the session can read its file */
	ASSERT_EQ(0, QueryTraceA(0, "system-nobody", &p.p));
	self->session = p.p.Wnode.HistoricalContext;
	EXPECT_EQ(ERROR_ACCESS_DENIED,
		  set_stacks(self->session, &ThreadGuid, READY));
}

TEST_HARNESS_MAIN
