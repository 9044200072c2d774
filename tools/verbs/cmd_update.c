// SPDX-License-Identifier: MIT
/* evnt update: changes properties of a running session */
#include <errno.h>
#include <getopt.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "tools/common/options.h"
#include "tools/session/losses.h"
#include "tools/common/number.h"
#include "tools/session/session_list.h"
#include "tools/session/session_show.h"
#include "tools/session/session_start.h"
#include "tools/common/win32.h"

static const char about[] =
"Changes the given properties of a running session.\n";

static const char notes[] =
"Examples:\n"
"  evnt update server --flush 5\n"
"  evnt update server -o second.etl --real-time on\n";

/**
 * struct update - changes to make
 * @name: session name
 * @file: log file, or NULL
 * @flush: flush timer in seconds, or 0
 * @buffers: maximum number of buffers, or 0
 * @enable_flags: new mask, if @has_enable_flags
 * @real_time: on or off, if @has_real_time
 * @next_file: switch to the next file of a newfile session
 * @has_enable_flags: @enable_flags was given
 * @has_real_time: @real_time was given
 * @json: print JSON
 */
struct update {
	const char *name;
	const char *file;
	ULONG flush;
	ULONG buffers;
	ULONG enable_flags;
	bool real_time;
	bool next_file;
	bool has_enable_flags;
	bool has_real_time;
	bool json;
};

static int explain(const struct update *update, ULONG error)
{
	const char *name = update->name;

	switch (error) {
	case ERROR_INVALID_PARAMETER:
		if (update->file)
			return failed("session '%s' writes '%s' already, or"
				      " its mode does not allow another file",
				      name, update->file);
		if (update->real_time)
			return failed("session '%s': its mode does not go with"
				      " real-time delivery", name);
		break;
	case ERROR_PATH_NOT_FOUND:
	case ERROR_BAD_PATHNAME:
		return failed("cannot create '%s': does its directory exist,"
			      " and does no other session write to it?",
			      update->file ? update->file : "(no file)");
	case ERROR_NOT_SUPPORTED:
		return failed("session '%s': this version cannot change%s%s%s"
			      " of a running session", name,
			      update->file ? " the log file" : "",
			      update->buffers ? " the number of buffers" : "",
			      update->has_enable_flags ? " enable flags" : "");
	default:
		break;
	}
	return failed("cannot update session '%s': %s (error %u)", name,
		      win32_text(error), error);
}

static ULONG change(const struct update *update,
		    const struct dev_session *session)
{
	struct properties properties;
	EVENT_TRACE_PROPERTIES *p = &properties.p;

	properties_init(&properties, update->file);
	if (!update->file)
		p->LogFileNameOffset = 0;
	p->FlushTimer = update->flush;
	p->MaximumBuffers = update->buffers;
	p->EnableFlags = update->enable_flags;
	/*
	 * An update always sets real-time mode, so pass the current mode unless
	 * it changes
	 */
	p->LogFileMode = session->info.log_file_mode &
			 EVENT_TRACE_REAL_TIME_MODE;
	if (update->has_real_time)
		p->LogFileMode = update->real_time ?
				 EVENT_TRACE_REAL_TIME_MODE : 0;
	return UpdateTraceA(session->info.handle, NULL, p);
}

/* Update a private session */
static int update_logger(const struct update *update, int device,
			 const struct dev_session *session)
{
	char file[PROPERTIES_NAME];
	int error;

	if (update->buffers || update->has_enable_flags ||
	    update->has_real_time || update->next_file)
		return failed("session '%s' runs in other processes: only"
			      " --output and --flush can be changed",
			      update->name);
	if (update->file)
		put_file(file, update->file);
	if (update->file && !strcmp(file, session->log_name))
		return explain(update, ERROR_INVALID_PARAMETER);
	error = dev_update_logger(device, session->info.handle,
				  update->file ? file : NULL,
				  update->flush * 1000);
	return error ? explain_act(session, "update", error) : EVNT_DONE;
}

static bool changes_properties(const struct update *update)
{
	return update->file || update->flush || update->buffers ||
	       update->has_enable_flags || update->has_real_time;
}

static int update_in_module(const struct update *update, int device,
			    struct dev_session *session)
{
	ULONG code;
	int error;

	/* Without a log file, real-time delivery must stay on */
	if (update->has_real_time && !update->real_time && !update->file &&
	    !*session->log_name)
		return failed("session '%s' has no log file: name one with"
			      " --output", update->name);
	code = changes_properties(update) ? change(update, session) : 0;
	if (code == ERROR_ACCESS_DENIED && !update->file)
		return explain_act(session, "update", EACCES);
	if (code)
		return explain(update, code);
	if (!update->next_file)
		return EVNT_DONE;
	error = dev_increment(device, session->info.handle, session);
	if (error == EINVAL)
		return failed("session '%s' has no next file: only one with"
			      " --new-file has", update->name);
	return error ? explain_act(session, "update", error) : EVNT_DONE;
}

static int update_session(const struct update *update, int device)
{
	struct dev_session session;
	int error;

	error = find_session(device, update->name, &session);
	if (!error)
		error = is_logger(&session.info) ?
			update_logger(update, device, &session) :
			update_in_module(update, device, &session);
	if (error)
		return error;
	error = dev_query(device, session.info.handle, &session);
	if (error)
		return failed("session '%s': %s", update->name,
			      dev_error(error));
	if (update->json)
		json_print(session_object(&session));
	report_losses(&session);
	return end_output(EVNT_DONE);
}

static int take_real_time(const struct option_value *v)
{
	struct update *update = v->field;

	update->has_real_time = true;
	update->real_time = !strcasecmp(v->text, "on");
	if (update->real_time || !strcasecmp(v->text, "off"))
		return EVNT_DONE;
	return usage_error(v->verb, "--real-time is on or off, not '%s'",
			   v->text);
}

static int take_enable_flags(const struct option_value *v)
{
	struct update *update = v->field;
	ULONGLONG mask;

	update->has_enable_flags = true;
	if (!parse_number(v->text, strlen(v->text), &mask) || mask > UINT32_MAX)
		return usage_error(v->verb,
				   "--enable-flags is a number of 32 bits,"
				   " not '%s'",
				   v->text);
	update->enable_flags = mask;
	return EVNT_DONE;
}

static int run(int argc, char **argv)
{
	struct update update = { .name = NULL };
	int device, exit_code;

	exit_code = parse_options(&update_verb, argc, argv, &update);
	if (exit_code)
		return exit_code;
	if (optind == argc)
		return usage_error(&update_verb,
				   "which session? write its name");
	if (argc - optind > 1)
		return usage_error(&update_verb,
				   "one session at a time, but '%s'"
				   " follows",
				   argv[optind + 1]);
	update.name = argv[optind];
	if (!changes_properties(&update) && !update.next_file)
		return usage_error(&update_verb,
				   "which property? write --flush or"
				   " another option");
	device = dev_open();
	if (device < 0)
		return EVNT_FAILED;
	exit_code = update_session(&update, device);
	close(device);
	return exit_code;
}

#define AT(field)	offsetof(struct update, field)

static const struct option_row options[] = {
	OPTION_ROW("output", 'o', "FILE", "write to this file from now on", AT(file),
		   .complete = "FILE.etl"),
	OPTION_ROW("next-file", 0, NULL,
		   "switch to the next file of a --new-file session",
		   AT(next_file)),
	OPTION_ROW("flush", 0, "SECONDS", "interval of writing partly filled buffers",
		   AT(flush), take_count, .least = 1, .most = 86400,
		   .unit = " seconds"),
	OPTION_ROW("buffers", 0, "N", "maximum number of buffers", AT(buffers),
		   take_count, .least = 1, .most = EVNTRACE_MAX_BUFFERS),
	OPTION_ROW("real-time", 0, "WHAT", "on or off: deliver events to consumers", 0,
		   take_real_time, "on off"),
	OPTION_ROW("enable-flags", 0, "N", "EnableFlags of a system logger, a mask", 0,
		   take_enable_flags),
	OPTION_ROW("json", 0, NULL, "print the session as JSON; see evnt-sessions(1)",
		   AT(json)),
	HELP_ROW,
	{}
};

const struct verb update_verb = {
	.name = "update",
	.summary = "change properties of a session",
	.synopsis = "NAME OPTION...",
	.about = about,
	.options = options,
	.notes = notes,
	.arguments = { "SESSION" },
	.run = run,
};
