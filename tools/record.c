// SPDX-License-Identifier: MIT
/* evnt record: records events of some providers for a while. */
#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include <evntlinux.h>

#include "child.h"
#include "evnt.h"
#include "json.h"
#include "spec.h"
#include "trace_door.h"

static const char help[] =
"Usage: evnt record -p SPEC... -o FILE.etl [OPTION...] [-- COMMAND...]\n"
"Records events into a log file while COMMAND runs, or until Ctrl-C.\n\n"
"  -p, --provider SPEC   which provider, and what of it; may be repeated\n"
"  -o, --output FILE     the log file; one that exists is overwritten\n"
"  -n, --name NAME       the session's name; default: evnt-PID\n"
"      --buffer-size KB  size of a buffer, 4 to 16384; default: 64\n"
"      --buffers N       how many at most; default: 2 a CPU and 20 more\n"
"      --flush SECONDS   write buffers that are not full, too, so often\n"
"      --circular MB     keep the newest events only, in a file of this size\n"
"      --json            print the outcome as JSON to stdout\n"
"  -h, --help            print this\n\n"
"SPEC is PROVIDER[:KEYWORDS[:LEVEL]], several joined by '+'.  PROVIDER is\n"
"  *NAME      the id that TraceLogging derives from a name\n"
"  GUID       an id, with or without braces\n"
"  NAME       what a provider calls itself that is registered already\n"
"KEYWORDS: any of these bits, 0x... or decimal; default: all.  LEVEL: 1 to\n"
"255 or Critical, Error, Warning, Information, Verbose; 0, default: all.\n\n"
"The exit status is COMMAND's, if it is run.\n\n"
"Examples:\n"
"  evnt record -p '*Evntprov-Sample' -o sample.etl -- evnt-sample\n"
"  evnt record -p '*My-Server:0x3:Warning+*My-Library' -o log.etl\n";

/**
 * struct recording - one run
 * @specs: which providers
 * @seen: for each of them, a process that had it registered, or 0
 * @file: log file
 * @name: session's name
 * @buffer_kb: size of a buffer, or 0
 * @buffers: most buffers, or 0
 * @flush: flush timer in seconds, or 0
 * @circular: what the file may grow to, in MB, before it goes round; or 0
 * @json: print the outcome as JSON
 * @command: what to run, or NULL
 * @door: /dev/evntrace, to look on
 * @bound: the session ends when this is closed
 * @handle: the session
 * @end: what the session had recorded when it was stopped
 * @stop_error: why it could not be stopped, an errno
 */
struct recording {
	struct spec_list specs;
	unsigned int *seen;
	const char *file;
	const char *name;
	ULONG buffer_kb;
	ULONG buffers;
	ULONG flush;
	ULONG circular;
	bool json;
	char **command;
	int door;
	int bound;
	TRACEHANDLE handle;
	struct child child;
	struct door_session end;
	int stop_error;
};

static void *must_have(void *memory)
{
	if (memory)
		return memory;
	exit(failed("out of memory"));
}

/* Registered providers that have the name of @spec by their traits */
static bool has_name(const struct evntrace_registration *registration,
		     const struct spec *spec)
{
	/* Longer names are cut in the list */
	return registration->name[0] &&
	       !strncasecmp(registration->name, spec->name,
			    sizeof(registration->name) - 1);
}

static int look_up(struct spec *spec,
		   const struct evntrace_registration *registrations,
		   size_t count)
{
	const void *found = NULL;

	for (size_t i = 0; i < count; i++) {
		if (!has_name(&registrations[i], spec))
			continue;
		if (found && memcmp(found, registrations[i].provider.b, 16) != 0)
			return failed("several registered providers are called"
				      " '%s': write the GUID of the one that"
				      " you want; 'evnt providers' shows them",
				      spec->name);
		found = registrations[i].provider.b;
	}
	if (!found)
		return failed("no registered provider is called '%s': write"
			      " '*%s' if its id is the hash of its name, or"
			      " its GUID", spec->name, spec->name);
	memcpy(&spec->id, found, sizeof(spec->id));
	return EVNT_DONE;
}

static int list_registrations(struct recording *recording,
			      struct evntrace_registration **registrations,
			      size_t *count)
{
	void *elements;
	int error = door_list(recording->door, EVNTRACE_LIST_REGISTRATIONS,
			      sizeof(**registrations), &elements, count);

	*registrations = elements;
	return error;
}

static int look_up_names(struct recording *recording)
{
	struct evntrace_registration *registrations;
	int error, result = EVNT_DONE;
	size_t count;

	error = list_registrations(recording, &registrations, &count);
	if (error)
		result = failed("cannot list the providers: %s",
				strerror(error));
	for (size_t i = 0; i < recording->specs.count && !result; i++) {
		if (recording->specs.specs[i].lookup)
			result = look_up(&recording->specs.specs[i],
					 registrations, count);
	}
	free(registrations);
	return result;
}

/* Short-lived processes are seen only if we look while they live */
static void look_on(struct recording *recording)
{
	struct evntrace_registration *registrations;
	size_t count;

	if (list_registrations(recording, &registrations, &count))
		count = 0;
	for (size_t i = 0; i < recording->specs.count; i++) {
		const GUID *id = &recording->specs.specs[i].id;

		for (size_t k = 0; k < count; k++) {
			if (!memcmp(id, registrations[k].provider.b, 16))
				recording->seen[i] = registrations[k].pid;
		}
	}
	free(registrations);
}

static int explain_start(const struct recording *recording, ULONG error)
{
	const char *file = recording->file, *name = recording->name;

	switch (error) {
	case ERROR_ALREADY_EXISTS:
		return failed("a session called '%s' runs already: choose"
			      " another name with -n", name);
	case ERROR_ACCESS_DENIED:
		return failed("no permission to write '%s'", file);
	case ERROR_FILE_NOT_FOUND:
	case ERROR_PATH_NOT_FOUND:
	case ERROR_BAD_PATHNAME:
		return failed("cannot create '%s': does its directory exist,"
			      " and does no other session write to it?", file);
	case ERROR_DISK_FULL:
		return failed("no space left for '%s'", file);
	case ERROR_NOT_ENOUGH_MEMORY:
	case ERROR_OUTOFMEMORY:
		return failed("not enough memory: use smaller --buffers or"
			      " --buffer-size");
	case ERROR_NO_SYSTEM_RESOURCES:
		return failed("%u sessions run already: 'evnt sessions' shows"
			      " which", EVNTRACE_MAX_SESSIONS);
	case ERROR_INVALID_PARAMETER:
		return failed("the name of session or file is too long, or no"
			      " UTF-8, or --buffers too many");
	default:
		return failed("cannot start a session: error %u", error);
	}
}

/* Whoever lists sessions is elsewhere: the log's name should be whole */
static char *whole_name(const char *file)
{
	char *cwd = getcwd(NULL, 0), *whole = NULL;

	if (file[0] != '/' && cwd && asprintf(&whole, "%s/%s", cwd, file) < 0)
		whole = NULL;
	free(cwd);
	if (whole && strlen(whole) <= EVNTRACE_MAX_NAME)
		return whole;
	free(whole);
	return must_have(strdup(file));
}

/* Properties with room for both names behind them */
static PEVENT_TRACE_PROPERTIES new_properties(const struct recording *recording)
{
	size_t name_size, file_size, size;
	PEVENT_TRACE_PROPERTIES properties;
	char *file;

	/* check_arguments() has seen to it */
	assert(recording->file && recording->name);
	file = whole_name(recording->file);
	name_size = strlen(recording->name) + 1;
	file_size = strlen(file) + 1;
	size = sizeof(*properties) + name_size + file_size;
	properties = must_have(calloc(1, size));
	properties->Wnode.BufferSize = size;
	properties->Wnode.Flags = WNODE_FLAG_TRACED_GUID;
	properties->BufferSize = recording->buffer_kb;
	properties->MaximumBuffers = recording->buffers;
	properties->FlushTimer = recording->flush;
	properties->LogFileMode = recording->circular ?
				  EVENT_TRACE_FILE_MODE_CIRCULAR :
				  EVENT_TRACE_FILE_MODE_SEQUENTIAL;
	properties->MaximumFileSize = recording->circular;
	properties->LoggerNameOffset = sizeof(*properties);
	properties->LogFileNameOffset = sizeof(*properties) + name_size;
	memcpy((char *)properties + properties->LogFileNameOffset, file,
	       file_size);
	free(file);
	return properties;
}

static int start_session(struct recording *recording)
{
	PEVENT_TRACE_PROPERTIES properties = new_properties(recording);
	ULONG error;

	error = EvntStartTraceBoundA(&recording->handle, recording->name,
				     properties, &recording->bound);
	free(properties);
	return error ? explain_start(recording, error) : EVNT_DONE;
}

static int enable_providers(struct recording *recording)
{
	for (size_t i = 0; i < recording->specs.count; i++) {
		const struct spec *spec = &recording->specs.specs[i];
		ULONG error = EnableTraceEx2(recording->handle, &spec->id,
					     EVENT_CONTROL_CODE_ENABLE_PROVIDER,
					     spec->level, spec->keywords, 0, 0,
					     NULL);

		if (error)
			return failed("cannot enable a provider: error %u",
				      error);
	}
	return EVNT_DONE;
}

/* Another program may stop our session */
static bool session_runs(struct recording *recording)
{
	return !door_query(recording->door, recording->handle,
			   &recording->end);
}

static bool goes_on(struct recording *recording)
{
	struct child *child = &recording->child;

	/* The first Ctrl-C is the command's; by the second it had its time */
	if (recording->command)
		return child->pid && child->interrupted < 2;
	return !child->interrupted && session_runs(recording);
}

static void wait_for_end(struct recording *recording)
{
	/* Short at first, to see a command that ends soon */
	for (int ms = 5; goes_on(recording); ms = ms < 200 ? ms + 5 : ms) {
		look_on(recording);
		child_wait(&recording->child, ms);
	}
	look_on(recording);
}

/* Returns an exit code if there was nothing to record */
static int run_recording(struct recording *recording)
{
	struct child *child = &recording->child;

	if (!recording->command)
		note("recording into '%s' as session '%s'; Ctrl-C ends it",
		     recording->file, recording->name);
	else if (!child_start(child, recording->command))
		return child->status ? child->status : EVNT_FAILED;
	wait_for_end(recording);
	return EVNT_DONE;
}

static void stop_session(struct recording *recording)
{
	recording->stop_error = door_stop(recording->door, recording->handle,
					  &recording->end);
	close(recording->bound);
}

/* When nothing came: what may be the reason, for one provider */
static void explain_silence(const struct spec *spec, unsigned int seen)
{
	char id[GUID_TEXT];
	const char *name = spec->name;

	format_guid(&spec->id, id);
	if (!seen)
		note("  %s %s: no process was seen to register it; is the"
		     " id right, and did the program run?", id, name);
	else if (spec->level != SPEC_ALL_LEVELS ||
		 spec->keywords != SPEC_ALL_KEYWORDS)
		note("  %s %s: process %u has registered it; it wrote nothing,"
		     " or nothing up to level %u with keywords 0x%llx",
		     id, name, seen, spec->level, spec->keywords);
	else
		note("  %s %s: process %u has registered it, but wrote nothing",
		     id, name, seen);
}

static void tell_losses(const struct recording *recording)
{
	const struct evntrace_session *end = &recording->end.info;

	if (end->log_errno)
		failed("writing '%s' failed: %s", recording->file,
		       strerror(end->log_errno));
	else if (end->events_lost)
		note("events were LOST because no buffer was free, or none"
		     " large enough: record with more --buffers, or a larger"
		     " --buffer-size");
}

static void tell_outcome(const struct recording *recording)
{
	const struct evntrace_session *end = &recording->end.info;

	/* What buffers held that were lost had been taken before */
	note("%" PRIu64 " events %s, %" PRIu64 " lost; '%s' has %" PRIu64
	     " bytes", (uint64_t)end->events,
	     end->buffers_lost ? "taken" : "kept", (uint64_t)end->events_lost,
	     recording->file, (uint64_t)end->bytes_written);
	if (end->events)
		return;
	note("nothing was recorded:");
	for (size_t i = 0; i < recording->specs.count; i++)
		explain_silence(&recording->specs.specs[i],
				recording->seen[i]);
}

static json_object *providers_array(const struct recording *recording)
{
	json_object *array = json_object_new_array();

	for (size_t i = 0; i < recording->specs.count; i++) {
		const struct spec *spec = &recording->specs.specs[i];
		json_object *object = json_object_new_object();
		bool seen = recording->seen[i];

		json_add_guid(object, "id", &spec->id);
		if (spec->name[0])
			json_add_text(object, "name", spec->name);
		json_add_number(object, "level", spec->level);
		json_add_mask(object, "keywords", spec->keywords);
		json_object_object_add(object, "seen_registered",
				       json_object_new_boolean(seen));
		json_object_array_add(array, object);
	}
	return array;
}

static void print_outcome(const struct recording *recording)
{
	const struct evntrace_session *end = &recording->end.info;
	json_object *object = json_object_new_object();

	json_add_text(object, "file", recording->file);
	json_add_text(object, "session", recording->name);
	json_add_number(object, "events", end->events);
	json_add_number(object, "events_lost", end->events_lost);
	json_add_number(object, "buffers_lost", end->buffers_lost);
	json_add_number(object, "bytes", end->bytes_written);
	if (recording->command)
		json_add_number(object, "exit_status",
				recording->child.status);
	json_object_object_add(object, "providers",
			       providers_array(recording));
	json_print(object);
}

/* The command's failure is the user's business first, then ours */
static int exit_code(const struct recording *recording)
{
	if (recording->child.status)
		return recording->child.status;
	/* The command lives on, unrecorded */
	if (recording->child.pid)
		return 130;
	return recording->stop_error || recording->end.info.log_errno ?
	       EVNT_FAILED : EVNT_DONE;
}

static int report(const struct recording *recording)
{
	if (recording->stop_error == ESRCH)
		failed("somebody else stopped the session; '%s' holds what"
		       " came until then", recording->file);
	else if (recording->stop_error)
		failed("cannot stop the session: %s",
		       strerror(recording->stop_error));
	else if (recording->json)
		print_outcome(recording);
	else
		tell_outcome(recording);
	if (!recording->stop_error)
		tell_losses(recording);
	return end_output(exit_code(recording));
}

static int record(struct recording *recording)
{
	int error;

	child_block_signals();
	error = look_up_names(recording);
	if (!error)
		error = start_session(recording);
	if (error)
		return error;
	error = enable_providers(recording);
	if (!error)
		error = run_recording(recording);
	stop_session(recording);
	return error ? error : report(recording);
}

/* Overwriting a log is what is meant; a device or directory never is */
static int check_file(const struct recording *recording)
{
	struct stat st;

	if (!stat(recording->file, &st) && !S_ISREG(st.st_mode))
		return failed("'%s' exists and is no regular file: choose"
			      " another for -o", recording->file);
	return EVNT_DONE;
}

static bool parse_count(const char *text, ULONG least, ULONG most,
			ULONG *value)
{
	unsigned long number;
	char *end;

	errno = 0;
	number = strtoul(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || number < least ||
	    number > most)
		return false;
	*value = number;
	return true;
}

static int add_specs(struct recording *recording, const char *text)
{
	char why[512];

	if (spec_parse(&recording->specs, text, why, sizeof(why)))
		return EVNT_DONE;
	return misused(&record_verb, "in '%s': %s", text, why);
}

static int parse_option(struct recording *recording, int option)
{
	switch (option) {
	case 'p':
		return add_specs(recording, optarg);
	case 'o':
		recording->file = optarg;
		return EVNT_DONE;
	case 'n':
		recording->name = optarg;
		return EVNT_DONE;
	case 'j':
		recording->json = true;
		return EVNT_DONE;
	case 'S':
		if (parse_count(optarg, 4, 16384, &recording->buffer_kb))
			return EVNT_DONE;
		return misused(&record_verb, "--buffer-size is 4 to 16384 KB,"
			       " not '%s'", optarg);
	case 'B':
		if (parse_count(optarg, 1, 1000000, &recording->buffers))
			return EVNT_DONE;
		return misused(&record_verb, "--buffers is a number from 1 to"
			       " 1000000, not '%s'", optarg);
	case 'F':
		if (parse_count(optarg, 1, 86400, &recording->flush))
			return EVNT_DONE;
		return misused(&record_verb, "--flush is 1 to 86400 seconds,"
			       " not '%s'", optarg);
	case 'C':
		if (parse_count(optarg, 1, 1000000, &recording->circular))
			return EVNT_DONE;
		return misused(&record_verb, "--circular is 1 to 1000000 MB,"
			       " not '%s'", optarg);
	default:
		return EVNT_MISUSED;
	}
}

/* What the arguments leave open or get wrong together */
static int check_arguments(struct recording *recording, int argc, char **argv)
{
	static char name[32];

	if (optind < argc)
		recording->command = argv + optind;
	if (!recording->specs.count)
		return misused(&record_verb, "which provider? write -p SPEC");
	if (!recording->file || !*recording->file)
		return misused(&record_verb, "into which file? write -o FILE");
	snprintf(name, sizeof(name), "evnt-%d", getpid());
	if (!recording->name || !*recording->name)
		recording->name = name;
	recording->seen = must_have(calloc(recording->specs.count,
					   sizeof(*recording->seen)));
	return check_file(recording);
}

static int parse_arguments(struct recording *recording, int argc, char **argv)
{
	static const struct option options[] = {
		{ "provider", required_argument, NULL, 'p' },
		{ "output", required_argument, NULL, 'o' },
		{ "name", required_argument, NULL, 'n' },
		{ "buffer-size", required_argument, NULL, 'S' },
		{ "buffers", required_argument, NULL, 'B' },
		{ "flush", required_argument, NULL, 'F' },
		{ "circular", required_argument, NULL, 'C' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c, error = EVNT_DONE;

	/* +: options after the command are the command's */
	while ((c = getopt_long(argc, argv, "+p:o:n:h", options, NULL)) != -1) {
		if (c == 'h')
			exit(print_help(&record_verb));
		error = parse_option(recording, c);
		if (error)
			return error;
	}
	return check_arguments(recording, argc, argv);
}

static int run(int argc, char **argv)
{
	struct recording *recording = must_have(calloc(1, sizeof(*recording)));
	int result = parse_arguments(recording, argc, argv);

	if (!result) {
		recording->door = door_open();
		result = recording->door < 0 ? EVNT_FAILED :
					       record(recording);
		close(recording->door);
	}
	spec_free(&recording->specs);
	free(recording->seen);
	free(recording);
	return result;
}

const struct verb record_verb = {
	.name = "record",
	.summary = "record events of some providers into a log file",
	.help = help,
	.run = run,
};
