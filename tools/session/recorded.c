// SPDX-License-Identifier: MIT
/* Summary of a stopped session's events: kept, overwritten and lost */
#include <inttypes.h>
#include <stdio.h>

#include "tools/session/recorded.h"

/* Return the number of buffers in a circular file if it has overwritten some */
static uint64_t circular_rest(const struct evntrace_session *info)
{
	if (!(info->log_file_mode & EVNTRACE_MODE_CIRCULAR) ||
	    !info->buffer_size ||
	    info->buffers_written <= info->bytes_written / info->buffer_size)
		return 0;
	return info->bytes_written / info->buffer_size;
}

/* Format the log files of a private session, one of each process */
static void private_text(const struct dev_session *session, char *text)
{
	const struct evntrace_session *info = &session->info;
	/* Events of lost buffers, and overwritten ones, are not counted */
	const bool kept = !info->buffers_lost &&
			  !(info->log_file_mode & EVNTRACE_MODE_CIRCULAR);

	snprintf(text, RECORDED_TEXT, "%" PRIu64 " events %s, %" PRIu64
		 " lost, in '%s_PID' of each process", (uint64_t)info->events,
		 kept ? "kept" : "accepted", (uint64_t)info->events_lost,
		 session->log_name);
}

char *recorded_text(const struct dev_session *session,
		    char text[RECORDED_TEXT])
{
	const struct evntrace_session *info = &session->info;
	const uint64_t lost = info->events_lost, rest = circular_rest(info);
	uint64_t events = info->events;

	if (is_logger(info)) {
		private_text(session, text);
		return text;
	}
	if (!session->log_name[0]) {
		snprintf(text, RECORDED_TEXT, "%" PRIu64 " events accepted, %"
			 PRIu64 " lost; the session had no log file", events,
			 lost);
		return text;
	}
	/* Unwritten events had been accepted; they are counted as lost */
	events -= events < info->events_unwritten ? events :
						    info->events_unwritten;
	if (rest)
		snprintf(text, RECORDED_TEXT, "%" PRIu64 " events written, %"
			 PRIu64 " lost; '%s' has %" PRIu64 " bytes, the newest %"
			 PRIu64 " of %" PRIu64 " buffers: older ones were"
			 " overwritten", events, lost, session->log_name,
			 (uint64_t)info->bytes_written, rest,
			 (uint64_t)info->buffers_written);
	else
		snprintf(text, RECORDED_TEXT, "%" PRIu64 " events kept, %"
			 PRIu64 " lost; '%s' has %" PRIu64 " bytes", events,
			 lost, session->log_name,
			 (uint64_t)info->bytes_written);
	return text;
}
