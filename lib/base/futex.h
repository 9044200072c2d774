/* SPDX-License-Identifier: MIT */
/*
 * Waits for words that other threads of the process change.
 */
#ifndef EVNT_FUTEX_H
#define EVNT_FUTEX_H

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Wait while *@word is @seen, for at most @ms milliseconds unless that is 0 */
static inline void evnt_futex_wait(unsigned int *word, unsigned int seen,
				   unsigned int ms)
{
	const struct timespec while_forbidden = { 0, 1000000 };
	struct timespec timeout = { ms / 1000, ms % 1000 * 1000000L };

	if (syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen,
		    ms ? &timeout : NULL, NULL, 0) &&
	    errno != EAGAIN && errno != EINTR && errno != ETIMEDOUT)
		nanosleep(&while_forbidden, NULL);
}

static inline void evnt_futex_wake(unsigned int *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

#endif /* EVNT_FUTEX_H */
