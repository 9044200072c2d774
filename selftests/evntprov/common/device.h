/* SPDX-License-Identifier: GPL-2.0 */
/* The module's two devices, as the tests use them: bare ioctls, no library. */
#ifndef EVNT_TEST_DEVICE_H
#define EVNT_TEST_DEVICE_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/evntrace.h>

#define POISON	0xa5

/* Handle of a registration: its slot, and a generation */
#define HANDLE(slot, gen)	((__u64)(gen) << 16 | (slot) << 5)

static inline struct evntprov_guid guid_of(unsigned int n)
{
	struct evntprov_guid g = { .b = { 'e', 'v', 'n', 't' } };

	memcpy(g.b + 12, &n, sizeof(n));
	return g;
}

/* Descriptors of the bound sessions that do_ioctl() started */
struct dev_bound {
	int fds[8];
	unsigned int count;
};

static inline struct dev_bound *dev_bound(void)
{
	static struct dev_bound bound;

	return &bound;
}

/* Return the descriptor of the bound session that was started last */
static inline int dev_take_bound(void)
{
	return dev_bound()->fds[--dev_bound()->count];
}

static inline void dev_close_bound(void)
{
	while (dev_bound()->count)
		close(dev_take_bound());
}

/*
 * Returns 0 or an errno.  Closes a descriptor that an ioctl returns, unless it
 * belongs to a bound session.
 */
static inline int do_ioctl(int fd, unsigned long cmd, void *arg)
{
	int ret = ioctl(fd, cmd, arg);

	if (ret > 0 && cmd == EVNTRACE_IOC_START && dev_bound()->count < 8 &&
	    ((struct evntrace_start *)arg)->flags & EVNTRACE_START_BOUND)
		dev_bound()->fds[dev_bound()->count++] = ret;
	else if (ret > 0)
		close(ret);
	return ret < 0 ? errno : 0;
}

/* The functions below return 0 or an errno */

static inline int dev_register(int fd, __u64 handle, unsigned int provider,
			       __u32 flags)
{
	struct evntprov_register arg = {
		.size = sizeof(arg),
		.flags = flags,
		.provider = guid_of(provider),
		.handle = handle,
	};

	return do_ioctl(fd, EVNTPROV_IOC_REGISTER, &arg);
}

static inline int dev_unregister(int fd, __u64 handle)
{
	struct evntprov_register arg = {
		.size = sizeof(arg),
		.handle = handle,
	};

	return do_ioctl(fd, EVNTPROV_IOC_UNREGISTER, &arg);
}

static inline struct evntprov_write write_arg(__u64 handle,
					      const struct evntprov_data *data,
					      __u32 count)
{
	return (struct evntprov_write) {
		.size = sizeof(struct evntprov_write),
		.handle = handle,
		.descriptor = { .id = 1, .level = 4, .keyword = 1 },
		.data = (uintptr_t)data,
		.data_count = count,
	};
}

static inline int dev_write(int fd, __u64 handle, const void *p, __u32 len)
{
	struct evntprov_data data = { .ptr = (uintptr_t)p, .len = len };
	struct evntprov_write arg = write_arg(handle, &data, 1);

	return do_ioctl(fd, EVNTPROV_IOC_WRITE, &arg);
}

static inline int dev_set_info(int fd, __u64 handle, __u32 class,
			       const void *info, __u32 len)
{
	struct evntprov_set_information arg = {
		.size = sizeof(arg), .handle = handle, .info_class = class,
		.len = len, .info = (uintptr_t)info,
	};

	return do_ioctl(fd, EVNTPROV_IOC_SET_INFORMATION, &arg);
}

static inline struct evntrace_start start_arg(__u16 *name, const char *text,
					      int log_fd)
{
	struct evntrace_start arg = {
		.size = sizeof(arg),
		.name = (uintptr_t)name,
		.log_name = (uintptr_t)name,
		.log_fd = log_fd,
	};

	while (*text)
		name[arg.name_len++] = *text++;
	arg.log_name_len = arg.name_len;
	return arg;
}

static inline int new_log(const char *path)
{
	return open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
}

/* Start a session with @properties, or with the defaults; @path may be NULL */
static inline int dev_start(int fd, const char *name, const char *path,
			    const struct evntrace_start *properties,
			    __u64 *handle)
{
	__u16 text[EVNTRACE_MAX_NAME];
	int log = path ? new_log(path) : -1;
	struct evntrace_start arg = start_arg(text, name, log);
	int err;

	if (properties) {
		arg.flags = properties->flags;
		arg.log_file_mode = properties->log_file_mode;
		arg.max_file_size = properties->max_file_size;
		arg.buffer_size = properties->buffer_size;
		arg.min_buffers = properties->min_buffers;
		arg.max_buffers = properties->max_buffers;
		arg.flush_ms = properties->flush_ms;
		arg.clock_type = properties->clock_type;
	}
	err = do_ioctl(fd, EVNTRACE_IOC_START, &arg);
	if (path)
		close(log);
	*handle = arg.handle;
	return err;
}

/*
 * Open a session, with @rights or, for 0, with all rights that the caller has;
 * returns a descriptor, or a negative errno
 */
static inline int dev_open_session(int fd, __u64 handle, __u32 rights)
{
	struct evntrace_open arg = {
		.size = sizeof(arg),
		.flags = rights ? 0 : EVNTRACE_OPEN_MAXIMUM,
		.handle = handle,
		.rights = rights,
	};
	int session = ioctl(fd, EVNTRACE_IOC_OPEN, &arg);

	return session < 0 ? -errno : session;
}

/*
 * Call an ioctl of a session by a descriptor with all rights that the caller
 * has; returns the errno of opening it, or of the ioctl
 */
static inline int dev_ioctl(int fd, __u64 handle, unsigned long cmd, void *arg)
{
	int session = dev_open_session(fd, handle, 0);
	int err;

	if (session < 0)
		return -session;
	err = do_ioctl(session, cmd, arg);
	close(session);
	return err;
}

/*
 * Set flags of a session, or with the handle 0, the interval of the profile, by a
 * list of one number; returns 0 or an errno
 */
static inline int dev_set_number(int fd, __u64 session, __u32 kind, __u32 value)
{
	struct evntrace_list arg = {
		.size = sizeof(arg), .kind = kind,
		.element_size = sizeof(value),
		.elements = (uintptr_t)&value, .count = 1,
	};

	return session ? dev_ioctl(fd, session, EVNTRACE_IOC_SET, &arg) :
			 do_ioctl(fd, EVNTRACE_IOC_SET, &arg);
}

/* Instead of EVNTRACE_CONTROL_*: query the session */
#define DEV_QUERY	0u

/* @fd: descriptor of a session */
static inline int session_ioctl(int fd, struct evntrace_session *arg)
{
	return do_ioctl(fd, arg->control ? EVNTRACE_IOC_CONTROL :
					   EVNTRACE_IOC_QUERY, arg);
}

static inline int dev_session(int fd, __u64 handle,
			      struct evntrace_session *arg)
{
	return dev_ioctl(fd, handle, arg->control ? EVNTRACE_IOC_CONTROL :
						    EVNTRACE_IOC_QUERY, arg);
}

static inline int dev_control(int fd, __u32 control, __u64 handle,
			      struct evntrace_session *info)
{
	struct evntrace_session arg = {
		.size = sizeof(arg),
		.control = control,
	};
	int err = dev_session(fd, handle, &arg);

	if (info)
		*info = arg;
	return err;
}

static inline int dev_stop(int fd, __u64 handle,
			   struct evntrace_session *info)
{
	return dev_control(fd, EVNTRACE_CONTROL_STOP, handle, info);
}

static inline struct evntrace_enable enable_arg(unsigned int provider)
{
	return (struct evntrace_enable) {
		.size = sizeof(struct evntrace_enable),
		.provider = guid_of(provider),
		.control = EVNTPROV_CONTROL_ENABLE,
	};
}

static inline int dev_enable(int fd, __u64 session, unsigned int provider)
{
	struct evntrace_enable arg = enable_arg(provider);

	return dev_ioctl(fd, session, EVNTRACE_IOC_ENABLE, &arg);
}

/* List objects of the kind in @arg: of the module, or of a session */
static inline int dev_list(int fd, struct evntrace_list *arg)
{
	return do_ioctl(fd, EVNTRACE_IOC_LIST, arg);
}

static inline int dev_list_of(int fd, __u64 session, struct evntrace_list *arg)
{
	return dev_ioctl(fd, session, EVNTRACE_IOC_LIST, arg);
}

/* Replace a list of a session */
static inline int dev_set(int fd, __u64 session, struct evntrace_list *arg)
{
	return dev_ioctl(fd, session, EVNTRACE_IOC_SET, arg);
}

static inline struct evntrace_list guids_arg(__u32 kind,
					     struct evntprov_guid *ids,
					     __u32 count)
{
	return (struct evntrace_list) {
		.size = sizeof(struct evntrace_list),
		.kind = kind,
		.element_size = sizeof(*ids),
		.elements = (uintptr_t)ids,
		.count = count,
	};
}

/* Objects in the module, in the order of debugfs */
struct dev_status {
	unsigned long long files;
	unsigned long long registrations;
	unsigned long long providers;
	unsigned long long enablements;
	unsigned long long sessions;
	unsigned long long buffers;
	unsigned long long buffer_bytes;
	unsigned long long rings;
};

/* Query the numbers of objects; returns poison if they cannot be read */
static inline struct dev_status dev_status(void)
{
	FILE *f = fopen("/sys/kernel/debug/evntprov/counts", "re");
	struct dev_status s;
	int n = 0;

	if (f) {
		n = fscanf(f,
			   "files %llu registrations %llu providers %llu "
			   "enablements %llu sessions %llu buffers %llu "
			   "buffer_bytes %llu rings %llu",
			   &s.files, &s.registrations, &s.providers,
			   &s.enablements, &s.sessions, &s.buffers,
			   &s.buffer_bytes, &s.rings);
		fclose(f);
	}
	if (n != 8)
		memset(&s, POISON, sizeof(s));
	return s;
}

/* Whether the module's counts are the same as in @before */
static inline bool dev_status_is(const struct dev_status *before)
{
	struct dev_status now = dev_status();

	return !memcmp(before, &now, sizeof(now));
}

#endif /* EVNT_TEST_DEVICE_H */
