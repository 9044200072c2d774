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

/* All but the flags, what is excluded, and the related activity */
static __always_inline void describe(struct evntprov_write *arg, u64 handle,
				     const struct evntprov_descriptor *d,
				     const struct evntprov_guid *activity,
				     u32 count, const struct evntprov_data *data)
{
	arg->flags = EVNT_WRITE_KERNEL | EVNT_WRITE_NO_IMAGES;
	arg->handle = handle;
	arg->descriptor = *d;
	arg->exclude = 0;
	arg->activity = activity ? *activity : evnt_kernel_activity();
	arg->data = (uintptr_t)data;
	arg->data_count = count;
}

static noinline int write_event(const struct evntprov_write *arg)
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

/* Whether any session wants events of this kind */
static bool is_wanted(u64 handle, u8 level, u64 keyword)
{
	const struct evnt_enable_set *set;
	const struct evnt_registration *r;
	bool wanted = false;
	u32 i;

	rcu_read_lock_sched();
	r = evnt_registration_find(evnt_kernel_file, handle);
	if (r) {
		set = rcu_dereference_sched(r->set);
		for (i = 0; i < set->count && !wanted; i++)
			wanted = evnt_wanted(&set->e[i].interest, level,
					     keyword);
	}
	rcu_read_unlock_sched();
	return wanted;
}

/**
 * EtwEventEnabled() - whether a session may want an event
 * @handle: the provider
 * @descriptor: what the event is; of this, level and keyword are looked at
 *
 * Filters that look at more are not asked.  Any context.
 *
 * https://learn.microsoft.com/windows-hardware/drivers/ddi/wdm/nf-wdm-etweventenabled
 *
 * Return: false also when there is no provider with this handle.
 */
bool EtwEventEnabled(u64 handle, const struct evntprov_descriptor *descriptor)
{
	return is_wanted(handle, descriptor->level, descriptor->keyword);
}
EXPORT_SYMBOL_GPL(EtwEventEnabled);

/**
 * EtwProviderEnabled() - whether a session may want events of a kind
 * @handle: the provider
 * @level: their level, or 0: any
 * @keyword: their keywords, or 0: any
 *
 * Any context.
 *
 * https://learn.microsoft.com/windows-hardware/drivers/ddi/wdm/nf-wdm-etwproviderenabled
 *
 * Return: false also when there is no provider with this handle.
 */
bool EtwProviderEnabled(u64 handle, u8 level, u64 keyword)
{
	return is_wanted(handle, level, keyword);
}
EXPORT_SYMBOL_GPL(EtwProviderEnabled);

/**
 * EtwWrite() - write an event of a provider of the kernel
 * @handle: the provider, as EtwRegister() left it; 0 is no error
 * @descriptor: what the event is
 * @activity: the activity that it belongs to, or NULL: the current task's, as
 *	EtwActivityIdControl() has set it
 * @count: how many blocks of data, at most EVNTPROV_MAX_DATA
 * @data: the blocks, in the kernel's memory, which is there without a page fault
 *
 * The event goes to each session that wants it, or to none; sessions that are
 * independent stand for themselves.  When none wants it, nothing of it is looked
 * at.  Process and thread are those of the current task, whatever has interrupted
 * it.  In an NMI an event has no call stack.
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
 * and did not get, if it was not the writer's fault.
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

/**
 * EtwWriteTransfer() - write an event that tells of another activity
 * @handle: as for EtwWrite()
 * @descriptor: likewise
 * @activity: likewise
 * @related: the activity that this one came from, or NULL
 * @count: likewise
 * @data: likewise
 *
 * Any context.
 *
 * https://learn.microsoft.com/windows-hardware/drivers/ddi/wdm/nf-wdm-etwwritetransfer
 *
 * Return: as EtwWrite().
 */
int EtwWriteTransfer(u64 handle, const struct evntprov_descriptor *descriptor,
		     const struct evntprov_guid *activity,
		     const struct evntprov_guid *related, u32 count,
		     const struct evntprov_data *data)
{
	struct evntprov_write arg __uninitialized;

	describe(&arg, handle, descriptor, activity, count, data);
	if (related) {
		arg.flags |= EVNTPROV_WRITE_RELATED;
		arg.related = *related;
	}
	return write_event(&arg);
}
EXPORT_SYMBOL_GPL(EtwWriteTransfer);

#define KNOWN_FLAGS	(EVNTPROV_WRITE_NO_FAULTING | EVNTPROV_WRITE_INPRIVATE)

/**
 * EtwWriteEx() - write an event to some of the sessions that want it
 * @handle: as for EtwWriteTransfer()
 * @descriptor: likewise
 * @exclude: sessions that must not get it, a bit each; 0: none
 * @flags: EVNTPROV_WRITE_NO_FAULTING, which all of the kernel's events are; or
 *	EVNTPROV_WRITE_INPRIVATE
 * @activity: likewise
 * @related: likewise
 * @count: likewise
 * @data: likewise
 *
 * Any context.
 *
 * https://learn.microsoft.com/windows-hardware/drivers/ddi/wdm/nf-wdm-etwwriteex
 *
 * Return: as EtwWrite(); -EINVAL: a flag is unknown, and a session wants the event.
 */
int EtwWriteEx(u64 handle, const struct evntprov_descriptor *descriptor,
	       u64 exclude, u32 flags, const struct evntprov_guid *activity,
	       const struct evntprov_guid *related, u32 count,
	       const struct evntprov_data *data)
{
	struct evntprov_write arg __uninitialized;

	if (unlikely(flags & ~KNOWN_FLAGS))
		return EtwEventEnabled(handle, descriptor) ? -EINVAL : 0;
	describe(&arg, handle, descriptor, activity, count, data);
	arg.flags |= flags;
	arg.exclude = exclude;
	if (related) {
		arg.flags |= EVNTPROV_WRITE_RELATED;
		arg.related = *related;
	}
	return write_event(&arg);
}
EXPORT_SYMBOL_GPL(EtwWriteEx);

static size_t string_size(const u16 *string)
{
	const u16 *end = string;

	while (*end)
		end++;
	return (end + 1 - string) * sizeof(*string);
}

/**
 * EtwWriteString() - write a string as an event
 * @handle: as for EtwWrite()
 * @level: the event's level
 * @keyword: the event's keywords
 * @activity: likewise
 * @string: in UTF-16; its nul is written, too
 *
 * Readers need no description of it.  Any context.
 *
 * https://learn.microsoft.com/windows-hardware/drivers/ddi/wdm/nf-wdm-etwwritestring
 *
 * Return: as EtwWrite(); -EINVAL: @string is NULL, and a session wants the event.
 */
int EtwWriteString(u64 handle, u8 level, u64 keyword,
		   const struct evntprov_guid *activity, const u16 *string)
{
	const struct evntprov_descriptor d = {
		.level = level, .keyword = keyword,
	};
	struct evntprov_write arg __uninitialized;
	struct evntprov_data data;
	size_t size;

	if (!is_wanted(handle, level, keyword))
		return 0;
	if (!string)
		return -EINVAL;
	size = string_size(string);
	data = etw_block(string, min_t(size_t, size, U32_MAX));
	describe(&arg, handle, &d, activity, 1, &data);
	arg.flags |= EVNTPROV_WRITE_STRING;
	return write_event(&arg);
}
EXPORT_SYMBOL_GPL(EtwWriteString);
