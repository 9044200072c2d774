// SPDX-License-Identifier: GPL-2.0
/*
 * Sessions: properties, life cycle.  The thread that writes the log is in
 * writer.c.
 *
 * A session takes its id and name first, so that nobody else gets them, then
 * does what takes time without a lock, and runs.  To stop, it leaves all
 * providers' sets, waits until no writer can be in its buffers, and has the
 * writer thread complete the log.
 */
#include <linux/cred.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/uuid.h>

#include "session.h"
#include "writer.h"

#define DEFAULT_BUFFER_SIZE	(64u * 1024)
#define DEFAULT_EXTRA_BUFFERS	20u
#define MAX_BUFFERS		65536u

/* By id; guarded by evnt_lock */
static struct evnt_session *evnt_sessions[EVNTRACE_MAX_SESSIONS];
/* Makes handles unique; guarded by evnt_lock */
static u64 evnt_generation;

static u16 fold(u16 c)
{
	return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
}

static bool same_name(const struct evnt_name *a, const struct evnt_name *b)
{
	u32 i;

	if (a->len != b->len)
		return false;
	for (i = 0; i < a->len; i++) {
		if (fold(a->text[i]) != fold(b->text[i]))
			return false;
	}
	return true;
}

static int name_from_user(struct evnt_name *name, u64 text, u32 len)
{
	if (len > EVNTRACE_MAX_NAME)
		return -EINVAL;
	name->len = len;
	name->text = memdup_user(u64_to_user_ptr(text), len * sizeof(u16));
	if (IS_ERR(name->text)) {
		int err = PTR_ERR(name->text);

		name->text = NULL;
		return err;
	}
	return 0;
}

/* As much of a name as there is room for; @len becomes its length */
static int name_to_user(const struct evnt_name *name, u64 text, u32 *len)
{
	u32 n = min(name->len, *len);

	*len = name->len;
	if (text && copy_to_user(u64_to_user_ptr(text), name->text,
				 n * sizeof(u16)))
		return -EFAULT;
	return 0;
}

/* The running session with this handle, or NULL; under evnt_lock */
struct evnt_session *evnt_session_lookup(u64 handle)
{
	u32 id = EVNTRACE_HANDLE_ID(handle);
	struct evnt_session *s;

	lockdep_assert_held(&evnt_lock);
	if (id >= EVNTRACE_MAX_SESSIONS)
		return NULL;
	s = evnt_sessions[id];
	return s && s->handle == handle && s->state == EVNT_RUNNING ? s : NULL;
}

/**
 * evnt_session_get() - a session by its handle
 * @handle: the handle
 *
 * Return: the session, also one that is being stopped, with a reference, or
 * NULL.
 */
struct evnt_session *evnt_session_get(u64 handle)
{
	u32 id = EVNTRACE_HANDLE_ID(handle);
	struct evnt_session *s = NULL;

	mutex_lock(&evnt_lock);
	if (id < EVNTRACE_MAX_SESSIONS)
		s = evnt_sessions[id];
	if (s && s->handle == handle && s->state != EVNT_STARTING)
		refcount_inc(&s->refs);
	else
		s = NULL;
	mutex_unlock(&evnt_lock);
	return s;
}

/* A running session that is bound to @file, with a reference, or NULL */
struct evnt_session *evnt_session_get_bound(struct file *file)
{
	struct evnt_session *s = NULL;
	u32 id;

	mutex_lock(&evnt_lock);
	for (id = 0; id < EVNTRACE_MAX_SESSIONS && !s; id++) {
		s = evnt_sessions[id];
		if (s && (s->bound_to != file || s->state != EVNT_RUNNING))
			s = NULL;
	}
	if (s)
		refcount_inc(&s->refs);
	mutex_unlock(&evnt_lock);
	return s;
}

static void count_buffers(const struct evnt_buffers *b, int sign)
{
	atomic64_add(sign * (s64)b->nr_buffers, &evnt_counts.buffers);
	atomic64_add(sign * (s64)b->nr_buffers * b->buffer_size,
		     &evnt_counts.buffer_bytes);
}

static void session_free(struct evnt_session *s)
{
	evnt_log_close(&s->log);
	if (s->buffers.buffers)
		count_buffers(&s->buffers, -1);
	evnt_buffers_destroy(&s->buffers);
	kfree(s->log_name.text);
	kfree(s->name.text);
	kfree(s);
}

void evnt_session_put(struct evnt_session *s)
{
	if (refcount_dec_and_test(&s->refs))
		session_free(s);
}

static struct evnt_session *session_by_name(const struct evnt_name *name)
{
	u32 id;

	for (id = 0; id < EVNTRACE_MAX_SESSIONS; id++) {
		if (evnt_sessions[id] &&
		    same_name(&evnt_sessions[id]->name, name))
			return evnt_sessions[id];
	}
	return NULL;
}

/**
 * evnt_session_find() - EVNTRACE_IOC_FIND
 * @arg: its argument
 *
 * Return: 0 or what the ABI says.
 */
int evnt_session_find(struct evntrace_find *arg)
{
	struct evnt_session *s;
	struct evnt_name name;
	int err;

	err = name_from_user(&name, arg->name, arg->name_len);
	if (err)
		return err;
	mutex_lock(&evnt_lock);
	s = session_by_name(&name);
	if (s && s->state != EVNT_STARTING)
		arg->handle = s->handle;
	else
		err = -ESRCH;
	mutex_unlock(&evnt_lock);
	kfree(name.text);
	return err;
}

/* Fill in the handles of all sessions; returns how many there are */
u32 evnt_sessions_list(u64 *handles)
{
	u32 id, n = 0;

	mutex_lock(&evnt_lock);
	for (id = 0; id < EVNTRACE_MAX_SESSIONS; id++) {
		if (evnt_sessions[id] &&
		    evnt_sessions[id]->state != EVNT_STARTING)
			handles[n++] = evnt_sessions[id]->handle;
	}
	mutex_unlock(&evnt_lock);
	return n;
}

static bool same_guid(const struct evntprov_guid *a,
		      const struct evntprov_guid *b)
{
	return !memcmp(a, b, sizeof(*a));
}

/* A free id, or why there is none for this session; under evnt_lock */
static int free_id(const struct evnt_session *s)
{
	int id, found = -EUSERS;

	if (session_by_name(&s->name))
		return -EEXIST;
	for (id = EVNTRACE_MAX_SESSIONS - 1; id >= 0; id--) {
		if (!evnt_sessions[id])
			found = id;
		else if (same_guid(&evnt_sessions[id]->info.guid,
				   &s->info.guid))
			return -EEXIST;
	}
	return found;
}

/* Into the table, so that id and name are taken */
static int session_insert(struct evnt_session *s)
{
	int id;

	mutex_lock(&evnt_lock);
	id = free_id(s);
	if (id >= 0) {
		s->handle = ++evnt_generation << 16 | id;
		s->buffers.logger_id = id;
		evnt_sessions[id] = s;
		atomic64_inc(&evnt_counts.sessions);
	}
	mutex_unlock(&evnt_lock);
	return min(id, 0);
}

static void session_remove(struct evnt_session *s)
{
	mutex_lock(&evnt_lock);
	evnt_sessions[evnt_session_id(s)] = NULL;
	atomic64_dec(&evnt_counts.sessions);
	mutex_unlock(&evnt_lock);
}

static u32 adjusted_buffer_size(const struct evnt_session *s, u32 size)
{
	return ALIGN(max(size ?: DEFAULT_BUFFER_SIZE, evnt_log_header_size(s)),
		     EVNTRACE_MIN_BUFFER_SIZE);
}

static int check_properties(const struct evntrace_start *arg)
{
	const u32 modes = EVNTRACE_MODE_SEQUENTIAL | EVNTRACE_MODE_CIRCULAR |
			  EVNTRACE_MODE_PREALLOCATE | EVNTRACE_MODE_USE_KBYTES;
	const u32 limited = EVNTRACE_MODE_CIRCULAR | EVNTRACE_MODE_PREALLOCATE;
	const u32 mode = arg->log_file_mode;

	if (mode & ~modes)
		return -EOPNOTSUPP;
	if ((mode & EVNTRACE_MODE_SEQUENTIAL && mode & EVNTRACE_MODE_CIRCULAR) ||
	    (mode & limited && !arg->max_file_size))
		return -EINVAL;
	if (!arg->name_len || arg->clock_type > EVNTRACE_CLOCK_SYSTEM_TIME)
		return -EINVAL;
	if (arg->buffer_size && (arg->buffer_size < EVNTRACE_MIN_BUFFER_SIZE ||
				 arg->buffer_size > EVNTRACE_MAX_BUFFER_SIZE))
		return -EINVAL;
	if (arg->min_buffers > MAX_BUFFERS || arg->max_buffers > MAX_BUFFERS)
		return -EINVAL;
	return 0;
}

/* What queries return and nothing changes */
static void fill_info(struct evnt_session *s, const struct evntrace_start *arg)
{
	struct evntrace_session *info = &s->info;
	guid_t random;

	info->guid = arg->guid;
	if (!memchr_inv(&info->guid, 0, sizeof(info->guid))) {
		guid_gen(&random);
		memcpy(&info->guid, &random, sizeof(info->guid));
	}
	info->log_file_mode = arg->log_file_mode;
	info->clock_type = arg->clock_type ?: EVNTRACE_CLOCK_QPC;
	info->buffer_size = adjusted_buffer_size(s, arg->buffer_size);
	info->min_buffers = max(arg->min_buffers, 2 * num_online_cpus());
	info->max_buffers = max(arg->max_buffers ?: info->min_buffers +
				DEFAULT_EXTRA_BUFFERS, info->min_buffers);
	info->buffers = info->max_buffers;
	s->flush_ms = arg->flush_ms;
	info->max_file_size = arg->max_file_size;
	info->owner_pid = task_tgid_nr(current);
	info->owner_uid = from_kuid_munged(&init_user_ns, current_uid());
}

/* One session may hold a quarter of the machine's memory, in bytes */
static u64 memory_limit(void)
{
	return (u64)totalram_pages() * PAGE_SIZE / 4;
}

static int session_alloc_buffers(struct evnt_session *s)
{
	struct evnt_buffers *b = &s->buffers;
	int err;

	b->nr_cpus = nr_cpu_ids;
	b->nr_buffers = s->info.max_buffers;
	b->buffer_size = s->info.buffer_size;
	b->clock_type = s->info.clock_type;
	b->clock_offset = ktime_get_real_ns() - evnt_monotonic_ns() +
			  (u64)ETL_FILETIME_EPOCH * 100;
	b->notify = evnt_writer_notify;
	if ((u64)b->nr_buffers * b->buffer_size > memory_limit())
		return -ENOMEM;
	err = evnt_buffers_init(b);
	if (!err)
		count_buffers(b, 1);
	return err;
}

static int start_log(struct evnt_session *s, const struct evntrace_start *arg)
{
	u8 time_zone[ETL_TIME_ZONE_SIZE] = {};

	if (arg->time_zone && copy_from_user(time_zone,
					     u64_to_user_ptr(arg->time_zone),
					     sizeof(time_zone)))
		return -EFAULT;
	return evnt_log_start(&s->log, s, time_zone);
}

/* All that takes time: memory, the log's header, the writer thread */
static int session_set_up(struct evnt_session *s,
			  const struct evntrace_start *arg)
{
	int err;

	err = session_alloc_buffers(s);
	if (err)
		return err;
	err = start_log(s, arg);
	if (!err)
		err = evnt_writer_start(s);
	if (!err)
		return 0;
	evnt_log_abandon(&s->log);
	return err;
}

/* A session that nobody knows yet */
static int session_create(const struct evntrace_start *arg,
			  struct evnt_session **created)
{
	struct evnt_session *s = kzalloc(sizeof(*s), GFP_KERNEL_ACCOUNT);
	int err;

	if (!s)
		return -ENOMEM;
	refcount_set(&s->refs, 1);
	err = name_from_user(&s->name, arg->name, arg->name_len);
	if (!err)
		err = name_from_user(&s->log_name, arg->log_name,
				     arg->log_name_len);
	if (!err)
		err = evnt_log_open(&s->log, arg->log_fd);
	if (err) {
		evnt_session_put(s);
		return err;
	}
	fill_info(s, arg);
	*created = s;
	return 0;
}

static void session_run(struct evnt_session *s, struct file *bound_to)
{
	mutex_lock(&evnt_lock);
	s->bound_to = bound_to;
	if (bound_to)
		s->info.flags |= EVNTRACE_SESSION_BOUND;
	s->state = EVNT_RUNNING;
	mutex_unlock(&evnt_lock);
}

/**
 * evnt_session_start() - EVNTRACE_IOC_START
 * @arg: its argument
 * @file: the file that it came through
 * @expire: called by the writer thread, once, when the log is full; it is to
 *	have the session stopped by another one
 *
 * Return: 0 or what the ABI says.
 */
int evnt_session_start(struct evntrace_start *arg, struct file *file,
		       void (*expire)(struct evnt_session *s))
{
	struct evnt_session *s;
	int err;

	err = check_properties(arg);
	if (err)
		return err;
	err = session_create(arg, &s);
	if (err)
		return err;
	s->expire = expire;
	err = session_insert(s);
	if (err)
		goto put;
	err = session_set_up(s, arg);
	if (err)
		goto remove;
	/* The session outlives the file; the module must too */
	__module_get(THIS_MODULE);
	arg->handle = s->handle;
	session_run(s, arg->flags & EVNTRACE_START_BOUND ? file : NULL);
	return 0;

remove:
	session_remove(s);
put:
	evnt_session_put(s);
	return err;
}

/**
 * evnt_session_stopping() - the first step of stopping
 * @s: the session
 *
 * Under evnt_lock.  From here on it cannot be enabled anywhere.
 *
 * Return: 0, or -EALREADY when somebody else is at it.
 */
int evnt_session_stopping(struct evnt_session *s)
{
	lockdep_assert_held(&evnt_lock);
	if (s->state == EVNT_STOPPING)
		return -EALREADY;
	s->state = EVNT_STOPPING;
	return 0;
}

/**
 * evnt_session_end() - the second step of stopping
 * @s: the session, which no provider's set holds any more
 *
 * The caller has a reference, and runs in a file operation of the module.
 */
void evnt_session_end(struct evnt_session *s)
{
	synchronize_rcu();	/* whoever had found it in a set has gone */
	evnt_writer_stop(s);
	session_remove(s);
	evnt_session_put(s);
	module_put(THIS_MODULE);
}

static void fill_counters(struct evnt_session *s,
			  struct evntrace_session *arg)
{
	const struct evnt_log *log = &s->log;

	arg->flush_ms = READ_ONCE(s->flush_ms);
	arg->free_buffers = evnt_buffers_free_count(&s->buffers);
	arg->events = evnt_buffers_events(&s->buffers);
	arg->buffers_lost = READ_ONCE(log->buffers_lost);
	arg->events_lost = evnt_buffers_lost(&s->buffers) +
			   READ_ONCE(log->events_lost);
	arg->buffers_written = READ_ONCE(log->buffers_written);
	arg->bytes_written = evnt_log_length(log);
	arg->log_errno = READ_ONCE(log->error);
}

/**
 * evnt_session_query() - what there is to say of a session
 * @s: the session
 * @arg: filled in, but for size and handle
 *
 * Return: 0, or -EFAULT when a name cannot be copied to its place.
 */
int evnt_session_query(struct evnt_session *s, struct evntrace_session *arg)
{
	struct evntrace_session in = *arg;
	int err;

	*arg = s->info;
	arg->size = in.size;
	arg->handle = in.handle;
	arg->name = in.name;
	arg->log_name = in.log_name;
	arg->name_len = in.name_len;
	arg->log_name_len = in.log_name_len;
	fill_counters(s, arg);
	err = name_to_user(&s->name, arg->name, &arg->name_len);
	if (err)
		return err;
	return name_to_user(&s->log_name, arg->log_name, &arg->log_name_len);
}
