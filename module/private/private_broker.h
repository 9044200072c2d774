/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Private sessions: requests to processes to run a session each.
 *
 *	controller --> private --> participants, --> owner of the file
 *	               sessions    one per file      queries and reports
 *	               (private_broker.c)  (participant.c)
 *
 * A participant links a private session with an open file of /dev/evntprov that
 * has registered the session's provider and is in its reach.  The owner of the
 * file is notified of changes and then queries the current state.  This bounds
 * the memory, as a change replaces an earlier one that was not queried yet.
 *
 * evnt_lock protects everything here unless stated otherwise.  Events are not
 * written through this code.
 */
#ifndef EVNT_PRIVATE_BROKER_H
#define EVNT_PRIVATE_BROKER_H

#include <linux/cred.h>
#include <linux/refcount.h>

#include "module/provider/filter_set.h"
#include "module/common/session_info.h"
#include "module/provider/provider.h"

/**
 * struct evnt_private_request_enabled - provider enabled by a private session
 * @node: in @enabled of the private session
 * @arg: enablement as participants get it, of @arg.size bytes with its filters
 * @filters: filters as participants get them
 */
struct evnt_private_request_enabled {
	struct list_head node;
	struct evntrace_enable arg;
	u8 filters[];
};

/**
 * struct evnt_private_request - private session
 * @node: in the list of private sessions, until it is stopped
 * @refs: references of the list, of participants and of running ioctls; atomic
 * @info: parameters for queries and participants; constant
 * @name: name; constant
 * @log_name: name of the log files
 * @filters: filters that select the processes; constant
 * @cred: credentials of the creator; constant
 * @is_privileged: the creator had CAP_SYS_PTRACE, so all processes are covered;
 *	constant
 * @owner: process of the creator; constant
 * @user: user charged for the private session; constant
 * @flush_ms: flush timer in milliseconds, or 0
 * @version: number of changes of @log_name, @flush_ms and the members below
 * @log_version: @version of the last change of @log_name
 * @flushes: number of flush requests
 * @is_stopping: it has left the list
 * @enabled: enabled providers
 * @enabled_count: number of elements of @enabled
 * @participants: participants
 * @unsettled: number of participants that have not reported the current
 *	@version; written under evnt_lock, read without it by waiters
 * @past: sum of the counters that former participants have reported
 * @error: errno of the last failure in a process
 */
struct evnt_private_request {
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
	struct list_head participants;
	atomic_t unsettled;
	struct evntprov_private past;
	u32 error;
};

/**
 * struct evnt_participant - participant of a private session
 * @in_request: in @participants of @request
 * @in_file: in @requests of @file
 * @request: the private session; holds a reference
 * @file: open file of /dev/evntprov
 * @has_requested: the owner has queried the private session
 * @report: last report, of which the version and the counters are used
 */
struct evnt_participant {
	struct list_head in_request;
	struct list_head in_file;
	struct evnt_private_request *request;
	struct evnt_prov_file *file;
	bool has_requested;
	struct evntprov_private report;
};

/* Right of a descriptor that is needed to change a private session */
#define EVNT_PRIVATE_CHANGE	EVNTRACE_RIGHT_CREATE_ONDISK

static inline bool evnt_is_private_handle(u64 handle)
{
	return handle & EVNTRACE_PRIVATE_HANDLE;
}

/* private_broker.c: requests of controllers */
int evnt_private_request_start(struct evntrace_start *arg);
void evnt_private_request_undo_start(u64 handle);
int evnt_private_request_open(struct evntrace_open *arg);
struct evnt_private_request *evnt_private_request_get(u64 handle);
int evnt_private_request_query(struct evnt_private_request *req, void *data);
int evnt_private_request_control(struct evnt_private_request *req, void *data);
int evnt_private_request_update(struct evnt_private_request *req, void *data);
int evnt_private_request_enable(struct evnt_private_request *req, void *data);
void *evnt_private_request_filters(u64 handle, const struct evntrace_list *arg,
				   u32 *len);
int evnt_private_request_check_query(const struct evnt_private_request *req);
struct evnt_private_request_enabled *
evnt_private_request_find(const struct evnt_private_request *req,
			  const struct evntprov_guid *provider);
bool evnt_private_request_reaches(const struct evnt_private_request *req,
				  const struct evnt_registration *r);
void evnt_private_request_put(struct evnt_private_request *req);
void evnt_private_requests_for_each(void (*fn)(struct evnt_private_request *req,
					       void *data),
				    void *data);

/* participant.c: participants */
int evnt_private_request_report_all(struct evnt_private_request *req);
void evnt_private_request_changed(struct evnt_private_request *req);
void evnt_private_request_dismiss(struct evnt_private_request *req);
void evnt_private_request_sum(const struct evnt_private_request *req,
			      struct evntrace_session *arg);
void evnt_private_requests_registered(struct evnt_registration *r);
void evnt_private_requests_leave(struct evnt_prov_file *pf);
int evnt_private_participate(struct evnt_prov_file *pf,
			     struct evntprov_private *arg);

/* rescue.c: events that a process could not write to its log */
int evnt_rescue_set(struct evnt_prov_file *pf,
		    const struct evntprov_rescue *arg);
void evnt_rescues_complete(struct evnt_prov_file *pf);
void evnt_rescues_destroy(struct evnt_prov_file *pf);

#endif /* EVNT_PRIVATE_BROKER_H */
