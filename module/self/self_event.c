// SPDX-License-Identifier: GPL-2.0
/*
 * Writing the module's own events.
 */
#include "module/compat/compat.h"
#include "module/self/self_event.h"
#include "core/reserve.h"

/**
 * struct source - event to be written
 * @own: kind of event
 * @e: event
 * @data: data of the event
 */
struct source {
	const struct evnt_self_event *own;
	const struct evnt_event *e;
	const void *data;
};

/* evnt_write_record() calls this */
static __always_inline int fill(u8 *record, u32 size, s64 time, void *source)
{
	const struct source *s = source;

	evnt_self_put(record, size, s->own, s->e, time, s->data);
	return 0;
}

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
 * Return: 0 or an error of evnt_write_record().
 */
int evnt_self_write(struct evnt_session *s, const struct evnt_self_event *own,
		    const struct evnt_event *e, const void *data)
{
	struct source source = { own, e, data };

	return evnt_write_record(&s->buffers, smp_processor_id(),
				 evnt_record_size(e), fill, &source);
}

/**
 * evnt_self_name() - write a record that names a process to a session
 * @s: session, which the caller keeps from being freed
 * @name: name
 * @process_id: process id
 *
 * The record is not counted as an event, but as lost on an error.  Any context.
 *
 * Return: 0 or an error of evnt_reserve().
 */
int evnt_self_name(struct evnt_session *s, const char *name, u32 process_id)
{
	struct evnt_reservation at;
	s64 time;
	int err;

	preempt_disable();
	err = evnt_reserve(&s->buffers, smp_processor_id(),
			   evnt_process_record_size(name), &at, &time);
	if (!err) {
		evnt_process_record_put(evnt_record(&at), name, process_id,
					time);
		evnt_buffer_unref(at.buffer->owner, at.buffer);
	} else {
		evnt_count_lost(&s->buffers, smp_processor_id(),
				evnt_loss_of(err));
	}
	preempt_enable();
	return err;
}
