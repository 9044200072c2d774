// SPDX-License-Identifier: GPL-2.0
/*
 * Who takes part in private loggers: files of /dev/evntprov whose owners have said
 * so, that have registered a logger's provider, and are in its reach.
 */
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "filter_data.h"
#include "logger.h"
#include "scope.h"

/* The highest errno that there may be */
#define MAX_ERROR	4095u

/* Controllers that wait for members to report */
static DECLARE_WAIT_QUEUE_HEAD(evnt_loggers_settled);

/* Whether the owner gets to know of changes: a thread of it is told, or was there */
static bool is_awaited(const struct evnt_logger_member *m)
{
	const struct evnt_prov_file *pf = m->file;

	return m->version != m->logger->version &&
	       (m->has_asked || (pf->is_notified && !pf->is_late));
}

/* Something has changed: are all settled?  Under evnt_lock. */
static void settle(struct evnt_logger *l)
{
	const struct evnt_logger_member *m;
	u32 count = 0;

	lockdep_assert_held(&evnt_lock);
	list_for_each_entry(m, &l->members, in_logger)
		count += is_awaited(m);
	WRITE_ONCE(l->unsettled, count);
	if (!count)
		wake_up_all(&evnt_loggers_settled);
}

/**
 * evnt_logger_wait() - wait until all who take part have reported
 * @l: the logger
 * @timeout_ms: how long, or EVNTRACE_TIMEOUT_INFINITE
 *
 * Return: 0, -ETIMEDOUT, or -EINTR on a signal.
 */
int evnt_logger_wait(struct evnt_logger *l, u32 timeout_ms)
{
	long timeout = MAX_SCHEDULE_TIMEOUT;
	long left;

	if (timeout_ms != EVNTRACE_TIMEOUT_INFINITE)
		timeout = msecs_to_jiffies(timeout_ms);
	left = wait_event_interruptible_timeout(evnt_loggers_settled,
						!READ_ONCE(l->unsettled),
						timeout);
	if (left < 0)
		return -EINTR;
	return left ? 0 : -ETIMEDOUT;
}

static bool has_enabled(const struct evnt_logger *l,
			const struct evntprov_guid *provider)
{
	const struct evnt_logger_enabled *e;

	list_for_each_entry(e, &l->enabled, node) {
		if (!memcmp(&e->arg.provider, provider, sizeof(*provider)))
			return true;
	}
	return false;
}

/* Whether a writer of events should ask what is new */
static bool is_news_for(const struct evnt_registration *r)
{
	const struct evnt_logger_member *m;

	if (!r->file->has_news)
		return false;
	list_for_each_entry(m, &r->file->loggers, in_file) {
		if (has_enabled(m->logger, &r->provider->id))
			return true;
	}
	return false;
}

static void show_news_in(struct evnt_chunk *chunk)
{
	struct evnt_registration *r;
	size_t i;

	for (i = 0; i < EVNT_SLOTS_PER_CHUNK; i++) {
		r = rcu_dereference_protected(chunk->registrations[i],
					      lockdep_is_held(&evnt_lock));
		if (r)
			evnt_registration_news(r, is_news_for(r));
	}
}

/* In all slots of a file; a page fault may make another chunk meanwhile */
static void show_news(struct evnt_prov_file *pf)
{
	struct evnt_chunk *chunk;
	size_t i;

	for (i = 0; i < EVNT_CHUNKS; i++) {
		chunk = smp_load_acquire(&pf->chunks[i]);	/* (G) */
		if (chunk != &evnt_no_chunk)
			show_news_in(chunk);
	}
}

static void tell_file(struct evnt_prov_file *pf)
{
	pf->has_news = true;
	show_news(pf);
	if (pf->is_late)
		return;
	WRITE_ONCE(pf->is_news_due, true);
	wake_up_interruptible(&pf->wait);
}

/* A logger is not as it was: tell all who take part.  Under evnt_lock. */
void evnt_logger_changed(struct evnt_logger *l)
{
	struct evnt_logger_member *m;

	lockdep_assert_held(&evnt_lock);
	l->version++;
	list_for_each_entry(m, &l->members, in_logger)
		tell_file(m->file);
	settle(l);
}

static void add_counts(struct evnt_logger_counts *sum,
		       const struct evnt_logger_counts *c)
{
	sum->events += c->events;
	sum->events_lost += c->events_lost;
	sum->buffers_written += c->buffers_written;
	sum->buffers_lost += c->buffers_lost;
}

/* What it reported last stays; its buffers do not */
static void member_remove(struct evnt_logger_member *m)
{
	struct evnt_logger *l = m->logger;

	add_counts(&l->past, &m->counts);
	list_del(&m->in_logger);
	list_del(&m->in_file);
	m->file->logger_count--;
	kfree(m);
	settle(l);
	evnt_logger_put(l);
}

/**
 * evnt_logger_dismiss() - a logger has left the table
 * @l: the logger; the caller has a reference
 *
 * Who knows it has yet to stop; others never will.  Under evnt_lock.
 */
void evnt_logger_dismiss(struct evnt_logger *l)
{
	struct evnt_logger_member *m, *next;

	list_for_each_entry_safe(m, next, &l->members, in_logger) {
		if (!m->has_asked)
			member_remove(m);
	}
	evnt_logger_changed(l);
}

static struct evnt_logger_member *find_member(const struct evnt_prov_file *pf,
					      u64 handle)
{
	struct evnt_logger_member *m;

	lockdep_assert_held(&evnt_lock);
	list_for_each_entry(m, &pf->loggers, in_file) {
		if (m->logger->info.handle == handle)
			return m;
	}
	return NULL;
}

static bool is_for(const struct evnt_logger *l,
		   const struct evnt_registration *r,
		   struct evnt_scope_answer *last)
{
	const struct evnt_prov_file *pf = r->file;

	return pf->takes_loggers && r->process &&
	       pf->logger_count < EVNTRACE_MAX_LOGGERS &&
	       !find_member(pf, l->info.handle) && evnt_logger_reaches(l, r) &&
	       evnt_scope_has(l->filters->scope, r, last);
}

/* Have a registration's owner take part, if it is to; 0 or -ENOMEM */
static int member_add(struct evnt_logger *l, struct evnt_registration *r,
		      struct evnt_scope_answer *last)
{
	struct evnt_logger_member *m;

	if (!is_for(l, r, last))
		return 0;
	m = kzalloc(sizeof(*m), GFP_KERNEL);
	if (!m)
		return -ENOMEM;
	m->logger = l;
	refcount_inc(&l->refs);
	m->file = r->file;
	r->file->logger_count++;
	list_add_tail(&m->in_logger, &l->members);
	list_add_tail(&m->in_file, &r->file->loggers);
	tell_file(r->file);
	settle(l);
	return 0;
}

/* A logger was started: who takes part?  Under evnt_lock.  0 or -ENOMEM. */
int evnt_logger_tell_all(struct evnt_logger *l)
{
	struct evnt_provider *p = evnt_provider_find(&l->info.guid, false);
	struct evnt_scope_answer last = {};
	struct list_head *node;
	int err = 0;

	if (!p)
		return 0;
	list_for_each(node, &p->registrations) {
		err = member_add(l, evnt_registration_at(p, node), &last);
		if (err)
			break;
		cond_resched();
	}
	return err;
}

static void join(struct evnt_logger *l, void *data)
{
	struct evnt_registration *r = data;

	if (memcmp(&l->info.guid, &r->provider->id, sizeof(l->info.guid)))
		return;
	/* The provider is none the worse: it is the logger's loss */
	if (member_add(l, r, NULL))
		l->error = ENOMEM;
}

/* A provider is registered: what does it take part in?  Under evnt_lock. */
void evnt_loggers_registered(struct evnt_registration *r)
{
	struct evnt_prov_file *pf = r->file;

	if (!pf->takes_loggers)
		return;
	if (r->flags & EVNTPROV_REGISTER_NOTIFY)
		pf->is_notified = true;
	evnt_loggers_for_each(join, r);
	evnt_registration_news(r, is_news_for(r));
}

/* A file's owner is not there any more.  Under evnt_lock. */
void evnt_loggers_leave(struct evnt_prov_file *pf)
{
	struct evnt_logger_member *m, *next;

	lockdep_assert_held(&evnt_lock);
	pf->takes_loggers = false;
	list_for_each_entry_safe(m, next, &pf->loggers, in_file)
		member_remove(m);
}

/* Sums, and how many there are.  Under evnt_lock. */
struct evnt_logger_counts evnt_logger_sum(const struct evnt_logger *l,
					  u32 *processes)
{
	struct evnt_logger_counts sum = l->past;
	const struct evnt_logger_member *m;

	lockdep_assert_held(&evnt_lock);
	*processes = 0;
	list_for_each_entry(m, &l->members, in_logger) {
		add_counts(&sum, &m->counts);
		sum.buffers += m->counts.buffers;
		sum.free_buffers += m->counts.free_buffers;
		*processes += m->has_asked;
	}
	return sum;
}

/**
 * evnt_loggers_take_part() - EVNTPROV_IOC_LOGGERS
 * @pf: the file
 * @arg: its argument
 *
 * Return: 0 or what the ABI says.
 */
int evnt_loggers_take_part(struct evnt_prov_file *pf,
			   const struct evntprov_loggers *arg)
{
	if (arg->flags & ~EVNTPROV_LOGGERS_LATER)
		return -EINVAL;
	if (mutex_lock_killable(&evnt_lock))
		return -EINTR;
	/* Also of who may not register, and waits in read() all the same */
	evnt_prov_file_own(pf);
	pf->takes_loggers = !evnt_hung_up(pf);
	pf->is_late = arg->flags & EVNTPROV_LOGGERS_LATER;
	if (pf->has_news)
		tell_file(pf);
	mutex_unlock(&evnt_lock);
	return 0;
}

/* All that there is, is being told */
static void news_asked(struct evnt_prov_file *pf)
{
	pf->is_late = false;
	WRITE_ONCE(pf->is_news_due, false);
	if (!pf->has_news)
		return;
	pf->has_news = false;
	show_news(pf);
}

static struct evnt_logger_member *next_member(const struct evnt_prov_file *pf,
					      u64 handle)
{
	struct evnt_logger_member *m, *next = NULL;

	list_for_each_entry(m, &pf->loggers, in_file) {
		if (m->logger->info.handle > handle &&
		    (!next || m->logger->info.handle <
			      next->logger->info.handle))
			next = m;
	}
	return next;
}

static void fill_logger(struct evntprov_logger *arg,
			const struct evnt_logger *l)
{
	arg->flags = l->is_stopping ? EVNTPROV_LOGGER_STOP : 0;
	arg->handle = l->info.handle;
	arg->guid = l->info.guid;
	arg->log_file_mode = l->info.log_file_mode;
	arg->clock_type = l->info.clock_type;
	arg->buffer_size = l->info.buffer_size;
	arg->min_buffers = l->info.min_buffers;
	arg->max_buffers = l->info.max_buffers;
	arg->flush_ms = l->flush_ms;
	arg->max_file_size = l->info.max_file_size;
	arg->version = l->version;
	arg->log_version = l->log_version;
	arg->flushes = l->flushes;
	arg->enabled = l->enabled_count;
}

/* Out with the names; gives them back */
static int tell_names(struct evntprov_logger *arg, struct evnt_name *name,
		      struct evnt_name *log_name)
{
	int err;

	err = evnt_name_to_user(name, arg->name, &arg->name_len);
	if (!err)
		err = evnt_name_to_user(log_name, arg->log_name,
					&arg->log_name_len);
	evnt_name_put(name);
	evnt_name_put(log_name);
	return err;
}

/**
 * evnt_loggers_next() - EVNTPROV_IOC_LOGGER
 * @pf: the file
 * @arg: its argument
 *
 * Return: 0 or what the ABI says.
 */
int evnt_loggers_next(struct evnt_prov_file *pf, struct evntprov_logger *arg)
{
	struct evnt_name *name = NULL, *log_name = NULL;
	struct evnt_logger_member *m;

	if (arg->flags || arg->reserved)
		return -EINVAL;
	if (mutex_lock_killable(&evnt_lock))
		return -EINTR;
	if (!arg->handle)
		news_asked(pf);
	m = next_member(pf, arg->handle);
	if (m) {
		m->has_asked = true;
		fill_logger(arg, m->logger);
		name = evnt_name_get(m->logger->name);
		log_name = evnt_name_get(m->logger->log_name);
		settle(m->logger);
	}
	mutex_unlock(&evnt_lock);
	return m ? tell_names(arg, name, log_name) : -ENOENT;
}

static void fill_enabled(struct evntprov_logger_enabled *arg,
			 const struct evnt_logger_enabled *e)
{
	arg->version = e->version;
	arg->provider = e->arg.provider;
	arg->source = e->arg.source;
	arg->match_any = e->arg.match_any;
	arg->match_all = e->arg.match_all;
	arg->property = e->arg.property;
	arg->level = e->arg.level;
	arg->captures = e->captures;
}

static const struct evnt_logger_enabled *
enabled_at(const struct evnt_logger_member *m, u32 index)
{
	const struct evnt_logger_enabled *e;

	if (!m)
		return NULL;
	list_for_each_entry(e, &m->logger->enabled, node) {
		if (!index--)
			return e;
	}
	return NULL;
}

/* Put together what is told of filters; it, NULL or an error pointer */
static void *tell_enabled(struct evnt_prov_file *pf,
			  struct evntprov_logger_enabled *arg)
{
	const struct evnt_logger_enabled *e;

	e = enabled_at(find_member(pf, arg->handle), arg->index);
	if (!e)
		return ERR_PTR(-ENOENT);
	fill_enabled(arg, e);
	return evnt_filters_infos(e->filters, &arg->len, &arg->filter_count);
}

/**
 * evnt_loggers_enabled() - EVNTPROV_IOC_LOGGER_ENABLED
 * @pf: the file
 * @arg: its argument
 *
 * Return: 0 or what the ABI says.
 */
int evnt_loggers_enabled(struct evnt_prov_file *pf,
			 struct evntprov_logger_enabled *arg)
{
	u32 room = arg->len;
	void *infos;

	if (arg->flags || arg->reserved2 ||
	    memchr_inv(arg->reserved, 0, sizeof(arg->reserved)))
		return -EINVAL;
	if (mutex_lock_killable(&evnt_lock))
		return -EINTR;
	infos = tell_enabled(pf, arg);
	mutex_unlock(&evnt_lock);
	if (IS_ERR(infos))
		return PTR_ERR(infos);
	return evnt_filters_hand_over(infos, arg->len, arg->buffer, room);
}

static void take_report(struct evnt_logger_member *m,
			const struct evntprov_logger_report *arg)
{
	m->version = arg->version;
	m->counts = (struct evnt_logger_counts) {
		.events = arg->events,
		.events_lost = arg->events_lost,
		.buffers_written = arg->buffers_written,
		.buffers_lost = arg->buffers_lost,
		.buffers = arg->buffers,
		.free_buffers = arg->free_buffers,
	};
	if (arg->error)
		m->logger->error = arg->error;
	if (arg->flags & EVNTPROV_LOGGER_DONE)
		member_remove(m);
	else
		settle(m->logger);
}

/**
 * evnt_loggers_report() - EVNTPROV_IOC_LOGGER_REPORT
 * @pf: the file
 * @arg: its argument
 *
 * Return: 0 or what the ABI says.
 */
int evnt_loggers_report(struct evnt_prov_file *pf,
			const struct evntprov_logger_report *arg)
{
	struct evnt_logger_member *m;

	if (arg->flags & ~EVNTPROV_LOGGER_DONE || arg->error > MAX_ERROR)
		return -EINVAL;
	if (mutex_lock_killable(&evnt_lock))
		return -EINTR;
	m = find_member(pf, arg->handle);
	if (m)
		take_report(m, arg);
	mutex_unlock(&evnt_lock);
	return m ? 0 : -ENOENT;
}
