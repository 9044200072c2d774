// SPDX-License-Identifier: MIT
/*
 * The module's device: its descriptor and the thread that reads notifications.
 *
 * Also handles programs that close descriptors that they did not open.  A
 * writer may find that in a signal handler, so another device is opened without
 * the allocator, and the thread of the closed one starts the next thread.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/cancel.h"
#include "lib/base/timed_lock.h"
#include "lib/provider/enable_area.h"
#include "lib/provider/hooks.h"
#include "lib/provider/registration.h"
#include "lib/ring/ring.h"

#define DEVICE		"/dev/evntprov"
/* Above the numbers that programs rely on for their own descriptors */
#define HIGH_FD		100
#define LOW_FD		3
/*
 * A process that opens the device this often registers briefly and repeatedly:
 * opening it costs several times as much as a registration.
 */
#define KEPT_OPENING	3

/**
 * struct evnt_device - an open device
 * @fd: its descriptor
 * @thread: thread that reads notifications, if @has_thread
 * @has_thread: whether there is a thread
 * @inherited: opened by the parent, and not replaced in the child: only good
 *	for writing
 * @rdev: device number of @fd, to detect a number reused for another file
 * @refs: references of the process and of the thread
 * @notification: notification that the thread handles, and its filter data
 */
struct evnt_device {
	int fd;
	pthread_t thread;
	bool has_thread;
	bool inherited;
	dev_t rdev;
	unsigned int refs;
	union {
		struct evntprov_notification n;
		BYTE bytes[EVNTPROV_MAX_NOTIFICATION];
	} notification;
};

/* Number of times that this process has opened a device; under evnt_lib_lock */
static unsigned int openings;

/* Written under evnt_lib_lock; the descriptor is read without it */
static struct evnt_device *current_device;
int evnt_current_fd = -1;

static void set_device(struct evnt_device *device)
{
	current_device = device;
	if (device)
		evnt_ring_device = device->rdev;
	__atomic_store_n(&evnt_current_fd, device ? device->fd : -1,
			 __ATOMIC_RELEASE);
	if (device)
		evnt_hooks->in_use(device->fd);
}

bool evnt_device_is_current(const struct evnt_device *device)
{
	return device == current_device;
}

static void dev_put(struct evnt_device *device)
{
	if (!--device->refs)
		munmap(device, sizeof(*device));
}

/* Return the descriptor, which the thread reads without the lock */
static int dev_fd(const struct evnt_device *device)
{
	return __atomic_load_n(&device->fd, __ATOMIC_RELAXED);
}

/* Test that the descriptor was not closed and its number reused */
static bool is_ours(const struct evnt_device *device)
{
	struct stat st;

	return !fstat(dev_fd(device), &st) && S_ISCHR(st.st_mode) &&
	       st.st_rdev == device->rdev;
}

/* Test whether there is a device that was opened by this process */
bool evnt_device_is_own(void)
{
	return current_device && !current_device->inherited &&
	       is_ours(current_device);
}

/*
 * Close a device that is not current, unless the current one has its number.
 * Linux cannot close a number on condition of its file: a program that closes
 * this descriptor and gets its number for a file just between the two calls
 * loses that file.
 */
static void close_if_ours(const struct evnt_device *device)
{
	if (is_ours(device) && device->fd != evnt_device_fd())
		close(device->fd);
}

/*
 * Make the thread's read() return, as closing any descriptor of the file does.
 * The thread's own descriptor stays open, so that it never reads from another
 * file that reuses the number.
 */
static void hang_up(struct evnt_device *device)
{
	int fd;

	if (!is_ours(device))
		return;		/* the close has ended read() */
	fd = fcntl(device->fd, F_DUPFD_CLOEXEC, LOW_FD);
	if (fd < 0 && errno == EBADF)
		return;		/* closed just now */
	if (fd < 0) {
		fd = device->fd;
		__atomic_store_n(&device->fd, -1, __ATOMIC_RELAXED);
	}
	close(fd);
}

/**
 * evnt_fd_high() - move a descriptor above the numbers that programs rely on
 * @fd: descriptor, which is closed
 *
 * Return: the new descriptor, or -1.
 */
int evnt_fd_high(int fd)
{
	int high = fcntl(fd, F_DUPFD_CLOEXEC, HIGH_FD);

	if (high < 0)
		high = fcntl(fd, F_DUPFD_CLOEXEC, LOW_FD);
	close(fd);
	return high;
}

static struct evnt_device *dev_create(void)
{
	struct evnt_device *device = mmap(NULL, sizeof(*device),
					  PROT_READ | PROT_WRITE,
					  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct stat st;
	int fd;

	if (device == MAP_FAILED)
		return NULL;
	fd = open(DEVICE, O_RDWR | O_CLOEXEC);
	device->fd = fd < 0 ? -1 : evnt_fd_high(fd);
	if (device->fd < 0 || fstat(device->fd, &st)) {
		munmap(device, sizeof(*device));
		return NULL;
	}
	device->rdev = st.st_rdev;
	device->refs = 1;
	evnt_hooks->opened(device->fd);
	return device;
}

static int set_through(int fd, REGHANDLE handle, ULONG info_class,
		       const void *info, ULONG len)
{
	struct evntprov_set_information arg = {
		.size = sizeof(arg),
		.handle = handle,
		.info_class = info_class,
		.len = len,
		.info = (uintptr_t)info,
	};

	return ioctl(fd, EVNTPROV_IOC_SET_INFORMATION, &arg) ? errno : 0;
}

/* Register with a device */
static int register_through(int fd, const struct evnt_registration *r)
{
	struct evntprov_register arg = {
		.size = sizeof(arg),
		.flags = r->callback ? EVNTPROV_REGISTER_NOTIFY : 0,
		.handle = r->handle,
	};
	int err;

	if (r->classic.request)
		arg.flags |= EVNTPROV_REGISTER_CLASSIC;
	if (evnt_ring_is_allowed())
		arg.flags |= EVNTPROV_REGISTER_RING;
	memcpy(&arg.provider, &r->id, sizeof(arg.provider));
	err = ioctl(fd, EVNTPROV_IOC_REGISTER, &arg) ? errno : 0;
	/* An older module knows no rings */
	if (err == EINVAL && arg.flags & EVNTPROV_REGISTER_RING) {
		arg.flags &= ~EVNTPROV_REGISTER_RING;
		err = ioctl(fd, EVNTPROV_IOC_REGISTER, &arg) ? errno : 0;
	}
	if (err)
		return err;
	/* Events work without a manifest */
	if (r->manifest)
		set_through(fd, r->handle, EVNTPROV_INFO_MANIFEST, r->manifest,
			    0);
	return 0;
}

/* Repeat everything that was set before, which the module accepted then */
static void register_again(int fd, const struct evnt_registration *r)
{
	BYTE use_types = r->use_types;

	register_through(fd, r);
	if (r->track_binary)
		set_through(fd, r->handle, EVNTPROV_INFO_BINARY_TRACK, NULL, 0);
	if (r->traits)
		set_through(fd, r->handle, EVNTPROV_INFO_TRAITS, r->traits,
			    r->traits[0] | r->traits[1] << 8);
	/* Setting traits has enabled it, so also set it to false */
	if (r->traits || use_types)
		set_through(fd, r->handle, EVNTPROV_INFO_DESCRIPTOR_TYPE,
			    &use_types, sizeof(use_types));
}

int evnt_device_unregister(const struct evnt_registration *r)
{
	struct evntprov_register arg = {
		.size = sizeof(arg),
		.handle = r->handle,
	};

	if (!current_device || current_device->inherited)
		return 0;
	return ioctl(evnt_current_fd, EVNTPROV_IOC_UNREGISTER, &arg) ? errno : 0;
}

/* Test whether a registration or a private session uses the device */
static bool is_used(void)
{
	return evnt_registration_any() || evnt_hooks->needs_device() ||
	       evnt_hooks->keeps_device();
}

/* Detach the thread, which ends by itself; no thread waits for it */
static void drop_thread(struct evnt_device *device)
{
	if (device->has_thread)
		pthread_detach(device->thread);
	device->has_thread = false;
}

static bool any_callback(void)
{
	size_t i;

	for (i = 0; i < evnt_slots_end; i++) {
		if (evnt_registrations[i] && evnt_registrations[i]->callback)
			return true;
	}
	return false;
}

/* Start the thread of the current device if something needs it */
static void start_needed_thread(void)
{
	if (any_callback() || evnt_hooks->needs_device())
		evnt_device_want_thread();
}

/*
 * Replace the device by a new one with all registrations under the same
 * handles.  Writers take no lock, so the new device is published when it is
 * complete.  Its thread catches up on changes that were missed; the caller or
 * the thread of the closed device starts it.
 */
static void replace(void)
{
	struct evnt_device *device = dev_create(), *old = current_device;
	size_t i;

	if (!device)
		return;
	for (i = 0; i < evnt_slots_end; i++) {
		if (evnt_registrations[i])
			register_again(device->fd, evnt_registrations[i]);
	}
	evnt_area_map(device->fd);
	set_device(device);
	evnt_rings_revoke(true);
	evnt_callback_note_behind();
	if (old) {
		close_if_ours(old);
		dev_put(old);
	}
}

/*
 * Replace the device, with signals blocked: in the child of a handler that
 * forks, the fork handler replaces it as well, and then the handler returns
 */
static void reopen(void)
{
	sigset_t all, old;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	replace();
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

/*
 * Test whether the module answers.  A sandbox may forbid ioctl(): then private
 * sessions record the process, as without the module.
 */
static bool answers(int fd)
{
	struct evntprov_version v = { .size = sizeof(v) };

	return !ioctl(fd, EVNTPROV_IOC_VERSION, &v);
}

/**
 * evnt_device_register() - register with the module
 * @r: registration that other threads can already find
 *
 * If the program has closed the descriptor, all registrations including @r are
 * made with another one.
 *
 * Return: 0 or an errno; 0 also if there is no device, or it may not be used.
 */
int evnt_device_register(struct evnt_registration *r)
{
	int err;

	if (!current_device)
		return 0;
	if (!current_device->inherited) {
		err = register_through(evnt_current_fd, r);
		if (!err || is_ours(current_device))
			return err && answers(evnt_current_fd) ? err : 0;
	}
	reopen();
	start_needed_thread();
	return 0;
}

/**
 * evnt_device_set_information() - set information of a registration
 * @handle: the registration
 * @info_class: EVNTPROV_INFO_*
 * @info: the information
 * @len: length of @info in bytes
 *
 * Return: 0 or an errno; 0 also if there is no device: the information is set
 * when one is opened.
 */
int evnt_device_set_information(REGHANDLE handle, ULONG info_class,
				const void *info, ULONG len)
{
	int err;

	if (!current_device || current_device->inherited)
		return 0;
	err = set_through(evnt_current_fd, handle, info_class, info, len);
	if (!err || is_ours(current_device))
		return err;
	reopen();
	start_needed_thread();
	return is_ours(current_device) ?
	       set_through(evnt_current_fd, handle, info_class, info, len) : 0;
}

/*
 * Take evnt_lib_lock for a writer.  Its owner may wait for a lock of the code
 * that the writer, a signal handler, has interrupted.  So after a wait in vain
 * the next writers try once, or handlers that are called in quick succession
 * would never let that code go on.
 */
static int writer_lock(void)
{
	static bool in_vain;
	int err;

	if (__atomic_load_n(&in_vain, __ATOMIC_RELAXED))
		err = pthread_mutex_trylock(&evnt_lib_lock);
	else
		err = evnt_timed_lock(&evnt_lib_lock);
	__atomic_store_n(&in_vain, err == ETIMEDOUT || err == EBUSY,
			 __ATOMIC_RELAXED);
	return err;
}

/**
 * evnt_device_lost() - replace a device whose descriptor was found closed by a
 * writer
 * @fd: the descriptor
 *
 * Several threads may find this at the same time: the first one opens another
 * device, whose descriptor may have the same number.  This starts no thread, as
 * the writer may be a signal handler that has interrupted the allocator.
 */
void evnt_device_lost(int fd)
{
	EVNT_UNCANCELLED;
	/* A later write retries if this signal handler interrupted the owner */
	if (writer_lock())
		return;
	if (current_device && evnt_current_fd == fd && !is_ours(current_device))
		reopen();
	pthread_mutex_unlock(&evnt_lib_lock);
}

/**
 * evnt_device_await() - wait until a device that is being opened is complete
 * @handle: registration that the module does not know
 *
 * Return: whether the registration exists, so that the module now knows it.
 */
bool evnt_device_await(REGHANDLE handle)
{
	bool known;

	/* A signal handler may have interrupted the owner of the lock */
	if (writer_lock())
		return false;
	known = evnt_registration_lookup(handle);
	pthread_mutex_unlock(&evnt_lib_lock);
	return known;
}

/*
 * Test whether a write failed because the program has closed the library's
 * descriptor, and whether it can be retried.  The number may then be unused, or
 * belong to a file of the program, or to a device just being reopened that
 * lacks the registrations.
 */
bool evnt_device_reopened(REGHANDLE handle, int fd, int err)
{
	struct evntprov_version v = { .size = sizeof(v) };
	int saved = errno;
	bool is_device;

	if (err == ENOENT)
		return evnt_device_await(handle);
	if (err != EBADF && err != ENOTTY && err != EINVAL)
		return false;
	is_device = !ioctl(fd, EVNTPROV_IOC_VERSION, &v) &&
		    v.max_sessions;
	errno = saved;
	if (!is_device) {
		evnt_device_lost(fd);
		return true;
	}
	/* Reopened since: only another file returns EBADF or ENOTTY */
	return err != EINVAL && evnt_device_await(handle);
}

/**
 * evnt_device_read_state() - read the present state of a registration
 * @handle: the registration
 *
 * Return: state with its filter data, freed by the caller; or NULL.
 */
struct evntprov_notification *evnt_device_read_state(REGHANDLE handle)
{
	struct evntprov_notification *n = malloc(EVNTPROV_MAX_NOTIFICATION);

	if (n && pread(evnt_device_fd(), n, EVNTPROV_MAX_NOTIFICATION,
		       handle & EVNTPROV_HANDLE_SLOT_MASK) >= (int)sizeof(*n) &&
	    n->handle == handle)
		return n;
	free(n);
	return NULL;
}

/* Read one notification; false if the device is closed */
static bool read_notification(struct evnt_device *device)
{
	ssize_t got;

	/* While a callback ran, the number may have been reused for a file */
	if (device->inherited || !is_ours(device))
		return false;
	do
		got = read(dev_fd(device), &device->notification,
			   sizeof(device->notification));
	while (got < 0 && (errno == EINTR || errno == ENOMEM));
	return got >= (ssize_t)sizeof(device->notification.n);
}

/* Start another thread if a callback has called pthread_exit() */
static void follow_thread(void *of_device)
{
	struct evnt_device *device = of_device;

	pthread_mutex_lock(&evnt_lib_lock);
	drop_thread(device);
	start_needed_thread();
	dev_put(device);
	pthread_mutex_unlock(&evnt_lib_lock);
}

/* Thread function of the library; each device has one thread */
static void *read_notifications(void *arg)
{
	struct evnt_device *device = arg;

	pthread_cleanup_push(follow_thread, device);
	pthread_mutex_lock(&evnt_lib_lock);
	if (evnt_device_is_current(device)) {
		evnt_callback_catch_up();
		evnt_hooks->reopened();
	}
	pthread_mutex_unlock(&evnt_lib_lock);

	while (read_notification(device) &&
	       evnt_callback_notify(&device->notification.n, device))
		;

	pthread_mutex_lock(&evnt_lib_lock);
	/* The program has closed a descriptor that it did not open */
	drop_thread(device);
	if (evnt_device_is_current(device))
		reopen();
	start_needed_thread();
	dev_put(device);
	pthread_mutex_unlock(&evnt_lib_lock);
	pthread_cleanup_pop(0);
	return NULL;
}

/**
 * evnt_device_want_thread() - start the thread that reads notifications
 *
 * Called with evnt_lib_lock.  The thread blocks all signals, which are the
 * program's.
 *
 * Return: 0 or an errno.
 */
int evnt_device_want_thread(void)
{
	struct evnt_device *device = current_device;
	sigset_t all, old;
	int err;

	if (!device || device->has_thread || device->inherited)
		return 0;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = pthread_create(&device->thread, NULL, read_notifications, device);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (err)
		return err;
	pthread_setname_np(device->thread, "evntprov");
	device->has_thread = true;
	device->refs++;
	return 0;
}

/*
 * Open a device in the child of a fork, under evnt_lib_lock, if it is used.  If
 * that fails, keep writing through the parent's.
 */
void evnt_device_forked(void)
{
	struct evnt_device *old = current_device;

	if (!old)
		return;
	/* A callback that forks continues on its thread, with its reference */
	if (old->has_thread && !pthread_equal(old->thread, pthread_self()))
		old->refs--;
	old->has_thread = false;
	if (!is_used()) {
		evnt_device_close();
		return;
	}
	old->inherited = true;
	reopen();
	start_needed_thread();
}

/* Open the device if it exists; without it the module enables nothing */
void evnt_device_open(void)
{
	struct evnt_device *device;

	if (current_device)
		return;
	device = dev_create();
	if (!device)
		return;
	openings++;
	evnt_area_map(device->fd);
	set_device(device);
}

/**
 * evnt_device_unused() - close the device if nothing uses it any longer
 * @keep: keep a device without a thread that the process has opened repeatedly,
 *	for the next registration
 *
 * Called as evnt_device_close().
 */
void evnt_device_unused(bool keep)
{
	if (current_device && !is_used() &&
	    (!keep || current_device->has_thread || openings < KEPT_OPENING))
		evnt_device_close();
}

/**
 * evnt_device_close() - close the device
 *
 * Called with evnt_lib_lock, which is released while the thread ends.  When
 * this returns, nothing of the library is in use, so it may be unloaded.
 */
void evnt_device_close(void)
{
	struct evnt_device *device = current_device;
	bool join;

	if (!device)
		return;
	evnt_area_map(-1);
	set_device(NULL);
	evnt_rings_revoke(false);
	join = device->has_thread &&
	       !pthread_equal(device->thread, pthread_self());
	if (!join)
		drop_thread(device);
	device->has_thread = false;
	if (join) {
		hang_up(device);
		pthread_mutex_unlock(&evnt_lib_lock);
		pthread_join(device->thread, NULL);
		pthread_mutex_lock(&evnt_lib_lock);
	}
	close_if_ours(device);
	dev_put(device);
}
