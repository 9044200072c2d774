// SPDX-License-Identifier: GPL-2.0
/*
 * What is asked and told of sessions and of private loggers alike.
 */
#include <linux/cred.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/uidgid.h>

#include <linux/evntprov.h>

#include "query.h"

/**
 * evnt_start_check() - whether properties are such as any session's, but for modes
 * @arg: the argument of EVNTRACE_IOC_START
 *
 * Return: 0 or -EINVAL.
 */
int evnt_start_check(const struct evntrace_start *arg)
{
	if (!arg->name_len || arg->clock_type > EVNTRACE_CLOCK_SYSTEM_TIME)
		return -EINVAL;
	if (arg->buffer_size && (arg->buffer_size < EVNTRACE_MIN_BUFFER_SIZE ||
				 arg->buffer_size > EVNTRACE_MAX_BUFFER_SIZE))
		return -EINVAL;
	if (arg->min_buffers > EVNTRACE_MAX_BUFFERS ||
	    arg->max_buffers > EVNTRACE_MAX_BUFFERS)
		return -EINVAL;
	return 0;
}

/* Turn ids of the first namespaces into those that the caller knows */
static void translate_ids(struct evntrace_session *arg)
{
	const kuid_t uid = make_kuid(&init_user_ns, arg->owner_uid);

	arg->owner_uid = from_kuid_munged(current_user_ns(), uid);
	/* The writer is a thread of the kernel, which other namespaces do not have */
	if (task_active_pid_ns(current) != &init_pid_ns)
		arg->writer_tid = 0;
}

/**
 * evnt_query_begin() - tell what nothing changes, and whose it is
 * @arg: filled in, but for what the caller has given
 * @info: what nothing changes, with ids of the first namespaces
 * @owner: the process that started it: until it has been waited for, it counts as
 *	alive
 */
void evnt_query_begin(struct evntrace_session *arg,
		      const struct evntrace_session *info, struct pid *owner)
{
	const struct evntrace_session in = *arg;

	*arg = *info;
	arg->size = in.size;
	arg->handle = in.handle;
	arg->name = in.name;
	arg->log_name = in.log_name;
	arg->name_len = in.name_len;
	arg->log_name_len = in.log_name_len;
	arg->filters = in.filters;
	arg->filter_count = in.filter_count;
	arg->owner_pid = pid_vnr(owner);
	translate_ids(arg);
	rcu_read_lock();
	if (pid_task(owner, PIDTYPE_TGID))
		arg->flags |= EVNTRACE_SESSION_OWNED;
	rcu_read_unlock();
}

/**
 * evnt_query_names() - tell both names, as far as the caller has room
 * @arg: where they go
 * @name: of the session
 * @log_name: of its log
 *
 * Return: 0, or -EFAULT when a name cannot be copied to its place.
 */
int evnt_query_names(struct evntrace_session *arg, const struct evnt_name *name,
		     const struct evnt_name *log_name)
{
	int err = evnt_name_to_user(name, arg->name, &arg->name_len);

	return err ? err : evnt_name_to_user(log_name, arg->log_name,
					     &arg->log_name_len);
}
