// SPDX-License-Identifier: MIT
/*
 * Rings of the threads: mapping, room, and their end.
 *
 * Everything here may run in a signal handler, so it allocates by mmap() and
 * takes no lock.  The rings of a process are in a pool, which is zero in a
 * child: a thread of the child finds that its ring is free, and gets another
 * one.  A ring whose thread has ended is reused by the next thread that needs
 * one; the module copies its events in any case.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/record.h"
#include "lib/base/cancel.h"
#include "lib/base/fast_ioctl.h"
#include "lib/ring/ring.h"

#define MODE		"EVNTPROV_RINGS"
/* More than the module has for a process */
#define POOL		64u
/*
 * Number of writes by ioctl, within a time in seconds, after which a thread gets
 * a ring; and number until it tries again
 */
#define FIRST_WRITES	64u
#define FIRST_TIME	1
#define MORE_WRITES	4096u

/* Time for threads to complete an event when their ring ends, in ns */
#define GRACE_NS	50000000

/* Values of revoked: another thread replaces the mapping, or has done so */
#define RING_ENDING	1u
#define RING_ENDED	2u

/* Values of the environment variable */
enum ring_mode { UNKNOWN, AUTO, OFF, FORCE };

/* Number of the device that has rings */
dev_t evnt_ring_device;
/* Number of writes until the next attempt to map a ring, or 0 */
static __thread unsigned int writes_left;
/* Time at which the thread began to count them */
static __thread time_t counted_since;

/*
 * Rings of a process, whose id is 0 until the first one is claimed.  In memory
 * that is zero in a child, unless the child shares all memory, as after vfork().
 */
struct ring_pool {
	pid_t process;
	struct evnt_ring ring[POOL];
};

static struct ring_pool *pool;
/* Incremented when all rings end */
static unsigned int ends;
static enum ring_mode mode;

static enum ring_mode mode_now(void)
{
	const char *text;
	enum ring_mode now = __atomic_load_n(&mode, __ATOMIC_RELAXED);

	if (now != UNKNOWN)
		return now;
	text = secure_getenv(MODE);
	now = AUTO;
	if (text && !strcmp(text, "off"))
		now = OFF;
	else if (text && !strcmp(text, "force"))
		now = FORCE;
	__atomic_store_n(&mode, now, __ATOMIC_RELAXED);
	return now;
}

/* Whether registrations may have EVNTPROV_REGISTER_RING */
bool evnt_ring_is_allowed(void)
{
	return mode_now() != OFF;
}

/* The page of state, and the data twice */
static size_t map_size(void)
{
	return sysconf(_SC_PAGESIZE) + 2 * EVNTPROV_RING_SIZE;
}

static struct ring_pool *get_pool(void)
{
	const size_t size = sizeof(*pool);
	struct ring_pool *now = __atomic_load_n(&pool, __ATOMIC_ACQUIRE);
	struct ring_pool *new;

	if (now)
		return now;
	new = mmap(NULL, size, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (new == MAP_FAILED)
		return NULL;
	if (!madvise(new, size, MADV_WIPEONFORK) &&
	    __atomic_compare_exchange_n(&pool, &now, new, false,
					__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return new;
	munmap(new, size);
	return now;
}

static bool has_ended(pid_t thread)
{
	return syscall(SYS_tgkill, getpid(), thread, 0) && errno == ESRCH;
}

/*
 * Return whether the pool is the process's.  A child that shares its parent's
 * memory must take none: the module would sign the parent's events with the
 * child's ids, and the threads of the parent seem to have ended.
 */
static bool is_of_process(struct ring_pool *of)
{
	const pid_t self = getpid();
	pid_t process = 0;

	return __atomic_compare_exchange_n(&of->process, &process, self, false,
					   __ATOMIC_RELAXED,
					   __ATOMIC_RELAXED) || process == self;
}

/* Take a ring that is free, or that no thread has any longer */
static struct evnt_ring *claim(pid_t self)
{
	struct ring_pool *of = get_pool();
	struct evnt_ring *ring;
	pid_t thread;

	if (!of || !is_of_process(of))
		return NULL;
	for (ring = of->ring; ring < of->ring + POOL; ring++) {
		thread = __atomic_load_n(&ring->thread, __ATOMIC_ACQUIRE);
		if ((!thread || (thread != self && has_ended(thread))) &&
		    __atomic_compare_exchange_n(&ring->thread, &thread, self,
						false, __ATOMIC_ACQ_REL,
						__ATOMIC_RELAXED))
			return ring;
	}
	return NULL;
}

/*
 * Remove the memory of a ring; the module then copies its events.  Returns false
 * while another thread replaces the mapping.
 */
static bool ring_unmap(struct evnt_ring *ring)
{
	if (!ring->data)
		return true;
	if (!__atomic_exchange_n(&ring->is_mapped, 0, __ATOMIC_ACQ_REL) &&
	    __atomic_load_n(&ring->revoked, __ATOMIC_ACQUIRE) != RING_ENDED)
		return false;
	/* From here on, a child needs no memory in its place */
	ring->data = NULL;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	munmap(ring->state, map_size());
	ring->revoked = 0;
	return true;
}

/*
 * Note the kind of the times that the module requires.  The thread is busy, and
 * its ring is set.
 */
static void take_flags(const struct evntprov_ring *state)
{
	static_assert(EVNTPROV_RING_COUNTER == 1, "the value of reads_counter");
	evnt_thread.reads_counter =
		__atomic_load_n(&state->flags, __ATOMIC_RELAXED) &
		EVNT_RING_COUNTER;
}

/* Forget the ring.  A signal handler must not find NULL and the counter. */
static void forget_ring(void)
{
	evnt_thread.reads_counter = 0;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	evnt_thread.ring = NULL;
}

static void ring_release(struct evnt_ring *ring)
{
	ring->owner = NULL;
	__atomic_store_n(&ring->thread, 0, __ATOMIC_RELEASE);
}

/*
 * Map the memory of a ring.  If the program has closed the descriptor, its number
 * may be another file's, which must not be written to.
 */
static void *map_device(int fd)
{
	struct stat st;

	if (fstat(fd, &st) || st.st_rdev != evnt_ring_device)
		return MAP_FAILED;
	return mmap(NULL, map_size(), PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		    EVNTPROV_RING_OFFSET);
}

/* Map a ring for the calling thread, or return NULL */
static struct evnt_ring *ring_map(int fd)
{
	struct evnt_ring *ring = claim(syscall(SYS_gettid));
	void *map = MAP_FAILED;

	if (!ring)
		return NULL;
	if (ring_unmap(ring))
		map = map_device(fd);
	if (map == MAP_FAILED) {
		ring_release(ring);
		return NULL;
	}
	ring->head = 0;
	ring->limit = EVNTPROV_RING_SIZE;
	ring->lost = 0;
	ring->is_paused = false;
	ring->state = map;
	ring->data = (BYTE *)map + sysconf(_SC_PAGESIZE);
	ring->owner = &evnt_thread;
	__atomic_store_n(&ring->is_mapped, 1, __ATOMIC_RELEASE);
	return ring;
}

/* Give up the thread's ring, now or at a later write; returns false */
static bool leave(struct evnt_ring *ring)
{
	int saved = errno;

	ring->limit = 0;
	if (ring_unmap(ring)) {
		forget_ring();
		ring_release(ring);
	}
	errno = saved;
	return false;
}

static time_t seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/**
 * evnt_ring_attach() - count a write of a thread without a ring, or map one
 * @fd: address of the device's descriptor
 *
 * Return: the ring, or NULL.  In the child of a handler that forks after it was
 * mapped, the ring is zero.
 */
__attribute__((cold)) struct evnt_ring *evnt_ring_attach(const int *fd)
{
	const unsigned int before = __atomic_load_n(&ends, __ATOMIC_ACQUIRE);
	struct evnt_ring *ring;
	int saved = errno;
	sigset_t all, old;

	if (!writes_left) {
		writes_left = mode_now() == FORCE ? 1 : FIRST_WRITES;
		counted_since = seconds();
	}
	if (--writes_left || seconds() - counted_since > FIRST_TIME)
		return NULL;
	EVNT_UNCANCELLED;
	/* A handler that forks would have the child map another file */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	ring = ring_map(__atomic_load_n(fd, __ATOMIC_ACQUIRE));
	if (ring) {
		evnt_thread.ring = ring;
		take_flags(ring->state);
	} else {
		forget_ring();
	}
	/* Either this thread sees the end of all rings, or its own ends */
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (ring && __atomic_load_n(&ends, __ATOMIC_RELAXED) != before) {
		leave(ring);
		ring = NULL;
	}
	if (!ring)
		writes_left = MORE_WRITES;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	errno = saved;
	return ring;
}

/*
 * Write by ioctl until one succeeds, as a session has lost events; returns false
 */
static bool pause_ring(struct evnt_ring *ring,
		       const struct evntprov_ring *state)
{
	ring->limit = 0;
	ring->lost = __atomic_load_n(&state->lost, __ATOMIC_RELAXED);
	ring->is_paused = true;
	return false;
}

static bool is_full(const struct evntprov_ring *state, ULONGLONG end)
{
	const ULONGLONG tail = __atomic_load_n(&state->tail,
					       __ATOMIC_ACQUIRE);	/* (R2) */

	return end - tail > EVNTPROV_RING_SIZE;
}

static bool is_own(const struct evnt_ring *ring)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return ring->owner == &evnt_thread;
}

/**
 * evnt_ring_make_room() - make room for a record
 * @ring: ring of the thread
 * @state: memory shared with the module
 * @end: position behind the record
 * @fd: address of the device's descriptor
 *
 * A signal handler may fork at any time, and the child then continues here.  Its
 * @ring is zero and has no owner, but there is memory at @state.
 *
 * (R2) The acquire of @tail pairs with the release in the module: what was
 *      copied may be overwritten.
 *
 * Return: false if the event must be written by ioctl; then the ring may be
 * another thread's.
 */
__attribute__((cold)) bool
evnt_ring_make_room(struct evnt_ring *ring, const struct evntprov_ring *state,
		    ULONGLONG end, const int *fd)
{
	int err;

	if (!is_own(ring))
		return false;
	if (__atomic_load_n(&ring->revoked, __ATOMIC_ACQUIRE))
		return leave(ring);
	if (ring->is_paused || evnt_ring_has_lost(ring, state))
		return pause_ring(ring, state);
	if (is_full(state, end)) {
		err = evnt_ioctl(__atomic_load_n(fd, __ATOMIC_ACQUIRE),
				 EVNTPROV_IOC_DRAIN,
				 (const void *)(uintptr_t)state->id);
		if (!is_own(ring))
			return false;
		if (err == ENOBUFS)
			return pause_ring(ring, state);
		if (err || is_full(state, end))
			return leave(ring);
	}
	take_flags(state);
	__atomic_store_n(&ring->limit, state->tail + EVNTPROV_RING_SIZE,
			 __ATOMIC_RELAXED);
	/* Either this thread sees the revocation, or its limit is overwritten */
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (__atomic_load_n(&ring->revoked, __ATOMIC_RELAXED))
		return leave(ring);
	return is_own(ring);
}

/* Number of types of blocks of an event in a ring; 0 is the type of data */
#define TYPES	(EVENT_DATA_DESCRIPTOR_TYPE_PROVIDER_METADATA + 1)

/* Add up the sizes of the blocks of each type; false if the ioctl must do it */
static bool add_up(ULONGLONG sum[TYPES], bool is_typed, ULONG count,
		   const EVENT_DATA_DESCRIPTOR *data)
{
	ULONG i;

	if (count > MAX_EVENT_DATA_DESCRIPTORS || (count && !data))
		return false;
	for (i = 0; i < count; i++) {
		if (is_typed ? data[i].Type >= TYPES : data[i].Reserved != 0)
			return false;
		sum[data[i].Type] += data[i].Size;
	}
	return true;
}

static ULONGLONG item_size(ULONGLONG len)
{
	return len ? etl_ext_size(len) : 0;
}

/**
 * evnt_ring_put_items() - write an event with extended items to the thread's ring
 * @handle: registration whose slot has EVNTPROV_ENABLED_RING or _RING_TYPES
 * @descriptor: descriptor of the event
 * @activity: activity ID; NULL: the thread's
 * @related: related activity ID, or NULL
 * @is_typed: the registration uses the types of data
 * @traits_len: size of the traits of the registration, or 0.  The event must have
 *	as many bytes of them, in which the module writes them.
 * @count: number of elements of @data
 * @data: data of the event
 * @fd: address of the device's descriptor
 *
 * Return: false if the event must be written by ioctl, as one without items.
 */
bool evnt_ring_put_items(REGHANDLE handle, PCEVENT_DESCRIPTOR descriptor,
			 LPCGUID activity, LPCGUID related, bool is_typed,
			 ULONG traits_len, ULONG count,
			 const EVENT_DATA_DESCRIPTOR *data, const int *fd)
{
	const ULONG traits = EVENT_DATA_DESCRIPTOR_TYPE_PROVIDER_METADATA;
	const ULONG metadata = EVENT_DATA_DESCRIPTOR_TYPE_EVENT_METADATA;
	struct evnt_thread *self = &evnt_thread;
	struct evnt_item_chain chain = {};
	struct evnt_ring_write w;
	ULONGLONG sum[TYPES] = {}, len;
	unsigned short flags;
	BYTE *to[TYPES];

	if (!add_up(sum, is_typed, count, data) ||
	    (traits_len && sum[traits] != traits_len))
		return false;
	len = item_size(related ? ETL_RELATED_SIZE : 0) +
	      item_size(sum[traits]) + item_size(sum[metadata]);
	if (!len)
		return false;
	len += sum[0];
	if (!evnt_ring_begin(&w, self, false, 0, len, fd))
		return false;
	flags = EVNTPROV_RING_ITEMS;
	if (self->reads_counter)
		flags |= EVNTPROV_RING_COUNTER;
	chain.end = evnt_ring_put_header(w.header, sizeof(*w.header) + len,
					 flags, handle, descriptor,
					 activity ?: &self->activity);
	if (related)
		memcpy(evnt_item_append(&chain, ETL_EXT_RELATED_ACTIVITY,
					ETL_RELATED_SIZE),
		       related, ETL_RELATED_SIZE);
	if (sum[traits])
		to[traits] = evnt_item_append(&chain, ETL_EXT_PROV_TRAITS,
					      sum[traits]);
	if (sum[metadata])
		to[metadata] = evnt_item_append(&chain, ETL_EXT_SCHEMA_TL,
						sum[metadata]);
	to[0] = chain.end;
	for (; count; count--, data++) {
		if (!data->Size)
			continue;
		memcpy(to[data->Type], (void *)(uintptr_t)data->Ptr, data->Size);
		to[data->Type] += data->Size;
	}
	evnt_ring_end(&w, self, flags);
	return true;
}

/* Continue with the ring after an event was written by ioctl */
void evnt_ring_written(void)
{
	struct evnt_ring *ring = evnt_thread.ring;

	if (ring && is_own(ring))
		ring->is_paused = false;
}

/* Put memory of the process in the place of a mapping */
static void map_over(void *at)
{
	(void)mmap(at, map_size(), PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

/**
 * evnt_rings_revoke() - end all rings of a device
 * @is_replaced: the process goes on with another device, since the program has
 *	closed the descriptor; false: nothing is registered any longer
 *
 * The caller has published the other descriptor, or none.  Another thread may
 * be writing an event, so memory stays in the place of each ring until its
 * thread notices.  If the device was replaced, threads have GRACE_NS to complete
 * the event; one that does not run for so long loses it.
 */
void evnt_rings_revoke(bool is_replaced)
{
	static const struct timespec grace = { .tv_nsec = GRACE_NS };
	struct ring_pool *of = __atomic_load_n(&pool, __ATOMIC_ACQUIRE);
	struct evnt_ring *ring;
	bool any = false;

	__atomic_fetch_add(&ends, 1, __ATOMIC_SEQ_CST);
	for (ring = of ? of->ring : NULL; of && ring < of->ring + POOL; ring++) {
		if (!__atomic_exchange_n(&ring->is_mapped, 0, __ATOMIC_ACQ_REL))
			continue;
		__atomic_store_n(&ring->revoked, RING_ENDING, __ATOMIC_RELAXED);
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
		__atomic_store_n(&ring->limit, 0, __ATOMIC_RELAXED);
		any = true;
	}
	if (!any)
		return;
	if (is_replaced)
		nanosleep(&grace, NULL);
	for (ring = of->ring; ring < of->ring + POOL; ring++) {
		if (__atomic_load_n(&ring->revoked, __ATOMIC_RELAXED) !=
		    RING_ENDING)
			continue;
		map_over(ring->state);
		__atomic_store_n(&ring->revoked, RING_ENDED, __ATOMIC_RELEASE);
	}
}

/* Ring of a write that a signal handler that forks has interrupted, or NULL */
static void *interrupted;

void evnt_rings_fork_begin(void)
{
	const struct evnt_ring *ring = evnt_thread.ring;

	interrupted = NULL;
	if (ring && ring->data && is_own(ring) && evnt_thread.is_busy)
		interrupted = ring->state;
}

/*
 * A child has no rings, but its thread may have been interrupted in a write,
 * which the parent completes as well
 */
void evnt_rings_forked(void)
{
	if (interrupted)
		map_over(interrupted);
	forget_ring();
	writes_left = 0;
}
