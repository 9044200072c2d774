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
#include "module/write/classic_write.h"
#include "module/write/event.h"
#include "core/reserve.h"
#include "module/provider/enable_set.h"

#define OPTIONS	(EVNTPROV_MESSAGE_SEQUENCE | EVNTPROV_MESSAGE_GUID |	\
		 EVNTPROV_MESSAGE_COMPONENT | EVNTPROV_MESSAGE_TIMESTAMP | \
		 EVNTPROV_MESSAGE_SYSTEMINFO)

/* Last sequence number of all sessions with EVNTRACE_MODE_GLOBAL_SEQUENCE */
static atomic_t global_sequence;

/**
 * struct writing - one attempt to write a record
 * @r: record
 * @session: session to write to
 */
struct writing {
	struct evnt_class_record r;
	struct evnt_session *session;
};

static struct evnt_registration *find_classic(struct evnt_prov_file *pf,
					      u64 handle)
{
	struct evnt_registration *r = evnt_registration_find(pf, handle);

	return r && READ_ONCE(r->flags) & EVNTPROV_REGISTER_CLASSIC ? r : NULL;
}

/**
 * evnt_classic_query() - EVNTPROV_IOC_QUERY_CLASSIC
 * @pf: file of the provider device
 * @arg: argument of the ioctl
 *
 * Return: 0 or a negative errno, as documented for EVNTPROV_IOC_QUERY_CLASSIC.
 */
int evnt_classic_query(struct evnt_prov_file *pf,
		       struct evntprov_query_classic *arg)
{
	const struct evnt_enable_set *view = &evnt_empty_set;
	const u64 former = arg->session;
	struct evnt_registration *r;

	arg->session = 0;
	arg->match_any = 0;
	arg->level = 0;
	if (mutex_lock_killable(&evnt_lock))
		return -EINTR;
	r = find_classic(pf, arg->handle);
	if (r)
		view = evnt_effective_of(r);
	arg->still = !!evnt_effective_find_any(view, former);
	if (view->count) {
		arg->session = view->e[0].session->handle;
		arg->match_any = view->e[0].set_any;
		arg->level = view->e[0].set_level;
	}
	mutex_unlock(&evnt_lock);
	return r ? 0 : -ENOENT;
}

/* Assign a number last, when the record cannot fail: numbers have no gaps */
static void put_sequence(const struct writing *w, u8 *record)
{
	u32 number;

	if (!evnt_class_record_has_number(&w->r))
		return;
	if (evnt_session_mode(w->session) & EVNTRACE_MODE_GLOBAL_SEQUENCE)
		number = atomic_inc_return(&global_sequence);
	else
		number = atomic_inc_return(&w->session->sequence);
	evnt_class_record_put_number(record, number);
}

static int write_record(const struct writing *w, struct evnt_payload *p)
{
	struct evnt_buffers *b = &w->session->buffers;
	u64 size = w->r.header + w->r.subject.data_len;
	u32 cpu = smp_processor_id();
	struct evnt_record_parts parts = {};
	struct evnt_reservation at;
	u8 *record;
	s64 time;
	int err;

	if (size > ETL_MAX_RECORD)
		return -EOVERFLOW;
	err = evnt_reserve(b, cpu, size, &at, &time);
	if (err)
		return err;
	record = evnt_record(&at);
	evnt_class_record_put(&w->r, record, size, time);
	parts.data = record + w->r.header;
	err = evnt_payload_copy(p, &w->r.subject, parts);
	if (err) {
		evnt_discard(b, size, &at);
		return err;
	}
	put_sequence(w, record);
	evnt_commit(b, cpu, &at);
	return 0;
}

/* Write to the session of @e; page faults are disabled */
static int write_to(const struct evnt_enablement *e, struct writing *w,
		    struct evnt_payload *p, bool last)
{
	const u32 numbers = EVNTRACE_MODE_LOCAL_SEQUENCE |
			    EVNTRACE_MODE_GLOBAL_SEQUENCE;
	int err;

	w->session = e->session;
	evnt_describe_writer(&w->r.subject);
	evnt_class_record_describe(&w->r,
				   evnt_session_mode(e->session) & numbers);
	evnt_payload_init(p, w->r.arg->data, w->r.arg->data_count);
	err = evnt_payload_measure(p, &w->r.subject);
	if (!err)
		err = write_record(w, p);
	if (evnt_is_loss(err, last))
		evnt_count_lost(&e->session->buffers, smp_processor_id(),
				evnt_loss_of(err));
	return err;
}

/* Attempt to write the record, with preemption disabled */
static int route(const struct evnt_registration *r, struct writing *w,
		 struct evnt_payload *p, bool last)
{
	const struct evnt_enablement *e;
	int err;

	e = evnt_effective_find_any(rcu_dereference_sched(r->set),
				    w->r.arg->session);
	if (!e)
		return -ESRCH;
	if (e->property & EVNT_PROPERTY_SECURE && evnt_is_denied(e, r))
		return -EACCES;
	pagefault_disable();
	err = write_to(e, w, p, last);
	pagefault_enable();
	return err;
}

static int check(const struct evntprov_write_classic *arg)
{
	static const struct evntprov_guid none;
	const u32 either = EVNTPROV_MESSAGE_GUID | EVNTPROV_MESSAGE_COMPONENT;
	const bool is_message = arg->kind == EVNTPROV_TRACE_MESSAGE;

	if (arg->flags || arg->kind > EVNTPROV_TRACE_MESSAGE ||
	    arg->data_count > EVNTPROV_MAX_DATA)
		return -EINVAL;
	if (is_message ? arg->type || arg->level : arg->options)
		return -EINVAL;
	if (arg->options & ~OPTIONS || (arg->options & either) == either)
		return -EINVAL;
	if (arg->kind != EVNTPROV_TRACE_INSTANCE &&
	    (arg->instance || arg->parent_instance ||
	     memcmp(&arg->parent, &none, sizeof(none))))
		return -EINVAL;
	return 0;
}

/**
 * evnt_classic_write() - EVNTPROV_IOC_WRITE_CLASSIC
 * @pf: file of the provider device
 * @arg: argument of the ioctl
 *
 * Return: 0 or a negative errno, as documented for EVNTPROV_IOC_WRITE_CLASSIC.
 */
int evnt_classic_write(struct evnt_prov_file *pf,
		       const struct evntprov_write_classic *arg)
{
	struct writing w = { .r.arg = arg };
	const struct evnt_registration *r;
	struct evnt_payload p __uninitialized;
	int err = check(arg);
	u32 try;

	if (err)
		return err;
	for (try = 1; try <= EVNT_MAX_TRIES; try++) {
		err = -ENOENT;
		/* Also disables preemption */
		rcu_read_lock_sched();
		r = find_classic(pf, arg->handle);
		if (r)
			err = route(r, &w, &p, try == EVNT_MAX_TRIES);
		rcu_read_unlock_sched();
		if (err != -EFAULT)
			return err;
		err = evnt_payload_fault_in(&p);
		if (err)
			return err;
	}
	return -EAGAIN;
}
