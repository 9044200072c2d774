// SPDX-License-Identifier: MIT
/*
 * Determines whether a session accepts a registration, by its process, group
 * and rights
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <evntprov.h>

#include "tools/evnt.h"
#include "tools/doctor/explain.h"

/* Return whether the session excludes the provider from groups */
static bool is_disallowed(const struct court *court,
			  const struct evntprov_guid *provider)
{
	struct evntrace_list arg = {
		.size = sizeof(arg),
		.kind = EVNTRACE_LIST_DISALLOWED,
		.element_size = sizeof(*provider),
	};
	const struct evntprov_guid *ids;
	bool found = false;
	void *elements;
	size_t count;

	dev_list_of(court->device, court->session->info.handle, &arg, &elements,
		    &count);
	ids = elements;
	for (size_t i = 0; i < count && !found; i++)
		found = !memcmp(&ids[i], provider, sizeof(*provider));
	free(elements);
	return found;
}

/* Return the wording of a process filter, or NULL for other filters */
static const char *process_rule(const struct evntrace_filter *info)
{
	switch (info->type) {
	case EVENT_FILTER_TYPE_PID:
		return "of the processes";
	case EVENT_FILTER_TYPE_EXECUTABLE_NAME:
		return "of processes that run";
	case EVENT_FILTER_TYPE_PACKAGE_ID:
		return "of processes of package";
	case EVENT_FILTER_TYPE_PACKAGE_APP_ID:
		return "of processes of application";
	}
	return NULL;
}

/*
 * Return the conditions on processes, empty if there are none; the caller frees
 * the text
 */
static char *rules_text(const struct filter_list *filters)
{
	const struct evntrace_filter *info;
	const char *rule, *before = "";
	char *text, *value;
	size_t size;
	FILE *to = must_have(open_memstream(&text, &size));

	for (size_t at = 0; (info = filter_info_next(filters, &at)); ) {
		rule = process_rule(info);
		if (!rule)
			continue;
		filter_text(info, &value);
		fprintf(to, "%s%s %s", before, rule, value);
		before = ", and ";
		free(value);
	}
	fclose(to);
	return must_have(text);
}

/* Explain why an enablement does not apply to a registration */
static void explain_unseen(struct explanation *v, const struct court *court,
			   const struct evntrace_registration *r,
			   const struct evntrace_enablement *e,
			   const struct filter_list *filters)
{
	char *rules;

	if (r->flags & EVNTPROV_REGISTER_CLASSIC && is_group(e)) {
		explain_add(v, EXPLAIN_NONE, NULL, "a classic provider is no"
			    " member of a group");
		return;
	}
	if (r->flags & EVNTPROV_REGISTER_CLASSIC && r->sessions) {
		explain_add(v, EXPLAIN_NONE, "enable it again for this session,"
			    " which takes it from the other one", "a classic"
			    " provider writes to one session at a time, and"
			    " another one has enabled it since");
		return;
	}
	if (is_group(e) && is_disallowed(court, &r->provider)) {
		explain_add(v, EXPLAIN_NONE, NULL, "the session excludes this"
			    " provider from groups");
		return;
	}
	rules = rules_text(filters);
	if (*rules)
		explain_add(v, EXPLAIN_NONE, "'evnt enable' without --pid,"
			    " --exe, --package and --app takes all processes",
			    "the session takes only those %s", rules);
	else
		explain_add(v, EXPLAIN_NONE, NULL, "the session was enabled, or"
			    " the provider registered, just now");
	free(rules);
}

void explain_of_process(struct explanation *v, const struct court *court,
			const struct evntrace_registration *r,
			const struct evntrace_enablement *e,
			const struct filter_list *filters)
{
	uint64_t bit = 1ull << EVNTRACE_HANDLE_ID(e->handle) % 64;
	char *rules;

	if (!r) {
		rules = rules_text(filters);
		if (*rules)
			explain_add(v, EXPLAIN_SOME, NULL, "%s", rules);
		free(rules);
	} else if (!((is_group(e) ? r->group_sessions : r->sessions) & bit)) {
		explain_unseen(v, court, r, e, filters);
	} else if (r->denied_sessions & bit) {
		/*
		 * The module has recorded these rights: the process may have
		 * changed its user since
		 */
		explain_add(v, EXPLAIN_NONE, "'evnt access allow' gives the"
			    " right 'log' for the session's GUID, which 'evnt"
			    " query' shows", "the session is a secure one, and"
			    " the provider has no right to log to it");
	}
}
