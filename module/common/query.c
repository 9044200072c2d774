// SPDX-License-Identifier: GPL-2.0
/*
 * Property checks and queries common to sessions and private sessions.
 */
#include <linux/bitops.h>
#include <linux/cred.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/uidgid.h>

#include <linux/evntrace.h>

#include "module/common/query.h"

/**
 * evnt_start_check() - check the properties of a new session
 * @arg: argument of EVNTRACE_IOC_START, with modes that its kind supports
 *
 * Return: 0 or -EINVAL.
 */
int evnt_start_check(const struct evntrace_start *arg)
{
	const u32 sequence = EVNTRACE_MODE_GLOBAL_SEQUENCE |
			     EVNTRACE_MODE_LOCAL_SEQUENCE;
	const u32 ways = EVNTRACE_MODE_SEQUENTIAL | EVNTRACE_MODE_CIRCULAR |
			 EVNTRACE_MODE_NEWFILE;
	const u32 limited = EVNTRACE_MODE_CIRCULAR | EVNTRACE_MODE_NEWFILE |
			    EVNTRACE_MODE_PREALLOCATE;
	const u32 mode = arg->log_file_mode;

	if (hweight32(mode & ways) > 1 || (mode & sequence) == sequence ||
	    (mode & limited && !arg->max_file_size))
		return -EINVAL;
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

/**
 * evnt_query_begin() - fill in a session's constant properties and its owner
 * @arg: filled in, except for fields that are input of the query
 * @info: constant properties, with ids of the initial namespaces
 * @owner: process that started the session; counts as alive until it is reaped
 */
void evnt_query_begin(struct evntrace_session *arg,
		      const struct evntrace_session *info, struct pid *owner)
{
	const kuid_t uid = make_kuid(&init_user_ns, info->owner_uid);
	const struct evntrace_session in = *arg;

	*arg = *info;
	arg->size = in.size;
	arg->control = in.control;
	arg->name = in.name;
	arg->log_name = in.log_name;
	arg->name_len = in.name_len;
	arg->log_name_len = in.log_name_len;
	arg->owner_pid = pid_vnr(owner);
	/* Translate ids from the initial namespaces into the caller's */
	arg->owner_uid = from_kuid_munged(current_user_ns(), uid);
	/* Kernel threads do not exist in other pid namespaces */
	if (task_active_pid_ns(current) != &init_pid_ns)
		arg->writer_tid = 0;
	rcu_read_lock();
	if (pid_task(owner, PIDTYPE_TGID))
		arg->state |= EVNTRACE_SESSION_OWNED;
	rcu_read_unlock();
}

/**
 * evnt_query_names() - copy out both names, as far as the caller has room
 * @arg: ioctl argument with the destinations
 * @name: name of the session
 * @log_name: name of its log file
 *
 * Return: 0, or -EFAULT if a name cannot be copied out.
 */
int evnt_query_names(struct evntrace_session *arg, const struct evnt_name *name,
		     const struct evnt_name *log_name)
{
	int err = evnt_name_to_user(name, arg->name, &arg->name_len);

	return err ? err : evnt_name_to_user(log_name, arg->log_name,
					     &arg->log_name_len);
}
