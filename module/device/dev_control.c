// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/evntrace: the device for controllers and consumers.
 *
 * Checks arguments and calls the owners of the objects; owns nothing itself.
 */
#include <linux/fs.h>
#include <linux/jiffies.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/uaccess.h>

#include "module/common/acl.h"
#include "module/common/ioctl.h"
#include "module/device/devices.h"
#include "module/provider/enable.h"
#include "module/provider/session_providers.h"
#include "module/device/list.h"
#include "module/private/private_broker.h"
#include "module/session/session.h"
#include "module/session/snapshot.h"
#include "module/session/consumer.h"
#include "module/session/update.h"
#include "module/session/writer.h"

/* Limit in jiffies on the wait for logs when a file is closed */
#define CLOSE_WAIT	(5 * HZ)

static long ioc_start(struct file *file, void *data)
{
	struct evntrace_start *arg = data;

	if (arg->log_file_mode & EVNTRACE_MODE_PRIVATE)
		return evnt_private_request_start(arg);
	if (arg->flags & ~EVNTRACE_START_BOUND || arg->filters ||
	    arg->filter_count || arg->reserved)
		return -EINVAL;
	return evnt_session_start(arg, file, &evnt_session_provider_ops);
}

static long ioc_find(struct file *file, void *data)
{
	struct evntrace_find *arg = data;

	if (arg->flags || arg->reserved || arg->reserved2)
		return -EINVAL;
	if (arg->filter_count)
		return evnt_private_request_find(arg);
	if (arg->filters)
		return -EINVAL;
	return evnt_session_find(arg);
}

/* Discard a session whose handle could not be copied out */
static void undo_start(struct file *file, void *data)
{
	const struct evntrace_start *arg = data;
	struct evnt_session *s;

	if (evnt_is_private_handle(arg->handle)) {
		evnt_private_request_undo_start(arg->handle);
		return;
	}
	s = evnt_session_get_started(arg->handle);
	if (!s)
		return;
	evnt_providers_end_session(s, true, MAX_SCHEDULE_TIMEOUT);
	evnt_session_put(s);
}

/* Get a session that the caller may query or change, or an ERR_PTR() */
static struct evnt_session *get_allowed(u64 handle, bool is_change)
{
	struct evnt_session *s = evnt_session_get(handle);
	int err;

	if (!s)
		return ERR_PTR(-ESRCH);
	err = is_change ? evnt_session_check_change(s) :
			  evnt_session_check(s, EVNTRACE_RIGHT_QUERY);
	if (!err)
		return s;
	evnt_session_put(s);
	return ERR_PTR(err);
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
	if (evnt_is_private_handle(arg->handle))
		return evnt_private_request_query(arg);
	if (arg->filters || arg->filter_count)
		return -EINVAL;
	s = get_allowed(arg->handle, false);
	if (IS_ERR(s))
		return PTR_ERR(s);
	err = evnt_session_query(s, arg);
	evnt_session_put(s);
	return err;
}

static long control_private(struct evntrace_session *arg)
{
	switch (arg->control) {
	case EVNTRACE_CONTROL_STOP:
		return evnt_private_request_stop(arg);
	case EVNTRACE_CONTROL_FLUSH:
		return evnt_private_request_flush(arg);
	}
	return -ESRCH;
}

static long ioc_control(struct file *file, void *data)
{
	struct evntrace_session *arg = data;
	struct evnt_session *s;
	int err;

	if (arg->flags || arg->control < EVNTRACE_CONTROL_STOP ||
	    arg->control > EVNTRACE_CONTROL_INCREMENT)
		return -EINVAL;
	if (evnt_is_private_handle(arg->handle))
		return control_private(arg);
	if (arg->filters || arg->filter_count)
		return -EINVAL;
	s = get_allowed(arg->handle, true);
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

	return evnt_is_private_handle(arg->handle) ?
		       evnt_private_request_update(arg) :
		       evnt_update(arg);
}

static long ioc_enable(struct file *file, void *data)
{
	struct evntrace_enable *arg = data;

	if (arg->flags & ~EVNTRACE_ENABLE_WAIT ||
	    memchr_inv(arg->reserved, 0, sizeof(arg->reserved)) ||
	    arg->reserved2)
		return -EINVAL;
	if (evnt_is_private_handle(arg->handle))
		return arg->flags & EVNTRACE_ENABLE_WAIT ?
			       evnt_private_request_enable_wait(arg) :
			       evnt_private_request_enable(arg);
	return arg->flags & EVNTRACE_ENABLE_WAIT ? evnt_enable_wait(arg) :
						   evnt_enable(arg);
}

static long ioc_list(struct file *file, void *data)
{
	return evnt_list(data);
}

/* Replace a list of a session */
static long ioc_set(struct file *file, void *data)
{
	static const struct evntprov_guid no_provider;
	static const struct evntrace_cursor no_cursor;
	const struct evntrace_list *arg = data;

	if (arg->flags || arg->element_size != sizeof(struct evntprov_guid) ||
	    memcmp(&arg->provider, &no_provider, sizeof(no_provider)) ||
	    memcmp(&arg->cursor, &no_cursor, sizeof(no_cursor)))
		return -EINVAL;
	switch (arg->kind) {
	case EVNTRACE_LIST_CAPTURE_STATE:
		return evnt_capture_set(arg);
	case EVNTRACE_LIST_DISALLOWED:
		return evnt_disallow_set(arg);
	}
	return -EINVAL;
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

static struct evnt_consumer *consumer(struct file *file)
{
	/* Pairs with the exchange in ioc_consume() */
	return smp_load_acquire(&file->private_data);
}

static long ioc_consume(struct file *file, void *data)
{
	struct evntrace_open_consumer *arg = data;
	struct evnt_consumer *c;
	int err;

	if (arg->flags || arg->reserved)
		return -EINVAL;
	if (consumer(file))
		return -EBUSY;
	err = evnt_consumer_create(arg, &c);
	if (err)
		return err;
	if (cmpxchg(&file->private_data, NULL, c)) {
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
	struct evntrace_release *arg = data;

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
	s = get_allowed(arg->handle, true);
	if (IS_ERR(s))
		return PTR_ERR(s);
	err = evnt_session_admit_reader(s);
	if (!err)
		err = evnt_snapshot(s, arg);
	evnt_session_put(s);
	return err;
}

static const struct evnt_ioctl trace_ioctls[] = {
	EVNT_IOCTL(EVNTPROV_IOC_VERSION, struct evntprov_version, features,
		   evnt_ioc_version, .answers = true),
	EVNT_IOCTL(EVNTRACE_IOC_START, struct evntrace_start, reserved,
		   ioc_start, .answers = true, .undo = undo_start),
	EVNT_IOCTL(EVNTRACE_IOC_FIND, struct evntrace_find, reserved2, ioc_find,
		   .answers = true),
	EVNT_IOCTL(EVNTRACE_IOC_QUERY, struct evntrace_session, processes,
		   ioc_query, .answers = true),
	EVNT_IOCTL(EVNTRACE_IOC_CONTROL, struct evntrace_session, processes,
		   ioc_control, .answers = true),
	EVNT_IOCTL(EVNTRACE_IOC_UPDATE, struct evntrace_update, series,
		   ioc_update),
	EVNT_IOCTL(EVNTRACE_IOC_ENABLE, struct evntrace_enable, filters,
		   ioc_enable),
	EVNT_IOCTL(EVNTRACE_IOC_SET, struct evntrace_list, cursor, ioc_set),
	EVNT_IOCTL(EVNTRACE_IOC_LIST, struct evntrace_list, cursor, ioc_list,
		   .answers = true),
	EVNT_IOCTL(EVNTRACE_IOC_SET_ACCESS, struct evntrace_access, rights,
		   ioc_access),
	EVNT_IOCTL(EVNTRACE_IOC_OPEN_CONSUMER, struct evntrace_open_consumer,
		   reserved, ioc_consume, .answers = true),
	EVNT_IOCTL(EVNTRACE_IOC_NEXT, struct evntrace_next, events_missed,
		   ioc_next, .answers = true, .undo = undo_next),
	EVNT_IOCTL(EVNTRACE_IOC_SNAPSHOT, struct evntrace_snapshot, events,
		   ioc_snapshot, .answers = true),
	EVNT_IOCTL(EVNTRACE_IOC_RELEASE, struct evntrace_release, reserved,
		   ioc_release),
};

static long trace_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return evnt_do_ioctl(file, trace_ioctls, ARRAY_SIZE(trace_ioctls), cmd,
			     arg);
}

static __poll_t trace_poll(struct file *file, poll_table *wait)
{
	struct evnt_consumer *c = consumer(file);

	return c ? evnt_consumer_poll(c, file, wait) : EPOLLERR;
}

static int trace_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct evnt_consumer *c = consumer(file);

	return c ? evnt_consumer_mmap(c, vma) : -EINVAL;
}

static int trace_open(struct inode *inode, struct file *file)
{
	file->private_data = NULL;	/* not a consumer yet */
	return stream_open(inode, file);
}

/*
 * Stop the sessions that are bound to the file, and free its consumer.  A
 * process that is exiting cannot be killed, so the wait for logs is limited:
 * after that, sessions end in the background.
 */
static int trace_release(struct inode *inode, struct file *file)
{
	const unsigned long until = jiffies + CLOSE_WAIT;
	struct evnt_session *s;

	while ((s = evnt_session_get_bound(file))) {
		evnt_providers_end_session(s, false,
					   max_t(long, until - jiffies, 1));
		evnt_session_put(s);
	}
	if (consumer(file))
		evnt_consumer_destroy(consumer(file));
	return 0;
}

static const struct file_operations trace_fops = {
	.owner = THIS_MODULE,
	.open = trace_open,
	.release = trace_release,
	.poll = trace_poll,
	.mmap = trace_mmap,
	.unlocked_ioctl = trace_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

static struct miscdevice trace_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "evntrace",
	.mode = 0660,
	.fops = &trace_fops,
};

int evnt_dev_control_init(void)
{
	return misc_register(&trace_device);
}

void evnt_dev_control_exit(void)
{
	misc_deregister(&trace_device);
}
