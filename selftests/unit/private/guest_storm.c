// SPDX-License-Identifier: MIT
/*
 * A storm in a recorded fork server: children that end in every way and at every
 * place, threads that are cancelled at random times, and signal handlers that
 * write events at 10 kHz.  No process hangs, and each event that a process
 * wrote before it called exit() is in the process's log or counted there as
 * lost.
 *
 * Not built with the address sanitizer, whose locks stay locked in children, and
 * not a part of the gate: run it by hand, after "make lib" and
 * "make -C selftests/unit O=$PWD/build $PWD/build/unit/guest_storm".
 *
 * usage: guest_storm --children N | --seconds N [--batch N] [--seed N]
 *	[--unrecorded]
 *
 * A server forks N children, by default 250, before another one follows it.
 * Prints the number of processes and of their events.  With --unrecorded, the
 * caller records the events, and compares the numbers.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "evntcons.h"
#include "evntprov.h"
#include "evntrace.h"

#define PROVIDER	"73746f72-6d00-4000-8000-000000000001"
#define PERIOD_NS	100000
/* Longer than any process takes on any machine */
#define HANG_SECONDS	120
/* Children of a server at a time */
#define AT_ONCE		4u
#define THREADS		3u

static const GUID provider = {
	0x73746f72, 0x6d00, 0x4000, { 0x80, 0, 0, 0, 0, 0, 0, 1 }
};

/* Ways in which a child ends; up to LAST_EXIT its log is complete */
enum {
	EXIT, EXIT_IN_HANDLER, EXIT_IN_THREAD, EXIT_IN_CALLBACK,
	EXIT_AFTER_RAW_CHILD, LAST_EXIT = EXIT_AFTER_RAW_CHILD,
	QUIT, KILL, EXECUTE, ENDS
};

/**
 * struct counts - events of a process, in shared memory
 * @begun: number of writes that have begun
 * @done: number of writes that have returned
 */
struct counts {
	uint64_t begun;
	uint64_t done;
};

/* Sums of the processes that have ended; updated by a server or its parent */
static struct totals {
	uint64_t begun, done, kept, lost;
	unsigned int processes, hung, wrong;
	struct counts slots[AT_ONCE + 1];
} *totals;

/* Counts of this process, after a fork when its pid is known */
static struct counts *own;
static int own_pid;
static REGHANDLE handle;
static unsigned int seed = 1;
/* Time at which servers stop forking; 0: after the given number of children */
static time_t end_time;
static bool is_recorded = true;
static char folder[32];

/* Writes in progress, of all threads and of this one */
static unsigned int inside;
static __thread unsigned int inside_here;
static bool is_closed, exits_in_handler, has_exited;

static unsigned int draw(unsigned int *state, unsigned int below)
{
	*state = *state * 1103515245 + 12345;
	return (*state >> 16) % below;
}

static void exit_once(void)
{
	if (!__atomic_exchange_n(&has_exited, true, __ATOMIC_SEQ_CST))
		exit(0);
}

/* Write an event; may interrupt itself */
static void write_event(USHORT id)
{
	const EVENT_DESCRIPTOR d = { .Id = id, .Level = 4 };
	ULONG code;

	/* In a child that has not begun to count, the library may call back */
	if (__atomic_load_n(&own_pid, __ATOMIC_SEQ_CST) != getpid())
		return;
	inside_here++;
	__atomic_add_fetch(&inside, 1, __ATOMIC_SEQ_CST);
	if (!__atomic_load_n(&is_closed, __ATOMIC_SEQ_CST)) {
		__atomic_add_fetch(&own->begun, 1, __ATOMIC_SEQ_CST);
		code = EventWrite(handle, &d, 0, NULL);
		/* This error is counted as a lost event */
		if (code && code != ERROR_NOT_ENOUGH_MEMORY)
			abort();
		__atomic_add_fetch(&own->done, 1, __ATOMIC_SEQ_CST);
	}
	__atomic_sub_fetch(&inside, 1, __ATOMIC_SEQ_CST);
	inside_here--;
}

/* Stop writing before the library's destructor completes the log */
static void close_events(void)
{
	/* The other threads of a raw child do not exist */
	if (own_pid != getpid())
		return;
	__atomic_store_n(&is_closed, true, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&inside, __ATOMIC_SEQ_CST) > inside_here)
		sched_yield();
}

static void on_signal(int signal)
{
	int saved = errno, state;

	(void)signal;
	/* Also with its signal blocked: restoring its state would act on it */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	write_event(1);
	pthread_setcancelstate(state, NULL);
	if (__atomic_load_n(&exits_in_handler, __ATOMIC_SEQ_CST))
		exit_once();
	errno = saved;
}

/*
 * A cancellation that is sent to a thread in usleep() takes effect at any place
 * of a handler that has interrupted it, even if the handler has disabled
 * cancellation: glibc 2.36 checks that when it sends the signal, not when it
 * receives it.  So its signal, the first real-time one, waits for the handler.
 */
static void block_cancellation(sigset_t *set)
{
	*(unsigned long *)set |= 1ul << 31;
}

static void start_timer(void)
{
	const struct itimerspec period = {
		{ 0, PERIOD_NS }, { 0, PERIOD_NS }
	};
	struct sigaction action = {
		.sa_handler = on_signal, .sa_flags = SA_RESTART,
	};
	struct sigevent event = {
		.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1,
	};
	timer_t timer;

	block_cancellation(&action.sa_mask);
	if (sigaction(SIGUSR1, &action, NULL) ||
	    timer_create(CLOCK_MONOTONIC, &event, &timer) ||
	    timer_settime(timer, 0, &period, NULL))
		abort();
}

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
	write_event(2);
	if (context)
		exit_once();
}

/* Use the library and the allocator until cancelled */
static void *work(void *arg)
{
	unsigned int state = (uintptr_t)arg;
	REGHANDLE another;
	GUID id;

	for (;;) {
		switch (draw(&state, 5)) {
		case 0:
			if (!EventRegister(&provider, on_enable, NULL,
					   &another))
				EventUnregister(another);
			break;
		case 1:
			EventActivityIdControl(EVENT_ACTIVITY_CTRL_CREATE_ID,
					       &id);
			break;
		case 2:
			free(malloc(draw(&state, 5000)));
			break;
		case 3:
			usleep(draw(&state, 300));
			break;
		default:
			write_event(3);
		}
		pthread_testcancel();
	}
	return NULL;
}

static void *exit_soon(void *arg)
{
	usleep((uintptr_t)arg);
	exit_once();
	return NULL;
}

/* Start threads, and cancel some of them */
static void start_threads(unsigned int *state)
{
	pthread_t thread;
	unsigned int i;

	for (i = draw(state, THREADS + 1); i; i--) {
		if (pthread_create(&thread, NULL, work,
				   (void *)(uintptr_t)draw(state, 1 << 15)))
			abort();
		if (draw(state, 2)) {
			usleep(draw(state, 1000));
			pthread_cancel(thread);
			pthread_join(thread, NULL);
		} else {
			pthread_detach(thread);
		}
	}
}

/* Count in a slot from now on */
static void count_in(unsigned int slot)
{
	own = &totals->slots[slot];
	__atomic_store_n(&own_pid, getpid(), __ATOMIC_SEQ_CST);
}

/* End the process */
static void end_by(unsigned int end, unsigned int *state)
{
	static char *const nothing[] = { "true", NULL };
	REGHANDLE another;
	pthread_t thread;
	int pid;

	usleep(draw(state, 2000));
	switch (end) {
	case EXIT_IN_HANDLER:
		__atomic_store_n(&exits_in_handler, true, __ATOMIC_SEQ_CST);
		work((void *)(uintptr_t)draw(state, 1 << 15));
		break;
	case EXIT_IN_THREAD:
		pthread_create(&thread, NULL, exit_soon,
			       (void *)(uintptr_t)draw(state, 1000));
		work((void *)(uintptr_t)draw(state, 1 << 15));
		break;
	case EXIT_IN_CALLBACK:
		EventRegister(&provider, on_enable, &another, &another);
		break;
	case EXIT_AFTER_RAW_CHILD:
		pid = _Fork();
		if (!pid)
			exit(0);
		waitpid(pid, NULL, 0);
		break;
	case QUIT:
		_exit(0);
	case KILL:
		raise(SIGKILL);
		break;
	case EXECUTE:
		execv("/bin/true", nothing);
		break;
	}
	/* Another thread may be at it */
	exit_once();
	for (;;)
		pause();
}

static void run_child(unsigned int slot, unsigned int end, unsigned int state)
{
	/* The parent's threads were inside, and do not exist here */
	inside = inside_here;
	count_in(slot);
	alarm(HANG_SECONDS);
	start_timer();
	write_event(4);
	start_threads(&state);
	end_by(end, &state);
}

static VOID WINAPI count_event(PEVENT_RECORD r)
{
	if (!memcmp(&r->EventHeader.ProviderId, &provider, sizeof(provider)))
		++*(uint64_t *)r->UserContext;
}

/* Add the events in a log, and the lost ones, if there is a log; remove it */
static bool read_log(const char *path, uint64_t *kept, uint64_t *lost)
{
	EVENT_TRACE_LOGFILEA l = {
		.LogFileName = (char *)path,
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
		.EventRecordCallback = count_event,
		.Context = kept,
	};
	TRACEHANDLE trace;
	ULONG code;

	if (access(path, F_OK))
		return true;
	trace = OpenTraceA(&l);
	if (trace == INVALID_PROCESSTRACE_HANDLE)
		return unlink(path) && false;
	code = ProcessTrace(&trace, 1, NULL, NULL);
	CloseTrace(trace);
	*lost += l.LogfileHeader.EventsLost;
	return !unlink(path) && !code;
}

/* Account for a process that has ended */
static void account(struct counts *counts, const char *log, unsigned int end,
		    int status)
{
	uint64_t kept = 0, lost = 0;
	bool good = true;

	if (is_recorded) {
		good = read_log(log, &kept, &lost);
		if (end <= LAST_EXIT)
			good &= kept + lost >= counts->done;
		good &= kept + lost <= counts->begun;
	}
	if (end == KILL)
		good &= WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
	else
		good &= !status;
	if (!good) {
		totals->wrong++;
		printf("# end %u, status %#x: %llu of %llu writes, %llu kept, %llu lost\n",
		       end, status, (unsigned long long)counts->done,
		       (unsigned long long)counts->begun,
		       (unsigned long long)kept, (unsigned long long)lost);
		fflush(stdout);
	}
	totals->hung += WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
	totals->processes++;
	totals->begun += counts->begun;
	totals->done += counts->done;
	totals->kept += kept;
	totals->lost += lost;
	*counts = (struct counts) {};
}

static const char *log_of(char *path, size_t size, int server, int child)
{
	if (child)
		snprintf(path, size, "%s/%d_%d", folder, server, child);
	else
		snprintf(path, size, "%s/%d", folder, server);
	return path;
}

static struct child {
	int pid;
	unsigned int end;
} children[AT_ONCE];

/* Wait for a child, and account for it */
static void await_child(void)
{
	struct child *child = children;
	char path[64];
	int status, pid = waitpid(-1, &status, 0);

	while (child->pid != pid)
		child++;
	account(&totals->slots[child - children],
		log_of(path, sizeof(path), getpid(), pid), child->end, status);
	child->pid = 0;
}

/* Fork children, while threads come and go */
static void run_server(unsigned int count, unsigned int state)
{
	unsigned int i, running = 0;
	struct child *child;
	pthread_t thread;

	count_in(AT_ONCE);
	if (EventRegister(&provider, on_enable, NULL, &handle))
		abort();
	atexit(close_events);
	start_timer();
	pthread_create(&thread, NULL, work, (void *)(uintptr_t)state);
	for (i = 0; i < count && (!end_time || time(NULL) < end_time); i++) {
		alarm(HANG_SECONDS * 2);
		if (!draw(&state, 8)) {
			pthread_cancel(thread);
			pthread_join(thread, NULL);
			pthread_create(&thread, NULL, work,
				       (void *)(uintptr_t)state);
		}
		for (; running == AT_ONCE; running--)
			await_child();
		for (child = children; child->pid; child++)
			;
		child->end = draw(&state, ENDS);
		child->pid = fork();
		if (!child->pid)
			run_child(child - children, child->end, state);
		running++;
	}
	for (; running; running--)
		await_child();
	alarm(HANG_SECONDS);
	exit(0);
}

/* Run a server as a process of its own */
static void run_batch(unsigned int count, unsigned int state)
{
	char path[64];
	int status, pid = fork();

	if (!pid) {
		snprintf(path, sizeof(path), "%s/%d", folder, getpid());
		if (is_recorded) {
			setenv("EVNTPROV_LOG", path, 1);
			setenv("EVNTPROV_PROVIDERS", PROVIDER, 1);
			setenv("EVNTPROV_LOG_OPTIONS", "buffer-size=8", 1);
		}
		run_server(count, state);
	}
	waitpid(pid, &status, 0);
	account(&totals->slots[AT_ONCE], log_of(path, sizeof(path), pid, 0),
		EXIT, status);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "children", required_argument, NULL, 'c' },
		{ "seconds", required_argument, NULL, 's' },
		{ "batch", required_argument, NULL, 'b' },
		{ "seed", required_argument, NULL, 'e' },
		{ "unrecorded", no_argument, NULL, 'u' },
		{}
	};
	unsigned int count = 0, batch = 250, now;
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'c')
			count = atoi(optarg);
		else if (option == 's')
			end_time = time(NULL) + atoi(optarg);
		else if (option == 'b')
			batch = atoi(optarg);
		else if (option == 'e')
			seed = atoi(optarg);
		else if (option == 'u')
			is_recorded = false;
		else
			return 2;
	}
	totals = mmap(NULL, sizeof(*totals), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	strcpy(folder, "/tmp/evnt_storm_XXXXXX");
	if (totals == MAP_FAILED || !mkdtemp(folder))
		return 2;
	while (totals->hung < 10 && (count || time(NULL) < end_time)) {
		now = !count || count > batch ? batch : count;
		run_batch(now, draw(&seed, 1 << 15));
		count -= count ? now : 0;
	}
	if (rmdir(folder))
		totals->wrong++;
	printf("%u processes, %u hung, %u wrong; %llu events, of which %llu were interrupted; %llu kept, %llu lost\n",
	       totals->processes, totals->hung, totals->wrong,
	       (unsigned long long)totals->begun,
	       (unsigned long long)(totals->begun - totals->done),
	       (unsigned long long)totals->kept,
	       (unsigned long long)totals->lost);
	return totals->hung || totals->wrong;
}
