/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Definitions shared by all files of the module: the global lock and the
 * counters of objects, which debugfs shows.
 */
#ifndef EVNT_MODULE_H
#define EVNT_MODULE_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/types.h>

#include <linux/evntrace.h>

/*
 * Guards registrations, the table of sessions, and enablements.  The write path
 * never takes it.
 *
 * Lock order: evnt_lock, then the kernel's locks for switching static branches.
 * No page fault may occur under them.
 *
 * Every caller that registers, enables or lists contends for this lock, so its
 * holder must not wait for another process or a file system.  The holder copies
 * nothing from or to user memory, reads and writes no file, drops no other
 * process's memory, and waits for no grace period and no work item.  It may
 * allocate memory, but not memory charged to a memory cgroup, since an
 * allocation blocks while the cgroup is at its limit.  Allocations under the
 * lock are small, and belong either to a registration whose other memory is
 * charged to its owner's cgroup, or to a controller's enablement.
 *
 * System calls take it with mutex_lock_killable().  Plain mutex_lock() is
 * reserved for work that must be done even if the caller is killed.
 * scripts/locks checks these rules, and lists the exceptions.
 */
extern struct mutex evnt_lock;

/* Number of objects that exist at the moment, and bytes of buffers */
struct evnt_counts {
	atomic64_t files;
	atomic64_t registrations;
	atomic64_t providers;
	atomic64_t enablements;
	atomic64_t sessions;
	atomic64_t buffers;
	atomic64_t buffer_bytes;
	atomic64_t rings;
};

extern struct evnt_counts evnt_counts;

/* Parameter rings */
extern bool evnt_rings;
extern bool evnt_rings_counter;

/*
 * Number of rings, each of which has a lane in each session, constant while the
 * module is loaded: evnt_rings_init() sets it.  More rings than processors are of
 * little use, as a thread that is not hot needs none.
 */
extern u32 evnt_lanes;

void evnt_counts_init(void);
void evnt_counts_exit(void);

/* Return the caller's credentials, with a reference */
static inline const struct cred *evnt_current_cred(void)
{
	/* Every get_cred() writes the same zero to non_rcu: a benign race */
	return data_race(get_current_cred());
}

#endif /* EVNT_MODULE_H */
