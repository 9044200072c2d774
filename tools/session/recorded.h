/* SPDX-License-Identifier: MIT */
/* Summary of a stopped session's events: kept, overwritten and lost */
#ifndef EVNT_RECORDED_H
#define EVNT_RECORDED_H

#include "tools/session/control.h"

#define RECORDED_TEXT	(sizeof(((struct dev_session *)NULL)->log_name) + 192)

/*
 * Format the numbers of recorded and lost events, and the contents of the log
 * file; return @text
 */
char *recorded_text(const struct dev_session *session,
		    char text[RECORDED_TEXT]);

#endif /* EVNT_RECORDED_H */
