// SPDX-License-Identifier: GPL-2.0
/*
 * Asking providers for their state again and again, for a session.
 *
 * Each session has a work item that queues itself again while there is a list.
 * A session that stops takes the list away, then waits until the work is idle;
 * nobody gives it another one, as it is not running any more.
 */
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "access.h"
#include "capture.h"
#include "rundown.h"
#include "session.h"

static void queue(struct evnt_capture *c)
{
	schedule_delayed_work(&c->work, (unsigned long)c->period_s * HZ);
}

static void capture_work(struct work_struct *work)
{
	struct evnt_capture *c = container_of(to_delayed_work(work),
					      struct evnt_capture, work);
	struct evnt_session *s = container_of(c, struct evnt_session, capture);
	u32 i;

	mutex_lock(&evnt_lock);
	for (i = 0; i < c->count; i++)
		evnt_ask_again(s, &c->list[i]);
	if (c->count)
		queue(c);
	mutex_unlock(&evnt_lock);
}

/* A session that asks nobody */
void evnt_capture_init(struct evnt_capture *c)
{
	INIT_DELAYED_WORK(&c->work, capture_work);
}

/* Another list, or none; the old one is the caller's to free.  Under evnt_lock. */
static struct evntprov_guid *replace_list(struct evnt_capture *c,
					  struct evntprov_guid *list,
					  u32 count, u32 period_s)
{
	struct evntprov_guid *old = c->list;

	lockdep_assert_held(&evnt_lock);
	c->list = list;
	c->count = count;
	c->period_s = period_s;
	cancel_delayed_work(&c->work);
	if (count)
		queue(c);
	return old;
}

static int check_rights(const struct evnt_session *s,
			const struct evntprov_guid *list, u32 count)
{
	int err = evnt_session_check_change(s);
	u32 i;

	for (i = 0; i < count && !err; i++)
		err = evnt_access_check(&list[i], INVALID_UID,
					EVNTRACE_RIGHT_GUID_ENABLE);
	return err;
}

/* Under evnt_lock; *@list becomes what is to be freed */
static int set_locked(const struct evntrace_capture *arg,
		      struct evntprov_guid **list)
{
	struct evnt_session *s = evnt_session_lookup(arg->handle);
	int err;

	if (!s)
		return -ESRCH;
	err = check_rights(s, *list, arg->count);
	if (err)
		return err;
	*list = replace_list(&s->capture, *list, arg->count, arg->period_s);
	return 0;
}

/**
 * evnt_capture_set() - EVNTRACE_IOC_CAPTURE
 * @arg: its argument
 *
 * Return: 0 or what the ABI says.
 */
int evnt_capture_set(const struct evntrace_capture *arg)
{
	struct evntprov_guid *list = NULL;
	int err;

	if (arg->count > EVNTRACE_MAX_CAPTURE || !arg->count != !arg->period_s ||
	    arg->period_s > EVNTRACE_MAX_CAPTURE_PERIOD)
		return -EINVAL;
	if (arg->count) {
		list = memdup_user(u64_to_user_ptr(arg->providers),
				   arg->count * sizeof(*list));
		if (IS_ERR(list))
			return PTR_ERR(list);
	}
	err = mutex_lock_killable(&evnt_lock);
	if (err)
		goto free;
	err = set_locked(arg, &list);
	mutex_unlock(&evnt_lock);
free:
	kfree(list);
	return err;
}

/* As much as the caller has room for, into memory that can be copied out */
static int query_locked(struct evntrace_capture *arg,
			struct evntprov_guid *list)
{
	struct evnt_session *s = evnt_session_lookup(arg->handle);
	const struct evnt_capture *c;
	int err;

	if (!s)
		return -ESRCH;
	err = evnt_session_check(s, EVNTRACE_RIGHT_QUERY);
	if (err)
		return err;
	c = &s->capture;
	memcpy(list, c->list, min(arg->count, c->count) * sizeof(*list));
	arg->count = c->count;
	arg->period_s = c->period_s;
	return 0;
}

/**
 * evnt_capture_query() - EVNTRACE_IOC_QUERY_CAPTURE
 * @arg: its argument
 *
 * Return: 0 or what the ABI says.
 */
int evnt_capture_query(struct evntrace_capture *arg)
{
	const u32 room = min_t(u32, arg->count, EVNTRACE_MAX_CAPTURE);
	struct evntprov_guid *list;
	int err;

	list = kcalloc(EVNTRACE_MAX_CAPTURE, sizeof(*list), GFP_KERNEL_ACCOUNT);
	if (!list)
		return -ENOMEM;
	err = mutex_lock_killable(&evnt_lock);
	if (err)
		goto free;
	err = query_locked(arg, list);
	mutex_unlock(&evnt_lock);
	if (!err && copy_to_user(u64_to_user_ptr(arg->providers), list,
				 min(arg->count, room) * sizeof(*list)))
		err = -EFAULT;
free:
	kfree(list);
	return err;
}

/**
 * evnt_capture_stop() - a session stops
 * @s: the session, which nobody can look up any more
 *
 * Without evnt_lock, which the work takes.
 */
void evnt_capture_stop(struct evnt_session *s)
{
	struct evntprov_guid *list;

	mutex_lock(&evnt_lock);
	list = replace_list(&s->capture, NULL, 0, 0);
	mutex_unlock(&evnt_lock);
	cancel_delayed_work_sync(&s->capture.work);
	kfree(list);
}
