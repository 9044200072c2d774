// SPDX-License-Identifier: GPL-2.0
/*
 * Events about system calls.
 *
 * An event has the address of a routine, from which consumers find its name.  The
 * kernel does not export its routines, so the addresses are numbers in an image
 * of their own: see evnt_system_number_images().
 *
 * Records are in the short form: the thread is the one that runs on the record's
 * processor.
 */
#include <linux/compat.h>
#include <linux/minmax.h>
#include <linux/preempt.h>

#include "module/system/system_event.h"
#include "module/system/system_write.h"

#define HOOK_ENTER	EVNT_HOOK(2, 0x0f33)
#define HOOK_EXIT	EVNT_HOOK(2, 0x0f34)

/* One number stands for all that are too high; the kernel refuses them */
#define NO_CALL		(EVNT_NUMBERS - 1)

void evnt_probe_call_enter(void *data, struct pt_regs *regs, long id)
{
	const u64 address = min_t(unsigned long, id, NO_CALL) +
			    (in_compat_syscall() ? EVNT_COMPAT_CALLS :
						   EVNT_CALLS);
	struct evnt_stack_slots stacks __uninitialized;

	preempt_disable_notrace();
	evnt_system_write_short(EVNTRACE_SYSTEM_SYSTEMCALL, HOOK_ENTER,
				&address, sizeof(address), &stacks);
	if (unlikely(evnt_stack_is_wanted(&stacks)))
		evnt_system_stack(&stacks, NULL);
	preempt_enable_notrace();
}

void evnt_probe_call_exit(void *data, struct pt_regs *regs, long result)
{
	const u32 status = result;

	preempt_disable_notrace();
	evnt_system_write_short(EVNTRACE_SYSTEM_SYSTEMCALL, HOOK_EXIT,
				&status, sizeof(status), NULL);
	preempt_enable_notrace();
}
