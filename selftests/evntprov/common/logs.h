/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Several sessions of a test, each with a log file of its own: TEST0, TEST1,
 * ...
 */
#ifndef EVNT_TEST_LOGS_H
#define EVNT_TEST_LOGS_H

#include "selftests/evntprov/common/device.h"
#include "selftests/evntprov/common/etl_scan.h"

#define LOG_PATH_LEN	64

static inline const char *log_path(char *path, const char *test, unsigned int i)
{
	snprintf(path, LOG_PATH_LEN, "/tmp/%s%u.etl", test, i);
	return path;
}

/* Start session @i; returns 0 or an errno */
static inline int log_start(int trace, const char *test, unsigned int i,
			    const struct evntrace_start *properties,
			    __u64 *session)
{
	char name[LOG_PATH_LEN], path[LOG_PATH_LEN];

	snprintf(name, sizeof(name), "%s%u", test, i);
	return dev_start(trace, name, log_path(path, test, i), properties,
			 session);
}

/* Stop a session and read its log; returns an error text or NULL */
static inline const char *log_finish(int trace, const char *test,
				     unsigned int i, __u64 *session,
				     etl_event_fn fn, void *context)
{
	char path[LOG_PATH_LEN];
	struct etl_scan scan;

	if (dev_stop(trace, *session, NULL))
		return "it does not stop";
	*session = 0;
	return etl_scan(log_path(path, test, i), &scan, fn, context) ?
	       NULL : scan.error;
}

/* Stop remaining sessions, and remove the logs */
static inline void logs_remove(int trace, const char *test, __u64 *sessions,
			       unsigned int count)
{
	char path[LOG_PATH_LEN];
	unsigned int i;

	for (i = 0; i < count; i++) {
		if (sessions[i])
			dev_stop(trace, sessions[i], NULL);
		unlink(log_path(path, test, i));
	}
}

#endif /* EVNT_TEST_LOGS_H */
