/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ioctl dispatch shared by both devices, and copies of arguments whose size
 * differs between the caller and the module.
 */
#ifndef EVNT_IOCTL_H
#define EVNT_IOCTL_H

#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/stddef.h>
#include <linux/types.h>

#include <linux/evntprov.h>

struct file;

/**
 * struct evnt_ioctl - one ioctl of a device
 * @nr: ioctl number
 * @min_size: size of the argument in the first version of the ABI
 * @size: size of the argument
 * @handle: handler; @arg is a kernel copy that user space cannot change
 * @answers: copy the first min(@size, the caller's size) bytes of @arg back if
 *	@handle returns 0
 * @undo: revert @handle if its result cannot be copied out; or NULL
 * @finish: last step, after the result was copied out; or NULL
 */
struct evnt_ioctl {
	u32 nr;
	u32 min_size;
	u32 size;
	long (*handle)(struct file *file, void *arg);
	bool answers;
	void (*undo)(struct file *file, void *arg);
	long (*finish)(struct file *file, void *arg);
};

#define EVNT_MAX_ARG	256

#define EVNT_IOCTL(cmd, type, last, fn, ...)				\
	{ .nr = (cmd), .min_size = offsetofend(type, last),		\
	  .size = sizeof(type) + BUILD_BUG_ON_ZERO(sizeof(type) > EVNT_MAX_ARG), \
	  .handle = (fn), __VA_ARGS__ }

/* Limit on the element size, in bytes, of this and all future versions */
#define EVNT_MAX_ELEMENT	4096u

long evnt_copy_argument(void *arg, u32 min_size, u32 size,
			const void __user *ptr);
long evnt_do_ioctl(struct file *file, const struct evnt_ioctl *table,
		   size_t count, u32 cmd, unsigned long arg);
long evnt_ioc_version(struct file *file, void *arg);
int evnt_copy_elements(void __user *to, u32 to_size, const void *from, u32 size,
		       u32 count);

#endif /* EVNT_IOCTL_H */
