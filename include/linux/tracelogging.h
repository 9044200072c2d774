/* SPDX-License-Identifier: GPL-2.0 */
/*
 * TraceLogging in the kernel: events that describe themselves.
 *
 *	TRACELOGGING_DEFINE_PROVIDER(g_provider, "MyCompany.MyDriver",
 *		(0xce5fa4ea, 0xab00, 0x5402,
 *		 0x8b, 0x76, 0x9f, 0x76, 0xac, 0x85, 0x8f, 0xb5));
 *
 *	err = TraceLoggingRegister(g_provider);
 *	TraceLoggingWrite(g_provider, "Interrupt",
 *			  TraceLoggingLevel(WINEVENT_LEVEL_INFO),
 *			  TraceLoggingUInt32(status),
 *			  TraceLoggingString(name, "device"));
 *	TraceLoggingUnregister(g_provider);
 *
 * The macros and the layout of events are the same as in user space, and are
 * defined in the same TraceLoggingProvider.h.  This header defines the provider
 * of the kernel and its registration.
 *
 * While no session has enabled the provider, an event costs a branch that is
 * not taken, and its arguments are not evaluated.  Otherwise each argument is
 * evaluated once.  Events may be written in any context.
 *
 * The header defines names of Windows' types.  A module that needs to avoid
 * these includes <linux/etw.h> instead.
 */
#ifndef _LINUX_TRACELOGGING_H
#define _LINUX_TRACELOGGING_H

#include <asm/barrier.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/etw.h>

#include "../../lib/include/evntprov.h"

/* Provider; the first members are in the order of the macro's initializer */
struct _tlgProvider_t {
	UINT32 reserved;
	const VOID *ProviderMetadataPtr;	/* traits, size first */
	const GUID *ProviderIdPtr;
	UINT64 reserved2;
	UINT64 reserved3;
	REGHANDLE RegHandle;
	PENABLECALLBACK EnableCallback;
	PVOID CallbackContext;
	struct etw_state State;
};

/* Not a pointer to const: the static branch in it changes */
typedef struct _tlgProvider_t *TraceLoggingHProvider;

/*
 * Test whether any session may want an event.
 *
 * (Q) A reader that observes a level also observes the keywords stored with it,
 * or later ones.
 */
static __always_inline bool etw_state_wants(const struct etw_state *state,
					    u8 level, u64 keyword)
{
	/* (Q) */
	const u32 level_plus_1 = smp_load_acquire(&state->level_plus_1);
	const u64 all = READ_ONCE(state->match_all);

	if (level >= level_plus_1)
		return false;
	return !keyword || (keyword & READ_ONCE(state->match_any) &&
			    (keyword & all) == all);
}

/* Test the provider's own branch, which requires a constant @provider */
#define evnt_tlg_enabled(provider, level, keyword) \
	(static_branch_unlikely(&(provider)->State.key) && \
	 etw_state_wants(&(provider)->State, level, keyword))

/* Skip the first block, the provider's traits: the registration has them */
#define evnt_tlg_write(provider, event, schema, activity, related, count, data) \
	etw_tlg_write((provider)->RegHandle, \
		      (const struct evntprov_descriptor *)(event), schema, \
		      (const struct evntprov_guid *)(activity), \
		      (const struct evntprov_guid *)(related), (count) - 1, \
		      (struct evntprov_data *)(data) + 1)

#define EVNT_TLG_STORAGE

#include "../../lib/include/TraceLoggingProvider.h"

static_assert(sizeof(GUID) == sizeof(struct evntprov_guid));
static_assert(sizeof(EVENT_DESCRIPTOR) == sizeof(struct evntprov_descriptor));
static_assert(sizeof(EVENT_DATA_DESCRIPTOR) == sizeof(struct evntprov_data));
static_assert(sizeof(EVENT_FILTER_DESCRIPTOR) == sizeof(struct evntrace_filter));

/*
 * TRACELOGGING_DECLARE_PROVIDER(handle) - declare a provider defined elsewhere
 * TRACELOGGING_DEFINE_PROVIDER(handle, "name", (id)[, TraceLoggingOptionGroup])
 */
#define TRACELOGGING_DECLARE_PROVIDER(handleVariable) \
	extern struct _tlgProvider_t handleVariable##_Storage_; \
	static const TraceLoggingHProvider handleVariable __maybe_unused = \
		&handleVariable##_Storage_
#define TRACELOGGING_DEFINE_PROVIDER(handleVariable, providerName, ...) \
	TRACELOGGING_DECLARE_PROVIDER(handleVariable); \
	EVNT_TLG_DEFINE(handleVariable##_Storage_, providerName, __VA_ARGS__)

static inline void etw_tlg_callback(const struct evntprov_guid *source,
				    u32 control, u8 level, u64 match_any,
				    u64 match_all,
				    const struct evntrace_filter *filter,
				    void *context)
{
	const struct _tlgProvider_t *p = context;

	p->EnableCallback((LPCGUID)source, control, level, match_any, match_all,
			  (PEVENT_FILTER_DESCRIPTOR)filter, p->CallbackContext);
}

/**
 * TraceLoggingRegisterEx() - register a provider with a callback
 * @hProvider: provider defined by TRACELOGGING_DEFINE_PROVIDER()
 * @pEnableCallback: called when sessions enable, disable or query the provider;
 *	or NULL
 * @pCallbackContext: context pointer of the callback
 *
 * Process context; may sleep.  The caller must serialize calls for the same
 * provider.
 *
 * https://learn.microsoft.com/windows/win32/api/traceloggingprovider/nf-traceloggingprovider-traceloggingregisterex
 *
 * Return: 0, -EEXIST if the provider is already registered, or an error of
 * EtwRegister().
 */
static inline int TraceLoggingRegisterEx(TraceLoggingHProvider hProvider,
					 PENABLECALLBACK pEnableCallback,
					 PVOID pCallbackContext)
{
	struct _tlgProvider_t *p = hProvider;
	const struct etw_registration what = {
		.provider = (const struct evntprov_guid *)p->ProviderIdPtr,
		.callback = pEnableCallback ? etw_tlg_callback : NULL,
		.context = p,
		.state = &p->State,
		.traits = p->ProviderMetadataPtr,
		.traits_len = *(const USHORT *)p->ProviderMetadataPtr,
	};

	if (p->RegHandle)
		return -EEXIST;
	p->EnableCallback = pEnableCallback;
	p->CallbackContext = pCallbackContext;
	return etw_register(&what, &p->RegHandle);
}

/* Register a provider without a callback */
static inline int TraceLoggingRegister(TraceLoggingHProvider hProvider)
{
	return TraceLoggingRegisterEx(hProvider, NULL, NULL);
}

/**
 * TraceLoggingUnregister() - unregister a provider
 * @hProvider: the provider, registered or not
 *
 * Process context; may sleep.  The provider may be registered again.
 *
 * https://learn.microsoft.com/windows/win32/api/traceloggingprovider/nf-traceloggingprovider-traceloggingunregister
 */
static inline void TraceLoggingUnregister(TraceLoggingHProvider hProvider)
{
	struct _tlgProvider_t *p = hProvider;

	EtwUnregister(p->RegHandle);
	p->RegHandle = 0;
}

/* Test whether any session may want an event; 0, 0: any event at all */
#define TraceLoggingProviderEnabled(hProvider, eventLevel, eventKeyword) \
	evnt_tlg_enabled(hProvider, eventLevel, eventKeyword)

/* Return the id of the provider */
static inline GUID TraceLoggingProviderId(TraceLoggingHProvider hProvider)
{
	return *hProvider->ProviderIdPtr;
}

#endif /* _LINUX_TRACELOGGING_H */
