/* SPDX-License-Identifier: MIT */
/* What a session has lost, by kind: told unasked by whatever shows a session. */
#ifndef EVNT_LOSSES_H
#define EVNT_LOSSES_H

#include "json.h"
#include "trace_door.h"

#define LOSSES_TEXT	256

/* How many events, and in short why; returns @text */
char *losses_text(const struct evntrace_session *info, char text[LOSSES_TEXT]);

/**
 * struct loss_text - a kind of loss, in words
 * @text: what was lost, and why; what the session does
 * @advice: what may help, or nothing
 */
struct loss_text {
	char text[sizeof(((struct door_session *)NULL)->log_name) + 128];
	const char *advice;
};

/* The next kind that there is; *@at is 0 for the first.  false: no more. */
bool losses_next(const struct door_session *session, size_t *at,
		 struct loss_text *loss);

/* A line on stderr for each kind, with what may help; none if all is well */
void tell_losses(const struct door_session *session);

/* Leave in @info what was lost since it was as @before */
void losses_since(struct evntrace_session *info,
		  const struct evntrace_session *before);

/* events_lost, buffers_lost, and a key for each kind */
void add_losses(json_object *object, const struct evntrace_session *info);

#endif /* EVNT_LOSSES_H */
