// SPDX-License-Identifier: GPL-2.0
/*
 * Sampled profile: each processor that is not idle is interrupted periodically,
 * and an event has the instruction that would have been next.
 *
 * The clock is perf's cpu-clock, a timer, which each machine has.
 */
#include <linux/hardirq.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/time64.h>

#include "module/system/system_event.h"
#include "module/system/system_write.h"

#define HOOK_SAMPLE		EVNT_HOOK(2, 0x0f2e)
#define HOOK_SET_INTERVAL	EVNT_HOOK(3, 0x0f48)
#define HOOK_COLLECTION_START	EVNT_HOOK(3, 0x0f49)
#define HOOK_COLLECTION_END	EVNT_HOOK(3, 0x0f4a)

/* Interval in units of 100 ns, at first 1 ms; guarded by the lock of the slots */
static u32 evnt_interval = 10000;

/* SampledProfile */
struct sample_data {
	u64 address;
	u32 thread;
	u16 count;
	u8 flags;
	u8 rank;
};

static_assert(sizeof(struct sample_data) == 16);

#define IN_DPC			1
#define PRIORITY_SHIFT		3

/* Start and end of collecting, and SetInterval: source 0 is the timer */
struct collection_data {
	u32 source;
	u32 interval;
	u32 old_interval;
	__le16 name[6];
};

static DEFINE_PER_CPU(struct perf_event *, evnt_sampler);
/* State of processors that come and go, or 0 while there is no profile */
static int evnt_hotplug;

static void on_sample(struct perf_event *event, struct perf_sample_data *sample,
		      struct pt_regs *regs)
{
	const struct sample_data d = {
		.address = instruction_pointer(regs),
		.thread = task_pid_nr(current),
		.count = 1,
		.flags = evnt_base_priority(current) << PRIORITY_SHIFT |
			 (in_serving_softirq() ? IN_DPC : 0),
	};
	const struct evnt_system_record r = {
		.flag = EVNTRACE_SYSTEM_PROFILE,
		.hook = HOOK_SAMPLE,
		.is_short = true,
		.has_kernel_address = !user_mode(regs),
		.len = sizeof(d),
		.data = &d,
	};
	struct evnt_stack_slots stacks __uninitialized;

	evnt_system_write(&r, &stacks);
	if (evnt_stack_is_wanted(&stacks))
		evnt_system_stack(&stacks, regs);
}

/*
 * Return a software counter of a CPU that calls @handler every @period; or NULL:
 * events of the others are recorded nevertheless
 */
struct perf_event *evnt_create_counter(unsigned int cpu, u64 which, u64 period,
				       perf_overflow_handler_t handler)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = which,
		.size = sizeof(attr),
		.sample_period = period,
		.exclude_idle = 1,
	};
	struct perf_event *event;

	event = perf_event_create_kernel_counter(&attr, cpu, NULL, handler,
						 NULL);
	return IS_ERR(event) ? NULL : event;
}

static int start_cpu(unsigned int cpu)
{
	per_cpu(evnt_sampler, cpu) =
		evnt_create_counter(cpu, PERF_COUNT_SW_CPU_CLOCK,
				    evnt_interval * 100ull, on_sample);
	return 0;
}

static int stop_cpu(unsigned int cpu)
{
	struct perf_event *event = per_cpu(evnt_sampler, cpu);

	per_cpu(evnt_sampler, cpu) = NULL;
	if (event)
		perf_event_release_kernel(event);
	return 0;
}

/**
 * evnt_profile_update() - begin or end to sample all processors
 * @on: sample
 *
 * The caller holds the lock of the slots.  On return, an ended one is over.
 */
void evnt_profile_update(bool on)
{
	evnt_hotplug_update(&evnt_hotplug, on, "evntprov:profile", start_cpu,
			    stop_cpu);
}

static void put_interval(struct evnt_system_target *to, u32 hook, u32 interval,
			 u32 old_interval)
{
	const struct collection_data d = {
		.interval = interval,
		.old_interval = old_interval,
		.name = {
			cpu_to_le16('T'), cpu_to_le16('i'), cpu_to_le16('m'),
			cpu_to_le16('e'), cpu_to_le16('r'),
		},
	};
	struct evnt_system_record r = {
		.flag = EVNTRACE_SYSTEM_PROFILE,
		.hook = hook,
		.len = sizeof(d),
		.data = &d,
	};

	evnt_system_send(to, &r);
}

/* Write the interval, which consumers multiply the samples by, to a session */
void evnt_profile_collection(struct evnt_system_target *to)
{
	const u32 interval = evnt_profile_interval();

	put_interval(to, to->type == EVNT_TYPE_DCEND ? HOOK_COLLECTION_END :
						       HOOK_COLLECTION_START,
		     interval, interval);
}

/* Return the interval of samples in units of 100 ns */
u32 evnt_profile_interval(void)
{
	return READ_ONCE(evnt_interval);
}

/**
 * evnt_profile_set_interval() - change the interval of samples of all sessions
 * @interval: interval in units of 100 ns
 *
 * The caller holds the lock of the slots.
 */
void evnt_profile_set_interval(u32 interval)
{
	const u32 before = evnt_interval;
	struct evnt_system_target to = {
		.thread_id = task_pid_nr(current),
		.process_id = task_tgid_nr(current),
	};
	const bool is_on = evnt_hotplug;

	evnt_profile_update(false);
	WRITE_ONCE(evnt_interval, interval);
	preempt_disable();
	put_interval(&to, HOOK_SET_INTERVAL, interval, before);
	preempt_enable();
	evnt_profile_update(is_on);
}
