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

#endif /* EVNT_REGISTERED_H */
