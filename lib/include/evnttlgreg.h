/* SPDX-License-Identifier: MIT */
/*
 * Providers of TraceLogging: definition, registration and enable callback.
 * Included by TraceLoggingProvider.h.
 */
#ifndef EVNTTLGREG_H
#define EVNTTLGREG_H

#define EVNT_TLG_HIDDEN		__attribute__((__visibility__("hidden")))

/* Initializer of a GUID from its 11 numbers */
#define EVNT_TLG_GUID(l, w1, w2, b1, b2, b3, b4, b5, b6, b7, b8) \
	{ l, w1, w2, { b1, b2, b3, b4, b5, b6, b7, b8 } }

/*
 * Definition of a provider, with or without an option: the ID of a group, 11
 * numbers in parentheses; its name, in parentheses; or nothing
 */
#define EVNT_TLG_DEFINE(storage, name, ...) \
	EVNT_CAT(EVNT_TLG_DEFINE_, EVNT_TLG_COUNT_4(__VA_ARGS__))( \
		storage, name, __VA_ARGS__)
#define EVNT_TLG_DEFINE_1(storage, name, id) \
	EVNT_TLG_DEFINE_(storage, name, id, , )
#define EVNT_TLG_DEFINE_2(storage, name, id, option) \
	EVNT_TLG_DEFINE_(storage, name, id, EVNT_TLG_OPTION(MEMBERS, option), \
			 EVNT_TLG_OPTION(VALUES, option))
#define EVNT_TLG_OPTION(part, option) \
	EVNT_TLG_OPTION_(part, \
			 EVNT_TLG_SECOND(EVNT_TLG_PROBE option, 0, ), option)
#define EVNT_TLG_PROBE(...)		0, EVNT_COUNT(__VA_ARGS__)
#define EVNT_TLG_SECOND(...)		EVNT_TLG_SECOND_(__VA_ARGS__)
#define EVNT_TLG_SECOND_(first, second, ...) second
#define EVNT_TLG_OPTION_(part, count, option) \
	EVNT_TLG_OPTION__(part, count, option)
#define EVNT_TLG_OPTION__(part, count, option) \
	EVNT_TLG_OPTION_##part##_##count option
#define EVNT_TLG_OPTION_MEMBERS_0
#define EVNT_TLG_OPTION_VALUES_0
#define EVNT_TLG_OPTION_MEMBERS_1(name) \
	USHORT GroupSize; UCHAR GroupType; char Group[sizeof(name)];
#define EVNT_TLG_OPTION_VALUES_1(name) \
	, 3 + sizeof(name), EVNT_TLG_TRAIT_GROUP_NAME, name
#define EVNT_TLG_OPTION_MEMBERS_11(...) \
	USHORT GroupSize; UCHAR GroupType; GUID Group;
#define EVNT_TLG_OPTION_VALUES_11(...) \
	, 3 + sizeof(GUID), EVNT_TLG_TRAIT_GROUP, EVNT_TLG_GUID(__VA_ARGS__)
#define EVNT_TLG_TRAIT_GROUP	1
#define EVNT_TLG_TRAIT_GROUP_NAME	128

#define EVNT_TLG_DEFINE_(storage, name, id, members, ...) \
	static const struct { \
		GUID Id; \
		struct { \
			USHORT Size; \
			char Name[sizeof(name)]; \
			members \
		} EVNT_PACKED Traits; \
	} storage##Metadata = { \
		EVNT_TLG_GUID id, \
		{ sizeof(storage##Metadata.Traits), name __VA_ARGS__ } \
	}; \
	EVNT_TLG_STORAGE struct _tlgProvider_t storage = { \
		0, &storage##Metadata.Traits, &storage##Metadata.Id, \
		0, 0, 0, NULL, NULL \
	}

#ifndef __KERNEL__
#define EVNT_TLG_STORAGE	static

#ifdef __cplusplus
extern "C++" {
#endif

static inline struct _tlgProvider_t *
evnt_tlg_storage(TraceLoggingHProvider hProvider)
{
	return (struct _tlgProvider_t *)hProvider;
}

/*
 * Set the traits; failures do not matter, and only the first call has an
 * effect.  Must be called before the level is set, and thus before any write:
 * the first callback may come before EventRegister() has returned.
 */
static inline void evnt_tlg_set_traits(TraceLoggingHProvider hProvider)
{
	USHORT size;

	memcpy(&size, hProvider->ProviderMetadataPtr, sizeof(size));
	TLG_EVENT_SET_INFORMATION(hProvider->RegHandle, EventProviderSetTraits,
				  (PVOID)hProvider->ProviderMetadataPtr, size);
}

/*
 * Update the keywords before the level, so that a concurrent writer at worst
 * pairs a new level with old keywords.
 */
static inline void evnt_tlg_set_level(struct _tlgProvider_t *provider,
				      UINT32 level_plus_1, ULONGLONG any,
				      ULONGLONG all)
{
	__atomic_store_n(&provider->KeywordAny, any, __ATOMIC_RELAXED);
	__atomic_store_n(&provider->KeywordAll, all, __ATOMIC_RELAXED);
	__atomic_store_n(&provider->LevelPlus1, level_plus_1, __ATOMIC_RELEASE);
}

static inline VOID NTAPI
evnt_tlg_enable_callback(LPCGUID SourceId, ULONG IsEnabled, UCHAR Level,
			 ULONGLONG MatchAnyKeyword, ULONGLONG MatchAllKeyword,
			 PEVENT_FILTER_DESCRIPTOR FilterData,
			 PVOID CallbackContext)
{
	struct _tlgProvider_t *provider =
		(struct _tlgProvider_t *)CallbackContext;

	switch (IsEnabled) {
	case EVENT_CONTROL_CODE_ENABLE_PROVIDER:
		evnt_tlg_set_traits(provider);
		/* Level 0 enables all levels */
		evnt_tlg_set_level(provider, Level ? Level + 1u : 256u,
				   MatchAnyKeyword, MatchAllKeyword);
		break;
	case EVENT_CONTROL_CODE_DISABLE_PROVIDER:
		evnt_tlg_set_level(provider, 0, 0, 0);
		break;
	}
	if (provider->EnableCallback)
		provider->EnableCallback(SourceId, IsEnabled, Level,
					 MatchAnyKeyword, MatchAllKeyword,
					 FilterData, provider->CallbackContext);
}

/* Callback of TraceLoggingRegisterEx() */
typedef PENABLECALLBACK TLG_PENABLECALLBACK;

/* Result of registration, as sources call it that are also for drivers */
typedef HRESULT TLG_STATUS;

/**
 * TraceLoggingRegisterEx() - register a provider with a callback
 * @hProvider: provider defined by TRACELOGGING_DEFINE_PROVIDER()
 * @pEnableCallback: called when sessions enable or disable the provider; or
 *	NULL
 * @pCallbackContext: passed to @pEnableCallback
 *
 * The caller must serialize calls for the same provider.  After a failure,
 * writes to the provider have no effect.
 *
 * Return: S_OK; HRESULT_FROM_WIN32(ERROR_ALREADY_EXISTS) if the provider is
 * already registered; otherwise the error of EventRegister() as an HRESULT.
 *
 * https://learn.microsoft.com/windows/win32/api/traceloggingprovider/nf-traceloggingprovider-traceloggingregisterex
 */
static inline HRESULT TraceLoggingRegisterEx(TraceLoggingHProvider hProvider,
					     PENABLECALLBACK pEnableCallback,
					     PVOID pCallbackContext)
{
	struct _tlgProvider_t *provider = evnt_tlg_storage(hProvider);
	ULONG code;

	if (provider->RegHandle)
		return HRESULT_FROM_WIN32(ERROR_ALREADY_EXISTS);
	provider->EnableCallback = pEnableCallback;
	provider->CallbackContext = pCallbackContext;
	code = TLG_EVENT_REGISTER(provider->ProviderIdPtr,
				  evnt_tlg_enable_callback, provider,
				  &provider->RegHandle);
	if (!code)
		evnt_tlg_set_traits(provider);
	return HRESULT_FROM_WIN32(code);
}

/* TraceLoggingRegister() - register a provider without a callback */
static inline HRESULT TraceLoggingRegister(TraceLoggingHProvider hProvider)
{
	return TraceLoggingRegisterEx(hProvider, NULL, NULL);
}

/**
 * TraceLoggingUnregister() - end a provider's registration
 * @hProvider: the provider, which need not be registered
 *
 * The provider can be registered again.  A library must call this for its
 * providers before it is unloaded.
 *
 * https://learn.microsoft.com/windows/win32/api/traceloggingprovider/nf-traceloggingprovider-traceloggingunregister
 */
static inline VOID TraceLoggingUnregister(TraceLoggingHProvider hProvider)
{
	struct _tlgProvider_t *provider = evnt_tlg_storage(hProvider);

	if (!provider->RegHandle)
		return;
	TLG_EVENT_UNREGISTER(provider->RegHandle);
	evnt_tlg_set_level(provider, 0, 0, 0);
	provider->RegHandle = 0;
}

/**
 * TraceLoggingProviderEnabled() - test whether a session may want an event
 * @hProvider: the provider
 * @eventLevel: level of the event; 0: any level
 * @eventKeyword: keyword of the event; 0: any keyword
 *
 * https://learn.microsoft.com/windows/win32/api/traceloggingprovider/nf-traceloggingprovider-traceloggingproviderenabled
 */
static inline BOOLEAN
TraceLoggingProviderEnabled(TraceLoggingHProvider hProvider, UCHAR eventLevel,
			    ULONGLONG eventKeyword)
{
	return evnt_tlg_enabled(hProvider, eventLevel, eventKeyword) != 0;
}

/* TraceLoggingProviderId() - return the ID of a provider */
static inline GUID TraceLoggingProviderId(TraceLoggingHProvider hProvider)
{
	return *hProvider->ProviderIdPtr;
}

/* TraceLoggingProviderName() - return the name of a provider */
static inline LPCSTR TraceLoggingProviderName(TraceLoggingHProvider hProvider)
{
	return (LPCSTR)hProvider->ProviderMetadataPtr + sizeof(USHORT);
}

/* TraceLoggingSetInformation() - set properties of a registered provider */
static inline HRESULT
TraceLoggingSetInformation(TraceLoggingHProvider hProvider,
			   EVENT_INFO_CLASS informationClass,
			   PVOID pvInformation, ULONG cbInformation)
{
	return HRESULT_FROM_WIN32(
		TLG_EVENT_SET_INFORMATION(hProvider->RegHandle,
					  informationClass, pvInformation,
					  cbInformation));
}

#ifdef __cplusplus
}
#endif
#endif /* __KERNEL__ */

#endif /* EVNTTLGREG_H */
