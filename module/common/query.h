/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Property checks and queries common to sessions and private sessions.
 */
#ifndef EVNT_QUERY_H
#define EVNT_QUERY_H

#include <linux/pid.h>

#include "module/common/name.h"

int evnt_start_check(const struct evntrace_start *arg);
void evnt_query_begin(struct evntrace_session *arg,
		      const struct evntrace_session *info, struct pid *owner);
int evnt_query_names(struct evntrace_session *arg, const struct evnt_name *name,
		     const struct evnt_name *log_name);

#endif /* EVNT_QUERY_H */
