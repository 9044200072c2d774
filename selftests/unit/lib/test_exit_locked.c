// SPDX-License-Identifier: MIT
/*
 * Programs that exit while a thread has a lock of the library that it never
 * releases: a session's thread that needs the lock completes its log.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "selftests/unit/common/private_session.h"
#include "lib/private/private.h"
#include "selftests/unit/common/tap.h"

#define UNUSED	__attribute__((unused))

static REGHANDLE registration, second;
static TRACEHANDLE session;
static struct private_properties properties;
/* Action of the handler that interrupts the owner of a lock */
static int (*in_handler)(void);
/* Steps that threads wait for; atomic */
static bool is_owned, is_inside;

static void reach(bool *step)
{
	__atomic_store_n(step, true, __ATOMIC_SEQ_CST);
}

static void await(const bool *step)
{
	while (!__atomic_load_n(step, __ATOMIC_SEQ_CST))
		sched_yield();
}

static void interrupted(UNUSED int signal)
{
	exit(in_handler());
}

static void on_fault(void (*handler)(int))
{
	signal(SIGSEGV, handler);
}

/* Return memory that the library's access faults at, and handle that */
static void *fault_page(int (*action)(void))
{
	in_handler = action;
	on_fault(interrupted);
	return mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* Interrupt the library, which has its lock while it reads the traits */
static int own_lock(int (*action)(void))
{
	EventSetInformation(registration, EventProviderSetTraits,
			    fault_page(action), 16);
	return 1;
}

/* Interrupt a query of the session, which has the lock of the log */
static int own_log_lock(int (*action)(void))
{
	struct evntrace_session info;

	evnt_private_announce(evnt_privates[0], &info, fault_page(action));
	return 1;
}

/* Test that a log was completed, with @count events or their number as lost */
static bool is_complete(const char *path, unsigned int count)
{
	TRACE_LOGFILE_HEADER header = { .EndTime.QuadPart = 0 };
	unsigned int kept = 0;

	return !private_read(path, private_count_one, &kept, &header) &&
	       header.EndTime.QuadPart && kept + header.EventsLost == count;
}

/* Limit of the session's log in MB; 0: none */
static void begin(const char *log, ULONG limit)
{
	EventRegister(&provider, NULL, NULL, &registration);
	private_init(&properties, IN_PROC, log);
	properties.p.MaximumFileSize = limit;
	if (limit)
		properties.p.LogFileMode |= EVENT_TRACE_FILE_MODE_SEQUENTIAL;
	StartTraceA(&session, log, &properties.p);
	private_enable(session, 0, NULL, 0);
}

/* Writes that were tried: each is kept, or lost for want of a buffer */
static unsigned int *written;

/* The session's thread then ends the session, for which it needs the lock */
static int fill_the_log(void)
{
	struct evnt_private *s = evnt_privates[0];

	do {
		(*written)++;
		private_write(registration, 1);
	} while (!evnt_private_log_full(&s->log));
	return 5;
}

static int exit_while_expiring(void)
{
	begin("expiring", 1);
	return own_lock(fill_the_log);
}

static void *follow(UNUSED void *arg)
{
	WCHAR *name = evnt_utf16(private_path("second"));

	await(&is_owned);
	evnt_private_follow(evnt_privates[0], name);
	free(name);
	return NULL;
}

/* The session's thread then repeats manifests, for which it needs the lock */
static int write_to_the_second(void)
{
	const struct evnt_private *s = evnt_privates[0];

	reach(&is_owned);
	while (!READ_ONCE(s->past.buffers_written))
		sched_yield();
	private_write(registration, 2);
	return 5;
}

static int exit_while_switching(void)
{
	pthread_t thread;

	begin("first", 0);
	private_write(registration, 1);
	pthread_create(&thread, NULL, follow, NULL);
	return own_lock(write_to_the_second);
}

/*
 * Parent of the process whose callbacks wait; 0: none waits.  The child's
 * session runs callbacks that are behind on its thread, at once.
 */
static pid_t parent;

static void WINAPI on_enable(UNUSED LPCGUID source, UNUSED ULONG control,
			     UNUSED UCHAR level, UNUSED ULONGLONG any,
			     UNUSED ULONGLONG all,
			     UNUSED PEVENT_FILTER_DESCRIPTOR filter,
			     UNUSED PVOID context)
{
	if (!parent || getpid() == parent)
		return;
	reach(&is_inside);
	await(&is_owned);
}

static int leave_callback(void)
{
	reach(&is_owned);
	return 5;
}

static int exit_while_called(void)
{
	await(&is_inside);
	private_write(registration, 1);
	return own_lock(leave_callback);
}

/* Exits in a callback, for which the session's thread waits */
static void WINAPI on_second(UNUSED LPCGUID source, ULONG control,
			     UNUSED UCHAR level, UNUSED ULONGLONG any,
			     UNUSED ULONGLONG all,
			     UNUSED PEVENT_FILTER_DESCRIPTOR filter,
			     UNUSED PVOID context)
{
	if (!parent || getpid() == parent ||
	    control != EVENT_CONTROL_CODE_CAPTURE_STATE)
		return;
	reach(&is_owned);
	exit(5);
}

static int exit_while_awaited(void)
{
	await(&is_inside);
	private_write(registration, 1);
	EnableTraceEx2(evnt_privates[0]->handle, &provider,
		       EVENT_CONTROL_CODE_CAPTURE_STATE, 0, 0, 0, 0, NULL);
	return 1;
}

/* Record a child of a recorded process; returns its exit status */
static int in_recorded_child(int (*run)(void), char *path, size_t size)
{
	static const GUID other = { .Data1 = 0x55667788 };
	int status, pid;

	setenv("EVNTPROV_LOG", private_path("parent"), 1);
	setenv("EVNTPROV_PROVIDERS", "11223344-0000-0000-0000-000000000000+"
	       "55667788-0000-0000-0000-000000000000", 1);
	EventRegister(&other, on_enable, NULL, &second);
	EventRegister(&provider, on_second, NULL, &registration);
	private_write(registration, 7);
	pid = fork();
	if (!pid) {
		alarm(PRIVATE_CHILD_SECONDS);
		_exit(run());
	}
	snprintf(path, size, "%s_%d", private_path("parent"), pid);
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ?
	       WEXITSTATUS(status) : -1;
}

static int is_child_complete(int (*run)(void))
{
	char path[160];

	if (in_recorded_child(run, path, sizeof(path)) != 5)
		return 1;
	return is_complete(path, 1) ? 0 : 2;
}

static int recorded_called(void)
{
	parent = getpid();
	return is_child_complete(exit_while_called);
}

static int recorded_awaited(void)
{
	parent = getpid();
	return is_child_complete(exit_while_awaited);
}

/* Another thread has the lock, and waits for ever */
static int stay(void)
{
	reach(&is_owned);
	for (;;)
		pause();
	return 0;
}

static void *own_for_ever(void *arg)
{
	own_lock(stay);
	return arg;
}

static int exit_without_lock(void)
{
	pthread_t thread;

	begin("without_lock", 0);
	private_write(registration, 1);
	pthread_create(&thread, NULL, own_for_ever, NULL);
	await(&is_owned);
	exit(5);
}

static int write_one(void)
{
	private_write(registration, 1);
	return 5;
}

static int exit_in_query(void)
{
	begin("query", 0);
	return own_log_lock(write_one);
}

/* The child's session opens its log at the event */
static int exit_in_child_query(void)
{
	return own_log_lock(write_one);
}

static int recorded_query(void)
{
	return is_child_complete(exit_in_child_query);
}

int main(void)
{
	if (!access("/dev/evntprov", F_OK)) {
		SKIP("the module is loaded here");
		return tap_end();
	}
	private_path("");
	written = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CHECK(private_in_child(exit_while_expiring) == 5 && *written &&
	      is_complete(private_path("expiring"), *written),
	      "a log that is full is completed without the lock");
	CHECK(private_in_child(exit_while_switching) == 5 &&
	      is_complete(private_path("second"), 1),
	      "the next log is completed without the lock");
	CHECK(!private_in_child(recorded_called),
	      "a log is completed after a callback, without the lock");
	CHECK(!private_in_child(recorded_awaited),
	      "a log is completed that waits for a callback");
	CHECK(private_in_child(exit_without_lock) == 5 &&
	      is_complete(private_path("without_lock"), 1),
	      "logs are completed if another thread has the lock for ever");
	CHECK(private_in_child(exit_in_query) == 5 &&
	      is_complete(private_path("query"), 1),
	      "a log is completed without its lock");
	CHECK(!private_in_child(recorded_query),
	      "a child's log is opened without its lock");
	private_clean();
	return tap_end();
}
