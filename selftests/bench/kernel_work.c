// SPDX-License-Identifier: MIT
/*
 * Switches between two threads on one processor, which wake each other.  They
 * have one real-time priority, so that neither preempts the other, and each
 * waits until it is woken.  And system calls, and page faults.
 */
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kernel_work.h"

static int there[2], back[2];

static void *answer(void *context)
{
	char byte;

	while (read(there[0], &byte, 1) == 1 && write(back[1], &byte, 1) == 1)
		;
	return context;
}

void bench_switches(unsigned int n)
{
	static const struct sched_param param = { .sched_priority = 1 };
	static pthread_t thread;
	char byte = 0;

	if (!thread && (sched_setscheduler(0, SCHED_FIFO, &param) ||
			pipe(there) || pipe(back) ||
			pthread_create(&thread, NULL, answer, NULL)))
		return;
	while (n--)
		if (write(there[1], &byte, 1) != 1 ||
		    read(back[0], &byte, 1) != 1)
			return;
}

void bench_system_calls(unsigned int n)
{
	while (n--)
		syscall(SYS_getppid);
}

void bench_faults(unsigned int n)
{
	static volatile char *page = MAP_FAILED;
	const size_t size = sysconf(_SC_PAGESIZE);

	if (page == MAP_FAILED)
		page = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return;
	while (n--) {
		*page = 1;
		madvise((void *)page, size, MADV_DONTNEED);
	}
}
