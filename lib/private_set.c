// SPDX-License-Identifier: MIT
/*
 * Which private sessions have enabled which registration, as who writes events
 * sees it.
 *
 * A set is made anew when something of it changes, and put in the place of the
 * old one by one store; the old one is freed when nobody is inside any more who
 * may have seen it.
 */
#include "enable_area.h"
#include "grace.h"
#include "private.h"

struct evnt_private_set *evnt_private_sets[EVNTPROV_MAX_SLOTS];

/* New ones, then old ones; and those of a parent, which may be in use here */
static struct evnt_private_set *fresh[EVNTPROV_MAX_SLOTS];
static struct evnt_private_set *inherited[EVNTPROV_MAX_SLOTS];

/* Where a session has a provider in its list; or the end of that.  Locked. */
struct evnt_private_enablement **evnt_private_place_of(struct evnt_private *s,
						       const void *id)
{
	struct evnt_private_enablement **at = &s->enabled;

	while (*at && memcmp(&(*at)->id, id, sizeof(GUID)) != 0)
		at = &(*at)->next;
	return at;
}

/* Who has enabled a registration, in @set, all of which is filled in */
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
 * The new set of a slot, in @fresh, or NULL there; the old one when it is the
 * same: so what only goes away needs no memory.  False without memory.
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

/* Free what is in @fresh, but for what is in use */
static void forget_fresh(unsigned int slots)
{
	while (slots--) {
		if (fresh[slots] != evnt_private_sets[slots])
			evnt_free(fresh[slots]);
	}
}

static bool prepare_all(void)
{
	unsigned int slot;

	for (slot = 0; slot < EVNTPROV_MAX_SLOTS; slot++) {
		if (!prepare(slot)) {
			forget_fresh(slot);
			return false;
		}
	}
	return true;
}

static struct evnt_interest interest_of(const struct evnt_private_set *set)
{
	struct evnt_interest sum = set->one[0].e->interest;
	u32 i;

	for (i = 1; i < set->count; i++)
		sum = evnt_interest_wider(&sum, &set->one[i].e->interest);
	return sum;
}

/* Say in the enable area what all who have enabled a registration want */
static void tell_area(unsigned int slot)
{
	const struct evnt_private_set *set = evnt_private_sets[slot];
	struct evnt_interest interest = {};
	UCHAR enabled = 0;

	if (set) {
		interest = interest_of(set);
		enabled = EVNT_AREA_OURS | EVNT_AREA_PRIVATE;
	} else if (evnt_registrations[slot] && evnt_area_has_module()) {
		enabled = EVNT_AREA_OURS;
	}
	evnt_area_put(slot * EVNTPROV_SLOT_SIZE, enabled, &interest);
}

static bool any_session(void)
{
	u32 i;

	for (i = 0; i < EVNT_PRIVATE_MAX; i++) {
		if (evnt_privates[i] && !evnt_privates[i]->stopping)
			return true;
	}
	return false;
}

/* Put the new sets in their places: (A) of grace.h */
static void publish(void)
{
	unsigned int slot;

	for (slot = 0; slot < EVNTPROV_MAX_SLOTS; slot++) {
		fresh[slot] = __atomic_exchange_n(&evnt_private_sets[slot],
						  fresh[slot],
						  __ATOMIC_SEQ_CST);
		tell_area(slot);
	}
}

/**
 * evnt_private_sets_renew() - registrations or sessions have changed
 *
 * When this returns true, nobody sees what was before.
 *
 * Return: false without memory: all is as it was before.
 */
bool evnt_private_sets_renew(void)
{
	static bool in_use;
	bool any = any_session();

	if (!any && !in_use)
		return true;
	if (!evnt_area_take() || !prepare_all())
		return false;
	publish();
	if (!any)
		evnt_area_give_back();
	in_use = any;
	if (evnt_grace_wait())
		forget_fresh(EVNTPROV_MAX_SLOTS);
	return true;
}

/*
 * In the child of a fork: there are no sessions.  Who was interrupted by a signal
 * in the midst of an event may go on with what he has seen.
 */
void evnt_private_sets_drop(void)
{
	unsigned int slot;

	for (slot = 0; slot < EVNTPROV_MAX_SLOTS; slot++) {
		if (evnt_private_sets[slot])
			inherited[slot] = evnt_private_sets[slot];
		evnt_private_sets[slot] = NULL;
	}
	evnt_private_sets_renew();
}
