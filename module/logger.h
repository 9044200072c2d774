/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Private loggers: orders to have a session in each process of some.
 *
 *	controller --> loggers --> members, one for each file --> its owner asks,
 *	               (logger.c)  (logger_member.c)              and reports
 *
 * A member is a pair of a logger and a file of /dev/evntprov that has registered
 * the logger's provider, and is in its reach.  Files are told that there is
 * something new, and ask what: so memory is bounded, and a change that comes
 * before an earlier one was asked for takes its place.
 *
 * evnt_lock guards all that is here, but where it says otherwise.  No event is
 * written by way of it.
 */
#ifndef EVNT_LOGGER_H
#define EVNT_LOGGER_H

#include <linux/cred.h>
#include <linux/refcount.h>

#include "filters.h"
#include "name.h"
#include "provider.h"

/**
 * struct evnt_logger_counts - what processes have reported
 * @events: as in struct evntrace_session, and so on
 */
struct evnt_logger_counts {
	u64 events;
	u64 events_lost;
	u64 buffers_written;
	u64 buffers_lost;
	u32 buffers;
	u32 free_buffers;
};

/**
 * struct evnt_logger_enabled - a provider that a logger has enabled
 * @node: in @enabled of the logger
 * @arg: how
 * @filters: its filters, or NULL
 * @version: the logger's, when that was set
 * @captures: how often the provider was asked for its state
 */
struct evnt_logger_enabled {
	struct list_head node;
	struct evntrace_enable arg;
	struct evnt_filters *filters;
	u32 version;
	u32 captures;
};

/**
 * struct evnt_logger - a private logger
 * @node: in the table, until it is stopped
 * @refs: the table's, members', and of each ioctl under way; atomic
 * @info: what queries tell, and processes are told, and nothing changes; constant
 * @name: its name; constant
 * @log_name: that of its log files
 * @filters: what processes it is for; constant
 * @cred: who started it; constant
 * @is_privileged: he may reach all processes; constant
 * @owner: his process; constant
 * @user: the user that is charged for it; constant
 * @flush_ms: flush timer, or 0
 * @version: counts changes of what is below, and of @log_name and @flush_ms
 * @log_version: which of them was the last of @log_name
 * @flushes: counts flushes
 * @is_stopping: it has left the table
 * @enabled: what it has enabled
 * @enabled_count: how many
 * @members: who takes part
 * @unsettled: of these, how many have yet to deal with changes; read without the
 *	lock by who waits
 * @past: sums of what those reported that take part no more
 * @error: what a process failed with last: an errno
 */
struct evnt_logger {
	struct list_head node;
	refcount_t refs;
	struct evntrace_session info;
	struct evnt_name *name;
	struct evnt_name *log_name;
	struct evnt_filters *filters;
	const struct cred *cred;
	bool is_privileged;
	struct pid *owner;
	struct evnt_user *user;
	u32 flush_ms;
	u32 version;
	u32 log_version;
	u32 flushes;
	bool is_stopping;
	struct list_head enabled;
	u32 enabled_count;
	struct list_head members;
	u32 unsettled;
	struct evnt_logger_counts past;
	u32 error;
};

/**
 * struct evnt_logger_member - a file that takes part in a logger
 * @in_logger: in @members of @logger
 * @in_file: in @loggers of @file
 * @logger: the logger; a reference
 * @file: the file
 * @version: up to which of the logger's changes it has reported
 * @has_asked: it knows the logger
 * @counts: what it reported last
 */
struct evnt_logger_member {
	struct list_head in_logger;
	struct list_head in_file;
	struct evnt_logger *logger;
	struct evnt_prov_file *file;
	u32 version;
	bool has_asked;
	struct evnt_logger_counts counts;
};

static inline bool evnt_is_logger(u64 handle)
{
	return handle & EVNTRACE_LOGGER_HANDLE;
}

/* logger.c: what controllers do */
int evnt_logger_start(struct evntrace_start *arg);
void evnt_logger_undo_start(u64 handle);
int evnt_logger_find(struct evntrace_find *arg);
int evnt_logger_query(struct evntrace_session *arg);
int evnt_logger_flush(struct evntrace_session *arg);
int evnt_logger_stop(struct evntrace_session *arg);
int evnt_logger_update(const struct evntrace_update *arg);
int evnt_logger_enable(const struct evntrace_enable *arg);
int evnt_logger_enable_wait(const struct evntrace_enable *arg);
void *evnt_logger_filters(struct evntrace_filters *arg);
int evnt_logger_check_query(const struct evnt_logger *l);
bool evnt_logger_reaches(const struct evnt_logger *l,
			 const struct evnt_registration *r);
void evnt_logger_put(struct evnt_logger *l);
void evnt_loggers_for_each(void (*fn)(struct evnt_logger *l, void *data),
			   void *data);

/* logger_member.c: who takes part */
int evnt_logger_tell_all(struct evnt_logger *l);
void evnt_logger_changed(struct evnt_logger *l);
void evnt_logger_dismiss(struct evnt_logger *l);
int evnt_logger_wait(struct evnt_logger *l, u32 timeout_ms);
struct evnt_logger_counts evnt_logger_sum(const struct evnt_logger *l,
					  u32 *processes);
void evnt_loggers_registered(struct evnt_registration *r);
void evnt_loggers_leave(struct evnt_prov_file *pf);
int evnt_loggers_take_part(struct evnt_prov_file *pf,
			   const struct evntprov_loggers *arg);
int evnt_loggers_next(struct evnt_prov_file *pf, struct evntprov_logger *arg);
int evnt_loggers_enabled(struct evnt_prov_file *pf,
			 struct evntprov_logger_enabled *arg);
int evnt_loggers_report(struct evnt_prov_file *pf,
			const struct evntprov_logger_report *arg);

#endif /* EVNT_LOGGER_H */
