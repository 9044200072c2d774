// SPDX-License-Identifier: MIT
/* Whether a session takes a registration at all: by its process, group, rights. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include <evntprov.h>

#include "evnt.h"
#include "verdict.h"

/* By what the module says: who has registered it may be another user by now */
static void judge_rights(struct verdict *v, const struct evntrace_registration *r,
			 uint64_t bit)
{
	if (r->denied_sessions & bit)
		verdict_add(v, VERDICT_NONE, "'evnt access allow' gives the"
			    " right 'log' for the session's GUID, which 'evnt"
			    " query' shows", "the session is a secure one, and"
			    " who has registered it has no right to log to it");
}

/* Whether the session leaves the provider out of groups */
static bool is_disallowed(const struct court *court,
			  const struct evntprov_guid *provider)
{
	struct evntprov_guid ids[EVNTRACE_MAX_DISALLOWED];
	struct evntrace_disallow arg = {
		.size = sizeof(arg),
		.handle = court->session->info.handle,
		.providers = (uintptr_t)ids,
		.count = EVNTRACE_MAX_DISALLOWED,
	};

	if (ioctl(court->door, EVNTRACE_IOC_QUERY_DISALLOW, &arg))
		return false;
	for (__u32 i = 0; i < arg.count; i++) {
		if (!memcmp(&ids[i], provider, sizeof(*provider)))
			return true;
	}
	return false;
}

/* How a filter by process is to be said, or NULL: it is none */
static const char *process_rule(const struct evntrace_filter_info *info)
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

/* What processes have to be, to be freed; it is empty when they may be any */
static char *rules_text(const struct filter_list *filters)
{
	const struct evntrace_filter_info *info;
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

static void add_rules(struct verdict *v, const struct filter_list *filters)
{
	char *rules = rules_text(filters);

	if (*rules)
		verdict_add(v, VERDICT_SOME, NULL, "%s", rules);
	free(rules);
}

/* Returns whether there are any rules, one of which it is then */
static bool blame_rules(struct verdict *v, const struct filter_list *filters)
{
	char *rules = rules_text(filters);
	const bool has = *rules;

	if (has)
		verdict_add(v, VERDICT_NONE, "'evnt enable' without --pid,"
			    " --exe, --package and --app takes all processes",
			    "the session takes only those %s", rules);
	free(rules);
	return has;
}

/* The session has enabled it, but not in this registration: why */
static void explain_unseen(struct verdict *v, const struct court *court,
			   const struct evntrace_registration *r,
			   const struct evntrace_enablement *e,
			   const struct filter_list *filters)
{
	if (r->flags & EVNTPROV_REGISTER_CLASSIC && is_group(e))
		verdict_add(v, VERDICT_NONE, NULL, "a classic provider is no"
			    " member of a group");
	else if (r->flags & EVNTPROV_REGISTER_CLASSIC && r->sessions)
		verdict_add(v, VERDICT_NONE, "enable it again for this session,"
			    " which takes it from the other one", "a classic"
			    " provider writes to one session at a time, and"
			    " another one has enabled it since");
	else if (is_group(e) && is_disallowed(court, &r->provider))
		verdict_add(v, VERDICT_NONE, NULL, "the session leaves this"
			    " provider out of groups");
	else if (!blame_rules(v, filters))
		verdict_add(v, VERDICT_NONE, NULL, "the session was enabled, or"
			    " the provider registered, just now");
}

void verdict_of_process(struct verdict *v, const struct court *court,
			const struct evntrace_registration *r,
			const struct evntrace_enablement *e,
			const struct filter_list *filters)
{
	uint64_t bit = 1ull << EVNTRACE_HANDLE_ID(e->handle) % 64;

	if (!r)
		add_rules(v, filters);
	else if (!((is_group(e) ? r->group_sessions : r->sessions) & bit))
		explain_unseen(v, court, r, e, filters);
	else
		judge_rights(v, r, bit);
}
