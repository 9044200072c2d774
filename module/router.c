// SPDX-License-Identifier: GPL-2.0
/*
 * The write path: from an event to one record in each session that wants it.
 *
 * The only room that knows providers, sessions and buffers.  It takes no lock,
 * allocates nothing, and stays on its CPU, with preemption and page faults
 * disabled, from the choice of sessions until the records are committed.  That
 * is bounded: at most 64 KiB are copied once from user memory, and then to at
 * most 63 other sessions.
 *
 * The record is reserved in all sessions first, so that it reaches all of them
 * or none.
 */
#include <linux/compat.h>
#include <linux/cred.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/cputime.h>
#include <linux/smp.h>
#include <linux/uaccess.h>

#include "enable.h"
#include "filter.h"
#include "payload.h"
#include "router.h"

/* How often pages may vanish between being made present and being read */
#define MAX_TRIES		16

/**
 * struct evnt_targets - the sessions that want an event
 * @count: how many
 * @cpu: where we are
 * @size: of the event's record
 * @s: their buffers and what is reserved there
 */
struct evnt_targets {
	u32 count;
	u32 cpu;
	u32 size;
	struct {
		struct evnt_buffers *buffers;
		struct evnt_reservation r;
	} s[EVNTRACE_MAX_SESSIONS];
};

static bool is_wanted(const struct evnt_enablement *e,
		      const struct evntprov_write *arg)
{
	const struct evntprov_descriptor *d = &arg->descriptor;

	if (!evnt_wanted(e->level, e->match_any, e->match_all, d->level,
			 d->keyword))
		return false;
	if (unlikely(e->property)) {
		if (e->property & EVNTRACE_PROPERTY_IGNORE_KEYWORD_0 &&
		    !d->keyword)
			return false;
		if (e->property & EVNTRACE_PROPERTY_EXCLUDE_INPRIVATE &&
		    arg->flags & EVNTPROV_WRITE_INPRIVATE)
			return false;
	}
	return likely(!arg->exclude) ||
	       !(arg->exclude & BIT_ULL(evnt_session_id(e->session)));
}

static void find_targets(const struct evnt_registration *r,
			 const struct evntprov_write *arg,
			 struct evnt_targets *t)
{
	const struct evnt_enable_set *set = rcu_dereference(r->provider->set);
	u32 i;

	t->count = 0;
	t->cpu = smp_processor_id();
	for (i = 0; set && i < set->count; i++) {
		if (is_wanted(&set->e[i], arg))
			t->s[t->count++].buffers = &set->e[i].session->buffers;
	}
}

static u32 ticks(u64 ns)
{
	return div_u64(ns, ETL_TIMER_RESOLUTION * 100);
}

static void stamp(struct evnt_event *e)
{
	e->kind = in_compat_syscall() ? ETL_RECORD_EVENT32 :
					ETL_RECORD_EVENT64;
	e->thread_id = task_pid_nr(current);
	e->process_id = task_tgid_nr(current);
	e->kernel_time = ticks(READ_ONCE(current->stime));
	e->user_time = ticks(READ_ONCE(current->utime));
}

static void describe(struct evnt_event *e, const struct evnt_registration *r,
		     const struct evntprov_write *arg)
{
	const struct evnt_traits *traits = rcu_dereference(r->traits);

	static_assert(sizeof(e->descriptor) == sizeof(arg->descriptor));
	memcpy(&e->descriptor, &arg->descriptor, sizeof(e->descriptor));
	memcpy(e->provider, &r->provider->id, sizeof(e->provider));
	memcpy(e->activity, &arg->activity, sizeof(e->activity));
	memcpy(e->related, &arg->related, sizeof(e->related));
	e->has_related = arg->flags & EVNTPROV_WRITE_RELATED;
	e->flags = arg->flags & EVNTPROV_WRITE_STRING ? ETL_EVENT_FLAG_STRING :
							0;
	e->traits = traits ? traits->blob : NULL;
	e->traits_len = traits ? traits->len : 0;
	e->metadata_len = 0;
	e->data_len = 0;
	stamp(e);
}

static void discard(struct evnt_targets *t, u32 reserved)
{
	/* The other way round, so that each is the last in its buffer */
	while (reserved--)
		evnt_discard(t->s[reserved].buffers, t->size,
			     &t->s[reserved].r);
}

static int reserve(struct evnt_targets *t)
{
	u32 i;
	int err;

	for (i = 0; i < t->count; i++) {
		err = evnt_reserve(t->s[i].buffers, t->cpu, t->size,
				   &t->s[i].r);
		if (unlikely(err)) {
			discard(t, i);
			return err;
		}
	}
	return 0;
}

static u8 *target_record(const struct evnt_targets *t, u32 i)
{
	return evnt_record(t->s[i].buffers, &t->s[i].r);
}

/* Reserved everywhere: lay the record out once, copy it to the others */
static int fill(struct evnt_targets *t, const struct evnt_event *e,
		struct evnt_payload *p)
{
	u8 *first = target_record(t, 0);
	struct evnt_record_parts parts;
	int err;
	u32 i;

	evnt_record_lay_out(first, e, t->s[0].r.time, &parts);
	err = evnt_payload_copy(p, e, &parts);
	if (unlikely(err)) {
		discard(t, t->count);
		return err;
	}
	for (i = 1; i < t->count; i++)
		evnt_record_copy(target_record(t, i), first, t->s[i].r.time);
	for (i = 0; i < t->count; i++)
		evnt_commit(t->s[i].buffers, t->cpu, &t->s[i].r);
	return 0;
}

static void count_lost(struct evnt_targets *t)
{
	u32 i;

	for (i = 0; i < t->count; i++)
		evnt_count_lost(t->s[i].buffers, t->cpu);
}

/* The event and its payload are known: into the sessions with it */
static int deliver(struct evnt_targets *t, struct evnt_event *e,
		   struct evnt_payload *p)
{
	u64 size;
	int err;

	err = evnt_payload_measure(p, e);
	if (unlikely(err))
		return err;
	size = evnt_record_size(e);
	if (unlikely(size > ETL_MAX_RECORD))
		return -EOVERFLOW;
	t->size = size;
	err = reserve(t);
	if (unlikely(err))
		return err;
	return fill(t, e, p);
}

/* What the writer did wrong is no loss; what the sessions could not do is */
static bool is_loss(int err)
{
	return err == -ENOBUFS || err == -EMSGSIZE || err == -EOVERFLOW;
}

/* One try: -EFAULT when a page has to be made present first */
static int try_write(struct evnt_prov_file *pf,
		     const struct evntprov_write *arg, struct evnt_payload *p,
		     bool last)
{
	const struct evnt_registration *r;
	struct evnt_targets t;
	struct evnt_event e;
	int err;

	r = evnt_registration_find(pf, arg->handle);
	if (unlikely(!r))
		return -ENOENT;
	find_targets(r, arg, &t);
	if (!t.count)
		return 0;
	describe(&e, r, arg);
	p->use_types = READ_ONCE(r->flags) & EVNTRACE_REGISTRATION_TYPES;
	p->skip_traits = e.traits;
	err = deliver(&t, &e, p);
	if (unlikely(is_loss(err) || (last && err == -EFAULT)))
		count_lost(&t);
	return err;
}

static int try_write_pinned(struct evnt_prov_file *pf,
			    const struct evntprov_write *arg,
			    struct evnt_payload *p, bool last)
{
	int err;

	rcu_read_lock();
	preempt_disable();
	pagefault_disable();
	err = try_write(pf, arg, p, last);
	pagefault_enable();
	preempt_enable();
	rcu_read_unlock();
	return err;
}

/**
 * evnt_write() - EVNTPROV_IOC_WRITE
 * @pf: the file
 * @arg: checked but for its handle and data
 *
 * Return: 0 or what the ABI says.
 */
long evnt_write(struct evnt_prov_file *pf, const struct evntprov_write *arg)
{
	struct evnt_payload p;
	u32 try;
	int err;

	err = evnt_payload_init(&p, arg->data, arg->data_count);
	for (try = 1; !err; try++) {
		err = try_write_pinned(pf, arg, &p, try == MAX_TRIES);
		if (likely(err != -EFAULT) ||
		    arg->flags & EVNTPROV_WRITE_NO_FAULTING)
			return err;
		if (try == MAX_TRIES)
			return -EAGAIN;
		err = evnt_payload_fault_in(&p);
	}
	return err;
}
