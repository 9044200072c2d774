// SPDX-License-Identifier: GPL-2.0
/*
 * Records of classic providers, which write to the session that they are told.
 *
 * That is one that is in the registration's view, or nothing is written: nobody
 * writes to a session that has not asked for it.  What such a record looks like is
 * here; how it gets into a buffer, and what becomes of what cannot be read or has
 * no room, is as in router.c: no lock is taken, nothing is allocated, and the CPU
 * stays the same from the choice of the session until the record is committed.
 */
#include <linux/preempt.h>
#include <linux/smp.h>
#include <linux/uaccess.h>

#include "classic.h"
#include "event.h"
#include "reserve.h"
#include "view.h"

#define OPTIONS	(EVNTPROV_MESSAGE_SEQUENCE | EVNTPROV_MESSAGE_GUID |	\
		 EVNTPROV_MESSAGE_COMPONENT | EVNTPROV_MESSAGE_TIMESTAMP | \
		 EVNTPROV_MESSAGE_SYSTEMINFO)

/* Of all sessions of EVNTRACE_MODE_GLOBAL_SEQUENCE: the last that was given */
static atomic_t global_sequence;

/**
 * struct writing - one try at writing a record
 * @arg: what is written
 * @session: where to
 * @options: of a message, as they stand in the record
 * @header: what is in front of the data, in bytes
 * @who: the writer, and the length of the data
 */
struct writing {
	const struct evntprov_trace *arg;
	struct evnt_session *session;
	u16 options;
	u32 header;
	struct evnt_event who;
};

static struct evnt_registration *find_classic(struct evnt_prov_file *pf,
					      u64 handle)
{
	struct evnt_registration *r = evnt_registration_find(pf, handle);

	return r && READ_ONCE(r->flags) & EVNTPROV_REGISTER_CLASSIC ? r : NULL;
}

/**
 * evnt_classic_query() - EVNTPROV_IOC_CLASSIC
 * @pf: the file
 * @arg: its argument
 *
 * Return: 0 or what the ABI says.
 */
int evnt_classic_query(struct evnt_prov_file *pf, struct evntprov_classic *arg)
{
	const struct evnt_enable_set *view = &evnt_nobody;
	const u64 former = arg->session;
	struct evnt_registration *r;

	arg->session = 0;
	arg->match_any = 0;
	arg->level = 0;
	mutex_lock(&evnt_lock);
	r = find_classic(pf, arg->handle);
	if (r)
		view = evnt_view_of(r);
	arg->still = !!evnt_view_find_any(view, former);
	if (view->count) {
		arg->session = view->e[0].session->handle;
		arg->match_any = view->e[0].set_any;
		arg->level = view->e[0].set_level;
	}
	mutex_unlock(&evnt_lock);
	return r ? 0 : -ENOENT;
}

static bool numbers_messages(const struct evnt_session *s)
{
	return evnt_session_mode(s) & (EVNTRACE_MODE_LOCAL_SEQUENCE |
				       EVNTRACE_MODE_GLOBAL_SEQUENCE);
}

/* Which of a message's options its record has */
static u16 options_of(const struct evntprov_trace *arg,
		      const struct evnt_session *s)
{
	u16 options = arg->options | (in_compat_syscall() ?
				      ETL_MESSAGE_POINTER32 :
				      ETL_MESSAGE_POINTER64);

	if (!numbers_messages(s))
		options &= ~EVNTPROV_MESSAGE_SEQUENCE;
	return options;
}

static void describe(struct writing *w)
{
	const struct evntprov_trace *arg = w->arg;

	static_assert(EVNTPROV_MESSAGE_SEQUENCE == ETL_MESSAGE_SEQUENCE &&
		      EVNTPROV_MESSAGE_GUID == ETL_MESSAGE_GUID &&
		      EVNTPROV_MESSAGE_COMPONENT == ETL_MESSAGE_COMPONENT &&
		      EVNTPROV_MESSAGE_TIMESTAMP == ETL_MESSAGE_TIME &&
		      EVNTPROV_MESSAGE_SYSTEMINFO == ETL_MESSAGE_SYSTEM_INFO);
	evnt_describe_writer(&w->who);
	switch (arg->kind) {
	case EVNTPROV_TRACE_EVENT:
		w->header = sizeof(struct etl_class_header);
		break;
	case EVNTPROV_TRACE_INSTANCE:
		w->header = sizeof(struct etl_instance_header);
		break;
	default:
		w->options = options_of(arg, w->session);
		w->header = etl_message_offset(w->options, ETL_MESSAGE_ALL);
	}
}

static void put_class(const struct writing *w, u8 *to, u32 size, s64 time)
{
	struct etl_class_header *h = (struct etl_class_header *)to;
	const struct evntprov_trace *arg = w->arg;
	const bool wide = w->who.kind == ETL_RECORD_EVENT64;

	h->size = size;
	if (arg->kind == EVNTPROV_TRACE_EVENT)
		h->kind = wide ? ETL_RECORD_FULL64 : ETL_RECORD_FULL32;
	else
		h->kind = wide ? ETL_RECORD_INSTANCE64 : ETL_RECORD_INSTANCE32;
	h->type = arg->type;
	h->level = arg->level;
	h->version = arg->version;
	h->thread_id = w->who.thread_id;
	h->process_id = w->who.process_id;
	h->time_stamp = time;
	memcpy(h->class, arg->class_id.b, sizeof(h->class));
	h->kernel_time = w->who.kernel_time;
	h->user_time = w->who.user_time;
}

static void put_instance(const struct writing *w, u8 *to)
{
	struct etl_instance_header *h = (struct etl_instance_header *)to;

	h->instance = w->arg->instance;
	h->parent_instance = w->arg->parent_instance;
	memcpy(h->parent, w->arg->parent.b, sizeof(h->parent));
}

static void put(u8 **to, const void *from, u32 len)
{
	memcpy(*to, from, len);
	*to += len;
}

/* But for its sequence number */
static void put_message(const struct writing *w, u8 *to, u32 size, s64 time)
{
	const struct etl_message_header h = {
		.size = size,
		.kind = ETL_RECORD_MESSAGE,
		.number = w->arg->version,
		.flags = w->options,
	};

	put(&to, &h, sizeof(h));
	if (h.flags & ETL_MESSAGE_SEQUENCE)
		to += sizeof(u32);
	if (h.flags & ETL_MESSAGE_COMPONENT)
		put(&to, w->arg->class_id.b, sizeof(u32));
	if (h.flags & ETL_MESSAGE_GUID)
		put(&to, w->arg->class_id.b, sizeof(w->arg->class_id.b));
	if (h.flags & ETL_MESSAGE_TIME)
		put(&to, &time, sizeof(time));
	if (h.flags & ETL_MESSAGE_SYSTEM_INFO) {
		put(&to, &w->who.thread_id, sizeof(u32));
		put(&to, &w->who.process_id, sizeof(u32));
	}
}

/* The record is complete otherwise: numbers are not given in vain */
static void put_sequence(const struct writing *w, u8 *record)
{
	u32 number;

	if (!(w->options & ETL_MESSAGE_SEQUENCE))
		return;
	if (evnt_session_mode(w->session) & EVNTRACE_MODE_GLOBAL_SEQUENCE)
		number = atomic_inc_return(&global_sequence);
	else
		number = atomic_inc_return(&w->session->sequence);
	memcpy(record + sizeof(struct etl_message_header), &number,
	       sizeof(number));
}

static int fill(const struct writing *w, struct evnt_payload *p, u8 *record,
		u32 size, s64 time)
{
	const struct evnt_record_parts parts = { .data = record + w->header };
	int err;

	/* The padding, with what is written over */
	*(u64 *)(record + ALIGN(size, ETL_ALIGN) - ETL_ALIGN) = 0;
	if (w->arg->kind == EVNTPROV_TRACE_MESSAGE)
		put_message(w, record, size, time);
	else
		put_class(w, record, size, time);
	if (w->arg->kind == EVNTPROV_TRACE_INSTANCE)
		put_instance(w, record);
	err = evnt_payload_copy(p, &w->who, parts);
	if (!err)
		put_sequence(w, record);
	return err;
}

static int write_record(const struct writing *w, struct evnt_payload *p)
{
	struct evnt_buffers *b = &w->session->buffers;
	u64 size = w->header + w->who.data_len;
	u32 cpu = smp_processor_id();
	struct evnt_reservation at;
	s64 time;
	int err;

	if (size > ETL_MAX_RECORD)
		return -EOVERFLOW;
	err = evnt_reserve(b, cpu, size, &at, &time);
	if (err)
		return err;
	err = fill(w, p, evnt_record(&at), size, time);
	if (err)
		evnt_discard(b, size, &at);
	else
		evnt_commit(b, cpu, &at);
	return err;
}

/* Who has enabled it is in the view; page faults are disabled */
static int write_to(const struct evnt_enablement *e, struct writing *w,
		    struct evnt_payload *p, bool last)
{
	int err;

	w->session = e->session;
	describe(w);
	evnt_payload_init(p, w->arg->data, w->arg->data_count);
	err = evnt_payload_measure(p, &w->who);
	if (!err)
		err = write_record(w, p);
	if (evnt_is_loss(err, last))
		evnt_count_lost(&e->session->buffers, smp_processor_id(),
				evnt_loss_of(err));
	return err;
}

/* One try; preemption is disabled */
static int route(const struct evnt_registration *r, struct writing *w,
		 struct evnt_payload *p, bool last)
{
	const struct evnt_enablement *e;
	int err;

	e = evnt_view_find_any(rcu_dereference_sched(r->set), w->arg->session);
	if (!e)
		return -ESRCH;
	if (e->property & EVNT_PROPERTY_SECURE && evnt_is_denied(e, r))
		return -EACCES;
	pagefault_disable();
	err = write_to(e, w, p, last);
	pagefault_enable();
	return err;
}

static int try_write(struct evnt_prov_file *pf, struct writing *w,
		     struct evnt_payload *p, bool last)
{
	const struct evnt_registration *r;
	int err = -ENOENT;

	/* Which is preempt_disable() */
	rcu_read_lock_sched();
	r = find_classic(pf, w->arg->handle);
	if (r)
		err = route(r, w, p, last);
	rcu_read_unlock_sched();
	return err;
}

static bool is_zero(const struct evntprov_guid *id)
{
	static const struct evntprov_guid zero;

	return !memcmp(id, &zero, sizeof(zero));
}

static int check(const struct evntprov_trace *arg)
{
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
	    (arg->instance || arg->parent_instance || !is_zero(&arg->parent)))
		return -EINVAL;
	return 0;
}

/**
 * evnt_classic_write() - EVNTPROV_IOC_TRACE
 * @pf: the file
 * @arg: its argument
 *
 * Return: 0 or what the ABI says.
 */
int evnt_classic_write(struct evnt_prov_file *pf,
		       const struct evntprov_trace *arg)
{
	struct writing w = { .arg = arg };
	struct evnt_payload p __uninitialized;
	int err = check(arg);
	u32 try;

	if (err)
		return err;
	for (try = 1; try <= EVNT_MAX_TRIES; try++) {
		err = try_write(pf, &w, &p, try == EVNT_MAX_TRIES);
		if (err != -EFAULT)
			return err;
		err = evnt_payload_fault_in(&p);
		if (err)
			return err;
	}
	return -EAGAIN;
}
