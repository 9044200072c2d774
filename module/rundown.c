// SPDX-License-Identifier: GPL-2.0
/*
 * Asking registrations for their state.
 *
 * What sessions hand to a registration with that is kept until its owner has read
 * that it is asked, and then until he reads so again: two sets, as of those who
 * have enabled it, of sessions and filters alone.  No writer looks at them.
 */
#include "manifests.h"
#include "provider.h"
#include "rundown.h"
#include "view.h"

/**
 * struct asking - who asks
 * @s: the session
 * @of: the provider or group that is asked, or NULL: all that @s has enabled
 * @source: who has caused it
 * @filters: what is handed over is in there, or NULL
 * @err: why it cannot be
 */
struct asking {
	struct evnt_session *s;
	const struct evnt_provider *of;
	const struct evntprov_guid *source;
	struct evnt_filters *filters;
	int err;
};

/* Those who are out of the scope of a session that has enabled them are not */
static bool is_asked(const struct evnt_registration *r, const struct asking *a)
{
	if (!a->of)
		return evnt_set_find(evnt_view_of(r), a->s);
	return !evnt_set_find(evnt_set_of(a->of), a->s) ||
	       evnt_view_find(r, a->s, a->of->is_group);
}

static bool has_data(const struct evnt_registration *r, const struct asking *a)
{
	return r->flags & EVNTPROV_REGISTER_NOTIFY && a->filters &&
	       a->filters->own;
}

static void prepare(struct evnt_registration *r, struct asking *a)
{
	const struct evnt_enablement data = {
		.session = a->s, .filters = a->filters,
	};

	if (a->err || !is_asked(r, a) || !has_data(r, a))
		return;
	r->next = evnt_set_change(r->asked ?: &evnt_nobody, a->s, &data,
				  GFP_KERNEL);
	if (!r->next)
		a->err = -ENOMEM;
}

static void replace(struct evnt_enable_set **set, struct evnt_enable_set *by)
{
	if (*set)
		evnt_set_free(*set);
	*set = by;
}

static void finish(struct evnt_registration *r, struct asking *a)
{
	struct evnt_enable_set *data = r->next;

	r->next = NULL;
	if (a->err) {
		if (data)
			evnt_set_free(data);
		return;
	}
	if (!is_asked(r, a))
		return;
	if (data)
		replace(&r->asked, data);
	evnt_manifest_tell_session(r, a->s);
	evnt_registration_changed(r, &r->composite, EVNT_PENDING_CAPTURE,
				  a->source);
}

static void prepare_each(struct evnt_provider *p, void *asking)
{
	struct list_head *node;

	list_for_each(node, &p->registrations) {
		prepare(evnt_registration_at(p, node), asking);
		cond_resched();
	}
}

/* What several have in common is told again once */
static void finish_each(struct evnt_provider *p, void *asking)
{
	const struct asking *a = asking;
	struct list_head *node;

	list_for_each(node, &p->registrations)
		evnt_manifest_forget(evnt_registration_at(p, node), a->s);
	list_for_each(node, &p->registrations) {
		finish(evnt_registration_at(p, node), asking);
		cond_resched();
	}
}

/**
 * evnt_ask_provider() - ask all registrations of a provider, or members of a group
 * @p: the provider or group
 * @s: for whom; if it has enabled @p, those out of its scope are not asked
 * @source: who has caused it
 * @filters: what is handed to them is in there, or NULL
 *
 * Under evnt_lock.
 *
 * Return: 0, or -ENOMEM: nobody is asked.
 */
int evnt_ask_provider(struct evnt_provider *p, struct evnt_session *s,
		      const struct evntprov_guid *source,
		      struct evnt_filters *filters)
{
	struct asking a = { s, p, source, filters };

	prepare_each(p, &a);
	finish_each(p, &a);
	return a.err;
}

/* Each registration is met once, by its provider */
static void prepare_all(struct evnt_provider *p, void *asking)
{
	if (!p->is_group)
		prepare_each(p, asking);
}

static void finish_all(struct evnt_provider *p, void *asking)
{
	if (!p->is_group)
		finish_each(p, asking);
}

/**
 * evnt_ask_all() - ask all that a session has enabled
 * @s: the session
 * @source: who has caused it
 * @filters: what is handed to them is in there, or NULL
 *
 * Under evnt_lock.
 *
 * Return: 0, or -ENOMEM: nobody is asked.
 */
int evnt_ask_all(struct evnt_session *s, const struct evntprov_guid *source,
		 struct evnt_filters *filters)
{
	struct asking a = { s, NULL, source, filters };

	evnt_providers_for_each(prepare_all, &a);
	evnt_providers_for_each(finish_all, &a);
	return a.err;
}

/**
 * evnt_ask_again() - ask for a provider's state, as every now and then
 * @s: for whom; only those are asked that it has enabled, by their group or not
 * @provider: which
 *
 * Under evnt_lock.
 */
void evnt_ask_again(struct evnt_session *s,
		    const struct evntprov_guid *provider)
{
	static const struct evntprov_guid nobody;
	struct asking a = { s, NULL, &nobody };
	struct evnt_provider *p = evnt_provider_find(provider, false);

	if (p)
		finish_each(p, &a);
}

/* Its owner reads that it is asked; under evnt_lock, any lock besides */
void evnt_asked(struct evnt_registration *r)
{
	if (r->answering)
		evnt_set_release(r->answering);
	r->answering = r->asked;
	r->asked = NULL;
}

/* But it did not reach him; likewise */
void evnt_not_asked(struct evnt_registration *r)
{
	if (!r->asked)
		swap(r->asked, r->answering);
}

static void forget(struct evnt_enable_set **set, const struct evnt_session *s)
{
	if (!*set || !evnt_set_find(*set, s))
		return;
	replace(set, evnt_set_change(*set, s, NULL, GFP_KERNEL | __GFP_NOFAIL));
}

/* A session stops, or, if @s is NULL, a registration goes; under evnt_lock */
void evnt_ask_forget(struct evnt_registration *r, const struct evnt_session *s)
{
	if (s) {
		forget(&r->asked, s);
		forget(&r->answering, s);
	} else {
		replace(&r->asked, NULL);
		replace(&r->answering, NULL);
	}
}
