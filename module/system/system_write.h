/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The path of events of the kernel into the buffers of sessions.  Inline, so that
 * the frequent ones, whose form is constant, cost little.
 *
 * A probe writes each record to all sessions that have its flag.  The sessions
 * are independent of each other: one that has no room loses the event, and
 * counts it.  Probes run in any context, under the locks of run queues, too, so
 * the path takes no lock, wakes no task and allocates nothing: a full buffer is
 * handed over by irq_work, as for all other events.  The writer thread that this
 * wakes causes events itself: some for each buffer, which holds hundreds, so
 * they die out.
 */
#ifndef EVNT_SYSTEM_WRITE_H
#define EVNT_SYSTEM_WRITE_H

#include <linux/smp.h>

#include "core/reserve.h"
#include "module/system/system.h"

/**
 * struct evnt_system_slot - session that records events of the kernel
 * @session: the session; valid while @flags is not 0
 * @flags: its EVNTRACE_SYSTEM_*, or 0; those without a source have no effect
 *
 * Written under the lock of the slots, read under RCU.
 */
struct evnt_system_slot {
	struct evnt_session *session;
	u32 flags;
};

extern struct evnt_system_slot evnt_system_slots[EVNTRACE_MAX_SYSTEM];
extern struct evnt_system_slot *evnt_system_end;
extern u32 evnt_system_stacks;

/* Return whether a session may want the call stack of an event with this flag */
static __always_inline bool evnt_may_want_stack(u32 flag)
{
	return unlikely(READ_ONCE(evnt_system_stacks) & flag);
}

static __always_inline u8 *evnt_system_put_header(u8 *record, u32 size, s64 time,
						  const struct evnt_system_record *r)
{
	struct etl_system_header *h = (void *)record;
	struct etl_perf_header *perf = (void *)record;

	if (r->is_short) {
		*perf = (struct etl_perf_header) {
			.version = r->hook >> 16,
			.kind = ETL_RECORD_PERFINFO64,
			.size = size,
			.hook = (u16)r->hook,
			.time_stamp = time,
		};
		return (u8 *)(perf + 1);
	}
	*h = (struct etl_system_header) {
		.version = r->hook >> 16,
		.kind = ETL_RECORD_SYSTEM64,
		.size = size,
		.hook = (u16)r->hook,
		.thread_id = r->thread_id,
		.process_id = r->process_id,
		.time_stamp = time,
	};
	return (u8 *)(h + 1);
}

/**
 * struct evnt_system_source - record for a session
 * @r: record
 * @hide: write 0 instead of the address in its data
 * @is_ns: times are in units of ns, otherwise of 100 ns
 * @time: out: time stamp
 */
struct evnt_system_source {
	const struct evnt_system_record *r;
	bool hide;
	bool is_ns;
	s64 time;
};

/* Return a time in ns at @at in the units of the session */
static __always_inline s64 evnt_system_span(const struct evnt_system_source *s,
					    const void *at)
{
	const s64 ns = get_unaligned((const s64 *)at);

	return s->is_ns ? ns : ns / 100;
}

/* evnt_write_record() calls this */
static __always_inline int evnt_system_fill(u8 *record, u32 size, s64 time,
					    void *source)
{
	struct evnt_system_source *s = source;
	const struct evnt_system_record *r = s->r;
	u8 *data = evnt_system_put_header(record, size, time, r);

	s->time = time;
	memcpy(data, r->data, r->len);
	if (s->hide)
		memset(data + r->address_at, 0, sizeof(u64));
	if (r->elapsed_at)
		put_unaligned(evnt_system_span(s, data + r->elapsed_at),
			      (s64 *)(data + r->elapsed_at));
	if (r->has_begin)
		put_unaligned(time - evnt_system_span(s, data), (s64 *)data);
	memset(data + r->len, 0, record + ALIGN(size, ETL_ALIGN) -
				 (data + r->len));
	return 0;
}

static __always_inline u32 evnt_system_size(const struct evnt_system_record *r)
{
	return r->len + (r->is_short ? sizeof(struct etl_perf_header) :
				       sizeof(struct etl_system_header));
}

/**
 * evnt_system_write_to() - write a record to a session
 * @s: session, which the caller keeps from being freed
 * @r: record
 * @time: out: time stamp of the record, if it was written
 *
 * Context: Any; preemption is disabled.
 *
 * Return: 0 or an error of evnt_write_record(); a loss is not counted.
 */
static __always_inline int
evnt_system_write_to(struct evnt_session *s, const struct evnt_system_record *r,
		     s64 *time)
{
	struct evnt_system_source source = {
		.r = r,
		.hide = r->has_kernel_address && !s->shows_kernel,
		.is_ns = s->buffers.clock_type == EVNT_CLOCK_QPC,
	};
	const int err = evnt_write_record(&s->buffers, smp_processor_id(),
					  evnt_system_size(r), evnt_system_fill,
					  &source);

	*time = source.time;
	return err;
}

/**
 * evnt_system_write_slot() - write a record to the session of a slot
 * @r: record; written if the session has its flag
 * @of: the slot
 * @stacks: the slot is added if the session wants a call stack; or NULL
 *
 * A loss is counted in the session.
 *
 * Context: Any; preemption is disabled.
 */
static __always_inline void
evnt_system_write_slot(const struct evnt_system_record *r,
		       const struct evnt_system_slot *of,
		       struct evnt_stack_slots *stacks)
{
	struct evnt_session *s;
	s64 time;
	int err;

	/* Pairs with the release in set_slot() of system.c */
	if (!(smp_load_acquire(&of->flags) & r->flag))
		return;
	s = of->session;
	err = evnt_system_write_to(s, r, &time);
	if (unlikely(err)) {
		evnt_count_lost(&s->buffers, smp_processor_id(),
				evnt_loss_of(err));
	} else if (stacks && READ_ONCE(s->stack_flags) & r->flag) {
		const u32 slot = of - evnt_system_slots;

		__set_bit(slot, s->shows_kernel ? &stacks->shown :
						  &stacks->hidden);
		stacks->time[slot] = time;
	}
}

/**
 * evnt_system_write() - write a record to all sessions that want it
 * @r: record
 * @stacks: filled in: the sessions that want a call stack, too; or NULL
 *
 * Context: Any; preemption is disabled.
 */
static __always_inline void
evnt_system_write(const struct evnt_system_record *r,
		  struct evnt_stack_slots *stacks)
{
	const struct evnt_system_slot *of = evnt_system_slots;
	const struct evnt_system_slot *end = READ_ONCE(evnt_system_end);

	if (stacks) {
		stacks->flag = r->flag;
		stacks->shown = 0;
		stacks->hidden = 0;
	}
	do
		evnt_system_write_slot(r, of, stacks);
	while (++of < end);
}

/*
 * Write a record in the short form; arguments as in struct evnt_system_record, and
 * as for evnt_system_write()
 */
static __always_inline void
evnt_system_write_short(u32 flag, u32 hook, const void *data, u32 len,
			struct evnt_stack_slots *stacks)
{
	const struct evnt_system_record r = {
		.flag = flag,
		.hook = hook,
		.is_short = true,
		.len = len,
		.data = data,
	};

	evnt_system_write(&r, stacks);
}

/**
 * evnt_system_lose() - count an event that could not be composed
 * @flag: its EVNTRACE_SYSTEM_*
 *
 * Context: Any; preemption is disabled.
 */
static inline void evnt_system_lose(u32 flag)
{
	const struct evnt_system_slot *end = READ_ONCE(evnt_system_end);
	const struct evnt_system_slot *of;

	for (of = evnt_system_slots; of < end; of++) {
		/* Pairs with the release in set_slot() of system.c */
		if (smp_load_acquire(&of->flags) & flag)
			evnt_count_lost(&of->session->buffers,
					smp_processor_id(), EVNT_LOST_NO_BUFFER);
	}
}

#endif /* EVNT_SYSTEM_WRITE_H */
