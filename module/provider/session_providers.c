// SPDX-License-Identifier: GPL-2.0
/*
 * State that the provider layer keeps for each session, and the sequence of
 * steps that stops a session with its enablements.
 *
 * Sessions know no providers.  They call this file through struct
 * evnt_session_ops.
 */
#include <linux/slab.h>

#include "module/provider/enable.h"
#include "module/provider/manifests.h"
#include "module/provider/session_providers.h"
#include "module/self/self_event.h"
#include "module/session/writer.h"
#include "module/system/system.h"

static int create(struct evnt_session *s)
{
	struct evnt_session_providers *sp;

	sp = kzalloc(sizeof(*sp), GFP_KERNEL_ACCOUNT);
	if (!sp)
		return -ENOMEM;
	sp->session = s;
	evnt_capture_init(&sp->capture);
	evnt_manifests_create(&sp->manifests);
	s->providers = sp;
	return 0;
}

/*
 * Begin to stop a session.  Returns 0, or -EALREADY if another caller has.  The
 * caller must hold evnt_lock.
 */
static int begin_end(struct evnt_session *s)
{
	int err = evnt_session_stopping(s);

	if (err)
		return err;
	evnt_drain(NULL);
	evnt_disable_all(s);
	return err;
}

/* Complete what begin_end() began; waits as evnt_session_end() does */
static int finish_end(struct evnt_session *s, bool abandon, long timeout)
{
	evnt_capture_stop(s);
	evnt_disallow_stop(s);
	evnt_system_stop(s, timeout && !abandon);
	return evnt_session_end(s, abandon, timeout);
}

/**
 * evnt_providers_end_session() - stop a session, unless another caller does
 * @s: session
 * @abandon: discard the log, as if the session had never existed
 * @timeout: how long to wait, as for evnt_session_end()
 */
void evnt_providers_end_session(struct evnt_session *s, bool abandon,
				long timeout)
{
	int err;

	mutex_lock(&evnt_lock);
	err = begin_end(s);
	mutex_unlock(&evnt_lock);
	if (!err)
		finish_end(s, abandon, timeout);
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

/* Stop a session whose log reached its limit; called by its writer thread */
static void expire(struct evnt_session *s)
{
	evnt_providers_end_session(s, false, 0);
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
