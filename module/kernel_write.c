// SPDX-License-Identifier: GPL-2.0
/*
 * The write path of providers in the kernel: from any context.
 *
 * An event that goes to one session, and has plain data, or that of TraceLogging,
 * is written here; router.c does all others.
 */
#include <linux/module.h>

#include "compat/compat.h"
#include "enable.h"
#include "event.h"
#include "images.h"
#include "kernel.h"
#include "reserve.h"
#include "router.h"

/* A few bytes are moved by words, many by a call */
static __always_inline void move(u8 *to, const u8 *from, u32 len)
{
	if (unlikely(len > EVNT_FEW_BYTES)) {
		memcpy(to, from, len);
		return;
	}
	for (; len >= sizeof(u64); len -= sizeof(u64)) {
		put_unaligned(get_unaligned((const u64 *)from), (u64 *)to);
		to += sizeof(u64);
		from += sizeof(u64);
	}
	if (len & sizeof(u32)) {
		put_unaligned(get_unaligned((const u32 *)from), (u32 *)to);
		to += sizeof(u32);
		from += sizeof(u32);
	}
	if (len & sizeof(u16)) {
		put_unaligned(get_unaligned((const u16 *)from), (u16 *)to);
		to += sizeof(u16);
		from += sizeof(u16);
	}
	if (len & sizeof(u8))
		*to = *from;
}

static __always_inline const struct evntprov_data *
blocks_of(const struct evntprov_write *arg)
{
	return (const struct evntprov_data *)(uintptr_t)arg->data;
}

/*
 * Find the lengths of plain data, or, where types are looked at, of metadata in
 * front and plain data.  False when it is anything else.
 */
static __always_inline bool measure(struct evnt_event *e,
				    const struct evntprov_write *arg,
				    bool typed)
{
	const struct evntprov_data *block = blocks_of(arg);
	const struct evntprov_data *end = block + arg->data_count;
	u64 sum = 0;
	u8 types = 0;

	e->metadata_len = 0;
	if (typed && block < end && block->type == EVNTPROV_DATA_EVENT_METADATA) {
		e->metadata_len = block->len;
		block++;
	}
	for (; block < end; block++) {
		types |= block->type;
		sum += block->len;
	}
	e->data_len = sum;
	return !typed || !types;
}

static __always_inline void copy(const struct evnt_event *e,
				 const struct evnt_record_parts *parts,
				 const struct evntprov_write *arg)
{
	const struct evntprov_data *block = blocks_of(arg);
	const struct evntprov_data *end = block + arg->data_count;
	u8 *to = parts->data;

	if (e->metadata_len) {
		move(parts->metadata, (const u8 *)(uintptr_t)block->ptr,
		     block->len);
		block++;
	}
	for (; block < end; block++) {
		move(to, (const u8 *)(uintptr_t)block->ptr, block->len);
		to += block->len;
	}
}

static noinline int lost(struct evnt_buffers *b, int err)
{
	evnt_count_lost(b, smp_processor_id(), evnt_loss_of(err));
	return err;
}

/* Write an event that has been measured to one session */
static __always_inline int write_one(struct evnt_buffers *b,
				     const struct evnt_registration *r,
				     const struct evntprov_write *arg,
				     struct evnt_event *e, bool typed)
{
	struct evnt_reservation at __uninitialized;
	struct evnt_record_parts parts;
	u32 cpu = smp_processor_id();
	s64 time;
	u64 size;
	int err;

	size = typed ? evnt_record_size(e) :
		       sizeof(struct etl_event_header) + e->data_len;
	if (unlikely(size > ETL_MAX_RECORD))
		return lost(b, -EOVERFLOW);
	err = evnt_reserve(b, cpu, size, &at, &time);
	if (unlikely(err))
		return lost(b, err);
	evnt_describe(e, r, arg);
	e->kind = ETL_RECORD_EVENT64;
	if (typed)
		parts = evnt_record_lay_out(evnt_record(&at), size, e, time);
	else
		parts.data = evnt_record_put_header(evnt_record(&at), size, e,
						    time);
	copy(e, &parts, arg);
	evnt_commit(at.buffer->owner, cpu, &at);
	return 0;
}

static __always_inline int write_plain(struct evnt_buffers *b,
				       const struct evnt_registration *r,
				       const struct evntprov_write *arg)
{
	struct evnt_event e __uninitialized;

	measure(&e, arg, false);
	return write_one(b, r, arg, &e, false);
}

/* False when it has to be looked at more closely */
static __always_inline bool write_typed(struct evnt_buffers *b,
					const struct evnt_registration *r,
					const struct evntprov_write *arg,
					int *err)
{
	const struct evnt_traits *traits = rcu_dereference_sched(r->traits);
	struct evnt_event e __uninitialized;

	if (unlikely(!measure(&e, arg, true)))
		return false;
	e.related = NULL;
	e.item_count = 0;
	e.traits = traits ? traits->blob : NULL;
	e.traits_len = traits ? traits->len : 0;
	*err = write_one(b, r, arg, &e, true);
	return true;
}

static __always_inline int route(const struct evnt_registration *r,
				 const struct evntprov_write *arg)
{
	const struct evnt_enable_set *set = rcu_dereference_sched(r->set);
	struct evnt_buffers *b;
	int err;

	if (!set->count)
		return 0;
	if (unlikely(set->way != EVNT_WAY_ONE ||
		     arg->flags & EVNTPROV_WRITE_RELATED ||
		     arg->data_count > EVNTPROV_MAX_DATA))
		return evnt_write_kernel_any(set, r, arg);
	if (!evnt_wants(&set->e[0], r, arg))
		return 0;
	b = &set->e[0].session->buffers;
	if (!(READ_ONCE(r->flags) & (EVNTRACE_REGISTRATION_TYPES |
				     EVNTRACE_REGISTRATION_TRAITS)))
		return write_plain(b, r, arg);
	if (likely(write_typed(b, r, arg, &err)))
		return err;
	return evnt_write_kernel_any(set, r, arg);
}

/* What is not said otherwise is zero: all but the related activity */
static __always_inline void describe(struct evntprov_write *arg, u64 handle,
				     const struct evntprov_descriptor *d,
				     const struct evntprov_guid *activity,
				     u32 count, const struct evntprov_data *data)
{
	static const struct evntprov_guid none;

	arg->flags = EVNT_WRITE_KERNEL | EVNT_WRITE_NO_IMAGES;
	arg->handle = handle;
	arg->descriptor = *d;
	arg->exclude = 0;
	arg->activity = activity ? *activity : none;
	arg->data = (uintptr_t)data;
	arg->data_count = count;
}

static __always_inline int write_event(const struct evntprov_write *arg)
{
	const struct evnt_registration *r;
	int err = 0;

	/* Which is preempt_disable() */
	rcu_read_lock_sched();
	r = evnt_registration_find(evnt_kernel_file, arg->handle);
	if (likely(r))
		err = route(r, arg);
	else if (arg->handle)
		err = -ENOENT;
	rcu_read_unlock_sched();
	return err;
}

/**
 * EtwWrite() - write an event of a provider of the kernel
 * @handle: the provider, as EtwRegister() left it; 0 is no error
 * @descriptor: what the event is
 * @activity: the activity that it belongs to, or NULL
 * @count: how many blocks of data, at most EVNTPROV_MAX_DATA
 * @data: the blocks, in the kernel's memory, which is there without a page fault
 *
 * The event goes to each session that wants it, or to none; sessions that are
 * independent stand for themselves.  When none wants it, nothing of it is looked
 * at.  Process and thread are those of the current task, whatever has interrupted
 * it.
 *
 * Any context.
 *
 * https://learn.microsoft.com/windows-hardware/drivers/ddi/wdm/nf-wdm-etwwrite
 *
 * Return: 0; -ENOENT: there is no provider with this handle; -EINVAL: @count is
 * too large, or the type of a block unknown; -EMSGSIZE: the event does not fit the
 * buffers of a session; -ENOBUFS: a session had no free buffer; -EOPNOTSUPP: a
 * block is of type EVNTPROV_DATA_TIMESTAMP_OVERRIDE; -EOVERFLOW: the event, header
 * and all, is longer than 65,535 bytes.  A session counts as lost what it wanted
 * and did not get.
 */
int EtwWrite(u64 handle, const struct evntprov_descriptor *descriptor,
	     const struct evntprov_guid *activity, u32 count,
	     const struct evntprov_data *data)
{
	struct evntprov_write arg __uninitialized;

	describe(&arg, handle, descriptor, activity, count, data);
	return write_event(&arg);
}
EXPORT_SYMBOL_GPL(EtwWrite);
