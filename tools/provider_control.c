// SPDX-License-Identifier: MIT
/* What enable, disable and capture-state have in common. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "filter_options.h"
#include "number.h"
#include "provider_control.h"
#include "registered.h"
#include "session_list.h"
#include "spec.h"
#include "win32.h"

/**
 * struct control - what is asked of providers
 * @specs: which they are
 * @session: its name
 * @code: EVENT_CONTROL_CODE_*
 * @match_all: keywords
 * @timeout: in ms
 * @source: who asks
 * @filters: which events are to pass
 */
struct control {
	struct spec_list specs;
	const char *session;
	ULONG code;
	ULONGLONG match_all;
	ULONG timeout;
	GUID source;
	struct filter_options filters;
};

static int explain(const struct control *control, const struct spec *spec,
		   ULONG error)
{
	char id[GUID_TEXT];

	format_guid(&spec->id, id);
	if (error == ERROR_TIMEOUT)
		return failed("provider %s: done, but not all processes have"
			      " dealt with it in %u ms", id, control->timeout);
	if (error == ERROR_ACCESS_DENIED)
		return failed("there is no right to enable provider %s, or to"
			      " change session '%s': 'evnt sessions' shows its"
			      " owner, and 'evnt access list' who else may", id,
			      control->session);
	return failed("provider %s, session '%s': %s (error %u)", id,
		      control->session, win32_text(error), error);
}

static int control_one(struct control *control, TRACEHANDLE handle,
		       const struct spec *spec)
{
	struct filters filters;
	ULONG error;
	int result;

	result = filters_make(&filters, &control->filters, spec);
	filters.parameters.SourceId = control->source;
	if (!result) {
		error = EnableTraceEx2(handle, &spec->id, control->code,
				       spec->level, spec->keywords,
				       control->match_all, control->timeout,
				       &filters.parameters);
		if (error)
			result = explain(control, spec, error);
	}
	filters_free(&filters);
	return result;
}

/* Each one, also if it failed for another */
static int control_each(struct control *control, TRACEHANDLE handle)
{
	int error, exit_code = EVNT_DONE;

	for (size_t i = 0; i < control->specs.count; i++) {
		error = control_one(control, handle, &control->specs.specs[i]);
		if (error)
			exit_code = error;
	}
	return exit_code;
}

static int control_with_door(struct control *control, int door)
{
	struct door_session session;
	int error = find_session(door, control->session, &session);

	if (!error)
		error = look_up_names(door, &control->specs);
	return error ? error : control_each(control, session.info.handle);
}

static int parse_option(const struct verb *verb, struct control *control,
			int option)
{
	switch (option) {
	case 'a':
		if (parse_number(optarg, strlen(optarg), &control->match_all))
			return EVNT_DONE;
		return misused(verb, "--match-all is a number of 64 bits, not"
			       " '%s'", optarg);
	case 't':
		if (!strcasecmp(optarg, "infinite")) {
			control->timeout = INFINITE;
			return EVNT_DONE;
		}
		if (parse_count(optarg, 0, INFINITE - 1, &control->timeout))
			return EVNT_DONE;
		return misused(verb, "--timeout is a number of ms or infinite,"
			       " not '%s'", optarg);
	case 's':
		if (spec_guid(optarg, &control->source))
			return EVNT_DONE;
		return misused(verb, "--source-id '%s' is no GUID", optarg);
	default:
		return filter_option(verb, &control->filters, option);
	}
}

static int parse_names(const struct verb *verb, struct control *control,
		       int argc, char **argv)
{
	char why[512];

	if (optind == argc)
		return misused(verb, "for which session? write its name");
	control->session = argv[optind++];
	if (optind == argc)
		return misused(verb, "which provider? write it behind the"
			       " session's name");
	for (int i = optind; i < argc; i++) {
		if (!spec_parse(&control->specs, argv[i], why, sizeof(why)))
			return misused(verb, "in '%s': %s", argv[i], why);
	}
	return EVNT_DONE;
}

#define CONTROL_OPTIONS							\
	{ "match-all", required_argument, NULL, 'a' },			\
	{ "timeout", required_argument, NULL, 't' },			\
	{ "source-id", required_argument, NULL, 's' },			\
	{ "help", no_argument, NULL, 'h' }

/* Filters are for what is enabled */
static int parse_arguments(const struct verb *verb, struct control *control,
			   int argc, char **argv)
{
	static const struct option with_filters[] = {
		CONTROL_OPTIONS, FILTER_OPTIONS, MANIFEST_OPTION,
		{ NULL, 0, NULL, 0 },
	};
	static const struct option without[] = {
		CONTROL_OPTIONS, { NULL, 0, NULL, 0 },
	};
	const struct option *known = without;
	int c, error;

	if (control->code == EVENT_CONTROL_CODE_ENABLE_PROVIDER)
		known = with_filters;
	while ((c = next_option(verb, argc, argv, "h", known)) != -1) {
		if (c == 'h')
			exit(print_help(verb));
		error = parse_option(verb, control, c);
		if (error)
			return error;
	}
	return parse_names(verb, control, argc, argv);
}

int provider_control(const struct verb *verb, int argc, char **argv,
		     ULONG code)
{
	struct control control = {
		.code = code,
	};
	int door, exit_code;

	exit_code = parse_arguments(verb, &control, argc, argv);
	if (!exit_code) {
		door = door_open();
		exit_code = door < 0 ? EVNT_FAILED :
				       control_with_door(&control, door);
		close(door);
	}
	spec_free(&control.specs);
	return exit_code;
}
