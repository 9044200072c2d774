// SPDX-License-Identifier: GPL-2.0
/*
 * Enable notifications to the owners of registrations, and their completion.
 *
 * A registration is on at most one list of its file: on @pending while there is
 * a notification to read, or on @reported once the last one was read but the
 * reader has not come back.  A registration in either state, or in both, is
 * unsettled.
 * Its provider, and its group, count unsettled registrations; controllers with
 * a timeout wait for that count to become zero.
 *
 * evnt_lock guards all of this, except where a reader looks whether to wait.
 */
#include <linux/sched/signal.h>

#include "module/provider/enable.h"
#include "module/provider/filter_set.h"

/* Controllers that wait for providers or private sessions to settle */
static DECLARE_WAIT_QUEUE_HEAD(evnt_settled);

/* Wake controllers after a number of unsettled objects has become zero */
void evnt_wake_settled(void)
{
	wake_up_all(&evnt_settled);
}

static bool is_unsettled(const struct evnt_registration *r)
{
	return r->pending || r->reported;
}

/* Count one registration of a provider or group as unsettled, or as settled */
static void count_unsettled(struct evnt_provider *p, bool is)
{
	if (is)
		atomic_inc(&p->unsettled);
	else if (atomic_dec_and_test(&p->unsettled))
		evnt_wake_settled();
}

/* Update the counts if @r became unsettled or settled */
static void update_unsettled(struct evnt_registration *r, bool was)
{
	bool is = is_unsettled(r);

	lockdep_assert_held(&evnt_lock);
	if (is == was)
		return;
	count_unsettled(r->provider, is);
	if (r->group)
		count_unsettled(r->group, is);
}

/*
 * Add a registration to a group, with its state.  The caller must hold
 * evnt_lock.
 */
void evnt_notify_join(struct evnt_registration *r, struct evnt_provider *group)
{
	lockdep_assert_held(&evnt_lock);
	r->group = group;
	if (is_unsettled(r))
		count_unsettled(group, true);
}

/**
 * evnt_notify() - queue a notification for the owner of a registration
 * @r: registration
 * @pending: EVNT_PENDING_*
 * @source: SourceId of the control request, or NULL
 *
 * The caller must hold evnt_lock.
 */
void evnt_notify(struct evnt_registration *r, unsigned int pending,
		 const struct evntprov_guid *source)
{
	struct evnt_prov_file *pf = r->file;
	bool was;

	lockdep_assert_held(&evnt_lock);
	was = is_unsettled(r);
	if (!r->pending)
		list_move_tail(&r->in_file, &pf->pending);
	r->pending |= pending;
	r->source = source ? *source : (struct evntprov_guid) {};
	update_unsettled(r, was);
	wake_up_interruptible(&pf->wait);
}

/*
 * Discard the notifications of a registration that goes.  The caller must hold
 * evnt_lock.
 */
void evnt_notify_forget(struct evnt_registration *r)
{
	bool was = is_unsettled(r);

	r->pending = 0;
	r->reported = false;
	list_del_init(&r->in_file);
	update_unsettled(r, was);
}

/**
 * evnt_acknowledge() - settle the registrations whose notifications were read
 * @pf: file that is read again
 *
 * A reader that comes back has handled what it read before.
 */
void evnt_acknowledge(struct evnt_prov_file *pf)
{
	struct evnt_registration *r, *next;

	/* A killed reader leaves this to the file's next one */
	if (mutex_lock_killable(&evnt_lock))
		return;
	list_for_each_entry_safe(r, next, &pf->reported, in_file) {
		list_del_init(&r->in_file);
		r->reported = false;
		update_unsettled(r, true);
	}
	list_for_each_entry(r, &pf->pending, in_file)
		r->reported = false;
	mutex_unlock(&evnt_lock);
}

/* Return the state of a registration, without filter data */
static struct evntprov_notification describe(const struct evnt_registration *r)
{
	const struct evnt_composite *c = &r->composite;

	lockdep_assert_held(&evnt_lock);
	return (struct evntprov_notification) {
		.size = sizeof(struct evntprov_notification),
		.handle = r->handle,
		.control = c->enabled ? EVNTPROV_CONTROL_ENABLE :
					EVNTPROV_CONTROL_DISABLE,
		.level = c->interest.level,
		.match_any = c->interest.match_any,
		.match_all = c->interest.match_all,
	};
}

/* Dequeue the next notification of @r: see evnt_notification_read() */
static int take(struct evnt_registration *r, size_t room,
		struct evntprov_notification *n, void **data)
{
	const bool is_capture = !(r->pending & EVNT_PENDING_STATE);
	const struct evnt_enable_set *set = evnt_effective_of(r);
	int err = 0;

	if (is_capture && r->requested)
		set = r->requested;
	*n = describe(r);
	n->source = r->source;
	if (data)
		err = evnt_filter_data(set, room, n, data);
	if (err)
		return err;
	if (is_capture) {
		n->control = EVNTPROV_CONTROL_CAPTURE_STATE;
		evnt_capture_state_requested(r);
		r->pending &= ~EVNT_PENDING_CAPTURE;
	} else {
		if (r->pending & EVNT_PENDING_DISABLED)
			n->flags = EVNTPROV_NOTIFICATION_WAS_DISABLED;
		r->pending &= ~(EVNT_PENDING_STATE | EVNT_PENDING_DISABLED);
	}
	r->reported = true;
	if (!r->pending)
		list_move_tail(&r->in_file, &r->file->reported);
	return 1;
}

static int take_next(struct evnt_prov_file *pf, size_t room,
		     struct evntprov_notification *n, void **data)
{
	struct evnt_registration *r;

	if (pf->is_news_due) {
		WRITE_ONCE(pf->is_news_due, false);
		*n = (struct evntprov_notification) {
			.size = sizeof(*n),
			.control = EVNTPROV_CONTROL_PRIVATE,
		};
		return 1;
	}
	r = list_first_entry_or_null(&pf->pending, struct evnt_registration,
				     in_file);
	return r ? take(r, room, n, data) : 0;
}

/* Describe the present state of the registration with the slot at @slot */
static int describe_slot(const struct evnt_prov_file *pf, u64 slot, size_t room,
			 struct evntprov_notification *n, void **data)
{
	const struct evnt_registration *r = evnt_registration_at_slot(pf, slot);

	if (!r)
		return -ENOENT;
	*n = describe(r);
	return evnt_filter_data(evnt_effective_of(r), room, n, data) ?: 1;
}

/**
 * evnt_notification_read() - dequeue the next notification of a file, or
 * describe a registration in the same form
 * @pf: file
 * @slot: offset of the registration's slot, or 0
 * @room: size of the reader's buffer in bytes
 * @n: filled in
 * @data: set to filter data of @n->filter_len bytes, to be freed with kvfree(),
 *	or left unchanged; NULL if the reader wants none
 *
 * Return: 1; 0 if there is no notification; -ENOENT if the slot has no
 * registration; -EINTR if the caller is killed; or, if the notification stays
 * in the queue, -EMSGSIZE beyond @room or -ENOMEM.
 */
int evnt_notification_read(struct evnt_prov_file *pf, u64 slot, size_t room,
			   struct evntprov_notification *n, void **data)
{
	int ret;

	if (mutex_lock_killable(&evnt_lock))
		return -EINTR;
	ret = slot ? describe_slot(pf, slot, room, n, data) :
		     take_next(pf, room, n, data);
	mutex_unlock(&evnt_lock);
	return ret;
}

/**
 * evnt_notification_unread() - queue a notification again that did not reach
 * its reader
 * @pf: file
 * @n: notification from evnt_notification_read()
 */
void evnt_notification_unread(struct evnt_prov_file *pf,
			      const struct evntprov_notification *n)
{
	unsigned int pending = EVNT_PENDING_STATE;
	struct evnt_registration *r;

	if (n->control == EVNTPROV_CONTROL_CAPTURE_STATE)
		pending = EVNT_PENDING_CAPTURE;
	else if (n->flags & EVNTPROV_NOTIFICATION_WAS_DISABLED)
		pending |= EVNT_PENDING_DISABLED;
	mutex_lock(&evnt_lock);
	if (n->control == EVNTPROV_CONTROL_PRIVATE)
		WRITE_ONCE(pf->is_news_due, pf->has_news);
	r = evnt_registration_find(pf, n->handle);
	/* The handle may belong to another registration by now */
	if (r && r->flags & EVNTPROV_REGISTER_NOTIFY) {
		if (pending == EVNT_PENDING_CAPTURE)
			evnt_capture_state_cancel(r);
		evnt_notify(r, pending, &n->source);
	}
	mutex_unlock(&evnt_lock);
}

/* Return whether a read would return a notification */
bool evnt_notifications(struct evnt_prov_file *pf)
{
	return !list_empty_careful(&pf->pending) ||
	       READ_ONCE(pf->is_news_due);
}

/* Record the first caller as the owner, whose close ends reads of the file */
void evnt_prov_file_own(struct evnt_prov_file *pf)
{
	lockdep_assert_held(&evnt_lock);
	if (!pf->owner)
		WRITE_ONCE(pf->owner, current->files);
}

/**
 * evnt_prov_file_closed() - handle the close of one descriptor of a file
 * @pf: file
 * @owner: files_struct that held the descriptor
 *
 * A library's thread may be blocked in read() while the rest of its program
 * closes all descriptors; this ends the read.  A close by another process that
 * has inherited the file has no effect.
 *
 * Return: whether @owner was the owner of the file.
 */
bool evnt_prov_file_closed(struct evnt_prov_file *pf, void *owner)
{
	if (!owner || READ_ONCE(pf->owner) != owner)
		return false;
	WRITE_ONCE(pf->hangup, true);
	wake_up_interruptible_all(&pf->wait);
	return true;
}

/**
 * evnt_wait_settled() - wait until a provider, a group or a private session is
 * settled
 * @unsettled: number of unsettled registrations or participants, which the
 *	caller keeps from being freed
 * @timeout_ms: timeout in ms, or EVNTRACE_TIMEOUT_INFINITE
 *
 * Return: 0, -ETIMEDOUT, or -EINTR on a signal.
 */
int evnt_wait_settled(const atomic_t *unsettled, u32 timeout_ms)
{
	long timeout = MAX_SCHEDULE_TIMEOUT;
	long left;

	if (timeout_ms != EVNTRACE_TIMEOUT_INFINITE)
		timeout = msecs_to_jiffies(timeout_ms);
	left = wait_event_interruptible_timeout(evnt_settled,
						!atomic_read(unsettled),
						timeout);
	if (left < 0)
		return -EINTR;
	return left ? 0 : -ETIMEDOUT;
}
