/* SPDX-License-Identifier: MIT */
/*
 * Inline ioctl() for frequent callers, which leaves errno unchanged.
 */
#ifndef EVNT_FAST_IOCTL_H
#define EVNT_FAST_IOCTL_H

#include <errno.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

/**
 * evnt_ioctl() - make an ioctl
 * @fd: descriptor
 * @request: request code
 * @arg: its argument
 *
 * Return: 0 or an errno, without setting the variable errno.
 */
static inline int evnt_ioctl(int fd, unsigned int request, const void *arg)
{
#if defined(__x86_64__) && !defined(__ILP32__)
	long ret;

	__asm__ __volatile__("syscall"
			     : "=a" (ret)
			     : "0" ((long)SYS_ioctl), "D" ((long)fd),
			       "S" ((unsigned long)request), "d" (arg)
			     : "rcx", "r11", "memory");
	return -ret;
#elif defined(__aarch64__)
	register long x8 __asm__("x8") = SYS_ioctl;
	register long x0 __asm__("x0") = fd;
	register long x1 __asm__("x1") = request;
	register long x2 __asm__("x2") = (long)arg;

	__asm__ __volatile__("svc #0"
			     : "+r" (x0)
			     : "r" (x8), "r" (x1), "r" (x2)
			     : "memory", "cc");
	return -x0;
#else
	int err, saved = errno;

	err = ioctl(fd, request, arg) ? errno : 0;
	errno = saved;
	return err;
#endif
}

#endif /* EVNT_FAST_IOCTL_H */
