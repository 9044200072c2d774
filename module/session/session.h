/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sessions: properties, life cycle, the thread that writes the log.
 *
 * Knows nothing of providers.
 */
#ifndef EVNT_SESSION_H
#define EVNT_SESSION_H

#include <linux/completion.h>
#include <linux/irq_work.h>
#include <linux/mutex.h>
#include <linux/rcuwait.h>
#include <linux/refcount.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "module/session/backlog.h"
#include "core/buffer.h"
#include "module/session/log.h"
#include "module/common/module.h"
#include "module/common/quota.h"

enum evnt_session_state {
	EVNT_STARTING,	/* id and name are taken, nothing else */
	EVNT_RUNNING,
	EVNT_STOPPING,
};

/* Modes that keep finished buffers in memory */
#define EVNT_KEEPING		(EVNTRACE_MODE_REAL_TIME | EVNTRACE_MODE_BUFFERING)
/* Default flush timer of real-time mode, in ms */
#define EVNT_REAL_TIME_FLUSH_MS	1000u
/* Modes that apply to the log file */
#define EVNT_OF_A_FILE		(EVNTRACE_MODE_SEQUENTIAL |		\
				 EVNTRACE_MODE_CIRCULAR |		\
				 EVNTRACE_MODE_APPEND |			\
				 EVNTRACE_MODE_NEWFILE |		\
				 EVNTRACE_MODE_PREALLOCATE)

/* Cleanup of a session whose thread has ended it */
enum evnt_session_end {
	EVNT_END_ALONE,		/* no caller waits: the thread cleans up */
	EVNT_END_AWAITED,	/* a caller waits, and cleans up */
	EVNT_END_DONE,
};

/**
 * struct evnt_log_switch - change that the writer thread makes between two
 * buffers
 * @flush: number of the flush that applies it; 0: no change is pending
 * @log: replacement of the session's log, or NULL
 * @is_next: whether to continue in the next file of the log's series
 * @mode: modes of the session from then on
 */
struct evnt_log_switch {
	s64 flush;
	struct evnt_log *log;
	bool is_next;
	u32 mode;
};

struct evnt_prov_file;
struct evnt_rundown;
struct evnt_session;
struct evnt_session_providers;

/**
 * struct evnt_session_ops - operations of the provider layer on a session
 * @create: set @providers of a new session; returns 0 or -ENOMEM
 * @expire: end the session, whose log is full; called once by the writer thread
 * @renew: begin to report files again, without waiting
 * @wait_renewed: wait until that is done; may sleep
 * @record_losses: record the losses of gaps that are over, or of @all, in the
 *	session; called by the writer thread
 * @run_down: add events of EVNTRACE_SYSTEM_* to the rundown of a file, of what
 *	exists; may sleep
 * @exit: cancel all work for the session; the last call, by the writer thread
 *
 * Called without evnt_lock; @renew also under log_lock.
 */
struct evnt_session_ops {
	int (*create)(struct evnt_session *s);
	void (*expire)(struct evnt_session *s);
	void (*renew)(struct evnt_session *s);
	void (*wait_renewed)(struct evnt_session *s);
	void (*record_losses)(struct evnt_session *s, bool all);
	void (*run_down)(struct evnt_session *s, struct evnt_rundown *file,
			 u32 flags, bool is_end);
	void (*exit)(struct evnt_session *s);
};

/**
 * struct evnt_session - one session
 * @handle: handle for controllers; contains the session's id
 * @info: properties that queries return
 * @owner: process that started the session
 * @cred: credentials of @owner at that time
 * @user: user that is charged for the session
 * @is_exempt: @owner was exempt from user limits
 * @memcg: memory cgroup of @owner, charged for the page cache of the log, or
 *	NULL
 * @base_buffers: number of buffers while buffers are kept, without those added
 *	for consumers
 * @max_held: number of buffers that a consumer may hold
 * @ops: operations of the provider layer
 * @providers: state of the provider layer, freed with kfree()
 * @reader: credentials of the first reader without CAP_PERFMON, or NULL; set
 *	once
 * @registrations: number of registrations made while their provider was enabled
 * @excluded: number of such registrations that the enablement does not apply to
 * @is_guarded: the session may contain call stacks that need CAP_PERFMON to
 *	read, and will never admit a @reader
 * @log: log file; the writer thread replaces it under @log_lock, and writes to
 *	the file and closes it without the lock
 * @past: totals of the logs before @log
 * @turn: pending change
 * @charged: number of buffers that @user is charged for; before the session
 *	runs, written without the lock
 * @mode: EVNTRACE_MODE_*; the writer thread changes REAL_TIME and
 *	EVNT_OF_A_FILE under @log_lock
 * @rights: EVNTRACE_RIGHT_* needed to start and change the session; changes
 *	along with @mode and @log
 * @header: header buffer of the log in which buffers were first kept, for
 *	consumers and snapshots; allocated at the start or under @switch_lock,
 *	filled in once by the writer thread
 * @has_header: @header is filled in
 * @distance: close buffers that are this far behind the newest, so that
 *	consumers need not wait for them; 0: no consumers
 * @unrenewed: number of buffers kept since the last renewal
 * @is_full: @expire of @ops was called
 * @turn_error: result of the last @turn with @is_next; written before its flush
 *	is done, read after that
 * @flush_ms: flush timer in ms, or 0; read by the writer thread at any time
 * @wake: wakes the writer thread from any context
 * @work: where the writer thread waits
 * @close_wanted: the next flush must close all buffers
 * @flush_wanted: number of the last flush requested
 * @flush_done: number of the last flush completed
 * @flushed: callers that wait for @flush_done
 * @is_ending: request to the thread to complete the log and exit
 * @abandon: discard the log file; written before @is_ending
 * @started: completed when the thread runs
 * @ended: completed when the thread has exited, for a caller that waits
 * @end: enum evnt_session_end; changed by atomic exchanges once @is_ending is
 *	set
 * @refs: references of the writer thread, and of each ioctl in progress
 * @renewals: number of times that reported files became due again
 * @sequence: last sequence number in EVNTRACE_MODE_LOCAL_SEQUENCE
 * @shows_kernel: the session may contain addresses of the kernel
 * @enable_flags: EVNTRACE_SYSTEM_* as set; written under evnt_lock, read without
 * @stack_flags: the same, of events with call stacks
 */
/*
 * A session's mutexes.  The order is switch_lock, then log_lock or
 * consumers_lock; snapshot_lock is taken alone, and none of them under
 * evnt_lock.
 *
 * lock            protects                     its holder may
 * snapshot_lock   one snapshot at a time       copy from user memory, write a file,
 *                                              wait for the writer thread: callers
 *                                              take it killably
 * switch_lock     one change of the log or of  the same, and open a log
 *                 the modes at a time; header
 * log_lock        log, past, turn; writes of   swap pointers, copy a header, read
 *                 mode and rights              counters: no file I/O, no allocation,
 *                                              no waiting, no evnt_lock
 * consumers_lock  number of buffers and        allocate buffers, which are charged to
 *                 consumers                    a memory cgroup: this may wait
 */
struct evnt_session {
	/* Buffers have their own synchronisation: see buffer.c, backlog.c */
	struct evnt_buffers buffers;
	struct evnt_backlog backlog;

	/* The following fields are constant once the session runs. */
	u64 handle;
	struct evntrace_session info;
	struct evnt_name *name;
	struct pid *owner;
	const struct cred *cred;
	struct evnt_user *user;
	bool is_exempt;
	struct mem_cgroup *memcg;
	u32 base_buffers;
	u32 max_held;
	bool shows_kernel;
	const struct evnt_session_ops *ops;
	struct evnt_session_providers *providers;

	/* The following fields are protected by evnt_lock. */
	enum evnt_session_state state;
	const struct cred *reader;
	bool is_guarded;
	/* Read without the lock */
	u32 registrations;
	u32 excluded;

	/* Held for short accesses, by the writer thread as well */
	struct mutex log_lock;
	/* The following fields are protected by log_lock. */
	struct evnt_log log;
	struct evnt_log_totals past;
	struct evnt_log_switch turn;

	/* Protects growing of buffers, too */
	struct mutex consumers_lock;
	/* The following fields are protected by consumers_lock. */
	u32 consumers;
	u32 charged;

	/* Serialises callers that wait for a turn; taken before log_lock */
	struct mutex switch_lock;
	u8 *header;
	struct mutex snapshot_lock;	/* serialises snapshots */

	/* Written by the writer thread under log_lock, read without a lock. */
	u32 mode;
	u32 rights;

	/* The following fields belong to the writer thread. */
	bool has_header;
	u32 distance;
	u32 unrenewed;
	bool is_full;

	/* Requests to the writer thread, and their completion: no lock. */
	int turn_error;
	u32 flush_ms;
	struct irq_work wake;
	struct rcuwait work;
	bool close_wanted;
	atomic64_t flush_wanted;
	atomic64_t flush_done;
	wait_queue_head_t flushed;
	bool is_ending;
	bool abandon;
	struct completion started;
	struct completion ended;
	atomic_t end;

	/* The following fields are atomic. */
	refcount_t refs;
	atomic_t renewals;
	atomic_t sequence;
	u32 enable_flags;
	u32 stack_flags;
};

static inline u32 evnt_session_id(const struct evnt_session *s)
{
	return EVNTRACE_HANDLE_ID(s->handle);
}

/* Check that a session has not begun to stop, under evnt_lock */
static inline bool evnt_session_runs(const struct evnt_session *s)
{
	lockdep_assert_held(&evnt_lock);
	return s->state == EVNT_RUNNING;
}

/*
 * Return the modes.  If one of them keeps buffers, backlog and header are
 * ready.
 */
static inline u32 evnt_session_mode(const struct evnt_session *s)
{
	/* Pairs with the release in set_mode() in writer.c */
	return smp_load_acquire(&s->mode);
}

/*
 * Have files reported to the session again, because the earlier events are in
 * another log file or about to be overwritten.
 */
static inline void evnt_session_renew(struct evnt_session *s)
{
	atomic_inc(&s->renewals);
	s->ops->renew(s);
}

/*
 * Return a generation of reported files, which each renewal changes, which no
 * other session ever has, and which is never 0
 */
static inline u64 evnt_session_generation(const struct evnt_session *s)
{
	return (s->handle >> 16) << 32 | (u32)atomic_read(&s->renewals);
}

/*
 * Check whether a session can have events from rings.  Each lane and processor of
 * the machine may keep a buffer, and one must be left, without those that consumers
 * hold.
 */
static inline bool evnt_session_takes_rings(const struct evnt_session *s)
{
	const struct evnt_buffers *b = &s->buffers;

	return b->nr_lanes && min(READ_ONCE(b->nr_buffers), s->base_buffers) >
			      num_present_cpus() + b->nr_lanes;
}

int evnt_session_check(const struct evnt_session *s, u32 rights);
int evnt_session_admit_reader(struct evnt_session *s);
bool evnt_session_guard(struct evnt_session *s);
int evnt_session_check_change(const struct evnt_session *s);
void evnt_session_set_rights(struct evnt_session *s);
int evnt_session_keep_buffers(struct evnt_session *s);
int evnt_session_start(struct evntrace_start *arg,
		       const struct evnt_session_ops *ops);
int evnt_session_end(struct evnt_session *s, bool abandon, long timeout);
void __noreturn evnt_session_exit(struct evnt_session *s);
int evnt_session_add_consumer(struct evnt_session *s);
void evnt_session_remove_consumer(struct evnt_session *s);
int evnt_session_query(struct evnt_session *s, struct evntrace_session *arg);

struct evnt_session *evnt_session_lookup(u64 handle);
struct evnt_session *evnt_session_get(u64 handle);
void evnt_session_put(struct evnt_session *s);
int evnt_session_open(struct evntrace_open *arg);
void evnt_sessions_for_each(void (*fn)(const struct evnt_session *s,
				       void *data), void *data);

/* writer.c */
s64 evnt_drain(const struct evnt_prov_file *pf);
void evnt_writer_set_drain(s64 (*drain)(const struct evnt_prov_file *pf));
int evnt_writer_start(struct evnt_session *s);
void evnt_writer_end(struct evnt_session *s);
int evnt_writer_flush(struct evnt_session *s);
int evnt_writer_turn(struct evnt_session *s, struct evnt_log_switch *turn);
void evnt_writer_set_timer(struct evnt_session *s, u32 flush_ms);
void evnt_writer_notify(struct evnt_buffers *b);
bool evnt_writer_reclaim(struct evnt_buffers *b);

/* update.c */
int evnt_update_rights(const struct evntrace_update *arg);
int evnt_update(struct evnt_session *s, const struct evntrace_update *arg);
int evnt_update_follow_log(struct evnt_session *s);

/* snapshot.c */
int evnt_snapshot(struct evnt_session *s, struct evntrace_snapshot *arg);

#endif /* EVNT_SESSION_H */
