// SPDX-License-Identifier: GPL-2.0
/*
 * Private sessions: requests of controllers.
 *
 * A private session makes other processes write files with their own
 * credentials.  It therefore covers only processes that its creator may ptrace,
 * and only a caller with the same reach may change it.
 */
#include <linux/capability.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "module/common/acl.h"
#include "core/etl.h"
#include "module/provider/filter_set.h"
#include "module/private/private_broker.h"
#include "module/common/session_info.h"
#include "module/common/quota.h"

/* Time that controllers wait for processes to report, in milliseconds */
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

/* Properties supported by private sessions */
#define PROPERTIES	(EVNTRACE_PROPERTY_SID | EVNTRACE_PROPERTY_TS_ID | \
			 EVNTRACE_PROPERTY_STACK_TRACE |		\
			 EVNTRACE_PROPERTY_PSM_KEY | KEYWORD_0 |	\
			 EVNTRACE_PROPERTY_PROCESS_START_KEY |		\
			 EVNTRACE_PROPERTY_EVENT_KEY |			\
			 EVNTRACE_PROPERTY_EXCLUDE_INPRIVATE |		\
			 EVNTRACE_PROPERTY_SILOS |			\
			 EVNTRACE_PROPERTY_CONTAINER |			\
			 EVNTRACE_PROPERTY_PROCESS_NAME)

/* Mutually exclusive properties */
#define KEYWORD_0	(EVNTRACE_PROPERTY_IGNORE_KEYWORD_0 |		\
			 EVNTRACE_PROPERTY_ENABLE_KEYWORD_0)

/*
 * Private sessions that are not stopped; protected by evnt_lock, as is the rest
 */
static LIST_HEAD(evnt_private_requests);
static u32 evnt_private_request_count;
static u64 evnt_private_request_generation;

/* Call @fn for each private session, under evnt_lock */
void evnt_private_requests_for_each(void (*fn)(struct evnt_private_request *req,
					       void *data),
				    void *data)
{
	struct evnt_private_request *req;

	lockdep_assert_held(&evnt_lock);
	list_for_each_entry(req, &evnt_private_requests, node)
		fn(req, data);
}

void evnt_private_request_put(struct evnt_private_request *req)
{
	struct evnt_private_request_enabled *e, *next;

	if (!refcount_dec_and_test(&req->refs))
		return;
	list_for_each_entry_safe(e, next, &req->enabled, node)
		kvfree(e);
	evnt_filters_put(req->filters);
	evnt_name_put(req->name);
	evnt_name_put(req->log_name);
	put_pid(req->owner);
	put_cred(req->cred);
	evnt_user_put(req->user);
	kfree(req);
}

/* Create the filters that select processes; never returns NULL */
static struct evnt_filters *filters_create(u64 from, u32 count)
{
	struct evnt_filters *f;
	u32 i;

	if (!count)
		return ERR_PTR(-EINVAL);
	f = evnt_filters_create(from, count, EVNTPROV_CONTROL_ENABLE);
	/* The ABI has no separate error for unknown filter types here */
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

/* Check whether the filters are identical, in any order */
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

/* Check that the caller may start a private session and own it */
static int check_create(const struct evntprov_guid *guid)
{
	return evnt_access_check(guid, current_euid(),
				 EVNTRACE_RIGHT_CREATE_ONDISK);
}

static int check_start(const struct evntrace_start *arg)
{
	if (arg->log_file_mode & ~MODES || arg->flags || arg->time_zone ||
	    arg->series || arg->log_fd != -1 ||
	    !memchr_inv(&arg->guid, 0, sizeof(arg->guid)))
		return -EINVAL;
	return evnt_start_check(arg);
}

/*
 * Create the name of the log file.  The path must be absolute, as it is
 * resolved by other processes, and leave room for the process id that is
 * appended.
 */
static struct evnt_name *log_name_create(u64 text, u32 len)
{
	struct evnt_name *name;

	if (!len || len > EVNTRACE_MAX_PRIVATE_NAME)
		return ERR_PTR(-EINVAL);
	name = evnt_name_from_user(text, len);
	if (IS_ERR(name) || name->text[0] == '/')
		return name;
	evnt_name_put(name);
	return ERR_PTR(-EINVAL);
}

static void fill_info(struct evnt_private_request *req,
		      const struct evntrace_start *arg)
{
	req->info = (struct evntrace_session) {
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
	req->flush_ms = arg->flush_ms;
	req->version = 1;
	req->log_version = 1;
	req->owner = get_task_pid(current, PIDTYPE_TGID);
	req->cred = evnt_current_cred();
	req->is_privileged = capable(CAP_SYS_PTRACE);
}

/* Set filters and names.  On failure, evnt_private_request_put() cleans up. */
static int fill_names(struct evnt_private_request *req,
		      const struct evntrace_start *arg)
{
	req->filters = filters_create(arg->filters, arg->filter_count);
	if (IS_ERR(req->filters)) {
		int err = PTR_ERR(req->filters);

		req->filters = NULL;
		return err;
	}
	req->name = evnt_name_from_user(arg->name, arg->name_len);
	if (IS_ERR(req->name))
		return PTR_ERR(req->name);
	req->log_name = log_name_create(arg->log_name, arg->log_name_len);
	return PTR_ERR_OR_ZERO(req->log_name);
}

static struct evnt_private_request *
request_create(const struct evntrace_start *arg)
{
	struct evnt_private_request *req =
		kzalloc(sizeof(*req), GFP_KERNEL_ACCOUNT);
	int err;

	if (!req)
		return ERR_PTR(-ENOMEM);
	refcount_set(&req->refs, 1);
	INIT_LIST_HEAD(&req->node);
	INIT_LIST_HEAD(&req->enabled);
	INIT_LIST_HEAD(&req->participants);
	fill_info(req, arg);
	req->user = evnt_user_get();
	err = req->user ? fill_names(req, arg) : -ENOMEM;
	if (!err)
		return req;
	evnt_private_request_put(req);
	return ERR_PTR(err);
}

/* Check whether the name, or the id with the same filters, is in use */
static bool exists(const struct evnt_private_request *req)
{
	const struct evnt_private_request *other;

	list_for_each_entry(other, &evnt_private_requests, node) {
		if (evnt_name_is_same(other->name, req->name))
			return true;
		if (!memcmp(&other->info.guid, &req->info.guid,
			    sizeof(req->info.guid)) &&
		    same_filters(other->filters, req->filters))
			return true;
	}
	return false;
}

static void leave_table(struct evnt_private_request *req)
{
	req->is_stopping = true;
	list_del_init(&req->node);
	evnt_private_request_count--;
	evnt_uncharge(req->user, EVNT_SESSIONS, 1);
	evnt_private_request_dismiss(req);
}

/* Add to the list, which takes over the reference, and notify participants */
static int insert_locked(struct evnt_private_request *req)
{
	const bool is_exempt = evnt_is_exempt();
	int err;

	if (exists(req))
		return -EEXIST;
	if (!evnt_may_take_slot(evnt_private_request_count,
				EVNTRACE_MAX_PRIVATE, is_exempt))
		return -EUSERS;
	err = evnt_charge(req->user, EVNT_SESSIONS, 1, is_exempt);
	if (err)
		return err;
	req->info.handle = EVNTRACE_PRIVATE_HANDLE |
			   ++evnt_private_request_generation;
	list_add_tail(&req->node, &evnt_private_requests);
	evnt_private_request_count++;
	err = evnt_private_request_report_all(req);
	if (err)
		leave_table(req);
	else
		/*
		 * It outlives the controller's file, so it must pin the module
		 */
		__module_get(THIS_MODULE);
	return err;
}

/* Check that the caller may query a private session */
int evnt_private_request_check_query(const struct evnt_private_request *req)
{
	return evnt_access_check(&req->info.guid, req->cred->euid,
				 EVNTRACE_RIGHT_QUERY);
}

/*
 * Check that the caller may change the private session.  As participants apply
 * changes with their own credentials, the caller needs the reach of the
 * creator.
 */
static int check_change(const struct evnt_private_request *req)
{
	int err = check_create(&req->info.guid);

	if (err)
		return err;
	if (!req->is_privileged && evnt_cred_covers(current_cred(), req->cred))
		return 0;
	return capable(CAP_SYS_PTRACE) ? 0 : -EACCES;
}

/* Return the rights to @req, of those that descriptors have, of the caller */
static u32 rights_to(const struct evnt_private_request *req)
{
	return (evnt_private_request_check_query(req) ? 0 :
						EVNTRACE_RIGHT_QUERY) |
	       (check_change(req) ? 0 : EVNT_PRIVATE_CHANGE);
}

/**
 * evnt_private_request_start() - EVNTRACE_IOC_START with EVNTRACE_MODE_PRIVATE
 * @arg: argument of the ioctl
 *
 * Return: 0 or a negative errno, as documented for EVNTRACE_IOC_START.
 */
int evnt_private_request_start(struct evntrace_start *arg)
{
	struct evnt_private_request *req;
	int err = check_start(arg);

	if (!err)
		err = check_create(&arg->guid);
	if (err)
		return err;
	req = request_create(arg);
	if (IS_ERR(req))
		return PTR_ERR(req);
	err = mutex_lock_killable(&evnt_lock);
	if (err)
		goto put;
	err = insert_locked(req);
	/* Still under the lock, as the private session may be freed after it */
	if (!err) {
		arg->handle = req->info.handle;
		arg->granted = rights_to(req);
	}
	mutex_unlock(&evnt_lock);
put:
	if (err)
		evnt_private_request_put(req);
	return err;
}

static struct evnt_private_request *lookup(u64 handle)
{
	struct evnt_private_request *req;

	lockdep_assert_held(&evnt_lock);
	list_for_each_entry(req, &evnt_private_requests, node) {
		if (req->info.handle == handle)
			return req;
	}
	return NULL;
}

/**
 * evnt_private_request_filters() - describe the filters of a private session
 * @handle: handle of the private session
 * @arg: argument of EVNTRACE_IOC_LIST
 * @len: set to the length in bytes
 *
 * The caller must hold evnt_lock.
 *
 * Return: a buffer to be freed by kvfree(), or an ERR_PTR().
 */
void *evnt_private_request_filters(u64 handle, const struct evntrace_list *arg,
				   u32 *len)
{
	const struct evnt_private_request *req = lookup(handle);

	if (arg->flags ||
	    memchr_inv(&arg->provider, 0, sizeof(arg->provider)))
		return ERR_PTR(-EINVAL);
	if (!req)
		return ERR_PTR(-ESRCH);
	return evnt_filters_infos(req->filters, len);
}

/*
 * Look up and take a reference; returns NULL also if the caller is being killed
 */
struct evnt_private_request *evnt_private_request_get(u64 handle)
{
	struct evnt_private_request *req;

	if (mutex_lock_killable(&evnt_lock))
		return NULL;
	req = lookup(handle);
	if (req)
		refcount_inc(&req->refs);
	mutex_unlock(&evnt_lock);
	return req;
}

/* Drop the references of the list and on the module, after leave_table() */
static void drop(struct evnt_private_request *req)
{
	evnt_private_request_put(req);
	module_put(THIS_MODULE);
}

/* Undo a start whose result could not be returned to the caller */
void evnt_private_request_undo_start(u64 handle)
{
	struct evnt_private_request *req;

	mutex_lock(&evnt_lock);
	req = lookup(handle);
	if (req)
		leave_table(req);
	mutex_unlock(&evnt_lock);
	if (req)
		drop(req);
}

/* Check that the creator of @req may trace the owner of a registration */
bool evnt_private_request_reaches(const struct evnt_private_request *req,
				  const struct evnt_registration *r)
{
	/* Its credentials may have changed since it registered */
	return req->is_privileged ||
	       (evnt_cred_covers(req->cred, r->cred) &&
		evnt_may_trace_process(req->cred, r->process));
}

/* Find the private session that the caller names, and check the wanted rights */
static int open_locked(struct evntrace_open *arg, const struct evnt_name *name,
		       const struct evnt_filters *f)
{
	struct evnt_private_request *req;

	list_for_each_entry(req, &evnt_private_requests, node) {
		if (name ? !evnt_name_is_same(req->name, name) :
			   req->info.handle != arg->handle)
			continue;
		if (f && !same_filters(req->filters, f))
			continue;
		return evnt_access_grant(arg, req->info.handle, rights_to(req));
	}
	return -ESRCH;
}

/**
 * evnt_private_request_open() - find a private session for EVNTRACE_IOC_OPEN
 * @arg: argument of the ioctl
 *
 * Return: 0 or a negative errno, as documented for EVNTRACE_IOC_OPEN.
 */
int evnt_private_request_open(struct evntrace_open *arg)
{
	struct evnt_filters *f = NULL;
	struct evnt_name *name = NULL;
	int err;

	if (arg->filter_count) {
		f = filters_create(arg->filters, arg->filter_count);
		if (IS_ERR(f))
			return PTR_ERR(f);
	} else if (arg->filters) {
		return -EINVAL;
	}
	if (arg->name_len)
		name = evnt_name_from_user(arg->name, arg->name_len);
	err = PTR_ERR_OR_ZERO(name);
	if (err)
		goto put_filters;
	err = mutex_lock_killable(&evnt_lock);
	if (err)
		goto put_name;
	err = open_locked(arg, name, f);
	mutex_unlock(&evnt_lock);
put_name:
	evnt_name_put(name);
put_filters:
	evnt_filters_put(f);
	return err;
}

/* Answer EVNTRACE_IOC_QUERY, as evnt_session_query() does */
int evnt_private_request_query(struct evnt_private_request *req, void *data)
{
	struct evntrace_session *arg = data;
	struct evnt_name *log_name;
	int err;

	evnt_query_begin(arg, &req->info, req->owner);
	if (mutex_lock_killable(&evnt_lock))
		return -EINTR;
	evnt_private_request_sum(req, arg);
	arg->flush_ms = req->flush_ms;
	arg->log_errno = req->error;
	log_name = evnt_name_get(req->log_name);
	mutex_unlock(&evnt_lock);
	err = evnt_query_names(arg, req->name, log_name);
	evnt_name_put(log_name);
	return err;
}

/*
 * Answer EVNTRACE_IOC_CONTROL.  Once the session is stopped, its name is free,
 * even if waiting for the participants then fails.
 */
int evnt_private_request_control(struct evnt_private_request *req, void *data)
{
	const struct evntrace_session *arg = data;
	const bool is_stop = arg->control == EVNTRACE_CONTROL_STOP;
	int err;

	/* A private session has no series of files */
	if (arg->control == EVNTRACE_CONTROL_INCREMENT)
		return -ESRCH;
	err = mutex_lock_killable(&evnt_lock);
	if (err)
		return err;
	if (!is_stop) {
		req->flushes++;
		evnt_private_request_changed(req);
	} else if (req->is_stopping) {
		err = -EALREADY;
	} else {
		leave_table(req);
	}
	mutex_unlock(&evnt_lock);
	if (err)
		return err;
	if (is_stop)
		drop(req);
	err = evnt_wait_settled(&req->unsettled, PATIENCE_MS);
	return err ? err : evnt_private_request_query(req, data);
}

/* Answer EVNTRACE_IOC_UPDATE */
int evnt_private_request_update(struct evnt_private_request *req, void *data)
{
	const struct evntrace_update *arg = data;
	struct evnt_name *name = NULL;
	int err;

	if (arg->flags & ~EVNTRACE_UPDATE_LOG || arg->reserved ||
	    arg->series || arg->log_fd != -1)
		return -EINVAL;
	if (arg->flags & EVNTRACE_UPDATE_LOG)
		name = log_name_create(arg->log_name, arg->log_name_len);
	if (IS_ERR(name))
		return PTR_ERR(name);
	err = mutex_lock_killable(&evnt_lock);
	if (err) {
		evnt_name_put(name);
		return err;
	}
	if (arg->flush_ms)
		req->flush_ms = arg->flush_ms;
	/* The private session takes over the reference */
	if (name) {
		evnt_name_put(req->log_name);
		req->log_name = name;
		req->log_version = req->version + 1;
	}
	evnt_private_request_changed(req);
	mutex_unlock(&evnt_lock);
	return evnt_wait_settled(&req->unsettled, PATIENCE_MS);
}

/* Find an enabled provider of @req, or return NULL; under evnt_lock */
struct evnt_private_request_enabled *
evnt_private_request_find(const struct evnt_private_request *req,
			  const struct evntprov_guid *provider)
{
	struct evnt_private_request_enabled *e;

	list_for_each_entry(e, &req->enabled, node) {
		if (!memcmp(&e->arg.provider, provider, sizeof(*provider)))
			return e;
	}
	return NULL;
}

/* Add or replace an enablement; takes over @fresh on success */
static int enable_locked(struct evnt_private_request *req,
			 struct evnt_private_request_enabled *fresh)
{
	struct evnt_private_request_enabled *old;

	old = evnt_private_request_find(req, &fresh->arg.provider);
	if (!old && req->enabled_count >= EVNTRACE_MAX_PRIVATE_PROVIDERS)
		return -EUSERS;
	fresh->arg.version = req->version + 1;
	if (old) {
		fresh->arg.captures = old->arg.captures;
		list_replace(&old->node, &fresh->node);
		kvfree(old);
	} else {
		list_add_tail(&fresh->node, &req->enabled);
		req->enabled_count++;
	}
	evnt_private_request_changed(req);
	return 0;
}

/* Disable a provider or request its state; ignored if it is not enabled */
static void change_enabled(struct evnt_private_request *req,
			   const struct evntrace_enable *arg)
{
	struct evnt_private_request_enabled *e =
		evnt_private_request_find(req, &arg->provider);

	if (!e)
		return;
	if (arg->control == EVNTPROV_CONTROL_DISABLE) {
		list_del(&e->node);
		req->enabled_count--;
		kvfree(e);
	} else {
		e->arg.captures++;
		e->arg.source = arg->source;
	}
	evnt_private_request_changed(req);
}

static struct evnt_private_request_enabled *
enabled_create(const struct evntrace_enable *arg)
{
	struct evnt_private_request_enabled *e;
	struct evnt_filters *f;
	u32 len;

	f = evnt_filters_create(arg->filters, arg->filter_count, arg->control);
	if (IS_ERR(f))
		return ERR_CAST(f);
	e = ERR_PTR(-EOPNOTSUPP);
	/* Private sessions cannot evaluate these filters themselves */
	if (f && (f->scope || f->own))
		goto put;
	len = evnt_filters_len(f);
	e = kvzalloc(struct_size(e, filters, len), GFP_KERNEL_ACCOUNT);
	if (!e) {
		e = ERR_PTR(-ENOMEM);
		goto put;
	}
	e->arg = *arg;
	e->arg.size = sizeof(e->arg) + len;
	e->arg.timeout_ms = 0;
	e->arg.filters = 0;
	evnt_filters_describe(f, e->filters);
put:
	evnt_filters_put(f);
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

static int enable(struct evnt_private_request *req,
		  const struct evntrace_enable *arg)
{
	struct evnt_private_request_enabled *e = NULL;
	int err;

	if (arg->control == EVNTPROV_CONTROL_ENABLE) {
		e = enabled_create(arg);
		if (IS_ERR(e))
			return PTR_ERR(e);
	}
	err = mutex_lock_killable(&evnt_lock);
	if (err)
		goto free;
	if (req->is_stopping)
		err = -ESRCH;
	else if (e)
		err = enable_locked(req, e);
	else
		change_enabled(req, arg);
	mutex_unlock(&evnt_lock);
free:
	if (err)
		kvfree(e);
	return err;
}

/* Answer EVNTRACE_IOC_ENABLE */
int evnt_private_request_enable(struct evnt_private_request *req, void *data)
{
	const struct evntrace_enable *arg = data;
	int err = 0;

	if (!(arg->flags & EVNTRACE_ENABLE_WAIT)) {
		err = check_enable(arg);
		if (!err)
			err = enable(req, arg);
	}
	if (!err && arg->timeout_ms)
		err = evnt_wait_settled(&req->unsettled, arg->timeout_ms);
	return err;
}
