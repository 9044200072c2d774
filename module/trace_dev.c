// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/evntrace: the door for whoever controls sessions.
 *
 * Checks arguments and hands on; owns nothing but the order in which a session
 * is taken out of service.
 */
#include <linux/fs.h>
#include <linux/jiffies.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/uaccess.h>

#include "access.h"
#include "enable.h"
#include "filter_data.h"
#include "list.h"
#include "logger.h"
#include "session.h"
#include "snapshot.h"
#include "stream.h"
#include "update.h"
#include "writer.h"

/* How long closing a file waits for the logs of its sessions, in jiffies */
#define CLOSE_WAIT	(5 * HZ)

/* Under evnt_lock; 0, or -EALREADY when another caller has ended it */
static int begin_end(struct evnt_session *s)
{
	int err = evnt_session_stopping(s);

	if (!err)
		evnt_disable_all(s);
	return err;
}

/* Wait for the end as evnt_session_end() does */
static int finish_end(struct evnt_session *s, bool abandon, long timeout)
{
	evnt_capture_stop(s);
	evnt_disallow_stop(s);
	return evnt_session_end(s, abandon, timeout);
}

/* End a session, unless another caller has ended it */
static void end(struct evnt_session *s, bool abandon, long timeout)
{
	int err;

	mutex_lock(&evnt_lock);
	err = begin_end(s);
	mutex_unlock(&evnt_lock);
	if (!err)
		finish_end(s, abandon, timeout);
}

/* Likewise for a caller that gets the error, and may be killed before */
static int stop(struct evnt_session *s)
{
	int err = mutex_lock_killable(&evnt_lock);

	if (err)
		return err;
	err = begin_end(s);
	mutex_unlock(&evnt_lock);
	return err ?: finish_end(s, false, MAX_SCHEDULE_TIMEOUT);
}

/* The log of a session has reached its limit; called by its writer thread */
static void expire(struct evnt_session *s)
{
	end(s, false, 0);
}

static long ioc_start(struct file *file, void *data)
{
	struct evntrace_start *arg = data;

	if (arg->log_file_mode & EVNTRACE_MODE_PRIVATE)
		return evnt_logger_start(arg);
	if (arg->flags & ~EVNTRACE_START_BOUND || arg->filters ||
	    arg->filter_count || arg->reserved)
		return -EINVAL;
	return evnt_session_start(arg, file, expire);
}

static long ioc_find(struct file *file, void *data)
{
	struct evntrace_find *arg = data;

	if (arg->flags || arg->reserved || arg->reserved2)
		return -EINVAL;
	if (arg->filter_count)
		return evnt_logger_find(arg);
	if (arg->filters)
		return -EINVAL;
	return evnt_session_find(arg);
}

/* Nobody was told of the session: it is as if it had never been */
static void undo_start(struct file *file, void *data)
{
	const struct evntrace_start *arg = data;
	struct evnt_session *s;

	if (evnt_is_logger(arg->handle)) {
		evnt_logger_undo_start(arg->handle);
		return;
	}
	s = evnt_session_get_started(arg->handle);
	if (!s)
		return;
	end(s, true, MAX_SCHEDULE_TIMEOUT);
	evnt_session_put(s);
}

static int nothing(struct evnt_session *s)
{
	return 0;
}

/* A session that the caller may query, or change, with a reference; or an error */
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

/* Do something with a session, then say how it is */
static long control(struct evntrace_session *arg, bool is_change,
		    int (*fn)(struct evnt_session *s))
{
	struct evnt_session *s;
	int err;

	if (arg->flags || arg->filters || arg->filter_count)
		return -EINVAL;
	s = get_allowed(arg->handle, is_change);
	if (IS_ERR(s))
		return PTR_ERR(s);
	err = fn(s);
	if (!err)
		err = evnt_session_query(s, arg);
	evnt_session_put(s);
	return err;
}

/* Whether it is about a private logger */
static bool is_of_logger(const struct evntrace_session *arg)
{
	return evnt_is_logger(arg->handle);
}

static long ioc_query(struct file *file, void *data)
{
	if (is_of_logger(data))
		return evnt_logger_query(data);
	return control(data, false, nothing);
}

static long ioc_query_cpus(struct file *file, void *data)
{
	struct evntrace_query_cpus *arg = data;
	struct evnt_session *s;
	int err;

	if (arg->flags)
		return -EINVAL;
	s = get_allowed(arg->handle, false);
	if (IS_ERR(s))
		return PTR_ERR(s);
	err = evnt_session_query_cpus(s, arg);
	evnt_session_put(s);
	return err;
}

static long ioc_flush(struct file *file, void *data)
{
	if (is_of_logger(data))
		return evnt_logger_flush(data);
	return control(data, true, evnt_writer_flush);
}

static long ioc_increment(struct file *file, void *data)
{
	return control(data, true, evnt_update_follow_log);
}

static long ioc_stop(struct file *file, void *data)
{
	if (is_of_logger(data))
		return evnt_logger_stop(data);
	return control(data, true, stop);
}

static long ioc_update(struct file *file, void *data)
{
	const struct evntrace_update *arg = data;

	return evnt_is_logger(arg->handle) ? evnt_logger_update(arg) :
					     evnt_update(arg);
}

static long ioc_enable(struct file *file, void *data)
{
	struct evntrace_enable *arg = data;

	if (arg->flags & ~EVNTRACE_ENABLE_WAIT ||
	    memchr_inv(arg->reserved, 0, sizeof(arg->reserved)) ||
	    arg->reserved2)
		return -EINVAL;
	if (evnt_is_logger(arg->handle))
		return arg->flags & EVNTRACE_ENABLE_WAIT ?
			evnt_logger_enable_wait(arg) : evnt_logger_enable(arg);
	return arg->flags & EVNTRACE_ENABLE_WAIT ? evnt_enable_wait(arg) :
						   evnt_enable(arg);
}

static long ioc_list(struct file *file, void *data)
{
	struct evntrace_list *arg = data;

	return arg->reserved ? -EINVAL : evnt_list(arg);
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
	/* On return, whoever writes on the strength of the old lists is done */
	if (more)
		synchronize_rcu();
	return err;
}

static long ioc_capture(struct file *file, void *data)
{
	struct evntrace_capture *arg = data;

	return arg->flags ? -EINVAL : evnt_capture_set(arg);
}

static long ioc_query_capture(struct file *file, void *data)
{
	struct evntrace_capture *arg = data;

	return arg->flags ? -EINVAL : evnt_capture_query(arg);
}

static long ioc_disallow(struct file *file, void *data)
{
	struct evntrace_disallow *arg = data;

	return arg->flags || arg->reserved ? -EINVAL : evnt_disallow_set(arg);
}

static long ioc_query_disallow(struct file *file, void *data)
{
	struct evntrace_disallow *arg = data;

	return arg->flags || arg->reserved ? -EINVAL : evnt_disallow_query(arg);
}

static long ioc_filters(struct file *file, void *data)
{
	struct evntrace_filters *arg = data;

	return arg->flags & ~EVNTRACE_FILTERS_GROUP ? -EINVAL :
						      evnt_filters_show(arg);
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

static struct evnt_consumer *consumer(struct file *file)
{
	/* Pairs with the exchange in ioc_consume() */
	return smp_load_acquire(&file->private_data);
}

static long ioc_consume(struct file *file, void *data)
{
	struct evntrace_consume *arg = data;
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

	if (arg->flags || !consumer(file))
		return -EINVAL;
	return evnt_consumer_next(consumer(file), arg);
}

/* What nobody was told of comes again */
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
	EVNT_IOCTL(EVNTRACE_IOC_START, struct evntrace_start, handle,
		   ioc_start, .answers = true, .undo = undo_start),
	EVNT_IOCTL(EVNTRACE_IOC_FIND, struct evntrace_find, handle,
		   ioc_find, .answers = true),
	EVNT_IOCTL(EVNTRACE_IOC_QUERY, struct evntrace_session, start_time,
		   ioc_query, .answers = true),
	EVNT_IOCTL(EVNTRACE_IOC_QUERY_CPUS, struct evntrace_query_cpus, count,
		   ioc_query_cpus, .answers = true),
	EVNT_IOCTL(EVNTRACE_IOC_FLUSH, struct evntrace_session, start_time,
		   ioc_flush, .answers = true),
	EVNT_IOCTL(EVNTRACE_IOC_INCREMENT, struct evntrace_session, start_time,
		   ioc_increment, .answers = true),
	EVNT_IOCTL(EVNTRACE_IOC_STOP, struct evntrace_session, start_time,
		   ioc_stop, .answers = true),
	EVNT_IOCTL(EVNTRACE_IOC_ENABLE, struct evntrace_enable, filters,
		   ioc_enable),
	EVNT_IOCTL(EVNTRACE_IOC_LIST, struct evntrace_list, reserved,
		   ioc_list, .answers = true),
	EVNT_IOCTL(EVNTRACE_IOC_UPDATE, struct evntrace_update, reserved,
		   ioc_update),
	EVNT_IOCTL(EVNTRACE_IOC_FILTERS, struct evntrace_filters, count,
		   ioc_filters, .answers = true),
	EVNT_IOCTL(EVNTRACE_IOC_ACCESS, struct evntrace_access, rights,
		   ioc_access),
	EVNT_IOCTL(EVNTRACE_IOC_CAPTURE, struct evntrace_capture, period_s,
		   ioc_capture),
	EVNT_IOCTL(EVNTRACE_IOC_QUERY_CAPTURE, struct evntrace_capture,
		   period_s, ioc_query_capture, .answers = true),
	EVNT_IOCTL(EVNTRACE_IOC_DISALLOW, struct evntrace_disallow, reserved,
		   ioc_disallow),
	EVNT_IOCTL(EVNTRACE_IOC_QUERY_DISALLOW, struct evntrace_disallow,
		   reserved, ioc_query_disallow, .answers = true),
	EVNT_IOCTL(EVNTRACE_IOC_STATUS, struct evntrace_status, buffer_bytes,
		   ioc_status, .answers = true),
	EVNT_IOCTL(EVNTRACE_IOC_CONSUME, struct evntrace_consume, reserved,
		   ioc_consume, .answers = true),
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
	file->private_data = NULL;	/* not a consumer so far */
	return stream_open(inode, file);
}

/*
 * Sessions that are bound to this file end with it, and so does a consumer.  A
 * process that is exiting cannot be killed, so it does not wait for ever for a log:
 * after a while, sessions go on ending without it.
 */
static int trace_release(struct inode *inode, struct file *file)
{
	const unsigned long until = jiffies + CLOSE_WAIT;
	struct evnt_session *s;

	while ((s = evnt_session_get_bound(file))) {
		end(s, false, max_t(long, until - jiffies, 1));
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

int evnt_trace_dev_init(void)
{
	return misc_register(&trace_device);
}

void evnt_trace_dev_exit(void)
{
	misc_deregister(&trace_device);
}
