// SPDX-License-Identifier: GPL-2.0
/*
 * Activity ids that tasks set in the kernel, for their events that specify
 * none.
 *
 * Tasks are looked up in a table, as struct task_struct has no room for an id.
 * A task is identified by its struct pid, which is not reused while the table
 * references it.  Entries of tasks that have exited are removed when another
 * task of the same bucket sets its activity.
 */
#include <linux/atomic.h>
#include <linux/hashtable.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/preempt.h>
#include <linux/random.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "module/compat/compat.h"
#include "module/kernel/kernel_provider.h"

#define BUCKET_BITS	6

/**
 * struct activity_slot - activity of a task; immutable, replaced to change it
 * @node: in its bucket; written under activities_lock, read under RCU
 * @rcu: defers freeing until no reader can hold a reference
 * @task: the task
 * @id: activity id
 */
struct activity_slot {
	struct hlist_node node;
	struct rcu_head rcu;
	struct pid *task;
	struct evntprov_guid id;
};

static DEFINE_HASHTABLE(activities, BUCKET_BITS);
static DEFINE_SPINLOCK(activities_lock);
/* Number of entries; usually zero.  Written under activities_lock. */
u32 evnt_kernel_activity_count;

static const struct evntprov_guid no_activity;

/* Created ids consist of the seed and a unique number */
static struct evntprov_guid seed;
static atomic64_t created = ATOMIC64_INIT(0);

/* Exclude idle tasks, which share a pid and may run without RCU watching */
static bool in_own_task(void)
{
	return in_task() && !is_idle_task(current);
}

/* Return the current task's activity id, or zero, as in interrupt context */
struct evntprov_guid evnt_kernel_activity_look_up(void)
{
	const struct pid *task = task_pid(current);
	struct evntprov_guid id = no_activity;
	const struct activity_slot *a;

	if (!in_own_task())
		return id;
	rcu_read_lock_sched();
	hash_for_each_possible_rcu(activities, a, node, (uintptr_t)task,
				   rcu_read_lock_sched_held()) {
		if (a->task == task)
			id = a->id;
	}
	rcu_read_unlock_sched();
	return id;
}

static void free_activity(struct rcu_head *rcu)
{
	struct activity_slot *a = container_of(rcu, struct activity_slot, rcu);

	put_pid(a->task);
	kfree(a);
}

static void remove(struct activity_slot *a)
{
	hash_del_rcu(&a->node);
	WRITE_ONCE(evnt_kernel_activity_count, evnt_kernel_activity_count - 1);
	call_rcu(&a->rcu, free_activity);
}

/*
 * Remove the entry of @task, and entries of exited tasks in its bucket; under
 * activities_lock
 */
static void sweep(const struct pid *task)
{
	struct hlist_node *next;
	struct activity_slot *a;

	rcu_read_lock();
	hash_for_each_possible_safe(activities, a, next, node, (uintptr_t)task) {
		if (a->task == task || !pid_task(a->task, PIDTYPE_PID))
			remove(a);
	}
	rcu_read_unlock();
}

/* Replace the current task's entry, or remove it if @id is zero */
static int set_activity(const struct evntprov_guid *id)
{
	struct activity_slot *fresh = NULL;
	unsigned long flags;

	if (memcmp(id, &no_activity, sizeof(*id))) {
		fresh = kmalloc(sizeof(*fresh), GFP_ATOMIC);
		if (!fresh)
			return -ENOMEM;
		fresh->task = get_pid(task_pid(current));
		fresh->id = *id;
	}
	spin_lock_irqsave(&activities_lock, flags);
	sweep(task_pid(current));
	if (fresh) {
		hash_add_rcu(activities, &fresh->node, (uintptr_t)fresh->task);
		WRITE_ONCE(evnt_kernel_activity_count,
			   evnt_kernel_activity_count + 1);
	}
	spin_unlock_irqrestore(&activities_lock, flags);
	return 0;
}

/* Create an id in the format of a version 4 GUID */
static struct evntprov_guid create_id(void)
{
	const u64 number = atomic64_inc_return(&created);
	struct evntprov_guid id = seed;

	put_unaligned_be64(get_unaligned_be64(id.b + 8) ^ number, id.b + 8);
	id.b[7] = (id.b[7] & 0x0f) | 0x40;
	id.b[8] = (id.b[8] & 0x3f) | 0x80;
	return id;
}

/*
 * Check that allocating memory and taking the lock are allowed.  On PREEMPT_RT,
 * both may sleep, whatever the allocation flags are.
 */
static bool may_set(void)
{
	return !IS_ENABLED(CONFIG_PREEMPT_RT) || preemptible();
}

static int control_task(u32 control, struct evntprov_guid *activity)
{
	const struct evntprov_guid old = evnt_kernel_activity();
	const bool is_change = control != ETW_ACTIVITY_GET_ID;
	struct evntprov_guid id = *activity;
	int err = 0;

	if (!in_own_task() || (is_change && !may_set()))
		return -EPERM;
	if (control == ETW_ACTIVITY_CREATE_SET_ID)
		id = create_id();
	if (is_change)
		err = set_activity(&id);
	if (!err && control != ETW_ACTIVITY_SET_ID)
		*activity = old;
	return err;
}

/**
 * EtwActivityIdControl() - get, set or create the current task's activity id
 * @control: ETW_ACTIVITY_*
 * @activity: activity id; in, out or both, depending on @control
 *
 * Events that the task writes in the kernel, outside of interrupts, belong to
 * this activity unless they specify another one.  Zero means no activity, and
 * should be set before the task exits.  The activity that the process has set
 * in user space with EventActivityIdControl() is a different one.
 *
 * Context: Any for ETW_ACTIVITY_CREATE_ID, and process context for
 * ETW_ACTIVITY_GET_ID.  The others require process context in which
 * kmalloc(GFP_ATOMIC) is allowed: a spinlock may be held, but on PREEMPT_RT
 * neither preemption nor interrupts may be disabled.
 *
 * https://learn.microsoft.com/windows-hardware/drivers/ddi/wdm/nf-wdm-etwactivityidcontrol
 *
 * Return: 0; -EINVAL if @control is unknown or @activity is NULL; -EPERM if the
 * context does not permit @control; -ENOMEM, with nothing changed.
 */
int EtwActivityIdControl(u32 control, struct evntprov_guid *activity)
{
	if (!activity || control < ETW_ACTIVITY_GET_ID ||
	    control > ETW_ACTIVITY_CREATE_SET_ID)
		return -EINVAL;
	if (control != ETW_ACTIVITY_CREATE_ID)
		return control_task(control, activity);
	*activity = create_id();
	return 0;
}
EXPORT_SYMBOL_GPL(EtwActivityIdControl);

void evnt_kernel_activity_init(void)
{
	get_random_bytes(&seed, sizeof(seed));
}

/* Remove all entries on module exit, when no caller is left */
void evnt_kernel_activity_exit(void)
{
	struct hlist_node *next;
	struct activity_slot *a;
	int bucket;

	spin_lock_irq(&activities_lock);
	hash_for_each_safe(activities, bucket, next, a, node)
		remove(a);
	spin_unlock_irq(&activities_lock);
}
