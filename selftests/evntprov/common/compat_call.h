/* SPDX-License-Identifier: GPL-2.0 */
/*
 * System calls as a 32-bit program makes them: through the compat entry, with
 * 32-bit addresses.
 */
#ifndef EVNT_TEST_COMPAT_CALL_H
#define EVNT_TEST_COMPAT_CALL_H

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* System call numbers of i386 */
#define COMPAT_NR_GETPID	20L
#define COMPAT_NR_IOCTL		54L

#if defined(__x86_64__)
static inline long compat_call(long nr, long a, long b, long c)
{
	long ret;

	asm volatile("int $0x80"
		     : "=a"(ret)
		     : "a"(nr), "b"(a), "c"(b), "d"(c)
		     : "memory", "r8", "r9", "r10", "r11");
	return ret;
}
#else
static inline long compat_call(long nr, long a, long b, long c)
{
	(void)nr;
	(void)a;
	(void)b;
	(void)c;
	return -ENOSYS;
}
#endif

/* Return the result of the call, or -1 if @arg does not fit in 32 bits */
static inline long compat_ioctl(int fd, uint32_t cmd, uint64_t arg)
{
	return arg > UINT32_MAX ? -1 :
	       compat_call(COMPAT_NR_IOCTL, fd, cmd, arg);
}

/* Whether the kernel has the entry; otherwise a caller would be killed */
static inline int compat_is_there(void)
{
	int status = -1;
	pid_t pid = fork();

	if (!pid)
		_exit(compat_call(COMPAT_NR_GETPID, 0, 0, 0) != getpid());
	waitpid(pid, &status, 0);
	return !status;
}

/* Allocate memory that a 32-bit program could address */
static inline void *compat_memory(size_t len)
{
#ifdef MAP_32BIT
	return mmap(NULL, len, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
#else
	return mmap(NULL, len, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#endif
}

#endif /* EVNT_TEST_COMPAT_CALL_H */
