/* SPDX-License-Identifier: MIT */
/*
 * TraceLogging's providers: how they are defined, registered, and told what
 * sessions want.  TraceLoggingProvider.h includes this.
 */
#ifndef EVNTTLGREG_H
#define EVNTTLGREG_H

#define EVNT_TLG_HIDDEN		__attribute__((__visibility__("hidden")))

/* The 11 numbers of an id */
#define EVNT_TLG_GUID(l, w1, w2, b1, b2, b3, b4, b5, b6, b7, b8) \
	{ l, w1, w2, { b1, b2, b3, b4, b5, b6, b7, b8 } }

/* With a group, or without */
#define EVNT_TLG_DEFINE(storage, name, ...) \
	EVNT_CAT(EVNT_TLG_DEFINE_, EVNT_TLG_COUNT_4(__VA_ARGS__))( \
		storage, name, __VA_ARGS__)
#define EVNT_TLG_DEFINE_1(storage, name, id) \
	EVNT_TLG_DEFINE_(storage, name, id, , )
#define EVNT_TLG_DEFINE_2(storage, name, id, group) \
	EVNT_TLG_DEFINE_(storage, name, id, EVNT_TLG_GROUP_MEMBERS, \
			 EVNT_TLG_GROUP_VALUES(EVNT_TLG_GUID group))
#define EVNT_TLG_GROUP_MEMBERS	USHORT GroupSize; UCHAR GroupType; GUID Group;
#define EVNT_TLG_GROUP_VALUES(...) \
	, 3 + sizeof(GUID), EVNT_TLG_TRAIT_GROUP, __VA_ARGS__
#define EVNT_TLG_TRAIT_GROUP	1

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
 * Set once; failures do not matter.  Before any write, and so before the level
 * is set: the first callback comes before EventRegister() has returned.
 */
static inline void evnt_tlg_set_traits(TraceLoggingHProvider hProvider)
{
	USHORT size;

	memcpy(&size, hProvider->ProviderMetadataPtr, sizeof(size));
	TLG_EVENT_SET_INFORMATION(hProvider->RegHandle, EventProviderSetTraits,
				  (PVOID)hProvider->ProviderMetadataPtr, size);
}

/* The keywords first: who sees the level sees at worst those of before */
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
		/* Level 0 is all levels */
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

/**
 * TraceLoggingRegisterEx() - register a provider, with a callback
 * @hProvider: what TRACELOGGING_DEFINE_PROVIDER() has defined
 * @pEnableCallback: called when sessions enable or disable it; or NULL
 * @pCallbackContext: handed to it
 *
 * Not at the same time as another call with the same provider.  When it fails,
 * nothing is ever written, and no harm is done.
 *
 * Return: S_OK; E_UNEXPECTED's kin HRESULT_FROM_WIN32(ERROR_ALREADY_EXISTS) when
 * the provider is registered; HRESULT_FROM_WIN32() of what EventRegister() says.
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

/* The same, without a callback */
static inline HRESULT TraceLoggingRegister(TraceLoggingHProvider hProvider)
{
	return TraceLoggingRegisterEx(hProvider, NULL, NULL);
}

/**
 * TraceLoggingUnregister() - end a provider's registration
 * @hProvider: the provider; registered or not
 *
 * It can be registered again.  Needed before the library that the provider is
 * in is unloaded.
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
 * TraceLoggingProviderEnabled() - whether a session may want an event
 * @hProvider: the provider
 * @eventLevel: the event's level; 0: any
 * @eventKeyword: the event's keyword; 0: any
 *
 * https://learn.microsoft.com/windows/win32/api/traceloggingprovider/nf-traceloggingprovider-traceloggingproviderenabled
 */
static inline BOOLEAN
TraceLoggingProviderEnabled(TraceLoggingHProvider hProvider, UCHAR eventLevel,
			    ULONGLONG eventKeyword)
{
	return evnt_tlg_enabled(hProvider, eventLevel, eventKeyword) != 0;
}

/* The provider's id, as it was defined */
static inline GUID TraceLoggingProviderId(TraceLoggingHProvider hProvider)
{
	return *hProvider->ProviderIdPtr;
}

/* EventSetInformation() for a registered provider */
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
