// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/evntrace: the door for whoever controls sessions.
 *
 * Checks arguments and hands on; owns nothing but the order in which a session
 * is taken out of service.
 */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>

#include "enable.h"
#include "list.h"
#include "session.h"
#include "writer.h"

/* Where sessions end by themselves; they do not wait for each other */
static struct workqueue_struct *expire_queue;

/* Stop a session; 0, or -EALREADY when somebody else is at it */
static int stop(struct evnt_session *s)
{
	int err;

	mutex_lock(&evnt_lock);
	err = evnt_session_stopping(s);
	if (!err)
		evnt_disable_all(s);
	mutex_unlock(&evnt_lock);
	if (!err)
		evnt_session_end(s);
	return err;
}

static void expire_work(struct work_struct *work)
{
	struct evnt_session *s = container_of(work, struct evnt_session,
					      expired);

	stop(s);
	evnt_session_put(s);
}

/* The log of a session has reached its limit; called by its writer thread */
static void expire(struct evnt_session *s)
{
	refcount_inc(&s->refs);
	INIT_WORK(&s->expired, expire_work);
	queue_work(expire_queue, &s->expired);
}

static long ioc_start(struct file *file, void *data)
{
	struct evntrace_start *arg = data;

	if (arg->flags & ~EVNTRACE_START_BOUND)
		return -EINVAL;
	return evnt_session_start(arg, file, expire);
}

static long ioc_find(struct file *file, void *data)
{
	struct evntrace_find *arg = data;

	if (arg->flags || arg->reserved)
		return -EINVAL;
	return evnt_session_find(arg);
}

/* Nobody was told of the session: it is as if it had never been */
static void undo_start(struct file *file, void *data)
{
	const struct evntrace_start *arg = data;
	struct evnt_session *s = evnt_session_get(arg->handle);

	if (!s)
		return;
	if (!stop(s))
		evnt_log_abandon(&s->log);
	evnt_session_put(s);
}

static int nothing(struct evnt_session *s)
{
	return 0;
}

/* Do something with a session, then say how it is */
static long control(struct evntrace_session *arg,
		    int (*fn)(struct evnt_session *s))
{
	struct evnt_session *s;
	int err;

	if (arg->flags)
		return -EINVAL;
	s = evnt_session_get(arg->handle);
	if (!s)
		return -ESRCH;
	err = fn(s);
	if (!err)
		err = evnt_session_query(s, arg);
	evnt_session_put(s);
	return err;
}

static long ioc_query(struct file *file, void *data)
{
	return control(data, nothing);
}

static long ioc_flush(struct file *file, void *data)
{
	return control(data, evnt_writer_flush);
}

static long ioc_stop(struct file *file, void *data)
{
	return control(data, stop);
}

static long ioc_update(struct file *file, void *data)
{
	struct evntrace_update *arg = data;
	struct evnt_session *s;

	if (arg->flags || arg->reserved)
		return -EINVAL;
	s = evnt_session_get(arg->handle);
	if (!s)
		return -ESRCH;
	if (arg->flush_ms)
		evnt_writer_set_timer(s, arg->flush_ms);
	evnt_session_put(s);
	return 0;
}

static long ioc_enable(struct file *file, void *data)
{
	struct evntrace_enable *arg = data;

	if (arg->flags || memchr_inv(arg->reserved, 0, sizeof(arg->reserved)) ||
	    arg->reserved2 || arg->filter_count || arg->filters)
		return -EINVAL;
	return evnt_enable(arg);
}

static long ioc_list(struct file *file, void *data)
{
	struct evntrace_list *arg = data;

	if (arg->flags || arg->reserved)
		return -EINVAL;
	return evnt_list(arg);
}

static long ioc_status(struct file *file, void *data)
{
	struct evntrace_status *arg = data;

	if (arg->flags)
		return -EINVAL;
	arg->files = atomic64_read(&evnt_counts.files);
	arg->registrations = atomic64_read(&evnt_counts.registrations);
	arg->providers = atomic64_read(&evnt_counts.providers);
	arg->enablements = atomic64_read(&evnt_counts.enablements);
	arg->sessions = atomic64_read(&evnt_counts.sessions);
	arg->buffers = atomic64_read(&evnt_counts.buffers);
	arg->buffer_bytes = atomic64_read(&evnt_counts.buffer_bytes);
	return 0;
}

static const struct evnt_ioctl trace_ioctls[] = {
	EVNT_IOCTL(EVNTPROV_IOC_VERSION, struct evntprov_version, features,
		   evnt_ioc_version, .answers = true),
	EVNT_IOCTL(EVNTRACE_IOC_START, struct evntrace_start, handle,
		   ioc_start, .answers = true, .undo = undo_start),
	EVNT_IOCTL(EVNTRACE_IOC_FIND, struct evntrace_find, handle,
		   ioc_find, .answers = true),
	EVNT_IOCTL(EVNTRACE_IOC_QUERY, struct evntrace_session, start_time,
		   ioc_query, .answers = true),
	EVNT_IOCTL(EVNTRACE_IOC_FLUSH, struct evntrace_session, start_time,
		   ioc_flush, .answers = true),
	EVNT_IOCTL(EVNTRACE_IOC_STOP, struct evntrace_session, start_time,
		   ioc_stop, .answers = true),
	EVNT_IOCTL(EVNTRACE_IOC_ENABLE, struct evntrace_enable, filters,
		   ioc_enable),
	EVNT_IOCTL(EVNTRACE_IOC_LIST, struct evntrace_list, reserved,
		   ioc_list, .answers = true),
	EVNT_IOCTL(EVNTRACE_IOC_UPDATE, struct evntrace_update, reserved,
		   ioc_update),
	EVNT_IOCTL(EVNTRACE_IOC_STATUS, struct evntrace_status, buffer_bytes,
		   ioc_status, .answers = true),
};

static long trace_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return evnt_do_ioctl(file, trace_ioctls, ARRAY_SIZE(trace_ioctls), cmd,
			     arg);
}

/* Sessions that are bound to this file end with it */
static int trace_release(struct inode *inode, struct file *file)
{
	struct evnt_session *s;

	while ((s = evnt_session_get_bound(file))) {
		stop(s);
		evnt_session_put(s);
	}
	return 0;
}

static const struct file_operations trace_fops = {
	.owner = THIS_MODULE,
	.open = stream_open,
	.release = trace_release,
	.unlocked_ioctl = trace_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

static struct miscdevice trace_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "evntrace",
	.mode = 0660,
	.fops = &trace_fops,
};

int evnt_trace_dev_init(void)
{
	int err;

	expire_queue = alloc_workqueue("evntrace", WQ_UNBOUND, 0);
	if (!expire_queue)
		return -ENOMEM;
	err = misc_register(&trace_device);
	if (err)
		destroy_workqueue(expire_queue);
	return err;
}

void evnt_trace_dev_exit(void)
{
	misc_deregister(&trace_device);
	/* No session is left; who has ended one may still be at it */
	destroy_workqueue(expire_queue);
}
