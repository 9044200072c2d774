// SPDX-License-Identifier: GPL-2.0
/*
 * Events about interrupts, and about softirqs, which Windows calls deferred
 * procedure calls (DPC).
 *
 * An event is written when a handler ends, and has the time of its begin.  Each
 * handler begins and ends on one processor.  One interrupt may come during a
 * softirq, but no other one, and no second softirq of its kind.
 *
 * Records are in the short form: no thread takes part in an interrupt.
 */
#include <linux/hardirq.h>
#include <linux/interrupt.h>
#include <linux/percpu.h>
#include <linux/string.h>

#include "module/system/system_event.h"
#include "module/system/system_write.h"

#define HOOK_INTERRUPT		EVNT_HOOK(2, 0x0f43)
#define HOOK_DPC		EVNT_HOOK(2, 0x0f44)
#define HOOK_TIMER_DPC		EVNT_HOOK(2, 0x0f45)
#define HOOK_THREADED_DPC	EVNT_HOOK(2, 0x0f42)

/* ISR */
struct interrupt_data {
	s64 elapsed;
	u64 routine;
	u8 result;
	u16 number;
	u8 reserved;
} __packed;

/* DPC, TimerDPC, ThreadedDPC */
struct dpc_data {
	s64 elapsed;
	u64 routine;
};

static_assert(sizeof(struct interrupt_data) == 20);
static_assert(sizeof(struct dpc_data) == 16);

/**
 * struct begun - handlers that run on a CPU
 * @action: handler of an interrupt, or NULL
 * @interrupt: its time of begin in ns
 * @softirq: time of begin of each softirq in ns, or 0
 */
struct begun {
	const struct irqaction *action;
	s64 interrupt;
	s64 softirq[NR_SOFTIRQS];
};

static DEFINE_PER_CPU(struct begun, evnt_begun);

void evnt_probe_interrupt_entry(void *data, int irq, struct irqaction *action)
{
	struct begun *b = this_cpu_ptr(&evnt_begun);

	/* It may have interrupted this function */
	if (in_nmi())
		return;
	b->action = action;
	b->interrupt = evnt_boot_ns();
}

void evnt_probe_interrupt_exit(void *data, int irq, struct irqaction *action,
			       int result)
{
	struct begun *b = this_cpu_ptr(&evnt_begun);
	struct interrupt_data d;
	const struct evnt_system_record r = {
		.flag = EVNTRACE_SYSTEM_INTERRUPT,
		.hook = HOOK_INTERRUPT,
		.is_short = true,
		.has_kernel_address = true,
		.address_at = offsetof(struct interrupt_data, routine),
		.has_begin = true,
		.len = sizeof(d),
		.data = &d,
	};

	if (in_nmi() || b->action != action)
		return;
	b->action = NULL;
	d = (struct interrupt_data) {
		.elapsed = evnt_boot_ns() - b->interrupt,
		.routine = (uintptr_t)action->handler,
		.result = result,
		.number = irq,
	};
	evnt_system_write(&r, NULL);
}

void evnt_probe_softirq_entry(void *data, unsigned int vector)
{
	preempt_disable_notrace();
	this_cpu_ptr(&evnt_begun)->softirq[vector] = evnt_boot_ns();
	preempt_enable_notrace();
}

/* On PREEMPT_RT a thread runs them */
static u32 hook_of(unsigned int vector)
{
	if (vector == TIMER_SOFTIRQ || vector == HRTIMER_SOFTIRQ)
		return HOOK_TIMER_DPC;
	return IS_ENABLED(CONFIG_PREEMPT_RT) ? HOOK_THREADED_DPC : HOOK_DPC;
}

/* The kernel does not export the handlers: their address stands for the number */
static void put_dpc(unsigned int vector, s64 elapsed)
{
	const struct dpc_data d = {
		.elapsed = elapsed,
		.routine = EVNT_SOFTIRQS + vector,
	};
	const struct evnt_system_record r = {
		.flag = EVNTRACE_SYSTEM_DPC,
		.hook = hook_of(vector),
		.is_short = true,
		.has_begin = true,
		.len = sizeof(d),
		.data = &d,
	};

	evnt_system_write(&r, NULL);
}

void evnt_probe_softirq_exit(void *data, unsigned int vector)
{
	s64 *begin;

	preempt_disable_notrace();
	begin = &this_cpu_ptr(&evnt_begun)->softirq[vector];
	if (*begin) {
		put_dpc(vector, evnt_boot_ns() - *begin);
		*begin = 0;
	}
	preempt_enable_notrace();
}

/* Forget handlers that have begun; only probes of @flags are attached */
void evnt_interrupts_reset(u32 flags)
{
	struct begun *b;
	int cpu;

	for_each_possible_cpu(cpu) {
		b = per_cpu_ptr(&evnt_begun, cpu);
		if (!(flags & EVNTRACE_SYSTEM_INTERRUPT))
			b->action = NULL;
		if (!(flags & EVNTRACE_SYSTEM_DPC))
			memset(b->softirq, 0, sizeof(b->softirq));
	}
}
