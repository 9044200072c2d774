// SPDX-License-Identifier: MIT
/*
 * Providers: EventRegister, EventUnregister, EventSetInformation, and what
 * classic ones have of it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>

#include "cancel.h"
#include "exit.h"
#include "grace.h"
#include "in_process.h"
#include "logger.h"
#include "manifest_note.h"
#include "private.h"
#include "registration.h"

/* It knows its owner, who may be interrupted, and end the process in a handler */
pthread_mutex_t evnt_lib_lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
struct evnt_registration *evnt_registrations[EVNTPROV_MAX_SLOTS];

static unsigned int registration_count;
/* Makes handles that were used before differ from later ones */
static ULONGLONG generation;

unsigned int evnt_slot_of(REGHANDLE handle)
{
	return (handle & EVNTPROV_HANDLE_SLOT_MASK) / EVNTPROV_SLOT_SIZE;
}

/* Whether there is any.  Locked. */
bool evnt_registration_any(void)
{
	return registration_count;
}

/* The registration with this handle, or NULL.  Locked. */
struct evnt_registration *evnt_registration_lookup(REGHANDLE handle)
{
	struct evnt_registration *r = evnt_registrations[evnt_slot_of(handle)];

	return r && r->handle == handle ? r : NULL;
}

/* One user less.  Locked. */
void evnt_registration_put(struct evnt_registration *r)
{
	/* Where a reader may have its traits still, it stays in memory */
	if (--r->refs || !evnt_grace_all_left())
		return;
	free(r->traits);
	free(r);
}

static unsigned int free_slot(void)
{
	unsigned int slot = 1;

	while (evnt_registrations[slot])
		slot++;
	return slot;
}

/* A registration that is not in the table yet; without the lock */
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
		/* Of classic ones there is no manifest */
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
	unsigned int slot = free_slot();

	r->handle = ++generation << 16 | slot * EVNTPROV_SLOT_SIZE;
	evnt_registrations[slot] = r;
	registration_count++;
}

static void registration_remove(struct evnt_registration *r)
{
	evnt_registrations[evnt_slot_of(r->handle)] = NULL;
	registration_count--;
}

/* The last one has gone; what loggers have here goes on, and so does the door */
static void close_unused_door(void)
{
	if (!registration_count && !evnt_loggers_any())
		evnt_door_close();
}

/* Through the door, with a thread if there is something to call */
static int make_known(struct evnt_registration *r)
{
	int err;

	evnt_door_open();
	err = evnt_door_register(r);
	if (err)
		return err;
	if (evnt_wants_thread(r))
		err = evnt_door_want_thread();
	evnt_private_manifest_registered(r);
	if (!err && !evnt_private_sets_renew())
		err = ENOMEM;
	if (err)
		evnt_door_unregister(r);
	return err;
}

/* @r is the table's on success */
static ULONG register_locked(struct evnt_registration *r, PREGHANDLE handle)
{
	int err;

	if (registration_count >= EVNTPROV_MAX_REGISTRATIONS)
		return ERROR_NO_SYSTEM_RESOURCES;
	evnt_in_process_begin();
	registration_add(r);
	err = make_known(r);
	if (err) {
		registration_remove(r);
		close_unused_door();
		return evnt_win32(err);
	}
	*handle = r->handle;
	if (evnt_loggers_registered(*handle))
		evnt_callback_joined(*handle);
	else
		evnt_callback_initial(r);
	return ERROR_SUCCESS;
}

/**
 * evnt_provider_register() - register a provider
 * @id: its id
 * @callback: or NULL
 * @context: for @callback, or @request
 * @request: the callback of a classic provider, or NULL
 * @handle: out: the registration
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
	/* The table has it: NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
	pthread_mutex_unlock(&evnt_lib_lock);
	errno = saved;
	return code;
}

/**
 * EventRegister() - register a provider
 * @ProviderId: its id
 * @EnableCallback: called when sessions enable or disable it; or NULL
 * @CallbackContext: handed to @EnableCallback
 * @RegHandle: out: the registration; 0 on failure
 *
 * If a session has enabled the provider already, @EnableCallback has been
 * called when this returns, by the calling thread.  Succeeds also where the
 * module is not loaded.  When the program, or a library of it, has the provider's
 * manifest in a note that evntmc has made, sessions are told in which file it is.
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER when @ProviderId or @RegHandle
 * is NULL; ERROR_NO_SYSTEM_RESOURCES when the process has 1,024 registrations, or the
 * user as many as it may have;
 * ERROR_ACCESS_DENIED when the caller may not register the provider;
 * ERROR_NOT_ENOUGH_MEMORY.
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
	evnt_door_unregister(r);
	registration_remove(r);
	/* Which needs no memory */
	evnt_private_sets_renew();
	evnt_callback_wait(r);
	evnt_registration_put(r);
	close_unused_door();
	return ERROR_SUCCESS;
}

/* EventUnregister(), or UnregisterTraceGuids(), with the code of the former */
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
 * @RegHandle: what EventRegister() returned
 *
 * Waits for a callback that is running, unless it is called from there; the
 * callback is not called any more when this has returned.
 *
 * Return: ERROR_SUCCESS, or ERROR_INVALID_HANDLE for 0, or what is no
 * registration (any more).
 *
 * https://learn.microsoft.com/windows/win32/api/evntprov/nf-evntprov-eventunregister
 */
EVNT_PUBLIC ULONG EVNTAPI EventUnregister(REGHANDLE RegHandle)
{
	return evnt_provider_unregister(RegHandle, false);
}

/* Traits: their own length, a nul-terminated name, the traits themselves */
static ULONG set_traits(struct evnt_registration *r, const BYTE *info,
			ULONG len)
{
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
	err = evnt_door_set_information(r->handle, EVNTPROV_INFO_TRAITS, copy,
					len);
	/* EACCES: it is no member of the group, and has the traits */
	if (err && err != EACCES) {
		free(copy);
		return evnt_win32(err);
	}
	r->traits = copy;
	r->use_types = true;
	if (!evnt_private_sets_renew())
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
	err = evnt_door_set_information(r->handle,
					EVNTPROV_INFO_DESCRIPTOR_TYPE, info,
					len);
	if (err)
		return evnt_win32(err);
	r->use_types = *info;
	return evnt_private_sets_renew() ? ERROR_SUCCESS :
					   ERROR_NOT_ENOUGH_MEMORY;
}

static ULONG set_track_binary(struct evnt_registration *r, ULONG len)
{
	int err;

	if (len)
		return ERROR_INVALID_PARAMETER;
	err = evnt_door_set_information(r->handle, EVNTPROV_INFO_BINARY_TRACK,
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
 * EventSetInformation() - say more of a registration
 * @RegHandle: the registration
 * @InformationClass: what is said
 * @EventInformation: it
 * @InformationLength: its length in bytes
 *
 * EventProviderSetTraits: a blob that starts with its length in 16 bits, then
 * has the nul-terminated name, and traits; at most 4,096 bytes; once.  A trait
 * EtwProviderTraitTypeGroup makes the registration a member of a group: sessions
 * that have enabled that have enabled it, and the callback has been called when
 * this returns.
 * EventProviderUseDescriptorType: a byte: whether EVENT_DATA_DESCRIPTOR.Type is
 * looked at; traits switch that on too.
 * EventProviderBinaryTrackInfo: nothing; remembered.
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER for what is no registration,
 * for NULL with a length, and for a wrong length; ERROR_NOT_SUPPORTED for
 * another class; ERROR_ALREADY_EXISTS when traits are set already;
 * ERROR_ACCESS_DENIED when the caller may not join the group: then the traits are
 * set all the same, and the registration is no member.
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
