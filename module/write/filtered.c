// SPDX-License-Identifier: GPL-2.0
/*
 * Write path to several sessions, or to sessions that have filters on events or
 * request extended items.  Each session gets a record of its own, or none.
 *
 * Sessions are first selected by what is cheap to check, where most unwanted
 * events end.  Filters then read the event's data.  The data is read once more
 * into the first record, and copied from there to the others, which differ only
 * in their extended items.  fanout.c has a shorter way for plain data.
 *
 * The event goes to all selected sessions or to none.  Independent sessions are
 * the exception: each of them succeeds or fails regardless of the others.
 */
#include <linux/bitops.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/uaccess.h>

#include "module/write/event.h"
#include "module/write/ext_items.h"
#include "module/write/write.h"
#include "module/common/stack_capture.h"
#include "module/write/fanout.h"

/**
 * struct records - records of one event
 * @set: effective set of the registration
 * @r: registration
 * @arg: arguments of the write
 * @p: payload
 * @e: description of the event
 * @places: bitmask of the entries in @set whose sessions get the event
 * @stacks: subset of @places that gets the call stack
 * @ways: subsets of @places that are pairs, by the enablement that matched
 * @failed: on failure, places of the sessions that failed, or 0 if the event
 *	itself is at fault
 * @failed_by: subsets of @failed by reason; valid if @failed is not 0
 * @given_up: entries that lose the event, by reason; valid if @error is set
 * @blocker: entry that makes those in @given_up[EVNT_LOST_BLOCKED] lose it
 * @error: error of the first entry in @given_up, or 0
 */
struct records {
	const struct evnt_enable_set *set;
	const struct evnt_registration *r;
	const struct evntprov_write *arg;
	struct evnt_payload *p;
	struct evnt_event *e;
	u64 places;
	u64 stacks;
	u64 ways[EVNT_PAIR];
	u64 failed;
	u64 failed_by[EVNT_LOSSES];
	u64 given_up[EVNT_LOSSES];
	u32 blocker;
	int error;
};

/* Take the first place out of *@rest; returns false if it is empty */
static bool next_place(u64 *rest, u32 *i)
{
	if (!*rest)
		return false;
	*i = __ffs64(*rest);
	*rest &= *rest - 1;
	return true;
}

static void count_filtered(const struct evnt_enablement *e)
{
	struct evnt_buffers *b = &e->session->buffers;

	local64_inc(&b->cpus[smp_processor_id()].filtered);
}

/* Select sessions by descriptor and exclusion mask */
static u64 select_by_descriptor(const struct evnt_enable_set *set,
				const struct evnt_registration *r,
				const struct evntprov_write *arg)
{
	bool types = READ_ONCE(r->flags) & EVNTRACE_REGISTRATION_TYPES;
	const struct evnt_filters *f;
	u64 places = 0;
	u32 i;

	for (i = 0; i < set->count; i++) {
		if (!evnt_wants(&set->e[i], r, arg))
			continue;
		/*
		 * The id filter applies before any of the event's data is read.
		 * Without block types, the event is not a TraceLogging event,
		 * so its id is meaningful.
		 */
		f = set->e[i].filters;
		if (f && f->ids && !types &&
		    !evnt_ids_pass(f->ids, arg->descriptor.id)) {
			count_filtered(&set->e[i]);
			continue;
		}
		places |= BIT_ULL(i);
	}
	return places;
}

/**
 * struct subject - event to be filtered
 * @descriptor: event descriptor
 * @event: description of the event for payload filters
 * @is_tracelogging: the event has TraceLogging metadata
 * @reader: reader of the metadata if there is any, otherwise of the data
 */
struct subject {
	const struct evntprov_descriptor *descriptor;
	struct evnt_program_event event;
	bool is_tracelogging;
	struct evnt_payload_reader reader;
};

/*
 * Evaluate the event filters.  Returns 1 if the event passes, 0 if not, or
 * -EFAULT or -EINVAL as evnt_payload_copy().  Not inlined, as most enablements
 * have no filters.
 */
static noinline int filters_pass(const struct evnt_filters *f,
				 struct subject *s)
{
	const struct evntprov_descriptor *d = s->descriptor;
	struct evnt_reader *reader = &s->reader.reader;
	bool pass = true;

	if (s->is_tracelogging) {
		if (f->names)
			pass = evnt_names_pass(f->names, d->level, d->keyword,
					       reader);
	} else {
		if (f->ids)
			pass = evnt_ids_pass(f->ids, d->id);
		if (f->program && pass)
			pass = evnt_program_run(f->program, &s->event, reader);
	}
	return reader->err ? reader->err : pass;
}

/*
 * Evaluate the call stack filters of a session that requested call stacks.
 * Returns 1 if the event gets its call stack, 0 if not, or a negative errno.
 */
static noinline int filters_stack(const struct evnt_filters *f,
				  struct subject *s)
{
	const struct evntprov_descriptor *d = s->descriptor;
	struct evnt_reader *reader = &s->reader.reader;
	bool with = true;

	if (f->stack_level_kw)
		with = evnt_level_kw_pass(f->stack_level_kw, d->level,
					  d->keyword);
	if (f->stack_ids && with && !s->is_tracelogging)
		with = evnt_ids_pass(f->stack_ids, d->id);
	if (f->stack_names && with && s->is_tracelogging)
		with = evnt_names_pass(f->stack_names, d->level, d->keyword,
				       reader);
	return reader->err ? reader->err : with;
}

/*
 * Evaluate the filters of an enablement.  Returns as filters_pass(), and
 * sets *@stack if the event gets a call stack.  Inline, as most enablements are
 * no pair.
 */
static __always_inline int evaluate_filters(const struct evnt_enablement *e,
					    struct subject *s, bool *stack)
{
	const struct evnt_filters *f = e->filters;
	int pass, with;

	pass = f ? filters_pass(f, s) : true;
	if (pass <= 0 || !evnt_may_have_stack(e))
		return pass;
	with = f ? filters_stack(f, s) : true;
	if (unlikely(with < 0))
		return with;
	if (with)
		*stack = true;
	return pass;
}

/*
 * Evaluate the filters of both enablements of a pair; returns as
 * evaluate_filters()
 */
static noinline int evaluate_pair(struct records *rec, u32 i,
				  struct subject *s, bool *stack)
{
	const struct evnt_enablement *pair = rec->set->e[i].pair;
	bool any = false;
	u32 way;
	int pass;

	for (way = 0; way < EVNT_PAIR; way++) {
		if (!evnt_wants(&pair[way], rec->r, rec->arg))
			continue;
		pass = evaluate_filters(&pair[way], s, stack);
		if (unlikely(pass < 0))
			return pass;
		if (pass) {
			rec->ways[way] |= BIT_ULL(i);
			any = true;
		}
	}
	return any;
}

/*
 * Evaluate the filters of all selected sessions; returns 0 or a negative errno
 */
static noinline int evaluate(struct records *rec)
{
	const struct evntprov_descriptor *d = &rec->arg->descriptor;
	const bool is_tracelogging = rec->e->metadata_len;
	struct subject s __uninitialized;
	const struct evnt_enablement *one;
	u64 rest = rec->places;
	bool stack;
	int pass;
	u32 i;

	s.descriptor = d;
	s.event.id = d->id | d->version << 16;
	s.event.pointer_size = in_compat_syscall() && !rec->p->kernel ? 4 : 8;
	s.is_tracelogging = is_tracelogging;
	s.reader.payload = rec->p;
	s.reader.kind = is_tracelogging ? EVNTPROV_DATA_EVENT_METADATA :
					  EVNTPROV_DATA_NONE;
	evnt_reader_init(&s.reader.reader, is_tracelogging ?
			 rec->e->metadata_len : rec->e->data_len);
	while (next_place(&rest, &i)) {
		one = &rec->set->e[i];
		stack = false;
		pass = unlikely(one->pair) ? evaluate_pair(rec, i, &s, &stack) :
					     evaluate_filters(one, &s, &stack);
		if (unlikely(pass < 0))
			return pass;
		if (!pass) {
			rec->places &= ~BIT_ULL(i);
			count_filtered(one);
		} else if (stack) {
			rec->stacks |= BIT_ULL(i);
		}
	}
	return 0;
}

/* Return the items requested by the session at place @i */
static u32 items_at(const struct records *rec, u32 i)
{
	const struct evnt_enablement *e = &rec->set->e[i];
	u32 way, ext_items = e->property;

	if (unlikely(e->pair)) {
		/* The properties of those that the event passed */
		ext_items = 0;
		for (way = 0; way < EVNT_PAIR; way++) {
			if (rec->ways[way] & BIT_ULL(i))
				ext_items |= e->pair[way].property;
		}
	}
	if (!(rec->stacks & BIT_ULL(i)))
		ext_items &= ~EVNTRACE_PROPERTY_STACK_TRACE;
	return ext_items & EVNT_PROPERTY_EXT_ITEMS;
}

/**
 * struct places - places of the records of one event
 * @t: reservations
 * @ext_items: EVNT_PROPERTY_EXT_ITEMS of each record
 * @size: size of each record without padding
 */
struct places {
	struct evnt_fanout t;
	u32 ext_items[EVNTRACE_MAX_SESSIONS];
	u32 size[EVNTRACE_MAX_SESSIONS];
};

/* Compute the record sizes; returns 0, or -EOVERFLOW if one is too large */
static int measure_records(struct places *at, struct records *rec)
{
	u32 i, n = 0;
	u64 rest = rec->places, size;
	int err = 0;

	while (next_place(&rest, &i)) {
		rec->e->ext_items = items_at(rec, i);
		size = evnt_record_size(rec->e);
		if (unlikely(size > ETL_MAX_RECORD)) {
			size = ETL_MAX_RECORD + 1;
			err = -EOVERFLOW;
		}
		at->ext_items[n] = rec->e->ext_items;
		at->size[n++] = size;
	}
	return err;
}

/* Check whether a session can take a record; returns 0 or an error */
static int try_record(struct evnt_buffers *b, u32 size)
{
	struct evnt_reservation r;
	s64 time;
	int err;

	if (size > ETL_MAX_RECORD)
		return -EOVERFLOW;
	err = evnt_reserve(b, smp_processor_id(), size, &r, &time);
	if (!err)
		evnt_discard(b, size, &r);
	return err;
}

/*
 * Find all sessions that cannot take their records, after the one with number
 * @first could not, or none was tried if that is U32_MAX.  All are tried, so
 * that each counts the loss for its own reason, and only the others count it as
 * caused by another session.
 */
static noinline void find_failed(const struct places *at, struct records *rec,
				 u32 first, int error)
{
	u64 rest = rec->places;
	u32 i, n = 0;
	int err;

	memset(rec->failed_by, 0, sizeof(rec->failed_by));
	for (; next_place(&rest, &i); n++) {
		err = n == first ? error :
		      try_record(&rec->set->e[i].session->buffers, at->size[n]);
		if (!err)
			continue;
		rec->failed |= BIT_ULL(i);
		rec->failed_by[evnt_loss_of(err)] |= BIT_ULL(i);
	}
}

/* Lay out the n-th record */
static struct evnt_record_parts lay_out(const struct places *at, u32 n,
					struct evnt_event *e)
{
	const struct evnt_reservation *r = &at->t.at[n];

	e->ext_items = at->ext_items[n];
	return evnt_record_lay_out(evnt_record(r), at->size[n], e,
				   evnt_fanout_time(&at->t, r));
}

/*
 * Fill in the other records from the first, which is complete, and commit all
 */
static void commit_records(struct places *at, struct evnt_event *e,
			   const struct evnt_record_parts *first)
{
	u32 n, cpu = smp_processor_id(), count = at->t.end - at->t.at;
	struct evnt_record_parts parts;

	for (n = 1; n < count; n++) {
		parts = lay_out(at, n, e);
		memcpy(parts.data, first->data, e->data_len);
		if (parts.metadata)
			memcpy(parts.metadata, first->metadata,
			       e->metadata_len);
		if (parts.traits)
			memcpy(parts.traits, first->traits, e->traits_len);
		evnt_commit(at->t.at[n].buffer->owner, cpu, &at->t.at[n]);
	}
	evnt_commit(at->t.at[0].buffer->owner, cpu, &at->t.at[0]);
}

/*
 * Write the event to all selected sessions, or to none.  The following
 * functions set @failed on failure.
 */
static __always_inline int fill_records(struct places *at, struct records *rec)
{
	struct evnt_record_parts first;
	int err;

	err = measure_records(at, rec);
	if (unlikely(err)) {
		find_failed(at, rec, U32_MAX, 0);
		return err;
	}
	err = evnt_fanout_reserve(&at->t, rec->set, rec->places, at->size);
	if (unlikely(err)) {
		find_failed(at, rec, at->t.failed, err);
		return err;
	}
	first = lay_out(at, 0, rec->e);
	err = evnt_payload_copy(rec->p, rec->e, first);
	if (unlikely(err)) {
		evnt_fanout_discard(&at->t, at->t.end, at->size, 0);
		return err;
	}
	commit_records(at, rec->e, &first);
	return 0;
}

static noinline int try_records(struct records *rec)
{
	struct places at __uninitialized;

	return fill_records(&at, rec);
}

/*
 * Records of events in NMIs, whose stack is too small for them.  Allocated, as
 * all modules share only 8 KiB of static per-CPU memory.  nmi_is_in detects
 * nested NMIs.
 */
static struct places __percpu *nmi_places;
static DEFINE_PER_CPU(bool, nmi_is_in);

static noinline int try_in_nmi(struct records *rec)
{
	int err;

	if (this_cpu_xchg(nmi_is_in, true))
		return -ENOBUFS;
	err = fill_records(this_cpu_ptr(nmi_places), rec);
	this_cpu_write(nmi_is_in, false);
	return err;
}

/* Return the subset of @places whose enablements have a property */
static u64 places_with(const struct evnt_enable_set *set, u64 places,
		       u32 property)
{
	u64 rest = places, with = 0;
	u32 i;

	while (next_place(&rest, &i)) {
		if (set->e[i].property & property)
			with |= BIT_ULL(i);
	}
	return with;
}

/*
 * Remove the sessions that failed from the selected ones, and if one of these is
 * not independent, all others that are not
 */
static void give_up(struct records *rec, int err)
{
	const u64 dependent = rec->places &
			      ~places_with(rec->set, rec->places,
					   EVNT_PROPERTY_INDEPENDENT);
	u64 gone = rec->failed;
	u32 kind;

	/* Few events need the sets cleared */
	if (!rec->error) {
		memset(rec->given_up, 0, sizeof(rec->given_up));
		rec->error = err;
	}
	for (kind = 0; kind < EVNT_LOSSES; kind++)
		rec->given_up[kind] |= rec->failed_by[kind];
	if (gone & dependent) {
		rec->blocker = __ffs64(gone & dependent);
		rec->given_up[EVNT_LOST_BLOCKED] |= dependent & ~gone;
		gone |= dependent;
	}
	rec->places &= ~gone;
}

/*
 * Write the event to the selected sessions, except to those affected by a
 * failure.  Returns an error that affects all of them.
 */
static int write_records(struct records *rec)
{
	int err;

	do {
		rec->failed = 0;
		err = unlikely(in_nmi()) ? try_in_nmi(rec) : try_records(rec);
		if (likely(!err) || !rec->failed)
			return err;
		give_up(rec, err);
	} while (rec->places);
	return 0;
}

/* Write with the call stack; not inlined, as its stack frame is large */
static noinline int write_with_stack(struct records *rec,
				     struct evnt_items *items)
{
	const bool may_all_know_kernel =
		places_with(rec->set, rec->stacks, EVNT_PROPERTY_KERNEL) ==
		rec->stacks;
	struct evnt_stack stack __uninitialized;
	u32 len;

	len = evnt_stack_capture(&stack, may_all_know_kernel);
	evnt_items_add(items, EVNTRACE_PROPERTY_STACK_TRACE,
		       ETL_EXT_STACK_TRACE64, &stack, len);
	rec->e->item_count = items->count;
	return write_records(rec);
}

static noinline int write_with_items(struct records *rec, u32 ext_items)
{
	struct evnt_items items __uninitialized;

	evnt_items_collect(&items, ext_items, rec->r);
	rec->e->items = items.item;
	rec->e->item_count = items.count;
	if (rec->stacks)
		return write_with_stack(rec, &items);
	return write_records(rec);
}

static int evaluate_and_write(struct records *rec)
{
	struct evnt_event e __uninitialized;
	u32 i, ext_items = 0;
	u64 rest;
	int err;

	rec->e = &e;
	err = evnt_measure_items(&e, rec->r, rec->arg, rec->p);
	if (!err && rec->set->way == EVNT_ROUTE_FILTERED)
		err = evaluate(rec);
	if (unlikely(err) || !rec->places)
		return err;
	/* The NMI stack is too small to capture a call stack */
	if (unlikely(rec->stacks) && in_nmi())
		rec->stacks = 0;
	evnt_describe_any(&e, rec->r, rec->arg);
	rest = rec->places;
	while (next_place(&rest, &i))
		ext_items |= items_at(rec, i);
	if (!ext_items)
		return write_records(rec);
	/* An image rundown must precede the event, if it can */
	if (rec->stacks && !(rec->arg->flags & (EVNTPROV_WRITE_NO_FAULTING |
						EVNT_WRITE_NO_IMAGES)) &&
	    evnt_images_are_due(rec->r->file, rec->set, rec->stacks)) {
		rec->p->fault_len = 0;
		return -EFAULT;
	}
	return write_with_items(rec, ext_items);
}

static void count_lost(const struct evnt_enable_set *set, u64 places,
		       enum evnt_loss kind)
{
	u64 rest = places;
	u32 i;

	while (next_place(&rest, &i))
		evnt_count_lost(&set->e[i].session->buffers,
				smp_processor_id(), kind);
}

static noinline void count_given_up(const struct records *rec)
{
	u64 rest = rec->given_up[EVNT_LOST_BLOCKED];
	u32 i, kind;

	for (kind = 0; kind < EVNT_LOST_BLOCKED; kind++)
		count_lost(rec->set, rec->given_up[kind], kind);
	while (next_place(&rest, &i))
		evnt_count_blocked(&rec->set->e[i].session->buffers,
				   smp_processor_id(),
				   rec->set->e[rec->blocker].session->handle);
}

/**
 * evnt_write_many() - write an event to all sessions that want it
 * @set: effective set of the registration
 * @r: registration
 * @arg: arguments of the write
 * @p: payload
 * @last: the write will not be tried again
 *
 * The event goes to all sessions that want it or to none, except that
 * independent sessions succeed and fail on their own.  If the data cannot be
 * read, each session that might have wanted the event counts it as lost.
 *
 * Context: Preemption is disabled.
 *
 * Return: 0 or a negative errno, as documented for EVNTPROV_IOC_WRITE, even if
 * only one session lost the event.  -EFAULT requests the caller to fault in a
 * page or, if @p has a fault length of 0, to run evnt_image_rundown().
 */
int evnt_write_many(const struct evnt_enable_set *set,
		    const struct evnt_registration *r,
		    const struct evntprov_write *arg,
		    struct evnt_payload *p, bool last)
{
	struct records rec __uninitialized;
	int err;

	rec.places = select_by_descriptor(set, r, arg);
	if (!rec.places)
		return 0;
	if (unlikely(!evnt_payload_is_valid(arg)))
		return -EINVAL;
	/* Not by an initialiser, which would also clear the large members */
	rec.set = set;
	rec.r = r;
	rec.arg = arg;
	rec.p = p;
	rec.stacks = 0;
	rec.ways[0] = 0;
	rec.ways[1] = 0;
	rec.error = 0;
	pagefault_disable();
	err = evaluate_and_write(&rec);
	pagefault_enable();
	if (evnt_is_loss(err, last))
		count_lost(set, rec.places, evnt_loss_of(err));
	/* Not before a retry, which includes the sessions that were given up */
	if (unlikely(rec.error) && (!err || evnt_is_loss(err, last)))
		count_given_up(&rec);
	return err ?: rec.error;
}

/* Allocate the records of events in NMIs; returns 0 or -ENOMEM */
int evnt_write_many_init(void)
{
	nmi_places = alloc_percpu(struct places);
	return nmi_places ? 0 : -ENOMEM;
}

/* Free the records; no events can be written any longer */
void evnt_write_many_exit(void)
{
	free_percpu(nmi_places);
}
