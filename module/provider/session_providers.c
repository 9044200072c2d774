// SPDX-License-Identifier: GPL-2.0
/*
 * State that the provider layer keeps for each session, and the sequence of
 * steps that stops a session with its enablements.
 *
 * Sessions know no providers.  They call this file through struct
 * evnt_session_ops.
 */
#include <linux/jiffies.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "module/common/acl.h"
#include "module/provider/enable.h"
#include "module/provider/session_providers.h"
#include "module/self/self_event.h"
#include "module/session/session.h"
#include "module/system/system.h"

static void queue(struct evnt_session_providers *sp)
{
	schedule_delayed_work(&sp->capture, (unsigned long)sp->period_s * HZ);
}

static void capture_work(struct work_struct *work)
{
	struct evnt_session_providers *sp =
		container_of(to_delayed_work(work),
			     struct evnt_session_providers, capture);

	mutex_lock(&evnt_lock);
	evnt_capture_state_requeue(sp->session, &sp->captured);
	if (sp->captured.count)
		queue(sp);
	mutex_unlock(&evnt_lock);
}

static int create(struct evnt_session *s)
{
	struct evnt_session_providers *sp;

	sp = kzalloc(sizeof(*sp), GFP_KERNEL_ACCOUNT);
	if (!sp)
		return -ENOMEM;
	sp->session = s;
	INIT_DELAYED_WORK(&sp->capture, capture_work);
	s->providers = sp;
	evnt_manifests_create(s);
	return 0;
}

/*
 * Begin to stop a session.  Returns 0, or -EALREADY if another caller has.  The
 * caller must hold evnt_lock.
 */
static int begin_end(struct evnt_session *s)
{
	lockdep_assert_held(&evnt_lock);
	if (s->state == EVNT_STOPPING)
		return -EALREADY;
	/* From here on the session cannot be enabled anywhere */
	s->state = EVNT_STOPPING;
	evnt_drain(NULL);
	evnt_disable_all(s);
	return 0;
}

/*
 * Complete what begin_end() began; waits as evnt_session_end() does.  The
 * session is no longer running, so it cannot get other lists, and none is
 * queried.  The caller must not hold evnt_lock, which the work takes.
 */
static int finish_end(struct evnt_session *s, bool abandon, long timeout)
{
	cancel_delayed_work_sync(&s->providers->capture);
	kfree(s->providers->captured.ids);
	kfree(s->providers->disallowed.ids);
	evnt_system_stop(s, timeout && !abandon);
	return evnt_session_end(s, abandon, timeout);
}

/**
 * evnt_providers_end_session() - stop a session, unless it does not run
 * @handle: handle of the session
 * @abandon: discard the log, as if the session had never existed
 * @timeout: how long to wait, as for evnt_session_end()
 */
void evnt_providers_end_session(u64 handle, bool abandon, long timeout)
{
	struct evnt_session *s;

	mutex_lock(&evnt_lock);
	s = evnt_session_lookup(handle);
	if (s) {
		refcount_inc(&s->refs);
		begin_end(s);
	}
	mutex_unlock(&evnt_lock);
	if (!s)
		return;
	finish_end(s, abandon, timeout);
	evnt_session_put(s);
}

/**
 * evnt_providers_stop_session() - stop a session, unless the caller is killed
 * @s: session
 *
 * Return: 0, -EALREADY if another caller stops the session, or -EINTR if the
 * caller is killed.
 */
int evnt_providers_stop_session(struct evnt_session *s)
{
	int err = mutex_lock_killable(&evnt_lock);

	if (err)
		return err;
	err = begin_end(s);
	mutex_unlock(&evnt_lock);
	return err ?: finish_end(s, false, MAX_SCHEDULE_TIMEOUT);
}

static bool is_valid(const struct evntrace_list *arg)
{
	if (arg->kind == EVNTRACE_LIST_DISALLOWED)
		return arg->count <= EVNTRACE_MAX_DISALLOWED && !arg->period_s;
	return arg->count <= EVNTRACE_MAX_CAPTURE &&
	       !arg->count == !arg->period_s &&
	       arg->period_s <= EVNTRACE_MAX_CAPTURE_PERIOD;
}

/* Replace the list of periodic requests; on success, @list is the old one */
static int set_captured(struct evnt_session_providers *sp,
			struct evnt_provider_list *list, u32 period_s)
{
	int err;
	u32 i;

	for (i = 0; i < list->count; i++) {
		err = evnt_access_check(&list->ids[i], INVALID_UID,
					EVNTRACE_RIGHT_GUID_ENABLE);
		if (err)
			return err;
	}
	swap(sp->captured, *list);
	sp->period_s = period_s;
	cancel_delayed_work(&sp->capture);
	if (sp->captured.count)
		queue(sp);
	return 0;
}

/**
 * evnt_providers_set_list() - EVNTRACE_IOC_SET of a list of providers
 * @s: session that the caller may change
 * @arg: argument of the ioctl, for EVNTRACE_LIST_CAPTURE_STATE or _DISALLOWED
 *
 * Return: 0 or a negative errno, as documented for EVNTRACE_IOC_SET.
 */
int evnt_providers_set_list(struct evnt_session *s,
			    const struct evntrace_list *arg)
{
	struct evnt_provider_list list = { .count = arg->count };
	int err;

	if (!is_valid(arg))
		return -EINVAL;
	list.ids = memdup_user(u64_to_user_ptr(arg->elements),
			       arg->count * sizeof(*list.ids));
	if (IS_ERR(list.ids))
		return PTR_ERR(list.ids);
	err = mutex_lock_killable(&evnt_lock);
	if (err)
		goto free;
	if (!evnt_session_runs(s))
		err = -ESRCH;
	else if (arg->kind == EVNTRACE_LIST_DISALLOWED)
		err = evnt_group_disallow(s, &list);
	else
		err = set_captured(s->providers, &list, arg->period_s);
	mutex_unlock(&evnt_lock);
free:
	kfree(list.ids);
	return err;
}

/* Stop a session whose log reached its limit; called by its writer thread */
static void expire(struct evnt_session *s)
{
	evnt_providers_end_session(s->handle, false, 0);
}

const struct evnt_session_ops evnt_session_provider_ops = {
	.create = create,
	.expire = expire,
	.renew = evnt_manifests_renew,
	.wait_renewed = evnt_manifests_wait,
	.record_losses = evnt_self_losses,
	.run_down = evnt_system_rundown,
	.exit = evnt_manifests_stop,
};
