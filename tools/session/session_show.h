/* SPDX-License-Identifier: MIT */
/* Shows a session as text and as JSON */
#ifndef EVNT_SESSION_SHOW_H
#define EVNT_SESSION_SHOW_H

#include "tools/common/json.h"
#include "tools/session/control.h"

#define OWNER_TEXT	128

/*
 * Format the process, user and command of the owner, and special states; return
 * @text
 */
char *owner_text(const struct evntrace_session *info, char text[OWNER_TEXT]);

/* Return all properties of a session; see evnt-sessions(1) for the keys */
json_object *session_object(const struct dev_session *session);

/* Print a summary of the recorded events and the losses on stderr */
void report_recorded(const struct dev_session *session);

/*
 * Explain why an action on a session has failed. @act names it, such as "stop".
 */
int explain_act(const struct dev_session *session, const char *act, int error);

#endif /* EVNT_SESSION_SHOW_H */
