/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between kernel versions: the only place that knows them.
 */
#ifndef EVNT_COMPAT_H
#define EVNT_COMPAT_H

#include <linux/mm.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
#include <asm/unaligned.h>
#else
#include <linux/unaligned.h>
#endif

#ifdef CONFIG_X86
#include <asm/tsc.h>
#endif

/* What is on the stack and need not be cleared, where the compiler clears all */
#ifndef __uninitialized
#define __uninitialized	__attribute__((__uninitialized__))
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
static inline void vm_flags_mod(struct vm_area_struct *vma,
				unsigned long set, unsigned long clear)
{
	vma->vm_flags |= set;
	vma->vm_flags &= ~clear;
}
#endif

/* The speed of the processor in MHz, or 1 where nobody knows: never 0 */
static inline u32 evnt_cpu_mhz(void)
{
#ifdef CONFIG_X86
	return max(tsc_khz / 1000, 1u);
#else
	return 1;
#endif
}

#endif /* EVNT_COMPAT_H */
