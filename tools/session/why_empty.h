/* SPDX-License-Identifier: MIT */
/*
 * Explains why a session has recorded nothing: tracks the registrations of its
 * providers while it runs, and the events that it would record of them
 */
#ifndef EVNT_WHY_EMPTY_H
#define EVNT_WHY_EMPTY_H

#include <linux/evntrace.h>

#include "tools/session/provider_spec.h"
#include "tools/doctor/explain.h"

/**
 * struct seen - registrations seen of a provider or group
 * @is_seen: a process has registered it
 * @registration: latest registration, preferably one that the session is
 *   enabled for
 * @subject: description of its process
 * @is_evaluated: @selection is valid
 * @selection: events that the session records of it
 */
struct seen {
	bool is_seen;
	struct evntrace_registration registration;
	char subject[64];
	bool is_evaluated;
	struct explanation selection;
};

/**
 * struct why_empty - registrations seen of a session's providers
 * @device: descriptor of /dev/evntrace
 * @handle: session handle
 * @specs: providers and groups of the session
 * @seen: registrations seen of each
 */
struct why_empty {
	int device;
	__u64 handle;
	const struct spec_list *specs;
	struct seen *seen;
};

/* Begin observing. @specs must not change or move. */
void why_empty_begin(struct why_empty *s, int device,
		     const struct spec_list *specs);

/*
 * Record the current registrations. Short-lived ones are only seen if this is
 * called often.
 */
void why_empty_look(struct why_empty *s);

/* Determine which events the session records, while it still runs */
void why_empty_evaluate(struct why_empty *s);

/*
 * Report the reasons on stderr. @end: properties of the stopped session, whose
 * counts include processes that ran too short to be seen; @path: log file, or
 * NULL, which names them
 */
void why_empty_report(const struct why_empty *s,
		      const struct evntrace_session *end, const char *path);

void why_empty_free(struct why_empty *s);

#endif /* EVNT_WHY_EMPTY_H */
