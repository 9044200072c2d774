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
#include "core/record.h"
#include "lib/base/internal.h"
#include "lib/base/thread.h"

/* The flag of times that can be read from the processor's counter, or 0 */
#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__)
#define EVNT_RING_COUNTER	EVNTPROV_RING_COUNTER
#else
#define EVNT_RING_COUNTER	0
#endif

/* Greatest length of a block that is copied without a call */
#define EVNT_RING_SHORT	256u

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
bool evnt_ring_put_items(REGHANDLE handle, PCEVENT_DESCRIPTOR descriptor,
			 LPCGUID activity, LPCGUID related, bool is_typed,
			 ULONG traits_len, ULONG count,
			 const EVENT_DATA_DESCRIPTOR *data, const int *fd);
void evnt_ring_written(void);
void evnt_rings_revoke(bool is_replaced);
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

/* Read the processor's counter, after all that the thread has read before */
static inline LONGLONG evnt_ring_counter(void)
{
#if defined(__x86_64__) || defined(__i386__)
	ULONG low, high;

	__asm__ volatile("lfence; rdtsc" : "=a" (low), "=d" (high) : : "memory");
	return (ULONGLONG)high << 32 | low;
#elif defined(__aarch64__)
	LONGLONG count;

	__asm__ volatile("isb; mrs %0, cntvct_el0" : "=r" (count) : : "memory");
	return count;
#else
	return 0;
#endif
}

/* Return the time for a record with these flags */
static inline LONGLONG evnt_ring_time(unsigned short flags)
{
	struct timespec now;

	if (flags & EVNT_RING_COUNTER)
		return evnt_ring_counter();
	clock_gettime(CLOCK_BOOTTIME, &now);
	return now.tv_sec * 1000000000ll + now.tv_nsec;
}

/* Write a header, except for the time; returns the address of its data */
static inline BYTE *evnt_ring_put_header(struct etl_event_header *h, ULONG size,
					 unsigned short flags, REGHANDLE handle,
					 PCEVENT_DESCRIPTOR descriptor,
					 LPCGUID activity)
{
	/* The module sets what is between size and flags, and behind them */
	const ULONGLONG first = size | (ULONGLONG)flags << 32;

	memcpy(h, &first, sizeof(first));
	memcpy(h->provider, &handle, sizeof(handle));
	memcpy(&h->descriptor, descriptor, sizeof(h->descriptor));
	memcpy(h->activity, activity, sizeof(h->activity));
	return (BYTE *)(h + 1);
}

/* Size of a block; more than EVNT_RING_SHORT also if it has a type */
static inline ULONGLONG evnt_ring_short_len(const EVENT_DATA_DESCRIPTOR *data)
{
	ULONGLONG len;

	/* Reserved is in the upper half */
	memcpy(&len, (const BYTE *)data + offsetof(EVENT_DATA_DESCRIPTOR, Size),
	       sizeof(len));
	return len;
}

/*
 * Copy a short block.  Without a call, the caller need not save any register.
 * The last part of what is copied may overlap the one before it.
 */
static __always_inline void evnt_ring_copy_short(BYTE *to, const BYTE *from,
						 ULONGLONG len)
{
	ULONGLONG i;

	if (len > 64) {
		for (i = 32; i < len; i += 32)
			memcpy(to + i - 32, from + i - 32, 32);
		memcpy(to + len - 32, from + len - 32, 32);
	} else if (likely(len >= 32)) {
		memcpy(to, from, 32);
		memcpy(to + len - 32, from + len - 32, 32);
	} else if (len >= 16) {
		memcpy(to, from, 16);
		memcpy(to + len - 16, from + len - 16, 16);
	} else if (len >= 8) {
		memcpy(to, from, 8);
		memcpy(to + len - 8, from + len - 8, 8);
	} else {
		for (i = 0; i < len; i++)
			to[i] = from[i];
	}
}

/* Return whether events were lost for which the thread has not paused yet */
static inline bool evnt_ring_has_lost(const struct evnt_ring *ring,
				      const struct evntprov_ring *state)
{
	return __atomic_load_n(&state->lost, __ATOMIC_RELAXED) != ring->lost;
}

/**
 * struct evnt_ring_write - write that is under way
 * @header: the record
 * @ring: ring of the thread
 * @state: memory shared with the module
 * @end: position behind the record
 */
struct evnt_ring_write {
	struct etl_event_header *header;
	struct evnt_ring *ring;
	struct evntprov_ring *state;
	ULONGLONG end;
};

/*
 * Begin a record with @len bytes after the header; returns false if the event must
 * be written otherwise.  For the arguments see evnt_ring_put().
 */
static __always_inline bool
evnt_ring_begin(struct evnt_ring_write *w, struct evnt_thread *self,
		bool is_short, unsigned short flags, ULONGLONG len,
		const int *fd)
{
	struct evntprov_ring *seen;
	ULONGLONG head;

	if (!is_short &&
	    unlikely(len > EVNTPROV_RING_MAX_RECORD - sizeof(*w->header)))
		return false;
	if (unlikely(flags & EVNTPROV_RING_COUNTER ?
		     self->state != EVNT_THREAD_READS_COUNTER : self->is_busy))
		return false;
	self->is_busy = 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	w->ring = self->ring;
	if (unlikely((!(flags & EVNTPROV_RING_COUNTER) && !w->ring) ||
		     w->ring->owner != self)) {
		w->ring = is_short ? NULL : evnt_ring_attach(fd);
		if (!w->ring)
			goto fail;
	}
	/*
	 * In the child of a handler that forks, the ring becomes zero.  Before
	 * the limit is loaded, that is noticed; after that, these are valid.
	 * Therefore the limit is compared before anything is read at @state.
	 */
	head = w->ring->head;
	w->state = w->ring->state;
	w->header = (void *)(w->ring->data + head % EVNTPROV_RING_SIZE);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	/* In a register: gcc would load @state from the stack again */
	seen = w->state;
	if (!is_short)
		__asm__("" : "+r" (seen));
	w->end = head + ALIGN(sizeof(*w->header) + len, (ULONGLONG)ETL_ALIGN);
	if (likely(w->end <= w->ring->limit &&
		   !evnt_ring_has_lost(w->ring, seen)))
		return true;
	if (!is_short && evnt_ring_make_room(w->ring, w->state, w->end, fd))
		return true;
fail:
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	self->is_busy = 0;
	return false;
}

/* Complete a record.  The clock is read last, as less need be kept during a call */
static __always_inline void
evnt_ring_end(const struct evnt_ring_write *w, struct evnt_thread *self,
	      unsigned short flags)
{
	w->header->time_stamp = evnt_ring_time(flags);
	w->ring->head = w->end;
	__atomic_store_n(&w->state->commit, w->end, __ATOMIC_RELEASE); /* (R1) */
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	self->is_busy = 0;
}

/**
 * evnt_ring_put() - write an event to the thread's ring
 * @self: state of the thread
 * @is_short: constant; the event has one block, evnt_ring_short_len() of which is
 *	EVNT_RING_SHORT or less.  Leave it if there is no ring with room: nothing
 *	else than the clock is called, so that few registers need be saved.
 * @flags: flags of a record that is_short, constant
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
 * Return: false if the event must be written otherwise.
 */
static __always_inline bool
evnt_ring_put(struct evnt_thread *self, bool is_short, unsigned short flags,
	      REGHANDLE handle, PCEVENT_DESCRIPTOR descriptor, LPCGUID activity,
	      ULONG count, const EVENT_DATA_DESCRIPTOR *data, const int *fd)
{
	struct evnt_ring_write w;
	ULONGLONG len;
	BYTE *to;
	ULONG i;

	len = is_short ? data->Size : evnt_ring_data_len(count, data);
	if (unlikely(!evnt_ring_begin(&w, self, is_short, flags, len, fd)))
		return false;
	if (!is_short)
		flags = self->reads_counter ? EVNTPROV_RING_COUNTER : 0;
	to = evnt_ring_put_header(w.header, sizeof(*w.header) + len, flags,
				  handle, descriptor,
				  activity ?: &self->activity);
	if (is_short) {
		evnt_ring_copy_short(to, (void *)(uintptr_t)data->Ptr, len);
	} else {
		for (i = 0; i < count; i++) {
			/* Not NULL: NOLINTNEXTLINE(clang-analyzer-*) */
			memcpy(to, (void *)(uintptr_t)data[i].Ptr,
			       data[i].Size);
			to += data[i].Size;
		}
	}
	evnt_ring_end(&w, self, flags);
	return true;
}

/* Size of a block of this type; more than 4 GiB if it has another one */
static inline ULONGLONG evnt_ring_item_len(const EVENT_DATA_DESCRIPTOR *data,
					   UCHAR type)
{
	return evnt_ring_short_len(data) ^ (ULONGLONG)type << 32;
}

/**
 * evnt_ring_put_tracelogging() - write an event as TraceLogging makes them
 * @self: state of the thread
 * @flags: kind of the ring's times, constant
 * @handle: registration whose slot has EVNTPROV_ENABLED_RING_TYPES
 * @descriptor: descriptor of the event
 * @activity: activity ID; NULL: the thread's
 * @traits_item: address of the item header for the registration's traits, or 0.
 *	The module writes the traits themselves.
 * @count: number of elements of @data
 * @data: traits, metadata, and the fields, all of them short
 *
 * Return: false if the event must be written otherwise.
 */
static __always_inline bool
evnt_ring_put_tracelogging(struct evnt_thread *self, unsigned short flags,
			   REGHANDLE handle, PCEVENT_DESCRIPTOR descriptor,
			   LPCGUID activity, const ULONGLONG *traits_item,
			   ULONG count, const EVENT_DATA_DESCRIPTOR *data)
{
	const UCHAR of_provider = EVENT_DATA_DESCRIPTOR_TYPE_PROVIDER_METADATA;
	const UCHAR of_event = EVENT_DATA_DESCRIPTOR_TYPE_EVENT_METADATA;
	const ULONGLONG header = (ULONGLONG)ETL_EXT_SCHEMA_TL << 16;
	ULONGLONG item, metadata, metadata_size, len;
	const EVENT_DATA_DESCRIPTOR *end, *d;
	struct evnt_ring_write w;
	BYTE *to;

	if (unlikely(!data || count - 2 > MAX_EVENT_DATA_DESCRIPTORS - 2))
		return false;
	end = data + count;
	item = __atomic_load_n(traits_item, __ATOMIC_RELAXED);
	metadata = evnt_ring_item_len(&data[1], of_event);
	if (unlikely(!item || metadata - 1 >= EVNT_RING_SHORT ||
		     evnt_ring_item_len(&data[0], of_provider) != item >> 48))
		return false;
	len = (USHORT)item + etl_ext_size(metadata);
	for (d = data + 2; d < end; d++) {
		if (unlikely(evnt_ring_short_len(d) > EVNT_RING_SHORT))
			return false;
		len += d->Size;
	}
	if (unlikely(len > EVNTPROV_RING_MAX_RECORD - sizeof(*w.header) ||
		     !evnt_ring_begin(&w, self, true, flags, len, NULL)))
		return false;
	/* Computing their sizes again costs less than keeping them */
	__asm__("" : "+r" (item), "+r" (metadata));
	metadata_size = etl_ext_size(metadata);
	to = evnt_ring_put_header(w.header, sizeof(*w.header) + len,
				  flags | EVNTPROV_RING_ITEMS, handle,
				  descriptor, activity ?: &self->activity);
	memcpy(to, &item, sizeof(item));
	to += (USHORT)item;
	/* As evnt_item_append(), by one store */
	memset(to + metadata_size - ETL_ALIGN, 0, ETL_ALIGN);
	item = metadata << 48 | header | metadata_size;
	memcpy(to, &item, sizeof(item));
	evnt_ring_copy_short(to + sizeof(struct etl_ext_item),
			     (void *)(uintptr_t)data[1].Ptr, metadata);
	to += metadata_size;
	for (d = data + 2; d < end; d++) {
		evnt_ring_copy_short(to, (void *)(uintptr_t)d->Ptr, d->Size);
		to += d->Size;
	}
	evnt_ring_end(&w, self, flags);
	return true;
}

#endif /* EVNT_LIB_RING_H */
