/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Functions and types that the core needs from its environment.
 *
 * The core, core/README.md, is compiled into the module, the library and native
 * tests.  In the kernel this header includes the kernel's own definitions; in
 * user space user.h provides equivalents.
 */
#ifndef EVNT_PORT_H
#define EVNT_PORT_H

#ifdef __KERNEL__

#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/types.h>
#include <linux/vmalloc.h>
#include <asm/local64.h>

#include "module/compat/compat.h"

/*
 * Allocate zeroed memory, aligned to cache lines, charged to the memory cgroup
 * in effect.  Small sizes are rounded up, as kmalloc() aligns powers of two
 * only.  Failures are reported to the caller, not to the kernel's log.
 */
static inline void *evnt_alloc(size_t size)
{
	if (size < PAGE_SIZE)
		size = roundup_pow_of_two(max_t(size_t, size, SMP_CACHE_BYTES));
	return kvzalloc(size, GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
}

/* Allocate whole pages, which may be mapped, near a CPU */
void *evnt_alloc_pages(size_t size, u32 cpu);

static inline void evnt_free(void *p)
{
	kvfree(p);
}

static inline void evnt_free_pages(void *p)
{
	vfree(p);
}

static inline bool evnt_cpu_online(u32 cpu)
{
	return cpu_online(cpu);
}

/* Return CLOCK_BOOTTIME in ns.  Safe in any context, NMI included. */
static inline s64 evnt_boot_ns(void)
{
	return ktime_get_boot_fast_ns();
}

/* Return CLOCK_REALTIME in ns.  Safe in any context, NMI included. */
static inline s64 evnt_real_ns(void)
{
	return ktime_get_real_fast_ns();
}

#else
#include "core/port/user.h"
#endif /* __KERNEL__ */

#endif /* EVNT_PORT_H */
