/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What all rooms of the module share: its lock, its counters, its errors.
 */
#ifndef EVNT_MODULE_H
#define EVNT_MODULE_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/cred.h>
#include <linux/mutex.h>
#include <linux/types.h>

#include <linux/evntprov.h>

/*
 * Guards who is registered, which sessions exist, and who has enabled whom.
 * The write path never takes it.
 *
 * Lock order: evnt_lock, then a file's notify_lock, or the kernel's locks for
 * switching branches.  No page fault happens under either.
 *
 * Everyone who registers, enables or lists waits for it, so its holder must not
 * wait for another process or a file system: it copies nothing from or to user
 * memory, reads and writes no file, drops no other process's memory, and waits
 * for no grace period and no work.  It may allocate memory, but none that a memory
 * cgroup is charged for, as one at its limit keeps an allocation waiting.  What is
 * allocated under it is small, and belongs to a registration that its owner's
 * cgroup is charged for, or to an enablement of a controller.
 *
 * A system call takes it with mutex_lock_killable(): only what has to be done
 * also by a caller that is killed takes it with mutex_lock().  scripts/locks
 * checks all this, and lists the exceptions.
 */
extern struct mutex evnt_lock;

/* What the module holds; for EVNTRACE_IOC_STATUS */
struct evnt_counts {
	atomic64_t files;
	atomic64_t registrations;
	atomic64_t providers;
	atomic64_t enablements;
	atomic64_t sessions;
	atomic64_t buffers;
	atomic64_t buffer_bytes;
};

extern struct evnt_counts evnt_counts;

/* The caller's credentials, with a reference */
static inline const struct cred *evnt_current_cred(void)
{
	/* Whoever takes a reference writes the same zero into them */
	return data_race(get_current_cred());
}

struct file;

/**
 * struct evnt_ioctl - one ioctl of a door
 * @nr: its number
 * @min_size: size of its argument in the first version of the ABI
 * @size: size of its argument
 * @handle: does it; @arg is a copy that the caller's memory cannot change
 * @answers: the first min(@size, the caller's size) bytes of @arg go back to
 *	him when @handle returns 0
 * @undo: takes back what @handle did, when they cannot; or NULL
 */
struct evnt_ioctl {
	u32 nr;
	u32 min_size;
	u32 size;
	long (*handle)(struct file *file, void *arg);
	bool answers;
	void (*undo)(struct file *file, void *arg);
};

#define EVNT_MAX_ARG	256

#define EVNT_IOCTL(cmd, type, last, fn, ...)				\
	{ .nr = (cmd), .min_size = offsetofend(type, last),		\
	  .size = sizeof(type) + BUILD_BUG_ON_ZERO(sizeof(type) > EVNT_MAX_ARG), \
	  .handle = (fn), __VA_ARGS__ }

long evnt_copy_argument(void *arg, u32 min_size, u32 size,
			const void __user *ptr);
long evnt_do_ioctl(struct file *file, const struct evnt_ioctl *table,
		   size_t count, u32 cmd, unsigned long arg);
long evnt_ioc_version(struct file *file, void *arg);

int evnt_prov_dev_init(void);
void evnt_prov_dev_start(void);
void evnt_prov_dev_exit(void);
int evnt_trace_dev_init(void);
void evnt_trace_dev_exit(void);

#endif /* EVNT_MODULE_H */
