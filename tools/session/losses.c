// SPDX-License-Identifier: MIT
/* Losses of a session, by kind */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/evnt.h"
#include "tools/session/losses.h"

/**
 * struct loss - a kind of loss
 * @key: name in JSON
 * @brief: name in a table
 * @cause: cause as part of a sentence; NULL: another session
 * @advice: suggested remedy; NULL for another session
 * @offset: offset of its counter in struct evntrace_session
 */
struct loss {
	const char *key;
	const char *brief;
	const char *cause;
	const char *advice;
	size_t offset;
};

static const struct loss losses[] = {
	{ "lost_no_buffer", "no buffer", "no buffer was free",
	  "start the session with more --buffers, or a larger --buffer-size",
	  offsetof(struct evntrace_session, events_no_buffer) },
	{ "lost_too_large", "too large", "they were too large for a buffer",
	  "start the session with a larger --buffer-size; an event has at most"
	  " 64 KB",
	  offsetof(struct evntrace_session, events_too_large) },
	{ "lost_unreadable", "unreadable",
	  "their data vanished while it was read",
	  "the machine may be short of memory",
	  offsetof(struct evntrace_session, events_unreadable) },
	{ "lost_unwritten", "not written",
	  "their buffers could not be written to the log file",
	  "is the disk full?",
	  offsetof(struct evntrace_session, events_unwritten) },
	{ "lost_blocked", "blocked", NULL, NULL,
	  offsetof(struct evntrace_session, events_blocked) },
};

#define LOSSES	(sizeof(losses) / sizeof(losses[0]))

static uint64_t number_of(const struct loss *loss,
			  const struct evntrace_session *info)
{
	__u64 number;

	memcpy(&number, (const char *)info + loss->offset, sizeof(number));
	return number;
}

void losses_since(struct evntrace_session *info,
		  const struct evntrace_session *before)
{
	for (size_t i = 0; i < LOSSES; i++) {
		__u64 since = number_of(&losses[i], info) -
			      number_of(&losses[i], before);

		memcpy((char *)info + losses[i].offset, &since, sizeof(since));
	}
	info->events_lost -= before->events_lost;
	info->buffers_lost -= before->buffers_lost;
	info->real_time_buffers_lost -= before->real_time_buffers_lost;
	if (info->log_errno == before->log_errno)
		info->log_errno = 0;
}

static void print_kind(FILE *to, int *kinds, uint64_t number, const char *what)
{
	if (number)
		fprintf(to, "%s%" PRIu64 " %s", (*kinds)++ ? ", " : " (",
			number, what);
}

char *losses_text(const struct evntrace_session *info, char text[LOSSES_TEXT])
{
	FILE *to = must_have(fmemopen(text, LOSSES_TEXT, "w"));
	int kinds = 0;

	fprintf(to, "%" PRIu64, (uint64_t)info->events_lost);
	for (size_t i = 0; i < LOSSES; i++)
		print_kind(to, &kinds, number_of(&losses[i], info),
			   losses[i].brief);
	print_kind(to, &kinds, info->buffers_lost, "buffers");
	print_kind(to, &kinds, info->real_time_buffers_lost,
		   "buffers for consumers");
	fputs(kinds ? ")" : "", to);
	fclose(to);
	return text;
}

#define ADVISE(loss, ...) \
	snprintf((loss)->advice, sizeof((loss)->advice), __VA_ARGS__)

/* Return whether a session lacks buffers, and keeps them for absent readers */
static bool is_unread(const struct evntrace_session *info)
{
	return info->log_file_mode & EVNTRACE_MODE_REAL_TIME &&
	       !info->consumers && info->events_no_buffer;
}

/* Describe losses that another session has caused */
static void describe_blocked(const struct dev_session *session, uint64_t number,
			     struct loss_text *loss)
{
	const struct evntrace_session *by = &session->blocking;

	if (!session->blocker[0]) {
		snprintf(loss->text, sizeof(loss->text), "LOST %" PRIu64
			 " events because another session, which has ended or"
			 " is not visible, had no room", number);
		ADVISE(loss, "a session that is started without --all-or-none"
		       " is independent of others");
		return;
	}
	snprintf(loss->text, sizeof(loss->text), "LOST %" PRIu64
		 " events because session '%s' (%u KB buffers%s) had no room",
		 number, session->blocker, by->buffer_size / 1024,
		 is_unread(by) ? ", not being read" : "");
	if (is_unread(by))
		ADVISE(loss, "'evnt stop %s' ends that session, 'evnt tail %s'"
		       " reads it", session->blocker, session->blocker);
	else
		ADVISE(loss, "start '%s' without --all-or-none, or with %s",
		       session->blocker, by->events_no_buffer ?
		       "more --buffers" : "a larger --buffer-size");
}

/*
 * Describe loss @at, and return whether there is any. 0 to LOSSES - 1 are lost
 * events, followed by other losses.
 */
static bool describe(const struct dev_session *session, size_t at,
		     struct loss_text *loss)
{
	const struct evntrace_session *info = &session->info;
	const uint64_t late = info->real_time_buffers_lost;
	uint64_t number;

	loss->advice[0] = '\0';
	switch (at) {
	case LOSSES:
		number = info->buffers_lost;
		snprintf(loss->text, sizeof(loss->text), "LOST %" PRIu64
			 " buffers that could not be written", number);
		/* Buffers that contained events are reported as lost events */
		return number && !info->events_unwritten;
	case LOSSES + 1:
		ADVISE(loss, "they must read faster, or the session needs"
		       " more --buffers");
		snprintf(loss->text, sizeof(loss->text), "LOST %" PRIu64
			 " buffers for real-time consumers that were too slow",
			 late);
		return late;
	case LOSSES + 2:
		snprintf(loss->text, sizeof(loss->text), "cannot write '%s':"
			 " %s", session->log_name, strerror(info->log_errno));
		if (info->log_errno == ENOSPC || info->log_errno == EDQUOT)
			ADVISE(loss, "make room there; the session retries"
			       " with each buffer; 'evnt update -o FILE'"
			       " switches to another file");
		else if (info->log_errno)
			ADVISE(loss, "the session retries with each buffer;"
			       " 'evnt update -o FILE' switches to another"
			       " file");
		return info->log_errno;
	}
	number = number_of(&losses[at], info);
	if (!losses[at].cause) {
		describe_blocked(session, number, loss);
		return number;
	}
	ADVISE(loss, "%s", losses[at].advice);
	snprintf(loss->text, sizeof(loss->text), "LOST %" PRIu64
		 " events because %s", number, losses[at].cause);
	return number;
}

bool losses_next(const struct dev_session *session, size_t *at,
		 struct loss_text *loss)
{
	while (*at < LOSSES + 3) {
		if (describe(session, (*at)++, loss))
			return true;
	}
	return false;
}

void report_losses(const struct dev_session *session)
{
	struct loss_text loss;

	for (size_t at = 0; losses_next(session, &at, &loss); )
		note("session '%s' %s%s%s", session->name, loss.text,
		     *loss.advice ? ": " : "", loss.advice);
}

void add_losses(json_object *object, const struct dev_session *session)
{
	const struct evntrace_session *info = &session->info;

	json_add_number(object, "events_lost", info->events_lost);
	json_add_number(object, "buffers_lost", info->buffers_lost);
	json_add_number(object, "real_time_buffers_lost",
			info->real_time_buffers_lost);
	for (size_t i = 0; i < LOSSES; i++)
		json_add_number(object, losses[i].key,
				number_of(&losses[i], info));
	if (session->blocker[0])
		json_add_text(object, "blocker", session->blocker);
	if (info->log_errno)
		json_add_text(object, "log_error", strerror(info->log_errno));
}
