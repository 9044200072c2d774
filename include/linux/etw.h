/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Event Tracing for Windows' programming model for kernel modules: the
 * functions of the Windows Driver Kit, under their original names.
 *
 * DOC: providers in the kernel
 *
 * A driver registers a provider by its id and writes events, which are recorded
 * by the sessions that have enabled the provider.  Functions return 0 or a
 * negative errno.  A REGHANDLE of Windows is a u64, and descriptors are defined
 * in <linux/evntprov.h>.
 *
 * Events may be written in any context: in a process, softirq, interrupt or
 * NMI, and with any lock held except run queue locks of the scheduler.  Writing
 * neither waits nor allocates memory.  Providers are registered and
 * unregistered in process context, which may sleep.
 *
 * While no provider in the kernel is enabled, a call that writes an event or
 * tests whether one is enabled costs a branch that is not taken.  A provider
 * defined by TRACELOGGING_DEFINE_PROVIDER() in <linux/tracelogging.h> has its
 * own branch.
 *
 * A module that uses this header is built with include/ and uapi/ of evntprov
 * in its search path and with evntprov's Module.symvers in
 * KBUILD_EXTRA_SYMBOLS.
 */
#ifndef _LINUX_ETW_H
#define _LINUX_ETW_H

#include <linux/jump_label.h>
#include <linux/types.h>

#include <linux/evntrace.h>

/**
 * typedef etw_enable_callback - PETWENABLECALLBACK
 * @source: source id passed by the controller, or zero
 * @control: EVNTPROV_CONTROL_*: the provider is enabled, disabled, or must
 *	write its state
 * @level: highest level that any session enabled
 * @match_any: union of the sessions' match-any masks
 * @match_all: keyword bits that all sessions require
 * @filter: filter data for the provider, in kernel memory, valid until the
 *	callback returns; NULL without
 * @context: context pointer of the registration
 *
 * The callback runs in process context.  Callbacks of all providers in the
 * kernel are serialized.  A controller that enables with a timeout waits for
 * it.  It may sleep, write events, and register and unregister other providers,
 * but not its own.
 */
typedef void (*etw_enable_callback)(const struct evntprov_guid *source,
				    u32 control, u8 level, u64 match_any,
				    u64 match_all,
				    const struct evntrace_filter *filter,
				    void *context);

/**
 * struct etw_state - levels and keywords for which a provider is enabled
 * @key: enabled if any session has enabled the provider; tested with
 *	static_branch_unlikely()
 * @level_plus_1: highest level that any session enabled, plus 1; 0 without
 *	session
 * @match_any: union of the sessions' match-any masks
 * @match_all: keyword bits that all sessions require
 *
 * The structure is initially zero.  From etw_register() to EtwUnregister() it
 * belongs to the registration, and the module updates it whenever sessions
 * enable or disable the provider.
 */
struct etw_state {
	struct static_key_false key;
	u32 level_plus_1;
	u64 match_any;
	u64 match_all;
};

/* Operations of EtwActivityIdControl(): EVENT_ACTIVITY_CTRL_* */
#define ETW_ACTIVITY_GET_ID		1
#define ETW_ACTIVITY_SET_ID		2
#define ETW_ACTIVITY_CREATE_ID		3
#define ETW_ACTIVITY_GET_SET_ID		4
#define ETW_ACTIVITY_CREATE_SET_ID	5

/* Enabled while any provider in the kernel is; changed by the module alone */
DECLARE_STATIC_KEY_FALSE(etw_any_enabled);

/**
 * struct etw_registration - argument of etw_register()
 * @provider: id of the provider
 * @callback: called when sessions enable, disable or query the provider, or
 *	NULL
 * @context: context pointer of @callback
 * @state: state that the module keeps up to date, or NULL; zeroed, and not used
 *	by another registration
 * @traits: provider traits, as for EVNTPROV_INFO_TRAITS, or NULL
 * @traits_len: length of @traits in bytes
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

/* Describe a block of an event's data */
static inline struct evntprov_data etw_block(const void *ptr, u32 len)
{
	return (struct evntprov_data) { .ptr = (uintptr_t)ptr, .len = len };
}

/*
 * From here on, functions that write an event or test whether one is enabled
 * are macros.  They test the branch first and evaluate all arguments.
 * (EtwWrite)(...)  calls the function; with ETW_CALLS_ONLY defined, all names
 * do.
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
