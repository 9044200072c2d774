// SPDX-License-Identifier: GPL-2.0
/*
 * Ioctl dispatch shared by both devices, and copies of arguments whose size
 * differs between the caller and the module.
 */
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include <linux/evntrace.h>

#include "module/common/ioctl.h"

long evnt_ioc_version(struct file *file, void *data)
{
	struct evntprov_version *arg = data;

	if (arg->flags || arg->reserved)
		return -EINVAL;
	arg->max_sessions = EVNTRACE_MAX_SESSIONS;
	arg->features = 0;
	return 0;
}

/**
 * evnt_copy_argument() - copy an ioctl argument from user memory
 * @arg: destination; its first field is set to the size that the caller passed
 * @min_size: size of the structure in the first version of the ABI
 * @size: current size of the structure
 * @ptr: user address of the argument
 *
 * Return: 0; -EFAULT; -EINVAL if the argument is smaller than @min_size; or
 * -E2BIG if its tail is not zero or it is larger than a page.
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
	/* copy_struct_from_user() scans the tail without a pause */
	if (given > PAGE_SIZE)
		return -E2BIG;
	err = copy_struct_from_user(arg, size, ptr, given);
	/* User space may have changed the size since it was checked */
	*(u32 *)arg = given;
	return err;
}

/* Copy the argument in, call the handler and copy the result out */
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
	/* Report the size that the caller passed in, not the kernel's */
	*(u32 *)arg = size;
	/* The caller's structure may have no room for newer members */
	if (!copy_to_user(ptr, arg, min(size, ioc->size)))
		return ioc->finish ? ioc->finish(file, arg) : 0;
	if (ioc->undo)
		ioc->undo(file, arg);
	return -EFAULT;
}

/**
 * evnt_do_ioctl() - dispatch an ioctl through a device's table
 * @file: open file of the device
 * @table: ioctls of the device
 * @count: number of entries in @table
 * @cmd: ioctl number
 * @arg: user address of the argument
 *
 * Return: the handler's return value, or -ENOTTY for an unknown @cmd.
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

/**
 * evnt_copy_elements() - copy out an array, adapting the element size
 * @to: user address of the array
 * @to_size: size of an element there; longer elements are truncated, shorter
 *	ones are padded with zeroes
 * @from: the array
 * @size: size of an element of @from
 * @count: number of elements
 *
 * Return: 0 or -EFAULT.
 */
int evnt_copy_elements(void __user *to, u32 to_size, const void *from, u32 size,
		       u32 count)
{
	u32 both = min(to_size, size);

	if (to_size == size)
		return copy_to_user(to, from, (size_t)count * size) ?
		       -EFAULT : 0;
	for (; count; count--, to += to_size, from += size) {
		if (copy_to_user(to, from, both) ||
		    clear_user(to + both, to_size - both))
			return -EFAULT;
		cond_resched();
	}
	return 0;
}
