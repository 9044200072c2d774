// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/evntrace, the device for controllers and consumers, and descriptors of
 * sessions.
 *
 * Checks arguments and rights and calls the owners of the objects.  A
 * descriptor of a session has the session's handle, and no reference to it, so
 * that it does not hold up the memory of a session that has ended.  The handle
 * may be a private session's.
 */
#include <linux/fs.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/nospec.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "module/common/acl.h"
#include "module/common/ioctl.h"
#include "module/compat/compat.h"
#include "module/device/devices.h"
#include "module/provider/enable.h"
#include "module/provider/session_providers.h"
#include "module/private/private_broker.h"
#include "module/session/session.h"
#include "module/session/consumer.h"
#include "module/system/system.h"

/* Limit in jiffies on the wait for a log when a descriptor is closed */
#define CLOSE_WAIT	(5 * HZ)

/**
 * struct session_file - descriptor of a session
 * @handle: handle of the session; constant
 * @rights: EVNTRACE_RIGHT_* that were granted; constant
 * @is_bound: closing the descriptor stops the session; constant
 * @consumer: real-time consumer, or NULL; set once
 */
struct session_file {
	u64 handle;
	u32 rights;
	bool is_bound;
	struct evnt_consumer *consumer;
};

static const struct file_operations session_fops;

/* Create a descriptor of a session; return it, or a negative errno */
static long session_fd(u64 handle, u32 rights, bool is_bound)
{
	struct session_file *sf = kzalloc(sizeof(*sf), GFP_KERNEL_ACCOUNT);
	int fd;

	if (!sf)
		return -ENOMEM;
	sf->handle = handle;
	sf->rights = rights;
	sf->is_bound = is_bound;
	fd = evnt_anon_inode_getfd("[evntrace-session]", &session_fops, sf,
				   O_RDWR | O_CLOEXEC);
	if (fd < 0)
		kfree(sf);
	return fd;
}

static long ioc_start(struct file *file, void *data)
{
	struct evntrace_start *arg = data;

	if (arg->log_file_mode & EVNTRACE_MODE_PRIVATE)
		return evnt_private_request_start(arg);
	if (arg->flags & ~EVNTRACE_START_BOUND || arg->filters ||
	    arg->filter_count)
		return -EINVAL;
	return evnt_session_start(arg, &evnt_session_provider_ops);
}

/* Discard a session whose handle could not be copied out */
static void undo_start(struct file *file, void *data)
{
	const struct evntrace_start *arg = data;

	if (evnt_is_private_handle(arg->handle))
		evnt_private_request_undo_start(arg->handle);
	else
		evnt_providers_end_session(arg->handle, true,
					   MAX_SCHEDULE_TIMEOUT);
}

/* Return a descriptor of a session whose handle was copied out */
static long return_started(struct file *file, void *data)
{
	const struct evntrace_start *arg = data;
	long fd;

	fd = session_fd(arg->handle, arg->granted,
			arg->flags & EVNTRACE_START_BOUND);
	if (fd < 0)
		undo_start(file, data);
	return fd;
}

static long ioc_open(struct file *file, void *data)
{
	struct evntrace_open *arg = data;
	const bool maximum = arg->flags & EVNTRACE_OPEN_MAXIMUM;
	const bool by_guid = memchr_inv(&arg->guid, 0, sizeof(arg->guid));

	if (arg->flags & ~EVNTRACE_OPEN_MAXIMUM || !arg->rights != maximum ||
	    arg->rights & ~EVNTRACE_OPEN_RIGHTS ||
	    !arg->name != !arg->name_len ||
	    !!arg->name + !!arg->handle + by_guid != 1)
		return -EINVAL;
	if (evnt_is_private_handle(arg->handle) ||
	    (arg->name && arg->filter_count))
		return evnt_private_request_open(arg);
	return arg->filters || arg->filter_count ? -EINVAL :
						   evnt_session_open(arg);
}

/* Return the descriptor of a session that was found */
static long return_session(struct file *file, void *data)
{
	const struct evntrace_open *arg = data;

	return session_fd(arg->handle, arg->granted, false);
}

/* Return whether the descriptor lacks one of these rights */
static bool lacks(const struct file *file, u32 rights)
{
	const struct session_file *sf = file->private_data;

	return rights & ~sf->rights;
}

/*
 * Get the session of a descriptor that has @rights, and with @is_change the
 * rights to change the session; returns an ERR_PTR() without them.
 */
static struct evnt_session *get_session(struct file *file, u32 rights,
					bool is_change)
{
	const struct session_file *sf = file->private_data;
	struct evnt_session *s = evnt_session_get(sf->handle);

	if (!s)
		return ERR_PTR(-ESRCH);
	if (is_change)
		rights |= READ_ONCE(s->rights);
	if (!lacks(file, rights))
		return s;
	evnt_session_put(s);
	return ERR_PTR(-EACCES);
}

/* Return the handle of the private session of a descriptor, or zero */
static u64 private_of(const struct file *file)
{
	const struct session_file *sf = file->private_data;

	return evnt_is_private_handle(sf->handle) ? sf->handle : 0;
}

/*
 * Call a function for the private session of a descriptor that has a right,
 * with the argument of the ioctl
 */
static int call_private(struct file *file, u32 right,
			int (*fn)(struct evnt_private_request *req, void *data),
			void *data)
{
	struct evnt_private_request *req;
	int err;

	if (lacks(file, right))
		return -EACCES;
	req = evnt_private_request_get(private_of(file));
	if (!req)
		return -ESRCH;
	err = fn(req, data);
	evnt_private_request_put(req);
	return err;
}

/* Perform an operation on a session */
static int control(struct evnt_session *s, u32 code)
{
	switch (code) {
	case EVNTRACE_CONTROL_STOP:
		return evnt_providers_stop_session(s);
	case EVNTRACE_CONTROL_FLUSH:
		return evnt_writer_flush(s);
	default:
		return evnt_update_follow_log(s);
	}
}

static long ioc_query(struct file *file, void *data)
{
	struct evntrace_session *arg = data;
	struct evnt_session *s;
	int err;

	if (arg->flags || arg->control)
		return -EINVAL;
	if (private_of(file))
		return call_private(file, EVNTRACE_RIGHT_QUERY,
				    evnt_private_request_query, arg);
	s = get_session(file, EVNTRACE_RIGHT_QUERY, false);
	if (IS_ERR(s))
		return PTR_ERR(s);
	/* Events in rings have been written, too */
	if (s->buffers.nr_lanes)
		evnt_drain(NULL);
	err = evnt_session_query(s, arg);
	evnt_session_put(s);
	return err;
}

static long ioc_control(struct file *file, void *data)
{
	struct evntrace_session *arg = data;
	struct evnt_session *s;
	int err;

	if (arg->flags || arg->control < EVNTRACE_CONTROL_STOP ||
	    arg->control > EVNTRACE_CONTROL_INCREMENT)
		return -EINVAL;
	if (private_of(file))
		return call_private(file, EVNT_PRIVATE_CHANGE,
				    evnt_private_request_control, arg);
	s = get_session(file, 0, true);
	if (IS_ERR(s))
		return PTR_ERR(s);
	err = control(s, arg->control);
	if (!err)
		err = evnt_session_query(s, arg);
	evnt_session_put(s);
	return err;
}

static long ioc_update(struct file *file, void *data)
{
	const struct evntrace_update *arg = data;
	struct evnt_session *s;
	int rights, err;

	if (private_of(file))
		return call_private(file, EVNT_PRIVATE_CHANGE,
				    evnt_private_request_update, data);
	rights = evnt_update_rights(arg);
	if (rights < 0)
		return rights;
	s = get_session(file, rights, true);
	if (IS_ERR(s))
		return PTR_ERR(s);
	err = evnt_update(s, arg);
	evnt_session_put(s);
	return err;
}

static long enable_private(struct file *file, struct evntrace_enable *arg)
{
	int err = call_private(file, EVNT_PRIVATE_CHANGE,
			       evnt_private_request_enable, arg);

	/* A private session that has ended has nothing to wait for */
	return err == -ESRCH && arg->flags & EVNTRACE_ENABLE_WAIT ? 0 : err;
}

static long ioc_enable(struct file *file, void *data)
{
	struct evntrace_enable *arg = data;
	struct evnt_session *s;
	int err;

	if (arg->flags & ~EVNTRACE_ENABLE_WAIT ||
	    memchr_inv(arg->reserved, 0, sizeof(arg->reserved)) ||
	    arg->reserved2 || arg->version || arg->captures)
		return -EINVAL;
	if (private_of(file))
		return enable_private(file, arg);
	s = get_session(file, 0, true);
	if (IS_ERR(s))
		return PTR_ERR(s);
	err = arg->flags & EVNTRACE_ENABLE_WAIT ? evnt_enable_wait(arg) :
						  evnt_enable(s, arg);
	evnt_session_put(s);
	return err;
}

/* List objects of the module */
static long ioc_list(struct file *file, void *data)
{
	int err = evnt_list_check(data, false);

	return err ? err : evnt_list(NULL, 0, data);
}

/* List objects of a session */
static long ioc_list_of_session(struct file *file, void *data)
{
	struct evntrace_list *arg = data;
	struct evnt_session *s;
	int err = evnt_list_check(arg, true);

	if (err)
		return err;
	if (private_of(file) && arg->kind == EVNTRACE_LIST_FILTERS)
		return lacks(file, EVNTRACE_RIGHT_QUERY) ? -EACCES :
		       evnt_list(NULL, private_of(file), arg);
	s = get_session(file, EVNTRACE_RIGHT_QUERY, false);
	if (IS_ERR(s))
		return PTR_ERR(s);
	err = evnt_list(s, 0, arg);
	evnt_session_put(s);
	return err;
}

/* Lists of a session that can be set */
static const struct set_kind {
	u32 element_size;
	int (*set)(struct evnt_session *s, const struct evntrace_list *arg);
} set_kinds[] = {
	[EVNTRACE_LIST_CAPTURE_STATE] = {
		sizeof(struct evntprov_guid), evnt_providers_set_list },
	[EVNTRACE_LIST_DISALLOWED] = {
		sizeof(struct evntprov_guid), evnt_providers_set_list },
	[EVNTRACE_LIST_SYSTEM_FLAGS] = { sizeof(u32), evnt_system_set_flags },
	[EVNTRACE_LIST_SYSTEM_STACKS] = { sizeof(u32), evnt_system_set_stacks },
};

/* Check the argument for a list of elements of this size; 0: of an unknown list */
static int check_set(const struct evntrace_list *arg, u32 element_size)
{
	return arg->flags || !element_size ||
	       arg->element_size != element_size ||
	       memchr_inv(&arg->provider, 0, sizeof(arg->provider)) ||
	       memchr_inv(arg->cursor, 0, sizeof(arg->cursor)) ? -EINVAL : 0;
}

/* Replace a list of the module */
static long ioc_set(struct file *file, void *data)
{
	const struct evntrace_list *arg = data;
	const bool is_known = arg->kind == EVNTRACE_LIST_PROFILE_INTERVAL;
	int err = check_set(arg, is_known ? sizeof(u32) : 0);

	return err ? err : evnt_system_set_interval(arg);
}

/* Replace a list of a session */
static long ioc_set_of_session(struct file *file, void *data)
{
	const struct evntrace_list *arg = data;
	const struct set_kind *kind;
	struct evnt_session *s;
	int err;

	kind = &set_kinds[array_index_nospec(arg->kind, ARRAY_SIZE(set_kinds))];
	err = check_set(arg, kind->element_size);
	if (err)
		return err;
	s = get_session(file, 0, true);
	if (IS_ERR(s))
		return PTR_ERR(s);
	err = kind->set(s, arg);
	evnt_session_put(s);
	return err;
}

static long ioc_access(struct file *file, void *data)
{
	bool more = false;
	int err;

	if (mutex_lock_killable(&evnt_lock))
		return -EINTR;
	err = evnt_access_change(data);
	if (!err)
		more = evnt_access_changed();
	mutex_unlock(&evnt_lock);
	/* Wait for writers that still go by the old access lists */
	if (more)
		synchronize_rcu();
	return err;
}

/* Return the consumer of a session's descriptor, or NULL */
static struct evnt_consumer *consumer(struct file *file)
{
	const struct session_file *sf = file->private_data;

	/* Pairs with the exchange in ioc_consume() */
	return smp_load_acquire(&sf->consumer);
}

static long ioc_consume(struct file *file, void *data)
{
	struct session_file *sf = file->private_data;
	struct evntrace_open_consumer *arg = data;
	struct evnt_consumer *c;
	struct evnt_session *s;

	if (arg->flags || arg->reserved)
		return -EINVAL;
	if (consumer(file))
		return -EBUSY;
	s = get_session(file, EVNTRACE_RIGHT_ACCESS_REALTIME, false);
	if (IS_ERR(s))
		return PTR_ERR(s);
	c = evnt_consumer_create(s, arg);
	evnt_session_put(s);
	if (IS_ERR(c))
		return PTR_ERR(c);
	if (cmpxchg(&sf->consumer, NULL, c)) {
		evnt_consumer_destroy(c);
		return -EBUSY;
	}
	return 0;
}

static long ioc_next(struct file *file, void *data)
{
	struct evntrace_next *arg = data;

	if (arg->flags || arg->reserved || !consumer(file))
		return -EINVAL;
	return evnt_consumer_next(consumer(file), arg);
}

/* Put back a buffer whose index could not be copied out */
static void undo_next(struct file *file, void *data)
{
	evnt_consumer_undo_next(consumer(file));
}

static long ioc_release(struct file *file, void *data)
{
	const struct evntrace_next *arg = data;

	if (arg->flags || arg->reserved || !consumer(file))
		return -EINVAL;
	return evnt_consumer_release(consumer(file), arg->index);
}

static long ioc_snapshot(struct file *file, void *data)
{
	struct evntrace_snapshot *arg = data;
	struct evnt_session *s;
	int err;

	if (arg->flags)
		return -EINVAL;
	s = get_session(file, 0, true);
	if (IS_ERR(s))
		return PTR_ERR(s);
	err = evnt_session_admit_reader(s);
	if (!err)
		err = evnt_snapshot(s, arg);
	evnt_session_put(s);
	return err;
}

static const struct evnt_ioctl device_ioctls[] = {
	EVNT_IOCTL(EVNTPROV_IOC_VERSION, struct evntprov_version, reserved,
		   evnt_ioc_version, .answers = true),
	EVNT_IOCTL(EVNTRACE_IOC_START, struct evntrace_start, granted,
		   ioc_start, .answers = true, .undo = undo_start,
		   .finish = return_started),
	EVNT_IOCTL(EVNTRACE_IOC_OPEN, struct evntrace_open, granted, ioc_open,
		   .answers = true, .finish = return_session),
	EVNT_IOCTL(EVNTRACE_IOC_SET_ACCESS, struct evntrace_access, rights,
		   ioc_access),
	EVNT_IOCTL(EVNTRACE_IOC_LIST, struct evntrace_list, cursor, ioc_list,
		   .answers = true),
	EVNT_IOCTL(EVNTRACE_IOC_SET, struct evntrace_list, cursor, ioc_set),
};

static const struct evnt_ioctl session_ioctls[] = {
	EVNT_IOCTL(EVNTRACE_IOC_NEXT, struct evntrace_next, events_missed,
		   ioc_next, .answers = true, .undo = undo_next),
	EVNT_IOCTL(EVNTRACE_IOC_RELEASE, struct evntrace_next, events_missed,
		   ioc_release),
	EVNT_IOCTL(EVNTRACE_IOC_LIST, struct evntrace_list, cursor,
		   ioc_list_of_session, .answers = true),
	EVNT_IOCTL(EVNTRACE_IOC_QUERY, struct evntrace_session, events_filtered,
		   ioc_query, .answers = true),
	EVNT_IOCTL(EVNTRACE_IOC_CONTROL, struct evntrace_session,
		   events_filtered, ioc_control, .answers = true),
	EVNT_IOCTL(EVNTRACE_IOC_UPDATE, struct evntrace_update, series,
		   ioc_update),
	EVNT_IOCTL(EVNTRACE_IOC_ENABLE, struct evntrace_enable, captures,
		   ioc_enable),
	EVNT_IOCTL(EVNTRACE_IOC_SET, struct evntrace_list, cursor,
		   ioc_set_of_session),
	EVNT_IOCTL(EVNTRACE_IOC_SNAPSHOT, struct evntrace_snapshot, events,
		   ioc_snapshot, .answers = true),
	EVNT_IOCTL(EVNTRACE_IOC_OPEN_CONSUMER, struct evntrace_open_consumer,
		   reserved, ioc_consume, .answers = true),
};

static long trace_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return evnt_do_ioctl(file, device_ioctls, ARRAY_SIZE(device_ioctls),
			     cmd, arg);
}

static long session_ioctl(struct file *file, unsigned int cmd,
			  unsigned long arg)
{
	return evnt_do_ioctl(file, session_ioctls, ARRAY_SIZE(session_ioctls),
			     cmd, arg);
}

static __poll_t session_poll(struct file *file, poll_table *wait)
{
	struct evnt_consumer *c = consumer(file);

	return c ? evnt_consumer_poll(c, file, wait) : EPOLLERR;
}

static int session_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct evnt_consumer *c = consumer(file);

	return c ? evnt_consumer_mmap(c, vma) : -EINVAL;
}

/*
 * Stop the session if it is bound to the descriptor, and free the consumer.  A
 * process that is exiting cannot be killed, so the wait for the log is limited:
 * after that, the session ends in the background.
 */
static int session_release(struct inode *inode, struct file *file)
{
	struct session_file *sf = file->private_data;

	if (sf->is_bound)
		evnt_providers_end_session(sf->handle, false, CLOSE_WAIT);
	if (sf->consumer)
		evnt_consumer_destroy(sf->consumer);
	kfree(sf);
	return 0;
}

static const struct file_operations session_fops = {
	.owner = THIS_MODULE,
	.release = session_release,
	.poll = session_poll,
	.mmap = session_mmap,
	.unlocked_ioctl = session_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

static const struct file_operations trace_fops = {
	.owner = THIS_MODULE,
	.open = stream_open,
	.unlocked_ioctl = trace_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

struct miscdevice evnt_dev_control = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "evntrace",
	.mode = 0660,
	.fops = &trace_fops,
};
