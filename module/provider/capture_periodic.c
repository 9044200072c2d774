// SPDX-License-Identifier: GPL-2.0
/*
 * Periodic capture-state requests of a session to a list of providers.
 *
 * Each session has a work item that requeues itself while there is a list.  A
 * session that stops waits until the work is idle, and frees the list.  It is no
 * longer running by then, so it cannot get another list, and none is queried.
 */
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "module/common/acl.h"
#include "module/provider/enable.h"
#include "module/provider/session_providers.h"

static void queue(struct evnt_capture *c)
{
	schedule_delayed_work(&c->work, (unsigned long)c->period_s * HZ);
}

static void capture_work(struct work_struct *work)
{
	struct evnt_session_providers *sp =
		container_of(to_delayed_work(work),
			     struct evnt_session_providers, capture.work);
	const struct evnt_capture *c = &sp->capture;
	u32 i;

	mutex_lock(&evnt_lock);
	for (i = 0; i < c->count; i++)
		evnt_capture_state_requeue(sp->session, &c->list[i]);
	if (c->count)
		queue(&sp->capture);
	mutex_unlock(&evnt_lock);
}

/* Initialise without a list */
void evnt_capture_init(struct evnt_capture *c)
{
	INIT_DELAYED_WORK(&c->work, capture_work);
}

/**
 * evnt_capture_set() - EVNTRACE_IOC_SET of EVNTRACE_LIST_CAPTURE_STATE
 * @s: session that the caller may change
 * @arg: argument of the ioctl
 *
 * Return: 0 or a negative errno, as documented for EVNTRACE_IOC_SET.
 */
int evnt_capture_set(struct evnt_session *s, const struct evntrace_list *arg)
{
	struct evnt_capture *c = &s->providers->capture;
	struct evntprov_guid *list;
	int err;
	u32 i;

	if (arg->count > EVNTRACE_MAX_CAPTURE || !arg->count != !arg->period_s ||
	    arg->period_s > EVNTRACE_MAX_CAPTURE_PERIOD)
		return -EINVAL;
	list = memdup_user(u64_to_user_ptr(arg->elements),
			   arg->count * sizeof(*list));
	if (IS_ERR(list))
		return PTR_ERR(list);
	err = mutex_lock_killable(&evnt_lock);
	if (err)
		goto free;
	err = evnt_session_runs(s) ? 0 : -ESRCH;
	for (i = 0; i < arg->count && !err; i++)
		err = evnt_access_check(&list[i], INVALID_UID,
					EVNTRACE_RIGHT_GUID_ENABLE);
	if (!err) {
		/* From here on, @list is the old one */
		swap(c->list, list);
		c->count = arg->count;
		c->period_s = arg->period_s;
		cancel_delayed_work(&c->work);
		if (c->count)
			queue(c);
	}
	mutex_unlock(&evnt_lock);
free:
	kfree(list);
	return err;
}

/**
 * evnt_capture_stop() - end the requests of a session that stops
 * @s: session that has begun to stop, so that only the work uses the list
 *
 * Context: Process context, without evnt_lock, which the work acquires.
 */
void evnt_capture_stop(struct evnt_session *s)
{
	struct evnt_capture *c = &s->providers->capture;

	cancel_delayed_work_sync(&c->work);
	kfree(c->list);
}
