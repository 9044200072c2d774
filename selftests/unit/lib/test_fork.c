// SPDX-License-Identifier: MIT
/*
 * Children of a process that is recorded because of its environment: their
 * first event may be written in a signal handler, so that writing it must be
 * async-signal-safe.  Also locks that another thread holds when a process
 * forks.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "selftests/unit/common/private_session.h"
#include "selftests/unit/common/fork_slowly.h"
#include "selftests/unit/common/tap.h"

#define NAP_US	10000
#define NAPS	6000
/* Seconds after which a session writes partly filled buffers */
#define FLUSH	3
#define TOO_SLOW	5

static REGHANDLE registration;
static unsigned int calls;

static VOID WINAPI on_enable(LPCGUID source, ULONG control, UCHAR level,
			     ULONGLONG any, ULONGLONG all,
			     PEVENT_FILTER_DESCRIPTOR filter, PVOID context)
{
	(void)source;
	(void)control;
	(void)level;
	(void)any;
	(void)all;
	(void)filter;
	(void)context;
	__atomic_fetch_add(&calls, 1, __ATOMIC_SEQ_CST);
}

#define REFUSED(call)							\
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 1),		\
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)

/* Kill the process if this thread allocates, opens a file or starts a thread */
static bool refuse_unsafe_calls(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		REFUSED(openat),
		REFUSED(mmap),
		REFUSED(brk),
		REFUSED(clone),
		REFUSED(clone3),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { EVNT_ARRAY_SIZE(code), code };

	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* Write an event, and wait to be killed */
static int write_one(void)
{
	if (!refuse_unsafe_calls())
		return 77;
	if (!EventProviderEnabled(registration, 4, 0) ||
	    private_write(registration, 1))
		return 1;
	for (;;)
		pause();
}

/* Write an event, and exit */
static int write_and_exit(void)
{
	if (private_write(registration, 2))
		return 1;
	exit(0);
}

static int write_nothing(void)
{
	exit(0);
}

static time_t seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return now.tv_sec;
}

/* Write an event, and execute another program before the flush timer is due */
static int write_and_execute(void)
{
	const time_t end = seconds() + FLUSH - 1;

	if (private_write(registration, 3))
		return 1;
	usleep(10 * NAP_US);
	if (seconds() >= end)
		return TOO_SLOW;
	execl("/bin/sh", "sh", "-c", "exit 0", NULL);
	return 2;
}

static int is_called(void)
{
	unsigned int naps;

	for (naps = 0; naps < NAPS && calls < 2; naps++)
		usleep(NAP_US);
	return calls < 2;
}

static int end_of(int pid)
{
	int status;

	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ?
	       WEXITSTATUS(status) : -1;
}

static const char *log_of(int pid)
{
	static char path[160];

	snprintf(path, sizeof(path), "%s_%d", private_path("forked"), pid);
	return path;
}

/* Wait until a child's event is in its file, or the child has exited */
static bool is_written(int pid)
{
	unsigned int naps;
	int status = 0;

	for (naps = 0; naps < NAPS && !waitpid(pid, &status, WNOHANG); naps++) {
		if (private_count(log_of(pid)) == 1)
			return true;
		usleep(NAP_US);
	}
	printf("# after %u naps the child's status is %#x\n", naps, status);
	return false;
}

/* Execute in time, if need be with another child; returns the child */
static int execute(int *status)
{
	unsigned int tries;
	int pid;

	for (tries = 0; tries < 60; tries++) {
		pid = private_start_child(write_and_execute);
		*status = end_of(pid);
		if (*status != TOO_SLOW)
			break;
	}
	return pid;
}

static void test_children(void)
{
	int pid = private_start_child(write_one), status;

	CHECK(is_written(pid), "a child's first event needs no unsafe call");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	pid = private_start_child(write_and_exit);
	CHECK(!end_of(pid) && private_count(log_of(pid)) == 1,
	      "the file of a child that exits at once has its event");
	pid = private_start_child(write_nothing);
	CHECK(!end_of(pid) && access(log_of(pid), F_OK) && errno == ENOENT,
	      "a child without an event has no file");
	pid = execute(&status);
	CHECK(!status && access(log_of(pid), F_OK) && errno == ENOENT,
	      "a child that executes another program has no file");
	CHECK(!end_of(private_start_child(is_called)),
	      "callbacks are called in the child");
}

static TRACEHANDLE trace;

static TRACEHANDLE open_log(void)
{
	EVENT_TRACE_LOGFILEA l = {
		.LogFileName = (char *)private_path("forked"),
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
	};

	return OpenTraceA(&l);
}

static void *query_slowly(void *arg)
{
	ULONG size;

	QueryTraceProcessingHandle(trace, EtwQueryLogFileHeader, NULL, 0,
				   slow_page, 4096, &size);
	return arg;
}

static int open_another(void)
{
	return open_log() == INVALID_PROCESSTRACE_HANDLE;
}

static VOID WINAPI on_class(PEVENT_TRACE event)
{
	(void)event;
}

static int handler_child;

static void fork_in_handler(int signal)
{
	(void)signal;
	handler_child = fork();
	alarm(PRIVATE_CHILD_SECONDS);
	mprotect(slow_page, 4096, PROT_READ | PROT_WRITE);
}

static void on_fault(void (*handler)(int))
{
	signal(SIGSEGV, handler);
}

/*
 * Fork in a handler that has interrupted a call with a lock.  Both processes
 * complete that call, and can make another one, which needs the lock.
 */
static bool handler_forks(void *(*interrupted)(void *), int (*another)(void))
{
	bool fails;

	slow_page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
			 -1, 0);
	on_fault(fork_in_handler);
	fflush(stdout);
	alarm(PRIVATE_CHILD_SECONDS);
	interrupted(NULL);
	fails = another();
	if (!handler_child)
		_exit(fails);
	fails |= end_of(handler_child) != 0;
	alarm(0);
	signal(SIGSEGV, SIG_DFL);
	munmap(slow_page, 4096);
	return !fails;
}

static void *set_slowly(void *arg)
{
	SetTraceCallback(slow_page, on_class);
	return arg;
}

static int set_another(void)
{
	const GUID class = { .Data1 = 2 };

	return SetTraceCallback(&class, on_class);
}

static int meet_slow_page(struct dl_phdr_info *object, size_t size,
			  void *context)
{
	(void)object;
	(void)size;
	(void)context;
	*(volatile char *)slow_page = 1;
	return 1;
}

static void *list_objects_slowly(void *arg)
{
	dl_iterate_phdr(meet_slow_page, NULL);
	return arg;
}

static pid_t registering;

static void *register_another(void *arg)
{
	REGHANDLE r;

	__atomic_store_n(&registering, gettid(), __ATOMIC_SEQ_CST);
	if (EventRegister(&provider, NULL, NULL, &r) || EventUnregister(r))
		_exit(2);
	return arg;
}

/* Wait until the thread that registers sleeps: the linker is locked */
static void await_sleep(void)
{
	char path[64], state = 0;
	FILE *file;
	pid_t tid;

	while (!(tid = __atomic_load_n(&registering, __ATOMIC_SEQ_CST)))
		usleep(NAP_US);
	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	while (state != 'S') {
		usleep(NAP_US);
		file = fopen(path, "r");
		if (!file || fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
			_exit(3);
		fclose(file);
	}
}

static int use_locked_linker(struct dl_phdr_info *object, size_t size,
			     void *thread)
{
	int status = -1;
	REGHANDLE r;
	pid_t pid;

	(void)object;
	(void)size;
	pthread_create(thread, NULL, register_another, NULL);
	await_sleep();
	if (EventRegister(&provider, NULL, NULL, &r) || EventUnregister(r))
		_exit(4);
	pid = fork();
	if (!pid)
		_exit(0);
	return waitpid(pid, &status, 0) == pid && !status ? 1 : -1;
}

/* Register and fork in a callback of the linker, while a thread registers */
static int use_linker(void)
{
	pthread_t thread;

	if (dl_iterate_phdr(use_locked_linker, &thread) != 1)
		return 5;
	return pthread_join(thread, NULL);
}

static void test_locks(void)
{
	const GUID class = { .Data1 = 1 };

	trace = open_log();
	SetTraceCallback(&class, on_class);
	CHECK(fork_works(query_slowly, open_another),
	      "a child opens a trace, whatever other threads were at");
	CHECK(fork_works(set_slowly, set_another),
	      "a child can set callbacks for classes");
	CHECK(handler_forks(query_slowly, open_another),
	      "a handler that has interrupted a query of a trace can fork");
	CHECK(handler_forks(set_slowly, set_another),
	      "a handler that has interrupted SetTraceCallback() can fork");
	CloseTrace(trace);
	CHECK(fork_works(list_objects_slowly, is_called),
	      "a child's callbacks are called, whatever the linker was at");
	CHECK(!private_in_child(use_linker),
	      "a callback of the linker may register and fork");
}

/*
 * Wait for the session's thread.  A fork while a thread begins would leave the
 * child with locks of the address sanitizer.
 */
static bool thread_answers(void)
{
	struct private_properties p;

	private_init(&p, EVENT_TRACE_PRIVATE_LOGGER_MODE, NULL);
	return !FlushTraceA(0, "evntprov", &p.p);
}

int main(void)
{
	char options[16];

	if (!access("/dev/evntprov", F_OK)) {
		SKIP("the module is loaded here");
		return tap_end();
	}
	setenv("EVNTPROV_LOG", private_path("forked"), 1);
	setenv("EVNTPROV_PROVIDERS", "11223344-0000-0000-0000-000000000000", 1);
	snprintf(options, sizeof(options), "flush=%d", FLUSH);
	setenv("EVNTPROV_LOG_OPTIONS", options, 1);
	EventRegister(&provider, on_enable, NULL, &registration);
	CHECK(calls == 1 && thread_answers(),
	      "the provider is enabled by the environment");
	test_children();
	test_locks();
	EventUnregister(registration);
	private_clean();
	return tap_end();
}
