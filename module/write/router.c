// SPDX-License-Identifier: GPL-2.0
/*
 * The write path: from an event to one record in each session that enabled it.
 *
 * It continues in fanout.c for several sessions and in filtered.c for filters
 * and failures; classic_write.c handles records of classic providers, and
 * kernel_write.c events in the kernel.
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
#include "core/reserve.h"
#include "module/write/write.h"
#include "module/write/event.h"
#include "module/write/fanout.h"
#include "module/write/payload.h"

static noinline int lost(struct evnt_buffers *b, int err, bool last)
{
	if (evnt_is_loss(err, last))
		evnt_count_lost(b, smp_processor_id(), evnt_loss_of(err));
	return err;
}

static __always_inline int write_plain(struct evnt_buffers *b,
				       const struct evnt_registration *r,
				       const struct evntprov_write *arg,
				       struct evnt_payload *p, bool last)
{
	struct evnt_source s __uninitialized;
	int err;

	s.r = r;
	s.arg = arg;
	s.p = p;
	err = evnt_plain_measure(p->window, arg, &s.e.data_len);
	if (likely(!err))
		err = evnt_write_record(b, smp_processor_id(),
					sizeof(struct etl_event_header) +
					s.e.data_len, evnt_fill_plain, &s);
	return likely(!err) ? 0 : lost(b, err, last);
}

static noinline int write_any(struct evnt_buffers *b,
			      const struct evnt_registration *r,
			      const struct evntprov_write *arg,
			      struct evnt_payload *p, bool last)
{
	struct evnt_source s __uninitialized;
	int err;

	s.r = r;
	s.arg = arg;
	s.p = p;
	err = evnt_measure_items(&s.e, r, arg, p);
	if (likely(!err))
		err = evnt_write_record(b, smp_processor_id(),
					evnt_record_len(&s.e), evnt_fill_any, &s);
	return likely(!err) ? 0 : lost(b, err, last);
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
	struct evnt_buffers *b;
	int err;

	if (unlikely(set->way != EVNT_ROUTE_SINGLE)) {
		if (set->way == EVNT_ROUTE_MULTI &&
		    likely(!evnt_fanout_write(set, r, arg, p, first)))
			return 0;
		return evnt_write_many(set, r, arg, p, last);
	}
	if (!evnt_wants(&set->e[0], r, arg))
		return 0;
	if (unlikely(!evnt_payload_is_valid(arg)))
		return -EINVAL;
	b = &set->e[0].session->buffers;
	pagefault_disable();
	if (first && likely(evnt_is_plain(r)))
		err = write_plain(b, r, arg, p, last);
	else
		err = write_any(b, r, arg, p, last);
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
			 EVNTPROV_WRITE_STRING |			\
			 EVNTPROV_WRITE_ONE_BLOCK)

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
			  EVNTPROV_TRACE_KIND))
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
