// SPDX-License-Identifier: MIT
/*
 * Writing an event to the private sessions that want it.
 *
 * No lock is taken, no memory allocated, and no system call made, but for the one
 * that wakes a sleeping writer when a buffer is full, the one that says how long the
 * thread has run, once in a millisecond, and what it takes to find call stacks, and
 * to tell what they lead through.  So it may be done in a signal handler, also in
 * the midst of another event: reservations nest.
 *
 * The caller is a reader of sets until all records are complete; nothing that it
 * finds there goes away meanwhile.  It may be moved to another processor at any
 * time: then two share a buffer for a while, which the core allows.
 *
 * The event's data is the program's own memory: what cannot be read ends the
 * program, as it does where it comes from.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "activity.h"
#include "evntcons.h"
#include "grace.h"
#include "private.h"
#include "private_reader.h"
#include "reserve.h"

_Static_assert(sizeof(EVENT_DESCRIPTOR) == sizeof(struct etl_descriptor),
	       "they are the same");

#define KINDS		(EVNTPROV_DATA_PROVIDER_METADATA + 1)
#define MAX_ITEMS	7
/* Longer is no event; sums of lengths cannot overflow */
#define MAX_BLOCKS	MAX_EVENT_DATA_DESCRIPTORS

/* 0: not known yet */
static __thread u32 current_tid;
static u32 current_pid;

/* The calling thread's id, as the kernel has it */
u32 evnt_private_tid(void)
{
	if (!current_tid)
		current_tid = syscall(SYS_gettid);
	return current_tid;
}

u32 evnt_private_pid(void)
{
	u32 id = READ_ONCE(current_pid);

	if (!id) {
		id = syscall(SYS_getpid);
		WRITE_ONCE(current_pid, id);
	}
	return id;
}

/* In the child, whose only thread this is */
void evnt_private_write_forked(void)
{
	current_tid = 0;
	current_pid = 0;
	evnt_processor_time_forked();
}

/* Who writes it */
void evnt_private_describe_writer(struct evnt_event *e)
{
	e->kind = sizeof(void *) == 8 ? ETL_RECORD_EVENT64 :
					ETL_RECORD_EVENT32;
	e->thread_id = evnt_private_tid();
	e->process_id = evnt_private_pid();
}

/**
 * struct subject - an event that is looked at by filters, and then written
 * @e: what it is
 * @types: bits of a block's type that are looked at: all or none
 * @skip_traits: blocks of traits are left out: others are used
 * @record: what goes into records
 */
struct subject {
	const struct evnt_private_event *e;
	u8 types;
	bool skip_traits;
	struct evnt_event record;
};

static u8 type_of(const struct subject *s, const EVENT_DATA_DESCRIPTOR *block)
{
	return block->Type & s->types;
}

/* Where types are not looked at, all is data */
static void measure_plain(struct subject *s)
{
	const EVENT_DATA_DESCRIPTOR *block = s->e->data;
	const EVENT_DATA_DESCRIPTOR *end = block + s->e->count;
	u64 sum = 0;

	for (; block < end; block++)
		sum += block->Size;
	s->record.data_len = sum;
}

/* Find the lengths of an event's parts; 0, -EINVAL or -EOPNOTSUPP */
static int measure(struct subject *s)
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

/* Put an event's data in its record */
static void copy_data(const struct subject *s, struct evnt_record_parts parts)
{
	u8 *to[KINDS] = { parts.data, parts.metadata, parts.traits };
	const EVENT_DATA_DESCRIPTOR *block = s->e->data;
	const EVENT_DATA_DESCRIPTOR *end = block + s->e->count;
	u8 type;

	for (; block < end; block++) {
		type = type_of(s, block);
		/* There is no place for traits when others are used */
		if (!block->Size || !to[type])
			continue;
		memcpy(to[type], (const void *)(uintptr_t)block->Ptr,
		       block->Size);
		to[type] += block->Size;
	}
}

static struct evnt_private_reader reader_of(const struct subject *s)
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
			 const struct subject *s)
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

/* Whether the event comes with its call stack, where that is wished for */
static bool stack_passes(const struct evnt_private_filters *f,
			 const struct subject *s)
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

static bool has_filters(const struct evnt_private_filters *f)
{
	return f->ids || f->names || f->program;
}

/* Whether a session wants the event, before its data is looked at */
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

static bool arguments_valid(const struct evnt_private_event *e)
{
	return !(e->flags & ~(EVENT_WRITE_FLAG_NO_FAULTING |
			      EVENT_WRITE_FLAG_INPRIVATE)) &&
	       e->count <= MAX_BLOCKS && (!e->count || e->data);
}

/* All of the record that is the same in each session */
static int describe(struct subject *s, const struct evnt_private_set *set,
		    const struct evnt_private_event *e)
{
	s->e = e;
	s->types = set->use_types ? 0xff : 0;
	s->skip_traits = set->traits;
	s->record = (struct evnt_event) {
		.descriptor = (const struct etl_descriptor *)e->descriptor,
		.provider = (const u8 *)&set->id,
		.activity = (const u8 *)(e->activity ? e->activity :
						       &evnt_thread_activity),
		.related = (const u8 *)e->related,
		.flags = ETL_EVENT_FLAG_PRIVATE |
			 (e->is_string ? ETL_EVENT_FLAG_STRING : 0),
		.traits = set->traits,
		.traits_len = set->traits ? set->traits[0] |
					    set->traits[1] << 8 : 0,
	};
	evnt_private_describe_writer(&s->record);
	if (s->types)
		return measure(s);
	measure_plain(s);
	return 0;
}

static bool is_plain(const struct evnt_event *e)
{
	return !e->related && !e->item_count && !e->traits_len &&
	       !e->metadata_len;
}

/* One record; 0 or a negative errno: then the event is counted as lost */
static int put_record(struct evnt_buffers *b, u32 cpu, struct subject *s)
{
	u64 size = evnt_record_size(&s->record);
	struct evnt_record_parts parts = {};
	struct evnt_reservation at;
	s64 time;
	int err = -EOVERFLOW;

	if (likely(size <= ETL_MAX_RECORD))
		err = evnt_reserve(b, cpu, size, &at, &time);
	if (unlikely(err)) {
		evnt_count_lost(b, cpu, evnt_loss_of(err));
		return err;
	}
	evnt_private_put_time(&s->record, b, time);
	if (likely(is_plain(&s->record)))
		parts.data = evnt_record_put_header(evnt_record(&at), size,
						    &s->record, time);
	else
		parts = evnt_record_lay_out(evnt_record(&at), size, &s->record,
					    time);
	copy_data(s, parts);
	evnt_commit(b, cpu, &at);
	return 0;
}

/* In the order in which the module has them; behind them comes the call stack */
#define CONTAINER	(EVENT_ENABLE_PROPERTY_ENABLE_SILOS | \
			 EVENT_ENABLE_PROPERTY_SOURCE_CONTAINER_TRACKING)
#define WISHES	(EVENT_ENABLE_PROPERTY_SID | EVENT_ENABLE_PROPERTY_TS_ID | \
		 EVENT_ENABLE_PROPERTY_PSM_KEY |			\
		 EVENT_ENABLE_PROPERTY_EVENT_KEY |			\
		 EVENT_ENABLE_PROPERTY_PROCESS_START_KEY | CONTAINER |	\
		 EVENT_ENABLE_PROPERTY_STACK_TRACE)

/* What sessions may wish for; @key: the event's, the same for all of them */
static u32 collect_items(struct evnt_item *items,
			 const struct evnt_private_who *who, u64 *key)
{
	const struct evnt_item all[MAX_ITEMS - 1] = {
		{ EVENT_ENABLE_PROPERTY_SID, ETL_EXT_SID, sizeof(who->sid),
		  who->sid },
		{ EVENT_ENABLE_PROPERTY_TS_ID, ETL_EXT_TS_ID,
		  sizeof(who->login), &who->login },
		/* Nobody wishes for that of no package */
		{ who->package_len ? EVENT_ENABLE_PROPERTY_PSM_KEY : 0,
		  ETL_EXT_PSM_KEY, who->package_len, who->package },
		{ EVENT_ENABLE_PROPERTY_EVENT_KEY, ETL_EXT_EVENT_KEY,
		  sizeof(*key), key },
		{ EVENT_ENABLE_PROPERTY_PROCESS_START_KEY,
		  ETL_EXT_PROCESS_START_KEY, sizeof(who->start_key),
		  &who->start_key },
		{ CONTAINER, ETL_EXT_CONTAINER_ID, sizeof(who->container) - 1,
		  who->container },
	};

	if (!*key)
		*key = evnt_private_event_key();
	memcpy(items, all, sizeof(all));
	return MAX_ITEMS - 1;
}

/* Add the call stack to its items, and have the session told what it leads through */
static __attribute__((noinline)) int
put_with_stack(struct evnt_private *session, u32 cpu, struct subject *s,
	       struct evnt_item *item)
{
	struct evnt_stack stack;
	u32 frames = evnt_private_stack(&stack, s->e->frame);

	if (!(s->e->flags & EVENT_WRITE_FLAG_NO_FAULTING) &&
	    evnt_private_images_are_due(session, &stack, frames))
		evnt_private_images_tell(session, &stack, frames);
	*item = (struct evnt_item) {
		EVENT_ENABLE_PROPERTY_STACK_TRACE, ETL_EXT_STACK_TRACE64,
		evnt_stack_len(frames), &stack,
	};
	s->record.item_count++;
	return put_record(&session->buffers, cpu, s);
}

static __attribute__((noinline)) int
put_with_items(const struct evnt_private_one *one, u32 cpu, struct subject *s,
	       u64 *key)
{
	struct evnt_item items[MAX_ITEMS];
	u32 wishes = one->e->property & WISHES;
	int err;

	if (wishes & EVENT_ENABLE_PROPERTY_STACK_TRACE &&
	    !stack_passes(&one->e->filters, s))
		wishes &= ~EVENT_ENABLE_PROPERTY_STACK_TRACE;
	s->record.items = items;
	s->record.item_count = collect_items(items, &one->session->who, key);
	s->record.wishes = wishes;
	if (wishes & EVENT_ENABLE_PROPERTY_STACK_TRACE)
		err = put_with_stack(one->session, cpu, s,
				     &items[MAX_ITEMS - 1]);
	else
		err = put_record(&one->session->buffers, cpu, s);
	s->record.items = NULL;
	s->record.item_count = 0;
	return err;
}

static int write_to(const struct evnt_private_one *one, u32 cpu,
		    struct subject *s, u64 *key)
{
	if (unlikely(has_filters(&one->e->filters)) &&
	    !filters_pass(&one->e->filters, s))
		return 0;
	if (unlikely(one->e->property & WISHES))
		return put_with_items(one, cpu, s, key);
	return put_record(&one->session->buffers, cpu, s);
}

static int write_to_all(const struct evnt_private_set *set,
			const struct evnt_private_event *e, unsigned int cpu)
{
	struct subject s;
	bool described = false;
	int err, first = 0;
	u64 key = 0;
	u32 i;

	for (i = 0; i < set->count; i++) {
		if (!is_wanted(set->one[i].e, e))
			continue;
		if (!described) {
			err = arguments_valid(e) ? describe(&s, set, e) :
						   -EINVAL;
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
 * @handle: the registration
 * @e: the event
 *
 * Each session gets it, or counts it as lost, whatever others do.
 *
 * Return: as EventWriteEx().
 */
ULONG evnt_private_write(REGHANDLE handle, const struct evnt_private_event *e)
{
	const unsigned int slot = (handle & EVNTPROV_HANDLE_SLOT_MASK) /
				  EVNTPROV_SLOT_SIZE;
	/* An error is a processor, too: each user of it takes the remainder */
	unsigned int cpu = sched_getcpu();
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
