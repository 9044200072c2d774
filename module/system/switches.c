// SPDX-License-Identifier: GPL-2.0
/*
 * Events about context switches and wake-ups.
 *
 * Both probes run with interrupts disabled, usually under the lock of a run
 * queue.  Their records are in the short form: the data names the threads, and a
 * wake-up is by the thread that runs on the record's processor.
 */
#include <linux/hardirq.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "module/system/system_event.h"
#include "module/system/system_write.h"

#define HOOK_SWITCH	EVNT_HOOK(4, 0x0524)
#define HOOK_READY	EVNT_HOOK(2, 0x0532)

/* States and wait reasons of Windows' threads */
#define STATE_READY		1
#define STATE_TERMINATED	4
#define STATE_WAITING		5
#define REASON_PAGE_IN		2
#define REASON_SUSPENDED	5
#define REASON_USER_REQUEST	6
#define REASON_EXECUTIVE	7
#define REASON_TERMINATED	22
#define REASON_PREEMPTED	32
#define REASON_YIELDED		33

#define USER_MODE		1

/* CSwitch */
struct switch_data {
	u32 new_thread;
	u32 old_thread;
	s8 new_priority;
	s8 old_priority;
	u8 c_state;
	s8 spare;
	u8 old_reason;
	s8 old_mode;
	u8 old_state;
	u8 old_processor;
	u32 wait_time;
	u32 reserved;
};

static_assert(sizeof(struct switch_data) == 24);

/* ReadyThread */
struct ready_data {
	u32 thread;
	u8 reason;
	s8 increment;
	u8 flags;
	u8 reserved;
};

#define REASON_UNWAIT	1
#define READY_BY_DPC	1

static_assert(sizeof(struct ready_data) == 8);

/* Fill in why a thread no longer runs */
static void put_reason(struct switch_data *d, bool preempt,
		       const struct task_struct *prev, unsigned int state)
{
	if (preempt || state == TASK_RUNNING) {
		d->old_state = STATE_READY;
		d->old_reason = preempt ? REASON_PREEMPTED : REASON_YIELDED;
		return;
	}
	d->old_state = STATE_WAITING;
	/* Most often; no other state comes with it */
	if (state & TASK_INTERRUPTIBLE) {
		d->old_reason = REASON_USER_REQUEST;
	} else if (state & TASK_DEAD) {
		d->old_state = STATE_TERMINATED;
		d->old_reason = REASON_TERMINATED;
	} else if (state & (__TASK_STOPPED | __TASK_TRACED)) {
		d->old_reason = REASON_SUSPENDED;
	} else {
		d->old_reason = prev->in_iowait ? REASON_PAGE_IN :
						  REASON_EXECUTIVE;
	}
}

static __always_inline void put_switch(const struct switch_data *d,
				       struct evnt_stack_slots *stacks)
{
	evnt_system_write_short(EVNTRACE_SYSTEM_CSWITCH, HOOK_SWITCH,
				d, sizeof(*d), stacks);
}

/* Not inline, so that a switch without a stack need not prepare for one */
static noinline void put_switch_and_stack(const struct switch_data *d,
					  struct task_struct *next)
{
	struct evnt_stack_slots stacks __uninitialized;

	put_switch(d, &stacks);
	if (evnt_stack_is_wanted(&stacks))
		evnt_system_stack_of_next(&stacks, next);
}

void evnt_probe_switch(void *data, bool preempt, struct task_struct *prev,
		       struct task_struct *next, unsigned int prev_state)
{
	struct switch_data d = {
		.new_thread = task_pid_nr(next),
		.old_thread = task_pid_nr(prev),
		.new_priority = evnt_base_priority(next),
		.old_priority = evnt_base_priority(prev),
		/* It may have been interrupted when it set another flag */
		.old_mode = data_race(prev->flags & PF_KTHREAD) ? 0 : USER_MODE,
		.old_processor = raw_smp_processor_id(),
	};

	put_reason(&d, preempt, prev, prev_state);
	if (evnt_may_want_stack(EVNTRACE_SYSTEM_CSWITCH))
		put_switch_and_stack(&d, next);
	else
		put_switch(&d, NULL);
}

static __always_inline void put_ready(const struct ready_data *d,
				      struct evnt_stack_slots *stacks)
{
	evnt_system_write_short(EVNTRACE_SYSTEM_DISPATCHER, HOOK_READY,
				d, sizeof(*d), stacks);
}

/* As above */
static noinline void put_ready_and_stack(const struct ready_data *d)
{
	struct evnt_stack_slots stacks __uninitialized;

	put_ready(d, &stacks);
	if (evnt_stack_is_wanted(&stacks))
		evnt_system_stack(&stacks, NULL);
}

void evnt_probe_waking(void *data, struct task_struct *p)
{
	const struct ready_data d = {
		.thread = task_pid_nr(p),
		.reason = REASON_UNWAIT,
		.flags = in_interrupt() ? READY_BY_DPC : 0,
	};

	if (evnt_may_want_stack(EVNTRACE_SYSTEM_DISPATCHER))
		put_ready_and_stack(&d);
	else
		put_ready(&d, NULL);
}
