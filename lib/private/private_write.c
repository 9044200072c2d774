// SPDX-License-Identifier: MIT
/*
 * Writing of events to the private sessions that have enabled them.
 *
 * No lock is taken and no memory allocated.  System calls are made only to wake
 * a sleeping session thread when a buffer is full, to measure the processor
 * time of the thread once in a millisecond, to walk the call stack, and to
 * record the images it leads through.  Events can therefore be written in a
 * signal handler, even one that interrupts another write: reservations nest.
 *
 * The writer is a reader of sets until all records are complete, so that
 * nothing it finds there is freed.  It may migrate to another processor at any
 * time: two writers then share a buffer for a while, which the core allows.
 *
 * The data of the event is memory of the program: if it cannot be read, the
 * program is killed, as by any other access to it.
 */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/provider/registration.h"
#include "evntcons.h"
#include "lib/base/current_cpu.h"
#include "lib/base/read_section.h"
#include "lib/base/thread.h"
#include "lib/private/private.h"
#include "core/reserve.h"

_Static_assert(sizeof(EVENT_DESCRIPTOR) == sizeof(struct etl_descriptor),
	       "they are the same");

#define KINDS		(EVNTPROV_DATA_PROVIDER_METADATA + 1)
#define MAX_ITEMS	7
/* More blocks are refused, so that sums of lengths cannot overflow */
#define MAX_BLOCKS	MAX_EVENT_DATA_DESCRIPTORS

/* Find out the IDs of the calling thread; a signal may interrupt at any time */
static void look_up_ids(void)
{
	evnt_thread.process_id = syscall(SYS_getpid);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	evnt_thread.thread_id = syscall(SYS_gettid);
}

/* Return the kernel's ID of the calling thread */
u32 evnt_private_tid(void)
{
	if (!evnt_thread.thread_id)
		look_up_ids();
	return evnt_thread.thread_id;
}

u32 evnt_private_pid(void)
{
	if (!evnt_thread.thread_id)
		look_up_ids();
	return evnt_thread.process_id;
}

/* Forget the IDs in the child of a fork, which has only this thread */
void evnt_private_write_forked(void)
{
	evnt_thread.thread_id = 0;
	evnt_processor_time_forked();
}

static __always_inline void describe_writer(struct evnt_event *e)
{
	e->kind = EVNT_PRIVATE_KIND;
	e->thread_id = evnt_private_tid();
	e->process_id = evnt_private_pid();
}

/* Set the pointer size, thread ID and process ID of an event */
void evnt_private_describe_writer(struct evnt_event *e)
{
	describe_writer(e);
}

/**
 * struct outgoing - an event being filtered and written
 * @e: the event
 * @types: mask of the bits in a block's type that are interpreted: all or none
 * @skip_traits: leave out blocks of traits, as the registration has its own
 * @record: contents of the records
 */
struct outgoing {
	const struct evnt_private_event *e;
	u8 types;
	bool skip_traits;
	struct evnt_event record;
};

static u8 type_of(const struct outgoing *s, const EVENT_DATA_DESCRIPTOR *block)
{
	return block->Type & s->types;
}

/* Measure the parts of an event; return 0, -EINVAL or -EOPNOTSUPP */
static int measure(struct outgoing *s)
{
	const EVENT_DATA_DESCRIPTOR *block = s->e->data;
	const EVENT_DATA_DESCRIPTOR *end = block + s->e->count;
	u64 sum[KINDS] = {};
	u8 type;

	for (; block < end; block++) {
		type = type_of(s, block);
		if (unlikely(type >= KINDS))
			return type == EVNTPROV_DATA_TIMESTAMP_OVERRIDE ?
				-EOPNOTSUPP : -EINVAL;
		sum[type] += block->Size;
	}
	s->record.data_len = sum[EVNTPROV_DATA_NONE];
	s->record.metadata_len = sum[EVNTPROV_DATA_EVENT_METADATA];
	if (!s->skip_traits)
		s->record.traits_len = sum[EVNTPROV_DATA_PROVIDER_METADATA];
	return 0;
}

/* Copy the data of an event into its record */
static void copy_data(const struct outgoing *s, struct evnt_record_parts parts)
{
	u8 *to[KINDS] = { parts.data, parts.metadata, parts.traits };
	const EVENT_DATA_DESCRIPTOR *block = s->e->data;
	const EVENT_DATA_DESCRIPTOR *end = block + s->e->count;
	u8 type;

	for (; block < end; block++) {
		type = type_of(s, block);
		/* A record has no room for traits blocks that are left out */
		if (!block->Size || !to[type])
			continue;
		memcpy(to[type], (const void *)(uintptr_t)block->Ptr,
		       block->Size);
		to[type] += block->Size;
	}
}

static struct evnt_private_reader reader_of(const struct outgoing *s)
{
	const bool is_tracelogging = s->record.metadata_len;
	struct evnt_private_reader data = {
		.blocks = s->e->data,
		.types = s->types,
		.kind = is_tracelogging ? EVNTPROV_DATA_EVENT_METADATA :
					  EVNTPROV_DATA_NONE,
	};

	evnt_reader_init(&data.reader, is_tracelogging ?
			 s->record.metadata_len : s->record.data_len);
	return data;
}

static bool filters_pass(const struct evnt_private_filters *f,
			 const struct outgoing *s)
{
	const EVENT_DESCRIPTOR *d = s->e->descriptor;
	const struct evnt_program_event event = {
		d->Id | (u32)d->Version << 16, sizeof(void *),
	};
	struct evnt_private_reader data = reader_of(s);

	if (s->record.metadata_len)
		return !f->names || evnt_names_pass(f->names, d->Level,
						    d->Keyword, &data.reader);
	if (f->ids && !evnt_ids_pass(f->ids, d->Id))
		return false;
	return !f->program || evnt_program_run(f->program, &event,
					       &data.reader);
}

/* Test whether the session's filters let the event have its call stack */
static bool stack_passes(const struct evnt_private_filters *f,
			 const struct outgoing *s)
{
	const EVENT_DESCRIPTOR *d = s->e->descriptor;
	struct evnt_private_reader data = reader_of(s);

	if (f->stack_level_kw &&
	    !evnt_level_kw_pass(f->stack_level_kw, d->Level, d->Keyword))
		return false;
	if (s->record.metadata_len)
		return !f->stack_names ||
		       evnt_names_pass(f->stack_names, d->Level, d->Keyword,
				       &data.reader);
	return !f->stack_ids || evnt_ids_pass(f->stack_ids, d->Id);
}

/* Test level, keyword and properties, before the event's data is read */
static bool is_wanted(const struct evnt_private_enablement *e,
		      const struct evnt_private_event *event)
{
	const EVENT_DESCRIPTOR *d = event->descriptor;

	if (!evnt_wanted(&e->interest, d->Level, d->Keyword))
		return false;
	if (likely(!(e->property & (EVENT_ENABLE_PROPERTY_IGNORE_KEYWORD_0 |
				    EVENT_ENABLE_PROPERTY_EXCLUDE_INPRIVATE))))
		return true;
	if (e->property & EVENT_ENABLE_PROPERTY_IGNORE_KEYWORD_0 && !d->Keyword)
		return false;
	return !(e->property & EVENT_ENABLE_PROPERTY_EXCLUDE_INPRIVATE &&
		 event->flags & EVENT_WRITE_FLAG_INPRIVATE);
}

/*
 * Check the arguments, and describe the parts of the record that are the same
 * in all sessions; return 0, -EINVAL or -EOPNOTSUPP
 */
static int describe(struct outgoing *s, const struct evnt_private_set *set,
		    const struct evnt_private_event *e)
{
	const EVENT_DATA_DESCRIPTOR *block = e->data;
	u64 sum = 0;
	u32 i;

	if (e->flags & ~(EVENT_WRITE_FLAG_NO_FAULTING |
			 EVENT_WRITE_FLAG_INPRIVATE) ||
	    e->count > MAX_BLOCKS || (e->count && !e->data))
		return -EINVAL;
	s->e = e;
	s->types = set->use_types ? 0xff : 0;
	s->skip_traits = set->traits;
	s->record = (struct evnt_event) {
		.descriptor = (const struct etl_descriptor *)e->descriptor,
		.provider = (const u8 *)&set->id,
		.activity = (const u8 *)(e->activity ? e->activity :
						       &evnt_thread.activity),
		.related = (const u8 *)e->related,
		.flags = ETL_EVENT_FLAG_PRIVATE |
			 (e->is_string ? ETL_EVENT_FLAG_STRING : 0),
		.traits = set->traits,
		.traits_len = set->traits ? set->traits[0] |
					    set->traits[1] << 8 : 0,
	};
	describe_writer(&s->record);
	/* Until it is sealed */
	s->record.kind = 0;
	if (s->types)
		return measure(s);
	for (i = 0; i < e->count; i++)
		sum += block[i].Size;
	s->record.data_len = sum;
	return 0;
}

/* Reserve a record; on a negative error the event is counted as lost */
static __always_inline int reserve(struct evnt_buffers *b, u32 cpu, u64 size,
				   struct evnt_reservation *at, s64 *time)
{
	int err = -EOVERFLOW;

	if (likely(size <= ETL_MAX_RECORD))
		err = evnt_reserve(b, cpu, size, at, time);
	if (unlikely(err))
		evnt_count_lost(b, cpu, evnt_loss_of(err));
	return err;
}

/* Write one record; on a negative error the event is counted as lost */
static int put_record(struct evnt_buffers *b, u32 cpu, struct outgoing *s)
{
	const struct evnt_event *e = &s->record;
	u64 size = evnt_record_size(e);
	struct evnt_record_parts parts = {};
	struct evnt_reservation at;
	u8 *record;
	s64 time;
	int err = reserve(b, cpu, size, &at, &time);

	if (unlikely(err))
		return err;
	record = evnt_record(&at);
	evnt_private_begin(record, size);
	evnt_private_put_time(&s->record, b, time);
	if (likely(!e->related && !e->item_count && !e->traits_len &&
		   !e->metadata_len))
		parts.data = evnt_record_put_header(record, size, e, time);
	else
		parts = evnt_record_lay_out(record, size, e, time);
	copy_data(s, parts);
	evnt_private_seal(record, EVNT_PRIVATE_KIND);
	evnt_commit(b, cpu, &at);
	return 0;
}

/* Properties that request extended data items */
#define CONTAINER	(EVENT_ENABLE_PROPERTY_ENABLE_SILOS | \
			 EVENT_ENABLE_PROPERTY_SOURCE_CONTAINER_TRACKING)
#define WISHES	(EVENT_ENABLE_PROPERTY_SID | EVENT_ENABLE_PROPERTY_TS_ID | \
		 EVENT_ENABLE_PROPERTY_PSM_KEY |			\
		 EVENT_ENABLE_PROPERTY_EVENT_KEY |			\
		 EVENT_ENABLE_PROPERTY_PROCESS_START_KEY | CONTAINER |	\
		 EVENT_ENABLE_PROPERTY_STACK_TRACE)

/*
 * Collect all items but the call stack, in the order used by the module.  @key:
 * the event's key, the same in all sessions; created if 0.
 */
static u32 collect_items(struct evnt_item *items,
			 const struct evnt_process_ids *subject, u64 *key)
{
	const struct evnt_item all[MAX_ITEMS - 1] = {
		{ EVENT_ENABLE_PROPERTY_SID, ETL_EXT_SID, sizeof(subject->sid),
		  subject->sid },
		{ EVENT_ENABLE_PROPERTY_TS_ID, ETL_EXT_TS_ID,
		  sizeof(subject->login), &subject->login },
		/* Never requested if the process belongs to no package */
		{ subject->package_len ? EVENT_ENABLE_PROPERTY_PSM_KEY : 0,
		  ETL_EXT_PSM_KEY, subject->package_len, subject->package },
		{ EVENT_ENABLE_PROPERTY_EVENT_KEY, ETL_EXT_EVENT_KEY,
		  sizeof(*key), key },
		{ EVENT_ENABLE_PROPERTY_PROCESS_START_KEY,
		  ETL_EXT_PROCESS_START_KEY, sizeof(subject->start_key),
		  &subject->start_key },
		{ CONTAINER, ETL_EXT_CONTAINER_ID,
		  sizeof(subject->container) - 1, subject->container },
	};

	if (!*key)
		*key = evnt_private_event_key();
	memcpy(items, all, sizeof(all));
	return MAX_ITEMS - 1;
}

/* Write the event with its call stack, after the images it leads through */
static __attribute__((noinline)) int
put_with_stack(struct evnt_private *session, u32 cpu, struct outgoing *s,
	       struct evnt_item *item)
{
	struct evnt_stack stack;
	u32 frames = evnt_private_stack(&stack, s->e->frame);

	if (!(s->e->flags & EVENT_WRITE_FLAG_NO_FAULTING) &&
	    evnt_private_images_are_due(session, &stack, frames))
		evnt_private_image_rundown(session, &stack, frames);
	*item = (struct evnt_item) {
		EVENT_ENABLE_PROPERTY_STACK_TRACE, ETL_EXT_STACK_TRACE64,
		evnt_stack_len(frames), &stack,
	};
	s->record.item_count++;
	return put_record(&session->buffers, cpu, s);
}

static __attribute__((noinline)) int
put_with_items(const struct evnt_private_one *one, u32 cpu, struct outgoing *s,
	       u64 *key)
{
	struct evnt_item items[MAX_ITEMS];
	u32 ext_items = one->e->property & WISHES;
	int err;

	if (ext_items & EVENT_ENABLE_PROPERTY_STACK_TRACE &&
	    !stack_passes(&one->e->filters, s))
		ext_items &= ~EVENT_ENABLE_PROPERTY_STACK_TRACE;
	s->record.items = items;
	s->record.item_count =
		collect_items(items, &one->session->subject, key);
	s->record.ext_items = ext_items;
	if (ext_items & EVENT_ENABLE_PROPERTY_STACK_TRACE)
		err = put_with_stack(one->session, cpu, s,
				     &items[MAX_ITEMS - 1]);
	else
		err = put_record(&one->session->buffers, cpu, s);
	s->record.items = NULL;
	s->record.item_count = 0;
	return err;
}

static int write_to(const struct evnt_private_one *one, u32 cpu,
		    struct outgoing *s, u64 *key)
{
	const struct evnt_private_filters *f = &one->e->filters;

	if (unlikely(f->ids || f->names || f->program) && !filters_pass(f, s))
		return 0;
	if (unlikely(one->e->property & WISHES))
		return put_with_items(one, cpu, s, key);
	return put_record(&one->session->buffers, cpu, s);
}

static int write_to_all(const struct evnt_private_set *set,
			const struct evnt_private_event *e, unsigned int cpu)
{
	struct outgoing s;
	bool described = false;
	int err, first = 0;
	u64 key = 0;
	u32 i;

	for (i = 0; i < set->count; i++) {
		if (!is_wanted(set->one[i].e, e))
			continue;
		if (!described) {
			err = describe(&s, set, e);
			if (unlikely(err))
				return err;
			described = true;
		}
		err = write_to(&set->one[i],
			       cpu % set->one[i].session->buffers.nr_cpus, &s,
			       &key);
		first = first ? first : err;
	}
	return first;
}

/**
 * evnt_private_write() - write an event to the private sessions that want it
 * @handle: handle of the registration
 * @e: the event
 *
 * Each session records the event or counts it as lost, independently of the
 * others.
 *
 * Return: as EventWriteEx().
 */
ULONG evnt_private_write(REGHANDLE handle, const struct evnt_private_event *e)
{
	const unsigned int slot = evnt_slot_of(handle);
	/* -1 is harmless: each user takes the remainder */
	const unsigned int cpu = evnt_current_cpu();
	const struct evnt_private_set *set;
	uintptr_t *inside;
	int err = 0;

	inside = evnt_read_begin(cpu);
	set = __atomic_load_n(&evnt_private_sets[slot], __ATOMIC_SEQ_CST);
	if (likely(set && set->handle == handle))
		err = write_to_all(set, e, cpu);
	evnt_read_end(inside);
	return unlikely(err) ? evnt_win32(-err) : ERROR_SUCCESS;
}

/* Write an event of the library; returns 0, -EMSGSIZE or -ENOBUFS */
static int put_self(struct evnt_private *s, const struct evnt_self_event *own,
		    struct evnt_event *e, const void *data, bool counts)
{
	struct evnt_buffers *b = &s->buffers;
	u32 cpu = evnt_private_cpu(b), size;
	struct evnt_reservation at;
	const u16 kind = e->kind;
	u8 *record;
	s64 time;
	int err;

	e->flags |= ETL_EVENT_FLAG_PRIVATE;
	size = evnt_record_size(e);
	err = evnt_reserve(b, cpu, size, &at, &time);
	if (err)
		return err;
	if (e->thread_id)
		evnt_private_put_time(e, b, time);
	record = evnt_record(&at);
	evnt_private_begin(record, size);
	e->kind = 0;
	evnt_self_put(record, size, own, e, time, data);
	e->kind = kind;
	evnt_private_seal(record, kind);
	if (counts)
		evnt_commit(b, cpu, &at);
	else
		evnt_buffer_unref(b, at.buffer);
	return 0;
}

/**
 * evnt_private_self_write() - write an event of the library itself
 * @s: session, which must not be freed in the meantime
 * @own: type of the event
 * @e: the event, with its writer filled in
 * @data: payload
 *
 * The caller counts a lost event, by evnt_private_self_lost().
 *
 * Return: 0, -EMSGSIZE or -ENOBUFS.
 */
int evnt_private_self_write(struct evnt_private *s,
			    const struct evnt_self_event *own,
			    struct evnt_event *e, const void *data)
{
	return put_self(s, own, e, data, true);
}

/* Count an event of the library that could not be written */
void evnt_private_self_lost(struct evnt_private *s, int err)
{
	evnt_count_lost(&s->buffers, evnt_private_cpu(&s->buffers),
			evnt_loss_of(err));
}

static int write_loss(void *session, u32 cpu, enum evnt_loss kind,
		      const struct evnt_gap *gap)
{
	struct evnt_private *s = session;
	struct evnt_loss_data data;
	struct evnt_event e;
	u32 len;

	data.fixed.buffer_size = s->buffers.buffer_size;
	data.fixed.mode = s->info.log_file_mode;
	data.fixed.consumers = 0;
	len = evnt_loss_fill(&data, cpu, kind, gap, NULL, 0);
	evnt_self_describe(&e, &evnt_loss_event, len);
	return put_self(s, &evnt_loss_event, &e, &data, false);
}

/**
 * evnt_private_losses() - record losses of a session in the session
 * @s: session
 * @all: record all losses, not only if a gap is over or long
 *
 * Called by the session's thread.  Without room, the losses are recorded later.
 * Sessions of a process do not keep each other from events, so each loss is the
 * session's own.
 */
void evnt_private_losses(struct evnt_private *s, bool all)
{
	evnt_gaps_report(&s->buffers, all, write_loss, s);
}

/* Return the current processor, limited to those that the buffers have */
u32 evnt_private_cpu(const struct evnt_buffers *b)
{
	return evnt_current_cpu() % b->nr_cpus;
}
