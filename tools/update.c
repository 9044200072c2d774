// SPDX-License-Identifier: MIT
/* evnt update: changes properties of a session while it runs. */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "losses.h"
#include "number.h"
#include "session_list.h"
#include "session_show.h"
#include "session_start.h"
#include "win32.h"

static const char help[] =
"Usage: evnt update NAME OPTION...\n"
"Changes properties of a session while it runs; what is not named stays.\n\n"
"  -o, --output FILE     write to this file from now on\n"
"      --next-file       go on in the next file, as by --new-file\n"
"      --flush SECONDS   write buffers that are not full, too, so often\n"
"      --buffers N       how many buffers there are at most\n"
"      --real-time WHAT  on or off: for consumers that read as it runs\n"
"      --enable-flags N  what a system logger records, a mask\n"
"      --json            print the session as JSON; see evnt-sessions(1)\n"
"  -h, --help            print this\n\n"
"Examples:\n"
"  evnt update server --flush 5\n"
"  evnt update server -o second.etl --real-time on\n";

/**
 * struct update - what is to change
 * @name: the session
 * @file: log file, or NULL
 * @flush: seconds, or 0
 * @buffers: most buffers, or 0
 * @enable_flags: mask
 * @real_time: on or off, if @has_real_time
 * @next_file: take the next file of a series
 * @has_enable_flags: @enable_flags was said
 * @has_real_time: @real_time was said
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
			      " of a session that runs", name,
			      update->file ? " the log file" : "",
			      update->buffers ? " the number of buffers" : "",
			      update->has_enable_flags ? " enable flags" : "");
	default:
		break;
	}
	return failed("cannot update session '%s': %s (error %u)", name,
		      win32_text(error), error);
}

/* What an update says of real-time delivery is what holds then: say it again */
static ULONG mode_of(const struct update *update,
		     const struct door_session *session)
{
	if (update->has_real_time)
		return update->real_time ? EVENT_TRACE_REAL_TIME_MODE : 0;
	return session->info.log_file_mode & EVENT_TRACE_REAL_TIME_MODE;
}

static ULONG change(const struct update *update,
		    const struct door_session *session)
{
	struct properties properties;
	EVENT_TRACE_PROPERTIES *p = &properties.p;

	properties_init(&properties, update->file);
	if (!update->file)
		p->LogFileNameOffset = 0;
	p->FlushTimer = update->flush;
	p->MaximumBuffers = update->buffers;
	p->EnableFlags = update->enable_flags;
	p->LogFileMode = mode_of(update, session);
	return UpdateTraceA(session->info.handle, NULL, p);
}

/* One that is in other processes */
static int update_logger(const struct update *update, int door,
			 const struct door_session *session)
{
	char file[PROPERTIES_NAME];
	int error;

	if (update->buffers || update->has_enable_flags ||
	    update->has_real_time || update->next_file)
		return failed("session '%s' is in other processes: of such a"
			      " one, --output and --flush can be changed",
			      update->name);
	if (update->file)
		put_file(file, update->file);
	if (update->file && !strcmp(file, session->log_name))
		return explain(update, ERROR_INVALID_PARAMETER);
	error = door_update_logger(door, session->info.handle,
				   update->file ? file : NULL,
				   update->flush * 1000);
	return error ? explain_act(session, "update", error) : EVNT_DONE;
}

static bool changes_properties(const struct update *update)
{
	return update->file || update->flush || update->buffers ||
	       update->has_enable_flags || update->has_real_time;
}

/* Without a log file, real-time delivery cannot be switched off */
static bool has_nowhere_to_go(const struct update *update,
			      const struct door_session *session)
{
	return update->has_real_time && !update->real_time && !update->file &&
	       !*session->log_name;
}

static int update_in_module(const struct update *update, int door,
			    struct door_session *session)
{
	ULONG code;
	int error;

	if (has_nowhere_to_go(update, session))
		return failed("session '%s' has no log file: name one with"
			      " --output", update->name);
	code = changes_properties(update) ? change(update, session) : 0;
	if (code == ERROR_ACCESS_DENIED && !update->file)
		return explain_act(session, "update", EACCES);
	if (code)
		return explain(update, code);
	if (!update->next_file)
		return EVNT_DONE;
	error = door_increment(door, session->info.handle, session);
	if (error == EINVAL)
		return failed("session '%s' has no next file: only one with"
			      " --new-file has", update->name);
	return error ? explain_act(session, "update", error) : EVNT_DONE;
}

static int update_session(const struct update *update, int door)
{
	struct door_session session;
	int error;

	error = find_session(door, update->name, &session);
	if (!error)
		error = is_logger(&session.info) ?
			update_logger(update, door, &session) :
			update_in_module(update, door, &session);
	if (error)
		return error;
	error = door_query(door, session.info.handle, &session);
	if (error)
		return failed("session '%s': %s", update->name,
			      door_error(error));
	if (update->json)
		json_print(session_object(&session));
	tell_losses(&session);
	return end_output(EVNT_DONE);
}

static int take_real_time(struct update *update)
{
	update->has_real_time = true;
	update->real_time = !strcasecmp(optarg, "on");
	if (update->real_time || !strcasecmp(optarg, "off"))
		return EVNT_DONE;
	return misused(&update_verb, "--real-time is on or off, not '%s'",
		       optarg);
}

static int take_enable_flags(struct update *update)
{
	ULONGLONG mask;

	update->has_enable_flags = true;
	if (!parse_number(optarg, strlen(optarg), &mask) || mask > UINT32_MAX)
		return misused(&update_verb, "--enable-flags is a number of 32"
			       " bits, not '%s'", optarg);
	update->enable_flags = mask;
	return EVNT_DONE;
}

static int parse_option(struct update *update, int option)
{
	switch (option) {
	case 'o':
		update->file = optarg;
		return EVNT_DONE;
	case 'N':
		update->next_file = true;
		return EVNT_DONE;
	case 'j':
		update->json = true;
		return EVNT_DONE;
	case 'F':
		if (parse_count(optarg, 1, 86400, &update->flush))
			return EVNT_DONE;
		return misused(&update_verb, "--flush is 1 to 86400 seconds,"
			       " not '%s'", optarg);
	case 'B':
		if (parse_count(optarg, 1, 65536, &update->buffers))
			return EVNT_DONE;
		return misused(&update_verb, "--buffers is 1 to 65536, not"
			       " '%s'", optarg);
	case 'R':
		return take_real_time(update);
	case 'E':
		return take_enable_flags(update);
	default:
		return EVNT_MISUSED;
	}
}

static int check_arguments(struct update *update, int argc, char **argv)
{
	if (optind == argc)
		return misused(&update_verb, "which session? write its name");
	if (argc - optind > 1)
		return misused(&update_verb, "one session at a time, but '%s'"
			       " follows", argv[optind + 1]);
	update->name = argv[optind];
	if (!changes_properties(update) && !update->next_file)
		return misused(&update_verb, "what is to change? write --flush"
			       " or another option");
	return EVNT_DONE;
}

static int parse_arguments(struct update *update, int argc, char **argv)
{
	static const struct option options[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "next-file", no_argument, NULL, 'N' },
		{ "flush", required_argument, NULL, 'F' },
		{ "buffers", required_argument, NULL, 'B' },
		{ "real-time", required_argument, NULL, 'R' },
		{ "enable-flags", required_argument, NULL, 'E' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c, error;

	while ((c = next_option(&update_verb, argc, argv, "o:h",
				options)) != -1) {
		if (c == 'h')
			exit(print_help(&update_verb));
		error = parse_option(update, c);
		if (error)
			return error;
	}
	return check_arguments(update, argc, argv);
}

static int run(int argc, char **argv)
{
	struct update update = { .name = NULL };
	int door, exit_code;

	exit_code = parse_arguments(&update, argc, argv);
	if (exit_code)
		return exit_code;
	door = door_open();
	if (door < 0)
		return EVNT_FAILED;
	exit_code = update_session(&update, door);
	close(door);
	return exit_code;
}

const struct verb update_verb = {
	.name = "update",
	.summary = "change properties of a session",
	.help = help,
	.run = run,
};
