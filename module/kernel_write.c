// SPDX-License-Identifier: GPL-2.0
/*
 * The write path of providers in the kernel: from any context.
 *
 * An event that goes to one session, and has plain data, behind metadata or none,
 * is written here, without being looked at as a whole; router.c does all others.
 */
#include <linux/module.h>

#include "compat/compat.h"
#include "enable.h"
#include "event.h"
#include "images.h"
#include "kernel.h"
#include "reserve.h"
#include "router.h"

static __always_inline void move_u64(u8 *to, const u8 *from)
{
	put_unaligned(get_unaligned((const u64 *)from), (u64 *)to);
}

static __always_inline void move_u32(u8 *to, const u8 *from)
{
	put_unaligned(get_unaligned((const u32 *)from), (u32 *)to);
}

static __always_inline void move_u16(u8 *to, const u8 *from)
{
	put_unaligned(get_unaligned((const u16 *)from), (u16 *)to);
}

/* From 16 bytes on: by two words, the last of which may have been moved already */
static __always_inline void move_words(u8 *to, const u8 *from, u32 len)
{
	const u8 *last = from + len - 2 * sizeof(u64);
	u8 *to_last = to + len - 2 * sizeof(u64);

	for (; from < last; from += 2 * sizeof(u64)) {
		move_u64(to, from);
		move_u64(to + sizeof(u64), from + sizeof(u64));
		to += 2 * sizeof(u64);
	}
	move_u64(to_last, last);
	move_u64(to_last + sizeof(u64), last + sizeof(u64));
}

/* Less than four bytes */
static __always_inline void move_rest(u8 *to, const u8 *from, u32 len)
{
	if (len & sizeof(u8))
		to[len - 1] = from[len - 1];
	if (len & sizeof(u16))
		move_u16(to, from);
}

/* A few bytes are moved by words, many by a call */
static __always_inline void move(u8 *to, const u8 *from, u32 len)
{
	if (unlikely(len > EVNT_FEW_BYTES)) {
		memcpy(to, from, len);
	} else if (len >= 2 * sizeof(u64)) {
		move_words(to, from, len);
	} else if (len >= sizeof(u64)) {
		move_u64(to, from);
		move_u64(to + len - sizeof(u64), from + len - sizeof(u64));
	} else if (len >= sizeof(u32)) {
		move_u32(to, from);
		move_u32(to + len - sizeof(u32), from + len - sizeof(u32));
	} else {
		move_rest(to, from, len);
	}
}

/**
 * struct event - an event that goes to one session alone
 * @r: whose it is
 * @descriptor: what it is
 * @activity: what it belongs to
 * @flags: EVNTPROV_WRITE_*; looked at when it is written
 * @has_metadata: there is metadata in front of its data
 * @metadata: what it is
 * @metadata_len: its length
 * @traits: are in front of that, or NULL
 * @block: its data
 * @end: behind the last block
 * @size: of its record, without padding
 */
struct event {
	const struct evnt_registration *r;
	const struct evntprov_descriptor *descriptor;
	const struct evntprov_guid *activity;
	const u32 *flags;
	bool has_metadata;
	const void *metadata;
	u32 metadata_len;
	const struct evnt_traits *traits;
	const struct evntprov_data *block;
	const struct evntprov_data *end;
	u64 size;
};

/* Find the size of its record.  Returns whether all of its data is plain. */
static __always_inline bool measure(struct event *e)
{
	u64 size = sizeof(struct etl_event_header);
	const struct evntprov_data *block;
	u8 types = 0;

	for (block = e->block; block < e->end; block++) {
		types |= block->type;
		size += block->len;
	}
	if (e->traits)
		size += e->traits->item.size;
	if (e->has_metadata)
		size += etl_ext_size(e->metadata_len);
	e->size = size;
	return !types;
}

/* Extended items in the order in which Windows has them */
static __always_inline u8 *put_items(u8 *to, const struct event *e)
{
	const struct etl_ext_item *item;
	u32 size;

	if (e->traits) {
		item = &e->traits->item;
		move(to, (const u8 *)item, item->size);
		((struct etl_ext_item *)to)->linkage = e->has_metadata;
		to += item->size;
	}
	if (e->has_metadata) {
		size = etl_ext_size(e->metadata_len);
		evnt_record_put_item(to, ETL_EXT_SCHEMA_TL, e->metadata_len,
				     size);
		move(to + sizeof(*item), e->metadata, e->metadata_len);
		to += size;
	}
	return to;
}

static __always_inline void copy(u8 *to, const struct event *e)
{
	const struct evntprov_data *block;

	for (block = e->block; block < e->end; block++) {
		move(to, (const u8 *)(uintptr_t)block->ptr, block->len);
		to += block->len;
	}
}

static __always_inline void put(u8 *record, const struct event *e, s64 time)
{
	struct evnt_event h __uninitialized;

	h.descriptor = (const struct etl_descriptor *)e->descriptor;
	h.provider = e->r->provider->id.b;
	h.activity = e->activity->b;
	h.flags = *e->flags & EVNTPROV_WRITE_STRING ? ETL_EVENT_FLAG_STRING : 0;
	if (e->has_metadata || e->traits)
		h.flags |= ETL_EVENT_FLAG_EXTENDED;
	evnt_describe_writer(&h);
	h.kind = ETL_RECORD_EVENT64;
	copy(put_items(evnt_record_put_header(record, e->size, &h, time), e),
	     e);
}

static noinline int lost(struct evnt_buffers *b, int err)
{
	evnt_count_lost(b, smp_processor_id(), evnt_loss_of(err));
	return err;
}

/* Write an event that has been measured */
static __always_inline int write_one(struct evnt_buffers *b,
				     const struct event *e)
{
	struct evnt_reservation at __uninitialized;
	u32 cpu = smp_processor_id();
	s64 time;
	int err;

	if (unlikely(e->size > ETL_MAX_RECORD))
		return lost(b, -EOVERFLOW);
	err = evnt_reserve(b, cpu, e->size, &at, &time);
	if (unlikely(err))
		return lost(b, err);
	put(evnt_record(&at), e, time);
	evnt_commit(at.buffer->owner, cpu, &at);
	return 0;
}

static __always_inline struct event
event_of(const struct evnt_registration *r, const struct evntprov_write *arg)
{
	const struct evntprov_data *block =
		(const struct evntprov_data *)(uintptr_t)arg->data;

	return (struct event) {
		.r = r,
		.descriptor = &arg->descriptor,
		.activity = &arg->activity,
		.flags = &arg->flags,
		.block = block,
		.end = block + arg->data_count,
	};
}

static __always_inline int write_plain(struct evnt_buffers *b,
				       const struct evnt_registration *r,
				       const struct evntprov_write *arg)
{
	struct event e = event_of(r, arg);

	measure(&e);
	return write_one(b, &e);
}

/* Behind traits, or metadata, if it is not to be looked at more closely */
static noinline int write_typed(const struct evnt_enable_set *set,
				const struct evnt_registration *r,
				const struct evntprov_write *arg)
{
	struct event e = event_of(r, arg);

	e.traits = rcu_dereference_sched(r->traits);
	if (READ_ONCE(r->flags) & EVNTRACE_REGISTRATION_TYPES &&
	    e.block < e.end && e.block->type == EVNTPROV_DATA_EVENT_METADATA) {
		e.has_metadata = e.block->len;
		e.metadata = (const void *)(uintptr_t)e.block->ptr;
		e.metadata_len = e.block->len;
		e.block++;
	}
	if (unlikely(!measure(&e)))
		return evnt_write_kernel_any(set, r, arg);
	return write_one(&set->e[0].session->buffers, &e);
}

static __always_inline int route(const struct evnt_registration *r,
				 const struct evntprov_write *arg)
{
	const struct evnt_enable_set *set = rcu_dereference_sched(r->set);

	if (!set->count)
		return 0;
	if (unlikely(set->way != EVNT_WAY_ONE ||
		     arg->flags & EVNTPROV_WRITE_RELATED ||
		     arg->data_count > EVNTPROV_MAX_DATA))
		return evnt_write_kernel_any(set, r, arg);
	if (!evnt_wants(&set->e[0], r, arg))
		return 0;
	if (unlikely(READ_ONCE(r->flags) & (EVNTRACE_REGISTRATION_TYPES |
					    EVNTRACE_REGISTRATION_TRAITS)))
		return write_typed(set, r, arg);
	return write_plain(&set->e[0].session->buffers, r, arg);
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

static noinline bool is_idle_protected(void)
{
	return cpu_online(smp_processor_id()) && rcu_is_watching();
}

/*
 * Whether RCU waits for this processor.  Only where the idle task is current may
 * it not: in an idle state, and before the processor has come, or once it has gone.
 * Interrupts there have it wait, but not for a processor that is not online.
 */
static __always_inline bool is_protected(void)
{
	return likely(!is_idle_task(current)) || is_idle_protected();
}

static __always_inline int write_event(const struct evntprov_write *arg)
{
	const struct evnt_registration *r;
	int err = 0;

	if (unlikely(!is_protected()))
		return -EPERM;
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

/* Write an event for all functions but EtwWrite(), which has it inline */
static noinline int write_any(const struct evntprov_write *arg)
{
	return write_event(arg);
}

/* Whether any session wants events of this kind */
static bool is_wanted(u64 handle, u8 level, u64 keyword)
{
	const struct evnt_enable_set *set;
	const struct evnt_registration *r;
	bool wanted = false;
	u32 i;

	if (!is_protected())
		return false;
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
 * Return: false also when there is no provider with this handle, and where
 * EtwWrite() may not be called.
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
 * Return: false also when there is no provider with this handle, and where
 * EtwWrite() may not be called.
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
 * Any context, but for the idle loop and a processor that comes or goes, where RCU
 * does not keep sessions from being freed; interrupts of the idle loop may write.
 *
 * https://learn.microsoft.com/windows-hardware/drivers/ddi/wdm/nf-wdm-etwwrite
 *
 * Return: 0; -ENOENT: there is no provider with this handle; -EINVAL: @count is
 * too large, or the type of a block unknown; -EMSGSIZE: the event does not fit the
 * buffers of a session; -ENOBUFS: a session had no free buffer; -EOPNOTSUPP: a
 * block is of type EVNTPROV_DATA_TIMESTAMP_OVERRIDE; -EOVERFLOW: the event, header
 * and all, is longer than 65,535 bytes; -EPERM: not in this context.  A session
 * counts as lost what it wanted and did not get, if it was not the writer's fault.
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
	return write_any(&arg);
}
EXPORT_SYMBOL_GPL(EtwWriteTransfer);

/* Whether it was written, or nobody wants it; false: it is left to others */
static __always_inline bool write_schema(u64 handle, struct event *e, int *err)
{
	const struct evnt_enable_set *set;

	e->r = evnt_registration_find(evnt_kernel_file, handle);
	if (unlikely(!e->r))
		return false;
	set = rcu_dereference_sched(e->r->set);
	if (unlikely(set->way != EVNT_WAY_ONE || !set->count))
		return false;
	if (unlikely(!(READ_ONCE(e->r->flags) & EVNTRACE_REGISTRATION_TYPES)))
		return false;
	*err = 0;
	if (!evnt_wants_kind(&set->e[0], e->r, e->descriptor, e->flags))
		return true;
	e->traits = rcu_dereference_sched(e->r->traits);
	if (unlikely(!measure(e)))
		return false;
	*err = write_one(&set->e[0].session->buffers, e);
	return true;
}

/**
 * etw_tlg_write() - what TraceLoggingWrite() calls when its provider is enabled
 * @handle: as for EtwWriteTransfer()
 * @descriptor: likewise
 * @schema: the event's metadata, its length first
 * @activity: likewise
 * @related: likewise
 * @count: likewise, and one more
 * @data: likewise, behind a block that is not initialized
 *
 * Any context.
 *
 * Return: as EtwWrite().
 */
int etw_tlg_write(u64 handle, const struct evntprov_descriptor *descriptor,
		  const void *schema, const struct evntprov_guid *activity,
		  const struct evntprov_guid *related, u32 count,
		  struct evntprov_data *data)
{
	static const u32 no_flags;
	struct evntprov_guid own __uninitialized;
	struct event e = {
		.descriptor = descriptor, .activity = activity,
		.flags = &no_flags,
		.has_metadata = true, .metadata = schema,
		.metadata_len = get_unaligned((const u16 *)schema),
		.block = data + 1, .end = data + count,
	};
	bool is_done = false;
	int err;

	if (unlikely(!is_protected()))
		return -EPERM;
	if (likely(!activity)) {
		own = evnt_kernel_activity();
		e.activity = &own;
	}
	if (likely(!related && count <= EVNTPROV_MAX_DATA)) {
		rcu_read_lock_sched();
		is_done = write_schema(handle, &e, &err);
		rcu_read_unlock_sched();
	}
	if (likely(is_done))
		return err;
	*data = etw_block(schema, e.metadata_len);
	data->type = EVNTPROV_DATA_EVENT_METADATA;
	return EtwWriteTransfer(handle, descriptor, activity, related, count,
				data);
}
EXPORT_SYMBOL_GPL(etw_tlg_write);

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
	return write_any(&arg);
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

	if (unlikely(!is_protected()))
		return -EPERM;
	if (!is_wanted(handle, level, keyword))
		return 0;
	if (!string)
		return -EINVAL;
	size = string_size(string);
	data = etw_block(string, min_t(size_t, size, U32_MAX));
	describe(&arg, handle, &d, activity, 1, &data);
	arg.flags |= EVNTPROV_WRITE_STRING;
	return write_any(&arg);
}
EXPORT_SYMBOL_GPL(EtwWriteString);
