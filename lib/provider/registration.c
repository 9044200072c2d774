// SPDX-License-Identifier: MIT
/*
 * Registration of providers: EventRegister(), EventUnregister(),
 * EventSetInformation(), and the part of it shared by classic providers.  Also
 * the derivation of a provider ID from a name, as done by TraceLogging and
 * EventSource.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>

#include "core/etl.h"
#include "evntlinux.h"
#include "lib/base/cancel.h"
#include "lib/base/read_section.h"
#include "lib/base/sha1.h"
#include "lib/provider/hooks.h"
#include "lib/provider/manifest_note.h"
#include "lib/provider/registration.h"

struct evnt_registration *evnt_registrations[EVNTPROV_MAX_SLOTS];
ULONGLONG evnt_traits_items[EVNTPROV_MAX_SLOTS];
unsigned int evnt_slots_end;

/* No slot from 1 to here is free */
static unsigned int slots_taken;
static unsigned int registration_count;
/* Incremented for each registration, so that handles are not reused */
static ULONGLONG generation;

/* Test whether the process has any registration.  Locked. */
bool evnt_registration_any(void)
{
	return registration_count;
}

/* Return the registration with this handle, or NULL.  Locked. */
struct evnt_registration *evnt_registration_lookup(REGHANDLE handle)
{
	struct evnt_registration *r = evnt_registrations[evnt_slot_of(handle)];

	return r && r->handle == handle ? r : NULL;
}

/* Drop a reference.  Locked. */
void evnt_registration_put(struct evnt_registration *r)
{
	/* A reader that never left may still use the traits: keep them */
	if (--r->refs || !evnt_read_section_all_left())
		return;
	free(r->traits);
	free(r);
}

/* Create a registration, without adding it; called without evnt_lib_lock */
static struct evnt_registration *registration_create(LPCGUID id,
						     PENABLECALLBACK callback,
						     PVOID context,
						     WMIDPREQUEST request)
{
	struct evnt_registration *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->id = *id;
	r->callback = callback;
	r->context = context;
	if (request) {
		r->classic.request = request;
		r->classic.context = context;
		r->callback = evnt_classic_callback;
		r->context = r;
	} else {
		/* Classic providers have no manifest */
		r->manifest = evnt_manifest_note(id);
	}
	r->refs = 1;
	if (r->callback) {
		evnt_callback_note_code(r);
		evnt_exit_watch();
	}
	return r;
}

static void registration_add(struct evnt_registration *r)
{
	do
		slots_taken++;
	while (evnt_registrations[slots_taken]);
	r->handle = ++generation << 16 | slots_taken * EVNTPROV_SLOT_SIZE;
	evnt_registrations[slots_taken] = r;
	__atomic_store_n(&evnt_traits_items[slots_taken], 0, __ATOMIC_RELAXED);
	if (evnt_slots_end <= slots_taken)
		evnt_slots_end = slots_taken + 1;
	registration_count++;
}

static void registration_remove(struct evnt_registration *r)
{
	unsigned int slot = evnt_slot_of(r->handle);

	evnt_registrations[slot] = NULL;
	if (slots_taken >= slot)
		slots_taken = slot - 1;
	while (evnt_slots_end && !evnt_registrations[evnt_slots_end - 1])
		evnt_slots_end--;
	registration_count--;
}

/* Register with the device; start the library's thread for a callback */
static int make_known(struct evnt_registration *r)
{
	int err;

	evnt_device_open();
	err = evnt_device_register(r);
	if (err)
		return err;
	if (r->callback)
		err = evnt_device_want_thread();
	if (!err && !evnt_hooks->registered(r))
		err = ENOMEM;
	if (err)
		evnt_device_unregister(r);
	return err;
}

/* Add a registration; on success the table owns @r */
static ULONG register_locked(struct evnt_registration *r, PREGHANDLE handle)
{
	int err;

	if (registration_count >= EVNTPROV_MAX_REGISTRATIONS)
		return ERROR_NO_SYSTEM_RESOURCES;
	evnt_hooks->registering();
	registration_add(r);
	err = make_known(r);
	if (err) {
		registration_remove(r);
		evnt_device_unused(true);
		return evnt_win32(err);
	}
	*handle = r->handle;
	if (evnt_hooks->joined(*handle))
		evnt_callback_joined(*handle);
	else
		evnt_callback_initial(r);
	return ERROR_SUCCESS;
}

/**
 * evnt_provider_register() - register a provider
 * @id: provider ID
 * @callback: enable callback, or NULL
 * @context: context of @callback or @request
 * @request: callback of a classic provider, or NULL
 * @handle: out: handle of the registration
 *
 * Return: as EventRegister().
 */
ULONG evnt_provider_register(LPCGUID id, PENABLECALLBACK callback,
			     PVOID context, WMIDPREQUEST request,
			     PREGHANDLE handle)
{
	EVNT_UNCANCELLED;
	int saved = errno;
	struct evnt_registration *r;
	ULONG code = ERROR_NOT_ENOUGH_MEMORY;

	r = registration_create(id, callback, context, request);
	pthread_mutex_lock(&evnt_lib_lock);
	if (r)
		code = register_locked(r, handle);
	if (r && code)
		evnt_registration_put(r);
	/* The table owns it: NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
	pthread_mutex_unlock(&evnt_lib_lock);
	errno = saved;
	return code;
}

/**
 * EventRegister() - register a provider
 * @ProviderId: provider ID
 * @EnableCallback: called when sessions enable or disable the provider; or NULL
 * @CallbackContext: passed to @EnableCallback
 * @RegHandle: out: handle of the registration; 0 on failure
 *
 * If a session has already enabled the provider, @EnableCallback is called by
 * the calling thread before this returns.  Registration also succeeds while the
 * module is not loaded, or a sandbox forbids ioctl().  If the program or one of
 * its libraries contains the provider's manifest in a note created by evntmc,
 * sessions record the name of that file.
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER if @ProviderId or @RegHandle
 * is NULL; ERROR_NO_SYSTEM_RESOURCES if the process has 1,024 registrations or
 * the user has reached the limit; ERROR_ACCESS_DENIED if the caller may not
 * register the provider; ERROR_NOT_ENOUGH_MEMORY.
 *
 * https://learn.microsoft.com/windows/win32/api/evntprov/nf-evntprov-eventregister
 */
EVNT_PUBLIC ULONG EVNTAPI EventRegister(LPCGUID ProviderId,
					PENABLECALLBACK EnableCallback,
					PVOID CallbackContext,
					PREGHANDLE RegHandle)
{
	if (RegHandle)
		*RegHandle = 0;
	if (!ProviderId || !RegHandle)
		return ERROR_INVALID_PARAMETER;
	return evnt_provider_register(ProviderId, EnableCallback,
				      CallbackContext, NULL, RegHandle);
}

static ULONG unregister_locked(REGHANDLE handle, bool classic)
{
	struct evnt_registration *r = evnt_registration_lookup(handle);

	if (!r || !r->classic.request == classic)
		return ERROR_INVALID_HANDLE;
	evnt_device_unregister(r);
	registration_remove(r);
	evnt_hooks->changed();
	evnt_callback_wait(r);
	evnt_registration_put(r);
	evnt_device_unused(true);
	return ERROR_SUCCESS;
}

/* Implement EventUnregister(), and with other codes UnregisterTraceGuids() */
ULONG evnt_provider_unregister(REGHANDLE handle, bool classic)
{
	EVNT_UNCANCELLED;
	int saved = errno;
	ULONG code;

	pthread_mutex_lock(&evnt_lib_lock);
	code = unregister_locked(handle, classic);
	pthread_mutex_unlock(&evnt_lib_lock);
	errno = saved;
	return code;
}

/**
 * EventUnregister() - end a registration
 * @RegHandle: handle returned by EventRegister()
 *
 * Waits for a running callback, unless called from that callback.  The callback
 * is not called again after this has returned.
 *
 * Return: ERROR_SUCCESS, or ERROR_INVALID_HANDLE if @RegHandle is 0 or not a
 * current registration.
 *
 * https://learn.microsoft.com/windows/win32/api/evntprov/nf-evntprov-eventunregister
 */
EVNT_PUBLIC ULONG EVNTAPI EventUnregister(REGHANDLE RegHandle)
{
	return evnt_provider_unregister(RegHandle, false);
}

/* Set traits: 16-bit length of the blob, nul-terminated name, traits */
static ULONG set_traits(struct evnt_registration *r, const BYTE *info,
			ULONG len)
{
	ULONGLONG item;
	BYTE *copy;
	int err;

	if (len < 3 || len > EVNTPROV_MAX_TRAITS ||
	    (info[0] | info[1] << 8) != (int)len ||
	    !memchr(info + 2, 0, len - 2))
		return ERROR_INVALID_PARAMETER;
	if (r->traits)
		return ERROR_ALREADY_EXISTS;
	copy = malloc(len);
	if (!copy)
		return ERROR_NOT_ENOUGH_MEMORY;
	memcpy(copy, info, len);
	err = evnt_device_set_information(r->handle, EVNTPROV_INFO_TRAITS, copy,
					  len);
	/* EACCES: the traits are set, but the group could not be joined */
	if (err && err != EACCES) {
		free(copy);
		return evnt_win32(err);
	}
	r->traits = copy;
	memcpy(&item, &(struct etl_ext_item) {
		.size = etl_ext_size(len),
		.type = ETL_EXT_PROV_TRAITS,
		.linkage = true,
		.data_size = len,
	}, sizeof(item));
	__atomic_store_n(&evnt_traits_items[evnt_slot_of(r->handle)], item,
			 __ATOMIC_RELAXED);
	r->use_types = true;
	if (!evnt_hooks->changed())
		return ERROR_NOT_ENOUGH_MEMORY;
	evnt_callback_joined(r->handle);
	return evnt_win32(err);
}

static ULONG set_use_types(struct evnt_registration *r, const BYTE *info,
			   ULONG len)
{
	int err;

	if (len != 1)
		return ERROR_INVALID_PARAMETER;
	err = evnt_device_set_information(r->handle,
					  EVNTPROV_INFO_DESCRIPTOR_TYPE, info,
					  len);
	if (err)
		return evnt_win32(err);
	r->use_types = *info;
	return evnt_hooks->changed() ? ERROR_SUCCESS : ERROR_NOT_ENOUGH_MEMORY;
}

static ULONG set_track_binary(struct evnt_registration *r, ULONG len)
{
	int err;

	if (len)
		return ERROR_INVALID_PARAMETER;
	err = evnt_device_set_information(r->handle, EVNTPROV_INFO_BINARY_TRACK,
					  NULL, 0);
	r->track_binary = !err;
	return evnt_win32(err);
}

static ULONG set_information_locked(REGHANDLE handle, int info_class,
				    const BYTE *info, ULONG len)
{
	struct evnt_registration *r = evnt_registration_lookup(handle);

	if (!r || r->classic.request || (!info && len))
		return ERROR_INVALID_PARAMETER;
	switch (info_class) {
	case EventProviderBinaryTrackInfo:
		return set_track_binary(r, len);
	case EventProviderSetTraits:
		return set_traits(r, info, len);
	case EventProviderUseDescriptorType:
		return set_use_types(r, info, len);
	}
	return ERROR_NOT_SUPPORTED;
}

/**
 * EventSetInformation() - set properties of a registration
 * @RegHandle: handle of the registration
 * @InformationClass: property
 * @EventInformation: value
 * @InformationLength: length of the value in bytes
 *
 * EventProviderSetTraits: a blob of at most 4,096 bytes: its length in 16 bits,
 * the nul-terminated provider name, then the traits.  May be set once.  A trait
 * EtwProviderTraitTypeGroup joins the registration to a provider group:
 * sessions that have enabled the group have enabled the registration, and the
 * callback has been called when this returns.
 *
 * EventProviderUseDescriptorType: a byte that is not 0 if
 * EVENT_DATA_DESCRIPTOR.Type is interpreted.  Setting traits switches this on,
 * too.
 *
 * EventProviderBinaryTrackInfo: no value; recorded only.
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER for an invalid handle, for
 * NULL with a length, or for a wrong length; ERROR_NOT_SUPPORTED for another
 * class; ERROR_ALREADY_EXISTS if traits are already set; ERROR_ACCESS_DENIED if
 * the caller may not join the group: the traits are set nevertheless, without
 * joining.
 *
 * https://learn.microsoft.com/windows/win32/api/evntprov/nf-evntprov-eventsetinformation
 */
EVNT_PUBLIC ULONG EVNTAPI EventSetInformation(REGHANDLE RegHandle,
					      EVENT_INFO_CLASS InformationClass,
					      PVOID EventInformation,
					      ULONG InformationLength)
{
	EVNT_UNCANCELLED;
	int saved = errno;
	ULONG code;

	pthread_mutex_lock(&evnt_lib_lock);
	code = set_information_locked(RegHandle, InformationClass,
				      EventInformation, InformationLength);
	pthread_mutex_unlock(&evnt_lib_lock);
	errno = saved;
	return code;
}

/* Name space GUID of EventSource, hashed in front of the name */
static const BYTE name_space[16] = {
	0x48, 0x2c, 0x2d, 0xb2, 0xc3, 0x90, 0x47, 0xc8,
	0x87, 0xf8, 0x1a, 0x15, 0xbf, 0xc1, 0x30, 0xfb,
};

/* Convert Latin-1 letters to upper case; other scripts are left unchanged */
static WCHAR upper(WCHAR c)
{
	if ((c >= 'a' && c <= 'z') || (c >= 0xe0 && c <= 0xfe && c != 0xf7))
		return c - 0x20;
	return c == 0xff ? 0x178 : c;
}

EVNT_PUBLIC ULONG EvntProviderIdFromName(LPCSTR Name, GUID *ProviderId)
{
	BYTE digest[20], *text;
	size_t len, i;
	WCHAR *name;

	if (!Name || !ProviderId)
		return ERROR_INVALID_PARAMETER;
	name = evnt_utf16(Name);
	if (!name)
		return ERROR_INVALID_PARAMETER;
	len = evnt_wcslen(name);
	text = malloc(sizeof(name_space) + 2 * len);
	if (text) {
		memcpy(text, name_space, sizeof(name_space));
		for (i = 0; i < len; i++) {
			text[16 + 2 * i] = upper(name[i]) >> 8;
			text[17 + 2 * i] = upper(name[i]) & 0xff;
		}
		evnt_sha1(text, sizeof(name_space) + 2 * len, digest);
		digest[7] = (digest[7] & 0x0f) | 0x50;
		memcpy(ProviderId, digest, sizeof(*ProviderId));
	}
	free(name);
	free(text);
	return text ? ERROR_SUCCESS : ERROR_NOT_ENOUGH_MEMORY;
}
