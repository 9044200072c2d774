// SPDX-License-Identifier: MIT
/* Writes the events that a session has in memory to a log file */
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <evntrace.h>

#include "lib/base/properties.h"
#include "lib/control/trace_snapshot.h"
#include "tools/common/win32.h"
#include "tools/evnt.h"
#include "tools/session/session_snapshot.h"

static int explain(const char *name, const char *file, ULONG code)
{
	switch (code) {
	case ERROR_NOT_SUPPORTED:
		return failed("session '%s' keeps no events in memory: start it"
			      " with --buffering or --real-time; 'evnt flush'"
			      " makes other sessions write their file", name);
	case ERROR_WMI_INSTANCE_NOT_FOUND:
		return failed("session '%s' has already ended", name);
	case ERROR_ACCESS_DENIED:
		return failed("no permission to write '%s', or for session"
			      " '%s': its owner and root have it, and users that"
			      " 'evnt access list' shows; call stacks need"
			      " CAP_PERFMON", file, name);
	case ERROR_PATH_NOT_FOUND:
	case ERROR_BAD_PATHNAME:
		return failed("cannot create '%s': does its directory exist,"
			      " and does no session write to it?", file);
	case ERROR_DISK_FULL:
		return failed("no space left for '%s', which is empty now",
			      file);
	default:
		return failed("cannot write session '%s' to '%s': %s (error"
			      " %u)", name, file, win32_text(code), code);
	}
}

int take_snapshot(int device, const struct dev_session *session,
		  const char *file, struct evntrace_snapshot *done)
{
	static const ULONG keeps = EVENT_TRACE_BUFFERING_MODE |
				   EVENT_TRACE_REAL_TIME_MODE;
	WCHAR *wide = NULL;
	int error, fd;
	ULONG code;

	/* Refuse before the file is created or truncated */
	if (!(session->info.log_file_mode & keeps))
		return explain(session->name, file, ERROR_NOT_SUPPORTED);
	code = evnt_name_get(&wide, file, false);
	if (code)
		return explain(session->name, file, code);
	error = dev_open_session(device, session->info.handle, &fd);
	if (error) {
		code = evnt_win32(error);
	} else {
		code = evnt_trace_snapshot(fd, wide, done);
		close(fd);
	}
	free(wide);
	return code ? explain(session->name, file, code) : EVNT_DONE;
}

uint64_t size_of(const char *file)
{
	struct stat st;

	return stat(file, &st) ? 0 : st.st_size;
}

void report_snapshot(const struct dev_session *session, const char *file,
		     const struct evntrace_snapshot *done)
{
	note("%" PRIu64 " events kept; '%s' has %" PRIu64 " bytes",
	     (uint64_t)done->events, file, size_of(file));
	/* This may be a mistake, so suggest a check */
	if (!done->events)
		note("session '%s' had no event in memory: is a provider"
		     " enabled? 'evnt query %s' lists them", session->name,
		     session->name);
}
