// SPDX-License-Identifier: MIT
/* evnt providers: lists registered and enabled providers */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/options.h"
#include "tools/filter/filter_text.h"
#include "tools/common/json.h"
#include "tools/common/process.h"
#include "tools/common/table.h"
#include "tools/session/control.h"

static const char about[] =
"Lists the providers that a process has registered or a session has enabled, and\n"
"the provider groups that have members or that a session has enabled.\n";

static const char notes[] =
"Examples:\n"
"  evnt providers\n"
"  evnt providers --json | jq -r 'select(.registrations == []).id'\n";

/*
 * Flag of a registration's copy that is listed by its group; replaces the other
 * flags
 */
#define FLAG_MEMBER	0x80000000u

/**
 * struct catalogue - providers and groups known to the module
 * @registrations: registrations sorted by provider; group members have a second
 *   entry by their group
 * @enablements: enablements sorted by provider or group
 * @sessions: session names by session id, or NULL
 */
struct catalogue {
	struct evntrace_registration *registrations;
	size_t registration_count;
	struct evntrace_enablement *enablements;
	size_t enablement_count;
	char *sessions[EVNTRACE_MAX_SESSIONS];
};

/* Key of a provider or group; groups are sorted after providers */
struct provider_key {
	struct evntprov_guid id;
	bool group;
};

/**
 * struct listed_provider - entries of the catalogue that belong to a provider
 * or group
 */
struct listed_provider {
	struct provider_key key;
	const struct evntrace_registration *registrations;
	size_t registration_count;
	const struct evntrace_enablement *enablements;
	size_t enablement_count;
};

static struct provider_key
registration_key(const struct evntrace_registration *r)
{
	return (struct provider_key) { r->provider, r->flags & FLAG_MEMBER };
}

static struct provider_key enablement_key(const struct evntrace_enablement *e)
{
	return (struct provider_key) { e->provider, is_group(e) };
}

static int compare_keys(struct provider_key a, struct provider_key b)
{
	if (a.group != b.group)
		return a.group ? 1 : -1;
	return memcmp(&a.id, &b.id, sizeof(a.id));
}

static int compare_registrations(const void *a, const void *b)
{
	return compare_keys(registration_key(a), registration_key(b));
}

static int compare_enablements(const void *a, const void *b)
{
	return compare_keys(enablement_key(a), enablement_key(b));
}

/* Add a second entry for each group member, by its group */
static void add_members(struct catalogue *catalogue)
{
	static const struct evntprov_guid none;
	size_t count = catalogue->registration_count;
	struct evntrace_registration *all, *to;

	all = must_have(realloc(catalogue->registrations,
				(2 * count + 1) * sizeof(*all)));
	to = all + count;
	for (size_t i = 0; i < count; i++) {
		if (!memcmp(&all[i].group, &none, sizeof(none)))
			continue;
		*to = all[i];
		to->provider = to->group;
		to->flags |= FLAG_MEMBER;
		to++;
	}
	catalogue->registrations = all;
	catalogue->registration_count = to - all;
}

static void name_sessions(int device, struct catalogue *catalogue)
{
	struct dev_session session;

	/* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): free_catalogue() does */
	for (size_t i = 0; i < catalogue->enablement_count; i++) {
		__u64 handle = catalogue->enablements[i].handle;
		__u64 id = EVNTRACE_HANDLE_ID(handle);

		if (id >= EVNTRACE_MAX_SESSIONS || catalogue->sessions[id])
			continue;
		if (!dev_query(device, handle, &session))
			catalogue->sessions[id] = strdup(session.name);
	}
}

static int read_catalogue(int device, struct catalogue *catalogue)
{
	void *elements;
	int error;

	error = dev_list(device, EVNTRACE_LIST_REGISTRATIONS,
			 sizeof(*catalogue->registrations), &elements,
			 &catalogue->registration_count);
	catalogue->registrations = elements;
	if (error)
		return error;
	error = dev_list(device, EVNTRACE_LIST_ENABLEMENTS,
			 sizeof(*catalogue->enablements), &elements,
			 &catalogue->enablement_count);
	catalogue->enablements = elements;
	if (error)
		return error;
	add_members(catalogue);
	qsort(catalogue->registrations, catalogue->registration_count,
	      sizeof(*catalogue->registrations), compare_registrations);
	qsort(catalogue->enablements, catalogue->enablement_count,
	      sizeof(*catalogue->enablements), compare_enablements);
	name_sessions(device, catalogue);
	return 0;
}

static void free_catalogue(struct catalogue *catalogue)
{
	for (int i = 0; i < EVNTRACE_MAX_SESSIONS; i++)
		free(catalogue->sessions[i]);
	free(catalogue->registrations);
	free(catalogue->enablements);
}

/* Return the lower of the next keys in both lists; false at the end of both */
static bool next_key(const struct catalogue *catalogue, size_t registration,
		     size_t enablement, struct provider_key *key)
{
	const struct evntrace_registration *r = catalogue->registrations;
	const struct evntrace_enablement *e = catalogue->enablements;
	bool is_first = registration < catalogue->registration_count;
	struct provider_key other;

	if (is_first)
		*key = registration_key(&r[registration]);
	if (enablement >= catalogue->enablement_count)
		return is_first;
	other = enablement_key(&e[enablement]);
	if (!is_first || compare_keys(other, *key) < 0)
		*key = other;
	return true;
}

/* Go to the provider after @provider, or to the first one if it is zeroed */
static bool next_provider(const struct catalogue *catalogue,
			  struct listed_provider *provider)
{
	const struct evntrace_registration *r = catalogue->registrations;
	const struct evntrace_enablement *e = catalogue->enablements;
	size_t first_r = 0, first_e = 0, end;

	if (provider->registrations) {
		first_r = provider->registrations - r +
			  provider->registration_count;
		first_e = provider->enablements - e +
			  provider->enablement_count;
	}
	if (!next_key(catalogue, first_r, first_e, &provider->key))
		return false;
	end = first_r;
	while (end < catalogue->registration_count &&
	       !compare_keys(registration_key(&r[end]), provider->key))
		end++;
	provider->registrations = r + first_r;
	provider->registration_count = end - first_r;
	end = first_e;
	while (end < catalogue->enablement_count &&
	       !compare_keys(enablement_key(&e[end]), provider->key))
		end++;
	provider->enablements = e + first_e;
	provider->enablement_count = end - first_e;
	return true;
}

static void provider_name(const struct listed_provider *provider, char *text,
			  size_t size)
{
	const struct evntrace_registration *registration;

	text[0] = '\0';
	if (provider->key.group)
		return;
	for (size_t i = 0; i < provider->registration_count && !text[0]; i++) {
		registration = &provider->registrations[i];
		format_utf8(registration->name,
			    strnlen(registration->name,
				    sizeof(registration->name)), text, size);
	}
}

static const char *session_name(const struct catalogue *catalogue,
				const struct evntrace_enablement *enablement)
{
	__u64 id = EVNTRACE_HANDLE_ID(enablement->handle);
	const char *name = NULL;

	if (id < EVNTRACE_MAX_SESSIONS)
		name = catalogue->sessions[id];
	return name ? name : "?";
}

static bool is_classic(const struct evntrace_registration *registration)
{
	return registration->flags & EVNTPROV_REGISTER_CLASSIC;
}

static void add_row(struct table *table, const struct catalogue *catalogue,
		    const struct listed_provider *provider)
{
	char id[GUID_TEXT], name[256], *processes = NULL, *sessions = NULL;
	char command[32];
	size_t size;
	FILE *to;

	to = open_memstream(&processes, &size);
	for (size_t i = 0; to && i < provider->registration_count; i++) {
		const struct evntrace_registration *registration =
			&provider->registrations[i];

		fprintf(to, "%s%u (%s%s)", i ? ", " : "", registration->pid,
			registrant_name(registration, command,
					sizeof(command)),
			is_classic(registration) ? ", classic" : "");
	}
	if (to)
		fclose(to);
	to = open_memstream(&sessions, &size);
	for (size_t i = 0; to && i < provider->enablement_count; i++)
		fprintf(to, "%s%s", i ? ", " : "",
			session_name(catalogue, &provider->enablements[i]));
	if (to)
		fclose(to);
	provider_name(provider, name, sizeof(name));
	table_add(table, (const char *[]){
			format_guid(provider->key.id.b, id),
			provider->key.group ? "(group)" : name[0] ? name : "-",
			processes && *processes ? processes : "-",
			sessions && *sessions ? sessions : "-" });
	free(processes);
	free(sessions);
}

static json_object *registrations_array(const struct listed_provider *provider)
{
	json_object *array = json_object_new_array();
	char name[32];

	for (size_t i = 0; i < provider->registration_count; i++) {
		const struct evntrace_registration *registration =
			&provider->registrations[i];
		json_object *object = json_object_new_object();
		bool classic = is_classic(registration);

		json_add_number(object, "pid", registration->pid);
		json_add_text(object, "command",
			      registrant_name(registration, name,
					      sizeof(name)));
		json_object_object_add(object, "classic",
				       json_object_new_boolean(classic));
		json_object_array_add(array, object);
	}
	return array;
}

static json_object *sessions_array(int device,
				   const struct catalogue *catalogue,
				   const struct listed_provider *provider)
{
	json_object *array = json_object_new_array();

	for (size_t i = 0; i < provider->enablement_count; i++) {
		const struct evntrace_enablement *enablement =
			&provider->enablements[i];
		json_object *object = json_object_new_object();

		json_add_number(object, "id",
				EVNTRACE_HANDLE_ID(enablement->handle));
		json_add_text(object, "name",
			      session_name(catalogue, enablement));
		json_add_number(object, "level", enablement->level);
		json_add_mask(object, "match_any", enablement->match_any);
		json_add_mask(object, "match_all", enablement->match_all);
		json_object_object_add(object, "filters",
				       filters_array(device, enablement));
		json_object_array_add(array, object);
	}
	return array;
}

static void print_object(int device, const struct catalogue *catalogue,
			 const struct listed_provider *provider)
{
	json_object *object = json_object_new_object();
	char name[256];

	provider_name(provider, name, sizeof(name));
	json_add_guid(object, "id", provider->key.id.b);
	json_object_object_add(object, "group",
			       json_object_new_boolean(provider->key.group));
	if (name[0])
		json_add_text(object, "name", name);
	json_object_object_add(object, "registrations",
			       registrations_array(provider));
	json_object_object_add(object, "sessions",
			       sessions_array(device, catalogue, provider));
	json_print(object);
}

static int run(int argc, char **argv)
{
	struct listed_provider provider = { 0 };
	struct catalogue catalogue = { 0 };
	struct table table = { .columns = 4 };
	bool json = false;
	int device, error, exit_code;

	exit_code = parse_json_only(&providers_verb, argc, argv, &json);
	if (exit_code)
		return exit_code;
	device = dev_open();
	if (device < 0)
		return EVNT_FAILED;
	error = read_catalogue(device, &catalogue);
	if (error) {
		exit_code = failed("cannot list the providers: %s",
				   dev_error(error));
		goto free_all;
	}
	if (!json)
		table_add(&table, (const char *[]){
			"ID", "NAME", "REGISTERED", "ENABLED BY"
		});
	while (next_provider(&catalogue, &provider)) {
		if (json)
			print_object(device, &catalogue, &provider);
		else
			add_row(&table, &catalogue, &provider);
	}
	table_print(&table);
	exit_code = end_output(EVNT_DONE);
free_all:
	free_catalogue(&catalogue);
	close(device);
	return exit_code;
}

static const struct option_row options[] = {
	OPTION_ROW("json", 0, NULL,
		   "print a JSON object per line; see evnt-providers(1) for its keys"),
	HELP_ROW,
	{}
};

const struct verb providers_verb = {
	.name = "providers",
	.summary = "list registered and enabled providers",
	.synopsis = "[--json]",
	.about = about,
	.options = options,
	.notes = notes,
	.run = run,
};
