/* SPDX-License-Identifier: MIT */
/*
 * Rings: events that a thread writes without a system call.
 *
 * The module and linux/evntprov.h describe what a ring is.  evnt_ring_put() is
 * inline: it is the whole cost of most events.
 */
#ifndef EVNT_LIB_RING_H
#define EVNT_LIB_RING_H

#include <string.h>
#include <sys/types.h>
#include <time.h>

#include <linux/evntprov.h>

#include "core/etl.h"
#include "lib/base/internal.h"
#include "lib/base/thread.h"

/**
 * struct evnt_ring - ring of a thread
 * @owner: the thread's evnt_thread
 * @head: number of bytes written
 * @limit: number of bytes up to which may be written; 0 makes the next write
 *	look for the reason
 * @state: memory shared with the module
 * @data: records in it, or NULL
 * @thread: id of the thread, or 0 if the ring is free
 * @is_mapped: @state is a mapping of the module's; whoever clears it may replace
 *	the mapping
 * @revoked: RING_*; written by the thread that closes the device
 * @lost: number of lost events for which the thread has paused
 * @is_paused: events were lost: write by ioctl until one succeeds
 *
 * In memory that is zero in a child process, however it was created.
 */
struct evnt_ring {
	const struct evnt_thread *owner;
	pid_t thread;
	ULONGLONG head;
	ULONGLONG limit;
	struct evntprov_ring *state;
	BYTE *data;
	unsigned int is_mapped;
	unsigned int revoked;
	unsigned int lost;
	bool is_paused;
} __attribute__((aligned(64)));

extern dev_t evnt_ring_device EVNT_HIDDEN;

bool evnt_ring_is_allowed(void);
struct evnt_ring *evnt_ring_attach(const int *fd);
bool evnt_ring_make_room(struct evnt_ring *ring,
			 const struct evntprov_ring *state, ULONGLONG end,
			 const int *fd);
void evnt_ring_written(void);
void evnt_rings_revoke(void);
void evnt_rings_fork_begin(void);
void evnt_rings_forked(void);

/* Sum of the sizes, or more than a record may have */
static inline ULONGLONG evnt_ring_data_len(ULONG count,
					   const EVENT_DATA_DESCRIPTOR *data)
{
	ULONGLONG len = 0;
	ULONG i;

	if (unlikely(count > MAX_EVENT_DATA_DESCRIPTORS || (count && !data)))
		return EVNTPROV_RING_MAX_RECORD;
	for (i = 0; i < count; i++) {
		if (unlikely(data[i].Reserved))
			return EVNTPROV_RING_MAX_RECORD;
		len += data[i].Size;
	}
	return len;
}

/* Return the time for a record with these flags */
static inline LONGLONG evnt_ring_time(unsigned short flags)
{
	struct timespec now;
#if defined(__x86_64__) || defined(__i386__)
	ULONG low, high;

	if (flags & EVNTPROV_RING_TSC) {
		/* After all that the thread has read before */
		__asm__ volatile("lfence; rdtsc" : "=a" (low), "=d" (high) : :
				 "memory");
		return (ULONGLONG)high << 32 | low;
	}
#endif
	clock_gettime(CLOCK_BOOTTIME, &now);
	return now.tv_sec * 1000000000ll + now.tv_nsec;
}

/* Write the record of an event, except for its data; returns their address */
static inline BYTE *evnt_ring_put_header(BYTE *at, ULONG size,
					 unsigned short flags, LONGLONG time,
					 REGHANDLE handle,
					 PCEVENT_DESCRIPTOR descriptor,
					 LPCGUID activity)
{
	struct etl_event_header *h = (struct etl_event_header *)at;

	h->size = size;
	h->flags = flags;
	h->time_stamp = time;
	memcpy(h->provider, &handle, sizeof(handle));
	memcpy(&h->descriptor, descriptor, sizeof(h->descriptor));
	memcpy(h->activity, activity, sizeof(h->activity));
	return at + sizeof(*h);
}

/* Return whether events were lost for which the thread has not paused yet */
static inline bool evnt_ring_has_lost(const struct evnt_ring *ring,
				      const struct evntprov_ring *state)
{
	return __atomic_load_n(&state->lost, __ATOMIC_RELAXED) != ring->lost;
}

/**
 * evnt_ring_put() - write an event to the thread's ring
 * @self: state of the thread
 * @flags: flags of the record; constant
 * @handle: registration whose slot has EVNTPROV_ENABLED_RING
 * @descriptor: descriptor of the event
 * @activity: activity ID; NULL: the thread's
 * @count: number of elements of @data
 * @data: data of the event
 * @fd: address of the device's descriptor
 *
 * One record is under way at a time, and @commit does not cover it: a thread
 * that is killed leaves at most one event that is not recorded, whose write has
 * not returned.  A signal handler that interrupts this function writes by
 * ioctl.  If it leaves by siglongjmp(), so does the thread from then on.
 *
 * (R1) The release of @commit pairs with the acquire in the module: all bytes
 *      of the record are written before.
 *
 * Return: false if the event must be written by ioctl.
 */
static __always_inline bool
evnt_ring_put(struct evnt_thread *self, unsigned short flags, REGHANDLE handle,
	      PCEVENT_DESCRIPTOR descriptor, LPCGUID activity, ULONG count,
	      const EVENT_DATA_DESCRIPTOR *data, const int *fd)
{
	ULONGLONG size = sizeof(struct etl_event_header);
	struct evntprov_ring *state, *seen;
	struct evnt_ring *ring;
	ULONGLONG head;
	LONGLONG time;
	ULONG len, i;
	BYTE *data_at, *to;

	size += evnt_ring_data_len(count, data);
	if (unlikely(size > EVNTPROV_RING_MAX_RECORD || self->is_busy))
		return false;
	len = ALIGN(size, (ULONGLONG)ETL_ALIGN);
	self->is_busy = 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	ring = self->ring;
	if (unlikely(!ring || ring->owner != self)) {
		ring = evnt_ring_attach(fd);
		if (!ring)
			goto fail;
	}
	/* Early: what follows need not be kept during a call */
	time = evnt_ring_time(flags);
	/*
	 * In the child of a handler that forks, the ring becomes zero.  Before
	 * the limit is loaded, that is noticed; after that, these are valid.
	 * Therefore the limit is compared before anything is read at @state.
	 */
	head = ring->head;
	state = ring->state;
	data_at = ring->data + head % EVNTPROV_RING_SIZE;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	/* In a register: gcc would load @state from the stack again */
	__asm__("" : "=r" (seen) : "0" (state));
	if (unlikely(head + len > ring->limit ||
		     evnt_ring_has_lost(ring, seen)) &&
	    !evnt_ring_make_room(ring, state, head + len, fd))
		goto fail;
	to = evnt_ring_put_header(data_at, size, flags, time, handle,
				  descriptor, activity ?: &self->activity);
	for (i = 0; i < count; i++) {
		memcpy(to, (const void *)(uintptr_t)data[i].Ptr, data[i].Size);
		to += data[i].Size;
	}
	ring->head = head + len;
	__atomic_store_n(&state->commit, head + len, __ATOMIC_RELEASE); /* (R1) */
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	self->is_busy = 0;
	return true;

fail:
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	self->is_busy = 0;
	return false;
}

#endif /* EVNT_LIB_RING_H */
