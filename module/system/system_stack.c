// SPDX-License-Identifier: GPL-2.0
/*
 * Call stacks of events of the kernel: records of their own, which name the event
 * by its time stamp and their thread.
 *
 * A context switch has the stack of the new thread.  When the switch is recorded,
 * this thread does not run yet, and its memory is not mapped.  The probe captures
 * its frames in the kernel, and irq_work, which interrupts the thread as soon as
 * the switch is done, captures the frames of its process.
 */
#include <linux/irq_work.h>
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/sched.h>

#include "module/compat/compat.h"
#include "module/system/system_write.h"
#include "module/common/stack_capture.h"

#define HOOK_STACK	EVNT_HOOK(2, 0x1820)

/* StackWalk */
struct stack_data {
	u64 time;
	u32 process;
	u32 thread;
	u64 frame[EVNT_MAX_FRAMES];
};

/**
 * struct cpu_stacks - stacks that a CPU captures
 * @now: the current one
 * @next: the stack of a context switch, without frames of the process
 * @kernel: number of frames of @next
 * @slots: sessions that want @next; none: there is none
 * @work: completes @next
 *
 * Used with interrupts disabled.  No probe runs in an NMI.
 */
struct cpu_stacks {
	struct stack_data now;
	struct stack_data next;
	u32 kernel;
	struct evnt_stack_slots slots;
	struct irq_work work;
};

static struct cpu_stacks __percpu *evnt_stacks;

static void write_to(const struct evnt_stack_slots *slots, unsigned long bits,
		     struct stack_data *d, u32 count)
{
	const struct evnt_system_record r = {
		.flag = slots->flag,
		.hook = HOOK_STACK,
		.is_short = true,
		.len = offsetof(struct stack_data, frame[count]),
		.data = d,
	};
	u32 i;

	if (!count)
		return;
	for_each_set_bit(i, &bits, EVNTRACE_MAX_SYSTEM) {
		d->time = slots->time[i];
		evnt_system_write_slot(&r, &evnt_system_slots[i], NULL);
	}
}

/* Write a stack of @count frames, of which the first @kernel are the kernel's */
static void write_stack(const struct evnt_stack_slots *slots,
			struct stack_data *d, u32 kernel, u32 count)
{
	write_to(slots, slots->shown, d, count);
	if (!slots->hidden)
		return;
	count -= kernel;
	memmove(d->frame, d->frame + kernel, count * sizeof(d->frame[0]));
	write_to(slots, slots->hidden, d, count);
}

/**
 * evnt_system_stack() - write the call stack of the current thread
 * @slots: sessions that want it
 * @regs: registers of the code that an interrupt has stopped; NULL: the stack
 *	begins with the caller of this module
 *
 * Context: Any but NMI; preemption is disabled.
 */
void evnt_system_stack(const struct evnt_stack_slots *slots,
		       struct pt_regs *regs)
{
	unsigned long flags;
	struct stack_data *d;
	u32 n, kernel = 0;

	local_irq_save(flags);
	d = &this_cpu_ptr(evnt_stacks)->now;
	d->process = task_tgid_nr(current);
	d->thread = task_pid_nr(current);
	if (slots->shown && !(regs && user_mode(regs)))
		kernel = evnt_stack_kernel(d->frame, EVNT_MAX_KERNEL_FRAMES,
					   regs ? instruction_pointer(regs) :
						  0);
	n = kernel + evnt_stack_user(d->frame + kernel,
				     EVNT_MAX_FRAMES - kernel);
	write_stack(slots, d, kernel, n);
	local_irq_restore(flags);
}

/* Write the stack of the last context switch, if any */
static void complete_next(struct cpu_stacks *c, bool with_process)
{
	u32 n = c->kernel;

	if (!evnt_stack_is_wanted(&c->slots))
		return;
	if (with_process && task_pid_nr(current) == c->next.thread)
		n += evnt_stack_user(c->next.frame + n, EVNT_MAX_FRAMES - n);
	write_stack(&c->slots, &c->next, c->kernel, n);
	c->slots.shown = 0;
	c->slots.hidden = 0;
}

/* Interrupts are disabled, also on PREEMPT_RT */
static void on_switched(struct irq_work *work)
{
	complete_next(container_of(work, struct cpu_stacks, work), true);
}

/**
 * evnt_system_stack_of_next() - write the call stack of the thread that runs next
 * @slots: sessions that want it
 * @next: the thread
 *
 * Context: A probe of sched_switch.
 */
void evnt_system_stack_of_next(const struct evnt_stack_slots *slots,
			       struct task_struct *next)
{
	struct cpu_stacks *c;
	u32 i;

	/*
	 * An idle thread has no stack of interest.  Another one may have been
	 * interrupted when it set another flag.
	 */
	if (data_race(is_idle_task(next)))
		return;
	c = this_cpu_ptr(evnt_stacks);
	/* Without an interrupt of its own, irq_work may come too late */
	complete_next(c, false);
	c->slots = *slots;
	c->next.process = task_tgid_nr(next);
	c->next.thread = task_pid_nr(next);
	c->kernel = 0;
	if (slots->shown)
		c->kernel = evnt_save_stack_of(next,
					       (unsigned long *)c->next.frame,
					       EVNT_MAX_KERNEL_FRAMES);
	/* Widen from the end: see evnt_stack_kernel() */
	for (i = c->kernel; i; i--)
		c->next.frame[i - 1] = ((unsigned long *)c->next.frame)[i - 1];
	irq_work_queue(&c->work);
}

/* Wait for stacks of switches; on return, none is written to a free slot */
void evnt_system_stack_sync(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu_ptr(evnt_stacks, cpu)->work);
}

/* Returns 0 or -ENOMEM */
int __init evnt_system_stack_init(void)
{
	int cpu;

	evnt_stacks = alloc_percpu(struct cpu_stacks);
	if (!evnt_stacks)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		per_cpu_ptr(evnt_stacks, cpu)->work =
			IRQ_WORK_INIT_HARD(on_switched);
	return 0;
}

/* Every session has stopped, and so waited for irq_work */
void evnt_system_stack_exit(void)
{
	free_percpu(evnt_stacks);
}
