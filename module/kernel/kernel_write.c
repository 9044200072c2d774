// SPDX-License-Identifier: GPL-2.0
/*
 * Write path of providers in the kernel, for any context.
 *
 * Handles events that go to a single session and have plain data, with or
 * without metadata, in a single pass.  All others are passed on to router.c.
 */
#include <linux/module.h>

#include "module/compat/compat.h"
#include "module/provider/enable.h"
#include "module/write/event.h"
#include "module/write/image_rundown.h"
#include "module/kernel/kernel_provider.h"
#include "core/reserve.h"
#include "module/write/router.h"

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

/* Move at least 16 bytes in pairs of words; the last pair may overlap */
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

/* Move less than four bytes */
static __always_inline void move_rest(u8 *to, const u8 *from, u32 len)
{
	if (len & sizeof(u8))
		to[len - 1] = from[len - 1];
	if (len & sizeof(u16))
		move_u16(to, from);
}

/* Move short data inline, and long data by memcpy() */
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
 * struct kernel_event - event to be written to a single session
 * @r: registration
 * @descriptor: event descriptor
 * @activity: activity id
 * @flags: pointer to EVNTPROV_WRITE_*, dereferenced only when needed
 * @has_metadata: the event has metadata
 * @metadata: metadata
 * @metadata_len: length of the metadata in bytes
 * @traits: provider traits, or NULL
 * @block: first block of data
 * @end: end of the blocks
 * @size: size of the record without padding
 */
struct kernel_event {
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

/* Compute the record size; returns false if there are typed blocks */
static __always_inline bool measure(struct kernel_event *e)
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

/* Write the extended items in the order that Windows uses */
static __always_inline u8 *put_items(u8 *to, const struct kernel_event *e)
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

static __always_inline void copy(u8 *to, const struct kernel_event *e)
{
	const struct evntprov_data *block;

	for (block = e->block; block < e->end; block++) {
		move(to, (const u8 *)(uintptr_t)block->ptr, block->len);
		to += block->len;
	}
}

static __always_inline void put(u8 *record, const struct kernel_event *e,
				s64 time)
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
				     const struct kernel_event *e)
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

static __always_inline struct kernel_event
event_of(const struct evnt_registration *r, const struct evntprov_write *arg)
{
	const struct evntprov_data *block =
		(const struct evntprov_data *)(uintptr_t)arg->data;

	return (struct kernel_event) {
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
	struct kernel_event e = event_of(r, arg);

	measure(&e);
	return write_one(b, &e);
}

/*
 * Write an event with traits or metadata; other block types take the slow path
 */
static noinline int write_typed(const struct evnt_enable_set *set,
				const struct evnt_registration *r,
				const struct evntprov_write *arg)
{
	struct kernel_event e = event_of(r, arg);

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
	if (unlikely(set->way != EVNT_ROUTE_SINGLE ||
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

/*
 * Initialise the arguments, without flags, exclusion mask and related activity
 */
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
 * Check that RCU is watching this CPU.  It may not be only if the idle task is
 * current: in an idle state, or before the CPU is online or after it went
 * offline.  In interrupts RCU is watching again, but it never waits for a CPU
 * that is not online.
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
	/* Also disables preemption */
	rcu_read_lock_sched();
	r = evnt_registration_find(evnt_kernel_file, arg->handle);
	if (likely(r))
		err = route(r, arg);
	else if (arg->handle)
		err = -ENOENT;
	rcu_read_unlock_sched();
	return err;
}

/* Out of line, for all functions but EtwWrite(), which inlines write_event() */
static noinline int write_any(const struct evntprov_write *arg)
{
	return write_event(arg);
}

/* Check whether any session wants events of this level and keyword */
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
 * EtwEventEnabled() - check whether a session may want an event
 * @handle: handle of the provider
 * @descriptor: event descriptor, of which level and keyword are used
 *
 * Other filters are not evaluated.
 *
 * Context: Any.
 *
 * https://learn.microsoft.com/windows-hardware/drivers/ddi/wdm/nf-wdm-etweventenabled
 *
 * Return: true if a session may want the event; false also if there is no
 * provider with this handle, or in a context in which EtwWrite() may not be
 * called.
 */
bool EtwEventEnabled(u64 handle, const struct evntprov_descriptor *descriptor)
{
	return is_wanted(handle, descriptor->level, descriptor->keyword);
}
EXPORT_SYMBOL_GPL(EtwEventEnabled);

/**
 * EtwProviderEnabled() - check whether a session may want a kind of event
 * @handle: handle of the provider
 * @level: level of the events, or 0 for any
 * @keyword: keywords of the events, or 0 for any
 *
 * Context: Any.
 *
 * https://learn.microsoft.com/windows-hardware/drivers/ddi/wdm/nf-wdm-etwproviderenabled
 *
 * Return: true if a session may want such events; false also if there is no
 * provider with this handle, or in a context in which EtwWrite() may not be
 * called.
 */
bool EtwProviderEnabled(u64 handle, u8 level, u64 keyword)
{
	return is_wanted(handle, level, keyword);
}
EXPORT_SYMBOL_GPL(EtwProviderEnabled);

/**
 * EtwWrite() - write an event of a provider in the kernel
 * @handle: handle set by EtwRegister(), or 0 for no effect
 * @descriptor: event descriptor
 * @activity: activity id, or NULL for the one of the current task, as set by
 *	EtwActivityIdControl()
 * @count: number of data blocks, at most EVNTPROV_MAX_DATA
 * @data: data blocks in kernel memory that is accessible without page faults
 *
 * The event goes to all sessions that want it or to none, except that
 * independent sessions succeed and fail on their own.  If no session wants it,
 * the arguments are not validated.  The record names the current task's process
 * and thread, also in an interrupt.  Events written in an NMI have no call stack.
 *
 * Context: Any, except where RCU is not watching: in the idle loop, and on a
 * CPU that is going online or offline.  Interrupts of the idle loop may write
 * events.
 *
 * https://learn.microsoft.com/windows-hardware/drivers/ddi/wdm/nf-wdm-etwwrite
 *
 * Return: 0; -ENOENT if there is no provider with this handle; -EINVAL if
 * @count is too large or a block type is unknown; -EMSGSIZE if the event
 * exceeds the buffer size of a session; -ENOBUFS if a session had no free
 * buffer; -EOPNOTSUPP if a block is of type EVNTPROV_DATA_TIMESTAMP_OVERRIDE;
 * -EOVERFLOW if the record exceeds 65,535 bytes; -EPERM if the context is not
 * permitted.  A session that wanted the event counts it as lost unless the
 * failure is the writer's fault.
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
 * EtwWriteTransfer() - write an event that links two activities
 * @handle: handle of the provider, as for EtwWrite()
 * @descriptor: event descriptor
 * @activity: activity id, or NULL, as for EtwWrite()
 * @related: activity from which this one was started, or NULL
 * @count: number of data blocks
 * @data: data blocks
 *
 * Context: As for EtwWrite().
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

/*
 * Return true if the event was written or is not wanted.  Otherwise, the
 * general write path must handle it.
 */
static __always_inline bool write_schema(u64 handle, struct kernel_event *e,
					 int *err)
{
	const struct evnt_enable_set *set;

	e->r = evnt_registration_find(evnt_kernel_file, handle);
	if (unlikely(!e->r))
		return false;
	set = rcu_dereference_sched(e->r->set);
	if (unlikely(set->way != EVNT_ROUTE_SINGLE || !set->count))
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
 * etw_tlg_write() - implementation of TraceLoggingWrite() for enabled providers
 * @handle: handle of the provider
 * @descriptor: event descriptor
 * @schema: metadata of the event, which begins with its length
 * @activity: activity id, or NULL
 * @related: related activity id, or NULL
 * @count: number of elements of @data
 * @data: an uninitialised block, followed by the data blocks
 *
 * Context: As for EtwWrite().
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
	struct kernel_event e = {
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
 * EtwWriteEx() - write an event, excluding some sessions
 * @handle: handle of the provider
 * @descriptor: event descriptor
 * @exclude: bitmask of the sessions that must not get the event
 * @flags: EVNTPROV_WRITE_INPRIVATE; or EVNTPROV_WRITE_NO_FAULTING, which is
 *	implied
 * @activity: activity id, or NULL
 * @related: related activity id, or NULL
 * @count: number of data blocks
 * @data: data blocks
 *
 * Context: As for EtwWrite().
 *
 * https://learn.microsoft.com/windows-hardware/drivers/ddi/wdm/nf-wdm-etwwriteex
 *
 * Return: as EtwWrite(); also -EINVAL if a flag is unknown and a session wants
 * the event.
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

/**
 * EtwWriteString() - write a string as an event
 * @handle: handle of the provider
 * @level: level of the event
 * @keyword: keywords of the event
 * @activity: activity id, or NULL
 * @string: UTF-16 string; the terminating NUL is also written
 *
 * Readers need no event description to decode it.
 *
 * Context: As for EtwWrite().
 *
 * https://learn.microsoft.com/windows-hardware/drivers/ddi/wdm/nf-wdm-etwwritestring
 *
 * Return: as EtwWrite(); also -EINVAL if @string is NULL and a session wants
 * the event.
 */
int EtwWriteString(u64 handle, u8 level, u64 keyword,
		   const struct evntprov_guid *activity, const u16 *string)
{
	const struct evntprov_descriptor d = {
		.level = level, .keyword = keyword,
	};
	struct evntprov_write arg __uninitialized;
	const u16 *end = string;
	struct evntprov_data data;
	size_t size;

	if (unlikely(!is_protected()))
		return -EPERM;
	if (!is_wanted(handle, level, keyword))
		return 0;
	if (!string)
		return -EINVAL;
	while (*end)
		end++;
	size = (end + 1 - string) * sizeof(*string);
	data = etw_block(string, min_t(size_t, size, U32_MAX));
	describe(&arg, handle, &d, activity, 1, &data);
	arg.flags |= EVNTPROV_WRITE_STRING;
	return write_any(&arg);
}
EXPORT_SYMBOL_GPL(EtwWriteString);
