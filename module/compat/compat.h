/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All code that depends on the kernel version or on the processor.
 */
#ifndef EVNT_COMPAT_H
#define EVNT_COMPAT_H

#include <linux/anon_inodes.h>
#include <linux/cgroup.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/sched/coredump.h>
#include <linux/stacktrace.h>
#include <linux/timekeeping.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
#include <asm/unaligned.h>
#else
#include <linux/unaligned.h>
#endif

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
#include <linux/filelock.h>
#endif

#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 2, 0)
#include <linux/sched/exec_state.h>
#endif

#if defined(CONFIG_X86)
#include <asm/tsc.h>
#include <asm/unwind.h>
#elif defined(CONFIG_ARM64)
#include <asm/arch_timer.h>
#endif

/* Exclude a variable from automatic initialisation (CONFIG_INIT_STACK_ALL_*) */
#ifndef __uninitialized
#define __uninitialized	__attribute__((__uninitialized__))
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
static inline void vm_flags_mod(struct vm_area_struct *vma,
				unsigned long set, unsigned long clear)
{
	vma->vm_flags |= set;
	vma->vm_flags &= ~clear;
}
#endif

/* Return the frame pointer of an interrupted function, or 0 if unknown */
static inline unsigned long evnt_frame_pointer(const struct pt_regs *regs)
{
#if defined(CONFIG_X86)
	return regs->bp;
#elif defined(CONFIG_ARM64)
	return regs->regs[29];
#else
	return 0;
#endif
}

/* Check whether an address is in this module, which is none if it is built in */
static inline bool evnt_is_own_code(unsigned long address)
{
#ifdef MODULE
	return within_module(address, THIS_MODULE);
#else
	return false;
#endif
}

/*
 * Save the addresses of the frames of a task that does not run, where this is
 * possible; returns their number
 */
static inline u32 evnt_save_stack_of(struct task_struct *task,
				     unsigned long *to, u32 room)
{
#ifdef CONFIG_RETHOOK
	/*
	 * The kernel warns when it finds the return of a probed function in the
	 * stack of a task that can run
	 */
	if (!llist_empty(&task->rethooks))
		return 0;
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
	return stack_trace_save_tsk(task, to, room, 0);
#elif defined(CONFIG_X86)
	struct unwind_state state;
	u32 n = 0;

	for (unwind_start(&state, task, NULL, NULL);
	     n < room && !unwind_done(&state); unwind_next_frame(&state)) {
		to[n] = unwind_get_return_address(&state);
		if (!to[n])
			break;
		n++;
	}
	return n;
#else
	return 0;
#endif
}

/*
 * Check whether other processes of the same user may ptrace @task, which is
 * current or locked with task_lock().
 */
static inline bool evnt_is_dumpable(const struct task_struct *task)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 2, 0)
	return task->mm && get_dumpable(task->mm) == SUID_DUMP_USER;
#else
	const struct task_exec_state *state;
	bool dumpable;

	rcu_read_lock();
	state = rcu_dereference(task->exec_state);
	dumpable = state && READ_ONCE(state->dumpable) == TASK_DUMPABLE_OWNER;
	rcu_read_unlock();
	return dumpable;
#endif
}

/* Return the executable file of a process with a reference, or NULL */
static inline struct file *evnt_exe_file(struct mm_struct *mm)
{
	struct file *exe;

	rcu_read_lock();
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 7, 0)
	exe = rcu_dereference(mm->exe_file);
	if (exe && !get_file_rcu(exe))
		exe = NULL;
#else
	exe = get_file_rcu(&mm->exe_file);
#endif
	rcu_read_unlock();
	return exe;
}

/* Get the page at an address if it is in memory; the caller holds mm's lock */
static inline bool evnt_get_present_page(struct mm_struct *mm,
					 unsigned long at, struct page **page)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 5, 0)
	return get_user_pages_remote(mm, at, 1, FOLL_NOFAULT, page, NULL,
				     NULL) == 1;
#else
	return get_user_pages_remote(mm, at, 1, FOLL_NOFAULT, page, NULL) == 1;
#endif
}

/* Return the path of a mapped file as the process sees it, also on overlayfs */
static inline const struct path *evnt_user_path(const struct file *file)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 7, 0)
	return &file->f_path;
#else
	return file_user_path(file);
#endif
}

/*
 * Lock as flock(2) with LOCK_EX | LOCK_NB, until the file is closed; or -EAGAIN
 */
static inline int evnt_lock_file(struct file *file)
{
	struct file_lock *fl = locks_alloc_lock();
	int err;

	if (!fl)
		return -ENOMEM;
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 9, 0)
	fl->fl_file = file;
	fl->fl_owner = file;
	fl->fl_pid = current->tgid;
	fl->fl_flags = FL_FLOCK;
	fl->fl_type = F_WRLCK;
#else
	fl->c.flc_file = file;
	fl->c.flc_owner = file;
	fl->c.flc_pid = current->tgid;
	fl->c.flc_flags = FL_FLOCK;
	fl->c.flc_type = F_WRLCK;
#endif
	fl->fl_end = OFFSET_MAX;
	if (file->f_op->flock)
		err = file->f_op->flock(file, F_SETLK, fl);
	else
		err = locks_lock_file_wait(file, fl);
	locks_free_lock(fl);
	return err;
}

/* Return the id of a task's cgroup in the unified hierarchy, or 0 */
static inline u64 evnt_cgroup_id(struct task_struct *task)
{
	u64 id = 0;

#ifdef CONFIG_CGROUPS
	rcu_read_lock();
	id = cgroup_id(task_dfl_cgroup(task));
	rcu_read_unlock();
#endif
	return id;
}

/* Copy the path of a task's unified cgroup; returns false if it does not fit */
static inline bool evnt_cgroup_path(struct task_struct *task, char *path,
				    size_t len)
{
	int err = -1;

#ifdef CONFIG_CGROUPS
	rcu_read_lock();
	err = cgroup_path(task_dfl_cgroup(task), path, len);
	rcu_read_unlock();
#endif
	return err >= 0 && (size_t)err < len;
}

/* Return the processor speed in MHz, or 1 if unknown */
static inline u32 evnt_cpu_mhz(void)
{
#ifdef CONFIG_X86
	return max(tsc_khz / 1000, 1u);
#else
	return 1;
#endif
}

/*
 * Read the processor's counter, and return its frequency in kHz, or 0 if threads
 * may not read it.  On arm64, the kernel traps them where it works around an
 * erratum of the counter.
 */
static inline u64 evnt_counter(void)
{
#if defined(CONFIG_X86)
	return rdtsc_ordered();
#elif defined(CONFIG_ARM64)
	return __arch_counter_get_cntvct();
#else
	return 0;
#endif
}

static inline u32 evnt_counter_khz(void)
{
#if defined(CONFIG_X86)
	return tsc_khz;
#elif defined(CONFIG_ARM64)
	if (arch_timer_get_cntkctl() & ARCH_TIMER_USR_VCT_ACCESS_EN)
		return arch_timer_get_cntfrq() / 1000;
#endif
	return 0;
}

#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 2, 0)
static inline s64 evnt_real_to_boot(void)
{
	return ktime_mono_to_any(0, TK_OFFS_BOOT) -
	       ktime_mono_to_any(0, TK_OFFS_REAL);
}
#endif

/* Read the counter of the clock source, and CLOCK_BOOTTIME of the same moment */
static inline u64 evnt_read_clock_source(s64 *ns)
{
	struct system_time_snapshot s;
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 2, 0)
	s64 shift;

	do {
		shift = evnt_real_to_boot();
		ktime_get_snapshot(&s);
	} while (shift != evnt_real_to_boot());
	*ns = s.real + shift;
#else
	ktime_get_snapshot_id(CLOCK_BOOTTIME, &s);
	*ns = s.systime;
#endif
	return s.cycles;
}

/*
 * Read the processor's counter, and CLOCK_BOOTTIME of the same moment.  Returns
 * the counter's frequency in kHz, or 0 unless the kernel derives the clock from
 * it: only then is the value that the kernel has read between two of the counter.
 */
static inline u32 evnt_read_counter(s64 *count, s64 *ns)
{
	const u32 khz = evnt_counter_khz();
	u64 before;

	if (!khz)
		return 0;
	before = evnt_counter();
	*count = evnt_read_clock_source(ns);
	return *count - before <= evnt_counter() - before ? khz : 0;
}

/*
 * Create a descriptor with an inode of its own, which security modules see, and
 * install it.  Return it, or a negative errno.
 */
static inline int evnt_anon_inode_getfd(const char *name,
					const struct file_operations *fops,
					void *data, int flags)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 8, 0)
	return anon_inode_getfd_secure(name, fops, data, flags, NULL);
#else
	int fd = get_unused_fd_flags(flags);
	struct file *file;

	if (fd < 0)
		return fd;
	file = anon_inode_create_getfile(name, fops, data, flags, NULL);
	if (IS_ERR(file)) {
		put_unused_fd(fd);
		return PTR_ERR(file);
	}
	fd_install(fd, file);
	return fd;
#endif
}

#endif /* EVNT_COMPAT_H */
