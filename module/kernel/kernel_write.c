// SPDX-License-Identifier: GPL-2.0
/*
 * Write path of providers in the kernel, for any context.
 *
 * Handles events that have plain data, with or without metadata, in a single pass,
 * unless a session has filters or extended items.  All others are passed on to
 * router.c.
 */
#include <linux/module.h>

#include "module/compat/compat.h"
#include "module/provider/enable.h"
#include "module/write/event.h"
#include "module/kernel/kernel_provider.h"
#include "core/reserve.h"
#include "module/write/fanout.h"
#include "module/write/write.h"

/**
 * struct event - event to be written
 * @descriptor: event descriptor
 * @exclude: bitmask of the sessions that must not get the event
 * @flags: EVNTPROV_WRITE_*, except EVNTPROV_WRITE_RELATED
 * @activity: activity id
 * @related: related activity id, or NULL
 * @count: number of elements of @data
 * @data: data blocks
 */
struct event {
	const struct evntprov_descriptor *descriptor;
	u64 exclude;
	u32 flags;
	const struct evntprov_guid *activity;
	const struct evntprov_guid *related;
	u32 count;
	const struct evntprov_data *data;
};

/**
 * struct source - event to be written as the same record to all sessions
 * @metadata: address of the metadata, if there is any
 * @block: first block of plain data
 * @end: end of the blocks
 * @e: description of the event
 */
struct source {
	const void *metadata;
	const struct evntprov_data *block;
	const struct evntprov_data *end;
	struct evnt_event e;
};

/* evnt_write_record() and evnt_fanout_put() call this */
static __always_inline int fill(u8 *record, u32 size, s64 time, void *source)
{
	struct source *s = source;
	const struct evntprov_data *block;
	struct evnt_record_parts parts __uninitialized;

	evnt_describe_writer(&s->e);
	s->e.kind = ETL_RECORD_EVENT64;
	parts = evnt_record_put(record, size, &s->e, time);
	if (parts.metadata)
		memcpy(parts.metadata, s->metadata, s->e.metadata_len);
	for (block = s->block; block < s->end; block++) {
		memcpy(parts.data, (const void *)(uintptr_t)block->ptr,
		       block->len);
		parts.data += block->len;
	}
	return 0;
}

static noinline int lost(struct evnt_buffers *b, int err)
{
	evnt_count_lost(b, smp_processor_id(), evnt_loss_of(err));
	return err;
}

/* Any event, by the same path as events of processes */
static noinline int write_slowly(const struct evnt_enable_set *set,
				 const struct evnt_registration *r,
				 const struct event *event)
{
	struct evntprov_write arg __uninitialized;

	arg.flags = event->flags | EVNT_WRITE_KERNEL | EVNT_WRITE_NO_IMAGES;
	arg.handle = r->handle;
	arg.descriptor = *event->descriptor;
	arg.exclude = event->exclude;
	arg.activity = *event->activity;
	arg.data = (uintptr_t)event->data;
	arg.data_count = event->count;
	if (event->related) {
		arg.flags |= EVNTPROV_WRITE_RELATED;
		arg.related = *event->related;
	}
	return evnt_write_kernel_any(set, r, &arg);
}

/* Set the traits, and the metadata if it is in the first block */
static __always_inline void describe_items(struct source *s,
					   const struct evnt_registration *r)
{
	const struct evnt_traits *traits = rcu_dereference_sched(r->traits);

	if (traits) {
		s->e.traits = traits->blob;
		s->e.traits_len = traits->item.data_size;
	}
	if (READ_ONCE(r->flags) & EVNTRACE_REGISTRATION_TYPES &&
	    s->block < s->end &&
	    s->block->type == EVNTPROV_DATA_EVENT_METADATA) {
		s->metadata = (const void *)(uintptr_t)s->block->ptr;
		s->e.metadata_len = s->block->len;
		s->block++;
	}
}

/*
 * Write to the sessions that @t contains, or to the only one if @t is NULL.  @typed
 * is a constant: the event may have traits and metadata.
 */
static __always_inline int write_to(const struct evnt_enable_set *set,
				    const struct evnt_registration *r,
				    const struct event *event,
				    const bool typed, struct evnt_fanout *t)
{
	struct evnt_buffers *b = &set->e[0].session->buffers;
	const struct evntprov_data *block;
	struct source s __uninitialized;
	struct event copy __uninitialized;
	u8 types = 0;
	int err;

	s.block = event->data;
	s.end = event->data + event->count;
	s.e.descriptor = (const struct etl_descriptor *)event->descriptor;
	s.e.provider = r->provider->id.b;
	s.e.activity = event->activity->b;
	s.e.related = NULL;
	s.e.flags = event->flags & EVNTPROV_WRITE_STRING ?
		    ETL_EVENT_FLAG_STRING : 0;
	s.e.item_count = 0;
	s.e.traits_len = 0;
	s.e.metadata_len = 0;
	s.e.data_len = 0;
	if (typed)
		describe_items(&s, r);
	for (block = s.block; block < s.end; block++) {
		types |= block->type;
		s.e.data_len += block->len;
	}
	if (typed && unlikely(types)) {
		copy = *event;
		return write_slowly(set, r, &copy);
	}
	/* On a failure, router.c decides which sessions lose it */
	if (t)
		return likely(!evnt_fanout_put(t, t->end, evnt_record_len(&s.e),
					       fill, &s)) ?
			0 : write_slowly(set, r, event);
	err = evnt_write_record(b, smp_processor_id(), evnt_record_len(&s.e),
				fill, &s);
	return likely(!err) ? 0 : lost(b, err);
}

static noinline int write_typed(const struct evnt_enable_set *set,
				const struct evnt_registration *r,
				const struct event *event)
{
	return write_to(set, r, event, true, NULL);
}

static noinline int write_many(const struct evnt_enable_set *set,
			       const struct evnt_registration *r,
			       const struct event *event)
{
	struct evnt_fanout t __uninitialized;

	t.end = evnt_fanout_find(&t, set, r, event->descriptor, &event->flags, 0);
	return t.end == t.at ? 0 : write_to(set, r, event, true, &t);
}

static __always_inline int route(const struct evnt_registration *r,
				 const struct event *event, const bool typed)
{
	const struct evnt_enable_set *set = rcu_dereference_sched(r->set);
	const bool is_simple = !event->related && !event->exclude &&
			       event->count <= EVNTPROV_MAX_DATA;
	/* Passed on to other functions, so that @event stays in registers */
	struct event copy __uninitialized;

	if (!set->count)
		return 0;
	if (unlikely(set->way != EVNT_ROUTE_SINGLE || !is_simple)) {
		copy = *event;
		return is_simple && set->way == EVNT_ROUTE_MULTI ?
			write_many(set, r, &copy) : write_slowly(set, r, &copy);
	}
	if (!evnt_wants_kind(&set->e[0], r, event->descriptor, &event->flags))
		return 0;
	if (typed)
		return write_to(set, r, event, true, NULL);
	if (unlikely(!evnt_is_plain(r))) {
		copy = *event;
		return write_typed(set, r, &copy);
	}
	return write_to(set, r, event, false, NULL);
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

/*
 * Write an event of the provider with this handle.  @activity may be NULL.
 * @typed is a constant: the event usually has metadata.
 */
static __always_inline int write_event(u64 handle, struct event event,
				       const bool typed)
{
	const struct evnt_registration *r;
	struct evntprov_guid own __uninitialized;
	int err = 0;

	if (unlikely(!is_protected()))
		return -EPERM;
	if (likely(!event.activity)) {
		own = evnt_kernel_activity();
		event.activity = &own;
	}
	/* Also disables preemption */
	rcu_read_lock_sched();
	r = evnt_registration_find(evnt_kernel_file, handle);
	if (likely(r))
		err = route(r, &event, typed);
	else if (handle)
		err = -ENOENT;
	rcu_read_unlock_sched();
	return err;
}

/* Out of line, for the functions that are not the usual ones */
static noinline int write_any(u64 handle, const struct event *event)
{
	return write_event(handle, *event, false);
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
	return EtwProviderEnabled(handle, descriptor->level,
				  descriptor->keyword);
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
	return write_event(handle, (struct event) {
		.descriptor = descriptor, .activity = activity,
		.count = count, .data = data,
	}, false);
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
	return write_any(handle, &(struct event) {
		.descriptor = descriptor, .activity = activity,
		.related = related, .count = count, .data = data,
	});
}
EXPORT_SYMBOL_GPL(EtwWriteTransfer);

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
	*data = etw_block(schema, get_unaligned((const u16 *)schema));
	data->type = EVNTPROV_DATA_EVENT_METADATA;
	return write_event(handle, (struct event) {
		.descriptor = descriptor, .activity = activity,
		.related = related, .count = count, .data = data,
	}, true);
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
	if (unlikely(flags & ~KNOWN_FLAGS))
		return EtwEventEnabled(handle, descriptor) ? -EINVAL : 0;
	return write_any(handle, &(struct event) {
		.descriptor = descriptor, .exclude = exclude, .flags = flags,
		.activity = activity, .related = related, .count = count,
		.data = data,
	});
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
	const u16 *end = string;
	struct evntprov_data data;
	size_t size;

	if (unlikely(!is_protected()))
		return -EPERM;
	if (!EtwProviderEnabled(handle, level, keyword))
		return 0;
	if (!string)
		return -EINVAL;
	while (*end)
		end++;
	size = (end + 1 - string) * sizeof(*string);
	data = etw_block(string, min_t(size_t, size, U32_MAX));
	return write_any(handle, &(struct event) {
		.descriptor = &d, .flags = EVNTPROV_WRITE_STRING,
		.activity = activity, .count = 1, .data = &data,
	});
}
EXPORT_SYMBOL_GPL(EtwWriteString);
