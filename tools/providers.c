// SPDX-License-Identifier: MIT
/* evnt providers: lists what is registered, and what is enabled. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "evnt.h"
#include "filter_text.h"
#include "json.h"
#include "process.h"
#include "table.h"
#include "trace_door.h"

static const char help[] =
"Usage: evnt providers [--json]\n"
"Lists the providers that a process has registered or a session enabled.\n\n"
"  --json     one object of JSON a line; see evnt-providers(1) for its keys\n"
"  -h, --help print this\n\n"
"Examples:\n"
"  evnt providers\n"
"  evnt providers --json | jq -r 'select(.registrations == []).id'\n";

/**
 * struct catalogue - what the module knows of providers
 * @registrations: sorted by provider
 * @enablements: likewise
 * @sessions: names of sessions by their id; NULL for none
 */
struct catalogue {
	struct evntrace_registration *registrations;
	size_t registration_count;
	struct evntrace_enablement *enablements;
	size_t enablement_count;
	char *sessions[EVNTRACE_MAX_SESSIONS];
};

/**
 * struct provider - the part of a catalogue that is one provider's
 */
struct provider {
	const struct evntprov_guid *id;
	const struct evntrace_registration *registrations;
	size_t registration_count;
	const struct evntrace_enablement *enablements;
	size_t enablement_count;
};

/* Both kinds of element begin with the provider's id */
static int compare_ids(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct evntprov_guid));
}

static void name_sessions(int door, struct catalogue *catalogue)
{
	struct door_session session;

	/* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): free_catalogue() does */
	for (size_t i = 0; i < catalogue->enablement_count; i++) {
		__u64 handle = catalogue->enablements[i].handle;
		__u64 id = EVNTRACE_HANDLE_ID(handle);

		if (id >= EVNTRACE_MAX_SESSIONS || catalogue->sessions[id])
			continue;
		if (!door_query(door, handle, &session))
			catalogue->sessions[id] = strdup(session.name);
	}
}

static int read_catalogue(int door, struct catalogue *catalogue)
{
	void *elements;
	int error;

	error = door_list(door, EVNTRACE_LIST_REGISTRATIONS,
			  sizeof(*catalogue->registrations), &elements,
			  &catalogue->registration_count);
	catalogue->registrations = elements;
	if (error)
		return error;
	error = door_list(door, EVNTRACE_LIST_ENABLEMENTS,
			  sizeof(*catalogue->enablements), &elements,
			  &catalogue->enablement_count);
	catalogue->enablements = elements;
	if (error)
		return error;
	qsort(catalogue->registrations, catalogue->registration_count,
	      sizeof(*catalogue->registrations), compare_ids);
	qsort(catalogue->enablements, catalogue->enablement_count,
	      sizeof(*catalogue->enablements), compare_ids);
	name_sessions(door, catalogue);
	return 0;
}

static void free_catalogue(struct catalogue *catalogue)
{
	for (int i = 0; i < EVNTRACE_MAX_SESSIONS; i++)
		free(catalogue->sessions[i]);
	free(catalogue->registrations);
	free(catalogue->enablements);
}

/* How many elements at @elements, of @count, have the id @id */
static size_t run_length(const void *elements, size_t count, size_t size,
			 const struct evntprov_guid *id)
{
	size_t i = 0;

	while (i < count && !compare_ids((const char *)elements + i * size, id))
		i++;
	return i;
}

/* The smaller of the ids that come next; NULL: both lists are at their end */
static const struct evntprov_guid *next_id(const struct catalogue *catalogue,
					   size_t registration,
					   size_t enablement)
{
	const struct evntprov_guid *a = NULL, *b = NULL;

	if (registration < catalogue->registration_count)
		a = &catalogue->registrations[registration].provider;
	if (enablement < catalogue->enablement_count)
		b = &catalogue->enablements[enablement].provider;
	if (!a || !b)
		return a ? a : b;
	return compare_ids(a, b) <= 0 ? a : b;
}

/* The provider after @provider; the first one when that is all zero */
static bool next_provider(const struct catalogue *catalogue,
			  struct provider *provider)
{
	const struct evntrace_registration *all_registrations =
		catalogue->registrations;
	const struct evntrace_enablement *all_enablements =
		catalogue->enablements;
	size_t r = 0, e = 0;

	if (provider->id) {
		r = provider->registrations - all_registrations +
		    provider->registration_count;
		e = provider->enablements - all_enablements +
		    provider->enablement_count;
	}
	provider->id = next_id(catalogue, r, e);
	if (!provider->id)
		return false;
	provider->registrations = all_registrations + r;
	provider->registration_count =
		run_length(provider->registrations,
			   catalogue->registration_count - r,
			   sizeof(*all_registrations), provider->id);
	provider->enablements = all_enablements + e;
	provider->enablement_count =
		run_length(provider->enablements,
			   catalogue->enablement_count - e,
			   sizeof(*all_enablements), provider->id);
	return true;
}

static void provider_name(const struct provider *provider, char *text,
			  size_t size)
{
	const struct evntrace_registration *registration;

	text[0] = '\0';
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

static void print_processes(const struct provider *provider, FILE *to)
{
	char name[32];

	for (size_t i = 0; i < provider->registration_count; i++) {
		unsigned int pid = provider->registrations[i].pid;

		fprintf(to, "%s%u (%s)", i ? ", " : "", pid,
			process_name(pid, name, sizeof(name)));
	}
}

static void print_sessions(const struct catalogue *catalogue,
			   const struct provider *provider, FILE *to)
{
	for (size_t i = 0; i < provider->enablement_count; i++)
		fprintf(to, "%s%s", i ? ", " : "",
			session_name(catalogue, &provider->enablements[i]));
}

static void add_row(struct table *table, const struct catalogue *catalogue,
		    const struct provider *provider)
{
	char id[GUID_TEXT], name[256], *processes = NULL, *sessions = NULL;
	size_t size;
	FILE *to;

	to = open_memstream(&processes, &size);
	if (to) {
		print_processes(provider, to);
		fclose(to);
	}
	to = open_memstream(&sessions, &size);
	if (to) {
		print_sessions(catalogue, provider, to);
		fclose(to);
	}
	provider_name(provider, name, sizeof(name));
	table_add(table, (const char *[]){
			format_guid(provider->id->b, id),
			name[0] ? name : "-",
			processes && *processes ? processes : "-",
			sessions && *sessions ? sessions : "-" });
	free(processes);
	free(sessions);
}

static json_object *registrations_array(const struct provider *provider)
{
	json_object *array = json_object_new_array();
	char name[32];

	for (size_t i = 0; i < provider->registration_count; i++) {
		json_object *object = json_object_new_object();
		unsigned int pid = provider->registrations[i].pid;

		json_add_number(object, "pid", pid);
		json_add_text(object, "command",
			      process_name(pid, name, sizeof(name)));
		json_object_array_add(array, object);
	}
	return array;
}

static json_object *sessions_array(int door, const struct catalogue *catalogue,
				   const struct provider *provider)
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
				       filters_array(door, enablement));
		json_object_array_add(array, object);
	}
	return array;
}

static void print_object(int door, const struct catalogue *catalogue,
			 const struct provider *provider)
{
	json_object *object = json_object_new_object();
	char name[256];

	provider_name(provider, name, sizeof(name));
	json_add_guid(object, "id", provider->id->b);
	if (name[0])
		json_add_text(object, "name", name);
	json_object_object_add(object, "registrations",
			       registrations_array(provider));
	json_object_object_add(object, "sessions",
			       sessions_array(door, catalogue, provider));
	json_print(object);
}

static void print_catalogue(int door, const struct catalogue *catalogue,
			    bool json)
{
	struct table table = { .columns = 4 };
	struct provider provider = { 0 };

	if (!json)
		table_add(&table, (const char *[]){
			"ID", "NAME", "REGISTERED", "ENABLED BY"
		});
	while (next_provider(catalogue, &provider)) {
		if (json)
			print_object(door, catalogue, &provider);
		else
			add_row(&table, catalogue, &provider);
	}
	table_print(&table);
}

static int run(int argc, char **argv)
{
	struct catalogue catalogue = { 0 };
	bool json = false;
	int door, error, exit_code;

	if (!list_options(&providers_verb, argc, argv, &json, &exit_code))
		return exit_code;
	door = door_open();
	if (door < 0)
		return EVNT_FAILED;
	error = read_catalogue(door, &catalogue);
	if (error) {
		failed("cannot list the providers: %s", strerror(error));
		exit_code = EVNT_FAILED;
	} else {
		print_catalogue(door, &catalogue, json);
		exit_code = end_output(EVNT_DONE);
	}
	free_catalogue(&catalogue);
	close(door);
	return exit_code;
}

const struct verb providers_verb = {
	.name = "providers",
	.summary = "list registered and enabled providers",
	.help = help,
	.run = run,
};
