// SPDX-License-Identifier: GPL-2.0
/*
 * The write path: from an event to one record in each session that enabled it.
 *
 * It continues in fanout.c for several sessions and in filtered.c for filters;
 * kernel_write.c and classic_write.c are the paths of other kinds of events.
 * The path takes no lock, allocates nothing, and stays on its CPU, with
 * preemption and page faults disabled, from the selection of sessions until the
 * records are committed.  That time is bounded: at most 64 KiB are copied once
 * from user memory, and then to at most 63 other sessions, about 4 MiB in
 * total.  If a session that keeps its buffers has no free one, the writer also
 * drops the oldest, which is bounded as well: see evnt_backlog_reclaim().
 *
 * Apart from its stack the path writes to the record, the state of the buffer,
 * and the CPU's counters of the session.  None of these cache lines is written
 * by writers on other CPUs, unless a writer migrates in between.  The reference
 * count of an open file shared by threads is taken before this path begins.
 *
 * Most events go to one session and consist of plain data.  For these the
 * compiler builds one function from the inline functions here and in the
 * headers.  All other cases are out of line.
 */
#include <linux/cred.h>
#include <linux/preempt.h>
#include <linux/smp.h>
#include <linux/uaccess.h>

#include "module/common/ioctl.h"
#include "module/compat/compat.h"
#include "module/provider/enable.h"
#include "module/write/classic_write.h"
#include "module/write/event.h"
#include "module/write/image_rundown.h"
#include "module/write/filtered.h"
#include "module/write/payload.h"
#include "module/write/router.h"
#include "module/write/fanout.h"

/* Measure an event.  Returns the size of its record, or a negative errno. */
static __always_inline int measure(struct evnt_event *e,
				   const struct evnt_registration *r,
				   const struct evntprov_write *arg,
				   struct evnt_payload *p, bool plain)
{
	u64 sum;
	int err;

	if (plain)
		err = evnt_plain_measure(p->window, arg->data, arg->data_count,
					 &e->data_len);
	else
		err = evnt_measure_items(e, r, arg, p);
	if (unlikely(err))
		return err;
	sum = plain ? sizeof(struct etl_event_header) + e->data_len :
		      evnt_record_size(e);
	return unlikely(sum > ETL_MAX_RECORD) ? -EOVERFLOW : sum;
}

/* Write a record to its reservation */
static __always_inline int fill(u8 *to, u32 size, s64 time,
				struct evnt_event *e,
				const struct evnt_registration *r,
				const struct evntprov_write *arg,
				struct evnt_payload *p, bool plain)
{
	if (!plain) {
		evnt_describe_any(e, r, arg);
		return evnt_payload_copy(p, e, evnt_record_lay_out(to, size, e,
								   time));
	}
	evnt_describe(e, r, arg);
	to = evnt_record_put_header(to, size, e, time);
	return evnt_plain_copy(p->window, arg->data, arg->data_count, to,
			       e->data_len);
}

/* Discard the reservation in @only, or all of the fan-out */
static noinline void discard(struct evnt_buffers *only,
			     const struct evnt_fanout *t,
			     struct evnt_reservation at, u32 size)
{
	if (only)
		evnt_discard(only, size, &at);
	else
		evnt_fanout_discard(t, NULL, size);
}

static noinline void count_lost(struct evnt_buffers *only,
				const struct evnt_fanout *t, u32 cpu, int err)
{
	enum evnt_loss kind = evnt_loss_of(err);

	if (only)
		evnt_count_lost(only, cpu, kind);
	else
		evnt_fanout_count_lost(t, cpu, kind);
}

/*
 * Write an event to @only, the buffers of the single session that has enabled
 * the provider.  If @only is NULL, write it to all sessions in @set that have
 * enabled the event, or to none.
 */
static __always_inline int write_event(struct evnt_buffers *only,
				       const struct evnt_enable_set *set,
				       const struct evnt_registration *r,
				       const struct evntprov_write *arg,
				       struct evnt_payload *p, bool last,
				       bool plain)
{
	struct evnt_reservation at __uninitialized;
	struct evnt_fanout t __uninitialized;
	struct evnt_event e __uninitialized;
	u32 cpu = smp_processor_id();
	int err, size;
	s64 time;

	err = measure(&e, r, arg, p, plain);
	size = err;
	if (unlikely(err < 0)) {
		if (!only && !evnt_fanout_exist(&t, set, r, arg))
			return 0;
		goto out;
	}
	if (likely(only)) {
		err = evnt_reserve(only, cpu, size, &at, &time);
		if (unlikely(err))
			goto out;
	} else {
		time = evnt_fanout_reserve(&t, set, r, arg, size);
		if (unlikely(time <= 0)) {
			err = time;
			goto out;
		}
		at = t.at[0];
	}
	err = fill(evnt_record(&at), size, time, &e, r, arg, p, plain);
	if (unlikely(err)) {
		discard(only, &t, at, size);
		goto out;
	}
	if (unlikely(!only))
		evnt_fanout_commit_others(&t, cpu, size);
	evnt_commit(at.buffer->owner, cpu, &at);
	return 0;
out:
	if (evnt_is_loss(err, last))
		count_lost(only, &t, cpu, err);
	return err;
}

static noinline int write_any(struct evnt_buffers *only,
			      const struct evnt_enable_set *set,
			      const struct evnt_registration *r,
			      const struct evntprov_write *arg,
			      struct evnt_payload *p, bool last)
{
	return write_event(only, set, r, arg, p, last, false);
}

/*
 * Attempt to write an event.  Returns -EFAULT if a page must be faulted in
 * first.  Preemption is disabled.
 */
static __always_inline int route(const struct evnt_enable_set *set,
				 const struct evnt_registration *r,
				 const struct evntprov_write *arg,
				 struct evnt_payload *p, bool first, bool last)
{
	struct evnt_buffers *only = NULL;
	int err;

	if (likely(set->way == EVNT_ROUTE_SINGLE)) {
		if (!evnt_wants(&set->e[0], r, arg))
			return 0;
		only = &set->e[0].session->buffers;
	} else if (set->way == EVNT_ROUTE_FILTERED) {
		return evnt_write_filtered(set, r, arg, p, last);
	}
	if (unlikely(!evnt_payload_is_valid(arg)))
		return -EINVAL;
	pagefault_disable();
	if (first && likely(evnt_is_plain(r)))
		err = write_event(only, set, r, arg, p, last, true);
	else
		err = write_any(only, set, r, arg, p, last);
	pagefault_enable();
	return err;
}

static __always_inline int try_write(struct evnt_prov_file *pf,
				     const struct evntprov_write *arg,
				     struct evnt_payload *p, bool first,
				     bool last)
{
	const struct evnt_registration *r;
	const struct evnt_enable_set *set;
	int err = 0;

	/* This disables preemption */
	rcu_read_lock_sched();
	r = evnt_registration_find(pf, arg->handle);
	if (unlikely(!r)) {
		err = -ENOENT;
	} else if (!first && arg->flags & EVNTPROV_TRACE_KIND) {
		err = evnt_classic_write(r, arg, p, last);
	} else {
		set = rcu_dereference_sched(r->set);
		err = route(set, r, arg, p, first, last);
	}
	rcu_read_unlock_sched();
	return err;
}

#define SIMPLE_FLAGS	(EVNTPROV_WRITE_NO_FAULTING |			\
			 EVNTPROV_WRITE_INPRIVATE |			\
			 EVNTPROV_WRITE_STRING)

static long read_argument(struct evntprov_write *arg,
			  const struct evntprov_write __user *ptr)
{
	static_assert(sizeof(*arg) % sizeof(u64) == 0);
	if (likely(evnt_read_words((u64 *)arg, (const u64 __user *)ptr,
				   sizeof(*arg) / sizeof(u64)) &&
		   arg->size == sizeof(*arg)))
		return 0;
	return evnt_copy_argument(arg, sizeof(*arg), sizeof(*arg), ptr);
}

/* Handle any argument and any data, faulting in pages as often as needed */
static noinline long write_carefully(struct evnt_prov_file *pf,
				     const struct evntprov_write __user *ptr)
{
	struct evnt_payload p __uninitialized;
	struct evntprov_write arg __uninitialized;
	u32 try = 1;
	long err;

	err = read_argument(&arg, ptr);
	if (err)
		return err;
	if (arg.flags & ~(SIMPLE_FLAGS | EVNTPROV_WRITE_RELATED |
			  EVNTPROV_WRITE_ONE_BLOCK | EVNTPROV_TRACE_KIND))
		return -EINVAL;
	if (arg.flags & EVNTPROV_WRITE_NO_FAULTING)
		return try_write(pf, &arg, &p, false, false);
	for (; try <= EVNT_MAX_TRIES; try++) {
		if (try == EVNT_MAX_TRIES)
			arg.flags |= EVNT_WRITE_NO_IMAGES;
		err = try_write(pf, &arg, &p, false, try == EVNT_MAX_TRIES);
		if (err != -EFAULT)
			return err;
		/*
		 * Fault in the range that could not be read, or report the
		 * images of the process.  Images that cannot be reported do not
		 * prevent the write.
		 */
		if (p.fault_len) {
			err = evnt_payload_fault_in(&p);
			if (err)
				return err;
		} else {
			evnt_image_rundown(pf, arg.handle);
			arg.flags |= EVNT_WRITE_NO_IMAGES;
		}
	}
	return -EAGAIN;
}

/**
 * evnt_write() - EVNTPROV_IOC_WRITE
 * @pf: file
 * @ptr: user address of the argument
 *
 * Return: 0 or an errno documented for EVNTPROV_IOC_WRITE.
 */
long evnt_write(struct evnt_prov_file *pf,
		const struct evntprov_write __user *ptr)
{
	const u32 words = offsetof(struct evntprov_write, related) / sizeof(u64);
	struct evntprov_write arg __uninitialized;
	struct evnt_payload p __uninitialized;
	long err;

	if (unlikely(!evnt_read_words((u64 *)&arg, (const u64 __user *)ptr,
				      words) ||
		     arg.size != sizeof(arg) || arg.flags & ~SIMPLE_FLAGS))
		return write_carefully(pf, ptr);
	err = try_write(pf, &arg, &p, true, false);
	return likely(err != -EFAULT) ? err : write_carefully(pf, ptr);
}

/**
 * evnt_write_kernel_any() - write a kernel provider's event to all its sessions
 * @set: effective set of the registration
 * @r: registration
 * @arg: event, with EVNT_WRITE_KERNEL
 *
 * Any context, with preemption disabled.  There is one attempt only, as nothing
 * can be faulted in.
 *
 * Return: 0 or an errno documented for EVNTPROV_IOC_WRITE.
 */
int evnt_write_kernel_any(const struct evnt_enable_set *set,
			  const struct evnt_registration *r,
			  const struct evntprov_write *arg)
{
	struct evnt_payload p __uninitialized;

	return route(set, r, arg, &p, false, true);
}
