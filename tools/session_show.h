/* SPDX-License-Identifier: MIT */
/* How a session is shown: to people, and as JSON. */
#ifndef EVNT_SESSION_SHOW_H
#define EVNT_SESSION_SHOW_H

#include "json.h"
#include "trace_door.h"

#define OWNER_TEXT	128

/* Process, user, command if it lives, and what is special; returns @text */
char *owner_text(const struct evntrace_session *info, char text[OWNER_TEXT]);

/* All there is to say; see evnt-sessions(1) for the keys */
json_object *session_object(const struct door_session *session);

/* What became of its events, as a sentence on stderr; then what it lost */
void tell_recorded(const struct door_session *session);

/* Explain why an act on a session failed; @act: what was tried, as "stop" */
int explain_act(const struct door_session *session, const char *act, int error);

#endif /* EVNT_SESSION_SHOW_H */
