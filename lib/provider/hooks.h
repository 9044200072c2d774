/* SPDX-License-Identifier: MIT */
/*
 * Hooks by which registrations, callbacks and the device notify private
 * sessions, which are built on them.
 */
#ifndef EVNT_HOOKS_H
#define EVNT_HOOKS_H

#include "lib/base/internal.h"

struct evnt_registration;
struct evnt_enabler;

/**
 * struct evnt_provider_hooks - functions of the layer above providers
 * @registering: start the session that the environment requests, before the
 *	first registration
 * @registered: take a new registration into account, before its events can be
 *	written; false without memory
 * @changed: take a changed or removed registration into account; false without
 *	memory, never for a removed one
 * @joined: synchronize with the module after a registration; true if
 *	evnt_lib_lock was released for that
 * @classic: replace the state of a classic provider in the module by that in
 *	the private session that has enabled it last, if any
 * @keeps_device: whether an open device must stay open, as the module would
 *	complete a log
 * @needs_device: whether the device must stay open without registrations
 * @opened: a new device was opened, by which nothing is registered yet
 * @in_use: that device is the one of other threads now; an earlier one is still
 *	open
 * @reopened: synchronize after registrations were made through another device
 * @notified: handle the notification EVNTPROV_CONTROL_PRIVATE
 * @news: handle EVNT_AREA_NEWS; called without evnt_lib_lock, in any context
 * @forked: drop the parent's sessions in the child of a fork
 * @exit: complete all logs at the end of the process.  Argument and result:
 *	whether the caller has evnt_lib_lock; without it, its owner is lost
 * @lock_lost: complete the log of the calling thread, which waits in vain for
 *	evnt_lib_lock as the process ends; does not return
 *
 * Called with evnt_lib_lock, unless noted otherwise.  @registering, @joined,
 * @reopened, @notified and @exit may release it in between.
 */
struct evnt_provider_hooks {
	void (*registering)(void);
	bool (*registered)(const struct evnt_registration *r);
	bool (*changed)(void);
	bool (*joined)(REGHANDLE handle);
	void (*classic)(const struct evnt_registration *r,
			struct evnt_enabler *now);
	bool (*keeps_device)(void);
	bool (*needs_device)(void);
	void (*opened)(int fd);
	void (*in_use)(int fd);
	void (*reopened)(void);
	void (*notified)(void);
	void (*news)(void);
	void (*forked)(void);
	bool (*exit)(bool locked);
	void (*lock_lost)(void);
};

/*
 * The table is named at link time, not set by a constructor: thus a program
 * linked with the static library has private sessions, too.
 */
extern const struct evnt_provider_hooks evnt_private_hooks EVNT_HIDDEN;
extern const struct evnt_provider_hooks *const evnt_hooks EVNT_HIDDEN;

#endif /* EVNT_HOOKS_H */
