// SPDX-License-Identifier: MIT
/*
 * Programs that exit while the library is at work: no callback runs after that,
 * written events are in the log, and nothing hangs.  Programs that are stopped
 * and go on: they wait for locks and free memory as before.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

#include "lib/base/read_section.h"
#include "lib/base/timed_lock.h"
#include "selftests/unit/common/private_session.h"
#include "selftests/unit/common/tap.h"

static REGHANDLE registration;
static TRACEHANDLE session;
static struct private_properties properties;
/* Thread that waits for another one, and whether that one is in the library */
static pthread_t waiting;
static bool is_inside;

#define UNUSED	__attribute__((unused))
#define CALLBACK(name)							\
	static VOID WINAPI name(UNUSED LPCGUID source,			\
				UNUSED ULONG control, UNUSED UCHAR level, \
				UNUSED ULONGLONG any, UNUSED ULONGLONG all, \
				UNUSED PEVENT_FILTER_DESCRIPTOR filter,	\
				UNUSED PVOID context)

/* Register a provider, and enable it in a session of this process */
static void begin(PENABLECALLBACK callback, const char *log)
{
	EventRegister(&provider, callback, NULL, &registration);
	private_start(&properties, log, &session);
	private_enable(session, 0, NULL, 0);
}

/* State of an object that is older than the registration */
static bool is_destroyed;

static void destroy(void)
{
	__atomic_store_n(&is_destroyed, true, __ATOMIC_SEQ_CST);
}

CALLBACK(on_enable)
{
	if (__atomic_load_n(&is_destroyed, __ATOMIC_SEQ_CST))
		_exit(9);
}

static int just_exit(void)
{
	atexit(destroy);
	begin(on_enable, "just_exit");
	private_write(registration, 1);
	exit(0);
}

static void *enable_on(void *arg)
{
	for (;;)
		private_enable(session, 0, NULL, 0);
	return arg;
}

static int exit_while_enabled(void)
{
	pthread_t thread;
	unsigned int i;

	atexit(destroy);
	begin(on_enable, "while_enabled");
	for (i = 0; i < 100; i++)
		private_write(registration, 1);
	pthread_create(&thread, NULL, enable_on, NULL);
	exit(0);
}

/*
 * More signals than the naps of a second, in less time.  A machine with other
 * load may take longer; then the test is repeated.
 */
#define SIGNALS		1500u
#define PERIOD_US	50
#define TOO_SLOW	5

static unsigned int signals;
static double exited;

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

static void count_signal(UNUSED int signal)
{
	__atomic_fetch_add(&signals, 1, __ATOMIC_SEQ_CST);
}

CALLBACK(on_enable_slowly)
{
	const struct timespec nap = { .tv_nsec = 1000000 };

	if (pthread_equal(pthread_self(), waiting))
		return;
	__atomic_store_n(&is_inside, true, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&signals, __ATOMIC_SEQ_CST) < SIGNALS)
		nanosleep(&nap, NULL);
	if (!__atomic_load_n(&is_destroyed, __ATOMIC_SEQ_CST))
		_exit(4);
	_exit(seconds() - exited < 1 ? 9 : TOO_SLOW);
}

static void *enable_once(void *arg)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	private_enable(session, 0, NULL, 0);
	return arg;
}

/* Signals interrupt the wait for the callback */
static int exit_with_signals(void)
{
	const struct itimerval often = {
		{ .tv_usec = PERIOD_US }, { .tv_usec = PERIOD_US },
	};
	pthread_t thread;

	atexit(destroy);
	waiting = pthread_self();
	begin(on_enable_slowly, "with_signals");
	pthread_create(&thread, NULL, enable_once, NULL);
	while (!__atomic_load_n(&is_inside, __ATOMIC_SEQ_CST))
		sched_yield();
	signal(SIGALRM, count_signal);
	exited = seconds();
	setitimer(ITIMER_REAL, &often, NULL);
	exit(0);
}

static int exit_with_signals_in_time(void)
{
	unsigned int tries;
	int status = TOO_SLOW;

	for (tries = 0; tries < 60 && status == TOO_SLOW; tries++)
		status = private_in_child(exit_with_signals);
	return status;
}

CALLBACK(on_exit_once)
{
	exit(3);
}

static int exit_in_callback(void)
{
	begin(on_exit_once, "in_callback");
	return 1;
}

/* With a static library, the library's destructor must run after this one */
static bool writes_last;

static void __attribute__((destructor(101))) write_last(void)
{
	if (writes_last)
		private_write(registration, 7);
}

static int write_in_destructor(void)
{
	begin(NULL, "last");
	writes_last = true;
	exit(0);
}

static void *plugin_open(void)
{
	char self[512], path[600];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	self[n < 0 ? 0 : n] = 0;
	snprintf(path, sizeof(path), "%.*s/callback_plugin.so",
		 (int)(strrchr(self, '/') - self), self);
	return dlopen(path, RTLD_NOW);
}

static int unload_the_callback(void)
{
	void *plugin = plugin_open();
	unsigned int *calls, before;
	PENABLECALLBACK callback;

	if (!plugin)
		return 1;
	callback = (PENABLECALLBACK)dlsym(plugin, "plugin_callback");
	calls = dlsym(plugin, "plugin_calls");
	begin(callback, "unloaded");
	before = *calls;
	dlclose(plugin);
	if (before != 1)
		return 2;
	private_enable(session, 0, NULL, 0);
	if (private_write(registration, 1))
		return 3;
	exit(0);
}

static void test_callbacks(void)
{
	CHECK(!private_in_child(just_exit),
	      "no callback is called when its objects are destroyed");
	CHECK(private_count(private_path("just_exit")) == 1,
	      "the log contains events written before the exit");
	CHECK(!private_in_child(exit_while_enabled),
	      "no callback is called by an enabling thread at exit");
	CHECK(exit_with_signals_in_time() == 4,
	      "signals do not shorten the wait for a callback");
	CHECK(private_in_child(exit_in_callback) == 3, "a callback may exit");
	CHECK(!private_in_child(write_in_destructor) &&
	      PRIVATE_HAS(private_path("last"), NULL, 7),
	      "events of the program's last destructor are in the log");
	CHECK(!private_in_child(unload_the_callback) &&
	      private_count(private_path("unloaded")) == 1,
	      "a callback that was unloaded is not called");
}

/* Signal handlers that interrupt the library */
static sigjmp_buf out;

static void exit_five(UNUSED int signal)
{
	exit(5);
}

static void jump_out(UNUSED int signal)
{
	siglongjmp(out, 1);
}

/* Stay inside a write; interrupt the library's wait for it */
static void stay(UNUSED int signal)
{
	const uintptr_t phase = __atomic_load_n(&evnt_reader_phase,
						__ATOMIC_RELAXED);

	__atomic_store_n(&is_inside, true, __ATOMIC_RELEASE);
	while (__atomic_load_n(&evnt_reader_phase, __ATOMIC_RELAXED) == phase)
		sched_yield();
	pthread_kill(waiting, SIGUSR1);
	for (;;)
		pause();
}

static void on_signal(int number, void (*handler)(int))
{
	signal(number, handler);
}

static void on_fault(void (*handler)(int))
{
	on_signal(SIGSEGV, handler);
}

/* Map memory that faults when the library reads it */
static void *fault_page(void)
{
	return mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void write_with_fault(void)
{
	EVENT_DESCRIPTOR d = { .Id = 1, .Level = 4 };
	EVENT_DATA_DESCRIPTOR data;

	EventDataDescCreate(&data, fault_page(), 16);
	EventWrite(registration, &d, 1, &data);
}

static int exit_in_write(void)
{
	begin(NULL, "in_write");
	private_write(registration, 1);
	private_flush(session);
	private_write(registration, 2);
	on_fault(exit_five);
	write_with_fault();
	return 1;
}

static void *write_for_ever(void *arg)
{
	on_fault(stay);
	write_with_fault();
	return arg;
}

static int exit_in_wait(void)
{
	pthread_t thread;

	begin(NULL, "in_wait");
	private_write(registration, 1);
	waiting = pthread_self();
	on_signal(SIGUSR1, exit_five);
	pthread_create(&thread, NULL, write_for_ever, NULL);
	while (!__atomic_load_n(&is_inside, __ATOMIC_ACQUIRE))
		sched_yield();
	private_enable(session, 0, NULL, 0);
	return 1;
}

/* The library holds its lock while it reads the traits */
static int exit_in_set_information(void)
{
	begin(NULL, "in_set");
	private_write(registration, 1);
	on_fault(exit_five);
	EventSetInformation(registration, EventProviderSetTraits, fault_page(),
			    16);
	return 1;
}

static void *locked_page;
static ULONG written_locked[2];

static void write_locked(UNUSED int signal)
{
	EVENT_TRACE_HEADER e = {
		.Size = sizeof(e), .Flags = WNODE_FLAG_TRACED_GUID,
	};

	written_locked[0] = private_write(registration, 4);
	/*
	 * No registration is enabled by this session, so TraceEvent() checks
	 * all
	 */
	written_locked[1] = TraceEvent(session, &e);
	mprotect(locked_page, 4096, PROT_READ);
}

static int write_in_handler(void)
{
	REGHANDLE r;

	begin(NULL, "handler");
	locked_page = fault_page();
	on_fault(write_locked);
	EventSetInformation(registration, EventProviderSetTraits, locked_page,
			    16);
	if (written_locked[0] || written_locked[1] != ERROR_INVALID_HANDLE)
		return 1;
	/* The owner still had the lock, and has released it */
	if (EventRegister(&provider, NULL, NULL, &r) || EventUnregister(r))
		return 2;
	exit(0);
}

static void *register_another(UNUSED void *arg)
{
	REGHANDLE r;

	return (void *)(uintptr_t)(EventRegister(&provider, NULL, NULL, &r) ||
				   private_write(r, 3) || EventUnregister(r));
}

/* More often than signals nest */
#define JUMPS	3000

static int jump_out_of_writes(void)
{
	volatile unsigned int i;
	pthread_t thread;
	void *failed;

	begin(NULL, "jumps");
	on_fault(jump_out);
	for (i = 0; i < JUMPS; i++) {
		if (!sigsetjmp(out, 1))
			write_with_fault();
	}
	if (register_another(NULL))
		return 2;
	pthread_create(&thread, NULL, register_another, NULL);
	pthread_join(thread, &failed);
	if (failed)
		return 3;
	return private_stop(&properties, session) ? 4 : 0;
}

/* A child made without fork handlers, like by _Fork() */
static int exit_in_raw_child(void)
{
	int status, pid;

	begin(on_enable, "raw_child");
	private_write(registration, 1);
	pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (!pid) {
		alarm(PRIVATE_CHILD_SECONDS);
		private_write(registration, 2);
		exit(6);
	}
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) ||
	    WEXITSTATUS(status) != 6)
		return 1;
	private_write(registration, 3);
	exit(0);
}

/* Return the number of events in a complete log, and of those lost */
static unsigned int kept_and_lost(const char *path)
{
	TRACE_LOGFILE_HEADER header = { .EventsLost = 0 };
	unsigned int count = 0;

	if (private_read(path, private_count_one, &count, &header))
		return -1;
	return count + header.EventsLost;
}

static void test_interrupted(void)
{
	CHECK(private_in_child(exit_in_write) == 5,
	      "a handler that has interrupted a write may exit");
	CHECK((int)private_count(private_path("in_write")) > 0,
	      "the log has what was in other buffers");
	CHECK(private_in_child(exit_in_wait) == 5 &&
	      kept_and_lost(private_path("in_wait")) == 1,
	      "a handler that has interrupted a wait for a writer may exit");
	CHECK(private_in_child(exit_in_set_information) == 5 &&
	      private_count(private_path("in_set")) == 1,
	      "a signal handler that interrupted the lock's owner may exit");
	CHECK(!private_in_child(write_in_handler) &&
	      PRIVATE_HAS(private_path("handler"), NULL, 4),
	      "a signal handler may write events");
	CHECK(!private_in_child(jump_out_of_writes),
	      "providers come and go after a jump out of a write");
	CHECK(!private_in_child(exit_in_raw_child) &&
	      PRIVATE_HAS(private_path("raw_child"), NULL, 1, 3),
	      "a child without threads exits, and its parent goes on");
}

/* Memory of interrupted calls is leaked */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}

static void *held_page;
static bool is_released;

/* Stay inside a write until it is released */
static void hold(UNUSED int signal)
{
	__atomic_store_n(&is_inside, true, __ATOMIC_SEQ_CST);
	while (!__atomic_load_n(&is_released, __ATOMIC_SEQ_CST))
		usleep(1000);
	mprotect(held_page, 4096, PROT_READ);
}

static void *write_held(void *arg)
{
	EVENT_DESCRIPTOR d = { .Id = 1, .Level = 4 };
	EVENT_DATA_DESCRIPTOR data;

	EventDataDescCreate(&data, held_page, 16);
	EventWrite(registration, &d, 1, &data);
	return arg;
}

static void *wait_for_readers(void *tid)
{
	__atomic_store_n((pid_t *)tid, syscall(SYS_gettid), __ATOMIC_SEQ_CST);
	evnt_read_section_wait();
	return NULL;
}

/* Whether a thread waits for a lock */
static bool is_in_futex(pid_t *tid)
{
	char path[64];
	long number = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%d/syscall",
		 __atomic_load_n(tid, __ATOMIC_SEQ_CST));
	f = fopen(path, "re");
	if (!f || fscanf(f, "%ld", &number) != 1)
		number = -1;
	if (f)
		fclose(f);
	return number == SYS_futex;
}

/* Stop while one thread waits for a reader, and another one for the first */
static int stop_in_waits(void)
{
	pthread_t threads[3];
	pid_t tids[2] = { 0 };
	unsigned int i;

	begin(NULL, "stopped");
	held_page = fault_page();
	on_fault(hold);
	pthread_create(&threads[0], NULL, write_held, NULL);
	while (!__atomic_load_n(&is_inside, __ATOMIC_SEQ_CST))
		usleep(1000);
	for (i = 0; i < 2; i++)
		pthread_create(&threads[1 + i], NULL, wait_for_readers,
			       &tids[i]);
	while (!is_in_futex(&tids[0]) && !is_in_futex(&tids[1]))
		usleep(1000);
	raise(SIGSTOP);
	__atomic_store_n(&is_released, true, __ATOMIC_SEQ_CST);
	for (i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return !evnt_read_section_all_left();
}

static pthread_mutex_t lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

static void *take_lock(void *tid)
{
	int err;

	__atomic_store_n((pid_t *)tid, syscall(SYS_gettid), __ATOMIC_SEQ_CST);
	err = evnt_timed_lock(&lock);
	return (void *)(intptr_t)(err ? err : pthread_mutex_unlock(&lock));
}

/* Stop while a thread waits for a lock, and release it a little later */
static int stop_with_lock(void)
{
	pthread_t thread;
	pid_t tid = 0;
	void *err;

	pthread_mutex_lock(&lock);
	pthread_create(&thread, NULL, take_lock, &tid);
	while (!is_in_futex(&tid))
		usleep(1000);
	raise(SIGSTOP);
	usleep(100000);
	pthread_mutex_unlock(&lock);
	pthread_join(thread, &err);
	return !!err;
}

/* Run a child that stops itself, for longer than locks are waited for */
static bool is_stopped_well(int (*run)(void))
{
	int status, pid = private_start_child(run);

	if (waitpid(pid, &status, WUNTRACED) != pid || !WIFSTOPPED(status))
		return false;
	usleep(1200000);
	kill(pid, SIGCONT);
	return waitpid(pid, &status, 0) == pid && !status;
}

/* Waits have limits, which a slow machine may reach: try again there */
static bool is_once_stopped_well(int (*run)(void))
{
	unsigned int tries;

	for (tries = 0; tries < 5; tries++) {
		if (is_stopped_well(run))
			return true;
	}
	return false;
}

static void test_stopped(void)
{
	CHECK(is_once_stopped_well(stop_in_waits),
	      "a process that was stopped frees memory as before");
	CHECK(is_once_stopped_well(stop_with_lock),
	      "a lock is still waited for when a stopped process goes on");
}

int main(void)
{
	if (!access("/dev/evntprov", F_OK)) {
		SKIP("the module is loaded here");
		return tap_end();
	}
	private_path("");
	test_callbacks();
	test_interrupted();
	test_stopped();
	private_clean();
	return tap_end();
}
