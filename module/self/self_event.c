// SPDX-License-Identifier: GPL-2.0
/*
 * Writing the module's own events.
 */
#include "module/compat/compat.h"
#include "module/self/self_event.h"
#include "core/reserve.h"

/**
 * evnt_self_write() - write one of the module's own events to a session
 * @s: session, which the caller keeps from being freed
 * @own: kind of event
 * @e: event
 * @data: data of the event
 *
 * The caller must have disabled preemption, and counts the event as lost on an
 * error.
 *
 * Return: 0 or an error of evnt_reserve().
 */
int evnt_self_write(struct evnt_session *s, const struct evnt_self_event *own,
		    const struct evnt_event *e, const void *data)
{
	u32 cpu = smp_processor_id(), size = evnt_record_size(e);
	struct evnt_reservation at;
	s64 time;
	int err;

	err = evnt_reserve(&s->buffers, cpu, size, &at, &time);
	if (err)
		return err;
	evnt_self_put(evnt_record(&at), size, own, e, time, data);
	evnt_commit(at.buffer->owner, cpu, &at);
	return 0;
}
