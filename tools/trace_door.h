/* SPDX-License-Identifier: MIT */
/*
 * The ioctls of /dev/evntrace that the tools use.  Functions that can fail
 * return 0 or an errno; those that say so have told the user already.
 */
#ifndef EVNT_TRACE_DOOR_H
#define EVNT_TRACE_DOOR_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/evntprov.h>

#include "format.h"

/**
 * struct door_session - a session, with its names as UTF-8
 * @info: what the module says
 * @name: its name
 * @log_name: its log file's name
 */
struct door_session {
	struct evntrace_session info;
	char name[UTF16_TEXT(EVNTRACE_MAX_NAME)];
	char log_name[UTF16_TEXT(EVNTRACE_MAX_NAME)];
};

/* The door's descriptor; or -1, and the user was told what to do */
int door_open(void);

/*
 * What an errno of the module says, and what to do; @error is one that has no better
 * words where it happened
 */
const char *door_error(int error);

/* @elements is an array of *count, to be freed by the caller */
int door_list(int door, __u32 what, size_t element_size, void **elements,
	      size_t *count);

/* Whether what is enabled is a group */
static inline bool is_group(const struct evntrace_enablement *enablement)
{
	return enablement->property & EVNTRACE_PROPERTY_PROVIDER_GROUP;
}

/* Filters of a provider or group; @arg says how many there are, and what they take */
int door_filters(int door, const struct evntrace_enablement *enablement,
		 void *to, size_t room, struct evntrace_filters *arg);

/* *session is as it was after a failure */
int door_query(int door, __u64 handle, struct door_session *session);
int door_stop(int door, __u64 handle, struct door_session *session);
int door_increment(int door, __u64 handle, struct door_session *session);
int door_flush(int door, __u64 handle, struct door_session *session);

/* Whether a session is in other processes */
static inline bool is_logger(const struct evntrace_session *info)
{
	return info->handle & EVNTRACE_LOGGER_HANDLE;
}

/* Of such a one: the name of its logs, or NULL, and the flush timer, or 0 */
int door_update_logger(int door, __u64 handle, const char *log_name,
		       __u32 flush_ms);

#endif /* EVNT_TRACE_DOOR_H */
