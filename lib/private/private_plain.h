/* SPDX-License-Identifier: MIT */
/*
 * Writing of most events of private sessions, inline: a single block of data,
 * for the only session that has enabled the provider, which wants records as
 * they are.  private_write.c writes all other events.
 *
 * The writer has the reader's word of its processor, and no other reader has it
 * at the same time, although the writer may migrate.  Therefore the events can be
 * counted by an addition that is not atomic.  Writers that do not get the word
 * go the other way, where the count is atomic and another one:
 *
 * - A signal handler that has interrupted a write on this processor.
 * - A thread that runs after another one was preempted in a write here.
 * - All threads on this processor, after one has left a write by a jump, or was
 *   cancelled or has vanished in it: its word stays in use.
 *
 * The child of a fork has the words and counts as copies.  A write that a signal
 * handler that forks has interrupted goes on in both processes, each with its
 * own.  The IDs of the thread are forgotten by the fork handlers.
 */
#ifndef EVNT_PRIVATE_PLAIN_H
#define EVNT_PRIVATE_PLAIN_H

#include "core/reserve.h"
#include "lib/base/current_cpu.h"
#include "lib/base/read_section.h"
#include "lib/base/thread.h"
#include "lib/private/private.h"
#include "lib/ring/ring.h"

/*
 * Write the record of evnt_private_write_plain().  @len: size of its data.  No
 * other thread is here for this @cpu, nor a signal handler.
 */
static __always_inline bool
evnt_private_put_plain(struct evnt_thread *self, REGHANDLE handle,
		       PCEVENT_DESCRIPTOR d, LPCGUID activity, const void *data,
		       ULONG len, unsigned int cpu)
{
	const u32 size = sizeof(struct etl_event_header) + len;
	const struct evnt_private_set *set;
	struct evnt_reservation at;
	struct evnt_event record;
	struct evnt_buffers *b;
	struct evnt_cpu *c;
	s64 time;
	u8 *to, *start;

	set = __atomic_load_n(&evnt_private_sets[evnt_slot_of(handle)],
			      __ATOMIC_SEQ_CST);
	if (unlikely(!set || set->handle != handle || !set->is_plain))
		return false;
	if (unlikely(!evnt_wanted(&set->interest, d->Level, d->Keyword)))
		return true;
	b = set->buffers;
	if (unlikely(cpu >= b->nr_cpus))
		return false;
	c = &b->cpus[cpu];
	if (unlikely(!evnt_look(b, evnt_current(b, cpu), &at)))
		return false;
	time = evnt_boot_ns();
	if (unlikely(!evnt_claim(b, &at, ALIGN(size, ETL_ALIGN))))
		return false;
	start = evnt_record(&at);
	evnt_private_begin(start, size);
	record = (struct evnt_event) {
		.descriptor = (const struct etl_descriptor *)d,
		.provider = (const u8 *)&set->id,
		.activity = (const u8 *)(activity ?: &self->activity),
		.flags = ETL_EVENT_FLAG_PRIVATE,
		.thread_id = self->thread_id,
		.process_id = self->process_id,
	};
	evnt_private_put_ticks(&record, evnt_processor_ticks(self, time));
	to = evnt_record_put_header(start, size, &record, time);
	if (likely(len <= EVNT_RING_SHORT))
		evnt_ring_copy_short(to, data, len);
	else
		memcpy(to, data, len);
	evnt_private_seal(start, EVNT_PRIVATE_KIND);
	WRITE_ONCE(c->events_alone, c->events_alone + 1);
	evnt_buffer_unref(b, at.buffer);
	return true;
}

/**
 * evnt_private_write_plain() - write an event to the only private session
 * @self: state of the thread
 * @handle: handle of the registration
 * @descriptor: descriptor of the event
 * @activity: activity ID; NULL: the thread's
 * @data: its data, a single block
 *
 * Signals and preemption are as in private_write.c.
 *
 * Return: false if evnt_private_write() must write the event: the session's
 * buffer is full, another writer is on this processor, the thread's ID is not
 * known yet, or the set has changed.
 */
static __always_inline bool
evnt_private_write_plain(struct evnt_thread *self, REGHANDLE handle,
			 PCEVENT_DESCRIPTOR descriptor, LPCGUID activity,
			 const EVENT_DATA_DESCRIPTOR *data)
{
	const unsigned int cpu = evnt_current_cpu();
	const ULONG len = data->Size;
	uintptr_t *inside;
	bool done;

	if (unlikely(len > ETL_MAX_RECORD - sizeof(struct etl_event_header) ||
		     !self->thread_id))
		return false;
	inside = evnt_read_try_begin(cpu);
	if (unlikely(!inside))
		return false;
	done = evnt_private_put_plain(self, handle, descriptor, activity,
				      (void *)(uintptr_t)data->Ptr, len, cpu);
	evnt_read_end(inside);
	return done;
}

#endif /* EVNT_PRIVATE_PLAIN_H */
