// SPDX-License-Identifier: MIT
/* evnt enable, disable and capture-state: control providers in a session */
#include <getopt.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <evntrace.h>

#include "tools/common/number.h"
#include "tools/common/options.h"
#include "tools/common/win32.h"
#include "tools/filter/filter_options.h"
#include "tools/session/provider_spec.h"
#include "tools/session/registered.h"
#include "tools/session/session_list.h"
#include "tools/session/session_start.h"

/**
 * struct control - request to providers
 * @specs: providers
 * @session: session name
 * @code: EVENT_CONTROL_CODE_*
 * @match_all: keywords that an event must have all of
 * @timeout: timeout in ms
 * @source: source id passed to the providers
 * @filters: events to record
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

static int control_one(struct control *control, TRACEHANDLE handle,
		       const struct spec *spec)
{
	struct filters filters;
	char id[GUID_TEXT];
	ULONG error;
	int result;

	result = filters_make(&filters, &control->filters, spec);
	filters.parameters.SourceId = control->source;
	if (result)
		goto free_filters;
	error = enable_provider(handle, spec, control->code,
				control->match_all, control->timeout,
				&filters.parameters);
	format_guid(&spec->id, id);
	if (error == ERROR_TIMEOUT)
		result = failed("provider %s: done, but not all processes have"
				" handled it within %u ms", id,
				control->timeout);
	else if (error == ERROR_ACCESS_DENIED)
		result = failed("no permission to enable provider %s, or to"
				" change session '%s': 'evnt sessions' shows"
				" its owner, and 'evnt access list' the rights",
				id, control->session);
	else if (error)
		result = failed("provider %s, session '%s': %s (error %u)", id,
				control->session, win32_text(error), error);
free_filters:
	filters_free(&filters);
	return result;
}

static int take_match_all(const struct option_value *v)
{
	if (parse_number(v->text, strlen(v->text), v->field))
		return EVNT_DONE;
	return usage_error(v->verb,
			   "--match-all is a number of 64 bits, not '%s'",
			   v->text);
}

static int take_timeout(const struct option_value *v)
{
	ULONG *timeout = v->field;

	if (!strcasecmp(v->text, "infinite"))
		*timeout = INFINITE;
	else if (!parse_count(v->text, 0, INFINITE - 1, timeout))
		return usage_error(v->verb, "--timeout is a number of ms or"
				   " infinite, not '%s'", v->text);
	return EVNT_DONE;
}

static int take_source(const struct option_value *v)
{
	if (spec_guid(v->text, v->field))
		return EVNT_DONE;
	return usage_error(v->verb, "--source-id '%s' is no GUID", v->text);
}

#define AT(field)	offsetof(struct control, field)

static const struct option_row common_rows[] = {
	OPTION_ROW("match-all", 0, "MASK",
		   "events must also have all of these keywords",
		   AT(match_all), take_match_all),
	OPTION_ROW("timeout", 0, "MS",
		   "wait for the providers' callbacks, or infinite; default: do not"
		   " wait", AT(timeout), take_timeout, "infinite"),
	OPTION_ROW("source-id", 0, "GUID", "SourceId for the providers' callbacks",
		   AT(source), take_source),
	HELP_ROW,
	{}
};

static const struct option_row control_rows[] = {
	INCLUDE_ROWS(common_rows, 0),
	INCLUDE_ROWS(spec_rows, 0),
	{}
};

static const struct option_row enable_rows[] = {
	INCLUDE_ROWS(common_rows, 0),
	INCLUDE_ROWS(filter_rows, AT(filters)),
	INCLUDE_ROWS(record_manifest_rows, 0),
	INCLUDE_ROWS(spec_rows, 0),
	{}
};

static int parse_names(const struct verb *verb, struct control *control,
		       int argc, char **argv)
{
	char why[512];

	if (optind == argc)
		return usage_error(verb, "for which session? write its name");
	control->session = argv[optind++];
	if (optind == argc)
		return usage_error(verb, "which provider? write it behind the"
				   " session's name");
	for (int i = optind; i < argc; i++) {
		if (!spec_parse(&control->specs, argv[i], why, sizeof(why)))
			return usage_error(verb, "in '%s': %s", argv[i], why);
	}
	return EVNT_DONE;
}

static int provider_control(const struct verb *verb, int argc, char **argv,
			    ULONG code)
{
	struct control control = {
		.code = code,
	};
	struct dev_session session;
	int device, error, exit_code;

	exit_code = parse_options(verb, argc, argv, &control);
	if (!exit_code)
		exit_code = parse_names(verb, &control, argc, argv);
	if (exit_code)
		goto free_specs;
	device = dev_open();
	if (device < 0) {
		exit_code = EVNT_FAILED;
		goto free_specs;
	}
	exit_code = find_session(device, control.session, &session);
	if (!exit_code)
		exit_code = look_up_names(device, &control.specs);
	if (exit_code)
		goto close_device;
	/* Control each provider, continuing after errors */
	for (size_t i = 0; i < control.specs.count; i++) {
		error = control_one(&control, session.info.handle,
				    &control.specs.specs[i]);
		if (error)
			exit_code = error;
	}
close_device:
	close(device);
free_specs:
	spec_free(&control.specs);
	return exit_code;
}

static int run_enable(int argc, char **argv)
{
	return provider_control(&enable_verb, argc, argv,
				EVENT_CONTROL_CODE_ENABLE_PROVIDER);
}

const struct verb enable_verb = {
	.name = "enable",
	.summary = "enable providers in a session",
	.synopsis = "SESSION SPEC... [OPTION...]",
	.about =
"Enables providers in a session, whether registered or not.  Enabling a provider\n"
"again replaces its level, keywords and filters.\n",
	.options = enable_rows,
	.notes =
"Examples:\n"
"  evnt enable server '*My-Server:0x3:Warning' --timeout 10000\n"
"  evnt enable server '*My-Server' --exe serverd --not-id 7,10-20\n"
"  evnt enable server '*My-Server' --where 'Size > 4096 or Name contains \"log\"'\n",
	.arguments = { "SESSION", "SPEC" },
	.run = run_enable,
};

static int run_disable(int argc, char **argv)
{
	return provider_control(&disable_verb, argc, argv,
				EVENT_CONTROL_CODE_DISABLE_PROVIDER);
}

const struct verb disable_verb = {
	.name = "disable",
	.summary = "disable providers in a session",
	.synopsis = "SESSION SPEC... [OPTION...]",
	.about =
"Disables providers in a session.  Keywords and level are ignored.\n",
	.options = control_rows,
	.notes =
"Examples:\n"
"  evnt disable server '*My-Server'\n",
	.arguments = { "SESSION", "SPEC" },
	.run = run_disable,
};

static int run_capture_state(int argc, char **argv)
{
	return provider_control(&capture_state_verb, argc, argv,
				EVENT_CONTROL_CODE_CAPTURE_STATE);
}

const struct verb capture_state_verb = {
	.name = "capture-state",
	.summary = "request providers to write their state",
	.synopsis = "SESSION SPEC... [OPTION...]",
	.about =
"Requests providers to write events that describe their state, if they can.\n",
	.options = control_rows,
	.notes =
"Examples:\n"
"  evnt capture-state server '*My-Server' --timeout 10000\n",
	.arguments = { "SESSION", "SPEC" },
	.run = run_capture_state,
};
