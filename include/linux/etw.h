/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Event Tracing for Windows' programming model, for modules of the kernel: the
 * functions that drivers call on Windows, by their names.
 *
 * DOC: providers in the kernel
 *
 * A provider is registered by its id, and writes events that sessions get which
 * have enabled it.  Functions are those of the Windows Driver Kit.  What they
 * return is 0 or an error of this kernel, negative; what a REGHANDLE is there is
 * a u64 here, and descriptors are those of <linux/evntprov.h>.
 *
 * Events are written from any context: from a process, a softirq, an interrupt,
 * an NMI, with any lock held but those of a scheduler's run queue.  Nothing waits,
 * nothing is allocated.  Providers come and go from process context, where one
 * may sleep.
 *
 * As long as no provider in the kernel is enabled, a call that writes or asks
 * costs a branch that is not taken.  A provider that was defined by
 * TRACELOGGING_DEFINE_PROVIDER(), in <linux/tracelogging.h>, has a branch of its
 * own.
 *
 * A module that uses any of this is built with the module's include/ and uapi/ in
 * its search path, and with its Module.symvers in KBUILD_EXTRA_SYMBOLS.
 */
#ifndef _LINUX_ETW_H
#define _LINUX_ETW_H

#include <linux/jump_label.h>
#include <linux/types.h>

#include <linux/evntprov.h>

/**
 * typedef etw_enable_callback - PETWENABLECALLBACK
 * @source: who has caused it, as he said, or zero
 * @control: EVNTPROV_CONTROL_*: enabled now, disabled, or asked for its state
 * @level: the highest level that any session wants
 * @match_any: the keywords that any session wants
 * @match_all: the keywords that all sessions demand
 * @filter: what sessions have for the provider itself to look at, or NULL; as
 *	long as the callback runs
 * @context: as it was registered
 *
 * Is called in process context, one at a time of all providers in the kernel.  A
 * controller with a timeout waits for it.  It may sleep, write events, and
 * register and unregister other providers, but not its own.
 */
typedef void (*etw_enable_callback)(const struct evntprov_guid *source,
				    u32 control, u8 level, u64 match_any,
				    u64 match_all,
				    const struct evntrace_filter *filter,
				    void *context);

/* Whether any provider in the kernel is enabled; never switched by others */
DECLARE_STATIC_KEY_FALSE(etw_any_enabled);

/* Not any provider's own branch: as it is for EtwRegister() */
int etw_register(const struct evntprov_guid *provider,
		 etw_enable_callback callback, void *context,
		 struct static_key_false *key, u64 *handle);

int EtwRegister(const struct evntprov_guid *provider,
		etw_enable_callback callback, void *context, u64 *handle);
int EtwUnregister(u64 handle);
int EtwWrite(u64 handle, const struct evntprov_descriptor *descriptor,
	     const struct evntprov_guid *activity, u32 count,
	     const struct evntprov_data *data);

/* Describe a block of data: EventDataDescCreate() */
static inline void EventDataDescCreate(struct evntprov_data *data,
				       const void *ptr, u32 len)
{
	*data = (struct evntprov_data) { .ptr = (uintptr_t)ptr, .len = len };
}

/*
 * From here on, the names of functions that write or ask are those of what tests
 * the branch first, and evaluates all arguments.  (EtwWrite)(...) is a call, and
 * so are all where ETW_CALLS_ONLY was defined.
 */
#ifndef ETW_CALLS_ONLY
static __always_inline int
etw_inline_write(u64 handle, const struct evntprov_descriptor *descriptor,
		 const struct evntprov_guid *activity, u32 count,
		 const struct evntprov_data *data)
{
	if (!static_branch_unlikely(&etw_any_enabled))
		return 0;
	return EtwWrite(handle, descriptor, activity, count, data);
}

#define EtwWrite(...)		etw_inline_write(__VA_ARGS__)

#endif /* ETW_CALLS_ONLY */

#endif /* _LINUX_ETW_H */
