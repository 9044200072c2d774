// SPDX-License-Identifier: GPL-2.0
/*
 * Events about page faults, and about hard ones: how long each took, and what was
 * read.
 *
 * The kernel counts a fault for perf when it has handled it, and knows by then
 * whether it had to wait for a device.  It does not report whether it has cleared,
 * copied or only mapped a page, so all other faults have one type.
 *
 * No tracepoint has both the time and the place of a hard fault, so a probe gets
 * each fault at its begin and at its end.  A fault that waits for a device lets go
 * of the memory's lock and is begun again; the first attempt, which has waited, is
 * the one that is recorded.
 *
 * Records are in the short form: the thread is the one that runs on the record's
 * processor.  There is no record that names the files.
 */
#include <linux/fs.h>
#include <linux/kdev_t.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/ptrace.h>
#include <linux/workqueue.h>

#include "module/system/system_event.h"
#include "module/system/system_write.h"

#define HOOK_DEMAND_ZERO	EVNT_HOOK(2, 0x020b)
#define HOOK_HARD		EVNT_HOOK(2, 0x020e)
#define HOOK_HARD_FAULT		EVNT_HOOK(2, 0x0220)

/* Number of faults that are handled at a time and recorded */
#define MAX_FAULTS		1024

/* DemandZeroFault, HardPageFault */
struct fault_data {
	u64 address;
	u64 instruction;
};

static_assert(sizeof(struct fault_data) == 16);

/* HardFault */
struct hard_fault_data {
	u64 took;	/* replaced by the time of the begin */
	u64 offset;
	u64 address;
	u64 file;
	u32 thread_id;
	u32 count;
};

static_assert(sizeof(struct hard_fault_data) == 40);

/**
 * struct fault_counters - counters of a CPU
 * @soft: counter of faults that do not wait for a device, or NULL
 * @hard: counter of the others, or NULL
 * @is_online: the CPU shall have counters
 * @is_stale: perf has removed the counters, as the CPU went offline
 *
 * The work alone uses the counters.
 */
struct fault_counters {
	struct perf_event *soft;
	struct perf_event *hard;
	bool is_online;
	bool is_stale;
};

static DEFINE_PER_CPU(struct fault_counters, evnt_counters);
/* State of processors that come and go, or 0 while no faults are recorded */
static int evnt_hotplug;

static void put_fault(u32 hook, const struct perf_sample_data *sample,
		      struct pt_regs *regs)
{
	const struct fault_data d = {
		.address = sample->sample_flags & PERF_SAMPLE_ADDR ?
			   sample->addr : 0,
		.instruction = instruction_pointer(regs),
	};
	const struct evnt_system_record r = {
		.flag = EVNTRACE_SYSTEM_PAGE_FAULTS,
		.hook = hook,
		.is_short = true,
		.has_kernel_address = !user_mode(regs),
		.address_at = offsetof(struct fault_data, instruction),
		.len = sizeof(d),
		.data = &d,
	};
	struct evnt_stack_slots stacks __uninitialized;

	evnt_system_write(&r, &stacks);
	if (evnt_stack_is_wanted(&stacks))
		evnt_system_stack(&stacks, regs);
}

/* Preemption is disabled */
static void on_soft(struct perf_event *event, struct perf_sample_data *sample,
		    struct pt_regs *regs)
{
	put_fault(HOOK_DEMAND_ZERO, sample, regs);
}

static void on_hard(struct perf_event *event, struct perf_sample_data *sample,
		    struct pt_regs *regs)
{
	put_fault(HOOK_HARD, sample, regs);
}

static void release(struct fault_counters *c)
{
	if (c->soft)
		perf_event_release_kernel(c->soft);
	if (c->hard)
		perf_event_release_kernel(c->hard);
	c->soft = NULL;
	c->hard = NULL;
}

/*
 * Make and release counters.  Both wait for processors that come or go, so
 * start_cpu() and stop_cpu() may not.
 */
static void update(struct work_struct *work)
{
	struct fault_counters *c;
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		c = per_cpu_ptr(&evnt_counters, cpu);
		if (xchg(&c->is_stale, false))
			release(c);
		if (!READ_ONCE(c->is_online) || c->soft || c->hard)
			continue;
		c->soft = evnt_create_counter(cpu, PERF_COUNT_SW_PAGE_FAULTS_MIN,
					      1, on_soft);
		c->hard = evnt_create_counter(cpu, PERF_COUNT_SW_PAGE_FAULTS_MAJ,
					      1, on_hard);
	}
}

static DECLARE_WORK(evnt_counters_work, update);

static int start_cpu(unsigned int cpu)
{
	WRITE_ONCE(per_cpu(evnt_counters, cpu).is_online, true);
	schedule_work(&evnt_counters_work);
	return 0;
}

static int stop_cpu(unsigned int cpu)
{
	WRITE_ONCE(per_cpu(evnt_counters, cpu).is_online, false);
	WRITE_ONCE(per_cpu(evnt_counters, cpu).is_stale, true);
	schedule_work(&evnt_counters_work);
	return 0;
}

/* Return a number of a file that differs between files of a disk */
static u64 number_of(const struct file *file)
{
	const struct inode *inode = file_inode(file);

	return (u64)new_encode_dev(inode->i_sb->s_dev) << 32 | (u32)inode->i_ino;
}

/* handle_mm_fault(vma, address, ...) begins; @vma is locked */
static int on_begin(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct vm_area_struct *vma =
		(void *)regs_get_kernel_argument(regs, 0);
	struct hard_fault_data *d = (void *)ri->data;

	d->took = evnt_boot_ns();
	d->address = regs_get_kernel_argument(regs, 1);
	d->file = vma->vm_file ? number_of(vma->vm_file) : 0;
	d->offset = 0;
	if (vma->vm_file)
		d->offset = (d->address & PAGE_MASK) - vma->vm_start +
			    ((u64)vma->vm_pgoff << PAGE_SHIFT);
	return 0;
}

static void put_hard_fault(struct hard_fault_data *d)
{
	const struct evnt_system_record r = {
		.flag = EVNTRACE_SYSTEM_HARD_FAULTS,
		.hook = HOOK_HARD_FAULT,
		.is_short = true,
		.has_begin = true,
		.len = sizeof(*d),
		.data = d,
	};
	struct evnt_stack_slots stacks __uninitialized;

	d->took = evnt_boot_ns() - d->took;
	d->thread_id = task_pid_nr(current);
	d->count = PAGE_SIZE;
	preempt_disable_notrace();
	evnt_system_write(&r, &stacks);
	if (evnt_stack_is_wanted(&stacks))
		evnt_system_stack(&stacks, NULL);
	preempt_enable_notrace();
}

static int on_end(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	if ((__force vm_fault_t)regs_return_value(regs) & VM_FAULT_MAJOR)
		put_hard_fault((struct hard_fault_data *)ri->data);
	return 0;
}

static struct kretprobe evnt_fault_probe = {
	.entry_handler = on_begin,
	.handler = on_end,
	.data_size = sizeof(struct hard_fault_data),
	.maxactive = MAX_FAULTS,
	.kp.symbol_name = "handle_mm_fault",
};

/**
 * evnt_faults_update() - begin or end to record the faults of all processors
 * @flags: EVNTRACE_SYSTEM_* of all sessions
 *
 * The caller holds the lock of the slots.  A fault that is counted at that moment
 * may still be recorded: a session that stops waits for that.  A hard fault that
 * is being handled when the probe is removed is not recorded.
 */
void evnt_faults_update(u32 flags)
{
	evnt_hotplug_update(&evnt_hotplug, flags & EVNTRACE_SYSTEM_PAGE_FAULTS,
			    "evntprov:faults", start_cpu, stop_cpu);
	flush_work(&evnt_counters_work);
	evnt_kretprobe_update(&evnt_fault_probe,
			      flags & EVNTRACE_SYSTEM_HARD_FAULTS);
}
