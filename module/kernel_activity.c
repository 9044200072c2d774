// SPDX-License-Identifier: GPL-2.0
/*
 * The activity that a task is at in the kernel, as it says itself: what its events
 * belong to that name none.
 *
 * A task has no place for it, so there is a table.  A task is known by its struct
 * pid, which no later one has.  What is left behind by tasks that have gone is
 * removed when another one of the same bucket sets its own.
 */
#include <linux/atomic.h>
#include <linux/hash.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/preempt.h>
#include <linux/random.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "compat/compat.h"
#include "kernel.h"

#define BUCKET_BITS	6

/**
 * struct activity - that of one task; never changed, but replaced
 * @node: in its bucket; written under activities_lock, read under RCU
 * @rcu: frees it when nobody can look at it any more
 * @task: whose
 * @id: which
 */
struct activity {
	struct hlist_node node;
	struct rcu_head rcu;
	struct pid *task;
	struct evntprov_guid id;
};

static struct hlist_head activities[1 << BUCKET_BITS];
static DEFINE_SPINLOCK(activities_lock);
/* How many there are: most often none */
u32 evnt_kernel_activity_count;

static const struct evntprov_guid no_activity;

/* Ids that are created: this one, with a number in it that is another each time */
static struct evntprov_guid seed;
static atomic64_t created = ATOMIC64_INIT(0);

static struct hlist_head *bucket_of(const struct pid *task)
{
	return &activities[hash_ptr(task, BUCKET_BITS)];
}

/* That of the current task, or NULL; under RCU or the lock */
static struct activity *find(void)
{
	struct pid *task = task_pid(current);
	struct activity *a;

	hlist_for_each_entry_rcu(a, bucket_of(task), node,
				 lockdep_is_held(&activities_lock) ||
				 rcu_read_lock_sched_held()) {
		if (a->task == task)
			return a;
	}
	return NULL;
}

/* Idle tasks share an id, and run where RCU does not wait for them */
static bool in_own_task(void)
{
	return in_task() && !is_idle_task(current);
}

/* The current task's activity, or zero; in an interrupt there is no such task */
struct evntprov_guid evnt_kernel_activity_look_up(void)
{
	struct evntprov_guid id = no_activity;
	const struct activity *a;

	if (!in_own_task())
		return id;
	rcu_read_lock_sched();
	a = find();
	if (a)
		id = a->id;
	rcu_read_unlock_sched();
	return id;
}

static void free_activity(struct rcu_head *rcu)
{
	struct activity *a = container_of(rcu, struct activity, rcu);

	put_pid(a->task);
	kfree(a);
}

static void remove(struct activity *a)
{
	hlist_del_rcu(&a->node);
	WRITE_ONCE(evnt_kernel_activity_count, evnt_kernel_activity_count - 1);
	call_rcu(&a->rcu, free_activity);
}

static void add(struct activity *a)
{
	hlist_add_head_rcu(&a->node, bucket_of(a->task));
	WRITE_ONCE(evnt_kernel_activity_count, evnt_kernel_activity_count + 1);
}

/* Those of tasks that have gone */
static void sweep(struct hlist_head *bucket)
{
	struct hlist_node *next;
	struct activity *a;

	rcu_read_lock();
	hlist_for_each_entry_safe(a, next, bucket, node) {
		if (!pid_task(a->task, PIDTYPE_PID))
			remove(a);
	}
	rcu_read_unlock();
}

static struct activity *create(const struct evntprov_guid *id)
{
	struct activity *a = kmalloc(sizeof(*a), GFP_ATOMIC);

	if (!a)
		return NULL;
	a->task = get_pid(task_pid(current));
	a->id = *id;
	return a;
}

/* @fresh: that of the current task from now on, or NULL: none */
static void replace(struct activity *fresh)
{
	struct activity *old;
	unsigned long flags;

	spin_lock_irqsave(&activities_lock, flags);
	old = find();
	if (old)
		remove(old);
	sweep(bucket_of(task_pid(current)));
	if (fresh)
		add(fresh);
	spin_unlock_irqrestore(&activities_lock, flags);
}

static int set_activity(const struct evntprov_guid *id)
{
	struct activity *fresh = NULL;

	if (memcmp(id, &no_activity, sizeof(*id))) {
		fresh = create(id);
		if (!fresh)
			return -ENOMEM;
	}
	replace(fresh);
	return 0;
}

/* A GUID of version 4, as far as anybody can tell */
static struct evntprov_guid create_id(void)
{
	const u64 number = atomic64_inc_return(&created);
	struct evntprov_guid id = seed;

	put_unaligned_be64(get_unaligned_be64(id.b + 8) ^ number, id.b + 8);
	id.b[7] = (id.b[7] & 0x0f) | 0x40;
	id.b[8] = (id.b[8] & 0x3f) | 0x80;
	return id;
}

/* Set another one, and give back the one before */
static int exchange(const struct evntprov_guid *id, struct evntprov_guid *out)
{
	const struct evntprov_guid old = evnt_kernel_activity();
	int err = set_activity(id);

	if (!err)
		*out = old;
	return err;
}

/*
 * Check that memory can be had, and the lock taken: both may sleep in a kernel with
 * PREEMPT_RT, whatever the flags are.
 */
static bool may_set(void)
{
	return !IS_ENABLED(CONFIG_PREEMPT_RT) || preemptible();
}

static int control_task(u32 control, struct evntprov_guid *activity)
{
	struct evntprov_guid id;

	if (!in_own_task())
		return -EPERM;
	if (control == ETW_ACTIVITY_GET_ID) {
		*activity = evnt_kernel_activity();
		return 0;
	}
	if (!may_set())
		return -EPERM;
	switch (control) {
	case ETW_ACTIVITY_SET_ID:
		return set_activity(activity);
	case ETW_ACTIVITY_GET_SET_ID:
		id = *activity;
		return exchange(&id, activity);
	case ETW_ACTIVITY_CREATE_SET_ID:
		id = create_id();
		return exchange(&id, activity);
	}
	return -EINVAL;
}

/**
 * EtwActivityIdControl() - get, set or create the current task's activity
 * @control: ETW_ACTIVITY_*
 * @activity: in or out, as @control has it
 *
 * It is what events of the task belong to that name no other, as far as they are
 * written in the kernel and not in an interrupt.  Zero is none, and should be set
 * before the task ends.  What a process has set by EventActivityIdControl() is
 * not known here.
 *
 * ETW_ACTIVITY_CREATE_ID: any context.  ETW_ACTIVITY_GET_ID: process context.  All
 * others: process context where kmalloc(GFP_ATOMIC) may be called: also with a
 * spinlock held, but in a kernel with PREEMPT_RT not with preemption or interrupts
 * disabled.
 *
 * https://learn.microsoft.com/windows-hardware/drivers/ddi/wdm/nf-wdm-etwactivityidcontrol
 *
 * Return: 0; -EINVAL: @control is unknown, or @activity NULL; -EPERM: not in this
 * context; -ENOMEM: nothing has changed.
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

/* Nobody calls in any more */
void evnt_kernel_activity_exit(void)
{
	struct hlist_node *next;
	struct activity *a;
	u32 i;

	spin_lock_irq(&activities_lock);
	for (i = 0; i < ARRAY_SIZE(activities); i++) {
		hlist_for_each_entry_safe(a, next, &activities[i], node)
			remove(a);
	}
	spin_unlock_irq(&activities_lock);
}
