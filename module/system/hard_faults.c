// SPDX-License-Identifier: GPL-2.0
/*
 * Events about hard page faults: how long each took, and what was read.
 *
 * No tracepoint has both, so a probe gets each fault at its begin and at its end.
 * A fault that waits for a device lets go of the memory's lock and is begun
 * again; the first attempt, which has waited, is the one that is recorded.
 *
 * Records are in the short form.  There is no record that names the files.
 */
#include <linux/fs.h>
#include <linux/kdev_t.h>
#include <linux/kprobes.h>
#include <linux/mm.h>

#include "module/system/system_event.h"
#include "module/system/system_write.h"

#define HOOK_HARD_FAULT	0x0220u
#define VERSION		2

/* Number of faults that are handled at a time and recorded */
#define MAX_FAULTS	1024

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

static void put(struct hard_fault_data *d)
{
	const struct evnt_system_record r = {
		.flag = EVNTRACE_SYSTEM_HARD_FAULTS,
		.hook = HOOK_HARD_FAULT,
		.version = VERSION,
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
		put((struct hard_fault_data *)ri->data);
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
 * evnt_hard_faults_update() - begin or end to record hard faults
 * @on: record
 *
 * The caller holds the lock of the slots.  A fault that is being handled when the
 * probe is removed is not recorded.
 */
void evnt_hard_faults_update(bool on)
{
	evnt_kretprobe_update(&evnt_fault_probe, on);
}
