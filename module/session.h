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
#include <linux/refcount.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "backlog.h"
#include "buffer.h"
#include "capture.h"
#include "group.h"
#include "logfile.h"
#include "manifests.h"
#include "module.h"
#include "quota.h"

enum evnt_session_state {
	EVNT_STARTING,	/* has its id and name, nothing else */
	EVNT_RUNNING,
	EVNT_STOPPING,
};

/* Modes in which finished buffers are kept in memory */
#define EVNT_KEEPING		(EVNTRACE_MODE_REAL_TIME | EVNTRACE_MODE_BUFFERING)
/* The flush timer of real-time mode, if none is set */
#define EVNT_REAL_TIME_FLUSH_MS	1000u
/* Modes that say what becomes of the log file */
#define EVNT_OF_A_FILE		(EVNTRACE_MODE_SEQUENTIAL |		\
				 EVNTRACE_MODE_CIRCULAR |		\
				 EVNTRACE_MODE_APPEND |			\
				 EVNTRACE_MODE_NEWFILE |		\
				 EVNTRACE_MODE_PREALLOCATE)

/* What becomes of a session's thread when it has ended the session */
enum evnt_session_end {
	EVNT_END_ALONE,		/* no caller waits: it gives all up itself */
	EVNT_END_AWAITED,	/* a caller waits for it, and does so */
	EVNT_END_DONE,
};

/**
 * struct evnt_turn - what the writer thread changes between two buffers
 * @flush: with which flush; 0: nothing is to change
 * @log: what is to be in the place of the session's log, or NULL
 * @is_next: it is to be the next one of the log's series
 * @mode: the session's modes from then on
 */
struct evnt_turn {
	s64 flush;
	struct evnt_log *log;
	bool is_next;
	u32 mode;
};

/**
 * struct evnt_session - one session
 * @buffers: its buffers
 * @backlog: finished buffers that are kept, in the modes that do so
 * @log: its log file; the writer thread's, which holds @log_lock when it puts
 *	another one in its place, and not when it writes to it
 * @past: what was in the logs that were in its place before; @log_lock
 * @log_lock: held for a moment by who looks at @log and is not the writer
 * @mode: EVNTRACE_MODE_*; of these the writer thread changes, under @log_lock,
 *	REAL_TIME and EVNT_OF_A_FILE
 * @turn: what is to change, and with which flush; @log_lock
 * @turn_error: what became of that; written before the flush is done, read
 *	after it
 * @switch_lock: held as long as somebody waits for @turn; before @log_lock
 * @handle: how controllers name it; its id is in it
 * @header: how its log began when it first kept buffers, for consumers and
 *	snapshots; constant from then on
 * @has_header: it is filled in; the writer's
 * @snapshot_lock: one snapshot at a time
 * @info: what a query returns and does not change; constant
 * @name: its name; constant
 * @owner: the process that started it; constant
 * @owner_uid: its effective user then; constant
 * @user: the user that is charged for it; constant
 * @is_exempt: the limits of users did not hold for who started it; constant
 * @charged: buffers that @user is charged for; once it runs, @consumers_lock
 * @memcg: its memory cgroup, which the thread's page cache is charged to, or NULL;
 *	constant
 * @reader: credentials of its first reader without CAP_PERFMON, or NULL; set once,
 *	under evnt_lock
 * @is_guarded: it may have call stacks that take CAP_PERFMON to read; then there is
 *	no @reader, and never will be; evnt_lock
 * @flush_ms: flush timer, or 0; read by the writer at any time
 * @refs: the writer thread's, and of each ioctl under way
 * @state: what can be done with it; evnt_lock
 * @bound_to: the open file whose closing ends it, or NULL; evnt_lock
 * @started: the thread runs
 * @is_ending: the thread completes the log, and ends
 * @abandon: the log is to be as if it had never been; written before @is_ending
 * @end: enum evnt_session_end; changed by exchanges once @is_ending is set
 * @ended: the thread has gone, for the caller that waits for it
 * @wake: wakes the writer from any context
 * @work: what the writer waits on
 * @close_wanted: the next flush is to close all buffers
 * @flush_wanted: number of the last flush that was asked for
 * @flush_done: number of the last flush that is done
 * @flushed: who waits for @flush_done
 * @is_full: @expire was called; the writer's
 * @expire: what to do when the log has reached its limit; constant
 * @capture: providers that it asks for their state
 * @disallowed: providers that it enables by no group
 * @manifests: tells it again of the files that have manifests in them
 * @renewals: how often what it is told once was to be told again
 * @sequence: the number of its last message, in EVNTRACE_MODE_LOCAL_SEQUENCE
 * @unrenewed: buffers that were kept since; the writer's
 * @rights: what starting and changing it takes: EVNTRACE_RIGHT_*; the writer
 *	changes it with @mode and @log, anybody reads it
 * @distance: buffers so far behind the newest are closed, so that consumers need
 *	not wait; 0: there are none; the writer's
 * @base_buffers: how many there are for the events, when buffers are kept;
 *	constant
 * @max_held: how many buffers a consumer may hold; constant
 * @consumers_lock: guards the following, and growing of @buffers
 * @consumers: how many there are
 */
struct evnt_session {
	struct evnt_buffers buffers;
	struct evnt_backlog backlog;
	struct evnt_log log;
	struct evnt_log_totals past;
	struct mutex log_lock;		/* guards what names it above */
	u32 mode;
	struct evnt_turn turn;
	int turn_error;
	struct mutex switch_lock;	/* one at a time waits for a switch */
	u64 handle;
	u8 *header;
	bool has_header;
	struct mutex snapshot_lock;	/* guards nothing: see above */
	struct evntrace_session info;
	struct evnt_name *name;
	struct pid *owner;
	struct evnt_user *user;
	bool is_exempt;
	u32 charged;
	struct mem_cgroup *memcg;
	kuid_t owner_uid;
	const struct cred *reader;
	bool is_guarded;
	u32 flush_ms;
	refcount_t refs;
	enum evnt_session_state state;
	struct file *bound_to;
	struct completion started;
	bool is_ending;
	bool abandon;
	atomic_t end;
	struct completion ended;
	struct irq_work wake;
	wait_queue_head_t work;
	bool close_wanted;
	atomic64_t flush_wanted;
	atomic64_t flush_done;
	wait_queue_head_t flushed;
	bool is_full;
	void (*expire)(struct evnt_session *s);
	struct evnt_capture capture;
	struct evnt_disallowed disallowed;
	struct work_struct manifests;
	atomic_t renewals;
	atomic_t sequence;
	u32 unrenewed;
	u32 rights;
	u32 distance;
	u32 base_buffers;
	u32 max_held;
	struct mutex consumers_lock;	/* guards what follows */
	u32 consumers;
};

static inline u32 evnt_session_id(const struct evnt_session *s)
{
	return EVNTRACE_HANDLE_ID(s->handle);
}

/* Its modes; in those that keep buffers, what is kept is there */
static inline u32 evnt_session_mode(const struct evnt_session *s)
{
	/* Pairs with the release in writer.c */
	return smp_load_acquire(&s->mode);
}

/*
 * What it was told is somewhere else now, or going, as in the last of several
 * log files: it is to be told again.
 */
static inline void evnt_session_renew(struct evnt_session *s)
{
	atomic_inc(&s->renewals);
	evnt_manifests_renew(s);
}

/* A number that no session has had, and this one not before renewal; never 0 */
static inline u64 evnt_session_telling(const struct evnt_session *s)
{
	return (s->handle >> 16) << 32 | (u32)atomic_read(&s->renewals);
}

int evnt_session_check(const struct evnt_session *s, u32 rights);
int evnt_session_check_any(const struct evnt_session *s);
int evnt_session_admit_reader(struct evnt_session *s);
bool evnt_session_guard(struct evnt_session *s);
int evnt_session_check_change(const struct evnt_session *s);
void evnt_session_set_rights(struct evnt_session *s);
int evnt_session_keep_buffers(struct evnt_session *s);
int evnt_session_open_log(struct evnt_log *log, u32 mode, int fd, u64 name,
			  u32 name_len, u64 series);
int evnt_session_start(struct evntrace_start *arg, struct file *file,
		       void (*expire)(struct evnt_session *s));
int evnt_session_stopping(struct evnt_session *s);
int evnt_session_end(struct evnt_session *s, bool abandon, long timeout);
void __noreturn evnt_session_exit(struct evnt_session *s);
int evnt_session_add_consumer(struct evnt_session *s);
void evnt_session_remove_consumer(struct evnt_session *s);
int evnt_session_query(struct evnt_session *s, struct evntrace_session *arg);
int evnt_session_query_cpus(const struct evnt_session *s,
			    struct evntrace_query_cpus *arg);

struct evnt_session *evnt_session_lookup(u64 handle);
struct evnt_session *evnt_session_get(u64 handle);
struct evnt_session *evnt_session_get_started(u64 handle);
struct evnt_session *evnt_session_get_bound(struct file *file);
void evnt_session_put(struct evnt_session *s);
int evnt_session_find(struct evntrace_find *arg);
u32 evnt_sessions_list(u64 *handles);
u64 evnt_sessions_shown(void);

#endif /* EVNT_SESSION_H */
