// SPDX-License-Identifier: GPL-2.0
/*
 * The write path where sessions have filters that look at events, wish for
 * extended items, or are independent: each gets a record of its own, or none.
 *
 * First it is asked who wants the event by what costs nothing to look at: most
 * events that are not wanted end here.  Then filters look at its data, which is
 * read for that, and once more into the first record.  The others get theirs
 * from there: what differs are their extended items.
 *
 * All get it, or none: but when there is no place for it in an independent
 * session, the others go on without that one, and it goes on without them.
 */
#include <linux/bitops.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/uaccess.h>

#include "event.h"
#include "images.h"
#include "judge.h"
#include "stack.h"
#include "targets.h"

/**
 * struct verdict - who gets an event
 * @places: enablements, a bit each by their place in the set
 * @stacks: members of @places that get its call stack with it
 * @ways: members of @places that are pairs and get it by each of the two
 * @given_up: enablements that do not get it, though others do, by the kind of loss;
 *	valid if @error is set
 * @error: error of the first enablement in @given_up, or 0
 */
struct verdict {
	u64 places;
	u64 stacks;
	u64 ways[EVNT_PAIR];
	u64 given_up[EVNT_LOSSES];
	int error;
};

/*
 * Clear all but @places and @given_up.  An initializer would clear these also, for
 * each event that no session wants.
 */
static __always_inline void verdict_init(struct verdict *v)
{
	v->stacks = 0;
	v->ways[0] = 0;
	v->ways[1] = 0;
	v->error = 0;
}

/* Take the first of some places; false when there is none */
static bool next_place(u64 *rest, u32 *i)
{
	if (!*rest)
		return false;
	*i = __ffs64(*rest);
	*rest &= *rest - 1;
	return true;
}

/*
 * Whether an id refuses the event, before anything of it is read: where types of
 * blocks are not looked at, it is no TraceLogging event, whose id says nothing.
 */
static bool id_refuses(const struct evnt_enablement *e, bool types,
		       const struct evntprov_write *arg)
{
	const struct evnt_filters *f = e->filters;

	return f && f->ids && !types &&
	       !evnt_ids_pass(f->ids, arg->descriptor.id);
}

/* Those who want the event, as far as its descriptor and mask say */
static u64 who_is_interested(const struct evnt_enable_set *set,
			     const struct evnt_registration *r,
			     const struct evntprov_write *arg)
{
	bool types = READ_ONCE(r->flags) & EVNTRACE_REGISTRATION_TYPES;
	u64 places = 0;
	u32 i;

	for (i = 0; i < set->count; i++) {
		if (evnt_wants(&set->e[i], r, arg) &&
		    !id_refuses(&set->e[i], types, arg))
			places |= BIT_ULL(i);
	}
	return places;
}

static void subject_init(struct evnt_subject *s,
			 const struct evntprov_write *arg,
			 struct evnt_payload *p, const struct evnt_event *e)
{
	bool is_tracelogging = e->metadata_len;

	s->arg = arg;
	s->event.id = arg->descriptor.id | arg->descriptor.version << 16;
	s->event.pointer_size = in_compat_syscall() && !p->kernel ? 4 : 8;
	s->is_tracelogging = is_tracelogging;
	s->reader.payload = p;
	s->reader.kind = is_tracelogging ? EVNTPROV_DATA_EVENT_METADATA :
					   EVNTPROV_DATA_NONE;
	evnt_reader_init(&s->reader.reader,
			 is_tracelogging ? e->metadata_len : e->data_len);
}

/*
 * Ask one's filters.  Returns whether he gets the event, or what
 * evnt_filters_pass() does; @stack: out: true if he gets its call stack with it.
 * Inline: most enablements are no pair, and need no call for that.
 */
static __always_inline int ask_filters(const struct evnt_enablement *e,
				       struct evnt_subject *s, bool *stack)
{
	const struct evnt_filters *f = e->filters;
	int pass, with;

	pass = f ? evnt_filters_pass(f, s) : true;
	if (pass <= 0 || !evnt_may_have_stack(e))
		return pass;
	with = f ? evnt_filters_stack(f, s) : true;
	if (unlikely(with < 0))
		return with;
	if (with)
		*stack = true;
	return pass;
}

/* Of a pair, ask each that wants the event; likewise */
static noinline int ask_pair(struct verdict *v, const struct evnt_enablement *e,
			     u64 place, const struct evnt_registration *r,
			     struct evnt_subject *s, bool *stack)
{
	bool any = false;
	u32 way;
	int pass;

	for (way = 0; way < EVNT_PAIR; way++) {
		if (!evnt_wants(&e->pair[way], r, s->arg))
			continue;
		pass = ask_filters(&e->pair[way], s, stack);
		if (unlikely(pass < 0))
			return pass;
		if (pass) {
			v->ways[way] |= place;
			any = true;
		}
	}
	return any;
}

/* Ask all who are interested for their filters.  0, or an error, likewise */
static noinline int judge(struct verdict *v, const struct evnt_enable_set *set,
			  const struct evnt_registration *r,
			  const struct evntprov_write *arg,
			  struct evnt_payload *p, const struct evnt_event *e)
{
	struct evnt_subject s __uninitialized;
	const struct evnt_enablement *one;
	u64 rest = v->places;
	bool stack;
	int pass;
	u32 i;

	subject_init(&s, arg, p, e);
	while (next_place(&rest, &i)) {
		one = &set->e[i];
		stack = false;
		pass = unlikely(one->pair) ?
			ask_pair(v, one, BIT_ULL(i), r, &s, &stack) :
			ask_filters(one, &s, &stack);
		if (unlikely(pass < 0))
			return pass;
		if (!pass)
			v->places &= ~BIT_ULL(i);
		else if (stack)
			v->stacks |= BIT_ULL(i);
	}
	return 0;
}

/* What is wished for by those of a pair that the event has come through */
static u32 wishes_of_pair(const struct evnt_enablement *pair, u64 place,
			  const struct verdict *v)
{
	u32 way, wishes = 0;

	for (way = 0; way < EVNT_PAIR; way++) {
		if (v->ways[way] & place)
			wishes |= pair[way].property;
	}
	return wishes;
}

/* The items that the one at a place gets */
static u32 wishes_at(const struct evnt_enable_set *set, u32 i,
		     const struct verdict *v)
{
	const struct evnt_enablement *e = &set->e[i];
	u32 wishes = e->property;

	if (unlikely(e->pair))
		wishes = wishes_of_pair(e->pair, BIT_ULL(i), v);
	if (!(v->stacks & BIT_ULL(i)))
		wishes &= ~EVNTRACE_PROPERTY_STACK_TRACE;
	return wishes & EVNT_WISHES;
}

static u32 wishes_of(const struct evnt_enable_set *set, const struct verdict *v)
{
	u32 i, wishes = 0;
	u64 rest = v->places;

	while (next_place(&rest, &i))
		wishes |= wishes_at(set, i, v);
	return wishes;
}

/**
 * struct records - the records of one event
 * @t: where they go
 * @wishes: for each of @t, its EVNT_WISHES
 * @size: likewise, its size without padding
 */
struct records {
	struct evnt_targets t;
	u32 wishes[EVNTRACE_MAX_SESSIONS];
	u32 size[EVNTRACE_MAX_SESSIONS];
};

/* @failed: out, on failure: the place of the one that it is because of */
static int measure_records(struct records *rec,
			   const struct evnt_enable_set *set,
			   const struct verdict *v, struct evnt_event *e,
			   u64 *failed)
{
	u32 i, n = 0;
	u64 rest = v->places, size;

	while (next_place(&rest, &i)) {
		e->wishes = wishes_at(set, i, v);
		size = evnt_record_size(e);
		if (unlikely(size > ETL_MAX_RECORD)) {
			*failed = BIT_ULL(i);
			return -EOVERFLOW;
		}
		rec->wishes[n] = e->wishes;
		rec->size[n++] = size;
	}
	return 0;
}

/* Lay out the record of a target */
static struct evnt_record_parts lay_out(const struct records *rec, u32 n,
					struct evnt_event *e)
{
	const struct evnt_reservation *at = &rec->t.at[n];
	s64 time = evnt_targets_time(&rec->t, at);

	e->wishes = rec->wishes[n];
	return evnt_record_lay_out(evnt_record(at), rec->size[n], e, time);
}

/* The first one is complete: write the others, and commit all */
static void commit_records(struct records *rec, struct evnt_event *e,
			   const struct evnt_record_parts *first)
{
	u32 n, cpu = smp_processor_id(), count = rec->t.end - rec->t.at;
	struct evnt_record_parts parts;

	for (n = 1; n < count; n++) {
		parts = lay_out(rec, n, e);
		memcpy(parts.data, first->data, e->data_len);
		if (parts.metadata)
			memcpy(parts.metadata, first->metadata,
			       e->metadata_len);
		if (parts.traits)
			memcpy(parts.traits, first->traits, e->traits_len);
		evnt_commit(rec->t.at[n].buffer->owner, cpu, &rec->t.at[n]);
	}
	evnt_commit(rec->t.at[0].buffer->owner, cpu, &rec->t.at[0]);
}

/* The n-th of some places, as a bit */
static u64 nth_place(u64 places, u32 n)
{
	u32 i = 0;

	for (n++; n; n--)
		next_place(&places, &i);
	return BIT_ULL(i);
}

/*
 * Write the event to all who get it, or to none.  @failed: out, on failure: the
 * place of the one that it is because of; 0: of no one, but of the event.
 */
static __always_inline int fill_records(struct records *rec,
					const struct evnt_enable_set *set,
					const struct verdict *v,
					struct evnt_payload *p,
					struct evnt_event *e, u64 *failed)
{
	struct evnt_record_parts first;
	s64 err;

	err = measure_records(rec, set, v, e, failed);
	if (unlikely(err))
		return err;
	evnt_targets_choose(&rec->t, set, v->places);
	err = evnt_targets_reserve_chosen(&rec->t, rec->size);
	if (unlikely(err < 0)) {
		*failed = nth_place(v->places, rec->t.failed);
		return err;
	}
	first = lay_out(rec, 0, e);
	err = evnt_payload_copy(p, e, first);
	if (unlikely(err)) {
		evnt_targets_discard(&rec->t, rec->size, 0);
		*failed = 0;
		return err;
	}
	commit_records(rec, e, &first);
	return 0;
}

static noinline int try_records(const struct evnt_enable_set *set,
				const struct verdict *v, struct evnt_payload *p,
				struct evnt_event *e, u64 *failed)
{
	struct records rec __uninitialized;

	return fill_records(&rec, set, v, p, e, failed);
}

/*
 * Records of an NMI, whose stack is too short for them; another NMI may come within.
 * They are no static data, as all modules share 8 KiB of that.
 */
static struct records __percpu *nmi_records;
static DEFINE_PER_CPU(bool, nmi_is_in);

static noinline int try_in_nmi(const struct evnt_enable_set *set,
			       const struct verdict *v, struct evnt_payload *p,
			       struct evnt_event *e, u64 *failed)
{
	int err;

	*failed = 0;
	if (this_cpu_xchg(nmi_is_in, true))
		return -ENOBUFS;
	err = fill_records(this_cpu_ptr(nmi_records), set, v, p, e, failed);
	this_cpu_write(nmi_is_in, false);
	return err;
}

/* Who does not get it when those at @failed do not */
static u64 go_with(const struct evnt_enable_set *set, u64 places, u64 failed)
{
	u64 rest = places, independent = 0;
	u32 i;

	while (next_place(&rest, &i)) {
		if (set->e[i].property & EVNT_PROPERTY_INDEPENDENT)
			independent |= BIT_ULL(i);
	}
	return failed & independent ? failed : places & ~independent;
}

/* Note which sessions do without the event.  Few events need the sets cleared. */
static void give_up(struct verdict *v, u64 gone, int err)
{
	if (!v->error) {
		memset(v->given_up, 0, sizeof(v->given_up));
		v->error = err;
	}
	v->given_up[evnt_loss_of(err)] |= gone;
}

/*
 * Write the event to all who get it, without those that failures keep from it.
 * Fails when that is all of them.
 */
static int write_records(const struct evnt_enable_set *set, struct verdict *v,
			 struct evnt_payload *p, struct evnt_event *e)
{
	u64 failed, gone;
	int err;

	for (;;) {
		err = unlikely(in_nmi()) ?
			try_in_nmi(set, v, p, e, &failed) :
			try_records(set, v, p, e, &failed);
		if (likely(!err) || !failed)
			return err;
		gone = go_with(set, v->places, failed);
		if (gone == v->places)
			return err;
		v->places &= ~gone;
		give_up(v, gone, err);
	}
}

static bool may_all_know_kernel(const struct evnt_enable_set *set, u64 places)
{
	u64 rest = places;
	u32 i;

	while (next_place(&rest, &i)) {
		if (!(set->e[i].property & EVNT_PROPERTY_KERNEL))
			return false;
	}
	return true;
}

/* With the call stack, which is too long to be here where there is none */
static noinline int write_with_stack(const struct evnt_enable_set *set,
				     struct verdict *v,
				     struct evnt_payload *p,
				     struct evnt_event *e,
				     struct evnt_items *items)
{
	struct evnt_stack stack __uninitialized;
	u32 len;

	len = evnt_stack_capture(&stack, may_all_know_kernel(set, v->stacks));
	evnt_items_add(items, EVNTRACE_PROPERTY_STACK_TRACE,
		       ETL_EXT_STACK_TRACE64, &stack, len);
	e->item_count = items->count;
	return write_records(set, v, p, e);
}

static noinline int write_with_items(const struct evnt_enable_set *set,
				     const struct evnt_registration *r,
				     struct verdict *v, u32 wishes,
				     struct evnt_payload *p,
				     struct evnt_event *e)
{
	struct evnt_items items __uninitialized;

	evnt_items_collect(&items, wishes, r);
	e->items = items.item;
	e->item_count = items.count;
	if (v->stacks)
		return write_with_stack(set, v, p, e, &items);
	return write_records(set, v, p, e);
}

/* Whether what its call stack leads through is to be told first, and can be */
static bool needs_images(const struct verdict *v,
			 const struct evnt_enable_set *set,
			 const struct evnt_registration *r,
			 const struct evntprov_write *arg)
{
	return !(arg->flags & (EVNTPROV_WRITE_NO_FAULTING |
			       EVNT_WRITE_NO_IMAGES)) &&
	       evnt_images_are_due(r->file, set, v->stacks);
}

static int judge_and_write(struct verdict *v, const struct evnt_enable_set *set,
			   const struct evnt_registration *r,
			   const struct evntprov_write *arg,
			   struct evnt_payload *p)
{
	struct evnt_event e __uninitialized;
	u32 wishes;
	int err;

	err = evnt_measure_items(&e, r, arg, p);
	if (!err)
		err = judge(v, set, r, arg, p, &e);
	if (unlikely(err) || !v->places)
		return err;
	/* The stack that an NMI has is too short to take another one */
	if (unlikely(v->stacks) && in_nmi())
		v->stacks = 0;
	evnt_describe_any(&e, r, arg);
	wishes = wishes_of(set, v);
	if (!wishes)
		return write_records(set, v, p, &e);
	if (v->stacks && needs_images(v, set, r, arg)) {
		p->fault_len = 0;
		return -EFAULT;
	}
	return write_with_items(set, r, v, wishes, p, &e);
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

static noinline void count_given_up(const struct evnt_enable_set *set,
				    const struct verdict *v)
{
	u32 kind;

	for (kind = 0; kind < EVNT_LOSSES; kind++)
		count_lost(set, v->given_up[kind], kind);
}

/**
 * evnt_write_judged() - write an event to all who want it, or to none
 * @set: who has enabled its provider
 * @r: the registration
 * @arg: the event
 * @p: for its data
 * @last: it is not tried again
 *
 * Preemption is disabled.  Who may have wanted an event whose data could not be
 * read counts it as lost.  To none, but for what independent sessions are for.
 *
 * Return: 0 or what the ABI says, also when just one did not get it; -EFAULT
 * when a page has to be made present first, or, with a length of 0 in @p, the
 * images of the process have to be told.
 */
int evnt_write_judged(const struct evnt_enable_set *set,
		      const struct evnt_registration *r,
		      const struct evntprov_write *arg, struct evnt_payload *p,
		      bool last)
{
	struct verdict v __uninitialized;
	int err;

	v.places = who_is_interested(set, r, arg);
	if (!v.places)
		return 0;
	if (unlikely(arg->data_count > EVNTPROV_MAX_DATA))
		return -EINVAL;
	verdict_init(&v);
	pagefault_disable();
	err = judge_and_write(&v, set, r, arg, p);
	pagefault_enable();
	if (evnt_is_loss(err, last))
		count_lost(set, v.places, evnt_loss_of(err));
	/* When it is tried again, all of them are */
	if (unlikely(v.error) && (!err || evnt_is_loss(err, last)))
		count_given_up(set, &v);
	return err ?: v.error;
}

/* Allocate the records of NMIs; 0 or -ENOMEM */
int evnt_judge_init(void)
{
	nmi_records = alloc_percpu(struct records);
	return nmi_records ? 0 : -ENOMEM;
}

/* Free the records; nothing can write an event */
void evnt_judge_exit(void)
{
	free_percpu(nmi_records);
}
