/* SPDX-License-Identifier: MIT */
/*
 * For the programs that mc_driver writes: what they write comes here, and not to
 * the kernel.  Compared with what it is to be; with EVNT_TEST_TDH, also decoded by
 * the manifest, whole.
 */
#ifndef EVNT_MC_EXPECT_H
#define EVNT_MC_EXPECT_H

#include <stdio.h>
#include <string.h>

#include "evntprov.h"

static inline ULONG catch_register(LPCGUID id, PENABLECALLBACK callback,
				   PVOID context, PREGHANDLE handle);
static inline ULONG catch_unregister(REGHANDLE handle);
static inline ULONG catch_information(REGHANDLE handle, EVENT_INFO_CLASS kind,
				      PVOID information, ULONG length);
static inline ULONG catch_event(REGHANDLE handle, PCEVENT_DESCRIPTOR descriptor,
				LPCGUID activity, LPCGUID related, ULONG count,
				PEVENT_DATA_DESCRIPTOR data);

#define MCGEN_EVENTREGISTER		catch_register
#define MCGEN_EVENTUNREGISTER		catch_unregister
#define MCGEN_EVENTSETINFORMATION	catch_information
#define MCGEN_EVENTWRITETRANSFER	catch_event

#include "evntmcgen.h"
#ifdef EVNT_TEST_TDH
#include "evnttdh.h"
#endif

static UCHAR zeros[65536];
static UCHAR fill[65536];
static const UCHAR sids[] = {
	1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0,
	1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0,
	1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0,
};
static const WCHAR wide[] = { 'e', 'd', 'g', 'e', ' ', 0x20ac, 0 };
static const char narrow[] = "edge \xe2\x82\xac";

static UCHAR payload[65536];
static size_t payload_len;
static EVENT_DESCRIPTOR event_descriptor;
static const GUID *provider_id;
static unsigned int events, failures, writes;

static inline void check(int holds)
{
	if (!holds) {
		failures++;
		printf("# event %u of version %u is wrong\n",
		       event_descriptor.Id, event_descriptor.Version);
	}
}

static inline ULONG catch_register(LPCGUID id, PENABLECALLBACK callback,
				   PVOID context, PREGHANDLE handle)
{
	(void)id;
	*handle = 1;
	callback(id, EVENT_CONTROL_CODE_ENABLE_PROVIDER, 255, ~0ull, 0, NULL,
		 context);
	return ERROR_SUCCESS;
}

static inline ULONG catch_unregister(REGHANDLE handle)
{
	return handle == 1 ? ERROR_SUCCESS : ERROR_INVALID_HANDLE;
}

static inline ULONG catch_information(REGHANDLE handle, EVENT_INFO_CLASS kind,
				      PVOID information, ULONG length)
{
	USHORT size;

	memcpy(&size, information, sizeof(size));
	check(handle == 1 && kind == EventProviderSetTraits && size == length);
	return ERROR_SUCCESS;
}

static inline ULONG catch_event(REGHANDLE handle, PCEVENT_DESCRIPTOR descriptor,
				LPCGUID activity, LPCGUID related, ULONG count,
				PEVENT_DATA_DESCRIPTOR data)
{
	ULONG i;

	event_descriptor = *descriptor;
	payload_len = 0;
	for (i = 1; i < count; i++) {
		memcpy(payload + payload_len, (void *)(ULONG_PTR)data[i].Ptr,
		       data[i].Size);
		payload_len += data[i].Size;
	}
	writes++;
	check(handle == 1 && !activity && !related && count <= 128);
	return ERROR_SUCCESS;
}

#ifdef EVNT_TEST_TDH
static inline ULONG WINAPI add_bytes(const EVNT_PROPERTY *property,
				     PVOID context)
{
	if (property->Kind == EvntPropertyValue)
		*(size_t *)context += property->DataLength;
	return ERROR_SUCCESS;
}

/* What it was written as it is read as: all of it */
static inline void decode(void)
{
	static UCHAR buffer[65536] __attribute__((aligned(8)));
	TRACE_EVENT_INFO *info = (TRACE_EVENT_INFO *)(void *)buffer;
	EVENT_RECORD record;
	ULONG size = sizeof(buffer);
	size_t seen = 0;

	memset(&record, 0, sizeof(record));
	record.EventHeader.ProviderId = *provider_id;
	record.EventHeader.EventDescriptor = event_descriptor;
	record.EventHeader.Flags = EVENT_HEADER_FLAG_64_BIT_HEADER;
	record.UserData = payload;
	record.UserDataLength = (USHORT)payload_len;
	check(!TdhGetEventInformation(&record, 0, NULL, info, &size));
	check(!EvntEnumerateProperties(&record, info, add_bytes, &seen) &&
	      seen == payload_len);
}
#endif

static inline void begin(int argc, char **argv)
{
	size_t i;

	for (i = 0; i < sizeof(fill); i++)
		fill[i] = (UCHAR)(i % 251 + 1);
#ifdef EVNT_TEST_TDH
	check(argc == 2 && !EvntLoadManifest(argv[1], NULL, NULL));
#else
	(void)argc;
	(void)argv;
#endif
}

static inline void provider(const GUID *id, ULONG registered,
			    PMCGEN_TRACE_CONTEXT context)
{
	provider_id = id;
	check(!registered && context->IsEnabled && context->Level == 255 &&
	      context->RegistrationHandle == 1);
}

static inline void expect(ULONG code, size_t len, const char *bytes)
{
	events++;
	check(!code && payload_len == len && !memcmp(payload, bytes, len));
#ifdef EVNT_TEST_TDH
	decode();
#endif
}

static inline int finish(void)
{
	(void)zeros;
	(void)sids;
	(void)wide;
	(void)narrow;
	/* Each was written twice, the second time because it is enabled */
	if (writes != 2 * events)
		failures++;
	printf("# %u events, %u wrong\n", events, failures);
	return failures != 0;
}

#endif /* EVNT_MC_EXPECT_H */
