// SPDX-License-Identifier: GPL-2.0
/*
 * Enable notifications: what the owner of a registration is told, and when it
 * has dealt with it.
 *
 * A registration is on one list of its file at most: pending, when there is
 * something to tell, or told, when the last of it was read and the reader has
 * not come back.  While it is on either, or both is due, its provider counts
 * it as unsettled, and its group; controllers with a timeout wait for that count
 * to be zero.
 */
#include <linux/sched/signal.h>

#include "logger.h"
#include "notify.h"
#include "rundown.h"

/* Controllers that wait for providers to settle */
static DECLARE_WAIT_QUEUE_HEAD(evnt_settled);

static bool is_unsettled(const struct evnt_registration *r)
{
	return r->pending || r->told;
}

/* A registration of a provider, a member of a group, has settled, or has not */
static void count_unsettled(struct evnt_provider *p, bool is)
{
	if (is)
		atomic_inc(&p->unsettled);
	else if (atomic_dec_and_test(&p->unsettled))
		wake_up_all(&evnt_settled);
}

/* Account for a change of @r; under its file's notify_lock */
static void update_unsettled(struct evnt_registration *r, bool was)
{
	bool is = is_unsettled(r);

	lockdep_assert_held(&r->file->notify_lock);
	if (is == was)
		return;
	count_unsettled(r->provider, is);
	if (r->group)
		count_unsettled(r->group, is);
}

/* A registration becomes a member, settled or not.  Under evnt_lock. */
void evnt_notify_join(struct evnt_registration *r, struct evnt_provider *group)
{
	struct evnt_prov_file *pf = r->file;

	spin_lock(&pf->notify_lock);
	r->group = group;
	if (is_unsettled(r))
		count_unsettled(group, true);
	spin_unlock(&pf->notify_lock);
}

/**
 * evnt_notify() - there is something to tell the owner of a registration
 * @r: the registration
 * @pending: EVNT_PENDING_*
 * @source: who caused it
 *
 * Under evnt_lock.
 */
void evnt_notify(struct evnt_registration *r, unsigned int pending,
		 const struct evntprov_guid *source)
{
	struct evnt_prov_file *pf = r->file;
	bool was;

	lockdep_assert_held(&evnt_lock);
	spin_lock(&pf->notify_lock);
	was = is_unsettled(r);
	if (!r->pending)
		list_move_tail(&r->in_file, &pf->pending);
	r->pending |= pending;
	r->source = *source;
	update_unsettled(r, was);
	spin_unlock(&pf->notify_lock);
	wake_up_interruptible(&pf->wait);
}

/* A registration goes: nothing of it is told any more.  Under evnt_lock. */
void evnt_notify_forget(struct evnt_registration *r)
{
	struct evnt_prov_file *pf = r->file;
	bool was;

	spin_lock(&pf->notify_lock);
	was = is_unsettled(r);
	r->pending = 0;
	r->told = false;
	list_del_init(&r->in_file);
	update_unsettled(r, was);
	spin_unlock(&pf->notify_lock);
}

/**
 * evnt_acknowledge() - a reader came back: it has dealt with what it read
 * @pf: the file that it reads
 */
void evnt_acknowledge(struct evnt_prov_file *pf)
{
	struct evnt_registration *r, *next;

	/* When the reader is killed, the file's next one will do it */
	if (mutex_lock_killable(&evnt_lock))
		return;
	spin_lock(&pf->notify_lock);
	list_for_each_entry_safe(r, next, &pf->told, in_file) {
		list_del_init(&r->in_file);
		r->told = false;
		update_unsettled(r, true);
	}
	list_for_each_entry(r, &pf->pending, in_file)
		r->told = false;
	spin_unlock(&pf->notify_lock);
	mutex_unlock(&evnt_lock);
}

/* Fill in what is to be told first; the composite is guarded by evnt_lock */
static void tell(struct evnt_registration *r, struct evntprov_notification *n)
{
	const struct evnt_composite *c = &r->composite;

	lockdep_assert_held(&evnt_lock);
	*n = (struct evntprov_notification) {
		.handle = r->handle,
		.source = r->source,
		.control = EVNTPROV_CONTROL_CAPTURE_STATE,
		.level = c->interest.level,
		.match_any = c->interest.match_any,
		.match_all = c->interest.match_all,
	};
	if (r->pending & EVNT_PENDING_STATE) {
		n->control = c->enabled ? EVNTPROV_CONTROL_ENABLE :
					  EVNTPROV_CONTROL_DISABLE;
		r->pending &= ~EVNT_PENDING_STATE;
	} else {
		evnt_asked(r);
		r->pending &= ~EVNT_PENDING_CAPTURE;
	}
}

/* The file's owner is to ask what is new of private loggers */
static bool tell_of_loggers(struct evnt_prov_file *pf,
			    struct evntprov_notification *n)
{
	lockdep_assert_held(&evnt_lock);
	if (!pf->is_news_due)
		return false;
	WRITE_ONCE(pf->is_news_due, false);
	*n = (struct evntprov_notification) {
		.control = EVNTPROV_CONTROL_LOGGERS,
	};
	return true;
}

/**
 * evnt_next_notification() - take the next thing to tell
 * @pf: the file
 * @n: filled in
 *
 * Return: whether there was any; false also when the caller is killed.
 */
bool evnt_next_notification(struct evnt_prov_file *pf,
			    struct evntprov_notification *n)
{
	struct evnt_registration *r;

	if (mutex_lock_killable(&evnt_lock))
		return false;
	if (tell_of_loggers(pf, n)) {
		mutex_unlock(&evnt_lock);
		return true;
	}
	spin_lock(&pf->notify_lock);
	r = list_first_entry_or_null(&pf->pending, struct evnt_registration,
				     in_file);
	if (r) {
		tell(r, n);
		r->told = true;
		if (!r->pending)
			list_move_tail(&r->in_file, &pf->told);
	}
	spin_unlock(&pf->notify_lock);
	mutex_unlock(&evnt_lock);
	return r;
}

/**
 * evnt_untell() - a notification did not reach its reader: it is to be told yet
 * @pf: the file
 * @n: what evnt_next_notification() filled in
 */
void evnt_untell(struct evnt_prov_file *pf,
		 const struct evntprov_notification *n)
{
	bool is_capture = n->control == EVNTPROV_CONTROL_CAPTURE_STATE;
	struct evnt_registration *r;

	mutex_lock(&evnt_lock);
	if (n->control == EVNTPROV_CONTROL_LOGGERS)
		WRITE_ONCE(pf->is_news_due, pf->has_news);
	r = evnt_registration_find(pf, n->handle);
	/* It may have gone meanwhile, and another one come in its place */
	if (r && r->flags & EVNTPROV_REGISTER_NOTIFY) {
		if (is_capture)
			evnt_not_asked(r);
		evnt_notify(r, is_capture ? EVNT_PENDING_CAPTURE :
					    EVNT_PENDING_STATE, &n->source);
	}
	mutex_unlock(&evnt_lock);
}

/* Whether there is something to tell */
bool evnt_notifications(struct evnt_prov_file *pf)
{
	return !list_empty_careful(&pf->pending) ||
	       READ_ONCE(pf->is_news_due);
}

/* Whether the owner has closed the file: readers see its end */
bool evnt_hung_up(struct evnt_prov_file *pf)
{
	return READ_ONCE(pf->hangup);
}

/* Who calls first is whose closing of the file ends reads; under evnt_lock */
void evnt_prov_file_own(struct evnt_prov_file *pf)
{
	lockdep_assert_held(&evnt_lock);
	if (!pf->owner)
		WRITE_ONCE(pf->owner, current->files);
}

/**
 * evnt_prov_file_closed() - a descriptor of a file was closed
 * @pf: the file
 * @owner: the files_struct that had it
 *
 * A library's thread may sit in read() while the program around it closes all
 * descriptors.  It gets to know here; other processes that have inherited the
 * file may close it as they like.
 */
void evnt_prov_file_closed(struct evnt_prov_file *pf, void *owner)
{
	if (!owner || READ_ONCE(pf->owner) != owner)
		return;
	WRITE_ONCE(pf->hangup, true);
	wake_up_interruptible_all(&pf->wait);
	mutex_lock(&evnt_lock);
	evnt_loggers_leave(pf);
	mutex_unlock(&evnt_lock);
}

/**
 * evnt_provider_wait() - wait until all owners have dealt with notifications
 * @p: the provider; the caller is a user of it
 * @timeout_ms: how long, or EVNTRACE_TIMEOUT_INFINITE
 *
 * Return: 0, -ETIMEDOUT, or -EINTR on a signal.
 */
int evnt_provider_wait(struct evnt_provider *p, u32 timeout_ms)
{
	long timeout = MAX_SCHEDULE_TIMEOUT;
	long left;

	if (timeout_ms != EVNTRACE_TIMEOUT_INFINITE)
		timeout = msecs_to_jiffies(timeout_ms);
	left = wait_event_interruptible_timeout(evnt_settled,
						!atomic_read(&p->unsettled),
						timeout);
	if (left < 0)
		return -EINTR;
	return left ? 0 : -ETIMEDOUT;
}
