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
#include <linux/refcount.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "buffer.h"
#include "logfile.h"
#include "module.h"

/* A name in UTF-16, as the caller gave it */
struct evnt_name {
	u16 *text;
	u32 len;
};

enum evnt_session_state {
	EVNT_STARTING,	/* has its id and name, nothing else */
	EVNT_RUNNING,
	EVNT_STOPPING,
};

/**
 * struct evnt_session - one session
 * @buffers: its buffers
 * @log: its log file; the writer thread's
 * @handle: how controllers name it; its id is in it
 * @info: what a query returns and does not change; constant
 * @name: its name; constant
 * @log_name: its log file's name; constant
 * @flush_ms: flush timer, or 0; read by the writer at any time
 * @refs: the table's, and of each ioctl under way
 * @state: what can be done with it; evnt_lock
 * @bound_to: the open file whose closing ends it, or NULL; evnt_lock
 * @writer: the thread
 * @started: the thread runs
 * @wake: wakes the writer from any context
 * @work: what the writer waits on
 * @flush_wanted: number of the last flush that was asked for
 * @flush_done: number of the last flush that is done
 * @flushed: who waits for @flush_done
 * @is_full: @expire was called; the writer's
 * @expire: what to do when the log has reached its limit; constant
 * @expired: for @expire
 */
struct evnt_session {
	struct evnt_buffers buffers;
	struct evnt_log log;
	u64 handle;
	struct evntrace_session info;
	struct evnt_name name;
	struct evnt_name log_name;
	u32 flush_ms;
	refcount_t refs;
	enum evnt_session_state state;
	struct file *bound_to;
	struct task_struct *writer;
	struct completion started;
	struct irq_work wake;
	wait_queue_head_t work;
	atomic64_t flush_wanted;
	atomic64_t flush_done;
	wait_queue_head_t flushed;
	bool is_full;
	void (*expire)(struct evnt_session *s);
	struct work_struct expired;
};

static inline u32 evnt_session_id(const struct evnt_session *s)
{
	return EVNTRACE_HANDLE_ID(s->handle);
}

int evnt_session_start(struct evntrace_start *arg, struct file *file,
		       void (*expire)(struct evnt_session *s));
int evnt_session_stopping(struct evnt_session *s);
void evnt_session_end(struct evnt_session *s);
int evnt_session_query(struct evnt_session *s, struct evntrace_session *arg);

struct evnt_session *evnt_session_lookup(u64 handle);
struct evnt_session *evnt_session_get(u64 handle);
struct evnt_session *evnt_session_get_bound(struct file *file);
void evnt_session_put(struct evnt_session *s);
int evnt_session_find(struct evntrace_find *arg);
u32 evnt_sessions_list(u64 *handles);

#endif /* EVNT_SESSION_H */
