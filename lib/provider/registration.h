/* SPDX-License-Identifier: MIT */
/*
 * Registrations of this process, and the device through which they are made.
 */
#ifndef EVNT_REGISTRATION_H
#define EVNT_REGISTRATION_H

#include <pthread.h>
#include <sys/types.h>

#include "lib/provider/classic.h"
#include "lib/provider/enable_area.h"

/* fork_exit.c: lock of the library, and its use at the end of the process */

/*
 * Guards registrations, the device and private sessions.  It is never held
 * while a callback runs, and writers of events do not take it.
 */
extern pthread_mutex_t evnt_lib_lock EVNT_HIDDEN;

/* Id of the process, updated by the fork handlers */
extern pid_t evnt_exit_home EVNT_HIDDEN;

void evnt_lib_relock(void);
void evnt_exit_watch(void);

/**
 * struct evnt_registration - result of EventRegister() or RegisterTraceGuids()
 * @handle: handle, the same for the caller and the module
 * @id: provider ID
 * @manifest: address of the provider's manifest in memory, or NULL
 * @callback: enable callback, or NULL
 * @code: loaded object that contains the callback's code, or NULL
 * @context: context of @callback
 * @refs: references of the table, and of threads that run the callback or wait
 *	for it
 * @running: the callback is running
 * @runner: thread that runs the callback, if @running
 * @reported: state passed to the callback last
 * @behind: callback is outdated, and no notification will report that
 * @traits: provider traits as set, or NULL
 * @use_types: types of data blocks are interpreted
 * @track_binary: EventProviderBinaryTrackInfo was set
 * @classic: additional data of a classic provider
 */
struct evnt_registration {
	REGHANDLE handle;
	GUID id;
	const void *manifest;
	PENABLECALLBACK callback;
	const void *code;
	PVOID context;
	unsigned int refs;
	bool running;
	pthread_t runner;
	struct evnt_state reported;
	bool behind;
	BYTE *traits;
	bool use_types;
	bool track_binary;
	struct evnt_classic classic;
};

struct evnt_registration *evnt_registration_lookup(REGHANDLE handle);
void evnt_registration_put(struct evnt_registration *r);

static inline unsigned int evnt_slot_of(REGHANDLE handle)
{
	return (handle & EVNTPROV_HANDLE_SLOT_MASK) / EVNTPROV_SLOT_SIZE;
}

bool evnt_registration_any(void);
/* registration.c: common part of EventRegister() and RegisterTraceGuids() */
ULONG evnt_provider_register(LPCGUID id, PENABLECALLBACK callback,
			     PVOID context, WMIDPREQUEST request,
			     PREGHANDLE handle);
ULONG evnt_provider_unregister(REGHANDLE handle, bool classic);
/* Registrations by slot, and the end of the slots that are in use.  Locked. */
extern struct evnt_registration *evnt_registrations[EVNTPROV_MAX_SLOTS];
extern unsigned int evnt_slots_end EVNT_HIDDEN;
/*
 * Headers of extended items with the traits of registrations, by slot; 0: there are
 * no traits.  Another item follows.  Read without a lock.
 */
extern ULONGLONG evnt_traits_items[EVNTPROV_MAX_SLOTS] EVNT_HIDDEN;

/* device.c */
struct evnt_device;

/* File descriptor of the device, or -1; written under evnt_lib_lock */
extern int evnt_current_fd EVNT_HIDDEN;

static inline int evnt_device_fd(void)
{
	return __atomic_load_n(&evnt_current_fd, __ATOMIC_ACQUIRE);
}

int evnt_fd_high(int fd);
void evnt_device_open(void);
bool evnt_device_is_own(void);
void evnt_device_close(void);
void evnt_device_unused(bool keep);
void evnt_device_lost(int fd);
bool evnt_device_reopened(REGHANDLE handle, int fd, int err);
void evnt_device_forked(void);
bool evnt_device_await(REGHANDLE handle);
int evnt_device_register(struct evnt_registration *r);
int evnt_device_unregister(const struct evnt_registration *r);
int evnt_device_set_information(REGHANDLE handle, ULONG info_class,
				const void *info, ULONG len);
int evnt_device_want_thread(void);
struct evntprov_notification *evnt_device_read_state(REGHANDLE handle);

/* callback.c */
void evnt_callback_wait(struct evnt_registration *r);
void evnt_callback_initial(struct evnt_registration *r);
void evnt_callback_joined(REGHANDLE handle);
void evnt_callback_changed(REGHANDLE handle, LPCGUID source);
void evnt_callback_capture(REGHANDLE handle, LPCGUID source);
void evnt_callback_note_behind(void);
void evnt_callback_catch_up(void);
void evnt_callback_notify_behind(void);
bool evnt_callback_notify(const struct evntprov_notification *n,
			  const struct evnt_device *device);
void evnt_callback_defer(bool defer);
void evnt_callback_forked(void);
void evnt_callback_end(void);
void evnt_callback_note_code(struct evnt_registration *r);
bool evnt_device_is_current(const struct evnt_device *device);

#endif /* EVNT_REGISTRATION_H */
