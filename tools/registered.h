/* SPDX-License-Identifier: MIT */
/* Registered providers: who has registered what, and what it is called. */
#ifndef EVNT_REGISTERED_H
#define EVNT_REGISTERED_H

#include <stddef.h>

#include <linux/evntprov.h>

#include "spec.h"

/* All registrations; an errno; an array to be freed by the caller */
int list_registrations(int door, struct evntrace_registration **registrations,
		       size_t *count);

/*
 * Finds the ids of the providers in @specs that are written by the name that
 * they registered with.  Returns an exit code; the user was told.
 */
int look_up_names(int door, struct spec_list *specs);

/*
 * Finds the id of one provider among registrations; if there is none, or several,
 * *why says so, which is to be freed
 */
bool look_up_in(struct spec *spec,
		const struct evntrace_registration *registrations,
		size_t count, char **why);

/* What a provider calls itself, to be freed; may be empty */
char *registered_name(const struct evntrace_registration *registration);

#endif /* EVNT_REGISTERED_H */
