// SPDX-License-Identifier: MIT
/* evnt doctor: whether all is well, and what to do where it is not. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "doctor.h"
#include "evnt.h"
#include "trace_door.h"

static const char help[] =
"Usage: evnt doctor [--json]\n"
"       evnt doctor --root DIR [--kernel RELEASE] [--json]\n"
"Says whether events can be recorded here, and what to do where they cannot:\n"
"looks at the module, its devices, this user's permissions, versions, sessions\n"
"and what they have lost, descriptions of sessions, and providers.\n\n"
"  --root DIR        look at the files of the system under DIR, which does not\n"
"                    run: whether the module is installed, and would be loaded\n"
"  --kernel RELEASE  for this kernel, instead of the one that runs\n"
"  --json            one object of JSON a line; see evnt-doctor(1) for its keys\n"
"  -h, --help        print this\n\n"
"The exit status is 1 if there is a problem.\n\n"
"Examples:\n"
"  evnt doctor\n"
"  evnt doctor --json | jq -r 'select(.state == \"problem\").text'\n";

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
	close(door);
}

static bool may_ask(void)
{
	return !access("/dev/evntrace", R_OK | W_OK);
}

static int examine(struct doctor *d)
{
	doctor_module(d);
	doctor_autologgers(d);
	if (d->is_loaded && !*d->root) {
		doctor_devices(d);
		/* Why not was told */
		if (may_ask())
			ask_module(d);
	}
	findings_end(&d->f);
	if (!d->f.json && d->f.problems)
		printf("\n%u %s\n", d->f.problems,
		       d->f.problems == 1 ? "problem" : "problems");
	return end_output(d->f.problems ? EVNT_FAILED : EVNT_DONE);
}

static int parse_options(struct doctor *d, int argc, char **argv)
{
	static const struct option options[] = {
		{ "root", required_argument, NULL, 'r' },
		{ "kernel", required_argument, NULL, 'k' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		switch (c) {
		case 'r':
			d->root = optarg;
			break;
		case 'k':
			d->kernel = optarg;
			break;
		case 'j':
			d->f.json = true;
			break;
		default:
			return c;
		}
	}
	return 0;
}

static int run(int argc, char **argv)
{
	struct doctor d = { .root = "" };
	struct utsname system;
	int stop;

	uname(&system);
	d.kernel = system.release;
	stop = parse_options(&d, argc, argv);
	if (stop)
		return stop == 'h' ? print_help(&doctor_verb) : EVNT_MISUSED;
	if (optind < argc)
		return misused(&doctor_verb, "doctor takes no argument '%s'",
			       argv[optind]);
	return examine(&d);
}

const struct verb doctor_verb = {
	.name = "doctor",
	.summary = "say whether all is well, and what to do",
	.help = help,
	.run = run,
};
