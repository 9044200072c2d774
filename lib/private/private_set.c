// SPDX-License-Identifier: MIT
/*
 * Sets of the private sessions that have enabled a registration, as writers of
 * events see them.
 *
 * A set is immutable: a change creates a new set and publishes it by a single
 * store.  The old set is freed once all readers that may have seen it have
 * left.
 */
#include "lib/provider/enable_area.h"
#include "lib/base/read_section.h"
#include "lib/private/private.h"

struct evnt_private_set *evnt_private_sets[EVNTPROV_MAX_SLOTS];

/* End of the slots that may have a set */
static unsigned int sets_end;
/* New sets before they are published, old ones afterwards */
static struct evnt_private_set *fresh[EVNTPROV_MAX_SLOTS];
/* Sets of the parent process, which an interrupted writer may still use */
static struct evnt_private_set *inherited[EVNTPROV_MAX_SLOTS];

/* Find an enablement of a provider, or the list's end.  Locked. */
struct evnt_private_enablement **evnt_private_place_of(struct evnt_private *s,
						       const void *id)
{
	struct evnt_private_enablement **at = &s->enabled;

	while (*at && memcmp(&(*at)->id, id, sizeof(GUID)) != 0)
		at = &(*at)->next;
	return at;
}

/* Test whether records need only the header and the data of the event */
static bool is_plain(const struct evnt_private_set *set)
{
	const struct evnt_private_enablement *e = set->one[0].e;

	return set->count == 1 && !set->traits && !set->use_types &&
	       !e->property && !e->filters.ids && !e->filters.names &&
	       !e->filters.program && set->one[0].session->buffers.clock_type ==
				      EVNT_CLOCK_QPC;
}

/* Fill in the set of a registration from the current enablements */
static void collect(struct evnt_private_set *set,
		    const struct evnt_registration *r)
{
	const struct evnt_private_enablement *e;
	struct evnt_private *s;
	u32 i;

	memset(set, 0, sizeof(*set));
	set->handle = r->handle;
	set->id = r->id;
	set->traits = r->traits;
	set->use_types = r->use_types;
	for (i = 0; i < EVNT_PRIVATE_MAX; i++) {
		s = evnt_privates[i];
		e = s && !s->stopping ? *evnt_private_place_of(s, &r->id) : NULL;
		if (!e)
			continue;
		set->one[set->count].session = s;
		set->one[set->count++].e = e;
	}
	set->is_plain = set->count && is_plain(set);
	if (set->is_plain) {
		set->buffers = &set->one[0].session->buffers;
		set->interest = set->one[0].e->interest;
	}
}

static bool is_same(const struct evnt_private_set *a,
		    const struct evnt_private_set *b)
{
	u32 i;

	if (a->handle != b->handle || a->traits != b->traits ||
	    a->use_types != b->use_types || a->count != b->count)
		return false;
	for (i = 0; i < a->count; i++) {
		if (a->one[i].session != b->one[i].session ||
		    a->one[i].e != b->one[i].e)
			return false;
	}
	return true;
}

/*
 * Prepare the new set of a slot in @fresh, or NULL if no session has enabled
 * it.  An unchanged set is kept, so that removing sessions or registrations
 * needs no memory for the other slots.  Return false without memory.
 */
static bool prepare(unsigned int slot)
{
	const struct evnt_registration *r = evnt_registrations[slot];
	struct evnt_private_set *old = evnt_private_sets[slot];
	struct evnt_private_set set;

	fresh[slot] = NULL;
	if (!r)
		return true;
	collect(&set, r);
	if (!set.count)
		return true;
	fresh[slot] = old;
	if (old && is_same(old, &set))
		return true;
	fresh[slot] = evnt_alloc(sizeof(set));
	if (!fresh[slot])
		return false;
	memcpy(fresh[slot], &set, sizeof(set));
	return true;
}

/* Free the sets in @fresh, except those that are published */
static void forget_fresh(unsigned int slots)
{
	while (slots--) {
		if (fresh[slots] != evnt_private_sets[slots])
			evnt_free(fresh[slots]);
	}
}

static struct evnt_level_keyword interest_of(const struct evnt_private_set *set)
{
	struct evnt_level_keyword sum = set->one[0].e->interest;
	u32 i;

	for (i = 1; i < set->count; i++)
		sum = evnt_level_keyword_union(&sum, &set->one[i].e->interest);
	return sum;
}

/* Publish the combined level and keywords of a slot in the enable area */
static void report_area(unsigned int slot)
{
	const struct evnt_private_set *set = evnt_private_sets[slot];
	struct evnt_level_keyword interest = {};
	UCHAR enabled = 0;

	if (set) {
		interest = interest_of(set);
		enabled = EVNT_AREA_OURS | EVNT_AREA_PRIVATE |
			  (set->is_plain ? EVNT_AREA_PLAIN : 0);
	} else if (evnt_registrations[slot] && evnt_area_has_module()) {
		enabled = EVNT_AREA_OURS;
	}
	evnt_area_put(slot * EVNTPROV_SLOT_SIZE, enabled, &interest);
}

/**
 * evnt_private_sets_renew() - update the sets after a change
 *
 * On success no writer uses the old sets any longer.
 *
 * Return: false without memory; the sets are unchanged.
 */
bool evnt_private_sets_renew(void)
{
	const unsigned int end = sets_end > evnt_slots_end ? sets_end :
							     evnt_slots_end;
	static bool in_use;
	unsigned int slot;
	bool any = false;
	u32 i;

	for (i = 0; i < EVNT_PRIVATE_MAX; i++) {
		if (evnt_privates[i] && !evnt_privates[i]->stopping)
			any = true;
	}
	if (!any && !in_use)
		return true;
	if (!evnt_area_take())
		return false;
	for (slot = 0; slot < end; slot++) {
		if (!prepare(slot)) {
			forget_fresh(slot);
			return false;
		}
	}
	/* Publish new sets, take old ones: pairs with (A) in read_section.h */
	for (slot = 0; slot < end; slot++) {
		fresh[slot] = __atomic_exchange_n(&evnt_private_sets[slot],
						  fresh[slot],
						  __ATOMIC_SEQ_CST);
		report_area(slot);
	}
	if (!any)
		evnt_area_give_back();
	in_use = any;
	sets_end = evnt_slots_end;
	if (evnt_read_section_wait())
		forget_fresh(end);
	return true;
}

/*
 * Drop all sets in the child of a fork, which has no sessions.  The parent's
 * sets are kept, as a writer interrupted by the signal handler that forked may
 * use them.
 */
void evnt_private_sets_drop(void)
{
	unsigned int slot;

	for (slot = 0; slot < sets_end; slot++) {
		if (evnt_private_sets[slot])
			inherited[slot] = evnt_private_sets[slot];
		evnt_private_sets[slot] = NULL;
	}
	evnt_private_sets_renew();
}
