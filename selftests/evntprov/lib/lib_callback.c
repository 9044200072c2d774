// SPDX-License-Identifier: GPL-2.0
/*
 * Enable callbacks: when they are called, with which arguments, and when they
 * no longer are.
 */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/lib.h"

/* Timeout in ms, long enough for any callback */
#define WAIT		100000

/* Arguments of callbacks, call by call */
struct seen {
	atomic_uint calls;
	atomic_uint running;
	atomic_bool overlap;
	ULONG control;
	UCHAR level;
	ULONGLONG any;
	ULONGLONG all;
	GUID source;
	pthread_t thread;
	PEVENT_FILTER_DESCRIPTOR filter;
	/* The callback waits for @go, and until @waiter waits */
	atomic_bool waits;
	sem_t go;
	pid_t waiter;
	REGHANDLE unregister;
	REGHANDLE *unregister_at;
	ULONG unregister_result;
};

/* Read one line of a thread's file in /proc */
static const char *read_task(const char *task, const char *name, char *to,
			     size_t size)
{
	char path[300];
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%s/%s", task, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	len = fd < 0 ? 0 : read(fd, to, size - 1);
	to[len > 0 ? len : 0] = '\0';
	if (fd >= 0)
		close(fd);
	return to;
}

/* Whether a thread of this process waits for another one */
static bool is_in_futex(pid_t thread)
{
	char task[16], text[16];

	snprintf(task, sizeof(task), "%d", thread);
	read_task(task, "syscall", text, sizeof(text));
	return atoi(text) == SYS_futex;
}

static bool is_gone(pid_t thread)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/task/%d", thread);
	return access(path, F_OK) != 0;
}

/* Find the library's callback thread, or return 0 */
static pid_t library_thread(void)
{
	DIR *tasks = opendir("/proc/self/task");
	struct dirent *task;
	pid_t found = 0;
	char name[32];

	while (tasks && !found && (task = readdir(tasks))) {
		if (!strcmp(read_task(task->d_name, "comm", name, sizeof(name)),
			    "evntprov\n"))
			found = atoi(task->d_name);
	}
	closedir(tasks);
	return found;
}

static void callback(LPCGUID source, ULONG control, UCHAR level, ULONGLONG any,
		     ULONGLONG all, PEVENT_FILTER_DESCRIPTOR filter,
		     PVOID context)
{
	struct seen *s = context;

	if (atomic_fetch_add(&s->running, 1))
		atomic_store(&s->overlap, true);
	s->control = control;
	s->level = level;
	s->any = any;
	s->all = all;
	s->source = *source;
	s->filter = filter;
	s->thread = pthread_self();
	if (atomic_load(&s->waits))
		sem_wait(&s->go);
	if (s->waiter)
		EVENTUALLY(is_in_futex(s->waiter));
	if (s->unregister)
		s->unregister_result = EventUnregister(s->unregister);
	if (s->unregister_at)
		s->unregister_result = EventUnregister(*s->unregister_at);
	atomic_fetch_sub(&s->running, 1);
	atomic_fetch_add(&s->calls, 1);
}

FIXTURE(callback) {
	TRACEHANDLE session;
	struct seen *seen;
	REGHANDLE handle;
	GUID id;
};

FIXTURE_SETUP(callback)
{
	self->id = provider_id(1);
	self->handle = 0;
	self->seen = calloc(1, sizeof(*self->seen));
	self->session = session_start("callback");
	ASSERT_NE(0, self->session);
}

FIXTURE_TEARDOWN(callback)
{
	if (self->handle)
		EXPECT_EQ(ERROR_SUCCESS, EventUnregister(self->handle));
	EXPECT_EQ(ERROR_SUCCESS, session_stop(self->session, NULL));
	free(self->seen);
	unlink("/tmp/callback.etl");
}

/* Enable, and return after the callbacks have returned */
static ULONG session_enable_and_wait(TRACEHANDLE session, unsigned int provider)
{
	GUID id = provider_id(provider);

	return EnableTraceEx2(session, &id, EVENT_CONTROL_CODE_ENABLE_PROVIDER,
			      0, 0, 0, WAIT, NULL);
}

/*
 * Wait until the library's thread has handled all earlier notifications: it
 * calls in their order, and the one of this function comes last.
 */
static ULONG await_calls_before(TRACEHANDLE session)
{
	GUID id = provider_id(99);
	struct seen last = {};
	REGHANDLE handle;
	ULONG code;

	code = EventRegister(&id, callback, &last, &handle);
	if (code)
		return code;
	code = session_enable_and_wait(session, 99);
	EventUnregister(handle);
	return code ? code : last.calls != 1;
}

#define REGISTER() ASSERT_EQ(ERROR_SUCCESS, \
	EventRegister(&self->id, callback, self->seen, &self->handle))

TEST_F(callback, the_callback_runs_at_once_if_the_provider_was_enabled_before)
{
	static const GUID empty_set;

	ASSERT_EQ(ERROR_SUCCESS, session_enable(self->session, 1));
	REGISTER();
	ASSERT_EQ(1, self->seen->calls);
	EXPECT_EQ(EVENT_CONTROL_CODE_ENABLE_PROVIDER, self->seen->control);
	EXPECT_EQ(0xff, self->seen->level);
	EXPECT_EQ(~0ull, self->seen->any);
	EXPECT_EQ(0, self->seen->all);
	EXPECT_EQ(NULL, self->seen->filter);
	EXPECT_EQ(0,
		  memcmp(&empty_set, &self->seen->source, sizeof(empty_set)));
	EXPECT_TRUE(EventProviderEnabled(self->handle, 5, 1));
}

TEST_F(callback, the_callback_does_not_run_at_registration_if_disabled)
{
	REGISTER();
	EXPECT_FALSE(EventProviderEnabled(self->handle, 0, 0));
	/* The callback for this enabling is the first one */
	ASSERT_EQ(ERROR_SUCCESS, session_enable_and_wait(self->session, 1));
	EXPECT_EQ(1, self->seen->calls);
	EXPECT_EQ(EVENT_CONTROL_CODE_ENABLE_PROVIDER, self->seen->control);
}

TEST_F(callback, the_callback_runs_on_another_thread_if_enabled_later)
{
	ENABLE_TRACE_PARAMETERS parameters = {
		.Version = ENABLE_TRACE_PARAMETERS_VERSION_2,
		.SourceId = provider_id(9),
	};

	REGISTER();
	ASSERT_EQ(ERROR_SUCCESS,
		  EnableTraceEx2(self->session, &self->id,
				 EVENT_CONTROL_CODE_ENABLE_PROVIDER, 3, 0xf0,
				 0x30, WAIT, &parameters));
	/* The timeout covers the callback */
	ASSERT_EQ(1, self->seen->calls);
	EXPECT_EQ(3, self->seen->level);
	EXPECT_EQ(0xf0, self->seen->any);
	EXPECT_EQ(0x30, self->seen->all);
	EXPECT_EQ(0, memcmp(&parameters.SourceId, &self->seen->source, 16));
	EXPECT_FALSE(pthread_equal(pthread_self(), self->seen->thread));
}

TEST_F(callback, disabling_in_one_of_two_sessions_reports_ENABLE_with_less)
{
	TRACEHANDLE second = session_start("second");

	REGISTER();
	ASSERT_NE(0, second);
	ASSERT_EQ(0, EnableTraceEx2(self->session, &self->id, 1, 2, 1, 3,
				    WAIT, NULL));
	ASSERT_EQ(0, EnableTraceEx2(second, &self->id, 1, 5, 2, 2, WAIT,
				    NULL));
	EXPECT_EQ(5, self->seen->level);
	EXPECT_EQ(3, self->seen->any);
	EXPECT_EQ(2, self->seen->all);
	ASSERT_EQ(0, EnableTraceEx2(second, &self->id, 0, 0, 0, 0, WAIT,
				    NULL));
	EXPECT_EQ(EVENT_CONTROL_CODE_ENABLE_PROVIDER, self->seen->control);
	EXPECT_EQ(2, self->seen->level);
	EXPECT_EQ(1, self->seen->any);
	EXPECT_EQ(ERROR_SUCCESS, session_stop(second, NULL));
	unlink("/tmp/second.etl");
}

TEST_F(callback, a_stopped_session_reports_DISABLE_without_SourceId)
{
	static const GUID empty_set;
	TRACEHANDLE second = session_start("second");

	REGISTER();
	ASSERT_EQ(0, EnableTraceEx2(second, &self->id, 1, 2, 1, 3, WAIT,
				    NULL));
	ASSERT_EQ(1, self->seen->calls);
	EXPECT_EQ(ERROR_SUCCESS, session_stop(second, NULL));
	ASSERT_TRUE(EVENTUALLY(self->seen->calls == 2));
	EXPECT_EQ(EVENT_CONTROL_CODE_DISABLE_PROVIDER, self->seen->control);
	EXPECT_EQ(0,
		  memcmp(&empty_set, &self->seen->source, sizeof(empty_set)));
	unlink("/tmp/second.etl");
}

TEST_F(callback, capture_state_is_passed_through)
{
	REGISTER();
	ASSERT_EQ(0, EnableTraceEx2(self->session, &self->id, 1, 4, 7, 0,
				    WAIT, NULL));
	ASSERT_EQ(0, EnableTraceEx2(self->session, &self->id, 2, 0, 0, 0,
				    WAIT, NULL));
	EXPECT_EQ(2, self->seen->calls);
	EXPECT_EQ(EVENT_CONTROL_CODE_CAPTURE_STATE, self->seen->control);
	EXPECT_EQ(4, self->seen->level);
	EXPECT_EQ(7, self->seen->any);
	EXPECT_TRUE(EventProviderEnabled(self->handle, 4, 1));
}

TEST_F(callback, enabling_again_calls_the_callback_again)
{
	unsigned int i;

	REGISTER();
	for (i = 1; i <= 5; i++) {
		ASSERT_EQ(0, EnableTraceEx2(self->session, &self->id, 1, 4, 7,
					    0, WAIT, NULL));
		EXPECT_EQ(i, self->seen->calls);
	}
}

TEST_F(callback, timeout_expires_and_the_callback_runs_later)
{
	REGISTER();
	self->seen->waits = true;
	EXPECT_EQ(ERROR_TIMEOUT,
		  EnableTraceEx2(self->session, &self->id, 1, 0, 0, 0, 20,
				 NULL));
	EXPECT_TRUE(EventProviderEnabled(self->handle, 1, 1));
	EXPECT_EQ(0, self->seen->calls);
	sem_post(&self->seen->go);
	EXPECT_TRUE(EVENTUALLY(self->seen->calls == 1));
}

/* The callback runs until EventUnregister() waits for it, and no longer */
TEST_F(callback, unregister_waits_for_a_running_callback)
{
	REGISTER();
	self->seen->waits = true;
	self->seen->waiter = gettid();
	ASSERT_EQ(ERROR_SUCCESS, session_enable(self->session, 1));
	ASSERT_TRUE(EVENTUALLY(self->seen->running));
	sem_post(&self->seen->go);
	EXPECT_EQ(ERROR_SUCCESS, EventUnregister(self->handle));
	EXPECT_EQ(0, self->seen->running);
	EXPECT_EQ(1, self->seen->calls);
	EXPECT_EQ(ERROR_INVALID_HANDLE, EventUnregister(self->handle));
	self->handle = 0;
	ASSERT_EQ(ERROR_SUCCESS, session_disable(self->session, 1));
	ASSERT_EQ(0, await_calls_before(self->session));
	EXPECT_EQ(1, self->seen->calls);
}

TEST_F(callback, unregister_within_the_callback_does_not_deadlock)
{
	REGISTER();
	self->seen->unregister = self->handle;
	self->seen->unregister_result = 12345;
	ASSERT_EQ(ERROR_SUCCESS, session_enable(self->session, 1));
	ASSERT_TRUE(EVENTUALLY(self->seen->calls == 1));
	EXPECT_EQ(ERROR_SUCCESS, self->seen->unregister_result);
	ASSERT_EQ(ERROR_SUCCESS, session_disable(self->session, 1));
	ASSERT_EQ(0, await_calls_before(self->session));
	EXPECT_EQ(1, self->seen->calls);
	/* The library still works afterwards */
	memset(self->seen, 0, sizeof(*self->seen));
	REGISTER();
	ASSERT_EQ(ERROR_SUCCESS, session_enable(self->session, 1));
	EXPECT_TRUE(EVENTUALLY(self->seen->calls == 1));
}

/* Enable again during the first call, which runs in EventRegister() */
struct enabler {
	TRACEHANDLE session;
	struct seen *seen;
};

static void *enable_meanwhile(void *p)
{
	struct enabler *e = p;

	EVENTUALLY(e->seen->running);
	session_enable(e->session, 1);
	EVENTUALLY(is_in_futex(library_thread()));
	sem_post(&e->seen->go);
	return NULL;
}

/* The library's thread holds the next call, and waits to make it */
TEST_F(callback, unregister_within_the_first_call_does_not_deadlock)
{
	struct enabler e = { self->session, self->seen };
	pthread_t thread;

	ASSERT_EQ(ERROR_SUCCESS, session_enable(self->session, 1));
	self->seen->waits = true;
	self->seen->unregister_at = &self->handle;
	self->seen->unregister_result = 12345;
	pthread_create(&thread, NULL, enable_meanwhile, &e);
	REGISTER();
	pthread_join(thread, NULL);
	EXPECT_EQ(ERROR_SUCCESS, self->seen->unregister_result);
	EXPECT_EQ(1, self->seen->calls);
	self->handle = 0;
}

/*
 * Changes between closing the descriptor and the library's noticing it are
 * reported after the running call.
 */
TEST_F(callback, changes_missed_while_descriptors_were_closed_are_reported)
{
	GUID id = provider_id(2);
	REGHANDLE second;
	int fd;

	REGISTER();
	self->seen->waits = true;
	ASSERT_EQ(ERROR_SUCCESS, session_enable(self->session, 1));
	ASSERT_TRUE(EVENTUALLY(self->seen->running));
	for (fd = 60; fd < 1024; fd++)
		close(fd);
	ASSERT_EQ(ERROR_SUCCESS, session_disable(self->session, 1));
	ASSERT_EQ(ERROR_SUCCESS, EventRegister(&id, NULL, NULL, &second));
	self->seen->waits = false;
	sem_post(&self->seen->go);
	EXPECT_TRUE(EVENTUALLY(self->seen->calls == 2));
	EXPECT_EQ(EVENT_CONTROL_CODE_DISABLE_PROVIDER, self->seen->control);
	EXPECT_FALSE(self->seen->overlap);
	EXPECT_EQ(ERROR_SUCCESS, EventUnregister(second));
}

/*
 * The library must not read a foreign file that got its descriptor's number:
 * the thread that notices it ends, and another one takes over.
 */
TEST_F(callback, the_library_reads_no_descriptor_of_the_program)
{
	char text[64] = "";
	pid_t thread;
	int fd, ends[2];

	REGISTER();
	self->seen->waits = true;
	ASSERT_EQ(ERROR_SUCCESS, session_enable(self->session, 1));
	ASSERT_TRUE(EVENTUALLY(self->seen->running));
	thread = library_thread();
	ASSERT_NE(0, thread);
	ASSERT_EQ(0, pipe(ends));
	for (fd = 60; fd < 200; fd++)
		dup2(ends[0], fd);
	ASSERT_EQ(sizeof(text), write(ends[1], text, sizeof(text)));
	self->seen->waits = false;
	sem_post(&self->seen->go);
	EXPECT_TRUE(EVENTUALLY(is_gone(thread)));
	ASSERT_EQ(0, fcntl(ends[0], F_SETFL, O_NONBLOCK));
	EXPECT_EQ(sizeof(text), read(ends[0], text, sizeof(text)));
	for (fd = 60; fd < 100; fd++)
		close(fd);
	ASSERT_EQ(ERROR_SUCCESS, session_disable(self->session, 1));
	EXPECT_TRUE(EVENTUALLY(self->seen->control ==
			       EVENT_CONTROL_CODE_DISABLE_PROVIDER));
}

/*
 * Two threads enable and disable a provider while it is registered and
 * unregistered.  The number of changes per registration is limited, so that the
 * last ones meet its end.
 */
#define CHANGES		10u

struct churn {
	TRACEHANDLE session;
	struct seen *seen;
	sem_t due;
	atomic_uint done;
	atomic_bool stop;
};

static void *churn(void *p)
{
	struct churn *c = p;
	unsigned int n, tries, calls;

	for (n = 0; !sem_wait(&c->due) && !atomic_load(&c->stop); n++) {
		calls = c->seen->calls;
		session_enable(c->session, 1);
		/* Changes that come at once cause no callback; wait for some */
		for (tries = n % 8 ? 0 : 20; tries && c->seen->calls == calls;
		     tries--)
			usleep(1000);
		session_disable(c->session, 1);
		atomic_fetch_add(&c->done, 1);
	}
	return NULL;
}

static void post_times(sem_t *sem, unsigned int n)
{
	while (n--)
		sem_post(sem);
}

TEST_F_TIMEOUT(callback, callbacks_never_run_concurrently_or_after_unregister, 300)
{
	struct churn c = { .session = self->session, .seen = self->seen };
	unsigned int i, calls, before;
	pthread_t threads[2];

	ASSERT_EQ(0, sem_init(&c.due, 0, 0));
	for (i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, churn, &c);
	for (i = 0; i < many(300); i++) {
		before = atomic_load(&c.done);
		post_times(&c.due, CHANGES);
		REGISTER();
		while (atomic_load(&c.done) - before < i % CHANGES)
			sched_yield();
		ASSERT_EQ(ERROR_SUCCESS, EventUnregister(self->handle));
		self->handle = 0;
		calls = self->seen->calls;
		ASSERT_EQ(0, self->seen->running);
		sched_yield();
		ASSERT_EQ(calls, self->seen->calls);
	}
	atomic_store(&c.stop, true);
	post_times(&c.due, 2);
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	EXPECT_FALSE(self->seen->overlap);
	EXPECT_LT(0, self->seen->calls);
}

/* The library's thread blocks the program's signals */
TEST_F(callback, the_callback_thread_handles_no_signals)
{
	sigset_t set;

	REGISTER();
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	/*
	 * With the default action, the process would be killed if the library's
	 * thread took the signal
	 */
	kill(getpid(), SIGUSR1);
	EXPECT_EQ(SIGUSR1, sigtimedwait(&set, NULL,
					&(struct timespec) { 0, 0 }));
}

TEST_HARNESS_MAIN
