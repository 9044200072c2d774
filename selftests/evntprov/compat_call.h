/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls as a 32-bit program makes them: another way in, addresses of 32 bits.
 */
#ifndef EVNT_TEST_COMPAT_CALL_H
#define EVNT_TEST_COMPAT_CALL_H

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* What i386 calls by these numbers */
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

/* -1 also when the address has more bits; otherwise as the kernel says it */
static inline long compat_ioctl(int fd, uint32_t cmd, uint64_t arg)
{
	return arg > UINT32_MAX ? -1 :
	       compat_call(COMPAT_NR_IOCTL, fd, cmd, arg);
}

/* Whether the kernel has it: who calls it otherwise dies */
static inline int compat_is_there(void)
{
	int status = -1;
	pid_t pid = fork();

	if (!pid)
		_exit(compat_call(COMPAT_NR_GETPID, 0, 0, 0) != getpid());
	waitpid(pid, &status, 0);
	return !status;
}

/* Memory that such a program could have */
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
