// SPDX-License-Identifier: MIT
/*
 * A provider that is preloaded into unrelated programs, for guests.bash: it
 * writes an event when it is loaded, when a thread begins and ends, and in a
 * signal handler at arbitrary places of the program.
 *
 * GUEST_COUNTS names a file of slots.  Each process counts its events in a slot
 * of its own.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "evntprov.h"

#define SLOTS		4096u
#define PERIOD_NS	2000000	/* of CPU time */

/* {d4a2f7c1-6f0e-4a31-9b7a-6775657374a1} */
static const GUID guest = {
	0xd4a2f7c1, 0x6f0e, 0x4a31,
	{ 0x9b, 0x7a, 0x67, 0x75, 0x65, 0x73, 0x74, 0xa1 }
};

/**
 * struct slot - counts of a process
 * @pid: its pid; 0: the slot is free
 * @ended: the process called exit(), so its log is complete
 * @begun: number of calls of EventWrite()
 * @written: number of calls that have returned success
 * @refused: number of calls that have returned an error
 */
struct slot {
	int64_t pid;
	uint64_t ended;
	uint64_t begun;
	uint64_t written;
	uint64_t refused;
};

static struct slot *slots, *own;
static REGHANDLE handle;
static unsigned int inside;
static bool closed;

static void take_slot(void)
{
	int64_t none, pid = getpid();
	struct slot *taken = NULL;

	for (unsigned int i = 0; slots && i < SLOTS && !taken; i++) {
		none = 0;
		if (__atomic_compare_exchange_n(&slots[i].pid, &none, pid, false,
						__ATOMIC_SEQ_CST,
						__ATOMIC_SEQ_CST))
			taken = &slots[i];
	}
	__atomic_store_n(&own, taken, __ATOMIC_SEQ_CST);
}

/* Write an event; may be called anywhere, and recursively */
static void write_event(USHORT id)
{
	const EVENT_DESCRIPTOR d = { .Id = id, .Level = 4 };
	struct slot *slot = __atomic_load_n(&own, __ATOMIC_SEQ_CST);
	int saved = errno;

	__atomic_add_fetch(&inside, 1, __ATOMIC_SEQ_CST);
	if (!__atomic_load_n(&closed, __ATOMIC_SEQ_CST) && slot &&
	    EventEnabled(handle, &d)) {
		__atomic_add_fetch(&slot->begun, 1, __ATOMIC_SEQ_CST);
		if (EventWrite(handle, &d, 0, NULL))
			__atomic_add_fetch(&slot->refused, 1, __ATOMIC_SEQ_CST);
		else
			__atomic_add_fetch(&slot->written, 1, __ATOMIC_SEQ_CST);
	}
	__atomic_sub_fetch(&inside, 1, __ATOMIC_SEQ_CST);
	errno = saved;
}

static void on_signal(int signal)
{
	(void)signal;
	write_event(3);
}

/*
 * SIGURG is ignored by default, so it does not kill a program that is executed
 * next
 */
static void start_timer(void)
{
	const struct itimerspec period = {
		{ 0, PERIOD_NS }, { 0, PERIOD_NS }
	};
	struct sigevent event = {
		.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGURG,
	};
	struct sigaction action = {
		.sa_handler = on_signal, .sa_flags = SA_RESTART,
	};
	timer_t timer;

	if (!sigaction(SIGURG, &action, NULL) &&
	    !timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer))
		timer_settime(timer, 0, &period, NULL);
}

static void in_child(void)
{
	take_slot();
	start_timer();
	write_event(4);
}

static __attribute__((constructor)) void begin(void)
{
	const char *counts = getenv("GUEST_COUNTS");
	int fd = counts ? open(counts, O_RDWR | O_CLOEXEC) : -1;
	void *map = MAP_FAILED;

	if (fd >= 0) {
		map = mmap(NULL, SLOTS * sizeof(*slots), PROT_READ | PROT_WRITE,
			   MAP_SHARED, fd, 0);
		close(fd);
	}
	if (map == MAP_FAILED)
		return;
	slots = map;
	take_slot();
	EventRegister(&guest, NULL, NULL, &handle);
	pthread_atfork(NULL, NULL, in_child);
	start_timer();
	write_event(1);
}

static __attribute__((destructor)) void end(void)
{
	write_event(5);
	__atomic_store_n(&closed, true, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&inside, __ATOMIC_SEQ_CST))
		sched_yield();
	if (own)
		own->ended = 1;
}

struct start {
	void *(*run)(void *arg);
	void *arg;
};

static void write_at_end(void *unused)
{
	(void)unused;
	write_event(2);
}

static void *run_thread(void *arg)
{
	struct start start = *(struct start *)arg;
	void *result;

	free(arg);
	write_event(2);
	pthread_cleanup_push(write_at_end, NULL);
	result = start.run(start.arg);
	pthread_cleanup_pop(1);
	return result;
}

/* The library's own threads must not write the program's events */
static bool is_of_library(const void *caller)
{
	Dl_info from, library;

	return dladdr(caller, &from) &&
	       dladdr((const void *)(uintptr_t)EventWrite, &library) &&
	       from.dli_fbase == library.dli_fbase;
}

/* Replaces the C library's function */
int pthread_create(pthread_t *thread, const pthread_attr_t *attr,
		   void *(*run)(void *), void *arg)
{
	static int (*real)(pthread_t *thread, const pthread_attr_t *attr,
			   void *(*run)(void *), void *arg);
	struct start *start;
	int err;

	if (!real)
		real = (int (*)(pthread_t *, const pthread_attr_t *,
				void *(*)(void *), void *))
			dlsym(RTLD_NEXT, "pthread_create");
	if (is_of_library(__builtin_return_address(0)))
		return real(thread, attr, run, arg);
	start = malloc(sizeof(*start));
	if (!start)
		return EAGAIN;
	*start = (struct start) { run, arg };
	err = real(thread, attr, run_thread, start);
	if (err)
		free(start);
	return err;
}
