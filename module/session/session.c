// SPDX-License-Identifier: GPL-2.0
/*
 * Sessions: properties, life cycle.  The thread that writes the log is in
 * writer.c.
 *
 * A new session first reserves its id and name in the table, then does
 * everything that takes time without a lock, and runs.  To stop, it is removed
 * from all providers' sets, a grace period elapses so that no writer can be in
 * its buffers, and the writer thread completes the log, removes the session
 * from the table, and exits.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/kthread.h>
#include <linux/memcontrol.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/nospec.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/uuid.h>

#include "module/common/acl.h"
#include "core/log_header.h"
#include "module/common/session_info.h"
#include "module/session/session.h"
#include "module/session/consumer.h"

#define DEFAULT_BUFFER_SIZE	(64u * 1024)
#define DEFAULT_EXTRA_BUFFERS	20u
/* Minimum number of buffers per CPU in modes that keep buffers */
#define KEPT_PER_CPU		4u

/* Sessions by id; evnt_lock */
static struct evnt_session *evnt_sessions[EVNTRACE_MAX_SESSIONS];
/* Counter that makes handles unique; evnt_lock */
static u64 evnt_generation;

/* Find a session that runs or is stopping */
static struct evnt_session *session_by_handle(u64 handle)
{
	u32 id = EVNTRACE_HANDLE_ID(handle);
	struct evnt_session *s;

	lockdep_assert_held(&evnt_lock);
	if (id >= EVNTRACE_MAX_SESSIONS)
		return NULL;
	s = evnt_sessions[array_index_nospec(id, EVNTRACE_MAX_SESSIONS)];
	return s && s->handle == handle && s->state != EVNT_STARTING ? s : NULL;
}

/* Find a running session, or return NULL.  The caller must hold evnt_lock. */
struct evnt_session *evnt_session_lookup(u64 handle)
{
	struct evnt_session *s = session_by_handle(handle);

	return s && s->state == EVNT_RUNNING ? s : NULL;
}

/**
 * evnt_session_get() - get a session by its handle
 * @handle: handle
 *
 * Return: the session with a reference, also if it is stopping; NULL if there
 * is none, or the caller is killed.
 */
struct evnt_session *evnt_session_get(u64 handle)
{
	struct evnt_session *s;

	if (mutex_lock_killable(&evnt_lock))
		return NULL;
	s = session_by_handle(handle);
	if (s)
		refcount_inc(&s->refs);
	mutex_unlock(&evnt_lock);
	return s;
}

/* Account for @count buffers that were added, or removed if negative */
static void count_buffers(const struct evnt_buffers *b, s64 count)
{
	atomic64_add(count, &evnt_counts.buffers);
	atomic64_add(count * b->buffer_size, &evnt_counts.buffer_bytes);
}

void evnt_session_put(struct evnt_session *s)
{
	if (!refcount_dec_and_test(&s->refs))
		return;
	evnt_log_destroy(&s->log);
	evnt_free_pages(s->header);
	if (s->buffers.buffers)
		count_buffers(&s->buffers, -(s64)s->buffers.nr_buffers);
	evnt_backlog_destroy(&s->backlog);
	evnt_buffers_destroy(&s->buffers);
	evnt_uncharge(s->user, EVNT_SESSION_BYTES,
		      (u64)s->charged * s->buffers.buffer_size);
	evnt_user_put(s->user);
	put_pid(s->owner);
	mem_cgroup_put(s->memcg);
	put_cred(s->reader);
	put_cred(s->cred);
	evnt_name_put(s->name);
	kfree(s->providers);
	kfree(s);
}

/* Find a session with the name, if it is not NULL, or with the GUID */
static struct evnt_session *session_find(const struct evnt_name *name,
					 const struct evntprov_guid *guid)
{
	struct evnt_session *s;
	u32 id;

	for (id = 0; id < EVNTRACE_MAX_SESSIONS; id++) {
		s = evnt_sessions[id];
		if (s && ((name && evnt_name_is_same(s->name, name)) ||
			  !memcmp(&s->info.guid, guid, sizeof(*guid))))
			return s;
	}
	return NULL;
}

/* Return the rights to @s, of those that descriptors have, of the caller */
static u32 rights_to(const struct evnt_session *s)
{
	u32 left = EVNTRACE_OPEN_RIGHTS, right, rights = 0;

	for (; left; left &= left - 1) {
		right = left & -left;
		if (!evnt_session_check(s, right))
			rights |= right;
	}
	return rights;
}

/* Find the session that the caller names, and check the wanted rights */
static int open_locked(struct evntrace_open *arg, const struct evnt_name *name)
{
	struct evnt_session *s;

	/* No session has the GUID 0 */
	s = arg->handle ? session_by_handle(arg->handle) :
			  session_find(name, &arg->guid);
	if (!s || s->state == EVNT_STARTING)
		return -ESRCH;
	return evnt_access_grant(arg, s->handle, rights_to(s));
}

/**
 * evnt_session_open() - find a session for EVNTRACE_IOC_OPEN
 * @arg: ioctl argument
 *
 * Return: 0 or an errno documented for EVNTRACE_IOC_OPEN.
 */
int evnt_session_open(struct evntrace_open *arg)
{
	struct evnt_name *name = NULL;
	int err;

	if (arg->name_len) {
		name = evnt_name_from_user(arg->name, arg->name_len);
		if (IS_ERR(name))
			return PTR_ERR(name);
	}
	err = mutex_lock_killable(&evnt_lock);
	if (err)
		goto put;
	err = open_locked(arg, name);
	mutex_unlock(&evnt_lock);
put:
	evnt_name_put(name);
	return err;
}

/*
 * Call @fn for each session that the caller may query.  The caller must hold
 * evnt_lock.
 */
void evnt_sessions_for_each(void (*fn)(const struct evnt_session *s,
				       void *data), void *data)
{
	u32 id;

	lockdep_assert_held(&evnt_lock);
	for (id = 0; id < EVNTRACE_MAX_SESSIONS; id++) {
		if (evnt_sessions[id] &&
		    evnt_sessions[id]->state != EVNT_STARTING &&
		    !evnt_session_check(evnt_sessions[id], EVNTRACE_RIGHT_QUERY))
			fn(evnt_sessions[id], data);
	}
}

/* Return a free id, or a negative errno; under evnt_lock */
static int free_id(const struct evnt_session *s)
{
	int id, found = -EUSERS;
	u32 taken = 0;

	if (session_find(s->name, &s->info.guid))
		return -EEXIST;
	for (id = EVNTRACE_MAX_SESSIONS - 1; id >= 0; id--) {
		if (evnt_sessions[id])
			taken++;
		else
			found = id;
	}
	if (!evnt_may_take_slot(taken, EVNTRACE_MAX_SESSIONS, s->is_exempt))
		return -EUSERS;
	return found;
}

/* Add a session to the table, which reserves its id and name */
static int session_insert(struct evnt_session *s)
{
	int id, err;

	if (mutex_lock_killable(&evnt_lock))
		return -EINTR;
	id = free_id(s);
	err = min(id, 0);
	if (!err)
		err = evnt_charge(s->user, EVNT_SESSIONS, 1, s->is_exempt);
	if (!err) {
		s->handle = ++evnt_generation << 16 | id;
		s->buffers.logger_id = id;
		evnt_sessions[id] = s;
		atomic64_inc(&evnt_counts.sessions);
	}
	mutex_unlock(&evnt_lock);
	return err;
}

static void session_remove(struct evnt_session *s)
{
	mutex_lock(&evnt_lock);
	evnt_sessions[evnt_session_id(s)] = NULL;
	evnt_uncharge(s->user, EVNT_SESSIONS, 1);
	atomic64_dec(&evnt_counts.sessions);
	mutex_unlock(&evnt_lock);
}

/*
 * Choose the buffer size.  The log's header must fit a buffer.  If there may be
 * further logs, their names may have the maximum length.
 */
static u32 adjusted_buffer_size(struct evnt_session *s,
				const struct evntrace_start *arg)
{
	u32 log_name_len = arg->log_file_mode & (EVNT_KEEPING |
						 EVNTRACE_MODE_NEWFILE) ?
			   EVNTRACE_MAX_NAME : s->log.name->len;

	u32 size = arg->buffer_size ?: evnt_log_buffer_size(&s->log);

	return ALIGN(max(size ?: DEFAULT_BUFFER_SIZE,
			 evnt_log_header_size(s->name->len, log_name_len)),
		     EVNTRACE_MIN_BUFFER_SIZE);
}

static int check_properties(const struct evntrace_start *arg)
{
	const u32 no_effect = EVNTRACE_MODE_DELAY_OPEN_FILE |
			      EVNTRACE_MODE_ADD_HEADER |
			      EVNTRACE_MODE_STOP_ON_HYBRID_SHUTDOWN |
			      EVNTRACE_MODE_USE_PAGED_MEMORY;
	const u32 modes = EVNT_OF_A_FILE | EVNTRACE_MODE_USE_KBYTES |
			  EVNTRACE_MODE_SECURE | EVNTRACE_MODE_NO_PER_CPU |
			  EVNTRACE_MODE_INDEPENDENT | EVNT_KEEPING |
			  EVNTRACE_MODE_GLOBAL_SEQUENCE |
			  EVNTRACE_MODE_LOCAL_SEQUENCE |
			  EVNTRACE_MODE_SYSTEM_LOGGER | no_effect;
	const u32 not_buffering = EVNT_OF_A_FILE | EVNTRACE_MODE_REAL_TIME;
	const u32 not_append = EVNTRACE_MODE_CIRCULAR | EVNTRACE_MODE_NEWFILE |
			       EVNTRACE_MODE_REAL_TIME;
	const u32 mode = arg->log_file_mode;

	if (mode & ~modes)
		return -EOPNOTSUPP;
	if (mode & EVNTRACE_MODE_SYSTEM_LOGGER && !evnt_may_trace_system())
		return -EACCES;
	if (mode & EVNTRACE_MODE_BUFFERING &&
	    (mode & not_buffering || arg->log_fd != -1))
		return -EINVAL;
	if (mode & EVNTRACE_MODE_APPEND && mode & not_append)
		return -EINVAL;
	if (mode & EVNTRACE_MODE_NEWFILE ? !arg->series || arg->log_fd == -1 :
					   !!arg->series)
		return -EINVAL;
	if (mode & EVNTRACE_MODE_APPEND &&
	    arg->clock_type != EVNTRACE_CLOCK_SYSTEM_TIME)
		return -EINVAL;
	return evnt_start_check(arg);
}

/* Fill in the properties that never change, and those derived from them */
static void fill_info(struct evnt_session *s, const struct evntrace_start *arg)
{
	/* Keeping buffers doubles the minimum per CPU */
	const u32 per_cpu = arg->log_file_mode & EVNT_KEEPING ?
			    KEPT_PER_CPU : 2;
	struct evntrace_session *info = &s->info;
	guid_t random;

	info->guid = arg->guid;
	if (!memchr_inv(&info->guid, 0, sizeof(info->guid))) {
		guid_gen(&random);
		memcpy(&info->guid, &random, sizeof(info->guid));
	}
	info->clock_type = arg->clock_type ?: EVNTRACE_CLOCK_QPC;
	info->buffer_size = adjusted_buffer_size(s, arg);
	info->min_buffers = max(arg->min_buffers, per_cpu * num_online_cpus());
	info->max_buffers = max(arg->max_buffers ?: info->min_buffers +
				DEFAULT_EXTRA_BUFFERS, info->min_buffers);
	if (arg->log_file_mode & EVNTRACE_MODE_BUFFERING)
		info->max_buffers = info->min_buffers;
	s->flush_ms = arg->flush_ms;
	if (s->mode & EVNTRACE_MODE_REAL_TIME && !s->flush_ms)
		s->flush_ms = EVNT_REAL_TIME_FLUSH_MS;
	if (s->mode & EVNTRACE_MODE_BUFFERING)
		s->flush_ms = 0;
	s->base_buffers = max(info->max_buffers,
			      KEPT_PER_CPU * num_online_cpus());
	info->max_file_size = arg->max_file_size;
	s->owner = get_task_pid(current, PIDTYPE_TGID);
	s->memcg = get_mem_cgroup_from_mm(current->mm);
	s->cred = get_current_cred();
	info->owner_uid = from_kuid_munged(&init_user_ns, s->cred->euid);
}

/* Charge the user for the first @count buffers, before they are allocated */
static int charge_buffers(struct evnt_session *s, u32 count)
{
	const u64 size = s->buffers.buffer_size;

	if (count <= s->charged)
		return 0;
	if (evnt_charge(s->user, EVNT_SESSION_BYTES,
			(count - s->charged) * size, s->is_exempt))
		return -ENOMEM;
	s->charged = count;
	return 0;
}

static int session_alloc_buffers(struct evnt_session *s)
{
	struct evnt_buffers *b = &s->buffers;
	int err;

	b->nr_buffers = s->info.max_buffers;
	b->buffer_size = s->info.buffer_size;
	b->clock_type = s->info.clock_type;
	b->is_shared = s->mode & EVNTRACE_MODE_NO_PER_CPU;
	/*
	 * Records in rings have the time of one clock.  Viewers of the kernel's
	 * events divide times by the number of processors.
	 */
	if (READ_ONCE(evnt_rings) && b->clock_type == EVNT_CLOCK_QPC &&
	    !b->is_shared && !(s->mode & EVNTRACE_MODE_SYSTEM_LOGGER))
		b->nr_lanes = evnt_lanes;
	b->nr_cpus = nr_cpu_ids + b->nr_lanes;
	/* It may be switched to real-time mode later */
	if (!(s->mode & EVNTRACE_MODE_BUFFERING))
		s->max_held = evnt_stream_max_held(b);
	b->capacity = s->base_buffers + EVNTRACE_MAX_CONSUMERS * s->max_held;
	b->notify = evnt_writer_notify;
	b->reclaim = evnt_writer_reclaim;
	err = charge_buffers(s, b->nr_buffers);
	if (!err)
		err = evnt_buffers_init(b);
	if (!err)
		count_buffers(b, b->nr_buffers);
	return err;
}

/* Grow to @count buffers, if the user's limit allows */
static int have_buffers(struct evnt_session *s, u32 count)
{
	struct evnt_buffers *b = &s->buffers;
	u32 before = b->nr_buffers;
	int err;

	lockdep_assert_held(&s->consumers_lock);
	if (count <= before)
		return 0;
	err = charge_buffers(s, count);
	if (err)
		return err;
	err = evnt_buffers_grow(b, count - before);
	count_buffers(b, b->nr_buffers - before);
	return err;
}

/**
 * evnt_session_keep_buffers() - allocate the memory for keeping buffers
 * @s: session
 *
 * The caller must prevent concurrent calls for the same session.
 *
 * Return: 0 or -ENOMEM.
 */
int evnt_session_keep_buffers(struct evnt_session *s)
{
	int err;

	mutex_lock(&s->consumers_lock);
	err = have_buffers(s, s->base_buffers);
	mutex_unlock(&s->consumers_lock);
	if (err || s->header)
		return err;
	s->header = evnt_alloc_pages(s->buffers.buffer_size, 0);
	return s->header ? 0 : -ENOMEM;
}

static int start_log(struct evnt_session *s, const struct evntrace_start *arg)
{
	u8 time_zone[ETL_TIME_ZONE_SIZE] = {};
	int err;

	if (arg->time_zone && copy_from_user(time_zone,
					     u64_to_user_ptr(arg->time_zone),
					     sizeof(time_zone)))
		return -EFAULT;
	err = evnt_log_start(&s->log, s, time_zone, S64_MAX);
	if (err)
		return err;
	s->info.start_time = s->log.started;
	atomic64_set(&s->buffers.sequence, s->log.found.sequence);
	return 0;
}

/* Set up all that takes time: memory, the log's header, the writer thread */
static int session_set_up(struct evnt_session *s,
			  const struct evntrace_start *arg)
{
	u32 reserve;
	int err;

	err = session_alloc_buffers(s);
	if (err)
		return err;
	reserve = max(s->base_buffers / 4, 2 * num_online_cpus());
	/* Half may be kept, even if CPUs have come online since */
	err = evnt_backlog_init(&s->backlog, &s->buffers,
				min(reserve, s->base_buffers / 2));
	if (err)
		return err;
	err = start_log(s, arg);
	if (!err && s->mode & EVNT_KEEPING)
		err = evnt_session_keep_buffers(s);
	if (!err)
		err = evnt_writer_start(s);
	if (!err)
		return 0;
	evnt_log_abandon(&s->log);
	return err;
}

/*
 * Open the log.  A session that keeps buffers may do without a file, unless it
 * has a mode that applies to the file.
 */
static int open_first_log(struct evnt_session *s,
			  const struct evntrace_start *arg)
{
	if (s->mode & EVNT_KEEPING && arg->log_fd == -1 &&
	    !(s->mode & EVNT_OF_A_FILE))
		return evnt_log_init(&s->log, s->mode, arg->log_name,
				     arg->log_name_len);
	return evnt_log_open(&s->log, s->mode, arg->log_fd, arg->log_name,
			     arg->log_name_len, arg->series);
}

/* Create a session that is not yet in the table, or return an ERR_PTR() */
static struct evnt_session *session_create(const struct evntrace_start *arg,
					   const struct evnt_session_ops *ops)
{
	struct evnt_session *s = kzalloc(sizeof(*s), GFP_KERNEL_ACCOUNT);
	int err;

	if (!s)
		return ERR_PTR(-ENOMEM);
	refcount_set(&s->refs, 1);
	s->ops = ops;
	s->mode = arg->log_file_mode;
	mutex_init(&s->log_lock);
	mutex_init(&s->switch_lock);
	mutex_init(&s->consumers_lock);
	mutex_init(&s->snapshot_lock);
	init_completion(&s->ended);
	s->name = evnt_name_from_user(arg->name, arg->name_len);
	err = PTR_ERR_OR_ZERO(s->name);
	if (!err) {
		s->user = evnt_user_get();
		s->is_exempt = evnt_is_exempt();
		err = s->user ? 0 : -ENOMEM;
	}
	if (!err)
		err = ops->create(s);
	if (!err)
		err = open_first_log(s, arg);
	if (err) {
		evnt_session_put(s);
		return ERR_PTR(err);
	}
	fill_info(s, arg);
	evnt_session_set_rights(s);
	/* Addresses of the kernel are for readers with CAP_PERFMON */
	s->shows_kernel = s->mode & EVNTRACE_MODE_SYSTEM_LOGGER &&
			  perfmon_capable() &&
			  !security_locked_down(LOCKDOWN_PERF);
	s->is_guarded = s->shows_kernel;
	return s;
}

static void session_run(struct evnt_session *s, struct evntrace_start *arg)
{
	arg->handle = s->handle;
	mutex_lock(&evnt_lock);
	if (arg->flags & EVNTRACE_START_BOUND)
		s->info.state |= EVNTRACE_SESSION_BOUND;
	s->state = EVNT_RUNNING;
	arg->granted = rights_to(s);
	mutex_unlock(&evnt_lock);
}

/**
 * evnt_session_check() - check the caller's rights to a session
 * @s: session
 * @rights: EVNTRACE_RIGHT_*, all of which are required
 *
 * Return: 0 or -EACCES.
 */
int evnt_session_check(const struct evnt_session *s, u32 rights)
{
	return evnt_access_check(&s->info.guid, s->cred->euid, rights);
}

/**
 * evnt_session_check_change() - check the right to change a session
 * @s: session
 *
 * Starting and stopping a session take the same right.
 *
 * Return: 0 or -EACCES.
 */
int evnt_session_check_change(const struct evnt_session *s)
{
	return evnt_session_check(s, READ_ONCE(s->rights));
}

/**
 * evnt_session_admit_reader() - admit the caller as a reader of events
 * @s: session
 *
 * A reader without CAP_PERFMON is admitted only if the session has no call
 * stacks that need it.  No such call stack is recorded from then on.  Events of
 * the kernel require the right to trace them.
 *
 * Return: 0, -EPERM, or -EINTR if the caller is killed.
 */
int evnt_session_admit_reader(struct evnt_session *s)
{
	int err;

	if (perfmon_capable())
		return 0;
	if (s->mode & EVNTRACE_MODE_SYSTEM_LOGGER && !evnt_may_trace_system())
		return -EPERM;
	err = mutex_lock_killable(&evnt_lock);
	if (err)
		return err;
	if (s->is_guarded)
		err = -EPERM;
	else if (!s->reader)
		s->reader = evnt_current_cred();
	mutex_unlock(&evnt_lock);
	return err;
}

/**
 * evnt_session_guard() - keep readers without CAP_PERFMON out of a session
 * @s: session
 *
 * The caller must hold evnt_lock.
 *
 * Return: false if such a reader was admitted before.
 */
bool evnt_session_guard(struct evnt_session *s)
{
	lockdep_assert_held(&evnt_lock);
	s->is_guarded = !s->reader;
	return s->is_guarded;
}

/* Update the rights needed to change a session after log or modes changed */
void evnt_session_set_rights(struct evnt_session *s)
{
	u32 rights = 0;

	if (s->log.file || s->mode & EVNTRACE_MODE_BUFFERING)
		rights |= EVNTRACE_RIGHT_CREATE_ONDISK;
	if (s->mode & EVNTRACE_MODE_REAL_TIME)
		rights |= EVNTRACE_RIGHT_CREATE_REALTIME;
	WRITE_ONCE(s->rights, rights);
}

/**
 * evnt_session_start() - EVNTRACE_IOC_START
 * @arg: ioctl argument
 * @ops: operations of the provider layer
 *
 * Return: 0 or an errno documented for EVNTRACE_IOC_START.
 */
int evnt_session_start(struct evntrace_start *arg,
		       const struct evnt_session_ops *ops)
{
	struct evnt_session *s;
	int err;

	err = check_properties(arg);
	if (err)
		return err;
	s = session_create(arg, ops);
	if (IS_ERR(s))
		return PTR_ERR(s);
	err = evnt_session_check_change(s);
	/* The caller can read the log file */
	if (!err && s->log.file)
		err = evnt_session_admit_reader(s);
	if (!err)
		err = session_insert(s);
	if (err)
		goto put;
	err = session_set_up(s, arg);
	if (err)
		goto remove;
	/* The session outlives all files, so it needs a module reference */
	__module_get(THIS_MODULE);
	session_run(s, arg);
	return 0;

remove:
	session_remove(s);
put:
	evnt_session_put(s);
	return err;
}

/**
 * evnt_session_add_consumer() - add a consumer, and buffers for it to hold
 * @s: session
 *
 * May sleep.
 *
 * Return: 0, -EOPNOTSUPP if the session is not in real-time mode, -EUSERS if it
 * has EVNTRACE_MAX_CONSUMERS already, or -ENOMEM.
 */
int evnt_session_add_consumer(struct evnt_session *s)
{
	int err = -EUSERS;

	if (!(evnt_session_mode(s) & EVNTRACE_MODE_REAL_TIME))
		return -EOPNOTSUPP;
	mutex_lock(&s->consumers_lock);
	/* Add the buffers that one more consumer may hold */
	if (s->consumers < EVNTRACE_MAX_CONSUMERS)
		err = have_buffers(s, s->base_buffers +
				      (s->consumers + 1) * s->max_held);
	if (!err)
		WRITE_ONCE(s->consumers, s->consumers + 1);
	mutex_unlock(&s->consumers_lock);
	return err;
}

void evnt_session_remove_consumer(struct evnt_session *s)
{
	mutex_lock(&s->consumers_lock);
	WRITE_ONCE(s->consumers, s->consumers - 1);
	mutex_unlock(&s->consumers_lock);
}

/*
 * Wait until the thread has exited, then drop its references.  If the caller
 * gives up first, the thread drops them: exchanges on @end decide which of them
 * does it.
 */
static int wait_for_end(struct evnt_session *s, long timeout)
{
	long left = wait_for_completion_killable_timeout(&s->ended, timeout);

	if (left <= 0) {
		if (atomic_cmpxchg(&s->end, EVNT_END_AWAITED,
				   EVNT_END_ALONE) == EVNT_END_AWAITED)
			return left ? -EINTR : -ETIMEDOUT;
		/* The thread is about to exit: this does not take long */
		wait_for_completion(&s->ended);
	}
	evnt_session_put(s);
	module_put(THIS_MODULE);
	return 0;
}

/**
 * evnt_session_end() - have the writer thread end a session
 * @s: session, which is no longer in any provider's set
 * @abandon: discard the log, as if the session had never existed
 * @timeout: how long to wait for the end, in jiffies; 0 if the caller is the
 *	writer thread
 *
 * The caller holds a reference, or is the thread.  A caller that waits must be
 * in a file operation of the module.
 *
 * Return: 0; or -EINTR if the caller is killed, or -ETIMEDOUT, while the writer
 * thread is still going to end the session.
 */
int evnt_session_end(struct evnt_session *s, bool abandon, long timeout)
{
	synchronize_rcu();	/* no writer is left in its buffers */
	s->abandon = abandon;
	atomic_set(&s->end, timeout ? EVNT_END_AWAITED : EVNT_END_ALONE);
	evnt_writer_end(s);
	return timeout ? wait_for_end(s, timeout) : 0;
}

/**
 * evnt_session_exit() - end a session; the last call of its writer thread
 * @s: session, with a complete log
 *
 * The log file is closed, even if consumers keep the session's memory.  If a
 * caller waits, it drops the references to session and module once the thread
 * has exited, so that nothing is left when it returns.  Otherwise the thread
 * drops both, the one to the module after the last code of the module.
 */
void __noreturn evnt_session_exit(struct evnt_session *s)
{
	s->ops->exit(s);
	if (s->abandon)
		evnt_log_abandon(&s->log);
	evnt_log_close(&s->log);
	session_remove(s);
	if (atomic_xchg(&s->end, EVNT_END_DONE) == EVNT_END_AWAITED)
		kthread_complete_and_exit(&s->ended, 0);
	evnt_session_put(s);
	module_put_and_kthread_exit(0);
}

/**
 * evnt_session_query() - fill in the state of a session
 * @s: session
 * @arg: filled in, except for fields that are input of the query
 *
 * Return: 0, or -EFAULT if a name cannot be copied out.
 */
int evnt_session_query(struct evnt_session *s, struct evntrace_session *arg)
{
	const struct evnt_buffers *b = &s->buffers;
	const struct evnt_log *log = &s->log;
	struct evnt_name *log_name;
	int err;

	evnt_query_begin(arg, &s->info, s->owner);
	arg->handle = s->handle;
	arg->enable_flags = READ_ONCE(s->enable_flags);
	arg->stack_flags = READ_ONCE(s->stack_flags);
	/* All that changes with the log */
	mutex_lock(&s->log_lock);
	arg->log_file_mode = s->mode;
	arg->flush_ms = READ_ONCE(s->flush_ms);
	arg->free_buffers = evnt_buffers_free_count(b);
	arg->events = evnt_buffers_events(b);
	arg->buffers_written = s->past.buffers_written +
			       READ_ONCE(log->buffers_written);
	arg->bytes_written = evnt_log_length(log);
	arg->log_errno = READ_ONCE(log->error);
	arg->buffers = READ_ONCE(b->nr_buffers);
	arg->consumers = READ_ONCE(s->consumers);
	arg->real_time_buffers_lost = READ_ONCE(s->backlog.missed);
	arg->buffers_lost = s->past.buffers_lost +
			    READ_ONCE(log->buffers_lost);
	arg->events_no_buffer = evnt_buffers_lost_by(b, EVNT_LOST_NO_BUFFER);
	arg->events_too_large = evnt_buffers_lost_by(b, EVNT_LOST_TOO_LARGE);
	arg->events_unreadable = evnt_buffers_lost_by(b, EVNT_LOST_UNREADABLE);
	arg->events_unwritten = s->past.events_lost +
				READ_ONCE(log->events_lost);
	arg->events_blocked = evnt_buffers_lost_by(b, EVNT_LOST_BLOCKED);
	arg->events_lost = arg->events_no_buffer + arg->events_too_large +
			   arg->events_unreadable + arg->events_unwritten +
			   arg->events_blocked;
	arg->blocker = evnt_buffers_blocker(b);
	arg->registrations = READ_ONCE(s->registrations);
	arg->registrations_excluded = READ_ONCE(s->excluded);
	arg->events_filtered = evnt_buffers_filtered(b);
	log_name = evnt_name_get(s->log.name);
	mutex_unlock(&s->log_lock);
	err = evnt_query_names(arg, s->name, log_name);
	evnt_name_put(log_name);
	return err;
}
