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
 * @filter: what sessions have for the provider itself, in the kernel's memory, until
 *	the callback returns; or NULL: they have nothing
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

/**
 * struct etw_state - what sessions want of a provider
 * @key: whether any session has enabled it; by static_branch_unlikely()
 * @level_plus_1: the highest level that any wants, and 1 more; 0: there is none
 * @match_any: the keywords that any wants
 * @match_all: the keywords that all demand
 *
 * Zero at first.  From etw_register() to EtwUnregister() it is the registration's,
 * and says what sessions want as soon as they do.
 */
struct etw_state {
	struct static_key_false key;
	u32 level_plus_1;
	u64 match_any;
	u64 match_all;
};

/* What EtwActivityIdControl() does: EVENT_ACTIVITY_CTRL_* */
#define ETW_ACTIVITY_GET_ID		1
#define ETW_ACTIVITY_SET_ID		2
#define ETW_ACTIVITY_CREATE_ID		3
#define ETW_ACTIVITY_GET_SET_ID		4
#define ETW_ACTIVITY_CREATE_SET_ID	5

/* Whether any provider in the kernel is enabled; switched by none but the module */
DECLARE_STATIC_KEY_FALSE(etw_any_enabled);

/**
 * struct etw_registration - what is registered
 * @provider: the provider's id
 * @callback: who is told when sessions want something else, or NULL
 * @context: for @callback
 * @state: says what sessions want, or NULL; zero, and no other registration's
 * @traits: as for EtwSetInformation() with EVNTPROV_INFO_TRAITS, or NULL
 * @traits_len: their length in bytes
 */
struct etw_registration {
	const struct evntprov_guid *provider;
	etw_enable_callback callback;
	void *context;
	struct etw_state *state;
	const void *traits;
	u32 traits_len;
};

int etw_register(const struct etw_registration *what, u64 *handle);

int EtwRegister(const struct evntprov_guid *provider,
		etw_enable_callback callback, void *context, u64 *handle);
int EtwUnregister(u64 handle);
int EtwSetInformation(u64 handle, u32 info_class, const void *info, u32 len);
int EtwActivityIdControl(u32 control, struct evntprov_guid *activity);

bool EtwEventEnabled(u64 handle, const struct evntprov_descriptor *descriptor);
bool EtwProviderEnabled(u64 handle, u8 level, u64 keyword);
int EtwWrite(u64 handle, const struct evntprov_descriptor *descriptor,
	     const struct evntprov_guid *activity, u32 count,
	     const struct evntprov_data *data);
int EtwWriteTransfer(u64 handle, const struct evntprov_descriptor *descriptor,
		     const struct evntprov_guid *activity,
		     const struct evntprov_guid *related, u32 count,
		     const struct evntprov_data *data);
int EtwWriteEx(u64 handle, const struct evntprov_descriptor *descriptor,
	       u64 exclude, u32 flags, const struct evntprov_guid *activity,
	       const struct evntprov_guid *related, u32 count,
	       const struct evntprov_data *data);
int etw_tlg_write(u64 handle, const struct evntprov_descriptor *descriptor,
		  const void *schema, const struct evntprov_guid *activity,
		  const struct evntprov_guid *related, u32 count,
		  struct evntprov_data *data);
int EtwWriteString(u64 handle, u8 level, u64 keyword,
		   const struct evntprov_guid *activity, const u16 *string);

/* A block of an event's data */
static inline struct evntprov_data etw_block(const void *ptr, u32 len)
{
	return (struct evntprov_data) { .ptr = (uintptr_t)ptr, .len = len };
}

/*
 * From here on, the names of functions that write or ask are those of what tests
 * the branch first, and evaluates all arguments.  (EtwWrite)(...) is a call, and
 * so are all where ETW_CALLS_ONLY was defined.
 */
#ifndef ETW_CALLS_ONLY
static __always_inline bool
etw_inline_event_enabled(u64 handle, const struct evntprov_descriptor *d)
{
	return static_branch_unlikely(&etw_any_enabled) &&
	       EtwEventEnabled(handle, d);
}

static __always_inline bool
etw_inline_provider_enabled(u64 handle, u8 level, u64 keyword)
{
	return static_branch_unlikely(&etw_any_enabled) &&
	       EtwProviderEnabled(handle, level, keyword);
}

static __always_inline int
etw_inline_write(u64 handle, const struct evntprov_descriptor *d,
		 const struct evntprov_guid *activity, u32 count,
		 const struct evntprov_data *data)
{
	if (!static_branch_unlikely(&etw_any_enabled))
		return 0;
	return EtwWrite(handle, d, activity, count, data);
}

static __always_inline int
etw_inline_write_transfer(u64 handle, const struct evntprov_descriptor *d,
			  const struct evntprov_guid *activity,
			  const struct evntprov_guid *related, u32 count,
			  const struct evntprov_data *data)
{
	if (!static_branch_unlikely(&etw_any_enabled))
		return 0;
	return EtwWriteTransfer(handle, d, activity, related, count, data);
}

static __always_inline int
etw_inline_write_ex(u64 handle, const struct evntprov_descriptor *d,
		    u64 exclude, u32 flags,
		    const struct evntprov_guid *activity,
		    const struct evntprov_guid *related, u32 count,
		    const struct evntprov_data *data)
{
	if (!static_branch_unlikely(&etw_any_enabled))
		return 0;
	return EtwWriteEx(handle, d, exclude, flags, activity, related, count,
			  data);
}

static __always_inline int
etw_inline_write_string(u64 handle, u8 level, u64 keyword,
			const struct evntprov_guid *activity,
			const u16 *string)
{
	if (!static_branch_unlikely(&etw_any_enabled))
		return 0;
	return EtwWriteString(handle, level, keyword, activity, string);
}

#define EtwEventEnabled(...)	etw_inline_event_enabled(__VA_ARGS__)
#define EtwProviderEnabled(...)	etw_inline_provider_enabled(__VA_ARGS__)
#define EtwWrite(...)		etw_inline_write(__VA_ARGS__)
#define EtwWriteTransfer(...)	etw_inline_write_transfer(__VA_ARGS__)
#define EtwWriteEx(...)		etw_inline_write_ex(__VA_ARGS__)
#define EtwWriteString(...)	etw_inline_write_string(__VA_ARGS__)
#endif /* ETW_CALLS_ONLY */

#endif /* _LINUX_ETW_H */
