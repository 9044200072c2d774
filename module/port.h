/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * What the core needs of the world it runs in.
 *
 * The core (buffer.c, record.c, class_record.c, own_record.c, log_header.c,
 * circle.c, attribute.c, program.c, package.c, build_id.c, filter.h,
 * call_stack.h, etl.h) is compiled into the module, into the library and into
 * native tests.  In the kernel this header brings the kernel's own names in;
 * elsewhere port_user.h gives them their meaning.
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
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/types.h>
#include <linux/vmalloc.h>
#include <asm/local64.h>

#include "compat/compat.h"

/*
 * Memory that is charged to whoever causes it, zeroed, and aligned to cache
 * lines: small sizes are only so when they are powers of two.  That there is
 * none is told to the caller, not to the kernel's log.
 */
static inline void *evnt_alloc(size_t size)
{
	if (size < PAGE_SIZE)
		size = roundup_pow_of_two(max_t(size_t, size, SMP_CACHE_BYTES));
	return kvzalloc(size, GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
}

/* Such memory in whole pages, which may be mapped, near to a CPU */
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

/* @a % @b, on processors without it, too */
static inline u64 evnt_remainder(u64 a, u64 b)
{
	u64 rest;

	div64_u64_rem(a, b, &rest);
	return rest;
}

/* @a / @b, likewise */
static inline s64 evnt_quotient(s64 a, s32 b)
{
	return div_s64(a, b);
}

/* CLOCK_BOOTTIME in ns, which goes on in suspend: any context, NMI included */
static inline s64 evnt_boot_ns(void)
{
	return ktime_get_boot_fast_ns();
}

/* CLOCK_REALTIME in ns, also in any context */
static inline s64 evnt_real_ns(void)
{
	return ktime_get_real_fast_ns();
}

#else
#include "port_user.h"
#endif /* __KERNEL__ */

#endif /* EVNT_PORT_H */
