/* SPDX-License-Identifier: MIT */
/*
 * Ioctls of /dev/evntrace used by the tools. Functions that can fail return 0
 * or an errno. Unless noted, they do not report errors.
 */
#ifndef EVNT_CONTROL_H
#define EVNT_CONTROL_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/evntrace.h>

#include "decode/format.h"

/**
 * struct dev_session - a session, with its names in UTF-8
 * @info: properties from the module
 * @name: session name
 * @log_name: name of the log file
 * @blocker: name of the session that is @blocker in @info; empty if there is
 *	none, or it has ended, or the caller may not query it
 * @blocking: properties of that session, if @blocker is not empty
 */
struct dev_session {
	struct evntrace_session info;
	char name[UTF16_TEXT(EVNTRACE_MAX_NAME)];
	char log_name[UTF16_TEXT(EVNTRACE_MAX_NAME)];
	char blocker[UTF16_TEXT(EVNTRACE_MAX_NAME)];
	struct evntrace_session blocking;
};

/* Open the device; return its descriptor, or -1 after reporting an error */
int dev_open(void);

/*
 * Describe an errno of the module and suggest a remedy, for errors without a
 * more specific message
 */
const char *dev_error(int error);

/* List elements in an array of *count, freed by the caller */
int dev_list(int device, __u32 kind, size_t element_size, void **elements,
	     size_t *count);

/* Return whether an enablement is for a group */
static inline bool is_group(const struct evntrace_enablement *enablement)
{
	return enablement->property & EVNTRACE_PROPERTY_PROVIDER_GROUP;
}

/* Open a session, with all rights that the caller has */
int dev_open_session(int device, __u64 handle, int *session);

/* List objects of a session, of the kind in @list */
int dev_list_of(int device, __u64 handle, struct evntrace_list *list,
		void **elements, size_t *count);

/*
 * List the counters of a session, by processor, and behind these by ring; none
 * for a session that has ended. The caller frees *cpus.
 */
void dev_list_cpus(int device, __u64 handle, struct evntrace_cpu **cpus,
		   size_t *count);

/* These functions leave @session unchanged on failure */
int dev_query(int device, __u64 handle, struct dev_session *session);
int dev_stop(int device, __u64 handle, struct dev_session *session);
int dev_increment(int device, __u64 handle, struct dev_session *session);
int dev_flush(int device, __u64 handle, struct dev_session *session);

/* Return whether a session is private, and so runs in other processes */
static inline bool is_logger(const struct evntrace_session *info)
{
	return info->handle & EVNTRACE_PRIVATE_HANDLE;
}

/* Write a snapshot to the file in @arg */
int dev_snapshot(int device, __u64 handle, struct evntrace_snapshot *arg);

/* Update a private session: log file name, or NULL, and flush timer, or 0 */
int dev_update_logger(int device, __u64 handle, const char *log_name,
		      __u32 flush_ms);

#endif /* EVNT_CONTROL_H */
