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

static inline int private_control(int fd, __u32 operation, __u64 handle,
				  const struct evntrace_filter *filter)
{
	__u16 name[16], log_name[16];
	struct evntrace_session s = {
		.size = sizeof(s), .handle = handle,
		.name = (uintptr_t)name, .name_len = 16,
		.log_name = (uintptr_t)log_name, .log_name_len = 16,
		.filters = (uintptr_t)filter, .filter_count = 1,
		.control = operation,
	};

	return session_ioctl(fd, &s);
}

static inline int private_stop(int fd, __u64 handle,
			       const struct evntrace_filter *filter)
{
	return private_control(fd, EVNTRACE_CONTROL_STOP, handle, filter);
}

static inline struct evntrace_session
private_query(int fd, __u64 handle, const struct evntrace_filter *filter)
{
	struct evntrace_session s = {
		.size = sizeof(s), .handle = handle,
		.filters = (uintptr_t)filter, .filter_count = 1,
	};

	do_ioctl(fd, EVNTRACE_IOC_QUERY, &s);
	return s;
}

static inline int private_find(int fd, const char *text,
			       const struct evntrace_filter *filter,
			       __u64 *handle)
{
	__u16 name[16];
	struct evntrace_find f = {
		.size = sizeof(f), .name = (uintptr_t)name,
		.name_len = start_arg(name, text, -1).name_len,
		.filters = (uintptr_t)filter, .filter_count = 1,
	};
	int err = do_ioctl(fd, EVNTRACE_IOC_FIND, &f);

	*handle = f.handle;
	return err;
}

static inline int private_update(int fd, __u64 handle)
{
	static const __u16 name[] = { '/', 'n', 'e', 'w' };
	struct evntrace_update u = {
		.size = sizeof(u), .handle = handle,
		.flags = EVNTRACE_UPDATE_LOG, .flush_ms = 1000,
		.log_name = (uintptr_t)name, .log_name_len = 4, .log_fd = -1,
	};

	return do_ioctl(fd, EVNTRACE_IOC_UPDATE, &u);
}

#endif /* EVNT_TEST_PRIVATE_IOCTL_H */
