// SPDX-License-Identifier: MIT
/* evnt doctor: whether all is well, and what to do where it is not. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "doctor.h"
#include "evnt.h"
#include "number.h"
#include "trace_door.h"

static const char help[] =
"Usage: evnt doctor [--json]\n"
"       evnt doctor PROVIDER [SESSION] [--event ID|NAME] [--level LEVEL]\n"
"                   [--keyword MASK] [--json]\n"
"       evnt doctor --root DIR [--kernel RELEASE] [--json]\n"
"Says whether events can be recorded here, and what to do where they cannot:\n"
"looks at the module, its devices, this user's permissions, versions, sessions\n"
"and what they have lost, descriptions of sessions, and providers.\n\n"
"With PROVIDER, a GUID, *NAME, or the name of one that is registered: says for\n"
"each process that has registered it which of its events sessions record, and\n"
"what filters out the others.\n\n"
"  --event ID|NAME   asks for the event of this id; or, of TraceLogging, this name\n"
"  --level LEVEL     asks for one of this level: a number, or a name as Warning\n"
"  --keyword MASK    asks for one with these keywords, 0x... or decimal\n"
"  --root DIR        look at the files of the system under DIR, which does not\n"
"                    run: whether the module is installed, and would be loaded\n"
"  --kernel RELEASE  for this kernel, instead of the one that runs\n"
"  --json            one object of JSON a line; see evnt-doctor(1) for its keys\n"
"  -h, --help        print this\n\n"
"The exit status is 1 if there is a problem.\n\n"
"Examples:\n"
"  evnt doctor\n"
"  evnt doctor '*My-Server' --level Verbose --keyword 0x10\n"
"  evnt doctor --json | jq -r 'select(.state == \"problem\").text'\n";

/**
 * struct wish - what the user wants to know
 * @has_provider: of a provider
 * @provider: of which
 * @session: of which session alone, or NULL
 * @question: of which events
 */
struct wish {
	bool has_provider;
	struct spec provider;
	const char *session;
	struct question question;
};

/* What can be asked of the module alone */
static void ask_module(struct doctor *d)
{
	int door = door_open();

	if (door < 0) {
		found(&d->f, FINDING_PROBLEM, "versions",
		      "the module cannot be asked");
		return;
	}
	doctor_versions(d, door);
	doctor_sessions(d, door);
	doctor_providers(d, door);
	doctor_limits(d, door);
	close(door);
}

static bool may_ask(void)
{
	return !access("/dev/evntrace", R_OK | W_OK);
}

static void examine_system(struct doctor *d)
{
	doctor_module(d);
	doctor_autologgers(d);
	if (d->is_loaded && !*d->root) {
		doctor_devices(d);
		/* Why not was told */
		if (may_ask())
			ask_module(d);
	}
}

static void examine_provider(const struct wish *wish, struct doctor *d)
{
	int door;

	/* Why it cannot be asked is what matters then */
	if (!may_ask()) {
		examine_system(d);
		return;
	}
	door = door_open();
	if (door < 0) {
		d->f.problems++;
		return;
	}
	doctor_provider(d, door, &wish->provider, wish->session,
			&wish->question);
	close(door);
}

static int examine(const struct wish *wish, struct doctor *d)
{
	if (wish->has_provider)
		examine_provider(wish, d);
	else
		examine_system(d);
	findings_end(&d->f);
	if (!d->f.json && d->f.problems)
		printf("\n%u %s\n", d->f.problems,
		       d->f.problems == 1 ? "problem" : "problems");
	return end_output(d->f.problems ? EVNT_FAILED : EVNT_DONE);
}

/* An id, or a name */
static int take_event(struct question *q, const char *text)
{
	ULONG id;

	if (parse_count(text, 0, UINT16_MAX, &id))
		q->id = id;
	else if (*text)
		q->name = text;
	else
		return misused(&doctor_verb, "--event takes an id, or a name");
	return EVNT_DONE;
}

static int take_level(struct question *q, const char *text)
{
	UCHAR level;

	if (!spec_level(text, &level))
		return misused(&doctor_verb, "level '%s' is neither 0 to 255"
			       " nor Critical, Error, Warning, Information or"
			       " Verbose", text);
	q->level = level;
	return EVNT_DONE;
}

static int take_keyword(struct question *q, const char *text)
{
	if (!parse_number(text, strlen(text), &q->keyword))
		return misused(&doctor_verb, "keywords '%s' are no number of 64"
			       " bits: write 0x and hexadecimal digits, or a"
			       " decimal number", text);
	q->has_keyword = true;
	return EVNT_DONE;
}

static int take_option(struct wish *wish, struct doctor *d, int c)
{
	switch (c) {
	case 'e':
		return take_event(&wish->question, optarg);
	case 'l':
		return take_level(&wish->question, optarg);
	case 'w':
		return take_keyword(&wish->question, optarg);
	case 'r':
		d->root = optarg;
		return EVNT_DONE;
	case 'k':
		d->kernel = optarg;
		return EVNT_DONE;
	case 'j':
		d->f.json = true;
		return EVNT_DONE;
	}
	return EVNT_MISUSED;
}

static int take_arguments(struct wish *wish, const struct doctor *d, int argc,
			  char **argv)
{
	const struct question *q = &wish->question;
	char why[512];

	if (argc > 2)
		return misused(&doctor_verb, "doctor takes one provider, and one"
			       " session, not '%s'", argv[2]);
	if (!argc && (q->id >= 0 || q->name || q->level >= 0 || q->has_keyword))
		return misused(&doctor_verb, "of which provider is the event?"
			       " write it");
	if (argc && *d->root)
		return misused(&doctor_verb, "--root is of a system that does"
			       " not run, and has no providers");
	wish->has_provider = argc;
	wish->session = argc > 1 ? argv[1] : NULL;
	if (argc && !spec_provider(argv[0], &wish->provider, why, sizeof(why)))
		return misused(&doctor_verb, "in '%s': %s", argv[0], why);
	return EVNT_DONE;
}

static int parse_arguments(struct wish *wish, struct doctor *d, int argc,
			   char **argv)
{
	static const struct option options[] = {
		{ "event", required_argument, NULL, 'e' },
		{ "level", required_argument, NULL, 'l' },
		{ "keyword", required_argument, NULL, 'w' },
		{ "root", required_argument, NULL, 'r' },
		{ "kernel", required_argument, NULL, 'k' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c, error;

	while ((c = next_option(&doctor_verb, argc, argv, "h",
				options)) != -1) {
		if (c == 'h')
			exit(print_help(&doctor_verb));
		error = take_option(wish, d, c);
		if (error)
			return error;
	}
	return take_arguments(wish, d, argc - optind, argv + optind);
}

static int run(int argc, char **argv)
{
	struct wish wish = { .question = QUESTION_ANY };
	struct doctor d = { .root = "" };
	struct utsname system;
	int error;

	uname(&system);
	d.kernel = system.release;
	error = parse_arguments(&wish, &d, argc, argv);
	return error ? error : examine(&wish, &d);
}

const struct verb doctor_verb = {
	.name = "doctor",
	.summary = "say whether all is well, and what to do",
	.help = help,
	.run = run,
};
