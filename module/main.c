// SPDX-License-Identifier: GPL-2.0
/*
 * evntprov: Event Tracing for Windows' programming model.
 *
 * Loading and unloading, and what both doors share.
 */
#include <linux/build_bug.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/uaccess.h>

#include "access.h"
#include "autologger.h"
#include "judge.h"
#include "kernel.h"
#include "manifests.h"
#include "quota.h"

/* What it guards: module.h */
DEFINE_MUTEX(evnt_lock);

struct evnt_counts evnt_counts;

long evnt_ioc_version(struct file *file, void *data)
{
	struct evntprov_version *arg = data;

	if (arg->flags)
		return -EINVAL;
	arg->abi_version = EVNTPROV_ABI_VERSION;
	arg->max_sessions = EVNTRACE_MAX_SESSIONS;
	arg->features = 0;
	return 0;
}

/* Copy out what the caller knows of the argument */
static long ioctl_answer(struct file *file, const struct evnt_ioctl *ioc,
			 void __user *ptr, void *arg, u32 size)
{
	/* The size stays the caller's */
	*(u32 *)arg = size;
	if (!copy_to_user(ptr, arg, min(size, ioc->size)))
		return 0;
	if (ioc->undo)
		ioc->undo(file, arg);
	return -EFAULT;
}

/**
 * evnt_copy_argument() - copy an ioctl's argument in
 * @arg: where to; its first field will be the size that the caller gave
 * @min_size: of the argument in the first version of the ABI
 * @size: of the argument now
 * @ptr: where it is
 *
 * Return: 0, or what the rules for every ioctl say.
 */
long evnt_copy_argument(void *arg, u32 min_size, u32 size,
			const void __user *ptr)
{
	u32 given;
	long err;

	if (get_user(given, (const u32 __user *)ptr))
		return -EFAULT;
	if (given < min_size)
		return -EINVAL;
	/* Its end is looked through without a pause */
	if (given > PAGE_SIZE)
		return -E2BIG;
	err = copy_struct_from_user(arg, size, ptr, given);
	/* Even if he has changed it meanwhile */
	*(u32 *)arg = given;
	return err;
}

/* Copy the argument in, do the ioctl, answer */
static long ioctl_call(struct file *file, const struct evnt_ioctl *ioc,
		       void __user *ptr)
{
	u64 arg[EVNT_MAX_ARG / sizeof(u64)];
	u32 size;
	long ret;

	ret = evnt_copy_argument(arg, ioc->min_size, ioc->size, ptr);
	if (ret)
		return ret;
	size = *(u32 *)arg;
	ret = ioc->handle(file, arg);
	if (ret || !ioc->answers)
		return ret;
	return ioctl_answer(file, ioc, ptr, arg, size);
}

/**
 * evnt_do_ioctl() - look an ioctl up and do it
 * @file: the file that it came through
 * @table: the door's ioctls
 * @count: how many
 * @cmd: which
 * @arg: address of its argument
 *
 * Return: what it returned, or -ENOTTY.
 */
long evnt_do_ioctl(struct file *file, const struct evnt_ioctl *table,
		   size_t count, u32 cmd, unsigned long arg)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (table[i].nr == cmd)
			return ioctl_call(file, &table[i], (void __user *)arg);
	}
	return -ENOTTY;
}

static int __init evnt_init(void)
{
	int err;

	evnt_limits_init();
	err = evnt_judge_init();
	if (err)
		return err;
	err = evnt_manifests_init();
	if (err)
		goto exit_judge;
	err = evnt_kernel_init();
	if (err)
		goto exit_manifests;
	err = evnt_prov_dev_init();
	if (err)
		goto exit_kernel;
	err = evnt_trace_dev_init();
	if (err)
		goto exit_prov_dev;
	/* Nothing can fail any more: whoever has come in by now may stay */
	evnt_autologger_run();
	evnt_prov_dev_start();
	return 0;

exit_prov_dev:
	evnt_prov_dev_exit();
exit_kernel:
	evnt_kernel_exit();
exit_manifests:
	evnt_manifests_exit();
exit_judge:
	evnt_judge_exit();
	return err;
}

static void __exit evnt_exit(void)
{
	evnt_trace_dev_exit();
	evnt_prov_dev_exit();
	evnt_kernel_exit();
	evnt_manifests_exit();
	evnt_access_exit();
	rcu_barrier();	/* what call_rcu() was asked to free */
	evnt_judge_exit();
}

module_init(evnt_init);
module_exit(evnt_exit);

MODULE_DESCRIPTION("Event Tracing for Windows' programming model");
MODULE_AUTHOR("The evntprov developers");
MODULE_VERSION("0.1.0");
MODULE_LICENSE("GPL");
