/* SPDX-License-Identifier: MIT */
/*
 * Registered providers and their names; providers that a session has enabled,
 * and their parameters
 */
#ifndef EVNT_REGISTERED_H
#define EVNT_REGISTERED_H

#include <stddef.h>

#include <linux/evntrace.h>

#include "tools/session/provider_spec.h"
#include "tools/common/json.h"
#include "tools/session/control.h"

/* List all registrations in an array that the caller frees; return an errno */
int list_registrations(int device, struct evntrace_registration **registrations,
		       size_t *count);

/*
 * Look up the ids of providers in @specs that are given by the name they have
 * registered with. Return an exit code after reporting errors.
 */
int look_up_names(int device, struct spec_list *specs);

/*
 * Look up a provider's id among registrations. If none or several match, return
 * false and an explanation in *why, which the caller frees.
 */
bool look_up_in(struct spec *spec,
		const struct evntrace_registration *registrations,
		size_t count, char **why);

/*
 * Return a registered provider's name, possibly empty, for the caller to free
 */
char *registered_name(const struct evntrace_registration *registration);

/*
 * Return the names of registered providers that resemble a name, quoted and
 * joined by "or", for the caller to free; or NULL if there are none
 */
char *similar_registered(const char *wrote,
			 const struct evntrace_registration *registrations,
			 size_t count);

struct enabled_list {
	struct evntrace_enablement *enablements;
	size_t count;
};

/*
 * List a session's enablements; the caller frees them. Return an exit code
 * after reporting errors.
 */
int list_enabled(int device, __u64 handle, struct enabled_list *list);

/*
 * Return a JSON object of id, group, level, match_any, match_all, property and
 * filters
 */
json_object *enabled_object(int device,
			    const struct evntrace_enablement *enablement);

#endif /* EVNT_REGISTERED_H */
