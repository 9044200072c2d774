// SPDX-License-Identifier: GPL-2.0
/*
 * Sessions that record events of the kernel itself; see system_write.h for the
 * path of the events.
 *
 * Without sessions no probe is attached, and nothing costs anything.
 */
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>

#include "module/common/acl.h"
#include "module/system/system_write.h"

struct evnt_system_slot evnt_system_slots[EVNTRACE_MAX_SYSTEM];
/* End of the slots that have been in use; probes visit at least one */
struct evnt_system_slot *evnt_system_end = evnt_system_slots + 1;
/* Events of which a session wants the call stacks */
u32 evnt_system_stacks;
/*
 * Guards the slots and the probes.  Taken before evnt_lock, and before the
 * kernel's locks that attach probes.
 */
static DEFINE_MUTEX(evnt_system_lock);

/* Returns 0 or -ENOMEM */
int __init evnt_system_init(void)
{
	const int err = evnt_system_stack_init() ?: evnt_probes_init();

	evnt_base_priorities_init();
	if (err)
		evnt_system_exit();
	return err;
}

/* No session exists, so no probe is attached; also after a failed init */
void evnt_system_exit(void)
{
	evnt_probes_exit();
	evnt_system_stack_exit();
}

/* Find the slot of @s, or a free one if @s is NULL; or return NULL */
static struct evnt_system_slot *find_slot(const struct evnt_session *s)
{
	u32 i;

	lockdep_assert_held(&evnt_system_lock);
	for (i = 0; i < EVNTRACE_MAX_SYSTEM; i++) {
		if (evnt_system_slots[i].session == s)
			return &evnt_system_slots[i];
	}
	return NULL;
}

/* Note which events need a look at the sessions that want their stacks */
static void note_stacks(void)
{
	const struct evnt_system_slot *slot;
	u32 stacks = 0;

	lockdep_assert_held(&evnt_system_lock);
	for (slot = evnt_system_slots; slot < evnt_system_end; slot++) {
		if (slot->flags)
			stacks |= READ_ONCE(slot->session->stack_flags);
	}
	WRITE_ONCE(evnt_system_stacks, stacks);
}

/* Set the flags of a slot, and attach the probes that all slots need */
static void set_slot(struct evnt_system_slot *slot, u32 flags)
{
	const struct evnt_system_slot *other;
	u32 all = 0;

	/* Release: a probe that sees the flags also sees the session */
	smp_store_release(&slot->flags, flags);
	if (slot >= evnt_system_end)
		WRITE_ONCE(evnt_system_end, slot + 1);
	for (other = evnt_system_slots; other < evnt_system_end; other++)
		all |= other->flags;
	note_stacks();
	evnt_probes_update(all);
}

/*
 * Change a setting of a session, unless it stops: evnt_system_stop() comes later
 * then.  @guard: keep readers without CAP_PERFMON out.
 */
static int change(struct evnt_session *s, u32 *setting, u32 value, bool guard)
{
	int err = 0;

	if (mutex_lock_killable(&evnt_lock))
		return -EINTR;
	if (!evnt_session_runs(s))
		err = -ESRCH;
	else if (guard && !evnt_session_guard(s))
		err = -EACCES;
	else
		WRITE_ONCE(*setting, value);
	mutex_unlock(&evnt_lock);
	return err;
}

/* Have a session record events from now on; @before: out: the flags that it had */
static int add(struct evnt_session *s, u32 set, u32 *before)
{
	struct evnt_system_slot *slot = find_slot(s);
	int err;

	if (!slot)
		slot = find_slot(NULL);
	if (!slot)
		return -EUSERS;
	err = change(s, &s->enable_flags, set, false);
	if (err)
		return err;
	*before = slot->flags;
	/* Probes read the session of a slot with flags */
	if (!slot->session)
		slot->session = s;
	set_slot(slot, set);
	return 0;
}

/* Get the only element of a list */
static int get_number(const struct evntrace_list *arg, u32 *number)
{
	if (arg->count != 1 || arg->period_s)
		return -EINVAL;
	if (copy_from_user(number, u64_to_user_ptr(arg->elements),
			   sizeof(*number)))
		return -EFAULT;
	return 0;
}

/* Get the flags of a request to change a session */
static int get_flags(const struct evnt_session *s,
		     const struct evntrace_list *arg, u32 *flags)
{
	if (!(evnt_session_mode(s) & EVNTRACE_MODE_SYSTEM_LOGGER))
		return -EOPNOTSUPP;
	if (!evnt_may_trace_system())
		return -EACCES;
	return get_number(arg, flags);
}

/**
 * evnt_system_set_flags() - EVNTRACE_IOC_SET of EVNTRACE_LIST_SYSTEM_FLAGS
 * @s: session
 * @arg: argument of the ioctl
 *
 * Probes are attached first, and existing processes recorded then: the session
 * misses none, but may get some twice.
 *
 * Return: 0 or an errno documented for EVNTRACE_IOC_SET.
 */
int evnt_system_set_flags(struct evnt_session *s,
			  const struct evntrace_list *arg)
{
	u32 flags, before = 0;
	int err = get_flags(s, arg, &flags);

	if (err)
		return err;
	if (mutex_lock_killable(&evnt_system_lock))
		return -EINTR;
	err = add(s, flags, &before);
	mutex_unlock(&evnt_system_lock);
	if (!err)
		evnt_system_rundown(s, NULL, flags & ~before, false);
	return err;
}

/**
 * evnt_system_set_stacks() - EVNTRACE_IOC_SET of EVNTRACE_LIST_SYSTEM_STACKS
 * @s: session
 * @arg: argument of the ioctl
 *
 * Call stacks show all processes, so they keep readers without CAP_PERFMON out.
 *
 * Return: 0 or an errno documented for EVNTRACE_IOC_SET.
 */
int evnt_system_set_stacks(struct evnt_session *s,
			   const struct evntrace_list *arg)
{
	u32 flags;
	int err = get_flags(s, arg, &flags);

	if (err)
		return err;
	if (flags && !perfmon_capable())
		return -EACCES;
	if (mutex_lock_killable(&evnt_system_lock))
		return -EINTR;
	err = change(s, &s->stack_flags, flags, flags);
	if (!err)
		note_stacks();
	mutex_unlock(&evnt_system_lock);
	return err;
}

/**
 * evnt_system_set_interval() - EVNTRACE_IOC_SET of EVNTRACE_LIST_PROFILE_INTERVAL
 * @arg: argument of the ioctl
 *
 * All sessions have the same interval.
 *
 * Return: 0 or an errno documented for EVNTRACE_IOC_SET.
 */
int evnt_system_set_interval(const struct evntrace_list *arg)
{
	u32 interval;
	int err = get_number(arg, &interval);

	if (err)
		return err;
	if (interval < EVNTRACE_MIN_PROFILE_INTERVAL ||
	    interval > EVNTRACE_MAX_PROFILE_INTERVAL)
		return -EINVAL;
	if (!perfmon_capable())
		return -EACCES;
	if (mutex_lock_killable(&evnt_system_lock))
		return -EINTR;
	evnt_profile_set_interval(interval);
	mutex_unlock(&evnt_system_lock);
	return 0;
}

/* The rundown at the end of a session */
struct last_rundown {
	struct work_struct work;
	struct evnt_session *session;
	u32 flags;
};

static void run_down(struct work_struct *work)
{
	struct last_rundown *d = container_of(work, struct last_rundown, work);

	evnt_system_rundown(d->session, NULL, d->flags, true);
}

/*
 * Record what exists when a session stops.  A process that exits closes its
 * descriptors when it has left its root directory, which paths begin at, so a
 * work item does it then.
 */
static void run_down_last(struct evnt_session *s, u32 flags)
{
	struct last_rundown d = { .session = s, .flags = flags };

	if (current->fs) {
		evnt_system_rundown(s, NULL, flags, true);
		return;
	}
	INIT_WORK_ONSTACK(&d.work, run_down);
	queue_work(system_unbound_wq, &d.work);
	flush_work(&d.work);
	destroy_work_on_stack(&d.work);
}

/**
 * evnt_system_stop() - end the events of the kernel in a session
 * @s: session, which has begun to stop
 * @is_run_down: record what exists; false if the caller is the writer thread, which
 *	could not free a buffer during the rundown
 *
 * On return, no probe writes to it.
 */
void evnt_system_stop(struct evnt_session *s, bool is_run_down)
{
	struct evnt_system_slot *slot;
	u32 flags = 0;

	if (!(evnt_session_mode(s) & EVNTRACE_MODE_SYSTEM_LOGGER))
		return;
	mutex_lock(&evnt_system_lock);
	slot = find_slot(s);
	if (slot) {
		flags = slot->flags;
		set_slot(slot, 0);
		synchronize_rcu();	/* no probe uses the slot */
		evnt_system_stack_sync();
		slot->session = NULL;
	}
	mutex_unlock(&evnt_system_lock);
	if (is_run_down)
		run_down_last(s, flags);
}
