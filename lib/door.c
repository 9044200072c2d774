// SPDX-License-Identifier: MIT
/*
 * The door to the module: its descriptor, the thread that reads notifications;
 * and what becomes of them, and of private sessions, when the process forks, or
 * closes descriptors that it does not know.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cancel.h"
#include "enable_area.h"
#include "exit.h"
#include "logger.h"
#include "private.h"
#include "registration.h"

#define DOOR		"/dev/evntprov"
/* Out of the way of programs that count on low descriptors */
#define HIGH_FD		100
#define LOW_FD		3

/**
 * struct evnt_door - an open door
 * @fd: its descriptor
 * @thread: reads notifications, if @has_thread
 * @has_thread: whether there is a thread
 * @inherited: it is the parent's, which a child could not replace: good for
 *	writing, and nothing else
 * @device: what @fd must be, so that nobody else's is taken for it
 * @refs: the process's and the thread's
 */
struct evnt_door {
	int fd;
	pthread_t thread;
	bool has_thread;
	bool inherited;
	dev_t device;
	unsigned int refs;
};

/* Written under the lock; the descriptor is read without it */
static struct evnt_door *current_door;
int evnt_current_fd = -1;

static void set_door(struct evnt_door *door)
{
	current_door = door;
	__atomic_store_n(&evnt_current_fd, door ? door->fd : -1, __ATOMIC_RELEASE);
}

bool evnt_door_is_current(const struct evnt_door *door)
{
	return door == current_door;
}

static void door_put(struct evnt_door *door)
{
	if (!--door->refs)
		free(door);
}

/* The thread looks at it without the lock */
static int door_fd(const struct evnt_door *door)
{
	return __atomic_load_n(&door->fd, __ATOMIC_RELAXED);
}

/* A descriptor may have been closed, and be somebody else's now */
static bool is_ours(const struct evnt_door *door)
{
	struct stat st;

	return !fstat(door_fd(door), &st) && S_ISCHR(st.st_mode) &&
	       st.st_rdev == door->device;
}

/* Whether there is a door, and what is asked there is asked by this process */
bool evnt_door_is_own(void)
{
	return current_door && !current_door->inherited &&
	       is_ours(current_door);
}

/* @door is not the current one, whose number may be the same by now */
static void close_if_ours(const struct evnt_door *door)
{
	if (is_ours(door) && door->fd != evnt_door_fd())
		close(door->fd);
}

/*
 * Have the thread's read() return.  Closing any descriptor of the file does
 * that; its own stays, so that the thread never reads what got its number.
 */
static void hang_up(struct evnt_door *door)
{
	int fd;

	if (!is_ours(door))
		return;		/* who closed it has hung up */
	fd = fcntl(door->fd, F_DUPFD_CLOEXEC, LOW_FD);
	if (fd < 0 && errno == EBADF)
		return;		/* likewise, just now */
	if (fd < 0) {
		fd = door->fd;
		__atomic_store_n(&door->fd, -1, __ATOMIC_RELAXED);
	}
	close(fd);
}

/**
 * evnt_fd_high() - put a descriptor where programs do not count on its number
 * @fd: it; closed
 *
 * Return: the new one, or -1.
 */
int evnt_fd_high(int fd)
{
	int high = fcntl(fd, F_DUPFD_CLOEXEC, HIGH_FD);

	if (high < 0)
		high = fcntl(fd, F_DUPFD_CLOEXEC, LOW_FD);
	close(fd);
	return high;
}

static int open_high(void)
{
	int fd = open(DOOR, O_RDWR | O_CLOEXEC);

	return fd < 0 ? -1 : evnt_fd_high(fd);
}

static struct evnt_door *door_create(void)
{
	struct evnt_door *door = calloc(1, sizeof(*door));
	struct stat st;

	if (!door)
		return NULL;
	door->fd = open_high();
	if (door->fd < 0 || fstat(door->fd, &st)) {
		free(door);
		return NULL;
	}
	door->device = st.st_rdev;
	door->refs = 1;
	evnt_loggers_opened(door->fd);
	return door;
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

/* An argument of no size is refused by whoever knows the ioctl */
static bool knows_classic(int fd)
{
	__u64 argument = 0;

	return !ioctl(fd, EVNTPROV_IOC_CLASSIC, &argument) || errno != ENOTTY;
}

/*
 * A module that is older than classic providers has none enabled: their programs run
 * as without it.
 */
static int register_through(int fd, struct evnt_registration *r)
{
	struct evntprov_register arg = {
		.size = sizeof(arg),
		.flags = r->callback ? EVNTPROV_REGISTER_NOTIFY : 0,
		.handle = r->handle,
	};
	int err;

	if (r->classic.request)
		arg.flags |= EVNTPROV_REGISTER_CLASSIC;
	memcpy(&arg.provider, &r->id, sizeof(arg.provider));
	err = ioctl(fd, EVNTPROV_IOC_REGISTER, &arg) ? errno : 0;
	r->unknown = err == EINVAL && r->classic.request && !knows_classic(fd);
	if (err)
		return r->unknown ? 0 : err;
	/* Events can do without, as with a module that does not know it */
	if (r->manifest)
		set_through(fd, r->handle, EVNTPROV_INFO_MANIFEST, r->manifest,
			    0);
	return 0;
}

/* Say again all that was said; what the kernel took once it takes again */
static void register_again(int fd, struct evnt_registration *r)
{
	BYTE use_types = r->use_types;

	register_through(fd, r);
	if (r->track_binary)
		set_through(fd, r->handle, EVNTPROV_INFO_BINARY_TRACK, NULL, 0);
	if (r->traits)
		set_through(fd, r->handle, EVNTPROV_INFO_TRAITS, r->traits,
			    r->traits[0] | r->traits[1] << 8);
	/* Traits have switched it on */
	if (r->traits || use_types)
		set_through(fd, r->handle, EVNTPROV_INFO_DESCRIPTOR_TYPE,
			    &use_types, sizeof(use_types));
}

int evnt_door_unregister(const struct evnt_registration *r)
{
	struct evntprov_unregister arg = {
		.size = sizeof(arg),
		.handle = r->handle,
	};

	if (!current_door || current_door->inherited)
		return 0;
	return ioctl(evnt_current_fd, EVNTPROV_IOC_UNREGISTER, &arg) ? errno : 0;
}

/* The thread of a door ends by itself, and nobody waits for it */
static void drop_thread(struct evnt_door *door)
{
	if (door->has_thread)
		pthread_detach(door->thread);
	door->has_thread = false;
}

static bool any_callback(void)
{
	size_t i;

	for (i = 0; i < EVNTPROV_MAX_SLOTS; i++) {
		if (evnt_registrations[i] &&
		    evnt_wants_thread(evnt_registrations[i]))
			return true;
	}
	return false;
}

/*
 * Go through another door with all registrations, the handles staying as they
 * are.  Writers, who take no lock, see it when it is complete.  Its thread
 * catches up with what happened meanwhile.
 */
static void reopen(void)
{
	struct evnt_door *door = door_create(), *old = current_door;
	size_t i;

	if (!door)
		return;
	for (i = 0; i < EVNTPROV_MAX_SLOTS; i++) {
		if (evnt_registrations[i])
			register_again(door->fd, evnt_registrations[i]);
	}
	evnt_area_map(door->fd);
	set_door(door);
	evnt_callback_note_behind();
	if (old) {
		close_if_ours(old);
		drop_thread(old);
		door_put(old);
	}
	if (any_callback() || evnt_loggers_any())
		evnt_door_want_thread();
}

/**
 * evnt_door_register() - have a registration known to the kernel
 * @r: the registration; others can find it already
 *
 * The program may have closed our descriptor.  Then all are registered through
 * another one, @r with them.
 *
 * Return: 0 or an errno; 0 also when there is no door.
 */
int evnt_door_register(struct evnt_registration *r)
{
	int err;

	if (!current_door)
		return 0;
	if (!current_door->inherited) {
		err = register_through(evnt_current_fd, r);
		if (!err || is_ours(current_door))
			return err;
	}
	reopen();
	return 0;
}

/**
 * evnt_door_set_information() - say more of a registration
 * @handle: the registration
 * @info_class: EVNTPROV_INFO_*
 * @info: what is said
 * @len: its length
 *
 * Return: 0 or an errno; 0 also when there is no door: it is said when there is
 * one.
 */
int evnt_door_set_information(REGHANDLE handle, ULONG info_class,
			      const void *info, ULONG len)
{
	int err;

	if (!current_door || current_door->inherited)
		return 0;
	err = set_through(evnt_current_fd, handle, info_class, info, len);
	if (!err || is_ours(current_door))
		return err;
	reopen();
	return is_ours(current_door) ?
	       set_through(evnt_current_fd, handle, info_class, info, len) : 0;
}

/**
 * evnt_door_lost() - a write found the descriptor closed
 * @fd: the descriptor
 *
 * Many threads may find that at a time: the first opens another door, which
 * may have the same number.
 */
void evnt_door_lost(int fd)
{
	EVNT_UNCANCELLED;
	/* In a signal handler, this thread may have the lock: a later write does it */
	if (evnt_exit_lock())
		return;
	if (current_door && evnt_current_fd == fd && !is_ours(current_door))
		reopen();
	pthread_mutex_unlock(&evnt_lib_lock);
}

/**
 * evnt_door_await() - wait until a door that is being opened is complete
 * @handle: a registration that the kernel does not know
 *
 * Return: whether there is such a registration, so that it does now.
 */
bool evnt_door_await(REGHANDLE handle)
{
	bool known;

	/* In a signal handler, this thread may have the lock */
	if (evnt_exit_lock())
		return false;
	known = evnt_registration_lookup(handle);
	pthread_mutex_unlock(&evnt_lib_lock);
	return known;
}

/* Read one notification: false when the door is closed */
static bool read_notification(const struct evnt_door *door,
			      struct evntprov_notification *n)
{
	ssize_t got;

	/* While a callback ran, our number may have become another file's */
	if (door->inherited || !is_ours(door))
		return false;
	do
		got = read(door_fd(door), n, sizeof(*n));
	while (got < 0 && errno == EINTR);
	return got == sizeof(*n);
}

/* A callback has called pthread_exit(): another thread goes on */
static void follow_thread(void *of_door)
{
	struct evnt_door *door = of_door;

	pthread_mutex_lock(&evnt_lib_lock);
	if (evnt_door_is_current(door)) {
		drop_thread(door);
		evnt_door_want_thread();
	}
	door_put(door);
	pthread_mutex_unlock(&evnt_lib_lock);
}

/* The library's thread; one for each door */
static void *read_notifications(void *arg)
{
	struct evnt_door *door = arg;
	struct evntprov_notification n;

	pthread_cleanup_push(follow_thread, door);
	pthread_mutex_lock(&evnt_lib_lock);
	if (evnt_door_is_current(door)) {
		evnt_callback_catch_up();
		evnt_loggers_again();
	}
	pthread_mutex_unlock(&evnt_lib_lock);

	while (read_notification(door, &n) && evnt_callback_notify(&n, door))
		;

	pthread_mutex_lock(&evnt_lib_lock);
	/* Somebody has closed a descriptor that he did not know */
	if (evnt_door_is_current(door)) {
		drop_thread(door);
		reopen();
	}
	door_put(door);
	pthread_mutex_unlock(&evnt_lib_lock);
	pthread_cleanup_pop(0);
	return NULL;
}

/**
 * evnt_door_want_thread() - have a thread that reads notifications
 *
 * Under the lock.  The thread takes no signals: these are the program's.
 *
 * Return: 0 or an errno.
 */
int evnt_door_want_thread(void)
{
	struct evnt_door *door = current_door;
	sigset_t all, old;
	int err;

	if (!door || door->has_thread || door->inherited)
		return 0;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = pthread_create(&door->thread, NULL, read_notifications, door);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (err)
		return err;
	pthread_setname_np(door->thread, "evntprov");
	door->has_thread = true;
	door->refs++;
	return 0;
}

/* False in a signal handler that has interrupted the owner of the lock */
static bool fork_has_lock;

static void before_fork(void)
{
	fork_has_lock = !pthread_mutex_lock(&evnt_lib_lock);
}

static void after_fork_in_parent(void)
{
	if (fork_has_lock)
		pthread_mutex_unlock(&evnt_lib_lock);
}

/*
 * The child has our memory and descriptors, and none of our threads.  It gets
 * a door of its own; without one, it goes on writing through its parent's.
 */
static void after_fork_in_child(void)
{
	struct evnt_door *old = current_door;

	/* The owner is a thread of the parent */
	evnt_lib_lock = (pthread_mutex_t)
			PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
	pthread_mutex_lock(&evnt_lib_lock);
	evnt_exit_home = getpid();
	evnt_callback_forked();
	evnt_private_forked();
	if (old) {
		/* A callback that forks goes on, on the thread that it is on */
		if (old->has_thread &&
		    !pthread_equal(old->thread, pthread_self()))
			old->refs--;
		old->has_thread = false;
		old->inherited = true;
		reopen();
	}
	if (fork_has_lock)
		pthread_mutex_unlock(&evnt_lib_lock);
}

/*
 * At once, as the lock may be held when somebody forks, door or no door; and before
 * all constructors of a program that has the library in it: 101 is the least.
 */
#pragma GCC diagnostic ignored "-Wprio-ctor-dtor"
static void __attribute__((constructor(100))) handle_forks(void)
{
	evnt_exit_home = getpid();
	pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

/* Open the door, if there is one: without it nothing is ever enabled */
void evnt_door_open(void)
{
	struct evnt_door *door;

	if (current_door)
		return;
	door = door_create();
	if (!door)
		return;
	evnt_area_map(door->fd);
	set_door(door);
}

/**
 * evnt_door_close() - the last registration has gone
 *
 * Under the lock, which is released while the thread ends.  When this returns
 * nothing of the library is in use: it may be unloaded.
 */
void evnt_door_close(void)
{
	struct evnt_door *door = current_door;
	bool join;

	if (!door)
		return;
	evnt_area_map(-1);
	set_door(NULL);
	join = door->has_thread &&
	       !pthread_equal(door->thread, pthread_self());
	if (door->has_thread && !join)
		pthread_detach(door->thread);
	if (join) {
		hang_up(door);
		pthread_mutex_unlock(&evnt_lib_lock);
		pthread_join(door->thread, NULL);
		pthread_mutex_lock(&evnt_lib_lock);
	}
	close_if_ours(door);
	door_put(door);
}
