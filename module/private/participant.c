// SPDX-License-Identifier: GPL-2.0
/*
 * Participants of private sessions: open files of /dev/evntprov whose owners
 * have opted in, that have registered the provider of a private session and are
 * in its reach.
 */
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "module/provider/filter_set.h"
#include "module/private/private_broker.h"

/* Highest errno that a participant may report */
#define MAX_ERROR	4095u

#define FLAGS		(EVNTPROV_PRIVATE_NOTIFY | EVNTPROV_PRIVATE_DEFER | \
			 EVNTPROV_PRIVATE_DONE)

/* Recount the unsettled participants and wake waiters, under evnt_lock */
static void settle(struct evnt_private_request *req)
{
	const struct evnt_participant *m;
	u32 count = 0;

	lockdep_assert_held(&evnt_lock);
	list_for_each_entry(m, &req->participants, in_request) {
		/* It is outdated, and its owner knows, or will be notified */
		if (m->report.version != req->version &&
		    (m->has_requested ||
		     (m->file->is_notified && !m->file->is_late)))
			count++;
	}
	atomic_set(&req->unsettled, count);
	if (!count)
		evnt_wake_settled();
}

/* Check whether writers of @r's events should query changes first */
static bool is_news_for(const struct evnt_registration *r)
{
	const struct evnt_participant *m;

	if (!r->file->has_news)
		return false;
	list_for_each_entry(m, &r->file->requests, in_file) {
		if (evnt_private_request_find(m->request, &r->provider->id))
			return true;
	}
	return false;
}

static void show_news_in(struct evnt_chunk *chunk)
{
	struct evnt_registration *r;
	size_t i;

	for (i = 0; i < EVNT_SLOTS_PER_CHUNK; i++) {
		r = rcu_dereference_protected(chunk->registrations[i],
					      lockdep_is_held(&evnt_lock));
		if (r)
			evnt_registration_news(r, is_news_for(r));
	}
}

/* Update all slots of a file, while page faults may allocate further chunks */
static void show_news(struct evnt_prov_file *pf)
{
	struct evnt_chunk *chunk;
	size_t i;

	for (i = 0; i < EVNT_CHUNKS; i++) {
		chunk = smp_load_acquire(&pf->chunks[i]);	/* (G) */
		if (chunk != &evnt_no_chunk)
			show_news_in(chunk);
	}
}

static void report_one_file(struct evnt_prov_file *pf)
{
	pf->has_news = true;
	show_news(pf);
	if (pf->is_late)
		return;
	WRITE_ONCE(pf->is_news_due, true);
	wake_up_interruptible(&pf->wait);
}

/* Notify all participants of a change, under evnt_lock */
void evnt_private_request_changed(struct evnt_private_request *req)
{
	struct evnt_participant *m;

	lockdep_assert_held(&evnt_lock);
	req->version++;
	list_for_each_entry(m, &req->participants, in_request)
		report_one_file(m->file);
	settle(req);
}

/* Add the counters of a report to a sum, but not its current buffers */
static void add_counts(struct evntprov_private *sum,
		       const struct evntprov_private *report)
{
	sum->events += report->events;
	sum->events_lost += report->events_lost;
	sum->buffers_written += report->buffers_written;
	sum->buffers_lost += report->buffers_lost;
}

/* Remove a participant, and keep its counters except for the current buffers */
static void participant_remove(struct evnt_participant *m)
{
	struct evnt_private_request *req = m->request;

	add_counts(&req->past, &m->report);
	list_del(&m->in_request);
	list_del(&m->in_file);
	m->file->request_count--;
	kfree(m);
	settle(req);
	evnt_private_request_put(req);
}

/**
 * evnt_private_request_dismiss() - have participants stop a private session
 * @req: private session that has left the list; the caller holds a reference
 *
 * Participants that have queried it have yet to stop it; the others are
 * removed.
 *
 * Context: The caller holds evnt_lock.
 */
void evnt_private_request_dismiss(struct evnt_private_request *req)
{
	struct evnt_participant *m, *next;

	list_for_each_entry_safe(m, next, &req->participants, in_request) {
		if (!m->has_requested)
			participant_remove(m);
	}
	evnt_private_request_changed(req);
}

static struct evnt_participant *
find_participant(const struct evnt_prov_file *pf, u64 handle)
{
	struct evnt_participant *m;

	lockdep_assert_held(&evnt_lock);
	list_for_each_entry(m, &pf->requests, in_file) {
		if (m->request->info.handle == handle)
			return m;
	}
	return NULL;
}

static bool is_for(const struct evnt_private_request *req,
		   const struct evnt_registration *r,
		   struct evnt_scope_answer *last)
{
	const struct evnt_prov_file *pf = r->file;

	return pf->takes_private && r->process &&
	       pf->request_count < EVNTRACE_MAX_PRIVATE &&
	       !find_participant(pf, req->info.handle) &&
	       evnt_private_request_reaches(req, r) &&
	       evnt_scope_has(req->filters->scope, r, last);
}

/* Add the owner of a registration if it is selected; returns 0 or -ENOMEM */
static int participant_add(struct evnt_private_request *req,
			   struct evnt_registration *r,
			   struct evnt_scope_answer *last)
{
	struct evnt_participant *m;

	if (!is_for(req, r, last))
		return 0;
	m = kzalloc(sizeof(*m), GFP_KERNEL);
	if (!m)
		return -ENOMEM;
	m->request = req;
	refcount_inc(&req->refs);
	m->file = r->file;
	r->file->request_count++;
	list_add_tail(&m->in_request, &req->participants);
	list_add_tail(&m->in_file, &r->file->requests);
	report_one_file(r->file);
	settle(req);
	return 0;
}

/*
 * Add the participants of a new private session.  Called under evnt_lock.
 * Returns 0 or -ENOMEM.
 */
int evnt_private_request_report_all(struct evnt_private_request *req)
{
	struct evnt_provider *p = evnt_provider_find(&req->info.guid, false);
	struct evnt_scope_answer last = {};
	struct list_head *node;
	int err = 0;

	if (!p)
		return 0;
	list_for_each(node, &p->registrations) {
		err = participant_add(req, evnt_registration_at(p, node),
				      &last);
		if (err)
			break;
		cond_resched();
	}
	return err;
}

static void join(struct evnt_private_request *req, void *data)
{
	struct evnt_registration *r = data;

	if (memcmp(&req->info.guid, &r->provider->id, sizeof(req->info.guid)))
		return;
	/*
	 * Report the failure to the private session; registering must not fail
	 */
	if (participant_add(req, r, NULL))
		req->error = ENOMEM;
}

/*
 * Add a new registration to the private sessions it belongs to, under evnt_lock
 */
void evnt_private_requests_registered(struct evnt_registration *r)
{
	struct evnt_prov_file *pf = r->file;

	if (!pf->takes_private)
		return;
	if (r->flags & EVNTPROV_REGISTER_NOTIFY)
		pf->is_notified = true;
	evnt_private_requests_for_each(join, r);
	evnt_registration_news(r, is_news_for(r));
}

/* Remove a file whose owner is gone from all private sessions */
void evnt_private_requests_leave(struct evnt_prov_file *pf)
{
	struct evnt_participant *m, *next;

	mutex_lock(&evnt_lock);
	pf->takes_private = false;
	list_for_each_entry_safe(m, next, &pf->requests, in_file)
		participant_remove(m);
	mutex_unlock(&evnt_lock);
}

/* Fill in the sum of the counters of all participants, under evnt_lock */
void evnt_private_request_sum(const struct evnt_private_request *req,
			      struct evntrace_session *arg)
{
	struct evntprov_private sum = req->past;
	const struct evnt_participant *m;

	lockdep_assert_held(&evnt_lock);
	list_for_each_entry(m, &req->participants, in_request) {
		add_counts(&sum, &m->report);
		arg->buffers += m->report.buffers;
		arg->free_buffers += m->report.free_buffers;
		arg->processes += m->has_requested;
	}
	arg->events = sum.events;
	arg->events_lost = sum.events_lost;
	arg->buffers_written = sum.buffers_written;
	arg->buffers_lost = sum.buffers_lost;
}

static struct evnt_participant *
next_participant(const struct evnt_prov_file *pf, u64 handle)
{
	struct evnt_participant *m, *next = NULL;

	list_for_each_entry(m, &pf->requests, in_file) {
		if (m->request->info.handle > handle &&
		    (!next || m->request->info.handle <
			      next->request->info.handle))
			next = m;
	}
	return next;
}

/* Store the state that the owner of the file reports, under evnt_lock */
static void store_report(const struct evnt_prov_file *pf,
			 const struct evntprov_private *arg)
{
	struct evnt_participant *m = find_participant(pf, arg->handle);

	if (!m)
		return;
	m->report = *arg;
	if (arg->error)
		m->request->error = arg->error;
	if (arg->flags & EVNTPROV_PRIVATE_DONE)
		participant_remove(m);
	else
		settle(m->request);
}

static u32 names_len(const struct evnt_private_request *req)
{
	return ALIGN((req->name->len + req->log_name->len) * sizeof(u16),
		     sizeof(u64));
}

static u32 description_len(const struct evnt_private_request *req)
{
	const struct evnt_private_request_enabled *e;
	u32 len = sizeof(req->info) + names_len(req);

	list_for_each_entry(e, &req->enabled, node)
		len += e->arg.size;
	return len;
}

static void fill_request(struct evntprov_private *arg,
			 const struct evnt_private_request *req)
{
	arg->handle = req->info.handle;
	arg->version = req->version;
	arg->len = description_len(req);
	arg->state = req->is_stopping ? EVNTPROV_PRIVATE_STOPPING : 0;
	arg->log_version = req->log_version;
	arg->flushes = req->flushes;
}

/* Fill in the properties, without the creator's ids */
static void fill_properties(struct evntrace_session *to,
			    const struct evnt_private_request *req)
{
	*to = req->info;
	to->size = sizeof(*to);
	to->owner_uid = 0;
	to->flush_ms = req->flush_ms;
	to->name_len = req->name->len;
	to->log_name_len = req->log_name->len;
}

/* Assemble the description of a session, @len bytes; NULL without memory */
static void *describe(const struct evnt_private_request *req, u32 len)
{
	const struct evnt_private_request_enabled *e;
	u32 name_bytes = req->name->len * sizeof(u16);
	void *description, *names, *to;

	description = kvzalloc(len, GFP_KERNEL | __GFP_NOWARN);
	if (!description)
		return NULL;
	fill_properties(description, req);
	names = description + sizeof(req->info);
	memcpy(names, req->name->text, name_bytes);
	memcpy(names + name_bytes, req->log_name->text,
	       req->log_name->len * sizeof(u16));
	to = names + names_len(req);
	list_for_each_entry(e, &req->enabled, node) {
		memcpy(to, &e->arg, e->arg.size);
		to += e->arg.size;
		cond_resched();
	}
	return description;
}

/* Begin a query of all changes by the owner of the file */
static void mark_seen(struct evnt_prov_file *pf)
{
	pf->is_late = false;
	WRITE_ONCE(pf->is_news_due, false);
	if (!pf->has_news)
		return;
	pf->has_news = false;
	show_news(pf);
}

/*
 * Return the session after @handle of the argument, under evnt_lock.  Returns
 * its description, NULL if there is no room for it, or an ERR_PTR().
 */
static void *request_next(struct evnt_prov_file *pf,
			  struct evntprov_private *arg)
{
	struct evnt_participant *m = next_participant(pf, arg->handle);
	const bool is_first = !arg->handle;
	void *description = ERR_PTR(-ENOENT);
	const u32 room = arg->len;

	if (m) {
		fill_request(arg, m->request);
		if (arg->len > room)
			return NULL;
		description = describe(m->request, arg->len);
		if (!description)
			return ERR_PTR(-ENOMEM);
		m->has_requested = true;
	}
	if (is_first)
		mark_seen(pf);
	if (m)
		settle(m->request);
	return description;
}

/**
 * evnt_private_participate() - EVNTPROV_IOC_PRIVATE
 * @pf: file of the provider device
 * @arg: argument of the ioctl
 *
 * Return: 0 or a negative errno, as documented for EVNTPROV_IOC_PRIVATE.
 */
int evnt_private_participate(struct evnt_prov_file *pf,
			     struct evntprov_private *arg)
{
	const u32 flags = arg->flags, room = arg->len;
	void *description = NULL;

	if (flags & ~FLAGS || hweight32(flags) > 1 || arg->error > MAX_ERROR)
		return -EINVAL;
	if (mutex_lock_killable(&evnt_lock))
		return -EINTR;
	/* Even without the right to register, the owner may wait in read() */
	evnt_prov_file_own(pf);
	pf->takes_private = !READ_ONCE(pf->hangup);
	if (arg->handle)
		store_report(pf, arg);
	if (!flags)
		description = request_next(pf, arg);
	else if (!(flags & EVNTPROV_PRIVATE_DONE))
		pf->is_late = flags & EVNTPROV_PRIVATE_DEFER;
	if (flags & EVNTPROV_PRIVATE_NOTIFY && pf->has_news)
		report_one_file(pf);
	mutex_unlock(&evnt_lock);
	if (IS_ERR(description))
		return PTR_ERR(description);
	return evnt_filters_hand_over(description, description ? arg->len : 0,
				      arg->description, room);
}
