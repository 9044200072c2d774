/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Private sessions, as controllers use them: bare ioctls.  One filter selects
 * the processes.  The functions return 0 or an errno.
 */
#ifndef EVNT_TEST_PRIVATE_IOCTL_H
#define EVNT_TEST_PRIVATE_IOCTL_H

#include "selftests/evntprov/common/device.h"

static inline int private_start(int fd, const char *text,
				const struct evntrace_filter *filter,
				__u64 *handle)
{
	__u16 name[16], log_name[16];
	struct evntrace_start arg = start_arg(log_name, "/log", -1);
	int err;

	arg.name_len = start_arg(name, text, -1).name_len;
	arg.name = (uintptr_t)name;
	arg.guid = guid_of(1);
	arg.log_file_mode = EVNTRACE_MODE_PRIVATE | EVNTRACE_MODE_SEQUENTIAL;
	arg.filters = (uintptr_t)filter;
	arg.filter_count = 1;
	err = do_ioctl(fd, EVNTRACE_IOC_START, &arg);
	*handle = arg.handle;
	return err;
}

/*
 * Open by @text or, for NULL, by *@handle, which is set; returns a descriptor or
 * a negative errno
 */
static inline int private_open(int fd, const char *text, __u64 *handle,
			       const struct evntrace_filter *filter,
			       __u32 count)
{
	__u16 name[16];
	struct evntrace_open arg = {
		.size = sizeof(arg), .flags = EVNTRACE_OPEN_MAXIMUM,
		.handle = text ? 0 : *handle,
		.name = text ? (uintptr_t)name : 0,
		.name_len = text ? start_arg(name, text, -1).name_len : 0,
		.filters = (uintptr_t)filter, .filter_count = count,
	};
	int session = ioctl(fd, EVNTRACE_IOC_OPEN, &arg);

	if (session < 0)
		return -errno;
	*handle = arg.handle;
	return session;
}

static inline int private_session(int fd, __u64 handle,
				  const struct evntrace_filter *filter,
				  struct evntrace_session *s)
{
	int session = private_open(fd, NULL, &handle, filter, 1);
	int err;

	if (session < 0)
		return -session;
	err = session_ioctl(session, s);
	close(session);
	return err;
}

static inline int private_control(int fd, __u32 operation, __u64 handle,
				  const struct evntrace_filter *filter)
{
	__u16 name[16], log_name[16];
	struct evntrace_session s = {
		.size = sizeof(s),
		.name = (uintptr_t)name, .name_len = 16,
		.log_name = (uintptr_t)log_name, .log_name_len = 16,
		.control = operation,
	};

	return private_session(fd, handle, filter, &s);
}

static inline int private_stop(int fd, __u64 handle,
			       const struct evntrace_filter *filter)
{
	return private_control(fd, EVNTRACE_CONTROL_STOP, handle, filter);
}

static inline struct evntrace_session
private_query(int fd, __u64 handle, const struct evntrace_filter *filter)
{
	struct evntrace_session s = { .size = sizeof(s) };

	private_session(fd, handle, filter, &s);
	return s;
}

static inline int private_find(int fd, const char *text,
			       const struct evntrace_filter *filter,
			       __u64 *handle)
{
	int session = private_open(fd, text, handle, filter, 1);

	if (session < 0)
		return -session;
	close(session);
	return 0;
}

static inline int private_update(int fd, __u64 handle)
{
	static const __u16 name[] = { '/', 'n', 'e', 'w' };
	struct evntrace_update u = {
		.size = sizeof(u),
		.flags = EVNTRACE_UPDATE_LOG, .flush_ms = 1000,
		.log_name = (uintptr_t)name, .log_name_len = 4, .log_fd = -1,
	};

	return dev_ioctl(fd, handle, EVNTRACE_IOC_UPDATE, &u);
}

#endif /* EVNT_TEST_PRIVATE_IOCTL_H */
