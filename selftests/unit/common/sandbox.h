/* SPDX-License-Identifier: MIT */
/* Sandboxes that forbid system calls, for tests */
#ifndef EVNT_TEST_SANDBOX_H
#define EVNT_TEST_SANDBOX_H

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/**
 * struct sandbox - system calls that fail
 * @name: their name
 * @calls: their numbers, ended by -1
 * @starts: a session can be started
 * @stops: a session can be stopped: the C library waits for threads only
 *	by futex()
 */
static const struct sandbox {
	const char *name;
	int calls[5];
	bool starts;
	bool stops;
} sandboxes[] = {
	{ "ioctl", { SYS_ioctl, -1 }, true, true },
	{ "open", { SYS_openat, SYS_openat2,
#ifdef SYS_open
		    SYS_open, SYS_creat,
#endif
		    -1 }, false, true },
	{ "clone", { SYS_clone, SYS_clone3, -1 }, false, true },
	{ "getrandom", { SYS_getrandom, -1 }, true, true },
	{ "futex", { SYS_futex, -1 }, false, false },
	{ "readlink", { SYS_readlinkat,
#ifdef SYS_readlink
			SYS_readlink,
#endif
			-1 }, true, true },
	{ "flock", { SYS_flock, -1 }, false, true },
	{ "fcntl", { SYS_fcntl, -1 }, false, true },
};

/* Make the calls fail with @error in this thread, and in threads it starts */
static inline bool enter(const struct sandbox *s, int error)
{
	struct sock_filter code[16];
	struct sock_fprog program = { .filter = code };
	const int *call;

	code[program.len++] = (struct sock_filter)
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr));
	for (call = s->calls; *call >= 0; call++) {
		code[program.len++] = (struct sock_filter)
			BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, *call, 0, 1);
		code[program.len++] = (struct sock_filter)
			BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error);
	}
	code[program.len++] = (struct sock_filter)
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

#endif /* EVNT_TEST_SANDBOX_H */
