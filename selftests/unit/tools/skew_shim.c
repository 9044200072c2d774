// SPDX-License-Identifier: MIT
/*
 * Simulate a module whose version differs from evnt's; to be preloaded. $SKEW
 * selects it:
 *
 *	older	lacks the latest ioctls, long list elements, and partial lists
 *	newer	has features unknown to this version
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/evntrace.h>

#define DEVICE	"/dev/evntrace"

static int device = -1;

static int open_as(const char *name, const char *path, int flags, int mode)
{
	int (*next)(const char *path, int flags, ...) = dlsym(RTLD_NEXT, name);

	if (strcmp(path, DEVICE) != 0)
		return next(path, flags, mode);
	device = next("/dev/null", O_RDWR | O_CLOEXEC);
	return device;
}

#define OPEN(name)							\
int name(const char *path, int flags, ...)				\
{									\
	va_list args;							\
	int mode;							\
									\
	va_start(args, flags);						\
	mode = va_arg(args, int);					\
	va_end(args);							\
	return open_as(#name, path, flags, mode);			\
}

OPEN(open)
OPEN(open64)

int access(const char *path, int mode)
{
	int (*next)(const char *path, int mode) = dlsym(RTLD_NEXT, "access");

	return strcmp(path, DEVICE) ? next(path, mode) : 0;
}

static int fail(int error)
{
	errno = error;
	return -1;
}

static int answer_version(struct evntprov_version *v, const char *skew)
{
	v->max_sessions = EVNTRACE_MAX_SESSIONS;
	v->features = strcmp(skew, "newer") ? 0 : 0x8000000000000001ull;
	return 0;
}

static int answer_list(struct evntrace_list *list, const char *skew)
{
	if (!strcmp(skew, "older") &&
	    (list->flags || list->kind > EVNTRACE_LIST_PRIVATE ||
	     (list->kind == EVNTRACE_LIST_REGISTRATIONS &&
	      list->element_size > offsetof(struct evntrace_registration,
					    group))))
		return fail(EINVAL);
	list->count = 0;
	return 0;
}

int ioctl(int fd, unsigned long command, ...)
{
	int (*next)(int fd, unsigned long command, ...) =
		dlsym(RTLD_NEXT, "ioctl");
	const char *skew = getenv("SKEW");
	va_list args;
	void *arg;

	va_start(args, command);
	arg = va_arg(args, void *);
	va_end(args);
	if (fd != device || !skew)
		return next(fd, command, arg);
	if (command == EVNTRACE_IOC_SET_ACCESS && !strcmp(skew, "older"))
		return fail(ENOTTY);
	if (*(__u32 *)arg < sizeof(__u64))
		return fail(EINVAL);
	if (command == EVNTPROV_IOC_VERSION)
		return answer_version(arg, skew);
	if (command == EVNTRACE_IOC_LIST)
		return answer_list(arg, skew);
	return fail(ESRCH);
}
