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
#include "logfile.h"
#include "module.h"

enum evnt_session_state {
	EVNT_STARTING,	/* has its id and name, nothing else */
	EVNT_RUNNING,
	EVNT_STOPPING,
};

/**
 * struct evnt_session - one session
 * @buffers: its buffers
 * @backlog: finished buffers that are kept, in the modes that do so
 * @log: its log file; the writer thread's, which holds @log_lock when it puts
 *	another one in its place
 * @past: what was in the logs that were in its place before; @log_lock
 * @log_lock: held for a moment by who looks at @log and is not the writer
 * @next_log: what is to be in the place of @log, or NULL; @log_lock
 * @next_flush: the flush from which on it is; @log_lock
 * @turn_flush: the flush with which the next log of its series is to come, or
 *	0; @log_lock
 * @turn_error: what became of that; written before the flush is done, read
 *	after it
 * @switch_lock: held as long as somebody waits for @next_log to be taken, or
 *	for @turn_flush; before @log_lock
 * @handle: how controllers name it; its id is in it
 * @header: how its first log began, for consumers and snapshots, in the modes
 *	that keep buffers; constant
 * @snapshot_lock: one snapshot at a time
 * @info: what a query returns and does not change; constant
 * @name: its name; constant
 * @owner: who started it; constant
 * @flush_ms: flush timer, or 0; read by the writer at any time
 * @refs: the table's, and of each ioctl under way
 * @state: what can be done with it; evnt_lock
 * @bound_to: the open file whose closing ends it, or NULL; evnt_lock
 * @writer: the thread
 * @started: the thread runs
 * @wake: wakes the writer from any context
 * @work: what the writer waits on
 * @close_wanted: the next flush is to close all buffers
 * @flush_wanted: number of the last flush that was asked for
 * @flush_done: number of the last flush that is done
 * @flushed: who waits for @flush_done
 * @is_full: @expire was called; the writer's
 * @expire: what to do when the log has reached its limit; constant
 * @expired: for @expire
 * @capture: providers that it asks for their state
 * @rights: what starting and changing it takes: EVNTRACE_RIGHT_*; constant
 * @distance: buffers so far behind the newest are closed, so that consumers need
 *	not wait; 0: there are none; constant
 * @max_held: how many buffers a consumer may hold; constant
 * @consumers_lock: guards the following, and growing of @buffers
 * @consumers: how many there are
 * @most_consumers: how many there were at a time
 */
struct evnt_session {
	struct evnt_buffers buffers;
	struct evnt_backlog backlog;
	struct evnt_log log;
	struct evnt_log_totals past;
	struct mutex log_lock;		/* guards what names it above */
	struct evnt_log *next_log;
	s64 next_flush;
	s64 turn_flush;
	int turn_error;
	struct mutex switch_lock;	/* one at a time waits for a switch */
	u64 handle;
	u8 *header;
	struct mutex snapshot_lock;	/* guards nothing: see above */
	struct evntrace_session info;
	struct evnt_name *name;
	struct pid *owner;
	u32 flush_ms;
	refcount_t refs;
	enum evnt_session_state state;
	struct file *bound_to;
	struct task_struct *writer;
	struct completion started;
	struct irq_work wake;
	wait_queue_head_t work;
	bool close_wanted;
	atomic64_t flush_wanted;
	atomic64_t flush_done;
	wait_queue_head_t flushed;
	bool is_full;
	void (*expire)(struct evnt_session *s);
	struct work_struct expired;
	struct evnt_capture capture;
	u32 rights;
	u32 distance;
	u32 max_held;
	struct mutex consumers_lock;	/* guards what follows */
	u32 consumers;
	u32 most_consumers;
};

static inline u32 evnt_session_id(const struct evnt_session *s)
{
	return EVNTRACE_HANDLE_ID(s->handle);
}

int evnt_session_check_change(const struct evnt_session *s);
int evnt_session_start(struct evntrace_start *arg, struct file *file,
		       void (*expire)(struct evnt_session *s));
int evnt_session_stopping(struct evnt_session *s);
void evnt_session_end(struct evnt_session *s, bool abandon);
int evnt_session_switch_log(struct evnt_session *s,
			    const struct evntrace_update *arg);
int evnt_session_follow_log(struct evnt_session *s);
int evnt_session_add_consumer(struct evnt_session *s);
void evnt_session_remove_consumer(struct evnt_session *s);
int evnt_session_query(struct evnt_session *s, struct evntrace_session *arg);

struct evnt_session *evnt_session_lookup(u64 handle);
struct evnt_session *evnt_session_get(u64 handle);
struct evnt_session *evnt_session_get_bound(struct file *file);
void evnt_session_put(struct evnt_session *s);
int evnt_session_find(struct evntrace_find *arg);
u32 evnt_sessions_list(u64 *handles);

#endif /* EVNT_SESSION_H */
