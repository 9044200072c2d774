/* SPDX-License-Identifier: MIT */
/*
 * EVENT_TRACE_PROPERTIES: checking of sizes and offsets, the names stored
 * behind it, and filling it in.
 */
#ifndef EVNT_PROPERTIES_H
#define EVNT_PROPERTIES_H

#include <linux/evntrace.h>

#include "evntrace.h"
#include "lib/base/internal.h"

/*
 * Names of a session, in UTF-16; @log is NULL if the session has no file, which
 * must not exist if @is_new.  @zone is the time zone if it is known.
 */
struct evnt_session_names {
	WCHAR *session;
	WCHAR *log;
	bool is_new;
	const TIME_ZONE_INFORMATION *zone;
};

ULONG evnt_name_get(WCHAR **to, const void *name, bool wide);
ULONG evnt_log_name_get(WCHAR **to, const EVENT_TRACE_PROPERTIES *p, bool wide);
ULONG evnt_names_get(struct evnt_session_names *names, const EVENT_TRACE_PROPERTIES *p,
		     const void *session, bool wide);
void evnt_names_free(struct evnt_session_names *names);

const EVENT_TRACE_PROPERTIES_V2 *
evnt_properties_filters(const EVENT_TRACE_PROPERTIES *p);
ULONG evnt_properties_check_offsets(const EVENT_TRACE_PROPERTIES *p);
bool evnt_is_kernel_logger(const WCHAR *name);
ULONG evnt_properties_check_control(const EVENT_TRACE_PROPERTIES *p,
				    const void *name, bool wide);
ULONG evnt_properties_check(const EVENT_TRACE_PROPERTIES *p, const void *name,
			    bool wide);
void evnt_properties_fill(EVENT_TRACE_PROPERTIES *p,
			  const struct evntrace_session *info);
ULONG evnt_properties_put_name(EVENT_TRACE_PROPERTIES *p, ULONG offset,
			       const WCHAR *name, bool wide);
TIME_ZONE_INFORMATION evnt_time_zone(void);

#endif /* EVNT_PROPERTIES_H */
