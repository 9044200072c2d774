// SPDX-License-Identifier: GPL-2.0
/*
 * Names, property checks and queries common to sessions and private sessions.
 */
#include <linux/bitops.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/uidgid.h>

#include "module/common/session_info.h"

/**
 * evnt_name_from_user() - copy a name from user memory
 * @text: user address
 * @len: length in UTF-16 units
 *
 * Return: the name, to be released with evnt_name_put(), or an ERR_PTR():
 * -EINVAL if it is longer than EVNTRACE_MAX_NAME, -EFAULT or -ENOMEM.
 */
struct evnt_name *evnt_name_from_user(u64 text, u32 len)
{
	struct evnt_name *name;

	if (len > EVNTRACE_MAX_NAME)
		return ERR_PTR(-EINVAL);
	name = kmalloc(struct_size(name, text, len), GFP_KERNEL_ACCOUNT);
	if (!name)
		return ERR_PTR(-ENOMEM);
	refcount_set(&name->refs, 1);
	name->len = len;
	if (!copy_from_user(name->text, u64_to_user_ptr(text),
			    len * sizeof(u16)))
		return name;
	kfree(name);
	return ERR_PTR(-EFAULT);
}

/* Copy out as much of a name as fits, and set *@len to its full length */
static int name_to_user(const struct evnt_name *name, u64 text, u32 *len)
{
	u32 n = min(name->len, *len);

	*len = name->len;
	if (text && copy_to_user(u64_to_user_ptr(text), name->text,
				 n * sizeof(u16)))
		return -EFAULT;
	return 0;
}

static u16 fold(u16 c)
{
	return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
}

/* Return whether two names are equal, ignoring the case of ASCII letters */
bool evnt_name_is_same(const struct evnt_name *a, const struct evnt_name *b)
{
	u32 i;

	if (a->len != b->len)
		return false;
	for (i = 0; i < a->len; i++) {
		if (fold(a->text[i]) != fold(b->text[i]))
			return false;
	}
	return true;
}

/* Drop a reference; @name may also be NULL or an ERR_PTR() */
void evnt_name_put(struct evnt_name *name)
{
	if (!IS_ERR_OR_NULL(name) && refcount_dec_and_test(&name->refs))
		kfree(name);
}

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
	int err = name_to_user(name, arg->name, &arg->name_len);

	return err ?: name_to_user(log_name, arg->log_name, &arg->log_name_len);
}
