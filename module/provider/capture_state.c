// SPDX-License-Identifier: GPL-2.0
/*
 * Capture state: requests to registrations to log their state.
 *
 * A request may carry filter data for the owner of the registration, which is
 * part of the notification.  The data of requests that were not read yet is a
 * set of the type used for enablements, but with sessions and filters only.
 * The set of the last notification is kept in case its reader cannot be reached.
 * Writers use neither.
 */
#include "module/provider/provider.h"
#include "module/provider/enable.h"

/**
 * struct requesting - a capture-state request in progress
 * @s: session that requests the state
 * @of: provider or group to query, or NULL for all that @s has enabled
 * @source: SourceId of the control request, or NULL
 * @filters: contain the filter data for the owners; or NULL
 * @err: 0 or -ENOMEM
 */
struct requesting {
	struct evnt_session *s;
	const struct evnt_provider *of;
	const struct evntprov_guid *source;
	struct evnt_filters *filters;
	int err;
};

/* Skip registrations that are outside the scope of the session's enablement */
static bool is_requested(const struct evnt_registration *r,
			 const struct requesting *a)
{
	if (!a->of)
		return evnt_set_find(evnt_effective_of(r), a->s);
	return !evnt_set_find(evnt_set_of(a->of), a->s) ||
	       evnt_effective_find(r, a->s, a->of->is_group);
}

static void prepare(struct evnt_registration *r, struct requesting *a)
{
	const struct evnt_enablement data = {
		.session = a->s, .filters = a->filters,
	};

	if (a->err || !is_requested(r, a))
		return;
	/* Only filters that the provider evaluates must be kept for it */
	if (!(r->flags & EVNTPROV_REGISTER_NOTIFY) || !a->filters ||
	    !a->filters->own)
		return;
	r->next = evnt_set_change(r->requested ?: &evnt_empty_set, a->s, &data,
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

static void finish(struct evnt_registration *r, struct requesting *a)
{
	struct evnt_enable_set *data = r->next;

	r->next = NULL;
	if (a->err) {
		if (data)
			evnt_set_free(data);
		return;
	}
	if (!is_requested(r, a))
		return;
	if (data)
		replace(&r->requested, data);
	evnt_manifest_write_session(r, a->s);
	evnt_registration_changed(r, &r->composite, EVNT_PENDING_CAPTURE,
				  a->source);
}

/* Skip all groups but @of, as each member also has a provider */
static bool is_skipped(const struct evnt_provider *p, const struct requesting *a)
{
	return p->is_group && p != a->of;
}

static void prepare_each(struct evnt_provider *p, void *requesting)
{
	struct list_head *node;

	if (is_skipped(p, requesting))
		return;
	list_for_each(node, &p->registrations) {
		prepare(evnt_registration_at(p, node), requesting);
		cond_resched();
	}
}

/*
 * Mark all manifests and names as not yet reported first, so that one that
 * several registrations share is reported again, but only once
 */
static void forget_each(struct evnt_provider *p, void *requesting)
{
	const struct requesting *a = requesting;
	struct list_head *node;

	if (a->err || is_skipped(p, a))
		return;
	list_for_each(node, &p->registrations)
		evnt_manifest_forget(evnt_registration_at(p, node), a->s);
}

static void finish_each(struct evnt_provider *p, void *requesting)
{
	struct list_head *node;

	if (is_skipped(p, requesting))
		return;
	list_for_each(node, &p->registrations) {
		finish(evnt_registration_at(p, node), requesting);
		cond_resched();
	}
}

/**
 * evnt_capture_state() - request the state of registrations
 * @p: provider or group, or NULL: all that @s has enabled
 * @s: requesting session; if it has enabled @p, registrations outside its scope
 *	are skipped
 * @source: SourceId of the control request
 * @filters: contain the filter data for the owners; or NULL
 *
 * The caller must hold evnt_lock.
 *
 * Return: 0; or -ENOMEM, with no request made.
 */
int evnt_capture_state(struct evnt_provider *p, struct evnt_session *s,
		       const struct evntprov_guid *source,
		       struct evnt_filters *filters)
{
	struct requesting a = { s, p, source, filters };

	if (p) {
		prepare_each(p, &a);
		forget_each(p, &a);
		finish_each(p, &a);
	} else {
		evnt_providers_for_each(prepare_each, &a);
		evnt_providers_for_each(forget_each, &a);
		evnt_providers_for_each(finish_each, &a);
	}
	return a.err;
}

static void visit_listed(const struct evnt_provider_list *list,
			 void (*fn)(struct evnt_provider *p, void *data),
			 void *data)
{
	struct evnt_provider *p;
	u32 i;

	for (i = 0; i < list->count; i++) {
		p = evnt_provider_find(&list->ids[i], false);
		if (p)
			fn(p, data);
	}
}

/**
 * evnt_capture_state_requeue() - repeat the periodic request of states
 * @s: requesting session; registrations that it has not enabled are skipped,
 *	whether by provider or by group
 * @list: providers
 *
 * The caller must hold evnt_lock.
 */
void evnt_capture_state_requeue(struct evnt_session *s,
				const struct evnt_provider_list *list)
{
	struct requesting a = { .s = s };

	visit_listed(list, forget_each, &a);
	visit_listed(list, finish_each, &a);
}

/*
 * Take the filter data of a notification that the owner reads out of the queue.
 * The caller must hold evnt_lock.
 */
void evnt_capture_state_requested(struct evnt_registration *r)
{
	replace(&r->answering, r->requested);
	r->requested = NULL;
}

/*
 * Undo evnt_capture_state_requested() after the notification did not reach its
 * reader.  The caller must hold evnt_lock.
 */
void evnt_capture_state_cancel(struct evnt_registration *r)
{
	if (!r->requested)
		swap(r->requested, r->answering);
}

static void forget(struct evnt_enable_set **set, const struct evnt_session *s)
{
	if (!*set || !evnt_set_find(*set, s))
		return;
	replace(set, evnt_set_change(*set, s, NULL, GFP_KERNEL | __GFP_NOFAIL));
}

/*
 * Drop the filter data of a session that stops, or, if @s is NULL, all of a
 * registration that goes.  The caller must hold evnt_lock.
 */
void evnt_capture_state_forget(struct evnt_registration *r,
			       const struct evnt_session *s)
{
	if (s) {
		forget(&r->requested, s);
		forget(&r->answering, s);
	} else {
		replace(&r->requested, NULL);
		replace(&r->answering, NULL);
	}
}
