/* SPDX-License-Identifier: MIT */
/*
 * Registrations of this process, and the door that they are made through.
 *
 * One lock guards all that is here.  It is never held while a callback runs.
 * Writing events does not take it.
 */
#ifndef EVNT_REGISTRATION_H
#define EVNT_REGISTRATION_H

#include <pthread.h>

#include "classic.h"
#include "enable_area.h"

/**
 * struct evnt_registration - one EventRegister() or RegisterTraceGuids()
 * @handle: what the caller has, and the kernel
 * @id: the provider
 * @manifest: where its manifest is in memory, or NULL
 * @callback: or NULL
 * @code: the loaded object that the callback's code is part of, or NULL: none is
 * @context: for the callback
 * @refs: the table's, and of who runs its callback or waits for that
 * @running: its callback is running
 * @runner: where, if it is
 * @told: what its callback was told last
 * @behind: that is not how it is, and no notification will say so
 * @traits: as set, or NULL
 * @use_types: as set
 * @track_binary: as set
 * @unknown: the module is too old to know it, so that it is never told anything
 * @classic: what one of a classic provider has besides
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
	struct evnt_state told;
	bool behind;
	BYTE *traits;
	bool use_types;
	bool track_binary;
	bool unknown;
	struct evnt_classic classic;
};

/* A door that has no registration does not tell its reader when it is closed */
static inline bool evnt_wants_thread(const struct evnt_registration *r)
{
	return r->callback && !r->unknown;
}

extern pthread_mutex_t evnt_lib_lock;

struct evnt_registration *evnt_registration_lookup(REGHANDLE handle);
void evnt_registration_put(struct evnt_registration *r);
unsigned int evnt_slot_of(REGHANDLE handle);
bool evnt_registration_any(void);
/* provider.c: what EventRegister() and RegisterTraceGuids() do */
ULONG evnt_provider_register(LPCGUID id, PENABLECALLBACK callback,
			     PVOID context, WMIDPREQUEST request,
			     PREGHANDLE handle);
ULONG evnt_provider_unregister(REGHANDLE handle, bool classic);
/* write.c */
bool evnt_write_met_lost_door(REGHANDLE handle, int fd, int err);
/* Registrations by slot */
extern struct evnt_registration *evnt_registrations[EVNTPROV_MAX_SLOTS];

/* door.c */
struct evnt_door;

/* The door's descriptor, or -1; written under the lock */
extern int evnt_current_fd EVNT_HIDDEN;

static inline int evnt_door_fd(void)
{
	return __atomic_load_n(&evnt_current_fd, __ATOMIC_ACQUIRE);
}

int evnt_fd_high(int fd);
void evnt_door_open(void);
bool evnt_door_is_own(void);
void evnt_door_close(void);
void evnt_door_lost(int fd);
bool evnt_door_await(REGHANDLE handle);
int evnt_door_register(struct evnt_registration *r);
int evnt_door_unregister(const struct evnt_registration *r);
int evnt_door_set_information(REGHANDLE handle, ULONG info_class,
			      const void *info, ULONG len);
int evnt_door_want_thread(void);

/* filter_data.c */
void *evnt_filter_data(REGHANDLE handle, ULONG control,
		       EVENT_FILTER_DESCRIPTOR *d);

/* callback.c */
void evnt_callback_run(struct evnt_registration *r, LPCGUID source,
		       ULONG control, const struct evnt_state *state);
void evnt_callback_wait(struct evnt_registration *r);
void evnt_callback_initial(struct evnt_registration *r);
void evnt_callback_joined(REGHANDLE handle);
void evnt_callback_changed(REGHANDLE handle, LPCGUID source);
void evnt_callback_capture(REGHANDLE handle, LPCGUID source);
void evnt_callback_note_behind(void);
void evnt_callback_catch_up(void);
void evnt_callback_tell_behind(void);
bool evnt_callback_notify(const struct evntprov_notification *n,
			  const struct evnt_door *door);
void evnt_callback_defer(bool defer);
void evnt_callback_forked(void);
void evnt_callback_end(void);
void evnt_callback_note_code(struct evnt_registration *r);
bool evnt_door_is_current(const struct evnt_door *door);

#endif /* EVNT_REGISTRATION_H */
