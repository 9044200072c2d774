// SPDX-License-Identifier: GPL-2.0
/*
 * Writing the module's own events.
 */
#include "compat/compat.h"
#include "event.h"
#include "own_event.h"
#include "reserve.h"

/**
 * evnt_own_write() - write it to one session
 * @s: the session, which is not being freed
 * @own: what kind it is of
 * @e: the event
 * @data: its data
 *
 * Preemption is disabled.  Who calls this counts what is lost.
 *
 * Return: 0, or what evnt_reserve() returns.
 */
int evnt_own_write(struct evnt_session *s, const struct evnt_own_event *own,
		   const struct evnt_event *e, const void *data)
{
	u32 cpu = smp_processor_id(), size = evnt_record_size(e);
	struct evnt_reservation at;
	s64 time;
	int err;

	err = evnt_reserve(&s->buffers, cpu, size, &at, &time);
	if (err)
		return err;
	evnt_own_put(evnt_record(&at), size, own, e, time, data);
	evnt_commit(at.buffer->owner, cpu, &at);
	return 0;
}
