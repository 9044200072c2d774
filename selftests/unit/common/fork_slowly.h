/* SPDX-License-Identifier: MIT */
/* Fork while another thread is inside a call, for tests */
#ifndef EVNT_TEST_FORK_SLOWLY_H
#define EVNT_TEST_FORK_SLOWLY_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Make a thread pause inside a call with one of the library's locks held, while
 * the process forks: it accesses memory whose SIGSEGV handler returns once the
 * fork is done or, if the fork waits for the lock, after a while.
 */
static void *slow_page;
static bool slow_page_met, slow_page_forked;

static void be_slow(int signal)
{
	unsigned int naps;

	(void)signal;
	__atomic_store_n(&slow_page_met, true, __ATOMIC_SEQ_CST);
	for (naps = 0; naps < 50; naps++) {
		if (__atomic_load_n(&slow_page_forked, __ATOMIC_SEQ_CST))
			break;
		usleep(10000);
	}
	mprotect(slow_page, 4096, PROT_READ | PROT_WRITE);
}

/*
 * Run a function in a child that is forked while a thread is in a call that
 * accesses slow_page; returns whether the child exits with 0.
 */
static bool fork_works(void *(*slowly)(void *), int (*run)(void))
{
	int status, pid;
	pthread_t thread;

	slow_page_met = false;
	slow_page_forked = false;
	slow_page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
			 -1, 0);
	signal(SIGSEGV, be_slow);
	fflush(stdout);
	pthread_create(&thread, NULL, slowly, NULL);
	while (!__atomic_load_n(&slow_page_met, __ATOMIC_SEQ_CST))
		usleep(10000);
	pid = fork();
	if (!pid) {
		alarm(60);
		_exit(run());
	}
	__atomic_store_n(&slow_page_forked, true, __ATOMIC_SEQ_CST);
	pthread_join(thread, NULL);
	signal(SIGSEGV, SIG_DFL);
	munmap(slow_page, 4096);
	return waitpid(pid, &status, 0) == pid && !status;
}

#endif /* EVNT_TEST_FORK_SLOWLY_H */
