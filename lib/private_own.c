// SPDX-License-Identifier: MIT
/*
 * Events of EVNTPROV_IMAGES_PROVIDER in private sessions, as the module writes them.
 */
#define _GNU_SOURCE
#include <sched.h>

#include "private.h"
#include "reserve.h"

/**
 * evnt_private_own_write() - write one
 * @s: the session, which is not being freed
 * @own: what kind it is of
 * @e: the event; what it says of its writer is filled in
 * @data: its data
 *
 * Who calls this counts what is lost.
 *
 * Return: 0, -EMSGSIZE or -ENOBUFS.
 */
int evnt_private_own_write(struct evnt_private *s,
			   const struct evnt_own_event *own,
			   struct evnt_event *e, const void *data)
{
	struct evnt_buffers *b = &s->buffers;
	u32 cpu = evnt_private_cpu(b), size;
	struct evnt_reservation at;
	s64 time;
	int err;

	e->flags |= ETL_EVENT_FLAG_PRIVATE;
	size = evnt_record_size(e);
	err = evnt_reserve(b, cpu, size, &at, &time);
	if (err)
		return err;
	if (e->thread_id)
		evnt_private_put_time(e, b, time);
	evnt_own_put(evnt_record(&at), size, own, e, time, data);
	evnt_commit(b, cpu, &at);
	return 0;
}

/* One that could not be written is lost */
void evnt_private_own_lost(struct evnt_private *s, int err)
{
	evnt_count_lost(&s->buffers, evnt_private_cpu(&s->buffers),
			evnt_loss_of(err));
}

/* A processor of the session's: where this runs, or did just now */
u32 evnt_private_cpu(const struct evnt_buffers *b)
{
	int here = sched_getcpu();

	return here < 0 ? 0 : (u32)here % b->nr_cpus;
}
