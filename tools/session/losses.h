/* SPDX-License-Identifier: MIT */
/* Losses of a session, by kind. All output about a session shows them. */
#ifndef EVNT_LOSSES_H
#define EVNT_LOSSES_H

#include "tools/common/json.h"
#include "tools/session/control.h"

#define LOSSES_TEXT	256

/* Format the number of lost events and the causes in brief; return @text */
char *losses_text(const struct evntrace_session *info, char text[LOSSES_TEXT]);

/**
 * struct loss_text - description of a loss
 * @text: the loss and its cause
 * @advice: suggested remedy, or empty
 */
struct loss_text {
	char text[sizeof(((struct dev_session *)NULL)->log_name) + 128];
	char advice[sizeof(((struct dev_session *)NULL)->blocker) * 2 + 64];
};

/*
 * Return the next loss of a session in @loss. *@at is 0 for the first. Return
 * false at the end.
 */
bool losses_next(const struct dev_session *session, size_t *at,
		 struct loss_text *loss);

/* Print a line with advice on stderr for each kind of loss */
void report_losses(const struct dev_session *session);

/* Reduce the counters in @info to the losses since @before */
void losses_since(struct evntrace_session *info,
		  const struct evntrace_session *before);

/*
 * Add events_lost, buffers_lost, a key for each kind, and the session that has
 * caused losses
 */
void add_losses(json_object *object, const struct dev_session *session);

#endif /* EVNT_LOSSES_H */
