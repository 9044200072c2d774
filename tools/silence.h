/* SPDX-License-Identifier: MIT */
/*
 * Why a session has recorded nothing: what was seen of its providers while it ran,
 * and what it would have let through.
 */
#ifndef EVNT_SILENCE_H
#define EVNT_SILENCE_H

#include <linux/evntprov.h>

#include "spec.h"
#include "verdict.h"

/**
 * struct seen - what was seen of a provider, or group
 * @is_seen: a process had it registered
 * @registration: the last one, of those for which the session had enabled it if
 *	there were any
 * @who: its process, in words
 * @is_judged: @verdict is one
 * @verdict: what the session lets through of it
 */
struct seen {
	bool is_seen;
	struct evntrace_registration registration;
	char who[64];
	bool is_judged;
	struct verdict verdict;
};

/**
 * struct silence - all of a session's
 * @door: /dev/evntrace
 * @handle: the session
 * @specs: its providers, and groups
 * @seen: one for each
 */
struct silence {
	int door;
	__u64 handle;
	const struct spec_list *specs;
	struct seen *seen;
};

/* @specs stay as they are, and where */
void silence_begin(struct silence *s, int door, const struct spec_list *specs);

/* Looks who has registered them; what is short is seen if this is done often */
void silence_look(struct silence *s);

/* What the session lets through; it runs still */
void silence_judge(struct silence *s);

/* Tells the user, on stderr */
void silence_tell(const struct silence *s);

void silence_free(struct silence *s);

#endif /* EVNT_SILENCE_H */
