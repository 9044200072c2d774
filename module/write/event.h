/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Conversion of a writer's arguments into the event that records are made from.
 */
#ifndef EVNT_EVENT_H
#define EVNT_EVENT_H

#include <linux/compat.h>
#include <linux/math64.h>
#include <linux/sched.h>
#include <linux/sched/cputime.h>

#include "core/buffer.h"
#include "module/write/payload.h"
#include "module/provider/provider.h"
#include "core/record.h"

static inline u32 evnt_ticks(u64 ns)
{
	return div_u64(ns, ETL_TIMER_RESOLUTION * 100);
}

/* Fill in the thread, the process and the word size of the current writer */
static __always_inline void evnt_describe_writer(struct evnt_event *e)
{
	e->kind = in_compat_syscall() ? ETL_RECORD_EVENT32 :
					ETL_RECORD_EVENT64;
	e->thread_id = task_pid_nr(current);
	e->process_id = task_tgid_nr(current);
	e->kernel_time = evnt_ticks(READ_ONCE(current->stime));
	e->user_time = evnt_ticks(READ_ONCE(current->utime));
}

/* Fill in everything that does not depend on the event's data and items */
static __always_inline void
evnt_describe(struct evnt_event *e, const struct evnt_registration *r,
	      const struct evntprov_write *arg)
{
	static_assert(sizeof(struct etl_descriptor) == sizeof(arg->descriptor));
	e->descriptor = (const struct etl_descriptor *)&arg->descriptor;
	e->provider = r->provider->id.b;
	e->activity = arg->activity.b;
	e->flags = arg->flags & EVNTPROV_WRITE_STRING ? ETL_EVENT_FLAG_STRING :
							0;
	evnt_describe_writer(e);
}

/* Fill in the same for any writer; those in the kernel are always 64-bit */
static inline void evnt_describe_any(struct evnt_event *e,
				     const struct evnt_registration *r,
				     const struct evntprov_write *arg)
{
	evnt_describe(e, r, arg);
	if (arg->flags & EVNT_WRITE_KERNEL)
		e->kind = ETL_RECORD_EVENT64;
}

/*
 * Check whether an event of @r is plain data without extended items, unless it
 * names a related activity or comes from the kernel
 */
static __always_inline bool evnt_is_plain(const struct evnt_registration *r)
{
	return !(READ_ONCE(r->flags) & (EVNTRACE_REGISTRATION_TYPES |
					EVNTRACE_REGISTRATION_TRAITS));
}

/* Check for a failure of the sessions, as opposed to one of the writer */
static inline bool evnt_is_loss(int err, bool last)
{
	return err == -ENOBUFS || err == -EMSGSIZE || err == -EOVERFLOW ||
	       (err == -EFAULT && last);
}

/* Fill in and measure everything but the items that sessions request */
static __always_inline int
evnt_measure_items(struct evnt_event *e, const struct evnt_registration *r,
		   const struct evntprov_write *arg, struct evnt_payload *p)
{
	const struct evnt_traits *traits = rcu_dereference_sched(r->traits);

	evnt_payload_init(p, arg);
	e->related = NULL;
	if (arg->flags & EVNTPROV_WRITE_RELATED)
		e->related = arg->related.b;
	e->traits = NULL;
	if (traits) {
		e->traits = traits->blob;
		e->traits_len = traits->item.data_size;
		p->skip_traits = true;
	}
	if (READ_ONCE(r->flags) & EVNTRACE_REGISTRATION_TYPES)
		p->types = 0xff;
	e->item_count = 0;
	return evnt_payload_measure(p, e);
}

/**
 * struct evnt_source - event to be written as the same record to all sessions
 * @r: registration
 * @arg: arguments of the write
 * @p: payload
 * @e: description of the event
 */
struct evnt_source {
	const struct evnt_registration *r;
	const struct evntprov_write *arg;
	struct evnt_payload *p;
	struct evnt_event e;
};

/* evnt_write_record() and evnt_fanout_put() call the following functions */
static __always_inline int evnt_fill_plain(u8 *record, u32 size, s64 time,
					   void *source)
{
	struct evnt_source *s = source;

	evnt_describe(&s->e, s->r, s->arg);
	return evnt_plain_copy(s->p->window, s->arg,
			       evnt_record_put_header(record, size, &s->e,
						      time), s->e.data_len);
}

static __always_inline int evnt_fill_any(u8 *record, u32 size, s64 time,
					 void *source)
{
	struct evnt_source *s = source;

	evnt_describe_any(&s->e, s->r, s->arg);
	return evnt_payload_copy(s->p, &s->e,
				 evnt_record_put(record, size, &s->e, time));
}

#endif /* EVNT_EVENT_H */
