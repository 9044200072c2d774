// SPDX-License-Identifier: GPL-2.0
/*
 * A module with one deliberate fault of each kind that a debug kernel must
 * detect.  It is loaded with fault=NAME, commits that fault, and can be
 * unloaded again.  For tests of the test machine alone.
 */
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/vmalloc.h>

static char *fault = "";
module_param(fault, charp, 0);
MODULE_PARM_DESC(fault, "the fault to commit");

static int out_of_bounds(void)
{
	char *p = kmalloc(32, GFP_KERNEL);

	if (!p)
		return -ENOMEM;
	OPTIMIZER_HIDE_VAR(p);
	p[32] = 1;
	kfree(p);
	return 0;
}

static int vmalloc_out_of_bounds(void)
{
	char *p = vmalloc(5000);

	if (!p)
		return -ENOMEM;
	OPTIMIZER_HIDE_VAR(p);
	p[5001] = 1;
	vfree(p);
	return 0;
}

static int use_after_free(void)
{
	char *p = kmalloc(64, GFP_KERNEL), *stale = p;

	if (!p)
		return -ENOMEM;
	OPTIMIZER_HIDE_VAR(stale);
	kfree(p);
	stale[3] = 1;
	return 0;
}

static int array[4];

static int index_out_of_bounds(void)
{
	int index = ARRAY_SIZE(array);

	OPTIMIZER_HIDE_VAR(index);
	array[index] = 1;
	return 0;
}

static DEFINE_MUTEX(lock_a);
static DEFINE_MUTEX(lock_b);

static int lock_inversion(void)
{
	mutex_lock(&lock_a);
	mutex_lock(&lock_b);
	mutex_unlock(&lock_b);
	mutex_unlock(&lock_a);

	mutex_lock(&lock_b);
	mutex_lock(&lock_a);
	mutex_unlock(&lock_a);
	mutex_unlock(&lock_b);
	return 0;
}

static DEFINE_SPINLOCK(spin);

static int sleep_in_atomic(void)
{
	void *p;

	spin_lock(&spin);
	p = kmalloc(64, GFP_KERNEL);
	spin_unlock(&spin);
	kfree(p);
	return 0;
}

static int __rcu *rcu_pointer;

static int rcu_misuse(void)
{
	/* Outside of any read-side critical section */
	return rcu_dereference(rcu_pointer) ? -EINVAL : 0;
}

static void *kept;

static int leak(void)
{
	kept = kmalloc(777, GFP_KERNEL);
	if (!kept)
		return -ENOMEM;
	kept = NULL;
	return 0;
}

static long shared;

static int race(void *unused)
{
	while (!kthread_should_stop()) {
		shared++;
		cond_resched();
	}
	return 0;
}

static int unmarked_race(void)
{
	struct task_struct *racers[2];
	int i;

	for (i = 0; i < ARRAY_SIZE(racers); i++) {
		racers[i] = kthread_run(race, NULL, "racer%d", i);
		if (IS_ERR(racers[i]))
			return PTR_ERR(racers[i]);
	}
	msleep(3000);
	for (i = 0; i < ARRAY_SIZE(racers); i++)
		kthread_stop(racers[i]);
	return 0;
}

static const struct {
	const char *name;
	int (*commit)(void);
} faults[] = {
	{ "out_of_bounds", out_of_bounds },
	{ "vmalloc_out_of_bounds", vmalloc_out_of_bounds },
	{ "use_after_free", use_after_free },
	{ "index_out_of_bounds", index_out_of_bounds },
	{ "lock_inversion", lock_inversion },
	{ "sleep_in_atomic", sleep_in_atomic },
	{ "rcu_misuse", rcu_misuse },
	{ "leak", leak },
	{ "data_race", unmarked_race },
};

static int __init faulty_init(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(faults); i++)
		if (!strcmp(fault, faults[i].name))
			return faults[i].commit();
	return -EINVAL;
}
module_init(faulty_init);

static void __exit faulty_exit(void)
{
}
module_exit(faulty_exit);

MODULE_DESCRIPTION("Deliberate faults, for tests of the debug kernels");
MODULE_LICENSE("GPL");
