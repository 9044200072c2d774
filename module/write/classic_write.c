// SPDX-License-Identifier: GPL-2.0
/*
 * Writing of records by classic providers, which name the session to write to.
 *
 * The session must be in the registration's effective set, so that a provider
 * cannot write to a session that has not enabled it.  classic_record.c owns the
 * record layout.  Reservation and the handling of failures are as in router.c:
 * no lock is taken, nothing is allocated, and the CPU stays the same from the
 * choice of the session until the record is committed.
 */
#include <linux/preempt.h>
#include <linux/smp.h>
#include <linux/uaccess.h>

#include "core/classic_record.h"
#include "module/write/write.h"
#include "module/write/event.h"
#include "core/reserve.h"
#include "module/provider/enable.h"

#define OPTIONS	(EVNTPROV_MESSAGE_SEQUENCE | EVNTPROV_MESSAGE_GUID |	\
		 EVNTPROV_MESSAGE_COMPONENT | EVNTPROV_MESSAGE_TIMESTAMP | \
		 EVNTPROV_MESSAGE_SYSTEMINFO)

/* Last sequence number of all sessions with EVNTRACE_MODE_GLOBAL_SEQUENCE */
static atomic_t global_sequence;

/**
 * struct source - record to be written
 * @r: record
 * @session: session to write to
 * @p: payload
 */
struct source {
	struct evnt_class_record r;
	struct evnt_session *session;
	struct evnt_payload *p;
};

/* Assign a number last, when the record cannot fail: numbers have no gaps */
static void put_sequence(const struct source *s, u8 *record)
{
	u32 number;

	if (!evnt_class_record_has_number(&s->r))
		return;
	if (evnt_session_mode(s->session) & EVNTRACE_MODE_GLOBAL_SEQUENCE)
		number = atomic_inc_return(&global_sequence);
	else
		number = atomic_inc_return(&s->session->sequence);
	evnt_class_record_put_number(record, number);
}

/* evnt_write_record() calls this */
static __always_inline int fill(u8 *record, u32 size, s64 time, void *source)
{
	const struct source *s = source;
	const struct evnt_record_parts parts = { .data = record + s->r.header };
	int err;

	evnt_class_record_put(&s->r, record, size, time);
	err = evnt_payload_copy(s->p, &s->r.subject, parts);
	if (!err)
		put_sequence(s, record);
	return err;
}

/* Write to the session of @s; page faults are disabled */
static int write_to(struct source *s, bool last)
{
	const u32 numbers = EVNTRACE_MODE_LOCAL_SEQUENCE |
			    EVNTRACE_MODE_GLOBAL_SEQUENCE;
	struct evnt_event *e = &s->r.subject;
	struct evnt_buffers *b = &s->session->buffers;
	u32 cpu = smp_processor_id();
	int err;

	evnt_describe_writer(e);
	evnt_class_record_describe(&s->r,
				   evnt_session_mode(s->session) & numbers);
	evnt_payload_init(s->p, s->r.arg);
	err = evnt_payload_measure(s->p, e);
	if (!err)
		err = evnt_write_record(b, cpu, s->r.header + e->data_len, fill,
					s);
	if (evnt_is_loss(err, last))
		evnt_count_lost(b, cpu, evnt_loss_of(err));
	return err;
}

static bool is_valid(const struct evntprov_write *arg)
{
	static const struct evntprov_guid none;
	const u32 either = EVNTPROV_MESSAGE_GUID | EVNTPROV_MESSAGE_COMPONENT;
	const u32 kind = arg->flags & EVNTPROV_TRACE_KIND;
	const struct evntprov_descriptor *d = &arg->descriptor;

	if (arg->flags & ~(EVNTPROV_TRACE_KIND | EVNTPROV_WRITE_ONE_BLOCK |
			   EVNT_WRITE_NO_IMAGES) ||
	    d->version || d->channel || !evnt_payload_is_valid(arg))
		return false;
	if (kind == EVNTPROV_TRACE_MESSAGE ? d->opcode || d->level : d->task)
		return false;
	if (d->task & ~OPTIONS || (d->task & either) == either)
		return false;
	return kind == EVNTPROV_TRACE_INSTANCE ||
	       (!d->keyword && !memcmp(&arg->parent, &none, sizeof(none)));
}

/**
 * evnt_classic_write() - attempt to write a record of a classic provider
 * @r: registration
 * @arg: arguments of the write
 * @p: payload
 * @last: the write will not be tried again
 *
 * Context: Preemption is disabled.
 *
 * Return: 0 or a negative errno, as documented for EVNTPROV_IOC_WRITE; -EFAULT
 * requests the caller to fault in a page.
 */
int evnt_classic_write(const struct evnt_registration *r,
		       const struct evntprov_write *arg, struct evnt_payload *p,
		       bool last)
{
	struct source s = { .r.arg = arg, .p = p };
	const struct evnt_enablement *e;
	int err;

	if (!is_valid(arg))
		return -EINVAL;
	if (!(READ_ONCE(r->flags) & EVNTPROV_REGISTER_CLASSIC))
		return -ENOENT;
	e = evnt_effective_find_any(rcu_dereference_sched(r->set),
				    arg->session);
	if (!e)
		return -ESRCH;
	if (e->property & EVNT_PROPERTY_SECURE && evnt_is_denied(e, r))
		return -EACCES;
	s.session = e->session;
	pagefault_disable();
	err = write_to(&s, last);
	pagefault_enable();
	return err;
}
