// SPDX-License-Identifier: GPL-2.0
/*
 * Private loggers, and what controllers do with them.
 *
 * Whoever starts one has processes write files, with their rights: so it reaches
 * those that he might trace, and only who could start one that reaches as far may
 * change it.
 */
#include <linux/capability.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "access.h"
#include "etl.h"
#include "filter_data.h"
#include "logger.h"
#include "query.h"
#include "quota.h"

/* How long controllers wait for processes that are to report */
#define PATIENCE_MS	30000

#define MODES		(EVNTRACE_MODE_PRIVATE | EVNTRACE_MODE_SEQUENTIAL | \
			 EVNTRACE_MODE_CIRCULAR | EVNTRACE_MODE_USE_KBYTES | \
			 EVNTRACE_MODE_NO_PER_CPU |			\
			 EVNTRACE_MODE_GLOBAL_SEQUENCE |		\
			 EVNTRACE_MODE_LOCAL_SEQUENCE |			\
			 EVNTRACE_MODE_DELAY_OPEN_FILE |		\
			 EVNTRACE_MODE_ADD_HEADER |			\
			 EVNTRACE_MODE_STOP_ON_HYBRID_SHUTDOWN |	\
			 EVNTRACE_MODE_USE_PAGED_MEMORY)

/* Properties that private sessions have */
#define PROPERTIES	(EVNTRACE_PROPERTY_SID | EVNTRACE_PROPERTY_TS_ID | \
			 EVNTRACE_PROPERTY_STACK_TRACE |		\
			 EVNTRACE_PROPERTY_PSM_KEY | KEYWORD_0 |	\
			 EVNTRACE_PROPERTY_PROCESS_START_KEY |		\
			 EVNTRACE_PROPERTY_EVENT_KEY |			\
			 EVNTRACE_PROPERTY_EXCLUDE_INPRIVATE |		\
			 EVNTRACE_PROPERTY_SILOS |			\
			 EVNTRACE_PROPERTY_CONTAINER)

/* Which exclude each other */
#define KEYWORD_0	(EVNTRACE_PROPERTY_IGNORE_KEYWORD_0 |		\
			 EVNTRACE_PROPERTY_ENABLE_KEYWORD_0)

/* All but those that are stopped; evnt_lock */
static LIST_HEAD(evnt_loggers);
static u32 evnt_logger_count;
static u64 evnt_logger_generation;

/* Call @fn for each logger; under evnt_lock */
void evnt_loggers_for_each(void (*fn)(struct evnt_logger *l, void *data),
			   void *data)
{
	struct evnt_logger *l;

	lockdep_assert_held(&evnt_lock);
	list_for_each_entry(l, &evnt_loggers, node)
		fn(l, data);
}

static void free_enabled(struct evnt_logger_enabled *e)
{
	if (e)
		evnt_filters_put(e->filters);
	kfree(e);
}

static void logger_free(struct evnt_logger *l)
{
	struct evnt_logger_enabled *e, *next;

	list_for_each_entry_safe(e, next, &l->enabled, node)
		free_enabled(e);
	evnt_filters_put(l->filters);
	evnt_name_put(l->name);
	evnt_name_put(l->log_name);
	put_pid(l->owner);
	put_cred(l->cred);
	evnt_user_put(l->user);
	kfree(l);
}

void evnt_logger_put(struct evnt_logger *l)
{
	if (refcount_dec_and_test(&l->refs))
		logger_free(l);
}

/* Those that say which processes it is for; never NULL, but an error */
static struct evnt_filters *filters_create(u64 from, u32 count)
{
	struct evnt_filters *f;
	u32 i;

	if (!count)
		return ERR_PTR(-EINVAL);
	f = evnt_filters_create(from, count, EVNTPROV_CONTROL_ENABLE);
	/* A type that is unknown is as wrong as any other */
	if (IS_ERR(f))
		return PTR_ERR(f) == -EOPNOTSUPP ? ERR_PTR(-EINVAL) : f;
	for (i = 0; i < f->count; i++) {
		if (f->given[i].type == EVNTRACE_FILTER_PID ||
		    f->given[i].type == EVNTRACE_FILTER_EXECUTABLE_NAME)
			continue;
		evnt_filters_put(f);
		return ERR_PTR(-EINVAL);
	}
	return f;
}

static bool has_given(const struct evnt_filters *f, const struct evnt_given *g)
{
	u32 i;

	for (i = 0; i < f->count; i++) {
		if (f->given[i].type == g->type && f->given[i].len == g->len)
			return !memcmp(f->given[i].data, g->data, g->len);
	}
	return false;
}

/* Whether they are the very same, in any order */
static bool same_filters(const struct evnt_filters *a,
			 const struct evnt_filters *b)
{
	u32 i;

	if (a->count != b->count)
		return false;
	for (i = 0; i < a->count; i++) {
		if (!has_given(b, &a->given[i]))
			return false;
	}
	return true;
}

/* Check that the caller may start one, and so be its owner */
static int check_create(const struct evntprov_guid *guid)
{
	return evnt_access_check(guid, current_euid(),
				 EVNTRACE_RIGHT_CREATE_ONDISK);
}

static int check_start(const struct evntrace_start *arg)
{
	const u32 sequence = EVNTRACE_MODE_GLOBAL_SEQUENCE |
			     EVNTRACE_MODE_LOCAL_SEQUENCE;
	const u32 ways = EVNTRACE_MODE_SEQUENTIAL | EVNTRACE_MODE_CIRCULAR;
	const u32 mode = arg->log_file_mode;

	if (mode & ~MODES || (mode & sequence) == sequence ||
	    (mode & ways) == ways ||
	    (mode & EVNTRACE_MODE_CIRCULAR && !arg->max_file_size))
		return -EINVAL;
	if (arg->flags || arg->reserved || arg->time_zone || arg->series ||
	    arg->log_fd != -1 || !memchr_inv(&arg->guid, 0, sizeof(arg->guid)))
		return -EINVAL;
	return evnt_start_check(arg);
}

/* A name that means the same to whatever process, with room behind it */
static struct evnt_name *log_name_create(u64 text, u32 len)
{
	struct evnt_name *name;

	if (!len || len > EVNTRACE_MAX_LOGGER_NAME)
		return ERR_PTR(-EINVAL);
	name = evnt_name_from_user(text, len);
	if (IS_ERR(name) || name->text[0] == '/')
		return name;
	evnt_name_put(name);
	return ERR_PTR(-EINVAL);
}

static void fill_info(struct evnt_logger *l, const struct evntrace_start *arg)
{
	l->info = (struct evntrace_session) {
		.guid = arg->guid,
		.log_file_mode = arg->log_file_mode,
		.clock_type = arg->clock_type,
		.buffer_size = arg->buffer_size,
		.min_buffers = arg->min_buffers,
		.max_buffers = arg->max_buffers,
		.max_file_size = arg->max_file_size,
		.start_time = div_u64(ktime_get_real_ns(), 100) +
			      ETL_FILETIME_EPOCH,
		.owner_uid = from_kuid_munged(&init_user_ns, current_euid()),
	};
	l->flush_ms = arg->flush_ms;
	l->version = 1;
	l->log_version = 1;
	l->owner = get_task_pid(current, PIDTYPE_TGID);
	l->cred = evnt_current_cred();
	l->is_privileged = capable(CAP_SYS_PTRACE);
}

/* What it is made of, as far as that can fail; NULL where it has */
static int fill_names(struct evnt_logger *l, const struct evntrace_start *arg)
{
	l->filters = filters_create(arg->filters, arg->filter_count);
	if (IS_ERR(l->filters)) {
		int err = PTR_ERR(l->filters);

		l->filters = NULL;
		return err;
	}
	l->name = evnt_name_from_user(arg->name, arg->name_len);
	if (IS_ERR(l->name))
		return PTR_ERR(l->name);
	l->log_name = log_name_create(arg->log_name, arg->log_name_len);
	return PTR_ERR_OR_ZERO(l->log_name);
}

static struct evnt_logger *logger_create(const struct evntrace_start *arg)
{
	struct evnt_logger *l = kzalloc(sizeof(*l), GFP_KERNEL_ACCOUNT);
	int err;

	if (!l)
		return ERR_PTR(-ENOMEM);
	refcount_set(&l->refs, 1);
	INIT_LIST_HEAD(&l->node);
	INIT_LIST_HEAD(&l->enabled);
	INIT_LIST_HEAD(&l->members);
	fill_info(l, arg);
	l->user = evnt_user_get();
	err = l->user ? fill_names(l, arg) : -ENOMEM;
	if (!err)
		return l;
	evnt_logger_put(l);
	return ERR_PTR(err);
}

/* The name is taken, or the id is with these filters */
static bool exists(const struct evnt_logger *l)
{
	const struct evnt_logger *other;

	list_for_each_entry(other, &evnt_loggers, node) {
		if (evnt_name_is_same(other->name, l->name))
			return true;
		if (!memcmp(&other->info.guid, &l->info.guid,
			    sizeof(l->info.guid)) &&
		    same_filters(other->filters, l->filters))
			return true;
	}
	return false;
}

static void leave_table(struct evnt_logger *l)
{
	l->is_stopping = true;
	list_del_init(&l->node);
	evnt_logger_count--;
	evnt_uncharge(l->user, EVNT_SESSIONS, 1);
	evnt_logger_dismiss(l);
}

/* Into the table, which has the reference, and to those who take part at once */
static int insert_locked(struct evnt_logger *l)
{
	const bool is_exempt = evnt_is_exempt();
	int err;

	if (exists(l))
		return -EEXIST;
	if (!evnt_may_take_slot(evnt_logger_count, EVNTRACE_MAX_LOGGERS,
				is_exempt))
		return -EUSERS;
	err = evnt_charge(l->user, EVNT_SESSIONS, 1, is_exempt);
	if (err)
		return err;
	l->info.handle = EVNTRACE_LOGGER_HANDLE | ++evnt_logger_generation;
	list_add_tail(&l->node, &evnt_loggers);
	evnt_logger_count++;
	err = evnt_logger_tell_all(l);
	if (err)
		leave_table(l);
	else
		/* It outlives the file; the module must too */
		__module_get(THIS_MODULE);
	return err;
}

/**
 * evnt_logger_start() - EVNTRACE_IOC_START with EVNTRACE_MODE_PRIVATE
 * @arg: its argument
 *
 * Return: 0 or what the ABI says.
 */
int evnt_logger_start(struct evntrace_start *arg)
{
	struct evnt_logger *l;
	int err = check_start(arg);

	if (!err)
		err = check_create(&arg->guid);
	if (err)
		return err;
	l = logger_create(arg);
	if (IS_ERR(l))
		return PTR_ERR(l);
	err = mutex_lock_killable(&evnt_lock);
	if (err)
		goto put;
	err = insert_locked(l);
	/* Without the lock, somebody may have stopped it already */
	if (!err)
		arg->handle = l->info.handle;
	mutex_unlock(&evnt_lock);
put:
	if (err)
		evnt_logger_put(l);
	return err;
}

static struct evnt_logger *lookup(u64 handle)
{
	struct evnt_logger *l;

	lockdep_assert_held(&evnt_lock);
	list_for_each_entry(l, &evnt_loggers, node) {
		if (l->info.handle == handle)
			return l;
	}
	return NULL;
}

/* Check that the caller may query a logger */
int evnt_logger_check_query(const struct evnt_logger *l)
{
	return evnt_access_check(&l->info.guid, l->cred->euid,
				 EVNTRACE_RIGHT_QUERY);
}

/* Its filters, for EVNTRACE_IOC_FILTERS; under evnt_lock */
void *evnt_logger_filters(struct evntrace_filters *arg)
{
	const struct evnt_logger *l = lookup(arg->handle);
	int err;

	if (arg->flags ||
	    memchr_inv(&arg->provider, 0, sizeof(arg->provider)))
		return ERR_PTR(-EINVAL);
	if (!l)
		return ERR_PTR(-ESRCH);
	err = evnt_logger_check_query(l);
	if (err)
		return ERR_PTR(err);
	return evnt_filters_infos(l->filters, &arg->len, &arg->count);
}

/* With a reference, or NULL, also when the caller is killed */
static struct evnt_logger *logger_get(u64 handle)
{
	struct evnt_logger *l;

	if (mutex_lock_killable(&evnt_lock))
		return NULL;
	l = lookup(handle);
	if (l)
		refcount_inc(&l->refs);
	mutex_unlock(&evnt_lock);
	return l;
}

/* The table's reference, and the module's, which leave_table() has left */
static void drop(struct evnt_logger *l)
{
	evnt_logger_put(l);
	module_put(THIS_MODULE);
}

/*
 * The caller has a reference; 0, -EALREADY when somebody else is at it, or -EINTR
 * when the caller is killed.
 */
static int end(struct evnt_logger *l)
{
	bool was;

	if (mutex_lock_killable(&evnt_lock))
		return -EINTR;
	was = l->is_stopping;
	if (!was)
		leave_table(l);
	mutex_unlock(&evnt_lock);
	if (was)
		return -EALREADY;
	drop(l);
	return 0;
}

/* Nobody was told of it: it is as if it had never been */
void evnt_logger_undo_start(u64 handle)
{
	struct evnt_logger *l;

	mutex_lock(&evnt_lock);
	l = lookup(handle);
	if (l)
		leave_table(l);
	mutex_unlock(&evnt_lock);
	if (l)
		drop(l);
}

/* Whether the owner of a registration is in a logger's reach */
bool evnt_logger_reaches(const struct evnt_logger *l,
			 const struct evnt_registration *r)
{
	/* A process may have registered with other credentials than it has now */
	return l->is_privileged ||
	       (evnt_cred_covers(l->cred, r->cred) &&
		evnt_may_trace_process(l->cred, r->process));
}

/* Whether the caller may change it: what it does, he could have others do, too */
static int check_change(const struct evnt_logger *l)
{
	int err = check_create(&l->info.guid);

	if (err)
		return err;
	if (!l->is_privileged && evnt_cred_covers(current_cred(), l->cred))
		return 0;
	return capable(CAP_SYS_PTRACE) ? 0 : -EACCES;
}

/* Check that the caller may do anything with it, as evnt_session_check_any() */
static int check_any(const struct evnt_logger *l)
{
	return evnt_logger_check_query(l) ? check_change(l) : 0;
}

/* Its filters are the caller's, too, and he may query, or change it */
static int check(const struct evnt_logger *l,
		 const struct evntrace_session *arg, bool is_change)
{
	struct evnt_filters *f;
	bool same;

	if (!arg->filter_count)
		return -ESRCH;
	f = filters_create(arg->filters, arg->filter_count);
	if (IS_ERR(f))
		return PTR_ERR(f);
	same = same_filters(f, l->filters);
	evnt_filters_put(f);
	if (!same)
		return -ESRCH;
	return is_change ? check_change(l) : evnt_logger_check_query(l);
}

static struct evnt_logger *get_allowed(const struct evntrace_session *arg,
				       bool is_change)
{
	struct evnt_logger *l;
	int err;

	if (arg->flags)
		return ERR_PTR(-EINVAL);
	l = logger_get(arg->handle);
	if (!l)
		return ERR_PTR(-ESRCH);
	err = check(l, arg, is_change);
	if (!err)
		return l;
	evnt_logger_put(l);
	return ERR_PTR(err);
}

/**
 * evnt_logger_find() - EVNTRACE_IOC_FIND with filters
 * @arg: its argument
 *
 * Return: 0 or what the ABI says.
 */
int evnt_logger_find(struct evntrace_find *arg)
{
	struct evnt_filters *f;
	struct evnt_name *name;
	struct evnt_logger *l;
	int err;

	f = filters_create(arg->filters, arg->filter_count);
	if (IS_ERR(f))
		return PTR_ERR(f);
	name = evnt_name_from_user(arg->name, arg->name_len);
	if (IS_ERR(name)) {
		evnt_filters_put(f);
		return PTR_ERR(name);
	}
	err = mutex_lock_killable(&evnt_lock);
	if (err)
		goto put;
	err = -ESRCH;
	list_for_each_entry(l, &evnt_loggers, node) {
		if (!evnt_name_is_same(l->name, name) ||
		    !same_filters(l->filters, f))
			continue;
		err = check_any(l);
		if (!err)
			arg->handle = l->info.handle;
		break;
	}
	mutex_unlock(&evnt_lock);
put:
	evnt_name_put(name);
	evnt_filters_put(f);
	return err;
}

/* What changes; returns the name of its logs, to be given back, or an error */
static struct evnt_name *fill_counts(struct evnt_logger *l,
				     struct evntrace_session *arg)
{
	struct evnt_logger_counts sum;
	struct evnt_name *name;

	if (mutex_lock_killable(&evnt_lock))
		return ERR_PTR(-EINTR);
	sum = evnt_logger_sum(l, &arg->processes);
	arg->flush_ms = l->flush_ms;
	arg->log_errno = l->error;
	name = evnt_name_get(l->log_name);
	mutex_unlock(&evnt_lock);
	arg->events = sum.events;
	arg->events_lost = sum.events_lost;
	arg->buffers_written = sum.buffers_written;
	arg->buffers_lost = sum.buffers_lost;
	arg->buffers = sum.buffers;
	arg->free_buffers = sum.free_buffers;
	return name;
}

/* As evnt_session_query() */
static int tell(struct evnt_logger *l, struct evntrace_session *arg)
{
	struct evnt_name *log_name;
	int err;

	evnt_query_begin(arg, &l->info, l->owner);
	log_name = fill_counts(l, arg);
	if (IS_ERR(log_name))
		return PTR_ERR(log_name);
	err = evnt_query_names(arg, l->name, log_name);
	evnt_name_put(log_name);
	return err;
}

/**
 * evnt_logger_query() - EVNTRACE_IOC_QUERY of a logger
 * @arg: its argument
 *
 * Return: 0 or what the ABI says.
 */
int evnt_logger_query(struct evntrace_session *arg)
{
	struct evnt_logger *l = get_allowed(arg, false);
	int err;

	if (IS_ERR(l))
		return PTR_ERR(l);
	err = tell(l, arg);
	evnt_logger_put(l);
	return err;
}

/* Then say how it is; gives the reference back */
static int wait_and_tell(struct evnt_logger *l, struct evntrace_session *arg)
{
	int err = evnt_logger_wait(l, PATIENCE_MS);

	if (!err)
		err = tell(l, arg);
	evnt_logger_put(l);
	return err;
}

/**
 * evnt_logger_flush() - EVNTRACE_IOC_FLUSH of a logger
 * @arg: its argument
 *
 * Return: 0 or what the ABI says.
 */
int evnt_logger_flush(struct evntrace_session *arg)
{
	struct evnt_logger *l = get_allowed(arg, true);
	int err;

	if (IS_ERR(l))
		return PTR_ERR(l);
	err = mutex_lock_killable(&evnt_lock);
	if (err) {
		evnt_logger_put(l);
		return err;
	}
	l->flushes++;
	evnt_logger_changed(l);
	mutex_unlock(&evnt_lock);
	return wait_and_tell(l, arg);
}

/**
 * evnt_logger_stop() - EVNTRACE_IOC_STOP of a logger
 * @arg: its argument
 *
 * Its name is free when this returns, whatever it returns after that.
 *
 * Return: 0 or what the ABI says.
 */
int evnt_logger_stop(struct evntrace_session *arg)
{
	struct evnt_logger *l = get_allowed(arg, true);
	int err;

	if (IS_ERR(l))
		return PTR_ERR(l);
	err = end(l);
	if (!err)
		return wait_and_tell(l, arg);
	evnt_logger_put(l);
	return err;
}

/* @name is the logger's then, or NULL: it stays */
static void update_locked(struct evnt_logger *l, u32 flush_ms,
			  struct evnt_name *name)
{
	if (flush_ms)
		l->flush_ms = flush_ms;
	if (name) {
		evnt_name_put(l->log_name);
		l->log_name = name;
		l->log_version = l->version + 1;
	}
	evnt_logger_changed(l);
}

static int update(struct evnt_logger *l, const struct evntrace_update *arg)
{
	struct evnt_name *name = NULL;
	int err = check_change(l);

	if (err)
		return err;
	if (arg->flags & EVNTRACE_UPDATE_LOG)
		name = log_name_create(arg->log_name, arg->log_name_len);
	if (IS_ERR(name))
		return PTR_ERR(name);
	err = mutex_lock_killable(&evnt_lock);
	if (err) {
		evnt_name_put(name);
		return err;
	}
	update_locked(l, arg->flush_ms, name);
	mutex_unlock(&evnt_lock);
	return evnt_logger_wait(l, PATIENCE_MS);
}

/**
 * evnt_logger_update() - EVNTRACE_IOC_UPDATE of a logger
 * @arg: its argument
 *
 * Return: 0 or what the ABI says.
 */
int evnt_logger_update(const struct evntrace_update *arg)
{
	struct evnt_logger *l;
	int err;

	if (arg->flags & ~EVNTRACE_UPDATE_LOG || arg->reserved ||
	    arg->series || arg->log_fd != -1)
		return -EINVAL;
	l = logger_get(arg->handle);
	if (!l)
		return -ESRCH;
	err = update(l, arg);
	evnt_logger_put(l);
	return err;
}

static struct evnt_logger_enabled *
find_enabled(struct evnt_logger *l, const struct evntprov_guid *provider)
{
	struct evnt_logger_enabled *e;

	list_for_each_entry(e, &l->enabled, node) {
		if (!memcmp(&e->arg.provider, provider, sizeof(*provider)))
			return e;
	}
	return NULL;
}

/* @fresh is the logger's on success */
static int enable_locked(struct evnt_logger *l,
			 struct evnt_logger_enabled *fresh)
{
	struct evnt_logger_enabled *old;

	old = find_enabled(l, &fresh->arg.provider);
	if (!old && l->enabled_count >= EVNTRACE_MAX_LOGGER_PROVIDERS)
		return -EUSERS;
	fresh->version = l->version + 1;
	if (old) {
		fresh->captures = old->captures;
		list_replace(&old->node, &fresh->node);
		free_enabled(old);
	} else {
		list_add_tail(&fresh->node, &l->enabled);
		l->enabled_count++;
	}
	evnt_logger_changed(l);
	return 0;
}

/* Disable, or ask for its state; what is not enabled is nobody's */
static void change_enabled(struct evnt_logger *l,
			   const struct evntrace_enable *arg)
{
	struct evnt_logger_enabled *e = find_enabled(l, &arg->provider);

	if (!e)
		return;
	if (arg->control == EVNTPROV_CONTROL_DISABLE) {
		list_del(&e->node);
		l->enabled_count--;
		free_enabled(e);
	} else {
		e->captures++;
		e->arg.source = arg->source;
	}
	evnt_logger_changed(l);
}

static struct evnt_logger_enabled *
enabled_create(const struct evntrace_enable *arg)
{
	struct evnt_logger_enabled *e = kzalloc(sizeof(*e), GFP_KERNEL_ACCOUNT);
	struct evnt_filters *f;

	if (!e)
		return ERR_PTR(-ENOMEM);
	f = evnt_filters_create(arg->filters, arg->filter_count, arg->control);
	if (IS_ERR(f)) {
		kfree(e);
		return ERR_CAST(f);
	}
	e->arg = *arg;
	e->filters = f;
	return e;
}

static int check_enable(const struct evntrace_enable *arg)
{
	if (arg->control > EVNTPROV_CONTROL_CAPTURE_STATE ||
	    (arg->property & KEYWORD_0) == KEYWORD_0)
		return -EINVAL;
	if (arg->property & ~PROPERTIES ||
	    (arg->control == EVNTPROV_CONTROL_CAPTURE_STATE &&
	     arg->filter_count))
		return -EOPNOTSUPP;
	return evnt_access_check(&arg->provider, INVALID_UID,
				 EVNTRACE_RIGHT_GUID_ENABLE);
}

/* What private sessions look at themselves */
static bool are_known(const struct evnt_filters *f)
{
	return !f || (!f->scope && !f->own);
}

static int enable(struct evnt_logger *l, const struct evntrace_enable *arg)
{
	struct evnt_logger_enabled *e = NULL;
	int err = check_change(l);

	if (err)
		return err;
	if (arg->control == EVNTPROV_CONTROL_ENABLE) {
		e = enabled_create(arg);
		if (IS_ERR(e))
			return PTR_ERR(e);
		if (!are_known(e->filters)) {
			free_enabled(e);
			return -EOPNOTSUPP;
		}
	}
	err = mutex_lock_killable(&evnt_lock);
	if (err)
		goto free;
	if (l->is_stopping)
		err = -ESRCH;
	else if (e)
		err = enable_locked(l, e);
	else
		change_enabled(l, arg);
	mutex_unlock(&evnt_lock);
free:
	if (err)
		free_enabled(e);
	return err;
}

/**
 * evnt_logger_enable_wait() - EVNTRACE_IOC_ENABLE with EVNTRACE_ENABLE_WAIT
 * @arg: its argument
 *
 * Return: 0 or what the ABI says.
 */
int evnt_logger_enable_wait(const struct evntrace_enable *arg)
{
	struct evnt_logger *l = logger_get(arg->handle);
	int err;

	if (!l)
		return 0;
	err = arg->timeout_ms ? evnt_logger_wait(l, arg->timeout_ms) : 0;
	evnt_logger_put(l);
	return err;
}

/**
 * evnt_logger_enable() - EVNTRACE_IOC_ENABLE of a logger
 * @arg: its argument
 *
 * Return: 0 or what the ABI says.
 */
int evnt_logger_enable(const struct evntrace_enable *arg)
{
	struct evnt_logger *l;
	int err = check_enable(arg);

	if (err)
		return err;
	l = logger_get(arg->handle);
	if (!l)
		return -ESRCH;
	err = enable(l, arg);
	if (!err && arg->timeout_ms)
		err = evnt_logger_wait(l, arg->timeout_ms);
	evnt_logger_put(l);
	return err;
}
